/*
 * print_names.c - what columns and rows are called: in the header line, and in objects.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/options_table.h"
#include "base/utf8.h"
#include "columns.h"
#include "ask/relation.h"

/* Bytes of a mark at s that turns what follows or ends its line, and nobody sees; 0: none. */
static size_t
unseen(const char *s, uint32_t *c)
{
	const size_t n = dp_utf8(c, s, s + strnlen(s, 4));

	return n != 0 && dp_utf8_unseen(*c) ? n : 0;
}

/* Text as a JSON string (bytes above 0x7f as they are, but marks), or for CSV, with its quotes. */
char *
dp_print_text(char *p, const char *s, enum dp_format format)
{
	const bool csv = format == DP_CSV || format == DP_LONG;
	const bool quote = format == DP_JSON || (csv && s[strcspn(s, ",\"\r\n")] != '\0');
	uint32_t c;
	size_t n;

	if (quote)
		*p++ = '"';
	for (; *s != '\0'; s++) {
		if (format == DP_JSON && (unsigned char)*s >= 0x80 && (n = unseen(s, &c)) != 0) {
			p += sprintf(p, "\\u%04x", c);
			s += n - 1;
			continue;
		}
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

char *
dp_print_safe(const struct dp_run *r, char *p, const char *s, bool declared)
{
	const enum dp_format format = r->o->print.format;
	char *const begin = p;

	if ((format != DP_CSV && format != DP_LONG) || *s == '\0' ||
	    strchr("=+-@\t\r", *s) == NULL || r->o->print.safe == DP_SAFE_NONE ||
	    (declared && r->o->print.safe == DP_SAFE_UNDECLARED))
		return dp_print_text(p, s, format);
	p = stpcpy(p, "\"'");
	p = dp_print_text(p, s, format);
	if (begin[2] == '"') {			/* these quotes are before the apostrophe now */
		memmove(begin + 2, begin + 3, (size_t)(p - begin) - 3);
		return p - 1;
	}
	*p++ = '"';
	return p;
}

bool
dp_print_named(const struct dp_run *r)
{
	return dp_options_keyed(r->o, r->tool) || r->print.outputs > 1;
}

/* KEY, OUTPUT or KEY_OUTPUT */
static const char *
name_of(const struct dp_run *r, size_t c, char text[static 512])
{
	const char *key = dp_options_keyed(r->o, r->tool) ?
	    r->o->keys.name[c / r->print.outputs] : "";
	const char *out = r->print.outputs > 1 ? r->o->output[c % r->print.outputs].name : "";

	snprintf(text, 512, "%s%s%s", key, *key != '\0' && *out != '\0' ? "_" : "", out);
	return text;
}

const char *
dp_print_column(const struct dp_run *r, size_t c, const char *suffix, char name[static DP_COLUMN])
{
	if (dp_print_named(r))
		snprintf(name, DP_COLUMN, "%s%s", name_of(r, c, (char [512]){ 0 }), suffix);
	else
		snprintf(name, DP_COLUMN, "%s", suffix[0] == '\0' ? "estimate" : suffix + 1);
	return name;
}

const char *
dp_print_row_name(const struct dp_run *r)
{
	return r->o->given[OPT_TOP] ? "key" : r->o->form.totals != DP_TOTALS_NO ? "symbol" :
	    r->tool->rows;
}

const char *
dp_print_flag(const struct dp_run *r)
{
	return r->print.bound.sure != NULL ? "certain" :
	    r->plan.mech->ops->frozen != NULL ? "frozen" : NULL;
}

const char *
dp_print_frozen(const struct dp_run *r)
{
	const struct dp_mech *m = r->plan.mech;

	if (m->ops->frozen == NULL)
		return NULL;
	return m->ops->frozen(m, r->col.p) ? "1" : "0";
}

static int
rows_header(struct dp_run *r, char *p, char sep)
{
	p += sprintf(p, "%s%cestimate", dp_print_row_name(r), sep);
	if (dp_print_bounds(r, 0))
		p += sprintf(p, "%clo%chi", sep, sep);
	if (dp_print_flag(r) != NULL)
		p += sprintf(p, "%c%s", sep, dp_print_flag(r));
	*p++ = '\n';
	return dp_out_line(r->print.out, p);
}

int
dp_print_header(struct dp_run *r)
{
	static const char *const suffix[] = { "", "_lo", "_hi" };
	const struct dp_options *o = r->o;
	size_t c, i;
	char sep = dp_print_separator(r), name[DP_COLUMN], *p;

	if (o->print.format != DP_TSV && o->print.format != DP_CSV && o->print.format != DP_LONG)
		return 0;
	r->print.headed = true;
	if (o->print.format == DP_LONG)
		return dp_print_long_header(r);
	if ((p = dp_out_room(r->print.out, 320)) == NULL)
		return DP_ENOMEM;
	if (o->print.number)
		p = stpcpy(p, "step") + 1, p[-1] = sep;
	if (dp_options_timed(o))
		p = stpcpy(p, "time") + 1, p[-1] = sep;
	if (dp_print_row_name(r) != NULL)
		return rows_header(r, p, sep);
	r->print.out->n = (size_t)(p - r->print.out->buf);
	for (c = 0; c < r->print.nest; c++)
		for (i = 0; i < (dp_print_bounds(r, c) ? 3 : 1); i++) {
			if ((p = dp_out_room(r->print.out, 8192)) == NULL)
				return DP_ENOMEM;
			p = dp_print_safe(r, p, dp_print_column(r, c, suffix[i], name), true);
			*p++ = sep;
			r->print.out->n = (size_t)(p - r->print.out->buf);
		}
	if (dp_print_flag(r) != NULL)
		p = stpcpy(p, dp_print_flag(r)) + 1;
	p[-1] = '\n';
	return dp_out_line(r->print.out, p);
}

int
dp_print_members(struct dp_run *r)
{
	char text[8192], *end;
	size_t c;

	if ((r->print.json.member = calloc(r->print.nest + 1,
	    sizeof *r->print.json.member)) == NULL)
		return DP_ENOMEM;
	for (c = 0; c < r->print.nest; c++) {
		text[0] = ',';
		end = dp_print_text(text + 1, name_of(r, c, (char [512]){ 0 }), DP_JSON);
		*end++ = ':';
		dp_buf_add(&r->print.json.names, text, (size_t)(end - text));
		r->print.json.member[c + 1] = r->print.json.names.n;
	}
	dp_buf_add(&r->print.json.names, (char [DP_PRINT_SLACK]){ 0 }, DP_PRINT_SLACK);
	return r->print.json.names.error;
}
