/* t_record.c - lines: cutting, limits, waiting, wiping; and the memory of a reader. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "stream/match.h"
#include "stream/record.h"

static const struct dp_reader_rule blanks = { .delimiter = -1 };

static int
file(const char *s, size_t n)
{
	int fd = memfd_create("t", 0);

	if (fd < 0 || write(fd, s, n) != (ssize_t)n || lseek(fd, 0, SEEK_SET) != 0)
		exit(1);
	return fd;
}

static struct dp_reader *
reader(struct dp_reader_rule rule)
{
	struct dp_reader *r;

	if (dp_reader_new(&r, &rule) != 0)
		exit(1);
	return r;
}

static bool
same(struct dp_slice s, const char *want)
{
	return s.p != NULL && s.n == strlen(want) && memcmp(s.p, want, s.n) == 0;
}

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
	READS("\xef\xbb\xbf", "");
	READS("\xef\xbb\xbf\n", "|");
	READS("\xef\xbb\n", "\xef\xbb|");
	READS("\xef\xbb", "\xef\xbb|");
	READS("\xef" "a\xbb\xbf\n", "\xef" "a\xbb\xbf|");
	READS("\xef\xbb\xbf\xef\xbb\xbf\n", "\xef\xbb\xbf|");	/* one only */
	READS("a\n\xef\xbb\xbf\n", "a|\xef\xbb\xbf|");		/* at the start only */
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
	size_t i, n, at;
	unsigned form, frugal;
	bool longer;
	int fd;

	for (frugal = 0; frugal < 2; frugal++)
	for (i = frugal; i < (frugal ? 3 : sizeof extra / sizeof *extra); i++)
	for (form = frugal; form < (frugal ? 2 : 8); form++) {
		/* form: bit 0: lines around it; 1: block 65536; 2: mark */
		n = (size_t)((long)DP_RECORD_MAX + extra[i]);
		longer = extra[i] > 0;
		s = malloc(n + 20);
		at = 0;
		if (form & 4) {
			memcpy(s, "\xef\xbb\xbf", 3);
			at = 3;
		}
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
				    e == p + 2 && *p == 'a');
				if (longer)
					check(dp_reader_span(r, &p, &e, -1) == DP_READ_RECORD &&
					    e == p);
				at = 0;
				while (dp_reader_span(r, &p, &e, -1) == DP_READ_RECORD)
					at += (size_t)(e - p);
				check(at == (longer ? 0 : n + 1) + 4);
			} else {
				check(dp_reader_span(r, &p, &e, -1) == DP_READ_RECORD &&
				    (size_t)(e - p) == (longer ? 0 : n + 1));
				check(dp_reader_span(r, &p, &e, -1) == DP_READ_END);
			}
		}
		dp_reader_free(r);
		close(fd);
		free(s);
	}
}

static int
count_idle(void *arg)
{
	++*(int *)arg;
	return 0;
}

static int
fail_idle(void *arg)
{
	(void)arg;
	return DP_EHORIZON;
}

static void
say(int fd, const char *s)
{
	if (write(fd, s, strlen(s)) != (ssize_t)strlen(s))
		exit(1);
}

/* A pipe: what is complete is handed out at once; idle() comes before each wait and only then. */
static void
live(void)
{
	struct dp_record rec;
	struct dp_reader *r;
	char *p, *e;
	int fd[2], idle = 0, i;

	if (pipe(fd) != 0)
		exit(1);
	r = reader((struct dp_reader_rule){ .delimiter = -1, .idle = count_idle, .arg = &idle });
	dp_reader_attach(r, fd[0]);
	say(fd[1], "a\nb\nc");
	check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && same(rec.text, "a"));
	check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && same(rec.text, "b") && idle == 0);
	check(dp_reader_next(r, &rec, 1) == DP_READ_TIMEOUT && idle == 1);
	check(dp_reader_next(r, &rec, 0) == DP_READ_TIMEOUT && idle == 2);
	say(fd[1], "d");
	check(dp_reader_next(r, &rec, 1) == DP_READ_TIMEOUT && idle == 3);
	say(fd[1], "\nx\n");
	check(dp_reader_next(r, &rec, 0) == DP_READ_RECORD && same(rec.text, "cd") &&
	    rec.number == 3 && idle == 3);
	check(dp_reader_span(r, &p, &e, 0) == DP_READ_RECORD && e == p + 2);
	/* Nonblocking, as some other process may have made it. */
	check(fcntl(fd[0], F_SETFL, O_NONBLOCK) == 0);
	check(dp_reader_next(r, &rec, 1) == DP_READ_TIMEOUT && idle == 4);
	/* Pieces without an end: the call comes back. */
	for (i = 0; i < 40000; i++)
		say(fd[1], "y");
	check(dp_reader_next(r, &rec, 1) == DP_READ_TIMEOUT);
	say(fd[1], "\nz");
	close(fd[1]);
	check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && rec.text.n == 40000);
	check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && same(rec.text, "z"));
	check(dp_reader_next(r, &rec, 1) == DP_READ_END);
	close(fd[0]);
	/* A regular file never blocks. */
	idle = 0;
	fd[0] = file("a\nb\n", 4);
	dp_reader_attach(r, fd[0]);
	while (dp_reader_next(r, &rec, 5) == DP_READ_RECORD)
		;
	check(idle == 0);
	close(fd[0]);
	dp_reader_free(r);
	/* idle() gives up: so does the reader, and can go on. */
	if (pipe(fd) != 0)
		exit(1);
	r = reader((struct dp_reader_rule){ .delimiter = -1, .idle = fail_idle });
	dp_reader_attach(r, fd[0]);
	say(fd[1], "a");
	check(dp_reader_next(r, &rec, -1) == DP_EHORIZON);
	say(fd[1], "\n");
	check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && same(rec.text, "a"));
	close(fd[0]);
	close(fd[1]);
	dp_reader_free(r);
}

/* Bytes that keep coming without a newline must not keep a caller who has a clock. */
static void
endless(void)
{
	struct dp_reader *r = reader(blanks);
	struct dp_record rec;
	int fd = open("/dev/zero", O_RDONLY), i;

	dp_reader_attach(r, fd);
	for (i = 0; i < 5; i++)
		check(dp_reader_next(r, &rec, 1000) == DP_READ_TIMEOUT);
	close(fd);
	dp_reader_free(r);
}

/* A timeout is one wait: bytes that drip in, without a newline, do not make it many. */
static void
drip(void)
{
	struct dp_reader *r;
	struct dp_record rec;
	int fd[2], idle = 0, i, status;

	if (pipe(fd) != 0)
		exit(1);
	if (fork() == 0) {
		for (i = 0; i < 20; i++) {
			usleep(10000);
			say(fd[1], "x");
		}
		child_exit(0);
	}
	r = reader((struct dp_reader_rule){ .delimiter = -1, .idle = count_idle, .arg = &idle });
	dp_reader_attach(r, fd[0]);
	check(dp_reader_next(r, &rec, 1000) == DP_READ_TIMEOUT);
	check(idle <= 2);
	check(wait(&status) > 0 && status == 0);
	dp_reader_free(r);
	close(fd[0]);
	close(fd[1]);
}

static void
nothing(int sig)
{
	(void)sig;
}

/*
 * A signal ends the wait, whether poll(2) or read(2) waits, also when the handler restarts calls,
 * and when read(2) says EAGAIN.
 */
static void
signals(void)
{
	struct itimerval soon = { .it_value.tv_usec = 20000 };
	struct sigaction sa = { .sa_handler = nothing };
	struct dp_reader *r;
	struct dp_record rec;
	int fd[2], i, idle = 0;

	if (pipe(fd) != 0)
		exit(1);
	for (i = 0; i < 4; i++) {
		if (i == 3 && fcntl(fd[0], F_SETFL, O_NONBLOCK) != 0)
			exit(1);
		sa.sa_flags = i == 1 ? SA_RESTART : 0;
		sigaction(SIGALRM, &sa, NULL);
		r = reader((struct dp_reader_rule){ .delimiter = -1,
		    .idle = i < 2 ? count_idle : NULL, .arg = &idle });
		dp_reader_attach(r, fd[0]);
		setitimer(ITIMER_REAL, &soon, NULL);
		check(dp_reader_next(r, &rec, -1) == DP_READ_TIMEOUT);
		say(fd[1], "a\n");
		check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && same(rec.text, "a"));
		dp_reader_free(r);
	}
	close(fd[0]);
	close(fd[1]);
}

static void
errors(void)
{
	struct dp_reader *r = reader(blanks);
	struct dp_record rec;
	int fd = open("/", O_RDONLY);

	dp_reader_attach(r, fd);
	errno = 0;
	check(dp_reader_next(r, &rec, -1) == DP_EIO && errno == EISDIR);
	errno = 0;
	check(dp_reader_next(r, &rec, 100) == DP_EIO && errno == EISDIR);
	close(fd);
	dp_reader_attach(r, fd);
	errno = 0;
	check(dp_reader_next(r, &rec, -1) == DP_EIO && errno == EBADF);
	dp_reader_free(r);
}

static bool
gone(const char *p, size_t n, const char *what)
{
	return memmem(p, n, what, strlen(what)) == NULL;
}

/* Pan-private: nothing is read ahead, and nothing of a past line is left. */
static void
frugal(void)
{
	static const char s[] = "a long line, full of secrets\nb\n\nanother\n";
	struct dp_reader *r = reader((struct dp_reader_rule){ .delimiter = ' ', .fields = 3,
	    .frugal = true });
	struct dp_record rec;
	const char *first;
	char *big;
	int fd = file(s, sizeof s - 1), pass;

	dp_reader_attach(r, fd);
	check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && rec.text.n == 28);
	check(rec.nfields == 3 && same(rec.field[2], "long"));
	check(lseek(fd, 0, SEEK_CUR) == 29);
	first = rec.text.p;
	check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && same(rec.text, "b"));
	check(lseek(fd, 0, SEEK_CUR) == 31);
	check(rec.text.p == first && memcmp(first, "b\n\0\0\0\0", 6) == 0);
	check(gone(first, 60, "secret") && gone(first, 60, "ets"));
	check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && rec.text.n == 0);
	check(memcmp(first, "\n\0", 2) == 0);
	check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && same(rec.text, "another"));
	check(dp_reader_next(r, &rec, -1) == DP_READ_END && gone(first, 60, "other"));
	close(fd);
	/* One that is too long, and one that is given up for the next file. */
	big = malloc(DP_RECORD_MAX + 10);
	memset(big, 'q', DP_RECORD_MAX + 10);
	big[DP_RECORD_MAX + 5] = '\n';
	fd = file(big, DP_RECORD_MAX + 10);
	memset(big, 0, DP_RECORD_MAX + 10);
	for (pass = 0; pass < 2; pass++) {
		check(lseek(fd, 0, SEEK_SET) == 0);
		dp_reader_attach(r, fd);
		check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && rec.too_long);
		check(gone(first, DP_RECORD_MAX + 1, "qqq"));
		check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && same(rec.text, "qqqq"));
	}
	dp_reader_attach(r, fd);
	check(gone(first, DP_RECORD_MAX + 1, "qqq"));
	close(fd);
	free(big);
	dp_reader_free(r);
}

/* What reading has left in a pipe or a socket. */
static size_t
rest_of(int fd, char *p, size_t n)
{
	const ssize_t k = read(fd, p, n);

	return k < 0 ? 0 : (size_t)k;
}

/*
 * A pipe and a stream socket: the line and no byte behind it is taken, no other is in memory while
 * it is handed out, and a part of a line waits for the rest.
 */
static void
frugal_live(bool socket)
{
	static const char s[] = "first\nsecond secret\nthird\npart";
	struct dp_reader *r = reader((struct dp_reader_rule){ .delimiter = -1, .frugal = true });
	struct dp_record rec;
	char rest[99];
	int fd[2];

	check((socket ? socketpair(AF_UNIX, SOCK_STREAM, 0, fd) : pipe(fd)) == 0);
	check(write(fd[1], s, sizeof s - 1) == sizeof s - 1);
	dp_reader_attach(r, fd[0]);
	check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && same(rec.text, "first"));
	check(gone(rec.text.p, 60, "sec") && gone(rec.text.p, 60, "third"));
	check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && same(rec.text, "second secret"));
	check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && same(rec.text, "third"));
	check(gone(rec.text.p, 60, "ret") && gone(rec.text.p, 60, "part"));
	check(dp_reader_next(r, &rec, 0) == DP_READ_TIMEOUT);
	check(write(fd[1], "ly\nlast\n", 8) == 8);
	check(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && same(rec.text, "partly"));
	check(rest_of(fd[0], rest, sizeof rest) == 5 && memcmp(rest, "last\n", 5) == 0);
	close(fd[1]);
	check(dp_reader_next(r, &rec, -1) == DP_READ_END);
	close(fd[0]);
	dp_reader_free(r);
}

/* Not under a sanitizer.  clang, and gcc since 14, always has __has_feature: it is to be asked. */
#ifdef __has_feature
#define SANITIZED	__has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define SANITIZED	1
#else
#define SANITIZED	0
#endif
#if !SANITIZED
static long
peak_kib(void)
{
	char s[4096], *p;
	int fd = open("/proc/self/status", O_RDONLY);
	ssize_t n = read(fd, s, sizeof s - 1);

	close(fd);
	s[n > 0 ? n : 0] = '\0';
	p = strstr(s, "VmHWM:");
	return p == NULL ? 0 : strtol(p + 6, NULL, 10);
}

/*
 * One record of n bytes, through everything that could keep it: a hole, no pages of which
 * exist, after an open quote, or with a comma every half megabyte.
 */
static void
memory_of(bool csv, bool open, off_t n)
{
	struct dp_reader *r = reader((struct dp_reader_rule){ .delimiter = -1, .csv = csv,
	    .fields = 64, .text = true });
	struct dp_record rec;
	struct dp_match *m;
	char why[DP_MATCH_WHY];
	int fd = file(open ? "\"" : "x", 1), k = 0;
	long before = peak_kib();	/* under qemu-user, the emulator's own memory too */
	off_t i;

	for (i = 1 << 19; !open && i < n; i += 1 << 19)
		if (pwrite(fd, ",", 1, i) != 1)
			exit(1);
	if (ftruncate(fd, n) != 0 || dp_match_new(&m, "(a|b)*c", false, false, why) != 0)
		exit(1);
	dp_reader_attach(r, fd);
	while (dp_reader_next(r, &rec, -1) == DP_READ_RECORD)
		k += rec.too_long && !dp_match_test(m, rec.text);
	check(k == 1);
	check(before > 0 && peak_kib() - before < 6 << 10);
	printf("%s of %lld bytes: %ld KiB more\n", csv ? "row" : "line", (long long)n,
	    peak_kib() - before);
	dp_match_free(m);
	dp_reader_free(r);
}

static void
memory(void)
{
	int kind, status;

	for (kind = 0; kind < 4; kind++) {
		fflush(stdout);
		if (fork() == 0) {	/* its peak is its own */
			memory_of(kind & 1, kind & 2, (off_t)100 << 20);
			exit(done());
		}
		check(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
}
#else
static void
memory(void)
{
}
#endif

int
main(void)
{
	memory();
	lines();
	nul();
	near_blanks();
	fields();
	rules();
	random_files();
	limit();
	live();
	endless();
	drip();
	signals();
	errors();
	frugal();
	frugal_live(false);
	frugal_live(true);
	return done();
}
