/*
 * ramp.h - the frequencies of a phase sketch and their weights, in integers.
 *
 * A ramp with foot `low` and top `tau`, 0 <= low < tau, is
 *	r(a) = min(1, max(0, (|a| - low)/(tau - low))).
 * KERNEL.  Statement: for x in [0, 1) let
 *	V(x) = sin(pi (tau + low) x) sin(pi (tau - low) x) / ((tau - low) sin^2(pi x)).
 * If f is drawn from 0 .. M - 1 with probabilities P(f) > 0 and |a| <= M - tau, then
 *	E W(f) cos(2 pi f a / M) = 1 - r(a),  W(f) = V(f/M) / (M P(f)).
 *
 * Proof: tests/proof/sketches.md.
 *
 * BANDS.  M = 2^64, and f is taken as signed.  The ranges of |f| are bands that double in width
 * every four, so that they are as dense as they are narrow: P is the same for all of a band, on
 * either side of 0.  Any P has E = 1 - r for every ramp; what P decides is the variance, by
 *	E W^2 = integral of V^2 / (M P),
 * which is least, of all P that are constant in bands, for masses in proportion to the square
 * root of the band's width times its integral of V^2.  Then its root is within some 2 % of the
 * least of all P, which is the integral of |V|; but the largest weight, which the noise of an
 * answer has to hide, is thrice as large.  So masses are also at least `even` times what would make
 * the largest weights of all bands the same: with even = 1 the root is 7 % above the least, and the
 * largest weight 1.4 times as large as it.
 *
 * A cosine is a polynomial in integers of 64 bits, and so is a weight, with divisions: the same on
 * every machine.
 */
#ifndef DP_SKETCH_RAMP_H
#define DP_SKETCH_RAMP_H

#include "base/numbers.h"

#define DP_RAMP_MAX	((uint64_t)1 << 31)	/* of tau */
#define DP_BANDS_MAX	140
#define DP_BANDS_WHOLE	((uint64_t)1 << 32)	/* all masses together */
#define DP_WEIGHT_BITS	20			/* a weight of K is K 2^20 */

struct dp_ramp {
	uint64_t low, tau;
};

struct dp_bands {
	unsigned n;
	unsigned width[DP_BANDS_MAX];		/* its logarithm */
	uint64_t first[DP_BANDS_MAX];		/* the least |f| */
	/* f is in one of the bands 0 .. j - 1 with probability below[j] / DP_BANDS_WHOLE */
	uint64_t below[DP_BANDS_MAX + 1];
};

/*
 * Bands for any ramp from `least` to `most` (which are of one kind: low = 0, or low = tau/2), 0 <=
 * even <= 1; their masses pass through numbers.
 */
void	dp_bands_make(struct dp_bands *, const struct dp_ramp *least, const struct dp_ramp *most,
	    double even, struct dp_numbers *);
/* A frequency, of 128 random bits. */
uint64_t dp_bands_draw(const struct dp_bands *, const uint64_t bits[2]);
/* Not below |W| for any frequency and any of the ramps that the bands are for. */
double	dp_bands_peak(const struct dp_bands *, const struct dp_ramp *least,
	    const struct dp_ramp *most);
/* E W^2; to some 1e-4. */
double	dp_bands_square(const struct dp_bands *, const struct dp_ramp *);

/* V(x); and K W(f), in units of 2^-DP_WEIGHT_BITS, K < 2^21: within K 2^-24 and one unit. */
double	dp_ramp_kernel(const struct dp_ramp *, double x);
int64_t	dp_ramp_weight(const struct dp_bands *, const struct dp_ramp *, uint64_t K, uint64_t f);
/* cos(2 pi s / 2^64), in units of 2^-30, to within one of them. */
int64_t	dp_ramp_cosine(uint64_t s);

#endif
