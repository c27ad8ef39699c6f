/* SPDX-License-Identifier: ISC */
/*
 * named.c - one program under the names of all tools that the driver runs.  Thirteen programs would
 * hold the same code thirteen times, and one that loads it as a shared library starts more slowly.
 *
 * It is linked with the tools' own files, in which the Makefile has renamed main(); TOOLS names
 * them.  No archive holds it: a tool is a program by itself, too, as tests link them.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/dp.h"
#include "job/options.h"

#ifndef TOOLS
#define TOOLS	TOOL(dpcount)	/* for who only reads this file */
#endif

#define TOOL(name)	int name##_main(int argc, char **argv);
TOOLS
#undef TOOL

/* Runs the tool of that name; -1: there is none. */
static int
run_tool(const char *tool, int argc, char **argv)
{
#define TOOL(name)	\
	if (strcmp(tool, #name) == 0)	\
		return name##_main(argc, argv);
	TOOLS
#undef TOOL
	return -1;
}

/* Runs the tool whose name the path ends in, or dpmap as the one that it is for. */
static int
run_named(const char *path, int argc, char **argv)
{
	static char map[] = "dpmap";
	const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
	const char *tool = strcmp(base, map) == 0 ? dp_map_for(argc, argv) : NULL;
	int status = -1;

	if (tool != NULL && strcmp(tool, map) != 0) {
		argv[0] = map;		/* it may have been started under another name */
		status = run_tool(tool, argc, argv);
	}
	return status >= 0 ? status : run_tool(base, argc, argv);
}

/* By its file's name, where it was started under another: through a link, or by exec -a. */
static int
run_file(int argc, char **argv)
{
	char path[4096];

	return dp_os_program(path, sizeof path) ? run_named(path, argc, argv) : -1;
}

int
main(int argc, char **argv)
{
	int status = argc > 0 ? run_named(argv[0], argc, argv) : -1;

	if (status < 0)
		status = run_file(argc, argv);
	if (status < 0 && argc > 1)
		status = run_named(argv[1], argc - 1, argv + 1);
	if (status >= 0)
		return status;
	fputs("dputils: the name of this program is no tool's; give a tool as the first argument, "
	    "such as dpcount\n", stderr);
	return DP_EX_USAGE;
}
