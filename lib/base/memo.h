/*
 * memo.h - a small cache: values that take long to compute, found by the bytes of their arguments.
 *
 * All zero is an empty cache.  A search is linear: for a few values.
 */
#ifndef DP_MEMO_H
#define DP_MEMO_H

#include "dp.h"

struct dp_memo {
	struct dp_memo_entry *last;	/* owned */
};

/* The newest value of this key, aligned for any type; NULL: none.  A NULL cache is empty. */
const void *dp_memo_find(const struct dp_memo *, const void *key, size_t size);
/* Keeps copies of key and value; does nothing without memory or with a NULL cache. */
void	dp_memo_keep(struct dp_memo *, const void *key, size_t size, const void *value, size_t n);
/* The value itself, which `drop' gives back: at once, if there is no cache, or no memory for it. */
void	dp_memo_give(struct dp_memo *, const void *key, size_t size, void *value,
	    void (*drop)(void *));
void	dp_memo_free(struct dp_memo *);		/* leaves an empty cache */

#endif
