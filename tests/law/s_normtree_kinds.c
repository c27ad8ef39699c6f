/* SPDX-License-Identifier: ISC */
/*
 * s_normtree_kinds.c - draws of norm trees whose nodes differ have the law of their tables, also
 * beyond them; and the variance that is predicted for every step.
 *
 * laws       N = 100000 splits of a node of given noise, 5000 beyond its table, of six trees of
 *            four steps whose halves are of two kinds, one with ten times the other's noise, and
 *            of pairs; against the probabilities that the tables state (normtree.h).  Statistic:
 *            chi-square over the values expected 25 times or more and the rest as one; its cube
 *            root is normal to 1e-3 (Wilson, Hilferty).  Limit 5.7: 6e-9 a test, 1e-6 for all 144
 *            or so.  Power: an entry 10 % off that 2 % of the draws meet moves it by 20.
 * variances  N = 40000 runs of trees of 32 steps, and of 21 and of 17 of 32, and of 50 and of 10
 *            steps at E = 5, which have noise rarely: the mean square of the noise against the
 *            prediction, in standard deviations (from the fourth moment).  Limit
 *            5.7: 1.2e-8 a step, 1e-6 for all.  Power: a variance 5 % off moves it by 5 or more.
 */
#include <stdio.h>
#include <string.h>

#include "../unit/mech.h"
#include "../unit/normtree_kinds.h"
#include "../unit/stats.h"

#define DRAWS	100000
#define FEW	5000		/* beyond the tables, where they take long */
#define WIDE	4096		/* outcomes are within +-WIDE */
#define RUNS	40000
#define LIMIT	5.7

static void
judge(unsigned kind, int64_t P, double draws, const long double *w, const double *n)
{
	double df, chi = chi_square(w, n, 2 * WIDE + 1, draws, &df);
	const double z = df < 1 ? chi : chi_normal(chi, df);	/* 0: nearly all draws are one */

	check(z < LIMIT);
	if (z >= LIMIT)
		printf("kind %u, split of %lld: %g for %g\n", kind, (long long)P, chi, df);
}

static void
law(const struct dp_normtree *p, unsigned kind, int64_t P, struct dp_rng *rng)
{
	static long double w[2 * WIDE + 1];
	static double n[2 * WIDE + 1];
	int64_t of[50], out[100];
	const unsigned draws = llabs(P) <= p->level[kind].A ? DRAWS : FEW;
	unsigned j, k;
	int e;

	for (j = 0; j < 50; j++)
		of[j] = P;
	memset(n, 0, sizeof n);
	for (k = 0; k < draws; k += 50) {
		if ((e = dp_normtree_split(p, rng, kind, of, out, 50)) != 0) {
			printf("kind %u, split of %lld: error %d\n", kind, (long long)P, e);
			fail("a draw is refused");
			return;
		}
		for (j = 0; j < 50; j++) {
			if (llabs(out[2 * j]) > WIDE || out[2 * j] + out[2 * j + 1] != P)
				abort();
			n[WIDE + out[2 * j]]++;
		}
	}
	for (k = 0; k <= 2 * WIDE; k++)
		w[k] = llabs((int64_t)k - WIDE) > 2 * llabs(P) + 1000 ? 0 :
		    weight(p, kind, (int64_t)k - WIDE, P - ((int64_t)k - WIDE));
	judge(kind, P, draws, w, n);
}

/* Four steps: halves of two kinds, and of one `swap` decides which has the larger noise. */
static void
laws(bool swap, double rate, struct dp_rng *rng)
{
	struct dp_normtree_shape s = { .h = 2, .T = 4, .root = .05, .kinds = 3, .kind = {
	    { .share = .08, .corner = .5, .level = 1, .child = { DP_NORMTREE_STEP,
	    DP_NORMTREE_STEP } }, { .share = .8, .corner = .3, .level = 1, .child = {
	    DP_NORMTREE_STEP, DP_NORMTREE_STEP } }, { .share = .14, .corner = 1, .level = 2 } } };
	struct dp_normtree p;
	int64_t A;
	unsigned i;

	s.kind[2].child[swap] = 0;
	s.kind[2].child[!swap] = 1;
	if (!random_tree(&p, &s, 0, rate))
		abort();
	A = p.A;
	for (i = 0; i < 3; i++) {
		law(&p, i, 0, rng);
		law(&p, i, 1, rng);
		law(&p, i, -7, rng);
		law(&p, i, A - 1, rng);
		law(&p, i, -A, rng);
		law(&p, i, A + 1, rng);
		law(&p, i, -2 * A - 3, rng);
		law(&p, i, 4 * A, rng);
	}
	drop_tree(&p);
}

/* As a plan has them: what is beyond the tables is rare, and left out of variances. */
static bool
usual_tree(struct dp_normtree *p, struct dp_normtree_shape *s, double rate)
{
	double total;
	unsigned i;
	int e;

	for (i = 0; i < s->kinds; i++)
		if (s->kind[i].level == 1)
			s->kind[i].corner = chance();
	*p = (struct dp_normtree){ .fine = 0 };
	if (dp_normtree_find_reach(s, 0, rate, &total) != 0)
		return false;
	for (i = 0; i < s->kinds; i++)
		if (s->kind[i].level == 1 && s->kind[i].share * s->kind[i].reach * rate < 6)
			return false;
	if ((e = dp_normtree_set(p, s, rate, DP_NORMTREE_DRAW)) != 0)
		drop_tree(p);
	return e == 0;
}

static void
measured(const struct dp_normtree *p, uint64_t T, struct dp_rng *rng)
{
	int64_t wait[8] = { 0 }, w[64], sum;
	double m[65] = { 0 }, m4[65] = { 0 }, v, z;
	uint64_t t;
	unsigned r;

	for (r = 0; r < RUNS; r++) {
		if (dp_normtree_fill(p, wait, rng, 0, w) != 0)
			abort();
		for (sum = 0, t = 1; t <= T; t++) {
			sum += w[t - 1];
			m[t] += (double)(sum * sum) / RUNS;
			m4[t] += pow((double)sum, 4) / RUNS;
		}
	}
	for (t = 1; t <= T; t++) {
		v = dp_normtree_variance(p, NULL, 0, t);
		z = (m[t] - v) / sqrt((m4[t] - m[t] * m[t]) / RUNS);
		check(fabs(z) < LIMIT);
		if (!(fabs(z) < LIMIT))
			printf("T %u of 2^%u, step %u: %g, not %g\n", (unsigned)T, p->h,
			    (unsigned)t, m[t], v);
	}
}

static void
variances(unsigned h, uint64_t T, bool exactly, struct dp_rng *rng)
{
	struct dp_normtree_shape s;
	struct dp_normtree p;

	do {
		if (exactly)
			kinds_up_to(&s, h, T);
		else
			random_kinds(&s, h, 3);
		s.T = T;
	} while (!usual_tree(&p, &s, between(.5, 5)));
	measured(&p, T, rng);
	drop_tree(&p);
}

/* Of a count whose steps hardly ever have noise. */
static void
rare(uint64_t T, uint64_t rate, struct dp_rng *rng)
{
	const struct dp_mech_rule r = setting(T, rate, 1, 1);
	struct dp_normtree_shape s;
	struct dp_normtree *p;

	if (!dp_normtree_rare_shape(&s, T, (double)rate) ||
	    dp_normtree_create(&p, &s, &r.privacy) != 0)
		abort();
	measured(p, T, rng);
	dp_normtree_free(p);
}

int
main(int argc, char **argv)
{
	struct dp_rng *rng;
	unsigned i;

	/* nothing that is owed (covers.h) */
	if (argc > 1 && strcmp(argv[1], "--covers") == 0)
		return 0;
	if (dp_rng_open_seed(&rng, 11) != 0)
		return 1;
	for (i = 0; i < 2; i++) {
		PART(laws(i, 1.5, rng));
		PART(laws(i, 4, rng));
		PART(laws(i, 12, rng));
	}
	for (i = 0; i < 2; i++) {
		PART(variances(5, 32, false, rng));
		PART(variances(5, 21, false, rng));
		PART(variances(5, 21, true, rng));
		PART(variances(5, 17, true, rng));
	}
	PART(rare(50, 5, rng));
	PART(rare(10, 5, rng));
	dp_rng_free(rng);
	return done();
}
