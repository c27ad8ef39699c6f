/* SPDX-License-Identifier: ISC */
/*
 * What a command costs: "SECONDS KIB", processor time of it and its children, and the most memory
 * that any of them had.  usage: bench_cost COMMAND [ARG ...]; standard output is thrown away.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double
seconds(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

int
main(int argc, char **argv)
{
	struct rusage u;
	int status, null = open("/dev/null", O_WRONLY);
	pid_t pid;

	if (argc < 2 || null < 0 || (pid = fork()) < 0)
		return 1;
	if (pid == 0) {
		dup2(null, STDOUT_FILENO);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid || getrusage(RUSAGE_CHILDREN, &u) != 0)
		return 1;
	printf("%.3f %ld\n", seconds(u.ru_utime) + seconds(u.ru_stime), u.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}
