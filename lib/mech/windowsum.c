/*
 * windowsum.c - sums of the last W step values, endless: WINDOWSUM, Bolot, Fawaz, Muthukrishnan, Nikolov, Taft
 * 2013, Algorithm 1, for any W >= 1.
 *
 * Time is cut into blocks of W steps.  A block's nodes are the aligned dyadic intervals
 * [s 2^l, (s+1) 2^l) inside [0, W), and [0, W) itself.  A position lies in one node of each size
 * 2^l, l <= floor(lg W), at most, and in [0, W), which is one of them if W is a power of two: in at most
 * ceil(lg W) + 1 nodes (position 0 in exactly so many).  So each node has share 1/(ceil(lg W) + 1).
 *
 * Step t = (k-1) W + j, 1 <= j <= W: the window is positions [j, W) of block k-1 and [0, j) of block k.
 *   paper cover   [0,W) - [0,j) of block k-1, + [0,j) of block k; prefixes as the set bits of j say
 *   suffix cover  the fewest aligned nodes that make up [j, W), + the same
 * windowsum takes the one with fewer nodes, the paper's if equal; this depends on the step alone,
 * so it is post-processing.  windowsum-paper: always the paper's.  No block comes before the first.
 * A known horizon T < W: no window is longer than T, and W becomes T.
 *
 * The column holds the noise of two blocks' nodes and the last W raw values: 5 W words (not pan-private).
 * Step: O(lg W) time, under 2 draws on average.  Draw order: nodes that start at the step's position, [0,W)
 * first, then the longest first.
 */
#include "mech.h"

extern const struct dp_mech_ops dp_windowsum_ops, dp_windowsum_paper_ops;

#define WINDOW_MAX	((uint64_t)1 << 26)	/* steps of a window: 2.5 GiB a column */

struct window {
	struct dp_mech m;
	uint64_t w;
	bool paper;
	unsigned high;			/* floor(lg W) */
	struct dp_noise noise;
};

/* Behind it: W raw values, then 2 W words of noise for each of two blocks. */
struct column {
	dp_wide sum;			/* of the window, exact */
};

static int
create(struct dp_mech **out, const struct dp_mech_rule *rule, const struct dp_mech_ops *ops, bool paper)
{
	struct window *k;
	uint64_t w = rule->task.w[0];
	int e;

	if (rule->task.windows != 1 || w == 0)
		return DP_EINVAL;
	if (rule->horizon != 0 && w > rule->horizon)
		w = rule->horizon;
	if (w > WINDOW_MAX)
		return DP_EINVAL;
	/* a multiple of 16: columns stand in a row */
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon,
	    sizeof(struct column) + ((size_t)w * 5 + 1) / 2 * 2 * sizeof(int64_t));
	if (k == NULL)
		return DP_ENOMEM;
	k->w = w;
	k->paper = paper;
	k->high = 63 - (unsigned)__builtin_clzll(w);
	e = dp_privacy_laplace(&k->noise, &rule->privacy, dp_q_make(1, dp_ceil_log2(w) + 1));
	if (e != 0) {
		dp_mech_free(&k->m);
		return e;
	}
	*out = &k->m;
	return 0;
}

static int
best_create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	return create(out, rule, &dp_windowsum_ops, false);
}

static int
paper_create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	return create(out, rule, &dp_windowsum_paper_ops, true);
}

/*
 * A block's nodes in order of their middles: [s 2^l, (s+1) 2^l) stands at (2s+1) 2^l - 1 <= 2 W - 2, no two at
 * the same place.  The last word is [0, W) of a W that is not a power of two.
 */
static inline int64_t *
node(int64_t *block, uint64_t begin, unsigned l)
{
	return block + 2 * begin + ((uint64_t)1 << l) - 1;
}

static inline int64_t *
root(const struct window *k, int64_t *block)
{
	return (k->w & (k->w - 1)) == 0 ? node(block, 0, k->high) : block + 2 * k->w - 1;
}

/* Position p begins. */
static int
draw_nodes(const struct window *k, int64_t *block, struct dp_rng *rng, uint64_t p)
{
	/* a dyadic [0, W) is not drawn twice */
	unsigned l = p != 0 ? (unsigned)__builtin_ctzll(p) + 1 : k->high + ((k->w & (k->w - 1)) != 0);
	int e;

	if (p == 0 && (e = dp_draw(&k->noise, rng, root(k, block))) != 0)
		return e;
	while (l-- > 0)
		if (p + ((uint64_t)1 << l) <= k->w && (e = dp_draw(&k->noise, rng, node(block, p, l))) != 0)
			return e;
	return 0;
}

/* Noise of [0, j), j < W: one node for every set bit, the longest first. */
static dp_wide
prefix(int64_t *block, uint64_t j)
{
	dp_wide z = 0;
	uint64_t n;

	for (n = j; n != 0; n &= n - 1)
		z += *node(block, n & (n - 1), (unsigned)__builtin_ctzll(n));
	return z;
}

/*
 * [j, W), 0 < j < W: up to M, the multiple of the highest power of two at which j and W differ, the nodes of M - j;
 * from there those of W - M.
 */
static uint64_t
middle(const struct window *k, uint64_t j)
{
	unsigned d = 63 - (unsigned)__builtin_clzll(j ^ k->w);

	return k->w >> d << d;
}

static dp_wide
suffix(const struct window *k, int64_t *block, uint64_t j)
{
	uint64_t m = middle(k, j), n;
	dp_wide z = 0;
	unsigned l;

	for (; j < m; j += (uint64_t)1 << l) {
		l = (unsigned)__builtin_ctzll(m - j);
		z += *node(block, j, l);
	}
	for (n = k->w - m; n != 0; n -= (uint64_t)1 << l) {
		l = 63 - (unsigned)__builtin_clzll(n);
		z += *node(block, k->w - n, l);
	}
	return z;
}

/* Nodes of the two covers of [j, W), 0 < j < W, and which is taken. */
static unsigned
older(const struct window *k, uint64_t j, bool *paper)
{
	uint64_t m = middle(k, j);
	unsigned p = 1 + (unsigned)__builtin_popcountll(j);
	unsigned s = (unsigned)__builtin_popcountll(m - j) + (unsigned)__builtin_popcountll(k->w - m);

	*paper = k->paper || p <= s;
	return *paper ? p : s;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x, dp_wide *est)
{
	const struct window *k = (const void *)m;
	struct column *c = col;
	int64_t *raw = (void *)(c + 1), *noise = raw + k->w, *now, *old;
	uint64_t p = (t - 1) % k->w, j = p + 1;
	bool odd = (t - 1) / k->w & 1, paper;
	int e;

	now = noise + (odd ? 2 * k->w : 0);
	old = noise + (odd ? 0 : 2 * k->w);
	if ((e = draw_nodes(k, now, rng, p)) != 0)
		return e;
	c->sum += (dp_wide)*x - raw[p];
	raw[p] = *x;
	*est = c->sum;
	if (j == k->w) {
		*est += *root(k, now);
		return 0;
	}
	*est += prefix(now, j);
	if (t > k->w) {
		older(k, j, &paper);
		*est += paper ? (dp_wide)*root(k, old) - prefix(old, j) : suffix(k, old, j);
	}
	return 0;
}

static unsigned
nodes(const struct window *k, uint64_t t)
{
	uint64_t j = (t - 1) % k->w + 1;
	bool paper;

	if (j == k->w)
		return 1;
	return (unsigned)__builtin_popcountll(j) + (t > k->w ? older(k, j, &paper) : 0);
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct window *k = (const void *)m;

	(void)out;
	dp_law_add(l, &k->noise, 1, nodes(k, t));
}

/* After the first block the pattern repeats: one period says all. */
static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct window *k = (const void *)m;
	double v = dp_noise_variance(&k->noise), sum = 0;
	unsigned n, most = 0;
	uint64_t j, first = T < k->w ? T : k->w, t;

	for (t = 1; t <= first; t++) {
		n = nodes(k, t);
		sum += n;
		if (n > most) {
			most = n;
			e->worst = t;
		}
	}
	for (j = 1; j <= k->w && k->w + j <= T; j++) {
		t = k->w + j;
		n = nodes(k, t);
		sum += (double)n * (double)((T - j) / k->w);
		if (n > most) {
			most = n;
			e->worst = t;
		}
	}
	e->max = most * v;
	e->mean = sum / (double)T * v;
}

static bool
family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	*z = &((const struct window *)(const void *)m)->noise;
	*what = "every node of every block of a window's length";
	return i == 0;
}

static double
draws(const struct dp_mech *m)
{
	const struct window *k = (const void *)m;
	uint64_t n = (k->w & (k->w - 1)) != 0;
	unsigned l;

	for (l = 0; l <= k->high; l++)
		n += k->w >> l;
	return (double)n / (double)k->w;
}

const struct dp_mech_ops dp_windowsum_ops = {
	.name = "windowsum",
	.source = "trees over blocks of a window's length, the shorter of two covers (Bolot et al. 2013, Algorithm 1)",
	.tasks = DP_TASK_WINDOW,
	.traits = DP_TRAIT_ENDLESS,
	.create = best_create, .step = step, .law = law, .error = error,
	.family = family, .draws = draws
};

const struct dp_mech_ops dp_windowsum_paper_ops = {
	.name = "windowsum-paper",
	.source = "trees over blocks of a window's length (Bolot et al. 2013, Algorithm 1, as printed)",
	.tasks = DP_TASK_WINDOW,
	.traits = DP_TRAIT_ENDLESS,
	.create = paper_create, .step = step, .law = law, .error = error,
	.family = family, .draws = draws
};
