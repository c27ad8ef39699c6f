/* SPDX-License-Identifier: ISC */
/* compose.c - the sums of two rules, exact or rounded up. */
#include <math.h>

#include "internal.h"
#include "privacy.h"

#define SAMPLERS	((uint64_t)1 << 47)	/* 2^50 draws miss a 2^47-th: privacy.h */

int
dp_account_open(struct dp_account *a, struct dp_q epsilon, struct dp_q delta)
{
	const struct dp_q none = { 0, 1 };
	const double E = dp_q_double(epsilon), miss = 2 + exp(E);

	if (epsilon.num == 0 || delta.num >= delta.den)
		return DP_EINVAL;
	*a = (struct dp_account){ .epsilon = epsilon, .delta = delta, .rho = none, .half = none,
	    .missed = { 1, 1 }, .sum_epsilon = none, .sum_delta = none, .sum_rho = none,
	    .besides = none };
	if (delta.num == 0)
		return 0;
	/* rounded down: less is more private */
	a->half = delta.num % 2 == 0 ? dp_q_make(delta.num / 2, delta.den) :
	    delta.den <= INT64_MAX / 2 ? dp_q_make(delta.num, delta.den * 2) :
	    dp_q_make(delta.num / 2, delta.den);
	if (a->half.num != 0)
		a->rho = dp_zcdp_rho(E, dp_q_double(a->half));
	if (miss < (double)SAMPLERS)
		a->missed = dp_q_make((uint64_t)ceil(miss), SAMPLERS);
	return 0;
}

/* epsilon^2 / 2 */
static int
half_square(struct dp_q *out, struct dp_q e)
{
	const dp_uwide den = (dp_uwide)e.den * e.den;

	return dp_q_up(out, (dp_uwide)e.num * e.num, 2 * den);
}

static void
count(struct dp_account *a, struct dp_q *sum, struct dp_q q)
{
	a->over |= dp_q_add(sum, *sum, q) != 0;
}

void
dp_account_add(struct dp_account *a, const struct dp_loss *run)
{
	struct dp_q rho = run->rho;

	count(a, &a->sum_epsilon, run->epsilon);
	count(a, &a->sum_delta, run->delta);
	if (a->rho.num == 0)
		return;
	if (rho.num == 0 && half_square(&rho, run->epsilon) != 0)
		rho = dp_q_make(INT64_MAX, 1);
	/* more than R is enough to know */
	if (dp_q_cmp(rho, a->rho) > 0)
		rho = dp_q_make(a->rho.num + 1, a->rho.den);
	count(a, &a->sum_rho, rho);
	count(a, &a->besides, run->rho.num != 0 ? a->missed : run->delta);
}

static void
raise_to(struct dp_q *a, struct dp_q b)
{
	if (dp_q_cmp(*a, b) < 0)
		*a = b;
}

void
dp_account_most(struct dp_account *a, const struct dp_account *part)
{
	raise_to(&a->sum_epsilon, part->sum_epsilon);
	raise_to(&a->sum_delta, part->sum_delta);
	raise_to(&a->sum_rho, part->sum_rho);
	raise_to(&a->besides, part->besides);
	a->over |= part->over;
}

void
dp_account_join(struct dp_account *a, const struct dp_account *most)
{
	count(a, &a->sum_epsilon, most->sum_epsilon);
	count(a, &a->sum_delta, most->sum_delta);
	count(a, &a->sum_rho, most->sum_rho);
	count(a, &a->besides, most->besides);
	a->over |= most->over;
}

void
dp_account_empty(struct dp_account *a)
{
	a->sum_epsilon = a->sum_delta = a->sum_rho = a->besides = (struct dp_q){ 0, 1 };
	a->over = false;
}

bool
dp_account_fits(const struct dp_account *a, enum dp_rule rule)
{
	if (a->over)
		return false;
	switch (rule) {
	case DP_RULE_BASIC:
		return dp_q_cmp(a->sum_epsilon, a->epsilon) <= 0 &&
		    dp_q_cmp(a->sum_delta, a->delta) <= 0;
	case DP_RULE_ZCDP:
		return a->rho.num != 0 && dp_q_cmp(a->sum_rho, a->rho) <= 0 &&
		    dp_q_cmp(a->besides, a->half) <= 0;
	}
	return false;
}

/* The largest multiple of 10^-6 whose half square is at most rho. */
static struct dp_q
root(struct dp_q rho)
{
	const double x = floor(sqrt(2 * dp_q_double(rho)) * (1 - 1e-9) * 1e6);

	return x < 0x1p62 ? dp_q_make((uint64_t)x, 1000000) : dp_q_make(INT64_MAX, 1000000);
}

enum dp_rule
dp_account_left(const struct dp_account *a, struct dp_q *epsilon, struct dp_q *delta)
{
	const struct dp_q none = { 0, 1 };
	struct dp_q more;

	*epsilon = *delta = none;
	if (dp_account_fits(a, DP_RULE_BASIC)) {
		*epsilon = dp_q_left(a->epsilon, a->sum_epsilon);
		*delta = dp_q_left(a->delta, a->sum_delta);
	}
	if (!dp_account_fits(a, DP_RULE_ZCDP))
		return DP_RULE_BASIC;
	more = root(dp_q_left(a->rho, a->sum_rho));
	if (dp_account_fits(a, DP_RULE_BASIC) && dp_q_cmp(more, *epsilon) <= 0)
		return DP_RULE_BASIC;
	*epsilon = more;
	*delta = dp_q_left(a->half, a->besides);
	return DP_RULE_ZCDP;
}

double
dp_account_spent(const struct dp_account *a, enum dp_rule rule)
{
	const double rho = dp_q_double(a->sum_rho), delta = dp_q_double(a->half);
	double lo = 0, hi = dp_q_double(a->epsilon), mid;
	int i;

	switch (rule) {
	case DP_RULE_BASIC:
		return dp_q_double(a->sum_epsilon);
	case DP_RULE_ZCDP:
		break;
	}
	if (rho <= 0)
		return 0;
	for (i = 0; i < 64; i++) {
		mid = (lo + hi) / 2;
		if (dp_zcdp_delta(rho, mid) <= delta)
			hi = mid;
		else
			lo = mid;
	}
	return hi;
}
