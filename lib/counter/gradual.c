/* SPDX-License-Identifier: ISC */
/*
 * gradual.c - a running count whose events lose their privacy slowly with age, endless; after
 * Andersson, Henzinger, Pagh, Steiner, Upadhyay 2024 ("Continual counting with gradual privacy
 * expiration"); the scales are ours.
 *
 * Level l cuts time into [s 2^l, (s+1) 2^l), s >= 1; each interval has one noise value, drawn at
 * the step it begins, used at every step it contains and never again.  The estimate after step t is
 * the exact sum plus the noise of the intervals that contain t: one of every level l <= floor(lg
 * t).  Level l's noise has scale b_l = (1+l)^(1-lambda) l1 / epsilon, rounded up, so Var(t) = sum
 * of V(b_l), l <= lg t.
 *
 * Loss.  Let the outputs of steps 1..i+d be known, and x_i move by one: the sums of steps
 * t >= i move by 1.  Shifting the noise by u explains it if the u of the intervals containing t sum
 * to [t >= i] for all t <= i+d, at a cost of sum |u_I| / b_I in the logarithm of any likelihood
 * ratio.  As t grows, an interval [a,b) adds u at a and takes it away at b, so u is a unit of flow
 * from time i to any time > i+d over edges {a,b} with cost c_l = 1/b_l, and the cheapest one is a
 * shortest path, edges taken in either direction.  Conversely no bound is smaller: for outputs far
 * out in the direction of the dual optimum the ratio tends to exp of the path's length (the density
 * of L z falls off as exp(-min cost), linear in cones).  So the loss after d steps is max over i of
 * dist(i, > i+d).
 *
 * An edge {a, a+2^l} has 2^l | a and a >= 2^l: an edge that passes over 2^k would start at 2^k or
 * be longer than its start.  So every path from 1 to beyond 2^j visits 1, 2, 4, .., 2^j.  For the
 * same reason a path across an interval of level k takes its edge or visits its middle: it costs
 * h_k = min(c_k, 2 h_(k-1)), h_0 = c_0.  With D(j) = h_0 + .. + h_(j-1) + min(c_0, .., c_j):
 *
 * (1) d+1 >= 2^j: the loss is at least D(j).  Take i = 1: the path visits 2^j <= i+d and leaves it
 *     by an edge of level <= j.
 * (2) d+1 < 2^(j+1): the loss is at most C_0 + .. + C_j, C_l = max(c_l, c_(l+1), ..).  Follow from
 *     each point p the longest edge, level ctz(p): the k-th one has level >= k, counting from 0, so
 *     after j+1 edges at least 2^(j+1) - 1 >= d+1 steps are behind, at no more than that cost.
 * (3) d+1 <= 2^j: the loss is at most h_0 + .. + h_(j-1) + h_0.  Let r in [0, 2^j) be the way from
 *     i to the next multiple of 2^j; go there and on by 2^j - r, with the set bits of r upwards and
 *     those of 2^j - r downwards.  With c = ctz(r) they have bit c in common and between them every
 *     higher bit below j once: h_c + (h_c + .. + h_(j-1)) is no more, because h_c <= h_0 + (h_0 +
 *     .. + h_(c-1)), by induction from h_c <= 2 h_(c-1).  r = 0: one crossing of level j, h_j, by
 *     the same.
 * lambda <= 1: c falls, C = h = c, and (2) is D(floor(lg(d+1))), so exact for every d by (1).
 * lambda > 1: c rises, and (3) is D(ceil(lg(d+1))), so exact at d = 2^j - 1.
 * The lesser of (2) and (3) is reported; both hold for any scales, so also for rounded ones.  A
 * unit whose l1 is spread over several steps loses at most what its oldest event does (costs add,
 * loss grows with age).
 *
 * Any curve.  Let g(0) = 1 <= g(1) <= .. be given: after d steps the loss must be at most g(d)
 * epsilon (Bolot et al. 2013, Definition 3; past the last number, the last).  By (2) and (3) that
 * is a condition on sums of the c_l at d = 2^j - 1 and d = 2^j alone, as g never falls and they
 * move nowhere else.  Two choices of c, whole numbers of epsilon / 2^32:
 *
 * level	c_l = s, the largest that (2) lets: g(2^j - 1) >= (j+1) s for all j.  No
 *	non-increasing c has less variance at the last step: at the j that binds,
 *	c_0 + .. + c_j = (j+1) s, and 1/c^2 is convex.
 * rising	c_l grows, at most by the factor 2, so h = c, and by (3) g(0) >= c_0 and
 *	g(2^(j-1)) >= 2 c_0 + c_1 + .. + c_(j-1): each in turn as large as leaves the later ones
 *	as much, on average (the taut string).
 *
 * The one with less variance at the last step is taken; the conditions are then checked once more,
 * of what was taken or what a state has, in whole numbers.
 *
 * All estimates are noisy for ever, so every event stays protected.  The exact sum is in memory:
 * not pan-private.  Column: 64 words.  Under 2 draws a step on average; draw order: longest
 * interval first.
 */
#include <math.h>
#include <string.h>

#include "base/matrix.h"
#include "internal.h"

#define LEVELS	62

#define UNIT	DP_CURVE_UNIT

struct gradual {
	struct dp_mech m;
	uint64_t l1;
	unsigned levels;		/* floor(lg T) + 1, if T is known */
	struct dp_noise noise[LEVELS];
	/* of a curve: at most what ages 2^j - 1, 2^j may lose, in epsilon / UNIT; 0: no curve */
	uint64_t even[LEVELS + 1], odd[LEVELS + 1];
};

struct column {
	dp_wide sum;
	int64_t z[LEVELS];		/* of the interval that contains this step */
};

/* Level l may lose c_l / c_0 = (1+l)^(lambda-1) times epsilon, beyond epsilon if lambda > 1. */
static int
set_noise(struct gradual *k, const struct dp_privacy *privacy, double lambda)
{
	unsigned wide = lambda > 1 ? dp_ceil_log2((uint64_t)ceil(pow(k->levels, lambda - 1))) : 0;
	uint64_t unit = (uint64_t)1 << (wide < 30 ? 32 : 62 - wide), n;		/* wide <= 42 */
	unsigned l;
	int e = 0;

	for (l = 0; l < k->levels && e == 0; l++) {
		/* rounded down, so the scale up; level 0 exactly epsilon */
		n = l == 0 ? unit : (uint64_t)(pow(1. + l, lambda - 1) * (double)unit);
		e = n == 0 ? DP_ERANGE :
		    dp_privacy_laplace_beyond(&k->noise[l], privacy, dp_q_make(n, unit));
	}
	return e;
}

/* The curve at age d, rounded down. */
static uint64_t
curve(const struct dp_task *task, uint64_t d)
{
	return (uint64_t)(task->g[d < task->ng ? d : task->ng - 1] * (double)UNIT);
}

/* (2) for floor(lg(d + 1)) = j < levels, and (3) for ceil(lg(d + 1)) = j, of shares n. */
static uint64_t
by_greedy(const uint64_t *n, unsigned levels, unsigned j)
{
	uint64_t sum = 0, most = 0;
	unsigned l;

	for (l = levels; l-- > 0; ) {
		most = n[l] > most ? n[l] : most;
		sum += l <= j ? most : 0;
	}
	return sum;
}

static uint64_t
by_crossing(const uint64_t *n, unsigned levels, unsigned j)
{
	uint64_t sum = n[0], h = 0, c;
	unsigned l;

	for (l = 0; l < j; l++) {
		c = n[l < levels ? l : levels - 1];
		h = l == 0 || c < 2 * h ? c : 2 * h;
		sum += h;
	}
	return sum;
}

/* No age below 2^levels loses more than the curve lets it. */
static bool
within_curve(const struct gradual *k, const uint64_t *n)
{
	uint64_t greedy, even, odd;
	unsigned j;

	for (j = 0; j < k->levels; j++) {
		greedy = by_greedy(n, k->levels, j);
		even = by_crossing(n, k->levels, j);
		odd = by_crossing(n, k->levels, j + 1);
		if ((even < greedy ? even : greedy) > k->even[j] ||
		    (j > 0 && (odd < greedy ? odd : greedy) > k->odd[j]))
			return false;
	}
	return true;
}

static void
level_shares(const struct gradual *k, uint64_t *n)
{
	uint64_t s = UNIT;
	unsigned j;

	for (j = 0; j < k->levels; j++)
		s = k->even[j] / (j + 1) < s ? k->even[j] / (j + 1) : s;
	for (j = 0; j < k->levels; j++)
		n[j] = s;
}

static void
rising_shares(const struct gradual *k, uint64_t *n)
{
	uint64_t spent = 0, s, each;
	unsigned i, j;

	for (i = 0; i < k->levels; i++) {
		s = i == 0 ? UNIT : 2 * n[i - 1];
		for (j = i + 1; j <= k->levels; j++) {
			each = (k->odd[j - 1] - spent) / (j - i + (i == 0));
			s = each < s ? each : s;
		}
		n[i] = s;
		spent += i == 0 ? 2 * s : s;
	}
}

static double
variance_of(const uint64_t *n, unsigned levels)
{
	double sum = 0;
	unsigned l;

	for (l = 0; l < levels; l++)
		sum += 1 / ((double)n[l] * (double)n[l]);
	return sum;
}

/* Shares for the task's curve, and their noise. */
static int
set_curve(struct gradual *k, const struct dp_privacy *privacy, const struct dp_task *task)
{
	struct dp_numbers *numbers = privacy->numbers;
	const size_t outer = dp_numbers_enter(numbers, "curve");
	uint64_t n[LEVELS], other[LEVELS];
	unsigned l;
	size_t d;
	int e = 0;

	for (d = 0; d < task->ng; d++)
		if (!(task->g[d] >= (d == 0 ? 1 : task->g[d - 1]) && task->g[d] <= DP_RISE_MAX))
			return DP_EINVAL;
	if (task->g[0] != 1)
		return DP_EINVAL;
	for (l = 0; l <= k->levels; l++) {
		k->even[l] = curve(task, ((uint64_t)1 << l) - 1);
		k->odd[l] = curve(task, (uint64_t)1 << l);
	}
	level_shares(k, n);
	rising_shares(k, other);
	if (variance_of(other, k->levels) < variance_of(n, k->levels))
		memcpy(n, other, sizeof n);
	for (l = 0; l < k->levels; l++)
		n[l] = dp_numbers_int(numbers, "share", n[l], 1, DP_RISE_MAX * UNIT);
	if (!within_curve(k, n))
		dp_numbers_refuse(numbers);
	dp_numbers_leave(numbers, outer);
	if (!within_curve(k, n))
		return DP_EINVAL;
	for (l = 0; l < k->levels && e == 0; l++)
		e = dp_privacy_laplace_beyond(&k->noise[l], privacy, dp_q_make(n[l], UNIT));
	return e;
}

static int
gradual_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct gradual *k;

	if (rule->task.ng == 0 && !(rule->task.lambda > 0 && rule->task.lambda <= 8))
		return DP_EINVAL;
	if (rule->horizon >= (uint64_t)1 << LEVELS)
		return DP_EINVAL;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon, sizeof(struct column));
	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	k->l1 = rule->privacy.l1;
	k->levels = rule->horizon == 0 ? LEVELS : 64 - (unsigned)__builtin_clzll(rule->horizon);
	return rule->task.ng != 0 ? set_curve(k, &rule->privacy, &rule->task) :
	    set_noise(k, &rule->privacy, rule->task.lambda);
}

static int
gradual_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct gradual *k = (const void *)m;
	struct column *c = col;
	unsigned l = (unsigned)__builtin_ctzll(t) + 1;
	int e;

	if (t >> k->levels != 0)
		return DP_EHORIZON;
	while (l-- > 0)
		if ((e = dp_draw(&k->noise[l], rng, &c->z[l])) != 0)
			return e;
	*est = c->sum += *x;
	/* levels that have not begun are still zero */
	for (l = 0; l < k->levels && t >> l != 0; l++)
		*est += c->z[l];
	return 0;
}

static void
law_gradual(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct gradual *k = (const void *)m;
	unsigned i;

	(void)out;
	for (i = 0; i < k->levels && t >> i != 0; i++)
		dp_law_add(l, &k->noise[i], 1, 1);
}

static void
gradual_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct gradual *k = (const void *)m;
	double v, max = 0, sum = 0;
	unsigned i;

	/* level i is in use from step 2^i on; worst is the first step with as many levels as T */
	for (i = 0; i < k->levels && T >> i != 0; i++) {
		v = dp_noise_variance(&k->noise[i]);
		max += v;
		sum += v * (double)(T - ((uint64_t)1 << i) + 1);
		e->worst = (uint64_t)1 << i;
	}
	e->max = max;
	e->mean = sum / (double)T;
}

/* The cost of moving level l's noise by l1 grid units; past the last level, the last's. */
static double
cost(const struct gradual *k, unsigned l)
{
	return (double)k->l1 / dp_q_double(k->noise[l < k->levels ? l : k->levels - 1].param);
}

/*
 * The loss of one protected unit whose oldest event is d steps old, after all outputs up to now,
 * for the worst time of the event, from the scales as used.  Exact for every d if lambda <= 1; else
 * for d = 2^j - 1, and an upper bound between.  Never decreases with d; INFINITY at
 * epsilon = inf.
 */
static double
loss(const struct dp_mech *m, uint64_t d)
{
	const struct gradual *k = (const void *)m;
	unsigned floor_log, ceil_log, l;
	double c, h = 0, greedy = 0, least, most = 0;

	if (k->noise[0].kind == DP_NOISE_NONE)
		return INFINITY;
	if (d > (uint64_t)1 << LEVELS)	/* beyond any run */
		d = (uint64_t)1 << LEVELS;
	floor_log = 63 - (unsigned)__builtin_clzll(d + 1);
	ceil_log = floor_log + ((d & (d + 1)) != 0);
	for (l = LEVELS + 1; l-- > 0; ) {	/* (2) */
		most = cost(k, l) > most ? cost(k, l) : most;
		if (l <= floor_log)
			greedy += most;
	}
	least = cost(k, 0);			/* (3) */
	for (l = 0; l < ceil_log; l++) {
		c = cost(k, l);
		h = l == 0 || c < 2 * h ? c : 2 * h;
		least += h;
	}
	/* the doubles' own rounding */
	return (least < greedy ? least : greedy) * (1 + 1e-12);
}

static bool
family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	const struct gradual *k = (const void *)m;

	*z = &k->noise[i < k->levels ? i : 0];
	*what = i == 0 ? "every step's sum" : "the sums during an interval of 2, 4, .. steps";
	return i < k->levels;
}

static double
draws_gradual(const struct dp_mech *m)
{
	return 2 - ldexp(2, -(int)((const struct gradual *)(const void *)m)->levels);
}

static int
gradual_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct gradual *k = (const void *)m;

	const uint64_t *const curve[2] = { k->even, k->odd };

	return dp_certificate_ages(b, m->epsilon, dp_certificate_age(m), k->noise, k->levels,
	    k->even[0] != 0 ? curve : NULL);
}

const struct dp_mech_ops dp_gradual_ops = {
	.name = "gradual",
	.say.source = "dyadic intervals of noise, loss grows with age (after Andersson et al. "
	    "2024)",
	.tasks = DP_TASK_GRADUAL,
	.traits = DP_TRAIT_ENDLESS,
	.create = gradual_create, .step = gradual_step, .law.at = law_gradual, .error =
	    gradual_error,
	.drawn.family = family, .drawn.number = draws_gradual, .drawn.loss = loss,
	.drawn.certify = gradual_certify
};
