/* SPDX-License-Identifier: ISC */
/* t_magnitude.c - where values of a range that nobody knows add, and what is read there. */
#include "account/neighbour.h"
#include "mech.h"
#include "stat/magnitude.h"

/* magnitude.h: the least j with |v| <= 2^j; |v| 2^(S - j), to the nearest, at most 2^S. */
static void
place(const struct dp_magnitude_asked *k, int64_t v)
{
	const long double most = ldexpl(1, (int)k->top), size = fminl(fabsl((long double)v), most);
	int64_t adds = -1;
	const size_t at = dp_magnitude_place(k, v, &adds), j = at % (k->top + 1);

	check(at < dp_magnitude_columns(k) && (at > k->top) == (v < 0));
	check(size <= ldexpl(1, (int)j) && (j == 0 || size > ldexpl(1, (int)j - 1)));
	check(adds >= 0 && adds <= (int64_t)1 << k->digits);
	check(fabsl((long double)adds - ldexpl(size, (int)k->digits - (int)j)) <= .5L);
}

static void
places(void)
{
	static const struct dp_magnitude_asked asked[] = { { 0, 0 }, { 3, 3 }, { 40, 40 },
	    { 40, 12 }, { 48, 25 } };
	unsigned i, n;
	int64_t v;

	for (i = 0; i < sizeof asked / sizeof *asked; i++) {
		for (v = -70; v <= 70; v++)
			if (v != 0)
				place(&asked[i], v);
		for (n = 3; n < 50; n++)
			for (v = -2; v <= 2; v++) {
				place(&asked[i], ((int64_t)1 << n) + v);
				place(&asked[i], -((int64_t)1 << n) - v);
			}
	}
}

static struct dp_mech_rule
rule_of(const struct dp_magnitude_asked *k, bool exact)
{
	const struct dp_relation r = { .hi = 1, .lo = -1, .ones = 1,
	    .columns = dp_magnitude_columns(k), .sum = (uint64_t)1 << k->digits };
	struct dp_mech_rule s = { .task = { .what = DP_TASK_COUNT, .own = k,
	    .statistic = &dp_magnitude_statistic }, .horizon = 8, .every = 1, .hi = 1, .report = 8,
	    .inputs = dp_magnitude_columns(k), .bands = 1 };
	struct dp_distance d;

	if (dp_relation_distance(&r, &d) != 0 || dp_privacy_set(&s.privacy, exact, dp_q_make(1, 1),
	    dp_q_make(0, 1), d.l1, d.l2squared) != 0)
		abort();
	s.band[0].width = s.inputs;
	s.band[0].reach = (struct dp_reach){ .l1 = d.l1, .l2squared = d.l2squared,
	    .linf = d.linf, .columns = (unsigned)d.columns };
	return s;
}

/* Without noise sums are exact, of both signs, and the clamp is that of the largest value. */
static void
exact(void)
{
	static const struct dp_magnitude_asked k = { 40, 40 };
	static const int64_t value[] = { 5, -3, 1, 1000000007, -1000, 1024, 1025, -4097 };
	const struct dp_mech_rule s = rule_of(&k, true);
	struct dp_mech *m = make("input", &s);
	int64_t x[2 * 41] = { 0 }, adds;
	dp_wide est[2], sum = 0;
	struct column c = { .state = NULL };
	struct dp_rng *rng;
	size_t at;
	unsigned t;

	if (m == NULL || dp_rng_open_seed(&rng, 5) != 0)
		abort();
	check(m->outputs == 2 && column_new(&c, m, rng) == 0);
	for (t = 0; t < 8; t++) {
		sum += value[t];
		at = dp_magnitude_place(&k, value[t], &adds);
		x[at] = adds;
		check(m->ops->step(m, c.state, rng, t + 1, x, est) == 0);
		check(est[0] == sum);
		check(est[1] == (t < 1 ? 8 : t < 3 ? 8 : 1 << 30));
		x[at] = 0;
	}
	column_free(&c);
	dp_mech_free(m);
	dp_rng_free(rng);
}

/*
 * 100 events of 0 .. 1000 in each of 8 steps, R runs: the clamp is 1024 in all but few, and the
 * variance of the sum no more than 4/3 of a column's with that clamp, plus what rounding and wrong
 * clamps add; statistic variance / prediction, limits .75 and 1.2, 6 sd of which are .19 at R =
 * 4000 (fourth moment 6 at most).
 */
#define R	4000
static void
noisy(void)
{
	static const struct dp_magnitude_asked k = { 20, 20 };
	const struct dp_mech_rule s = rule_of(&k, false);
	struct dp_mech_rule one = setting(8, 1, 1, 1 << 20);
	struct dp_mech *m = make("normtree", &s), *count;
	int64_t x[2 * 21] = { 0 }, adds;
	dp_wide est[2];
	double squares = 0, d, sum = 0;
	struct column c = { .state = NULL };
	struct dp_rng *rng;
	unsigned r, t, i, wrong = 0;
	struct dp_law law;

	if (m == NULL || dp_rng_open_seed(&rng, 6) != 0)
		abort();
	for (i = 0; i < 100; i++) {
		x[dp_magnitude_place(&k, i * 10 + 7, &adds)] += adds;
		sum += i * 10 + 7;
	}
	for (r = 0; r < R; r++) {
		check(column_new(&c, m, rng) == 0);
		for (t = 1; t <= 8; t++)
			check(m->ops->step(m, c.state, rng, t, x, est) == 0);
		d = (double)est[0] - 8 * sum;
		wrong += est[1] != 1024;
		squares += est[1] == 1024 ? d * d : 0;
		column_free(&c);
	}
	check(wrong <= 2);	/* .04 are expected */
	/* the noise is that of a count which one event moves by 2^20 */
	one.bits = false;
	if ((count = make("normtree", &one)) == NULL)
		abort();
	dp_mech_law(m, 0, 8, &law);
	check(fabs(dp_law_variance(&law) / dp_mech_variance(count, 8) * .75 - 1) < 1e-6);
	dp_mech_free(count);
	d = dp_law_variance(&law) * exp2(2 * (10 - 20));
	printf("%u of %u with another clamp; variance %g, predicted %g\n", wrong, R,
	    squares / (R - wrong), d);
	check(squares / (R - wrong) > .75 * d && squares / (R - wrong) < 1.2 * d);
	dp_mech_free(m);
	dp_rng_free(rng);
}

int
main(void)
{
	places();
	exact();
	noisy();
	return done();
}
