/*
 * privacy.h - the one place that turns a privacy share into a noise scale.
 *
 * A mechanism releases integer sums ("nodes") of the step values plus independent
 * noise.  It says which share of the budget one node family may spend; it never names a scale.
 *
 * Pure.  One protected unit (an event, or all events of a user) moves the vector of all step values by at
 * most `l1` grid units in L1.  If every step value enters at most one node of a family with
 * weight 1 and the family's noise is DLap(l1 / (epsilon * share)), the family is epsilon*share-DP
 * (spec: discrete Laplace on integer queries), and families compose by adding shares.
 *
 * Concentrated.  delta > 0 buys rho-zCDP with delta = min_{a>1} exp((a-1)(a rho - epsilon)) /
 * (a-1) * (1-1/a)^a  (Canonne, Kamath, Steinke 2020, Prop. 12); a family with discrete Gaussian noise of
 * sigma^2 = l2squared / (2 rho share) is rho*share-zCDP (ibid., Theorem 14 for several coordinates), families add.
 */
#ifndef DP_PRIVACY_H
#define DP_PRIVACY_H

#include "base/params.h"
#include "noise.h"

struct dp_privacy {
	bool exact;		/* epsilon = inf: no noise, NOT PRIVATE */
	bool dry;		/* only predict: noise knows its law but cannot be drawn */
	struct dp_q epsilon;	/* > 0 */
	struct dp_q delta;	/* [0, 1) */
	struct dp_q rho;	/* derived from both; 0 if delta is 0, or below 2^-46: what 2^50 draws' samplers may miss */
	uint64_t l1;		/* grid units */
	uint64_t l2squared;	/* grid units squared */
	bool wide;		/* .. are more than that: no Gaussian noise */
	unsigned columns;	/* how many columns one protected unit can move, >= 1; dp_privacy_set(): 1 */
	struct dp_params *params;	/* what a plan's numbers pass through; NULL: none */
};

/*
 * epsilon > 0, 0 <= delta < 1, 1 <= l1 <= 2^56.  Derives rho, rounded down.
 * DP_EINVAL out of range.
 */
int	dp_privacy_set(struct dp_privacy *, bool exact, struct dp_q epsilon,
	    struct dp_q delta, uint64_t l1, uint64_t l2squared) DP_MUSTUSE;

/*
 * Every scale passes through params.  One that is replayed may differ from what is found here, as rounding and
 * accounting go, but is never less by more than 2^-9: DP_EINVAL.
 *
 * Noise for a family that may spend share (0 < share <= 1) of the budget. DP_ERANGE: the scale does not fit.
 * More than an epsilon of 10000 a family does not spend: no shift leaves the sampler's range.
 */
int	dp_privacy_laplace(struct dp_noise *, const struct dp_privacy *, struct dp_q share) DP_MUSTUSE;
int	dp_privacy_gauss(struct dp_noise *, const struct dp_privacy *, struct dp_q share) DP_MUSTUSE;
/*
 * The one way to lose more than epsilon: noise for a family that is (epsilon times)-DP, times > 0, for
 * a task that declares its loss (DP_TASK_GRADUAL: dp_mech_ops.loss is printed).  Errors as above.
 */
int	dp_privacy_laplace_beyond(struct dp_noise *, const struct dp_privacy *, struct dp_q times) DP_MUSTUSE;

/*
 * Noise for n draws a column, and all of the budget: whatever neighbour is compared, the k-th draw of the run must
 * account for an integer shift s_k, known from the releases before it, with sum s_k^2 <= shift^2 (grid units; the sum
 * covers all columns a unit moves) but for an event of probability delta 2^-22 e^-epsilon under each of the two
 * inputs.  (Where the sum would pass shift^2, think the rest shifted by nothing: that changes either law by the
 * event's probability, so delta grows by less than delta 2^-20, which is set aside.)  sigma is (2)'s where its
 * conditions hold, else (1)'s:
 *
 * (1) zCDP: sigma = shift / sqrt(2 rho), by adaptive composition (Bun, Steinke 2016, Lemma 2.3; only the sum
 *     of the s_k^2 matters: Feldman, Zrnic 2021, Theorem 3.1).
 *
 * (2) the analytic Gaussian (Balle, Wang 2018, Theorem 8) of mu = shift / sigma,
 *         d(mu, eps) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu).
 *     Proof.  (a) Let the noise be N(0, sigma^2) rounded to the nearest integer.  Rounding commutes with integer
 *     shifts, so the run is a function of Gaussian queries with adaptive shifts.  Append a last query that brings
 *     sum s_k^2 to shift^2 exactly: the privacy loss is then M + mu^2/2 with a martingale M of Gaussian increments
 *     of total conditional variance mu^2, so E exp(i u M) = exp(-u^2 mu^2 / 2) by induction from the last step: the
 *     loss is N(mu^2/2, mu^2), that of one Gaussian query (fully adaptive composition, Smith, Thakurta 2022).
 *     (b) The discrete Gaussian against the rounded one, a = 1/(24 sigma^2), m = n columns draws:
 *         P_round(k) / P_disc(k) = c * integral over |u| <= 1/2 of exp(-u^2/2sigma^2) cosh(ku/sigma^2) du,
 *     where 1 <= c <= 1 + 3 exp(-2 pi^2 sigma^2) by Poisson summation (for sigma >= 32 nothing: 10^-8000).  It is
 *     >= e^-a (cosh >= 1, Jensen) and <= c exp(a k^2/sigma^2) (sinh v / v <= exp(v^2/6), v = k / 2sigma^2).
 *     Let G be: sum k^2 <= sigma^2 (1.08 m + 103 x).  The rounded noise leaves G with probability <= e^-x: as
 *     |k| <= |N| + 1/2, k^2 <= (1 + 1/256) N^2 + 65, and chi-square exceeds 1.01 m + 102 x >= m + 2 sqrt(m x) + 2x
 *     with no more (Laurent, Massart 2000, Lemma 1); sigma >= 32.  So for any event E, primes for the neighbour,
 *         P_disc(E) <= e^(am) P_round(E) <= e^(am) (e^t P'_round(E) + d(mu, t))
 *                   <= e^(am) (e^t (e^(a (1.08 m + 103 x)) P'_disc(E) + e^-x) + d(mu, t)),
 *     that is (t + a (2.08 m + 103 x), e^(am) (d(mu, t) + e^(t - x)))-DP.
 *
 * Under both, the sampler is not perfect (noise.h), and a draw beyond a mechanism's reach is refused: m (1 +
 * e^epsilon) 2^-97 of delta are set aside, and where that is more than a half, epsilon is cut.
 *
 * DP_EINVAL: no delta, or shift < 1; DP_ERANGE: sigma does not fit.
 */
int	dp_privacy_gauss_shift(struct dp_noise *, const struct dp_privacy *, double shift, uint64_t n) DP_MUSTUSE;
/* That sigma before it is rounded up to what can be drawn; 0 if there is none. */
double	dp_privacy_gauss_sigma(const struct dp_privacy *, double shift, uint64_t n);
/* d(mu, eps) above, rounded up; mu > 0, 0 < eps <= 70. */
double	dp_gauss_delta(double mu, double eps);

/*
 * Cuts the budget into n <= 64 shares in proportion to weight[] (all > 0): positive multiples of 2^-24 that
 * sum to exactly 1, rounded down, the remainder going to the widest.
 */
void	dp_privacy_split(struct dp_q *share, const double *weight, unsigned n);

/* delta(rho, epsilon) of the conversion above, an upper bound. */
double	dp_zcdp_delta(double rho, double epsilon);

#endif
