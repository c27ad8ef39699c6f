/*
 * count.c - running counts from buffered linear Toeplitz noise: count + (w_1 + .. + w_t) / 2^s,
 * rounded half to even to the grid; or, with columns of one norm (norm.h), count and the sum of its
 * increments, likewise.  The estimate is a function of y (blt.h), so rounding it is
 * post-processing; it adds at most 1/4 to the variance, in general 1/12, which predictions leave
 * out.
 */
#include "norm.h"
#include "mech/ahead.h"

extern const struct dp_mech_ops dp_blt_ops, dp_blt_norm_ops;

struct counter {
	struct dp_mech m;
	struct dp_gen *gen;
	unsigned fraction;		/* noise is in units of 2^-fraction */
};

struct column {
	dp_wide count;
	dp_wide noise;			/* sum of w up to the block's end */
	dp_wide ahead[DP_GEN_BLOCK];	/* sum of w up to each step of this block */
};

#define BLOCK	((uint64_t)DP_GEN_BLOCK - 1)

static const struct dp_blt *
blt(const struct counter *p)
{
	return (const void *)p->gen;
}

static void
destroy(struct dp_mech *m)
{
	dp_gen_free(((struct counter *)(void *)m)->gen);
}

static int
create_as(struct dp_mech **out, const struct dp_mech_rule *rule, const struct dp_mech_ops *ops,
    const struct dp_gen_ops *gen)
{
	struct counter *p;
	int e;

	if ((p = dp_mech_alloc(ops, sizeof *p, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	if ((e = gen->create(&p->gen, rule)) != 0) {
		dp_mech_free(&p->m);
		return e;
	}
	p->fraction = gen == &dp_blt_norm_gen ? 64 : blt(p)->s;
	p->m.block = BLOCK;
	p->m.column = sizeof(struct column) + p->gen->column;
	dp_gen_lend(p->gen, &p->m);
	*out = &p->m;
	return 0;
}

static int
create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	return create_as(out, rule, &dp_blt_ops, &dp_blt_gen);
}

static int
norm_create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	return create_as(out, rule, &dp_blt_norm_ops, &dp_blt_norm_gen);
}

/* A block of increments, units of 2^-fraction; the generator's column stands behind ours. */
static int
draw(const struct counter *p, struct column *c, struct dp_rng *rng, uint64_t i, dp_wide *w)
{
	int64_t whole[DP_GEN_BLOCK];
	unsigned k;
	int e;

	if (p->gen->ops == &dp_blt_norm_gen)
		return p->gen->ops->fill(p->gen, c + 1, rng, i, w);
	e = dp_blt_run(blt(p), (void *)(c + 1), rng, i, whole, DP_GEN_BLOCK);
	for (k = 0; e == 0 && k < DP_GEN_BLOCK; k++)
		w[k] = whole[k];
	return e;
}

/* Fills ahead[] if step t begins a block. */
static int
block_of(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t)
{
	struct column *c = col;
	dp_wide w[DP_GEN_BLOCK];
	unsigned k;
	int e;

	if (DP_LIKELY(((t - 1) & BLOCK) != 0))
		return 0;
	if ((e = draw((const void *)m, c, rng, t - 1, w)) != 0)
		return e;
	for (k = 0; k < DP_GEN_BLOCK; k++)
		c->ahead[k] = c->noise = (dp_wide)((dp_uwide)c->noise + (dp_uwide)w[k]);
	return 0;
}

static inline void
add(const struct dp_mech *m, void *col, uint64_t i, const int64_t *x, dp_wide *y, size_t n)
{
	const unsigned s = ((const struct counter *)(const void *)m)->fraction;
	struct column *c = col;
	size_t k;

	for (k = 0; k < n; k++) {
		c->count += x[k];
		y[k] = dp_add_noise(c->count, c->ahead[i + k], s);
	}
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	return dp_ahead_step(m, col, rng, t, x, est, BLOCK, block_of, add);
}

static int
steps(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *y, size_t n, size_t *done)
{
	return dp_ahead_steps(m, col, rng, t, x, y, n, done, BLOCK, block_of, add);
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_gen *g = ((const struct counter *)(const void *)m)->gen;

	(void)out;
	g->ops->law(g, 0, t, l);
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct dp_gen *g = ((const struct counter *)(const void *)m)->gen;

	g->ops->error(g, 0, T, e);
}

const struct dp_mech_ops dp_blt_ops = {
	.name = "blt",
	.source = "buffered linear Toeplitz noise (Dvijotham et al. 2024), in integers "
	    "(this toolkit)",
	.tasks = DP_TASK_COUNT,
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_DELTA | DP_TRAIT_RISING,
	.create = create, .step = step, .steps = steps, .law = law, .error = error,
	.destroy = destroy
};

const struct dp_mech_ops dp_blt_norm_ops = {
	.name = "blt-norm",
	.source = "buffered linear Toeplitz noise, columns of one norm (Dvijotham et al. 2024; "
	    "Henzinger et al. 2025; in integers, this toolkit)",
	.tasks = DP_TASK_COUNT,
	.traits = DP_TRAIT_DELTA,
	.create = norm_create, .step = step, .steps = steps, .law = law,
	.error = error, .destroy = destroy
};
