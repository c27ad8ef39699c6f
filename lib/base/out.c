/* SPDX-License-Identifier: ISC */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

#define SLACK	4096

int
dp_write_all(int fd, const char *p, size_t n)
{
	ssize_t k;

	while (n > 0) {
		if ((k = write(fd, p, n)) >= 0) {
			p += k;
			n -= (size_t)k;
		} else if (errno == EAGAIN) {	/* somebody made it non-blocking */
			(void)poll(&(struct pollfd){ fd, POLLOUT, 0 }, 1, -1);
		} else if (errno != EINTR) {
			return -1;
		}
	}
	return 0;
}

int
dp_out_new(struct dp_out **out, int (*sink)(void *, const char *, size_t), void *arg)
{
	struct dp_out *o = calloc(1, sizeof *o);
	unsigned i;

	if (o == NULL)
		return DP_ENOMEM;
	o->cap = DP_OUT_BLOCK + SLACK;
	if ((o->buf = malloc(o->cap)) == NULL) {
		free(o);
		return DP_ENOMEM;
	}
	for (i = 0; i < 10000; i++) {
		o->digits[4 * i] = (char)('0' + i / 1000);
		o->digits[4 * i + 1] = (char)('0' + i / 100 % 10);
		o->digits[4 * i + 2] = (char)('0' + i / 10 % 10);
		o->digits[4 * i + 3] = (char)('0' + i % 10);
	}
	for (i = 0; i < DP_OUT_HIGHS; i++)
		o->high[i].value = DP_OUT_NONE;
	o->full = DP_OUT_BLOCK;
	o->sink = sink;
	o->arg = arg;
	*out = o;
	return 0;
}

void
dp_out_free(struct dp_out *o)
{
	if (o == NULL)
		return;
	free(o->buf);
	free(o);
}

int
dp_out_flush(struct dp_out *o)
{
	size_t n = o->n;

	if ((n == 0 && !o->silent) || o->hold)
		return 0;
	o->silent = false;
	o->n = 0;
	o->full = DP_OUT_BLOCK;
	return o->sink(o->arg, o->buf, n);
}

int
dp_out_full(struct dp_out *o)
{
	const size_t n = o->n;

	if (o->hold && n >= DP_OUT_BLOCK && o->stage != NULL) {
		o->n = 0;
		return o->stage(o->arg, o->buf, n);
	}
	if (o->each || o->wait == NULL || o->n >= DP_OUT_GROUP || !o->wait(o->arg))
		return dp_out_flush(o);
	o->full = o->n + DP_OUT_BLOCK;
	return 0;
}

int
dp_out_none(struct dp_out *o)
{
	o->silent = true;
	return o->each ? dp_out_flush(o) : 0;
}

char *
dp_out_grow(struct dp_out *o, size_t n)
{
	const size_t cap = 2 * o->cap + n;
	char *p = realloc(o->buf, cap);

	if (p == NULL)
		return NULL;
	o->buf = p;
	o->cap = cap;
	return o->buf + o->n;
}

void
dp_out_recache(struct dp_high *high, uint64_t value)
{
	high->value = value;
	high->len = (unsigned)(dp_decimal_put(high->text, (dp_wide)value, 0) - high->text);
}
