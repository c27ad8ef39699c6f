/* regret.c - the bound on the expected regret, and its two numbers of a law (regret.h). */
#include <math.h>

#include "regret.h"

#define POINTS	8192		/* of the lattice */
#define SCALES	34		/* e^-34: what an exponential tail still holds */
#define DEVIATIONS	8
#define LATTICE		1e-3	/* what a sum over it may miss, relative */

/* p, a law on the lattice, becomes that of its sum with a discrete Laplace variable. */
static void
add_laplace(double p[static POINTS], double q)
{
	double last = 0;
	int i;

	for (i = 0; i < POINTS; i++)		/* a geometric one */
		p[i] = last = (1 - q) * p[i] + q * last;
	for (last = 0, i = POINTS; i-- > 0; )	/* less another */
		p[i] = last = (1 - q) * p[i] + q * last;
}

/* The law on multiples of the step that is returned, 0 in the middle, each part by its variance. */
static double
lattice(const struct dp_law *l, double p[static POINTS])
{
	const struct dp_law_term *t;
	double v = dp_law_variance(l), gauss = 0, widest = 0, step, one, x;
	unsigned i, k;

	for (i = 0; i < l->terms; i++) {
		t = &l->term[i];
		one = t->coef * t->coef * dp_noise_variance(t->noise);
		if (t->noise->kind == DP_NOISE_GAUSS)
			gauss += t->n * one;
		else
			widest = fmax(widest, sqrt(one / 2));
	}
	step = fmax(gauss > 0 ? 0 : 1, 2 * (DEVIATIONS * sqrt(v) + SCALES * widest) / POINTS);
	for (i = 0; i < POINTS; i++) {
		x = ((double)i - POINTS / 2) * step;
		p[i] = gauss > 0 ? step / sqrt(2 * M_PI * gauss) * exp(-x * x / (2 * gauss)) :
		    i == POINTS / 2;
	}
	for (i = 0; i < l->terms; i++) {
		t = &l->term[i];
		if (t->noise->kind == DP_NOISE_GAUSS)
			continue;
		/* variance 1/(cosh(1/b) - 1), and q = exp(-1/b) */
		one = t->coef * t->coef * dp_noise_variance(t->noise) / (step * step);
		for (k = 0; k < (unsigned)t->n; k++)
			add_laplace(p, exp(-acosh(1 + 1 / one)));
	}
	return step;
}

/* 1 / (1 - 1/2b); a law without discrete Laplace noise is a normal one. */
static double
correction(const struct dp_law *l)
{
	const struct dp_noise *z = l->term[0].noise;
	double b = dp_q_double(z->param);

	if (z->kind == DP_NOISE_GAUSS)
		return 1;
	return b > 0.5 ? 1 / (1 - 0.5 / b) : INFINITY;
}

void
dp_regret_noise(struct dp_regret *r, const struct dp_law *l)
{
	double p[POINTS], step, above = 0, up = 1, below, weight, middle;
	int i;

	r->pull = INFINITY;
	r->spread = r->laplace = 0;
	if (l->terms == 0)
		return;
	r->pull = 0;
	step = lattice(l, p);
	/* from the top: `up` is the chance that none of n is above point i */
	for (i = POINTS - 1; i > 0 && up > 0; i--, up = below) {
		above += p[i];
		below = exp(r->n * log1p(-fmin(above, 1)));
		weight = up - below;
		middle = (double)i - POINTS / 2;
		r->spread += weight * middle * step;
		if (p[i] > 0)
			r->pull += weight * (p[i - 1] / p[i] - 1) / step;
	}
	for (i = 0; i < (int)l->terms; i++)
		if (l->term[i].noise->kind == DP_NOISE_LAPLACE && l->term[i].n >= 1)
			r->laplace = fmax(r->laplace, fabs(l->term[i].coef) *
			    dp_q_double(l->term[i].noise->param));
	r->pull *= (1 + LATTICE) * correction(l);
	r->spread *= 1 + LATTICE;
}

static double
harmonic(double n)
{
	double h = 0;

	for (; n >= 1; n--)
		h += 1 / n;
	return h;
}

/* Cost of a round beyond the growth of the potential. */
static double
round_cost(const struct dp_regret *r, double pull)
{
	const double w = r->range * (r->range + (r->grows ? 5 : 1)) / 2;

	return fmin(r->range, w / 2 * pull);
}

double
dp_regret_bound(const struct dp_regret *r, double s)
{
	if (r->n == 1)
		return 0;
	if (!(s > 0))
		return r->T * round_cost(r, r->pull) + r->spread;
	return r->T * round_cost(r, fmin(r->pull, expm1(1 / s))) + r->spread +
	    s * harmonic(r->n) - 1 / expm1(1 / s);
}

double
dp_regret_first(const struct dp_regret *r, double s, double *c)
{
	const double b = fmax(s, r->laplace);

	*c = 0;
	if (r->grows || !(b > 0) || r->n == 1)
		return INFINITY;
	*c = r->spread + (s > 0 ? s * harmonic(r->n) - 1 / expm1(1 / s) : 0);
	*c *= r->range * expm1(1 / b) / -expm1(-r->range / b);
	return r->range * expm1(1 / b) / -expm1(-r->range / b);
}

/*
 * Without A and U the bound is convex in s, nearly c/s + (H_n - 1) s with c = T w/2; with them it
 * has no other minimum but at s = 0.
 */
double
dp_regret_best(const struct dp_regret *r)
{
	const double c = r->T * r->range * (r->range + (r->grows ? 5 : 1)) / 4;
	double s;

	if (r->n == 1)
		return 0;
	s = sqrt(c / (harmonic(r->n) - 1));
	return dp_regret_bound(r, s) < dp_regret_bound(r, 0) ? s : 0;
}
