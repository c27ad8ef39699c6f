/*
 * task_lower.c - what no mechanism can do better (task.h has the proofs); no switch has a default.
 */
#include <math.h>

#include "task.h"

#define TERMS_MAX	((uint64_t)1 << 20)

/*
 * Bound of a probability gamma, k units away: e^(k epsilon) gamma + delta (e^(k epsilon) -
 * 1)/(e^epsilon - 1).
 */
static double
group(double k, double eps, double delta, double gamma)
{
	return exp(k * eps) * gamma + (delta > 0 ? delta * expm1(k * eps) / expm1(eps) : 0);
}

static double
counter_bound(uint64_t T, double eps, double delta, double beta)
{
	const double t = (double)T;
	double k = 0, one, left;
	uint64_t step;

	/* the left side falls with k: the last one that holds, by its bits */
	for (step = (uint64_t)1 << 62; step > 0; step >>= 1) {
		if (step > T || (one = k + (double)step) > t)
			continue;
		left = 1 - group(one, eps, delta, 0) - beta;
		if (floor(t / one) * exp(-one * eps) * left > beta)	/* 0 * inf is not */
			k = one;
	}
	return k / 2;
}

enum dp_lower
dp_task_lower(const struct dp_task *k)
{
	if (k->statistic != NULL)
		return k->statistic->lower;
	switch (k->what) {
	case DP_TASK_COUNT:
		return DP_LOWER_ALL;
	case DP_TASK_GRADUAL:
		return DP_LOWER_NONE;
	case DP_TASK_WINDOW:
	case DP_TASK_EXP:
	case DP_TASK_POLY:
	case DP_TASK_TABLE:
	case DP_TASK_EXPIRE:
	case DP_TASK_MAP:
	case DP_TASK_OWN:
		break;
	}
	return DP_LOWER_STEP;
}

static double
step_bound(const struct dp_task *k, uint64_t T, double eps, double delta, double beta)
{
	uint64_t most = T, D = 0, step;

	if (dp_task_cover(k) == DP_COVER_LAST)
		most = T < k->w[0] ? T : k->w[0];
	/* Fewer steps: a weaker bound, but one. */
	if (dp_task_weighted(k) == DP_TASK_POLY && most > TERMS_MAX)
		most = TERMS_MAX;
	for (step = (uint64_t)1 << 62; step > 0; step >>= 1)
		if (step <= most - D && group((double)(D + step), eps, delta, beta) < 1 - beta)
			D += step;
	return dp_task_total(k, D) / 2;
}

#define ALONE	8192		/* terms of the sum below that are added one by one */

double
dp_task_unbiased_bound(const struct dp_task *k, uint64_t T, double eps)
{
	const double h = M_PI / (4 * (double)T + 2);
	double sum = 0;
	uint64_t j, n = T < ALONE ? T : ALONE;

	if (k->what != DP_TASK_COUNT || k->statistic != NULL)
		return 0;
	for (j = n; j > 0; j--)
		sum += 1 / sin((2 * (double)j - 1) * h);
	/*
	 * The others are midpoints of pieces of width 2h: 1/(2h) times the integral of 1/sin, but
	 * for a relative h^2 f''/6f < 1/(12 ALONE^2)
	 */
	if (n < T)
		sum += (log(tan((double)T * h)) - log(tan((double)n * h))) / (2 * h);
	return sum / 2 / (double)T / (2 * sinh(eps / 2)) * (1 - 1e-8);
}

double
dp_task_lower_bound(const struct dp_task *k, uint64_t T, double eps, double delta, double beta)
{
	if (k->statistic != NULL)
		return k->statistic->lower_bound == NULL ? 0 :
		    k->statistic->lower_bound(k, T, eps, delta, beta);
	switch (dp_task_lower(k)) {
	case DP_LOWER_ALL:
		return counter_bound(T, eps, delta, beta);
	case DP_LOWER_PAN:
	case DP_LOWER_STEP:
		return step_bound(k, T, eps, delta, beta);
	case DP_LOWER_NONE:
	case DP_LOWER_LOCAL:
		break;
	}
	return 0;
}
