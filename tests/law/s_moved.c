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
 * Neighbours: as s_distinct.c; what is answered is the fourth answer, of 8 without and of 4096 with
 * a threshold.  Power: what is seen comes within 15 % of what memory alone may show.
 */
#include "../unit/covers.h"
#include "../unit/histories.h"
#include "sketch/moved.h"

#define M	20000
#define RUNS	60
#define ANSWERS	300
#define EACH	200		/* lines of an answer */

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
	return m->off.drift + dp_law_bound(&l, gamma / m->off.worst_of);
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
	const struct dp_mech_rule r = sketch_setting(&dp_distinct, &s, ANSWERS * EACH, EACH, 8, 1);
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
			d = asks(&c) - fmin(M, EACH * ((double)a + 1));
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
	check(squares / (ANSWERS * RUNS) <= e.max);
	ones(m, last);
	dp_rng_free(rng);
	dp_mech_free(m);
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
	return part_of(asks(c) * w->gap);
}

static void
neighbours(uint64_t T)
{
	const struct dp_sketch s = { .universe = 1 };
	const struct dp_mech_rule r = sketch_setting(&dp_distinct, &s, T, 1, 3, 1);
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
	}
	if (!leave_named("neighbour", "moved", "distinct")) {
		neighbours(8);
		neighbours(4096);
	}
	return done();
}
