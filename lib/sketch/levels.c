/* levels.c - number of identifiers behind the counts of levels, and its interval. */
#include <math.h>
#include <stdlib.h>

#include "levels.h"

#define FLIPS		0x1p20		/* of the law: so many bits are normal */
#define POINTS		200		/* of a search over log(1 + D) */

double
dp_levels_share(unsigned level)
{
	return ldexp(1, level < DP_LEVELS - 1 ? -(int)level - 1 : 1 - DP_LEVELS);
}

/* B_l */
static double
size(const struct dp_levels *w, unsigned level)
{
	return level == DP_LEVELS_WIDE ? w->wide : w->b;
}

/* q_l(D), and in *slope q_l'(D). */
static double
chance(const struct dp_levels *w, unsigned level, double D, double *slope)
{
	const double log_empty = log1p(-dp_levels_share(level) / size(w, level));
	const double empty = exp(D * log_empty);

	*slope = -w->odds.gap * empty * log_empty;
	return w->odds.p - w->odds.gap * expm1(D * log_empty);
}

double
dp_levels_variance(const struct dp_levels *w, double D)
{
	double sum = 0, q, b, slope;
	unsigned l;

	for (l = 0; l < DP_LEVELS; l++) {
		b = size(w, l);
		q = chance(w, l, D, &slope);
		sum += b * slope * b * slope / (b * q * (1 - q) + w->noise + 1e-300);
	}
	return 1 / sum;
}

/* a_l: the score of D over its information. */
static void
weights(const struct dp_levels *w, double D, double *weight)
{
	const double variance = dp_levels_variance(w, D);
	double q, b, slope;
	unsigned l;

	for (l = 0; l < DP_LEVELS; l++) {
		b = size(w, l);
		q = chance(w, l, D, &slope);
		weight[l] = variance * b * slope / (b * q * (1 - q) + w->noise + 1e-300);
	}
}

void
dp_levels_law(const struct dp_levels *w, double D, struct dp_law *l)
{
	double weight[DP_LEVELS], sum = 0;
	unsigned i;

	weights(w, D, weight);
	for (i = 0; i < DP_LEVELS; i++) {
		sum += weight[i] * weight[i] * w->noise;
		if (w->z != NULL)
			dp_law_add(l, w->z, weight[i], 1);
	}
	dp_law_flip(l, 2 * sqrt(fmax(dp_levels_variance(w, D) - sum, 0) / FLIPS), FLIPS, 0.5);
}

/* Logarithm of the likelihood of the counts y, if there are D identifiers. */
static double
likelihood(const struct dp_levels *w, const int64_t *y, double D)
{
	double sum = 0, q, b, v, x, slope;
	unsigned l;

	for (l = 0; l < DP_LEVELS; l++) {
		b = size(w, l);
		q = chance(w, l, D, &slope);
		x = (double)y[l];
		if (w->noise == 0) {	/* of bits that are exact, so that 0 can have no variance */
			sum += (x > 0 ? x * log(q) : 0) +
			    (x < b ? (b - x) * log1p(-q) : 0);
			continue;
		}
		v = b * q * (1 - q) + w->noise;
		sum -= (x - b * q) * (x - b * q) / (2 * v) + log(v) / 2;
	}
	return sum;
}

/* By golden section over log(1 + D), from the best of a row of points. */
double
dp_levels_likeliest(const struct dp_levels *w, const int64_t y[static DP_LEVELS], double cap)
{
	const double g = 0.6180339887498949, most = log1p(cap);
	double best = -INFINITY, at = 0, v, x, z, lo, hi;
	int i;

	for (i = 0; i <= POINTS; i++)
		if ((v = likelihood(w, y, expm1(most * i / POINTS))) > best) {
			best = v;
			at = i;
		}
	lo = most * (at > 0 ? at - 1 : 0) / POINTS;
	hi = most * (at < POINTS ? at + 1 : POINTS) / POINTS;
	for (i = 0; i < 50; i++) {
		x = hi - g * (hi - lo);
		z = lo + g * (hi - lo);
		if (likelihood(w, y, expm1(x)) > likelihood(w, y, expm1(z)))
			hi = z;
		else
			lo = x;
	}
	return expm1((lo + hi) / 2);
}

struct search {
	const struct dp_levels *w;
	const int64_t *y;
	double gamma;
	struct dp_law *law;
};

/* D is not refuted.  Chernoff's bound, a little wider, spares most of the exact ones. */
static bool
stands(const struct search *s, double D)
{
	double weight[DP_LEVELS], u = 0, slope;
	unsigned l;

	weights(s->w, D, weight);
	for (l = 0; l < DP_LEVELS; l++)
		u += weight[l] * ((double)s->y[l] -
		    size(s->w, l) * chance(s->w, l, D, &slope));
	dp_law_clear(s->law);
	dp_levels_law(s->w, D, s->law);
	if (!(fabs(u) < INFINITY))		/* no information at all */
		return true;
	if (dp_law_chernoff(s->law, fabs(u)) <= s->gamma)
		return false;
	return fabs(u) <= dp_law_bound(s->law, s->gamma) + 0.5;
}

/* From `from`, which is refuted, to `to`, which stands: the last whole number that is refuted. */
static double
border(const struct search *s, double from, double to)
{
	double mid;

	while (fabs(to - from) > fmax(1, fabs(from) * 1e-3)) {
		mid = floor((from + to) / 2);
		if (mid == from || mid == to)
			break;
		if (stands(s, mid))
			to = mid;
		else
			from = mid;
	}
	return from;
}

/* The end of the interval on the side of `end`, 0 or the most, as seen from est. */
static double
end_of(const struct search *s, double est, double end)
{
	const double from = log1p(end), to = log1p(est);
	double before = end, at;
	int i;

	for (i = 0; i < POINTS; i++) {
		at = i == 0 ? end : rint(expm1(from + (to - from) * i / POINTS));
		if (at != before || i == 0) {
			if (stands(s, at))
				return i == 0 ? end : border(s, before, at);
		}
		before = at;
	}
	return before == est ? est : border(s, before, est);
}

int
dp_levels_interval(const struct dp_levels *w, const int64_t y[static DP_LEVELS], double est,
    double cap, double gamma, double *lo, double *hi)
{
	struct search s = { w, y, gamma, malloc(sizeof *s.law) };

	if (s.law == NULL)
		return DP_ENOMEM;
	*lo = end_of(&s, est, 0);
	*hi = end_of(&s, est, floor(cap));
	free(s.law);
	return 0;
}
