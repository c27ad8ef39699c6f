/* SPDX-License-Identifier: ISC */
/*
 * transform.h - a statistic's current answers, of which one is released again only when they have
 * moved: the general transformation of Dwork, Naor, Pitassi, Rothblum 2010, section 5.
 *
 * Step t's value is a_t, what some program has found by then, clamped to the range: so answers that
 * are r apart stay so.  A line that is no answer asks for none: a_t is what was printed last, which
 * is no secret, and differs by nothing for neighbours, whose same lines are none.  `out` begins at
 * 0, clamped.  A step is heavy if
 *	|out - a_t + c_t| > H + theta_t,
 * and then out = a_t + z_t; else it is light, and out stays.  out is printed.  At most K steps may
 * be heavy: at the next one the run ends, and what it would have printed is not (HALT); or, where
 * the last answer is to be held, nothing is compared any more.  H = distance + slack.  All noise
 * is discrete Laplace, of scale r / (E x), E all of epsilon, with a share x_c on comparisons, x_z
 * on answers, x_h on thresholds: theta_t is the sum of the threshold noises whose stretch of time
 * holds t.  There is either one, for all time; or, pan-private, one for each [s 2^i, (s+1) 2^i),
 * low <= i < top, 2^top >= T, of the steps from 0, drawn when it begins and wiped when it ends.
 *
 * PRIVACY.  Statement: let |a_t - a'_t| <= r at every t (integers; who chooses them may see all
 * that was printed before), L be how many noises make up a threshold, C how many heavy steps can be
 * told from light ones (K + 1; K where the last answer is held; never more than there are steps),
 * and U = 0; pan-private, U = 2^low, or T if that is less.  If
 *	L x_h + (2 C + U) x_c + K x_z <= 1,
 * all that is printed is E-differentially private; pan-private, together with what memory holds at
 * one moment between two steps.  Where C > T - U, T - U will do for C.
 *
 * Proof: tests/proof/transform.md.
 *
 * One shift of the threshold serves the whole run: it need not be drawn anew after a heavy step
 * (Lyu, Su, Li 2017, Algorithm 1 and Theorem 2; Dwork, Roth 2014, Algorithm 2 draws it anew and
 * pays K times).  Nothing is drawn for one outcome alone: the same draws in the same order at
 * every step.
 *
 * The paper's own shares, scales and accuracy: tests/proof/transform.md.
 *
 * ROUNDS.  With a delta the threshold noise is drawn anew after every heavy step, and answers have
 * discrete Gaussian noise: what comes before a heavy step, and it, are a round, of which there are
 * at most C, and which (1) to (3) charge by themselves, for L = C = 1 and U = 0, whatever came
 * before.  So a round is e-differentially private, e = r / b_h + 2 r / b_c of its Laplace scales,
 * and C rounds and K answers spend C e^2 / 2 + K r^2 / (2 sigma^2) of rho (account/privacy.h,
 * ROUNDS and
 * REPEATED): noise grows with the root of K.  Here x_z is the answers' share of rho, and x_h and
 * 2 x_c are shares of e, which sum to 1.
 *
 * ACCURACY.  Statement: except with probability beta, in T steps
 *   (a) |out - a_t| <= bound at every step that is printed; where the last answer is held, if the
 *   answers move by more than the distance at most K times;
 *   (b) if they do, it does not end.
 * "Move": the most answers, each more than the distance away from the one before, the first from
 * where out begins.  The answers may respond to what was printed.
 *
 * Proof: tests/proof/transform.md.
 *
 * RECOMPUTED (Jain, Raskhodnikova, Sivakumar, Smith 2021, Algorithm 7, for any statistic of
 * sensitivity r).  The T lines are cut into m = ceil(T/n) blocks of n; the first answer of each is
 * released with fresh noise, and held to the end of its block.  A block whose first lines are no
 * answers releases the first that is one; one without any releases nothing.
 * Statement.  Laplace noise of scale m r / E, or m Gaussians of sigma for shifts whose squares sum
 * to m r^2, make it private for the budget, whoever sees what was printed before an answer.
 * Accuracy: if from a line to the next no answer moves by more than v, then except with probability
 * beta no answer printed is off by more than (n - 1) v + w, P(|z| > w) <= beta / m; where answers
 * never fall, (n - 1) v / 2, rounded down, is added to each, and (n - 1) v / 2, rounded up, + w is
 * the bound.  With m = 1, v the sensitivity: the paper's Claims 5.12 and 5.13, centred.
 *
 * Proof: tests/proof/transform.md.
 *
 * SHARES are where a convex function of them is least: tests/proof/transform.md.
 */
#ifndef DP_STAT_TRANSFORM_H
#define DP_STAT_TRANSFORM_H

#include <stdint.h>

/* x of a line that is no answer: the number printed last counts as the answer. */
#define DP_TRANSFORM_NONE	INT64_MIN

#endif
