/*
 * blt.h - buffered linear Toeplitz noise: increments w_t for --delta, exactly private in integers.
 *
 * C(z) = C_b(z) De(z^W), c_0 = 1:  C_b = prod (1 - mh_j z) / (1 - th_j z), th_1 > mh_1 > th_2 > .. (Dvijotham, McMahan,
 * Pillutla, Steinke, Thakurta 2024, "buffered linear Toeplitz"), so c_k = sum om_j th_j^(k-1) with all om_j > 0; for
 * windows De(y) = prod (1 - A_k y) / (1 - B_k y) approaches the square root of 1 - y, which C_b cannot see ("echo").
 * If w = C^-1 z the estimate's noise is sum_k l_k z_(t-k), L = f / C, f the task's weights; the data are seen as
 * C x + z, L2 sensitivity ||c|| per unit.  C near the square root of f is nearly optimal (Fichtenberger,
 * Henzinger, Upadhyay 2023; windows, decays: Henzinger, Upadhyay 2025).
 *
 * What is run.  One grid unit is D = 2^s noise units.  z_t are discrete Gaussian integers,
 *     w_t = z_t - r_t,   r_t = round(R_t + q_(t-1)) an integer,   q_t = R_t + q_(t-1) - r_t,   |q_t| <= 1/2,
 * where R_t(w_1 .. w_(t-1)) is c_1 w_(t-1) + c_2 w_(t-2) + .. by the recursion for the dyadic th_j, om_j, A_k, B_k kept
 * here, in fixed point, off by at most nu.  y_t = x_t + w_t / D is released: every estimate is a function of y.
 *
 * Privacy.  One unit changes x by d (integers, grid units).  The same y needs w - D d in place of w, hence z_t must
 * account for the shift  s_t = -D d_t + r_t(w - D d) - r_t(w), an integer known from y_1 .. y_(t-1) (and d):
 *     s_t = -h_t + e_t,   h = D (c * d),   e_t = (Q_(t-1) - Q_t) + n_t,   Q = q(w - D d) - q(w), |Q| <= 1, |n| <= 2 nu,
 * and, by Abel summation, |sum h_t (Q_(t-1) - Q_t)| <= D sum_i |d_i| V with V the total variation of the sequence
 * .., 0, c_0, c_1, .., c_end, 0.  With |e| <= 2 + 2 nu, l1 = sum |d_i| over the columns moved and l2 the greatest
 * sum over columns of (sum |d_i|)^2 (privacy.h),
 *     sum s_t^2 <= D^2 ||c||^2 l2 + 2 D l1 (V + 2 nu ||c||_1) + (2 + 2 nu)^2 T columns  =: S^2
 * for all data, adaptively chosen or not: dp_privacy_gauss_shift(S, T).  Carrying q is what makes the second
 * term small: rounding alone would cost 2 ||h|| sqrt(T).  D is the largest that the sampler takes.
 *   V: C_b's sequence falls after c_0 or c_1, so 2 max(1, c_1); the echo multiplies by ||De||_1.
 *   nu: a product is cut off by less than 2^-80, twice a buffer and step, 1/(1 - th_j) steps long; an echo word by 2^-26.
 *
 * Range.  |z| > 2^33 (32 sigma: probability < 2 exp(-512) a draw, decided by the noise alone) is DP_ERANGE.
 * C_b^-1 has l1 norm 2, De^-1 < 5, so |w| < 2^37 and buffers stay below 2^47; a damaged column wraps, harmlessly.
 * Unknown T means 2^40 steps; what comes after is DP_EHORIZON.
 *
 * Cost: d <= 12 buffers and (windows) 16 bytes a step of the longest window; 1 draw a step.
 */
#ifndef DP_BLT_H
#define DP_BLT_H

#include "gen.h"

#define DP_BLT_POLES	12
#define DP_BLT_ECHOES	2
#define DP_BLT_ENDLESS	((uint64_t)1 << 40)
#define DP_BLT_LONGEST	((uint64_t)1 << 30)	/* window */
#define DP_BLT_ECHO_BITS	25		/* fraction of an echo word */

struct dp_blt_form {
	unsigned d, echoes;
	uint64_t gap[DP_BLT_POLES];	/* 1 - th_j, units of 2^-64 */
	uint64_t om[DP_BLT_POLES];	/* likewise, < 1 */
	uint32_t a[DP_BLT_ECHOES], b[DP_BLT_ECHOES];	/* A_k > B_k, units of 2^-32 */
	uint64_t lag;			/* W; 0: no echo */
	/* the same as rates, for predictions: th = e^-lam, mh = e^-mu; filter's pole e^-pole */
	double lam[DP_BLT_POLES], mu[DP_BLT_POLES], pole;
	/* L = sum of residue[a] / (1 - e^-rate[a] z), a = 0..d, rate[0] = pole */
	double residue[DP_BLT_POLES + 1], rate[DP_BLT_POLES + 1];
};

struct dp_blt {
	struct dp_gen g;
	struct dp_blt_form form;
	unsigned s;			/* a grid unit is 2^s noise units */
	uint64_t end;			/* steps there may be */
	struct dp_noise noise;
};

struct dp_blt_column {
	dp_wide buffer[DP_BLT_POLES];	/* om_j b_j, units of 2^-80 */
	dp_wide carry;			/* q, likewise */
	int64_t echo[];			/* DP_BLT_ECHOES words for each of the last `lag` steps */
};

/* Parameters for the rule's task and horizon. */
void	dp_blt_choose(struct dp_blt_form *, const struct dp_mech_rule *);
/* mu[], lam[], pole and echoes given: makes the rest; lam[] is moved to the nearest dyadic th. */
void	dp_blt_settle(struct dp_blt_form *);

/* sum_{k<n} c_k^2, at least; relative error below 1e-9, which is added.  n is rounded up to whole lags. */
double	dp_blt_sens(const struct dp_blt_form *, double n);
/* S above, rounded up, with D = 2^s and n steps. */
double	dp_blt_shift(const struct dp_blt_form *, const struct dp_privacy *, unsigned s, uint64_t n);
/*
 * sum_{k<n} l_k^2 and sum_{k<n} (n-k) l_k^2 (NULL: not wanted) of the task's estimate, for a window of `window` steps (0: no window).
 */
double	dp_blt_energy(const struct dp_blt_form *, uint64_t window, double n, double *ramp);

/* DP_EINVAL: no delta, or a task it cannot do. */
int	dp_blt_create(struct dp_gen **, const struct dp_mech_rule *) DP_MUSTUSE;
/* Increments in noise units of steps i+1 .. i+n, n <= DP_GEN_BLOCK; as dp_gen_ops.fill(). */
int	dp_blt_run(const struct dp_blt *, struct dp_blt_column *, struct dp_rng *, uint64_t i, int64_t *w,
	    unsigned n) DP_MUSTUSE;

#endif
