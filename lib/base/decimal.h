/* decimal.h - internal to base: a decimal number as it stands in a text. */
#ifndef DP_DECIMAL_H
#define DP_DECIMAL_H

#include "dp.h"

struct dp_decimal {
	const char *whole, *frac;	/* digits before and after the point */
	size_t nwhole, nfrac;
	int64_t exp;			/* saturated */
	bool negative, has_exp;
};

/* Reads all n bytes, with a sign where one may be.  DP_ESYNTAX. */
int	dp_decimal_scan(struct dp_decimal *, const char *, size_t n, bool sign) DP_MUSTUSE;

/* The i-th digit, counted from the left over the point. */
static inline unsigned
dp_decimal_digit(const struct dp_decimal *d, size_t i)
{
	return (unsigned)((i < d->nwhole ? d->whole[i] : d->frac[i - d->nwhole]) - '0');
}

#endif
