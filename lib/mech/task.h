/*
 * task.h - what a tool's estimates approximate, as mechanisms see it.
 *
 * Step t's estimate is sum over lags d of g(d) x_(t-d), x the step values in grid units:
 *   COUNT    g = 1
 *   WINDOW   g(d) = 1 for d < W, else 0; several W are several estimates from one budget
 *   EXP      g(d) = alpha^d, 0 < alpha < 1
 *   POLY     g(d) = (d + 1)^-power, power > 0
 *   TABLE    g(0) = 1, g(1), .. non-increasing, given; 0 past the end
 * Under expiry only the last W steps are protected; older ones are public:
 *   EXPIRE   COUNT, all of what is older exact (Bolot et al. 2013, Algorithm 5)
 *   GRADUAL  COUNT, the loss grows slowly with age (Andersson et al. 2024)
 *   MAP      EXP, POLY or TABLE under a sharp expiry (Bolot et al. 2013, Theorems 8, 9)
 */
#ifndef DP_TASK_H
#define DP_TASK_H

#include "base/num.h"

enum dp_what {
	DP_TASK_COUNT = 1, DP_TASK_WINDOW = 2, DP_TASK_EXP = 4, DP_TASK_POLY = 8,
	DP_TASK_TABLE = 16, DP_TASK_EXPIRE = 32, DP_TASK_GRADUAL = 64, DP_TASK_MAP = 128
};
#define DP_TASK_DECAY	(DP_TASK_EXP | DP_TASK_POLY | DP_TASK_TABLE)

#define DP_WINDOWS_MAX	16

struct dp_task {
	enum dp_what what;
	enum dp_what map;		/* MAP: EXP, POLY or TABLE */
	unsigned windows;		/* WINDOW: 1..DP_WINDOWS_MAX lengths, else 0 */
	uint64_t w[DP_WINDOWS_MAX];	/* in steps, as given; EXPIRE, MAP: w[0], windows = 1 */
	double alpha;			/* EXP */
	double power;			/* POLY */
	double beta;			/* multiplicative error that bucketed mechanisms may make, (0,1) */
	double lambda;			/* GRADUAL: noise of level l is ((1+l)^(1-lambda))/epsilon */
	const double *g;		/* TABLE: ng weights, the caller's */
	size_t ng;
	unsigned decimals;		/* estimates are in units of 10^-decimals grid units */
};

/* g(d) and G(n) = g(0) + .. + g(n-1); POLY's G is a sum of n terms. */
double	dp_task_weight(const struct dp_task *, uint64_t d);
double	dp_task_total(const struct dp_task *, uint64_t n);
/* Sums of g(d)^2 and of d g(d)^2 over a <= d < b, to some 1e-13 relative; TABLE: O(b - a), else O(1). */
double	dp_task_squares(const struct dp_task *, uint64_t a, uint64_t b);
double	dp_task_moment(const struct dp_task *, uint64_t a, uint64_t b);

#endif
