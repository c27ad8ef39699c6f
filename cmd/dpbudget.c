/* SPDX-License-Identifier: ISC */
/* dpbudget - the ledger of a data set's budget: makes it, shows it, closes it. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explain/explain.h"
#include "run/driver.h"
#include "store/budget.h"

enum { INIT, TOTAL, UNIT, BY_TIME, WITNESS, SHOW, CLOSE };

static const struct dp_own own[] = {
	[INIT] = { 0, "init", NULL, "create the ledger FILE; refused if it exists", DP_KIND_FLAG },
	[TOTAL] = { 0, "total", "[UNIT:]E[,D]", "all that may be spent: epsilon, and delta; "
	    "several times: a total for each UNIT, as event:1, user:2", DP_KIND_TEXT },
	[UNIT] = { 0, "unit", "NAME", "the unit of the only total: event, user, number, answer, "
	    "user-step/1d; default: as the first run", DP_KIND_TEXT,
	    "event user number answer" },
	[BY_TIME] = { 0, "by-time", NULL, "of disjoint times the largest counts, not the sum; an "
	    "event then has one time in all runs", DP_KIND_FLAG },
	[WITNESS] = { 0, "witness", "FILE", "keep the witness there, not in FILE.witness",
	    DP_KIND_FILE },
	[SHOW] = { 0, "show", NULL, "print who spent what, when, and what is left", DP_KIND_FLAG },
	[CLOSE] = { 0, "close", NULL, "accept no more charges", DP_KIND_FLAG },
	{ .name = NULL }
};

static const struct dp_aside tool = {
	.name = "dpbudget",
	.purpose = "Keep the ledger of a data set's privacy budget; others debit it by --budget.",
	.synopsis = { "--init --total=[UNIT:]E[,D].. [--by-time] [--witness=FILE] FILE",
	    "{--show | --close} FILE" },
	.examples = "  dpbudget --init --total=1 web.budget\n"
	    "  dpcount -e 1/2 --once --log=combined --budget=web.budget:requests access.log\n"
	    "  dpbudget --show web.budget",
	.statuses = "0 success, 1 system, 2 usage, 4 ledger closed already,\n"
	    "5 ledger refused, 75 ledger in use.",
	.own = own
};

struct arguments {
	int action;			/* INIT, SHOW, CLOSE; -1: none */
	const char *total[DP_TOTALS_MAX], *unit, *witness, *file;
	size_t totals;
	bool by_time;
};

static void
parse(struct arguments *a, int argc, char **argv)
{
	int c;

	*a = (struct arguments){ .action = -1 };
	while ((c = dp_aside_next(&tool, '\0', 0, argc, argv)) != -1)
		switch (c) {
		case TOTAL:
			if (a->totals == DP_TOTALS_MAX)
				dp_die(DP_EX_USAGE, "--total: more than %d units", DP_TOTALS_MAX);
			a->total[a->totals++] = optarg;
			break;
		case BY_TIME:
			a->by_time = true;
			break;
		case UNIT:
			a->unit = optarg;
			break;
		case WITNESS:
			a->witness = optarg;
			break;
		default:
			if (a->action != -1)
				dp_die(DP_EX_USAGE, "only one of --init, --show and --close can be "
				    "asked for");
			a->action = c;
			break;
		}
	if (a->action == -1)
		dp_die(DP_EX_USAGE, "one of --init, --show and --close is needed");
	if (argc - optind != 1 || *argv[optind] == '\0')
		dp_die(DP_EX_USAGE, "one file is needed: the ledger");
	a->file = argv[optind];
	if (a->action == INIT && a->totals == 0)
		dp_die(DP_EX_USAGE, "--init needs --total=E[,D]: all that may ever be spent");
	if (a->action != INIT && (a->totals != 0 || a->unit != NULL || a->witness != NULL ||
	    a->by_time))
		dp_die(DP_EX_USAGE, "--total, --unit, --by-time and --witness go with --init");
}

/* E, or E,D */
static void
parse_total(const char *text, struct dp_q *epsilon, struct dp_q *delta)
{
	const char *comma = strchr(text, ',');
	char *first = strndup(text, comma != NULL ? (size_t)(comma - text) : strlen(text));

	*delta = (struct dp_q){ 0, 1 };
	if (first == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	else if (dp_q_parse(epsilon, first) != 0 || epsilon->num == 0 ||
	    (comma != NULL && dp_q_parse(delta, comma + 1) != 0) || delta->num >= delta->den)
		dp_die(DP_EX_USAGE, "--total: '%s' must be E or E,D: decimals or ratios, E above "
		    "0, D at least 0 and below 1", text);
	free(first);
}

/* NULL: no memory, or no such directory as this. */
static char *
absolute(const char *path)
{
	char *here = *path == '/' ? strdup("") : getcwd(NULL, 0), *all = NULL;

	if (here != NULL && asprintf(&all, "%s%s%s", here, *here != '\0' ? "/" : "", path) < 0)
		all = NULL;
	free(here);
	return all;
}

/* A unit of protection as ledgers have it, in memory that stays. */
static const char *
parse_unit(const char *option, const char *text)
{
	static const char *const units[] = { "event", "user", "number", "answer", "source-event" };
	char unit[DP_PROTECTED], *kept;
	size_t i;

	for (i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(units[i], text) == 0)
			return units[i];
	if (!dp_options_user_step(text, unit))
		dp_die(DP_EX_USAGE, "%s: '%s' must be event, user, user-step/DUR (1d, 1mo; with "
		    "--tz 'user-step/1d ZONE'), number, answer or source-event", option, text);
	if ((kept = strdup(unit)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	return kept;
}

/* Of some units an event is at one time. */
static bool
timed(const char *unit)
{
	return strcmp(unit, "event") == 0 || strncmp(unit, "user-step/", 10) == 0;
}

/* [UNIT:]E[,D] */
static void
add_total(struct dp_budget_rule *rule, const char *text)
{
	const char *colon = strrchr(text, ':');
	char *unit = colon != NULL ? strndup(text, (size_t)(colon - text)) : NULL;
	const size_t n = rule->n++;
	size_t i;

	if (colon != NULL && unit == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (unit != NULL)
		rule->total[n].unit = parse_unit("--total", unit);
	free(unit);
	parse_total(colon != NULL ? colon + 1 : text, &rule->total[n].epsilon,
	    &rule->total[n].delta);
	for (i = 0; i < n; i++)
		if (rule->total[i].unit == NULL || rule->total[n].unit == NULL)
			dp_die(DP_EX_USAGE, "--total: with several totals each needs its unit: "
			    "--total=event:1 --total=user:2");
		else if (strcmp(rule->total[i].unit, rule->total[n].unit) == 0)
			dp_die(DP_EX_USAGE, "--total: %s is given twice",
			    dp_span_unit(rule->total[n].unit, (char [DP_UNIT_TEXT]){ 0 }));
}

static void
make_rule(struct dp_budget_rule *rule, const struct arguments *a)
{
	bool any = false;
	size_t i;

	*rule = (struct dp_budget_rule){ .by_time = a->by_time };
	for (i = 0; i < a->totals; i++)
		add_total(rule, a->total[i]);
	if (a->unit != NULL && (rule->n > 1 || rule->total[0].unit != NULL))
		dp_die(DP_EX_USAGE, "--unit: leave it out: --total=UNIT:E says the unit already");
	if (a->unit != NULL)
		rule->total[0].unit = parse_unit("--unit", a->unit);
	for (i = 0; i < rule->n; i++)
		any |= rule->total[i].unit != NULL && timed(rule->total[i].unit);
	if (a->by_time && !any)
		dp_die(DP_EX_USAGE, "--by-time needs a total for event or user-step/DUR "
		    "(--total=event:1): of other units all that runs lose adds up, whatever their "
		    "times");
}

static void
init(const struct arguments *a)
{
	char why[DP_STATE_WHY] = "", time[21], *witness = NULL;
	struct dp_budget_rule rule;
	int e;

	make_rule(&rule, a);
	/* the ledger is charged from other directories, too */
	if (a->witness != NULL && (witness = absolute(a->witness)) == NULL)
		dp_die(DP_EX_SYSTEM, "--witness: %s", strerror(errno));
	dp_charge_time(time);
	if ((e = dp_budget_create(a->file, witness, &rule, time, why)) != 0)
		dp_charge_fail(e, why);
	free(witness);
}

static void
show(const char *file)
{
	char why[DP_STATE_WHY] = "";
	struct dp_budget b = { .n = 0 };
	int e;

	if ((e = dp_budget_read(&b, file, DP_READ_ALL, DP_CHARGE_WAIT, why)) != 0)
		dp_charge_fail(e, why);
	dp_ledger_show(&b);
	dp_budget_free(&b);
}

int
main(int argc, char **argv)
{
	char why[DP_STATE_WHY] = "", time[21];
	struct arguments a;
	int e;

	dp_aside_begin(&tool);
	(void)dp_process_files();
	parse(&a, argc, argv);
	if (a.action == INIT)
		init(&a);
	else if (a.action == SHOW)
		show(a.file);
	else {
		dp_charge_time(time);
		if ((e = dp_budget_close(a.file, time, DP_CHARGE_WAIT, why)) != 0)
			dp_charge_fail(e, why);
	}
	return dp_close_stdout();
}
