/* SPDX-License-Identifier: ISC */
#include "dp.h"

const char *
dp_strerror(int e)
{
	switch (e) {
	case 0:
		return "success";
	case DP_EINVAL:
		return "parameter out of range";
	case DP_ESYNTAX:
		return "malformed";
	case DP_ERANGE:
		return "does not fit the integer range";
	case DP_ENOMEM:
		return "out of memory";
	case DP_EENTROPY:
		return "the kernel gave no random bytes";
	case DP_EHORIZON:
		return "the horizon is spent";
	case DP_EIO:
		return "input or output error";
	case DP_ESTATE:
		return "state file refused";
	case DP_EBUSY:
		return "state file in use by another run";
	case DP_EHALT:
		return "the mechanism has ended";
	default:
		return "unknown error";
	}
}
