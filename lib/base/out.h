/* SPDX-License-Identifier: ISC */
/*
 * out.h - lines out: written in place into one block, let out only at line ends.
 *
 * The sink is called with whole lines; it is where commit comes before print.
 */
#ifndef DP_BASE_OUT_H
#define DP_BASE_OUT_H

#include <string.h>

#include "num.h"

#define DP_OUT_BLOCK	65536

/*
 * Estimates that follow each other share all but their low four digits with one of few: noise moves
 * them up and down, so more than the last text is kept.
 */
struct dp_high {
	uint64_t value;		/* at least 1; DP_OUT_NONE: there is no text */
	unsigned len;
	char text[20];
};

#define DP_OUT_HIGHS	16

struct dp_out {
	char *buf;
	size_t n, cap;
	bool each;		/* let every line out at once */
	bool hold;		/* flushing does nothing; blocks are staged, or it grows */
	bool silent;		/* nothing was printed where something could be: so much is due */
	int (*sink)(void *, const char *, size_t);	/* 0 or DP_E* */
	int (*stage)(void *, const char *, size_t);	/* or NULL: of what is held, a block */
	/* or NULL; asked at each block, up to a group: may it wait for more? */
	bool (*wait)(void *);
	size_t full;		/* ask, or flush, from here on */
	void *arg;
	struct dp_high high[DP_OUT_HIGHS];
	char digits[40004];		/* a copy of four may begin at the last digit */
};

/* All n bytes to fd, whose turn is waited for; -1: errno says why. */
int	dp_write_all(int fd, const char *p, size_t n) DP_MUSTUSE;

int	dp_out_new(struct dp_out **, int (*sink)(void *, const char *, size_t), void *) DP_MUSTUSE;
int	dp_out_flush(struct dp_out *) DP_MUSTUSE;
/* An absent line, which tells something, too: it goes with the lines. */
int	dp_out_none(struct dp_out *) DP_MUSTUSE;
/* A block is full, or each line is to go: flushes, unless it may wait. */
int	dp_out_full(struct dp_out *) DP_MUSTUSE;
char	*dp_out_grow(struct dp_out *, size_t n);	/* what dp_out_room() does seldom */
void	dp_out_free(struct dp_out *);

/* value >= 1 */
void	dp_out_recache(struct dp_high *, uint64_t value);

/* Room for n more bytes of this line; NULL: no memory. */
static inline char *
dp_out_room(struct dp_out *o, size_t n)
{
	return DP_LIKELY(n <= o->cap - o->n) ? o->buf + o->n : dp_out_grow(o, n);
}

#define DP_OUT_PLACES	3		/* so many decimals need no division of their own */

/* dp_decimal_put(), faster; p has 48 bytes of room.  Returns the end. */
static inline char *
dp_out_decimal(struct dp_out *o, char *p, dp_wide v, unsigned places)
{
	uint64_t u = (uint64_t)v, value;
	struct dp_high *high;
	const char *low;
	unsigned rest, zeros = 0, whole;

	if (DP_UNLIKELY(v != (int64_t)v || places > DP_OUT_PLACES))
		return dp_decimal_put(p, v, places);
	if (v < 0) {
		*p++ = '-';
		u = 0 - u;
	}
	value = u / 10000;
	rest = (unsigned)(u - value * 10000);
	low = o->digits + (size_t)4 * rest;
	if (value == 0) {
		zeros = (unsigned)((rest < 10) + (rest < 100) + (rest < 1000));
		if (zeros > 3 - places)		/* a digit stands before the point */
			zeros = 3 - places;
	} else {
		high = &o->high[value % DP_OUT_HIGHS];
		if (DP_UNLIKELY(high->value != value))
			dp_out_recache(high, value);
		memcpy(p, high->text, 16);
		p += high->len;
	}
	memcpy(p, low + zeros, 4);
	whole = 4 - places - zeros;
	if (places == 0)
		return p + whole;
	p[whole] = '.';
	memcpy(p + whole + 1, low + 4 - places, 4);
	return p + whole + 1 + places;
}

static inline char *
dp_out_put(struct dp_out *o, char *p, dp_wide v)
{
	return dp_out_decimal(o, p, v, 0);
}

/* The line is complete and ends at `end`. */
static inline int
dp_out_line(struct dp_out *o, char *end)
{
	o->n = (size_t)(end - o->buf);
	if (DP_UNLIKELY(o->n >= o->full || o->each))
		return dp_out_full(o);
	return 0;
}

#endif
