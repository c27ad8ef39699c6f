/*
 * transform.c - a statistic's answers, released when they have moved (transform.h).
 *
 *   transform	one threshold noise for all time
 *   pan	pan-private: threshold noise by dyadic stretches of at least 2^low steps, low the one
 *		with the least bound
 *   paper	Figure 2 of Dwork, Naor, Pitassi, Rothblum 2010: its scales.  The slack is ours, as its
 *		own is too small where 2 K + 4 > lg^2 T.
 *
 * Draw order: in every step the threshold noises that begin, the longest first; the comparison's;
 * the answer's.
 */
#include <math.h>
#include <stdio.h>

#include "transform.h"

extern const struct dp_mech_ops dp_transform_one_ops, dp_transform_pan_ops,
    dp_transform_paper_ops;

enum { THRESHOLD = DP_TRANSFORM_THRESHOLD, COMPARE = DP_TRANSFORM_COMPARE,
    ANSWER = DP_TRANSFORM_ANSWER, FAMILIES = DP_TRANSFORM_FAMILIES };

#define FOR_EVER	63		/* log2 of a stretch that no run outlives */
#define GOLDEN		0.6180339887498949
#define ROUNDS		26		/* GOLDEN^26 < 4e-6 of what is searched */
#define EDGE		1e-6
#define SLACK_MAX	((uint64_t)1 << 57)

/* L, 2 C + U and K of PRIVACY: how many shifts by r each family must be able to hide. */
static uint64_t
charge(const struct dp_transform_plan *k, unsigned family)
{
	uint64_t covered = k->heavy;

	switch (family) {
	case THRESHOLD:
		return k->levels;
	case COMPARE:
		if (k->m.horizon != 0 && covered > k->m.horizon - k->uncovered)
			covered = k->m.horizon - k->uncovered;
		return 2 * covered + k->uncovered;
	default:
		return k->task.changes;
	}
}

/* SHARES */

struct search {
	double charge[FAMILIES], part[FAMILIES];
	double square[FAMILIES];	/* of the scales, where r = epsilon = 1 */
	double slack, late;		/* ln(2/g) of S and of X */
	/* of the quantile that is looked for: */
	double log, most;		/* ln(2/g); the largest scale */
	unsigned families;		/* c and theta; also z */
};

/* The least of f, which falls and then rises from lo to hi; *arg is left as f leaves it there. */
static double
least(double (*f)(double, struct search *), struct search *arg, double lo, double hi)
{
	double x = hi - GOLDEN * (hi - lo), y = lo + GOLDEN * (hi - lo);
	double fx = f(x, arg), fy = f(y, arg);
	int i;

	for (i = 0; i < ROUNDS; i++)
		if (fx < fy) {
			hi = y;
			y = x;
			fy = fx;
			fx = f(x = hi - GOLDEN * (hi - lo), arg);
		} else {
			lo = x;
			x = y;
			fx = fy;
			fy = f(y = lo + GOLDEN * (hi - lo), arg);
		}
	return f((lo + hi) / 2, arg);
}

/* What the quantile is at most, by u = 1/s = (1 + e^v) times the largest scale. */
static double
chernoff(double v, struct search *s)
{
	const double u = s->most * (1 + exp(v));
	double sum = s->log;
	unsigned i;

	for (i = 0; i < s->families; i++)
		sum -= (i == THRESHOLD ? s->charge[i] : 1) * log1p(-s->square[i] / (u * u));
	return u * sum;
}

static double
quantile_about(struct search *s, double log, unsigned families)
{
	unsigned i;

	s->log = log;
	s->families = families;
	for (s->most = 0, i = 0; i < families; i++)
		s->most = fmax(s->most, sqrt(s->square[i]));
	return least(chernoff, s, -15, 10);
}

/* S + X, about, with that part of what the threshold leaves on answers. */
static double
by_answers(double part, struct search *s)
{
	double scale;
	unsigned i;

	s->part[ANSWER] = part * (1 - s->part[THRESHOLD]);
	s->part[COMPARE] = 1 - s->part[THRESHOLD] - s->part[ANSWER];
	for (i = 0; i < FAMILIES; i++) {
		scale = s->charge[i] > 0 ? s->charge[i] / s->part[i] : 0;
		s->square[i] = scale * scale;
	}
	return quantile_about(s, s->slack, FAMILIES) + quantile_about(s, s->late, ANSWER);
}

static double
by_threshold(double part, struct search *s)
{
	s->part[THRESHOLD] = part;
	return s->charge[ANSWER] > 0 ? least(by_answers, s, EDGE, 1 - EDGE) : by_answers(0, s);
}

/* The tails of S and X: P(|c + z + theta| > S), P(|c + theta| > X). */
static double
slack_tail(const struct dp_transform_plan *k)
{
	return k->beta / (2 * (double)k->steps * (double)k->heavy);
}

static double
late_tail(const struct dp_transform_plan *k)
{
	return k->beta * 7 / 8 / (double)(k->low == FOR_EVER ? k->heavy : k->steps);
}

/* The parts of epsilon for which S + X is least; returns that. */
static double
search(const struct dp_transform_plan *k, double part[FAMILIES])
{
	struct search s = { .slack = log(2 / slack_tail(k)), .late = log(2 / late_tail(k)) };
	double found;
	unsigned i;

	for (i = 0; i < FAMILIES; i++)
		s.charge[i] = (double)charge(k, i);
	found = s.charge[THRESHOLD] > 0 ? least(by_threshold, &s, EDGE, 1 - EDGE) :
	    by_threshold(0, &s);
	for (i = 0; i < FAMILIES; i++)
		part[i] = s.part[i];
	return found;
}

/* x of PRIVACY: multiples of 2^-24 that sum to 1, divided among the shifts. */
static int
shares(struct dp_transform_plan *k, struct dp_params *params)
{
	const uint64_t whole = (uint64_t)1 << 24;
	double part[FAMILIES], weight[FAMILIES];
	struct dp_q share[FAMILIES];
	uint64_t left = whole;
	unsigned i, n = 0;
	int e;

	(void)search(k, part);
	for (i = 0; i < FAMILIES; i++)
		if (charge(k, i) > 0)
			weight[n++] = part[i];
	dp_privacy_split(share, weight, n);
	for (n = 0, i = 0; i < FAMILIES; i++) {
		if (charge(k, i) == 0)
			continue;
		share[n].num = dp_params_word(params, share[n].num * (whole / share[n].den), 1,
		    whole);
		if (share[n].num > left)
			dp_params_refuse(params);
		left -= share[n].num;
		if ((e = dp_params_error(params)) != 0 ||
		    (e = dp_q_div(&k->share[i], dp_q_make(share[n].num, whole),
		    dp_q_make(charge(k, i), 1))) != 0)
			return e;
		n++;
	}
	return 0;
}

/* ACCURACY */

static double
quantile(const struct dp_transform_plan *k, bool answers, double gamma)
{
	struct dp_law law;

	dp_law_clear(&law);
	dp_law_add(&law, &k->noise[COMPARE], 1, 1);
	dp_law_add(&law, &k->noise[THRESHOLD], 1, k->levels);
	if (answers)
		dp_law_add(&law, &k->noise[ANSWER], 1, 1);
	return dp_law_bound(&law, gamma);
}

static void
accuracy(struct dp_transform_plan *k, struct dp_params *params)
{
	const uint64_t found = (uint64_t)quantile(k, true, slack_tail(k));
	const uint64_t slack = dp_params_word(params, found, 0, SLACK_MAX);
	struct dp_law law;

	k->threshold = (int64_t)(k->task.distance + slack);
	k->bound = (double)k->threshold + quantile(k, false, late_tail(k));
	dp_law_clear(&law);
	dp_law_add(&law, &k->noise[ANSWER], 1, 1);
	if (law.terms > 0)
		k->bound = fmax(k->bound,
		    dp_law_bound(&law, k->beta / 16 / (double)k->task.changes));
}

/* A plan without its noise; NULL with *e set. */
static struct dp_transform_plan *
begin(const struct dp_mech_rule *rule, const struct dp_mech_ops *ops, int *e)
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
	*e = 0;
	k->task = *own;
	if (T != 0 && k->task.changes > T)
		k->task.changes = T;
	k->heavy = k->task.changes + !own->hold;
	if (T != 0 && k->heavy > T)
		k->heavy = T;
	k->first = rule->lo > 0 ? rule->lo : rule->hi < 0 ? rule->hi : 0;
	k->width = (double)rule->hi - (double)rule->lo;
	k->epsilon = rule->privacy.exact ? INFINITY : dp_q_double(rule->privacy.epsilon);
	k->beta = rule->beta;
	k->steps = rule->report;
	/* a state keeps the options, not what they come to */
	dp_params_same(rule->privacy.params, own->changes);
	dp_params_same(rule->privacy.params, own->distance);
	dp_params_same(rule->privacy.params, own->hold);
	return k;
}

/* Noise for k->share, and what follows from it. */
static int
finish(struct dp_mech **out, struct dp_transform_plan *k, const struct dp_mech_rule *rule, int e)
{
	unsigned i;

	for (i = 0; i < FAMILIES && e == 0; i++) {
		if (charge(k, i) == 0)
			dp_noise_none(&k->noise[i]);
		else
			e = dp_privacy_laplace(&k->noise[i], &rule->privacy, k->share[i]);
	}
	if (e == 0) {
		accuracy(k, rule->privacy.params);
		e = dp_params_error(rule->privacy.params);
	}
	if (e != 0) {
		dp_mech_free(&k->m);
		return e;
	}
	*out = &k->m;
	return 0;
}

static int
one_create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	struct dp_transform_plan *k;
	int e;

	if ((k = begin(rule, &dp_transform_one_ops, &e)) == NULL)
		return e;
	k->low = FOR_EVER;
	k->levels = 1;
	if (!rule->privacy.exact)
		e = shares(k, rule->privacy.params);
	return finish(out, k, rule, e);
}

static void
set_low(struct dp_transform_plan *k, unsigned top, unsigned low, uint64_t T)
{
	k->low = low;
	k->levels = top - low;
	k->uncovered = T >> low == 0 ? T : (uint64_t)1 << low;
}

static int
pan_create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	const uint64_t T = rule->horizon;
	struct dp_transform_plan *k;
	double part[FAMILIES], sum, least_sum = INFINITY;
	unsigned low, best = 0, top;
	int e;

	if (T == 0 || T > (uint64_t)1 << 62)
		return DP_EINVAL;
	if ((k = begin(rule, &dp_transform_pan_ops, &e)) == NULL)
		return e;
	top = dp_ceil_log2(T);
	for (low = 0; low <= top && !rule->privacy.exact; low++) {
		set_low(k, top, low, T);
		if ((sum = search(k, part)) < least_sum) {
			least_sum = sum;
			best = low;
		}
	}
	set_low(k, top, (unsigned)dp_params_word(rule->privacy.params, best, 0, top), T);
	if (!rule->privacy.exact)
		e = shares(k, rule->privacy.params);
	return finish(out, k, rule, e);
}

static int
paper_create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	const uint64_t T = rule->horizon;
	struct dp_transform_plan *k;
	unsigned h;
	int e;

	if (T == 0 || T > (uint64_t)1 << 62)
		return DP_EINVAL;
	if ((k = begin(rule, &dp_transform_paper_ops, &e)) == NULL)
		return e;
	h = dp_ceil_log2(T);
	set_low(k, h != 0 ? h : 1, 0, T);
	k->share[THRESHOLD] = dp_q_make(1, 3 * k->levels);
	k->share[COMPARE] = k->share[ANSWER] = dp_q_make(1, 6 * (k->task.changes + 1));
	return finish(out, k, rule, 0);
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	(void)rng;
	((struct dp_transform_column *)col)->out =
	    ((const struct dp_transform_plan *)(const void *)m)->first;
	return 0;
}

/* Whether time n, in steps, is a multiple of the level's stretch. */
static bool
aligned(uint64_t n, unsigned level)
{
	return (n & (((uint64_t)1 << level) - 1)) == 0;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct dp_transform_plan *k = (const void *)m;
	struct dp_transform_column *c = col;
	dp_wide threshold = k->threshold, gap;
	int64_t compare, answer;
	unsigned i;
	int e;

	for (i = k->low + k->levels; i-- > k->low; ) {
		if (aligned(t - 1, i) && (e = dp_draw(&k->noise[THRESHOLD], rng, &c->theta[i])) != 0)
			return e;
		threshold += c->theta[i];
	}
	if ((e = dp_draw(&k->noise[COMPARE], rng, &compare)) != 0 ||
	    (e = dp_draw(&k->noise[ANSWER], rng, &answer)) != 0)
		return e;
	/* what is held for good is not compared: nobody pays for that */
	if (c->changes < k->task.changes + !k->task.hold) {
		gap = (dp_wide)c->out - *x + compare;
		if ((gap < 0 ? -gap : gap) > threshold && c->changes++ < k->task.changes)
			c->out = *x + answer;
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
	e->max = e->mean = ((const struct dp_transform_plan *)(const void *)m)->bound;
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
		if (charge(k, f) != 0 && i-- == 0)
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
	double sum = 1 + (k->task.changes > 0);
	unsigned i;

	for (i = k->low; i < k->low + k->levels; i++)
		sum += exp2(-(double)i);
	return sum;
}

/* What the family spends of epsilon. */
static double
spent(const struct dp_transform_plan *k, unsigned family)
{
	return charge(k, family) == 0 ? 0 :
	    k->epsilon * (double)charge(k, family) * dp_q_double(k->share[family]);
}

/* What Theorem 5.2 would charge this noise: 3 eps, with the largest eps of the scales' formulas. */
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

static bool
note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	const struct dp_transform_plan *k = (const void *)m;
	const double total = spent(k, THRESHOLD) + spent(k, COMPARE) + spent(k, ANSWER);

	switch (i) {
	case 0:
		if (isinf(k->epsilon))
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
		    "last one: the distance and, with probability %.6g against changes for no "
		    "reason, a slack of %.6g%s", (double)k->threshold * unit, 1 - k->beta / 2,
		    (double)(k->threshold - (int64_t)k->task.distance) * unit,
		    (double)k->threshold >= k->width ? "; that is all of the range: the output "
		    "will hardly ever change, and carries next to no information" : "");
		return true;
	case 2:
		if (k->task.hold)
			snprintf(text, size, "the %.0f-th answer released is repeated to the end: "
			    "the error is bounded as said if the answers move by more than the "
			    "distance at most so many times", (double)k->task.changes);
		else
			snprintf(text, size, "the run ends (status 4) when more than %.0f answers "
			    "would be released: with probability %.6g not before they have moved "
			    "by more than the distance so many times", (double)k->task.changes,
			    1 - k->beta / 2);
		return true;
	case 3:
		dp_transform_inner(&k->task, k->epsilon, text, size);
		return true;
	}
	return false;
}

#define OPS(label, about, trait, f) \
const struct dp_mech_ops dp_transform_##f##_ops = { \
	.name = label, .source = about, .noise = "discrete Laplace", .traits = trait, \
	.tasks = DP_TASK_OWN, .statistic = &dp_transform_statistic, .create = f##_create, \
	.start = start, .step = step, .error = error, .valid = valid, .family = family, \
	.draws = draws, .note = note \
}

OPS("transform", "an answer released when it has moved (this toolkit, after Dwork et al. 2010)",
    DP_TRAIT_ENDLESS, one);
OPS("pan", "the same, pan-private: a threshold for every stretch of time", DP_TRAIT_PAN, pan);
OPS("paper", "the same with the scales of Dwork, Naor, Pitassi, Rothblum 2010, Figure 2",
    DP_TRAIT_PAN, paper);
