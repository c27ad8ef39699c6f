/* SPDX-License-Identifier: ISC */
/* plan.c - a handle's options, and the plan they come to, as a tool's run has it. */
#include <math.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { COUNT, WINDOW, DECAY, MEAN, KINDS };

#define HORIZON_MAX	((uint64_t)1 << 50)
#define KEYS_MAX	1000000
#define BASE		(((1u << API_WINDOW) - 1) | 1u << API_SEED | 1u << API_EXACT)

static const struct {
	const char *name;
	unsigned takes, needs;		/* options, a bit each */
} kinds[KINDS] = {
	[COUNT] = { "count", BASE, 0 },
	[WINDOW] = { "window", BASE | 1u << API_WINDOW, 1u << API_WINDOW },
	[DECAY] = { "decay", BASE | 1u << API_HALF_LIFE, 1u << API_HALF_LIFE },
	[MEAN] = { "mean", BASE | 1u << API_WINDOW | 1u << API_HALF_LIFE | 1u << API_STATISTIC,
	    1u << API_RANGE }
};

static const char *const options[API_OPTIONS] = {
	[API_EPSILON] = "epsilon", [API_DELTA] = "delta", [API_HORIZON] = "horizon",
	[API_RANGE] = "range", [API_STEPS] = "steps", [API_PER_USER] = "per-user",
	[API_KEYS] = "keys", [API_MECHANISM] = "mechanism", [API_WINDOW] = "window",
	[API_HALF_LIFE] = "half-life", [API_STATISTIC] = "statistic",
	[API_SEED] = "not-private-seed", [API_EXACT] = "not-private-exact"
};

const char *
dp_api_option(unsigned i)
{
	return i < API_OPTIONS ? options[i] : NULL;
}

const char *
dp_api_kind(unsigned i)
{
	return i < KINDS ? kinds[i].name : NULL;
}

int
dp_api_refuse(dputils *h, int e, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	(void)vsnprintf(h->why, sizeof h->why, format, ap);
	va_end(ap);
	return e;
}

int
dputils_new(dputils **out, const char *kind)
{
	dputils *h;
	unsigned k;

	for (k = 0; k < KINDS && strcmp(kind, kinds[k].name) != 0; k++)
		;
	if (k == KINDS)
		return DPUTILS_EINVAL;
	if ((h = calloc(1, sizeof *h)) == NULL)
		return DPUTILS_ENOMEM;
	h->kind = k;
	*out = h;
	return 0;
}

int
dputils_set(dputils *h, const char *option, const char *value)
{
	unsigned i;
	char *text;

	if (h->planned)
		return dp_api_refuse(h, DPUTILS_EUSE, "%s: the handle is planned", option);
	for (i = 0; i < API_OPTIONS && strcmp(option, options[i]) != 0; i++)
		;
	if (i == API_OPTIONS || !(kinds[h->kind].takes & 1u << i))
		return dp_api_refuse(h, DPUTILS_EINVAL, "'%.40s' is no option of a %s", option,
		    kinds[h->kind].name);
	if ((text = strdup(value)) == NULL)
		return DPUTILS_ENOMEM;
	free(h->option[i]);
	h->option[i] = text;
	return 0;
}

/* Readers of options: 0, or a refusal. */

static int
bad(dputils *h, enum dp_api_option i, const char *must)
{
	return dp_api_refuse(h, DPUTILS_EINVAL, "%s: '%.80s' %s", options[i], h->option[i], must);
}

static int
read_privacy(dputils *h)
{
	const char *text = h->option[API_EPSILON];
	int e;

	h->say.exact = h->option[API_EXACT] != NULL;
	if (h->say.exact && strcmp(h->option[API_EXACT], "yes") != 0)
		return bad(h, API_EXACT, "must be yes");
	if (h->say.exact && text != NULL)
		return dp_api_refuse(h, DPUTILS_EINVAL, "epsilon: refused with "
		    "not-private-exact, which is an epsilon of inf");
	if (h->say.exact)
		h->say.epsilon = dp_q_make(1, 1);
	else if (text == NULL)
		return dp_api_refuse(h, DPUTILS_EINVAL, "epsilon is required: what all steps "
		    "together may lose");
	else if ((e = dp_q_parse(&h->say.epsilon, text)) == DP_ERANGE)
		return bad(h, API_EPSILON, "has too many digits, or is too large or too small");
	else if (e != 0 || h->say.epsilon.num == 0)
		return bad(h, API_EPSILON, "must be a decimal or a ratio above 0");
	h->say.delta = dp_q_make(0, 1);
	text = h->option[API_DELTA];
	if (text != NULL && (dp_q_parse(&h->say.delta, text) != 0 ||
	    h->say.delta.num >= h->say.delta.den))
		return bad(h, API_DELTA, "must be a decimal or a ratio, at least 0 and below 1");
	text = h->option[API_SEED];
	return text == NULL || dp_u64_parse(&h->say.seed, text, 0, UINT64_MAX) == 0 ? 0 :
	    bad(h, API_SEED, "must be a whole number");
}

static int
read_range(dputils *h)
{
	const char *text = h->option[API_RANGE];

	if (!dp_range_parse(&h->say.lo, &h->say.hi, &h->say.places, text != NULL ? text : "0:1"))
		return bad(h, API_RANGE, "must be LO:HI with LO <= HI, not 0:0, at most 9 decimals "
		    "(or a whole number with k, M, G, T), below 2^50 grid units");
	h->say.finer = 0;
	return 0;
}

/* Who the neighbours are; as relation() of lib/job has it of the same options. */
static int
read_relation(dputils *h)
{
	const char *steps = h->option[API_STEPS], *user = h->option[API_PER_USER];
	struct dp_relation *r = &h->relation;
	char number[24];
	uint64_t keys = 0;
	size_t n;

	*r = (struct dp_relation){ .ones = 1, .lo = h->say.lo, .hi = h->say.hi };
	if (steps != NULL && strcmp(steps, "sums") != 0 && strcmp(steps, "events") != 0)
		return bad(h, API_STEPS, "must be sums or events");
	r->lines = h->say.lines = steps != NULL && strcmp(steps, "events") == 0;
	if (h->option[API_KEYS] != NULL && dp_u64_parse(&keys, h->option[API_KEYS], 1,
	    KEYS_MAX) != 0)
		return bad(h, API_KEYS, "must be a whole number from 1 to 1000000");
	r->columns = (size_t)keys;
	r->words.keyed = keys != 0;
	h->say.keys = keys != 0 ? (size_t)keys : 1;
	if (user == NULL)
		return 0;
	n = strcspn(user, "/");
	snprintf(number, sizeof number, "%.*s", (int)n, user);
	r->per_step = user[n] != '\0';
	if (n >= sizeof number || dp_u64_parse(&r->per_user, number, 1, UINT32_MAX - 1) != 0 ||
	    (r->per_step && strcmp(user + n, "/step") != 0))
		return bad(h, API_PER_USER, "must be K or K/step, K a whole number from 1");
	return r->per_step && r->lines ? bad(h, API_PER_USER, "needs steps that are sums") : 0;
}

static int
read_windows(dputils *h, struct dp_task *k)
{
	const char *p = h->option[API_WINDOW];
	char number[24];
	unsigned i;
	size_t n;

	k->what = DP_TASK_WINDOW;
	for (;; p += n + 1) {
		n = strcspn(p, ",");
		snprintf(number, sizeof number, "%.*s", (int)(n < 24 ? n : 23), p);
		if (k->windows == DP_WINDOWS_MAX || n >= sizeof number ||
		    dp_u64_parse(&k->w[k->windows], number, 1, DP_TASK_STEPS) != 0)
			return bad(h, API_WINDOW, "must be whole numbers of steps from 1 to 2^32, "
			    "16 at most, with commas between");
		for (i = 0; i < k->windows; i++)
			if (k->w[i] == k->w[k->windows])
				return bad(h, API_WINDOW, "has a window twice");
		if (h->rule.horizon != 0 && k->w[k->windows] > h->rule.horizon)
			return bad(h, API_WINDOW, "is longer than the horizon");
		memcpy(h->window[k->windows], number, sizeof number);
		k->window[k->windows] = h->window[k->windows];
		k->windows++;
		if (p[n] == '\0')
			return 0;
	}
}

static int
read_task(dputils *h)
{
	struct dp_task *k = &h->rule.task;
	const char *half = h->option[API_HALF_LIFE];
	struct dp_q q;
	uint64_t n;

	*k = (struct dp_task){ .what = DP_TASK_COUNT };
	h->rule.horizon = 0;
	if (h->option[API_HORIZON] != NULL && dp_u64_parse(&h->rule.horizon,
	    h->option[API_HORIZON], 1, HORIZON_MAX) != 0)
		return bad(h, API_HORIZON, "must be a whole number from 1 to 2^50");
	if (half != NULL && h->option[API_WINDOW] != NULL)
		return dp_api_refuse(h, DPUTILS_EINVAL, "window and half-life: only one can say "
		    "which events are meant");
	if (h->option[API_WINDOW] != NULL)
		return read_windows(h, k);
	if (half == NULL)
		return 0;
	if (dp_u64_parse(&n, half, 1, DP_TASK_STEPS) == 0)
		q = dp_q_make(n, 1);
	else if (dp_q_parse(&q, half) != 0 || q.num == 0)
		q = dp_q_make(1, UINT32_MAX);	/* out of range */
	if (!dp_task_set_alpha(k, exp2(-1 / dp_q_double(q))))
		return bad(h, API_HALF_LIFE, "must be a decimal or a ratio above 0, and alpha "
		    "from 1e-9 to 1 - 2^-40");
	k->decimals = DP_TASK_DECIMALS;
	k->beta = 0.1;
	return 0;
}

/* What events add to, and how finely; as dpmean(1) has it. */
static int
read_mean(dputils *h)
{
	const char *text = h->option[API_STATISTIC], *word;
	struct dp_mean_asked *a = &h->mean;
	int64_t scale;

	if (h->say.lo == h->say.hi)
		return bad(h, API_RANGE, "has one value, and so has every mean");
	h->say.finer = dp_range_finer(h->say.lo, h->say.hi, h->say.places,
	    dp_mean_finer(h->say.lo, h->say.hi, h->say.places, h->relation.per_user,
	    h->say.epsilon));
	scale = (int64_t)dp_power10(h->say.finer);
	*a = (struct dp_mean_asked){ .lo = h->say.lo * scale, .hi = h->say.hi * scale,
	    .places = h->say.places + h->say.finer, .finer = h->say.finer };
	a->decimals = dp_mean_decimals(a->lo, a->hi, false);
	if (dp_mean_statistics(a, text != NULL ? text : "mean", &word) != 0)
		return bad(h, API_STATISTIC, "must be some of mean, sd, variance, count, sum, each "
		    "once");
	h->rule.task.statistic = &dp_mean_statistic;
	h->rule.task.own = a;
	return 0;
}

static int
read_options(dputils *h)
{
	unsigned i;
	int e;

	for (i = 0; i < API_OPTIONS; i++)
		if ((kinds[h->kind].needs & 1u << i) && h->option[i] == NULL)
			return dp_api_refuse(h, DPUTILS_EINVAL, "%s is required", options[i]);
	if ((e = read_privacy(h)) != 0 || (e = read_range(h)) != 0 ||
	    (e = read_relation(h)) != 0 || (e = read_task(h)) != 0)
		return e;
	return h->kind == MEAN ? read_mean(h) : 0;
}

/* The rule that noise is planned by; as dp_options_setting() of lib/job. */
static int
set_rule(dputils *h)
{
	const uint64_t below = h->say.lo < 0 ? (uint64_t)-h->say.lo : 0;
	const uint64_t above = h->say.hi > 0 ? (uint64_t)h->say.hi : 0;
	struct dp_mech_rule *s = &h->rule;
	struct dp_distance d = { .l1 = 0 };
	int e;

	*s = (struct dp_mech_rule){ .task = s->task, .horizon = s->horizon, .every = 1,
	    .inputs = 1, .beta = 1 - 0.95, .open_step = !h->say.lines, .lo = h->say.lo,
	    .hi = h->say.hi };
	if (h->kind == MEAN) {
		s->lo = h->mean.lo;
		s->hi = h->mean.hi;
		s->inputs = dp_mean_numbers(&h->mean);
		h->relation.lo = s->lo;
		h->relation.hi = s->hi;
		h->relation.columns = h->say.keys * s->inputs;
		h->relation.sum = dp_mean_reach(&h->mean);
		e = dp_rule_band(s, &h->relation, s->inputs, h->relation.sum, &d);
	} else {
		s->bits = h->say.lines && h->say.lo == 0 && h->say.hi == 1 && h->say.places == 0;
		s->most = below > above ? below : above;
		e = dp_relation_distance(&h->relation, &d);
	}
	if (e != 0)
		return dp_api_refuse(h, e, "range and per-user: the sensitivity must stay below "
		    "2^50 grid units");
	if (!h->say.lines)
		s->most = 0;
	if ((e = dp_privacy_between(&s->privacy, &d, h->say.exact, h->say.epsilon,
	    h->say.delta)) != 0)
		return dp_api_refuse(h, e, "epsilon or delta: %s", dp_strerror(e));
	s->privacy.numbers = &h->numbers;
	return 0;
}

/* As dpwindow(1) and dpmean(1) head their columns. */
static void
set_names(dputils *h)
{
	const struct dp_task *k = &h->rule.task;
	const unsigned words = h->kind == MEAN ? h->mean.n : 1;
	const bool several = h->kind == WINDOW || k->windows > 1;
	unsigned i;

	for (i = 0; i < h->plan.mech->outputs; i++)
		snprintf(h->show.name[i], API_NAME, "%s%s%s", several ? k->window[i / words] : "",
		    several && words > 1 ? "_" : "", h->kind == MEAN && (words > 1 || !several) ?
		    dp_mean_word(h->mean.what[i % words]) : "");
}

static int
allocate(dputils *h)
{
	const struct dp_mech *m = h->plan.mech;
	const size_t keys = h->say.keys;

	if (m->ops->answer != NULL || m->estimate.first > 1 || m->ops->frozen != NULL ||
	    m->inputs != h->rule.inputs)
		return dp_api_refuse(h, DPUTILS_EINVAL, "%s: no mechanism of a library",
		    m->ops->name);
	h->show.n = keys * m->outputs;
	if (m->column > SIZE_MAX / 2 / keys)
		return DPUTILS_ENOMEM;
	/* calloc: what a long window has not reached yet takes no memory */
	h->col.p = calloc(keys, m->column);
	h->col.x = calloc(keys * m->inputs, sizeof *h->col.x);
	h->col.est = calloc(h->show.n, sizeof *h->col.est);
	h->col.law = malloc(sizeof *h->col.law);
	h->show.name = calloc(m->outputs, sizeof *h->show.name);
	if (h->col.p == NULL || h->col.x == NULL || h->col.est == NULL || h->col.law == NULL ||
	    h->show.name == NULL)
		return DPUTILS_ENOMEM;
	set_names(h);
	return 0;
}

/* Back to a handle whose options may be set. */
static void
unplan(dputils *h)
{
	const struct dp_mech *m = h->plan.mech;

	if (m != NULL && h->col.p != NULL)
		sodium_memzero(h->col.p, h->say.keys * m->column);
	if (m != NULL && h->col.x != NULL)
		sodium_memzero(h->col.x, h->say.keys * m->inputs * sizeof *h->col.x);
	free(h->col.p);
	free(h->col.x);
	free(h->col.est);
	free(h->col.law);
	free(h->show.name);
	dp_rng_free(h->col.rng);
	dp_users_free(h->users.table);
	dp_widths_free(h->widths.of);
	dp_plan_free(&h->plan);
	dp_numbers_free(&h->numbers);
	memset(&h->col, 0, sizeof h->col);
	memset(&h->show, 0, sizeof h->show);
	memset(&h->numbers, 0, sizeof h->numbers);
	h->users.table = NULL;
	h->widths.of = NULL;
}

int
dp_api_plan(dputils *h, bool loaded)
{
	const char *name = h->option[API_MECHANISM];
	char why[DP_PLAN_WHY] = "";
	int e;

	if ((e = read_options(h)) != 0 || (e = set_rule(h)) != 0)
		return e;
	h->rule.alone = loaded;
	if ((e = dp_plan_make(&h->plan, &h->rule, name != NULL ? name : "auto", why)) != 0)
		return dp_api_refuse(h, e, "%s", why);
	if ((e = allocate(h)) != 0)
		return e;
	if (!loaded)
		h->show.decimals = dp_plan_decimals(&h->plan);
	h->say.places += h->say.finer;
	h->planned = true;
	return 0;
}

int
dputils_plan(dputils *h)
{
	int e;

	if (h->planned)
		return dp_api_refuse(h, DPUTILS_EUSE, "the handle is planned");
	h->why[0] = '\0';
	if ((e = dp_api_plan(h, false)) != 0) {
		unplan(h);
		return e;
	}
	h->show.coarse = (dp_wide)dp_power10(h->plan.mech->estimate.decimals - h->show.decimals);
	return 0;
}

void
dputils_free(dputils *h)
{
	unsigned i;

	if (h == NULL)
		return;
	unplan(h);
	for (i = 0; i < API_OPTIONS; i++)
		free(h->option[i]);
	sodium_memzero(h, sizeof *h);
	free(h);
}
