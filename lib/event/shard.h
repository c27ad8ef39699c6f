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

#endif
