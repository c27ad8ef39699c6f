/* SPDX-License-Identifier: ISC */
/*
 * t_blt.c - buffered linear Toeplitz noise: closed forms, the integer recursion, the shift of the
 * privacy proof.
 */
#include "account/internal.h"
#include "toeplitz.h"

#include <mpfr.h>


struct example {
	enum dp_what what;
	uint64_t T, W;
	double alpha;
	size_t n;		/* terms looked at */
};

static const struct example example[] = {
	{ DP_TASK_COUNT, 1, 0, 0, 1 }, { DP_TASK_COUNT, 2, 0, 0, 2 }, { DP_TASK_COUNT, 7, 0, 0, 7 },
	{ DP_TASK_COUNT, 300, 0, 0, 300 }, { DP_TASK_COUNT, 5000, 0, 0, 5000 },
	{ DP_TASK_COUNT, 1 << 20, 0, 0, 5000 }, { DP_TASK_COUNT, 0, 0, 0, 5000 },
	{ DP_TASK_COUNT, (uint64_t)1 << 44, 0, 0, 5000 },
	{ DP_TASK_WINDOW, 0, 1, 0, 50 }, { DP_TASK_WINDOW, 0, 2, 0, 500 },
	{ DP_TASK_WINDOW, 0, 5, 0, 2000 },
	{ DP_TASK_WINDOW, 0, 16, 0, 2000 }, { DP_TASK_WINDOW, 0, 100, 0, 20000 },
	{ DP_TASK_WINDOW, 6000, 1500, 0, 6001 }, { DP_TASK_WINDOW, 60, 100, 0, 60 },
	{ DP_TASK_EXP, 0, 0, .0005, 50 }, { DP_TASK_EXP, 0, 0, .001, 50 },
	{ DP_TASK_EXP, 0, 0, .002, 50 }, { DP_TASK_EXP, 0, 0, .5, 500 },
	{ DP_TASK_EXP, 0, 0, .9, 2000 }, { DP_TASK_EXP, 3000, 0, .99, 3000 },
	{ DP_TASK_EXP, 0, 0, .9999, 5000 }
};
#define EXAMPLES	(sizeof example / sizeof example[0])
#define RUNS_MAX		20000

/* sum_{k<n} l_k^2 and sum_{k<n} (n-k) l_k^2 against the sequence, at several n, window by window */
static void
compare_energy(const struct dp_blt_form *f, const struct example *x, const struct dp_mech_rule *r,
    uint64_t w)
{
	static long double l[RUNS_MAX];
	long double sum = 0, ramp = 0;
	double energy, got;
	bool good = true;
	size_t k;

	chain_l(f, &r->task, w, l, x->n);
	for (k = 0; k < x->n && good; k++) {
		sum += l[k] * l[k];
		ramp += sum;
		if (k < 12 || k == x->n - 1 || k % 97 == 5 || k == w || k + 1 == w || k == x->W) {
			energy = dp_blt_energy(f, w, (double)k + 1, &got);
			good = near(energy, (double)sum, 1e-9) && near(got, (double)ramp, 1e-9);
		}
	}
	if (!good)
		printf("T %g W %g w %g alpha %g: %zu terms: energy %.12g, not %.12g\n",
		    (double)x->T, (double)x->W,
		    (double)w, x->alpha, k, energy, (double)sum);
	check(good);
}

static void
closed_forms(void)
{
	static long double c[RUNS_MAX];
	static const uint64_t shorter[] = { 1, 3, 16, 99 };
	const struct example *x;
	struct dp_mech_rule r;
	struct dp_blt_form f;
	long double sum;
	double sens;
	size_t i, k;
	uint64_t first, unit = (uint64_t)1 << (64 - DP_BLT_DITHER);

	for (i = 0; i < EXAMPLES; i++) {
		x = &example[i];
		r = blt_rule(x->what, x->T, x->W, x->alpha, "1", "1e-6");
		dp_blt_choose(&f, &r);
		chain_c(&f, c, x->n);
		for (sum = 0, k = 0; k < x->n; k++)
			sum += c[k] * c[k];
		sens = dp_blt_sens(&f, (double)x->n);
		/* the window's examples end with a whole lag and one, or are long enough */
		check(sens >= (double)sum && near(sens, (double)sum, x->what == DP_TASK_WINDOW ?
		    1e-6 : 2e-9));
		for (first = 0, k = 0; k < f.d; k++) {
			first += f.om[k];
			check(f.om[k] > 0 && f.om[k] < (uint64_t)1 << 63);
			/* interlaced: all bounds of counter/internal.h rest on it */
			check(f.lam[k] < f.mu[k] && (k == 0 || f.mu[k - 1] < f.lam[k]));
		}
		check(f.d == 0 || first % (2 * unit) == unit);
		compare_energy(&f, x, &r, x->W);
		for (k = 0; k < 4; k++)
			if (shorter[k] < x->W)
				compare_energy(&f, x, &r, shorter[k]);
	}
}

/* C L = A, term by term */
static void
factors(void)
{
	enum { N = 400 };
	static long double c[N], l[N];
	struct dp_mech_rule r;
	struct dp_blt_form f;
	long double sum;
	size_t i, k, t, bad = 0;

	for (i = 0; i < EXAMPLES; i++) {
		r = blt_rule(example[i].what, example[i].T, example[i].W, example[i].alpha, "1",
		    "1e-6");
		dp_blt_choose(&f, &r);
		chain_c(&f, c, N);
		chain_l(&f, &r.task, example[i].W, l, N);
		for (t = 0; t < N; t++) {
			for (sum = 0, k = 0; k <= t; k++)
				sum += c[k] * l[t - k];
			bad += !(fabsl(sum - (example[i].W != 0 ? t < example[i].W :
			    (long double)dp_task_weight(&r.task, t))) < 1e-12L);
		}
	}
	check(bad == 0);
}

/* Phi(a) - e^eps Phi(b) with 300 bits */
static double
exact_delta(double mu, double eps)
{
	mpfr_t x, y, z;
	double d;

	mpfr_inits2(300, x, y, z, (mpfr_ptr)0);
	mpfr_set_d(x, eps, MPFR_RNDN);
	mpfr_div_d(x, x, mu, MPFR_RNDN);
	mpfr_set_d(y, mu, MPFR_RNDN);
	mpfr_div_ui(y, y, 2, MPFR_RNDN);
	mpfr_sub(z, x, y, MPFR_RNDN);
	mpfr_add(y, x, y, MPFR_RNDN);
	mpfr_sqrt_ui(x, 2, MPFR_RNDN);
	mpfr_div(z, z, x, MPFR_RNDN);
	mpfr_div(y, y, x, MPFR_RNDN);
	mpfr_erfc(z, z, MPFR_RNDN);
	mpfr_erfc(y, y, MPFR_RNDN);
	mpfr_set_d(x, eps, MPFR_RNDN);
	mpfr_exp(x, x, MPFR_RNDN);
	mpfr_mul(y, y, x, MPFR_RNDN);
	mpfr_sub(z, z, y, MPFR_RNDN);
	mpfr_div_ui(z, z, 2, MPFR_RNDN);
	d = mpfr_get_d(z, MPFR_RNDN);
	mpfr_clears(x, y, z, (mpfr_ptr)0);
	return d;
}

/* privacy.h's last lines, for m draws: sigma, whatever it was found by, keeps delta. */
static bool
inequality(double sigma, double shift, double m, double eps, double delta)
{
	double a = 1 / (24 * sigma * sigma), x = eps - log(delta) + 20,
	    t = eps - a * (2.08 * m + 103 * x);

	return exp(a * m) * (exact_delta(shift / sigma, t) + exp(t - x)) +
	    m * (1 + exp(eps)) * 0x1p-98 <=
	    delta * (1 - 0x1p-21);
}

static void
calibration(void)
{
	static const struct {
		const char *eps, *delta;
		double room, most;	/* relative: delta left unused; sigma more for 2^40 draws */
		double sigma;		/* of accuracy studies, 0: none */
	} row[] = {
		{ "1", "1e-6", 1e-4, 1e-4, 4.22468 }, { "1", "1e-10", 1e-4, 1e-4, 5.86778 },
		{ ".1", "1e-9", 1e-4, 1e-4, 0 }, { "3", "1e-12", 1e-4, 1e-4, 0 },
		{ ".01", "1e-5", 1e-4, 1e-4, 0 },
		/* e^epsilon times what the sampler may be off is no longer nothing */
		{ "10", "1e-12", 1e-4, .03, 0 }, { "40", "1e-6", 2e-3, .5, 0 }
	};
	const double shift = 0x1p19;
	struct dp_noise z;
	struct dp_privacy p;
	double s, d, delta;
	size_t i;

	for (i = 0; i < sizeof row / sizeof row[0]; i++) {
		delta = atof(row[i].delta);
		check(dp_privacy_set(&p, false, decimal(row[i].eps), decimal(row[i].delta), 1,
		    1) == 0);
		p.dry = true;
		s = dp_privacy_gauss_sigma(&p, shift, 1000);
		d = exact_delta(shift / s, atof(row[i].eps));
		check(d <= delta && d >= delta * (1 - row[i].room));
		check(dp_gauss_delta(shift / s, atof(row[i].eps)) >= d);
		check(row[i].sigma == 0 || near(s / shift, row[i].sigma, 3e-6));
		check(dp_privacy_gauss_shift(&z, &p, shift, 1000) == 0);
		check(dp_q_double(z.param) >= s * s && near(dp_q_double(z.param), s * s, 1e-9));
		/* more draws, more columns: never less noise, and little more */
		check(dp_privacy_gauss_sigma(&p, shift, (uint64_t)1 << 40) >= s);
		check(near(dp_privacy_gauss_sigma(&p, 0x1p24, (uint64_t)1 << 40) * 0x1p-5, s,
		    row[i].most));
		p.columns = 1000;
		check(dp_privacy_gauss_sigma(&p, shift, (uint64_t)1 << 40) > s);
		p.columns = 1;
		/* large epsilon: zCDP again */
		check(row[i].most > .01 || inequality(dp_privacy_gauss_sigma(&p, shift,
		    (uint64_t)1 << 36), shift, 0x1p36,
		    atof(row[i].eps), delta));
		/* a poor grid: zCDP instead, never less */
		check(dp_privacy_gauss_sigma(&p, 1, (uint64_t)1 << 40) > 1.01 * s / shift);
	}
	/* delta below what 2^50 draws' samplers may miss: no Gaussian noise at all */
	check(dp_privacy_set(&p, false, dp_q_make(1, 1), decimal("1e-14"), 1, 1) == 0 &&
	    p.rho.num == 0);
	/*
	 * an epsilon so large that a shift would leave the sampler's range is cut: sigma stays
	 * above the shift / 16
	 */
	check(dp_privacy_set(&p, false, dp_q_make(1000000, 1), decimal("1e-6"), 1, 1) == 0);
	check(dp_q_double(p.rho) < 40);
	check(dp_privacy_gauss_sigma(&p, shift, 10) > shift / 12);
	check(dp_privacy_set(&p, false, dp_q_make(1, 1), dp_q_make(0, 1), 1, 1) == 0);
	check(dp_privacy_gauss_shift(&z, &p, shift, 1) == DP_EINVAL);
	check(dp_privacy_set(&p, false, dp_q_make(1, 1), decimal("1e-6"), 1, 1) == 0);
	check(dp_privacy_gauss_shift(&z, &p, .5, 1) == DP_EINVAL);
	check(dp_privacy_gauss_shift(&z, &p, 0x1p27, 1) == DP_ERANGE);
	p.exact = true;
	check(dp_privacy_gauss_shift(&z, &p, 0x1p27, 1) == 0 && z.kind == DP_NOISE_NONE);
}

/* -a <= log P_round(k) / P_disc(k) <= a k^2/sigma^2, a = 1 / (24 sigma^2) */
static void
rounded_gaussian(void)
{
	static const double sigma[] = { 1.5, 8, 32 };
	mpfr_t s, x, y, one;
	double a, g, least = 0, most = 0;
	long k;
	size_t i;
	int bad = 0;

	mpfr_inits2(200, s, x, y, one, (mpfr_ptr)0);
	for (i = 0; i < 3; i++) {
		a = 1 / (24 * sigma[i] * sigma[i]);
		mpfr_set_d(s, sigma[i] * sigma[i], MPFR_RNDN);
		for (k = 0; k <= (long)(12 * sigma[i]); k++) {
			mpfr_sqrt_ui(y, 2, MPFR_RNDN);
			mpfr_mul_d(y, y, sigma[i], MPFR_RNDN);
			mpfr_set_d(x, (double)k - .5, MPFR_RNDN);
			mpfr_div(x, x, y, MPFR_RNDN);
			mpfr_erfc(x, x, MPFR_RNDN);
			mpfr_set_d(one, (double)k + .5, MPFR_RNDN);
			mpfr_div(y, one, y, MPFR_RNDN);
			mpfr_erfc(y, y, MPFR_RNDN);
			mpfr_sub(x, x, y, MPFR_RNDN);
			mpfr_div_ui(x, x, 2, MPFR_RNDN);		/* P_round(k) */
			mpfr_log(x, x, MPFR_RNDN);
			mpfr_set_d(y, (double)k * (double)k / 2, MPFR_RNDN);
			mpfr_div(y, y, s, MPFR_RNDN);
			mpfr_add(x, x, y, MPFR_RNDN);
			mpfr_const_pi(y, MPFR_RNDN);			/* Z = sigma sqrt(2 pi) */
			mpfr_mul_ui(y, y, 2, MPFR_RNDN);
			mpfr_mul(y, y, s, MPFR_RNDN);
			mpfr_log(y, y, MPFR_RNDN);
			mpfr_div_ui(y, y, 2, MPFR_RNDN);
			mpfr_add(x, x, y, MPFR_RNDN);
			g = mpfr_get_d(x, MPFR_RNDN);
			bad += g < -a - 1e-15 ||
			    g > a * (double)k * (double)k / sigma[i] / sigma[i] + 1e-15;
			least = fmin(least, g / a);
			most = fmax(most, g / a);
		}
	}
	mpfr_clears(s, x, y, one, (mpfr_ptr)0);
	check(bad == 0);
	check(least < -.9 && most > 100);	/* the bounds are near */
}

/* r_t is the exact sum of the past, rounded; exact: 400 bits, from the definition. */
static void
recursion(const struct example *x, struct dp_rng *rng)
{
	enum { N = 3000 };
	static mpfr_t b[DP_BLT_POLES], in[DP_BLT_ECHOES][N], out[DP_BLT_ECHOES][N];
	static int64_t w[N], z[N];
	struct dp_mech_rule r = blt_rule(x->what, x->T, x->W, x->alpha, "1", "1e-6");
	struct dp_blt *g = blt_make(&r);
	const struct dp_blt_form *f = &g->form;
	struct dp_blt_column *c = blt_column(g);
	struct dp_rng *known;
	mpfr_t R, y, v;
	double off, worst = 0, mean = 0, square = 0;
	size_t t, n = x->n < N ? x->n : N;
	unsigned j;

	n -= n % 8;
	if (n == 0)
		n = 1;
	check(dp_noise_fill(&g->noise, rng, z, n) == 0 && dp_rng_open_known(&known, z, n) == 0);
	for (t = 0; t < n; t += n < 8 ? n : 8)
		check(dp_blt_run(g, c, known, t, w + t, n < 8 ? (unsigned)n : 8) == 0);
	mpfr_inits2(400, R, y, v, (mpfr_ptr)0);
	for (j = 0; j < f->d; j++)
		mpfr_init2(b[j], 400), mpfr_set_ui(b[j], 0, MPFR_RNDN);
	for (t = 0; t < n; t++) {
		mpfr_set_ui(R, 0, MPFR_RNDN);
		for (j = 0; j < f->d; j++) {
			mpfr_mul_ui(y, b[j], f->om[j], MPFR_RNDN);
			mpfr_div_2ui(y, y, 64, MPFR_RNDN);
			mpfr_add(R, R, y, MPFR_RNDN);
		}
		mpfr_set_si(v, w[t], MPFR_RNDN);
		for (j = 0; j < f->echoes; j++) {
			mpfr_init2(in[j][t], 400);
			mpfr_init2(out[j][t], 400);
			mpfr_set(in[j][t], v, MPFR_RNDN);
			if (t >= f->lag) {
				mpfr_mul_ui(y, out[j][t - f->lag], f->b[j], MPFR_RNDN);
				mpfr_div_2ui(y, y, 32, MPFR_RNDN);
				mpfr_add(v, v, y, MPFR_RNDN);
				mpfr_add(R, R, y, MPFR_RNDN);
				mpfr_mul_ui(y, in[j][t - f->lag], f->a[j], MPFR_RNDN);
				mpfr_div_2ui(y, y, 32, MPFR_RNDN);
				mpfr_sub(v, v, y, MPFR_RNDN);
				mpfr_sub(R, R, y, MPFR_RNDN);
			}
			mpfr_set(out[j][t], v, MPFR_RNDN);
		}
		for (j = 0; j < f->d; j++) {
			mpfr_mul_ui(y, b[j], f->gap[j], MPFR_RNDN);
			mpfr_div_2ui(y, y, 64, MPFR_RNDN);
			mpfr_sub(b[j], b[j], y, MPFR_RNDN);
			mpfr_add(b[j], b[j], v, MPFR_RNDN);
		}
		mpfr_sub_si(R, R, z[t] - w[t], MPFR_RNDN);
		off = mpfr_get_d(R, MPFR_RNDN);
		worst = fmax(worst, fabs(off));
		mean += off / (double)n;
		square += off * off / (double)n;
	}
	/* at most a half, and nu: 2^-80 a product, and an echo word's 2^-27 a stage and gain */
	check(worst <= .5 + (f->echoes > 0 ? 3e-6 : 1e-12));
	/*
	 * spread evenly: 8 standard deviations of the mean and of the mean square of n uniform
	 * values
	 */
	check(n < 100 || f->d == 0 || (fabs(mean) < 8 * sqrt(1. / 12 / (double)n) &&
	    fabs(square - 1. / 12) < 8 * sqrt(1. / 180 / (double)n)));
	for (j = 0; j < f->d; j++)
		mpfr_clear(b[j]);
	for (j = 0; j < f->echoes; j++)
		for (t = 0; t < n; t++)
			mpfr_clear(in[j][t]), mpfr_clear(out[j][t]);
	mpfr_clears(R, y, v, (mpfr_ptr)0);
	dp_rng_free(known);
	free(c);
	dp_mech_free(&g->f.m);
}

static int64_t
same_unit(const struct dp_blt *g, uint64_t t)
{
	(void)t;
	return (int64_t)1 << g->s;
}

/* That sum over D^2 ||c||^2 l2. */
static double
shifted(const struct dp_mech_rule *r, const int64_t *d, size_t n, struct dp_rng *rng)
{
	struct dp_blt *g = blt_make(r);
	double sum = account_all(g, r, same_unit, d, n, rng);

	sum /= dp_blt_sens(&g->form, (double)g->end);
	dp_mech_free(&g->f.m);
	return sum;
}

static void
shifts(struct dp_rng *rng)
{
	static const struct example row[] = {
		{ DP_TASK_COUNT, 1, 0, 0, 1 }, { DP_TASK_COUNT, 40, 0, 0, 40 },
		{ DP_TASK_COUNT, 1000, 0, 0, 1000 },
		{ DP_TASK_COUNT, 0, 0, 0, 500 }, { DP_TASK_WINDOW, 400, 5, 0, 400 },
		{ DP_TASK_WINDOW, 0, 16, 0, 800 }, { DP_TASK_WINDOW, 0, 1, 0, 8 },
		{ DP_TASK_EXP, 0, 0, .9, 300 }
	};
	static int64_t d[1000];
	struct dp_mech_rule r;
	struct dp_blt_form f;
	double ratio, size, above = 0;
	size_t i, k, at;

	for (i = 0; i < sizeof row / sizeof row[0]; i++) {
		r = blt_rule(row[i].what, row[i].T, row[i].W, row[i].alpha, "1", "1e-6");
		for (k = 0; k < 6; k++) {
			memset(d, 0, sizeof d);
			at = k < 2 ? 0 : k * row[i].n / 7;
			d[at] = k % 2 != 0 ? -1 : 1;
			ratio = shifted(&r, d, row[i].n, rng);
			/* at step 1 the bound is attained, but for the rest of an endless stream */
			check(at != 0 || (row[i].T == 0 && row[i].what == DP_TASK_COUNT) ||
			    near(ratio, 1, 1e-5));
			above += ratio > 1 - 1e-9 + 1e-10;
		}
		/* a user's five events, of both signs */
		memset(d, 0, sizeof d);
		d[0] = 2;
		d[row[i].n / 2] += 1;
		d[row[i].n - 1] -= 2;
		r.privacy.l1 = 5;
		r.privacy.l2squared = 25;
		check(shifted(&r, d, row[i].n, rng) <= 1);
	}
	r = blt_rule(DP_TASK_COUNT, (uint64_t)1 << 40, 0, 0, "1", "1e-6");
	dp_blt_choose(&f, &r);
	size = sqrt(dp_blt_sens(&f, (double)r.horizon));
	ratio = dp_blt_shift(&f, &r.privacy, 24, size, r.horizon);
	r.privacy.columns = 2;		/* twice the steps' share of rounding, the norm as before */
	check(dp_blt_shift(&f, &r.privacy, 24, size, r.horizon) > ratio * (1 + 1e-5));
	/*
	 * rounding does push the sum above D^2 ||c||^2 in some runs: its terms in the bound are
	 * needed
	 */
	check(above >= 2);
}

/*
 * Comings and goings in turn (privacy.h, l2fading): the noise is that of their number, and the sum
 * of squares that it has to account for is no more.
 */
static void
fades(struct dp_rng *rng)
{
	enum { N = 4096, W = 16 };
	static int64_t d[N];
	static long double c[N];
	struct dp_mech_rule r = blt_rule(DP_TASK_COUNT, N, 0, 0, "1", "1e-6");
	struct dp_mech_rule window = blt_rule(DP_TASK_WINDOW, 0, 64, 0, "1", "1e-6");
	struct dp_blt *one = blt_make(&r), *many, *slow;
	double ratio, size;
	uint64_t T;
	int i, k;

	r.privacy.l1 = W;
	r.privacy.l2squared = W * W;
	slow = blt_make(&r);
	r.privacy.l2fading = W;
	many = blt_make(&r);
	/* as integers are rounded, l1 of them matters, too: a little */
	ratio = dp_noise_variance(&many->noise) / dp_noise_variance(&one->noise) *
	    ldexp(1, 2 * (int)one->s - 2 * (int)many->s);
	check(near(ratio, W, 1e-3));
	ratio = dp_noise_variance(&slow->noise) / dp_noise_variance(&one->noise) *
	    ldexp(1, 2 * (int)one->s - 2 * (int)slow->s);
	check(near(ratio, W * W, 1e-3));
	dp_mech_free(&one->f.m);
	dp_mech_free(&slow->f.m);
	for (k = 0; k < 3; k++) {
		memset(d, 0, sizeof d);
		for (i = 0; i < W; i++)		/* one after the other; 16 apart; 256 apart */
			d[i << 4 * k] = i % 2 != 0 ? -1 : 1;
		(void)shifted(&r, d, N, rng);
	}
	/* what the Statement asks of C, for forms from short to endless */
	for (T = 2; T <= (uint64_t)1 << 40; T *= 7) {
		r.horizon = T;
		dp_blt_choose(&many->form, &r);
		check(dp_blt_keep(&many->form, 0, NULL) == 0);
		chain_c(&many->form, c, N);
		for (i = 1; i < N; i++)
			if (!(c[i] >= 0 && c[i] <= c[i - 1]))
				fail("a column rises");
	}
	/* one whose c_1 is above 1 pays for all, and so do those with echoes */
	size = dp_blt_shift(&many->form, &r.privacy, 20, 2, N);
	many->form.om[0] = UINT64_MAX;
	many->form.om[1] = UINT64_MAX;
	check(dp_blt_shift(&many->form, &r.privacy, 20, 2, N) > 3 * size);
	dp_mech_free(&many->f.m);
	dp_blt_choose(&(many = blt_make(&window))->form, &window);
	check(dp_blt_shift(&many->form, &r.privacy, 20, 2, N) > 3 * size);
	dp_mech_free(&many->f.m);
}

static struct dp_mech *
count_mech(uint64_t T, bool exact)
{
	struct dp_mech_rule r = blt_rule(DP_TASK_COUNT, T, 0, 0, exact ? "" : "1", exact ? "0" :
	    "1e-6");
	struct dp_mech *m;

	return dp_mech_plan(&m, &dp_blt_ops, &r) == 0 ? m : NULL;
}

/*
 * Scripted noise: the estimate is the count plus the noise of the definition in real numbers,
 * rounded.
 */
static void
estimates(struct dp_rng *rng)
{
	enum { N = 512 };
	static int64_t z[N], x[N], est;
	static dp_wide batch[N];
	struct dp_mech_rule r = blt_rule(DP_TASK_COUNT, N, 0, 0, "1", "1e-6");
	struct dp_blt *g = blt_make(&r);
	struct dp_mech *m = count_mech(N, false);
	struct chain c;
	struct column a, b;
	struct dp_rng *one, *two;
	long double w, sum = 0;
	int64_t count = 0;
	size_t t, done = 0;
	int bad = 0;

	check(dp_noise_fill(&g->noise, rng, z, N) == 0);
	if (dp_rng_open_known(&one, z, N) != 0 || dp_rng_open_known(&two, z, N) != 0)
		abort();
	check((column_new(&a, m, one) | column_new(&b, m, two)) == 0);
	chain_new(&c, &g->form, N);
	for (t = 0; t < N; t++)
		x[t] = (int64_t)(t * t % 7) - 2;
	check(dp_mech_steps(m, b.state, two, 1, x, batch, 100, &done) == 0 && done == 100);
	check(dp_mech_steps(m, b.state, two, 101, x + 100, batch + 100, N - 100, &done) == 0 &&
	    done == N - 100);
	for (t = 0; t < N; t++) {
		w = (long double)z[t] - chain_past(&c);
		chain_push(&c, w);
		sum += w;
		count += x[t];
		check(column_step(&a, x[t], &est) == 0);
		/* every step's rounding moves the sum by at most a half noise unit, 2^-26 */
		bad += fabsl((long double)est - (long double)count - ldexpl(sum,
		    -(int)g->s)) > .5L + 1e-4L;
		bad += batch[t] != est;
	}
	check(bad == 0 && one->left == 0 && two->left == 0);
	chain_free(&c);
	column_free(&a);
	column_free(&b);
	dp_rng_free(one);
	dp_rng_free(two);
	dp_mech_free(m);
	dp_mech_free(&g->f.m);
}

/* A window of one step is its value and its increment, in units of 2^-s. */
static void
last_step(struct dp_rng *rng)
{
	enum { N = 128 };
	static int64_t z[N], w[DP_FILL], est;
	struct dp_mech_rule r = blt_rule(DP_TASK_WINDOW, 0, 1, 0, "1", "1e-6");
	struct dp_blt *g = blt_make(&r);
	struct dp_blt_column *own = blt_column(g);
	struct dp_rng *one, *two;
	struct column c;
	unsigned t;

	check(dp_noise_fill(&g->noise, rng, z, N) == 0);
	if (dp_rng_open_known(&one, z, N) != 0 || dp_rng_open_known(&two, z, N) != 0)
		abort();
	check(column_new(&c, &g->f.m, one) == 0);
	for (t = 0; t < N; t++) {
		if (t % DP_FILL == 0)
			check(dp_blt_run(g, own, two, t, w, DP_FILL) == 0);
		check(column_step(&c, t, &est) == 0);
		check(est == (int64_t)t + (int64_t)rint(ldexp((double)w[t % DP_FILL],
		    -(int)g->s)));
	}
	column_free(&c);
	dp_rng_free(one);
	dp_rng_free(two);
	free(own);
	dp_mech_free(&g->f.m);
}

/* Half to even, of the estimate: the first draw alone, a half of a grid unit, from both sides. */
static void
halves(void)
{
	static const struct {
		int64_t x, half, want;
	} row[] = { { 0, 1, 0 }, { 1, 1, 2 }, { 0, -1, 0 }, { 1, -1, 0 }, { 2, 3, 4 }, { 1, 3, 2 },
	    { 0, -3, -2 } };
	int64_t z[DP_FILL] = { 0 }, est;
	struct dp_mech_rule r = blt_rule(DP_TASK_COUNT, 4, 0, 0, "1", "1e-6");
	struct dp_blt *g = blt_make(&r);
	struct dp_mech *m = count_mech(4, false);
	struct dp_rng *known;
	struct column c;
	size_t i;

	for (i = 0; i < sizeof row / sizeof row[0]; i++) {
		z[0] = row[i].half * ((int64_t)1 << (g->s - 1));
		if (dp_rng_open_known(&known, z, DP_FILL) != 0)
			abort();
		check(column_new(&c, m, known) == 0);
		check(column_step(&c, row[i].x, &est) == 0 && est == row[i].want);
		column_free(&c);
		dp_rng_free(known);
	}
	dp_mech_free(m);
	dp_mech_free(&g->f.m);
}

/* A count that no steps lead to is no state's. */
static void
forged(void)
{
	struct dp_mech *m = count_mech(4, false);
	struct column c;

	check(column_new(&c, m, NULL) == 0 && m->ops->valid(m, c.state, 1));
	*(dp_wide *)c.state = (dp_wide)1 << 112;
	check(!m->ops->valid(m, c.state, 1));
	column_free(&c);
	dp_mech_free(m);
}

static void
no_noise(void)
{
	static const uint64_t T[] = { 1, 7, 64, 65, 1000, 0 };
	struct dp_mech_rule r = blt_rule(DP_TASK_WINDOW, 0, 5, 0, "", "0");
	struct dp_blt *g = blt_make(&r);
	struct dp_blt_column *col = blt_column(g);
	struct dp_mech *m;
	struct column c;
	int64_t w[DP_FILL], est, sum;
	uint64_t i, t;
	int bad = 0;

	for (i = 0; i < 6; i++) {
		m = count_mech(T[i], true);
		check(column_new(&c, m, NULL) == 0);
		for (sum = 0, t = 1; t <= (T[i] != 0 ? T[i] : 300); t++) {
			sum += (int64_t)(t % 5) - 1;
			bad += column_step(&c, (int64_t)(t % 5) - 1, &est) != 0 || est != sum;
		}
		check(dp_mech_variance(m, 1) == 0);
		column_free(&c);
		dp_mech_free(m);
	}
	for (i = 0; i < 256; i += DP_FILL) {
		check(g->f.m.ops->many.fill(&g->f.m, col, NULL, i, w) == 0);
		for (t = 0; t < DP_FILL; t++)
			bad += w[t] != 0;
	}
	check(bad == 0);
	free(col);
	dp_mech_free(&g->f.m);
}

static int
refused(struct dp_mech_rule r)
{
	struct dp_mech *m;
	int e = dp_mech_plan(&m, &dp_blt_ops, &r);

	if (e == 0)
		dp_mech_free(m);
	return e;
}

static void
refusals(void)
{
	struct dp_mech_rule r = blt_rule(DP_TASK_COUNT, 100, 0, 0, "1", "1e-6");
	int64_t z[DP_FILL] = { 0 }, w[DP_FILL];
	struct dp_blt *g = blt_make(&r);
	struct dp_blt_column *c = blt_column(g);
	struct dp_rng *known;

	if (dp_rng_open_known(&known, z, DP_FILL) != 0)
		abort();
	check(dp_blt_run(g, c, known, 100, w, 1) == DP_EHORIZON);
	z[3] = -((int64_t)1 << 32) - 1;
	check(dp_blt_run(g, c, known, 0, w, DP_FILL) == DP_ERANGE);
	check(dp_blt_run(g, c, known, 0, w, DP_FILL) == DP_EENTROPY);
	dp_rng_free(known);
	free(c);
	dp_mech_free(&g->f.m);
	r.privacy.wide = true;
	check(refused(r) == DP_EINVAL);
	r.privacy.wide = false;
	r.privacy.delta = dp_q_make(0, 1);
	check(refused(r) == DP_EINVAL);
	check(refused(blt_rule(DP_TASK_POLY, 100, 0, 0, "1", "1e-6")) == DP_EINVAL);
	check(refused(blt_rule(DP_TASK_WINDOW, 0, DP_BLT_LONGEST + 1, 0, "1",
	    "1e-6")) == DP_EINVAL);
	check(refused(blt_rule(DP_TASK_WINDOW, 0, 0, 0, "1", "1e-6")) == DP_EINVAL);
	check(refused(blt_rule(DP_TASK_EXP, 0, 0, 1, "1", "1e-6")) == DP_EINVAL);
	check(refused(blt_rule(DP_TASK_COUNT, (uint64_t)1 << 51, 0, 0, "1", "1e-6")) == DP_EINVAL);
	r = blt_rule(DP_TASK_COUNT, 1000, 0, 0, "1", "1e-6");
	r.privacy.l1 = (uint64_t)1 << 25;
	r.privacy.l2squared = (uint64_t)1 << 50;
	check(refused(r) == 0);
	r.privacy.l1 = (uint64_t)1 << 27;
	r.privacy.l2squared = (uint64_t)1 << 54;
	check(refused(r) == DP_ERANGE);
}

/*
 * Root mean square errors of this project's accuracy studies, at the digits printed there (sqrt:
 * the optimum).
 */
static void
tables(void)
{
	static const struct {
		struct example x;
		uint64_t report;
		double max6, max10, mean6, mean10;
	} row[] = {
		{ { DP_TASK_COUNT, 1 << 8, 0, 0, 0 }, 1 << 8, 11.97, 16.62, 11.22, 15.59 },
		{ { DP_TASK_COUNT, 1 << 12, 0, 0, 0 }, 1 << 12, 15.69, 21.80, 14.97, 20.79 },
		{ { DP_TASK_COUNT, 1 << 16, 0, 0, 0 }, 1 << 16, 19.42, 26.97, 18.73, 26.02 },
		{ { DP_TASK_COUNT, 1 << 20, 0, 0, 0 }, 1 << 20, 23.16, 32.16, 22.49, 31.24 },
		{ { DP_TASK_COUNT, 1 << 24, 0, 0, 0 }, 1 << 24, 26.91, 37.38, 26.26, 36.47 },
		{ { DP_TASK_COUNT, 1 << 30, 0, 0, 0 }, 1 << 30, 32.65, 45.35, 32.01, 44.46 },
		{ { DP_TASK_WINDOW, 0, 1 << 4, 0, 0 }, 1 << 30, 8.93, 12.40, 8.93, 12.40 },
		{ { DP_TASK_WINDOW, 0, 1 << 8, 0, 0 }, 1 << 30, 13.68, 19.00, 13.68, 19.00 },
		{ { DP_TASK_WINDOW, 0, 1 << 12, 0, 0 }, 1 << 30, 18.43, 25.59, 18.43, 25.59 },
		{ { DP_TASK_WINDOW, 0, 1 << 16, 0, 0 }, 1 << 30, 23.17, 32.19, 23.17, 32.19 },
		{ { DP_TASK_EXP, 0, 0, .9, 0 }, 1 << 30, 6.13, 8.52, 6.13, 8.52 },
		{ { DP_TASK_EXP, 0, 0, .99, 0 }, 1 << 30, 9.03, 12.54, 9.03, 12.54 },
		{ { DP_TASK_EXP, 0, 0, .999, 0 }, 1 << 30, 12.09, 16.79, 12.09, 16.79 },
		{ { DP_TASK_EXP, 0, 0, .9999, 0 }, 1 << 30, 15.18, 21.09, 15.18, 21.09 }
	};
	static const char *const delta[] = { "1e-6", "1e-10" };
	struct dp_mech_rule r;
	struct dp_error e;
	struct dp_blt *g;
	double max, mean;
	size_t i, k;

	for (i = 0; i < sizeof row / sizeof row[0]; i++)
		for (k = 0; k < 2; k++) {
			r = blt_rule(row[i].x.what, row[i].x.T, row[i].x.W, row[i].x.alpha, "1",
			    delta[k]);
			r.privacy.dry = true;
			if ((g = blt_make(&r)) == NULL) {
				fail("not made");
				continue;
			}
			dp_blt_ops.error(&g->f.m, row[i].report, &e);
			max = k == 0 ? row[i].max6 : row[i].max10;
			mean = k == 0 ? row[i].mean6 : row[i].mean10;
			if (!(sqrt(e.max) <= max + .005 && sqrt(e.mean) <= mean + .005))
				printf("row %zu: max %.4f, not %.2f; mean %.4f, not %.2f\n", i,
				    sqrt(e.max), max,
				    sqrt(e.mean), mean);
			check(sqrt(e.max) <= max + .005 && sqrt(e.mean) <= mean + .005);
			check(sqrt(e.max) >= max * .99);
			dp_mech_free(&g->f.m);
		}
}

/*
 * T unknown: the variance after t steps is below 1.5 times that of knowing T = t (Jacobsen and
 * Fawaz 2025 have that up to 2^24), from 2^14 to 2^25, and nowhere more than four times as much.
 */
static void
endless(void)
{
	struct dp_mech *m = count_mech(0, false), *known;
	double ratio;
	unsigned k;

	for (k = 0; m != NULL && k <= 40; k++) {
		if ((known = count_mech((uint64_t)1 << k, false)) == NULL) {
			fail("not made");
			continue;
		}
		ratio = dp_mech_variance(m, (uint64_t)1 << k) /
		    dp_mech_variance(known, (uint64_t)1 << k);
		check(ratio < (k >= 14 && k <= 25 ? 1.5 : 4));
		dp_mech_free(known);
	}
	check(m != NULL);
	dp_mech_free(m);
}

/* error() against every step's law */
static void
predictions(void)
{
	static const uint64_t T[] = { 1, 2, 70, 1000 };
	struct dp_error a, b;
	struct dp_law law;
	struct dp_mech *m;
	size_t i;

	for (i = 0; i < 4; i++) {
		m = count_mech(T[i], false);
		m->ops->error(m, T[i], &a);
		error_brute(m, T[i], &b);
		/* P(|N| > 1.96 sd) = .05 */
		dp_mech_law(m, 0, T[i], &law);
		check(fabs(dp_law_bound(&law, .05) - 1.95996 * sqrt(a.max)) <= 1);
		check(near(a.max, b.max, 1e-9) && near(a.mean, b.mean, 1e-9) && a.worst == b.worst);
		dp_mech_free(m);
	}
}

/* The planner takes it where it is best, and only with a delta. */
static void
planned(void)
{
	struct dp_mech_rule s = setting((uint64_t)1 << 20, 1, 1, 1);
	struct dp_plan p;
	char why[DP_PLAN_WHY];
	int i;

	for (i = 0; i < 2; i++) {
		check(dp_privacy_set(&s.privacy, false, dp_q_make(1, 1), i == 0 ? dp_q_make(0, 1) :
		    decimal("1e-6"),
		    1, 1) == 0);
		if (dp_plan_make(&p, &s, "auto", why) != 0) {
			fail("not planned");
			continue;
		}
		check((p.eligible[p.chosen].ops == &dp_blt_norm_ops) == (i == 1));
		dp_plan_free(&p);
	}
}

int
main(void)
{
	struct dp_rng *rng;
	size_t i;

	if (dp_rng_open_seed(&rng, 11) != 0)
		abort();
	closed_forms();
	factors();
	calibration();
	rounded_gaussian();
	for (i = 0; i < EXAMPLES; i++)
		recursion(&example[i], rng);
	shifts(rng);
	fades(rng);
	last_step(rng);
	estimates(rng);
	halves();
	forged();
	no_noise();
	refusals();
	tables();
	endless();
	predictions();
	planned();
	dp_rng_free(rng);
	return done();
}
