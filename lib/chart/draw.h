/*
 * draw.h - the inside of a picture: gnuplot's commands, one part after the other.
 *
 * All that gnuplot is given is numbers and words of these files, and texts, of which letters and a
 * few marks stand as they are, and every other byte by its number: none of them can end a string or
 * be a command.
 */
#ifndef DP_DRAW_H
#define DP_DRAW_H

#include "chart.h"

struct dp_draw {
	struct dp_buf *b;
	const struct dp_picture *p;
	struct dp_chart_view data, truth;	/* what is drawn of p->data and p->truth */
	double xlo, xhi, ylo, yhi;
	bool text;
	size_t height;			/* with the words below */
};

/* picture.c */
void	dp_draw_add(struct dp_draw *, const char *format, ...)
	    __attribute__((format(printf, 2, 3)));
/* A string of gnuplot's, of n bytes at s. */
void	dp_draw_quote(struct dp_draw *, const char *s, size_t n);
/*
 * Where row i of a chart stands.  Names stand where p->data has them; one it does not have is at
 * -1, out of sight.
 */
double	dp_draw_x(const struct dp_draw *, const struct dp_chart *, const struct dp_chart_view *,
	    size_t i);
double	dp_draw_name(const struct dp_draw *, const struct dp_chart *, double text);

/* axes.c: ranges and ticks */
void	dp_draw_axes(struct dp_draw *);

/* marks.c: the plot command */
void	dp_draw_marks(struct dp_draw *);
/*
 * Whether the k-th series has a band that can be seen: with characters, one that is somewhere as
 * wide as a line of them (the axes must be known).
 */
bool	dp_draw_band(const struct dp_draw *, unsigned k);

#endif
