/*
 * alias.h - splits of a tree's lowest levels by one look-up each: alias rows (Walker 1977, Vose
 * 1991) over the tables that draw.c draws from by rejection.
 *
 * A row is made for each of the lowest levels of a chain and each |P| < n = 2^b, b = 4..7 the
 * least with 3 2^b >= A.  Its outcomes are j = 0 .. first - 1, j as in normtree.h's SAMPLING, and
 * the tail j >= first, which has the last column's number.  Their weights are whole numbers
 * ("units") that sum to 2^63; each of n columns holds 2^(63-b) units of at most two outcomes.  A
 * draw is one word of 32 bits: a side, a column, and the first 31 - b bits of a unit; 32 more bits
 * decide where those are the threshold's.  A tail, and |P| >= n, are left to rejection.
 *
 * Statement: each outcome has its probability within exp(+-2^-42).  In a tail rejection's error is
 * added to that: below the exp(+-2^-40) that normtree.h states for every draw, as rejection alone
 * is off by some hundred products of reals, 2^-52.
 *
 * Proof: tests/proof/norm-tree.md.
 *
 * The outcome j = 0 of an even P has half the weight, as both of its sides are one split.
 *
 * TIME.  Two look-ups, at addresses that depend on P and the word; a branch is taken for ties
 * (2^-25), tails and |P| >= n only.  Rows are public.
 */
#ifndef DP_NORMTREE_ALIAS_H
#define DP_NORMTREE_ALIAS_H

#include "mech/mech.h"

#define DP_NORMTREE_ALIAS_LEVELS	8
#define DP_NORMTREE_ALIAS_NODES		16	/* of one call: their words are one take */
/* The step of a tree that rows are used from, so that short runs do not wait for them. */
#define DP_NORMTREE_ALIAS_FROM		4096

struct dp_normtree_level;
struct dp_normtree_alias;

/* Memory for the rows of any levels with tables of that A, untouched.  NULL: no memory. */
struct dp_normtree_alias *dp_normtree_alias_create(unsigned A);
void	dp_normtree_alias_free(struct dp_normtree_alias *);	/* NULL is fine */
/* Memory that is not touched for rows that are made; if there is none they stay. */
void	dp_normtree_alias_rest(struct dp_normtree_alias **, unsigned A);
/* Rows of n <= DP_NORMTREE_ALIAS_LEVELS levels of a chain, from level 1 on. */
void	dp_normtree_alias_make(struct dp_normtree_alias *,
	    const struct dp_normtree_level *const level[], unsigned n);
/*
 * Sets that rows are in use at step i of a tree, for the chain below a node of that kind; kind
 * DP_NORMTREE_STEP: none is below.  True: rows have to be made.
 */
bool	dp_normtree_alias_at(struct dp_normtree_alias *, uint64_t i, unsigned kind);
/* Rows of step i are those that dp_normtree_alias_at() was last asked for: no call is needed. */
bool	dp_normtree_alias_has(const struct dp_normtree_alias *, uint64_t i);
/* Levels whose rows are in use; the kind of the node above, DP_NORMTREE_STEP: none are. */
unsigned dp_normtree_alias_levels(const struct dp_normtree_alias *);
unsigned dp_normtree_alias_kind(const struct dp_normtree_alias *);

/*
 * The noise of the two children of each of n <= DP_NORMTREE_ALIAS_NODES nodes of level l.  Bit i of
 * *left: the i-th is not split, its j is at least dp_normtree_alias_first().  DP_EENTROPY.
 */
int	dp_normtree_alias_split(const struct dp_normtree_alias *, struct dp_rng *, unsigned l,
	    const int64_t *P, int64_t *out, unsigned n, unsigned *left) DP_MUSTUSE;
uint64_t dp_normtree_alias_first(const struct dp_normtree_alias *, unsigned l, uint64_t P);

/* For tests: without AVX2; n; and the units of column c, those below the threshold: j = c. */
void	dp_normtree_alias_plain(struct dp_normtree_alias *);
unsigned dp_normtree_alias_width(const struct dp_normtree_alias *);
uint64_t dp_normtree_alias_column(const struct dp_normtree_alias *, unsigned l, unsigned P,
	    unsigned c, unsigned *other);

#endif
