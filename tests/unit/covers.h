/* SPDX-License-Identifier: ISC */
/*
 * covers.h - what a statistical test measures, asked of the test itself.  Arguments of such a
 * program:
 *
 *	(none)			everything
 *	NAME [TASK [KIND]]	that mechanism alone, for that task, of that kind: law or neighbour;
 *				with all three the first failure is the end
 *	--covers		nothing is measured; prints "KIND NAME TASK" for everything
 *
 * It asks leave(KIND, NAME, task) where it would begin to measure, so the list is of what would
 * run.
 */
#ifndef TEST_COVERS_H
#define TEST_COVERS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "counter/mech.h"

static const char *covers_name, *covers_task, *covers_kind;
static bool covers_list;

static inline const char *
task_name(enum dp_what what)
{
	switch (what) {
	case DP_TASK_COUNT: return "count";
	case DP_TASK_WINDOW: return "window";
	case DP_TASK_EXP: return "exp";
	case DP_TASK_POLY: return "poly";
	case DP_TASK_TABLE: return "table";
	case DP_TASK_EXPIRE: return "expire";
	case DP_TASK_GRADUAL: return "gradual";
	case DP_TASK_MAP: return "map";
	case DP_TASK_OWN: return "own";
	}
	return "unknown";
}

static inline void
covers(int argc, char **argv)
{
	covers_list = argc > 1 && strcmp(argv[1], "--covers") == 0;
	covers_name = argc > 1 && !covers_list ? argv[1] : NULL;
	covers_task = argc > 2 ? argv[2] : NULL;
	covers_kind = argc > 3 ? argv[3] : NULL;
	check_first |= covers_kind != NULL;
}

/* For a test whose parts have names of their own: all, or the one that the first argument names. */
static inline bool
covers_asked(const char *name)
{
	return covers_name == NULL || strcmp(covers_name, name) == 0;
}

/* Whether this is not to be measured.  task: its name, or the statistic's. */
static inline bool
leave_named(const char *kind, const char *name, const char *task)
{
	if (covers_list)
		printf("%s %s %s\n", kind, name, task);
	return covers_list || !covers_asked(name) ||
	    (covers_task != NULL && strcmp(covers_task, task) != 0) ||
	    (covers_kind != NULL && strcmp(covers_kind, kind) != 0);
}

static inline bool
leave(const char *kind, const char *name, enum dp_what what)
{
	return leave_named(kind, name, task_name(what));
}

#endif
