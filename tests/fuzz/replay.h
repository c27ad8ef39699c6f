/* SPDX-License-Identifier: ISC */
/*
 * replay.h - the main() of a fuzz target without a fuzzer: each file named is one input, in a block
 * of its own, so that a byte too far is seen.  With --mutants=N, or N:SEED, N inputs follow that
 * are files with some bytes, numbers or lines changed, left out, twice, or of another file: blind,
 * but many times as fast as a fuzzer.  One that stops the target is left in the file "mutant".
 */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct replayed {
	uint8_t *p;
	size_t n;
};

#define MUTANT_MAX	((size_t)1 << 22)

static struct replayed mutant, now;
static uint64_t replay_seed = 1;

static size_t
below(size_t n)
{
	replay_seed ^= replay_seed << 13;
	replay_seed ^= replay_seed >> 7;
	replay_seed ^= replay_seed << 17;
	return n == 0 ? 0 : (size_t)(replay_seed >> 11) % n;
}

/* A line of it, with its end. */
static struct replayed
line_of(struct replayed in)
{
	size_t from = below(in.n), to = from;

	while (from > 0 && in.p[from - 1] != '\n')
		from--;
	while (to < in.n && in.p[to++] != '\n')
		;
	return (struct replayed){ in.p + from, to - from };
}

/* In the place of `cut' bytes at `at' those of `with', which is elsewhere. */
static void
put_at(struct replayed *m, size_t at, size_t cut, const void *with, size_t n)
{
	if (m->n - cut + n > MUTANT_MAX)
		return;
	memmove(m->p + at + n, m->p + at + cut, m->n - at - cut);
	memcpy(m->p + at, with, n);
	m->n += n - cut;
}

static void
mutate(struct replayed *m, struct replayed other)
{
	/* the empty one is a NUL */
	static const char *const odd[] = { "0", "-1", "1", "9", "18446744073709551616", "1e9",
		"nan", "9007199254740993", ".", "/", "", " ", "\t", "\n", "=", ",", "\377", "1/3",
		"-" };
	static uint8_t line[1 << 16];
	struct replayed l = line_of(below(3) == 0 ? other : *m), here = line_of(*m);
	const char *word = odd[below(sizeof odd / sizeof *odd)];
	size_t at = below(m->n), n = at, w = strlen(word) + (*word == '\0');

	l.n = l.n < sizeof line ? l.n : sizeof line;
	if (l.n > 0)
		memcpy(line, l.p, l.n);
	switch (m->n == 0 ? 3 : below(7)) {
	case 0:
		m->p[at] = (uint8_t)(m->p[at] ^ 1u << below(8));
		break;
	case 1:
		n = below(16);
		put_at(m, at, n < m->n - at ? n : m->n - at, "", 0);
		break;
	case 2:			/* a number */
		while (at < m->n && (m->p[at] < '0' || m->p[at] > '9'))
			at++;
		for (n = at; n < m->n && m->p[n] >= '0' && m->p[n] <= '9'; )
			n++;
		put_at(m, at, n - at, word, w);
		break;
	case 3:
		put_at(m, at, 0, word, w);
		break;
	case 4:
		put_at(m, (size_t)(here.p - m->p), here.n, "", 0);
		break;
	case 5:
		put_at(m, (size_t)(here.p - m->p), here.n, line, l.n);
		break;
	default:
		put_at(m, (size_t)(here.p - m->p), 0, line, l.n);
	}
}

static void
stopped(int sig)
{
	const int fd = open("mutant", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd >= 0 && write(fd, now.p, now.n) >= 0)
		close(fd);
	signal(sig, SIG_DFL);
	raise(sig);
}

/* What a target reads is a block of its own. */
static void
replay(struct replayed in)
{
	uint8_t *p = malloc(in.n + (in.n == 0));

	now = in;
	if (p == NULL)
		abort();
	if (in.n > 0)
		memcpy(p, in.p, in.n);
	LLVMFuzzerTestOneInput(p, in.n);
	free(p);
}

static void
replay_mutants(uint64_t n, const struct replayed *in, size_t files)
{
	struct replayed of;
	uint64_t i;
	size_t times;

	mutant.p = malloc(MUTANT_MAX);
	if (mutant.p == NULL)
		abort();
	for (i = 0; i < n; i++) {
		of = in[below(files)];
		memcpy(mutant.p, of.p, mutant.n = of.n);
		for (times = 1 + below(3); times > 0; times--)
			mutate(&mutant, in[below(files)]);
		replay(mutant);
	}
	printf("%" PRIu64 " mutants\n", n);
}

int
main(int argc, char *argv[])
{
	static uint8_t buf[MUTANT_MAX];
	struct replayed *in = calloc((size_t)argc, sizeof *in);
	char *end = NULL;
	uint64_t mutants = 0;
	size_t files = 0;
	ssize_t n;
	int fd, i = 1;

	if (in == NULL)
		return 1;
	if (argc > 1 && strncmp(argv[1], "--mutants=", 10) == 0) {
		mutants = strtoull(argv[i++] + 10, &end, 10);
		if (*end == ':')
			replay_seed = strtoull(end + 1, &end, 10) * 2 + 1;
		signal(SIGABRT, stopped);
		signal(SIGSEGV, stopped);
		if (mutants == 0 || *end != '\0' || i == argc)
			return 2;
	}
	for (; i < argc; i++) {
		if ((fd = open(argv[i], O_RDONLY)) < 0 || (n = read(fd, buf, sizeof buf)) < 0) {
			perror(argv[i]);
			return 1;
		}
		close(fd);
		replay((struct replayed){ buf, (size_t)n });
		if (mutants == 0)
			continue;
		if ((in[files].p = malloc((size_t)n + 1)) == NULL)
			return 1;
		memcpy(in[files].p, buf, in[files].n = (size_t)n);
		files++;
	}
	if (mutants > 0)
		replay_mutants(mutants, in, files);
	else
		printf("%d files\n", argc - 1);
	for (; files > 0; files--)
		free(in[files - 1].p);
	free(in);
	return 0;
}
