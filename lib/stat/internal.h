/* SPDX-License-Identifier: ISC */
/* internal.h - internal to lib/stat: what its files alone share. */
#ifndef DP_STAT_INTERNAL_H
#define DP_STAT_INTERNAL_H

#include <math.h>

#include "maxsum.h"
#include "normtree/normtree.h"
#include "project.h"
#include "quantile.h"

struct dp_margins;
struct dp_mean_asked;
struct dp_mean_law;
struct dp_sampling_law;
struct dp_quantile_layout;
struct dp_top;
struct dp_top_plan;

/*
 * The nodes' estimates less the sums of their keys' numbers, to off[]: those of the fit.  over[]:
 * the totals' numbers less the sums of their keys'.  room: 3 (keys + n) numbers.
 */
void	dp_margins_own(const struct dp_margins *, double r, const double *over, double *off,
	    double *room);
/*
 * The largest loss that fingerprints of at most so many sums, or choices of two, contradict
 * (maxsum.c).
 */
double	dp_maxsum_traced(bool choice, size_t most, double T, double eps, double delta,
	    double beta);
/* dp_mech_ops.say.refuses of one that keeps no leader by noisy sums */
const char *dp_maxsum_no_margin(const struct dp_task *);

/*
 * The exact sums of D columns, for mechanisms that release what they compute of
 * them.
 *
 * A sum is cut at +-2^62.  That moves nothing farther: the difference of two neighbours' sums of
 * one column keeps its sign and only shrinks at a cut, so it stays within linf of 0; and two
 * columns' moves within spread of each other, as spread >= linf allows for one that moves beside
 * one that no longer does.  No branch depends on sums but, with some compilers, the cut's.
 */

#define SUMS_MAX	((int64_t)1 << 62)

/* Bytes of a column: a head of `head` bytes, then D sums. */
static inline size_t
sums_column(size_t head, size_t D)
{
	return head + (D + 1) / 2 * 2 * sizeof(int64_t);
}

/* |x| <= 2^61 (a bucket is cut there) */
static inline void
sums_add(int64_t *sum, const int64_t *x, size_t D)
{
	int64_t v;
	size_t j;

	for (j = 0; j < D; j++) {
		v = sum[j] + x[j];
		v = v < SUMS_MAX ? v : SUMS_MAX;
		sum[j] = v > -SUMS_MAX ? v : -SUMS_MAX;
	}
}

/* sum less x, within the limits of sums_add() */
static inline void
sums_subtract(int64_t *sum, const int64_t *x, size_t D)
{
	int64_t v;
	size_t j;

	for (j = 0; j < D; j++) {
		v = sum[j] - x[j];
		v = v < SUMS_MAX ? v : SUMS_MAX;
		sum[j] = v > -SUMS_MAX ? v : -SUMS_MAX;
	}
}

static inline int64_t
sums_largest(const int64_t *sum, size_t D)
{
	int64_t most = sum[0];
	size_t j;

	for (j = 1; j < D; j++)
		most = sum[j] > most ? sum[j] : most;
	return most;
}

/* True: a run can have these sums, which come from a file. */
static inline bool
sums_valid(const int64_t *sum, size_t D)
{
	size_t j;

	for (j = 0; j < D; j++)
		if (sum[j] > SUMS_MAX || sum[j] < -SUMS_MAX)
			return false;
	return true;
}

/*
 * Internal to lazy*.c: the plan of one that fires (lazy.c has its proof).
 */

enum { RHO, NU, RELEASE, FAMILIES };

struct lazy {
	struct dp_mech m;
	bool choice;
	uint64_t fires;			/* c */
	int64_t least, stop;		/* A, H */
	int64_t centre;
	double beta, ceiling;		/* K */
	struct dp_q share[FAMILIES];
	struct dp_noise noise[FAMILIES];	/* of a choice: as --explain has it */
	struct dp_choose choose;
	uint64_t linf, spread;		/* that the noise is for */
};

/*
 * A largest sum that is found anew every r steps; for recompute*.c alone.
 */

struct dp_recompute {
	struct dp_mech m;
	enum dp_maxsum_show show;
	uint64_t r, releases;
	uint64_t linf, spread;		/* of a unit (account/privacy.h) */
	dp_wide centre;
	double beta, half, drift;	/* drift: of a choice, in a step */
	double grow, fall;
	struct dp_noise noise;		/* of values */
	struct dp_choose choose;
	struct dp_noise shown;		/* the law of choose, for --explain */
	char what[2][64];
};

/* The value that a part of 0..1 of a bin's events is up to, if they are spread evenly over it. */
int64_t	dp_bins_within(const struct dp_bins *, unsigned bin, double part);
/* Values of the widest bin, less one; of log bins, the largest edge[b + 1] / edge[b]. */
int64_t	dp_bins_widest(const struct dp_bins *);
double	dp_bins_ratio(const struct dp_bins *);

/* quantile.c */
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
	double *width;		/* of each output: v, gamma, and the G + 1 half-widths of these */
};

/* quantile.c, quantile.c */
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

/* Releases of one band's counters, in events; i of its n numbers. */
static inline double
dp_quantile_number(const struct dp_quantile *k, const dp_wide *y, size_t i, unsigned window)
{
	const dp_wide v = y[i * k->windows + window];
	const double x = (int64_t)v == v ? (double)(int64_t)v : (double)v;	/* a call */

	return k->scale == 1 ? x : x / k->scale;
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

/* mean.c */
/* What an event, or a grid unit of weight, adds to all numbers. */
uint64_t dp_mean_unit(const struct dp_mean_asked *);
/* Of a window's numbers at the first, the middle and the last step that is reported for. */
double	dp_largest_variance(const struct dp_mech *, unsigned window, uint64_t report,
	    struct dp_law *room);
#define DP_MEAN_KNOTS	33
/* One number's noise: no number is farther off its law than drift; whole: numbers are rounded. */
struct dp_mean_noise {
	const struct dp_law *law;
	double drift;
	bool whole;
	size_t n;	/* a number is the sum of n, each with that noise; 0: of one */
};
/*
 * pair: bounds of two alike make that of their difference, over sqrt(2) (law/law.h).  DP_ENOMEM;
 * DP_ERANGE: no bound of a count or sum is known.
 */
int	dp_mean_law(struct dp_mean_law *, const struct dp_mean_asked *, struct dp_mean_noise,
	    double gamma, bool pair) DP_MUSTUSE;

/* Of one window at one step: what intervals are computed of. */
struct dp_mean_law {
	double variance, gamma;		/* of the law that they were found for */
	double knot[DP_MEAN_KNOTS];	/* q(rho), rho = 0, 1/64, .., 1/2, or more: LATTICES */
	/* of one number, if there are three; of sum B, and of the sum times U, if asked for */
	double one, all, sum;
};
/* Of the mean, as a part of the range; of the variance, as a part of its square. */
void	dp_mean_hull(const struct dp_mean_law *, const double *b, unsigned n, double end[2]);
/* Not cut at 0 and 1 but at -1 and 2: for differences (law/law.h). */
void	dp_mean_hull_beyond(const struct dp_mean_law *, const double *b, unsigned n,
	    double end[2]);
void	dp_mean_box(const struct dp_mean_law *, const double *b, double end[2]);

/* S is that of values 0 and 1, or varies less: they are, or have weights. */
bool	dp_mean_share(const struct dp_mean_asked *);

/* s[i] of n numbers: how much of the range one that is all of number i is above LO */
static inline double
dp_mean_part(unsigned i, unsigned n)
{
	return (double)i / (n - 1);
}

/*
 * Bounds are known for n knots, rho = 0 .. 1/2, and are the same for 1 - rho.  *i is set to the
 * knot before rho; returns how far rho is on the way to the next.
 */
static inline double
dp_mean_knot(double rho, unsigned n, unsigned *i)
{
	const double at = 2 * (n - 1) * (rho < .5 ? rho : 1 - rho);

	*i = (unsigned)fmin(floor(at), n - 2);
	return at - *i;
}

/*
 * strips.c: of sums W of noise on a coarse lattice, of 2 or 3 numbers with the coefficients coef[],
 * evenly spaced.
 */
struct dp_strips;
/*
 * *out NULL: the lattice is fine, or no lattice is known.  gamma: the least that is asked for.
 * DP_ENOMEM
 */
int	dp_strips_new(struct dp_strips **out, struct dp_mean_noise, unsigned n,
	    double gamma) DP_MUSTUSE;
void	dp_strips_free(struct dp_strips *);
/* The unit of the lattice that a law is on, all of its coefficients; 0: none is known. */
double	dp_strips_lattice(const struct dp_law *);
/* Rounded, what is normal is on one, too. */
bool	dp_strips_normal(const struct dp_law *);
/* P(|W| > bound) <= gamma; and of one number alone */
double	dp_strips_bound(const struct dp_strips *, const double *coef, double gamma);
double	dp_strips_one(const struct dp_strips *, double gamma);
/*
 * Of W(rho) = sum (s[i] - rho) w[i], at knots of 0 .. 1/2, at most DP_MEAN_KNOTS, and on the chords
 * between them: P(|W| > w) <= gamma <= P(|W| > low), where low > 0.  low may be NULL.
 */
void	dp_strips_bounds(const struct dp_strips *, double gamma, unsigned knots, double *w,
	    double *low);

/* sampling.c: the same of what the events are a sample of.  Proof: tests/proof/mean.md. */
#define DP_SAMPLING_ATOMS	40
#define DP_SAMPLING_KNOTS	17
struct dp_sampling_law {
	double variance, gamma;		/* as in dp_mean_law */
	bool shares;			/* dp_mean_share() */
	bool whole;			/* N is: events have no weights */
	unsigned n;			/* numbers */
	double unit;			/* that an event adds to them */
	/* in events: of the sum of all numbers; of D(0), .., D(1/2); of V(rho), also between */
	double all;
	bool coarse;			/* strips.c: the lattice is; all knots, else 9 */
	double knot[DP_SAMPLING_KNOTS][DP_SAMPLING_ATOMS];
	double low[DP_SAMPLING_KNOTS][DP_SAMPLING_ATOMS];	/* if it is */
	/* P(|Z| > z[i]) for Z normal, of the atoms, and of `all' and `square': for that gamma */
	double z[DP_SAMPLING_ATOMS + 2];
	double rounded[DP_SAMPLING_KNOTS];	/* how much a knot may be too large by */
	double mass[DP_SAMPLING_ATOMS];	/* half the probability between two atoms */
	double square[DP_SAMPLING_KNOTS];
};
/* Zeroed before the first call; what the next one needs stays. */
int	dp_sampling_law(struct dp_sampling_law *, const struct dp_mean_asked *,
	    struct dp_mean_noise, double gamma) DP_MUSTUSE;
/* P(S + W >= D(rho)) for n events, at most; S + W and D as in sampling.c. */
double	dp_sampling_tail(const struct dp_sampling_law *, const double *b, double rho, double n);
/* Of the mean, as a part of the range. */
void	dp_sampling_hull(const struct dp_sampling_law *, const double *b, double end[2]);

/*
 * What following the perturbed leader costs: a bound on its expected regret.
 *
 * There are n experts.  Expert i's cost in round t is c_ti, a whole number of grid units from 0 to
 * U (or from L to L + U: what is added to all costs of a round changes neither choices nor regret);
 * the costs are fixed in advance, they do not respond to the choices.  C_ti is the sum of
 * c_1i .. c_ti.  The choice of round t is the least i with the greatest X_ti - C_(t-1)i, where
 * X_t1 .. X_tn are independent of each other (but not of other rounds'), whole, and of one law,
 * which is the same in every round: X = G - Z, Z the noise of a counter, log-concave and
 * symmetric, and G >= 0 geometric, P(G >= k) = e^(-k/s), drawn afresh.
 *
 * Statement.  The expected total cost of the choices is above that of the best single expert by at
 * most
 *	T min(U, w/2 min(A, e^(1/s) - 1)) + M + s H_n - 1/(e^(1/s) - 1),
 * with w = U(U+1)/2, H_n = 1 + 1/2 + .. + 1/n, M = E max Z over n, and, if discrete Laplace noise
 * of scale b > 1/2 is a part of Z,
 *	A = E a(max Z) / (1 - 1/2b),   a(z) = P(Z = z-1) / P(Z = z) - 1.
 * Without G the terms with s are left out, without Z those with A and M.  (Kalai, Vempala 2005 and
 * Dwork, Naor, Pitassi, Rothblum 2010, section 6, have T (e^(U/s) - 1) + s H_n and some M; this is
 * a quarter of that in the first term.)
 *
 * Proof: tests/proof/regret.md.
 *
 * First order.  With L the total cost of the best expert, t = 1/s or, if it is less and discrete
 * Laplace noise of scale b is a part of Z, 1/b, and a = U (e^t - 1) / (1 - e^(-tU)), the choices'
 * expected cost is at most a (L + M + s H_n - 1/(e^(1/s) - 1)).
 * Proof: tests/proof/regret.md.
 *
 * Where the noise grows.  If Z_t is normal of variance v_t, v_1 <= v_2 <= .., rounded to the grid,
 * and A_t, M_t are A and M of that normal (its density in place of probabilities, and no 1/2b), the
 * statement holds with the mean of A_1 .. A_T for A, M_T for M, and w = U(U+5)/2.
 *
 * Proof: tests/proof/regret.md.
 *
 * Doubles: they describe, and find a rate.  A and M are sums over a lattice of 2^13 points, within
 * 10^-3, which is added (A may come out larger by 2 %).
 */

struct dp_regret {
	double n, T;			/* experts, rounds */
	double range;			/* U */
	bool grows;
	double pull, spread;		/* A (INFINITY: no noise), M; grid units */
	double laplace;			/* the largest b; 0: no such noise */
};

/* A, M and b of one law of noise, for r->n experts. */
void	dp_regret_noise(struct dp_regret *, const struct dp_law *);
/* The bound, grid units; s = 0: no perturbation. */
double	dp_regret_bound(const struct dp_regret *, double s);
/* The s with the least bound. */
double	dp_regret_best(const struct dp_regret *);

/*
 * The plan of a leader that is chosen now and then, and what it costs;
 * choose.c has its choices.
 *
 * Regret.  b is the scale, c = H_D - 1 for permute-and-flip, H_D = 1 + 1/2 + .. + 1/D, and
 * c = ln D for the exponential mechanism; U the width of the range; a block the rounds of one
 * choice; costs are fixed in advance.
 * Statement.  The choices' expected cost is above the best expert's, L, by at most
 *	b c + the sum over blocks, of r rounds, of min(r U, (r U)^2 / (k b)),  k = 4 or 8,
 * and, if no block has more than B rounds, is at most
 *	a (L + b c),  a = y / (1 - e^-y),  y = B U / b.
 * Proof: tests/proof/regret.md.
 *
 * Doubling has blocks so long that this says nothing.  Statement.  If the rounds are independent of
 * each other and of one law, which gives an expert the mean cost mu_i, mu the least, then
 *	sum over rounds of mu_(choice) - mu <= (1 - 1/D) U in the first block, and in each round
 * that follows a choice from t lines (b c + U sqrt(t ln(D) / 2)) / t, or U if that is less.
 * Proof: tests/proof/regret.md.
 * Statement.  With L = T mu all costs are at most, t_0 the first block's lines, x = 1/2,
 *	a L + t_0 U + n (U + a b c + U ln(D) a / x),  a = x / (1 - e^-x).
 * Proof: tests/proof/regret.md.
 *
 * Segments, R rounds each, the last one perhaps fewer; the last choice of one is held over the
 * next's first block.  Each has the statements above, of R rounds and against the best expert of
 * that segment (so much the more against one expert for all of them), but that from the second on
 * the first block counts V, or U a round, in full: its choice is made by other costs.
 */

struct dp_chooser {
	struct dp_mech m;
	bool doubling;
	uint64_t block;			/* B; doubling: n, and n alone */
	uint64_t segments, segment;	/* their number, and R; one: the horizon */
	double range;			/* U, grid units */
	double harmonic;		/* H_D - 1 */
	struct dp_choose choose;
	uint64_t spread;		/* that it is for */
	struct dp_noise shown;		/* its law, for --explain */
	char what[64];
};
/* b c, grid units. */
double	dp_chooser_behind(const struct dp_chooser *);

/* a_t */
static inline int64_t
dp_transform_clamp(int64_t lo, int64_t hi, int64_t x)
{
	return x < lo ? lo : x > hi ? hi : x;
}

/* For --explain: the sentence about what the statistic has spent; epsilon: what this spends. */
void	dp_transform_inner(const struct dp_transform *, double epsilon, char *text, size_t size);

enum { DP_TRANSFORM_THRESHOLD, DP_TRANSFORM_COMPARE, DP_TRANSFORM_ANSWER, DP_TRANSFORM_FAMILIES };

/* A plan, and a column; here for their tests. */
struct dp_transform_plan {
	struct dp_mech m;
	struct dp_transform task;
	uint64_t heavy;			/* C */
	uint64_t uncovered;		/* U */
	uint64_t steps;			/* T, or the number of steps reported for */
	unsigned low, levels;		/* L of them, low + levels = top; or one for all time */
	int64_t lo, hi;			/* of answers */
	int64_t threshold;		/* H */
	double width;			/* hi - lo, grid units */
	double bound;			/* grid units */
	bool rounds;			/* ROUNDS */
	struct {			/* paper */
		double alpha;		/* its accuracy, grid units; else 0 */
		bool own, small;	/* the slack is the paper's, 2 alpha; that is too small */
	} paper;
	double epsilon, beta;
	struct dp_q share[DP_TRANSFORM_FAMILIES];	/* x; 0: no such noise */
	struct dp_noise noise[DP_TRANSFORM_FAMILIES];
	uint64_t moves;	/* r; of a Gaussian answer (account/privacy.h, REPEATED) linf */
	struct dp_q round;		/* ROUNDS: e */
};

/* low, where one noise is for all time: log2 of a stretch that no run outlives */
#define DP_TRANSFORM_FOR_EVER	63

struct dp_transform_column {
	int64_t out;
	uint64_t changes;		/* K + 1: it has ended */
	int64_t theta[64];		/* by level; 0: not drawn, or wiped */
};

/* L, 2 C + U and K of PRIVACY: how many shifts by r the family must be able to hide. */
uint64_t dp_transform_charge(const struct dp_transform_plan *, unsigned family);
/* The parts of epsilon with the least S + X, by Chernoff's bound; returns that S + X. */
double	dp_transform_search(const struct dp_transform_plan *,
	    double part[static DP_TRANSFORM_FAMILIES]);
/* A lower bound on what dp_transform_search() returns, found at once. */
double	dp_transform_least(const struct dp_transform_plan *);
/* x of PRIVACY: the parts found, as multiples of 2^-24 that sum to 1, divided among the shifts. */
int	dp_transform_shares(struct dp_transform_plan *, struct dp_numbers *) DP_MUSTUSE;
/* Noise for the shares, the slack, the bound. */
int	dp_transform_finish(struct dp_transform_plan *, const struct dp_mech_rule *) DP_MUSTUSE;

/*
 * The point of the hull of n >= 0 lines that is nearest to `noisy`: k numbers each, in grid units.
 * Returns 0 or DP_ENOMEM.  *gap: the square of its distance from the true nearest point is at most
 * that.  It is at most tol^2, unless doubles are too coarse for that.
 */
int	dp_hull_nearest(const struct dp_matrix *, enum dp_hull, double n, const double *noisy,
	    double tol, double *point, double *gap) DP_MUSTUSE;

#define DP_TOP_PHASES	11
const struct dp_top_plan *dp_top_plan(const struct dp_mech *);

/* Of a plan of one of these. */
struct dp_top_plan {
	int64_t tau;		/* RUNNING, T unknown: of the first phase */
	unsigned phases;	/* RUNNING, T unknown; else 0 */
	struct dp_top_phase {
		uint64_t end;	/* its last step */
		int64_t tau;
	} phase[DP_TOP_PHASES];
	double delta;		/* what is spent of it: f max(K, e^(a (K - 1))), or f K */
	uint64_t most, each;	/* K; of one name */
	size_t bytes;		/* that it took to find tau; 0: few, or nobody knows */
};
/* max(K, e^(epsilon (K - 1) / K)), rounded up. */
double	dp_top_unit(double epsilon, uint64_t K);

/* The parts of the mechanisms of names that nobody declared (top.h). */

#define DP_TOP_ROUNDED	(1 + 1e-9)	/* what doubles may be off, and more */
#define DP_TOP_DEEP	9.5	/* standard deviations that heights are looked at, at first */
#define DP_TOP_LONG	0x1p31		/* steps of work: 2 s */
#define DP_TOP_SEGMENTS	5		/* RUNNING, T unknown: 2^8 + .. + 2^24 steps */

static inline const struct dp_top *
dp_top(const struct dp_mech *m)
{
	return (const void *)m;
}

struct dp_top {
	struct dp_mech m;
	struct dp_top_plan plan;
	struct dp_normtree *tree;	/* RUNNING, WINDOW */
	struct dp_mech *count;		/* RUNNING, T unknown: a count whose trees are a name's */
	const struct dp_normtree *last;	/* RUNNING: the tallest */
	uint64_t W;			/* WINDOW, */
	struct dp_task window;		/* and as a task */
	struct dp_noise noise;		/* EACH STEP */
};
/* Largest f allowed. */
double	dp_top_allowed(const struct dp_top *, const struct dp_mech_rule *);
/*
 * The least tau whose f is at most that, by least(k, T, f, n, &x, &tail): x is the least of the
 * heights 1 to n whose tail is at most f, or n + 1; T and f as given.  Its delta is what is spent.
 * sd: of the noise at its widest.  DP_ERANGE: it is beyond some 40 sd; or an error of least().
 */
typedef int dp_top_least(const struct dp_top *, uint64_t T, double f, unsigned n, unsigned *x,
	    double *tail);

#endif
