/*
 * toeplitz.h - internal to lib/audit: how far one protected unit shifts the draws of correlated
 * noise, from the coefficients that it is made with (lib/blt/blt.h, norm.h and banded.h have the
 * statements, whose names stand here).
 */
#ifndef DP_AUDIT_TOEPLITZ_H
#define DP_AUDIT_TOEPLITZ_H

#include <stdbool.h>
#include <stdint.h>

#include <gmp.h>
#include <mpfr.h>

#define DP_AUDIT_POLES	12
#define DP_AUDIT_ECHOES	2
#define DP_AUDIT_ECHO_PAST	400	/* lags: what an echo has after them is counted apart */
#define DP_AUDIT_PIECES	1024
#define DP_AUDIT_BAND	1024

/* Moves of one unit: of all l1 grid units. */
struct audit_moves {
	uint64_t l1;
	uint64_t square;	/* l2squared; with spacing the squares of one step's moves */
	uint64_t fading;	/* l2fading; 0: unknown */
	uint64_t times, spacing;	/* SPACED; 0: not so */
};

struct audit_blt {
	struct audit_moves moves;
	uint64_t steps, columns, bits;	/* T; that one unit moves; s, D = 2^s */
	uint64_t lag;			/* W; 0: no echo */
	unsigned poles, pieces;
	uint64_t gap[DP_AUDIT_POLES], om[DP_AUDIT_POLES];	/* 1 - th_j; units of 2^-64 */
	uint64_t a[DP_AUDIT_ECHOES], b[DP_AUDIT_ECHOES];	/* units of 2^-32 */
	/* norm.h: N of the steps that at most `left' steps come at or after, the longest first */
	uint64_t left[DP_AUDIT_PIECES], unit[DP_AUDIT_PIECES];
};

/* S^2, rounded up, for this epsilon and delta.  NULL; or why not, a sentence's end. */
const char *audit_blt_square(const struct audit_blt *, const mpq_t epsilon, const mpq_t delta,
    mpfr_t square);

#define DP_AUDIT_RISE	4096		/* steps */

/*
 * For both heights at most the sum of P(N_t >= height) over all steps t, N_t the noise of a running
 * count, from draws of this variance.  As above.
 */
const char *audit_blt_rise(const struct audit_blt *, const mpq_t variance,
    const uint64_t height[2], mpfr_t sum[2]);

struct audit_banded {
	struct audit_moves moves;
	uint64_t steps, columns, bits;
	unsigned n;
	uint64_t a[DP_AUDIT_BAND];	/* units of 2^-s */
};

/* S^2 exactly. */
const char *audit_banded_square(const struct audit_banded *, mpq_t square);

#endif
