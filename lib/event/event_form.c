/*
 * event_form.c - how a record is cut into fields, and whether it is an event at all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"

/* Fields that -v, -t (two), -k (four) and -u name; behind them stand those of conditions. */
#define FIELDS	(4 + 3 * DP_KEY_FIELDS)

static struct dp_field *
field(struct dp_events *e, size_t i)
{
	struct dp_field *const all[FIELDS] = { &e->value.field, &e->time, &e->clock, &e->key.field,
	    &e->key.then[0], &e->key.then[1], &e->key.then[2], &e->user.field,
	    &e->value.of.part[0], &e->value.of.part[1], &e->value.of.part[2],
	    &e->value.of.part[3], &e->user.of.part[0], &e->user.of.part[1],
	    &e->user.of.part[2], &e->user.of.part[3] };

	return i < FIELDS ? all[i] : &e->condition[i - FIELDS].field;
}

static int
condition_new(struct dp_events_condition *c, const struct dp_condition *o)
{
	char why[DP_MATCH_WHY] = "";
	int rc;

	*c = (struct dp_events_condition){ .field = o->field, .op = o->op,
	    .value = { o->pattern, strlen(o->pattern) }, .number = o->number };
	if (c->op != DP_OP_MATCH)
		return 0;
	rc = dp_match_new(&c->match, o->pattern, false, false, why);
	if (rc == DP_ESYNTAX)
		dp_die(DP_EX_USAGE, "--where: %s", why);
	return rc;
}

static int
conditions_new(struct dp_events *e)
{
	const struct dp_options *o = e->o;
	size_t i;
	int rc;

	if (o->form.conditions > 0 &&
	    (e->condition = calloc(o->form.conditions, sizeof *e->condition)) == NULL)
		return DP_ENOMEM;
	for (i = 0; i < o->form.conditions; i++, e->conditions++)
		if ((rc = condition_new(&e->condition[i], &o->form.condition[i])) != 0)
			return rc;
	return 0;
}

/* The i-th field is that of a comparison, whose text may have been meant as a pattern. */
static bool
is_compared(const struct dp_events *e, size_t i)
{
	return i >= FIELDS && e->condition[i - FIELDS].op != DP_OP_MATCH;
}

static _Noreturn void
no_group(const struct dp_events *e, const char *name, bool compared)
{
	char all[400] = "";
	const char *known;
	size_t n = 0;
	unsigned i;

	for (i = 0; (known = dp_cut_name(e->cut, i)) != NULL && n < sizeof all; i++)
		n += (size_t)snprintf(all + n, sizeof all - n, " %s", known);
	dp_die(DP_EX_USAGE, "%s'%s' is no field of --%s: those are%s%s", compared ? "--where: " :
	    "", name, e->o->form.log != NULL ? "log" : "cut", all, compared ?
	    " (for a = < > of a pattern of the line write [=])" : "");
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
			no_group(e, f->name, is_compared(e, i));
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
		if (e->condition[i].match != NULL)
			rc = dp_match_forget(e->condition[i].match);
	return rc;
}

/* True: a line without a match is no event.  With contributions it is an event that counts 0. */
static bool
decides(const struct dp_events *e)
{
	return e->match != NULL && e->value.field.number == 0 && e->adds == NULL;
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

/* By bytes, a text that another begins with before that. */
static int
compare_texts(struct dp_slice a, struct dp_slice b)
{
	const int order = memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);

	return order != 0 ? order : (a.n > b.n) - (a.n < b.n);
}

/*
 * As numbers where the value is one, exactly, else as texts.  A field that is no number then is
 * another one than the value, and neither above nor below.  An empty field, or one that is not
 * there, compares with nothing, not even by !=, but that the empty value asks which it is.
 */
static bool
compares(const struct dp_events_condition *c, struct dp_slice s)
{
	int order;

	if (c->value.n == 0)
		return (s.n == 0) == (c->op == DP_OP_EQUAL);
	if (s.n == 0)
		return false;
	if (!c->number)
		order = compare_texts(s, c->value);
	else if (dp_decimal_compare(&order, s, c->value) != 0)
		return c->op == DP_OP_OTHER;
	switch (c->op) {
	case DP_OP_EQUAL:
		return order == 0;
	case DP_OP_OTHER:
		return order != 0;
	case DP_OP_BELOW:
		return order < 0;
	case DP_OP_UP_TO:
		return order <= 0;
	case DP_OP_ABOVE:
		return order > 0;
	case DP_OP_FROM:
		return order >= 0;
	case DP_OP_MATCH:
		break;
	}
	return false;
}

/* An absent field matches nothing. */
static bool
holds(const struct dp_events_condition *c, const struct dp_record *r, struct dp_event *v)
{
	const unsigned n = c->field.number;
	const bool absent = n != 0 && (n > r->nfields || r->field[n].p == NULL);
	int hit;

	if (c->op != DP_OP_MATCH)
		return compares(c, absent ? (struct dp_slice){ "", 0 } : r->field[n]);
	if (absent)
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
