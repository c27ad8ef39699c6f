/* mean_interval.c - intervals of means and variances by inversion (mean.h, INTERVALS). */
#include <math.h>
#include <stdlib.h>

#include "mean.h"

#define FINE	64	/* units to a standard deviation: bounds are whole numbers of them */

/*
 * |sum coef[i] w[i]| is above it with probability gamma at most; INFINITY: nothing is known.  The
 * unit that log-concavity which is only measured has in law_parts.c is one of each number here.
 */
static double
bound(struct dp_law *mix, const struct dp_law *law, const double *coef, unsigned n, double drift,
    double gamma)
{
	const double sd = sqrt(dp_law_variance(law));
	double finer[DP_MEAN_NUMBERS], most = 0, off = 0, w;
	unsigned i;

	for (i = 0; i < n; i++) {
		most = fmax(most, fabs(coef[i]));
		off += coef[i] != 0 ? fabs(coef[i]) * (drift + (law->parts > 0)) : 0;
	}
	if (sd == 0 || most == 0)
		return off;
	for (i = 0; i < n; i++)
		finer[i] = coef[i] / most * FINE / sd;
	dp_law_mix(mix, law, finer, n);
	w = dp_law_bound(mix, gamma);
	return (w + 1) * sd / FINE * most + off;
}

/* s[i] of n numbers */
static double
part_of(unsigned i, unsigned n)
{
	return (double)i / (n - 1);
}

static bool
asked(const struct dp_mean_asked *k, enum dp_mean_what what)
{
	unsigned i;

	for (i = 0; i < k->n; i++)
		if (k->what[i] == what)
			return true;
	return false;
}

int
dp_mean_law(struct dp_mean_law *l, const struct dp_mean_asked *k, const struct dp_law *law,
    double drift, double gamma)
{
	const unsigned n = dp_mean_numbers(k);
	double coef[DP_MEAN_NUMBERS] = { 1, 1, 1 };
	struct dp_law *mix = malloc(sizeof *mix);
	unsigned i, j;

	if (mix == NULL)
		return DP_ENOMEM;
	l->gamma = gamma;
	l->variance = dp_law_variance(law);
	l->all = asked(k, DP_MEAN_COUNT) ? bound(mix, law, coef, n, drift, gamma) : 0;
	l->one = n == 3 ? bound(mix, law, coef, 1, drift, gamma / n) : 0;
	for (i = 0; i < n; i++)
		coef[i] = (double)k->lo + part_of(i, n) * (double)(k->hi - k->lo);
	l->sum = asked(k, DP_MEAN_SUM) ? bound(mix, law, coef, n, drift, gamma) : 0;
	for (j = 0; j < DP_MEAN_KNOTS; j++) {
		for (i = 0; i < n; i++)
			coef[i] = part_of(i, n) - j / (2. * (DP_MEAN_KNOTS - 1));
		l->knot[j] = bound(mix, law, coef, n, drift, gamma);
	}
	free(mix);
	return isnan(l->all + l->one + l->sum + l->knot[0]) ? DP_ENOMEM :
	    isinf(l->all) || isinf(l->sum) ? DP_ERANGE : 0;
}

/* q(rho), on the chords */
static double
quantile(const struct dp_mean_law *l, double rho)
{
	const double at = 2 * (DP_MEAN_KNOTS - 1) * (rho < .5 ? rho : 1 - rho);
	const unsigned i = (unsigned)fmin(floor(at), DP_MEAN_KNOTS - 2);

	return l->knot[i] + (at - i) * (l->knot[i + 1] - l->knot[i]);
}

/* D(rho) */
static double
contrast(const double *b, unsigned n, double rho)
{
	double d = 0;
	unsigned i;

	for (i = 0; i < n; i++)
		d += (part_of(i, n) - rho) * b[i];
	return d;
}

#define HALVINGS	52

void
dp_mean_hull(const struct dp_mean_law *l, const double *b, unsigned n, double end[2])
{
	double lo = 0, hi = 1, mid;
	unsigned i;

	/* D - q: above 0 at first, if at all, and then below */
	if (!(contrast(b, n, 0) > quantile(l, 0)))
		hi = 0;
	for (i = 0; i < HALVINGS && hi > 0; i++) {
		mid = (lo + hi) / 2;
		*(contrast(b, n, mid) > quantile(l, mid) ? &lo : &hi) = mid;
	}
	end[0] = lo;
	/* D + q: below 0 at last, if at all */
	lo = 0;
	hi = 1;
	if (!(contrast(b, n, 1) < -quantile(l, 1)))
		lo = 1;
	for (i = 0; i < HALVINGS && lo < 1; i++) {
		mid = (lo + hi) / 2;
		*(contrast(b, n, mid) < -quantile(l, mid) ? &hi : &lo) = mid;
	}
	end[1] = hi;
}

static double
spread(double b0, double b1, double b2)
{
	const double n = b0 + b1 + b2;

	return n > 0 ? (b0 * b2 - b1 * b1 / 4) / (n * n) : 0;
}

/* Most of spread() for x within lo..hi; y, b1: the two others. */
static double
most(double lo, double hi, double b1, double y)
{
	const double top = y > 0 ? b1 + y + b1 * b1 / (2 * y) : b1 > 0 ? INFINITY : lo;

	return spread(fmin(fmax(top, lo), hi), b1, y);
}

void
dp_mean_box(const struct dp_mean_law *l, const double *b, double end[2])
{
	double lo[3], hi[3];
	unsigned i;

	for (i = 0; i < 3; i++) {
		lo[i] = fmax(b[i] - l->one, 0);
		hi[i] = fmax(b[i] + l->one, 0);
	}
	end[0] = fmin(fmin(spread(lo[0], hi[1], lo[2]), spread(lo[0], hi[1], hi[2])),
	    fmin(spread(hi[0], hi[1], lo[2]), spread(hi[0], hi[1], hi[2])));
	end[1] = fmax(fmax(most(lo[0], hi[0], lo[1], lo[2]), most(lo[0], hi[0], lo[1], hi[2])),
	    fmax(most(lo[2], hi[2], lo[1], lo[0]), most(lo[2], hi[2], lo[1], hi[0])));
	if (lo[0] + lo[1] + lo[2] == 0 || isinf(l->one)) {	/* perhaps no event */
		end[0] = 0;
		end[1] = .25;
	}
	end[0] = fmin(fmax(end[0], 0), .25);
	end[1] = fmin(fmax(end[1], 0), .25);
}
