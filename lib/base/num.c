/* SPDX-License-Identifier: ISC */
/* num.c - exact numbers from text, and checked arithmetic on them. */
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static int dp_decimal_scan(struct dp_decimal *, const char *, size_t n, bool sign) DP_MUSTUSE;

#define DIGITS_MAX	18		/* 10^18 < 2^63 */
#define SIGNIFICANT	19		/* those of INT64_MAX; 10^19 < 2^64 */

static dp_uwide
gcd(dp_uwide a, dp_uwide b)
{
	dp_uwide t;

	while (b != 0) {
		t = a % b;
		a = b;
		b = t;
	}
	return a;
}

int
dp_q_reduce(struct dp_q *q, dp_uwide num, dp_uwide den)
{
	dp_uwide g = gcd(num, den);

	if (den == 0)
		return DP_EINVAL;
	num /= g;
	den /= g;
	if (num > INT64_MAX || den > INT64_MAX)
		return DP_ERANGE;
	q->num = (uint64_t)num;
	q->den = (uint64_t)den;
	return 0;
}

dp_uwide
dp_power10(unsigned n)
{
	dp_uwide p = 1;

	while (n-- > 0)
		p *= 10;
	return p;
}

static bool
is_digit_num(char c)
{
	return c >= '0' && c <= '9';
}

/* The decimal as m * 10^e with m < 10^19. */
static int
mantissa(const struct dp_decimal *d, uint64_t *m, int64_t *e)
{
	size_t i = 0, n = d->nwhole + d->nfrac;

	while (i < n && dp_decimal_digit(d, i) == 0)
		i++;
	while (n > i && dp_decimal_digit(d, n - 1) == 0)
		n--;
	if (n - i > SIGNIFICANT)
		return DP_ERANGE;
	*e = (int64_t)d->nwhole - (int64_t)n + d->exp;
	for (*m = 0; i < n; i++)
		*m = *m * 10 + dp_decimal_digit(d, i);
	if (*m == 0)
		*e = 0;
	return 0;
}

/* m * 10^e; an e outside these bounds cannot give a fraction that fits. */
static int
from_mantissa(struct dp_q *q, uint64_t m, int64_t e)
{
	if (e > DIGITS_MAX || e < -2 * DIGITS_MAX)
		return DP_ERANGE;
	if (e < 0)
		return dp_q_reduce(q, m, dp_power10((unsigned)-e));
	return dp_q_reduce(q, m * dp_power10((unsigned)e), 1);
}

static int
parse_ratio(struct dp_q *q, const char *s, const char *slash)
{
	struct dp_decimal a, b;
	uint64_t m, n;
	int64_t em, en;

	if (dp_decimal_scan(&a, s, (size_t)(slash - s), false) != 0 ||
	    dp_decimal_scan(&b, slash + 1, strlen(slash + 1), false) != 0 ||
	    a.nwhole != (size_t)(slash - s) || b.nwhole != strlen(slash + 1))
		return DP_ESYNTAX;
	if (mantissa(&a, &m, &em) != 0 || mantissa(&b, &n, &en) != 0 ||
	    em > 19 || en > 19)		/* 10^19 10^19 < 2^128 */
		return DP_ERANGE;
	if (n == 0)
		return DP_ESYNTAX;
	return dp_q_reduce(q, m * dp_power10((unsigned)em), n * dp_power10((unsigned)en));
}

int
dp_q_parse(struct dp_q *q, const char *s)
{
	const char *slash = strchr(s, '/');
	struct dp_decimal d;
	uint64_t m;
	int64_t e;
	int rc;

	if (slash != NULL)
		return parse_ratio(q, s, slash);
	if ((rc = dp_decimal_scan(&d, s, strlen(s), false)) != 0 ||
	    (rc = mantissa(&d, &m, &e)) != 0)
		return rc;
	return from_mantissa(q, m, e);
}

int
dp_q_div(struct dp_q *out, struct dp_q a, struct dp_q b)
{
	return dp_q_reduce(out, (dp_uwide)a.num * b.den, (dp_uwide)a.den * b.num);
}

int
dp_q_cmp(struct dp_q a, struct dp_q b)
{
	dp_uwide x = (dp_uwide)a.num * b.den, y = (dp_uwide)b.num * a.den;

	return (x > y) - (x < y);
}

double
dp_q_double(struct dp_q q)
{
	return (double)q.num / (double)q.den;
}

struct dp_q
dp_q_make(uint64_t num, uint64_t den)
{
	uint64_t g = (uint64_t)gcd(num, den);

	return (struct dp_q){ num / g, den / g };
}

/* The common case: few digits, a point among them or not, none below the grid; false: it is not. */
static bool
parse_few(int64_t *v, const char *s, size_t n, unsigned places)
{
	uint64_t x = 0;
	size_t i;

	if (n == 0 || n > 16 - places || !is_digit_num(*s))
		return false;
	for (i = 0; i < n && is_digit_num(s[i]); i++)
		x = x * 10 + (uint64_t)(s[i] - '0');
	if (i < n && s[i] == '.' && n - i - 1 <= places) {
		places -= (unsigned)(n - i - 1);
		for (i++; i < n && is_digit_num(s[i]); i++)
			x = x * 10 + (uint64_t)(s[i] - '0');
	}
	if (i < n)
		return false;
	for (; places > 0; places--)
		x *= 10;
	*v = (int64_t)x;
	return true;
}

int
dp_decimal_parse(int64_t *v, const char *s, size_t n, unsigned places)
{
	struct dp_decimal d;
	uint64_t x = 0;
	size_t i = 0;
	int64_t w;		/* weight of digit i: x counts 10^w */
	int rc;

	if (places > 9)
		return DP_EINVAL;
	if (parse_few(v, s, n, places))
		return 0;
	if ((rc = dp_decimal_scan(&d, s, n, true)) != 0)
		return rc;
	n = d.nwhole + d.nfrac;
	while (i < n && dp_decimal_digit(&d, i) == 0)
		i++;
	w = (int64_t)d.nwhole - 1 - (int64_t)i + d.exp + (int64_t)places;
	if (i == n)
		w = 0;			/* zero, whatever its exponent */
	if (w >= DIGITS_MAX) {
		x = DP_VALUE_MAX;
	} else if (i < n) {
		for (; i < n && w >= 0; i++, w--)
			x = x * 10 + dp_decimal_digit(&d, i);
		for (; w >= 0; w--)
			x *= 10;
		/* half away from zero: the first digit below the grid decides */
		if (i < n && w == -1 && dp_decimal_digit(&d, i) >= 5)
			x++;
		if (x > DP_VALUE_MAX)
			x = DP_VALUE_MAX;
	}
	*v = d.negative ? -(int64_t)x : (int64_t)x;
	return 0;
}

int
dp_decimal_places(const char *s, size_t n)
{
	struct dp_decimal d;

	if (dp_decimal_scan(&d, s, n, true) != 0 || d.has_exp)
		return -1;
	return d.nfrac < INT_MAX ? (int)d.nfrac : INT_MAX;
}

/* The digits of u in front of q, two at a time. */
static char *
put_backwards(char *q, uint64_t u)
{
	static const char pair[] = "0001020304050607080910111213141516171819"
	    "2021222324252627282930313233343536373839"
	    "4041424344454647484950515253545556575859"
	    "6061626364656667686970717273747576777879"
	    "8081828384858687888990919293949596979899";

	for (; u >= 100; u /= 100)
		memcpy(q -= 2, pair + 2 * (u % 100), 2);
	if (u >= 10)
		memcpy(q -= 2, pair + 2 * u, 2);
	else
		*--q = (char)('0' + (int)u);
	return q;
}

char *
dp_decimal_put(char *p, dp_wide v, unsigned places)
{
	dp_uwide x = v < 0 ? -(dp_uwide)v : (dp_uwide)v;
	char digits[48], *end = digits + sizeof digits, *q = end;
	size_t whole;

	for (; x > UINT64_MAX; x /= 10)	/* a wide division is slow */
		*--q = (char)('0' + (int)(x % 10));
	q = put_backwards(q, (uint64_t)x);
	while (q > end - places - 1)
		*--q = '0';
	if (v < 0)
		*p++ = '-';
	whole = (size_t)(end - q) - places;
	memcpy(p, q, whole);
	p += whole;
	if (places > 0) {
		*p++ = '.';
		memcpy(p, q + whole, places);
		p += places;
	}
	return p;
}

/* DIGITS, then at most one more character. */
static int
scan_u64(uint64_t *v, const char *s, char *suffix)
{
	const char *p = s, *end = s + strlen(s);
	uint64_t x = 0;
	size_t i, n;

	while (p < end && is_digit_num(*p))
		p++;
	n = (size_t)(p - s);
	if (n == 0 || end - p > 1)
		return DP_ESYNTAX;
	*suffix = *p;
	for (i = 0; i < n; i++)
		if (__builtin_mul_overflow(x, 10, &x) ||
		    __builtin_add_overflow(x, (uint64_t)(s[i] - '0'), &x))
			return DP_ERANGE;
	*v = x;
	return 0;
}

int
dp_u64_parse(uint64_t *v, const char *s, uint64_t lo, uint64_t hi)
{
	static const char suffixes[] = "kMGT";
	const char *q;
	uint64_t x = 0;
	char c = 0;
	int rc = scan_u64(&x, s, &c);

	if (rc == DP_ESYNTAX)
		return rc;
	if (c != '\0') {
		if ((q = strchr(suffixes, c)) == NULL)
			return DP_ESYNTAX;
		if (__builtin_mul_overflow(x,
		    (uint64_t)dp_power10((unsigned)(3 * (q - suffixes + 1))), &x))
			return DP_ERANGE;
	}
	if (rc != 0 || x < lo || x > hi)
		return DP_ERANGE;
	*v = x;
	return 0;
}

int
dp_duration_parse(uint64_t *seconds, const char *s)
{
	static const char suffixes[] = "smhdw";
	static const uint64_t unit[] = { 1, 60, 3600, 86400, 7 * 86400 };
	const char *q;
	uint64_t x = 0;
	char c = 0;
	int rc = scan_u64(&x, s, &c);

	if (rc == DP_ESYNTAX || c == '\0' || (q = strchr(suffixes, c)) == NULL)
		return DP_ESYNTAX;
	if (rc != 0 || __builtin_mul_overflow(x, unit[q - suffixes], &x) ||
	    x < 1 || x > 1000000000)
		return DP_ERANGE;
	*seconds = x;
	return 0;
}

unsigned
dp_ceil_log2(uint64_t n)
{
	return n <= 1 ? 0 : 64 - (unsigned)__builtin_clzll(n - 1);
}

double
dp_whole_between(double lo, double hi)
{
	const double mid = floor((lo + hi) / 2);

	return lo < mid && mid < hi ? mid : lo;
}

/*
 * The one reader of floating-point text: for weights, plans and charts.
 */

long double
dp_real_read(const char *text, char **end)
{
	const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	long double v = 0;

	*end = (char *)(uintptr_t)text;
	if (c == (locale_t)0)
		return 0;
	v = strtold_l(text, end, c);
	freelocale(c);
	return v;
}

/* Sums of exact rationals, rounded against whoever spends where they do not fit. */

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

/* Decimal numbers as texts: read, and compared digit by digit. */

#define EXP_MAX		((int64_t)1 << 60)	/* exponents saturate here */

static bool
is_digit_decimal(char c)
{
	return c >= '0' && c <= '9';
}

static size_t
span(const char **p, const char *end)
{
	const char *s = *p;

	while (*p < end && is_digit_decimal(**p))
		(*p)++;
	return (size_t)(*p - s);
}

static int
scan_exp(struct dp_decimal *d, const char **p, const char *end)
{
	bool negative = false;
	int64_t e = 0;

	d->has_exp = true;
	(*p)++;
	if (*p < end && (**p == '+' || **p == '-'))
		negative = *(*p)++ == '-';
	if (*p == end || !is_digit_decimal(**p))
		return DP_ESYNTAX;
	for (; *p < end && is_digit_decimal(**p); (*p)++)
		if (e < EXP_MAX / 16)
			e = 10 * e + (**p - '0');
	d->exp = negative ? -e : e;
	return 0;
}

/* Reads all n bytes, with a sign where one may be.  DP_ESYNTAX. */
static int
dp_decimal_scan(struct dp_decimal *d, const char *p, size_t n, bool sign)
{
	const char *end = p + n;
	int rc;

	*d = (struct dp_decimal){ .frac = "" };
	if (sign && p < end && (*p == '+' || *p == '-'))
		d->negative = *p++ == '-';
	d->whole = p;
	d->nwhole = span(&p, end);
	if (p < end && *p == '.') {
		d->frac = ++p;
		d->nfrac = span(&p, end);
	}
	if (d->nwhole + d->nfrac == 0)
		return DP_ESYNTAX;
	if (p < end && (*p == 'e' || *p == 'E') &&
	    (rc = scan_exp(d, &p, end)) != 0)
		return rc;
	return p == end ? 0 : DP_ESYNTAX;
}

/* A number's first digit other than 0, and its weight, a power of 10; false: it is 0. */
static bool
leading(const struct dp_decimal *d, size_t *first, int64_t *weight)
{
	const size_t n = d->nwhole + d->nfrac;

	for (*first = 0; *first < n && dp_decimal_digit(d, *first) == 0; )
		++*first;
	*weight = (int64_t)d->nwhole - (int64_t)*first + d->exp;
	return *first < n;
}

/* Of two without their signs. */
static int
compare_decimal(const struct dp_decimal *a, const struct dp_decimal *b)
{
	size_t i, j;
	int64_t wa, wb;
	const bool some = leading(a, &i, &wa), other = leading(b, &j, &wb);
	unsigned x, y;

	if (!some || !other || wa != wb)
		return some && other ? (wa > wb) - (wa < wb) : (int)some - (int)other;
	for (; i < a->nwhole + a->nfrac || j < b->nwhole + b->nfrac; i++, j++) {
		x = i < a->nwhole + a->nfrac ? dp_decimal_digit(a, i) : 0;
		y = j < b->nwhole + b->nfrac ? dp_decimal_digit(b, j) : 0;
		if (x != y)
			return x > y ? 1 : -1;
	}
	return 0;
}

int
dp_decimal_compare(int *order, struct dp_slice s, struct dp_slice t)
{
	const struct dp_decimal zero = { .frac = "" };
	struct dp_decimal a, b;
	int rc, x, y;

	if ((rc = dp_decimal_scan(&a, s.p, s.n, true)) != 0 ||
	    (rc = dp_decimal_scan(&b, t.p, t.n, true)) != 0)
		return rc;
	x = a.negative ? -compare_decimal(&a, &zero) : compare_decimal(&a, &zero);
	y = b.negative ? -compare_decimal(&b, &zero) : compare_decimal(&b, &zero);
	if (x != y)
		*order = x > y ? 1 : -1;
	else
		*order = x < 0 ? compare_decimal(&b, &a) : compare_decimal(&a, &b);
	return 0;
}

#define RANGE_MAX	((int64_t)1 << 50)
#define MILLION		1000000

bool
dp_range_end(char text[static DP_RANGE_END], const char *s, size_t n)
{
	const bool minus = n > 0 && *s == '-';
	uint64_t v;

	if (n >= DP_RANGE_END)
		return false;
	memcpy(text, s, n);
	text[n] = '\0';
	if (dp_u64_parse(&v, text + minus, 0, UINT64_MAX) == 0)
		snprintf(text + minus, DP_RANGE_END - 1, "%llu", (unsigned long long)v);
	return true;
}

bool
dp_range_parse(int64_t *low, int64_t *high, unsigned *places, const char *s)
{
	const char *colon = strchr(s, ':');
	char lo[DP_RANGE_END], hi[DP_RANGE_END];
	int a, b;

	if (colon == NULL || !dp_range_end(lo, s, (size_t)(colon - s)) ||
	    !dp_range_end(hi, colon + 1, strlen(colon + 1)) ||
	    (a = dp_decimal_places(lo, strlen(lo))) < 0 ||
	    (b = dp_decimal_places(hi, strlen(hi))) < 0 || a > DP_PLACES_MAX || b > DP_PLACES_MAX)
		return false;
	*places = (unsigned)(a > b ? a : b);
	return dp_decimal_parse(low, lo, strlen(lo), *places) == 0 &&
	    dp_decimal_parse(high, hi, strlen(hi), *places) == 0 &&
	    *low <= *high && (*low != 0 || *high != 0) && *low > -RANGE_MAX && *high < RANGE_MAX;
}

static bool
is_refined(int64_t lo, int64_t hi, unsigned places, unsigned finer)
{
	const int64_t most = hi > -lo ? hi : -lo;

	return places + finer <= DP_PLACES_MAX && most < RANGE_MAX / (int64_t)dp_power10(finer);
}

unsigned
dp_range_finer(int64_t lo, int64_t hi, unsigned places, unsigned finer)
{
	while (finer > 0 && !is_refined(lo, hi, places, finer))
		finer--;
	return finer;
}

unsigned
dp_range_millionth(int64_t lo, int64_t hi, unsigned places)
{
	unsigned finer = 0;

	while ((hi - lo) * (int64_t)dp_power10(finer) < MILLION &&
	    is_refined(lo, hi, places, finer + 1))
		finer++;
	return finer;
}

dp_wide
dp_down(dp_wide v, dp_wide step)
{
	dp_wide q;

	if (DP_LIKELY(v == (int64_t)v && step == (int64_t)step))	/* a machine's division */
		q = (int64_t)v / (int64_t)step;
	else
		q = v / step;
	return q - (q * step > v);
}

dp_wide
dp_nearest(dp_wide v, dp_wide step)
{
	return step == 1 ? v : dp_down(v + step / 2, step);
}
