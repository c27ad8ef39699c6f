/* SPDX-License-Identifier: ISC */
/*
 * s_distinct.c - sketches of identifiers: mean and variance of their answers, and whether epsilon
 * can be refuted from memory and answers together.
 *
 * Law: R independent runs, fixed seed.  Statistics: (mean - D) / sqrt(v / R), and (sample variance
 * / v - 1) / sqrt((2 + kurtosis) / R), v the predicted variance and the excess kurtosis measured;
 * limit 5.5 for each of some 60, so that a true law is rejected with probability below 1e-5 in all.
 * Power: a scale or an odds 10 % off, or a bias of a tenth of an sd, moves one of them beyond 10.
 *
 * Neighbours: N runs of each of several histories of one identifier.  Cells are (what memory holds
 * of it, an answer), the memory's moment before the answer's or after.  For two histories with x
 * and y hits of a cell, log(x/y) - epsilon in units of sqrt(1/x + 1/y) stays below 5.5.  Power: the
 * largest log-ratio that is seen comes within 15 % of epsilon, so a loss 20 % too large would show.
 */
#include <stdio.h>

#include "../unit/covers.h"
#include "../unit/histories.h"


static const struct dp_statistic *
statistic_of(const char *name)
{
	return strcmp(name, "density") == 0 ? &dp_density :
	    strcmp(name, "recent") == 0 ? &dp_recent : &dp_distinct;
}

static bool
near(const char *what, const struct dp_mech *m, const double *x, int R, double want, double v,
    double slack)
{
	double mean = 0, s2 = 0, s4 = 0, d, limit;
	bool good;
	int i;

	for (i = 0; i < R; i++)
		mean += x[i] / R;
	for (i = 0; i < R; i++) {
		d = x[i] - mean;
		s2 += d * d / (R - 1);
		s4 += d * d * d * d / R;
	}
	limit = LIMIT * sqrt(fmax(s4 / (s2 * s2) - 1, 1) / R) + slack;
	good = fabs(mean - want) <= LIMIT * sqrt(v / R) + slack * sqrt(v) && s2 / v >= 1 - limit &&
	    s2 / v <= 1 + limit;
	if (!good)
		printf("%s %s: mean %.6g, not %.6g; variance %.6g, predicted %.6g (%d runs)\n",
		    m->ops->name, what, mean, want, s2, v, R);
	return good;
}

/*
 * Histories: D identifiers of m, once or up to three times; with deletions some that come and go,
 * and some that are undone only.
 */
static void
history(struct column *c, uint64_t D, uint64_t m, bool deletes)
{
	uint64_t i;

	for (i = 0; i < D; i++)
		sees(c, m - 1 - i, deletes && i % 3 == 0 ? -(int64_t)(i % 4 + 1) :
		    (int64_t)(i % 3 + 1));
	for (i = 0; deletes && i < m - D && i < 20; i++) {
		sees(c, i, 2);
		sees(c, i, -2);
	}
}

static void
law(const char *name, const char *task, uint64_t universe, uint64_t D, bool deletes, uint64_t every,
    int R, double slack)
{
	/* in line mode the law at step D is that of D identifiers */
	const bool sampled = strcmp(name, "sample") == 0;
	const double n = 64, all = (double)universe, seen = (double)D;
	const struct dp_sketch s = { .universe = universe, .lines = true, .deletes = deletes,
	    .buckets = sampled ? 64 : 256, .flips = 2, .window = 7 };
	struct dp_mech_rule r = sketch_setting(statistic_of(task), &s, 1000, every, 3, 2);
	struct dp_mech *m = make(name, &r);
	struct column c;
	struct dp_rng *rng;
	double *x = calloc((size_t)R, sizeof *x), unit, v;
	uint64_t k;
	int i;

	if (m == NULL || x == NULL) {
		fail(name);
		return;
	}
	unit = r.task.statistic == &dp_density ? 1e6 / (double)universe : 1;
	rng = seeded(D + universe);
	for (i = 0; i < R; i++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		if (m->ops->traits & DP_TRAIT_TABLE)	/* it is told that all are new */
			for (k = 0; k < D; k++, c.word = 0)
				sees(&c, 0, 1);
		else
			history(&c, D, universe != 0 ? universe : 1000000, deletes);
		if (m->ops->step(m, c.state, rng, ++c.t, NULL, NULL) != 0)
			abort();
		if (universe == 0)	/* so many lines: no answer is cut to what they hold */
			c.t = 8 * D;
		x[i] = asks(&c);
		column_free(&c);
	}
	v = dp_mech_variance(m, D);
	if (sampled)		/* what is said is that of half of all */
		v -= all / n * (all - n) / (all - 1) * (all / 4 - seen * (1 - seen / all)) *
		    unit * unit;
	check(near(deletes ? "with deletions" : "", m, x, R, (double)D * unit, v, slack));
	dp_rng_free(rng);
	dp_mech_free(m);
	free(x);
}

static const struct {
	const char *name, *task;
	bool deletes;
	uint64_t universe;
	int runs;
	double slack;		/* of what is efficient and normal in the limit only */
} cases[] = {
	{ "cells", "distinct", true, 100, 8000, 0 },
	{ "cells", "density", true, 100, 8000, 0 },
	{ "density", "distinct", false, 100, 8000, 0 },
	{ "density", "density", false, 100, 8000, 0 },
	{ "sample", "distinct", false, 100, 3000, 0 },
	{ "sample", "density", false, 100, 3000, 0 },
	{ "hashed", "distinct", true, 0, 1600, .1 },
	{ "hashed-bits", "distinct", false, 0, 1600, .1 },
	{ "running", "distinct", false, 0, 20000, 0 },
	{ "turnstile", "distinct", true, 100, 8000, 0 },
	{ "turnstile-table", "distinct", true, 0, 20000, 0 },
	{ "window", "recent", false, 0, 20000, 0 },
};

#define CASES	(sizeof cases / sizeof cases[0])

static void
laws(unsigned i)
{
	const uint64_t few = cases[i].universe, D[] = { 1, few / 2, few };
	int k;

	if (few == 0) {		/* at the lower end estimates are cut at 0, and not unbiased */
		law(cases[i].name, cases[i].task, 0, 1000, false, 0, cases[i].runs, cases[i].slack);
		return;
	}
	for (k = 0; k < 3; k++) {
		law(cases[i].name, cases[i].task, few, D[k], false, 0, cases[i].runs, 0);
		law(cases[i].name, cases[i].task, few, D[k], false, 250, cases[i].runs, 0);
		if (cases[i].deletes)
			law(cases[i].name, cases[i].task, few, D[k], true, 0, cases[i].runs, 0);
	}
}

struct trial {
	const struct dp_mech *m;
	const struct dp_sketch *s;
	struct dp_rng *rng;
	bool bits, hashed;
	double base, unit;		/* an answer is base + unit (Y + z), but for hashed ones */
	size_t word;			/* of the column, which the identifier feeds, */
	uint64_t bit;			/* and its bit of it */
	double hit[TIMES][EVENTS];
};

/* There is one key, so that place and multiplier are known: privacy may not rest on it. */
static void
begin(const struct trial *w, struct column *c)
{
	static const uint64_t key[2] = { 1, 2 };

	if (column_new(c, w->m, w->rng) != 0)
		abort();
	if (w->hashed || !w->bits)
		memcpy(c->state, key, sizeof key);
}

static void
find_place(struct trial *w)
{
	uint64_t *at, *old = malloc(w->m->column);
	struct column c;
	size_t i;
	int k;

	begin(w, &c);
	if (old == NULL)
		abort();
	at = c.state;
	memcpy(old, at, w->m->column);
	w->bit = 0;
	for (k = 0; w->bit == 0 && k < 1000; k++) {	/* a bit may be drawn as it was */
		sees(&c, 0, 1);
		/* what stands beside is a function of the rest */
		for (i = 0; i < (w->m->column - w->m->beside) / 8; i++)
			if (at[i] != old[i]) {
				w->word = i;
				w->bit = at[i] ^ old[i];
			}
	}
	column_free(&c);
	free(old);
}

/* The bit, or the eighth of the circle. */
static unsigned
memory(const struct trial *w, const struct column *c)
{
	const uint64_t at = ((const uint64_t *)c->state)[w->word];

	return w->bits ? (at & w->bit) != 0 : (unsigned)(at >> 61);
}

static unsigned
answered(const struct trial *w, struct column *c)
{
	if (w->hashed)		/* an answer takes long: t_hashed.c has its noise */
		return 0;
	return part_of((asks(c) - w->base) / w->unit);
}

static void
sketch_neighbours(unsigned which)
{
	static struct trial w;
	const char *name = cases[which].name;
	const struct dp_sketch s = { .universe = cases[which].universe != 0,
	    .buckets = strcmp(name, "sample") == 0 ? 1 : 16, .deletes = cases[which].deletes };
	const struct dp_mech_rule r =
	    sketch_setting(statistic_of(cases[which].task), &s, 9, 0, 3, 2);
	double eps = 1.5, largest = 0;
	struct column c;
	unsigned i, after;

	w = (struct trial){ .m = make(name, &r), .s = &s, .rng = seeded(7),
	    .bits = strcmp(name, "density") == 0 || strcmp(name, "hashed-bits") == 0 ||
	    strcmp(name, "sample") == 0,
	    .hashed = cases[which].universe == 0 };
	if (w.m == NULL) {
		fail(name);
		return;
	}
	if (w.hashed)			/* what memory alone may show */
		eps = 1 / dp_q_double(noise_of(w.m, 1)->param);
	find_place(&w);
	begin(&w, &c);
	if (!w.hashed) {
		memset(c.state, 0, w.m->column);	/* Y = 0 */
		w.base = asks_with(&c, 0);
		w.unit = asks_with(&c, 1) - w.base;
	}
	column_free(&c);
	for (after = 0; after < (w.hashed ? 1 : 2); after++) {
		memset(w.hit, 0, sizeof w.hit);
		for (i = 0; i < TIMES; i++)
			if (times[i][1] >= 0 || s.deletes)
				run(&w, w.hit[i], i, w.hashed ? 10000 : 60000, after);
		check(!refuted(name, w.hit, eps, 400, &largest));
	}
	check(largest > eps * .85);
	if (largest <= eps * .85)
		printf("%s: largest log-ratio %.3g, epsilon %.3g\n", name, largest, eps);
	dp_rng_free(w.rng);
	dp_mech_free((struct dp_mech *)(uintptr_t)w.m);
}

/*
 * What is shown before the first of two answers, and before the second: rows of which any two are
 * neighbours.
 */
static const struct {
	const char *name;
	int rows, row[4][2];
} shown[] = {
	{ "running", 3, { { 1, 0 }, { 0, 1 }, { 0, 0 } } },
	{ "turnstile", 4, { { 1, 0 }, { 0, 1 }, { 0, 0 }, { 1, -1 } } },
	{ "turnstile-table", 4, { { 1, 0 }, { 0, 1 }, { 0, 0 }, { 1, -1 } } },
	{ "window", 2, { { 1, 0 }, { 0, 0 } } },
};

static unsigned
cut(double y)
{
	return y < -4 ? 0 : y > 4 ? 8 : (unsigned)((int)y + 4);
}

/* Exact memory: two answers. */
static void
exact_neighbours(unsigned which)
{
	static struct trial w;
	const struct dp_sketch s = { .universe = cases[which].universe != 0, .flips = 2,
	    .window = 1, .deletes = cases[which].deletes };
	const struct dp_mech_rule r =
	    sketch_setting(statistic_of(cases[which].task), &s, 2, 1, 3, 2);
	struct dp_mech *m = make(cases[which].name, &r);
	struct dp_rng *rng = seeded(8);
	double largest = 0, y[2];
	struct column c;
	int i, k, t;
	unsigned n = 0;

	while (strcmp(shown[n].name, cases[which].name) != 0)
		n++;
	if (m == NULL) {
		fail(cases[which].name);
		return;
	}
	memset(w.hit, 0, sizeof w.hit);
	for (i = 0; i < shown[n].rows; i++)
		for (k = 0; k < 400000; k++) {
			if (column_new(&c, m, rng) != 0)
				abort();
			for (t = 0; t < 2; t++) {
				sees(&c, 0, shown[n].row[i][t]);
				if (m->ops->step(m, c.state, rng, ++c.t, NULL, NULL) != 0)
					abort();
				y[t] = asks(&c);
			}
			column_free(&c);
			w.hit[i][cut(y[0]) * PARTS + cut(y[1] - y[0])]++;
		}
	check(!refuted(cases[which].name, w.hit, 1.5, 400, &largest));
	check(largest > 1.5 * .85);
	if (largest <= 1.5 * .85)
		printf("%s: largest log-ratio %.3g\n", cases[which].name, largest);
	dp_rng_free(rng);
	dp_mech_free(m);
}

/* Nothing is promised of this one but that it is no farther off than the universe is large. */
static void
alg1_law(void)
{
	const struct dp_sketch s = { .universe = 30 };
	struct dp_mech *m = sketch_make("alg1", &s, 9, 0, 3, 1);
	struct dp_rng *rng = seeded(9);
	struct column c;
	double squares = 0, est;
	uint64_t D, i;
	int k;

	for (D = 0; D <= 30 && m != NULL; D += 10)
		for (k = 0; k < 500; k++) {
			if (column_new(&c, m, rng) != 0)
				abort();
			for (i = 0; i < D; i++)
				sees(&c, i, 1);
			est = asks(&c);
			check(est >= 0 && est <= 30);
			squares += (est - (double)D) * (est - (double)D) / 2000;
			column_free(&c);
		}
	check(m != NULL && squares <= dp_mech_variance(m, 1) * (1 + 1e-9) && squares > 1);
	dp_rng_free(rng);
	dp_mech_free(m);
}

/*
 * Of a universe of one, memory begins at one of three vectors, at that of nobody with probability
 * 1 / (1 + 2 e^-kappa).  n = 20000; the limit of 6 standard deviations: 2e-9.
 */
static void
alg1_memory(void)
{
	const struct dp_sketch s = { .universe = 1 };
	struct dp_mech *m = sketch_make("alg1", &s, 9, 0, 3, 1);
	struct dp_rng *rng = seeded(11);
	const struct dp_noise *z;
	const char *what;
	const double n = 20000;
	struct column c;
	double p, none = 0;
	int k;

	check(m != NULL && dp_mech_family(m, 0, &z, &what));
	p = 1 / (1 + 2 * exp(-1 / dp_q_double(z->param)));
	for (k = 0; k < (int)n; k++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		none += *(uint64_t *)c.state == 0;
		column_free(&c);
	}
	check(fabs(none / n - p) < 6 * sqrt(p * (1 - p) / n));
	dp_rng_free(rng);
	dp_mech_free(m);
}

/*
 * Of a universe of one: memory is a vector of three, an answer 0 or 1.  Its law is enumerated in
 * t_alg1.c; here memory and answer are drawn together.
 */
static void
alg1_neighbours(void)
{
	static struct trial w;
	const struct dp_sketch s = { .universe = 1, .deletes = true };
	struct dp_mech *m = sketch_make("alg1", &s, 9, 0, 3, 2);
	struct dp_rng *rng = seeded(10);
	double largest = 0;
	uint64_t row = 0, at;
	struct column c;
	unsigned i;
	int k;

	memset(w.hit, 0, sizeof w.hit);
	for (i = 0; i < TIMES && m != NULL; i++)
		for (k = 0; k < 4000; k++) {
			if (column_new(&c, m, rng) != 0)
				abort();
			if (row == 0) {
				*(uint64_t *)c.state = 0;
				sees(&c, 0, 1);
				row = *(uint64_t *)c.state;
				k = -1;
				column_free(&c);
				continue;
			}
			sees(&c, 0, times[i][0]);
			at = *(uint64_t *)c.state;
			sees(&c, 0, times[i][1]);
			w.hit[i][(at == 0 ? 0U : at == row ? 1U : 2U) * PARTS +
			    (unsigned)asks(&c)]++;
			column_free(&c);
		}
	check(!refuted("alg1", w.hit, 1.5, 400, &largest));
	/* an answer tells 0 from 1 and 2, not those two: what it gives away is a little less */
	check(largest > 1.5 * .7);
	dp_rng_free(rng);
	dp_mech_free(m);
}

int
main(int argc, char **argv)
{
	unsigned i, n;

	covers(argc, argv);
	if (!leave_named("law", "alg1", "distinct")) {
		alg1_law();
		alg1_memory();
	}
	if (!leave_named("neighbour", "alg1", "distinct"))
		alg1_neighbours();
	for (i = 0; i < CASES; i++) {
		if (!leave_named("law", cases[i].name, cases[i].task))
			laws(i);
		if (leave_named("neighbour", cases[i].name, cases[i].task))
			continue;
		for (n = 0; n < sizeof shown / sizeof shown[0]; n++)
			if (strcmp(cases[i].name, shown[n].name) == 0)
				break;
		if (n < sizeof shown / sizeof shown[0])
			exact_neighbours(i);
		else
			sketch_neighbours(i);
	}
	return done();
}
