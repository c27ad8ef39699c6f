/* SPDX-License-Identifier: ISC */
/*
 * pairs.c - lines of pairs: LABEL:VALUE between tabs (LTSV), or NAME=VALUE between blanks (logfmt).
 *
 * Every part of a line must be a pair, or the line is malformed: words of other programs are none;
 * of LTSV there must be two.
 * Of two pairs of one name the last counts.  In logfmt a value may stand in double quotes, where a
 * backslash takes the next byte with it: \n, \t and \r are the bytes that they name, and any other
 * byte is itself; nothing but a blank may follow the closing quote.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct dp_pairs {
	const char *p, *e;	/* what is left of the line */
	struct dp_buf plain;	/* texts without backslashes; together no longer than the line */
	size_t used;
	char between;
	unsigned n;
	const char *path[];
};

int
dp_pairs_new(struct dp_pairs **out, char between, const char *const *path, unsigned n)
{
	struct dp_pairs *l = calloc(1, sizeof *l + n * sizeof l->path[0]);

	if (l == NULL)
		return DP_ENOMEM;
	l->between = between;
	l->n = n;
	if (n > 0)
		memcpy(l->path, path, n * sizeof *path);
	*out = l;
	return 0;
}

/* A byte of a name; a first one is no digit and no mark, or 1=2 would be a pair. */
static bool
of_name(char c, bool first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '@' ||
	    (!first && ((c >= '0' && c <= '9') || c == '.' || c == '-' || c == '/'));
}

/* The name, and what ends it. */
static bool
pair_name(struct dp_pairs *l, struct dp_slice *name)
{
	const char *from = l->p;

	while (l->p < l->e && of_name(*l->p, l->p == from))
		l->p++;
	*name = (struct dp_slice){ from, (size_t)(l->p - from) };
	return name->n > 0 && l->p < l->e && *l->p++ == (l->between == '\t' ? ':' : '=');
}

/* A text between quotes; its backslashes are gone.  false: it does not end, or goes on. */
static bool
quoted_pair(struct dp_pairs *l, struct dp_slice *s)
{
	static const char from[] = "nrt", into[] = "\n\r\t";
	const char *at;
	char *to;

	if (l->p == l->e)
		return false;
	if (l->plain.n == 0)
		dp_buf_add(&l->plain, l->p, (size_t)(l->e - l->p));
	if (l->plain.error != 0)
		return false;
	to = l->plain.p + l->used;
	s->p = to;
	for (; l->p < l->e && *l->p != '"'; l->p++) {
		if (*l->p != '\\') {
			*to++ = *l->p;
			continue;
		}
		if (++l->p == l->e)
			return false;
		at = *l->p == '\0' ? NULL : strchr(from, *l->p);
		*to++ = at != NULL ? into[at - from] : *l->p;
	}
	s->n = (size_t)(to - s->p);
	l->used += s->n;
	if (l->p == l->e)
		return false;
	l->p++;
	return l->p == l->e || *l->p == ' ';
}

static bool
pair_value(struct dp_pairs *l, struct dp_slice *s)
{
	const char *end;

	if (l->between != '\t' && l->p < l->e && *l->p == '"') {
		l->p++;
		return quoted_pair(l, s);
	}
	end = l->p == l->e ? NULL : memchr(l->p, l->between, (size_t)(l->e - l->p));
	end = end == NULL ? l->e : end;
	*s = (struct dp_slice){ l->p, (size_t)(end - l->p) };
	l->p = end;
	return l->between == '\t' || s->n == 0 || memchr(s->p, '"', s->n) == NULL;
}

int
dp_pairs_record(struct dp_pairs *l, struct dp_record *r)
{
	struct dp_slice name, s = { NULL, 0 };
	bool good = r->text.n > 0;
	unsigned i, pairs = 0;

	l->p = r->text.p;
	l->e = r->text.n == 0 ? r->text.p : r->text.p + r->text.n;
	l->used = 0;
	dp_buf_reset(&l->plain);
	for (i = 1; i <= l->n; i++)
		r->field[i] = (struct dp_slice){ NULL, 0 };
	while (good && l->p < l->e) {
		if (!(good = pair_name(l, &name) && pair_value(l, &s)))
			break;
		pairs++;
		for (i = 0; i < l->n; i++)
			if (strncmp(l->path[i], name.p, name.n) == 0 && l->path[i][name.n] == '\0')
				r->field[i + 1] = s;
		for (i = 0; l->p < l->e && *l->p == l->between && (i == 0 || *l->p == ' '); i++)
			l->p++;
	}
	/* a word and a colon begin lines of many programs */
	good = good && (pairs > 1 || l->between != '\t');
	r->nfields = good ? l->n : 0;
	return l->plain.error != 0 ? l->plain.error : good;
}

bool
dp_log_pairs(char between, struct dp_slice text)
{
	struct dp_record r = { .text = text };
	struct dp_pairs *l;
	bool is;

	if (dp_pairs_new(&l, between, NULL, 0) != 0)
		return false;
	is = dp_pairs_record(l, &r) == 1;
	dp_pairs_free(l);
	return is;
}

void
dp_pairs_free(struct dp_pairs *l)
{
	if (l == NULL)
		return;
	dp_buf_free(&l->plain);
	free(l);
}
