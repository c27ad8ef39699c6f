#include <endian.h>
#include <math.h>

#include "base/fixed.h"
#include "coin.h"

#define ODDS_MAX	((uint64_t)1 << 31)

void
dp_coin_always(struct dp_coin *c)
{
	*c = (struct dp_coin){ .always = true, .heads = 1, .x = INFINITY };
}

/*
 * Errors in ulps: e^-x within 2^e; times odds.num, over odds.den: within 2^(e + 31) + 1; plus 1,
 * exactly; the inverse of a number above 1 is not farther off, and 1 more: within 2^(e + 32).
 */
int
dp_coin_make(struct dp_coin *c, struct dp_q x, struct dp_q odds)
{
	struct dp_fx y, one, h;
	double r;
	int e, rc;

	if (x.den == 0 || odds.num == 0 || odds.num > ODDS_MAX || odds.den == 0 ||
	    odds.den > ODDS_MAX)
		return DP_EINVAL;
	if (x.num / x.den >= DP_COIN_REACH)
		x = (struct dp_q){ DP_COIN_REACH, 1 };
	dp_fx_set(&y, x.num);
	dp_fx_div_u64(&y, x.den);
	e = dp_fx_exp(&h, &y, 0);
	dp_fx_mul_u64(&h, odds.num);
	dp_fx_div_u64(&h, odds.den);
	dp_fx_set(&one, 1);
	dp_fx_add(&one, &h);
	dp_fx_inverse(&h, &one);
	*c = (struct dp_coin){ .always = false };
	if ((rc = dp_fx_bits(c->word, &h, e + 32)) != 0)
		return rc;
	c->x = dp_q_double(x);
	r = dp_q_double(odds) * exp(-c->x);
	c->heads = 1 / (1 + r);
	c->tails = r / (1 + r);
	return 0;
}

/* Wiped at once: beside an answer, what was drawn for it would tell the symbol. */
static int
word(struct dp_rng *r, uint64_t *w)
{
	const uint8_t *p = dp_rng_take(r, sizeof *w);

	if (DP_UNLIKELY(p == NULL))
		return r->error;
	memcpy(w, p, sizeof *w);
	*w = le64toh(*w);
	dp_rng_wipe(r);
	return 0;
}

int
dp_coin_toss(const struct dp_coin *c, struct dp_rng *r, bool *heads)
{
	uint64_t u = 0;
	unsigned i;
	int e;

	*heads = true;
	if (c->always)
		return 0;
	for (i = 0; i < 4; i++) {
		if ((e = word(r, &u)) != 0)
			return e;
		*heads = u < c->word[i];
		if (DP_LIKELY(u != c->word[i]))
			break;
	}
	return 0;
}

/*
 * The high word of u n, u uniform in 64 bits: each of 0 .. n - 1 for 2^64 / n of the u, rounded up
 * or down; the u that some have too many are those whose low word is below 2^64 mod n (Lemire
 * 2019).
 */
int
dp_fair(struct dp_rng *r, uint64_t n, uint64_t *out)
{
	dp_uwide m;
	uint64_t u = 0;
	int e;

	do {
		if ((e = word(r, &u)) != 0)
			return e;
		m = (dp_uwide)u * n;
	} while (DP_UNLIKELY((uint64_t)m < n) && (uint64_t)m < -n % n);
	*out = (uint64_t)(m >> 64);
	return 0;
}
