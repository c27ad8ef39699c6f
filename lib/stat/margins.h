/* SPDX-License-Identifier: ISC */
/*
 * margins.h - totals of a table (--margins, --hierarchy): which keys each one sums, by the options
 * alone; and totals that are asked by themselves, and fitted to the sums of their keys.
 *
 * Nodes are the keys, 0 .. keys - 1, and behind them the totals.
 *
 * OWN (--margins=F).  Totals are in levels, such that a key is in no two of one level: of a table
 * its rows, its columns, and all; of a tree those that are equally many steps below its root.  Each
 * key is a private number of 1 - F of the budget, each total one of F / levels.
 * REACH.  An event of value v, 0 <= v <= M, of a key adds v to the key's number, and to that of
 * each total which it is in: in each level one at most.  So keys, and each level, are a band of
 * numbers to which an event adds M together at most (account/neighbour.h, CONTRIBUTIONS), and the
 * shares of all bands sum to 1.  Of a user's events that are folded into one number for each of K
 * keys (--each-user) it is M for each key, and so K M together, in the keys' band and, as no two
 * totals of a level have a key in common, in each level's.
 * FIT.  Let r be the variance of a total's noise in that of a key's, all independent.  What is told
 * of the nodes are the sums of the keys x that make
 *	sum over keys (y - x)^2 + sum over totals (y - sum of its x)^2 / r
 * least: of all unbiased estimates that are sums of their keys those of least variance (Gauss and
 * Markov), whatever r is right; with another r they are unbiased as well.  Of a tree they are found
 * from its keys up and down again (Hay et al. 2010); of a table by the parts of it that do not see
 * one another: all, rows less their mean, columns less theirs.
 * INTERVALS.  An estimate is a sum of all numbers times coefficients, which are those of the fit of
 * a number that is 1 among others of 0, times r for each of both that is a total; so its law is
 * known (law/law.h).
 */
#ifndef DP_STAT_MARGINS_H
#define DP_STAT_MARGINS_H

#include "counter/mech.h"

#define DP_MARGINS_LEVELS	(DP_BANDS - 1)

struct dp_margins {
	size_t keys, n;		/* declared keys; totals */
	char **name;		/* of the totals */
	size_t *first, *key;	/* total i sums key[first[i]] .. key[first[i + 1] - 1] */
	/*
	 * What printed numbers add up by.  SUMS: a total is the sum of its printed keys.  TREE:
	 * the total that each node is below; the root is below itself.  TABLE: key i is in row i /
	 * columns and in column i % columns; totals are rows, columns, and all; of --other a key
	 * more is in neither.
	 */
	enum { DP_MARGINS_SUMS, DP_MARGINS_TREE, DP_MARGINS_TABLE } form;
	size_t *above;		/* TREE */
	size_t rows, columns;	/* TABLE */
	/* OWN; levels 0: there are none, or more than there are bands for */
	unsigned levels;
	size_t width[DP_MARGINS_LEVELS];	/* totals of each */
	size_t *number, *depth;	/* of a total: its number, behind those of the keys; its level */
	struct dp_q share;	/* F */
	uint64_t most;		/* M, grid units */
};

extern const struct dp_statistic dp_margins_statistic;

#endif
