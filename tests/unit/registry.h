/* SPDX-License-Identifier: ISC */
/* registry.h - a rule that every mechanism on the list should like, for each task. */
#ifndef TEST_REGISTRY_H
#define TEST_REGISTRY_H

#include "covers.h"
#include "mech.h"

/* epsilon = 1, or inf if exact; delta = 1e-6 for those that need one */
static inline struct dp_mech_rule
registry_rule(const struct dp_mech_ops *o, enum dp_what what, bool exact, uint64_t T)
{
	static const double g[] = { 1, .75, .5, .5, .125 };
	const bool whole = what & (DP_TASK_COUNT | DP_TASK_WINDOW | DP_TASK_GRADUAL);
	struct dp_mech_rule r = {
		.horizon = T, .report = T, .most = 1, .every = 1, .inputs = 1, .beta = .05,
		.task = { .what = what, .map = DP_TASK_EXP, .windows = 1, .w = { 5 }, .alpha = .75,
		    .power = 1.5, .beta = .001, .lambda = 1, .g = g,
		    .ng = what == DP_TASK_GRADUAL ? 0 : 5,
		    .decimals = whole ? 0 : 6 }
	};
	struct dp_q delta = dp_q_make(o->traits & DP_TRAIT_DELTA ? 1 : 0, 1000000);

	if (dp_privacy_set(&r.privacy, exact, dp_q_make(1, 1), delta, 1, 1) != 0)
		abort();
	return r;
}

#endif
