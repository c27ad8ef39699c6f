/*
 * transform_plan.c - what the mechanisms of transform.h are charged with, the shares of epsilon for
 * which their bound is least, the slack and the bound.
 */
#include <math.h>

#include "mech/certificate.h"
#include "transform.h"

enum { THRESHOLD = DP_TRANSFORM_THRESHOLD, COMPARE = DP_TRANSFORM_COMPARE,
    ANSWER = DP_TRANSFORM_ANSWER, FAMILIES = DP_TRANSFORM_FAMILIES };

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
	double charge[FAMILIES], part[FAMILIES];
	double square[FAMILIES];	/* of the scales, where r = epsilon = 1 */
	double slack, late;		/* ln(2/g) of S and of X */
	double rho, gauss;		/* ROUNDS: rho; the variance of z, r = 1.  Else 0 */
	double rounds, answers;		/* ROUNDS: C, K */
	/* of the quantile that is looked for: */
	double log, most;		/* ln(2/g); the largest scale */
	unsigned families;		/* c and theta; also z */
};

/* The least of f, which falls and then rises from lo to hi; *arg is left as f leaves it there. */
static double
least(double (*f)(double, struct search *), struct search *arg, double lo, double hi, int rounds)
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
	return least(chernoff, s, -15, 10, FINE);
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
	return s->charge[ANSWER] > 0 ? least(by_answers, s, EDGE, 1 - EDGE, ROUGH) :
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
dp_transform_search(const struct dp_transform_plan *k, double part[static FAMILIES])
{
	struct search s = { .slack = log(2 / slack_tail(k)), .late = log(2 / late_tail(k)) };
	double found;
	unsigned i;

	for (i = 0; i < FAMILIES; i++)
		s.charge[i] = (double)dp_transform_charge(k, i);
	found = s.charge[THRESHOLD] > 0 ? least(by_threshold, &s, EDGE, 1 - EDGE, ROUGH) :
	    by_threshold(0, &s);
	for (i = 0; i < FAMILIES; i++)
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
	double part[FAMILIES], weight[FAMILIES];
	unsigned i, n = 0;

	(void)dp_transform_search(k, part);
	for (i = 0; i < FAMILIES; i++)
		if (dp_transform_charge(k, i) > 0)
			weight[n++] = fmax(1, round(PARTS * part[i]));
	dp_privacy_split(share, weight, n);
}

int
dp_transform_shares(struct dp_transform_plan *k, struct dp_numbers *numbers)
{
	const uint64_t whole = (uint64_t)1 << 24;
	struct dp_q share[FAMILIES] = { { 0, 1 }, { 0, 1 }, { 0, 1 } };
	uint64_t left = whole;
	unsigned i, n;
	int e;

	if (!dp_numbers_replays(numbers))
		find_shares(k, share);
	for (n = 0, i = 0; i < FAMILIES; i++) {
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
	return quantile_about(s, s->slack, FAMILIES) + quantile_about(s, s->late, ANSWER);
}

static double
by_rho(double part, struct search *s)
{
	s->part[ANSWER] = part;
	s->gauss = s->answers > 0 ? s->answers / (2 * s->rho * part) : 0;
	return least(by_split, s, EDGE, 1 - EDGE, ROUGH);
}

int
dp_transform_rounds(struct dp_transform_plan *k, double rho, struct dp_numbers *numbers)
{
	struct search s = { .slack = log(2 / slack_tail(k)), .late = log(2 / late_tail(k)),
	    .rho = rho, .rounds = (double)k->heavy, .answers = (double)k->task.changes,
	    .charge = { 1, 1, 0 } };
	uint64_t answers = 0, threshold;

	if (dp_numbers_replays(numbers))
		s.part[ANSWER] = s.part[THRESHOLD] = 0;
	else if (k->task.changes > 0)
		(void)least(by_rho, &s, EDGE, 1 - EDGE, ROUGH);
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
accuracy(struct dp_transform_plan *k, struct dp_numbers *numbers)
{
	const double least = quantile(k, true, slack_tail(k)), own = floor(2 * k->paper.alpha);
	const uint64_t found = (uint64_t)(own >= least ? own : least);
	const uint64_t slack = dp_numbers_int(numbers, "slack", found, 0, SLACK_MAX);
	const double held = k->task.hold ? (double)k->task.distance : 0;
	struct dp_law law;

	k->paper.own = k->paper.alpha > 0 && (double)slack == own;
	k->paper.small = own < least;
	k->threshold = (int64_t)(k->task.distance + slack);
	k->bound = (double)k->threshold + quantile(k, false, late_tail(k));
	dp_law_clear(&law);
	dp_law_add(&law, &k->noise[ANSWER], 1, 1);
	if (law.terms > 0)
		k->bound = fmax(k->bound, held +
		    dp_law_bound(&law, k->beta / 16 / (double)k->task.changes));
}

static int
make_noise(struct dp_noise *z, struct dp_transform_plan *k, const struct dp_privacy *p,
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
	static const char *const family[FAMILIES] = { [THRESHOLD] = "threshold",
	    [COMPARE] = "compare", [ANSWER] = "answer" };
	struct dp_numbers *numbers = rule->privacy.numbers;
	size_t outer;
	unsigned i;
	int e = 0;

	k->moves = rule->privacy.linf;
	for (i = 0; i < FAMILIES && e == 0; i++) {
		if (dp_transform_charge(k, i) == 0) {
			dp_noise_none(&k->noise[i]);
			continue;
		}
		outer = dp_numbers_enter(numbers, family[i]);
		e = make_noise(&k->noise[i], k, &rule->privacy, i);
		dp_numbers_leave(numbers, outer);
	}
	if (e != 0)
		return e;
	accuracy(k, numbers);
	return dp_numbers_error(numbers);
}

/* Charges of PRIVACY and ROUNDS. */
int
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
