/* SPDX-License-Identifier: ISC */
/*
 * which.c - --check --log=auto: which log each line of a sample is of.
 *
 * NOT PRIVATE, as all that --check says: a run with the log that is named here goes by the option,
 * and never by its own lines.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/match.h"
#include "input/record.h"
#include "store/run.h"
#include "internal.h"

#define LOGS	40		/* no fewer than there are */
#define FOUND	64
#define NAME	40
#define NONE	"none"

struct dp_which {
	struct dp_cut *cut[LOGS];	/* by their places in the list; NULL: not yet made */
	struct dp_behind *behind[LOGS];	/* of those whose message may be another's line */
	bool w3c;			/* the file begins as such a log does */
	uint64_t lines;
	unsigned n;
	struct found {
		char name[NAME];
		uint64_t lines;
	} found[FOUND];
};

int
dp_which_new(struct dp_which **out)
{
	return (*out = calloc(1, sizeof **out)) != NULL ? 0 : DP_ENOMEM;
}

void
dp_which_free(struct dp_which *w)
{
	unsigned i;

	for (i = 0; w != NULL && i < LOGS; i++) {
		dp_cut_free(w->cut[i]);
		dp_behind_free(w->behind[i]);
	}
	free(w);
}

/* The pattern of the i-th log; NULL: it has none. */
static struct dp_cut *
cut(struct dp_which *w, unsigned i)
{
	char why[DP_MATCH_WHY];

	if (w->cut[i] == NULL && dp_log_get(i)->pattern != NULL &&
	    dp_cut_new_log(&w->cut[i], dp_log_get(i), false, why) != 0)
		w->cut[i] = NULL;
	return w->cut[i];
}

/* How many fields a record that was cut has. */
static unsigned
fields(const struct dp_record *r)
{
	unsigned i, n = 0;

	for (i = 1; i <= r->nfields; i++)
		n += r->field[i].p != NULL;
	return n;
}

/* The log of which most fields are in the text, or of which it has the form; LOGS: none. */
static unsigned
which_log(struct dp_which *w, struct dp_slice text)
{
	const struct dp_log *l;
	struct dp_record r;
	unsigned i, n, most = 0, best = LOGS;

	for (i = 0; (l = dp_log_get(i)) != NULL; i++) {
		if (dp_check_is(l, text))
			return i;
		r = (struct dp_record){ .text = text };
		n = cut(w, i) != NULL && dp_cut_record(w->cut[i], &r) == 1 ? fields(&r) : 0;
		if (n > most) {
			most = n;
			best = i;
		}
	}
	return best;
}

/* The log whose line is the message of the outer one's; LOGS: none. */
static unsigned
inner_of(struct dp_which *w, unsigned outer, struct dp_slice text)
{
	const struct dp_log *l;
	char why[DP_MATCH_WHY];
	struct dp_record r;
	unsigned i, n, most = 0, best = LOGS;

	if (dp_log_get(outer)->message == NULL || (w->behind[outer] == NULL &&
	    dp_behind_new(&w->behind[outer], dp_log_get(outer), why) != 0))
		return LOGS;
	for (i = 0; (l = dp_log_get(i)) != NULL; i++) {
		if (l->message != NULL || cut(w, i) == NULL)
			continue;
		r = (struct dp_record){ .text = text };
		n = dp_behind_record(w->behind[outer], w->cut[i], &r) == 1 ? fields(&r) : 0;
		if (n > most) {
			most = n;
			best = i;
		}
	}
	return best;
}

/* PostgreSQL's CSV: a time to the millisecond with its zone, and 22 columns behind it or more. */
static bool
is_csvlog(struct dp_slice s)
{
	static const char form[] = "0000-00-00 00:00:00.000 ";
	const char *p = s.p, *const end = s.p + s.n;
	unsigned columns = 0;
	bool quoted = false;
	size_t i;

	if (s.n < sizeof form)
		return false;
	for (i = 0; form[i] != '\0'; i++)
		if (form[i] == '0' ? p[i] < '0' || p[i] > '9' : p[i] != form[i])
			return false;
	for (p += i; p < end; p++) {
		quoted ^= *p == '"';
		columns += !quoted && *p == ',';
	}
	return quoted || columns >= 22;		/* or the row goes on in the next line */
}

/* W3C's: its first line says so. */
static bool
is_w3c(struct dp_which *w, const struct dp_record *rec)
{
	static const char *const begins[] = { "#Software:", "#Version:", "#Fields:" };
	size_t i;

	if (rec->number != 1)
		return w->w3c;
	for (w->w3c = false, i = 0; i < sizeof begins / sizeof *begins; i++)
		w->w3c |= rec->text.n >= strlen(begins[i]) &&
		    memcmp(rec->text.p, begins[i], strlen(begins[i])) == 0;
	return w->w3c;
}

static void
name_of(struct dp_which *w, const struct dp_record *rec, char name[static NAME])
{
	const unsigned log = is_w3c(w, rec) || is_csvlog(rec->text) ? LOGS :
	    which_log(w, rec->text);
	const unsigned inner = log == LOGS ? LOGS : inner_of(w, log, rec->text);

	if (log == LOGS)
		snprintf(name, NAME, "%s", w->w3c ? "w3c" : is_csvlog(rec->text) ? "csvlog" : NONE);
	else
		snprintf(name, NAME, "%s%s%s", dp_log_get(log)->name, inner == LOGS ? "" : "+",
		    inner == LOGS ? "" : dp_log_get(inner)->name);
}

void
dp_which_see(struct dp_which *w, const struct dp_record *rec, struct dp_buf *b)
{
	char name[NAME];
	unsigned i;

	if (rec->text.p == NULL)
		snprintf(name, sizeof name, NONE);
	else
		name_of(w, rec, name);
	for (i = 0; i < w->n && strcmp(w->found[i].name, name) != 0; i++)
		;
	if (i == w->n && w->n < FOUND)
		strcpy(w->found[w->n++].name, name);
	w->found[i < w->n ? i : 0].lines += i < w->n;
	w->lines++;
	dp_buf_puts(b, "\tlog=");
	dp_buf_puts(b, name);
}

void
dp_which_say(const struct dp_which *w)
{
	const struct found *f;
	uint64_t most = 0;
	unsigned i, best = 0;

	for (i = 0; i < w->n; i++) {
		f = &w->found[i];
		dp_warn("%llu of %llu lines: %s%s", (unsigned long long)f->lines,
		    (unsigned long long)w->lines, strcmp(f->name, NONE) == 0 ? "no log that "
		    "--log=list has (--cut and --log-format read lines of any form)" : "--log=",
		    strcmp(f->name, NONE) == 0 ? "" : f->name);
		if (f->lines > most && strcmp(f->name, NONE) != 0) {
			most = f->lines;
			best = i;
		}
	}
	if (most != 0)
		dp_warn("give --log=%s, with --check once more", w->found[best].name);
}
