/*
 * explain_words.c - sentences of --explain, in both of its forms.
 *
 * What is to be said about a task or a mechanism they say themselves (task.h, mech.h): no name of
 * one stands here.
 */
#include <math.h>
#include <stdio.h>

#include "ask/options_table.h"
#include "explain.h"
#include "keep/charge.h"

/* Sentence on the part of the run that a ledger by time counts; false: no charge. */
static bool
charged(const struct dp_options *o, const struct dp_tool *tool, char *text, size_t size)
{
	char unit[DP_PROTECTED], from[DP_WHEN_TEXT + 1], to[DP_WHEN_TEXT + 1];
	struct dp_buf reads = { .p = NULL };
	int n;

	if (!dp_charge_due(o))
		return false;
	n = snprintf(text, size, "--budget is debited for one %s",
	    dp_options_protected(o, tool, unit));
	if (dp_charge_times(o, tool, &reads)) {
		*dp_when_put(from, o->time.begin, o->time.span.zone) = '\0';
		*dp_when_put(to, o->time.end, o->time.span.zone) = '\0';
		snprintf(text + n, size - (size_t)n, "; in a ledger made with --by-time for the "
		    "buckets from %s to %s alone", from, to);
	} else
		snprintf(text + n, size - (size_t)n, ", and adds up with all other runs that "
		    "protect one");
	dp_buf_free(&reads);
	return true;
}

unsigned
dp_report_assumptions(const struct dp_report *r, const char **out)
{
	static char gap[120], sum[120], zone[240], dropped[DP_DROPPED], summed[DP_DROPPED],
	    budget[DP_PROTECTED + 160];
	const struct dp_options *o = r->o;
	unsigned n = 0;

	if (r->spare)
		out[n++] = "--expire is not made use of: this mechanism protects every step "
		    "for ever, at a smaller error";
	if (o->priv.exact)
		out[n++] = "epsilon is inf: exact answers, NOT PRIVATE";
	if (o->priv.has_seed)
		out[n++] = "--seed makes the noise reproducible: NOT PRIVATE";
	if (o->horizon == 0 && !r->once)
		out[n++] = "the horizon is unknown: figures are for the reported steps";
	if (o->id.whole)
		out[n++] = "all events of one identifier are protected together; several "
		    "identifiers of one person add up";
	else if (o->users.most == 0 && o->range.apart == NULL)
		out[n++] = "each event is protected by itself; several events of one person add up";
	if (o->users.per_step)
		out[n++] = "a user's events in one step are protected together; those in several "
		    "steps add up";
	if (o->users.most != 0) {
		dp_options_dropped(o, r->tool, dropped);
		out[n++] = dropped;
	}
	if (dp_options_users_summed(o, r->tool, summed))
		out[n++] = summed;
	if (o->range.total != NULL)
		out[n++] = "the caller asserts that an event moves a total by no more than --unit; "
		    "what a whole line counts is not protected";
	if (o->range.total != NULL && o->range.lo < 0 && o->range.hi > 0)
		out[n++] = "totals are rounded to the grid, halves away from 0: over 0 that can "
		    "add a grid unit, which the sensitivity has";
	if (o->range.apart != NULL)
		out[n++] = "the caller asserts that whatever is to be protected, an event or all "
		    "of a user, moves no answer by more than the sensitivity, nor makes a line one "
		    "that is no answer, or back";
	if (o->range.one_way)
		out[n++] = "the caller asserts that it moves all answers one way: none up where it "
		    "moves another down";
	if (o->shard.partial)
		out[n++] = o->shard.by_user ?
		    "the caller asserts that all lines of a user are in one "
		    "shard, whose dpmap counted at most so many; a shard whose lines are in "
		    "another one too is counted twice" : "each line is in one shard: those of "
		    "a log that two shards hold are counted, and protected, as twice as many";
	if (o->time.steps == DP_BY_TIMES)
		out[n++] = "the caller asserts that event times are public, and with them the "
		    "length of lines and which field holds the time: only the content is protected";
	if (o->time.steps == DP_BY_TIMES &&
	    snprintf(gap, sizeof gap, "an event with more than %llu empty buckets before it has "
	    "a wrong time, and counts nowhere (--gap)", (unsigned long long)dp_options_gap(o)) > 0)
		out[n++] = gap;
	if (dp_options_cut(o, r->tool, r->p->ops) < (uint64_t)1 << 40 &&
	    snprintf(sum, sizeof sum, "no bucket's sum is beyond +-%.6g (2^61 grid units): "
	    "it is cut there", ldexp(r->unit, 61)) > 0)
		out[n++] = sum;
	if (o->time.tz != NULL &&
	    snprintf(zone, sizeof zone, "buckets, and times without an offset, are those of "
	    "%.64s: of a time that its clocks show twice the first is meant, and one that they "
	    "skip is as much later as they skip", o->time.tz) > 0)
		out[n++] = zone;
	if (o->time.steps == DP_BY_CLOCK)
		out[n++] = "which buckets exist depends on the wall clock alone";
	switch (r->cover) {
	case DP_COVER_LAST:
		out[n++] = "the caller gives up what is older than the expiry: estimates "
		    "show it exactly";
		break;
	case DP_COVER_FADING:
		out[n++] = "the caller gives up old events by and by: their loss grows beyond "
		    "epsilon as the curve above says";
		break;
	case DP_COVER_ALL:
		break;
	}
	if (charged(o, r->tool, budget, sizeof budget))
		out[n++] = budget;
	if (o->form.csv)
		out[n++] = o->range.apart != NULL ?
		    "the file is well-formed CSV: the text of one record "
		    "cannot change where others begin; a blank row is none" :
		    "the file is well-formed CSV: the text of one record cannot change "
		    "where others begin; a blank row is none, so 'nothing happened' is a "
		    "row of value 0";
	if (o->form.strict)
		out[n++] = "--strict: the place of the first malformed line is outside "
		    "the guarantee";
	return n;
}

/* Worth of a line. */
const char *
dp_report_values(const struct dp_report *r)
{
	static char clamped[260];
	const struct dp_options *o = r->o;
	char range[DP_RANGE_TEXT], grid[DP_RANGE_TEXT];

	dp_options_range_put(o, range);
	dp_options_grid_put(o, grid);
	if (o->shard.partial) {
		snprintf(clamped, sizeof clamped,
		    "counts of dpmap, of values that it clamped to %s (-r)", range);
		return clamped;
	}
	if (r->tool->words.reads != NULL)
		return r->tool->words.values != NULL ? r->tool->words.values(o) :
		    r->tool->words.reads;
	if (dp_options_rowed(o)) {
		snprintf(clamped, sizeof clamped, "the numbers of each line, clamped to %s (-r), "
		    "rounded to %s; a line that is malformed counts 0", range, grid);
		return clamped;
	}
	if (o->form.match != NULL)
		return o->form.invert ? "1 for each line or field that does not match, else 0" :
		    "1 for each line or field that matches, else 0";
	if (o->form.value.number == 0 &&
	    (o->time.field.number != 0 || o->keys.field.number != 0 || o->users.field.number != 0))
		return "1 for each line (no value field, no match)";
	snprintf(clamped, sizeof clamped, "the number %s, clamped to %s (-r), rounded to %s%s",
	    o->form.value.number != 0 ? "in the value field" : "that a line is", range, grid,
	    o->range.nothing != 0 ? "; a line that has none is no answer: what was printed last "
	    "stands" : o->form.value.number != 0 ? "" : r->tool->adds != NULL ?
	    "; a line that is none is no event" : "; a line that is none counts 0");
	return clamped;
}

/* True: every line is private by itself. */
bool
dp_report_local(const struct dp_report *r)
{
	return r->o->task.what == DP_TASK_OWN && r->o->task.statistic->local;
}

/* Draws of a randomiser for a line; false: another kind of mechanism. */
bool
dp_report_answer(const struct dp_report *r, char text[static DP_TASK_TEXT])
{
	const struct dp_answers *a = r->p->ops->answers;

	if (a != NULL)
		a->describe(r->p->mech, text, DP_TASK_TEXT);
	return a != NULL;
}

/* --top, which is not the mechanism's, nor the tool's. */
static bool
top_note(const struct dp_report *r, char text[static DP_NOTE])
{
	const struct dp_options *o = r->o;

	if (!o->given[OPT_TOP])
		return false;
	if (o->print.confidence > 0)
		snprintf(text, DP_NOTE, "keys said to be certain are all among the %llu largest of "
		    "%zu, at any one step with probability %.6g; choosing what is printed costs "
		    "nothing", (unsigned long long)o->print.top, o->keys.n, o->print.confidence);
	else
		snprintf(text, DP_NOTE, "the %llu largest of %zu keys are printed, which costs "
		    "nothing; noise may have put another in its place",
		    (unsigned long long)o->print.top, o->keys.n);
	return true;
}

/* Notes in order: no information, the mechanism's, --top's, the tool's. */
bool
dp_report_note(const struct dp_report *r, unsigned i, char text[static DP_NOTE])
{
	const struct dp_mech *m = r->p->mech;
	unsigned n;

	if (dp_blind(r->tool, r->o, r->s, r->p, text) && i-- == 0)
		return true;
	for (n = 0; m->ops->say.note != NULL && m->ops->say.note(m, n, r->unit, text, DP_NOTE); n++)
		if (n == i)
			return true;
	if (top_note(r, text) && n++ == i)
		return true;
	if (dp_blind_own(r->tool, r->o, r->s, r->p, text))
		i++;			/* it has been said */
	return r->tool->note != NULL && r->tool->note(r->o, r->s, r->p, i - n, text);
}
