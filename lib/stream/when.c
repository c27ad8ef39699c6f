/*
 * when.c - days and seconds; the forms of time stamps are in whentext.c.
 */
#include <string.h>

#include "whentext.h"

static bool
leap(unsigned y)
{
	return y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
}

static unsigned
month_days(unsigned y, unsigned m)
{
	return m == 2 ? 28 + (unsigned)leap(y) : 30 + ((m + (m > 7)) & 1);
}

/*
 * Days from 1970-01-01 in the proleptic Gregorian calendar.  The year is made to begin in March, so
 * that the leap day comes last and (153 m + 2) / 5 days precede the month; a cycle of 400 years
 * (146097 days) keeps it from being negative.  719468: from 0000-03-01 to 1970-01-01.  (H. Hinnant,
 * "chrono-compatible low-level date algorithms", days_from_civil and civil_from_days.)
 */
int64_t
dp_civil_days(unsigned y, unsigned m, unsigned d)
{
	y += 400 - (unsigned)(m <= 2);
	m = (m + 9) % 12;
	return (int64_t)(365 * y + y / 4 - y / 100 + y / 400 +
	    (153 * m + 2) / 5 + d - 1) - 719468 - 146097;
}

void
dp_civil_day(int64_t day, struct dp_civil *c)
{
	unsigned n = (unsigned)(day + 719468 + 146097), era = n / 146097, y, m;

	n %= 146097;
	y = (n - n / 1460 + n / 36524 - n / 146096) / 365;
	n -= 365 * y + y / 4 - y / 100;
	m = (5 * n + 2) / 153;
	c->day = n - (153 * m + 2) / 5 + 1;
	c->month = m < 10 ? m + 3 : m - 9;
	c->year = y + 400 * era + (c->month <= 2) - 400;
}

int
dp_civil_seconds(int64_t *t, const struct dp_civil *c, const struct dp_zone *zone)
{
	int64_t s;

	if (c->year > 9999 || c->month < 1 || c->month > 12 || c->day < 1 ||
	    (c->day > 28 && c->day > month_days(c->year, c->month)) ||
	    c->hour > 23 || c->minute > 59 || c->second > 60)
		return DP_ESYNTAX;
	s = dp_civil_days(c->year, c->month, c->day) * DAY + c->hour * HOUR +
	    c->minute * MINUTE + (c->second == 60 ? 59 : c->second);
	s = zone != NULL && !c->zoned ? dp_zone_seconds(zone, s) : s - c->offset;
	if (s < DP_WHEN_MIN || s > DP_WHEN_MAX)
		return DP_ESYNTAX;
	*t = s;
	return 0;
}

int
dp_when_rule(struct dp_when *w, const char *name)
{
	static const char *const plain[] = {
		[DP_WHEN_EPOCH] = "epoch", [DP_WHEN_ISO] = "iso",
		[DP_WHEN_CLF] = "clf", [DP_WHEN_SYSLOG] = "syslog"
	};
	struct dp_when r = { .before = 0 };
	unsigned i;

	for (i = 0; i < sizeof plain / sizeof *plain; i++)
		if (strcmp(name, plain[i]) == 0)
			break;
	r.kind = (enum dp_when_kind)i;
	if (r.kind == DP_WHEN_STRPTIME) {
		if (strchr(name, '%') == NULL || dp_when_has(name, "s"))
			return DP_EINVAL;
		r.format = name;
		if (dp_when_format(&r) != 0)
			return DP_ERANGE;
	}
	*w = r;
	return 0;
}

int
dp_when_parse(int64_t *t, const struct dp_when *w, const struct dp_stamp *s)
{
	switch (w->kind) {
	case DP_WHEN_EPOCH:
		return dp_when_epoch(t, s->text);
	case DP_WHEN_ISO:
		return dp_when_iso(t, w, s);
	case DP_WHEN_CLF:
		return dp_when_clf(t, w, s);
	case DP_WHEN_SYSLOG:
		return s->text.n > 0 && *s->text.p >= '0' && *s->text.p <= '9' ?
		    dp_when_iso(t, w, s) : dp_when_syslog(t, w, s);
	default:
		return dp_when_strptime(t, w, s);
	}
}

int
dp_when_parse_arg(int64_t *t, const char *text, const struct dp_zone *zone)
{
	const struct dp_when w = { .kind = DP_WHEN_ISO, .zone = zone };
	const struct dp_stamp s = { .text = { text, strlen(text) }, .next = { "", 0 } };

	return dp_when_iso(t, &w, &s) == 0 ? 0 : dp_when_epoch(t, s.text);
}

int64_t
dp_when_year_later(int64_t t, const struct dp_zone *zone)
{
	const int64_t local = t + (zone != NULL ? dp_zone_east(zone, t) : 0);
	const int64_t day = dp_when_floor(local, DAY) / DAY;
	struct dp_civil c = { 0 };
	int64_t later;

	dp_civil_day(day, &c);
	later = dp_civil_days(c.year + 1, c.month, c.day) * DAY + local - day * DAY;
	return zone != NULL ? dp_zone_seconds(zone, later) : later;
}

static char *
put(char *p, unsigned v, unsigned digits, char after)
{
	unsigned i;

	for (i = digits; i-- > 0; v /= 10)
		p[i] = (char)('0' + v % 10);
	p[digits] = after;
	return p + digits + 1;
}

/* +HH:MM, and what seconds there are. */
static char *
put_offset(char *p, int32_t east)
{
	unsigned s = (unsigned)(east < 0 ? -east : east);

	*p++ = east < 0 ? '-' : '+';
	p = put(p, s / HOUR, 2, ':');
	p = put(p, s / MINUTE % 60, 2, ':');
	return s % 60 == 0 ? p - 1 : put(p, s % 60, 2, '\0') - 1;
}

char *
dp_when_put(char *p, int64_t t, const struct dp_zone *zone)
{
	const int32_t east = zone != NULL ? dp_zone_east(zone, t) : 0;
	struct dp_civil c;
	int64_t day;
	unsigned s;

	t += east;
	t = t < DP_WHEN_MIN ? DP_WHEN_MIN : t > DP_WHEN_MAX ? DP_WHEN_MAX : t;
	day = dp_when_floor(t, DAY) / DAY;
	s = (unsigned)(t - day * DAY);
	dp_civil_day(day, &c);
	p = put(p, c.year, 4, '-');
	p = put(p, c.month, 2, '-');
	p = put(p, c.day, 2, 'T');
	p = put(p, s / HOUR, 2, ':');
	p = put(p, s / MINUTE % 60, 2, ':');
	p = put(p, s % 60, 2, 'Z');
	return zone == NULL ? p : put_offset(p - 1, east);
}

int64_t
dp_when_floor(int64_t t, uint64_t w)
{
	uint64_t before = t < 0 ? (uint64_t)-(t + 1) : 0, back;

	if (t >= 0)
		return t - (int64_t)((uint64_t)t % w);
	back = w - 1 - before % w;	/* t = -1 - before */
	return back > (uint64_t)t - (uint64_t)INT64_MIN ? INT64_MIN :
	    t - (int64_t)back;
}
