/*
 * law.c - the law of the noise in one estimate: its variance (error.c) and its characteristic
 * function (sweep.c, decay.c).
 */
#include <math.h>

#include "decay.h"
#include "sweep.h"

static bool
no_waves(const struct dp_law_part *part, struct dp_law_wave *v)
{
	(void)part;
	v->step = NAN;
	return false;
}

void
dp_normtree_law(const struct dp_normtree *p, const struct dp_task *task, unsigned out, uint64_t t,
    struct dp_law *l)
{
	struct dp_law_part part = { .variance = INFINITY, .whole = true, .waves = no_waves,
	    .of = p, .alpha = 1, .to = t };

	if (p == NULL) {
		dp_law_part(l, &part);
		return;
	}
	part.variance = dp_normtree_variance(p, task, out, t);
	part.waves = dp_normtree_sweep;
	if (p->fine > 0)
		part.residual = dp_normtree_residual(p, task, out, t);
	if (task != NULL && task->what == DP_TASK_EXP) {
		part.waves = dp_normtree_decay;
		part.alpha = task->alpha;
		part.whole = false;
	}
	if (task != NULL && task->what == DP_TASK_WINDOW && t > task->w[out])
		part.from = t - task->w[out];
	dp_law_part(l, &part);
}
