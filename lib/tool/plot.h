/*
 * plot.h - what dpplot draws, from what, and where to.
 */
#ifndef DP_PLOT_H
#define DP_PLOT_H

#include "aside.h"
#include "chart/chart.h"

enum { DP_PLOT_TO, DP_PLOT_TITLE, DP_PLOT_EXPLAIN, DP_PLOT_RUN, DP_PLOT_LIVE, DP_PLOT_HEADER,
    DP_PLOT_TRUE };		/* the places of its options in their table */

struct dp_plot {
	struct dp_chart data, truth;
	struct dp_picture picture;
	const char *truth_name;		/* the file's, for messages */
	const char *to;			/* a file's name; NULL: standard output */
	bool page;
	char *caption, *more;		/* owned */
	struct dp_buf script, svg, out;
};

/* Reads the options, draws, returns the exit status. */
int	dp_plot_main(const struct dp_aside *, int argc, char **argv);

/* plotdraw.c: all of these end the run when they fail */
/* Where the picture goes, by its name; NULL: standard output.  Whether gnuplot is there, too. */
void	dp_plot_to(struct dp_plot *, const char *to);
/* again: over the picture before, if that is on a terminal. */
void	dp_plot_draw(struct dp_plot *, bool again);
/* What --explain printed, as caption and more. */
void	dp_plot_explained(struct dp_plot *, const char *place, const char *text, size_t n);

#endif
