/* SPDX-License-Identifier: ISC */
/*
 * t_phase.c - the phase sketch: ramps and bands, oracles, the joint law of memory and outputs by
 * enumeration, the variance and the division of the budget.
 */
#include "sketch.h"
#include "sketch/internal.h"
#include "stats.h"

#define EIGHTH	((uint64_t)1 << 61)	/* a place of a circle of 8 */
#define BOUND	((double)(1 << 20))
#define PI	3.14159265358979323846

static const struct dp_ramp ramps[] = {
	{ 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 10 }, { 0, 1000 }, { 0, 1000003 }, { 0, DP_RAMP_MAX },
	{ 1, 2 }, { 1, 3 }, { 5, 10 }, { 500, 1000 }, { DP_RAMP_MAX / 2, DP_RAMP_MAX }
};

#define RAMPS	(sizeof ramps / sizeof ramps[0])

static double
ramp(const struct dp_ramp *r, double a)
{
	a = fabs(a) - (double)r->low;
	return fmin(1, fmax(0, a / (double)(r->tau - r->low)));
}

static uint64_t
word(struct dp_rng *rng)
{
	uint64_t w;

	memcpy(&w, dp_rng_take(rng, sizeof w), sizeof w);
	return w;
}

static void
cosines(void)
{
	struct dp_rng *rng = seeded(1);
	double worst = 0;
	uint64_t s;
	int i;

	check(dp_ramp_cosine(0) == 1 << 30 && dp_ramp_cosine(4 * EIGHTH) == -(1 << 30));
	check(dp_ramp_cosine(2 * EIGHTH) == 0 && dp_ramp_cosine(6 * EIGHTH) == 0);
	for (i = 0; i < 100000; i++) {
		s = word(rng) >> (i % 60);
		worst = fmax(worst, fabs((double)dp_ramp_cosine(s) -
		    0x1p30 * cos(2 * PI * ldexp((double)s, -64))));
	}
	check(worst < 1);
	dp_rng_free(rng);
	/* the specification's oracle: f = 1/4 and 1/8 of a turn, 1 and 4 times, tau = 3 */
	check(3 * (2 - (double)(dp_ramp_cosine(2 * EIGHTH) + dp_ramp_cosine(4 * EIGHTH)) / 0x1p30)
	    == 9);
}

/* On a grid of M > 2 tau places the kernel's cosines are 1 - ramp, exactly. */
static void
kernels(void)
{
	static const struct dp_ramp small[] = { { 0, 1 }, { 0, 2 }, { 0, 5 }, { 4, 8 }, { 2, 7 } };
	const int M = 32;
	double sum;
	int i, f, a;

	for (f = 0; f < 8; f++)		/* Fejer's of 2 */
		check(fabs(dp_ramp_kernel(&small[1], f / 8.) - 1 - cos(PI * f / 4)) < 1e-12);
	for (i = 0; i < 5; i++)
		for (a = -M / 2; a < M / 2; a++) {
			for (sum = 0, f = 0; f < M; f++)
				sum += dp_ramp_kernel(&small[i], (double)f / M) / M *
				    cos(2 * PI * f * a / M);
			check(fabs(sum - 1 + ramp(&small[i], a)) < 1e-12);
		}
}

/* What the bands' probabilities are, and their ends; f and ~f are of one band. */
static void
bands(const struct dp_bands *b)
{
	uint64_t bits[2], next;
	unsigned j;

	check(b->n <= DP_BANDS_MAX && b->below[0] == 0 && b->below[b->n] == DP_BANDS_WHOLE);
	check(b->first[0] == 0);
	for (j = 0; j < b->n; j++) {
		next = j + 1 < b->n ? b->first[j + 1] : (uint64_t)1 << 63;
		check(b->first[j] + ((uint64_t)1 << b->width[j]) == next);
		check(b->below[j + 1] > b->below[j]);
		bits[0] = b->below[j] << 32;
		bits[1] = 0;
		check(dp_bands_draw(b, bits) == b->first[j]);
		bits[0] = (b->below[j + 1] - 1) << 32 | 1;
		bits[1] = ~(uint64_t)0;
		check(dp_bands_draw(b, bits) == ~(next - 1));
	}
}

/* V/(M P), in long doubles, with arguments reduced to half turns first. */
static double
weight(const struct dp_bands *b, const struct dp_ramp *r, uint64_t f)
{
	const long double pi = 3.14159265358979323846264338327950288L;
	const uint64_t size = f >> 63 != 0 ? ~f : f;
	const long double x = (long double)(int64_t)f * 0x1p-64L;
	const long double up = (long double)(r->tau + r->low) * x;
	const long double down = (long double)(r->tau - r->low) * x;
	long double v, s = sinl(pi * x);
	unsigned j = 0;

	while (j + 1 < b->n && b->first[j + 1] <= size)
		j++;
	v = f == 0 ? (long double)(r->tau + r->low) :
	    sinl(pi * (up - 2 * roundl(up / 2))) * sinl(pi * (down - 2 * roundl(down / 2))) /
	    ((long double)(r->tau - r->low) * s * s);
	return (double)(v * ldexpl(1, (int)b->width[j] - 31) /
	    (long double)(b->below[j + 1] - b->below[j]));
}

static void
weights(double even, double above, double high)
{
	struct dp_rng *rng = seeded(2);
	struct dp_bands b;
	uint64_t K, f, bits[2];
	double peak, w, want, worst, least, square, root;
	unsigned i;
	int k;

	for (i = 0; i < RAMPS; i++) {
		dp_bands_make(&b, &ramps[i], &ramps[i], even, NULL);
		bands(&b);
		peak = dp_bands_peak(&b, &ramps[i], &ramps[i]);
		K = (uint64_t)(BOUND / peak);
		square = worst = 0;
		for (k = 0; k < 40000; k++) {
			bits[0] = word(rng);
			bits[1] = word(rng);
			f = dp_bands_draw(&b, bits);
			if (k < (int)b.n)	/* an end of every band */
				f = b.first[k];
			w = (double)dp_ramp_weight(&b, &ramps[i], K, f) / (1 << DP_WEIGHT_BITS);
			want = (double)K * weight(&b, &ramps[i], f);
			worst = fmax(worst, fabs(w - want));
			square += want / (double)K * want / (double)K / 40000;
			check(fabs(w) <= BOUND);
		}
		check(worst < 0.02);
		/* the least that any law of f has, and a little more */
		root = sqrt(dp_bands_square(&b, &ramps[i]));
		least = ramps[i].low == 0 ? 1 : ramps[i].tau == 3 ? 1.2732 : 1.4359;
		check(root < least * above && root >= least * (1 - 1e-6));
		check(peak < least * high || ramps[i].tau == DP_RAMP_MAX);	/* masses of 1 */
		check(fabs(square / (root * root) - 1) < 0.05);
	}
	/* one law for many thresholds */
	dp_bands_make(&b, &ramps[0], &ramps[4], even, NULL);
	bands(&b);
	for (i = 0; i <= 4; i++)
		check(sqrt(dp_bands_square(&b, &ramps[i])) < 2.3);
	check(dp_bands_peak(&b, &ramps[0], &ramps[4]) < 13);
	dp_rng_free(rng);
}

static struct dp_mech *
make_for(const struct dp_statistic *what, const struct dp_sketch *s, uint64_t T, uint64_t every,
    uint64_t num, uint64_t den)
{
	const struct dp_mech_rule r = sketch_setting(what, s, T, every, num, den);

	return make("phase", &r);
}

/* Without noise: the sum itself.  -1, 0, 1, 4, 5, 6, 100 times, tau = 5. */
static double
exactly(const struct dp_statistic *what, uint64_t tau)
{
	static const int a[] = { -1, 0, 1, 4, 5, 6, 100, -7 };
	const struct dp_sketch s = { .universe = 8, .deletes = true, .tau = tau };
	struct dp_mech *m = make_for(what, &s, 9, 0, 0, 1);
	struct column c;
	double y;
	int i;

	if (m == NULL || column_new(&c, m, NULL) != 0) {
		fail("phase without noise");
		return 0;
	}
	for (i = 0; i < 8; i++)
		sees(&c, (uint64_t)i, a[i]);
	sees(&c, 8, 5);			/* none of the universe */
	y = asks(&c);
	column_free(&c);
	dp_mech_free(m);
	return y;
}

static void
exact(void)
{
	check(exactly(&dp_cropped, 5) == 1 + 1 + 4 + 5 + 5 + 5 + 5);
	check(exactly(&dp_cropped, 1) == 7);
	check(exactly(&dp_mean, 5) == 1e6 * 26 / 8);
	check(exactly(&dp_incidence, 5) == 1);
	check(exactly(&dp_incidence, 7) == 0);
	check(exactly(&dp_heavy, 6) == 1. / 3 + 2. / 3 + 3);	/* 4, 5, and 6, 100, -7 */
	check(exactly(&dp_heavy, 1) == 7);
}

/*
 * (10, 6, 3), tau = 8: ramps 1, 1/2, 0; as (T1(8) - T1(4))/4, which is (17 - 11)/4.  Twice, as
 * answers are whole numbers.
 */
static void
heavy_oracle(void)
{
	static const int a[] = { 10, 6, 3, 10, 6, 3 };
	const struct dp_sketch s = { .universe = 6, .tau = 8 }, half = { .universe = 6, .tau = 4 };
	struct dp_mech *m[] = { make_for(&dp_heavy, &s, 9, 0, 0, 1),
	    make_for(&dp_cropped, &s, 9, 0, 0, 1), make_for(&dp_cropped, &half, 9, 0, 0, 1) };
	static const double want[] = { 3, 34, 22 };
	struct column c;
	int i, j;

	for (j = 0; j < 3; j++) {
		if (m[j] == NULL || column_new(&c, m[j], NULL) != 0) {
			fail("phase without noise");
			return;
		}
		for (i = 0; i < 6; i++)
			sees(&c, (uint64_t)i, a[i]);
		check(asks(&c) == want[j]);
		column_free(&c);
		dp_mech_free(m[j]);
	}
}

static void
history(const struct dp_statistic *what)
{
	const struct dp_sketch s = { .universe = 5, .deletes = true, .tau = 4 };

	forgets(make_for(what, &s, 9, 0, 1, 1));
}

/* A circle of 8 and one identifier. */
struct world {
	struct dp_mech *m;
	struct column c;
	double eps2;			/* of an output that moves by 1 */
	double p;			/* OUT at the start */
	double unit;			/* an answer is a constant - unit (C + z) */
};

/* C, but for a constant, for a cell at a place of 8 and the column's multiplier. */
static double
term(struct world *w, uint64_t place)
{
	cells_of(&w->c)[0] = place * EIGHTH;
	return -asks_with(&w->c, 0) / w->unit;
}

/*
 * log of the largest ratio of joint probabilities, over outputs, which is at an end of the range
 * or beyond: of a start c and a term x against c' and x'.
 */
static double
worst_pair(const struct world *w, uint64_t c, double x, uint64_t d, double y)
{
	const double start = log((dp_cell_out(c * EIGHTH) ? w->p : 1 - w->p) /
	    (dp_cell_out(d * EIGHTH) ? w->p : 1 - w->p));

	return start + fabs(x - y) * w->eps2;
}

/*
 * The worst log-ratio over histories: a is the net count when memory is seen, b when the output is
 * asked for.  It is epsilon at most, at least what eps1 and the spread of one multiplier's terms
 * give, and epsilon where that is all of the range.
 */
static void
enumerate(uint64_t tau, uint64_t num, uint64_t den, bool tight)
{
	const struct dp_sketch s = { .universe = 1, .deletes = true, .bits = 3, .tau = tau };
	struct world w = { .m = make_for(&dp_mean, &s, 9, 0, num, den) };
	const double eps = (double)num / (double)den;
	double worst = 0, y[8], least = INFINITY, most = -INFINITY, spread = 0, eps1;
	uint64_t f, place, c, d;
	int a, b, i, j, seed;

	if (w.m == NULL) {
		fail("phase of 3 bits");
		return;
	}
	eps1 = 1 / dp_q_double(noise_of(w.m, 1)->param);
	w.p = 1 / (1 + exp(eps1));
	w.eps2 = 1 / dp_q_double(noise_of(w.m, 0)->param);
	for (seed = 0; seed < 200; seed++) {		/* a key each, for all multipliers */
		if (column_new(&w.c, w.m, seeded((uint64_t)seed)) != 0)
			abort();
		w.unit = (asks_with(&w.c, 0) - asks_with(&w.c, 1000000000)) / 1e9;
		for (place = 0; place < 8; place++)
			y[place] = term(&w, place);
		for (least = most = y[0], place = 1; place < 8; place++) {
			least = fmin(least, y[place]);
			most = fmax(most, y[place]);
		}
		cells_of(&w.c)[0] = 0;
		sees(&w.c, 0, 1);
		f = cells_of(&w.c)[0] / EIGHTH;
		check(f * EIGHTH == cells_of(&w.c)[0]);
		if (f % 2 != 0)		/* a cell comes to every place */
			spread = fmax(spread, most - least);
		for (i = 0; i < 64; i++)
			for (j = 0; j < 64; j++)
				for (place = 0; place < 8; place++) {
					a = i / 8;
					b = i % 8;
					c = (place - f * (uint64_t)a) % 8;
					d = (place - f * (uint64_t)(j / 8)) % 8;
					worst = fmax(worst, worst_pair(&w, c,
					    y[(c + f * (uint64_t)b) % 8], d,
					    y[(d + f * (uint64_t)(j % 8)) % 8]));
				}
		dp_rng_free(w.c.rng);
		column_free(&w.c);
	}
	check(worst <= eps * (1 + 1e-6));
	check(spread > BOUND / 2 && worst >= eps1 + spread * w.eps2 - 1e-5);
	check(!tight || worst >= eps * (1 - 1e-5));
	if (worst > eps * (1 + 1e-6) || (tight && worst < eps * (1 - 1e-5)))
		printf("tau %llu, epsilon %llu/%llu: %.9g, terms within %.9g\n",
		    (unsigned long long)tau, (unsigned long long)num, (unsigned long long)den,
		    worst, spread);
	dp_mech_free(w.m);
}

/*
 * Of a fixed ramp: gain, and K, as an answer's unit is scale/(K gain); and the E W^2 that bands
 * with such a K have, the one nearest to `near` if there are several.
 */
static double
planned(const struct dp_mech *m, const struct dp_ramp *r, double scale, double *gain, double *K,
    double near)
{
	static const double even[] = { 1, 0.8, 0.67, 0.5, 0.33, 0.2 };
	struct dp_bands b;
	double square, best = 0;
	unsigned i;

	*gain = tanh(0.5 / dp_q_double(noise_of(m, 1)->param)) * (r->tau == 1 ? 1 : 2 / PI);
	*K = scale / dp_mech_unit(m, 0) / *gain;
	check(fabs(*K - nearbyint(*K)) < 1e-3);
	for (i = 0; i < 6; i++) {
		dp_bands_make(&b, r, r, even[i], NULL);
		square = dp_bands_square(&b, r);
		if (floor(BOUND / dp_bands_peak(&b, r, r)) == nearbyint(*K) &&
		    fabs(square - near) < fabs(best - near))
			best = square;
	}
	return best * (r->tau == 1 ? 2 : 1);	/* cos^2 = 1 */
}

/* Of R^: m E W^2/(2 gain^2) - sum of (1 - r)^2 + Var z/(K gain)^2, the data being the worst. */
static void
variances(void)
{
	static const uint64_t universe[] = { 1, 100, 12345 };
	struct dp_mech *m;
	double e1, e2, scale, gain, K, noise, square, want;
	uint64_t k;
	unsigned i, j;

	for (i = 0; i < RAMPS; i++)
		for (j = 0; j < 3; j++)
			for (k = 1; k <= 10; k *= 10) {
				const struct dp_statistic *what = ramps[i].low == 0 ?
				    &dp_cropped : &dp_heavy;
				const struct dp_sketch s = { .universe = universe[j],
				    .tau = ramps[i].tau };

				if ((m = make_for(what, &s, k, 1, 1, 1)) == NULL) {
					fail("phase");
					continue;
				}
				e2 = 1 / dp_q_double(noise_of(m, 0)->param);
				e1 = 1 / dp_q_double(noise_of(m, 1)->param);
				/* all of epsilon, and no more: an answer moves by 2 BOUND */
				check(e1 + (double)k * 2 * BOUND * e2 <= 1 + 1e-9);
				check(e1 + (double)k * 2 * BOUND * e2 >= 1 - 1e-9);
				scale = what == &dp_heavy ? 1 : (double)s.tau;
				(void)planned(m, &ramps[i], scale, &gain, &K, 1);
				noise = 2 / (e2 * e2) / (K * gain * K * gain);
				want = (dp_mech_variance(m, 1) / (scale * scale) - noise) * 2 *
				    gain * gain / (double)s.universe;
				square = planned(m, &ramps[i], scale, &gain, &K, want);
				check(fabs(want / square - 1) < 1e-6);
				dp_mech_free(m);
			}
}

/* The best law of f has (pi/sqrt(8)) coth(eps1/2) tau sqrt(m), a >= tau: 2.404 at eps1 = 1. */
static void
figure(void)
{
	const struct dp_sketch s = { .universe = 1 << 24, .tau = 100 };
	struct dp_mech *m = make_for(&dp_cropped, &s, 9, 0, 1, 1);
	double sd, best;

	if (m == NULL) {
		fail("phase");
		return;
	}
	sd = sqrt(dp_mech_variance(m, 1)) / 100 / 4096;
	best = PI / sqrt(8) / tanh(0.5 / dp_q_double(noise_of(m, 1)->param));
	check(sd > best && sd < best * 1.05);
	dp_mech_free(m);
}

/* No division of the budget is better. */
static void
split(void)
{
	static const struct {
		uint64_t m, tau;
	} of[] = { { 3, 5 }, { 100, 1 }, { 10000, 50 }, { 1000000, 2 } };
	struct dp_mech *m;
	double v, x, gain, K, other, square;
	unsigned i;
	int j;

	for (i = 0; i < 4; i++) {
		const struct dp_sketch s = { .universe = of[i].m, .tau = of[i].tau };
		const struct dp_ramp r = { 0, s.tau };

		if ((m = make_for(&dp_cropped, &s, 9, 0, 1, 1)) == NULL) {
			fail("phase");
			continue;
		}
		square = planned(m, &r, (double)s.tau, &gain, &K, 1);
		v = dp_mech_variance(m, 1) / (double)(s.tau * s.tau);
		for (j = 1; j < 1000; j++) {
			x = j / 1000.;
			gain = tanh(x / 2) * (s.tau == 1 ? 1 : 2 / PI);
			other = ((double)s.universe * square / 2 +
			    8 * pow(BOUND / (1 - x) / K, 2)) / (gain * gain);
			check(v <= other * (1 + 1e-7));
		}
		dp_mech_free(m);
	}
}

/* In line mode few lines leave most cells untouched: steps to T as predicted one by one. */
static void
lines(void)
{
	static const struct {
		uint64_t tau, share, every;
	} of[] = { { 1, 0, 0 }, { 7, 0, 0 }, { 6, 0, 0 }, { 0, 10, 60 }, { 0, 10, 0 } };
	const struct dp_statistic *what;
	struct dp_mech *m;
	struct dp_error e, b;
	unsigned i;

	for (i = 0; i < 5; i++) {
		const struct dp_sketch s = { .universe = 50, .lines = true, .tau = of[i].tau,
		    .share = of[i].share };

		what = i < 2 ? &dp_cropped : &dp_heavy;
		if ((m = make_for(what, &s, 600, of[i].every, 1, 1)) == NULL) {
			fail("phase");
			continue;
		}
		m->ops->error(m, 600, &e);
		check(fabs(dp_mech_variance(m, e.worst) / e.max - 1) < 1e-9);
		if (s.share == 0) {
			error_brute(m, 600, &b);
			check(fabs(e.max / b.max - 1) < 1e-9 && fabs(e.mean / b.mean - 1) < 1e-9);
			m->ops->error(m, 3, &e);
			error_brute(m, 3, &b);
			check(fabs(e.max / b.max - 1) < 1e-9 && fabs(e.mean / b.mean - 1) < 1e-9);
			check(dp_mech_variance(m, 100000) == dp_mech_variance(m, 200000));
		} else
			check(e.worst == (of[i].every == 0 ? 600 : 60) || e.worst % 60 == 0);
		dp_mech_free(m);
	}
}

static void
lower_bounds(void)
{
	const struct dp_sketch s = { .universe = 10000, .tau = 10 };
	struct dp_task k = { .what = DP_TASK_OWN, .statistic = &dp_cropped, .own = &s };
	const struct dp_sketch some = { .universe = 10000, .tau = 10, .lines = true };
	const struct dp_sketch share = { .buckets = 4096, .share = 100, .lines = true };

	/* .2217 sqrt(m) tau */
	check(fabs(dp_task_lower_bound(&k, 9, 1, 0, .05) / 221.7 - 1) < 1e-3);
	check(dp_task_lower_bound(&k, 9, 1, 1e-6, .05) == 0);
	k.statistic = &dp_mean;
	check(fabs(dp_task_lower_bound(&k, 9, 1, 0, .05) / 22170 - 1) < 1e-3);
	k.statistic = &dp_incidence;
	check(fabs(dp_task_lower_bound(&k, 9, 2, 0, .05) / 16.20 - 1) < 1e-3);
	/* of 2000 lines the first half holds 100 identifiers ten times each */
	k = (struct dp_task){ .what = DP_TASK_OWN, .statistic = &dp_cropped, .own = &some };
	check(fabs(dp_task_lower_bound(&k, 2000, 1, 0, .05) / 22.17 - 1) < 1e-3);
	check(fabs(dp_task_lower_bound(&k, 4, 1, 0, .05) / (.2217 * 2) - 1) < 1e-3);
	check(dp_task_lower_bound(&k, 1, 1, 0, .05) == 0);
	/* 50 of them can have a hundredth of all lines by then */
	k = (struct dp_task){ .what = DP_TASK_OWN, .statistic = &dp_heavy, .own = &share };
	check(fabs(dp_task_lower_bound(&k, 100000, 1, 0, .05) / (.2217 * sqrt(50)) - 1) < 1e-3);
	/* buckets are counted: more lines, or no limit of lines, do not make them more than 4096 */
	k.own = &(struct dp_sketch){ .tau = 2, .lines = true };
	check(fabs(dp_task_lower_bound(&k, 1000000, 1, 0, .05) / (.2217 * 64) - 1) < 1e-3);
	k.own = &(struct dp_sketch){ .tau = 2 };
	check(fabs(dp_task_lower_bound(&k, 9, 1, 0, .05) / (.2217 * 64) - 1) < 1e-3);
	k.own = &(struct dp_sketch){ .tau = 2, .buckets = 64 };
	check(fabs(dp_task_lower_bound(&k, 9, 1, 0, .05) / (.2217 * 8) - 1) < 1e-3);
}

/*
 * The mean of one cell's part, for 2^17 cells of one count, within 5.5 sd: weights are what makes
 * it 1 - r, as without them it would be nearly so.
 */
static void
means(void)
{
	static const struct dp_ramp of[] = { { 0, 2 }, { 0, 10 }, { 5, 10 } };
	static const int64_t a[] = { 0, 1, 3, 7, 12, -9 };
	const uint64_t n = (uint64_t)1 << 17;
	struct dp_rng *rng = seeded(11);
	struct dp_mech *m;
	struct column c;
	uint64_t k, f, before;
	unsigned i, j;
	double x, v;

	for (i = 0; i < 3; i++) {
		const struct dp_sketch s = { .universe = n, .tau = of[i].tau };

		m = make_for(of[i].low == 0 ? &dp_cropped : &dp_heavy, &s, 9, 0, 60, 1);
		if (m == NULL) {
			fail("phase");
			continue;
		}
		for (j = 0; j < 6; j++) {
			if (column_new(&c, m, rng) != 0)
				abort();
			for (k = 0; k < n; k++) {
				before = cells_of(&c)[k];
				sees(&c, k, 1);
				f = cells_of(&c)[k] - before;
				cells_of(&c)[k] = before + f * (uint64_t)a[j];
			}
			x = asks(&c) / (double)n / (of[i].low == 0 ? (double)s.tau : 1);
			v = 2 / (double)n;
			check(fabs(x - ramp(&of[i], (double)a[j])) < 5.5 * sqrt(v));
			column_free(&c);
		}
		dp_mech_free(m);
	}
	dp_rng_free(rng);
}

/* Buckets: how many; what is in one is one; and some of 50 heavy ones meet in 341. */
static void
buckets(void)
{
	const struct dp_sketch of20 = { .share = 20, .lines = true };
	const struct dp_sketch few = { .tau = 3, .buckets = 16 };
	const struct dp_sketch of50 = { .share = 50, .lines = true };
	const struct dp_id id[] = { { .word = { 1, 0 }, .sign = 1 },
	    { .word = { 1, 9 }, .sign = 1 },
	    { .word = { (uint64_t)15 << 60, 0 }, .sign = 1 } };
	struct dp_mech *m = make_for(&dp_heavy, &of20, 999, 0, 1, 1);
	struct dp_rng *rng = seeded(5);
	struct column c, d;
	struct dp_id one = { .sign = 1 };
	double lost = 0;
	int i, k;

	check(m != NULL && (m->column - 16) / 8 == 137);
	dp_mech_free(m);
	m = make_for(&dp_heavy, &few, 999, 0, 1, 1);
	if (m == NULL || column_new(&c, m, seeded(1)) != 0 || column_new(&d, m, seeded(1)) != 0) {
		fail("phase of buckets");
		return;
	}
	check((m->column - 16) / 8 == 16);
	check(c.m->ops->open.see(m, c.state, c.rng, &id[0]) == 0);
	check(d.m->ops->open.see(m, d.state, d.rng, &id[1]) == 0);
	check(memcmp(c.state, d.state, m->column) == 0);	/* another in its place */
	check(d.m->ops->open.see(m, d.state, d.rng, &id[2]) == 0);
	check(memcmp(cells_of(&c), cells_of(&d), 15 * 8) == 0);
	check(cells_of(&c)[15] != cells_of(&d)[15]);
	column_free(&c);
	column_free(&d);
	dp_rng_free(c.rng);
	dp_rng_free(d.rng);
	dp_mech_free(m);
	/* E lost = 50 - 342 (1 - (1 - 1/342)^50) = 3.42 <= 50 49/(2 342) */
	m = make_for(&dp_heavy, &of50, 999, 0, 0, 1);
	for (k = 0; m != NULL && k < 2000; k++) {
		if (column_new(&c, m, NULL) != 0)
			abort();
		for (c.t = 50, i = 0; i < 50; i++) {
			one.word[0] = word(rng);
			check(m->ops->open.see(m, c.state, NULL, &one) == 0);
		}
		lost += (50 - asks(&c)) / 2000;
		column_free(&c);
	}
	check(fabs(lost - 3.42) < 0.2);
	dp_mech_free(m);
	dp_rng_free(rng);
}

/* An answer with draw z for level l, and 0 for the others. */
static double
asks_level(struct column *c, unsigned l, int64_t z)
{
	int64_t draw[DP_LEVELS] = { [0] = 0 };
	double est;

	draw[l] = z;
	if (dp_rng_open_known(&c->rng, draw, DP_LEVELS) != 0)
		abort();
	est = asks(c);
	check(c->rng->left == 0);
	dp_rng_free(c->rng);
	return est;
}

/* Each level has a draw of its own; those count that 999 lines fill to a fifth at most. */
static void
levels_drawn(void)
{
	const struct dp_sketch s = { .tau = 3, .buckets = 16, .lines = true };
	const struct dp_mech_rule q = sketch_setting(&dp_cropped, &s, 999, 0, 1, 1);
	struct dp_mech *m = make("phase-levels", &q);
	const double far = (double)((int64_t)1 << 40);
	double none, was = 0, less;
	struct dp_rng *rng = seeded(1);
	struct column c;
	unsigned l;

	if (m == NULL || column_new(&c, m, rng) != 0) {
		fail("phase-levels");
		return;
	}
	c.t = 999;
	none = asks_level(&c, 0, 0);
	for (l = 0; l < DP_LEVELS; l++) {
		less = asks_level(&c, l, -(int64_t)far) - none;
		/* 333/2^(l+1) <= 3.2 from level 6 on; half as much of each, of the last as much */
		check(l < 6 ? fabs(less) < 1e-6 * far : l == 6 ? less > 0 :
		    fabs(less / was - (l == DP_LEVELS - 1 ? 1 : .5)) < .05 || l > 12);
		was = less;
	}
	column_free(&c);
	dp_rng_free(rng);
	dp_mech_free(m);
}

/* Levels: which cell, by both words; exact without noise, but for those that meet. */
static void
levels(void)
{
	const struct dp_sketch s = { .tau = 3, .buckets = 16, .deletes = true };
	struct dp_mech_rule q = sketch_setting(&dp_cropped, &s, 999, 0, 1, 1);
	struct dp_mech *m = make("phase-levels", &q);
	static const struct {
		uint64_t word[2];
		size_t cell;
	} at[] = { { { 0, 1 }, 0 }, { { (uint64_t)15 << 60, 7 }, 15 }, { { 0, 2 }, 16 },
	    { { (uint64_t)3 << 60, 8 }, 3 * 16 + 3 }, { { (uint64_t)1 << 60, 0 }, 20 * 16 + 1 },
	    { { (uint64_t)1 << 60, (uint64_t)1 << 63 }, 20 * 16 + 1 } };
	uint64_t was[DP_LEVELS * 16];
	struct dp_id id = { .sign = 1 };
	struct column c;
	size_t i, j;

	if (m == NULL || column_new(&c, m, seeded(1)) != 0) {
		fail("phase-levels");
		return;
	}
	check(m->column == 16 + sizeof was);
	for (i = 0; i < sizeof at / sizeof at[0]; i++) {
		memcpy(was, cells_of(&c), sizeof was);
		memcpy(id.word, at[i].word, sizeof id.word);
		check(m->ops->open.see(m, c.state, c.rng, &id) == 0);
		for (j = 0; j < DP_LEVELS * 16; j++)
			check((cells_of(&c)[j] != was[j]) == (j == at[i].cell));
	}
	column_free(&c);
	dp_rng_free(c.rng);
	dp_mech_free(m);
	q = sketch_setting(&dp_cropped, &s, 999, 0, 0, 1);
	m = make("phase-levels", &q);
	if (m == NULL || column_new(&c, m, NULL) != 0) {
		fail("phase-levels, exactly");
		return;
	}
	for (i = 0; i < sizeof at / sizeof at[0]; i++)
		for (j = 0; j <= i; j++) {
			memcpy(id.word, at[i].word, sizeof id.word);
			check(m->ops->open.see(m, c.state, NULL, &id) == 0);
		}
	/* 1, 2, 3, 4, and 5 with 6: cropped at 3 */
	check(asks(&c) == 1 + 2 + 3 + 3 + 3);
	column_free(&c);
	dp_mech_free(m);
	q = sketch_setting(&dp_cropped, &(struct dp_sketch){ .tau = 3, .universe = 9 }, 9, 0, 1, 1);
	check(make("phase-levels", &q) == NULL);
}

/* (1) of dp_phase_meeting(): every list of four counts, each way, for small thresholds. */
static void
meeting_pairs(void)
{
	int a[4], tau, i, j, k, sum;
	double off, pairs, c;

	for (tau = 1; tau <= 7; tau++) {
		const struct dp_ramp r = { (uint64_t)tau / 2, (uint64_t)tau };

		c = tau == 1 ? 2 : 1. / (double)(r.low * (r.tau - r.low));
		for (i = 0; i < 13 * 13 * 13 * 13; i++) {
			for (sum = 0, off = 0, pairs = 0, j = 0, k = i; j < 4; j++, k /= 13) {
				a[j] = k % 13 - 6;
				sum += a[j];
				off -= ramp(&r, a[j]);
			}
			off += ramp(&r, sum);
			for (j = 0; j < 4; j++)
				for (k = 0; k < j; k++)
					pairs += fabs((double)a[j] * a[k]);
			if (fabs(off) > c * pairs + 1e-9) {
				fail("counts of one bucket");
				return;
			}
		}
	}
}

/*
 * What hashing does to t lines that are `each` of an identifier, every other one of them undone
 * where they may be: in R runs it is farther off than dp_phase_meeting(p) in p of them at most, and
 * than M on average by no more than chance (false-reject rate 1e-6 each); where it is to attain M
 * it comes near to that.
 */
static void
meets(uint64_t n, uint64_t tau, uint64_t t, uint64_t each, bool deletes, double attained)
{
	const struct dp_sketch s = { .tau = tau, .buckets = n, .lines = true,
	    .deletes = deletes };
	const double p = .1, R = 400, l = (double)(tau / 2);
	const double M = (double)t * (double)t /
	    (2 * (double)n * l * ((double)tau - l));
	const struct dp_ramp r = { tau / 2, tau };
	struct dp_mech *m = make_for(&dp_heavy, &s, t, 0, 0, 1);
	struct dp_rng *rng = seeded(tau + each);
	struct dp_id id = { .sign = 1 };
	double off, sum = 0, square = 0, beyond = 0, most;
	struct column c;
	uint64_t i, k;
	int run;

	if (m == NULL)
		abort();
	most = dp_phase_meeting((const void *)m, t, p);
	for (run = 0; run < (int)R; run++) {
		if (column_new(&c, m, NULL) != 0)
			abort();
		for (off = 0, k = 0; k < t / each; k++) {
			id.word[0] = word(rng);
			id.sign = deletes && k % 2 == 1 ? -1 : 1;
			off -= ramp(&r, (double)each);
			for (i = 0; i < each; i++)
				check(m->ops->open.see(m, c.state, NULL, &id) == 0);
		}
		c.t = t;
		off += asks(&c);	/* rounded */
		sum += fabs(off);
		square += off * off;
		beyond += fabs(off) > most + .5;
		column_free(&c);
	}
	printf("%d lines, %d each, tau %d: off by %.3g on average, M %.3g; by more than %.3g in "
	    "%g of %g runs\n", (int)t, (int)each, (int)tau, sum / R, M, most, beyond, R);
	check(beyond <= p * R + Z_LIMIT * sqrt(R * p * (1 - p)));
	check(sum / R <= M + .5 + Z_LIMIT * sqrt((square / R - sum * sum / R / R) / R) ||
	    most == (double)t / (double)tau);
	check(sum / R >= attained * M);
	check(most < (double)t / (double)tau || attained == 0);
	dp_mech_free(m);
	dp_rng_free(rng);
}

static bool
there(struct dp_mech *m)
{
	const bool is = m != NULL;

	dp_mech_free(m);
	return is;
}

static void
eligible(void)
{
	const struct dp_sketch none = { .tau = 3 }, s = { .universe = 9, .tau = 3 };
	const struct dp_sketch no_tau = { .universe = 9 };
	const struct dp_sketch wide = { .universe = 9, .tau = 1ULL << 32 };
	const struct dp_sketch both = { .universe = 9, .tau = 3, .share = 4, .lines = true };
	const struct dp_sketch share = { .universe = 9, .share = 4, .lines = true };
	const struct dp_sketch events = { .universe = 9, .share = 4 };
	struct dp_mech_rule r = sketch_setting(&dp_cropped, &s, 0, 1, 1, 1);

	check(make_for(&dp_cropped, &none, 9, 0, 1, 1) == NULL);
	check(there(make_for(&dp_heavy, &none, 9, 0, 1, 1)));
	check(make_for(&dp_cropped, &no_tau, 9, 0, 1, 1) == NULL);
	check(make_for(&dp_cropped, &wide, 9, 0, 1, 1) == NULL);
	check(make_for(&dp_heavy, &both, 9, 0, 1, 1) == NULL);
	check(there(make_for(&dp_heavy, &share, 9, 0, 1, 1)));
	check(make_for(&dp_heavy, &events, 9, 0, 1, 1) == NULL);
	check(make_for(&dp_cropped, &share, 9, 0, 1, 1) == NULL);
	/* an answer every step, and nobody knows how many steps: what would one cost? */
	check(make("phase", &r) == NULL);
	r.every = 0;
	check(there(make("phase", &r)));
}

int
main(void)
{
	PART(cosines());
	PART(kernels());
	PART(weights(.33, 1.03, 5));
	PART(weights(1, 1.12, 1.8));
	PART(exact());
	PART(heavy_oracle());
	PART(history(&dp_cropped));
	PART(history(&dp_heavy));
	PART(history(&dp_incidence));
	PART(enumerate(1, 1, 1, true));
	PART(enumerate(1, 1, 10, true));
	PART(enumerate(2, 13, 10, false));
	PART(enumerate(3, 1, 1, false));
	PART(means());
	PART(variances());
	PART(figure());
	PART(split());
	PART(lines());
	PART(lower_bounds());
	PART(buckets());
	PART(levels());
	PART(levels_drawn());
	PART(meeting_pairs());
	PART(meets(4096, 10, 4000, 5, false, .8));	/* half a threshold each */
	PART(meets(4096, 10, 4000, 10, false, .2));
	PART(meets(4096, 10, 4000, 10, true, .2));
	PART(meets(64, 10, 6400, 1, false, 0));	/* all light, and all buckets full of them */
	PART(eligible());
	return done();
}
