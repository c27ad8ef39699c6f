/* SPDX-License-Identifier: ISC */
/*
 * t_strips.c - noise intervals of means (stat/mean.c, stat/strips.c; tests/proof/mean.md, LATTICES)
 * hold what they say, by sums over all noise there can be.
 */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "law/law.h"
#include "stat/internal.h"
#include "stat/mean.h"

static const double gammas[] = { .5, .1, .05, .01, .001 };
#define GAMMAS	5

/* P(X = k), |k| <= most, of one number; up: P(X <= k) */
static int most;
static double *p, *up;

static struct dp_noise z;
static struct dp_law law;
static double rounded;		/* variance of a normal variable, rounded; 0: z's law */

static double
mass(int k)
{
	const double v = dp_q_double(z.param);

	if (rounded > 0)
		return (erfc((abs(k) - .5) / sqrt(2 * rounded)) - erfc((abs(k) + .5) /
		    sqrt(2 * rounded))) / 2;
	return exp(z.kind == DP_NOISE_GAUSS ? -k * k / (2 * v) : -abs(k) / v);
}

/* normal: of that variance, as the sum of many; else noise of that scale or variance, hundredths */
static void
set_noise(enum dp_noise_kind kind, unsigned hundredths, bool normal)
{
	double all = 0;
	int k;

	check(dp_noise_describe(&z, kind, dp_q_make(normal ? 100 : hundredths, 100)) == 0);
	dp_law_clear(&law);
	dp_law_add(&law, &z, normal ? sqrt(hundredths / 100.) : 1, 1);
	rounded = normal ? hundredths / 100. : 0;
	most = (int)(kind == DP_NOISE_GAUSS ? 7 * sqrt(hundredths / 100.) : 14 * hundredths / 100) +
	    4;
	p = realloc(p, (2 * (size_t)most + 1) * sizeof *p);
	up = realloc(up, (2 * (size_t)most + 2) * sizeof *up);
	if (p == NULL || up == NULL)
		abort();
	for (k = -most; k <= most; k++)
		all += p[k + most] = mass(k);
	for (up[0] = 0, k = 0; k <= 2 * most; k++)
		up[k + 1] = up[k] + (p[k] /= all);
}

/* P(X <= y) */
static double
below(double y)
{
	return y < -most ? 0 : y >= most ? 1 : up[(int)floor(y) + most + 1];
}

/* P(|sum (s[i] - rho) X[i]| > w) */
static double
outside(unsigned n, double rho, double w)
{
	const double last = 1 - rho;
	double in = 0, at;
	int x, y;

	for (x = -most; x <= most; x++)
		for (y = n == 3 ? -most : 0; y <= (n == 3 ? most : 0); y++) {
			at = -rho * x + (.5 - rho) * y;
			in += p[x + most] * (n == 3 ? p[y + most] : 1) * (below((w - at) / last) -
			    below(ceil((-w - at) / last) - 1));
		}
	return 1 - in;
}

static double
chord(const double *knot, unsigned knots, double rho)
{
	unsigned i;
	const double x = dp_mean_knot(rho, knots, &i);

	return knot[i] + x * (knot[i + 1] - knot[i]);
}

static const struct dp_mean_asked *
asked(unsigned n)
{
	static struct dp_mean_asked k;

	k = (struct dp_mean_asked){ .hi = 1, .n = 3, .what = { n == 2 ? DP_MEAN_MEAN :
	    DP_MEAN_VARIANCE, DP_MEAN_COUNT, DP_MEAN_SUM }, .decimals = 9 };
	return &k;
}

/*
 * No rho of a scan is missed more often than gamma, and one of them `least' gamma: no interval is
 * too wide.  Of three numbers one has gamma / 3.
 */
static void
scan(unsigned n, unsigned rhos, double least)
{
	struct dp_mean_law l;
	double worst, rho;
	unsigned i, j;

	for (i = 0; i < GAMMAS; i++) {
		check(dp_mean_law(&l, asked(n),
		    (struct dp_mean_noise){ &law, 0, true, 1 }, gammas[i],
		    false) == 0);
		for (worst = 0, j = 0; j <= rhos; j++) {
			rho = .5 * j / rhos;
			worst = fmax(worst, outside(n, rho, chord(l.knot, DP_MEAN_KNOTS, rho)));
		}
		check(worst <= gammas[i] * (1 + 1e-9) && worst >= least * gammas[i]);
		check(n == 2 || (2 * (1 - below(l.one)) <= gammas[i] / 3 * (1 + 1e-9) &&
		    (rounded > 0 || 2 * (1 - below(.9 * l.one - 1)) > gammas[i] / 3)));
		if (n == 2)
			check(outside(2, 0, l.sum) <= gammas[i] * (1 + 1e-9) &&
			    outside(2, .5, l.all / 2) <= gammas[i] * (1 + 1e-9) &&
			    outside(2, .5, l.all / 2 - .5) > gammas[i] * .8);
	}
}

static void
coarse(void)
{
	static const unsigned scales[] = { 333, 200, 143, 100, 83, 50, 33, 25 };
	static const unsigned variances[] = { 25, 50, 69, 110, 190, 400 };
	unsigned i;

	for (i = 0; i < sizeof scales / sizeof *scales; i++) {
		set_noise(DP_NOISE_LAPLACE, scales[i], false);
		scan(2, 331, scales[i] > 60 ? .9 : .1);
		scan(3, 61, scales[i] > 60 ? .9 : .1);
	}
	for (i = 0; i < sizeof variances / sizeof *variances; i++) {
		set_noise(DP_NOISE_GAUSS, variances[i], false);
		scan(2, 331, variances[i] > 60 ? .25 : 0);
		scan(3, 61, variances[i] > 60 ? .25 : 0);
		set_noise(DP_NOISE_GAUSS, variances[i], true);
		scan(2, 331, variances[i] > 60 ? .25 : 0);
	}
}

/* Lattices that count as the reals: of two numbers, and of three. */
static void
fine(void)
{
	set_noise(DP_NOISE_LAPLACE, 10000, false);
	scan(2, 65, .93);
	set_noise(DP_NOISE_GAUSS, 1000000, false);
	scan(2, 65, .9);
	set_noise(DP_NOISE_GAUSS, 1000000, true);
	scan(2, 65, .9);
	set_noise(DP_NOISE_LAPLACE, 1200, false);
	scan(3, 9, .85);
}

/* Of 1 event of 3, and the like: the interval itself, for all noise. */
static void
hulls(void)
{
	static const int events[][2] = { { 1, 0 }, { 2, 1 }, { 1, 3 }, { 7, 2 }, { 40, 1 } };
	struct dp_mean_law l;
	double missed, end[2], b[2], r;
	unsigned i, j;
	int x, y;

	set_noise(DP_NOISE_LAPLACE, 83, false);
	for (i = 1; i < 4; i++) {
		check(dp_mean_law(&l, asked(2),
		    (struct dp_mean_noise){ &law, 0, true, 1 }, gammas[i],
		    false) == 0);
		for (j = 0; j < sizeof events / sizeof *events; j++) {
			r = events[j][1] / (double)(events[j][0] + events[j][1]);
			missed = 0;
			for (x = -most; x <= most; x++)
				for (y = -most; y <= most; y++) {
					b[0] = events[j][0] + x;
					b[1] = events[j][1] + y;
					dp_mean_hull(&l, b, 2, end);
					if (end[0] > r + 1e-12 || end[1] < r - 1e-12)
						missed += p[x + most] * p[y + most];
				}
			check(missed <= gammas[i] && (j < 2 || missed >= .3 * gammas[i]));
		}
	}
}

/* Bounds from below, and from above, on the chords between a few knots. */
static void
lower(void)
{
	static const unsigned scales[] = { 333, 143, 83, 25 };
	double w[9], low[9], rho, l, beyond, nearest;
	struct dp_strips *s;
	unsigned i, j, g, n;

	for (i = 0; i < 4; i++)
		for (n = 2; n <= 3; n++) {
			set_noise(DP_NOISE_LAPLACE, scales[i], false);
			check(dp_strips_new(&s,
			    (struct dp_mean_noise){ &law, 0, true, 1 }, n, 1e-3) ==
			    0 && s != NULL);
			for (g = 0; g < GAMMAS; g++) {
				dp_strips_bounds(s, gammas[g], 9, w, low);
				nearest = INFINITY;
				for (j = 0; j <= 90; j++) {
					rho = j / 180.;
					l = chord(low, 9, rho);
					beyond = outside(n, rho, l);
					check(l <= 0 || beyond >= gammas[g] * (1 - 1e-3));
					check(outside(n, rho, chord(w, 9, rho)) <= gammas[g]);
					nearest = fmin(nearest, beyond);
				}
				check(nearest < 1.6 * gammas[g] || scales[i] < 100);
			}
			dp_strips_free(s);
		}
}

/* P(|z + U| > t), a line between two halves; the tail at k + 1/2 */
static double
spread_tail(double t)
{
	const double k = floor(t + .5), s = t + .5 - k;
	const double a = k == 0 ? 1 : 2 * (1 - below(k - 1)), b = 2 * (1 - below(k));

	return k == 0 ? 1 - 2 * t * p[most] : (1 - s) * a + s * b;
}

/* LATTICES (d) and (e): what stands for noise is spread wider. */
static void
spreads(void)
{
	static const unsigned many[] = { 100, 150, 300, 1000, 4000 };
	double t, v;
	unsigned i, kind;

	for (i = 0; i < sizeof many / sizeof *many; i++)
		for (kind = 0; kind < 3; kind++) {
			set_noise(kind == 0 ? DP_NOISE_LAPLACE : DP_NOISE_GAUSS, many[i],
			    kind == 2);
			v = many[i] / 100.;
			for (t = 0; t < most - 1 && spread_tail(t) > 1e-9; t += .03125)
				check(spread_tail(t) <= 1e-12 + (kind == 0 ?
				    exp(-t * 2 * tanh(.5 / v)) : erfc(t / sqrt(2 * v + 1))));
		}
}

int
main(void)
{
	PART(coarse());
	PART(fine());
	PART(hulls());
	PART(lower());
	PART(spreads());
	free(p);
	free(up);
	return done();
}
