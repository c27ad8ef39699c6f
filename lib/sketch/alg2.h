/* alg2.h - Algorithm 2 of Mir et al. 2011 (alg2.c), as a part of Algorithm 3. */
#ifndef DP_SKETCH_ALG2_H
#define DP_SKETCH_ALG2_H

#include "sketch.h"

/* kappa, by which estimates of this plan of alg2 were divided. */
double	dp_alg2_divided(const struct dp_mech *);
/* phi(a): what an identifier of net count a >= 0 adds, on average, before that. */
double	dp_alg2_adds(const struct dp_mech *, double a);

#endif
