/*
 * alias_rows.h - internal to alias*.c: what rows are, and where each of them lies.
 */
#ifndef DP_NORMTREE_ALIAS_ROWS_H
#define DP_NORMTREE_ALIAS_ROWS_H

#include "alias.h"
#include "draw.h"
#include "noise/alias.h"

#define DP_NORMTREE_WIDEST	(1 << DP_ALIAS_BITS)	/* n, at most */

struct dp_normtree_alias {
	unsigned bits, width;		/* b; n */
	unsigned levels;		/* that have rows */
	unsigned kind;			/* of the highest level's nodes */
	uint64_t node;			/* of these, the last that was asked for; 0: none */
	bool on;			/* they are in use */
	bool lanes;			/* AVX2 */
	uint32_t *column;		/* threshold's first 31 - b bits, and the other outcome */
	uint32_t *tie;			/* threshold's last 32 bits */
	uint8_t *first;			/* of row */
	/* what a row is made of */
	real child[DP_NORMTREE_REACH + DP_NORMTREE_WIDEST + 1];	/* g, v = 0..A + n */
	dp_uwide weight[DP_NORMTREE_WIDEST];	/* W */
	struct dp_alias work;
};

/* Of level l, a node of size P. */
static inline size_t
dp_normtree_alias_row(const struct dp_normtree_alias *a, unsigned l, uint64_t P)
{
	return ((size_t)(l - 1) << a->bits) + P;
}

#endif
