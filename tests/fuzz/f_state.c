/*
 * f_state.c - the parser of state files on any bytes at all.
 *
 * The input is a file without its checksum line; one is put on, and not
 * verified, since no fuzzer would guess it.  What is accepted must be written
 * out as the same bytes, and then be accepted with its true checksum.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state/form.h"

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char trailer[] = "blake2b 0000000000000000000000000000000000000000"
	    "000000000000000000000000\n";
	struct dp_buf in = { 0 }, out = { 0 };
	struct dp_stateform f, g;
	const char *what = NULL;
	int e;

	if (n > 0)
		dp_buf_add(&in, data, n);
	dp_buf_puts(&in, trailer);
	if (in.error != 0)
		abort();
	e = dp_stateform_read(&f, in.p, in.n, false, &what);
	if (e != 0 && (e != DP_ESTATE || what == NULL))
		abort();
	if (e == 0) {
		if (dp_stateform_write(&f, &out) != 0 || out.n != in.n ||
		    memcmp(out.p, in.p, n) != 0)
			abort();
		if (dp_stateform_read(&g, out.p, out.n, true, &what) != 0 ||
		    g.generation != f.generation ||
		    g.settled != f.settled || g.settled > g.record.n)
			abort();
	}
	dp_buf_free(&in);
	dp_buf_free(&out);
	return 0;
}

#ifdef REPLAY
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
#endif
