/* SPDX-License-Identifier: ISC */
/*
 * t_entropy.c - entropy that fails, at every byte: a sketch or a choice then answers nothing, with
 * DP_EENTROPY, and nothing else; and what no sketch or choice is for is refused.
 */
#include "maxsum.h"
#include "sketch.h"

#define T	16
#define BYTES	65536

static uint8_t bytes[BYTES];

/* One life of T steps; an answer after every second one. */
static int
life(const struct dp_mech *m, struct dp_rng *rng)
{
	const struct dp_mech_ops *o = m->ops;
	const struct dp_id id = { .word = { o->traits & DP_TRAIT_TABLE ? 0 : 1, 0 }, .sign = 1 };
	const int64_t x[] = { 1, 0, 1 };
	struct column c;
	dp_wide est[2];
	int e = column_new(&c, m, rng);

	for (c.t = 1; c.t <= T && e == 0; c.t++) {
		if (o->open.see != NULL)
			e = o->open.see(m, c.state, rng, &id);
		if (e == 0)
			e = o->step(m, c.state, rng, c.t, x, o->answer != NULL ? NULL : est);
		if (e == 0 && o->answer != NULL && c.t % 2 == 0)
			e = o->answer(m, c.state, rng, c.t, est);
		if (e == 0 && o->valid != NULL)
			check(o->valid(m, c.state, c.t));
	}
	column_free(&c);
	return e;
}

/* With n bytes for n = 0, 1, ..: at last there are enough. */
static void
starve(const char *name, struct dp_mech *m)
{
	struct dp_rng *rng;
	size_t n = 0;
	int e = DP_EENTROPY;

	check(m != NULL);
	for (; m != NULL && n <= BYTES && e != 0; n += n < 4096 ? 1 : 61) {
		if (dp_rng_open_bytes(&rng, bytes, n) != 0)
			abort();
		e = life(m, rng);
		check(e == 0 || e == DP_EENTROPY);
		check((e == 0) == (rng->error == 0));	/* none is overlooked */
		dp_rng_free(rng);
	}
	check(e == 0 && n > 1);
	if (e != 0)
		printf("%s: %d\n", name, e);
	dp_mech_free(m);
}

static void
sketches(void)
{
	static const struct {
		const char *name;
		const struct dp_statistic *what;
		struct dp_sketch s;
	} some[] = {
		{ "cells", &dp_distinct, { .universe = 3 } },
		{ "cells", &dp_density, { .universe = 3, .deletes = true } },
		{ "density", &dp_distinct, { .universe = 3 } },
		{ "hashed", &dp_distinct, { .buckets = 16 } },
		{ "hashed-bits", &dp_distinct, { .buckets = 16 } },
		{ "running", &dp_distinct, { .lines = true } },
		{ "turnstile", &dp_distinct, { .universe = 3, .deletes = true, .flips = 2 } },
		{ "turnstile-table", &dp_distinct, { .deletes = true, .flips = 2 } },
		{ "continual", &dp_distinct, { .universe = 3, .updates = 2 } },
		{ "alg3", &dp_heavy, { .universe = 3, .tau = 4 } },
		{ "modular", &dp_incidence, { .universe = 3, .tau = 1, .modulo = 2 } },
		{ "sample", &dp_distinct, { .universe = 30, .buckets = 16 } },
		{ "moved", &dp_distinct, { .universe = 3 } },
		{ "anew", &dp_distinct, { .universe = 3, .looks = 1 } },
		{ "anew-cells", &dp_distinct, { .universe = 3, .looks = 1 } },
		{ "phase", &dp_cropped, { .universe = 3, .tau = 2 } },
		{ "phase", &dp_incidence, { .universe = 3, .tau = 2 } },
		{ "alg1", &dp_distinct, { .universe = 3 } },
		{ "alg2", &dp_cropped, { .universe = 3, .tau = 2 } },
		{ "window", &dp_recent, { .window = 2, .lines = true } },
	};
	struct dp_mech_rule r;
	size_t i;

	for (i = 0; i < sizeof some / sizeof some[0]; i++) {
		r = sketch_setting(some[i].what, &some[i].s, T, 2, 1, 1);
		starve(some[i].name, make(some[i].name, &r));
	}
}

static void
choices(void)
{
	static const char *const name[] = { "tree", "kary", "normtree", "recompute", "lazy",
	    "pan" };
	static const enum dp_maxsum_show show[] = { DP_MAXSUM_VALUE, DP_MAXSUM_CHOICE,
	    DP_MAXSUM_BOTH };
	struct dp_maxsum own = { .ceiling = 4 };
	struct dp_mech_rule r;
	size_t i, k;

	for (i = 0; i < sizeof name / sizeof name[0]; i++)
		for (k = 0; k < 3; k++) {
			if (strcmp(name[i], "lazy") == 0 && show[k] == DP_MAXSUM_BOTH)
				continue;
			own.show = show[k];
			r = setting(T, 3, 1, 1);
			r.task = (struct dp_task){ .what = DP_TASK_OWN,
			    .statistic = &dp_maxsum_statistic, .own = &own };
			r.inputs = 3;
			r.beta = 1. / 3;
			r.most = 1;
			starve(name[i], make(name[i], &r));
		}
}

int
main(void)
{
	uint64_t x = 7;
	size_t i;

	for (i = 0; i < BYTES; i++) {	/* any that look random */
		x = x * 6364136223846793005u + 1442695040888963407u;
		bytes[i] = (uint8_t)(x >> 56);
	}
	sketches();
	choices();
	return done();
}
