/* SPDX-License-Identifier: ISC */
/* internal.h - internal to lib/law: what its files alone share. */
#ifndef DP_LAW_INTERNAL_H
#define DP_LAW_INTERNAL_H

struct dp_law;
struct dp_law_memo;

void	dp_law_memo_clear(struct dp_law_memo *);
/* P(|error| > x - 1), x a positive integer, as in dp_law_bound(); with parts a bound on it. */
double	dp_law_tail(const struct dp_law *, double x);
/* dp_law_parts_bound() by the variance alone: wider, and found at once. */
double	dp_law_parts_wide(const struct dp_law *, double gamma);
/*
 * A tail in pieces, for laws that are sums of parts met before (law.c): the weight of
 * E cos(k step X) at k; and P(|X + U| > y) from the products of both, k = 1..n, U uniform on a
 * width of one, where the n + 1st and those after are next to nothing, and where X + U does not
 * reach 2 pi / step - y.
 */
double	dp_law_wave_weight(double step, unsigned k);
double	dp_law_wave_tail(const double *product, unsigned n, double step, double y);

#endif
