/* SPDX-License-Identifier: ISC */
/*
 * check.c - --check: what is read of each line of a sample, and why a line counts as nothing.
 *
 * NOT PRIVATE: the sample's lines must be public.  Nothing is drawn, and no step is taken.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explain/print.h"
#include "input/event.h"
#include "input/match.h"
#include "input/record.h"
#include "store/run.h"
#include "internal.h"

static void dp_check_log(struct dp_buf *, const struct dp_options *, struct dp_slice text);
static void dp_check_time(struct dp_buf *, const struct dp_options *, const struct dp_record *,
	    unsigned field);
static void dp_check_who(struct dp_buf *, const struct dp_run *, const struct dp_record *);
static void dp_check_person(struct dp_buf *, struct dp_slice);

#define TERMS	16
#define NOTHING	"\tnothing: "

static void
put_quoted(struct dp_buf *b, const char *before, struct dp_slice s)
{
	dp_buf_puts(b, before);
	dp_buf_puts(b, "'");
	dp_shown_put(b, s);
	dp_buf_puts(b, "'");
}

/* check.c: a tab, the name and = */
static void
dp_check_name(struct dp_buf *b, const char *name)
{
	dp_buf_puts(b, "\t");
	dp_buf_puts(b, name);
	dp_buf_puts(b, "=");
}

static void
put_time_check(const struct dp_run *r, struct dp_buf *b, const char *name, int64_t t)
{
	char text[DP_WHEN_TEXT];

	dp_check_name(b, name);
	dp_buf_add(b, text, (size_t)(dp_when_put(text, t, r->o->time.span.zone) - text));
}

static void
put_number(const struct dp_run *r, struct dp_buf *b, int64_t v)
{
	unsigned places = dp_range_places(&r->o->range), finer;
	char text[48];

	for (finer = r->o->range.finer; finer > 0 && v % 10 == 0; finer--, places--)
		v /= 10;
	dp_buf_add(b, text, (size_t)(dp_decimal_put(text, v, places) - text));
}

static void
nothing(struct dp_buf *b, const char *why)
{
	dp_buf_puts(b, NOTHING);
	dp_buf_puts(b, why);
}

/* A member of that name that a line of JSON has elsewhere; each: or all elements of an array. */
static void
put_elsewhere(struct dp_buf *b, const struct dp_record *rec, const char *name, bool each)
{
	char path[DP_JSON_PATH], *first;

	if (name == NULL || rec->text.p == NULL || !dp_json_elsewhere(rec->text, name, path))
		return;
	if (each && (first = strstr(path, "[0]")) != NULL && strchr(first + 1, '[') == NULL)
		memmove(first + 1, first + 2, strlen(first + 2) + 1);
	dp_buf_puts(b, " (it has ");
	dp_shown_put(b, (struct dp_slice){ path, strlen(path) });
	dp_buf_puts(b, ")");
}

/* A line of numbers that none of these separates: what does. */
static void
put_uncut(struct dp_buf *b, const struct dp_options *o, struct dp_slice text)
{
	const int between = o->form.delimiter >= 0 ? o->form.delimiter : o->form.csv ? ',' : ' ';
	const struct dp_record line = { .nfields = 1, .field[1] = text };
	const char *cut = text.n == 0 || memchr(text.p, between, text.n) != NULL ? NULL :
	    dp_header_delimiter(&line);

	if (cut == NULL)
		return;
	dp_buf_puts(b, " (");
	dp_buf_puts(b, cut);
	dp_buf_puts(b, ")");
}

/* The place, and what stands there. */
static void
put_malformed(const struct dp_run *r, struct dp_buf *b, const struct dp_record *rec,
    const struct dp_event *v)
{
	const char *cut;

	dp_buf_puts(b, NOTHING);
	if (v->name != NULL || v->field != 0)
		dp_buf_puts(b, "field ");
	if (v->name != NULL)
		dp_buf_puts(b, v->name);
	else if (v->field != 0)
		dp_buf_u64(b, v->field);
	if (v->name != NULL || v->field != 0)
		dp_buf_puts(b, ": ");
	dp_buf_puts(b, v->why);
	if (v->why == dp_events_not_there)
		put_elsewhere(b, rec, v->name, v->name == r->o->keys.field.name &&
		    r->o->keys.more == 0 && r->tool->adds == NULL &&
		    r->tool->shape != DP_SHAPE_NAME);
	if (v->why == dp_events_no_time && v->with == 0)
		dp_check_time(b, r->o, rec, v->field);
	if (v->field > rec->nfields && (cut = dp_header_delimiter(rec)) != NULL) {
		dp_buf_puts(b, " (");
		dp_buf_puts(b, cut);
		dp_buf_puts(b, ")");
	}
	if (v->field == 0 && !v->cut && !rec->too_long)
		dp_check_log(b, r->o, rec->text);
	if (v->field == 0 && r->tool->shape == DP_SHAPE_VECTOR && rec->text.p != NULL)
		put_uncut(b, r->o, rec->text);
	if (v->field == 0 && rec->text.p != NULL)
		put_quoted(b, ": ", rec->text);
	else if (v->field != 0 && v->field <= rec->nfields && rec->field[v->field].p != NULL)
		put_quoted(b, ": ", rec->field[v->field]);
	else if (rec->text.p != NULL)
		put_quoted(b, ": ", rec->text);
	if (v->with != 0 && v->with <= rec->nfields && rec->field[v->with].p != NULL)
		put_quoted(b, " ", rec->field[v->with]);
}

/* The user's field, and what stands there. */
static void
put_nobody(const struct dp_run *r, struct dp_buf *b, const struct dp_event *v)
{
	const struct dp_field *f = &r->o->users.field;

	dp_buf_puts(b, " (field ");
	if (f->name != NULL)
		dp_buf_puts(b, f->name);
	else
		dp_buf_u64(b, f->number);
	dp_buf_puts(b, v->user.n == 0 ? " is empty)" : " is -)");
}

/* True: an earlier condition is of the same field. */
static bool
is_shown(const struct dp_condition *c, size_t i)
{
	size_t k;

	for (k = 0; k < i; k++)
		if (c[k].field.name == NULL || c[i].field.name == NULL ?
		    c[k].field.name == c[i].field.name && c[k].field.number == c[i].field.number :
		    strcmp(c[k].field.name, c[i].field.name) == 0)
			return true;
	return false;
}

/* What stands in the fields that --where compares. */
static void
put_tested(const struct dp_run *r, struct dp_buf *b, const struct dp_record *rec)
{
	const struct dp_condition *c = r->o->form.condition;
	const char *before = ": ";
	struct dp_slice s;
	size_t i;

	for (i = 0; i < r->o->form.conditions && i < TERMS; i++) {
		if (c[i].field.number == 0 || is_shown(c, i))
			continue;
		s = dp_events_tested(r->in.events, rec, i);
		dp_buf_puts(b, before);
		before = ", ";
		if (c[i].field.name != NULL)
			dp_shown_put(b, (struct dp_slice){ c[i].field.name,
			    strlen(c[i].field.name) });
		else {
			dp_buf_puts(b, "field ");
			dp_buf_u64(b, c[i].field.number);
		}
		if (s.p == NULL) {
			dp_buf_puts(b, " is not there");
			if (r->o->form.json)
				put_elsewhere(b, rec, c[i].field.name, false);
		} else
			put_quoted(b, " is ", s);
	}
}

/* Reason why a well-formed record counts nothing, if it does. */
static bool
put_nothing(struct dp_run *r, struct dp_buf *b, const struct dp_record *rec,
    const struct dp_event *v)
{
	if (v->counts && v->value != r->o->range.nothing)
		return false;
	if (v->none == dp_events_no_symbol) {
		nothing(b, r->tool->words.unknown != NULL ? r->tool->words.unknown :
		    "no symbol of the alphabet is");
		put_quoted(b, " ", v->text);
		return true;
	}
	nothing(b, v->none != NULL ? v->none : v->clamped ? "--range clamps it to 0" :
	    "the value is 0");
	if (v->none == dp_events_no_user)
		put_nobody(r, b, v);
	if (v->none == dp_events_not_where && v->cut)
		put_tested(r, b, rec);
	if (v->text.p != NULL)
		put_quoted(b, ": ", v->text);
	else if (v->timed)
		put_time_check(r, b, "time", v->time);
	return true;
}

/* Without zeros at its end: the grid may be finer than the numbers. */
static void
put_short(struct dp_buf *b, int64_t v, unsigned places)
{
	char text[48];

	for (; places > 0 && v % 10 == 0; places--)
		v /= 10;
	dp_buf_add(b, text, (size_t)(dp_decimal_put(text, v, places) - text));
}

/* --weight: the value, on the grid of totals, and the weight. */
static void
put_row(const struct dp_run *r, struct dp_buf *b, const struct dp_event *v)
{
	put_short(b, v->number, r->o->range.weight.grid);
	dp_check_name(b, "weight");
	put_short(b, v->weight, r->o->range.weight.places);
	if (v->clamped)
		dp_buf_puts(b, " (clamped by --range or --weight)");
}

static void
put_value(const struct dp_run *r, struct dp_buf *b, const struct dp_event *v)
{
	const char *name;
	size_t i;

	if (dp_options_by_key(r->o, r->tool)) {
		dp_check_name(b, r->tool->words.reads);
		dp_check_person(b, v->user);
		return;
	}
	if (r->tool->words.reads != NULL) {
		dp_check_name(b, v->value < 0 ? "undone" : r->tool->words.reads);
		dp_check_person(b, v->text);
		return;
	}
	dp_check_name(b, "value");
	if (r->o->range.weight.field.number != 0) {
		put_row(r, b, v);
		return;
	}
	if (v->nterms == 0 || r->tool->adds != NULL || r->o->keys.each)
		put_number(r, b, r->tool->adds == NULL || v->nterms == 0 ? v->value : v->number);
	for (i = 0; r->tool->adds == NULL && !r->o->keys.each && i < v->nterms && i < TERMS; i++) {
		if (i > 0)
			dp_buf_puts(b, ",");
		if ((name = dp_events_name(r->in.events, v->term[i].place)) != NULL)
			dp_buf_puts(b, name);
		else
			dp_buf_u64(b, v->term[i].place + 1);
		dp_buf_puts(b, ":");
		put_number(r, b, v->term[i].value);
	}
	if (i == TERMS && i < v->nterms)
		dp_buf_puts(b, ",...");
	if (v->clamped)
		dp_buf_puts(b, " (clamped by --range)");
}

/* --public-times: a later bucket than the open one closes that, unless it is too late. */
static bool
put_reached(struct dp_run *r, struct dp_buf *b, const struct dp_event *v)
{
	const int64_t begin = dp_span_floor(&r->o->time.span, v->time);

	if (dp_bucket_far(r, v->time)) {
		nothing(b, r->ring.advanced ? "more empty buckets before it than --gap allows" :
		    "a run ends here: more empty buckets to the first one than --gap allows");
		return false;
	}
	if (!r->ring.open || begin > r->ring.next) {
		r->ring.advanced = r->ring.open;
		r->ring.next = begin;
	}
	r->ring.open = true;
	return true;
}

/* Start of the bucket that it counts in. */
static int64_t
bucket(const struct dp_run *r, const struct dp_event *v)
{
	return !v->timed ? 0 : r->o->time.steps == DP_BY_TIMES ? r->ring.next :
	    dp_span_floor(&r->o->time.span, v->time);
}

static void
put_step(struct dp_run *r, struct dp_buf *b, const struct dp_event *v)
{
	if (r->o->time.bucket == 0) {
		dp_check_name(b, "step");
		dp_buf_u64(b, r->t);
		return;
	}
	if (!v->timed)
		return;			/* when it comes */
	put_time_check(r, b, "time", v->time);
	put_time_check(r, b, "step", bucket(r, v));
}

/*
 * Of K/B, which counts steps: the step less r->t + 1, as dp_cap_admit() takes it.  Buckets count
 * from --from, or from the first that is seen; the last step is that of all that come after it.
 */
static size_t
spaced_row(struct dp_run *r, const struct dp_event *v)
{
	const int64_t begin = bucket(r, v);
	const uint64_t last = dp_options_spaced_steps(r->o) - 1;

	if (r->o->time.bucket == 0)
		return (size_t)-1;	/* r->t is the step */
	if (!r->check.begun)
		r->check.first = r->o->time.steps == DP_BY_RANGE ? r->o->time.begin : begin;
	r->check.begun = true;
	return (size_t)(begin <= r->check.first ? 0 :
	    dp_span_count(&r->o->time.span, r->check.first, begin, last)) - (size_t)r->t;
}

/* --each-user: the event's own number, and what its user's come to with it. */
static int
put_fold(struct dp_run *r, struct dp_buf *b, size_t row, struct dp_event *v)
{
	const int64_t number = v->number;
	struct dp_folded f;
	int e;

	if ((e = dp_fold_take(r, row, v, &f)) != 0 || !f.counts)
		return e;
	dp_check_name(b, "value");
	put_number(r, b, number);
	if (r->o->users.counter) {
		dp_check_name(b, "increase");
		put_number(r, b, v->number);
	}
	dp_check_name(b, "each-user");
	put_number(r, b, f.now);
	if (f.cut) {
		dp_buf_puts(b, " (clamped by --range)");
		dp_sample_folded(r->check.sample);
	}
	return 0;
}

/* The key, or the keys that count of an event's array. */
static void
put_keys(const struct dp_run *r, struct dp_buf *b, const struct dp_event *v)
{
	const char *name = r->o->keys.name[v->column];
	size_t i;

	dp_check_name(b, r->o->users.retention != 0 ? "age" : "key");
	for (i = 0; r->o->keys.each && i < v->nterms && i < TERMS; i++) {
		name = r->o->keys.name[v->term[i].place];
		if (i + 1 == v->nterms)
			break;
		dp_shown_put(b, (struct dp_slice){ name, strlen(name) });
		dp_buf_puts(b, ",");
		name = "...";
	}
	dp_shown_put(b, (struct dp_slice){ name, strlen(name) });
}

/* --dropped: the event is told of as left out, or is nothing. */
static bool
left_out(const struct dp_run *r, const struct dp_event *v)
{
	return r->o->users.dropped != 0 && v->none != NULL;
}

static int
put_event(struct dp_run *r, struct dp_buf *b, const struct dp_record *rec,
    struct dp_event *v)
{
	const bool folds = r->o->users.each != DP_EACH_NO;
	const int64_t value = v->value;
	size_t row;
	int e;

	if (r->o->time.steps == DP_BY_TIMES && v->timed && !put_reached(r, b, v))
		return 0;
	if (v->why != NULL) {
		put_malformed(r, b, rec, v);
		return 0;
	}
	if (put_nothing(r, b, rec, v))
		return 0;
	if (r->o->horizon != 0 && r->o->time.bucket == 0 && r->t > r->o->horizon) {
		nothing(b, "the horizon is spent");
		return 0;
	}
	row = r->o->users.spacing != 0 || r->o->users.retention != 0 ?
	    spaced_row(r, v) : (size_t)bucket(r, v);
	if ((e = folds ? put_fold(r, b, row, v) : dp_cap_admit(r, row, v)) != 0)
		return e;
	if (v->value != value) {
		nothing(b, v->none);
		put_quoted(b, ": ", v->user);
		return 0;
	}
	if (!folds)
		put_value(r, b, v);
	if (left_out(r, v)) {
		dp_buf_puts(b, "\tleft out: ");
		dp_buf_puts(b, v->none);
	}
	put_step(r, b, v);
	if ((r->o->keys.field.number != 0 && r->tool->shape != DP_SHAPE_NAME) ||
	    r->o->users.retention != 0)
		put_keys(r, b, v);
	if (r->o->users.field.number != 0 && !dp_options_by_key(r->o, r->tool)) {
		dp_check_name(b, "user");
		dp_check_person(b, v->user);
	}
	dp_check_who(b, r, rec);
	return 0;
}

int
dp_check_record(struct dp_run *r, const struct dp_record *rec, const char *file,
    struct dp_event *v)
{
	struct dp_buf *b = &r->kept.body;
	size_t place;
	int e;

	if (rec->number == 1)
		dp_header_text(file, rec);
	r->t++;
	dp_buf_puts(b, file);
	dp_buf_puts(b, ":");
	dp_buf_u64(b, rec->number);
	if (r->check.which != NULL) {
		dp_which_see(r->check.which, rec, b);
		dp_buf_puts(b, "\n");
		return dp_print_lines(r, b);
	}
	place = b->n;
	if ((e = put_event(r, b, rec, v)) != 0)
		return e;
	dp_sample_see(r->check.sample, r, rec, v, !left_out(r, v) &&
	    (b->n - place < strlen(NOTHING) ||
	    memcmp(b->p + place, NOTHING, strlen(NOTHING)) != 0));
	dp_buf_puts(b, "\n");
	return dp_print_lines(r, b);
}

int
dp_check(struct dp_run *r)
{
	int e;

	if (r->o->form.totals != DP_TOTALS_NO)
		dp_die(DP_EX_USAGE, "--check: refused with --estimate (lines are answers there)");
	dp_warn("--check shows what is in the input: NOT PRIVATE");
	r->answer.out = true;
	if ((dp_options_any_log(r->o) && (e = dp_which_new(&r->check.which)) != 0) ||
	    (e = dp_sample_new(&r->check.sample, r)) != 0 || (e = dp_run_files(r)) != 0 ||
	    (e = dp_out_flush(r->print.out)) != 0)
		dp_run_fail(r, e);
	if (close(STDOUT_FILENO) != 0)
		dp_run_fail(r, DP_EIO);
	if (r->check.which != NULL && !r->o->print.quiet)
		dp_which_say(r->check.which);
	else if (!r->o->print.quiet)
		dp_sample_say(r->check.sample, r);
	dp_which_free(r->check.which);
	dp_sample_free(r->check.sample);
	return DP_EX_OK;
}

/*
 * What --check says of lines of --log: who asked, and whose line it is; and whose
 * format a time has.
 */

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

/* An object with the members that all lines of the log have, by their names. */
static bool
has_members(const struct dp_log *l, struct dp_slice text)
{
	const char *const name[] = { l->time, l->mark };
	char member[64];
	size_t i;

	if (text.n == 0 || *text.p != '{')
		return false;
	for (i = 0; i < sizeof name / sizeof *name; i++) {
		snprintf(member, sizeof member, "\"%s\":", name[i]);
		if (memmem(text.p, text.n, member, strlen(member)) == NULL)
			return false;
	}
	return true;
}

bool
dp_check_is(const struct dp_log *l, struct dp_slice text)
{
	return l->between != '\0' ? dp_log_pairs(l->between, text) :
	    l->pattern == NULL && has_members(l, text);
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
		if (dp_check_is(l, text))
			return l;
		if (l->pattern == NULL || dp_cut_new_log(&c, l, false, why) != 0)
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

/* A list of addresses begins the line. */
static bool
is_listed(struct dp_slice text)
{
	const char *comma = text.n == 0 ? NULL : memchr(text.p, ',', text.n);

	return comma != NULL && comma > text.p && is_client((struct dp_slice){ text.p,
	    (size_t)(comma - text.p) });
}

/* An address with a port begins the line. */
static bool
has_port(struct dp_slice text)
{
	const char *end = text.n == 0 ? NULL : memchr(text.p, ' ', text.n), *p = end;

	while (p != NULL && p > text.p && p[-1] >= '0' && p[-1] <= '9')
		p--;
	return p != NULL && p < end && p - text.p > 1 && p[-1] == ':' &&
	    is_client((struct dp_slice){ text.p, (size_t)(p - 1 - text.p) });
}

/* The log of a header, behind which another program's line stands. */
static bool
is_header(const struct dp_log *l)
{
	return l->message != NULL;
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

	if (l->pattern == NULL || dp_cut_new_log(&c, l, false, why) != 0)
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

static void
put_behind(struct dp_buf *b, const struct dp_log *outer, const struct dp_log *inner)
{
	dp_buf_puts(b, " (it is one of --log=");
	dp_buf_puts(b, outer->name);
	dp_buf_puts(b, ", with a line of --log=");
	dp_buf_puts(b, inner->name);
	dp_buf_puts(b, " behind its header: --log=");
	dp_buf_puts(b, outer->name);
	dp_buf_puts(b, "+");
	dp_buf_puts(b, inner->name);
	dp_buf_puts(b, ")");
}

/* Of a text that is no line of --log: which log's it is, or what else reads it. */
static void
dp_check_log(struct dp_buf *b, const struct dp_options *o, struct dp_slice text)
{
	const struct dp_log *l, *behind, *inside = NULL;
	unsigned words;

	if (text.p == NULL || (o->form.log == NULL && o->form.cut == NULL && !o->form.json))
		return;
	if (o->form.log == NULL) {
		if ((l = log_of(text)) != NULL) {
			dp_buf_puts(b, " (it is one of --log=");
			dp_buf_puts(b, l->name);
			dp_buf_puts(b, ")");
		}
		return;
	}
	if (text.n > 0 && *text.p == '#') {
		dp_buf_puts(b, " (a log that begins with #Fields is read with -H in place of "
		    "--log)");
		return;
	}
	/* a header's line is one of that log, and so may its message be of another */
	if ((l = log_of(text)) != NULL && is_header(l) &&
	    ((behind = o->form.log, dp_log_behind(l, behind, text)) ||
	    (behind = dp_log_find("combined"), dp_log_behind(l, behind, text)))) {
		put_behind(b, l, behind);
		return;
	}
	if (l == NULL || is_header(l))
		inside = log_inside(o->form.log, text, &words);
	if (l == NULL && inside == NULL) {
		dp_buf_puts(b, is_listed(text) ? " (its client is a list: sed -E "
		    "'s/^([^ ,]+)(, *[^ ,]+)+ /\\1 /' keeps the first)" : has_port(text) ?
		    " (its client has a port: sed -E "
		    "'s/^([0-9.]+|\\[[0-9a-f:]+\\]):[0-9]+ /\\1 /' takes it off)" :
		    " (--cut reads lines of any form)");
		return;
	}
	dp_buf_puts(b, l == NULL ? " (a line of --log=" : " (it is one of --log=");
	dp_buf_puts(b, l == NULL ? inside->name : l->name);
	if (l != NULL && inside != NULL) {
		dp_buf_puts(b, ", with a line of --log=");
		dp_buf_puts(b, inside->name);
	}
	if (inside != NULL) {
		dp_buf_puts(b, ", behind something else: take that off first: "
		    "sed -E 's/^([^ ]+ +){");
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

/* The word that p begins with, behind blanks; *p is behind it. */
static struct dp_slice
word(const char **p, const char *e)
{
	const char *from;

	while (*p < e && **p == ' ')
		(*p)++;
	for (from = *p; *p < e && **p != ' '; (*p)++)
		;
	return (struct dp_slice){ from, (size_t)(*p - from) };
}

/* A time of the given format, but for the name of a zone behind it: how it is left out. */
static void
put_zone(struct dp_buf *b, const struct dp_options *o, const struct dp_stamp *s)
{
	const struct dp_field *f = &o->time.field;
	const char *p = s->next.p, *const blank = memrchr(s->text.p, ' ', s->text.n);
	struct dp_stamp bare = { s->text, word(&p, s->next.p + s->next.n), 0 };
	struct dp_slice zone = word(&p, s->next.p + s->next.n);
	char said[DP_SHOWN_TEXT];
	struct dp_when w;
	int64_t t;

	if (blank != NULL) {
		bare = (struct dp_stamp){ .next = { "", 0 } };
		bare.text = (struct dp_slice){ s->text.p, (size_t)(blank - s->text.p) };
		zone = (struct dp_slice){ blank + 1, s->text.n - bare.text.n - 1 };
	}
	if (zone.n < 2 || zone.n > 6 || *zone.p < 'A' || *zone.p > 'Z' ||
	    dp_when_rule(&w, o->time.format) != 0 || dp_when_parse(&t, &w, &bare) != 0)
		return;
	dp_buf_puts(b, " (");
	dp_buf_puts(b, dp_shown(said, zone.p, zone.n));
	dp_buf_puts(b, memchr("+-", zone.p[zone.n - 2], 2) != NULL ?
	    " is east of Greenwich to some programs, and west to others: " :
	    " may be of several zones: ");
	if (f->name != NULL)
		snprintf(said, sizeof said, "%.80s", f->name);
	else
		snprintf(said, sizeof said, "%u", f->number);
	dp_buf_puts(b, blank != NULL ? "--let='t=" : f->name != NULL ? "-t DAY,CLOCK" : "-t ");
	dp_buf_puts(b, blank != NULL || f->name == NULL ? said : "");
	if (blank == NULL && f->name == NULL) {
		dp_buf_puts(b, ",");
		dp_buf_u64(b, f->number + 1);
	}
	dp_buf_puts(b, blank != NULL ? "~(.*) ' -t t leaves it out, and --tz-in=ZONE says it)" :
	    " leaves it out, and --tz-in=ZONE says it)");
}

/* The named format that a field fits which is no time of the given format. */
static void
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
	if (!o->form.csv && !dp_options_formed(o) && o->form.delimiter < 0 &&
	    field <= DP_FIELDS_MAX) {
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
	put_zone(b, o, &s);
}

/* Who asked, as the log has it; a user only where --user names none. */
static void
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

/* A user or identifier, and that it is more than an address, if it is. */
static void
dp_check_person(struct dp_buf *b, struct dp_slice s)
{
	dp_shown_put(b, s);
	if (dp_sample_port(s))
		dp_buf_puts(b, " (with its port, each connection is another one: "
		    "--let=NAME=FIELD:host leaves it out)");
}
