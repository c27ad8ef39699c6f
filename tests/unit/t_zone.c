/* SPDX-License-Identifier: ISC */
/*
 * t_zone.c - zones and buckets against localtime(3), which reads the same files; files that are cut
 * off or damaged; and what the texts of buckets mean.
 */
#include <string.h>
#include <time.h>

#include "base/internal.h"
#include "base/when.h"
#include "check.h"

#define MINUTE	60
#define HOUR	3600
#define DAY	86400

static int32_t
east(int64_t t)
{
	const time_t s = t;
	struct tm tm;

	localtime_r(&s, &tm);
	return (int32_t)tm.tm_gmtoff;
}

static struct dp_slice
file(const char *name)
{
	static char text[1 << 16];
	char path[128];
	size_t n = 0;
	FILE *f;

	snprintf(path, sizeof path, "/usr/share/zoneinfo/%s", name);
	if ((f = fopen(path, "r")) != NULL) {
		n = fread(text, 1, sizeof text, f);
		fclose(f);
	}
	check(n > 0 && n < sizeof text);
	return (struct dp_slice){ text, n };
}

static void
enter(struct dp_zone *z, const char *name)
{
	const char *why;

	setenv("TZ", name, 1);
	tzset();
	check(dp_zone_read(z, file(name), &why) == 0);
}

/* The same numbers in every run. */
static uint64_t
some(uint64_t *x)
{
	*x = *x * 6364136223846793005U + 1442695040888963407U;
	return *x >> 20;
}

static void
offsets(const struct dp_zone *z)
{
	uint64_t x = 7;
	int64_t t;
	size_t i, wrong = 0;

	for (i = 0; i < 20000; i++) {
		t = DP_WHEN_MIN + (int64_t)(some(&x) % (uint64_t)(DP_WHEN_MAX - DP_WHEN_MIN));
		wrong += dp_zone_east(z, t) != east(t);
	}
	for (i = 1; i < z->n; i++) {
		t = z->change[i].at;
		wrong += dp_zone_east(z, t) != east(t) || dp_zone_east(z, t - 1) != east(t - 1);
		wrong += dp_zone_east(z, t) == dp_zone_east(z, t - 1);
	}
	check(wrong == 0);
}

/* Most are by an hour, as that of the year before: some of those will do. */
static bool
telling(const struct dp_zone *z, size_t i)
{
	return i % 7 == 0 || abs(z->change[i].east - z->change[i - 1].east) != HOUR;
}

/* The first time at which clocks show it; before any that they never show. */
static int64_t
shown_at(int64_t local)
{
	int64_t t = local - 26 * HOUR, best = INT64_MAX, u;

	for (; t <= local + 26 * HOUR; t += HOUR) {
		u = local - east(t);
		if (u + east(u) == local && u < best)
			best = u;
	}
	return best;
}

/* What clocks show around each change, and at times without one nearby. */
static void
shown(const struct dp_zone *z)
{
	int64_t at, local, want, before, d;
	size_t i, wrong = 0;

	for (i = 1; i < z->n && z->change[i].at < 4102444800; i++) {
		if (!telling(z, i))
			continue;
		at = z->change[i].at;
		before = z->change[i - 1].east;
		for (d = -5 * HOUR; d <= 5 * HOUR; d += 25 * MINUTE) {
			local = at + before + d;
			want = shown_at(local);
			wrong += dp_zone_seconds(z, local) !=
			    (want != INT64_MAX ? want : local - before);
			wrong += dp_zone_first(z, local) != (want != INT64_MAX ? want : at);
		}
	}
	for (local = DP_WHEN_MIN + DAY; local < DP_WHEN_MAX; local += 1000000003)
		if ((want = shown_at(local)) != INT64_MAX)
			wrong += dp_zone_seconds(z, local) != want;
	check(wrong == 0);
}

/* A number for the bucket in which clocks that show this are: it grows from one to the next. */
static int64_t
label(const struct dp_span *s, int64_t local)
{
	const time_t t = local -= s->start;
	struct tm tm;

	switch (s->unit) {
	case DP_SPAN_WEEKS:
		return (local + 3 * DAY) / (7 * DAY * (int64_t)s->n);
	case DP_SPAN_MONTHS:
		gmtime_r(&t, &tm);
		return ((tm.tm_year + 1900) * 12 + tm.tm_mon) / (int64_t)s->n;
	case DP_SPAN_SECONDS:
		break;
	}
	return local / (int64_t)s->n;
}

/* Minute by minute round each change from 1970 on: a bucket begins when the label first grows. */
static void
borders(const struct dp_zone *z, struct dp_span s)
{
	int64_t t, last, start, most;
	size_t i, wrong = 0;

	s.zone = z;
	for (i = 1; i < z->n && z->change[i].at < 2019686400; i++) {
		if (z->change[i].at < 157766400 || !telling(z, i))	/* 1975: no odd seconds */
			continue;
		t = z->change[i].at - 30 * HOUR;
		last = t + 60 * HOUR;
		start = dp_span_floor(&s, t);
		most = label(&s, t + east(t));
		wrong += start > t || dp_span_next(&s, start) <= t;
		for (; t < last; t += MINUTE) {
			if (label(&s, t + east(t)) > most) {
				most = label(&s, t + east(t));
				wrong += dp_span_next(&s, start) != t;
				wrong += dp_span_count(&s, start, t, 9) != 1;
				start = t;
			}
			wrong += dp_span_floor(&s, t) != start;
		}
	}
	check(wrong == 0);
}

/* Hours and less: from midnight on, so long as the day is. */
static void
hours(const struct dp_zone *z, uint64_t n)
{
	const struct dp_span day = { .n = DAY, .zone = z }, s = { .n = n, .zone = z };
	int64_t t, u, end, last = 1798761600;
	size_t wrong = 0;

	for (t = dp_span_floor(&day, 1735689600); t < last; t = end) {
		end = dp_span_next(&day, t);
		for (u = t; u < end; u = dp_span_next(&s, u)) {
			wrong += (u - t) % (int64_t)n != 0;
			wrong += dp_span_next(&s, u) - u != (int64_t)n &&
			    dp_span_next(&s, u) != end;
			wrong += dp_span_floor(&s, u) != u || dp_span_floor(&s, u + 7) != u;
		}
		wrong += u != end;
	}
	check(wrong == 0);
}

/* --start: as text and back, and what is none, or none of such buckets. */
static void
starts(void)
{
	static const struct {
		enum dp_span_unit unit;
		uint64_t n;
		const char *text, *put;
		int64_t start;
	} of[] = {
		{ DP_SPAN_SECONDS, DAY, "06:00", "06:00", 6 * HOUR },
		{ DP_SPAN_SECONDS, 2 * DAY, "23:59", "23:59", DAY - MINUTE },
		{ DP_SPAN_MONTHS, 1, "00:30", "00:30", 30 * MINUTE },
		{ DP_SPAN_WEEKS, 1, "sun", "sun", -DAY }, { DP_SPAN_WEEKS, 1, "mon", "", 0 },
		{ DP_SPAN_WEEKS, 1, "tue,00:00", "tue", -6 * DAY },
		{ DP_SPAN_WEEKS, 2, "sat,06:05", "sat,06:05", -2 * DAY + 6 * HOUR + 5 * MINUTE },
		{ DP_SPAN_WEEKS, 1, "mon,06:00", "06:00", 6 * HOUR },
		{ DP_SPAN_SECONDS, DAY, "00:00", "", 0 }, { DP_SPAN_WEEKS, 1, "06:00", "06:00",
		    6 * HOUR }
	};
	static const struct {
		enum dp_span_unit unit;
		uint64_t n;
		const char *text;
		int rc;
	} bad[] = {
		{ DP_SPAN_SECONDS, HOUR, "00:30", DP_ERANGE }, { DP_SPAN_SECONDS, DAY, "sun",
		    DP_ERANGE }, { DP_SPAN_MONTHS, 1, "sun", DP_ERANGE },
		{ DP_SPAN_SECONDS, DAY, "24:00", DP_ESYNTAX }, { DP_SPAN_SECONDS, DAY, "6:00",
		    DP_ESYNTAX }, { DP_SPAN_SECONDS, DAY, "06:60", DP_ESYNTAX },
		{ DP_SPAN_SECONDS, DAY, "06:00:00", DP_ESYNTAX }, { DP_SPAN_SECONDS, DAY, "",
		    DP_ESYNTAX }, { DP_SPAN_WEEKS, 1, "sun,", DP_ESYNTAX },
		{ DP_SPAN_WEEKS, 1, "Sun", DP_ESYNTAX }, { DP_SPAN_WEEKS, 1, "sunday", DP_ESYNTAX }
	};
	char text[DP_SPAN_START];
	struct dp_span s;
	size_t i;

	for (i = 0; i < sizeof of / sizeof *of; i++) {
		s = (struct dp_span){ .unit = of[i].unit, .n = of[i].n };
		check(dp_span_start(&s, of[i].text) == 0 && s.start == of[i].start);
		dp_span_start_put(text, &s);
		check(strcmp(text, of[i].put) == 0);
	}
	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		s = (struct dp_span){ .unit = bad[i].unit, .n = bad[i].n };
		check(dp_span_start(&s, bad[i].text) == bad[i].rc && s.start == 0);
	}
}

static void
zones(void)
{
	static const char *const name[] = {
		"UTC", "Europe/Berlin", "Europe/London", "Europe/Dublin", "America/New_York",
		"America/St_Johns", "America/Havana", "America/Asuncion", "America/Sao_Paulo",
		"Atlantic/Azores", "Africa/Casablanca", "Africa/Monrovia", "Asia/Kathmandu",
		"Asia/Gaza", "Asia/Tehran", "Asia/Beirut", "Australia/Lord_Howe", "Pacific/Apia",
		"Pacific/Kwajalein", "Antarctica/Troll", "Etc/GMT+12"
	};
	static const struct dp_span span[] = {
		{ DP_SPAN_SECONDS, DAY, NULL, 0 }, { DP_SPAN_SECONDS, 6 * HOUR, NULL, 0 },
		{ DP_SPAN_SECONDS, 3 * DAY, NULL, 0 }, { DP_SPAN_WEEKS, 1, NULL, 0 },
		{ DP_SPAN_WEEKS, 2, NULL, 0 }, { DP_SPAN_MONTHS, 1, NULL, 0 },
		{ DP_SPAN_MONTHS, 12, NULL, 0 }, { DP_SPAN_SECONDS, DAY, NULL, 6 * HOUR },
		{ DP_SPAN_SECONDS, DAY, NULL, 2 * HOUR + 30 * MINUTE },
		{ DP_SPAN_WEEKS, 1, NULL, -DAY }, { DP_SPAN_MONTHS, 1, NULL, 23 * HOUR }
	};
	struct dp_zone z;
	size_t i, k;

	for (i = 0; i < sizeof name / sizeof *name; i++) {
		enter(&z, name[i]);
		offsets(&z);
		shown(&z);
		for (k = 0; k < sizeof span / sizeof *span; k++)
			borders(&z, span[k]);
		hours(&z, HOUR);
		hours(&z, 15 * MINUTE);
		dp_zone_free(&z);
		if (check_failed != 0)
			printf("%s\n", name[i]);
	}
}

/* A file that ends early anywhere is refused, as is one of more; a block of its own each time. */
static void
cut_off(void)
{
	static const char *const name[] = {
		"UTC", "Europe/Berlin", "Asia/Kathmandu", "Etc/GMT+12"
	};
	struct dp_slice whole;
	struct dp_zone z;
	const char *why;
	size_t i, n, taken = 0;
	char *copy;

	for (i = 0; i < sizeof name / sizeof *name; i++) {
		whole = file(name[i]);
		for (n = 0; n <= whole.n + 1; n++) {
			copy = malloc(n + (n == 0));
			memcpy(copy, whole.p, n);	/* the byte behind it is a NUL */
			why = NULL;
			if (dp_zone_read(&z, (struct dp_slice){ copy, n }, &why) == 0) {
				taken++;
				check(n == whole.n && z.n >= 1);
				dp_zone_free(&z);
			} else
				check(why != NULL);
			free(copy);
		}
	}
	check(taken == sizeof name / sizeof *name);
}

/* Some bytes are others: refused, or a zone whose times go on. */
static void
damaged(void)
{
	const struct dp_slice whole = file("Europe/Berlin");
	char *copy = malloc(whole.n);
	const char *why;
	uint64_t x = 11;
	size_t i, k, refused = 0, unsorted = 0, late = 0;
	struct dp_zone z;
	int64_t t;

	for (i = 0; i < 4000; i++) {
		memcpy(copy, whole.p, whole.n);
		for (k = 0; k <= i % 3; k++)
			copy[some(&x) % (i % 2 == 0 ? 44 : whole.n)] = (char)some(&x);
		if (dp_zone_read(&z, (struct dp_slice){ copy, whole.n }, &why) != 0) {
			refused++;
			continue;
		}
		for (k = 1; k < z.n; k++)
			unsorted += z.change[k].at <= z.change[k - 1].at;
		for (t = DP_WHEN_MIN + DAY; t < DP_WHEN_MAX - DAY; t += 100000000003)
			late += dp_zone_first(&z, t + dp_zone_east(&z, t)) > t;
		dp_zone_free(&z);
	}
	check(refused > 1000 && refused < 4000 && unsorted == 0 && late == 0);
	free(copy);
}

/* The first change is so early that no clock's time can be said of it. */
static void
early(void)
{
	const struct dp_slice whole = file("Europe/Berlin");
	const int64_t at[] = { INT64_MIN + 1, -((int64_t)1 << 60) - 1, -((int64_t)1 << 60) };
	char *copy = malloc(whole.n), *first;
	struct dp_zone z;
	const char *why;
	size_t i, k;

	memcpy(copy, whole.p, whole.n);
	first = memmem(copy + 4, whole.n - 4, "TZif", 4);
	check(first != NULL);
	for (i = 0; i < sizeof at / sizeof *at; i++) {
		for (k = 0; k < 8; k++)
			first[44 + k] = (char)((uint64_t)at[i] >> (56 - 8 * k));
		if (dp_zone_read(&z, (struct dp_slice){ copy, whole.n }, &why) == 0) {
			check(i == 2);
			dp_zone_free(&z);
		} else
			check(i < 2);
	}
	free(copy);
}

/* A zone that has nothing but a rule. */
static int
ruled(struct dp_zone *z, const char *rule)
{
	/* headers with one type and four letters of names, twice */
	static const char type[] = { 0, 0, 0, 0, 0, 0, 'A', 'A', 'A', '\0' };
	char block[44 + sizeof type] = "TZif2";
	char text[256];
	const char *why;
	size_t n = sizeof block;

	block[39] = 1;
	block[43] = 4;
	memcpy(block + 44, type, sizeof type);
	memcpy(text, block, n);
	memcpy(text + n, block, n);
	n += n + (size_t)sprintf(text + 2 * n, "\n%s\n", rule);
	return dp_zone_read(z, (struct dp_slice){ text, n }, &why);
}

static void
rules(void)
{
	static const char *const good[] = {
		"UTC0", "<+0530>-5:30", "EST5EDT,M3.2.0,M11.1.0", "AAA-5:30BBB,J60/2,J300",
		"AAA3BBB2:30,59,299/25", "IST-1GMT0,M10.5.0,M3.5.0/1",
		"CCC3DDD,M2.5.6/-50,M10.4.4/167", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0",
		"AAA1:02:03BBB,M1.1.0/1:30:15,M12.5.6/-1:30"
	};
	static const char *const bad[] = {
		"A0", "UTC", "UTC25", "UTC0x", "<+05-5", "<+>5", "EST5EDT", "EST5EDT,",
		"EST5EDT,M3.2.0", "EST5EDT,M3.2.0,", "EST5EDT,M3.2.0,M11.1",
		"EST5EDT,M13.2.0,M11.1.0", "EST5EDT,M3.6.0,M11.1.0", "EST5EDT,M3.2.7,M11.1.0",
		"EST5EDT,M0.2.0,M11.1.0", "EST5EDT,M3.0.0,M11.1.0", "EST5EDT,J0,M11.1.0",
		"EST5EDT,366,M11.1.0", "EST5EDT,M3.2.0/168,M11.1.0", "EST5EDT,M3.2.0/2:60,M11.1.0",
		"EST5EDT,M3.2.0,M11.1.0,", "EST5ED,M3.2.0,M11.1.0", "EST5EDT25,M3.2.0,M11.1.0",
		"EST5EDT,M3.2.0,M11.1.0/2:", "XXX1EDT4,0/0,J365/23",
		/* an hour and a half between two jumps of three and a half */
		"AAA-1BBB2:30,J59/-10,J59/-15"
	};
	struct dp_zone z;
	int64_t t;
	size_t i, wrong;

	for (i = 0; i < sizeof good / sizeof *good; i++) {
		setenv("TZ", good[i], 1);
		tzset();
		check(ruled(&z, good[i]) == 0);
		for (wrong = 0, t = 0; t < 4102444800; t += 3 * HOUR + 61)
			wrong += dp_zone_east(&z, t) != east(t);
		check(wrong == 0);
		if (wrong != 0)
			printf("%s: %zu\n", good[i], wrong);
		dp_zone_free(&z);
	}
	/* what ends as the next begins */
	check(ruled(&z, "XXX3EDT4,0/0,J365/23") == 0);
	for (wrong = 0, t = 0; t < 4102444800; t += DAY / 2)
		wrong += dp_zone_east(&z, t) != -4 * HOUR;
	check(wrong == 0);
	dp_zone_free(&z);
	for (i = 0; i < sizeof bad / sizeof *bad; i++)
		if (ruled(&z, bad[i]) != DP_ESYNTAX)
			fail(bad[i]);
}

static int64_t
at(const char *text)
{
	int64_t t = 0;

	check(dp_when_parse_arg(&t, text, NULL) == 0);
	return t;
}

static struct dp_span
span(const char *text)
{
	struct dp_span s = { .n = 0 };

	check(dp_span_parse(&s, text) == 0);
	return s;
}

/* The bucket of UTC that holds a time, and the next. */
static bool
utc(const char *text, const char *time, const char *begin, const char *next)
{
	const struct dp_span s = span(text);

	return dp_span_floor(&s, at(time)) == at(begin) &&
	    dp_span_next(&s, at(begin)) == at(next) && dp_span_next(&s, at(time)) == at(next);
}

static void
without_zone(void)
{
	check(utc("1d", "2026-03-29T12:00Z", "2026-03-29", "2026-03-30"));
	check(utc("1w", "2026-03-29T12:00Z", "2026-03-23", "2026-03-30"));
	check(utc("1w", "1970-01-01", "1969-12-29", "1970-01-05"));
	check(utc("2w", "1970-01-11", "1969-12-29", "1970-01-12"));
	check(utc("7d", "2026-03-29T12:00Z", "2026-03-26", "2026-04-02"));
	check(utc("1mo", "2024-02-29T23:59:59Z", "2024-02-01", "2024-03-01"));
	check(utc("3mo", "2024-02-29", "2024-01-01", "2024-04-01"));
	check(utc("1y", "1900-02-28", "1900-01-01", "1901-01-01"));
	check(utc("4y", "2026-02-28", "2024-01-01", "2028-01-01"));
	check(utc("1mo", "0000-01-01", "0000-01-01", "0000-02-01"));
	check(utc("1mo", "1969-12-31T23:59:59Z", "1969-12-01", "1970-01-01"));
	check(utc("90s", "1970-01-01T00:01:40Z", "1970-01-01T00:01:30Z", "1970-01-01T00:03:00Z"));
}

static void
texts(void)
{
	static const char *const bad[] = {
		"", "1", "mo", "0mo", "1201mo", "101y", "1m o", "1 mo", "-1mo", "1.5y", "1M", "1MO",
		"1yr", "1mo1", "99999999999999999999999999mo", "0w", "9999999999999w", "1e3s"
	};
	struct dp_span s = { .n = 77 }, again;
	char text[DP_SPAN_TEXT];
	size_t i;

	for (i = 0; i < sizeof bad / sizeof *bad; i++)
		check(dp_span_parse(&s, bad[i]) != 0 && s.n == 77);
	s = span("2y");
	check(s.unit == DP_SPAN_MONTHS && s.n == 24 && s.zone == NULL);
	dp_span_put(text, &s);
	check(strcmp(text, "24mo") == 0);
	check(dp_span_get(&again, text) == 0 && again.unit == s.unit && again.n == s.n);
	s = span("2w");
	dp_span_put(text, &s);
	check(s.unit == DP_SPAN_WEEKS && strcmp(text, "2w") == 0 && dp_span_mean(&s) == 14 * DAY);
	s = span("24h");
	dp_span_put(text, &s);
	check(s.unit == DP_SPAN_SECONDS && strcmp(text, "86400") == 0);
	check(dp_span_get(&again, "86400") == 0 && again.unit == s.unit && again.n == DAY);
	check(dp_span_get(&again, "0") == 0 && again.n == 0);
	check(dp_span_get(&again, "1000000001") != 0 && dp_span_get(&again, "") != 0);
	s = span("1y");
	check(dp_span_mean(&s) == (uint64_t)146097 * DAY / 400);
}

static void
lengths(void)
{
	struct dp_span s = span("1h");

	check(dp_span_uniform(&s) && dp_span_fits_zone(&s) && dp_span_least(&s) == HOUR);
	s = span("7h");
	check(!dp_span_fits_zone(&s));
	s = span("36h");
	check(!dp_span_fits_zone(&s));
	s = span("1mo");
	check(!dp_span_uniform(&s) && dp_span_fits_zone(&s) && dp_span_least(&s) == 28 * DAY);
	check(dp_span_count(&s, at("2024-01-01"), at("2026-01-01"), 99) == 24);
	check(dp_span_count(&s, at("2024-01-01"), at("2026-01-02"), 99) == 25);
	check(dp_span_count(&s, at("2024-01-01"), at("2026-01-01"), 5) == 5);
	check(dp_span_count(&s, at("2024-01-01"), at("2024-01-01"), 5) == 0);
	s = span("1w");
	check(dp_span_uniform(&s));
	check(dp_span_count(&s, at("2026-03-23"), at("2026-03-30"), 99) == 1);
	check(dp_span_count(&s, at("2026-03-23"), at("2026-03-31"), 99) == 2);
	check(dp_span_count(&s, at("2026-03-23"), at("2026-06-30"), 3) == 3);
}

/* Printed with the offset of that time, and read again. */
static void
printing(void)
{
	char text[DP_WHEN_TEXT + 1];
	struct dp_zone z;
	int64_t t;

	enter(&z, "Europe/Berlin");
	*dp_when_put(text, at("2026-03-28T23:00Z"), &z) = '\0';
	check(strcmp(text, "2026-03-29T00:00:00+01:00") == 0);
	*dp_when_put(text, at("2026-03-29T22:00Z"), &z) = '\0';
	check(strcmp(text, "2026-03-30T00:00:00+02:00") == 0);
	check(dp_when_parse_arg(&t, text, &z) == 0 && t == at("2026-03-29T22:00Z"));
	check(dp_when_parse_arg(&t, "2026-03-29", &z) == 0 && t == at("2026-03-28T23:00Z"));
	check(dp_when_parse_arg(&t, "2026-03-29T02:30", &z) == 0 && t == at("2026-03-29T01:30Z"));
	check(dp_when_parse_arg(&t, "2026-10-25 02:30", &z) == 0 && t == at("2026-10-25T00:30Z"));
	check(dp_when_parse_arg(&t, "1790000000", &z) == 0 && t == 1790000000);
	*dp_when_put(text, at("1890-01-01"), &z) = '\0';
	check(strcmp(text, "1890-01-01T00:53:28+00:53:28") == 0);
	dp_zone_free(&z);
	enter(&z, "America/St_Johns");
	*dp_when_put(text, at("2026-01-01T03:30Z"), &z) = '\0';
	check(strcmp(text, "2026-01-01T00:00:00-03:30") == 0);
	*dp_when_put(text, DP_WHEN_MIN, &z) = '\0';
	check(strlen(text) <= DP_WHEN_TEXT && strncmp(text, "0000-01-01T00:00:00-", 20) == 0);
	dp_zone_free(&z);
}

/* Times of events: only those without an offset are the zone's. */
static void
events(void)
{
	static const struct {
		const char *rule, *text, *next, *want;
	} row[] = {
		{ "epoch", "1790000000", "", "2026-09-21T14:13:20Z" },
		{ "iso", "2026-07-01T12:00:00", "", "2026-07-01T10:00:00Z" },
		{ "iso", "2026-07-01T12:00:00Z", "", "2026-07-01T12:00:00Z" },
		{ "iso", "2026-07-01T12:00:00-03:00", "", "2026-07-01T15:00:00Z" },
		{ "iso", "2026-07-01T12:00:00", "-0300", "2026-07-01T15:00:00Z" },
		{ "iso", "2026-07-01", "12:00:00", "2026-07-01T10:00:00Z" },
		{ "iso", "2026-07-01", "12:00:00 UTC", "2026-07-01T12:00:00Z" },
		{ "iso", "2026-07-01", "12:00:00 -0300", "2026-07-01T15:00:00Z" },
		{ "iso", "2026-07-01", "", "2026-06-30T22:00:00Z" },
		{ "iso", "2026-07-01", "-0300", "2026-06-30T22:00:00Z" },
		{ "iso", "2026-03-29T02:30:00", "", "2026-03-29T01:30:00Z" },
		{ "iso", "2026-10-25T02:30:00", "", "2026-10-25T00:30:00Z" },
		{ "clf", "[01/Jul/2026:12:00:00 +0000]", "", "2026-07-01T12:00:00Z" },
		{ "clf", "[01/Jul/2026:12:00:00", "-0300]", "2026-07-01T15:00:00Z" },
		{ "clf", "01/Jul/2026:12:00:00", "", "2026-07-01T10:00:00Z" },
		{ "syslog", "Jul", " 1 12:00:00 host x", "2026-07-01T10:00:00Z" },
		{ "%d.%m.%Y %H:%M", "01.07.2026 12:00", "", "2026-07-01T10:00:00Z" },
		{ "%d.%m.%Y", "01.07.2026", "+0900", "2026-06-30T22:00:00Z" },
		{ "%F %T %z", "2026-07-01 12:00:00 -0300", "", "2026-07-01T15:00:00Z" }
	};
	struct dp_when w;
	struct dp_zone z;
	int64_t t;
	size_t i;

	enter(&z, "Europe/Berlin");
	for (i = 0; i < sizeof row / sizeof *row; i++) {
		check(dp_when_rule(&w, row[i].rule) == 0 && w.zone == NULL);
		w.zone = &z;
		w.before = 1790000000;
		t = 0;
		check(dp_when_parse(&t, &w, &(struct dp_stamp){
		    { row[i].text, strlen(row[i].text) }, { row[i].next, strlen(row[i].next) },
		    strlen(row[i].next) }) == 0 && t == at(row[i].want));
		if (t != at(row[i].want))
			printf("%s %s: %lld\n", row[i].text, row[i].next, (long long)t);
	}
	dp_zone_free(&z);
}

int
main(void)
{
	cut_off();
	damaged();
	early();
	rules();
	without_zone();
	texts();
	lengths();
	printing();
	events();
	starts();
	zones();	/* the dearest */
	return done();
}
