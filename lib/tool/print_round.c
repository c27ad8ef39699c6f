/*
 * print_round.c - what is printed of an estimate and of its interval: post-processing, which costs
 * no privacy.
 */
#include <math.h>

#include "print.h"

int
dp_print_widths(struct dp_run *r, uint64_t t)
{
	unsigned i;
	double w;
	int e;

	for (i = 0; i < r->outputs && r->o->confidence > 0; i++) {
		if ((e = dp_widths_at(r->widths, i, t, &w)) != 0)
			return e;
		r->half[i] = (dp_wide)ceil(r->plan.mech->drift + w) * r->unit;
	}
	return 0;
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
	const dp_wide w = r->half[dp_print_output(r, c)];

	v->lo = r->est[c] - w;
	v->hi = r->est[c] + w;
	if (r->coarse > 1) {
		v->lo = below(v->lo, r->coarse);
		v->hi = -below(-v->hi, r->coarse);
	}
	if (r->o->nonnegative) {
		v->lo = v->lo < 0 ? 0 : v->lo;
		v->hi = v->hi < 0 ? 0 : v->hi;
	}
}

void
dp_print_round(struct dp_run *r, uint64_t t, size_t c, struct dp_interval *v)
{
	const struct dp_options *o = r->o;

	v->est = r->est[c];
	if (o->confidence > 0)
		put_around(r, c, v);
	if (r->coarse > 1)
		v->est = dp_print_nearest(v->est, r->coarse);
	if (o->nonnegative)
		v->est = v->est < 0 ? 0 : v->est;
	if (o->monotone && !v->none) {
		if (t > r->plan.mech->first && v->est < r->last[c])
			v->est = r->last[c];
		r->last[c] = v->est;
		v->hi = o->confidence > 0 && v->hi < v->est ? v->est : v->hi;
	}
}
