/*
 * polysum.h - a non-increasing g cut into buckets of nearly equal weights, and a budget for each.
 *
 * Internal to polysum*.c and its test.  Bucket 0 are the lags with g(d) = 1; the lags with
 * (1-beta)^j <= g(d) < (1-beta)^(j-1) are one bucket of weight (1-beta)^j; empty ones are skipped.
 * So weight <= g(d) < weight/(1-beta) and, for x >= 0, (1-beta) F <= F' <= F.  (As printed, Bolot
 * et al. 2013, Algorithm 4 shifts every bucket by one lag: neither inequality holds.)  A boundary
 * decided by a rounded power moves the approximation, never privacy.
 */
#ifndef DP_POLYSUM_H
#define DP_POLYSUM_H

#include "mech/mech.h"
#include "wsum.h"

#define DP_POLYSUM_MAX	1024		/* buckets; at most DP_LAW_TERMS */

struct dp_bucket {
	double weight;
	uint64_t lo;		/* lags lo .. lo + sum.w - 1 */
	struct dp_wsum sum;
	size_t state;		/* its words' index in the column */
	struct dp_noise noise;	/* the last: one that only predicts touches little */
};

/*
 * Buckets for the lags below n of the task's g, noise not set; *b is malloc'd.  DP_EINVAL: g(0) is
 * not 1, or g increases, or what numbers (which may be NULL) replay; DP_ERANGE: more than
 * DP_POLYSUM_MAX; DP_ENOMEM.
 */
int	dp_buckets_make(struct dp_bucket **b, unsigned *n, const struct dp_task *, uint64_t lags,
	    struct dp_numbers *) DP_MUSTUSE;

/*
 * share[k]: of each of the h_k + 1 levels of bucket k; sum over k of (h_k + 1) share[k] <= 1,
 * exactly: b_k = Delta/(epsilon w_k), Delta = sum w_k (h_k + 1), the exact L1 sensitivity of the
 * weighted sums.  A share below `least' is raised to it.
 */
int	dp_buckets_share(struct dp_q *share, const struct dp_bucket *, unsigned n, double least)
	    DP_MUSTUSE;

/* The shares pass through numbers; DP_EINVAL: those that come sum to more than 1. */
int	dp_buckets_keep(struct dp_q *share, const struct dp_bucket *, unsigned n,
	    struct dp_numbers *) DP_MUSTUSE;

/*
 * Variance over t = 1..T: the mean, and the largest; beyond `tried' steps a bound of it, and then
 * exact is false.  At most tried n additions.
 */
void	dp_buckets_error(const struct dp_bucket *, unsigned n, uint64_t T, uint64_t tried,
	    struct dp_error *);

#endif
