/*
 * event_form.c - how a record is cut into fields, and whether it is an event at all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"

/* Fields that -v, -t (two), -k (four) and -u name; behind them stand those of conditions. */
#define FIELDS	(4 + DP_KEY_FIELDS)

static struct dp_field *
field(struct dp_events *e, size_t i)
{
	struct dp_field *const all[FIELDS] = { &e->value, &e->time, &e->clock, &e->key.field,
	    &e->key.then[0], &e->key.then[1], &e->key.then[2], &e->user };

	return i < FIELDS ? all[i] : &e->condition[i - FIELDS].field;
}

static int
conditions_new(struct dp_events *e)
{
	const struct dp_options *o = e->o;
	char why[DP_MATCH_WHY] = "";
	size_t i;
	int rc;

	if (o->form.conditions > 0 &&
	    (e->condition = calloc(o->form.conditions, sizeof *e->condition)) == NULL)
		return DP_ENOMEM;
	for (i = 0; i < o->form.conditions; i++, e->conditions++) {
		e->condition[i].field = o->form.condition[i].field;
		rc = dp_match_new(&e->condition[i].match, o->form.condition[i].pattern, false,
		    false,
		    why);
		if (rc == DP_ESYNTAX)
			dp_die(DP_EX_USAGE, "--where: %s", why);
		if (rc != 0)
			return rc;
	}
	return 0;
}

static _Noreturn void
no_group(const struct dp_events *e, const char *name)
{
	char all[400] = "";
	const char *known;
	size_t n = 0;
	unsigned i;

	for (i = 0; (known = dp_cut_name(e->cut, i)) != NULL && n < sizeof all; i++)
		n += (size_t)snprintf(all + n, sizeof all - n, " %s", known);
	dp_die(DP_EX_USAGE, "'%s' is no field of --%s: those are%s", name,
	    e->o->form.log != NULL ? "log" : "cut", all);
}

/* True: a pattern has all fields that are asked for. */
static bool
has_fields(struct dp_events *e, const struct dp_cut *c)
{
	const struct dp_field *f;
	size_t i;

	for (i = 0; i < FIELDS + e->conditions; i++) {
		f = field(e, i);
		if (f->name != NULL ? dp_cut_field(c, f->name) == 0 : f->number > dp_cut_fields(c))
			return false;
	}
	return true;
}

/* The head of a log's pattern is faster than all of it, and may do. */
static int
cut_log(struct dp_events *e, char why[static DP_MATCH_WHY])
{
	int rc = dp_cut_new_log(&e->cut, e->o->form.log, true, why);

	if (rc == 0 && e->o->form.log->head != 0 && !has_fields(e, e->cut)) {
		dp_cut_free(e->cut);
		e->cut = NULL;
		rc = dp_cut_new_log(&e->cut, e->o->form.log, false, why);
	}
	return rc;
}

/* Names and numbers of groups. */
static int
cut_new(struct dp_events *e)
{
	const struct dp_options *o = e->o;
	char why[DP_MATCH_WHY] = "";
	struct dp_field *f;
	size_t i;
	int rc;

	rc = o->form.log != NULL ? cut_log(e, why) : dp_cut_new(&e->cut, o->form.cut, why);
	if (rc == DP_ESYNTAX)
		dp_die(DP_EX_USAGE, "--cut: %s", why);
	if (rc != 0)
		return rc;
	for (i = 0; i < FIELDS + e->conditions; i++) {
		f = field(e, i);
		if (f->name != NULL && (f->number = dp_cut_field(e->cut, f->name)) == 0)
			no_group(e, f->name);
		if (f->number > dp_cut_fields(e->cut))
			dp_die(DP_EX_USAGE, "field %u: --cut has only %u groups", f->number,
			    dp_cut_fields(e->cut));
	}
	return 0;
}

/* Fields are numbered as the options name them. */
static int
json_new(struct dp_events *e)
{
	const char *path[DP_FIELDS_MAX];
	struct dp_field *f;
	unsigned n = 0;
	size_t i;

	for (i = 0; i < FIELDS + e->conditions; i++) {
		f = field(e, i);
		if (f->name == NULL)
			continue;
		if (n < DP_FIELDS_MAX)
			path[n++] = f->name;
		else
			dp_die(DP_EX_USAGE, "--where: more than %d fields", DP_FIELDS_MAX);
		f->number = n;
	}
	return dp_json_new(&e->json, path, n);
}

int
dp_events_form_new(struct dp_events *e)
{
	int rc = conditions_new(e);

	if (rc == 0 && e->o->form.cut != NULL)
		rc = cut_new(e);
	else if (rc == 0 && e->o->form.json)
		rc = json_new(e);
	return rc;
}

void
dp_events_form_free(struct dp_events *e)
{
	size_t i;

	for (i = 0; i < e->conditions; i++)
		dp_match_free(e->condition[i].match);
	free(e->condition);
	dp_cut_free(e->cut);
	dp_json_free(e->json);
}

int
dp_events_form_forget(struct dp_events *e)
{
	int rc = e->cut == NULL ? 0 : dp_cut_forget(e->cut);
	size_t i;

	for (i = 0; i < e->conditions && rc == 0; i++)
		rc = dp_match_forget(e->condition[i].match);
	return rc;
}

/* True: a line without a match is no event.  With contributions it is an event that counts 0. */
static bool
decides(const struct dp_events *e)
{
	return e->match != NULL && e->value.number == 0 && e->adds == NULL;
}

bool
dp_events_seldom(const struct dp_events *e)
{
	size_t i;

	if (e->o->form.csv)
		return false;
	for (i = 0; i < e->conditions; i++)
		if (e->condition[i].field.number == 0)
			return true;
	return decides(e);
}

struct dp_match *
dp_events_literal(const struct dp_events *e)
{
	size_t i;

	if (decides(e) && !e->o->form.invert && dp_match_literal(e->match))
		return e->match;
	for (i = 0; i < e->conditions; i++)
		if (e->condition[i].field.number == 0 && dp_match_literal(e->condition[i].match))
			return e->condition[i].match;
	return NULL;
}

bool
dp_events_cut(const struct dp_events *e, struct dp_record *r, struct dp_event *v)
{
	int rc = 1;

	if (v->cut)
		return true;
	if (e->cut != NULL)
		rc = dp_cut_record(e->cut, r);
	else if (e->json != NULL)
		rc = dp_json_record(e->json, r);
	else if (e->lines.fields != 0)
		dp_record_cut(r, e->o->form.delimiter, e->lines.fields);
	if (rc < 0)
		v->error = rc;
	if (rc == 0)
		v->why = e->json != NULL ? "no JSON object" : e->o->form.log != NULL ?
		    "the line does not match --log" : "the line does not match --cut";
	return v->cut = rc == 1;
}

struct dp_slice
dp_events_field(const struct dp_events *e, const struct dp_record *r, const char *name)
{
	const unsigned n = e->cut == NULL ? 0 : dp_cut_field(e->cut, name);

	return n != 0 && n <= r->nfields ? r->field[n] : (struct dp_slice){ NULL, 0 };
}

/* An absent field matches nothing. */
static bool
holds(const struct dp_events_condition *c, const struct dp_record *r, struct dp_event *v)
{
	const unsigned n = c->field.number;
	int hit;

	if (n != 0 && (n > r->nfields || r->field[n].p == NULL))
		return false;
	if ((hit = dp_match_test(c->match, n == 0 ? r->text : r->field[n])) < 0)
		v->error = hit;
	return hit == 1;
}

bool
dp_events_holds(const struct dp_events *e, struct dp_record *r, struct dp_event *v)
{
	size_t i, of_fields = 0;

	for (i = 0; i < e->conditions; i++)
		if (e->condition[i].field.number != 0)
			of_fields++;
		else if (!holds(&e->condition[i], r, v))
			return false;
	if (of_fields > 0 && !dp_events_cut(e, r, v))
		return false;
	for (i = 0; i < e->conditions && of_fields > 0; i++)
		if (e->condition[i].field.number != 0 && !holds(&e->condition[i], r, v))
			return false;
	return true;
}
