/*
 * t_anew.c - memory begun anew after looks: oracles, the joint law of two looks and an answer by
 * enumeration, the coefficients of cells, what is refused.
 */
#include "sketch.h"

static struct dp_mech *
make_anew(const char *name, uint64_t universe, uint64_t looks, uint64_t num, uint64_t den)
{
	const struct dp_sketch s = { .universe = universe, .looks = looks };

	return sketch_make(name, &s, 9, 0, num, den);
}

/* Loss of one look. */
static double
look_loss(const struct dp_mech *m)
{
	return 1 / dp_q_double(noise_of(m, 1)->param);
}

static void
anew(struct column *c)
{
	if (c->m->ops->open.anew(c->m, c->state, c->rng) != 0)
		abort();
}

/* Bits or cells, behind four words. */
static uint64_t *
words_of(struct column *c)
{
	return (uint64_t *)c->state + 4;
}

/* The budget is that of all looks and the answer. */
static void
budget(const char *name)
{
	struct dp_mech *m;
	uint64_t looks;
	double all;

	for (looks = 1; looks < 8; looks++) {
		if ((m = make_anew(name, 40, looks, 5, 2)) == NULL) {
			fail(name);
			return;
		}
		all = (double)(looks + 1) * look_loss(m) + 1 / dp_q_double(noise_of(m, 0)->param);
		check(fabs(all - 2.5) < 1e-6);
		dp_mech_free(m);
	}
}

/* After each number of looks: D^ = (Y + z - m p)/gap. */
static void
oracles(const char *name, bool cells)
{
	/* of sec x + tan x */
	static const double zigzag[] = { 1, .5, 1. / 3, 5. / 24 };
	struct dp_mech *m = make_anew(name, 4, 3, 9, 1);
	uint64_t j, y, i;
	struct column c;
	double g, p, gap;
	int64_t z;

	if (m == NULL || column_new(&c, m, seeded(1)) != 0) {
		fail(name);
		return;
	}
	for (j = 0; j < 4; j++) {
		g = pow(tanh(look_loss(m) / 2), (double)j + 1) * (cells ? zigzag[j] : 1);
		p = (1 - g) / 2;
		gap = cells ? g / 2 : g;
		for (y = 0; y < 16; y++)
			for (z = -3; z < 4; z++) {
				for (i = 0; cells && i < 4; i++)
					words_of(&c)[i] = y >> i & 1 ? (uint64_t)1 << 63 : 0;
				if (!cells)
					words_of(&c)[0] = y;
				check(asks_with(&c, z) == rint((__builtin_popcountll(y) +
				    (double)z - 4 * p) / gap));
			}
		if (j < 3)
			anew(&c);
	}
	check(m->ops->open.anew(m, c.state, c.rng) == DP_EHALT);
	check(m->ops->valid(m, c.state, 1));
	((uint64_t *)c.state)[2] = 4;	/* a forged number of looks */
	check(!m->ops->valid(m, c.state, 1));
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

/* C(k): the mean of S times its k-fold convolution, on a circle of 2048 places. */
static void
coefficients(void)
{
	enum { N = 2048 };
	static double once[N], many[N], next[N];
	struct dp_mech *m = make_anew("anew-cells", 1, 7, 9, 1);
	struct column c;
	double mean, gap, g;
	int i, j, k;

	if (m == NULL || column_new(&c, m, seeded(1)) != 0) {
		fail("anew-cells");
		return;
	}
	g = tanh(look_loss(m) / 2);
	for (i = 0; i < N; i++)		/* at the middles of places */
		once[i] = many[i] = i < N / 4 || i >= 3 * N / 4 ? 1 : -1;
	for (k = 1; k <= 8; k++) {
		for (mean = 0, i = 0; i < N; i++)
			mean += once[i] * many[i] / N;
		gap = 1e9 / (asks_with(&c, 1000000000) - asks_with(&c, 0));
		check(fabs(gap / (pow(g, k) * mean / 2) - 1) < 1e-2);
		memset(next, 0, sizeof next);
		for (i = 0; i < N; i++)
			for (j = 0; j < N; j++)
				next[(i + j) % N] += once[i] * many[j] / N;
		memcpy(many, next, sizeof many);
		if (k < 8)
			anew(&c);
	}
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

/*
 * A bit at two looks, the second one after it was begun anew, and an answer at one of three
 * moments; of an identifier that is seen, or not, before each of what comes: law[] over all paths
 * of the bit.  The worst log-ratio of any two such histories is at most epsilon, and is not far
 * below: a look after the first tells less where the bit was drawn again.
 */
static void
enumerate(uint64_t num, uint64_t den)
{
	enum { N = 20, MOMENTS = 4, SEEN = 16 };
	struct dp_mech *m = make_anew("anew", 1, 1, num, den);
	static double law[SEEN][4][2 * N + 1];
	const double eps = (double)num / (double)den;
	double p, q, weight, worst = 0;
	int answer, seen, path, i, j, b, at, z;

	if (m == NULL) {
		fail("anew");
		return;
	}
	p = 1 / (1 + exp(look_loss(m)));
	q = (1 - (1 - 2 * p) * (1 - 2 * p)) / 2;	/* after the first look */
	/* moments: look, anew, look, with the answer after moment `answer` - 1 */
	for (answer = 0; answer < MOMENTS; answer++) {
		memset(law, 0, sizeof law);
		for (seen = 0; seen < SEEN; seen++)
			for (path = 0; path < 16; path++) {
				for (weight = 1, i = 0; i < MOMENTS; i++) {
					/* by sights before it, the bit is 1 with probability .. */
					const double one = i < 2 ? 1 - p : 1 - q;
					double to = i == 0 ? p : (path >> (i - 1) & 1);

					if (i == 1 && (seen >> 1 & 1))
						to = one;
					else if (i != 1 && (seen >> i & 1))
						to = one;
					if (i == 1)	/* and then all are flipped */
						to = to * (1 - p) + (1 - to) * p;
					b = path >> i & 1;
					weight *= b ? to : 1 - to;
				}
				at = (path & 1) | (path >> 2 & 1) << 1;	/* what looks show */
				b = path >> answer & 1;
				for (z = -N; z <= N; z++)
					law[seen][at][z + N] += weight *
					    laplace(noise_of(m, 0), z - b);
			}
		for (i = 0; i < SEEN; i++)
			for (j = 0; j < SEEN; j++)
				for (at = 0; at < 4; at++)
					for (z = 0; z <= 2 * N; z++)
						worst = fmax(worst, log(law[i][at][z] /
						    law[j][at][z]));
	}
	check(worst <= eps * (1 + 1e-9));
	check(worst >= eps * .65);
	if (worst > eps || worst < eps * .65)
		printf("worst %.6g of %.6g\n", worst, eps);
	dp_mech_free(m);
}

/* 20,000 bits or cells, at the start and after each look: shares of ones as the law has them. */
static void
draws(const char *name, bool cells)
{
	const double n = 20000;
	struct dp_mech *m = make_anew(name, 20000, 2, 4, 1);
	struct column c;
	double p, ones, g;
	uint64_t i, j;

	if (m == NULL || column_new(&c, m, seeded(4)) != 0) {
		fail(name);
		return;
	}
	g = tanh(look_loss(m) / 2);
	for (j = 0; j < 3; j++) {
		p = (1 - pow(g, (double)j + 1) / (cells ? (double)j + 1 : 1)) / 2;
		for (ones = 0, i = 0; i < 20000; i++)
			ones += cells ? dp_cell_out(words_of(&c)[i]) :
			    (double)(words_of(&c)[i / 64] >> i % 64 & 1);
		check(fabs(ones - n * p) < 5.5 * sqrt(n * p * (1 - p)));
		if (j < 2)
			anew(&c);
	}
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

/* A look changes no answer where there is no noise. */
static void
exactly(const char *name)
{
	struct dp_mech *m = make_anew(name, 100, 2, 0, 1);
	struct column c;
	uint64_t i;

	if (m == NULL || column_new(&c, m, NULL) != 0) {
		fail(name);
		return;
	}
	for (i = 0; i < 90; i++) {
		check(asks(&c) == (double)i);
		sees(&c, i, 1 + (int64_t)(i % 3));
		sees(&c, i + 100, 1);		/* none of the universe */
		if (i % 40 == 39)
			anew(&c);
	}
	check(m->ops->open.anew(m, c.state, NULL) == DP_EHALT && asks(&c) == 90);
	column_free(&c);
	dp_mech_free(m);
}

/* Whoever is not of this kind pays for one look alone, and is refused. */
static void
eligible(void)
{
	static const char *const one_look[] = { "cells", "density", "hashed", "hashed-bits",
	    "continual", "alg1" };
	const struct dp_sketch s = { .universe = 9, .looks = 1, .updates = 2, .buckets = 16 };
	const struct dp_sketch undone = { .universe = 9, .looks = 1, .deletes = true };
	size_t i;

	for (i = 0; i < sizeof one_look / sizeof *one_look; i++)
		check(sketch_make(one_look[i], &s, 9, 0, 1, 1) == NULL);
	check(make_anew("anew", 9, 0, 1, 1) == NULL && make_anew("anew", 9, 8, 1, 1) == NULL);
	check(make_anew("anew", 0, 1, 1, 1) == NULL && make_anew("anew-cells", 0, 1, 1, 1) == NULL);
	check(sketch_make("anew", &undone, 9, 0, 1, 1) == NULL);
}

/*
 * A look that is not told before another is not paid for (anew.c): without a line of one of the
 * universe between them memory is the same at both, and with one often not.
 */
static void
untold(void)
{
	struct dp_mech *m = make_anew("anew", 1, 1, 4, 1);
	unsigned moved = 0, i;
	struct column c;
	uint64_t y;

	if (m == NULL || column_new(&c, m, seeded(5)) != 0) {
		fail("untold");
		return;
	}
	for (i = 0; i < 200; i++) {
		y = words_of(&c)[0];
		sees(&c, 1, 0);
		check(words_of(&c)[0] == y);
		sees(&c, 0, 1);
		moved += words_of(&c)[0] != y;
	}
	check(moved > 40);
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

int
main(void)
{
	budget("anew");
	budget("anew-cells");
	oracles("anew", false);
	oracles("anew-cells", true);
	coefficients();
	enumerate(1, 1);
	enumerate(3, 1);
	enumerate(1, 4);
	draws("anew", false);
	draws("anew-cells", true);
	exactly("anew");
	exactly("anew-cells");
	eligible();
	untold();
	return done();
}
