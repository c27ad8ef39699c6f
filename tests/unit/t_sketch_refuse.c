/* SPDX-License-Identifier: ISC */
/*
 * t_sketch_refuse.c - statistic by option of dpdistinct: which of them go together, and that each
 * reason is given by one question at least.
 */
#include <string.h>

#include "check.h"
#include "sketch/sketch.h"

#define F(FACT)	((uint64_t)1 << DP_ASKS_##FACT)

/* The options in the order of the columns below. */
static const enum dp_sketch_fact option[] = { DP_ASKS_PROTECT, DP_ASKS_UNIVERSE, DP_ASKS_TAU,
    DP_ASKS_SHARE, DP_ASKS_DELETES, DP_ASKS_FLIPS, DP_ASKS_UPDATES, DP_ASKS_LOOKS,
    DP_ASKS_PRESENCE, DP_ASKS_BUCKETS, DP_ASKS_WIDE, DP_ASKS_MODULO };

/*
 * Each with what it must have, a universe, and -P; x: refused.  --tau alone of those that do not
 * count how often is refused with its text, which the tool does.
 */
static const struct {
	uint64_t facts;
	const char *refused;
} matrix[] = {
	/*                             put sdf ulp bwm */
	{ F(RECENT) | F(WINDOW),      "..x xxx xxx .x." },
	{ F(DISTINCT),                "x.. x.. ... ..." },
	{ F(DENSITY),                 "x.. x.x xx. .x." },
	{ F(CROPPED) | F(TAU),        "x.. x.x xx. xxx" },
	{ F(MEAN) | F(TAU),           "x.. x.x xx. xxx" },
	{ F(INCIDENCE) | F(TAU),      "x.. x.x xx. xx." },
	{ F(HEAVY) | F(TAU),          "x.. x.x xx. xxx" },
	{ F(F2),                      "... x.x xxx xx." },
	{ F(F2) | F(IDENTIFIER) | F(UPDATES), "... x.x .x. xx." },
};

static uint64_t
given(uint64_t facts)
{
	facts |= F(MAY_PAN) | F(PAN) | F(HORIZON) | F(VALUE) | F(REDRAWN) | F(UNIVERSE);
	return ((facts & F(TAU)) != 0) != ((facts & F(SHARE)) != 0) ? facts | F(THRESHOLD) : facts;
}

static void
together(void)
{
	char text[160], want[40];
	uint64_t facts;
	size_t i, j, k;

	for (i = 0; i < sizeof matrix / sizeof matrix[0]; i++) {
		check(!dp_sketch_refuses(given(matrix[i].facts), text, sizeof text));
		for (j = k = 0; j < sizeof option / sizeof option[0]; j++, k++) {
			facts = matrix[i].facts | (uint64_t)1 << option[j];
			if (option[j] == DP_ASKS_FLIPS)
				facts |= F(DELETES);
			if (option[j] == DP_ASKS_WIDE)
				facts |= F(BUCKETS);
			k += matrix[i].refused[k] == ' ';
			want[0] = dp_sketch_refuses(given(facts), text, sizeof text) ? 'x' : '.';
			check(want[0] == matrix[i].refused[k]);
			if (want[0] != matrix[i].refused[k])
				printf("statistic %zu, option %d\n", i, (int)option[j]);
		}
	}
}

static void
says(uint64_t facts, const char *why)
{
	char text[160] = "";

	check(dp_sketch_refuses(facts, text, sizeof text) && strcmp(text, why) == 0);
	if (strcmp(text, why) != 0)
		printf("'%s', not '%s'\n", text, why);
}

static void
words(void)
{
	const uint64_t d = F(DISTINCT) | F(MAY_PAN), w = F(RECENT) | F(WINDOW) | F(MAY_PAN);

	says(d | F(TIME), "--time needs --value, the field that holds the identifier: as a whole "
	    "hardly any line comes twice");
	says(w | F(PROTECT) | F(IDENTIFIER), "--protect=identifier needs -T, or --from and --to: "
	    "in how many steps may it come and go?");
	says(w | F(STATISTIC), "--window: refused with --statistic");
	says(w | F(UPDATES), "--window: refused with --updates");
	says(w | F(PRESENCE), "--window: refused with --presence, but for --protect=identifier");
	says(F(MEAN) | F(TAU), "--statistic=mean needs --universe: of what it is a fraction");
	says(F(INCIDENCE) | F(TAU) | F(PAN), "--statistic=incidence needs --universe with "
	    "--pan-private");
	says(F(INCIDENCE) | F(UNIVERSE), "--statistic=incidence needs --tau: how often is that?");
	says(F(HEAVY) | F(TAU) | F(SHARE), "--statistic=heavy needs --tau or --share, and not "
	    "both: how often is that?");
	says(F(HEAVY) | F(SHARE) | F(THRESHOLD) | F(BUCKET), "--share is refused with --bucket: "
	    "how many events there are is not public there, so give --tau");
	says(F(DENSITY) | F(UNIVERSE) | F(DELETES) | F(FLIPS),
	    "--flips is for --statistic=distinct");
	says(d | F(FLIPS), "--flips needs --deletes: who cannot go comes once");
	says(d | F(UPDATES), "--updates needs --universe");
	says(F(F2) | F(IDENTIFIER), "--statistic=f2 needs --updates=W, the promise that no "
	    "identifier has more than W lines; or --protect=event, which protects one line");
	says(F(F2) | F(PROTECT) | F(BUCKET), "--protect=event: refused with --bucket and "
	    "--statistic=f2: give --updates=W");
	says(d | F(LOOKS) | F(UNIVERSE), "--looks is for -P, --statistic=distinct and a "
	    "--universe");
	says(d | F(SEEN), "--seen: the state was begun without --looks");
	says(F(DISTINCT) | F(PAN) | F(NO_PAN),
	    "--pan-private and --no-pan-private do not go together");
}

int
main(void)
{
	together();
	words();
	return done();
}
