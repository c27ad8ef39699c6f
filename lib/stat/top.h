/* SPDX-License-Identifier: ISC */
/*
 * top.h - counts of names that nobody declared: which names may be told of, and when.
 *
 * A name has a column of its own, with its own noise.  RUNNING: c_t is the number of its events so
 * far, N_t the noise of a norm tree (normtree/normtree.h) over the whole horizon 1 .. T, of
 * absolute time;
 * all of it, or from the step of the name's first event on, which has the same law
 * (normtree/normtree.h).  At
 * the end of step t, of a name with an event so far, y_t = c_t + N_t; it is named at the first such
 * t with y_t >= tau, and from there on y_t is released at every step.  EACH STEP: c_t are the
 * events of step t alone, N_t is drawn anew, and y_t is released where c_t > 0 and y_t >= tau.
 * WINDOW: c_t are the events of the last W steps, N_t is the noise of these of an endless row of
 * norm trees of W steps at most, and y_t is released where c_t > 0 and y_t >= tau.  GAUSSIAN: as
 * RUNNING, with the noise of counter/internal.h for (epsilon, delta / 2), all T steps of which are
 * drawn.
 * A declared name is released at every step, from the first one on.
 *
 * T UNKNOWN.  RUNNING without T has the noise of normtree's count without end (normtree/count.c):
 * for each name a tree for each segment j = 0, 1, .. of the next 16^(j+2) steps, w, and of the
 * segments before the roots, whose sum S stays.  A name that begins late draws the roots of the
 * segments that have ended, then as above.  tau is a number for each phase i = 0, 1, ..: these are
 * what is new in the first 4^2, 4^3, 4^4 steps of segment 0, in the first 4^5, 4^6 steps of
 * segment 1, and so on.  Of phase i, f_i = P(S + w_1 + .. + w_n >= tau_i - 1 for some n up to its
 * end), which is at least P(N_t >= tau_i - 1 at one of its steps); S is independent of w, so it is
 * the sum over s of P(S = s) P(w_1 + .. + w_n >= tau_i - 1 - s for some n).  f stands below for
 * the sum of all f_i, of each of which 1 / ((i + 1) (i + 2)) of what f may be is allowed.  There
 * are as many segments as thresholds can be found for in some seconds, two to five; the run ends
 * with the last.
 *
 * GUARANTEE.  Let a unit be at most K events (account/neighbour.h), which are there or not; the
 * noise of a
 * name has the rate a = epsilon / K; and f = P(N_t >= tau - 1 at one of the steps), RUNNING, of one
 * step, EACH STEP; WINDOW, the largest sum of P(N_t >= tau - 1) over W steps in a row.  Statement:
 * all that is released, of all names and at all steps, is (epsilon, delta)-differentially private,
 * also for data that respond, if
 *	f max(K, e^(a (K - 1))) <= delta.
 *
 * Proof: tests/proof/names.md.
 *
 * An event with another name instead is two moves: (2 epsilon, (1 + e^epsilon) delta).  Declared
 * names are epsilon-private, without a gap.  A name in the output has had an event, unless it is
 * declared.
 *
 * TAU is the least with that f, by normtree/passage.c: of the tables that are drawn from, rounded
 * outwards, draws within exp(+-2^-40) of them; EACH STEP by the geometric tail of discrete Laplace
 * noise, P(N >= x) = q^x / (1 + q), q = e^-a, rounded outwards.  Draws of Laplace noise are within
 * 2^-96 of that (random/noise.h).
 *
 * MEMORY is an exact table, or but for WINDOW SAMPLE AND HOLD (store/run.h): of the events of a
 * name all count but the first G, by their number in the order in which they are read, not by what
 * they are; G of each name is geometric and drawn without a look at the data (EACH STEP: of each
 * name and step), E G = N - 1, which is added after the noise.  Why that is as private, and other
 * memories are not: tests/proof/names.md.
 */
#ifndef DP_STAT_TOP_H
#define DP_STAT_TOP_H

#include "counter/mech.h"

/*
 * A statistic for each: of all events so far; of those of a step; of those of the last task.w[0]
 * steps, 2 or more.
 */
extern const struct dp_statistic dp_top_running, dp_top_each, dp_top_window;

#endif
