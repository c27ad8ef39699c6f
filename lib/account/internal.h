/* SPDX-License-Identifier: ISC */
/* internal.h - internal to lib/account: what its files alone share. */
#ifndef DP_ACCOUNT_INTERNAL_H
#define DP_ACCOUNT_INTERNAL_H

#include "base/num.h"

struct dp_noise;
struct dp_privacy;

/*
 * Every scale passes through numbers.  A replayed scale may be larger than the one found here; one
 * that is less is DP_EINVAL, but for what doubles round, 2^-40 of it (in states of 0.2, 2^-9).
 *
 * Noise for a family that may spend share (0 < share <= 1) of the budget.  DP_ERANGE: the scale
 * does not fit.  However large epsilon is, the scale is at least the largest shift of one node /
 * 10000: no shift comes near the sampler's limit, 45000 scales (random/noise.h).
 */
int	dp_privacy_gauss(struct dp_noise *, const struct dp_privacy *, struct dp_q share)
	    DP_MUSTUSE;
/* d(mu, eps) above, rounded up; mu > 0, 0 < eps <= 70. */
double	dp_gauss_delta(double mu, double eps);

/* delta(rho, epsilon) of CONCENTRATED. */
double	dp_zcdp_delta(double rho, double epsilon);
/* The largest rho = n/2^32 with delta(rho, epsilon) <= delta, less 1e-9 of it for the doubles. */
struct dp_q dp_zcdp_rho(double epsilon, double delta);

/*
 * Delta of n choices, one after the other, each of bounded range.
 *
 * A choice is of range c if, whatever was released before it, its laws P and Q for two neighbours
 * have log P(j)/Q(j) in t - c .. t for all j, 0 <= t <= c (random/selection.h, WEIGH: c = spread /
 * b).
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

#define DP_RANGE_CHOICES	1000		/* n, at most */

/* H_n(x), or a little more; 0 < c <= 1, x > 0, 1 <= n <= DP_RANGE_CHOICES.  DP_ENOMEM. */
int	dp_range_delta(double *delta, double c, uint64_t n, double x) DP_MUSTUSE;
/* A c >= from with H_n(x) <= delta, nearly the largest, if there is one; else from. */
int	dp_range_widest(double *c, double from, uint64_t n, double x, double delta) DP_MUSTUSE;

/* L */
uint64_t dp_coarse_moves(uint64_t l1, uint64_t cells, uint64_t unit);

/*
 * One sentence without its period; what it says moves no more than dp_relation_distance() has, and
 * that an event has another value is said where it moves no more.  It is cut to size - 1 bytes;
 * returns its length.  DP_RELATION_SENTENCE bytes hold any.
 */
#define DP_RELATION_SENTENCE	320

#endif
