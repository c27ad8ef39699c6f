/*
 * bits.h - sums over the binary representation of time, for mechanisms whose variance at t is the
 * sum of a weight for every set bit of t.
 */
#ifndef DP_BITS_H
#define DP_BITS_H

#include "base/dp.h"

/*
 * Over t = 1..T (T < 2^63), with f(t) the sum of weight[i] >= 0 over the set bits i of t: the
 * maximum of f, a t that attains it, and the sum of f.
 */
void	dp_bits_sum(uint64_t T, const double weight[64], double *max, uint64_t *worst, double *sum);

#endif
