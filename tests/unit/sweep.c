/* SPDX-License-Identifier: ISC */
/*
 * sweep.c - what every option does to every mechanism, for all/sweep.bats: of each command of a
 * list (tests/tool/plans.list), with each option of another (tests/tool/options.list) that is for
 * its tool, what a seeded run prints, and if that is the same what --explain prints of the
 * mechanism and its errors, and what either says on standard error.  Prints the pairs where nothing
 * differs, each a line: TOOL MECHANISM OPTION; and how many pairs there were.
 *
 *	sweep PLANS OPTIONS
 *
 * A tool's main() runs in a child of this process, which takes a tenth of a start.
 */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define TOOLS(X) X(dpcount) X(dpwindow) X(dpdecay) X(dpmean) X(dpquantile) X(dpmaxsum) \
	X(dpexperts) X(dpdistinct) X(dptop) X(dptransform) X(dplocal) X(dpproject) X(dpmap)

#define DECLARE(tool)	int	tool##_main(int, char **);
TOOLS(DECLARE)

#define MAIN(tool)	{ #tool, tool##_main },
static const struct tool {
	const char *name;
	int (*run)(int, char **);
} tools[] = { TOOLS(MAIN) };

#define NTOOLS	(sizeof tools / sizeof *tools)
#define WORDS	64
#define LINES	400
#define FIELDS	4

/* A line of options.list: tools, the option, with it, without it. */
static char *option[LINES][FIELDS], *plan[LINES];
static size_t noptions, nplans;

struct said {
	int status;
	char *out, *err;
};

static _Noreturn void
bad(const char *what)
{
	perror(what);
	exit(2);
}

static char *
slurp(int fd)
{
	const off_t n = lseek(fd, 0, SEEK_END);
	char *p = malloc((size_t)n + 1);

	if (p == NULL || pread(fd, p, (size_t)n, 0) != n)
		bad("what it said");
	p[n] = '\0';
	close(fd);
	return p;
}

/* Leaves out, up to an empty line, what begins a line so. */
static void
leave(char *text, const char *so)
{
	char *p = text, *end;

	while (p != NULL && strncmp(p, so, strlen(so)) != 0)
		p = (p = strchr(p, '\n')) == NULL ? NULL : p + 1;
	if (p != NULL && (end = strstr(p, "\n\n")) != NULL)
		memmove(p, end, strlen(end) + 1);
}

/* The tool with the words of all of these, blanks between them. */
static _Noreturn void
child(const struct tool *tool, const char *const text[static 3], const char *data)
{
	char *argv[WORDS + 1], *all, *word;
	int argc = 0;

	if (asprintf(&all, "%s %s %s %s", tool->name, text[0], text[1], text[2]) < 0)
		bad("words");
	for (word = strtok(all, " "); word != NULL && argc < WORDS; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	close(0);
	if (open(data, O_RDONLY) != 0)
		bad(data);
	optind = 0;
	exit(tool->run(argc, argv));
}

static struct said
run(const struct tool *tool, const char *base, const char *more, const char *last)
{
	const char *const text[3] = { base, more, last };
	struct said s;
	char data[64];
	int out = memfd_create("out", 0), err = memfd_create("err", 0), status;
	pid_t pid;

	snprintf(data, sizeof data, "%s.in", tool->name);
	fflush(stdout);
	if (out < 0 || err < 0 || (pid = fork()) < 0)
		bad("fork");
	if (pid == 0) {
		if (dup2(out, 1) != 1 || dup2(err, 2) != 2)
			bad("dup2");
		child(tool, text, data);
	}
	if (waitpid(pid, &status, 0) != pid)
		bad("waitpid");
	s.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
	s.out = slurp(out);
	leave(s.out, "Everything this command prints");
	leave(s.out, "eligible ");		/* other mechanisms */
	s.err = slurp(err);
	return s;
}

static void
forget(struct said *s)
{
	free(s->out);
	free(s->err);
}

static bool
same(const struct said *a, const struct said *b)
{
	return a->status == b->status && strcmp(a->out, b->out) == 0 &&
	    strcmp(a->err, b->err) == 0;
}

/* Without the option, which is the same for many: of a seeded run, and of --explain. */
static struct known {
	char *text;
	struct said said[2];
	bool has[2];
} known[LINES];
static size_t nknown;

static const char *const ways[2] = { "--seed=8", "--explain" };

static const struct said *
without(const struct tool *tool, const char *base, const char *more, int way)
{
	size_t i;

	for (i = 0; i < nknown && strcmp(known[i].text, more) != 0; i++)
		;
	if (i == nknown)
		known[nknown++] = (struct known){ .text = strdup(more) };
	if (!known[i].has[way])
		known[i].said[way] = run(tool, base, more, ways[way]);
	known[i].has[way] = true;
	return &known[i].said[way];
}

static void
forget_all(void)
{
	int way;

	for (; nknown > 0; nknown--) {
		free(known[nknown - 1].text);
		for (way = 0; way < 2; way++)
			if (known[nknown - 1].has[way])
				forget(&known[nknown - 1].said[way]);
	}
}

enum result { NOT_ASKED, REFUSED, DIFFERS, IGNORED };

static enum result
compare(const struct tool *tool, const char *base, char *const o[static FIELDS])
{
	enum result r = IGNORED;
	const struct said *a;
	struct said b;
	char *own;
	int way;

	if (asprintf(&own, " --%.*s", (int)strcspn(o[1], "="), o[1]) < 0)
		bad("words");
	if (strstr(base, own) != NULL)		/* it has it */
		r = NOT_ASKED;
	free(own);
	for (way = 0; way < 2 && r == IGNORED; way++) {
		a = without(tool, base, o[3], way);
		if (way == 0 && a->status != 0 && a->status != 4)	/* 4: more lines than -T */
			return NOT_ASKED;
		b = run(tool, base, o[2], ways[way]);
		if (b.status == 2)
			r = REFUSED;
		else if (!same(a, &b))
			r = DIFFERS;
		forget(&b);
	}
	return r;
}

static void
sweep_plan(const struct tool *tool, const char *base, const char *mech, size_t count[static 4])
{
	enum result r;
	size_t j;

	for (j = 0; j < noptions; j++) {
		if (fnmatch(option[j][0], tool->name, FNM_EXTMATCH) != 0 ||
		    strcmp(option[j][2], "-") == 0)
			continue;
		r = compare(tool, base, option[j]);
		count[r]++;
		if (r == IGNORED)
			printf("%s %s %s\n", tool->name, mech, option[j][1]);
	}
	forget_all();
}

static char *
read_all(const char *name)
{
	int fd = open(name, O_RDONLY);

	if (fd < 0)
		bad(name);
	return slurp(fd);
}

static void
read_lists(char **argv)
{
	char *line, *next, *field;
	int i;

	for (next = read_all(argv[1]); (line = strsep(&next, "\n")) != NULL; )
		if (strncmp(line, "holds\t", 6) == 0 && nplans < LINES)
			plan[nplans++] = line + 6;
	for (next = read_all(argv[2]); (line = strsep(&next, "\n")) != NULL; ) {
		if (*line == '#' || *line == '\0' || noptions == LINES)
			continue;
		for (i = 0; i < FIELDS; i++)
			option[noptions][i] = (field = strsep(&line, "\t")) != NULL ? field :
			    (char *)(uintptr_t)"";
		noptions++;
	}
}

static const struct tool *
tool_of(const char *command)
{
	size_t i, n = strcspn(command, " ");

	for (i = 0; i < NTOOLS; i++)
		if (strlen(tools[i].name) == n && strncmp(tools[i].name, command, n) == 0)
			return &tools[i];
	bad(command);
}

int
main(int argc, char **argv)
{
	size_t count[4] = { 0 }, i;

	if (argc != 3)
		return 2;
	setenv("LD_BIND_NOW", "1", 1);	/* or a tool that keeps memory private starts anew */
	read_lists(argv);
	for (i = 0; i < nplans; i++)
		sweep_plan(tool_of(plan[i]), strchr(plan[i], ' '), strstr(plan[i], " -M ") + 4,
		    count);
	printf("pairs %zu refused %zu differ %zu\n", count[REFUSED] + count[DIFFERS] +
	    count[IGNORED], count[REFUSED], count[DIFFERS]);
	return 0;
}
