/* SPDX-License-Identifier: ISC */
/*
 * s_moved.c - answers of bits whose number is compared with steps: that none is farther off than is
 * said, and whether epsilon can be refuted from memory and answers together.
 *
 * Law: R = 60 runs, fixed seed, of 300 answers while 20000 of 20000 identifiers come, and come
 * again and again: once where a line is one identifier, and looks are few; once where that is not
 * known, and there is a threshold.  No answer is off by more than is said with probability 1 -
 * 1e-6/R; the worst answer of more than 0.95 of runs, but for a false-reject of 1e-6 (14 of 60),
 * keeps the bound for that; and mean squares are below the one predicted.  The number of ones has
 * the mean and variance of its law: limits of 5.5.  Power: most runs pass half of the bound.
 *
 * Predicted: R = 300 runs, fixed seed, of each setting below and of each of four inputs: the worst,
 * which stands still where the plan says, its identifiers coming again and again; half of these;
 * nobody; and a number that rises to the end.  The rms of the last answer's error over the runs is
 * what is predicted of the worst, within 5 % and 5.5 of its standard errors, false-reject of 1e-6;
 * no other input is above that by more.  Their mean over all settings, of what is predicted, is
 * within 2 % and 5.5 of 1.  Power: of one setting the two allow 30 % at most, of the mean 7 %.
 *
 * Neighbours: as s_distinct.c; what is answered is the fourth answer, of 8 without and of 4096 with
 * a threshold.  Power: what is seen comes within 15 % of what memory alone may show.  Of a density,
 * which is the number over the universe, with a threshold alone.
 */
#include "../unit/covers.h"
#include "../unit/histories.h"
#include "sketch/internal.h"

#define M	20000
#define RUNS	60
#define ANSWERS	300
#define EACH	200		/* lines of an answer */
#define TRIALS	300		/* of what is predicted */

/* The statistic, of `places' identifiers, and what one is in its answers. */
static const struct dp_statistic *statistic = &dp_distinct;

static double
unit(double places)
{
	return statistic == &dp_density ? 1e6 / places : 1;
}

struct trial {
	struct dp_mech *m;
	struct dp_rng *rng;
	double gap;
};

static uint64_t *
bits_of(const struct column *c)
{
	return (uint64_t *)c->state + 2 + DP_MOVED_LEVELS;
}

static const struct dp_moved *
plan_of(const struct dp_mech *m)
{
	return (const void *)m;
}

/* What no answer is off by but with probability gamma. */
static double
bound(const struct dp_mech *m, double gamma)
{
	struct dp_law l;

	dp_law_clear(&l);
	m->ops->law.at(m, 0, 1, &l);
	return (m->off.drift + dp_law_bound(&l, gamma / m->off.worst_of)) / unit(M);
}

/* The number of ones, in identifiers, after the last answer: mean, and variance m p (1 - p). */
static void
ones(const struct dp_mech *m, const double last[static RUNS])
{
	const double p = plan_of(m)->odds.p, gap = plan_of(m)->odds.gap;
	const double v = M * p * (1 - p) / (gap * gap);
	double mean = 0, s2 = 0;
	int k;

	for (k = 0; k < RUNS; k++)
		mean += last[k] / RUNS;
	for (k = 0; k < RUNS; k++)
		s2 += (last[k] - mean) * (last[k] - mean) / (RUNS - 1);
	check(fabs(mean - M) <= LIMIT * sqrt(v / RUNS));
	check(fabs(s2 / v - 1) <= LIMIT * sqrt(2. / RUNS));
}

static void
law(bool lines)
{
	const struct dp_sketch s = { .universe = M, .lines = lines };
	const struct dp_mech_rule r = sketch_setting(statistic, &s, ANSWERS * EACH, EACH, 8, 1);
	struct dp_mech *m = make("moved", &r);
	struct dp_rng *rng = seeded(31);
	static double last[RUNS];
	double d, worst, squares = 0;
	unsigned far = 0, half = 0;
	struct dp_error e;
	struct column c;
	uint64_t a, i;
	int k;

	if (m == NULL) {
		fail("moved");
		return;
	}
	check((plan_of(m)->levels == 0) == lines);
	for (k = 0; k < RUNS; k++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (worst = 0, a = 0; a < ANSWERS; a++) {
			for (i = 0; i < EACH; i++)
				sees(&c, (EACH * a + i) % M, 1);
			d = asks(&c) / unit(M) - fmin(M, EACH * ((double)a + 1));
			worst = fmax(worst, fabs(d));
			squares += d * d;
		}
		check(worst <= bound(m, 1e-6 / RUNS));
		far += worst > bound(m, .05);
		half += worst > bound(m, .05) / 2;
		last[k] = ((double)dp_bits_count(bits_of(&c), 0, M) - M * plan_of(m)->odds.p) /
		    plan_of(m)->odds.gap;
		column_free(&c);
	}
	check(far <= 14 && half > RUNS / 2 && bound(m, .05) < M / 4.);
	dp_mech_error(m, ANSWERS * EACH, &e);
	check(squares / (ANSWERS * RUNS) <= e.max / (unit(M) * unit(M)));
	ones(m, last);
	dp_rng_free(rng);
	dp_mech_free(m);
}

enum input { WORST, HALF, NOBODY, RISES, INPUTS };

/* What one answer's identifiers are: D after them, which was `is'. */
static uint64_t
answer_of(struct column *c, enum input kind, uint64_t is, uint64_t *at)
{
	const struct dp_moved *k = plan_of(c->m);
	const double most = kind == NOBODY ? 0 : kind == RISES ? k->most :
	    kind == HALF ? floor(k->worst / 2) : k->worst;
	const uint64_t d = (uint64_t)most, rise = d / k->answers + 1;
	const uint64_t lines = !isinf(k->lines) ? (uint64_t)k->lines : kind == RISES ? rise : d;
	uint64_t i;

	for (i = 0; i < lines && d > 0; i++, (*at)++)
		sees(c, *at % d, 1);
	return is + lines < d ? is + lines : d;
}

/* The mean square of the last answer's error, and its standard error. */
static double
measured(const struct dp_mech *m, enum input kind, struct dp_rng *rng, double *error)
{
	double x = 0, sum = 0, fourth = 0;
	struct column c;
	uint64_t a, at, d;
	int i;

	for (i = 0; i < TRIALS; i++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (a = at = d = 0; a < plan_of(m)->answers; a++) {
			d = answer_of(&c, kind, d, &at);
			x = asks(&c) - (double)d;
		}
		sum += x * x / TRIALS;
		fourth += x * x * x * x / TRIALS;
		column_free(&c);
	}
	*error = sqrt(fmax(0, fourth - sum * sum) / TRIALS);
	return sum;
}

/* Measured by predicted: the sum, and that of the squares of standard errors. */
static double ratios, errors;

/* The error predicted is that of the worst input; epsilon num/2. */
static void
predicted(uint64_t universe, uint64_t T, uint64_t each, uint64_t num, bool lines)
{
	const struct dp_sketch s = { .universe = universe, .lines = lines };
	const struct dp_mech_rule r = sketch_setting(&dp_distinct, &s, T, each, num, 2);
	struct dp_mech *m = make("moved", &r);
	struct dp_rng *rng = seeded(33);
	double is, off, root;
	struct dp_error e;
	enum input i;

	if (m == NULL) {
		fail("moved");
		return;
	}
	dp_mech_error(m, T, &e);
	root = sqrt(e.max);
	check(e.mean <= e.max && e.max < e.mean * 2);
	for (i = WORST; i < INPUTS; i++) {
		is = sqrt(measured(m, i, rng, &off)) / root;
		off /= 2 * is * e.max;
		check(is <= 1.05 + LIMIT * off);
		if (i != WORST)
			continue;
		check(is >= .95 - LIMIT * off && LIMIT * off <= .25);
		ratios += is;
		errors += off * off;
	}
	dp_rng_free(rng);
	dp_mech_free(m);
}

/* -e, T, answers, a universe, and lines of an answer; all that come between are unknown (false). */
static void
settings(void)
{
	predicted(1000, 1000, 1, 2, true);
	predicted(1000, 3000, 1, 16, true);
	predicted(1000, 6000, 50, 4, true);
	predicted(20000, 3000, 100, 2, true);
	predicted(300, 256, 1, 4, false);
	predicted(100, 512, 1, 16, false);
	predicted(200, 1024, 1, 12, false);
	predicted(500, 64, 1, 40, false);
	predicted(1000, 64, 1, 6, false);
	predicted(1000, 16, 1, 16, true);
	predicted(100, 8, 1, 16, true);
	predicted(1000, 8, 1, 2, true);
	predicted(10000, 32, 1, 16, true);
	check(fabs(ratios / 13 - 1) <= .02 + LIMIT * sqrt(errors) / 13);
	check(LIMIT * sqrt(errors) / 13 <= .05);
}

static void
begin(const struct trial *w, struct column *c)
{
	if (column_new(c, w->m, w->rng) != 0)
		abort();
}

static unsigned
memory(const struct trial *w, const struct column *c)
{
	(void)w;
	return (unsigned)(*bits_of(c) & 1);
}

static unsigned
answered(const struct trial *w, struct column *c)
{
	int i;

	for (i = 0; i < 3; i++)
		(void)asks(c);
	return part_of(asks(c) / unit(1) * w->gap);
}

static void
neighbours(uint64_t T)
{
	const struct dp_sketch s = { .universe = 1 };
	const struct dp_mech_rule r = sketch_setting(statistic, &s, T, 1, 3, 1);
	static double hit[TIMES][EVENTS];
	struct trial w = { .m = make("moved", &r), .rng = seeded(32) };
	double largest = 0, eps1;
	unsigned i, after;

	if (w.m == NULL) {
		fail("moved");
		return;
	}
	check((plan_of(w.m)->levels == 0) == (T == 8));
	eps1 = 1 / dp_q_double(plan_of(w.m)->mem.state.param);
	w.gap = tanh(eps1 / 2);
	for (after = 0; after < 2; after++) {
		memset(hit, 0, sizeof hit);
		for (i = 0; i < TIMES - 1; i++)
			run(&w, hit[i], i, 100000, after);
		check(!refuted("moved", hit, 3, 400, &largest));
	}
	check(largest > eps1 * .85);
	dp_rng_free(w.rng);
	dp_mech_free(w.m);
}

int
main(int argc, char **argv)
{
	covers(argc, argv);
	if (!leave_named("law", "moved", "distinct")) {
		law(true);
		law(false);
		settings();
	}
	if (!leave_named("neighbour", "moved", "distinct")) {
		neighbours(8);
		neighbours(4096);
	}
	statistic = &dp_density;
	if (!leave_named("law", "moved", "density"))
		law(false);
	if (!leave_named("neighbour", "moved", "density"))
		neighbours(4096);
	return done();
}
