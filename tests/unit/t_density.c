/* SPDX-License-Identifier: ISC */
/*
 * t_density.c - random bits of a declared universe: oracles, the joint law of memory and answers by
 * enumeration, counting of bits.
 */
#include "sketch.h"
#include "sketch/internal.h"

/* What memory may show. */
static double
first_loss(const struct dp_mech *m)
{
	return 1 / dp_q_double(noise_of(m, 1)->param);
}

/*
 * Two logs' bits, each 1 with probability q or p: what a third bit must be 1 with, for each of
 * their four pairs, to be that of one log; false: for some pair it is no probability.
 */
static bool
can_merge(double q, double p)
{
	const double want[3] = { q, p, p };	/* of g(q, q), g(p, q) = g(q, p), g(p, p) */
	double g[3], c[3], d = p - q;

	/* g(a, b) = c0 + c1 (a + b) + c2 a b */
	c[2] = (want[2] - 2 * want[1] + want[0]) / (d * d);
	c[1] = (want[1] - want[0]) / d - c[2] * q;
	c[0] = want[0] - 2 * c[1] * q - c[2] * q * q;
	g[0] = c[0];
	g[1] = c[0] + c[1];
	g[2] = c[0] + 2 * c[1] + c[2];
	check(fabs(c[0] + c[1] * (p + q) + c[2] * p * q - p) < 1e-9);
	check(fabs(g[1] - (p + p * (1 - p) / d)) < 1e-9 * g[1]);
	return g[0] >= 0 && g[0] <= 1 && g[1] >= 0 && g[1] <= 1 && g[2] >= 0 && g[2] <= 1;
}

/* No private bits of two logs become one (tests/proof/sketches.md). */
static void
merged(void)
{
	int i, j;

	for (i = 1; i < 100; i++)
		for (j = 1; j < i; j++)
			check(!can_merge(j / 100., i / 100.));
	check(can_merge(0, .5) && can_merge(0, 1));		/* nothing is hidden */
}

/* Y bits of m: D^ = (Y + z - m p)/(1 - 2p). */
static void
oracles(void)
{
	const struct dp_sketch s = { .universe = 4 };
	struct dp_mech *m = sketch_make("density", &s, 9, 0, 3, 2);
	struct column c;
	double p, gap, v, al;
	uint64_t y;
	int64_t z;

	if (m == NULL || column_new(&c, m, seeded(1)) != 0) {
		fail("density");
		return;
	}
	p = 1 / (1 + exp(first_loss(m)));
	gap = 1 - 2 * p;
	for (y = 0; y < 16; y++)
		for (z = -3; z < 4; z++) {
			*(uint64_t *)c.state = y;
			check(asks_with(&c, z) == rint((__builtin_popcountll(y) + (double)z -
			    4 * p) / gap));
		}
	/* the specification's, E = 3: four bits, three ones: 4 */
	check(fabs((3 - 4 * .25) / .5 - 4) < 1e-12);
	al = exp(-1 / dp_q_double(noise_of(m, 0)->param));
	v = (4 * p * (1 - p) + 2 * al / (1 - al) / (1 - al)) / (gap * gap);
	check(fabs(dp_mech_variance(m, 1) / v - 1) < 1e-9);
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

static void
exactly(void)
{
	const struct dp_sketch s = { .universe = 200 };
	struct dp_mech_rule r = sketch_setting(&dp_density, &s, 9, 0, 0, 1);
	struct dp_mech *m = sketch_make("density", &s, 9, 0, 0, 1), *d = make("density", &r);
	struct column c, e;
	uint64_t i;

	if (m == NULL || d == NULL || column_new(&c, m, NULL) != 0 ||
	    column_new(&e, d, NULL) != 0) {
		fail("density without noise");
		return;
	}
	for (i = 0; i < 200; i++) {
		check(asks(&c) == (double)i && asks(&e) == (double)i * 5000);
		sees(&c, i * 7 % 200, 1 + (int64_t)(i % 3));
		sees(&e, i * 7 % 200, 1);
		sees(&c, i * 3 + 200, 1);	/* none of the universe */
	}
	check(asks(&c) == 200 && asks(&e) == 1000000);
	column_free(&c);
	column_free(&e);
	dp_mech_free(m);
	dp_mech_free(d);
}

static void
counts(void)
{
	uint64_t w[5] = { 0xf0f0f0f012345678, 0, UINT64_MAX, 1, 0x8000000000000000 }, n, from, i;
	uint64_t want;

	for (from = 0; from < 320; from++)
		for (want = 0, n = 0; from + n <= 320; n++) {
			check(dp_bits_count(w, from, n) == want);
			i = from + n;
			want += i < 320 ? w[i / 64] >> i % 64 & 1 : 0;
		}
	check(dp_bits_bytes(1) == 8 && dp_bits_bytes(64) == 8 && dp_bits_bytes(65) == 16);
}

/*
 * The bit at the moment memory is seen, and the answer at another: of an identifier that is seen
 * between the two, or not, and before, or not.  Never seen: one bit for both.  The worst log-ratio
 * is at most epsilon.
 */
static void
enumerate(uint64_t num, uint64_t den)
{
	const struct dp_sketch s = { .universe = 1 };
	struct dp_mech *m = sketch_make("density", &s, 9, 0, num, den);
	const double eps = (double)num / (double)den;
	double law[4][2][61], one[2], worst = 0, p;
	int before, between, a, b, k, i, j;

	if (m == NULL) {
		fail("density");
		return;
	}
	p = 1 / (1 + exp(first_loss(m)));
	for (before = 0; before < 2; before++)
		for (between = 0; between < 2; between++)
			for (a = 0; a < 2; a++) {
				double *row = law[2 * before + between][a];

				memset(row, 0, sizeof law[0][0]);
				/* a: first; b: the second one, drawn again if it is seen between */
				for (b = 0; b < 2; b++) {
					one[0] = (before ? 1 - p : p);
					one[0] = a ? one[0] : 1 - one[0];
					one[1] = between ? (b ? 1 - p : p) : a == b;
					for (k = -30; k <= 30; k++)
						row[k + 30] += one[0] * one[1] *
						    laplace(noise_of(m, 0), k - b);
				}
			}
	for (i = 0; i < 4; i++)
		for (j = 0; j < 4; j++)
			for (a = 0; a < 2; a++)
				for (k = 0; k < 61; k++)
					worst = fmax(worst, log(law[i][a][k] / law[j][a][k]));
	check(worst <= eps * (1 + 1e-9));
	check(worst >= eps * (1 - 1e-6));
	dp_mech_free(m);
}

/*
 * Memory and two answers, in any order, of an identifier that is seen before the first of these
 * moments, between the first and the second, and so on, or not: bits that stay, or are drawn again.
 * The worst log-ratio is epsilon, and attained where memory comes first.
 */
static void
several(uint64_t num, uint64_t den)
{
	enum { N = 12, SEEN = 8 };
	const struct dp_sketch s = { .universe = 1 };
	struct dp_mech *m = sketch_make("density", &s, 2, 1, num, den);
	static double law[SEEN][2][2 * N + 1][2 * N + 1];
	const double eps = (double)num / (double)den;
	double worst, p, q, weight, other, lap[2][2 * N + 1];
	int memory, seen, path, i, j, b, y, z;

	if (m == NULL) {
		fail("density, two answers");
		return;
	}
	p = 1 / (1 + exp(first_loss(m)));
	for (z = -N; z <= N; z++)
		for (b = 0; b < 2; b++)
			lap[b][z + N] = laplace(noise_of(m, 0), z - b);
	for (memory = 0; memory < 3; memory++) {
		memset(law, 0, sizeof law);
		for (seen = 0; seen < SEEN; seen++)
			for (path = 0; path < 8; path++) {	/* the bit at each moment */
				for (weight = 1, i = 0; i < 3; i++) {
					b = path >> i & 1;
					q = seen >> i & 1 ? 1 - p : i == 0 ? p :
					    (path >> (i - 1) & 1);
					weight *= b ? q : 1 - q;
				}
				b = path >> memory & 1;
				for (y = 0; y <= 2 * N; y++)
					for (z = 0; z <= 2 * N; z++)
						law[seen][b][y][z] += weight *
						    lap[path >> (memory == 0) & 1][y] *
						    lap[path >> (memory == 2 ? 1 : 2) & 1][z];
			}
		for (worst = 0, i = 0; i < SEEN; i++)
			for (j = 0; j < SEEN; j++)
				for (b = 0; b < 2; b++)
					for (y = 0; y < (2 * N + 1) * (2 * N + 1); y++) {
						weight = (&law[i][b][0][0])[y];
						other = (&law[j][b][0][0])[y];
						worst = fmax(worst, log(weight / other));
					}
		check(worst <= eps * (1 + 1e-9));
		check(memory != 0 || worst >= eps * (1 - 1e-6));
	}
	dp_mech_free(m);
}

/* 20,000 bits at the start, and again after a sight: shares of ones as the law has them. */
static void
draws(void)
{
	const struct dp_sketch s = { .universe = 20000 };
	struct dp_mech *m = sketch_make("density", &s, 9, 0, 1, 1);
	struct column c;
	double p, n;
	uint64_t i;

	if (m == NULL || column_new(&c, m, seeded(4)) != 0) {
		fail("density");
		return;
	}
	p = 1 / (1 + exp(first_loss(m)));
	n = (double)dp_bits_count(c.state, 0, 20000);
	check(fabs(n - 20000 * p) < 4.9 * sqrt(20000 * p * (1 - p)));
	/* however often, and whatever the bit was */
	for (i = 0; i < 20000; i++)
		sees(&c, i, 1 + (int64_t)(i % 4));
	n = (double)dp_bits_count(c.state, 0, 20000);
	check(fabs(n - 20000 * (1 - p)) < 4.9 * sqrt(20000 * p * (1 - p)));
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

static void
eligible(void)
{
	const struct dp_sketch none = { .universe = 0 };
	const struct dp_sketch undone = { .universe = 9, .deletes = true };
	struct dp_mech_rule r = sketch_setting(&dp_distinct, &undone, 9, 0, 1, 1);
	struct dp_plan plan;
	char why[DP_PLAN_WHY];

	check(sketch_make("density", &none, 9, 0, 1, 1) == NULL);
	check(dp_plan_make(&plan, &r, "density", why) == DP_EINVAL);
	check(strstr(why, "refused with --deletes") != NULL);
}

int
main(void)
{
	merged();
	oracles();
	exactly();
	counts();
	enumerate(1, 1);
	enumerate(3, 1);
	enumerate(1, 4);
	several(1, 1);
	several(3, 1);
	several(1, 10);
	draws();
	eligible();
	return done();
}
