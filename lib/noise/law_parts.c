/*
 * law_parts.c - bounds of laws with parts: by inversion of the characteristic function where all
 * know it, else by the variance alone.
 *
 * The inversion is that of law_invert.c, of X + U, U uniform on a width of one: P(|X + U| > w +
 * 1/2) is that of |X| > w where all is whole, and P(|X + U| > w) counts where it is not.  What it
 * leaves out is counted against us: see know() and holds().
 *
 * Where parts tell the points of a law of nearly their form, these are drawn out by as much as its
 * variance is off, with a little of gamma for what is off besides.
 *
 * Where that is beyond what doubles tell, Chernoff's bound.
 *
 * By the variance: the worst that a symmetric log-concave law can have, one unit more.  That a norm
 * tree's law is log-concave is measured, not proved (t_normtree_wave.c: so it is wherever a value
 * has a probability above 10^-14); the unit is for what that leaves open.  The inversion needs it
 * for nothing but what it leaves out, some 10^-3 of gamma.
 */
#include <math.h>

#include "law.h"

/*
 * Of symmetric log-concave laws of variance 1 the one with the largest P(|x| > y) is uniform, or
 * exp(-|x|) cut off somewhere (Fradelizi, Guedon 2004: what is extreme with two moments given has
 * one piece): at y = 0, 1/4, .. these, found by trying; from 5 on the whole of exp(-|x|) is within
 * 10^-4 of it.  The largest is convex in y up to there, so it is below the chords.
 */
static const double heaviest[] = { 1, .85567, .71133, .56699, .42266, .27832, .16234, .10106,
    .06575, .04403, .03005, .02077, .01446, .01012, .0071, .00498, .0035, .00246, .00173, .00122,
    .00085 };
#define HEAVIEST	(sizeof heaviest / sizeof heaviest[0] - 1)

double
dp_law_widest_tail(double y)
{
	const double i = floor(4 * y), *h = heaviest + (size_t)fmin(i, HEAVIEST - 1);

	if (i >= HEAVIEST)
		return heaviest[HEAVIEST] * exp(-M_SQRT2 * (y - HEAVIEST / 4.));
	return h[0] + (4 * y - i) * (h[1] - h[0]);
}

double
dp_law_widest(double gamma)
{
	const double *h = heaviest;

	if (gamma < heaviest[HEAVIEST])
		return HEAVIEST / 4. + log(heaviest[HEAVIEST] / gamma) * M_SQRT1_2;
	while (h[1] > gamma)
		h++;
	return ((double)(h - heaviest) + (h[0] - gamma) / (h[0] - h[1])) / 4;
}

#define RARE	1e-6
#define ROUNDED	1e-13	/* what doubles may hide of a probability */
#define ENOUGH	20	/* what is not known is so small a part of gamma */
#define ROUGH	0x1p-8	/* and so much of gamma is for a law of nearly the same form, which */
#define LITTLE	1.01	/* smoothing makes no wider, */
#define PLENTY	100	/* with less that is not known */

/*
 * The standard deviation of a law on the reals that falls no faster: on whole numbers the one that
 * falls by e^-a a unit has the variance 1 / (2 sinh^2(a/2)), on the reals 2 / a^2, which is more.
 */
double
dp_law_spread(double variance)
{
	return M_SQRT1_2 / asinh(1 / sqrt(2 * variance));
}

/* What is known of a law: its characteristic function, weighted, and a bound of what is not. */
struct known {
	double phi[DP_LAW_POINTS], step, error, variance;
	unsigned n;
	bool whole;		/* what is beyond w is beyond w + 1/2 */
	bool rough;		/* it is that of a law of nearly the same form */
};

/* The characteristic function, as it is, at points that the parts choose. */
static bool
ask(const struct dp_law *l, double gamma, double choose, struct known *v)
{
	double variance = 0;
	unsigned i;

	*v = (struct known){ .step = choose, .whole = dp_law_whole(l) && !l->between,
	    .variance = dp_law_variance(l), .error = gamma * DP_LAW_TRIFLE + ROUNDED };
	for (i = 0; i < DP_LAW_POINTS; i++)
		v->phi[i] = 1;
	for (i = l->parts; i-- > 0;)	/* the last one chooses */
		if (l->part[i].waves == NULL || !l->part[i].waves(&l->part[i], gamma,
		    sqrt(v->variance), &v->step, &v->n, v->phi, &v->error, &variance))
			return false;
	v->rough = fabs(variance / v->variance - 1) > 1e-12;
	if (v->rough)		/* and is as wide then */
		v->step *= sqrt(variance / v->variance);
	return true;
}

static void
weigh(struct known *v, bool lattice)
{
	double sin0 = 0, sin1 = sin(v->step / 2), next;
	unsigned i;

	for (i = 0; i < v->n; i++, sin0 = sin1, sin1 = next) {
		v->phi[i] *= lattice ? 1 / (2 * sin1) : dp_law_wave_weight(v->step, i + 1);
		next = 2 * cos(v->step / 2) * sin1 - sin0;	/* sin(t / 2) */
	}
}

/* Points beyond the last weigh less than it does, times their number before it. */
static double
beyond(const struct known *v)
{
	return 2 / M_PI * v->step * v->n * fabs(v->phi[v->n - 1]);
}

/* The points are enough for gamma. */
static bool
settle(struct known *v, double gamma)
{
	weigh(v, v->whole && !v->rough);
	if (v->whole && !v->rough && v->n * v->step > M_PI * (1 - 1e-9))
		v->phi[v->n - 1] /= 2;	/* all there is; an end of the trapezoid */
	else
		v->error += beyond(v);
	return v->error < gamma / ENOUGH;
}

/*
 * That of X + Z, Z Gaussian and so wide that next to nothing is beyond the last point: as X + U is
 * symmetric and unimodal, |X + U + Z| > y is no less probable than |X + U| > y (Anderson 1955).
 *
 * Whole laws have the weights of the reals here, too.  Left out then is what lies beyond the last
 * point, which is below 2 pi, where the characteristic function of X is 1 again.  That errs to the
 * wide side, to leading order: at y = w + 1/2 it makes P larger by -f'(y) / 6 > 0, f the density;
 * where f falls by e^-a a unit, by a^2 / 12 of P.  (Bounds of whole laws come of this only where
 * DP_LAW_ALL would be more than DP_LAW_POINTS.)
 */
static bool
smooth(struct known *v, double gamma, double enough)
{
	const double end = v->n * v->step;
	unsigned i;
	double z;

	weigh(v, false);
	z = 2 * log(fmax(2 * enough * beyond(v) / gamma, 1)) / (end * end);
	for (i = 1; i <= v->n; i++)
		v->phi[i - 1] *= exp(-z * (i * v->step) * (i * v->step) / 2);
	v->error += beyond(v);
	v->variance += z;
	return v->error < gamma / enough;
}

/*
 * From few points, which most laws are next to nothing at the end of; else from as many as there
 * are, as for those of a few whole nodes, which have a kink; else a little wider.
 */
static bool
know(const struct dp_law *l, double gamma, struct known *v)
{
	struct known all, some;

	if (l->terms + l->flips != 0 || !ask(l, gamma, 0, v))
		return false;
	some = *v;
	if (settle(v, gamma))
		return true;
	*v = some;
	if (v->rough && smooth(v, gamma, PLENTY) && v->variance < LITTLE * some.variance)
		return true;
	if (ask(l, gamma, DP_LAW_ALL, &all)) {
		some = *v = all;
		if (settle(v, gamma))
			return true;
	}
	*v = some;
	v->step = isnan(all.step) ? NAN : some.step;
	return !isnan(v->step) && smooth(v, gamma, ENOUGH);
}

double
dp_law_parts_tail(const struct dp_law *l, double x)
{
	return x <= 1 ? 1 : dp_law_widest_tail((x - 1) / dp_law_spread(dp_law_variance(l)));
}

/*
 * Whether P(|X| > w) <= gamma.  What lies beyond the period less w is wrapped around, and missing
 * from the inversion, c: with F(y) = P(|X| > y), which is log-concave, F(r w) <= F(w)^r, so F(w) <=
 * c + F(w)^r for r = period / w - 1, and F(w) is less than the widest law has.
 */
static bool
holds(const struct known *v, double w, double gamma)
{
	const double r = (2 * M_PI / v->step - 1) / (w + 1) - 1;
	const double most = dp_law_widest_tail(w / dp_law_spread(v->variance));
	const double wrapped = r < 1 ? 1 : pow(fmin(most, 1), r - 1);

	return dp_law_wave_tail(v->phi, v->n, v->step, v->whole ? w + .5 : w) + v->error <=
	    gamma * (1 - wrapped) * (v->rough ? 1 - ROUGH : 1);
}

double
dp_law_parts_wide(const struct dp_law *l, double gamma)
{
	return ceil(dp_law_spread(dp_law_variance(l)) * dp_law_widest(gamma) + 1) - 1;
}

/* 2 exp(K(s) - s x) = gamma, for the best of some s: each takes as long as many an inversion. */
static double
chernoff(const struct dp_law *l, double gamma)
{
	double s, k, more, x, least = INFINITY;
	unsigned i;

	for (i = 0; i < l->parts; i++)
		gamma -= l->part[i].cumulant != NULL ? l->part[i].outside(&l->part[i]) : 1;
	if (l->terms + l->flips != 0 || !(gamma > 0))
		return INFINITY;
	s = 1.1 * sqrt(2 * log(2 / gamma) / dp_law_variance(l));
	for (;; least = x, s *= 0.9) {
		for (k = 0, i = 0; i < l->parts; i++, k += more)
			l->part[i].cumulant(&l->part[i], &s, 1, &more);
		x = (k + log(2 / gamma)) / s;
		if (!(x < least))
			return ceil(least + 0.5);	/* and rounding */
	}
}

double
dp_law_parts_bound(const struct dp_law *l, double gamma)
{
	const double wide = dp_law_parts_wide(l, gamma);
	double lo = -1, hi, end, mid = l->guess, by = 1;
	struct known v;

	v.step = 0;
	if (!know(l, gamma, &v)) {
		if (isnan(v.step))
			return NAN;
		return gamma < RARE ? fmin(wide, chernoff(l, gamma)) : wide;
	}
	/* farther out too much is wrapped */
	hi = end = fmin(wide, floor(2 * M_PI / v.step / 2.2));
	for (; hi - lo > fmax(1, ldexp(hi, -50)); by *= 2) {	/* whole numbers, or doubles */
		if (!(mid > lo && mid < hi))
			mid = floor((lo + hi) / 2);
		if (holds(&v, mid, gamma)) {
			hi = mid;
			mid -= by;
		} else {
			lo = mid;
			mid += by;
		}
	}
	return hi == end && !holds(&v, end, gamma) ? wide : hi;
}
