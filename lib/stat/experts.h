/* SPDX-License-Identifier: ISC */
/*
 * experts.h - the expert to follow in each round, as dpexperts and its mechanisms share it.
 */
#ifndef DP_STAT_EXPERTS_H
#define DP_STAT_EXPERTS_H

#include "counter/mech.h"

/* task.own */
struct dp_experts {
	bool given;			/* the user gave a rate */
	struct dp_q scale;		/* inverse of that rate, grid units; 0/1: no perturbation */
	/* The sums begin anew in each; 0: one.  More than one: all that a unit moves is in one. */
	uint64_t segments;
};

extern const struct dp_statistic dp_experts_statistic;

#endif
