/* SPDX-License-Identifier: ISC */
/*
 * s_neighbour.c - can the claimed epsilon be refuted?
 *
 * T = 8, epsilon = 1, R = 300000 runs a side, 60000 of what is not tight, 40000 with a delta
 * (where a probability below it tells nothing), on x = 0 and on a neighbour (an event at step 1; at
 * step 3; an event of value 5, which the clamp must stop, is tool/dpcount.bats').  Events: all of
 * {y_t >= c_t, t in S}, or all of {y_t < c_t}, for the sets S below (c_t is what the event adds, so
 * that each factor is on the side the event pushes it to).
 * epsilon is refuted when the Clopper-Pearson style lower end of ln(p1/p0) exceeds 1: normal
 * quantile 6.3 on both proportions, false-reject rate below 1e-6 for all tests together (below 2 *
 * 2 * 16 a case).  With delta, p1 - delta in place of p1.
 * This can refute differential privacy, not prove it.  Power is shown by fault/faults.bats: tree
 * with one level too few (true loss 1.5) and halved scales (2) are refuted.
 * Tight mechanisms must also come near: they reach at least 0.9 (else the test looks in the wrong
 * place).
 */
#include <stdio.h>

#include "../unit/covers.h"
#include "../unit/mech.h"

#define STEPS	8
#define SETS	16

static const double weights[] = { 1, 1, .6, .3, .3, .1 };

static const struct {
	const char *name;
	struct dp_task task;
	bool tight, delta;
	uint64_t more;		/* than 1 is what an event adds, by so much */
} cases[] = {
	{ "input", { .what = DP_TASK_COUNT }, true, false, 0 },
	{ "output", { .what = DP_TASK_COUNT }, false, false, 0 },
	{ "response", { .what = DP_TASK_COUNT }, false, false, 0 },
	{ "tree", { .what = DP_TASK_COUNT }, true, false, 0 },
	{ "kary", { .what = DP_TASK_COUNT }, false, false, 0 },
	{ "pan", { .what = DP_TASK_COUNT }, false, false, 0 },
	{ "pan-slots", { .what = DP_TASK_COUNT }, false, false, 0 },
	{ "blt", { .what = DP_TASK_COUNT }, false, true, 0 },
	{ "blt-norm", { .what = DP_TASK_COUNT }, false, true, 0 },
	{ "blt", { .what = DP_TASK_WINDOW, .windows = 1, .w = { 3 } }, false, true, 0 },
	{ "blt", { .what = DP_TASK_EXP, .alpha = 0.5, .decimals = 6 }, false, true, 0 },
	{ "input", { .what = DP_TASK_WINDOW, .windows = 1, .w = { 3 } }, true, false, 0 },
	{ "input", { .what = DP_TASK_EXP, .alpha = 0.5, .decimals = 6 }, true, false, 0 },
	{ "input", { .what = DP_TASK_POLY, .power = 1.5, .decimals = 6 }, true, false, 0 },
	{ "input", { .what = DP_TASK_TABLE, .g = weights, .ng = 6, .decimals = 6 }, true, false,
	    0 },
	{ "normtree", { .what = DP_TASK_COUNT }, true, false, 0 },
	{ "normtree", { .what = DP_TASK_WINDOW, .windows = 1, .w = { 8 } }, false, false, 0 },
	{ "normtree", { .what = DP_TASK_EXP, .alpha = 0.97, .decimals = 6 }, false, false, 0 },
	{ "normtree", { .what = DP_TASK_COUNT }, true, false, 999 },
};

/* Sets as bit masks of steps 1..8. */
static const unsigned set[SETS] = { 1, 2, 4, 8, 128, 3, 11, 139, 9, 12, 13, 15, 255, 136, 252,
	140 };

struct counts {
	double up[SETS], down[SETS];
};

/* The value of step t's estimate if the only event, of 1, is at step `at`. */
static int64_t
effect(const struct dp_mech *m, const struct dp_task *k, uint64_t at, uint64_t t)
{
	return t < at ? 0 : (int64_t)llrint(dp_task_weight(k, t - at) *
	    pow(10, m->estimate.decimals));
}

static void
simulate(const struct dp_mech *m, const struct dp_task *k, struct dp_rng *rng, int64_t event,
    uint64_t at, uint64_t R, uint64_t shift, struct counts *n)
{
	int64_t y, least[STEPS + 1];
	struct column c;
	unsigned high;
	uint64_t r, t;
	int i;

	memset(n, 0, sizeof *n);
	for (t = 1; t <= STEPS; t++)
		least[t] = event * effect(m, k, shift, t);
	for (r = 0; r < R; r++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (high = 0, t = 1; t <= STEPS; t++) {
			if (column_step(&c, t == at ? event : 0, &y) != 0)
				abort();
			high |= (unsigned)(y >= least[t]) << (t - 1);
		}
		column_free(&c);
		for (i = 0; i < SETS; i++) {
			n->up[i] += (high & set[i]) == set[i];
			n->down[i] += (high & set[i]) == 0;
		}
	}
}

/* Lower end of ln((a - delta R)/b) for two counts of R. */
static double
loss(double a, double b, double R, double delta)
{
	const double z = 6.3;

	a -= delta * R;
	if (a < 2000 || b < 50)
		return -INFINITY;
	return log(a / b) - z * (sqrt((1 - a / R) / a) + sqrt((1 - b / R) / b));
}

static double
audit(size_t which, struct dp_rng *rng)
{
	static const uint64_t at[] = { 1, 3 };
	const uint64_t R = cases[which].tight ? 300000 : cases[which].delta ? 40000 : 60000;
	const struct dp_task *task = &cases[which].task;
	const uint64_t l1 = cases[which].more + 1;
	struct dp_mech_rule s = setting(STEPS, 1, 1, l1);
	struct counts zero, one;
	struct dp_mech *m;
	double worst = 0, d, delta = cases[which].delta ? 1e-3 : 0;
	int i, k;

	s.task = *task;
	s.pan = strncmp(cases[which].name, "pan", 3) == 0;
	if (cases[which].delta &&
	    dp_privacy_set(&s.privacy, false, dp_q_make(1, 1), dp_q_make(1, 1000), 1, 1) != 0)
		abort();
	if ((m = make(cases[which].name, &s)) == NULL)
		abort();
	for (k = 0; k < 2; k++) {
		simulate(m, task, rng, (int64_t)l1, 0, R, at[k], &zero);
		simulate(m, task, rng, (int64_t)l1, at[k], R, at[k], &one);
		for (i = 0; i < SETS; i++) {
			d = loss(one.up[i], zero.up[i], (double)R, delta);
			worst = d > worst ? d : worst;
			d = loss(zero.down[i], one.down[i], (double)R, delta);
			worst = d > worst ? d : worst;
		}
	}
	dp_mech_free(m);
	return worst;
}

int
main(int argc, char **argv)
{
	struct dp_rng *rng;
	double d;
	size_t i;

	covers(argc, argv);
	if (dp_rng_open_seed(&rng, 8) != 0)
		abort();
	for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		if (leave("neighbour", cases[i].name, cases[i].task.what))
			continue;
		d = audit(i, rng);
		printf("%s, task %d: loss at least %.3f of 1\n", cases[i].name,
		    (int)cases[i].task.what, d);
		check(d <= 1);
		check(!cases[i].tight || d >= 0.9);
	}
	dp_rng_free(rng);
	return done();
}
