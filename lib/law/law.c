/* SPDX-License-Identifier: ISC */
/* law.c - what a law is made of, its bounds and its tails. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "internal.h"
#include "law.h"

static double parts_tail(const struct dp_law *, double x);
static double dp_law_parts_bound(const struct dp_law *, double gamma);

/* What a law is made of; and the tails of one draw. */

void
dp_law_clear(struct dp_law *l)
{
	l->terms = l->flips = l->parts = 0;
	l->full = l->blind = l->between = false;
	l->bits = l->gap = l->each = 0;
	l->memo = NULL;
}

void
dp_law_memo_clear(struct dp_law_memo *memo)
{
	memo->guess = memo->gamma = memo->far = memo->n = 0;
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

/* True: X is one draw of Laplace noise, times its coefficient. */
static bool
is_laplace(const struct dp_law *l)
{
	return l->flips == 0 && l->terms == 1 && l->term[0].n == 1 &&
	    l->term[0].noise->kind == DP_NOISE_LAPLACE;
}

/* True: X is whole, as all coefficients are and there are no flips. */
static bool
law_whole(const struct dp_law *l)
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

/* P(|z| > w) */
static double
noise_tail(const struct dp_noise *z, double w)
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

	for (; noise_tail(z, hi) > p; hi = 2 * hi + 1)
		lo = hi;
	while ((mid = dp_whole_between(lo, hi)) > lo)
		if (noise_tail(z, mid) > p)
			lo = mid;
		else
			hi = mid;
	return hi;
}

/* The least s > 0 with some term's cumulant infinite; INFINITY: there is none. */
static double
law_pole(const struct dp_law *l)
{
	double least = INFINITY, s;
	unsigned i;

	for (i = 0; i < l->terms; i++) {
		if (l->term[i].noise->kind == DP_NOISE_GAUSS)
			continue;
		s = 1 / (dp_q_double(l->term[i].noise->param) * l->term[i].coef);
		least = s < least ? s : least;
	}
	return least;
}

/* The law of a sum of independent variables of one law, each times a number. */

void
dp_law_mix(struct dp_law *l, const struct dp_law *of, const double *coef, unsigned n)
{
	unsigned i, j;
	double c;

	dp_law_clear(l);
	l->between = true;
	l->full = of->full || of->bits > 0 || of->flips != 0;
	for (i = 0; i < n; i++) {
		c = fabs(coef[i]);
		for (j = 0; j < of->parts; j++)
			dp_law_part(l, &(struct dp_law_part){
			    .variance = c * c * of->part[j].variance });
		for (j = 0; j < of->terms; j++)
			dp_law_add(l, of->term[j].noise, c * of->term[j].coef, of->term[j].n);
	}
}

bool
dp_law_times(struct dp_law *l, unsigned n)
{
	const unsigned parts = l->parts;
	unsigned i, k;

	if (l->bits > 0 || l->flips != 0)
		return false;
	for (k = 1; k < n && n * parts <= DP_LAW_PARTS; k++)
		for (i = 0; i < parts; i++)
			dp_law_part(l, &l->part[i]);
	for (i = 0; i < parts && n * parts > DP_LAW_PARTS; i++)
		l->part[i] = (struct dp_law_part){ .variance = n * l->part[i].variance,
		    .whole = l->part[i].whole };
	for (i = 0; i < l->terms; i++)
		l->term[i].n *= n;
	return true;
}

/* How far the end of an interval is from its estimate. */
static double
beyond(dp_wide end, dp_wide est)
{
	return end > est ? (double)(end - est) : 0;
}

/* No farther than what is estimated can be. */
static void
within(const struct dp_law_range *v, dp_wide *x)
{
	if (v->least != DP_NONE && *x < v->least)
		*x = v->least;
	if (v->most != DP_NONE && *x > v->most)
		*x = v->most;
}

/* Of two distances; cut: one of them ends where values do, and says nothing of what is beyond. */
static double
both(double a, double b, bool cut)
{
	return cut ? a + b : hypot(a, b);
}

void
dp_law_difference(const struct dp_law_range *q, const struct dp_law_range *p,
    struct dp_law_range *out)
{
	const bool none = q->est == DP_NONE || p->est == DP_NONE;
	double below, above;

	*out = (struct dp_law_range){ none ? DP_NONE : q->est - p->est, q->lo - p->hi,
	    q->hi - p->lo, DP_NONE, DP_NONE, none || q->box || p->box };
	if (!out->box) {
		below = both(beyond(q->est, q->lo), beyond(p->hi, p->est), q->lo == q->least ||
		    p->hi == p->most);
		above = both(beyond(q->hi, q->est), beyond(p->est, p->lo), q->hi == q->most ||
		    p->lo == p->least);
		out->lo = out->est - (dp_wide)ceil(below);
		out->hi = out->est + (dp_wide)ceil(above);
	}
	if (q->least != DP_NONE && p->most != DP_NONE)
		out->least = q->least - p->most;
	if (q->most != DP_NONE && p->least != DP_NONE)
		out->most = q->most - p->least;
	within(out, &out->lo);
	within(out, &out->hi);
	if (!none)
		within(out, &out->est);
}

/* Rigorous bounds of a law, from its cumulants. */

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

/* For the worse sign of s; INFINITY: with parts, too. */
static double
cumulant(const struct dp_law *l, double s)
{
	double k = dp_law_cumulant(l, s);
	unsigned i;

	for (i = 0; i < l->flips; i++)
		k += l->flip[i].n * log_mgf_bit(l->flip[i].p, s * l->flip[i].coef);
	return k;
}

double
dp_law_chernoff(const struct dp_law *l, double x)
{
	double lo = 0, hi = law_pole(l), a, b, v;
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

/* The least x with dp_law_chernoff(x) <= gamma, to 0.1 %. */
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
 * Some x with P(|X| > x) <= gamma, at once, from one point of the cumulant: near the Gaussian
 * choice, inside its domain.
 */
static double
quick_quantile(const struct dp_law *l, double gamma)
{
	double s = sqrt(2 * log(2 / gamma) / dp_law_variance(l)), most = 0.75 * law_pole(l);

	if (s > most)
		s = most;
	return (cumulant(l, s) + log(2 / gamma)) / s;
}

/* Bounds and tails of a law by inversion of its characteristic function. */

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

/*
 * Discrete Gaussians whose law is not that of a normal variable that is rounded.  Of more variance
 * Poisson's summation has next to nothing beside its principal term; and what has another
 * coefficient is on a grid that is fine, or stands for a sum of many (counter/blt.c).
 */
static bool
grainy(const struct dp_law_term *t)
{
	return t->noise->kind == DP_NOISE_GAUSS && t->coef == 1 && dp_q_double(t->noise->param) < 6;
}

static bool
any_grainy(const struct dp_law *l)
{
	unsigned i;

	for (i = 0; i < l->terms; i++)
		if (grainy(&l->term[i]))
			return true;
	return false;
}

/* Their characteristic function */
static double
grains_phi(const struct dp_law *l, double t)
{
	double phi = 1, sum, mass, v, k, p;
	unsigned i;

	for (i = 0; i < l->terms; i++) {
		if (!grainy(&l->term[i]))
			continue;
		v = dp_q_double(l->term[i].noise->param);
		sum = mass = 1;
		for (k = 1; (p = 2 * exp(-k * k / (2 * v))) > DBL_EPSILON / 8; k++) {
			sum += p * cos(k * t);
			mass += p;
		}
		phi *= pow(sum / mass, l->term[i].n);
	}
	return phi;
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
			if (!grainy(t))
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
 * How far the integral goes, in periods of what is whole.  Few rare draws with coefficients that
 * are not whole have a characteristic function that hardly falls, and what is beyond the end is
 * missing from their tails at whole numbers: at E = 5 and a half-life of one step nothing was left
 * of .0069.
 */
static double
periods(const struct dp_law *l)
{
	const double v = dp_law_variance(l);

	return l->flips != 0 || v >= 9 ? 1 : v >= 1.5 ? 8 : 32;
}

#define SHARP	41	/* exp(-SHARP / 2) is next to nothing */

/*
 * Fourier coefficients of X + U wrapped to the period 2 pi / step, U uniform on a
 * width of one.  On the integer lattice the aliases of U's transform sum to
 * 1 / (2 sin(t/2)), so the integral ends at pi.  Where it ends later than at 2 pi it is that of
 * X + U + Z, Z Gaussian and narrow: tails at whole numbers are too large, by 2 % at most.
 */
static void
invert(struct inversion *v, const struct dp_law *l, double period)
{
	struct wave wave[DP_LAW_TERMS];
	const bool lat = law_whole(l), grains = any_grainy(l);
	const double end = lat ? pi : 2 * pi * periods(l);
	double t, f, gauss;
	unsigned waves;

	v->step = 2 * pi / period;
	if (lat)	/* an even division of [0, pi] */
		v->step = pi / ceil(pi / v->step);
	waves = start_waves(l, wave, v->step, &gauss);
	gauss += end > 2 * pi ? SHARP / (end * end) : 0;
	for (v->n = 0; v->n < NODES; v->n++) {
		t = (v->n + 1) * v->step;
		if (t > end * (1 + 1e-12))
			break;
		f = next_phi(wave, waves, gauss, t);
		if (grains)
			f *= grains_phi(l, t);
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
beyond_invert(const struct inversion *v, const struct dp_law *l, double w)
{
	if (!l->between)
		return tail_at(v, w + 0.5);
	return law_whole(l) ? (tail_at(v, w - 0.5) + tail_at(v, w + 0.5)) / 2 : tail_at(v, w);
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
		return parts_tail(l, x);
	if (l->terms + l->flips == 0 || x <= 0)
		return x <= 0;
	if (x - 1 >= ceil(reach(l)))
		return 0;
	invert(&v, l, x + quick_quantile(l, 1e-13));
	return beyond_invert(&v, l, x - 1);
}

/* Of terms and flips, several of them, where gamma is not too small. */
static double
inverted_bound(const struct dp_law *l, double round, double gamma)
{
	struct inversion v;
	double lo = -1, hi, mid;

	hi = ceil(quick_quantile(l, gamma) + round);
	invert(&v, l, hi + 1 + quick_quantile(l, gamma * 1e-4));
	if (v.n == NODES) {	/* too few points for so wide a law: the bound, not the quantile */
		if (is_laplace(l))
			hi = fmin(hi, ceil(l->term[0].coef * single_bound(l->term[0].noise, false,
			    gamma) + round));
		return hi;
	}
	/* lo is no bound, hi is */
	while ((mid = dp_whole_between(lo, hi)) > lo)
		if (beyond_invert(&v, l, mid) > gamma)
			lo = mid;
		else
			hi = mid;
	return hi + (l->flips != 0);
}

/* The largest number that divides all coefficients, or 1. */
static double
common_factor(const struct dp_law *l)
{
	double g = 0, a, rest;
	unsigned i;

	for (i = 0; i < l->terms; i++)
		for (a = l->term[i].coef; a != 0; a = rest) {
			rest = fmod(g, a);
			g = a;
		}
	return l->between || l->flips != 0 || g != floor(g) || g < 1 ? 1 : g;
}

double
dp_law_bound(const struct dp_law *l, double gamma)
{
	const double round = l->between ? 0.5 : 0;	/* what it may add to |X|, at most */
	struct dp_law apart;
	unsigned i;
	double g;

	if (l->full)
		return INFINITY;
	if (l->bits > 0)
		return response_bound(l, gamma);
	if (l->parts != 0)
		return dp_law_parts_bound(l, gamma);
	if (l->terms + l->flips == 0)
		return 0;
	if ((g = common_factor(l)) != 1) {
		for (apart = *l, i = 0; i < l->terms; i++)
			apart.term[i].coef /= g;
		return g * dp_law_bound(&apart, gamma);
	}
	if (is_laplace(l) && l->term[0].coef == 1)
		return single_bound(l->term[0].noise, l->between, gamma);
	if (gamma < 1e-9)
		return fmin(ceil(chernoff_quantile(l, gamma) + round),
		    ceil(reach(l) + round));
	return fmin(inverted_bound(l, round, gamma), ceil(reach(l) + round));
}

void
dp_law_beyond(const struct dp_law *l, double step, unsigned n, double *p)
{
	const bool one = is_laplace(l) && !l->between;
	struct inversion v;
	unsigned k;

	for (k = 0; one && k < n; k++)
		p[k] = noise_tail(l->term[0].noise, floor(k * step / l->term[0].coef));
	if (one)
		return;
	invert(&v, l, (n - 1) * step + 1 + quick_quantile(l, 1e-13));
	for (k = 0; k < n; k++)
		p[k] = v.n == NODES ? dp_law_chernoff(l, k * step + 1) :
		    beyond_invert(&v, l, k * step);
}

/* One-sided tails of a law to a few per cent of themselves, however small. */

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
	double lo = 0, hi = law_pole(l), s, next;
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
	return l->parts != 0 || s >= law_pole(l) ? INFINITY : cumulants(l, s).k;
}

/* Lugannani and Rice, of y = K'(s), on a lattice of the given width. */
static double
tail_saddle(const struct cumulants *c, double s, double y, double width)
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
	return tail_saddle(&c, s, y, 1);
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

/*
 * Bounds of laws with parts: by inversion of the characteristic function where all
 * know it, else by the variance alone.
 *
 * The inversion is that of law.c.  On a lattice all points of a period give P(|X| > y)
 * exactly half way between its numbers.  Where these are grains of several units the law is one of
 * nearly X's form: the tail between them is found by interpolation of its logarithm, and drawn out
 * by as much as the variance is off, with a little of gamma for what is off besides: measured, not
 * proved (t_normtree_bounds.c).
 *
 * No lattice: P(|X + U| > w), U uniform on a width of one.
 *
 * Terms left out count against us: measured().  Where that is beyond what doubles tell, or what
 * a lattice's points tell of a law of reals, a tail goes on from rarer to rarer as it did before:
 * beyond_far().
 *
 * By the variance: the worst that a symmetric log-concave law can have, one unit more.  That a norm
 * tree's law is log-concave is measured, not proved (t_normtree_wave.c: so it is wherever a value
 * has a probability above 10^-14); the unit is for what that leaves open.  The inversion needs it
 * for nothing but what it leaves out, some 10^-3 of gamma.
 */

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

/*
 * The largest y with P(|x| > y) = gamma of any symmetric log-concave law of variance 1; and the
 * gamma of a y.
 */
static double
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

#define ROUNDED	1e-13	/* what doubles may hide of a probability */
#define NEAR	1e-6		/* a tail_parts that is known, and a rare one, for what is rarer */
#define FAR	1e-11
#define FAR_REAL	1e-8	/* and of a law on a lattice whose numbers are not whole */
#define SMALL	0x1p-28		/* the rarest of the points of a tail_parts, */
#define STRIDE	0.25		/* and how far they are apart without grains, standard deviations */
#define ENOUGH	20	/* what is not known is so small a part of gamma */
#define ROUGH	0x1p-8	/* and so much of gamma is for a law of nearly equal form; */
#define CLOSE	1e-5	/* a step of Newton's so short is the last */
#define TIED	1e-7	/* of a logarithm: what that leaves, at most */
#define WINDOW	6	/* tails that a cubic is made of */
#define ABREAST	4	/* numbers of a dp_four */
#define LEFT	3	/* a tail_parts is asked for at no y below -LEFT */
#define TAILS	6	/* more where -log(gamma) is larger: so much farther out that shows */

/*
 * The standard deviation of a law on the reals that falls no faster: on whole numbers the one that
 * falls by e^-a a unit has the variance 1 / (2 sinh^2(a/2)), on the reals 2 / a^2, which is more.
 */
double
dp_law_spread(double variance)
{
	return M_SQRT1_2 / asinh(1 / sqrt(2 * variance));
}

/* The characteristic function, as it is, at points that the last part chooses; 0 after them. */
static bool
ask(const struct dp_law *l, double gamma, struct dp_law_wave *v)
{
	unsigned i;

	v->gamma = gamma;
	v->sigma = sqrt(dp_law_variance(l));
	v->step = v->grain = v->variance = v->n = 0;
	v->off = ROUNDED;
	for (i = l->parts; i-- > 0;)
		if (l->part[i].waves == NULL || !l->part[i].waves(&l->part[i], v))
			return false;
	for (i = v->n; i % ABREAST != 0; i++)
		v->phi[i] = 0;
	return l->terms + l->flips == 0;
}

/*
 * Largest value to measure of a tail at y that is to be gamma.  What lies beyond the period less y
 * is wrapped around, and missing from the inversion, c: no more than the widest law has there; and
 * with F(y) = P(|X| > y), which is log-concave, F(r y) <= F(y)^r, so F(y) <= c + F(y)^r for r =
 * period / y - 1, and F(y) is less than the widest law has.
 */
static double
measured(double gamma, double period, double y, double deviation)
{
	const double r = period / y - 1, most = dp_law_widest_tail(y / deviation);
	const double c = dp_law_widest_tail((period - y) / deviation);

	return r <= 1 ? 0 : fmax(gamma - c, gamma * (1 - pow(fmin(most, 1), r - 1)));
}

/* ---- on a lattice ---- */

/* A tail as the sum of the points times a row of weights: they depend on n and y alone. */
static void
set_row(struct dp_law_memo *memo, unsigned n, int y, double *row)
{
	const double angle = (y + .5) * M_PI / n, twice = 2 * cos(angle);
	double sin0 = sin(angle), sin1 = 0, next;
	unsigned k;

	for (k = 0; k < n; k++) {
		row[k] = memo->weight[k] * sin0;
		next = twice * sin0 - sin1;
		sin1 = sin0;
		sin0 = next;
	}
	for (; k % ABREAST != 0; k++)
		row[k] = 0;
}

/* The rows of `some' y from the first on; it is at least -LEFT. */
static void
find_rows(struct dp_law_memo *memo, unsigned n, int first, unsigned some, const double **row)
{
	unsigned i, k, at;

	if (memo->n != n) {
		memset(memo->of, 0, sizeof memo->of);
		for (k = 1; k <= n; k++)
			memo->weight[k - 1] = 1 / (2 * sin(k * M_PI / 2 / n) * (k == n ? 2 : 1));
		memo->n = n;
	}
	for (i = 0; i < some; i++) {
		k = (unsigned)(first + LEFT) + i;
		at = k % DP_LAW_ROWS;
		if (memo->of[at] != k + 1)
			set_row(memo, n, (int)k - LEFT, memo->row[at]);
		memo->of[at] = k + 1;
		row[i] = memo->row[at];
	}
}

/* The sum of each row's products with the points. */
DP_VECTORS static void
add_up(const double *const *row, unsigned rows, const double *phi, unsigned n, double *to)
{
	unsigned i, k;
	dp_four sum;

	for (i = 0; i < rows; i++) {
		sum = (dp_four){ 0 };
		for (k = 0; k < n; k += ABREAST)
			sum += *(const dp_four *)(row[i] + k) * *(const dp_four *)(phi + k);
		to[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
	}
}

/*
 * P(|X| > y + 1/2), y whole, in grains, of `some' y from the first on; below 0 what |X| does not
 * reach counts again.
 */
static void
tails(struct dp_law_memo *memo, const struct dp_law_wave *v, double first, unsigned some,
    double *to)
{
	const double *row[WINDOW], by = 2. / v->n;
	unsigned i;
	double p;

	find_rows(memo, v->n, (int)first, some, row);
	add_up(row, some, v->phi, v->n, to);
	for (i = 0; i < some; i++) {
		p = 1 - by * ((first + i + .5) / 2 + to[i]);
		to[i] = p < 0 ? 0 : p;
	}
}

static double
tail_parts(struct dp_law_memo *memo, const struct dp_law_wave *v, double y)
{
	double p;

	tails(memo, v, y, 1, &p);
	return p;
}

/*
 * The least y >= 0, whole, with at most gamma, near a guess; and the tails at y - 3, .., y + 2.
 */
static double
least(struct dp_law_memo *memo, const struct dp_law_wave *v, double guess, double gamma,
    double *at)
{
	const double end = v->n;
	double y = guess > 0 ? fmin(floor(guess), end) : 0;

	tails(memo, v, y - LEFT, WINDOW, at);
	while (y < end && at[3] > gamma) {
		memmove(at, at + 1, (WINDOW - 1) * sizeof *at);
		at[WINDOW - 1] = tail_parts(memo, v, ++y + 2);
	}
	while (y > 0 && at[2] <= gamma) {
		memmove(at + 1, at, (WINDOW - 1) * sizeof *at);
		at[0] = tail_parts(memo, v, --y - LEFT);
	}
	return y;
}

/* The logarithm of a tail of reals, a cubic between its values at from - 1/2, .., from + 5/2. */
struct cubic {
	double from, c[4];	/* of x - from - 1/2 */
};

/*
 * The tail near y of a law of reals that has the lattice's points: where it falls by e^-a a grain
 * that of the lattice is a / (2 sinh(a/2)) of it, half way between two grains.
 */
static void
set_cubic(struct cubic *c, double y, const double *at)
{
	double raw[WINDOW], f[4], a;
	int i;

	for (i = 0; i < WINDOW; i++)
		raw[i] = log(at[i] > ROUNDED ? at[i] : ROUNDED);
	for (i = 0; i < 4; i++) {
		a = (raw[i] - raw[i + 2]) / 2;
		f[i] = raw[i + 1] + a * a / 24;
	}
	c->from = y - 1;
	c->c[0] = f[1];
	c->c[2] = (f[0] - 2 * f[1] + f[2]) / 2;
	c->c[3] = (f[3] - 3 * f[2] + 3 * f[1] - f[0]) / 6;
	c->c[1] = f[2] - f[1] - c->c[2] - c->c[3];
}

/* Place where it is log(gamma): Newton's steps from `near' on. */
static double
solve_parts(const struct cubic *q, double gamma, double near)
{
	const double *c = q->c, to = c[0] - log(gamma);
	double x = near - q->from - .5, by = 1;
	unsigned i;

	for (i = 0; i < 5 && fabs(by) > CLOSE; i++) {
		by = (to + x * (c[1] + x * (c[2] + x * c[3]))) / (c[1] + x * (2 * c[2] +
		    3 * x * c[3]));
		x -= by;
	}
	return q->from + .5 + x;
}

static double
cubic(const struct cubic *q, double y)
{
	const double x = y - q->from - .5, *c = q->c;

	return c[0] + x * (c[1] + x * (c[2] + x * c[3]));
}

/*
 * The bound that rough_bound() finds, or NAN where it has to look closer: w if both the place where
 * the tail is gamma and that where it is measured() as gamma lie between w - 1 + up and w + up.  Of
 * dp_law_spread() asinh(x) >= x - x^3 / 6 serves, and of gamma less c log(1 - c) >= -c - c^2.
 */
static double
sure_bound(struct dp_law_memo *memo, const struct cubic *c, const struct dp_law_wave *v,
    double variance, double scale, double up, double gamma)
{
	const double most = sqrt(variance) / (1 - 1 / (12 * variance));
	const double to = log(gamma), x = (c->c[0] - to) / -(c->c[1] + c->c[2] + c->c[3]);
	const double w = ceil((c->from + .5 + x) * scale - up);
	const double high = (w + up) / scale, low = high - 1 / scale;
	const double z = (2. * v->n - high) * scale / most;
	double lost;

	if (!(variance >= 1 && low > c->from - .5 && high < c->from + 2.5))
		return NAN;
	if (!(z >= memo->far && z <= 1.1 * memo->far)) {
		memo->far = .95 * z;
		memo->beyond = dp_law_widest_tail(memo->far);
	}
	lost = memo->beyond / gamma;
	return lost < .5 && cubic(c, low) > to + TIED && cubic(c, high) < to - lost * (1 + lost) -
	    TIED ? w : NAN;
}

/* Of a law that is known in grains. */
static double
rough_bound(const struct dp_law *l, struct dp_law_memo *memo, const struct dp_law_wave *v,
    double gamma)
{
	const double variance = dp_law_variance(l) + (l->between ? 1. / 12 : 0);
	const double scale = v->grain * sqrt(variance / v->variance), rare = -log(gamma);
	double at[WINDOW], y, sure;
	struct cubic c;

	gamma *= 1 - ROUGH * fmax(fmin(rare, 1), rare / TAILS);
	y = least(memo, v, memo->guess / scale, gamma, at);
	if (y + 3 > v->n)
		return NAN;
	set_cubic(&c, y, at);
	sure = sure_bound(memo, &c, v, variance, scale, l->between ? 0 : .5, gamma);
	if (!isnan(sure))
		return sure;
	y = solve_parts(&c, gamma, y);
	gamma = measured(gamma, 2. * v->n, y, dp_law_spread(variance) / scale);
	if (!(gamma > 0))
		return NAN;
	y = solve_parts(&c, gamma, y) * scale;
	return ceil(l->between ? y : y - .5);
}

/* Of a law whose numbers are the lattice's.  No bound is 0. */
static double
exact_bound(const struct dp_law *l, struct dp_law_memo *memo, const struct dp_law_wave *v,
    double gamma)
{
	double at[WINDOW], w = fmax(least(memo, v, memo->guess, gamma, at), 1);

	gamma = measured(gamma, 2. * v->n, w + .5, dp_law_spread(v->variance));
	w = fmax(least(memo, v, w, gamma, at), 1);
	if (w >= v->n)	/* gamma is 0, or next to nothing */
		return NAN;
	return l->between && (tail_parts(memo, v, w) + tail_parts(memo, v, w - 1)) / 2 > gamma ? w +
	    1 : w;
}

static double
lattice_bound(const struct dp_law *l, struct dp_law_memo *memo, double gamma,
    const struct dp_law_wave *v)
{
	const bool whole = law_whole(l);

	if (v->off > gamma / ENOUGH || (!whole && gamma < FAR_REAL))
		return NAN;
	gamma -= v->off;
	return v->grain > 1 || !whole ? rough_bound(l, memo, v, gamma) :
	    exact_bound(l, memo, v, gamma);
}

/* ---- no lattice ---- */

static void
weigh(struct dp_law_wave *v)
{
	unsigned i;

	for (i = 1; i <= v->n; i++)
		v->phi[i - 1] *= dp_law_wave_weight(v->step, i);
}

/* Points beyond the last weigh less than it does, times their number before it. */
static double
beyond_parts(const struct dp_law_wave *v)
{
	return 2 / M_PI * v->step * v->n * fabs(v->phi[v->n - 1]);
}

/*
 * Points that are enough for gamma: else those of X + Z, Z Gaussian and so wide that next to
 * nothing is beyond the last one: as X + U is symmetric and unimodal, |X + U + Z| > y is no less
 * probable than |X + U| > y (Anderson 1955).
 */
static bool
smooth(struct dp_law_wave *v, double gamma)
{
	const double end = v->n * v->step;
	unsigned i;
	double z;

	weigh(v);
	z = 2 * log(fmax(2 * ENOUGH * (beyond_parts(v) + v->off) / gamma, 1)) / (end * end);
	for (i = 1; i <= v->n && z > 0; i++)
		v->phi[i - 1] *= exp(-z * (i * v->step) * (i * v->step) / 2);
	v->off += beyond_parts(v);
	v->variance += z;
	return v->off < gamma / ENOUGH;
}

/* True: P(|X + U| > w) <= gamma. */
static bool
holds(const struct dp_law_wave *v, double w, double gamma)
{
	return w > 0 && dp_law_wave_tail(v->phi, v->n, v->step, w) + v->off <= measured(gamma,
	    2 * M_PI / v->step, w, dp_law_spread(v->variance));
}

static double
other_bound(const struct dp_law *l, double guess, double gamma, struct dp_law_wave *v)
{
	const double variance = dp_law_variance(l);
	double lo = -1, hi, mid = guess, by = 1;

	v->step *= sqrt(v->variance / variance);
	v->variance = variance;
	hi = floor(2 * M_PI / v->step / 2.2);
	if (!smooth(v, gamma) || !holds(v, hi, gamma))
		return NAN;
	for (; hi - lo > fmax(1, ldexp(hi, -50)); by *= 2) {	/* whole numbers, or doubles */
		if (!(mid > lo && mid < hi))
			mid = floor((lo + hi) / 2);
		if (holds(v, mid, gamma)) {
			hi = mid;
			mid -= by;
		} else {
			lo = mid;
			mid += by;
		}
	}
	return hi;
}

/* ---- */

/* dp_law_bound() and dp_law_tail() of laws with parts. */
static double
parts_tail(const struct dp_law *l, double x)
{
	return x <= 1 ? 1 : dp_law_widest_tail((x - 1) / dp_law_spread(dp_law_variance(l)));
}

double
dp_law_parts_wide(const struct dp_law *l, double gamma)
{
	return ceil(dp_law_spread(dp_law_variance(l)) * dp_law_widest(gamma) + 1) - 1;
}

/* True if w is no more than dp_law_parts_wide(): a spread is no less than a standard deviation. */
static bool
within_wide(const struct dp_law *l, struct dp_law_memo *memo, double w, double gamma)
{
	if (memo->gamma != gamma) {
		memo->gamma = gamma;
		memo->widest = dp_law_widest(gamma);
	}
	return w <= sqrt(dp_law_variance(l)) * memo->widest * (1 - ROUNDED) ||
	    w <= dp_law_parts_wide(l, gamma);
}

static double
inverted(const struct dp_law *l, struct dp_law_memo *memo, double gamma, bool *memory)
{
	struct dp_law_wave v;
	const bool known = ask(l, gamma, &v);

	*memory = *memory && !isnan(v.step);
	return !known ? NAN : v.grain > 0 ? lattice_bound(l, memo, gamma, &v) :
	    other_bound(l, memo->guess, gamma, &v);
}

/*
 * From where a tail is `rare' on by the line through where it is NEAR, as its logarithm is concave:
 * a NEAR that is taken for nearer than it is, as bounds are a little too wide, makes that farther;
 * and so does a look for NEAR from below and for the other from above, where what hides a tail may
 * be as large as it is.
 */
static double
beyond_far(const struct dp_law *l, struct dp_law_memo *memo, double gamma, double rare,
    bool *memory)
{
	double near, far;

	memo->guess = 0;
	near = .98 * inverted(l, memo, NEAR, memory) - 1;
	memo->guess = dp_law_parts_wide(l, rare);
	far = inverted(l, memo, rare, memory);
	return ceil(far + (far - near) * log(rare / gamma) / log(NEAR / rare));
}

/* dp_law_bound() and dp_law_tail() of laws with parts. */
static double
dp_law_parts_bound(const struct dp_law *l, double gamma)
{
	struct dp_law_memo own, *memo = l->memo;
	bool memory = true;
	double w;

	if (memo == NULL) {
		dp_law_memo_clear(&own);
		memo = &own;
	}
	w = inverted(l, memo, gamma, &memory);
	if (isnan(w) && memory && gamma < FAR)
		w = beyond_far(l, memo, gamma, FAR, &memory);
	if (isnan(w) && memory && gamma < FAR_REAL)
		w = beyond_far(l, memo, gamma, FAR_REAL, &memory);
	if (!memory)
		return NAN;
	return memo->guess = !isnan(w) && within_wide(l, memo, w, gamma) ? w :
	    dp_law_parts_wide(l, gamma);
}

/*
 * In grains, or in pieces of a standard deviation.  Of a law of reals that is known in grains the
 * tail is that of set_cubic().
 */
bool
dp_law_tails(struct dp_law_tails *t, const struct dp_law *l)
{
	const double variance = dp_law_variance(l), sd = sqrt(variance);
	double unit = STRIDE * sd, one = unit, p, x, y, a;
	struct dp_law_memo memo;
	struct dp_law_wave v;

	*t = (struct dp_law_tails){ .left = { log(0.5) } };
	if (!ask(l, SMALL, &v))
		return !isnan(v.step);
	dp_law_memo_clear(&memo);
	if (v.grain > 0) {
		v.step = M_PI / v.n;
		one = 1;
		unit = v.grain * sqrt(variance / v.variance);
	} else {
		v.step *= sqrt(v.variance / variance);
		(void)smooth(&v, SMALL);
	}
	for (y = .5; t->n + 1 < DP_LAW_TAILS && y * one * v.step < M_PI; y++) {
		p = v.off + (v.grain > 0 ? tail_parts(&memo, &v, y - .5) :
		    dp_law_wave_tail(v.phi, v.n, v.step, y * one));
		if (!(p > SMALL && p > 4 * v.off))
			break;
		x = y * unit / sd;
		t->x[++t->n] = x;
		t->left[t->n] = log(p / 2) + x * x / 2;
		if (v.grain > 1 || (v.grain > 0 && !law_whole(l))) {
			a = log(tail_parts(&memo, &v, y - 1.5) / p);
			t->left[t->n] += a * a / 24;
		}
	}
	return true;
}
