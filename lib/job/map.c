/* SPDX-License-Identifier: ISC */
/*
 * map.c - dpmap's own options, and dpmap --for=TOOL: a tool's table that prints what it adds up.
 *
 * The tool's task() says what an event adds to, and to which grid; what it says of windows and
 * mechanisms is left alone.  So a part holds what one process would have added, whatever the tool.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "internal.h"
#include "table.h"

#define NAME_MAX_BYTES	4096
#define MAP		"dpmap"
/* Options that say how events are read, and what they add to. */
#define GROUPS		(DP_GROUP_RANGE | DP_GROUP_MATCH | DP_GROUP_TIME | DP_GROUP_KEY | \
	DP_GROUP_USER | DP_GROUP_VALUE | DP_GROUP_UNIT | DP_GROUP_WHERE | DP_GROUP_AUTO | \
	DP_GROUP_EACH | DP_GROUP_SAMPLING)

const struct dp_own dp_map_own[DP_MAP_OWN + 1] = {
	{ 0, "shard", "NAME", "what this shard alone is called; default HOST:FILE,...",
	    DP_KIND_TEXT },
	{ 0, "slice", "I/N", "only the lines that begin in part I of N of FILE", DP_KIND_TEXT },
	{ 0, "for", "TOOL", "print what TOOL adds up, for its --partial", DP_KIND_TEXT,
	    DP_MAP_TOOLS },
	{ .name = NULL }
};

/* Another run over the same files has the same name, and no run over others. */
static char *
name_of(const struct dp_options *o, const struct dp_question *ask, const char *slice)
{
	static char name[NAME_MAX_BYTES];
	char host[DP_OS_HOST] = "", path[PATH_MAX];
	struct stat st;
	size_t n;
	int i;

	if (gethostname(host, sizeof host - 1) != 0)
		dp_die(DP_EX_SYSTEM, "the host's name: %s", strerror(errno));
	n = (size_t)snprintf(name, sizeof name, "%s", host);
	for (i = 0; i < o->operands.n; i++) {
		if (strcmp(o->operands.file[i], "-") != 0 && stat(o->operands.file[i], &st) != 0)
			dp_die(DP_EX_INPUT, "%s: %s", o->operands.file[i], strerror(errno));
		if (strcmp(o->operands.file[i], "-") == 0 || !S_ISREG(st.st_mode) ||
		    realpath(o->operands.file[i], path) == NULL)
			dp_die(DP_EX_USAGE, "--shard is required where input is not all regular "
			    "files: a name of this shard's own");
		if (n < sizeof name)
			n += (size_t)snprintf(name + n, sizeof name - n, "%c%s", i == 0 ? ':' : ',',
			    path);
	}
	if (ask->shard.slices != 0 && n < sizeof name)
		n += (size_t)snprintf(name + n, sizeof name - n, ":%s", slice);
	if (n >= sizeof name)
		dp_die(DP_EX_USAGE, "--shard is required here: the files' names are too long");
	return name;
}

/* A part of a file by bytes: where its lines begin is found without reading what is before. */
static void
slice_of(const struct dp_options *o, struct dp_question *ask, const char *text)
{
	const char *slash = strchr(text, '/');
	char first[24] = "";
	struct stat st;
	size_t stem;

	if (slash != NULL && (size_t)(slash - text) < sizeof first)
		memcpy(first, text, (size_t)(slash - text));
	if (slash == NULL ||
	    dp_u64_parse(&ask->shard.slices, slash + 1, 1, DP_FILEPARTS_MAX) != 0 ||
	    dp_u64_parse(&ask->shard.slice, first, 1, ask->shard.slices) != 0)
		dp_die(DP_EX_USAGE, "--slice: '%s' must be I/N, with I from 1 to N, and N to %d",
		    text, DP_FILEPARTS_MAX);
	if (o->form.csv == DP_CSV_ROWS || o->form.header)
		dp_die(DP_EX_USAGE, "--slice: refused with --%s (%s)",
		    o->form.header ? "header" : "csv",
		    !o->form.header ? "a row may have ends of lines in it; with --csv=lines it "
		    "has none" :
		    "only the first slice has one");
	if (o->users.field.number != 0 || o->users.field.name != NULL)
		dp_die(DP_EX_USAGE, "--slice: refused with --user (a user's lines are in several "
		    "slices: split the file by users)");
	if (o->operands.n != 1 || strcmp(o->operands.file[0], "-") == 0)
		dp_die(DP_EX_USAGE, "--slice: needs one FILE");
	if (stat(o->operands.file[0], &st) != 0)
		dp_die(DP_EX_INPUT, "%s: %s", o->operands.file[0], strerror(errno));
	if (!S_ISREG(st.st_mode))
		dp_die(DP_EX_USAGE, "%s: --slice: not a regular file", o->operands.file[0]);
	if (dp_packed_by(o->operands.file[0], &stem) != NULL)
		dp_die(DP_EX_USAGE, "%s: --slice: a compressed file has no parts that can be read "
		    "alone: unpack it beforehand", o->operands.file[0]);
}

void
dp_map_task(const struct dp_options *o, struct dp_question *ask,
    const struct dp_own_value own[static DP_MAP_OWN])
{
	const char *name = own[DP_MAP_SHARD].text;

	if (own[DP_MAP_SLICE].text != NULL)
		slice_of(o, ask, own[DP_MAP_SLICE].text);
	if (name == NULL && o->print.check)
		return;			/* no shard is printed */
	if (name == NULL)
		ask->shard.name = name_of(o, ask, own[DP_MAP_SLICE].text);
	else if (*name == '\0' || strlen(name) >= NAME_MAX_BYTES)
		dp_die(DP_EX_USAGE, "--shard: a name must have 1 to %d bytes", NAME_MAX_BYTES - 1);
	else
		ask->shard.name = name;
}

const char *
dp_map_for(int argc, char **argv)
{
	static const char word[] = "--for";
	const size_t n = strlen(word);
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strncmp(argv[i], word, n) == 0 && argv[i][n] == '=')
			return argv[i] + n + 1;
		else if (strcmp(argv[i], word) == 0 && i + 1 < argc)
			return argv[i + 1];
	return NULL;
}

static bool
has_word(const char *words, const char *word)
{
	const size_t n = strlen(word);

	for (; *words != '\0'; words += words[strcspn(words, " ")] == ' ') {
		if (strncmp(words, word, n) == 0 && (words[n] == ' ' || words[n] == '\0'))
			return true;
		words += strcspn(words, " ");
	}
	return false;
}

/* The tool that was made another, and how many options it has of its own. */
static const struct dp_tool *of;
static size_t options;

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	size_t i;

	for (i = 0; i < options; i++)
		need(o->own[i].text == NULL || of->own[i].adds, "--%s: dpmap does not take this "
		    "option, which says what is made of sums, and not what is added up: give it "
		    "to %s --partial", of->own[i].name, of->name);
	/* of a plain count or sum it says what is made of it, and nothing else */
	if (of->shape != DP_SHAPE_NUMBER)
		of->task(o, ask);
	dp_map_task(o, ask, o->own + options);
}

const struct dp_tool *
dp_map_of(const struct dp_tool *tool, int argc, char **argv)
{
	static struct dp_own own[DP_OWN_MAX + 1];
	static struct dp_tool map;
	const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
	const char *asked = dp_map_for(argc, argv);
	size_t i;

	if (argc == 0 || strcmp(slash != NULL ? slash + 1 : argv[0], MAP) != 0 || tool->map ||
	    asked == NULL || strcmp(asked, tool->name) != 0)
		return tool;
	dp_table_progname(MAP);
	need(has_word(DP_MAP_TOOLS, tool->name), "--for: '%s' must be one of " DP_MAP_TOOLS,
	    tool->name);
	of = tool;
	for (options = 0; tool->own != NULL && tool->own[options].name != NULL; options++) {
		own[options] = tool->own[options];
		if (!own[options].adds)
			own[options].help = NULL;
	}
	for (i = 0; i < DP_MAP_OWN; i++)
		own[options + i] = dp_map_own[i];
	map = *tool;
	map.name = MAP;
	map.purpose = "Print what a tool adds up of one shard of a log, exactly, NOT PRIVATE, for "
	    "--partial of that tool.";
	map.synopsis = "--for=TOOL --bucket=DUR --from=TIME --to=TIME -t FIELD [--shard=NAME] "
	    "[--slice=I/N] ";
	map.examples = NULL;
	map.groups &= (unsigned)GROUPS;
	map.pan = false;
	map.map = true;
	map.own = own;
	map.prints = DP_PRINT_EACH;
	map.rows = NULL;
	map.task = task;
	map.reach = NULL;
	map.note = NULL;
	map.tells = NULL;
	memset(map.lists, 0, sizeof map.lists);
	return &map;
}
