/* ratio.c - sums of exact rationals, rounded against whoever spends where they do not fit. */
#include "num.h"

#define DIGITS_MAX	18		/* 10^18 < 2^63 */

static uint64_t
power(unsigned k)
{
	return (uint64_t)dp_power10(k);
}

/* num/den in decimals, as many as fit; *rest: whether there are more. */
static int
cut_decimals(uint64_t *digits, unsigned *k, bool *rest, dp_uwide num, dp_uwide den)
{
	dp_uwide q = num / den, r = num % den;

	if (q > INT64_MAX - 1)
		return DP_ERANGE;
	/* room for a digit more: what is cut off only makes the remainder look larger */
	for (*rest = false; den >> 123 != 0; den >>= 1) {
		r = (r >> 1) + 1;
		*rest = true;
	}
	for (*k = 0; *k < DIGITS_MAX && q < (INT64_MAX - 1) / 10; ++*k) {
		r *= 10;
		q = q * 10 + r / den;
		r %= den;
	}
	*digits = (uint64_t)q;
	*rest |= r != 0;
	return 0;
}

int
dp_q_up(struct dp_q *out, dp_uwide num, dp_uwide den)
{
	uint64_t digits;
	unsigned k;
	bool rest;
	int e;

	if ((e = dp_q_reduce(out, num, den)) != DP_ERANGE)
		return e;
	if ((e = cut_decimals(&digits, &k, &rest, num, den)) != 0)
		return e;
	return dp_q_reduce(out, (dp_uwide)digits + rest, power(k));
}

int
dp_q_add(struct dp_q *out, struct dp_q a, struct dp_q b)
{
	return dp_q_up(out, (dp_uwide)a.num * b.den + (dp_uwide)b.num * a.den,
	    (dp_uwide)a.den * b.den);
}

struct dp_q
dp_q_left(struct dp_q a, struct dp_q b)
{
	const dp_uwide den = (dp_uwide)a.den * b.den;
	struct dp_q q = { 0, 1 };
	uint64_t digits;
	unsigned k;
	bool rest;
	dp_uwide num;

	if (dp_q_cmp(a, b) <= 0)
		return q;
	num = (dp_uwide)a.num * b.den - (dp_uwide)b.num * a.den;
	if (dp_q_reduce(&q, num, den) == 0 || cut_decimals(&digits, &k, &rest, num, den) != 0)
		return q;
	/* the last digit may owe itself to a remainder that was rounded up */
	return dp_q_make(digits - (rest && digits > 0), power(k));
}

char *
dp_q_put(char *p, struct dp_q q)
{
	unsigned k = 0;

	while (k < DIGITS_MAX && power(k) % q.den != 0)
		k++;
	if (power(k) % q.den == 0 && (dp_uwide)q.num * (power(k) / q.den) < power(DIGITS_MAX))
		return dp_decimal_put(p, (dp_wide)q.num * (dp_wide)(power(k) / q.den), k);
	p = dp_decimal_put(p, (dp_wide)q.num, 0);
	if (q.den == 1)
		return p;
	*p++ = '/';
	return dp_decimal_put(p, (dp_wide)q.den, 0);
}
