/*
 * companion.c - see companion.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "companion.h"
#include "options_table.h"

static const struct dp_own everywhere[] = {
	{ 'h', "help", "[all]", "this text", DP_KIND_TEXT, NULL },
	{ 'V', "version", NULL, "version", DP_KIND_FLAG, NULL },
	{ .name = NULL }
};

static _Noreturn void
help(const struct dp_aside *tool, const char *what)
{
	const int width = what == NULL ? 80 : 0;
	int i;

	if (what != NULL && strcmp(what, "all") != 0)
		dp_die(DP_EX_USAGE, "--help: '%s' must be all, or nothing", what);
	for (i = 0; i < 3 && tool->synopsis[i] != NULL; i++)
		printf("%s %s %s\n", i == 0 ? "usage:" : "      ", tool->name, tool->synopsis[i]);
	dp_help_words(tool->purpose, 0, 0, width);
	putchar('\n');
	dp_help_own(tool->own, width);
	dp_help_own(everywhere, width);
	printf("\nExit status: %s  See %s(1), dputils(7).\n", tool->statuses, tool->name);
	exit(dp_close_stdout());
}

/* getopt's lists; '-': operands come in order, as the option 1. */
static void
lists(const struct dp_own *own, struct option longs[DP_OWN_MAX + 3],
    char shorts[3 * DP_OWN_MAX + 5])
{
	size_t i;
	int has;

	*shorts++ = '-';
	for (i = 0; own[i].name != NULL; i++) {
		has = own[i].arg == NULL ? no_argument : required_argument;
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

static void
set(const struct dp_aside *tool, struct dp_own_value *v, int c)
{
	const struct dp_own *own = tool->own;
	int i;

	for (i = 0; own[i].name != NULL; i++) {
		if (c != OPT_OWN + i && (own[i].letter == 0 || c != own[i].letter))
			continue;
		if (v[i].text != NULL && own[i].arg != NULL)
			dp_die(DP_EX_USAGE, "--%s is given twice", own[i].name);
		v[i].text = optarg == NULL ? "" : optarg;
	}
}

int
dp_aside_parse(const struct dp_aside *tool, struct dp_own_value v[static DP_OWN_MAX], int argc,
    char **argv)
{
	struct option longs[DP_OWN_MAX + 3];
	char shorts[3 * DP_OWN_MAX + 5];
	bool command = false;
	int c, n = 0;

	dp_table_progname(tool->name);
	if (argc > 0)		/* getopt's own messages begin with it */
		argv[0] = (char *)(uintptr_t)tool->name;
	memset(v, 0, DP_OWN_MAX * sizeof *v);
	lists(tool->own, longs, shorts);
	while (!(command && n > 0) && (c = getopt_long(argc, argv, shorts, longs, NULL)) != -1)
		switch (c) {
		case 1:
			argv[++n] = optarg;
			break;
		case 'h':
			help(tool, optarg);
		case 'V':
			printf("%s (dputils) %s\n", tool->name, DP_VERSION);
			exit(dp_close_stdout());
		case '?':
			dp_table_near(longs, argv[optind - 1]);
			if (tool->command != NULL && n > 0)
				dp_warn("--%s: a command, with its options, goes behind it",
				    tool->command);
			fprintf(stderr, "Try '%s --help'.\n", tool->name);
			exit(DP_EX_USAGE);
		default:
			set(tool, v, c);
			command |= tool->command != NULL && c >= OPT_OWN &&
			    strcmp(tool->own[c - OPT_OWN].name, tool->command) == 0;
		}
	while (optind < argc)
		argv[++n] = argv[optind++];
	argv[n + 1] = NULL;
	return n;
}
