/* SPDX-License-Identifier: ISC */
/* local.h - a randomiser to test: its plan, and an answer from a script of bytes. */
#ifndef TEST_LOCAL_H
#define TEST_LOCAL_H

#include "mech.h"
#include "sketch/local.h"

/* epsilon = num/den, num = 0: inf.  NULL if it is not eligible. */
static inline struct dp_mech *
randomiser(const char *name, size_t K, int64_t other, uint64_t num, uint64_t den)
{
	static struct dp_local_task task[64];	/* plans do not keep it, but settings do */
	static unsigned n;
	struct dp_mech_rule s = setting(0, num, den, 1);

	task[n % 64] = (struct dp_local_task){ K, other };
	s.task.what = DP_TASK_OWN;
	s.task.statistic = &dp_local_statistic;
	s.task.own = &task[n++ % 64];
	return make(name, &s);
}

/* The answer to x as text, a place as its number; its length.  0: an error. */
static inline size_t
answer(const struct dp_mech *m, void *col, struct dp_rng *rng, int64_t x, char *text)
{
	const struct dp_answers *a = m->ops->answers;
	dp_wide est;

	if (m->ops->step(m, col, rng, 1, &x, &est) != 0)
		return 0;
	if (a->put != NULL)
		return (size_t)(a->put(m, col, est, text) - text);
	return (size_t)(dp_decimal_put(text, est, 0) - text);
}

/* Counts it. */
static inline bool
count_answer(struct dp_totals *t, const char *text, size_t n)
{
	const bool place = t->l->m.ops->answers->add == NULL;

	return dp_totals_add(t, (struct dp_slice){ text, n }, place ? atoi(text) : -1);
}

#endif
