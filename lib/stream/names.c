/* names.c - a table of names, in the order in which they came (names.h). */
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "names.h"

#define FIRST	64u		/* names that there is room for at first, a power of two */

struct entry {
	uint64_t at;		/* of its text */
	uint32_t n, hash;
};

struct dp_names {
	uint8_t key[16];
	size_t words;
	size_t n, room;			/* entries and blocks */
	struct entry *entry;
	int64_t *block;
	char *text;
	size_t used, size;		/* bytes of it */
	uint32_t *index;		/* by hash: place + 1, or 0; */
	size_t mask;			/* of so many, less one: at most three quarters full */
};

static uint32_t
hash_of(const struct dp_names *t, struct dp_slice s)
{
	unsigned char h[crypto_shorthash_BYTES];
	uint32_t v;

	crypto_shorthash(h, (const unsigned char *)(s.n == 0 ? "" : s.p), s.n, t->key);
	memcpy(&v, h, sizeof v);
	return v;
}

int
dp_names_new(struct dp_names **out, const uint8_t key[16], size_t words)
{
	struct dp_names *t = calloc(1, sizeof *t);

	if (t == NULL)
		return DP_ENOMEM;
	memcpy(t->key, key, sizeof t->key);
	t->words = words;
	t->mask = 2 * FIRST - 1;
	t->index = calloc(t->mask + 1, sizeof *t->index);
	if (t->index == NULL) {
		dp_names_free(t);
		return DP_ENOMEM;
	}
	*out = t;
	return 0;
}

/* An array of n elements of a size with room for `need': by halves more, or as it was. */
static bool
grow(void **p, size_t *room, size_t need, size_t size)
{
	size_t n = *room;
	void *more;

	while (n < need)
		n += n / 2 + FIRST;
	if (n == *room)
		return true;
	if (n > SIZE_MAX / 2 / size || (more = realloc(*p, n * size)) == NULL)
		return false;
	*p = more;
	*room = n;
	return true;
}

/* Entries and blocks have one number, so one of them may have more room than is said. */
static bool
grow_all(struct dp_names *t, size_t bytes)
{
	size_t room = t->room, blocks = t->room;
	void *entry = t->entry, *block = t->block, *text = t->text;
	bool ok = grow(&text, &t->size, t->used + bytes, 1);

	t->text = text;
	ok = ok && grow(&block, &blocks, t->n + 1, (t->words + (t->words == 0)) * sizeof *t->block);
	t->block = block;
	ok = ok && grow(&entry, &room, t->n + 1, sizeof *t->entry);
	t->entry = entry;
	if (ok)
		t->room = room;
	return ok;
}

static void
fill_index(struct dp_names *t)
{
	size_t i, at;

	for (i = 0; i < t->n; i++) {
		for (at = t->entry[i].hash & t->mask; t->index[at] != 0; at = (at + 1) & t->mask)
			;
		t->index[at] = (uint32_t)i + 1;
	}
}

static bool
widen(struct dp_names *t)
{
	const size_t n = 2 * (t->mask + 1);
	uint32_t *index;

	if ((t->n + 1) * 4 <= (t->mask + 1) * 3)
		return true;
	if ((index = calloc(n, sizeof *index)) == NULL)
		return false;
	free(t->index);
	t->index = index;
	t->mask = n - 1;
	fill_index(t);
	return true;
}

/* Where a name stands in the index, or would. */
static size_t
find(const struct dp_names *t, struct dp_slice s, uint32_t hash)
{
	const struct entry *e;
	size_t at;

	for (at = hash & t->mask; t->index[at] != 0; at = (at + 1) & t->mask) {
		e = &t->entry[t->index[at] - 1];
		if (e->hash == hash && e->n == s.n && memcmp(t->text + e->at, s.p, s.n) == 0)
			break;
	}
	return at;
}

int
dp_names_place(struct dp_names *t, struct dp_slice s, size_t *place)
{
	const uint32_t hash = hash_of(t, s);
	size_t at = find(t, s, hash);

	if (t->index[at] != 0) {
		*place = t->index[at] - 1;
		return 0;
	}
	if (s.n > UINT32_MAX || t->n >= DP_NAMES_MAX || !grow_all(t, s.n) || !widen(t))
		return DP_ENOMEM;
	at = find(t, s, hash);
	if (s.n > 0)
		memcpy(t->text + t->used, s.p, s.n);
	t->entry[t->n] = (struct entry){ t->used, (uint32_t)s.n, hash };
	t->used += s.n;
	memset(t->block + t->n * t->words, 0, t->words * sizeof *t->block);
	t->index[at] = (uint32_t)t->n + 1;
	*place = t->n++;
	return 0;
}

bool
dp_names_find(const struct dp_names *t, struct dp_slice s, size_t *place)
{
	const size_t at = find(t, s, hash_of(t, s));

	if (t->index[at] == 0)
		return false;
	*place = t->index[at] - 1;
	return true;
}

size_t
dp_names_count(const struct dp_names *t)
{
	return t->n;
}

struct dp_slice
dp_names_text(const struct dp_names *t, size_t place)
{
	return (struct dp_slice){ t->text + t->entry[place].at, t->entry[place].n };
}

int64_t *
dp_names_block(const struct dp_names *t, size_t place)
{
	return t->block + place * t->words;
}

size_t
dp_names_bytes(size_t words)
{
	return words * sizeof(int64_t) + sizeof(struct entry) + 2 * sizeof(uint32_t);
}

void
dp_names_cut(struct dp_names *t, size_t n)
{
	if (n >= t->n)
		return;
	t->used = t->entry[n].at;
	t->n = n;
	memset(t->index, 0, (t->mask + 1) * sizeof *t->index);
	fill_index(t);
}

void
dp_names_free(struct dp_names *t)
{
	if (t == NULL)
		return;
	if (t->text != NULL)
		sodium_memzero(t->text, t->used);
	if (t->block != NULL)
		sodium_memzero(t->block, t->n * t->words * sizeof *t->block);
	free(t->entry);
	free(t->block);
	free(t->text);
	free(t->index);
	sodium_memzero(t, sizeof *t);
	free(t);
}
