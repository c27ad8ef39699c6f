/* maxsum.h - a setting of dpmaxsum's, for tests. */
#ifndef TEST_MAXSUM_H
#define TEST_MAXSUM_H

#include "mech.h"
#include "mech/maxsum.h"

/* D columns, one unit moves l1 and l2squared; epsilon = num/den, num 0: exact. */
static inline struct dp_setting
maxsum_setting(struct dp_maxsum *own, enum dp_maxsum_show show, uint64_t T, size_t D,
    struct dp_q epsilon, struct dp_q delta, uint64_t l1, uint64_t l2squared)
{
	struct dp_setting s = { .horizon = T, .report = T, .every = 1, .most = 1, .inputs = D,
	    .beta = 1. / 3, .hi = 1,
	    .task = { .what = DP_TASK_OWN, .statistic = &dp_maxsum_statistic, .own = own } };

	*own = (struct dp_maxsum){ .show = show, .columns = D, .ones = D };
	if (dp_privacy_set(&s.privacy, epsilon.num == 0,
	    epsilon.num == 0 ? dp_q_make(1, 1) : epsilon, delta, l1, l2squared) != 0)
		abort();
	s.privacy.columns = (unsigned)D;
	return s;
}

/* Any step of a column; est: 2 numbers. */
static inline int
maxsum_step(struct column *c, const int64_t *x, int64_t *est)
{
	dp_wide w[2] = { 0, 0 };
	int e = c->m->ops->step(c->m, c->state, c->rng, ++c->t, x, w);

	est[0] = (int64_t)w[0];
	est[1] = (int64_t)w[1];
	return e;
}

#endif
