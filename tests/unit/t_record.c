/* SPDX-License-Identifier: ISC */
/* t_record.c - lines: cutting and limits. */
#include "input/internal.h"
#include "reader.h"

/* Reads all of s; want: the records, "|" between them. */
static bool
reads(const char *s, size_t n, const char *want, struct dp_reader_rule rule)
{
	static const size_t block[] = { 0, 1, 2, 3, 4, 5, 7, 64 };
	struct dp_reader *r;
	struct dp_record rec;
	char got[400];
	size_t i, k;
	int fd, e, wrong = 0;

	for (i = 0; i < sizeof block / sizeof *block; i++) {
		rule.block = block[i];
		r = reader(rule);
		fd = file(s, n);
		dp_reader_attach(r, fd);
		for (k = 0; (e = dp_reader_next(r, &rec, -1)) == DP_READ_RECORD; ) {
			memcpy(got + k, rec.text.p, rec.text.n);
			k += rec.text.n;
			got[k++] = '|';
		}
		wrong += e != DP_READ_END || k != strlen(want) || memcmp(got, want, k) != 0;
		wrong += dp_reader_next(r, &rec, -1) != DP_READ_END;
		dp_reader_free(r);
		close(fd);
	}
	return wrong == 0;
}

#define READS(s, want)	check(reads(s, sizeof (s) - 1, want, blanks)); \
	check(reads(s, sizeof (s) - 1, want, \
	    (struct dp_reader_rule){ .delimiter = -1, .frugal = true }))

static void
lines(void)
{
	READS("", "");
	READS("\n", "|");
	READS("a", "a|");
	READS("a\n", "a|");
	READS("a\nb", "a|b|");
	READS("a\n\nb\n\n", "a||b||");
	READS("a\r\nb\r\n", "a|b|");
	READS("a\r\r\n\rb\n", "a\r|\rb|");
	READS("a\r", "a|");
	READS("\r\n", "|");
	READS("\xef\xbb\xbf" "a\n", "a|");
	READS("\xef\xbb\xbf", "|");
	READS("\xef\xbb\xbf\n", "|");
	READS("\xef\xbb\n", "\xef\xbb|");
	READS("\xef\xbb", "\xef\xbb|");
	READS("\xef" "a\xbb\xbf\n", "\xef" "a\xbb\xbf|");
	READS("\xef\xbb\xbf\xef\xbb\xbf\n", "|");
	READS("a\n\xef\xbb\xbf" "b\n\xef\xbb\xbf\xef\xbb\n\xef\xbb\xbf", "a|b|\xef\xbb||");
	READS("a\xef\xbb\xbf\n \xef\xbb\xbf" "b", "a\xef\xbb\xbf| \xef\xbb\xbf" "b|");
}

static void
nul(void)
{
	struct dp_reader *r = reader(blanks);
	struct dp_record rec;
	int fd = file("a\0b\n\0\nc", 7);

	dp_reader_attach(r, fd);
	check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD);
	check(rec.text.n == 3 && memcmp(rec.text.p, "a\0b", 3) == 0 && rec.number == 1);
	check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD);
	check(rec.text.n == 1 && rec.text.p[0] == '\0' && rec.number == 2);
	check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && same(rec.text, "c"));
	/* The next file: numbers restart, the rest of the old one is gone. */
	close(fd);
	fd = file("\xef\xbb\xbfx\ny\n", 7);
	dp_reader_attach(r, fd);
	check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && same(rec.text, "x") &&
	    rec.number == 1);
	check(lseek(fd, 0, SEEK_SET) == 0);
	dp_reader_attach(r, fd);
	check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && same(rec.text, "x") &&
	    rec.number == 1);
	close(fd);
	dp_reader_free(r);
}

/* One line, cut: want has "|" after each field. */
static bool
cuts(const char *s, int delimiter, unsigned fields, const char *want)
{
	struct dp_reader *r = reader((struct dp_reader_rule){
	    .delimiter = delimiter, .fields = fields });
	struct dp_record rec;
	char got[200];
	size_t k = 0;
	unsigned i;
	int fd = file(s, strlen(s)), e;

	memset(rec.field, 0x55, sizeof rec.field);
	dp_reader_attach(r, fd);
	e = dp_reader_next(r, &rec, -1);
	for (i = 1; i <= rec.nfields; i++) {
		if (rec.field[i].p == NULL)
			e = -1;
		memcpy(got + k, rec.field[i].p, rec.field[i].n);
		k += rec.field[i].n;
		got[k++] = '|';
	}
	for (; i <= fields; i++)
		if (rec.field[i].p != NULL || rec.field[i].n != 0)
			e = -1;
	dp_reader_free(r);
	close(fd);
	return e == DP_READ_RECORD && k == strlen(want) && memcmp(got, want, k) == 0;
}

/* Fields of any length at any place, of bytes that differ from a blank by one bit or by one. */
static void
near_blanks(void)
{
	static const char some[] = {
		' ', '\t', '!', '\x08', '\x0b', '\x1f', '\xa0', '\x89', '(', 'a'
	};
	struct dp_record rec;
	char text[200 + DP_RECORD_SLACK];
	unsigned i, f, round, wrong = 0;
	uint32_t x = 1;
	size_t n, at, from;

	for (round = 0; round < 20000; round++) {
		n = round % 200;
		for (i = 0; i < n; i++) {
			x = x * 69069 + 1;
			text[i] = x >> 30 != 0 ? 'a' : some[(x >> 20) % sizeof some];
		}
		rec.text = (struct dp_slice){ text, n };
		rec.too_long = false;
		dp_record_cut(&rec, -1, 64);
		for (f = 0, at = 0; at < n; ) {
			for (; at < n && (text[at] == ' ' || text[at] == '\t'); at++)
				;
			for (from = at; at < n && text[at] != ' ' && text[at] != '\t'; at++)
				;
			if (from < at && (++f > rec.nfields || rec.field[f].p != text + from ||
			    rec.field[f].n != at - from))
				wrong++;
		}
		wrong += f != rec.nfields;
	}
	check(wrong == 0);
}

static void
fields(void)
{
	check(cuts("a b c\n", -1, 3, "a|b|c|"));
	check(cuts("a b c\n", -1, 2, "a|b|"));
	check(cuts("a b c\n", -1, 0, ""));
	check(cuts("a b c\r\n", -1, 64, "a|b|c|"));
	check(cuts("  a \t b  \n", -1, 5, "a|b|"));
	check(cuts(" \t \n", -1, 5, ""));
	check(cuts("\n", -1, 5, ""));
	check(cuts("a", -1, 5, "a|"));
	check(cuts("a,b,,c\n", ',', 9, "a|b||c|"));
	check(cuts("a,b,,c\n", ',', 3, "a|b||"));
	check(cuts(",\n", ',', 3, "||"));
	check(cuts("\n", ',', 3, "|"));
	check(cuts("a b\r\n", ',', 3, "a b|"));
	check(cuts("a\t b\t\n", '\t', 9, "a| b||"));
	check(cuts("a\xff" "b\n", 0xff, 9, "a|b|"));
}

static void
rules(void)
{
	static const struct dp_reader_rule bad[] = {
		{ .delimiter = -2 }, { .delimiter = 256 }, { .delimiter = '\n' },
		{ .delimiter = '\r' }, { .delimiter = '"', .csv = true },
		{ .delimiter = '\n', .csv = true }, { .delimiter = -1, .fields = 65 },
		{ .delimiter = -1, .csv = true, .frugal = true },
		{ .delimiter = -1, .block = DP_RECORD_MAX + 1 }
	};
	struct dp_reader *r = NULL;
	char *p, *e;
	size_t i;

	for (i = 0; i < sizeof bad / sizeof *bad; i++)
		check(dp_reader_new(&r, &bad[i]) == DP_EINVAL && r == NULL);
	dp_reader_free(NULL);
	r = reader((struct dp_reader_rule){ .delimiter = -1, .csv = true });
	check(dp_reader_span(r, &p, &e, -1) == DP_EINVAL);
	dp_reader_free(r);
}

static uint64_t seed = 1;

static unsigned
below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((seed >> 33) % n);
}

/* Random bytes through all block sizes, by records and by spans, against memchr on the whole. */
static void
random_files(void)
{
	static const size_t block[] = { 1, 2, 3, 5, 8, 13, 64, 4095, 65536 };
	char s[600], *p, *e, *q, *nl;
	struct dp_reader *r;
	struct dp_record rec;
	unsigned i, k, n, len, wrong = 0;
	int fd;

	for (i = 0; i < 3000; i++) {
		n = below(sizeof s);
		for (k = 0; k < n; k++)
			s[k] = "a\n\r ,\0"[below(6)];
		fd = file(s, n);
		r = reader((struct dp_reader_rule){ .delimiter = -1,
		    .block = block[below(sizeof block / sizeof *block)] });
		dp_reader_attach(r, fd);
		for (q = s, k = 1; q < s + n; q = nl + 1, k++) {
			nl = memchr(q, '\n', (size_t)(s + n - q));
			if (nl == NULL)
				nl = s + n;
			len = (unsigned)(nl - q);
			if (len > 0 && q[len - 1] == '\r')
				len--;
			wrong += dp_reader_next(r, &rec, -1) != DP_READ_RECORD || rec.too_long ||
			    rec.number != k || rec.text.n != len || memcmp(rec.text.p, q, len) != 0;
			if (below(20) == 0)
				break;	/* go on with spans */
		}
		if (q < s + n)
			q = nl + 1;
		while (q < s + n) {
			if (dp_reader_span(r, &p, &e, -1) != DP_READ_RECORD || e <= p ||
			    e[-1] != '\n') {
				wrong++;
				break;
			}
			len = (unsigned)(e - p);
			if (q + len == s + n + 1)	/* a newline was supplied */
				len--;
			wrong += q + len > s + n || memcmp(p, q, len) != 0;
			q += len;
		}
		wrong += dp_reader_span(r, &p, &e, -1) != DP_READ_END;
		dp_reader_free(r);
		close(fd);
	}
	check(wrong == 0);
}

/* Lines around the limit, alone and between others, with and without the last newline. */
static void
limit(void)
{
	static const int extra[] = { -1, 0, 1, 2, 65536, 2 << 20 };
	char *s, *p, *e;
	struct dp_reader *r;
	struct dp_record rec;
	size_t i, n, at, mark;
	unsigned form, frugal;
	bool longer;
	int fd;

	for (frugal = 0; frugal < 2; frugal++)
	for (i = frugal; i < (frugal ? 3 : sizeof extra / sizeof *extra); i++)
	for (form = frugal; form < (frugal ? 2 : 8); form++) {
		/* form: bit 0: lines around it; 1: block 65536; 2: mark */
		n = (size_t)((long)DP_RECORD_MAX + extra[i]);
		mark = form & 4 ? 3 : 0;
		longer = extra[i] + (form & 1 ? 0 : (int)mark) > 0;
		s = malloc(n + 20);
		memcpy(s, "\xef\xbb\xbf", 3);
		at = mark;
		if (form & 1) {
			memcpy(s + at, "a\n", 2);
			at += 2;
		}
		memset(s + at, 'x', n);
		at += n;
		if (form & 1) {
			memcpy(s + at, "\nb\nc", 4);
			at += 4;
		}
		fd = file(s, at);
		r = reader((struct dp_reader_rule){ .delimiter = -1, .fields = 1,
		    .frugal = frugal, .block = form & 2 ? 65536 : 99991 });
		dp_reader_attach(r, fd);
		if (form & 1)
			check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && same(rec.text, "a"));
		check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD);
		check(rec.too_long == longer && rec.number == 1 + (form & 1));
		check(rec.text.n == (longer ? 0 : n) && rec.nfields == !longer &&
		    (rec.field[1].p == NULL) == longer);
		if (form & 1) {
			check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD &&
			    same(rec.text, "b") && rec.number == 3 && !rec.too_long);
			check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && same(rec.text, "c"));
		}
		check(dp_reader_next(r, &rec, -1) == DP_READ_END);
		if (!frugal) {			/* and by spans */
			check(lseek(fd, 0, SEEK_SET) == 0);
			dp_reader_attach(r, fd);
			if (form & 1) {
				check(dp_reader_span(r, &p, &e, -1) == DP_READ_RECORD &&
				    e == p + mark + 2 && p[mark] == 'a');
				if (longer)
					check(dp_reader_span(r, &p, &e, -1) == DP_READ_RECORD &&
					    e == p);
				at = 0;
				while (dp_reader_span(r, &p, &e, -1) == DP_READ_RECORD)
					at += (size_t)(e - p);
				check(at == (longer ? 0 : n + 1) + 4);
			} else {
				check(dp_reader_span(r, &p, &e, -1) == DP_READ_RECORD &&
				    (size_t)(e - p) == (longer ? 0 : mark + n + 1));
				check(dp_reader_span(r, &p, &e, -1) == DP_READ_END);
			}
		}
		dp_reader_free(r);
		close(fd);
		free(s);
	}
}

int
main(void)
{
	lines();
	nul();
	near_blanks();
	fields();
	rules();
	random_files();
	limit();
	return done();
}
