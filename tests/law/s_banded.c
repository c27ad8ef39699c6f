/* SPDX-License-Identifier: ISC */
/*
 * s_banded.c - banded Toeplitz noise for events that are apart: measured variance equals predicted
 * variance, and the best attack on a user's events finds no more than (epsilon, delta) allows.
 *
 * LAW.  COUNT (T = 365, 12 events 30 apart; T = 64, 5 events 1 apart) and WINDOW (7 and 30 steps,
 * together; 1 step), through the mechanism, at steps 1, T/2 and T.  R = 10000 independent runs,
 * fixed seed.  Statistic: (sample variance / predicted - 1) / sqrt(2/R), the noise being as good as
 * normal.  Limit 6.2: false-reject rate below 1e-6 for all 15 checks together (normal approximation
 * at 6e-10 each side, inflated tenfold for the skewness of a sample variance).  Means: |mean| <=
 * 6.2 sqrt(variance / R).  Estimates are rounded: 1/12 more.  Power: a scale 10 % off moves the
 * statistic beyond 14.
 *
 * NEIGHBOUR.  epsilon = 1, delta = 1e-3, T = 128, 4 events 30 apart, at steps 1, 31, 61, 91 and all
 * there or not: R = 100000 runs of the increments without them and as many with.  From y alone u =
 * C y 2^s is computed, whose law is independent discrete Gaussians about the shifts s_t, so that
 * L = sum s_t u_t / sigma^2 - S^2 / (2 sigma^2) is the log of the likelihood ratio, the best
 * statistic there is.  (epsilon, delta)-DP fails if P1(L > c) - e P0(L > c) exceeds delta; at c = 1
 * it should come to delta, as sigma is the least there is.  Limits: delta + 6.3 deviations (.0035),
 * false-reject rate below 1e-9 for two; and at least delta - 6.3 deviations.  Power: sigma halved
 * makes it .1, and a shift of one event alone for four, twice that.
 */
#include <stdio.h>

#include "../unit/covers.h"
#include "../unit/toeplitz.h"

#define R	10000
#define LIMIT	6.2
#define ATTACKS	100000

static struct dp_mech_rule
rule(uint64_t T, unsigned windows, const uint64_t *W, uint64_t times, uint64_t spacing,
    const char *delta)
{
	struct dp_mech_rule r = blt_rule(windows != 0 ? DP_TASK_WINDOW : DP_TASK_COUNT, T, 0, 0,
	    "1", delta);
	unsigned i;

	r.task.windows = windows;
	for (i = 0; i < windows; i++)
		r.task.w[i] = W[i];
	r.privacy.l1 = times;
	r.privacy.l2squared = times * times;
	r.privacy.times = times;
	r.privacy.spacing = spacing;
	return r;
}

static void
measure(struct dp_mech_rule r, struct dp_rng *rng)
{
	const uint64_t T = r.horizon, at[3] = { 1, T / 2, T };
	double sum[3][2] = { { 0 } }, squares[3][2] = { { 0 } }, v, mean, s;
	struct dp_mech *m;
	struct column c;
	struct dp_law law;
	int64_t x = 0;
	dp_wide est[2];
	uint64_t t;
	unsigned o;
	int k, i;

	if (leave("law", "banded", r.task.what))
		return;
	if (dp_mech_plan(&m, &dp_banded_ops, &r) != 0)
		abort();
	for (k = 0; k < R; k++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (t = 1; t <= T; t++) {
			if (m->ops->step(m, c.state, rng, t, &x, est) != 0)
				abort();
			for (i = 0; i < 3; i++)
				for (o = 0; at[i] == t && o < m->outputs; o++) {
					sum[i][o] += (double)est[o] / R;
					squares[i][o] += (double)est[o] * (double)est[o] / R;
				}
		}
		column_free(&c);
	}
	for (i = 0; i < 3; i++)
		for (o = 0; o < m->outputs; o++) {
			dp_law_clear(&law);
			m->ops->law.at(m, o, at[i], &law);
			v = dp_law_variance(&law) + 1. / 12;
			mean = sum[i][o] / sqrt(v / R);
			s = ((squares[i][o] - sum[i][o] * sum[i][o]) / v - 1) / sqrt(2. / R);
			if (!(fabs(s) <= LIMIT && fabs(mean) <= LIMIT))
				printf("step %g, output %u: variance %.4g predicted %.4g\n",
				    (double)at[i], o, squares[i][o], v);
			check(fabs(s) <= LIMIT && fabs(mean) <= LIMIT);
		}
	dp_mech_free(m);
}

/* L for the data x, of which y is released. */
static double
ratio(const struct dp_banded *b, const double *c, const double *shift, const int64_t *x,
    struct dp_rng *rng)
{
	const uint64_t T = b->end, p = b->form.p;
	static int64_t w[128];
	static int64_t own[DP_BANDED_MAX];
	double s2 = dp_q_double(b->noise.param), sum = 0, u;
	uint64_t t, i;

	memset(own, 0, sizeof own);
	for (t = 0; t < T; t += DP_FILL)
		if (dp_banded_ops.many.fill(&b->f.m, own, rng, t, w + t) != 0)
			abort();
	for (t = 0; t < T; t++)
		w[t] += x[t] * ((int64_t)1 << b->form.s);
	for (t = 0; t < T; t++) {
		for (u = 0, i = 0; i < p && i <= t; i++)
			u += c[i] * (double)w[t - i];
		sum += shift[t] * (u - shift[t] / 2) / s2;
	}
	return sum;
}

static void
attack(struct dp_mech_rule r, struct dp_rng *rng)
{
	static double c[DP_BANDED_MAX], shift[128];
	static const int64_t none[128] = { 0 };
	int64_t event[128] = { 0 };
	double p0 = 0, p1 = 0, found;
	struct dp_banded *b;
	struct dp_mech *m;
	uint64_t t, i;
	int k;

	if (leave("neighbour", "banded", r.task.what))
		return;
	if (dp_mech_plan(&m, &dp_banded_ops, &r) != 0)
		abort();
	b = (void *)m;
	for (i = 0; i < r.privacy.times; i++)
		event[i * r.privacy.spacing] = 1;
	for (i = 0; i < b->form.p; i++)
		c[i] = ldexp((double)b->form.a[i], -(int)b->form.s);
	for (t = 0; t < b->end; t++)
		for (shift[t] = 0, i = 0; i < b->form.p && i <= t; i++)
			shift[t] += (double)b->form.a[i] * (double)event[t - i];
	for (k = 0; k < ATTACKS; k++) {
		p0 += ratio(b, c, shift, none, rng) > 1;
		p1 += ratio(b, c, shift, event, rng) > 1;
	}
	p0 /= ATTACKS;
	p1 /= ATTACKS;
	found = p1 - exp(1) * p0 - 1e-3;
	if (!(fabs(found) <= 6.3 * sqrt((p1 + exp(2) * p0) / ATTACKS)))
		printf("P1 %.5f P0 %.5f: delta %.5f\n", p1, p0, p1 - exp(1) * p0);
	check(fabs(found) <= 6.3 * sqrt((p1 + exp(2) * p0) / ATTACKS));
	dp_mech_free(m);
}

int
main(int argc, char **argv)
{
	static const uint64_t two[] = { 30, 7 }, one[] = { 1 };
	struct dp_rng *rng;

	covers(argc, argv);
	if (dp_rng_open_seed(&rng, 20261127) != 0)
		abort();
	PART(measure(rule(365, 0, NULL, 12, 30, "1e-6"), rng));
	PART(measure(rule(64, 0, NULL, 5, 1, "1e-6"), rng));
	PART(measure(rule(365, 2, two, 12, 30, "1e-6"), rng));
	PART(measure(rule(128, 1, one, 12, 5, "1e-6"), rng));
	PART(attack(rule(128, 0, NULL, 4, 30, "1e-3"), rng));
	PART(attack(rule(128, 1, two + 1, 4, 30, "1e-3"), rng));
	dp_rng_free(rng);
	return done();
}
