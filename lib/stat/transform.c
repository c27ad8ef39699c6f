/* SPDX-License-Identifier: ISC */
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
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "internal.h"
#include "transform.h"

static int dp_transform_rounds(struct dp_transform_plan *, double rho,
    struct dp_numbers *) DP_MUSTUSE;
static int dp_transform_certify(const struct dp_mech *, struct dp_buf *) DP_MUSTUSE;

enum { THRESHOLD = DP_TRANSFORM_THRESHOLD, COMPARE = DP_TRANSFORM_COMPARE,
    ANSWER = DP_TRANSFORM_ANSWER, FAMILIES_TRANSFORM = DP_TRANSFORM_FAMILIES };

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
	double part[FAMILIES_TRANSFORM], sum, least_sum = INFINITY;
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
transform_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
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

/* Clamped: malformed answers may move it on and on, by noise that depends on no data. */
static int64_t
out_of(dp_wide y)
{
	const int64_t most = (int64_t)1 << 62;

	return y > most ? most : y < -most ? -most : (int64_t)y;
}

static int
transform_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
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
transform_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct dp_transform_plan *k = (const void *)m;
	const struct dp_transform_column *c = col;

	return c->changes <= k->task.changes + 1 && c->changes <= t;
}

static void
transform_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	(void)T;
	e->max = ((const struct dp_transform_plan *)(const void *)m)->bound;
	e->mean = NAN;			/* that is the answers' to say: how often they move */
	e->worst = 1;
}

static bool
transform_family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	static const char *const on[FAMILIES_TRANSFORM] = { "the threshold", "every comparison",
	    "the answers released" };
	const struct dp_transform_plan *k = (const void *)m;

	unsigned f;

	for (f = 0; f < FAMILIES_TRANSFORM; f++)
		if (dp_transform_charge(k, f) != 0 && i-- == 0)
			break;
	if (f == FAMILIES_TRANSFORM)
		return false;
	*z = &k->noise[f];
	*what = f == THRESHOLD && k->levels > 1 ? "each part of the threshold" : on[f];
	return true;
}

static double
draws_transform(const struct dp_mech *m)
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
spent_transform(const struct dp_transform_plan *k, unsigned family)
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
transform_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	const struct dp_transform_plan *k = (const void *)m;
	const double total = spent_transform(k, THRESHOLD) + spent_transform(k, COMPARE) +
	    spent_transform(k, ANSWER);

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
			    spent_transform(k, THRESHOLD), spent_transform(k, COMPARE),
			    (double)k->heavy,
			    spent_transform(k, ANSWER), (double)k->task.changes, total, claimed(k));
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
	.start = transform_start, .step = transform_step, .error = transform_error, .valid = \
	    transform_valid, .drawn.family = transform_family, \
	.drawn.number = draws_transform, .say.note = transform_note, .drawn.certify = \
	    dp_transform_certify \
}

OPS("transform", "an answer released when it has moved (this toolkit, after Dwork et al. 2010)",
    LAPLACE, DP_TRAIT_ENDLESS, one);
OPS("pan", "the same, pan-private: a threshold for every stretch of time", LAPLACE,
    DP_TRAIT_PAN, pan);
OPS("rounds", "the same, with a delta: a threshold for every release, and Gaussian answers",
    NULL, DP_TRAIT_ENDLESS | DP_TRAIT_DELTA, rounds);
OPS("paper", "the same with the scales of Dwork, Naor, Pitassi, Rothblum 2010, Figure 2",
    LAPLACE, DP_TRAIT_PAN, paper);

/*
 * What the mechanisms of transform.h are charged with, the shares of epsilon for
 * which their bound is least, the slack and the bound.
 */

#define GOLDEN		0.6180339887498949
#define FINE		40		/* GOLDEN^40 < 5e-9 of what is searched */
#define ROUGH		20		/* GOLDEN^20 < 7e-5 */
#define EDGE		1e-6
#define PARTS		1024		/* the bound is flat: all C libraries find the same */
#define SLACK_MAX	((uint64_t)1 << 57)

uint64_t
dp_transform_charge(const struct dp_transform_plan *k, unsigned family)
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
	double charge[FAMILIES_TRANSFORM], part[FAMILIES_TRANSFORM];
	double square[FAMILIES_TRANSFORM];	/* of the scales, where r = epsilon = 1 */
	double slack, late;		/* ln(2/g) of S and of X */
	double rho, gauss;		/* ROUNDS: rho; the variance of z, r = 1.  Else 0 */
	double rounds, answers;		/* ROUNDS: C, K */
	/* of the quantile that is looked for: */
	double log, most;		/* ln(2/g); the largest scale */
	unsigned families;		/* c and theta; also z */
};

/* The least of f, which falls and then rises from lo to hi; *arg is left as f leaves it there. */
static double
least_plan(double (*f)(double, struct search *), struct search *arg, double lo, double hi,
    int rounds)
{
	double x = hi - GOLDEN * (hi - lo), y = lo + GOLDEN * (hi - lo);
	double fx = f(x, arg), fy = f(y, arg);
	int i;

	for (i = 0; i < rounds; i++)
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

/* Bound of the quantile, by u = 1/s = (1 + e^v) times the largest scale. */
static double
chernoff(double v, struct search *s)
{
	const double u = s->most * (1 + exp(v));
	double sum = s->log;
	unsigned i;

	for (i = 0; i < s->families; i++)
		sum -= (i == THRESHOLD ? s->charge[i] : 1) * log1p(-s->square[i] / (u * u));
	if (s->families > ANSWER)
		sum += s->gauss / (2 * u * u);
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
	return least_plan(chernoff, s, -15, 10, FINE);
}

/* S + X, about, with that part of what the threshold leaves on answers. */
static double
by_answers(double part, struct search *s)
{
	double scale;
	unsigned i;

	s->part[ANSWER] = part * (1 - s->part[THRESHOLD]);
	s->part[COMPARE] = 1 - s->part[THRESHOLD] - s->part[ANSWER];
	for (i = 0; i < FAMILIES_TRANSFORM; i++) {
		scale = s->charge[i] > 0 ? s->charge[i] / s->part[i] : 0;
		s->square[i] = scale * scale;
	}
	return quantile_about(s, s->slack, FAMILIES_TRANSFORM) + quantile_about(s, s->late, ANSWER);
}

static double
by_threshold(double part, struct search *s)
{
	s->part[THRESHOLD] = part;
	return s->charge[ANSWER] > 0 ? least_plan(by_answers, s, EDGE, 1 - EDGE, ROUGH) :
	    by_answers(0, s);
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
	return k->beta * 7 / 8 / (double)(k->low == DP_TRANSFORM_FOR_EVER ? k->heavy : k->steps);
}

double
dp_transform_search(const struct dp_transform_plan *k, double part[static FAMILIES_TRANSFORM])
{
	struct search s = { .slack = log(2 / slack_tail(k)), .late = log(2 / late_tail(k)) };
	double found;
	unsigned i;

	for (i = 0; i < FAMILIES_TRANSFORM; i++)
		s.charge[i] = (double)dp_transform_charge(k, i);
	found = s.charge[THRESHOLD] > 0 ? least_plan(by_threshold, &s, EDGE, 1 - EDGE, ROUGH) :
	    by_threshold(0, &s);
	for (i = 0; i < FAMILIES_TRANSFORM; i++)
		part[i] = s.part[i];
	return found;
}

/* A scale is its charge at least, and a quantile (chernoff(), u > scale) ln(2/g) times that. */
double
dp_transform_least(const struct dp_transform_plan *k)
{
	return (double)dp_transform_charge(k, COMPARE) *
	    (log(2 / slack_tail(k)) + log(2 / late_tail(k))) * (1 - 1e-9);
}

static void
find_shares(struct dp_transform_plan *k, struct dp_q *share)
{
	double part[FAMILIES_TRANSFORM], weight[FAMILIES_TRANSFORM];
	unsigned i, n = 0;

	(void)dp_transform_search(k, part);
	for (i = 0; i < FAMILIES_TRANSFORM; i++)
		if (dp_transform_charge(k, i) > 0)
			weight[n++] = fmax(1, round(PARTS * part[i]));
	dp_privacy_split(share, weight, n);
}

int
dp_transform_shares(struct dp_transform_plan *k, struct dp_numbers *numbers)
{
	const uint64_t whole = (uint64_t)1 << 24;
	struct dp_q share[FAMILIES_TRANSFORM] = { { 0, 1 }, { 0, 1 }, { 0, 1 } };
	uint64_t left = whole;
	unsigned i, n;
	int e;

	if (!dp_numbers_replays(numbers))
		find_shares(k, share);
	for (n = 0, i = 0; i < FAMILIES_TRANSFORM; i++) {
		if (dp_transform_charge(k, i) == 0)
			continue;
		share[n].num = dp_numbers_int(numbers, "share",
		    share[n].num * (whole / share[n].den), 1, whole);
		if (share[n].num > left)
			dp_numbers_refuse(numbers);
		left -= share[n].num;
		if ((e = dp_numbers_error(numbers)) != 0 ||
		    (e = dp_q_div(&k->share[i], dp_q_make(share[n].num, whole),
		    dp_q_make(dp_transform_charge(k, i), 1))) != 0)
			return e;
		n++;
	}
	return 0;
}

/* ROUNDS: S + X, about, with that part of a round's epsilon on the threshold. */
static double
by_split(double part, struct search *s)
{
	const double e = sqrt(2 * s->rho * (1 - s->part[ANSWER]) / s->rounds);

	s->part[THRESHOLD] = part;
	s->square[THRESHOLD] = 1 / (e * part * e * part);
	s->square[COMPARE] = 4 / (e * (1 - part) * e * (1 - part));
	return quantile_about(s, s->slack, FAMILIES_TRANSFORM) + quantile_about(s, s->late, ANSWER);
}

static double
by_rho(double part, struct search *s)
{
	s->part[ANSWER] = part;
	s->gauss = s->answers > 0 ? s->answers / (2 * s->rho * part) : 0;
	return least_plan(by_split, s, EDGE, 1 - EDGE, ROUGH);
}

/* x of ROUNDS, for this rho: multiples of 2^-10 and 2^-11. */
static int
dp_transform_rounds(struct dp_transform_plan *k, double rho, struct dp_numbers *numbers)
{
	struct search s = { .slack = log(2 / slack_tail(k)), .late = log(2 / late_tail(k)),
	    .rho = rho, .rounds = (double)k->heavy, .answers = (double)k->task.changes,
	    .charge = { 1, 1, 0 } };
	uint64_t answers = 0, threshold;

	if (dp_numbers_replays(numbers))
		s.part[ANSWER] = s.part[THRESHOLD] = 0;
	else if (k->task.changes > 0)
		(void)least_plan(by_rho, &s, EDGE, 1 - EDGE, ROUGH);
	else
		(void)by_rho(0, &s);
	if (k->task.changes > 0)
		answers = dp_numbers_int(numbers, "answers", (uint64_t)fmin(PARTS - 1,
		    fmax(1, round(PARTS * s.part[ANSWER]))), 1, PARTS - 1);
	threshold = dp_numbers_int(numbers, "threshold", (uint64_t)fmin(PARTS - 1,
	    fmax(1, round(PARTS * s.part[THRESHOLD]))), 1, PARTS - 1);
	k->share[ANSWER] = dp_q_make(answers, PARTS);
	k->share[THRESHOLD] = dp_q_make(threshold, PARTS);
	k->share[COMPARE] = dp_q_make(PARTS - threshold, 2 * PARTS);
	return dp_numbers_error(numbers);
}

/* ACCURACY */

static double
quantile_plan(const struct dp_transform_plan *k, bool answers, double gamma)
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
accuracy(struct dp_transform_plan *k, struct dp_numbers *numbers)
{
	const double least = quantile_plan(k, true, slack_tail(k)), own = floor(2 * k->paper.alpha);
	const uint64_t found = (uint64_t)(own >= least ? own : least);
	const uint64_t slack = dp_numbers_int(numbers, "slack", found, 0, SLACK_MAX);
	const double held = k->task.hold ? (double)k->task.distance : 0;
	struct dp_law law;

	k->paper.own = k->paper.alpha > 0 && (double)slack == own;
	k->paper.small = own < least;
	k->threshold = (int64_t)(k->task.distance + slack);
	k->bound = (double)k->threshold + quantile_plan(k, false, late_tail(k));
	dp_law_clear(&law);
	dp_law_add(&law, &k->noise[ANSWER], 1, 1);
	if (law.terms > 0)
		k->bound = fmax(k->bound, held +
		    dp_law_bound(&law, k->beta / 16 / (double)k->task.changes));
}

static int
make_noise_plan(struct dp_noise *z, struct dp_transform_plan *k, const struct dp_privacy *p,
    unsigned family)
{
	const struct dp_q answers = k->share[ANSWER];
	struct dp_privacy own = *p;
	int e;

	if (k->rounds && family == ANSWER)
		return dp_privacy_gauss_repeat(z, p, k->task.changes, answers);
	if (k->rounds && (e = dp_privacy_round(&own, p, k->heavy, p->exact ? answers :
	    dp_q_make(answers.den - answers.num, answers.den))) != 0)
		return e;
	k->round = own.epsilon;
	return dp_privacy_laplace(z, &own, k->share[family]);
}

int
dp_transform_finish(struct dp_transform_plan *k, const struct dp_mech_rule *rule)
{
	static const char *const family[FAMILIES_TRANSFORM] = { [THRESHOLD] = "threshold",
	    [COMPARE] = "compare", [ANSWER] = "answer" };
	struct dp_numbers *numbers = rule->privacy.numbers;
	size_t outer;
	unsigned i;
	int e = 0;

	k->moves = rule->privacy.linf;
	for (i = 0; i < FAMILIES_TRANSFORM && e == 0; i++) {
		if (dp_transform_charge(k, i) == 0) {
			dp_noise_none(&k->noise[i]);
			continue;
		}
		outer = dp_numbers_enter(numbers, family[i]);
		e = make_noise_plan(&k->noise[i], k, &rule->privacy, i);
		dp_numbers_leave(numbers, outer);
	}
	if (e != 0)
		return e;
	accuracy(k, numbers);
	return dp_numbers_error(numbers);
}

/* x of ROUNDS, for this rho: multiples of 2^-10 and 2^-11. */
/* Charges of PRIVACY and ROUNDS. */
static int
dp_transform_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_transform_plan *k = (const void *)m;
	const struct dp_noise *z = k->noise;
	const uint64_t r = m->l1;
	int e;

	if (z[COMPARE].kind == DP_NOISE_NONE)
		return dp_certificate_unknown(b);
	if (k->rounds) {
		dp_certificate_rounds(b, k->heavy);
		dp_certificate_begin(b, "round", k->round, (struct dp_q){ 0, 1 }, r);
		e = dp_certificate_sparse(b, &z[THRESHOLD], r, &z[COMPARE], r, 2);
		dp_buf_puts(b, "end\n");
	} else
		e = dp_certificate_sparse(b, &z[THRESHOLD], dp_transform_charge(k, THRESHOLD) * r,
		    &z[COMPARE], r, dp_transform_charge(k, COMPARE));
	if (e != 0 || k->task.changes == 0)
		return e;
	return dp_certificate_values(b, &z[ANSWER], k->rounds ? k->moves : r, k->task.changes);
}

/*
 * A statistic's current answers: what is estimated, what nobody can do better, and the
 * mechanisms that release every one of them.
 *
 *   output        one moves T answers by r: fresh noise of scale T r / epsilon on each
 *   output-gauss  the same, T shifts whose squares sum to T r^2: discrete Gaussian
 *   recompute     one of n answers, held for the others (transform.h, RECOMPUTED)
 * (account/privacy.h)
 * A line that is no answer has what was printed last, as it was: that is public, and for neighbours
 * the same lines are none (transform.h).
 */

extern const struct dp_mech_ops dp_transform_output_ops;

/* ln of how many streams of T answers, each 0 or m r, move by more than the distance K times. */
static double
log_streams(const struct dp_transform *k, double T, double m)
{
	const double K = fmin((double)k->changes, floor(T / 2));

	return m * (double)k->unit <= (double)k->distance ? T * log(2) :
	    lgamma(T + 1) - lgamma(K + 1) - lgamma(T - K + 1);
}

/*
 * The packing of Dwork, Naor, Pitassi, Rothblum 2010, Theorem 5.3, for these neighbours.  N streams
 * whose answers are 0 or m r, that of zeros among them, and move as promised; two of them are m r
 * apart at some step, so to be within less than m r / 2 of one and of another are different things.
 * Had each probability 1 - beta on its own stream, then all of them together on that of zeros, m
 * units away, more than 1 if
 *	(N - 1) e^(-m epsilon) (1 - beta - delta (e^(m epsilon) - 1) / (e^epsilon - 1)) > beta.
 * N >= C(T, K), the places of exactly K moves (at most T/2 of them), and 2^T if the distance is no
 * less than m r.  The left side falls with m.
 */
static double
answers_lower_bound(const struct dp_task *t, uint64_t T, double eps, double delta, double beta)
{
	const struct dp_transform *k = t->own;
	uint64_t m = 0, bit;
	double x, n, left;

	if (k->rising != 0 || k->drifts)	/* those streams fall, and jump */
		return 0;
	for (bit = (uint64_t)1 << 50; bit > 0; bit >>= 1) {
		if (bit > k->reach - m)
			continue;
		x = (double)(m + bit);
		n = log_streams(k, (double)T, x);
		left = 1 - beta - (delta > 0 ? delta * expm1(x * eps) / expm1(eps) : 0);
		if (left > 0 && n + log(-expm1(-n)) - x * eps + log(left) > log(beta))
			m += bit;
	}
	return (double)m / 2;
}

const struct dp_statistic dp_transform_statistic = {
	.name = "transform", .sentence = "the answer on each line",
	.measure = DP_MEASURE_QUANTILE, .fades = false, .lower = DP_LOWER_ALL,
	.lower_bound = answers_lower_bound
};

void
dp_transform_inner(const struct dp_transform *k, double eps, char *text, size_t size)
{
	snprintf(text, size, "%.6g by the statistic itself (--inner-epsilon) and %.6g by this "
	    "command: %.6g in all, if for the same coins of its own its answers differ by no more "
	    "than the sensitivity", k->inner, eps, k->inner + eps);
}

struct output {
	struct dp_mech m;
	struct dp_transform task;
	double epsilon;
	double bound, half;		/* half: that an answer drifts from what is held */
	int64_t lo, hi;
	dp_wide centre;
	uint64_t every, releases;	/* n and m of RECOMPUTED; 1 and T: every answer */
	struct dp_noise noise;
	char what[64];
};

struct output_column {
	int64_t out;
	uint64_t block;		/* the last that has released its answer, from 1; every 1: unused */
};

/* Each of the answers released moves by r. */
static int
answers_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct output *k = (const void *)m;

	return dp_certificate_values(b, m->drawn.noise, m->l1, k->releases);
}

/* Noise and bound for blocks of so many lines. */
static int
answers_fit(struct output *k, const struct dp_mech_rule *rule, bool gauss, uint64_t every)
{
	const double apart = (double)(every - 1) * (double)k->task.drift;
	struct dp_law law;
	int e;

	k->every = every;
	k->releases = (rule->horizon - 1) / every + 1;
	if (gauss)
		e = dp_privacy_gauss_shift(&k->noise, &rule->privacy,
		    sqrt((double)k->releases) * (double)rule->privacy.l1, k->releases);
	else
		e = dp_privacy_laplace(&k->noise, &rule->privacy, dp_q_make(1, k->releases));
	if (e != 0)
		return e;
	k->half = k->task.rising != 0 ? ceil(apart / 2) : apart;
	k->centre = k->task.rising != 0 ? (dp_wide)floor(fmin(apart, 0x1p61) / 2) : 0;
	dp_law_clear(&law);
	dp_law_add(&law, &k->noise, 1, 1);
	k->bound = k->half + dp_law_bound(&law, rule->beta / (double)k->releases);
	return 0;
}

/* A plan without its noise; NULL with *e set. */
static struct output *
answers_begin(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule,
    int *e)
{
	struct output *k;

	*e = DP_EINVAL;
	if (rule->horizon == 0 || rule->task.own == NULL || !(rule->beta > 0))
		return NULL;
	*e = DP_ENOMEM;
	if ((k = dp_mech_alloc(ops, sizeof *k, rule->horizon, sizeof(struct output_column))) ==
	    NULL)
		return NULL;
	*out = &k->m;
	*e = 0;
	k->task = *(const struct dp_transform *)rule->task.own;
	k->epsilon = rule->privacy.exact ? INFINITY : dp_q_double(rule->privacy.epsilon);
	k->lo = rule->lo;
	k->hi = rule->hi;
	k->m.drawn.noise = &k->noise;
	k->m.drawn.numbers = "every answer";
	return k;
}

static int
answers_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct output *k;
	int e;

	if ((k = answers_begin(out, ops, rule, &e)) == NULL)
		return e;
	return answers_fit(k, rule, ops != &dp_transform_output_ops, 1);
}

#define BLOCKS_ALL	64		/* numbers of blocks that are all tried */

/* Tries some m blocks, the shortest there are; keeps the better. */
static void
answers_try(struct output *k, const struct dp_mech_rule *dry, bool gauss, double m,
    uint64_t *every, double *least)
{
	const uint64_t n = (uint64_t)fmax(1, fmin(m, (double)dry->horizon));

	if (answers_fit(k, dry, gauss, (dry->horizon - 1) / n + 1) == 0 && k->bound < *least) {
		*least = k->bound;
		*every = k->every;
	}
}

/* The n with the least bound, but for a hundredth of it; 0: no noise fits. */
static uint64_t
answers_search(struct output *k, const struct dp_mech_rule *rule, bool gauss, double *least)
{
	struct dp_mech_rule dry = *rule;
	uint64_t every = 0;
	double m, mid;

	dry.privacy.dry = dry.privacy.quick = true;
	dry.privacy.numbers = NULL;
	*least = INFINITY;
	if (k->task.refresh != 0) {
		if (answers_fit(k, &dry, gauss, k->task.refresh < rule->horizon ? k->task.refresh :
		    rule->horizon) == 0) {
			*least = k->bound;
			every = k->every;
		}
		return every;
	}
	for (m = 1; m <= BLOCKS_ALL; m++)
		answers_try(k, &dry, gauss, m, &every, least);
	for (; m < 2 * (double)rule->horizon; m *= 1.125)
		answers_try(k, &dry, gauss, m, &every, least);
	if (every == 0)
		return 0;
	mid = ceil((double)rule->horizon / (double)every);
	for (m = mid / 1.125; m < mid * 1.125; m *= 1.0078125)
		answers_try(k, &dry, gauss, m, &every, least);
	return every;
}

static int
refreshed_create(struct dp_mech **out, const struct dp_mech_ops *ops,
    const struct dp_mech_rule *rule)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	const struct dp_transform *own = rule->task.own;
	double least = INFINITY, other = INFINITY;
	uint64_t every = 1, more;
	bool gauss = false;
	struct output *k;
	int e;

	if (own == NULL || !own->drifts || rule->horizon > (uint64_t)1 << 62)
		return DP_EINVAL;
	if ((k = answers_begin(out, ops, rule, &e)) == NULL)
		return e;
	if (!dp_numbers_replays(numbers)) {
		every = answers_search(k, rule, false, &least);
		more = rule->privacy.rho.num != 0 ? answers_search(k, rule, true, &other) : 0;
		gauss = more != 0 && other < least;
		every = gauss ? more : every;
		if (every == 0)
			return DP_ERANGE;
	}
	dp_numbers_same(numbers, "drift", own->drift);
	every = dp_numbers_int(numbers, "every", every, 1, rule->horizon);
	gauss = dp_numbers_int(numbers, "gauss", gauss, 0, 1) != 0;
	if ((e = dp_numbers_error(numbers)) != 0 ||
	    (e = answers_fit(k, rule, gauss, every)) != 0)
		return e;
	snprintf(k->what, sizeof k->what, "an answer, once in %" PRIu64 " lines", every);
	k->m.drawn.numbers = k->what;
	return 0;
}

static int
answers_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct output *k = (const void *)m;

	(void)rng;
	((struct output_column *)col)->out = dp_transform_clamp(k->lo, k->hi, 0);
	return 0;
}

static int
answers_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct output *k = (const void *)m;
	const uint64_t block = (t - 1) / k->every + 1;
	struct output_column *c = col;
	int64_t z;
	int e;

	if (k->every == 1 || c->block != block) {
		if ((e = dp_draw(m->drawn.noise, rng, &z)) != 0)
			return e;
		if (*x != DP_TRANSFORM_NONE) {
			c->out = out_of((dp_wide)dp_transform_clamp(k->lo, k->hi, *x) + z +
			    k->centre);
			c->block = k->every == 1 ? 0 : block;
		}
	}
	*est = c->out;
	return 0;
}

static bool
answers_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct output *k = (const void *)m;

	return k->every == 1 ||
	    ((const struct output_column *)col)->block <= (t == 0 ? 0 : (t - 1) / k->every + 1);
}

static void
answers_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct output *k = (const void *)m;
	const double b = k->noise.kind == DP_NOISE_NONE ? 0 : dp_q_double(k->noise.param);

	e->max = k->bound;
	/* E |z|; of Gaussian noise, whose b is sigma^2, as if it were not discrete */
	e->mean = k->half > 0 ? NAN : b == 0 ? 0 : k->noise.kind == DP_NOISE_LAPLACE ?
	    1 / sinh(1 / b) : sqrt(b * 2 / M_PI);
	e->worst = k->every < T ? k->every : T;
}

static double
answers_drawn(const struct dp_mech *m)
{
	return 1 / (double)((const struct output *)(const void *)m)->every;
}

static bool
answers_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	const struct output *k = (const void *)m;

	(void)unit;
	if (i == 0)
		snprintf(text, size, "every answer is released, with noise of its own, to the end: "
		    "--changes, --distance and --on-halt make no difference");
	if (i == 1)
		dp_transform_inner(&k->task, k->epsilon, text, size);
	return i <= 1;
}

static bool
refreshed_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	const struct output *k = (const void *)m;

	if (i == 0)
		snprintf(text, size, "the first answer of every %" PRIu64 " lines is released, %"
		    PRIu64 " in all, each with noise of its own, and held for the others, in which "
		    "it drifts by %.6g at most, as the caller says (--drift); the run never ends "
		    "early", k->every, k->releases, (double)(k->every - 1) *
		    (double)k->task.drift * unit);
	if (i == 1)
		dp_transform_inner(&k->task, k->epsilon, text, size);
	return i <= 1;
}

static const char *
answers_refuses(const struct dp_task *t)
{
	const struct dp_transform *k = t->own;

	return k == NULL || k->changes != 0 ? NULL :
	    "releases every answer: --changes=0 wants none";
}

static const char *
refreshed_refuses(const struct dp_task *t)
{
	const struct dp_transform *k = t->own;

	return k == NULL || k->drifts ? NULL : "needs --drift: how far an answer is from the one "
	    "on the line before";
}

const struct dp_mech_ops dp_transform_output_ops = {
	.name = "output",
	.say.source = "fresh noise on every answer",
	.traits = DP_TRAIT_PAN, .tasks = DP_TASK_OWN, .statistic = &dp_transform_statistic,
	.say.refuses = answers_refuses, .create = answers_create, .start = answers_start, .step =
	    answers_step,
	.error = answers_error, .say.note = answers_note, .drawn.certify = answers_certify
};

const struct dp_mech_ops dp_transform_output_gauss_ops = {
	.name = "output-gauss",
	.say.source = "fresh Gaussian noise on every answer",
	.traits = DP_TRAIT_PAN | DP_TRAIT_DELTA, .tasks = DP_TASK_OWN,
	.statistic = &dp_transform_statistic,
	.say.refuses = answers_refuses, .create = answers_create, .start = answers_start, .step =
	    answers_step,
	.error = answers_error, .say.note = answers_note, .drawn.certify = answers_certify
};

const struct dp_mech_ops dp_transform_recompute_ops = {
	.name = "recompute",
	.say.source = "an answer released at regular steps and held between (Jain et al. 2021, "
	    "Algorithm 7)",
	.traits = DP_TRAIT_PAN, .tasks = DP_TASK_OWN, .statistic = &dp_transform_statistic,
	.say.refuses = refreshed_refuses, .create = refreshed_create, .start = answers_start,
	.step = answers_step, .valid = answers_valid, .error = answers_error,
	.say.note = refreshed_note, .drawn.number = answers_drawn,
	.drawn.certify = answers_certify
};
