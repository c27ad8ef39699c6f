/* bench_latency.c - how long a line waits for its estimate: N round trips. usage: TOOL ARG ... */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define N	2001

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

int
main(int argc, char **argv)
{
	static double t[N];
	int in[2], out[2], i;
	char line[256];

	if (argc < 2 || pipe(in) != 0 || pipe(out) != 0)
		return 2;
	if (fork() == 0) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		close(in[1]);
		close(out[0]);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	for (i = 0; i < N; i++) {
		t[i] = now();
		if (write(in[1], "1\n", 2) != 2 || read(out[0], line, sizeof line) <= 0)
			return 1;
		t[i] = now() - t[i];
	}
	qsort(t, N, sizeof t[0], compare);
	printf("%.0f us, 99 %% below %.0f us", t[N / 2], t[N - 1 - N / 100]);
	return 0;
}
