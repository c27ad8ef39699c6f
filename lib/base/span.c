/* SPDX-License-Identifier: ISC */
/*
 * span.c - buckets of time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"
#include "when.h"

#define WEEK		((uint64_t)7 * DAY)
#define MONDAY		(3 * DAY)	/* 1970-01-01 was a Thursday */
#define MONTHS_MAX	1200
#define SECONDS_MAX	1000000000	/* as dp_duration_parse() */
#define MONTH		2629746		/* seconds on average: 146097 days / 4800 */

int
dp_span_parse(struct dp_span *s, const char *text)
{
	struct dp_span r = { .unit = DP_SPAN_MONTHS };
	char number[24];
	const size_t n = strspn(text, "0123456789");
	const bool years = strcmp(text + n, "y") == 0;
	uint64_t seconds;
	int e;

	if (years || strcmp(text + n, "mo") == 0) {
		if (n >= sizeof number)
			return DP_ERANGE;
		memcpy(number, text, n);
		number[n] = '\0';
		if ((e = dp_u64_parse(&r.n, number, 1, years ? MONTHS_MAX / 12 : MONTHS_MAX)) != 0)
			return e;
		r.n *= years ? 12 : 1;
	} else {
		if ((e = dp_duration_parse(&seconds, text)) != 0)
			return e;
		r.unit = text[n] == 'w' ? DP_SPAN_WEEKS : DP_SPAN_SECONDS;
		r.n = r.unit == DP_SPAN_WEEKS ? seconds / WEEK : seconds;
	}
	*s = r;
	return 0;
}

void
dp_span_put(char text[static DP_SPAN_TEXT], const struct dp_span *s)
{
	static const char *const unit[] = { "", "w", "mo" };

	snprintf(text, DP_SPAN_TEXT, "%" PRIu64 "%s", s->n, unit[s->unit]);
}

void
dp_span_say(char text[static DP_SPAN_TEXT], const struct dp_span *s)
{
	static const uint64_t seconds[] = { 86400, 3600, 60, 1 };
	size_t i = 0;

	if (s->unit != DP_SPAN_SECONDS) {
		dp_span_put(text, s);
		return;
	}
	while (s->n % seconds[i] != 0)
		i++;
	snprintf(text, DP_SPAN_TEXT, "%" PRIu64 "%c", s->n / seconds[i], "dhms"[i]);
}

int
dp_span_get(struct dp_span *s, const char *text)
{
	uint64_t n;
	int e;

	if (text[strspn(text, "0123456789")] != '\0')
		return dp_span_parse(s, text);
	if ((e = dp_u64_parse(&n, text, 0, SECONDS_MAX)) == 0)
		*s = (struct dp_span){ .unit = DP_SPAN_SECONDS, .n = n };
	return e;
}

static const char *const weekday[] = { "mon", "tue", "wed", "thu", "fri", "sat", "sun" };
#define WEEKDAYS	(sizeof weekday / sizeof *weekday)

/* HH:MM, all of the text */
static bool
time_of_day(const char *text, int64_t *seconds)
{
	struct cursor c = { text, text + strlen(text) };
	unsigned h, m;

	if (!number(&c, 2, &h) || !is(&c, ':') || !number(&c, 2, &m) || !at_end(&c) || h > 23 ||
	    m > 59)
		return false;
	*seconds = (int64_t)h * HOUR + m * MINUTE;
	return true;
}

int
dp_span_start(struct dp_span *s, const char *text)
{
	const char *rest = text;
	int64_t seconds = 0, days = 0;
	size_t i;

	for (i = 0; i < WEEKDAYS; i++)
		if (strncmp(text, weekday[i], 3) == 0) {
			days = i == 0 ? 0 : (int64_t)i - (int64_t)WEEKDAYS;
			rest = text + 3 + (text[3] == ',');
			break;
		}
	if ((*rest != '\0' || rest == text || rest[-1] == ',') && !time_of_day(rest, &seconds))
		return DP_ESYNTAX;
	if ((rest != text && s->unit != DP_SPAN_WEEKS) ||
	    (s->unit == DP_SPAN_SECONDS && s->n % DAY != 0))
		return DP_ERANGE;
	s->start = days * DAY + seconds;
	return 0;
}

void
dp_span_start_put(char text[static DP_SPAN_START], const struct dp_span *s)
{
	const int64_t day = dp_when_floor(s->start, DAY), seconds = s->start - day;
	const char *name = day == 0 ? "" : weekday[(size_t)(day / DAY + (int64_t)WEEKDAYS)];
	const unsigned minutes = (unsigned)(seconds / MINUTE);

	if (seconds == 0)
		snprintf(text, DP_SPAN_START, "%s", name);
	else
		snprintf(text, DP_SPAN_START, "%s%s%02u:%02u", name, day == 0 ? "" : ",",
		    minutes / 60 % 24, minutes % 60);
}

const char *
dp_span_unit(const char *unit, char text[static DP_UNIT_TEXT])
{
	static const struct {
		uint64_t seconds;
		char name;
	} of[] = { { DAY, 'd' }, { 3600, 'h' }, { 60, 'm' }, { 1, 's' } };
	const size_t head = strcspn(unit, "/");
	const size_t n = unit[head] == '\0' ? 0 : strspn(unit + head + 1, "0123456789");
	char number[24];
	uint64_t s;
	unsigned i;

	snprintf(text, DP_UNIT_TEXT, "%s", unit);
	if (n == 0 || n >= sizeof number || unit[head + 1 + n] != 's')
		return text;
	memcpy(number, unit + head + 1, n);
	number[n] = '\0';
	if (dp_u64_parse(&s, number, 1, SECONDS_MAX) != 0)
		return text;
	for (i = 0; s % of[i].seconds != 0; i++)
		;
	snprintf(text, DP_UNIT_TEXT, "%.*s%" PRIu64 "%c%s", (int)head + 1, unit,
	    s / of[i].seconds, of[i].name, unit + head + 2 + n);
	return text;
}

uint64_t
dp_span_mean(const struct dp_span *s)
{
	static const uint64_t length[] = { 1, WEEK, MONTH };

	return s->n * length[s->unit];
}

uint64_t
dp_span_least(const struct dp_span *s)
{
	const uint64_t n = s->unit == DP_SPAN_MONTHS ? s->n * 28 * DAY : dp_span_mean(s);

	/* clocks are put forward by an hour or two, and the last hour of a day may be cut */
	return s->zone == NULL ? n : n > 4 * HOUR ? n - 2 * HOUR : n / 2 + 1;
}

bool
dp_span_uniform(const struct dp_span *s)
{
	return s->zone == NULL && s->unit != DP_SPAN_MONTHS;
}

bool
dp_span_fits_zone(const struct dp_span *s)
{
	return s->unit != DP_SPAN_SECONDS || s->n % DAY == 0 || DAY % s->n == 0;
}

/* The first day of a month, counted from January of the year 0. */
static int64_t
month_start(uint64_t month)
{
	return dp_civil_days((unsigned)(month / 12), (unsigned)(month % 12) + 1, 1) * DAY;
}

/* The first second of the bucket and of the next, as clocks show them, by what they show. */
static int64_t
shown_floor(const struct dp_span *s, int64_t local, int64_t *next)
{
	const uint64_t width = dp_span_mean(s);
	const int64_t monday = s->unit == DP_SPAN_WEEKS ? MONDAY : 0;
	struct dp_civil c;
	uint64_t m;

	local -= s->start;
	if (s->unit != DP_SPAN_MONTHS) {
		local = dp_when_floor(local + monday, width) - monday + s->start;
		*next = local + (int64_t)width;
		return local;
	}
	local = local < DP_WHEN_MIN ? DP_WHEN_MIN : local > DP_WHEN_MAX ? DP_WHEN_MAX : local;
	dp_civil_day(dp_when_floor(local, DAY) / DAY, &c);
	m = (uint64_t)c.year * 12 + c.month - 1;
	m -= m % s->n;
	*next = month_start(m + s->n) + s->start;
	return month_start(m) + s->start;
}

/* A stretch of time from the zone's midnight on. */
static bool
is_elapsed(const struct dp_span *s)
{
	return s->zone != NULL && s->unit == DP_SPAN_SECONDS && s->n <= HOUR;
}

/* The start of t's bucket, and of the next. */
static int64_t
bounds(const struct dp_span *s, int64_t t, int64_t *next)
{
	const struct dp_span day = { .unit = DP_SPAN_SECONDS, .n = DAY, .zone = s->zone };
	int64_t begin, local;

	if (s->zone == NULL)
		return shown_floor(s, t, next);
	if (is_elapsed(s)) {
		begin = bounds(&day, t, next);
		begin = t - (t - begin) % (int64_t)s->n;
		if (begin + (int64_t)s->n < *next)
			*next = begin + (int64_t)s->n;
		return begin;
	}
	local = shown_floor(s, dp_zone_latest(s->zone, t), next);
	*next = dp_zone_first(s->zone, *next);
	return dp_zone_first(s->zone, local);
}

int64_t
dp_span_floor(const struct dp_span *s, int64_t t)
{
	int64_t next;

	return bounds(s, t, &next);
}

int64_t
dp_span_next(const struct dp_span *s, int64_t t)
{
	int64_t next;

	(void)bounds(s, t, &next);
	return next;
}

uint64_t
dp_span_count(const struct dp_span *s, int64_t from, int64_t to, uint64_t most)
{
	const uint64_t width = dp_span_mean(s);
	uint64_t n = 0;

	if (from >= to)
		return 0;
	if (dp_span_uniform(s)) {
		n = ((uint64_t)(to - from) + width - 1) / width;
		return n < most ? n : most;
	}
	for (; from < to && n < most; n++)
		from = dp_span_next(s, from);
	return n;
}
