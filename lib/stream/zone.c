/*
 * zone.c - offsets from UTC, and back from what clocks show.
 */
#include <stdlib.h>

#include "zone.h"

#define DAY	INT64_C(86400)
#define BEGIN	INT64_C(-5364662400)		/* 1800-01-01 */
#define RULES	INT64_C(4102444800)		/* 2100-01-01 */
#define END	INT64_C(16725225600)		/* 2500-01-01 */
#define CYCLE	(146097 * DAY)

/* The array doubles when it is full. */
static int
add(struct dp_zone *z, int64_t at, int32_t east)
{
	struct dp_zone_change *more;

	if ((z->n & (z->n - 1)) == 0) {
		more = realloc(z->change, (z->n == 0 ? 1 : 2 * z->n) * sizeof *more);
		if (more == NULL)
			return DP_ENOMEM;
		z->change = more;
	}
	z->change[z->n++] = (struct dp_zone_change){ at, east };
	return 0;
}

/* Adds the changes between a and b, where clocks are ea and eb ahead. */
static int
search(struct dp_zone *z, int32_t (*east)(int64_t), int64_t a, int32_t ea, int64_t b, int32_t eb)
{
	const int64_t m = a + (b - a) / 2;
	int32_t em;
	int e;

	if (ea == eb)
		return 0;
	if (b - a == 1)
		return add(z, b, eb);
	em = east(m);
	e = search(z, east, a, ea, m, em);
	return e != 0 ? e : search(z, east, m, em, b, eb);
}

int
dp_zone_make(struct dp_zone *out, int32_t (*east)(int64_t))
{
	struct dp_zone z = { 0 };
	int64_t t = BEGIN, u;
	int32_t now = east(t), then;
	int e;

	/* beyond END, since what is shown shortly before it may be later */
	for (e = add(&z, INT64_MIN, now); e == 0 && t < END + 7 * DAY; t = u, now = then) {
		u = t + (t < RULES ? 2 * DAY : 7 * DAY);
		then = east(u);
		e = search(&z, east, t, now, u, then);
	}
	if (e != 0) {
		free(z.change);
		return e;
	}
	*out = z;
	return 0;
}

void
dp_zone_free(struct dp_zone *z)
{
	free(z->change);
	z->change = NULL;
	z->n = 0;
}

/* Takes whole cycles from a time after END; returns what was taken. */
static int64_t
fold(int64_t *t)
{
	int64_t taken;

	if (*t < END)
		return 0;
	taken = ((*t - END) / CYCLE + 1) * CYCLE;
	*t -= taken;
	return taken;
}

/* The change that is in force at t. */
static size_t
at(const struct dp_zone *z, int64_t t)
{
	size_t lo = 0, hi = z->n, m;

	while (hi - lo > 1) {
		m = lo + (hi - lo) / 2;
		if (z->change[m].at <= t)
			lo = m;
		else
			hi = m;
	}
	return lo;
}

/* The first change whose clocks show more than that before they are changed again. */
static size_t
showing(const struct dp_zone *z, int64_t local)
{
	size_t lo = 0, hi = z->n - 1, m;

	while (lo < hi) {
		m = lo + (hi - lo) / 2;
		if (local < z->change[m + 1].at + z->change[m].east)
			hi = m;
		else
			lo = m + 1;
	}
	return lo;
}

int32_t
dp_zone_east(const struct dp_zone *z, int64_t t)
{
	(void)fold(&t);
	return z->change[at(z, t)].east;
}

/* Whether clocks skipped it when this change came. */
static bool
skipped(const struct dp_zone *z, size_t i, int64_t local)
{
	return i > 0 && local < z->change[i].at + z->change[i].east;
}

int64_t
dp_zone_seconds(const struct dp_zone *z, int64_t local)
{
	const int64_t taken = fold(&local);
	const size_t i = showing(z, local);

	return taken + local - z->change[skipped(z, i, local) ? i - 1 : i].east;
}

int64_t
dp_zone_first(const struct dp_zone *z, int64_t local)
{
	const int64_t taken = fold(&local);
	const size_t i = showing(z, local);

	return taken + (skipped(z, i, local) ? z->change[i].at : local - z->change[i].east);
}

int64_t
dp_zone_latest(const struct dp_zone *z, int64_t t)
{
	const int64_t taken = fold(&t);
	const size_t i = at(z, t);
	const int64_t shown = t + z->change[i].east;
	const int64_t before = i == 0 ? INT64_MIN : z->change[i].at + z->change[i - 1].east - 1;

	return taken + (shown > before ? shown : before);
}
