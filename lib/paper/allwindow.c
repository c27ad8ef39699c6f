/*
 * allwindow.c - sums of the last W_1, .., W_n step values from one budget: ALLWINDOWSUM, Bolot et
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
#include <math.h>
#include <string.h>

#include "mech/bits.h"
#include "mech/certificate.h"

#define WINDOW_MAX	((uint64_t)1 << 26)	/* steps of a window: 1.5 GiB a column */
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
struct column {
	dp_wide sum[DP_WINDOWS_MAX];	/* of each window, exact */
};

static double
weight(unsigned l)
{
	return 1 / ((l + 1.) * sqrt(l + 1.));
}

/* The sum of the weights to share among. */
static double
total(unsigned levels)
{
	double sum = 0;

	while (levels-- > 0)
		sum += weight(levels);
	return sum;
}

/*
 * Shares are rounded down to multiples of 1/WHOLE.  Their sum is a multiple too, and exceeds 1 by
 * less than the relative 1e-14 of the doubles, so it is at most 1; `left` makes that independent of
 * the doubles.
 */
static int
set_noise(struct allwindow *k, const struct dp_privacy *privacy, double whole)
{
	uint64_t part, left = WHOLE;
	unsigned l;
	int e = 0;

	for (l = 0; l < k->levels && e == 0; l++) {
		part = (uint64_t)(weight(l) / whole * (double)WHOLE);
		if (part > left)
			part = left;
		left -= part;
		e = part == 0 ? DP_ERANGE :
		    dp_privacy_laplace(&k->noise[l], privacy, dp_q_make(part, WHOLE));
	}
	return e;
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
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
	k->m.column = sizeof(struct column) + (words + 1) / 2 * 2 * sizeof(int64_t);
	return set_noise(k, &rule->privacy, whole);
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
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct allwindow *k = (const void *)m;
	struct column *c = col;
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
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
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
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
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
family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	const struct allwindow *k = (const void *)m;

	*z = &k->noise[i < k->levels ? i : 0];
	*what = i == 0 ? "every step value" :
	    i == k->levels - 1 ? "every node of the highest level" : "every node of a middle level";
	return i < k->levels;
}

static double
draws(const struct dp_mech *m)
{
	return 2 - ldexp(2, -(int)((const struct allwindow *)(const void *)m)->levels);
}

static int
certify(const struct dp_mech *m, struct dp_buf *b)
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
	.create = create, .step = step, .law.at = law, .error = error,
	.drawn.family = family, .drawn.number = draws, .drawn.certify = certify
};
