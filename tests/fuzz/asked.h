/* SPDX-License-Identifier: ISC */
/*
 * asked.h - the tools' own tables and checks of options, in a target's process: each tool's main()
 * calls dp_tool_main(), which is this one.  It does all that a run does until it plans, opens
 * nothing, and takes the head of a state from memory.
 */
#ifndef DP_FUZZ_ASKED_H
#define DP_FUZZ_ASKED_H

#include <getopt.h>

#include "escape.h"
#include "run/driver.h"
#include "store/internal.h"

#define WORDS	64

#define TOOLS(X) X(dpcount) X(dpwindow) X(dpdecay) X(dpmean) X(dpquantile) X(dpmaxsum) \
	X(dpexperts) X(dpdistinct) X(dptop) X(dptransform) X(dplocal) X(dpproject) X(dpmap)

#define DECLARE(tool)	int	tool##_main(int, char **);
TOOLS(DECLARE)

#define MAIN(tool)	{ #tool, tool##_main },
static const struct asked {
	const char *name;
	int (*run)(int, char **);
} asked[] = { TOOLS(MAIN) };

#define ASKED	(sizeof asked / sizeof *asked)

static bool accepted;			/* all of the words, and the head */
static const char *asked_head;		/* NULL: there is none */
/* What else is to be done with accepted ones, of this run; NULL: nothing */
static void (*asked_then)(struct dp_run *);
static struct dp_options o;
static struct dp_run asked_run;

static void
asked_kept(void *r, struct dp_options *options)
{
	dp_job_adopt(r, options, asked_head);
}

int
dp_tool_main(const struct dp_tool *tool, int argc, char **argv)
{
	char text[DP_NEIGHBOURS], unit[DP_PROTECTED];
	struct dp_run *r = &asked_run;
	const struct dp_completion others = { r, asked_head != NULL ? asked_kept : NULL, NULL };

	r->o = &o;
	r->tool = tool;
	(void)dp_options_pan(tool, argc, argv);
	dp_options_parse(&o, tool, argc, argv);
	if (o.keep.show || o.keep.move != NULL || (o.keep.state != NULL) != (asked_head != NULL))
		return DP_EX_OK;
	r->tool = tool = dp_options_complete(&o, tool, &others);
	dp_options_setting(&o, tool, &r->setting);
	need(o.outputs >= 1 && dp_options_columns(&o, tool) >= 1);
	need(*dp_options_neighbours(&o, tool, text) != '\0');
	need(*dp_options_protected(&o, tool, unit) != '\0');
	accepted = true;
	if (asked_then != NULL)
		asked_then(r);
	return DP_EX_OK;
}

static int
asked_try(const struct asked *a, int argc, char **argv)
{
	int status = setjmp(escape_from);

	if (status != 0) {
		need(!accepted);
		return status - 1;
	}
	status = a->run(argc, argv);
	dp_options_free(&o);
	return status;
}

/*
 * The exit status with these words, cut in place at `stop'; argv[0] and further words before them.
 */
static int
asked_words(const struct asked *a, char **first, char *text, const char *stop)
{
	char *argv[WORDS + 1];
	int argc = 0, status;

	for (; first[argc] != NULL; argc++)
		argv[argc] = first[argc];
	for (argv[argc] = strtok(text, stop); argv[argc] != NULL && argc < WORDS - 1; )
		argv[++argc] = strtok(NULL, stop);
	argv[argc] = NULL;
	memset(&o, 0, sizeof o);
	memset(&asked_run, 0, sizeof asked_run);
	optind = 0;
	accepted = false;
	escape_begin();
	status = asked_try(a, argc, argv);
	escape_end();
	return status;
}

#endif
