/*
 * range.c - the delta of n choices of bounded range c, one after the other (lib/noise/range.h has
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
 * e^x E_Q (1 - e^-x P/Q)+, and t becomes c - t as P and Q are exchanged (lib/noise/range.h), so
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
#include <stdlib.h>

#include "range.h"
#include "share.h"

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
first(mpfr_t to, const mpq_t q, const mpq_t c)
{
	mpfr_t less, y;
	mpq_t far;

	if (mpq_sgn(q) < 0) {
		mpq_init(far);
		mpq_neg(far, q);
		first(to, far, c);
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
		first(one, q, c);
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

/* Points of the grid: whole numbers of h up to so many standard deviations, or all that is lost. */
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
