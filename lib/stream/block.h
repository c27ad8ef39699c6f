/*
 * block.h - 64 bytes at a time, one bit a byte.  For the inside of the readers.
 */
#ifndef DP_BLOCK_H
#define DP_BLOCK_H

#include <endian.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/dp.h"

#define DP_BLOCK	((size_t)64)

/* Bit i: p[i] is this byte, of the DP_BLOCK at p. */
static inline uint64_t
dp_block_equal(const char *p, char byte)
{
	uint64_t m = 0;
	unsigned i;
#ifdef __SSE2__
	const __m128i *q = (const __m128i *)(const void *)p, b = _mm_set1_epi8(byte);

#pragma GCC unroll 4
	for (i = 0; i < 4; i++)
		m |= (uint64_t)(unsigned)_mm_movemask_epi8(
		    _mm_cmpeq_epi8(_mm_loadu_si128(q + i), b)) << 16 * i;
#else
	const uint64_t ones = 0x0101010101010101, low = 0x7f * ones;
	uint64_t w;

#pragma GCC unroll 8
	for (i = 0; i < 8; i++) {
		memcpy(&w, p + 8 * i, sizeof w);
		w = le64toh(w) ^ (unsigned char)byte * ones;	/* 0 where it is the byte: */
		w = ~(((w & low) + low) | w) >> 7 & ones;	/* 1 there */
		m |= w * 0x0102040810204080 >> 56 << 8 * i;
	}
#endif
	return m;
}

/* Bit i: p[i] is a or a ^ 2, or b or b ^ 1; a has bit 1 clear, b bit 0. */
static inline uint64_t
dp_block_pairs(const char *p, char a, char b)
{
#ifdef __SSE2__
	const __m128i *q = (const __m128i *)(const void *)p;
	const __m128i two = _mm_set1_epi8(~2), one = _mm_set1_epi8(~1);
	__m128i x;
	uint64_t m = 0;
	unsigned i;

#pragma GCC unroll 4
	for (i = 0; i < 4; i++) {
		x = _mm_loadu_si128(q + i);
		x = _mm_or_si128(_mm_cmpeq_epi8(_mm_and_si128(x, two), _mm_set1_epi8(a)),
		    _mm_cmpeq_epi8(_mm_and_si128(x, one), _mm_set1_epi8(b)));
		m |= (uint64_t)(unsigned)_mm_movemask_epi8(x) << 16 * i;
	}
	return m;
#else
	return dp_block_equal(p, a) | dp_block_equal(p, (char)(a ^ 2)) | dp_block_equal(p, b) |
	    dp_block_equal(p, (char)(b ^ 1));
#endif
}

/* Bit i: p[i] | fold is from lo to hi, of the first 16 * parts of the bytes at p. */
static inline uint64_t
dp_block_range(const char *p, char fold, char lo, char hi, unsigned parts)
{
	uint64_t m = 0;
	unsigned i;
#ifdef __SSE2__
	const __m128i *q = (const __m128i *)(const void *)p, most = _mm_set1_epi8((char)(hi - lo));
	__m128i x;

#pragma GCC unroll 4
	for (i = 0; i < parts; i++) {
		x = _mm_or_si128(_mm_loadu_si128(q + i), _mm_set1_epi8(fold));
		x = _mm_sub_epi8(x, _mm_set1_epi8(lo));
		m |= (uint64_t)(unsigned)_mm_movemask_epi8(
		    _mm_cmpeq_epi8(_mm_min_epu8(x, most), x)) << 16 * i;
	}
#else
	for (i = 0; i < 16 * parts; i++)
		m |= (uint64_t)((unsigned char)((p[i] | fold) - lo) <= hi - lo) << i;
#endif
	return m;
}

/* The bits of the first n bytes. */
static inline uint64_t
dp_block_first(size_t n)
{
	return n < DP_BLOCK ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;
}

#endif
