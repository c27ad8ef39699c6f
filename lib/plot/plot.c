/*
 * plot.c - dpplot: rows from files, or from a command that it runs; a picture at the end, or live.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "plot.h"
#include "spawn.h"
#include "stream/record.h"

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

/* The output of -o long or -o prometheus, by its second line. */
static bool
is_for_others(const struct dp_chart *c, const struct dp_record *rec)
{
	static const char type[] = "# TYPE ";
	unsigned i;

	for (i = 0; i < c->columns; i++)
		if (c->column[i].name != NULL && strcmp(c->column[i].name, "statistic") == 0)
			return true;
	return rec->text.n >= sizeof type - 1 && memcmp(rec->text.p, type, sizeof type - 1) == 0;
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
		if (is_for_others(c, rec))
			dp_warn("-o long and -o prometheus are for other programs: -o csv, -o tsv "
			    "and -o json are drawn");
		else if (data && rec->number <= 2)
			dp_warn("if no tool has printed that: dpplot --run TOOL OPTION ... FILE "
			    "draws what one prints of it");
		exit(DP_EX_INPUT);
	}
}

bool
dp_plot_drawable(const struct dp_chart *c)
{
	return c->seen > 1 ||
	    (c->seen == 1 && (c->columns > 1 || c->column[0].kind != DP_CHART_TEXT));
}

void
dp_plot_show(struct dp_plot *p)
{
	dp_plot_draw(p, p->live && p->to.name == NULL && isatty(STDOUT_FILENO));
}

/* All lines of a descriptor; live: with pictures on the way (NULL: none). */
static void
read_rows(struct dp_chart *c, int fd, const char *name, bool data, struct dp_plot *live)
{
	const struct dp_reader_rule rule = { .delimiter = -1 };
	struct dp_reader *reader;
	struct dp_record rec;
	unsigned fresh = 0;
	int r;

	if (dp_reader_new(&reader, &rule) != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	dp_reader_attach(reader, fd);
	while ((r = dp_reader_next(reader, &rec, live != NULL && fresh > 0 ? DP_PLOT_WAIT : -1)) !=
	    DP_READ_END) {
		if (r == DP_READ_RECORD) {
			take(c, name, &rec, data);
			fresh++;
		} else if (r != DP_READ_TIMEOUT) {
			dp_die(r == DP_EIO && errno == EISDIR ? DP_EX_INPUT : DP_EX_SYSTEM,
			    "%s: %s", name, r == DP_EIO ? strerror(errno) : dp_strerror(r));
		}
		if (live != NULL && dp_plot_drawable(c) && (fresh >= DP_PLOT_ROWS ||
		    (r == DP_READ_TIMEOUT && fresh > 0))) {
			dp_plot_show(live);
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
	const int e = dp_spawn_read(open_input(name), &b, DP_PLOT_EXPLAIN_MAX);

	if (e == DP_EIO)
		dp_die(DP_EX_INPUT, "%s: %s", place(name), strerror(errno));
	if (e == DP_ENOMEM)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (e != 0)
		dp_die(DP_EX_INPUT, "%s: not what --explain prints", place(name));
	dp_plot_words(p, place(name), "--explain", &b);
	dp_buf_free(&b);
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

/* Several files are several charts, on the terminal or of one page. */
static void
check_several(const struct dp_own_value *v)
{
	static const struct {
		int own;
		const char *name, *why;
	} one[] = {
		{ DP_PLOT_TITLE, "--title", "each chart has its file's name" },
		{ DP_PLOT_EXPLAIN, "--explain", "it is of one command" },
		{ DP_PLOT_TRUE, "--true", "it is of one chart" },
		{ DP_PLOT_LIVE, "--live", "one chart is drawn again" },
	};
	const char *to = v[DP_PLOT_TO].text;
	size_t i;

	for (i = 0; i < sizeof one / sizeof one[0]; i++)
		if (v[one[i].own].text != NULL)
			dp_die(DP_EX_USAGE, "%s: refused with several files: %s; charts are added "
			    "to a page one by one with --add", one[i].name, one[i].why);
	if (to != NULL && !dp_plot_is_page(to))
		dp_die(DP_EX_USAGE, "--to: several files are several charts, of a page: "
		    "--to=FILE.html (parts of one table: cat FILE ... | dpplot)");
}

static void
check(const struct dp_own_value *v, char *const file[], int n)
{
	int i, inputs = 0;

	if (v[DP_PLOT_RUN].text != NULL && n == 0)
		dp_die(DP_EX_USAGE, "--run: a command must follow");
	if (v[DP_PLOT_RUN].text != NULL && v[DP_PLOT_EXPLAIN].text != NULL)
		dp_die(DP_EX_USAGE, "--explain: refused with --run, which asks the command");
	if (v[DP_PLOT_RANKS].text != NULL && (v[DP_PLOT_BARS].text != NULL ||
	    v[DP_PLOT_YLABEL].text != NULL))
		dp_die(DP_EX_USAGE, "--ranks: refused with --bars and --ylabel: places are no "
		    "numbers");
	if (v[DP_PLOT_RANKS].text != NULL && v[DP_PLOT_LAST].text != NULL)
		dp_die(DP_EX_USAGE, "--ranks: refused with --last");
	if ((v[DP_PLOT_RANKS].text != NULL || v[DP_PLOT_LAST].text != NULL) &&
	    v[DP_PLOT_TRUE].text != NULL)
		dp_die(DP_EX_USAGE, "--true: refused with --ranks and --last");
	for (i = 0; v[DP_PLOT_RUN].text == NULL && i < n; i++)
		inputs += is_dash(file[i]);
	inputs += n == 0;
	inputs += v[DP_PLOT_EXPLAIN].text != NULL && is_dash(v[DP_PLOT_EXPLAIN].text);
	inputs += v[DP_PLOT_TRUE].text != NULL && is_dash(v[DP_PLOT_TRUE].text);
	if (inputs > 1)
		dp_die(DP_EX_USAGE, "standard input is one file only, and is named twice");
	if (v[DP_PLOT_RUN].text == NULL && n > 1)
		check_several(v);
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

/* Placeholders for closed streams, so that later files get other numbers: writing there fails. */
static void
fill_descriptors(const char *to)
{
	int fd;

	if (to == NULL && fcntl(STDOUT_FILENO, F_GETFD) < 0)
		dp_die(DP_EX_SYSTEM, "standard output is closed");
	while ((fd = open("/dev/null", O_RDONLY)) >= 0 && fd <= STDERR_FILENO)
		;
	if (fd >= 0)
		(void)close(fd);
}

/* A limit on files' size is an error of write(2); not ignored, which commands would inherit. */
static void
too_large(int sig)
{
	(void)sig;
}

/* --size=WxH: pixels, or with characters columns and lines. */
static void
size(struct dp_plot *p, const char *text, bool pixels)
{
	const uint64_t least[] = { pixels ? 200 : 40, pixels ? 120 : 10 };
	const uint64_t most[] = { pixels ? 4000 : 500, pixels ? 4000 : 200 };
	char width[8] = "";
	const char *x = strchr(text, 'x');
	uint64_t w, h;

	if (x != NULL && (size_t)(x - text) < sizeof width)
		memcpy(width, text, (size_t)(x - text));
	if (x == NULL || dp_u64_parse(&w, width, least[0], most[0]) != 0 ||
	    dp_u64_parse(&h, x + 1, least[1], most[1]) != 0)
		dp_die(DP_EX_USAGE, "--size: '%s' is not WIDTHxHEIGHT in %s, %llux%llu to "
		    "%llux%llu", text, pixels ? "pixels" : "characters",
		    (unsigned long long)least[0], (unsigned long long)least[1],
		    (unsigned long long)most[0], (unsigned long long)most[1]);
	p->to.width = (unsigned)w;
	p->to.height = (unsigned)h;
}

/* The day of the page, UTC. */
static void
today(struct dp_plot *p)
{
	char text[DP_WHEN_TEXT + 1] = "";

	*dp_when_put(text, time(NULL), NULL) = '\0';
	snprintf(p->made, sizeof p->made, "%.10s", text);
	p->picture.made = p->made;
}

/* Options to what they say. */
static void
prepare(struct dp_plot *p, const struct dp_own_value *v, const char *title)
{
	const struct sigaction large = { .sa_handler = too_large };

	(void)sigaction(SIGXFSZ, &large, NULL);
	fill_descriptors(v[DP_PLOT_TO].text);
	p->live = v[DP_PLOT_LIVE].text != NULL;
	p->ranks = v[DP_PLOT_RANKS].text != NULL;
	p->last = v[DP_PLOT_LAST].text != NULL;
	p->picture.ylabel = v[DP_PLOT_YLABEL].text;
	p->picture.bars = v[DP_PLOT_BARS].text != NULL;
	p->data.header = p->truth.header = v[DP_PLOT_HEADER].text != NULL;
	p->picture.data = &p->data;
	p->picture.title = title != NULL ? title : v[DP_PLOT_TITLE].text;
	today(p);
	if (v[DP_PLOT_SIZE].text != NULL)
		size(p, v[DP_PLOT_SIZE].text, v[DP_PLOT_TO].text != NULL);
	p->to.add = v[DP_PLOT_ADD].text != NULL;
	if (p->to.add && v[DP_PLOT_TO].text == NULL)
		dp_die(DP_EX_USAGE, "--add: charts are added to a page: --to=FILE.html");
	dp_plot_to(p, v[DP_PLOT_TO].text);
	if (v[DP_PLOT_EXPLAIN].text != NULL)
		read_explain(p, v[DP_PLOT_EXPLAIN].text);
	if (v[DP_PLOT_TRUE].text != NULL)
		read_truth(p, v[DP_PLOT_TRUE].text);
}

#define EMPTY	"nothing to draw: every estimate is empty (of a mean: too few events to tell one)"

/*
 * There are rows, and none has an estimate; or, in a picture, the interval of one that is not told,
 * which gnuplot draws nowhere on a terminal.
 */
static bool
is_empty(const struct dp_chart *c, bool text)
{
	struct dp_chart_view v;
	const double *row;
	unsigned k;
	size_t i;

	if (c->seen == 0)
		return c->before != 0;
	dp_chart_look(c, &v);
	for (i = 0; i < dp_chart_drawn(c); i++)
		for (row = dp_chart_row(c, i), k = 0; k < v.series; k++)
			if (!isnan(row[v.at[k].est]) ||
			    (!text && v.at[k].lo >= 0 && !isnan(row[v.at[k].lo])))
				return false;
	return v.choice < 0 && v.series > 0;
}

/* One row without names, of several numbers: nobody knows whether the first is a step. */
static void
warn_step(const struct dp_chart *c)
{
	struct dp_chart_view v;

	if (c->seen != 1 || c->named || c->declared)
		return;
	dp_chart_look(c, &v);
	if (v.axis == DP_CHART_STEP && v.series > 0)
		dp_warn("the first number of the only line is taken for its step; if it is an "
		    "estimate, print with -o csv, or use dpplot --run");
}

/* Draws the rows that were read; a page's last one is put in its place with all before. */
static void
show(struct dp_plot *p, bool last, int status)
{
	if (status == 0 && is_empty(&p->data, p->picture.form == DP_PICTURE_TEXT))
		dp_die(DP_EX_INPUT, EMPTY);
	if (status == 0 && !dp_plot_drawable(&p->data))
		dp_die(DP_EX_INPUT, p->data.seen == 0 ? "nothing to draw" :
		    "nothing to draw: one name, and no number");
	warn_step(&p->data);
	p->to.unfinished = p->to.page && !last;
	if (dp_plot_drawable(&p->data))
		dp_plot_show(p);
}

/* Charts of several files. */
static void
show_files(struct dp_plot *p, char **file, int n)
{
	const bool header = p->data.header;
	int i;

	for (i = 0; i < n; i++) {
		p->data.header = header;
		p->picture.data = &p->data;
		p->picture.title = n > 1 ? place(file[i]) : p->picture.title;
		read_files(&p->data, file + i, 1, true, p->live ? p : NULL);
		show(p, i == n - 1, 0);
		dp_chart_free(&p->data);
		p->data = (struct dp_chart){ .seen = 0 };
	}
}

int
dp_plot_main(const struct dp_aside *tool, int argc, char **argv)
{
	static char dash[] = "-", *standard_input[] = { dash, NULL };
	struct dp_own_value v[DP_OWN_MAX];
	static struct dp_plot p;
	int n = dp_aside_parse(tool, v, argc, argv), status = 0;
	const bool run = v[DP_PLOT_RUN].text != NULL;
	char *command = NULL;

	check(v, argv + 1, n);
	if (run)
		command = words(argv + 1);
	p.picture.command = command;
	prepare(&p, v, v[DP_PLOT_TITLE].text == NULL ? command : NULL);
	if (run) {
		status = dp_plot_run(&p, argv + 1, n);
		show(&p, true, status);
		if (dp_plot_drawable(&p.data))
			dp_plot_ran();
	} else {
		show_files(&p, n == 0 ? standard_input : argv + 1, n == 0 ? 1 : n);
	}
	dp_chart_free(&p.data);
	dp_chart_free(&p.truth);
	dp_chart_free(&p.wide);
	dp_chart_free(&p.wide_truth);
	free(command);
	return status;
}
