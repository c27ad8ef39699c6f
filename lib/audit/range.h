/* range.h - internal to lib/audit: choices of bounded range. */
#ifndef DP_AUDIT_RANGE_H
#define DP_AUDIT_RANGE_H

#include <stdint.h>

#define DP_AUDIT_CHOICES	1000		/* at most, else nothing is said */
#define DP_AUDIT_WORK		0x1p30		/* cells */

/* At most what n choices of range c miss where x is lost; infinite: nothing is known. */
double	audit_range_delta(double c, uint64_t n, double x);

#endif
