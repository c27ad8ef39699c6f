/* dpmaxsum - which of D columns has the largest sum so far, and that sum, after every time step. */
#include <stdio.h>
#include <string.h>

#include "ask/relation.h"
#include "run/driver.h"
#include "stat/maxsum.h"

enum { SELECT, BOTH, CEILING };

static const struct dp_own own[] = {
	[SELECT] = { 0, "select", NULL,
	    "print which column has the largest sum: its name, or number", DP_KIND_FLAG },
	[BOTH] = { 0, "both", NULL, "print which it is, and its sum", DP_KIND_FLAG },
	[CEILING] = { 0, "ceiling", "K",
	    "you know that no column's sum will pass K; if one does, errors grow, or lazy ends",
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

static void
task(struct dp_options *o)
{
	static struct dp_maxsum s;

	if (o->own[SELECT].text != NULL && o->own[BOTH].text != NULL)
		dp_die(DP_EX_USAGE, "--select and --both do not go together");
	s.show = o->own[SELECT].text != NULL ? DP_MAXSUM_CHOICE :
	    o->own[BOTH].text != NULL ? DP_MAXSUM_BOTH : DP_MAXSUM_VALUE;
	s.columns = dp_options_width(o);
	s.ones = o->keys.field.number != 0 ? 1 : o->keys.ones != 0 ? o->keys.ones : s.columns;
	s.below = o->range.lo < 0;
	s.ceiling = ceiling(o, &o->own[CEILING]);
	o->task.what = DP_TASK_OWN;
	o->task.statistic = &dp_maxsum_statistic;
	o->task.own = &s;
	o->outputs = s.show == DP_MAXSUM_BOTH ? 2 : 1;
	if (s.show & DP_MAXSUM_CHOICE)
		dp_options_output(o, 0, o->outputs > 1 ? "column" : NULL, DP_OUTPUT_CHOICE);
	if (s.show & DP_MAXSUM_VALUE)
		dp_options_output(o, o->outputs - 1, o->outputs > 1 ? "sum" : NULL,
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

/* That of an answer without a look at the data, compared or not. */
static double
blind_loss(const struct dp_mech_rule *s, const struct dp_plan *p)
{
	static const char name[] = "trivial";
	struct dp_mech_rule alone = *s;
	struct dp_plan blind;
	char why[DP_PLAN_WHY];
	double x = loss(p, name);

	alone.privacy.params = NULL;
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
	const double chosen = p->eligible[p->chosen].error.max;
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
	if (o->priv.delta.num != 0 && !m->below && m->ceiling == 0 && n++ == i)
		return snprintf(text, DP_NOTE, "with a delta the lower bound is far from the "
		    "truth: of the order of min(T^(1/3)/epsilon^(2/3), sqrt(D)/epsilon, T), "
		    "constants are not known") > 0;
	return false;
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dpmaxsum",
		.purpose = "Print which key or column leads so far (--select), or its sum, after "
		    "every time step, with differential privacy.",
		.synopsis = "{--columns=D | [-k FIELD] --keys=A,B,C} [--select | --both] ",
		.examples =
		    "  dpmaxsum -e 1 --both -k status --keys=200,304,404,500 --log=combined \\\n"
		    "      --bucket=1d --from=2026-05-01 --to=2026-05-04 access.log",
		.groups = DP_GROUPS_SUM | DP_GROUP_PARTIAL | DP_GROUP_KEYS | DP_GROUP_COLUMNS |
		    DP_GROUP_MONOTONE,
		.words.noun = { "largest count", "largest sum" },
		.words.halted = "by the noisy answers a column's sum is beyond --ceiling (-M "
		    "other than lazy does not end)",
		.own = own, .shape = DP_SHAPE_VECTOR, .confidence = 2. / 3, .task = task,
		.note = note,
		.lists = { { "", DP_TASK_OWN, &dp_maxsum_statistic } }
	};

	return dp_tool_main(&tool, argc, argv);
}
