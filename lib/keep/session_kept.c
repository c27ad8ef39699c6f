/* session_kept.c - options of input and output against the head; a later run may --change them. */
#include <stdio.h>
#include <string.h>

#include "ask/options_table.h"
#include "head.h"

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

/* An option of input or output: as it is kept, unless --change lets it differ. */
static void
same_kept(struct dp_run *r, const char *head, const struct dp_row *row, const bool *given)
{
	struct dp_options *o = r->o;
	struct dp_slice s = { "", 0 };
	const bool fixed = is_fixed(o, row);
	const char *text = "";
	char key[64];
	bool kept, drop, none;

	snprintf(key, sizeof key, "set-%s", row->name);
	if ((kept = dp_head_find(head, key, &s)) && !(s.n == 1 && *s.p == '-'))
		text = dp_head_text(o, key, s);
	else if (!kept && row->c == OPT_FORMAT && dp_head_find(head, "set-time", &s) &&
	    !dp_head_find(head, "set-log", &s)) {
		text = "epoch";		/* the default of early versions */
		s = (struct dp_slice){ text, strlen(text) };
		kept = true;
	}
	if (!given[row->c] && !kept)
		return;
	drop = o->keep.change && !fixed && (forgotten(o, row->name) || replaced(given, row->c));
	if (o->keep.change && fixed && forgotten(o, row->name))
		dp_die(DP_EX_STATE, "%s: --change: --%s is what the noise was planned for; "
		    "start another state file", o->keep.state, row->name);
	if (!given[row->c] && !drop) {
		none = *text == '\0' && (row->arg == NULL || dp_table_optional(row->arg));
		dp_options_set(o, r->tool, row->c, none ? NULL : text);
		return;
	}
	if (given[row->c] && kept && strcmp(o->text[row->c], text) == 0)
		return;
	if (!o->keep.change && kept && !fixed)
		dp_die(DP_EX_STATE, "%s: --%s differs from the state file's, which is '%.*s'; "
		    "leave it out, or give --change", o->keep.state, row->name, (int)s.n, s.p);
	if (!o->keep.change && !fixed)
		dp_die(DP_EX_STATE, "%s: --%s was not given when the state file was started; "
		    "leave it out, or give --change", o->keep.state, row->name);
	if (fixed)
		dp_die(DP_EX_STATE, "%s: --%s differs from the state file's, which it was "
		    "planned for; leave it out, or start another state file", o->keep.state,
		    row->name);
	r->kept.changed = true;
	/* the columns of a header line */
	r->kept.reprint |= row->c == 'o' || row->c == 'B' || row->c == 'n' || row->c == OPT_TOP;
}

/*
 * True: times are read as early versions did.  A state of several ranges keeps their rules, as they
 * say which event is whose; any other takes the rules of now by --change with an option of times.
 */
static bool
is_old_times(struct dp_run *r, const char *head)
{
	const struct dp_options *o = r->o;
	struct dp_slice s;

	if (dp_head_find(head, "times", &s)) {
		if (dp_head_number(o, head, "times") != DP_HEAD_TIMES)
			dp_head_damaged(o, "times");
		return false;
	}
	if (o->time.steps == DP_BY_RANGE || !o->keep.change ||
	    !(o->given['t'] || o->given[OPT_FORMAT]))
		return true;
	r->kept.changed = true;
	return false;
}

/*
 * True: an option is read as early versions did: --where without comparisons, and -u and -v with
 * commas that are parts of a name.  A state without the line is older than it, or nothing in it
 * would be read otherwise.  --change with the option, c, takes the rules of now; 0: never.
 */
static bool
is_old(struct dp_run *r, const char *head, const char *key, uint64_t version, int c)
{
	const struct dp_options *o = r->o;
	struct dp_slice s;

	if (dp_head_find(head, key, &s)) {
		if (dp_head_number(o, head, key) != version)
			dp_head_damaged(o, key);
		return false;
	}
	if (!o->keep.change || !o->given[c])
		return true;
	r->kept.changed = true;
	return false;
}

void
dp_head_kept(struct dp_run *r, const char *head)
{
	struct dp_options *o = r->o;
	const char *p = o->keep.forget;
	const struct dp_row *row;
	bool given[DP_OPTION_CODES], known;
	size_t i, n;

	for (; p != NULL; p = p[n] == ',' ? p + n + 1 : NULL) {
		n = strcspn(p, ",");
		for (known = false, i = 0; (row = dp_table_row(i)) != NULL; i++)
			known |= row->name != NULL && row->keep == DP_KEEP &&
			    strlen(row->name) == n && memcmp(p, row->name, n) == 0;
		if (!known)
			dp_die(DP_EX_USAGE, "--change: '%.*s' is no option that a state file keeps",
			    (int)n, p);
	}
	o->time.old = is_old_times(r, head);
	o->form.old = is_old(r, head, "conditions", DP_HEAD_CONDITIONS, OPT_WHERE);
	o->form.several.whole = is_old(r, head, "several-values", DP_HEAD_SEVERAL, 'v');
	o->users.several.whole = is_old(r, head, "several-users", DP_HEAD_SEVERAL, 0);
	memcpy(given, o->given, sizeof given);	/* on the command line, not from the state file */
	for (i = 0; (row = dp_table_row(i)) != NULL; i++)
		if (row->name != NULL && row->keep && dp_table_takes(r->tool, row))
			same_kept(r, head, row, given);
	if (o->time.old && o->time.clock.number != 0) {	/* the same text, of the command line */
		o->time.clock = (struct dp_field){ 0 };
		dp_options_field(&o->time.field, "--time", o->text['t']);
	}
}
