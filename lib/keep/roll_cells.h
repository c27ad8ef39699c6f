/* roll_cells.h - how many events each name has in an open bucket, by its place in a table. */
#ifndef DP_ROLL_CELLS_H
#define DP_ROLL_CELLS_H

#include "base/dp.h"

/* A name with more events than a cell counts has several. */
struct dp_cells {
	struct dp_cell {
		uint32_t name;		/* place + 1; 0: none */
		uint32_t events;
	} *cell;			/* NULL: no event has come to it */
	size_t n, mask;			/* mask + 1 cells, at most three quarters full */
};

/* An event of the name; DP_ENOMEM: all is as it was. */
int	dp_cells_add(struct dp_cells *, size_t place) DP_MUSTUSE;
/* Its events. */
int64_t	dp_cells_of(const struct dp_cells *, size_t place);
/* Fetches from memory what dp_cells_of() will ask for. */
void	dp_cells_ahead(const struct dp_cells *, size_t place);
/* All cells, from *i = 0 on; false at the end. */
bool	dp_cells_each(const struct dp_cells *, size_t *i, size_t *place, uint32_t *events);
/* Loading one.  DP_EINVAL: events is no number of a cell; DP_ENOMEM. */
int	dp_cells_set(struct dp_cells *, size_t place, uint64_t events) DP_MUSTUSE;
/* The name at place i is at to[i] - 1 from here on; room: for n cells. */
void	dp_cells_move(struct dp_cells *, const uint32_t *to, struct dp_cell *room);
void	dp_cells_free(struct dp_cells *);	/* wipes, and leaves none */

#endif
