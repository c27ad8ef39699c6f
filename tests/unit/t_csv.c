/* SPDX-License-Identifier: ISC */
/*
 * t_csv.c - CSV rows: libcsv is the definition, but of quotes that do not end.
 *
 * The oracle gives a whole file to csv_parse() byte by byte, without a limit, and notes
 * where rows start and end.  Where a line ends inside quotes it looks for the next quote that is
 * not doubled, each time anew.  The reader must say the same with and without its fast path, for
 * every block size from 1 to 64 and large ones.
 */
#include <csv.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "input/internal.h"

#define FIELDS	DP_FIELDS_MAX
#define ROWS	4000

struct row {
	uint64_t number;
	size_t beg, end;		/* of the text, in the file */
	unsigned nfields;
	size_t field[FIELDS + 1];	/* field i is [field[i], field[i] + len[i]) of text */
	size_t len[FIELDS + 1];
};

static struct oracle {
	struct row row[ROWS];
	unsigned n;
	unsigned seen;
	char *text;			/* of all fields */
	size_t used, size;
	bool done;
} o;

static bool lines;			/* rows end with their lines */
static uint64_t seed = 1;

static unsigned
below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((seed >> 33) % n);
}

static void
on_field(void *s, size_t n, void *arg)
{
	struct row *r = &o.row[o.n];

	(void)arg;
	if (++o.seen > FIELDS)
		return;
	if (o.used + n > o.size) {
		o.size = 2 * (o.used + n);
		o.text = realloc(o.text, o.size);
	}
	if (n > 0)
		memcpy(o.text + o.used, s, n);
	r->field[o.seen] = o.used;
	r->len[o.seen] = n;
	r->nfields = o.seen;
	o.used += n;
}

static void
on_row(int c, void *arg)
{
	(void)c;
	(void)arg;
	o.done = true;
}

/* What follows byte i of s, a line's end inside quotes, ends them, in a row that begins at beg. */
static bool
closes(const char *s, size_t n, size_t i, size_t beg, char delimiter)
{
	for (i++; i < n && (s[i] != '"' || (i + 1 < n && s[i + 1] == '"')); i++)
		i += s[i] == '"';
	if (i >= n && n - beg > DP_RECORD_MAX)
		return true;			/* too long, if it goes on */
	if (i < n && i + 1 - beg > DP_RECORD_MAX)
		return true;
	if (i >= n)
		return false;
	for (i++; i < n && s[i] != delimiter && (s[i] == ' ' || s[i] == '\t'); i++)
		;
	return i == n || s[i] == delimiter || s[i] == '\n' || s[i] == '\r';
}

/* Fields of s from `open' on without quotes, which ends the row. */
static void
as_text(struct csv_parser *p, const char *s, size_t open, size_t end, char delimiter)
{
	size_t a, b, i;

	csv_fini(p, NULL, NULL, NULL);
	for (i = a = open; i <= end; i++) {
		if (i < end && s[i] != delimiter)
			continue;
		for (b = i; b > a && s[b - 1] != delimiter && (s[b - 1] == ' ' ||
		    s[b - 1] == '\t'); b--)
			;
		for (; a < b && s[a] != delimiter && (s[a] == ' ' || s[a] == '\t'); a++)
			;
		on_field((void *)(uintptr_t)(s + a), b - a, NULL);
		a = i + 1;
	}
	o.done = true;
}

/* Byte i is given to the parser, or the file's end. */
static void
give(struct csv_parser *p, const char *s, size_t n, size_t i, size_t *open, char delimiter)
{
	const struct row *r = &o.row[o.n];
	const unsigned seen = o.seen;
	const bool ends = i == n || s[i] == '\n' || s[i] == '\r';

	if (csv_parse(p, i == n ? "\n" : s + i, 1, on_field, on_row, NULL) != 1)
		exit(1);
	if (o.seen != seen)
		*open = i + 1;
	if (ends && !o.done && p->quoted && (lines || !closes(s, n, i, r->beg, delimiter)))
		as_text(p, s, *open, i, delimiter);
	if (i == n && !o.done && p->quoted)
		csv_fini(p, on_field, on_row, NULL);
}

static void
consult(const char *s, size_t n, int delimiter)
{
	struct csv_parser p;
	uint64_t line = 1;
	size_t i, open = 0;

	o.n = o.seen = 0;
	o.used = 0;
	o.done = false;
	o.row[0] = (struct row){ .number = 1, .beg = 0 };
	csv_init(&p, 0);
	csv_set_delim(&p, (unsigned char)delimiter);
	csv_set_blk_size(&p, 65536);
	for (i = 0; i <= n && o.n < ROWS - 1; i++) {
		for (; i == o.row[o.n].beg && n - i >= 3 && memcmp(s + i, "\xef\xbb\xbf", 3) == 0;
		    i += 3)
			o.row[o.n].beg = open = i + 3;
		give(&p, s, n, i, &open, (char)delimiter);
		if (i < n && s[i] == '\n')
			line++;
		if (o.done) {
			o.row[o.n++].end = i;
			o.done = false;
			o.seen = 0;
		}
		/* State 0: between rows. */
		if (i < n && (s[i] == '\n' || s[i] == '\r') && p.pstate == 0)
			o.row[o.n] = (struct row){ .number = line, .beg = open = i + 1 };
	}
	csv_free(&p);
}

static bool
same_row(const struct dp_record *rec, const struct row *w, const char *s,
    const struct dp_reader_rule *rule)
{
	bool longer = w->end - w->beg > DP_RECORD_MAX;
	unsigned i, want = w->nfields < rule->fields ? w->nfields : rule->fields;

	if (rec->too_long != longer || rec->number != w->number)
		return false;
	if (longer) {
		for (i = 1; i <= rule->fields; i++)
			if (rec->field[i].p != NULL)
				return false;
		return rec->nfields == 0 && rec->text.n == 0;
	}
	if (rec->nfields != want)
		return false;
	for (i = 1; i <= want; i++)
		if (rec->field[i].p == NULL || rec->field[i].n != w->len[i] ||
		    memcmp(rec->field[i].p, o.text + w->field[i], w->len[i]) != 0)
			return false;
	for (; i <= rule->fields; i++)
		if (rec->field[i].p != NULL)
			return false;
	if (!rule->text)
		return rec->text.p == NULL;
	return rec->text.n == w->end - w->beg &&
	    memcmp(rec->text.p, s + w->beg, rec->text.n) == 0;
}

static int
file(const char *s, size_t n)
{
	int fd = memfd_create("t", 0);

	if (fd < 0 || write(fd, s, n) != (ssize_t)n)
		exit(1);
	return fd;
}

/* Every other row without a read, if it is in memory. */
static int
next(struct dp_reader *r, struct dp_record *rec, unsigned i)
{
	int e = i % 2 != 0 ? dp_reader_more(r, rec) : 0;

	return e != 0 ? e : dp_reader_next(r, rec, -1);
}

/* All rows of s as the oracle has them?  Prints where not. */
static bool
agrees(const char *s, size_t n, int fd, const struct dp_reader_rule *rule)
{
	struct dp_reader *r;
	struct dp_record rec;
	unsigned i;
	int e = 0;

	if (dp_reader_new(&r, rule) != 0)
		return false;
	lseek(fd, 0, SEEK_SET);
	dp_reader_attach(r, fd);
	for (i = 0; (e = next(r, &rec, i)) == DP_READ_RECORD; i++)
		if (i == o.n || !same_row(&rec, &o.row[i], s, rule))
			break;
	if (e == DP_READ_END && dp_reader_next(r, &rec, -1) != DP_READ_END)
		e = -1;
	dp_reader_free(r);
	if (e == DP_READ_END && i == o.n)
		return true;
	printf("row %u of %u, block %zu, delimiter %d, fields %u, fast %d, returned %d\n", i, o.n,
	    rule->block, rule->delimiter, rule->fields, !rule->no_fast_csv, e);
	if (n < 1000)
		printf("%.*s\n", (int)n, s);
	return false;
}

static size_t
random_bytes(char *s, size_t max, char delimiter)
{
	static const char *const alphabet[] = {
		"12,\"\n \r\t3a-", "1234,,,\n\n\"", "a,\"\"\"\n", "ab, \n\r"
	};
	const char *a = alphabet[below(4)];
	size_t n = below((unsigned)max), i, k = strlen(a);

	for (i = 0; i < n; i++)
		if ((s[i] = a[below((unsigned)k)]) == ',')
			s[i] = delimiter;
	return n;
}

/* Mostly plain rows, with something odd now and then. */
static size_t
random_rows(char *s, size_t max, char delimiter)
{
	static const char *const value[] = { "1", "22", "-4", "", " 7 ", "a b", "x\"\"y", "\"\"",
	    "long enough to matter", "\t" };
	static const char *const odd[] = { "\"", "\r", " \"q\" ", "\"q\"z", "\"q\" \"", "\"\"\"" };
	static const char *const inside[] = { "", ",", "\n", "\r\n", "\"\"" };
	size_t n = 0;
	unsigned rows = below(30), f;

	for (; rows > 0 && n + 400 < max; rows--) {
		for (f = below(12) == 0; f > 0; f = below(4) == 0)
			n += (size_t)sprintf(s + n, "\xef\xbb\xbf");
		for (f = below(6); ; f--) {
			const char *v = value[below(10)];

			if (below(60) == 0)
				n += (size_t)sprintf(s + n, "%s", odd[below(6)]);
			else if (below(5) < 2 || strchr(v, '"') != NULL)
				n += (size_t)sprintf(s + n, "\"%s%s\"", v, inside[below(5)]);
			else
				n += (size_t)sprintf(s + n, "%s", v);
			if (f == 0)
				break;
			s[n++] = delimiter;
		}
		n += (size_t)sprintf(s + n, "%s", below(8) ? "\n" : below(4) ? "\r\n" :
		    below(4) ? "\n\n" : "\r");
	}
	return n > 0 && below(3) == 0 ? n - 1 : n;
}

static void
random_files(void)
{
	static const char delimiter[] = { ',', '\t', ' ', ';', 'a' };
	static char s[4096];
	struct dp_reader_rule rule = { .csv = true, .lines = lines };
	unsigned i, block, wrong = 0;
	size_t n;
	int fd;

	for (i = 0; i < (lines ? 200 : 500) && wrong < 3; i++) {
		char d = below(2) ? ',' : delimiter[below(5)];

		n = below(2) ? random_bytes(s, 400, d) :
		    random_rows(s, below(8) ? 900 : sizeof s, d);
		consult(s, n, d);
		fd = file(s, n);
		rule.delimiter = d == ',' && below(2) ? -1 : d;
		for (block = 1; block <= 66; block++) {
			rule.block = block == 65 ? 4095 : block == 66 ? 65536 : block;
			rule.fields = below(4) ? below(8) : FIELDS;
			rule.text = below(2);
			rule.no_fast_csv = below(8) == 0;
			wrong += !agrees(s, n, fd, &rule);
		}
		close(fd);
	}
	check(wrong == 0);
}

static void
by_hand(void)
{
	static const char s[] =
	    "id,name\r\n"
	    "\n"
	    "  \t \n"
	    "1, \"a\nb\" ,\" c \"\n"
	    "\"x\"\"y\",\"\"\"\",\"\"\n"
	    "p\rq\r\n"
	    "a \"b\", c d \n"
	    "\"open\n";
	static const char *const want[] = {
		"1:id|name|", "4:1|a\nb| c |", "6:x\"y|\"||", "7:p|", "7:q|",
		"8:a \"b\"|c d|", "9:\"open|"
	};
	struct dp_reader_rule rule = { .csv = true, .delimiter = -1, .fields = 9 };
	struct dp_reader *r;
	struct dp_record rec;
	char got[100];
	unsigned i, f, slow;
	int fd = file(s, sizeof s - 1), n;

	for (slow = 0; slow < 2; slow++) {
		rule.no_fast_csv = slow;
		check(dp_reader_new(&r, &rule) == 0);
		lseek(fd, 0, SEEK_SET);
		dp_reader_attach(r, fd);
		for (i = 0; i < 7; i++) {
			if (dp_reader_next(r, &rec, -1) != DP_READ_RECORD) {
				check(i == 7);	/* a row is missing */
				break;
			}
			n = sprintf(got, "%d:", (int)rec.number);
			for (f = 1; f <= rec.nfields; f++)
				n += sprintf(got + n, "%.*s|", (int)rec.field[f].n, rec.field[f].p);
			if (strcmp(got, want[i]) != 0)
				printf("want %s\ngot  %s\n", want[i], got);
			check(strcmp(got, want[i]) == 0);
		}
		check(dp_reader_next(r, &rec, -1) == DP_READ_END);
		dp_reader_free(r);
	}
	close(fd);
}

/* A quote that is open where its line ends: each row's fields, with its line before them. */
static void
open_quotes(void)
{
	static const struct of { const char *s, *want; } any[] = {
		{ "1,\"a,b\n2,c\n", "1:1|\"a|b|2:2|c|" },		/* none follows */
		{ "1,\"a,b\r\n2,c", "1:1|\"a|b|2:2|c|" },
		{ "1,\"a", "1:1|\"a|" },
		{ "1,\"a\n", "1:1|\"a|" },
		{ "1,\"a\n\"2\",\"c\"\n", "1:1|\"a|2:2|c|" },	/* it opens another field */
		{ "1,\"a\n2,\"c\nd\"\n", "1:1|\"a|2:2|c\nd|" },
		{ "1,\"a\n2,\"\",c\n", "1:1|\"a|2:2||c|" },		/* doubled */
		{ "1,\"a\n2,c\"\n3", "1:1|a\n2,c|3:3|" },		/* it ends one */
		{ "1,\"a\n2,c\" ,d", "1:1|a\n2,c|d|" },
		{ "1,\"a\n2,\",\"\n3", "1:1|a\n2,|\"|3:3|" },
		{ "\"x,y\",\"a,b, c \n2\n", "1:x,y|\"a|b|c|2:2|" },	/* fields before it */
		{ "\"x\ny\",\"a,b\n2\n", "1:x\ny|\"a|b|3:2|" },
		{ "\"x\"\"y\",\"a\"\"b,c\n2\n", "1:x\"y|\"a\"\"b|c|2:2|" },
		{ "\"a\n\"b\n\"c\n", "1:\"a|2:\"b|3:\"c|" },
		{ "1,\"a\n\n\n2", "1:1|\"a|4:2|" } }, of_lines[] = {
		{ "1,\"a,b\n2,c\n", "1:1|\"a|b|2:2|c|" },
		{ "1,\"a,b\"\n2,c\n", "1:1|a,b|2:2|c|" },
		{ "1,\"a", "1:1|\"a|" },
		{ "1,\"a\n2,c\"\n3", "1:1|\"a|2:2|c\"|3:3|" },	/* the next ends none */
		{ "1,\"a\n2,\",\"\n3", "1:1|\"a|2:2|,|3:3|" },
		{ "1,\"a\r\n\"2\",b\r\n", "1:1|\"a|2:2|b|" },
		{ "1,\"a\r\"2\",b\r", "1:1|\"a|1:2|b|" },
		{ "\"x\ny\",\"a,b\n2\n", "1:\"x|2:y\"|\"a|b|3:2|" },
		{ "\"\n\"\n\n\"\"\n", "1:\"|2:\"|4:|" },
		{ "\"x,y\",\"a,b, c \n2\n", "1:x,y|\"a|b|c|2:2|" },
		{ "\"a\"\"\n,\"\"\"\"\n", "1:\"a\"\"|2:|\"|" } };
	const struct of *const t = lines ? of_lines : any;
	const size_t cases = lines ? sizeof of_lines / sizeof *t : sizeof any / sizeof *t;
	struct dp_reader_rule rule = { .csv = true, .lines = lines, .delimiter = -1,
	    .fields = 9 };
	struct dp_reader *r;
	struct dp_record rec;
	unsigned i, f, way;
	char got[200];
	int fd, n;

	for (i = 0; i < 2 * 4 * cases; i++) {
		way = i % 8;
		rule.no_fast_csv = way & 1;
		rule.block = (size_t[]){ 0, 1, 3, 5 }[way / 2];
		check(dp_reader_new(&r, &rule) == 0);
		fd = file(t[i / 8].s, strlen(t[i / 8].s));
		lseek(fd, 0, SEEK_SET);
		dp_reader_attach(r, fd);
		for (n = 0, *got = '\0'; dp_reader_next(r, &rec, -1) == DP_READ_RECORD; )
			for (n += sprintf(got + n, "%d:", (int)rec.number), f = 1;
			    f <= rec.nfields; f++)
				n += sprintf(got + n, "%.*s|", (int)rec.field[f].n, rec.field[f].p);
		if (strcmp(got, t[i / 8].want) != 0)
			printf("want %s\ngot  %s\n", t[i / 8].want, got);
		check(strcmp(got, t[i / 8].want) == 0);
		dp_reader_free(r);
		close(fd);
	}
}

/* before, head, n letters with some of them replaced by every, tail, after */
static void
long_row(const char *head, size_t n, const char *every, const char *tail)
{
	static const size_t block[] = { 65536, 4095, 300000 };
	static char s[DP_RECORD_MAX * 2 + 65536];
	struct dp_reader_rule rule = { .csv = true, .lines = lines, .delimiter = -1,
	    .fields = 3 };
	size_t k, i, m = strlen(every);
	unsigned b;
	int fd;

	k = (size_t)sprintf(s, "a,\"b\"\n%s", head);
	memset(s + k, 'x', n);
	if (m > 0)
		for (i = 0; i + m <= n; i += 997)
			memcpy(s + k + i, every, m);
	k += n;
	k += (size_t)sprintf(s + k, "%s\nc,\"d\"\ne\n", tail);
	consult(s, k, ',');
	fd = file(s, k);
	for (b = 0; b < 6; b++) {
		rule.block = block[b % 3];
		rule.no_fast_csv = b >= 3;
		rule.text = b & 1;
		check(agrees(s, k, fd, &rule));
	}
	close(fd);
}

/*
 * Rows around the limit; and fields that fill libcsv's buffer (4096 bytes more) when it does not
 * yet know whether a quote was the closing one: forgetting the bytes must not change where the row
 * ends.
 */
static void
limits(void)
{
	static const char *const tail[] = { "\",2", "\" ,2", "\"  \"\",\"", "\"\",\n2\"",
	    "\"\" \"z", "\"y\",2" };
	size_t full = DP_RECORD_MAX + 4096, i;
	int d;

	for (d = -1; d <= 1; d++) {
		long_row("", DP_RECORD_MAX + (size_t)d, "", "");
		long_row("\"", DP_RECORD_MAX - 2 + (size_t)d, "\n\"\",", "\"");
		long_row("", DP_RECORD_MAX - 1 + (size_t)d, ",", ",");
		long_row(" ", DP_RECORD_MAX - 2 + (size_t)d, "  ", "\r");
	}
	for (i = 0; i < sizeof tail / sizeof *tail; i++)
		for (d = -4; d <= 1; d++)
			long_row("\"", full + (size_t)d, "", tail[i]);
	long_row("", full + 70000, " ", " ");
	long_row("\"", full + 70000, "\n", "");	/* never closed: the rest of the file */
}

/* Rows on a pipe: at once when complete, in whatever pieces they come. */
static void
live(void)
{
	static const char s[] = "1,\"a\n\"\"b\"\r\n2,c\nd \"e\",\"\n\" \n";
	struct dp_reader_rule rule = { .csv = true, .delimiter = -1, .fields = 2 };
	struct dp_reader *r;
	struct dp_record rec;
	unsigned slow, rows;
	size_t i;
	int fd[2];

	for (slow = 0; slow < 2; slow++) {
		rule.no_fast_csv = slow;
		check(dp_reader_new(&r, &rule) == 0 && pipe(fd) == 0);
		dp_reader_attach(r, fd[0]);
		for (i = rows = 0; i < sizeof s - 1; i++) {
			check(dp_reader_next(r, &rec, 0) == DP_READ_TIMEOUT);
			check(write(fd[1], s + i, 1) == 1);
			if (i != 9 && i != 14 && i != sizeof s - 2)	/* \r ends a row */
				continue;
			check(dp_reader_next(r, &rec, 0) == DP_READ_RECORD && rec.nfields == 2);
			rows++;
			check(rec.number == (rows == 1 ? 1 : rows + 1));
		}
		check(rows == 3);
		/* Given up in the middle of a row for the next file. */
		check(write(fd[1], "\"z", 2) == 2);
		check(dp_reader_next(r, &rec, 0) == DP_READ_TIMEOUT);
		close(fd[0]);
		close(fd[1]);
		check(pipe(fd) == 0 && write(fd[1], "u,v", 3) == 3);
		close(fd[1]);
		dp_reader_attach(r, fd[0]);
		check(dp_reader_next(r, &rec, 0) == DP_READ_RECORD && rec.nfields == 2 &&
		    rec.number == 1 && rec.field[1].n == 1 && *rec.field[1].p == 'u');
		check(dp_reader_next(r, &rec, 0) == DP_READ_END);
		close(fd[0]);
		dp_reader_free(r);
	}
}

/* Pieces without an end: who has a timeout gets the control back; a reader of lines has no more. */
static void
pieces(void)
{
	struct dp_reader_rule rule = { .delimiter = ',', .csv = true, .fields = 1, .block = 100 };
	static char text[20000];
	struct dp_reader *r;
	struct dp_record rec;
	int fd[2];

	if (pipe(fd) != 0 || dp_reader_new(&r, &rule) != 0)
		exit(1);
	dp_reader_attach(r, fd[0]);
	memset(text, 'y', sizeof text);
	check(write(fd[1], text, sizeof text) == (ssize_t)sizeof text);
	check(dp_reader_next(r, &rec, 1) == DP_READ_TIMEOUT);
	check(write(fd[1], "\nz,\n", 4) == 4);
	close(fd[1]);
	check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && rec.field[1].n == sizeof text);
	check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && rec.field[1].n == 1);
	check(dp_reader_next(r, &rec, -1) == DP_READ_END);
	dp_reader_free(r);
	close(fd[0]);
	rule.csv = false;
	if (dp_reader_new(&r, &rule) != 0)
		exit(1);
	check(dp_reader_more(r, &rec) == 0);
	dp_reader_free(r);
}

int
main(void)
{
	by_hand();
	open_quotes();
	random_files();
	limits();
	lines = true;
	random_files();
	open_quotes();
	limits();
	live();
	free(o.text);
	pieces();
	return done();
}
