/* SPDX-License-Identifier: ISC */
/* dpmap - exact partial counts of one shard of a log, for --partial of the other tools. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/record.h"
#include "job/options.h"
#include "run/driver.h"

#define NAME_MAX_BYTES	4096

static const struct dp_own own[] = {
	[0] = { 0, "shard", "NAME", "what this shard alone is called; default HOST:FILE,...",
	    DP_KIND_TEXT },
	[1] = { 0, "slice", "I/N", "only the lines that begin in part I of N of FILE",
	    DP_KIND_TEXT },
	[2] = { 0, "identifiers", NULL,
	    "print the identifiers of each bucket, for dpdistinct --partial", DP_KIND_FLAG },
	{ .name = NULL }
};

/* Another run over the same files has the same name, and no run over others. */
static char *
name_of(const struct dp_options *o, const struct dp_question *ask)
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
		n += (size_t)snprintf(name + n, sizeof name - n, ":%s", o->own[1].text);
	if (n >= sizeof name)
		dp_die(DP_EX_USAGE, "--shard is required here: the files' names are too long");
	return name;
}

/* One part of a file, of which only bytes are counted: its lines are found at once. */
static void
slice(const struct dp_options *o, struct dp_question *ask)
{
	const char *text = o->own[1].text, *slash = strchr(text, '/');
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
		dp_die(DP_EX_USAGE, "%s: --slice: no regular file", o->operands.file[0]);
	if (dp_packed_by(o->operands.file[0], &stem) != NULL)
		dp_die(DP_EX_USAGE, "%s: --slice: a compressed file has no parts that can be read "
		    "alone: unpack it beforehand", o->operands.file[0]);
}

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	if (o->own[1].text != NULL)
		slice(o, ask);
	if (o->own[0].text == NULL && o->print.check)
		return;			/* no shard is printed */
	if (o->own[0].text == NULL)
		ask->shard.name = name_of(o, ask);
	else if (*o->own[0].text == '\0' || strlen(o->own[0].text) >= NAME_MAX_BYTES)
		dp_die(DP_EX_USAGE, "--shard: a name must have 1 to %d bytes", NAME_MAX_BYTES - 1);
	else
		ask->shard.name = o->own[0].text;
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dpmap",
		.purpose = "Print exact partial counts of one shard of a log, NOT PRIVATE, for "
		    "--partial of the other tools.",
		.synopsis = "--bucket=DUR --from=TIME --to=TIME -t FIELD [--shard=NAME] "
		    "[--slice=I/N] [--identifiers] ",
		.examples = "  dpmap --log=combined --bucket=1h --from=2026-05-01 "
		    "--to=2026-05-04 \\\n      access.log >web1.part\n"
		    "  dpcount -e 1 --bucket=1h --from=2026-05-01 --to=2026-05-04 --partial *.part",
		.groups = DP_GROUP_RANGE | DP_GROUP_VALUE | DP_GROUP_MATCH | DP_GROUP_TIME |
		    DP_GROUP_WHERE | DP_GROUP_KEY | DP_GROUP_USER | DP_GROUP_EACH | DP_GROUP_UNIT,
		.map = true, .own = own, .task = task
	};

	return dp_tool_main(&tool, argc, argv);
}
