/* SPDX-License-Identifier: ISC */
/*
 * num.h - exact numbers from text, and checked arithmetic on them.
 *
 * No function here touches a double except dp_q_double(), which only
 * describes.
 */
#ifndef DP_BASE_NUM_H
#define DP_BASE_NUM_H

#include "dp.h"

/* A non-negative rational in lowest terms; num, den <= INT64_MAX, den >= 1. */
struct dp_q {
	uint64_t num, den;
};

/* Largest magnitude of a value on its grid; larger ones saturate here. */
#define DP_VALUE_MAX	((int64_t)1 << 56)

/*
 * DIGITS[.DIGITS][e[+-]DIGITS] or DIGITS/DIGITS; digits may be missing on one
 * side of the point; at most 19 significant digits, not counting zeros at
 * either end.  Signs, blanks, hex, nan and inf are DP_ESYNTAX; a well-formed
 * number that cannot be kept exactly (1e400, 1e-300, 20 digits) is DP_ERANGE.
 * Zero parses.  x/0 is DP_ESYNTAX.
 */
int	dp_q_parse(struct dp_q *, const char *) DP_MUSTUSE;
/* DP_ERANGE when the reduced result does not fit; division by zero is DP_EINVAL. */
int	dp_q_div(struct dp_q *, struct dp_q, struct dp_q) DP_MUSTUSE;
/* num/den in lowest terms; DP_ERANGE: the reduced result is too large; DP_EINVAL: den = 0. */
int	dp_q_reduce(struct dp_q *, dp_uwide num, dp_uwide den) DP_MUSTUSE;
/*
 * num/den itself if it fits once reduced, else the next number above on the grid 10^-k, k <= 18 as
 * large as fits.  den > 0, num < 2^127.  DP_ERANGE above INT64_MAX.
 */
int	dp_q_up(struct dp_q *, dp_uwide num, dp_uwide den) DP_MUSTUSE;
/* a + b, rounded up as by dp_q_up(): at least the sum of the numbers. */
int	dp_q_add(struct dp_q *, struct dp_q a, struct dp_q b) DP_MUSTUSE;
/* a - b, rounded down where it does not fit; 0 if b is larger. */
struct dp_q dp_q_left(struct dp_q a, struct dp_q b);
/*
 * Text that dp_q_parse() reads back: a decimal of at most 18 digits, or a ratio.  At most 42 bytes,
 * no terminator; returns the end.
 */
char	*dp_q_put(char *, struct dp_q);
/* <0, 0, >0; never overflows */
int	dp_q_cmp(struct dp_q, struct dp_q);
double	dp_q_double(struct dp_q);
/* num/den reduced; den > 0, and the caller knows that the result fits. */
struct dp_q dp_q_make(uint64_t num, uint64_t den);

#define DP_PLACES_MAX	9		/* decimals of a grid */

/*
 * Decimal text -> integer on the grid 10^-places (0 <= places <= 9, else
 * DP_EINVAL), rounded half away from zero, saturated to +-DP_VALUE_MAX.
 * [+-]DIGITS[.DIGITS][e[+-]DIGITS] with at least one digit before the exponent
 * (".5" and "5." are numbers); any length; blanks, hex, nan, inf, separators
 * are DP_ESYNTAX.  "1e99999999999" saturates, "1e-99999999999" is 0.
 */
int	dp_decimal_parse(int64_t *, const char *, size_t, unsigned places) DP_MUSTUSE;
/*
 * Sets *order to <0, 0 or >0 as the first is below, equal to or above the second, both as
 * dp_decimal_parse() reads them, but exactly: no digit is rounded (0.1 and 0.10 are equal).
 * Exponents are all one beyond 2^56.  DP_ESYNTAX: one of them is no number.
 */
int	dp_decimal_compare(int *order, struct dp_slice, struct dp_slice) DP_MUSTUSE;
/* Digits after the point in [+-]DIGITS[.DIGITS] (no exponent); -1: malformed. */
int	dp_decimal_places(const char *, size_t);
/*
 * Writes v * 10^-places with exactly that many places (no point if 0), no
 * terminator; places <= 40; at most 48 bytes; returns the end.
 */
char	*dp_decimal_put(char *, dp_wide v, unsigned places);

/* DIGITS and perhaps k, M, G or T (powers of 1000); DP_ERANGE outside [lo,hi]. */
int	dp_u64_parse(uint64_t *, const char *, uint64_t lo, uint64_t hi) DP_MUSTUSE;
/* DIGITS and one of s m h d w; whole seconds, 1 .. 10^9. */
int	dp_duration_parse(uint64_t *seconds, const char *) DP_MUSTUSE;

/*
 * LO:HI in decimals on the grid of the finer of the two; whole numbers may have k, M, G or T.
 * False: not of this form, LO > HI, both 0, more than 9 decimals, or 2^50 grid units or more.
 */
#define DP_RANGE_END	64	/* bytes of an end */
bool	dp_range_parse(int64_t *lo, int64_t *hi, unsigned *places, const char *);
/* An end of a range; a whole number with k, M, G or T as its digits.  False: too long for one. */
bool	dp_range_end(char text[static DP_RANGE_END], const char *, size_t n);
/* The most decimals more, up to `finer', that the grid of a range may have. */
unsigned dp_range_finer(int64_t lo, int64_t hi, unsigned places, unsigned finer);
/* Decimals more that a millionth of the range needs, or as many of them as there may be. */
unsigned dp_range_millionth(int64_t lo, int64_t hi, unsigned places);

/* v / step, down; and to the nearest, halves up.  step > 0 */
dp_wide	dp_down(dp_wide v, dp_wide step);
dp_wide	dp_nearest(dp_wide v, dp_wide step);

/* strtold(3) as in the C locale, whatever locale the caller has set. */
long double dp_real_read(const char *, char **end);

/* 10^n, n <= 38 */
dp_uwide dp_power10(unsigned n);
/* Smallest h with 2^h >= n (n >= 1). */
unsigned dp_ceil_log2(uint64_t n);
/*
 * A whole number in the middle of lo < hi, whole both, and other than they are; lo: no double is.
 * From 2^53 on doubles are farther apart than 1, so a search that ends at hi - lo <= 1 might not.
 */
double	dp_whole_between(double lo, double hi);

#endif
