/*
 * memo.h - what was found once, by the bytes that it is a function of.
 *
 * All zero is an empty one.  It is for values that take long to find, of which there are few.
 */
#ifndef DP_MEMO_H
#define DP_MEMO_H

#include "dp.h"

struct dp_memo {
	struct dp_memo_entry *last;	/* owned */
};

/* The value that was kept last for this key, aligned for any type; NULL: none.  NULL is empty. */
const void *dp_memo_find(const struct dp_memo *, const void *key, size_t size);
/* Keeps copies of both; without memory, or in NULL, nothing. */
void	dp_memo_keep(struct dp_memo *, const void *key, size_t size, const void *value, size_t n);
void	dp_memo_free(struct dp_memo *);		/* leaves an empty one */

#endif
