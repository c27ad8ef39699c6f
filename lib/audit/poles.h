/* poles.h - internal to lib/audit/toeplitz*.c: the poles of C, and its echo. */
#ifndef DP_AUDIT_POLES_H
#define DP_AUDIT_POLES_H

#include "account.h"
#include "toeplitz.h"

#define UP	MPFR_RNDU
#define DOWN	MPFR_RNDD

/* The poles th_j and their om_j, exactly. */
struct poles {
	const struct audit_blt *f;
	mpfr_t th[DP_AUDIT_POLES], om[DP_AUDIT_POLES];
	mpfr_t q, x, y, z;		/* some room */
};

void	audit_poles_start(struct poles *, const struct audit_blt *);
void	audit_poles_stop(struct poles *);
/* to: the sum of (th_i th_j)^k, k < n, rounded that way; q is used. */
void	audit_poles_sum(struct poles *, mpfr_t to, unsigned i, unsigned j, uint64_t n, mpfr_rnd_t);
/* to = ||c||_n^2, up, with an echo; c0: ||c_b||_2, up */
void	audit_echo_squares(struct poles *, mpfr_t to, uint64_t n, const mpfr_t cb);
/* ||De||_1, up, and what of it is after 400 lags; 1 and 0 without an echo. */
void	audit_echo_norm(const struct audit_blt *, mpfr_t all, mpfr_t late);

#endif
