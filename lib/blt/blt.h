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
 * Proof.  One unit changes x by d (integers, grid units).  The same y needs w - D d in place of w,
 * hence z_t the shift s_t = -D d_t - m_t, m_t = r_t(w) - r_t(w - D d), an integer known from y_1 ..
 * y_(t-1):
 *	m_t = g_t + e_t,   g = D (c - 1) * d + n,  |n| <= 2 nu,  |e| <= 1.
 * Rounding is its own dither: c_1 is an odd multiple of 2^-24, and w_(t-1) enters R_t as exactly
 * c_1 w_(t-1).  Let F be all columns up to step t-2, and d_(t-1), which is chosen from them.  Given
 * F, z_(t-1) modulo 2^24 is uniform but for a factor 1 +- 2 exp(-2 pi^2 sigma^2 / 2^48) (Poisson
 * summation; sigma >= 2^26: nothing), so R_t modulo 1 is uniform on a coset of the multiples of
 * 2^-24, and with f = g_t - floor(g_t), known from F, and b = 2^-24 + nothing: m_t is floor(g_t),
 * or one more with probability f +- b,
 *	|E(e|F)| <= b,   E(e^2|F) <= f (1-f) + b.
 * Now  sum s_t^2 = sum (D d_t + g_t)^2 + 2 sum D d_t e_t + 2 sum g_t e_t + sum e_t^2,  where
 *  - sum D^2 (c*d)_t^2 <= D^2 ||c||^2 l2, l2 = l2squared, the greatest sum over columns of
 *    (sum |d_i|)^2 (neighbour.h), or l2fading, if that is less (FADING, without echoes); with n,
 *    sum (D d_t + g_t)^2 <= (D ||c|| sqrt(l2) + 2 nu sqrt(T columns))^2 =: H^2, which also bounds
 *    sum g_t^2;
 *  - 2 sum D |d_t e_t| <= 2 D l1 (d_t may depend on e_t);
 *  - sum g_t e_t <= 2 H sqrt(x/2) + b sum |g_t| but for probability 2 e^-x: Hoeffding's lemma (e
 *    has two values, one apart) on even and odd t by themselves, each a martingale in F;
 *    sum |g_t| <= D l1 ||c||_1 + 2 nu T columns;
 *  - sum e_t^2 <= 1.008 M + 128 x but for probability 2 e^-x likewise, from E exp(u e^2) <=
 *    exp((e^u - 1) E e^2), u = 1/64, M = b T columns + sum min(1/4, |g_t|), as f (1-f) is below
 *    both.  That last sum is <= T columns / 4, and for any K <= l1 K/4 + (D l1 sum_{k>K} |c_k|) +
 *    2 nu T columns (at most l1 of the d_i are not 0).
 * S^2 is the sum of these bounds.  With x = epsilon + ln(1/delta) + 17 the failures weigh
 * 4 e^-x < delta 2^-22 e^-epsilon under either of the two inputs.
 * FADING.  Statement: without echoes c_0 >= c_1 >= .. >= 0, so the columns (c moved to step i, cut
 * after T) have products as l2fading asks (privacy.h).  Proof: om_j > 0, 0 < th_j < 1; c_1 = sum
 * (th_j - mh_j) <= th_1 < 1 = c_0, as th_1 > mh_1 > th_2 > ..; and <c_i, c_k> = sum over v <= T - k
 * of c_(v+k-i) c_v has fewer and smaller terms as k grows.  As much holds of c_1, c_2, .., and so
 * of the columns of c - 1, which g_t has.  (norm.h has none of it: its columns grow.)
 * SPACED (privacy.h), where the columns fall as in FADING: the sum of D^2 (c*d)_t^2 is at most D^2
 * dp_privacy_each() sum_t v_t^2, v_t = c_t + c_(t-b) + .., K terms, b = spacing, K = times.  Proof:
 * with d at the steps i_1 < i_2 < ..., |d_(i_k)| as vectors over the columns at most m, the sum is
 * at most m^2 sum_kl <c_(i_k), c_(i_l)> (Cauchy, Schwarz; the products are >= 0), and each product
 * is largest where i_k = 1 + (k-1) b: none of the steps can be earlier, nor two of them nearer
 * (Choquette-Choo et al. 2023; Kalinin, Lampert 2024).  As much holds of c - 1.
 * nu: a product is cut off by less than 2^-80, twice a buffer and step, 1/(1 - th_j) steps long; an
 * echo word by 2^-27.
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
/* A form through params; DP_EINVAL: unfit for the longest window W, or the dither lacks. */
int	dp_blt_keep(struct dp_blt_form *, uint64_t W, struct dp_params *) DP_MUSTUSE;
/*
 * mu[], lam[], pole and echoes given: makes the rest; lam[] moves to a dyadic th, mu[d-1] for c_1.
 */
void	dp_blt_settle(struct dp_blt_form *);

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
int	dp_blt_make(struct dp_mech **, const struct dp_mech_rule *, const struct dp_mech_ops *)
	    DP_MUSTUSE;
/* Increments in noise units of steps i+1 .. i+n, n <= DP_FILL; as ops->many.fill(), which it is. */
int	dp_blt_run(const struct dp_blt *, struct dp_blt_column *, struct dp_rng *, uint64_t i,
	    int64_t *w, unsigned n) DP_MUSTUSE;
int	dp_blt_fill(const struct dp_mech *, void *own, struct dp_rng *, uint64_t i, int64_t *w)
	    DP_MUSTUSE;

#endif
