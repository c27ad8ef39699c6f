/*
 * maxsum.c - the largest of D column sums as a statistic, and how small no loss can be promised
 * to be (Jain, Raskhodnikova, Sivakumar, Smith 2021).
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "maxsum.h"

static void
describe(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_maxsum *s = k->own;
	static const char *const what[] = {
		[DP_MAXSUM_VALUE] = "the largest of %zu column sums %s",
		[DP_MAXSUM_CHOICE] = "which of %zu columns has the largest sum %s",
		[DP_MAXSUM_BOTH] = "which of %zu columns has the largest sum %s, and that sum"
	};
	char since[100] = "since step 1";
	int n;

	if (k->what == DP_TASK_WINDOW && k->w[0] == 1)
		snprintf(since, sizeof since, "of each step");
	else if (k->what == DP_TASK_WINDOW)
		snprintf(since, sizeof since, "of the last %" PRIu64 " steps", k->w[0]);
	else if (k->what == DP_TASK_EXP)
		snprintf(since, sizeof since, "in which a step d back weighs %.12g^d", k->alpha);
	n = snprintf(text, size, what[s->show], s->columns, since);
	if (s->ceiling != 0 && n > 0 && (size_t)n < size)
		snprintf(text + n, size - (size_t)n,
		    "; the caller says that none passes --ceiling (else errors grow, or "
		    "lazy ends)");
}

/*
 * The most k for which 2^n inputs at distance k from one, told apart with probability 1 - beta
 * each, contradict the guarantee: group privacy leaves each of the 2^n disjoint events
 *	e^(-k epsilon) (1 - beta - delta (e^(k epsilon) - 1)/(e^epsilon - 1)),
 * so this times 2^n may not pass 1.
 */
static double
packed(double n, double eps, double delta, double beta)
{
	double lo = 0, hi = ceil(n * M_LN2 / eps) + 1, k, left;

	while ((k = dp_whole_between(lo, hi)) > lo) {
		left = 1 - beta - (delta > 0 ? delta * expm1(k * eps) / expm1(eps) : 0);
		if (left > 0 && n * M_LN2 - k * eps + log(left) > 0)
			lo = k;
		else
			hi = k;
	}
	return lo;
}

/*
 * A value, Theorem 3.1(2) with its constants.  n columns, k records, each of them with a one in
 * column j if u_j = 1: 2^n inputs u, at distance k from each other.  Then column by column a stage
 * that lets u_j be read from the answer, unless its loss is k/2 or more, and leaves the columns as
 * far apart as they were: k records of a one in column j alone, so that the largest sum is now
 * (base + 1 + u_j) k; then k of ones in all others.  2k steps.
 * k grows with n, what T leaves room for falls: the best n is where they cross.
 */
static double
packing(const struct dp_maxsum *s, double T, double eps, double delta, double beta)
{
	const size_t most = s->columns < s->ones ? s->columns : s->ones;
	size_t lo = 0, hi, n;
	double best = 0, k;

	for (hi = most + 1; hi - lo > 1; ) {
		n = lo + (hi - lo) / 2;
		if (packed((double)n, eps, delta, beta) <= T / (2 * (double)n))
			lo = n;
		else
			hi = n;
	}
	for (n = lo > 0 ? lo : 1; n <= lo + 1 && n <= most; n++) {
		k = fmin(packed((double)n, eps, delta, beta), floor(T / (2 * (double)n)));
		best = fmax(best, k);
	}
	return best / 2;
}

/* Records that k groups of columns have room and T steps have time for. */
static double
group_records(size_t columns, size_t k, double T, double eps, double delta, double beta)
{
	const double bits = (double)k * log2((double)(columns / k));

	return fmin(packed(bits, eps, delta, beta), floor(k == 1 ? T : T / (2 * (double)k)));
}

/*
 * A choice, after Theorem 4.1, with constants.  k groups of g columns, n records, each with a one
 * in one column of each group, u_j of group j: g^k inputs u, at distance n from n empty records.
 * Then group by group n records of ones in all columns of the group: its column u_j is ahead of all
 * others by n, so it is chosen, unless n is lost.  Then n of ones in all columns that are not of
 * the group.  2n steps a group, as the last needs no more than its first n.  A single group can be
 * read at once, and its records have a single one.
 * The bits k lg g grow up to g = 3, what T leaves room for falls.
 */
static double
group_packing(const struct dp_maxsum *s, double T, double eps, double delta, double beta)
{
	const size_t columns = s->columns < s->ones ? s->columns : s->ones;
	double best = group_records(s->columns, 1, T, eps, delta, beta);
	size_t lo = 1, hi = columns / 3 + 1, k;

	while (hi > lo + 1) {
		k = lo + (hi - lo) / 2;
		if (group_records(columns, k, INFINITY, eps, delta, beta) <= T / (2 * (double)k))
			lo = k;
		else
			hi = k;
	}
	for (k = lo > 1 ? lo : 2; k <= lo + 1 && 3 * k <= columns; k++)
		best = fmax(best, group_records(columns, k, T, eps, delta, beta));
	return best;
}

/*
 * Counting is a part of it: one column's sum is the largest where the others stay 0.  For a choice
 * k/2 ones in column 0 come first, so that k in column 1 make it lead by what it lacked: half of
 * the steps are enough for that, and k/2 is rounded down.
 * All these streams have sums that a ceiling may rule out: nothing is known with one.
 */
static double
lower_bound(const struct dp_task *task, uint64_t T, double eps, double delta, double beta)
{
	const struct dp_task count = { .what = DP_TASK_COUNT };
	const struct dp_maxsum *s = task->own;
	double least = 0;

	if (s->below || s->ceiling != 0)
		return 0;
	if (s->show & DP_MAXSUM_VALUE)
		least = fmax(dp_task_lower_bound(&count, T, eps, delta, beta),
		    packing(s, (double)T, eps, delta, beta));
	if ((s->show & DP_MAXSUM_CHOICE) && s->columns > 1)
		least = fmax(least, fmax(
		    floor(dp_task_lower_bound(&count, T / 2, eps, delta, beta)),
		    group_packing(s, (double)T, eps, delta, beta)));
	return least;
}

const char *
dp_maxsum_no_margin(const struct dp_task *task)
{
	const struct dp_maxsum *s = task->own;

	return s->margin.num == 0 ? NULL : "holds what it has found: --margin is for the others";
}

const struct dp_statistic dp_maxsum_statistic = {
	.name = "maxsum",
	.describe = describe,
	.measure = DP_MEASURE_QUANTILE,
	.lower = DP_LOWER_ALL, .lower_bound = lower_bound
};

/*
 * One column's sum is the largest where the others stay 0: the bound on one sum at one step.  For
 * a choice none is known to us.
 */
static double
recent_bound(const struct dp_task *task, uint64_t T, double eps, double delta, double beta)
{
	const struct dp_maxsum *s = task->own;
	struct dp_task one = *task;

	one.statistic = NULL;
	return s->below || (s->show & DP_MAXSUM_VALUE) == 0 ? 0 :
	    dp_task_lower_bound(&one, T, eps, delta, beta);
}

const struct dp_statistic dp_maxsum_recent = {
	.name = "maxsum", .describe = describe, .measure = DP_MEASURE_QUANTILE, .fades = true,
	.lower = DP_LOWER_STEP, .lower_bound = recent_bound, .make = dp_maxsum_recent_make
};
