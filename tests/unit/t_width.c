/* SPDX-License-Identifier: ISC */
/*
 * t_width.c - half-widths, step after step, are dp_law_bound()'s of every step's law, and most laws
 * are not inverted for them.
 */
#include "counter/internal.h"
#include "counter/width.h"
#include "job/internal.h"
#include "law/internal.h"
#include "mech.h"

static struct dp_law law;

static struct dp_widths *
widths(const struct dp_mech *m, double gamma)
{
	struct dp_widths *k;

	if (dp_widths_create(&k, m, gamma) != 0)
		abort();
	return k;
}

/*
 * Step t: is it the bound?  Where it is wider, one less is none: dp_law_tail() cuts off 1e-13 where
 * dp_law_bound() cuts off gamma / 10^4.
 */
static bool
same(struct dp_widths *k, const struct dp_mech *m, unsigned out, uint64_t t, double gamma)
{
	double w = -1, want;
	bool good;

	dp_mech_law(m, out, t, &law);
	want = dp_law_bound(&law, gamma);
	good = dp_widths_at(k, out, t, &w) == 0 && w >= want &&
	    (w == want || dp_law_tail(&law, w) > gamma);
	if (!good)
		printf("%s, output %u, step %llu: %.10g, not %.10g\n", m->ops->name, out,
		    (unsigned long long)t, w, want);
	return good;
}

/* Every mechanism, for every task: each step, also at T where the horizon ends. */
static void
all(const struct dp_task *k, uint64_t T, bool known)
{
	struct dp_mech_rule rule = { .report = T, .horizon = known ? T : 0, .task = *k,
	    .inputs = 1, .every = 1 };
	const struct dp_mech_ops *ops;
	struct dp_widths *w;
	struct dp_mech *m;
	unsigned i, out;
	uint64_t t;
	bool good;

	if (dp_privacy_set(&rule.privacy, false, dp_q_make(1, 1), dp_q_make(1, 1000000), 1, 1) != 0)
		abort();
	rule.privacy.dry = true;
	for (i = 0; (ops = dp_plan_list(i)) != NULL; i++) {
		if (ops->law.at == NULL || (ops->tasks & k->what) == 0 ||
		    dp_mech_create(&m, ops, &rule) != 0)
			continue;
		w = widths(m, .05);
		dp_mech_law(m, 0, 1, &law);
		check(law.between == ((k->what & (DP_TASK_DECAY | DP_TASK_MAP)) != 0));
		for (good = true, t = 1; t <= T; t++)
			for (out = 0; out < m->outputs; out++)
				good = same(w, m, out, t, .05) && good;
		check(good);
		dp_widths_free(w);
		dp_mech_free(m);
	}
}

static void
everything(void)
{
	static const struct dp_task task[] = {
		{ .what = DP_TASK_COUNT },
		{ .what = DP_TASK_WINDOW, .windows = 3, .w = { 7, 30, 100 } },
		{ .what = DP_TASK_EXP, .alpha = .97, .beta = .1 },
		{ .what = DP_TASK_POLY, .power = 1, .beta = .1 },
		{ .what = DP_TASK_EXPIRE, .windows = 1, .w = { 60 } },
		{ .what = DP_TASK_GRADUAL, .lambda = .5 }
	};
	size_t i;

	for (i = 0; i < 2 * sizeof task / sizeof task[0]; i++)
		all(&task[i / 2], 300, i & 1);
}

/*
 * Long runs of laws that come again: every step is asked for, and one of `sparse` compared;
 * inverted is at most one law of `rare`.  l1 0: it is 1, and the horizon is not known.
 */
static void
run(const char *name, struct dp_task task, uint64_t T, uint64_t l1, double gamma, uint64_t sparse,
    uint64_t rare)
{
	const bool known = task.what == DP_TASK_COUNT && l1 > 0;
	struct dp_mech_rule s = setting(known ? T : 0, 1, 1, l1 + !l1);
	struct dp_widths *k;
	struct dp_mech *m;
	bool good = true;
	uint64_t t;
	double w;

	s.task = task;
	s.report = T;
	if ((m = make(name, &s)) == NULL)
		abort();
	k = widths(m, gamma);
	for (t = 1; t <= T; t++)
		if ((t * 2654435761u >> 8) % sparse == 0)
			good = same(k, m, 0, t, gamma) && good;
		else
			good = dp_widths_at(k, 0, t, &w) == 0 && good;
	check(good);
	check(dp_widths_inverted(k) * rare <= T);
	/* in any order */
	for (t = 1; t <= 200; t++)
		good = same(k, m, 0, 1 + t * 7919 % T, gamma) && good;
	check(good);
	dp_widths_free(k);
	dp_mech_free(m);
}

static struct dp_task
window(uint64_t W)
{
	return (struct dp_task){ .what = DP_TASK_WINDOW, .windows = 1, .w = { W } };
}

static struct dp_task
fading(double alpha)
{
	return (struct dp_task){ .what = DP_TASK_EXP, .alpha = alpha };
}

static void
long_runs(void)
{
	const struct dp_task count = { .what = DP_TASK_COUNT };

	run("kary", count, 60000, 1, .05, 40, 100);
	run("kary", count, 60000, 1, 1e-6, 40, 100);
	run("kary", count, 60000, 1000, .05, 40, 100);
	run("kary", count, 30000, 1000000, .05, 40, 100);
	run("tree", count, 60000, 1, .05, 40, 1000);
	run("pan", count, 60000, 1, .05, 40, 1000);
	run("windowsum-paper", window(1000), 30000, 1, .05, 40, 1000);
	run("expsum-paper", fading(.9), 30000, 1, .05, 40, 5);
	run("input", window(1000), 30000, 1, .05, 40, 10);
}

/*
 * Trees of kinds, chains, rows of trees: what is kept from law to law changes no half-width.  Steps
 * in a row, and then any; laws are from another object, whose points are its own.
 */
static void
trees(struct dp_task task, uint64_t T, bool known, uint64_t l1, double gamma)
{
	struct dp_mech_rule s = setting(known ? T : 0, 1, 1, l1);
	struct dp_mech *m, *other;
	struct dp_widths *k;
	unsigned wrong = 0, i;
	double w = -1;
	uint64_t t;

	s.task = task;
	s.report = T;
	if ((m = make("normtree", &s)) == NULL || (other = make("normtree", &s)) == NULL)
		abort();
	k = widths(m, gamma);
	for (i = 0; i < 300; i++) {
		t = i < 150 ? 1 + (T / 2 + i) % T : 1 + i * 2654435761u % T;
		dp_mech_law(other, 0, t, &law);
		wrong += dp_widths_at(k, 0, t, &w) != 0 || w != dp_law_bound(&law, gamma);
	}
	if (wrong != 0)
		printf("T %d, range %d, gamma %g: %u of 300 differ\n", (int)T, (int)l1, gamma,
		    wrong);
	check(wrong == 0);
	dp_widths_free(k);
	dp_mech_free(m);
	dp_mech_free(other);
}

/* The rarer, the wider; and no narrower where one is looked for elsewhere. */
static void
rarer(double alpha, uint64_t l1)
{
	struct dp_mech_rule s = setting(0, 1, 1, l1);
	static struct dp_law_memo memo;
	double gamma, w, last;
	struct dp_mech *m;
	bool good = true;
	uint64_t t;

	s.task = fading(alpha);
	s.report = 2000;
	if ((m = make("normtree", &s)) == NULL)
		abort();
	for (t = 1000; t < 1008; t++) {
		dp_law_memo_clear(&memo);
		for (last = 0, gamma = 1e-3; gamma > 1e-15; gamma /= 10, last = w) {
			dp_mech_law(m, 0, t, &law);
			w = dp_law_bound(&law, gamma);
			law.memo = &memo;
			memo.guess = 2 * w;
			good = good && w > last && dp_law_bound(&law, gamma) >= w;
		}
	}
	check(good);
	dp_mech_free(m);
}

static void
all_trees(void)
{
	static const double gammas[] = { .5, .05, .001, 1e-13 };
	const struct dp_task count = { .what = DP_TASK_COUNT };
	unsigned i;

	for (i = 0; i < sizeof gammas / sizeof gammas[0]; i++) {
		trees(count, 7, true, 1, gammas[i]);
		trees(count, 365, true, 1, gammas[i]);
		trees(count, 4096, true, 100, gammas[i]);
		trees(count, 100000, false, 1, gammas[i]);
		trees(window(700), 10000, true, 10, gammas[i]);
		trees(fading(.9), 2000, true, 3, gammas[i]);
		trees(fading(.9999), 10000, true, 1, gammas[i]);
	}
	trees(count, 1000000, true, 1, .05);
	trees(window(70000), 200000, true, 10, .05);
	rarer(.9, 3);
	rarer(.5, 1);
	rarer(.99, 1);
	rarer(.9999, 100);
}

/* Laws that rise: each is the one before and more. */
static void
rising(void)
{
	struct dp_mech_rule s = setting(20000, 1, 1, 1);
	struct dp_widths *k;
	struct dp_mech *m;
	bool good = true;
	uint64_t t;

	if (dp_privacy_set(&s.privacy, false, dp_q_make(1, 1), dp_q_make(1, 1000000), 1, 1) != 0 ||
	    (m = make("blt", &s)) == NULL)
		abort();
	k = widths(m, .05);
	for (t = 1; t <= 20000; t++)
		good = same(k, m, 0, t, .05) && good;
	check(good);
	check(dp_widths_inverted(k) < 1000);
	for (t = 20000; t > 7; t -= t % 7 + 1)
		good = same(k, m, 0, t, .05) && good;
	check(good);
	dp_widths_free(k);
	dp_mech_free(m);
}

/* A law of more terms than there is room for. */
static void
overfull(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	unsigned i;

	(void)out;
	(void)t;
	for (i = 0; i <= DP_LAW_TERMS; i++)
		dp_law_add(l, m->drawn.noise, 1 + (i & 1), 1);
}

static void
refused(void)
{
	static struct dp_noise z;
	static const struct dp_mech_ops ops = { .name = "overfull", .law.at = overfull };
	struct dp_mech m = { .ops = &ops, .outputs = 1, .drawn.noise = &z };
	struct dp_widths *k;
	double w;

	if (dp_noise_describe(&z, DP_NOISE_LAPLACE, dp_q_make(1, 1)) != 0)
		abort();
	k = widths(&m, .05);
	check(dp_widths_at(k, 0, 1, &w) == DP_ERANGE);
	dp_widths_free(k);
}

int
main(void)
{
	everything();
	long_runs();
	all_trees();
	rising();
	refused();
	return done();
}
