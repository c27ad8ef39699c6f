/* SPDX-License-Identifier: ISC */
/*
 * t_transform.c - dptransform's mechanisms by hand: known noise, the paper's numbers, what is
 * spent, the slack, the bound below, memory.
 *
 * Without noise: d = 3, K = 2 on 0 1 2 3 4 5 9 20 prints 0 0 0 0 4 4 9 and ends, and so on.  With
 * noise: paper, T = 4, K = 1, H = 3, as worked out from Figure 2; transform and pan likewise.
 */
#include "stat/transform.h"
#include "transform.h"

static bool
exactly(struct wish w, const int64_t *a, const int64_t *want, size_t n)
{
	struct dp_mech *m = transform_make(w);
	struct column c;
	int64_t y = 0;
	bool good;
	size_t i;

	if (m == NULL)
		abort();
	good = column_new(&c, m, NULL) == 0;
	for (i = 0; i < n && good; i++) {
		(void)column_step(&c, a[i], &y);
		good = y == want[i];
	}
	if (!good)
		printf("%s: step %zu gave %lld\n", w.name, i, (long long)y);
	column_free(&c);
	dp_mech_free(m);
	return good;
}

static void
without_noise(void)
{
	static const char *const name[] = { "transform", "pan", "paper" };
	struct wish w = { .T = 8, .r = 1 };
	struct dp_mech *m;
	int i;

	for (i = 0; i < 3; i++) {
		w.name = name[i];
		w.hold = false;
		w.lo = w.hi = 0;
		w.changes = 2;
		w.distance = 3;
		check(exactly(w, (int64_t[]){ 0, 1, 2, 3, 4, 5, 9, 20 },
		    (int64_t[]){ 0, 0, 0, 0, 4, 4, 9, ENDED }, 8));
		/* it stays ended, whatever comes */
		check(exactly(w, (int64_t[]){ 4, 8, 12, 8, 8 },
		    (int64_t[]){ 4, 8, ENDED, ENDED, ENDED }, 5));
		w.hold = true;
		check(exactly(w, (int64_t[]){ 0, 1, 2, 3, 4, 5, 9, 20 },
		    (int64_t[]){ 0, 0, 0, 0, 4, 4, 9, 9 }, 8));
		w.hold = false;
		/* no answer: what was printed stands, and is not released again */
		check(exactly(w, (int64_t[]){ DP_TRANSFORM_NONE, 9, DP_TRANSFORM_NONE, 9,
		    DP_TRANSFORM_NONE, 20, DP_TRANSFORM_NONE, 9 },
		    (int64_t[]){ 0, 9, 9, 9, 9, 20, 20, ENDED }, 8));
		w.changes = 3;
		w.distance = 0;
		check(exactly(w, (int64_t[]){ 1, 1, 2, 2 }, (int64_t[]){ 1, 1, 2, 2 }, 4));
		w.changes = 0;
		w.distance = 5;
		check(exactly(w, (int64_t[]){ 5, 6 }, (int64_t[]){ 0, ENDED }, 2));
		w.lo = 10;
		w.hi = 90;
		check(exactly(w, (int64_t[]){ 15, 16 }, (int64_t[]){ 10, ENDED }, 2));
		w.lo = -90;
		w.hi = -10;
		check(exactly(w, (int64_t[]){ -15, -16 }, (int64_t[]){ -10, ENDED }, 2));
		/* 0 is none of the range: as far from -15 as -10 is */
		check(exactly(w, (int64_t[]){ -15, 0, -16 }, (int64_t[]){ -10, -10, ENDED }, 3));
		w.distance = 4;
		w.changes = 2;
		check(exactly(w, (int64_t[]){ -15, 0, -14 }, (int64_t[]){ -15, -10, -10 }, 3));
	}
	w.name = "output";
	check(exactly(w, (int64_t[]){ -15, 6, 0 }, (int64_t[]){ -15, -10, -10 }, 3));
	check(exactly(w, (int64_t[]){ DP_TRANSFORM_NONE, -15, DP_TRANSFORM_NONE, -20 },
	    (int64_t[]){ -10, -15, -15, -20 }, 4));
	/* nothing would ever be released; no horizon */
	check(transform_make((struct wish){ .name = "transform", .T = 8, .r = 1, .hold = true,
	    .eps = 1 }) == NULL);
	for (i = 0; i < 3; i++) {
		m = transform_make((struct wish){ .name = name[i], .r = 1, .eps = 1 });
		check((m == NULL) == (i > 0));
		dp_mech_free(m);
	}
	check(transform_make((struct wish){ .name = "output", .r = 1, .eps = 1 }) == NULL);
}

/* n steps on a, each with its own draws: n[t] of them. */
static bool
known(struct dp_mech *m, int64_t H, const int64_t *a, const size_t *n, const int64_t *z,
    const int64_t *want, size_t steps)
{
	struct dp_rng *rng;
	struct column c;
	bool good = true;
	size_t t;

	if (dp_rng_open_known(&rng, z, 0) != 0 || column_new(&c, m, rng) != 0)
		abort();
	if (strcmp(m->ops->name, "recompute") != 0)	/* which has none */
		transform_plan(m)->threshold = H;
	for (t = 0; t < steps; z += n[t++])
		if (transform_step(m, c.state, rng, t + 1, a[t], z, n[t]) != want[t]) {
			printf("%s: step %zu\n", m->ops->name, t + 1);
			good = false;
		}
	column_free(&c);
	dp_rng_free(rng);
	dp_mech_free(m);
	return good;
}

static void
with_noise(void)
{
	struct wish w = { .name = "paper", .T = 4, .r = 1, .changes = 1, .eps = 3 };
	struct dp_mech *m;

	/* th[0..1] = 1, th[0] = -1, c, z | th[1], c, z | th[2..3], th[2], c, z | th[3], c, z */
	check(known(transform_make(w), 3, (int64_t[]){ 2, 5, 5, 5 }, (size_t[]){ 4, 3, 4, 3 },
	    (int64_t[]){ 1, -1, 2, 7, 0, 1, -3, -2, 0, 0, 4, 5, 0, 1 },
	    (int64_t[]){ 0, 0, 9, 9 }, 4));
	/* a comparison at its edge: |0 - 5 + 1| against 3 + 1, and one more */
	check(known(transform_make(w), 3, (int64_t[]){ 5, 5 }, (size_t[]){ 4, 3 },
	    (int64_t[]){ 1, 0, 1, 0, 0, 0, -2 }, (int64_t[]){ 0, 3 }, 2));
	/* the answer of the second change is not printed */
	check(known(transform_make(w), 3, (int64_t[]){ 9, 20, 9 }, (size_t[]){ 4, 3, 4 },
	    (int64_t[]){ 0, 0, 0, 1, 0, 0, 7, 0, 0, 0, 0 }, (int64_t[]){ 10, ENDED, ENDED }, 3));
	/* one threshold noise, first of all, for all time: 3 - 2 */
	w.name = "transform";
	w.changes = 2;
	check(known(transform_make(w), 3, (int64_t[]){ 1, 2, 3, 5 }, (size_t[]){ 3, 2, 2, 2 },
	    (int64_t[]){ -2, 0, 9, 0, 5, -3, 1, 1, 4 }, (int64_t[]){ 0, 7, 7, 9 }, 4));
	/* of 2 steps and of 4, none of one: the plan for T = 8 and so many changes */
	w = (struct wish){ .name = "pan", .T = 64, .r = 1, .changes = 1, .eps = 1 };
	m = transform_make(w);
	transform_plan(m)->low = 1;
	transform_plan(m)->levels = 2;
	check(known(m, 3, (int64_t[]){ 1, 5, 1, 0, 9 }, (size_t[]){ 4, 2, 3, 2, 4 },
	    (int64_t[]){ 1, 2, 6, 0, 1, 0, -3, 1, 0, 0, 8, 0, 2, 0, 2 },
	    (int64_t[]){ 0, 0, 0, 0, 11 }, 5));
}

/* P(heavy) of the first step on a, over all noise that matters. */
static double
heavy(struct dp_mech *m, int64_t H, int64_t a)
{
	const struct dp_noise *z = transform_plan(m)->noise;
	struct dp_transform_column c;
	struct dp_rng *rng;
	double sum = 0;
	int64_t i, j;

	if (dp_rng_open_known(&rng, NULL, 0) != 0)
		abort();
	transform_plan(m)->threshold = H;
	for (i = -60; i <= 60; i++)
		for (j = -200; j <= 200; j++) {
			memset(&c, 0, sizeof c);
			/* answers far off: a heavy step shows */
			if (transform_step(m, &c, rng, 1, a, (int64_t[]){ i, j, 1000 }, 3) != 0)
				sum += pmf(&z[0], i) * pmf(&z[1], j);
		}
	dp_rng_free(rng);
	dp_mech_free(m);
	return sum;
}

static void
paper_numbers(void)
{
	const struct wish w = { .name = "paper", .T = 2, .r = 1, .changes = 1, .eps = 3 };
	struct dp_mech *m = transform_make((struct wish){ .name = "paper", .T = 1000, .r = 5,
	    .changes = 7, .eps = 1, .eps_den = 2 });
	const struct dp_transform_plan *k = transform_plan(m);

	check(fabs(heavy(transform_make(w), 6, 0) - .207147) < 1e-6);
	check(fabs(heavy(transform_make(w), 6, 6) - .471285) < 1e-6);
	check(fabs(heavy(transform_make(w), 6, 10) - .789808) < 1e-6);
	/* eps = 1/6, h = 10: r h / eps, 2 r (K+1) / eps */
	check(dp_q_cmp(k->noise[0].param, dp_q_make(300, 1)) == 0);
	check(dp_q_cmp(k->noise[1].param, dp_q_make(480, 1)) == 0);
	check(dp_q_cmp(k->noise[2].param, dp_q_make(480, 1)) == 0);
	dp_mech_free(m);
}

/* Figure 2's accuracy and threshold, and Theorem 5.2's error, as --explain says them. */
/* Rounds: each has a threshold noise of its own, drawn at every step and kept where one ends. */
static void
round_draws(void)
{
	static const size_t n[] = { 4, 3, 3, 3, 3 };
	static const int64_t a[] = { 5, 14, 20, 30, 47 };
	/* threshold, comparison, answer, next threshold; then without the first */
	static const int64_t z[] = { 1, 0, 7, 99, 0, 3, -4, 1, 2, 99, -1, 5, 9, 0, 1, 99 };
	/* 14 > 10 + 1; |17 - 20 + 1| <= 10 - 4; |17 - 30 - 1| > 6; |35 - 47| <= 10 + 9 */
	static const int64_t want[] = { 0, 17, 17, 35, 35 };
	struct dp_mech *m = transform_make((struct wish){ .name = "rounds", .T = 8, .r = 1,
	    .changes = 3, .eps = 1, .delta = 1e-6 });
	struct dp_privacy p, one;
	uint64_t rounds;

	check(known(m, 10, a, n, z, want, 5));
	check(transform_make((struct wish){ .name = "rounds", .T = 8, .r = 1, .changes = 3,
	    .eps = 1 }) == NULL);
	/* of n rounds each has e, n e^2 / 2 = rho share, and no delta */
	if (dp_privacy_set(&p, false, dp_q_make(1, 1), dp_q_make(1, 1000000), 3, 9) != 0)
		abort();
	for (rounds = 1; rounds < 1000000; rounds *= 7) {
		check(dp_privacy_round(&one, &p, rounds, dp_q_make(3, 4)) == 0);
		check(one.delta.num == 0 && one.rho.num == 0 && one.l1 == 3);
		check((double)rounds * pow(dp_q_double(one.epsilon), 2) / 2 <=
		    dp_q_double(p.rho) * .75);
		check((double)rounds * pow(dp_q_double(one.epsilon), 2) / 2 >=
		    dp_q_double(p.rho) * .75 * (1 - 1e-9));
	}
	check(dp_privacy_round(&one, &p, 0, dp_q_make(3, 4)) == DP_EINVAL);
	check(dp_privacy_round(&one, &p, 5, dp_q_make(5, 4)) == DP_EINVAL);
	if (dp_privacy_set(&p, false, dp_q_make(1, 1), dp_q_make(0, 1), 3, 9) != 0)
		abort();
	check(dp_privacy_round(&one, &p, 5, dp_q_make(1, 2)) == DP_EINVAL);
}

static void
paper_threshold(void)
{
	static const struct {
		uint64_t T, changes;
		double lg, alpha;	/* r = 2, eps = 1: 2 (ln 20 + ln T) (K + lg^2 T) */
		bool own;
	} all[] = { { 1024, 5, 10, 2084.7129, true }, { 64, 30, 6, 944.4092, true },
	    { 64, 60, 6, 1373.6861, false }, { 16, 16, 4, 369.1725, false } };
	const struct dp_transform_plan *k;
	double error, threshold;
	struct dp_mech *m;
	char text[480];
	size_t i;

	for (i = 0; i < sizeof all / sizeof *all; i++) {
		m = transform_make((struct wish){ .name = "paper", .T = all[i].T, .r = 2,
		    .changes = all[i].changes, .distance = 50, .eps = 3 });
		k = transform_plan(m);
		check(fabs(k->paper.alpha - 2 * log(20. * (double)all[i].T) *
		    ((double)all[i].changes + all[i].lg * all[i].lg)) < 1e-6);
		check(fabs(k->paper.alpha - all[i].alpha) < 1e-2);
		check(k->paper.own == all[i].own && k->paper.small == !all[i].own);
		check(k->paper.own ? k->threshold == 50 + (int64_t)floor(2 * k->paper.alpha) &&
		    k->bound <= 50 + 4 * k->paper.alpha : (double)k->threshold >= 50 + 2 *
		    k->paper.alpha - 1);
		check(m->ops->say.note(m, 4, .5, text, sizeof text) &&
		    sscanf(text, "the paper's Theorem 5.2 has an error of %lf at most (D + 4 "
		    "alpha); its threshold of %lf", &error, &threshold) == 2);
		check(fabs(error - (50 + 4 * k->paper.alpha) / 2) < 1e-2);
		check(fabs(threshold - (50 + floor(2 * k->paper.alpha)) / 2) < 1e-2);
		check((strstr(text, "is the one used") != NULL) == all[i].own);
		dp_mech_free(m);
	}
	m = transform_make((struct wish){ .name = "pan", .T = 64, .r = 1, .changes = 5, .eps = 1 });
	check(!m->ops->say.note(m, 4, 1, text, sizeof text));
	dp_mech_free(m);
}

/* sum of charge r / (E b) in thousandths of a millionth, rounded up. */
static double
loss(const struct dp_transform_plan *k, double r_over_eps, const double n[3])
{
	double sum = 0;
	int i;

	for (i = 0; i < 3; i++)
		if (k->noise[i].kind != DP_NOISE_NONE)
			sum += n[i] * r_over_eps / dp_q_double(k->noise[i].param);
	return sum;
}

/* The n-th of transform, pan, paper: all of epsilon is spent, or 5/6 of it, and no more. */
static void
spent(int n, uint64_t steps, uint64_t most, bool hold)
{
	static const char *const name[] = { "transform", "pan", "paper" };
	const struct wish w = { .name = name[n], .T = steps, .r = 3, .changes = most, .eps = 7,
	    .eps_den = 5, .hold = hold };
	struct dp_mech *m = transform_make(w);
	const struct dp_transform_plan *k = (void *)m;
	const double T = (double)steps, K = fmin(T, (double)most);
	const double C = fmin(T, (double)most + 1 - hold);
	double U, L, got;

	check(m != NULL);
	if (m == NULL)
		return;
	L = n == 0 ? 1 : fmax(n == 2, ceil(log2(T))) - k->low;
	U = n == 0 ? 0 : fmin(T, exp2(k->low));
	got = loss(k, 3 * 5 / 7., (double[]){ L, U + 2 * fmin(C, T - U), K });
	check(L == k->levels && (n != 2 || k->low == 0));
	check(got <= 1 + 1e-12);
	if (n < 2)
		check(got > 1 - 2e-3);
	else if (T > C && !hold && most <= steps)
		check(fabs(got - 5 / 6.) < 1e-6);
	check(k->bound >= (double)k->threshold);
	dp_mech_free(m);
}

static void
what_is_spent(void)
{
	static const uint64_t steps[] = { 1, 3, 8, 1 << 20 };
	static const uint64_t most[] = { 0, 2, 5000 };
	struct dp_mech *m;
	int i, j, n;

	for (n = 0; n < 3; n++)
		for (i = 0; i < 4; i++)
			for (j = 0; j < 3; j++) {
				spent(n, steps[i], most[j], false);
				if (most[j] > 0)
					spent(n, steps[i], most[j], true);
			}
	/* fresh noise on T answers */
	m = transform_make((struct wish){ .name = "output", .T = 100, .r = 3, .eps = 2 });
	check(dp_q_cmp(m->drawn.noise->param, dp_q_make(150, 1)) == 0);
	dp_mech_free(m);
	m = transform_make((struct wish){ .name = "output-gauss", .T = 100, .r = 3, .eps = 2,
	    .delta = 1e-6 });
	/* shift 30: the analytic Gaussian's sigma / shift for epsilon 2 is 2.1 to 2.2 */
	check(sqrt(dp_q_double(m->drawn.noise->param)) > 30 * 2 &&
	    sqrt(dp_q_double(m->drawn.noise->param)) < 30 * 2.4);
	dp_mech_free(m);
}

/* Least w with P(|c + theta + z| > w) <= gamma, for scales as given. */
static double
quantile(const double *b, int n, double gamma)
{
	struct dp_noise z[3];
	struct dp_law law;
	int i;

	dp_law_clear(&law);
	for (i = 0; i < n; i++) {
		if (dp_noise_describe(&z[i], DP_NOISE_LAPLACE,
		    dp_q_make((uint64_t)(b[i] * 1024), 1024)) != 0)
			abort();
		dp_law_add(&law, &z[i], 1, 1);
	}
	return dp_law_bound(&law, gamma);
}

/* The slack is what its definition says, and no other division of epsilon does much better. */
static void
slack(void)
{
	struct dp_mech *m = transform_make((struct wish){ .name = "transform", .T = 500, .r = 10,
	    .changes = 4, .distance = 70, .eps = 1, .beta = .1 });
	const struct dp_transform_plan *k = transform_plan(m);
	const double C = 5, K = 4, T = 500, beta = .1;
	double b[3], S, X, best = INFINITY, h, a;

	b[0] = dp_q_double(k->noise[1].param);
	b[1] = dp_q_double(k->noise[0].param);
	b[2] = dp_q_double(k->noise[2].param);
	S = quantile(b, 3, beta / 2 / (T * C));
	X = quantile(b, 2, 2 * (7 / 16. * beta) / C);
	check(fabs((double)k->threshold - 70 - S) <= 1);
	check(fabs(k->bound - 70 - S - X) <= 2);
	for (h = .04; h < .4; h += .03)
		for (a = .1; a < .5; a += .03) {
			b[0] = 10 * 2 * C / (1 - h - a);
			b[1] = 10 / h;
			b[2] = 10 * K / a;
			best = fmin(best, quantile(b, 3, beta / 2 / (T * C)) +
			    quantile(b, 2, 2 * (7 / 16. * beta) / C));
		}
	check(S + X < best * 1.01);
	dp_mech_free(m);
	/* answers alone: a bound that they alone set */
	m = transform_make((struct wish){ .name = "transform", .T = 2, .r = 1, .changes = 2,
	    .eps = 1 });
	check(transform_plan(m)->bound >=
	    quantile((double[]){ dp_q_double(transform_plan(m)->noise[2].param) }, 1, .05 / 32));
	dp_mech_free(m);
	/* the last one held: answers move by the distance beside it */
	m = transform_make((struct wish){ .name = "transform", .T = 1, .r = 10, .changes = 1,
	    .distance = 1000, .eps = 1, .hold = true, .beta = .9 });
	check(transform_plan(m)->bound >= 1000 +
	    quantile((double[]){ dp_q_double(transform_plan(m)->noise[2].param) }, 1, .9 / 16));
	dp_mech_free(m);
}

/* By brute force: N streams by definition, m as far as the inequality holds. */
static void
bound_below(void)
{
	struct dp_transform own = { .changes = 3, .distance = 0, .reach = 1000, .unit = 2 };
	struct dp_task task = { .what = DP_TASK_OWN, .statistic = &dp_transform_statistic,
	    .own = &own };
	double m;

	/* C(100, 3) = 161700: (N - 1) e^-m .95 > .05, m < 12.938 + ...: ln(161699 * 19) = 14.94 */
	check(dp_task_lower_bound(&task, 100, 1, 0, .05) == 7);
	check(dp_task_lower_bound(&task, 100, .5, 0, .05) == 14.5);
	/* m r <= distance: 2^100 streams, ln = 69.3 + 2.9 */
	own.distance = 60;
	check(dp_task_lower_bound(&task, 100, 1, 0, .05) == 15);
	own.distance = 1000;
	check(dp_task_lower_bound(&task, 100, 1, 0, .05) == 36);
	own.reach = 9;
	check(dp_task_lower_bound(&task, 100, 1, 0, .05) == 4.5);
	own = (struct dp_transform){ .changes = 0, .reach = 1000, .unit = 2 };
	check(dp_task_lower_bound(&task, 100, 1, 0, .05) == 0);
	/* delta: where it would do the whole of the work, nothing is left */
	own.changes = 3;
	m = dp_task_lower_bound(&task, 100, 1, 1e-3, .05);
	check(m > 2 && m < 7);
}

/* The numbers of a plan come back; shares that sum to more than 1 do not. */
static void
replayed(void)
{
	struct dp_numbers p = { .n = 0 }, more = { .n = 0 };
	struct wish w = { .name = "pan", .T = 300, .r = 1, .changes = 3, .eps = 1, .params = &p };
	struct dp_mech *m = transform_make(w), *again;
	uint64_t was;
	size_t i;

	dp_numbers_replay(&p);
	again = transform_make(w);
	check(again != NULL && p.error == 0);
	check(transform_plan(m)->threshold == transform_plan(again)->threshold);
	check(memcmp(transform_plan(m)->share, transform_plan(again)->share,
	    sizeof transform_plan(m)->share) == 0);
	dp_mech_free(again);
	/* from the fifth on (dp_mech_create() has some before): K, D, hold, low, then the shares */
	for (i = 0; i < p.n; i++)
		dp_numbers_add(&more, i == 10 ? p.number[i].word * 2 : p.number[i].word);
	dp_numbers_replay(&more);
	w.params = &more;
	check(transform_make(w) == NULL);
	for (i = 5; i < 9; i++) {
		dp_numbers_replay(&p);
		w.params = &p;
		was = p.number[i].word;
		p.number[i].word = 77;
		check(transform_make(w) == NULL);
		p.number[i].word = was;
	}
	dp_mech_free(m);
	dp_numbers_free(&p);
	dp_numbers_free(&more);
}

/* Between steps: the output, the count of changes, and threshold noise that is not over. */
static void
memory(void)
{
	struct dp_mech *m = transform_make((struct wish){ .name = "paper", .T = 64, .r = 1,
	    .changes = 9, .eps = 1 });
	struct dp_transform_column *c;
	struct column col;
	struct dp_rng *rng;
	int64_t y, x = 123456;
	unsigned i;
	uint64_t t;

	if (dp_rng_open_seed(&rng, 5) != 0 || column_new(&col, m, rng) != 0)
		abort();
	c = col.state;
	check(m->column == sizeof *c);
	for (t = 1; t <= 64; t++, x += 7) {
		check(column_step(&col, x, &y) == 0 && c->out == y && c->out != x);
		for (i = 0; i < 64; i++)
			check(c->theta[i] == 0 || (i < 6 && t % ((uint64_t)1 << i) != 0));
		check(m->ops->valid(m, c, t));
	}
	for (i = 0; i < 64; i++)
		check(c->theta[i] == 0);
	c->changes = 11;
	check(!m->ops->valid(m, c, 64));
	c->changes = 3;
	check(!m->ops->valid(m, c, 2) && m->ops->valid(m, c, 3));
	column_free(&col);
	dp_rng_free(rng);
	dp_mech_free(m);
}

/* What rules a plan out is no more than what a search finds. */
static void
bound_before(void)
{
	struct dp_mech *m = transform_make((struct wish){ .name = "pan", .T = 1000, .r = 10,
	    .changes = 4, .distance = 70, .eps = 1, .beta = .1 });
	struct dp_transform_plan *k = transform_plan(m);
	double part[DP_TRANSFORM_FAMILIES], found;
	unsigned low;

	for (low = 0; low < 10; low++) {
		k->low = low;
		k->levels = 10 - low;
		k->uncovered = (uint64_t)1 << low;
		found = dp_transform_search(k, part);
		check(dp_transform_least(k) <= found && dp_transform_least(k) > found / 20);
	}
	dp_mech_free(m);
}

/* What --explain says of recompute's blocks: their length and number, or 0. */
static uint64_t
blocks(const struct dp_mech *m, uint64_t *number)
{
	unsigned long long every = 0, n = 0;
	char text[480];

	if (!m->ops->say.note(m, 0, 1, text, sizeof text) || sscanf(text,
	    "the first answer of every %llu lines is released, %llu in all", &every, &n) != 2)
		return 0;
	*number = n;
	return every;
}

/* The bound of blocks of n lines by the formula: Laplace's tail is closed. */
static double
block_bound(double T, double n, double r, double drift, double beta, bool rising)
{
	const double m = ceil(T / n), b = m * r, q = exp(-1 / b);
	/* least w with 2 q^(w+1) / (1 + q) <= beta / m */
	const double w = ceil(log(beta / m * (1 + q) / 2) / log(q) - 1 - 1e-9);

	return (rising ? ceil((n - 1) * drift / 2) : (n - 1) * drift) + fmax(w, 0);
}

static void
recomputed(void)
{
	struct wish w = { .name = "recompute", .T = 1000, .r = 1, .eps = 1, .drifts = true,
	    .refresh = 100 };
	struct dp_numbers p = { .n = 0 };
	struct dp_mech *m = transform_make(w), *again;
	uint64_t every, number = 0, n;
	struct dp_error e;
	double best, T;
	int rising, i;

	/* 10 ln(10 / .05) = 52.98 */
	check(blocks(m, &number) == 100 && number == 10);
	check(dp_q_cmp(m->drawn.noise->param, dp_q_make(10, 1)) == 0);
	dp_mech_error(m, 1000, &e);
	check(e.max == 53 && e.worst == 100);
	dp_mech_free(m);
	/* a drift, of both ways and of one */
	w.drift = 3;
	m = transform_make(w);
	dp_mech_error(m, 1000, &e);
	check(e.max == 53 + 297);
	dp_mech_free(m);
	w.rising = 100000;
	m = transform_make(w);
	dp_mech_error(m, 1000, &e);
	check(e.max == 53 + 149);
	dp_mech_free(m);
	/* known draws: a block's first answer, held; blank lines; what drifts is centred */
	w = (struct wish){ .name = "recompute", .T = 8, .r = 1, .eps = 1, .drifts = true,
	    .refresh = 3, .drift = 2 };
	check(known(transform_make(w), 0, (int64_t[]){ 5, 9, 9, DP_TRANSFORM_NONE, 7, 8, 1, 2 },
	    (size_t[]){ 1, 0, 0, 1, 1, 0, 1, 0 }, (int64_t[]){ 2, 50, -3, 4 },
	    (int64_t[]){ 7, 7, 7, 7, 4, 4, 5, 5 }, 8));
	w.rising = 50;
	check(known(transform_make(w), 0, (int64_t[]){ DP_TRANSFORM_NONE, DP_TRANSFORM_NONE,
	    DP_TRANSFORM_NONE, 4, 5, 6, 90, 95 }, (size_t[]){ 1, 1, 1, 1, 0, 0, 1, 0 },
	    (int64_t[]){ 9, 9, 9, 1, -1 }, (int64_t[]){ 0, 0, 0, 7, 7, 7, 91, 91 }, 8));
	/* the best of all lengths, but for a hundredth; the paper's bound, for probability 2/3 */
	for (i = 0; i < 12; i++)
		for (rising = 0; rising < 2; rising++) {
			w = (struct wish){ .name = "recompute", .T = (uint64_t)1 << (i + 4), .r = 1,
			    .eps = 1, .drifts = true, .drift = (uint64_t)i % 3,
			    .rising = rising ? 1000 : 0, .beta = 1 / 3. };
			T = (double)w.T;
			for (best = INFINITY, n = 1; n <= w.T; n++)
				best = fmin(best, block_bound(T, (double)n, 1, (double)w.drift,
				    1 / 3., rising != 0));
			m = transform_make(w);
			dp_mech_error(m, w.T, &e);
			check(e.max >= best && e.max <= best * 1.01 + 1);
			every = blocks(m, &number);
			check(number == (w.T - 1) / every + 1 && every <= w.T);
			if (w.drift == 1)
				check(e.max <= (double)every + (double)number *
				    (log((double)number) + 2 * log(T)));
			dp_mech_free(m);
		}
	/* with a delta by the root of the number, if that is less */
	w = (struct wish){ .name = "recompute", .T = 100000, .r = 1, .eps = 1, .drifts = true,
	    .drift = 1, .delta = 1e-6 };
	m = transform_make(w);
	check(m->drawn.noise->kind == DP_NOISE_GAUSS);
	dp_mech_error(m, w.T, &e);
	check(e.max < .6 * block_bound(100000, 565, 1, 1, .05, false));
	dp_mech_free(m);
	/* without a promise none; memory; what a state keeps */
	w.drifts = false;
	check(transform_make(w) == NULL);
	w = (struct wish){ .name = "recompute", .T = 300, .r = 1, .eps = 1, .drifts = true,
	    .drift = 1, .params = &p };
	m = transform_make(w);
	every = blocks(m, &number);
	check(m->column == 16 && m->ops->valid(m, (uint64_t[]){ 5, 1 }, 1) &&
	    m->ops->valid(m, (uint64_t[]){ 5, 1 }, every) &&
	    !m->ops->valid(m, (uint64_t[]){ 5, 2 }, every) &&
	    m->ops->valid(m, (uint64_t[]){ 5, 2 }, every + 1) &&
	    !m->ops->valid(m, (uint64_t[]){ 5, 1 }, 0));
	dp_numbers_replay(&p);
	again = transform_make(w);
	check(again != NULL && blocks(again, &number) == every);
	dp_mech_free(again);
	w.drift = 2;
	dp_numbers_replay(&p);
	check(transform_make(w) == NULL);
	dp_mech_free(m);
	dp_numbers_free(&p);
}

int
main(void)
{
	recomputed();
	without_noise();
	with_noise();
	paper_numbers();
	paper_threshold();
	round_draws();
	what_is_spent();
	slack();
	bound_below();
	bound_before();
	replayed();
	memory();
	return done();
}
