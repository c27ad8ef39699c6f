/* SPDX-License-Identifier: ISC */
/*
 * The floor under -P: the system calls that a line costs there, of standard input, which is a file
 * or a pipe, and nothing else.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOOK	512

int
main(void)
{
	char p[LOOK], noise[32];
	struct stat st;
	int peek[2];
	const char *nl;
	ssize_t seen, n;
	bool pipe;

	if (fstat(STDIN_FILENO, &st) != 0 || pipe2(peek, O_CLOEXEC) != 0)
		return 1;
	pipe = S_ISFIFO(st.st_mode);
	while ((seen = pipe ? tee(STDIN_FILENO, peek[1], LOOK, 0) :
	    read(STDIN_FILENO, p, LOOK)) > 0) {
		if (pipe && read(peek[0], p, (size_t)seen) != seen)
			return 1;
		nl = memchr(p, '\n', (size_t)seen);
		n = nl == NULL ? seen : nl + 1 - p;
		if (pipe ? read(STDIN_FILENO, p, (size_t)n) != n :
		    lseek(STDIN_FILENO, n - seen, SEEK_CUR) < 0)
			return 1;
		if (getrandom(noise, sizeof noise, 0) != sizeof noise)
			return 1;
	}
	return seen < 0;
}
