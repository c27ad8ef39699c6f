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

#include "certificate.h"
#include "expire.h"
#include "part.h"

#define WINDOW_MAX	((uint64_t)1 << 32)

struct expire {
	struct dp_mech m;		/* its part: the window that is protected */
	uint64_t w;
};

struct column {
	dp_wide older;
};

static const struct dp_mech_ops expire_ops;

int
dp_expire_wrap(struct dp_mech **out, struct dp_mech *inner, uint64_t W)
{
	struct expire *k;
	int e;

	/* nothing expires before T */
	if (inner->horizon != 0 && W > inner->horizon)
		W = inner->horizon;
	if (inner->outputs != 1 || inner->estimate.decimals != 0 || W == 0 || W > WINDOW_MAX) {
		dp_mech_free(inner);
		return DP_EINVAL;
	}
	if ((k = dp_mech_alloc(&expire_ops, sizeof *k, inner->horizon, 0)) == NULL) {
		dp_mech_free(inner);
		return DP_ENOMEM;
	}
	*out = &k->m;
	if ((e = dp_part_give(&k->m, inner, 1, 1)) != 0)
		return e;
	/* inner's column begins on a cache line if ours does */
	k->m.column = dp_part_place(k->m.part,
	    (sizeof(struct column) + (size_t)W * sizeof(int64_t) + 63) & ~(size_t)63);
	k->w = W;
	return 0;
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

	if ((e = dp_part_step(m->part, col, 0, rng, t, x, est)) != 0)
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

	e = dp_mech_steps(m->part->inner, dp_part_column(m->part, col, 0), rng, t, x, y, n, done);
	for (i = 0; i < *done; i++) {
		c->older += raw[p];
		raw[p] = x[i];
		y[i] += c->older;
		p = p + 1 == k->w ? 0 : p + 1;
	}
	return e;
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_mech_error(m->part->inner, T, e);
}

static const struct dp_mech_ops expire_ops = {
	.name = "expire",
	.say.source = "exact older sum and a private window (Bolot et al. 2013, Algorithm 5)",
	.tasks = DP_TASK_EXPIRE,
	.traits = DP_TRAIT_ENDLESS,
	.step = step, .many.steps = steps, .law.at = dp_parts_law, .error = error,
	.valid = dp_parts_valid, .drawn.certify = dp_certificate_parts
};
