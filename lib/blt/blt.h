/*
 * blt.h - buffered linear Toeplitz noise: increments w_t for --delta, exactly private in integers.
 *
 * C(z) = C_b(z) De(z^W), c_0 = 1:  C_b = prod (1 - mh_j z) / (1 - th_j z), th_1 > mh_1 > th_2 > ..
 * (Dvijotham, McMahan, Pillutla, Steinke, Thakurta 2024, "buffered linear Toeplitz"), so c_k = sum
 * om_j th_j^(k-1) with all om_j > 0; for windows De(y) = prod (1 - A_k y) / (1 - B_k y) approaches
 * the square root of 1 - y, which C_b cannot see ("echo").  If w = C^-1 z the estimate's noise is
 * sum_k l_k z_(t-k), L = f / C, f the task's weights; the data are seen as C x + z, L2 sensitivity
 * ||c|| per unit.  C near the square root of f is nearly optimal (Fichtenberger, Henzinger,
 * Upadhyay 2023; windows, decays: Henzinger, Upadhyay 2025).
 *
 * What is run.  One grid unit is D = 2^s noise units, D the largest that the sampler takes.  z_t
 * are fresh discrete Gaussian integers,
 *	w_t = z_t - r_t,   r_t = floor(R_t + 1/2),
 * where R_t(w_1 .. w_(t-1)) is c_1 w_(t-1) + c_2 w_(t-2) + .. by the recursion for the dyadic th_j,
 * om_j, A_k, B_k kept here, in fixed point, off by at most nu.  y_t = x_t + w_t / D is released:
 * every estimate is a function of y.
 *
 * Statement.  If sigma is dp_privacy_gauss_shift()'s for the shift S of dp_blt_shift() and T draws
 * a column, the release of y_1 .. y_T is (epsilon, delta)-DP, for data that respond to it.  That
 * is: z_t must account for integer shifts s_t known from y_1 .. y_(t-1), and sum s_t^2 <= S^2 but
 * for an event of probability delta 2^-22 e^-epsilon.
 *
 * Proof: tests/proof/blt.md.
 * FADING and SPACED (privacy.h) hold for its columns where there are no echoes: tests/proof/blt.md.
 *
 * Range.  |z| > 2^32 (16 sigma: probability < 2 exp(-128) a draw, decided by the noise alone, and
 * so much more delta) is DP_ERANGE.  C_b^-1 has l1 norm 2, De^-1 < 5, so |w| < 2^36 and buffers
 * stay below 2^47; a damaged column wraps, harmlessly.  Unknown T means 2^40 steps for counts, 2^44
 * else; what comes after is DP_EHORIZON.
 *
 * Cost: d <= 12 buffers and (windows) 16 bytes a step of the longest window; 1 draw a step.
 */
#ifndef DP_BLT_H
#define DP_BLT_H

#include "mech/filtered.h"

#define DP_BLT_POLES	12
#define DP_BLT_ECHOES	2
#define DP_BLT_ENDLESS	((uint64_t)1 << 40)	/* steps of an endless count */
#define DP_BLT_STREAM	((uint64_t)1 << 44)	/* steps of other endless tasks */
#define DP_BLT_DITHER	24			/* c_1 is an odd multiple of 2^-24 */
#define DP_BLT_LONGEST	((uint64_t)1 << 30)	/* window */
#define DP_BLT_ECHO_BITS	26		/* fraction of an echo word */

struct dp_blt_form {
	unsigned d, echoes;
	uint64_t gap[DP_BLT_POLES];	/* 1 - th_j, units of 2^-64 */
	uint64_t om[DP_BLT_POLES];	/* units of 2^-64, < 1 */
	uint32_t a[DP_BLT_ECHOES], b[DP_BLT_ECHOES];	/* A_k > B_k, units of 2^-32 */
	uint64_t lag;			/* W; 0: no echo */
	/* th and mh as rates, for predictions: th = e^-lam, mh = e^-mu; filter's pole e^-pole */
	double lam[DP_BLT_POLES], mu[DP_BLT_POLES], pole;
	/* L = sum of residue[a] / (1 - e^-rate[a] z), a = 0..d, rate[0] = pole */
	double residue[DP_BLT_POLES + 1], rate[DP_BLT_POLES + 1];
};

struct dp_blt {
	struct dp_filtered f;
	struct dp_blt_form form;
	unsigned s;			/* a grid unit is 2^s noise units */
	uint64_t end;			/* steps there may be */
	double size;	/* norm of the longest column, or of v (SPACED), 2^s noise units */
	struct dp_blt_norm *norm;	/* norm.h; NULL: 2^s noise units at every step */
	struct dp_noise noise;
	/*
	 * Moves that the noise is for: l2squared, with spacing dp_privacy_each(); l2fading, or 0
	 * where it is not used.
	 */
	struct dp_reach moves;
	uint64_t fading;
};

struct dp_blt_column {
	dp_wide buffer[DP_BLT_POLES];	/* om_j b_j, units of 2^-80 */
	int64_t echo[];			/* DP_BLT_ECHOES words for each of the last `lag` steps */
};

/* Its coefficients as text, dputils-plan(5): ops->drawn.certify. */
int	dp_blt_certify(const struct dp_mech *, struct dp_buf *) DP_MUSTUSE;
uint64_t dp_blt_widest(const struct dp_task *);	/* the longest window; 0: none */
/* Parameters for the rule's task and horizon. */
void	dp_blt_choose(struct dp_blt_form *, const struct dp_mech_rule *);
/* A form through numbers; DP_EINVAL: unfit for the longest window W, or the dither lacks. */
int	dp_blt_keep(struct dp_blt_form *, uint64_t W, struct dp_numbers *) DP_MUSTUSE;

/*
 * sum_{k<n} c_k^2, at least; relative error below 1e-9, which is added.  n is rounded up to whole
 * lags and one.
 */
double	dp_blt_sens(const struct dp_blt_form *, double n);
/*
 * sum_{t<n} v_t^2, at least, v_t = c_t + c_(t-spacing) + c_(t-2 spacing) + .., the first `times`
 * terms (SPACED); relative error below 1e-9, which is added.  For a form that falls, without echo.
 */
double	dp_blt_comb(const struct dp_blt_form *, uint64_t times, uint64_t spacing, double n);
/* True: c_0 >= c_1 >= .. >= 0.  (A form from a state file need not have a c_1 below 1.) */
bool	dp_blt_falls(const struct dp_blt_form *);
/* S above, rounded up, with D = 2^s, n steps, and `size` for ||c||. */
double	dp_blt_shift(const struct dp_blt_form *, const struct dp_privacy *, unsigned s, double size,
	    uint64_t n);
/*
 * sum_{k<n} l_k^2 and sum_{k<n} (n-k) l_k^2 (NULL: not wanted) of the task's estimate, for a window
 * of `window` steps (0: all steps).
 */
double	dp_blt_energy(const struct dp_blt_form *, uint64_t window, double n, double *ramp);

/*
 * ops->create() for dp_blt_ops or, of counts, dp_blt_norm_ops.  DP_EINVAL: delta lacks, or another
 * task.
 */
int	dp_blt_make(struct dp_mech **, const struct dp_mech_ops *, const struct dp_mech_rule *)
	    DP_MUSTUSE;
/* Increments in noise units of steps i+1 .. i+n, n <= DP_FILL; as ops->many.fill(), which it is. */
int	dp_blt_run(const struct dp_blt *, struct dp_blt_column *, struct dp_rng *, uint64_t i,
	    int64_t *w, unsigned n) DP_MUSTUSE;
int	dp_blt_fill(const struct dp_mech *, void *own, struct dp_rng *, uint64_t i, int64_t *w)
	    DP_MUSTUSE;

#endif
