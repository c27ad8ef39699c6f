/* SPDX-License-Identifier: ISC */
/*
 * hashes.h - how often each identifier came in a bucket, told by a keyed hash of 128 bits.
 *
 * All zero is an empty table.  A cell has 24 bytes; with its share of empty cells an identifier
 * takes 32 to 64 bytes, and half as much again while the table grows.
 */
#ifndef DP_INPUT_HASHES_H
#define DP_INPUT_HASHES_H

#include "base/dp.h"

struct dp_hashes {
	struct dp_hash_cell *cell;
	size_t homes;		/* cells that are some hash's own; those of the end stand behind */
	size_t n;
};

/* One event more; word: the hash's 16 bytes as they stand in memory. */
int	dp_hashes_add(struct dp_hashes *, const uint64_t word[2]) DP_MUSTUSE;
/* Fetches from memory what an add will need. */
void	dp_hashes_fetch(const struct dp_hashes *, const uint64_t word[2]);
/* Walk in ascending order of the bytes; *i starts at 0; false at the end. */
bool	dp_hashes_each(const struct dp_hashes *, size_t *i, uint64_t word[2], uint64_t *events);
void	dp_hashes_free(struct dp_hashes *);

#endif
