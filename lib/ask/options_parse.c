/*
 * options_parse.c - command lines: getopt, the options of one tool alone, refusals.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sodium.h>

#include "options_table.h"

#define REASON	120		/* bytes of why an option is refused */

char *
dp_options_read(const char *option, const char *path, size_t *size)
{
	char *text = NULL, *more;
	size_t cap = 0, n;
	FILE *fp;

	if ((fp = fopen(path, "re")) == NULL)
		dp_options_bad_file(option, path);
	for (*size = 0;; *size += n) {
		if (*size + 1 >= cap) {
			if ((more = realloc(text, cap = cap * 2 + 4096)) == NULL)
				dp_die(DP_EX_SYSTEM, "out of memory");
			text = more;
		}
		if ((n = fread(text + *size, 1, cap - *size - 1, fp)) == 0)
			break;
		if (*size + n > DP_FILE_MAX)
			dp_die(DP_EX_USAGE, "--%s: %s: is too large", option, path);
	}
	text[*size] = '\0';
	if (ferror(fp) || fclose(fp) != 0)
		dp_options_bad_file(option, path);
	return text;
}

/* The whole file into v, and its hash. */
static void
read_file(const char *option, struct dp_own_value *v)
{
	unsigned char digest[16];

	v->file = dp_options_read(option, v->text, &v->size);
	crypto_generichash(digest, sizeof digest, (unsigned char *)v->file, v->size, NULL, 0);
	sodium_bin2hex(v->hash, sizeof v->hash, digest, sizeof digest);
}

static void
read_number(const char *option, struct dp_own_value *v)
{
	int e = dp_q_parse(&v->number, v->text);

	if (e == DP_ERANGE)
		dp_die(DP_EX_USAGE, "--%s: '%s' has too many digits, or is too large or too small",
		    option, v->text);
	if (e != 0 || v->number.num == 0)
		dp_die(DP_EX_USAGE, "--%s: '%s' must be a decimal or a ratio above 0",
		    option, v->text);
}

/* An option of the tool alone. */
static void
own_option(struct dp_options *o, const struct dp_own *own, int c, const char *arg)
{
	struct dp_own_value *v;
	int i;

	for (i = 0; own != NULL && own[i].name != NULL; i++) {
		if (c != OPT_OWN + i && (own[i].letter == 0 || c != own[i].letter))
			continue;
		v = &o->own[i];
		v->text = arg != NULL ? arg : "";
		switch (own[i].kind) {
		case DP_KIND_FILE:
			read_file(own[i].name, v);
			break;
		case DP_KIND_NUMBER:
			read_number(own[i].name, v);
			break;
		case DP_KIND_TEXT:
		case DP_KIND_FLAG:
			break;
		}
	}
}

void
dp_options_set(struct dp_options *o, const struct dp_tool *tool, int c, const char *arg)
{
	o->given[c] = true;
	o->text[c] = arg != NULL ? arg : "";
	dp_options_shared(o, c, arg);
	own_option(o, tool->own, c, arg);
}

void
dp_options_own(struct dp_options *o, void *p)
{
	void **more = realloc(o->owned.p, (o->owned.n + 1) * sizeof *more);

	if (more == NULL || p == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	o->owned.p = more;
	o->owned.p[o->owned.n++] = p;
}

char *
dp_options_keep(struct dp_options *o, const char *p, size_t n)
{
	char *text = strndup(p, n);

	dp_options_own(o, text);
	return text;
}

void
dp_options_free(struct dp_options *o)
{
	size_t i;

	while (o->keys.n > 0)
		free(o->keys.name[--o->keys.n]);
	free(o->keys.name);
	while (o->owned.n > 0)
		free(o->owned.p[--o->owned.n]);
	free(o->owned.p);
	free(o->form.condition);
	for (i = 0; i < o->room; i++)
		free(o->output[i].name);
	free(o->output);
	for (i = 0; i < DP_OWN_MAX; i++)
		free(o->own[i].file);
	dp_zone_free(&o->time.zone);
	free(o->priv.command);
	free(o->time.day);
}

static bool
taken(const struct dp_tool *tool, int c)
{
	const struct dp_row *row;
	size_t i;

	for (i = 0; (row = dp_table_row(i)) != NULL; i++)
		if (row->name != NULL && row->c == c)
			return dp_table_takes(tool, row);
	return true;		/* its own */
}

/* Reason why an option is refused, or whose it is; "" where its name says enough. */
static const char *
why_not(const struct dp_tool *tool, int c, char text[static REASON])
{
	const char *name = dp_table_name(c, NULL);
	char tools[DP_WHOSE];

	if (c == 'u' && tool->shape == DP_SHAPE_ID)
		return "; the identifier is what -v names";
	if ((c == OPT_UNIT || c == OPT_PARTIAL) && tool->adds != NULL)
		return "; a total does not say how many events it is of, which are counted here";
	if (c == OPT_ONCE)
		return tool->prints == DP_PRINT_END ? "; all input is one step of it as it is" :
		    "; a line is a step of it";
	if (c == 'm' && (tool->groups & DP_GROUP_WHERE) != 0)
		return "; --where says which lines count";
	if (dp_table_whose(name, strlen(name), tools) == NULL)
		return "";
	snprintf(text, REASON, "; %s %s it", tools, strchr(tools, ' ') != NULL ? "have" : "has");
	return text;
}

/* An unknown option that another tool has. */
static void
say_whose(const char *word)
{
	const char *name = optopt != 0 ? dp_table_letter(optopt) : word + 2;
	const size_t n = name == NULL ? 0 : strcspn(name, "=");
	char tools[DP_WHOSE];

	if (n != 0 && (optopt != 0 || strncmp(word, "--", 2) == 0) &&
	    dp_table_whose(name, n, tools) != NULL)
		dp_warn("--%.*s is an option of %s", (int)n, name, tools);
}

/* An unknown option: ends the message that getopt has begun, and exits. */
static _Noreturn void
unknown(const struct dp_tool *tool, struct option *longs, const char *word)
{
	struct option *l, *to = longs;
	bool own = false;

	for (l = longs; l->name != NULL; l++)
		if (taken(tool, l->val)) {
			own |= optopt != 0 && l->val == optopt;
			*to++ = *l;
		}
	*to = *l;
	if (!own)	/* else known, and used wrongly */
		say_whose(word);
	dp_table_near(longs, word);
	fprintf(stderr, "Try '%s --help'.\n", tool->name);
	exit(DP_EX_USAGE);
}

/*
 * An argument that may be left out stands in the same word: -B0.9.  Given apart it would be taken
 * for a file; that is what somebody meant only if there is one.
 */
static void
check_apart(const struct dp_tool *tool, int c, const char *next)
{
	const char *name = dp_table_name(c, tool->own);
	struct dp_q q;
	uint64_t n;
	bool meant;

	if (next == NULL || access(next, F_OK) == 0)
		return;
	switch (c) {
	case 'B':
		meant = dp_q_parse(&q, next) == 0;
		break;
	case 'E':
		meant = strcmp(next, "json") == 0;
		break;
	case OPT_PARTIAL:
		meant = strcmp(next, "by-user") == 0;
		break;
	case OPT_LIVE:
		meant = dp_duration_parse(&n, next) == 0;
		break;
	default:
		meant = false;
		break;
	}
	if (meant)
		dp_die(DP_EX_USAGE, "--%s: '%s' stands apart, and would be the name of a file; "
		    "write --%s=%s", name, next, name, next);
}

/* All conditions so far, a line each: they are one option to a state file. */
static char *
one_more(struct dp_options *o, char *condition)
{
	const char *before = o->form.where;
	char *both = NULL;

	if (strchr(condition, '\n') != NULL)
		dp_die(DP_EX_USAGE, "--where: a pattern has no newline in it: write \\n");
	if (before == NULL)
		return condition;
	dp_options_own(o, asprintf(&both, "%s\n%s", before, condition) < 0 ? NULL : both);
	return both;
}

bool
dp_options_pan(const struct dp_tool *tool, int argc, char **argv)
{
	struct option longs[DP_TABLE_ROWS];
	char shorts[1 + 3 * DP_TABLE_ROWS] = "-";	/* argv keeps its order: it is run again */
	bool pan = tool->pan;
	int c;

	dp_table_progname(tool->name);
	dp_table_getopt(longs, shorts + 1, tool->own);
	opterr = 0;
	while ((c = getopt_long(argc, argv, shorts, longs, NULL)) != -1)
		pan |= c == 'P' || c == OPT_STATE;
	opterr = 1;
	optind = 0;		/* glibc: from the start, all of it */
	return pan;
}

void
dp_options_parse(struct dp_options *o, const struct dp_tool *tool, int argc, char **argv)
{
	static char dash[] = "-", *standard_input[] = { dash, NULL };
	struct option longs[DP_TABLE_ROWS];
	char shorts[3 * DP_TABLE_ROWS];
	char *command, why[REASON];
	int c;

	dp_table_progname(tool->name);
	command = dp_options_command(argc, argv);
	if (argc > 0)		/* getopt's own messages begin with it */
		argv[0] = (char *)(uintptr_t)tool->name;
	*o = (struct dp_options){ .priv = { .delta = { 0, 1 }, .has_epsilon = tool->map,
	    .exact = tool->map, .mechanism = tool->map ? "input" : "auto",
	    .pan_default = tool->pan }, .form.delimiter = -1, .range.hi = 1,
	    .print.every = tool->prints != DP_PRINT_END, .outputs = 1, .room = DP_WINDOWS_MAX };
	if ((o->output = calloc(o->room, sizeof *o->output)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (tool->range != NULL)
		(void)dp_options_range(o, tool->range);
	o->priv.command = command;
	dp_table_getopt(longs, shorts, tool->own);
	while ((c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (c == '?')
			unknown(tool, longs, argv[optind - 1]);
		if (c == 'h')
			dp_table_help(tool, optarg);
		if (c == 'V') {
			printf("%s (dputils) %s\n", tool->name, DP_VERSION);
			exit(dp_close_stdout());
		}
		/* nothing is accepted and ignored */
		if (!taken(tool, c))
			dp_die(DP_EX_USAGE, "--%s: %s does not take this option%s",
			    dp_table_name(c, NULL), tool->name, why_not(tool, c, why));
		if (optarg == NULL)
			check_apart(tool, c, optind < argc ? argv[optind] : NULL);
		if (c == OPT_WHERE)
			optarg = one_more(o, optarg);
		else if (o->given[c] && optarg != NULL)
			dp_die(DP_EX_USAGE, "--%s is given twice", dp_table_name(c, tool->own));
		dp_options_set(o, tool, c, optarg);
	}
	dp_options_keys_complete(o);
	o->operands.file = optind < argc ? argv + optind : standard_input;
	o->operands.n = optind < argc ? argc - optind : 1;
}
