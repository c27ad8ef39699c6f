/* SPDX-License-Identifier: ISC */
/*
 * t_law_terms.c - no mechanism's law has more terms than there is room for, and one that has is not
 * believed.
 */
#include <math.h>

#include "job/internal.h"
#include "law/internal.h"
#include "mech.h"

static struct dp_law law;
static unsigned most;
static char where[100];

static uint64_t
next(uint64_t *r)
{
	*r ^= *r << 13;
	*r ^= *r >> 7;
	*r ^= *r << 17;
	return *r;
}

/* Steps of many kinds: all ones, powers, the horizon, and some at random. */
static void
walk(const struct dp_mech *m, const struct dp_task *k, uint64_t T)
{
	uint64_t r = 88172645463325252u, t;
	unsigned i, out;

	for (i = 0; i < 200; i++) {
		t = i < 50 ? ((uint64_t)1 << i) - (i & 1) :
		    i < 100 ? ((uint64_t)1 << (i - 50)) * 3 / 2 : next(&r) >> (13 + i % 50);
		if (i == 100)
			t = T;
		if (t == 0 || t > T)
			t = t % T + 1;
		for (out = 0; out < m->outputs; out++) {
			dp_mech_law(m, out, t, &law);
			check(!law.full);
			if (law.terms > most) {
				most = law.terms;
				snprintf(where, sizeof where,
				    "%s: T %.0f w %.0f 1 - alpha %g t %.0f",
				    m->ops->name, (double)T, (double)k->w[0], 1 - k->alpha,
				    (double)t);
			}
		}
	}
}

static void
try_all(const struct dp_task *k, uint64_t T, bool known)
{
	struct dp_mech_rule rule = { .report = T, .task = *k, .inputs = 1, .every = 1 };
	const struct dp_mech_ops *ops;
	struct dp_mech *m;
	unsigned i;

	rule.horizon = known ? T : 0;
	if (dp_privacy_set(&rule.privacy, false, dp_q_make(1, 1), dp_q_make(1, 1000000), 1, 1) != 0)
		abort();
	rule.privacy.dry = true;
	for (i = 0; (ops = dp_plan_list(i)) != NULL; i++) {
		if (ops->law.at == NULL || (ops->tasks & k->what) == 0 ||
		    dp_mech_plan(&m, ops, &rule) != 0)
			continue;
		walk(m, k, T);
		dp_mech_free(m);
	}
}

static void
producers(void)
{
	struct dp_task k;
	uint64_t T;
	unsigned h, w, a;

	for (h = 0; h <= 50; h += h < 20 ? 4 : h < 38 ? 6 : 2) {
		T = ((uint64_t)1 << h) + (h > 4 ? 5 : 0);
		if (T > (uint64_t)1 << 50)
			T = (uint64_t)1 << 50;
		k = (struct dp_task){ .what = DP_TASK_COUNT };
		try_all(&k, T, true);
		try_all(&k, T, false);
		k = (struct dp_task){ .what = DP_TASK_GRADUAL, .lambda = .5 };
		try_all(&k, T, true);
		for (w = 0; w < 48 && w <= h; w += 5) {
			k = (struct dp_task){ .what = DP_TASK_WINDOW, .windows = 1 };
			k.w[0] = (uint64_t)3 << w;
			try_all(&k, T, true);
			try_all(&k, T, false);
		}
		for (a = 1; a <= 52; a += 3) {
			k = (struct dp_task){ .what = DP_TASK_EXP, .beta = .1 };
			k.alpha = 1 - ldexp(1, -(int)a);
			try_all(&k, T, true);
		}
		if (h <= 20) {
			k = (struct dp_task){ .what = DP_TASK_POLY, .power = 1, .beta = .01 };
			try_all(&k, T, true);
		}
	}
	printf("at most %u terms, %s\n", most, where);
}

/* As many terms as there is room for, and one more. */
static void
full(void)
{
	static struct dp_noise z;
	unsigned i;

	check(dp_noise_describe(&z, DP_NOISE_LAPLACE, dp_q_make(1, 1)) == 0);
	dp_law_clear(&law);
	for (i = 0; i < DP_LAW_TERMS; i++)
		dp_law_add(&law, &z, 1 + (i & 1), 1);
	check(!law.full && isfinite(dp_law_variance(&law)) && isfinite(dp_law_bound(&law, .1)));
	dp_law_add(&law, &z, 1 + ((i - 1) & 1), 1);	/* merges */
	check(!law.full);
	dp_law_add(&law, &z, 0, 1);
	check(!law.full);
	dp_law_add(&law, &z, 3, 1);
	check(law.full && law.terms == DP_LAW_TERMS);
	check(isinf(dp_law_variance(&law)) && isinf(dp_law_bound(&law, .1)));
	check(isinf(dp_law_bound(&law, 1e-12)));
	check(dp_law_tail(&law, 1e9) == 1 && dp_law_chernoff(&law, 1e9) == 1);
	dp_law_clear(&law);
	check(!law.full && dp_law_variance(&law) == 0);
}

int
main(void)
{
	PART(producers());
	PART(full());
	return done();
}
