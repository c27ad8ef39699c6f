/*
 * quantile.h - quantiles of values in a range, and histograms, from private numbers of events in
 * bins.
 *
 * F(j) is the number of events in the first j of G bins (bins.h), N = F(G).  An event adds 1 to its
 * bin and nothing else: contributions of sum 1 (neighbour.h), whatever is done to them.  What the
 * private F are made of is a layout:
 *
 * TREE    of each step by itself: bins are the time of a norm tree (normtree.h), a chain over
 *         2^h >= G leaves, drawn anew in every step; N has the root's noise.
 *	   Privacy.  A unit moves the numbers of all bins, of all steps and keys, by at most l1
 *	   together, l1_s in step s.  Step s loses at most l1_s rate, as in normtree.h; steps draw
 *	   noise of their own, so all together lose l1 rate = epsilon, however many steps there are.
 * FLAT    a counter for each bin, any that the house has for the sum over time: each has the whole
 *         budget (the spread lemma, neighbour.h).
 * LEVELS  counters of G bins, and of K wide bins of k each, k the least with k k >= G.  A wide bin
 *         is moved by what its bins are moved by, so the same reach holds for both; .495 of the
 *         budget and .505.  Children are corrected by what their wide bin has more, evenly:
 *		F(j) = sum of the wide bins before + y_1 + .. + y_m + (m / k)(Y - y_1 - .. - y_k).
 * ROOT    for Gaussian noise: u = W x, W[i][b] = w[i - b] m[b] for i >= b, whole numbers in
 *         proportion to the coefficients of (1 - z)^(-1/2) and to what makes all columns of W of
 *         one length (Henzinger, Kalinin, Upadhyay 2025); a counter for each u[i].
 *         F is the sum of W^-1 u, which is post-processing.
 *	   Privacy.  A unit moves x by p - n, p and n of whole numbers >= 0.  W has no entry below
 *	   0, so |W(p - n)|_2^2 <= |W p|_2^2 + |W n|_2^2 <= (|p|_1^2 + |n|_1^2) S^2, S^2 the longest
 *	   column's square; and neighbour.h's l2squared of contributions of sum 1 is what
 *	   |p|_1^2 + |n|_1^2 is at most: K^2, or 2 of lines.  l1 and linf by the largest sum of a
 *	   column, the largest entry.
 * FLAT up to 64 bins and for histograms; ROOT where the counter has delta; else LEVELS; TREE in
 * their place where the counter is the norm tree's and the sum is that of one step.
 *
 * ESTIMATE.  The least squares fit of a non-decreasing F >= 0 to the private one (pool adjacent
 * violators); the first bin b with F(b) >= q F(G), and in it the value that the part
 * (q F(G) - F(b - 1)) / (F(b) - F(b - 1)) of its events is up to.  All quantiles come from one F,
 * so they rise with q.  None where the private N is below twice its standard deviation, or where
 * min(q, 1 - q) N is less than D(j) is off by (on average): the place of a p95 that 10 events are
 * beyond is not told by noise of 20.
 *
 * INTERVAL.  D(j) = F(j) - q N; the quantile is in the bin j* with D(j*) >= 0 > D(j* - 1), which
 * every N > 0 has.  Of the bins j with private D(j) >= -c(j) and D(j - 1) <= c(j - 1), c(j) not
 * passed by D(j)'s noise with probability 1 - gamma/2, the first to the last: j* is none of them
 * with probability gamma at most.  c is that of the widest symmetric log-concave law of the noise's
 * variance and one unit more (law_parts.c).
 *
 * ERROR is in events: of D(j), the largest over j for max, the mean over j for mean.
 *	TREE	var D(j) = sum over levels of split_l s_l(j)^2 + (j / 2^h - q)^2 var of the root
 *	FLAT	v (j - 2 q j + q^2 G)
 *	LEVELS	m wide bins and l of k bins before: V (m + (l/k)^2 - 2 q (m + l/k) + q^2 K) +
 *		v l (k - l) / k
 *	ROOT	by the rows of the sums of W^-1.
 */
#ifndef DP_QUANTILE_H
#define DP_QUANTILE_H

#include "bins.h"
#include "mech/part.h"

#define DP_QUANTILES	16

struct dp_quantile_asked {
	struct dp_bins bins;
	unsigned n;			/* quantiles; 0: the number of events in each bin */
	double q[DP_QUANTILES];		/* above 0 and below 1 */
	int64_t coarse;			/* quantiles are in so many grid units, >= 1 */
	unsigned places;		/* a grid unit is 10^-places of the user's */
	unsigned shown;			/* places of given edges */
};

extern const struct dp_statistic dp_quantile_statistic, dp_histogram_statistic;

/* quantile_say.c: dp_statistic.describe() of both. */
void	dp_quantile_describe(const struct dp_task *, char *text, size_t size);
void	dp_histogram_describe(const struct dp_task *, char *text, size_t size);

/* quantile_fit.c */
/* f[0 .. n), to the nearest that does not fall and is nowhere below 0. */
void	dp_quantile_fit(double *f, unsigned n);
/* The value of a quantile, of a fitted f[1 .. bins.n], f[0] = 0, of which the last is above 0. */
int64_t	dp_quantile_find(const struct dp_bins *, const double *f, double q);

/*
 * Variance of D(j), of counters of variances v[0] and v[1]: in the order of the layout's parts.
 * own: of F(j); with: with N; all: of N.
 */
struct dp_quantile_noise {
	double *own[2], *with[2], all[2];	/* [0 .. G]; TREE: once dp_quantile_know() */
};
static inline double
dp_quantile_variance(const struct dp_quantile_noise *z, const double *v, double q, unsigned j)
{
	return v[0] * (z->own[0][j] - 2 * q * z->with[0][j] + q * q * z->all[0]) +
	    v[1] * (z->own[1][j] - 2 * q * z->with[1][j] + q * q * z->all[1]);
}

struct dp_quantile_layout;

/* The plan of a statistic on bins: histograms have no `noise'. */
struct dp_quantile {
	struct dp_mech m;
	const struct dp_quantile_asked *asked;
	const struct dp_quantile_layout *layout;
	unsigned G, windows;
	double scale;			/* units of the counters' numbers to an event */
	struct dp_quantile_noise noise;
	/* private N from which on there is a quantile: of each window */
	double least[DP_WINDOWS_MAX][DP_QUANTILES];
	unsigned k;			/* LEVELS: bins of a wide bin */
	int64_t *w, *times;		/* ROOT: w and m */
	struct dp_normtree *tree;	/* TREE */
	uint64_t moved;			/* of its bins, by a unit, all steps together */
	struct dp_law *law;
};

/* quantile_layout.c, quantile_root.c */
struct dp_quantile_layout {
	const char *name;		/* for --explain: where the bins' noise is */
	/* Parts of the mechanism, or what it draws from; and the noise, if it is known at once. */
	int (*create)(struct dp_quantile *, const struct dp_mech_rule *,
	    const struct dp_mech_ops *counter);
	/* No parts: a step of its own, to f[0 .. G]; else NULL. */
	int (*step)(const struct dp_quantile *, struct dp_rng *, const int64_t *x, double *f);
	/* Sets u, apart from x, to the values that parts get for x[0 .. G) events; NULL: x. */
	void (*enter)(const struct dp_quantile *, const int64_t *x, int64_t *u);
	/* F[0 .. G] of a window, in events, from what parts release. */
	void (*read)(const struct dp_quantile *, const dp_wide *y, unsigned window, double *f);
	void (*add)(const struct dp_quantile *, void *col, size_t place, int64_t v);
	/* The noise, if it has to be measured; NULL: create() sets it. */
	void (*know)(const struct dp_quantile *);
};
extern const struct dp_quantile_layout dp_quantile_tree, dp_quantile_flat, dp_quantile_levels,
    dp_quantile_root;
/* ROOT: from what a unit moves of x to what it moves of W x.  DP_ERANGE: that does not fit. */
int	dp_quantile_root_reach(const struct dp_quantile *, struct dp_reach *) DP_MUSTUSE;

/* quantile_error.c: a quantile's operations (mech.h) that tell of its noise. */
void	dp_quantile_law(const struct dp_mech *, unsigned out, uint64_t t, struct dp_law *);
void	dp_quantile_error(const struct dp_mech *, uint64_t T, struct dp_error *);
int	dp_quantile_interval(const struct dp_mech *, const void *col, unsigned out, uint64_t t,
	    double gamma, dp_wide *lo, dp_wide *hi);
/*
 * Numbers of events from which on there are quantiles, to k->least: what is printed depends on
 * them, so they are the plan's.
 */
int	dp_quantile_set_least(struct dp_quantile *, const struct dp_mech_rule *) DP_MUSTUSE;

/* quantile_say.c: the i-th sentence of --explain; its length, as snprintf() has it; 0: none. */
size_t	dp_quantile_note(const struct dp_quantile *, unsigned i, char *text, size_t size);

/* Releases of one band's counters, in events; i of its n numbers. */
static inline double
dp_quantile_number(const struct dp_quantile *k, const dp_wide *y, size_t i, unsigned window)
{
	return (double)y[i * k->windows + window] / k->scale;
}

/* F of a window as the last step released it, [0 .. G]: the end of the column. */
static inline double *
dp_quantile_sums(const struct dp_quantile *k, const void *col, unsigned window)
{
	return (double *)(void *)((char *)(uintptr_t)col + k->m.column) -
	    (k->windows - window) * (k->G + 1);
}

/* v / coarse: to the nearest, down (way = -1), or up (1) */
static inline int64_t
dp_quantile_rounded(int64_t v, int64_t coarse, int way)
{
	const int64_t up = way < 0 ? 0 : way > 0 ? coarse - 1 : coarse / 2, w = v + up;

	return w / coarse - (w % coarse < 0);
}

#endif
