/* SPDX-License-Identifier: ISC */
/*
 * plot.h - dpplot: tables in, a picture out.
 */
#ifndef DP_CHART_PLOT_H
#define DP_CHART_PLOT_H

#include <sys/types.h>

struct dp_aside;

enum { DP_PLOT_TO, DP_PLOT_TITLE, DP_PLOT_EXPLAIN, DP_PLOT_RUN, DP_PLOT_LIVE, DP_PLOT_HEADER,
    DP_PLOT_TRUE, DP_PLOT_ADD, DP_PLOT_SIZE, DP_PLOT_RANKS, DP_PLOT_LAST, DP_PLOT_YLABEL,
    DP_PLOT_BARS, DP_PLOT_HEADING,
    DP_PLOT_IN };	/* the places of its options in their table */

/* Reads the options, draws, returns the exit status. */
int	dp_plot_main(const struct dp_aside *, int argc, char **argv);

#endif
