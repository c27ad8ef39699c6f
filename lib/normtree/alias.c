/*
 * alias.c - alias rows, looked up (alias.h).
 */
#include <stdlib.h>

#include "alias_rows.h"
#include "noise/digits.h"

struct dp_normtree_alias *
dp_normtree_alias_create(unsigned A)
{
	struct dp_normtree_alias *a;
	unsigned bits = 4;
	size_t rows, columns;

	while (3u << bits < A && 1u << bits < DP_NORMTREE_WIDEST)
		bits++;
	rows = (size_t)DP_NORMTREE_ALIAS_LEVELS << bits;
	columns = rows << bits;
	if ((a = calloc(1, sizeof *a + columns * (sizeof *a->column + sizeof *a->tie) + rows)) ==
	    NULL)
		return NULL;
	a->bits = a->work.bits = bits;
	a->width = 1u << bits;
	a->column = (void *)(a + 1);
	a->tie = a->column + columns;
	a->first = (void *)(a->tie + columns);
#ifdef __x86_64__
	a->lanes = __builtin_cpu_supports("avx2");
#endif
	return a;
}

void
dp_normtree_alias_free(struct dp_normtree_alias *a)
{
	free(a);
}

void
dp_normtree_alias_rest(struct dp_normtree_alias **a, unsigned A)
{
	struct dp_normtree_alias *fresh;

	if (*a == NULL || (*a)->levels == 0 || (fresh = dp_normtree_alias_create(A)) == NULL)
		return;
	free(*a);
	*a = fresh;
}

bool
dp_normtree_alias_at(struct dp_normtree_alias *a, uint64_t i, unsigned kind)
{
	const bool others = a->levels == 0 || a->kind != kind;

	a->node = (i >> DP_NORMTREE_ALIAS_LEVELS) + 1;
	a->on = i >= DP_NORMTREE_ALIAS_FROM && kind != DP_NORMTREE_STEP;
	if (a->on)
		a->kind = kind;
	return a->on && others;
}

bool
dp_normtree_alias_has(const struct dp_normtree_alias *a, uint64_t i)
{
	return a->node == (i >> DP_NORMTREE_ALIAS_LEVELS) + 1;
}

unsigned
dp_normtree_alias_levels(const struct dp_normtree_alias *a)
{
	return a->on ? a->levels : 0;
}

unsigned
dp_normtree_alias_kind(const struct dp_normtree_alias *a)
{
	return a->on ? a->kind : DP_NORMTREE_STEP;
}

uint64_t
dp_normtree_alias_first(const struct dp_normtree_alias *a, unsigned l, uint64_t P)
{
	return P < a->width ? a->first[dp_normtree_alias_row(a, l, P)] : 0;
}

/* A node's look-up. */
struct look {
	size_t column;			/* among all */
	uint32_t u, entry, here;	/* first bits of the unit; the column's; its number */
	unsigned side;
};

DP_INLINE struct look
look_up(const struct dp_normtree_alias *a, unsigned l, int64_t noise, uint32_t w)
{
	const unsigned b = 31 - a->bits;
	const uint64_t P = size_of(noise), inside = -(uint64_t)(P < a->width);
	struct look k;

	k.u = w & ((1u << b) - 1);
	k.here = w >> b & (a->width - 1);
	k.side = w >> 31;
	k.column = (dp_normtree_alias_row(a, l, P & inside) << a->bits) + k.here;
	k.entry = a->column[k.column];
	return k;
}

DP_INLINE uint32_t
outcome(const struct dp_normtree_alias *a, const struct look *k, bool here)
{
	const uint32_t other = k->entry & (a->width - 1);

	return other ^ ((other ^ k->here) & -(uint32_t)here);
}

/* A tie, a tail, or a noise without a row: more than the word decides. */
DP_INLINE unsigned
one(const struct dp_normtree_alias *a, unsigned l, int64_t P, uint32_t w, int64_t *out)
{
	const struct look k = look_up(a, l, P, w);
	const uint32_t threshold = k.entry >> a->bits, j = outcome(a, &k, k.u < threshold);

	put(P, j, k.side, out);
	return (k.u == threshold) | (j == a->width - 1) | (size_of(P) >= a->width);
}

#ifdef __x86_64__
#include <immintrin.h>

#define LANES	8

/* one() for eight nodes, a bit each. */
__attribute__((target("avx2"), always_inline)) static inline unsigned
eight(const struct dp_normtree_alias *a, unsigned l, const int64_t *P, const uint8_t *words,
    int64_t *out)
{
	const __m256i *in = (const __m256i *)(const void *)P;
	const __m128i bits = _mm_cvtsi32_si128((int)a->bits);
	const __m128i rest = _mm_cvtsi32_si128(31 - (int)a->bits);
	const __m256i last = _mm256_set1_epi32((int)a->width - 1);
	const __m256i w = _mm256_loadu_si256((const __m256i *)(const void *)words);
	__m256i p, size, big, u, here, entry, threshold, j, rare, half, x, y, swap, sign;
	__m256i *to = (__m256i *)(void *)out;

	p = _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(_mm256_loadu_si256(in)),
	    _mm256_castsi256_ps(_mm256_loadu_si256(in + 1)), 0x88));
	p = _mm256_permute4x64_epi64(p, 0xd8);
	size = _mm256_abs_epi32(p);
	big = _mm256_cmpgt_epi32(size, last);
	u = _mm256_and_si256(w, _mm256_set1_epi32((int)((1u << (31 - a->bits)) - 1)));
	here = _mm256_and_si256(_mm256_srl_epi32(w, rest), last);
	x = _mm256_add_epi32(_mm256_andnot_si256(big, size),
	    _mm256_set1_epi32((int)dp_normtree_alias_row(a, l, 0)));
	entry = _mm256_i32gather_epi32((const int *)(const void *)a->column,
	    _mm256_add_epi32(_mm256_sll_epi32(x, bits), here), 4);
	threshold = _mm256_srl_epi32(entry, bits);
	j = _mm256_blendv_epi8(_mm256_and_si256(entry, last), here,
	    _mm256_cmpgt_epi32(threshold, u));
	rare = _mm256_or_si256(_mm256_or_si256(big, _mm256_cmpeq_epi32(threshold, u)),
	    _mm256_cmpeq_epi32(j, last));

	half = _mm256_srli_epi32(size, 1);
	x = _mm256_add_epi32(_mm256_sub_epi32(size, half), j);
	y = _mm256_sub_epi32(half, j);
	swap = _mm256_and_si256(_mm256_xor_si256(x, y), _mm256_srai_epi32(w, 31));
	sign = _mm256_srai_epi32(p, 31);
	x = _mm256_sub_epi32(_mm256_xor_si256(_mm256_xor_si256(x, swap), sign), sign);
	y = _mm256_sub_epi32(_mm256_xor_si256(_mm256_xor_si256(y, swap), sign), sign);
	u = _mm256_unpacklo_epi32(x, y);
	x = _mm256_unpackhi_epi32(x, y);
	_mm256_storeu_si256(to, _mm256_cvtepi32_epi64(_mm256_castsi256_si128(u)));
	_mm256_storeu_si256(to + 1, _mm256_cvtepi32_epi64(_mm256_castsi256_si128(x)));
	_mm256_storeu_si256(to + 2, _mm256_cvtepi32_epi64(_mm256_extracti128_si256(u, 1)));
	_mm256_storeu_si256(to + 3, _mm256_cvtepi32_epi64(_mm256_extracti128_si256(x, 1)));
	return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(rare));
}

__attribute__((target("avx2"))) static unsigned
eights(const struct dp_normtree_alias *a, unsigned l, const int64_t *P, const uint8_t *words,
    int64_t *out, unsigned n)
{
	unsigned rare = 0, i;

	for (i = 0; i < n; i += LANES)
		rare |= eight(a, l, P + i, words + 4 * i, out + 2 * i) << i;
	return rare;
}
#endif

/* one() for n nodes, a bit each. */
DP_INLINE unsigned
all(const struct dp_normtree_alias *a, unsigned l, const int64_t *P, const uint8_t *words,
    int64_t *out, unsigned n)
{
	unsigned rare = 0, i = 0;

#ifdef __x86_64__
	if (a->lanes && n >= LANES) {
		i = n / LANES * LANES;
		rare = eights(a, l, P, words, out, i);
	}
#endif
	for (; i < n; i++)
		rare |= one(a, l, P[i], dp_load32(words + 4 * i), out + 2 * i) << i;
	return rare;
}

/* A node that more decides; *left: rejection does. */
static int
again(const struct dp_normtree_alias *a, struct dp_rng *rng, unsigned l, int64_t P, uint32_t w,
    int64_t *out, bool *left)
{
	struct look k = look_up(a, l, P, w);
	bool here = k.u < k.entry >> a->bits;
	const uint8_t *at;
	uint32_t j;

	*left = true;
	if (size_of(P) >= a->width)
		return 0;
	if (k.u == k.entry >> a->bits) {
		if ((at = dp_rng_take(rng, 4)) == NULL)
			return rng->error;
		here = dp_load32(at) < a->tie[k.column];
	}
	j = outcome(a, &k, here);
	put(P, j, k.side, out);
	*left = j == a->width - 1;
	explicit_bzero(&k, sizeof k);
	return 0;
}

/* Of n nodes, whose words are at `at`, those whose bits are set. */
__attribute__((noinline)) static int
look_again(const struct dp_normtree_alias *a, struct dp_rng *rng, unsigned l, const int64_t *P,
    int64_t *out, const uint8_t *at, unsigned n, unsigned rare, unsigned *left)
{
	uint8_t words[4 * DP_NORMTREE_ALIAS_NODES];
	unsigned i;
	bool open;
	int e = 0;

	memcpy(words, at, 4 * (size_t)n);
	for (; rare != 0 && e == 0; rare &= rare - 1) {
		i = (unsigned)__builtin_ctz(rare);
		e = again(a, rng, l, P[i], dp_load32(words + 4 * i), out + 2 * i, &open);
		*left |= (unsigned)open << i;
	}
	explicit_bzero(words, sizeof words);
	return e;
}

int
dp_normtree_alias_split(const struct dp_normtree_alias *a, struct dp_rng *rng, unsigned l,
    const int64_t *P, int64_t *out, unsigned n, unsigned *left)
{
	const uint8_t *at;
	unsigned rare;

	if ((at = dp_rng_take(rng, 4 * (size_t)n)) == NULL)
		return rng->error;
	*left = 0;
	if (DP_LIKELY((rare = all(a, l, P, at, out, n)) == 0))
		return 0;
	return look_again(a, rng, l, P, out, at, n, rare, left);
}

void
dp_normtree_alias_plain(struct dp_normtree_alias *a)
{
	a->lanes = false;
}

unsigned
dp_normtree_alias_width(const struct dp_normtree_alias *a)
{
	return a->width;
}

uint64_t
dp_normtree_alias_column(const struct dp_normtree_alias *a, unsigned l, unsigned P, unsigned c,
    unsigned *other)
{
	const size_t i = (dp_normtree_alias_row(a, l, P) << a->bits) + c;

	*other = a->column[i] & (a->width - 1);
	return (uint64_t)(a->column[i] >> a->bits) << 32 | a->tie[i];
}
