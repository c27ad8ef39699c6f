/* SPDX-License-Identifier: ISC */
/*
 * t_coin.c - coins: every bit of the threshold against MPFR, ties to the last of 256 bits, tosses
 * side by side against one by one, fair draws at every border; and the share of the budget that a
 * coin is made for.
 */
#include <endian.h>
#include <math.h>

#include <mpfr.h>

#include "account/privacy.h"
#include "check.h"
#include "random/internal.h"
#include "random/rng.h"

#define BITS	700		/* of MPFR */

static void
put64(uint8_t *p, uint64_t x)
{
	x = htole64(x);
	memcpy(p, &x, 8);
}

/* Whether word is floor(2^256 / (1 + odds e^-x)). */
static bool
is_floor(const uint64_t word[4], struct dp_q x, struct dp_q odds)
{
	mpfr_t h, w;
	bool good;
	int i;

	mpfr_inits2(BITS, h, w, (mpfr_ptr)0);
	mpfr_set_ui(h, x.num, MPFR_RNDN);
	mpfr_div_ui(h, h, x.den, MPFR_RNDN);
	mpfr_neg(h, h, MPFR_RNDN);
	mpfr_exp(h, h, MPFR_RNDN);
	mpfr_mul_ui(h, h, odds.num, MPFR_RNDN);
	mpfr_div_ui(h, h, odds.den, MPFR_RNDN);
	mpfr_add_ui(h, h, 1, MPFR_RNDN);
	mpfr_ui_div(h, 1, h, MPFR_RNDN);
	mpfr_mul_2ui(h, h, 256, MPFR_RNDN);
	mpfr_floor(h, h);
	mpfr_set_ui(w, 0, MPFR_RNDN);
	for (i = 0; i < 4; i++) {
		mpfr_mul_2ui(w, w, 64, MPFR_RNDN);
		mpfr_add_ui(w, w, word[i], MPFR_RNDN);
	}
	good = mpfr_equal_p(h, w);
	mpfr_clears(h, w, (mpfr_ptr)0);
	return good;
}

static void
thresholds(void)
{
	static const struct dp_q x[] = { { 1, 1 }, { 1, 2 }, { 3, 7 }, { 1, 1000000 }, { 64, 1 },
	    { 6400000000000001, 100000000000000 }, { 1, (uint64_t)1 << 62 }, { 40, 1 } };
	static const struct dp_q odds[] = { { 1, 1 }, { 3, 1 }, { 999999, 1 }, { 7, 3 }, { 1, 5 },
	    { 1, (uint64_t)1 << 31 }, { (uint64_t)1 << 31, 1 } };
	struct dp_coin c;
	double h;
	size_t i, j;

	for (i = 0; i < sizeof x / sizeof x[0]; i++)
		for (j = 0; j < sizeof odds / sizeof odds[0]; j++) {
			struct dp_q used = x[i].num / x[i].den >= 64 ? dp_q_make(64, 1) : x[i];

			check(dp_coin_make(&c, x[i], odds[j]) == 0);
			check(is_floor(c.word, used, odds[j]));
			check(!c.always && c.x == dp_q_double(used));
			h = 1 / (1 + dp_q_double(odds[j]) * exp(-c.x));
			check(fabs(c.heads / h - 1) < 1e-14);
			check(fabs(c.tails / (dp_q_double(odds[j]) * exp(-c.x) * h) - 1) < 1e-14);
		}
	check(dp_coin_make(&c, dp_q_make(1, 1), (struct dp_q){ 0, 1 }) == DP_EINVAL);
	check(dp_coin_make(&c, dp_q_make(1, 1), (struct dp_q){ 1, 0 }) == DP_EINVAL);
	check(dp_coin_make(&c, (struct dp_q){ 1, 0 }, dp_q_make(1, 1)) == DP_EINVAL);
	check(dp_coin_make(&c, dp_q_make(1, 1), dp_q_make(((uint64_t)1 << 31) + 1, 1)) ==
	    DP_EINVAL);
	check(dp_coin_make(&c, dp_q_make(1, 1), dp_q_make(1, ((uint64_t)1 << 31) + 1)) ==
	    DP_EINVAL);
}

/* A toss of a script, which must be used up. */
static bool
toss(const struct dp_coin *c, const uint8_t *p, size_t n)
{
	struct dp_rng *r;
	bool heads;

	check(dp_rng_open_bytes(&r, p, n) == 0);
	check(dp_coin_toss(c, r, &heads) == 0);
	check(r->left == 0);
	dp_rng_free(r);
	return heads;
}

/* U below h by its last bit is heads; at it and above, tails; and so where a word differs. */
static void
ties(void)
{
	struct dp_coin c;
	struct dp_rng *r;
	uint8_t p[32];
	bool heads;
	unsigned i, k;

	check(dp_coin_make(&c, dp_q_make(1, 1), dp_q_make(1, 1)) == 0);
	for (i = 0; i < 4; i++)
		for (k = 0; k < 3; k++) {
			unsigned j;

			for (j = 0; j < 4; j++)
				put64(p + 8 * j, c.word[j]);
			put64(p + 8 * i, c.word[i] + k - 1);
			check(toss(&c, p, k == 1 ? 32 : 8 * (i + 1)) == (k == 0));
		}
	/* a uniform draw of .7 keeps at 3/4, .75 does not (spec-sums, section 6) */
	check(dp_coin_make(&c, dp_q_make(10986122886681098, 10000000000000000),
	    dp_q_make(1, 1)) == 0);
	put64(p, (uint64_t)(.7 * 0x1p64));
	check(toss(&c, p, 8));
	put64(p, (uint64_t)(.750001 * 0x1p64));
	check(!toss(&c, p, 8));
	check(dp_rng_open_bytes(&r, p, 7) == 0);
	check(dp_coin_toss(&c, r, &heads) == DP_EENTROPY);
	dp_rng_free(r);
	dp_coin_always(&c);
	check(dp_coin_toss(&c, NULL, &heads) == 0 && heads);
	check(c.heads == 1 && c.tails == 0 && isinf(c.x));
}

/* What was taken is gone from the rng: the bytes before its cursor are zero. */
static void
wiped(void)
{
	static const uint8_t zero[DP_RNG_PAD];
	uint64_t out;
	struct dp_coin c;
	struct dp_rng *r;
	bool one;
	int i;

	check(dp_coin_make(&c, dp_q_make(1, 1), dp_q_make(1, 1)) == 0);
	for (i = 0; i < 2; i++) {
		check(dp_rng_open(&r, i == 0 ? DP_RNG_CHACHA : DP_RNG_KERNEL) == 0);
		check(dp_coin_toss(&c, r, &one) == 0);
		check(memcmp(r->mem + r->pos - DP_RNG_PAD, zero, DP_RNG_PAD) == 0);
		check(dp_fair(r, 1000, &out) == 0);
		check(memcmp(r->mem + r->pos - DP_RNG_PAD, zero, DP_RNG_PAD) == 0);
		dp_rng_free(r);
	}
}

/* floor(u n / 2^64) of the u that are not too many, at the borders of every value. */
static void
fair(void)
{
	static const uint64_t N[] = { 1, 2, 3, 5, 7, 1000, 1000000, ((uint64_t)1 << 32) + 1,
	    ((uint64_t)1 << 63) + 1 };
	uint8_t p[16];
	struct dp_rng *r;
	uint64_t u, out, n, many;
	size_t i;
	int k;

	for (i = 0; i < sizeof N / sizeof N[0]; i++)
		for (k = -3; k < 4; k++) {
			n = N[i];
			many = -n % n;		/* so many u are too many for n equal parts */
			u = (uint64_t)(((dp_uwide)1 << 64) / n) * (n / 2) + (uint64_t)(int64_t)k;
			put64(p, u);
			put64(p + 8, UINT64_MAX);
			check(dp_rng_open_bytes(&r, p, 16) == 0);
			check(dp_fair(r, n, &out) == 0);
			if ((uint64_t)((dp_uwide)u * n) < many)
				check(out == n - 1 && r->left == 0);	/* drawn again */
			else
				check(out == (uint64_t)((dp_uwide)u * n >> 64) && r->left == 8);
			dp_rng_free(r);
		}
	check(dp_rng_open_bytes(&r, p, 0) == 0);
	check(dp_fair(r, 2, &out) == DP_EENTROPY);
	dp_rng_free(r);
}

/*
 * With bytes of 8 bits in place of 64: of all 256 u, as many are kept for each value.  The same
 * rule, in small; and the rule itself for u = 0, which 2^64 mod n > 0 refuses.
 */
static void
fair_in_small(void)
{
	unsigned n, u, count[256];
	uint8_t p[16] = { 0 };
	struct dp_rng *r;
	uint64_t out;

	for (n = 1; n < 256; n++) {
		memset(count, 0, sizeof count);
		for (u = 0; u < 256; u++)
			if ((u * n & 255) >= (256 - n) % n)
				count[u * n >> 8]++;
		for (u = 0; u < n; u++)
			check(count[u] == 256 / n);
	}
	put64(p + 8, 1);
	for (n = 2; n < 40; n++) {
		check(dp_rng_open_bytes(&r, p, 16) == 0);
		/* u = 1 gives a low word of n, which is never refused */
		check(dp_fair(r, n, &out) == 0 && out == 0);
		check(r->left == ((n & (n - 1)) == 0 ? 8u : 0));
		dp_rng_free(r);
	}
}

/* x = epsilon share / l1. */
static void
shares(void)
{
	struct dp_privacy p;
	struct dp_coin c, d;

	check(dp_privacy_set(&p, false, dp_q_make(6, 5), dp_q_make(0, 1), 3, 9) == 0);
	check(dp_privacy_coin(&c, &p, dp_q_make(1, 2), dp_q_make(4, 7)) == 0);
	check(dp_coin_make(&d, dp_q_make(1, 5), dp_q_make(4, 7)) == 0);
	check(memcmp(c.word, d.word, sizeof c.word) == 0);
	check(dp_privacy_coin(&c, &p, dp_q_make(0, 1), dp_q_make(1, 1)) == DP_EINVAL);
	check(dp_privacy_coin(&c, &p, dp_q_make(3, 2), dp_q_make(1, 1)) == DP_EINVAL);
	check(dp_privacy_set(&p, false, dp_q_make(1, INT64_MAX), dp_q_make(0, 1), 1, 1) == 0);
	check(dp_privacy_coin(&c, &p, dp_q_make(1, 2), dp_q_make(1, 1)) == DP_ERANGE);
	check(dp_privacy_set(&p, true, dp_q_make(1, 1), dp_q_make(0, 1), 1, 1) == 0);
	check(dp_privacy_coin(&c, &p, dp_q_make(1, 2), dp_q_make(1, 1)) == 0 && c.always);
}

int
main(void)
{
	thresholds();
	ties();
	wiped();
	fair();
	fair_in_small();
	shares();
	mpfr_free_cache();
	return done();
}
