#include <math.h>

#include "task.h"

double
dp_task_weight(const struct dp_task *k, uint64_t d)
{
	switch (k->what == DP_TASK_MAP ? k->map : k->what) {
	case DP_TASK_WINDOW:
		return d < k->w[0] ? 1 : 0;
	case DP_TASK_EXP:
		return pow(k->alpha, (double)d);
	case DP_TASK_POLY:
		return pow((double)d + 1, -k->power);
	case DP_TASK_TABLE:
		return d < k->ng ? k->g[d] : 0;
	default:
		return 1;
	}
}

double
dp_task_total(const struct dp_task *k, uint64_t n)
{
	double sum = 0;
	uint64_t d;

	switch (k->what == DP_TASK_MAP ? k->map : k->what) {
	case DP_TASK_WINDOW:
		return (double)(n < k->w[0] ? n : k->w[0]);
	case DP_TASK_EXP:	/* (1 - alpha^n) / (1 - alpha) */
		return expm1((double)n * log(k->alpha)) / expm1(log(k->alpha));
	case DP_TASK_POLY:
		for (d = n; d-- > 0; )
			sum += dp_task_weight(k, d);
		return sum;
	case DP_TASK_TABLE:
		for (d = n < k->ng ? n : k->ng; d-- > 0; )
			sum += k->g[d];
		return sum;
	default:
		return (double)n;
	}
}
