/*
 * rise.c - how often the noise of a running count may be at a height, of buffered linear Toeplitz
 * noise: the sum over t of P(N_t >= x), N_t the sum of w_j / N_j over j <= t, w = C^-1 z, a draw z
 * of each step (lib/stat/top_gauss.c has the statement, and what rounding adds).
 *
 * The variance of N_t is that of a draw times the sum over i of (sum over j = i .. t of u_(j - i) /
 * N_j)^2, u the coefficients of 1 / C: found one after another, in numbers of 256 bits, whose
 * rounding is nothing beside the 10^-6 that are added to each variance and each probability.
 */
#include <stdlib.h>

#include "poles.h"

#define WIDER	1.000001

struct rise {
	const struct audit_blt *f;
	mpfr_t *u, *c;			/* of 1 / C and of C */
	mpfr_t *sum;			/* of each draw, up to now */
	mpfr_t x, y, variance;
};

/* c_k = sum of om th^(k - 1), u_k = - (c_1 u_(k-1) + .. + c_k) */
static void
coefficients(struct rise *q, struct poles *p)
{
	uint64_t k, j;
	unsigned i;

	mpfr_set_ui(q->u[0], 1, MPFR_RNDN);
	mpfr_set_ui(q->c[0], 1, MPFR_RNDN);
	for (k = 1; k < q->f->steps; k++) {
		mpfr_set_zero(q->c[k], 1);
		for (i = 0; i < q->f->poles; i++) {
			mpfr_pow_ui(q->x, p->th[i], k - 1, MPFR_RNDN);
			mpfr_mul(q->x, q->x, p->om[i], MPFR_RNDN);
			mpfr_add(q->c[k], q->c[k], q->x, MPFR_RNDN);
		}
		mpfr_set_zero(q->u[k], 1);
		for (j = 1; j <= k; j++) {
			mpfr_mul(q->x, q->c[j], q->u[k - j], MPFR_RNDN);
			mpfr_sub(q->u[k], q->u[k], q->x, MPFR_RNDN);
		}
	}
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
	uint64_t i;

	mpfr_set_zero(q->variance, 1);
	for (i = 1; i <= t; i++) {
		mpfr_div_ui(q->x, q->u[t - i], unit, MPFR_RNDN);
		mpfr_add(q->sum[i - 1], q->sum[i - 1], q->x, MPFR_RNDN);
		mpfr_sqr(q->x, q->sum[i - 1], MPFR_RNDN);
		mpfr_add(q->variance, q->variance, q->x, MPFR_RNDU);
	}
}

/* to += erfc(x / sqrt(2 variance)) / 2, up */
static void
add_tail(struct rise *q, const mpfr_t x, const mpfr_t draw, mpfr_t to)
{
	mpfr_mul(q->y, q->variance, draw, MPFR_RNDU);
	mpfr_mul_d(q->y, q->y, 2 * WIDER, MPFR_RNDU);
	mpfr_sqrt(q->y, q->y, MPFR_RNDU);
	mpfr_div(q->y, x, q->y, MPFR_RNDD);
	mpfr_erfc(q->y, q->y, MPFR_RNDU);
	mpfr_mul_d(q->y, q->y, WIDER / 2, MPFR_RNDU);
	mpfr_add(to, to, q->y, MPFR_RNDU);
}

const char *
audit_blt_rise(const struct audit_blt *f, const mpq_t variance, uint64_t height, mpfr_t to)
{
	struct rise q = { .f = f };
	const size_t n = f->steps;
	mpfr_t *room, x, draw;
	struct poles p;
	uint64_t t;
	size_t i;

	if (f->lag != 0 || f->steps > DP_AUDIT_RISE)
		return "noise of a window, or of too many steps";
	if ((room = calloc(3 * n, sizeof *room)) == NULL)
		return "there is no memory";
	for (i = 0; i < 3 * n; i++) {
		mpfr_init2(room[i], DP_AUDIT_BITS);
		mpfr_set_zero(room[i], 1);
	}
	mpfr_inits2(DP_AUDIT_BITS, q.x, q.y, q.variance, x, draw, (mpfr_ptr)NULL);
	q.u = room;
	q.c = room + n;
	q.sum = room + 2 * n;
	audit_poles_start(&p, f);
	coefficients(&q, &p);
	audit_poles_stop(&p);
	/* x = height - 1/2 - 8 T 2^-s */
	mpfr_set_ui_2exp(x, f->steps, 3 - (long)f->bits, MPFR_RNDU);
	mpfr_add_d(x, x, 0.5, MPFR_RNDU);
	mpfr_ui_sub(x, height, x, MPFR_RNDD);
	mpfr_set_q(draw, variance, MPFR_RNDU);
	mpfr_set_zero(to, 1);
	for (t = 1; t <= f->steps; t++) {
		step(&q, t);
		add_tail(&q, x, draw, to);
	}
	for (i = 0; i < 3 * n; i++)
		mpfr_clear(room[i]);
	free(room);
	mpfr_clears(q.x, q.y, q.variance, x, draw, (mpfr_ptr)NULL);
	return NULL;
}
