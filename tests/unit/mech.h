/* SPDX-License-Identifier: ISC */
/* mech.h - running mechanisms in tests. */
#ifndef TEST_MECH_H
#define TEST_MECH_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "job/plan.h"
#include "random/internal.h"

static inline struct dp_mech_rule
setting(uint64_t T, uint64_t num, uint64_t den, uint64_t l1)
{
	struct dp_mech_rule s = { .task.what = DP_TASK_COUNT, .horizon = T, .every = 1, .inputs = 1,
	    .bits = true };

	if (dp_privacy_set(&s.privacy, num == 0, dp_q_make(num == 0 ? 1 : num, den),
	    dp_q_make(0, 1), l1, l1 * l1) != 0)
		abort();
	return s;
}

/* The named mechanism; NULL if not eligible. */
static inline struct dp_mech *
make(const char *name, const struct dp_mech_rule *s)
{
	struct dp_plan p;
	char why[DP_PLAN_WHY];

	return dp_plan_make(&p, s, name, why) == 0 ? p.mech : NULL;
}

struct column {
	const struct dp_mech *m;
	void *state;
	struct dp_rng *rng;
	uint64_t t;
	uint32_t word;			/* of a sketch's one identifier (open.word) */
};

static inline void
column_free(struct column *c)
{
	free(c->state);
}

static inline int
column_new(struct column *c, const struct dp_mech *m, struct dp_rng *rng)
{
	c->m = m;
	c->rng = rng;
	c->t = c->word = 0;
	if ((c->state = aligned_alloc(64, (m->column + 63) & ~(size_t)63)) == NULL)
		abort();
	memset(c->state, 0, m->column);
	return dp_mech_start(m, c->state, rng);
}

static inline int
column_step(struct column *c, int64_t x, int64_t *est)
{
	dp_wide w;
	int e = c->m->ops->step(c->m, c->state, c->rng, ++c->t, &x, &w);

	*est = e == 0 ? (int64_t)w : INT64_MIN;
	return e;
}

/* To other memory, and another plan of the same rule, as a state file does. */
static inline void
column_move(struct column *c, const struct dp_mech *m)
{
	struct column from = *c;

	c->m = m;
	if ((c->state = aligned_alloc(64, (m->column + 63) & ~(size_t)63)) == NULL)
		abort();
	memcpy(c->state, from.state, m->column);
	memset(from.state, 0xa5, m->column);
	column_free(&from);
}

/* Two columns of one plan, whose draws are the same. */
struct twins {
	struct column c, d;
};

static inline void
twins_new(struct twins *w, const struct dp_mech *m)
{
	struct dp_rng *a, *b;

	if (dp_rng_open_seed(&a, 7) != 0 || dp_rng_open_seed(&b, 7) != 0)
		abort();
	check((column_new(&w->c, m, a) | column_new(&w->d, m, b)) == 0);
}

static inline void
twins_free(struct twins *w)
{
	dp_rng_free(w->c.rng);
	dp_rng_free(w->d.rng);
	column_free(&w->c);
	column_free(&w->d);
}

/* Feeds x with scripted noise z; true if the estimates are want and all noise was used. */
static inline bool
oracle(const char *name, uint64_t T, const int64_t *x, size_t n, const int64_t *z, size_t nz,
    const int64_t *want)
{
	struct dp_mech_rule s = setting(T, 1, 1, 1);
	struct dp_mech *m;
	struct dp_rng *rng;
	struct column c;
	int64_t est;
	bool good = true;
	size_t i;

	s.pan = strncmp(name, "pan", 3) == 0;
	if ((m = make(name, &s)) == NULL || dp_rng_open_known(&rng, z, nz) != 0)
		return false;
	good = column_new(&c, m, rng) == 0;
	for (i = 0; i < n && good; i++)
		good = column_step(&c, x[i], &est) == 0 && est == want[i];
	if (i > 0 && !good)
		printf("%s: step %zu gave %lld, not %lld\n", name, i, (long long)est,
		    (long long)want[i - 1]);
	good = good && rng->left == 0;
	column_free(&c);
	dp_rng_free(rng);
	dp_mech_free(m);
	return good;
}

/* The oracle of predictions: every step of 1..T and every output tried by its law. */
static inline void
error_brute(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	struct dp_law law;
	double v, sum = 0;
	uint64_t t;
	unsigned i;

	*e = (struct dp_error){ .max = -1 };
	for (t = 1; t <= T; t++)
		for (i = 0; i < m->outputs; i++) {
			dp_mech_law(m, i, t, &law);
			v = dp_law_variance(&law);
			sum += v;
			if (v > e->max) {
				e->max = v;
				e->worst = t;
			}
		}
	e->mean = sum / (double)T / m->outputs;
}

#endif
