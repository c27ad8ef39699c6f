/* SPDX-License-Identifier: ISC */
/*
 * t_ask_relation.c - from options to what the noise is planned for: how far one protected unit
 * moves the values, in the words of neighbour.h, and what that unit is called.
 */
#include "child.h"
#include "job/options.h"

static size_t
width(const struct dp_options *o, unsigned band)
{
	(void)o;
	return band == 0 ? 4 : 1;
}

static uint64_t
most(const struct dp_options *o, unsigned band)
{
	(void)o;
	return band == 0 ? 7 : 0;
}

/* Two bands: four numbers that get 7 together, and one that gets nothing. */
static const struct dp_contributions bands = { .bands = 2, .width = width, .most = most };
static const struct dp_tool number = { .shape = DP_SHAPE_NUMBER };
static const struct dp_tool vector = { .shape = DP_SHAPE_VECTOR };
static const struct dp_tool id = { .shape = DP_SHAPE_ID };
static const struct dp_tool symbol = { .shape = DP_SHAPE_SYMBOL };
static const struct dp_tool adds = { .shape = DP_SHAPE_CONTRIBUTIONS, .adds = &bands };

static struct dp_options
options(int64_t lo, int64_t hi)
{
	return (struct dp_options){ .range = { .lo = lo, .hi = hi }, .horizon = 100,
	    .priv = { .epsilon = { 1, 1 }, .delta = { 0, 1 } },
	    .task.what = DP_TASK_COUNT };
}

static void
moves(const struct dp_options *o, const struct dp_tool *tool, uint64_t l1, uint64_t l2squared,
    uint64_t linf, unsigned columns, const char *unit)
{
	struct dp_mech_rule s;
	char text[DP_PROTECTED];

	dp_options_setting(o, tool, &s);
	check(s.privacy.l1 == l1 && s.privacy.l2squared == l2squared);
	check(s.privacy.linf == linf && s.privacy.columns == columns);
	check(strcmp(dp_options_protected(o, tool, text), unit) == 0);
}

/* K/B is no less for what knows nothing of it; the rest is told apart. */
static void
test_spaced(void)
{
	struct dp_options o = options(-2, 9);
	struct dp_mech_rule s;
	uint64_t T, step, n;

	o.horizon = 365;
	o.users.most = 12;
	moves(&o, &number, 108, 108 * 108, 108, 1, "user");
	dp_options_setting(&o, &number, &s);
	check(s.privacy.times == 0 && s.privacy.spacing == 0);
	o.users.spacing = 30;
	moves(&o, &number, 108, 108 * 108, 108, 1, "user");
	dp_options_setting(&o, &number, &s);
	check(s.privacy.times == 12 && s.privacy.spacing == 30);
	check(dp_privacy_each(&s.privacy) == 81);
	o.users.once = true;		/* no two of one name: each is more than a part in K^2 */
	dp_options_setting(&o, &number, &s);
	check(s.privacy.spacing == 0);
	o.users.once = false;
	dp_options_setting(&o, &adds, &s);
	check(s.band[0].reach.times == 12 && s.band[0].reach.spacing == 30);
	check(s.band[1].reach.times == 12 && s.band[1].reach.spacing == 30);
	check(s.band[0].reach.l2squared == 84 * 84);
	o.keys.n = 5;			/* a column moves, or another */
	dp_options_setting(&o, &number, &s);
	check(s.privacy.l2squared == 108 * 108 && dp_privacy_each(&s.privacy) == 81 &&
	    s.privacy.columns == 5);
	/* a horizon has no more steps so far apart than are counted here */
	for (T = 1; T < 400; T++) {
		for (n = 0, step = 1; step <= T && n < 12; step += 30)
			n++;
		o.horizon = T;
		dp_options_setting(&o, &number, &s);
		check(s.privacy.times == n && s.privacy.l1 == 9 * n);
	}
}

static void
test_lines(void)
{
	struct dp_options o = options(0, 1);

	moves(&o, &number, 1, 1, 1, 1, "event");
	o = options(-5, 9);		/* another value: the whole range */
	moves(&o, &number, 14, 196, 14, 1, "event");
	o.keys.n = 3;			/* out of one column, into another */
	moves(&o, &number, 18, 196, 14, 2, "event");
	o.range.unit = 4;		/* values that differ by 4 at most */
	moves(&o, &number, 8, 32, 4, 2, "event");
}

static void
test_buckets_and_users(void)
{
	struct dp_options o = options(-5, 9);

	o.time.bucket = 60;
	o.time.span = (struct dp_span){ .unit = DP_SPAN_SECONDS, .n = 60 };
	moves(&o, &number, 14, 196, 14, 1, "event");
	o.users.field.number = 2;
	o.users.most = 3;		/* three events, each up to 9 from nothing */
	moves(&o, &number, 27, 729, 27, 1, "user");
	o.users.per_step = true;
	moves(&o, &number, 27, 729, 27, 1, "user-step/60s");
	o.time.tz = "Europe/Berlin";
	moves(&o, &number, 27, 729, 27, 1, "user-step/60s Europe/Berlin");
	o.keys.n = 2;			/* all three may be of one key */
	moves(&o, &number, 27, 729, 27, 2, "user-step/60s Europe/Berlin");
}

static void
test_shapes(void)
{
	struct dp_options o = options(0, 2);

	o.keys.columns = 5;
	moves(&o, &vector, 10, 20, 2, 5, "event");
	o.keys.ones = 1;
	moves(&o, &vector, 4, 8, 2, 2, "event");
	o.keys.ones = 0;
	o.range.entry = true;
	moves(&o, &vector, 2, 4, 2, 1, "number");
	o = options(0, 1);
	o.id.whole = true;
	moves(&o, &id, 1, 1, 1, 1, "user");
	o = options(0, 1);
	moves(&o, &symbol, 1, 1, 1, 1, "event");
	o.range.l1 = 6;
	o.range.l2squared = 12;
	moves(&o, &symbol, 6, 12, 6, 1, "event");
}

/* An event adds 7 to the first band; the second, which gets nothing, counts as one of 1. */
static void
test_bands(void)
{
	struct dp_options o = options(0, 100);
	struct dp_mech_rule s;

	o.time.bucket = 60;
	o.keys.adds = 5;
	moves(&o, &adds, 8, 50, 7, 5, "event");
	dp_options_setting(&o, &adds, &s);
	check(s.bands == 2 && s.inputs == 5);
	check(s.band[0].width == 4 && s.band[0].reach.l1 == 7 && s.band[0].reach.l2squared == 49);
	check(s.band[1].width == 1 && s.band[1].reach.l1 == 1 && s.band[1].reach.l2squared == 1);
	o.users.most = 2;
	moves(&o, &adds, 16, 200, 14, 5, "user");
	o.users.most = 0;
	o.keys.n = 3;			/* a key has columns of its own, of all bands */
	check(dp_options_numbers(&o, &adds) == 15 && dp_options_columns(&o, &adds) == 3);
	check(dp_options_columns(&o, &vector) == 1);
}

static void
plan(void *arg)
{
	struct dp_mech_rule s;

	dp_options_setting(arg, &number, &s);
}

static void
test_too_far(void)
{
	struct dp_options o = options(0, (int64_t)1 << 49);

	o.users.field.number = 1;
	o.users.most = 1;
	o.time.bucket = 1;
	check(child_status(plan, &o) == 0);
	o.users.most = 2;
	check(child_status(plan, &o) == DP_EX_USAGE);
	check(strstr(child_said, "below 2^50") != NULL);
}

/* Only what is protected alike adds up: a day however it is written, and no month. */
static void
test_user_step(void)
{
	static const char *const said[][2] = { { "user-step/86400s", "user-step/1d" },
	    { "user-step/172800s Europe/Berlin", "user-step/2d Europe/Berlin" },
	    { "user-step/3600s", "user-step/1h" }, { "user-step/90s", "user-step/90s" },
	    { "user-step/60s", "user-step/1m" }, { "user-step/2w", "user-step/2w" },
	    { "user-step/1mo", "user-step/1mo" }, { "event", "event" }, { "", "" },
	    { "user-step/", "user-step/" }, { "a/0s", "a/0s" } };
	char a[DP_PROTECTED], b[DP_PROTECTED], shown[DP_UNIT_TEXT];
	size_t i;

	check(dp_options_user_step("user-step/1d", a) && dp_options_user_step("user-step/24h", b));
	check(strcmp(a, b) == 0 && strcmp(a, "user-step/86400s") == 0);
	for (i = 0; i < sizeof said / sizeof said[0]; i++)
		check(strcmp(dp_span_unit(said[i][0], shown), said[i][1]) == 0);
	check(dp_options_user_step("user-step/1mo Europe/Berlin", a));
	check(strcmp(a, "user-step/1mo Europe/Berlin") == 0);
	check(!dp_options_user_step("user-step/", a) && !dp_options_user_step("user", a));
	check(!dp_options_user_step("user-step/1x", a));
}

int
main(void)
{
	test_lines();
	test_spaced();
	test_buckets_and_users();
	test_shapes();
	test_bands();
	test_too_far();
	test_user_step();
	return done();
}
