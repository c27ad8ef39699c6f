/* SPDX-License-Identifier: ISC */
/* window.c - WINDOWSUM and ALLWINDOWSUM (Bolot et al. 2013, Algorithms 1 and 2). */
#include <math.h>
#include <string.h>

#include "counter/filter.h"
#include "internal.h"

/*
 * Sums of the last W step values, endless, for any W >= 1: WINDOWSUM, Bolot, Fawaz,
 * Muthukrishnan, Nikolov, Taft 2013, Algorithm 1.  The exact sum, plus the noise of internal.h.
 *
 * A step lies in at most h + 1 = ceil(lg W) + 1 intervals that release their sum (internal.h), so
 * each
 * has share 1/(h + 1).  Which cover of a window is read depends on the step alone: post-processing.
 * A known horizon T < W: no window is longer than T, and W becomes T.
 *
 * The column holds the last W raw values (never pan-private), then the state of internal.h: 3 W
 * words.
 */

#define WINDOW_MAX	((uint64_t)1 << 26)	/* steps of a window: 1.5 GiB a column */

struct window {
	struct dp_mech m;
	struct dp_wsum sum;
	struct dp_noise noise;
};

/* Behind it: W raw values, then dp_wsum_words(). */
struct column {
	dp_wide sum;			/* of the window, exact */
};

static int
windowsum_create(struct dp_mech **out, const struct dp_mech_ops *ops,
    const struct dp_mech_rule *rule)
{
	struct window *k;
	uint64_t w = rule->task.w[0];
	size_t words;

	if (rule->task.windows != 1 || w == 0)
		return DP_EINVAL;
	if (rule->horizon != 0 && w > rule->horizon)
		w = rule->horizon;
	if (w > WINDOW_MAX)
		return DP_EINVAL;
	if ((k = dp_mech_alloc(ops, sizeof *k, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	dp_wsum_set(&k->sum, w);
	words = (size_t)w + dp_wsum_words(&k->sum);
	/* a multiple of 16: columns stand in a row */
	k->m.column = sizeof(struct column) + (words + 1) / 2 * 2 * sizeof(int64_t);
	k->m.drawn.noise = &k->noise;
	k->m.drawn.numbers = "every node of every block of a window's length";
	return dp_privacy_laplace(&k->noise, &rule->privacy, dp_q_make(1, k->sum.h + 1));
}

static int
windowsum_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct window *k = (const void *)m;
	struct column *c = col;
	int64_t *raw = (void *)(c + 1);
	uint64_t p = (t - 1) % k->sum.w;

	*est = c->sum += (dp_wide)*x - raw[p];
	raw[p] = *x;
	return dp_wsum_step(&k->sum, raw + k->sum.w, &k->noise, rng, t, est);
}

static void
law_windowsum(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct window *k = (const void *)m;

	(void)out;
	dp_law_add(l, &k->noise, 1, dp_wsum_terms(&k->sum, t));
}

static void
windowsum_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct window *k = (const void *)m;
	double v = dp_noise_variance(&k->noise), sum;
	unsigned most;

	dp_wsum_total(&k->sum, T, &sum, &most, &e->worst);
	e->max = most * v;
	e->mean = sum / (double)T * v;
}

static double
draws_windowsum(const struct dp_mech *m)
{
	const struct dp_wsum *s = &((const struct window *)(const void *)m)->sum;
	uint64_t n = 1;
	unsigned l;

	for (l = 0; l < s->h; l++)
		n += s->w >> l;
	return (double)n / (double)s->w;
}

/* A step lies in one interval a level. */
static int
windowsum_certify(const struct dp_mech *m, struct dp_buf *b)
{
	return dp_certificate_laplace(b, m->drawn.noise,
	    ((const struct window *)(const void *)m)->sum.h + 1);
}

const struct dp_mech_ops dp_windowsum_paper_ops = {
	.name = "windowsum-paper",
	.say.source = "trees over blocks of a window's length "
	    "(Bolot et al. 2013, Algorithm 1, as printed)",
	.tasks = DP_TASK_WINDOW,
	.traits = DP_TRAIT_ENDLESS,
	.create = windowsum_create, .step = windowsum_step, .law.at = law_windowsum, .error =
	    windowsum_error, .drawn.number = draws_windowsum,
	.drawn.certify = windowsum_certify
};

/*
 * Sums of the last W_1, .., W_n step values from one budget: ALLWINDOWSUM, Bolot et
 * al. 2013, Algorithm 2, with the canonical cover.
 *
 * The node (e - 2^l, e], 2^l | e, is released when step e closes it, with noise of share eps_l.  A
 * step lies in one node of a level, so the loss is the sum of the eps_l, whatever sums are formed.
 * Window W at step t is the fewest nodes that make up (max(0, t-W), t]; no node is longer than the
 * longest window.
 *
 * eps_l is (l+1)^-1.5 / zeta(1.5) epsilon, for windows of any length up to an unknown T; over the
 * floor(lg T)+1 levels of a known T.
 *
 * (The printed formula is undefined or wrong for lengths that are not powers of two; its
 * correction by differences of prefixes uses nodes that cancel, with more noise than the cover.)
 *
 * The column holds max W raw values and the noise of less than 2 max W nodes (not pan-private).
 * Step: O(lg W) time for every window, under 2 draws on average.  Draw order: shortest node first.
 */

#define LEVELS	27
#define WHOLE	((uint64_t)1 << 32)	/* shares are multiples of 1/WHOLE */

struct allwindow {
	struct dp_mech m;
	uint64_t w[DP_WINDOWS_MAX], widest;
	unsigned levels;
	size_t ring[LEVELS];		/* where level l's widest / 2^l nodes begin, in words */
	struct dp_noise noise[LEVELS];
};

/* Behind it: widest raw values, then the rings of noise. */
struct column_allwindow {
	dp_wide sum[DP_WINDOWS_MAX];	/* of each window, exact */
};

static double
weight_allwindow(unsigned l)
{
	return 1 / ((l + 1.) * sqrt(l + 1.));
}

/* The sum of the weights to share among. */
static double
total(unsigned levels)
{
	double sum = 0;

	while (levels-- > 0)
		sum += weight_allwindow(levels);
	return sum;
}

/*
 * Shares are rounded down to multiples of 1/WHOLE.  Their sum is a multiple too, and exceeds 1 by
 * less than the relative 1e-14 of the doubles, so it is at most 1; `left` makes that independent of
 * the doubles.
 */
static int
set_noise_allwindow(struct allwindow *k, const struct dp_privacy *privacy, double whole)
{
	uint64_t part, left = WHOLE;
	unsigned l;
	int e = 0;

	for (l = 0; l < k->levels && e == 0; l++) {
		part = (uint64_t)(weight_allwindow(l) / whole * (double)WHOLE);
		if (part > left)
			part = left;
		left -= part;
		e = part == 0 ? DP_ERANGE :
		    dp_privacy_laplace(&k->noise[l], privacy, dp_q_make(part, WHOLE));
	}
	return e;
}

static int
allwindow_create(struct dp_mech **out, const struct dp_mech_ops *ops,
    const struct dp_mech_rule *rule)
{
	const double zeta = 2.612375348685489;		/* of 1.5, rounded up */
	const struct dp_task *task = &rule->task;
	struct allwindow *k;
	double whole;
	size_t words;
	unsigned i, l;

	if (task->windows < 1 || task->windows > DP_WINDOWS_MAX)
		return DP_EINVAL;
	if ((k = dp_mech_alloc(ops, sizeof *k, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	for (i = 0; i < task->windows; i++) {
		/* no window is longer than T */
		k->w[i] = task->w[i];
		if (rule->horizon != 0 && k->w[i] > rule->horizon)
			k->w[i] = rule->horizon;
		if (k->w[i] > k->widest)
			k->widest = k->w[i];
		if (k->w[i] == 0 || k->w[i] > WINDOW_MAX)
			return DP_EINVAL;
	}
	k->levels = 64 - (unsigned)__builtin_clzll(k->widest);
	words = (size_t)k->widest;
	for (l = 0; l < k->levels; l++) {
		k->ring[l] = words;
		words += (size_t)(k->widest >> l);
	}
	whole = rule->horizon == 0 ? zeta :
	    total(64 - (unsigned)__builtin_clzll(rule->horizon));
	k->m.outputs = task->windows;
	k->m.column = sizeof(struct column_allwindow) + (words + 1) / 2 * 2 * sizeof(int64_t);
	return set_noise_allwindow(k, &rule->privacy, whole);
}

/*
 * (a, b] is made up of the nodes of M - a, growing, and of b - M, shrinking: M is b without the
 * bits below the highest at which a and b differ.  All lie in (b - widest, b], so at most widest /
 * 2^l of level l are alive at a time, and a ring holds them.
 */
static uint64_t
middle(uint64_t a, uint64_t b)
{
	unsigned d = 63 - (unsigned)__builtin_clzll(a ^ b);

	return b >> d << d;
}

static int64_t *
node(const struct allwindow *k, int64_t *word, uint64_t begin, unsigned l)
{
	return word + k->ring[l] + (begin >> l) % (k->widest >> l);
}

static dp_wide
cover(const struct allwindow *k, int64_t *word, uint64_t a, uint64_t b)
{
	uint64_t m = middle(a, b), n;
	dp_wide z = 0;
	unsigned l;

	for (n = m - a; n != 0; n &= n - 1) {
		l = (unsigned)__builtin_ctzll(n);
		z += *node(k, word, m - n, l);
	}
	for (n = b - m; n != 0; n &= n - 1) {
		l = (unsigned)__builtin_ctzll(n);
		z += *node(k, word, m + (n & (n - 1)), l);
	}
	return z;
}

static int
allwindow_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct allwindow *k = (const void *)m;
	struct column_allwindow *c = col;
	int64_t *word = (void *)(c + 1);
	unsigned i, l;
	int e;

	for (l = 0; l < k->levels && (t & (((uint64_t)1 << l) - 1)) == 0; l++)
		if ((e = dp_draw(&k->noise[l], rng, node(k, word, t - ((uint64_t)1 << l), l))) != 0)
			return e;
	for (i = 0; i < m->outputs; i++) {
		c->sum[i] += *x;
		if (t > k->w[i])	/* the widest window's is overwritten below */
			c->sum[i] -= word[(t - 1 - k->w[i]) % k->widest];
		est[i] = dp_wrapped(c->sum[i],
		    cover(k, word, t > k->w[i] ? t - k->w[i] : 0, t));
	}
	word[(t - 1) % k->widest] = *x;
	return 0;
}

static void
law_allwindow(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct allwindow *k = (const void *)m;
	uint64_t a = t > k->w[out] ? t - k->w[out] : 0, mid = middle(a, t);
	unsigned i;

	for (i = 0; i < k->levels; i++)
		dp_law_add(l, &k->noise[i], 1,
		    (double)(((mid - a) >> i & 1) + ((t - mid) >> i & 1)));
}

/* The sum over the set bits of n. */
static double
weigh(const double *v, uint64_t n)
{
	double sum = 0;

	for (; n != 0; n &= n - 1)
		sum += v[__builtin_ctzll(n)];
	return sum;
}

/* Sum over 0, 1, .., n - 1. */
static double
before(const double *v, uint64_t n)
{
	double sum = 0, max;
	uint64_t worst;

	if (n > 0)
		dp_bits_sum(n - 1, v, &max, &worst, &sum);
	return sum;
}

/* The sum of weigh(y) + weigh(c - y) over y = from .. to. */
static double
between(const double *v, uint64_t c, uint64_t from, uint64_t to)
{
	return before(v, to + 1) - before(v, from) + before(v, c - from + 1) - before(v, c - to);
}

/* The largest of weigh(y) + weigh(c - y), and the largest y that has it. */
struct split {
	double most;
	uint64_t y;
};

static void
better(struct split *s, double v, uint64_t y)
{
	const double same = 1e-13 * v;

	if (v > s->most + same || (v > s->most - same && y > s->y))
		*s = (struct split){ v, y };
}

/* y = base .. base + 2^n - 1, bit by bit: the best, by whether c - y borrows from the next. */
static void
splits(struct split *s, const double *v, uint64_t c, uint64_t base, unsigned n)
{
	const uint64_t rest = (c - base) >> n << n;
	struct split best[2] = { { 0, 0 }, { -INFINITY, 0 } }, next[2];
	unsigned i, borrow, bit, d;

	for (i = 0; i < n; i++, memcpy(best, next, sizeof best)) {
		next[0] = next[1] = (struct split){ -INFINITY, 0 };
		for (borrow = 0; borrow < 2; borrow++)
			for (bit = 0; bit < 2; bit++) {
				d = (unsigned)((c - base) >> i & 1) - bit - borrow;
				better(&next[d >> 31], best[borrow].most +
				    (bit + (d & 1)) * v[i], best[borrow].y | (uint64_t)bit << i);
			}
	}
	better(s, best[0].most + weigh(v, base) + weigh(v, rest), base + best[0].y);
	if (rest != 0)
		better(s, best[1].most + weigh(v, base) +
		    weigh(v, rest - ((uint64_t)1 << n)), base + best[1].y);
}

/*
 * Window W up to step W: the cover of (0, t] is the set bits of t.  At step W + i it is those of y
 * and W - y, y = P - (i mod P), P = 2^floor(lg W) the longest node's length.
 */
static double
error_of(const double *v, uint64_t w, uint64_t T, struct dp_error *e)
{
	const uint64_t P = (uint64_t)1 << (63 - __builtin_clzll(w));
	const uint64_t n = T > w ? T - w : 0, part = n % P;
	uint64_t y = n < P ? P - n : 1, end = n < P ? P : P + 1, worst;
	struct split s = { -INFINITY, 0 };
	double max, sum;
	unsigned m;

	dp_bits_sum(T < w ? T : w, v, &max, &worst, &sum);
	if (n >= P)
		sum += (double)(n / P) * between(v, w, 1, P);
	if (part > 0)
		sum += between(v, w, P - part, P - 1);
	for (; y < end; y += (uint64_t)1 << m) {	/* aligned blocks */
		for (m = (unsigned)__builtin_ctzll(y); y + ((uint64_t)1 << m) > end; m--)
			;
		splits(&s, v, w, y, m);
	}
	if (s.most > max) {
		max = s.most;
		worst = w + P - s.y + (s.y == P ? P : 0);
	}
	if (max > e->max) {
		e->max = max;
		e->worst = worst;
	}
	return sum;
}

static void
allwindow_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct allwindow *k = (const void *)m;
	double v[64] = { 0 }, sum = 0;
	unsigned i;

	for (i = 0; i < k->levels; i++)
		v[i] = dp_noise_variance(&k->noise[i]);
	e->max = -1;
	for (i = 0; i < m->outputs; i++)
		sum += error_of(v, k->w[i], T, e);
	e->mean = sum / (double)T / m->outputs;
}

static bool
allwindow_family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	const struct allwindow *k = (const void *)m;

	*z = &k->noise[i < k->levels ? i : 0];
	*what = i == 0 ? "every step value" :
	    i == k->levels - 1 ? "every node of the highest level" : "every node of a middle level";
	return i < k->levels;
}

static double
draws_allwindow(const struct dp_mech *m)
{
	return 2 - ldexp(2, -(int)((const struct allwindow *)(const void *)m)->levels);
}

static int
allwindow_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct allwindow *k = (const void *)m;
	unsigned l;
	int e = 0;

	for (l = 0; l < k->levels && e == 0; l++)
		e = dp_certificate_laplace(b, &k->noise[l], 1);
	return e;
}

const struct dp_mech_ops dp_allwindow_paper_ops = {
	.name = "allwindow-paper",
	.say.source = "dyadic intervals, shares (l+1)^-1.5 for windows of every length "
	    "(Bolot et al. 2013, Algorithm 2)",
	.tasks = DP_TASK_WINDOW,
	.traits = DP_TRAIT_ENDLESS,
	.create = allwindow_create, .step = allwindow_step, .law.at = law_allwindow, .error =
	    allwindow_error,
	.drawn.family = allwindow_family, .drawn.number = draws_allwindow, .drawn.certify =
	    allwindow_certify
};

/*
 * State: the roots of this block and the one before; path[l], the noise of the last left interval
 * of level l; prefix[j], of p(j), of the block before until step j of this one; W words more, which
 * are not used: states of versions that did go on.
 */
struct view {
	int64_t *root, *before, *path, *prefix;
};

static struct view
view(const struct dp_wsum *s, int64_t *state)
{
	struct view v = { state, state + 1, state + 2, state + 2 + s->h };

	return v;
}

void
dp_wsum_set(struct dp_wsum *s, uint64_t w)
{
	s->w = w;
	s->h = dp_ceil_log2(w);
}

size_t
dp_wsum_words(const struct dp_wsum *s)
{
	return s->w == 1 ? 1 : 2 + s->h + 2 * (size_t)s->w;
}

/* Levels of the intervals that begin at u: all below the result. */
static unsigned
begins(const struct dp_wsum *s, uint64_t u)
{
	unsigned most = u == 0 ? s->h : (unsigned)__builtin_ctzll(u) + 1;
	unsigned fits = 64 - (unsigned)__builtin_clzll(s->w - u);

	if (most > s->h)
		most = s->h;
	return most < fits ? most : fits;
}

static int
draw(const struct dp_wsum *s, struct view *v, const struct dp_noise *noise, struct dp_rng *rng,
    uint64_t u)
{
	unsigned n = begins(s, u), l, root = u == 0;
	int64_t z[65];
	int e;

	if ((e = dp_noise_fill(noise, rng, z, n + root)) != 0)
		return e;
	if (root) {
		*v->before = *v->root;
		*v->root = z[0];
	}
	for (l = 0; l < n; l++)
		if ((u >> l & 1) == 0)		/* a left one */
			v->path[l] = z[root + n - 1 - l];
	return 0;
}

int
dp_wsum_step(const struct dp_wsum *s, int64_t *state, const struct dp_noise *noise,
    struct dp_rng *rng, uint64_t n, dp_wide *est)
{
	uint64_t u = (n - 1) % s->w, j = u + 1;
	struct view v = view(s, state);
	dp_wide own, older = 0;		/* they fit a word, unless a forged state says otherwise */
	int e;

	if (s->w == 1) {
		if ((e = dp_noise_fill(noise, rng, state, 1)) == 0)
			*est += *state;
		return e;
	}
	if ((e = draw(s, &v, noise, rng, u)) != 0)
		return e;
	if (j == s->w) {
		*est += *v.root;
		return 0;
	}
	/* j & (j - 1) < j was written in this block; 0 is the empty prefix */
	own = (dp_wide)v.prefix[j & (j - 1)] + v.path[__builtin_ctzll(j)];
	if (n > s->w)
		older = (dp_wide)*v.before - v.prefix[j];
	v.prefix[j] = (int64_t)own;
	*est += own + older;
	return 0;
}

/*
 * How many noise terms a window sum has, at a step and over all steps: at position
 * j < W of a block it is a function of j's set bits.
 */

unsigned
dp_wsum_terms(const struct dp_wsum *s, uint64_t n)
{
	uint64_t j = (n - 1) % s->w + 1;

	if (j == s->w)
		return 1;
	return n <= s->w ? (unsigned)__builtin_popcountll(j) :
	    1 + 2 * (unsigned)__builtin_popcountll(j);
}

/* Of positions j, 0 < j < W, in the first block or a later one. */
struct terms {
	bool first;
	double sum;
	unsigned most;
	uint64_t worst;		/* the least that attains it */
};

static void
count(struct terms *t, uint64_t j, unsigned n, double times)
{
	t->sum += n * times;
	if (n > t->most) {
		t->most = n;
		t->worst = j;
	} else if (n == t->most && j < t->worst)
		t->worst = j;
}

/*
 * Positions base + y, 0 < y < 2^m.  Those with p bits in y are binomial(m, p), 2^p - 1 the least.
 */
static void
block(struct terms *t, uint64_t base, unsigned m)
{
	const unsigned bits = (unsigned)__builtin_popcountll(base);
	double times = 1;
	unsigned p;

	for (p = 1; p <= m; p++) {
		times = times * (m - p + 1) / p;
		count(t, base + (((uint64_t)1 << p) - 1),
		    t->first ? bits + p : 1 + 2 * (bits + p), times);
	}
}

/* Positions 1 .. end - 1, end <= W. */
static struct terms
positions(const struct dp_wsum *s, bool first, uint64_t end)
{
	struct terms t = { .first = first, .worst = UINT64_MAX };
	uint64_t base = 0;
	unsigned m;

	for (m = 63; m < 64; m--)
		if (end >> m & 1) {
			if (base > 0)
				count(&t, base, dp_wsum_terms(s, first ? base : s->w + base), 1);
			block(&t, base, m);
			base |= (uint64_t)1 << m;
		}
	return t;
}

void
dp_wsum_total(const struct dp_wsum *s, uint64_t T, double *sum, unsigned *most, uint64_t *worst)
{
	const uint64_t w = s->w, r = T % w, whole = T / w;
	struct terms a = positions(s, true, T < w ? T + 1 : w), b;

	if (T >= w)
		count(&a, w, 1, 1);
	if (whole > 1) {
		b = positions(s, false, w);
		count(&b, w, 1, 1);
		a.sum += (double)(whole - 1) * b.sum;
		if (b.most > a.most) {
			a.most = b.most;
			a.worst = w + b.worst;
		}
	}
	if (T > w) {
		b = positions(s, false, r + 1);
		a.sum += b.sum;
		if (b.most > a.most) {
			a.most = b.most;
			a.worst = whole * w + b.worst;
		}
	}
	*sum = a.sum;
	*most = a.most;
	*worst = a.worst;
}

unsigned
dp_wsum_most(const struct dp_wsum *s)
{
	const struct terms t = positions(s, false, s->w);

	return t.most > 1 ? t.most : 1;
}
