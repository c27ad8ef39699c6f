/* SPDX-License-Identifier: ISC */
#include <string.h>

#include "fixed.h"
#include "internal.h"

#define TOP	DP_FX_LIMBS		/* index of the integer part */

void
dp_fx_set(struct dp_fx *a, uint64_t n)
{
	memset(a, 0, sizeof *a);
	a->limb[TOP] = n;
}

void
dp_fx_add(struct dp_fx *a, const struct dp_fx *b)
{
	dp_uwide c = 0;
	int i;

	for (i = 0; i <= TOP; i++) {
		c += (dp_uwide)a->limb[i] + b->limb[i];
		a->limb[i] = (uint64_t)c;
		c >>= 64;
	}
}

void
dp_fx_sub(struct dp_fx *a, const struct dp_fx *b)
{
	dp_uwide t;
	uint64_t borrow = 0;
	int i;

	for (i = 0; i <= TOP; i++) {
		t = (dp_uwide)a->limb[i] - b->limb[i] - borrow;
		a->limb[i] = (uint64_t)t;
		borrow = (uint64_t)(t >> 64) & 1;
	}
}

int
dp_fx_cmp(const struct dp_fx *a, const struct dp_fx *b)
{
	int i;

	for (i = TOP; i >= 0; i--)
		if (a->limb[i] != b->limb[i])
			return a->limb[i] < b->limb[i] ? -1 : 1;
	return 0;
}

void
dp_fx_mul(struct dp_fx *a, const struct dp_fx *b)
{
	uint64_t r[2 * TOP + 2] = { 0 };
	dp_uwide c;
	int i, j;

	for (i = 0; i <= TOP; i++) {
		c = 0;
		for (j = 0; j <= TOP; j++) {
			c += (dp_uwide)a->limb[i] * b->limb[j] + r[i + j];
			r[i + j] = (uint64_t)c;
			c >>= 64;
		}
		r[i + TOP + 1] = (uint64_t)c;
	}
	memcpy(a->limb, r + TOP, sizeof a->limb);
}

void
dp_fx_mul_u64(struct dp_fx *a, uint64_t m)
{
	dp_uwide c = 0;
	int i;

	for (i = 0; i <= TOP; i++) {
		c += (dp_uwide)a->limb[i] * m;
		a->limb[i] = (uint64_t)c;
		c >>= 64;
	}
}

void
dp_fx_div_u64(struct dp_fx *a, uint64_t d)
{
	dp_uwide r = 0;
	int i;

	for (i = TOP; i >= 0; i--) {
		r = r << 64 | a->limb[i];
		a->limb[i] = (uint64_t)(r / d);
		r %= d;
	}
}

void
dp_fx_inverse(struct dp_fx *q, const struct dp_fx *d)
{
	struct dp_fx r;
	int b;

	/* Long division of 1 by d, one bit at a time: r < d throughout. */
	dp_fx_set(&r, 1);
	dp_fx_set(q, 0);
	for (b = 64 * TOP - 1; b >= 0; b--) {
		dp_fx_add(&r, &r);
		if (dp_fx_cmp(&r, d) >= 0) {
			dp_fx_sub(&r, d);
			q->limb[b / 64] |= (uint64_t)1 << b % 64;
		}
	}
}

static bool
is_zero(const struct dp_fx *a)
{
	uint64_t any = 0;
	int i;

	for (i = 0; i <= TOP; i++)
		any |= a->limb[i];
	return any == 0;
}

/*
 * exp(-x) = exp(-x / 2^r)^(2^r) with x / 2^r < 2^-5.
 *
 * Errors, in ulps.  Series: a term is the last one times y over n, rounded
 * down twice, with y itself off by 1: each term is off by less than 3, there
 * are fewer than 60, and what comes after the last is less than 4: together
 * less than 2^8.  A squaring of a number <= 1 doubles the error and adds at
 * most 2: after r of them less than 2^(9+r).  The error of x itself enters at
 * most as it is.
 */
int
dp_fx_exp(struct dp_fx *z, const struct dp_fx *x, int e)
{
	struct dp_fx y = *x, term, minus, t;
	uint64_t n;
	int i, r = 5;

	while (r < 5 + 64 && x->limb[TOP] >> (r - 5) != 0)
		r++;
	for (i = r; i > 0; i -= 32)
		dp_fx_div_u64(&y, (uint64_t)1 << (i < 32 ? i : 32));
	dp_fx_set(&term, 1);
	dp_fx_set(z, 0);
	dp_fx_set(&minus, 0);
	for (n = 1; !is_zero(&term); n++) {
		dp_fx_add(n % 2 == 1 ? z : &minus, &term);
		dp_fx_mul(&term, &y);
		dp_fx_div_u64(&term, n);
	}
	dp_fx_sub(z, &minus);
	for (i = 0; i < r; i++) {
		t = *z;
		dp_fx_mul(z, &t);
	}
	return (e > 9 + r ? e : 9 + r) + 1;
}

int
dp_fx_bits(uint64_t w[static DP_FX_WORDS], const struct dp_fx *v, int e)
{
	struct dp_fx lo = *v, hi = *v, d;
	int i;

	if (e < 0 || e >= 64 * (TOP - DP_FX_WORDS))
		return DP_ERANGE;
	dp_fx_set(&d, 0);
	d.limb[e / 64] = (uint64_t)1 << e % 64;
	dp_fx_sub(&lo, &d);
	dp_fx_add(&hi, &d);
	if (v->limb[TOP] != 0)
		return DP_ERANGE;
	for (i = TOP - DP_FX_WORDS; i <= TOP; i++)
		if (lo.limb[i] != hi.limb[i])
			return DP_ERANGE;
	for (i = 0; i < DP_FX_WORDS; i++)
		w[i] = v->limb[TOP - 1 - i];
	return 0;
}
