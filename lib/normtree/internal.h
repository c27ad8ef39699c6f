/* SPDX-License-Identifier: ISC */
/* internal.h - internal to lib/normtree: what its files alone share. */
#ifndef DP_NORMTREE_INTERNAL_H
#define DP_NORMTREE_INTERNAL_H

#include "normtree.h"

struct dp_normtree_alias;
struct dp_normtree_fades;
struct dp_normtree_pass;
struct dp_normtree_redraw;
struct dp_normtree_sweeps;

#define DP_NORMTREE_STEP	UINT16_MAX	/* in a kind's place: a step */
#define DP_NORMTREE_RATE	20	/* a larger one is taken for it: less is more private */
#define DP_NORMTREE_REACH	600	/* A, at most: planning takes A^2; */
#define DP_NORMTREE_KINDS_REACH	600	/* where reaches differ: table.c */
#define DP_NORMTREE_BENT	0x1p-10	/* log g is no farther off a concave function: draw.c */
#define DP_NORMTREE_BLOCK	6	/* log2 of the steps of a block, at most */

/* Purposes of tables; certified numbers are kept where the line says so. */
enum dp_normtree_use {
	DP_NORMTREE_FIND,	/* keeps nothing, leaves out how splits are drawn */
	DP_NORMTREE_CERTIFY,	/* keeps nothing */
	DP_NORMTREE_AGAIN,	/* what was certified */
	DP_NORMTREE_DRAW,	/* all are there, and certified */
	DP_NORMTREE_REPLAY	/* the same of a plan that was certified when it was recorded */
};

/*
 * The tables of a tree whose A and `fine` are set; rate: epsilon / l1.  DP_ERANGE: the certificate
 * fails, or the shares leave nothing for it; DP_ENOMEM.  dp_normtree_free() in any case.
 */
int	dp_normtree_set(struct dp_normtree *, const struct dp_normtree_shape *, double rate,
	    enum dp_normtree_use) DP_MUSTUSE;
size_t	dp_normtree_work(unsigned A);	/* bytes that it works in */
/*
 * The least reaches of kinds that can be certified on that grid, from what is usual for their
 * levels on; *total is what they lose.  DP_ERANGE: one would be too long.
 */
int	dp_normtree_find_reach(struct dp_normtree_shape *, unsigned fine, double rate,
	    double *total) DP_MUSTUSE;
/*
 * A tree of which only the moments are wanted; what privacy.memo knows of it is not found again.
 * alone: it is awake, and the memo keeps its tables, too; else at rest.
 */
int	dp_normtree_measure(struct dp_normtree **, const struct dp_normtree_shape *,
	    const struct dp_privacy *, bool alone) DP_MUSTUSE;
/*
 * dp_normtree_create(), asleep: the tables are certified, and given up.  dp_normtree_wake() makes
 * them again, for draws and laws, which call it themselves.  It does not fail, as its memory is set
 * aside and its numbers are those certified; but any plan that is replayed is asleep, has its
 * tables made and certified then, and DP_ESTATE if they are not those recorded: most runs that go
 * on draw nothing.  dp_normtree_rest() gives their pages back and keeps measurements.
 */
int	dp_normtree_reserve(struct dp_normtree **, const struct dp_normtree_shape *,
	    const struct dp_privacy *) DP_MUSTUSE;
int	dp_normtree_wake(const struct dp_normtree *) DP_MUSTUSE;
/*
 * Its moments, which only describe: there are none before they are asked for.  What asks for a
 * variance here calls this itself.  A tree that is asleep is awake then.  false: no memory.
 */
bool	dp_normtree_know(const struct dp_normtree *) DP_MUSTUSE;
void	dp_normtree_rest(struct dp_normtree *);
/* Of tables that several trees may share: the last one frees them; NULL is fine. */
void	dp_normtree_release(void *tables);
/* dp_mech_ops.say.unfit(). */
bool	dp_normtree_unfit(const struct dp_privacy *, char *text, size_t size);
/* For a count of T steps at so large a rate that noise is rare, a chain; false: it is not. */
bool	dp_normtree_rare_shape(struct dp_normtree_shape *, uint64_t T, double rate);
/* For segment j = 0, 1, .. of a count without end: 16^(j+2) steps. */
void	dp_normtree_segment(struct dp_normtree_shape *, unsigned j);

/* The largest sum of shares on the path of a step, with the root's. */
double	dp_normtree_shares(const struct dp_normtree_shape *);
/*
 * Kinds of a plan, kept or replayed, but for shares and corners; h is the caller's, and a tree that
 * is to be a chain replays a chain alone.  States of old keep chains.
 */
void	dp_normtree_keep_kinds(struct dp_normtree_shape *, struct dp_numbers *);
/*
 * The noise of a root; of the two children of each of n <= DP_NORMTREE_SPLITS nodes of a kind.
 * DP_EENTROPY, DP_ERANGE: what is written must not be used.
 */
int	dp_normtree_split(const struct dp_normtree *, struct dp_rng *, unsigned kind,
	    const int64_t *P, int64_t *out, unsigned n) DP_MUSTUSE;
/*
 * A block is 2^dp_normtree_bottom() steps.  fill: the increments of steps i + 1 .., i a multiple of
 * the block, blocks in order; wait[h] is the column, which starts zeroed.  valid: fill() could have
 * left it so.  Steps beyond the shape's T have no noise and must stay private.
 */
bool	dp_normtree_valid(const struct dp_normtree *, const int64_t *wait);
/*
 * fill() of n <= DP_NORMTREE_COLUMNS columns that wait `stride' bytes apart, the k-th's increments
 * from w[k << dp_normtree_bottom()] on: all their nodes of a level are drawn, column by column,
 * before those of the next.
 */
#define DP_NORMTREE_COLUMNS	DP_FILL_COLUMNS
int	dp_normtree_fills(const struct dp_normtree *, int64_t *wait, size_t stride, unsigned n,
    struct dp_rng *, uint64_t i, int64_t *w) DP_MUSTUSE;
/* Of the increment of step t of a tree alone. */
double	dp_normtree_step_variance(const struct dp_normtree *, uint64_t t);
/*
 * On a finer grid what of an estimate's is more than D^2 times the variance that the tables alone
 * would lead to, at most: a fraction of it below 1/100.
 */
double	dp_normtree_residual(const struct dp_normtree *, const struct dp_task *, unsigned out,
	    uint64_t t);

/*
 * The least whole w from least .. most with P(|noise| > w at one of the steps 1 .. T) <= gamma, at
 * most one more: it is that of both sides, of which each has half of gamma.  `most' has at most
 * gamma, and is the result where nothing is known, or it would take long.  NAN: no memory.
 */
double	dp_normtree_all(const struct dp_normtree *, uint64_t T, double gamma, double least,
	    double most);

/*
 * Splits of a tree's lowest levels by one look-up each: alias rows (Walker 1977, Vose
 * 1991) over the tables that draw.c draws from by rejection.
 *
 * A row is made for each of the lowest levels of a chain and each |P| < n = 2^b, b = 4..7 the
 * least with 3 2^b >= A.  Its outcomes are j = 0 .. first - 1, j as in normtree.h's SAMPLING, and
 * the tail j >= first, which has the last column's number.  Their weights are whole numbers
 * ("units") that sum to 2^63; each of n columns holds 2^(63-b) units of at most two outcomes.  A
 * draw is one word of 32 bits: a side, a column, and the first 31 - b bits of a unit; 32 more bits
 * decide where those are the threshold's.  A tail, and |P| >= n, are left to rejection.
 *
 * Statement: each outcome has its probability within exp(+-2^-42).  In a tail rejection's error is
 * added to that: below the exp(+-2^-40) that normtree.h states for every draw, as rejection alone
 * is off by some hundred products of reals, 2^-52.
 *
 * Proof: tests/proof/norm-tree.md.
 *
 * The outcome j = 0 of an even P has half the weight, as both of its sides are one split.
 *
 * TIME.  Two look-ups, at addresses that depend on P and the word; a branch is taken for ties
 * (2^-25), tails and |P| >= n only.  Rows are public.
 */

#define DP_NORMTREE_ALIAS_LEVELS	8
#define DP_NORMTREE_ALIAS_NODES		16	/* of one call: their words are one take */
/*
 * The step of a tree that rows are used from, so that short runs do not wait for them; and the
 * increments, of all columns, after which they are used where draws have no order that is promised.
 */
#define DP_NORMTREE_ALIAS_FROM		4096
#define DP_NORMTREE_ALIAS_DRAWN		131072

/* Memory for the rows of any levels with tables of that A, untouched.  NULL: no memory. */
struct dp_normtree_alias *dp_normtree_alias_create(unsigned A);
void	dp_normtree_alias_free(struct dp_normtree_alias *);	/* NULL is fine */
/* Memory that is not touched for rows that are made; if there is none they stay. */
void	dp_normtree_alias_rest(struct dp_normtree_alias **, unsigned A);
/* Rows of n <= DP_NORMTREE_ALIAS_LEVELS levels of a chain, from level 1 on. */
void	dp_normtree_alias_make(struct dp_normtree_alias *,
	    const struct dp_normtree_level *const level[], unsigned n);
/* Counts n increments; true: rows are to be used, and are not yet. */
bool	dp_normtree_alias_soon(struct dp_normtree_alias *, unsigned n);
/*
 * Sets that rows are in use at step i of a tree, if it is late enough or soon() said so, for the
 * chain below a node of that kind; kind DP_NORMTREE_STEP: none is below.  True: rows have to be
 * made.
 */
bool	dp_normtree_alias_at(struct dp_normtree_alias *, uint64_t i, unsigned kind);
/* Levels whose rows are in use; the kind of the node above, DP_NORMTREE_STEP: none are. */
unsigned dp_normtree_alias_levels(const struct dp_normtree_alias *);
unsigned dp_normtree_alias_kind(const struct dp_normtree_alias *);

/*
 * The noise of the two children of each of n <= DP_NORMTREE_ALIAS_NODES nodes of level l.  Bit i of
 * *left: the i-th is not split, its j is at least dp_normtree_alias_first().  DP_EENTROPY.
 */
int	dp_normtree_alias_split(const struct dp_normtree_alias *, struct dp_rng *, unsigned l,
	    const int64_t *P, int64_t *out, unsigned n, unsigned *left) DP_MUSTUSE;
uint64_t dp_normtree_alias_first(const struct dp_normtree_alias *, unsigned l, uint64_t P);

/* For tests: without AVX2; n; and the units of column c, those below the threshold: j = c. */
void	dp_normtree_alias_plain(struct dp_normtree_alias *);
unsigned dp_normtree_alias_width(const struct dp_normtree_alias *);
uint64_t dp_normtree_alias_column(const struct dp_normtree_alias *, unsigned l, unsigned P,
	    unsigned c, unsigned *other);

/*
 * Draws on the tables' own grid.
 */

typedef struct dp_real real;

DP_INLINE uint64_t
size_of(int64_t noise)
{
	const uint64_t sign = -((uint64_t)noise >> 63);

	return ((uint64_t)noise ^ sign) - sign;
}

/* a and b of the node's noise, from j */
DP_INLINE void
put(int64_t noise, uint64_t j, unsigned swap, int64_t *out)
{
	const uint64_t sign = -((uint64_t)noise >> 63), P = ((uint64_t)noise ^ sign) - sign;
	const uint64_t a = P - P / 2 + j, b = P / 2 - j, other = (a ^ b) & -(uint64_t)swap;

	out[0] = (int64_t)(((a ^ other) ^ sign) - sign);
	out[1] = (int64_t)(((b ^ other) ^ sign) - sign);
}

/* Of a table that is geometric from A on. */
real	dp_normtree_entry(const real *table, unsigned A, real beyond, uint64_t v);

/*
 * What alias rows are, and where each of them lies.
 */

#define DP_NORMTREE_WIDEST	(1 << DP_ALIAS_BITS)	/* n, at most */

struct dp_normtree_alias {
	unsigned bits, width;		/* b; n */
	unsigned levels;		/* that have rows */
	unsigned kind;			/* of the highest level's nodes */
	uint64_t node;			/* of these, the last that was asked for; 0: none */
	uint64_t drawn;			/* increments without an order that is promised */
	bool on;			/* they are in use */
	bool lanes;			/* AVX2 */
	uint32_t *column;		/* threshold's first 31 - b bits, and the other outcome */
	uint32_t *tie;			/* threshold's last 32 bits */
	uint8_t *first;			/* of row */
	/* what a row is made of */
	real child[DP_NORMTREE_REACH + DP_NORMTREE_WIDEST + 1];	/* g, v = 0..A + n */
	dp_uwide weight[DP_NORMTREE_WIDEST];	/* W */
	struct dp_alias work;
};

/* Of level l, a node of size P. */
static inline size_t
dp_normtree_alias_row(const struct dp_normtree_alias *a, unsigned l, uint64_t P)
{
	return ((size_t)(l - 1) << a->bits) + P;
}

/*
 * What is known of a node's noise on a finer grid (normtree.h, SPLINES), and what
 * becomes of that when the noise is taken for a whole number of the tables' again.
 *
 * A node has D (i + xi), its parent's split giving i, and xi a residual; what is split is Q, and
 * the rest of the noise is D rho = D (i + xi - Q).  Of i and xi the law of i is known, and the
 * mean of xi for each i: as the densities of what is above are nearly geometric over a few D, that
 * of xi given i is beta times 1 + xi E[xi | i] / Var(xi), but for less than 2 10^-3 of the
 * variance.  So P's law is, and thus that of Q, and the mean of rho for each Q.  All of it
 * holds for means of B, the noise of the steps before the node.
 *
 * A pair f(v), g(v) is E[F; |i| = v], E[F xi; |i| = v] of a variable F; of an odd one times the
 * sign of i, where f is odd; and g, where F is even.  After the redraw Q is in i's place, rho in
 * xi's.
 */

struct dp_normtree_pair {
	double *of, *rest;		/* f, g */
};
/* From m <= n numbers of each to m + DP_NORMTREE_FARTHER of each.  odd: F is. */
void	dp_normtree_redraw(const struct dp_normtree_redraw *, bool odd, unsigned m,
	    const struct dp_normtree_pair *from, const struct dp_normtree_pair *to);

/* For pairs of v < n, in dp_normtree_redraw_size(n) doubles. */
struct dp_normtree_redraw;

#define DP_NORMTREE_FARTHER	5
/* c: a kind's own table, as far as v = n + 12. */
void	dp_normtree_redraw_set(struct dp_normtree_redraw *, const double *c, unsigned fine,
	    unsigned n);

/*
 * A level as it is planned: its tables in doubles, and sums over the splits of a node,
 * for table.c (what the tables are, and lose) and error.c (what they lead to).
 */

#define DP_NORMTREE_NOTHING	0x1p-70	/* of a sum of weights: what follows is left out */
#define DP_NORMTREE_OFF		1e-12	/* an N', or an exp(-x), of itself, at most */
#define DP_NORMTREE_SAMPLED	0x1p-39	/* draws, two of which a ratio has (normtree.h) */
#define DP_NORMTREE_SLACK	1e-11	/* what these may hide of a level's loss, */
#define DP_NORMTREE_BEYOND	6e-12	/* so much of it where a table ends, */
#define DP_NORMTREE_FALL	1.25e-12	/* and so much where k falls: certify() */

/*
 * g, c, next, t and what is of node, child and row are over 0 .. last = 3A + 2, A of the root's
 * kind; [0]: of the left child, [1]: the right.
 */
struct work {
	unsigned A, last;	/* A: of the kind at hand */
	bool open;		/* a pair of steps: g is 1, and k goes on for ever */
	bool bent;		/* a table was not log-concave enough */
	bool alike;		/* children of one kind: [0] alone is there */
	unsigned fine;		/* log2 D: then tables are of splines, */
	double small;		/* of a spline's loss: what is left of the search for it */
	double *g[2];		/* the children's tables */
	double *c[2];		/* fine: equal to the parents' */
	double *steep[2];	/* of g: the largest of the ratios from v on, */
	double *flat[2];	/* and the least of those up to it */
	double *next;		/* the parents' table */
	double *k;		/* 0..A */
	double *N;		/* N'(P) for P = 0 .. 2A + 1 */
	double *t[2];
	double *m;		/* P(|noise| = v) of the root */
	struct {		/* how tables go on where they end */
		double q[2];	/* g(v + 1) / g(v) beyond A, */
		double fade;	/* k(y + 1) / k(y), */
		unsigned from;	/* for y >= from - 1, at least */
		double wedge;	/* open: sum of k(y), y >= 1 */
	} beyond;
	/* for what tables lead to: a node's pair, its child's, and rows of splits */
	struct dp_normtree_pair node, child;
	struct dp_normtree_rows {
		double *even[2], *odd[2];
	} row;
	struct dp_normtree_redraw *redraw;
};

/* In dp_normtree_work(A) bytes; a pair of steps' g. */
void	dp_normtree_start(struct work *, unsigned A, unsigned fine, double *space);

/*
 * The weights t of P's splits into P/2 + j, rounded up, for the child of that side, and the rest
 * for the other, j = 0, 1, .. until they are `nothing` of their sum; returns how many.  *sum is
 * that of all.
 */
unsigned dp_normtree_weights(const struct work *, unsigned side, unsigned P, double nothing,
    double *sum);
/* N(P) from both sums; P's halves are in both. */
double	dp_normtree_both(const struct work *, unsigned P, const double sum[2]);
/* N of P = A + 1 .. 2A + 1, where g is straight beyond A, within 10^-12 of itself. */
void	dp_normtree_weigh_beyond(const struct work *);

/* Place of the next kind's tables and rows. */
struct dp_normtree_spot {
	struct dp_real *to;
	struct dp_normtree_row *row;
};

/*
 * Kind i of p's shape, at a rate of `rate` for all shares: from its children's tables to its own.
 * The losses are of a move of one grid unit, at most, on the worst path to a step: in loss[], from
 * those of the children, kind i's; AGAIN: they are not looked for.  DP_ERANGE: no certificate.
 */
int	dp_normtree_set_level(struct dp_normtree *, struct work *, unsigned i, double rate,
    enum dp_normtree_use, double *loss, struct dp_normtree_spot *) DP_MUSTUSE;
/* Table of the root's law. */
const struct dp_real *dp_normtree_root_table(const struct dp_normtree *);
/* The root's law, g e^(-e |P|); what it loses, to p->loss.  In w->m that of its size. */
int	dp_normtree_set_root(struct dp_normtree *, struct work *, double e, double loss) DP_MUSTUSE;
void	dp_normtree_root_sizes(const struct dp_normtree *, struct work *);
/* var and split of a tree that is a chain, from the root's law in w->m. */
void	dp_normtree_moments(struct dp_normtree *, struct work *);

/*
 * How the noise of a node's children depends on its own: rows of the splits' laws.
 *
 * Of a child u and its parent's P, by their sizes: K(P, u) = P(child is u or -u | P), and
 * J(P, u) = P(u | P) - P(-u | P).
 */

/*
 * The tables that a kind's nodes are split by; grain > 1: at its multiples alone, a law of nearly
 * equal form where the tables are long, in fewer numbers.
 */
void	dp_normtree_take(struct work *, const struct dp_normtree *, unsigned kind, unsigned grain);

/*
 * Row P of K and, if asked for, of J, of both children of that kind, in w->row, where children are
 * alike the left one's: those from the one returned on are 0, and are not written.  weight: the
 * probability of P, or more; the less it is the fewer splits count.
 */
unsigned dp_normtree_row_of(const struct work *, unsigned P, double weight,
	    bool odd);

/*
 * The characteristic function of the noise in a decayed sum of a row of trees, each a
 * chain, as internal.h has that of a count.
 *
 * A node all of whose steps count, the newest with weight z, has the sum z (m P + Y): m the mean of
 * its weights, Y what is uneven in them.  E[Y | P] = 0, and the variance of Y is found exactly; its
 * law is taken for Laplacian, the widest of its kind, which Y is a small part of.  So a left child
 * turns by exp(i s z m P) where internal.h has exp(i s P), P its parent's, and all is multiplied by
 * 1 / (1 + (s z)^2 E[Var(Y) | P] / 2).
 *
 * Weights fall from step to step, and so do the points s in all that came before; instead they are
 * kept within a block, and the step's points are raised.  Trees whose weight is below 10^-5 are
 * left out.
 */

struct dp_normtree_fades *dp_normtree_fades_create(void);	/* a tree's; NULL: no memory */
void	dp_normtree_fades_free(struct dp_normtree_fades *);	/* NULL is fine */

/*
 * A node on the way from the root down, for error.c.
 */

/* A node on the way: n numbers of each are not 0.  One of a chain has no `before`. */
struct dp_normtree_node {
	struct dp_normtree_node *next, *child[2];	/* child: while its kind is gone through */
	uint64_t base;
	double offset;			/* E[B^2] / D^2 */
	unsigned n;
	uint32_t place;			/* of a chain's */
	struct dp_normtree_pair noise, before;	/* of 1, and of B / D */
	double number[];
};

/*
 * K and J of internal.h as matrices: what takes functions of a node's noise from a parent to
 * its child, and back.
 */

/* Two functions of a node's noise v at all points: [v * stride + point]. */
struct half {
	double *x, *y;
};
/* x by K, y by J: from the parent to that child, sum_P f(P) K(P, u); up: sum_u K(P, u) f(u). */
void	dp_normtree_pass(const struct dp_normtree_pass *, unsigned side, bool up,
	    const struct half *from, struct half *to, size_t stride);

/* Of a kind; [P * (last of the child + 1) + u]. */
struct dp_normtree_pass {
	double *even[2], *odd[2];	/* NULL: not made yet; what free() takes is even[0] */
	unsigned last, child[2];	/* largest P; largest u of each child */
	unsigned sides;			/* 0: children of one kind, which share matrices */
};

/*
 * Where a count's variance comes from, in a tree whose nodes differ.
 *
 * A place is a node below which all is a chain; the nodes above it are gone down one by one.  With
 * B the noise of all steps before it and P its own, its first u of L steps have the noise B + f P +
 * splits, f = u / L, where the splits of a chain are uncorrelated with what is above, and with each
 * other: error.c.  So step u has the variance
 *	E[B^2] + 2 f E[B P] + f^2 E[P^2] + sum over levels l of split_l s_l(u)^2,
 *	s_l(u) = 2 min(x, 1 - x), x = u / 2^l mod 1.
 * A tree that is a chain is one place, B = 0.
 *
 * Found from the root down: tests/proof/norm-tree.md.
 */

struct dp_normtree_place {
	uint64_t base;			/* steps before it */
	unsigned level;
	uint32_t split;			/* the lowest level's is at number[split] */
	double before, both, own;	/* E[B^2], 2 E[B P], E[P^2] */
};

/* In one piece, n of them in the order of their steps. */
struct dp_normtree_places {
	uint32_t n, numbers;
	struct dp_normtree_place at[];	/* n, then the numbers */
};

size_t	dp_normtree_places_size(const struct dp_normtree_places *);
const double *dp_normtree_numbers(const struct dp_normtree_places *);
/* Of the steps up to the shape's T; the tables are there, and in w->m the root's law. */
int	dp_normtree_find_places(struct dp_normtree *, struct work *) DP_MUSTUSE;

/*
 * All of one place: its step u's variance; the sum of the first n; what none is above; and the
 * largest of the first n, or that where more than a plan has may be the largest.
 */
double	dp_normtree_place_at(const struct dp_normtree_place *, const double *split, uint64_t u);
double	dp_normtree_place_sum(const struct dp_normtree_place *, const double *split, uint64_t n);
double	dp_normtree_place_bound(const struct dp_normtree_place *, const double *split);
double	dp_normtree_place_max(const struct dp_normtree_place *, const double *split, uint64_t n,
	    uint64_t *worst);

/*
 * Points that laws of a tree's noise are found at, and what is found once for all of
 * them: matrices of splits.
 *
 * They are all that a period of a lattice of grains has (law/law.h), and after them 0 and a
 * slight one: what is left out is missing at 0, and both tell the variance.
 */

#define DP_NORMTREE_SETS	2	/* of points, those of two ranges, are kept */
#define DP_NORMTREE_STRIDE	(DP_LAW_POINTS + 4)	/* numbers of a v, at most */
#define DP_NORMTREE_FARTHEST	(2 * DP_NORMTREE_REACH)	/* M, at most */
#define DP_NORMTREE_SLIGHT	0.0625	/* of a step */

/* In grains, each `grain` of the tables' numbers. */
struct dp_normtree_points {
	double gamma, step;
	unsigned points, stride, grain;
	unsigned M[DP_NORMTREE_LEVELS + 1];	/* no node of a level is looked at beyond */
	struct dp_normtree_pass pass[DP_NORMTREE_KINDS];
};

/* Points as they were chosen last, for a gamma and a standard deviation; gamma 0: none yet. */
struct dp_normtree_choice {
	double gamma, sigma, step, grain;
	unsigned n, tables;
};

/* The i-th: of points 0 .. points + 1, and more of no use as far as a stride goes. */
static inline double
dp_normtree_point(const struct dp_normtree_points *q, unsigned i)
{
	return i < q->points ? (i + 1) * q->step :
	    (i - q->points) * DP_NORMTREE_SLIGHT * q->step;
}

/* The variance of a law, in grains, from its values at the last two points. */
static inline double
dp_normtree_curvature(const struct dp_normtree_points *q, const double *told)
{
	const double s = dp_normtree_point(q, q->points + 1);

	return -2 * log(told[1] / told[0]) / (s * s);
}

/*
 * Trees of one planning, by what they are a function of.
 */

/* All that a tree is a function of, except its tables' hash in a state. */
struct dp_normtree_key {
	char of[8];
	double rate;
	struct dp_normtree_shape shape;
};

/*
 * Shares by path, as numbers that a horizon decides.
 *
 * Nodes have one of four types.  What a node takes of the budget that its path has left, and where
 * its k begins to fall, are functions of its height and type, with some numbers of their own near
 * the root and the steps; these numbers are there for some T and are interpolated between.
 */

#define DP_NORMTREE_BUDGETS	16	/* of a height, at most */
#define DP_NORMTREE_NUMBERS	29

/* The left child of a left one, or the top; the left of a right one; a right one; all alike. */
enum { DP_NORMTREE_LL, DP_NORMTREE_LR, DP_NORMTREE_RIGHT, DP_NORMTREE_ALIKE, DP_NORMTREE_TYPES };

struct dp_normtree_rule {
	unsigned H;			/* levels below the root, or below the node above them */
	unsigned unlike;		/* children differ so far from the top */
	unsigned budgets;		/* that the nodes of a height leave, at most */
	double root;			/* its share */
	double above;			/* share of a node above; 0: there is none */
	double p[DP_NORMTREE_NUMBERS];
};

/*
 * Of runs with hardly more than 2^(H - 1) steps the first 2^(H - 1) have a tree of their own, below
 * one node; up to 2^7 steps other numbers are better. x as below.
 */
static inline bool
dp_normtree_rule_above(unsigned H, double x)
{
	return H > 7 && 2 * x <= 1.0625;
}

/*
 * What a norm tree's tables become on a finer grid (normtree.h, SPLINES), and lose.
 * Tables are even, over 0 .. last = 3A + 2, from A on geometric.
 */

#define DP_SPLINE_ORDER	4	/* n: uniforms in a residual */
#define DP_SPLINE_REACH	12	/* A, at least */

/*
 * Replaces c, as far as A, by its means of five, for which lambda is least.  ratio: c(v + 1) / c(v)
 * from A - 1 on.
 */
void	dp_spline_smooth(double *c, unsigned A, unsigned last, double ratio, unsigned fine);
/* lambda of g and c, fall = exp(-e), or up to `small' of it more, in grid units. */
#define DP_SPLINE_SMALL	0x1p-20
double	dp_spline_loss(const double *g, const double *c, unsigned A, unsigned fine, double fall,
	    double small);
/* The variance of a residual, and the mean of that of half the difference of two of known sum. */
double	dp_spline_residual(unsigned fine);

/*
 * The probabilities of a kind's splits, for laws of all steps together
 * (passage.c), of one tree of whole numbers.
 */

struct dp_normtree_splits {
	unsigned reach, rows;		/* of a, and of P: at most as far */
	double *split;			/* p(a | P): [P][a + reach], P >= 0 */
	unsigned *spread;		/* [P]: a farther off P / 2 is rarer than was asked for */
	double *outside;		/* [P]: probability that |a| > reach, rounded up */
	double *g[2];			/* a kind's tables, left and right, 0 .. 5 reach */
	double *fall;			/* and its k, 0 .. A */
};

size_t	dp_normtree_splits_size(unsigned reach);
/* In dp_normtree_splits_size() bytes at `memory'. */
void	dp_normtree_splits_in(struct dp_normtree_splits *, unsigned reach, double *memory);
/*
 * p(a | P) of a kind, P = 0 .. rows: weights over their sum as far as |a| <= 5 reach, so each is
 * rounded up.  `outside' holds where reach is no less than the kind's A.
 */
void	dp_normtree_set_splits(struct dp_normtree_splits *, const struct dp_normtree *,
	    unsigned kind, double rare);
/* The root's weights R(P), P = 0 .. reach; *sum is that of all. */
const double *dp_normtree_root_weights(struct dp_normtree_splits *, const struct dp_normtree *,
	    double *sum);

/* Of P, at a = 0; of -P that of -a. */
static inline const double *
dp_normtree_split_of(const struct dp_normtree_splits *s, unsigned P)
{
	return s->split + (size_t)P * (2 * s->reach + 1) + s->reach;
}

/*
 * The characteristic function of the noise in one estimate of a count or a window, found
 * from the root down: for trees of all kinds.
 *
 * How: tests/proof/norm-tree.md.
 * Left out are nodes beyond M, a level's: what that comes to is found with the points, as they are
 * 1 at s = 0 but for it, and is charged.
 *
 * Numbers are those of the tables at multiples of a grain; a step's standard deviation is 2 grains
 * or more, so the law is of nearly the same form, and law/law.c makes it as wide as the exact
 * variance says.  Points are all that a period of them has: some 20, as an
 * estimate's noise is not much wider than a step's.  They serve all steps of a count.
 * Half-widths are never below the exact ones, and within 1 %: measured (t_normtree_bounds.c), not
 * proved, as for the form of a law in grains there is no bound so near.
 *
 * The last steps of a chain are as the first, reversed; trees of a row are independent.  A window
 * that begins and ends within one tree is not served: there the variance decides.
 */

/* Grid units from one number of the tables to the next: D units. */
static inline double
dp_normtree_apart(const struct dp_normtree *p)
{
	return (double)p->unit * (double)((uint64_t)1 << p->fine);
}

struct dp_normtree_sweeps *dp_normtree_sweeps_create(void);	/* a tree's; NULL: no memory */
void	dp_normtree_sweeps_free(struct dp_normtree_sweeps *);	/* NULL is fine */

#endif
