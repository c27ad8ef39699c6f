/* local_bits.c - answers that are a set of symbols: as text, and counted (local.h). */
#include <endian.h>
#include <string.h>

#include "local.h"

#define PLANES	6
#define FULL	((1u << PLANES) - 1)	/* answers that planes can hold */

#define BYTES	DP_LOCAL_BYTES

/* Byte i of a word, the lowest first, is that at i ^ SWAPPED in memory. */
#define SWAPPED	(__BYTE_ORDER == __LITTLE_ENDIAN ? 0u : 7u)

size_t
dp_local_words(size_t K)
{
	return (K + 63) / 64;
}

size_t
dp_local_text(const struct dp_local *l)
{
	return strlen(l->m.ops->name) + 1 + (l->K + 3) / 4;
}

/* The four bits of each digit, the other way round. */
static uint64_t
mirrored(uint64_t w)
{
	w = (w >> 1 & BYTES(0x55)) | (w & BYTES(0x55)) << 1;
	return (w >> 2 & BYTES(0x33)) | (w & BYTES(0x33)) << 2;
}

/* A digit's character, without a branch. */
static char
digit(unsigned four)
{
	return (char)(four + '0' + (four > 9 ? 'a' - '0' - 10 : 0));
}

/* Bytes of words as two digits each, the first symbols' first: a loop that vectors can run. */
static void
put_bytes(char *restrict p, const uint8_t *restrict word, size_t n)
{
	size_t i;
	uint8_t b;

	for (i = 0; i < n; i++) {
		b = word[i ^ SWAPPED];
		b = (uint8_t)((b >> 1 & 0x55) | (b & 0x55) << 1);
		b = (uint8_t)((b >> 2 & 0x33) | (b & 0x33) << 2);
		p[2 * i] = digit(b & 15u);
		p[2 * i + 1] = digit(b >> 4);
	}
}

char *
dp_local_put(const struct dp_mech *m, const void *col, dp_wide est, char *p)
{
	const struct dp_local *l = dp_local_of(m);
	const uint8_t *words = col;
	const size_t whole = l->K / 64 * 8, rest = (l->K % 64 + 3) / 4;
	char last[16];

	(void)est;
	p = stpcpy(p, m->ops->name);
	*p++ = ':';
	put_bytes(p, words, whole);
	p += 2 * whole;
	if (rest > 0) {
		put_bytes(last, words + whole, 8);
		memcpy(p, last, rest);
	}
	return p + rest;
}

bool
dp_local_untag(const struct dp_local *l, struct dp_slice *s)
{
	const char *name = l->m.ops->name;
	const size_t n = strlen(name);

	if (s->n <= n || memcmp(s->p, name, n) != 0 || s->p[n] != ':')
		return false;
	s->p += n + 1;
	s->n -= n + 1;
	return true;
}

/* Eight bytes, which should be digits, as a number, the first one lowest; *bad: some are not. */
static uint64_t
number_of(const char *p, uint64_t *bad)
{
	const uint64_t high = BYTES(0x80);
	uint64_t c, n, ascii, digit, letter;

	memcpy(&c, p, sizeof c);
	c = le64toh(c);
	ascii = c & ~high;
	/* the high bit of a byte: it is at least this, less than that; no byte borrows */
	digit = ((ascii | high) - BYTES('0')) & ~((ascii | high) - BYTES('9' + 1));
	letter = ((ascii | high) - BYTES('a')) & ~((ascii | high) - BYTES('f' + 1)) & high;
	*bad |= ((digit | letter) ^ high) & high;
	*bad |= c & high;
	n = (c & BYTES(0x0f)) + (letter >> 7) * 9;
	n = (n | n >> 4) & 0x00ff00ff00ff00ff;
	n = (n | n >> 8) & 0x0000ffff0000ffff;
	return (n | n >> 16) & 0xffffffff;
}

/* The digits of K symbols into words; false: they are no set of this many. */
static bool
read_set(const struct dp_local *l, unsigned named, uint64_t *w, const char *p)
{
	const size_t whole = l->K / 64, rest = (l->K % 64 + 3) / 4;
	char last[16];
	uint64_t bad = 0;
	unsigned set = 0;
	size_t i;

	for (i = 0; i < whole; i++, p += 16) {
		w[i] = mirrored(number_of(p, &bad) | number_of(p + 8, &bad) << 32);
		set += dp_local_ones(w[i]);
	}
	if (rest > 0) {
		memset(last, '0', sizeof last);
		memcpy(last, p, rest);
		w[i] = mirrored(number_of(last, &bad) | number_of(last + 8, &bad) << 32);
		set += dp_local_ones(w[i]);
		bad |= w[i] >> l->K % 64;
	}
	return bad == 0 && (named == 0 || set == named);
}

/*
 * Behind the K totals: what is counted side by side, plane j holding bit j of each symbol's number;
 * how many answers that are; and the answer that is read.
 */
struct aside {
	uint64_t *plane, *n, *set;
};

static struct aside
aside(const struct dp_local *l, int64_t *count)
{
	const size_t words = dp_local_words(l->K);
	uint64_t *p = (uint64_t *)count + l->K;

	return (struct aside){ p, p + PLANES * words, p + PLANES * words + 1 };
}

size_t
dp_local_counts(size_t K)
{
	return K + (PLANES + 1) * dp_local_words(K) + 1;
}

/* To the totals. */
static void
empty(const struct dp_local *l, int64_t *count, struct aside *a)
{
	const size_t words = dp_local_words(l->K);
	uint64_t w[PLANES];
	size_t v, i;
	unsigned j;

	for (i = 0; i < words; i++) {
		for (j = 0; j < PLANES; j++)
			w[j] = a->plane[j * words + i];
		for (v = 64 * i; v < 64 * i + 64 && v < l->K; v++)
			for (j = 0; j < PLANES; j++) {
				count[v] += (int64_t)(w[j] & 1) << j;
				w[j] >>= 1;
			}
	}
	memset(a->plane, 0, PLANES * words * sizeof *a->plane);
	*a->n = 0;
}

bool
dp_local_add(const struct dp_local *l, unsigned named, int64_t *count, struct dp_slice s)
{
	const size_t words = dp_local_words(l->K);
	struct aside a = aside(l, count);
	uint64_t carry, *p;
	size_t i;
	unsigned j;

	if (!dp_local_untag(l, &s) || s.n != (l->K + 3) / 4 || !read_set(l, named, a.set, s.p))
		return false;
	for (j = 0; j < PLANES; j++) {
		p = a.plane + j * words;
		for (i = 0; i < words; i++) {
			carry = p[i] & a.set[i];
			p[i] ^= a.set[i];
			a.set[i] = carry;
		}
	}
	if (++*a.n == FULL)
		empty(l, count, &a);
	return true;
}

void
dp_local_support(const struct dp_mech *m, int64_t *count, uint64_t n)
{
	const struct dp_local *l = dp_local_of(m);
	struct aside a = aside(l, count);

	(void)n;
	empty(l, count, &a);
}
