/* SPDX-License-Identifier: ISC */
/*
 * width.h - the half-widths of intervals, step after step: dp_law_bound() of each law, faster.
 *
 * Equal laws have equal bounds.  Recent bounds are remembered by the law's variance: a mechanism's
 * laws of one variance are equal for all practical purposes.  A law that only rises
 * (DP_TRAIT_RISING) has bounds that never fall: all bounds between two equal ones are equal, too.
 *
 * A bound is at least dp_law_bound() of its law.
 */
#ifndef DP_COUNTER_WIDTH_H
#define DP_COUNTER_WIDTH_H

#include "base/dp.h"

struct dp_mech;
struct dp_widths;

/* 0 < gamma < 1; the mechanism has a law.  DP_ENOMEM. */
int	dp_widths_create(struct dp_widths **, const struct dp_mech *, double gamma) DP_MUSTUSE;
/*
 * Before the first bound: they are of the sum (or, of two, the difference) of n >= 1 estimates
 * whose noise is independent, as that of several keys' columns is.
 */
void	dp_widths_several(struct dp_widths *, unsigned n);
/*
 * *w = dp_law_bound() of output `out` at step t >= 1: in any order, but fast for one after another.
 * DP_ERANGE: no law holds that many terms (law/law.h).
 */
int	dp_widths_at(struct dp_widths *, unsigned out, uint64_t t, double *w) DP_MUSTUSE;
/* The same with what estimates are off besides (counter/mech.h, off), in their units. */
int	dp_widths_half(struct dp_widths *, unsigned out, uint64_t t, dp_wide *half) DP_MUSTUSE;
void	dp_widths_free(struct dp_widths *);

#endif
