/*
 * transform.c - a statistic's answers, released when they have moved (transform.h).
 *
 *   transform	one threshold noise for all time
 *   pan	pan-private: threshold noise by dyadic stretches of at least 2^low steps, low
 *		the one with the least bound
 *   rounds	with a delta: a threshold noise for each release, and Gaussian noise on answers
 *   paper	Figure 2 of Dwork, Naor, Pitassi, Rothblum 2010: its scales and threshold.  Where
 *		that threshold is too small (K > lg^2 T, about) the slack is ours.
 *
 * Draw order: in every step the threshold noises that begin, the longest first; the comparison's;
 * the answer's; rounds: that of the next round's threshold.
 */
#include <math.h>
#include <stdio.h>

#include "transform.h"

enum { THRESHOLD = DP_TRANSFORM_THRESHOLD, COMPARE = DP_TRANSFORM_COMPARE,
    ANSWER = DP_TRANSFORM_ANSWER, FAMILIES = DP_TRANSFORM_FAMILIES };

/* A plan without its noise; NULL with *e set. */
static struct dp_transform_plan *
begin(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule, int *e)
{
	const struct dp_transform *own = rule->task.own;
	const uint64_t T = rule->horizon;
	struct dp_transform_plan *k;

	*e = DP_EINVAL;
	if (own == NULL || (own->hold && own->changes == 0) || !(rule->beta > 0))
		return NULL;
	*e = DP_ENOMEM;
	k = dp_mech_alloc(ops, sizeof *k, T, sizeof(struct dp_transform_column));
	if (k == NULL)
		return NULL;
	*out = &k->m;
	*e = 0;
	k->task = *own;
	if (T != 0 && k->task.changes > T)
		k->task.changes = T;
	k->heavy = k->task.changes + !own->hold;
	if (T != 0 && k->heavy > T)
		k->heavy = T;
	k->lo = rule->lo;
	k->hi = rule->hi;
	k->width = (double)rule->hi - (double)rule->lo;
	k->epsilon = rule->privacy.exact ? INFINITY : dp_q_double(rule->privacy.epsilon);
	k->beta = rule->beta;
	k->steps = rule->report;
	/* a state keeps the options, not what they come to */
	dp_numbers_same(rule->privacy.numbers, "changes", own->changes);
	dp_numbers_same(rule->privacy.numbers, "distance", own->distance);
	dp_numbers_same(rule->privacy.numbers, "hold", own->hold);
	return k;
}

static int
one_create(struct dp_mech **out, const struct dp_mech_ops *ops,
    const struct dp_mech_rule *rule)
{
	struct dp_transform_plan *k;
	int e;

	if ((k = begin(out, ops, rule, &e)) == NULL)
		return e;
	k->low = DP_TRANSFORM_FOR_EVER;
	k->levels = 1;
	if (!rule->privacy.exact)
		e = dp_transform_shares(k, rule->privacy.numbers);
	return e != 0 ? e : dp_transform_finish(k, rule);
}

static int
rounds_create(struct dp_mech **out, const struct dp_mech_ops *ops,
    const struct dp_mech_rule *rule)
{
	const struct dp_privacy *p = &rule->privacy;
	struct dp_transform_plan *k;
	int e;

	if (!p->exact && p->rho.num == 0)
		return DP_EINVAL;
	if ((k = begin(out, ops, rule, &e)) == NULL)
		return e;
	k->low = DP_TRANSFORM_FOR_EVER;
	k->levels = 1;
	k->rounds = true;
	if (!p->exact)
		e = dp_transform_rounds(k, dp_q_double(p->rho), p->numbers);
	return e != 0 ? e : dp_transform_finish(k, rule);
}

static void
set_low(struct dp_transform_plan *k, unsigned top, unsigned low, uint64_t T)
{
	k->low = low;
	k->levels = top - low;
	k->uncovered = T >> low == 0 ? T : (uint64_t)1 << low;
}

static int
pan_create(struct dp_mech **out, const struct dp_mech_ops *ops,
    const struct dp_mech_rule *rule)
{
	const uint64_t T = rule->horizon;
	struct dp_transform_plan *k;
	double part[FAMILIES], sum, least_sum = INFINITY;
	unsigned low, best = 0, top;
	int e;

	if (T == 0 || T > (uint64_t)1 << 62)
		return DP_EINVAL;
	if ((k = begin(out, ops, rule, &e)) == NULL)
		return e;
	top = dp_ceil_log2(T);
	for (low = 0; low <= top && !rule->privacy.exact &&
	    !dp_numbers_replays(rule->privacy.numbers); low++) {
		set_low(k, top, low, T);
		if (dp_transform_least(k) > least_sum)
			continue;
		if ((sum = dp_transform_search(k, part)) < least_sum) {
			least_sum = sum;
			best = low;
		}
	}
	set_low(k, top, (unsigned)dp_numbers_int(rule->privacy.numbers, "low", best, 0, top), T);
	if (!rule->privacy.exact)
		e = dp_transform_shares(k, rule->privacy.numbers);
	return e != 0 ? e : dp_transform_finish(k, rule);
}

static int
paper_create(struct dp_mech **out, const struct dp_mech_ops *ops,
    const struct dp_mech_rule *rule)
{
	const uint64_t T = rule->horizon;
	const struct dp_transform *own = rule->task.own;
	struct dp_transform_plan *k;
	double lg;
	unsigned h;
	int e;

	if (T == 0 || T > (uint64_t)1 << 62)
		return DP_EINVAL;
	if ((k = begin(out, ops, rule, &e)) == NULL)
		return e;
	h = dp_ceil_log2(T);
	set_low(k, h != 0 ? h : 1, 0, T);
	k->share[THRESHOLD] = dp_q_make(1, 3 * k->levels);
	k->share[COMPARE] = k->share[ANSWER] = dp_q_make(1, 6 * (k->task.changes + 1));
	lg = log2((double)T);
	if (!rule->privacy.exact)
		k->paper.alpha = 3 * (double)own->unit * log((double)T / k->beta) *
		    ((double)k->task.changes + lg * lg) / k->epsilon;
	return dp_transform_finish(k, rule);
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct dp_transform_plan *k = (const void *)m;
	struct dp_transform_column *c = col;

	(void)rng;
	c->out = dp_transform_clamp(k->lo, k->hi, 0);
	return 0;
}

/* True: time n, in steps, is a multiple of the level's stretch. */
static bool
aligned(uint64_t n, unsigned level)
{
	return (n & (((uint64_t)1 << level) - 1)) == 0;
}

/* Answers that are none can move it on and on by noise, of which nothing depends on the data. */
static int64_t
out_of(dp_wide y)
{
	const int64_t most = (int64_t)1 << 62;

	return y > most ? most : y < -most ? -most : (int64_t)y;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct dp_transform_plan *k = (const void *)m;
	struct dp_transform_column *c = col;
	const int64_t a = *x == DP_TRANSFORM_NONE ? c->out :
	    dp_transform_clamp(k->lo, k->hi, *x);
	dp_wide threshold = k->threshold, gap;
	int64_t compare, answer, again = 0;
	unsigned i;
	int e;

	for (i = k->low + k->levels; i-- > k->low; ) {
		if (aligned(t - 1, i) &&
		    (e = dp_draw(&k->noise[THRESHOLD], rng, &c->theta[i])) != 0)
			return e;
		threshold += c->theta[i];
	}
	if ((e = dp_draw(&k->noise[COMPARE], rng, &compare)) != 0 ||
	    (e = dp_draw(&k->noise[ANSWER], rng, &answer)) != 0 ||
	    (k->rounds && (e = dp_draw(&k->noise[THRESHOLD], rng, &again)) != 0))
		return e;
	/* answers held for good are not compared, and cost nothing */
	if (c->changes < k->task.changes + !k->task.hold) {
		gap = (dp_wide)c->out - a + compare;
		if ((gap < 0 ? -gap : gap) > threshold) {
			if (c->changes++ < k->task.changes)
				c->out = out_of((dp_wide)a + answer);
			if (k->rounds)
				c->theta[DP_TRANSFORM_FOR_EVER] = again;
		}
	}
	for (i = k->low; i < k->low + k->levels; i++)
		if (aligned(t, i))
			c->theta[i] = 0;
	if (c->changes > k->task.changes)
		return DP_EHALT;
	*est = c->out;
	return 0;
}

/* Numbers that no run leaves behind change answers only; so many changes are none of ours. */
static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct dp_transform_plan *k = (const void *)m;
	const struct dp_transform_column *c = col;

	return c->changes <= k->task.changes + 1 && c->changes <= t;
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	(void)T;
	e->max = ((const struct dp_transform_plan *)(const void *)m)->bound;
	e->mean = NAN;			/* that is the answers' to say: how often they move */
	e->worst = 1;
}

static bool
family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	static const char *const on[FAMILIES] = { "the threshold", "every comparison",
	    "the answers released" };
	const struct dp_transform_plan *k = (const void *)m;

	unsigned f;

	for (f = 0; f < FAMILIES; f++)
		if (dp_transform_charge(k, f) != 0 && i-- == 0)
			break;
	if (f == FAMILIES)
		return false;
	*z = &k->noise[f];
	*what = f == THRESHOLD && k->levels > 1 ? "each part of the threshold" : on[f];
	return true;
}

static double
draws(const struct dp_mech *m)
{
	const struct dp_transform_plan *k = (const void *)m;
	double sum = 1 + (k->task.changes > 0) + k->rounds;
	unsigned i;

	for (i = k->low; i < k->low + k->levels; i++)
		sum += exp2(-(double)i);
	return sum;
}

/* Epsilon that the family spends. */
static double
spent(const struct dp_transform_plan *k, unsigned family)
{
	return dp_transform_charge(k, family) == 0 ? 0 :
	    k->epsilon * (double)dp_transform_charge(k, family) * dp_q_double(k->share[family]);
}

/* Charge of Theorem 5.2 for this noise: 3 eps, with the largest eps of the scales' formulas. */
static double
claimed(const struct dp_transform_plan *k)
{
	const double h = fmax(1, dp_ceil_log2(k->steps));
	const double twice = 2 * ((double)k->task.changes + 1);
	double x = 0;

	if (k->levels > 0)
		x = h * dp_q_double(k->share[THRESHOLD]);
	x = fmax(x, twice * dp_q_double(k->share[COMPARE]));
	if (k->task.changes > 0)
		x = fmax(x, twice * dp_q_double(k->share[ANSWER]));
	return 3 * k->epsilon * x;
}

/* The shares of ROUNDS. */
static void
round_note(const struct dp_transform_plan *k, char *text, size_t size)
{
	const double e = (double)k->task.unit * (1 / dp_q_double(k->noise[THRESHOLD].param) +
	    2 / dp_q_double(k->noise[COMPARE].param));

	snprintf(text, size, "what leads to a release, comparison by comparison, is %.4g-"
	    "differentially private by itself, at most %.0f times; with %.0f answers that have "
	    "Gaussian noise that is zero-concentrated, and so within epsilon and delta", e,
	    (double)k->heavy, (double)k->task.changes);
}

static bool
note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	const struct dp_transform_plan *k = (const void *)m;
	const double total = spent(k, THRESHOLD) + spent(k, COMPARE) + spent(k, ANSWER);

	switch (i) {
	case 0:
		if (k->rounds && !isinf(k->epsilon))
			round_note(k, text, size);
		else if (isinf(k->epsilon))
			snprintf(text, size, "no noise: nothing is hidden");
		else
			snprintf(text, size, "%.4g is spent on the threshold, %.4g on %.0f "
			    "comparisons, %.4g on %.0f answers: %.4g in all; the accounting of "
			    "the paper's Theorem 5.2 would charge this noise with %.4g",
			    spent(k, THRESHOLD), spent(k, COMPARE), (double)k->heavy,
			    spent(k, ANSWER), (double)k->task.changes, total, claimed(k));
		return true;
	case 1:
		snprintf(text, size, "an answer is released when it is some %.6g away from the "
		    "last one: the distance of %s and, with probability %.6g against changes for "
		    "no reason, a slack of %.6g%s", (double)k->threshold * unit,
		    k->task.distance_text, 1 - k->beta / 2,
		    (double)(k->threshold - (int64_t)k->task.distance) * unit,
		    (double)k->threshold >= k->width ? "; that is all of the range: the output "
		    "will hardly ever change, and carries next to no information" : "");
		return true;
	case 2:
		if (k->task.hold)
			snprintf(text, size, "when %.0f answers are released the last is repeated "
			    "to the end: the error is bounded as said if the answers move by more "
			    "than the distance at most so many times", (double)k->task.changes);
		else
			snprintf(text, size, "the run ends (status 4) when more than %.0f answers "
			    "would be released: with probability %.6g not before they have moved "
			    "by more than the distance so many times", (double)k->task.changes,
			    1 - k->beta / 2);
		return true;
	case 3:
		dp_transform_inner(&k->task, k->epsilon, text, size);
		return true;
	case 4:
		if (!(k->paper.alpha > 0))
			return false;
		snprintf(text, size, "the paper's Theorem 5.2 has an error of %.6g at most (D + 4 "
		    "alpha); its threshold of %.6g (D + 2 alpha) is %s", ((double)k->task.distance +
		    4 * k->paper.alpha) * unit, ((double)k->task.distance +
		    floor(2 * k->paper.alpha)) * unit,
		    k->paper.own ? "the one used" : k->paper.small ? "not the one used: too small "
		    "against changes for no reason" : "not the one used");
		return true;
	}
	return false;
}

#define LAPLACE	"discrete Laplace"
#define OPS(label, about, distribution, trait, f) \
const struct dp_mech_ops dp_transform_##f##_ops = { \
	.name = label, .say.source = about, .say.noise = distribution, .traits = trait, \
	.tasks = DP_TASK_OWN, .statistic = &dp_transform_statistic, .create = f##_create, \
	.start = start, .step = step, .error = error, .valid = valid, .drawn.family = family, \
	.drawn.number = draws, .say.note = note, .drawn.certify = dp_transform_certify \
}

OPS("transform", "an answer released when it has moved (this toolkit, after Dwork et al. 2010)",
    LAPLACE, DP_TRAIT_ENDLESS, one);
OPS("pan", "the same, pan-private: a threshold for every stretch of time", LAPLACE,
    DP_TRAIT_PAN, pan);
OPS("rounds", "the same, with a delta: a threshold for every release, and Gaussian answers",
    NULL, DP_TRAIT_ENDLESS | DP_TRAIT_DELTA, rounds);
OPS("paper", "the same with the scales of Dwork, Naor, Pitassi, Rothblum 2010, Figure 2",
    LAPLACE, DP_TRAIT_PAN, paper);
