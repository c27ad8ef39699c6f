/*
 * plotrun.c - dpplot --run: see plot.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plot.h"
#include "spawn.h"
#include "stream/out.h"

/* The command while it runs, and what it has printed, until a picture shows all of it. */
static struct {
	struct dp_plot *plot;
	volatile pid_t pid;		/* 0: it has ended */
	int fd;				/* its standard output; -1: at its end */
	struct dp_buf lines;
	size_t taken;			/* bytes of them that are rows */
	uint64_t number;		/* lines */
	bool owed;
	int sink;			/* salvage: where lines go; */
	unsigned tried;			/* how many such places were no good */
} run;

static volatile sig_atomic_t stopped;	/* by this signal; 0: none */

/* Next place for lines that no picture shows, and a word of it. */
static void
next_sink(void)
{
	static const char *const folder[] = { NULL, "/tmp", "/var/tmp", "." };
	const size_t folders = sizeof folder / sizeof *folder;
	const char *where;
	char name[4096];
	size_t i = run.tried++;

	run.sink = -1;
	if (i == 0) {
		run.sink = STDOUT_FILENO;
		dp_warn("what the command printed is paid for, and goes to standard output");
	} else if (i <= folders) {
		where = folder[i - 1] != NULL ? folder[i - 1] : getenv("TMPDIR");
		if (where == NULL || snprintf(name, sizeof name, "%s/dpplot.XXXXXX", where) >=
		    (int)sizeof name || (run.sink = mkostemp(name, O_CLOEXEC)) < 0)
			return;
		dp_warn("what the command printed is paid for, and is kept in %s", name);
	} else {
		run.sink = STDERR_FILENO;
		dp_warn("what the command printed is paid for, and can be kept nowhere:");
	}
}

/* Text that one place refuses goes whole to the next. */
static void
pour(const char *p, size_t n)
{
	while (n > 0 && (run.sink < 0 || dp_write_all(run.sink, p, n) != 0)) {
		if (run.tried > 0 && run.sink == STDERR_FILENO)
			return;
		next_sink();
	}
}

/* At exit: all that the command has printed, and what it is going to print. */
static void
salvage(void)
{
	char block[4096];
	ssize_t n;

	if (!run.owed)
		return;
	run.owed = false;
	(void)signal(SIGPIPE, SIG_IGN);
	pour(run.lines.p, run.lines.n);
	while (run.fd >= 0 && ((n = read(run.fd, block, sizeof block)) > 0 ||
	    (n < 0 && errno == EINTR)))
		if (n > 0)
			pour(block, (size_t)n);
	if (run.sink > STDERR_FILENO)
		(void)fsync(run.sink);
	if (run.pid > 0)
		(void)dp_spawn_wait(run.pid);
}

/* The command ends, and what it printed is drawn; once more, and gnuplot ends too. */
static void
stop(int sig)
{
	const int saved = errno;

	if (stopped != 0 && run.plot->gnuplot > 0)
		(void)kill(run.plot->gnuplot, SIGKILL);
	if (run.pid > 0)
		(void)kill(run.pid, sig);
	stopped = sig;
	errno = saved;
}

static void
catch_signals(void)
{
	static const int sig[] = { SIGHUP, SIGINT, SIGTERM };
	const struct sigaction sa = { .sa_handler = stop };
	struct sigaction old;
	size_t i;

	for (i = 0; i < sizeof sig / sizeof *sig; i++)
		if (sigaction(sig[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			(void)sigaction(sig[i], &sa, NULL);
}

static void
take_line(struct dp_plot *p, const char *name, size_t n)
{
	int e = dp_chart_line(&p->data, (struct dp_slice){ run.lines.p + run.taken, n });

	run.number++;
	if (e == DP_ENOMEM)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (e != 0)
		dp_die(DP_EX_INPUT, "%s:%llu: %s", name, (unsigned long long)run.number,
		    p->data.why);
}

/* Whole lines to rows; the number of these. */
static unsigned
take_lines(struct dp_plot *p, const char *name)
{
	const char *newline;
	unsigned rows = 0;
	size_t n;

	while ((newline = memchr(run.lines.p + run.taken, '\n', run.lines.n - run.taken)) != NULL) {
		n = (size_t)(newline - (run.lines.p + run.taken));
		take_line(p, name, n);
		run.taken += n + 1;
		rows++;
	}
	return rows;
}

/* Reads more of the command's output: 1; 0: silence for DP_PLOT_WAIT, unless `wait`; -1: end. */
static int
more(bool wait)
{
	static char block[65536];
	struct pollfd in = { run.fd, POLLIN, 0 };
	ssize_t n;

	if (!wait && poll(&in, 1, DP_PLOT_WAIT) == 0)
		return 0;
	while ((n = read(run.fd, block, sizeof block)) < 0 && errno == EINTR)
		;
	if (n <= 0)
		return -1;
	dp_buf_add(&run.lines, block, (size_t)n);
	if (run.lines.error != 0) {
		run.lines.error = 0;
		pour(run.lines.p, run.lines.n);		/* before these */
		pour(block, (size_t)n);
		dp_buf_reset(&run.lines);
		dp_die(DP_EX_SYSTEM, "out of memory");
	}
	return 1;
}

static void
read_lines(struct dp_plot *p, const char *name)
{
	unsigned fresh = 0;
	int r;

	while ((r = more(!p->live || fresh == 0)) >= 0) {
		if (r > 0)
			fresh += take_lines(p, name);
		if (p->live && fresh > 0 && (fresh >= DP_PLOT_ROWS || r == 0) &&
		    dp_plot_drawable(&p->data)) {
			dp_plot_show(p);
			fresh = 0;
		}
	}
	(void)close(run.fd);
	run.fd = -1;
}

int
dp_plot_run(struct dp_plot *p, char **command, int n)
{
	pid_t pid;
	int status;

	dp_plot_ask(p, command, n);
	if (p->data.declared) {
		dp_plot_check_truth(p);
		dp_plot_check_ranks(p);
	}
	dp_plot_rehearse(p);
	run.plot = p;
	run.sink = run.fd = -1;
	if (atexit(salvage) != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	catch_signals();
	run.fd = dp_plot_start(&pid, command, STDIN_FILENO, 0);
	run.pid = pid;
	if (stopped != 0)		/* by a signal that came before its number was known */
		(void)kill(pid, stopped);
	run.owed = true;
	read_lines(p, command[0]);
	status = dp_spawn_wait(pid);
	run.pid = 0;
	if (run.lines.n > run.taken && status == 0)	/* else it is a piece of a line */
		take_line(p, command[0], run.lines.n - run.taken);
	return status;
}

void
dp_plot_ran(void)
{
	run.owed = false;
	dp_buf_free(&run.lines);
	if (stopped == 0)
		return;
	(void)signal(stopped, SIG_DFL);
	(void)raise(stopped);
}
