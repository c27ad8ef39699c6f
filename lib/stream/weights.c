#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weights.h"

#define DIGITS		19		/* 10^19 < 2^64 */
#define EXP_MAX	1000000		/* exponents saturate here */

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * m 10^e: m < 10^19 and 10^27 (5^27 < 2^63) are exact in a long double, so one operation rounds for
 * |e| <= 27; every 27 further places of e another.
 */
static double
value(uint64_t m, long e)
{
	long double v = (long double)m, p = 1;
	long i, n = e < 0 ? -e : e;

	if (m == 0 || e < -400)
		return 0;
	if (e > 400)
		return INFINITY;
	for (i = 0; i < n % 27; i++)
		p *= 10;
	v = e < 0 ? v / p : v * p;
	for (p = 1, i = 0; i < 27; i++)
		p *= 10;
	for (i = n / 27; i > 0; i--)
		v = e < 0 ? v / p : v * p;
	return (double)v;
}

/* Digits at s into *m, as many as it takes; those beyond count in *beyond.  Returns their end. */
static const char *
digits(const char *s, const char *end, uint64_t *m, unsigned *held, long *beyond)
{
	for (; s < end && is_digit(*s); s++)
		if (*held < DIGITS) {
			*m = 10 * *m + (uint64_t)(*s - '0');
			*held += *m != 0;
		} else
			++*beyond;
	return s;
}

/* [+-]DIGITS after an e; saturates. */
static const char *
exponent(const char *s, const char *end, long *e)
{
	bool negative = s < end && *s == '-';
	long n = 0;

	if (s < end && (*s == '+' || *s == '-'))
		s++;
	if (s == end || !is_digit(*s))
		return NULL;
	for (; s < end && is_digit(*s); s++)
		if (n < EXP_MAX)
			n = 10 * n + (*s - '0');
	*e = negative ? -n : n;
	return s;
}

/* One number of [s,end), which is not empty; NULL, or what is wrong with it. */
static const char *
number(const char *s, const char *end, double *v)
{
	static const char not[] = "is not a number";
	const char *whole = s, *point = NULL;
	unsigned held = 0;
	uint64_t m = 0;
	long beyond = 0, e = 0;
	ptrdiff_t places = 0, count;

	if (*s == '-' && s + 1 < end && (is_digit(s[1]) || s[1] == '.'))
		return "is negative";
	s = digits(s, end, &m, &held, &beyond);
	count = s - whole;
	if (s < end && *s == '.') {
		point = s + 1;
		s = digits(point, end, &m, &held, &beyond);
		places = s - point;
	}
	if (count + places == 0)
		return not;
	if (s < end && (*s == 'e' || *s == 'E') && (s = exponent(s + 1, end, &e)) == NULL)
		return not;
	if (s != end)
		return not;
	/* lines of more than 2^30 digits do not come here */
	*v = value(m, e + beyond - (long)places);
	return NULL;
}

/* One line, of n weights so far. */
static const char *
line(const char *s, const char *end, double *g, size_t n)
{
	const char *no;

	if (end - s > 1000)
		return "is too long for a number";
	if ((no = number(s, end, &g[n])) != NULL)
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
		snprintf(why, 160, "more than %zu weights", DP_WEIGHTS_MAX);
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
