/*
 * bridge.h - trees over time, drawn top down: a generator of noise increments w_t that never looks
 * at the data.
 *
 * R.  Level 0 measures every step value x_j, j = 0, 1, ..  A node J of level l >= 1 has k = k_l
 * children and B_l = k_1 .. k_l steps of its own, and measures a weighted sum of the level below:
 *	M_0 = x,   M_l[J] = sum_j m_l(j - kJ) M_(l-1)[j].
 *   box  m(i) = 1 for 0 <= i < k: the sum of its own steps.
 *   hat  m(i) = (2a + 1)/2k for -k/2 <= i < k/2, a = i + k/2, and 1 - (2a + 1)/2k for
 *        k/2 <= i < 3k/2, a = i - k/2: rises and falls over twice its own width.  Folding: the
 *        first hat of a generator has m = 1 for 0 <= i < k/2, and if a root ends it, the last has
 *        m = 1 for k/2 <= i < k and 0 beyond.
 * Both are partitions of unity: sum_J m_l(j - kJ) = 1 for every j, m >= 0.  den_l is the product of
 * 2k over the hats up to level l, so that den_l M_l is made of integers.
 *
 * Statement.  With z_l[J] = Z / den_l, Z drawn from DLap(den_l l1 / (epsilon share_l)) and sum
 * share_l <= 1, the release of all M_l[J] + z_l[J] is epsilon-DP; L below, with L R = 1, makes of
 * it y_t = x_t + w_t; so y, and any filter of it, is epsilon-DP, also for data that respond to it.
 *
 * Proof.  A step enters level l with total weight sum_j (its weight in j) sum_J m_l(j - kJ) = 1, by
 * induction: level l's sensitivity in L1 is exactly that of x, and that of den_l M_l is den_l l1.
 * The levels spend sum share_l epsilon (privacy.h).  L is
 *	w_t = z_0[t] + sum_(l >= 1) d_l[J_l(t)] / B_l,	J_l(t) the node whose own B_l steps hold t,
 *	d_l[J] = z_l[J] - sum_j m_l(j - kJ) z_(l-1)[j].
 * d_l[J] is a difference of two noisy measurements of one quantity, (M_l + z_l)[J] and sum_j m_l(j
 * - kJ) (M_(l-1) + z_(l-1))[j], in which x cancels: the same function of R x + z adds x_t alone.  L
 * need not be causal (future noise is drawn early), so data that respond need privacy.h's ADAPTIVE:
 * its map R is made of integers here, times den_l.  Gaussian noise: boxes only.
 *
 * Any weights on the d would do.  1/B_l makes the increments over a node's own steps sum to z_l[J]
 * and what is above it, for boxes, which is the least-squares estimate (Hay et al. 2010); for hats
 * they do so in the mean, interpolated between the middles of the blocks.  Everything is exact:
 * den_l and B_l are powers of two, den_l B_l <= 2^64, and noise is kept in units of 2^-64.
 *
 * Tried, and left out, as normtree.h has a sixth less error where hats are: each node's d with
 * those beside it, -theta d[J-1] + (1 + 2 theta) d[J] - theta d[J+1] (the best theta is 1/8, or
 * little else; shares tuned anew; epsilon 1): max/mean rms error
 *	T = 2^8  9.29/8.10 becomes 9.23/8.07	2^10  12.24/10.28, 12.03/10.13	2^20  -2.4/-2.6 %
 *	W = 2^10  15.94/14.45 becomes 15.70/14.24	alpha = .99  6.68/6.22, 6.59/6.12
 * And a share of its own for each node, which need not be large near the end: 8.28/7.86 at 2^8,
 * 10.68/10.08 at 2^10, for a known T alone; both together 10.63/9.99.  (normtree: 8.11/6.75 and
 * 10.46/8.77; 15 % less than hats at 2^20.)
 *
 * Source: boxes: this toolkit, after Hay et al.; hats: this toolkit.  Error: level.h, error.c.
 * Cost: 3/2 sum k_l words, 1 + 1/B_1 + .. draws a step.
 */
#ifndef DP_BRIDGE_H
#define DP_BRIDGE_H

#include "noise/law.h"
#include "mech/mech.h"

#define DP_BRIDGE_LEVELS	64
#define DP_BRIDGE_DRAWN	16	/* of one that draws; others are there to predict only */
#define DP_BRIDGE_RADIX		6	/* radices 2^1 .. 2^6 */

struct dp_bridge_shape {
	unsigned h;			/* levels, >= 1 */
	unsigned log2k[DP_BRIDGE_LEVELS];	/* of level l < h-1: children of a parent */
	bool hat[DP_BRIDGE_LEVELS];	/* whether that parent is a hat */
	bool hats;			/* hats were asked for, where they fit: */
	unsigned dens;			/* log2 den_l at most this */
	bool root;			/* the top row is one node: the generator ends with it */
	unsigned log2b[DP_BRIDGE_LEVELS];	/* log2 B_l, filled in by dp_bridge_set() */
	unsigned log2den[DP_BRIDGE_LEVELS];	/* log2 den_l, likewise */
	struct dp_q share[DP_BRIDGE_LEVELS];
};

struct dp_bridge {
	struct dp_bridge_shape shape;
	bool dry;			/* the noise tables are not built */
	unsigned first[DP_BRIDGE_DRAWN];	/* where level l's draws begin in the column */
	unsigned words;			/* draws kept */
	unsigned tables;
	unsigned table[DP_BRIDGE_DRAWN];	/* level -> noise table: equal scales have one */
	struct dp_noise noise[DP_BRIDGE_DRAWN];
};

/* One column of a generator; draws[] has `words` entries. */
struct dp_bridge_column {
	dp_wide offset[DP_BRIDGE_DRAWN];	/* sum of d/B over levels above l, 2^-64 units */
	dp_wide rise[DP_BRIDGE_DRAWN];	/* gathered for the next hat over level l, 1/den units */
	int64_t draws[];
};

size_t	dp_bridge_column_size(const struct dp_bridge *);	/* bytes, a multiple of 16 */

/*
 * gauss: discrete Gaussians by zCDP shares, boxes only. DP_EINVAL: too many levels, radices whose
 * product passes 2^62, den_l B_l beyond 2^64, a root that is a hat, hats with gauss; DP_ERANGE: a
 * scale does not fit.
 */
int	dp_bridge_set(struct dp_bridge *, const struct dp_bridge_shape *, const struct dp_privacy *,
	    bool gauss) DP_MUSTUSE;
/* Makes the tables of one that was set dry. */
int	dp_bridge_build(struct dp_bridge *) DP_MUSTUSE;

/*
 * A block: the increments of steps i .. i + n - 1 (0-based, i a multiple of n, blocks in order) are
 * z[j] + offset / 2^64, where n = dp_bridge_block().  z has room for 3n/2; what lies beyond n are
 * draws ahead, which must be there at the next call.
 */
unsigned dp_bridge_block(const struct dp_bridge *);
int	dp_bridge_fill(const struct dp_bridge *, struct dp_bridge_column *, struct dp_rng *,
	    uint64_t i, int64_t *z, dp_wide *offset) DP_MUSTUSE;
#define DP_BRIDGE_BLOCK	((unsigned)1 << DP_BRIDGE_RADIX)	/* the most */
#define DP_BRIDGE_ROOM	(DP_BRIDGE_BLOCK + DP_BRIDGE_BLOCK / 2)

/*
 * Could dp_bridge_fill() have left the column and the draws ahead in z so?  Then no sum of the next
 * blocks overflows: the bounds are those of children() and hat().
 */
bool	dp_bridge_valid(const struct dp_bridge *, const struct dp_bridge_column *,
	    const int64_t *z);

double	dp_bridge_draws(const struct dp_bridge *);	/* mean draws a step */
/* As dp_mech_ops.family(). */
bool	dp_bridge_family(const struct dp_bridge *, unsigned i, const struct dp_noise **,
	    const char **what);
/* What a unit of the i-th family's noise is worth: 1/den. */
double	dp_bridge_unit(const struct dp_bridge *, unsigned i);

/*
 * What follows describes the noise in the estimate of step t >= 1 of a COUNT, WINDOW or EXP over
 * one generator (task.h; WINDOW and EXPIRE: of w[out]; NULL: COUNT).
 */
/* The law is added to *l. */
void	dp_bridge_law(const struct dp_bridge *, const struct dp_task *, unsigned out, uint64_t t,
	    struct dp_law *);
/* What it is prepared for one task and output, so that parts are found fast; see dp_mech_ops. */
struct dp_bridge_view;
unsigned dp_bridge_parts(const struct dp_bridge *, const struct dp_bridge_view *, uint64_t t,
	    struct dp_part *);
void	dp_bridge_part(const struct dp_bridge *, const struct dp_bridge_view *,
	    const struct dp_part *, struct dp_law *);
/* COUNT: of now times the noise after t >= 0 steps plus next times that after t + 1. */
void	dp_bridge_blend(const struct dp_bridge *, uint64_t t, double now, double next,
	    struct dp_law *);
/*
 * Exact maximum (branch and bound over the digits of t) and sum over t = 1..T.  T at most the
 * root's reach.
 */
double	dp_bridge_max(const struct dp_bridge *, const struct dp_task *, unsigned out, uint64_t T,
	    uint64_t *worst);
double	dp_bridge_sum(const struct dp_bridge *, const struct dp_task *, unsigned out, uint64_t T);

/* Which shape: what is allowed, and what it is to be good at. */
struct dp_bridge_want {
	const struct dp_task *task;	/* WINDOW: tuned to the widest */
	uint64_t T;			/* steps that count, 1 <= T <= 2^50 */
	bool gauss;			/* boxes only, shares of rho */
	bool boxes;			/* boxes only */
	unsigned dens;			/* hats: log2 den_l at most this, dp_bridge_dens() */
	unsigned bottom;		/* the lowest radix is at least 2^bottom: for speed */
	struct dp_params *params;	/* the shape passes through it; or NULL */
};

/* How many bits of den fit this budget: the noise's scale is at most 2^40 (noise.h). */
unsigned dp_bridge_dens(const struct dp_privacy *);

/*
 * Radices 2^1..2^6, non-increasing upwards, at most 80 top nodes (one: a measured root), budgets by
 * the cube root (Gauss: square root) of each level's mean coefficient, hats: then tuned for the
 * worst step too. DP_EINVAL: T, or what params replay; DP_ENOMEM.
 */
int	dp_bridge_search(struct dp_bridge_shape *, const struct dp_bridge_want *) DP_MUSTUSE;
/*
 * Segment j = 0, 1, .. of the endless mechanism: 16^(j+2) steps, radix 16, measured root; hats as
 * far as they fit, but boxes under the root.  task, T: unused.  DP_EINVAL: what params replay.
 */
int	dp_bridge_segment(struct dp_bridge_shape *, unsigned j, const struct dp_bridge_want *);

#endif
