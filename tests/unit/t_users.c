/* SPDX-License-Identifier: ISC */
/* t_users.c - caps per user against a plain array; order, saving and loading, bytes a user. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "input/users.h"

#define USERS	100000
#define CAP	3

static const uint8_t key[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
static uint64_t seed = 1;

static unsigned
below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((seed >> 33) % n);
}

static int
admit_name(struct dp_users *u, struct dp_slice name)
{
	struct dp_mark m;

	dp_users_mark(u, name, &m);
	return dp_users_admit(u, &m);
}

static int
admit(struct dp_users *u, unsigned id)
{
	char name[32];
	int n = sprintf(name, "user-%u@example.org", id);

	return admit_name(u, (struct dp_slice){ name, (size_t)n });
}

static struct dp_users *
table(uint64_t cap)
{
	struct dp_users *u;

	if (dp_users_new(&u, key, cap) != 0)
		exit(1);
	return u;
}

/* In ascending order, n entries, and this many events in all. */
static bool
walks(const struct dp_users *u, size_t n, uint64_t events)
{
	uint64_t hi, last_hi = 0, sum = 0;
	uint32_t lo, c, last_lo = 0;
	size_t i = 0, k = 0;

	while (dp_users_each(u, &i, &hi, &lo, &c)) {
		if (k > 0 && (hi < last_hi || (hi == last_hi && lo <= last_lo)))
			return false;
		last_hi = hi;
		last_lo = lo;
		sum += c;
		k++;
	}
	return k == n && sum == events && dp_users_count(u) == n;
}

static void
model(void)
{
	static uint8_t count[USERS];
	struct dp_users *u = table(CAP), *v = table(CAP);
	uint64_t hi, events = 0;
	uint32_t lo, c;
	size_t n = 0, i = 0;
	unsigned k, id, wrong = 0, want;

	for (k = 0; k < 4 * USERS; k++) {
		id = below(USERS);
		want = count[id] < CAP;
		n += count[id] == 0;
		count[id] = (uint8_t)(count[id] + want);
		events += want;
		wrong += admit(u, id) != (int)want;
		if (k % 50000 == 0)
			wrong += !walks(u, n, events);
	}
	check(wrong == 0);
	check(walks(u, n, events));
	check(n > 95000);
	/* Save, load, go on. */
	while (dp_users_each(u, &i, &hi, &lo, &c))
		wrong += dp_users_put(v, hi, lo, c) != 0;
	check(wrong == 0 && walks(v, n, events));
	for (id = 0; id < USERS; id++) {
		want = count[id] < CAP;
		wrong += admit(v, id) != (int)want || admit(u, id) != (int)want;
	}
	check(wrong == 0);
	dp_users_free(u);
	dp_users_free(v);
}

/* Each user's last step that counts and the number of them, kept by hand; steps in any order. */
static void
spaced(unsigned times, unsigned spacing, unsigned steps)
{
	enum { N = 60 };
	struct dp_users *u = table((uint64_t)times * steps), *v;
	unsigned last[N] = { 0 }, n[N] = { 0 }, k, id, at, want, wrong = 0;
	uint64_t hi;
	uint32_t lo, c;
	size_t i = 0;
	struct dp_mark m;
	char name[2] = "?";

	for (k = 0; k < 20000; k++) {
		id = below(N);
		/* they drift on, and some are early */
		at = 1 + (k * (steps - 1) / 20000 + below(steps / 8 + 1)) % steps;
		name[0] = (char)(' ' + id);
		dp_users_mark(u, (struct dp_slice){ name, 1 }, &m);
		want = n[id] != 0 && at < last[id] + spacing ? 2 : n[id] < times;
		wrong += dp_users_admit_spaced(u, &m, times, spacing, at) != (int)want;
		if (want == 1) {
			last[id] = at;
			n[id]++;
		}
		if (k != 10000)
			continue;
		v = table((uint64_t)times * steps);	/* saved, and loaded */
		while (dp_users_each(u, &i, &hi, &lo, &c))
			check(dp_users_put(v, hi, lo, c) == 0);
		dp_users_free(u);
		u = v;
	}
	check(wrong == 0);
	dp_users_mark(u, (struct dp_slice){ "a", 1 }, &m);
	check(dp_users_admit_spaced(u, &m, times, spacing, (uint64_t)steps + 1) == DP_EINVAL);
	check(dp_users_admit_spaced(u, &m, times, spacing, 0) == DP_EINVAL);
	dp_users_free(u);
}

/* A second table is told of each change, in no order, and of some twice. */
static void
hear(void *arg, uint64_t hi, uint32_t lo, uint32_t n)
{
	check(dp_users_set(arg, hi, lo, n) == 0);
}

static void
followed(void)
{
	struct dp_users *u = table(CAP), *v = table(CAP), *w = table(CAP);
	uint64_t hi[2], events = 0;
	uint32_t lo[2], n[2], before;
	const struct dp_slice x = { "x", 1 };
	size_t i = 0, j = 0, all = 0;
	unsigned k;
	bool more = true, same = true;

	for (k = 0; k < 1000; k++)
		events += admit(u, below(5000)) == 1;
	/* what is there already, in order, and what comes */
	while (dp_users_each(u, &i, &hi[0], &lo[0], &n[0]))
		check(dp_users_set(v, hi[0], lo[0], n[0]) == 0);
	dp_users_follow(u, hear, v);
	for (k = 0; k < 20000; k++)
		events += admit(u, below(5000)) == 1;
	all = dp_users_count(u);
	check(all > 4900 && walks(u, all, events) && walks(v, all, events));
	for (i = 0; more && same; ) {
		more = dp_users_each(u, &i, &hi[0], &lo[0], &n[0]);
		same = dp_users_each(v, &j, &hi[1], &lo[1], &n[1]) == more && (!more ||
		    (hi[0] == hi[1] && lo[0] == lo[1] && n[0] == n[1]));
	}
	check(same);
	/* stamps too */
	dp_users_follow(w, hear, v);
	check(dp_users_set_stamp(w, x, 2, false, &before) == 0 && before == 0);
	check(dp_users_set_stamp(w, x, 3, false, &before) == 0 && before == 2);
	check(walks(v, all + 1, events + 3));
	/* the least of them */
	check(dp_users_set_stamp(w, x, 3, true, &before) == 0 && before == 3);
	check(dp_users_set_stamp(w, x, 2, true, &before) == 0 && before == 3);
	check(dp_users_set_stamp(w, x, 3, true, &before) == 0 && before == 2);
	check(walks(v, all + 1, events + 2));
	check(dp_users_set(v, 1, 1, 0) == DP_EINVAL && dp_users_set(v, 1, 1, CAP + 1) == DP_EINVAL);
	dp_users_free(u);
	dp_users_free(v);
	dp_users_free(w);
}

static void
edges(void)
{
	struct dp_users *u = NULL;
	uint64_t hi;
	uint32_t lo, n;
	size_t i = 0;
	int k;

	check(dp_users_new(&u, key, 0) == DP_EINVAL && u == NULL);
	check(dp_users_new(&u, key, (uint64_t)1 << 32) == DP_EINVAL && u == NULL);
	dp_users_free(NULL);
	/* SipHash-2-4-128 of nothing, from its authors' test vectors. */
	u = table(1);
	check(!dp_users_each(u, &i, &hi, &lo, &n));
	check(admit_name(u, (struct dp_slice){ NULL, 0 }) == 1);
	check(admit_name(u, (struct dp_slice){ "", 0 }) == 0);
	i = 0;
	check(dp_users_each(u, &i, &hi, &lo, &n) && n == 1);
	check(hi == 0xe6a825ba047f81a3 && lo == 0x1472f66d);
	dp_users_free(u);
	/* The largest cap. */
	u = table(UINT32_MAX);
	check(dp_users_put(u, hi, lo, UINT32_MAX - 1) == 0);
	check(admit_name(u, (struct dp_slice){ "", 0 }) == 1);
	check(admit_name(u, (struct dp_slice){ "", 0 }) == 0);
	dp_users_free(u);
	/* Loading refuses what saving cannot have written. */
	u = table(5);
	check(dp_users_put(u, 7, 7, 0) == DP_EINVAL && dp_users_put(u, 7, 7, 6) == DP_EINVAL);
	check(dp_users_put(u, 7, 7, 5) == 0);
	check(dp_users_put(u, 7, 7, 5) == DP_EINVAL && dp_users_put(u, 7, 6, 1) == DP_EINVAL);
	check(dp_users_put(u, 6, 9, 1) == DP_EINVAL);
	check(dp_users_put(u, 7, 8, 1) == 0 && dp_users_put(u, 8, 0, 1) == 0);
	check(walks(u, 3, 7));
	dp_users_free(u);
	u = table(1);
	check(dp_users_put(u, 0, 0, 1) == 0 && dp_users_put(u, 0, 0, 1) == DP_EINVAL);
	check(dp_users_put(u, UINT64_MAX, UINT32_MAX, 1) == 0 && walks(u, 2, 2));
	dp_users_free(u);
	/* Loading comes first. */
	u = table(1);
	check(admit(u, 1) == 1 && dp_users_put(u, UINT64_MAX, 0, 1) == DP_EINVAL);
	dp_users_free(u);
	/* Entries that no hash gives: all in one place, at either end.  Refused, not endless. */
	u = table(1);
	for (k = 0; k < 1000 && dp_users_put(u, UINT64_MAX, (uint32_t)k, 1) == 0; k++)
		;
	check(k >= 255 && k < 1000 && walks(u, (size_t)k, (uint64_t)k));
	/* Users whose place is there too: it grows early, or refuses, and what is there stays. */
	for (n = 0; n < 20000 && admit(u, n) == 1; n++)
		;
	check(n > 1000 && walks(u, n + (size_t)k, n + (uint64_t)k));
	dp_users_free(u);
	u = table(1);
	for (k = 0; k < 1000 && dp_users_put(u, 0, (uint32_t)k, 1) == 0; k++)
		;
	check(k == 1000 && walks(u, 1000, 1000));
	dp_users_free(u);
}

/* The most and the least bytes a user, from 4096 users on. */
static void
memory(void)
{
	double least = 1e9, most = 0, b;
	struct mallinfo2 m = mallinfo2();
	size_t before = m.uordblks + m.hblkhd, n;
	struct dp_users *u;
	unsigned id;

	if (before == 0)
		return;			/* a sanitizer's malloc */
	u = table(1);
	for (id = 0; id < 4 * USERS; id++) {
		if (admit(u, id) != 1)
			exit(1);
		if (id < 4096 || id % 97 != 0)
			continue;
		m = mallinfo2();
		n = m.uordblks + m.hblkhd - before;
		b = (double)n / (id + 1);
		least = b < least ? b : least;
		most = b > most ? b : most;
	}
	dp_users_free(u);
	printf("%.1f to %.1f bytes a user\n", least, most);
	check(least >= 16.8 && most < 24);
}

int
main(void)
{
	edges();
	model();
	spaced(1, 1, 1);
	spaced(3, 10, 365);
	spaced(400, 1, 365);
	spaced(5, 100, 365);
	spaced(4294, 3, 1000000);
	followed();
	memory();
	return done();
}
