/* SPDX-License-Identifier: ISC */
/*
 * privacy.h - the one place that turns a privacy share into a noise scale.
 *
 * A mechanism releases integer sums ("nodes") of the step values plus independent noise.  It says
 * which share of the budget a family of nodes may spend; it never names a scale.
 *
 * PURE.  One protected unit moves the vector of all step values by at most l1 grid units in L1
 * (neighbour.h).  If every step value enters at most one node of a family, with weight 1, and the
 * family's noise is DLap(l1 / (epsilon share)), the family is epsilon*share-DP; families add up.
 *
 * Proof: tests/proof/privacy.md.
 *
 * CONCENTRATED.  delta > 0 buys rho, the largest with delta(rho, epsilon) <= delta for
 *	delta(rho, epsilon) = min over a = 2, 3, .. of
 *	    exp((a-1)(a rho - epsilon)) / (a-1) (1 - 1/a)^a.
 * A family with discrete Gaussian noise of sigma^2 = l2squared / (2 rho share) spends share of it.
 *
 * ADAPTIVE.  Statement: let z in Z^n be independent discrete Gaussians of scales sigma_k, drawn
 * whenever, without a look at the data, and y = y(z) all that is released.  If the neighbour
 * releases the same y from z - v, v = v(y) in Z^n with sum_k (v_k / sigma_k)^2 <= 2 rho for every
 * y, and if for every integer a >= 2 z can be told from z + (a-1) v(y(z)), then (epsilon,
 * delta(rho, epsilon))-DP holds.
 *
 * Proof, for trees and for blt: tests/proof/privacy.md.
 */
#ifndef DP_ACCOUNT_PRIVACY_H
#define DP_ACCOUNT_PRIVACY_H

#include "base/memo.h"
#include "base/numbers.h"
#include "random/selection.h"

struct dp_coin;
struct dp_distance;
struct dp_rng;

struct dp_privacy {
	bool exact;		/* epsilon = inf: no noise, NOT PRIVATE */
	bool dry;		/* only predict: noise knows its law but cannot be drawn */
	bool quick;		/* choices by rho alone: for searches, as it takes no time */
	struct dp_q epsilon;	/* > 0 */
	struct dp_q delta;	/* [0, 1) */
	struct dp_q rho;	/* derived; 0: no delta, or below 2^-46, what 2^50 draws may miss */
	uint64_t l1;		/* grid units */
	uint64_t l2squared;	/* grid units squared */
	bool wide;		/* l2squared is not all of it: no Gaussian noise */
	/* neighbour.h; dp_privacy_set(): l1, which both are at most */
	uint64_t linf, spread;	/* grid units, of one column's sum; between two columns' */
	unsigned columns;	/* that one protected unit can move, >= 1; dp_privacy_set(): 1 */
	/*
	 * The most values (of a column at a step) that one protected unit can move, of those that
	 * l1 is about: whoever changes l1 sets it anew.  dp_privacy_set(): 0, unknown.
	 */
	uint64_t cells;
	/*
	 * Of what l1 is about, if it is not 0: |C d|_2^2 <= l2fading max_i |c_i|_2^2 for every C of
	 * columns c_1, c_2, .. whose products <c_i, c_k>, k > i, are at least 0 and fall, or stay,
	 * as k grows (<c_i, c_i>, too).  Grid units squared.  Whoever changes l1 sets it anew.
	 */
	uint64_t l2fading;
	/*
	 * SPACED.  Of what l1 is about, if spacing is not 0: at most `times` steps have values that
	 * one unit moves, any two of them at least `spacing` steps apart, and the moves of all
	 * columns at such a step have squares that sum to at most dp_privacy_each().
	 * dp_privacy_set(): 0, unknown; so sets it whoever changes l1.
	 */
	uint64_t times, spacing;
	struct dp_numbers *numbers;	/* a plan's numbers pass through these; NULL: none */
	struct dp_memo *memo;	/* results of this planning, while create() runs; or NULL */
};

/*
 * epsilon > 0, 0 <= delta < 1, 1 <= l1 <= 2^56.  Derives rho, rounded down.
 * DP_EINVAL out of range.
 */
int	dp_privacy_set(struct dp_privacy *, bool exact, struct dp_q epsilon,
	    struct dp_q delta, uint64_t l1, uint64_t l2squared) DP_MUSTUSE;

/* The same, with l1, l2 and what else is known of the distance between neighbours (neighbour.h). */
int	dp_privacy_between(struct dp_privacy *, const struct dp_distance *, bool exact,
	    struct dp_q epsilon, struct dp_q delta) DP_MUSTUSE;

/*
 * l2squared / times^2, rounded up: of a user's records in one step each is one part in `times` of
 * the most that they move together (neighbour.h: S M^2 of S (KM)^2, sum^2 of (K sum)^2).
 */
uint64_t dp_privacy_each(const struct dp_privacy *);

/* The most that one protected unit moves of a part; members as those of struct dp_privacy. */
struct dp_reach {
	uint64_t l1, l2squared, linf;
	unsigned columns;
	uint64_t times, spacing;
};

/*
 * The privacy of one part of a mechanism that is made of several: nothing else multiplies epsilon.
 * The part has a share (0 < share <= 1) of the whole's epsilon and delta, rounded down, and a reach
 * of its own.
 *
 * Statement: parts that draw noise of their own, with shares that sum to 1 at most, each private
 * for what this says, are together private for the whole, also for data that respond.  Proof: pure,
 * the shifts that explain a neighbour are made side by side, and the losses add up (ADAPTIVE); with
 * delta, Vadhan and Zhang 2023 (interactive mechanisms that run at once compose as others do).
 * DP_EINVAL: the share or the reach is out of range; DP_ERANGE: no epsilon that fits is left.
 */
int	dp_privacy_part(struct dp_privacy *, const struct dp_privacy *whole, struct dp_q share,
	    const struct dp_reach *) DP_MUSTUSE;

/*
 * Every scale passes through numbers.  A replayed scale may be larger than the one found here; one
 * that is less is DP_EINVAL, but for what doubles round, 2^-40 of it (in states of 0.2, 2^-9).
 *
 * Noise for a family that may spend share (0 < share <= 1) of the budget.  DP_ERANGE: the scale
 * does not fit.  However large epsilon is, the scale is at least the largest shift of one node /
 * 10000: no shift comes near the sampler's limit, 45000 scales (random/noise.h).
 */
int	dp_privacy_laplace(struct dp_noise *, const struct dp_privacy *, struct dp_q share)
	    DP_MUSTUSE;
/*
 * Laplace noise for a family that spends the whole budget and has integer weights: a step value
 * enters its nodes with weights of at most `sum` together, and at most `largest` in one node.
 * Scale sum l1 / epsilon.
 */
int	dp_privacy_laplace_weights(struct dp_noise *, const struct dp_privacy *, uint64_t sum,
	    uint64_t largest) DP_MUSTUSE;
/*
 * The one way to lose more than epsilon: noise for a family that is (epsilon times)-DP, times > 0,
 * for a task that declares its loss (DP_TASK_GRADUAL: drawn.loss of ops is printed).  Errors as
 * above.
 */
int	dp_privacy_laplace_beyond(struct dp_noise *, const struct dp_privacy *, struct dp_q times)
	    DP_MUSTUSE;

/*
 * Noise for n nodes that together spend all, each of which one unit moves by at most `most` grid
 * units; l1 does not count.  DLap(most / e) makes each e-DP, and all are (epsilon, delta)-DP if
 *	sqrt(2 n log(1 / delta)) e + n e (exp(e) - 1) <= epsilon
 * (Dwork, Roth 2014, Theorem 3.20).  The scale is the one that they print for it (Algorithm 18),
 * sqrt(8 n log(1 / delta)) most / epsilon, or the least that meets the condition: whichever is
 * larger.  The printed one alone does not always meet it: n = 100, delta = 1e-6, epsilon = 50.
 * DP_EINVAL: no delta; DP_ERANGE: the scale does not fit.
 */
int	dp_privacy_laplace_composed(struct dp_noise *, const struct dp_privacy *, uint64_t n,
	    uint64_t most) DP_MUSTUSE;

/*
 * Noise that no guarantee rests on, of the scale given: it perturbs what is private already, and is
 * drawn for epsilon = inf, too.
 */
int	dp_privacy_perturbation(struct dp_noise *, const struct dp_privacy *, struct dp_q scale)
	    DP_MUSTUSE;

/*
 * A coin that falls heads with probability 1 / (1 + odds e^-x), x = epsilon share / l1; always if
 * epsilon is inf.  It is for mechanisms that randomise a line's answer instead of adding noise to
 * a sum: sketch/local.h says which answers heads and tails lead to, and proves that no answer is
 * more
 * than e^epsilon times as likely for one symbol as for another.  DP_ERANGE: x does not fit.
 */
int	dp_privacy_coin(struct dp_coin *, const struct dp_privacy *, struct dp_q share,
	    struct dp_q odds) DP_MUSTUSE;

/*
 * Noise for n draws a column, and all of the budget.
 *
 * Statement: let the draws be fresh (what is released before a draw does not depend on it), and let
 * the k-th of the run have to account, whatever neighbour is compared, for an integer shift s_k
 * known from those releases, with sum s_k^2 <= shift^2 (grid units; over all columns that a unit
 * moves) but for an event of probability delta 2^-22 e^-epsilon under each of the two inputs.  Then
 * sigma is enough.
 *
 * Proof.  Where the sum would pass shift^2, think the rest shifted by nothing: that changes either
 * law by the event's probability, so delta grows by less than delta 2^-20, which is set aside.
 * sigma is the smaller one of two, both of which are enough:
 *
 * (1) sigma = shift / sqrt(2 rho): ADAPTIVE above, with v = s.
 *
 * (2) The analytic Gaussian (Balle, Wang 2018, Theorem 8) of mu = shift / sigma,
 *         d(mu, eps) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu),
 *   for t and the delta in the last line.
 *   (a) Let the noise be N(0, sigma^2) rounded to the nearest integer.  Rounding commutes with
 *   integer shifts, so the run is a function of Gaussian queries with adaptive shifts.  Append a
 *   last query that brings sum s_k^2 to shift^2 exactly: the privacy loss is then M + mu^2/2 with a
 *   martingale M of Gaussian increments of total conditional variance mu^2, so E exp(i u M) =
 *   exp(-u^2 mu^2 / 2) by induction from the last step: the loss is N(mu^2/2, mu^2), that of one
 *   Gaussian query (fully adaptive composition, Smith, Thakurta 2022).
 *   (b) The discrete Gaussian against the rounded one, a = 1/(24 sigma^2), m = n columns draws:
 *         P_round(k) / P_disc(k) = c * integral over |u| <= 1/2 of exp(-u^2/2sigma^2)
 *         cosh(ku/sigma^2) du,
 *   where 1 <= c <= 1 + 3 exp(-2 pi^2 sigma^2) by Poisson summation (for sigma >= 32 nothing:
 *   10^-8000). It is >= e^-a (cosh >= 1, Jensen) and <= c exp(a k^2/sigma^2) (sinh v / v <=
 *   exp(v^2/6), v = k / 2sigma^2).  Let G be: sum k^2 <= sigma^2 (1.08 m + 103 x).  The rounded
 *   noise leaves G with probability <= e^-x: as |k| <= |N| + 1/2, k^2 <= (1 + 1/256) N^2 + 65, and
 *   chi-square exceeds 1.01 m + 102 x >= m + 2 sqrt(m x) + 2x with no more (Laurent, Massart 2000,
 *   Lemma 1); sigma >= 32. So for any event E, primes for the neighbour,
 *         P_disc(E) <= e^(am) P_round(E) <= e^(am) (e^t P'_round(E) + d(mu, t))
 *                   <= e^(am) (e^t (e^(a (1.08 m + 103 x)) P'_disc(E) + e^-x) + d(mu, t)),
 *   that is (t + a (2.08 m + 103 x), e^(am) (d(mu, t) + e^(t - x)))-DP.
 *
 * Under both, the sampler is not perfect (random/noise.h), and a draw beyond a mechanism's reach is
 * refused: m (1 + e^epsilon) 2^-97 of delta are set aside, and where that is more than a half,
 * epsilon is cut.
 *
 * DP_EINVAL: no delta, or shift < 1; DP_ERANGE: sigma does not fit.
 */
int	dp_privacy_gauss_shift(struct dp_noise *, const struct dp_privacy *, double shift,
	    uint64_t n) DP_MUSTUSE;
/* dp_privacy_gauss_shift()'s sigma before it is rounded up to one that can be drawn; 0: none. */
double	dp_privacy_gauss_sigma(const struct dp_privacy *, double shift, uint64_t n);

/*
 * Laplace noise of scale shift / (epsilon share), for a family that explains a neighbour by moves
 * of its draws: with the draws moved by integers v, |v|_1 <= shift, the neighbour releases exactly
 * the same; v may depend on what is released.  The family spends share.  (For each sequence of
 * releases v is one translation: the proof of PURE, summed over the draws that lead to it.)
 */
int	dp_privacy_laplace_shift(struct dp_noise *, const struct dp_privacy *, uint64_t shift,
	    struct dp_q share) DP_MUSTUSE;

/*
 * REPEATED.  n releases one after the other, each of them chosen in the knowledge of those before,
 * as data may respond to them: of a number that moves by at most linf, with fresh noise; or of a
 * choice among scores whose moves are within spread of each other.  Together they may spend share.
 *
 * Statement.  Pure: Laplace noise of scale n linf / (epsilon share), or FLIP of scale n spread /
 * (epsilon share), makes the n of them (epsilon share)-DP.  Concentrated: sigma^2 = n linf^2 / (2
 * rho share), or WEIGH of scale spread sqrt(n / (8 rho share)), spends share of rho.  Releases of
 * both kinds in any order spend the sum.
 *
 * Proof.  Given what was released before, y_k has one of two laws whose ratio is at most
 * e^(epsilon share / n): Laplace, moved by linf at most, or random/selection.h.  The ratio of whole
 * runs
 * is the product.  Likewise their divergence of order a, given the past, is at most a rho share /
 * n, by Canonne, Kamath, Steinke 2020, Theorem 4, and random/selection.h with (spread / b)^2 / 8;
 * and E
 * (P/Q)^a over runs is at most the product of the greatest factors given the past, from the last
 * release to the first.  CONCENTRATED takes it from there.  (Permute-and-flip is not of bounded
 * range: at its scale b it is (spread / b)^2 / 2-concentrated, four times as much.)
 * Share 1: gauss, also the sigma of dp_privacy_gauss_shift() for shift = linf sqrt(n), if smaller;
 * WEIGH, also spread / c of the c that internal.h finds for n <= DP_RANGE_CHOICES, if smaller.
 *
 * DP_EINVAL: n = 0, no such share, no delta where it is needed; DP_ERANGE, DP_ENOMEM.
 */
int	dp_privacy_laplace_repeat(struct dp_noise *, const struct dp_privacy *, uint64_t n,
	    struct dp_q share) DP_MUSTUSE;
int	dp_privacy_gauss_repeat(struct dp_noise *, const struct dp_privacy *, uint64_t n,
	    struct dp_q share) DP_MUSTUSE;
int	dp_privacy_choose(struct dp_choose *, const struct dp_privacy *, enum dp_noise_kind,
	    uint64_t n, struct dp_q share) DP_MUSTUSE;

/*
 * ROUNDS.  The privacy of one of n rounds that follow each other, each chosen in the knowledge of
 * those before: a pure epsilon e with n e^2 / 2 <= rho share, rounded down.  The rounds together
 * spend share of rho, and what spends the rest may stand between them.
 *
 * Proof.  If e bounds a round's loss whatever came before, the divergence of order a of its view is
 * at most a e^2 / 2 (Bun, Steinke 2016, Proposition 3.3), which is REPEATED's a rho share / n.
 * DP_EINVAL: n = 0, no such share, no delta; DP_ERANGE: no epsilon that fits is left.
 */
int	dp_privacy_round(struct dp_privacy *, const struct dp_privacy *whole, uint64_t n,
	    struct dp_q share) DP_MUSTUSE;

/*
 * epsilon / l1, or a little less: by what a density of integer noise may change where one number
 * moves by one grid unit, if that number is in one of its arguments; a unit moves all of them
 * together by l1.  For mechanisms whose noise is no sum of independent draws (normtree/normtree.h).
 * INFINITY: no noise.
 */
double	dp_privacy_rate(const struct dp_privacy *);

/*
 * Cuts the budget into n <= 64 shares in proportion to weight[] (all > 0): positive multiples of
 * 2^-24 that sum to exactly 1, rounded down, the remainder going to the widest.
 */
void	dp_privacy_split(struct dp_q *share, const double *weight, unsigned n);

/*
 * Noise over time on a grid coarser than the data's, which is too fine for it.
 *
 * Whole numbers w_t, of any joint law, are noise on a grid of units of u grid units, u odd; a step
 * has the noise u w_t + v_t, v_t uniform from -(u - 1)/2 .. (u - 1)/2, fresh at each step.  Numbers
 * beyond 2^36 units are refused, so that words hold all.
 * Statement: if at most c of the values of the steps differ between neighbours, by l1 in sum, the
 * release loses at most what w does for L = floor((l1 + c (u - 1)) / u) moves of one unit.
 * Proof.  There is one pair (w, v) for each z = u w + v, so p(z) = p(w) u^-T: where z_t moves by d
 *   w_t moves by at most ceil(|d| / u) = floor((|d| + u - 1) / u), and p(w) is what moves by that.
 *   These whole numbers sum to at most (l1 + c (u - 1)) / u.
 * v adds (u^2 - 1) / 12 a step to the variance: next to nothing, as L is about epsilon 2^26.
 */

/*
 * The unit that w for this budget needs, in grid units, and what may be lost for each of its units
 * that a protected unit moves, at least 2^-26.  A unit above 1 passes through the budget's numbers.
 * DP_ERANGE: none is coarse enough.
 */
int	dp_coarse_unit(const struct dp_privacy *, uint64_t *unit, double *rate) DP_MUSTUSE;
/* The least epsilon, but for rounding, that has one. */
double	dp_coarse_epsilon(const struct dp_privacy *);
/* n of w, to grid units.  DP_EENTROPY, DP_ERANGE: they must not be used. */
int	dp_coarse_widen(uint64_t unit, struct dp_rng *, int64_t *w, unsigned n) DP_MUSTUSE;

/*
 * What several runs over the same data lose together, against a total (E, D).
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
