/* SPDX-License-Identifier: ISC */
/* reader.h - a reader to test, and files to read. */
#ifndef TEST_READER_H
#define TEST_READER_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "input/record.h"

static const struct dp_reader_rule blanks = { .delimiter = -1 };

/* A file that holds s, to be read from its begin. */
static inline int
file(const char *s, size_t n)
{
	int fd = memfd_create("t", 0);

	if (fd < 0 || write(fd, s, n) != (ssize_t)n || lseek(fd, 0, SEEK_SET) != 0)
		exit(1);
	return fd;
}

static inline struct dp_reader *
reader(struct dp_reader_rule rule)
{
	struct dp_reader *r;

	if (dp_reader_new(&r, &rule) != 0)
		exit(1);
	return r;
}

static inline bool
same(struct dp_slice s, const char *want)
{
	return s.p != NULL && s.n == strlen(want) && memcmp(s.p, want, s.n) == 0;
}

#endif
