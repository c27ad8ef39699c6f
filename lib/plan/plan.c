#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan.h"

#define TERMS_MAX	((uint64_t)1 << 20)

/* Why a mechanism is not for this setting; NULL if it may be. */
static const char *
objection(const struct dp_mech_ops *o, const struct dp_setting *s)
{
	if (s->pan && (s->task.what & (DP_TASK_EXPIRE | DP_TASK_GRADUAL | DP_TASK_MAP)))
		return "cannot be pan-private under expiry: its memory holds raw values";
	if (s->horizon == 0 && !(o->traits & DP_TRAIT_ENDLESS))
		return "needs a horizon (-T)";
	if (s->pan && !(o->traits & DP_TRAIT_PAN))
		return "is not pan-private: its memory holds exact sums";
	if (s->pan && s->open_step && !(o->traits & DP_TRAIT_PAN_OPEN))
		return "is pan-private only between steps, not inside an open bucket";
	if (!s->bits && (o->traits & DP_TRAIT_BITS))
		return "needs step values of 0 or 1 (lines, range 0:1)";
	if ((o->traits & DP_TRAIT_DELTA) && s->privacy.delta.num == 0)
		return "needs a delta (-d) above 0";
	return NULL;
}

static uint64_t
report_of(const struct dp_setting *s)
{
	uint64_t n = s->report != 0 ? s->report : DP_PLAN_REPORT;
	unsigned i;

	if (s->horizon != 0)
		return s->horizon;
	for (i = 0; i < s->task.windows; i++)	/* long enough for a window to fill and move on */
		n = n < 4 * s->task.w[i] ? 4 * s->task.w[i] : n;
	return n;
}

static int
create(struct dp_mech **m, const struct dp_mech_ops *o, const struct dp_setting *s, bool dry)
{
	struct dp_mech_rule rule = { .privacy = s->privacy, .horizon = s->horizon, .most = s->most,
	    .report = report_of(s), .every = 1, .inputs = 1, .task = s->task };

	rule.privacy.dry = dry;
	return dp_mech_create(m, o, &rule);
}

static bool
better(const struct dp_error *a, const struct dp_error *b)
{
	const double same = 1 - 1e-9;	/* as computed by another formula */

	if (a->max < b->max * same || b->max < a->max * same)
		return a->max < b->max;
	return a->mean < b->mean * same;
}

static int
compare_all(struct dp_plan *p, const struct dp_setting *s)
{
	struct dp_candidate *c;
	struct dp_mech *m;
	const struct dp_mech_ops *o;
	unsigned i;
	int e, last = DP_EINVAL;

	for (i = 0; (o = dp_plan_list(i)) != NULL; i++) {
		if (!dp_mech_does(o, &s->task) || objection(o, s) != NULL)
			continue;
		if ((e = create(&m, o, s, true)) == DP_ENOMEM)
			return e;
		if (e != 0) {		/* its scale does not fit, or it is not for these parameters */
			last = e == DP_ERANGE ? e : last;
			continue;
		}
		c = &p->eligible[p->n++];
		c->ops = o;
		dp_mech_error(m, p->report, &c->error);
		dp_mech_free(m);
		if (better(&c->error, &p->eligible[p->chosen].error))
			p->chosen = p->n - 1;
	}
	return p->n == 0 ? last : 0;
}

/* The named mechanism; NULL: there is none for this task. */
static const struct dp_mech_ops *
find(const char *name, const struct dp_setting *s)
{
	const struct dp_mech_ops *o;
	unsigned i;

	for (i = 0; (o = dp_plan_list(i)) != NULL; i++)
		if (dp_mech_does(o, &s->task) && strcmp(name, o->name) == 0)
			break;
	return o;
}

/* Makes the named one the chosen; e: why it is not eligible. */
static int
choose(struct dp_plan *p, const struct dp_setting *s, const struct dp_mech_ops *o)
{
	struct dp_mech *m;
	int e;

	for (p->chosen = 0; p->chosen < p->n; p->chosen++)
		if (p->eligible[p->chosen].ops == o)
			return 0;
	if ((e = create(&m, o, s, true)) == 0)
		dp_mech_free(m);
	return e == 0 ? DP_EINVAL : e;
}

static int
explain(int e, const struct dp_setting *s, const char *name, char why[static 160])
{
	if (e == DP_ERANGE)
		snprintf(why, 160, "the noise does not fit: epsilon must be larger, or the range smaller or "
		    "coarser (even a single value needs epsilon %.2g)", ldexp((double)s->privacy.l1, -40));
	else if (e == DP_EINVAL && strcmp(name, "auto") != 0)
		snprintf(why, 160, "%s %s", name, s->task.windows > 1 ? "estimates one window only" :
		    s->horizon == 0 && s->task.what != DP_TASK_EXP ? "needs a horizon here (-T)" :
		    "is not for these parameters: its paragraph in the manual says why");
	else if (e == DP_EINVAL)
		snprintf(why, 160, "no mechanism is eligible%s", !s->pan ? "" : s->task.what != DP_TASK_COUNT ?
		    ": with --pan-private this needs lines, not buckets" :
		    ": pan-private counting of buckets needs a horizon (-T)");
	return e;
}

int
dp_plan_make(struct dp_plan *p, const struct dp_setting *s, const char *name,
    char why[static 160])
{
	const bool any = strcmp(name, "auto") == 0;
	const struct dp_mech_ops *o = any ? NULL : find(name, s);
	const char *no;
	int e;

	memset(p, 0, sizeof *p);
	p->report = report_of(s);
	if (!any && o == NULL) {
		snprintf(why, 160, "--mechanism: '%.40s' is none of those --help lists", name);
		return DP_EINVAL;
	}
	if (!any && (no = objection(o, s)) != NULL) {
		snprintf(why, 160, "%s %s", name, no);
		return DP_EINVAL;
	}
	e = compare_all(p, s);
	if (!any && e != DP_ENOMEM)
		e = choose(p, s, o);
	if (e == 0) {
		p->ops = p->eligible[p->chosen].ops;
		e = create(&p->mech, p->ops, s, false);
	}
	return explain(e, s, name, why);
}

void
dp_plan_free(struct dp_plan *p)
{
	dp_mech_free(p->mech);
	p->mech = NULL;
}

/* e^(k epsilon) gamma + delta (e^(k epsilon) - 1)/(e^epsilon - 1): k units away, what gamma may become. */
static double
group(double k, double eps, double delta, double gamma)
{
	return exp(k * eps) * gamma + (delta > 0 ? delta * expm1(k * eps) / expm1(eps) : 0);
}

static double
counter_bound(uint64_t T, double eps, double delta, double beta)
{
	double k, t = (double)T, best = 0, left;

	/* the left side falls with k, so the first failure ends it */
	for (k = 1; k <= t; k++) {
		left = 1 - group(k, eps, delta, 0) - beta;
		if (!(floor(t / k) * exp(-k * eps) * left > beta))	/* 0 * inf is none either */
			break;
		best = k / 2;
	}
	return best;
}

double
dp_plan_lower_bound(const struct dp_task *task, uint64_t T, double eps, double delta, double beta)
{
	uint64_t most = T, D = 0, step;

	if (task->what == DP_TASK_GRADUAL)
		return 0;
	if (task->what == DP_TASK_COUNT)
		return counter_bound(T, eps, delta, beta);
	if (task->what == DP_TASK_EXPIRE || task->what == DP_TASK_MAP)
		most = T < task->w[0] ? T : task->w[0];
	if (task->what == DP_TASK_POLY && most > TERMS_MAX)	/* fewer steps: a weaker bound, but one */
		most = TERMS_MAX;
	for (step = (uint64_t)1 << 62; step > 0; step >>= 1)
		if (step <= most - D && group((double)(D + step), eps, delta, beta) < 1 - beta)
			D += step;
	return dp_task_total(task, D) / 2;
}
