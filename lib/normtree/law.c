/*
 * law.c - the law of the noise in one estimate: its variance (error.c) and its characteristic
 * function (sweep.c, decay.c).
 */
#include <math.h>

#include "cumulant.h"
#include "decay.h"
#include "sweep.h"

/*
 * On a finer grid what is drawn is the tables' noise, D times as far, and residuals, bounded and
 * small beside it, as what is drawn within a unit is.  They count twice with what they add to the
 * variance.
 */
static void
fine_cumulant(const struct dp_law_part *part, const double *s, unsigned n, double *k)
{
	const struct dp_normtree *p = part->of;
	double far[DP_LAW_ABREAST] = { 0 };
	unsigned i;

	for (i = 0; i < n; i++)
		far[i] = s[i] * dp_normtree_apart(p);
	dp_normtree_cumulant(part, far, n, k);
	for (i = 0; i < n; i++)
		k[i] += s[i] * s[i] * part->residual;
}

static bool
no_waves(const struct dp_law_part *part, struct dp_law_wave *v)
{
	(void)part;
	v->step = NAN;
	return false;
}

/*
 * Part that the cumulants leave out: on the way are at most two nodes of a level, and none beyond
 * 2A.
 */
static double
outside(const struct dp_law_part *part)
{
	const struct dp_normtree *p = part->of;
	double sum = 0;
	unsigned i;

	for (i = 0; i <= p->h; i++)
		sum += 4 * dp_law_widest_tail(ldexp(2. * p->A, (int)p->fine) /
		    dp_law_spread(p->moments.var[i]));
	return sum;
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
	part.cumulant = p->fine == 0 ? dp_normtree_cumulant : fine_cumulant;
	part.outside = outside;
	if (task != NULL && task->what == DP_TASK_EXP) {
		part.waves = dp_normtree_decay;
		part.cumulant = NULL;
		part.alpha = task->alpha;
		part.whole = false;
	}
	if (task != NULL && task->what == DP_TASK_WINDOW && t > task->w[out])
		part.from = t - task->w[out];
	dp_law_part(l, &part);
}
