/* SPDX-License-Identifier: ISC */
/*
 * f_number.c - any text as a number, a ratio, a whole number, a duration, a span, and a value with
 * the decimals of a range: an error, or a number that is printed and read again as itself.
 * Byte 0: decimals.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_number.c ...; ./f_number corpus
 *	cc -DREPLAY f_number.c ...; ./f_number FILE ...
 */
#include <errno.h>
#include <math.h>

#include "base/buf.h"
#include "base/num.h"
#include "base/when.h"
#include "target.h"

#define LONGEST	200

static void
ratio(const char *text)
{
	struct dp_q q, again;
	char put[48], *end;
	double d;

	if (dp_q_parse(&q, text) != 0)
		return;
	need(q.den >= 1 && q.num <= INT64_MAX && q.den <= INT64_MAX);
	*dp_q_put(put, q) = '\0';
	need(dp_q_parse(&again, put) == 0 && again.num == q.num && again.den == q.den);
	if (strchr(text, '/') != NULL)
		return;
	d = strtod(text, &end);
	need(*end == '\0' && fabs(d - dp_q_double(q)) <= 1e-15 * d);
}

/* Half away from zero: within half a unit of what long doubles say, but for their own errors. */
static void
decimal(const char *text, size_t n, unsigned places)
{
	char put[49], *end;
	int64_t v, again;
	long double d;

	if (dp_decimal_parse(&v, text, n, places) != 0)
		return;
	need(v >= -DP_VALUE_MAX && v <= DP_VALUE_MAX);
	end = dp_decimal_put(put, v, places);
	need(dp_decimal_parse(&again, put, (size_t)(end - put), places) == 0 && again == v);
	need(places == 0 || dp_decimal_places(put, (size_t)(end - put)) == (int)places);
	need(strlen(text) == n);		/* a NUL is in no number */
	d = strtold(text, &end) * (long double)dp_power10(places);
	need(*end == '\0');
	if (fabsl(d) > DP_VALUE_MAX)
		need(v == (d < 0 ? -DP_VALUE_MAX : DP_VALUE_MAX));
	else
		need(fabsl(d - (long double)v) <= 0.5L + fabsl(d) * 1e-18L);
}

static void
whole(const char *text)
{
	uint64_t n;

	if (dp_u64_parse(&n, text, 0, UINT64_MAX) == 0) {
		errno = 0;
		need(text[0] >= '0' && text[0] <= '9' && n >= strtoull(text, NULL, 10) &&
		    errno == 0);
	}
	if (dp_duration_parse(&n, text) == 0)
		need(n >= 1 && n <= 1000000000);
}

static void
span(const char *text)
{
	struct dp_span s, again;
	char put[DP_SPAN_TEXT];

	memset(&s, 0, sizeof s);
	memset(&again, 0, sizeof again);
	if (dp_span_parse(&s, text) != 0 && dp_span_get(&s, text) != 0)
		return;
	dp_span_put(put, &s);
	need(dp_span_get(&again, put) == 0 && again.unit == s.unit && again.n == s.n);
	need(dp_span_mean(&s) > 0 || strcmp(put, "0") == 0);	/* 0: a state without buckets */
}

static void
escaped(const char *text, size_t n)
{
	static struct dp_buf b;
	char to[LONGEST + 1];
	size_t m;

	if (dp_unescape(to, sizeof to, (struct dp_slice){ text, n }, &m))
		need(m <= n);
	dp_buf_reset(&b);
	dp_buf_escaped(&b, text);
	need(dp_unescape(to, sizeof to, (struct dp_slice){ b.p, b.n }, &m) && m == strlen(text) &&
	    memcmp(to, text, m) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *text;

	if (n < 1 || n > LONGEST)
		return 0;
	need((text = malloc(n)) != NULL);
	memcpy(text, p + 1, n - 1);
	text[n - 1] = '\0';
	ratio(text);
	decimal(text, n - 1, p[0] % 10);
	whole(text);
	span(text);
	escaped(text, n - 1);
	free(text);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
