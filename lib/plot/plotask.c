/*
 * plotask.c - dpplot --run: what a command says of itself before it runs.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"
#include "spawn.h"

#define LETTERS	"abcdefghijklmnopqrstuvwxyz"

int
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
	int e, fd, status;

	if (argv == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	argv[0] = command[0];
	argv[1] = option;
	memcpy(argv + 2, command + 1, (size_t)(n - 1) * sizeof *argv);
	fd = dp_plot_start(&pid, argv, -1, 0);
	if ((e = dp_spawn_read(fd, b, DP_PLOT_EXPLAIN_MAX)) == DP_EIO)
		dp_die(DP_EX_SYSTEM, "%s: %s", command[0], strerror(errno));
	if (e != 0)
		dp_die(DP_EX_INPUT, "%s %s: not what --explain prints", command[0], option);
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

static int64_t
member_number(struct json_object *o, const char *name)
{
	struct json_object *v;

	return json_object_object_get_ex(o, name, &v) ? json_object_get_int64(v) : 0;
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

	if (copy == NULL && *text != '\0')
		dp_die(DP_EX_SYSTEM, "out of memory");
	return copy;
}

/* Label of the numbers, for the axis: "of each step" is of each day, if steps are. */
static char *
axis_text(struct json_object *output)
{
	static const struct { int64_t seconds; const char *name; } unit[] = { { 60, "minute" },
	    { 3600, "hour" }, { 86400, "day" }, { 604800, "week" } };
	const char *text = member_text(output, "estimate"), *step = strstr(text, " each step");
	const int64_t bucket = member_number(output, "bucket");
	char *copy;
	size_t i = 0;

	while (i < sizeof unit / sizeof *unit && unit[i].seconds != bucket)
		i++;
	if (step == NULL || i == sizeof unit / sizeof *unit)
		return kept_text(output, "estimate");
	if (asprintf(&copy, "%.*s each %s%s", (int)(step - text), text, unit[i].name,
	    step + strlen(" each step")) < 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
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
	if (dp_chart_declare(&p->data, member_text(column, "name"), (enum dp_chart_part)i) != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
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
	const int64_t estimates = member_number(output, "estimates");
	struct json_object *columns;
	size_t i, n;

	if (!json_object_object_get_ex(output, "columns", &columns) ||
	    !json_object_is_type(columns, json_type_array))
		return;
	n = json_object_array_length(columns);
	if (strcmp(format, "long") == 0 || strcmp(format, "prometheus") == 0)
		dp_die(DP_EX_USAGE, "%s: -o %s is for other programs: leave it out, or give csv "
		    "or json%s", option, format, not_run);
	if (n > DP_CHART_COLUMNS_MAX || estimates > DP_CHART_COLUMNS_MAX)
		dp_die(DP_EX_USAGE, "%s: a line of the command has more columns than the %d that "
		    "are drawn%s", option, DP_CHART_COLUMNS_MAX, not_run);
	if (member_number(output, "rows") > DP_CHART_NAMES_MAX)
		dp_die(DP_EX_USAGE, "%s: the command prints more than the %d names that are "
		    "drawn%s", option, DP_CHART_NAMES_MAX, not_run);
	p->estimate = axis_text(output);
	p->plainly = kept_text(output, "plainly");
	p->picture.estimate = p->estimate;
	p->picture.plainly = p->plainly;
	p->picture.confidence = member_real(output, "confidence");
	p->picture.bucket = member_real(output, "bucket");
	p->data.heading = strcmp(format, "csv") == 0 || strcmp(format, "tsv") == 0;
	p->data.form = strcmp(format, "json") == 0 ? DP_CHART_JSON :
	    strcmp(format, "csv") == 0 ? DP_CHART_CSV : DP_CHART_TABS;
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
	if (b->error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
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

void
dp_plot_words(struct dp_plot *p, const char *place, const char *option, struct dp_buf *b)
{
	/* -H: the caller knows that there is a header */
	const size_t n = p->data.header ? b->n : take_last(p, option, b);

	dp_plot_explained(p, place, b->p, n);
}

/*
 * One word is all that a command is asked with, the one that is its contract: a script that knows
 * no other would take that for a run.  So the columns are asked for by the environment.
 */
void
dp_plot_ask(struct dp_plot *p, char **command, int n)
{
	struct dp_buf b = { .p = NULL };

	if (!p->data.header && setenv(DP_COLUMNS, "1", 1) != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	ask(command, n, &b);
	(void)unsetenv(DP_COLUMNS);
	dp_plot_words(p, command[0], "--run", &b);
	dp_buf_free(&b);
}
