#include <stdlib.h>

#include "gen.h"

void *
dp_gen_alloc(const struct dp_gen_ops *ops, size_t n, const struct dp_mech_rule *rule)
{
	/* noise tables are aligned to a cache line */
	struct dp_gen *g = aligned_alloc(64, (n + 63) & ~(size_t)63);

	if (g == NULL)
		return NULL;
	memset(g, 0, n);
	g->ops = ops;
	g->task = rule->task;
	g->horizon = rule->horizon;
	g->fraction = 64;
	g->unit = 1;
	return g;
}

void
dp_gen_lend(const struct dp_gen *g, struct dp_mech *m)
{
	m->noise = g->noise;
	m->noisy = g->noisy;
	m->unit = g->unit;
}

void
dp_gen_free(struct dp_gen *g)
{
	if (g == NULL)
		return;
	if (g->ops->destroy != NULL)
		g->ops->destroy(g);
	free(g);
}
