/*
 * print_top.c - --top: of declared keys those with the largest estimates, a row each, and which of
 * them are among the largest for certain.  All of it is post-processing.
 */
#include <math.h>
#include <stdlib.h>

#include "ask/options_table.h"
#include "columns.h"

/*
 * Statement.  Let all keys' counts lie within `half' of their estimates.  A key with fewer than K
 * others whose estimates are at least its own less 2 half is one of the K largest.
 * Proof.  Any other key b, est_b < est_a - 2 half, has count_b <= est_b + half < est_a - half <=
 * count_a: fewer than K keys have a count as large as a's.
 * Each key's interval misses with probability gamma / keys at most, so at any one step all hold
 * together with probability 1 - gamma, whatever the data (union bound).
 */
static int
half_width(struct dp_run *r, uint64_t t, dp_wide *half)
{
	double w;
	const int e = dp_widths_at(r->print.bound.sure, 0, t, &w);

	if (e == 0)
		*half = (dp_wide)ceil(r->plan.mech->off.drift + w) * r->print.unit;
	return e;
}

static int
by_estimate(const void *a, const void *b, void *run)
{
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;
	const struct dp_interval *v = ((const struct dp_run *)run)->print.shown;

	if (v[x].est != v[y].est)
		return v[x].est > v[y].est ? -1 : 1;
	return x < y ? -1 : 1;
}

/* true: column c is one of the K largest if all intervals of that half-width hold. */
static bool
certain(const struct dp_run *r, size_t c, dp_wide half)
{
	const dp_wide least = r->print.est[c] - 2 * half;
	uint64_t others = 0;
	size_t i;

	for (i = 0; i < r->print.nest && others < r->o->print.top; i++)
		others += i != c && r->print.est[i] >= least;
	return others < r->o->print.top;
}

int
dp_print_top(struct dp_run *r, uint64_t t, int64_t begin)
{
	const struct dp_options *o = r->o;
	const size_t n = r->print.nest < o->print.top ? r->print.nest : (size_t)o->print.top;
	char *p = dp_out_room(r->print.out, 0);
	const char *sure = NULL;
	dp_wide half = 0;
	size_t i, c;
	int e;

	for (c = 0; c < r->print.nest; c++) {
		dp_print_finish(r, t, c, &r->print.shown[c]);
		r->print.order[c] = c;
	}
	qsort_r(r->print.order, r->print.nest, sizeof *r->print.order, by_estimate, r);
	if (r->print.bound.sure != NULL && (e = half_width(r, t, &half)) != 0)
		return e;
	for (i = 0; i < n; i++) {
		c = r->print.order[i];
		if (r->print.bound.sure != NULL)
			sure = certain(r, c, half) ? "1" : "0";
		if ((p = dp_print_room(r, p, 8192)) == NULL)
			return DP_ENOMEM;
		p = dp_print_row(r, p, t, begin, c, o->keys.name[c], &r->print.shown[c],
		    dp_print_flag(r), sure);
	}
	return dp_out_line(r->print.out, p);
}
