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
/* Factor of the sum of r. */
double	dp_phase_worth(const struct dp_phase *, uint64_t tau);
/* W = 1 everywhere: a square wave will do. */
bool	dp_phase_square(const struct dp_phase *);
/* K. */
uint64_t dp_phase_scale(const struct dp_phase *, uint64_t tau);

/*
 * The most that R is off where identifiers are hashed to n buckets, in t lines, but for a
 * probability p: light ones add up to heavy ones, and heavy ones meet.  Statement: that is at most
 *	min(t/tau, M + x),  M = t^2 c/(2 n),  x = s sqrt(t ln(2/p)/(2 d)),
 * d = tau - low, c = 1/(low d), or 2 where low is 0; s = 1, or 2 where identifiers may be undone.
 *
 * Proof.  Let identifier i come to a_i, sum |a_i| <= t, R = sum of r(|a_i|), and R' the sum over
 * buckets of r(|their sum|).  r(a)/a is 1/tau at most, so both are from 0 to t/tau.
 *   (1) In one bucket |r(|a_1 + .. + a_k|) - r(|a_1|) - .. - r(|a_k|)| <= c P, P the sum of
 *   |a_i a_j| over its pairs.  For k = 2, a >= b >= 0, low > 0: r(a + b) - r(a) - r(b) is 0 if a +
 *   b <= low; if a >= low it is at most b/d <= a b/(low d); if both are below, (a + b - low)/d, and
 *   low^2 - (a + b) low + a b = (low - a)(low - b) >= 0.  r(a) + r(b) - r(a + b) is at most r(a) +
 *   r(b) - r(a - b), which is 0 if a <= low; if b <= low < a it is at most b/d; else (a + b - 2
 *   low)/d, and a b - (a + b) low + 2 low^2 = (a - low)(b - low) + low^2 >= 0.  Where low = 0 it is
 *   within 2, and a b >= 1 if neither is 0.  For k > 2 one by one: the k-th with the sum of those
 *   before.
 *   (2) Two are in one bucket with probability 1/n, so |E R' - R| <= c (t^2/2)/n = M.
 *   (3) Where one identifier goes moves R' by min(1, |a_i|/d) s at most, all else equal, and the
 *   sum of the squares of that is at most s^2 t/d: McDiarmid's inequality gives x, for both sides.
 * With a share of the lines tau moves with t: then M <= 9/4 share^2/n, and t/d <= 2 share, at any
 * t.  (low d >= 2/9 tau^2 for tau >= 2; for 1, t <= share.)
 */
double	dp_phase_meeting(const struct dp_phase *, uint64_t t, double p);

/* phase_error.c */
double	dp_phase_gain(const struct dp_phase *, double eps1);
/* The bands and K that are best for the thresholds that answers will have, and `square`. */
void	dp_phase_plan(struct dp_phase *, const struct dp_mech_rule *);
/* For dp_memory_split(): of a struct dp_phase. */
double	dp_phase_variance(const void *, double eps1, double noise);
/* Members of dp_mech_ops. */
void	dp_phase_law(const struct dp_mech *, unsigned out, uint64_t t, struct dp_law *);
void	dp_phase_error(const struct dp_mech *, uint64_t T, struct dp_error *);

#endif
