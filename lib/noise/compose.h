/*
 * compose.h - what several runs over the same data lose together, against a total (E, D).
 *
 * A run is (epsilon, delta)-DP, and perhaps rho-zCDP at every order a = 2, 3, .. (privacy.h).  Two
 * rules admit runs; a run is admitted if either does.
 *
 * BASIC.  sum epsilon <= E and sum delta <= D.  (Dwork, Roth 2014, Theorem 3.16.)
 *
 * ZCDP, for D > 0.  sum rho <= R and the deltas besides sum to at most D/2, where R is the largest
 * with delta(R, E) <= D/2 (privacy.h, CONCENTRATED).  Of a run that is rho-zCDP, rho counts, and
 * (1 + e^E) 2^-47 besides for what its samplers miss in 2^50 draws.  Of another, epsilon^2 / 2
 * counts, and its delta besides.
 *
 * Proof: tests/proof/privacy.md.
 *
 * BOTH.  If what is asked of each run is fixed beforehand, one rule holds for all of them, and the
 * total is (E, D).  If it is chosen in the knowledge of earlier answers, some paths are admitted by
 * one rule and some by the other.  P(S) splits into the two: e^E Q + D, and e^E Q + D/2 + D/2.  So
 * the total is (E, 2D) then; and (E, D) again if no run has a delta, for then nothing is missed.
 * (No 3D/2: what is missed differs.  E = 10, D = 1e-6: a Gaussian of (5, D), and after an answer in
 * its tail one bit of epsilon 5; else what fails with D/2, and a Gaussian of the rho that is left.
 * That needs a delta above 1.57 D at epsilon 10.)
 */
#ifndef DP_COMPOSE_H
#define DP_COMPOSE_H

#include "base/num.h"

struct dp_loss {
	struct dp_q epsilon, delta;
	struct dp_q rho;	/* 0: not known */
};

enum dp_rule { DP_RULE_BASIC, DP_RULE_ZCDP };

struct dp_account {
	struct dp_q epsilon, delta;	/* the total */
	struct dp_q rho, half;		/* R, and D/2; R = 0: BASIC alone */
	struct dp_q missed;		/* delta counted besides, for each run that is rho-zCDP */
	struct dp_q sum_epsilon, sum_delta;	/* spent, by BASIC */
	struct dp_q sum_rho, besides;		/* spent, by ZCDP; besides: a delta */
	bool over;			/* a sum is too large: the budget counts as spent */
};

/* epsilon > 0, 0 <= delta < 1: DP_EINVAL. */
int	dp_account_open(struct dp_account *, struct dp_q epsilon, struct dp_q delta) DP_MUSTUSE;
/* Counts a run, also one that does not fit; sums are exact, or rounded up. */
void	dp_account_add(struct dp_account *, const struct dp_loss *);
/*
 * Parallel composition (McSherry 2009, Theorem 4).  Parts of the data set are disjoint, and a unit
 * of protection is in one of them.  Runs on other parts answer neighbours alike, whatever was
 * answered before.  So on every path a unit loses what the runs on its part lose, and those on all
 * data.  dp_account_most() raises each sum to that of a part; dp_account_join() adds such sums to
 * those of the runs on all data.  Sums are raised one by one: no part has more.
 */
void	dp_account_most(struct dp_account *, const struct dp_account *part);
void	dp_account_join(struct dp_account *, const struct dp_account *most);
/* Empties an account; its total stays. */
void	dp_account_empty(struct dp_account *);
bool	dp_account_fits(const struct dp_account *, enum dp_rule);
/*
 * The rule under which a run without delta may still spend more.  *epsilon: as much as that run may
 * spend; *delta: the sum that deltas of further runs may have.  Both are rounded down.
 */
enum dp_rule dp_account_left(const struct dp_account *, struct dp_q *epsilon,
	    struct dp_q *delta);
/* Epsilon spent by a rule, for people; of ZCDP the epsilon at delta D/2. */
double	dp_account_spent(const struct dp_account *, enum dp_rule);

#endif
