/*
 * level.h - a level as it is planned: its tables in doubles, and sums over the splits of a node,
 * for table.c (what the tables are, and lose) and moment.c (what they lead to).
 */
#ifndef DP_NORMTREE_LEVEL_H
#define DP_NORMTREE_LEVEL_H

#include <math.h>

#include "redraw.h"

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
	double *g[2];		/* the children's tables */
	double *c[2];		/* fine: equal to the parents' */
	double *steep[2];	/* of g: the largest of the ratios from v on */
	double *next;		/* the parents' table */
	double *k;		/* 0..A */
	double *N;		/* N'(P) for P = 0 .. 2A + 1 */
	double *t[2];
	double *m;		/* P(|noise| = v) of the root */
	struct {		/* how tables go on where they end */
		double q[2];	/* g(v + 1) / g(v) beyond A, */
		double fade;	/* k(y + 1) / k(y) */
		double wedge;	/* open: sum of k(y), y >= 1 */
	} beyond;
	/* for what tables lead to (child.h): a node's pair, its child's, and rows of splits */
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

/*
 * The first of n weights from which on all are down to half of the largest; n: none is.  They fall
 * from t[peak] on.
 */
unsigned dp_normtree_half(const double *t, unsigned n, unsigned peak);
/* The C of a trial's envelope 2^-floor(j / S) C of n weights. */
double	dp_normtree_envelope(const double *t, unsigned n, unsigned S);

/* rows.c */
/*
 * True if an envelope C 2^-floor(j / S), C >= all t[j] 2^floor(j / S), j < n, is above what follows
 * t[n - 1] and falls by `end` each time: at the next place where it halves, and from then on as
 * S of them come to a half or less.
 */
bool	dp_normtree_covered(const double *t, unsigned n, unsigned S, double end, double C);
void	dp_normtree_set_row(struct dp_normtree_row *, unsigned S, double C);
/*
 * N' as far as A, and the rows, if they are kept.  C is raised until trials fail alike for all P
 * (Time).  DP_ERANGE: some row has no envelope.
 */
int	dp_normtree_set_rows(const struct work *, enum dp_normtree_use, struct dp_normtree_row *)
	    DP_MUSTUSE;

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
/* The root's law, g e^(-e |P|), and in w->m that of its size; what it loses, to p->loss. */
int	dp_normtree_set_root(struct dp_normtree *, struct work *, double e, double loss) DP_MUSTUSE;
/* var and split of a tree that is a chain, from the root's law in w->m. */
void	dp_normtree_moments(struct dp_normtree *, struct work *);

#endif
