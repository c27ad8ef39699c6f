/* decimal.c - decimal numbers as texts: read, and compared digit by digit. */
#include "decimal.h"
#include "num.h"

#define EXP_MAX		((int64_t)1 << 60)	/* exponents saturate here */

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t
span(const char **p, const char *end)
{
	const char *s = *p;

	while (*p < end && is_digit(**p))
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
	if (*p == end || !is_digit(**p))
		return DP_ESYNTAX;
	for (; *p < end && is_digit(**p); (*p)++)
		if (e < EXP_MAX / 16)
			e = 10 * e + (**p - '0');
	d->exp = negative ? -e : e;
	return 0;
}

int
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
compare(const struct dp_decimal *a, const struct dp_decimal *b)
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
	x = a.negative ? -compare(&a, &zero) : compare(&a, &zero);
	y = b.negative ? -compare(&b, &zero) : compare(&b, &zero);
	if (x != y)
		*order = x > y ? 1 : -1;
	else
		*order = x < 0 ? compare(&b, &a) : compare(&a, &b);
	return 0;
}
