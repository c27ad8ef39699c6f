/*
 * phase.h - the inside of phase.c and phase_error.c.
 */
#ifndef DP_PHASE_H
#define DP_PHASE_H

#include "cells.h"
#include "ramp.h"

#define DP_PHASE_BOUND	((int64_t)1 << 20)

struct dp_phase {
	struct dp_memory mem;
	const struct dp_statistic *what;
	uint64_t n;			/* cells */
	struct dp_bands bands;
	double gain;
	uint64_t every;			/* steps between answers; 0: there is one */
	unsigned shift;			/* 64 - bits of a cell */
	/* Of the fixed ramp, if there is one; else of that at the end of the run. */
	uint64_t last;
	uint64_t K;
	double square;
};

/* The threshold after t lines. */
uint64_t dp_phase_tau(const struct dp_sketch *, uint64_t t);
struct dp_ramp dp_phase_ramp(const struct dp_statistic *, uint64_t tau);
/* What the sum of r is to be multiplied by. */
double	dp_phase_worth(const struct dp_phase *, uint64_t tau);
/* W = 1 everywhere: a square wave will do. */
bool	dp_phase_square(const struct dp_phase *);
/* K. */
uint64_t dp_phase_scale(const struct dp_phase *, uint64_t tau);

/* phase_error.c */
double	dp_phase_gain(const struct dp_phase *, double eps1);
/* The bands and K that are best for the thresholds that answers will have, and `square`. */
void	dp_phase_plan(struct dp_phase *, const struct dp_mech_rule *);
/* For dp_memory_split(): of a struct dp_phase. */
double	dp_phase_variance(const void *, double eps1, double eps2);
/* As dp_mech_ops have them. */
void	dp_phase_law(const struct dp_mech *, unsigned out, uint64_t t, struct dp_law *);
void	dp_phase_error(const struct dp_mech *, uint64_t T, struct dp_error *);

#endif
