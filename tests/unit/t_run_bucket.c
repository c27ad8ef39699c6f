/* SPDX-License-Identifier: ISC */
/*
 * t_run_bucket.c - events to the buckets they belong to, against a plain table of sums: a range in
 * any order, of equal buckets and of others, of so many that only those touched are held; times
 * that close buckets as they advance; memory that is private while a bucket is open.
 */
#include <string.h>

#include "input/event.h"
#include "run.h"

#define MANY	((size_t)1 << 18)
#define KEYS	4

static const struct dp_tool tool = {
	.name = "test", .purpose = "", .synopsis = "",
	.groups = DP_GROUP_RANGE | DP_GROUP_VALUE | DP_GROUP_TIME | DP_GROUP_KEY | DP_GROUP_PAN |
	    DP_GROUP_STATE | DP_GROUP_USER,
	.task = run_task, .lists = { { "", DP_TASK_OWN, &run_statistic } }
};

static uint64_t seed = 1;
static int64_t want[MANY][KEYS];

static size_t
below(size_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (size_t)((seed >> 33) % n);
}

/* What was noted is what is wanted: nothing else, nothing twice. */
static void
check_notes(uint64_t steps)
{
	size_t i, t, k, wrong = 0, left = 0;

	check(run_log.steps == steps && run_log.notes < RUN_NOTES);
	for (i = 0; i < run_log.notes; i++) {
		const struct run_note *n = &run_log.note[i];

		wrong += n->t < 1 || n->t > steps || want[n->t - 1][n->column] != n->x;
		want[n->t - 1][n->column] = 0;
	}
	for (t = 0; t < MANY; t++)
		for (k = 0; k < KEYS; k++)
			left += want[t][k] != 0;
	check(wrong == 0 && left == 0);
	memset(want, 0, sizeof want);
}

static void
add(struct dp_run *r, int64_t time, size_t key, int64_t value)
{
	struct dp_event v = { .value = value, .time = time, .column = key, .counts = true };

	check(dp_bucket_add(r, &v) == 0);
}

#define FIELDS	"-r -99:99 -v 3 -t 1 --time-format=epoch -k 2 --keys=a,b,c,d "

/* The row by a walk over all borders. */
static size_t
row_by_walk(const struct dp_run *r, int64_t time)
{
	int64_t t = r->o->time.begin;
	size_t i = 0;

	while ((t = dp_span_next(&r->o->time.span, t)) <= time)
		i++;
	return i;
}

/* n events at any time of a range, in any order. */
static void
test_range(const char *options, size_t n)
{
	struct dp_run *r = run_open(&tool, options);
	const int64_t from = r->o->time.begin, long_ = r->o->time.end - from;
	size_t i, key;
	int64_t time, value;

	for (i = 0; i < n; i++) {
		time = from + (int64_t)(below(1 << 30) * (uint64_t)long_ >> 30);
		key = below(KEYS);
		value = (int64_t)below(199) - 99;
		want[row_by_walk(r, time)][key] += value;
		add(r, time, key, value);
	}
	/* the first second of buckets, and the last of all */
	for (i = 0, time = from; i < r->o->horizon && i < 300; i++) {
		add(r, time, 0, 1);
		want[i][0]++;
		time = dp_span_next(&r->o->time.span, time);
	}
	add(r, from + long_ - 1, 3, 1);
	want[r->o->horizon - 1][3]++;
	check(run_log.steps == 0);		/* nothing is released before the end */
	check(dp_bucket_end(r) == 0);
	check(r->ring.next == r->o->time.end);
	check(run_log.lines == r->o->horizon);
	check_notes(r->o->horizon);
	dp_run_free(r);
}

/* Sums that pass what a mechanism takes stop there, after each event. */
static void
test_clamped(void)
{
	struct dp_run *r = run_open(&tool, FIELDS "--bucket=1h --from=0 --to=7200");
	const int64_t most = (int64_t)1 << 61;

	add(r, 0, 0, most - 1);
	add(r, 0, 0, 5);
	add(r, 0, 0, -7);
	want[0][0] = most - 7;
	add(r, 0, 1, -most);
	add(r, 0, 1, -1);
	want[0][1] = -most;
	check(dp_bucket_end(r) == 0);
	check_notes(2);
	dp_run_free(r);
}

/*
 * Times that advance close what is before them; what comes late counts in the open bucket; what is
 * more than --gap buckets ahead counts nowhere, and closes none.
 */
static void
test_public(const char *options, size_t n)
{
	struct dp_run *r = run_open(&tool, options);
	int64_t time = 0, late, open = 0;
	size_t i;
	struct dp_event v;

	for (i = 0; i < n; i++) {
		time += (int64_t)below(5000);
		late = below(4) == 0 ? time - (int64_t)below(20000) : time;
		if (i == 0)
			late = time = 0;
		v = (struct dp_event){ .value = 1 + (int64_t)below(9), .time = late,
		    .column = below(KEYS), .counts = true };
		if (late / 3600 > open)
			open = late / 3600;
		if (late < 0 && late / 3600 * 3600 > late)
			late -= 3600;
		check(dp_bucket_reach(r, &v) == 0);
		check(r->ring.next == open * 3600 && run_log.steps == (uint64_t)open);
		want[open][v.column] += v.value;
		check(dp_bucket_add(r, &v) == 0);
	}
	/* too far ahead: 25 hours of which 23 would be empty are not, with --gap=24 a year is */
	v = (struct dp_event){ .value = 7, .time = (open + 8760) * 3600, .counts = true };
	check(dp_bucket_reach(r, &v) == 0 && !v.counts && v.value == 0);
	check(r->ring.next == open * 3600);
	v = (struct dp_event){ .value = 7, .time = (open + 25) * 3600, .counts = true };
	check(dp_bucket_reach(r, &v) == 0 && v.counts);
	check(r->ring.next == (open + 25) * 3600);
	check(dp_bucket_end(r) == 0);
	check_notes((uint64_t)open + 26);
	dp_run_free(r);
}

/* The horizon ends the run before anything of the step after it is read. */
static void
test_horizon(void)
{
	struct dp_run *r = run_open(&tool, FIELDS "-T 3 --bucket=1h --public-times");
	struct dp_event v = { .value = 1, .time = 0, .counts = true };

	check(dp_bucket_reach(r, &v) == 0 && dp_bucket_add(r, &v) == 0);
	v = (struct dp_event){ .value = 1, .time = 3 * 3600, .counts = true };
	check(dp_bucket_reach(r, &v) == DP_EHORIZON);
	want[0][0] = 1;
	check_notes(3);
	dp_run_free(r);
}

/* A user's events beyond the allowance count in no bucket: of the run, or of each bucket. */
static void
test_users(bool each)
{
	struct dp_run *r = run_open(&tool, each ?
	    FIELDS "-u 4 -c 2/step --bucket=1h --from=0 --to=14400" :
	    FIELDS "-u 4 -c 2 --bucket=1h --from=0 --to=14400");
	static const char *const name[] = { "a", "b", "c" };
	size_t seen[4][3] = { { 0 } }, i, row, user;
	struct dp_event v;

	for (i = 0; i < 60; i++) {
		row = below(4);
		user = below(3);
		v = (struct dp_event){ .value = 1, .time = (int64_t)row * 3600, .column = user,
		    .counts = true, .user = { name[user], 1 } };
		check(dp_bucket_add(r, &v) == 0);
		if (++seen[each ? row : 0][user] <= 2)
			want[row][user]++;
	}
	check(dp_bucket_end(r) == 0);
	check_notes(4);
	dp_run_free(r);
}

/* What sums have beyond a word goes with its row, and to the windows that hold its step. */
static void
test_carried(void)
{
	struct dp_options o = { .task.what = DP_TASK_WINDOW, .task.windows = 2,
	    .task.w = { 1, 2 } };
	struct dp_carry c[] = { { .row = 0, .place = 0, .n = 1 }, { .row = 1, .place = 1, .n = -2 },
	    { .row = 2, .place = 0, .n = 3 } };
	static const int want_of[3][4] = { { 1, 1, 0, 0 }, { 0, 1, -2, -2 }, { 3, 3, 0, -2 } };
	const struct dp_mech_ops ops = { .traits = DP_TRAIT_EXACT };
	struct dp_mech mech = { .ops = &ops };
	dp_wide est[4];
	struct dp_run r = { .o = &o, .tool = &tool, .plan.mech = &mech, .t = 4,
	    .print.outputs = 2, .print.est = est,
	    .ring.carry = c, .ring.carries = 3 };
	size_t i, j;

	for (i = 0; i < 3; i++) {
		memset(est, 0, sizeof est);
		dp_carry_close(&r, 0, true);
		check(c[i].t == ++r.t);
		check(i == 2 || (c[i + 1].t == 0 && c[i + 1].row == 0));
		dp_carry_pay(&r);
		for (j = 0; j < 4; j++)
			check(est[j] == (dp_wide)want_of[i][j] * ((dp_wide)1 << 61));
	}
	o.task.what = DP_TASK_COUNT;	/* every step so far; rows of a range do not move */
	r.print.outputs = 1;
	c[2] = (struct dp_carry){ .row = 7, .place = 0, .n = 3 };
	memset(est, 0, sizeof est);
	dp_carry_close(&r, 6, false);
	check(c[2].t == 0 && c[2].row == 7);
	dp_carry_close(&r, 7, false);
	check(c[2].t == 8);
	dp_carry_pay(&r);
	check(est[0] == (dp_wide)4 << 61 && est[1] == (dp_wide)-2 * ((dp_wide)1 << 61));
}

int
main(void)
{
	test_carried();
	PART(test_range(FIELDS "--bucket=1h --from=3600 --to=90000", 3000));
	PART(test_range(FIELDS "--bucket=1mo --from=2026-01-01 --to=2028-01-01", 3000));
	PART(test_range(FIELDS "--bucket=1d --tz=Europe/Berlin --from=2026-03-20 --to=2026-11-05",
	    3000));
	PART(test_range(FIELDS "--bucket=10s --from=0 --to=2621440", 200));
	PART(test_clamped());
	PART(test_public(FIELDS "-T 10k --bucket=1h --gap=24 --public-times", 3000));
	PART(test_public(FIELDS "-T 10k --bucket=1h --gap=24 --public-times -P", 3000));
	PART(test_horizon());
	PART(test_users(true));
	PART(test_users(false));
	return done();
}
