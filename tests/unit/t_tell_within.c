/* SPDX-License-Identifier: ISC */
/*
 * t_tell_within.c - --within: the epsilon found is one of four digits that keeps the error, and the
 * next smaller one of them does not; what no epsilon keeps is refused.
 */
#include <math.h>

#include "child.h"
#include "explain/explain.h"
#include "explain/internal.h"
#include "job/table.h"

static const struct dp_tool tool = { .name = "toy", .purpose = "A count.", .synopsis = "",
	.groups = DP_GROUPS_SUM, .shape = DP_SHAPE_NUMBER };

/* A run of `toy --within=ERR -T N [OPTION]' up to its plan. */
static void
ask(struct dp_run *r, struct dp_options *o, char *within, char *horizon, char *option)
{
	static char name[] = "toy", explain[] = "--explain";
	char *argv[] = { name, within, horizon, explain, option, NULL };

	memset(o, 0, sizeof *o);
	*r = (struct dp_run){ .o = o, .tool = &tool };
	optind = 0;
	dp_options_parse(o, &tool, option == NULL ? 4 : 5, argv);
	(void)dp_options_complete(o, &tool, NULL);
}

/* The predicted error of all steps together, as dp_within() has it. */
static double
error(struct dp_run *r, struct dp_q epsilon)
{
	static struct dp_report report;
	char why[DP_PLAN_WHY] = "";
	struct dp_options o = *r->o;
	double e;

	dp_options_found(&o, epsilon);
	dp_options_setting(&o, &tool, &r->setting);
	if (dp_plan_make(&r->plan, &r->setting, o.priv.mechanism, why) != 0)
		return INFINITY;
	dp_report_make(&report, &tool, &o, &r->setting, &r->plan);
	e = report.bound.all;
	dp_plan_free(&r->plan);
	return e;
}

/* Of four digits, 1000 .. 9999, and a power of ten: the next smaller one. */
static struct dp_q
smaller(struct dp_q q, bool *four)
{
	double x = dp_q_double(q);
	int power = (int)floor(log10(x)) - 3;
	uint64_t digits, ten = 1;
	int i;

	digits = (uint64_t)llround(x * pow(10, -power));
	if (digits == 10000) {
		digits = 1000;
		power++;
	}
	for (i = 0; i < power || i < -power; i++)
		ten *= 10;
	*four = dp_q_cmp(q, power < 0 ? dp_q_make(digits, ten) : dp_q_make(digits * ten, 1)) == 0;
	if (--digits == 999) {
		digits = 9999;
		ten = power < 0 ? ten * 10 : ten / 10;
	}
	return power < 0 ? dp_q_make(digits, ten) : dp_q_make(digits * ten, 1);
}

static void
test_least(const char *within, const char *horizon, const char *option)
{
	struct dp_options o;
	struct dp_run r;
	char a[32], b[32], c[32];
	struct dp_q found;
	double most;
	bool four;

	snprintf(a, sizeof a, "--within=%s", within);
	snprintf(b, sizeof b, "-T%s", horizon);
	snprintf(c, sizeof c, "%s", option != NULL ? option : "");
	ask(&r, &o, a, b, option != NULL ? c : NULL);
	found = dp_within(&r);
	most = dp_q_double(o.priv.within);
	check(error(&r, found) <= most);
	check(error(&r, smaller(found, &four)) > most);
	check(four);
	dp_options_free(&o);
}

static void
too_small(void *within)
{
	char horizon[] = "-T10", mechanism[] = "-Mnormtree";
	struct dp_options o;
	struct dp_run r;

	ask(&r, &o, within, horizon, mechanism);
	dp_within(&r);
}

int
main(void)
{
	char little[] = "--within=0.5";

	test_least("5", "30", "-r0:2");
	test_least("1", "10", NULL);		/* what flipped bits alone keep */
	test_least("1000000", "1", NULL);	/* far below 1 */
	test_least("3", "1", "-r0:1000");	/* far above 1 */
	check(child_status(too_small, little) == DP_EX_USAGE);
	check(strstr(child_said, "no epsilon keeps the error so small") != NULL);
	return done();
}
