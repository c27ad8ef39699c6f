/*
 * print.c - one step to one line: plain, tsv, csv, json.
 */
#include <stdio.h>
#include <string.h>

#include "ask/relation.h"
#include "columns.h"
#include "keep/roll.h"

void
dp_print_finish(struct dp_run *r, uint64_t t, size_t c, struct dp_interval *v)
{
	/* an answer at the end of no lines is one of step 0 */
	v->none = (r->plan.mech->estimate.first > 1 && t < r->plan.mech->estimate.first) ||
	    r->print.est[c] == DP_NONE;
	if (r->print.raw || dp_print_choice(r, c))
		v->est = r->print.est[c];
	else
		dp_print_round(r, t, c, v);
}

/* Name of a chosen column; NULL: it has none but its number. */
static const char *
choice_name(const struct dp_run *r, dp_wide v)
{
	if (v >= 0 && v < (dp_wide)r->o->keys.n)
		return r->o->keys.name[(size_t)v];
	return v >= 0 && v < (dp_wide)r->col.width ?
	    dp_events_name(r->in.events, (size_t)v) : NULL;
}

/*
 * The place of a column: its name, quoted as the format asks, or its number from 1.  An answer of
 * another form is its mechanism's to write; it has nothing that CSV would quote.
 */
static char *
put_choice(struct dp_run *r, char *p, dp_wide v)
{
	const char *name = choice_name(r, v);
	const struct dp_answers *a = r->plan.mech->ops->answers;

	if (a != NULL && a->put != NULL) {
		if (r->o->print.format == DP_JSON)
			*p++ = '"';
		p = a->put(r->plan.mech, r->col.p, v, p);
		if (r->o->print.format == DP_JSON)
			*p++ = '"';
		return p;
	}
	return name != NULL ? dp_print_safe(r, p, name, v < (dp_wide)r->o->keys.n) :
	    dp_out_put(r->print.out, p, v + 1);
}

static inline char *
put_number(struct dp_run *r, char *p, size_t c, dp_wide v)
{
	return dp_out_decimal(r->print.out, p, v,
	    r->print.places - r->o->output[dp_print_output(r, c)].fewer);
}

/* An empty field; alone in its CSV row it is written "", since readers skip an empty line. */
static char *
put_none(const struct dp_run *r, char *p)
{
	const struct dp_options *o = r->o;

	if (o->print.format == DP_JSON)
		return stpcpy(p, "null");
	return o->print.format == DP_CSV && r->print.nest == 1 && !o->print.number &&
	    !dp_options_timed(o) &&
	    !dp_print_bounds(r, 0) ? stpcpy(p, "\"\"") : p;
}

static inline char *
put_estimate(struct dp_run *r, char *p, size_t c, const struct dp_interval *v)
{
	if (v->none)
		return put_none(r, p);
	return r->print.raw || !dp_print_choice(r, c) ? put_number(r, p, c, v->est) :
	    put_choice(r, p, v->est);
}

/* Begins a line of a table. */
static char *
put_step(struct dp_run *r, char *p, uint64_t t, int64_t begin)
{
	if (r->o->print.number) {
		p = dp_out_put(r->print.out, p, (dp_wide)t);
		*p++ = dp_print_separator(r);
	}
	if (dp_options_timed(r->o)) {
		p = dp_when_put(p, begin, r->o->time.span.zone);
		*p++ = dp_print_separator(r);
	}
	return p;
}

/* All columns, as they are: what is the same for each of them is not asked for each. */
static char *
put_raw(struct dp_run *r, char *p, char sep)
{
	const unsigned places = r->print.places;
	const dp_wide *est = r->print.est, *const end = est + r->print.nest;

	for (; est < end; est++) {
		if ((p = dp_print_room(r, p, 64)) == NULL)
			return NULL;
		p = dp_out_decimal(r->print.out, p, *est, places);
		*p++ = sep;
	}
	return p;
}

/* All columns, and what intervals they have. */
static char *
put_columns(struct dp_run *r, char *p, uint64_t t, char sep)
{
	struct dp_interval v;
	size_t c;

	for (c = 0; c < r->print.nest; c++) {
		if ((p = dp_print_room(r, p, 1600 + r->plan.mech->answers.text)) == NULL)
			return NULL;
		dp_print_finish(r, t, c, &v);
		p = put_estimate(r, p, c, &v);
		*p++ = sep;
		if (dp_print_bounds(r, c)) {
			p = put_number(r, p, c, v.lo);
			*p++ = sep;
			p = put_number(r, p, c, v.hi);
			*p++ = sep;
		}
	}
	return p;
}

/* At the end of a line: a word, if it is so; under a heading 1 or 0. */
static char *
put_frozen(struct dp_run *r, char *p)
{
	const char *frozen = dp_print_frozen(r);

	if (frozen == NULL || (r->o->print.format == DP_PLAIN && *frozen == '0'))
		return p;
	return stpcpy(p, r->o->print.format == DP_PLAIN ? "frozen" : frozen) + 1;
}

static int
print_table(struct dp_run *r, uint64_t t, int64_t begin)
{
	const char sep = dp_print_separator(r);
	char *p;

	if ((p = dp_out_room(r->print.out, 128)) == NULL)
		return DP_ENOMEM;
	p = put_step(r, p, t, begin);
	p = r->print.raw ? put_raw(r, p, sep) : put_columns(r, p, t, sep);
	if (p == NULL || (p = dp_print_room(r, p, 64)) == NULL)
		return DP_ENOMEM;
	p = put_frozen(r, p);
	p[-1] = '\n';
	return dp_out_line(r->print.out, p);
}

/* Text of n bytes with DP_PRINT_SLACK behind it. */
static inline char *
put_text(char *p, const char *s, size_t n)
{
	memcpy(p, s, DP_PRINT_SLACK);
	if (DP_UNLIKELY(n > DP_PRINT_SLACK))
		memcpy(p, s, n);
	return p + n;
}

/* "estimate":V or "estimate":{"A":V,..}; which: 0 estimate, 1 lo, 2 hi */
static char *
put_member(struct dp_run *r, char *p, const struct dp_interval *v, int which)
{
	static const char name[][DP_PRINT_SLACK] = { "\"estimate\":", "\"lo\":", "\"hi\":" };
	static const size_t len[] = { 11, 5, 5 };
	const size_t most = 8192 + r->plan.mech->answers.text;
	const bool many = r->print.json.member != NULL;
	size_t c, first = 1, at;

	p = put_text(p, name[which], len[which]);
	if (many)
		*p++ = '{';
	for (c = 0; c < r->print.nest; c++) {
		if (which != 0 && !dp_print_bounds(r, c))
			continue;
		if ((p = dp_print_room(r, p, most)) == NULL)
			return NULL;
		if (many) {
			at = r->print.json.member[c] + first;	/* without the first one's comma */
			p = put_text(p, r->print.json.names.p + at,
			    r->print.json.member[c + 1] - at);
			first = 0;
		}
		p = which == 0 ? put_estimate(r, p, c, &v[c]) :
		    put_number(r, p, c, which == 1 ? v[c].lo : v[c].hi);
	}
	if (many)
		*p++ = '}';
	return dp_print_room(r, p, 128);
}

/* Begins an object. */
static char *
put_object(struct dp_run *r, char *p, uint64_t t, int64_t begin)
{
	p = stpcpy(p, "{\"step\":");
	p = dp_out_put(r->print.out, p, (dp_wide)t);
	if (dp_options_timed(r->o)) {
		p = stpcpy(p, ",\"time\":\"");
		p = dp_when_put(p, begin, r->o->time.span.zone);
		*p++ = '"';
	}
	*p++ = ',';
	return p;
}

static int
print_json(struct dp_run *r, uint64_t t, int64_t begin)
{
	struct dp_interval *v = r->print.shown;	/* a line lists all estimates before any bound */
	size_t c;
	char *p;

	if ((dp_print_named(r) && r->print.json.member == NULL && dp_print_members(r) != 0) ||
	    (p = dp_out_room(r->print.out, 128)) == NULL)
		return DP_ENOMEM;
	for (c = 0; c < r->print.nest; c++)
		dp_print_finish(r, t, c, &v[c]);
	p = put_object(r, p, t, begin);
	p = put_member(r, p, v, 0);
	if (p != NULL && r->o->print.confidence > 0) {
		*p++ = ',';
		if ((p = put_member(r, p, v, 1)) != NULL) {
			*p++ = ',';
			p = put_member(r, p, v, 2);
		}
	}
	if (p == NULL)
		return DP_ENOMEM;
	if (dp_print_frozen(r) != NULL)
		p += sprintf(p, ",\"frozen\":%s", dp_print_frozen(r));
	*p++ = '}';
	*p++ = '\n';
	return dp_out_line(r->print.out, p);
}

/* The name of a row, output c's; without one its number, not in plain lines. */
static char *
put_row_name(struct dp_run *r, char *p, size_t c, const char *name)
{
	const enum dp_format format = r->o->print.format;

	if (format == DP_JSON)
		p += sprintf(p, "\"%s\":", dp_print_row_name(r));
	if (name != NULL)
		p = dp_print_safe(r, p, name, r->roll == NULL);
	else if (format != DP_PLAIN)
		p = dp_out_put(r->print.out, p, (dp_wide)c + 1);
	else
		return p;
	*p++ = format == DP_JSON ? ',' : dp_print_separator(r);
	return p;
}

/* A row of -o long, or samples of -o prometheus; name: its key, or NULL. */
static char *
put_tidy(struct dp_run *r, char *p, uint64_t t, int64_t begin, size_t c, const char *name,
    const struct dp_interval *v, const char *flag)
{
	char number[3][64] = { "", "", "" }, place[64];
	struct dp_tidy row = { .t = t, .begin = begin, .key = name != NULL ? name : "",
	    .keyed = name != NULL, .declared = r->roll == NULL,
	    .statistic = dp_print_statistic(r, c), .flag = flag,
	    .number = { number[0], number[1], number[2] } };

	if (!v->none && dp_print_choice(r, c)) {
		*dp_decimal_put(place, v->est + 1, 0) = '\0';
		row.key = choice_name(r, v->est) != NULL ? choice_name(r, v->est) : place;
		row.chosen = true;
		row.declared = v->est < (dp_wide)r->o->keys.n;
	} else if (!v->none)
		*put_number(r, number[0], c, v->est) = '\0';
	if (dp_print_bounds(r, c)) {
		*put_number(r, number[1], c, v->lo) = '\0';
		*put_number(r, number[2], c, v->hi) = '\0';
	}
	return dp_print_tidy(r, p, &row);
}

char *
dp_print_row(struct dp_run *r, char *p, uint64_t t, int64_t begin, size_t c, const char *name,
    const struct dp_interval *v, const char *heading, const char *text)
{
	static const char *const member[] = { "\"estimate\":", ",\"lo\":", ",\"hi\":" };
	const bool json = r->o->print.format == DP_JSON;
	const dp_wide *const value[] = { &v->est, &v->lo, &v->hi };
	int i;

	if (dp_options_tidy(r->o))
		return put_tidy(r, p, t, begin, c, name, v, text);
	p = json ? put_object(r, p, t, begin) : put_step(r, p, t, begin);
	p = put_row_name(r, p, c, name);
	for (i = 0; i < (dp_print_bounds(r, c) ? 3 : 1); i++) {
		if (json)
			p = stpcpy(p, member[i]);
		else if (i > 0)
			*p++ = dp_print_separator(r);
		p = put_number(r, p, c, *value[i]);
	}
	if (text != NULL && json)
		p += sprintf(p, ",\"%s\":%s", heading, text);
	else if (text != NULL)
		p += sprintf(p, "%c%s", dp_print_separator(r), text);
	if (json)
		*p++ = '}';
	*p++ = '\n';
	return p;
}

/* Name of column c's row; without one its number; a single statistic needs neither. */
static const char *
row_key(const struct dp_run *r, size_t c, char place[static 32])
{
	if (r->tool->rows == NULL)
		return dp_options_keyed(r->o, r->tool) ?
		    r->o->keys.name[c / r->print.outputs] : NULL;
	if (r->o->output[c].name != NULL || !dp_options_tidy(r->o))
		return r->o->output[c].name;
	snprintf(place, 32, "%zu", c + 1);
	return place;
}

/* All rows as one line: committed, and let out, together. */
static int
print_rows(struct dp_run *r, uint64_t t, int64_t begin)
{
	char *p = dp_out_room(r->print.out, 0), place[32];
	struct dp_interval v;
	size_t c;

	for (c = 0; c < r->print.nest; c++) {
		if ((p = dp_print_room(r, p, 4096)) == NULL)
			return DP_ENOMEM;
		dp_print_finish(r, t, c, &v);
		p = dp_print_row(r, p, t, begin, c, row_key(r, c, place), &v, dp_print_flag(r),
		    dp_print_frozen(r));
	}
	return dp_out_line(r->print.out, p);
}

/* Line of names, which take turns in one column; without names there is no line. */
static int
print_roll(struct dp_run *r, uint64_t t, int64_t begin)
{
	const struct dp_roll *roll = r->roll;
	char *p = dp_out_room(r->print.out, 0), name[DP_ROLL_TEXT];
	struct dp_interval v;
	size_t i;

	for (i = 0; i < roll->n; i++) {
		if ((p = dp_print_room(r, p, 8192)) == NULL)
			return DP_ENOMEM;
		dp_roll_text(roll, roll->told[i].name, name);
		r->print.est[0] = roll->told[i].est;
		dp_print_finish(r, t, 0, &v);
		p = dp_print_row(r, p, t, begin, 0, name, &v, NULL, NULL);
	}
	return roll->n > 0 ? dp_out_line(r->print.out, p) : dp_out_none(r->print.out);
}

int
dp_print_step(struct dp_run *r, uint64_t t, int64_t begin)
{
	char *p;
	int e;

	if (DP_LIKELY(r->print.bare)) {
		if ((p = dp_out_room(r->print.out, 64)) == NULL)
			return DP_ENOMEM;
		p = put_number(r, p, 0, dp_print_nearest(r->print.est[0], r->print.coarse));
		*p++ = '\n';
		return dp_out_line(r->print.out, p);
	}
	if ((e = dp_print_widths(r, t)) != 0)
		return e;
	if (r->o->print.format == DP_PROMETHEUS)
		dp_print_again(r, t, begin);
	if (r->roll != NULL)
		return print_roll(r, t, begin);
	if (r->print.order != NULL)
		return dp_print_top(r, t, begin);
	if (r->tool->rows != NULL || dp_options_tidy(r->o))
		return print_rows(r, t, begin);
	return r->o->print.format == DP_JSON ? print_json(r, t, begin) : print_table(r, t, begin);
}
