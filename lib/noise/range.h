/*
 * range.h - delta of n choices, one after the other, each of bounded range.
 *
 * A choice is of range c if, whatever was released before it, its laws P and Q for two neighbours
 * have log P(j)/Q(j) in t - c .. t for all j, 0 <= t <= c (selection.h, WEIGH: c = spread / b).
 *
 * Statement (Dong, Durfee, Rogers 2020).  Let H_0(x) = max(0, 1 - e^x) and
 *	H_k(x) = max over 0 <= t <= c of  p H_(k-1)(x - t) + (1 - p) H_(k-1)(x - t + c),
 *	    p = (1 - e^(t-c)) / (1 - e^-c).
 * n of them are (x, H_n(x))-DP for every x, also for data that respond.
 *
 * Proof.  Given the past, let D(x) be the sup over data and events S of P(S) - e^x Q(S) for the
 *   k choices that are left: 0 choices, H_0.  As a function of e^x it is convex and falls: a sup of
 *   lines.  With the first of the k at j the rest has P(S) - e^x Q(S) = P(j) (P(S|j) - e^x
 *   Q(j)/P(j) Q(S|j)), so that D(x) is at most the sup of E_Q G(R), R = P/Q, G(r) = r H_(k-1)(x -
 *   log r).  G is convex in r (a perspective), R has the mean 1 and lies in e^(t-c) .. e^t: E G(R)
 *   is at most that of the R of both ends alone, where P has p on e^t.  The roles of P and Q
 *   exchanged, t becomes c - t.
 *
 * As computed: an upper bound of H_n.  On a grid of x, steps h, a part of c, and values that are
 *   upper bounds.  Between points of the grid G is at most its chord, in r.  For t in a cell of
 *   the grid, w = e^t from w_0 to w_0 e^h, both ends' chords A + B r, C + D r give
 *	f(w) = ((1 - kw)(A + Bw) + (w - 1)(C + Dkw)) / (w (1 - k)),  k = e^-c,
 *	    = ((A - C)/w + k (D - B) w) / (1 - k), and what does not depend on w.
 *   If f has its largest value within the cell, both terms fall below 0.  Then, with
 *   a = (C - A) / w_0 and b = k (B - D) w_0, that is (sqrt a - sqrt b)^2 / (1 - k) above f(w_0), at
 *   w = w_0 sqrt(a/b): so b < a < b e^(2h), and (a - b)^2 / (4b (1 - k)) is no less.  Else one of
 *   the ends is its largest.
 *   Above the grid H is at most the value at its upper end; below it at most 1.
 *   Doubles: a choice's rounding is below 2^-50 of H(x - c), which no value passes; but a and b are
 *   differences of neighbours over e^h - 1, so that (a - b)^2 / b is off by 2^-48 / c of it.  2^-46
 *   / c of it is added at each choice.
 */
#ifndef DP_RANGE_H
#define DP_RANGE_H

#include <stdint.h>

#include "base/dp.h"

#define DP_RANGE_CHOICES	1000		/* n, at most */

/* H_n(x), or a little more; 0 < c <= 1, x > 0, 1 <= n <= DP_RANGE_CHOICES.  DP_ENOMEM. */
int	dp_range_delta(double *delta, double c, uint64_t n, double x) DP_MUSTUSE;
/* A c >= from with H_n(x) <= delta, nearly the largest, if there is one; else from. */
int	dp_range_widest(double *c, double from, uint64_t n, double x, double delta) DP_MUSTUSE;

#endif
