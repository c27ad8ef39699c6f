/* SPDX-License-Identifier: ISC */
#include <math.h>

#include "base/fixed.h"
#include "rng.h"
#include "selection.h"

#define REACH	67		/* exp(-67) > 2^-97 */
#define SUM	5		/* words of a sum of weights: n <= 2^32 of 256 bits */

void
dp_choose_none(struct dp_choose *c)
{
	memset(c, 0, sizeof *c);
	c->kind = DP_NOISE_NONE;
}

int
dp_choose_describe(struct dp_choose *c, enum dp_noise_kind kind, struct dp_q b)
{
	dp_uwide most;

	if (b.den == 0 || (kind != DP_NOISE_FLIP && kind != DP_NOISE_WEIGH))
		return DP_EINVAL;
	if (b.num > (dp_uwide)b.den << 40)
		return DP_ERANGE;
	if ((dp_uwide)b.num * 64 < b.den)
		b = dp_q_make(1, 64);
	dp_choose_none(c);
	c->kind = kind;
	c->scale = b;
	most = (dp_uwide)b.num * REACH / b.den;
	c->most = most > 0 ? (uint64_t)most : 1;
	return 0;
}

/* exp(-1/b) within 2^e ulp of 2^-512, squared again and again: a bit is lost each time. */
int
dp_choose_build(struct dp_choose *c)
{
	struct dp_fx y, t;
	unsigned bits = 64 - (unsigned)__builtin_clzll(c->most | 1), i;
	int e, rc;

	if (c->kind == DP_NOISE_NONE)
		return 0;
	dp_fx_set(&t, c->scale.den);
	dp_fx_div_u64(&t, c->scale.num);
	e = dp_fx_exp(&y, &t, 0);
	for (i = 0; i < bits; i++) {
		if ((rc = dp_fx_bits(c->factor[i], &y, e)) != 0)
			return rc;
		t = y;
		dp_fx_mul(&y, &t);
		e += 2;		/* 2 2^e + 1 */
	}
	c->bits = bits;
	return 0;
}

/* a = floor(a f / 2^256), words from the highest. */
DP_INLINE void
times(uint64_t a[4], const uint64_t f[4])
{
	uint64_t r[8] = { 0 };
	dp_uwide carry;
	int i, j;

	for (i = 3; i >= 0; i--) {
		for (carry = 0, j = 3; j >= 0; j--) {
			carry += (dp_uwide)a[i] * f[j] + r[i + j + 1];
			r[i + j + 1] = (uint64_t)carry;
			carry >>= 64;
		}
		r[i] = (uint64_t)carry;
	}
	memcpy(a, r, 4 * sizeof *a);
}

/* All ones: a < b, numbers of n words from the highest. */
DP_INLINE uint64_t
below(const uint64_t *a, const uint64_t *b, int n)
{
	uint64_t borrow = 0;

	while (n-- > 0)
		borrow = (uint64_t)(((dp_uwide)a[n] - b[n] - borrow) >> 64) & 1;
	return -borrow;
}

DP_INLINE uint64_t
pick(uint64_t mask, uint64_t yes, uint64_t no)
{
	__asm__("" : "+r"(mask));	/* else gcc branches on what it was made of */
	return no ^ ((yes ^ no) & mask);
}

/* exp(-gap / b) in units of 2^-256: a factor for each bit of the gap, nearly 1 where it is 0. */
DP_INLINE void
weigh(const struct dp_choose *c, uint64_t gap, uint64_t w[4])
{
	uint64_t f[4], no;
	unsigned i, k;

	gap = pick(-(uint64_t)(gap > c->most), c->most, gap);
	memset(w, 0xff, 4 * sizeof *w);
	for (k = 0; k < c->bits; k++) {
		no = (gap >> k & 1) - 1;
		for (i = 0; i < 4; i++)
			f[i] = c->factor[k][i] | no;
		times(w, f);
	}
}

static int64_t
largest(const int64_t *score, size_t n)
{
	uint64_t most = (uint64_t)score[0];
	size_t i;

	for (i = 1; i < n; i++)
		most = pick(-(uint64_t)(score[i] > (int64_t)most), (uint64_t)score[i], most);
	return (int64_t)most;
}

static int
flip(const struct dp_choose *c, struct dp_rng *r, const int64_t *score, size_t n, size_t *which)
{
	const uint64_t most = (uint64_t)largest(score, n);
	uint64_t w[4], word[8], best[4] = { 0 }, gap, in, chosen = 0;
	const uint8_t *p;
	size_t j;
	int i;

	for (j = 0; j < n; j++) {
		if ((p = dp_rng_take(r, sizeof word)) == NULL)
			return r->error;
		for (i = 0; i < 8; i++)
			word[i] = dp_load64(p + 8 * i);
		gap = most - (uint64_t)score[j];
		weigh(c, gap, w);
		in = (below(word, w, 4) | -(uint64_t)(gap == 0)) & below(best, word + 4, 4);
		for (i = 0; i < 4; i++)
			best[i] = pick(in, word[4 + i], best[i]);
		chosen = pick(in, j, chosen);
	}
	*which = (size_t)chosen;
	explicit_bzero(word, sizeof word);
	return 0;
}

static void
add(uint64_t sum[SUM], const uint64_t w[4])
{
	dp_uwide carry = 0;
	int i;

	for (i = SUM - 1; i >= 0; i--) {
		carry += (dp_uwide)sum[i] + (i > 0 ? w[i - 1] : 0);
		sum[i] = (uint64_t)carry;
		carry >>= 64;
	}
}

/* A place below sum: floor(sum R / 2^512), R the 64 bytes at p. */
static void
place(uint64_t at[SUM], const uint64_t sum[SUM], const uint8_t *p)
{
	uint64_t r[SUM + 8] = { 0 };
	dp_uwide carry;
	int i, j;

	for (i = SUM - 1; i >= 0; i--) {
		for (carry = 0, j = 7; j >= 0; j--) {
			carry += (dp_uwide)sum[i] * dp_load64(p + 8 * j) + r[i + j + 1];
			r[i + j + 1] = (uint64_t)carry;
			carry >>= 64;
		}
		r[i] = (uint64_t)carry;
	}
	memcpy(at, r, SUM * sizeof *at);
	explicit_bzero(r, sizeof r);
}

static int
choose_by_weight(const struct dp_choose *c, struct dp_rng *r, const int64_t *score, size_t n,
    size_t *which)
{
	const uint64_t most = (uint64_t)largest(score, n);
	uint64_t w[4], sum[SUM] = { 0 }, at[SUM], passed = 0;
	const uint8_t *p;
	size_t j;

	for (j = 0; j < n; j++) {
		weigh(c, most - (uint64_t)score[j], w);
		add(sum, w);
	}
	if ((p = dp_rng_take(r, 64)) == NULL)
		return r->error;
	place(at, sum, p);
	memset(sum, 0, sizeof sum);
	for (j = 0; j < n; j++) {
		weigh(c, most - (uint64_t)score[j], w);
		add(sum, w);
		passed += 1 & ~below(at, sum, SUM);
	}
	*which = (size_t)passed;
	explicit_bzero(at, sizeof at);
	return 0;
}

int
dp_choose(const struct dp_choose *c, struct dp_rng *r, const int64_t *score, size_t n,
    size_t *which)
{
	const int64_t most = c->kind == DP_NOISE_NONE ? largest(score, n) : 0;
	int rc;

	if (c->kind == DP_NOISE_NONE) {
		for (*which = 0; score[*which] != most; ++*which)
			;
		return 0;
	}
	if (c->bits == 0)
		return DP_EINVAL;
	rc = (c->kind == DP_NOISE_FLIP ? flip : choose_by_weight)(c, r, score, n, which);
	dp_rng_wipe(r);
	return rc;
}

double
dp_choose_tail(const struct dp_choose *c, size_t n, double y)
{
	double e, m = (double)n;

	if (c->kind == DP_NOISE_NONE || n == 1)
		return 0;
	e = exp(-fmin(y, (double)c->most) / dp_q_double(c->scale));
	if (c->kind == DP_NOISE_WEIGH)
		return (m - 1) * e / (1 + (m - 1) * e);
	if (m * e < 1e-5)	/* where the other cancels */
		return (m - 1) * e / 2 * (1 - (m - 2) * e / 3);
	return 1 + expm1(m * log1p(-e)) / (m * e);
}

double
dp_choose_gap(const struct dp_choose *c, size_t n, double p)
{
	double lo = 0, hi = (double)c->most, mid;

	if (dp_choose_tail(c, n, 1) <= p)
		return 0;
	if (dp_choose_tail(c, n, hi) > p)
		return INFINITY;
	/* tail(lo + 1) > p >= tail(hi + 1) */
	for (hi--; hi - lo > 1; ) {
		mid = floor((lo + hi) / 2);
		if (dp_choose_tail(c, n, mid + 1) <= p)
			hi = mid;
		else
			lo = mid;
	}
	return hi;
}
