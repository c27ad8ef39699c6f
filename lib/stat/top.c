/* top.c - names that nobody declared: what their mechanisms have in common (top.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "top_own.h"

#define TRIES	4u

const struct dp_top_plan *
dp_top_plan(const struct dp_mech *m)
{
	return &dp_top(m)->plan;
}

double
dp_top_unit(double epsilon, uint64_t K)
{
	return fmax((double)K, exp(epsilon * (double)(K - 1) / (double)K) * DP_TOP_ROUNDED);
}

int
dp_top_begin(struct dp_mech **out, struct dp_top **made, const struct dp_mech_ops *ops,
    const struct dp_mech_rule *rule, size_t column)
{
	struct dp_top *k;

	if (!rule->privacy.exact && rule->privacy.delta.num == 0)
		return DP_EINVAL;
	if ((k = dp_mech_alloc(ops, sizeof *k, rule->horizon, column)) == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	*made = k;
	k->m.estimate.gaps = true;
	k->plan.most = rule->privacy.l1;
	k->plan.each = rule->privacy.linf;
	k->plan.tau = 1;
	return 0;
}

/* Factor of f: for a user whose events have K names, or any names at least. */
double
dp_top_factor(const struct dp_top *k, const struct dp_mech_rule *rule)
{
	return rule->privacy.linf == 1 ? (double)k->plan.most :
	    dp_top_unit(dp_q_double(rule->privacy.epsilon), k->plan.most);
}

double
dp_top_allowed(const struct dp_top *k, const struct dp_mech_rule *rule)
{
	return dp_q_double(rule->privacy.delta) / dp_top_factor(k, rule) / DP_TOP_ROUNDED;
}

/* By as many heights as the noise can be expected to need, then by more. */
int
dp_top_find(struct dp_top *k, dp_top_least *least, uint64_t T, double sd, double f)
{
	unsigned n = (unsigned)(DP_TOP_DEEP * sd) + 16, try, x;
	double tail;
	int e;

	for (try = 0; try < TRIES; try++, n += n / 2) {
		if ((e = least(k, T, f / DP_TOP_ROUNDED, n, &x, &tail)) != 0)
			return e;
		if (x <= n) {
			k->plan.tau = (int64_t)x + 1;
			k->plan.delta = tail * DP_TOP_ROUNDED;
			return 0;
		}
	}
	return DP_ERANGE;
}

bool
dp_top_replays(const struct dp_mech_rule *rule)
{
	return dp_numbers_replays(rule->privacy.numbers);
}

/*
 * A hash of the thresholds and what they were found for.  To find again what they spend takes as
 * long as to find them, so what a state has of them is held against accidents only, as tables are.
 */
static uint64_t
tested(const struct dp_top *k, const struct dp_mech_rule *rule)
{
	uint64_t word[9 + 2 * DP_TOP_PHASES] = { rule->privacy.epsilon.num,
	    rule->privacy.epsilon.den, rule->privacy.delta.num, rule->privacy.delta.den,
	    rule->privacy.l1, rule->privacy.linf, rule->horizon, k->W, (uint64_t)k->plan.tau };
	unsigned i, n = 9;

	for (i = 0; i < k->plan.phases; i++) {
		word[n++] = k->plan.phase[i].end;
		word[n++] = (uint64_t)k->plan.phase[i].tau;
	}
	return dp_numbers_hash(word, n * sizeof *word);
}

void
dp_top_keep(struct dp_top *k, const struct dp_mech_rule *rule, double f)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	unsigned i;

	for (i = 0; i < k->plan.phases; i++)
		k->plan.phase[i].tau = (int64_t)dp_numbers_int(numbers, "threshold",
		    (uint64_t)k->plan.phase[i].tau, 1, INT64_MAX);
	k->plan.tau = k->plan.phases > 0 ? k->plan.phase[0].tau :
	    (int64_t)dp_numbers_int(numbers, "threshold", (uint64_t)k->plan.tau, 1, INT64_MAX);
	if (k->tree != NULL || k->count != NULL) {
		dp_numbers_new_same(numbers, "tested", tested(k, rule));
		/* a state of 0.2 lacks it: all that is allowed, at most */
		k->plan.delta = dp_numbers_new_real(numbers, "spent", dp_top_replays(rule) &&
		    k->plan.delta == 0 ? f : k->plan.delta, 0, 1);
	}
	k->plan.delta *= dp_top_factor(k, rule);
}

/* Thresholds of all phases. */
static void
say_taus(const struct dp_top_plan *p, char *text, size_t size)
{
	size_t n = (size_t)snprintf(text, size, "where the number of steps is not known tau grows "
	    "with them: ");
	unsigned i;

	for (i = 0; i < p->phases && n < size; i++)
		n += (size_t)snprintf(text + n, size - n, "%s%lld up to step %llu", i == 0 ? "" :
		    ", ", (long long)p->phase[i].tau, (unsigned long long)p->phase[i].end);
	if (n < size)
		snprintf(text + n, size - n, ", the last");
}

bool
dp_top_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	const struct dp_top *k = dp_top(m);
	const struct dp_top_plan *p = &k->plan;

	(void)unit;
	if (i == 1 && p->phases > 0 && p->delta > 0) {
		say_taus(p, text, size);
		return true;
	}
	if (i != 0 || p->delta == 0)
		return false;
	snprintf(text, size, "a name is told of %s its private count is at least tau = %lld%s; "
	    "delta pays for that: %.3g is the probability%s that noise alone lifts %s over tau, of "
	    "all names%s together", m->brief ? "at a step if it has had an event in it and" :
	    k->W > 0 ? "at a step if it has had an event in the window and" :
	    "from the first step on at which it has had an event and",
	    (long long)p->tau, p->phases > 0 ? " or more" : "", p->delta,
	    k->W > 0 ? ", summed over steps," : "",
	    p->most == 1 ? "one event" : "a user's events", m->brief ? "" : " and steps");
	return true;
}

void
dp_top_destroy(struct dp_mech *m)
{
	struct dp_top *k = (void *)m;

	dp_normtree_free(k->tree);
	dp_mech_free(k->count);
}

static void
describe_running(const struct dp_task *task, char *text, size_t size)
{
	(void)task;
	snprintf(text, size, "names that nobody declared, each with the number of its events so "
	    "far");
}

static void
describe_each(const struct dp_task *task, char *text, size_t size)
{
	(void)task;
	snprintf(text, size, "names that nobody declared, each with the number of its events in a "
	    "step");
}

static void
describe_window(const struct dp_task *task, char *text, size_t size)
{
	snprintf(text, size, "names that nobody declared, each with the number of its events in "
	    "the last %llu steps", (unsigned long long)task->w[0]);
}

const struct dp_statistic dp_top_running = {
	.name = "names", .describe = describe_running, .measure = DP_MEASURE_RMSE,
	.noun = "count of a name that is told of"
};

const struct dp_statistic dp_top_each = {
	.name = "step-names", .describe = describe_each, .measure = DP_MEASURE_RMSE,
	.fades = true, .noun = "count of a name that is told of"
};

const struct dp_statistic dp_top_window = {
	.name = "window-names", .describe = describe_window, .measure = DP_MEASURE_RMSE,
	.fades = true, .noun = "count of a name that is told of"
};
