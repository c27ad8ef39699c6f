/*
 * event_time.c - when a record's event was: the time field, and what of it stands in the fields
 * after it.
 */
#include <string.h>

#include "events.h"

#define DAY	86400

const char dp_events_no_time[] = "not a time of the given format";

/*
 * True: a time that one field does not hold goes on in the next: of a pattern's groups, too, but
 * for those of a log, which are known; members of JSON have no order.
 */
static bool
in_fields(const struct dp_options *o)
{
	return dp_options_formed(o) ? o->form.cut != NULL && o->form.log == NULL :
	    o->form.csv || (o->form.delimiter >= 0 && o->form.delimiter != ' ');
}

int
dp_events_time_new(struct dp_events *e, int64_t before)
{
	const struct dp_options *o = e->o;
	int rc;

	if (o->time.field.number != 0 && (rc = dp_when_rule(&e->when, o->time.format)) != 0)
		return rc;
	e->when.before = before;
	e->when.zone = o->time.span.zone;
	e->when.whole = o->time.clock.number != 0 ||
	    (o->time.bucket != 0 && o->time.span.unit == DP_SPAN_SECONDS && o->time.span.n < DAY);
	if (e->when.kind != DP_WHEN_EPOCH && o->time.clock.number == 0 && in_fields(o))
		e->following = DP_TIME_FIELDS;
	return 0;
}

bool
dp_events_yearless(const struct dp_events *e)
{
	return e->o->time.field.number != 0 && e->when.kind == DP_WHEN_SYSLOG;
}

void
dp_events_before(struct dp_events *e, int64_t before)
{
	e->when.before = before;
}

/*
 * The zone is looked for where no number is: a value after the time may be -1200.  Of --unit's no
 * other part of the time either: an event more in the total would move all of it to another step.
 */
static bool
holds_number(const struct dp_events *e, unsigned field)
{
	return e->match == NULL && e->value.field.number == field;
}

/* Behind the time field of a line cut at blanks stands the rest of the line. */
static void
rest_of_line(const struct dp_events *e, const struct dp_record *r, struct dp_stamp *s)
{
	const unsigned v = e->value.field.number;

	s->next.p = s->text.p + s->text.n;
	s->next.n = (size_t)(r->text.p + r->text.n - s->next.p);
	s->zone = s->next.n;
	if (v > e->time.number && holds_number(e, v) && v <= r->nfields) {
		s->zone = (size_t)(r->field[v].p - s->next.p);
		if (e->o->range.total != NULL)
			s->next.n = s->zone;
	}
}

/* Of a pattern: a group inside the one before, or of a part of the line before its end. */
static bool
is_before(const struct dp_slice *f, const char *end)
{
	return f->p != NULL && (f->p < end || f->p + f->n == end);
}

/*
 * With a delimiter it is up to DP_TIME_FIELDS fields, with blanks between them; no time is longer
 * than these.  The zone of a time in groups stands in the one with the time of day: another group
 * may be any number with a sign.
 */
#define FOLLOWING	((size_t)64)

static void
next_fields(const struct dp_events *e, const struct dp_record *r, struct dp_stamp *s,
    char buf[static DP_TIME_FIELDS * (FOLLOWING + 1)])
{
	const bool groups = dp_options_formed(e->o);
	const char *end = s->text.p + s->text.n;
	const struct dp_slice *f;
	unsigned i, n = 0;

	s->next.p = buf;
	for (i = e->time.number + 1; n < DP_TIME_FIELDS && i <= r->nfields; i++) {
		f = &r->field[i];
		if (groups && is_before(f, end))
			continue;
		if (f->n == 0 || f->n > FOLLOWING ||
		    (e->o->range.total != NULL && holds_number(e, i)))
			break;
		end = f->p + f->n;
		buf[s->next.n++] = ' ';
		memcpy(buf + s->next.n, f->p, f->n);
		s->next.n += f->n;
		if (s->zone + f->n + 1 == s->next.n && !holds_number(e, i) && !(groups && n > 0))
			s->zone = s->next.n;
		n++;
	}
}

/* A time that one group holds: no other group is looked at. */
static bool
in_one_group(const struct dp_events *e, struct dp_slice text, int64_t *t)
{
	const struct dp_stamp s = { text, { "", 0 }, 0 };
	struct dp_when w = e->when;

	w.whole = true;
	return e->following != 0 && dp_options_formed(e->o) && dp_when_parse(t, &w, &s) == 0;
}

void
dp_events_time(const struct dp_events *e, const struct dp_record *r, struct dp_event *v)
{
	const struct dp_slice *text = dp_events_get(e, r, &e->time, v), *clock = NULL;
	char buf[DP_TIME_FIELDS * (FOLLOWING + 1)];
	struct dp_stamp s = { .next = { "", 0 } };
	int rc;

	if (text == NULL || (e->clock.number != 0 &&
	    (clock = dp_events_get(e, r, &e->clock, v)) == NULL))
		return;
	if (clock == NULL && in_one_group(e, *text, &v->time)) {
		v->timed = true;
		return;
	}
	s.text = *text;
	if (clock != NULL) {
		s.next = *clock;
		s.zone = clock->n;
	} else if (e->following != 0)
		next_fields(e, r, &s, buf);
	else if (!e->o->form.csv && !dp_options_formed(e->o))
		rest_of_line(e, r, &s);
	rc = dp_when_parse(&v->time, &e->when, &s);
	if (rc == DP_ERANGE)
		dp_events_blame(e, &e->time, v, "no time of day");
	else if (rc != 0)
		dp_events_blame(e, &e->time, v, dp_events_no_time);
	else
		v->timed = true;
	if (rc != 0)
		v->with = e->clock.number;
	if (e->following != 0)
		explicit_bzero(buf, s.next.n);	/* pan-private: no copy of the record stays */
}
