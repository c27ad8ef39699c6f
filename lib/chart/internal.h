/* SPDX-License-Identifier: ISC */
/* internal.h - internal to lib/chart: what its files alone share. */
#ifndef DP_CHART_INTERNAL_H
#define DP_CHART_INTERNAL_H

#include <limits.h>
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
 * A chart of several names, long or with a column each, to one with a row for each time, and
 * columns for the eight names with the largest estimates, or for those of `like' (NULL: none),
 * which pivot made.  ranked: two columns for each of the names that are first in the last row, its
 * place, 1 the first, and its estimate; places beyond the eighth are gaps.  Frees what `to' held;
 * it is the caller's to free.  DP_ENOMEM; DP_ERANGE: no name has a number.
 */
int	dp_chart_pivot(struct dp_chart *to, const struct dp_chart *, const struct dp_chart *like,
	    bool ranked) DP_MUSTUSE;
/* The last row of a chart as bars: names with their estimates; sorted: the largest first. */
int	dp_chart_last(struct dp_chart *to, const struct dp_chart *, bool sorted) DP_MUSTUSE;
/* A table of one row and several columns, or -o long of one step. */
bool	dp_chart_is_row(const struct dp_chart *);
/* Its names have an order. */
bool	dp_chart_has_order(const struct dp_chart *);
/* All of the n names are quantiles (p95). */
bool	dp_names_are_quantiles(char *const *name, size_t n);
/*
 * n names that are bins of a histogram from left to right (82, 83..90, 5..<20, 20..): their edges,
 * n + 1 of them, the outer ones NAN where a bin is open; where some bin is a single number, which
 * is in its middle, half a unit lower.
 */
bool	dp_names_are_bins(char *const *name, size_t n, double *edge);

void	dp_chart_look(const struct dp_chart *, struct dp_chart_view *);

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
	bool log;		/* every `step' of 1, 2, 5, 10, 20, .. */
	const char *unit;	/* of labels; NULL: none */
};

/* About n ticks for numbers lo <= hi; whole: the step is at least 1. */
void	dp_scale_numbers(struct dp_scale *, double lo, double hi, unsigned n, bool whole);
/* About n ticks for 0 < lo < hi. */
void	dp_scale_decades(struct dp_scale *, double lo, double hi, unsigned n);
/* About n ticks for seconds since 1970, on round times of the zone, at least `least' apart. */
void	dp_scale_times(struct dp_scale *, double lo, double hi, unsigned n, int zone,
	    double least);
/* The i-th tick, and its label; false past the last. */
bool	dp_scale_tick(const struct dp_scale *, unsigned i, double *at, char label[static DP_LABEL]);

/* A time by itself: 12:00, or its day. */
void	dp_scale_when(char label[static DP_LABEL], double at, int zone, bool day);
/*
 * A number by itself, with a comma every three digits, the digits that half of its interval (NAN:
 * unknown; negative: whole numbers have decimals, too) leaves standing, and its unit (NULL: none):
 * of bytes and seconds the one that fits.
 */
#define DP_SHARE	"1%"	/* the unit of parts of 1: per cent */
void	dp_scale_number(char label[static DP_LABEL], double, double half, const char *unit);


/* What a table is drawn as.  DP_ENOMEM.  dp_figure_free() also after an error. */
int	dp_figure_make(struct dp_figure *, const struct dp_picture *) DP_MUSTUSE;
void	dp_figure_free(struct dp_figure *);
/* Place of row i of the figure's data or truth on the axis; where its step begins. */
double	dp_figure_begin(const struct dp_figure *, const struct dp_chart *,
	    const struct dp_chart_view *, size_t i);
double	dp_figure_x(const struct dp_figure *, const struct dp_chart *,
	    const struct dp_chart_view *, size_t i);
/* Place of the name that is row i's answer. */
double	dp_figure_lane(const struct dp_figure *, const struct dp_chart *,
	    const struct dp_chart_view *, size_t i);
/* Past the last row's step. */
double	dp_figure_end(const struct dp_figure *);
enum dp_known { DP_KNOWN_NOT, DP_KNOWN_ESTIMATE, DP_KNOWN_INTERVAL };
/* What is known of series k in row i: nothing but what it always is; no interval; both. */
enum dp_known dp_figure_known(const struct dp_figure *, size_t i, unsigned k, double v[static 3]);
/* A number in its unit, with the digits that the interval of v leaves standing. */
const char *dp_figure_number(const struct dp_figure *, double, const double v[static 3],
	    char label[static DP_LABEL]);
/* What stands for a number that is not known, or that --suppress keeps back. */
const char *dp_figure_untold(const struct dp_figure *, const double v[static 3],
	    char label[static DP_LABEL]);
/* A name as readers see it: that of a total without its *. */
#define DP_FIGURE_NAME	320
const char *dp_figure_shown(const struct dp_figure *, const char *name,
	    char text[static DP_FIGURE_NAME]);
/* Name of series k, or "column 3", in text where it has none. */
const char *dp_figure_name(const struct dp_figure *, unsigned k, char text[static DP_FIGURE_NAME]);
/* The time that rows from..to are of, or of names the last step, with the zone of its clocks. */
void	dp_figure_period(struct dp_buf *, const struct dp_figure *, size_t from, size_t to);
/*
 * The caption: what the numbers are, their period, which interval is drawn, what is left out.
 * bars: what the intervals of bars are; NULL: not drawn.
 */
void	dp_figure_words(struct dp_buf *, const struct dp_figure *, const char *bars);
#define DP_FIGURE_WHISKERS	"thin lines: "
#define DP_FIGURE_WARNING	"NOT PRIVATE: the truth is shown"
/* Ticks of a panel, and of the axis, about n. */
void	dp_figure_yscale(struct dp_scale *, const struct dp_figure *, const struct dp_panel *,
	    unsigned n);
void	dp_figure_xscale(struct dp_scale *, const struct dp_figure *, unsigned n);
/* Rows from i on that are known alike, and end before a gap. */
size_t	dp_figure_run(const struct dp_figure *, size_t i, unsigned k);

/*
 * A canvas: what a figure is drawn on, pixels of SVG or cells of a terminal.  Texts are shown as
 * they are; control characters and bytes that are no UTF-8 are replaced.
 */

enum dp_class { DP_TITLE, DP_BAD, DP_SUB, DP_CAPTION, DP_BIG, DP_TICK, DP_VALUE, DP_NAME, DP_LINE,
    DP_BAND, DP_TRUTH, DP_WHISKER, DP_BAR, DP_LAST, DP_UNKNOWN, DP_GRID, DP_AXIS };
enum dp_anchor { DP_START, DP_MIDDLE, DP_END };

#define DP_SERIES	8		/* colours of series, which go round */
#define DP_PLAIN	UINT_MAX	/* no series */

struct dp_canvas;

struct dp_canvas_ops {
	bool cells;			/* of a terminal */
	/* of a line of text, a gap, a bar, a lane, the foot, ticks from each other, least plots */
	double line, gap, bar, lane, foot, xtick, ytick, body, panel;
	void (*open)(struct dp_canvas *);	/* its size is known */
	void (*close)(struct dp_canvas *);
	/* y: of the middle */
	void (*text)(struct dp_canvas *, double x, double y, enum dp_class, unsigned k,
	    enum dp_anchor, struct dp_slice);
	void (*box)(struct dp_canvas *, const double at[static 4], enum dp_class, unsigned k,
	    const char *name, const char *number);
	/* x, y and whether there is a line from the point before */
	void (*path)(struct dp_canvas *, enum dp_class, unsigned k);
	void (*point)(struct dp_canvas *, bool pen, double x, double y);
	void (*end)(struct dp_canvas *);
	void (*axes)(struct dp_canvas *, bool x);
	void (*tick)(struct dp_canvas *, bool x, double at);
};

struct dp_square;

struct dp_canvas {
	const struct dp_canvas_ops *ops;
	struct dp_buf *b;
	const struct dp_figure *f;
	const struct dp_panel *panel;
	double width, height;
	double x0, x1, y0, y1;		/* the plot, y0 its foot */
	double fine[2];			/* cells of a dot, across and down */
	bool dots;			/* values are at dots' middles */
	bool across;			/* bars lie along the width */
	bool sides;			/* numbers beside them have half their intervals */
	struct dp_square *cell;
	struct {			/* the path that is drawn */
		enum dp_class class;
		unsigned k;
		double x, y;
	} pen;
};

extern const struct dp_canvas_ops dp_svg, dp_term;

void	dp_figure_draw(struct dp_buf *, const struct dp_figure *, const struct dp_canvas_ops *);
/* Its style: colours of a light and of a dark screen. */
void	dp_svg_style(struct dp_buf *);
void	dp_vega(struct dp_buf *, const struct dp_figure *);

/*
 * A page in one file: title, svg and another for narrow screens (n = 0: none),
 * caption, the numbers as a table and as CSV, and more that can be opened.  before: a page that
 * this function made, to which the chart is added at its end; n = 0: none.
 */
void	dp_picture_page(struct dp_buf *, const struct dp_figure *, struct dp_slice svg,
	    struct dp_slice narrow, const char *more, struct dp_slice before);
/* true: dp_picture_page() made these bytes. */
bool	dp_picture_is_page(struct dp_slice);
/* A text as HTML: nothing of it is markup. */
void	dp_picture_html(struct dp_buf *, const char *);
/* HTML, with texts in the place of each %: where one of them is NULL, nothing. */
void	dp_html(struct dp_buf *, const char *format, ...);

/* Appends what printf(3) would print. */
void	dp_put(struct dp_buf *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* *n: bytes of the first character of [s,e).  Returns its replacement; NULL: it is shown itself. */
const char *dp_text_shown(const char *s, const char *e, size_t *n);
/* Widths are in hundredths of a character of the terminal, or of the letters' size. */
enum dp_font { DP_FONT_CELLS, DP_FONT_PLAIN, DP_FONT_BOLD };
size_t	dp_text_width(const char *, size_t bytes, enum dp_font);
/* *n: bytes of the first line of a text folded at blanks, width > 0.  Returns the rest. */
const char *dp_text_fold(const char *, size_t width, enum dp_font, size_t *n);
/* A text that is no wider, if some letters fit: s, or its begin and its end, in out. */
#define DP_TEXT_SHORT	320
const char *dp_text_fit(char out[static DP_TEXT_SHORT], const char *s, size_t width, enum dp_font);

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

#define DP_PLOT_EXPLAIN_MAX	((size_t)1 << 20)	/* bytes of what --explain prints */
#define DP_PLOT_WAIT		100	/* live: ms without input before it is drawn */
#define DP_PLOT_ROWS		1000	/* live: rows after which it is drawn at the latest */

/* plot.c: all of these end the run when they fail */
/*
 * Sets file and form of the picture by its name; NULL: standard output.  Tries what makes a PNG or
 * PDF.
 */
void	dp_plot_to(struct dp_plot *, const char *to);

struct dp_plot {
	struct dp_chart data, truth;
	struct dp_chart wide, wide_truth;	/* of long ones: columns for names */
	struct dp_picture picture;
	const char *truth_name;		/* the file's, for messages */
	struct dp_plot_to {
		const char *name;	/* of a file; NULL: standard output */
		enum dp_to { DP_TO_TERMINAL, DP_TO_SVG, DP_TO_PNG, DP_TO_PDF, DP_TO_PAGE,
		    DP_TO_VEGA } form;
		bool add;		/* to the page that is there */
		unsigned width, height;	/* of --size; 0: not given */
		bool unfinished;	/* another chart follows: drawn, and kept in before */
		struct dp_buf before;	/* --add, several files: the page as it is so far */
	} to;
	bool live, ranks, last;
	bool refused;		/* --run: an option, once the command had run: its output is kept */
	volatile pid_t child;		/* rsvg-convert while it draws; else 0 */
	char *caption, *more, *estimate, *plainly, *unit, *step, *heading;	/* owned */
	char made[24];			/* today, UTC */
	struct dp_buf out;
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
