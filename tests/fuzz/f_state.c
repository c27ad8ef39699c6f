/* SPDX-License-Identifier: ISC */
/*
 * f_state.c - any bytes as a state file.
 *
 * The input is a file without its checksum line; one is put on, and not verified, since no fuzzer
 * would guess it.  What the parser of the form accepts must be written out as the same bytes, and
 * then be accepted with its true checksum.  Then the tool that it names goes on with it: head and
 * body are its business, and it must end with a status of its own, not by a signal or a sanitizer.
 * The tools are those in PATH.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_state.c ...; ./f_state corpus
 *	cc -DREPLAY f_state.c ...; ./f_state FILE ...
 *
 * FILE good-*: the tool must go on (or be at its horizon).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/internal.h"

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

#define REFUSED	(-1)
#define OUT_MAX	((uint64_t)1 << 30)

static char path[] = "/tmp/f_state.XXXXXX";
static const char lock[] = ".lock", out[] = ".out";

static bool
has(const struct dp_stateform *f, const char *line)
{
	return f->head.n > 0 && memmem(f->head.p, f->head.n, line, strlen(line)) != NULL;
}

static const char *
tool_of(const struct dp_stateform *f)
{
	return has(f, "tool dpwindow\n") ? "dpwindow" :
	    has(f, "tool dpdecay\n") ? "dpdecay" : "dpcount";
}

/* What a state file does not keep and its kind needs. */
static void
go_on(const struct dp_stateform *f)
{
	const char *argv[8] = { tool_of(f), "--state", path };
	char written[sizeof path + sizeof out];
	size_t n = 3;
	int fd;

	if (has(f, "\nsteps range\n")) {
		argv[n++] = "--from=7200";
		argv[n++] = "--to=10800";
	}
	snprintf(written, sizeof written, "%s%s", path, out);
	if (f->outlen > 0 && f->outlen < OUT_MAX &&
	    (fd = open(written, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) >= 0 &&
	    ftruncate(fd, (off_t)f->outlen) == 0) {
		argv[n++] = "--out";
		argv[n++] = written;
	}
	argv[n] = NULL;
	dup2(open("/dev/null", O_RDWR), 0);
	dup2(0, 1);
	dup2(0, 2);
	setenv("ASAN_OPTIONS", "exitcode=99", 1);
	setenv("UBSAN_OPTIONS", "exitcode=99", 1);
	execvp(argv[0], (char **)(uintptr_t)argv);
	_exit(127);
}

/* The tool's exit status. */
static int
run_tool(struct dp_stateform *f)
{
	char name[sizeof path + sizeof lock];
	struct dp_buf b = { 0 };
	int fd, status;
	pid_t pid, ended;

	strcpy(path + sizeof path - 7, "XXXXXX");
	if ((fd = mkstemp(path)) < 0 || dp_os_born(fd, "", &f->inode, &f->born) != 0 ||
	    dp_stateform_write(f, &b) != 0 || write(fd, b.p, b.n) != (ssize_t)b.n ||
	    close(fd) != 0 || (pid = fork()) < 0)
		abort();
	if (pid == 0)
		go_on(f);
	while ((ended = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
		;			/* the fuzzer's own alarm */
	if (ended != pid || !WIFEXITED(status))
		abort();
	snprintf(name, sizeof name, "%s%s", path, lock);
	unlink(path);
	unlink(name);
	snprintf(name, sizeof name, "%s%s", path, out);
	unlink(name);
	dp_buf_free(&b);
	status = WEXITSTATUS(status);
	if (status > DP_EX_STATE)
		abort();
	return status;
}

/* REFUSED by the form, or the tool's status. */
static int
try(const uint8_t *data, size_t n)
{
	char trailer[] = "blake2b 0000000000000000000000000000000000000000"
	    "000000000000000000000000\n";
	struct dp_buf in = { 0 }, again = { 0 };
	struct dp_stateform f, g;
	const char *what = NULL;
	int e, status = REFUSED;

	if (n > 0)
		dp_buf_add(&in, data, n);
	dp_buf_puts(&in, trailer);
	if (in.error != 0)
		abort();
	e = dp_stateform_read(&f, in.p, in.n, false, &what);
	if (e != 0 && (e != DP_ESTATE || what == NULL))
		abort();
	if (e == 0) {
		if (dp_stateform_write(&f, &again) != 0 || again.n != in.n ||
		    memcmp(again.p, in.p, n) != 0)
			abort();
		if (dp_stateform_read(&g, again.p, again.n, true, &what) != 0 ||
		    g.generation != f.generation || g.outlen != f.outlen || g.tail != f.tail ||
		    g.settled != f.settled || g.settled > dp_stateform_recorded(&g))
			abort();
		status = run_tool(&f);
	}
	dp_buf_free(&in);
	dp_buf_free(&again);
	return status;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	(void)try(data, n);
	return 0;
}

#ifdef REPLAY
int
main(int argc, char *argv[])
{
	static uint8_t buf[1 << 22];
	int i, status, went = 0, failed = 0;
	const char *name;
	FILE *fp;

	for (i = 1; i < argc; i++) {
		if ((fp = fopen(argv[i], "rb")) == NULL) {
			perror(argv[i]);
			return 1;
		}
		status = try(buf, fread(buf, 1, sizeof buf, fp));
		fclose(fp);
		went += status == DP_EX_OK || status == DP_EX_SPENT;
		name = strrchr(argv[i], '/');
		if (strncmp(name != NULL ? name + 1 : argv[i], "good-", 5) == 0 &&
		    status != DP_EX_OK && status != DP_EX_SPENT) {
			printf("%s: %d\n", argv[i], status);
			failed++;
		}
	}
	printf("%d files, %d went on\n", argc - 1, went);
	return failed > 0 || went == 0;
}
#endif
