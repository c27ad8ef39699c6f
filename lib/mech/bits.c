#include "bits.h"

static double
weigh(uint64_t t, const double *weight)
{
	double w = 0;

	for (; t != 0; t &= t - 1)
		w += weight[__builtin_ctzll(t)];
	return w;
}

/* Number of 1..T that have bit i. */
static double
times(uint64_t T, unsigned i)
{
	uint64_t b = (uint64_t)1 << i, rest = (T + 1) % (2 * b);

	return (double)((T + 1) / (2 * b)) * (double)b + (rest > b ? (double)(rest - b) : 0);
}

void
dp_bits_sum(uint64_t T, const double weight[64], double *max, uint64_t *worst, double *sum)
{
	uint64_t t;
	double w;
	unsigned i;

	*worst = T;
	*max = weigh(T, weight);
	*sum = 0;
	/* every smaller t is at most T with a set bit cleared and all bits below it set */
	for (i = 0; i < 62 && T >> i != 0; i++) {
		*sum += weight[i] * times(T, i);
		if (!(T >> i & 1))
			continue;
		t = ((T >> i) - 1) << i | (((uint64_t)1 << i) - 1);
		w = weigh(t, weight);
		if (w > *max) {
			*max = w;
			*worst = t;
		}
	}
}
