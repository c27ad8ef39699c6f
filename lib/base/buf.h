/*
 * buf.h - a growing byte buffer; errors are sticky so a writer checks once at the end.
 *
 * All zero is an empty buffer.  It grows by doubling into a fresh block and
 * wipes the old one, so no stale copy of private text is left behind in the heap.
 */
#ifndef DP_BUF_H
#define DP_BUF_H

#include "dp.h"

struct dp_buf {
	char *p;
	size_t n, cap;
	int error;		/* 0 or DP_ENOMEM; once set, adding does nothing */
};

void	dp_buf_add(struct dp_buf *, const void *, size_t);
void	dp_buf_puts(struct dp_buf *, const char *);
void	dp_buf_u64(struct dp_buf *, uint64_t);	/* decimal */
/* A text that may hold any byte: %XX for what is not plain. */
void	dp_buf_escaped(struct dp_buf *, const char *);
/*
 * Bytes of such a text, *n of them, at most size; to may be where the text is.  false: the text
 * is none that dp_buf_escaped() writes, or is longer.
 */
bool	dp_unescape(char *to, size_t size, struct dp_slice text, size_t *n) DP_MUSTUSE;
void	dp_buf_reset(struct dp_buf *);	/* wipes, keeps the memory, clears error */
void	dp_buf_free(struct dp_buf *);	/* wipes; leaves an empty, usable buffer */

#endif
