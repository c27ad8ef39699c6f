/* SPDX-License-Identifier: ISC */
/*
 * t_privacy.c - privacy.h's claims against numbers that are computed another way: sums over all of
 * the noise that matters.
 */
#include <math.h>

#include "account/internal.h"
#include "check.h"
#include "counter/mech.h"
#include "job/internal.h"

#define REACH	14		/* the noise of adaptive(), either way: 11 sigma and more */

/* log of the conversion at one order */
static double
at_order(double rho, double eps, double a)
{
	return (a - 1) * (a * rho - eps) - log(a - 1) + a * log1p(-1 / a);
}

/* Integer orders alone, and the best of them. */
static void
orders(void)
{
	static const struct {
		double rho, eps;
	} row[] = {
		{ .02, 1 }, { .025, 1 }, { 1e-4, .1 }, { .2, 2 }, { .5, 3 }, { 2, 8 }, { 3, 10 },
		{ 10, 20 },
		{ 1e-6, .01 }, { 40, 60 }, { 1.9, 2 }
	};
	double best, found;
	unsigned a, i;

	for (i = 0; i < sizeof row / sizeof row[0]; i++) {
		best = INFINITY;
		for (a = 2; a < 20000; a++)
			best = fmin(best, at_order(row[i].rho, row[i].eps, a));
		found = log(dp_zcdp_delta(row[i].rho, row[i].eps));
		if (fabs(found - best) > 1e-9 * fabs(best))
			printf("rho %g eps %g: %.12g, not %.12g\n", row[i].rho, row[i].eps, found,
			    best);
		check(fabs(found - best) <= 1e-9 * fabs(best));
	}
}

/* The discrete Gaussian against itself shifted: exact delta, as sigma^2 = shift^2 / (2 rho). */
static double
exact_delta(double sigma, int shift, double eps)
{
	int k, reach = (int)(40 * sigma) + 2 * shift;
	double sum = 0, norm = 0, p, q;

	for (k = -reach; k <= reach; k++) {
		p = exp(-.5 * k * k / (sigma * sigma));
		q = exp(-.5 * (k - shift) * (k - shift) / (sigma * sigma));
		norm += p;
		sum += fmax(0, p - exp(eps) * q);
	}
	return sum / norm;
}

static void
conversion(void)
{
	static const double sigma[] = { .3, .7, 1, 2.5, 4.5, 10, 50 };
	static const double eps[] = { .1, .5, 1, 2, 4, 8 };
	double rho, bound, exact;
	unsigned i, j;
	int shift;

	for (i = 0; i < sizeof sigma / sizeof sigma[0]; i++)
		for (j = 0; j < sizeof eps / sizeof eps[0]; j++)
			for (shift = 1; shift <= 9; shift += 4) {
				rho = shift * shift / (2 * sigma[i] * sigma[i]);
				if (rho >= eps[j])
					continue;
				bound = dp_zcdp_delta(rho, eps[j]);
				exact = exact_delta(sigma[i], shift, eps[j]);
				if (exact > bound && exact > 1e-300)
					printf("sigma %g shift %d eps %g: %g > %g\n", sigma[i],
					    shift, eps[j], exact, bound);
				check(exact <= bound || exact < 1e-300);
			}
}

/*
 * Data that respond to noise that was drawn before them.  Two steps, two leaves and their root; the
 * second step differs by d = 1 or -1, as a rule says that knows the first release, which holds the
 * noise of all three nodes.  The laws of all noise, p and q(z) = p(z - R d), bound what any release
 * of it shows.
 */
static int
respond(int rule, int twice_y)
{
	switch (rule) {
	case 0:
		return 1;
	case 1:
		return twice_y > 0 ? 1 : -1;
	case 2:
		return twice_y & 1 ? 1 : -1;
	case 3:
		return (twice_y & 3) < 2 ? 1 : -1;
	default:
		return twice_y * 7 % 5 > 1 ? -1 : 1;
	}
}

static void
adaptive(int rule, double leaf, double root)
{
	static double p[2][2 * REACH + 3];
	static const double eps[3] = { .5, 1, 2 };
	double norm[2] = { 0, 0 }, rho = .5 / leaf + .5 / root, sum = 0, x, y;
	double renyi[4] = { 0 }, delta[3] = { 0 };
	int a, b, c, d, i;

	for (i = -REACH - 1; i <= REACH + 1; i++) {
		norm[0] += p[0][i + REACH + 1] = exp(-.5 * i * i / leaf);
		norm[1] += p[1][i + REACH + 1] = exp(-.5 * i * i / root);
	}
#define P(k, i)	(p[k][(i) + REACH + 1] / norm[k])
	for (a = -REACH; a <= REACH; a++)
		for (b = -REACH; b <= REACH; b++)
			for (c = -REACH; c <= REACH; c++) {
				/* w_1 = a + (c - a - b)/2 */
				d = respond(rule, a - b + c);
				x = P(0, a) * P(0, b) * P(1, c);
				y = P(0, a) * P(0, b - d) * P(1, c - d);
				sum += y;
				for (i = 0; i < 4; i++)
					renyi[i] += y * pow(x / y, i + 2);
				for (i = 0; i < 3; i++)
					delta[i] += fmax(0, x - exp(eps[i]) * y);
			}
#undef P
	check(fabs(sum - 1) < 1e-9);
	for (i = 0; i < 4; i++)
		check(renyi[i] <= exp((i + 2) * (i + 1) * rho) * (1 + 1e-9));
	for (i = 0; i < 3; i++)
		check(rho >= eps[i] || delta[i] <= dp_zcdp_delta(rho, eps[i]));
}

/* The smaller of the two ways to a sigma; small shifts are zCDP's. */
static void
two_ways(void)
{
	struct dp_privacy p;
	double s, z;
	unsigned i;

	check(dp_privacy_set(&p, false, dp_q_make(1, 1), dp_q_make(1, 1000000), 1, 1) == 0);
	z = 1 / sqrt(2 * dp_q_double(p.rho));
	for (i = 0; i < 24; i++) {
		s = dp_privacy_gauss_sigma(&p, ldexp(1, (int)i), 1000) / ldexp(1, (int)i);
		check(s > 4.2246 && s <= z * 1.0001);
	}
	/* the rounded Gaussian's way alone would give 4.586 here */
	s = dp_privacy_gauss_sigma(&p, 10, 10) / 10;
	printf("shift 10: sigma %.5f\n", s);
	check(s < 4.54);
	check(s > 4.22468);
}

/* However large epsilon is, no shift of one node is more than 10000 scales. */
static void
limits(void)
{
	struct dp_privacy p;
	struct dp_noise z;
	const struct dp_q none = { 0, 1 };
	double e;

	for (e = 1; e < 1e9; e *= 100) {
		check(dp_privacy_set(&p, false, dp_q_make((uint64_t)e, 1), none, 3, 9) == 0);
		p.dry = true;
		check(dp_privacy_laplace(&z, &p, dp_q_make(1, 7)) == 0);
		check(fabs(dp_q_double(z.param) - fmax(21 / e, fmax(3 / 1e4, 1. / 64))) < 1e-9);
		check(dp_privacy_laplace_weights(&z, &p, 7 << 20, 1 << 20) == 0);
		check(dp_q_double(z.param) >= 3 * 0x1p20 / 1e4);
		check(dp_q_double(z.param) >= 21 * 0x1p20 / e);
		check(e > 7e4 || fabs(dp_q_double(z.param) * e - 21 * 0x1p20) < 1e-3);
	}
	check(dp_privacy_laplace_weights(&z, &p, 7, 8) == DP_EINVAL);
	check(dp_privacy_laplace_weights(&z, &p, 7, 0) == DP_EINVAL);
	check(dp_privacy_laplace_weights(&z, &p, 0, 0) == DP_EINVAL);
	check(dp_privacy_laplace_weights(&z, &p, UINT64_MAX, 1) == DP_EINVAL);
	check(dp_privacy_laplace_weights(&z, &p, INT64_MAX, (uint64_t)1 << 62) == DP_ERANGE);
	p.exact = true;
	check(dp_privacy_laplace_weights(&z, &p, 7, 1) == 0 && z.kind == DP_NOISE_NONE);
}

/* What there is no noise for is refused, never less of it. */
static void
refused(void)
{
	const struct dp_q one = { 1, 1 }, none = { 0, 1 }, least = { 1, INT64_MAX };
	const struct dp_q millionth = { 1, 1000000 };
	struct dp_privacy p;
	struct dp_noise z;

	/* a scale above what a noise can have: by epsilon, by the share */
	check(dp_privacy_set(&p, false, dp_q_make(1, (uint64_t)1 << 60), none, 1 << 20, 1) == 0);
	check(dp_privacy_laplace(&z, &p, one) == DP_ERANGE);
	check(dp_privacy_set(&p, false, one, none, 1 << 20, 1) == 0);
	check(dp_privacy_laplace(&z, &p, dp_q_make(1, (uint64_t)1 << 60)) == DP_ERANGE);
	check(dp_privacy_laplace(&z, &p, none) == DP_EINVAL);
	/* Gaussian noise without delta; without a share, with more than one; too wide */
	check(dp_privacy_gauss(&z, &p, one) == DP_EINVAL);
	check(dp_privacy_gauss_shift(&z, &p, 1, 1) == DP_EINVAL);
	check(dp_privacy_gauss_sigma(&p, 1, 1) == 0);
	check(dp_privacy_set(&p, false, one, millionth, 1, 1) == 0);
	p.dry = true;
	check(dp_privacy_gauss(&z, &p, one) == 0 && dp_privacy_gauss_shift(&z, &p, 1, 1) == 0);
	check(dp_privacy_gauss(&z, &p, none) == DP_EINVAL);
	check(dp_privacy_gauss(&z, &p, dp_q_make(3, 2)) == DP_EINVAL);
	check(dp_privacy_gauss(&z, &p, dp_q_make(1, (uint64_t)1 << 60)) == DP_ERANGE);
	check(dp_privacy_gauss_shift(&z, &p, .5, 1) == DP_EINVAL);
	check(dp_privacy_gauss_shift(&z, &p, NAN, 1) == DP_EINVAL);
	check(dp_privacy_gauss_sigma(&p, .5, 1) == 0);
	check(dp_privacy_gauss_shift(&z, &p, 1e30, 1) == DP_ERANGE);
	p.wide = true;
	check(dp_privacy_gauss(&z, &p, one) == DP_EINVAL);
	check(dp_privacy_gauss_shift(&z, &p, 1, 1) == DP_EINVAL);
	check(dp_privacy_gauss_sigma(&p, 1, 1) == 0);
	/* a variance above it */
	check(dp_privacy_set(&p, false, dp_q_make(1, 10000), millionth, 1, INT64_MAX) == 0);
	check(p.rho.num != 0 && dp_privacy_gauss(&z, &p, one) == DP_ERANGE);
	/* a rho that is no number of 2^-32 */
	check(dp_privacy_set(&p, false, dp_q_make(1, 1000000000), millionth, 1, 1) == 0);
	check(p.rho.num == 0 && dp_privacy_gauss(&z, &p, one) == DP_EINVAL);
	check(dp_privacy_gauss_sigma(&p, 1, 1) == 0);
	check(dp_privacy_gauss_shift(&z, &p, 1, 1) == DP_ERANGE);
	/* nor here; but there is the analytic way */
	check(dp_privacy_set(&p, false, dp_q_make(1, 100000), millionth, 1, 1) == 0);
	check(p.rho.num == 0 && dp_privacy_gauss_sigma(&p, 1, 1) > 9e4);
	check(dp_privacy_set(&p, false, dp_q_make(INT64_MAX, 1), dp_q_make(1, 2), 1, 1) == 0);
	check(dp_q_double(p.rho) > 10 && dp_q_double(p.rho) < 100);	/* cut for the samplers */
	check(dp_privacy_gauss(&z, &p, one) == 0);
	/* a delta that the samplers eat */
	check(dp_privacy_set(&p, false, one, least, 1, 1) == 0);
	check(dp_privacy_gauss_sigma(&p, 1, UINT64_MAX) == 0);
}

/* Every family of a mechanism: a value enters some node with a weight of a grid unit or more. */
static unsigned
families(const struct dp_mech *m, double l1)
{
	const struct dp_noise *z;
	const char *what;
	unsigned j, n = 0;
	double scale;

	for (j = 0; dp_mech_family(m, j, &z, &what); j++) {
		if (z->kind != DP_NOISE_LAPLACE)
			continue;
		scale = dp_q_double(z->param) * dp_mech_unit(m, j);
		if (scale < l1 / 1e4)
			printf("%s: scale %g\n", m->ops->name, scale);
		check(scale >= l1 / 1e4);
		n++;
	}
	return n;
}

static void
mechanisms(void)
{
	static const struct dp_task task[] = {
		{ .what = DP_TASK_COUNT },
		{ .what = DP_TASK_WINDOW, .windows = 1, .w = { 9 } },
		{ .what = DP_TASK_EXP, .alpha = .9 },
		{ .what = DP_TASK_POLY, .power = 1, .beta = .1 },
		{ .what = DP_TASK_EXPIRE, .windows = 1, .w = { 9 } },
		{ .what = DP_TASK_GRADUAL, .lambda = .5, .windows = 1, .w = { 9 } },
		{ .what = DP_TASK_MAP, .map = DP_TASK_EXP, .alpha = .9, .windows = 1, .w = { 9 } }
	};
	const struct dp_q epsilon = { 10000000, 1 }, none = { 0, 1 };
	struct dp_mech_rule rule = { .horizon = 100, .report = 100, .every = 1, .inputs = 1 };
	const struct dp_mech_ops *ops;
	struct dp_mech *m;
	unsigned i, k, n = 0;

	rule.most = 5;
	check(dp_privacy_set(&rule.privacy, false, epsilon, none, 5, 25) == 0);
	rule.privacy.dry = true;
	for (i = 0; (ops = dp_plan_list(i)) != NULL; i++)
		for (k = 0; k < sizeof task / sizeof task[0]; k++) {
			rule.task = task[k];
			if ((ops->tasks & task[k].what) == 0 || dp_mech_plan(&m, ops, &rule) != 0)
				continue;
			n += families(m, 5);
			dp_mech_free(m);
		}
	check(n > 15);
}

/* delta of n choices of two, whose gap a unit turns from h ahead to h behind: exactly. */
static double
choices_delta(double h, double b, int n, double eps)
{
	const double p = 1 / (1 + exp(-h / b)), loss = h / b;
	double sum = 0, log_p;
	int k;

	/* k of them for the first: the loss is (2k - n) loss */
	for (k = 0; k <= n; k++) {
		if ((2 * k - n) * loss <= eps)
			continue;
		log_p = lgamma(n + 1.) - lgamma(k + 1.) - lgamma(n - k + 1.) + k * log(p) +
		    (n - k) * log1p(-p);
		sum += exp(log_p) * -expm1(eps - (2 * k - n) * loss);
	}
	return sum;
}

/* Releases again and again: scales as REPEATED says, and choices against their exact delta. */
static void
repeated(void)
{
	static const int times[] = { 1, 3, 10, 100, 3000 };
	const struct dp_q all = { 1, 1 }, third = { 1, 3 }, none = { 0, 1 };
	const struct dp_q million = { 1, 1000000 };
	struct dp_privacy p;
	struct dp_choose c;
	struct dp_noise z;
	double b, delta, gain;
	uint64_t n;
	unsigned i;

	check(dp_privacy_set(&p, false, dp_q_make(3, 2), million, 60, 3600) == 0);
	check(p.linf == 60 && p.spread == 60);	/* unless somebody knows better */
	p.columns = 20;
	p.linf = 5;
	p.spread = 8;
	p.dry = true;
	check(dp_privacy_laplace_repeat(&z, &p, 7, third) == 0 && z.kind == DP_NOISE_LAPLACE &&
	    dp_q_cmp(z.param, dp_q_make(7 * 5 * 3 * 2, 3)) == 0);
	check(dp_privacy_choose(&c, &p, DP_NOISE_FLIP, 7, third) == 0 && c.kind == DP_NOISE_FLIP &&
	    dp_q_cmp(c.scale, dp_q_make(7 * 8 * 3 * 2, 3)) == 0);
	check(dp_privacy_gauss_repeat(&z, &p, 7, third) == 0 && z.kind == DP_NOISE_GAUSS);
	b = 7 * 25 * 3 / (2 * dp_q_double(p.rho));
	check(dp_q_double(z.param) >= b && dp_q_double(z.param) < b * 1.001);
	p.columns = 5000;
	check(dp_privacy_gauss_repeat(&z, &p, 700, all) == 0);
	p.columns = 1;	/* draws are of one number, however many columns move */
	b = dp_privacy_gauss_sigma(&p, 5 * sqrt(700), 700);
	p.columns = 20;
	check(dp_q_double(z.param) >= b * b * (1 - 1e-9) && dp_q_double(z.param) < b * b * 1.001);
	for (i = 0; i < sizeof times / sizeof times[0]; i++) {
		n = (uint64_t)times[i];
		check(dp_privacy_choose(&c, &p, DP_NOISE_WEIGH, n, all) == 0);
		b = dp_q_double(c.scale);
		gain = 8 * sqrt((double)n / (8 * dp_q_double(p.rho))) / b;
		check(gain > (n > 1000 ? 1 - 1e-5 : 1.06) && gain < (n > 1000 ? 1 + 1e-9 : 2.1));
		p.quick = true;
		check(dp_privacy_choose(&c, &p, DP_NOISE_WEIGH, n, all) == 0 &&
		    fabs(dp_q_double(c.scale) / b / gain - 1) < 1e-5);
		p.quick = false;
		delta = choices_delta(4, b, times[i], 1.5);	/* apart by 8: 4 ahead, 4 behind */
		check(delta <= 1e-6 && (times[i] < 100 || delta > 1e-7));
	}
	check(dp_privacy_choose(&c, &p, DP_NOISE_WEIGH, 7, third) == 0 && c.kind == DP_NOISE_WEIGH);
	b = 8 * sqrt(7 / (8 * dp_q_double(p.rho) / 3));
	check(dp_q_double(c.scale) >= b && dp_q_double(c.scale) < b * 1.001);
	check(dp_privacy_laplace_repeat(&z, &p, 0, all) == DP_EINVAL);
	check(dp_privacy_choose(&c, &p, DP_NOISE_FLIP, 1, dp_q_make(4, 3)) == DP_EINVAL);
	check(dp_privacy_gauss_repeat(&z, &p, 1, none) == DP_EINVAL);
	check(dp_privacy_laplace_repeat(&z, &p, (uint64_t)1 << 50, all) == DP_ERANGE);
	check(dp_privacy_laplace_repeat(&z, &p, UINT64_MAX, all) == DP_ERANGE);
	check(dp_privacy_choose(&c, &p, DP_NOISE_WEIGH, UINT64_MAX, all) == DP_ERANGE);
	check(dp_privacy_choose(&c, &p, DP_NOISE_LAPLACE, 1, all) == DP_EINVAL);
	p.linf = (uint64_t)1 << 31;
	check(dp_privacy_gauss_repeat(&z, &p, 1, third) == DP_ERANGE);
	p.spread = (uint64_t)1 << 49;
	check(dp_privacy_choose(&c, &p, DP_NOISE_WEIGH, 1, all) == DP_ERANGE);
	check(dp_privacy_set(&p, false, all, none, 1, 1) == 0);
	check(dp_privacy_choose(&c, &p, DP_NOISE_WEIGH, 1, all) == DP_EINVAL);
	check(dp_privacy_gauss_repeat(&z, &p, 1, all) == DP_EINVAL);
	check(dp_privacy_set(&p, true, all, none, 1, 1) == 0);
	check(dp_privacy_choose(&c, &p, DP_NOISE_WEIGH, 1, all) == 0 && c.kind == DP_NOISE_NONE);
	check(dp_privacy_laplace_repeat(&z, &p, 1, none) == 0 && z.kind == DP_NOISE_NONE);
	check(dp_privacy_gauss_repeat(&z, &p, 1, all) == 0 && z.kind == DP_NOISE_NONE);
}

int
main(void)
{
	int rule;

	orders();
	conversion();
	for (rule = 0; rule < 5; rule++) {
		adaptive(rule, 1, 1);
		adaptive(rule, 1.5, .7);
		adaptive(rule, .4, 1.5);
	}
	two_ways();
	limits();
	refused();
	mechanisms();
	repeated();
	return done();
}
