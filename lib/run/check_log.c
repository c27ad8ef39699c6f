/*
 * check_log.c - what --check says of lines of --log: who asked, and whose line it is; and whose
 * format a time has.
 */
#include <string.h>

#include "ask/relation.h"
#include "check.h"

#define WORDS	32		/* before a line that stands behind something else */

/* How many fields the log has in the text; 0: it is none's line. */
static unsigned
fields_in(struct dp_cut *c, struct dp_slice text)
{
	struct dp_record r = { .text = text };
	unsigned j, n = 0;

	for (j = dp_cut_record(c, &r) == 1 ? r.nfields : 0; j > 0; j--)
		n += r.field[j].p != NULL;
	return n;
}

/* The log of which most fields are in the text; NULL: it is none's line. */
static const struct dp_log *
log_of(struct dp_slice text)
{
	const struct dp_log *l, *best = NULL;
	char why[DP_MATCH_WHY];
	unsigned i, n, most = 0;
	struct dp_cut *c;

	for (i = 0; (l = dp_log_get(i)) != NULL; i++) {
		if (dp_cut_new_log(&c, l, false, why) != 0)
			continue;
		if ((n = fields_in(c, text)) > most) {
			most = n;
			best = l;
		}
		dp_cut_free(c);
	}
	return best;
}

/* An address, or a list that goes on: the line's client is rather that. */
static bool
is_client(struct dp_slice word)
{
	unsigned dots = 0, colons = 0;
	size_t i;

	if (word.p[word.n - 1] == ',')
		return true;
	for (i = 0; i < word.n; i++) {
		if (memchr("0123456789abcdefABCDEF.:[]", word.p[i], 26) == NULL)
			return false;
		dots += word.p[i] == '.';
		colons += word.p[i] == ':';
	}
	return dots == 3 || colons >= 3;
}

/* The log of a header, behind which another program's line stands. */
static bool
is_header(const struct dp_log *l)
{
	return strstr(l->pattern, "(?<program>") != NULL;
}

/* Words before a line of the log that stands in the text; 0: there is none. */
static unsigned
words_before(const struct dp_log *l, struct dp_slice text)
{
	char why[DP_MATCH_WHY];
	unsigned words, found = 0;
	struct dp_slice word;
	struct dp_cut *c;
	const char *end;

	if (dp_cut_new_log(&c, l, false, why) != 0)
		return 0;
	for (words = 1; words <= WORDS && found == 0; words++) {
		if (text.n == 0 || (end = memchr(text.p, ' ', text.n)) == NULL || end == text.p)
			break;
		word = (struct dp_slice){ text.p, (size_t)(end - text.p) };
		for (; end < text.p + text.n && *end == ' '; end++)
			;
		text.n -= (size_t)(end - text.p);
		text.p = end;
		if (!is_client(word) && fields_in(c, text) > 0)
			found = words;
	}
	dp_cut_free(c);
	return found;
}

/* The log asked for, or that of most web servers, behind other words. */
static const struct dp_log *
log_inside(const struct dp_log *asked, struct dp_slice text, unsigned *words)
{
	const struct dp_log *const all[] = { asked, dp_log_find("combined") };
	size_t i;

	for (i = 0; i < sizeof all / sizeof *all; i++)
		if ((*words = words_before(all[i], text)) != 0)
			return all[i];
	return NULL;
}

void
dp_check_log(struct dp_buf *b, const struct dp_options *o, struct dp_slice text)
{
	const struct dp_log *l, *inside = NULL;
	unsigned words;

	if (o->form.log == NULL || text.p == NULL)
		return;
	if (text.n > 0 && *text.p == '#') {
		dp_buf_puts(b, " (a log that begins with #Fields is read with -H in place of "
		    "--log)");
		return;
	}
	/* a header's line is one of that log, and so may its message be of another */
	if ((l = log_of(text)) == NULL || is_header(l))
		inside = log_inside(o->form.log, text, &words);
	if (l == NULL && inside == NULL) {
		dp_buf_puts(b, " (--cut reads lines of any form)");
		return;
	}
	dp_buf_puts(b, l == NULL ? " (a line of --log=" : " (it is one of --log=");
	dp_buf_puts(b, l == NULL ? inside->name : l->name);
	if (l != NULL && inside != NULL) {
		dp_buf_puts(b, ", with a line of --log=");
		dp_buf_puts(b, inside->name);
		dp_buf_puts(b, " behind its header");
	} else if (inside != NULL)
		dp_buf_puts(b, ", behind something else");
	if (inside != NULL) {
		dp_buf_puts(b, ": take that off first: sed -E 's/^([^ ]+ +){");
		dp_buf_u64(b, words);
		dp_buf_puts(b, "}//'");
	}
	dp_buf_puts(b, ")");
}

/* A number of seconds, 2000 to 2033, and no day written as one number (20260501, with an hour). */
static bool
is_present(int64_t t)
{
	return t >= INT64_C(946684800) && t < INT64_C(2000000000);
}

void
dp_check_time(struct dp_buf *b, const struct dp_options *o, const struct dp_record *rec,
    unsigned field)
{
	static const char *const known[] = { "clf", "iso", "syslog", "epoch" };
	struct dp_stamp s = { .next = { "", 0 } };
	struct dp_when w;
	int64_t t;
	size_t i;

	if (field == 0 || field > rec->nfields || rec->field[field].p == NULL)
		return;
	s.text = rec->field[field];
	if (!o->form.csv && !dp_options_formed(o) && o->form.delimiter < 0) {
		s.next.p = s.text.p + s.text.n;		/* a time that blanks cut goes on there */
		s.next.n = s.zone = (size_t)(rec->text.p + rec->text.n - s.next.p);
	}
	for (i = 0; i < sizeof known / sizeof *known; i++) {
		if (strcmp(known[i], o->time.format) == 0 || dp_when_rule(&w, known[i]) != 0 ||
		    dp_when_parse(&t, &w, &s) != 0 ||
		    (w.kind == DP_WHEN_EPOCH && !is_present(t)))
			continue;
		dp_buf_puts(b, " (it is ");
		dp_buf_puts(b, known[i]);
		dp_buf_puts(b, ")");
		return;
	}
}

void
dp_check_who(struct dp_buf *b, const struct dp_run *r, const struct dp_record *rec)
{
	static const char *const names[] = { "host", "client", "user" };
	const bool is_user = r->o->users.field.number != 0 && !dp_options_by_key(r->o, r->tool);
	struct dp_slice s;
	size_t i;

	if (r->o->form.log == NULL)
		return;
	for (i = 0; i < sizeof names / sizeof *names; i++) {
		s = dp_events_field(r->in.events, rec, names[i]);
		if (s.p == NULL || (is_user && strcmp(names[i], "user") == 0))
			continue;	/* user= is the one of --user then */
		dp_check_name(b, names[i]);
		dp_shown_put(b, s);
	}
}

/* An IPv4 address, or what stands in brackets, a colon and digits */
static bool
has_port(struct dp_slice s)
{
	unsigned dots = 0;
	size_t n = s.n, i;

	while (n > 0 && s.p[n - 1] >= '0' && s.p[n - 1] <= '9')
		n--;
	if (n < 4 || n == s.n || s.p[n - 1] != ':')
		return false;
	if (s.p[0] == '[' && s.p[n - 2] == ']')
		return true;
	for (i = 0; i < n - 1 && (s.p[i] == '.' || (s.p[i] >= '0' && s.p[i] <= '9')); i++)
		dots += s.p[i] == '.';
	return i == n - 1 && dots == 3;
}

void
dp_check_person(struct dp_buf *b, struct dp_slice s)
{
	dp_shown_put(b, s);
	if (has_port(s))
		dp_buf_puts(b, " (with its port, each connection is another one: --cut leaves it "
		    "out)");
}
