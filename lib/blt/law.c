/*
 * law.c - sensitivity and error of buffered linear Toeplitz noise in closed form.
 *
 * Every sequence here is a sum of geometric ones within a block of `lag` steps; from block to block
 * only the coefficients change.  sum_{k<n} (sum_a x_a e^(-r_a k))^2 = sum_ab x_a x_b G(r_a + r_b,
 * n).
 */
#include <math.h>

#include "blt.h"

#define TERMS	(DP_BLT_POLES + 1)
#define BLOCKS	100000

/* sum_{k<n} e^(-s k) */
static double
geometric(double s, double n)
{
	return s == 0 ? n : expm1(-s * n) / expm1(-s);
}

/* sum_{k<n} (n-k) e^(-s k) = n/a - e^-s (1 - e^-sn)/a^2, a = 1 - e^-s; cancels for small s n */
static double
triangle(double s, double n)
{
	double a = -expm1(-s);

	if (s * n < 1e-4)
		return n * (n + 1) / 2 - s * (n - 1) * n * (n + 1) / 6 +
		    s * s * (n - 1) * n * n * (n + 1) / 24;
	return n / a + exp(-s) * expm1(-s * n) / a / a;
}

/* G and its triangle for every pair of rates, for one length of segment */
struct segment {
	unsigned p;
	double n, sum[TERMS][TERMS], ramp[TERMS][TERMS];
};

static void
measure(struct segment *g, const double *rate, unsigned p, double n, bool ramp)
{
	unsigned i, j;

	g->p = p;
	g->n = n;
	for (i = 0; i < p; i++)
		for (j = 0; j <= i; j++) {
			g->sum[i][j] = g->sum[j][i] = geometric(rate[i] + rate[j], n);
			g->ramp[i][j] = g->ramp[j][i] = ramp ? triangle(rate[i] + rate[j], n) : 0;
		}
}

static double
form(const struct segment *g, bool ramp, const double *x)
{
	double sum = 0, row;
	unsigned i, j;

	for (i = 0; i < g->p; i++) {
		for (row = 0, j = 0; j < g->p; j++)
			row += x[j] * (ramp ? g->ramp : g->sum)[i][j];
		sum += x[i] * row;
	}
	return sum;
}

/* Coefficients of prod (1 - up y) / (1 - down y), one after another. */
struct series {
	double up[DP_BLT_ECHOES], down[DP_BLT_ECHOES], last[DP_BLT_ECHOES];
	unsigned n, k;
};

static struct series
echo_series(const struct dp_blt_form *f, bool inverse)
{
	struct series e = { .n = f->echoes };
	unsigned k;

	for (k = 0; k < e.n; k++) {
		e.up[k] = ldexp(inverse ? f->b[k] : f->a[k], -32);
		e.down[k] = ldexp(inverse ? f->a[k] : f->b[k], -32);
	}
	return e;
}

static double
next(struct series *e)
{
	double x = e->k++ == 0, y;
	unsigned i;

	/* each stage: out = in + v, v' = down out - up in */
	for (i = 0; i < e->n; i++) {
		y = x + e->last[i];
		e->last[i] = e->down[i] * y - e->up[i] * x;
		x = y;
	}
	return x;
}

/*
 * Block m holds k = m W + 1 + i, i < W: c_k = sum_j om_j S_j(m) th_j^i, S_j(m) = th_j^W S_j(m-1) +
 * d_m; its last also has d_(m+1).
 */
static double
echo_sens(const struct dp_blt_form *f, const double *om, double n)
{
	struct series e = echo_series(f, false);
	struct segment g;
	double S[TERMS] = { 0 }, x[TERMS], sum = 1, add, last, d = next(&e), W = (double)f->lag;
	unsigned j, m;

	measure(&g, f->lam, f->d, W, false);
	for (m = 0; m < BLOCKS && (double)m * W + 1 < n; m++) {
		for (last = 0, j = 0; j < f->d; j++) {
			S[j] = S[j] * exp(-f->lam[j] * W) + d;
			x[j] = om[j] * S[j];
			last += x[j] * exp(-f->lam[j] * (W - 1));
		}
		d = next(&e);
		sum += add = form(&g, false, x) + 2 * d * last + d * d;
		/* the ratio of blocks is at most .95: B_2 = .76, th_1^W = .94 */
		if (m > 8 && add < 1e-12 * sum)
			break;
	}
	return sum;
}

static double
plain_sens(const struct dp_blt_form *f, const double *om, double n)
{
	struct segment g;

	measure(&g, f->lam, f->d, n - 1, false);
	return 1 + form(&g, false, om);
}

double
dp_blt_sens(const struct dp_blt_form *f, double n)
{
	double om[TERMS];
	unsigned j;

	for (j = 0; j < f->d; j++)
		om[j] = ldexp((double)f->om[j], -64);
	return (f->lag == 0 ? plain_sens(f, om, n) : echo_sens(f, om, n)) * (1 + 1e-9);
}

/* The size of C, and of what the fixed point cuts off. */
struct norms {
	double c1;		/* ||c||_1 */
	double nu;
	double lags, tail;	/* sum_{k > lags} |c_k| <= tail */
};

static void
measure_norms(struct norms *v, const struct dp_blt_form *f)
{
	struct series e = echo_series(f, false);
	double cb = 1, echo = 0, word = 0, floors = 0, om, gap, slowest = 1;
	unsigned j, k;

	for (j = 0; j < f->d; j++) {
		om = ldexp((double)f->om[j], -64);
		gap = ldexp((double)f->gap[j], -64);
		cb += om / gap;			/* C_b(1) */
		floors += ldexp(2 / gap, -80);
		slowest = f->lam[j] < slowest ? f->lam[j] : slowest;
	}
	for (k = 0; k < 400; k++)		/* ||De||_1; the rest is below 400 .76^399 */
		echo += fabs(next(&e));
	/*
	 * through both stages: an error of u_k is that of u_(k-1) times 1 + A, and eta, over 1 - B
	 */
	for (k = 0; k < f->echoes; k++)
		word = (word * (1 + ldexp(f->a[k], -32)) + ldexp(1, -DP_BLT_ECHO_BITS - 1)) /
		    (1 - ldexp(f->b[k], -32));
	v->nu = word * cb + floors;
	v->c1 = cb * echo * (1 + 1e-9);
	/* of c_b past 80 / lam_1 steps, or of De past 400 lags, less than e^-80 is left */
	v->lags = 80 / slowest + 400 * (double)f->lag;
	v->tail = v->c1 * exp(-80);
}

bool
dp_blt_falls(const struct dp_blt_form *f)
{
	dp_uwide c1 = 0;
	unsigned j;

	for (j = 0; j < f->d; j++)
		c1 += f->om[j];
	return f->echoes == 0 && c1 >> 64 == 0;
}

/*
 * Block i holds t = i b + m, m < b: v_t = sum_j x_j(i) th_j^(m-1), m > 0, x_j(i) = om_j + x_j(i-1)
 * th_j^b; and 1 more at m = 0, where th_j^(b-1) of x_j(i-1) is left.
 */
double
dp_blt_comb(const struct dp_blt_form *f, uint64_t times, uint64_t spacing, double n)
{
	const double b = (double)spacing, blocks = fmin((double)times, ceil(n / b));
	double x[TERMS] = { 0 }, sum = 0, at, om;
	struct segment g, last;
	unsigned j;
	double i;

	measure(&g, f->lam, f->d, b - 1, false);
	measure(&last, f->lam, f->d, n - 1 - (blocks - 1) * b, false);
	for (i = 0; i < blocks; i++) {
		for (at = 1, j = 0; j < f->d; j++) {
			om = ldexp((double)f->om[j], -64);
			at += x[j] * exp(-f->lam[j] * (b - 1));
			x[j] = om + x[j] * exp(-f->lam[j] * b);
		}
		sum += at * at + form(i + 1 < blocks ? &g : &last, false, x);
	}
	return sum * (1 + 1e-9);
}

/* The l2 of blt.h's Statement. */
static double
square(const struct dp_blt_form *f, const struct dp_privacy *p)
{
	if (p->l2fading == 0 || !dp_blt_falls(f))
		return (double)p->l2squared;
	return fmin((double)p->l2squared, (double)p->l2fading);
}

double
dp_blt_shift(const struct dp_blt_form *f, const struct dp_privacy *p, unsigned s, double size,
    uint64_t n)
{
	const double b = ldexp(1.0001, -DP_BLT_DITHER), D = ldexp(1, (int)s), l1 = (double)p->l1;
	double x = dp_q_double(p->epsilon) - log(dp_q_double(p->delta)) + 17;
	double T = (double)n * p->columns;
	double h, g, M;
	struct norms v;

	measure_norms(&v, f);
	h = D * size * sqrt(square(f, p)) + 2 * v.nu * sqrt(T);
	if (f->d == 0)			/* nothing is rounded */
		return h;
	g = D * l1 * v.c1 + 2 * v.nu * T;
	M = fmin(T / 4, l1 * v.lags / 4 + D * l1 * v.tail + 2 * v.nu * T) + b * T;
	return sqrt(h * h + 2 * D * l1 + 2 * (2 * h * sqrt(x / 2) + b * g) + 1.008 * M + 128 * x) *
	    (1 + 1e-9);
}

struct total {
	double energy, ramp, left;	/* left: terms of the whole sum not yet passed */
	bool want;
};

/* The segment's first terms, up to where the sum ends, are sum x_a e^(-rate_a i). */
static double
pass(struct total *t, const struct segment *whole, const double *rate, const double *x)
{
	struct segment part;
	const struct segment *g = whole;
	double add;

	if (t->left <= 0 || whole->n <= 0)
		return 0;
	if (t->left < whole->n) {
		measure(&part, rate, whole->p, t->left, t->want);
		g = &part;
	}
	t->energy += add = form(g, false, x);
	if (t->want)	/* (n - k) = (terms after the segment) + (rest of the segment) */
		t->ramp += form(g, true, x) + (t->left - g->n) * add;
	t->left -= g->n;
	return add;
}

/*
 * Windows: l_k = g_k - g_(k-w), where g = 1 / ((1-z) C) is, in block m, sum_a residue_a V_a(m)
 * e^(-rate_a i), V_a(m) = e^(-rate_a W) V_a(m-1) + e_m, e the coefficients of 1 / De; w <= W.  Two
 * segments a block: i < w, where k - w lies in block m - 1 at i + W - w, and the rest.
 */
static void
window_energy(const struct dp_blt_form *f, double w, struct total *t)
{
	struct series e = echo_series(f, true);
	struct segment near, far;
	double V[TERMS] = { 0 }, x[TERMS], y[TERMS], v, coef, add;
	double W = f->lag != 0 ? (double)f->lag : t->left + w;
	unsigned a, m, quiet = 0, p = f->d + 1;

	measure(&near, f->rate, p, w, t->want);
	measure(&far, f->rate, p, W - w, t->want);
	for (m = 0; m < BLOCKS && t->left > 0 && quiet < 4; m++) {
		coef = next(&e);
		for (a = 0; a < p; a++) {
			v = exp(-f->rate[a] * W) * V[a] + coef;
			x[a] = f->residue[a] * (v - exp(-f->rate[a] * (W - w)) * V[a]);
			y[a] = f->residue[a] * v * expm1(-f->rate[a] * w);
			V[a] = v;
		}
		add = pass(t, &near, f->rate, x);
		add += pass(t, &far, f->rate, y);
		quiet = add < 1e-17 * t->energy ? quiet + 1 : 0;
	}
}

double
dp_blt_energy(const struct dp_blt_form *f, uint64_t window, double n, double *ramp)
{
	struct total t = { .left = n, .want = ramp != NULL };
	struct segment g;

	if (window != 0)
		window_energy(f, (double)window, &t);
	else {
		measure(&g, f->rate, f->d + 1, n, t.want);
		pass(&t, &g, f->rate, f->residue);
	}
	if (ramp != NULL)
		*ramp = t.ramp;
	return t.energy;
}
