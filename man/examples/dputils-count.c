/* SPDX-License-Identifier: ISC */
/*
 * dputils-count.c - a private running count that outlives the program.
 *
 * usage: dputils-count STATE EPSILON HORIZON <numbers
 * cc dputils-count.c $(pkg-config --cflags --libs dputils)
 *
 * Adds up the numbers 0 and 1 on standard input, one a line and a step, and prints the count so far
 * with its 95 % interval.  STATE is made if it is not there; each step is in it before it is shown,
 * so no step is shown twice with different noise.  One program at a time may use a STATE; a copy of
 * an old one must never be put back.
 */
#include <dputils.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
fail(const dputils *h, const char *what, int e)
{
	const char *why = h != NULL ? dputils_why(h) : "";

	fprintf(stderr, "dputils-count: %s: %s\n", what, *why != '\0' ? why : dputils_error(e));
	exit(1);
}

static void
check(const dputils *h, const char *what, int e)
{
	if (e != DPUTILS_OK)
		fail(h, what, e);
}

/* Written, on the disk, in the place of the one before, and that on the disk. */
static void
keep(dputils *h, const char *file)
{
	char temporary[4096], folder[4096], *text;
	size_t n = 0;
	int fd, d;

	(void)dputils_save(h, NULL, 0, &n);
	if ((text = malloc(n)) == NULL)
		fail(NULL, file, DPUTILS_ENOMEM);
	check(h, file, dputils_save(h, text, n, NULL));
	snprintf(temporary, sizeof temporary, "%s.tmp", file);
	snprintf(folder, sizeof folder, "%s", file);
	fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || write(fd, text, n) != (ssize_t)n || fsync(fd) != 0 || close(fd) != 0 ||
	    rename(temporary, file) != 0 || (d = open(dirname(folder), O_RDONLY)) < 0 ||
	    fsync(d) != 0 || close(d) != 0)
		fail(NULL, file, DPUTILS_EIO);
	free(text);
}

/* The state, or a new handle. */
static dputils *
begin(const char *file, const char *epsilon, const char *horizon)
{
	static char text[1 << 20];
	dputils *h = NULL;
	FILE *f = fopen(file, "r");

	if (f != NULL) {
		check(NULL, file, dputils_load(&h, text, fread(text, 1, sizeof text, f)));
		fclose(f);
		return h;
	}
	check(NULL, "count", dputils_new(&h, "count"));
	check(h, "epsilon", dputils_set(h, "epsilon", epsilon));
	check(h, "horizon", dputils_set(h, "horizon", horizon));
	check(h, "steps", dputils_set(h, "steps", "events"));
	check(h, "plan", dputils_plan(h));
	return h;
}

int
main(int argc, char **argv)
{
	int64_t count, lo, hi;
	char line[64];
	dputils *h;

	if (argc != 4)
		fail(NULL, "usage: dputils-count STATE EPSILON HORIZON", DPUTILS_EUSE);
	h = begin(argv[1], argv[2], argv[3]);
	while (fgets(line, sizeof line, stdin) != NULL) {
		/* what is no number is nothing: to say so would tell of the data */
		(void)dputils_event(h, line, strcspn(line, "\n"), 0, NULL, 0);
		check(h, "step", dputils_step(h));
		keep(h, argv[1]);
		check(h, "estimate", dputils_estimate(h, 0, &count));
		check(h, "interval", dputils_interval(h, 0, 0.95, &lo, &hi));
		printf("%" PRIu64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\n", dputils_steps(h),
		    count, lo, hi);
	}
	dputils_free(h);
	return 0;
}
