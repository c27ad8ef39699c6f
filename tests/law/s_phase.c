/* SPDX-License-Identifier: ISC */
/*
 * s_phase.c - how often identifiers came, and continual answers: mean and variance of phase, alg2
 * and continual, and whether epsilon can be refuted from memory and answers together.
 *
 * Law: R independent runs, fixed seed, multipliers drawn anew.  Statistics: (mean - what is right)
 * / sqrt(v / R), and (sample variance / v - 1) / sqrt((2 + kurtosis) / R), v the exact variance for
 * the counts at hand and the excess kurtosis measured; limit 5.5 for each of some 120, so that a
 * true law is rejected with probability below 1e-5 in all.  Power: a constant or a scale 10 % off
 * moves one of them beyond 10.
 *
 * Neighbours: N runs of each of several histories of one identifier.  Events are (the eighth of the
 * circle that its cell is in, an answer in 9 parts), memory seen before the answer or after.  For
 * two histories with x and y hits of an event, log(x/y) - epsilon in units of sqrt(1/x + 1/y) stays
 * below 5.5.  Power: where terms take up all of their range, the largest log-ratio that is seen
 * comes within 15 % of epsilon, so a loss 20 % too large would show.
 */
#include <stdio.h>

#include "../unit/covers.h"
#include "../unit/histories.h"
#include "sketch/internal.h"

#define RUNS	4000
#define CELLS	16

static const struct dp_statistic *
statistic_of(const char *name)
{
	return strcmp(name, "mean") == 0 ? &dp_mean : strcmp(name, "heavy") == 0 ? &dp_heavy :
	    strcmp(name, "incidence") == 0 ? &dp_incidence : &dp_cropped;
}

static double
ramp(double low, double tau, double a)
{
	return fmin(1, fmax(0, (fabs(a) - low) / (tau - low)));
}

/* What one identifier of count a adds to the answer, and to its variance, for the least of all. */
static void
one_of(const struct dp_statistic *what, double tau, int64_t a, double *mean, double *less)
{
	const double scale = what == &dp_cropped ? tau : what == &dp_mean ? 1e6 * tau / CELLS : 1;
	double r = ramp(what == &dp_heavy ? floor(tau / 2) : 0, tau, (double)a);

	if (what == &dp_incidence)
		r = (double)a != tau;
	*mean = scale * (what == &dp_incidence ? 1 - r : r);
	*less = scale * (1 - r) * scale * (1 - r);
}

/*
 * Of alg2's cell, for its part of T' before it is divided by kappa: by the midpoint rule over w and
 * over where in the block c is, its own formulas not used.
 */
static void
alg2_cell(double tau, double E, double a, double *mean, double *var)
{
	const double K = 2 * tau - 1 + E, M = 2 * tau;
	double one = 0, two = 0, y;
	int i, j;

	for (i = 0; i < 1024; i++)
		for (j = 0; j < 64; j++) {
			y = fmod((1 + (i + .5) / 1024) * a + (j + .5) / 64, M);
			one += y / (1024 * 64);
			two += y * y / (1024 * 64);
		}
	one = (M * M / 2 + (E - 1) * one) / K;
	two = (M * M * M / 3 + (E - 1) * two) / K;
	*mean = (one - (M * M / 2 + (E - 1) / 2) / K) * K / (E - 1);
	*var = (two - one * one) * K / (E - 1) * K / (E - 1);
}

static bool
near(const char *name, const char *what, uint64_t tau, const double *x, double want, double v)
{
	double mean = 0, s2 = 0, s4 = 0, d, limit;
	bool good;
	int i;

	for (i = 0; i < RUNS; i++)
		mean += x[i] / RUNS;
	for (i = 0; i < RUNS; i++) {
		d = x[i] - mean;
		s2 += d * d / (RUNS - 1);
		s4 += d * d * d * d / RUNS;
	}
	limit = LIMIT * sqrt(fmax(s4 / (s2 * s2) - 1, 1) / RUNS);
	good = fabs(mean - want) <= LIMIT * sqrt(v / RUNS) && fabs(s2 / v - 1) <= limit;
	if (!good)
		printf("%s %s, tau %llu: mean %.6g, not %.6g; variance %.6g, predicted %.6g\n",
		    name, what, (unsigned long long)tau, mean, want, s2, v);
	return good;
}

/* The counts: insertions alone, or with deletions, negative ones among them. */
static int64_t
count_of(unsigned i, int64_t tau, bool deletes, bool far)
{
	const int64_t some[CELLS] = { 0, 1, tau - 1, tau, tau + 1, 3 * tau, tau / 2, 2 * tau + 5,
	    0, 0, 2, tau, deletes ? -1 : 1, deletes ? -tau : tau, deletes ? -3 * tau : 0,
	    far ? deletes ? -1000000007 : 1000003 : 4 * tau };

	return some[i];
}

/* Some come and go; what is far is not added one by one. */
static void
happen(struct column *c, uint64_t i, int64_t a, bool deletes)
{
	uint64_t before, f;

	if (deletes) {
		sees(c, i, 3);
		sees(c, i, -3);
	}
	if (a > -1000 && a < 1000) {
		sees(c, i, a);
		return;
	}
	before = cells_of(c)[i];
	sees(c, i, 1);
	f = cells_of(c)[i] - before;
	cells_of(c)[i] = before + f * (uint64_t)a;
}

static void
law(const char *name, const char *task, uint64_t tau, uint64_t epsilon, bool deletes)
{
	static double x[RUNS];
	const struct dp_sketch s = { .universe = CELLS, .tau = tau, .deletes = deletes };
	const struct dp_mech_rule r = sketch_setting(statistic_of(task), &s, 9, 0,
	    epsilon, 1);
	const bool far = strcmp(name, "phase") == 0;
	struct dp_mech *m = make(name, &r);
	struct dp_rng *rng = seeded(tau + epsilon + deletes);
	double want = 0, v, mean, part, E, kappa;
	struct column c;
	char text[400];
	int64_t a;
	unsigned i;
	int k;

	if (m == NULL) {
		fail(name);
		return;
	}
	v = dp_mech_variance(m, 9);
	if (!far) {		/* the output's part, and the cells' */
		E = exp((double)epsilon - (1 << 25) / dp_q_double(noise_of(m, 0)->param));
		v = pow(dp_mech_unit(m, 0), 2) * dp_noise_variance(noise_of(m, 0));
		check(m->ops->say.note(m, 0, 1, text, sizeof text));
		kappa = strtod(strstr(text, "divided by ") + 11, NULL);
	} else
		E = kappa = 0;
	for (i = 0; i < CELLS; i++) {
		a = count_of(i, (int64_t)tau, deletes, far);
		if (far) {
			one_of(r.task.statistic, (double)tau, a, &mean, &part);
			want += mean;
			v -= part;
		} else {
			alg2_cell((double)tau, E, (double)a, &mean, &part);
			want += mean / kappa;
			v += part / kappa / kappa;
		}
	}
	for (k = 0; k < RUNS; k++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (i = 0; i < CELLS; i++)
			happen(&c, i, count_of(i, (int64_t)tau, deletes, far), deletes);
		x[k] = asks(&c);
		column_free(&c);
	}
	check(near(name, task, tau, x, want, v));
	dp_rng_free(rng);
	dp_mech_free(m);
}

/* By how much the predicted variance is above that of untouched cells: t lines' steepest worth. */
static double
touched(double t, double low, double tau)
{
	double most = 0, x;
	int i;

	for (i = 1; i <= 100000; i++) {
		x = i / 100000.;
		most = fmax(most, (2 * x - x * x) / (low + x * (tau - low)));
	}
	return fmin(CELLS, t * most);
}

/* With thresholds that move: 4 identifiers have a tenth of t lines, 4 three quarters of that. */
static void
share_law(void)
{
	static double x[RUNS];
	static const uint64_t at[] = { 40, 400, 1000 };
	const struct dp_sketch s = { .universe = CELLS, .share = 10, .lines = true };
	const struct dp_mech_rule r = sketch_setting(&dp_heavy, &s, 1000, 20, 20, 1);
	struct dp_mech *m = make("phase", &r);
	struct dp_rng *rng = seeded(9);
	struct column c;
	unsigned i, j;
	double v;
	int k;

	if (m == NULL) {
		fail("phase");
		return;
	}
	for (j = 0; j < 3; j++) {
		for (k = 0; k < RUNS; k++) {
			if (column_new(&c, m, rng) != 0)
				abort();
			for (i = 0; i < 8; i++)
				happen(&c, i, (int64_t)(at[j] * (i < 4 ? 4 : 3) / 40), false);
			c.t = at[j];
			x[k] = asks(&c);
			column_free(&c);
		}
		/* ramps of 1, 1/2 and 0 */
		v = dp_mech_variance(m, at[j]) + CELLS - touched((double)at[j],
		    (double)(at[j] / 20), (double)(at[j] / 10)) - 8 - 4 * .25;
		check(near("phase", "share", at[j] / 10, x, 6, v));
	}
	dp_rng_free(rng);
	dp_mech_free(m);
}

static const struct {
	const char *name, *task;
	uint64_t tau[6];		/* ended by 0 */
} cases[] = {
	{ "phase", "cropped", { 1, 2, 3, 10, 100 } },
	{ "phase", "mean", { 4 } },
	{ "phase", "incidence", { 1, 5 } },
	{ "phase", "heavy", { 1, 2, 3, 10, 100 } },
	{ "alg2", "cropped", { 2, 10, 50 } },
	{ "phase-levels", "cropped", { 3 } },
};

#define LEVELED		64		/* buckets of a level */
#define LEVELED_RUNS	1000

/*
 * Of any identifiers: n of them, each tau = 3 times, or some of them less often, hashed anew each
 * time.  The mean is within 6 % of the sum, and the variance at most 15 % above that predicted for
 * so many that come tau times, and then no more than 30 % below (power: of a level more or less it
 * is 4 times as large).
 */
static void
levels_law(unsigned n, bool all)
{
	static double x[RUNS];
	const struct dp_sketch s = { .tau = 3, .buckets = LEVELED, .lines = true };
	const struct dp_mech_rule r = sketch_setting(&dp_cropped, &s, 3 * n, 0, 20, 1);
	struct dp_mech *m = make("phase-levels", &r);
	struct dp_rng *rng = seeded(n), *ids = seeded(n + 1);
	double mean = 0, v = 0, want = 0, predicted;
	struct dp_id id = { .sign = 1 };
	const uint8_t *random;
	struct column c;
	unsigned i, a;
	int k;

	if (m == NULL) {
		fail("phase-levels");
		return;
	}
	for (k = 0; k < LEVELED_RUNS; k++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (want = 0, i = 0; i < n; i++) {
			if ((random = dp_rng_take(ids, sizeof id.word)) == NULL)
				abort();
			memcpy(id.word, random, sizeof id.word);
			want += all || i % 5 > 2 ? 3 : i % 5;
			for (a = 0; a < (all ? 3 : i % 5); a++)
				if (m->ops->open.see(m, c.state, rng, &id) != 0)
					abort();
		}
		c.t = 3 * n;
		x[k] = asks(&c);
		mean += x[k] / LEVELED_RUNS;
		column_free(&c);
	}
	for (k = 0; k < LEVELED_RUNS; k++)
		v += (x[k] - mean) * (x[k] - mean) / (LEVELED_RUNS - 1);
	predicted = dp_mech_variance(m, 3 * n);
	printf("%u identifiers: mean %.5g of %.5g, variance %.5g, predicted %.5g\n", n, mean, want,
	    v, predicted);
	check(fabs(mean / want - 1) <= .06 + LIMIT * sqrt(predicted / LEVELED_RUNS) / want);
	check(v <= predicted * 1.15 && (!all || v >= predicted * .7));
	check(m->off.drift >= .03 * 3 * n && m->off.drift < .05 * 3 * n);
	dp_rng_free(ids);
	dp_rng_free(rng);
	dp_mech_free(m);
}

#define CASES	(sizeof cases / sizeof cases[0])

#define PLACES	8		/* of memory */

struct trial {
	const struct dp_mech *m;
	struct dp_rng *rng;
	uint64_t key;
	size_t word;			/* of the column: its first cell */
	double circle;			/* places of it */
	double base, width;		/* of answers: the middle one of the range, a part */
	double hit[TIMES][EVENTS];
};

/* There is one key, so that the multiplier is known: privacy may not rest on it. */
static void
begin(const struct trial *w, struct column *c)
{
	if (column_new(c, w->m, w->rng) != 0)
		abort();
	memcpy(c->state, &w->key, sizeof w->key);
	memset((char *)c->state + 8, 0, 8);
}

/* One that moves a cell by half the circle, or nearly, so that one event matters most. */
static void
find_key(struct trial *w)
{
	struct column c;
	double step;

	for (w->key = 1; ; w->key++) {
		begin(w, &c);
		((uint64_t *)c.state)[w->word] = 0;
		sees(&c, 0, 1);
		step = (double)((uint64_t *)c.state)[w->word] / w->circle;
		column_free(&c);
		if ((step > .45 && step < .55) || w->key == 100000)
			return;
	}
}

static unsigned
memory(const struct trial *w, const struct column *c)
{
	return (unsigned)((double)((const uint64_t *)c->state)[w->word] / w->circle *
	    PLACES * (1 - 1e-12));
}

static unsigned
answered(const struct trial *w, struct column *c)
{
	return part_of((asks(c) - w->base) / w->width);
}

/* tight: terms have all of their range. */
static void
neighbours(const char *name, const char *task, uint64_t tau, bool tight)
{
	static struct trial w;
	const bool levels = strcmp(name, "phase-levels") == 0;	/* 16 buckets; 0 is of the last */
	const struct dp_sketch s = { .universe = !levels, .buckets = levels ? 16 : 0, .tau = tau,
	    .deletes = true };
	const struct dp_mech_rule r = sketch_setting(statistic_of(task), &s, 9, 0, 3, 2);
	double largest = 0, unit;
	struct column c;
	unsigned i, after;

	w = (struct trial){ .m = make(name, &r), .rng = seeded(7),
	    .word = 2 + (levels ? 16 * (DP_LEVELS - 1) : 0),
	    .circle = 0x1p64 };
	if (w.m == NULL) {
		fail(name);
		return;
	}
	if (strcmp(name, "alg2") == 0)
		w.circle = (double)(2 * tau * (((uint64_t)1 << 24) / tau));
	find_key(&w);
	begin(&w, &c);
	if (levels) {
		w.base = 0;
		w.width = sqrt(dp_mech_variance(w.m, 9)) / 4;
	} else {
		unit = (asks_with(&c, 1000000000) - asks_with(&c, 0)) / 1e9;
		cells_of(&c)[0] = 0;
		w.base = asks_with(&c, 0);
		cells_of(&c)[0] = (uint64_t)(w.circle / 2);
		w.base = (w.base + asks_with(&c, 0)) / 2;
		w.width = fabs(unit) * dp_q_double(noise_of(w.m, 0)->param);
	}
	column_free(&c);
	for (after = 0; after < 2; after++) {
		memset(w.hit, 0, sizeof w.hit);
		for (i = 0; i < TIMES; i++)
			run(&w, w.hit[i], i, levels ? 6000 : 60000, after);
		check(!refuted(name, w.hit, 1.5, 100, &largest));
	}
	check(!tight || largest > 1.5 * .85);
	if (tight && largest <= 1.5 * .85)
		printf("%s %s: largest log-ratio %.3g\n", name, task, largest);
	dp_rng_free(w.rng);
	dp_mech_free((struct dp_mech *)(uintptr_t)w.m);
}

/* continual: every answer of eight has one law, whatever is in memory by then. */
static void
continual_law(void)
{
	static double x[8][RUNS];
	const struct dp_sketch s = { .universe = 40, .updates = 2, .deletes = true };
	const struct dp_mech_rule r = sketch_setting(&dp_distinct, &s, 8, 1, 30, 1);
	struct dp_mech *m = make("continual", &r);
	struct dp_rng *rng = seeded(10);
	struct column c;
	double v;
	int j, k, t;

	if (m == NULL) {
		fail("continual");
		return;
	}
	for (k = 0; k < RUNS; k++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (t = 0; t < 8; t++) {	/* two come, and one of an earlier step goes */
			sees(&c, 2 * (uint64_t)t, 1);
			sees(&c, 2 * (uint64_t)t + 1, 1);
			if (t > 1)
				sees(&c, 2 * (uint64_t)t - 4, -1);
			x[t][k] = asks(&c);
		}
		column_free(&c);
	}
	for (t = 0; t < 8; t++) {
		j = 2 * t + 2 - (t > 1 ? t - 1 : 0);
		/* predicted for 40 */
		v = dp_mech_variance(m, 1) - (40 - j);
		check(near("continual", "distinct", (uint64_t)t, x[t], j, v));
	}
	dp_rng_free(rng);
	dp_mech_free(m);
}

#define HALVES		3	/* of an answer */
#define MOMENTS		5	/* at which a line can be: around two answers, and memory */

/*
 * continual: an identifier with one line at some moment, or none, two answers, memory seen before,
 * between or after them.  Lines are at moments 0 .. 4 of: line, look, line, answer, line, look,
 * line, answer, line, look: a line may come before or after a look.
 */
static void
continual_run(struct trial *w, int line, int look, double *hit)
{
	struct column c;
	const int64_t *eta;
	unsigned place = 0, part[2] = { 0, 0 }, open = 0, t;
	int moment, y;

	begin(w, &c);
	eta = (const int64_t *)(const void *)c.state + 4;
	for (t = 0, moment = 0; moment < 2 * MOMENTS; moment++) {
		if (line == moment)
			sees(&c, 0, 1);
		if (moment % 4 == 1 && look == moment / 4) {
			place = (unsigned)(((const uint64_t *)c.state)[w->word] >> 61);
			open = eta[1] < -3 ? 0 : eta[1] > 3 ? 2 : 1;
		}
		if (moment % 4 == 3) {
			y = (int)floor((asks(&c) - w->base) / w->width + .5);
			part[t++] = y < 0 ? 0 : y > 0 ? 2 : 1;
		}
	}
	hit[((place * HALVES + open) * HALVES + part[0]) * HALVES + part[1]]++;
	column_free(&c);
}

static void
continual_neighbours(void)
{
	enum { SEEN = PLACES * HALVES * HALVES * HALVES, LINES = 2 * MOMENTS + 1, N = 60000 };
	static double hit[LINES][SEEN];
	static struct trial w;
	const struct dp_sketch s = { .universe = 1, .updates = 1, .presence = true };
	const struct dp_mech_rule r = sketch_setting(&dp_distinct, &s, 2, 1, 2, 1);
	double largest = 0, tight, x, y;
	int look, i, k, n;

	w = (struct trial){ .m = make("continual", &r), .rng = seeded(12), .circle = 0x1p64,
	    .word = 36 };
	if (w.m == NULL) {
		fail("continual");
		return;
	}
	find_key(&w);
	w.width = dp_mech_unit(w.m, 0) * 2;
	w.base = dp_mech_unit(w.m, 0) * 0.5;
	for (look = 0; look < 3; look++) {
		memset(hit, 0, sizeof hit);
		for (i = 0; i < LINES; i++)
			for (n = 0; n < N; n++)
				continual_run(&w, i, look, hit[i]);
		/* the last of them has no line */
		for (i = 0; i < LINES - 1; i++)
			for (k = 0; k < SEEN; k++) {
				x = hit[i][k];
				y = hit[LINES - 1][k];
				if (x < 20 || y < 20)
					continue;
				if (x > 100 && y > 100)
					largest = fmax(largest, fabs(log(x / y)));
				if (fabs(log(x / y)) - 2 <= LIMIT * sqrt(1 / x + 1 / y))
					continue;
				printf("line %d, look %d, event %d: %.0f, without %.0f\n", i, look,
				    k, x, y);
				check(false);
			}
	}
	/* of two answers one draw takes up any change, where the promise is two */
	tight = 2 - 1 / dp_q_double(noise_of(w.m, 0)->param);
	check(largest > tight * .85);
	if (largest <= tight * .85)
		printf("continual: largest log-ratio %.3g of %.3g\n", largest, tight);
	dp_rng_free(w.rng);
	dp_mech_free((struct dp_mech *)(uintptr_t)w.m);
}

int
main(int argc, char **argv)
{
	const uint64_t *tau;
	bool alg2, levels;
	unsigned i;

	covers(argc, argv);
	for (i = 0; i < CASES; i++) {
		alg2 = strcmp(cases[i].name, "alg2") == 0;
		levels = strcmp(cases[i].name, "phase-levels") == 0;
		if (!leave_named("law", cases[i].name, cases[i].task)) {
			if (levels) {
				levels_law(16, true);
				levels_law(600, true);
				levels_law(600, false);
			}
			for (tau = cases[i].tau; *tau != 0 && !levels; tau++) {
				law(cases[i].name, cases[i].task, *tau, 3, !alg2);
				law(cases[i].name, cases[i].task, *tau, 40, false);
				if (!alg2)
					law(cases[i].name, cases[i].task, *tau, 40, true);
			}
			if (strcmp(cases[i].task, "heavy") == 0)
				share_law();
		}
		if (leave_named("neighbour", cases[i].name, cases[i].task))
			continue;
		neighbours(cases[i].name, cases[i].task, 1, !levels);
		if (strcmp(cases[i].task, "incidence") != 0)
			neighbours(cases[i].name, cases[i].task, 3, false);
	}
	if (!leave_named("law", "continual", "distinct"))
		continual_law();
	if (!leave_named("neighbour", "continual", "distinct"))
		continual_neighbours();
	return done();
}
