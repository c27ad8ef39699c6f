/*
 * gradual.h - how much of an old event's privacy is left under gradual expiry.
 */
#ifndef DP_GRADUAL_H
#define DP_GRADUAL_H

#include "mech.h"

/*
 * Privacy loss (an epsilon) of one protected unit whose oldest event is d steps old, after all outputs up to
 * now, for the worst time of the event; from the scales as used.  m: a "gradual" mechanism.
 * Exact for every d if lambda <= 1; else for d = 2^j - 1, and an upper bound between (gradual.c).
 * Never decreases with d; INFINITY under epsilon = inf.
 */
double	dp_gradual_loss(const struct dp_mech *m, uint64_t d);

#endif
