/* SPDX-License-Identifier: ISC */
/* text.c - characters, tables of names, and what a file's name says. */
#include <limits.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "text.h"

size_t
dp_utf8(uint32_t *c, const char *p, const char *e)
{
	const unsigned char *u = (const unsigned char *)p;
	const size_t more = *u < 0x80 ? 0 : *u >= 0xf0 ? 3 : *u >= 0xe0 ? 2 : 1;
	const uint32_t least = more == 3 ? 0x10000 : more == 2 ? 0x800 : 0x80;
	uint32_t v = more == 0 ? *u : *u & 0x3fu >> more;
	size_t i;

	if ((*u >= 0x80 && *u < 0xc2) || *u > 0xf4 || more >= (size_t)(e - p))
		return 0;
	for (i = 1; i <= more; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		v = v << 6 | (u[i] & 0x3f);
	}
	if (more > 0 && (v < least || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff)))
		return 0;
	*c = v;
	return more + 1;
}

char *
dp_utf8_put(char *to, unsigned long c)
{
	int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;

	*to++ = (char)(more == 0 ? c : 0xfful << (7 - more) | c >> 6 * more);
	while (more-- > 0)
		*to++ = (char)(0x80 | (c >> 6 * more & 0x3f));
	return to;
}

bool
dp_utf8_unseen(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
	    (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* A table of names, in the order in which they came (text.h). */

#define AHEAD	16u
#define FIRST	64u		/* names that there is room for at first, a power of two */

/* An entry: place of its text, of which the first byte is its length; a mark; a tag. */
#define PLACE	39
#define MARK	((uint64_t)1 << PLACE)
#define AT	(MARK - 1)
#define TAG	(~(uint64_t)0 << (PLACE + 1))	/* of the hash */

struct dp_names {
	uint8_t key[16];
	size_t words;
	size_t n, room;			/* entries and blocks */
	uint64_t *entry;
	int64_t *block;
	char *text;
	size_t used, size;		/* bytes of it */
	uint32_t *index;		/* by hash: place + 1, or 0; */
	size_t mask;			/* of so many, less one: at most three quarters full */
};

static uint64_t
hash_of(const struct dp_names *t, struct dp_slice s)
{
	unsigned char h[crypto_shorthash_BYTES];
	uint64_t v;

	crypto_shorthash(h, (const unsigned char *)(s.n == 0 ? "" : s.p), s.n, t->key);
	memcpy(&v, h, sizeof v);
	return v;
}

static struct dp_slice
text_at(const struct dp_names *t, uint64_t entry)
{
	const char *p = t->text + (entry & AT);

	return (struct dp_slice){ p + 1, (unsigned char)*p };
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
grow_names(void **p, size_t *room, size_t need, size_t size)
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
	bool ok = grow_names(&text, &t->size, t->used + bytes, 1);

	t->text = text;
	ok = ok && grow_names(&block, &blocks, t->n + 1, (t->words + (t->words == 0)) *
	    sizeof *t->block);
	t->block = block;
	ok = ok && grow_names(&entry, &room, t->n + 1, sizeof *t->entry);
	t->entry = entry;
	if (ok)
		t->room = room;
	return ok;
}

/* Number of entries that are fetched from memory together. */
static void
fill_index(struct dp_names *t)
{
	uint64_t hash[AHEAD];
	size_t i, k, n, at;

	for (i = 0; i < t->n; i += n) {
		n = t->n - i < AHEAD ? t->n - i : AHEAD;
		for (k = 0; k < n; k++) {
			hash[k] = hash_of(t, text_at(t, t->entry[i + k]));
			__builtin_prefetch(&t->index[hash[k] & t->mask], 1);
		}
		for (k = 0; k < n; k++) {
			for (at = hash[k] & t->mask; t->index[at] != 0; at = (at + 1) & t->mask)
				;
			t->index[at] = (uint32_t)(i + k) + 1;
		}
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

/* Place of a name in the index, present or future. */
static size_t
find_names(const struct dp_names *t, struct dp_slice s, uint64_t hash)
{
	struct dp_slice have;
	uint64_t entry;
	size_t at;

	for (at = hash & t->mask; t->index[at] != 0; at = (at + 1) & t->mask) {
		entry = t->entry[t->index[at] - 1];
		if (((entry ^ hash) & TAG) != 0)
			continue;
		have = text_at(t, entry);
		if (have.n == s.n && memcmp(have.p, s.p, s.n) == 0)
			break;
	}
	return at;
}

int
dp_names_place(struct dp_names *t, struct dp_slice s, size_t *place)
{
	const uint64_t hash = hash_of(t, s);
	size_t at = find_names(t, s, hash);

	if (t->index[at] != 0) {
		*place = t->index[at] - 1;
		return 0;
	}
	if (s.n > DP_NAMES_TEXT)
		return DP_EINVAL;
	if (t->n >= DP_NAMES_MAX || t->used > AT - s.n || !grow_all(t, s.n + 1) || !widen(t))
		return DP_ENOMEM;
	at = find_names(t, s, hash);
	t->entry[t->n] = t->used | (hash & TAG);
	t->text[t->used] = (char)s.n;
	if (s.n > 0)
		memcpy(t->text + t->used + 1, s.p, s.n);
	t->used += s.n + 1;
	memset(t->block + t->n * t->words, 0, t->words * sizeof *t->block);
	t->index[at] = (uint32_t)t->n + 1;
	*place = t->n++;
	return 0;
}

bool
dp_names_find(const struct dp_names *t, struct dp_slice s, size_t *place)
{
	const size_t at = find_names(t, s, hash_of(t, s));

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
	return text_at(t, t->entry[place]);
}

int64_t *
dp_names_block(const struct dp_names *t, size_t place)
{
	return t->block + place * t->words;
}

void
dp_names_mark(struct dp_names *t, size_t place)
{
	t->entry[place] |= MARK;
}

bool
dp_names_marked(const struct dp_names *t, size_t place)
{
	return (t->entry[place] & MARK) != 0;
}

size_t
dp_names_bytes(size_t words)
{
	return words * sizeof(int64_t) + sizeof(uint64_t) + 1 + 2 * sizeof(uint32_t);
}

/* Room for twice of n names, and their text; where that fails it stays as it is. */
static void
shrink(struct dp_names *t, size_t n, size_t bytes)
{
	const size_t room = 2 * n + FIRST, size = 2 * bytes + FIRST;
	size_t slots = 2 * FIRST;
	void *p;

	if (t->room <= 2 * room)
		return;
	if ((p = realloc(t->block, room * (t->words + (t->words == 0)) * sizeof *t->block)) != NULL)
		t->block = p;
	t->room = room;
	if ((p = realloc(t->entry, room * sizeof *t->entry)) != NULL)
		t->entry = p;
	if (t->size > size && (p = realloc(t->text, size)) != NULL) {
		t->text = p;
		t->size = size;
	}
	while (slots < 2 * room)
		slots *= 2;
	if (slots <= t->mask && (p = realloc(t->index, slots * sizeof *t->index)) != NULL) {
		t->index = p;
		t->mask = slots - 1;
	}
}

/* The first n stay, with so much text; room is for what was there before. */
static void
cut(struct dp_names *t, size_t n, size_t used)
{
	const size_t before = t->n, bytes = t->used;

	sodium_memzero(t->text + used, bytes - used);
	sodium_memzero(t->block + n * t->words, (before - n) * t->words * sizeof *t->block);
	t->n = n;
	t->used = used;
	shrink(t, before, bytes);
	memset(t->index, 0, (t->mask + 1) * sizeof *t->index);
	fill_index(t);
}

void
dp_names_keep(struct dp_names *t, uint32_t *place)
{
	size_t i, n = 0, used = 0, one;

	for (i = 0; i < t->n; i++) {
		if (place[i] == 0)
			continue;
		one = text_at(t, t->entry[i]).n + 1;
		memmove(t->text + used, t->text + (t->entry[i] & AT), one);
		memmove(t->block + n * t->words, t->block + i * t->words,
		    t->words * sizeof *t->block);
		t->entry[n] = (t->entry[i] & ~AT) | used;
		used += one;
		place[i] = (uint32_t)++n;
	}
	if (n < t->n)
		cut(t, n, used);
}

struct ranked {
	const struct dp_names *t;
	const uint32_t *rank;
};

static int
by_rank(const void *a, const void *b, void *all)
{
	const struct ranked *r = all;
	const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	const struct dp_slice p = dp_names_text(r->t, i), q = dp_names_text(r->t, j);
	int d;

	if (r->rank[i] != r->rank[j])
		return r->rank[i] < r->rank[j] ? -1 : 1;
	d = memcmp(p.p, q.p, p.n < q.n ? p.n : q.n);
	return d != 0 ? d : (p.n > q.n) - (p.n < q.n);
}

/* Entries and texts of the places in that order, from what they were. */
static void
put_in_order(struct dp_names *t, size_t first, const uint32_t *order, const uint64_t *entry,
    const char *text)
{
	const size_t begin = entry[0] & AT;
	size_t used = begin, i, one;
	const char *p;
	uint64_t e;

	for (i = first; i < t->n; i++) {
		e = entry[order[i - first] - first];
		p = text + ((e & AT) - begin);
		one = (size_t)(unsigned char)*p + 1;
		memcpy(t->text + used, p, one);
		t->entry[i] = (e & ~AT) | used;
		used += one;
	}
	memset(t->index, 0, (t->mask + 1) * sizeof *t->index);
	fill_index(t);
}

int
dp_names_sort(struct dp_names *t, size_t first, const uint32_t *rank, uint32_t *to)
{
	const size_t n = t->n - first, begin = n != 0 ? t->entry[first] & AT : t->used;
	uint32_t *order = malloc((n + 1) * sizeof *order);
	uint64_t *entry = malloc((n + 1) * sizeof *entry);
	char *text = malloc(t->used - begin + 1);
	struct ranked all = { t, rank };
	size_t i;
	int e = order == NULL || entry == NULL || text == NULL ? DP_ENOMEM : 0;

	for (i = 0; i < t->n; i++)
		to[i] = (uint32_t)i + 1;
	if (e == 0 && n > 1) {
		for (i = 0; i < n; i++)
			order[i] = (uint32_t)(first + i);
		memcpy(entry, t->entry + first, n * sizeof *entry);
		memcpy(text, t->text + begin, t->used - begin);
		dp_os_sort(order, n, sizeof *order, by_rank, &all);
		put_in_order(t, first, order, entry, text);
		for (i = 0; i < n; i++)
			to[order[i]] = (uint32_t)(first + i) + 1;
		sodium_memzero(text, t->used - begin);
	}
	free(order);
	free(entry);
	free(text);
	return e;
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

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

const char *
dp_names_twice(char *const *name, size_t n, int *e)
{
	const char *found = NULL;
	char **sorted;
	size_t i;

	if (name == NULL)
		return NULL;
	if ((sorted = reallocarray(NULL, n, sizeof *sorted)) == NULL) {
		*e = DP_ENOMEM;
		return NULL;
	}
	memcpy(sorted, name, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, by_text);
	for (i = 1; i < n && found == NULL; i++)
		if (strcmp(sorted[i - 1], sorted[i]) == 0)
			found = sorted[i];
	free(sorted);
	return found;
}

const char *
dp_packed_package(const char *program)
{
	return strcmp(program, "xz") == 0 ? "xz-utils" : program;
}

const char *
dp_packed_by(const char *name, size_t *stem)
{
	static const struct {
		const char *suffix, *program;
	} by[] = {
		{ ".gz", "gzip" }, { ".xz", "xz" }, { ".zst", "zstd" }, { ".bz2", "bzip2" },
		{ ".lz4", "lz4" }, { ".Z", "gzip" }
	};
	const char *end = strrchr(name, '.');
	size_t i;

	*stem = strlen(name);
	if (end == NULL || end == name || end[-1] == '/')
		return NULL;
	for (i = 0; i < sizeof by / sizeof *by; i++)
		if (strcmp(end, by[i].suffix) == 0) {
			*stem = (size_t)(end - name);
			return by[i].program;
		}
	return NULL;
}

/* The name ends so, and is longer. */
static bool
ends(const char *name, const char *suffix)
{
	const size_t n = strlen(name), m = strlen(suffix);

	return n > m && name[n - m - 1] != '/' && strcmp(name + n - m, suffix) == 0;
}

const char *
dp_archived_by(const char *name)
{
	static const char tar[] = "tar -xOf";
	static const struct {
		const char *suffix, *command;
	} by[] = {
		{ ".zip", "unzip -p" }, { ".7z", "7z x -so" }, { ".rar", "unrar p -inul" },
		{ ".tar", tar }, { ".tgz", tar }, { ".tbz", tar }, { ".tbz2", tar },
		{ ".txz", tar }, { ".tzst", tar }, { ".tar.lz", tar }, { ".tar.lzma", tar },
		{ ".tar.lzo", tar }
	};
	size_t i, stem;

	for (i = 0; i < sizeof by / sizeof *by; i++)
		if (ends(name, by[i].suffix))
			return by[i].command;
	return dp_packed_by(name, &stem) != NULL && stem > 4 && name[stem - 5] != '/' &&
	    strncmp(name + stem - 4, ".tar", 4) == 0 ? tar : NULL;
}
