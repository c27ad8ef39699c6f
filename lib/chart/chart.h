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
 * Step   a first column named step; without names the first of several columns, as long as it rises
 *	  by a constant d from a multiple of d.
 * Gaps	  a number's field may be empty or null: no point is drawn there.
 * Bands  columns NAME, NAME_lo, NAME_hi, or estimate, lo, hi; without names, three columns with the
 *	  second nowhere above the first, the third nowhere below, and both equally far from the
 *	  first in most rows.
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
		struct dp_buf side;	/* texts of the current line */
		struct json_object *object;	/* JSON: the current line; owned */
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

/* A picture, in gnuplot's commands, and the words of its page. */
struct dp_picture {
	const struct dp_chart *data;
	const struct dp_chart *truth;	/* NULL: none */
	const struct dp_chart *numbers;	/* rows as they came, for a page; NULL: data's */
	const char *title;		/* NULL: none */
	const char *caption;		/* words below it; NULL: none */
	const char *estimate;		/* the numbers in words, at their axis; NULL: none */
	const char *ylabel;		/* the caller's words for them; NULL: none */
	bool bars;			/* steps are bars, however short they are */
	const char *plainly;		/* guarantee for everybody; NULL: none */
	const char *command;		/* that made the numbers; NULL: unknown */
	const char *made;		/* date of the page */
	double confidence;		/* of the bands; 0: unknown */
	bool sampling;			/* they are of what events are a sample of, too */
	double bucket;			/* seconds of a step; 0: unknown */
	const char *when;		/* time of bars of names; NULL: none */
	bool ranked;			/* data has places, as dp_chart_rank() made it */
	bool leads;			/* of names and numbers the names are drawn */
	enum { DP_PICTURE_TEXT, DP_PICTURE_PNG, DP_PICTURE_SVG } form;
	unsigned width, height;		/* characters, or pixels */
};

/*
 * The inside of a picture: gnuplot's commands, one part after the other.
 *
 * gnuplot gets numbers, words of these files, and texts.  In a text, letters and a few marks stand
 * for themselves and every other byte is written by its number, so a text can neither end its
 * string nor be a command.
 */

struct dp_draw {
	struct dp_buf *b;
	const struct dp_picture *p;
	struct dp_chart_view data, truth;	/* parts of p->data and p->truth that are drawn */
	double xlo, xhi, ylo, yhi;
	bool text;
	bool across;			/* names down the left side, bars to the right */
	size_t name;			/* bytes that are shown of a name */
	size_t *lane;			/* names are the answer: height of each; owned */
	size_t height;			/* with the words below */
};

#endif
