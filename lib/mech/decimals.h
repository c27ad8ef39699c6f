/*
 * decimals.h - estimates of decayed sums as integers in units of 10^-decimals.
 *
 * All of it is post-processing: what they round is private already (or epsilon is inf).
 */
#ifndef DP_DECIMALS_H
#define DP_DECIMALS_H

#include "base/dp.h"

#define DP_SCALED_DECIMALS	18

/* decimals <= DP_SCALED_DECIMALS.  v 10^decimals to the nearest, half to even; at most +-2^126. */
dp_wide	dp_scaled_real(long double v, unsigned decimals);
/* y 2^-shift 10^decimals to the nearest, half up, exactly; |y| < 2^(66 + shift), shift <= 62. */
dp_wide	dp_scaled_grid(dp_wide y, unsigned shift, unsigned decimals);
/* dp_scaled_grid() with halves rounded away from zero. */
dp_wide	dp_scaled_away(dp_wide y, unsigned shift, unsigned decimals);

#endif
