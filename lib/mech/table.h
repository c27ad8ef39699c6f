/*
 * table.h - the last values weighted one by one, in doubles.
 *
 * The terms of a sum are added in the order of their lags, from the newest value on.  So many steps
 * at once, which take a tenth of the time, give the bits that single steps give.
 */
#ifndef DP_TABLE_H
#define DP_TABLE_H

#include "base/dp.h"

#define DP_TABLE_WIDE	32	/* steps at once */

/* n weights, the caller's.  A ring has n values, all 0 before step 1. */
struct dp_table {
	const double *g;
	size_t n;
};

/* Step t = 1, 2, .. with the value y: ring[(t - 1) % n] becomes y.  The sum. */
double	dp_table_step(const struct dp_table *, double *ring, uint64_t t, double y);
/* Steps t .. t + DP_TABLE_WIDE - 1: the values y, the sums s.  n >= DP_TABLE_WIDE. */
void	dp_table_wide(const struct dp_table *, double *ring, uint64_t t,
	    const double y[static DP_TABLE_WIDE], double s[static DP_TABLE_WIDE]);

#endif
