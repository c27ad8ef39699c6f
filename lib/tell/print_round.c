/*
 * print_round.c - what is printed of an estimate and of its interval: post-processing, which costs
 * no privacy.
 */
#include <math.h>

#include "columns.h"

/* Half-widths, one for each output. */
static int
find_widths(struct dp_run *r, uint64_t t)
{
	unsigned i;
	double w;
	int e;

	for (i = 0; i < r->print.outputs && r->print.bound.widths != NULL; i++) {
		if ((e = dp_widths_at(r->print.bound.widths, i, t, &w)) != 0)
			return e;
		w = fmin(r->plan.mech->off.drift + w, r->plan.mech->off.most);
		r->print.bound.half[i] = (dp_wide)ceil(w) * r->print.unit;
	}
	return 0;
}

/* Intervals that the mechanism itself finds. */
static int
find_ends(struct dp_run *r, uint64_t t)
{
	const struct dp_mech *m = r->plan.mech;
	size_t c;
	int e;

	for (c = 0; c < r->print.nest; c++)
		if (dp_print_bounds(r, c) && (e = m->ops->bound.interval(m,
		    r->col.p + c / r->print.outputs * m->column, (unsigned)dp_print_output(r, c),
		    t, 1 - r->o->print.confidence, &r->print.bound.ends[2 * c],
		    &r->print.bound.ends[2 * c + 1])) != 0)
			return e;
	return 0;
}

int
dp_print_widths(struct dp_run *r, uint64_t t)
{
	return r->print.bound.ends != NULL ? find_ends(r, t) : find_widths(r, t);
}

/* v / coarse, down. */
static dp_wide
below(dp_wide v, int64_t coarse)
{
	dp_wide q;

	if (DP_LIKELY(v == (int64_t)v))		/* a machine's division */
		q = (int64_t)v / coarse;
	else
		q = v / coarse;
	return q - (q * coarse > v);
}

dp_wide
dp_print_nearest(dp_wide v, int64_t coarse)
{
	return coarse == 1 ? v : below(v + coarse / 2, coarse);
}

/* The ends of the interval, rounded outwards. */
static void
put_around(const struct dp_run *r, size_t c, struct dp_interval *v)
{
	const dp_wide w = r->print.bound.half[dp_print_output(r, c)];

	if (r->print.bound.ends == NULL) {
		v->lo = r->print.est[c] - w;
		v->hi = r->print.est[c] + w;
	} else {
		v->lo = r->print.bound.ends[2 * c];
		v->hi = r->print.bound.ends[2 * c + 1];
	}
	if (r->print.coarse > 1) {
		v->lo = below(v->lo, r->print.coarse);
		v->hi = -below(-v->hi, r->print.coarse);
	}
	if (r->o->print.nonnegative) {
		v->lo = v->lo < 0 ? 0 : v->lo;
		v->hi = v->hi < 0 ? 0 : v->hi;
	}
}

void
dp_print_round(struct dp_run *r, uint64_t t, size_t c, struct dp_interval *v)
{
	const struct dp_options *o = r->o;

	v->est = r->print.est[c];
	if (o->print.confidence > 0)
		put_around(r, c, v);
	if (r->print.coarse > 1)
		v->est = dp_print_nearest(v->est, r->print.coarse);
	if (o->print.nonnegative)
		v->est = v->est < 0 ? 0 : v->est;
	if (o->print.monotone && !v->none) {
		if (t > r->plan.mech->estimate.first && v->est < r->print.last[c])
			v->est = r->print.last[c];
		r->print.last[c] = v->est;
		v->hi = o->print.confidence > 0 && v->hi < v->est ? v->est : v->hi;
	}
}
