/*
 * whenformat.c - times by strptime(3), and which of its formats can be trusted.
 */
#include <string.h>
#include <time.h>

#include "whentext.h"

/* The next conversion of a format, without flags, width and modifier; NUL: there is none. */
static char
conversion(const char **format)
{
	const char *p = strchr(*format, '%');

	if (p == NULL)
		return '\0';
	p++;
	p += strspn(p, "_-0^#+123456789EO");
	*format = *p == '\0' ? p : p + 1;
	return *p;
}

bool
dp_when_has(const char *format, const char *conversions)
{
	char c;

	while ((c = conversion(&format)) != '\0')
		if (strchr(conversions, c) != NULL)
			return true;
	return false;
}

/* The format has a conversion that is none of these. */
static bool
has_other(const char *format, const char *conversions)
{
	char c;

	while ((c = conversion(&format)) != '\0')
		if (strchr(conversions, c) == NULL)
			return true;
	return false;
}

const char *
dp_when_refused(const char *f)
{
	if (strchr(f, '%') == NULL)
		return "must be epoch, iso, clf, syslog or a strptime(3) format, such as "
		    "'%Y-%m-%d %H:%M:%S'";
	if (dp_when_has(f, "s"))
		return "has %s: --time-format=epoch reads seconds since 1970, with decimals or as "
		    "milliseconds, too";
	if (dp_when_has(f, "fLNQ"))
		return "has a conversion for fractions of a second, which strptime(3) does not "
		    "know: end the format with %S or %T, and a fraction behind it is read too";
	if (has_other(f, "%aAbBcCdDeFgGhHIjklmMnprRsStTuUVwWxXyYzZ"))
		return "has a conversion that strptime(3) does not know";
	if (dp_when_has(f, "Il") && !dp_when_has(f, "p"))
		return "has an hour of twelve (%I) without %p: %H is an hour of the day, and "
		    "'%I:%M %p' reads 02:30 PM";
	if (dp_when_has(f, "Z"))
		return "has %Z, but names of zones are not read, since IST is three of them: %z "
		    "reads +0100, and --tz is the zone of times without an offset";
	if (dp_when_has(f, "gGVUW"))
		return "has a number of a week, and strptime(3) makes no day of it: it needs a "
		    "month and a day (%m, %d), or the day of the year (%j)";
	if (!dp_when_has(f, "YyCFDcx"))
		return "has no year: --time-format=syslog reads 'May  1 12:00:00', and takes the "
		    "year from --from and --to or from the clock";
	return "leaves something out: it needs a year, and all units from there to the smallest "
	    "one that it has";
}

/* The format's last word is seconds, which may have a fraction. */
static bool
to_the_second(const char *f)
{
	char last = '\0';

	for (; *f != '\0'; f++) {
		last = '\0';
		if (*f == '%' && f[1] != '\0')
			last = *++f;
	}
	return last == 'S' || last == 'T';
}

static int
read_time(struct dp_civil *v, const struct dp_joined *j, const char *format, const char **end)
{
	struct tm tm = { .tm_year = 70, .tm_mday = 1 };
	struct cursor c = { .e = j->buf + j->n };

	c.p = strptime(j->buf, format, &tm);
	if (c.p == NULL || (to_the_second(format) && !dp_civil_fraction(&c, true)))
		return DP_ESYNTAX;
	*end = c.p;
	if ( !dp_stamp_complete(j, *end) || tm.tm_year < -1900 || tm.tm_year > 9999)
		return DP_ESYNTAX;
	/* No timegm(3): it would accept February 31, and look at TZ. */
	v->year = (unsigned)(tm.tm_year + 1900);
	v->month = (unsigned)(tm.tm_mon + 1);
	v->day = (unsigned)tm.tm_mday;
	v->hour = (unsigned)tm.tm_hour;
	v->minute = (unsigned)tm.tm_min;
	v->second = (unsigned)tm.tm_sec;
	v->offset = (int)tm.tm_gmtoff;
	return 0;
}

int
dp_when_strptime(int64_t *t, const struct dp_when *w, const struct dp_stamp *s)
{
	struct dp_joined j;
	struct dp_civil v = { .zoned = w->zoned, .bare = !w->clock };
	const char *end;
	int e;

	if (!dp_stamp_join(&j, s))
		return DP_ESYNTAX;
	e = read_time(&v, &j, w->format, &end);
	if (e == 0 && !dp_zone_after(s, dp_stamp_place(&j, end), &v))
		e = DP_ESYNTAX;
	explicit_bzero(&j, sizeof j);
	return e != 0 ? e : dp_civil_seconds(t, &v, w->zone);
}

/* t as a clock so far east of UTC shows it; the printed text's length, 0: too long, or nothing. */
static size_t
print(struct dp_joined *j, const char *format, int64_t t, int east, unsigned *year)
{
	static const struct dp_civil january1 = { .month = 1, .day = 1 };
	struct dp_civil c = january1, first = january1;
	struct tm tm = { 0 };
	int64_t day, newyear;
	unsigned s;

	t += east;
	day = dp_when_floor(t, DAY) / DAY;
	s = (unsigned)(t - day * DAY);
	dp_civil_day(day, &c);
	first.year = *year = c.year;
	if (dp_civil_seconds(&newyear, &first, NULL) != 0)
		return 0;
	tm.tm_year = (int)c.year - 1900;
	tm.tm_mon = (int)c.month - 1;
	tm.tm_mday = (int)c.day;
	tm.tm_hour = (int)(s / HOUR);
	tm.tm_min = (int)(s / MINUTE % 60);
	tm.tm_sec = (int)(s % 60);
	tm.tm_wday = (int)((day + 4) % 7);
	tm.tm_yday = (int)(day - newyear / DAY);
	tm.tm_gmtoff = east;
	tm.tm_zone = east == 0 ? "UTC" : "XST";
	return j->n = j->text = strftime(j->buf, sizeof j->buf, format, &tm);
}

/* Does the format print these two times, on clocks so far east of UTC, in different words? */
static bool
differs(const char *format, int64_t t, int east, int64_t u, int east2)
{
	struct dp_joined a, b;
	unsigned year;

	return print(&a, format, t, east, &year) != print(&b, format, u, east2, &year) ||
	    memcmp(a.buf, b.buf, a.n) != 0;
}

#define PROBES	64

/* PROBES times from begin on: see when.h for what must hold. */
static bool
gives_back(const char *format, int64_t begin, int64_t step, int east)
{
	struct dp_joined j, again;
	struct dp_civil v;
	const char *end;
	int64_t t, u, last = INT64_MIN;
	unsigned i, year, year2;

	for (i = 0; i < PROBES; i++, last = u) {
		t = begin + i * step;
		v = (struct dp_civil){ 0 };
		if (print(&j, format, t, east, &year) == 0 ||
		    read_time(&v, &j, format, &end) != 0 ||
		    dp_civil_seconds(&u, &v, NULL) != 0 || u > t || u < last)
			return false;
		if (print(&again, format, u, east, &year2) != j.n ||
		    memcmp(j.buf, again.buf, j.n) != 0 || year2 != year)
			return false;
	}
	return true;
}

/*
 * %y has the years 1969 to 2068, so the first probes lie there, one or two a year; the second ones
 * go through five days, by an hour and a half.
 */
int
dp_when_format(struct dp_when *w)
{
	const int64_t noon = 12 * HOUR, spring = INT64_C(1772150400);
	const char *f = w->format;

	w->zoned = differs(f, noon, 0, noon - HOUR, HOUR);
	w->clock = differs(f, 0, 0, noon + HOUR + MINUTE + 1, 0);
	return gives_back(f, 3 * DAY, 48000007, w->zoned ? 5 * HOUR + 30 * MINUTE : 0) &&
	    gives_back(f, spring, 5003, w->zoned ? -9 * HOUR : 0) ? 0 : DP_ERANGE;
}
