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

#include "mech.h"
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
 * not 1, or g increases, or what params (which may be NULL) replay; DP_ERANGE: more than
 * DP_POLYSUM_MAX; DP_ENOMEM.
 */
int	dp_buckets_make(struct dp_bucket **b, unsigned *n, const struct dp_task *, uint64_t lags,
	    bool paper, struct dp_params *) DP_MUSTUSE;

/*
 * share[k]: of each of the h_k + 1 levels of bucket k; sum over k of (h_k + 1) share[k] <= 1,
 * exactly.  uniform: b_k = Delta/(epsilon w_k), Delta = sum w_k (h_k + 1), the exact L1 sensitivity
 * of the weighted sums.  Otherwise the least bound on the total variance, sum of w_k^2 m_k 2 b_k^2,
 * m_k the most terms of a cover: b_k = (C/(epsilon w_k)) (s_k/m_k)^(1/3), s_k = w_k (h_k + 1),
 * C = sum s_k^(2/3) m_k^(1/3); it is 2 C^3/epsilon^2.  A share below `least' is raised to it.
 */
int	dp_buckets_share(struct dp_q *share, const struct dp_bucket *, unsigned n, bool uniform,
	    double least) DP_MUSTUSE;

/* The shares pass through params; DP_EINVAL: those that come sum to more than 1. */
int	dp_buckets_keep(struct dp_q *share, const struct dp_bucket *, unsigned n,
	    struct dp_params *) DP_MUSTUSE;

/* The mean of the variance over t = 1..T, fast. */
double	dp_buckets_mean(const struct dp_bucket *, unsigned n, uint64_t T);

/* The least common multiple, if it fits. */
uint64_t dp_buckets_period(uint64_t a, uint64_t b);
/*
 * sum[x] += the variance of a bucket, c a term, at steps t = x modulo the period, a multiple of
 * W, after its first block, but for one term.
 */
void	dp_buckets_gather(double *sum, uint64_t period, const struct dp_bucket *, double c);

/*
 * Bounds of the variance, c[k] a term of bucket k (the caller's, as the buckets are), in units of
 * which they are some 10^4: v[i] for step t + i of a block.  Returns how many units a step must
 * have to come to `least'; UINT_MAX: none does, and v is not told.  4 MiB; NULL: no memory.
 */
#define DP_POLYSUM_LOG2_BLOCK	9
#define DP_POLYSUM_BLOCK	(1u << DP_POLYSUM_LOG2_BLOCK)	/* steps */
struct dp_buckets_parts;
struct dp_buckets_parts *dp_buckets_parts_create(const struct dp_bucket *, unsigned n,
	    const double *c);
unsigned dp_buckets_parts_at(const struct dp_buckets_parts *, uint64_t t, double least,
	    uint16_t *v);
void	dp_buckets_parts_free(struct dp_buckets_parts *);	/* NULL is fine */

/*
 * Sharper ones, but for rounding: v[i] at step t + i, i < block.  Some ms to make, and 1 MiB at
 * most; NULL: no memory.
 */
struct dp_buckets_bound;
struct dp_buckets_bound *dp_buckets_bound_create(const struct dp_bucket *, unsigned n,
	    const double *c, unsigned block);
void	dp_buckets_bound_at(const struct dp_buckets_bound *, uint64_t t, double *v);
void	dp_buckets_bound_free(struct dp_buckets_bound *);	/* NULL is fine */

/*
 * Variance over t = 1..T: the mean, and the largest of the first `tried' steps.  At most tried n
 * additions of small integers, 4 MiB.  DP_ENOMEM.
 */
int	dp_buckets_error(const struct dp_bucket *, unsigned n, uint64_t T, uint64_t tried,
	    struct dp_error *) DP_MUSTUSE;

#endif
