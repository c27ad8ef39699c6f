/*
 * law.c - the law of the noise in one estimate: its variance (error.c) and its characteristic
 * function (wave.c).
 */
#include "wave.h"

void
dp_normtree_law(const struct dp_normtree *p, const struct dp_task *task, unsigned out, uint64_t t,
    struct dp_law *l)
{
	struct dp_law_part part = { .variance = dp_normtree_variance(p, task, out, t),
	    .whole = true, .waves = dp_normtree_waves, .of = p, .alpha = 1, .to = t };

	if (task == NULL || task->what != DP_TASK_EXP)
		part.cumulant = dp_normtree_cumulant;
	if (task != NULL && task->what == DP_TASK_EXP) {
		part.alpha = task->alpha;
		part.whole = false;
	}
	if (task != NULL && task->what == DP_TASK_WINDOW && t > task->w[out])
		part.from = t - task->w[out];
	dp_law_part(l, &part);
}
