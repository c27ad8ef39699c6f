/*
 * quantile_root.c - numbers of events in bins behind a square root, for Gaussian noise: the layout
 * ROOT of quantile.h.
 */
#include <math.h>
#include <stdlib.h>

#include "quantile.h"

/* Weights are whole numbers of 1/UNIT, what makes columns alike of 1/FINER. */
#define UNIT	1024
#define FINER	32

/* Coefficients of (1 - z)^(-1/2), rounded: w[i] > 0 for all i < DP_BINS_MAX. */
static void
set_weights(int64_t *w, unsigned n)
{
	double c = 1;
	unsigned i;

	for (i = 0; i < n; i++) {
		w[i] = llround(UNIT * c);
		c *= (2 * i + 1) / (2. * i + 2);
	}
}

/* Factors of the columns of W.  The last has one entry, the first has all. */
static void
set_times(struct dp_quantile *k)
{
	double all = 0, squares = 0;
	unsigned j;

	for (j = 0; j < k->G; j++)
		all += (double)k->w[j] * (double)k->w[j];
	for (j = 0; j < k->G; j++) {
		squares += (double)k->w[j] * (double)k->w[j];
		k->times[k->G - 1 - j] = (int64_t)floor(FINER * sqrt(all / squares));
	}
}

int
dp_quantile_root_reach(const struct dp_quantile *k, struct dp_reach *reach)
{
	dp_uwide squares = 0, sum = 0, longest = 0, largest = 0;
	uint64_t m, w;
	unsigned j;

	for (j = 0; j < k->G; j++) {
		w = (uint64_t)k->w[j];
		m = (uint64_t)k->times[k->G - 1 - j];
		squares += w * w;	/* < 2^23 in all, a sum < 2^17, m < 2^7 */
		sum += w;
		longest = squares * m * m > longest ? squares * m * m : longest;
		largest = sum * m > largest ? sum * m : largest;
	}
	longest *= reach->l2squared;
	largest *= reach->l1;
	if (longest >= (dp_uwide)1 << 62 || largest >= (dp_uwide)1 << 50)
		return DP_ERANGE;
	reach->l2squared = (uint64_t)longest;
	reach->l1 = (uint64_t)largest;
	/* the last column's entry is the largest: its m is */
	reach->linf *= (uint64_t)(k->w[0] * k->times[k->G - 1]);
	/* columns: all bins of all keys that a unit can move, as many as there are of u */
	return 0;
}

/* Coefficients of 1 / (w[0] + w[1] z + ..) */
static void
invert(double *v, const int64_t *w, unsigned n)
{
	unsigned i, j;
	double s;

	for (i = 0; i < n; i++) {
		for (s = i == 0, j = 1; j <= i; j++)
			s -= (double)w[j] * v[i - j];
		v[i] = s / (double)w[0];
	}
}

/*
 * F(j) = sum over b < j of sum over i <= b of v[b - i] u[i] / m[b]: each u[i] adds the squares of
 * what it has in F(1), F(2), .., and the products with what it has in N.
 */
static void
set_noise(struct dp_quantile *k, const double *v)
{
	struct dp_quantile_noise *z = &k->noise;
	double in, all;
	unsigned i, b;

	for (i = 0; i < k->G; i++) {
		for (all = 0, b = i; b < k->G; b++)
			all += v[b - i] / (double)k->times[b];
		for (in = 0, b = i; b < k->G; b++) {
			in += v[b - i] / (double)k->times[b];
			z->own[0][b + 1] += in * in;
			z->with[0][b + 1] += in * all;
		}
		z->all[0] += all * all;
	}
}

static int
create(struct dp_quantile *k, const struct dp_mech_rule *rule, const struct dp_mech_ops *counter)
{
	static const struct dp_q whole[] = { { 1, 1 } };
	struct dp_mech_rule own = *rule;
	double *v = malloc(k->G * sizeof *v);
	int e = DP_ENOMEM;

	k->w = malloc(k->G * sizeof *k->w);
	k->times = malloc(k->G * sizeof *k->times);
	if (v == NULL || k->w == NULL || k->times == NULL)
		goto out;
	set_weights(k->w, k->G);
	set_times(k);
	if ((e = dp_quantile_root_reach(k, &own.band[0].reach)) != 0)
		goto out;
	dp_numbers_same_bytes(rule->privacy.numbers, "times", k->times, k->G * sizeof *k->times);
	dp_numbers_same_bytes(rule->privacy.numbers, "weights", k->w, k->G * sizeof *k->w);
	own.most = 0;
	own.privacy.cells = 0;
	invert(v, k->w, k->G);
	set_noise(k, v);
	if ((e = dp_parts_create(&k->m, &own, &counter, whole)) != 0)
		goto out;
	k->windows = k->m.part[0].inner->outputs;
	k->m.drawn.distribution = k->m.part[0].inner->drawn.distribution;
	/* of what is told of the noise, a unit is what an event moves all of u by */
	k->m.part[0].inner->drawn.unit *= sqrt((double)rule->band[0].reach.l2squared /
	    (double)own.band[0].reach.l2squared);
out:
	free(v);
	return e;
}

#define EVENTS	((int64_t)1 << 30)	/* of a bin and step; more are not counted */

/* W x: below 2^12 2^30 2^19 each.  A cap moves by no more than what it cuts. */
static void
enter(const struct dp_quantile *k, const int64_t *x, int64_t *u)
{
	unsigned i, b;
	int64_t part;

	for (i = 0; i < k->G; i++)
		u[i] = 0;
	for (b = 0; b < k->G; b++)
		for (part = (x[b] < EVENTS ? x[b] : EVENTS) * k->times[b], i = b;
		    part != 0 && i < k->G; i++)
			u[i] += k->w[i - b] * part;
}

/* The sum of W^-1 u */
static void
read(const struct dp_quantile *k, const dp_wide *y, unsigned window, double *f)
{
	double z[DP_BINS_MAX], w[DP_BINS_MAX], s;
	unsigned i, b;

	for (i = 0; i < k->G; i++)
		w[k->G - 1 - i] = (double)k->w[i];	/* backwards, beside z */
	for (f[0] = 0, b = 0; b < k->G; b++) {
		for (s = 0, i = 0; i < b; i++)
			s += w[k->G - 1 - b + i] * z[i];
		z[b] = (dp_quantile_number(k, y, b, window) - s) / (double)k->w[0];
		f[b + 1] = f[b] + z[b] / (double)k->times[b];
	}
}

static void
add(const struct dp_quantile *k, void *col, size_t place, int64_t v)
{
	size_t i;

	for (i = place; i < k->G; i++)
		dp_parts_add(&k->m, col, i, k->w[i - place] * k->times[place] * v);
}

const struct dp_quantile_layout dp_quantile_root = {
	.name = "counts of bins behind a square root", .create = create, .enter = enter,
	.read = read, .add = add
};
