/* SPDX-License-Identifier: ISC */
/*
 * t_law.c - predicted tails and bounds: against direct convolution, closed forms and the
 * literature's figures.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "account/internal.h"
#include "account/privacy.h"
#include "check.h"
#include "law/internal.h"
#include "law/law.h"

#define REACH	4000

static struct dp_law law;

static void
laplace(struct dp_noise *z, uint64_t num, uint64_t den)
{
	if (dp_noise_describe(z, DP_NOISE_LAPLACE, dp_q_make(num, den)) != 0)
		abort();
}

/* P(|S| >= x) for S = sum of n[i] copies of coef[i] * DLap(b[i]), integer coefs, by convolution */
static double
convolved(const double *b, const int *coef, const int *n, int terms, int x)
{
	static double p[2 * REACH + 1], q[2 * REACH + 1];
	double r, mass, t = 0;
	int i, j, k, s;

	memset(p, 0, sizeof p);
	p[REACH] = 1;
	for (i = 0; i < terms; i++)
		for (j = 0; j < n[i]; j++) {
			r = exp(-1 / b[i]);
			memset(q, 0, sizeof q);
			for (k = -400; k <= 400; k++) {
				mass = (1 - r) / (1 + r) * pow(r, abs(k));
				for (s = 0; s <= 2 * REACH; s++)
					if (s - k * coef[i] >= 0 && s - k * coef[i] <= 2 * REACH)
						q[s] += mass * p[s - k * coef[i]];
			}
			memcpy(p, q, sizeof p);
		}
	for (s = 0; s <= 2 * REACH; s++)
		if (abs(s - REACH) >= x)
			t += p[s];
	return t;
}

static bool
near(double a, double b, double relative)
{
	return fabs(a - b) <= relative * fabs(b);
}

static void
tails(void)
{
	static const double b[] = { 3, 7.5 };
	static const int coef[] = { 1, 2 }, n[] = { 3, 2 };
	static struct dp_noise z[2];
	int x;

	laplace(&z[0], 3, 1);
	laplace(&z[1], 15, 2);
	for (x = 1; x <= 60; x += 7) {
		dp_law_clear(&law);
		dp_law_add(&law, &z[0], 1, 3);
		check(near(dp_law_tail(&law, x), convolved(b, coef, n, 1, x), 1e-6));
		dp_law_add(&law, &z[1], 2, 2);
		check(near(dp_law_tail(&law, x), convolved(b, coef, n, 2, x), 1e-6));
		check(dp_law_chernoff(&law, x) >= convolved(b, coef, n, 2, x));
	}
}

/* One DLap(b): P(|z| >= x) = 2 q^x / (1+q). */
static void
single(void)
{
	static const double gamma[] = { .5, .1, .05, 1e-3, 1e-6 };
	static struct dp_noise z;
	double b, q, w;
	size_t i;

	for (b = 1; b < 1e12; b *= 3) {
		laplace(&z, (uint64_t)b, 1);
		q = exp(-1 / b);
		dp_law_clear(&law);
		dp_law_add(&law, &z, 1, 1);
		for (i = 0; i < 5; i++) {
			w = dp_law_bound(&law, gamma[i]);
			check(2 * exp(-(w + 1) / b) / (1 + q) <= gamma[i] * (1 + 1e-6));
			check(w == 0 || 2 * exp(-w / b) / (1 + q) > gamma[i] * (1 - 1e-6));
		}
	}
}

/*
 * The tree at epsilon 1: T = 8 (b = 3) 9, 12, 15 for one to three nodes; T = 1024, 11 nodes of
 * DLap(11): 102
 */
static void
literature(void)
{
	static const double want[] = { 9, 12, 15 }, all[] = { 15, 20, 23 };
	static struct dp_noise z;
	int m;

	laplace(&z, 3, 1);
	for (m = 1; m <= 3; m++) {
		dp_law_clear(&law);
		dp_law_add(&law, &z, 1, m);
		check(dp_law_bound(&law, .05) == want[m - 1]);
		check(dp_law_bound(&law, .05 / 8) == all[m - 1]);
	}
	laplace(&z, 11, 1);
	dp_law_clear(&law);
	dp_law_add(&law, &z, 1, 11);
	check(dp_law_bound(&law, .05) == 102);
	check(dp_law_bound(&law, .05 / 1024) == 236);
	check(near(dp_law_variance(&law), 11 * 241.833402, 1e-7));
	/* deep tails fall back to Chernoff: never below the truth, 2 at most above */
	check(dp_law_bound(&law, 1e-10) >= dp_law_bound(&law, 2e-9));
}

/*
 * Mixed weights: the bound covers, by simulation-free convolution on a fine grid.
 */
static void
fractions(void)
{
	static const double b[] = { 3 };
	static const int quarter[] = { 1 }, three[] = { 3 }, n1[] = { 5 }, n3[] = { 2 };
	static struct dp_noise z;
	double w, exact;
	int x;

	laplace(&z, 3, 1);
	dp_law_clear(&law);
	dp_law_add(&law, &z, .25, 5);
	dp_law_add(&law, &z, .75, 2);
	for (x = 3; x <= 12; x += 3) {
		/* the same in quarters; |error| >= x after rounding means |noise| >= x - 1/2 */
		static const double bb[] = { 3, 3 };
		int coef[] = { quarter[0], three[0] }, n[] = { n1[0], n3[0] };

		exact = convolved(bb, coef, n, 2, 4 * x - 2);
		check(dp_law_tail(&law, x) >= .9 * exact && dp_law_tail(&law, x) <= 1.15 * exact);
	}
	(void)b;
	w = dp_law_bound(&law, .05);
	check(w >= 8 && w <= 11);
}

/*
 * What is estimated lies between whole numbers: P(|X + U| > w) is the mean of P(|X| >= x) over w -
 * 1/2 < x < w + 1/2, the means of four quarters, of two whole numbers, or q^w of one draw.
 */
static void
between(void)
{
	static const double b[] = { 3, 3 };
	static const int quarters[] = { 1, 3 }, whole[] = { 1, 3 }, n[] = { 5, 2 };
	static struct dp_noise z;
	double mean, w;
	int x, k;

	laplace(&z, 3, 1);
	dp_law_clear(&law);
	law.between = true;
	dp_law_add(&law, &z, .25, 5);
	dp_law_add(&law, &z, .75, 2);
	for (x = 2; x <= 12; x += 2) {
		for (mean = 0, k = 1; k <= 4; k++)
			mean += convolved(b, quarters, n, 2, 4 * x - 2 + k) / 4;
		check(near(dp_law_tail(&law, x + 1), mean, 1e-3));	/* waves up to 2 pi */
	}
	w = dp_law_bound(&law, .1);
	check(dp_law_tail(&law, w + 1) <= .1 && dp_law_tail(&law, w) > .1);
	dp_law_clear(&law);
	law.between = true;
	dp_law_add(&law, &z, 1, 5);
	dp_law_add(&law, &z, 3, 2);
	for (x = 2; x <= 42; x += 8) {
		mean = (convolved(b, whole, n, 2, x) + convolved(b, whole, n, 2, x + 1)) / 2;
		check(near(dp_law_tail(&law, x + 1), mean, 1e-6));
	}
	dp_law_clear(&law);
	law.between = true;
	dp_law_add(&law, &z, 1, 1);
	w = dp_law_bound(&law, .03);
	check(exp(-w / 3) <= .03 && exp(-(w - 1) / 3) > .03);
}

/* Ten times the scale, ten times the interval: also where a grid unit is next to nothing. */
static void
scaling(void)
{
	static struct dp_noise z, y;
	double b, small, large;
	int m;

	for (b = 1e3; b < 1e11; b *= 10)
		for (m = 2; m <= 50; m *= 5) {
			laplace(&z, (uint64_t)b, 1);
			laplace(&y, (uint64_t)(2 * b), 1);
			dp_law_clear(&law);
			dp_law_add(&law, &z, 1, m);
			dp_law_add(&law, &y, .375, 3);
			small = dp_law_bound(&law, .05);
			check(near(small, 1.96 * sqrt(dp_law_variance(&law)), .05));
			laplace(&z, (uint64_t)(10 * b), 1);
			laplace(&y, (uint64_t)(20 * b), 1);
			large = dp_law_bound(&law, .05);
			check(near(large, 10 * small, .002));
		}
}

/* No noise, no way to go, one Gaussian, many of a kind, flipped bits. */
/* Whole coefficients with a factor in common: the bound of a sum on a coarse grid. */
static void
factors(void)
{
	static const double b[] = { 7, 7 };
	static const int one[] = { 1, 3 }, n[] = { 5, 2 };
	static struct dp_noise z;
	double fine, w;
	int k;

	laplace(&z, 7, 1);
	for (k = 1; k <= 1000000; k *= 10) {
		dp_law_clear(&law);
		dp_law_add(&law, &z, k, 5);
		dp_law_add(&law, &z, 3 * k, 2);
		w = dp_law_bound(&law, .05);
		fine = k == 1 ? w : fine;
		check(w == k * fine);
	}
	check(convolved(b, one, n, 2, (int)fine + 1) <= .05);
	check(convolved(b, one, n, 2, (int)fine) > .05);
	dp_law_clear(&law);
	dp_law_add(&law, &z, 4, 1);
	dp_law_add(&law, &z, 6, 1);
	fine = dp_law_bound(&law, .05);
	dp_law_clear(&law);
	dp_law_add(&law, &z, 2, 1);
	dp_law_add(&law, &z, 3, 1);
	check(fine == 2 * dp_law_bound(&law, .05));
}

static void
edges(void)
{
	static struct dp_noise z, g;
	double x;

	laplace(&z, 10, 1);
	if (dp_noise_describe(&g, DP_NOISE_GAUSS, dp_q_make(100, 1)) != 0)
		abort();
	dp_law_clear(&law);
	check(dp_law_chernoff(&law, 0) == 1 && dp_law_chernoff(&law, 1) == 0);
	check(dp_law_tail(&law, 0) == 1 && dp_law_tail(&law, 1) == 0);
	check(dp_law_bound(&law, .05) == 0 && dp_law_variance(&law) == 0);
	dp_law_add(&law, &z, 1, 1);
	check(dp_law_chernoff(&law, 0) == 1 && dp_law_tail(&law, 0) == 1);
	x = dp_law_chernoff(&law, 1e18);
	check(x >= 0 && x < 1e-300);
	dp_law_clear(&law);
	dp_law_add(&law, &g, 1, 1);
	for (x = 10; x < 100; x += 30)
		check(near(dp_law_chernoff(&law, x), fmin(1, 2 * exp(-x * x / 200)), 1e-6));
	check(dp_law_bound(&law, .05) == 20);	/* P(|z| >= 20) = .0512 */
	dp_law_clear(&law);
	dp_law_add(&law, &z, 1, 1000);
	check(near(dp_law_bound(&law, .05), 1.96 * sqrt(dp_law_variance(&law)), .01));
	dp_law_clear(&law);
	law.bits = 100;
	law.gap = .5;
	check(dp_law_variance(&law) == 75 && dp_law_bound(&law, .05) == 25);
	law.each = 75. / 100;		/* answers that are no flips: Hoeffding */
	check(dp_law_variance(&law) == 75 && dp_law_bound(&law, .05) == 28);
	dp_law_clear(&law);
	law.full = true;
	check(dp_law_chernoff(&law, 1e9) == 1 && dp_law_tail(&law, 1e9) == 1);
	check(isinf(dp_law_bound(&law, .05)) && isinf(dp_law_variance(&law)));
	/* Noise that is hardly there. */
	laplace(&z, 1, 20);
	dp_law_clear(&law);
	dp_law_add(&law, &z, 1, 1);
	check(dp_law_bound(&law, .999) == 0 && dp_law_bound(&law, .05) == 0);
}

/* P(|error| > w) of n bits, ones of them 1, that are flipped with probability p and debiased. */
static double
flipped(int n, int ones, double p, double w)
{
	double up[64] = { 1 }, down[64] = { 1 }, sum = 0;
	int i, j;

	for (i = 1; i <= n - ones; i++)		/* zeros that became 1 */
		for (j = i; j >= 0; j--)
			up[j] = up[j] * (1 - p) + (j > 0 ? up[j - 1] * p : 0);
	for (i = 1; i <= ones; i++)
		for (j = i; j >= 0; j--)
			down[j] = down[j] * (1 - p) + (j > 0 ? down[j - 1] * p : 0);
	for (i = 0; i <= n - ones; i++)
		for (j = 0; j <= ones; j++)
			if (fabs(rint((ones + i - j - n * p) / (1 - 2 * p)) - ones) > w)
				sum += up[i] * down[j];
	return sum;
}

/* The bound holds whatever the bits are, and is no wider than some two quantiles. */
static void
responses(void)
{
	static const double epsilon[] = { .1, 1, 3, 9, 20, 60 }, gamma[] = { .5, .05, 1e-3, 1e-9 };
	const int length[] = { 1, 2, 10, 50 };
	unsigned i, j, k, wide = 0;
	double p, w, far;
	int n, ones;

	for (i = 0; i < 6; i++)
		for (j = 0; j < 4; j++)
			for (k = 0; k < 4; k++) {
				n = length[j];
				p = 1 / (1 + exp(epsilon[i]));
				dp_law_clear(&law);
				law.bits = n;
				law.gap = tanh(epsilon[i] / 2);
				w = dp_law_bound(&law, gamma[k]);
				check(w <= ceil(sqrt(n * log(2 / gamma[k]) / 2) / law.gap));
				for (ones = 0, far = 0; ones <= n; ones++)
					far = fmax(far, flipped(n, ones, p, w));
				check(far <= gamma[k] * (1 + 1e-9));
				for (ones = 0, far = 0; ones <= n; ones++)
					far = fmax(far, flipped(n, ones, p, floor(w / 2) - 1));
				wide += k > 0 && w > 3 && far <= gamma[k];
			}
	check(wide == 0);
}

/* rho-zCDP: the conversion of CKS20; delta falls as epsilon grows; rho(1, 1e-6) is known. */
static void
conversion(void)
{
	struct dp_privacy p;

	check(dp_privacy_set(&p, false, dp_q_make(1, 1), dp_q_make(1, 1000000), 1, 1) == 0);
	/* sigma = 4.53088 at L2 sensitivity 1: rho = 1/(2 sigma^2) = .024356 */
	check(near(dp_q_double(p.rho), 1 / (2 * 4.53088 * 4.53088), 1e-4));
	check(dp_zcdp_delta(dp_q_double(p.rho), 1) <= 1e-6);
	check(dp_zcdp_delta(dp_q_double(p.rho) * 1.001, 1) > 1e-6);
	check(dp_privacy_set(&p, false, dp_q_make(1, 1), dp_q_make(1, 1), 1, 1) == DP_EINVAL);
	check(dp_privacy_set(&p, false, dp_q_make(0, 1), dp_q_make(0, 1), 1, 1) == DP_EINVAL);
	check(dp_privacy_set(&p, false, dp_q_make(1, 1), dp_q_make(0, 1), 0, 0) == DP_EINVAL);
	check(dp_privacy_set(&p, false, dp_q_make(1, 1), dp_q_make(0, 1), ((uint64_t)1 << 56) + 1,
	    1) == DP_EINVAL);
}

/* b = l1 / (epsilon share), exactly: the one constant that everything hangs on. */
static void
scales(void)
{
	static struct dp_noise z;
	struct dp_privacy p;

	check(dp_privacy_set(&p, false, dp_q_make(1, 10), dp_q_make(0, 1), 7, 49) == 0);
	check(dp_privacy_laplace(&z, &p, dp_q_make(1, 3)) == 0);
	check(z.kind == DP_NOISE_LAPLACE && z.param.num == 210 && z.param.den == 1);
	check(dp_privacy_laplace(&z, &p, dp_q_make(0, 1)) == DP_EINVAL);
	check(dp_privacy_laplace(&z, &p, dp_q_make(3, 2)) == DP_EINVAL);
	check(dp_privacy_gauss(&z, &p, dp_q_make(1, 1)) == DP_EINVAL);
	/*
	 * epsilon = 123456789012345678 / 10^18 and a share of 12345/2^24 do not fit: rounded up, by
	 * at most 2^-9
	 */
	check(dp_privacy_set(&p, false, dp_q_make(123456789012345679, 1000000000000000000),
	    dp_q_make(0, 1), 3, 9) == 0);
	check(dp_privacy_laplace(&z, &p, dp_q_make(12345, 16777216)) == 0);
	check(dp_q_double(z.param) >= 3 / .123456789012345679 / (12345 / 16777216.));
	check(dp_q_double(z.param) <= 3 / .123456789012345679 / (12345 / 16777216.) * (1 + 0x1p-8));
}

/* Scales at which whole numbers are no doubles: searches end all the same. */
static void
coarse(void)
{
	static struct dp_noise z;
	struct dp_law l = { .terms = 2, .term = { { .noise = &z, .n = 5, .coef = 0x1p40 },
	    { .noise = &z, .n = 2, .coef = 0x1p30 } } };
	double w;

	z = (struct dp_noise){ .kind = DP_NOISE_LAPLACE, .param = dp_q_make((uint64_t)1 << 55, 1) };
	w = dp_law_bound(&l, .05);
	check(w > sqrt(dp_law_variance(&l)) && w < 3 * sqrt(dp_law_variance(&l)));
	w = dp_noise_width(&z, .05);
	check(w > 2.9 * 0x1p55 && w < 3.1 * 0x1p55);
}

#define FEW	80

/* P(|X| > w) of n draws of a discrete Gaussian, by convolution */
static double
summed_tail(double v, unsigned n, int w)
{
	double p[2 * FEW + 1] = { 0 }, q[2 * FEW + 1], all = 0, tail = 0;
	int i, k;

	for (k = -FEW; k <= FEW; k++)
		all += exp(-k * k / (2 * v));
	for (p[FEW] = 1; n > 0; n--) {
		memset(q, 0, sizeof q);
		for (i = 0; i <= 2 * FEW; i++)
			for (k = -FEW; k <= FEW; k++)
				if (i + k >= 0 && i + k <= 2 * FEW)
					q[i + k] += p[i] * exp(-k * k / (2 * v)) / all;
		memcpy(p, q, sizeof p);
	}
	for (k = -FEW; k <= FEW; k++)
		tail += abs(k) > w ? p[k + FEW] : 0;
	return tail;
}

/* Discrete Gaussians that no normal law is near: their tails are sums over whole numbers. */
static void
grains(void)
{
	static const unsigned hundredths[] = { 6, 25, 50, 69, 115, 199, 300, 599, 601, 1000 };
	static struct dp_law l;
	struct dp_noise z;
	unsigned i, n;
	int w;

	for (i = 0; i < sizeof hundredths / sizeof *hundredths; i++)
		for (n = 1; n <= 4; n += n) {
			check(dp_noise_describe(&z, DP_NOISE_GAUSS, dp_q_make(hundredths[i],
			    100)) == 0);
			dp_law_clear(&l);
			dp_law_add(&l, &z, 1, n);
			for (w = 0; w < 8; w++)
				check(fabs(dp_law_tail(&l, w + 1) - summed_tail(hundredths[i] /
				    100., n, w)) < 1e-11);
			w = (int)dp_law_bound(&l, .01);
			check(summed_tail(hundredths[i] / 100., n, w) <= .01 &&
			    (w == 0 || summed_tail(hundredths[i] / 100., n, w - 1) > .01));
		}
}

#define HALVES	6	/* draws of weight 1, 1/2, .., on a grid of 32 parts of a unit */
#define PARTS	32
#define FARTHEST	512

/* P(|X + U| > w), of that sum: each X's probability for the part of a unit that is beyond. */
static double
halved_tail(double b, int w)
{
	static double p[2 * FARTHEST + 1], q[2 * FARTHEST + 1];
	double x = 0, at, mass[31];
	int i, k, c;

	for (k = 0; k <= 30; k++)
		mass[k] = exp(-k / b) * tanh(.5 / b);
	memset(p, 0, sizeof p);
	for (p[FARTHEST] = 1, c = PARTS; c >= PARTS >> (HALVES - 1) && c > 0; c /= 2) {
		memset(q, 0, sizeof q);
		for (i = 0; i <= 2 * FARTHEST; i++)
			for (k = -30; k <= 30; k++)
				if (i + c * k >= 0 && i + c * k <= 2 * FARTHEST)
					q[i + c * k] += p[i] * mass[abs(k)];
		memcpy(p, q, sizeof p);
	}
	for (i = -FARTHEST; i <= FARTHEST; i++) {
		at = fabs(i / (double)PARTS) + .5 - w;
		x += p[i + FARTHEST] * fmin(fmax(at, 0), 1);
	}
	return x;
}

/* Decays of few rare draws: tails at whole numbers are never too small, and nearly those. */
static void
halves(void)
{
	static const unsigned tenths[] = { 10, 15, 20, 30, 40, 50 };
	static struct dp_law l;
	struct dp_noise z;
	double c, p, is;
	unsigned i;
	int w;

	for (i = 0; i < sizeof tenths / sizeof *tenths; i++) {
		check(dp_noise_describe(&z, DP_NOISE_LAPLACE, dp_q_make(10, tenths[i])) == 0);
		dp_law_clear(&l);
		l.between = true;
		for (c = 1; c > .5 / PARTS; c /= 2)
			dp_law_add(&l, &z, c, 1);
		for (w = 1; w < 8; w++) {
			is = halved_tail(10. / tenths[i], w);
			p = dp_law_tail(&l, w + 1);
			check(is < 1e-7 || (p >= is && p < 1.03 * is));
		}
	}
}

int
main(void)
{
	PART(halves());
	PART(grains());
	PART(coarse());
	PART(tails());
	PART(single());
	PART(literature());
	PART(fractions());
	PART(between());
	PART(scaling());
	PART(factors());
	PART(edges());
	PART(responses());
	PART(conversion());
	PART(scales());
	return done();
}
