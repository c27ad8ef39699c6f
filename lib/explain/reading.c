/* SPDX-License-Identifier: ISC */
/*
 * reading.c - how lines are read under these options: a line for a person at a terminal, and a
 * warning for everybody.
 */
#include <stdio.h>
#include <string.h>

#include "explain.h"

#define TEXT	2000

static size_t
put_field(char *text, size_t n, const char *before, const struct dp_field *f)
{
	return f->name != NULL ? (size_t)snprintf(text, n, "%sfield %.100s", before, f->name) :
	    (size_t)snprintf(text, n, "%sfield %u", before, f->number);
}

/* Each line is read as a number between 0 and 1, and no option says so. */
static bool
is_guess(const struct dp_options *o, const struct dp_tool *tool)
{
	return o->form.value.number == 0 && o->form.match == NULL && !o->shard.partial &&
	    (o->time.field.number | o->keys.field.number | o->users.field.number) == 0 &&
	    o->form.conditions == 0 && !dp_options_formed(o) && !o->range.has_range &&
	    (tool->groups & DP_GROUP_MATCH) != 0 && tool->words.reads == NULL &&
	    !dp_options_rowed(o);
}

/* Worth of an event, taken from the line. */
static const char *
values(const struct dp_options *o, const struct dp_tool *tool)
{
	const bool itself =
	    (o->time.field.number | o->keys.field.number | o->users.field.number) != 0 ||
	    o->form.conditions > 0 || dp_options_formed(o);

	if (o->shard.partial)
		return "counts of dpmap";
	if (tool->words.reads != NULL && (tool->groups & DP_GROUP_VALUE) != 0)
		return "each whole line; -v says which field";
	if (tool->words.reads != NULL)
		return o->keys.field.number != 0 ? "those of the keys" :
		    "each whole line; -k says which field";
	if (dp_options_rowed(o))
		return "the numbers of each line";
	if (o->form.match != NULL)
		return o->form.invert ? "1 for each line that does not match -m" :
		    "1 for each line that matches -m";
	if (itself)
		return o->form.conditions > 0 ? "1 for each line of --where" : "1 for each line";
	return tool->groups & DP_GROUP_MATCH ?
	    "each whole line as a number, 0 if it is none (-m . counts lines)" :
	    "each whole line as a number";
}

void
dp_reading_say(const struct dp_options *o, const struct dp_tool *tool)
{
	char text[TEXT], range[DP_RANGE_TEXT], grid[DP_GRID_TEXT], where[DP_WHERE_TEXT];
	size_t n = (size_t)snprintf(text, sizeof text, "%ss: ",
	    tool->words.reads != NULL ? tool->words.reads : "value");
	const struct dp_let *l;
	const char *silent;
	unsigned i;

	if (o->form.value.number == 0 || o->shard.partial)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s", values(o, tool));
	else
		n += put_field(text + n, sizeof text - n,
		    tool->words.reads != NULL || dp_options_rowed(o) ? "" :
		    o->users.counter ? "increases of the counter in " :
		    o->form.match == NULL ? "the number in " :
		    o->form.invert ? "1 where -m does not match " : "1 where -m matches ",
		    &o->form.value);
	if (o->range.weight.field.number != 0) {
		n += put_field(text + n, sizeof text - n, o->range.weight.times || o->form.match !=
		    NULL ? ", times " : "; weights: ", &o->range.weight.field);
		n += (size_t)snprintf(text + n, sizeof text - n, "; ratios within %s (-r)",
		    dp_options_range_put(o, range));
	} else if (dp_options_clamps(o, tool) || is_guess(o, tool))
		n += (size_t)snprintf(text + n, sizeof text - n, ", clamped to %s (-r), rounded "
		    "to %s", dp_options_range_put(o, range), dp_options_grid_put(o, grid));
	if (o->time.field.number != 0) {
		n += put_field(text + n, sizeof text - n, "; times: ", &o->time.field);
		if (o->time.clock.number != 0)
			n += put_field(text + n, sizeof text - n, " and ", &o->time.clock);
		n += (size_t)snprintf(text + n, sizeof text - n, ", %.80s, %.64s", o->time.format,
		    o->time.in.name != NULL ? o->time.in.name :
		    o->time.tz != NULL ? o->time.tz : "UTC");
	}
	for (i = 0; o->keys.field.number != 0 && i <= o->keys.more; i++)
		n += put_field(text + n, sizeof text - n, i != 0 ? " and " :
		    o->keys.each ? "; keys: each element of " : "; keys: ",
		    dp_options_key(o, i));
	if (o->users.field.number != 0 && !dp_options_by_key(o, tool))
		n += put_field(text + n, sizeof text - n, "; users: ", &o->users.field);
	if (o->users.each != DP_EACH_NO)
		n += (size_t)snprintf(text + n, sizeof text - n, ", whose events of a step are one "
		    "(--each-user=%.10s)", dp_options_each(o));
	for (i = 0; i < o->form.lets.n; i++) {
		l = &o->form.lets.made[i];
		n += (size_t)snprintf(text + n, sizeof text - n, "; %.40s is ", l->name);
		n += put_field(text + n, sizeof text - n, "", &l->from);
		n += (size_t)snprintf(text + n, sizeof text - n, "%c%.40s", l->pattern ? '~' : ':',
		    l->how);
	}
	if (dp_options_either(o))
		n += (size_t)snprintf(text + n, sizeof text - n, "; lines with %s",
		    dp_options_where_put(o, where));
	if (tool->words.silent != NULL && (silent = tool->words.silent(o)) != NULL)
		(void)snprintf(text + n, sizeof text - n, "; %s", silent);
	dp_warn("%s", text);
}

bool
dp_reading_doubt(const struct dp_options *o, const struct dp_tool *tool)
{
	static const char *const form[] = { ".log", ".csv", ".tsv", ".json" };
	size_t i, k;

	for (i = 0; is_guess(o, tool) && i < (size_t)o->operands.n; i++)
		for (k = 0; o->operands.file[i] != NULL && k < sizeof form / sizeof *form; k++)
			if (strstr(o->operands.file[i], form[k]) != NULL)
				return true;
	return false;
}

/*
 * A range that nobody chose, and an allowance that is used up; a state file has its own, and where
 * it begins they were said.
 */
void
dp_reading_warn(const struct dp_options *o, const struct dp_tool *tool)
{
	char range[DP_RANGE_TEXT], grid[DP_GRID_TEXT];

	if (o->keep.state != NULL && !o->keep.init)
		;
	else if (!o->range.has_range && o->range.apart == NULL && (tool->range != NULL ||
	    dp_options_clamps(o, tool) || (dp_tool_of_values(tool) && o->form.match == NULL)))
		dp_warn("no --range: values are clamped to %s, and rounded to %s; give -r LO:HI",
		    dp_options_range_put(o, range), dp_options_grid_put(o, grid));
	dp_options_dropped_warn(o, tool);
}
