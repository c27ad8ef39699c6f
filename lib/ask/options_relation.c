/*
 * options_relation.c - what the options protect: the neighbour relation, its sensitivity, and the
 * setting that noise is planned for.
 */
#include <stdio.h>
#include <string.h>

#include "noise/neighbour.h"
#include "options_table.h"
#include "relation.h"

#define IDENTIFIERS	((size_t)1 << 40)

bool
dp_options_carries(const struct dp_options *o, const struct dp_tool *tool,
    const struct dp_mech_ops *ops)
{
	return (o->task.what == DP_TASK_COUNT || o->task.what == DP_TASK_WINDOW) &&
	    o->task.statistic == NULL && tool->shape == DP_SHAPE_NUMBER && !tool->map &&
	    !o->priv.pan && o->keep.state == NULL &&
	    (ops->traits & (DP_TRAIT_ADDS | DP_TRAIT_EXACT)) != 0;
}

uint64_t
dp_options_cut(const struct dp_options *o, const struct dp_tool *tool,
    const struct dp_mech_ops *ops)
{
	const uint64_t below = o->range.lo < 0 ? (uint64_t)-o->range.lo : 0;
	const uint64_t above = o->range.hi > 0 ? (uint64_t)o->range.hi : 0;
	uint64_t most = below > above ? below : above;
	unsigned g;

	for (g = 0; tool->adds != NULL && g < tool->adds->bands; g++) {
		most = g == 0 ? 0 : most;
		most = tool->adds->most(o, g) > most ? tool->adds->most(o, g) : most;
	}
	if (o->time.bucket == 0 || o->priv.pan || most == 0 || dp_options_carries(o, tool, ops))
		return UINT64_MAX;
	return ((uint64_t)1 << 61) / most;
}

size_t
dp_options_width(const struct dp_options *o)
{
	return o->keys.n != 0 ? o->keys.n : o->keys.columns != 0 ? o->keys.columns : 1;
}

bool
dp_options_keyed(const struct dp_options *o, const struct dp_tool *tool)
{
	return (tool->shape == DP_SHAPE_NUMBER || tool->adds != NULL) && o->keys.n != 0;
}

size_t
dp_options_columns(const struct dp_options *o, const struct dp_tool *tool)
{
	return dp_options_keyed(o, tool) ? o->keys.n : 1;
}

/* Numbers that a column takes in a step; 0: identifiers. */
static size_t
inputs_of(const struct dp_options *o, const struct dp_tool *tool)
{
	return tool->adds != NULL ? o->keys.adds : tool->shape == DP_SHAPE_VECTOR ?
	    dp_options_width(o) : tool->shape != DP_SHAPE_ID;
}

size_t
dp_options_numbers(const struct dp_options *o, const struct dp_tool *tool)
{
	const size_t inputs = inputs_of(o, tool);

	return dp_options_columns(o, tool) * (inputs != 0 ? inputs : 1);
}

/* At least 1: a band that no event changes has noise as well, and is one. */
static uint64_t
most_of(const struct dp_options *o, const struct dp_tool *tool, unsigned band)
{
	const uint64_t most = tool->adds->most(o, band);

	return most != 0 ? most : 1;
}

/* Events of a user that count, at most: the horizon has no more that are so far apart. */
static uint64_t
counted(const struct dp_options *o)
{
	const uint64_t K = o->users.most, B = o->users.spacing, T = o->horizon;

	return B == 0 || T == 0 || K <= (T - 1) / B ? K : (T - 1) / B + 1;
}

static struct dp_relation
relation(const struct dp_options *o, const struct dp_tool *tool)
{
	struct dp_relation r = { .lines = o->time.bucket == 0,
	    .words.run = o->time.once && o->keep.state == NULL,
	    .times = o->time.steps == DP_BY_TIMES, .words.keyed = o->keys.field.number != 0,
	    .lo = o->range.lo, .hi = o->range.hi, .per_user = counted(o),
	    .per_step = o->users.per_step, .once = o->users.once,
	    .spacing = o->users.spacing, .ones = 1,
	    .unit = o->range.unit, .every.apart = o->range.apart, .every.one_way = o->range.one_way,
	    .total = o->range.total };
	unsigned g;

	switch (tool->shape) {
	case DP_SHAPE_NUMBER:
		r.columns = o->keys.n;
		break;
	case DP_SHAPE_VECTOR:
		r.columns = dp_options_width(o);
		if (o->keys.field.number != 0)
			break;
		r.of = DP_RECORD_NUMBERS;
		r.ones = o->keys.ones != 0 ? o->keys.ones : r.columns;
		r.entry = o->range.entry;
		break;
	case DP_SHAPE_NAME:		/* a key of endlessly many, that counts 1 */
		r.of = DP_RECORD_NAME;
		r.columns = IDENTIFIERS;
		break;
	case DP_SHAPE_CONTRIBUTIONS:
		r.columns = dp_options_numbers(o, tool);
		for (g = 0; g < tool->adds->bands; g++)
			r.sum += most_of(o, tool, g);
		break;
	case DP_SHAPE_ID:	/* as a key of endlessly many, that counts 1, or -1: undone */
		r.of = DP_RECORD_ID;
		r.columns = IDENTIFIERS;
		r.lo = o->id.deletes ? -1 : 0;
		r.hi = 1;
		r.whole = o->id.whole;
		r.presence = o->id.presence;
		break;
	case DP_SHAPE_SYMBOL:		/* 1, unless the tool says what another symbol costs */
		r.of = DP_RECORD_SYMBOL;
		r.lo = 0;
		r.hi = 1;
		r.vector.l1 = o->range.l1;
		r.vector.l2squared = o->range.l2squared;
		break;
	}
	return r;
}

/*
 * Distance of all bands together: at most the sum of each band's.  Bands have no column in common,
 * so squares add up as well.
 */
static int
bands_distance(const struct dp_options *o, const struct dp_tool *tool, struct dp_relation r,
    struct dp_mech_rule *s, struct dp_distance *all)
{
	struct dp_distance d;
	struct dp_band *p;
	int e;

	*all = (struct dp_distance){ .l1 = 0 };
	for (s->bands = 0; s->bands < tool->adds->bands; s->bands++) {
		p = &s->band[s->bands];
		p->width = tool->adds->width(o, s->bands);
		r.columns = p->width * dp_options_columns(o, tool);
		r.sum = most_of(o, tool, s->bands);
		if ((e = dp_relation_distance(&r, &d)) != 0)
			return e;
		p->reach = (struct dp_reach){ .l1 = d.l1, .l2squared = d.l2squared,
		    .linf = d.linf, .columns = (unsigned)d.columns };
		s->most = r.sum > s->most ? r.sum : s->most;
		all->l1 += d.l1;
		all->spread += d.spread;
		all->l2squared += d.l2squared;
		all->wide |= d.wide || all->l2squared >= (uint64_t)1 << 62;
		all->linf = d.linf > all->linf ? d.linf : all->linf;
		all->columns += d.columns;
		all->cells += d.cells;
	}
	all->l2squared = all->wide ? (uint64_t)1 << 62 : all->l2squared;
	return all->l1 < (uint64_t)1 << 50 ? 0 : DP_ERANGE;
}

int
dp_options_neighbour_lines(const struct dp_options *o, const struct dp_tool *tool, struct dp_buf *b)
{
	struct dp_relation r = relation(o, tool);
	unsigned g;
	int e = 0;

	if (tool->adds == NULL)
		e = dp_relation_lines(&r, b);
	else for (g = 0; g < tool->adds->bands && e == 0; g++) {
		r.columns = tool->adds->width(o, g) * dp_options_columns(o, tool);
		r.sum = most_of(o, tool, g);
		e = dp_relation_lines(&r, b);
	}
	if (e == 0 && o->users.spacing != 0 && !o->users.once) {
		dp_buf_puts(b, "apart ");
		dp_buf_u64(b, o->users.spacing);
		dp_buf_puts(b, "\n");
		e = b->error;
	}
	return e;
}

/* Of all numbers, and of each band of them. */
static void
set_spacing(const struct dp_options *o, struct dp_mech_rule *s)
{
	unsigned g;

	if (o->users.spacing == 0 || o->users.once)	/* once: squares are no K^2 times one's */
		return;
	s->privacy.times = counted(o);
	s->privacy.spacing = o->users.spacing;
	for (g = 0; g < s->bands; g++) {
		s->band[g].reach.times = counted(o);
		s->band[g].reach.spacing = o->users.spacing;
	}
}

void
dp_options_setting(const struct dp_options *o, const struct dp_tool *tool, struct dp_mech_rule *s)
{
	const struct dp_relation r = relation(o, tool);
	const uint64_t below = o->range.lo < 0 ? (uint64_t)-o->range.lo : 0;
	const uint64_t above = o->range.hi > 0 ? (uint64_t)o->range.hi : 0;
	struct dp_distance d;
	int e;

	memset(s, 0, sizeof *s);
	s->task = o->task;
	s->horizon = o->horizon;
	s->bits = o->keys.adds == 0 && o->range.lo == 0 && o->range.hi == 1 &&
	    o->range.places == 0 && o->time.bucket == 0;
	s->pan = o->priv.pan;
	s->open_step = o->time.bucket != 0;
	s->every = o->print.every;
	s->predict = o->priv.report;
	s->lo = o->range.lo;
	s->hi = o->range.hi;
	s->inputs = inputs_of(o, tool);
	s->beta = o->priv.beta > 0 ? o->priv.beta : 1 -
	    (o->print.confidence > 0 ? o->print.confidence : 0.95);
	s->most = tool->adds != NULL ? 0 : below > above ? below : above;
	e = tool->adds != NULL ? bands_distance(o, tool, r, s, &d) : dp_relation_distance(&r, &d);
	if (e != 0)
		dp_die(DP_EX_USAGE,
		    "--range and --per-user: the sensitivity must stay below 2^50 grid units");
	if (o->time.bucket != 0)
		s->most = 0;
	e = dp_privacy_set(&s->privacy, o->priv.exact, o->priv.exact ? dp_q_make(1, 1) :
	    o->priv.epsilon, o->priv.delta,
	    d.l1, d.l2squared);
	if (e != 0)
		dp_die(DP_EX_USAGE, "--epsilon or --delta: %s", dp_strerror(e));
	s->privacy.columns = (unsigned)d.columns;
	s->privacy.wide = d.wide;	/* too wide for Gaussian noise: leave it out */
	s->privacy.linf = d.linf;
	s->privacy.spread = d.spread;
	s->privacy.cells = d.cells;
	set_spacing(o, s);
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

	if (o->users.per_step)
		put_user_step(text, &o->time.span, o->time.tz != NULL ? o->time.tz : "");
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
