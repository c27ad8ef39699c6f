/* SPDX-License-Identifier: ISC */
/*
 * The samplers' constants against MPFR at 1200 bits: every threshold of many
 * scales, to the last of its 256 bits; the Gaussian acceptances, fast and
 * exact; fixed.h itself. Links with -lmpfr -lgmp (tests only).
 */
#include <stdio.h>
#include <stdlib.h>

#include <gmp.h>
#include <mpfr.h>

#include "base/fixed.h"
#include "base/internal.h"
#include "check.h"
#include "random/internal.h"
#include "random/rng.h"

#define BITS	1200

static uint64_t seed = 88172645463325252;

static uint64_t
rnd(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* A number of up to `bits` bits, small ones as likely as large ones. */
static uint64_t
any(unsigned bits)
{
	uint64_t x = rnd() >> (64 - bits);

	return (x >> rnd() % bits) + 1;
}

/* floor(v 2^256) as four words, most significant first */
static void
words(uint64_t w[4], mpfr_t v)
{
	mpz_t z;
	mpfr_t t;
	int i;

	mpz_init(z);
	mpfr_init2(t, BITS);
	mpfr_mul_2ui(t, v, 256, MPFR_RNDD);
	mpfr_get_z(z, t, MPFR_RNDD);
	for (i = 3; i >= 0; i--) {
		w[i] = mpz_get_ui(z);
		mpz_fdiv_q_2exp(z, z, 64);
	}
	check(mpz_sgn(z) == 0);
	mpfr_clear(t);
	mpz_clear(z);
}

static bool
same(const uint64_t a[4], const uint64_t b[4])
{
	return memcmp(a, b, 4 * sizeof a[0]) == 0;
}

static struct dp_q
any_ratio(void)
{
	uint64_t num = any(63), den = any(63);

	return dp_q_make(num, den);
}

static unsigned thresholds;

/* Digit k of scale num/den: (1 - q^(j 16^k)) / (1 - q^(16^(k+1))), the top one over 1. */
static void
check_scale(const struct dp_noise *nz, uint64_t num, uint64_t den)
{
	mpfr_t x, y, f, all;
	uint64_t w[4];
	unsigned j, k, n, known;
	uint32_t u;
	bool top;

	mpfr_inits2(BITS, x, y, f, all, (mpfr_ptr)0);
	mpfr_set_ui(x, den, MPFR_RNDN);
	mpfr_div_ui(x, x, num, MPFR_RNDN);
	mpfr_neg(x, x, MPFR_RNDN);		/* ln q */
	for (k = 0; k < nz->digits; k++) {
		top = k == nz->digits - 1;
		n = top ? nz->top : 15;
		mpfr_mul_ui(all, x, 16, MPFR_RNDN);
		mpfr_expm1(all, all, MPFR_RNDN);
		for (j = 0; j < n; j++) {
			mpfr_mul_ui(y, x, j + 1, MPFR_RNDN);
			mpfr_expm1(f, y, MPFR_RNDN);
			if (top)
				mpfr_neg(f, f, MPFR_RNDN);
			else
				mpfr_div(f, f, all, MPFR_RNDN);
			words(w, f);
			check(same(w, nz->exact[15 * k + j]));
			/* the row holds the first 32 bits; 31 at the top */
			u = (uint32_t)nz->row[16 * k + j] ^ DP_NOISE_BIAS;
			known = top ? 31 : 32;
			check(u >> (32 - known) == w[0] >> (64 - known) && (!top || u % 2 == 0));
			thresholds++;
		}
		/* nothing beyond, up to the row's end */
		for (; j < (top && nz->wide ? 32 : 16); j++)
			check(nz->row[16 * k + j] == INT32_MAX - (top ? 1 : 0));
		mpfr_mul_ui(x, x, 16, MPFR_RNDN);
	}
	/* An escape has probability between 2^-64 and 2^-32, or one threshold is enough. */
	mpfr_div_ui(x, x, 16, MPFR_RNDN);
	mpfr_mul_ui(y, x, nz->top, MPFR_RNDN);
	mpfr_exp(f, y, MPFR_RNDN);
	check(mpfr_cmp_ui_2exp(f, 1, -32) <= 0);
	check(nz->top == 1 || mpfr_cmp_ui_2exp(f, 1, -64) >= 0);
	/* The last digit ties: dp_trial() relies on it. */
	check(nz->row[16 * (nz->digits - 1) + nz->top - 1] == INT32_MAX - 1);
	mpfr_clears(x, y, f, all, (mpfr_ptr)0);
}

static void
laplace(void)
{
	static const struct dp_q edge[] = {
		{ 1, 64 }, { 1, 3 }, { 1, 1 }, { 5, 1 }, { 20, 1 }, { 200, 7 }, { 400, 1 },
		{ 1000000, 1 }, { (uint64_t)1 << 40, 1 }, { INT64_MAX, INT64_MAX - 1 },
		{ INT64_MAX, (uint64_t)1 << 23 }, { (uint64_t)1 << 56, INT64_MAX },
		{ 31, 23 }, { 31 * 16, 23 }, { 31 * 16 + 1, 23 }, { 15, 23 }, { 16, 23 }
	};
	static struct dp_noise nz;
	struct dp_q b;
	unsigned t, n = 0;

	for (t = 0; n < 300; t++) {
		b = t < sizeof edge / sizeof edge[0] ? edge[t] : any_ratio();
		if (dp_q_cmp(b, (struct dp_q){ 1, 64 }) < 0 ||
		    dp_q_cmp(b, (struct dp_q){ (uint64_t)1 << 40, 1 }) > 0)
			continue;
		n++;
		check(dp_noise_laplace(&nz, b) == 0);
		check(nz.param.num == b.num && nz.param.den == b.den);
		check_scale(&nz, b.num, b.den);
	}
}

/* x = |y| (|y| - h) + .. as random/noise.c says: both acceptances of one proposal */
static double
check_accept(const struct dp_noise *nz, uint64_t y)
{
	struct dp_q s2 = nz->param;
	mpfr_t g, p;
	mpz_t n, t;
	uint64_t w[4], v[4], a;
	int64_t d = (int64_t)y - nz->centre;
	double off;

	mpfr_inits2(BITS, g, p, (mpfr_ptr)0);
	mpz_inits(n, t, (mpz_ptr)0);
	mpz_set_si(n, d);
	mpz_set_si(t, d - nz->odd);
	mpz_mul(n, n, t);
	check(mpz_sgn(n) >= 0);
	mpfr_set_z(g, n, MPFR_RNDN);
	mpfr_mul_ui(g, g, s2.den, MPFR_RNDN);
	mpfr_div_ui(g, g, s2.num, MPFR_RNDN);
	mpfr_div_2ui(g, g, 1, MPFR_RNDN);
	mpfr_neg(g, g, MPFR_RNDN);
	mpfr_exp(p, g, MPFR_RNDN);

	a = dp_gauss_accept(nz, d);
	mpfr_mul_2ui(g, p, 63, MPFR_RNDN);
	mpfr_sub_ui(g, g, a, MPFR_RNDN);
	off = mpfr_get_d(g, MPFR_RNDN);
	if (d < nz->reach)
		check(off > -DP_GAUSS_SLACK && off < DP_GAUSS_SLACK);
	else	/* what is never accepted by the fast path must be improbable */
		check(a <= 1 && off < 1);
	if (mpz_sgn(n) > 0) {
		dp_gauss_accept_exact(nz, d, w);
		words(v, p);
		check(same(v, w));
	}
	mpz_clears(n, t, (mpz_ptr)0);
	mpfr_clears(g, p, (mpfr_ptr)0);
	return off;
}

static void
gauss(void)
{
	static const struct dp_q edge[] = {
		{ 1, 64 }, { 1, 4 }, { 1, 2 }, { 1, 1 }, { 9, 4 }, { 21, 2 }, { 400, 1 },
		{ 1000000, 1 }, { (uint64_t)1 << 56, 1 }, { INT64_MAX, 128 },
		{ INT64_MAX, INT64_MAX - 1 }, { (uint64_t)1 << 57, INT64_MAX }
	};
	static struct dp_noise nz;
	struct dp_q s2;
	uint64_t sigma, y;
	double off, worst = 0;
	unsigned t, i, n = 0;

	for (t = 0; n < 100; t++) {
		s2 = t < sizeof edge / sizeof edge[0] ? edge[t] : any_ratio();
		if (dp_q_cmp(s2, (struct dp_q){ 1, 64 }) < 0 ||
		    dp_q_cmp(s2, (struct dp_q){ (uint64_t)1 << 56, 1 }) > 0)
			continue;
		n++;
		check(dp_noise_gauss(&nz, s2) == 0);
		check(nz.record == 4 * nz.digits + 8 && nz.record <= DP_RNG_TAKE);
		/* the proposal: b = 2 sigma^2 / h, h = 2 centre + odd */
		check_scale(&nz, 2 * s2.num,
		    s2.den * (2 * (uint64_t)nz.centre + (uint64_t)nz.odd));
		check(nz.reach < (int64_t)3037000499);	/* reach^2 < 2^63 */
		sigma = (uint64_t)nz.centre + 1;
		for (i = 0; i < 60; i++) {
			y = i < 4 ? i : rnd() % (16 * sigma);
			if (i >= 56)	/* far, to the largest proposal there is */
				y = (((uint64_t)1 << 56) - 1) >> rnd() % 50;
			off = check_accept(&nz, y);
			if (off < 0)
				off = -off;
			if (off > worst && y < 8 * sigma)
				worst = off;
		}
	}
	printf("fast acceptance: off by at most %.1f of %d units\n", worst, DP_GAUSS_SLACK);
}

/* fixed.h: refusals, and exp of arguments that are not exact */
static void
fixed(void)
{
	struct dp_fx x, y, one;
	uint64_t w[4], v[4];
	mpfr_t m;
	unsigned i;
	int e;

	mpfr_init2(m, BITS);
	for (i = 0; i < 200; i++) {
		uint64_t num = any(40), den = any(40);

		if (num / den >= 170)
			continue;
		dp_fx_set(&x, num);
		dp_fx_div_u64(&x, den);
		e = dp_fx_exp(&y, &x, 0);
		check(e > 0 && e < 64);
		check(dp_fx_bits(w, &y, e) == 0);
		mpfr_set_ui(m, num, MPFR_RNDN);
		mpfr_div_ui(m, m, den, MPFR_RNDN);
		mpfr_neg(m, m, MPFR_RNDN);
		mpfr_exp(m, m, MPFR_RNDN);
		words(v, m);
		check(same(v, w));
		/* 1 / (1 + x) */
		if (num == 0)
			continue;
		dp_fx_set(&one, 1);
		dp_fx_add(&x, &one);
		dp_fx_inverse(&y, &x);
		mpfr_set_ui(m, num, MPFR_RNDN);
		mpfr_add_ui(m, m, den, MPFR_RNDN);
		mpfr_ui_div(m, den, m, MPFR_RNDN);
		if (dp_fx_bits(w, &y, 2) == 0) {
			words(v, m);
			check(same(v, w));
		}
	}
	mpfr_clear(m);
	/* Bits that an error could change are refused: 1/2 is 0.1000.. or 0.0111.. */
	dp_fx_set(&x, 1);
	dp_fx_div_u64(&x, 2);
	check(dp_fx_bits(w, &x, 0) == DP_ERANGE);
	dp_fx_set(&y, 1);
	dp_fx_div_u64(&y, 3);
	check(dp_fx_bits(w, &y, 250) == 0 && dp_fx_bits(w, &y, 256) == DP_ERANGE);
	check(dp_fx_bits(w, &y, -1) == DP_ERANGE);
	dp_fx_add(&y, &x);
	dp_fx_add(&y, &x);
	check(dp_fx_bits(w, &y, 10) == DP_ERANGE);	/* not below 1 */
	check(dp_fx_cmp(&x, &x) == 0 && dp_fx_cmp(&x, &y) < 0 && dp_fx_cmp(&y, &x) > 0);
}

int
main(void)
{
	laplace();
	gauss();
	fixed();
	printf("%u thresholds compared with MPFR\n", thresholds);
	mpfr_free_cache();
	return done();
}
