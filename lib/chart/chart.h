/*
 * chart.h - what any tool printed, read back as a table: rows of numbers, times and names.
 *
 * It is post-processing of what is public already, so messages may say what is wrong with a line;
 * numbers are doubles, since they are only drawn.
 *
 * Lines  fields between tabs, if the first line has one; else, if it has a comma, RFC 4180; a first
 *	  line that begins with '{' is JSON, an object a line; everything else is cut at blanks if
 *	  each piece is a number or a time, and one name if not.
 * Names  of columns: the first line of RFC 4180; of other lines, if the caller says so, if its
 *	  first field is step, time or estimate, or if it has several and none is a number or a
 *	  time.  JSON has them in every line.
 * Order  a step, a time (ISO 8601), a name, each of them or not; then numbers.
 * Step   the first column if that is its name; without names the first of several, while it goes up
 *	  evenly from a multiple of what it goes up by.
 * Gaps	  a number's field may be empty, or null: none is drawn there.
 * Bands  columns NAME, NAME_lo, NAME_hi, or estimate, lo, hi; without names threes of columns with
 *	  the second nowhere above the first, the third nowhere below, and most rows as far on the
 *	  one side as on the other.
 *
 * Memory is bounded: at most DP_CHART_ROWS_MAX rows are kept, every stride-th of those that came,
 * and the last.
 */
#ifndef DP_CHART_H
#define DP_CHART_H

#include "base/buf.h"
#include "base/dp.h"

#define DP_CHART_COLUMNS_MAX	64
#define DP_CHART_ROWS_MAX	4096
#define DP_CHART_NAMES_MAX	4096
#define DP_CHART_WHY		120
#define DP_CHART_ROW_MAX	24

enum dp_chart_kind { DP_CHART_NUMBER, DP_CHART_TIME, DP_CHART_TEXT };

/* A column's part in a line, where whoever printed it has said so. */
enum dp_chart_part { DP_CHART_IS_STEP, DP_CHART_IS_TIME, DP_CHART_IS_ESTIMATE, DP_CHART_IS_LOW,
    DP_CHART_IS_HIGH, DP_CHART_IS_NAME,	/* of the line: what its numbers are of */
    DP_CHART_IS_CHOICE };		/* the answer is a name, though it may look like a number */

struct dp_chart_column {
	char *name;		/* NULL: none; owned */
	enum dp_chart_part part;	/* if the chart's columns are declared */
	enum dp_chart_kind kind;
	/* of it and the next two: no row speaks against a band, and how many have equal sides */
	bool band;
	uint64_t sides;
};

struct dp_chart {
	enum { DP_CHART_NEW, DP_CHART_BLANKS, DP_CHART_TABS, DP_CHART_CSV, DP_CHART_JSON } form;
	bool header;			/* the caller's: the first line names the columns */
	bool named;			/* it has */
	bool declared;			/* columns are known before any line, */
	bool heading;			/* and the first line may name them again */
	char row[DP_CHART_ROW_MAX];	/* what one without a name is, in letters; "": a step */
	unsigned columns;		/* 0: nothing has come yet */
	struct dp_chart_column column[DP_CHART_COLUMNS_MAX];
	/* The first column: whether it has gone up evenly so far, and by how much. */
	struct {
		bool even;
		double by;
	} steps;
	/*
	 * Numbers as they are, NAN for none, times in seconds since 1970, texts by their place in
	 * text[]; a row after the other, owned.
	 */
	double *cell;
	size_t rows;			/* kept; the last one may not be among them */
	uint64_t seen, stride;
	uint64_t before;		/* rows without an estimate, before the first with one */
	double first[DP_CHART_COLUMNS_MAX], last[DP_CHART_COLUMNS_MAX];
	int zone;			/* of the first time: seconds east of UTC */
	char **text;			/* owned */
	size_t texts;
	struct {
		struct dp_buf side;	/* texts of the current line */
		struct json_object *object;	/* of a line that is one; owned */
	} line;
	char why[DP_CHART_WHY];
};

/* All zero but header is an empty one. */
void	dp_chart_free(struct dp_chart *);
/*
 * Before any line, column after column from the left: its name, which is copied, and its part;
 * nothing is guessed of such a table.  form and heading are the caller's to set, too.  DP_ERANGE:
 * one more than DP_CHART_COLUMNS_MAX; DP_ENOMEM.
 */
int	dp_chart_declare(struct dp_chart *, const char *name, enum dp_chart_part) DP_MUSTUSE;
/*
 * One line, without its newline.  0; DP_ENOMEM; DP_ESYNTAX: why says what is wrong with it, and
 * the chart is as it was.
 */
int	dp_chart_line(struct dp_chart *, struct dp_slice) DP_MUSTUSE;
/* Number of rows that are drawn, and the i-th of these rows. */
size_t	dp_chart_drawn(const struct dp_chart *);
const double *dp_chart_row(const struct dp_chart *, size_t i);

/* Part of the chart that is drawn, and its axis. */
struct dp_chart_view {
	enum { DP_CHART_ROW, DP_CHART_STEP, DP_CHART_DATE, DP_CHART_NAME } axis;
	int x;			/* column; -1: the row's number */
	int choice;		/* column of names of a line; -1: none */
	unsigned series;
	struct { unsigned est; int lo, hi; } at[DP_CHART_COLUMNS_MAX];	/* lo < 0: no band */
};

void	dp_chart_look(const struct dp_chart *, struct dp_chart_view *);

/* A picture, in gnuplot's commands. */
struct dp_picture {
	const struct dp_chart *data;
	const struct dp_chart *truth;	/* NULL: none */
	const char *title;		/* NULL: none */
	const char *caption;		/* words below it; NULL: none */
	enum { DP_PICTURE_TEXT, DP_PICTURE_PNG, DP_PICTURE_SVG } form;
	unsigned width, height;		/* characters, or pixels */
};

/*
 * Texts stand in it as gnuplot's strings, which it shows as they are; what is no UTF-8, or a
 * control character, is replaced.
 */
void	dp_picture_script(struct dp_buf *, const struct dp_picture *);
/* A page in one file: title, svg (as gnuplot made it), caption, and more that can be opened. */
void	dp_picture_page(struct dp_buf *, const struct dp_picture *, struct dp_slice svg,
	    const char *more);

/* Bytes of the first character of [s,e), and what is shown instead of it; NULL: itself. */
const char *dp_text_shown(const char *s, const char *e, size_t *n);
/* Bytes of the first line of a text folded at blanks, width > 0; returns what follows it. */
const char *dp_text_fold(const char *text, size_t width, size_t *n);

#endif
