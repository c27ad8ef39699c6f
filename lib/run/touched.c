/*
 * touched.c - the sums of a range's keys and buckets that an event is in, while they are few.
 *
 * A hash table: cells in the order in which they came, and chains through them.  While events come
 * a chain is that of the cells of one hash; once buckets close, that of a row's, which is read at
 * once.
 */
#include <stdlib.h>
#include <string.h>

#include "touched.h"

#define PART	16		/* of the cells, so many times fewer */
#define BITS	10u		/* of the first chains */

struct cell {
	int64_t sum;
	uint64_t at;		/* row by row */
	uint32_t next;		/* as a head */
};

struct dp_touched {
	size_t width;
	struct cell *cell;
	size_t n, most;
	uint32_t *head;		/* a cell's place + 1; 0: none */
	unsigned bits;		/* of the heads that are used, no fewer than cells */
	bool closing;
};

static uint64_t
most(uint64_t cells)
{
	const uint64_t n = cells / PART;

	return cells < DP_TOUCHED_LEAST ? 0 : n < UINT32_MAX / 2 ? n : UINT32_MAX / 2;
}

static uint64_t
heads(uint64_t n)
{
	return (uint64_t)1 << (64 - __builtin_clzll(n));
}

uint64_t
dp_touched_bytes(uint64_t cells)
{
	const uint64_t n = most(cells);

	return n == 0 ? 0 : n * sizeof(struct cell) + heads(n) * sizeof(uint32_t);
}

int
dp_touched_new(struct dp_touched **out, size_t rows, size_t width)
{
	struct dp_touched *t = calloc(1, sizeof *t);

	if (t == NULL)
		return DP_ENOMEM;
	t->width = width;
	t->most = (size_t)most((uint64_t)rows * width);
	t->bits = BITS;
	t->cell = calloc(t->most, sizeof *t->cell);
	t->head = calloc((size_t)heads(t->most), sizeof *t->head);
	if (t->cell == NULL || t->head == NULL) {
		dp_touched_free(t);
		return DP_ENOMEM;
	}
	*out = t;
	return 0;
}

void
dp_touched_free(struct dp_touched *t)
{
	if (t == NULL)
		return;
	free(t->cell);
	free(t->head);
	free(t);
}

/* Rows differ in the last bits, and one that is open is met by its own cells alone, or by few. */
static uint32_t *
chain(const struct dp_touched *t, uint64_t at)
{
	if (t->closing)
		return &t->head[at / t->width & (((uint64_t)1 << t->bits) - 1)];
	return &t->head[at * 0x9e3779b97f4a7c15u >> (64 - t->bits)];
}

/* All chains anew. */
static void
link_all(struct dp_touched *t)
{
	uint32_t *h;
	size_t i;

	memset(t->head, 0, sizeof *t->head << t->bits);
	for (i = 0; i < t->n; i++) {
		h = chain(t, t->cell[i].at);
		t->cell[i].next = *h;
		*h = (uint32_t)i + 1;
	}
}

int64_t *
dp_touched_sum(struct dp_touched *t, size_t row, size_t place)
{
	const uint64_t at = (uint64_t)row * t->width + place;
	uint32_t *h = chain(t, at), i;
	struct cell *c;

	for (i = *h; i != 0; i = c->next) {
		c = &t->cell[i - 1];
		if (c->at == at)
			return &c->sum;
	}
	if (t->n == t->most)
		return NULL;
	if (t->n >> t->bits != 0) {
		t->bits++;
		link_all(t);
		h = chain(t, at);
	}
	c = &t->cell[t->n++];
	c->at = at;
	c->next = *h;
	*h = (uint32_t)t->n;
	return &c->sum;
}

void
dp_touched_spread(const struct dp_touched *t, int64_t *sums)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		sums[t->cell[i].at] = t->cell[i].sum;
}

void
dp_touched_row(struct dp_touched *t, size_t row, int64_t *x)
{
	const uint64_t first = (uint64_t)row * t->width;
	const struct cell *c;
	uint32_t i;

	if (!t->closing) {
		t->closing = true;
		link_all(t);
	}
	memset(x, 0, t->width * sizeof *x);
	for (i = *chain(t, first); i != 0; i = c->next) {
		c = &t->cell[i - 1];
		if (c->at - first < t->width)
			x[c->at - first] = c->sum;
	}
}
