/*
 * reading.c - how lines are read under these options: a line for a person at a terminal, and a
 * warning for everybody.
 */
#include <stdio.h>
#include <string.h>

#include "run.h"

#define TEXT	800

static size_t
put_field(char *text, size_t n, const char *before, const struct dp_field *f)
{
	return f->name != NULL ? (size_t)snprintf(text, n, "%sfield %.100s", before, f->name) :
	    (size_t)snprintf(text, n, "%sfield %u", before, f->number);
}

/* What an event is worth, of the value field or the line. */
static const char *
values(const struct dp_options *o, const struct dp_tool *tool, const char **what)
{
	const bool itself = (o->time.number | o->key.number | o->user.number) != 0 ||
	    o->conditions > 0 || dp_options_formed(o);

	*what = "values";
	if (o->partial)
		return "counts of dpmap";
	switch (tool->shape) {
	case DP_SHAPE_ID:
		*what = "identifiers";
		return "each whole line; -v says which field";
	case DP_SHAPE_SYMBOL:
		*what = "symbols";
		return "each whole line; -v says which field";
	case DP_SHAPE_VECTOR:
		if (o->key.number == 0)
			return "the numbers of each line";
		break;
	case DP_SHAPE_NUMBER:
		break;
	}
	if (o->match != NULL)
		return o->invert ? "1 for each line that does not match -m" :
		    "1 for each line that matches -m";
	if (itself)
		return o->conditions > 0 ? "1 for each line of --where" : "1 for each line";
	return tool->groups & DP_GROUP_MATCH ?
	    "each whole line as a number; to count lines use -m ." :
	    "each whole line as a number";
}

void
dp_reading_say(const struct dp_options *o, const struct dp_tool *tool)
{
	char text[TEXT], range[DP_RANGE_TEXT];
	const char *what, *value = values(o, tool, &what);
	size_t n = (size_t)snprintf(text, sizeof text, "%s: ", what);

	if (o->value.number == 0 || o->partial)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s", value);
	else
		n += put_field(text + n, sizeof text - n,
		    tool->shape != DP_SHAPE_NUMBER ? "" : o->match == NULL ? "the number in " :
		    o->invert ? "1 where -m does not match " : "1 where -m matches ",
		    &o->value);
	if (dp_options_clamps(o, tool))
		n += (size_t)snprintf(text + n, sizeof text - n, ", clamped to %s (-r)",
		    dp_options_range_put(o, range));
	if (o->time.number != 0) {
		n += put_field(text + n, sizeof text - n, "; times: ", &o->time);
		if (o->clock.number != 0)
			n += put_field(text + n, sizeof text - n, " and ", &o->clock);
		n += (size_t)snprintf(text + n, sizeof text - n, ", %.80s, %.64s", o->time_format,
		    o->tz != NULL ? o->tz : "UTC");
	}
	if (o->key.number != 0)
		n += put_field(text + n, sizeof text - n, "; keys: ", &o->key);
	if (o->user.number != 0)
		(void)put_field(text + n, sizeof text - n, "; users: ", &o->user);
	dp_warn("%s", text);
}

/*
 * A range that nobody chose, and an allowance that is used up; a state file has its own, and where
 * it begins they were said.
 */
void
dp_reading_warn(const struct dp_options *o, const struct dp_tool *tool)
{
	char range[DP_RANGE_TEXT];

	if (dp_options_clamps(o, tool) && !o->given['r'] && o->apart == NULL &&
	    (o->state == NULL || o->init))
		dp_warn("-v %.100s without --range: values are clamped to %s; give -r LO:HI",
		    o->text['v'], dp_options_range_put(o, range));
	dp_options_dropped_warn(o, tool);
}
