/*
 * share.h - internal to lib/audit: numbers from 0 to 1 as whole numbers of units of 2^-126, each
 * rounded the way that its function says.
 */
#ifndef DP_AUDIT_SHARE_H
#define DP_AUDIT_SHARE_H

#include <gmp.h>
#include <mpfr.h>

#include "base/dp.h"

#define DP_AUDIT_SHARE	126
#define DP_AUDIT_ALL		((dp_uwide)1 << DP_AUDIT_SHARE)

/* x y, down: by halves of 63 bits, without the product of the lower two */
DP_INLINE dp_uwide
audit_share_times(dp_uwide x, dp_uwide y)
{
	const uint64_t low = ((uint64_t)1 << 63) - 1;
	const uint64_t x1 = (uint64_t)(x >> 63), x0 = (uint64_t)x & low;
	const uint64_t y1 = (uint64_t)(y >> 63), y0 = (uint64_t)y & low;

	return (dp_uwide)x1 * y1 + (((dp_uwide)x1 * y0 + (dp_uwide)x0 * y1) >> 63);
}

/* x y, up */
DP_INLINE dp_uwide
audit_share_times_up(dp_uwide x, dp_uwide y)
{
	return audit_share_times(x, y) + 2;
}

/* f in units of 2^-63, at most 1: x f, up */
DP_INLINE dp_uwide
audit_share_part(dp_uwide x, uint64_t f)
{
	const uint64_t low = ((uint64_t)1 << 63) - 1;

	return (dp_uwide)(uint64_t)(x >> 63) * f +
	    (((dp_uwide)((uint64_t)x & low) * f + low) >> 63);
}

/* x, which is cut to 0 .. 1, in units of 2^-bits, bits at most 126, that way; x is as before */
static inline dp_uwide
audit_share_units(mpfr_t x, int bits, mpfr_rnd_t way)
{
	const bool up = way == MPFR_RNDU;
	mpfr_exp_t e;
	dp_uwide n;

	if (mpfr_sgn(x) <= 0)
		return 0;
	if (mpfr_cmp_ui(x, 1) >= 0)
		return (dp_uwide)1 << bits;
	e = mpfr_get_exp(x);
	mpfr_set_exp(x, 63);
	n = mpfr_get_ui(x, way);		/* 2^62 to 2^63, of 2^(e - 63) each */
	mpfr_set_exp(x, e);
	e += bits - 63;
	if (e >= 0)
		return n << e;
	return e <= -63 ? up : (n + (up ? ((dp_uwide)1 << -e) - 1 : 0)) >> -e;
}

static inline dp_uwide
audit_share(mpfr_t x, mpfr_rnd_t way)
{
	return audit_share_units(x, DP_AUDIT_SHARE, way);
}

/* Exactly, where `to' has 126 bits. */
static inline void
audit_share_real(mpfr_t to, dp_uwide x, mpfr_rnd_t way)
{
	mpz_t z;

	mpz_init_set_ui(z, (uint64_t)(x >> 64));
	mpz_mul_2exp(z, z, 64);
	mpz_add_ui(z, z, (uint64_t)x);
	mpfr_set_z_2exp(to, z, -DP_AUDIT_SHARE, way);
	mpz_clear(z);
}

#endif
