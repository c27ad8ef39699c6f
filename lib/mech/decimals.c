#include <math.h>

#include "base/num.h"
#include "decimals.h"

dp_wide
dp_scaled_real(long double v, unsigned decimals)
{
	v = rintl(v * (long double)dp_power10(decimals));
	if (v > 0x1p126L)
		v = 0x1p126L;
	if (v < -0x1p126L)
		v = -0x1p126L;
	return (dp_wide)v;
}

dp_wide
dp_scaled_grid(dp_wide y, unsigned shift, unsigned decimals)
{
	dp_wide unit = (dp_wide)1 << shift, whole = y / unit, part = y % unit;

	if (part < 0) {		/* floor, so that part >= 0 */
		part += unit;
		whole--;
	}
	/* part 10^18 < 2^(62 + 60) */
	part = (part * (dp_wide)dp_power10(decimals) + unit / 2) >> shift;
	return whole * (dp_wide)dp_power10(decimals) + part;
}

dp_wide
dp_scaled_away(dp_wide y, unsigned shift, unsigned decimals)
{
	return y < 0 ? -dp_scaled_grid(-y, shift, decimals) : dp_scaled_grid(y, shift, decimals);
}
