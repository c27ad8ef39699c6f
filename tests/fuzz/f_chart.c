/* SPDX-License-Identifier: ISC */
/*
 * f_chart.c - any bytes as lines that a tool printed: each is a row or is refused, and what can be
 * drawn is text without commands to a terminal, SVG without other markup, and JSON.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_chart.c ...; ./f_chart corpus
 *	cc -DREPLAY f_chart.c ...; ./f_chart FILE ...
 */
#include <json-c/json.h>

#include "chart/internal.h"
#include "target.h"

enum form { TEXT, SVG, VEGA };

/* No control character; of SVG each & begins an entity; JSON is whole. */
static bool
clean(struct dp_buf *b, enum form form)
{
	struct json_object *o;
	size_t i;

	for (i = 0; i < b->n; i++) {
		if (((unsigned char)b->p[i] < ' ' && b->p[i] != '\n') || b->p[i] == 0x7f)
			return false;
		if (form == SVG && b->p[i] == '&' && memchr(b->p + i, ';',
		    b->n - i < 8 ? b->n - i : 8) == NULL)
			return false;
	}
	if (form != VEGA)
		return true;
	dp_buf_add(b, "", 1);
	if (b->error != 0 || (o = json_tokener_parse(b->p)) == NULL)
		return false;
	json_object_put(o);
	return true;
}

static void
draw_form(const struct dp_chart *c, enum form form, bool ranked)
{
	struct dp_picture p = { .data = c, .truth = form == TEXT ? c : NULL,
	    .words.title = "A title", .ranked = ranked, .leads = !ranked,
	    .told = { .hi = c->seen % 2 != 0 ? 100 : 0, .suppress = ranked ? 5 : 0,
	    .unit = ranked ? "kB" : NULL },
	    .text = { .on = form == TEXT, .ascii = ranked },
	    .width = form == TEXT ? 80 : 640, .height = form == TEXT ? 24 : 320 };
	struct dp_buf b = { .p = NULL };
	struct dp_figure f;

	if (dp_figure_make(&f, &p) != 0)
		abort();
	if (form == VEGA)
		dp_vega(&b, &f);
	else
		dp_figure_draw(&b, &f, form == TEXT ? &dp_term : &dp_svg);
	if (b.error != 0 || !clean(&b, form))
		abort();
	dp_figure_free(&f);
	dp_buf_free(&b);
}

static void
draw(const struct dp_chart *c, bool ranked)
{
	enum form form;

	for (form = TEXT; form <= VEGA; form++)
		draw_form(c, form, ranked);
}

/* Places, or the last step, of what has several names. */
static void
places(const struct dp_chart *c, int (*make)(struct dp_chart *, const struct dp_chart *),
    bool ranked)
{
	struct dp_chart to = { .header = false };
	struct dp_chart_view v;

	dp_chart_look(c, &v);
	if ((v.choice < 0 ? v.series > 1 : dp_chart_is_long(c)) && make(&to, c) == 0)
		draw(&to, ranked);
	dp_chart_free(&to);
}

static int
sorted(struct dp_chart *to, const struct dp_chart *c)
{
	return dp_chart_last(to, c, true);
}

static int
across(struct dp_chart *to, const struct dp_chart *c)
{
	return dp_chart_last(to, c, false);
}

static int
rank(struct dp_chart *to, const struct dp_chart *c)
{
	return dp_chart_pivot(to, c, NULL, true);
}

static int
pivot(struct dp_chart *to, const struct dp_chart *c)
{
	return dp_chart_is_long(c) ? dp_chart_pivot(to, c, NULL, false) : DP_ERANGE;
}

/*
 * '?', the form's digit, and a digit for the part of each column, up to the first line's end, are
 * the columns as a tool declares them; returns what follows.
 */
static const char *
declare(struct dp_chart *c, const char *p, const char *end)
{
	static const char *const name[] = { "step", "time", "estimate", "estimate_lo",
	    "estimate_hi", "symbol", "column" };

	if (end - p < 2 || *p != '?')
		return p;
	c->heading = (p[1] & 1) != 0;
	c->form = (p[1] & 2) != 0 ? DP_CHART_CSV : (p[1] & 4) != 0 ? DP_CHART_JSON : DP_CHART_TABS;
	for (p += 2; p < end && *p >= '0' && *p <= '6'; p++)
		if (dp_chart_declare(c, name[*p - '0'], (enum dp_chart_part)(*p - '0')) != 0 &&
		    c->columns != DP_CHART_COLUMNS_MAX)
			abort();
	return p < end ? p + 1 : p;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct dp_chart c = { .header = n > 0 && bytes[0] == '!' };
	const char *p = (const char *)bytes, *end = p + n, *newline;
	uint64_t seen;
	int e;

	p = n > 0 ? declare(&c, p, end) : p;
	for (; p < end; p = newline + 1) {
		if ((newline = memchr(p, '\n', (size_t)(end - p))) == NULL)
			newline = end;
		seen = c.seen;
		e = dp_chart_line(&c, (struct dp_slice){ p, (size_t)(newline - p) });
		if (e != 0 && (c.seen != seen || (e == DP_ESYNTAX && c.why[0] == '\0')))
			abort();
	}
	if (c.seen > 0) {
		draw(&c, false);
		places(&c, rank, true);
		places(&c, sorted, false);
		places(&c, pivot, false);
		if (dp_chart_is_row(&c) && !dp_chart_has_order(&c))
			places(&c, across, false);
	}
	dp_chart_free(&c);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
