/*
 * project.h - answers to linear queries: what the parts of the mechanism (project.c) share.
 *
 * A is a matrix of k queries (rows) and N columns, entries in [0, 1] on a decimal grid.  A record
 * is one of the columns or nothing; x counts them; the answers are A x.
 */
#ifndef DP_PROJECT_H
#define DP_PROJECT_H

#include "stream/matrix.h"
#include "mech/task.h"

/* What a projected answer may be: A y for y of this kind, n the number of lines. */
enum dp_hull {
	DP_HULL_SOME,		/* y >= 0, sum y <= n: what lines can be that may be nothing */
	DP_HULL_ALL,		/* y >= 0, sum y = n: every line is one of the columns */
	DP_HULL_SIGNED		/* sum |y| <= n: Dwork, Roth 2014, Algorithm 18 */
};

/*
 * How far two vectors of the set { 0, the columns of A } can be apart, in grid units; 0 is a line
 * that is none of the columns.  Exact, or no less (dp_moves_find()); at least 1.
 */
struct dp_moves {
	uint64_t l1;		/* |a - b|_1 */
	uint64_t l2squared;	/* |a - b|_2^2 */
	uint64_t most;		/* in one answer */
};

/* rule.task.own: what dp_linear is about. */
struct dp_queries {
	const struct dp_matrix *matrix;
	enum dp_hull hull;
	uint64_t most;		/* grid units: what one unit of protection moves one answer by */
	uint64_t counts;	/* and the counts x together: |x - x'|_1 */
};

extern const struct dp_statistic dp_linear;

/*
 * from_nothing: only what a column is from 0.
 *
 * Every pair is tried, the longest columns first, while it may be farther apart than the farthest
 * found.  Where that would be more than `work` subtractions (of 0 and 1: of 64 at a time) it is the
 * sum of every query's largest entry (its square) instead, which no pair exceeds.
 */
#define DP_MOVES_WORK	((uint64_t)1 << 32)
int	dp_moves_find(struct dp_moves *, const struct dp_matrix *, bool from_nothing, uint64_t work)
	    DP_MUSTUSE;

/*
 * The point of the hull of n >= 0 lines that is nearest to `noisy`: k numbers each, in grid units.
 * Returns 0 or DP_ENOMEM.  *gap: the square of its distance from the true nearest point is at most
 * that.  It is at most tol^2, unless doubles are too coarse for that.
 */
int	dp_hull_nearest(const struct dp_matrix *, enum dp_hull, double n, const double *noisy,
	    double tol, double *point, double *gap) DP_MUSTUSE;

#endif
