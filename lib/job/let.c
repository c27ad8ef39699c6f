/* SPDX-License-Identifier: ISC */
/* let.c - --let: fields that are made of others, and the options that name them. */
#include <string.h>

#include "internal.h"
#include "table.h"

#define LETTERS	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
#define NAME	LETTERS "0123456789"

void
dp_options_made(const struct dp_options *o, struct dp_field *f)
{
	unsigned i;

	for (i = 0; f->name != NULL && i < o->form.lets.n; i++)
		if (strcmp(f->name, o->form.lets.made[i].name) == 0)
			f->number = DP_FIELDS_MAX + 1 + i;
}

/* NAME=FIELD~REGEX or NAME=FIELD:HOW; a field whose name has a ~ or a : of its own has no other. */
static void
read_one(struct dp_options *o, const char *text)
{
	struct dp_let *l = &o->form.lets.made[o->form.lets.n];
	const char *from = strchr(text, '='), *how;
	unsigned i;

	need(o->form.lets.n < DP_LETS_MAX, "--let: more than %d fields are made", DP_LETS_MAX);
	need(from != NULL && strspn(text, NAME) == (size_t)(from - text) &&
	    strspn(text, LETTERS) > 0, "--let: '%s' must be NAME=FIELD~REGEX or NAME=FIELD:HOW, "
	    "with a name of letters, digits and _", text);
	l->name = dp_options_keep(o, text, (size_t)(from - text));
	for (i = 0; i < o->form.lets.n; i++)
		need(strcmp(l->name, o->form.lets.made[i].name) != 0,
		    "--let: two fields are named '%s'", l->name);
	from++;
	l->pattern = (how = strchr(from, '~')) != NULL;
	if (!l->pattern)
		how = strrchr(from, ':');
	need(how != NULL, "--let: '%s' lacks what is made of the field: ~REGEX, whose group it is; "
	    ":page, :host, :domain, :first, :trim, :lower, :/24,/64, or a unit as :ms", text);
	dp_options_field(&l->from, "--let", dp_options_keep(o, from, (size_t)(how - from)));
	l->how = how + 1;
	dp_options_made(o, &l->from);		/* an earlier one */
	o->form.lets.n++;
}

void
dp_options_lets(struct dp_options *o)
{
	const char *p, *end;

	o->form.lets.n = 0;
	for (p = o->form.lets.text; p != NULL; p = *end == '\n' ? end + 1 : NULL) {
		end = p + strcspn(p, "\n");
		read_one(o, dp_options_keep(o, p, (size_t)(end - p)));
	}
}

/* The fields that options name, of those that are made. */
void
dp_options_lets_used(struct dp_options *o)
{
	struct dp_field *const all[] = { &o->form.value, &o->users.field, &o->time.field,
	    &o->time.clock, &o->keys.field, &o->keys.then[0], &o->keys.then[1], &o->keys.then[2],
	    &o->range.weight.field };
	unsigned i;

	for (i = 0; i < sizeof all / sizeof *all; i++)
		dp_options_made(o, all[i]);
	for (i = 0; i < DP_KEY_FIELDS; i++) {
		dp_options_made(o, &o->users.several.part[i]);
		dp_options_made(o, &o->form.several.part[i]);
	}
}
