/* range.h - internal to lib/audit: choices of bounded range. */
#ifndef DP_AUDIT_RANGE_H
#define DP_AUDIT_RANGE_H

#include <stdint.h>

#include <gmp.h>
#include <mpfr.h>

#define DP_AUDIT_CHOICES	1000		/* at most, else nothing is said */
#define DP_AUDIT_WORK		((uint64_t)1 << 30)	/* cells */

/* At most what n choices of range c miss where x is lost; infinite: nothing is known. */
void	audit_range_delta(const mpq_t c, uint64_t n, const mpq_t x, mpfr_t delta);

#endif
