/* SPDX-License-Identifier: ISC */
/*
 * t_normtree_bounds.c - half-widths of counts on norm trees of kinds hold at every step, and are
 * within 1 % of the exact ones: against the characteristic functions of all numbers at POINTS
 * points, where next to nothing is left out (t_normtree_wave.c compares these with convolutions).
 * No bound is 0 (law/law.c).
 *
 * Of wide laws the points are those of a period of 16 standard deviations: what is beyond it, or
 * the last of them, makes a tail off by less than ENDS, even for steps that have a kink.
 */
#include "counter/width.h"
#include "law/internal.h"
#include "mech.h"

#define STEPS	4096
#define POINTS	DP_LAW_POINTS
#define FAR	1e-10		/* gamma, for what is left out */
#define ENDS	5e-6

static struct dp_law law;

/* The noise of a step: points with their weights, and how far they are apart. */
struct exact {
	double product[POINTS], step;
};

/* P(|X| > w) of step t's noise. */
static double
beyond(const struct exact *x, double w)
{
	return dp_law_wave_tail(x->product, POINTS, x->step, w + .5);
}

/* At points so far apart, which are drawn in by what residuals count too often (sweep.c). */
static void
set_exact(const struct dp_mech *m, uint64_t t, double step, bool whole, struct exact *x)
{
	struct dp_law_wave v = { .gamma = FAR, .step = step, .n = POINTS };
	unsigned i;

	for (i = 0; i < POINTS; i++)
		v.phi[i] = 1;
	dp_mech_law(m, 0, t, &law);
	for (i = law.parts; i-- > 0; )
		check(law.part[i].waves(&law.part[i], &v) && v.off < 1e-9);
	x->step = step * sqrt(v.variance / dp_law_variance(&law));
	for (i = 0; i < POINTS; i++)
		x->product[i] = v.phi[i] / (2 * sin((i + 1) * x->step / 2)) /
		    (whole && i + 1 == POINTS ? 2 : 1);
}

static double
widest(const struct dp_mech *m, uint64_t T)
{
	double most = 0;
	uint64_t t;

	for (t = 1; t <= T; t++) {
		dp_mech_law(m, 0, t, &law);
		most = fmax(most, dp_law_variance(&law));
	}
	return sqrt(most);
}

/* Half-widths of all steps; each at most a unit, or 1.5 %, more than it must be, the sum 1 %. */
static void
compare(const struct dp_mech *m, const struct exact *x, bool whole, uint64_t T, double gamma)
{
	const double least = gamma + (whole ? 1e-11 : ENDS);
	double w, lo, hi, mid, sum = 0, want = 0;
	uint64_t t, narrow = 0, wide = 0;
	struct dp_widths *k;

	if (dp_widths_create(&k, m, gamma) != 0)
		abort();
	for (t = 1; t <= T; t++) {
		if (dp_widths_at(k, 0, t, &w) != 0)
			abort();
		narrow += beyond(&x[t - 1], w) > least;
		/* mostly the width is no more than 1 % more, which the first question tells */
		for (lo = 0, hi = w, mid = fmax(0, floor(w * .99) - 1); hi - lo > 1;
		    mid = floor((lo + hi) / 2)) {
			if (beyond(&x[t - 1], mid) > gamma)
				lo = mid;
			else
				hi = mid;
		}
		wide += w > hi + 1 && w > 1.015 * hi;
		sum += w;
		want += hi;
	}
	check(narrow == 0 && wide == 0 && sum <= 1.01 * want + 2);
	printf("gamma %g: %d too narrow, %d too wide; in all %.2f %% more\n", gamma, (int)narrow,
	    (int)wide, (sum / want - 1) * 100);
	dp_widths_free(k);
}

/* The first T steps of a stream of which `last` are to come, 0 if nobody knows. */
static void
stream(struct dp_mech_rule *s, uint64_t T, uint64_t last)
{
	static const double gammas[] = { .5, .3, .1, .05, .01, .001, 1e-6 };
	static struct exact x[STEPS];
	struct dp_mech *m, *other;
	double sigma;
	uint64_t t;
	unsigned i;
	bool whole;

	s->horizon = last;
	m = make("normtree", s);
	other = make("normtree", s);
	if (m == NULL || other == NULL)
		abort();
	sigma = widest(m, T);
	whole = 16 * sigma <= 2 * POINTS;
	for (t = 1; t <= T; t++)
		set_exact(other, t, M_PI / (whole ? POINTS : 8 * sigma), whole, &x[t - 1]);
	for (i = 0; i < sizeof gammas / sizeof gammas[0]; i++)
		if (whole || gammas[i] > 1e-4)
			compare(m, x, whole, T, gammas[i]);
	dp_mech_free(m);
	dp_mech_free(other);
}

/* A count of T steps, epsilon num / den, of values from 0 to `range`. */
static void
count_of(uint64_t T, uint64_t num, uint64_t den, uint64_t range)
{
	struct dp_mech_rule s = setting(T, num, den, range);

	printf("T %d, E %d/%d, range %d\n", (int)T, (int)num, (int)den, (int)range);
	stream(&s, T, T);
}

static void
count(uint64_t T, uint64_t num, uint64_t den)
{
	count_of(T, num, den, 1);
}

/* A count whose T nobody knows. */
static void
endless(uint64_t T, uint64_t num, uint64_t den)
{
	struct dp_mech_rule s = setting(0, num, den, 1);

	printf("T %d unknown, E %d/%d\n", (int)T, (int)num, (int)den);
	stream(&s, T, 0);
}

static void
window(uint64_t w, uint64_t T, uint64_t num, uint64_t den)
{
	struct dp_mech_rule s = setting(T, num, den, 1);

	s.task = (struct dp_task){ .what = DP_TASK_WINDOW, .windows = 1, .w = { w } };
	printf("window %d, E %d/%d\n", (int)w, (int)num, (int)den);
	stream(&s, T, T);
}

int
main(void)
{
	uint64_t T;

	for (T = 2; T <= 64; T++)
		PART(count(T, 1, 1));
	for (T = 3; T <= 64; T += 7)
		PART(count(T, 5, 1));
	for (T = 100; T <= 1000; T = T == 100 ? 365 : T == 365 ? 1000 : 1001) {
		PART(count(T, 1, 1));
		PART(count(T, 5, 1));
	}
	PART(count(4096, 1, 1));
	PART(count(4096, 5, 1));
	PART(count(65, 1, 2));
	PART(count(365, 1, 2));
	for (T = 2; T <= 1000; T = T < 40 ? T + 3 : 2 * T) {
		PART(count_of(T, 1, 10, 1));
		PART(count_of(T, 1, 1, 1000));
		PART(count_of(T, 1, 3, 17));
	}
	PART(count_of(1000, 1, 10, 1));
	PART(count_of(1000, 1, 1, 1000));
	PART(count_of(365, 1, 100, 1000));
	PART(endless(1000, 1, 1));
	PART(endless(1000, 1, 10));
	PART(window(5, 40, 1, 120));
	PART(window(24, 200, 1, 1));
	PART(window(100, 600, 1, 10));
	PART(window(300, 1000, 1, 1));
	return done();
}
