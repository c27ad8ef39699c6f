/*
 * cut.c - a pattern's groups as the fields of a line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cut.h"

/* Longer texts are left to the pattern, whose limits (match.c) then hold for them as for others. */
#define SPLIT_MAX	((size_t)32 << 10)

struct dp_cut {
	struct dp_match *match;
	unsigned fields;
	bool (*split)(struct dp_slice, struct dp_slice *, unsigned);	/* NULL: the pattern */
};

_Static_assert(DP_GROUPS_MAX <= DP_FIELDS_MAX, "every group has a field");

/* Fault of the names of the groups, which come sorted. */
static bool
bad_names(const struct dp_cut *c, char why[static DP_MATCH_WHY])
{
	const char *name, *last = "";
	unsigned i;

	for (i = 0; dp_match_named(c->match, i, &name) != 0; last = name, i++)
		if (strcmp(name, last) == 0) {		/* (?J) allows it */
			snprintf(why, DP_MATCH_WHY, "two groups have the name '%s'", name);
			return true;
		}
	if (i == 0)
		snprintf(why, DP_MATCH_WHY, "no group has a name: a field is (?<NAME>...)");
	return i == 0;
}

int
dp_cut_new(struct dp_cut **out, const char *pattern, char why[static DP_MATCH_WHY])
{
	struct dp_cut *c = calloc(1, sizeof *c);
	int e;

	if (c == NULL)
		return DP_ENOMEM;
	e = dp_match_new_groups(&c->match, pattern, &c->fields, why);
	if (e == DP_ERANGE) {
		snprintf(why, DP_MATCH_WHY, "more than %d groups; (?:...) is none", DP_GROUPS_MAX);
		e = DP_ESYNTAX;
	} else if (e == 0 && bad_names(c, why))
		e = DP_ESYNTAX;
	if (e != 0) {
		dp_cut_free(c);
		return e;
	}
	*out = c;
	return 0;
}

int
dp_cut_new_log(struct dp_cut **out, const struct dp_log *l, bool head,
    char why[static DP_MATCH_WHY])
{
	const size_t n = head && l->head != 0 ? l->head : strlen(l->pattern);
	char *pattern = strndup(l->pattern, n);
	int e = pattern == NULL ? DP_ENOMEM : dp_cut_new(out, pattern, why);

	free(pattern);
	if (e == 0)
		(*out)->split = l->split;
	return e;
}

unsigned
dp_cut_fields(const struct dp_cut *c)
{
	return c->fields;
}

unsigned
dp_cut_field(const struct dp_cut *c, const char *name)
{
	const char *known;
	unsigned i, n;

	for (i = 0; (n = dp_match_named(c->match, i, &known)) != 0; i++)
		if (strcmp(name, known) == 0)
			return n;
	return 0;
}

const char *
dp_cut_name(const struct dp_cut *c, unsigned i)
{
	const char *name;

	return dp_match_named(c->match, i, &name) != 0 ? name : NULL;
}

int
dp_cut_record(struct dp_cut *c, struct dp_record *r)
{
	int hit = c->split != NULL && r->text.n <= SPLIT_MAX ?
	    c->split(r->text, r->field, c->fields) :
	    dp_match_groups(c->match, r->text, r->field, c->fields);

	r->nfields = hit == 1 ? c->fields : 0;
	return hit;
}

int
dp_cut_forget(struct dp_cut *c)
{
	return dp_match_forget(c->match);
}

void
dp_cut_free(struct dp_cut *c)
{
	if (c == NULL)
		return;
	dp_match_free(c->match);
	free(c);
}
