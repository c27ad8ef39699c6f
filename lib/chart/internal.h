/* internal.h - internal to lib/chart: what its files alone share. */
#ifndef DP_CHART_INTERNAL_H
#define DP_CHART_INTERNAL_H

#include <sys/types.h>

#include "chart.h"

struct dp_plot;

#define DP_CHART_ROWS_MAX	4096
#define DP_CHART_LONG_MAX	65536	/* of rows with a name */
#define DP_CHART_NAMES_MAX	4096

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

void	dp_chart_look(const struct dp_chart *, struct dp_chart_view *);

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
/* A text as HTML: nothing of it is markup. */
void	dp_picture_html(struct dp_buf *, const char *);

/* *n: bytes of the first character of [s,e).  Returns its replacement; NULL: it is shown itself. */
const char *dp_text_shown(const char *s, const char *e, size_t *n);
/* *n: bytes of the first line of a text folded at blanks, width > 0.  Returns the rest. */
const char *dp_text_fold(const char *text, size_t width, size_t *n);

/* A text of at most `most' bytes, 4 or more: s, or its begin and its end, in out. */
#define DP_TEXT_SHORT	48
const char *dp_text_short(char out[static DP_TEXT_SHORT], const char *s, size_t most);

/*
 * The inside of chart.h's reader: a line cut into fields.
 */

struct dp_cell {
	struct dp_slice text, name;	/* name: JSON only */
	bool string;			/* JSON: a string, even if it looks like a number */
};

struct dp_cells {
	struct dp_cell at[DP_CHART_COLUMNS_MAX];
	unsigned n;
};

/*
 * Ticks of an axis: their places and labels.
 */

#define DP_LABEL	48

/*
 * The ticks of an axis: every `step`, from first to last.  Times: steps of months (seconds == 0)
 * are counted in months since year 0.
 */
struct dp_scale {
	double step, first, last;
	unsigned months;	/* times, if not 0: the step */
	int zone;		/* times: seconds east of UTC */
	bool time;
};

/* About n ticks for numbers lo <= hi; whole: the step is at least 1. */
void	dp_scale_numbers(struct dp_scale *, double lo, double hi, unsigned n, bool whole);
/* About n ticks for seconds since 1970, on round times of the zone, at least `least' apart. */
void	dp_scale_times(struct dp_scale *, double lo, double hi, unsigned n, int zone,
	    double least);
/* The i-th tick, and its label; false past the last. */
bool	dp_scale_tick(const struct dp_scale *, unsigned i, double *at, char label[static DP_LABEL]);

/* A number by itself, with a comma every three digits. */
void	dp_scale_number(char label[static DP_LABEL], double);

/* Okabe and Ito's colours, which colour-blind people tell apart too. */
#define DP_DRAW_COLOURS	8
extern const char *const dp_draw_colour[DP_DRAW_COLOURS];

/* picture.c */
void	dp_draw_add(struct dp_draw *, const char *format, ...)
	    __attribute__((format(printf, 2, 3)));

#define DP_PLOT_EXPLAIN_MAX	((size_t)1 << 20)	/* bytes of what --explain prints */
#define DP_PLOT_WAIT		100	/* live: ms without input before it is drawn */
#define DP_PLOT_ROWS		1000	/* live: rows after which it is drawn at the latest */

/* plot.c: all of these end the run when they fail */
/* Sets file and form of the picture by its name; NULL: standard output.  Checks for gnuplot. */
void	dp_plot_to(struct dp_plot *, const char *to);

struct dp_plot {
	struct dp_chart data, truth;
	struct dp_chart wide, wide_truth;	/* of long ones: columns for names */
	struct dp_picture picture;
	const char *truth_name;		/* the file's, for messages */
	struct dp_plot_to {
		const char *name;	/* of a file; NULL: standard output */
		bool page;
		bool add;		/* to the page that is there */
		unsigned width, height;	/* of --size; 0: not given */
		bool unfinished;	/* another chart follows: drawn, and kept in before */
		struct dp_buf before;	/* --add, several files: the page as it is so far */
	} to;
	bool live, ranks, last;
	char when[40];			/* of the last step */
	volatile pid_t gnuplot;		/* while it draws; else 0 */
	char *caption, *more, *estimate, *plainly;	/* owned */
	char made[24];			/* today, UTC */
	struct dp_buf script, out;
	struct {
		struct dp_buf wide, narrow;	/* narrow: of a page, for telephones */
	} svg;
};

/*
 * Replacing a file at once: it is whole or absent, whatever ends the process.
 */

/* 0: a file could be made at `to`; -1: errno. */
int	dp_replace_check(const char *to);
/*
 * n bytes at p become the file `to`, with the mode that umask leaves.  -1: errno, and the old file
 * stays.  SIGHUP, SIGINT and SIGTERM wait meanwhile.  A killed process leaves a temporary file that
 * the next call takes over.
 */
int	dp_replace(const char *to, const void *p, size_t n);

#endif
