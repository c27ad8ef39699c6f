/*
 * options_relation.c - what the options protect: the neighbour relation, its sensitivity, and the
 * setting that noise is planned for.
 */
#include <stdio.h>
#include <string.h>

#include "noise/neighbour.h"
#include "options_table.h"

#define IDENTIFIERS	((size_t)1 << 40)

double
dp_options_confidence(const struct dp_options *o, const struct dp_tool *tool)
{
	return o->confidence > 0 ? o->confidence : tool->confidence > 0 ? tool->confidence : 0.95;
}

size_t
dp_options_width(const struct dp_options *o)
{
	return o->nkeys != 0 ? o->nkeys : o->columns != 0 ? o->columns : 1;
}

static struct dp_relation
relation(const struct dp_options *o, const struct dp_tool *tool)
{
	struct dp_relation r = { .lines = o->bucket == 0, .times = o->steps == DP_BY_TIMES,
	    .lo = o->lo, .hi = o->hi, .per_user = o->per_user, .per_step = o->per_step, .ones = 1,
	    .unit = o->unit, .apart = o->apart, .total = o->total };

	switch (tool->shape) {
	case DP_SHAPE_NUMBER:
		r.columns = o->nkeys;
		break;
	case DP_SHAPE_VECTOR:
		r.columns = dp_options_width(o);
		if (o->key.number != 0)
			break;
		r.of = DP_RECORD_NUMBERS;
		r.ones = o->ones != 0 ? o->ones : r.columns;
		r.entry = o->entry;
		break;
	case DP_SHAPE_ID:	/* as a key of endlessly many, that counts 1, or -1: undone */
		r.of = DP_RECORD_ID;
		r.columns = IDENTIFIERS;
		r.lo = o->deletes ? -1 : 0;
		r.hi = 1;
		r.whole = o->whole;
		r.presence = o->presence;
		break;
	case DP_SHAPE_SYMBOL:		/* 1, unless the tool says what another symbol costs */
		r.of = DP_RECORD_SYMBOL;
		r.lo = 0;
		r.hi = 1;
		r.l1 = o->l1;
		r.l2squared = o->l2squared;
		break;
	}
	return r;
}

void
dp_options_setting(const struct dp_options *o, const struct dp_tool *tool, struct dp_setting *s)
{
	const struct dp_relation r = relation(o, tool);
	const uint64_t below = o->lo < 0 ? (uint64_t)-o->lo : 0;
	const uint64_t above = o->hi > 0 ? (uint64_t)o->hi : 0;
	struct dp_distance d;
	int e;

	memset(s, 0, sizeof *s);
	s->task = o->task;
	s->horizon = o->horizon;
	s->most = o->bucket == 0 ? below > above ? below : above : 0;
	s->bits = o->lo == 0 && o->hi == 1 && o->places == 0 && o->bucket == 0;
	s->pan = o->pan;
	s->open_step = o->bucket != 0;
	s->every = o->every;
	s->predict = o->report;
	s->lo = o->lo;
	s->hi = o->hi;
	s->inputs = tool->shape == DP_SHAPE_VECTOR ? dp_options_width(o) :
	    tool->shape != DP_SHAPE_ID;
	s->beta = o->beta > 0 ? o->beta : 1 - dp_options_confidence(o, tool);
	if (dp_relation_distance(&r, &d) != 0)
		dp_die(DP_EX_USAGE,
		    "--range and --per-user: the sensitivity must stay below 2^50 grid units");
	e = dp_privacy_set(&s->privacy, o->exact, o->exact ? dp_q_make(1, 1) : o->epsilon, o->delta,
	    d.l1, d.l2squared);
	if (e != 0)
		dp_die(DP_EX_USAGE, "--epsilon or --delta: %s", dp_strerror(e));
	s->privacy.columns = (unsigned)d.columns;
	s->privacy.wide = d.wide;	/* too wide for Gaussian noise: leave it out */
	s->privacy.linf = d.linf;
	s->privacy.spread = d.spread;
	s->privacy.cells = d.cells;
}

#define USER_STEP	"user-step/"

static void
put_user_step(char text[static DP_PROTECTED], const struct dp_span *s, const char *zone)
{
	char span[DP_SPAN_TEXT];

	dp_span_put(span, s);
	snprintf(text, DP_PROTECTED, USER_STEP "%s%s%s%s", span,
	    s->unit == DP_SPAN_SECONDS ? "s" : "", *zone != '\0' ? " " : "", zone);
}

const char *
dp_options_protected(const struct dp_options *o, const struct dp_tool *tool,
    char text[static DP_PROTECTED])
{
	const struct dp_relation r = relation(o, tool);

	if (o->per_step)
		put_user_step(text, &o->span, o->tz != NULL ? o->tz : "");
	else
		snprintf(text, DP_PROTECTED, "%s", dp_relation_unit(&r));
	return text;
}

bool
dp_options_user_step(const char *unit, char text[static DP_PROTECTED])
{
	const size_t n = strlen(USER_STEP);
	const char *zone;
	char span[DP_SPAN_TEXT];
	struct dp_span s;

	if (strncmp(unit, USER_STEP, n) != 0)
		return false;
	zone = unit + n + strcspn(unit + n, " ");
	snprintf(span, sizeof span, "%.*s", (int)(zone - (unit + n)), unit + n);
	if (strlen(zone) >= DP_PROTECTED / 2 || dp_span_parse(&s, span) != 0)
		return false;
	put_user_step(text, &s, zone + (*zone != '\0'));
	return true;
}

const char *
dp_options_neighbours(const struct dp_options *o, const struct dp_tool *tool,
    char text[static DP_NEIGHBOURS])
{
	const struct dp_relation r = relation(o, tool);
	size_t n = dp_relation_sentence(&r, text, DP_NEIGHBOURS);

	switch (dp_task_cover(&o->task)) {
	case DP_COVER_LAST:
		snprintf(text + n, DP_NEIGHBOURS - n,
		    "; at every step this covers the last %llu steps, what is older is not "
		    "protected", (unsigned long long)o->task.w[0]);
		break;
	case DP_COVER_FADING:
		snprintf(text + n, DP_NEIGHBOURS - n,
		    "; this covers an event at the step it happens, its loss then grows with age");
		break;
	case DP_COVER_ALL:
		break;
	}
	return text;
}
