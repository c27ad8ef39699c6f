/* SPDX-License-Identifier: ISC */
/*
 * t_normtree_all.c - the bound on all noises of a count together (normtree/normtree.h) against N
 * paths that are drawn, of whole trees and of parts: the number of paths beyond what is promised at
 * .2, .05 and .01 is binomial with that probability at most, and no less would do but for paths
 * that are far out on both sides, gamma^2 of them: to 5.6 standard deviations (false reject 1e-8
 * each, below 1e-6 for all).
 */
#include "mech.h"
#include "normtree/internal.h"

#define N	20000
#define LIMIT	5.6

static unsigned seen[1000];	/* paths whose largest noise is that */

static void
draw_paths(const struct dp_normtree *p, uint64_t T, uint64_t seed)
{
	int64_t *wait = calloc(p->h, sizeof *wait), w[1 << DP_NORMTREE_BLOCK], sum, most;
	const unsigned block = 1u << dp_normtree_bottom(p);
	struct dp_rng *rng;
	unsigned n;
	uint64_t t;

	memset(seen, 0, sizeof seen);
	if (wait == NULL || dp_rng_open_seed(&rng, seed) != 0)
		abort();
	for (n = 0; n < N; n++) {
		for (sum = most = 0, t = 0; t < T; t++) {
			if (t % block == 0 && dp_normtree_fill(p, wait, rng, t, w) != 0)
				abort();
			sum += w[t % block];
			most = llabs(sum) > most ? llabs(sum) : most;
		}
		check(most < 1000);
		seen[most]++;
	}
	dp_rng_free(rng);
	free(wait);
}

static void
compare(bool chain, uint64_t T, uint64_t num, uint64_t den, uint64_t seed)
{
	static const double gamma[] = { .2, .05, .01 };
	struct dp_mech_rule s = setting(0, num, den, 1);
	struct dp_normtree_shape shape;
	struct dp_normtree *p;
	double beyond, w, limit;
	unsigned i, k;

	if (chain)
		dp_normtree_shape(&shape, T < 2 ? 1 : dp_ceil_log2(T));
	else
		dp_normtree_count_shape(&shape, T);
	if (dp_normtree_create(&p, &shape, &s.privacy) != 0)
		abort();
	draw_paths(p, T, seed);
	for (i = 0; i < 3; i++) {
		w = dp_normtree_all(p, T, gamma[i], 0, 200);
		check(w < 200);
		for (beyond = N, k = 0; k <= w; k++)
			beyond -= seen[k];
		limit = LIMIT * sqrt(N * gamma[i]);
		check(beyond <= N * gamma[i] + limit);
		check(beyond + seen[(unsigned)w] >= N * gamma[i] * (1 - gamma[i]) - limit);
	}
	dp_normtree_free(p);
}

/* Where it is not known, and where the union bound is nearer than what can be looked at. */
static void
unknown(uint64_t num, uint64_t den, double gamma)
{
	struct dp_mech_rule s = setting(0, num, den, 1);
	struct dp_normtree_shape shape;
	struct dp_normtree *p;

	dp_normtree_shape(&shape, 4);
	if (dp_normtree_create(&p, &shape, &s.privacy) != 0)
		abort();
	check((p->fine > 0) == (den == 100));
	check(fabs(dp_normtree_all(p, 16, gamma, 300, 900) - 900) < .5);
	dp_normtree_free(p);
}

int
main(void)
{
	compare(true, 1, 1, 1, 1);
	compare(true, 2, 2, 1, 2);
	compare(true, 7, 1, 1, 3);
	compare(true, 8, 1, 2, 4);
	compare(true, 84, 1, 1, 5);
	compare(true, 128, 1, 1, 6);
	compare(true, 100, 3, 1, 7);
	compare(false, 1, 1, 1, 8);
	compare(false, 7, 1, 1, 9);
	compare(false, 16, 1, 1, 10);
	compare(false, 65, 1, 1, 11);
	compare(false, 84, 2, 1, 12);
	compare(false, 128, 1, 1, 13);
	unknown(1, 100, .05);
	unknown(1, 1, 1e-7);
	return done();
}
