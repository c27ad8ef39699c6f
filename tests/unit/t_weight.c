/* SPDX-License-Identifier: ISC */
/*
 * t_weight.c - rows of a value and a weight, from their texts (input/event.h, stat/mean.h): what
 * each adds, against the definition in long doubles; and how far one row, or one event in its
 * totals, moves the numbers, whatever its texts are.
 */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "check.h"
#include "input/event.h"
#include "input/record.h"
#include "pair.h"
#include "stat/mean.h"

static struct dp_mean_asked asked;

static uint64_t
most(const struct dp_options *o, unsigned band)
{
	(void)o;
	(void)band;
	return dp_mean_reach(&asked);
}

static unsigned
weigh(const struct dp_options *o, int64_t v, int64_t w, struct dp_term *x, bool *whole)
{
	int64_t b[2];

	(void)o;
	*whole = dp_mean_weigh(&asked, v, w, b);
	return pair_put(b[0], b[1], x);
}

static const struct dp_contributions adds = { 1, pair_width, most, 2, NULL, NULL };
static const struct dp_tool tool = { .shape = DP_SHAPE_CONTRIBUTIONS, .adds = &adds,
	.weigh = weigh };

/* What a row of two texts adds; false: it counts nowhere.  NULL: the field is not there. */
static bool
read_row(struct dp_events *e, const char *v, const char *w, int64_t x[2])
{
	struct dp_record rec = { .text = { "", 0 }, .number = 1, .nfields = w != NULL ? 2 : 1 };
	struct dp_event ev;

	rec.field[1] = (struct dp_slice){ v, strlen(v) };
	if (w != NULL)
		rec.field[2] = (struct dp_slice){ w, strlen(w) };
	dp_events_read(e, &rec, &ev);
	x[0] = x[1] = 0;
	check(ev.error == 0 && (ev.why == NULL || !ev.counts));
	if (ev.counts && ev.value != 0) {
		check(ev.nterms == 2 && ev.term[0].place == 0 && ev.term[1].place == 1);
		x[0] = ev.term[0].value;
		x[1] = ev.term[1].value;
	}
	return ev.why == NULL;
}

static const struct text {
	const char *s;
	long double n;		/* NAN: none */
} text[] = {
	{ "0", 0 }, { "-0", 0 }, { "1", 1 }, { "+2", 2 }, { "-1", -1 }, { "3", 3 }, { "7", 7 },
	{ "0.4", .4L }, { "0.5", .5L }, { "-0.5", -.5L }, { ".05", .05L }, { "-.05", -.05L },
	{ "1.49", 1.49L }, { "2.5", 2.5L }, { "2.4999", 2.4999L }, { "5.", 5 }, { "2e0", 2 },
	{ "1e3", 1000 }, { "1e400", INFINITY }, { "-1e400", -INFINITY }, { "1e-400", 0 },
	{ "", NAN }, { "nan", NAN }, { "NaN", NAN }, { "inf", NAN }, { "-", NAN }, { "x", NAN },
	{ "0x1", NAN }, { "1,5", NAN }, { "1 ", NAN }, { "--1", NAN }
};
#define TEXTS	(sizeof text / sizeof *text)

/* On a grid, halves away from 0, as far as numbers go. */
static long double
on_grid(long double n, long double grid)
{
	return fmaxl(fminl(roundl(n * grid), 0x1p56L), -0x1p56L);
}

/* mean.h: rounded, then made columns, and only then clamped. */
static void
expect(const struct dp_options *o, const struct text *v, const struct text *w, int64_t x[2],
    bool read)
{
	const long double F = asked.weight.finer, R = dp_mean_reach(&asked);
	const long double q = powl(10, o->range.weight.places);
	long double W = on_grid(w->n, q), y[2], V, all;

	if (isnan(v->n) || isnan(w->n) || W < 0) {
		check(!read && x[0] == 0 && x[1] == 0);
		return;
	}
	check(read);
	V = on_grid(v->n, powl(10, o->range.weight.value_places));
	if (o->range.weight.times)
		V = fmaxl(fminl(fminl(fmaxl(V, asked.lo * F), asked.hi * F) * W, 0x1p56L),
		    -0x1p56L);
	y[0] = fmaxl(asked.hi * F * W - V, 0);
	y[1] = fmaxl(V - asked.lo * F * W, 0);
	all = y[0] + y[1];
	if (all > R) {
		y[0] *= R / all;
		y[1] *= R / all;
		check(x[0] + x[1] == (int64_t)R);
	}
	check(x[0] >= 0 && x[1] >= 0 && x[0] + x[1] <= (int64_t)R);
	check(fabsl(y[0] - x[0]) <= (all > R ? 1 : 0) && fabsl(y[1] - x[1]) <= (all > R ? 1 : 0));
}

static void
rows(int64_t lo, int64_t hi, unsigned places, struct dp_mean_weight weight, bool times)
{
	static const uint8_t key[16];
	struct dp_options o = { .range = { .lo = lo, .hi = hi, .places = places,
	    .weight = { .field.number = 2, .times = times, .places = weight.places } },
	    .form = { .delimiter = -1, .value.number = 1 }, .keys.adds = 2 };
	struct dp_events *e;
	int64_t x[2];
	size_t i, j;

	asked = (struct dp_mean_asked){ .lo = lo, .hi = hi, .n = 1, .weight = weight };
	o.range.weight.value_places = places + (times ? weight.finer == 10 : weight.places);
	check(dp_events_new(&e, &o, &tool, key, 0) == 0);
	for (i = 0; i < TEXTS; i++) {
		for (j = 0; j < TEXTS; j++)
			expect(&o, &text[i], &text[j], x,
			    read_row(e, text[i].s, text[j].s, x));
		check(!read_row(e, text[i].s, NULL, x) && x[0] == 0 && x[1] == 0);
	}
	dp_events_free(e);
}

/* --unit: all totals 0..12 and 0..6, with one event more: whole numbers, exactly. */
static void
totals(int64_t lo, int64_t hi, uint64_t U)
{
	static const uint8_t key[16];
	const struct dp_options o = { .range = { .lo = lo, .hi = hi, .total = "1",
	    .weight = { .field.number = 2, .cap = 1000 } },
	    .form = { .delimiter = -1, .value.number = 1 }, .keys.adds = 2 };
	const char *const bad[] = { "1.5", ".1", "1e-1", "2.0001" };
	char v[24], w[24];
	int64_t x[2], y[2], moved, far = 0, a, b, da, db;
	struct dp_events *e;
	size_t i;

	asked = (struct dp_mean_asked){ .lo = lo, .hi = hi, .n = 1,
	    .weight = { .most = U, .finer = 1, .cap = 1000 } };
	check(dp_events_new(&e, &o, &tool, key, 0) == 0);
	for (a = -6; a <= 12; a++)
		for (b = 0; b <= 6; b++) {
			sprintf(v, "%d", (int)a);
			sprintf(w, "%d.0", (int)b);
			check(read_row(e, v, w, x));
			for (db = 0; db <= (int64_t)U; db++)
				for (da = lo * db; da <= hi * db; da++) {
					sprintf(v, "%d.00", (int)(a + da));
					sprintf(w, "%de0", (int)(b + db));
					check(read_row(e, v, w, y));
					moved = llabs(y[0] - x[0]) + llabs(y[1] - x[1]);
					check(moved <= (int64_t)dp_mean_reach(&asked));
					far = moved > far ? moved : far;
				}
		}
	check(far == (int64_t)dp_mean_reach(&asked));
	for (i = 0; i < sizeof bad / sizeof *bad; i++)
		check(!read_row(e, bad[i], "1", x) && !read_row(e, "1", bad[i], x));
	check(!read_row(e, "1", "-1", x) && !read_row(e, "1", NULL, x));
	check(!read_row(e, "1e400", "3", x) && !read_row(e, "3", "1e400", x));
	dp_events_free(e);
}

/* Where numbers end: v cut at 2^56 would not move with w, and v - 5 w by 5. */
static void
largest(void)
{
	static const uint8_t key[16];
	const struct dp_options o = { .range = { .lo = 5, .hi = 6, .total = "1",
	    .weight = { .field.number = 2, .cap = 1000 } },
	    .form = { .delimiter = -1, .value.number = 1 }, .keys.adds = 2 };
	int64_t x[2], y[2], n;
	struct dp_events *e;
	char v[24], w[24];

	asked = (struct dp_mean_asked){ .lo = 5, .hi = 6, .n = 1,
	    .weight = { .most = 1, .finer = 1, .cap = 1000 } };
	check(dp_events_new(&e, &o, &tool, key, 0) == 0);
	for (n = DP_VALUE_MAX - 100; n < DP_VALUE_MAX + 100; n++) {
		sprintf(v, "%jd", (intmax_t)n);
		sprintf(w, "%jd", (intmax_t)n / 5 - 10);
		check(read_row(e, v, w, x) == (n < DP_VALUE_MAX));
		sprintf(v, "%jd", (intmax_t)n + 5);
		sprintf(w, "%jd", (intmax_t)n / 5 - 9);
		check(read_row(e, v, w, y) == (n + 5 < DP_VALUE_MAX));
		if (n + 5 < DP_VALUE_MAX)
			check(llabs(y[0] - x[0]) + llabs(y[1] - x[1]) <= 1);
	}
	sprintf(v, "-%jd", (intmax_t)DP_VALUE_MAX);
	check(!read_row(e, v, "1", x));
	dp_events_free(e);
}

int
main(void)
{
	rows(0, 1, 0, (struct dp_mean_weight){ .most = 5, .finer = 1 }, false);
	rows(-2, 3, 0, (struct dp_mean_weight){ .most = 40, .places = 1, .finer = 1 }, false);
	rows(-5, -1, 1, (struct dp_mean_weight){ .most = 2, .finer = 1 }, false);
	rows(1, 5, 0, (struct dp_mean_weight){ .most = 300, .places = 2, .finer = 10 }, true);
	rows(-10, 25, 1, (struct dp_mean_weight){ .most = 3, .finer = 1 }, true);
	totals(0, 1, 1);
	totals(0, 3, 2);
	totals(-1, 2, 3);
	largest();
	return done();
}
