/* SPDX-License-Identifier: ISC */
/*
 * t_ask_table.c - the table of options: every row can be told from every other, what a state keeps
 * is what it says, and a misspelt option is told the nearest one, or none.
 */
#include <sys/socket.h>

#include "child.h"
#include "job/internal.h"
#include "job/table.h"

static const struct dp_own own[] = {
	[0] = { 'w', "window", "W", "a window", DP_KIND_TEXT },
	[1] = { 0, "header", NULL, "in place of a shared option", DP_KIND_FLAG },
	{ .name = NULL }
};

static void
test_rows(void)
{
	const struct dp_row *a, *b;
	size_t i, j;

	for (i = 0; (a = dp_table_row(i)) != NULL; i++) {
		if (a->name == NULL)
			continue;
		check(a->c > 0 && a->c < OPT_OWN && a->help != NULL);
		for (j = 0; j < i; j++) {
			b = dp_table_row(j);
			check(b->name == NULL || (b->c != a->c && strcmp(b->name, a->name) != 0));
		}
	}
	check(dp_table_row(i + 1) == NULL);
}

/* What the kind of an option needs is there, and what is kept is of a section of the job. */
static void
test_kinds(void)
{
	const struct dp_row *r;
	size_t i;

	for (i = 0; (r = dp_table_row(i)) != NULL; i++) {
		if (r->name == NULL || r->c == OPT_HELP || r->c == OPT_VERSION)
			continue;
		check(dp_table_find(r->c) == r);
		check(r->keep == DP_KEEP_NO || r->section != DP_SECTION_NONE);
		check((r->arg == NULL) == (r->kind == DP_KIND_FLAG));
		check(r->read != NULL || r->at != 0 || r->c == OPT_HORIZON || r->c == OPT_OR);
		check(r->read != NULL || r->kind != DP_KIND_DURATION);
		check(r->kind != DP_KIND_WORD || (r->words != NULL && *r->words != '\0'));
		check(r->read != NULL || r->kind != DP_KIND_WHOLE || r->least < r->most);
		check(r->read != NULL || r->kind != DP_KIND_NUMBER || r->must != NULL);
		/* a word that may be left out, or was not given, is what its value counts from */
		check(r->read != NULL || r->kind != DP_KIND_WORD || dp_table_optional(r->arg) ||
		    r->least == 0);
	}
}

/* By its kind, a text becomes a value of the member that the row names. */
static void
test_values(void)
{
	static const struct dp_tool tool;
	struct dp_options o = { .horizon = 0 };

	dp_options_set(&o, &tool, OPT_HORIZON, "12k");
	dp_options_set(&o, &tool, OPT_CSV, NULL);
	dp_options_set(&o, &tool, OPT_MATCH, "x.z");
	dp_options_set(&o, &tool, OPT_USER, "who");
	dp_options_set(&o, &tool, OPT_WITHIN, "5/2");
	dp_options_set(&o, &tool, OPT_SEED, "0");
	check(o.horizon == 12000 && o.form.csv && strcmp(o.form.match, "x.z") == 0);
	check(strcmp(o.users.field.name, "who") == 0 && o.priv.within.num == 5);
	check(o.priv.has_seed && o.priv.seed == 0);
	dp_options_set(&o, &tool, OPT_EXPLAIN, NULL);
	check(o.print.explain == DP_EXPLAIN_TEXT);
	dp_options_set(&o, &tool, OPT_EXPLAIN, "json");
	check(o.print.explain == DP_EXPLAIN_JSON);
	dp_options_set(&o, &tool, OPT_EXPLAIN, "plan");
	check(o.print.explain == DP_EXPLAIN_PLAN);
	dp_options_set(&o, &tool, OPT_SAFE, "no");
	check(o.print.safe == DP_SAFE_NONE);
	dp_options_set(&o, &tool, OPT_PARTIAL, NULL);
	check(o.shard.partial && !o.shard.by_user);
	dp_options_set(&o, &tool, OPT_PARTIAL, "by-user");
	check(o.shard.by_user);
	check(o.given[OPT_CSV] && !o.given[OPT_TSV] && strcmp(o.text[OPT_MATCH], "x.z") == 0);
	dp_options_free(&o);
}

static const struct dp_row *
named(const char *name)
{
	const struct dp_row *r;
	size_t i;

	for (i = 0; (r = dp_table_row(i)) != NULL; i++)
		if (r->name != NULL && strcmp(r->name, name) == 0)
			return r;
	exit(1);
}

/* What the noise was planned for no --change may change. */
static void
test_kept(void)
{
	static const char *const fixed[] = { "unit", "tz", "once", "other", "columns", "ones",
	    "every", "at-end" };
	static const char *const own_line[] = { "epsilon", "delta", "horizon", "mechanism", "range",
	    "user", "per-user", "keys", "bucket", "pan-private", "seed" };
	size_t i;

	for (i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
		check(named(fixed[i])->keep == DP_KEEP_FIXED);
	for (i = 0; i < sizeof own_line / sizeof own_line[0]; i++)
		check(named(own_line[i])->keep == DP_KEEP_NO);
	check(named("csv")->keep == DP_KEEP_YES && named("nonnegative")->keep == DP_KEEP_YES);
}

static void
test_takes(void)
{
	const struct dp_tool plain = { .groups = DP_GROUP_RANGE };
	const struct dp_tool map = { .groups = DP_GROUP_TIME, .map = true };

	check(dp_table_takes(&plain, named("range")) && dp_table_takes(&plain, named("csv")));
	check(!dp_table_takes(&plain, named("match")) && !dp_table_takes(&plain, named("live")));
	check(dp_table_takes(&plain, named("epsilon")));
	/* nothing is released: no noise, no live clock; the rest of a group stays */
	check(!dp_table_takes(&map, named("epsilon")) && !dp_table_takes(&map, named("live")));
	check(dp_table_takes(&map, named("bucket")) && dp_table_takes(&map, named("csv")));
	check(dp_table_optional("[json]") && !dp_table_optional("FILE[:LABEL]"));
	check(!dp_table_optional("[UNIT:]E[,D]"));
}

static void
test_getopt(void)
{
	struct option l[DP_TABLE_ROWS];
	char shorts[3 * DP_TABLE_ROWS];
	unsigned headers = 0, i;

	dp_table_getopt(l, shorts, own);
	for (i = 0; l[i].name != NULL; i++)
		if (strcmp(l[i].name, "header") == 0) {
			headers++;
			check(l[i].val == OPT_OWN + 1 && l[i].has_arg == no_argument);
		} else if (strcmp(l[i].name, "epsilon") == 0)
			check(l[i].val == 'e' && l[i].has_arg == required_argument);
		else if (strcmp(l[i].name, "bound") == 0)
			check(l[i].val == 'B' && l[i].has_arg == optional_argument);
	check(headers == 1);
	check(strstr(shorts, "e:") != NULL && strstr(shorts, "B::") != NULL);
	check(strstr(shorts, "w:") != NULL && strchr(shorts, 'H') == NULL);
	check(strcmp(dp_table_name('w', own), "window") == 0);
	check(strcmp(dp_table_name(OPT_OWN + 1, own), "header") == 0);
	check(strcmp(dp_table_name(OPT_STATE, NULL), "state") == 0);
}

static void
near(void *word)
{
	struct option l[DP_TABLE_ROWS];
	char shorts[3 * DP_TABLE_ROWS];

	dp_table_getopt(l, shorts, own);
	optopt = 0;
	dp_table_near(l, word);
}

/* The option that a word is told to mean; "" for none. */
static const char *
meant(const char *word)
{
	char copy[64], *p, *e;

	snprintf(copy, sizeof copy, "%s", word);
	check(child_status(near, copy) == 0);
	if ((p = strstr(child_said, "mean --")) == NULL || (e = strchr(p, '?')) == NULL)
		return "";
	*e = '\0';
	return p + 7;
}

static void
test_near(void)
{
	check(strcmp(meant("--epsilom"), "epsilon") == 0);	/* another letter */
	check(strcmp(meant("--epslion"), "epsilon") == 0);	/* two swapped */
	check(strcmp(meant("--kyes"), "keys") == 0);
	check(strcmp(meant("--horizn"), "horizon") == 0);	/* one too few */
	check(strcmp(meant("--buckket"), "bucket") == 0);	/* one too many */
	check(strcmp(meant("--horizzonn"), "horizon") == 0);	/* two too many */
	check(strcmp(meant("--horizn=5"), "horizon") == 0);
	check(strcmp(meant("--windo\1"), "window") == 0);	/* a tool's own */
	check(strcmp(meant("--horrizzonn"), "") == 0);		/* three */
	check(strcmp(meant("--kezz"), "") == 0);		/* half of it */
	check(strcmp(meant("--time"), "") == 0 && strcmp(meant("--pub"), "") == 0);
	check(strcmp(meant("--a-very-long-option-that-nobody-has"), "") == 0);
	check(strcmp(meant("-e"), "") == 0);
}

static void
refused(void *words)
{
	struct option l[DP_TABLE_ROWS];
	char shorts[3 * DP_TABLE_ROWS], *argv[8] = { NULL };
	int argc, c;

	dp_table_progname("x");
	dp_table_getopt(l, shorts, own);
	for (argc = 0; (argv[argc] = strtok(argc == 0 ? words : NULL, " ")) != NULL; argc++)
		;
	while ((c = dp_table_next(argc, argv, shorts, l)) != '?' && c != -1)
		;
	if (c == '?')
		(void)dp_table_refused(l, shorts, argv[optind - 1]);
}

/* What is said of a command line is our own, and the same on all systems. */
static bool
says(const char *line, const char *wanted)
{
	char copy[64];

	snprintf(copy, sizeof copy, "%s", line);
	return child_status(refused, copy) == 0 && strcmp(child_said, wanted) == 0;
}

static void
test_refused(void)
{
	check(says("x --csv -e 1 --range=0:1 a b", ""));
	check(says("x --foo=3", "x: unrecognized option '--foo=3'\n"));
	check(says("x a --foo b", "x: unrecognized option '--foo'\n"));
	check(says("x --quiet=3", "x: option '--quiet' doesn't allow an argument\n"));
	check(says("x --epsilo", "x: option '--epsilon' requires an argument\n"));
	check(says("x a -e", "x: option requires an argument -- 'e'\n"));
	check(says("x --csv -Zq", "x: invalid option -- 'Z'\n"));
	check(says("x --range=0:1 -Z", "x: invalid option -- 'Z'\n"));
	check(says("x --quie=1 a -H", "x: option '--quiet' doesn't allow an argument\n"));
	check(says("x --key-", "x: unrecognized option '--key-'\n"));
	check(says("x --tim=2",
	    "x: option '--tim=2' is ambiguous; possibilities: '--time' '--time-format'\n"));
	check(says("x --time", "x: option '--time' requires an argument\n"));
}

/* A message is written in one piece, whatever it is made of; a very long one is cut off. */
static void
test_piece(void)
{
	static char much[5000], got[6000];
	const int before = dup(STDERR_FILENO);
	ssize_t n;
	int pair[2];

	check(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
	check(before >= 0 && dup2(pair[1], STDERR_FILENO) == STDERR_FILENO);
	dp_table_progname("tool");
	dp_warn("%s and %d", "this", 7);
	memset(much, 'x', sizeof much - 1);
	dp_warn("%s", much);
	check(dup2(before, STDERR_FILENO) == STDERR_FILENO);
	check(recv(pair[0], got, sizeof got, MSG_DONTWAIT) == 17);
	check(memcmp(got, "tool: this and 7\n", 17) == 0);
	n = recv(pair[0], got, sizeof got, MSG_DONTWAIT);
	check(n > 3900 && n < 4096 && memcmp(got + n - 4, "...\n", 4) == 0);
	check(recv(pair[0], got, sizeof got, MSG_DONTWAIT) < 0);
	close(before);
	close(pair[0]);
	close(pair[1]);
}

int
main(void)
{
	test_piece();
	test_rows();
	test_kinds();
	test_values();
	test_kept();
	test_takes();
	test_getopt();
	test_near();
	test_refused();
	return done();
}
