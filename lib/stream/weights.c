#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "weights.h"

#define LINE_MAX_BYTES	1000

/*
 * DIGITS[.DIGITS][e[+-]DIGITS], or without digits before the point, of n bytes: rounded to a long
 * double, and then to a double.  NULL, or the fault.
 */
static const char *
number(const char *s, size_t n, double *v)
{
	char text[LINE_MAX_BYTES + 1], *end;

	memcpy(text, s, n);
	text[n] = '\0';
	if (*text == '-' && strspn(text + 1, "0123456789.") > 0)
		return "is negative";
	if (strspn(text, "0123456789.") == 0 || strspn(text, "0123456789.eE+-") != n)
		return "is not a number";
	*v = (double)dp_real_read(text, &end);
	return end == text + n ? NULL : "is not a number";
}

/* One line, of n weights so far. */
static const char *
line(const char *s, const char *end, double *g, size_t n)
{
	const char *no;

	if (end - s > LINE_MAX_BYTES)
		return "is too long for a number";
	if ((no = number(s, (size_t)(end - s), &g[n])) != NULL)
		return no;
	if (n == 0 && g[0] != 1)
		return "is not 1: the first weight must be";
	if (n > 0 && g[n] > g[n - 1])
		return "is larger than the one before: weights must not increase";
	return NULL;
}

/* Bytes of text without its blank last lines. */
static size_t
trimmed(const char *text, size_t len)
{
	while (len > 0 && (text[len - 1] == '\n' || (text[len - 1] == '\r' &&
	    (len == 1 || text[len - 2] == '\n' || text[len - 2] == '\r'))))
		len--;
	/* the CR of the last number's CRLF */
	return len > 0 && text[len - 1] == '\r' ? len - 1 : len;
}

int
dp_weights_read(const char *text, size_t len, double **out, size_t *ng, char why[static 160])
{
	const char *s = text, *end = text + trimmed(text, len), *eol, *last, *no = NULL;
	size_t n = 1;
	double *g;

	if (s == end) {
		snprintf(why, 160, "there are no weights");
		return DP_ESYNTAX;
	}
	for (eol = s; (eol = memchr(eol, '\n', (size_t)(end - eol))) != NULL; eol++)
		n++;
	if (n > DP_WEIGHTS_MAX) {
		snprintf(why, 160, "more than %zu weights, and every step would add up all of "
		    "them: make steps longer (--bucket) or use --half-life or --power",
		    DP_WEIGHTS_MAX);
		return DP_ERANGE;
	}
	if ((g = malloc(n * sizeof *g)) == NULL)
		return DP_ENOMEM;
	for (n = 0; s <= end && no == NULL; s = eol + 1, n++) {
		if ((eol = memchr(s, '\n', (size_t)(end - s))) == NULL)
			eol = end;
		last = eol > s && eol < end && eol[-1] == '\r' ? eol - 1 : eol;
		no = last == s ? "is blank" : line(s, last, g, n);
	}
	if (no != NULL) {
		snprintf(why, 160, "line %zu %s", n, no);
		free(g);
		return DP_ESYNTAX;
	}
	*out = g;
	*ng = n;
	return 0;
}
