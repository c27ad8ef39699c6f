/* SPDX-License-Identifier: ISC */
/*
 * t_contributions.c - what an event adds to numbers in bands (job/options.h): terms as the
 * statistic makes them, placed by key; and of a statistic that breaks its promise nothing.
 */
#include <string.h>

#include "check.h"
#include "input/event.h"
#include "input/record.h"

/* Two bands: two numbers of at most 10 together, and one of at most 3. */
static struct dp_term made[3];
static unsigned nmade;

static size_t
width(const struct dp_options *o, unsigned band)
{
	(void)o;
	return band == 0 ? 2 : 1;
}

static uint64_t
most(const struct dp_options *o, unsigned band)
{
	(void)o;
	return band == 0 ? 10 : 3;
}

static unsigned
terms(const struct dp_options *o, int64_t value, struct dp_term *x)
{
	(void)o;
	(void)value;
	memcpy(x, made, nmade * sizeof *x);
	return nmade;
}

static const struct dp_contributions adds = { 2, width, most, 3, terms, NULL };
static const struct dp_tool tool = { .shape = DP_SHAPE_CONTRIBUTIONS, .adds = &adds };

static void
beyond(const struct dp_options *o, struct dp_term *x)
{
	(void)o;
	*x = (struct dp_term){ 1, 1 };
}

/* Two numbers that all of a user's events move by at most 10 each. */
static const struct dp_contributions shared = { 1, width, most, 3, terms, beyond };
static const struct dp_tool sharing = { .shape = DP_SHAPE_CONTRIBUTIONS, .adds = &shared };
static const struct dp_tool *asked = &tool;

/* The line "5" with these terms: how many of them are the event's. */
static size_t
counted(const struct dp_options *o, unsigned n, struct dp_term a, struct dp_term b,
    struct dp_term c)
{
	static const uint8_t key[16];
	struct dp_record rec = { .text = { "5", 1 }, .number = 1 };
	struct dp_events *e;
	struct dp_event v;

	nmade = n;
	made[0] = a;
	made[1] = b;
	made[2] = c;
	check(dp_events_new(&e, o, asked, key, 0) == 0);
	dp_events_read(e, &rec, &v);
	check(v.error == 0 && v.why == NULL);
	check(v.value == (v.nterms != 0) && (v.nterms == 0 || v.nterms == n));
	check(v.nterms == 0 || memcmp(v.term, made, n * sizeof *made) == 0);
	dp_events_free(e);
	return v.nterms;
}

/* A third of 10 for each of a user's three events, up or down, in each number. */
static void
test_shared(void)
{
	const struct dp_options o = { .range = { .hi = 9 }, .form.delimiter = -1,
	    .keys.adds = 2, .users.most = 3 };
	const struct dp_term none = { 0, 0 };

	asked = &sharing;
	check(counted(&o, 2, (struct dp_term){ 0, -3 }, (struct dp_term){ 1, 3 }, none) == 2);
	check(counted(&o, 2, (struct dp_term){ 0, 1 }, (struct dp_term){ 1, 4 }, none) == 0);
	check(counted(&o, 1, (struct dp_term){ 0, -4 }, none, none) == 0);
	check(counted(&o, 1, (struct dp_term){ 0, INT64_MIN }, none, none) == 0);
	check(counted(&o, 1, (struct dp_term){ 2, 1 }, none, none) == 0);
	asked = &tool;
}

int
main(void)
{
	const struct dp_options o = { .range = { .hi = 9 }, .form.delimiter = -1,
	    .keys.adds = 3 };
	const struct dp_term none = { 0, 0 };

	/* as promised: all of each band, in one number or in two; and 0 */
	check(counted(&o, 3, (struct dp_term){ 0, 4 }, (struct dp_term){ 1, 6 },
	    (struct dp_term){ 2, 3 }) == 3);
	check(counted(&o, 1, (struct dp_term){ 1, 10 }, none, none) == 1);
	check(counted(&o, 1, (struct dp_term){ 0, 0 }, none, none) == 1);
	check(counted(&o, 0, none, none, none) == 0);
	/* one too many: in a number, in two of a band, in the other band */
	check(counted(&o, 1, (struct dp_term){ 0, 11 }, none, none) == 0);
	check(counted(&o, 2, (struct dp_term){ 0, 5 }, (struct dp_term){ 1, 6 }, none) == 0);
	check(counted(&o, 1, (struct dp_term){ 2, 4 }, none, none) == 0);
	/* less than nothing, that makes room for more; the widest; a place that is none */
	check(counted(&o, 2, (struct dp_term){ 0, -1 }, (struct dp_term){ 1, 11 }, none) == 0);
	check(counted(&o, 1, (struct dp_term){ 0, INT64_MAX }, none, none) == 0);
	check(counted(&o, 1, (struct dp_term){ 3, 1 }, none, none) == 0);
	test_shared();
	return done();
}
