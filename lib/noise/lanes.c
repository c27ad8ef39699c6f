/*
 * Trials of the discrete Laplace side by side, one a lane (AVX2): where dp_trial() compares a word
 * with all thresholds at once, here each lane descends a search tree of them.  The tree's levels
 * lie in registers and a permutation within one fetches a lane's next threshold, so addresses and
 * branches are independent of words.  The trials are dp_trial()'s, byte for byte; elsewhere than on
 * such processors all are left to it.
 */
#include "digits.h"

#define LEVEL	8		/* words of a level; the fifth has two times as many */

/* Level l < h of a tree over the 2^h - 1 thresholds of a row, which ascend. */
static void
fill_level(int32_t *to, const int32_t *row, unsigned h, unsigned l)
{
	unsigned i, half = 1u << (h - 1 - l);

	for (i = 0; i < 1u << l; i++)
		to[i] = row[(2 * i + 1) * half - 1];
}

void
dp_noise_trees(struct dp_noise *nz)
{
	unsigned k, l, h;

	if (nz->digits > DP_NOISE_LANES)
		return;
	for (k = 0; k < nz->digits; k++) {
		h = k == nz->digits - 1 && nz->wide ? 5 : 4;
		for (l = 0; l < h; l++)
			fill_level(nz->tree + 4 * LEVEL * k + LEVEL * l, nz->row + 16 * k, h, l);
	}
}

#ifdef __x86_64__
#include <immintrin.h>

#define AVX2	__attribute__((target("avx2")))
#define LANES	8

/* A node's threshold t: the child to go on with. */
AVX2 DP_INLINE __m256i
child(__m256i i, __m256i u, __m256i t, __m256i *tie)
{
	*tie = _mm256_or_si256(*tie, _mm256_cmpeq_epi32(t, u));
	return _mm256_sub_epi32(_mm256_add_epi32(i, i), _mm256_cmpgt_epi32(u, t));
}

/* Number of thresholds that each lane's u exceeds; a tie is met on the way. */
AVX2 DP_INLINE __m256i
descend(const int32_t *tree, __m256i u, const bool wide, __m256i *tie)
{
	const __m256i *level = (const __m256i *)(const void *)tree;
	__m256i i = _mm256_setzero_si256(), a, b, upper;
	unsigned l;

	for (l = 0; l < 4; l++)
		i = child(i, u, _mm256_permutevar8x32_epi32(_mm256_loadu_si256(level + l), i), tie);
	if (wide) {
		a = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(level + 4), i);
		b = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(level + 5), i);
		upper = _mm256_cmpgt_epi32(i, _mm256_set1_epi32(LEVEL - 1));
		i = child(i, u, _mm256_blendv_epi8(a, b, upper), tie);
	}
	return i;
}

/* Word k of eight records; of two words a record, in the order of order[1]. */
AVX2 DP_INLINE __m256i
words(const uint8_t *p, const unsigned digits, unsigned k)
{
	const __m256i *q = (const __m256i *)(const void *)p;
	__m256 a, b;
	__m256i step;

	if (digits == 1)
		return _mm256_loadu_si256(q);
	if (digits == 2) {
		a = _mm256_castsi256_ps(_mm256_loadu_si256(q));
		b = _mm256_castsi256_ps(_mm256_loadu_si256(q + 1));
		return _mm256_castps_si256(k == 0 ? _mm256_shuffle_ps(a, b, 0x88) :
		    _mm256_shuffle_ps(a, b, 0xdd));
	}
	step = _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
	    _mm256_set1_epi32((int)digits));
	return _mm256_i32gather_epi32((const int *)(const void *)(p + 4 * k), step, 4);
}

/*
 * Eight trials on the records at p: their values, and -1 for each to be kept; false if one of them
 * is rare, then the values mean nothing.  A magnitude has at most 25 bits.
 */
AVX2 DP_INLINE bool
trials(const struct dp_noise *nz, const uint8_t *p, const unsigned digits, const bool wide,
    int32_t z[LANES], int32_t kept[LANES])
{
	const __m256i bias = _mm256_set1_epi32(INT32_MIN), none = _mm256_setzero_si256();
	__m256i tie = none, g = none, negative, u, d;
	unsigned k;

#pragma GCC unroll 6
	for (k = 0; k < digits - 1; k++) {
		u = _mm256_xor_si256(words(p, digits, k), bias);
		d = descend(nz->tree + 4 * LEVEL * k, u, false, &tie);
		g = _mm256_or_si256(g, _mm256_slli_epi32(d, 4 * (int)k));
		/* the filling of a row */
		tie = _mm256_or_si256(tie, _mm256_cmpeq_epi32(u, _mm256_set1_epi32(INT32_MAX)));
	}
	u = words(p, digits, k);
	negative = _mm256_srai_epi32(_mm256_slli_epi32(u, 31), 31);
	u = _mm256_xor_si256(_mm256_andnot_si256(_mm256_set1_epi32(1), u), bias);
	d = descend(nz->tree + 4 * LEVEL * k, u, wide, &tie);
	g = _mm256_or_si256(g, _mm256_slli_epi32(d, 4 * (int)k));
	/* minus zero is not kept */
	d = _mm256_xor_si256(_mm256_and_si256(_mm256_cmpeq_epi32(g, none), negative),
	    _mm256_set1_epi32(-1));
	g = _mm256_sub_epi32(_mm256_xor_si256(g, negative), negative);
	_mm256_storeu_si256((__m256i *)(void *)z, g);
	_mm256_storeu_si256((__m256i *)(void *)kept, d);
	return _mm256_testz_si256(tie, tie);
}

AVX2 DP_INLINE size_t
run(const struct dp_noise *nz, const uint8_t *p, size_t n, int64_t *z, size_t want, size_t *got,
    const unsigned digits, const bool wide)
{
	static const uint8_t order[2][LANES] = {
		{ 0, 1, 2, 3, 4, 5, 6, 7 }, { 0, 1, 4, 5, 2, 3, 6, 7 }
	};
	const uint8_t *lane = order[digits == 2];
	int32_t v[LANES], kept[LANES];
	size_t i = 0, j, k = 0;

	for (; n - i >= LANES && want - k >= LANES; i += LANES) {
		if (DP_UNLIKELY(!trials(nz, p + i * 4 * digits, digits, wide, v, kept)))
			break;
#pragma GCC unroll 8
		for (j = 0; j < LANES; j++) {
			z[k] = v[lane[j]];
			k -= (size_t)(ptrdiff_t)kept[lane[j]];
		}
	}
	if (n - i >= LANES && k < want && trials(nz, p + i * 4 * digits, digits, wide, v, kept))
		for (j = 0; j < LANES && k < want; j++, i++) {
			z[k] = v[lane[j]];
			k -= (size_t)(ptrdiff_t)kept[lane[j]];
		}
	*got = k;
	return i;
}

AVX2 static size_t
choose(const struct dp_noise *nz, const uint8_t *p, size_t n, int64_t *z, size_t want, size_t *got)
{
	switch (nz->digits * 2 + nz->wide) {
	case 2: return run(nz, p, n, z, want, got, 1, false);
	case 3: return run(nz, p, n, z, want, got, 1, true);
	case 4: return run(nz, p, n, z, want, got, 2, false);
	case 5: return run(nz, p, n, z, want, got, 2, true);
	case 6: return run(nz, p, n, z, want, got, 3, false);
	case 7: return run(nz, p, n, z, want, got, 3, true);
	case 8: return run(nz, p, n, z, want, got, 4, false);
	case 9: return run(nz, p, n, z, want, got, 4, true);
	case 10: return run(nz, p, n, z, want, got, 5, false);
	case 11: return run(nz, p, n, z, want, got, 5, true);
	default: return run(nz, p, n, z, want, got, 6, nz->wide);
	}
}
#endif

size_t
dp_laplace_lanes(const struct dp_noise *nz, const uint8_t *p, size_t n, int64_t *z, size_t want,
    size_t *got)
{
#ifdef __x86_64__
	if (nz->digits <= DP_NOISE_LANES && __builtin_cpu_supports("avx2"))
		return choose(nz, p, n, z, want, got);
#else
	(void)nz, (void)p, (void)n, (void)z, (void)want;
#endif
	*got = 0;
	return 0;
}
