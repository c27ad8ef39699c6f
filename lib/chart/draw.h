/*
 * draw.h - the inside of a picture: gnuplot's commands, one part after the other.
 *
 * gnuplot gets numbers, words of these files, and texts.  In a text, letters and a few marks stand
 * for themselves and every other byte is written by its number, so a text can neither end its
 * string nor be a command.
 */
#ifndef DP_DRAW_H
#define DP_DRAW_H

#include "chart.h"

struct dp_draw {
	struct dp_buf *b;
	const struct dp_picture *p;
	struct dp_chart_view data, truth;	/* parts of p->data and p->truth that are drawn */
	double xlo, xhi, ylo, yhi;
	bool text;
	size_t height;			/* with the words below */
};

/* picture.c */
void	dp_draw_add(struct dp_draw *, const char *format, ...)
	    __attribute__((format(printf, 2, 3)));
/* Adds the n bytes at s as a string of gnuplot. */
void	dp_draw_quote(struct dp_draw *, const char *s, size_t n);
/*
 * Place of row i on the x axis.  Names take their places in p->data; a name missing there is at -1,
 * out of sight.
 */
double	dp_draw_x(const struct dp_draw *, const struct dp_chart *, const struct dp_chart_view *,
	    size_t i);
double	dp_draw_name(const struct dp_draw *, const struct dp_chart *, double text);

/* axes.c: ranges and ticks */
void	dp_draw_axes(struct dp_draw *);

/* marks.c: the plot command */
void	dp_draw_marks(struct dp_draw *);
/*
 * true: the k-th series has a band that can be seen.  In a picture of characters the band must
 * somewhere be as wide as one line (call it after the axes are known).
 */
bool	dp_draw_band(const struct dp_draw *, unsigned k);

#endif
