/*
 * partial.h - exact partial sums of one shard of a log: dpmap writes them, --partial adds them up.
 *
 * They are text, tabs between fields; any number of blocks may follow each other, one a shard:
 *
 *	#dpmap 2 NOT PRIVATE: exact counts of one shard, for --partial alone
 *	#shard NAME
 *	#from TIME
 *	#to TIME
 *	#bucket DUR [ZONE]	seconds, or 2w, 3mo; what --tz names
 *	#range LO:HI
 *	#unit U			as given, of totals; -: sums are of events
 *	#per-user K[/step]	0: events are protected, not users
 *	#keys N HASH		of the declared keys, in their order; 0 -: there are none
 *	TIME	KEY	SUM	a bucket's start, a key or -, its sum; not if that is 0
 *	#end ROWS
 *	#blake2b HEX		BLAKE2b-256 of all lines of the block before this one
 *
 * TIME is ISO 8601, UTC.  In NAME and KEY bytes that are not plain stand as %XX.  SUM has the
 * range's decimals, and is within 2^61 grid units.
 *
 * Whoever adds blocks up has the shards' bucket, range, unit, K and keys, or they are refused;
 * then an event of one shard moves one sum as it would in the log, and the noise is that of the
 * log.  A block's times are within --from and --to, and no two blocks of a name have a time in
 * common: that would be one shard twice.  Lines stand as they were printed, each with
 * its newline.  A user's K events are K in all if all are in one block
 * (by_user).
 */
#ifndef DP_PARTIAL_H
#define DP_PARTIAL_H

#include "base/buf.h"
#include "event.h"

struct dp_partial;

/* Options and events stay the caller's; the events find a key's column. */
int	dp_partial_new(struct dp_partial **, const struct dp_options *, const struct dp_events *)
	    DP_MUSTUSE;
/*
 * A line to its event, which counts nowhere if it is no row.  What is wrong is said, with the
 * place alone, and ends the run (DP_EX_INPUT).
 */
void	dp_partial_read(struct dp_partial *, const struct dp_record *, const char *file,
	    struct dp_event *);
/* The last line was no row, but rows may follow. */
bool	dp_partial_rows(const struct dp_partial *);
/*
 * A file has ended: so must its last block, and there must be one.  cut: its last newline is not
 * there.
 */
void	dp_partial_end(struct dp_partial *, const char *file, bool cut);
/* All files have been read: of dpmap --slice's I/N (a name that ends so), which are not there. */
void	dp_partial_slices(const struct dp_partial *);
void	dp_partial_free(struct dp_partial *);

/* For both sides: the i-th line that must agree, without its end; false past the last. */
bool	dp_partial_agreed(const struct dp_options *, unsigned i, struct dp_buf *,
	    const char **option);
/* The checksum of a block, begun; free() it; NULL: no memory.  Its line, without its end. */
void	*dp_partial_hash(void);
void	dp_partial_sum(const void *hash, struct dp_buf *);
#define DP_PARTIAL_FIRST "#dpmap 2 NOT PRIVATE: exact counts of one shard, for --partial alone"

#endif
