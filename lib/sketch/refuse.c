/* refuse.c - the table of what is refused. */
#include <stdio.h>

#include "refuse.h"

#define F(FACT)		((uint64_t)1 << DP_ASKS_##FACT)
#define NEVER		((uint64_t)1 << DP_ASKS_FACTS)		/* no fact */
#define HOW_OFTEN	(F(CROPPED) | F(MEAN) | F(INCIDENCE) | F(HEAVY))

/* Where all of `given' hold, and one of `of' if there are any, all of `needs' must hold. */
static const struct {
	uint64_t given, of, needs;
	const char *why, *rest;		/* rest not NULL: between them the name of that one */
} rows[] = {
	{ F(TIME), 0, F(VALUE), "--time needs --value, the field that holds the identifier: as a "
	    "whole hardly any line comes twice", NULL },
	/* windows */
	{ F(PROTECT), 0, F(WINDOW), "--protect is for --window: without it identifiers are "
	    "protected, with all that they do", NULL },
	{ F(WINDOW) | F(IDENTIFIER), 0, F(HORIZON), "--protect=identifier needs -T, or --from and "
	    "--to: in how many steps may it come and go?", NULL },
	{ F(WINDOW), F(STATISTIC) | F(TAU) | F(SHARE) | F(DELETES) | F(FLIPS) | F(UPDATES), NEVER,
	    "--window: refused with --", "" },
	{ F(WINDOW) | F(PRESENCE), 0, F(IDENTIFIER), "--window: refused with --presence, but for "
	    "--protect=identifier", NULL },
	/* statistics, and their options */
	{ 0, F(DENSITY) | F(MEAN), F(UNIVERSE), "--statistic=",
	    " needs --universe: of what it is a fraction" },
	{ F(PAN), F(CROPPED) | F(INCIDENCE), F(UNIVERSE), "--statistic=",
	    " needs --universe with --pan-private" },
	{ F(MODULO), HOW_OFTEN, F(INCIDENCE) | F(UNIVERSE), "--tau: R%K is for "
	    "--statistic=incidence and a --universe", NULL },
	{ F(SHARE), 0, F(HEAVY), "--share is for --statistic=heavy", NULL },
	{ F(SHARE) | F(BUCKET), 0, NEVER, "--share is refused with --bucket: how many events there "
	    "are is not public there, so give --tau", NULL },
	{ F(BUCKETS) | F(UNIVERSE), HOW_OFTEN, NEVER, "--buckets is for identifiers without a "
	    "--universe", NULL },
	{ 0, F(FLIPS) | F(UPDATES), F(DISTINCT), "--", " is for --statistic=distinct" },
	{ 0, F(CROPPED) | F(MEAN) | F(INCIDENCE), F(TAU), "--statistic=",
	    " needs --tau: how often is that?" },
	{ F(HEAVY), 0, F(THRESHOLD), "--statistic=heavy needs --tau or --share, and not both: how "
	    "often is that?", NULL },
	{ F(FLIPS), 0, F(DELETES), "--flips needs --deletes: who cannot go comes once", NULL },
	{ F(UPDATES), 0, F(UNIVERSE), "--updates needs --universe", NULL },
	{ F(WIDE), 0, F(DISTINCT), "--buckets: B+W is for --statistic=distinct", NULL },
	/* memory */
	{ F(LOOKS), 0, F(DISTINCT) | F(UNIVERSE) | F(REDRAWN), "--looks is for -P, "
	    "--statistic=distinct and a --universe", NULL },
	{ F(SEEN), 0, F(LOOKS), "--seen: the state was begun without --looks", NULL },
	{ F(PAN), 0, F(MAY_PAN), "--pan-private and --no-pan-private do not go together", NULL },
};

static const char *const names[DP_ASKS_FACTS] = {
	[DP_ASKS_STATISTIC] = "statistic", [DP_ASKS_TAU] = "tau", [DP_ASKS_SHARE] = "share",
	[DP_ASKS_DELETES] = "deletes", [DP_ASKS_FLIPS] = "flips", [DP_ASKS_UPDATES] = "updates",
	[DP_ASKS_DENSITY] = "density", [DP_ASKS_CROPPED] = "cropped", [DP_ASKS_MEAN] = "mean",
	[DP_ASKS_INCIDENCE] = "incidence"
};

bool
dp_sketch_refuses(uint64_t facts, char *text, size_t size)
{
	unsigned which = 0;
	size_t i;

	for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if ((facts & rows[i].given) == rows[i].given &&
		    (rows[i].of == 0 || (facts & rows[i].of) != 0) &&
		    (facts & rows[i].needs) != rows[i].needs)
			break;
	if (i == sizeof rows / sizeof rows[0])
		return false;
	while (rows[i].rest != NULL && (facts & rows[i].of & (uint64_t)1 << which) == 0)
		which++;
	snprintf(text, size, "%s%s%s", rows[i].why, rows[i].rest != NULL ? names[which] : "",
	    rows[i].rest != NULL ? rows[i].rest : "");
	return true;
}
