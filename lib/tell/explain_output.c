/*
 * explain_output.c - for dpplot and --explain=json: the lines of a run, as print.c and totals.c
 * write them: their form, and of each column its name and kind.
 */
#include <stdio.h>

#include "columns.h"
#include "explain.h"

#define LISTED	256		/* columns; of more only the number is said */

/* One more column; names are the caller's, and text. */
static void
column(const char *name, const char *kind, bool *first)
{
	char text[6 * DP_COLUMN + 2];

	*dp_print_text(text, name, DP_JSON) = '\0';
	printf("%s{\"name\":%s,\"kind\":\"%s\"}", *first ? "" : ",", text, kind);
	*first = false;
}

/* Estimates and their intervals; of --output=json a part of them: 0 estimates, 1 lo, 2 hi. */
static void
estimates(const struct dp_run *r, size_t n, int part, bool *first)
{
	static const char *const suffix[] = { "", "_lo", "_hi" };
	static const char *const kind[] = { "estimate", "lo", "hi" };
	char name[DP_COLUMN];
	size_t c;
	int i;

	for (c = 0; c < n; c++)
		for (i = 0; i < (dp_print_bounds(r, c) ? 3 : 1); i++)
			if (part < 0 || part == i)
				column(dp_print_column(r, c, suffix[i], name),
				    dp_print_choice(r, c) ? "choice" : kind[i], first);
}

/* Lines that are a name and its estimate. */
static void
row(const struct dp_run *r, const char *heading, bool *first)
{
	if (r->o->print.format != DP_PLAIN || r->o->form.totals != DP_TOTALS_NO ||
	    r->o->output[0].name != NULL)
		column(heading, "name", first);
	column("estimate", "estimate", first);
	if (r->o->print.confidence > 0) {
		column("lo", "lo", first);
		column("hi", "hi", first);
	}
}

void
dp_explain_output(const struct dp_report *report)
{
	static const char *const form[] = { [DP_PLAIN] = "plain", [DP_TSV] = "tsv",
	    [DP_CSV] = "csv", [DP_JSON] = "json" };
	struct dp_options *o = (struct dp_options *)(uintptr_t)report->o;
	const struct dp_tool *tool = report->tool;
	const bool totals = o->form.totals != DP_TOTALS_NO;
	const char *rows = totals ? "symbol" : tool->rows;
	struct dp_run r = { .o = o, .tool = tool, .print.outputs = o->outputs };
	bool first = true;
	int part;

	r.print.nest = o->outputs * dp_options_columns(o, tool);
	printf("\"output\":{\"format\":\"%s\",\"row\":\"%s\",\"rows\":%zu,\"estimates\":%zu,"
	    "\"columns\":[", form[o->print.format], rows == NULL ? "step" : rows,
	    rows == NULL ? 0 : totals ? o->keys.n : r.print.nest, rows == NULL ? r.print.nest : 1);
	if (o->print.number || o->print.format == DP_JSON)
		column("step", "step", &first);
	if (dp_options_timed(o) && !totals)
		column("time", "time", &first);
	if (rows != NULL)
		row(&r, rows, &first);
	else if (r.print.nest <= LISTED && o->print.format != DP_JSON)
		estimates(&r, r.print.nest, -1, &first);
	else if (r.print.nest <= LISTED)
		for (part = 0; part < 3; part++)
			estimates(&r, r.print.nest, part, &first);
	printf("]}");
}
