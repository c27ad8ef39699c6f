/*
 * shard.h - internal to partial*.c: the shards read so far.
 */
#ifndef DP_SHARD_H
#define DP_SHARD_H

#include "ask/options.h"

struct dp_shard {
	char *name;
	int64_t from, to;
};

struct dp_shards {
	const struct dp_shard *v;
	size_t n;
};

/* Says on standard error which slices I/N of a file (dpmap --slice's names end so) are missing. */
void	dp_shards_slices(struct dp_shards);

/*
 * A fault: the shards are not those that --expect says, each with all of --from to --to; NULL:
 * they are.  Names in it are as blocks have them.
 */
#define DP_SHARD_WHY	400
const char *dp_shards_expected(struct dp_shards, const struct dp_options *,
	    char why[static DP_SHARD_WHY]);

#endif
