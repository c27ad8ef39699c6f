/* SPDX-License-Identifier: ISC */
/*
 * t_ask_range.c - --range and --unit to the grid: ends, decimals, suffixes, and what one event
 * moves a total by.
 */
#include "child.h"
#include "job/internal.h"
#include "job/table.h"

/* Its ends in grid units; places < 0: it is refused. */
static void
range(const char *text, int64_t lo, int64_t hi, int places)
{
	struct dp_options o = { .horizon = 0 };
	char back[DP_RANGE_TEXT];
	bool ok = dp_options_range(&o, text);

	check(ok == (places >= 0));
	if (!ok || places < 0)
		return;
	check(o.range.lo == lo && o.range.hi == hi && o.range.places == (unsigned)places);
	/* as a state's head has it: the same range */
	dp_options_range_put(&o, back);
	check(dp_options_range(&o, back) && o.range.lo == lo && o.range.hi == hi &&
	    o.range.places == (unsigned)places);
}

static void
test_range(void)
{
	range("0:1", 0, 1, 0);
	range("-5:20", -5, 20, 0);
	range("0:1.00", 0, 100, 2);	/* either end's decimals are both ends' */
	range("-0.5:10", -5, 100, 1);
	range("0.000000001:1", 1, 1000000000, 9);
	range("0:10k", 0, 10000, 0);
	range("-1M:1M", -1000000, 1000000, 0);
	range("-3:-3", -3, -3, 0);
	range("0:1125899906842623", 0, 1125899906842623, 0);	/* 2^50 - 1 */
	range("0:1125899906842624", 0, 0, -1);
	range("-1125899906842624:0", 0, 0, -1);
	range("0:1125899.9068426240", 0, 0, -1);	/* ten decimals */
	range("0:1125900.000000000", 0, 0, -1);		/* more units than 2^50 */
	range("1:0", 0, 0, -1);
	range("0:0", 0, 0, -1);
	range("", 0, 0, -1);
	range("5", 0, 0, -1);
	range("0:", 0, 0, -1);
	range(":1", 0, 0, -1);
	range("0:1:2", 0, 0, -1);
	range("0:1e3", 0, 0, -1);
	range("a:b", 0, 0, -1);
	range("0: 1", 0, 0, -1);
	range("0:0000000000000000000000000000000000000000000000000000000000000000001", 0, 0, -1);
}

struct unit {
	const char *unit, *range;	/* NULL: 0:1T */
	uint64_t moves;
	unsigned places;
};

static void
totals(void *arg)
{
	const struct unit *u = arg;
	const struct dp_tool plain = { .own = NULL };
	struct dp_options o = { .horizon = 0 };

	if (u->range != NULL && !(o.range.has_range = dp_options_range(&o, u->range)))
		exit(9);
	dp_options_set(&o, &plain, OPT_UNIT, u->unit);
	dp_options_totals(&o);
	if (o.range.unit != u->moves || o.range.places != u->places)
		child_exit(8);
	if (u->range == NULL && (o.range.lo != 0 || o.range.hi % 1000000000000 != 0))
		child_exit(7);
}

static void
test_unit(void)
{
	struct unit good[] = {
		{ "1", NULL, 1, 0 }, { "2.5", NULL, 25, 1 }, { "0.001", NULL, 1, 3 },
		{ "1", "0:1000", 1, 0 }, { "1", "0.00:1000.00", 100, 2 },
		{ "1.00", "0:1000", 1, 0 },		/* a whole number, however it is written */
		{ "0.25", "0.00:10.00", 25, 2 }, { "3", "-10:0", 3, 0 },
		{ "3", "-10:10", 4, 0 },		/* rounded apart on both sides of 0 */
		{ "1.50", "-1.0:1.0", 16, 1 }
	}, bad[] = {
		{ "0", NULL, 0, 0 }, { "-1", NULL, 0, 0 }, { "x", NULL, 0, 0 },
		{ "0.0000000001", NULL, 0, 0 }, { "0.0001", NULL, 0, 0 },
		{ "0.5", "0:1000", 0, 0 },		/* off the grid */
		{ "1", "1:1000", 0, 0 }, { "1", "-9:-1", 0, 0 },	/* 0 is not in it */
		{ "1125899906842624", "0:10", 0, 0 },
		{ "1125900", "0.000000000:1.000000000", 0, 0 }
	};
	size_t i;

	for (i = 0; i < sizeof good / sizeof good[0]; i++)
		check(child_status(totals, &good[i]) == 0);
	for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		check(child_status(totals, &bad[i]) == DP_EX_USAGE);
		check(strstr(child_said, "--unit") != NULL);
	}
}

static void
test_clamps(void)
{
	const struct dp_tool number = { .shape = DP_SHAPE_NUMBER }, id = { .shape = DP_SHAPE_ID };
	struct dp_options o = { .horizon = 0 };

	check(!dp_options_clamps(&o, &number));
	o.given['v'] = true;
	check(dp_options_clamps(&o, &number) && !dp_options_clamps(&o, &id));
	o.range.total = "1";
	check(!dp_options_clamps(&o, &number));
	o.given['r'] = true;
	check(dp_options_clamps(&o, &number));
	o.form.match = "x";	/* a line counts 1, or 0 */
	check(!dp_options_clamps(&o, &number));
}

int
main(void)
{
	test_range();
	test_unit();
	test_clamps();
	return done();
}
