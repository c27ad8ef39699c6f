/* law_invert.c - bounds and tails of a law by inversion of its characteristic function. */
#include <math.h>

#include "law.h"

#define NODES	20000		/* most points of one inversion */
static const double pi = 3.14159265358979323846;

struct inversion {
	double step, phi[NODES];
	int n;
};

/*
 * sin(k h) for k = 1, 2, .., h = coef step / 2, by a rotation that keeps its accuracy for tiny h.
 * E cos(t z) = 1 / (1 + sin^2(t/2) / sinh^2(1/2b)) for a discrete Laplace variable.
 */
struct wave {
	double s, c, a, b, scale, n;
};

/* (1 + x)^n */
static double
power(double x, double n)
{
	double p = 1;
	unsigned k;

	if (n > 64)		/* 1 + x would lose what n brings back */
		return exp(n * log1p(x));
	x += 1;
	for (k = (unsigned)n; k != 0; k >>= 1, x *= x)
		if (k & 1)
			p *= x;
	return p;
}

/* The waves of the Laplace terms, in *gauss the variance of the others. */
static unsigned
start_waves(const struct dp_law *l, struct wave *w, double step, double *gauss)
{
	const struct dp_law_term *t;
	const struct dp_noise *last = NULL;
	unsigned i, n = 0;
	double x = 0, h, s;

	*gauss = 0;
	for (i = 0; i < l->terms; i++) {
		t = &l->term[i];
		if (t->noise->kind == DP_NOISE_GAUSS) {
			/*
			 * Poisson summation: the neighbours of the principal term matter only for
			 * tiny sigma
			 */
			*gauss += t->n * t->coef * t->coef * dp_q_double(t->noise->param);
			continue;
		}
		if (t->noise != last) {
			x = sinh(0.5 / dp_q_double(t->noise->param));
			last = t->noise;
		}
		h = t->coef * step / 2;
		s = sin(h);
		w[n++] = (struct wave){ s, cos(h), 2 * sin(h / 2) * sin(h / 2), s,
		    1 / (x * x), t->n };
	}
	return n;
}

/* The characteristic function at the waves' next point, t. */
static double
next_phi(struct wave *w, unsigned n, double gauss, double t)
{
	double p = 1, s, c;
	unsigned i;

	for (i = 0; i < n && p < 1e30; i++)
		p *= power(w[i].s * w[i].s * w[i].scale, w[i].n);
	for (i = 0; i < n; i++) {
		s = w[i].s;
		c = w[i].c;
		w[i].c = c - (w[i].a * c + w[i].b * s);
		w[i].s = s - (w[i].a * s - w[i].b * c);
	}
	return exp(-gauss * t * t / 2) / p;
}

/* The real part of the flips' characteristic function at t. */
static double
flips_phi(const struct dp_law *l, double t)
{
	double angle = 0, logs = 0, h, p;
	unsigned i;

	for (i = 0; i < l->flips; i++) {
		p = l->flip[i].p;
		h = l->flip[i].coef * t;
		/* |1 - p + p e^(ih)|^2 = 1 - 4 p (1 - p) sin^2(h / 2) */
		logs += l->flip[i].n / 2 * log1p(-4 * p * (1 - p) * sin(h / 2) * sin(h / 2));
		angle += l->flip[i].n * (atan2(p * sin(h), 1 - p + p * cos(h)) - p * h);
	}
	return exp(logs) * cos(angle);
}

double
dp_law_wave_weight(double step, unsigned k)
{
	const double t = k * step;

	return sin(t / 2) / (t / 2) / t;
}

/*
 * Fourier coefficients of X + U wrapped to the period 2 pi / step, U uniform on a
 * width of one.  On the integer lattice the aliases of U's transform sum to
 * 1 / (2 sin(t/2)), so the integral ends at pi.
 */
static void
invert(struct inversion *v, const struct dp_law *l, double period)
{
	struct wave wave[DP_LAW_TERMS];
	bool lat = dp_law_whole(l);
	double t, f, gauss, end = lat ? pi : 2 * pi;
	unsigned waves;

	v->step = 2 * pi / period;
	if (lat)	/* an even division of [0, pi] */
		v->step = pi / ceil(pi / v->step);
	waves = start_waves(l, wave, v->step, &gauss);
	for (v->n = 0; v->n < NODES; v->n++) {
		t = (v->n + 1) * v->step;
		if (t > end * (1 + 1e-12))
			break;
		f = next_phi(wave, waves, gauss, t);
		if (l->flips != 0)
			f *= flips_phi(l, t);
		if (lat) {
			f *= 1 / (2 * sin(t / 2));
			if (t > pi * (1 - 1e-12))
				f /= 2;		/* end of the trapezoid */
		} else
			f *= dp_law_wave_weight(v->step, (unsigned)v->n + 1);
		v->phi[v->n] = f;
		if (fabs(f) * t < 1e-13 && t < 6)
			break;
	}
}

double
dp_law_wave_tail(const double *product, unsigned n, double step, double y)
{
	double sum = y / 2, sin0 = sin(y * step), sin1 = 0, twice = 2 * cos(y * step);
	double next, p;
	unsigned i;

	for (i = 0; i < n; i++) {
		sum += product[i] * sin0;
		next = twice * sin0 - sin1;
		sin1 = sin0;
		sin0 = next;
	}
	p = 1 - 2 / pi * step * sum;
	return p < 0 ? 0 : p;
}

static double
tail_at(const struct inversion *v, double y)
{
	return dp_law_wave_tail(v->phi, (unsigned)v->n, v->step, y);
}

/* Divergence of a coin of probability q from one of p, q >= p > 0. */
static double
divergence(double q, double p)
{
	return q * log(q / p) + (q < 1 ? (1 - q) * log((1 - q) / (1 - p)) : 0);
}

/*
 * n bits, each flipped with probability p = (1 - gap)/2.  A deviation from the mean by n x has
 * probability exp(-n divergence(p + x, p)) at most on either side, whichever bits are 1: for p <
 * 1/2 and s > 0 a flip F has E exp(s (p - F)) <= E exp(s (F - p)).  None passes n (1 - p).
 * Answers that are no flips (each): Hoeffding's bound.
 */
static double
response_bound(const struct dp_law *l, double gamma)
{
	const double n = l->bits, p = fmax((1 - l->gap) / 2, 0x1p-53), most = log(2 / gamma) / n;
	double lo = 0, hi = 1 - p, x;
	int i;

	if (l->each != 0)
		return ceil(sqrt(n * log(2 / gamma) / 2) / l->gap);
	for (i = 0; i < 60; i++) {
		x = (lo + hi) / 2;
		if (divergence(p + x, p) < most)
			lo = x;
		else
			hi = x;
	}
	return floor(n * hi / l->gap + 0.5);
}

/*
 * One discrete Laplace variable: P(|z| >= w + 1) = 2 q^(w+1) / (1+q); the mean of that and of P(|z|
 * >= w) is q^w.
 */
static double
single_bound(const struct dp_noise *z, bool between, double gamma)
{
	double b = dp_q_double(z->param);

	if (between)
		return ceil(b * log(1 / gamma));
	return ceil(b * log(2 / (gamma * (1 + exp(-1 / b))))) - 1;	/* a log above 0 */
}

/* P(|error| > w): law.h.  What is whole is inverted where it jumps, half way between. */
static double
beyond(const struct inversion *v, const struct dp_law *l, double w)
{
	if (!l->between)
		return tail_at(v, w + 0.5);
	return dp_law_whole(l) ? (tail_at(v, w - 0.5) + tail_at(v, w + 0.5)) / 2 : tail_at(v, w);
}

/* The most that |X| can be, of flips alone: what inversion does not find of few coarse ones. */
static double
reach(const struct dp_law *l)
{
	double sum = 0;
	unsigned i;

	for (i = 0; i < l->flips; i++)
		sum += l->flip[i].coef * l->flip[i].n * fmax(l->flip[i].p, 1 - l->flip[i].p);
	return l->terms == 0 ? sum : INFINITY;
}

double
dp_law_tail(const struct dp_law *l, double x)
{
	struct inversion v;

	if (l->full)
		return 1;
	if (l->parts != 0)
		return dp_law_parts_tail(l, x);
	if (l->terms + l->flips == 0 || x <= 0)
		return x <= 0;
	if (x - 1 >= ceil(reach(l)))
		return 0;
	invert(&v, l, x + dp_law_quick_quantile(l, 1e-13));
	return beyond(&v, l, x - 1);
}

/* Of terms and flips, several of them, where gamma is not too small. */
static double
inverted_bound(const struct dp_law *l, double round, double gamma)
{
	struct inversion v;
	double lo = -1, hi, mid;

	hi = ceil(dp_law_quick_quantile(l, gamma) + round);
	invert(&v, l, hi + 1 + dp_law_quick_quantile(l, gamma * 1e-4));
	if (v.n == NODES) {	/* too few points for so wide a law: the bound, not the quantile */
		if (l->flips == 0 && l->terms == 1 && l->term[0].n == 1 &&
		    l->term[0].noise->kind == DP_NOISE_LAPLACE)
			hi = fmin(hi, ceil(l->term[0].coef * single_bound(l->term[0].noise, false,
			    gamma) + round));
		return hi;
	}
	/* lo is no bound, hi is */
	while ((mid = dp_whole_between(lo, hi)) > lo)
		if (beyond(&v, l, mid) > gamma)
			lo = mid;
		else
			hi = mid;
	return hi + (l->flips != 0);
}

double
dp_law_bound(const struct dp_law *l, double gamma)
{
	const double round = l->between ? 0.5 : 0;	/* what it may add to |X|, at most */

	if (l->full)
		return INFINITY;
	if (l->bits > 0)
		return response_bound(l, gamma);
	if (l->parts != 0)
		return dp_law_parts_bound(l, gamma);
	if (l->terms + l->flips == 0)
		return 0;
	if (l->flips == 0 && l->terms == 1 && l->term[0].n == 1 && l->term[0].coef == 1 &&
	    l->term[0].noise->kind == DP_NOISE_LAPLACE)
		return single_bound(l->term[0].noise, l->between, gamma);
	if (gamma < 1e-9)
		return fmin(ceil(dp_law_chernoff_quantile(l, gamma) + round),
		    ceil(reach(l) + round));
	return fmin(inverted_bound(l, round, gamma), ceil(reach(l) + round));
}
