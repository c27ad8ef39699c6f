/*
 * check_log.c - what --check says of lines of --log: who asked, and whose line it is.
 */
#include <string.h>

#include "ask/relation.h"
#include "check.h"

/* The log of which most fields are in the text; NULL: it is none's line. */
static const struct dp_log *
log_of(struct dp_slice text)
{
	const struct dp_log *l, *best = NULL;
	struct dp_record r = { .text = text };
	char why[DP_MATCH_WHY];
	unsigned i, j, n, most = 0;
	struct dp_cut *c;

	for (i = 0; (l = dp_log_get(i)) != NULL; i++) {
		if (dp_cut_new_log(&c, l, false, why) != 0)
			continue;
		for (n = 0, j = dp_cut_record(c, &r) == 1 ? r.nfields : 0; j > 0; j--)
			n += r.field[j].p != NULL;
		if (n > most) {
			most = n;
			best = l;
		}
		dp_cut_free(c);
	}
	return best;
}

void
dp_check_log(struct dp_buf *b, const struct dp_options *o, struct dp_slice text)
{
	const struct dp_log *l;

	if (o->form.log == NULL || text.p == NULL)
		return;
	l = log_of(text);
	dp_buf_puts(b, l == NULL ? " (--cut reads lines of any form)" : " (it is one of --log=");
	if (l != NULL) {
		dp_buf_puts(b, l->name);
		dp_buf_puts(b, ")");
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
