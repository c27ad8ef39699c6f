/* SPDX-License-Identifier: ISC */
/* t_hashes.c - counts of hashes against a sorted array; crowds; and keys of files. */
#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>

#include "base/os.h"
#include "check.h"
#include "input/hashes.h"
#include "job/options.h"
#include "store/budget.h"

static uint64_t seed = 7;

static uint64_t
next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static int
by_bytes(const void *a, const void *b)
{
	return memcmp(a, b, 16);
}

/* n events of hashes of this form: the walk has each once, in order, with its number. */
static void
counted(size_t n, uint64_t mask_hi, uint64_t mask_lo, uint64_t set_hi)
{
	uint64_t (*x)[2] = calloc(n, sizeof *x), word[2], events;
	struct dp_hashes t = { NULL, 0, 0 };
	size_t i, at = 0, k = 0, m, cells;
	bool good = true;

	for (i = 0; i < n; i++) {
		x[i][0] = htobe64((next() & mask_hi) | set_hi);
		x[i][1] = htobe64(next() & mask_lo);
		dp_hashes_fetch(&t, x[i]);
		good &= dp_hashes_add(&t, x[i]) == 0;
	}
	cells = t.homes;
	qsort(x, n, sizeof *x, by_bytes);
	while (dp_hashes_each(&t, &at, word, &events)) {
		for (m = 0; k + m < n && memcmp(x[k + m], word, 16) == 0; m++)
			;
		good &= m > 0 && m == events;
		k += m > 0 ? m : 1;
	}
	check(good && k == n);
	check(mask_hi != UINT64_MAX || n < 2000 || cells * 24 <= 64 * t.n);
	dp_hashes_free(&t);
	check(t.cell == NULL && !dp_hashes_each(&t, &(size_t){ 0 }, word, &events));
	free(x);
}

static void
tables(void)
{
	size_t n;

	for (n = 0; n < 300; n++)
		counted(n, UINT64_MAX, UINT64_MAX, 0);
	counted(200000, UINT64_MAX, UINT64_MAX, 0);
	counted(50000, (uint64_t)0xff << 56, 0xff, 0);		/* few, often */
	counted(300, 0, UINT64_MAX, 0);				/* a crowd at the beginning */
	counted(200, 1, UINT64_MAX, UINT64_MAX - 1);		/* and at the end */
}

static int
read_file(const char *text, size_t n, mode_t mode, struct dp_hash_key *k)
{
	char why[DP_STATE_WHY] = "";
	const int fd = open("key.t_hashes", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	int e;

	check(fd >= 0 && write(fd, text, n) == (ssize_t)n && fchmod(fd, mode) == 0);
	close(fd);
	e = dp_hash_key_read(k, "key.t_hashes", why);
	check((e == 0) == (*why == '\0'));
	unlink("key.t_hashes");
	return e;
}

/* Two keys have nothing in common; the print is no part of the key. */
static void
keys(void)
{
	static char text[5000];
	struct dp_hash_key a, b;
	char hex[33];

	memset(text, 'x', sizeof text);
	check(read_file(text, 15, 0600, &a) == DP_EINVAL);
	check(read_file(text, 4097, 0600, &a) == DP_EINVAL);
	check(read_file(text, 32, 0640, &a) == DP_ESTATE);
	check(read_file(text, 32, 0604, &a) == DP_ESTATE);
	check(read_file(text, 16, 0600, &a) == 0 && read_file(text, 4096, 0400, &b) == 0);
	check(memcmp(a.key, b.key, 16) != 0 && strcmp(a.print, b.print) != 0);
	check(strlen(a.print) == 32);
	sodium_bin2hex(hex, sizeof hex, a.key, 16);
	check(strcmp(hex, a.print) != 0);
	check(read_file(text, 16, 0600, &b) == 0 && memcmp(&a, &b, sizeof a) == 0);
	memset(text + 3, '\0', 1);
	check(read_file(text, 16, 0600, &b) == 0 && strcmp(a.print, b.print) != 0);
}

int
main(void)
{
	if (sodium_init() < 0)
		return 1;
	PART(tables());
	PART(keys());
	return done();
}
