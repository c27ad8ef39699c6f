/* SPDX-License-Identifier: ISC */
/*
 * t_names.c - a table of names (base/text.h): every name has its place, its bytes and its block,
 * in the order in which they came, whatever the key of the hash is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "check.h"

#define MANY	20000
#define WORDS	3

static struct dp_slice
name(unsigned i, char text[static 16])
{
	/* some are others' beginnings, one is empty, one has a NUL in it */
	return (struct dp_slice){ text, (size_t)(i == 5 ? 0 : i == 6 ?
	    sprintf(text, "a%cb", 0) : sprintf(text, "%u", i * i % 99991)) };
}

static struct dp_names *
table(uint8_t key)
{
	const uint8_t all[16] = { key };
	struct dp_names *t;

	if (dp_names_new(&t, all, WORDS) != 0)
		abort();
	return t;
}

/* Places are by first sight; blocks are 0 at first, and stay what they were made. */
static void
fill(struct dp_names *t)
{
	size_t place, seen = 0;
	char text[16];
	unsigned i, k;

	for (i = 0; i < MANY; i++) {
		check(dp_names_place(t, name(i, text), &place) == 0);
		check(place <= seen);
		if (place == seen) {
			for (k = 0; k < WORDS; k++)
				check(dp_names_block(t, place)[k] == 0);
			dp_names_block(t, place)[0] = i + 1;
			dp_names_block(t, place)[2] = -(int64_t)i;
			seen++;
		}
		check(dp_names_count(t) == seen);
	}
}

static void
look(const struct dp_names *t)
{
	char text[16];
	struct dp_slice s, want;
	size_t p;
	unsigned i, last = 0;

	for (p = 0; p < dp_names_count(t); p++) {
		i = (unsigned)dp_names_block(t, p)[0] - 1;
		check((p == 0 || i > last) && dp_names_block(t, p)[2] == -(int64_t)i);
		last = i;
		s = dp_names_text(t, p);
		want = name(i, text);
		check(s.n == want.n && memcmp(s.p, want.p, s.n) == 0);
	}
}

/* All of them go but the first n. */
static void
cut(struct dp_names *t, size_t n)
{
	uint32_t *place = calloc(dp_names_count(t), sizeof *place);
	size_t i;

	for (i = 0; i < n; i++)
		place[i] = 1;
	dp_names_keep(t, place);
	free(place);
}

/*
 * Names from the first-th on by rank, then by bytes: all are found where they went, texts stay in
 * the order of places (dp_names_keep), and those before stay.
 */
static void
sorted(size_t first)
{
	struct dp_names *t = table(1);
	uint32_t *rank, *to;
	struct dp_slice s, before = { NULL, 0 };
	char text[16];
	size_t n, p, at;
	unsigned i;
	int d;

	for (i = 0; i < MANY; i++)
		check(dp_names_place(t, name(i * 7919 % MANY, text), &p) == 0);
	n = dp_names_count(t);
	rank = calloc(n, sizeof *rank);
	to = calloc(n, sizeof *to);
	for (p = 0; p < n; p++)
		rank[p] = (uint32_t)(p % 3);
	check(dp_names_sort(t, first, rank, to) == 0 && dp_names_count(t) == n);
	for (i = 0, p = 0; i < MANY; i++) {
		check(dp_names_find(t, name(i * 7919 % MANY, text), &at));
		/* the i-th that was new */
		if (p < n && to[p] == at + 1)
			p++;
	}
	check(p == n);
	for (p = first; p < n; p++) {
		s = dp_names_text(t, p);
		for (at = first; to[at] != p + 1; at++)
			;
		if (p > first && rank[at] == (uint32_t)i) {
			d = memcmp(before.p, s.p, before.n < s.n ? before.n : s.n);
			check(d < 0 || (d == 0 && before.n < s.n));
		}
		check(p == first || rank[at] >= (uint32_t)i);
		i = rank[at];
		before = s;
	}
	for (p = 0; p < first; p++)
		check(to[p] == p + 1);
	cut(t, n / 2);
	check(dp_names_count(t) == n / 2);
	for (p = 0; p < n / 2; p++)
		check(dp_names_find(t, dp_names_text(t, p), &at) && at == p);
	dp_names_free(t);
	free(rank);
	free(to);
}

int
main(void)
{
	struct dp_names *t = table(0), *u = table(9);
	size_t n, p;
	char text[16];
	unsigned i;

	fill(t);
	fill(u);
	look(t);
	look(u);
	n = dp_names_count(t);
	check(n > 9000 && n == dp_names_count(u));
	for (i = 0; i < MANY; i += 7)		/* what was there is found, and changes nothing */
		check(dp_names_place(t, name(i, text), &p) == 0 && dp_names_count(t) == n);
	cut(t, 100);
	check(dp_names_count(t) == 100);
	look(t);
	for (i = 0; i < 50; i++)
		check(dp_names_place(t, name(i, text), &p) == 0 && p < 100);
	check(dp_names_place(t, (struct dp_slice){ "new", 3 }, &p) == 0 && p == 100 &&
	    dp_names_block(t, p)[0] == 0);
	/* what was cut is new again */
	check(dp_names_place(t, name(3000, text), &p) == 0 && p == 101 &&
	    dp_names_block(t, p)[0] == 0);
	dp_names_free(t);
	dp_names_free(u);
	dp_names_free(NULL);
	sorted(0);
	sorted(17);
	sorted(1000);
	check(dp_names_bytes(WORDS) == 41);
	return done();
}
