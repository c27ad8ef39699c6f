/*
 * bridge.h - the bridge tree: a generator of noise increments w_t that never looks at the data.
 *
 * R: a tree over time.  Level l < h-1 has nodes of B_l = k_0 .. k_(l-1) steps in parents of k_l nodes; the
 * top level is a row of nodes of B_(h-1) steps.  Every node releases (in the analysis) its sum plus
 * DLap(l1 / (epsilon share_l)); a step lies in one node a level, so sum share_l <= 1 is the whole proof of
 * privacy (sensitivity exactly 1 in L1 per unit of every family).
 * L: (almost) the least-squares estimate of the prefix sums from R x + z (Hay et al. 2010), generated top
 * down: given the noise P of a parent, its children get z_i + (P - sum z)/k.  A column's estimate
 * is A x + L z = L (R x + z), a function of the noisy node sums alone, because L R = A and
 * every operation is exact: radices are powers of two and noise is kept in units of 2^-64.
 * L need not be causal: future noise may be drawn early, it never looks at the data.
 *
 * y_t = x_t + w_t is already private, so any filter of y is post-processing.
 *
 * Variance of the prefix sum at t, with s = (t mod B_(l+1)) / B_l, r = floor s, f = s - r, v_l = Var(z of level l):
 *   sum_{l < h-1} v_l (r + f^2 - s^2 / k_l)  +  v_(h-1) (r + f^2)  [top: s = t / B_(h-1)].
 *
 * Cost: sum k_l words, 1 + 1/k_0 + .. draws a step.
 */
#ifndef DP_BRIDGE_H
#define DP_BRIDGE_H

#include "law.h"
#include "mech.h"

#define DP_BRIDGE_LEVELS	16
#define DP_BRIDGE_RADIX		6	/* radices 2^1 .. 2^6 */

struct dp_bridge_shape {
	unsigned h;			/* levels, >= 1 */
	unsigned log2k[DP_BRIDGE_LEVELS];	/* radix of level l < h-1 */
	unsigned log2b[DP_BRIDGE_LEVELS];	/* log2 B_l, filled in by dp_bridge_set() */
	struct dp_q share[DP_BRIDGE_LEVELS];
};

struct dp_bridge {
	struct dp_bridge_shape shape;
	bool dry;			/* the noise tables are not built */
	unsigned first[DP_BRIDGE_LEVELS];	/* where level l's draws begin in the column */
	unsigned words;			/* draws kept */
	unsigned tables;
	unsigned table[DP_BRIDGE_LEVELS];	/* level -> noise table: equal shares have one */
	struct dp_noise noise[DP_BRIDGE_LEVELS];
};

/* One column of a generator; draws[] has `words` entries. */
struct dp_bridge_column {
	dp_wide offset[DP_BRIDGE_LEVELS];	/* c_l = (P - sum z) / k_l, 2^-64 units */
	int64_t draws[];
};

size_t	dp_bridge_column_size(const struct dp_bridge *);	/* bytes, a multiple of 16 */

/*
 * gauss: discrete Gaussians by zCDP shares.
 * DP_EINVAL: too many levels, or radices whose product passes 2^62; DP_ERANGE: a scale does not fit.
 */
int	dp_bridge_set(struct dp_bridge *, const struct dp_bridge_shape *, const struct dp_privacy *,
	    bool gauss) DP_MUSTUSE;

/*
 * A block: the increments of steps i .. i + n - 1 (0-based, i a multiple of n, blocks in order)
 * are z[j] + offset / 2^64, where n = dp_bridge_block() and z has room for n.
 */
unsigned dp_bridge_block(const struct dp_bridge *);
int	dp_bridge_fill(const struct dp_bridge *, struct dp_bridge_column *, struct dp_rng *,
	    uint64_t i, int64_t *z, dp_wide *offset) DP_MUSTUSE;

/* The law of w_1 + .. + w_t is added to *l. */
void	dp_bridge_law(const struct dp_bridge *, uint64_t t, struct dp_law *l);
double	dp_bridge_variance(const struct dp_bridge *, uint64_t t);
/* Exact maximum over t = 1..T (branch and bound over the digits of t) and sum over t = 1..T. */
double	dp_bridge_max(const struct dp_bridge *, uint64_t T, uint64_t *worst);
double	dp_bridge_sum(const struct dp_bridge *, uint64_t T);
double	dp_bridge_draws(const struct dp_bridge *);	/* mean draws a step */

/* sum over t = 0..T of level l's coefficient of v_l in the variance formula */
double	dp_bridge_level_sum(const struct dp_bridge_shape *, unsigned l, uint64_t T);

/*
 * The shape for 1 <= T <= 2^50 steps: radices 2^1..2^6, non-increasing upwards, at most 80 top
 * nodes (one: a measured root), budgets by the cube root (Gauss: square root) of each level's coefficient.
 */
int	dp_bridge_search(struct dp_bridge_shape *, uint64_t T, bool gauss) DP_MUSTUSE;
/* Segment j = 0, 1, .. of the endless mechanism: 16^(j+2) steps, radix 16, measured root. */
void	dp_bridge_segment(struct dp_bridge_shape *, unsigned j, bool gauss);

#endif
