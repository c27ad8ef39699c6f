/* SPDX-License-Identifier: ISC */
/*
 * t_anew.c - memory begun anew after looks: oracles, the joint law of all looks and an answer by
 * enumeration, the coefficients of cells, what is refused.
 */
#include "sketch.h"
#include "sketch/internal.h"

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

/*
 * A bit's history by definition: its identifier is seen, or not, before each look and before it is
 * told: two bits of `seen' for each.  What all looks show is `path'; an answer, at the moment
 * `answer', has likelihood[b] where the bit is b.  The probability of both.
 */
struct history {
	double p;
	unsigned looks, seen, path, answer;
	double likelihood[2];
};

#define MOMENTS(looks)	(3 * (looks))	/* at each look, after it, after it was told */
#define NEVER		99

static void
sight(double of[2], double p, unsigned told, bool is)
{
	const double sum = of[0] + of[1], one = (1 + pow(1 - 2 * p, told + 1)) / 2;

	if (!is)
		return;
	of[0] = sum * (1 - one);
	of[1] = sum * one;
}

static void
answer(double of[2], const struct history *h, unsigned moment)
{
	if (h->answer != moment)
		return;
	of[0] *= h->likelihood[0];
	of[1] *= h->likelihood[1];
}

static double
probability(const struct history *h)
{
	double of[2] = { 1 - h->p, h->p }, was;
	unsigned j;

	for (j = 0; j < h->looks; j++) {
		sight(of, h->p, j, h->seen >> 2 * j & 1);
		answer(of, h, 3 * j);
		of[~h->path >> j & 1] = 0;
		sight(of, h->p, j, h->seen >> (2 * j + 1) & 1);
		answer(of, h, 3 * j + 1);
		was = of[0];		/* told: it is flipped */
		of[0] = (1 - h->p) * of[0] + h->p * of[1];
		of[1] = (1 - h->p) * of[1] + h->p * was;
		answer(of, h, 3 * j + 2);
	}
	return of[0] + of[1];
}

/* The worst log-ratio of any two histories, of all paths. */
static double
apart(struct history h)
{
	double worst = 0, least, most, p;

	for (h.path = 0; h.path >> h.looks == 0; h.path++) {
		least = INFINITY;
		most = 0;
		for (h.seen = 0; h.seen >> 2 * h.looks == 0; h.seen++) {
			p = probability(&h);
			least = fmin(least, p);
			most = fmax(most, p);
		}
		worst = fmax(worst, log(most / least));
	}
	return worst;
}

/* The budget is that of all looks and the answer; what looks at bits come to is what they lose. */
static void
budget(const char *name)
{
	const bool cells = strcmp(name, "anew") != 0;
	struct dp_mech *m;
	uint64_t looks;
	double all, eps1;

	for (looks = 1; looks < 8; looks++) {
		if ((m = make_anew(name, 40, looks, 5, 2)) == NULL) {
			fail(name);
			return;
		}
		eps1 = look_loss(m);
		all = cells ? (double)(looks + 1) * eps1 : dp_bits_looks(eps1, looks + 1);
		if (!cells && looks < 5)
			check(fabs(apart((struct history){ .p = 1 / (1 + exp(eps1)),
			    .looks = (unsigned)looks + 1, .answer = NEVER }) / all - 1) < 1e-9);
		all += 1 / dp_q_double(noise_of(m, 0)->param);
		check(fabs(all - 2.5) < 1e-6 && all <= 2.5 * (1 + 1e-12));
		dp_mech_free(m);
	}
}

/* What looks lose, where doubles end and before. */
static void
losses(void)
{
	double e;
	unsigned n;

	check(dp_bits_looks(700, 3) == 2100 && dp_bits_looks(.7, 1) == .7);
	for (e = 1e-3; e < 590; e *= 3)
		for (n = 2; n < 9; n++)
			check(dp_bits_looks(e, n) < n * e * (1 + 1e-12) &&
			    dp_bits_looks(e, n) > dp_bits_looks(e, n - 1));
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
 * All looks and an answer at any moment, together, are within epsilon, and not far: an answer after
 * a look tells less where the bit was drawn again.
 */
static void
enumerate(unsigned looks, uint64_t num, uint64_t den, double part)
{
	enum { N = 12 };
	struct dp_mech *m = make_anew("anew", 1, looks - 1, num, den);
	const double eps = (double)num / (double)den;
	struct history h = { .looks = looks };
	double worst = 0;
	int z;

	if (m == NULL) {
		fail("anew");
		return;
	}
	h.p = 1 / (1 + exp(look_loss(m)));
	for (h.answer = 0; h.answer < MOMENTS(looks); h.answer++)
		for (z = -N; z <= N; z++) {
			h.likelihood[0] = laplace(noise_of(m, 0), z);
			h.likelihood[1] = laplace(noise_of(m, 0), z - 1);
			worst = fmax(worst, apart(h));
		}
	check(worst <= eps * (1 + 1e-9) && worst >= eps * part);
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

/* A state goes on with its plan; one that paid for every look like the first has no such words. */
static void
replays(void)
{
	const struct dp_sketch s = { .universe = 40, .looks = 2 };
	struct dp_mech_rule r = sketch_setting(&dp_distinct, &s, 9, 0, 5, 2);
	struct dp_numbers params = { .n = 0 }, older = { .n = 0 };
	struct dp_mech *m, *again;
	size_t i, k;

	r.privacy.numbers = &params;
	m = make("anew", &r);
	dp_numbers_replay(&params);
	again = make("anew", &r);
	if (m == NULL || again == NULL) {
		fail("anew, replayed");
		return;
	}
	check(look_loss(m) == look_loss(again) && params.error == 0);
	for (i = 0; i < params.n && params.number[i].word != (uint64_t)1 << 32; i++)
		;
	check(i < params.n);
	for (k = 0; k < params.n; k++)
		if (k != i)
			dp_numbers_add(&older, params.number[k].word);
	dp_numbers_replay(&older);
	r.privacy.numbers = &older;
	check(make("anew", &r) == NULL);
	dp_numbers_free(&older);
	dp_mech_free(again);
	dp_mech_free(m);
	dp_numbers_free(&params);
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
 * A look that is not told before another is not paid for (density.c): without a line of one of the
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
	losses();
	enumerate(2, 1, 1, .85);
	enumerate(2, 3, 1, .85);
	enumerate(2, 1, 4, .85);
	enumerate(3, 1, 1, .85);
	enumerate(3, 3, 1, .85);
	enumerate(4, 2, 1, .85);
	replays();
	draws("anew", false);
	draws("anew-cells", true);
	exactly("anew");
	exactly("anew-cells");
	eligible();
	untold();
	return done();
}
