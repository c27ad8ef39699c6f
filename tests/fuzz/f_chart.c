/*
 * f_chart.c - any bytes as lines that a tool printed: each is a row or is refused, and what can be
 * drawn is a script in which no text is a command.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_chart.c ...; ./f_chart corpus
 *	cc -DREPLAY f_chart.c ...; ./f_chart FILE ...
 */
#include "chart/internal.h"
#include "target.h"

static void
draw(const struct dp_chart *c, unsigned form, bool ranked)
{
	struct dp_buf b = { .p = NULL };
	struct dp_picture p = { .data = c, .truth = form == DP_PICTURE_TEXT ? c : NULL,
	    .title = "A title",
	    .ranked = ranked, .leads = !ranked, .form = form, .width = 80, .height = 24 };
	size_t i;

	dp_picture_script(&b, &p);
	if (b.error != 0)
		abort();
	for (i = 0; i < b.n; i++)
		if ((b.p[i] != '\n' && (b.p[i] < ' ' || b.p[i] > '~')) ||
		    strchr("`@;", b.p[i]) != NULL)
			abort();
	dp_buf_free(&b);
}

/* Places, or the last step, of what has several names. */
static void
places(const struct dp_chart *c, int (*make)(struct dp_chart *, const struct dp_chart *),
    bool ranked)
{
	struct dp_chart to = { .header = false };
	struct dp_chart_view v;

	dp_chart_look(c, &v);
	if ((v.choice < 0 ? v.series > 1 : dp_chart_is_long(c)) && make(&to, c) == 0) {
		draw(&to, DP_PICTURE_TEXT, ranked);
		draw(&to, DP_PICTURE_SVG, ranked);
	}
	dp_chart_free(&to);
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
		draw(&c, DP_PICTURE_TEXT, false);
		draw(&c, DP_PICTURE_SVG, false);
		places(&c, dp_chart_rank, true);
		places(&c, dp_chart_last, false);
		if (dp_chart_is_row(&c) && !dp_chart_has_order(&c))
			places(&c, dp_chart_across, false);
	}
	dp_chart_free(&c);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
