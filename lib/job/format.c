/* SPDX-License-Identifier: ISC */
/*
 * format.c - format strings of goaccess and nginx as patterns of --cut.
 *
 * A field of a format ends where the byte behind it in the format is, so that no field has that
 * byte in it; between quotes a backslash takes the next byte with it.  Fields have the names that
 * the logs of --log have.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dp.h"
#include "internal.h"

struct pattern {
	char *p;
	size_t n, room;
	const char *why;	/* the first fault; NULL: none */
};

static void
put_text(struct pattern *t, const char *s)
{
	const size_t n = strlen(s);

	if (n >= t->room - t->n) {
		t->why = "is too long";
		return;
	}
	memcpy(t->p + t->n, s, n + 1);
	t->n += n;
}

/* A byte that is itself. */
static void
put_literal(struct pattern *t, char c)
{
	const char escaped[] = { '\\', c, '\0' }, plain[] = { c, '\0' };

	put_text(t, strchr("\\^$.[]|()?*+{}", c) != NULL ? escaped : plain);
}

/* What a field is made of that ends before this byte. */
static void
put_until(struct pattern *t, char end)
{
	char set[] = { '[', '^', end == ']' || end == '^' || end == '\\' ? '\\' : end,
		end == ']' || end == '^' || end == '\\' ? end : ']', '\0', '\0' };

	if (set[2] == '\\')
		set[4] = ']';
	if (end == '\0')
		put_text(t, ".*+");
	else if (end == '"')
		put_text(t, "[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+");
	else {
		put_text(t, set);
		put_text(t, "*+");
	}
}

static void
put_group(struct pattern *t, const char *name, char end)
{
	put_text(t, "(?<");
	put_text(t, name);
	put_text(t, ">");
	if (strcmp(name, "request") == 0) {
		put_text(t, "(?<method>[^ \"\\\\]++) (?<path>[^ \"\\\\]++)"
		    "(?: (?<protocol>[^ \"\\\\]++))?+(?=\")|");
		put_until(t, end);
	} else if (strcmp(name, "status") == 0)
		put_text(t, "[0-9]{3}|-");
	else if (strcmp(name, "size") == 0)
		put_text(t, "[0-9]++|(?=-)");
	else
		put_until(t, end);
	put_text(t, strcmp(name, "size") == 0 ? ")-?+" : ")");
}

/* Names of goaccess's letters, and of nginx's variables that have others here. */
static const struct known {
	const char *is, *name;
} letter[] = {
	{ "h", "host" }, { "v", "vhost" }, { "e", "user" }, { "r", "request" }, { "m", "method" },
	{ "U", "path" }, { "q", "query" }, { "H", "protocol" }, { "s", "status" }, { "b", "size" },
	{ "R", "referer" }, { "u", "agent" }, { "D", "us" }, { "T", "seconds" }, { "L", "ms" },
	{ "n", "ns" }, { "C", "cache" }, { "M", "mime" }, { "K", "tls" }, { "k", "cipher" },
	{ "x", "time" }
}, variable[] = {
	{ "remote_addr", "host" }, { "remote_user", "user" }, { "time_local", "time" },
	{ "time_iso8601", "time" }, { "body_bytes_sent", "size" }, { "http_referer", "referer" },
	{ "http_user_agent", "agent" }, { "host", "vhost" }, { "server_name", "vhost" }
};
#define LETTERS		(sizeof letter / sizeof *letter)
#define VARIABLES	(sizeof variable / sizeof *variable)

static const char *
known_name(const struct known *k, size_t n, const char *is, size_t length)
{
	for (; n > 0; k++, n--)
		if (strlen(k->is) == length && memcmp(k->is, is, length) == 0)
			return k->name;
	return NULL;
}

/* The byte that ends a field, behind which the format goes on at p. */
static char
end_of(struct pattern *t, const char *p)
{
	if (*p == '%' || *p == '$')
		t->why = "has two fields with nothing between them, so that neither has an end";
	return *p;
}

/* %d:%t, and a zone behind it: a time of the Common Log Format. */
static const char *
put_day(struct pattern *t, const char *p)
{
	if (strncmp(p, "%d:%t", 5) != 0) {
		t->why = "has %d or %t otherwise than as %d:%t, a time as nginx writes it: --cut "
		    "and --time-format read others";
		return p;
	}
	p += 5;
	if (strncmp(p, " %^", 3) == 0)
		p += 3;
	put_group(t, "time", end_of(t, p));
	return p;
}

static const char *
put_letter(struct pattern *t, const char *p)
{
	const char *name;

	if (p[1] == 'd' || p[1] == 't')
		return put_day(t, p);
	p += 2;
	if (p[-1] == '~')
		put_text(t, " *+");
	else if (p[-1] == '^')
		put_until(t, end_of(t, p));
	else if ((name = known_name(letter, LETTERS, p - 1, 1)) != NULL)
		put_group(t, name, end_of(t, p));
	else if (p[-1] != '%') {
		t->why = "has a letter behind % that goaccess does not know (of Apache's format "
		    "strings the usual ones are --log=common and combined)";
		return p;
	} else
		put_literal(t, '%');
	return p;
}

static const char *
put_variable(struct pattern *t, const char *p)
{
	const size_t n = strspn(p + 1, "abcdefghijklmnopqrstuvwxyz0123456789_");
	const char *known = known_name(variable, VARIABLES, p + 1, n);
	char name[33] = "";

	if (n == 0 || n >= sizeof name || (p[1] >= '0' && p[1] <= '9')) {
		t->why = "has a $ without the name of a variable, of 32 bytes at most";
		return p;
	}
	memcpy(name, p + 1, n);
	put_group(t, known != NULL ? known : name, end_of(t, p + 1 + n));
	return p + 1 + n;
}

char *
dp_format_pattern(const char *format, const char **why)
{
	struct pattern t = { .room = 40 * strlen(format) + 400 };
	const char *p = format;

	*why = NULL;
	if (strpbrk(format, "%$") == NULL) {
		*why = "has no field: what goaccess has by a name --log has, too (--log=list)";
		return NULL;
	}
	if ((t.p = malloc(t.room)) == NULL)
		return NULL;
	put_text(&t, "^");
	while (*p != '\0' && t.why == NULL)
		if (*p == '%' && p[1] != '\0')
			p = put_letter(&t, p);
		else if (*p == '$')
			p = put_variable(&t, p);
		else
			put_literal(&t, *p++);
	if (t.why == NULL)
		return t.p;
	*why = t.why;
	free(t.p);
	return NULL;
}
