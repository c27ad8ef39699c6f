/* SPDX-License-Identifier: ISC */
/*
 * toeplitz.c - the shift of buffered linear Toeplitz noise (lib/counter/internal.h), rounded up.
 *
 * The columns' norms are closed sums of products of poles, all of which are positive; with an echo,
 * block by block, in intervals, and what comes after the last block is bounded by its l1 norm.
 */
#include <stdlib.h>

#include "internal.h"

static void audit_echo_norm(const struct audit_blt *, mpfr_t all, mpfr_t late);
static void audit_echo_squares(struct poles *, mpfr_t to, uint64_t n, const mpfr_t cb);

#define MANY		((uint64_t)1 << 16)	/* terms of a comb */
#define DITHER		40	/* c_1 is an odd multiple of 2^-24: of 2^40 2^-64 */
#define PAST		80	/* counter/internal.h:
    so far past its slowest pole a sequence is nothing */

static void
units(mpfr_t to, uint64_t n, int bits)
{
	mpfr_init2(to, DP_AUDIT_BITS);
	mpfr_set_ui(to, n, MPFR_RNDN);
	mpfr_div_2si(to, to, bits, MPFR_RNDN);
}

static void
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

static void
audit_poles_stop(struct poles *p)
{
	unsigned j;

	for (j = 0; j < p->f->poles; j++) {
		mpfr_clear(p->th[j]);
		mpfr_clear(p->om[j]);
	}
	mpfr_clears(p->q, p->x, p->y, p->z, (mpfr_ptr)NULL);
}

/* to: the sum of (th_i th_j)^k, k < n, rounded that way; q is used. */
/* A product of two poles is exact. */
static void
audit_poles_sum(struct poles *p, mpfr_t to, unsigned i, unsigned j, uint64_t n, mpfr_rnd_t way)
{
	mpfr_mul(p->q, p->th[i], p->th[j], MPFR_RNDN);
	mpfr_pow_ui(to, p->q, n, way == ABOVE ? BELOW : ABOVE);
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
			audit_poles_sum(p, p->y, i, j, n, ABOVE);
			mpfr_mul(p->y, p->y, x[i], ABOVE);
			mpfr_mul(p->y, p->y, x[j], ABOVE);
			mpfr_mul_ui(p->y, p->y, i == j ? 1 : 2, ABOVE);
			mpfr_add(to, to, p->y, ABOVE);
		}
}

/* ||c||_n^2 without an echo. */
static void
plain(struct poles *p, mpfr_t to, uint64_t n)
{
	mpfr_set_ui(to, 1, ABOVE);
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
		mpfr_set_ui(p->z, 1, ABOVE);
		for (j = 0; j < d; j++) {
			mpfr_pow_ui(p->x, p->th[j], b - 1, ABOVE);
			mpfr_mul(p->x, p->x, x[j], ABOVE);
			mpfr_add(p->z, p->z, p->x, ABOVE);
			mpfr_mul(p->x, p->x, p->th[j], ABOVE);
			mpfr_add(x[j], p->x, p->om[j], ABOVE);
		}
		mpfr_sqr(p->z, p->z, ABOVE);
		mpfr_add(to, to, p->z, ABOVE);
		add_squares(p, to, x, (i + 1 < blocks ? b : n - i * b) - 1);
	}
	for (j = 0; j < d; j++)
		mpfr_clear(x[j]);
}

/* The form is one of counter/internal.h; NULL, or why not. */
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
falls_toeplitz(const struct audit_blt *f)
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

/* H^2 without what is rounded: (D ||c||)^2 l2, or as counter/internal.h and SPACED have it. */
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
		if (!falls_toeplitz(f) || f->pieces > 0)
			return "events that are apart need coefficients that fall";
		if (blocks > MANY)
			return "there are too many events for this";
		comb(p, to, blocks, f->steps);
	} else if (f->pieces > 0) {
		mpfr_init2(one, DP_AUDIT_BITS);
		mpfr_set_zero(to, 1);
		for (i = 0; i < f->pieces; i++) {
			plain(p, one, f->left[i]);
			mpfr_mul_ui(one, one, f->unit[i], ABOVE);
			mpfr_mul_ui(one, one, f->unit[i], ABOVE);
			mpfr_max(to, to, one, ABOVE);
		}
		mpfr_clear(one);
	} else {
		mpfr_init2(cb, DP_AUDIT_BITS);
		plain(p, to, f->steps);
		mpfr_sqrt(cb, to, ABOVE);
		if (f->lag != 0)
			audit_echo_squares(p, to, f->steps, cb);
		mpfr_clear(cb);
	}
	if (f->pieces == 0)
		mpfr_mul_2ui(to, to, 2 * f->bits, ABOVE);
	if (m->fading != 0 && m->fading < square) {
		if (!falls_toeplitz(f) || f->pieces > 0)
			return "moves that fade need coefficients that fall";
		square = m->fading;
	}
	mpfr_mul_ui(to, to, square, ABOVE);
	return NULL;
}

/* Norms of C, and nu: all up. */
struct norms {
	mpfr_t c1, nu, lags, tail;
};

static void
measure_toeplitz(struct poles *p, struct norms *v)
{
	const struct audit_blt *f = p->f;
	mpfr_t cb, echo, late, slow;
	unsigned j;

	mpfr_inits2(DP_AUDIT_BITS, cb, echo, late, slow, (mpfr_ptr)NULL);
	mpfr_set_ui(cb, 1, ABOVE);
	mpfr_set_zero(v->nu, 1);
	mpfr_set_ui(slow, 1, BELOW);
	for (j = 0; j < f->poles; j++) {
		mpfr_ui_sub(p->x, 1, p->th[j], MPFR_RNDN);	/* the gap, exactly */
		mpfr_div(p->y, p->om[j], p->x, ABOVE);
		mpfr_add(cb, cb, p->y, ABOVE);
		mpfr_ui_div(p->y, 2, p->x, ABOVE);
		mpfr_div_2ui(p->y, p->y, 80, ABOVE);
		mpfr_add(v->nu, v->nu, p->y, ABOVE);
		mpfr_log(p->x, p->th[j], ABOVE);
		mpfr_neg(p->x, p->x, BELOW);
		mpfr_min(slow, slow, p->x, BELOW);
	}
	audit_echo_norm(f, echo, late);
	mpfr_mul(v->c1, cb, echo, ABOVE);
	/* an error of u_k is that of u_(k-1) times 1 + A, and half a word, over 1 - B */
	mpfr_set_zero(p->x, 1);
	for (j = 0; f->lag != 0 && j < DP_AUDIT_ECHOES; j++) {
		mpfr_mul_d(p->x, p->x, 1 + (double)f->a[j] * 0x1p-32, ABOVE);
		mpfr_add_d(p->x, p->x, 0x1p-27, ABOVE);
		mpfr_div_d(p->x, p->x, 1 - (double)f->b[j] * 0x1p-32, ABOVE);
	}
	mpfr_mul(p->x, p->x, cb, ABOVE);
	mpfr_add(v->nu, v->nu, p->x, ABOVE);
	mpfr_ui_div(v->lags, PAST, slow, ABOVE);
	mpfr_set_ui(p->x, f->lag, ABOVE);
	mpfr_mul_ui(p->x, p->x, DP_AUDIT_ECHO_PAST, ABOVE);
	mpfr_add(v->lags, v->lags, p->x, ABOVE);
	mpfr_set_si(p->x, -PAST, ABOVE);
	mpfr_exp(p->x, p->x, ABOVE);
	mpfr_mul(v->tail, v->c1, p->x, ABOVE);
	mpfr_mul(p->x, late, cb, ABOVE);
	mpfr_add(v->tail, v->tail, p->x, ABOVE);
	mpfr_clears(cb, echo, late, slow, (mpfr_ptr)NULL);
}

/* M = min(T/4, l1 lags/4 + D l1 tail + 2 nu T) + b T to z; g = D l1 ||c||_1 + 2 nu T to y. */
static void
rounded(struct poles *p, const struct norms *v, const mpfr_t T, const mpfr_t b)
{
	const struct audit_blt *f = p->f;

	mpfr_mul_ui(p->x, v->lags, f->moves.l1, ABOVE);
	mpfr_div_2ui(p->z, p->x, 2, ABOVE);
	mpfr_mul_ui(p->x, v->tail, f->moves.l1, ABOVE);
	mpfr_mul_2ui(p->x, p->x, f->bits, ABOVE);
	mpfr_add(p->z, p->z, p->x, ABOVE);
	mpfr_mul(p->x, v->nu, T, ABOVE);
	mpfr_mul_2ui(p->x, p->x, 1, ABOVE);
	mpfr_add(p->z, p->z, p->x, ABOVE);
	mpfr_mul_ui(p->y, v->c1, f->moves.l1, ABOVE);
	mpfr_mul_2ui(p->y, p->y, f->bits, ABOVE);
	mpfr_add(p->y, p->y, p->x, ABOVE);
	mpfr_div_2ui(p->x, T, 2, ABOVE);
	mpfr_min(p->z, p->z, p->x, ABOVE);
	mpfr_mul(p->x, b, T, ABOVE);
	mpfr_add(p->z, p->z, p->x, ABOVE);
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
	mpfr_set_ui(T, f->steps, ABOVE);
	mpfr_mul_ui(T, T, f->columns, ABOVE);
	mpfr_set_d(b, 1.00010000001 * 0x1p-24, ABOVE);
	mpfr_sqrt(h, square, ABOVE);
	mpfr_sqrt(p->x, T, ABOVE);
	mpfr_mul(p->x, p->x, v->nu, ABOVE);
	mpfr_mul_2ui(p->x, p->x, 1, ABOVE);
	mpfr_add(h, h, p->x, ABOVE);
	mpfr_sqr(square, h, ABOVE);
	if (f->poles > 0) {		/* else nothing is rounded */
		mpfr_set_q(x, delta, BELOW);
		mpfr_log(x, x, BELOW);
		mpfr_set_q(p->x, epsilon, ABOVE);
		mpfr_sub(x, p->x, x, ABOVE);
		mpfr_add_ui(x, x, 17, ABOVE);
		rounded(p, v, T, b);
		mpfr_mul(p->y, p->y, b, ABOVE);
		mpfr_div_2ui(p->x, x, 1, ABOVE);
		mpfr_sqrt(p->x, p->x, ABOVE);
		mpfr_mul(p->x, p->x, h, ABOVE);
		mpfr_mul_2ui(p->x, p->x, 1, ABOVE);
		mpfr_add(p->y, p->y, p->x, ABOVE);
		mpfr_mul_2ui(p->y, p->y, 1, ABOVE);
		mpfr_add(square, square, p->y, ABOVE);
		mpfr_mul_d(p->z, p->z, 1.008000001, ABOVE);
		mpfr_add(square, square, p->z, ABOVE);
		mpfr_mul_ui(x, x, 128, ABOVE);
		mpfr_add(square, square, x, ABOVE);
		mpfr_set_ui(p->x, f->moves.l1, ABOVE);
		mpfr_mul_2ui(p->x, p->x, f->bits + 1, ABOVE);
		mpfr_add(square, square, p->x, ABOVE);
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
		measure_toeplitz(&p, &v);
		whole(&p, &v, epsilon, delta, square);
	}
	mpfr_clears(v.c1, v.nu, v.lags, v.tail, (mpfr_ptr)NULL);
	audit_poles_stop(&p);
	return why;
}

/*
 * The shift of banded Toeplitz noise (lib/counter/internal.h), exactly: the squares of v_t =
 * a_t + a_(t-b) + .., K terms, summed over t < T.
 */

/* to += a_n a_(n + k b) of the columns that begin at steps i b, i + k < K, and have row n. */
static void
add_products(const struct audit_banded *f, mpz_t to, uint64_t K, uint64_t k)
{
	const uint64_t b = f->moves.spacing;
	uint64_t n, columns;
	mpz_t one;

	mpz_init(one);
	for (n = 0; n + k * b < f->n && n + k * b < f->steps; n++) {
		columns = (f->steps - n - 1) / b + 1;
		columns = columns < K ? columns : K;
		if (columns <= k)
			break;
		mpz_set_ui(one, f->a[n]);
		mpz_mul_ui(one, one, f->a[n + k * b]);
		mpz_mul_ui(one, one, columns - k);
		mpz_addmul_ui(to, one, k == 0 ? 1 : 2);
	}
	mpz_clear(one);
}

const char *
audit_banded_square(const struct audit_banded *f, mpq_t square)
{
	const struct audit_moves *m = &f->moves;
	uint64_t K, k;
	unsigned i;

	if (f->n == 0 || f->a[0] != (uint64_t)1 << f->bits)
		return "the first coefficient is not 1";
	for (i = 1; i < f->n; i++)
		if (f->a[i] > f->a[i - 1])
			return "coefficients rise";
	if (m->spacing == 0 || m->times == 0)
		return "events that are no steps apart";
	K = (f->steps - 1) / m->spacing + 1;
	K = m->times < K ? m->times : K;
	mpq_set_ui(square, 0, 1);
	for (k = 0; k < K && k * m->spacing < f->n; k++)
		add_products(f, mpq_numref(square), K, k);
	mpz_mul_ui(mpq_numref(square), mpq_numref(square), m->square);
	return NULL;
}

/*
 * The echo De of a window's noise: its norm, and that of C (lib/counter/blt.c has the
 * recursion), block by block in intervals; what comes after the last block is bounded by its l1
 * norm.
 */

#define BLOCKS		4096
#define SMALL		0x1p-60		/* what may be left of a norm */

/* The echo's coefficients, one after another, and what they come to. */
struct echo {
	const struct audit_blt *f;
	struct interval v[DP_AUDIT_ECHOES], in, out, t;
	struct interval A[DP_AUDIT_ECHOES], B[DP_AUDIT_ECHOES];
};

static struct interval *
nth(struct echo *e, unsigned i)
{
	struct interval *const all[] = { &e->v[0], &e->v[1], &e->in, &e->out, &e->t, &e->A[0],
	    &e->A[1], &e->B[0], &e->B[1] };

	return i < sizeof all / sizeof *all ? all[i] : NULL;
}

static void
echo_start(struct echo *e, const struct audit_blt *f)
{
	unsigned i, k;

	e->f = f;
	for (i = 0; nth(e, i) != NULL; i++)
		interval_init(nth(e, i));
	for (k = 0; k < DP_AUDIT_ECHOES; k++) {
		interval_set(&e->v[k], 0);
		interval_set(&e->A[k], (double)f->a[k] * 0x1p-32);
		interval_set(&e->B[k], (double)f->b[k] * 0x1p-32);
	}
}

static void
echo_stop(struct echo *e)
{
	unsigned i;

	for (i = 0; nth(e, i) != NULL; i++)
		interval_clear(nth(e, i));
}

/* d_m to e->out; m = 0, 1, .. in order */
static void
echo_next(struct echo *e, unsigned m)
{
	unsigned k;

	interval_set(&e->out, m == 0);
	for (k = 0; k < DP_AUDIT_ECHOES; k++) {
		interval_copy(&e->in, &e->out);
		interval_add(&e->out, &e->in, &e->v[k]);
		interval_times(&e->t, &e->A[k], &e->in);
		interval_times(&e->v[k], &e->B[k], &e->out);
		interval_sub(&e->v[k], &e->v[k], &e->t);
	}
}

/*
 * At most the sum of |d_m| over all that are to come.  Of the first stage they are v B^i; of the
 * second, y_1 = y_0 + v and v' = B y_1 - A y_0, so sum |y_1| (1 - B) <= |v| + (1 + A) sum |y_0|.
 */
static void
echo_rest(struct echo *e, mpfr_t to)
{
	mpfr_t x;
	unsigned k;

	mpfr_init2(x, DP_AUDIT_BITS);
	mpfr_set_zero(to, 1);
	for (k = 0; k < DP_AUDIT_ECHOES; k++) {
		mpfr_add_ui(x, e->A[k].hi, 1, ABOVE);
		mpfr_mul(to, to, x, ABOVE);
		interval_size(x, &e->v[k]);
		mpfr_add(to, to, x, ABOVE);
		mpfr_ui_sub(x, 1, e->B[k].hi, BELOW);
		mpfr_div(to, to, x, ABOVE);
	}
	mpfr_clear(x);
}

/* ||De||_1, up, and what of it is after 400 lags; 1 and 0 without an echo. */
static void
audit_echo_norm(const struct audit_blt *f, mpfr_t all, mpfr_t late)
{
	struct echo e;
	unsigned m;

	mpfr_set_ui(all, 1, ABOVE);
	mpfr_set_zero(late, 1);
	if (f->lag == 0)
		return;
	echo_start(&e, f);
	mpfr_set_zero(all, 1);
	for (m = 0; m <= DP_AUDIT_ECHO_PAST; m++) {
		echo_next(&e, m);
		interval_size(late, &e.out);
		mpfr_add(all, all, late, ABOVE);
	}
	echo_rest(&e, late);
	mpfr_add(all, all, late, ABOVE);
	echo_stop(&e);
}

/* One block's sum of squares, with the d that its last step has: form(x) + 2 d last + d^2. */
struct block {
	struct interval S[DP_AUDIT_POLES], x[DP_AUDIT_POLES], whole[DP_AUDIT_POLES];
	struct interval before[DP_AUDIT_POLES];		/* th_j^W, th_j^(W-1) */
	struct interval sum, last, a, b, c;
};

static void
power(mpfr_t th, uint64_t n, struct interval *to)
{
	mpfr_pow_ui(to->lo, th, n, BELOW);
	mpfr_pow_ui(to->hi, th, n, ABOVE);
}

static void
block_start(struct block *k, struct poles *p)
{
	struct interval *const room[] = { &k->sum, &k->last, &k->a, &k->b, &k->c };
	unsigned j;

	for (j = 0; j < sizeof room / sizeof *room; j++)
		interval_init(room[j]);
	for (j = 0; j < p->f->poles; j++) {
		interval_init(&k->S[j]);
		interval_init(&k->x[j]);
		interval_init(&k->whole[j]);
		interval_init(&k->before[j]);
		interval_set(&k->S[j], 0);
		power(p->th[j], p->f->lag, &k->whole[j]);
		power(p->th[j], p->f->lag - 1, &k->before[j]);
	}
	interval_set(&k->sum, 1);
}

static void
block_stop(struct block *k, const struct poles *p)
{
	struct interval *const room[] = { &k->sum, &k->last, &k->a, &k->b, &k->c };
	unsigned j;

	for (j = 0; j < sizeof room / sizeof *room; j++)
		interval_clear(room[j]);
	for (j = 0; j < p->f->poles; j++) {
		interval_clear(&k->S[j]);
		interval_clear(&k->x[j]);
		interval_clear(&k->whole[j]);
		interval_clear(&k->before[j]);
	}
}

/* The S_j of the block, x_j = om_j S_j, and the last of its own terms. */
static void
block_next(struct block *k, struct poles *p, const struct interval *d)
{
	unsigned j;

	interval_set(&k->last, 0);
	for (j = 0; j < p->f->poles; j++) {
		interval_times(&k->a, &k->S[j], &k->whole[j]);
		interval_add(&k->S[j], &k->a, d);
		mpfr_set(k->a.lo, p->om[j], BELOW);
		mpfr_set(k->a.hi, p->om[j], ABOVE);
		interval_times(&k->x[j], &k->a, &k->S[j]);
		interval_times(&k->a, &k->x[j], &k->before[j]);
		interval_add(&k->last, &k->last, &k->a);
	}
}

/* sum += form(x) + d (2 last + d) */
static void
block_add(struct block *k, struct poles *p, const struct interval *d)
{
	unsigned i, j;

	for (i = 0; i < p->f->poles; i++)
		for (j = 0; j <= i; j++) {
			audit_poles_sum(p, p->y, i, j, p->f->lag, BELOW);
			mpfr_set(k->a.lo, p->y, BELOW);
			audit_poles_sum(p, p->y, i, j, p->f->lag, ABOVE);
			mpfr_set(k->a.hi, p->y, ABOVE);
			interval_times(&k->b, &k->x[i], &k->x[j]);
			interval_times(&k->c, &k->b, &k->a);
			interval_add(&k->sum, &k->sum, &k->c);
			if (i != j)
				interval_add(&k->sum, &k->sum, &k->c);
		}
	interval_add(&k->a, &k->last, &k->last);
	interval_add(&k->a, &k->a, d);
	interval_times(&k->b, &k->a, d);
	interval_add(&k->sum, &k->sum, &k->b);
}

/*
 * A bound on the norm of what comes after the block: of the S_j as they fade, and of the d to come,
 * that of this block's last step among them.
 */
static void
block_rest(struct block *k, struct poles *p, struct echo *e, const mpfr_t cb, mpfr_t to)
{
	unsigned j;

	echo_rest(e, to);
	interval_size(p->x, &e->out);
	mpfr_add(to, to, p->x, ABOVE);
	mpfr_mul(to, to, cb, ABOVE);
	for (j = 0; j < p->f->poles; j++) {
		interval_size(p->x, &k->x[j]);
		mpfr_mul(p->x, p->x, k->whole[j].hi, ABOVE);
		mpfr_sqr(p->y, p->th[j], MPFR_RNDN);		/* exactly */
		mpfr_ui_sub(p->y, 1, p->y, MPFR_RNDN);
		mpfr_sqrt(p->y, p->y, BELOW);
		mpfr_div(p->x, p->x, p->y, ABOVE);
		mpfr_add(to, to, p->x, ABOVE);
	}
}

/* to = ||c||_n^2, up, with an echo; c0: ||c_b||_2, up */
static void
audit_echo_squares(struct poles *p, mpfr_t to, uint64_t n, const mpfr_t cb)
{
	const uint64_t W = p->f->lag, blocks = (n - 1) / W + ((n - 1) % W != 0);
	struct echo e;
	struct block k;
	mpfr_t rest;
	unsigned m;

	echo_start(&e, p->f);
	block_start(&k, p);
	mpfr_init2(rest, DP_AUDIT_BITS);
	mpfr_set_zero(rest, 1);
	echo_next(&e, 0);
	/* block m has the terms m W + 1 .. (m + 1) W */
	for (m = 0; m < BLOCKS && m < blocks; m++) {
		block_next(&k, p, &e.out);
		echo_next(&e, m + 1);
		block_add(&k, p, &e.out);
		block_rest(&k, p, &e, cb, rest);
		if (mpfr_cmp_d(rest, SMALL) < 0)
			break;
	}
	/* all blocks were passed: nothing is left */
	if (m == blocks)
		mpfr_set_zero(rest, 1);
	mpfr_sqrt(to, k.sum.hi, ABOVE);
	mpfr_add(to, to, rest, ABOVE);
	mpfr_sqr(to, to, ABOVE);
	mpfr_clear(rest);
	block_stop(&k, p);
	echo_stop(&e);
}

/*
 * How often the noise of a running count may be at a height, of buffered linear Toeplitz
 * noise: the sum over t of P(N_t >= x), N_t the sum of w_j / N_j over j <= t, w = C^-1 z, a draw z
 * of each step (lib/stat/top.c has the statement, and what rounding adds).
 *
 * The variance of N_t is that of a draw times the sum over i of (sum over j = i .. t of u_(j - i) /
 * N_j)^2, u the coefficients of 1 / C.  They are found one after another, to the nearest; then how
 * far off they are: where v is what was found and C v = 1 + r, u - v = -u r, and so in norms of l1
 *	|u - v| <= |v| |r| / (1 - |r|).
 * All else is rounded outward.  Draws are whole numbers, and from a sampler: of T steps a factor
 * e^(T / (24 variance)) (the lemma of lib/stat/top.c), and T^2 2^-96.
 */

#define BITS	128

struct rise {
	const struct audit_blt *f;
	mpfr_t *v;
	struct interval *c;
	struct interval *sum;		/* of v, for each draw, up to now */
	mpfr_t x, y, off, variance;	/* off: |u - v|, over the smallest unit */
	struct interval at;
};

/* c_k = sum of om th^(k - 1), v_k = - (c_1 v_(k-1) + .. + c_k) */
static void
coefficients(struct rise *q, struct poles *p)
{
	uint64_t k, j;
	unsigned i;

	mpfr_set_ui(q->v[0], 1, MPFR_RNDN);
	interval_set(&q->c[0], 1);
	for (k = 1; k < q->f->steps; k++) {
		interval_set(&q->c[k], 0);
		for (i = 0; i < q->f->poles; i++) {
			mpfr_pow_ui(q->x, p->th[i], k - 1, BELOW);
			mpfr_mul(q->x, q->x, p->om[i], BELOW);
			mpfr_add(q->c[k].lo, q->c[k].lo, q->x, BELOW);
			mpfr_pow_ui(q->x, p->th[i], k - 1, ABOVE);
			mpfr_mul(q->x, q->x, p->om[i], ABOVE);
			mpfr_add(q->c[k].hi, q->c[k].hi, q->x, ABOVE);
		}
		mpfr_set_zero(q->v[k], 1);
		for (j = 1; j <= k; j++) {
			mpfr_mul(q->x, q->c[j].lo, q->v[k - j], MPFR_RNDN);
			mpfr_sub(q->v[k], q->v[k], q->x, MPFR_RNDN);
		}
	}
}

/* at += c y, y of any sign */
static void
gather_rise(struct rise *q, const struct interval *c, mpfr_srcptr y)
{
	const bool less = mpfr_sgn(y) < 0;

	mpfr_mul(q->x, less ? c->hi : c->lo, y, BELOW);
	mpfr_add(q->at.lo, q->at.lo, q->x, BELOW);
	mpfr_mul(q->x, less ? c->lo : c->hi, y, ABOVE);
	mpfr_add(q->at.hi, q->at.hi, q->x, ABOVE);
}

/* off = |v| |r| / (1 - |r|); false: |r| is 1, or more. */
static bool
how_far_off(struct rise *q)
{
	uint64_t k, j;
	bool near;

	mpfr_set_zero(q->off, 1);		/* |r|; y: |v| */
	mpfr_set_ui(q->y, 1, ABOVE);
	for (k = 1; k < q->f->steps; k++) {
		interval_set(&q->at, 0);
		for (j = 0; j <= k; j++)
			gather_rise(q, &q->c[j], q->v[k - j]);
		interval_size(q->x, &q->at);
		mpfr_add(q->off, q->off, q->x, ABOVE);
		mpfr_abs(q->x, q->v[k], ABOVE);
		mpfr_add(q->y, q->y, q->x, ABOVE);
	}
	near = mpfr_cmp_ui(q->off, 1) < 0;
	mpfr_ui_sub(q->x, 1, q->off, BELOW);
	mpfr_mul(q->off, q->off, q->y, ABOVE);
	if (near)
		mpfr_div(q->off, q->off, q->x, ABOVE);
	return near;
}

/* N of step t */
static uint64_t
unit_at(const struct audit_blt *f, uint64_t t)
{
	unsigned i = 0;

	if (f->pieces == 0)
		return (uint64_t)1 << f->bits;
	while (i + 1 < f->pieces && f->left[i + 1] >= f->steps - t + 1)
		i++;
	return f->unit[i];
}

/* The variance of N_t, of draws of variance 1, from that of t - 1. */
static void
step(struct rise *q, uint64_t t)
{
	const uint64_t unit = unit_at(q->f, t);
	struct interval *s;
	uint64_t i;

	mpfr_set_zero(q->variance, 1);
	for (i = 1; i <= t; i++) {
		s = &q->sum[i - 1];
		mpfr_div_ui(q->x, q->v[t - i], unit, BELOW);
		mpfr_add(s->lo, s->lo, q->x, BELOW);
		mpfr_div_ui(q->x, q->v[t - i], unit, ABOVE);
		mpfr_add(s->hi, s->hi, q->x, ABOVE);
		interval_size(q->x, s);
		mpfr_add(q->x, q->x, q->off, ABOVE);
		mpfr_sqr(q->x, q->x, ABOVE);
		mpfr_add(q->variance, q->variance, q->x, ABOVE);
	}
}

/* to += P(N_t >= height), up: erfc(x / sqrt(2 variance)) / 2, x = height - 1/2 - 8 T 2^-s */
static void
add_tail_rise(struct rise *q, uint64_t height, const mpfr_t draw, mpfr_t to)
{
	mpfr_mul(q->y, q->variance, draw, ABOVE);
	mpfr_mul_2ui(q->y, q->y, 1, ABOVE);
	mpfr_sqrt(q->y, q->y, ABOVE);
	mpfr_set_ui_2exp(q->x, q->f->steps, 3 - (long)q->f->bits, ABOVE);
	mpfr_add_d(q->x, q->x, 0.5, ABOVE);
	mpfr_ui_sub(q->x, height, q->x, BELOW);
	if (mpfr_sgn(q->x) > 0) {
		mpfr_div(q->y, q->x, q->y, BELOW);
		mpfr_erfc(q->y, q->y, ABOVE);
		mpfr_div_2ui(q->y, q->y, 1, ABOVE);
	} else
		mpfr_set_ui(q->y, 1, ABOVE);
	mpfr_add(to, to, q->y, ABOVE);
}

/* From normal draws to those that are drawn. */
static void
as_drawn(struct rise *q, const mpq_t variance, mpfr_t to)
{
	const uint64_t T = q->f->steps;

	mpfr_set_q(q->x, variance, BELOW);
	mpfr_mul_ui(q->x, q->x, 24, BELOW);
	mpfr_ui_div(q->x, T, q->x, ABOVE);
	mpfr_exp(q->x, q->x, ABOVE);
	mpfr_mul(to, to, q->x, ABOVE);
	mpfr_set_ui_2exp(q->x, T * T, -96, ABOVE);
	mpfr_add(to, to, q->x, ABOVE);
}

static bool
start_rise(struct rise *q, const struct audit_blt *f)
{
	const size_t n = f->steps;
	size_t i;

	*q = (struct rise){ .f = f, .v = calloc(n, sizeof *q->v),
	    .c = calloc(2 * n, sizeof *q->c) };
	if (q->v == NULL || q->c == NULL)
		return false;
	q->sum = q->c + n;
	for (i = 0; i < n; i++)
		mpfr_init2(q->v[i], BITS);
	for (i = 0; i < 2 * n; i++) {
		mpfr_inits2(BITS, q->c[i].lo, q->c[i].hi, (mpfr_ptr)NULL);
		interval_set(&q->c[i], 0);
	}
	mpfr_inits2(BITS, q->x, q->y, q->off, q->variance, q->at.lo, q->at.hi, (mpfr_ptr)NULL);
	return true;
}

static void
stop_rise(struct rise *q)
{
	const size_t n = q->f->steps;
	size_t i;

	for (i = 0; i < n && q->sum != NULL; i++) {
		mpfr_clear(q->v[i]);
		interval_clear(&q->c[i]);
		interval_clear(&q->sum[i]);
	}
	if (q->sum != NULL)
		mpfr_clears(q->x, q->y, q->off, q->variance, q->at.lo, q->at.hi, (mpfr_ptr)NULL);
	free(q->v);
	free(q->c);
}

static const char *
sum_up_rise(struct rise *q, const mpq_t variance, const uint64_t *height, mpfr_t *to)
{
	uint64_t t, least = UINT64_MAX;
	struct poles p;
	mpfr_t draw;

	audit_poles_start(&p, q->f);
	coefficients(q, &p);
	audit_poles_stop(&p);
	if (!how_far_off(q))
		return "its coefficients cannot be inverted";
	for (t = 1; t <= q->f->steps; t++)
		least = unit_at(q->f, t) < least ? unit_at(q->f, t) : least;
	mpfr_div_ui(q->off, q->off, least, ABOVE);
	mpfr_init2(draw, BITS);
	mpfr_set_q(draw, variance, ABOVE);
	mpfr_set_zero(to[0], 1);
	mpfr_set_zero(to[1], 1);
	for (t = 1; t <= q->f->steps; t++) {
		step(q, t);
		add_tail_rise(q, height[0], draw, to[0]);
		add_tail_rise(q, height[1], draw, to[1]);
	}
	as_drawn(q, variance, to[0]);
	as_drawn(q, variance, to[1]);
	mpfr_clear(draw);
	return NULL;
}

const char *
audit_blt_rise(const struct audit_blt *f, const mpq_t variance, const uint64_t height[2],
    mpfr_t to[2])
{
	const char *why = "there is no memory";
	struct rise q;

	if (f->lag != 0 || f->steps > DP_AUDIT_RISE)
		return "noise of a window, or of too many steps";
	if (start_rise(&q, f))
		why = sum_up_rise(&q, variance, height, to);
	stop_rise(&q);
	return why;
}
