/* SPDX-License-Identifier: ISC */
/*
 * neighbour.h - who the neighbours are, in words and as a distance: the one place that says so.
 *
 * A record (a line, or an event in a bucket) has an entry in each of at most S = `ones` of D =
 * max(1, columns) columns; an entry is 0 or within lo..hi.  The value of a column at a step is the
 * sum of its entries there.
 *
 * Statement.  If the values of two neighbours differ by d[c][t] in column c at step t, and
 * |d[c]| = sum_t |d[c][t]|, then sum |d[c]| <= l1, sum |d[c]|^2 <= l2squared, each |d[c]| <= linf,
 * at most `columns` of them are not 0, nor more than `cells` of the d[c][t]; and at no step t are
 * the moves of two columns' sums, d[c][1] + .. + d[c][t], farther apart than `spread`.  Some pair
 * attains each (spread: if D > 1; cells: of streams long enough), if `unit` is unset or 0 is within
 * lo..hi.
 *
 * Proof: tests/proof/neighbours.md.
 *
 * TOTALS.  An entry counts events already.  One more or less changes one entry of one record from x
 * to y, |x - y| <= U, where U is u grid units, u whole; a record that is not there has entries 0.
 * The value read is f(x): x rounded to the grid, halves away from 0, then clamped to lo..hi.
 * Statement.  If lo <= 0 <= hi, |f(x) - f(y)| <= unit for unit = u if lo or hi is 0, else u + 1.
 * Proof: tests/proof/neighbours.md.
 *
 * CONTRIBUTIONS.  Entries are not values but what an event adds to each of D columns: all at least
 * 0, and at most `sum` together.  Two events in place of one are two moves.
 *   A user's K events, all there or not, or one event, there or not (K = 1): l1 = linf = spread =
 *   K sum, l2squared = (K sum)^2: |d|_2 <= |d|_1 <= K sum, attained where all is in one column.
 *   One line for another: by the triangle inequality l1 = spread = 2 sum; a column's entries are
 *   from 0 to sum, so linf = sum; and |a - b|^2 <= |a|^2 + |b|^2 <= 2 sum^2 = l2squared, as entries
 *   of both are at least 0.  Attained where the two are in one column each, all different.
 *   D = 1: a line moves it by sum.  cells = K D, columns = D.
 *   `total': one event more or less in a line's totals is what is added, all of it one way, also
 *   where a line is a step: one move (stat/mean.h, WEIGHTS).
 * Bands of columns with sums of their own are a relation each: l1, and the squares, of all together
 * are at most the sum of theirs, as they have no column in common.
 * So noise in each column that is planned for l1 is enough for all of them together: an event may
 * be split over columns for nothing.
 *
 * HOLISTIC.  Lines are computed from events, and one event changes at most K of them, `every.most`
 * (Bolot et al. 2013, Theorem 12: a K-sensitive predicate).  All norms of d are at most K times
 * those of one line, by the triangle inequality; attained, where a line is one number, by K lines
 * that change from lo to hi.
 *
 * With `whole` a record is an identifier, and the unit is all that happens to one: any number of
 * its records there, not there, or others of it; with `presence`, all there or none of them.  The
 * distance counts identifiers, as what one of them can move is its mechanism's to know: l1 =
 * columns = linf = 1; a user's K records are of at most K of them.
 */
#ifndef DP_ACCOUNT_NEIGHBOUR_H
#define DP_ACCOUNT_NEIGHBOUR_H

#include "base/dp.h"

struct dp_buf;

struct dp_relation {
	bool lines;		/* a line is a step, and replaced; else events in buckets */
	struct {		/* for the sentence */
		bool run;		/* a run is the only bucket */
		bool keyed;		/* a record has one key */
		bool elements;	/* keyed: or several, as `ones' entries or as many records */
		bool folds;	/* per_user: a record is all of a user's in a step (and key) */
		bool next;	/* folds: and the one of a later step that they change */
		bool number;	/* DP_RECORD_SYMBOL: it is a number */
	} words;
	/* buckets: the times of the events are public, and neighbours share them */
	bool times;
	bool per_step;		/* buckets: per_user is of each step, and so is what is protected */
	int64_t lo, hi;		/* grid units */
	uint64_t per_user;	/* events of a user that count and are protected; 0: one event */
	bool once;		/* per_user: no two of them have an entry in one column */
	/*
	 * per_user: those that count are of different steps, so many or more apart; 0: of any.  No
	 * distance is less for it, but see privacy.h, SPACED.
	 */
	uint64_t spacing;
	size_t columns;		/* declared keys, or numbers a line; 0: neither, one number */
	size_t ones;		/* entries of a record: keyed 1, dense `columns`; 0 is 1 */
	enum {			/* what a record is; for the sentence */
		DP_RECORD_NUMBER, DP_RECORD_NUMBERS, DP_RECORD_ID, DP_RECORD_SYMBOL,
		DP_RECORD_NAME
	} of;
	/* CONTRIBUTIONS above: what a record adds to all columns together, at most; 0: none are */
	uint64_t sum;
	bool entry;		/* lines: one entry differs, the rest of the line does not */
	bool whole;		/* DP_RECORD_ID: all events of one identifier are the unit, */
	bool presence;		/* as they are, or none of them */
	uint64_t unit;		/* no entry differs by more grid units; 0: by what lo..hi allows */
	/*
	 * DP_RECORD_SYMBOL, of sums of vectors, one for each symbol: how far one line's vector is
	 * from another's; per_user: from nothing.  Both in grid units; 0: a symbol is one entry.
	 */
	struct {
		uint64_t l1, l2squared;
	} vector;
	/*
	 * What is protected the caller knows.  apart not NULL: what makes no line differ by more
	 * than so much (its text, in the user's units), which is `unit`; a distance is then that of
	 * one line.  most not 0: one event changes at most so many lines, each by any amount that
	 * lo..hi allows (HOLISTIC).
	 */
	struct {
		const char *apart;
		bool one_way;		/* no number of one is below the other's */
		uint64_t most;
	} every;
	/*
	 * Not NULL: entries are totals, and `unit` is what one event more or less moves one by
	 * (TOTALS above), which in the user's units is this text.
	 */
	const char *total;
};

struct dp_distance {
	uint64_t l1;		/* grid units, 1 .. 2^50 - 1 */
	uint64_t l2squared;	/* grid units squared; 2^62 if wide */
	bool wide;		/* 2^62 or more: too wide for Gaussian noise */
	uint64_t linf;		/* grid units, of one column */
	uint64_t spread;	/* grid units, of two columns' sums: <= 2 linf, <= l1 */
	size_t columns;
	uint64_t cells;		/* 0: unknown */
};

/*
 * DP_EINVAL: lo > hi, both 0, ones > columns, an entry of no line or of a user, per_step of lines
 * or of no user, once of no user or of records with several entries, a total of a user, without its
 * unit, or with a range without 0, contributions that are any of these but a total, or have a
 * `unit`;
 * DP_ERANGE: l1 would be 2^50 or more.
 */
int	dp_relation_distance(const struct dp_relation *, struct dp_distance *) DP_MUSTUSE;

/* Adds the lines of dputils-plan(5) on what neighbours move.  DP_ENOMEM. */
int	dp_relation_lines(const struct dp_relation *, struct dp_buf *) DP_MUSTUSE;

/*
 * In one word, what is protected: event, user, user-step, number or answer.  Losses of runs that
 * protect the same, user-steps of the same steps, add up: each covers that an event, or all events
 * of a user (in a step), or one number of a line, is there or "nothing happened" instead, or that
 * answers are as far apart as their caller says.
 */
const char *dp_relation_unit(const struct dp_relation *);
size_t	dp_relation_sentence(const struct dp_relation *, char *text, size_t size);

#endif
