/* SPDX-License-Identifier: ISC */
/*
 * t_sample.c - bits of a sample of a universe: that it is one, without replacement, of each n of m
 * alike; oracles; the joint law of memory and an answer.
 */
#include "sketch.h"
#include "sketch/internal.h"

static struct dp_mech *
make_sample(uint64_t m, uint64_t n, uint64_t num)
{
	const struct dp_sketch s = { .universe = m, .buckets = n };

	return sketch_make("sample", &s, 9, 0, num, 1);
}

static uint64_t
ones(struct column *c, uint64_t n)
{
	return dp_bits_count((uint64_t *)c->state + 2, 0, n);
}

/*
 * Whoever is seen sets one bit, and no other; all of the universe set n, and m/n of it is printed.
 * Without noise, for universes that are powers of 2, one more, one less and prime.
 */
static void
permutation(uint64_t m, uint64_t n)
{
	struct dp_mech *mech = make_sample(m, n, 0);
	struct column c;
	uint64_t i, before;
	struct dp_rng *rng = seeded(m);

	if (mech == NULL || column_new(&c, mech, rng) != 0) {
		fail("sample");
		return;
	}
	for (i = 0; i < m; i++) {
		before = ones(&c, n);
		sees(&c, i, 2);
		check(ones(&c, n) - before <= 1);
		before = ones(&c, n);
		sees(&c, i, 1);
		sees(&c, i + m, 1);		/* none of the universe */
		check(ones(&c, n) == before);
		check(asks(&c) == rint((double)before * (double)m / (double)n));
	}
	check(ones(&c, n) == n);
	dp_rng_free(rng);
	column_free(&c);
	dp_mech_free(mech);
}

/* Pairs of a universe of 16 are sampled alike, in 20000 keys, limit 5.5 for each of 120. */
static void
pairs(void)
{
	struct dp_mech *mech = make_sample(32, 16, 0);
	struct dp_rng *rng = seeded(5);
	double both[32] = { 0 };
	struct column c;
	uint64_t i;
	int k;
	bool first;

	for (k = 0; k < 20000 && mech != NULL; k++) {
		if (column_new(&c, mech, rng) != 0)
			abort();
		sees(&c, 0, 1);
		first = ones(&c, 16) == 1;
		for (i = 1; i < 32; i++) {
			const uint64_t n = ones(&c, 16);

			sees(&c, i, 1);
			both[i] += first && ones(&c, 16) != n;
		}
		both[0] += first;
		column_free(&c);
	}
	check(fabs(both[0] - 10000) < 5.5 * sqrt(5000));
	for (i = 1; i < 32; i++)	/* 16 * 15 of 32 * 31 */
		check(fabs(both[i] - 20000 * 240 / 992.) < 5.5 * sqrt(20000 * .242 * .758));
	dp_rng_free(rng);
	dp_mech_free(mech);
}

/* D^ = (m/n) (Y + z - n p)/gap, and its largest variance. */
static void
oracles(void)
{
	struct dp_mech *m = make_sample(100, 16, 3);
	struct column c;
	double p, gap, v, al;
	uint64_t y;
	int64_t z;

	if (m == NULL || column_new(&c, m, seeded(1)) != 0) {
		fail("sample");
		return;
	}
	p = 1 / (1 + exp(1 / dp_q_double(noise_of(m, 1)->param)));
	gap = 1 - 2 * p;
	for (y = 0; y <= 16; y++)
		for (z = -3; z < 4; z++) {
			((uint64_t *)c.state)[2] = ((uint64_t)1 << y) - 1;
			check(asks_with(&c, z) == rint(6.25 * ((double)y + (double)z - 16 * p) /
			    gap));
		}
	al = exp(-1 / dp_q_double(noise_of(m, 0)->param));
	v = 6.25 * 6.25 * (16 * p * (1 - p) + 2 * al / (1 - al) / (1 - al)) / (gap * gap) +
	    6.25 * 50 * .5 * 84 / 99;
	check(fabs(dp_mech_variance(m, 1) / v - 1) < 1e-9);
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

static void
eligible(void)
{
	const struct dp_sketch undone = { .universe = 99, .buckets = 16, .deletes = true };
	const struct dp_sketch wide = { .universe = 99, .buckets = 16, .wide = 32 };
	const struct dp_sketch small = { .universe = 100 };
	struct dp_mech *m;

	check(make_sample(15, 16, 1) == NULL && make_sample(0, 16, 1) == NULL);
	check(sketch_make("sample", &undone, 9, 0, 1, 1) == NULL);
	check(sketch_make("sample", &wide, 9, 0, 1, 1) == NULL);
	check(sketch_make("sample", &small, 9, 0, 1, 1) == NULL);	/* 4096 of 100 */
	m = make_sample(1000000, 16, 1);
	check(m != NULL && m->column == 24);
	dp_mech_free(m);
}

int
main(void)
{
	permutation(16, 16);
	permutation(17, 16);
	permutation(100, 32);
	permutation(257, 64);
	permutation(1024, 128);
	permutation(4099, 4096);
	pairs();
	oracles();
	eligible();
	return done();
}
