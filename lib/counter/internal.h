/* SPDX-License-Identifier: ISC */
/* internal.h - internal to lib/counter: what its files alone share. */
#ifndef DP_COUNTER_INTERNAL_H
#define DP_COUNTER_INTERNAL_H

#include "filter.h"

struct dp_answers;
struct dp_blt_norm;
struct dp_widths;

/*
 * Sums of g(d)^2 and of d g(d)^2 over a <= d < b, to some 1e-13 relative; TABLE: O(b - a),
 * else O(1).
 */
double	dp_task_squares(const struct dp_task *, uint64_t a, uint64_t b);
double	dp_task_moment(const struct dp_task *, uint64_t a, uint64_t b);

/* dp_columns_step(), each by step(). */
int	dp_columns_each(const struct dp_mech *, void *col, size_t stride, size_t n, struct dp_rng *,
	    uint64_t t, const int64_t *x, dp_wide *est) DP_MUSTUSE;

#define DP_CYCLES	32

struct dp_answers;		/* sketch/local.h */

/* count + noise / 2^s, half to even; unsigned, as both of a forged column may be any words. */
static inline dp_wide
dp_add_noise(dp_wide count, dp_wide noise, unsigned s)
{
	const dp_uwide unit = (dp_uwide)1 << s, rest = (dp_uwide)noise & (unit - 1);
	const dp_uwide y = (dp_uwide)count + (dp_uwide)(noise >> s);

	return (dp_wide)(y + (2 * rest > unit || (2 * rest == unit && (y & 1) != 0)));
}

/*
 * inner becomes the whole's next part, n of it, also on an error; steps: that each of them takes in
 * a step of the whole, for dp_mech_draws().  DP_EINVAL: it has more than one output, or there are
 * DP_PARTS already.
 */
int	dp_part_give(struct dp_mech *whole, struct dp_mech *inner, size_t n, double steps)
	    DP_MUSTUSE;
/* Half the interval of output 0 of a band's numbers at step t, grid units; NAN: no memory. */
double	dp_parts_bound(const struct dp_mech *whole, unsigned band, uint64_t t, double gamma);

/* curve: what ages 2^j - 1, 2^j may lose, in fresh / DP_CURVE_UNIT, a number a level; or NULL. */
#define DP_CURVE_UNIT	((uint64_t)1 << 32)
int	dp_certificate_ages(struct dp_buf *, struct dp_q fresh, uint64_t age,
	    const struct dp_noise *, unsigned levels, const uint64_t *const curve[2]) DP_MUSTUSE;
/* Steps that the oldest event has behind it where the run ends; of an endless one 2^61. */
uint64_t dp_certificate_age(const struct dp_mech *);
void	dp_certificate_scale(struct dp_buf *, const char *word, struct dp_q);	/* a line begins */

/*
 * A running count that protects the last W steps alone.
 */

/*
 * The exact sum of values older than W steps, plus inner's estimate of the window of W steps.
 * inner: any WINDOW mechanism with one output, in whole grid units; it becomes the new mechanism's,
 * also on an error: DP_EINVAL, DP_ENOMEM.
 */
int	dp_expire_wrap(struct dp_mech **out, struct dp_mech *inner, uint64_t W) DP_MUSTUSE;

#define DP_TABLE_WIDE	32	/* steps at once */

#define DP_WINDOW_MAX	((uint64_t)1 << 32)

/* A column begins with this; somewhere behind it the ring. */
struct dp_filter_column {
	struct dp_fixed {
		dp_wide whole;
		uint64_t part;		/* units of 2^-64 */
	} sum[DP_WINDOWS_MAX];		/* WINDOW: wider than its terms */
	dp_wide ahead[DP_FILL];		/* a block of w: the caller's */
	double s[DP_POWERS_MAX];	/* EXP: s[0]; POLY: one each */
};

/*
 * For the rule's task; at: where the ring is to stand.  Values are multiples of 2^-fraction.  *f is
 * zeroed before.  DP_ENOMEM, also for a window that is too long; DP_ERANGE; DP_EINVAL: what numbers
 * replay.
 */
int	dp_filter_set(struct dp_filter *, const struct dp_mech_rule *, unsigned fraction,
	    size_t at) DP_MUSTUSE;

/* y, units of 2^-64, of step t: the estimates, one a window. */
void	dp_filter_step(const struct dp_filter *, struct dp_filter_column *, uint64_t t, dp_wide y,
	    dp_wide *est);

/*
 * *w = dp_law_bound() of output `out` at step t >= 1: in any order, but fast for one after another.
 * DP_ERANGE: no law holds that many terms (law/law.h).
 */
uint64_t dp_widths_inverted(const struct dp_widths *);	/* number of laws inverted */

/*
 * Buffered linear Toeplitz noise: increments w_t for --delta, exactly private in integers.
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
 * FADING and SPACED (account/privacy.h) hold for its columns where there are no echoes:
 * tests/proof/blt.md.
 *
 * Range.  |z| > 2^32 (16 sigma: probability < 2 exp(-128) a draw, decided by the noise alone, and
 * so much more delta) is DP_ERANGE.  C_b^-1 has l1 norm 2, De^-1 < 5, so |w| < 2^36 and buffers
 * stay below 2^47; a damaged column wraps, harmlessly.  Unknown T means 2^40 steps for counts, 2^44
 * else; what comes after is DP_EHORIZON.
 *
 * Cost: d <= 12 buffers and (windows) 16 bytes a step of the longest window; 1 draw a step.
 */

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
	struct dp_blt_norm *norm;	/* internal.h; NULL: 2^s noise units at every step */
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
/* S above, rounded up, with D = 2^s, n steps, and `size` for ||c||. */
double	dp_blt_shift(const struct dp_blt_form *, const struct dp_privacy *, unsigned s, double size,
	    uint64_t n);
/*
 * sum_{k<n} l_k^2 and sum_{k<n} (n-k) l_k^2 (NULL: not wanted) of the task's estimate, for a window
 * of `window` steps (0: all steps).
 */
double	dp_blt_energy(const struct dp_blt_form *, uint64_t window, double n, double *ramp);
/* Increments in noise units of steps i+1 .. i+n, n <= DP_FILL; as ops->many.fill(), which it is. */
int	dp_blt_run(const struct dp_blt *, struct dp_blt_column *, struct dp_rng *, uint64_t i,
	    int64_t *w, unsigned n) DP_MUSTUSE;
int	dp_blt_fill(const struct dp_mech *, void *own, struct dp_rng *, uint64_t i, int64_t *w)
	    DP_MUSTUSE;

/*
 * Buffered linear Toeplitz noise with columns of one norm: running counts of a known
 * number of steps T, with 4 % less noise than internal.h's.
 *
 * internal.h pays for the longest column of C, ||c||_T, where ||c||_n^2 = c_0^2 + .. + c_(n-1)^2;
 * but an
 * event at step t moves z_t .. z_T alone, ||c||_(T-t+1).  So let the noise of step t be in
 * proportion to that: all columns have one norm, and later steps less noise (Henzinger, Kalinin,
 * Upadhyay 2025, arXiv 2509.14334: the column-normalised square root).
 *
 * What is run.  internal.h's w_t = z_t - r_t, the same integers by the same recursion; but a grid
 * unit
 * is N_t noise units at step t: y_t = x_t + floor(w_t 2^64 / N_t) 2^-64.  N_t = floor(D / ||c||_n),
 * D = 2^s, is constant over pieces, 16 an octave of T - t; n = T - t + 1 of the piece's first step,
 * so its longest column.
 *
 * Statement.  As internal.h's, where D ||c|| in H is H_0 = max_t N_t ||c||_(T-t+1), which is
 * computed
 * from the N_t as they are (at most D).
 *
 * Proof: tests/proof/blt.md.
 *
 * ERROR in closed form: tests/proof/blt.md.
 *
 * Cost: as internal.h's; a plan takes T's octaves times 16 pieces, some ms and 90 KB.
 */

#define DP_BLT_PIECES	768		/* 16 an octave, T <= 2^50 */

/* norm's: DP_EINVAL also if there is no horizon; DP_ERANGE: D is too small */
extern const struct dp_mech_ops dp_blt_ops, dp_blt_norm_ops;
/* N_t; t beyond T: that of T; 1 where there is no noise. */
uint64_t dp_blt_norm_unit(const struct dp_blt *, uint64_t t);

/*
 * Banded Toeplitz noise: for users whose events are apart, and a delta.
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
 * K terms, t < T, K = times, b = spacing (account/privacy.h, SPACED), the release of y_1 .. y_T is
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

extern const struct dp_mech_ops dp_banded_ops;

#define DP_BANDED_MAX	((uint64_t)1024)	/* coefficients */
#define DP_BANDED_PARTS	1024			/* alpha is a multiple of the inverse, */
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

#endif
