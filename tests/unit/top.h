/* SPDX-License-Identifier: ISC */
/* top.h - mechanisms of names that nobody declared, in tests. */
#ifndef TEST_TOP_H
#define TEST_TOP_H

#include "mech.h"
#include "stat/top.h"

#define TOP_WINDOW	5	/* steps, of the statistic that has windows */

/* T steps, epsilon = num / den, delta in 10^-9, K events a unit; the statistic decides which. */
static inline struct dp_mech_rule
top_rule(const struct dp_statistic *what, uint64_t T, uint64_t num, uint64_t den, uint64_t delta,
    uint64_t K)
{
	struct dp_mech_rule s = setting(T, num, den, K);

	s.task.what = DP_TASK_OWN;
	s.task.statistic = what;
	if (what == &dp_top_window) {
		s.task.windows = 1;
		s.task.w[0] = TOP_WINDOW;
	}
	s.bits = false;
	if (dp_privacy_set(&s.privacy, num == 0, dp_q_make(num == 0 ? 1 : num, den),
	    dp_q_make(delta, 1000000000), K, K * K) != 0)
		abort();
	return s;
}

static inline struct dp_mech *
top_make(const struct dp_statistic *what, uint64_t T, uint64_t num, uint64_t den, uint64_t delta,
    uint64_t K)
{
	const struct dp_mech_rule s = top_rule(what, T, num, den, delta, K);
	struct dp_mech *m = make("auto", &s);

	if (m == NULL)
		abort();
	return m;
}

/* The same of a mechanism, and of K events no two of which have one name. */
static inline struct dp_mech *
top_named(const char *name, const struct dp_statistic *what, uint64_t T, uint64_t num, uint64_t den,
    uint64_t delta, uint64_t K)
{
	struct dp_mech_rule s = top_rule(what, T, num, den, delta, K);
	struct dp_mech *m;

	if (dp_privacy_set(&s.privacy, false, s.privacy.epsilon, s.privacy.delta, K, K) != 0)
		abort();
	s.privacy.linf = 1;
	if ((m = make(name, &s)) == NULL)
		abort();
	return m;
}

/*
 * One name whose events of steps 1 .. T are x, as a run has it: its column begins with the first of
 * them.  est[t - 1]: what is told after step t.
 */
static inline void
top_run(const struct dp_mech *m, struct dp_rng *rng, void *col, const int64_t *x, uint64_t T,
    dp_wide *est)
{
	bool begun = false;
	uint64_t t;

	memset(col, 0, m->column);
	for (t = 1; t <= T; t++) {
		est[t - 1] = DP_NONE;
		if (!begun && x[t - 1] != 0) {
			begun = true;
			check(m->ops->names.late(m, col, rng, t - 1, false) == 0);
		}
		if (begun)
			check(m->ops->step(m, col, rng, t, &x[t - 1], &est[t - 1]) == 0);
	}
}

#endif
