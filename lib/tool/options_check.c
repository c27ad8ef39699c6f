/*
 * options_check.c - what the options say together: refusals, the neighbour relation and its sensitivity.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"

#define need(cond, ...) do { \
	if (!(cond)) \
		dp_die(DP_EX_USAGE, __VA_ARGS__); \
	} while (0)

static void
check_privacy(const struct dp_options *o)
{
	need(o->has_epsilon, "--epsilon is required: the total privacy loss of everything printed");
	need((o->user.number != 0) == (o->per_user != 0), "--user and --per-user go together");
	if (o->pan) {
		need(!o->has_seed, "--pan-private: refused with --seed (a generator's state tells its future and its past)");
		need(!o->csv, "--pan-private: refused with --csv (its parser keeps past input)");
		need(o->user.number == 0, "--pan-private: refused with --user (the table of users is exact)");
		need(o->steps != DP_BY_RANGE, "--pan-private: refused with --from/--to (exact bucket sums would be held to the end)");
		need(o->steps != DP_BY_CLOCK || o->lateness == 0,
		    "--pan-private: refused with --live=LATENESS (several open buckets would be held exactly)");
		need(o->steps == DP_BY_LINE || o->batch == NULL,
		    "--pan-private: refused with --bucket and --batch (the place in the input would be a count of events)");
	}
	need(!(o->exact && o->state != NULL), "--epsilon=inf: refused with --state");
}

static void
check_time(const struct dp_options *o)
{
	need(o->gap == 0 || o->steps == DP_BY_TIMES, "--gap needs --public-times");
	if (o->bucket == 0) {
		need(o->steps == DP_BY_LINE, "--from/--to, --live and --public-times need --bucket");
		need(o->time.number == 0 && o->time_format == NULL, "--time and --time-format need --bucket");
		return;
	}
	need(o->steps != DP_BY_LINE || o->explain, "--bucket needs one of --from/--to, --live or --public-times "
	    "(which buckets exist must not depend on one record)");
	need(o->time.number != 0 || o->steps == DP_BY_CLOCK || o->explain, "--bucket needs --time, the field that holds the event time");
	if (o->steps == DP_BY_RANGE) {
		need(o->has_from && o->has_to, "--from and --to go together");
		need(o->from < o->to, "--from must be before --to");
	}
}

static void
check_state(const struct dp_options *o)
{
	if (o->state != NULL) {
		need(!(o->init && o->show), "--init and --state-show do not go together");
		need(o->batch == NULL || o->steps != DP_BY_CLOCK, "--batch: refused with --live (its input cannot be given again)");
		return;
	}
	need(!o->init && !o->show && o->out == NULL && o->batch == NULL && o->witness == NULL,
	    "--init, --out, --batch, --witness and --state-show need --state");
}

void
dp_cli_check(const struct dp_options *o, const struct dp_tool *tool)
{
	const struct dp_field *const field[] = { &o->value, &o->time, &o->key, &o->user };
	const char *why;
	int i;

	check_privacy(o);
	check_time(o);
	check_state(o);
	need(!o->monotone || (tool->tasks & DP_TASK_COUNT),
	    "--monotone: what %s estimates may fall from one step to the next", tool->name);
	if (o->time_format != NULL && (why = dp_check_time_format(o)) != NULL)
		dp_die(DP_EX_USAGE, "--time-format: '%s' %s", o->time_format, why);
	need((o->key.number != 0) == (o->nkeys != 0), "--key and --keys go together: keys are public and declared");
	need(o->match != NULL || (!o->fixed && !o->icase && !o->invert), "--fixed, -i and --invert-match need --match");
	for (i = 0; i < 4; i++)
		need(o->header || field[i]->name == NULL, "'%s' is the name of a field: names need -H", field[i]->name);
	need(!(o->csv && o->delimiter == '\t'), "--csv and --tsv do not go together");
}

/* With keys: columns that one line replaced, one event more, or K events of a user can move. */
static uint64_t
touched(const struct dp_options *o)
{
	uint64_t most = o->per_user != 0 ? o->per_user : 1;

	if (o->bucket == 0 && o->per_user == 0)
		most *= 2;	/* a line may change its key */
	return most < o->nkeys ? most : o->nkeys;
}

void
dp_cli_setting(const struct dp_options *o, struct dp_setting *s)
{
	uint64_t below = o->lo < 0 ? (uint64_t)-o->lo : 0, above = o->hi > 0 ? (uint64_t)o->hi : 0;
	uint64_t reach = below + above, most = below > above ? below : above;
	uint64_t units = o->per_user == 0 ? 1 : o->per_user, l1 = reach;
	dp_uwide l2 = (dp_uwide)reach * reach;
	int e;

	/*
	 * One line replaced may move its value from one key's column to another's: |x| + |x'|.  One
	 * event more or less (buckets), or one that becomes "nothing happened" (users), moves one column.
	 */
	if (o->nkeys > 0 && o->bucket == 0 && o->per_user == 0) {
		l1 = 2 * most;
		if (2 * (dp_uwide)most * most > l2)
			l2 = 2 * (dp_uwide)most * most;
	}
	/* All K events of a user may meet in one node: group privacy. */
	l2 *= (dp_uwide)units * units;
	memset(s, 0, sizeof *s);
	s->task = o->task;
	s->horizon = o->horizon;
	s->most = o->bucket == 0 ? most : 0;
	s->bits = o->lo == 0 && o->hi == 1 && o->places == 0 && o->bucket == 0;
	s->pan = o->pan;
	s->open_step = o->bucket != 0;
	if ((dp_uwide)l1 * units >> 50 != 0)
		dp_die(DP_EX_USAGE, "--range and --per-user: the sensitivity must stay below 2^50 grid units");
	e = dp_privacy_set(&s->privacy, o->exact, o->exact ? dp_q_make(1, 1) : o->epsilon,
	    o->delta, l1 * units, l2 >> 62 ? (uint64_t)1 << 62 : (uint64_t)l2);
	s->privacy.columns = o->nkeys == 0 ? 1 : (unsigned)touched(o);
	if (e == 0 && l2 >> 62 != 0)	/* too wide for Gaussian noise: leave them out */
		s->privacy.wide = true;
	if (e != 0)
		dp_die(DP_EX_USAGE, "--epsilon or --delta: %s", dp_strerror(e));
}

static void
neighbours(const struct dp_options *o, char text[static DP_NEIGHBOURS])
{
	unsigned long long k = o->per_user;

	if (o->per_user != 0 && o->steps == DP_BY_TIMES)
		snprintf(text, DP_NEIGHBOURS, "two inputs are neighbours if they differ in the events of one user, of which at most %llu "
		    "are counted, all present or all absent, while the times are the same", k);
	else if (o->steps == DP_BY_TIMES)
		snprintf(text, DP_NEIGHBOURS, "two inputs are neighbours if one has one event more than the other, or one event's value "
		    "differs, while the times are the same (the line stays where 'nothing happened')");
	else if (o->per_user != 0 && o->bucket != 0)
		snprintf(text, DP_NEIGHBOURS, "two inputs are neighbours if they differ in the events of one user, all present "
		    "or all absent, of which at most %llu are counted", k);
	else if (o->per_user != 0)
		snprintf(text, DP_NEIGHBOURS, "two inputs are neighbours if the lines of one user, of which at most %llu are counted, "
		    "are replaced by 'nothing happened', or back (lines keep their places)", k);
	else if (o->bucket != 0)
		snprintf(text, DP_NEIGHBOURS, "two inputs are neighbours if one has one event more than the other, or one "
		    "event's value differs within its bucket");
	else
		snprintf(text, DP_NEIGHBOURS, "two inputs are neighbours if they have the same number of lines and one line%s "
		    "(including 'nothing happened')", o->nkeys != 0 ? " differs, in value, key or both" : "'s event differs");
}

const char *
dp_cli_neighbours(const struct dp_options *o, char text[static DP_NEIGHBOURS])
{
	size_t n;

	neighbours(o, text);
	n = strlen(text);
	if (o->task.what == DP_TASK_EXPIRE || o->task.what == DP_TASK_MAP)
		snprintf(text + n, DP_NEIGHBOURS - n, "; at every step this covers the last %llu steps, "
		    "what is older is not protected", (unsigned long long)o->task.w[0]);
	if (o->task.what == DP_TASK_GRADUAL)
		snprintf(text + n, DP_NEIGHBOURS - n, "; this covers an event at the step it happens, its loss then grows with age");
	return text;
}

const char *
dp_cli_estimates(const struct dp_options *o, char text[static DP_NEIGHBOURS])
{
	const struct dp_task *k = &o->task;
	const unsigned long long w = k->w[0];
	size_t n;

	switch (k->what == DP_TASK_MAP ? k->map : k->what) {
	case DP_TASK_WINDOW:
		if (k->windows > 1)
			snprintf(text, DP_NEIGHBOURS, "sum of the last W steps, W = %s", o->own[0]);
		else
			snprintf(text, DP_NEIGHBOURS, o->own[0][strspn(o->own[0], "0123456789")] == '\0' ?
			    "sum of the last %llu steps" : "sum of the last %llu steps (%s)", w, o->own[0]);
		break;
	case DP_TASK_EXP:
		snprintf(text, DP_NEIGHBOURS, "sum in which a step d back weighs %.12g^d", k->alpha);
		break;
	case DP_TASK_POLY:
		snprintf(text, DP_NEIGHBOURS, "sum in which a step d back weighs (d+1)^-%.12g", k->power);
		break;
	case DP_TASK_TABLE:
		snprintf(text, DP_NEIGHBOURS, "sum weighted by the %zu weights given", k->ng);
		break;
	default:
		snprintf(text, DP_NEIGHBOURS, "running sum since step 1");
		break;
	}
	n = strlen(text);
	if (k->what == DP_TASK_EXPIRE || k->what == DP_TASK_MAP)
		snprintf(text + n, DP_NEIGHBOURS - n, ", into which steps more than %llu back enter exactly", w);
	return text;
}
