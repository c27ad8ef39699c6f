/* SPDX-License-Identifier: ISC */
/*
 * t_run_clock.c - the clock that closes buckets, with clocks of this test: one that goes on, one
 * that is set forwards and back, for a moment and for good, and by more than --gap.
 */
#include <string.h>
#include <time.h>

#include "input/event.h"
#include "run.h"

static const struct dp_tool tool = {
	.name = "test", .purpose = "", .synopsis = "",
	.groups = DP_GROUP_RANGE | DP_GROUP_VALUE | DP_GROUP_TIME | DP_GROUP_STATE,
	.task = run_task, .lists = { { "", DP_TASK_OWN, &run_statistic } }
};

/* ms since boot, and what the wall clock is ahead of it */
static int64_t boot = 5000, ahead = 1000000000;
static size_t looks;			/* at the wall clock */

int
clock_gettime(clockid_t id, struct timespec *t)
{
	const int64_t now = id == CLOCK_BOOTTIME ? boot : boot + ahead;

	looks += id != CLOCK_BOOTTIME;
	t->tv_sec = now / 1000;
	t->tv_nsec = now % 1000 * 1000000;
	return 0;
}

static struct dp_run *
begin(const char *options)
{
	struct dp_run *r;

	boot = 5000;
	ahead = 1000000000 - 5000;		/* 1970-01-12T13:46:40Z, 40 s into a minute */
	r = run_open(&tool, options);
	check(r->ring.open && r->ring.next == 1000000 - 40);
	return r;
}

/* The clock goes on by ms, looked at as often as it can be. */
static void
pass(struct dp_run *r, int64_t ms)
{
	for (; ms > 0; ms -= 250) {
		boot += ms < 250 ? ms : 250;
		check(dp_bucket_tick(r) == 0);
	}
}

#define MINUTES	"-T 100 --bucket=1m --live -r 0:99 "

/* Buckets end when the clock says so, and events are in the open one. */
static void
test_goes_on(void)
{
	struct dp_run *r = begin(MINUTES);
	struct dp_event v = { .value = 3, .counts = true };

	check(dp_bucket_add(r, &v) == 0);
	pass(r, 19750);
	check(run_log.steps == 0);
	pass(r, 250);
	check(run_log.steps == 1 && run_log.notes == 1 && run_log.note[0].x == 3);
	v.value = 4;
	check(dp_bucket_add(r, &v) == 0);
	pass(r, 180000);
	check(run_log.steps == 4 && run_log.note[1].t == 2 && run_log.note[1].x == 4);
	dp_run_free(r);
}

/* A look in each slot of 250 ms, however many events come in it. */
static void
test_slots(void)
{
	struct dp_run *r = begin(MINUTES);
	struct dp_event v = { .value = 1, .counts = true };
	size_t before, i;

	boot += 250;
	(void)dp_clock_look(r);
	before = looks;
	for (i = 0; i < 100; i++) {
		boot += 2;
		check(dp_bucket_add(r, &v) == 0);
		check(dp_clock_wait(r) == 250 - (int)(boot % 250));
	}
	check(looks == before);
	boot += 250;
	(void)dp_clock_look(r);
	check(looks == before + 1);
	dp_run_free(r);
}

/* A clock that is wrong for less than two seconds closes nothing. */
static void
test_moment(int64_t wrong)
{
	struct dp_run *r = begin(MINUTES);
	const int64_t right = ahead;

	pass(r, 20000);
	ahead = right + wrong;
	pass(r, 1750);
	check(run_log.steps == 1);
	ahead = right;
	pass(r, 10000);
	check(run_log.steps == 1 && dp_clock_look(r) == (boot + right) / 1000);
	dp_run_free(r);
}

/* One that stays so is believed, from two seconds after it was first seen. */
static void
test_set(void)
{
	struct dp_run *r = begin(MINUTES "--gap=50");

	pass(r, 20000);
	check(run_log.steps == 1);
	ahead += 600000;
	pass(r, 2000);
	check(run_log.steps == 1);
	pass(r, 250);
	check(run_log.steps == 11);
	/* back: what is closed stays so, and the open bucket waits */
	ahead -= 300000;
	pass(r, 200000);
	check(run_log.steps == 11);
	pass(r, 200000);
	check(run_log.steps > 11 && run_log.steps < 15);
	dp_run_free(r);
}

/* Beyond --gap it is not believed, for however long. */
static void
test_far(void)
{
	struct dp_run *r = begin(MINUTES "--gap=50");

	pass(r, 20000);
	ahead += (int64_t)60000 * 60;
	pass(r, 40000);
	check(run_log.steps == 1);
	pass(r, 20000);
	check(run_log.steps == 2);		/* the old clock goes on */
	dp_run_free(r);
}

/* Before a step is out a clock that was set begins anew, and spends nothing. */
static void
test_first(void)
{
	struct dp_run *r = begin(MINUTES);

	ahead += (int64_t)86400 * 1000 * 365;
	pass(r, 2500);
	check(run_log.steps == 0 && r->ring.next > (int64_t)86400 * 365);
	dp_run_free(r);
}

int
main(void)
{
	PART(test_goes_on());
	PART(test_slots());
	PART(test_moment(180000));
	PART(test_moment(-180000));
	PART(test_set());
	PART(test_far());
	PART(test_first());
	return done();
}
