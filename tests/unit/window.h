/* SPDX-License-Identifier: ISC */
/* window.h - windows and expiry in tests: settings, oracles, exact answers, predictions. */
#ifndef TEST_WINDOW_H
#define TEST_WINDOW_H

#include "mech.h"

#define V(...)	((const int64_t[]){ __VA_ARGS__ })
#define N(...)	(sizeof (int64_t[]){ __VA_ARGS__ } / 8)
#define ORACLE(name, s, x, z, want) \
	check(known(name, s, V x, N x, V z, N z, V want))

/* The mechanism, or the end. */
static inline struct dp_mech *
must(const char *name, const struct dp_mech_rule *s)
{
	struct dp_mech *m = make(name, s);

	if (m == NULL) {
		printf("%s: ", name);
		check(m != NULL);
		exit(done());
	}
	return m;
}

/* W = 0: none */
static inline struct dp_mech_rule
task(enum dp_what what, uint64_t T, uint64_t W, uint64_t num)
{
	struct dp_mech_rule s = setting(T, num, 1, 1);

	s.task.what = what;
	s.task.windows = W != 0;
	s.task.w[0] = W;
	s.task.lambda = 1;
	s.task.map = DP_TASK_EXP;
	s.task.alpha = .5;
	s.task.decimals = what == DP_TASK_MAP ? 2 : 0;
	return s;
}

static inline struct dp_mech_rule
windows(uint64_t T, uint64_t num, const uint64_t *w, unsigned n)
{
	struct dp_mech_rule s = task(DP_TASK_WINDOW, T, 1, num);

	s.task.windows = n;
	memcpy(s.task.w, w, n * sizeof *w);
	return s;
}

/* All outputs of a step. */
static inline int
wide_step(struct column *c, int64_t x, dp_wide *est)
{
	return c->m->ops->step(c->m, c->state, c->rng, ++c->t, &x, est);
}

/* As oracle(), for any setting; `want` lists the outputs of step 1, of step 2, .. */
static inline bool
known(const char *name, struct dp_mech_rule s, const int64_t *x, size_t n,
    const int64_t *z, size_t nz, const int64_t *want)
{
	dp_wide est[DP_WINDOWS_MAX];
	struct dp_mech *m;
	struct dp_rng *rng;
	struct column c;
	bool good;
	size_t i;
	unsigned k;

	if ((m = make(name, &s)) == NULL || dp_rng_open_known(&rng, z, nz) != 0)
		return false;
	good = column_new(&c, m, rng) == 0;
	for (i = 0; i < n && good; i++) {
		good = wide_step(&c, x[i], est) == 0;
		for (k = 0; k < m->outputs && good; k++, want++)
			if (est[k] != *want) {
				printf("%s: step %zu, output %u: %lld, not %lld\n", name, i + 1,
				    k, (long long)est[k], (long long)*want);
				good = false;
			}
	}
	good = good && rng->left == 0;
	column_free(&c);
	dp_rng_free(rng);
	dp_mech_free(m);
	return good;
}

static inline double
weight(const struct dp_task *k, uint64_t d)
{
	return k->what == DP_TASK_WINDOW ? d < k->w[0] :
	    k->what == DP_TASK_MAP ? dp_task_weight(k, d) : 1;
}

/* Every step's estimates against sums formed anew, values of either sign. */
static inline bool
exact(const char *name, const struct dp_mech_rule *s, uint64_t T)
{
	struct dp_mech *m = must(name, s);
	dp_wide est[DP_WINDOWS_MAX];
	struct dp_task k = s->task;
	struct column c;
	bool good = column_new(&c, m, NULL) == 0;
	double sum, unit = pow(10, k.decimals);
	int64_t x[1200];
	uint64_t t, d;
	unsigned i;

	for (t = 1; t <= T && good; t++) {
		x[t] = (int64_t)(t * t * 7 % 23) - 9;
		good = wide_step(&c, x[t], est) == 0;
		for (i = 0; i < m->outputs; i++) {
			k.w[0] = s->task.w[i];
			for (sum = 0, d = 0; d < t; d++)
				sum += weight(&k, d) * (double)x[t - d];
			good &= k.what == DP_TASK_MAP ?
			    fabs((double)est[i] - sum * unit) < .5 + 1e-3 : est[i] == (dp_wide)sum;
		}
	}
	if (!good)
		printf("%s, W = %llu, T = %llu: step %llu is wrong\n", name,
		    (unsigned long long)s->task.w[0],
		    (unsigned long long)s->horizon, (unsigned long long)t - 1);
	column_free(&c);
	dp_mech_free(m);
	return good;
}

static inline bool
near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * fabs(b);
}

static inline void
closed_prediction(const char *name, const struct dp_mech_rule *s, uint64_t T)
{
	struct dp_mech *m = must(name, s);
	struct dp_error a, b;
	struct dp_law l;
	double at_worst = 0;
	unsigned o;
	bool good;

	error_brute(m, T, &b);
	m->ops->error(m, T, &a);
	for (o = 0; o < m->outputs; o++) {
		dp_mech_law(m, o, a.worst, &l);
		at_worst = fmax(at_worst, dp_law_variance(&l));
	}
	good = near(a.max, b.max, 1e-9) && near(a.mean, b.mean, 1e-9) &&
	    near(at_worst, a.max, 1e-9) && a.worst <= T;
	if (!good)
		printf("%s, T = %llu: max %.12g, tried %.12g; mean %.12g, tried %.12g\n", name,
		    (unsigned long long)T, a.max, b.max, a.mean, b.mean);
	check(good);
	dp_mech_free(m);
}

static inline void
row(const char *name, struct dp_mech_rule s, double max, double mean, double room)
{
	struct dp_error e;
	struct dp_mech *m = must(name, &s);
	bool good;

	m->ops->error(m, s.horizon != 0 ? s.horizon : (uint64_t)1 << 26, &e);
	good = near(sqrt(e.max), max, room) && (mean == 0 || near(sqrt(e.mean), mean, room));
	if (!good)
		printf("%s, W = %llu: %.5g / %.5g\n", name, (unsigned long long)s.task.w[0],
		    sqrt(e.max), sqrt(e.mean));
	check(good);
	dp_mech_free(m);
}

#endif
