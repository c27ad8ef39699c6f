/* SPDX-License-Identifier: ISC */
/*
 * toy.h - tools that exist to be tested: one for each shape of a step and each way of printing.
 *
 * Each is a tool of the house with a mechanism of its own, in one file: what it shows is the seam.
 * Their estimates are not meant to be good, but their noise is honest: each says what it costs.
 */
#ifndef TOY_H
#define TOY_H

#include <stdio.h>
#include <string.h>

#include "job/internal.h"
#include "job/options.h"

/* The registry of this program, in place of job/list.c's. */
#define TOY_REGISTRY(...) \
	const struct dp_mech_ops * \
	dp_plan_list(unsigned i) \
	{ \
		static const struct dp_mech_ops *const list[] = { __VA_ARGS__ }; \
	\
		return i < sizeof list / sizeof list[0] ? list[i] : NULL; \
	}

/* A plan with one family of noise that may spend share of the budget. */
struct toy {
	struct dp_mech m;
	struct dp_noise noise;
};

static inline int
toy_new(struct dp_mech **out, const struct dp_mech_rule *rule, const struct dp_mech_ops *ops,
    struct dp_q share, size_t column)
{
	struct toy *k = dp_mech_alloc(ops, sizeof *k, rule->horizon, (column + 15) & ~(size_t)15);
	int e;

	if (k == NULL)
		return DP_ENOMEM;
	k->m.inputs = rule->inputs;
	k->m.drawn.noise = &k->noise;
	k->m.drawn.numbers = "everything";
	if ((e = dp_privacy_laplace(&k->noise, &rule->privacy, share)) != 0) {
		dp_mech_free(&k->m);
		return e;
	}
	*out = &k->m;
	return 0;
}

static inline int
toy_draw(const struct dp_mech *m, struct dp_rng *rng, int64_t *z)
{
	return dp_draw(&((const struct toy *)(const void *)m)->noise, rng, z);
}

/* The loss that n draws together stay below with probability 1 - 0.05. */
static inline void
toy_error(const struct dp_mech *m, double n, struct dp_error *e)
{
	struct dp_law law;

	dp_law_clear(&law);
	dp_law_add(&law, m->drawn.noise, 1, 1);
	e->max = e->mean = dp_law_bound(&law, 0.05 / n);
	e->worst = 1;
}

/* Options of a tool whose events contribute to several numbers. */
#define TOY_CONTRIBUTIONS	(DP_GROUP_RANGE | DP_GROUP_VALUE | DP_GROUP_MATCH | \
	DP_GROUP_STATE | DP_GROUP_TIME | DP_GROUP_KEY | DP_GROUP_USER | DP_GROUP_PAN | \
	DP_GROUP_BOUND)

/* A statistic of contributions: n outputs, for each key if there are any. */
static inline void
toy_outputs(struct dp_question *ask, const struct dp_statistic *s, const char *const name[],
    unsigned n)
{
	ask->task.what = DP_TASK_OWN;
	ask->task.statistic = s;
	for (ask->outputs = 0; ask->outputs < n; ask->outputs++)
		dp_options_output(ask, ask->outputs, name[ask->outputs], DP_OUTPUT_BIASED);
}

#endif
