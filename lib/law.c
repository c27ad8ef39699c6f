#include <math.h>

#include "law.h"

#define NODES	20000		/* most points of one inversion */
static const double pi = 3.14159265358979323846;

void
dp_law_clear(struct dp_law *l)
{
	l->terms = 0;
	l->bits = l->gap = 0;
}

void
dp_law_add(struct dp_law *l, const struct dp_noise *z, double coef, double n)
{
	struct dp_law_term *last = l->term + l->terms - 1;

	if (z->kind == DP_NOISE_NONE || !(n > 0) || coef == 0)
		return;
	coef = fabs(coef);	/* the noise is symmetric */
	if (l->terms > 0 && last->noise == z && last->coef == coef) {
		last->n += n;
		return;
	}
	if (l->terms == DP_LAW_TERMS)
		return;
	l->term[l->terms].noise = z;
	l->term[l->terms].coef = coef;
	l->term[l->terms++].n = n;
}

double
dp_law_variance(const struct dp_law *l)
{
	double v = 0;
	unsigned i;

	if (l->bits > 0)
		return l->bits * (1 - l->gap * l->gap) / (4 * l->gap * l->gap);
	for (i = 0; i < l->terms; i++)
		v += l->term[i].n * l->term[i].coef * l->term[i].coef *
		    dp_noise_variance(l->term[i].noise);
	return v;
}

/* log E exp(s z), or +inf */
static double
log_mgf(const struct dp_noise *z, double s)
{
	double b = dp_q_double(z->param), x, y;

	if (z->kind == DP_NOISE_GAUSS)
		return s * s * b / 2;	/* CKS20: subgaussian with sigma^2 */
	if (s * b >= 1)
		return INFINITY;
	/* (cosh(1/b) - 1) / (cosh(1/b) - cosh(s)), with cosh x - 1 = 2 sinh^2(x/2) */
	x = sinh(0.5 / b);
	y = sinh(s / 2);
	return -log1p(-(y * y) / (x * x));
}

static double
cumulant(const struct dp_law *l, double s)
{
	double k = 0;
	unsigned i;

	for (i = 0; i < l->terms; i++)
		k += l->term[i].n * log_mgf(l->term[i].noise, s * l->term[i].coef);
	return k;
}

/* log E cos(t z) */
static double
log_chf(const struct dp_noise *z, double t)
{
	double b = dp_q_double(z->param), x, y;

	if (z->kind == DP_NOISE_GAUSS) {
		/* Poisson summation, the terms next to the principal one
		 * matter only for tiny sigma */
		t = remainder(t, 2 * pi);
		return -t * t * b / 2;
	}
	x = sinh(0.5 / b);
	y = sin(t / 2);
	return -log1p((y * y) / (x * x));
}

static double
chf(const struct dp_law *l, double t)
{
	double k = 0;
	unsigned i;

	for (i = 0; i < l->terms && k > -60; i++)
		k += l->term[i].n * log_chf(l->term[i].noise, t * l->term[i].coef);
	return exp(k);
}

/* Largest admissible s of the cumulant. */
static double
s_limit(const struct dp_law *l)
{
	double lim = INFINITY, s;
	unsigned i;

	for (i = 0; i < l->terms; i++) {
		if (l->term[i].noise->kind == DP_NOISE_GAUSS)
			continue;
		s = 1 / (dp_q_double(l->term[i].noise->param) * l->term[i].coef);
		if (s < lim)
			lim = s;
	}
	return lim;
}

double
dp_law_chernoff(const struct dp_law *l, double x)
{
	double lo = 0, hi = s_limit(l), a, b, v;
	int i;

	if (x <= 0)
		return 1;
	if (l->terms == 0)
		return 0;
	if (isinf(hi))
		hi = 2 * x / dp_law_variance(l);
	/* K(s) - s x is convex */
	for (i = 0; i < 100; i++) {
		a = lo + (hi - lo) * 0.382;
		b = lo + (hi - lo) * 0.618;
		if (cumulant(l, a) - a * x < cumulant(l, b) - b * x)
			hi = b;
		else
			lo = a;
	}
	v = 2 * exp(cumulant(l, lo) - lo * x);
	return v < 1 ? v : 1;
}

/* x with chernoff(x) <= gamma, to 0.1 % */
static double
chernoff_quantile(const struct dp_law *l, double gamma)
{
	double lo = 0, hi = sqrt(dp_law_variance(l)) + 1, mid;

	while (dp_law_chernoff(l, hi) > gamma) {
		lo = hi;
		hi *= 2;
	}
	while (hi - lo > 1e-3 * hi) {
		mid = (lo + hi) / 2;
		if (dp_law_chernoff(l, mid) > gamma)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}

static bool
lattice(const struct dp_law *l)
{
	unsigned i;

	for (i = 0; i < l->terms; i++)
		if (l->term[i].coef != floor(l->term[i].coef))
			return false;
	return true;
}

struct inversion {
	double step, phi[NODES];
	int n;
};

/*
 * Fourier coefficients of X + U wrapped to the period 2 pi / step, U uniform on a
 * width of one.  On the integer lattice the aliases of U's transform sum to
 * 1 / (2 sin(t/2)), so the integral ends at pi.
 */
static void
invert(struct inversion *v, const struct dp_law *l, double period)
{
	bool lat = lattice(l);
	double t, f;

	v->step = 2 * pi / period;
	if (lat)	/* an even division of [0, pi] */
		v->step = pi / ceil(pi / v->step);
	for (v->n = 0; v->n < NODES; v->n++) {
		t = (v->n + 1) * v->step;
		if (t > (lat ? pi : 2 * pi) * (1 + 1e-12))
			break;
		f = chf(l, t);
		if (lat) {
			f *= 1 / (2 * sin(t / 2));
			if (t > pi * (1 - 1e-12))
				f /= 2;		/* end of the trapezoid */
		} else
			f *= sin(t / 2) / (t / 2) / t;
		v->phi[v->n] = f;
		if (f * t < 1e-13)
			break;
	}
}

/* P(|X + U| > y) */
static double
tail_at(const struct inversion *v, double y)
{
	double sum = y / 2, p;
	int i;

	for (i = 0; i < v->n; i++)
		sum += v->phi[i] * sin(y * (i + 1) * v->step);
	p = 1 - 2 / pi * v->step * sum;
	return p < 0 ? 0 : p;
}

static double
response_bound(const struct dp_law *l, double gamma)
{
	return ceil(sqrt(l->bits * log(2 / gamma) / 2) / l->gap);
}

double
dp_law_tail(const struct dp_law *l, double x)
{
	struct inversion v;

	if (l->terms == 0 || x <= 0)
		return x <= 0;
	invert(&v, l, x + chernoff_quantile(l, 1e-13));
	return tail_at(&v, x - 0.5);
}

double
dp_law_bound(const struct dp_law *l, double gamma)
{
	struct inversion v;
	double lo = -1, hi, mid;

	if (l->bits > 0)
		return response_bound(l, gamma);
	if (l->terms == 0)
		return 0;
	hi = ceil(chernoff_quantile(l, gamma));
	if (gamma < 1e-9)
		return hi;
	invert(&v, l, hi + 1 + chernoff_quantile(l, gamma * 1e-4));
	/* tail(lo + 1/2) > gamma >= tail(hi + 1/2) */
	while (hi - lo > 1) {
		mid = floor((lo + hi) / 2);
		if (tail_at(&v, mid + 0.5) > gamma)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}
