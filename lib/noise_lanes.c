/*
 * Trials of the discrete Laplace side by side, one a lane: a word of each is compared with one threshold
 * after another, where dp_trial() compares one word with all of them.  That needs no work across lanes,
 * and wider vectors, where the processor has them, halve it.  The trials are dp_trial()'s, byte for byte.
 */
#include "noise_digits.h"

#define LANES	8

typedef int32_t lanes __attribute__((vector_size(4 * LANES)));

/* Word k of each trial. */
#define WORD(i)	((int32_t)dp_load32(p + 4 * ((i) * digits + k)))
#define WORDS	((lanes){ WORD(0), WORD(1), WORD(2), WORD(3), WORD(4), WORD(5), WORD(6), WORD(7) })

/*
 * Eight trials on the records at p: their values, and -1 for each to be kept; false if one of them is
 * rare, then the values mean nothing.  digits <= 6: a magnitude has at most 25 bits.
 */
DP_INLINE bool
trials(const struct dp_noise *nz, const uint8_t *p, const unsigned digits, const bool wide,
    int32_t z[LANES], int32_t kept[LANES])
{
	const int32_t *row = nz->row;
	lanes tie = { 0 }, magnitude = { 0 }, negative = { 0 }, u, above, value, keep;
	unsigned k, j, n;
	uint64_t t[LANES / 2];

	for (k = 0; k < digits; k++) {
		u = WORDS;
		if (k == digits - 1) {
			negative = -(u & 1);
			u &= ~1;
		}
		u ^= INT32_MIN;		/* DP_NOISE_BIAS */
		above = (lanes){ 0 };
		n = k == digits - 1 && wide ? 32 : 16;
#pragma GCC unroll 16
		for (j = 0; j < n; j++) {
			above += *row > u;	/* a true lane is -1 */
			tie |= *row++ == u;
		}
		magnitude |= (above + (int32_t)n) << 4 * k;
	}
	value = (magnitude ^ negative) - negative;
	keep = (magnitude | ~negative) != 0;	/* minus zero is not */
	memcpy(z, &value, sizeof value);
	memcpy(kept, &keep, sizeof keep);
	memcpy(t, &tie, sizeof t);
	return (t[0] | t[1] | t[2] | t[3]) == 0;
}

DP_INLINE size_t
run(const struct dp_noise *nz, const uint8_t *p, size_t n, int64_t *z, size_t *got,
    const unsigned digits, const bool wide)
{
	int32_t v[LANES], keep[LANES];
	size_t i, j, k = 0;

	for (i = 0; n - i >= LANES; i += LANES, p += LANES * 4 * digits) {
		if (DP_UNLIKELY(!trials(nz, p, digits, wide, v, keep)))
			break;
		for (j = 0; j < LANES; j++) {
			z[k] = v[j];
			k -= (size_t)(ptrdiff_t)keep[j];
		}
	}
	*got = k;
	return i;
}

DP_INLINE size_t
choose(const struct dp_noise *nz, const uint8_t *p, size_t n, int64_t *z, size_t *got)
{
	switch (nz->digits * 2 + nz->wide) {
	case 2: return run(nz, p, n, z, got, 1, false);
	case 3: return run(nz, p, n, z, got, 1, true);
	case 4: return run(nz, p, n, z, got, 2, false);
	case 5: return run(nz, p, n, z, got, 2, true);
	case 6: return run(nz, p, n, z, got, 3, false);
	case 7: return run(nz, p, n, z, got, 3, true);
	case 8: return run(nz, p, n, z, got, 4, false);
	case 9: return run(nz, p, n, z, got, 4, true);
	case 10: return run(nz, p, n, z, got, 5, false);
	case 11: return run(nz, p, n, z, got, 5, true);
	case 12: return run(nz, p, n, z, got, 6, false);
	case 13: return run(nz, p, n, z, got, 6, true);
	default:
		*got = 0;
		return 0;
	}
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static size_t
choose_avx2(const struct dp_noise *nz, const uint8_t *p, size_t n, int64_t *z, size_t *got)
{
	return choose(nz, p, n, z, got);
}
#endif

size_t
dp_laplace_lanes(const struct dp_noise *nz, const uint8_t *p, size_t n, int64_t *z, size_t *got)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2"))
		return choose_avx2(nz, p, n, z, got);
#endif
	return choose(nz, p, n, z, got);
}
