/* dpbudget - the ledger of a data set's budget: makes it, shows it, closes it. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask/options_table.h"
#include "ask/relation.h"
#include "keep/charge.h"
#include "run/process.h"

enum { INIT = 256, SHOW, CLOSE, TOTAL, UNIT, WITNESS };

static const struct option options[] = {
	{ "init", no_argument, NULL, INIT }, { "show", no_argument, NULL, SHOW },
	{ "close", no_argument, NULL, CLOSE }, { "total", required_argument, NULL, TOTAL },
	{ "unit", required_argument, NULL, UNIT }, { "witness", required_argument, NULL, WITNESS },
	{ "help", optional_argument, NULL, 'h' }, { "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 }
};

static const char help[] =
    "usage: dpbudget --init --total=E[,D] [--unit=NAME] [--witness=FILE] FILE\n"
    "       dpbudget {--show | --close} FILE\n"
    "Keep the ledger of a data set's privacy budget; others debit it by --budget.\n\n"
    "Options:\n"
    "      --init                 create the ledger FILE; refused if it exists\n"
    "      --total=E[,D]          all that may be spent: epsilon, and delta\n"
    "      --unit=NAME            what runs must protect: event, user, number,\n"
    "                             answer, user-step/1d; default: as the first run\n"
    "      --witness=FILE         keep the witness there, not in FILE.witness\n"
    "      --show                 print who spent what, when, and what is left\n"
    "      --close                accept no more charges\n"
    "  -h, --help                 this text\n"
    "  -V, --version              version\n\n"
    "Exit status: 0 success, 1 system, 2 usage, 4 ledger closed already,\n"
    "5 ledger refused, 75 ledger in use.  See dpbudget(1), dputils(7).\n";

struct arguments {
	int action;
	const char *total, *unit, *witness, *file;
};

static void
parse(struct arguments *a, int argc, char **argv)
{
	int c;

	*a = (struct arguments){ 0 };
	while ((c = getopt_long(argc, argv, "hV", options, NULL)) != -1)
		switch (c) {
		case INIT:
		case SHOW:
		case CLOSE:
			if (a->action != 0)
				dp_die(DP_EX_USAGE, "only one of --init, --show and --close can be "
				    "asked for");
			a->action = c;
			break;
		case TOTAL:
			a->total = optarg;
			break;
		case UNIT:
			a->unit = optarg;
			break;
		case WITNESS:
			a->witness = optarg;
			break;
		case 'h':
			if (optarg != NULL && strcmp(optarg, "all") != 0)
				dp_die(DP_EX_USAGE, "--help: '%s' must be all, or nothing", optarg);
			fputs(help, stdout);
			exit(dp_close_stdout());
		case 'V':
			printf("dpbudget (dputils) %s\n", DP_VERSION);
			exit(dp_close_stdout());
		default:
			dp_table_near(options, argv[optind - 1]);
			fprintf(stderr, "Try 'dpbudget --help'.\n");
			exit(DP_EX_USAGE);
		}
	if (a->action == 0)
		dp_die(DP_EX_USAGE, "one of --init, --show and --close is needed");
	if (argc - optind != 1 || *argv[optind] == '\0')
		dp_die(DP_EX_USAGE, "one file is needed: the ledger");
	a->file = argv[optind];
	if (a->action == INIT && a->total == NULL)
		dp_die(DP_EX_USAGE, "--init needs --total=E[,D]: all that may ever be spent");
	if (a->action != INIT && (a->total != NULL || a->unit != NULL || a->witness != NULL))
		dp_die(DP_EX_USAGE, "--total, --unit and --witness go with --init");
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

static void
init(const struct arguments *a)
{
	static const char *const units[] = { "event", "user", "number", "answer" };
	char unit[DP_PROTECTED], why[DP_STATE_WHY] = "", time[21], *witness = NULL;
	struct dp_q epsilon, delta;
	const bool step = a->unit != NULL && dp_options_user_step(a->unit, unit);
	size_t i = 0;
	int e;

	while (a->unit != NULL && !step && strcmp(units[i], a->unit) != 0)
		if (++i == sizeof units / sizeof *units)
			dp_die(DP_EX_USAGE, "--unit: '%s' must be event, user, user-step/DUR (1d, "
			    "1mo; with --tz 'user-step/1d ZONE'), number or answer", a->unit);
	parse_total(a->total, &epsilon, &delta);
	/* the ledger is charged from other directories, too */
	if (a->witness != NULL && (witness = absolute(a->witness)) == NULL)
		dp_die(DP_EX_SYSTEM, "--witness: %s", strerror(errno));
	dp_charge_time(time);
	if ((e = dp_budget_create(a->file, witness, epsilon, delta, step ? unit : a->unit, time,
	    why)) != 0)
		dp_charge_fail(e, why);
	free(witness);
}

static const char *
q(char text[static 48], struct dp_q x)
{
	*dp_q_put(text, x) = '\0';
	return text;
}

static void
show_head(const struct dp_budget *b)
{
	const struct dp_account *a = &b->account;
	struct dp_q epsilon, delta;
	const enum dp_rule rule = dp_account_left(a, &epsilon, &delta);
	char e[48], d[48];

	printf("total        epsilon %s, delta %s\n", q(e, a->epsilon), q(d, a->delta));
	printf("unit         %s\n", b->unit != NULL ? b->unit : "-");
	printf("created      %s\n", b->created);
	printf("closed       %s\n", b->closed != NULL ? b->closed : "-");
	printf("charges      %zu\n", b->n);
	printf("composition  %s\n", rule == DP_RULE_BASIC ? "basic" : "zCDP");
	printf("spent        epsilon %s, delta %s (basic composition)\n", q(e, a->sum_epsilon),
	    q(d, a->sum_delta));
	if (a->rho.num != 0 && dp_account_fits(a, DP_RULE_ZCDP))
		printf("spent        epsilon %.6g, delta %.6g (zCDP composition)\n",
		    dp_account_spent(a, DP_RULE_ZCDP),
		    dp_q_double(a->half) + dp_q_double(a->besides));
	if (b->closed != NULL)
		epsilon = delta = (struct dp_q){ 0, 1 };
	printf("left         epsilon %s, delta %s\n", q(e, epsilon), q(d, delta));
}

static const char *
or_dash(const char *s)
{
	return *s != '\0' ? s : "-";
}

/* Charges that say the same of something: each with the next of them. */
struct chains {
	size_t *next;		/* NONE: it is the last */
	bool *first;
};

#define NONE	SIZE_MAX

struct place {
	const char *text;
	size_t i;
};

static int
by_text(const void *a, const void *b)
{
	const struct place *p = a, *q = b;
	const int c = strcmp(p->text, q->text);

	return c != 0 ? c : (p->i > q->i) - (p->i < q->i);
}

static void
make_chains(struct chains *c, const struct dp_budget *b, enum dp_said what)
{
	struct place *p = calloc(b->n, sizeof *p);
	size_t i;
	bool same;

	c->next = calloc(b->n, sizeof *c->next);
	c->first = calloc(b->n, sizeof *c->first);
	if (p == NULL || c->next == NULL || c->first == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	for (i = 0; i < b->n; i++)
		p[i] = (struct place){ b->charge[i].said[what], i };
	qsort(p, b->n, sizeof *p, by_text);
	for (i = 0; i < b->n; i++) {
		same = i > 0 && strcmp(p[i - 1].text, p[i].text) == 0;
		c->first[p[i].i] = !same;
		c->next[p[i].i] = NONE;
		if (same)
			c->next[p[i - 1].i] = p[i].i;
	}
	free(p);
}

static void
free_chains(struct chains *c)
{
	free(c->next);
	free(c->first);
}

static void
show_labels(const struct dp_budget *b)
{
	struct dp_account a;
	struct chains c;
	size_t i, j, n;
	char e[48], d[48];

	make_chains(&c, b, DP_SAID_LABEL);
	printf("\nlabel\tcharges\tepsilon\tdelta\n");
	for (i = 0; i < b->n; i++) {
		if (!c.first[i])
			continue;
		a = (struct dp_account){ .sum_epsilon = { 0, 1 }, .sum_delta = { 0, 1 } };
		for (j = i, n = 0; j != NONE; j = c.next[j], n++)
			dp_account_add(&a, &b->charge[j].loss);
		printf("%s\t%zu\t%s\t%s\n", or_dash(b->charge[i].said[DP_SAID_LABEL]), n,
		    q(e, a.sum_epsilon), q(d, a.sum_delta));
	}
	free_chains(&c);
}

static void
show_charges(const struct dp_budget *b)
{
	const struct dp_charge *c;
	char e[48], d[48];
	size_t i;

	printf("\nn\ttime\tlabel\tepsilon\tdelta\ttool\tmechanism\tuser\thost\tcommand\n");
	for (i = 0; i < b->n; i++) {
		c = &b->charge[i];
		printf("%zu\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", i + 1, c->said[DP_SAID_TIME],
		    or_dash(c->said[DP_SAID_LABEL]), q(e, c->loss.epsilon), q(d, c->loss.delta),
		    c->said[DP_SAID_TOOL], c->said[DP_SAID_MECHANISM], c->said[DP_SAID_USER],
		    c->said[DP_SAID_HOST], c->said[DP_SAID_COMMAND]);
	}
}

static void
show_protects(const struct dp_budget *b)
{
	struct chains c;
	size_t i, j;

	make_chains(&c, b, DP_SAID_PROTECTS);
	printf("\nn\tprotects\n");
	for (i = 0; i < b->n; i++) {
		if (!c.first[i])
			continue;
		printf("%zu", i + 1);
		for (j = c.next[i]; j != NONE; j = c.next[j])
			printf(",%zu", j + 1);
		printf("\t%s\n", b->charge[i].said[DP_SAID_PROTECTS]);
	}
	free_chains(&c);
}

/* Texts that a ledger owns, for a terminal. */
static void
make_plain(struct dp_budget *b)
{
	size_t i;
	int k;

	for (i = 0; i < b->n; i++)
		for (k = 0; k < DP_SAIDS; k++)
			dp_plain((char *)(uintptr_t)b->charge[i].said[k]);
	dp_plain(b->unit);
	dp_plain(b->created);
	dp_plain(b->closed);
}

static void
show(const char *file)
{
	char why[DP_STATE_WHY] = "";
	struct dp_budget b = { .n = 0 };
	int e;

	if ((e = dp_budget_read(&b, file, DP_READ_ALL, DP_CHARGE_WAIT, why)) != 0)
		dp_charge_fail(e, why);
	make_plain(&b);
	show_head(&b);
	if (b.n > 0) {
		show_labels(&b);
		show_charges(&b);
		show_protects(&b);
	}
	dp_budget_free(&b);
}

int
main(int argc, char **argv)
{
	char why[DP_STATE_WHY] = "", time[21];
	struct arguments a;
	int e;

	dp_table_progname("dpbudget");
	if (argc > 0)
		argv[0] = (char *)(uintptr_t)"dpbudget";
	(void)dp_process_files();
	signal(SIGXFSZ, SIG_IGN);	/* an error like any other */
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
