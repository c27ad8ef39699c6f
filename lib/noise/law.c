#include <math.h>

#include "law.h"

#define NODES	20000		/* most points of one inversion */
static const double pi = 3.14159265358979323846;

void
dp_law_clear(struct dp_law *l)
{
	l->terms = l->flips = l->parts = 0;
	l->full = l->blind = l->between = false;
	l->bits = l->gap = l->each = l->guess = 0;
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
	if (l->terms == DP_LAW_TERMS) {
		l->full = true;
		return;
	}
	l->term[l->terms].noise = z;
	l->term[l->terms].coef = coef;
	l->term[l->terms++].n = n;
}

void
dp_law_flip(struct dp_law *l, double coef, double n, double p)
{
	if (!(n > 0))
		return;
	if (l->flips == DP_LAW_FLIPS)
		l->full = true;
	else
		l->flip[l->flips++] = (struct dp_law_flip){ coef, n, p };
}

void
dp_law_part(struct dp_law *l, const struct dp_law_part *part)
{
	if (!(part->variance > 0))
		return;
	if (l->parts == DP_LAW_PARTS)
		l->full = true;
	else
		l->part[l->parts++] = *part;
}

double
dp_law_variance(const struct dp_law *l)
{
	double v = 0, one = 0;
	unsigned i;

	if (l->full)
		return INFINITY;
	if (l->bits > 0)
		return l->bits * (l->each != 0 ? l->each :
		    (1 - l->gap * l->gap) / (4 * l->gap * l->gap));
	for (i = 0; i < l->flips; i++)
		v += l->flip[i].n * l->flip[i].coef * l->flip[i].coef * l->flip[i].p *
		    (1 - l->flip[i].p);
	for (i = 0; i < l->parts; i++)
		v += l->part[i].variance;
	for (i = 0; i < l->terms; i++) {
		if (i == 0 || l->term[i].noise != l->term[i - 1].noise)
			one = dp_noise_variance(l->term[i].noise);
		v += l->term[i].n * l->term[i].coef * l->term[i].coef * one;
	}
	return v;
}

/* log E exp(s z) for s >= 0, or what is at most 1 % above it; or +inf */
static double
log_mgf(const struct dp_noise *z, double s)
{
	double b = dp_q_double(z->param), x, y;

	if (z->kind == DP_NOISE_GAUSS)
		return s * s * b / 2;	/* CKS20: subgaussian with sigma^2 */
	if (s * b >= 1)
		return INFINITY;
	/* (cosh(1/b) - 1) / (cosh(1/b) - cosh(s)), with cosh x - 1 = 2 sinh^2(x/2) */
	x = 0.5 / b;
	y = s / 2;
	if (y < 0.1 && x < 0.17) {	/* most terms, at no cost: a bound a little above */
		y *= y * (1 + 0.35 * y * y);	/* sinh^2 y < y^2 + 0.35 y^4 */
		y /= x * x;			/* sinh x > x */
		if (y < 0.01)
			return y / (1 - y);	/* > -log(1 - y) */
	}
	x = sinh(0.5 / b);
	y = sinh(s / 2);
	return -log1p(-(y * y) / (x * x));
}

/*
 * log E exp(s x) of a bit that is 1 with probability p, less its mean, for the worse sign of s:
 * that is where p is below a half.
 */
static double
log_mgf_bit(double p, double s)
{
	p = p < 0.5 ? p : 1 - p;
	if (s > 30)		/* exp(s) may not fit */
		return s + log(p + (1 - p) * exp(-s)) - s * p;
	return log1p(p * expm1(s)) - s * p;
}

static double
cumulant(const struct dp_law *l, double s)
{
	double k = 0;
	unsigned i;

	if (l->parts != 0)
		return INFINITY;
	for (i = 0; i < l->flips; i++)
		k += l->flip[i].n * log_mgf_bit(l->flip[i].p, s * l->flip[i].coef);
	for (i = 0; i < l->terms; i++)
		k += l->term[i].n * log_mgf(l->term[i].noise, s * l->term[i].coef);
	return k;
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

	if (x <= 0 || l->full)
		return 1;
	if (l->terms + l->flips == 0)
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

/*
 * Some x with P(|X| > x) <= gamma, from one point of the cumulant: near the Gaussian choice, inside
 * its domain.
 */
static double
quick_quantile(const struct dp_law *l, double gamma)
{
	double s = sqrt(2 * log(2 / gamma) / dp_law_variance(l)), most = 0.75 * s_limit(l);

	if (s > most)
		s = most;
	return (cumulant(l, s) + log(2 / gamma)) / s;
}

bool
dp_law_whole(const struct dp_law *l)
{
	unsigned i;

	if (l->flips != 0)
		return false;
	for (i = 0; i < l->parts; i++)
		if (!l->part[i].whole)
			return false;
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

void
dp_law_waves(const struct dp_law *l, double step, unsigned n, double *phi)
{
	struct wave wave[DP_LAW_TERMS];
	double gauss;
	unsigned i, waves = start_waves(l, wave, step, &gauss);

	for (i = 0; i < n; i++)
		phi[i] = next_phi(wave, waves, gauss, (i + 1) * step);
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

static double
response_bound(const struct dp_law *l, double gamma)
{
	return ceil(sqrt(l->bits * log(2 / gamma) / 2) / l->gap);
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
	invert(&v, l, x + quick_quantile(l, 1e-13));
	return beyond(&v, l, x - 1);
}

/* Of terms and flips, several of them, where gamma is not too small. */
static double
inverted_bound(const struct dp_law *l, double round, double gamma)
{
	struct inversion v;
	double lo = -1, hi, mid;

	hi = ceil(quick_quantile(l, gamma) + round);
	invert(&v, l, hi + 1 + quick_quantile(l, gamma * 1e-4));
	if (v.n == NODES)	/* too few points for so wide a law: the bound, not the quantile */
		return hi;
	/* lo is no bound, hi is */
	while (hi - lo > 1) {
		mid = floor((lo + hi) / 2);
		if (beyond(&v, l, mid) > gamma)
			lo = mid;
		else
			hi = mid;
	}
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
		return fmin(ceil(chernoff_quantile(l, gamma) + round),
		    ceil(reach(l) + round));
	return fmin(inverted_bound(l, round, gamma), ceil(reach(l) + round));
}

double
dp_noise_tail(const struct dp_noise *z, double w)
{
	double v, mass = 1, out = 0, k, p;

	if (z->kind == DP_NOISE_NONE)
		return 0;
	v = dp_q_double(z->param);
	if (z->kind == DP_NOISE_LAPLACE)
		return 2 * exp(-(w + 1) / v) / (1 + exp(-1 / v));
	if (v >= 16)
		return erfc((w + 0.5) / sqrt(2 * v));
	for (k = 1; (p = 2 * exp(-k * k / (2 * v))) > 0; k++) {
		mass += p;
		out += k > w ? p : 0;
	}
	return out / mass;
}

double
dp_noise_width(const struct dp_noise *z, double p)
{
	double lo = -1, hi = 0, mid;

	for (; dp_noise_tail(z, hi) > p; hi = 2 * hi + 1)
		lo = hi;
	while (hi - lo > 1) {
		mid = floor((lo + hi) / 2);
		if (dp_noise_tail(z, mid) > p)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}
