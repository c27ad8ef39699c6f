/* SPDX-License-Identifier: ISC */
/*
 * replay.h - the main() of a fuzz target without a fuzzer: each file named is one input, in a block
 * of its own, so that a byte too far is seen.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int
main(int argc, char *argv[])
{
	static uint8_t buf[1 << 22];
	uint8_t *p;
	ssize_t n;
	int fd, i;

	for (i = 1; i < argc; i++) {
		if ((fd = open(argv[i], O_RDONLY)) < 0 || (n = read(fd, buf, sizeof buf)) < 0) {
			perror(argv[i]);
			return 1;
		}
		close(fd);
		if ((p = malloc((size_t)n + (n == 0))) == NULL)
			return 1;
		memcpy(p, buf, (size_t)n);
		LLVMFuzzerTestOneInput(p, (size_t)n);
		free(p);
	}
	printf("%d files\n", argc - 1);
	return 0;
}
