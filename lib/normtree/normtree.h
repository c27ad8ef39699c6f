/* SPDX-License-Identifier: ISC */
/*
 * normtree.h - noise for trees over time whose splits depend on what is split: its density is no
 * product, and it takes less noise than any sum of independent draws that is known.
 *
 * A binary tree stands over 2^h steps; w(v) is the sum of the increments w_t over the steps of node
 * v, a and b those of its left and its right child, P = a + b.  Nodes are of kinds, as many as a
 * plan likes; the kind of a node says those of its children, so a tree is that of its root's.  What
 * is drawn is defined by tables of positive numbers, even in their argument: for each kind g, from
 * |v| = A on geometric, A the kind's, and k, k(0) = 1, non-increasing; a step's g is 1; and R for
 * the root, from A on geometric.
 *	root	P with probability R(P) / sum R
 *	split	a with probability t(a, P - a) / N(P), N(P) = sum_a t(a, P - a),
 *		t(a, b) = g'(a) g"(b) k(min(y(a, b), Y(P))), g' the left child's g, g" the right's
 *	where	y(a, b) = min(|a|, |b|) if a and b have different signs, else 0;
 *		Y(P) = max(0, A - |P|), but for a pair of steps it is infinite.
 * A tree is a chain if it has one kind a level, l = 1 .. h from the steps up: then both children
 * of a node are alike.
 *
 * PRIVACY.  Statement: if one unit moves the step values by at most l1 grid units in L1, the
 * release of y_t = x_t + w_t for all t, and of anything made of y, loses at most l1 (e_R + the
 * largest of the sums of e over the nodes above a step) for the e that table.c certifies for each
 * kind: that is at most epsilon / l1.  Also for data that respond.
 *
 * Proof: tests/proof/norm-tree.md.
 *
 * The numbers are doubles, which are what they are: nothing is rounded between the tables that are
 * certified and those that are drawn from.  The certificate computes N with an error below 10^-12
 * of itself and allows 10^-11 a kind.
 *
 * SAMPLING is exact for these tables but for factors within exp(+-2^-40) (products of reals of 64
 * bits, rounded down), which the 10^-11 cover: by rejection.  With P >= 0 let j = 0, 1, .. stand
 * for the split into P/2 + j, rounded up, for the child of one side, and the rest for the other.  A
 * trial proposes j with probability 2^-(i+1) / S, i = floor(j / S), and a side; it is taken if U <
 * T = 2^i t(j) / C, U uniform with as many bits as T has: T < 1 by the choice of S and C, which P
 * decides.  No floating-point number decides anything after the tables are made, and they are made
 * of additions, multiplications and divisions alone; a state keeps a hash of them.
 * From a tree's step 4096 on, or once it has drawn the steps of many columns, nodes of the lowest
 * levels whose children are alike are split by alias rows (internal.h), each outcome within
 * exp(+-2^-42), or 2^-40 with rejection in its tail.
 * Noise beyond DP_NORMTREE_FAR is refused (DP_ERANGE): decided by the noise alone, and less
 * probable than 2^-1000 where A <= DP_NORMTREE_REACH.
 *
 * TIME.  C is such that a trial succeeds with one probability for all |P| <= A of a kind (to
 * 10^-7), so how many there are says nothing about the noise, nor does what nearly all trials do;
 * but addresses do: tables are read at a, b and P.  Noise beyond A takes longer: less than one draw
 * in 10^6 for h >= 4, up to some in a thousand for smaller trees.  With alias rows a draw takes
 * one look-up; tails, and noise beyond the rows, some A/3, take longer.  What a clock, or a cache,
 * tells of it is of the noise alone, never of the data; but an estimate without its noise is the
 * data, so nobody who may time single draws should see the output.
 *
 * ERROR.  In a chain, given P, a - P/2 is symmetric: E[a | P] = P/2, and splits of different nodes
 * are uncorrelated with each other and with the root: counter/filter.h.  Of any other tree:
 * internal.h.
 *
 * SHARES.  An estimate of step t never asks for a right child whose steps are all counted, but as
 * half of its parent: with shares of their own, right nodes near the root take little of the
 * budget of their steps, and leave it to what is below them (plan.c).  That is what kinds are for.
 *
 * SPLINES.  Tables are as long as 1/rate.  On a grid D = 2^d times as fine as theirs ("fine" is d)
 * all that is above is of whole numbers i, j, Q, for D > 1 with the letter c in g's place where g
 * is a parents' table; where it is a children's g(i) = r c(i) + s (c(i - 1) + c(i + 1)) + t (c(i -
 * 2) + c(i + 2)), i <= A, r + 2 s + 2 t = 1 (table.c).  An index l stands for the kind of a node
 * above the step that moves, l - 1 for its child's there.
 * Let beta be the law of the sum of n = 4 uniforms from 0 .. D - 1, less its mean, beta2 that of
 * 2n.
 *	root	P = D R + xi, R from its table, xi ~ beta
 *	split	Q with probability c_l(Q) beta2(P - D Q) / C_l(P); Q into i + j by t_l; xi, eta ~
 *		beta if their sum is to be P - D Q; a = D i + xi, b = D j + eta.  Steps are level 0.
 * Statement: the same with l1 (lambda_0 + .. + lambda_h) for the loss, where
 *	lambda_l = max over x of u_l(x + 1) - u_l(x),   u_l(x) = log G_l(x) - log C_l(x),
 *	G_l(x) = sum_i g_l(i) e^(e i) beta(x - D i),   C_l(x) = sum_Q c_l(Q) beta2(x - D Q),
 * x from all whole numbers, e = e_(l+1), or e_R for l = h, as they are certified above; C_0 = 1.
 *
 * Proof, and how table.c finds lambda: tests/proof/norm-tree.md.
 * Drawn: 2n - 1 uniforms, and the last from what is left of P modulo D; that is xi and eta, and
 * beta2 of P - D Q; then taken if U < c(Q) / max, U of 64 bits, the maximum over the 2n numbers
 * that Q could be.  That is off by less than a coarse draw; and both are so once a move, be it ever
 * so short: 2^-38 is charged for them, a level and unit.  How many trials there are depends on P,
 * by some e_l of them.
 * The variance of P is D^2 that of R and that of a residual, n (D^2 - 1) / 12; of a split's half
 * difference, D^2 times the coarse one's and n (D^2 - 1) / 24, where Q has its law by P:
 * internal.h.
 *
 * UNITS.  Where epsilon / l1 is below 2^-26 the tree stands on a grid of units of u grid units
 * (account/privacy.h).  Increments beyond 2^36 units are refused: where the lowest level has a
 * share s
 * of the rate, some e^(-2^11 s) of them.
 *
 * Why it is good.  Where d = -e and k = e^(-2 e (y - c)) beyond some c, -log p is a sum of e_l
 * F_l(a, b), F = max(|a + b|, |a| + |b| - 2c), every term 1-Lipschitz in every step: the density is
 * as far from constant as epsilon allows on every level, and children are tied to parents at no
 * cost. This toolkit.  Cost: one draw a step, h at worst; 8 h bytes a column.
 */
#ifndef DP_NORMTREE_NORMTREE_H
#define DP_NORMTREE_NORMTREE_H

#include "counter/filter.h"

struct dp_normtree_alias;
struct dp_normtree_fades;
struct dp_normtree_places;
struct dp_normtree_shape;
struct dp_normtree_sweeps;

#define DP_NORMTREE_LEVELS	DP_TALLY_LEVELS	/* of splits */
#define DP_NORMTREE_KINDS	512
#define DP_NORMTREE_FAR	((int64_t)1 << 20)	/* what is split is no farther out, D times */
#define DP_NORMTREE_SPLITS	64	/* nodes split at a time, at most */
#define DP_NORMTREE_NOISE	"norm tree: no sum of independent draws"

/* Envelope of a trial that splits a node of noise P, |P| <= A. */
struct dp_normtree_row {
	struct dp_real inverse;	/* 1 / C */
	uint32_t width, odd;			/* S, 2^32 mod S */
};

/* Rows that split nodes of one kind; for a chain level l = 1, 2, .. is at [l - 1]. */
struct dp_normtree_level {
	/* g of the left child and of the right one, v = 0..A; one table if they are of one kind */
	const struct dp_real *child[2];
	const struct dp_real *fall;	/* k(y), y = 0..A */
	const struct dp_normtree_row *row;	/* P = 0..A */
	struct dp_real beyond[2];	/* g(v + 1) / g(v), v >= A, */
	unsigned reach[2], A;			/* each child's, and this one's */
	struct dp_real fade;		/* of pairs of steps: k(y + 1) / k(y), y >= A */
	bool open;				/* a pair of steps: g = 1, Y is infinite */
	/* D > 1: c(v), v = 0..A, and c(v + 1) / c(v), v >= A */
	const struct dp_real *own;
	struct dp_real past;
};

/* A kind of nodes: shares are parts of epsilon / l1. */
struct dp_normtree_kind {
	double share, corner;		/* e; c e */
	uint16_t level;			/* of 2^level steps */
	uint16_t reach;			/* A; no less than those of its children */
	uint16_t child[2];		/* kinds of the left and the right child, or steps */
};

/*
 * Shapes: for a count of 2^h steps, h >= 1, as a chain; for one of T steps, of kinds; for one at so
 * large a rate that noise is rare, a chain (false: it is not so large); for segment j = 0, 1, .. of
 * a count without end, 16^(j+2) steps; for the row of trees of a window or decay, as for one tree,
 * T steps (0: without end) and a rate.
 */
void	dp_normtree_shape(struct dp_normtree_shape *, unsigned h);

/*
 * The kinds of a tree's nodes, children before parents, the root's last.  A child that is lower
 * than half its parent stands for one whose left half it is, and that half's, and so on: what is
 * to the right of it lies beyond T.
 */
struct dp_normtree_shape {
	unsigned h;			/* levels of splits; 2^h steps */
	unsigned kinds;
	bool free;		/* a state's h may be another: the column is made after the tree */
	bool chain;			/* one kind a level: both children of a node are alike */
	uint64_t T;			/* of no chain: steps that are asked for */
	double root;			/* the root's share */
	struct dp_normtree_kind kind[DP_NORMTREE_KINDS];	/* of which `kinds` are there */
};

/* Read-only once made, but for dp_normtree_wake() and _rest(); owns its tables. */
struct dp_normtree {
	unsigned h, A;				/* A: the root's */
	unsigned fine;				/* log2 D */
	uint64_t unit;				/* u of UNITS; what is below is in units */
	uint64_t cells;				/* c of UNITS; 0: not known */
	bool awake;				/* its tables are there */
	bool exact;				/* no noise */
	bool row;				/* an endless row of trees, not one */
	struct dp_normtree_level *level;	/* a kind's: [kind]; in memory */
	const struct dp_real *root;	/* R(v), v = 0..A */
	struct dp_real beyond;
	struct dp_normtree_row start;
	struct {
		bool known;			/* it is measured: see dp_normtree_know() */
		/*
		 * Of a chain: variance of a node of level l, and of (a - b)/2 at a split of level
		 * l, [l - 1]: but for what is less probable than 10^-13, exact; of trees with h <=
		 * 2 up to .1 % too small.  D > 1: as SPLINES says.
		 */
		double var[DP_NORMTREE_LEVELS + 1];
		double split[DP_NORMTREE_LEVELS];
		struct dp_normtree_places *places;	/* of no chain: internal.h */
	} moments;
	double loss;			/* certified: the largest sum of a path, the root's e too */
	struct dp_normtree_shape shape;		/* what the tables are made of */
	double rate;
	struct {				/* a law's work */
		struct dp_normtree_fades *fades;	/* of decays, */
		struct dp_normtree_sweeps *sweeps;	/* and of what else there is */
	} laws;
	struct dp_normtree_alias *alias;	/* rows of the lowest levels */
	struct {				/* what it holds */
		void *memory;
		size_t bytes;
		double *work;		/* of one that is to wake; dp_normtree_work() bytes */
		bool later;		/* it is replayed, and certified when it wakes, */
		uint64_t hash;		/* with tables of that hash */
	} held;
};
/* A tree for a budget; shape, A, `fine` and a hash of the tables pass through its numbers. */
int	dp_normtree_create(struct dp_normtree **, const struct dp_normtree_shape *,
	    const struct dp_privacy *) DP_MUSTUSE;
void	dp_normtree_free(struct dp_normtree *);	/* NULL is fine */
void	dp_normtree_count_shape(struct dp_normtree_shape *, uint64_t T);
void	dp_normtree_stream(struct dp_normtree_shape *, const struct dp_task *, uint64_t T,
	    double rate);

/*
 * The noise of a root; of the two children of each of n <= DP_NORMTREE_SPLITS nodes of a kind.
 * DP_EENTROPY, DP_ERANGE: what is written must not be used.
 */
int	dp_normtree_root(const struct dp_normtree *, struct dp_rng *, int64_t *P) DP_MUSTUSE;

/*
 * A block is 2^dp_normtree_bottom() steps.  fill: the increments of steps i + 1 .., i a multiple of
 * the block, blocks in order; wait[h] is the column, which starts zeroed.  valid: fill() could have
 * left it so.  Steps beyond the shape's T have no noise and must stay private.
 */
unsigned dp_normtree_bottom(const struct dp_normtree *);
int	dp_normtree_fill(const struct dp_normtree *, int64_t *wait, struct dp_rng *, uint64_t i,
	    int64_t *w) DP_MUSTUSE;

/*
 * The noise in the estimate of step t of a task (NULL: COUNT; WINDOW: of w[out]); over t = 1..T, at
 * most 2^h unless it is a row.
 */
void	dp_normtree_error(const struct dp_normtree *, const struct dp_task *, unsigned out,
	    uint64_t T, struct dp_error *);
double	dp_normtree_variance(const struct dp_normtree *, const struct dp_task *, unsigned out,
	    uint64_t t);
/*
 * Added to *l; of one tree one at a time, as they work in it.  NULL, a tree that there is no
 * memory for: then the law's variance is INFINITY, and its bound NAN.
 */
void	dp_normtree_law(const struct dp_normtree *, const struct dp_task *, unsigned out,
	    uint64_t t, struct dp_law *);

/* A norm tree's tables as text, as dputils-plan(5) has it. */

/*
 * Adds the tree: `tree' to `root'; of one on a finer grid the line `unknown'.  One that sleeps is
 * woken, and sleeps again.  DP_ENOMEM.
 */
int	dp_normtree_certify(struct dp_normtree *, struct dp_buf *) DP_MUSTUSE;

/*
 * A tree's noise from some step on, one step at a time: for a column that begins late, and
 * is small.
 *
 * The noise before step i, and that of all steps from it on, has the law of a tree that is drawn
 * from its first step: of the nodes above step i all are split, those that end before it are not,
 * as nothing is asked of them but their sums; and which nodes are split does not depend on the
 * noise.
 */

/*
 * i: steps before the one that is next, i < the shape's T.  wait[h] is the column's.  late: *before
 * is the noise of all i of them together.  late_steps: the increments w of step i + 1, i counting
 * up by one from where late() began, of n <= DP_NORMTREE_SPLITS columns, of which the k-th waits at
 * wait[k]: together they take less time.  DP_EINVAL: the tree has units, or too fine a grid
 * (normtree.h); DP_EENTROPY, DP_ERANGE: the columns must not be used again.  late_valid: they could
 * have left wait so.
 */
int	dp_normtree_late(const struct dp_normtree *, int32_t *wait, struct dp_rng *, uint64_t i,
	    int64_t *before) DP_MUSTUSE;
int	dp_normtree_late_steps(const struct dp_normtree *, int32_t *const *wait, struct dp_rng *,
	    uint64_t i, unsigned n, int64_t *w) DP_MUSTUSE;
bool	dp_normtree_late_valid(const struct dp_normtree *, const int32_t *wait);

/*
 * Of a count of unknown T (dp_normtree_ops): the tree of segment j, awake from here on, and the
 * steps before it.  NULL: there are no more, or no memory for a prediction's.
 */
struct dp_normtree *dp_normtree_count_tree(const struct dp_mech *, unsigned j, uint64_t *begin);

/*
 * Whether the noise of a count ever reaches a height: what a threshold for it costs,
 * and how large the noise of all steps is.
 */

/*
 * tail[i n + x - 1], x = 1 .. n, i < times: at least P(N_t >= x at one of the steps t = 1 .. T[i]),
 * N the noise of a count, and no less than some 10^-20 a step; p is awake.  DP_EINVAL: not known,
 * as on a finer grid, of a row of trees, or beyond the shape's steps; DP_ENOMEM.  Cost: O(kinds
 * reach^2 n); 0.1 s for T = 84.
 */
int	dp_normtree_passages(const struct dp_normtree *p, const uint64_t *T, unsigned times,
	    unsigned n, double *tail) DP_MUSTUSE;
/*
 * The least height *x of 1 .. n whose *tail, which is that of dp_normtree_passages(), is at most
 * `most'; n + 1: there is none.  Few heights of the whole tree are found.
 */
int	dp_normtree_passage_least(const struct dp_normtree *p, uint64_t T, double most, unsigned n,
	    unsigned *x, double *tail) DP_MUSTUSE;
/* Bytes that either of them takes while it looks. */
size_t	dp_normtree_passage_bytes(const struct dp_normtree *p, unsigned n);
/*
 * law[R + P] = P(noise of the whole tree = P), |P| <= R, R at least its A, rounded up; *outside is
 * at least the probability of all others.  p is as above.
 */
int	dp_normtree_root_law(const struct dp_normtree *p, unsigned R, double *law, double *outside)
	    DP_MUSTUSE;
/*
 * Of windows over an endless row of trees as p, a chain of 2^h <= W steps, which is awake:
 * tail[x - 1] is at least the largest sum of P(N_t >= x) over any W steps t in a row, N_t the noise
 * of the last W steps, before step W that of all.  Where a node is left out as rarer than `rare',
 * all that it would lead to counts as reached.  DP_EINVAL: on a finer grid, of other trees;
 * DP_ENOMEM.  Cost: O(2^h reach^3); 0.1 s for W = 24.
 */
int	dp_normtree_passage_windows(const struct dp_normtree *p, uint64_t W, double rare,
	    unsigned n, double *tail) DP_MUSTUSE;

#endif
