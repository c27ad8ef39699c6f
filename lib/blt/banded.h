/*
 * banded.h - banded Toeplitz noise: for users whose events are apart, and a delta.
 *
 * C = c_0 + c_1 z + .. + c_(p-1) z^(p-1), the first p coefficients of (1-z)^-alpha, scaled and
 * rounded to integers a_i, a_0 = 2^s.  The increments are w = C^-1 z, z fresh discrete Gaussians of
 * one scale; the estimate's noise is L z, L = f / C, f the task's weights.  Columns of C that are p
 * steps apart have no row in common: K events of a user, each b >= p steps after the one before,
 * have sensitivity sqrt(K) ||c||, where columns without a band have up to K ||c|| (Choquette-Choo,
 * Dvijotham, Pillutla, Ganesh, Steinke, Thakurta 2023; Kalinin, Lampert 2024).
 *
 * What is run.  One grid unit is 2^s noise units, s the largest that the sampler takes.
 *	w_t = z_t - floor(R_t 2^-s + 1/2),   R_t = sum of a_i w_(t-i), 1 <= i < p,
 * in integers, and y_t = x_t + w_t 2^-s is released: every estimate is a function of y.
 *
 * Statement.  If sigma is dp_privacy_gauss_shift()'s for T draws a column and the shift
 *	S^2 = dp_privacy_each() sum_t v_t^2,   v_t = a_t + a_(t-b) + a_(t-2b) + ..,
 * K terms, t < T, K = times, b = spacing (privacy.h, SPACED), the release of y_1 .. y_T is
 * (epsilon, delta)-DP, for data that respond to it.  With spacing 0, K = 1 and b = T: S^2 =
 * l2squared sum a_t^2.
 *
 * Proof: tests/proof/blt.md.
 *
 * Range.  |z| > 2^32 (16 sigma: probability < 2 exp(-128) a draw, decided by the noise alone, and
 * so much more delta) is DP_ERANGE.  C has no zero within the unit circle, as its coefficients fall
 * (Enestroem, Kakeya); sum |C^-1| is below 9 for every p and alpha here (t_banded.c), so |w| <
 * 2^36; a damaged column is DP_ERANGE beyond 2^40.
 *
 * alpha and p are found by golden section on the closed error, of p = b, T and, for windows of W
 * steps, W: all at most DP_BANDED_MAX.
 *
 * Cost: p words a column, p multiplications a step; a plan takes up to 12 p^2 of them 30 times.
 */
#ifndef DP_BLT_BANDED_H
#define DP_BLT_BANDED_H

#include "mech/filtered.h"

extern const struct dp_mech_ops dp_banded_ops;

#define DP_BANDED_MAX	((uint64_t)1024)	/* coefficients */
#define DP_BANDED_PARTS	1024			/* alpha is a multiple of 1 / so many, */
#define DP_BANDED_ALPHA	896			/* and at most 7/8 */
#define DP_BANDED_WINDOW	((uint64_t)1 << 16)	/* longest window */

struct dp_banded_form {
	uint64_t p, alpha;		/* alpha: units of 1 / DP_BANDED_PARTS */
	unsigned s;
	int64_t a[DP_BANDED_MAX];
};

struct dp_banded {
	struct dp_filtered f;
	struct dp_banded_form form;
	uint64_t end;			/* T */
	/*
	 * Of an estimate: sum of l_k^2 for k < t and its sum over t, t = 1 .. n, and what the first
	 * grows by a step after that.
	 */
	struct dp_banded_error {
		double *energy, *ramp;	/* owned */
		uint64_t n;
		double rise;
	} error[DP_WINDOWS_MAX];
	struct dp_noise noise;
	struct dp_reach moves;		/* as of struct dp_blt; without spacing 1 time, T apart */
};

int	dp_banded_certify(const struct dp_mech *, struct dp_buf *) DP_MUSTUSE;
/* The a_i of p, alpha and s. */
void	dp_banded_set(struct dp_banded_form *);
/* sum_t v_t^2 above, rounded up, in units of 4^s. */
double	dp_banded_squares(const struct dp_banded_form *, uint64_t times, uint64_t spacing,
	    uint64_t T);
/*
 * Of the estimate of a window (0: the running sum), of T steps: a plan's table.  DP_ENOMEM.
 */
int	dp_banded_measure(struct dp_banded_error *, const struct dp_banded_form *, uint64_t window,
	    uint64_t T) DP_MUSTUSE;
void	dp_banded_clear(struct dp_banded_error *);
double	dp_banded_energy(const struct dp_banded_error *, uint64_t t);
double	dp_banded_ramp(const struct dp_banded_error *, uint64_t t);	/* sum over 1 .. t */
/* p and alpha for the rule: DP_ENOMEM. */
int	dp_banded_choose(struct dp_banded_form *, const struct dp_mech_rule *) DP_MUSTUSE;

#endif
