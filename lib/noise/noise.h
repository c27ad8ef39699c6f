/*
 * noise.h - exact integer noise.
 *
 * Discrete Laplace of scale b = num/den:
 *	P(k) = (1-q)/(1+q) q^|k|, q = exp(-1/b).
 * Discrete Gaussian of sigma^2 = num/den:
 *	P(k) proportional to exp(-k^2 / (2 sigma^2)).
 *
 * Statement (Laplace).  Bytes uniform and independent => every point
 * probability with |k| <= 45000 b is the law's times a factor within
 * exp(+-2^-100).  A draw may fail as DP_ERANGE instead (its top digit escapes
 * more than 2048 times, laplace.c): probability < 2^-65000, and that
 * covers every larger |k|; so |k| < 2^56 always.  The failure is decided by
 * the noise alone, before any data is looked at: it is the same event for
 * neighbouring inputs.  So one draw added to an integer query of sensitivity s
 * is (s/b + 2^-99, 2^-65000)-DP.  A failed draw is refused, where a saturated
 * one would cost as much delta and release a value: a failure means that the
 * bytes are not random.
 *
 * Statement (Gaussian).  Rejection from a discrete Laplace (as above), after
 * Canonne, Kamath, Steinke 2020, Algorithm 3; each acceptance is a
 * Bernoulli(p), |p - exp(-gamma)| < 2^-255, gamma an exact rational.  Hence
 * every point probability with |k| <= 10 sigma is the law's times a factor
 * within exp(+-2^-99), and the total variation distance from the law, failures
 * (as above) included, is below 2^-98.  The law gives s^2/(2 sigma^2)-zCDP for
 * a sensitivity s (ibid., Theorem 4).
 *
 * Time.  A draw's time and the addresses it touches do not depend on the value
 * drawn, except when a random word ties with a threshold (escapes do):
 * probability < 2^-24 a draw, 2^-23 Gaussian.  The number of rejected trials is
 * independent of the value.  (Checked with valgrind, random bytes marked
 * undefined, on gcc 12 and clang 14; it is a property of compiled code.)
 *
 * Batches.  dp_noise_fill(n) consumes the same bytes, and gives the same
 * values, as n calls for one draw each.
 *
 * Only privacy.c may call dp_noise_laplace() and dp_noise_gauss(): mechanisms
 * ask privacy.h for noise by privacy share.
 */
#ifndef DP_NOISE_H
#define DP_NOISE_H

#include "base/num.h"
#include "rng.h"

enum dp_noise_kind {
	DP_NOISE_NONE, DP_NOISE_LAPLACE, DP_NOISE_GAUSS,
	DP_NOISE_FLIP, DP_NOISE_WEIGH	/* choices (selection.h): described, not drawn */
};

#define DP_NOISE_DIGITS	11	/* enough for b = 2^40 */
#define DP_NOISE_LANES	6	/* draws of so many are made side by side */
#define DP_NOISE_EXACT	(15 * (DP_NOISE_DIGITS - 1) + 31)

/* Read-only once made: any number of threads may draw from one.  May be copied. */
struct dp_noise {
	enum dp_noise_kind kind;
	unsigned digits;		/* radix-16 digits of a draw; 0: no tables */
	unsigned top;			/* thresholds of the top digit, 1..31 */
	bool wide;			/* its thresholds fill two rows */
	size_t record;			/* bytes of one trial */
	struct dp_q param;		/* b (Laplace) or sigma^2 (Gauss), as used */
	/* Gauss only, see gauss.c */
	uint64_t rate;
	unsigned rate_shift;
	int64_t centre, odd, reach;
	/* The first 32 bits of every threshold, less 2^31 (digits.h). */
	int32_t row[16 * (DP_NOISE_DIGITS + 1)];
	/* row[] as search trees, for lanes.c: 32 a digit, 16 more where the last is wide. */
	int32_t tree[32 * DP_NOISE_LANES + 16];
	/* All 256 bits of each threshold, high word first: 15 a digit, then the top digit's. */
	uint64_t exact[DP_NOISE_EXACT][4];
};

/* Noise that is always 0 (epsilon = inf). */
void	dp_noise_none(struct dp_noise *);
/*
 * b is used exactly as given, except that b < 1/64 becomes 1/64 (more noise,
 * never less); DP_ERANGE if b > 2^40, DP_EINVAL if b.den is 0.  Takes about
 * 0.1 ms.
 */
int	dp_noise_laplace(struct dp_noise *, struct dp_q b) DP_MUSTUSE;
/*
 * sigma^2 is used exactly as given, except that sigma^2 < 1/64 becomes 1/64; DP_ERANGE if sigma^2 >
 * 2^56, DP_EINVAL if sigma2.den is 0.
 */
int	dp_noise_gauss(struct dp_noise *, struct dp_q sigma2) DP_MUSTUSE;

/*
 * The law without its tables, at no cost, for plans that only predict: kind,
 * param and dp_noise_variance() are as the two functions above would make
 * them, dp_noise_fill() is DP_EINVAL.
 */
int	dp_noise_describe(struct dp_noise *, enum dp_noise_kind, struct dp_q)
	    DP_MUSTUSE;

/* Tables for a law that was only described, which can be drawn then; no change if it has them. */
int	dp_noise_build(struct dp_noise *) DP_MUSTUSE;

/*
 * n independent draws.  DP_EENTROPY, DP_ERANGE (above), DP_EINVAL: z is
 * undefined and must not be used.  NONE: n zeros, and the rng (which may be
 * NULL) is not touched.
 */
int	dp_noise_fill(const struct dp_noise *, struct dp_rng *, int64_t *z, size_t n)
	    DP_MUSTUSE;

/* Exact variance of one draw (in doubles: it describes). */
double	dp_noise_variance(const struct dp_noise *);
const char *dp_noise_name(enum dp_noise_kind);

#endif
