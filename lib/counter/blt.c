/* SPDX-License-Identifier: ISC */
/*
 * blt.c - buffered linear Toeplitz noise: the recursion in fixed point, and the mechanism
 * (internal.h
 * has the proof).
 */
#include <math.h>
#include <stdlib.h>

#include "internal.h"

static bool blt_falls(const struct dp_blt_form *);
static int blt_norm_set(struct dp_blt *, struct dp_numbers *) DP_MUSTUSE;
static uint64_t blt_widest(const struct dp_task *);
static int blt_certify(const struct dp_mech *, struct dp_buf *) DP_MUSTUSE;

#define UNIT		80			/* fraction bits of buffers */
#define REACH		((int64_t)1 << 32)	/* most of a draw */
#define OUT_BITS	62			/* increments leave in units of 2^-64 */

static int
choose_unit_blt(struct dp_blt *b, const struct dp_privacy *p)
{
	double shift, sigma = 0;
	int s;

	/* the largest s for which sigma, growing like 2^s, is below the sampler's limit, 2^28 */
	for (s = OUT_BITS; s >= 0; s -= sigma > 0x1p32 ? ilogb(sigma) - 30 : 1) {
		shift = dp_blt_shift(&b->form, p, (unsigned)s, b->size, b->end);
		sigma = dp_privacy_gauss_sigma(p, shift, b->end);
		if (sigma < 0x1.fffffp27)
			break;
	}
	if (s < 0)
		return DP_ERANGE;
	b->s = (unsigned)s;
	return 0;
}

static int
make_noise_blt(struct dp_blt *b, const struct dp_privacy *whole)
{
	struct dp_privacy own = *whole;
	const struct dp_privacy *p = &own;
	double shift, s2;
	int e;

	if (p->exact) {
		dp_noise_none(&b->noise);
		return 0;
	}
	if (p->delta.num == 0 || p->wide)
		return DP_EINVAL;
	if (b->f.m.ops == &dp_blt_norm_ops)	/* its columns grow */
		own.l2fading = 0;
	else if (p->spacing != 0 && blt_falls(&b->form)) {
		b->size = sqrt(dp_blt_comb(&b->form, p->times, p->spacing, (double)b->end));
		own.l2squared = dp_privacy_each(p);
		own.l2fading = 0;
	}
	b->moves = (struct dp_reach){ .l1 = p->l1, .l2squared = p->l2squared,
	    .columns = p->columns };
	if (b->f.m.ops != &dp_blt_norm_ops && p->spacing != 0 && blt_falls(&b->form)) {
		b->moves.times = p->times;
		b->moves.spacing = p->spacing;
	}
	b->fading = blt_falls(&b->form) ? p->l2fading : 0;
	if (!dp_numbers_replays(p->numbers) && (e = choose_unit_blt(b, p)) != 0)
		return e;
	b->s = b->f.fraction = (unsigned)dp_numbers_int(p->numbers, "fraction", b->s, 0, OUT_BITS);
	if (b->f.m.ops == &dp_blt_norm_ops && (e = blt_norm_set(b, p->numbers)) != 0)
		return e;
	shift = dp_blt_shift(&b->form, p, b->s, b->size, b->end);
	if ((e = dp_privacy_gauss_shift(&b->noise, p, shift, b->end)) != 0)
		return e;
	/* the dither needs as much, and a draw's reach is no more */
	s2 = dp_q_double(b->noise.param);
	return s2 < 0x1p52 || s2 > 0x1p56 ? DP_ERANGE : 0;
}

static bool
fits_blt(const struct dp_mech_rule *rule)
{
	const struct dp_task *k = &rule->task;
	unsigned i;

	for (i = 0; i < k->windows; i++)
		if (k->w[i] == 0 || k->w[i] > DP_BLT_LONGEST)
			return false;
	if (k->what == DP_TASK_EXP)
		return k->alpha > 0 && k->alpha < 1 - 0x1p-40;
	return k->what == DP_TASK_COUNT || (k->what == DP_TASK_WINDOW && k->windows > 0);
}

/*
 * ops->create() for dp_blt_ops or, of counts, dp_blt_norm_ops.  DP_EINVAL: delta lacks, or another
 * task.
 */
static int
blt_make(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct dp_blt *b;
	int e;

	if (!fits_blt(rule) || rule->horizon > (uint64_t)1 << 50)
		return DP_EINVAL;
	if ((b = dp_mech_alloc(ops, sizeof *b, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	*out = &b->f.m;
	b->f.m.block = DP_FILL - 1;
	b->f.fraction = 64;
	b->f.m.drawn.noise = &b->noise;
	b->f.m.drawn.numbers = "every step (in fractions of a grid unit, then correlated)";
	b->end = rule->horizon != 0 ? rule->horizon :
	    rule->task.what == DP_TASK_COUNT ? DP_BLT_ENDLESS : DP_BLT_STREAM;
	b->end = dp_numbers_int(rule->privacy.numbers, "end", b->end,
	    rule->horizon != 0 ? rule->horizon : DP_BLT_ENDLESS, (uint64_t)1 << 50);
	if (!dp_numbers_replays(rule->privacy.numbers))
		dp_blt_choose(&b->form, rule);
	if ((e = dp_blt_keep(&b->form, blt_widest(&rule->task), rule->privacy.numbers)) == 0) {
		/* columns of one norm: 1, or less */
		b->size = ops == &dp_blt_norm_ops ? 1 : sqrt(dp_blt_sens(&b->form, (double)b->end));
		e = make_noise_blt(b, &rule->privacy);
	}
	if (e != 0 || (e = dp_filtered_set(&b->f, rule, sizeof(struct dp_blt_column) +
	    (size_t)b->form.lag * b->form.echoes * sizeof(int64_t))) != 0)
		return e;
	b->f.m.drawn.unit = ldexp(1, -(int)b->s);
	return 0;
}

/* floor(a q / 2^64) */
static inline dp_wide
scale(dp_wide a, uint64_t q)
{
	return (dp_wide)(int64_t)(a >> 64) * q + (dp_wide)((dp_uwide)(uint64_t)a * q >> 64);
}

/* Wraps: a damaged column must not be undefined. */
static inline dp_wide
add_blt(dp_wide a, dp_wide b)
{
	return (dp_wide)((dp_uwide)a + (dp_uwide)b);
}

/*
 * One step through the echo De: u_0 = w goes in, the last u_k comes out.  v holds a word v_k for
 * each stage, as step t - W left it; stage k gives u_k = u_(k-1) + v_k, and leaves v_k = B_k u_k -
 * A_k u_(k-1) for step t + W.
 */
static inline int64_t
echo(const struct dp_blt_form *f, int64_t *v, int64_t w)
{
	const dp_wide half = (dp_wide)1 << 31;
	int64_t u = (int64_t)((uint64_t)w << DP_BLT_ECHO_BITS), in;
	unsigned k;

	for (k = 0; k < f->echoes; k++) {
		in = u;
		u = (int64_t)((uint64_t)u + (uint64_t)v[k]);
		v[k] = (int64_t)(((dp_wide)f->b[k] * u - (dp_wide)f->a[k] * in + half) >> 32);
	}
	return u;
}

int
dp_blt_run(const struct dp_blt *b, struct dp_blt_column *c, struct dp_rng *rng, uint64_t i,
    int64_t *w, unsigned n)
{
	const struct dp_blt_form *f = &b->form;
	const dp_wide half = (dp_wide)1 << (UNIT - 1);
	uint64_t at = f->lag != 0 ? i % f->lag : 0;
	int64_t z[DP_FILL], *v = NULL, u, r;
	dp_wide R;
	unsigned t, j;
	int e;

	if (i >= b->end)
		return DP_EHORIZON;
	if ((e = dp_noise_fill(&b->noise, rng, z, n)) != 0)
		return e;
	for (t = 0; t < n; t++) {
		if (z[t] > REACH || z[t] < -REACH)
			return DP_ERANGE;
		for (R = half, j = 0; j < f->d; j++)
			R = add_blt(R, c->buffer[j]);
		if (f->lag != 0) {
			v = c->echo + at * DP_BLT_ECHOES;
			for (j = 0; j < f->echoes; j++)
				R = add_blt(R, (dp_wide)((dp_uwide)(dp_wide)v[j] <<
				    (UNIT - DP_BLT_ECHO_BITS)));
			at = at + 1 < f->lag ? at + 1 : 0;
		}
		r = (int64_t)(R >> UNIT);
		w[t] = (int64_t)((uint64_t)z[t] - (uint64_t)r);
		u = echo(f, v, w[t]);
		for (j = 0; j < f->d; j++)
			c->buffer[j] = add_blt(add_blt(c->buffer[j], -scale(c->buffer[j],
			    f->gap[j])),
			    (dp_wide)u * f->om[j] >> (64 + DP_BLT_ECHO_BITS - UNIT));
	}
	return 0;
}

int
dp_blt_fill(const struct dp_mech *m, void *own, struct dp_rng *rng, uint64_t i, int64_t *w)
{
	return dp_blt_run((const void *)m, own, rng, i, w, DP_FILL);
}

static uint64_t
window_blt(const struct dp_blt *b, unsigned out)
{
	return b->f.filter.task.what == DP_TASK_WINDOW ? b->f.filter.task.w[out] : 0;
}

static void
law_blt(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_blt *b = (const void *)m;

	dp_law_add(l, &b->noise, sqrt(dp_blt_energy(&b->form, window_blt(b, out), (double)t,
	    NULL)) *
	    ldexp(1, -(int)b->s), 1);
}

/* The variance at t is Var(z) 4^-s sum_{k<t} l_k^2: it never falls. */
static void
error_of_blt(const struct dp_mech *m, unsigned out, uint64_t T, struct dp_error *e)
{
	const struct dp_blt *b = (const void *)m;
	double unit = ldexp(dp_noise_variance(&b->noise), -2 * (int)b->s), ramp;

	e->max = unit * dp_blt_energy(&b->form, window_blt(b, out), (double)T, &ramp);
	e->mean = unit * ramp / (double)T;
	e->worst = T;
}

static void
blt_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_filtered_error(m, T, e, error_of_blt);
}

const struct dp_mech_ops dp_blt_ops = {
	.name = "blt",
	.say.source = "buffered linear Toeplitz noise (Dvijotham et al. 2024), in integers "
	    "(this toolkit)",
	.tasks = DP_TASK_COUNT | DP_TASK_WINDOW | DP_TASK_EXP,
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_DELTA | DP_TRAIT_RISING | DP_TRAIT_ADDS,
	.create = blt_make, .many.fill = dp_blt_fill, .law.at = law_blt, .error = blt_error,
	DP_FILTERED_OPERATIONS, .valid = dp_filtered_valid,
	.drawn.certify = blt_certify
};

/*
 * Sensitivity and error of buffered linear Toeplitz noise in closed form.
 *
 * Every sequence here is a sum of geometric ones within a block of `lag` steps; from block to block
 * only the coefficients change.  sum_{k<n} (sum_a x_a e^(-r_a k))^2 = sum_ab x_a x_b G(r_a + r_b,
 * n).
 */

#define TERMS	(DP_BLT_POLES + 1)
#define BLOCKS	100000

/* sum_{k<n} e^(-s k) */
static double
geometric_law(double s, double n)
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
measure_law(struct segment *g, const double *rate, unsigned p, double n, bool ramp)
{
	unsigned i, j;

	g->p = p;
	g->n = n;
	for (i = 0; i < p; i++)
		for (j = 0; j <= i; j++) {
			g->sum[i][j] = g->sum[j][i] = geometric_law(rate[i] + rate[j], n);
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

	measure_law(&g, f->lam, f->d, W, false);
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

	measure_law(&g, f->lam, f->d, n - 1, false);
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

/* True: c_0 >= c_1 >= .. >= 0.  (A form from a state file need not have a c_1 below 1.) */
static bool
blt_falls(const struct dp_blt_form *f)
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

	measure_law(&g, f->lam, f->d, b - 1, false);
	measure_law(&last, f->lam, f->d, n - 1 - (blocks - 1) * b, false);
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

/* The l2 of internal.h's Statement. */
static double
square_law(const struct dp_blt_form *f, const struct dp_privacy *p)
{
	if (p->l2fading == 0 || !blt_falls(f))
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
	h = D * size * sqrt(square_law(f, p)) + 2 * v.nu * sqrt(T);
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
		measure_law(&part, rate, whole->p, t->left, t->want);
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

	measure_law(&near, f->rate, p, w, t->want);
	measure_law(&far, f->rate, p, W - w, t->want);
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
		measure_law(&g, f->rate, f->d + 1, n, t.want);
		pass(&t, &g, f->rate, f->residue);
	}
	if (ramp != NULL)
		*ramp = t.ramp;
	return t.energy;
}

/*
 * Buffered linear Toeplitz noise with columns of one norm (internal.h has the proof).
 */

/* Sum of the pieces; k = T - t steps come after step t. */
struct dp_blt_norm {
	unsigned pieces;
	uint64_t unit[DP_BLT_PIECES];		/* N */
	/* when the piece begins: Var F, and Cov(F, X_a), of draws of variance 1 */
	double past[DP_BLT_PIECES], with[DP_BLT_PIECES][TERMS];
	double forever[TERMS][TERMS];		/* sum_{k>=0} e^(-(r_a + r_b) k), (0, 0): 0 */
};

static unsigned
piece_of(uint64_t k)
{
	unsigned o = 0;

	while (k >> o >= 32)
		o++;
	return 16 * o + (unsigned)(k >> o);
}

/* The greatest k of a piece, below T. */
static uint64_t
first_of(const struct dp_blt *b, unsigned i)
{
	const unsigned o = i < 32 ? 0 : i / 16 - 1;
	const uint64_t k = ((uint64_t)(i - 16 * o + 1) << o) - 1;

	return k < b->end ? k : b->end - 1;
}

static unsigned
piece_at(const struct dp_blt *b, uint64_t t)
{
	return piece_of(t < b->end ? b->end - t : 0);
}

uint64_t
dp_blt_norm_unit(const struct dp_blt *b, uint64_t t)
{
	return b->norm == NULL ? 1 : b->norm->unit[piece_at(b, t)];
}

/* The i-th piece from the first step on: that step's T - t + 1, and N; false past the last. */
static bool
blt_norm_piece(const struct dp_blt *b, unsigned i, uint64_t *left, uint64_t *unit)
{
	const unsigned n = b->norm == NULL ? 0 : b->norm->pieces;

	if (i >= n)
		return false;
	*left = first_of(b, n - 1 - i) + 1;
	*unit = b->norm->unit[n - 1 - i];
	return true;
}

/* ---- the plan ---- */

/*
 * Cov(X_a(t), X_b(t)) = sum_{k<t} e^(-(r_a + r_b) k), all pairs; 1 - e^-(x + y) from 1 - e^-x, 1 -
 * e^-y, which does not cancel.
 */
static void
moments_norm(const struct dp_blt *b, double t, double (*K)[TERMS])
{
	const double *rate = b->form.rate;
	double x[TERMS];
	unsigned i, j;

	for (i = 0; i <= b->form.d; i++)
		x[i] = -expm1(-rate[i] * t);
	for (i = 0; i <= b->form.d; i++)
		for (j = 0; j <= i; j++)
			K[i][j] = K[j][i] = i == 0 ? t :
			    (x[i] + x[j] - x[i] * x[j]) * b->norm->forever[i][j];
}

/* At step t: Var W, and Cov(W, X_a) if it is wanted. */
static double
sum_moments(const struct dp_blt *g, double t, double *with)
{
	const struct dp_blt_form *f = &g->form;
	double K[TERMS][TERMS], row, v = 0;
	unsigned a, b;

	moments_norm(g, t, K);
	for (a = 0; a <= f->d; a++) {
		for (row = 0, b = 0; b <= f->d; b++)
			row += f->residue[b] * K[a][b];
		v += f->residue[a] * row;
		if (with != NULL)
			with[a] = row;
	}
	return v;
}

/* Var F and Cov(F, X) from the beginning of piece i, whose last step is t, to that of i - 1. */
static void
pass_piece(const struct dp_blt *b, unsigned i, double t, double steps)
{
	const struct dp_blt_form *f = &b->form;
	struct dp_blt_norm *v = b->norm;
	const double less = 1 / (double)v->unit[i] - 1 / (double)v->unit[i - 1];
	double with[TERMS], own = sum_moments(b, t, with), cross = 0, m;
	unsigned a;

	for (a = 0; a <= f->d; a++) {
		m = v->with[i][a] * exp(-f->rate[a] * steps);
		cross += f->residue[a] * m;
		v->with[i - 1][a] = m + less * with[a];
	}
	v->past[i - 1] = v->past[i] + 2 * less * cross + less * less * own;
}

static uint64_t
steps_of(const struct dp_blt *b, unsigned i)
{
	return first_of(b, i) + 1 - (i > 0 ? first_of(b, i - 1) + 1 : 0);
}

/* Of the sum after step t, in grid units squared, for draws of variance 1. */
static double
variance(const struct dp_blt *b, uint64_t t)
{
	const unsigned i = piece_at(b, t > 0 ? t : 1);
	const struct dp_blt_norm *v = b->norm;
	const double scale = 1 / (double)v->unit[i];
	const double steps = (double)(t - (b->end - 1 - first_of(b, i)));
	double cross = 0;
	unsigned a;

	if (t == 0)
		return 0;
	for (a = 0; a <= b->form.d; a++)
		cross += b->form.residue[a] * v->with[i][a] * exp(-b->form.rate[a] * steps);
	return v->past[i] + 2 * scale * cross +
	    scale * scale * sum_moments(b, (double)t, NULL);
}

static void
set_moments(struct dp_blt *b)
{
	const double *rate = b->form.rate;
	struct dp_blt_norm *v = b->norm;
	unsigned i, j;

	for (i = 1; i <= b->form.d; i++)
		for (j = 0; j <= i; j++)
			v->forever[i][j] = -1 / expm1(-rate[i] - rate[j]);
	for (i = v->pieces - 1; i > 0; i--)
		pass_piece(b, i, (double)(b->end - 1 - first_of(b, i - 1)),
		    (double)steps_of(b, i));
}

/* b->norm and b->size for its form, s and end; the N_t pass through numbers. */
static int
blt_norm_set(struct dp_blt *b, struct dp_numbers *numbers)
{
	const double D = ldexp(1, (int)b->s);
	struct dp_blt_norm *v;
	double norm, most = 0;
	uint64_t N;
	unsigned i;

	if ((v = b->norm = calloc(1, sizeof *v)) == NULL)
		return DP_ENOMEM;
	v->pieces = piece_of(b->end - 1) + 1;
	for (i = 0; i < v->pieces; i++) {
		norm = sqrt(dp_blt_sens(&b->form, (double)first_of(b, i) + 1));
		if ((N = (uint64_t)(D / norm)) == 0)
			return DP_ERANGE;
		/* any up to D are private: what they need, the shift says */
		v->unit[i] = dp_numbers_int(numbers, "unit", N, 1, (uint64_t)1 << b->s);
		most = fmax(most, (double)v->unit[i] * norm / D);
	}
	b->size = most;
	set_moments(b);
	return dp_numbers_error(numbers);
}

/* ---- the mechanism ---- */

static uint64_t
parts(const struct dp_filtered *f, uint64_t t)
{
	return dp_blt_norm_unit((const void *)f, t);
}

static int
norm_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct dp_blt *b;
	int e;

	if (rule->task.what != DP_TASK_COUNT || rule->horizon == 0)
		return DP_EINVAL;
	if ((e = blt_make(out, ops, rule)) != 0)
		return e;
	b = (void *)*out;
	b->f.fraction = 64;
	b->f.parts = parts;
	(*out)->drawn.numbers = "every step (in fractions of a grid unit, which get smaller; "
	    "then correlated)";
	(*out)->drawn.unit = 1 / (double)dp_blt_norm_unit(b, 1);	/* the first step's */
	return 0;
}

static void
law_norm(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_blt *b = (const void *)m;

	(void)out;
	if (b->norm != NULL)
		dp_law_add(l, &b->noise, sqrt(variance(b, t)), 1);
}

/* sum_{k=1..n} e^(-r k) */
static double
geometric_norm(double r, double n)
{
	return r == 0 ? n : exp(-r) * expm1(-r * n) / expm1(-r);
}

/* Greatest at the first or the last step of a piece: what F adds falls fast, then W's part rises */
static void
norm_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct dp_blt *b = (const void *)m;
	const struct dp_blt_norm *v = b->norm;
	const struct dp_blt_form *f = &b->form;
	const double unit = dp_noise_variance(&b->noise);
	double sum = 0, before = 0, ramp, cross, x, n, scale;
	uint64_t t = 0, end;
	unsigned i, a, j;

	e->max = e->mean = 0;
	e->worst = T;
	if (v == NULL)
		return;
	T = T < b->end ? T : b->end;
	for (i = v->pieces; i-- > 0 && t < T; t = end) {
		end = t + steps_of(b, i) < T ? t + steps_of(b, i) : T;
		n = (double)(end - t);
		scale = 1 / (double)v->unit[i];
		for (cross = 0, a = 0; a <= f->d; a++)
			cross += f->residue[a] * v->with[i][a] * geometric_norm(f->rate[a], n);
		dp_blt_energy(f, 0, (double)end, &ramp);
		sum += n * v->past[i] + 2 * scale * cross + scale * scale * (ramp - before);
		before = ramp;
		for (j = 0; j < 2; j++)
			if ((x = unit * variance(b, j == 0 ? t + 1 : end)) > e->max) {
				e->max = x;
				e->worst = j == 0 ? t + 1 : end;
			}
	}
	e->mean = unit * sum / (double)T;
}

static void
norm_destroy(struct dp_mech *m)
{
	free(((struct dp_blt *)(void *)m)->norm);
}

const struct dp_mech_ops dp_blt_norm_ops = {
	.name = "blt-norm",
	.say.source = "buffered linear Toeplitz noise, columns of one norm (Dvijotham et al. 2024; "
	    "Henzinger et al. 2025; in integers, this toolkit)",
	.tasks = DP_TASK_COUNT,
	.traits = DP_TRAIT_DELTA | DP_TRAIT_ADDS,
	.create = norm_create, .many.fill = dp_blt_fill, .law.at = law_norm, .error = norm_error,
	DP_FILTERED_OPERATIONS, .valid = dp_filtered_valid, .destroy = norm_destroy,
	.drawn.certify = blt_certify
};

/*
 * Parameters of buffered linear Toeplitz noise, by rule.
 *
 * Rates lam_1 < mu_1 < lam_2 < .. are log-spaced between two ends, the first and the last gap
 * stretched.  The numbers were fitted (Nelder-Mead on closed forms); what they reach, in error over
 * the square root's:
 *   count, T known     8 poles: 1.0001 for T < 2^8, 1.0006 (2^8) to 1.0001 (2^16), where the
 *                      second set has the better mean; 12 poles: 1.0003 to 2^30, 1.003 at 2^40
 *   count, T unknown   12 poles, of knowing T = t: 1.92 at 1, 1.31 at 2^8, 1.20 to 1.23 from
 *                      2^12 to 2^28, 1.32 at 2^36, 1.44 at 2^40
 *   window             8 poles: 1.0007 (2) to 1.00015 (2^10); 10 poles: 1.0002 for W = 2^10 .. 2^18
 *   exp                1.0001 for alpha up to 1 - 10^-6
 * Nothing here is about privacy: any numbers are private.
 */

struct spacing {
	unsigned d;
	double low, high, first, last;
};

/* 2d rates from low to high, above the filter's pole; alternately lam and mu */
static void
space(struct dp_blt_form *f, const struct spacing *s, double low, double high)
{
	double gap = log(high / low) / (2 * s->d - 3 + s->first + s->last), x = log(low);
	unsigned i;

	f->d = s->d;
	for (i = 0; i < 2 * s->d; i++) {
		*(i % 2 == 0 ? &f->lam[i / 2] : &f->mu[i / 2]) = f->pole + exp(x);
		x += gap * (i == 0 ? s->first : i == 2 * s->d - 2 ? s->last : 1);
	}
}

static void
choose_count(struct dp_blt_form *f, uint64_t T)
{
	static const struct spacing least = { 8, .0796, 3.9327, 1.4355, 1.0177 };
	static const struct spacing few = { 8, .2064, 2.9633, 1.3798, .9421 };
	static const struct spacing many = { 12, .0864, 4.2978, 1.4465, 1.0591 };
	const struct spacing *s = T < 256 ? &least : T <= 65536 ? &few : &many;

	space(f, s, s->low / (double)T, s->high);
}

/*
 * A fixed horizon 2^40 and an exponent that drifts: slow poles weigh less than the square root's.
 * Fitted to all t up to 2^28; what lies beyond has a little more.
 */
static void
choose_endless(struct dp_blt_form *f)
{
	const double begin = -27.4595, gap = (3.9288 - begin) / 11.5;
	double x, u, v;
	unsigned j;

	f->d = 12;
	for (j = 0; j < f->d; j++) {
		u = 2. * j / (f->d - 1) - 1;
		v = u * u;
		x = begin + gap * (j - (.13547 + .04522 * u) * (v - 1));
		f->lam[j] = exp(x);
		f->mu[j] = exp(x + gap / (1 + exp(.18533 + .08571 * u - .04718 * v +
		    .03972 * u * v + .14982 * v * v)));
	}
}

static void
choose_window(struct dp_blt_form *f, uint64_t W)
{
	static const struct spacing few = { 8, .07147, 4.18271, 1.11285, 1.03847 };
	static const struct spacing many = { 10, .06677, 4.1211, 1.16376, 1.02839 };
	static const double ab[2][4] = { { .48115, .91458, .15488, .75913 },
	    { .47324, .91722, .15091, .75594 } };
	const struct spacing *s = W <= 1024 ? &few : &many;
	unsigned k;

	if (W == 1)		/* one step: C = 1 */
		return;
	space(f, s, s->low / (double)W, s->high);
	f->lag = W;
	f->echoes = DP_BLT_ECHOES;
	for (k = 0; k < DP_BLT_ECHOES; k++) {
		f->a[k] = (uint32_t)ldexp(ab[W > 1024][k], 32);
		f->b[k] = (uint32_t)ldexp(ab[W > 1024][2 + k], 32);
	}
}

static void
choose_decay(struct dp_blt_form *f, double alpha)
{
	static const struct spacing s = { 10, .039, 5.0807, 1.6162, 1.1355 };

	f->pole = -log(alpha);
	if (alpha < 1e-3)	/* C = 1 is optimal to 3e-7 */
		return;
	space(f, &s, s.low * (1 - alpha), s.high);
}

/* Its coefficients as text, dputils-plan(5): ops->drawn.certify. */
static uint64_t
blt_widest(const struct dp_task *k)
{
	uint64_t W = 0;
	unsigned i;

	for (i = 0; i < k->windows; i++)
		if (k->w[i] > W)
			W = k->w[i];
	return W;
}

/* e^-a - e^-b */
static double
less(double a, double b)
{
	return -exp(-a) * expm1(-(b - a));
}

static void
set_residues(struct dp_blt_form *f)
{
	double v = 1;
	unsigned i, j;

	for (i = 0; i < f->d; i++)
		v *= less(f->pole, f->lam[i]) / less(f->pole, f->mu[i]);
	f->residue[0] = v;
	f->rate[0] = f->pole;
	for (j = 0; j < f->d; j++) {
		v = 1 / less(f->mu[j], f->pole);
		for (i = 0; i < f->d; i++) {
			v *= less(f->mu[j], f->lam[i]);
			if (i != j)
				v /= less(f->mu[j], f->mu[i]);
		}
		f->residue[j + 1] = v;
		f->rate[j + 1] = f->mu[j];
	}
}

/*
 * c_1 = sum th_j - sum mh_j is to be an odd multiple of 2^-24: the fastest zero moves by at most
 * twice as much, and what rounding left goes to the greatest residue (1e-15 of it).
 */
static void
set_first(struct dp_blt_form *f)
{
	const double unit = ldexp(1, -DP_BLT_DITHER);
	double c1 = 0;
	unsigned j;

	for (j = 0; j < f->d; j++)
		c1 += less(f->lam[j], f->mu[j]);
	c1 -= (2 * floor((c1 / unit - 1) / 2) + 1) * unit;	/* what is too much, >= 0 */
	f->mu[f->d - 1] = -log(exp(-f->mu[f->d - 1]) + c1);
}

static void
fix_first(struct dp_blt_form *f)
{
	const uint64_t unit = (uint64_t)1 << (64 - DP_BLT_DITHER);
	uint64_t sum = 0, rest;
	unsigned j, most = 0;

	for (j = 0; j < f->d; j++) {
		sum += f->om[j];
		if (f->om[j] > f->om[most])
			most = j;
	}
	rest = (sum - unit) % (2 * unit);	/* a few hundred too many, or too few */
	f->om[most] += rest < unit ? -rest : 2 * unit - rest;
}

/*
 * mu[], lam[], pole and echoes given: makes the rest; lam[] moves to a dyadic th, mu[d-1] for c_1.
 */
static void
settle(struct dp_blt_form *f)
{
	unsigned i, j;
	double v;

	if (f->d == 0) {
		set_residues(f);
		return;
	}
	for (j = 0; j < f->d; j++) {
		f->gap[j] = (uint64_t)ldexp(fmin(-expm1(-f->lam[j]), 0x1.fffffffffffffp-1), 64);
		f->lam[j] = -log1p(-ldexp((double)f->gap[j], -64));
	}
	set_first(f);
	for (j = 0; j < f->d; j++) {
		v = 1;
		for (i = 0; i < f->d; i++) {
			v *= less(f->lam[j], f->mu[i]);
			if (i != j)
				v /= less(f->lam[j], f->lam[i]);
		}
		/* 0 < om < c_1 < 1 for rates of ours */
		f->om[j] = (uint64_t)ldexp(fmax(0, fmin(v, 0x1.fffffffffffffp-1)), 64);
	}
	fix_first(f);
	set_residues(f);
}

void
dp_blt_choose(struct dp_blt_form *f, const struct dp_mech_rule *rule)
{
	const struct dp_task *k = &rule->task;
	const uint64_t W = blt_widest(k);

	memset(f, 0, sizeof *f);
	if (k->what == DP_TASK_EXP)
		choose_decay(f, k->alpha);
	else if (k->what == DP_TASK_WINDOW && (rule->horizon == 0 || rule->horizon > W))
		choose_window(f, W);
	else if (rule->horizon != 0)
		choose_count(f, rule->horizon);
	else
		choose_endless(f);
	settle(f);
}

/* True: the integers are what the rates say, nearly, and c_1 an odd multiple of 2^-24. */
static bool
sound(const struct dp_blt_form *f)
{
	const uint64_t unit = (uint64_t)1 << (64 - DP_BLT_DITHER);
	struct dp_blt_form g = *f;
	uint64_t sum = 0;
	double last = f->pole;
	unsigned j;

	for (j = 0; j < f->d; j++) {
		if (!(last < f->lam[j] && f->lam[j] < f->mu[j]))
			return false;
		last = f->mu[j];
		sum += f->om[j];
	}
	settle(&g);
	for (j = 0; j < f->d; j++)
		if (fabs((double)g.gap[j] - (double)f->gap[j]) > ldexp((double)g.gap[j], -30) ||
		    fabs((double)g.om[j] - (double)f->om[j]) > 0x1p48)
			return false;
	for (j = 0; j < f->echoes; j++)
		if (f->b[j] >= f->a[j])
			return false;
	return f->d == 0 || sum % (2 * unit) == unit;
}

int
dp_blt_keep(struct dp_blt_form *f, uint64_t W, struct dp_numbers *p)
{
	unsigned j;

	if (p == NULL)
		return 0;
	f->d = (unsigned)dp_numbers_int(p, "poles", f->d, 0, DP_BLT_POLES);
	f->lag = dp_numbers_int(p, "lag", f->lag != 0, 0, W != 0) * W;
	f->echoes = f->lag != 0 ? DP_BLT_ECHOES : 0;
	f->pole = dp_numbers_real(p, "pole", f->pole, 0, 64);
	for (j = 0; j < f->d; j++) {
		f->lam[j] = dp_numbers_real(p, "lambda", f->lam[j], 0x1p-64, 64);
		f->mu[j] = dp_numbers_real(p, "mu", f->mu[j], 0x1p-64, 64);
		f->gap[j] = dp_numbers_int(p, "gap", f->gap[j], 1, UINT64_MAX);
		f->om[j] = dp_numbers_int(p, "omega", f->om[j], 1, UINT64_MAX);
	}
	for (j = 0; j < f->echoes; j++) {
		f->a[j] = (uint32_t)dp_numbers_int(p, "echo", f->a[j], 1, UINT32_MAX);
		f->b[j] = (uint32_t)dp_numbers_int(p, "echo-b", f->b[j], 1, UINT32_MAX);
	}
	if (dp_numbers_error(p) != 0)
		return p->error;
	if (dp_numbers_replays(p))
		set_residues(f);
	return sound(f) ? 0 : DP_EINVAL;
}

/*
 * Correlated noise as it is drawn, in the text that dputils-plan(5) describes.
 */

/* STEPS COLUMNS BITS SQUARE FADING TIMES SPACING */
static void
head(struct dp_buf *b, const char *word, const struct dp_noise *z, const uint64_t n[static 7])
{
	unsigned i;

	dp_certificate_scale(b, word, z->param);
	for (i = 0; i < 7; i++)
		dp_certificate_word(b, n[i]);
}

/* word A B */
static void
pair(struct dp_buf *b, const char *word, uint64_t x, uint64_t y)
{
	dp_buf_puts(b, word);
	dp_certificate_word(b, x);
	dp_certificate_word(b, y);
	dp_buf_puts(b, "\n");
}

/* Its coefficients as text, dputils-plan(5): ops->drawn.certify. */
static int
blt_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_blt *k = (const void *)m;
	const struct dp_blt_form *f = &k->form;
	uint64_t left, unit;
	unsigned i, pieces = 0;

	if (k->noise.kind == DP_NOISE_NONE)
		return dp_certificate_unknown(b);
	while (blt_norm_piece(k, pieces, &left, &unit))
		pieces++;
	head(b, "blt", &k->noise, (uint64_t[]){ k->end, k->moves.columns, k->s,
	    k->moves.l2squared, k->fading, k->moves.times, k->moves.spacing });
	dp_certificate_word(b, f->lag);
	dp_certificate_word(b, f->d);
	dp_certificate_word(b, pieces);
	dp_buf_puts(b, "\n");
	for (i = 0; i < f->d; i++)
		pair(b, "pole", f->gap[i], f->om[i]);
	for (i = 0; i < f->echoes; i++)
		pair(b, "echo", f->a[i], f->b[i]);
	for (i = 0; blt_norm_piece(k, i, &left, &unit); i++)
		pair(b, "piece", left, unit);
	return b->error;
}

int
dp_banded_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_banded *k = (const void *)m;
	const struct dp_banded_form *f = &k->form;
	uint64_t i;

	if (k->noise.kind == DP_NOISE_NONE)
		return dp_certificate_unknown(b);
	head(b, "banded", &k->noise, (uint64_t[]){ k->end, k->moves.columns, f->s,
	    k->moves.l2squared, 0, k->moves.times, k->moves.spacing });
	dp_certificate_word(b, f->p);
	for (i = 0; i < f->p; i++)
		dp_certificate_word(b, (uint64_t)f->a[i]);
	dp_buf_puts(b, "\n");
	return b->error;
}
