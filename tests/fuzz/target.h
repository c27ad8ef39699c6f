/* SPDX-License-Identifier: ISC */
/*
 * target.h - what fuzz targets share.
 */
#ifndef DP_FUZZ_TARGET_H
#define DP_FUZZ_TARGET_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/dp.h"

/* What must be true of every input. */
#define need(x) do { \
	if (!(x)) \
		abort(); \
	} while (0)

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* Two texts, or two that are not there. */
static inline bool
same(struct dp_slice a, struct dp_slice b)
{
	return (a.p == NULL) == (b.p == NULL) && a.n == b.n &&
	    (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

#endif
