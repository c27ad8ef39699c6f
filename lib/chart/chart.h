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
#ifndef DP_CHART_H
#define DP_CHART_H

#include "base/buf.h"
#include "base/dp.h"

#define DP_CHART_COLUMNS_MAX	64
#define DP_CHART_ROWS_MAX	4096
#define DP_CHART_LONG_MAX	65536	/* of rows with a name */
#define DP_CHART_NAMES_MAX	4096
#define DP_CHART_WHY		120
#define DP_CHART_ROW_MAX	24

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
	} line;
	char why[DP_CHART_WHY];
};

/* A chart that is all zero, `header` excepted, is empty. */
void	dp_chart_free(struct dp_chart *);
/*
 * Declares the next column from the left before any line: its name, which is copied, and its part.
 * Declared columns are never guessed.  The caller sets form and heading.  DP_ERANGE: more than
 * DP_CHART_COLUMNS_MAX; DP_ENOMEM.
 */
int	dp_chart_declare(struct dp_chart *, const char *name, enum dp_chart_part) DP_MUSTUSE;
/*
 * Adds a line, without its newline.  DP_ENOMEM; DP_ESYNTAX: `why` says what is wrong with the line,
 * and the chart is unchanged.
 */
int	dp_chart_line(struct dp_chart *, struct dp_slice) DP_MUSTUSE;
/* Number of rows drawn, and the i-th of them. */
size_t	dp_chart_drawn(const struct dp_chart *);
const double *dp_chart_row(const struct dp_chart *, size_t i);

/*
 * true: rows are of several names at one time or step, which there are several of ("long", as
 * dptop prints): dp_chart_pivot() makes a chart of it that can be drawn.
 */
bool	dp_chart_is_long(const struct dp_chart *);
/*
 * A long chart to one with a row for each time, and columns for the names with the eight largest
 * estimates, or for those of `like' (NULL: none), which pivot made.  Frees what `to' held; it is
 * the caller's to free.  DP_ENOMEM.
 */
int	dp_chart_pivot(struct dp_chart *to, const struct dp_chart *, const struct dp_chart *like)
	    DP_MUSTUSE;

/*
 * A chart of several names, long or with a column each, to their places, 1 the first: a row for
 * each time, and two columns for each name, its place and its estimate.  Names are the eight that
 * are first in the last row; places beyond the eighth are gaps.  Frees what `to' held; it is the
 * caller's to free.  DP_ENOMEM; DP_ERANGE: no name has a number.
 */
int	dp_chart_rank(struct dp_chart *to, const struct dp_chart *) DP_MUSTUSE;
/* The last row of a chart as bars: names with their estimates, the largest first. */
int	dp_chart_last(struct dp_chart *to, const struct dp_chart *) DP_MUSTUSE;
/* The same of a table of one row, in the order of its columns. */
int	dp_chart_across(struct dp_chart *to, const struct dp_chart *) DP_MUSTUSE;
/* A table of one row and several named columns, and whether their names have an order. */
bool	dp_chart_is_row(const struct dp_chart *);
bool	dp_chart_has_order(const struct dp_chart *);

/* Part of the chart that is drawn, and its axis. */
struct dp_chart_view {
	enum { DP_CHART_ROW, DP_CHART_STEP, DP_CHART_DATE, DP_CHART_NAME } axis;
	int x;			/* column; -1: the row's number */
	int choice;		/* column of names of a line; -1: none */
	double bar;		/* steps are bars, so far apart on the axis; 0: they are not */
	unsigned series;
	struct { unsigned est; int lo, hi; } at[DP_CHART_COLUMNS_MAX];	/* lo < 0: no band */
};

void	dp_chart_look(const struct dp_chart *, struct dp_chart_view *);

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
	double bucket;			/* seconds of a step; 0: unknown */
	const char *when;		/* time of bars of names; NULL: none */
	bool ranked;			/* data has places, as dp_chart_rank() made it */
	bool leads;			/* of names and numbers the names are drawn */
	enum { DP_PICTURE_TEXT, DP_PICTURE_PNG, DP_PICTURE_SVG } form;
	unsigned width, height;		/* characters, or pixels */
};

/*
 * gnuplot's commands.  Texts are strings that gnuplot shows unchanged; control characters and bytes
 * that are no UTF-8 are replaced.
 */
void	dp_picture_script(struct dp_buf *, const struct dp_picture *);
/* gnuplot's svg with the picture's title as its name, for readers that cannot see it. */
void	dp_picture_named(struct dp_buf *, const struct dp_picture *, struct dp_slice svg);
/*
 * A page in one file: title, svg as gnuplot made it and another for narrow screens (n = 0: none),
 * caption, the numbers as a table and as CSV, and more that can be opened.  before: a page that
 * this function made, to which the chart is added at its end; n = 0: none.
 */
void	dp_picture_page(struct dp_buf *, const struct dp_picture *, struct dp_slice svg,
	    struct dp_slice narrow, const char *more, struct dp_slice before);
/* true: dp_picture_page() made these bytes. */
bool	dp_picture_is_page(struct dp_slice);
/* The rows that are drawn, as a table of HTML, and as CSV that a link downloads. */
void	dp_picture_numbers(struct dp_buf *, const struct dp_picture *);
/* A text as HTML: nothing of it is markup. */
void	dp_picture_html(struct dp_buf *, const char *);

/* *n: bytes of the first character of [s,e).  Returns its replacement; NULL: it is shown itself. */
const char *dp_text_shown(const char *s, const char *e, size_t *n);
/* *n: bytes of the first line of a text folded at blanks, width > 0.  Returns the rest. */
const char *dp_text_fold(const char *text, size_t width, size_t *n);

/* A text of at most `most' bytes, 4 or more: s, or its begin and its end, in out. */
#define DP_TEXT_SHORT	48
const char *dp_text_short(char out[static DP_TEXT_SHORT], const char *s, size_t most);

#endif
