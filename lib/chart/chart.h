/* SPDX-License-Identifier: ISC */
/*
 * chart.h - tables: any tool's output read back as rows of numbers, times and names.
 *
 * The output is public, so messages may say what is wrong with a line; numbers are doubles, since
 * they are only drawn.
 *
 * Lines  a first line that begins with '{' is JSON, an object a line; with a tab, fields between
 *	  tabs; with a comma, RFC 4180.  Other lines are cut at blanks if each piece is a number or
 *	  a time; else a line is one name.
 * Names  of columns: the first line of RFC 4180; in other forms the first line if the caller says
 *	  so, if its first field is step, time or estimate, or if it has several fields and each is
 *	  neither number nor time.  JSON names columns in every line.
 * Order  a step, a time (ISO 8601) and a name, each optional; then numbers.
 * Long   key and statistic (-o long) are one name, with DP_TIDY between them.
 * Step   a first column named step; without names the first of several columns, as long as it rises
 *	  by a constant d from a multiple of d.
 * Gaps	  a number's field may be empty or null: no point is drawn there.
 * Bands  columns NAME, NAME_lo, NAME_hi, or estimate, lo, hi; without names, three columns with the
 *	  second nowhere above the first, the third nowhere below, and both equally far from the
 *	  first in most rows, or the second nearer where it is 0, at which it was cut.
 *
 * Memory is bounded: DP_CHART_ROWS_MAX rows are kept at most (DP_CHART_LONG_MAX of rows with a
 * name), every stride-th row and the last.
 */
#ifndef DP_CHART_CHART_H
#define DP_CHART_CHART_H

#include "counter/mech.h"

struct json_object;

#define DP_CHART_COLUMNS_MAX	64
#define DP_CHART_WHY		120
#define DP_CHART_ROW_MAX	24
#define DP_TIDY		'\037'
#define DP_CHART_SAMPLED	"noise and sampling"	/* what the tools call such intervals */

enum dp_chart_kind { DP_CHART_NUMBER, DP_CHART_TIME, DP_CHART_TEXT };

/* A column's part in a line, as declared by the program that printed it. */
enum dp_chart_part { DP_CHART_IS_STEP, DP_CHART_IS_TIME, DP_CHART_IS_ESTIMATE, DP_CHART_IS_LOW,
    DP_CHART_IS_HIGH, DP_CHART_IS_NAME,	/* the name that the line's numbers belong to */
    DP_CHART_IS_CHOICE,		/* the answer is a name, though it may look like a number */
    DP_CHART_IS_OTHER };		/* a number that is not drawn */

struct dp_chart_column {
	char *name;		/* NULL: none; owned */
	enum dp_chart_part part;	/* if the chart's columns are declared */
	enum dp_chart_kind kind;
	/* this column and the next two: every row allows a band; rows with equal sides */
	bool band;
	uint64_t sides;
};

struct dp_chart {
	enum { DP_CHART_NEW, DP_CHART_BLANKS, DP_CHART_TABS, DP_CHART_CSV, DP_CHART_JSON } form;
	bool header;			/* the caller's: the first line names the columns */
	bool named;			/* columns have names */
	bool declared;			/* columns were declared before the first line */
	bool heading;			/* declared: the first line may name the columns again */
	char row[DP_CHART_ROW_MAX];	/* noun for a row, for the axis; "": step */
	unsigned columns;		/* 0: no line has come */
	struct dp_chart_column column[DP_CHART_COLUMNS_MAX];
	/* The first column: it rises evenly so far, by `by`. */
	struct {
		bool even;
		double by;
	} steps;
	/*
	 * Rows one after another, owned: numbers (NAN: a gap), times in seconds since 1970, texts
	 * by their place in words.text[].
	 */
	double *cell;
	size_t rows;			/* rows kept; the last row may be in last[] alone */
	uint64_t seen, stride;
	uint64_t before;		/* rows without an estimate, before the first with one */
	double first[DP_CHART_COLUMNS_MAX], last[DP_CHART_COLUMNS_MAX];
	int zone;			/* zone of the first time, seconds east of UTC */
	struct {			/* cells that are words */
		char **text;		/* owned */
		size_t n;
	} words;
	struct {
		struct dp_buf side, both;	/* texts of the current line; -o long: its name */
		struct json_object *object;	/* JSON: the current line; owned */
		unsigned tidy;	/* -o long: fields before the one of the statistic, or 0 */
		bool sampled;		/* a line said what intervals are: "interval" */
	} line;
	char why[DP_CHART_WHY];
};

/* Part of the chart that is drawn, and its axis. */
struct dp_chart_view {
	enum { DP_CHART_ROW, DP_CHART_STEP, DP_CHART_DATE, DP_CHART_NAME } axis;
	int x;			/* column; -1: the row's number */
	int choice;		/* column of names of a line; -1: none */
	double bar;		/* steps are bars, so far apart on the axis; 0: they are not */
	unsigned series;
	struct { unsigned est; int lo, hi; } at[DP_CHART_COLUMNS_MAX];	/* lo < 0: no band */
};

/* A picture, and the words of its page. */
struct dp_picture {
	const struct dp_chart *data;
	const struct dp_chart *truth;	/* NULL: none */
	const struct dp_chart *numbers;	/* rows as they came, for a page; NULL: data's */
	struct {			/* NULL: none */
		const char *heading;	/* of the page that it begins */
		const char *title;
		const char *caption;	/* the guarantee */
		const char *estimate;	/* the numbers in words */
		const char *ylabel;	/* the caller's words for them */
		const char *plainly;	/* guarantee for everybody */
		const char *command;	/* that made the numbers */
		const char *made;	/* date of the page */
		const char *step;	/* what a step is: day, hour, .. */
		bool headed;		/* the title says what the numbers are */
	} words;
	struct {			/* of bars of names: when they are of */
		bool is, step;		/* known; a step, not a time */
		double at;
	} last;
	struct {			/* what the command tells of its numbers */
		double confidence;	/* of the bands; 0: unknown */
		bool sampling;		/* they are of what events are a sample of, too */
		double bucket;		/* seconds of a step; 0: unknown */
		bool running;		/* counts of all steps so far */
		const char *unit;	/* of values: "B", "ms"; DP_SHARE; NULL: none */
		double suppress;	/* less is not told; 0: all is */
		bool totals, others;	/* a name's fields * are summed over; + is all others */
		double lo, hi;		/* where an answer always is; both 0: unknown */
	} told;
	bool bars;			/* steps are bars, however short they are */
	bool ranked;			/* data has places, as dp_chart_pivot() made it */
	bool leads;			/* of names and numbers the names are drawn */
	bool page;			/* what stands above and below is the page's */
	struct {			/* of the terminal */
		bool on;
		bool ascii;
		unsigned colours;	/* 0, 16, or 1 << 24 */
	} text;
	unsigned width, height;		/* pixels, or characters */
};

/*
 * A figure: what kind of picture fits a table, and its scales.  Each writer draws it as it stands.
 */

enum dp_figure_kind {
	DP_FIGURE_NUMBER,	/* a single value */
	DP_FIGURE_LINES,
	DP_FIGURE_BARS,		/* of steps */
	DP_FIGURE_RANKED,	/* of names, one below the other */
	DP_FIGURE_BINS,		/* a histogram */
	DP_FIGURE_LEADS,	/* which name it was, step by step */
	DP_FIGURE_PLACES	/* who has which place */
};

#define DP_FIGURE_PANELS	12

/* Series that share a scale. */
struct dp_panel {
	unsigned from, to;	/* [from,to) */
	double lo, hi;
	bool log;
};

struct dp_figure {
	const struct dp_picture *p;
	struct dp_chart_view data, truth;	/* parts of p->data and p->truth that are drawn */
	enum dp_figure_kind kind;
	bool steps;		/* a line stays where it is until the next row */
	bool fan;		/* series are quantiles of one distribution */
	struct {
		bool unknown;	/* the interval of some row is all that can be */
		bool empty;	/* and of all rows, or there is none */
		bool cut;	/* an interval ends at the edge of its panel */
		bool late;	/* rows are at the ends of their buckets, where counts are known */
		bool apart;	/* names are of different statistics: no bars of one scale */
	} is;
	size_t rows;		/* of p->data that are drawn */
	double xlo, xhi;
	const char *unit, *xunit;	/* of numbers, of edges */
	bool share;		/* numbers are parts of 1, and shown in per cent */
	double half;		/* of bars: a usual interval's, for the digits of all; 0: unknown */
	bool xlog;
	double *edge;		/* of bins, rows + 1; owned */
	size_t *lane;		/* of each name that is an answer: 0 the most frequent; owned */
	size_t lanes;		/* the last is of all others, if there are more names */
	unsigned panels;
	struct dp_panel panel[DP_FIGURE_PANELS];
};

#endif
