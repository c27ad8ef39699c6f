/* SPDX-License-Identifier: ISC */
/*
 * t_keep_cap.c - a user's allowance against a plain count of him: in the whole run, in each open
 * bucket, and in each bucket of a range; what costs none of it.
 */
#include <string.h>

#include "check.h"
#include "input/event.h"
#include "store/internal.h"

#define USERS	7
#define ROWS	4

static uint64_t seed = 1;

static size_t
below(size_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (size_t)((seed >> 33) % n);
}

static struct dp_run
run(struct dp_options *o, uint64_t most, bool per_step, enum dp_steps steps)
{
	struct dp_run r = { .o = o, .cap.most = most, .ring.n = ROWS };

	*o = (struct dp_options){ .users = { .most = most, .per_step = per_step },
	    .time = { .bucket = 60, .steps = steps } };
	memset(r.cap.key, 7, sizeof r.cap.key);
	if (dp_cap_begin(&r) != 0)
		exit(1);
	return r;
}

static const char *const name[USERS] = { "", "a", "b", "ab", "a\tb", "user", "user2" };

/* An event of the user, of value 5: whether it counts. */
static bool
counts(struct dp_run *r, size_t row, size_t user, bool expected)
{
	struct dp_event v = { .value = 5, .counts = true,
	    .user = { name[user], strlen(name[user]) } };

	if (expected) {
		dp_cap_expect(r, &v);
		/* of a text that is gone by the time the event is admitted */
		if (v.known.set)
			v.user = (struct dp_slice){ NULL, 0 };
	}
	check(dp_cap_admit(r, row, &v) == 0);
	check(v.value == 5 || v.value == 0);
	return v.value == 5;
}

/* Events of any user in any row; every other row's oldest closes now and then. */
static void
test_against_counts(bool per_step, enum dp_steps steps)
{
	uint64_t seen[ROWS][USERS] = { { 0 } }, *n;
	const bool open = steps != DP_BY_RANGE;
	struct dp_options o;
	struct dp_run r = run(&o, 3, per_step, steps);
	size_t i, row, user, wrong = 0;

	for (i = 0; i < 3000; i++) {
		row = below(ROWS);
		user = below(USERS);
		n = &seen[per_step ? row : 0][user];
		wrong += counts(&r, row, user, below(2) == 0) != (++*n <= 3);
		if (!open || below(20) != 0)
			continue;
		dp_cap_close(&r);	/* the rows move up, and the last begins */
		if (per_step) {
			memmove(seen[0], seen[1], sizeof seen - sizeof seen[0]);
			memset(seen[ROWS - 1], 0, sizeof seen[0]);
		}
	}
	check(wrong == 0);
	dp_cap_free(&r);
}

/* K/B: steps count on from those taken, rows of a range also from a gap before them. */
static void
test_spaced(enum dp_steps steps)
{
	struct dp_options o;
	struct dp_run r = run(&o, 100, false, steps);
	struct dp_event v = { .value = 5, .counts = true, .user = { "a", 1 } };

	o.users.most = 2;
	o.users.spacing = 10;
	o.horizon = 50;
	check(dp_cap_tables(&r) == 1);
	r.t = 5;
	r.ring.gap = 20;
	check(counts(&r, 3, 1, true));			/* step 9, or 29 */
	check(!counts(&r, 3, 1, false) && counts(&r, 2, 2, false));
	check(dp_cap_admit(&r, 1, &v) == 0 && v.value == 0 &&
	    strncmp(v.none, "too soon", 8) == 0);
	r.t = steps == DP_BY_RANGE ? 34 : 14;
	r.ring.gap = 0;
	check(!counts(&r, 3, 1, false));		/* 9 later */
	r.t++;
	check(counts(&r, 3, 1, true));			/* 10 */
	r.t += 10;
	v.value = 5;
	check(dp_cap_admit(&r, 3, &v) == 0 && v.value == 0 &&
	    strncmp(v.none, "its user has had", 16) == 0);
	r.t = 49;
	r.ring.gap = 0;
	check(counts(&r, 0, 3, true) && !counts(&r, 1, 4, false));	/* beyond the horizon */
	dp_cap_free(&r);
}

/* Each user once for a key, and for two of three keys: in a run, or in a bucket. */
static void
test_once(bool per_step, enum dp_steps steps)
{
	enum { KEYS = 3, MOST = 2 };
	static const struct dp_tool tool = { .shape = DP_SHAPE_NUMBER };
	bool seen[ROWS][USERS][KEYS] = { { { false } } };
	uint64_t keys[ROWS][USERS] = { { 0 } };
	const bool open = per_step && steps != DP_BY_RANGE;
	struct dp_options o;
	struct dp_run r = run(&o, MOST, per_step, steps);
	size_t i, row, at, user, key, wrong = 0;
	bool want;

	o.users.once = true;
	r.tool = &tool;
	for (i = 0; i < 3000; i++) {
		row = below(ROWS);
		user = below(USERS);
		key = below(KEYS);
		at = per_step ? row : 0;
		struct dp_event v = { .value = 1, .counts = true, .column = key,
		    .user = { name[user], strlen(name[user]) } };
		want = !seen[at][user][key] && keys[at][user] < MOST;
		seen[at][user][key] |= want;
		keys[at][user] += want;
		dp_cap_expect(&r, &v);
		check(!v.known.set && dp_cap_admit(&r, row, &v) == 0);
		wrong += (v.value == 1) != want;
		if (!open || below(20) != 0)
			continue;
		dp_cap_close(&r);
		memmove(seen[0], seen[1], sizeof seen - sizeof seen[0]);
		memset(seen[ROWS - 1], 0, sizeof seen[0]);
		memmove(keys[0], keys[1], sizeof keys - sizeof keys[0]);
		memset(keys[ROWS - 1], 0, sizeof keys[0]);
	}
	check(wrong == 0);
	dp_cap_free(&r);
}

/* Who did nothing, or nothing that counts, has spent nothing; nor have a shard's exact sums. */
static void
test_free(void)
{
	struct dp_options o;
	struct dp_run r = run(&o, 1, false, DP_BY_RANGE);
	struct dp_event zero = { .value = 0, .counts = true, .user = { "a", 1 } };
	struct dp_event out = { .value = 5, .counts = false, .user = { "a", 1 } };
	struct dp_event sum = { .value = 5, .counts = true, .user = { "a", 1 } };

	check(dp_cap_admit(&r, 0, &zero) == 0 && dp_cap_admit(&r, 0, &out) == 0);
	check(out.value == 5);
	r.in.partial = (struct dp_partial *)&o;	/* is only asked for */
	check(dp_cap_admit(&r, 0, &sum) == 0 && sum.value == 5);
	check(dp_cap_admit(&r, 0, &sum) == 0 && sum.value == 5);
	r.in.partial = NULL;
	check(counts(&r, 0, 1, false) && !counts(&r, 1, 1, false) && counts(&r, 0, 2, false));
	dp_cap_free(&r);
	/* without -u everybody has all */
	r = run(&o, 1, false, DP_BY_RANGE);
	o.users.most = 0;
	check(counts(&r, 0, 1, true) && counts(&r, 0, 1, false));
	dp_cap_free(&r);
}

/* The tables that a state keeps: none of a range's steps, as none of its buckets stays open. */
static void
test_tables(void)
{
	struct dp_options o;
	struct dp_run r = run(&o, 2, false, DP_BY_TIMES);

	check(dp_cap_tables(&r) == 1 && *dp_cap_table(&r, 0) == r.cap.users);
	dp_cap_free(&r);
	r = run(&o, 2, true, DP_BY_TIMES);
	check(dp_cap_tables(&r) == ROWS && *dp_cap_table(&r, 2) == NULL);
	check(counts(&r, 2, 1, false) && *dp_cap_table(&r, 2) != NULL);
	check(*dp_cap_table(&r, 1) == NULL);
	dp_cap_close(&r);
	check(*dp_cap_table(&r, 1) != NULL && *dp_cap_table(&r, 2) == NULL);
	dp_cap_free(&r);
	r = run(&o, 2, true, DP_BY_RANGE);
	check(dp_cap_tables(&r) == 0);
	dp_cap_free(&r);
}

int
main(void)
{
	test_against_counts(false, DP_BY_RANGE);
	test_against_counts(false, DP_BY_TIMES);
	test_against_counts(true, DP_BY_TIMES);
	test_against_counts(true, DP_BY_CLOCK);
	test_against_counts(true, DP_BY_RANGE);
	test_spaced(DP_BY_RANGE);
	test_spaced(DP_BY_TIMES);
	test_once(false, DP_BY_RANGE);
	test_once(false, DP_BY_TIMES);
	test_once(true, DP_BY_TIMES);
	test_once(true, DP_BY_RANGE);
	test_free();
	test_tables();
	return done();
}
