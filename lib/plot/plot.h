/*
 * plot.h - what dpplot draws, from what, and where to.
 */
#ifndef DP_PLOT_H
#define DP_PLOT_H

#include <sys/types.h>

#include "ask/aside.h"
#include "chart/chart.h"

enum { DP_PLOT_TO, DP_PLOT_TITLE, DP_PLOT_EXPLAIN, DP_PLOT_RUN, DP_PLOT_LIVE, DP_PLOT_HEADER,
    DP_PLOT_TRUE };		/* the places of its options in their table */

#define DP_PLOT_EXPLAIN_MAX	((size_t)1 << 20)	/* bytes of what --explain prints */
#define DP_PLOT_WAIT		100	/* ms; live: drawn once nothing has come for so long, */
#define DP_PLOT_ROWS		1000	/* or after so many rows */

struct dp_plot {
	struct dp_chart data, truth;
	struct dp_picture picture;
	const char *truth_name;		/* the file's, for messages */
	const char *to;			/* a file's name; NULL: standard output */
	bool page, live;
	volatile pid_t gnuplot;		/* while it draws; else 0 */
	char *caption, *more;		/* owned */
	struct dp_buf script, svg, out;
};

/* Reads the options, draws, returns the exit status. */
int	dp_plot_main(const struct dp_aside *, int argc, char **argv);
/* A name and nothing beside it is no picture: more likely a word than what a tool printed. */
bool	dp_plot_drawable(const struct dp_chart *);
/* A picture of what has come so far. */
void	dp_plot_show(struct dp_plot *);

/* plotdraw.c: all of these end the run when they fail */
/* Where the picture goes, by its name; NULL: standard output.  Whether gnuplot is there, too. */
void	dp_plot_to(struct dp_plot *, const char *to);
/* Draws a made-up picture, and loses it: whether the one to come can be drawn. */
void	dp_plot_rehearse(struct dp_plot *);
/* The truth fits beside the columns drawn. */
void	dp_plot_check_truth(const struct dp_plot *);
/* again: over the picture before, if that is on a terminal. */
void	dp_plot_draw(struct dp_plot *, bool again);
/* What --explain printed, as caption and more. */
void	dp_plot_explained(struct dp_plot *, const char *place, const char *text, size_t n);

/* plotask.c: they end the run when they fail */
/* As dp_spawn(); a command that is not there is a usage error. */
int	dp_plot_start(pid_t *, char **command, int in, unsigned flags);
/* The command's guarantee; and its columns, if it is a tool that tells them: it is asked once. */
void	dp_plot_ask(struct dp_plot *, char **command, int n);

/*
 * plotrun.c: --run.  The command is asked, then it runs, and what it prints becomes rows.  Until
 * dp_plot_ran() every byte of it is kept: whatever ends the process by exit(3), it is printed then.
 */
/* Returns the command's exit status. */
int	dp_plot_run(struct dp_plot *, char **command, int n);
/* The last picture is where it belongs; dies of the signal that came meanwhile, if one did. */
void	dp_plot_ran(void);
/* All n bytes; -1: errno. */
int	dp_plot_put(int fd, const char *p, size_t n);

#endif
