/* SPDX-License-Identifier: ISC */
/* t_reader.c - lines as they come: waiting, wiping; and the memory of a reader. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "input/internal.h"
#include "reader.h"

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
