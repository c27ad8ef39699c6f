/*
 * touched.h - the sums of a range's keys and buckets that an event is in, while they are few.
 *
 * One sum by itself touches a page of an array, 512 of them; here it takes 32 bytes.  Who fills a
 * sixteenth of the cells has touched all pages anyhow, and is better off with the array.
 */
#ifndef DP_TOUCHED_H
#define DP_TOUCHED_H

#include <stddef.h>
#include <stdint.h>

#include "base/dp.h"

#define DP_TOUCHED_LEAST	((uint64_t)1 << 20)	/* fewer cells are an array: 8 MiB */

struct dp_touched;

/* Bytes for as many cells, the array besides: none for few, else a fourth of the array's. */
uint64_t dp_touched_bytes(uint64_t cells);
/* All memory is had here; what no cell has come to is not touched. */
int	dp_touched_new(struct dp_touched **, size_t rows, size_t width) DP_MUSTUSE;
/* The cell's sum, at first 0, until the next call; NULL: it is not there, and they are too many. */
int64_t	*dp_touched_sum(struct dp_touched *, size_t row, size_t place);
/* To the array, which is 0 else. */
void	dp_touched_spread(const struct dp_touched *, int64_t *sums);
/* A row, the width of it.  From the first call on there is no other. */
void	dp_touched_row(struct dp_touched *, size_t row, int64_t *x);
void	dp_touched_free(struct dp_touched *);

#endif
