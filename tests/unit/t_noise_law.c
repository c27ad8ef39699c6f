/* SPDX-License-Identifier: ISC */
/*
 * The laws of noise.h, by statistics: fixed seeds (PCG64), false-reject rate
 * 1e-6 each.
 *
 * Per scale: chi-square of the values in bins (integers at small scales, about
 * b/12 wide at large ones, all with expectation >= 20); chi-square of (|x|-1)
 * mod 256 (digits independent); signs; second moment against
 * dp_noise_variance(); correlation of neighbours and of their magnitudes.
 * Power: the same chi-square against a law whose scale is 3% larger must
 * reject.
 */
#include <stdlib.h>

#include "check.h"
#include "random/internal.h"
#include "random/rng.h"
#include "stats.h"

#define N	4000000
#define BINS	2000			/* on either side */
#define LEAST	20.0			/* expectation of a bin */

static int64_t z[N];

/* A law of this scale: tails P(X >= x), x >= 1. */
struct law {
	bool gauss;
	long double scale;		/* b or sigma */
	long double *tail;		/* Gauss: [x], x < size */
	int64_t size;
};

static long double
tail(const struct law *l, int64_t x)
{
	if (l->gauss)
		return x < l->size ? l->tail[x] : 0;
	return expl(-(long double)x / l->scale) / (1 + expl(-1 / l->scale));
}

/* P(lo <= X <= hi) for 0 <= lo, or lo < 0 < hi */
static long double
between(const struct law *l, int64_t lo, int64_t hi)
{
	if (lo > 0)
		return tail(l, lo) - tail(l, hi + 1);
	return 1 - tail(l, hi + 1) - tail(l, 1 - lo);
}

static struct law
make_law(bool gauss, long double scale)
{
	struct law l = { gauss, scale, NULL, 0 };
	long double p, sum = 0;
	int64_t x;

	if (!gauss)
		return l;
	l.size = (int64_t)(20 * scale) + 20;
	l.tail = malloc((size_t)l.size * sizeof *l.tail);
	if (l.tail == NULL)
		exit(1);
	for (x = l.size - 1; x >= 0; x--) {
		p = expl(-(long double)(x * x) / (2 * scale * scale));
		sum += p;
		l.tail[x] = sum;
	}
	sum = 2 * sum - 1;		/* all of it: sum counts 0 once */
	for (x = 0; x < l.size; x++)
		l.tail[x] /= sum;
	return l;
}

/* Bins are symmetric, 2h+1 wide around multiples of 2h+1; merged until large enough. */
static double
chi2_values(const struct law *l, int64_t h, double *df)
{
	static double seen[2 * BINS + 1];
	int64_t w = 2 * h + 1, k, lo, hi;
	double e, o = 0, expect = 0, chi2 = 0;
	size_t i;

	memset(seen, 0, sizeof seen);
	for (i = 0; i < N; i++) {
		k = ((z[i] < 0 ? -z[i] : z[i]) + h) / w;
		k = k < BINS ? k : BINS;
		seen[BINS + (z[i] < 0 ? -k : k)]++;
	}
	*df = -1;
	for (k = -BINS; k <= BINS; k++) {
		lo = k * w - h;
		hi = k * w + h;
		if (k == BINS || k == -BINS)
			e = (double)tail(l, BINS * w - h);
		else
			e = k < 0 ? (double)between(l, -hi, -lo) : (double)between(l, lo, hi);
		expect += e * N;
		o += seen[BINS + k];
		if (expect >= LEAST) {
			chi2 += (o - expect) * (o - expect) / expect;
			(*df)++;
			o = expect = 0;
		}
	}
	/* what is left in the last tail; no room for it to hide */
	if (expect > 0)
		chi2 += (o - expect) * (o - expect) / (expect < 1 ? 1 : expect);
	return chi2;
}

static double
chi2_digits(const struct law *l, double *df)
{
	static double seen[256];
	long double q = expl(-1 / l->scale), p;
	double n = 0, o = 0, expect = 0, chi2 = 0;
	size_t i;
	int r;

	memset(seen, 0, sizeof seen);
	for (i = 0; i < N; i++)
		if (z[i] != 0) {
			seen[((z[i] < 0 ? -z[i] : z[i]) - 1) & 255]++;
			n++;
		}
	*df = -1;
	for (r = 0; r < 256; r++) {
		p = expm1l(-1 / l->scale) / expm1l(-256 / l->scale) * powl(q, r);
		expect += (double)p * n;
		o += seen[r];
		if (expect >= LEAST) {
			chi2 += (o - expect) * (o - expect) / expect;
			(*df)++;
			o = expect = 0;
		}
	}
	return chi2;
}

static void
moments(const struct dp_noise *nz, const char *name)
{
	double v = dp_noise_variance(nz), s2 = 0, s4 = 0, s1 = 0, m = 0, vm;
	double lag = 0, lagm = 0, pos = 0, nonzero = 0, x, a, last = 0;
	double zs, zv, zl, zm, n = N;
	size_t i;

	for (i = 0; i < N; i++) {
		x = (double)z[i];
		s1 += x;
		s2 += x * x;
		s4 += x * x * x * x;
		m += fabs(x);
		pos += x > 0;
		nonzero += x != 0;
		lag += x * last;
		last = x;
	}
	m /= n;
	vm = s2 / n - m * m;
	for (i = 1; i < N; i++) {
		a = fabs((double)z[i - 1]) - m;
		lagm += a * (fabs((double)z[i]) - m);
	}
	zs = (2 * pos - nonzero) / sqrt(nonzero);
	zv = (s2 - n * v) / sqrt(s4 - n * v * v);
	zl = lag / (v * sqrt(n));
	zm = lagm / (vm * sqrt(n));
	printf("%s: mean %+.2f, signs %+.2f, variance %+.2f, lag %+.2f, |lag| %+.2f "
	    "(|z| < %.2f)\n", name, s1 / sqrt(n * v), zs, zv, zl, zm, Z_LIMIT);
	check(fabs(s1 / sqrt(n * v)) < Z_LIMIT && fabs(zs) < Z_LIMIT);
	check(fabs(zv) < Z_LIMIT && fabs(zl) < Z_LIMIT && fabs(zm) < Z_LIMIT);
}

static void
scale(bool gauss, struct dp_q q, uint64_t seed)
{
	static struct dp_noise nz;
	struct dp_rng *r;
	struct law l, wrong;
	long double s = (long double)q.num / (long double)q.den;
	double x, df, p;
	char name[64];
	int64_t h;

	snprintf(name, sizeof name, "%s %g", gauss ? "sigma^2" : "b", (double)s);
	if (gauss)
		s = sqrtl(s);
	check((gauss ? dp_noise_gauss(&nz, q) : dp_noise_laplace(&nz, q)) == 0);
	check(dp_rng_open_seed(&r, seed) == 0);
	check(dp_noise_fill(&nz, r, z, N) == 0);
	dp_rng_free(r);
	l = make_law(gauss, s);
	wrong = make_law(gauss, s * 1.03L);
	h = s < 30 ? 0 : (int64_t)(s / 24);

	x = chi2_values(&l, h, &df);
	p = chi2_tail(x, df);
	printf("%s, seed %llu, n %d: values chi2 %.1f/%.0f p %.3g", name,
	    (unsigned long long)seed, N, x, df, p);
	check(df >= 2 && p > FALSE_REJECT);
	x = chi2_values(&wrong, h, &df);
	printf(", scale +3%% chi2 %.0f/%.0f", x, df);
	check(chi2_tail(x, df) < FALSE_REJECT);
	if (!gauss && s > 1) {
		x = chi2_digits(&l, &df);
		p = chi2_tail(x, df);
		printf(", digits %.1f/%.0f p %.3g", x, df, p);
		check(p > FALSE_REJECT);
	}
	printf("\n");
	moments(&nz, name);
	free(l.tail);
	free(wrong.tail);
}

int
main(void)
{
	scale(false, dp_q_make(1, 3), 101);
	scale(false, dp_q_make(1, 1), 102);
	scale(false, dp_q_make(5, 1), 103);
	scale(false, dp_q_make(20, 1), 104);
	scale(false, dp_q_make(200, 7), 105);
	scale(false, dp_q_make(1000000, 1), 106);
	scale(true, dp_q_make(1, 2), 107);
	scale(true, dp_q_make(1, 1), 108);
	scale(true, dp_q_make(21, 2), 109);
	scale(true, dp_q_make(400, 1), 110);
	scale(true, dp_q_make(1000000, 1), 111);
	return done();
}
