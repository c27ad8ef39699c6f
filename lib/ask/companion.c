/*
 * companion.c - see companion.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "companion.h"
#include "options_table.h"

static const struct dp_own everywhere[] = {
	[0] = { 'h', "help", "[all]", "this text", DP_KIND_TEXT, "all" },
	{ 'V', "version", NULL, "version", DP_KIND_FLAG },
	{ .name = NULL }
};

static _Noreturn void
help(const struct dp_aside *tool, const char *what)
{
	const int width = what == NULL ? 80 : 0;
	int i;

	if (what != NULL && strcmp(what, DP_HELP_COMPLETION) == 0) {
		dp_help_own(tool->own, DP_HELP_LINES);
		dp_help_own(everywhere, DP_HELP_LINES);
		exit(dp_close_stdout());
	}
	if (what != NULL && strcmp(what, "all") != 0)
		dp_die(DP_EX_USAGE, "--help: '%s' must be all, or nothing", what);
	for (i = 0; i < DP_ASIDE_LINES && tool->synopsis[i] != NULL; i++)
		printf("%s %s %s\n", i == 0 ? "usage:" : "      ", tool->name, tool->synopsis[i]);
	dp_help_words(tool->purpose, 0, 0, width);
	putchar('\n');
	dp_help_own(tool->own, width);
	dp_help_own(everywhere, width);
	if (tool->examples != NULL)
		printf("\nFor example:\n%s\n", tool->examples);
	printf("\nExit status: %s  See %s(1), dputils(7).\n", tool->statuses, tool->name);
	exit(dp_close_stdout());
}

/* getopt's lists. */
static void
lists(const struct dp_own *own, struct option longs[DP_OWN_MAX + 3], char *shorts)
{
	size_t i;
	int has;

	for (i = 0; own[i].name != NULL; i++) {
		has = own[i].arg == NULL ? no_argument : dp_table_optional(own[i].arg) ?
		    optional_argument : required_argument;
		longs[i] = (struct option){ own[i].name, has, NULL, OPT_OWN + (int)i };
		if (own[i].letter != 0) {
			*shorts++ = (char)own[i].letter;
			if (has != no_argument)
				*shorts++ = ':';
		}
	}
	longs[i++] = (struct option){ "help", optional_argument, NULL, 'h' };
	longs[i++] = (struct option){ "version", no_argument, NULL, 'V' };
	longs[i] = (struct option){ NULL, 0, NULL, 0 };
	strcpy(shorts, "hV");
}

void
dp_aside_begin(const struct dp_aside *tool, int argc, char **argv)
{
	dp_table_progname(tool->name);
	if (argc > 0)		/* getopt's own messages begin with it */
		argv[0] = (char *)(uintptr_t)tool->name;
}

int
dp_aside_next(const struct dp_aside *tool, char order, int n, int argc, char **argv)
{
	static struct option longs[DP_OWN_MAX + 3];
	static char shorts[3 * DP_OWN_MAX + 5];
	int c, i;

	if (longs[0].name == NULL) {
		shorts[0] = order;
		lists(tool->own, longs, shorts + (order != '\0'));
	}
	switch (c = getopt_long(argc, argv, shorts, longs, NULL)) {
	case -1:
		return -1;
	case 1:
		return DP_ASIDE_OPERAND;
	case 'h':
		help(tool, optarg);
	case 'V':
		printf("%s (dputils) %s\n", tool->name, DP_VERSION);
		exit(dp_close_stdout());
	case '?':
		dp_table_near(longs, argv[optind - 1]);
		if (tool->command != NULL && n > 0)
			dp_warn("--%s: a command, with its options, goes behind it", tool->command);
		fprintf(stderr, "Try '%s --help'.\n", tool->name);
		exit(DP_EX_USAGE);
	default:
		break;
	}
	for (i = 0; c < OPT_OWN && tool->own[i].letter != c; i++)
		;
	return c < OPT_OWN ? i : c - OPT_OWN;
}

int
dp_aside_parse(const struct dp_aside *tool, struct dp_own_value v[static DP_OWN_MAX], int argc,
    char **argv)
{
	bool command = false;
	int i, n = 0;

	dp_aside_begin(tool, argc, argv);
	memset(v, 0, DP_OWN_MAX * sizeof *v);
	while (!(command && n > 0) && (i = dp_aside_next(tool, '-', n, argc, argv)) != -1) {
		if (i == DP_ASIDE_OPERAND) {
			argv[++n] = optarg;
			continue;
		}
		if (v[i].text != NULL && tool->own[i].arg != NULL)
			dp_die(DP_EX_USAGE, "--%s is given twice", tool->own[i].name);
		v[i].text = optarg == NULL ? "" : optarg;
		command |= tool->command != NULL && strcmp(tool->own[i].name, tool->command) == 0;
	}
	while (optind < argc)
		argv[++n] = argv[optind++];
	argv[n + 1] = NULL;
	return n;
}
