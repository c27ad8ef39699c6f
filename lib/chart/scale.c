/* SPDX-License-Identifier: ISC */
/* scale.c - round numbers and round times for an axis. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/when.h"
#include "internal.h"

#define TICKS_MAX	200
#define LEAST		1e-300	/* smaller steps lose digits, and are 0 in the end */
#define DECIMALS_MAX	15	/* of a label */

void
dp_scale_numbers(struct dp_scale *s, double lo, double hi, unsigned n, bool whole)
{
	double raw = (hi - lo) / n, ten;

	if (!(raw > LEAST))
		raw = 1;
	ten = pow(10, floor(log10(raw)));
	raw /= ten;
	*s = (struct dp_scale){ .step = ten * (raw <= 1 ? 1 : raw <= 2 ? 2 : raw <= 5 ? 5 : 10) };
	if (whole && s->step < 1)
		s->step = 1;
	s->first = ceil(lo / s->step - 1e-9);
	s->last = floor(hi / s->step + 1e-9);
}

/* Decades, and where there are few of them 2 and 5 times these. */
void
dp_scale_decades(struct dp_scale *s, double lo, double hi, unsigned n)
{
	const double a = log10(lo), b = log10(hi);

	*s = (struct dp_scale){ .log = true, .step = b - a < 2 ? 1 : 3 };
	while (s->step > 1 && (b - a) / s->step * 3 > n)
		s->step += 3;
	s->first = ceil(3 * a / s->step - 1e-9);
	s->last = floor(3 * b / s->step + 1e-9);
}

void
dp_scale_times(struct dp_scale *s, double lo, double hi, unsigned n, int zone, double least)
{
	static const unsigned seconds[] = { 1, 2, 5, 10, 15, 30, MINUTE, 2 * MINUTE, 5 * MINUTE,
	    10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR,
	    DAY, 2 * DAY, 7 * DAY, 14 * DAY, 28 * DAY };
	static const unsigned months[] = { 1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400 };
	const double month = 365.2425 / 12 * DAY;
	struct dp_civil a, b;
	size_t i;

	*s = (struct dp_scale){ .time = true, .zone = zone };
	for (i = 0; i < sizeof seconds / sizeof *seconds; i++)
		/* four weeks are no month, but ticks of weeks */
		if ((hi - lo) / seconds[i] <= n && seconds[i] >= least &&
		    (seconds[i] < 28 * DAY || least >= 7 * DAY)) {
			s->step = seconds[i];
			/* 1970-01-05 is a Monday */
			s->first = ceil((lo + zone - 4 * DAY) / s->step);
			s->last = floor((hi + zone - 4 * DAY) / s->step);
			return;
		}
	for (i = 0; i + 1 < sizeof months / sizeof *months &&
	    (hi - lo) / (months[i] * month) > n; i++)
		;
	s->months = months[i];
	dp_civil_day((int64_t)floor((lo + zone) / DAY), &a);
	dp_civil_day((int64_t)floor((hi + zone) / DAY), &b);
	s->first = ceil((a.year * 12 + a.month - 1 + (a.day > 1)) / (double)s->months);
	s->last = floor((b.year * 12 + b.month - 1) / (double)s->months);
}

/* The label: v with `decimals' decimals, and a comma every three digits. */
static void
put_number(char label[static DP_LABEL], double v, int decimals)
{
	char plain[DP_LABEL / 2], *p = label;
	const char *s = plain;
	size_t whole;

	if (fabs(v) >= 1e15 || decimals > DECIMALS_MAX) {
		snprintf(label, DP_LABEL, "%g", v);
		return;
	}
	snprintf(plain, sizeof plain, "%.*f", decimals, v);
	if (*s == '-' && s[strspn(s, "-0.")] == '\0')
		s++;			/* no zero has a sign */
	if (*s == '-')
		*p++ = *s++;
	for (whole = strcspn(s, "."); whole > 0; whole--) {
		*p++ = *s++;
		if (whole % 3 == 1 && whole > 1)
			*p++ = ',';
	}
	strcpy(p, s);
}

/* How large the unit is in which a number of another one is shown, and its name. */
static double
shown(const char *unit, double v, const char **name)
{
	static const struct { const char *name; double worth; } known[] = { { "B", 1 },
	    { "kB", 1e3 }, { "MB", 1e6 }, { "GB", 1e9 }, { "TB", 1e12 }, { "ns", 1e-9 },
	    { "us", 1e-6 }, { "ms", 1e-3 }, { "s", 1 },
	    /* these are not shown */
	    { "KB", 1e3 }, { "KiB", 0x1p10 }, { "MiB", 0x1p20 }, { "GiB", 0x1p30 } };
	const size_t n = sizeof known / sizeof *known, times = 5, others = 9;
	size_t i = 0, k, end;

	*name = unit == NULL ? "" : strcmp(unit, DP_SHARE) == 0 ? "%" : unit;
	if (unit == NULL || strcmp(unit, DP_SHARE) == 0)
		return unit == NULL ? 1 : .01;
	while (i < n && strcmp(known[i].name, unit) != 0)
		i++;
	if (i == n)
		return 1;
	v = v == 0 ? known[i].worth : fabs(v) * known[i].worth;
	end = i < times || i >= others ? times : others;
	for (k = end - 1; k > (end == times ? 0 : times) && v < known[k].worth * (1 - 1e-9); k--)
		;
	*name = known[k].name;
	return known[k].worth / known[i].worth;
}

static void
put_unit(char label[static DP_LABEL], const char *name)
{
	const size_t n = strlen(label);

	if (*name != '\0')
		snprintf(label + n, DP_LABEL - n, " %s", name);
}

void
dp_scale_number(char label[static DP_LABEL], double v, double half, const char *of)
{
	const char *name;
	const double unit = shown(of, v, &name);
	const bool known = isfinite(half) && half != 0;
	const double size = (known ? fabs(half) : fabs(v) / 500) / unit;
	int decimals = 0;
	size_t n;

	v /= unit;
	/* 8.0 % beside 5.2 %; but 0 alone is 0, however well it is known */
	if ((v != floor(v) || (known && (half < 0 || (unit != 1 && v != 0)))) && size > 0)
		decimals = (int)ceil(-log10(size) - 1e-9);
	if (v != 0 && fabs(v) < 1e-4 && !known)
		snprintf(label, DP_LABEL, "%.3g", v);
	else
		put_number(label, v, decimals < 0 ? 0 : decimals < 9 ? decimals : 9);
	n = strlen(label);
	while (!known && strchr(label, '.') != NULL && strchr(label, 'e') == NULL &&
	    (label[n - 1] == '0' || label[n - 1] == '.'))
		label[--n] = '\0';
	put_unit(label, name);
}

static const char *const month_name[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug",
    "Sep", "Oct", "Nov", "Dec" };

static void
put_time_scale(const struct dp_scale *s, char label[static DP_LABEL], int64_t local)
{
	const int64_t day = (local - ((local % DAY) + DAY) % DAY) / DAY;
	const unsigned rest = (unsigned)(local - day * DAY);
	struct dp_civil c;

	dp_civil_day(day, &c);
	if (s->months >= 12)
		snprintf(label, DP_LABEL, "%04u", c.year);
	else if (s->months > 0)
		snprintf(label, DP_LABEL, "%s %04u", month_name[c.month - 1], c.year);
	else if (rest == 0 && s->step >= MINUTE)
		snprintf(label, DP_LABEL, "%u %s", c.day, month_name[c.month - 1]);
	else if (s->step >= MINUTE)
		snprintf(label, DP_LABEL, "%02u:%02u", rest / HOUR, rest / MINUTE % 60);
	else
		snprintf(label, DP_LABEL, "%02u:%02u:%02u", rest / HOUR, rest / MINUTE % 60,
		    rest % 60);
}

void
dp_scale_when(char label[static DP_LABEL], double at, int zone, bool day)
{
	const int64_t local = (int64_t)at + zone;
	const struct dp_scale s = { .step = day || local % MINUTE == 0 ? MINUTE : 1 };

	put_time_scale(&s, label, day ? local - ((local % DAY) + DAY) % DAY : local);
}

/* Seconds since 1970 of the first of a month, counted from year 0. */
static int64_t
month_begin(double n)
{
	const struct dp_civil c = { .year = (unsigned)(n / 12), .month = (unsigned)n % 12 + 1,
	    .day = 1 };
	int64_t t;

	return dp_civil_seconds(&t, &c, NULL) == 0 ? t : DP_WHEN_MAX;
}

bool
dp_scale_tick(const struct dp_scale *s, unsigned i, double *at, char label[static DP_LABEL])
{
	static const int part[] = { 1, 2, 5 };
	const double k = s->first + i;
	const char *name;
	int64_t local;
	double unit;
	int n;

	/* counts that differ by less than a double shows go on for ever */
	if (!(k <= s->last) || i >= TICKS_MAX)
		return false;
	if (s->log) {
		n = (int)(k * s->step);
		*at = pow(10, floor(n / 3.)) * part[(n % 3 + 3) % 3];
		dp_scale_number(label, *at, NAN, s->unit);
		return true;
	}
	if (!s->time) {
		unit = shown(s->unit, s->step * fmax(fabs(s->first), fabs(s->last)), &name);
		n = (int)ceil(-log10(s->step / unit) - 1e-9);
		*at = k * s->step;
		put_number(label, *at / unit, n > 0 ? n : 0);
		put_unit(label, name);
		return true;
	}
	local = s->months > 0 ? month_begin(k * s->months) : (int64_t)(k * s->step) + 4 * DAY;
	*at = (double)(local - s->zone);
	put_time_scale(s, label, local);
	return true;
}
