/*
 * toeplitz.c - the shift of buffered linear Toeplitz noise (lib/blt/blt.h), rounded up.
 *
 * The columns' norms are closed sums of products of poles, all of which are positive; with an echo,
 * block by block, in intervals, and what comes after the last block is bounded by its l1 norm.
 */
#include "poles.h"

#define MANY		((uint64_t)1 << 16)	/* terms of a comb */
#define DITHER		40	/* c_1 is an odd multiple of 2^-24: of 2^40 2^-64 */
#define PAST		80	/* blt.h: so far past its slowest pole a sequence is nothing */

static void
units(mpfr_t to, uint64_t n, int bits)
{
	mpfr_init2(to, DP_AUDIT_BITS);
	mpfr_set_ui(to, n, MPFR_RNDN);
	mpfr_div_2si(to, to, bits, MPFR_RNDN);
}

void
audit_poles_start(struct poles *p, const struct audit_blt *f)
{
	unsigned j;

	p->f = f;
	for (j = 0; j < f->poles; j++) {
		units(p->th[j], f->gap[j], 64);
		mpfr_ui_sub(p->th[j], 1, p->th[j], MPFR_RNDN);
		units(p->om[j], f->om[j], 64);
	}
	mpfr_inits2(DP_AUDIT_BITS, p->q, p->x, p->y, p->z, (mpfr_ptr)NULL);
}

void
audit_poles_stop(struct poles *p)
{
	unsigned j;

	for (j = 0; j < p->f->poles; j++) {
		mpfr_clear(p->th[j]);
		mpfr_clear(p->om[j]);
	}
	mpfr_clears(p->q, p->x, p->y, p->z, (mpfr_ptr)NULL);
}

/* A product of two poles is exact. */
void
audit_poles_sum(struct poles *p, mpfr_t to, unsigned i, unsigned j, uint64_t n, mpfr_rnd_t way)
{
	mpfr_mul(p->q, p->th[i], p->th[j], MPFR_RNDN);
	mpfr_pow_ui(to, p->q, n, way == UP ? DOWN : UP);
	mpfr_ui_sub(to, 1, to, way);
	mpfr_ui_sub(p->q, 1, p->q, MPFR_RNDN);
	mpfr_div(to, to, p->q, way);
}

/* to += the sum over k < n of (sum x_j th_j^k)^2, up; all x_j >= 0. */
static void
add_squares(struct poles *p, mpfr_t to, mpfr_t *x, uint64_t n)
{
	unsigned i, j;

	for (i = 0; i < p->f->poles; i++)
		for (j = 0; j <= i; j++) {
			audit_poles_sum(p, p->y, i, j, n, UP);
			mpfr_mul(p->y, p->y, x[i], UP);
			mpfr_mul(p->y, p->y, x[j], UP);
			mpfr_mul_ui(p->y, p->y, i == j ? 1 : 2, UP);
			mpfr_add(to, to, p->y, UP);
		}
}

/* ||c||_n^2 without an echo. */
static void
plain(struct poles *p, mpfr_t to, uint64_t n)
{
	mpfr_set_ui(to, 1, UP);
	add_squares(p, to, p->om, n - 1);
}

/* SPACED: the sum of v_t^2, t < n, by blocks of `spacing' steps (law.c has the recursion). */
static void
comb(struct poles *p, mpfr_t to, uint64_t blocks, uint64_t n)
{
	const uint64_t b = p->f->moves.spacing;
	const unsigned d = p->f->poles;
	mpfr_t x[DP_AUDIT_POLES];
	uint64_t i;
	unsigned j;

	for (j = 0; j < d; j++) {
		mpfr_init2(x[j], DP_AUDIT_BITS);
		mpfr_set_zero(x[j], 1);
	}
	mpfr_set_zero(to, 1);
	for (i = 0; i < blocks; i++) {
		mpfr_set_ui(p->z, 1, UP);
		for (j = 0; j < d; j++) {
			mpfr_pow_ui(p->x, p->th[j], b - 1, UP);
			mpfr_mul(p->x, p->x, x[j], UP);
			mpfr_add(p->z, p->z, p->x, UP);
			mpfr_mul(p->x, p->x, p->th[j], UP);
			mpfr_add(x[j], p->x, p->om[j], UP);
		}
		mpfr_sqr(p->z, p->z, UP);
		mpfr_add(to, to, p->z, UP);
		add_squares(p, to, x, (i + 1 < blocks ? b : n - i * b) - 1);
	}
	for (j = 0; j < d; j++)
		mpfr_clear(x[j]);
}

/* The form is one of blt.h; NULL, or why not. */
static const char *
formed(const struct audit_blt *f)
{
	const uint64_t unit = (uint64_t)1 << DITHER, D = (uint64_t)1 << f->bits;
	uint64_t sum = 0, left = f->steps;
	unsigned j;

	for (j = 0; j < f->poles; j++) {
		if (f->gap[j] == 0 || f->om[j] == 0)
			return "a pole is none";
		sum += f->om[j];
	}
	if (f->poles > 0 && sum % (2 * unit) != unit)
		return "the first coefficient has no dither";
	for (j = 0; f->lag != 0 && j < DP_AUDIT_ECHOES; j++)
		if (f->b[j] >= f->a[j] || f->a[j] >> 32 != 0 || f->poles == 0)
			return "an echo is none";
	if (f->pieces > 0 && (f->left[0] != f->steps || f->lag != 0 || f->moves.spacing != 0))
		return "the pieces are not of all steps";
	for (j = 0; j < f->pieces; j++) {
		if (f->unit[j] == 0 || f->unit[j] > D || f->left[j] == 0 || f->left[j] > left)
			return "a piece's unit is wrong";
		left = f->left[j] - 1;
	}
	return NULL;
}

/* c_0 >= c_1 >= .. */
static bool
falls(const struct audit_blt *f)
{
	uint64_t sum = 0;
	unsigned j;

	for (j = 0; j < f->poles; j++) {
		if (f->om[j] > UINT64_MAX - sum)
			return false;
		sum += f->om[j];
	}
	return f->lag == 0;
}

/* H^2 without what is rounded: (D ||c||)^2 l2, or as norm.h and SPACED have it. */
static const char *
length(struct poles *p, mpfr_t to)
{
	const struct audit_blt *f = p->f;
	const struct audit_moves *m = &f->moves;
	uint64_t square = m->square, blocks;
	mpfr_t one, cb;
	unsigned i;

	if (m->spacing != 0) {
		blocks = (f->steps - 1) / m->spacing + 1;
		blocks = m->times < blocks ? m->times : blocks;
		if (!falls(f) || f->pieces > 0)
			return "events that are apart need coefficients that fall";
		if (blocks > MANY)
			return "there are too many events for this";
		comb(p, to, blocks, f->steps);
	} else if (f->pieces > 0) {
		mpfr_init2(one, DP_AUDIT_BITS);
		mpfr_set_zero(to, 1);
		for (i = 0; i < f->pieces; i++) {
			plain(p, one, f->left[i]);
			mpfr_mul_ui(one, one, f->unit[i], UP);
			mpfr_mul_ui(one, one, f->unit[i], UP);
			mpfr_max(to, to, one, UP);
		}
		mpfr_clear(one);
	} else {
		mpfr_init2(cb, DP_AUDIT_BITS);
		plain(p, to, f->steps);
		mpfr_sqrt(cb, to, UP);
		if (f->lag != 0)
			audit_echo_squares(p, to, f->steps, cb);
		mpfr_clear(cb);
	}
	if (f->pieces == 0)
		mpfr_mul_2ui(to, to, 2 * f->bits, UP);
	if (m->fading != 0 && m->fading < square) {
		if (!falls(f) || f->pieces > 0)
			return "moves that fade need coefficients that fall";
		square = m->fading;
	}
	mpfr_mul_ui(to, to, square, UP);
	return NULL;
}

/* Norms of C, and nu: all up. */
struct norms {
	mpfr_t c1, nu, lags, tail;
};

static void
measure(struct poles *p, struct norms *v)
{
	const struct audit_blt *f = p->f;
	mpfr_t cb, echo, late, slow;
	unsigned j;

	mpfr_inits2(DP_AUDIT_BITS, cb, echo, late, slow, (mpfr_ptr)NULL);
	mpfr_set_ui(cb, 1, UP);
	mpfr_set_zero(v->nu, 1);
	mpfr_set_ui(slow, 1, DOWN);
	for (j = 0; j < f->poles; j++) {
		mpfr_ui_sub(p->x, 1, p->th[j], MPFR_RNDN);	/* the gap, exactly */
		mpfr_div(p->y, p->om[j], p->x, UP);
		mpfr_add(cb, cb, p->y, UP);
		mpfr_ui_div(p->y, 2, p->x, UP);
		mpfr_div_2ui(p->y, p->y, 80, UP);
		mpfr_add(v->nu, v->nu, p->y, UP);
		mpfr_log(p->x, p->th[j], UP);
		mpfr_neg(p->x, p->x, DOWN);
		mpfr_min(slow, slow, p->x, DOWN);
	}
	audit_echo_norm(f, echo, late);
	mpfr_mul(v->c1, cb, echo, UP);
	/* an error of u_k is that of u_(k-1) times 1 + A, and half a word, over 1 - B */
	mpfr_set_zero(p->x, 1);
	for (j = 0; f->lag != 0 && j < DP_AUDIT_ECHOES; j++) {
		mpfr_mul_d(p->x, p->x, 1 + (double)f->a[j] * 0x1p-32, UP);
		mpfr_add_d(p->x, p->x, 0x1p-27, UP);
		mpfr_div_d(p->x, p->x, 1 - (double)f->b[j] * 0x1p-32, UP);
	}
	mpfr_mul(p->x, p->x, cb, UP);
	mpfr_add(v->nu, v->nu, p->x, UP);
	mpfr_ui_div(v->lags, PAST, slow, UP);
	mpfr_set_ui(p->x, f->lag, UP);
	mpfr_mul_ui(p->x, p->x, DP_AUDIT_ECHO_PAST, UP);
	mpfr_add(v->lags, v->lags, p->x, UP);
	mpfr_set_si(p->x, -PAST, UP);
	mpfr_exp(p->x, p->x, UP);
	mpfr_mul(v->tail, v->c1, p->x, UP);
	mpfr_mul(p->x, late, cb, UP);
	mpfr_add(v->tail, v->tail, p->x, UP);
	mpfr_clears(cb, echo, late, slow, (mpfr_ptr)NULL);
}

/* M = min(T/4, l1 lags/4 + D l1 tail + 2 nu T) + b T to z; g = D l1 ||c||_1 + 2 nu T to y. */
static void
rounded(struct poles *p, const struct norms *v, const mpfr_t T, const mpfr_t b)
{
	const struct audit_blt *f = p->f;

	mpfr_mul_ui(p->x, v->lags, f->moves.l1, UP);
	mpfr_div_2ui(p->z, p->x, 2, UP);
	mpfr_mul_ui(p->x, v->tail, f->moves.l1, UP);
	mpfr_mul_2ui(p->x, p->x, f->bits, UP);
	mpfr_add(p->z, p->z, p->x, UP);
	mpfr_mul(p->x, v->nu, T, UP);
	mpfr_mul_2ui(p->x, p->x, 1, UP);
	mpfr_add(p->z, p->z, p->x, UP);
	mpfr_mul_ui(p->y, v->c1, f->moves.l1, UP);
	mpfr_mul_2ui(p->y, p->y, f->bits, UP);
	mpfr_add(p->y, p->y, p->x, UP);
	mpfr_div_2ui(p->x, T, 2, UP);
	mpfr_min(p->z, p->z, p->x, UP);
	mpfr_mul(p->x, b, T, UP);
	mpfr_add(p->z, p->z, p->x, UP);
}

/*
 * S^2 = h^2 + 2 D l1 + 2 (2 h sqrt(x / 2) + b g) + 1.008 M + 128 x, h = H, with x = epsilon +
 * ln(1 / delta) + 17; square has (D ||c||)^2 l2.
 */
static void
whole(struct poles *p, const struct norms *v, const mpq_t epsilon, const mpq_t delta,
    mpfr_t square)
{
	const struct audit_blt *f = p->f;
	mpfr_t T, b, h, x;

	mpfr_inits2(DP_AUDIT_BITS, T, b, h, x, (mpfr_ptr)NULL);
	mpfr_set_ui(T, f->steps, UP);
	mpfr_mul_ui(T, T, f->columns, UP);
	mpfr_set_d(b, 1.00010000001 * 0x1p-24, UP);
	mpfr_sqrt(h, square, UP);
	mpfr_sqrt(p->x, T, UP);
	mpfr_mul(p->x, p->x, v->nu, UP);
	mpfr_mul_2ui(p->x, p->x, 1, UP);
	mpfr_add(h, h, p->x, UP);
	mpfr_sqr(square, h, UP);
	if (f->poles > 0) {		/* else nothing is rounded */
		mpfr_set_q(x, delta, DOWN);
		mpfr_log(x, x, DOWN);
		mpfr_set_q(p->x, epsilon, UP);
		mpfr_sub(x, p->x, x, UP);
		mpfr_add_ui(x, x, 17, UP);
		rounded(p, v, T, b);
		mpfr_mul(p->y, p->y, b, UP);
		mpfr_div_2ui(p->x, x, 1, UP);
		mpfr_sqrt(p->x, p->x, UP);
		mpfr_mul(p->x, p->x, h, UP);
		mpfr_mul_2ui(p->x, p->x, 1, UP);
		mpfr_add(p->y, p->y, p->x, UP);
		mpfr_mul_2ui(p->y, p->y, 1, UP);
		mpfr_add(square, square, p->y, UP);
		mpfr_mul_d(p->z, p->z, 1.008000001, UP);
		mpfr_add(square, square, p->z, UP);
		mpfr_mul_ui(x, x, 128, UP);
		mpfr_add(square, square, x, UP);
		mpfr_set_ui(p->x, f->moves.l1, UP);
		mpfr_mul_2ui(p->x, p->x, f->bits + 1, UP);
		mpfr_add(square, square, p->x, UP);
	}
	mpfr_clears(T, b, h, x, (mpfr_ptr)NULL);
}

const char *
audit_blt_square(const struct audit_blt *f, const mpq_t epsilon, const mpq_t delta, mpfr_t square)
{
	const char *why = formed(f);
	struct norms v;
	struct poles p;

	if (why != NULL)
		return why;
	audit_poles_start(&p, f);
	mpfr_inits2(DP_AUDIT_BITS, v.c1, v.nu, v.lags, v.tail, (mpfr_ptr)NULL);
	if ((why = length(&p, square)) == NULL) {
		measure(&p, &v);
		whole(&p, &v, epsilon, delta, square);
	}
	mpfr_clears(v.c1, v.nu, v.lags, v.tail, (mpfr_ptr)NULL);
	audit_poles_stop(&p);
	return why;
}
