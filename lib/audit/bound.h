/*
 * bound.h - internal to lib/audit: what a plan of version 2 must have, and what its numbers are no
 * less than, by what it claims: the lines on neighbours (moves.h), and
 *   horizon T		the steps of the run; 0: it has no end
 *   apart S		a user's events are of different steps, S or more apart
 *   covers W		protected are the last W steps alone
 *   last W ..		estimates are of the last W steps
 * Claims are believed, and told to whoever reads the verdict; all else is computed, or compared:
 *   lines	a mechanism has the kinds of lines that its name calls for, and no others; each
 *		tree of gated-normtree has its pass
 *   parts	are as many as the line says; more than one are given
 *   a part	its reach is no less than the whole's, or `counter's
 *   blt, banded	STEPS are no fewer than T (2^40 without end), or `counter's; COLUMNS than
 *		neighbours move; SQUARE, and FADING, which is `counter's alone, no less than theirs;
 *		SPACING is no more than S, TIMES no fewer than a unit's events
 *   names, pass, ..	EACH is no less than a unit may have of one name
 *   pass	of T steps; or, tree after tree, of the first 4^(2j+3) and 4^(2j+4) of tree j, which
 *		has 4 (j + 2) levels (of 4^2, too, of tree 0), T in all (top.h, T UNKNOWN)
 *   window	W is that of `last'
 *   ages	AGE is no less than T - 1, or 2^61
 *   tree	TIMES of the binary one is no less than lg T; CELLS of a norm tree no fewer than
 *		neighbours differ in; its LEVELS are given, unless they are lg T, or it has a pass
 *   sparse	without noise on its threshold, of pan alone: N is no less than T
 *   value, choice, weigh	MOVES is no less than the most that neighbours move a column by
 * Counts that nothing here binds are told with their lines, as given.
 */
#ifndef DP_AUDIT_BOUND_H
#define DP_AUDIT_BOUND_H

#include <stdint.h>

#include <gmp.h>

#include "reader.h"

struct audit_body;

/* Kinds of lines in a mechanism. */
enum audit_kind_of {
	AUDIT_LAPLACE = 1, AUDIT_VALUE = 2, AUDIT_CHOICE = 4, AUDIT_WEIGH = 8, AUDIT_GAUSS = 16,
	AUDIT_SPARSE = 32, AUDIT_COIN = 64, AUDIT_AGAIN = 128, AUDIT_NAMES = 256,
	AUDIT_FRESH = 512, AUDIT_AGES = 1024, AUDIT_PASS = 2048, AUDIT_WINDOW = 4096,
	AUDIT_COMPOSED = 8192, AUDIT_BLT = 16384, AUDIT_BANDED = 32768, AUDIT_RISE = 65536,
	AUDIT_LOOKS = 1 << 17, AUDIT_TREE = 1 << 18, AUDIT_NOTHING = 1 << 19,
	AUDIT_PART = 1 << 20, AUDIT_ROUNDS = 1 << 21, AUDIT_COUNTER = 1 << 22
};

#define AUDIT_LASTS	16

/* Claims besides those of moves.h. */
struct audit_claim {
	uint64_t horizon, apart, covers, last[AUDIT_LASTS];
	unsigned lasts;
	bool timed;			/* there was a horizon */
};

/* A line, if it begins with one of these words; its text stays in the verdict, too. */
bool	audit_claim_line(struct reader *);
/* Adds the line that is read to those that are claims, or given. */
void	audit_bound_claim(struct reader *, const char *line);
void	audit_bound_given(struct reader *, const char *name, const char *line);
/* The same of one number, where it is more than what it is compared with. */
void	audit_bound_more(struct reader *, const char *name, const char *what, uint64_t n);

/* All do nothing unless the plan is bound. */
void	audit_bound_end(struct reader *, struct audit_body *);	/* of a mechanism: its lines */
void	audit_bound_reach(struct reader *, struct audit_body *);
void	audit_bound_each(struct reader *, struct audit_body *, uint64_t each);
void	audit_bound_moves(struct reader *, struct audit_body *, uint64_t moves);
void	audit_bound_times(struct reader *, struct audit_body *, uint64_t times);
void	audit_bound_all(struct reader *, struct audit_body *, uint64_t n);
void	audit_bound_age(struct reader *, struct audit_body *, uint64_t age);
void	audit_bound_cells(struct reader *, struct audit_body *, uint64_t cells);
void	audit_bound_pass(struct reader *, struct audit_body *, unsigned n, const uint64_t *steps);
void	audit_bound_window(struct reader *, struct audit_body *, uint64_t W);
void	audit_bound_steps(struct reader *, struct audit_body *, uint64_t steps, uint64_t columns);

#endif
