/*
 * work.h - a level as it is planned: its tables in doubles, and sums over the splits of a node, for
 * table.c (what the tables are, and lose) and moment.c (what they lead to).
 */
#ifndef DP_NORMTREE_WORK_H
#define DP_NORMTREE_WORK_H

#include <math.h>

#include "normtree.h"

#define DP_NORMTREE_NOTHING	0x1p-70	/* of a sum of weights: what follows is left out */
#define DP_NORMTREE_OFF		1e-12	/* an N', or an exp(-x), of itself, at most */
#define DP_NORMTREE_SAMPLED	0x1p-39	/* draws, two of which a ratio has (normtree.h) */
#define DP_NORMTREE_SLACK	1e-11	/* what these may hide of a level's loss, */
#define DP_NORMTREE_BEYOND	6e-12	/* so much of it where a table ends, */
#define DP_NORMTREE_FALL	1.25e-12	/* and so much where k falls: certify() */

/* g, next, t, m and child are over 0 .. last = 3A + 2. */
struct work {
	unsigned A, last;
	bool open;		/* level 1: g is 1, and k goes on for ever */
	unsigned fine;		/* log2 D: then tables are of splines */
	double *g, *next;	/* the children's table, the parents' */
	double *c;		/* fine: the children's as parents */
	double *k;		/* 0..A */
	double *N;		/* N'(P) for P = 0 .. 2A + 1 */
	double *t;
	double *m, *child;	/* P(|noise| = v) of a node, of one of its children */
	double q, fade;		/* g(v + 1) / g(v), k(y + 1) / k(y) beyond A */
	double wedge;		/* open: sum of k(y), y >= 1 */
};

/* In dp_normtree_work(A) bytes; level 1's g. */
void	dp_normtree_start(struct work *, unsigned A, unsigned fine, double *space);

/* One of the tables, a double as it was stored. */
static inline double
dp_normtree_number(struct dp_normtree_real r)
{
	return ldexp((double)r.m, (int)r.x - 64);
}

/*
 * The weights t of P's splits into P/2 + j, rounded up, and the rest, for j = 0, 1, .. until they
 * are `nothing` of their sum; returns how many.  *sum is that of all, on both sides.
 */
unsigned dp_normtree_weights(const struct work *, unsigned P, double nothing, double *sum);
/* N of P = A + 1 .. 2A + 1, where g is straight beyond A, within 10^-12 of itself. */
void	dp_normtree_weigh_beyond(const struct work *);

/* The first of n weights that is down to half of t[0]; n: none is. */
unsigned dp_normtree_half(const double *t, unsigned n);
/* The C of a trial's envelope 2^-floor(j / S) C of n weights. */
double	dp_normtree_envelope(const double *t, unsigned n, unsigned S);

/* Where tables go; to is NULL: nowhere. */
struct dp_normtree_place {
	struct dp_normtree_real *to;
	struct dp_normtree_row *row;
};

/*
 * One level of share e, from the children's table to the parents', which are the next one's
 * children; *loss: what a move of one grid unit loses there, at most.  DP_ERANGE: no certificate.
 */
int	dp_normtree_set_level(struct work *, struct dp_normtree_level *, double e, double corner,
	    double *loss, struct dp_normtree_place *) DP_MUSTUSE;
/* The root's law, g e^(-e |P|), and in w->m that of its size; what it loses, to p->loss. */
int	dp_normtree_set_root(struct dp_normtree *, struct work *, double e,
	    struct dp_normtree_real *to) DP_MUSTUSE;

/* var and split of all levels, from the root's law in w->m down; level[] is there. */
void	dp_normtree_moments(struct dp_normtree *, struct work *);

#endif
