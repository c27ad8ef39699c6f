/*
 * law.c - the law of the noise in one estimate: its variance (error.c), and that it is log-concave.
 */
#include "normtree.h"

void
dp_normtree_law(const struct dp_normtree *p, const struct dp_task *task, unsigned out, uint64_t t,
    struct dp_law *l)
{
	dp_law_part(l, &(struct dp_law_part){
	    .variance = dp_normtree_variance(p, task, out, t) });
}
