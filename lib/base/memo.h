/* SPDX-License-Identifier: ISC */
/*
 * memo.h - a small cache: values that take long to compute, found by the bytes of their arguments.
 *
 * All zero is an empty cache.  A search is linear: for a few values.
 */
#ifndef DP_BASE_MEMO_H
#define DP_BASE_MEMO_H

#include <stddef.h>

struct dp_memo_entry;

struct dp_memo {
	struct dp_memo_entry *last;	/* owned */
};

/* The newest value of this key, aligned for any type; NULL: none.  A NULL cache is empty. */
const void *dp_memo_find(const struct dp_memo *, const void *key, size_t size);
/* Keeps copies of key and value.  A NULL cache, or want of memory: no effect. */
void	dp_memo_keep(struct dp_memo *, const void *key, size_t size, const void *value, size_t n);
/* Takes the value over; `drop' frees it: at once if the cache is NULL or memory lacks. */
void	dp_memo_give(struct dp_memo *, const void *key, size_t size, void *value,
	    void (*drop)(void *));
void	dp_memo_free(struct dp_memo *);		/* leaves an empty cache */

#endif
