/*
 * plot.c - dpplot: rows from files, or from a command that it runs; a picture at the end, or live.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plot.h"
#include "spawn.h"
#include "stream/record.h"

#define EXPLAIN_MAX	((size_t)1 << 20)	/* bytes */
#define WAIT_MS		100	/* live: drawn once nothing has come for so long, */
#define ROWS		1000	/* or after so many rows */

static bool
is_dash(const char *name)
{
	return strcmp(name, "-") == 0;
}

static const char *
place(const char *name)
{
	return is_dash(name) ? "standard input" : name;
}

static int
open_input(const char *name)
{
	int fd = is_dash(name) ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		dp_die(DP_EX_INPUT, "%s: %s", name, strerror(errno));
	return fd;
}

/*
 * One more line; names the file and the line if it is refused.  data: what is to be drawn, which at
 * its first lines may be found to be what a tool reads, not what one printed.
 */
static void
take(struct dp_chart *c, const char *name, const struct dp_record *rec, bool data)
{
	const char *why = rec->too_long ? "too long" : c->why;
	int e = rec->too_long ? DP_ESYNTAX : dp_chart_line(c, rec->text);

	if (e == DP_ENOMEM)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (e != 0) {
		dp_warn("%s:%llu: %s", name, (unsigned long long)rec->number, why);
		if (data && rec->number <= 2)
			dp_warn("if no tool has printed that: dpplot --run TOOL OPTION ... FILE "
			    "draws what one prints of it");
		exit(DP_EX_INPUT);
	}
}

/* A name and nothing beside it is no picture: more likely a word than what a tool printed. */
static bool
drawable(const struct dp_chart *c)
{
	return c->seen > 1 ||
	    (c->seen == 1 && (c->columns > 1 || c->column[0].kind != DP_CHART_TEXT));
}

/* All lines of a descriptor; live: with pictures on the way (NULL: none). */
static void
read_rows(struct dp_chart *c, int fd, const char *name, bool data, struct dp_plot *live)
{
	const bool screen = live != NULL && live->to == NULL && isatty(STDOUT_FILENO);
	const struct dp_reader_rule rule = { .delimiter = -1 };
	struct dp_reader *reader;
	struct dp_record rec;
	unsigned fresh = 0;
	int r;

	if (dp_reader_new(&reader, &rule) != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	dp_reader_attach(reader, fd);
	while ((r = dp_reader_next(reader, &rec, live != NULL && fresh > 0 ? WAIT_MS : -1)) !=
	    DP_READ_END) {
		if (r == DP_READ_RECORD) {
			take(c, name, &rec, data);
			fresh++;
		} else if (r != DP_READ_TIMEOUT) {
			dp_die(r == DP_EIO && errno == EISDIR ? DP_EX_INPUT : DP_EX_SYSTEM,
			    "%s: %s", name, r == DP_EIO ? strerror(errno) : dp_strerror(r));
		}
		if (live != NULL && drawable(c) && (fresh >= ROWS ||
		    (r == DP_READ_TIMEOUT && fresh > 0))) {
			dp_plot_draw(live, screen);
			fresh = 0;
		}
	}
	dp_reader_free(reader);
}

static void
read_files(struct dp_chart *c, char **file, int n, bool data, struct dp_plot *live)
{
	int i, fd;

	for (i = 0; i < n; i++) {
		fd = open_input(file[i]);
		read_rows(c, fd, place(file[i]), data, live);
		if (fd != STDIN_FILENO)
			(void)close(fd);
	}
}

static void
read_explain(struct dp_plot *p, const char *name)
{
	struct dp_buf b = { .p = NULL };

	if (dp_spawn_read(open_input(name), &b) != 0)
		dp_die(DP_EX_INPUT, "%s: %s", place(name), strerror(errno));
	if (b.n > EXPLAIN_MAX)
		dp_die(DP_EX_INPUT, "%s: not what --explain prints", place(name));
	dp_plot_explained(p, place(name), b.p, b.n);
	dp_buf_free(&b);
}

static int
start(pid_t *pid, char **command, int in)
{
	int fd = dp_spawn(pid, command, in);

	if (fd < 0)
		dp_die(DP_EX_USAGE, "--run: %s: %s", command[0], strerror(errno));
	return fd;
}

/* The command's guarantee, which the same command says with one more option. */
static void
ask(struct dp_plot *p, char **command, int n)
{
	static char option[] = "--explain";
	char **argv = calloc((size_t)n + 2, sizeof *argv);
	struct dp_buf b = { .p = NULL };
	pid_t pid;
	int status;

	if (argv == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	argv[0] = command[0];
	argv[1] = option;
	memcpy(argv + 2, command + 1, (size_t)(n - 1) * sizeof *argv);
	if (dp_spawn_read(start(&pid, argv, -1), &b) != 0)
		dp_die(DP_EX_SYSTEM, "%s: %s", command[0], strerror(errno));
	if ((status = dp_spawn_wait(pid)) != 0)
		exit(status);		/* it has said why */
	dp_plot_explained(p, command[0], b.p, b.n);
	dp_buf_free(&b);
	free(argv);
}

/* Its words with blanks between them, as a title. */
static char *
words(char **command)
{
	struct dp_buf b = { .p = NULL };

	for (; *command != NULL; command++) {
		dp_buf_puts(&b, *command);
		dp_buf_add(&b, command[1] == NULL ? "" : " ", 1);
	}
	if (b.error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	return b.p;
}

static void
check(const struct dp_own_value *v, char *const file[], int n)
{
	int i, inputs = 0;

	if (v[DP_PLOT_RUN].text != NULL && n == 0)
		dp_die(DP_EX_USAGE, "--run: a command must follow");
	if (v[DP_PLOT_RUN].text != NULL && v[DP_PLOT_EXPLAIN].text != NULL)
		dp_die(DP_EX_USAGE, "--explain: refused with --run, which asks the command");
	for (i = 0; v[DP_PLOT_RUN].text == NULL && i < n; i++)
		inputs += is_dash(file[i]);
	inputs += n == 0;
	inputs += v[DP_PLOT_EXPLAIN].text != NULL && is_dash(v[DP_PLOT_EXPLAIN].text);
	inputs += v[DP_PLOT_TRUE].text != NULL && is_dash(v[DP_PLOT_TRUE].text);
	if (inputs > 1)
		dp_die(DP_EX_USAGE, "standard input is one file only, and is named twice");
}

/* A command's estimates, with its guarantee; returns its exit status. */
static int
run(struct dp_plot *p, char **command, int n, struct dp_plot *live)
{
	pid_t pid;
	int fd;

	ask(p, command, n);
	fd = start(&pid, command, STDIN_FILENO);
	read_rows(&p->data, fd, command[0], false, live);
	return dp_spawn_wait(pid);
}

static void
read_truth(struct dp_plot *p, const char *name)
{
	char *file = (char *)(uintptr_t)name;

	read_files(&p->truth, &file, 1, false, NULL);
	if (p->truth.seen == 0)
		dp_die(DP_EX_INPUT, "%s: nothing to draw", place(name));
	p->picture.truth = &p->truth;
	p->truth_name = place(name);
}

int
dp_plot_main(const struct dp_aside *tool, int argc, char **argv)
{
	static char dash[] = "-", *standard_input[] = { dash, NULL };
	struct dp_own_value v[DP_OWN_MAX];
	static struct dp_plot p;
	struct dp_plot *live;
	int n = dp_aside_parse(tool, v, argc, argv), status = 0;
	char *title = NULL;

	check(v, argv + 1, n);
	live = v[DP_PLOT_LIVE].text != NULL ? &p : NULL;
	p.data.header = p.truth.header = v[DP_PLOT_HEADER].text != NULL;
	p.picture.data = &p.data;
	if (v[DP_PLOT_TITLE].text == NULL && v[DP_PLOT_RUN].text != NULL)
		title = words(argv + 1);
	p.picture.title = title != NULL ? title : v[DP_PLOT_TITLE].text;
	dp_plot_to(&p, v[DP_PLOT_TO].text);
	if (v[DP_PLOT_EXPLAIN].text != NULL)
		read_explain(&p, v[DP_PLOT_EXPLAIN].text);
	if (v[DP_PLOT_TRUE].text != NULL)
		read_truth(&p, v[DP_PLOT_TRUE].text);
	if (v[DP_PLOT_RUN].text != NULL)
		status = run(&p, argv + 1, n, live);
	else
		read_files(&p.data, n == 0 ? standard_input : argv + 1, n == 0 ? 1 : n, true, live);
	if (!drawable(&p.data) && status == 0)
		dp_die(DP_EX_INPUT, p.data.seen == 0 ? "nothing to draw" :
		    "nothing to draw: one name, and no number");
	if (drawable(&p.data))
		dp_plot_draw(&p, live != NULL && p.to == NULL && isatty(STDOUT_FILENO));
	dp_chart_free(&p.data);
	dp_chart_free(&p.truth);
	free(title);
	return status;
}
