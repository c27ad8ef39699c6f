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
#include "scale.h"

/* Okabe and Ito's colours, which colour-blind people tell apart too. */
#define DP_DRAW_COLOURS	8
extern const char *const dp_draw_colour[DP_DRAW_COLOURS];

struct dp_draw {
	struct dp_buf *b;
	const struct dp_picture *p;
	struct dp_chart_view data, truth;	/* parts of p->data and p->truth that are drawn */
	double xlo, xhi, ylo, yhi;
	bool text;
	bool across;			/* names down the left side, bars to the right */
	size_t name;			/* bytes that are shown of a name */
	size_t *lane;			/* names are the answer: height of each; owned */
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

/* heading.c: the title and the legend, and pixels that a picture is higher for what it has */
void	dp_draw_heading(struct dp_draw *);
size_t	dp_draw_more(const struct dp_draw *);
/* With characters: whether there is a legend, once the axes are known. */
void	dp_draw_key(struct dp_draw *);

/* axes.c: ranges and ticks */
void	dp_draw_axes(struct dp_draw *);
void	dp_draw_ticks(struct dp_draw *, char axis, const struct dp_scale *);
/* At most n of the names, of each `most' bytes. */
void	dp_draw_name_ticks(struct dp_draw *, char axis, size_t n, size_t most);

/* across.c */
bool	dp_draw_is_across(const struct dp_draw *);
/* Rows that are drawn: all, or of bars the first. */
size_t	dp_draw_rows(const struct dp_draw *, const struct dp_chart *);
size_t	dp_draw_across_more(const struct dp_draw *);
void	dp_draw_across_axes(struct dp_draw *);
void	dp_draw_across_bars(struct dp_draw *);

/* places.c: names that lead, the one that led most at the top; and places of names */
int	dp_draw_lanes(struct dp_draw *) DP_MUSTUSE;
void	dp_draw_place_axes(struct dp_draw *);

/* marks.c: the plot command */
void	dp_draw_marks(struct dp_draw *);
/* There are bars: of names; of days, unless characters are too wide for them; as asked. */
bool	dp_draw_barred(const struct dp_draw *);
/* Bars are few enough for their numbers to stand above them. */
bool	dp_draw_numbered(const struct dp_draw *);
/* Name of the k-th series in the legend. */
void	dp_draw_title(struct dp_draw *, const struct dp_chart *, const struct dp_chart_view *,
	    unsigned k);
/*
 * true: the k-th series has a band that can be seen.  In a picture of characters the band must
 * somewhere be as wide as one line (call it after the axes are known).
 */
bool	dp_draw_band(const struct dp_draw *, unsigned k);

#endif
