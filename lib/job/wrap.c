/* SPDX-License-Identifier: ISC */
/*
 * wrap.c - --help and --explain on a terminal: lines that are wider go on below, under their text.
 *
 * They are printed by many hands, so standard output is a file until it is closed.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/num.h"
#include "base/os.h"
#include "internal.h"

#define NARROW	20

static int terminal = -1;	/* standard output, while that is a file */
static size_t width;

void
dp_wrap_begin(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize w;
	uint64_t n;
	int fd;

	if (terminal >= 0 || !isatty(STDOUT_FILENO))
		return;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0)
		width = w.ws_col;
	else
		width = columns != NULL && dp_u64_parse(&n, columns, 1, 1000) == 0 ? n :
		    DP_HELP_SCREEN;
	width = width < NARROW ? NARROW : width;
	if (fflush(stdout) != 0 || (fd = dp_os_file()) < 0)
		return;
	terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (terminal >= 0 && dup2(fd, STDOUT_FILENO) < 0) {
		close(terminal);
		terminal = -1;
	}
	close(fd);
}

/* Characters, of UTF-8 */
static size_t
columns_of(const char *p, size_t n)
{
	size_t i, k = 0;

	for (i = 0; i < n; i++)
		k += ((unsigned char)p[i] & 0xc0) != 0x80;
	return k;
}

/* The next run of two blanks or more from `at' on that no sentence ends before; n: none. */
static size_t
gap(const char *p, size_t at, size_t n)
{
	for (; at + 1 < n; at++)
		if (p[at] == ' ' && p[at + 1] == ' ' && at > 0 && strchr(". ", p[at - 1]) == NULL)
			return at;
	return n;
}

static size_t
blanks(const char *p, size_t at, size_t n)
{
	while (at < n && p[at] == ' ')
		at++;
	return at;
}

/* Prints words from column `at' on; what does not fit goes on at column `left'. */
static void
words(const char *p, size_t n, size_t at, size_t left)
{
	const char *end = p + n;
	size_t before, k;
	bool begun = false;

	for (; p < end; p += k, begun = true) {
		before = blanks(p, 0, (size_t)(end - p));
		p += before;
		for (k = 0; p + k < end && p[k] != ' '; k++)
			;
		if (begun && at + before + columns_of(p, k) > width) {
			putchar('\n');
			at = 0;
			before = left;
		}
		at += before + columns_of(p, k);
		printf("%*s%.*s", (int)before, "", (int)k, p);
	}
	putchar('\n');
}

/* A row of a table: columns two blanks apart. */
static size_t
squeeze(char *to, const char *p, size_t n)
{
	size_t i, k = 0;

	for (i = 0; i < n; i++)
		if (i < 2 || p[i] != ' ' || p[i - 1] != ' ' || p[i - 2] != ' ')
			to[k++] = p[i];
	return k;
}

static void
line(const char *p, size_t n, char *room)
{
	const size_t begin = blanks(p, 0, n), first = gap(p, begin, n);
	const size_t text = blanks(p, first, n);

	/* a command's own line ends are what it needs */
	if (columns_of(p, n) <= width || (first == n && (begin == 2 || begin == 6))) {
		fwrite(p, 1, n, stdout);
		putchar('\n');
	} else if (gap(p, text, n) < n) {
		n = squeeze(room, p, n);
		words(room, n, 0, begin + 4);
	} else if (first == n || text <= width / 2) {
		fwrite(p, 1, text == n ? begin : text, stdout);
		text == n ? words(p + begin, n - begin, begin, begin) :
		    words(p + text, n - text, text, text);
	} else {
		fwrite(p, 1, first, stdout);
		printf("\n%*s", (int)begin + 4, "");
		words(p + text, n - text, begin + 4, begin + 4);
	}
}

int
dp_wrap_end(void)
{
	char *p, *room, *at, *end;
	ssize_t n;
	off_t size;
	int ok;

	if (terminal < 0)
		return 0;
	ok = fflush(stdout) == 0 && (size = lseek(STDOUT_FILENO, 0, SEEK_END)) >= 0;
	p = ok ? malloc((size_t)size + 1) : NULL;
	room = ok ? malloc((size_t)size + 1) : NULL;
	n = p != NULL ? pread(STDOUT_FILENO, p, (size_t)size, 0) : -1;
	if (dup2(terminal, STDOUT_FILENO) < 0)
		n = -1;
	close(terminal);
	terminal = -1;
	for (at = p; room != NULL && n > 0 && at < p + n; at = end + 1) {
		end = memchr(at, '\n', (size_t)(p + n - at));
		end = end == NULL ? p + n : end;
		line(at, (size_t)(end - at), room);
	}
	free(p);
	free(room);
	return n < 0 || room == NULL ? -1 : 0;
}
