/*
 * job_old.c - heads of form 2, of states that were begun before there were jobs, line by line as
 * jobs.
 *
 * Bytes that are not plain were %XX there, also a blank, a minus and an at sign; - stood for what
 * was not given and for a text that is empty.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/options_table.h"
#include "base/doc.h"
#include "job.h"

struct old {
	struct dp_slice head;
	struct dp_doc out;
	char *why;
	int e;
};

/* The first fault stays. */
static void
refuse(struct old *t, const char *form, const char *key)
{
	if (t->e != 0)
		return;
	t->e = DP_ESTATE;
	snprintf(t->why, DP_JOB_WHY, form, key);
}

static bool
find(struct old *t, const char *key, struct dp_slice *value)
{
	*value = (struct dp_slice){ "", 0 };
	if (t->e != 0)
		return false;
	if (dp_doc_find(t->head, key, value))
		return true;
	refuse(t, "the state file has no '%s'", key);
	return false;
}

static bool
is(struct dp_slice s, const char *text)
{
	return s.n == strlen(text) && memcmp(s.p, text, s.n) == 0;
}

/* A value that is spelled as it was. */
static void
same(struct old *t, const char *key)
{
	struct dp_slice s;

	if (!find(t, key, &s))
		return;
	dp_buf_puts(t->out.out, key);
	dp_buf_puts(t->out.out, " ");
	dp_buf_add(t->out.out, s.p, s.n);
	dp_buf_puts(t->out.out, "\n");
}

/* The text of a value; NULL: a fault.  The caller frees it. */
static char *
text_of(struct old *t, const char *key, struct dp_slice s)
{
	char *text = malloc(s.n + 1);
	size_t n;

	if (text == NULL) {
		if (t->e == 0)
			t->e = DP_ENOMEM;
		return NULL;
	}
	if (!dp_unescape(text, s.n, s, &n)) {
		refuse(t, "the state file's '%s' is damaged", key);
		free(text);
		return NULL;
	}
	text[n] = '\0';
	return text;
}

static void
put_text(struct old *t, const char *key, struct dp_slice s)
{
	char *text = text_of(t, key, s);

	if (text != NULL)
		dp_doc_text(&t->out, key, &text);
	free(text);
}

static void
text(struct old *t, const char *key)
{
	struct dp_slice s;

	if (find(t, key, &s))
		put_text(t, key, s);
}

/*
 * A comma between fields is said by a line; without it, and without a header, which may have a
 * name with a comma, it was read otherwise once.
 */
static void
whole(struct old *t, struct dp_slice field, const char *line)
{
	struct dp_slice s;

	if (memmem(field.p, field.n, "%2c", 3) != NULL && !dp_doc_find(t->head, line, &s) &&
	    !dp_doc_find(t->head, "set-header", &s))
		refuse(t, "the state file has no '%s'", line);
}

static void
user(struct old *t)
{
	struct dp_slice s;

	if (!find(t, "user", &s))
		return;
	whole(t, s, "several-users");
	if (is(s, "-"))
		dp_buf_puts(t->out.out, "user -\n");
	else
		put_text(t, "user", s);
}

/* K in one line, and perhaps "per-step 1" or "spacing B". */
static void
per_user(struct old *t)
{
	struct dp_buf *b = t->out.out;
	struct dp_slice s;

	if (!find(t, "per-user", &s))
		return;
	dp_buf_puts(b, "per-user ");
	dp_buf_add(b, s.p, s.n);
	if (dp_doc_find(t->head, "per-step", &s)) {
		if (!is(s, "1") || dp_doc_find(t->head, "spacing", &s))
			refuse(t, "the state file's '%s' is damaged", "per-step");
		dp_buf_puts(b, "/step");
	} else if (dp_doc_find(t->head, "spacing", &s)) {
		dp_buf_puts(b, "/");
		dp_buf_add(b, s.p, s.n);
	}
	dp_buf_puts(b, "\n");
}

/* Texts with commas between, the empty one as two quotes. */
static void
keys(struct old *t)
{
	struct dp_slice s;
	const char *end, *p, *comma;
	char **name, *key;
	size_t n = 0, room = 1;

	if (!find(t, "keys", &s))
		return;
	end = s.p + s.n;
	for (p = s.p; p < end; p++)
		room += *p == ',';
	if ((name = calloc(room, sizeof *name)) == NULL) {
		t->e = DP_ENOMEM;
		return;
	}
	for (p = s.p; !is(s, "-") && n < room; n++, p = comma + 1) {
		comma = n + 1 == room ? end : memchr(p, ',', (size_t)(end - p));
		key = text_of(t, "keys", is((struct dp_slice){ p, (size_t)(comma - p) }, "\"\"") ?
		    (struct dp_slice){ "", 0 } : (struct dp_slice){ p, (size_t)(comma - p) });
		if ((name[n] = key) == NULL)
			break;
	}
	if (t->e == 0)
		dp_doc_list(&t->out, "keys", &name, &n, room);
	for (n = 0; n < room; n++)
		free(name[n]);
	free(name);
}

/* An option of the tool, or the hash of its file: not there unless it was given. */
static bool
is_own(const char *key)
{
	return strncmp(key, "own-", 4) == 0 || strncmp(key, "file-", 5) == 0;
}

static const struct dp_row *
row_of(const char *name)
{
	const struct dp_row *row;
	size_t i;

	for (i = 0; (row = dp_table_row(i)) != NULL; i++)
		if (row->name != NULL && strcmp(row->name, name) == 0)
			break;
	return row;
}

/* An option that was given, of one section; a flag's text is 1. */
static void
option(struct old *t, const char *key, struct dp_slice s, enum dp_section section)
{
	const struct dp_row *row = strncmp(key, "set-", 4) == 0 ? row_of(key + 4) : NULL;

	if (is_own(key)) {
		if (section == DP_SECTION_NONE && !is(s, "-"))
			put_text(t, key, s);
	} else if (row != NULL && row->section == section && row->keep != DP_KEEP_NO) {
		if (is(s, "-"))
			dp_buf_line(t->out.out, key, row->arg == NULL ? "1" : "\"\"");
		else
			put_text(t, key, s);
	}
}

/* All of a section; DP_SECTION_NONE: those of the tool. */
static void
options(struct old *t, enum dp_section section)
{
	const char *p, *end = t->head.p + t->head.n, *nl, *gap;
	char key[DP_DOC_KEY];

	for (p = t->head.p; p < end && (nl = memchr(p, '\n', (size_t)(end - p))) != NULL;
	    p = nl + 1) {
		gap = memchr(p, ' ', (size_t)(nl - p));
		if (gap == NULL || gap - p >= DP_DOC_KEY)
			continue;
		memcpy(key, p, (size_t)(gap - p));
		key[gap - p] = '\0';
		option(t, key, (struct dp_slice){ gap + 1, (size_t)(nl - gap) - 1 }, section);
	}
}

/* Lines that were there in every state whose options are read as they are now. */
static void
check(struct old *t)
{
	struct dp_slice s, format = { "", 0 };

	if (dp_doc_find(t->head, "set-value", &s))
		whole(t, s, "several-values");
	if (dp_doc_find(t->head, "set-time-format", &format) && !is(format, "epoch"))
		(void)find(t, "times", &s);
}

/* Times without a format were seconds since 1970 once. */
static void
time_format(struct old *t)
{
	struct dp_slice s;

	if (dp_doc_find(t->head, "set-time", &s) && !dp_doc_find(t->head, "set-log", &s) &&
	    !dp_doc_find(t->head, "set-time-format", &s))
		dp_buf_puts(t->out.out, "set-time-format epoch\n");
}

static void
unit(struct old *t)
{
	static const char *const first[] = { "epsilon", "delta", "horizon", "range", "steps",
	    "bucket" };
	struct dp_slice s;
	size_t i;

	dp_doc_section(&t->out, "unit");
	for (i = 0; i < sizeof first / sizeof *first; i++)
		same(t, first[i]);
	if (find(t, "lateness", &s)) {
		dp_buf_puts(t->out.out, "live ");
		dp_buf_add(t->out.out, s.p, s.n);
		dp_buf_puts(t->out.out, "\n");
	}
	per_user(t);
	user(t);
	same(t, "pan-private");
	keys(t);
	options(t, DP_SECTION_NONE);
	options(t, DP_SECTION_UNIT);
}

static void
noise(struct old *t)
{
	struct dp_slice s;

	dp_doc_section(&t->out, "noise");
	text(t, "mechanism");
	same(t, "moves");
	same(t, "decimals");
	if (dp_doc_find(t->head, "budget", &s))
		same(t, "budget");
	if (find(t, "seeded", &s) && is(s, "1"))
		same(t, "seed");
	else if (t->e == 0 && !is(s, "0"))
		refuse(t, "the state file's '%s' is damaged", "seeded");
	same(t, "params");
}

static void
translate(struct old *t)
{
	dp_doc_is(&t->out, DP_JOB, DP_JOB_VERSION);
	text(t, "tool");
	text(t, "version");
	check(t);
	dp_doc_section(&t->out, "input");
	options(t, DP_SECTION_INPUT);
	time_format(t);
	unit(t);
	noise(t);
	dp_doc_section(&t->out, "output");
	options(t, DP_SECTION_OUTPUT);
	dp_doc_end(&t->out);
}

int
dp_job_renew(struct dp_buf *out, const char *head, char why[static DP_JOB_WHY])
{
	struct old t = { .head = { head, strlen(head) }, .out = dp_doc_writer(out), .why = why };
	struct dp_slice format = { "1", 1 }, version;

	if (strncmp(head, DP_JOB " ", sizeof DP_JOB) == 0)
		dp_buf_add(out, head, t.head.n);
	else if (find(&t, "version", &version)) {
		if (dp_doc_find(t.head, "format", &format) && is(format, "2"))
			translate(&t);
		else {
			t.e = DP_ESTATE;
			snprintf(why, DP_JOB_WHY, "the state file has format %.*s (of version "
			    "%.*s), which is not read here; start another state file",
			    (int)(format.n < 20 ? format.n : 20), format.p,
			    (int)(version.n < 20 ? version.n : 20), version.p);
		}
	}
	if (t.e == 0)
		t.e = out->error != 0 || t.out.fault != DP_DOC_GOOD ? DP_ENOMEM : 0;
	if (t.e != 0)
		dp_buf_free(out);
	return t.e;
}
