/*
 * expire.h - a running count that protects the last W steps alone.
 */
#ifndef DP_EXPIRE_H
#define DP_EXPIRE_H

#include "mech.h"

/*
 * The exact sum of values older than W steps, plus inner's estimate of the window of W steps.
 * inner: any WINDOW mechanism with one output, in whole grid units; it becomes the new mechanism's,
 * also on an error: DP_EINVAL, DP_ENOMEM.
 */
int	dp_expire_wrap(struct dp_mech **out, struct dp_mech *inner, uint64_t W) DP_MUSTUSE;

#endif
