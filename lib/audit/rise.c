/*
 * rise.c - how often the noise of a running count may be at a height, of buffered linear Toeplitz
 * noise: the sum over t of P(N_t >= x), N_t the sum of w_j / N_j over j <= t, w = C^-1 z, a draw z
 * of each step (lib/stat/top_gauss.c has the statement, and what rounding adds).
 *
 * The variance of N_t is that of a draw times the sum over i of (sum over j = i .. t of u_(j - i) /
 * N_j)^2, u the coefficients of 1 / C.  They are found one after another, to the nearest; then how
 * far off they are: where v is what was found and C v = 1 + r, u - v = -u r, and so in norms of l1
 *	|u - v| <= |v| |r| / (1 - |r|).
 * All else is rounded outward.  Draws are whole numbers, and from a sampler: of T steps a factor
 * e^(T / (24 variance)) (the lemma of lib/stat/top_gauss.c), and T^2 2^-96.
 */
#include <stdlib.h>

#include "interval.h"
#include "poles.h"

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
			mpfr_pow_ui(q->x, p->th[i], k - 1, DOWN);
			mpfr_mul(q->x, q->x, p->om[i], DOWN);
			mpfr_add(q->c[k].lo, q->c[k].lo, q->x, DOWN);
			mpfr_pow_ui(q->x, p->th[i], k - 1, UP);
			mpfr_mul(q->x, q->x, p->om[i], UP);
			mpfr_add(q->c[k].hi, q->c[k].hi, q->x, UP);
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
gather(struct rise *q, const struct interval *c, mpfr_srcptr y)
{
	const bool less = mpfr_sgn(y) < 0;

	mpfr_mul(q->x, less ? c->hi : c->lo, y, DOWN);
	mpfr_add(q->at.lo, q->at.lo, q->x, DOWN);
	mpfr_mul(q->x, less ? c->lo : c->hi, y, UP);
	mpfr_add(q->at.hi, q->at.hi, q->x, UP);
}

/* off = |v| |r| / (1 - |r|); false: |r| is 1, or more. */
static bool
how_far_off(struct rise *q)
{
	uint64_t k, j;
	bool near;

	mpfr_set_zero(q->off, 1);		/* |r|; y: |v| */
	mpfr_set_ui(q->y, 1, UP);
	for (k = 1; k < q->f->steps; k++) {
		interval_set(&q->at, 0);
		for (j = 0; j <= k; j++)
			gather(q, &q->c[j], q->v[k - j]);
		interval_size(q->x, &q->at);
		mpfr_add(q->off, q->off, q->x, UP);
		mpfr_abs(q->x, q->v[k], UP);
		mpfr_add(q->y, q->y, q->x, UP);
	}
	near = mpfr_cmp_ui(q->off, 1) < 0;
	mpfr_ui_sub(q->x, 1, q->off, DOWN);
	mpfr_mul(q->off, q->off, q->y, UP);
	if (near)
		mpfr_div(q->off, q->off, q->x, UP);
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
		mpfr_div_ui(q->x, q->v[t - i], unit, DOWN);
		mpfr_add(s->lo, s->lo, q->x, DOWN);
		mpfr_div_ui(q->x, q->v[t - i], unit, UP);
		mpfr_add(s->hi, s->hi, q->x, UP);
		interval_size(q->x, s);
		mpfr_add(q->x, q->x, q->off, UP);
		mpfr_sqr(q->x, q->x, UP);
		mpfr_add(q->variance, q->variance, q->x, UP);
	}
}

/* to += P(N_t >= height), up: erfc(x / sqrt(2 variance)) / 2, x = height - 1/2 - 8 T 2^-s */
static void
add_tail(struct rise *q, uint64_t height, const mpfr_t draw, mpfr_t to)
{
	mpfr_mul(q->y, q->variance, draw, UP);
	mpfr_mul_2ui(q->y, q->y, 1, UP);
	mpfr_sqrt(q->y, q->y, UP);
	mpfr_set_ui_2exp(q->x, q->f->steps, 3 - (long)q->f->bits, UP);
	mpfr_add_d(q->x, q->x, 0.5, UP);
	mpfr_ui_sub(q->x, height, q->x, DOWN);
	if (mpfr_sgn(q->x) > 0) {
		mpfr_div(q->y, q->x, q->y, DOWN);
		mpfr_erfc(q->y, q->y, UP);
		mpfr_div_2ui(q->y, q->y, 1, UP);
	} else
		mpfr_set_ui(q->y, 1, UP);
	mpfr_add(to, to, q->y, UP);
}

/* From normal draws to those that are drawn. */
static void
as_drawn(struct rise *q, const mpq_t variance, mpfr_t to)
{
	const uint64_t T = q->f->steps;

	mpfr_set_q(q->x, variance, DOWN);
	mpfr_mul_ui(q->x, q->x, 24, DOWN);
	mpfr_ui_div(q->x, T, q->x, UP);
	mpfr_exp(q->x, q->x, UP);
	mpfr_mul(to, to, q->x, UP);
	mpfr_set_ui_2exp(q->x, T * T, -96, UP);
	mpfr_add(to, to, q->x, UP);
}

static bool
start(struct rise *q, const struct audit_blt *f)
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
stop(struct rise *q)
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
sum_up(struct rise *q, const mpq_t variance, const uint64_t *height, mpfr_t *to)
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
	mpfr_div_ui(q->off, q->off, least, UP);
	mpfr_init2(draw, BITS);
	mpfr_set_q(draw, variance, UP);
	mpfr_set_zero(to[0], 1);
	mpfr_set_zero(to[1], 1);
	for (t = 1; t <= q->f->steps; t++) {
		step(q, t);
		add_tail(q, height[0], draw, to[0]);
		add_tail(q, height[1], draw, to[1]);
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
	if (start(&q, f))
		why = sum_up(&q, variance, height, to);
	stop(&q);
	return why;
}
