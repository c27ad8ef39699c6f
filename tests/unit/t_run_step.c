/* SPDX-License-Identifier: ISC */
/*
 * t_run_step.c - when an estimate is printed: after each step or each N-th, once at the end, before
 * the line is read; what a horizon and a mechanism that ends leave out; what a line leaves behind.
 */
#include <string.h>

#include "input/event.h"
#include "run.h"

#define GROUPS	(DP_GROUP_RANGE | DP_GROUP_STATE | DP_GROUP_PRINT | DP_GROUP_KEY | DP_GROUP_VALUE)

static const struct dp_tool each = {
	.name = "test", .purpose = "", .synopsis = "", .groups = GROUPS, .task = run_task,
	.lists = { { "", DP_TASK_OWN, &run_statistic } }
};
static const struct dp_tool before = {
	.name = "test", .purpose = "", .synopsis = "", .groups = GROUPS & ~DP_GROUP_PRINT,
	.prints = DP_PRINT_BEFORE, .task = run_task,
	.lists = { { "", DP_TASK_OWN, &run_statistic } }
};
static const struct dp_tool end = {
	.name = "test", .purpose = "", .synopsis = "", .groups = GROUPS & ~DP_GROUP_PRINT,
	.prints = DP_PRINT_END, .task = run_task,
	.lists = { { "", DP_TASK_OWN, &run_statistic } }
};

static int
take(struct dp_run *r, int64_t value)
{
	const struct dp_event v = { .value = value, .counts = true };

	return dp_step_event(r, &v);
}

static int
finish(struct dp_run *r)
{
	const int e = dp_step_end(r);

	check(dp_out_flush(r->print.out) == 0);
	return e;
}

static void
test_each(void)
{
	struct dp_run *r = run_open(&each, "-T 5 -r 0:9");
	int i;

	check(dp_step_begin(r) == 0 && run_log.lines == 0);
	for (i = 1; i <= 5; i++) {
		check(take(r, i) == 0);
		check(run_log.lines == (size_t)i);
	}
	check(take(r, 6) == DP_EHORIZON && finish(r) == 0);
	check(strcmp(run_log.text, "1\n2\n3\n4\n5\n") == 0 && run_log.steps == 5);
	dp_run_free(r);
}

static void
test_every(void)
{
	struct dp_run *r = run_open(&each, "-T 8 -r 0:9 --every=3");
	int i;

	for (i = 1; i <= 8; i++)
		check(take(r, i) == 0);
	check(finish(r) == 0);
	check(strcmp(run_log.text, "3\n6\n") == 0 && run_log.steps == 8);
	dp_run_free(r);
}

static void
test_at_end(void)
{
	struct dp_run *r = run_open(&each, "-T 8 -r 0:9 --at-end");

	check(finish(r) == 0 && run_log.lines == 0);	/* no step was taken */
	check(take(r, 4) == 0 && take(r, 7) == 0 && run_log.lines == 0);
	check(finish(r) == 0);
	check(strcmp(run_log.text, "7\n") == 0 && run_log.steps == 2);
	dp_run_free(r);
}

/* The estimate of step t + 1 is out before its line: one more than lines, up to the horizon. */
static void
test_before(void)
{
	struct dp_run *r;
	size_t i;

	run_asks = true;
	r = run_open(&before, "-T 3 -r 0:9");
	check(dp_step_begin(r) == 0 && run_log.lines == 1);
	check(dp_step_begin(r) == 0 && run_log.lines == 1);	/* once */
	check(take(r, 1) == 0 && run_log.lines == 2);
	check(take(r, 1) == 0 && run_log.lines == 3);
	check(take(r, 1) == 0 && run_log.lines == 3);		/* no step is left to answer */
	check(take(r, 1) == DP_EHORIZON && finish(r) == 0);
	check(run_log.answers == 3 && run_log.steps == 3);
	for (i = 0; i < 3; i++)
		check(run_log.asked[i] == i);
	dp_run_free(r);
	/* not even a header came: the first answer is due all the same */
	r = run_open(&before, "-T 3 -r 0:9");
	check(finish(r) == 0 && run_log.lines == 1);
	dp_run_free(r);
	run_asks = false;
}

/* One answer, and no step after it: a second one would be of other noise. */
static void
test_end(void)
{
	struct dp_run *r;

	run_asks = true;
	r = run_open(&end, "-T 9 -r 0:9");
	check(take(r, 1) == 0 && take(r, 2) == 0 && run_log.answers == 0);
	check(finish(r) == 0 && run_log.answers == 1 && run_log.asked[0] == 2);
	check(finish(r) == 0 && run_log.answers == 1 && run_log.lines == 1);
	check(take(r, 3) == DP_EHORIZON && run_log.steps == 2);
	dp_run_free(r);
	run_asks = false;
}

/* What the mechanism says in the step at which it ends is not printed. */
static void
test_halt(void)
{
	struct dp_run *r = run_open(&each, "-T 9 -r 0:9");

	run_log.halt = 3;
	check(take(r, 1) == 0 && take(r, 2) == 0 && take(r, 3) == DP_EHALT);
	check(strcmp(run_log.text, "1\n2\n") == 0);
	dp_run_free(r);
}

/* A line's value is in its own step alone: in its column, whatever the step's end was. */
static void
test_alone(void)
{
	struct dp_run *r = run_open(&each, "-T 4 -r 0:9 -v 2 -k 1 --keys=a,b,c");
	struct dp_event v = { .value = 5, .column = 2, .counts = true };
	size_t i;

	check(dp_step_event(r, &v) == 0);
	v = (struct dp_event){ .value = 4, .column = 0, .counts = true };
	check(dp_step_event(r, &v) == 0);
	run_log.halt = 3;
	check(dp_step_event(r, &v) == DP_EHALT);
	for (i = 0; i < r->col.width; i++)
		check(r->col.x[i] == 0);
	check(strcmp(run_log.text, "0\t0\t5\n4\t0\t0\n") == 0);
	check(run_log.notes >= 2 && run_log.note[0].column == 2 && run_log.note[1].column == 0);
	dp_run_free(r);
}

int
main(void)
{
	PART(test_each());
	PART(test_every());
	PART(test_at_end());
	PART(test_before());
	PART(test_end());
	PART(test_halt());
	PART(test_alone());
	return done();
}
