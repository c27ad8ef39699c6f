/*
 * moves.h - internal to lib/audit: how far one protected unit moves the step values of the
 * mechanism at the top, from a plan's lines on its neighbours.
 *
 * An entry is 0, or a whole number within LO .. HI; M is the most that one is away from 0, R two
 * from each other, neither above UNIT, unless that is 0.  Of D columns a record has entries in S:
 *   event LO HI UNIT D S	there or not, or another: S R, of squares S R^2
 *   line LO HI UNIT D S	another in its place: with e = max(0, 2 S - D) columns that both
 *			are in, e R + 2 (S - e) M, and the larger of e R^2 + 2 (S - e) M^2 and S R^2
 *   records K LO HI UNIT D S	K of them, all there or none: S K M and S (K M)^2
 *   once K LO HI UNIT D	those in different columns, n = min(K, D): n M and n M^2
 *   adds K N SUM D	K records add SUM, in all columns together, N times (2: one for another):
 *			K N SUM and N (K SUM)^2
 *   identifiers K	all that happens to them: K and K^2
 *   present K	the same, where their events are all there or none of them
 *   vectors K L1 L2	sums of vectors: K L1 and K^2 L2
 * Lines of several bands of columns add up.  lib/noise/neighbour.h has the proofs, for another
 * program, which unit/t_certificate_moves.c compares with this one.
 */
#ifndef DP_AUDIT_MOVES_H
#define DP_AUDIT_MOVES_H

#include "reader.h"

struct audit_neighbours {
	mpz_t l1, square;
	mpz_t cells;			/* values that differ, at most; 0: unknown */
	mpz_t linf;			/* of one column, at most */
	mpz_t columns;			/* that are moved */
	uint64_t events, each;		/* a unit's, and those of one name, or of one column */
	unsigned lines;			/* 0: nothing is known */
};

void	audit_neighbours_init(struct audit_neighbours *);
void	audit_neighbours_clear(struct audit_neighbours *);
/* Adds a line, if it begins with one of these words; false: it does not. */
bool	audit_neighbours_line(struct reader *, struct audit_neighbours *);

#endif
