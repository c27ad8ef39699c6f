/* SPDX-License-Identifier: ISC */
/* decay.h - running mechanisms of decayed sums in tests: estimates as doubles in grid units. */
#ifndef TEST_DECAY_H
#define TEST_DECAY_H

#include "mech.h"

#define DECIMALS	12

static inline struct dp_task
exponential(double alpha)
{
	return (struct dp_task){ .what = DP_TASK_EXP, .alpha = alpha, .decimals = DECIMALS };
}

static inline struct dp_task
polynomial(double power, double beta)
{
	return (struct dp_task){ .what = DP_TASK_POLY, .power = power, .beta = beta,
	    .decimals = DECIMALS };
}

static inline struct dp_task
table(const double *g, size_t ng, double beta)
{
	return (struct dp_task){ .what = DP_TASK_TABLE, .g = g, .ng = ng, .beta = beta,
	    .decimals = DECIMALS };
}

/* epsilon = 1, or inf if exact; NULL if not eligible */
static inline struct dp_mech *
decay_make(const char *name, struct dp_task k, uint64_t T, bool exact)
{
	struct dp_mech_rule s = setting(T, exact ? 0 : 1, 1, 1);

	s.task = k;
	return make(name, &s);
}

/* NAN if it fails */
static inline double
decay_step(struct column *c, int64_t x)
{
	long double unit = 1;
	unsigned i;
	dp_wide w;

	if (c->m->ops->step(c->m, c->state, c->rng, ++c->t, &x, &w) != 0)
		return NAN;
	for (i = 0; i < c->m->estimate.decimals; i++)	/* powl() takes longer than the step */
		unit *= 10;
	return (double)((long double)w / unit);
}

/* A column that is moved now and then, over so many steps, goes on as one that is not. */
static inline void
decay_moves(const char *name, struct dp_task k, uint64_t T, int steps)
{
	struct dp_mech *m = decay_make(name, k, T, false), *other = decay_make(name, k, T, false);
	struct twins w;
	bool same = true;
	int t;

	twins_new(&w, m);
	for (t = 0; t < steps; t++) {
		if (t % 7 == 3)
			column_move(&w.d, other);
		same &= decay_step(&w.c, t % 3) == decay_step(&w.d, t % 3);
	}
	check(same && m->column % 8 == 0);
	twins_free(&w);
	dp_mech_free(m);
	dp_mech_free(other);
}

/* The scale of the i-th family's noise. */
static inline struct dp_q
scale(const struct dp_mech *m, unsigned i)
{
	const struct dp_noise *z;
	const char *what;

	return dp_mech_family(m, i, &z, &what) ? z->param : (struct dp_q){ 0, 1 };
}

/*
 * Feeds x, with noise z (NULL: none drawn) in units of 2^-shift; true if the estimates are want,
 * and no noise is left.
 */
static inline bool
decay_oracle(const char *name, struct dp_task k, uint64_t T, const int64_t *x, size_t n,
    const int64_t *z, size_t nz, unsigned shift, const double *want)
{
	int64_t script[64];
	struct dp_mech *m = decay_make(name, k, T, z == NULL);
	struct dp_rng *rng = NULL;
	struct column c;
	double y = 0;
	bool good;
	size_t i;

	for (i = 0; z != NULL && i < nz; i++)
		script[i] = z[i] * ((int64_t)1 << shift);
	if (m == NULL || (z != NULL && dp_rng_open_known(&rng, script, nz) != 0) ||
	    column_new(&c, m, rng) != 0)
		return false;
	for (good = true, i = 0; i < n && good; i++) {
		y = decay_step(&c, x[i]);
		good = fabs(y - want[i]) < 1e-9;
	}
	if (!good)
		printf("%s: step %zu gave %.12g, not %.12g\n", name, i, y, want[i - 1]);
	good = good && (rng == NULL || rng->left == 0);
	column_free(&c);
	dp_rng_free(rng);
	dp_mech_free(m);
	return good;
}

#define X(...)	((const int64_t[]){ __VA_ARGS__ })
#define D(...)	((const double[]){ __VA_ARGS__ })
#define XN(...)	(sizeof (int64_t[]){ __VA_ARGS__ } / 8)
#define EXACT(name, k, T, x, want) \
	check(decay_oracle(name, k, T, X x, XN x, NULL, 0, 0, D want))
#define KNOWN(name, k, T, shift, x, z, want) \
	check(decay_oracle(name, k, T, X x, XN x, X z, XN z, shift, D want))

static inline bool
close_to(double a, double b, double tolerance)
{
	bool good = fabs(a - b) <= tolerance * fabs(b);

	if (!good)
		printf("%.12g, not %.12g\n", a, b);
	return good;
}

/* ops->error against every step tried. */
static inline bool
closed(const struct dp_mech *m, uint64_t T)
{
	struct dp_error a, b;

	error_brute(m, T, &b);
	m->ops->error(m, T, &a);
	if (fabs(a.max - b.max) <= 1e-9 * b.max && fabs(a.mean - b.mean) <= 1e-9 * b.mean &&
	    fabs(dp_mech_variance(m, a.worst) - a.max) <= 1e-9 * a.max)
		return true;
	printf("%s, T = %llu: max %.12g, tried %.12g; mean %.12g, tried %.12g\n", m->ops->name,
	    (unsigned long long)T, a.max, b.max, a.mean, b.mean);
	return false;
}

#endif
