/* SPDX-License-Identifier: ISC */
/* dpmaxsum - which of D columns has the largest sum so far, and that sum, after every time step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/options.h"
#include "run/driver.h"
#include "stat/maxsum.h"

enum { SELECT, BOTH, MARGIN, WINDOW, ALPHA, HALF_LIFE, CEILING };

#define MARGIN_MAX	1000000000000ull

static const struct dp_own own[] = {
	[SELECT] = { 0, "select", NULL,
	    "print which column leads: its name, or number", DP_KIND_FLAG },
	[BOTH] = { 0, "both", NULL, "print which it is, and its sum", DP_KIND_FLAG },
	[MARGIN] = { 0, "margin", "H",
	    "a leader stays until another is more than H ahead",
	    DP_KIND_TEXT },
	[WINDOW] = { 'w', "window", "W", "of sums of the last W steps (or 7d)", DP_KIND_TEXT,
	    "-" },
	[ALPHA] = { 'a', "alpha", "A", "of sums in which a step d back weighs A^d",
	    DP_KIND_NUMBER },
	[HALF_LIFE] = { 0, "half-life", "N", "the same, 1/2 after N steps (or 14d)",
	    DP_KIND_TEXT },
	[CEILING] = { 0, "ceiling", "K",
	    "you know that no sum passes K, else errors grow",
	    DP_KIND_NUMBER },
	{ .name = NULL }
};

/* K in grid units, rounded up; for values that are never negative. */
static uint64_t
ceiling(const struct dp_options *o, const struct dp_own_value *v)
{
	dp_uwide k = v->number.num;
	unsigned i;

	if (v->text == NULL)
		return 0;
	if (o->range.lo < 0)
		dp_die(DP_EX_USAGE, "--ceiling: refused with a range below 0");
	for (i = 0; i < o->range.places; i++)
		k *= 10;
	k = (k + v->number.den - 1) / v->number.den;
	if (k > (dp_uwide)1 << 60)
		dp_die(DP_EX_USAGE, "--ceiling: '%s' is too large", v->text);
	return (uint64_t)k;
}

/* One window. */
static void
set_window(const struct dp_options *o, struct dp_question *ask, const char *text)
{
	if (strchr(text, ',') != NULL)
		dp_die(DP_EX_USAGE, "--window: '%s': one window, a run", text);
	dp_options_windows(o, ask, text);
	ask->task.window[0] = dp_question_keep(ask, text, strlen(text));
	free(ask->output[0].name);
	ask->output[0].name = NULL;
}

/* The margin in grid units; 0: by the noise, unless none is wanted. */
static void
set_margin(const struct dp_options *o, struct dp_maxsum *s)
{
	const char *text = o->own[MARGIN].text;
	struct dp_q h = { 0, 1 };
	unsigned i;

	if (text != NULL && (dp_q_parse(&h, text) != 0 || h.num / h.den >= MARGIN_MAX))
		dp_die(DP_EX_USAGE, "--margin: '%s' must be 0, or a decimal or ratio below %llu",
		    text, MARGIN_MAX);
	for (i = 0; i < o->range.places && h.num < INT64_MAX / 10; i++)
		h.num *= 10;
	if (i < o->range.places)
		dp_die(DP_EX_USAGE, "--margin: '%s' has too many digits", text);
	s->margin = h;
	s->keep = text == NULL || h.num != 0;
	if (h.num != 0 && (s->show & DP_MAXSUM_CHOICE) == 0)
		dp_die(DP_EX_USAGE, "--margin needs --select or --both");
}

/* Steps that a sum is of: all of them, the last ones, or all, the older the less. */
static void
set_steps(const struct dp_options *o, struct dp_question *ask)
{
	const struct dp_own_value *v = o->own;
	const bool window = v[WINDOW].text != NULL;
	const bool alpha = v[ALPHA].text != NULL, half_life = v[HALF_LIFE].text != NULL;

	ask->task.what = DP_TASK_OWN;
	ask->task.statistic = &dp_maxsum_statistic;
	if (!window && !alpha && !half_life)
		return;
	if (window + alpha + half_life > 1)
		dp_die(DP_EX_USAGE, "--window, --alpha and --half-life: only one can say which "
		    "steps are meant");
	if (v[CEILING].text != NULL)
		dp_die(DP_EX_USAGE, "--ceiling: for sums of all steps");
	ask->task.statistic = &dp_maxsum_recent;
	if (window)
		set_window(o, ask, v[WINDOW].text);
	else if (alpha)
		dp_options_alpha(o, ask, &v[ALPHA]);
	else
		dp_options_half_life(o, ask, &v[HALF_LIFE]);
	ask->task.decimals = window ? 0 : 6;
}

/* -k A[]: keys that a line may have at most. */
static size_t
elements(const struct dp_options *o)
{
	const uint64_t most = o->keys.most | o->users.most;

	return most < o->keys.n ? (size_t)most : o->keys.n;
}

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	static struct dp_maxsum s;

	if (o->own[SELECT].text != NULL && o->own[BOTH].text != NULL)
		dp_die(DP_EX_USAGE, "--select and --both do not go together");
	s.show = o->own[SELECT].text != NULL ? DP_MAXSUM_CHOICE :
	    o->own[BOTH].text != NULL ? DP_MAXSUM_BOTH : DP_MAXSUM_VALUE;
	s.columns = dp_options_width(o);
	s.ones = o->keys.each ? elements(o) : o->keys.field.number != 0 ? 1 :
	    o->keys.ones != 0 ? o->keys.ones : s.columns;
	s.below = ask->range.lo < 0;
	s.ceiling = ceiling(o, &o->own[CEILING]);
	set_margin(o, &s);
	set_steps(o, ask);
	ask->task.own = &s;
	ask->outputs = s.show == DP_MAXSUM_BOTH ? 2 : 1;
	if (s.show & DP_MAXSUM_CHOICE)
		dp_options_output(ask, 0, ask->outputs > 1 ? "column" : NULL, DP_OUTPUT_CHOICE);
	if (s.show & DP_MAXSUM_VALUE)
		dp_options_output(ask, ask->outputs - 1, ask->outputs > 1 ? "sum" : NULL,
		    DP_OUTPUT_BIASED);
}

/* The predicted largest loss of a mechanism; 0: it was not compared, or is not eligible. */
static double
loss(const struct dp_plan *p, const char *name)
{
	unsigned i;

	for (i = 0; i < p->n; i++)
		if (strcmp(p->eligible[i].ops->name, name) == 0)
			return p->eligible[i].error.max;
	return 0;
}

/* The better of the two published for this problem (Jain et al. 2021); NULL: none is compared. */
static const char *
published(const struct dp_plan *p, double *least)
{
	static const char *const name[] = { "tree", "recompute" };
	const char *best = NULL;
	unsigned i;

	for (i = 0; i < 2; i++)
		if (loss(p, name[i]) > 0 && (best == NULL || loss(p, name[i]) < *least)) {
			best = name[i];
			*least = loss(p, best);
		}
	return best;
}

/* The largest loss of an answer without a look at the data; 0: in buckets there is none. */
static double
blind_recent(const struct dp_mech_rule *s, const struct dp_plan *p)
{
	const struct dp_maxsum *m = s->task.own;
	const double grow = s->hi > 0 ? (double)s->hi : 0, fall = s->lo < 0 ? -(double)s->lo : 0;
	const double weights = s->most == 0 ? 0 : dp_task_total(&s->task, p->report);
	const double value = weights * (grow + fall) / 2, both = fmax(grow, fall);
	const double choice = m->columns == 1 ? 0 : weights * (m->ones > 1 ? grow + fall : both);

	return fmax(m->show & DP_MAXSUM_VALUE ? value : 0, m->show & DP_MAXSUM_CHOICE ? choice : 0);
}

/* Mechanism of sums since step 1, compared or not. */
static double
blind_loss(const struct dp_mech_rule *s, const struct dp_plan *p)
{
	static const char name[] = "trivial";
	struct dp_mech_rule alone = *s;
	struct dp_plan blind;
	char why[DP_PLAN_WHY];
	double x = loss(p, name);

	if (s->task.statistic == &dp_maxsum_recent)
		return blind_recent(s, p);
	alone.privacy.numbers = NULL;
	if (x > 0 || s->rivals || dp_plan_make(&blind, &alone, name, why) != 0)
		return x;
	x = loss(&blind, name);
	dp_plan_free(&blind);
	return x;
}

static bool
note(const struct dp_options *o, const struct dp_mech_rule *s, const struct dp_plan *p, unsigned i,
    char text[static DP_NOTE])
{
	const struct dp_maxsum *m = s->task.own;
	const double chosen = p->eligible[p->chosen].error.max + p->mech->off.margin;
	double least = 0;
	const char *rival = published(p, &least);
	const double blind = blind_loss(s, p);
	const bool informed = !(blind > 0 && chosen >= blind);
	unsigned n = 0;

	if (o->priv.exact)
		return false;
	if (!informed && n++ == i)
		return snprintf(text, DP_NOTE, DP_NOTE_BLIND ": an answer that never looks at the "
		    "data has no larger loss") > 0;
	if (rival != NULL && least > chosen && chosen > 0 && n++ == i)
		return snprintf(text, DP_NOTE, "the largest loss is %.3g times smaller than that "
		    "of %s, the better of the two published algorithms, tree and recompute",
		    least / chosen, rival) > 0;
	if (informed && (m->show & DP_MAXSUM_VALUE) && n++ == i)
		return snprintf(text, DP_NOTE, "the largest sum is no unbiased estimate: noise "
		    "makes the largest of several numbers too large on the average") > 0;
	if (o->priv.delta.num != 0 && !m->below && m->ceiling == 0 &&
	    s->task.what == DP_TASK_OWN && n++ == i)
		return snprintf(text, DP_NOTE, "with a delta the lower bound has small "
		    "constants: the least loss that there can be is of the order of min(%s/"
		    "epsilon^(2/3), sqrt(D)/epsilon, T), up to powers of log T, if delta is "
		    "small beside epsilon/T",
		    m->show & DP_MAXSUM_CHOICE ? "(T log^2 D)^(1/3)" : "T^(1/3)") > 0;
	return false;
}

static const char *
silent(const struct dp_options *o)
{
	return o->own[SELECT].text == NULL && o->own[BOTH].text == NULL ?
	    "who leads: --both" : NULL;
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dpmaxsum",
		.purpose = "Print which key or column leads (--select), or its sum, privately.",
		.synopsis = "{--columns=D | [-k FIELD] --keys=A,B,C} [--select | --both] ",
		.examples =
		    "  dpmaxsum -e 1 --both -k status --keys=200,304,404,500 --log=combined \\\n"
		    "      --bucket=1d --from=2026-05-01 --to=2026-05-04 access.log",
		.groups = DP_GROUPS_SUM | DP_GROUP_EACH | DP_GROUP_PARTIAL | DP_GROUP_KEYS |
		    DP_GROUP_COLUMNS |
		    DP_GROUP_MONOTONE,
		.words.noun = { "largest count", "largest sum" },
		.words.halted = "by the noisy answers a column's sum is beyond --ceiling (-M "
		    "other than lazy does not end)",
		.words.silent = silent,
		.own = own, .shape = DP_SHAPE_VECTOR, .task = task,
		.note = note,
		.lists = { { "", DP_TASK_OWN, &dp_maxsum_statistic },
		    { " with -w", DP_TASK_WINDOW, NULL },
		    { " with -a or --half-life", DP_TASK_EXP, NULL } }
	};

	return dp_tool_main(&tool, argc, argv);
}
