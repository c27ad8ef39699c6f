/* saddle.c - one-sided tails of a law to a few per cent of themselves, however small. */
#include <float.h>
#include <math.h>

#include "law.h"

/* log E exp(s X), and its first two derivatives */
struct cumulants {
	double k, k1, k2;
	/* on the way: sinh^2(1/2b) of the last noise met; a product whose log k still lacks */
	const struct dp_noise *last;
	double x, product;
};

/* sinh(s/2) */
static double
half_sinh(double s)
{
	const double h = s / 2, q = h * h;

	if (q > 0.01)
		return sinh(h);
	return h * (1 + q / 6 * (1 + q / 20 * (1 + q / 42)));
}

/*
 * E exp(s z) = 1 / (1 - q), q = sinh^2(s/2) / sinh^2(1/2b), for a discrete Laplace variable; that
 * of a discrete Gaussian is exp(s^2 sigma^2 / 2), but for what matters for tiny sigma only.
 */
static void
add_term(struct cumulants *c, const struct dp_law_term *t, double s)
{
	double v = dp_q_double(t->noise->param), y, q1, q2, left;

	s *= t->coef;
	if (t->noise->kind == DP_NOISE_GAUSS) {
		c->k += t->n * s * s * v / 2;
		c->k1 += t->n * t->coef * s * v;
		c->k2 += t->n * t->coef * t->coef * v;
		return;
	}
	if (t->noise != c->last) {
		c->last = t->noise;
		c->x = sinh(0.5 / v);
		c->x *= c->x;
	}
	y = half_sinh(s);
	q1 = y * sqrt(1 + y * y);		/* sinh(s) / 2 */
	q2 = 0.5 + y * y;			/* cosh(s) / 2 */
	left = fmax(c->x - y * y, c->x * DBL_EPSILON);
	q1 /= left;
	c->k1 += t->n * t->coef * q1;
	c->k2 += t->n * t->coef * t->coef * (q2 / left + q1 * q1);
	if (t->n != 1)
		c->k -= t->n * log(left / c->x);
	else if ((c->product *= left / c->x) < 1e-200) {	/* a log for many */
		c->k -= log(c->product);
		c->product = 1;
	}
}

static struct cumulants
cumulants(const struct dp_law *l, double s)
{
	struct cumulants c = { .product = 1 };
	unsigned i;

	for (i = 0; i < l->terms; i++)
		add_term(&c, &l->term[i], s);
	c.k -= log(c.product);
	return c;
}

/*
 * K'(s) = y > 0.  1/K' is nearly a line towards a pole, and K' is one where there is none, so
 * Newton's steps are taken on that; what leaves the bracket is replaced by its middle.
 */
static double
saddle(const struct dp_law *l, double y, struct cumulants *c)
{
	double lo = 0, hi = dp_law_pole(l), s, next;
	const bool bounded = isfinite(hi);
	int i;

	*c = cumulants(l, 0);
	s = y / c->k2;
	if (bounded && s > 0.9 * hi)
		s = 0.9 * hi;
	for (i = 0; i < 60; i++) {
		*c = cumulants(l, s);
		if (fabs(c->k1 - y) < 1e-6 * y)	/* in what follows its square counts */
			break;
		if (c->k1 < y)
			lo = s;
		else
			hi = s;
		next = s + (y - c->k1) / c->k2 * (bounded ? c->k1 / y : 1);
		s = next > lo && next < hi ? next : (lo + hi) / 2;
	}
	return s;
}

double
dp_law_saddle(const struct dp_law *l, double y)
{
	struct cumulants c;

	return saddle(l, y, &c);
}

double
dp_law_cumulant(const struct dp_law *l, double s)
{
	return l->parts != 0 || s >= dp_law_pole(l) ? INFINITY : cumulants(l, s).k;
}

/* Lugannani and Rice, of y = K'(s), on a lattice of the given width. */
static double
tail(const struct cumulants *c, double s, double y, double width)
{
	const double w = sqrt(2 * fmax(0, s * y - c->k)), h = s * width / 2;
	const double u = 2 / width * sinh(h) * sqrt(c->k2);
	double p;

	if (w < 1e-3)			/* the formula cancels */
		return 0.5;
	p = erfc(w * M_SQRT1_2) / 2 + exp(-w * w / 2) / sqrt(2 * M_PI) * (1 / u - 1 / w);
	return p < 0 ? 0 : p > 0.5 ? 0.5 : p;
}

double
dp_law_upper(const struct dp_law *l, double x)
{
	double y = x - 0.5, s, p;
	struct cumulants c;

	if (l->full)
		return 1;
	if (x <= 0)
		return 1;
	if (l->parts != 0)
		return dp_law_tail(l, x) / 2;
	if (l->terms == 0)
		return 0;
	if (l->terms == 1 && l->term[0].n == 1 && l->term[0].coef == 1 &&
	    l->term[0].noise->kind == DP_NOISE_LAPLACE) {
		p = exp(-1 / dp_q_double(l->term[0].noise->param));
		return exp(-x / dp_q_double(l->term[0].noise->param)) / (1 + p);
	}
	s = saddle(l, y, &c);
	return tail(&c, s, y, 1);
}

/* log P is concave: beyond the last point it is below the chord through the last two. */
double
dp_law_tails_upper(const struct dp_law_tails *t, double x)
{
	const unsigned n = t->n;
	double slope;
	unsigned i = 1;

	if (x <= 0)
		return 1;
	if (n == 0)		/* unknown: the most that a log-concave law of variance 1 has */
		return exp(-M_SQRT2 * x) / 2;
	if (x > t->x[n]) {
		slope = (t->left[n] - t->left[n - 1]) / (t->x[n] - t->x[n - 1]) -
		    (t->x[n] + t->x[n - 1]) / 2;
		return exp(t->left[n] - t->x[n] * t->x[n] / 2 + slope * (x - t->x[n]));
	}
	while (t->x[i] < x)
		i++;
	slope = (t->left[i] - t->left[i - 1]) / (t->x[i] - t->x[i - 1]);
	return fmin(0.5, exp(t->left[i] + slope * (x - t->x[i]) - x * x / 2));
}
