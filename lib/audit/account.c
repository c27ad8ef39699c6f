/* SPDX-License-Identifier: ISC */
/* account.c - from what is concentrated to a delta, rounded up. */
#include <stdlib.h>

#include "internal.h"

#define SAMPLER	97		/* a draw of noise misses its law by 2^-97 at most */
#define ASIDE	20
#define ORDERS	60		/* of (1): powers of two that are looked at */

void
audit_account_init(struct audit_account *a)
{
	mpq_inits(a->loss, a->missed, a->rho, a->variance, a->square, a->range, (mpq_ptr)NULL);
	mpz_init(a->draws);
	a->choices = a->gaussian = a->others = 0;
}

void
audit_account_clear(struct audit_account *a)
{
	mpq_clears(a->loss, a->missed, a->rho, a->variance, a->square, a->range, (mpq_ptr)NULL);
	mpz_clear(a->draws);
}

void
audit_account_gauss(struct audit_account *a, const mpq_t variance, const mpq_t square,
    const mpz_t draws)
{
	mpq_t rho;

	mpq_init(rho);
	mpq_div(rho, square, variance);
	mpq_div_2exp(rho, rho, 1);
	mpq_add(a->rho, a->rho, rho);
	mpq_clear(rho);
	mpq_set(a->variance, variance);
	mpq_set(a->square, square);
	mpz_add(a->draws, a->draws, draws);
	a->gaussian++;
}

void
audit_account_squares(struct audit_account *a, uint64_t n, const mpq_t e, unsigned long d)
{
	mpq_t rho, times;

	mpq_inits(rho, times, (mpq_ptr)NULL);
	mpz_set_ui(mpq_numref(times), n);
	mpz_set_ui(mpq_denref(times), d);
	mpq_canonicalize(times);
	mpq_mul(rho, e, e);
	mpq_mul(rho, rho, times);
	mpq_add(a->rho, a->rho, rho);
	mpq_clears(rho, times, (mpq_ptr)NULL);
	a->others++;
}

void
audit_account_choices(struct audit_account *a, uint64_t n, const mpq_t c)
{
	audit_account_squares(a, n, c, 8);
	mpq_set(a->range, c);
	a->choices = n;
}

/* log of (1) at order a, rounded up */
static void
at_order(mpfr_t to, const mpfr_t rho, const mpfr_t eps, const mpfr_t a)
{
	mpfr_t less, x;

	mpfr_inits2(DP_AUDIT_BITS, less, x, (mpfr_ptr)NULL);
	mpfr_sub_ui(less, a, 1, MPFR_RNDN);		/* exactly: a is a whole number */
	mpfr_mul(to, a, rho, MPFR_RNDU);
	mpfr_sub(to, to, eps, MPFR_RNDU);
	mpfr_mul(to, to, less, MPFR_RNDU);
	mpfr_log(x, less, MPFR_RNDD);
	mpfr_sub(to, to, x, MPFR_RNDU);
	mpfr_div(x, less, a, MPFR_RNDU);
	mpfr_log(x, x, MPFR_RNDU);
	mpfr_mul(x, x, a, MPFR_RNDU);
	mpfr_add(to, to, x, MPFR_RNDU);
	mpfr_clears(less, x, (mpfr_ptr)NULL);
}

/* Takes order a where it is better than the best so far. */
static void
try_order(mpfr_t best, mpfr_t at, const mpfr_t rho, const mpfr_t eps, const mpfr_t a)
{
	mpfr_t one;

	if (mpfr_cmp_ui(a, 2) < 0)
		return;
	mpfr_init2(one, DP_AUDIT_BITS);
	at_order(one, rho, eps, a);
	if (mpfr_less_p(one, best)) {
		mpfr_set(best, one, MPFR_RNDU);
		mpfr_set(at, a, MPFR_RNDN);
	}
	mpfr_clear(one);
}

/* (1): the best power of two, then what is ever nearer to the best. */
static void
concentrated(mpfr_t to, const mpfr_t rho, const mpfr_t eps)
{
	mpfr_t a, at, step;
	unsigned i;

	mpfr_inits2(DP_AUDIT_BITS, a, at, step, (mpfr_ptr)NULL);
	mpfr_set_inf(to, 1);
	for (i = 1; i < ORDERS; i++) {
		mpfr_set_ui_2exp(a, 1, i, MPFR_RNDN);
		try_order(to, at, rho, eps, a);
	}
	for (mpfr_div_2ui(step, at, 1, MPFR_RNDN); mpfr_cmp_ui(step, 1) >= 0;
	    mpfr_div_2ui(step, step, 1, MPFR_RNDN)) {
		mpfr_set(a, at, MPFR_RNDN);
		mpfr_add(a, a, step, MPFR_RNDN);
		try_order(to, at, rho, eps, a);
		mpfr_sub(a, at, step, MPFR_RNDN);
		try_order(to, at, rho, eps, a);
	}
	mpfr_exp(to, to, MPFR_RNDU);
	mpfr_clears(a, at, step, (mpfr_ptr)NULL);
}

/* Phi(-x), rounded that way; erfc falls, so its argument is rounded the other way. */
static void
above_account(mpfr_t to, const mpfr_t x, mpfr_rnd_t way)
{
	const mpfr_rnd_t other = way == MPFR_RNDU ? MPFR_RNDD : MPFR_RNDU;
	mpfr_t root;

	mpfr_init2(root, DP_AUDIT_BITS);
	mpfr_sqrt_ui(root, 2, mpfr_sgn(x) < 0 ? other : way);
	mpfr_div(root, x, root, other);
	mpfr_erfc(to, root, way);
	mpfr_div_2ui(to, to, 1, way);
	mpfr_clear(root);
}

/* Phi(mu/2 - t/mu) - e^t Phi(-mu/2 - t/mu), up; mu is rounded up, t down. */
static void
gaussian(mpfr_t to, const mpfr_t mu, const mpfr_t t)
{
	mpfr_t x, half, less;

	mpfr_inits2(DP_AUDIT_BITS, x, half, less, (mpfr_ptr)NULL);
	mpfr_div_2ui(half, mu, 1, MPFR_RNDN);		/* exactly */
	mpfr_div(x, t, mu, MPFR_RNDU);
	mpfr_add(x, x, half, MPFR_RNDU);
	above_account(less, x, MPFR_RNDD);
	mpfr_exp(x, t, MPFR_RNDD);
	mpfr_mul(less, less, x, MPFR_RNDD);
	mpfr_div(x, t, mu, MPFR_RNDD);
	mpfr_sub(x, x, half, MPFR_RNDD);
	above_account(to, x, MPFR_RNDU);
	mpfr_sub(to, to, less, MPFR_RNDU);
	mpfr_clears(x, half, less, (mpfr_ptr)NULL);
}

/* (2), without what samplers miss; infinite: it says nothing. */
static void
analytic(const struct audit_account *a, const mpfr_t eps, const mpfr_t delta, mpfr_t to)
{
	mpfr_t each, x, t, mu, one;
	mpq_t q;

	mpfr_set_inf(to, 1);
	if (mpq_cmp_ui(a->variance, 1024, 1) < 0)	/* sigma >= 32 */
		return;
	mpfr_inits2(DP_AUDIT_BITS, each, x, t, mu, one, (mpfr_ptr)NULL);
	mpq_init(q);
	mpq_inv(q, a->variance);
	mpfr_set_q(each, q, MPFR_RNDU);
	mpfr_div_ui(each, each, 24, MPFR_RNDU);
	/* x = eps - log delta + 20; t = eps - a (2.08 m + 103 x) */
	mpfr_log(x, delta, MPFR_RNDD);
	mpfr_sub(x, eps, x, MPFR_RNDU);
	mpfr_add_ui(x, x, 20, MPFR_RNDU);
	mpfr_mul_ui(t, x, 103, MPFR_RNDU);
	mpfr_set_z(one, a->draws, MPFR_RNDU);
	mpfr_mul_ui(one, one, 208, MPFR_RNDU);
	mpfr_div_ui(one, one, 100, MPFR_RNDU);
	mpfr_add(t, t, one, MPFR_RNDU);
	mpfr_mul(t, t, each, MPFR_RNDU);
	mpfr_sub(t, eps, t, MPFR_RNDD);
	if (mpfr_sgn(t) > 0) {
		mpq_mul(q, a->square, q);
		mpfr_set_q(mu, q, MPFR_RNDU);
		mpfr_sqrt(mu, mu, MPFR_RNDU);
		gaussian(to, mu, t);
		mpfr_sub(x, t, x, MPFR_RNDU);
		mpfr_exp(x, x, MPFR_RNDU);
		mpfr_add(to, to, x, MPFR_RNDU);
		mpfr_mul_z(each, each, a->draws, MPFR_RNDU);
		mpfr_exp(each, each, MPFR_RNDU);
		mpfr_mul(to, to, each, MPFR_RNDU);
		mpfr_div_2ui(x, delta, ASIDE, MPFR_RNDU);
		mpfr_add(to, to, x, MPFR_RNDU);
	}
	mpq_clear(q);
	mpfr_clears(each, x, t, mu, one, (mpfr_ptr)NULL);
}

/* Cuts epsilon to log(delta 2^96 / m), and sets what samplers miss; false: nothing is left. */
static bool
sampled(const struct audit_account *a, mpfr_t eps, const mpfr_t delta, mpfr_t missed)
{
	mpfr_t most;
	bool left;

	mpfr_set_zero(missed, 1);
	if (mpz_sgn(a->draws) == 0)
		return mpfr_sgn(eps) > 0;
	mpfr_init2(most, DP_AUDIT_BITS);
	mpfr_mul_2ui(most, delta, SAMPLER - 1, MPFR_RNDD);
	mpfr_set_z(missed, a->draws, MPFR_RNDU);
	mpfr_div(most, most, missed, MPFR_RNDD);
	mpfr_log(most, most, MPFR_RNDD);
	mpfr_min(eps, eps, most, MPFR_RNDD);
	left = mpfr_sgn(eps) > 0;
	mpfr_exp(most, eps, MPFR_RNDU);
	mpfr_add_ui(most, most, 1, MPFR_RNDU);
	mpfr_mul(missed, missed, most, MPFR_RNDU);
	mpfr_div_2ui(missed, missed, SAMPLER, MPFR_RNDU);
	mpfr_clear(most);
	return left;
}

void
audit_account_delta(const struct audit_account *a, const mpq_t epsilon, const mpq_t claimed,
    mpfr_t to)
{
	mpfr_t eps, delta, missed, other, rho;

	mpfr_set_zero(to, 1);
	if (a->gaussian + a->others == 0)
		return;
	mpfr_set_inf(to, 1);
	if (mpq_sgn(epsilon) <= 0 || mpq_sgn(claimed) <= 0)
		return;
	mpfr_inits2(DP_AUDIT_BITS, eps, delta, missed, other, rho, (mpfr_ptr)NULL);
	mpfr_set_q(eps, epsilon, MPFR_RNDD);
	mpfr_set_q(delta, claimed, MPFR_RNDD);
	mpfr_div_2ui(missed, delta, ASIDE, MPFR_RNDU);
	mpfr_sub(delta, delta, missed, MPFR_RNDD);
	mpfr_set_q(rho, a->rho, MPFR_RNDU);
	if (sampled(a, eps, delta, missed)) {
		concentrated(to, rho, eps);
		if (a->gaussian == 1 && a->others == 0) {
			analytic(a, eps, delta, other);
			mpfr_min(to, to, other, MPFR_RNDU);
		}
		mpfr_add(to, to, missed, MPFR_RNDU);
	}
	if (a->choices > 0 && a->gaussian == 0 && a->others == 1 && mpfr_cmp_q(to, claimed) > 0) {
		audit_range_delta(a->range, a->choices, epsilon, other);
		mpfr_min(to, to, other, MPFR_RNDU);
	}
	mpfr_clears(eps, delta, missed, other, rho, (mpfr_ptr)NULL);
}

/*
 * The delta of n choices of bounded range c, one after the other (lib/account/internal.h has
 * the statement).
 *
 *	H_k(x) = max over 0 <= t <= c of  p H_(k-1)(x - t) + (1 - p) H_(k-1)(x - t + c),
 *	    p = (1 - k w) / (1 - k), w = e^t, k = e^-c,   H_0(x) = max(0, 1 - e^x).
 *
 * H_0 has a kink, far below whose chords a delta may be that few choices miss; so the first one is
 * exact.  Of x >= c H_1 is 0.  For 0 <= x <= c the second term is 0, and the first (1 - e^(t-c))
 * (1 - e^(x-t)) / (1 - k), where e^(t-c) and e^(x-t) have the product e^(x-c) and are least in sum
 * where they are equal:
 *	H_1(x) = (1 - e^((x-c)/2))^2 / (1 - k).
 * For x < 0, y+ the larger one of y and 0, Q the law P becomes: E_P (1 - e^x Q/P)+ = 1 - e^x +
 * e^x E_Q (1 - e^-x P/Q)+, and t becomes c - t as P and Q are exchanged (lib/account/internal.h),
 * so
 *	H_1(x) = 1 - e^x + e^x H_1(-x).
 *
 * Upper bounds stand at the points of a grid, h apart, of which c has a power of two, from the
 * least loss that is looked at to the largest.  H is convex in e^x, so it is at most its chords.
 * For t in a cell, w from w_0 to w_1 = w_0 (1 + g), g = e^h - 1, both chords are linear in 1/w;
 * what they give is a constant, and u / w + v w over 1 - k.
 * Where u >= 0 that is convex, and one of the ends is the largest; else it is above them by at most
 * an eighth of its largest second derivative, 2 |u| / w_0^3, times (w_1 - w_0)^2: with the falls d
 * of the first and e of the second chord over the cell, |u| = (d - k e) w_0 w_1 / (w_1 - w_0), by
 *	(d - k e) g (1 + g) / (4 (1 - k)).
 * All in shares, rounded up; points of the grid are exact.  A bound may be raised to one further
 * down, as H falls.
 */

#define PARTS	128		/* of c, at most; parts_of() */
#define BEYOND	4		/* standard deviations of the loss that the grid has */
#define BITS	256

/* Of all cells: p at their ends up, k down, and the factor of d - k e up, in units of 2^-63. */
struct cells {
	int parts;
	uint64_t p[PARTS + 1], k, bend;
	size_t down, n;			/* points below that of x, and all */
	dp_uwide *row[3];		/* the last choices', these; the ends of a cell */
};

/* (e^y - 1) / (e^z - 1) for y and z of one sign, up */
static void
ratio(mpfr_t to, const mpq_t y, const mpq_t z)
{
	mpfr_t below;
	const bool negative = mpq_sgn(z) < 0;

	mpfr_init2(below, BITS);
	mpfr_set_q(below, z, negative ? MPFR_RNDU : MPFR_RNDD);
	mpfr_expm1(below, below, negative ? MPFR_RNDU : MPFR_RNDD);
	mpfr_set_q(to, y, negative ? MPFR_RNDD : MPFR_RNDU);
	mpfr_expm1(to, to, negative ? MPFR_RNDD : MPFR_RNDU);
	mpfr_div(to, to, below, MPFR_RNDU);
	mpfr_clear(below);
}

static uint64_t
part(mpfr_t x, mpfr_rnd_t way)
{
	return (uint64_t)audit_share_units(x, 63, way);
}

/* q = c i / parts */
static void
place(mpq_t q, const mpq_t c, long i, int parts)
{
	mpq_set_si(q, i, (unsigned long)parts);
	mpq_canonicalize(q);
	mpq_mul(q, q, c);
}

static void
set_cells(struct cells *s, const mpq_t c)
{
	mpq_t t, less;
	mpfr_t x, g;
	int i;

	mpq_inits(t, less, (mpq_ptr)NULL);
	mpfr_inits2(BITS, x, g, (mpfr_ptr)NULL);
	mpq_neg(less, c);
	for (i = 0; i <= s->parts; i++) {
		place(t, c, i - s->parts, s->parts);
		ratio(x, t, less);			/* p = (1 - e^(t - c)) / (1 - e^-c) */
		s->p[i] = part(x, MPFR_RNDU);
	}
	mpfr_set_q(x, less, MPFR_RNDD);
	mpfr_exp(x, x, MPFR_RNDD);
	s->k = part(x, MPFR_RNDD);
	/* g (1 + g) / (4 (1 - k)) = e^c (1 + g) / 4 times g / (e^c - 1) */
	place(t, c, 1, s->parts);
	ratio(g, t, c);
	mpq_add(t, t, c);
	mpfr_set_q(x, t, MPFR_RNDU);
	mpfr_exp(x, x, MPFR_RNDU);
	mpfr_mul(x, x, g, MPFR_RNDU);
	mpfr_div_2ui(x, x, 2, MPFR_RNDU);
	s->bend = part(x, MPFR_RNDU);
	mpfr_clears(x, g, (mpfr_ptr)NULL);
	mpq_clears(t, less, (mpq_ptr)NULL);
}

/* H falls, is at most 1 below the grid, and above it at most what it is at its end. */
static void
pad(dp_uwide *row, size_t n)
{
	size_t i;

	for (i = n - 1; i-- > 0; )
		if (row[PARTS + i] < row[PARTS + i + 1])
			row[PARTS + i] = row[PARTS + i + 1];
	for (i = 0; i < PARTS; i++) {
		row[i] = DP_AUDIT_ALL;
		row[PARTS + n + i] = row[PARTS + n - 1];
	}
}

/* H_1 of q, up; c > 0. */
static void
first_range(mpfr_t to, const mpq_t q, const mpq_t c)
{
	mpfr_t less, y;
	mpq_t far;

	if (mpq_sgn(q) < 0) {
		mpq_init(far);
		mpq_neg(far, q);
		first_range(to, far, c);
		mpq_clear(far);
		mpfr_init2(y, BITS);
		mpfr_set_q(y, q, MPFR_RNDD);
		mpfr_exp(y, y, MPFR_RNDD);
		mpfr_ui_sub(to, 1, to, MPFR_RNDD);
		mpfr_mul(to, to, y, MPFR_RNDD);
		mpfr_ui_sub(to, 1, to, MPFR_RNDU);
		mpfr_clear(y);
		return;
	}
	if (mpq_cmp(q, c) >= 0) {
		mpfr_set_zero(to, 1);
		return;
	}
	mpq_init(far);
	mpfr_inits2(BITS, less, y, (mpfr_ptr)NULL);
	mpq_sub(far, q, c);
	mpq_div_2exp(far, far, 1);
	mpfr_set_q(y, far, MPFR_RNDD);
	mpfr_expm1(y, y, MPFR_RNDD);			/* below 0: its square up */
	mpfr_sqr(to, y, MPFR_RNDU);
	mpq_neg(far, c);
	mpfr_set_q(less, far, MPFR_RNDU);
	mpfr_expm1(less, less, MPFR_RNDU);
	mpfr_neg(less, less, MPFR_RNDN);
	mpfr_div(to, to, less, MPFR_RNDU);
	mpq_clear(far);
	mpfr_clears(less, y, (mpfr_ptr)NULL);
}

/* H_1, at each point */
static void
begin(struct cells *s, const mpq_t c, const mpq_t x)
{
	mpfr_t one;
	mpq_t q;
	size_t j;

	mpfr_init2(one, BITS);
	mpq_init(q);
	for (j = 0; j < s->n; j++) {
		place(q, c, (long)j - (long)s->down, s->parts);
		mpq_add(q, q, x);
		first_range(one, q, c);
		s->row[0][PARTS + j] = audit_share(one, MPFR_RNDU);
	}
	pad(s->row[0], s->n);
	mpq_clear(q);
	mpfr_clear(one);
}

/* p H(x - t) + (1 - p) H(x - t + c) for t = i h, at each point */
static void
end_of(const struct cells *s, int i, dp_uwide *restrict to)
{
	const dp_uwide *restrict const near = s->row[0] + PARTS - i, *const far = near + s->parts;
	size_t j;

	for (j = 0; j < s->n; j++)
		to[j] = far[j] + audit_share_part(near[j] - far[j], s->p[i]);
}

/* One choice more: cell i has ends i and i + 1. */
static void
choose(struct cells *s)
{
	dp_uwide *const end = s->row[2], *const best = s->row[1] + PARTS, right, left, fall, rest;
	const dp_uwide *near, *far;
	size_t j;
	int i;

	end_of(s, 0, end);
	for (j = 0; j < s->n; j++)
		best[j] = end[j];
	for (i = 0; i < s->parts; i++) {
		near = s->row[0] + PARTS - i - 1;
		far = near + s->parts;
		for (j = 0; j < s->n; j++) {
			left = end[j];
			right = far[j] + audit_share_part(near[j] - far[j], s->p[i + 1]);
			end[j] = right;
			left = left > right ? left : right;
			fall = near[j] - near[j + 1];
			rest = far[j] - far[j + 1];
			/* k e down: less one unit of its rounding up */
			rest = audit_share_part(rest, s->k);
			rest -= rest > 0;
			if (fall > rest)
				left += audit_share_part(fall - rest, s->bend);
			best[j] = left > best[j] ? left : best[j];
		}
	}
	for (j = 0; j < s->n; j++)
		best[j] = best[j] > DP_AUDIT_ALL ? DP_AUDIT_ALL : best[j];
	pad(s->row[1], s->n);
}

/*
 * A finer grid for few choices, most of whose delta is what passes x by a small part of c: what a
 * planner finds on a grid of its own is to be more than what is found here.  Of many choices the
 * loss is smooth, and a grid takes long.
 */
static int
parts_of(uint64_t choices)
{
	return choices <= 10 ? PARTS : choices <= 20 ? PARTS / 2 : choices <= 100 ? PARTS / 4 :
	    PARTS / 8;
}

/* Points of the grid: multiples of h, up to some standard deviations, or to the whole loss. */
static void
size_grid(struct cells *s, const mpq_t c, uint64_t choices, const mpq_t x)
{
	const size_t all = (size_t)s->parts * choices;
	size_t far, up = 1;
	mpz_t z;
	mpq_t q;

	while (4 * up * up < (size_t)(s->parts * s->parts) * BEYOND * BEYOND * choices)
		up++;
	mpz_init(z);
	mpq_init(q);
	mpq_div(q, x, c);
	mpz_set_ui(z, (unsigned long)s->parts);
	mpz_mul(z, z, mpq_numref(q));
	mpz_cdiv_q(z, z, mpq_denref(q));
	far = mpz_cmp_ui(z, all) < 0 ? mpz_get_ui(z) + up : all;
	s->down = (far < all ? far : all) + 1;
	s->n = s->down + (up < all ? up : all) + 1;
	mpq_clear(q);
	mpz_clear(z);
}

void
audit_range_delta(const mpq_t c, uint64_t choices, const mpq_t x, mpfr_t delta)
{
	struct cells s = { .parts = parts_of(choices) };
	dp_uwide *room, *t;
	uint64_t k;

	mpfr_set_inf(delta, 1);
	if (mpq_sgn(c) <= 0 || mpq_cmp_ui(c, 1, 1) > 0 || mpq_sgn(x) <= 0 || choices == 0 ||
	    choices > DP_AUDIT_CHOICES)
		return;
	size_grid(&s, c, choices, x);
	if (s.n * choices * (size_t)s.parts > DP_AUDIT_WORK ||
	    (room = malloc((3 * s.n + 4 * PARTS) * sizeof *room)) == NULL)
		return;
	s.row[0] = room;
	s.row[1] = room + s.n + 2 * PARTS;
	s.row[2] = s.row[1] + s.n + 2 * PARTS;
	set_cells(&s, c);
	begin(&s, c, x);
	for (k = 1; k < choices; k++) {
		choose(&s);
		t = s.row[0];
		s.row[0] = s.row[1];
		s.row[1] = t;
	}
	audit_share_real(delta, s.row[0][PARTS + s.down], MPFR_RNDU);
	free(room);
}
