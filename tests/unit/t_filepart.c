/* SPDX-License-Identifier: ISC */
/*
 * t_filepart.c - the parts of a file, one after the other, are its lines: the reader's, with their
 * numbers, of files of every awkward kind.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "input/record.h"
#include "job/options.h"

#define ROOM	((size_t)1 << 20)

struct seen {
	char *text;			/* lines, each with its number and its end */
	size_t n;
};

static struct dp_reader *reader;
static char whole_text[2 * ROOM], parts_text[2 * ROOM];

static int
temporary(const char *p, size_t n)
{
	char name[] = "/tmp/t_filepart.XXXXXX";
	const int fd = mkstemp(name);

	if (fd < 0 || unlink(name) != 0 || write(fd, p, n) != (ssize_t)n)
		exit(1);
	return fd;
}

/* All that the reader gives from here on */
static void
take(struct seen *s)
{
	static struct dp_record rec;
	int rc;

	while ((rc = dp_reader_next(reader, &rec, -1)) == DP_READ_RECORD) {
		s->n += (size_t)sprintf(s->text + s->n, "%u ", (unsigned)rec.number);
		if (rec.text.n > 0)
			memcpy(s->text + s->n, rec.text.p, rec.text.n);
		s->n += rec.text.n;
		s->text[s->n++] = '\n';
	}
	check(rc == DP_READ_END);
}

/* n parts are the whole; each begins where the last one ended. */
static void
parts(const char *p, size_t size, uint64_t n)
{
	const int fd = temporary(p, size);
	struct seen all = { whole_text, 0 }, some = { parts_text, 0 };
	struct dp_filepart part;
	uint64_t i, line, end = 0;

	check(lseek(fd, 0, SEEK_SET) == 0);
	dp_reader_attach(reader, fd);
	take(&all);
	for (i = 1; i <= n; i++) {
		check(dp_filepart_find(&part, fd, i, n) == 0 && part.begin == end &&
		    part.end >= part.begin);
		end = part.end;
		check(part.begin == 0 || part.begin == size || p[part.begin - 1] == '\n');
		/* no line is moved to a part in which it does not begin */
		check(part.begin == part.end || (part.begin >= size * (i - 1) / n &&
		    part.begin < size * i / n));
		check(dp_filepart_lines(&line, fd, part.begin) == 0);
		dp_reader_attach(reader, fd);
		check(dp_reader_part(reader, &part, line) == 0);
		take(&some);
	}
	check(end == size);
	check(all.n == some.n && memcmp(all.text, some.text, all.n) == 0);
	close(fd);
}

#define PARTS(text, n)	parts(text, sizeof text - 1, n)

static void
awkward(void)
{
	uint64_t n;

	for (n = 1; n <= 7; n++) {
		PARTS("", n);
		PARTS("\n", n);
		PARTS("a", n);
		PARTS("\n\n\n\n\n\n\n\n\n", n);
		PARTS("one line that is long\n", n);
		PARTS("one line without its end", n);
		PARTS("a\nb\nc\nd\ne", n);
		PARTS("a\r\nbb\r\n\r\nccc\r\n", n);
		PARTS("short\nthen a line that is longer than all of the others\nx\ny\n", n);
		PARTS("\n\n\nand then a line that is longer than all of the others", n);
		PARTS("a\0b\0\n\0\nc", n);
		PARTS("\xef\xbb\xbf" "a\n\xef\xbb\xbf" "b\n\xef\xbb\xbf" "c\n", n);
	}
	PARTS("a\nb\n", 100);
	PARTS("a\nb", DP_FILEPARTS_MAX / 1000);
}

/* Lines of any length, in all numbers of parts; longer than a block of the search */
static void
drawn(void)
{
	static char text[ROOM];
	uint64_t seed = 7, n;
	size_t size, i;
	unsigned k;

	for (k = 0; k < 300; k++) {
		seed = seed * 6364136223846793005 + 1442695040888963407;
		size = (seed >> 33) % 60;
		for (i = 0; i < size; i++) {
			seed = seed * 6364136223846793005 + 1442695040888963407;
			text[i] = "\n\nabc\r"[(seed >> 33) % (k % 2 == 0 ? 6 : 3)];
		}
		for (n = 1; n <= 9; n++)
			parts(text, size, n);
	}
	memset(text, 'x', 400000);
	for (i = 0; i < 400000; i += 65536)
		text[i + (i / 65536) % 3] = '\n';
	for (n = 1; n <= 30; n++)
		parts(text, 400000, n);
}

int
main(void)
{
	const struct dp_reader_rule rule = { .delimiter = -1 };

	check(dp_reader_new(&reader, &rule) == 0);
	awkward();
	drawn();
	dp_reader_free(reader);
	return done();
}
