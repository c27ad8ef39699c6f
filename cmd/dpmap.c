/* SPDX-License-Identifier: ISC */
/* dpmap - exact partial counts of one shard of a log, for --partial of the other tools. */
#include <string.h>

#include "job/options.h"
#include "run/driver.h"
#include "store/budget.h"

static struct dp_own own[DP_MAP_OWN + 3] = {
	[DP_MAP_OWN] = { 0, "identifiers", NULL,
	    "print the identifiers of each bucket, for dpdistinct --partial", DP_KIND_FLAG },
	{ 0, "hash-key", "FILE", "with --identifiers: as hashes by the key in FILE", DP_KIND_TEXT }
};

/* The key, if identifiers are hashed. */
static void
hash(const struct dp_options *o, struct dp_question *ask)
{
	static struct dp_hash_key key;
	const char *file = o->own[DP_MAP_OWN + 1].text;
	char why[DP_STATE_WHY] = "";
	int e;

	if (file == NULL)
		return;
	if (o->own[DP_MAP_OWN].text == NULL)
		dp_die(DP_EX_USAGE, "--hash-key is for --identifiers: counts have nothing that is "
		    "hashed");
	if (o->print.check)
		return;			/* lines are shown as they are */
	if ((e = dp_hash_key_read(&key, file, why)) != 0)
		dp_die(e == DP_EIO || e == DP_EENTROPY ? DP_EX_SYSTEM : DP_EX_INPUT,
		    "--hash-key: %s", why);
	ask->shard.hash = &key;
}

/* A tool of that name would have run in the place of this one. */
static void
task(const struct dp_options *o, struct dp_question *ask)
{
	const char *tool = o->own[DP_MAP_FOR].text;

	if (tool != NULL)
		dp_die(DP_EX_USAGE, "--for: '%s' must be one of " DP_MAP_TOOLS ", and --for "
		    "written in full", tool);
	hash(o, ask);
	dp_map_task(o, ask, o->own);
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dpmap",
		.purpose = "Print exact partial counts of one shard of a log, NOT PRIVATE, for "
		    "--partial of the other tools.",
		.synopsis = "--bucket=DUR --from=TIME --to=TIME [-t FIELD] [--shard=NAME] "
		    "[--slice=I/N] [--for=TOOL | --identifiers] ",
		.examples = "  dpmap --log=combined --bucket=1h --from=2026-05-01 "
		    "--to=2026-05-04 \\\n      access.log >web1.part\n"
		    "  dpcount -e 1 --bucket=1h --from=2026-05-01 --to=2026-05-04 --partial *.part",
		.groups = DP_GROUP_RANGE | DP_GROUP_VALUE | DP_GROUP_MATCH | DP_GROUP_TIME |
		    DP_GROUP_WHERE | DP_GROUP_KEY | DP_GROUP_USER | DP_GROUP_EACH | DP_GROUP_UNIT,
		.map = true, .own = own, .task = task
	};

	memcpy(own, dp_map_own, DP_MAP_OWN * sizeof *own);
	return dp_tool_main(&tool, argc, argv);
}
