/* SPDX-License-Identifier: ISC */
/*
 * bench_latency.c - how long a line waits for its estimate: N round trips, in turns with those of a
 * process that only echoes.  All three share one processor, so that a host's wake-ups of another
 * one count on neither side.  usage: TOOL ARG ...
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define N	2001

struct peer {
	int in, out;
	double t[N];
};

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
pin(void)
{
	cpu_set_t set;
	int cpu = sched_getcpu();

	CPU_ZERO(&set);
	CPU_SET(cpu < 0 ? 0 : (size_t)cpu, &set);
	(void)sched_setaffinity(0, sizeof set, &set);
}

static _Noreturn void
echo(void)
{
	char line[256];
	ssize_t n;

	while ((n = read(STDIN_FILENO, line, sizeof line)) > 0 &&
	    write(STDOUT_FILENO, line, (size_t)n) == n)
		;
	_exit(0);
}

/* Starts a command, or the echo: argv is NULL. */
static int
start(struct peer *p, char **argv)
{
	int in[2], out[2];
	pid_t pid;

	if (pipe(in) != 0 || pipe(out) != 0 || (pid = fork()) < 0)
		return -1;
	if (pid == 0) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		close(in[1]);
		close(out[0]);
		if (argv == NULL)
			echo();
		execvp(argv[0], argv);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	p->in = in[1];
	p->out = out[0];
	return 0;
}

static int
turn(struct peer *p, int i)
{
	char line[256];

	p->t[i] = now();
	if (write(p->in, "1\n", 2) != 2 || read(p->out, line, sizeof line) <= 0)
		return -1;
	p->t[i] = now() - p->t[i];
	return 0;
}

int
main(int argc, char **argv)
{
	static struct peer tool, other;
	int i;

	pin();
	if (argc < 2 || start(&other, NULL) != 0 || start(&tool, argv + 1) != 0)
		return 2;
	for (i = 0; i < N; i++)
		if (turn(&tool, i) != 0 || turn(&other, i) != 0)
			return 1;
	qsort(tool.t, N, sizeof tool.t[0], compare);
	qsort(other.t, N, sizeof other.t[0], compare);
	printf("%.1f us, 99 %% below %.1f us, %.2f times an echo", tool.t[N / 2],
	    tool.t[N - 1 - N / 100], tool.t[N / 2] / other.t[N / 2]);
	return 0;
}
