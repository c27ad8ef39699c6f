/* SPDX-License-Identifier: ISC */
/*
 * s_normtree.c - draws of the norm tree have the law of its tables, also beyond them; intervals
 * cover.
 *
 * laws      N = 100000 splits of a node of given noise, on the three lowest levels, and as many
 *           roots, against the probabilities that the tables state (normtree.h), for epsilon 1 and
 *           5; and on grids of halves and of quarters.  Statistic: chi-square over the values
 *           expected 25 times or more and the rest as one; its cube root is normal to 1e-3 (Wilson,
 *           Hilferty).  Limit 5.6: 1e-8 a test, 1e-6 for all 80 or so.  Power: an entry 10 % off
 *           that 2 % of the draws meet moves it by 20.
 * coverage  R = 40000 runs: the error is beyond dp_widths_at(gamma) at some steps in no more than
 *           gamma R + 6 sqrt(gamma R) runs, gamma = .1, .01, .001 (false reject below 1e-7 for all
 *           72), and beyond 7 tenths of it in more than gamma R, so that it is not just large.
 */
#include <stdio.h>

#include "../unit/covers.h"
#include "../unit/mech.h"
#include "../unit/normtree_law.h"
#include "../unit/stats.h"
#include "counter/width.h"
#include "normtree/internal.h"

#define DRAWS	100000
#define FEW	20		/* of each of three */
#define WIDE	4096		/* outcomes are within +-WIDE */

static void
judge(const char *what, unsigned l, int64_t P, const long double *w, const double *n)
{
	double df, chi = chi_square(w, n, 2 * WIDE + 1, DRAWS, &df);
	const double z = chi_normal(chi, df);

	check(z < 5.6);
	if (!(z < 5.6))
		printf("%s, level %u of %lld: %g for %g\n", what, l, (long long)P, chi, df);
}

/* Of all a, P - a: what is farther out than 150 is too rare to be seen. */
static void
fine_splits(const struct dp_normtree *p, unsigned l, int64_t P, long double *w)
{
	int64_t k;

	for (k = 0; k <= 2 * WIDE; k++)
		w[k] = llabs(k - WIDE - P / 2) > 150 ? 0 : fine_split(p, l - 1, k - WIDE, P);
}

static void
laws(uint64_t epsilon, struct dp_rng *rng)
{
	static long double w[2 * WIDE + 1];
	static double n[2 * WIDE + 1];
	struct dp_mech_rule s = setting(0, epsilon, 1, 1);
	struct dp_normtree_shape shape;
	struct dp_normtree *p;
	int64_t P[8], of[DP_NORMTREE_SPLITS], out[2 * DP_NORMTREE_SPLITS];
	unsigned l, i, j, k;

	dp_normtree_shape(&shape, 8);
	if (dp_normtree_create(&p, &shape, &s.privacy) != 0)
		abort();
	memcpy(P, (int64_t[]){ 0, 1, -2, 9, -(int64_t)p->A, p->A + 1, -(int64_t)p->A - 8,
	    3 * p->A }, sizeof P);
	for (l = 1; l <= 3; l++)
		for (i = 0; i < 8; i++) {
			for (j = 0; j < DP_NORMTREE_SPLITS; j++)
				of[j] = P[i];
			memset(n, 0, sizeof n);
			for (k = 0; k < DRAWS; k += 50) {
				if (dp_normtree_split(p, rng, l - 1, of, out, 50) != 0)
					abort();
				for (j = 0; j < 50; j++) {
					if (llabs(out[2 * j]) > WIDE ||
					    out[2 * j] + out[2 * j + 1] != P[i])
						abort();
					n[WIDE + out[2 * j]]++;
				}
			}
			for (k = 0; k <= 2 * WIDE; k++)
				w[k] = weight(p, l - 1, (int64_t)k - WIDE,
				    P[i] - ((int64_t)k - WIDE));
			judge("split", l, P[i], w, n);
		}
	memset(n, 0, sizeof n);
	for (k = 0; k < DRAWS; k++) {
		if (dp_normtree_root(p, rng, P) != 0)
			abort();
		n[WIDE + P[0]]++;
	}
	for (k = 0; k <= 2 * WIDE; k++)
		w[k] = entry(p->root, p->A, p->beyond, (int64_t)k - WIDE);
	judge("root", p->h, 0, w, n);
	dp_normtree_free(p);
}

/* Splits of P[0] .. P[2], in turn, as many at once as there may be. */
static void
draw_fine(const struct dp_normtree *p, unsigned kind, const int64_t *P, struct dp_rng *rng,
    double (*n)[2 * WIDE + 1])
{
	int64_t of[DP_NORMTREE_SPLITS], out[2 * DP_NORMTREE_SPLITS];
	unsigned i, j, k;

	for (j = 0; j < DP_NORMTREE_SPLITS; j++)
		of[j] = P[j % 3];
	memset(n, 0, 3 * sizeof *n);
	for (k = 0; k < DRAWS; k += FEW) {
		if (dp_normtree_split(p, rng, kind, of, out, 3 * FEW) != 0)
			abort();
		for (j = 0; j < 3 * FEW; j++) {
			i = j % 3;
			if (llabs(out[2 * j]) > WIDE)
				abort();
			check(out[2 * j] + out[2 * j + 1] == P[i]);
			n[i][WIDE + out[2 * j]]++;
		}
	}
}

/* The same where a unit of the tables is 2^fine. */
static void
fine_laws(unsigned fine, struct dp_rng *rng)
{
	static long double w[2 * WIDE + 1];
	static double n[3][2 * WIDE + 1];
	struct dp_normtree p = { .A = 20, .fine = fine };
	struct dp_normtree_shape s;
	int64_t P[3] = { 1, -18, ((int64_t)20 << fine) + 5 }, root;
	unsigned l, i, k;

	dp_normtree_shape(&s, 3);
	for (l = 0; l < s.h; l++)	/* large e need much of the rate */
		s.kind[l].share *= 0.4;
	s.root *= 0.4;
	if (dp_normtree_set(&p, &s, ldexp(3, -(int)fine), DP_NORMTREE_DRAW) != 0)
		abort();
	for (l = 1; l <= 3; l++) {
		draw_fine(&p, l - 1, P, rng, n);
		for (i = 0; i < 3; i++) {
			fine_splits(&p, l, P[i], w);
			judge("fine split", l, P[i], w, n[i]);
		}
	}
	memset(n, 0, sizeof n);
	for (k = 0; k < DRAWS; k++) {
		if (dp_normtree_root(&p, rng, &root) != 0)
			abort();
		n[0][WIDE + root]++;
	}
	for (k = 0; k <= 2 * WIDE; k++)
		w[k] = fine_root(&p, (int64_t)k - WIDE);
	judge("fine root", p.h, 0, w, n[0]);
	dp_normtree_release(p.held.memory);
}

static double
unit(const struct dp_mech *m)
{
	return pow(10, -(double)m->estimate.decimals);
}

static void
coverage(struct dp_mech_rule *s, const uint64_t step[4], struct dp_rng *rng)
{
	static const double gamma[] = { .1, .01, .001 };
	const double R = 40000;
	struct dp_mech *m = make("normtree", s);
	double bound[4][3], beyond[4][3] = { { 0 } }, half[4][3] = { { 0 } }, most;
	struct dp_widths *widths;
	struct column c;
	int64_t y;
	uint64_t r, t;
	int i, k;

	if (m == NULL)
		abort();
	for (k = 0; k < 3; k++) {
		if (dp_widths_create(&widths, m, gamma[k]) != 0)
			abort();
		for (i = 0; i < 4; i++)
			check(dp_widths_at(widths, 0, step[i], &bound[i][k]) == 0);
		dp_widths_free(widths);
	}
	for (r = 0; r < (uint64_t)R; r++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (i = 0, t = 1; t <= step[3]; t++) {
			if (column_step(&c, 0, &y) != 0)
				abort();
			if (t != step[i])
				continue;
			for (k = 0; k < 3; k++) {
				beyond[i][k] += fabs((double)y * unit(m)) > bound[i][k];
				half[i][k] += fabs((double)y * unit(m)) > .7 * bound[i][k];
			}
			i++;
		}
		column_free(&c);
	}
	for (i = 0; i < 12; i++) {
		most = gamma[i % 3] * R;
		check(beyond[i / 3][i % 3] <= most + 6 * sqrt(most) &&
		    half[i / 3][i % 3] > most);
		if (beyond[i / 3][i % 3] > most + 6 * sqrt(most))
			printf("step %d, %g: %g beyond %g\n", (int)step[i / 3], gamma[i % 3],
			    beyond[i / 3][i % 3], bound[i / 3][i % 3]);
	}
	dp_mech_free(m);
}

/* Counts, known T and not; windows; decays: laws from the first step, and laws that come again. */
static void
coverages(struct dp_rng *rng)
{
	struct dp_mech_rule s = setting(64, 1, 1, 1);

	coverage(&s, (uint64_t[]){ 1, 21, 43, 64 }, rng);
	s = setting(64, 1, 1, 1000);
	coverage(&s, (uint64_t[]){ 1, 21, 43, 64 }, rng);
	s = setting(300, 1, 1, 100);
	coverage(&s, (uint64_t[]){ 1, 64, 201, 300 }, rng);
	s = setting(0, 1, 1, 1);
	coverage(&s, (uint64_t[]){ 2, 31, 255, 260 }, rng);
	s.task = (struct dp_task){ .what = DP_TASK_WINDOW, .windows = 1, .w = { 20 } };
	coverage(&s, (uint64_t[]){ 7, 29, 41, 64 }, rng);
	s.task = (struct dp_task){ .what = DP_TASK_EXP, .alpha = .95, .decimals = 1 };
	coverage(&s, (uint64_t[]){ 3, 16, 75, 89 }, rng);
}

int
main(int argc, char **argv)
{
	struct dp_rng *rng;

	covers(argc, argv);
	if (covers_list)
		return 0;
	if (dp_rng_open_seed(&rng, 7) != 0)
		return 1;
	PART(laws(1, rng));
	PART(laws(5, rng));
	PART(fine_laws(1, rng));
	PART(fine_laws(2, rng));
	PART(coverages(rng));
	dp_rng_free(rng);
	return done();
}
