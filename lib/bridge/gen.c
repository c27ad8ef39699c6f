/*
 * gen.c - the bridge generator (bridge.h) for windows and exponential decay: gen.h's two operation
 * tables.
 *
 * Several windows: the shape is tuned to the widest, whose error is the largest.
 */
#include <math.h>

#include "level.h"
#include "mech/filtered.h"

extern const struct dp_mech_ops dp_bridge_filtered_ops, dp_hats_filtered_ops;

struct gen {
	struct dp_gen g;
	struct dp_bridge b;
	struct dp_bridge_view view[];	/* one an output */
};

/* The generator's column stands behind ours. */
struct column {
	int64_t z[DP_BRIDGE_ROOM];	/* of the block at hand, and draws ahead */
};

static int
create(struct dp_gen **out, const struct dp_mech_rule *rule, const struct dp_gen_ops *ops,
    bool boxes)
{
	struct dp_task task = rule->task;
	struct dp_bridge_want want = { .task = &task, .T = rule->report, .boxes = boxes,
	    .dens = boxes ? 0 : dp_bridge_dens(&rule->privacy), .params = rule->privacy.params };
	struct dp_bridge_shape s;
	struct gen *g;
	unsigned i, outputs = task.windows > 1 ? task.windows : 1;
	int e;

	for (i = 1; i < task.windows; i++)
		task.w[0] = task.w[i] > task.w[0] ? task.w[i] : task.w[0];
	if (want.T < 1 || want.T > (uint64_t)1 << 50)
		want.T = want.T < 1 ? 1 : (uint64_t)1 << 50;
	if ((e = dp_bridge_search(&s, &want)) != 0)
		return e;
	if ((g = dp_gen_alloc(ops, sizeof *g + outputs * sizeof *g->view, rule)) == NULL)
		return DP_ENOMEM;
	if ((e = dp_bridge_set(&g->b, &s, &rule->privacy, false)) != 0) {
		dp_gen_free(&g->g);
		return e;
	}
	for (i = 0; i < outputs; i++)
		dp_bridge_view_set(&g->view[i], &g->b.shape, &rule->task, i);
	g->g.block = dp_bridge_block(&g->b);
	g->g.column = sizeof(struct column) + dp_bridge_column_size(&g->b);
	*out = &g->g;
	return 0;
}

static int
hats_create(struct dp_gen **g, const struct dp_mech_rule *rule)
{
	return create(g, rule, &dp_hats_gen, false);
}

static int
bridge_create(struct dp_gen **g, const struct dp_mech_rule *rule)
{
	return create(g, rule, &dp_bridge_gen, true);
}

static int
fill(const struct dp_gen *gen, void *col, struct dp_rng *rng, uint64_t i, dp_wide *w)
{
	const struct gen *g = (const void *)gen;
	struct column *c = col;
	dp_wide offset;
	unsigned j;
	int e;

	if ((e = dp_bridge_fill(&g->b, (void *)(c + 1), rng, i, c->z, &offset)) != 0)
		return e;
	for (j = 0; j < gen->block; j++)
		w[j] = offset + (dp_wide)c->z[j] * ((dp_wide)1 << 64);
	return 0;
}

static bool
valid(const struct dp_gen *gen, const void *col, uint64_t t)
{
	const struct column *c = col;

	(void)t;
	return dp_bridge_valid(&((const struct gen *)(const void *)gen)->b, (const void *)(c + 1),
	    c->z);
}

static void
law(const struct dp_gen *gen, unsigned out, uint64_t t, struct dp_law *l)
{
	dp_bridge_law(&((const struct gen *)(const void *)gen)->b, &gen->task, out, t, l);
}

static unsigned
parts(const struct dp_gen *gen, unsigned out, uint64_t t, struct dp_part *part)
{
	const struct gen *g = (const void *)gen;

	return dp_bridge_parts(&g->b, &g->view[out], t, part);
}

static void
part(const struct dp_gen *gen, unsigned out, const struct dp_part *p, struct dp_law *l)
{
	const struct gen *g = (const void *)gen;

	dp_bridge_part(&g->b, &g->view[out], p, l);
}

static void
error(const struct dp_gen *gen, unsigned out, uint64_t T, struct dp_error *e)
{
	const struct dp_bridge *b = &((const struct gen *)(const void *)gen)->b;

	e->max = dp_bridge_max(b, &gen->task, out, T, &e->worst);
	e->mean = dp_bridge_sum(b, &gen->task, out, T) / (double)T;
	e->exact = true;
}

static bool
family(const struct dp_gen *gen, unsigned i, const struct dp_noise **z, const char **what)
{
	return dp_bridge_family(&((const struct gen *)(const void *)gen)->b, i, z, what);
}

static double
unit(const struct dp_gen *gen, unsigned i)
{
	return dp_bridge_unit(&((const struct gen *)(const void *)gen)->b, i);
}

static double
draws(const struct dp_gen *gen)
{
	return dp_bridge_draws(&((const struct gen *)(const void *)gen)->b);
}

const struct dp_gen_ops dp_bridge_gen = {
	.create = bridge_create, .fill = fill, .law = law, .parts = parts, .part = part,
	.error = error,
	.family = family, .unit = unit,
	.draws = draws, .valid = valid
};

const struct dp_gen_ops dp_hats_gen = {
	.create = hats_create, .fill = fill, .law = law, .parts = parts, .part = part,
	.error = error,
	.family = family, .unit = unit,
	.draws = draws, .valid = valid
};

static int
filtered_bridge_create(struct dp_mech **m, const struct dp_mech_rule *rule)
{
	return dp_filtered_create(m, rule, &dp_bridge_filtered_ops, &dp_bridge_gen);
}

const struct dp_mech_ops dp_bridge_filtered_ops = {
	.name = "bridge",
	.source = "filtered noise of a k-ary tree with least-squares interpolation (this toolkit)",
	.tasks = DP_TASK_WINDOW | DP_TASK_EXP,
	.traits = DP_TRAIT_ENDLESS,
	.create = filtered_bridge_create, DP_FILTERED_OPERATIONS, DP_FILTERED_FAMILIES
};

static int
filtered_hats_create(struct dp_mech **m, const struct dp_mech_rule *rule)
{
	return dp_filtered_create(m, rule, &dp_hats_filtered_ops, &dp_hats_gen);
}

const struct dp_mech_ops dp_hats_filtered_ops = {
	.name = "hats",
	.source = "filtered noise of a tree of overlapping nodes (this toolkit)",
	.tasks = DP_TASK_WINDOW | DP_TASK_EXP,
	.traits = DP_TRAIT_ENDLESS,
	.create = filtered_hats_create, DP_FILTERED_OPERATIONS, DP_FILTERED_FAMILIES
};
