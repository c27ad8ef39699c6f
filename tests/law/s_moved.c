/*
 * s_moved.c - answers of bits that are released when they have moved: that none is farther off than
 * is said, and whether epsilon can be refuted from memory and answers together.
 *
 * Law: R = 60 runs, fixed seed, of 300 answers while 20000 of 20000 identifiers come, and come
 * again and again.  What is printed is never farther from the number of ones than the bound, which
 * fails with probability 1e-6 in a run; and the number of ones has the mean and variance that are
 * said: limits of 5.5 for each of four.  Power: answers are off by more than half of the bound.
 *
 * Neighbours: as s_distinct.c; what is answered is the fourth answer.  Power: what is seen comes
 * within 15 % of what memory alone may show.
 */
#include "../unit/covers.h"
#include "../unit/histories.h"
#include "mech/part.h"
#include "sketch/bits.h"
#include "stat/transform.h"

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
	return (uint64_t *)c->state + 2;
}

static double
state_loss(const struct dp_mech *m)
{
	unsigned i = 0;

	while (noise_of(m, i + 1) != NULL)
		i++;
	return 1 / dp_q_double(noise_of(m, i)->param);
}

static void
law(void)
{
	const struct dp_sketch s = { .universe = M, .lines = true };
	const struct dp_mech_rule r = sketch_setting(&dp_distinct, &s, ANSWERS * EACH, EACH, 8, 1);
	struct dp_mech *m = make("moved", &r);
	struct dp_rng *rng = seeded(31);
	static double last[2][RUNS];
	double p, gap, est, ones, mean, v, d, s2;
	const struct dp_transform_column *inner;
	uint64_t a, i, changed = 0;
	struct column c;
	int k, j;

	if (m == NULL) {
		fail("moved");
		return;
	}
	p = 1 / (1 + exp(state_loss(m)));
	gap = 1 - 2 * p;
	for (k = 0; k < RUNS; k++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		inner = dp_part_column(m->part, c.state, 0);
		for (a = 0; a < ANSWERS; a++) {
			for (i = 0; i < EACH; i++)
				sees(&c, (EACH * a + i) % M, 1);
			est = asks(&c);
			ones = ((double)dp_bits_count(bits_of(&c), 0, M) - M * p) / gap;
			check(fabs(est - ones) <= m->off.drift + 1);
			if (a == 49)
				last[0][k] = ones;
		}
		last[1][k] = ones;
		changed += inner->changes;
		column_free(&c);
	}
	/* they were released, and more than once: it is no bound of nothing */
	check(changed >= 2 * RUNS && m->off.drift < M / 2.);
	for (j = 0; j < 2; j++) {
		for (mean = s2 = 0, k = 0; k < RUNS; k++)
			mean += last[j][k] / RUNS;
		for (k = 0; k < RUNS; k++)
			s2 += (last[j][k] - mean) * (last[j][k] - mean) / (RUNS - 1);
		d = j == 0 ? 10000 : M;
		v = dp_mech_variance(m, (uint64_t)ANSWERS);
		check(fabs(v - M * p * (1 - p) / (gap * gap)) < 1e-6 * v);
		check(fabs(mean - d) <= LIMIT * sqrt(v / RUNS));
		check(fabs(s2 / v - 1) <= LIMIT * sqrt(2. / RUNS));
	}
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
neighbours(void)
{
	const struct dp_sketch s = { .universe = 1 };
	const struct dp_mech_rule r = sketch_setting(&dp_distinct, &s, 8, 1, 3, 1);
	static double hit[TIMES][EVENTS];
	struct trial w = { .m = make("moved", &r), .rng = seeded(32) };
	double largest = 0, eps1;
	unsigned i, after;

	if (w.m == NULL) {
		fail("moved");
		return;
	}
	eps1 = state_loss(w.m);
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
	if (!leave_named("law", "moved", "distinct"))
		law();
	if (!leave_named("neighbour", "moved", "distinct"))
		neighbours();
	return done();
}
