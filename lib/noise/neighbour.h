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
 *   One entry of one line for another, or for none: one column moves, by at most R,
 *	l1 = R,  l2squared = R^2,  linf = R,  columns = 1.
 *   A user's K records, no two in one column (`once`), of one entry each: n_c <= 1, so
 *	l1 = nM,  l2squared = nM^2,  linf = M,  columns = n = min(K, D).
 *   A user's K records of one step (`per_step`): of no other step, so as above, at one t.
 *   One event in a total (`total`): one column moves, by at most R, as for one entry.
 *   Sums of vectors, one for each symbol: a line's differs by l1 and l2squared as given; a user's
 *   K lines by K times a vector's distance from nothing, triangle inequality, attained where all
 *   are the farthest one.  In one column, of which linf is then l1.
 *   Cells: those K records are in at most KS, in others no column moves at two steps.  Not known of
 *   vectors, nor where every line may differ (`apart`).
 * Spread.  Two columns are never farther apart than 2 linf or l1, nor one that moves and one that
 *   does not: min(l1, 2 linf).  For one event and for one line that is attained: S = 1 leaves a
 *   column that does not move (R), or one line's column goes down as the other's goes up (2M); with
 *   S > 1 one column goes up by R as another goes down.  A user's records are all there or not, so
 *   a column's sum moves from -K min(M, -lo) to K min(M, hi), the sign of a move being that of the
 *   entry: S > 1: spread = K (min(M, max(hi, 0)) + min(M, max(-lo, 0))), which for values that are
 *   never negative is KM, half of the above; S = 1: K records in one column, l1 = KM.  With `once`
 *   K > 1 is as S > 1, for one record a column.
 *
 * TOTALS.  An entry counts events already.  One more or less changes one entry of one record from x
 * to y, |x - y| <= U, where U is u grid units, u whole; a record that is not there has entries 0.
 * The value read is f(x): x rounded to the grid, halves away from 0, then clamped to lo..hi.
 * Statement.  If lo <= 0 <= hi, |f(x) - f(y)| <= unit for unit = u if lo or hi is 0, else u + 1.
 * Proof.  Clamping never widens a gap.  In grid units, for x, y >= 0 rounding is floor(x + 1/2),
 *   and floor(z + d) - floor(z) <= ceil(d) <= u for 0 <= d <= u; by symmetry the same holds for x,
 *   y <= 0.  For x < 0 < y: if lo = 0 then f(x) = 0 = f(0), and 0 and y are no farther apart than x
 *   and y; hi = 0 likewise.  Else y is rounded up by at most 1/2, x down: at most u + 1, attained
 *   by -1/2 and u - 1/2.  What is nothing is 0 = f(0), as 0 lies in the range.  (Where it does not,
 *   one event could make a row appear and move the value from 0 to lo.)
 *
 * CONTRIBUTIONS.  Entries are not values but what an event adds to each of D columns: all at least
 * 0, and at most `sum` together.  Two events in place of one are two moves.
 *   A user's K events, all there or not, or one event, there or not (K = 1): l1 = linf = spread =
 *   K sum, l2squared = (K sum)^2: |d|_2 <= |d|_1 <= K sum, attained where all is in one column.
 *   One line for another: by the triangle inequality l1 = spread = 2 sum; a column's entries are
 *   from 0 to sum, so linf = sum; and |a - b|^2 <= |a|^2 + |b|^2 <= 2 sum^2 = l2squared, as entries
 *   of both are at least 0.  Attained where the two are in one column each, all different.
 *   D = 1: a line moves it by sum.  cells = K D, columns = D.
 * Bands of columns with sums of their own are a relation each: l1, and the squares, of all together
 * are at most the sum of theirs, as they have no column in common.
 * So noise in each column that is planned for l1 is enough for all of them together: an event may
 * be split over columns for nothing.
 *
 * With `whole` a record is an identifier, and the unit is all that happens to one: any number of
 * its records there, not there, or others of it; with `presence`, all there or none of them.  The
 * distance counts identifiers, as what one of them can move is its mechanism's to know: l1 =
 * columns = linf = 1; a user's K records are of at most K of them.
 */
#ifndef DP_NEIGHBOUR_H
#define DP_NEIGHBOUR_H

#include "base/buf.h"

struct dp_relation {
	bool lines;		/* a line is a step, and replaced; else events in buckets */
	struct {		/* for the sentence */
		bool run;		/* a run is the only bucket */
		bool keyed;		/* a record has one key */
	} words;
	/* buckets: the times of the events are public, and neighbours share them */
	bool times;
	bool per_step;		/* buckets: per_user is of each step, and so is what is protected */
	int64_t lo, hi;		/* grid units */
	uint64_t per_user;	/* so many of a user's are counted, and protected; 0: one */
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
	 * apart not NULL: every line may differ, by so much (its text, in the user's units), which
	 * is `unit`; what that protects the caller knows.  Then a distance is that of one line.
	 */
	struct {
		const char *apart;
		bool one_way;		/* no number of one is below the other's */
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
 * unit, or with a range without 0, contributions that are any of these or have a `unit`;
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
/*
 * One sentence without its period; what it says moves no more than dp_relation_distance() has, and
 * that an event has another value is said where it moves no more.  It is cut to size - 1 bytes;
 * returns its length.  DP_RELATION_SENTENCE bytes hold any.
 */
#define DP_RELATION_SENTENCE	320
size_t	dp_relation_sentence(const struct dp_relation *, char *text, size_t size);

#endif
