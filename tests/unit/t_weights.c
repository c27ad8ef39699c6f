/* SPDX-License-Identifier: ISC */
/*
 * t_weights.c - lists of weights: what is read, to the last bit, and what is refused, by line and
 * reason.
 */
#include <stdlib.h>
#include <string.h>

#include "base/internal.h"
#include "base/matrix.h"
#include "check.h"

static void
read_lists(void)
{
	static const struct {
		const char *text;
		size_t n;
		double g[4];
	} row[] = {
		{ "1", 1, { 1 } }, { "1\n", 1, { 1 } }, { "1.0\r\n", 1, { 1 } },
		{ "1e0\n\n\n", 1, { 1 } },
		{ "1\n.5\n5e-1\n0.25", 4, { 1, .5, .5, .25 } },
		{ "1\r\n0.3\r\n3E-2\r\n0\r\n\r\n", 4, { 1, .3, .03, 0 } },
		{ "1.\n1\n.1\n1e-400\n", 4, { 1, 1, .1, 0 } },
		{ "10e-1\n0.90000000000000002220446049250313080847263336181640625\n1.e-5\n"
		    "4.9e-324\n", 4,
		    { 1, .9, 1e-5, 4.9e-324 } },
		{ "0001\n0.9999999999999999999999999999\n"
		    "100000000000000000000000000000e-30\n2e-0000000001", 4,
		    { 1, 1, .1, .2 } },
		{ "1\n0.2", 2, { 1, .2 } }, { "1\n\r\n\r\n", 1, { 1 } }, { "1\r\r\n", 1, { 1 } },
		{ "1e+0\n1e-500", 2, { 1, 0 } }
	};
	double *g;
	size_t i, k, n;
	char why[160];
	bool good;

	/* the last but one: .2 after .1 increases */
	for (i = 0; i < sizeof row / sizeof row[0]; i++) {
		if (dp_weights_read(row[i].text, strlen(row[i].text), &g, &n, why) != 0) {
			good = i == 8 && strcmp(why,
			    "line 4 is larger than the one before: weights must not increase") == 0;
		} else {
			for (good = n == row[i].n, k = 0; good && k < n; k++)
				good = g[k] == row[i].g[k];
			free(g);
		}
		if (!good)
			printf("list %zu: %s\n", i, why);
		check(good);
	}
}

static void
refuse(void)
{
	static const struct {
		const char *text, *why;
	} row[] = {
		{ "", "there are no weights" }, { "\n", "there are no weights" },
		{ "\r\n\n", "there are no weights" },
		{ "0.5\n", "line 1 is not 1: the first weight must be" },
		{ "0\n", "line 1 is not 1: the first weight must be" },
		{ "2\n", "line 1 is not 1: the first weight must be" },
		{ "1e400\n", "line 1 is not 1: the first weight must be" },
		{ "1\n\n.5\n", "line 2 is blank" }, { "1\r\n\r\n.5", "line 2 is blank" },
		{ "\n1\n", "line 1 is blank" },
		{ "1\n0.5\n0.50001\n",
		    "line 3 is larger than the one before: weights must not increase" },
		{ "1\n1e99999999999999999999\n",
		    "line 2 is larger than the one before: weights must not increase" },
		{ "1\n-0.5\n", "line 2 is negative" }, { "1\n-.5", "line 2 is negative" },
		{ "-1\n", "line 1 is negative" },
		{ "nan\n", "line 1 is not a number" }, { "1\nNaN\n", "line 2 is not a number" },
		{ "1\ninf\n", "line 2 is not a number" }, { "1\n-inf\n", "line 2 is not a number" },
		{ "1\n0x1p-1\n", "line 2 is not a number" }, { "0x1\n", "line 1 is not a number" },
		{ "1\n0.5 \n", "line 2 is not a number" },
		{ "1\n 0.5\n", "line 2 is not a number" },
		{ "1\n0,5\n", "line 2 is not a number" }, { "1\n1/2\n", "line 2 is not a number" },
		{ "1\n+.5\n", "line 2 is not a number" }, { "1\n.\n", "line 2 is not a number" },
		{ "1\ne-1\n", "line 2 is not a number" }, { "1\n1e\n", "line 2 is not a number" },
		{ "1\n1e-\n", "line 2 is not a number" },
		{ "1\n1e-1e\n", "line 2 is not a number" },
		{ "1\n.5.5\n", "line 2 is not a number" },
		{ "1\n# half\n.5\n", "line 2 is not a number" },
		{ "1\n1ex\n", "line 2 is not a number" }, { "1\n-\n", "line 2 is not a number" },
		{ "1\n.5\r.2\n", "line 2 is not a number" }
	};
	double *g = NULL;
	char why[160];
	size_t i, n = 77;

	for (i = 0; i < sizeof row / sizeof row[0]; i++) {
		why[0] = '\0';
		check(dp_weights_read(row[i].text, strlen(row[i].text), &g, &n, why) == DP_ESYNTAX);
		if (strcmp(why, row[i].why) != 0)
			printf("\"%s\": %s\n", row[i].text, why);
		check(strcmp(why, row[i].why) == 0);
	}
	check(dp_weights_read("1\n.5\0\n", 6, &g, &n, why) == DP_ESYNTAX);
	check(g == NULL && n == 77);		/* written only on success */
}

/* Factors that rise. */
static void
rises(void)
{
	static const struct {
		const char *text, *why;
	} row[] = {
		{ "1\n.5\n", "line 2 is smaller than the one before: what is lost cannot be had "
		    "back" },
		{ "2\n3\n", "line 1 is not 1: an event must have all of epsilon when it happens" },
		{ "1\n1000001\n", "line 2 is above 1000000: use --expire=W where privacy ends" },
		{ "1\n-2\n", "line 2 is negative" }, { "\n", "there are no factors" },
		{ "1\ninf\n", "line 2 is not a number" }
	};
	double *g = NULL;
	char why[160];
	size_t i, n = 77;

	for (i = 0; i < sizeof row / sizeof row[0]; i++) {
		check(dp_rise_read(row[i].text, strlen(row[i].text), &g, &n, why) == DP_ESYNTAX);
		if (strcmp(why, row[i].why) != 0)
			printf("\"%s\": %s\n", row[i].text, why);
		check(strcmp(why, row[i].why) == 0);
	}
	check(g == NULL && n == 77);
	check(dp_rise_read("1\n1\n2.5\n1e6\n", 12, &g, &n, why) == 0 && n == 4);
	check(g[1] == 1 && g[2] == 2.5 && g[3] == 1e6);
	free(g);
}

/* As many weights as may be, and one more; a line too long. */
static void
limits(void)
{
	size_t n, len = 2 * (DP_WEIGHTS_MAX + 1);
	char *text = malloc(len), why[160];
	double *g;

	if (text == NULL)
		abort();
	for (n = 0; n < len; n += 2)
		memcpy(text + n, "1\n", 2);
	check(dp_weights_read(text, len - 2, &g, &n, why) == 0 && n == DP_WEIGHTS_MAX);
	free(g);
	check(dp_weights_read(text, len - 3, &g, &n, why) == 0 && n == DP_WEIGHTS_MAX);
	free(g);
	check(dp_weights_read(text, len, &g, &n, why) == DP_ERANGE);
	check(strcmp(why, "more than 65536 weights, and every step would add up all of them: "
	    "make steps longer (--bucket) or use --half-life or --power") == 0);
	memset(text, '0', 1001);
	check(dp_weights_read(text, 1001, &g, &n, why) == DP_ESYNTAX);
	check(strcmp(why, "line 1 is too long for a number") == 0);
	free(text);
}

/*
 * Against strtod in the C locale, which rounds correctly: what printf writes comes back to the last
 * bit or the next.
 */
static void
digits(void)
{
	uint64_t r = 88172645463325252u;
	double *g, v;
	char text[200], why[160];
	size_t n;
	long i, off = 0, wrong = 0;

	for (i = 0; i < 200000; i++) {
		r ^= r << 13;
		r ^= r >> 7;
		r ^= r << 17;
		v = (double)(r >> 11) * 0x1p-53;
		if (i % 3 == 0)
			v = v * v * v * v * v * v * v * v;
		if (i % 30 == 0)
			v = v * v * v * v * v * v * v * v;
		snprintf(text, sizeof text, i % 2 ? "1\n%.17g\n" : "1\n%.25f\n", v);
		if (i % 2 == 0)
			v = strtod(text + 2, NULL);
		if (dp_weights_read(text, strlen(text), &g, &n, why) != 0) {
			wrong++;
			continue;
		}
		off += g[1] != v;
		wrong += n != 2 || g[1] < v * (1 - 0x1p-52) || g[1] > v * (1 + 0x1p-52);
		free(g);
	}
	if (off > 0)
		printf("%ld of %ld numbers one unit off\n", off, i);
	check(wrong == 0 && off < i / 50);
}

int
main(void)
{
	read_lists();
	refuse();
	rises();
	limits();
	digits();
	return done();
}
