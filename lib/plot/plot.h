/*
 * plot.h - dpplot: tables in, a picture out.
 */
#ifndef DP_PLOT_H
#define DP_PLOT_H

#include <sys/types.h>

#include "ask/companion.h"
#include "chart/chart.h"

enum { DP_PLOT_TO, DP_PLOT_TITLE, DP_PLOT_EXPLAIN, DP_PLOT_RUN, DP_PLOT_LIVE, DP_PLOT_HEADER,
    DP_PLOT_TRUE, DP_PLOT_ADD, DP_PLOT_SIZE, DP_PLOT_RANKS, DP_PLOT_LAST, DP_PLOT_YLABEL,
    DP_PLOT_BARS };	/* the places of its options in their table */

#define DP_PLOT_EXPLAIN_MAX	((size_t)1 << 20)	/* bytes of what --explain prints */
#define DP_PLOT_WAIT		100	/* live: ms without input before it is drawn */
#define DP_PLOT_ROWS		1000	/* live: rows after which it is drawn at the latest */

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

/* Reads the options, draws, returns the exit status. */
int	dp_plot_main(const struct dp_aside *, int argc, char **argv);
/* false: a name with no number beside it, more likely a stray word than a tool's output. */
bool	dp_plot_drawable(const struct dp_chart *);
/* Draws the rows that have come so far. */
void	dp_plot_show(struct dp_plot *);

/* plotdraw.c: all of these end the run when they fail */
/* Sets file and form of the picture by its name; NULL: standard output.  Checks for gnuplot. */
void	dp_plot_to(struct dp_plot *, const char *to);
/* Its name ends in .html. */
bool	dp_plot_is_page(const char *to);
/* Draws a made-up picture into nothing, so that a failure shows before the command runs. */
void	dp_plot_rehearse(struct dp_plot *);
/* again: draws over the previous picture, on a terminal. */
void	dp_plot_draw(struct dp_plot *, bool again);
/* Takes the caption and more from the text that --explain printed. */
void	dp_plot_explained(struct dp_plot *, const char *place, const char *text, size_t n);

/* plotchart.c: they end the run when they fail */
/* Checks that the truth has the columns that are drawn. */
void	dp_plot_check_truth(const struct dp_plot *);
/* --ranks, --last: checks that there are names. */
void	dp_plot_check_ranks(const struct dp_plot *);
/* Sets the charts to draw: a long chart becomes columns for its largest names. */
void	dp_plot_charts(struct dp_plot *);

/* plotask.c: they end the run when they fail */
/* dp_spawn(), with a missing command as a usage error. */
int	dp_plot_start(pid_t *, char **command, int in, unsigned flags);
/*
 * Takes the text that --explain printed and, if its last line has them (DP_COLUMNS), the columns.
 * place, option: for messages.
 */
void	dp_plot_words(struct dp_plot *, const char *place, const char *option, struct dp_buf *);
/* Asks the command, once, for its guarantee and, if it tells them, its columns. */
void	dp_plot_ask(struct dp_plot *, char **command, int n);

/*
 * plotrun.c: --run.  The command is asked, then runs, and its output becomes rows.  Every byte of
 * that output is kept until dp_plot_ran(); an earlier exit(3) prints the bytes kept.
 */
/* Returns the command's exit status. */
int	dp_plot_run(struct dp_plot *, char **command, int n);
/* After the last picture is in its place: dies of a signal that came meanwhile. */
void	dp_plot_ran(void);

#endif
