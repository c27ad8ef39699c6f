/* SPDX-License-Identifier: ISC */
/* maxsum.h - rules for the mechanisms of dpmaxsum, as its options would make them. */
#ifndef TEST_MAXSUM_H
#define TEST_MAXSUM_H

#include "account/neighbour.h"
#include "job/internal.h"
#include "mech.h"
#include "stat/maxsum.h"

struct maxsum_rule {
	struct dp_mech_rule rule;
	struct dp_maxsum own;
	struct dp_relation relation;
};

/* Lines of D numbers from lo to hi, at most S of them not 0; or buckets of such events. */
static inline void
maxsum_rule(struct maxsum_rule *r, enum dp_maxsum_show show, uint64_t T, size_t D, size_t S,
    int64_t lo, int64_t hi, bool lines)
{
	*r = (struct maxsum_rule){
		.own = { .show = show, .columns = D, .ones = S, .below = lo < 0 },
		.relation = { .lines = lines, .lo = lo, .hi = hi, .columns = D, .ones = S },
		.rule = { .horizon = T, .report = T, .every = 1, .inputs = D, .beta = 1. / 3,
		    .lo = lo, .hi = hi, .most = !lines ? 0 : (uint64_t)(-lo > hi ? -lo : hi),
		    .task = { .what = DP_TASK_OWN, .statistic = &dp_maxsum_statistic } }
	};
}

static inline void
maxsum_privacy(struct maxsum_rule *r, bool exact, struct dp_q epsilon, struct dp_q delta)
{
	struct dp_distance d;

	r->rule.task.own = &r->own;
	if (dp_relation_distance(&r->relation, &d) != 0 ||
	    dp_privacy_set(&r->rule.privacy, exact, epsilon, delta, d.l1, d.l2squared) != 0)
		abort();
	r->rule.privacy.columns = (unsigned)d.columns;
	r->rule.privacy.wide = d.wide;
	r->rule.privacy.linf = d.linf;
	r->rule.privacy.spread = d.spread;
}

static inline struct dp_mech *
maxsum_make(const char *name, const struct maxsum_rule *r)
{
	const struct dp_mech_ops *o;
	struct dp_mech *m;
	unsigned i;

	for (i = 0; (o = dp_plan_list(i)) != NULL; i++)
		if (o->statistic == &dp_maxsum_statistic && strcmp(o->name, name) == 0)
			return dp_mech_create(&m, o, &r->rule) == 0 ? m : NULL;
	return NULL;
}

/* A leader of a window or with decay, by one of the mechanisms that do such sums. */
static inline struct dp_mech *
maxsum_recent(const char *name, const struct dp_mech_rule *r)
{
	const struct dp_mech_ops *o;
	struct dp_mech *m;
	unsigned i;

	for (i = 0; (o = dp_plan_list(i)) != NULL; i++)
		if (dp_mech_does(o, &r->task) && strcmp(o->name, name) == 0)
			return dp_mech_create(&m, o, r) == 0 ? m : NULL;
	return NULL;
}

/* The least loss with probability 1 - beta of all steps, as predicted. */
static inline double
maxsum_loss(const struct dp_mech *m, uint64_t T)
{
	struct dp_error e;

	dp_mech_error(m, T, &e);
	return e.max;
}

/* One step of D numbers. */
static inline int
maxsum_step(struct column *c, const int64_t *x, dp_wide est[2])
{
	return c->m->ops->step(c->m, c->state, c->rng, ++c->t, x, est);
}

/* D columns, one unit moves l1 and l2squared; epsilon = num/den, num 0: exact. */
static inline struct dp_mech_rule
maxsum_setting(struct dp_maxsum *own, enum dp_maxsum_show show, uint64_t T, size_t D,
    struct dp_q epsilon, struct dp_q delta, uint64_t l1, uint64_t l2squared)
{
	struct dp_mech_rule s = { .horizon = T, .report = T, .every = 1, .most = 1, .inputs = D,
	    .beta = 1. / 3, .hi = 1,
	    .task = { .what = DP_TASK_OWN, .statistic = &dp_maxsum_statistic, .own = own } };

	*own = (struct dp_maxsum){ .show = show, .columns = D, .ones = D };
	if (dp_privacy_set(&s.privacy, epsilon.num == 0,
	    epsilon.num == 0 ? dp_q_make(1, 1) : epsilon, delta, l1, l2squared) != 0)
		abort();
	s.privacy.columns = (unsigned)D;
	return s;
}

/* Lower end of ln((a - delta R)/b) for two counts of R. */
static inline double
refuted(double a, double b, double R, double delta)
{
	a -= delta * R;
	if (a < 1000 || b < 50)
		return -INFINITY;
	return log(a / b) - 6.3 * (sqrt((1 - a / R) / a) + sqrt((1 - b / R) / b));
}

#endif
