/* SPDX-License-Identifier: ISC */
/*
 * t_selection.c - choices: their laws against brute force, the privacy and the loss that
 * selection.h proves, and the samplers against the laws.
 */
#include <math.h>
#include <mpfr.h>
#include <string.h>

#include "check.h"
#include "random/internal.h"
#include "random/rng.h"
#include "random/selection.h"
#include "stats.h"

#define N	4		/* scores */
#define ORDERS	24		/* of them */

static struct dp_choose
make(enum dp_noise_kind kind, uint64_t num, uint64_t den)
{
	struct dp_choose c;

	if (dp_choose_describe(&c, kind, dp_q_make(num, den)) != 0 || dp_choose_build(&c) != 0)
		abort();
	return c;
}

/* The law as it is defined: weights, or coins in all orders. */
static void
law(enum dp_noise_kind kind, double b, const int64_t *score, int n, double *p)
{
	double w[N], sum = 0, rest;
	int64_t most = score[0];
	int order[N], i, j, k, orders = 0;

	for (j = 1; j < n; j++)
		most = score[j] > most ? score[j] : most;
	for (j = 0; j < n; j++) {
		sum += w[j] = exp(-(double)(most - score[j]) / b);
		p[j] = 0;
	}
	if (kind == DP_NOISE_WEIGH) {
		for (j = 0; j < n; j++)
			p[j] = w[j] / sum;
		return;
	}
	for (i = 0; i < 256; i++) {	/* every word of N digits that is a permutation */
		bool seen[N] = { false }, good = true;

		for (k = 0; k < n; k++) {
			order[k] = i >> 2 * k & 3;
			good = good && order[k] < n && !seen[order[k]];
			if (good)
				seen[order[k]] = true;
		}
		if (!good || (n < N && i >> 2 * n != 0))
			continue;
		orders++;
		for (rest = 1, k = 0; k < n; k++) {
			p[order[k]] += rest * w[order[k]];
			rest *= 1 - w[order[k]];
		}
	}
	for (j = 0; j < n; j++)
		p[j] /= orders;
}

/* spec-sketches.md, F.7 (5), and McKenna, Sheldon 2020. */
static void
oracles(void)
{
	static const int64_t two[2] = { 2, 0 };
	double p[N];

	/* eps0 = 2, sensitivity 1 either way: b = 2 / eps0 = 1 */
	law(DP_NOISE_WEIGH, 1, two, 2, p);
	check(fabs(p[0] - .8807970780) < 1e-10);
	law(DP_NOISE_FLIP, 1, two, 2, p);
	check(fabs(p[0] - (2 - exp(-2)) / 2) < 1e-12 && fabs(p[0] - .9323323584) < 1e-10);
}

/* All scores from 0 to 3, all moves from 0 to spread: the worst factor, and that it is reached. */
static void
privacy(enum dp_noise_kind kind, int spread, double b)
{
	const double eps0 = spread / b;
	double p[N], q[N], worst = 0, l, low, high, range = 0, renyi, a, excess = -1;
	int i, k, j, n = 3, moves = (spread + 1) * (spread + 1) * (spread + 1);
	int64_t s[N], d[N];

	for (i = 0; i < 64; i++)
		for (k = 0; k < moves; k++) {
			for (j = 0; j < n; j++) {
				s[j] = i >> 2 * j & 3;
				d[j] = s[j] + k / (int)pow(spread + 1, j) % (spread + 1);
			}
			law(kind, b, s, n, p);
			law(kind, b, d, n, q);
			for (low = INFINITY, high = -low, j = 0; j < n; j++) {
				l = log(p[j] / q[j]);
				low = fmin(low, l);
				high = fmax(high, l);
			}
			worst = fmax(worst, fmax(high, -low));
			range = fmax(range, high - low);
			for (a = 1.5; a < 20; a *= 1.5) {
				for (renyi = 0, j = 0; j < n; j++)
					renyi += pow(p[j], a) * pow(q[j], 1 - a);
				renyi = log(renyi) / (a - 1);
				excess = fmax(excess, renyi - a * eps0 * eps0 / 8);
			}
		}
	check(worst <= eps0 * (1 + 1e-12));
	if (kind == DP_NOISE_WEIGH) {
		check(range <= eps0 * (1 + 1e-12) && range > eps0 * .99);
		check(excess <= 1e-12);
	} else {
		check(worst > eps0 * .8);
		check(excess > 0);	/* it is not to be had for that */
	}
}

/* No scores make a large gap likelier than the tail says, and ties at that gap do as likely. */
static void
losses(enum dp_noise_kind kind)
{
	const struct dp_choose c = make(kind, 3, 2);
	double p[N], far, worst;
	int64_t s[N];
	int i, j, y, n;

	for (n = 2; n <= N; n++)
		for (y = 1; y <= 5; y++) {
			for (worst = 0, i = 0; i < 216; i++) {
				s[0] = 6;
				s[1] = i % 6;
				s[2] = i / 6 % 6;
				s[3] = i / 36;
				law(kind, 1.5, s, n, p);
				for (far = 0, j = 1; j < n; j++)
					far += s[j] <= 6 - y ? p[j] : 0;
				worst = fmax(worst, far);
			}
			check(fabs(worst - dp_choose_tail(&c, (size_t)n, y)) < 1e-12);
		}
	check(dp_choose_tail(&c, 1, 1) == 0 && dp_choose_gap(&c, 1, .1) == 0);
	for (worst = .4; worst > 1e-12; worst /= 7) {
		far = dp_choose_gap(&c, 1000, worst);
		check(dp_choose_tail(&c, 1000, far + 1) <= worst);
		check(far == 0 || dp_choose_tail(&c, 1000, far) > worst);
	}
	check(dp_choose_gap(&c, 1000, 1e-40) == INFINITY);
	/* the form for small numbers meets the other */
	check(fabs(dp_choose_tail(&c, 50, 1.5 * log(50 * 1.0001e5)) /
	    dp_choose_tail(&c, 50, 1.5 * log(50 * .9999e5)) - .9999 / 1.0001) < 1e-5);
}

/* Chi-square of R choices against the law. */
static void
drawn(enum dp_noise_kind kind, uint64_t num, uint64_t den, const int64_t *score, int n,
    struct dp_rng *rng)
{
	const struct dp_choose c = make(kind, num, den);
	const double R = 100000;
	double p[N], count[N] = { 0 }, x = 0;
	size_t which;
	int j, r, cells = 0;

	for (r = 0; r < (int)R; r++) {
		if (dp_choose(&c, rng, score, (size_t)n, &which) != 0 || which >= (size_t)n)
			abort();
		count[which]++;
	}
	law(kind, (double)num / (double)den, score, n, p);
	for (j = 0; j < n; j++)
		if (p[j] * R >= 5) {
			x += (count[j] - p[j] * R) * (count[j] - p[j] * R) / (p[j] * R);
			cells++;
		} else
			check(count[j] < 40);
	if (chi2_tail(x, cells - 1) < FALSE_REJECT)
		printf("kind %d b %llu/%llu: %g %g %g\n", (int)kind, (unsigned long long)num,
		    (unsigned long long)den, count[0], count[1], count[2]);
	check(cells < 2 || chi2_tail(x, cells - 1) >= FALSE_REJECT);
}

static void
samplers(void)
{
	static const int64_t scores[][N] = { { 2, 0, 1, 2 }, { 0, 0, 0, 0 }, { -5, 7, 6, 0 },
	    { 1000000, 1000003, 999990, 0 }, { -3, -4, -4, -4 } };
	static const uint64_t b[][2] = { { 1, 1 }, { 5, 3 }, { 40, 1 }, { 1, 3 }, { 100000, 7 } };
	struct dp_rng *rng;
	unsigned i, k;

	if (dp_rng_open_seed(&rng, 31) != 0)
		abort();
	for (i = 0; i < 5; i++)
		for (k = 0; k < 2; k++)
			drawn(k == 0 ? DP_NOISE_FLIP : DP_NOISE_WEIGH, b[i][0], b[i][1],
			    scores[(i + k) % 5], i == 0 ? 2 : N, rng);
	for (i = 0; i < 5; i++)
		drawn(i % 2 ? DP_NOISE_FLIP : DP_NOISE_WEIGH, 2, 1, scores[i], 3 + (int)i % 2, rng);
	dp_rng_free(rng);
}

/* Bytes of x in [0, 1), 32 or 64 of them, words from the highest. */
static void
bytes_of(mpfr_srcptr x, uint8_t *out, int words)
{
	uint64_t w;
	mpfr_t y;
	int i, k;

	mpfr_init2(y, 700);
	mpfr_set(y, x, MPFR_RNDN);
	for (i = 0; i < words; i++) {
		w = 0;
		for (k = 0; k < 4; k++) {	/* 16 bits at a time */
			mpfr_mul_2ui(y, y, 16, MPFR_RNDN);
			w = w << 16 | mpfr_get_ui(y, MPFR_RNDZ);
			mpfr_sub_ui(y, y, mpfr_get_ui(y, MPFR_RNDZ), MPFR_RNDN);
		}
		for (k = 0; k < 8; k++)
			out[8 * i + k] = (uint8_t)(w >> 8 * k);
	}
	mpfr_clear(y);
}

/* The choice of two, where the random number is p (1 + sign 2^-140). */
static size_t
near(enum dp_noise_kind kind, uint64_t num, uint64_t den, uint64_t gap, int sign)
{
	const struct dp_choose c = make(kind, num, den);
	const int64_t score[2] = { 7, 7 - (int64_t)gap };
	uint8_t bytes[128];
	struct dp_rng *rng;
	size_t which = 9;
	mpfr_t p, q;

	mpfr_inits2(700, p, q, (mpfr_ptr)0);
	mpfr_set_ui(p, gap, MPFR_RNDN);
	mpfr_mul_ui(p, p, den, MPFR_RNDN);
	mpfr_div_ui(p, p, num, MPFR_RNDN);
	mpfr_neg(p, p, MPFR_RNDN);
	mpfr_exp(p, p, MPFR_RNDN);
	if (kind == DP_NOISE_WEIGH) {	/* what is left of the second: 1 - p / (1 + p) */
		mpfr_add_ui(q, p, 1, MPFR_RNDN);
		mpfr_div(p, p, q, MPFR_RNDN);
	}
	mpfr_set_ui(q, 1, MPFR_RNDN);
	mpfr_mul_2si(q, q, -140, MPFR_RNDN);
	mpfr_mul(q, q, p, MPFR_RNDN);
	(sign > 0 ? mpfr_add : mpfr_sub)(p, p, q, MPFR_RNDN);
	if (kind == DP_NOISE_WEIGH)
		mpfr_ui_sub(p, 1, p, MPFR_RNDN);
	memset(bytes, 0xff, sizeof bytes);
	if (kind == DP_NOISE_WEIGH)
		bytes_of(p, bytes, 8);
	else {	/* the first is accepted, its tag 1; the second, its tag greater, if u < p */
		memset(bytes + 32, 0, 32);
		bytes[39] = 1;
		bytes_of(p, bytes + 64, 4);
	}
	if (dp_rng_open_bytes(&rng, bytes, kind == DP_NOISE_WEIGH ? 64 : 128) != 0 ||
	    dp_choose(&c, rng, score, 2, &which) != 0)
		abort();
	check(rng->left == 0 || rng->pos == rng->end);
	dp_rng_free(rng);
	mpfr_clears(p, q, (mpfr_ptr)0);
	return which;
}

/* Every probability is right to 2^-140 of itself: just below it the second is chosen. */
static void
exact(void)
{
	static const uint64_t row[][3] = { { 1, 1, 1 }, { 1, 1, 67 }, { 7, 3, 100 }, { 1, 64, 1 },
	    { 1000003, 17, 999999 }, { (uint64_t)1 << 40, 1, 12345678901234 }, { 355, 113, 210 },
	    { 3, 2, 0x55 } };
	unsigned i, k;

	for (i = 0; i < sizeof row / sizeof row[0]; i++)
		for (k = 0; k < 2; k++) {
			enum dp_noise_kind kind = k == 0 ? DP_NOISE_FLIP : DP_NOISE_WEIGH;

			check(near(kind, row[i][0], row[i][1], row[i][2], -1) == 1);
			check(near(kind, row[i][0], row[i][1], row[i][2], 1) == 0);
		}
}

static void
edges(void)
{
	static const int64_t far[3] = { INT64_MIN / 2, INT64_MAX / 2, INT64_MIN / 2 };
	static const int64_t tied[4] = { -1, 3, 3, 2 };
	int64_t behind[2] = { 0 };
	struct dp_choose c;
	struct dp_rng *rng;
	size_t which = 9;
	int i;

	if (dp_rng_open_seed(&rng, 5) != 0)
		abort();
	dp_choose_none(&c);
	check(dp_choose_build(&c) == 0 && dp_choose(&c, NULL, tied, 4, &which) == 0 && which == 1);
	check(dp_choose_tail(&c, 4, 1) == 0);
	check(dp_choose_describe(&c, DP_NOISE_LAPLACE, dp_q_make(1, 1)) == DP_EINVAL);
	check(dp_choose_describe(&c, DP_NOISE_FLIP, (struct dp_q){ 1, 0 }) == DP_EINVAL);
	check(dp_choose_describe(&c, DP_NOISE_FLIP, dp_q_make(((uint64_t)1 << 40) + 1, 1)) ==
	    DP_ERANGE);
	check(dp_choose_describe(&c, DP_NOISE_FLIP, dp_q_make(1, 1000)) == 0 &&
	    dp_q_cmp(c.scale, dp_q_make(1, 64)) == 0);
	check(dp_choose(&c, rng, tied, 4, &which) == DP_EINVAL);	/* no table */
	for (i = 0; i < 2; i++) {
		c = make(i == 0 ? DP_NOISE_FLIP : DP_NOISE_WEIGH, (uint64_t)1 << 40, 1);
		check(dp_choose(&c, rng, far, 3, &which) == 0 && which == 1);
		check(dp_choose(&c, rng, far, 1, &which) == 0 && which == 0);
	}
	for (i = 0; i < 62; i++) {	/* all bits of a gap count, not only those that C has */
		c = make(i % 2 ? DP_NOISE_FLIP : DP_NOISE_WEIGH, 1, 1);
		behind[1] = (int64_t)1 << i;
		check(i < 7 || (dp_choose(&c, rng, behind, 2, &which) == 0 && which == 1));
	}
	dp_rng_free(rng);
	if (dp_rng_open_bytes(&rng, (const uint8_t *)"", 0) != 0)
		abort();
	check(dp_choose(&c, rng, tied, 4, &which) == DP_EENTROPY);
	c = make(DP_NOISE_FLIP, 1, 1);
	check(dp_choose(&c, rng, tied, 4, &which) == DP_EENTROPY);
	dp_rng_free(rng);
}

int
main(void)
{
	unsigned i;

	PART(oracles());
	for (i = 0; i < 2; i++) {
		enum dp_noise_kind kind = i == 0 ? DP_NOISE_FLIP : DP_NOISE_WEIGH;

		PART(privacy(kind, 1, 1));
		PART(privacy(kind, 2, 2.5));
		PART(privacy(kind, 3, 20));
		PART(losses(kind));
	}
	PART(samplers());
	PART(exact());
	PART(edges());
	return done();
}
