/* SPDX-License-Identifier: ISC */
/*
 * library.c - a program of dputils.h alone.  usage: library KIND [OPTION=VALUE ..]
 * [--explain=FORM] [--bound=LEVEL] [--again] [--ledger=FILE:LABEL]; reads lines VALUE [KEY [USER]],
 * each a step, or, if the first option is steps=sums, closed by a line "."; prints what a step has.
 * --again: after each step all is saved, freed and loaded.  Status: minus the code.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dputils.h"

static dputils *h;
static double level;

static void
check(int e)
{
	const int code = errno;

	if (e == 0)
		return;
	fprintf(stderr, "%s: %s%s%s\n", dputils_error(e), h != NULL ? dputils_why(h) : "",
	    e == DPUTILS_EIO ? ": errno: " : "", e == DPUTILS_EIO ? strerror(code) : "");
	dputils_free(h);
	exit(-e);
}

static void
explain(const char *form)
{
	char *text;
	size_t n = 0;

	(void)dputils_explain(h, form, NULL, 0, &n);
	text = malloc(n + 1);
	check(text == NULL ? DPUTILS_ENOMEM : dputils_explain(h, form, text, n, NULL));
	fputs(text, stdout);
	free(text);
}

/* What is saved goes on as it was. */
static void
again(void)
{
	char *text;
	size_t n = 0;
	int e;

	e = dputils_save(h, NULL, 0, &n);
	check(e == DPUTILS_ERANGE ? 0 : e);
	text = malloc(n);
	check(text == NULL ? DPUTILS_ENOMEM : dputils_save(h, text, n, NULL));
	dputils_free(h);
	h = NULL;
	e = dputils_load(&h, text, n);
	free(text);
	check(e);
}

static void
number(size_t i)
{
	const unsigned places = dputils_decimals(h, i);
	char text[48];
	int64_t lo, hi;
	double unit = 1;
	unsigned k;
	int e = dputils_text(h, i, text, sizeof text);

	check(e == DPUTILS_ENONE ? 0 : e);
	printf("%s%s", i > 0 ? "\t" : "", e == 0 ? text : "");
	if (level == 0)
		return;
	for (k = 0; k < places; k++)
		unit *= 10;
	check(dputils_interval(h, i, level, &lo, &hi));
	printf("\t%.*f\t%.*f", (int)places, (double)lo / unit, (int)places, (double)hi / unit);
}

static void
step(int saves)
{
	size_t i;

	check(dputils_step(h));
	for (i = 0; i < dputils_numbers(h); i++)
		number(i);
	printf("\n");
	if (saves)
		again();
}

static void
event(char *line)
{
	const char *value = strtok(line, " "), *key = strtok(NULL, " "), *user = strtok(NULL, " ");
	int e = dputils_event(h, value != NULL ? value : "", value != NULL ? strlen(value) : 0,
	    key != NULL ? strtoul(key, NULL, 10) : 0, user, user != NULL ? strlen(user) : 0);

	check(e == DPUTILS_EVALUE ? 0 : e);
}

int
main(int argc, char **argv)
{
	int i, saves = 0, told = 0, sums = argc > 2 && strcmp(argv[2], "steps=sums") == 0;
	char line[256], *value;

	check(argc < 2 ? DPUTILS_EUSE : dputils_new(&h, argv[1]));
	for (i = 2; i < argc; i++)
		if (argv[i][0] != '-' && (value = strchr(argv[i], '=')) != NULL) {
			*value++ = '\0';
			check(dputils_set(h, argv[i], value));
		}
	check(dputils_plan(h));
	for (i = 2; i < argc; i++)
		if (strncmp(argv[i], "--explain=", 10) == 0 && (told = 1))
			explain(argv[i] + 10);
		else if (strncmp(argv[i], "--bound=", 8) == 0)
			level = strtod(argv[i] + 8, NULL);
		else if (strcmp(argv[i], "--again") == 0)
			saves = 1;
		else if (strncmp(argv[i], "--ledger=", 9) == 0) {
			*(value = strrchr(argv[i], ':')) = '\0';
			check(dputils_charge(h, argv[i] + 9, value + 1));
		}
	while (!told && fgets(line, sizeof line, stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (strcmp(line, ".") != 0)
			event(line);
		if (!sums || strcmp(line, ".") == 0)
			step(saves);
	}
	dputils_free(h);
	return 0;
}
