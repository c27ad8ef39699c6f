#include <math.h>

#include "bits.h"

size_t
dp_bits_bytes(uint64_t n)
{
	return (size_t)((n + 63) / 64 * 8);
}

static void
set(uint64_t *word, uint64_t place, bool one)
{
	const uint64_t bit = (uint64_t)1 << place % 64;

	word[place / 64] = (word[place / 64] & ~bit) | (one ? bit : 0);
}

int
dp_bits_start(uint64_t *word, uint64_t n, const struct dp_noise *state, struct dp_rng *rng)
{
	uint64_t i;
	bool one;
	int e;

	for (i = 0; i < n; i++) {
		if ((e = dp_sketch_flip(state, rng, &one)) != 0)
			return e;
		set(word, i, one);
	}
	return 0;
}

int
dp_bits_see(uint64_t *word, uint64_t place, const struct dp_noise *state, struct dp_rng *rng)
{
	bool zero;
	int e = dp_sketch_flip(state, rng, &zero);

	if (e == 0)
		set(word, place, !zero);
	return e;
}

uint64_t
dp_bits_count(const uint64_t *word, uint64_t from, uint64_t n)
{
	uint64_t sum = 0, i;

	for (i = from; i < from + n && i % 64 != 0; i++)
		sum += word[i / 64] >> i % 64 & 1;
	for (; i + 64 <= from + n; i += 64)
		sum += (uint64_t)__builtin_popcountll(word[i / 64]);
	for (; i < from + n; i++)
		sum += word[i / 64] >> i % 64 & 1;
	return sum;
}

#define FAR	600		/* here doubles end, and each look costs eps1 */

double
dp_bits_looks(double eps1, uint64_t looks)
{
	const double h = 2 / (1 + exp(eps1));		/* 1 - g */
	double zero = eps1, one = eps1, was, H;		/* H: 1 - G */
	uint64_t j;

	if (eps1 > FAR)
		return (double)looks * eps1;
	for (j = 1; j < looks; j++) {
		H = -expm1((double)(j + 1) * log1p(-h));
		was = zero;
		zero = fmax(was + log((2 - h) / H), one + log(H / h));
		one = fmax(was + log((2 - H) / h), one + log((2 - h) / (2 - H)));
	}
	return fmax(zero, one);
}

void
dp_bits_odds(struct dp_odds *o, const struct dp_noise *state, struct dp_numbers *numbers)
{
	const double eps = dp_sketch_loss(state);

	o->p = dp_numbers_real(numbers, "flip", 1 / (1 + exp(eps)), 0, 0.5);
	o->gap = dp_numbers_real(numbers, "gap", tanh(eps / 2), 0x1p-64, 1);
}
