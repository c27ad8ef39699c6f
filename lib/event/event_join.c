/*
 * event_join.c - what names a user or an identifier: a field, or several that are joined; and what
 * names nobody.
 *
 * The texts of several fields are joined by commas, with a backslash before each comma and
 * backslash that a text has of its own, so that no two lists of texts give the same bytes.  A field
 * that is not there is an empty one.
 *
 * An empty text names nobody, as does that of a log for a field without a value; of several fields
 * all must be so.  Nobody's events count nowhere: no unit that is protected has any of them.
 */
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "events.h"

/* A whole record, if each of its bytes needs a backslash, and the commas. */
#define ROOM	(2 * DP_RECORD_MAX + DP_KEY_FIELDS)

const char dp_events_no_user[] = "no user", dp_events_no_symbol[] = "no symbol";

struct dp_events_text {
	struct dp_slice s;
	char room[ROOM];
};

int
dp_events_join_new(const struct dp_events *e, struct dp_events_several *j,
    const struct dp_fields *of)
{
	const struct dp_options *o = e->o;

	j->of = *of;
	if (of->n == 0)
		return 0;
	if (!o->form.header)	/* no field has the whole name */
		j->field = (struct dp_field){ NULL, 1 };
	return (j->text = calloc(1, sizeof *j->text)) == NULL ? DP_ENOMEM : 0;
}

const char *
dp_events_join_header(struct dp_events_several *j, const struct dp_record *r)
{
	unsigned i;

	if ((j->named = dp_events_resolve(&j->field, r)) || j->of.n == 0)
		return j->named ? NULL : j->field.name;
	for (i = 0; i < j->of.n; i++)
		if (!dp_events_resolve(&j->of.part[i], r))
			return j->of.part[i].name;
	return NULL;
}

void
dp_events_join_forget(struct dp_events_several *j)
{
	if (j->text == NULL)
		return;
	sodium_memzero(j->text->room, j->text->s.n);
	j->text->s = (struct dp_slice){ NULL, 0 };
}

void
dp_events_join_free(struct dp_events_several *j)
{
	dp_events_join_forget(j);
	free(j->text);
}

bool
dp_events_nobody(const struct dp_events *e, struct dp_slice s)
{
	const struct dp_log *log = e->o->form.log;

	return s.n == 0 || (s.n == 1 && *s.p == '-' &&
	    (e->lines.directives || (log != NULL && log->dash)));
}

/* The i-th field's text; NULL: it is not there. */
static const struct dp_slice *
part(const struct dp_events_several *j, const struct dp_record *r, unsigned i)
{
	const unsigned n = j->of.part[i].number;

	return n <= r->nfields && r->field[n].p != NULL ? &r->field[n] : NULL;
}

/* Appends a text; false: groups of --cut overlap, and have more than a record. */
static bool
append(struct dp_events_text *t, struct dp_slice s, bool key)
{
	char *to = t->room + t->s.n;
	size_t i;

	if (s.n > (ROOM - t->s.n) / 2)
		return false;
	for (i = 0; i < s.n; i++) {
		if (!key && (s.p[i] == ',' || s.p[i] == '\\'))
			*to++ = '\\';
		*to++ = s.p[i];
	}
	t->s.n = (size_t)(to - t->room);
	return true;
}

const struct dp_slice *
dp_events_text(const struct dp_events *e, const struct dp_events_several *j,
    const struct dp_record *r, struct dp_event *v)
{
	const bool key = e->shape == DP_SHAPE_SYMBOL;	/* declared, as -k A,B has it */
	struct dp_events_text *t = j->text;
	const struct dp_field *missing = NULL;
	const struct dp_slice *s;
	bool some = false;
	unsigned i, there = 0;

	if (j->of.n == 0 || j->named)
		return dp_events_get(e, r, &j->field, v);
	t->s = (struct dp_slice){ t->room, 0 };
	for (i = 0; i < j->of.n; i++) {
		if (i > 0)
			t->room[t->s.n++] = key ? '/' : ',';
		if ((s = part(j, r, i)) == NULL) {
			missing = &j->of.part[i];
			continue;
		}
		there++;
		if (!key && dp_events_nobody(e, *s))
			continue;
		some = true;
		if (!append(t, *s, key)) {
			dp_events_blame(e, &j->field, v, "the fields are too long together");
			return NULL;
		}
	}
	if (there == 0 || (key && there < j->of.n))
		return dp_events_get(e, r, missing, v);		/* says so */
	if (!some)
		t->s.n = 0;
	return &t->s;
}

void
dp_events_user(const struct dp_events *e, const struct dp_record *r, struct dp_event *v)
{
	const struct dp_slice *s = dp_events_text(e, &e->user, r, v);

	if (s == NULL)
		return;
	v->user = *s;
	if (!dp_events_nobody(e, *s) || !v->counts)
		return;
	v->counts = false;
	v->none = dp_events_no_user;
	v->text = (struct dp_slice){ NULL, 0 };
}
