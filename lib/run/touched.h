/*
 * touched.h - sums of a range's keys and buckets, of cells that have an event, while they are few.
 *
 * A sum takes 32 bytes here; in an array it would touch a page, which is 512 sums.  Once a
 * sixteenth of the cells has events all pages are touched in any case, and an array takes over.
 */
#ifndef DP_TOUCHED_H
#define DP_TOUCHED_H

#include <stddef.h>
#include <stdint.h>

#include "base/dp.h"

#define DP_TOUCHED_LEAST	((uint64_t)1 << 20)	/* fewer cells are an array: 8 MiB */

struct dp_touched;

/* Bytes beside the array: 0 of few cells, else a fourth of the array's. */
uint64_t dp_touched_bytes(uint64_t cells);
/* Allocates all memory; pages without a cell stay untouched. */
int	dp_touched_new(struct dp_touched **, size_t rows, size_t width) DP_MUSTUSE;
/* Sum of a cell, at first 0, valid until the next call; NULL: new, and there are too many. */
int64_t	*dp_touched_sum(struct dp_touched *, size_t row, size_t place);
/* Copies all sums to an array of zeros. */
void	dp_touched_spread(const struct dp_touched *, int64_t *sums);
/* Copies a row, `width' sums, to x.  From the first call on no other function may be called. */
void	dp_touched_row(struct dp_touched *, size_t row, int64_t *x);
void	dp_touched_free(struct dp_touched *);

#endif
