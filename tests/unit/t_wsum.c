/* SPDX-License-Identifier: ISC */
/*
 * t_wsum.c - window sums: covers, term counts and sensitivity from the matrices of the noise; known
 * noise by hand.
 */
#include <stdlib.h>

#include "check.h"
#include "paper/internal.h"
#include "random/internal.h"
#include "random/rng.h"

#define X(...)	((const int64_t[]){ __VA_ARGS__ })
#define XN(...)	(sizeof (int64_t[]){ __VA_ARGS__ } / 8)

#define STEPS	100
#define NODES	(2 * STEPS + 20)

/* The intervals of steps that draw noise, in the documented order; how many. */
static size_t
intervals(uint64_t w, uint64_t (*node)[2])
{
	uint64_t u, k;
	size_t n = 0;
	int l;

	for (k = 0; k < STEPS; k += w)
		for (u = 0; u < w && k + u < STEPS; u++) {
			if (u == 0) {
				node[n][0] = k;
				node[n++][1] = k + w;
			}
			for (l = 20; l >= 0; l--)
				if ((uint64_t)1 << l < w && u % ((uint64_t)1 << l) == 0 &&
				    u + ((uint64_t)1 << l) <= w) {
					node[n][0] = k + u;
					node[n++][1] = k + u + ((uint64_t)1 << l);
				}
		}
	return n;
}

/* Column q of L: the estimates' noise when only draw q is 1. */
static void
column_of(const struct dp_wsum *s, size_t q, size_t draws, int *l)
{
	static const struct dp_noise laplace = { .kind = DP_NOISE_LAPLACE, .digits = 1 };
	int64_t script[NODES] = { 0 }, *state = calloc(dp_wsum_words(s), 8);
	struct dp_rng *rng;
	dp_wide est;
	int n, e = 0;

	script[q] = 1;
	if (dp_rng_open_known(&rng, script, draws) != 0 || state == NULL)
		abort();
	for (n = 0; n < STEPS; n++) {
		est = 0;
		e |= dp_wsum_step(s, state, &laplace, rng, (uint64_t)n + 1, &est);
		l[n] = (int)est;
	}
	check(e == 0 && rng->left == 0);
	dp_rng_free(rng);
	free(state);
}

/*
 * L R is the window sum; a step is in h + 1 intervals, step 1 in exactly so many; terms are the row
 * norms of L.
 */
static void
matrices(uint64_t w)
{
	static uint64_t node[NODES][2];
	static int l[NODES][STEPS];
	struct dp_wsum s;
	size_t draws = intervals(w, node), q;
	unsigned most = 0, terms, in, total;
	int n, i, sum, first = 0;
	double all, sums;
	uint64_t worst;
	bool good = true;

	dp_wsum_set(&s, w);
	for (q = 0; q < draws; q++)
		column_of(&s, q, draws, l[q]);
	for (i = 0; i < STEPS; i++) {
		for (in = 0, q = 0; q < draws; q++)
			in += node[q][0] <= (uint64_t)i && (uint64_t)i < node[q][1];
		good &= in <= s.h + 1 && (i > 0 || in == s.h + 1);
	}
	for (n = 0; n < STEPS; n++) {
		for (terms = 0, q = 0; q < draws; q++)
			terms += (unsigned)(l[q][n] * l[q][n]);
		good &= terms == dp_wsum_terms(&s, (uint64_t)n + 1);
		most = terms > most ? terms : most;
		for (i = 0; i < STEPS; i++) {
			for (sum = 0, q = 0; q < draws; q++)
				if (node[q][0] <= (uint64_t)i && (uint64_t)i < node[q][1])
					sum += l[q][n];
			good &= sum == (i <= n && (uint64_t)(n - i) < w);
		}
	}
	good &= 2 * w > STEPS || most == dp_wsum_most(&s);
	for (all = 0, most = 0, n = 1; n <= STEPS; n++) {
		all += terms = dp_wsum_terms(&s, (uint64_t)n);
		first = terms > most ? n : first;
		most = terms > most ? terms : most;
		dp_wsum_total(&s, (uint64_t)n, &sums, &total, &worst);
		good &= sums == all && total == most && worst == (uint64_t)first;
	}
	if (!good)
		printf("W = %llu\n", (unsigned long long)w);
	check(good);
}

/* Window sums by hand, the paper's known noise. */
static bool
window(uint64_t w, const int64_t *x, size_t n, const int64_t *z, size_t nz,
    const int64_t *want)
{
	static const struct dp_noise laplace = { .kind = DP_NOISE_LAPLACE, .digits = 1 };
	int64_t state[100] = { 0 };
	struct dp_wsum s;
	struct dp_rng *rng;
	dp_wide est;
	bool good = true;
	size_t i, d;

	dp_wsum_set(&s, w);
	if (dp_rng_open_known(&rng, z, nz) != 0)
		abort();
	for (i = 0; i < n; i++) {
		for (est = 0, d = 0; d < w && d <= i; d++)
			est += x[i - d];
		good &= dp_wsum_step(&s, state, &laplace, rng, i + 1, &est) == 0 && est == want[i];
	}
	dp_rng_free(rng);
	return good;
}

#define WINDOW(w, x, z, want) check(window(w, X x, XN x, X z, XN z, X want))

int
main(void)
{
	uint64_t w;

	WINDOW(2, (1, 1, 0, 1, 1), (10, 20, 30, 40, 50, 60, 70, 80), (21, 12, 41, 41, 72));
	WINDOW(3, (1, 0, 1, 1, 0, 1, 1), (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13),
	    (4, 3, 3, 8, 8, 8, 13));
	WINDOW(1, (1, 0, 1), (1, 2, 3), (2, 2, 4));
	for (w = 1; w <= 24; w++)
		matrices(w);
	matrices(33);
	return done();
}
