/* SPDX-License-Identifier: ISC */
/* transform.h - plans of dptransform's mechanisms in tests. */
#ifndef TEST_TRANSFORM_H
#define TEST_TRANSFORM_H

#include <stdlib.h>
#include <string.h>

#include "job/internal.h"
#include "mech.h"
#include "stat/internal.h"

struct wish {
	const char *name;
	uint64_t T, r, changes, distance;
	unsigned eps, eps_den;		/* 0: no noise */
	bool hold;
	double beta, delta;		/* 0: 0.05, 0 */
	int64_t lo, hi;			/* both 0: to 10^6 */
	uint64_t rising, drift, refresh;
	bool one_way, drifts;
	unsigned low;			/* of pan, + 1; 0: the planned one */
	struct dp_numbers *params;
};

/* Planned anew for this low. */
static inline struct dp_mech *
transform_low(struct dp_mech *m, const struct dp_mech_rule *r, unsigned low)
{
	struct dp_transform_plan *k = (void *)m;

	k->levels += k->low - low;
	k->low = low;
	k->uncovered = (uint64_t)1 << low;
	if (dp_transform_shares(k, NULL) != 0 || dp_transform_finish(k, r) != 0)
		abort();
	return m;
}

/* The mechanism; NULL: refused. */
static inline struct dp_mech *
transform_make(struct wish w)
{
	struct dp_transform own = { .changes = w.changes, .distance = w.distance, .hold = w.hold,
	    .rising = w.rising, .one_way = w.one_way, .drift = w.drift, .drifts = w.drifts,
	    .refresh = w.refresh,
	    .reach = 1000, .unit = w.r, .distance_text = "D" };
	struct dp_mech_rule r = { .horizon = w.T, .report = w.T != 0 ? w.T : 1000, .every = 1,
	    .inputs = 1, .beta = w.beta > 0 ? w.beta : .05, .lo = w.lo,
	    .hi = w.lo == 0 && w.hi == 0 ? 1000000 : w.hi,
	    .task = { .what = DP_TASK_OWN, .statistic = &dp_transform_statistic, .own = &own } };
	const struct dp_mech_ops *o;
	struct dp_mech *m;
	unsigned i;

	if (dp_privacy_set(&r.privacy, w.eps == 0, dp_q_make(w.eps == 0 ? 1 : w.eps,
	    w.eps_den != 0 ? w.eps_den : 1), dp_q_make((uint64_t)(w.delta * 1e9), 1000000000),
	    w.r, w.r * w.r) != 0)
		abort();
	r.privacy.numbers = w.params;
	for (i = 0; (o = dp_plan_list(i)) != NULL; i++)
		if (dp_mech_does(o, &r.task) && strcmp(o->name, w.name) == 0)
			break;
	if (o == NULL)
		abort();
	if (dp_mech_create(&m, o, &r) != 0)
		return NULL;
	return w.low == 0 ? m : transform_low(m, &r, w.low - 1);
}

static inline struct dp_transform_plan *
transform_plan(struct dp_mech *m)
{
	return (void *)m;
}

/* One step with these draws, in their order; the number printed, or ENDED; or WRONG draws. */
#define ENDED	INT64_MIN
#define WRONG	(INT64_MIN + 1)

static inline int64_t
transform_step(const struct dp_mech *m, void *col, struct dp_rng *known, uint64_t t, int64_t a,
    const int64_t *z, size_t n)
{
	dp_wide est;
	int e;

	known->known = z;
	known->left = n;
	e = m->ops->step(m, col, known, t, &a, &est);
	if ((e != 0 && e != DP_EHALT) || known->left != 0)
		return WRONG;
	return e == 0 ? (int64_t)est : ENDED;
}

/* P(k) of discrete Laplace noise, or 1 of none at 0. */
static inline double
pmf(const struct dp_noise *z, int64_t k)
{
	double b, q;

	if (z->kind == DP_NOISE_NONE)
		return k == 0;
	b = dp_q_double(z->param);
	q = exp(-1 / b);
	return (1 - q) / (1 + q) * pow(q, fabs((double)k));
}

#endif
