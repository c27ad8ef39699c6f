/*
 * neighbour.h - who the neighbours are, in words and as a distance: the one place that says so.
 *
 * A record (a line, or an event in a bucket) has an entry in each of at most S = `ones` of D =
 * max(1, columns) columns; an entry is 0 or within lo..hi.  The value of a column at a step is the
 * sum of its entries there.
 *
 * Statement.  If the values of two neighbours differ by d[c][t] in column c at step t, and
 * |d[c]| = sum_t |d[c][t]|, then sum |d[c]| <= l1, sum |d[c]|^2 <= l2squared, each |d[c]| <= linf,
 * and at most `columns` of them are not 0.  Some pair attains each, if `unit` is unset or 0 is
 * within lo..hi.
 *
 * Proof.  M = max(|lo|, |hi|) bounds an entry's distance to 0, which is "nothing"; R = max(hi, 0) -
 * min(lo, 0) that of two entries; both at most `unit`, if that is set.  Then M <= R <= 2M.
 *   A user's K records, all there or not.  Column c is in n_c <= K of them, sum n_c <= KS, and
 *   |d[c]| <= n_c M.  The sum of squares is convex, so greatest where S of the n_c are K:
 *	l1 = KSM,  l2squared = S (KM)^2,  linf = KM,  columns = min(KS, D).
 *   One event in a bucket, there or not, or other numbers in its columns.  S move, by at most R:
 *	l1 = SR,  l2squared = SR^2,  linf = R,  columns = S.
 *   One line for another.  Both have entries in o columns, one of the two in p more, and o + p <=
 *   min(2S - o, D).  Up to o = e = max(0, 2S - D), the overlap that two full lines cannot avoid,
 *   p = D - o, and oR + pM and oR^2 + pM^2 grow with o, as R >= M.  From e to S, p = 2S - 2o; the
 *   first falls with o, as R <= 2M, the second is linear, so greatest at an end:
 *	l1 = eR + 2(S - e)M,  l2squared = max(eR^2 + 2(S - e)M^2, SR^2),  linf = R,
 *	columns = min(2S, D).
 *
 * With `whole` a record is an identifier, and the unit is all that happens to one: any number of
 * its records there, not there, or others of it; with `presence`, all there or none of them.  The
 * distance counts identifiers, as what one of them can move is its mechanism's to know: l1 =
 * columns = linf = 1; a user's K records are of at most K of them.
 */
#ifndef DP_NEIGHBOUR_H
#define DP_NEIGHBOUR_H

#include "base/dp.h"

struct dp_relation {
	bool lines;		/* a line is a step, and replaced; else events in buckets */
	bool times;		/* buckets: the times of the events are public, and the same */
	bool per_step;		/* reserved: DP_EINVAL */
	int64_t lo, hi;		/* grid units */
	uint64_t per_user;	/* so many of a user's are counted, and protected; 0: one */
	size_t columns;		/* declared keys, or numbers a line; 0: neither, one number */
	size_t ones;		/* entries of a record: keyed 1, dense `columns`; 0 is 1 */
	enum {			/* what a record is; for the sentence */
		DP_RECORD_NUMBER, DP_RECORD_NUMBERS, DP_RECORD_ID, DP_RECORD_SYMBOL
	} of;
	bool whole;		/* DP_RECORD_ID: all events of one identifier are the unit, */
	bool presence;		/* as they are, or none of them */
	uint64_t unit;		/* no entry differs by more grid units; 0: by what lo..hi allows */
};

struct dp_distance {
	uint64_t l1;		/* grid units, 1 .. 2^50 - 1 */
	uint64_t l2squared;	/* grid units squared; 2^62 if wide */
	bool wide;		/* 2^62 or more: too wide for Gaussian noise */
	uint64_t linf;		/* grid units, of one column */
	size_t columns;
};

/* DP_EINVAL: lo > hi, both 0, ones > columns; DP_ERANGE: l1 would be 2^50 or more. */
int	dp_relation_distance(const struct dp_relation *, struct dp_distance *) DP_MUSTUSE;

/*
 * One sentence without its period, cut to size - 1 bytes; returns its length.  DP_RELATION_SENTENCE
 * bytes hold any.
 */
#define DP_RELATION_SENTENCE	320
size_t	dp_relation_sentence(const struct dp_relation *, char *text, size_t size);

#endif
