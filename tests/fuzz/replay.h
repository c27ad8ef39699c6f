/*
 * replay.h - the main() of a fuzz target without a fuzzer: each file named is one input.
 */
#include <stdio.h>

int
main(int argc, char *argv[])
{
	static uint8_t buf[1 << 22];
	FILE *fp;
	int i;

	for (i = 1; i < argc; i++) {
		if ((fp = fopen(argv[i], "rb")) == NULL) {
			perror(argv[i]);
			return 1;
		}
		LLVMFuzzerTestOneInput(buf, fread(buf, 1, sizeof buf, fp));
		fclose(fp);
	}
	printf("%d files\n", argc - 1);
	return 0;
}
