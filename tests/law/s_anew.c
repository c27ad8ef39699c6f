/* SPDX-License-Identifier: ISC */
/*
 * s_anew.c - memory begun anew after looks: mean and variance of answers after each of them, and
 * whether epsilon can be refuted from two looks and an answer.
 *
 * Law: R = 6000 runs, fixed seed, of 40 identifiers of 100, seen before the first look, after the
 * last, or between.  Statistics as in s_distinct.c, limit 5.5 for each of 12.  Power: a gain 10 %
 * off moves one beyond 10.
 *
 * Neighbours: N runs of each of six histories of one identifier, with memory looked at twice, the
 * second time after it was begun anew, and one answer, before the first look or after the second.
 * An event is (memory, memory, answer); the limit is that of histories.h.  Power: what is seen
 * comes within a quarter of epsilon.
 */
#include "../unit/covers.h"
#include "../unit/histories.h"

#define RUNS	6000

struct trial {
	bool cells, known;		/* known: the public key is one and the same */
	double base, unit;
};

static void
begin(const struct trial *w, struct column *c)
{
	static const uint64_t key[2] = { 1, 2 };	/* privacy may not rest on it */

	if (c->m->ops->start(c->m, c->state, c->rng) != 0)
		abort();
	if (w->known)
		memcpy(c->state, key, sizeof key);
	((uint64_t *)c->state)[2] = 0;
}

/* The bit, or the quarter of the circle. */
static unsigned
memory(const struct trial *w, const struct column *c)
{
	const uint64_t at = ((const uint64_t *)c->state)[4];

	return (unsigned)(w->cells ? at >> 62 : at & 1);
}

static unsigned
answered(const struct trial *w, struct column *c)
{
	const unsigned part = part_of((asks(c) - w->base) / w->unit);

	return w->cells ? part * 5 / PARTS : part;
}

static void
anew(struct column *c)
{
	if (c->m->ops->open.anew(c->m, c->state, c->rng) != 0)
		abort();
}

/* The variance after j looks, all of loss eps1. */
static double
predicted(const struct dp_mech *m, bool cells, unsigned j, double D)
{
	static const double zigzag[] = { 1, .5, 1. / 3 };
	const double eps1 = 1 / dp_q_double(noise_of(m, 1)->param);
	const double g = pow(tanh(eps1 / 2), j + 1) * (cells ? zigzag[j] : 1);
	const double p = (1 - g) / 2, q = exp(-1 / dp_q_double(noise_of(m, 0)->param));
	const double noise = 2 * q / (1 - q) / (1 - q);

	return cells ? ((100 - D) * p * (1 - p) + D / 4 + noise) / (g * g / 4) :
	    (100 * p * (1 - p) + noise) / (g * g);
}

static void
law(const char *name, bool cells)
{
	const struct dp_sketch s = { .universe = 100, .looks = 2, .lines = true };
	const struct dp_mech_rule r = sketch_setting(&dp_distinct, &s, 1000, 0, 9, 1);
	static double x[3][RUNS];
	struct dp_mech *m = make(name, &r);
	struct trial w = { .cells = cells };
	struct dp_rng *rng = seeded(21);
	double mean, s2, s4, d, D, v;
	struct column c;
	unsigned j, i;
	int k;

	if (m == NULL || column_new(&c, m, rng) != 0) {
		fail(name);
		return;
	}
	for (k = 0; k < RUNS; k++) {
		memset(c.state, 0, m->column);
		begin(&w, &c);
		for (j = 0; j < 3; j++) {
			for (i = 0; i < 20; i++) {	/* 20, 30 and 40 of them by then */
				sees(&c, 10 * j + i, 1 + (int64_t)(i % 3));
				sees(&c, 99, cells ? i % 2 ? -1 : 1 : 0);
			}
			x[j][k] = asks(&c);
			if (j < 2)
				anew(&c);
		}
	}
	for (j = 0; j < 3; j++) {
		for (mean = s2 = s4 = 0, k = 0; k < RUNS; k++)
			mean += x[j][k] / RUNS;
		for (k = 0; k < RUNS; k++) {
			d = x[j][k] - mean;
			s2 += d * d / (RUNS - 1);
			s4 += d * d * d * d / RUNS;
		}
		D = 20 + 10 * j;
		v = predicted(m, cells, j, D);
		check(fabs(mean - D) <= LIMIT * sqrt(v / RUNS));
		check(fabs(s2 / v - 1) <= LIMIT * sqrt((s4 / (s2 * s2) - 1) / RUNS) + 1 / v);
		check(j < 2 || fabs(dp_mech_variance(m, 40) / v - 1) < 1e-9);
		if (fabs(mean - D) > LIMIT * sqrt(v / RUNS))
			printf("%s: %u looks: mean %.6g, variance %.6g of %.6g\n", name, j, mean,
			    s2, v);
	}
	dp_rng_free(rng);
	column_free(&c);
	dp_mech_free(m);
}

/* Sights before the first look, until memory is begun anew, until the second look, and then. */
static const int parts[TIMES][4] = { { 0, 0, 0, 0 }, { 1, 0, 0, 0 }, { 0, 0, 1, 0 },
    { 1, 0, 2, 0 }, { 0, 1, 0, 1 }, { 2, -1, -1, 1 } };

static void
neighbours(const char *name, bool cells, int runs)
{
	const struct dp_sketch s = { .universe = 1, .looks = 1, .deletes = cells };
	const struct dp_mech_rule r = sketch_setting(&dp_distinct, &s, 9, 0, 3, 1);
	static double hit[TIMES][EVENTS];
	struct dp_mech *m = make(name, &r);
	struct trial w = { .cells = cells, .known = true };
	unsigned i, k, late, first, second = 0, part = 0;
	struct column c;
	double largest = 0;
	int n;

	if (m == NULL || column_new(&c, m, seeded(22)) != 0) {
		fail(name);
		return;
	}
	for (late = 0; late < 2; late++) {
		memset(c.state, 0, m->column);
		((uint64_t *)c.state)[2] = late;
		w.base = asks_with(&c, 0);
		w.unit = asks_with(&c, 1) - w.base;
		memset(hit, 0, sizeof hit);
		for (i = 0; i < TIMES; i++) {
			if (i == TIMES - 1 && !cells)
				continue;
			for (n = 0; n < runs; n++) {
				begin(&w, &c);
				for (first = k = 0; k < 4; k++) {
					sees(&c, 0, parts[i][k]);
					if (k == 0 && !late)
						part = answered(&w, &c);
					if (k == 0)
						first = memory(&w, &c);
					if (k == 1)
						anew(&c);
					if (k == 2)
						second = memory(&w, &c);
				}
				if (late)
					part = answered(&w, &c);
				hit[i][(first * 4 + second) * (cells ? 5 : 9) + part]++;
			}
		}
		check(!refuted(name, hit, 3, 400, &largest));
	}
	check(largest > 3 * .75);
	if (largest <= 3 * .75)
		printf("%s: largest log-ratio %.3g\n", name, largest);
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

int
main(int argc, char **argv)
{
	covers(argc, argv);
	if (!leave_named("law", "anew", "distinct"))
		law("anew", false);
	if (!leave_named("law", "anew-cells", "distinct"))
		law("anew-cells", true);
	if (!leave_named("neighbour", "anew", "distinct"))
		neighbours("anew", false, 300000);
	if (!leave_named("neighbour", "anew-cells", "distinct"))
		neighbours("anew-cells", true, 300000);
	return done();
}
