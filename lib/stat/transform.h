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
 * Proof.  Fix what is seen: which steps are heavy, the answers released, and memory at that moment.
 *   Noise that leads there from a becomes noise that leads there from a':
 *   (1) r is added to threshold noises of disjoint stretches that hold all steps but at most U.
 *     One noise for all time: that one, L = 1.  Pan-private: let the moment follow step p, and Q be
 *     the stretch of 2^low steps that holds p.  The stretches beside those around Q, one on each of
 *     the L = top - low levels, hold every step outside Q, and none of them holds p; but
 *     what is in memory is noise of stretches that hold p and are not over.
 *   (2) A light step whose threshold grew stays light: |out - a'_t + c| <= |out - a_t + c| + r.
 *   (3) A heavy step whose threshold grew: with y = out - a_t + c, sgn 0 = 1, let c' = c + (a'_t -
 *     a_t) + r sgn y.  Then |out - a'_t + c'| = |y| + r > H + theta + r, and y -> y + r sgn y is
 *     one to one.  |c' - c| <= 2 r.  There are at most C: of what is not compared, or comes after
 *     the end, nothing is seen.
 *   (4) A step whose threshold did not grow: c' = c + (a'_t - a_t), and the same is compared.
 *     |c' - c| <= r, at most U times.
 *   (5) A released answer: z' = z - (a'_t - a_t), at most K times.
 *   Where C > T - U no threshold grows: then every step is of the kind (4), and T <= 2 (T - U) + U.
 *   (With (1) to (3) there could be more: Q may reach beyond T and hold less than U steps.)
 *   All other noise stays, that of light steps with it, so T is of no account.  For a fixed view
 *   this is one to one, and a shift by s changes a probability by at most exp(E x |s| / r).
 *
 * One shift of the threshold serves the whole run: it need not be drawn anew after a heavy step
 * (Lyu, Su, Li 2017, Algorithm 1 and Theorem 2; Dwork, Roth 2014, Algorithm 2 draws it anew and
 * pays K times).  Nothing is drawn for one outcome alone: the same draws in the same order at
 * every step.
 *
 * The paper has L = h = max(1, ceil(lg T)), low = 0, and with E = 3 eps the scales r h / eps and
 * 2 r (K+1) / eps twice: x_h = 1/(3h), x_c = x_z = 1/(6(K+1)).  The sum above is then 5/6: 2.5 eps
 * of the 3 that Theorem 5.2 claims.  (Its proof has K comparisons where there are K + 1, and does
 * not charge the light step at the intrusion; the claim holds all the same.)
 * Its accuracy is alpha = r (ln(1/beta) + ln T) (K + lg^2 T) / eps (ln: of Laplace noise's tails;
 * lg: of the parts), the threshold D + 2 alpha, and the error of Theorem 5.2 D + 4 alpha.  S below
 * is the least slack that will do; 2 alpha is less where K is above lg^2 T, about, and serves where
 * it is not.
 *
 * ROUNDS.  With a delta the threshold noise is drawn anew after every heavy step, and answers have
 * discrete Gaussian noise: what comes before a heavy step, and it, are a round, of which there are
 * at most C, and which (1) to (3) charge by themselves, for L = C = 1 and U = 0, whatever came
 * before.  So a round is e-differentially private, e = r / b_h + 2 r / b_c of its Laplace scales,
 * and C rounds and K answers spend C e^2 / 2 + K r^2 / (2 sigma^2) of rho (privacy.h, ROUNDS and
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
 * Proof.  S = slack is the least integer, or more (paper), with T C P(|c + z + theta| > S) <=
 *   beta/2, and X with V P(|c + theta| > X) / 2 <= 7/16 beta, V = C with one threshold noise for
 *   all time or a round, else T: quantiles of sums of independent noises (law.h).
 *   (1) Let a_t be within the distance of a_h, the answer that was released last, out = a_h + z.
 *     Heavy: |z + c| > S + theta, so z + c - theta > S or - z - c - theta > S.  The noises are
 *     symmetric: for any one z and t both together have probability P(|c + z + theta| > S), and
 *     there are T steps and, of each, C answers that may be the last (the one of before step 1 has
 *     no z, which is less: the laws are symmetric and unimodal).  So except with beta/2 a heavy
 *     step is a move by more than the distance, which is (b); and after K no other follows.
 *   (2) Between two heavy steps look at the first step with |out - a_t| > distance + S + X, if any.
 *     Heavy, it ends that stretch; and there are at most C stretches.  Light, it would need theta
 *     - c > X or theta + c > X, by a sign that was known before.  c is fresh: if theta is the
 *     same throughout, that has probability P(|c + theta| > X) / 2.  If not, it might be the step
 *     that was chosen for its theta: then count all T.
 *   (3) |z| of K answers: K P(|z| > w) <= beta/16, and bound = max(distance + S + X, w).  Where
 *   the last one is held, out is a_h + z, and a_t within the distance of a_h by (1): distance + w.
 *
 * SHARES.  Let q(g) = min over s of (ln(2/g) + sum of -ln(1 - (b s)^2)) / s be Chernoff's bound for
 * the quantile of a sum of Laplace noises of scales b.  With u = 1/s it is the least of a function
 * that is convex in u and the b together (a perspective), so convex in them, and it grows with
 * each; b = charge / part is convex in the part of epsilon that its family spends.  So S + X by
 * this bound is a convex function of the parts, and the shares are where it is least.
 */
#ifndef DP_TRANSFORM_H
#define DP_TRANSFORM_H

#include "mech/transform.h"

/* x of a line that is no answer: the number printed last counts as the answer. */
#define DP_TRANSFORM_NONE	INT64_MIN

/* a_t */
static inline int64_t
dp_transform_clamp(int64_t lo, int64_t hi, int64_t x)
{
	return x < lo ? lo : x > hi ? hi : x;
}

/* For --explain: the sentence about what the statistic has spent; epsilon: what this spends. */
void	dp_transform_inner(const struct dp_transform *, double epsilon, char *text, size_t size);

enum { DP_TRANSFORM_THRESHOLD, DP_TRANSFORM_COMPARE, DP_TRANSFORM_ANSWER, DP_TRANSFORM_FAMILIES };

/* A plan, and a column; here for their tests. */
struct dp_transform_plan {
	struct dp_mech m;
	struct dp_transform task;
	uint64_t heavy;			/* C */
	uint64_t uncovered;		/* U */
	uint64_t steps;			/* T, or the number of steps reported for */
	unsigned low, levels;		/* L of them, low + levels = top; or one for all time */
	int64_t lo, hi;			/* of answers */
	int64_t threshold;		/* H */
	double width;			/* hi - lo, grid units */
	double bound;			/* grid units */
	bool rounds;			/* ROUNDS */
	struct {			/* paper */
		double alpha;		/* its accuracy, grid units; else 0 */
		bool own, small;	/* the slack is the paper's, 2 alpha; that is too small */
	} paper;
	double epsilon, beta;
	struct dp_q share[DP_TRANSFORM_FAMILIES];	/* x; 0: no such noise */
	struct dp_noise noise[DP_TRANSFORM_FAMILIES];
	uint64_t moves;			/* r; of a Gaussian answer (privacy.h, REPEATED) linf */
	struct dp_q round;		/* ROUNDS: e */
};

/* low, where one noise is for all time: log2 of a stretch that no run outlives */
#define DP_TRANSFORM_FOR_EVER	63

struct dp_transform_column {
	int64_t out;
	uint64_t changes;		/* K + 1: it has ended */
	int64_t theta[64];		/* by level; 0: not drawn, or wiped */
};

/* L, 2 C + U and K of PRIVACY: how many shifts by r the family must be able to hide. */
uint64_t dp_transform_charge(const struct dp_transform_plan *, unsigned family);
/* The parts of epsilon with the least S + X, by Chernoff's bound; returns that S + X. */
double	dp_transform_search(const struct dp_transform_plan *,
	    double part[static DP_TRANSFORM_FAMILIES]);
/* A lower bound on what dp_transform_search() returns, found at once. */
double	dp_transform_least(const struct dp_transform_plan *);
/* x of PRIVACY: the parts found, as multiples of 2^-24 that sum to 1, divided among the shifts. */
int	dp_transform_shares(struct dp_transform_plan *, struct dp_params *) DP_MUSTUSE;
/* x of ROUNDS, for this rho: multiples of 2^-10 and 2^-11. */
int	dp_transform_rounds(struct dp_transform_plan *, double rho, struct dp_params *) DP_MUSTUSE;
int	dp_transform_certify(const struct dp_mech *, struct dp_buf *) DP_MUSTUSE;
/* Noise for the shares, the slack, the bound. */
int	dp_transform_finish(struct dp_transform_plan *, const struct dp_mech_rule *) DP_MUSTUSE;

#endif
