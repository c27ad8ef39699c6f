/*
 * cell.h - the inside of chart.h's reader: a line cut into fields.
 */
#ifndef DP_CELL_H
#define DP_CELL_H

#include "chart.h"

struct dp_cell {
	struct dp_slice text, name;	/* name: JSON only */
	bool string;			/* JSON: a string, even if it looks like a number */
};

struct dp_cells {
	struct dp_cell at[DP_CHART_COLUMNS_MAX];
	unsigned n;
};

/* Cuts a line by the chart's form, which the first line decides.  Errors: dp_chart_line()'s. */
int	dp_cells_cut(struct dp_cells *, struct dp_chart *, struct dp_slice line) DP_MUSTUSE;
/* A field as a number, or as a time; false: it is none. */
bool	dp_cell_number(double *, struct dp_slice);
bool	dp_cell_time(double *, int *zone, struct dp_slice);

/* Sets why; returns DP_ESYNTAX. */
int	dp_chart_refuse(struct dp_chart *, const char *format, ...)
	    __attribute__((format(printf, 2, 3)));

#endif
