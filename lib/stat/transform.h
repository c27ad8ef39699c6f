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
 * Proof: tests/proof/transform.md.
 *
 * SHARES are where a convex function of them is least: tests/proof/transform.md.
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
int	dp_transform_shares(struct dp_transform_plan *, struct dp_numbers *) DP_MUSTUSE;
/* x of ROUNDS, for this rho: multiples of 2^-10 and 2^-11. */
int	dp_transform_rounds(struct dp_transform_plan *, double rho, struct dp_numbers *) DP_MUSTUSE;
int	dp_transform_certify(const struct dp_mech *, struct dp_buf *) DP_MUSTUSE;
/* Noise for the shares, the slack, the bound. */
int	dp_transform_finish(struct dp_transform_plan *, const struct dp_mech_rule *) DP_MUSTUSE;

#endif
