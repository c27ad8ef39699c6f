/* SPDX-License-Identifier: ISC */
/*
 * run.h - a run without files: a tool of this test, whose mechanism notes what each step gave it,
 * from options as somebody writes them; events come in as structs.
 */
#ifndef TEST_RUN_H
#define TEST_RUN_H

#include <getopt.h>

#include "check.h"
#include "job/internal.h"
#include "run/internal.h"
#include "store/run.h"

#define RUN_NOTES	8192

/* What the mechanism was given, and what was printed. */
static struct run_log {
	uint64_t steps;			/* the last t */
	size_t notes;			/* numbers that were not 0, in order */
	struct run_note {
		uint64_t t;
		size_t column;
		int64_t x;
	} note[RUN_NOTES];
	uint64_t asked[RUN_NOTES];	/* t of each answer() */
	size_t answers;
	uint64_t halt;			/* the step at which the mechanism ends; 0: none */
	size_t lines, len;		/* lines printed; only the first bytes are kept */
	char text[1 << 16];
} run_log;

struct run_column {
	uint64_t place;			/* its number, from 0 */
	int64_t open;			/* add()'s */
};

static const struct dp_statistic run_statistic = {
	.name = "noted", .sentence = "the step's number as it is", .fades = true
}, run_statistic_asked = {
	.name = "asked", .sentence = "the steps so far", .measure = DP_MEASURE_QUANTILE
};

static int
run_create(struct dp_mech **m, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	*m = dp_mech_alloc(ops, sizeof **m, rule->horizon, sizeof(struct run_column));
	if (*m == NULL)
		return DP_ENOMEM;
	(*m)->inputs = rule->inputs;
	(*m)->drawn.numbers = "nothing";
	return 0;
}

static int
run_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	struct run_column *c = col;
	const int64_t all = x[0] + c->open;

	(void)m;
	(void)rng;
	/* columns take a step together, and steps come one after another */
	check(t == run_log.steps + (c->place == 0));
	run_log.steps = t;
	if (all != 0 && run_log.notes < RUN_NOTES)
		run_log.note[run_log.notes++] = (struct run_note){ t, c->place, all };
	c->open = 0;
	if (est != NULL)
		*est = x[0];
	return t == run_log.halt ? DP_EHALT : 0;
}

static int
run_answer(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	(void)m;
	(void)col;
	(void)rng;
	run_log.asked[run_log.answers++] = t;
	*est = (dp_wide)t;
	return 0;
}

static void
run_add(const struct dp_mech *m, void *col, size_t place, int64_t x)
{
	(void)m;
	(void)place;
	((struct run_column *)col)->open += x;
}

static void
run_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *law)
{
	(void)m;
	(void)out;
	(void)t;
	(void)law;
}

static void
run_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	(void)m;
	(void)T;
	e->max = e->mean = 0;
	e->worst = 1;
}

static const struct dp_mech_ops run_ops = {
	.name = "noted", .say.source = "this test",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN,
	.tasks = DP_TASK_OWN, .statistic = &run_statistic, .create = run_create,
	.step = run_step, .open.add = run_add, .law.at = run_law
};

static const struct dp_mech_ops run_ops_asked = {
	.name = "asked", .say.source = "this test", .traits = DP_TRAIT_ENDLESS,
	.tasks = DP_TASK_OWN, .statistic = &run_statistic_asked, .create = run_create,
	.step = run_step, .answer = run_answer, .error = run_error
};

static bool run_asks;			/* the mechanism has answer() */

const struct dp_mech_ops *
dp_plan_list(unsigned i)
{
	return i != 0 ? NULL : run_asks ? &run_ops_asked : &run_ops;
}

static void
run_task(const struct dp_options *o, struct dp_question *ask)
{
	(void)o;
	ask->task.what = DP_TASK_OWN;
	ask->task.statistic = run_asks ? &run_statistic_asked : &run_statistic;
	dp_options_output(ask, 0, NULL, DP_OUTPUT_BIASED);
}

static int
run_sink(void *arg, const char *p, size_t n)
{
	size_t i;

	(void)arg;
	for (i = 0; i < n; i++)
		run_log.lines += p[i] == '\n';
	if (n > sizeof run_log.text - 1 - run_log.len)
		n = sizeof run_log.text - 1 - run_log.len;
	memcpy(run_log.text + run_log.len, p, n);
	run_log.len += n;
	run_log.text[run_log.len] = '\0';
	return 0;
}

/* The options, in one string, words apart by one blank; with epsilon inf unless they have -P. */
static struct dp_run *
run_open(const struct dp_tool *tool, const char *options)
{
	static struct dp_options o;
	static struct dp_run r;
	static char text[1024];
	char *argv[64] = { "test", "-q" }, why[DP_PLAN_WHY], *word;
	int argc = 2, e;
	size_t c;

	memset(&run_log, 0, sizeof run_log);
	o = (struct dp_options){ 0 };
	r = (struct dp_run){ .o = &o };
	snprintf(text, sizeof text, "-e %s %s", strstr(options, "-P") ? "1" : "inf", options);
	for (word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
		argv[argc++] = word;
	optind = 0;
	dp_options_parse(&o, tool, argc, argv);
	r.tool = dp_options_complete(&o, tool, NULL);
	dp_options_setting(&o, r.tool, &r.setting);
	if ((e = dp_plan_make(&r.plan, &r.setting, "auto", why)) != 0) {
		printf("plan: %d %s\n", e, why);
		exit(1);
	}
	dp_run_make(&r);
	r.print.out->sink = run_sink;
	r.print.out->each = true;
	for (c = 0; c < r.col.n; c++)
		((struct run_column *)(void *)(r.col.p + c * r.plan.mech->column))->place = c;
	if (o.time.bucket != 0)
		dp_bucket_begin(&r);
	return &r;
}

#endif
