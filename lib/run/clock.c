/* SPDX-License-Identifier: ISC */
/*
 * clock.c - the wall clock that closes buckets, which may be wrong for a moment.
 *
 * What is believed goes on as the time since boot does, through a suspended machine too.  A clock
 * that shows something else was set, forwards or back, and is believed when it is seen so again
 * CONFIRM later, unless that would close more empty buckets than --gap: these are released for
 * good, and a wrong look at the clock must not spend the horizon.
 *
 * Looks are on a grid of the time since boot, SLOT apart: one in each slot, whether records come or
 * not, and all of a slot's records see the time at its begin.  A look when a record comes would be
 * one more that finds a clock set for a moment, and that record would decide about lines and
 * messages.  SLOT is short beside CONFIRM, and beside the second that is the shortest bucket; an
 * idle run wakes up four times a second for it.
 */
#include <time.h>

#include "input/event.h"
#include "store/run.h"
#include "internal.h"

#define CONFIRM	2000		/* ms of the time since boot */
#define SLOT	250		/* ms of the time since boot */
#define NEAR	1000		/* ms: a clock that is corrected a little, or slowly, was not set */

static int64_t
milliseconds(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool
near(int64_t a, int64_t b)
{
	return a - b <= NEAR && b - a <= NEAR;
}

static int64_t
seconds_clock(int64_t ms)
{
	return dp_when_floor(ms, 1000) / 1000;
}

/* The time would close more buckets than may be empty, and its own. */
static bool
too_far(const struct dp_run *r, int64_t now)
{
	const uint64_t gap = dp_options_gap(r->o);

	return r->ring.open && dp_span_count(&r->o->time.span, r->ring.next,
	    now - (int64_t)r->o->time.lateness, gap + 3) > gap + 2;
}

/* The clock was seen twice, some time apart, with the same time. */
static void
believe(struct dp_run *r, int64_t offset, int64_t now)
{
	struct dp_clock *c = &r->clock;

	if (r->t == 0 && r->kept.state == NULL && r->ring.open)	/* no step is out: begin again */
		r->ring.next = dp_span_floor(&r->o->time.span, now);
	else if (too_far(r, now)) {
		if (!c->warned && !r->o->print.quiet)
			dp_warn("--live: the clock jumped ahead by more than %llu buckets, "
			    "and is not followed; if its time is right, give --gap=N",
			    (unsigned long long)dp_options_gap(r->o));
		c->warned = true;
		return;
	}
	c->offset = offset;
	c->doubt = false;
}

/* The one look of a slot, which begins at `boot`. */
static int64_t
look(struct dp_run *r, int64_t boot)
{
	struct dp_clock *c = &r->clock;
	const int64_t wall = milliseconds(CLOCK_REALTIME);
	const int64_t offset = wall - milliseconds(CLOCK_BOOTTIME);

	if (!c->seen || near(offset, c->offset)) {
		c->offset = offset;
		c->seen = true;
		c->doubt = false;
	} else if (!c->doubt || !near(offset, c->other)) {
		c->doubt = true;
		c->other = offset;
		c->since = boot;
	} else if (boot - c->since >= CONFIRM)
		believe(r, offset, seconds_clock(boot + offset));
	return seconds_clock(boot + c->offset);
}

int64_t
dp_clock_look(struct dp_run *r)
{
	const int64_t boot = milliseconds(CLOCK_BOOTTIME), slot = boot - boot % SLOT;

	if (!r->clock.looked || r->clock.slot != slot) {
		r->clock.looked = true;
		r->clock.slot = slot;
		r->clock.now = look(r, slot);
	}
	return r->clock.now;
}

void
dp_clock_year(struct dp_run *r)
{
	if (r->in.yearless)
		dp_events_before(r->in.events, DP_CLOCK_AHEAD +
		    (r->o->time.steps == DP_BY_CLOCK ? dp_clock_look(r) :
		    seconds_clock(milliseconds(CLOCK_REALTIME_COARSE))));
}

int
dp_clock_wait(const struct dp_run *r)
{
	const int64_t left = r->clock.slot + SLOT - milliseconds(CLOCK_BOOTTIME);

	return left < 0 ? 0 : (int)left;
}

/*
 * A state's open bucket has ended meanwhile, by the first look of this run: no time since boot
 * tells how long ago that was.
 */
void
dp_clock_begin(struct dp_run *r)
{
	const struct timespec pause = { .tv_nsec = SLOT * 1000000L };
	int64_t now = dp_clock_look(r), since = milliseconds(CLOCK_BOOTTIME);
	int64_t offset = r->clock.offset;

	while (r->ring.open && dp_session_signal == 0 &&
	    dp_span_next(&r->o->time.span, r->ring.next) + (int64_t)r->o->time.lateness <= now &&
	    milliseconds(CLOCK_BOOTTIME) - since < CONFIRM) {
		(void)nanosleep(&pause, NULL);
		r->clock.seen = false;
		now = dp_clock_look(r);
		if (!near(r->clock.offset, offset)) {
			offset = r->clock.offset;
			since = milliseconds(CLOCK_BOOTTIME);
		}
	}
	if (too_far(r, now))
		dp_die(DP_EX_USAGE, "--live: by the clock more than %llu empty buckets come after "
		    "the last one of the state file; if that is meant, give --gap",
		    (unsigned long long)dp_options_gap(r->o));
}
