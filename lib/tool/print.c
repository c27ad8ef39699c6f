/*
 * print.c - one step to one line: plain, tsv, csv, json.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run.h"

/* Text as a JSON string (bytes above 0x7f as they are), or quoted for CSV when it must be. */
static char *
put_text(char *p, const char *s, enum dp_format format)
{
	bool quote = format == DP_JSON || (format == DP_CSV && s[strcspn(s, ",\"\r\n")] != '\0');

	if (quote)
		*p++ = '"';
	for (; *s != '\0'; s++) {
		if (format == DP_JSON && (unsigned char)*s < ' ') {
			p += sprintf(p, "\\u%04x", (unsigned)*s);
			continue;
		}
		if (quote && (*s == '"' || (format == DP_JSON && *s == '\\')))
			*p++ = format == DP_JSON ? '\\' : '"';
		*p++ = *s;
	}
	if (quote)
		*p++ = '"';
	return p;
}

static char
separator(const struct dp_run *r)
{
	return r->o->format == DP_CSV ? ',' : '\t';
}

/* Whether a line holds several estimates, by key, by window or both. */
static bool
named(const struct dp_run *r)
{
	return r->o->nkeys > 0 || r->outputs > 1;
}

/* KEY, WINDOW or KEY_WINDOW */
static const char *
name_of(const struct dp_run *r, size_t c, char text[static 512])
{
	const char *key = r->o->nkeys > 0 ? r->o->keys[c / r->outputs] : "";
	const char *window = r->outputs > 1 ? r->o->task_name[c % r->outputs] : "";

	snprintf(text, 512, "%s%s%s", key, *key != '\0' && *window != '\0' ? "_" : "", window);
	return text;
}

static char *
column_name(const struct dp_run *r, char *p, size_t c, const char *suffix)
{
	char name[1200];

	if (named(r))
		snprintf(name, sizeof name, "%s%s", name_of(r, c, (char [512]){ 0 }), suffix);
	else
		snprintf(name, sizeof name, "%s", suffix[0] == '\0' ? "estimate" : suffix + 1);
	return put_text(p, name, r->o->format);
}

int
dp_print_header(struct dp_run *r)
{
	static const char *const suffix[] = { "", "_lo", "_hi" };
	const struct dp_options *o = r->o;
	size_t c, i, columns = o->confidence > 0 ? 3 : 1;
	char sep = separator(r), *p;

	if (o->format != DP_TSV && o->format != DP_CSV)
		return 0;
	r->headed = true;
	if ((p = dp_out_room(r->out, 32)) == NULL)
		return DP_ENOMEM;
	if (o->number)
		p = stpcpy(p, "step") + 1, p[-1] = sep;
	if (o->bucket != 0)
		p = stpcpy(p, "time") + 1, p[-1] = sep;
	r->out->n = (size_t)(p - r->out->buf);
	for (c = 0; c < r->nest; c++)
		for (i = 0; i < columns; i++) {
			if ((p = dp_out_room(r->out, 8192)) == NULL)
				return DP_ENOMEM;
			p = column_name(r, p, c, suffix[i]);
			*p++ = sep;
			r->out->n = (size_t)(p - r->out->buf);
		}
	p[-1] = '\n';
	return dp_out_line(r->out, p);
}

/*
 * Half-width of each output's noise interval at this step.  Equal variances of one mechanism are equal laws
 * for all practical purposes, and most mechanisms have few: those met are remembered.
 */
static int
half_widths(struct dp_run *r)
{
	struct dp_width *seen;
	uint64_t bits;
	unsigned i;
	double v;

	for (i = 0; i < r->outputs; i++) {
		dp_mech_law(r->plan.mech, i, r->t, r->law);
		v = dp_law_variance(r->law);
		if (isinf(v))	/* no law: no interval (law.h) */
			return DP_ERANGE;
		memcpy(&bits, &v, sizeof bits);
		seen = &r->widths[(bits * 0x9e3779b97f4a7c15u) >> (64 - DP_WIDTHS_LOG)];
		if (seen->variance != v) {
			seen->width = dp_law_bound(r->law, 1 - r->o->confidence);
			seen->variance = v;
		}
		r->half[i] = (dp_wide)seen->width * r->unit;
	}
	return 0;
}

/* Post-processing of one estimate: costs no privacy. */
static struct dp_interval
finish(struct dp_run *r, size_t c)
{
	const struct dp_options *o = r->o;
	dp_wide w = r->half[c % r->outputs];	/* 0 without --bound */
	struct dp_interval v = { r->est[c], r->est[c] - w, r->est[c] + w };

	if (o->nonnegative) {
		v.est = v.est < 0 ? 0 : v.est;
		v.lo = v.lo < 0 ? 0 : v.lo;
		v.hi = v.hi < 0 ? 0 : v.hi;
	}
	if (o->monotone) {
		if (r->t > 1 && v.est < r->last[c])
			v.est = r->last[c];
		r->last[c] = v.est;
		v.hi = v.hi < v.est ? v.est : v.hi;
	}
	return v;
}

static char *
put_number(struct dp_run *r, char *p, dp_wide v)
{
	return r->places == 0 ? dp_out_put(r->out, p, v) : dp_decimal_put(p, v, r->places);
}

/* Room for one more value of the current line. */
static char *
room(struct dp_run *r, char *p, size_t n)
{
	r->out->n = (size_t)(p - r->out->buf);
	return dp_out_room(r->out, n);
}

static int
print_table(struct dp_run *r, int64_t begin)
{
	const struct dp_options *o = r->o;
	struct dp_interval v;
	char sep = separator(r), *p;
	size_t c;

	if ((p = dp_out_room(r->out, 128)) == NULL)
		return DP_ENOMEM;
	if (o->number) {
		p = dp_out_put(r->out, p, (dp_wide)r->t);
		*p++ = sep;
	}
	if (o->bucket != 0) {
		p = dp_when_put(p, begin);
		*p++ = sep;
	}
	for (c = 0; c < r->nest; c++) {
		if ((p = room(r, p, 160)) == NULL)
			return DP_ENOMEM;
		v = finish(r, c);
		p = put_number(r, p, v.est);
		*p++ = sep;
		if (o->confidence > 0) {
			p = put_number(r, p, v.lo);
			*p++ = sep;
			p = put_number(r, p, v.hi);
			*p++ = sep;
		}
	}
	p[-1] = '\n';
	return dp_out_line(r->out, p);
}

/* "estimate":V or "estimate":{"A":V,..}; which: 0 estimate, 1 lo, 2 hi */
static char *
put_member(struct dp_run *r, char *p, const struct dp_interval *v, int which)
{
	static const char *const name[] = { "\"estimate\":", "\"lo\":", "\"hi\":" };
	size_t c;

	p = stpcpy(p, name[which]);
	if (named(r))
		*p++ = '{';
	for (c = 0; c < r->nest; c++) {
		if ((p = room(r, p, 8192)) == NULL)
			return NULL;
		if (c > 0)
			*p++ = ',';
		if (named(r)) {
			p = put_text(p, name_of(r, c, (char [512]){ 0 }), DP_JSON);
			*p++ = ':';
		}
		p = put_number(r, p, which == 0 ? v[c].est : which == 1 ? v[c].lo : v[c].hi);
	}
	if (named(r))
		*p++ = '}';
	return room(r, p, 128);
}

static int
print_json(struct dp_run *r, int64_t begin)
{
	struct dp_interval *v = r->shown;	/* a line lists all estimates before any bound */
	size_t c;
	char *p;

	if ((p = dp_out_room(r->out, 128)) == NULL)
		return DP_ENOMEM;
	for (c = 0; c < r->nest; c++)
		v[c] = finish(r, c);
	p = stpcpy(p, "{\"step\":");
	p = dp_out_put(r->out, p, (dp_wide)r->t);
	if (r->o->bucket != 0) {
		p = stpcpy(p, ",\"time\":\"");
		p = dp_when_put(p, begin);
		*p++ = '"';
	}
	*p++ = ',';
	p = put_member(r, p, v, 0);
	if (p != NULL && r->o->confidence > 0) {
		*p++ = ',';
		if ((p = put_member(r, p, v, 1)) != NULL) {
			*p++ = ',';
			p = put_member(r, p, v, 2);
		}
	}
	if (p == NULL)
		return DP_ENOMEM;
	*p++ = '}';
	*p++ = '\n';
	return dp_out_line(r->out, p);
}

int
dp_print_step(struct dp_run *r, int64_t begin)
{
	char *p;
	int e;

	if (DP_LIKELY(r->bare)) {
		if ((p = dp_out_room(r->out, 64)) == NULL)
			return DP_ENOMEM;
		p = put_number(r, p, r->est[0]);
		*p++ = '\n';
		return dp_out_line(r->out, p);
	}
	if (r->o->confidence > 0 && (e = half_widths(r)) != 0)
		return e;
	return r->o->format == DP_JSON ? print_json(r, begin) : print_table(r, begin);
}
