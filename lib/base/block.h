/* SPDX-License-Identifier: ISC */
/*
 * block.h - 64 bytes at a time, one bit a byte.  For the inside of the readers.
 */
#ifndef DP_BASE_BLOCK_H
#define DP_BASE_BLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "os.h"

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

/* The bits of the first n bytes. */
static inline uint64_t
dp_block_first(size_t n)
{
	return n < DP_BLOCK ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;
}

#endif
