/*
 * zonerule.c - changes of clocks that come back every year.
 */
#include "whentext.h"
#include "zonerule.h"

#define FIRST		1800
#define LAST		2500
#define HOURS_MAX	167

/* Letters, or anything but a bracket between two of these; three at least. */
static bool
name(struct cursor *c)
{
	const char *p = c->p;
	const bool quoted = is(c, '<');
	bool closed;

	while (c->p < c->e && (quoted ? *c->p != '>' :
	    (*c->p >= 'A' && *c->p <= 'Z') || (*c->p >= 'a' && *c->p <= 'z')))
		c->p++;
	closed = c->p - p >= 3 + quoted;
	return closed && (!quoted || is(c, '>'));
}

static bool
up_to(struct cursor *c, unsigned most, unsigned *n)
{
	const char *p = c->p;

	for (*n = 0; c->p < c->e && *c->p >= '0' && *c->p <= '9' && *n <= most; c->p++)
		*n = 10 * *n + (unsigned)(*c->p - '0');
	return c->p > p && *n <= most;
}

/* [+-]HH[:MM[:SS]] */
static bool
duration(struct cursor *c, unsigned hours_max, int32_t *seconds)
{
	unsigned h, m = 0, s = 0;
	const bool minus = is(c, '-');

	if (!minus)
		(void)is(c, '+');
	if (!up_to(c, hours_max, &h) || (is(c, ':') && (!up_to(c, 59, &m) ||
	    (is(c, ':') && !up_to(c, 59, &s)))))
		return false;
	*seconds = (int32_t)(h * HOUR + m * MINUTE + s);
	if (minus)
		*seconds = -*seconds;
	return true;
}

static bool
day(struct cursor *c, struct dp_zone_day *d)
{
	bool sound;

	*d = (struct dp_zone_day){ .kind = '0', .seconds = 2 * HOUR };
	if (is(c, 'M')) {
		d->kind = 'M';
		sound = up_to(c, 12, &d->month) && d->month >= 1 && is(c, '.') &&
		    up_to(c, 5, &d->week) && d->week >= 1 && is(c, '.') && up_to(c, 6, &d->day);
	} else {
		if (is(c, 'J'))
			d->kind = 'J';
		sound = up_to(c, 365, &d->day) && (d->kind == '0' || d->day >= 1);
	}
	return sound && (!is(c, '/') || duration(c, HOURS_MAX, &d->seconds));
}

bool
dp_zone_rule(struct dp_zone_rule *r, struct dp_slice text)
{
	struct cursor c = over(text);
	int32_t west;

	*r = (struct dp_zone_rule){ .changes = false };
	if (!name(&c) || !duration(&c, 24, &west))
		return false;
	r->east[0] = -west;
	if (at_end(&c))
		return true;
	r->changes = true;
	r->east[1] = r->east[0] + HOUR;
	if (!name(&c))
		return false;
	if (!is(&c, ',')) {
		if (!duration(&c, 24, &west) || !is(&c, ','))
			return false;
		r->east[1] = -west;
	}
	return day(&c, &r->day[0]) && is(&c, ',') && day(&c, &r->day[1]) && at_end(&c);
}

static int64_t
local(const struct dp_zone_day *d, unsigned year)
{
	const int64_t january = dp_civil_days(year, 1, 1);
	const bool leap = dp_civil_days(year, 3, 1) - january == 60;
	int64_t n, next;

	if (d->kind == 'M') {
		n = dp_civil_days(year, d->month, 1);
		next = d->month == 12 ? dp_civil_days(year + 1, 1, 1) :
		    dp_civil_days(year, d->month + 1, 1);
		/* 1970-01-01 was a Thursday; days are counted from long before here */
		n += (d->day + 7 - (n + 4 + 7 * 52178) % 7) % 7 + 7 * (d->week - 1);
		if (n >= next)
			n -= 7;
	} else
		n = january + d->day - (d->kind == 'J' && !(leap && d->day >= 60));
	return n * DAY + d->seconds;
}

/* The two changes of a year, by time. */
static void
of_year(const struct dp_zone_rule *r, unsigned year, struct dp_zone_change change[2])
{
	const int64_t ends = local(&r->day[0], year) - r->east[0];
	const int64_t begins = local(&r->day[1], year) - r->east[1];
	const bool later = ends > begins;

	change[later] = (struct dp_zone_change){ ends, r->east[1] };
	change[!later] = (struct dp_zone_change){ begins, r->east[0] };
}

int32_t
dp_zone_rule_east(const struct dp_zone_rule *r, int64_t t)
{
	struct dp_zone_change change[2];
	int32_t east = r->east[0];
	struct dp_civil c;
	unsigned y, i;

	if (!r->changes)
		return east;
	dp_civil_day(dp_when_floor(t, DAY) / DAY, &c);
	for (y = c.year - 1; y <= c.year + 1; y++)
		for (of_year(r, y, change), i = 0; i < 2; i++)
			if (change[i].at <= t)
				east = change[i].east;
	return east;
}

int
dp_zone_rule_changes(const struct dp_zone_rule *r, struct dp_zone *z, int64_t after)
{
	struct dp_zone_change change[2];
	int64_t last = after;
	unsigned y, i;
	int e = 0;

	if (!r->changes)
		return dp_zone_add(z, after, r->east[0]);
	for (y = FIRST; y <= LAST && e == 0; y++)
		for (of_year(r, y, change), i = 0; i < 2 && e == 0; i++) {
			if (change[i].at <= after || change[i].at >= DP_ZONE_END)
				continue;
			e = change[i].at < last ? DP_ESYNTAX :
			    dp_zone_add(z, change[i].at, change[i].east);
			last = change[i].at;
		}
	return e;
}
