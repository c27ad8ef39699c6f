/* SPDX-License-Identifier: ISC */
/* num.h: parser tables, rounding at every place, checked arithmetic. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "check.h"

#define E18	1000000000000000000u

static void
parse(void)
{
	static const struct {
		const char *s;
		int rc;
		uint64_t num, den;
	} v[] = {
		{ "0", 0, 0, 1 }, { "1", 0, 1, 1 }, { "0.1", 0, 1, 10 },
		{ "1/2", 0, 1, 2 }, { "2/6", 0, 1, 3 }, { "0/7", 0, 0, 1 },
		{ "1.50", 0, 3, 2 }, { ".5", 0, 1, 2 }, { "5.", 0, 5, 1 },
		{ "007", 0, 7, 1 }, { "1e-3", 0, 1, 1000 }, { "1E3", 0, 1000, 1 },
		{ "1e+03", 0, 1000, 1 }, { "12.5e-1", 0, 5, 4 },
		{ "0e400", 0, 0, 1 }, { "0.0e-999999999999999999999", 0, 0, 1 },
		{ "1e18", 0, E18, 1 }, { "1e-18", 0, 1, E18 },
		{ "5e-19", 0, 1, 2 * (uint64_t)E18 },
		{ "9000000000000000000", 0, 9 * (uint64_t)E18, 1 },
		{ "999999999999999999", 0, E18 - 1, 1 },
		{ "0.693147180559945309", 0, 693147180559945309, E18 },
		{ "1.00000000000000000000000000000000000000000000", 0, 1, 1 },
		{ "0000000000000000000000000000000000000000000001", 0, 1, 1 },
		{ "10000000000000000000/10000000000000000000", 0, 1, 1 },
		{ "999999999999999999/999999999999999998", 0, E18 - 1, E18 - 2 },
		{ "1e400", DP_ERANGE, 0, 0 }, { "1e-300", DP_ERANGE, 0, 0 },
		{ "1e19", DP_ERANGE, 0, 0 }, { "1e-19", DP_ERANGE, 0, 0 },
		{ "1e99999999999999999999", DP_ERANGE, 0, 0 },
		{ "1e-99999999999999999999", DP_ERANGE, 0, 0 },
		{ "1234567890123456789", 0, 1234567890123456789, 1 },
		{ "9223372036854775807", 0, INT64_MAX, 1 },
		{ "1.234567890123456789", 0, 1234567890123456789, E18 },
		{ "9223372036854775808", DP_ERANGE, 0, 0 },
		{ "9999999999999999999", DP_ERANGE, 0, 0 },
		{ "9999999999999999999/9999999999999999999", 0, 1, 1 },
		{ "99999999999999999990000000000000000000/"
		    "9999999999999999999", DP_ERANGE, 0, 0 },
		{ "9999999999999999999" "0000000000000000000/"
		    "9999999999999999999" "0000000000000000000", 0, 1, 1 },
		{ "12345678901234567891", DP_ERANGE, 0, 0 },
		{ "0.1234567890123456789", DP_ERANGE, 0, 0 },
		{ "1/1234567890123456789", 0, 1, 1234567890123456789 },
		{ "1/100000000000000000000", DP_ERANGE, 0, 0 },
		{ "", DP_ESYNTAX, 0, 0 }, { "x", DP_ESYNTAX, 0, 0 },
		{ "-1", DP_ESYNTAX, 0, 0 }, { "+1", DP_ESYNTAX, 0, 0 },
		{ " 1", DP_ESYNTAX, 0, 0 }, { "1 ", DP_ESYNTAX, 0, 0 },
		{ "1\n", DP_ESYNTAX, 0, 0 }, { "0x1", DP_ESYNTAX, 0, 0 },
		{ "0x1p-3", DP_ESYNTAX, 0, 0 }, { "nan", DP_ESYNTAX, 0, 0 },
		{ "inf", DP_ESYNTAX, 0, 0 }, { "infinity", DP_ESYNTAX, 0, 0 },
		{ ".", DP_ESYNTAX, 0, 0 }, { "1..2", DP_ESYNTAX, 0, 0 },
		{ "1,5", DP_ESYNTAX, 0, 0 }, { "e5", DP_ESYNTAX, 0, 0 },
		{ "1ex", DP_ESYNTAX, 0, 0 }, { "1/100000000000000000000000", DP_ERANGE, 0, 0 },
		{ "10000000000000000000000/3", DP_ERANGE, 0, 0 },
		{ "1234567890123456789/3", 0, 411522630041152263, 1 },
		{ "100000000000000000000/200000000000000000000", DP_ERANGE, 0, 0 },
		{ ".e5", DP_ESYNTAX, 0, 0 }, { "1e", DP_ESYNTAX, 0, 0 },
		{ "1e+", DP_ESYNTAX, 0, 0 }, { "1e5.", DP_ESYNTAX, 0, 0 },
		{ "1/0", DP_ESYNTAX, 0, 0 }, { "0/0", DP_ESYNTAX, 0, 0 },
		{ "1/", DP_ESYNTAX, 0, 0 }, { "/2", DP_ESYNTAX, 0, 0 },
		{ "1/2/3", DP_ESYNTAX, 0, 0 }, { "1.5/2", DP_ESYNTAX, 0, 0 },
		{ "1/2.0", DP_ESYNTAX, 0, 0 }, { "1/2e1", DP_ESYNTAX, 0, 0 },
		{ "1/-2", DP_ESYNTAX, 0, 0 }, { "1 /2", DP_ESYNTAX, 0, 0 },
		{ "\xd9\xa1", DP_ESYNTAX, 0, 0 }	/* ARABIC-INDIC ONE */
	};
	struct dp_q q;
	size_t i;
	int rc;

	for (i = 0; i < sizeof v / sizeof v[0]; i++) {
		q = (struct dp_q){ 77, 78 };
		rc = dp_q_parse(&q, v[i].s);
		if (rc != v[i].rc)
			printf("\"%s\": %d, not %d\n", v[i].s, rc, v[i].rc);
		check(rc == v[i].rc);
		if (rc == 0)
			check(q.num == v[i].num && q.den == v[i].den);
		else	/* written only on success */
			check(q.num == 77 && q.den == 78);
	}
}

static bool
is(struct dp_q q, uint64_t num, uint64_t den)
{
	return q.num == num && q.den == den;
}

static void
arithmetic(void)
{
	const uint64_t M = INT64_MAX;
	struct dp_q q = { 0, 1 }, max = { M, 1 }, min = { 1, M };
	struct dp_q half = { 1, 2 }, third = { 1, 3 }, zero = { 0, 1 };

	check(dp_q_div(&q, half, third) == 0 && is(q, 3, 2));
	check(dp_q_div(&q, zero, min) == 0 && is(q, 0, 1));
	check(dp_q_div(&q, max, max) == 0 && is(q, 1, 1));
	check(dp_q_div(&q, max, min) == DP_ERANGE);
	check(dp_q_div(&q, min, max) == DP_ERANGE);
	check(dp_q_div(&q, half, zero) == DP_EINVAL);
	check(dp_q_div(&q, zero, zero) == DP_EINVAL);
	check(is(q, 1, 1));
	/* 20 / 0.7, the scale of a test in noise */
	check(dp_q_div(&q, dp_q_make(20, 1), dp_q_make(7, 10)) == 0 && is(q, 200, 7));
	check(is(dp_q_make(0, 5), 0, 1) && is(dp_q_make(1u << 31, 1u << 30), 2, 1));

	check(dp_q_cmp(half, third) > 0 && dp_q_cmp(third, half) < 0);
	check(dp_q_cmp(half, dp_q_make(2, 4)) == 0);
	check(dp_q_cmp((struct dp_q){ M, M - 1 }, (struct dp_q){ M - 1, M - 2 }) < 0);
	check(dp_q_cmp(max, min) > 0 && dp_q_cmp(zero, min) < 0);
	check(dp_q_double(dp_q_make(1, 10)) == 0.1);

	check(dp_ceil_log2(1) == 0 && dp_ceil_log2(2) == 1 && dp_ceil_log2(3) == 2);
	check(dp_ceil_log2(4) == 2 && dp_ceil_log2(5) == 3);
	check(dp_ceil_log2((uint64_t)1 << 63) == 63);
	check(dp_ceil_log2(((uint64_t)1 << 63) + 1) == 64);
	check(dp_ceil_log2(UINT64_MAX) == 64);
	check(dp_whole_between(-1, 0) == -1 && dp_whole_between(-1, 1) == 0);
	check(dp_whole_between(4, 7) == 5 && dp_whole_between(4, 5) == 4);
	check(dp_whole_between(0x1p53, 0x1p53 + 2) == 0x1p53);	/* the next double */
	check(dp_whole_between(0x1p70, 0x1.8p70) == 0x1.4p70);
}

static void
decimals(void)
{
	const int64_t M = DP_VALUE_MAX;
	static const struct {
		const char *s;
		unsigned places;
		int rc;
		int64_t v;
	} t[] = {
		{ "0", 0, 0, 0 }, { "-0", 0, 0, 0 }, { "+7", 0, 0, 7 },
		{ "-7", 0, 0, -7 }, { ".5", 1, 0, 5 }, { "5.", 1, 0, 50 },
		{ "1.25", 2, 0, 125 }, { "1.25", 9, 0, 1250000000 },
		{ "0.5", 0, 0, 1 }, { "-0.5", 0, 0, -1 }, { "1.5", 0, 0, 2 },
		{ "2.5", 0, 0, 3 }, { "-2.5", 0, 0, -3 }, { "0.4999999999", 0, 0, 0 },
		{ "0.50000000000000000000001", 0, 0, 1 }, { "0.05", 0, 0, 0 },
		{ "0.95", 0, 0, 1 }, { "9.5", 0, 0, 10 }, { "99.95", 1, 0, 1000 },
		{ "1e2", 0, 0, 100 }, { "1e-2", 1, 0, 0 }, { "5e-2", 1, 0, 1 },
		{ "5e-1", 0, 0, 1 }, { "5e-2", 0, 0, 0 }, { "123456e-3", 1, 0, 1235 },
		{ "0.000001e6", 0, 0, 1 }, { "12.345e+1", 0, 0, 123 },
		{ "1e400", 0, 0, M }, { "-1e400", 0, 0, -M }, { "1e-300", 9, 0, 0 },
		{ "1e99999999999", 0, 0, M }, { "1e-99999999999", 9, 0, 0 },
		{ "0e99999999999999999999999", 0, 0, 0 },
		{ "-1e99999999999999999999999", 9, 0, -M },
		{ "72057594037927936", 0, 0, M }, { "72057594037927937", 0, 0, M },
		{ "72057594037927935", 0, 0, M - 1 },
		{ "72057594037927935.5", 0, 0, M }, { "-72057594037927936", 0, 0, -M },
		{ "72057594.037927935", 9, 0, M - 1 }, { "72057594.0379279355", 9, 0, M },
		{ "99999999999999999", 0, 0, M }, { "100000000000000000", 0, 0, M },
		{ "9223372036854775808", 0, 0, M }, { "18446744073709551617", 0, 0, M },
		{ "", 0, DP_ESYNTAX, 0 }, { "-", 0, DP_ESYNTAX, 0 },
		{ ".", 0, DP_ESYNTAX, 0 }, { "-.", 0, DP_ESYNTAX, 0 },
		{ "+-1", 0, DP_ESYNTAX, 0 }, { "0x1", 0, DP_ESYNTAX, 0 },
		{ "nan", 0, DP_ESYNTAX, 0 }, { "inf", 0, DP_ESYNTAX, 0 },
		{ "-inf", 0, DP_ESYNTAX, 0 }, { "1 ", 0, DP_ESYNTAX, 0 },
		{ " 1", 0, DP_ESYNTAX, 0 }, { "1,000", 0, DP_ESYNTAX, 0 },
		{ "1_000", 0, DP_ESYNTAX, 0 }, { "1e", 0, DP_ESYNTAX, 0 },
		{ "e1", 0, DP_ESYNTAX, 0 }, { "1/2", 0, DP_ESYNTAX, 0 },
		{ "1.2.3", 0, DP_ESYNTAX, 0 }, { "1e1e1", 0, DP_ESYNTAX, 0 },
		{ "1", 10, DP_EINVAL, 0 }
	};
	size_t i;
	int64_t v;
	int rc;

	for (i = 0; i < sizeof t / sizeof t[0]; i++) {
		v = 4711;
		rc = dp_decimal_parse(&v, t[i].s, strlen(t[i].s), t[i].places);
		if (rc != t[i].rc || (rc == 0 && v != t[i].v))
			printf("\"%s\" at %u: %d, %lld\n", t[i].s, t[i].places, rc, (long long)v);
		check(rc == t[i].rc && v == (rc == 0 ? t[i].v : 4711));
	}
	/* the length counts, not a terminator */
	check(dp_decimal_parse(&v, "123", 2, 0) == 0 && v == 12);
	check(dp_decimal_parse(&v, "1\0002", 3, 0) == DP_ESYNTAX);
}

/* Half away from zero at every place, against integers alone. */
static void
rounding(void)
{
	char s[64];
	unsigned places, k;
	int64_t v, want, one = 1;
	int n;

	for (places = 0; places <= 9; places++, one *= 10)
		for (k = 0; k < 3000; k++) {
			/* k/100 of a grid step */
			n = snprintf(s, sizeof s, "%ue-%u", k, places + 2);
			want = (k + 50) / 100;
			check(dp_decimal_parse(&v, s, (size_t)n, places) == 0 && v == want);
			n = snprintf(s, sizeof s, "-%u.%02u%s%u", k / 100, k % 100, "e-", places);
			check(dp_decimal_parse(&v, s, (size_t)n, places) == 0 && v == -want);
			n = snprintf(s, sizeof s, "%u.%02u", k / 100, k % 100);
			want = places == 0 ? want : places == 1 ? (k + 5) / 10 :
			    (int64_t)k * (one / 100);
			check(dp_decimal_parse(&v, s, (size_t)n, places) == 0 && v == want);
		}
}

/* Every text of six of these characters or fewer: with an exponent of 0 it is read the long way. */
static void
short_texts(void)
{
	static const char of[] = "019.-x";
	unsigned i, k, n, all, places, wrong = 0;
	int64_t v, w;
	char s[8];

	for (n = 0, all = 1; n <= 6; n++, all *= 6)
		for (i = 0; i < all; i++) {
			for (k = i, places = 0; places < n; places++, k /= 6)
				s[places] = of[k % 6];
			memcpy(s + n, "e0", 2);
			for (places = 0; places <= 4; places++) {
				v = w = 4711;
				wrong += dp_decimal_parse(&v, s, n, places) !=
				    dp_decimal_parse(&w, s, n + 2, places) || v != w;
			}
		}
	check(wrong == 0);
}

static void
long_strings(void)
{
	enum { N = 100000 };
	char *s = malloc(N + 16);
	int64_t v;
	struct dp_q q;

	if (s == NULL)
		return;
	memset(s, '9', N);
	s[N] = '\0';
	check(dp_decimal_parse(&v, s, N, 3) == 0 && v == DP_VALUE_MAX);
	check(dp_q_parse(&q, s) == DP_ERANGE);
	s[0] = '.';
	check(dp_decimal_parse(&v, s, N, 3) == 0 && v == 1000);
	check(dp_decimal_places(s, N) == N - 1);
	memset(s, '0', N);
	s[N - 1] = '7';
	check(dp_decimal_parse(&v, s, N, 0) == 0 && v == 7);
	check(dp_q_parse(&q, s) == 0 && is(q, 7, 1));
	s[0] = '.';
	check(dp_decimal_parse(&v, s, N, 9) == 0 && v == 0);
	check(dp_q_parse(&q, s) == DP_ERANGE);
	memcpy(s + N, "e99999", 7);	/* 7 * 10^(99999 - (N-1)) = 7 */
	check(dp_decimal_parse(&v, s, N + 6, 0) == 0 && v == 7);
	check(dp_q_parse(&q, s) == 0 && is(q, 7, 1));
	free(s);
}

static void
places(void)
{
	check(dp_decimal_places("0", 1) == 0 && dp_decimal_places("-2.0", 4) == 1);
	check(dp_decimal_places("+10.125", 7) == 3 && dp_decimal_places("1.", 2) == 0);
	check(dp_decimal_places(".5", 2) == 1 && dp_decimal_places("1e3", 3) == -1);
	check(dp_decimal_places("", 0) == -1 && dp_decimal_places("x", 1) == -1);
	check(dp_decimal_places("0x1", 3) == -1 && dp_decimal_places("1.5 ", 4) == -1);
}

static int
order(const char *a, const char *b)
{
	int n = 2;

	if (dp_decimal_compare(&n, (struct dp_slice){ a, strlen(a) },
	    (struct dp_slice){ b, strlen(b) }) != 0)
		return 9;
	return (n > 0) - (n < 0);
}

/* A number on the grid 10^-9, in one of many spellings. */
static int64_t
spelt(char s[static 64])
{
	static uint64_t seed = 1;
	const char *sign = "";
	int64_t v;
	unsigned whole, frac, e;

	seed = seed * 6364136223846793005u + 1442695040888963407u;
	whole = seed >> 40 & 0x80 ? (unsigned)(seed >> 33) % 20 : 0;
	frac = (unsigned)(seed >> 45) % 4 * 100 + (unsigned)(seed >> 50) % 2;
	e = (unsigned)(seed >> 60) % 4;
	if (seed >> 63)
		sign = seed >> 62 & 1 ? "-" : "+";
	/* whole.frac, with frac of three digits, times 10^(e - 2) */
	snprintf(s, 64, seed >> 59 & 1 ? "%s%u.%03ue%d" : "%s000%u.%03u00E%d", sign, whole, frac,
	    (int)e - 2);
	v = (int64_t)(whole * 1000 + frac) * 10000;
	for (; e > 0; e--)
		v *= 10;
	return *sign == '-' ? -v : v;
}

static void
compared(void)
{
	char a[64], b[64];
	int64_t v, w, x;
	int i;

	check(order("0.1", "0.10") == 0 && order("-0", "+0e5") == 0 && order("1e2", "100") == 0);
	check(order("9007199254740993", "9007199254740992") == 1);
	check(order("-1", ".000001") == -1 && order("-2", "-1") == -1 && order("1", "") == 9);
	check(order("x", "1") == 9 && order("1 ", "1") == 9 && order("1e", "1") == 9);
	check(order("1e-999", "0") == 1 && order("1e999", "1e998") == 1);
	for (i = 0; i < 20000; i++) {
		v = spelt(a);
		w = spelt(b);
		check(dp_decimal_parse(&x, a, strlen(a), 9) == 0 && x == v);
		check(order(a, b) == (v > w) - (v < w));
		check(order(b, a) == (v < w) - (v > w));
	}
}

static void
put_is(dp_wide v, unsigned p, const char *want)
{
	char s[49];

	memset(s, '#', sizeof s);
	*dp_decimal_put(s, v, p) = '\0';
	if (strcmp(s, want) != 0)
		printf("\"%s\", not \"%s\"\n", s, want);
	check(strcmp(s, want) == 0);
}

static void
put(void)
{
	const dp_wide max = (dp_wide)(~(dp_uwide)0 >> 1);
	int64_t v, w;
	char s[49];
	unsigned p;

	put_is(0, 0, "0");
	put_is(0, 2, "0.00");
	put_is(-5, 1, "-0.5");
	put_is(5, 9, "0.000000005");
	put_is(-12345, 2, "-123.45");
	put_is(10, 1, "1.0");
	put_is(max, 0, "170141183460469231731687303715884105727");
	put_is(-max - 1, 0, "-170141183460469231731687303715884105728");
	put_is(-max - 1, 9, "-170141183460469231731687303715.884105728");
	put_is(-max - 1, 40, "-0.0170141183460469231731687303715884105728");
	for (p = 0; p <= 9; p++)
		for (v = -1000; v <= 1000; v += 7) {
			check(dp_decimal_parse(&w, s,
			    (size_t)(dp_decimal_put(s, v, p) - s), p) == 0 && v == w);
		}
}

static void
whole_numbers(void)
{
	uint64_t v = 99;

	check(dp_u64_parse(&v, "0", 0, 10) == 0 && v == 0);
	check(dp_u64_parse(&v, "10k", 1, UINT64_MAX) == 0 && v == 10000);
	check(dp_u64_parse(&v, "1M", 1, UINT64_MAX) == 0 && v == 1000000);
	check(dp_u64_parse(&v, "3G", 1, UINT64_MAX) == 0 && v == 3000000000);
	check(dp_u64_parse(&v, "2T", 1, UINT64_MAX) == 0 && v == 2000000000000);
	check(dp_u64_parse(&v, "18446744073709551615", 0, UINT64_MAX) == 0 && v == UINT64_MAX);
	check(dp_u64_parse(&v, "18446744073709551616", 0, UINT64_MAX) == DP_ERANGE);
	check(dp_u64_parse(&v, "18446744073709552k", 0, UINT64_MAX) == DP_ERANGE);
	check(dp_u64_parse(&v, "5", 6, 9) == DP_ERANGE);
	check(dp_u64_parse(&v, "10", 6, 9) == DP_ERANGE);
	check(dp_u64_parse(&v, "", 0, 9) == DP_ESYNTAX);
	check(dp_u64_parse(&v, "k", 0, 9) == DP_ESYNTAX);
	check(dp_u64_parse(&v, "-1", 0, 9) == DP_ESYNTAX);
	check(dp_u64_parse(&v, "+1", 0, 9) == DP_ESYNTAX);
	check(dp_u64_parse(&v, "1.5", 0, 9) == DP_ESYNTAX);
	check(dp_u64_parse(&v, "1kk", 0, 9) == DP_ESYNTAX);
	check(dp_u64_parse(&v, "1K", 0, 9) == DP_ESYNTAX);
	check(dp_u64_parse(&v, "99999999999999999999999x", 0, 9) == DP_ESYNTAX);
	check(dp_u64_parse(&v, "1e3", 0, 9999) == DP_ESYNTAX);
	check(v == UINT64_MAX);

	check(dp_duration_parse(&v, "30s") == 0 && v == 30);
	check(dp_duration_parse(&v, "5m") == 0 && v == 300);
	check(dp_duration_parse(&v, "2h") == 0 && v == 7200);
	check(dp_duration_parse(&v, "1d") == 0 && v == 86400);
	check(dp_duration_parse(&v, "1w") == 0 && v == 604800);
	check(dp_duration_parse(&v, "1000000000s") == 0 && v == 1000000000);
	check(dp_duration_parse(&v, "1000000001s") == DP_ERANGE);
	check(dp_duration_parse(&v, "99999999999999999999w") == DP_ERANGE);
	check(dp_duration_parse(&v, "9999999999999999999w") == DP_ERANGE);
	check(dp_duration_parse(&v, "0s") == DP_ERANGE);
	check(dp_duration_parse(&v, "30") == DP_ESYNTAX);
	check(dp_duration_parse(&v, "s") == DP_ESYNTAX);
	check(dp_duration_parse(&v, "1.5h") == DP_ESYNTAX);
	check(dp_duration_parse(&v, "1y") == DP_ESYNTAX);
	check(dp_duration_parse(&v, "1ms") == DP_ESYNTAX);
	check(v == 1000000000);
}

static bool
puts_as(struct dp_q q, const char *text)
{
	char p[64];
	struct dp_q back;

	*dp_q_put(p, q) = '\0';
	return strcmp(p, text) == 0 && dp_q_parse(&back, p) == 0 && dp_q_cmp(back, q) == 0;
}

/* What a ledger's checkpoint keeps is read again, whatever was added up: 19 digits and fewer. */
static void
kept(void)
{
	struct dp_q s, back;
	char text[64];
	unsigned i, first;

	for (first = 0; first < 9; first++)
		for (s = (struct dp_q){ first, 1 }, i = 0; i < 400; i++) {
			check(dp_q_add(&s, s, dp_q_make(1, 3 * i + 7)) == 0);
			*dp_q_put(text, s) = '\0';
			check(dp_q_parse(&back, text) == 0 && dp_q_cmp(back, s) == 0);
		}
}

/* Sums are exact while they fit, and never too small afterwards. */
static void
sums(void)
{
	const struct dp_q tenth = { 1, 10 }, one = { 1, 1 }, least = { 1, E18 };
	struct dp_q s = { 0, 1 }, t, left;
	uint64_t primes[] = { 1000003, 1000033, 1000037, 1000039, 1000081, 1000099 };
	size_t i;

	for (i = 0; i < 10; i++)
		check(dp_q_add(&s, s, tenth) == 0);
	check(dp_q_cmp(s, one) == 0);
	check(dp_q_add(&s, s, least) == 0 && dp_q_cmp(s, one) > 0);
	for (s = (struct dp_q){ 0, 1 }, i = 0; i < 3; i++)
		check(dp_q_add(&s, s, dp_q_make(1, 3)) == 0);
	check(dp_q_cmp(s, one) == 0);
	for (s = (struct dp_q){ 0, 1 }, i = 0; i < 6; i++) {
		check(dp_q_add(&t, s, dp_q_make(1, primes[i])) == 0);
		check(dp_q_cmp(t, s) > 0);
		left = dp_q_left(t, s);
		check(fabs(dp_q_double(left) * (double)primes[i] - 1) < 1e-9);
		s = t;
	}
	/* by exact fractions in Python: 5999708020348.35.. in units of 10^-18 */
	check(dp_q_cmp(s, dp_q_make(5999708020349u, E18)) >= 0 &&
	    dp_q_cmp(s, dp_q_make(5999708020354u, E18)) < 0);
	check(dp_q_cmp(dp_q_left(one, tenth), dp_q_make(9, 10)) == 0);
	check(dp_q_left(tenth, one).num == 0 && dp_q_left(one, one).num == 0);
	check(dp_q_add(&t, dp_q_make(INT64_MAX, 1), one) == DP_ERANGE);
	check(dp_q_up(&t, (dp_uwide)1 << 126, ((dp_uwide)1 << 126) - 1) == 0 &&
	    dp_q_cmp(t, one) > 0 && dp_q_cmp(t, dp_q_make(E18 + 10, E18)) < 0);
	check(dp_q_up(&t, 1, (dp_uwide)1 << 126) == 0 && dp_q_cmp(t, least) == 0);
	check(puts_as(tenth, "0.1") && puts_as(dp_q_make(7, 1), "7") && puts_as(least,
	    "0.000000000000000001") && puts_as(dp_q_make(1, 3), "1/3") &&
	    puts_as(dp_q_make(5, 4), "1.25") && puts_as((struct dp_q){ 0, 1 }, "0"));
	check(puts_as(dp_q_make(3, (uint64_t)1 << 32), "3/4294967296"));
}

int
main(void)
{
	sums();
	kept();
	parse();
	arithmetic();
	decimals();
	rounding();
	short_texts();
	long_strings();
	places();
	compared();
	put();
	whole_numbers();
	return done();
}
