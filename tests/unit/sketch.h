/* SPDX-License-Identifier: ISC */
/* sketch.h - running sketches of identifiers in tests. */
#ifndef TEST_SKETCH_H
#define TEST_SKETCH_H

#include "mech.h"
#include "sketch/sketch.h"

/* T steps, an answer after every `every`, epsilon = num/den; num = 0: inf. */
static inline struct dp_mech_rule
sketch_setting(const struct dp_statistic *what, const struct dp_sketch *s, uint64_t T,
    uint64_t every, uint64_t num, uint64_t den)
{
	struct dp_mech_rule r = setting(T, num, den, 1);

	r.task = (struct dp_task){ .what = DP_TASK_OWN, .statistic = what, .own = s };
	r.every = every;
	r.inputs = 0;
	r.bits = false;
	r.most = s->lines ? 1 : 0;
	return r;
}

/* epsilon = num/den, one answer after T steps; NULL if it is not eligible. */
static inline struct dp_mech *
sketch_make(const char *name, const struct dp_sketch *s, uint64_t T, uint64_t every, uint64_t num,
    uint64_t den)
{
	const struct dp_mech_rule r = sketch_setting(&dp_distinct, s, T, every, num, den);

	return make(name, &r);
}

static inline struct dp_rng *
seeded(uint64_t seed)
{
	struct dp_rng *rng;

	if (dp_rng_open_seed(&rng, seed) != 0)
		abort();
	return rng;
}

/* An identifier by its place, or by its word, n times; n < 0: undone. */
static inline void
sees(struct column *c, uint64_t place, int64_t n)
{
	struct dp_id id = { .word = { place, 0 }, .sign = n < 0 ? -1 : 1 };

	for (n = n < 0 ? -n : n; n > 0; n--) {
		if (c->m->ops->open.word != NULL) {
			id.word[0] = c->word;
			id.word[1] = c->word = c->m->ops->open.word(c->m, c->word, id.sign);
		}
		if (c->m->ops->open.see(c->m, c->state, c->rng, &id) != 0)
			abort();
	}
}

static inline double
asks(struct column *c)
{
	dp_wide est;

	if (c->m->ops->answer(c->m, c->state, c->rng, c->t, &est) != 0)
		abort();
	return (double)est;
}

/* The answer if its one draw is z. */
static inline double
asks_with(struct column *c, int64_t z)
{
	struct dp_rng *own = c->rng;
	double est;

	if (dp_rng_open_known(&c->rng, &z, 1) != 0)
		abort();
	est = asks(c);
	dp_rng_free(c->rng);
	c->rng = own;
	return est;
}

/* Of columns of cells behind a key of two words. */
static inline uint64_t *
cells_of(struct column *c)
{
	return (uint64_t *)c->state + 2;
}

/*
 * Memory of 5 cells is a function of the start and of what happened on the whole: no order, no
 * history.
 */
static inline void
forgets(struct dp_mech *m)
{
	struct column a, b;
	uint64_t start[5];

	if (m == NULL || column_new(&a, m, seeded(2)) != 0 || column_new(&b, m, seeded(2)) != 0) {
		fail("a sketch");
		return;
	}
	memcpy(start, cells_of(&a), sizeof start);
	sees(&a, 0, 5);
	check(cells_of(&a)[0] != start[0]);
	sees(&a, 0, -5);
	check(cells_of(&a)[0] == start[0]);
	sees(&a, 1, 2);
	check(memcmp(start + 2, cells_of(&a) + 2, 3 * sizeof *start) == 0);
	sees(&b, 1, 1);
	sees(&b, 4, -3);
	sees(&b, 1, 3);
	(void)asks(&b);			/* an answer leaves no trace */
	sees(&b, 4, 3);
	sees(&b, 1, -2);
	check(memcmp(cells_of(&a), cells_of(&b), sizeof start) == 0);
	sees(&b, 5, 1);			/* none of the universe */
	check(memcmp(cells_of(&a), cells_of(&b), sizeof start) == 0);
	dp_rng_free(a.rng);
	dp_rng_free(b.rng);
	column_free(&a);
	column_free(&b);
	dp_mech_free(m);
}

/* The i-th family's noise. */
static inline const struct dp_noise *
noise_of(const struct dp_mech *m, unsigned i)
{
	const struct dp_noise *z = NULL;
	const char *what;

	return dp_mech_family(m, i, &z, &what) ? z : NULL;
}

/* A discrete Laplace probability. */
static inline double
laplace(const struct dp_noise *z, int64_t k)
{
	const double q = exp(-1 / dp_q_double(z->param));

	return (1 - q) / (1 + q) * pow(q, (double)(k < 0 ? -k : k));
}

#endif
