/*
 * range.h - delta of n choices, one after the other, each of bounded range.
 *
 * A choice is of range c if, whatever was released before it, its laws P and Q for two neighbours
 * have log P(j)/Q(j) in t - c .. t for all j, 0 <= t <= c (selection.h, WEIGH: c = spread / b).
 *
 * Statement (Dong, Durfee, Rogers 2020).  Let H_0(x) = max(0, 1 - e^x) and
 *	H_k(x) = max over 0 <= t <= c of  p H_(k-1)(x - t) + (1 - p) H_(k-1)(x - t + c),
 *	    p = (1 - e^(t-c)) / (1 - e^-c).
 * n of them are (x, H_n(x))-DP for every x, also for data that respond.
 *
 * Proof: tests/proof/selection.md.
 *
 * As computed it is an upper bound: tests/proof/selection.md.
 */
#ifndef DP_RANGE_H
#define DP_RANGE_H

#include <stdint.h>

#include "base/dp.h"

#define DP_RANGE_CHOICES	1000		/* n, at most */

/* H_n(x), or a little more; 0 < c <= 1, x > 0, 1 <= n <= DP_RANGE_CHOICES.  DP_ENOMEM. */
int	dp_range_delta(double *delta, double c, uint64_t n, double x) DP_MUSTUSE;
/* A c >= from with H_n(x) <= delta, nearly the largest, if there is one; else from. */
int	dp_range_widest(double *c, double from, uint64_t n, double x, double delta) DP_MUSTUSE;

#endif
