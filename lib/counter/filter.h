/* SPDX-License-Identifier: ISC */
/*
 * filter.h - polynomial decay (d + 1)^-c as a sum of exponentials, so that O(1) memory will do:
 *	(d + 1)^-c = 1/Gamma(c) int e^(c u - (d + 1) e^u) du
 * by the trapezoidal rule (Beylkin, Monzon 2005).  Relative error below 1e-9 for every lag below
 * 2^40, 0 < c < 8.  For private values only: doubles.
 */
#ifndef DP_COUNTER_FILTER_H
#define DP_COUNTER_FILTER_H

#include "mech.h"

#define DP_POWERS_MAX	402

struct dp_powers {
	unsigned n;			/* sum of weight[j] decay[j]^d */
	double weight[DP_POWERS_MAX], decay[DP_POWERS_MAX];	/* zeros from n on */
};

/*
 * The last values weighted one by one, in doubles.
 *
 * The terms of a sum are added in the order of their lags, from the newest value on.  So many steps
 * at once, which take a tenth of the time, give the bits that single steps give.
 */

/* n weights, the caller's.  A ring has n values, all 0 before step 1. */
struct dp_table {
	const double *g;
	size_t n;
};

/*
 * Counts, windows and decays as filters of private step values.
 *
 * y_t = x_t + w_t is private for every noise w that never looks at the data (ops->many.fill():
 * its header proves it) and for independent noise on every step value, so whatever is computed from
 * y_1, y_2, .. is post-processing: counts and window sums in fixed point, decays in doubles that
 * never see x itself.  The noise is tuned to the filter: create() gets the task.
 *
 * COUNT   the sum of all values of y, exact, rounded half to even (filter.c).
 * WINDOW  the sums of the last W values of y, exact in units of 2^-64, rounded half to even.
 * EXP     s = alpha s + y.
 * POLY    a sum of exponentials (filter.h), relative error below 1e-9 for every lag below 2^40;
 *         c >= 8: the last 48 values, weighted.
 * TABLE   the last ng values of y, weighted: O(ng) a step, and a tenth of it where 32 steps come at
 *         once; the sums are the same to the last bit.
 * Estimates of decays are in units of 10^-decimals, rounded to nearest; relative error of the
 * arithmetic below 1e-13 of the sum of magnitudes, ng 2^-53 of it for longer tables.
 *
 * Memory: WINDOW 16 bytes a step of the longest window, 8 where values and noise are known to fit a
 * word; TABLE 8 a weight; the others O(1).
 */

#define DP_FILTER_STEEP	48		/* lags that count where POLY is steep */

/* filter.c: what is made of y, wherever that comes from */
struct dp_filter {
	struct dp_task task;
	uint64_t ring;			/* values of y kept */
	unsigned shift;			/* WINDOW: last bits left out to fit a word; 0: two words */
	size_t ring_at;			/* bytes into the column */
	size_t column;			/* as dp_mech's, with what is before the ring */
	double unit;			/* 10^decimals */
	struct dp_table table;		/* TABLE and steep POLY */
	double steep[DP_FILTER_STEEP];	/* steep POLY: its weights */
	struct dp_powers powers;	/* POLY otherwise */
};

/* The plan of such a mechanism begins with this. */
struct dp_filtered {
	struct dp_mech m;		/* no fill(): m.noise, drawn at every step */
	struct dp_filter filter;
	/* The unit of w: 2^-fraction of a grid unit, and no w is above 2^60. */
	unsigned fraction;
	/* COUNT: a unit that is another at every step, one part in so many; fraction is 64. */
	uint64_t (*parts)(const struct dp_filtered *, uint64_t t);
	bool words;	/* COUNT: fraction is 0, and the sum of all w fits a word */
	size_t own;			/* bytes into the column, to fill()'s */
};

/*
 * Lays out the column for the rule's task, of which fill() has `own' bytes, once m.noise, m.block,
 * fraction and words are set.  Errors: as dp_filter_set().
 */
int	dp_filtered_set(struct dp_filtered *, const struct dp_mech_rule *, size_t own) DP_MUSTUSE;

/* Members of every such table, besides name, create(), fill(), law() and error(). */
#define DP_FILTERED_OPERATIONS \
	.step = dp_filtered_step, .many.columns = dp_filtered_columns, \
	.many.steps = dp_filtered_steps
int	dp_filtered_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
	    const int64_t *x, dp_wide *est);
int	dp_filtered_columns(const struct dp_mech *m, void *col, size_t stride, size_t n,
	    struct dp_rng *rng, uint64_t t, const int64_t *x, dp_wide *est);
int	dp_filtered_steps(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
	    const int64_t *x, dp_wide *y, size_t n, size_t *done);
/* ops->error() of all outputs, from that of each. */
void	dp_filtered_error(const struct dp_mech *m, uint64_t T, struct dp_error *e,
	    void (*of)(const struct dp_mech *, unsigned out, uint64_t T, struct dp_error *));
/* ops->valid(), but for what is fill()'s own. */
bool	dp_filtered_valid(const struct dp_mech *m, const void *col, uint64_t t);

static inline void *
dp_filtered_own(const struct dp_filtered *f, const void *col)
{
	return (char *)(uintptr_t)col + f->own;
}

/*
 * Where the variance of a window or a decay comes from, in an endless row of trees.
 *
 * Trees are binary, and a node's noise splits into that of its two children.  Where splits have a
 * variance by level, and are uncorrelated with each other and with the roots, the variance of an
 * estimate is a sum over nodes.  With q(J) the mean weight that the steps of node J have in it (0
 * if they are to come), that is
 *	sum over levels l < h, nodes J of 2^(l+1) steps: split_l (q(left half) - q(right half))^2
 *	+ sum over the roots J: root q(J)^2.
 * B = 2^l are the steps of a half (of a root at l = h).  Let K be the node that holds step n
 * (0-based), r its whole halves before n, y the steps since.
 *   near  of node K the difference is affine in p = y / B (COUNT), p = 1 - alpha^y (EXP), so its
 *         square is a quadratic, convex in p.  Under COUNT other nodes have none.
 *   old   EXP: that of node J < K falls by alpha a step after its end.
 * WINDOW is COUNT at t minus COUNT at t - W, node by node.
 */

#define DP_TALLY_LEVELS	56	/* of splits */

/* a + b p + c p^2 */
struct dp_tally_poly {
	double a, b, c;
};

struct dp_tally_rung {
	double B, span;		/* steps of p's course, and of a node: 2 B; of a root both are B */
	double rate;		/* -ln alpha; 0: COUNT or WINDOW */
	double full;		/* p of B steps: 1, or 1 - alpha^B */
	double old;		/* EXP: square of a node that ended just now */
	unsigned halves;	/* 2; of a root 1 */
	struct dp_tally_poly near[2];	/* square of the node at hand: r = 0, 1 */
};

struct dp_tally {
	unsigned h;		/* level of the roots */
	uint64_t W;		/* WINDOW, EXPIRE; else 0 */
	double rate;
	double v[DP_TALLY_LEVELS + 1];	/* split_l, and root */
	struct dp_tally_rung level[DP_TALLY_LEVELS + 1];
};

/* split: h of them.  Of a COUNT nothing is found.  WINDOW, EXPIRE: of w[out]. */
void	dp_tally_set(struct dp_tally *, unsigned h, const double *split,
	    double root, const struct dp_task *, unsigned out);
/* Squares of level l at step t, and their sum over t = 1..T. */
double	dp_tally_at(const struct dp_tally *, unsigned l, uint64_t t);
double	dp_tally_sum(const struct dp_tally *, unsigned l, uint64_t T);
/* Largest variance of steps 1..T, exact but for rounding, and a step that has it. */
double	dp_tally_max(const struct dp_tally *, uint64_t T, uint64_t *worst);

/*
 * Sums over the binary representation of time, for mechanisms whose variance at t is the
 * sum of a weight for every set bit of t.
 */

/*
 * Over t = 1..T (T < 2^63), with f(t) the sum of weight[i] >= 0 over the set bits i of t: the
 * maximum of f, a t that attains it, and the sum of f.
 */
void	dp_bits_sum(uint64_t T, const double weight[64], double *max, uint64_t *worst, double *sum);

#endif
