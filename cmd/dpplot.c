/* SPDX-License-Identifier: ISC */
/* dpplot - a chart of what any of the tools printed. */
#include "chart/plot.h"
#include "job/options.h"

static const struct dp_own own[] = {
	[DP_PLOT_TO] = { 0, "to", "FILE",
	    "draw into FILE: .svg, .png, .pdf, .html for a page, or .vl.json for Vega-Lite; "
	    "default the terminal",
	    DP_KIND_TEXT },
	[DP_PLOT_TITLE] = { 0, "title", "TEXT", "what stands above", DP_KIND_TEXT },
	[DP_PLOT_EXPLAIN] = { 0, "explain", "FILE",
	    "what the tool's --explain printed; its guarantee stands below", DP_KIND_TEXT },
	[DP_PLOT_RUN] = { 0, "run", NULL,
	    "operands are a command: draw what it prints, with its guarantee", DP_KIND_FLAG },
	[DP_PLOT_LIVE] = { 0, "live", NULL, "draw again as lines come", DP_KIND_FLAG },
	[DP_PLOT_HEADER] = { 'H', "header", NULL,
	    "the first line names the columns, though it may look like numbers", DP_KIND_FLAG },
	[DP_PLOT_TRUE] = { 0, "true", "FILE",
	    "the truth beside it, for demonstrations: NOT PRIVATE", DP_KIND_TEXT },
	[DP_PLOT_ADD] = { 0, "add", NULL,
	    "add the chart to the page that is there (--to=FILE.html)", DP_KIND_FLAG },
	[DP_PLOT_SIZE] = { 0, "size", "WxH",
	    "of the picture in pixels, 960x480; without --to in characters", DP_KIND_TEXT },
	[DP_PLOT_RANKS] = { 0, "ranks", NULL,
	    "places of names, step by step, and who leads; in the place of numbers", DP_KIND_FLAG },
	[DP_PLOT_LAST] = { 0, "last", NULL,
	    "of names the last step alone: bars, the largest first", DP_KIND_FLAG },
	[DP_PLOT_YLABEL] = { 0, "ylabel", "TEXT", "what the numbers are, above them",
	    DP_KIND_TEXT },
	[DP_PLOT_BARS] = { 0, "bars", NULL, "a bar for each step, however short it is",
	    DP_KIND_FLAG },
	[DP_PLOT_HEADING] = { 0, "heading", "TEXT",
	    "the title of the page that --to=FILE.html begins", DP_KIND_TEXT },
	[DP_PLOT_IN] = { 0, "in", "UNIT",
	    "the unit of numbers: B, kB, ns, us, ms, s, shown as fits, or any other",
	    DP_KIND_TEXT },
	{ .name = NULL }
};

int
main(int argc, char **argv)
{
	static const struct dp_aside tool = {
		.name = "dpplot",
		.purpose = "Draw what any of the tools printed: on the terminal, as a picture, or "
		    "as a page.",
		.synopsis = { "[options] [FILE ...]", "[options] --run COMMAND [ARG ...]" },
		.examples = "  dpcount -e 1 -T 1k -B bits.txt | dpplot\n"
		    "  dpplot --to=chart.html --run dpcount -e 1 -T 1k -B bits.txt",
		.statuses = "0 success, 1 system, 2 usage, 3 input refused.  With --run the\n"
		    "command's, if it fails.",
		.own = own, .command = "run"
	};

	return dp_plot_main(&tool, argc, argv);
}
