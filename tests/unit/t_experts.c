/* SPDX-License-Identifier: ISC */
/*
 * t_experts.c - dpexperts' mechanisms by hand-checked noise, and the theorem of regret: its lemma
 * for every cost of small worlds, its numbers against sums done the long way.
 */
#include <math.h>
#include <string.h>

#include "mech.h"
#include "stat/experts.h"
#include "stat/internal.h"

#define DEAD	INT64_MIN

static struct dp_mech_rule
follow(struct dp_experts *own, uint64_t T, size_t n, int64_t hi, bool exact)
{
	struct dp_mech_rule s = { .task = { .what = DP_TASK_OWN, .statistic = &dp_experts_statistic,
	    .own = own }, .horizon = T, .every = 1, .inputs = n, .hi = hi, .most = (uint64_t)hi };

	if (dp_privacy_set(&s.privacy, exact, dp_q_make(1, 1), dp_q_make(0, 1), (uint64_t)hi,
	    (uint64_t)(hi * hi)) != 0)
		abort();
	return s;
}

/* The answers before and after lines x are `want`, and no noise is left. */
static bool
answers(const struct dp_mech *m, struct dp_rng *rng, size_t lines, const int64_t *x,
    const int64_t *want)
{
	struct column c;
	dp_wide est = -1;
	bool good = column_new(&c, m, rng) == 0;
	size_t t;

	for (t = 0; t <= lines && good; t++) {
		good = (t == 0 || m->ops->step(m, c.state, rng, t, x + (t - 1) * m->inputs,
		    NULL) == 0) &&
		    (m->ops->valid == NULL || m->ops->valid(m, c.state, t));
		if (good && want[t] != DEAD)
			good = m->ops->answer(m, c.state, rng, t, &est) == 0 &&
			    est == want[t] - 1;
		if (!good)
			printf("%s: after %zu lines %d\n", m->ops->name, t, (int)est + 1);
	}
	column_free(&c);
	return good && rng->left == 0;
}

static bool
scripted(const char *name, uint64_t T, size_t n, struct dp_experts own, const int64_t *z,
    size_t nz, size_t lines, const int64_t *x, const int64_t *want)
{
	struct dp_mech_rule s = follow(&own, T, n, 1, false);
	struct dp_mech *m = make(name, &s);
	struct dp_rng *rng;
	bool good;

	if (m == NULL || dp_rng_open_known(&rng, z, nz) != 0)
		return false;
	good = answers(m, rng, lines, x, want);
	dp_rng_free(rng);
	dp_mech_free(m);
	return good;
}

static const struct dp_experts none = { true, { 0, 1 }, 0 }, ten = { true, { 10, 1 }, 0 };

static void
oracles(void)
{
	/* pan, T = 2: counts 3, 0; of the step before the first line 0, 0; of the first -5, 0 */
	static const int64_t pan[] = { 3, 0, 0, 0, -5, 0 }, x[] = { 0, 1, 1, 1 },
	    want[] = { 2, 1, DEAD };
	/* with what perturbs after each round: 1, 4 and -9 (8 when folded), 2 */
	static const int64_t perturbed[] = { 3, 0, 0, 0, 1, 4, -5, 0, -9, 2 };
	/*
	 * kary, T = 2: an estimate has at most two draws, so a reserve is one: -20, 0.  The step
	 * before the first line: 4, -1, which lack it.  The first line's: 0, -7, which do not.
	 */
	static const int64_t kary[] = { -20, 0, 4, -1, 0, -7 }, zero[] = { 0, 0 },
	    first[] = { 1, 2 };
	/* reserves, then a step, then what perturbs it */
	static const int64_t both[] = { 3, 5, 0, 0, 1, 3 }, second[] = { 1 };

	check(scripted("pan", 2, 2, none, pan, 6, 2, x, want));
	check(scripted("pan", 2, 2, ten, perturbed, 10, 1, x, want));
	check(scripted("kary", 2, 2, none, kary, 6, 1, zero, first));
	/* 0 + 3 - 1 against 0 + 5 - 3: ties go to the first */
	check(scripted("kary", 2, 2, ten, both, 6, 0, zero, second));
	/* the tie's other way: -1 is folded to 0 */
	check(scripted("kary", 2, 2, ten, (const int64_t []){ 3, 5, 0, 0, -1, 3 }, 6, 0, zero,
	    (const int64_t []){ 2 }));
	/* the last line's costs are no counter's */
	check(scripted("pan-slots", 1, 2, none, (const int64_t []){ 1, 0, 0, 0, 0, 0 }, 6, 1, x,
	    (const int64_t []){ 2, DEAD }));
}

static void
without_noise(void)
{
	static const int64_t x[] = { 0, 1, 1, 1, 0, 1, 1, 0, 0 }, want[] = { 1, 1, 1, 2 };
	static const int64_t same[] = { 1, 1, 1, 1, 1, 1 }, ones[] = { 1, 1, 1 };
	static const char *const name[] = { "identity", "kary", "pan", "pan-slots" };
	struct dp_experts own = { .given = false };
	struct dp_mech_rule s;
	struct dp_rng *rng;
	struct dp_mech *m;
	size_t i;

	if (dp_rng_open_known(&rng, x, 0) != 0)
		abort();
	for (i = 0; i < 4; i++) {
		s = follow(&own, 9, 3, 1, true);
		s.pan = name[i][0] == 'p';
		check((m = make(name[i], &s)) != NULL && answers(m, rng, 3, x, want));
		check(m != NULL && answers(m, rng, 2, same, ones));
		dp_mech_free(m);
		s.inputs = 1;
		check((m = make(name[i], &s)) != NULL && answers(m, rng, 2, x, ones));
		dp_mech_free(m);
	}
	dp_rng_free(rng);
}

/* The counters' noise is what the same counter has elsewhere, whatever is asked for the choices. */
static void
counters(void)
{
	static const char *const name[] = { "kary", "pan", "pan-slots" };
	struct dp_experts own = ten;
	struct dp_mech_rule s = follow(&own, 100, 3, 7, false), c = setting(100, 1, 1, 7);
	const struct dp_noise *a, *b;
	struct dp_mech *m, *n;
	const char *what;
	size_t i;

	for (i = 0; i < 3; i++) {
		s.pan = c.pan = i > 0;
		m = make(name[i], &s);
		n = make(name[i], &c);
		check(m != NULL && n != NULL);
		check(dp_mech_family(m, 0, &a, &what) && dp_mech_family(n, 0, &b, &what));
		check(a->kind == DP_NOISE_LAPLACE && dp_q_cmp(a->param, b->param) == 0);
		check(dp_mech_family(m, 1, &a, &what) && !dp_mech_family(m, 2, &b, &what));
		check(dp_q_cmp(a->param, dp_q_make(10, 1)) == 0 && dp_mech_unit(m, 1) == 1);
		dp_mech_free(m);
		dp_mech_free(n);
	}
	own = none;
	m = make("pan", &s);
	check(m != NULL && !dp_mech_family(m, 1, &a, &what));
	dp_mech_free(m);
}

/* An answer is computed from the last estimates, reserves and fresh draws: what else the counters
 * know is not looked at. */
static void
from_estimates_alone(void)
{
	struct dp_experts own = ten;
	struct dp_mech_rule s = follow(&own, 9, 3, 1, false);
	struct dp_mech_rule one = setting(9, 1, 1, 1);
	struct dp_mech *m = make("kary", &s), *k = make("kary", &one);
	const int64_t x[] = { 0, 1, 1 };
	struct dp_rng *rng;
	struct column c;
	dp_wide a, b;
	uint64_t seed;
	size_t known;

	if (m == NULL || k == NULL)
		abort();
	known = m->column - 3 * ((k->column + 15) & ~(size_t)15);
	for (seed = 0; seed < 50; seed++) {
		if (dp_rng_open_seed(&rng, seed) != 0 || column_new(&c, m, rng) != 0)
			abort();
		check(m->ops->step(m, c.state, rng, 1, x, NULL) == 0);
		dp_rng_free(rng);
		if (dp_rng_open_seed(&rng, seed + 100) != 0)
			abort();
		check(m->ops->answer(m, c.state, rng, 1, &a) == 0);
		dp_rng_free(rng);
		memset((char *)c.state + known, 0x5a, m->column - known);
		if (dp_rng_open_seed(&rng, seed + 100) != 0)
			abort();
		check(m->ops->answer(m, c.state, rng, 1, &b) == 0 && a == b);
		dp_rng_free(rng);
		column_free(&c);
	}
	dp_mech_free(k);
	dp_mech_free(m);
}

/* A law of X on 0 .. POINTS-1, log-concave. */
#define POINTS	24
#define EXPERTS	3

struct world {
	int n, U;
	const double *p;
	double cdf[POINTS + 1];		/* P(X < k) */
	double most;			/* of B(C), found */
};

/* P(X - C >= v) is 1 - below(v + C). */
static double
below(const struct world *w, int v)
{
	return v <= 0 ? 0 : v >= POINTS ? 1 : w->cdf[v];
}

static double
point(const struct world *w, int v)
{
	return v >= 0 && v < POINTS ? w->p[v] : 0;
}

/* Chance that the choice is i: X_i - C_i is the greatest, the least index of those that are. */
static double
chosen(const struct world *w, const int *C, int i)
{
	double sum = 0, f;
	int v, k;

	for (v = -C[i]; v < POINTS - C[i]; v++) {
		f = point(w, v + C[i]);
		for (k = 0; k < w->n; k++)
			if (k != i)
				f *= below(w, v + C[k] + (k > i));
		sum += f;
	}
	return sum;
}

/* B(C) */
static double
ties(const struct world *w, const int *C)
{
	double sum = 0, all, less;
	int v, i, k;

	for (i = 0; i < w->n; i++)
		for (v = -C[i]; v < POINTS - C[i]; v++) {
			for (all = less = 1, k = 0; k < w->n; k++)
				if (k != i) {
					all *= below(w, v + C[k] + 1);
					less *= below(w, v + C[k]);
				}
			sum += point(w, v + C[i]) * (all - less);
		}
	return sum;
}

/* F(C) = -E max X - C, + 50 to keep sums positive */
static double
potential(const struct world *w, const int *C)
{
	double sum = 0, none_above;
	int v, k;

	for (v = -50; v < POINTS + 50; v++) {
		for (none_above = 1, k = 0; k < w->n; k++)
			none_above *= below(w, v + C[k] + 1);
		sum += 1 - none_above;
	}
	return 50 - sum;
}

/* Every C near 0 and every c: a round costs at most w/2 A more than the potential grows by. */
static void
lemma(int n, int U, const double *p, double A)
{
	struct world w = { .n = n, .U = U, .p = p };
	const int base = U + 1, reach = 8;
	int C[EXPERTS] = { 0 }, D[EXPERTS], c[EXPERTS], i, k, code, rest;
	double cost, most = 0;

	for (i = 0; i < POINTS; i++)
		w.cdf[i + 1] = w.cdf[i] + p[i];
	for (C[1] = -reach; C[1] <= reach; C[1]++)
		for (C[2] = n > 2 ? -reach : 0; C[2] <= (n > 2 ? reach : 0); C[2]++) {
			w.most = fmax(w.most, ties(&w, C));
			for (code = 1; code < pow(base, n); code++) {
				for (rest = code, i = 0; i < n; i++, rest /= base)
					c[i] = rest % base;
				for (cost = 0, k = 0; k < n; k++) {
					cost += c[k] * chosen(&w, C, k);
					D[k] = C[k] + c[k];
				}
				cost -= potential(&w, D) - potential(&w, C);
				most = fmax(most, cost);
			}
		}
	check(w.most <= A * (1 + 1e-9));
	check(most <= U * (U + 1) / 4. * A * (1 + 1e-9));
	check(most >= U * (U + 1) / 4. * A / 4);	/* it is not for nothing */
}

static double
sum_of(const double *p)
{
	double s = 0;
	int i;

	for (i = 0; i < POINTS; i++)
		s += p[i];
	return s;
}

/* E max(a(Z_1), ..), Z in 0 .. POINTS-1 */
static double
mean_score(const double *p, int n)
{
	double cdf = 0, up, down = 0, sum = 0;
	int i;

	for (i = 0; i < POINTS; i++, down = up) {
		cdf += p[i];
		up = pow(cdf, n);
		if (p[i] > 0)
			sum += (up - down) * ((i > 0 ? p[i - 1] : 0) / p[i] - 1);
	}
	return sum;
}

static void
lemmas(void)
{
	double geometric[POINTS], laplace[POINTS], sum[POINTS] = { 0 }, s;
	const double b = 2;
	int i, k, n, U;

	/* cut off at both ends, which leaves them log-concave */
	for (i = 0; i < POINTS; i++) {
		geometric[i] = exp(-i / 3.);
		laplace[i] = exp(-fabs(i - POINTS / 2.) / b);
	}
	for (i = 0; i < POINTS; i++)	/* of two */
		for (k = 0; k <= i; k++)
			sum[i] += exp(-fabs(k - POINTS / 4.) / b) *
			    exp(-fabs(i - k - POINTS / 4.) / b);
	for (s = sum_of(geometric), i = 0; i < POINTS; i++)
		geometric[i] /= s;
	for (s = sum_of(laplace), i = 0; i < POINTS; i++)
		laplace[i] /= s;
	for (s = sum_of(sum), i = 0; i < POINTS; i++)
		sum[i] /= s;
	for (n = 2; n <= EXPERTS; n++)
		for (U = 1; U <= 3; U++) {
			lemma(n, U, geometric, expm1(1 / 3.));
			lemma(n, U, laplace, mean_score(laplace, n) / (1 - 0.5 / b));
			lemma(n, U, sum, mean_score(sum, n) / (1 - 0.5 / b));
		}
}

/* A and M of a law. */
static struct dp_regret
measured(const struct dp_law *l, double n)
{
	struct dp_regret r = { .n = n, .T = 1, .range = 1 };

	dp_regret_noise(&r, l);
	return r;
}

static bool
near(double x, double want, double more)
{
	if (x >= want * (1 - 1e-6) && x <= want * (1 + more))
		return true;
	printf("%.8g, not %.8g\n", x, want);
	return false;
}

/* A discrete Laplace law by long sums. */
static void
laplace_numbers(struct dp_q b, double n)
{
	double scale = dp_q_double(b), q = exp(-1 / scale), spread = 0, pull = 0, up, down, reach;
	struct dp_noise z;
	struct dp_regret r;
	struct dp_law law;
	double k;

	reach = ceil(45 * scale);
	for (k = -reach; k <= reach; k++) {
		up = k >= 0 ? 1 - exp(-(k + 1) / scale) / (1 + q) : exp(k / scale) / (1 + q);
		down = k >= 1 ? 1 - exp(-k / scale) / (1 + q) : exp((k - 1) / scale) / (1 + q);
		up = pow(up, n) - pow(down, n);
		spread += k * up;
		pull += up * (k > 0 ? 1 / q - 1 : q - 1);
	}
	if (dp_noise_describe(&z, DP_NOISE_LAPLACE, b) != 0)
		abort();
	dp_law_clear(&law);
	dp_law_add(&law, &z, 1, 1);
	r = measured(&law, n);
	check(near(r.spread, spread, 2e-3));
	check(near(r.pull, pull / (1 - .5 / scale), 0.02));
}

static void
numbers(void)
{
	/* means of the largest of n standard normal variables (Harter 1961) */
	static const double harter[][2] = { { 2, .56418958 }, { 5, 1.16296447 },
	    { 10, 1.53875273 }, { 100, 2.50759364 }, { 1000, 3.24143577 } };
	struct dp_noise z;
	struct dp_regret r;
	struct dp_law law;
	double sigma;
	size_t i;

	for (i = 0; i < 5; i++)
		for (sigma = 1; sigma < 1e7; sigma *= 1000) {
			if (dp_noise_describe(&z, DP_NOISE_GAUSS,
			    dp_q_make((uint64_t)(sigma * sigma * 400), 1)) != 0)
				abort();
			dp_law_clear(&law);
			dp_law_add(&law, &z, 0.1, 1);
			r = measured(&law, harter[i][0]);
			check(near(r.spread, 2 * sigma * harter[i][1], 2e-3));
			check(near(r.pull, harter[i][1] / (2 * sigma), 0.02));
		}
	for (i = 0; i < 3; i++) {
		laplace_numbers(dp_q_make(1, 1), i == 0 ? 2 : i == 1 ? 10 : 1000);
		laplace_numbers(dp_q_make(17, 2), i == 0 ? 2 : i == 1 ? 10 : 1000);
		laplace_numbers(dp_q_make(100000, 1), i == 0 ? 2 : i == 1 ? 10 : 1000);
	}
	/* no noise; noise too small for the theorem */
	dp_law_clear(&law);
	r = measured(&law, 5);
	check(isinf(r.pull) && r.spread == 0 && dp_regret_bound(&r, 0) == 1);
	if (dp_noise_describe(&z, DP_NOISE_LAPLACE, dp_q_make(1, 2)) != 0)
		abort();
	dp_law_add(&law, &z, 1, 1);
	r = measured(&law, 5);
	check(isinf(r.pull) && r.spread > 0);
}

/* Expert advice for 256 rounds (the design's example), and that no rate is better than the best. */
static void
bounds(void)
{
	struct dp_regret r = { .n = 5, .T = 256, .range = 1, .pull = .0306, .spread = 44 };
	double best, s, H = 1 + 1 / 2. + 1 / 3. + 1 / 4. + 1 / 5., T;

	check(fabs(dp_regret_bound(&r, 0) - (128 * .0306 + 44)) < 1e-9);
	check(fabs(dp_regret_bound(&r, 10) - (128 * .0306 + 44 + 10 * H - 1 / expm1(.1))) < 1e-9);
	check(fabs(dp_regret_bound(&r, 1e3) - (128 * expm1(1e-3) + 44 + 1e3 * H -
	    1 / expm1(1e-3))) < 1e-9);
	r.grows = true;
	check(fabs(dp_regret_bound(&r, 0) - (3 * 128 * .0306 + 44)) < 1e-9);
	check(dp_regret_best(&r) == 0);
	for (T = 10; T < 1e10; T *= 10) {
		r = (struct dp_regret){ .n = 5, .T = T, .range = 1000, .pull = 1e-4,
		    .spread = 5e4 };
		best = dp_regret_bound(&r, dp_regret_best(&r));
		check(best <= dp_regret_bound(&r, 0));
		for (s = 1; s < 1e10; s *= 1.5)
			check(best <= dp_regret_bound(&r, s) * (1 + 1e-4));
	}
	check(dp_regret_best(&r) > 0);
	r.n = 1;
	check(dp_regret_best(&r) == 0 && dp_regret_bound(&r, 0) == 0 &&
	    dp_regret_bound(&r, 5) == 0);
}

int
main(void)
{
	PART(oracles());
	PART(without_noise());
	PART(counters());
	PART(from_estimates_alone());
	PART(lemmas());
	PART(numbers());
	PART(bounds());
	return done();
}
