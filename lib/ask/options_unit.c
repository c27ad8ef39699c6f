/*
 * options_unit.c - --unit: values that are totals already, of which one event is protected.
 */
#include <string.h>

#include "options_table.h"

#define RANGE_MAX	((int64_t)1 << 50)
#define TERA		((int64_t)1000000000000)

static int64_t
power_of_ten(unsigned n)
{
	return (int64_t)dp_power10(n);
}

void
dp_options_total(struct dp_options *o, const char *text)
{
	const int places = dp_decimal_places(text, strlen(text));
	int64_t u;

	need(places >= 0 && places <= 9 &&
	    dp_decimal_parse(&u, text, strlen(text), (unsigned)places) == 0 && u > 0,
	    "--unit: '%s' must be a decimal above 0, with at most 9 decimals", text);
	o->range.total = text;
}

/* 0:1T on the grid of U's decimals: no total is larger, but what is mistyped. */
static void
default_range(struct dp_options *o, unsigned places)
{
	need(TERA < RANGE_MAX / power_of_ten(places), "--unit: '%s' has so many decimals that the "
	    "range 0:1T does not fit: give --range, below 2^50 grid units", o->range.total);
	o->range.places = places;
	o->range.lo = 0;
	o->range.hi = TERA * power_of_ten(places);
}

/* Not 1 and the name of the first: event.c knows that, once it has read a header. */
static bool
same(const struct dp_field *a, const struct dp_field *b)
{
	return a->name != NULL && b->name != NULL ? strcmp(a->name, b->name) == 0 :
	    a->name == b->name && a->number != 0 && a->number == b->number;
}

/* The count of a line must be its whole total. */
static void
check_lines(const struct dp_options *o)
{
	need(o->users.field.number == 0,
	    "--unit: refused with --user (a line that is a total is of one "
	    "event of many users; without --unit, --user protects a user's lines with all that "
	    "they count)");
	need(o->form.match == NULL, "--unit: refused with --match (then a line counts 1, and is no "
	    "total)");
	need(o->form.where == NULL,
	    "--unit: refused with --where (the total may be what it looks at: "
	    "an event more, and all of it would be left out); use -k and --keys");
	need(o->form.cut == NULL,
	    "--unit: refused with --cut and --log (a pattern may fit a total or "
	    "not: an event more, and all of it would be left out)");
	need(!same(&o->form.value, &o->time.field) && !same(&o->form.value, &o->time.clock) &&
	    !same(&o->form.value, &o->keys.field) && !same(&o->form.value, &o->keys.then[0]) &&
	    !same(&o->form.value, &o->keys.then[1]) && !same(&o->form.value, &o->keys.then[2]),
	    "--unit: --value, the total, must be another field than "
	    "--time and --key");
	need(o->time.field.number == 0 || o->keys.field.number != 0 ||
	    (o->keys.columns | o->keys.n) == 0,
	    "--unit: refused with --time where a line is many numbers (an event more may be a "
	    "number more, and the time then stand in another field)");
	need(o->form.value.number != 0 || (o->time.field.number | o->keys.field.number) == 0,
	    "--unit needs --value, the field that holds the total (else a line counts 1)");
	need(o->keys.ones == 0,
	    "--unit: refused with --ones (one event could make a line have more "
	    "ones than it may, and so be none)");
}

void
dp_options_totals(struct dp_options *o)
{
	int64_t u, coarse = 1;
	int places;

	if (o->range.total == NULL)
		return;
	check_lines(o);
	places = dp_decimal_places(o->range.total, strlen(o->range.total));
	if (!o->range.has_range && (o->keep.state == NULL || o->keep.init))
		default_range(o, (unsigned)places);
	need(o->range.lo <= 0 && o->range.hi >= 0,
	    "--unit: the range must hold 0 (where there is no line "
	    "the total is 0)");
	if (dp_decimal_parse(&u, o->range.total, strlen(o->range.total), (unsigned)places) != 0)
		u = 0;
	if ((unsigned)places > o->range.places)
		coarse = power_of_ten((unsigned)places - o->range.places);
	need(u % coarse == 0, "--unit: '%s' must be on the grid of --range, which has %u decimals: "
	    "write it with as many (0:1000 is whole numbers, 0.00:1000.00 hundredths)",
	    o->range.total, o->range.places);
	u /= coarse;
	if ((unsigned)places < o->range.places) {
		coarse = power_of_ten(o->range.places - (unsigned)places);
		need(u < RANGE_MAX / coarse, "--unit: '%s' must be below 2^50 grid units",
		    o->range.total);
		u *= coarse;
	}
	need(u < RANGE_MAX, "--unit: '%s' must be below 2^50 grid units", o->range.total);
	/* neighbour.h, TOTALS */
	o->range.unit = (uint64_t)u + (o->range.lo < 0 && o->range.hi > 0);
}
