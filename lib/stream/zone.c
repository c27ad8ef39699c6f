/*
 * zone.c - offsets from UTC, and back from what clocks show.
 */
#include <stdlib.h>

#include "zone.h"

#define DAY	INT64_C(86400)
#define END	INT64_C(16725225600)		/* 2500-01-01 */
#define CYCLE	(146097 * DAY)

static int64_t
slot_begin(size_t slot)
{
	return DP_ZONE_BEGIN + (int64_t)((uint64_t)slot << DP_ZONE_SLOT);
}

/* The array doubles when it is full. */
int
dp_zone_add(struct dp_zone *z, int64_t at, int32_t east)
{
	struct dp_zone_change *more;

	if (z->n > 0 && z->change[z->n - 1].at == at)
		z->n--;
	if (z->n > 0 && z->change[z->n - 1].east == east)
		return 0;
	if ((z->n & (z->n - 1)) == 0) {
		more = realloc(z->change, (z->n == 0 ? 1 : 2 * z->n) * sizeof *more);
		if (more == NULL)
			return DP_ENOMEM;
		z->change = more;
	}
	for (; z->slots < DP_ZONE_SLOTS && slot_begin(z->slots) < at; z->slots++)
		z->in_force[z->slots] = (uint32_t)z->n - 1;
	z->change[z->n++] = (struct dp_zone_change){ at, east };
	return 0;
}

void
dp_zone_free(struct dp_zone *z)
{
	free(z->change);
	z->change = NULL;
	z->n = z->slots = 0;
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

/* A change that is in force at t, or one of the few before it.  t < END. */
static size_t
near(const struct dp_zone *z, int64_t t)
{
	const int64_t slot = t < DP_ZONE_BEGIN ? -1 : (t - DP_ZONE_BEGIN) >> DP_ZONE_SLOT;

	return slot < 0 ? 0 : (size_t)slot < z->slots ? z->in_force[slot] : z->n - 1;
}

/* The change that is in force at t. */
static size_t
at(const struct dp_zone *z, int64_t t)
{
	size_t i = near(z, t);

	while (i + 1 < z->n && z->change[i + 1].at <= t)
		i++;
	return i;
}

/*
 * The first change whose clocks show more than that before they are changed again.  No clock is a
 * slot ahead of UTC, so a change before those near local less a slot is none.
 */
static size_t
showing(const struct dp_zone *z, int64_t local)
{
	size_t i = near(z, local - (INT64_C(1) << DP_ZONE_SLOT));

	while (i + 1 < z->n && local >= z->change[i + 1].at + z->change[i].east)
		i++;
	return i;
}

int32_t
dp_zone_east(const struct dp_zone *z, int64_t t)
{
	(void)fold(&t);
	return z->change[at(z, t)].east;
}

/* True: clocks skipped it when this change came. */
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
