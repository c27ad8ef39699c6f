/*
 * filepart.c - where the parts of a file begin.
 *
 * A part ends where the next one begins, which one function of the file and of S I / N says: the
 * parts have nothing in common and leave nothing out.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filepart.h"

#define BLOCK	((size_t)1 << 16)

/* Bytes of [at, end), at most a block; 0: there are none (more). */
static ssize_t
block(int fd, char buf[static BLOCK], uint64_t at, uint64_t end)
{
	const size_t n = end - at < BLOCK ? (size_t)(end - at) : BLOCK;
	ssize_t k;

	do
		k = pread(fd, buf, n, (off_t)at);
	while (k < 0 && errno == EINTR);
	return k;
}

/* The first line that begins at `at` or behind it; size: none does. */
static int
next_line(uint64_t *begin, int fd, uint64_t at, uint64_t size)
{
	char buf[BLOCK];
	const char *nl;
	ssize_t k;

	*begin = at;
	if (at == 0)
		return 0;
	for (at--; (k = block(fd, buf, at, size)) > 0; at += (uint64_t)k)
		if ((nl = memchr(buf, '\n', (size_t)k)) != NULL) {
			*begin = at + (uint64_t)(nl + 1 - buf);
			return 0;
		}
	*begin = size;
	return k < 0 ? DP_EIO : 0;
}

int
dp_filepart_find(struct dp_filepart *p, int fd, uint64_t i, uint64_t n)
{
	struct stat st;
	uint64_t size;
	int e;

	if (fstat(fd, &st) != 0)
		return DP_EIO;
	size = (uint64_t)st.st_size;
	e = next_line(&p->begin, fd, (uint64_t)((dp_wide)size * (i - 1) / n), size);
	return e != 0 ? e : next_line(&p->end, fd, (uint64_t)((dp_wide)size * i / n), size);
}

int
dp_filepart_lines(uint64_t *lines, int fd, uint64_t end)
{
	uint64_t at, n = 0;
	char buf[BLOCK];
	ssize_t k, i;

	for (at = 0; (k = block(fd, buf, at, end)) > 0; at += (uint64_t)k)
		for (i = 0; i < k; i++)
			n += buf[i] == '\n';
	*lines = n;
	return k < 0 ? DP_EIO : 0;
}
