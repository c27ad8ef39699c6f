/* SPDX-License-Identifier: ISC */
/* behind.c - lines whose message is a line of another log. */
#include <stdlib.h>
#include <string.h>

#include "base/logs.h"
#include "internal.h"

/* Of a container's JSON: the message, and what else such an object has. */
static const char *const container[] = { NULL, "time", "stream" };
#define MEMBERS	(sizeof container / sizeof *container)

struct dp_behind {
	const struct dp_log *log;
	struct dp_cut *cut;		/* of the outer log; NULL: json */
	struct dp_json *json;
	struct dp_record outer;		/* the line as the outer log has it */
	unsigned message;		/* its field */
};

static int
json_behind(struct dp_behind *b)
{
	const char *path[MEMBERS];

	memcpy(path, container, sizeof path);
	path[0] = b->log->message;
	b->message = 1;
	return dp_json_new(&b->json, path, MEMBERS, true);
}

int
dp_behind_new(struct dp_behind **out, const struct dp_log *outer, char why[static DP_MATCH_WHY])
{
	struct dp_behind *b = calloc(1, sizeof *b);
	int e;

	if (b == NULL)
		return DP_ENOMEM;
	b->log = outer;
	if (outer->pattern == NULL)
		e = json_behind(b);
	else if ((e = dp_cut_new_log(&b->cut, outer, false, why)) == 0)
		b->message = dp_cut_field(b->cut, outer->message);
	if (e != 0) {
		dp_behind_free(b);
		return e;
	}
	*out = b;
	return 0;
}

unsigned
dp_behind_fields(const struct dp_behind *b)
{
	return b->cut != NULL ? dp_cut_fields(b->cut) : MEMBERS;
}

unsigned
dp_behind_field(const struct dp_behind *b, const char *name)
{
	unsigned i;

	if (b->cut != NULL)
		return dp_cut_field(b->cut, name);
	for (i = 1; i < MEMBERS; i++)
		if (strcmp(name, container[i]) == 0)
			return i + 1;
	return strcmp(name, b->log->message) == 0;
}

/* A container's text has the newline that ended the line. */
static struct dp_slice
without_newline(struct dp_slice s)
{
	if (s.n > 0 && s.p[s.n - 1] == '\n')
		s.n--;
	if (s.n > 0 && s.p[s.n - 1] == '\r')
		s.n--;
	return s;
}

int
dp_behind_record(struct dp_behind *b, struct dp_cut *inner, struct dp_record *r)
{
	const unsigned n = dp_cut_fields(inner), more = dp_behind_fields(b);
	const struct dp_slice text = r->text;
	int hit;

	b->outer.text = text;
	hit = b->cut != NULL ? dp_cut_record(b->cut, &b->outer) :
	    dp_json_record(b->json, &b->outer);
	r->nfields = 0;
	if (hit != 1 || b->outer.field[b->message].p == NULL)
		return hit < 0 ? hit : 0;
	r->text = without_newline(b->outer.field[b->message]);
	hit = dp_cut_record(inner, r);
	r->text = text;
	if (hit != 1)
		return hit;
	memcpy(r->field + n + 1, b->outer.field + 1, more * sizeof *r->field);
	r->nfields = n + more;
	return 1;
}

bool
dp_log_behind(const struct dp_log *outer, const struct dp_log *inner, struct dp_slice text)
{
	struct dp_record r = { .text = text };
	struct dp_behind *b = NULL;
	struct dp_cut *c = NULL;
	char why[DP_MATCH_WHY];
	bool is;

	is = inner->pattern != NULL && dp_behind_new(&b, outer, why) == 0 &&
	    dp_cut_new_log(&c, inner, false, why) == 0 && dp_behind_record(b, c, &r) == 1;
	dp_behind_free(b);
	dp_cut_free(c);
	return is;
}

int
dp_behind_forget(struct dp_behind *b)
{
	explicit_bzero(&b->outer, sizeof b->outer);
	return b->cut == NULL ? 0 : dp_cut_forget(b->cut);
}

void
dp_behind_free(struct dp_behind *b)
{
	if (b == NULL)
		return;
	dp_cut_free(b->cut);
	dp_json_free(b->json);
	free(b);
}
