/*
 * count.c - running counts from the bridge generator: count + w_1 + .. + w_t, rounded to the grid.
 *
 * bridge     boxes.  Known T: one segment of T steps.  Unknown T: segments (mech/segments.h), each
 *            with a measured root.
 * segmented  the second form, also when T is known.
 * hats       the same two forms with hats.
 * gauss      the first form with discrete Gaussian noise, for delta > 0.
 *
 * The estimate is a function of the noisy node sums alone (bridge.h), so rounding it is
 * post-processing.  The estimate is rounded, not the noise, which alone would be no function of the
 * noisy sums.  Half goes to even, which is unbiased, as the noise is symmetric.  Rounding adds at
 * most 1/4 to the variance, in general 1/12, which predictions leave out.
 */
#include <math.h>
#include <stdlib.h>

#include "level.h"
#include "mech/ahead.h"
#include "mech/segments.h"

extern const struct dp_mech_ops dp_bridge_ops, dp_segmented_ops, dp_hats_ops, dp_gauss_ops;

#define LONG		((uint64_t)1 << 20)

struct counter {
	struct dp_mech m;
	struct dp_segments time;
	struct dp_bridge *segment;	/* tables are built when a segment begins */
	struct dp_bridge_view view[DP_SEGMENTS_MAX];
};

struct column {
	dp_wide count;
	int64_t whole;			/* noise of the last estimate of the block before */
	uint64_t fraction;		/* the fraction of that noise, units of 2^-64 */
	int64_t ahead[DP_BRIDGE_ROOM];	/* noise of a block's estimates (look_ahead()); draws */
};

/* The generator's column stands behind ours. */
static struct dp_bridge_column *
walk(struct column *c)
{
	return (void *)(c + 1);
}

static void
destroy(struct dp_mech *m)
{
	free(((struct counter *)(void *)m)->segment);
}

/*
 * Segment j: 16^(j+2) steps and a measured root, or the horizon.  Only the first one's tables are
 * built.
 */
static int
set_segment(struct counter *p, unsigned j, const struct dp_mech_rule *rule, bool endless,
    bool gauss, bool boxes)
{
	struct dp_bridge_want want = { .T = rule->horizon, .gauss = gauss, .boxes = boxes,
	    .dens = boxes ? 0 : dp_bridge_dens(&rule->privacy), .params = rule->privacy.params };
	struct dp_privacy privacy = rule->privacy;
	struct dp_bridge_shape s;
	int e;

	/*
	 * long streams: blocks of 32 are a tenth faster than the best, of 16, and their error
	 * within 2 %
	 */
	if (!boxes && rule->horizon >= LONG)
		want.bottom = 5;
	p->time.begin[j + 1] = p->time.begin[j] +
	    (endless ? (uint64_t)1 << (8 + 4 * j) : rule->horizon);
	e = endless ? dp_bridge_segment(&s, j, &want) : dp_bridge_search(&s, &want);
	if (e != 0)
		return e;
	privacy.dry |= j > 0;
	if ((e = dp_bridge_set(&p->segment[j], &s, &privacy, gauss)) != 0)
		return e;
	dp_bridge_view_set(&p->view[j], &p->segment[j].shape, NULL, 0);
	/* steps find their block alike in all segments */
	return dp_bridge_block(&p->segment[j]) != dp_bridge_block(&p->segment[0]) ? DP_EINVAL : 0;
}

static int
create(struct dp_mech **out, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *ops, bool endless, bool gauss, bool boxes)
{
	struct counter *p;
	size_t n, widest = 0;
	unsigned j;
	int e = 0;

	p = dp_mech_alloc(ops, sizeof *p, rule->horizon, 0);
	if (p == NULL)
		return DP_ENOMEM;
	p->time.n = endless ? DP_SEGMENTS_MAX : 1;
	n = p->time.n * sizeof *p->segment;
	if ((p->segment = aligned_alloc(64, (n + 63) & ~(size_t)63)) == NULL) {
		dp_mech_free(&p->m);
		return DP_ENOMEM;
	}
	for (j = 0; j < p->time.n && e == 0; j++) {
		e = set_segment(p, j, rule, endless, gauss, boxes);
		n = e == 0 ? dp_bridge_column_size(&p->segment[j]) : 0;
		if (n > widest)
			widest = n;
	}
	if (e == 0 && rule->horizon > p->time.begin[p->time.n])
		e = DP_EINVAL;
	if (e != 0) {
		dp_mech_free(&p->m);
		return e;
	}
	p->m.block = p->time.block = dp_bridge_block(&p->segment[0]) - 1;
	p->m.column = sizeof(struct column) + widest;
	*out = &p->m;
	return 0;
}

static int
bridge_create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	return create(out, rule, &dp_bridge_ops, rule->horizon == 0, false, true);
}

static int
segmented_create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	return create(out, rule, &dp_segmented_ops, true, false, true);
}

static int
gauss_create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	if (!rule->privacy.exact && (rule->privacy.rho.num == 0 || rule->privacy.wide))
		return DP_EINVAL;
	return create(out, rule, &dp_gauss_ops, rule->horizon == 0, true, true);
}

static int
hats_create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	return create(out, rule, &dp_hats_ops, rule->horizon == 0, false, false);
}

/*
 * The noise of the block of estimates that begins with step t, segment j: 4 times its floor, plus 1
 * if the fraction is above a half, plus 2 if it is a half.
 */
static int
look_ahead(const struct counter *p, struct column *c, struct dp_rng *rng, unsigned j, uint64_t t)
{
	struct dp_bridge *b = &p->segment[j];
	const uint64_t half = (uint64_t)1 << 63;
	unsigned i, n = dp_bridge_block(b);
	dp_wide offset;
	uint64_t fraction = c->fraction, part;
	uint64_t whole = (uint64_t)c->whole;	/* unsigned: a forged state must not overflow */
	int e;

	/* first use of the segment in this run */
	if (DP_UNLIKELY(b->dry) && (e = dp_bridge_build(b)) != 0)
		return e;
	if ((e = dp_bridge_fill(b, walk(c), rng, t - 1 - p->time.begin[j], c->ahead, &offset)) != 0)
		return e;
	part = (uint64_t)offset;
	for (i = 0; i < n; i++) {
		fraction += part;
		whole += (uint64_t)(offset >> 64) + (fraction < part) + (uint64_t)c->ahead[i];
		c->ahead[i] = (int64_t)(whole * 4 + (fraction > half) + 2u * (fraction == half));
	}
	c->whole = (int64_t)whole;
	c->fraction = fraction;
	return 0;
}

/* Fills ahead[] if step t begins a block. */
static int
block_of(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t)
{
	const struct counter *p = (const void *)m;

	if (DP_LIKELY(((t - 1) & p->time.block) != 0))
		return 0;
	if (t > p->time.begin[p->time.n])
		return DP_EHORIZON;
	return look_ahead(p, col, rng, dp_segments_find(&p->time, t), t);
}

/*
 * Count + noise, half to even.  A block's values, at most 2^56 each, its noise and their sum fit a
 * machine word, and only the count before it is wide.
 */
static inline void
add(const struct dp_mech *m, void *col, uint64_t i, const int64_t *x, dp_wide *y, size_t n)
{
	struct column *c = col;
	const int64_t *ahead = c->ahead + i;
	const dp_wide before = c->count;
	const int64_t odd = (int64_t)before & 1;
	int64_t sum = 0, v;
	size_t k;

	(void)m;
	for (k = 0; k < n; k++) {
		sum += x[k];
		v = sum + (ahead[k] >> 2);
		y[k] = before + (v + ((ahead[k] & 1) | (ahead[k] >> 1 & (v ^ odd) & 1)));
	}
	c->count = before + sum;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct counter *p = (const void *)m;

	return dp_ahead_step(m, col, rng, t, x, est, p->time.block, block_of, add);
}

static int
steps(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *y, size_t n, size_t *done)
{
	const struct counter *p = (const void *)m;

	return dp_ahead_steps(m, col, rng, t, x, y, n, done, p->time.block, block_of, add);
}

static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct counter *p = (const void *)m;
	const struct column *c = col;

	return dp_segments_count_fits(c->count) && dp_bridge_valid(
	    &p->segment[dp_segments_find(&p->time, t)], (const void *)(c + 1), c->ahead);
}

/* Of a segment that has ended the root's noise is left, with coefficient 1: the rest cancels. */
static void
add_roots(const struct counter *p, unsigned n, double times, struct dp_law *l)
{
	const struct dp_bridge *b;
	unsigned j, top;

	for (j = 0; j < n; j++) {
		b = &p->segment[j];
		top = b->shape.h - 1;
		dp_law_add(l, &b->noise[b->table[top]],
		    times * ldexp(1, -(int)b->shape.log2den[top]), 1);
	}
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct counter *p = (const void *)m;
	const unsigned i = dp_segments_find(&p->time, t);

	(void)out;
	add_roots(p, i, 1, l);
	dp_bridge_law(&p->segment[i], NULL, 0, t - p->time.begin[i], l);
}

/* Of a segment before, the root; of the one at hand, its parts: keys with the segment's number. */
#define SEGMENT_SHIFT	56

static unsigned
parts(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_part *part)
{
	const struct counter *p = (const void *)m;
	const unsigned i = dp_segments_find(&p->time, t);
	unsigned j, n = dp_bridge_parts(&p->segment[i], &p->view[i], t - p->time.begin[i], part);

	(void)out;
	for (j = 0; j < n; j++)
		part[j].key |= (uint64_t)i << SEGMENT_SHIFT;
	if (n > 0 && i > 0)
		part[n++] = (struct dp_part){ .still = true,
		    .key = (uint64_t)(DP_SEGMENTS_MAX + i) << SEGMENT_SHIFT };
	return n;
}

static void
part(const struct dp_mech *m, unsigned out, const struct dp_part *part, struct dp_law *l)
{
	const struct counter *p = (const void *)m;
	const unsigned i = (unsigned)(part->key >> SEGMENT_SHIFT);
	struct dp_part own = *part;

	(void)out;
	own.key &= ((uint64_t)1 << SEGMENT_SHIFT) - 1;
	if (i < DP_SEGMENTS_MAX)
		dp_bridge_part(&p->segment[i], &p->view[i], &own, l);
	else
		add_roots(p, i - DP_SEGMENTS_MAX, 1, l);
}

static void
blend(const struct dp_mech *m, uint64_t t, double now, double next, struct dp_law *l)
{
	const struct counter *p = (const void *)m;
	const unsigned i = dp_segments_find(&p->time, t + 1);

	add_roots(p, i, now + next, l);
	dp_bridge_blend(&p->segment[i], t - p->time.begin[i], now, next, l);
}

static bool
error_of(const struct dp_mech *m, unsigned j, uint64_t n, struct dp_segment_error *e)
{
	const struct dp_bridge *b = &((const struct counter *)(const void *)m)->segment[j];
	const unsigned top = b->shape.h - 1;

	e->sum = dp_bridge_sum(b, NULL, 0, n);
	e->max = dp_bridge_max(b, NULL, 0, n, &e->worst);
	e->root = ldexp(dp_noise_variance(&b->noise[b->table[top]]),
	    -2 * (int)b->shape.log2den[top]);
	return true;
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_segments_error(&((const struct counter *)(const void *)m)->time, m, T, error_of, e);
}

static bool
family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	const struct counter *p = (const void *)m;

	return dp_bridge_family(&p->segment[0], i, z, what);
}

static double
unit(const struct dp_mech *m, unsigned i)
{
	return dp_bridge_unit(&((const struct counter *)(const void *)m)->segment[0], i);
}

static double
draws(const struct dp_mech *m)
{
	return dp_bridge_draws(&((const struct counter *)(const void *)m)->segment[0]);
}

const struct dp_mech_ops dp_bridge_ops = {
	.name = "bridge",
	.source = "k-ary tree with least-squares interpolation, drawn top down (this toolkit)",
	.tasks = DP_TASK_COUNT,
	.traits = DP_TRAIT_ENDLESS,
	.create = bridge_create, .step = step, .steps = steps, .law = law,
	.parts = parts, .part = part, .blend = blend,
	.error = error,
	.family = family, .unit = unit, .draws = draws, .destroy = destroy,
	.valid = valid
};

const struct dp_mech_ops dp_segmented_ops = {
	.name = "segmented",
	.source = "bridge trees over segments of 16^2, 16^3, .. steps (this toolkit)",
	.tasks = DP_TASK_COUNT,
	.traits = DP_TRAIT_ENDLESS,
	.create = segmented_create, .step = step, .steps = steps, .law = law,
	.parts = parts, .part = part, .blend = blend,
	.error = error,
	.family = family, .unit = unit, .draws = draws, .destroy = destroy,
	.valid = valid
};

const struct dp_mech_ops dp_hats_ops = {
	.name = "hats",
	.source = "tree of overlapping hats, drawn top down (this toolkit); "
	    "unknown T: of segments of 16^2, 16^3, .. steps",
	.tasks = DP_TASK_COUNT,
	.traits = DP_TRAIT_ENDLESS,
	.create = hats_create, .step = step, .steps = steps, .law = law,
	.parts = parts, .part = part, .blend = blend,
	.error = error,
	.family = family, .unit = unit, .draws = draws, .destroy = destroy,
	.valid = valid
};

const struct dp_mech_ops dp_gauss_ops = {
	.name = "gauss",
	.source = "bridge tree with discrete Gaussian noise "
	    "(this toolkit; Canonne, Kamath, Steinke 2020)",
	.tasks = DP_TASK_COUNT,
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_DELTA | DP_TRAIT_RHO,
	.create = gauss_create, .step = step, .steps = steps, .law = law,
	.parts = parts, .part = part, .blend = blend,
	.error = error,
	.family = family, .unit = unit, .draws = draws, .destroy = destroy,
	.valid = valid
};
