/* SPDX-License-Identifier: ISC */
/*
 * buf.c - see buf.h.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"

/* realloc(3) would free the old block unwiped. */
static int
grow_buf(struct dp_buf *b, size_t more)
{
	size_t cap = b->cap < 64 ? 64 : b->cap;
	char *p;

	if (more > SIZE_MAX / 2 - b->n)
		return DP_ENOMEM;
	while (cap - b->n < more)
		cap *= 2;
	if ((p = malloc(cap)) == NULL)
		return DP_ENOMEM;
	if (b->n != 0)
		memcpy(p, b->p, b->n);
	if (b->p != NULL)
		explicit_bzero(b->p, b->n);
	free(b->p);
	b->p = p;
	b->cap = cap;
	return 0;
}

void
dp_buf_room(struct dp_buf *b, size_t n)
{
	if (b->error == 0 && b->cap - b->n < n)
		b->error = grow_buf(b, n);
}

void
dp_buf_add(struct dp_buf *b, const void *s, size_t n)
{
	if (n == 0)
		return;
	dp_buf_room(b, n);
	if (b->error != 0)
		return;
	memcpy(b->p + b->n, s, n);
	b->n += n;
}

void
dp_buf_puts(struct dp_buf *b, const char *s)
{
	dp_buf_add(b, s, strlen(s));
}

void
dp_buf_u64(struct dp_buf *b, uint64_t v)
{
	char t[20], *p = t + sizeof t;

	do
		*--p = (char)('0' + v % 10);
	while ((v /= 10) != 0);
	dp_buf_add(b, p, (size_t)(t + sizeof t - p));
}

void
dp_buf_reset(struct dp_buf *b)
{
	if (b->n != 0)
		explicit_bzero(b->p, b->n);
	b->n = 0;
	b->error = 0;
}

void
dp_buf_free(struct dp_buf *b)
{
	dp_buf_reset(b);
	free(b->p);
	b->p = NULL;
	b->cap = 0;
}

void
dp_buf_line(struct dp_buf *b, const char *key, const char *value)
{
	dp_buf_puts(b, key);
	dp_buf_puts(b, " ");
	dp_buf_puts(b, value);
	dp_buf_puts(b, "\n");
}

void
dp_buf_escaped(struct dp_buf *b, const char *s)
{
	char hex[4];

	for (; *s != '\0'; s++) {
		if (*s > ' ' && *s <= '~' && *s != '%' && *s != ',' && *s != '@' && *s != '-') {
			dp_buf_add(b, s, 1);
			continue;
		}
		snprintf(hex, sizeof hex, "%%%02x", (unsigned)(unsigned char)*s);
		dp_buf_add(b, hex, 3);
	}
}

bool
dp_unescape(char *to, size_t size, struct dp_slice s, size_t *n)
{
	static const char digits[] = "0123456789abcdef";
	const char *hi, *lo;

	for (*n = 0; s.n > 0; s.p++, s.n--) {
		if (*n == size)
			return false;
		if (*s.p != '%') {
			to[(*n)++] = *s.p;
			continue;
		}
		if (s.n < 3 || (hi = memchr(digits, s.p[1], 16)) == NULL ||
		    (lo = memchr(digits, s.p[2], 16)) == NULL || (s.p[1] == '0' && s.p[2] == '0'))
			return false;
		to[(*n)++] = (char)((hi - digits) * 16 + (lo - digits));
		s.p += 2;
		s.n -= 2;
	}
	return true;
}
