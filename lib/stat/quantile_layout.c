/* quantile_layout.c - private numbers of events in bins: by a tree, flat, by levels. */
#include <string.h>

#include "normtree/normtree.h"
#include "quantile.h"

/* The norm tree over bins */

/* Of the largest number of leaves, and its blocks. */
#define LEAVES	(2 * DP_BINS_MAX)

static int
tree_create(struct dp_quantile *k, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter)
{
	static const struct dp_q whole = { 1, 1 };
	const unsigned h = dp_ceil_log2(k->G) > 1 ? dp_ceil_log2(k->G) : 1;
	struct dp_privacy privacy = rule->privacy;
	struct dp_normtree_shape shape = { 0 };
	int e;

	(void)counter;
	dp_normtree_shape(&shape, h);
	if ((e = dp_privacy_part(&privacy, &rule->privacy, whole, &rule->band[0].reach)) != 0 ||
	    (e = dp_normtree_create(&k->tree, &shape, &privacy)) != 0)
		return e;
	k->moved = privacy.l1;
	k->windows = 1;
	k->m.drawn.distribution = DP_NORMTREE_NOISE;
	return 0;
}

static void
tree_know(const struct dp_quantile *k)
{
	const uint64_t leaves = (uint64_t)1 << k->tree->h;
	struct dp_quantile_noise *z = (void *)(uintptr_t)&k->noise;	/* when it is asked for */
	unsigned j;

	if (z->all[0] > 0)
		return;
	z->all[0] = dp_normtree_variance(k->tree, NULL, 0, leaves);
	for (j = 1; j <= k->G; j++) {	/* E[a | P] = P/2 */
		z->own[0][j] = dp_normtree_variance(k->tree, NULL, 0, j);
		z->with[0][j] = j / (double)leaves * z->all[0];
	}
	z->own[0][k->G] = z->with[0][k->G] = z->all[0];
}

static int
tree_step(const struct dp_quantile *k, struct dp_rng *rng, const int64_t *x, double *f)
{
	int64_t wait[DP_NORMTREE_LEVELS] = { 0 }, w[LEAVES], noise = 0;
	const unsigned block = 1u << dp_normtree_bottom(k->tree);
	const uint64_t n = (uint64_t)1 << k->tree->h;
	dp_wide sum = 0;
	uint64_t i;
	int e;

	for (i = 0; i < n; i += block)
		if ((e = dp_normtree_fill(k->tree, wait, rng, i, w + i)) != 0)
			return e;
	for (f[0] = 0, i = 0; i < k->G; i++) {
		sum += x[i];
		noise += w[i];
		f[i + 1] = (double)(sum + noise);
	}
	for (; i < n; i++)	/* leaves without a bin: N has the root's noise */
		noise += w[i];
	f[k->G] = (double)(sum + noise);
	return 0;
}

const struct dp_quantile_layout dp_quantile_tree = {
	.name = "a norm tree over bins, drawn anew in each step", .create = tree_create,
	.step = tree_step, .know = tree_know
};

/* Parts */

static int
parts_create(struct dp_quantile *k, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter, const struct dp_q share[])
{
	const struct dp_mech_ops *const each[] = { counter, counter };
	int e;

	if ((e = dp_parts_create(&k->m, rule, each, share)) != 0)
		return e;
	k->windows = k->m.part[0].inner->outputs;
	k->m.drawn.distribution = k->m.part[0].inner->drawn.distribution;
	k->m.inputs = k->G;
	return 0;
}

static int
flat_create(struct dp_quantile *k, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter)
{
	static const struct dp_q whole[] = { { 1, 1 } };
	struct dp_quantile_noise *z = &k->noise;
	unsigned j;

	for (j = 0; z->own[0] != NULL && j <= k->G; j++)
		z->own[0][j] = z->with[0][j] = j;
	z->all[0] = k->G;
	return parts_create(k, rule, counter, whole);
}

static void
flat_read(const struct dp_quantile *k, const dp_wide *y, unsigned window, double *f)
{
	unsigned j;

	for (f[0] = 0, j = 0; j < k->G; j++)
		f[j + 1] = f[j] + dp_quantile_number(k, y, j, window);
}

static void
flat_add(const struct dp_quantile *k, void *col, size_t place, int64_t v)
{
	dp_parts_add(&k->m, col, place, v);
}

const struct dp_quantile_layout dp_quantile_flat = {
	.name = "a count of each bin", .create = flat_create, .read = flat_read, .add = flat_add
};

/* Two levels */

#define EVENTS		((int64_t)1 << 52)	/* of a bin and step; more are not counted */

static unsigned
wides(const struct dp_quantile *k)
{
	return (k->G + k->k - 1) / k->k;
}

/* Bins of the i-th wide one; the last may have fewer. */
static unsigned
bins_of(const struct dp_quantile *k, unsigned i)
{
	return (i + 1) * k->k <= k->G ? k->k : k->G - i * k->k;
}

static void
levels_noise(struct dp_quantile *k)
{
	struct dp_quantile_noise *z = &k->noise;
	unsigned i, j, l, n;
	double part;

	z->all[1] = wides(k);
	for (i = j = 0; i < wides(k); i++)
		for (n = bins_of(k, i), l = 0; l < n; l++, j++) {
			part = (l + 1.) / n;
			z->own[0][j + 1] = (l + 1) * (1 - part);
			z->own[1][j + 1] = i + part * part;
			z->with[1][j + 1] = i + part;
		}
}

static int
levels_create(struct dp_quantile *k, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter)
{
	static const struct dp_q share[] = { { 495, 1000 }, { 505, 1000 } };
	struct dp_mech_rule own = *rule;

	for (k->k = 1; k->k * k->k < k->G; k->k++)
		;
	levels_noise(k);
	own.bands = 2;
	own.band[1] = rule->band[0];
	own.band[1].width = wides(k);
	own.inputs += wides(k);
	return parts_create(k, &own, counter, share);
}

static void
levels_read(const struct dp_quantile *k, const dp_wide *y, unsigned window, double *f)
{
	const dp_wide *wide = y + (size_t)k->G * k->windows;
	double sum, left, before = 0;
	unsigned i, l, n;

	for (*f++ = 0, i = 0; i < wides(k); i++, y += n * k->windows, f += n) {
		n = bins_of(k, i);
		for (sum = 0, l = 0; l < n; l++)
			f[l] = sum += dp_quantile_number(k, y, l, window);
		left = dp_quantile_number(k, wide, i, window) - sum;
		for (l = 0; l < n; l++)
			f[l] += before + left * (l + 1) / n;
		before = f[n - 1];
	}
}

static void
levels_enter(const struct dp_quantile *k, const int64_t *x, int64_t *u)
{
	int64_t *wide = u + k->G;
	unsigned i;

	memset(wide, 0, wides(k) * sizeof *wide);
	for (i = 0; i < k->G; i++)
		wide[i / k->k] += u[i] = x[i] < EVENTS ? x[i] : EVENTS;
}

static void
levels_add(const struct dp_quantile *k, void *col, size_t place, int64_t v)
{
	dp_parts_add(&k->m, col, place, v);
	dp_parts_add(&k->m, col, k->G + place / k->k, v);
}

const struct dp_quantile_layout dp_quantile_levels = {
	.name = "counts of bins and of wide ones", .create = levels_create, .enter = levels_enter,
	.read = levels_read, .add = levels_add
};
