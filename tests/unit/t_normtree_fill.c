/* SPDX-License-Identifier: ISC */
/*
 * t_normtree_fill.c - blocks of a tree of kinds, against the tree walked from its root for each of
 * them: every node is split by its own kind, with and without alias rows.
 */
#include <stdio.h>

#include "mech.h"
#include "normtree/internal.h"
#include "normtree_law.h"
#include "random/internal.h"

#define SEED	5
#define STEPS	((uint64_t)1 << DP_NORMTREE_BLOCK)

struct walk {
	const struct dp_normtree *p;
	struct dp_rng *rng;
	int64_t wait[DP_NORMTREE_LEVELS + 1];
	unsigned kind[DP_NORMTREE_SPLITS];
};

/* The kind of the node of a level that step i lies in. */
static unsigned
kind_at(const struct dp_normtree *p, uint64_t i, unsigned level)
{
	const struct dp_normtree_kind *k = p->shape.kind;
	unsigned kind = p->shape.kinds - 1, l;

	for (l = p->h; l > level; l--)
		if (k[kind].level == l)
			kind = k[kind].child[i >> (l - 1) & 1];
	return kind;
}

static void
split(struct walk *w, unsigned kind, unsigned level, const int64_t *P, int64_t *out, unsigned n)
{
	if (w->p->shape.kind[kind].level < level) {
		out[0] = P[0];
		out[1] = 0;
	} else
		check(dp_normtree_split(w->p, w->rng, kind, P, out, n) == 0);
}

/* The block of step i: its own node, and all below it. */
static void
fill(struct walk *w, uint64_t i, int64_t *x)
{
	const struct dp_normtree *p = w->p;
	unsigned level = p->h, n, j, k;
	int64_t child[2], from[STEPS];

	if (i == 0)
		check(dp_normtree_root(p, w->rng, x) == 0);
	else {
		for (level = DP_NORMTREE_BLOCK; (i >> level & 1) == 0; level++)
			;
		x[0] = w->wait[level];
	}
	for (; level > DP_NORMTREE_BLOCK; level--) {
		split(w, kind_at(p, i, level), level, x, child, 1);
		x[0] = child[0];
		w->wait[level - 1] = child[1];
	}
	for (n = 1; level > 0; level--, n *= 2) {
		memcpy(from, x, n * sizeof *x);
		for (j = 0; j < n; j++)
			w->kind[j] = kind_at(p, i + ((uint64_t)j << level), level);
		for (j = 0; j < n; j += k) {
			for (k = 1; j + k < n && w->kind[j + k] == w->kind[j] &&
			    p->shape.kind[w->kind[j]].level == level; k++)
				;
			split(w, w->kind[j], level, from + j, x + 2 * j, k);
		}
	}
}

static void
walk(uint64_t T, uint64_t num, uint64_t den)
{
	struct dp_mech_rule s = setting(0, num, den, 1);
	int64_t wait[DP_NORMTREE_LEVELS + 1] = { 0 }, x[DP_FILL], y[DP_FILL];
	struct dp_normtree_shape shape;
	struct dp_normtree *p;
	struct dp_rng *rng;
	struct walk w = { 0 };
	unsigned kinds = 0, rows = 0;
	uint64_t i;

	dp_normtree_count_shape(&shape, T);
	if (dp_normtree_create(&p, &shape, &s.privacy) != 0 || dp_rng_open_seed(&rng, SEED) != 0 ||
	    dp_rng_open_seed(&w.rng, SEED) != 0)
		abort();
	w.p = p;
	for (i = 0; i + STEPS <= T; i += STEPS) {
		check(dp_normtree_fill(p, wait, rng, i, x) == 0);
		rows += dp_normtree_alias_levels(p->alias) > 0;
		fill(&w, i, y);
		check(memcmp(x, y, STEPS * sizeof *x) == 0 && rng->state == w.rng->state);
		if (i >= DP_NORMTREE_ALIAS_FROM)
			kinds |= 1u << kind_at(p, i, DP_NORMTREE_ALIAS_LEVELS) % 32;
	}
	check(rows > 0 && rows < T / STEPS && (kinds & (kinds - 1)) != 0);
	dp_rng_free(w.rng);
	dp_rng_free(rng);
	dp_normtree_free(p);
}

#define COLUMNS	DP_NORMTREE_COLUMNS
#define STRIDE	(DP_NORMTREE_LEVELS + 3)	/* words between two columns' */

/* Splits by one number whatever their order: columns drawn together are as each alone. */
static void
together(uint64_t T, uint64_t num, uint64_t den)
{
	static int64_t script[1 << 16], wait[2][COLUMNS][STRIDE];
	static int64_t w[2][COLUMNS * DP_FILL];
	struct dp_mech_rule s = setting(0, num, den, 1);
	struct dp_normtree_shape shape;
	struct dp_normtree *p;
	struct dp_rng *rng;
	uint64_t i;
	unsigned k, l;

	for (i = 0; i < sizeof script / sizeof *script; i++)
		script[i] = 3;
	dp_normtree_count_shape(&shape, T);
	if (dp_normtree_create(&p, &shape, &s.privacy) != 0)
		abort();
	for (i = 0; i < T; i += STEPS) {
		if (dp_rng_open_known(&rng, script, sizeof script / sizeof *script) != 0)
			abort();
		for (k = 0; k < COLUMNS; k++)
			for (l = 0; l < DP_NORMTREE_LEVELS && i != 0; l++)
				wait[0][k][l] = wait[1][k][l] = 1000 * k + 7 * l;
		check(dp_normtree_fills(p, wait[0][0], sizeof wait[0][0], COLUMNS, rng, i, w[0]) ==
		    0);
		for (k = 0; k < COLUMNS; k++)
			check(dp_normtree_fill(p, wait[1][k], rng, i, w[1] + k * STEPS) == 0);
		check(memcmp(w[0], w[1], sizeof w[0]) == 0);
		check(memcmp(wait[0], wait[1], sizeof wait[0]) == 0);
		dp_rng_free(rng);
	}
	dp_normtree_free(p);
}

/* Rows come when so many steps of columns were drawn, and no sooner: of no seed. */
static void
soon(void)
{
	static int64_t wait[128][STRIDE], w[COLUMNS * DP_FILL];
	struct dp_mech_rule s = setting(0, 1, 1, 1);
	struct dp_normtree_shape shape;
	struct dp_normtree *p;
	struct dp_rng *rng;
	uint64_t i, before = 0;
	unsigned k;

	dp_normtree_count_shape(&shape, 1 << 14);
	if (dp_normtree_create(&p, &shape, &s.privacy) != 0 ||
	    dp_rng_open(&rng, DP_RNG_CHACHA) != 0)
		abort();
	for (i = 0; i < DP_NORMTREE_ALIAS_FROM; i += STEPS)
		for (k = 0; k < 128; k += COLUMNS) {
			check(dp_normtree_fills(p, wait[k], sizeof wait[k], COLUMNS, rng, i, w) ==
			    0);
			before += dp_normtree_alias_levels(p->alias) == 0 ? COLUMNS * STEPS : 0;
		}
	if (rng->kind == DP_RNG_CHACHA)
		check(before >= DP_NORMTREE_ALIAS_DRAWN && before < 2 * DP_NORMTREE_ALIAS_DRAWN);
	dp_rng_free(rng);
	dp_normtree_free(p);
}

int
main(void)
{
	together(300, 1, 1);
	together(1 << 14, 1, 1);
	together(1 << 14, 1, 10);
	soon();
	walk(1 << 14, 1, 1);
	walk(1 << 14, 1, 10);
	walk(20000, 3, 1);
	return done();
}
