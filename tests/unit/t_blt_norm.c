/* SPDX-License-Identifier: ISC */
/*
 * t_blt_norm.c - buffered linear Toeplitz noise with columns of one norm: every column's norm, the
 * shift of neighbours, increments and variances, against the sequences themselves.
 */
#include <math.h>
#include <stdlib.h>

#include "toeplitz.h"

static const uint64_t horizons[] = { 1, 2, 3, 5, 31, 32, 33, 34, 64, 100, 255, 256, 700 };
#define HORIZONS	(sizeof horizons / sizeof horizons[0])
#define MOST		1024

static struct dp_mech_rule
rule_of(uint64_t T)
{
	return blt_rule(DP_TASK_COUNT, T, 0, 0, "1", "1e-6");
}

static struct dp_blt *
make_norm(const struct dp_mech_rule *r)
{
	struct dp_mech *m;

	if (dp_mech_plan(&m, &dp_blt_norm_ops, r) != 0)
		abort();
	return (void *)m;
}

/*
 * N_t ||c||_(T-t+1) for every column, from the definition of C: at most `size`, which some column
 * attains, and at most 2^s, above 1 - 1/32 of it (a piece is a 16th of an octave).
 */
static void
columns(void)
{
	static long double c[MOST];
	struct dp_mech_rule r;
	struct dp_blt *g;
	long double sum, norm, most;
	uint64_t T, t;
	size_t i;

	for (i = 0; i < HORIZONS; i++) {
		T = horizons[i];
		r = rule_of(T);
		g = make_norm(&r);
		chain_c(&g->form, c, T);
		for (most = sum = 0, t = T; t > 0; t--) {
			sum += c[T - t] * c[T - t];
			norm = ldexpl(sqrtl(sum) * (long double)dp_blt_norm_unit(g, t),
			    -(int)g->s);
			most = fmaxl(most, norm);
			check(norm <= 1 && norm > 1 - 1. / 32);
			check(t == T || dp_blt_norm_unit(g, t) <= dp_blt_norm_unit(g, t + 1));
		}
		check(g->size <= 1 && g->size >= (double)most && g->size < (double)most + 2e-9);
		check(dp_blt_norm_unit(g, T + 63) == dp_blt_norm_unit(g, T));
		dp_mech_free(&g->f.m);
	}
}

static int64_t
unit_at(const struct dp_blt *g, uint64_t t)
{
	return (int64_t)dp_blt_norm_unit(g, t);
}

static double
shifted(const struct dp_mech_rule *r, const int64_t *d, size_t n, struct dp_rng *rng)
{
	struct dp_blt *g = make_norm(r);
	const double sum = account_all(g, r, unit_at, d, n, rng);

	dp_mech_free(&g->f.m);
	return sum;
}

/* Neighbours at every column, and a user's events at several. */
static void
shifts(struct dp_rng *rng)
{
	static int64_t d[MOST];
	struct dp_mech_rule r;
	double ratio;
	size_t i, t, T;

	for (i = 0; i < HORIZONS; i++) {
		T = horizons[i];
		r = rule_of(T);
		for (t = 0; t < T; t += T < 200 ? 1 : 13) {
			memset(d, 0, sizeof d);
			d[t] = t % 2 != 0 ? -1 : 1;
			ratio = shifted(&r, d, T, rng);
			check(ratio < 1 + 1e-5 && ratio > (1 - 1. / 32) * (1 - 1. / 32) - 1e-5);
			/* a piece of one step */
			check(t + 32 < T || ratio > 1 - 1e-5);
		}
		memset(d, 0, sizeof d);
		d[0] = 2;
		d[T / 2] += 1;
		d[T - 1] += 2;
		r.privacy.l1 = 5;
		r.privacy.l2squared = 25;
		check(shifted(&r, d, T, rng) <= 1 + 1e-5);
	}
}

/*
 * What a count keeps of a block, behind its own two numbers: sums of floor(w 2^64 / N_t), for w of
 * either sign.
 */
static void
increments(struct dp_rng *rng)
{
	enum { N = 100 };
	static int64_t z[2 * DP_FILL], w[DP_FILL];
	struct dp_mech_rule r = rule_of(N);
	struct dp_blt *g = make_norm(&r);
	struct dp_blt_column *a = blt_column(g);
	struct dp_rng *one, *two;
	struct column c;
	dp_wide rest, unit, before = 0;
	const dp_wide *sum;
	int64_t est;
	unsigned t, below = 0;

	check(dp_noise_fill(&g->noise, rng, z, 2 * DP_FILL) == 0);
	if (dp_rng_open_known(&one, z, 2 * DP_FILL) != 0 ||
	    dp_rng_open_known(&two, z, 2 * DP_FILL) != 0)
		abort();
	check(column_new(&c, &g->f.m, two) == 0);
	for (t = 0; t < N; t++) {
		if (t % DP_FILL == 0)
			check(dp_blt_run(g, a, one, t, w, DP_FILL) == 0);
		check(column_step(&c, 0, &est) == 0);
		sum = (const dp_wide *)c.state + 2 + t % DP_FILL;
		unit = (dp_wide)dp_blt_norm_unit(g, t + 1);
		rest = (dp_wide)((dp_uwide)(dp_wide)w[t % DP_FILL] << 64) - (*sum - before) * unit;
		check(rest >= 0 && rest < unit);
		below += w[t % DP_FILL] < 0;
		before = *sum;
	}
	check(below > 20 && below < 80);
	column_free(&c);
	dp_rng_free(one);
	dp_rng_free(two);
	free(a);
	dp_mech_free(&g->f.m);
}

/* Variance of the estimate after each step, of draws of variance 1, by the matrix itself. */
static void
dense(const struct dp_blt *g, double *v)
{
	static long double inverse[MOST], row[MOST];
	struct chain c;
	uint64_t t, j, T = g->end;

	chain_new(&c, &g->form, T);
	for (t = 0; t < T; t++) {		/* 1 / C */
		inverse[t] = (t == 0) - chain_past(&c);
		chain_push(&c, inverse[t]);
	}
	chain_free(&c);
	memset(row, 0, sizeof row);
	for (t = 0; t < T; t++)
		for (v[t] = 0, j = 0; j <= t; j++) {
			row[j] += inverse[t - j] / (long double)dp_blt_norm_unit(g, t + 1);
			v[t] += (double)(row[j] * row[j]);
		}
}

static void
judge_error(const struct dp_mech *m, const double *v, uint64_t T, double unit)
{
	struct dp_error e;
	double max = 0, mean = 0;
	uint64_t t;

	for (t = 0; t < T; t++) {
		max = fmax(max, v[t] * unit);
		mean += v[t] * unit / (double)T;
	}
	m->ops->error(m, T, &e);	/* dp_mech_error() would try every step */
	check(near(e.max, max, 1e-9) && near(e.mean, mean, 1e-9));
	check(e.worst >= 1 && e.worst <= T && near(v[e.worst - 1] * unit, max, 1e-9));
}

static void
variances(void)
{
	static double v[MOST];
	struct dp_mech_rule r;
	struct dp_mech *m;
	struct dp_blt *g;
	double unit;
	uint64_t T, t;
	size_t i;

	for (i = 0; i < HORIZONS; i++) {
		T = horizons[i];
		r = rule_of(T);
		g = make_norm(&r);
		if (dp_mech_plan(&m, &dp_blt_norm_ops, &r) != 0)
			abort();
		dense(g, v);
		unit = dp_noise_variance(&g->noise);
		for (t = 1; t <= T; t++)
			check(near(dp_mech_variance(m, t), v[t - 1] * unit, 1e-9));
		judge_error(m, v, T, unit);
		judge_error(m, v, T / 2 + 1 < T ? T / 2 + 1 : T, unit);
		dp_mech_free(m);
		dp_mech_free(&g->f.m);
	}
}

/* Of many steps the greatest error is where error() looks for it; what it comes to. */
static void
long_horizons(void)
{
	static const struct {
		uint64_t T;
		double max, mean;
	} row[] = {
		{ 4096, 14.90, 14.51 }, { 65536, 18.62, 18.22 },
		{ 1 << 20, 22.33, 21.92 }, { (uint64_t)1 << 30, 31.65, 31.23 }
	};
	struct dp_mech_rule r;
	struct dp_error e;
	struct dp_mech *m;
	double max, mean, v;
	uint64_t t;
	size_t i;

	for (i = 0; i < sizeof row / sizeof row[0]; i++) {
		r = rule_of(row[i].T);
		if (dp_mech_plan(&m, &dp_blt_norm_ops, &r) != 0)
			abort();
		m->ops->error(m, row[i].T, &e);
		check(sqrt(e.max) < row[i].max && sqrt(e.max) > row[i].max - .04);
		check(sqrt(e.mean) < row[i].mean && sqrt(e.mean) > row[i].mean - .04);
		for (max = mean = 0, t = 1; row[i].T <= 65536 && t <= row[i].T; t++) {
			v = dp_mech_variance(m, t);
			max = fmax(max, v);
			mean += v / (double)row[i].T;
		}
		check(max == 0 || (near(e.max, max, 1e-12) && near(e.mean, mean, 1e-9)));
		dp_mech_free(m);
	}
}

static int
refused(struct dp_mech_rule r)
{
	struct dp_mech *m = NULL;
	int e = dp_mech_plan(&m, &dp_blt_norm_ops, &r);

	dp_mech_free(m);
	return e;
}

static void
refusals(void)
{
	struct dp_mech_rule r = rule_of(100);

	check(refused(r) == 0);
	r.horizon = 0;
	check(refused(r) == DP_EINVAL);
	check(refused(blt_rule(DP_TASK_WINDOW, 100, 5, 0, "1", "1e-6")) == DP_EINVAL);
	check(refused(blt_rule(DP_TASK_EXP, 100, 0, .9, "1", "1e-6")) == DP_EINVAL);
	check(refused(blt_rule(DP_TASK_COUNT, 100, 0, 0, "1", "0")) == DP_EINVAL);
	check(refused(rule_of(((uint64_t)1 << 50) + 1)) == DP_EINVAL);
	check(refused(rule_of((uint64_t)1 << 50)) == 0);
	/* a grid unit of less than one noise unit */
	r = rule_of(100);
	r.privacy.l1 = 50000000;
	r.privacy.l2squared = r.privacy.l1 * r.privacy.l1;
	check(refused(r) == DP_ERANGE);
}

int
main(void)
{
	struct dp_rng *rng;

	if (dp_rng_open_seed(&rng, 20261122) != 0)
		abort();
	columns();
	shifts(rng);
	increments(rng);
	variances();
	long_horizons();
	refusals();
	dp_rng_free(rng);
	return done();
}
