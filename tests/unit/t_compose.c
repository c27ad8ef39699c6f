/* SPDX-License-Identifier: ISC */
/*
 * t_compose.c - sums that people can check, and the figures of an independent program (Python, the
 * formula of privacy.h at every order to 3000).
 */
#include <math.h>

#include "account/privacy.h"
#include "check.h"

/* R for (10, 1e-6) and (1, 1e-6); what 200 runs of 0.1 have spent of the first */
#define RHO_10		1.4783902366625767
#define RHO_1		0.022934338446567004
#define SPENT_200	8.001661405208349

static const struct dp_q none = { 0, 1 };

static struct dp_account
opened(struct dp_q epsilon, struct dp_q delta)
{
	struct dp_account a;

	check(dp_account_open(&a, epsilon, delta) == 0);
	return a;
}

/* How many such runs are admitted, one after the other. */
static unsigned
admits(struct dp_account a, struct dp_loss run, enum dp_rule rule)
{
	unsigned n;

	for (n = 0; n < 10000; n++) {
		dp_account_add(&a, &run);
		if (!dp_account_fits(&a, rule))
			return n;
	}
	return n;
}

static bool
near(double x, double y)
{
	return fabs(x / y - 1) < 1e-6;
}

/* Ten times 0.1 is 1; floating point would make 0.9999999999999999 of it, and 0.3 of 3 too much. */
static void
basic(void)
{
	const struct dp_q one = { 1, 1 }, d = { 1, 1000000 };
	struct dp_account a = opened(one, none);
	struct dp_q epsilon, delta;
	unsigned i;

	check(admits(a, (struct dp_loss){ { 1, 10 }, none, none }, DP_RULE_BASIC) == 10);
	check(admits(a, (struct dp_loss){ { 1, 3 }, none, none }, DP_RULE_BASIC) == 3);
	check(admits(a, (struct dp_loss){ { 1, 10 }, { 1, 1000000000 }, none },
	    DP_RULE_BASIC) == 0);
	check(admits(a, (struct dp_loss){ { 1, 10 }, none, none }, DP_RULE_ZCDP) == 0);
	a = opened(one, d);
	check(admits(a, (struct dp_loss){ { 1, 100 }, { 1, 10000000 }, none },
	    DP_RULE_BASIC) == 10);
	check(admits(a, (struct dp_loss){ { 1, 1 }, d, none }, DP_RULE_BASIC) == 1);
	for (i = 0; i < 7; i++)
		dp_account_add(&a, &(struct dp_loss){ { 1, 10 }, { 1, 10000000 }, none });
	check(dp_account_left(&a, &epsilon, &delta) == DP_RULE_BASIC);
	check(dp_q_cmp(epsilon, dp_q_make(3, 10)) == 0 &&
	    dp_q_cmp(delta, dp_q_make(3, 10000000)) == 0);
	check(near(dp_account_spent(&a, DP_RULE_BASIC), 0.7));
}

static void
concentrated(void)
{
	const struct dp_q d = { 1, 1000000 };
	const struct dp_loss tenth = { { 1, 10 }, none, none };
	struct dp_account a = opened(dp_q_make(10, 1), d), b;
	struct dp_q epsilon, delta;
	unsigned i;

	check(near(dp_q_double(a.rho), RHO_10));
	check(near(dp_q_double(opened(dp_q_make(1, 1), d).rho), RHO_1));
	check(admits(a, tenth, DP_RULE_BASIC) == 100);
	check(admits(a, tenth, DP_RULE_ZCDP) == (unsigned)floor(RHO_10 / 0.005));
	for (i = 0; i < 200; i++)
		dp_account_add(&a, &tenth);
	check(!dp_account_fits(&a, DP_RULE_BASIC) && dp_account_fits(&a, DP_RULE_ZCDP));
	check(near(dp_account_spent(&a, DP_RULE_ZCDP), SPENT_200));
	check(dp_account_left(&a, &epsilon, &delta) == DP_RULE_ZCDP);
	check(near(dp_q_double(epsilon), sqrt(2 * (RHO_10 - 1))));
	check(dp_q_cmp(delta, dp_q_make(1, 2000000)) == 0);
	/* what is left is admitted, and no more */
	b = a;
	dp_account_add(&b, &(struct dp_loss){ epsilon, none, none });
	check(dp_account_fits(&b, DP_RULE_ZCDP));
	check(dp_q_add(&epsilon, epsilon, dp_q_make(3, 1000000)) == 0);
	b = a;
	dp_account_add(&b, &(struct dp_loss){ epsilon, none, none });
	check(!dp_account_fits(&b, DP_RULE_ZCDP));
	/* deltas count besides: five of a tenth of D are half of it */
	check(admits(a, (struct dp_loss){ { 1, 100 }, { 1, 10000000 }, none }, DP_RULE_ZCDP) == 5);
}

/* Gaussian runs: rho counts, not epsilon and delta. */
static void
gaussian(void)
{
	const struct dp_q d = { 1, 100000 };
	struct dp_account a = opened(dp_q_make(10, 1), d);
	const struct dp_loss run = { { 1, 1 }, { 1, 1000000 }, { 1, 64 } };

	check(admits(a, run, DP_RULE_BASIC) == 10);
	check(admits(a, run, DP_RULE_ZCDP) == (unsigned)floor(64 * dp_q_double(a.rho)));
	check(admits(a, run, DP_RULE_ZCDP) > 90);
	/* e^10 2^-47 for each run's samplers: where E is large, they are what counts */
	a = opened(dp_q_make(20, 1), d);
	check(dp_q_double(a.missed) > exp(20) * 0x1p-47);
	check(admits(a, run, DP_RULE_ZCDP) == (unsigned)floor(5e-6 / dp_q_double(a.missed)));
}

static void
edges(void)
{
	struct dp_account a;
	struct dp_q epsilon, delta;

	check(dp_account_open(&a, none, none) == DP_EINVAL);
	check(dp_account_open(&a, dp_q_make(1, 1), dp_q_make(1, 1)) == DP_EINVAL);
	a = opened(dp_q_make(INT64_MAX, 1), none);
	dp_account_add(&a, &(struct dp_loss){ { INT64_MAX, 1 }, none, none });
	check(dp_account_fits(&a, DP_RULE_BASIC));
	dp_account_add(&a, &(struct dp_loss){ { 1, 1 }, none, none });
	check(!dp_account_fits(&a, DP_RULE_BASIC));
	check(dp_account_left(&a, &epsilon, &delta) == DP_RULE_BASIC && epsilon.num == 0);
	a = opened(dp_q_make(1, 1), dp_q_make(1, 1000000));
	dp_account_add(&a, &(struct dp_loss){ { INT64_MAX, 1 }, none, none });
	check(!dp_account_fits(&a, DP_RULE_ZCDP) && !dp_account_fits(&a, DP_RULE_BASIC));
}

int
main(void)
{
	basic();
	concentrated();
	gaussian();
	edges();
	return done();
}
