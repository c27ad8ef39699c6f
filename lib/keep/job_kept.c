/* job_kept.c - what a later run may leave out or change: options of lines and of output. */
#include <string.h>

#include "ask/options_table.h"
#include "job.h"

/* True: --change=NAME,... names it. */
static bool
forgotten(const struct dp_options *o, const char *name)
{
	const char *p = o->keep.forget;
	size_t n;

	for (; p != NULL; p = p[n] == ',' ? p + n + 1 : NULL)
		if ((n = strcspn(p, ",")) == strlen(name) && memcmp(p, name, n) == 0)
			return true;
	return false;
}

/* True: one that it does not go with is given. */
static bool
replaced(const bool *given, int c)
{
	int d;

	for (d = 0; d < DP_OPTION_CODES; d++)
		if (given[d] && dp_options_apart(c, d))
			return true;
	return false;
}

/*
 * True: the option decides who the neighbours are.  How a line is cut says whose an event is (-u);
 * how it is cut and how times are read say to which of several ranges it belongs.  Changed between
 * two runs, one event, or one user's, could count more often than the noise was planned for.
 */
static bool
is_fixed(const struct dp_options *o, const struct dp_row *row)
{
	const bool cuts = dp_options_cuts(row->c);
	const bool times = row->c == 't' || row->c == OPT_FORMAT;

	return row->keep == DP_KEEP_FIXED || (cuts && o->users.field.number != 0) ||
	    ((cuts || times) && o->time.steps == DP_BY_RANGE);
}

/* An option of lines or output: as it is kept, unless --change lets it differ. */
static void
adopt(struct dp_run *r, struct dp_options *o, const struct dp_row *row, const char *kept,
    const bool *given)
{
	const bool fixed = is_fixed(o, row);
	const bool named = o->keep.change && forgotten(o, row->name);
	char text[DP_SHOWN_TEXT];
	bool none;

	if (!given[row->c] && kept == NULL)
		return;
	if (named && fixed)
		dp_die(DP_EX_STATE, "%s: --change: --%s is what the noise was planned for; "
		    "start another state file", o->keep.state, row->name);
	if (!given[row->c] && !(o->keep.change && !fixed && (named || replaced(given, row->c)))) {
		none = *kept == '\0' && (row->arg == NULL || dp_table_optional(row->arg));
		dp_options_set(o, r->tool, row->c, none ? NULL : kept);
		return;
	}
	if (given[row->c] && kept != NULL && strcmp(o->text[row->c], kept) == 0)
		return;
	if (fixed)
		dp_die(DP_EX_STATE, "%s: --%s differs from the state file's, which it was "
		    "planned for; leave it out, or start another state file", o->keep.state,
		    row->name);
	if (!o->keep.change && kept != NULL)
		dp_die(DP_EX_STATE, "%s: --%s differs from the state file's, which is '%s'; "
		    "leave it out, or give --change", o->keep.state, row->name,
		    dp_shown(text, kept, strlen(kept)));
	if (!o->keep.change)
		dp_die(DP_EX_STATE, "%s: --%s was not given when the state file was started; "
		    "leave it out, or give --change", o->keep.state, row->name);
	r->kept.changed = true;
	/* the columns of a header line */
	r->kept.reprint |= row->c == 'o' || row->c == 'B' || row->c == 'n' || row->c == OPT_TOP;
}

/* Exits unless --change names options that may change. */
static void
check_change(const struct dp_options *o)
{
	const char *p = o->keep.forget;
	const struct dp_row *row;
	size_t i, n;
	bool known;

	for (; p != NULL; p = p[n] == ',' ? p + n + 1 : NULL) {
		n = strcspn(p, ",");
		for (known = false, i = 0; (row = dp_table_row(i)) != NULL; i++)
			known |= row->name != NULL && row->keep == DP_KEEP_YES &&
			    strlen(row->name) == n && memcmp(p, row->name, n) == 0;
		if (!known)
			dp_die(DP_EX_USAGE, "--change: '%.*s' is no option that a state file keeps",
			    (int)n, p);
	}
}

void
dp_job_kept(struct dp_run *r, struct dp_options *o, char *const set[DP_OPTION_CODES])
{
	const struct dp_row *row;
	bool given[DP_OPTION_CODES];
	size_t i;

	check_change(o);
	memcpy(given, o->given, sizeof given);	/* on the command line */
	for (i = 0; (row = dp_table_row(i)) != NULL; i++)
		if (row->name != NULL && row->keep != DP_KEEP_NO &&
		    dp_table_takes(r->tool, row))
			adopt(r, o, row, set[row->c], given);
}
