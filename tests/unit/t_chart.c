/* SPDX-License-Identifier: ISC */
/*
 * t_chart.c - tables read back, ticks at round places, and pictures in which no text is markup.
 */
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "chart/internal.h"
#include "check.h"

static int
add(struct dp_chart *c, const char *line)
{
	return dp_chart_line(c, (struct dp_slice){ line, strlen(line) });
}

/* Lines with newlines between them; returns what the last of them did. */
static int
read_all(struct dp_chart *c, const char *text)
{
	char copy[1024], *line, *rest = copy;
	int e = 0;

	snprintf(copy, sizeof copy, "%s", text);
	while (e == 0 && (line = strsep(&rest, "\n")) != NULL)
		e = add(c, line);
	return e;
}

/* What each table is taken for: axis, column of names, series, and those of them with a band. */
static void
tables(void)
{
	static const struct {
		const char *text;
		int axis, choice;
		unsigned series, bands;
	} t[] = {
		{ "5\n7\n9", DP_CHART_ROW, -1, 1, 0 },
		{ "estimate\n5\n7", DP_CHART_ROW, -1, 1, 0 },
		{ "1\t5\n2\t6\n3\t7", DP_CHART_STEP, -1, 1, 0 },
		{ "10\t5\n20\t6\n30\t7", DP_CHART_STEP, -1, 1, 0 },
		{ "11\t5\n21\t6\n31\t7", DP_CHART_ROW, -1, 2, 0 },
		{ "1\t5\n2\t6\n4\t7", DP_CHART_ROW, -1, 2, 0 },
		{ "0\t5\n0\t6\n0\t7", DP_CHART_ROW, -1, 2, 0 },
		{ "5 3 7\n6 4 8", DP_CHART_ROW, -1, 1, 1 },
		{ "5 3 7\n4 4 5\n8 8 2", DP_CHART_ROW, -1, 3, 0 },
		{ "5 4 9\n6 5 9\n9 5 19", DP_CHART_ROW, -1, 3, 0 },
		{ "0 0 4\n2 0 6\n9 5 13", DP_CHART_ROW, -1, 1, 1 },
		{ "4 0 6\n5 0 7\n0 0 0", DP_CHART_ROW, -1, 3, 0 },
		{ "1 5 3 7 5 3 7\n2 6 4 8 6 4 8", DP_CHART_STEP, -1, 2, 2 },
		{ "2026-01-01\t5\n2026-01-02\t6", DP_CHART_DATE, -1, 1, 0 },
		{ "step,time,a,a_lo,a_hi,b\n1,2026-01-01,1,0,2,5", DP_CHART_DATE, -1, 2, 1 },
		{ "step,estimate,lo,hi\n1,5,4,6", DP_CHART_STEP, -1, 1, 1 },
		{ "symbol\testimate\n200\t5\n404\t6", DP_CHART_NAME, 0, 1, 0 },
		{ "200\t5\nelse\t6", DP_CHART_NAME, 0, 1, 0 },
		{ "a\t5\nb\t6\na\t7", DP_CHART_ROW, 0, 1, 0 },
		{ "1\ta\t5\n2\tb\t6", DP_CHART_STEP, 1, 1, 0 },
		{ "column,sum\n3,5\n4,6\n3,7", DP_CHART_ROW, 0, 1, 0 },
		{ "Main St, 1\nx", DP_CHART_ROW, 0, 0, 0 },
		{ "{\"step\":1,\"estimate\":\"7\"}\n{\"step\":2,\"estimate\":\"8\"}",
		    DP_CHART_STEP, 1, 0, 0 },
		{ "{\"step\":1,\"estimate\":{\"a\":1,\"b\":2},\"lo\":{\"a\":0},\"hi\":{\"a\":2}}",
		    DP_CHART_STEP, -1, 2, 1 },
	};
	struct dp_chart_view v;
	unsigned i, k, bands;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		struct dp_chart c = { .header = false };

		if (strncmp(t[i].text, "Main", 4) == 0)	/* a comma would make it CSV */
			check(add(&c, "Main St. 1") == 0 && add(&c, "x") == 0);
		else
			check(read_all(&c, t[i].text) == 0);
		dp_chart_look(&c, &v);
		for (k = bands = 0; k < v.series; k++)
			bands += v.at[k].lo >= 0;
		if ((int)v.axis != t[i].axis || v.choice != t[i].choice ||
		    v.series != t[i].series || bands != t[i].bands)
			printf("table %u: axis %d, names %d, %u series, %u bands\n", i,
			    (int)v.axis, v.choice, v.series, bands);
		check((int)v.axis == t[i].axis && v.choice == t[i].choice);
		check(v.series == t[i].series && bands == t[i].bands);
		dp_chart_free(&c);
	}
}

/* Steps before the first estimate, in each form: counted, and not drawn. */
static void
before(void)
{
	static const struct {
		const char *text;
		double x, y;		/* of the only row */
		uint64_t before;
	} t[] = {
		{ "\n\n7", 3, 7, 2 },
		{ "estimate\n\"\"\n\"\"\n7", 3, 7, 2 },
		{ "estimate\n\n7", 2, 7, 1 },
		{ "step\testimate\n1\t\n2\t\n3\t7", 3, 7, 2 },
		{ "step,a,b\n1,,\n2,7,8", 2, 7, 1 },
		{ "{\"step\":1,\"estimate\":null}\n{\"step\":2,\"estimate\":7}", 2, 7, 1 },
		{ "{\"estimate\":{\"a\":null}}\n{\"estimate\":{\"a\":7}}", 2, 7, 1 },
	};
	struct dp_chart_view v;
	const double *row;
	size_t i;
	int e;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		struct dp_chart c = { .header = false };

		check(read_all(&c, t[i].text) == 0 && c.before == t[i].before);
		dp_chart_look(&c, &v);
		check(dp_chart_drawn(&c) == 1 && v.series > 0);
		row = dp_chart_row(&c, 0);
		check((v.x >= 0 ? row[v.x] : (double)(c.before + 1)) == t[i].x);
		check(row[v.at[0].est] == t[i].y);
		/* from there on what is missing is a gap, if it is said of which row */
		e = add(&c, c.form != DP_CHART_JSON ? "" : c.columns == 1 ?
		    "{\"estimate\":{\"a\":null}}" : "{\"step\":9,\"estimate\":null}");
		if (c.columns == 1 || c.form == DP_CHART_JSON)
			check(e == 0 && c.seen == 2 && isnan(c.last[v.at[0].est]));
		else
			check(e == DP_ESYNTAX && c.seen == 1);
		dp_chart_free(&c);
	}
}

/* Declared columns: numbers that are names, a name that is a time, a header that may not come. */
static void
declared(void)
{
	static const struct {
		const char *parts, *text;	/* digits of enum dp_chart_part */
		bool csv, heading;
		int axis, choice;
		unsigned series, bands;
		uint64_t rows;
	} t[] = {
		{ "6", "200\n404", false, false, DP_CHART_ROW, 0, 0, 0, 2 },
		{ "6", "column\n404", true, false, DP_CHART_ROW, 0, 0, 0, 2 },
		{ "6", "column\n404", true, true, DP_CHART_ROW, 0, 0, 0, 1 },
		{ "62", "200\t5\n404\t6", false, false, DP_CHART_ROW, 0, 1, 0, 2 },
		{ "52", "200\t5\n404\t6", false, false, DP_CHART_NAME, 0, 1, 0, 2 },
		{ "062", "1\t200\t5\n2\t404\t6", false, false, DP_CHART_STEP, 1, 1, 0, 2 },
		{ "162", "2026-01-01\t2026-02-02\t5", false, false, DP_CHART_DATE, 1, 1, 0, 1 },
		{ "22", "1\t5\n2\t6\n3\t7", false, false, DP_CHART_ROW, -1, 2, 0, 3 },
		{ "234", "10,1,19\n11,1,21", true, true, DP_CHART_ROW, -1, 1, 1, 2 },
		{ "234", "estimate,estimate_lo,estimate_hi\n11,1,21", true, true, DP_CHART_ROW,
		    -1, 1, 1, 1 },
	};
	static const char *const name[] = { "step", "time", "estimate", "estimate_lo",
	    "estimate_hi", "symbol", "column" };
	struct dp_chart_view v;
	const char *part;
	unsigned i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		struct dp_chart c = { .heading = t[i].heading,
		    .form = t[i].csv ? DP_CHART_CSV : DP_CHART_TABS };

		for (part = t[i].parts; *part != '\0'; part++)
			check(dp_chart_declare(&c, name[*part - '0'],
			    (enum dp_chart_part)(*part - '0')) == 0);
		check(read_all(&c, t[i].text) == 0);
		dp_chart_look(&c, &v);
		if ((int)v.axis != t[i].axis || v.choice != t[i].choice || c.seen != t[i].rows)
			printf("declared %u: axis %d, names %d, %u rows\n", i, (int)v.axis,
			    v.choice, (unsigned)c.seen);
		check((int)v.axis == t[i].axis && v.choice == t[i].choice);
		check(v.series == t[i].series);
		check(v.series == 0 || (v.at[0].lo >= 0) == (t[i].bands > 0));
		check(c.seen == t[i].rows);
		dp_chart_free(&c);
	}
	{	/* two keys, one of them called as an end of the other: -o json's order */
		static const char *const key[] = { "a", "a_lo", "a_lo", "a_lo_lo", "a_hi",
		    "a_lo_hi" };
		struct dp_chart c = { .form = DP_CHART_TABS };

		for (i = 0; i < 6; i++)
			check(dp_chart_declare(&c, key[i], i < 2 ? DP_CHART_IS_ESTIMATE : i < 4 ?
			    DP_CHART_IS_LOW : DP_CHART_IS_HIGH) == 0);
		dp_chart_look(&c, &v);
		check(v.series == 2 && v.at[0].lo == 2 && v.at[0].hi == 4);
		check(v.at[1].est == 1 && v.at[1].lo == 3 && v.at[1].hi == 5);
		dp_chart_free(&c);
	}
	{
		struct dp_chart c = { .form = DP_CHART_TABS };

		for (i = 0; i < DP_CHART_COLUMNS_MAX; i++)
			check(dp_chart_declare(&c, "a", DP_CHART_IS_ESTIMATE) == 0);
		check(dp_chart_declare(&c, "a", DP_CHART_IS_ESTIMATE) == DP_ERANGE);
		check(add(&c, "1\t2") == DP_ESYNTAX && c.seen == 0);
		dp_chart_free(&c);
	}
}

/* A number ends where its field does, whatever stands behind it. */
static void
ends(void)
{
	struct dp_chart c = { .header = false };

	check(dp_chart_line(&c, (struct dp_slice){ "123", 2 }) == 0);
	check(c.first[0] == 12);
	dp_chart_free(&c);
	c = (struct dp_chart){ .header = false };
	/* a first line of nothing is no header, and the next one is */
	check(add(&c, ",") == 0 && c.seen == 0 && c.before == 1);
	check(add(&c, ",") == 0 && c.seen == 0 && c.before == 2);
	check(add(&c, "a,b") == 0 && c.seen == 0 && c.columns == 2);
	check(add(&c, "5,7") == 0 && c.seen == 1 && c.before == 2);
	dp_chart_free(&c);
}

/* Estimates that there are none of are gaps; a step is needed, and names are not made of it. */
static void
gaps(void)
{
	static const char *const lines[] = { "1,5,6", "2,,6", "3,7,", "4,,", "5,8,9" };
	struct dp_chart c = { .header = true };
	struct dp_chart_view v;
	size_t i;

	check(add(&c, "step,a,b") == 0 && add(&c, "0,,") == 0 && c.before == 1);
	for (i = 0; i < 5; i++) {
		check(add(&c, lines[i]) == 0);
		check(isnan(c.last[1]) == (i == 1 || i == 3) && c.seen == i + 1);
	}
	check(add(&c, ",1,2") == DP_ESYNTAX && c.seen == 5);
	dp_chart_look(&c, &v);
	check(v.axis == DP_CHART_STEP && v.series == 2 && dp_chart_row(&c, 4)[2] == 9);
	dp_chart_free(&c);
	/* bands that nobody has named are known by the rows that have all three */
	c = (struct dp_chart){ .header = false };
	check(add(&c, "5\t4\t6") == 0 && add(&c, "\t1\t9") == 0 && add(&c, "6\t4\t8") == 0);
	dp_chart_look(&c, &v);
	check(v.series == 1 && v.at[0].lo == 1 && v.at[0].hi == 2);
	dp_chart_free(&c);
	c = (struct dp_chart){ .header = false };
	check(add(&c, "5") == 0 && add(&c, "") == 0 && isnan(c.last[0]) && c.seen == 2);
	dp_chart_free(&c);
}

/* However many rows come: not too many are kept, evenly, with the first and the last. */
static void
thinned(void)
{
	struct dp_chart c = { .header = false };
	char line[32];
	const double *row;
	size_t i, n;
	int k;

	for (k = 1; k <= 100000; k++) {
		snprintf(line, sizeof line, "%d", k);
		check(add(&c, line) == 0);
		if (k != 4096 && k != 4097 && k != 50001 && k != 100000)
			continue;
		n = dp_chart_drawn(&c);
		check(n <= DP_CHART_ROWS_MAX + 1 && n * 2 >= (k < 4096 ? (size_t)k : 4096));
		check(*dp_chart_row(&c, 0) == 1 && *dp_chart_row(&c, n - 1) == k);
		for (i = 0; i < n - 1; i++) {
			row = dp_chart_row(&c, i);
			check(*row == (double)(i * c.stride + 1));
		}
	}
	check(c.stride == 32);
	dp_chart_free(&c);
}

static void
labels(const struct dp_scale *s, const char *want)
{
	char got[512] = "", label[DP_LABEL];
	double at, last = -INFINITY;
	unsigned i;

	for (i = 0; dp_scale_tick(s, i, &at, label); i++) {
		check(at > last);
		last = at;
		snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s", i == 0 ? "" : " ",
		    label);
	}
	if (strcmp(got, want) != 0)
		printf("ticks %s, not %s\n", got, want);
	check(strcmp(got, want) == 0);
}

static void
scales(void)
{
	const double day = 86400, y2024 = 1704067200;
	struct dp_scale s;

	dp_scale_numbers(&s, -3, 1234567, 4, false);
	labels(&s, "0 500,000 1,000,000");
	dp_scale_numbers(&s, -0.07, 0.11, 4, false);
	labels(&s, "-0.05 0.00 0.05 0.10");
	dp_scale_numbers(&s, 1, 3, 10, true);
	labels(&s, "1 2 3");
	dp_scale_numbers(&s, -12000, -9000, 3, false);
	labels(&s, "-12,000 -11,000 -10,000 -9,000");
	/* as small as doubles are: a difference that is none, and one that needs 20 digits */
	dp_scale_numbers(&s, 0, 1e-321, 4, false);
	check(s.step == 1);
	labels(&s, "0");
	dp_scale_numbers(&s, 0, 3e-20, 4, false);
	labels(&s, "0 1e-20 2e-20 3e-20");
	dp_scale_times(&s, y2024, y2024 + 59, 4, 0, 0);
	labels(&s, "00:00:00 00:00:15 00:00:30 00:00:45");
	dp_scale_times(&s, y2024 - 3600, y2024 + 3600, 4, 0, 0);
	labels(&s, "23:00 23:30 1 Jan 00:30 01:00");
	/* 2024-02-29, Mondays: 26 February, 4 March */
	dp_scale_times(&s, y2024 + 50 * day, y2024 + 70 * day, 3, 0, 0);
	labels(&s, "26 Feb 4 Mar 11 Mar");
	dp_scale_times(&s, y2024, y2024 + 365 * day, 13, 0, 0);
	labels(&s, "Jan 2024 Feb 2024 Mar 2024 Apr 2024 May 2024 Jun 2024 Jul 2024 Aug 2024 "
	    "Sep 2024 Oct 2024 Nov 2024 Dec 2024");
	dp_scale_times(&s, y2024 - 5000 * day, y2024, 4, 0, 0);
	labels(&s, "2015 2020");
	/* midnight is that of the zone */
	dp_scale_times(&s, y2024 - 7200, y2024, 2, 3600, 0);
	labels(&s, "23:00 1 Jan 01:00");
}

/* Numbers with the digits that their intervals leave standing; shares in per cent. */
static void
numbers(void)
{
	static const struct { double v, half; const char *unit, *want; } t[] = {
		{ 1234567, NAN, NULL, "1,234,567" }, { 11954.237, NAN, NULL, "11,954" },
		{ 11954.237, 40, NULL, "11,954" }, { 11954.237, .3, NULL, "11,954.2" },
		{ 3.14159, .02, NULL, "3.14" }, { 4, .02, NULL, "4" },
		{ -1234.5, 1, NULL, "-1,234" }, { .0229, .001, DP_SHARE, "2.3 %" },
		{ .5, NAN, DP_SHARE, "50 %" }, { -.0004, .1, NULL, "0.0" },
		{ 3e-20, NAN, NULL, "3e-20" }, { 0, NAN, NULL, "0" },
		{ 1, .5, DP_SHARE, "100 %" }, { 107644, 97000, "B", "108 kB" },
		{ 107644, 200, "B", "107.6 kB" }, { 999, NAN, "B", "999 B" },
		{ 1e9, NAN, "B", "1 GB" }, { 2e15, NAN, "B", "2,000 TB" },
		{ 3, NAN, "MiB", "3.146 MB" }, { 2500, NAN, "kB", "2.5 MB" },
		{ -1500, NAN, "B", "-1.5 kB" }, { 0, NAN, "kB", "0 kB" },
		{ .25, NAN, "s", "250 ms" }, { 1500, 20, "ms", "1.50 s" },
		{ 4e-4, NAN, "ms", "400 ns" }, { 7200, NAN, "s", "7,200 s" },
		{ 12, .5, "EUR", "12 EUR" }, { 5, NAN, "min", "5 min" }
	};
	char label[DP_LABEL];
	struct dp_scale s;
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		dp_scale_number(label, t[i].v, t[i].half, t[i].unit);
		if (strcmp(label, t[i].want) != 0)
			printf("%g +- %g: %s, not %s\n", t[i].v, t[i].half, label, t[i].want);
		check(strcmp(label, t[i].want) == 0);
	}
	dp_scale_decades(&s, 900, 2.2e6, 4);
	labels(&s, "1,000 10,000 100,000 1,000,000");
	dp_scale_decades(&s, 3, 60, 6);
	labels(&s, "5 10 20 50");
	dp_scale_decades(&s, 1e-3, 1e9, 4);
	labels(&s, "0.001 1 1,000 1,000,000 1,000,000,000");
	dp_scale_numbers(&s, 0, .041, 4, false);
	s.unit = DP_SHARE;
	labels(&s, "0 % 2 % 4 %");
	/* of one axis all have one unit, which its ends have */
	dp_scale_numbers(&s, 0, 1e6, 4, false);
	s.unit = "B";
	labels(&s, "0.0 MB 0.5 MB 1.0 MB");
	dp_scale_decades(&s, 900, 2.2e6, 4);
	s.unit = "B";
	labels(&s, "1 kB 10 kB 100 kB 1 MB");
}

/* Names that are bins, and their edges. */
static void
bins(void)
{
	static const struct { const char *names; double edge[6]; } t[] = {
		{ "..<5 5..<10 10..", { NAN, 5, 10, NAN } },
		{ "1 2 3", { .5, 1.5, 2.5, 3.5 } }, { "1..2 3..4 5..6", { 1, 3, 5, 7 } },
		{ "81 82..83 84..90", { 80.5, 81.5, 83.5, 90.5 } },
		{ "0.0 0.1 0.2 0.3", { -.05, .05, .15, .25, .35 } },
		{ "-2..-1 0 1", { -2.5, -.5, .5, 1.5 } },
		{ "200 404 500", { 0 } }, { "200 201", { 0 } }, { "5..<10 20..<30", { 0 } },
		{ "a b c", { 0 } }, { ".. 1 2", { 0 } }, { "5..<3 3..<4", { 0 } },
		{ "1 3 2", { 0 } }, { "10.. 11", { 0 } }
	};
	char copy[64], *name[8], *rest;
	double edge[9];
	size_t i, n, k;
	bool is;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		snprintf(copy, sizeof copy, "%s", t[i].names);
		for (rest = copy, n = 0; (name[n] = strsep(&rest, " ")) != NULL; n++)
			;
		is = dp_names_are_bins(name, n, edge);
		if (is != (t[i].edge[1] > 0 || t[i].edge[0] < 0))
			printf("bins %s: %d\n", t[i].names, is);
		check(is == (t[i].edge[1] > 0 || t[i].edge[0] < 0));
		for (k = 0; is && k <= n; k++)
			check(isnan(t[i].edge[k]) ? isnan(edge[k]) :
			    fabs(edge[k] - t[i].edge[k]) < 1e-9);
	}
}

/* Widths of letters; texts that are folded, or shortened, have the room that they say. */
static void
widths(void)
{
	static const char text[] = "a title of some words, and of one_that_has_no_blank_at_all";
	char out[DP_TEXT_SHORT];
	const char *s;
	size_t n, w;

	check(dp_text_width("abc", 3, DP_FONT_CELLS) == 300);
	check(dp_text_width("\xe4\xb8\xad\xcc\x81\xc3\xa9", 7, DP_FONT_CELLS) == 300);
	check(dp_text_width("W", 1, DP_FONT_BOLD) > dp_text_width("W", 1, DP_FONT_PLAIN));
	check(dp_text_width("\x1b\xff", 2, DP_FONT_CELLS) == 200);
	for (w = 100; w < 3000; w += 37) {
		for (s = text; *s != '\0';) {
			const char *line = s;

			s = dp_text_fold(line, w, DP_FONT_PLAIN, &n);
			check(n > 0 && s > line);
			check(dp_text_width(line, n, DP_FONT_PLAIN) <= w || n == 1);
		}
		s = dp_text_fit(out, text, w, DP_FONT_BOLD);
		check(dp_text_width(s, strlen(s), DP_FONT_BOLD) <= w || strlen(s) == 4);
	}
}

/* Which kind a table becomes, its panels, and how far its scale goes. */
static void
figures(void)
{
	static const struct {
		const char *text;
		int kind;
		unsigned panels;
		bool log;
		double lo, hi;		/* the scale is within these */
	} t[] = {
		{ "1234 1220 1248", DP_FIGURE_NUMBER, 1, false, -1, 1400 },
		{ "5\n7\n9", DP_FIGURE_LINES, 1, false, 0, 10 },
		{ "2026-01-01\t5\n2026-01-02\t6", DP_FIGURE_BARS, 1, false, 0, 7 },
		{ "a\t5\nb\t6", DP_FIGURE_RANKED, 1, false, 0, 7 },
		{ "name,estimate\n1,5\n2,6\n3,4", DP_FIGURE_BINS, 1, false, 0, 7 },
		{ "a\nb\na", DP_FIGURE_LEADS, 1, false, 0, 2 },
		/* an interval that is the whole range leaves the estimates their room */
		{ "step,estimate,lo,hi\n1,5,0,9000\n2,6,0,9000\n3,5,4,6", DP_FIGURE_LINES, 1, false,
		    0, 9 },
		{ "step,a,b\n1,5,600\n2,6,700", DP_FIGURE_LINES, 2, false, 0, 7 },
		{ "step,p50,p99\n1,5,600\n2,6,700", DP_FIGURE_LINES, 1, true, 1, 900 },
		/* none of a logarithm */
		{ "step,p50,p99\n1,-5,600\n2,6,700", DP_FIGURE_LINES, 1, false, -40, 800 },
		{ "step,p50,p50_lo,p50_hi,p99,p99_lo,p99_hi\n1,5,-9,20,600,1,900\n"
		    "2,5,0,9,600,1,900",
		    DP_FIGURE_LINES, 1, true, 1, 1500 },
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		struct dp_chart c = { .header = strncmp(t[i].text, "name", 4) == 0 };
		const struct dp_picture p = { .data = &c, .width = 960, .height = 480 };
		struct dp_figure f;

		check(read_all(&c, t[i].text) == 0 && dp_figure_make(&f, &p) == 0);
		if ((int)f.kind != t[i].kind || f.panels != t[i].panels ||
		    f.panel[0].log != t[i].log || !(f.panel[0].lo >= t[i].lo) ||
		    !(f.panel[0].hi <= t[i].hi))
			printf("figure %zu: kind %d, %u panels, log %d, %g to %g\n", i, (int)f.kind,
			    f.panels, f.panel[0].log, f.panel[0].lo, f.panel[0].hi);
		check((int)f.kind == t[i].kind && f.panels == t[i].panels);
		check(f.panel[0].log == t[i].log);
		check(f.panel[0].lo >= t[i].lo && f.panel[0].hi <= t[i].hi);
		check(f.panel[0].lo < f.panel[0].hi);
		dp_figure_free(&f);
		dp_chart_free(&c);
	}
}

/* Bytes of SVG: elements that dp_svg has, with attributes in quotes, and text without a control. */
static bool
is_markup_ours(const struct dp_buf *b)
{
	static const char *const ours[] = { "svg ", "/svg>", "title>", "/title>", "desc>", "/desc>",
	    "style>", "/style>", "rect ", "/rect>", "text ", "/text>", "path " };
	bool inside = false, quoted = false;
	uint32_t u;
	size_t at, i;

	for (at = 0; at < b->n; at++) {
		const char c = b->p[at];

		if (((unsigned char)c < ' ' && c != '\n') || ((c & 0xc0) != 0x80 &&
		    dp_utf8(&u, b->p + at, b->p + b->n) == 0))
			return false;
		if (c == '<') {
			for (i = 0; i < sizeof ours / sizeof *ours; i++)
				if (strncmp(b->p + at + 1, ours[i], strlen(ours[i])) == 0)
					break;
			if (inside || i == sizeof ours / sizeof *ours)
				return false;
			inside = true;
		}
		quoted ^= inside && c == '"';
		inside &= quoted || c != '>';
		if (c == '&' && strncmp(b->p + at, "&amp;", 5) != 0 &&
		    strncmp(b->p + at, "&lt;", 4) != 0 && strncmp(b->p + at, "&gt;", 4) != 0 &&
		    strncmp(b->p + at, "&quot;", 6) != 0)
			return false;
	}
	return !inside && !quoted;
}

/* Any bytes as names, titles and captions: no picture has markup or controls of theirs. */
static void
texts(void)
{
	char name[200], line[256];
	uint64_t x = 5;
	unsigned i, k, any;
	size_t at;

	for (i = 0; i < 300; i++) {
		struct dp_chart c = { .header = true };
		struct dp_buf svg = { .p = NULL }, term = { .p = NULL }, vega = { .p = NULL };
		struct dp_picture p = { .data = &c, .words = { .title = name, .caption = name },
		    .width = 80, .height = 24 };
		struct dp_figure f;
		struct json_object *o;

		for (k = 0; k < sizeof name - 1; k++) {
			x = x * 6364136223846793005 + 1442695040888963407;
			any = (unsigned)(x >> 33) % 255;
			name[k] = i % 2 ? "\"'<>&/\\;\n#%}x"[any % 13] : (char)(any + 1);
			if (name[k] == '\t' || name[k] == ',' || name[k] == '{')
				name[k] = ';';
		}
		name[k] = '\0';
		snprintf(line, sizeof line, "%s\tb", name);
		check(add(&c, line) == 0 && add(&c, i % 3 == 0 ? "1\t2" : "a<b\t2") == 0);
		check(i % 3 == 0 ? add(&c, "5\t3") == 0 : add(&c, name) == 0 || true);
		p.text.on = p.text.ascii = false;
		check(dp_figure_make(&f, &p) == 0);
		dp_figure_draw(&svg, &f, &dp_svg);
		check(svg.error == 0 && is_markup_ours(&svg));
		dp_vega(&vega, &f);
		dp_buf_add(&vega, "", 1);
		o = vega.error != 0 ? NULL : json_tokener_parse(vega.p);
		check(json_object_is_type(o, json_type_object));
		json_object_put(o);
		dp_figure_free(&f);
		p.text.on = true;
		p.text.ascii = i % 4 < 2;
		check(dp_figure_make(&f, &p) == 0);
		dp_figure_draw(&term, &f, &dp_term);
		for (at = 0; at < term.n; at++)
			check(term.p[at] == '\n' || (unsigned char)term.p[at] >= ' ');
		dp_figure_free(&f);
		dp_buf_free(&svg);
		dp_buf_free(&term);
		dp_buf_free(&vega);
		dp_chart_free(&c);
	}
}

int
main(void)
{
	tables();
	before();
	declared();
	ends();
	gaps();
	thinned();
	scales();
	numbers();
	bins();
	widths();
	figures();
	texts();
	return done();
}
