/* SPDX-License-Identifier: ISC */
/*
 * f_when.c - any bytes as a time stamp: an error, or a time in range that prints and parses to
 * itself, in UTC and in a zone whose clocks change, and that lies in its buckets there; what the
 * hand-written Common Log Format accepts, strptime(3) and timegm(3) accept too, with the same
 * result. Byte 0: form; byte 1: how much of the rest is the field, what follows is
 * the rest of the line.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_when.c ...; ./f_when corpus
 *	cc -DREPLAY f_when.c ...; ./f_when FILE ...
 */
#include <math.h>
#include <time.h>

#include "base/internal.h"
#include "base/when.h"
#include "target.h"

#define FORMS	(sizeof form / sizeof *form)

static const char *const form[] = {
	"epoch", "iso", "clf", "syslog", "%Y-%m-%d %H:%M:%S %z", "%d/%b/%y", "%a %e %B %Y %I:%M %p",
	"%Y-%j", "%c"
};

static void
like_strptime(struct dp_slice text, int64_t t)
{
	struct tm tm = { 0 };
	char s[21];
	size_t open = text.n > 0 && text.p[0] == '[';

	if (text.n != 20 + open)
		return;			/* a zone, or a fraction */
	memcpy(s, text.p + open, 20);
	s[20] = '\0';
	if (strptime(s, "%d/%b/%Y:%H:%M:%S", &tm) != s + 20)
		abort();
	if (tm.tm_sec == 60)
		tm.tm_sec = 59;
	if ((int64_t)timegm(&tm) != t)
		abort();
}

/* Clocks that skip an hour, show one twice, and skip a day. */
static void
in_zone(int64_t t)
{
	static const struct dp_zone_change change[] = {
		{ INT64_MIN, 3600 }, { 1774746000, 7200 }, { 1792890000, 3600 },
		{ 1800000000, 3600 + 86400 }
	};
	static struct dp_zone zone;
	static const struct dp_span span[] = {
		{ DP_SPAN_SECONDS, 3600, &zone, 0 }, { DP_SPAN_SECONDS, 21600, &zone, 0 },
		{ DP_SPAN_SECONDS, 86400, &zone, 0 }, { DP_SPAN_WEEKS, 2, &zone, 0 },
		{ DP_SPAN_MONTHS, 3, &zone, 0 }
	};
	char text[DP_WHEN_TEXT + 1];
	int64_t again, begin, next;
	size_t i;

	for (i = zone.n; i < sizeof change / sizeof *change; i++)
		if (dp_zone_add(&zone, change[i].at, change[i].east) != 0)
			abort();
	*dp_when_put(text, t, &zone) = '\0';
	if (t < DP_WHEN_MAX - 2 * 86400 && (strlen(text) != 25 ||
	    (dp_zone_east(&zone, t) < 86400 &&
	    (dp_when_parse_arg(&again, text, &zone) != 0 || again != t))))
		abort();
	for (i = 0; i < sizeof span / sizeof *span; i++) {
		begin = dp_span_floor(&span[i], t);
		next = dp_span_next(&span[i], t);
		if (t > DP_WHEN_MIN + 86400 && t < DP_WHEN_MAX - 2 * 86400 &&
		    (begin > t || next <= t || dp_span_floor(&span[i], begin) != begin ||
		    dp_span_floor(&span[i], next - 1) != begin ||
		    dp_span_next(&span[i], begin) != next ||
		    dp_span_count(&span[i], begin, next, 9) != 1))
			abort();
	}
}

/* Of a form, made once: it is tried at many times. */
static struct dp_when
rule(unsigned i)
{
	static struct dp_when w[FORMS];
	static bool made[FORMS];

	if (!made[i])
		need(dp_when_rule(&w[i], form[i]) == 0);
	made[i] = true;
	return w[i];
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct dp_when w;
	struct dp_slice text, next = { NULL, 0 };
	char *copy, put[21];
	int64_t t = 0, again = 0, floor;
	size_t k;

	if (n < 2)
		return 0;
	w = rule(p[0] % FORMS);
	w.before = (int64_t)p[1] * 86400 * 365;
	w.whole = p[1] % 2 == 1;
	k = p[1] < n - 2 ? p[1] : n - 2;
	/* A block of its own, so that a byte too far is seen. */
	need((copy = malloc(k + (k == 0))) != NULL);
	memcpy(copy, p + 2, k);
	text = (struct dp_slice){ copy, k };
	if (n - 2 > k)
		next = (struct dp_slice){ (const char *)p + 2 + k, n - 2 - k };
	if (dp_when_parse(&t, &w, &(struct dp_stamp){ text, next,
	    p[0] & 128 ? next.n / 2 : next.n }) == 0) {
		if (t < DP_WHEN_MIN || t > DP_WHEN_MAX)
			abort();
		*dp_when_put(put, t, NULL) = '\0';
		if (strlen(put) != 20 || dp_when_parse_arg(&again, put, NULL) != 0 || again != t)
			abort();
		floor = dp_when_floor(t, 3600);
		if (floor > t || t - floor >= 3600 || floor % 3600 != 0)
			abort();
		in_zone(t);
		if (w.kind == DP_WHEN_CLF && next.n == 0)
			like_strptime(text, t);
	} else if (t != 0)
		abort();
	free(copy);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
