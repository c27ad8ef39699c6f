/* SPDX-License-Identifier: ISC */
/*
 * hashes.c - sorted linear probing, as in users.c, of whole hashes.
 *
 * Whoever has no key cannot choose hashes, so that they are spread evenly.
 */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "hashes.h"

#define FIRST	16		/* homes at first */

struct dp_hash_cell {
	uint64_t hi, lo;	/* the hash's bytes, the first is the highest */
	uint64_t events;	/* 0: free */
};

/* Cells behind the last home: of a table that is four fifths full few runs are so long. */
static size_t
slack(size_t homes)
{
	return homes < 1024 ? 16 : 256;
}

static size_t
home_of(uint64_t hi, size_t homes)
{
	return (size_t)((dp_uwide)hi * homes >> 64);
}

static bool
hash_before(const struct dp_hash_cell *a, const struct dp_hash_cell *b)
{
	return a->hi != b->hi ? a->hi < b->hi : a->lo < b->lo;
}

/* The cells of t, in their order, in a table with `homes'; DP_ERANGE: the end is too short. */
static int
spread(struct dp_hashes *to, const struct dp_hashes *t, size_t homes)
{
	const size_t cells = homes + slack(homes);
	size_t i, at, next = 0;

	*to = (struct dp_hashes){ calloc(cells, sizeof *to->cell), homes, t->n };
	if (to->cell == NULL)
		return DP_ENOMEM;
	for (i = 0; t->cell != NULL && i < t->homes + slack(t->homes); i++) {
		if (t->cell[i].events == 0)
			continue;
		at = home_of(t->cell[i].hi, homes);
		at = at < next ? next : at;
		if (at >= cells - 1)
			return DP_ERANGE;
		to->cell[at] = t->cell[i];
		next = at + 1;
	}
	return 0;
}

static int
widen(struct dp_hashes *t)
{
	struct dp_hashes to = { NULL, 0, 0 };
	size_t homes = t->homes == 0 ? FIRST : t->homes;
	int e;

	do {
		dp_hashes_free(&to);
		homes = t->cell == NULL ? homes : 2 * homes;
	} while ((e = spread(&to, t, homes)) == DP_ERANGE);
	if (e != 0)
		return e;
	to.n = t->n;
	dp_hashes_free(t);
	*t = to;
	return 0;
}

/* The hash's cell, or the one that it would have; the last cell of all is always free. */
static struct dp_hash_cell *
find(const struct dp_hashes *t, const struct dp_hash_cell *x)
{
	struct dp_hash_cell *c = t->cell + home_of(x->hi, t->homes);

	while (c->events != 0 && hash_before(c, x))
		c++;
	return c;
}

int
dp_hashes_add(struct dp_hashes *t, const uint64_t word[2])
{
	const struct dp_hash_cell x = { be64toh(word[0]), be64toh(word[1]), 1 };
	struct dp_hash_cell *c, *gap;
	int e;

	if (t->cell == NULL && (e = widen(t)) != 0)
		return e;
	for (;;) {
		c = find(t, &x);
		if (c->events != 0 && !hash_before(&x, c)) {
			c->events++;
			return 0;
		}
		for (gap = c; gap->events != 0; gap++)
			;
		if (t->n < t->homes - t->homes / 5 &&
		    gap < t->cell + t->homes + slack(t->homes) - 1)
			break;
		if ((e = widen(t)) != 0)
			return e;
	}
	memmove(c + 1, c, (size_t)(gap - c) * sizeof *c);
	*c = x;
	t->n++;
	return 0;
}

void
dp_hashes_fetch(const struct dp_hashes *t, const uint64_t word[2])
{
	if (t->cell != NULL)
		__builtin_prefetch(t->cell + home_of(be64toh(word[0]), t->homes), 1);
}

bool
dp_hashes_each(const struct dp_hashes *t, size_t *i, uint64_t word[2], uint64_t *events)
{
	const size_t cells = t->cell == NULL ? 0 : t->homes + slack(t->homes);

	while (*i < cells && t->cell[*i].events == 0)
		++*i;
	if (*i >= cells)
		return false;
	word[0] = htobe64(t->cell[*i].hi);
	word[1] = htobe64(t->cell[*i].lo);
	*events = t->cell[(*i)++].events;
	return true;
}

void
dp_hashes_free(struct dp_hashes *t)
{
	if (t->cell != NULL)
		sodium_memzero(t->cell, (t->homes + slack(t->homes)) * sizeof *t->cell);
	free(t->cell);
	*t = (struct dp_hashes){ NULL, 0, 0 };
}
