/* SPDX-License-Identifier: ISC */
/*
 * buf.h - a growing byte buffer; errors are sticky so a writer checks once at the end.
 *
 * All zero is an empty buffer.  A buffer doubles into a fresh block and wipes the old one, so the
 * heap keeps no stale copy of private text.
 */
#ifndef DP_BASE_BUF_H
#define DP_BASE_BUF_H

#include "dp.h"

struct dp_buf {
	char *p;
	size_t n, cap;
	int error;		/* 0 or DP_ENOMEM; once set, adding does nothing */
};

void	dp_buf_add(struct dp_buf *, const void *, size_t);
/* Memory for n bytes more, which are then added without another copy. */
void	dp_buf_room(struct dp_buf *, size_t n);
void	dp_buf_puts(struct dp_buf *, const char *);
/* "key value" and a line's end */
void	dp_buf_line(struct dp_buf *, const char *key, const char *value);
void	dp_buf_u64(struct dp_buf *, uint64_t);	/* decimal */
/* Adds a text of any bytes; a byte that is not plain becomes %XX. */
void	dp_buf_escaped(struct dp_buf *, const char *);
/*
 * Decodes a text written by dp_buf_escaped() into to[0 .. *n - 1]; the text may lie at `to`.
 * false: the text has another form, or more than `size` bytes.
 */
bool	dp_unescape(char *to, size_t size, struct dp_slice text, size_t *n) DP_MUSTUSE;
void	dp_buf_reset(struct dp_buf *);	/* wipes, keeps the memory, clears error */
void	dp_buf_free(struct dp_buf *);	/* wipes; leaves an empty, usable buffer */

#endif
