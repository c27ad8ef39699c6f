/*
 * alias.h - a draw of one of few outcomes by one look-up (Walker 1977, Vose 1991): of 2^bits
 * columns of as many units each, which hold units of at most two outcomes.
 *
 * Statement: an outcome that is kept has its probability within exp(+-2^-42), the last one, which
 * stands for all others, too.
 * Proof.  (1) Sums of W are exact.  An outcome kept is at least 2^-20 of the sum, the last at least
 *   2^-17.  Units are W 2^63 / sum rounded down, by less than one unit and 2^-60 of themselves;
 *   they are at least 2^43: 2^-43 + 2^-60 of themselves.  The n + 9 units at most that are missing
 *   then go to the largest outcome, which has 2^55 at least.  The sum is 2^63.
 *   (2) Vose's construction moves whole units, so an outcome's units over all columns are its
 *   weight; each unit and column is as probable as any other.
 */
#ifndef DP_ALIAS_H
#define DP_ALIAS_H

#include "base/num.h"

#define DP_ALIAS_BITS	7	/* at most; at least 4 */

struct dp_alias {
	unsigned bits;
	uint64_t unit[1 << DP_ALIAS_BITS];	/* of each outcome */
	uint16_t small[1 << DP_ALIAS_BITS], large[1 << DP_ALIAS_BITS];
};

/*
 * Units of outcomes 0, 1, .. of weights W, up to the first that would have too few or leave too
 * few; sum, at least 2^62, is of all weights, and what is not kept is the last outcome's.  Returns
 * how many are kept.
 */
unsigned dp_alias_units(struct dp_alias *, const dp_uwide *W, dp_uwide sum);
/*
 * Columns: the first 31 - bits bits of the unit where the other outcome begins, and that outcome;
 * the last 32 bits of the unit.
 */
void	dp_alias_columns(struct dp_alias *, uint32_t *column, uint32_t *tie);

#endif
