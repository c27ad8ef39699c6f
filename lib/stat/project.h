/* SPDX-License-Identifier: ISC */
/*
 * project.h - answers to linear queries: what the parts of the mechanism (project.c) share.
 *
 * A is a matrix of k queries (rows) and N columns, entries in [0, 1] on a decimal grid.  A record
 * is one of the columns or nothing; x counts them; the answers are A x.  Columns may be the steps
 * of a stream: tests/proof/linear.md.
 *
 * TOTALS.  A row is a column and a number v, LO <= v <= HI in grid units; x sums them, each sum
 * kept within 2^61.  One event more or less changes one v by at most U, and no row's column.
 * Statement.  x moves by d <= u = min(U, HI - LO) in one entry, so A x moves by at most u |a|_1 in
 * L1 and u |a|_2 in L2, a the longest column; attained where u = U.  tests/proof/neighbours.md.
 */
#ifndef DP_STAT_PROJECT_H
#define DP_STAT_PROJECT_H

#include "base/matrix.h"
#include "counter/mech.h"

/*
 * The set of projected answers: A y for y of this kind, n the number of lines.  Of totals, of which
 * nobody knows what they sum to, it is y >= 0.
 */
enum dp_hull {
	DP_HULL_SOME,		/* y >= 0, sum y <= n: a line is one of the columns, or nothing */
	DP_HULL_ALL,		/* y >= 0, sum y = n: every line is one of the columns */
	DP_HULL_SIGNED		/* sum |y| <= n: Dwork, Roth 2014, Algorithm 18 */
};

/*
 * The largest distances of two vectors of the set { 0, the columns of A }, in grid units; 0 is a
 * line that is none of the columns.  Exact, or upper bounds (dp_moves_find()); at least 1.
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
	bool totals;		/* a step is a column and a number; hull is DP_HULL_SOME */
	uint64_t most;		/* most that one protected unit moves one answer by, grid units */
	uint64_t counts;	/* most that it moves all counts together by: |x - x'|_1 */
};

extern const struct dp_statistic dp_linear;

/*
 * from_nothing: distances of columns from 0 alone.
 *
 * Pairs are tried, the longest columns first, as long as they can be farther apart than the
 * farthest so far.  Where that takes more than `work` subtractions (of entries 0 and 1: 64 at a
 * time), the result is the sum of every query's largest entry (of its square), which no pair
 * exceeds.
 */
#define DP_MOVES_WORK	((uint64_t)1 << 32)
int	dp_moves_find(struct dp_moves *, const struct dp_matrix *, bool from_nothing, uint64_t work)
	    DP_MUSTUSE;

/*
 * *found: a row of the matrix is a sum of multiples of others, and not 0: their rank is less than
 * their number.  By elimination modulo a prime, by which rows that are independent may be taken for
 * dependent ones, and no others.  Where that takes more than `work` multiplications it is false.
 * 0 or DP_ENOMEM.
 */
#define DP_DEPENDENT_WORK	((uint64_t)1 << 28)
int	dp_queries_dependent(bool *found, const struct dp_matrix *, uint64_t work) DP_MUSTUSE;

#endif
