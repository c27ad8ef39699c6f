/* SPDX-License-Identifier: ISC */
/*
 * s_coverage.c - how often intervals of hashed, hashed-bits and sample do not hold the number, from
 * 10 to 10^6 identifiers: what is not proved of them (sketch/internal.h, density.c).
 *
 * Drawn: identifiers to levels and buckets, or to a sample, bits and noise, each by its own law; no
 * mechanism runs.  Statistic: of R runs those in which the number is refuted at 0.05, which is as
 * often as its interval misses it, or more often.  A binomial variable of R and 0.05 is above
 * 0.05 R + 5.2 sqrt(0.0475 R) with probability below 1e-6: a true 0.05 is rejected as seldom.
 * Power: a variance of the buckets a third too small is.  And of 800 runs and more the shares are
 * within those that dpdistinct(1) has.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../unit/sketch.h"
#include "sketch/internal.h"

#define GAMMA	0.05
#define GRAIN	(1u << 20)		/* chances are multiples of 1/GRAIN */

static uint64_t state = 88172645463325252u;

static uint64_t
word(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 2685821657736338717u;
}

/* Below n, n <= 2^32; off by 2^-32 at most. */
static uint64_t
below(uint64_t n)
{
	return (word() >> 32) * n >> 32;
}

/* Coins out of n that show heads with probability p, 64 at a time by the bits of p. */
static double
coins(uint64_t n, double p)
{
	const unsigned chance = (unsigned)rint(p * GRAIN);
	uint64_t heads, sum = 0, some;
	unsigned bit;

	for (; n > 0; n -= some) {
		some = n < 64 ? n : 64;
		bit = chance & -chance;		/* the lowest; those below change nothing */
		for (heads = 0; bit < GRAIN; bit *= 2)
			heads = chance & bit ? heads | word() : heads & word();
		sum += (uint64_t)__builtin_popcountll(heads & (~UINT64_C(0) >> (64 - some)));
	}
	return (double)sum;
}

/*
 * Buckets of b that n identifiers fill; of more than 40 each none is empty but by
 * 10^-12.
 */
static uint64_t
occupied(uint64_t n, uint64_t b)
{
	static uint64_t full[1 << 13];
	uint64_t i, k, sum = 0;

	if (n > 40 * b)
		return b;
	memset(full, 0, (b + 63) / 64 * sizeof *full);
	for (i = 0; i < n; i++) {
		k = below(b);
		sum += (full[k / 64] >> k % 64 & 1) == 0;
		full[k / 64] |= (uint64_t)1 << k % 64;
	}
	return sum;
}

static double
noise(const struct dp_noise *z, struct dp_rng *rng)
{
	int64_t x;

	if (dp_draw(z, rng, &x) != 0)
		abort();
	return (double)x;
}

/* Shares that dpdistinct(1) has: of hashed identifiers, of a sample. */
static const double said[2][2] = { { .037, .055 }, { .029, .040 } };

/* 0.05 of R, and 5.2 standard deviations. */
static void
judge(const char *name, double D, int R, int missed)
{
	printf("%s, %.0f identifiers: %.4f of %d refuted\n", name, D, (double)missed / R, R);
	check(missed <= GAMMA * R + 5.2 * sqrt(GAMMA * (1 - GAMMA) * R));
	check(R < 800 || (missed >= said[name[0] == 's'][0] * R - .5 &&
	    missed <= said[name[0] == 's'][1] * R + .5));
}

/* a_l of sketch/internal.h, and q_l(D). */
static void
weigh(const struct dp_levels *w, double D, double *a, double *q)
{
	double info = 0, b, empty, slope, v;
	unsigned l;

	for (l = 0; l < DP_LEVELS; l++) {
		b = l == DP_LEVELS_WIDE ? w->wide : w->b;
		empty = log1p(-dp_levels_share(l) / b);
		q[l] = w->odds.p - w->odds.gap * expm1(D * empty);
		slope = -b * w->odds.gap * exp(D * empty) * empty;
		v = b * q[l] * (1 - q[l]) + w->noise;
		a[l] = slope / v;
		info += slope * slope / v;
	}
	for (l = 0; l < DP_LEVELS; l++)
		a[l] /= info;
}

/* Of a level's B buckets that hold k full ones: those that count. */
static double
counted(const struct dp_levels *w, bool bits, uint64_t b, uint64_t k)
{
	return coins(b - k, w->odds.p) + coins(k, bits ? 1 - w->odds.p : .5);
}

static void
hashed(bool bits, double wide, uint64_t D, int R)
{
	struct dp_levels w = { .b = 4096, .wide = wide };
	double a[DP_LEVELS], q[DP_LEVELS], u, bound;
	struct dp_rng *rng = seeded(D);
	static struct dp_law law;
	struct dp_noise z;
	uint64_t left, n, b;
	int i, missed = 0;
	unsigned l;

	/* half of epsilon = 1 each */
	if (dp_noise_describe(&z, DP_NOISE_LAPLACE, dp_q_make(2, 1)) != 0 ||
	    dp_noise_build(&z) != 0)
		abort();
	w.z = &z;
	w.noise = dp_noise_variance(&z);
	w.odds.p = 1 / (1 + exp(.5));
	w.odds.gap = tanh(.25) / (bits ? 1 : 2);
	weigh(&w, (double)D, a, q);
	dp_law_clear(&law);
	dp_levels_law(&w, (double)D, &law);
	bound = dp_law_bound(&law, GAMMA) + .5;		/* hashed.c, stands() */
	for (i = 0; i < R; i++) {
		for (u = 0, left = D, l = 0; l < DP_LEVELS; l++, left -= n) {
			b = (uint64_t)(l == DP_LEVELS_WIDE ? wide : w.b);
			n = l == DP_LEVELS - 1 ? left : (uint64_t)coins(left, .5);
			u += a[l] * (counted(&w, bits, b, occupied(n, b)) + noise(&z, rng) -
			    (double)b * q[l]);
		}
		missed += fabs(u) > bound;
	}
	judge(bits ? wide > 4096 ? "hashed-bits, a wide level" : "hashed-bits" : "hashed",
	    (double)D, R, missed);
	dp_rng_free(rng);
}

static void
sample(uint64_t D, int R)
{
	const struct dp_sketch s = { .universe = 1200000, .buckets = 4096 };
	struct dp_mech *m = sketch_make("sample", &s, 1000, 0, 1, 1);
	const double M = (double)s.universe, B = (double)s.buckets;
	struct dp_rng *rng = seeded(D);
	static struct dp_law law;
	double p, y, bound;
	uint64_t in, j;
	int i, missed = 0;

	if (m == NULL) {
		fail("sample");
		return;
	}
	p = 1 / (1 + exp(1 / dp_q_double(noise_of(m, 1)->param)));
	dp_mech_law(m, 0, 1000, &law);
	bound = dp_law_bound(&law, GAMMA);
	for (i = 0; i < R; i++) {
		for (in = j = 0; j < s.buckets; j++)
			in += below(s.universe - j) < D - in;
		y = coins(s.buckets - in, p) + coins(in, 1 - p) + noise(noise_of(m, 0), rng);
		missed += fabs(rint((y - B * p) / (1 - 2 * p) * M / B) - (double)D) > bound;
	}
	judge("sample", (double)D, R, missed);
	dp_rng_free(rng);
	dp_mech_free(m);
}

int
main(int argc, char **argv)
{
	uint64_t D;
	int R;

	/* nothing that is owed (covers.h) */
	if (argc > 1 && strcmp(argv[1], "--covers") == 0)
		return 0;
	for (D = 10; D <= 1000000; D *= 10) {
		R = D <= 10000 ? 3000 : 800;
		hashed(true, 4096, D, R);
		hashed(false, 4096, D, R);
		hashed(true, 262144, D, R / 10);
		sample(D, 3000);
	}
	return done();
}
