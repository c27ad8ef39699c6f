/*
 * level.h - the coefficients of one level's noise in an estimate; for this room alone.
 *
 * With q_l(J) the mean weight that the steps of node J's own block have in the estimate (0 if they
 * are to come), sum_t weight(t) w_t has the coefficient of z_l[j]
 *	q_l(j) - sum_J m_(l+1)(j - kJ) q_(l+1)(J)	(the top row: q alone).
 * All levels below the top look alike: after n steps only the nodes near n and, under EXP, those
 * before matter.  A segment is the children between the middles of two blocks, over which one hat
 * falls and the next one rises (box: a block).  Let K be the block of level l+1 that holds step n
 * (0-based), r its whole children before n, y the steps since.
 *   near  segments K and K+1, that is the 2k children from kK - k/2 on: every coefficient is affine
 *         in p = y/B (COUNT), 1 - alpha^y (EXP), so the level's part of the variance is a
 *         quadratic, convex in p.
 *   old   EXP: segment S < K is a fixed pattern times alpha^(n - (S+1)kB).
 * WINDOW is COUNT at t minus COUNT at t - W, coefficient by coefficient.
 */
#ifndef DP_BRIDGE_LEVEL_H
#define DP_BRIDGE_LEVEL_H

#include "bridge.h"

enum dp_bridge_edge { DP_BRIDGE_INNER, DP_BRIDGE_FIRST, DP_BRIDGE_LAST, DP_BRIDGE_EDGES };

#define DP_BRIDGE_NEAR	(2 * DP_BRIDGE_BLOCK)

struct dp_bridge_level {
	unsigned k;		/* children a parent; 0: the top row */
	bool hat;		/* how the level above measures this one */
	double B, per;		/* steps of a node's own, 1/B: exact, B is a power of two */
	double rate;		/* -ln alpha; 0: COUNT or WINDOW */
	double decay;		/* alpha^B */
	double full;		/* p of a whole child: 1, or 1 - alpha^B */
	double node, parent;	/* EXP: weight of a node, of a parent, that ended just now */
	/* EXP: sum of squares of a segment (top: a node) that ended just now; of the first one */
	double old, old0;
};

/* Steps after which old coefficients repeat. */
static inline double
dp_bridge_level_span(const struct dp_bridge_level *v)
{
	return v->k == 0 ? v->B : v->B * v->k;
}

/* rate: -ln alpha, or 0. */
void	dp_bridge_level_set(struct dp_bridge_level *, unsigned k, bool hat, double B, double rate);

/* p of y steps into a child. */
double	dp_bridge_level_p(const struct dp_bridge_level *, double y);
/* sum of p and of p^2 over y = 0..n-1 */
void	dp_bridge_level_moments(const struct dp_bridge_level *, uint64_t n, double *s1, double *s2);

/* The 2k coefficients near. */
void	dp_bridge_near(const struct dp_bridge_level *, enum dp_bridge_edge, unsigned r, double p,
	    double *c);
/*
 * EXP: the coefficients of a segment (first: the first one) that ended just now; returns how many,
 * <= k.
 */
unsigned dp_bridge_old(const struct dp_bridge_level *, bool first, double *c);
/*
 * EXP: the squares of all segments before block K, at that block's begin; the most that they are in
 * any block, which settle() makes them be long after the first.
 */
double	dp_bridge_older(const struct dp_bridge_level *, uint64_t K);
double	dp_bridge_level_oldest(const struct dp_bridge_level *);
void	dp_bridge_level_settle(struct dp_bridge_level *);

/* a + b p + c p^2 = the sum of squares near, for r = 0..k-1 */
struct dp_bridge_poly {
	double a, b, c;
};
void	dp_bridge_rows(const struct dp_bridge_level *, enum dp_bridge_edge,
	    struct dp_bridge_poly *row);
/*
 * Sum over n = 0..T of all squares after n steps (COUNT or EXP); blocks: of the level above, up to
 * a root; 0: endless.
 */
double	dp_bridge_level_sum(const struct dp_bridge_level *,
	    const struct dp_bridge_poly *const row[DP_BRIDGE_EDGES], uint64_t blocks, uint64_t T);
/* Near, summed over the first n steps of a block. */
double	dp_bridge_block_sum(const struct dp_bridge_level *, const struct dp_bridge_poly *row,
	    uint64_t n);

/* One generator under one task. */
struct dp_bridge_view {
	const struct dp_bridge_shape *shape;
	uint64_t W;		/* WINDOW; else 0 */
	double rate;		/* EXP; else 0 */
	struct dp_bridge_level level[DP_BRIDGE_LEVELS];
};

void	dp_bridge_view_set(struct dp_bridge_view *, const struct dp_bridge_shape *,
	    const struct dp_task *, unsigned out);

/* Where step n (0-based, n steps are done) stands. */
struct dp_bridge_place {
	uint64_t K;		/* block of the level above */
	enum dp_bridge_edge edge;
	unsigned r;
	double p;
	bool end;		/* a root ended it: nothing is left below */
};

static inline struct dp_bridge_place
dp_bridge_place(const struct dp_bridge_view *v, unsigned l, uint64_t n)
{
	const struct dp_bridge_shape *s = v->shape;
	struct dp_bridge_place at = { .edge = DP_BRIDGE_INNER };
	unsigned top = s->h - 1;
	uint64_t y = n & (((uint64_t)1 << s->log2b[l]) - 1);

	at.K = n >> s->log2b[l == top ? l : l + 1];
	at.p = v->rate == 0 ? (double)y * v->level[l].per :
	    dp_bridge_level_p(&v->level[l], (double)y);
	if (l == top)
		return at;
	at.r = (unsigned)(n >> s->log2b[l]) & ((1u << s->log2k[l]) - 1);
	at.end = s->root && n >> s->log2b[top] != 0;
	if (at.K == 0)
		at.edge = DP_BRIDGE_FIRST;
	else if (s->root && (at.K + 1) << s->log2b[l + 1] == (uint64_t)1 << s->log2b[top])
		at.edge = DP_BRIDGE_LAST;
	return at;
}

/* l < h-1, n < t: the sum of the products of the coefficients of z_l after n and after t steps */
double	dp_bridge_cross(const struct dp_bridge_view *, unsigned l, uint64_t n, uint64_t t);

/* Where coefficients of a level's noise become terms. */
struct dp_bridge_terms {
	struct dp_law *law;
	const struct dp_noise *z;
	double scale;		/* 1 / den */
};

/* The coefficients near a place. */
void	dp_bridge_add_near(const struct dp_bridge_view *, unsigned l,
	    const struct dp_bridge_place *, const struct dp_bridge_terms *);
/* now times those near a, and next times those near b, which begin `gap` children later */
void	dp_bridge_add_both(const struct dp_bridge_view *, unsigned l,
	    const struct dp_bridge_place *a, double now, const struct dp_bridge_place *b,
	    double next, unsigned gap, const struct dp_bridge_terms *);
/* `count` patterns of n coefficients each: c times `by`, c times by w, c times by w^2, .. */
void	dp_bridge_add_old(const struct dp_bridge_terms *, const double *c, unsigned n, double w,
	    double by, double count);

/* Radices of a shape sum to at most that: their product is at most 2^62. */
#define DP_BRIDGE_CHILDREN	672

/* What a tally's rows lie in, as long as it and its copies are used; little of it is touched. */
#define DP_BRIDGE_ROWS		(DP_BRIDGE_EDGES * DP_BRIDGE_CHILDREN)

/* The error of a shape, apart from its shares. */
struct dp_bridge_tally {
	struct dp_bridge_view view;
	unsigned h;
	double v[DP_BRIDGE_LEVELS];	/* variance of z_l: the caller's to set */
	/* k of each; levels and edges that are alike share them */
	const struct dp_bridge_poly *row[DP_BRIDGE_LEVELS][DP_BRIDGE_EDGES];
};

void	dp_bridge_tally_set(struct dp_bridge_tally *, struct dp_bridge_poly room[DP_BRIDGE_ROWS],
	    const struct dp_bridge_shape *, const struct dp_task *, unsigned out);
/* Level l's squares in COUNT or EXP after n steps. */
double	dp_bridge_tally_count(const struct dp_bridge_tally *, unsigned l, uint64_t n);
/* Level l's squares at step t, and their sum over t = 1..T. */
double	dp_bridge_tally_at(const struct dp_bridge_tally *, unsigned l, uint64_t t);
double	dp_bridge_tally_sum(const struct dp_bridge_tally *, unsigned l, uint64_t T);
/* The worst of steps 1..T; slack > 1: about, and faster. */
double	dp_bridge_tally_max(const struct dp_bridge_tally *, uint64_t T, double slack,
	    uint64_t *worst);
/* WINDOW: the same, faster; false: a root, or too many steps that may be the worst. */
bool	dp_bridge_window_max(const struct dp_bridge_tally *, uint64_t T, double *max,
	    uint64_t *worst);

#define DP_BRIDGE_BLOCKS	4096

struct dp_bridge_digits {
	uint64_t t;		/* modulo B_l */
	double v;		/* what the levels below l have */
};

/*
 * The steps, in a block of B_l of them, that may be the worst one of it, whatever the block, but
 * for 10^-12 of what they have: kept[begin[l]] ..; known for the first `levels' levels.
 */
struct dp_bridge_blocks {
	uint64_t W;		/* of windows that are full; 0: of counts */
	unsigned levels, begin[DP_BRIDGE_LEVELS + 1];
	struct dp_bridge_digits kept[DP_BRIDGE_BLOCKS];
};

/*
 * W: the tally's window, or 0: of its steps up to the window, and of a count.  EXP: v is what they
 * have long after the first block, and more than before.
 */
void	dp_bridge_blocks_set(struct dp_bridge_blocks *, const struct dp_bridge_tally *,
	    uint64_t W);

#endif
