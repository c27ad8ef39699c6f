/* SPDX-License-Identifier: ISC */
/*
 * partial.h - exact partial sums of one shard of a log: dpmap writes them, --partial adds them up.
 *
 * A file is text, tabs between fields: any number of blocks, one for each shard:
 *
 *	#dpmap 2 NOT PRIVATE: exact counts of one shard, for --partial alone
 *	#shard NAME
 *	#from TIME
 *	#to TIME
 *	#bucket DUR [ZONE]	seconds, or 2w, 3mo; what --tz names
 *	#range LO:HI
 *	#unit U			as given, with totals; -: sums are of events
 *	#per-user K[/step]	0: events are protected, not users
 *	#keys N HASH		of the declared keys, in their order; 0 -: there are none
 *	#identifiers yes	if keys are identifiers that nobody declared; else no such line
 *	#identifiers hashed HEX	if they stand as keyed hashes of 128 bits in hex; which key it is
 *	TIME	KEY	SUM	a bucket's start, a key or -, its sum unless that is 0
 *	#end ROWS
 *	#blake2b HEX		BLAKE2b-256 of all lines of the block before this one
 *
 * --for=dpproject: SUM is a number of lines, KEY a column of the matrix, or nothing: of no column.
 * TIME is ISO 8601, UTC.  A byte of NAME or KEY that is not plain stands as %XX.  SUM has the
 * range's decimals and lies within 2^61 grid units.
 *
 * A run of --partial has the bucket, range, unit, K and keys of each block; else the block is
 * refused.  Then one event of a shard moves one sum exactly as it would in the whole log, and the
 * noise is that of the whole log.  A block's times lie within --from and --to.  Two blocks of one
 * name have no time in common: one shard would be counted twice.  Each line stands as dpmap printed
 * it, with its newline.  A user's K events are K in all if all of them are in one block (by_user).
 */
#ifndef DP_INPUT_PARTIAL_H
#define DP_INPUT_PARTIAL_H

#include "base/dp.h"

struct dp_buf;
struct dp_event;
struct dp_events;
struct dp_options;
struct dp_partial;
struct dp_record;

/* The caller keeps options and events, which must outlive it; the events find a key's column. */
int	dp_partial_new(struct dp_partial **, const struct dp_options *, const struct dp_events *)
	    DP_MUSTUSE;
/*
 * Maps a line to its event; a line that is no row counts nowhere.  A wrong line ends the run
 * (DP_EX_INPUT) with a message of its place alone.
 */
void	dp_partial_read(struct dp_partial *, const struct dp_record *, const char *file,
	    struct dp_event *);
/* true: the last line was no row, and rows may follow. */
bool	dp_partial_rows(const struct dp_partial *);
/*
 * End of a file, which must end its last block and hold at least one.  cut: the last newline is
 * missing.
 */
void	dp_partial_end(struct dp_partial *, const char *file, bool cut);
/* End of all files: says which slices I/N (dpmap --slice's names end so) are missing. */
void	dp_partial_slices(const struct dp_partial *);
/* The same: ends the run (DP_EX_INPUT) where the shards are not those that --expect says. */
void	dp_partial_expected(const struct dp_partial *);
void	dp_partial_free(struct dp_partial *);

/* Writer and reader: the i-th line that must agree, without its newline; false past the last. */
bool	dp_partial_agreed(const struct dp_options *, unsigned i, struct dp_buf *,
	    const char **option);
/*
 * A new checksum of a block, which the caller passes to free(); NULL: no memory.  dp_partial_sum()
 * writes the line of a checksum, without its newline.
 */
void	*dp_partial_hash(void);
void	dp_partial_sum(const void *hash, struct dp_buf *);
#define DP_PARTIAL_FIRST "#dpmap 2 NOT PRIVATE: exact counts of one shard, for --partial alone"

#endif
