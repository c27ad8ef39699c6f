/*
 * expire.c - a running count under sharp expiry: PRIVACYEXPIRATION, Bolot et al. 2013, Algorithm 5.
 *
 * At step t the last W steps are protected and older ones public.  The estimate is the exact sum of
 * x_1, .., x_(t-W) plus the inner mechanism's estimate of the last W steps' sum.  While step i is
 * protected (t < i + W), its value reaches the outputs through inner alone, so the loss is inner's;
 * error and law are inner's too.  From step i + W on two successive estimates may show x_i exactly:
 * that is what expiry means.
 *
 * The column: the exact sum, the last W raw values (never pan-private), then inner's column.
 */
#include <stdlib.h>

#include "mech.h"

#define WINDOW_MAX	((uint64_t)1 << 32)

struct expire {
	struct dp_mech m;
	struct dp_mech *inner;
	uint64_t w;
	size_t offset;			/* of inner's column */
};

struct column {
	dp_wide older;
};

static const struct dp_mech_ops expire_ops, tried_ops;

int
dp_expire_wrap(struct dp_mech **out, struct dp_mech *inner, uint64_t W)
{
	struct expire *k;
	size_t offset;

	/* nothing expires before T */
	if (inner->horizon != 0 && W > inner->horizon)
		W = inner->horizon;
	if (inner->outputs != 1 || inner->decimals != 0 || W == 0 || W > WINDOW_MAX) {
		dp_mech_free(inner);
		return DP_EINVAL;
	}
	/* inner's column begins on a cache line if ours does */
	offset = (sizeof(struct column) + (size_t)W * sizeof(int64_t) + 63) & ~(size_t)63;
	k = dp_mech_alloc(inner->ops->error != NULL ? &expire_ops : &tried_ops, sizeof *k,
	    inner->horizon, offset + (inner->column + 15) / 16 * 16);
	if (k == NULL) {
		dp_mech_free(inner);
		return DP_ENOMEM;
	}
	k->inner = inner;
	k->w = W;
	k->offset = offset;
	*out = &k->m;
	return 0;
}

static void
destroy(struct dp_mech *m)
{
	dp_mech_free(((struct expire *)(void *)m)->inner);
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct expire *k = (const void *)m;

	return k->inner->ops->start == NULL ? 0 :
	    k->inner->ops->start(k->inner, (char *)col + k->offset, rng);
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct expire *k = (const void *)m;
	struct column *c = col;
	int64_t *raw = (void *)(c + 1);
	uint64_t p = (t - 1) % k->w;
	int e;

	if ((e = k->inner->ops->step(k->inner, (char *)col + k->offset, rng, t, x, est)) != 0)
		return e;
	c->older = dp_wrapped(c->older, raw[p]);	/* x_(t-W), or 0 */
	raw[p] = *x;
	*est = dp_wrapped(*est, c->older);
	return 0;
}

static int
steps(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *y, size_t n, size_t *done)
{
	const struct expire *k = (const void *)m;
	struct column *c = col;
	int64_t *raw = (void *)(c + 1);
	uint64_t p = (t - 1) % k->w;
	size_t i;
	int e;

	e = dp_mech_steps(k->inner, (char *)col + k->offset, rng, t, x, y, n, done);
	for (i = 0; i < *done; i++) {
		c->older += raw[p];
		raw[p] = x[i];
		y[i] += c->older;
		p = p + 1 == k->w ? 0 : p + 1;
	}
	return e;
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_mech *inner = ((const struct expire *)(const void *)m)->inner;

	inner->ops->law(inner, out, t, l);
}

static unsigned
parts(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_part *p)
{
	const struct dp_mech *inner = ((const struct expire *)(const void *)m)->inner;

	return inner->ops->parts == NULL ? 0 : inner->ops->parts(inner, out, t, p);
}

static void
part(const struct dp_mech *m, unsigned out, const struct dp_part *p, struct dp_law *l)
{
	const struct dp_mech *inner = ((const struct expire *)(const void *)m)->inner;

	inner->ops->part(inner, out, p, l);
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct dp_mech *inner = ((const struct expire *)(const void *)m)->inner;

	inner->ops->error(inner, T, e);
}

static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct expire *k = (const void *)m;

	return k->inner->ops->valid == NULL ||
	    k->inner->ops->valid(k->inner, (const char *)col + k->offset, t);
}

static bool
family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	const struct dp_mech *inner = ((const struct expire *)(const void *)m)->inner;

	return dp_mech_family(inner, i, z, what);
}

static double
unit(const struct dp_mech *m, unsigned i)
{
	const struct dp_mech *inner = ((const struct expire *)(const void *)m)->inner;

	return dp_mech_unit(inner, i);
}

static double
draws(const struct dp_mech *m)
{
	const struct dp_mech *inner = ((const struct expire *)(const void *)m)->inner;

	return dp_mech_draws(inner);
}

#define COMMON \
	.name = "expire", \
	.source = "exact older sum and a private window (Bolot et al. 2013, Algorithm 5)", \
	.tasks = DP_TASK_EXPIRE, \
	.traits = DP_TRAIT_ENDLESS, \
	.start = start, .step = step, .steps = steps, .law = law, .parts = parts, .part = part, \
	.valid = valid, .family = family, .unit = unit, .draws = draws, .destroy = destroy

static const struct dp_mech_ops expire_ops = { COMMON, .error = error };
/* inner has no formula, so every step is tried */
static const struct dp_mech_ops tried_ops = { COMMON };
