/*
 * options_keys.c - lists of names: declared keys, an alphabet, a universe.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keys.h"
#include "options_table.h"
#include "stream/names.h"

static void
add_text(struct dp_ask_keys *keys, const char *option, const char *p, size_t n)
{
	if (memchr(p, '\0', n) != NULL)
		dp_die(DP_EX_USAGE, "--%s: a key has a NUL byte", option);
	if (keys->n == DP_KEYS_MAX)
		dp_die(DP_EX_USAGE, "--%s: more than %d keys", option, DP_KEYS_MAX);
	if ((keys->n & (keys->n - 1)) == 0 &&		/* room for twice as many */
	    (keys->name = realloc(keys->name,
	    (keys->n == 0 ? 1 : 2 * keys->n) * sizeof *keys->name)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if ((keys->name[keys->n++] = strndup(p, n)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
}

static _Noreturn void
bad_length(const char *option)
{
	dp_die(DP_EX_USAGE, "--%s: a key must have 1 to %d bytes", option, DP_KEY_MAX);
}

/* Two quotes are the empty key. */
static void
add_key(struct dp_ask_keys *keys, const char *option, const char *p, size_t n)
{
	if (n == 2 && memcmp(p, "\"\"", 2) == 0 && strcmp(option, "keys") == 0)
		n = 0;
	else if (n == 0 || n > DP_KEY_MAX)
		bad_length(option);
	add_text(keys, option, p, n);
}

/* The end of a key in quotes, as in CSV; NULL: none begins at p, or its quotes are of its text. */
static const char *
quoted_end(const char *p, const char *ends)
{
	if (*p != '"')
		return NULL;
	while ((p = strchr(p + 1, '"')) != NULL && p[1] == '"')
		p++;
	return p != NULL && strchr(ends, p[1]) != NULL ? p + 1 : NULL;	/* or at the end */
}

/* Takes the key at p without its quotes, DP_KEY_MAX bytes of it and one more; returns its end. */
static const char *
take_key(char to[static DP_KEY_MAX + 1], size_t *n, const char *p, const char *ends)
{
	const char *end = quoted_end(p, ends), *last;
	const bool quoted = end != NULL;

	end = quoted ? end : p + strcspn(p, ends);
	last = end - quoted;
	for (*n = 0, p += quoted; p < last && *n <= DP_KEY_MAX; p++) {
		p += quoted && *p == '"';		/* the first of two */
		to[(*n)++] = *p;
	}
	return end;
}

static void
check_twice(const struct dp_ask_keys *keys, const char *option)
{
	char text[DP_SHOWN_TEXT];
	int e = 0;
	const char *twice = dp_names_twice(keys->name, keys->n, &e);

	if (e != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (twice != NULL)
		dp_die(DP_EX_USAGE, "--%s: '%s' is there twice", option,
		    dp_shown(text, twice, strlen(twice)));
}

#define LINE	(DP_KEY_MAX + 8)	/* with a byte order mark, and the end of a line */

/* The next line, its newline included, at most LINE bytes of it; 0: the file's end. */
static size_t
next_line(FILE *fp, char line[static LINE])
{
	size_t n = 0;
	int c;

	while (n < LINE && (c = getc_unlocked(fp)) != EOF)
		if ((line[n++] = (char)c) == '\n')
			break;
	return n;
}

static void
keys_of_file(struct dp_ask_keys *keys, const char *option, const char *path)
{
	const char *key, *why;
	char line[LINE + 1] = "";
	size_t n, length, all = 0;
	FILE *fp;

	if ((fp = fopen(path, "re")) == NULL)
		dp_options_bad_file(option, path);
	for (; (n = next_line(fp, line)) > 0; all += n) {
		key = line;
		length = n;
		if ((why = dp_keys_line(&key, &length)) != NULL)
			dp_die(DP_EX_USAGE, "--%s: %s: %s", option, path, why);
		if (length > 0)
			add_key(keys, option, key, length);
		if (all > (size_t)DP_KEYS_MAX * LINE)
			dp_die(DP_EX_USAGE, "--%s: %s: is too large", option, path);
	}
	if (!feof(fp) || fclose(fp) != 0)
		dp_options_bad_file(option, path);
	if (keys->n == 0)
		dp_die(DP_EX_USAGE, "--%s: %s: no keys", option, path);
}

void
dp_options_keys(struct dp_ask_keys *keys, const char *option, const char *s)
{
	char key[DP_KEY_MAX + 1];
	const char *end;
	size_t n;

	keys->list = s;
	if (*s == '@') {
		keys_of_file(keys, option, s + 1);
	} else {
		for (;; s = end + 1) {
			end = take_key(key, &n, s, ",");
			if (n > DP_KEY_MAX || end == s || (n == 0 && strcmp(option, "keys") != 0))
				bad_length(option);
			add_text(keys, option, key, n);
			if (*end == '\0')
				break;
		}
	}
	check_twice(keys, option);
}

int
dp_options_keys_list(struct dp_ask_keys *keys, char *const *name, size_t n)
{
	size_t i;
	int e = 0;

	if (dp_names_twice(name, n, &e) != NULL)
		return DP_EINVAL;
	for (i = 0; i < n && e == 0; i++)
		if (strlen(name[i]) > DP_KEY_MAX)
			e = DP_EINVAL;
	for (i = 0; i < n && e == 0; i++)
		add_text(keys, "keys", name[i], strlen(name[i]));
	return e;
}

/* Start of the next list; NULL: p is in the last one. */
static const char *
next_list(const char *p)
{
	char key[DP_KEY_MAX + 1];
	size_t n;

	while (*(p = take_key(key, &n, p, ",/")) == ',')
		p++;
	return *p == '/' ? p + 1 : NULL;
}

/*
 * Each of the first field's texts with each of the second's, and so on: what is after p, a list of
 * which begins there, with the n bytes at key before it.
 */
static void
cross(struct dp_ask_keys *keys, char *key, size_t n, const char *p, unsigned lists)
{
	const char *next = next_list(p), *end;
	char text[DP_KEY_MAX + 1];
	size_t m;

	if ((next == NULL) != (lists == 1))
		dp_die(DP_EX_USAGE, "--keys: -k names %u fields, so '%s' must be as many lists, "
		    "with a / between (200,404/DE,FR is 200/DE, 200/FR, 404/DE, 404/FR); or "
		    "--keys=@FILE with one a line", keys->more + 1, keys->list);
	for (;; p = end + 1) {
		end = take_key(text, &m, p, ",/");
		if (end == p || n + m + (lists > 1) > DP_KEY_MAX)
			bad_length("keys");
		memcpy(key + n, text, m);
		key[n + m] = '/';
		if (lists == 1)
			add_text(keys, "keys", key, n + m);
		else
			cross(keys, key, n + m + 1, next, lists - 1);
		if (*end != ',')
			return;
	}
}

void
dp_options_keys_complete(struct dp_options *o)
{
	struct dp_ask_keys *keys = &o->keys;
	char key[DP_KEY_MAX + 2];

	if (!o->given[OPT_KEYS])
		return;
	if (keys->more == 0 || keys->list[0] == '@')
		dp_options_keys(keys, "keys", keys->list);
	else
		cross(keys, key, 0, keys->list, keys->more + 1);
	if (keys->other != NULL)
		add_key(keys, "other", keys->other, strlen(keys->other));
	check_twice(keys, keys->other != NULL ? "keys, --other" : "keys");
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void
say_edge(const struct dp_ask_keys *keys, const char *option, const char *key)
{
	char text[DP_SHOWN_TEXT];

	dp_warn("--%s: '%s' %s with a blank, and counts only what does so, too%s", option,
	    dp_shown(text, key, strlen(key)), is_blank(key[0]) ? "begins" : "ends",
	    keys->list[0] == '@' ? "" : ": in A,B,C no blank stands beside a comma");
}

/* Fields that end at blanks have none, which options_check.c says. */
void
dp_options_keys_warn(const struct dp_options *o, const struct dp_ask_keys *keys,
    const char *option)
{
	char text[DP_SHOWN_TEXT];
	const bool fields = keys->field.number != 0 && o->form.delimiter == -1 && !o->form.csv &&
	    !dp_options_formed(o);
	const char *key, *between;
	size_t i;

	if (o->print.quiet || fields || (o->keep.state != NULL && !o->keep.init))
		return;
	for (i = 0; i < keys->n; i++) {
		key = keys->name[i];
		if (*key == '\0')
			continue;
		if (is_blank(key[0]) || is_blank(key[strlen(key) - 1]))
			say_edge(keys, option, key);
		else if (keys->n == 1 && keys->list[0] != '@' &&
		    (between = strpbrk(key, " \t;|")) != NULL)
			dp_warn("--%s: one key, '%s', with %s in it, and counts only what has "
			    "it, too: in A,B,C a comma stands between keys", option,
			    dp_shown(text, key, strlen(key)), is_blank(*between) ? "a blank" :
			    *between == ';' ? "a semicolon" : "a bar");
	}
}
