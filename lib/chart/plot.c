/* SPDX-License-Identifier: ISC */
/*
 * plot.c - dpplot: rows from files, or from a command that it runs; a picture at the end, or live.
 */
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/out.h"
#include "input/record.h"
#include "input/spawn.h"
#include "job/options.h"
#include "internal.h"
#include "plot.h"

#define NOT_EXPLAINED	"not what --explain prints"
#define TOO_MANY_ROWS	"more rows than places are found among (--top=K, or longer steps, " \
	"print fewer)"

static void dp_plot_words(struct dp_plot *, const char *place, const char *option, struct dp_buf *);
static bool ends(const char *s, const char *suffix);
static void dp_plot_draw(struct dp_plot *, bool again);
static void dp_plot_rehearse(struct dp_plot *);
static void dp_plot_explained(struct dp_plot *, const char *place, const char *text, size_t n);
static int dp_plot_run(struct dp_plot *, char **command, int n);
static void dp_plot_ran(void);
static bool dp_plot_paid(void);

/*
 * Dpplot: rows from files, or from a command that it runs; a picture at the end, or live.
 */

static void
memory(bool enough)
{
	if (!enough)
		dp_die(DP_EX_SYSTEM, "out of memory");
}

static bool
is_dash(const char *name)
{
	return strcmp(name, "-") == 0;
}

static const char *
place_plot(const char *name)
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

static bool
begins(const struct dp_record *rec, const char *with)
{
	const size_t n = strlen(with);

	return rec->text.n >= n && memcmp(rec->text.p, with, n) == 0;
}

/*
 * One more line; names the file and the line if it is refused.  data: what is to be drawn, which at
 * its first lines may be found to be what a tool reads, not what one printed.
 */
static void
take_plot(struct dp_chart *c, const char *name, const struct dp_record *rec, bool data)
{
	const char *why = rec->too_long ? "too long" : c->why;
	const bool table = rec->number == 2 && begins(rec, "| ---");
	int e = rec->too_long || table ? DP_ESYNTAX : dp_chart_line(c, rec->text);

	memory(e != DP_ENOMEM);
	if (e != 0) {
		dp_warn("%s:%llu: %s", name, (unsigned long long)rec->number, table ?
		    "a table of Markdown" : why);
		if (table || begins(rec, "# TYPE "))
			dp_warn("-o markdown and -o prometheus are for other programs: -o csv, "
			    "-o tsv, -o json and -o long are drawn");
		else if (data && rec->number <= 2)
			dp_warn("to count a log and draw its counts: "
			    "dpplot --run TOOL OPTION ... FILE");
		exit(DP_EX_INPUT);
	}
}

/* false: a name with no number beside it, more likely a stray word than a tool's output. */
static bool
dp_plot_drawable(const struct dp_chart *c)
{
	return c->seen > 1 ||
	    (c->seen == 1 && (c->columns > 1 || c->column[0].kind != DP_CHART_TEXT));
}

/* Draws the rows that have come so far. */
static void
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

	memory(dp_reader_new(&reader, &rule) == 0);
	dp_reader_attach(reader, fd);
	while ((r = dp_reader_next(reader, &rec, live != NULL && fresh > 0 ? DP_PLOT_WAIT : -1)) !=
	    DP_READ_END) {
		if (r == DP_READ_RECORD) {
			take_plot(c, name, &rec, data);
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
		read_rows(c, fd, place_plot(file[i]), data, live);
		if (fd != STDIN_FILENO)
			(void)close(fd);
	}
}

/* All of a descriptor; not: what it is not, if it has more than `most' bytes. */
static void
slurp(int fd, struct dp_buf *b, size_t most, const char *place, int status, const char *not)
{
	const int e = dp_spawn_read(fd, b, most);

	if (e == DP_EIO)
		dp_die(status, "%s: %s", place, strerror(errno));
	memory(e != DP_ENOMEM);
	if (e != 0)
		dp_die(DP_EX_INPUT, "%s: %s", place, not);
}

static void
read_explain(struct dp_plot *p, const char *name)
{
	struct dp_buf b = { .p = NULL };

	slurp(open_input(name), &b, DP_PLOT_EXPLAIN_MAX, place_plot(name), DP_EX_INPUT,
	    NOT_EXPLAINED);
	dp_plot_words(p, place_plot(name), "--explain", &b);
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
	memory(b.error == 0);
	return b.p;
}

/* Several files are several charts, on the terminal or of one page. */
static void
check_several(const struct dp_own *own, const struct dp_own_value *v)
{
	static const int one[] = { DP_PLOT_TITLE, DP_PLOT_EXPLAIN, DP_PLOT_TRUE, DP_PLOT_LIVE };
	const char *to = v[DP_PLOT_TO].text;
	size_t i;

	for (i = 0; i < sizeof one / sizeof *one; i++)
		if (v[one[i]].text != NULL)
			dp_die(DP_EX_USAGE, "--%s: refused with several files: it is of one chart; "
			    "charts are added to a page one by one with --add", own[one[i]].name);
	if (to != NULL && !ends(to, ".html"))
		dp_die(DP_EX_USAGE, "--to: several files are several charts, of a page: "
		    "--to=FILE.html (parts of one table: cat FILE ... | dpplot)");
}

static void
check(const struct dp_own *own, const struct dp_own_value *v, char *const file[], int n)
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
		check_several(own, v);
}

static void
read_truth(struct dp_plot *p, const char *name)
{
	char *file = (char *)(uintptr_t)name;

	read_files(&p->truth, &file, 1, false, NULL);
	if (p->truth.seen == 0)
		dp_die(DP_EX_INPUT, "%s: nothing to draw", place_plot(name));
	p->picture.truth = &p->truth;
	p->truth_name = place_plot(name);
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
	p->picture.words.made = p->made;
}

#define UNIT_MAX	12		/* bytes of a unit that leave room for a number */

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
	p->picture.words.ylabel = v[DP_PLOT_YLABEL].text;
	p->picture.words.heading = v[DP_PLOT_HEADING].text;
	p->picture.told.unit = v[DP_PLOT_IN].text;
	p->picture.words.step = "step";
	if (v[DP_PLOT_IN].text != NULL && (v[DP_PLOT_IN].text[0] == '\0' ||
	    strlen(v[DP_PLOT_IN].text) > UNIT_MAX))
		dp_die(DP_EX_USAGE, "--in: '%s' has not 1 to %d bytes, as in B, ms, EUR",
		    v[DP_PLOT_IN].text, UNIT_MAX);
	p->picture.bars = v[DP_PLOT_BARS].text != NULL;
	p->data.header = p->truth.header = v[DP_PLOT_HEADER].text != NULL;
	p->picture.data = &p->data;
	p->picture.words.title = title != NULL ? title : v[DP_PLOT_TITLE].text;
	today(p);
	if (v[DP_PLOT_SIZE].text != NULL)
		size(p, v[DP_PLOT_SIZE].text, v[DP_PLOT_TO].text != NULL);
	p->to.add = v[DP_PLOT_ADD].text != NULL;
	if (p->to.add && v[DP_PLOT_TO].text == NULL)
		dp_die(DP_EX_USAGE, "--add: charts are added to a page: --to=FILE.html");
	dp_plot_to(p, v[DP_PLOT_TO].text);
	if (p->picture.words.heading != NULL && (p->to.form != DP_TO_PAGE || p->to.before.n > 0))
		dp_die(DP_EX_USAGE, "--heading: refused: %s", p->to.form != DP_TO_PAGE ?
		    "it is the title of a page: --to=FILE.html" :
		    "the page that the chart is added to has a title");
	if (v[DP_PLOT_EXPLAIN].text != NULL)
		read_explain(p, v[DP_PLOT_EXPLAIN].text);
	if (v[DP_PLOT_TRUE].text != NULL)
		read_truth(p, v[DP_PLOT_TRUE].text);
}

#define EMPTY	"nothing to draw: every estimate is empty (of a mean: too few events to tell " \
	"one; with --suppress: all are less)"

/*
 * There are rows, and none has an estimate.  A picture may still draw the interval of a missing
 * estimate; on a terminal nothing would be left to see.
 */
static bool
is_empty_plot(const struct dp_chart *c, bool text)
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
	/* no row of names is an answer, too */
	const bool none = p->data.seen == 0 && p->data.before == 0 &&
	    strcmp(p->data.row, "name") == 0;

	if (status == 0 && is_empty_plot(&p->data, p->to.form == DP_TO_TERMINAL))
		dp_die(DP_EX_INPUT, EMPTY);
	if (status == 0 && !none && !dp_plot_drawable(&p->data))
		dp_die(DP_EX_INPUT, p->data.seen == 0 ? "nothing to draw" :
		    "nothing to draw: one name, and no number");
	warn_step(&p->data);
	p->to.unfinished = p->to.form == DP_TO_PAGE && !last;
	if (none || dp_plot_drawable(&p->data))
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
		p->picture.words.title = n > 1 ? place_plot(file[i]) : p->picture.words.title;
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

	check(tool->own, v, argv + 1, n);
	if (run)
		command = words(argv + 1);
	p.picture.words.command = command;
	prepare(&p, v, v[DP_PLOT_TITLE].text == NULL ? command : NULL);
	if (run) {
		status = dp_plot_run(&p, argv + 1, n);
		show(&p, true, status);
		if (dp_plot_drawable(&p.data) && !p.refused)
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

/*
 * Dpplot --run: what a command says of itself before it runs.
 */

#define LETTERS	"abcdefghijklmnopqrstuvwxyz"

/* dp_spawn(), with a missing command as a usage error. */
static int
dp_plot_start(pid_t *pid, char **command, int in, unsigned flags)
{
	int fd = dp_spawn(pid, command, in, flags);

	if (fd < 0)
		dp_die(DP_EX_USAGE, "--run: %s: %s", command[0], strerror(errno));
	return fd;
}

/* Output of the command with one more option; ends the run if it refuses. */
static void
ask(char **command, int n, struct dp_buf *b)
{
	static char option[] = "--explain";
	char **argv = calloc((size_t)n + 2, sizeof *argv);
	pid_t pid;
	int status;

	memory(argv != NULL);
	argv[0] = command[0];
	argv[1] = option;
	memcpy(argv + 2, command + 1, (size_t)(n - 1) * sizeof *argv);
	slurp(dp_plot_start(&pid, argv, -1, 0), b, DP_PLOT_EXPLAIN_MAX, command[0], DP_EX_SYSTEM,
	    NOT_EXPLAINED);
	free(argv);
	if ((status = dp_spawn_wait(pid)) != 0)
		exit(status);		/* it has said why */
}

static const char *
member_text(struct json_object *o, const char *name)
{
	struct json_object *v;

	return json_object_object_get_ex(o, name, &v) && json_object_is_type(v, json_type_string) ?
	    json_object_get_string(v) : "";
}

static double
member_real(struct json_object *o, const char *name)
{
	struct json_object *v;

	return json_object_object_get_ex(o, name, &v) ? json_object_get_double(v) : 0;
}

/* A copy; NULL: there is none. */
static char *
kept_text(struct json_object *o, const char *name)
{
	const char *text = member_text(o, name);
	char *copy = *text == '\0' ? NULL : strdup(text);

	memory(copy != NULL || *text == '\0');
	return copy;
}

static void
declare(struct dp_plot *p, struct json_object *column)
{
	static const char *const kind[] = { [DP_CHART_IS_STEP] = "step",
	    [DP_CHART_IS_TIME] = "time", [DP_CHART_IS_ESTIMATE] = "estimate",
	    [DP_CHART_IS_LOW] = "lo", [DP_CHART_IS_HIGH] = "hi", [DP_CHART_IS_NAME] = "name",
	    [DP_CHART_IS_CHOICE] = "choice", [DP_CHART_IS_OTHER] = "other" };
	const char *its = member_text(column, "kind");
	size_t i = 0;

	while (i < DP_CHART_IS_OTHER && strcmp(kind[i], its) != 0)
		i++;
	memory(dp_chart_declare(&p->data, member_text(column, "name"), (enum dp_chart_part)i) == 0);
}

/* A page that nobody has named is headed by what its numbers are: its command stands at its end. */
static void
head_page(struct dp_plot *p)
{
	const char *said = p->picture.words.ylabel != NULL ? p->picture.words.ylabel :
	    p->estimate;

	if (p->to.form != DP_TO_PAGE || said == NULL ||
	    p->picture.words.title != p->picture.words.command)
		return;
	memory((p->heading = strdup(said)) != NULL);
	if (p->heading[0] >= 'a' && p->heading[0] <= 'z')
		p->heading[0] = (char)(p->heading[0] - 'a' + 'A');
	p->picture.words.title = p->heading;
	p->picture.words.headed = true;
}

/*
 * The columns, before a command runs, so that an impossible picture costs no privacy. option: the
 * one by which they are known.
 */
static void
take_columns(struct dp_plot *p, const char *option, struct json_object *output)
{
	const char *not_run = strcmp(option, "--run") == 0 ? ": not started" : "";
	const char *format = member_text(output, "format"), *row = member_text(output, "row");
	const double estimates = member_real(output, "estimates");
	const double rows = strcmp(format, "long") == 0 ? estimates : member_real(output,
	    "rows");
	struct json_object *columns, *range;
	size_t i, n;

	if (!json_object_object_get_ex(output, "columns", &columns) ||
	    !json_object_is_type(columns, json_type_array))
		return;
	n = json_object_array_length(columns);
	if (strcmp(format, "prometheus") == 0 || strcmp(format, "markdown") == 0)
		dp_die(DP_EX_USAGE, "%s: -o %s is for other programs: leave it out, or give csv "
		    "or json%s", option, format, not_run);
	if (n > DP_CHART_COLUMNS_MAX || estimates > DP_CHART_COLUMNS_MAX)
		dp_die(DP_EX_USAGE, "%s: a line of the command has more columns than the %d that "
		    "are drawn (give fewer --keys or --bins, or leave -B out)%s", option,
		    DP_CHART_COLUMNS_MAX, not_run);
	if (strcmp(format, "long") == 0 && member_real(output, "names") != 0)
		dp_die(DP_EX_USAGE, "%s: -o long of a name that leads has no number to draw: "
		    "leave it out, or give csv or json%s", option, not_run);
	if ((p->ranks || p->last) && rows > 0 &&
	    member_real(output, "steps") > DP_CHART_LONG_MAX / rows)
		dp_die(DP_EX_USAGE, "%s: " TOO_MANY_ROWS "%s", p->ranks ? "--ranks" : "--last",
		    not_run);
	if (member_real(output, "rows") > DP_CHART_NAMES_MAX)
		dp_die(DP_EX_USAGE, "%s: the command prints more than the %d names that are "
		    "drawn%s", option, DP_CHART_NAMES_MAX, not_run);
	if (p->data.header)
		return;		/* -H: the caller knows the columns */
	if ((p->estimate = kept_text(output, "said")) == NULL)
		p->estimate = kept_text(output, "estimate");
	p->plainly = kept_text(output, "plainly");
	p->picture.words.estimate = p->estimate;
	head_page(p);
	p->picture.words.plainly = p->plainly;
	p->picture.told.confidence = member_real(output, "confidence");
	p->data.line.sampled = member_real(output, "sampling") != 0;
	p->picture.told.bucket = member_real(output, "bucket");
	p->picture.told.running = member_real(output, "running") != 0;
	p->picture.told.suppress = member_real(output, "suppress");
	p->picture.told.totals = member_real(output, "totals") != 0;
	p->picture.told.others = member_real(output, "others") != 0;
	if ((p->step = kept_text(output, "step")) != NULL)
		p->picture.words.step = p->step;
	if (p->picture.told.unit == NULL)
		p->picture.told.unit = member_real(output, "share") != 0 ? DP_SHARE :
		    (p->unit = kept_text(output, "unit"));
	if (json_object_object_get_ex(output, "range", &range) &&
	    json_object_is_type(range, json_type_array)) {
		p->picture.told.lo = json_object_get_double(json_object_array_get_idx(range, 0));
		p->picture.told.hi = json_object_get_double(json_object_array_get_idx(range, 1));
	}
	p->data.form = strcmp(format, "json") == 0 ? DP_CHART_JSON : strcmp(format, "csv") == 0 ||
	    strcmp(format, "long") == 0 ? DP_CHART_CSV : DP_CHART_TABS;
	p->data.heading = p->data.form == DP_CHART_CSV || strcmp(format, "tsv") == 0;
	if (strlen(row) < sizeof p->data.row && row[strspn(row, LETTERS)] == '\0')
		strcpy(p->data.row, row);
	for (i = 0; i < n; i++)
		declare(p, json_object_array_get_idx(columns, i));
}

/*
 * The columns are the last line of what was printed; returns the length of what is before it.  A
 * command that says nothing of them is another program: they are guessed.
 */
static size_t
take_last(struct dp_plot *p, const char *option, struct dp_buf *b)
{
	const size_t n = b->n;
	struct json_object *o, *output;
	size_t at = n > 0 ? n - 1 : 0;

	dp_buf_add(b, "", 1);
	memory(b->error == 0);
	while (at > 0 && b->p[at - 1] != '\n')
		at--;
	o = json_tokener_parse(b->p + at);
	if (o == NULL || !json_object_object_get_ex(o, "output", &output))
		at = n;
	else
		take_columns(p, option, output);
	json_object_put(o);
	return at;
}

/*
 * Takes the text that --explain printed and, if its last line has them (DP_COLUMNS), the columns.
 * place, option: for messages.
 */
static void
dp_plot_words(struct dp_plot *p, const char *place, const char *option, struct dp_buf *b)
{
	/* -H: the caller knows that there is a header; what is not drawn is refused all the same */
	const size_t n = p->data.header && strcmp(option, "--run") != 0 ? b->n :
	    take_last(p, option, b);

	dp_plot_explained(p, place, b->p, n);
}

/*
 * Asks the command, once, for its guarantee and, if it tells them, its columns.  One word is all
 * that a command is asked with, the one that is its contract: a script that knows no other would
 * take that for a run.  So the columns are asked for by the environment.
 */
static void
dp_plot_ask(struct dp_plot *p, char **command, int n)
{
	struct dp_buf b = { .p = NULL };

	if (setenv(DP_COLUMNS, "1", 1) != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	ask(command, n, &b);
	(void)unsetenv(DP_COLUMNS);
	dp_plot_words(p, command[0], "--run", &b);
	dp_buf_free(&b);
}

/*
 * Which chart is drawn of the rows that have come.
 */

/* Refused; but what is paid for is drawn without the option, and kept besides. */
static void
refuse(struct dp_plot *p, const char *what, const char *why)
{
	if (!dp_plot_paid())
		dp_die(DP_EX_INPUT, "%s: %s", what, why);
	dp_warn("%s: %s: drawn without it", what, why);
	p->refused = true;
}

static void
refuse_truth(struct dp_plot *p)
{
	refuse(p, p->truth_name, "its columns are not those of the estimates");
	p->picture.truth = NULL;
}

static void
refuse_ranks(struct dp_plot *p, const char *what, const char *why)
{
	refuse(p, what, why);
	p->ranks = p->last = p->picture.bars = false;
}

/* Checks that the truth has the columns that are drawn. */
static void
dp_plot_check_truth(struct dp_plot *p)
{
	struct dp_chart_view a, b;

	if (p->picture.truth == NULL)
		return;
	dp_chart_look(&p->data, &a);
	dp_chart_look(&p->truth, &b);
	if ((a.axis == DP_CHART_DATE) != (b.axis == DP_CHART_DATE) ||
	    (a.axis == DP_CHART_NAME) != (b.axis == DP_CHART_NAME) ||
	    (a.series == 0) != (b.series == 0) || (p->data.declared && a.x >= 0 &&
	    a.choice >= 0 && a.series > 0 && p->data.column[a.choice].part == DP_CHART_IS_NAME &&
	    !dp_chart_is_long(&p->truth) && !dp_chart_is_row(&p->truth)))
		refuse_truth(p);
}

/* --ranks, --last: checks that there are names. */
static void
dp_plot_check_ranks(struct dp_plot *p)
{
	struct dp_chart_view v;

	dp_chart_look(&p->data, &v);
	if (p->picture.bars && v.choice >= 0 && v.axis != DP_CHART_NAME && !p->last)
		refuse_ranks(p, "--bars", "names of several steps are no bars: --last");
	if (p->last && v.choice >= 0 && v.axis != DP_CHART_NAME && !dp_chart_is_long(&p->data))
		refuse_ranks(p, "--last", "a name leads, and is alone: --ranks shows who led "
		    "when");
	if ((p->ranks || p->last) && v.choice < 0 && v.series < 2)
		refuse_ranks(p, p->ranks ? "--ranks" : "--last", "for several names, and there "
		    "are none");
}

/* When the last step is, for those who read of it alone. */
static void
set_when(struct dp_plot *p, const struct dp_chart_view *v)
{
	p->picture.last.is = v->x >= 0;
	if (v->x < 0)
		return;
	p->picture.last.at = dp_chart_row(&p->data, dp_chart_drawn(&p->data) - 1)[v->x];
	p->picture.last.step = p->data.column[v->x].kind != DP_CHART_TIME;
	if (p->picture.last.step && p->picture.last.at == 1 && !p->picture.told.running)
		p->picture.last.is = false;	/* the only one, of --once */
}

/* --ranks, --last: false: it is drawn as it is, as bars of one time. */
static bool
take_places(struct dp_plot *p)
{
	struct dp_chart_view v;
	int e;

	dp_plot_check_ranks(p);
	dp_chart_look(&p->data, &v);
	if (v.choice >= 0 && p->data.stride > 1 && dp_chart_is_long(&p->data))
		refuse_ranks(p, p->ranks ? "--ranks" : "--last", TOO_MANY_ROWS);
	if (!p->ranks && !p->last)
		return false;
	if (v.choice >= 0 && !dp_chart_is_long(&p->data)) {
		p->picture.leads = p->ranks && v.axis != DP_CHART_NAME;
		return p->picture.leads;
	}
	e = p->ranks ? dp_chart_pivot(&p->wide, &p->data, NULL, true) :
	    dp_chart_last(&p->wide, &p->data, true);
	if (e != 0)
		dp_die(e == DP_ENOMEM ? DP_EX_SYSTEM : DP_EX_INPUT, e == DP_ENOMEM ?
		    "out of memory" : "nothing to draw: no name has a number");
	p->picture.ranked = p->ranks;
	p->picture.data = &p->wide;
	p->picture.numbers = &p->data;
	if (p->last)
		set_when(p, &v);
	return true;
}

/* A table by category, of one step: bars of the categories, as there is no time to draw it by. */
static bool
take_row(struct dp_plot *p)
{
	struct dp_chart_view v;
	int e;

	if (p->picture.bars || !dp_chart_is_row(&p->data) ||
	    (p->picture.truth != NULL && !dp_chart_is_row(&p->truth)))
		return false;
	dp_chart_look(&p->data, &v);
	/* a table has its own order, and its totals behind it */
	e = dp_chart_last(&p->wide, &p->data, !p->picture.told.totals &&
	    !dp_chart_has_order(&p->data));
	if (e == 0 && p->picture.truth != NULL) {
		e = dp_chart_last(&p->wide_truth, &p->truth, false);
		p->picture.truth = &p->wide_truth;
	}
	memory(e != DP_ENOMEM);
	if (e != 0)
		return false;
	p->picture.data = &p->wide;
	p->picture.numbers = &p->data;
	set_when(p, &v);
	return true;
}

#define CROWD	(2 * DP_SERIES)		/* lines that nobody tells apart */

/* Names with a column each, more than can be told apart. */
static bool
is_crowded(const struct dp_plot *p, const struct dp_chart_view *v)
{
	return v->choice < 0 && v->series > CROWD && p->data.seen > 1 && !p->picture.bars &&
	    !dp_chart_has_order(&p->data);
}

/* Sets the charts to draw: a long chart becomes columns for its largest names. */
static void
dp_plot_charts(struct dp_plot *p)
{
	struct dp_chart_view v;

	dp_chart_look(&p->data, &v);
	if (v.axis == DP_CHART_NAME && v.x >= 0 && p->data.column[v.x].kind == DP_CHART_TIME)
		set_when(p, &v);
	p->picture.data = &p->data;
	p->picture.numbers = NULL;
	p->picture.told.sampling = p->data.line.sampled;
	if (p->data.seen == 0)
		return;
	if (p->picture.bars)
		dp_plot_check_ranks(p);
	if ((p->ranks || p->last) && take_places(p))
		return;
	if (take_row(p) || (!dp_chart_is_long(&p->data) && !is_crowded(p, &v)))
		return;
	memory(dp_chart_pivot(&p->wide, &p->data, NULL, false) == 0);
	p->picture.data = &p->wide;
	p->picture.numbers = &p->data;
	if (p->picture.truth == NULL)
		return;
	if (!is_crowded(p, &v) && !dp_chart_is_long(&p->truth)) {
		refuse_truth(p);
		return;
	}
	memory(dp_chart_pivot(&p->wide_truth, &p->truth, &p->wide, false) == 0);
	p->picture.truth = &p->wide_truth;
}

/*
 * A picture on the terminal, or in a file that is there whole or not at all.
 */

#define WIDTH	960	/* pixels */
#define HEIGHT	480
#define PAGE_WIDTH	840		/* of a page's picture: letters of 11 on a tablet */
#define PAGE_HEIGHT	300
#define NARROW_WIDTH	340		/* of the one for telephones */
#define NARROW_HEIGHT	240
#define PICTURE_MAX	((size_t)1 << 30)	/* bytes */
#define PAGE_MAX	((size_t)1 << 28)
#define NO_PAGE		"not a page that this dpplot has made, so that nothing can be added to it"

static char convert[] = "rsvg-convert";

static _Noreturn void
no_convert(void)
{
	if (errno == ENOENT)
		dp_die(DP_EX_SYSTEM, "rsvg-convert is not there, and makes PNG and PDF of charts "
		    "(Debian's package is librsvg2-bin); --to=FILE.svg needs nothing");
	dp_die(DP_EX_SYSTEM, "rsvg-convert: %s", strerror(errno));
}

/* What a file's name says that it becomes. */
static const struct { const char *suffix; enum dp_to form; } forms[] = { { ".svg", DP_TO_SVG },
    { ".png", DP_TO_PNG }, { ".pdf", DP_TO_PDF }, { ".html", DP_TO_PAGE },
    { ".vl.json", DP_TO_VEGA } };

static bool
ends(const char *s, const char *suffix)
{
	const size_t n = strlen(s), k = strlen(suffix);

	return n > k && strcmp(s + n - k, suffix) == 0 && s[n - k - 1] != '/';
}

/* --add: the page that is there, if one is. */
static void
page_before(struct dp_plot *p)
{
	int fd;

	if (p->to.form != DP_TO_PAGE)
		dp_die(DP_EX_USAGE, "--add: charts are added to a page: --to=FILE.html");
	if ((fd = open(p->to.name, O_RDONLY | O_CLOEXEC)) < 0) {
		if (errno == ENOENT)
			return;
		dp_die(DP_EX_SYSTEM, "%s: %s", p->to.name, strerror(errno));
	}
	slurp(fd, &p->to.before, PAGE_MAX, p->to.name, DP_EX_SYSTEM, NO_PAGE);
	if (!dp_picture_is_page((struct dp_slice){ p->to.before.p, p->to.before.n }))
		dp_die(DP_EX_INPUT, "%s: " NO_PAGE, p->to.name);
}

void
dp_plot_to(struct dp_plot *p, const char *to)
{
	const size_t n = sizeof forms / sizeof *forms;
	bool page;
	struct stat st;
	size_t i = 0;

	p->to.name = to;
	if (to != NULL) {
		while (i + 1 < n && !ends(to, forms[i].suffix))
			i++;
		if (!ends(to, forms[i].suffix))
			dp_die(DP_EX_USAGE, "--to: '%s' must end in .svg, .png, .pdf, .html or "
			    ".vl.json", to);
		p->to.form = forms[i].form;
		page = p->picture.page = p->to.form == DP_TO_PAGE;
		p->picture.width = p->to.width != 0 ? p->to.width : page ? PAGE_WIDTH : WIDTH;
		p->picture.height = p->to.height != 0 ? p->to.height : page ? PAGE_HEIGHT :
		    HEIGHT;
		if (stat(to, &st) == 0 && S_ISDIR(st.st_mode))
			dp_die(DP_EX_SYSTEM, "%s: %s", to, strerror(EISDIR));
		if (dp_replace_check(to) != 0)
			dp_die(DP_EX_SYSTEM, "%s: %s", to, strerror(errno));
	}
	if (p->to.add)
		page_before(p);
	dp_plot_rehearse(p);
}

/* Lines and columns that the environment names; 0: absent, or an absurd number. */
static unsigned
environment(const char *name)
{
	const char *text = getenv(name);
	uint64_t n;

	return text != NULL && dp_u64_parse(&n, text, 1, 1000) == 0 ? (unsigned)n : 0;
}

/* A terminal's size, one line less for the prompt; else what the environment says, else 80x24. */
static void
text_size(struct dp_plot *p)
{
	unsigned width = environment("COLUMNS"), height = environment("LINES");
	struct winsize w;

	if (p->to.width != 0) {
		p->picture.width = p->to.width;
		p->picture.height = p->to.height;
		return;
	}
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 && w.ws_row > 1) {
		width = w.ws_col;
		height = w.ws_row - 1;
	}
	width = width == 0 ? 80 : width < 40 ? 40 : width;
	height = height == 0 ? 24 : height < 10 ? 10 : height;
	p->picture.width = width > 500 ? 500 : width;
	p->picture.height = height > 200 ? 200 : height;
}

/* The first of the variables that say so names an encoding of Unicode. */
static bool
is_unicode(void)
{
	static const char *const name[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *text;
	size_t i;

	for (i = 0; i < sizeof name / sizeof *name; i++)
		if ((text = getenv(name[i])) != NULL && *text != '\0')
			return strcasestr(text, "utf-8") != NULL ||
			    strcasestr(text, "utf8") != NULL;
	return false;
}

/* Characters and colours of the terminal. */
static void
text_form(struct dp_plot *p)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM"), *full = getenv("COLORTERM");

	p->picture.text.on = true;
	p->picture.text.ascii = !is_unicode();
	if (!isatty(STDOUT_FILENO) || (no != NULL && *no != '\0') || term == NULL ||
	    strcmp(term, "dumb") == 0)
		return;
	p->picture.text.colours = full != NULL && (strcmp(full, "truecolor") == 0 ||
	    strcmp(full, "24bit") == 0) ? 1u << 24 : 16;
}

/* Each line over the one that was there. */
static void
over(struct dp_buf *b)
{
	struct dp_buf lines = *b;
	const char *s = lines.p, *e = s + lines.n, *end;

	*b = (struct dp_buf){ .p = NULL };
	dp_buf_puts(b, "\033[H");
	for (; s < e; s = end + 1) {
		end = memchr(s, '\n', (size_t)(e - s));
		dp_buf_add(b, s, (size_t)(end - s));
		dp_buf_puts(b, "\033[K\n");
	}
	dp_buf_puts(b, "\033[J");
	dp_buf_free(&lines);
}

/* The picture as its form has it. */
static void
draw(struct dp_plot *p, struct dp_buf *to)
{
	struct dp_figure f;

	dp_buf_reset(to);
	memory(dp_figure_make(&f, &p->picture) == 0);
	if (p->to.form == DP_TO_VEGA)
		dp_vega(to, &f);
	else
		dp_figure_draw(to, &f, p->to.form == DP_TO_TERMINAL ? &dp_term : &dp_svg);
	dp_figure_free(&f);
	memory(to->error == 0);
}

/* Of an SVG a PNG, with two dots for each pixel, or a PDF. */
static void
converted(struct dp_plot *p, const struct dp_buf *svg, struct dp_buf *to)
{
	static char zoom[] = "--zoom=2", png[] = "--format=png", pdf[] = "--format=pdf",
	    unlimited[] = "--unlimited";
	char *argv[] = { convert, unlimited, p->to.form == DP_TO_PDF ? pdf : png,
	    p->to.form == DP_TO_PDF ? NULL : zoom, NULL };
	pid_t pid;
	int in, out, e;

	dp_buf_reset(to);
	if ((in = dp_spawn_text(svg->p, svg->n)) < 0)
		dp_die(DP_EX_SYSTEM, "%s", strerror(errno));
	if ((out = dp_spawn(&pid, argv, in, DP_SPAWN_APART)) < 0)
		no_convert();
	(void)close(in);
	p->child = pid;
	e = dp_spawn_read(out, to, PICTURE_MAX);
	p->child = 0;
	if (dp_spawn_wait(pid) != 0 || e != 0 || to->n == 0)
		dp_die(DP_EX_SYSTEM, "rsvg-convert draws nothing");
}

/*
 * Draws a made-up picture that is not kept, so that a program that is missing or fails shows before
 * anything is read or run.
 */
static void
dp_plot_rehearse(struct dp_plot *p)
{
	struct dp_chart made_up = { .header = false };
	const struct dp_picture picture = p->picture;

	if (p->to.form != DP_TO_PNG && p->to.form != DP_TO_PDF)
		return;
	memory(dp_chart_line(&made_up, (struct dp_slice){ "1", 1 }) == 0);
	p->picture.data = &made_up;
	draw(p, &p->svg.wide);
	converted(p, &p->svg.wide, &p->out);
	p->picture = picture;
	dp_chart_free(&made_up);
}

/* A picture for a telephone, unless it has been made for one. */
static void
draw_narrow(struct dp_plot *p)
{
	const unsigned width = p->picture.width, height = p->picture.height;

	dp_buf_reset(&p->svg.narrow);
	if (width <= NARROW_WIDTH)
		return;
	p->picture.width = NARROW_WIDTH;
	p->picture.height = NARROW_HEIGHT;
	draw(p, &p->svg.narrow);
	p->picture.width = width;
	p->picture.height = height;
}

/* The page with its new chart. */
static void
draw_page(struct dp_plot *p)
{
	struct dp_figure f;

	draw_narrow(p);
	memory(dp_figure_make(&f, &p->picture) == 0);
	dp_picture_page(&p->out, &f, (struct dp_slice){ p->svg.wide.p, p->svg.wide.n },
	    (struct dp_slice){ p->svg.narrow.p, p->svg.narrow.n }, p->more,
	    (struct dp_slice){ p->to.before.p, p->to.before.n });
	dp_figure_free(&f);
}

/* again: draws over the previous picture, on a terminal. */
static void
dp_plot_draw(struct dp_plot *p, bool again)
{
	struct dp_buf *out = &p->out;

	dp_plot_check_truth(p);
	dp_plot_charts(p);
	dp_buf_reset(out);
	p->picture.words.caption = p->caption;
	if (p->to.form == DP_TO_TERMINAL) {
		text_size(p);
		text_form(p);
	}
	draw(p, &p->svg.wide);
	if (p->to.form == DP_TO_PNG || p->to.form == DP_TO_PDF)
		converted(p, &p->svg.wide, out);
	else if (p->to.form == DP_TO_PAGE)
		draw_page(p);
	else
		out = &p->svg.wide;
	if (again)
		over(out);
	memory(out->error == 0);
	if (p->to.unfinished) {
		dp_buf_free(&p->to.before);
		p->to.before = p->out;
		p->out = (struct dp_buf){ .p = NULL };
		return;
	}
	if (p->to.name != NULL && dp_replace(p->to.name, out->p, out->n) != 0)
		dp_die(DP_EX_SYSTEM, "%s: %s", p->to.name, strerror(errno));
	if (p->to.name == NULL && dp_write_all(STDOUT_FILENO, out->p, out->n) != 0)
		dp_die(DP_EX_SYSTEM, "standard output: %s", strerror(errno));
}

/*
 * Takes the caption and more from the text that --explain printed.  The caption is what stands
 * before the table of estimates, and each later line that says that something is not private.
 */
static void
dp_plot_explained(struct dp_plot *p, const char *place, const char *words, size_t n)
{
	struct dp_buf b = { .p = NULL };
	const char *table, *s, *e;

	if (n == 0 || words[0] == '{' || memchr(words, '\0', n) != NULL)
		dp_die(DP_EX_INPUT, "%s: " NOT_EXPLAINED, place);
	memory((p->more = strndup(words, n)) != NULL);
	table = strstr(p->more, "\nestimates ");
	e = table == NULL ? p->more + n : table;
	for (; e > p->more && e[-1] == '\n'; e--)
		;
	dp_buf_add(&b, p->more, (size_t)(e - p->more));
	for (s = table; s != NULL && *s != '\0'; s = *e == '\0' ? e : e + 1) {
		e = s + strcspn(s, "\n");
		if (memmem(s, (size_t)(e - s), "NOT PRIVATE", 11) == NULL)
			continue;
		s += strncmp(s, "assumed:", 8) == 0 ? 8 : 0;
		s += strspn(s, " ");
		dp_buf_puts(&b, "\n");
		dp_buf_add(&b, s, (size_t)(e - s));
	}
	dp_buf_add(&b, "", 1);
	memory(b.error == 0);
	p->caption = b.p;
}

/*
 * Dpplot --run: see plot.h.
 */

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

/* The command ends, and what it printed is drawn; once more, and rsvg-convert ends too. */
static void
stop(int sig)
{
	const int saved = errno;

	if (stopped != 0 && run.plot->child > 0)
		(void)kill(run.plot->child, SIGKILL);
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
	int e = dp_chart_line(&p->data, (struct dp_slice){ run.lines.p + run.taken,
	    n });

	run.number++;
	memory(e != DP_ENOMEM);
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

	while ((newline = memchr(run.lines.p + run.taken, '\n',
	    run.lines.n - run.taken)) != NULL) {
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

/*
 * plot.c: --run.  The command is asked, then runs, and its output becomes rows.  Every byte of
 * that output is kept until dp_plot_ran(); an earlier exit(3) prints the bytes kept.
 */
/* Returns the command's exit status. */
static int
dp_plot_run(struct dp_plot *p, char **command, int n)
{
	pid_t pid;
	int status;

	dp_plot_ask(p, command, n);
	if (p->data.declared) {
		dp_plot_check_truth(p);
		dp_plot_check_ranks(p);
	}
	run.plot = p;
	run.sink = run.fd = -1;
	memory(atexit(salvage) == 0);
	catch_signals();
	run.fd = dp_plot_start(&pid, command, STDIN_FILENO, 0);
	run.pid = pid;
	if (stopped != 0)		/* by a signal that came before its number was known */
		(void)kill(pid, stopped);
	run.owed = true;
	read_lines(p, command[0]);
	status = dp_spawn_wait(pid);
	run.pid = 0;
	if (run.lines.n > run.taken && status ==
	    0)	/* else it is a piece of a line */
		take_line(p, command[0], run.lines.n - run.taken);
	return status;
}

/* True: a command runs, or ran, whose output is not drawn yet. */
static bool
dp_plot_paid(void)
{
	return run.owed;
}

/* After the last picture is in its place: dies of a signal that came meanwhile. */
static void
dp_plot_ran(void)
{
	run.owed = false;
	dp_buf_free(&run.lines);
	if (stopped == 0)
		return;
	(void)signal(stopped, SIG_DFL);
	(void)raise(stopped);
}
