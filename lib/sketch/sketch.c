/* SPDX-License-Identifier: ISC */
/*
 * sketch.c - what sketches share: the statistics, the division of a budget, sentences, refusals.
 */
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

#define WIDE_MAX	((uint64_t)1 << 22)

uint64_t
dp_sketch_outputs(const struct dp_mech_rule *rule)
{
	uint64_t n;

	if (rule->every == 0)
		return 1;
	n = rule->horizon / rule->every;
	return rule->horizon != 0 && n == 0 ? 1 : n;	/* none is not less than one */
}

/* Answers a step; one at the end is one of all steps reported for. */
static double
answer_rate(const struct dp_mech_rule *rule)
{
	return 1 / (double)(rule->every == 0 ? rule->report : rule->every);
}

double
dp_sketch_seen(const struct dp_sketch *s, uint64_t t)
{
	uint64_t n = s->universe != 0 ? s->universe : DP_SKETCH_MAX;

	if (s->lines)		/* a line is one identifier at the most */
		n = s->universe == 0 || t < n ? t : n;
	return (double)n;
}

static bool
power_of_2(uint64_t *n, const char *text)
{
	return dp_u64_parse(n, text, 16, (uint64_t)1 << 26) == 0 && (*n & (*n - 1)) == 0;
}

int
dp_sketch_buckets(struct dp_sketch *s, const char *text)
{
	const char *plus = strchr(text, '+');
	char first[32];

	snprintf(first, sizeof first, "%.*s", (int)strcspn(text, "+"), text);
	s->wide = 0;
	if (!power_of_2(&s->buckets, first) || (plus != NULL && !power_of_2(&s->wide, plus + 1)))
		return DP_EINVAL;
	return plus != NULL && s->wide < s->buckets ? DP_EINVAL : 0;
}

int
dp_sketch_often(struct dp_sketch *s, const char *text)
{
	const char *by = strchr(text, '%');
	char first[32];

	s->modulo = 0;
	if (by == NULL)
		return dp_u64_parse(&s->tau, text, 1, (uint64_t)1 << 31);
	snprintf(first, sizeof first, "%.*s", (int)(by - text), text);
	if (dp_u64_parse(&s->modulo, by + 1, 2, DP_SKETCH_MODULO) != 0)
		return DP_EINVAL;
	return dp_u64_parse(&s->tau, first, 0, s->modulo - 1);
}

uint64_t
dp_sketch_wide(double seen)
{
	uint64_t wide = DP_SKETCH_BUCKETS;

	while (wide < WIDE_MAX && 4 * (double)wide < seen)
		wide *= 2;
	return wide;
}

double
dp_sketch_unit(const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;

	return rule->task.statistic == &dp_density ? 1e6 / (double)s->universe : 1;
}

dp_wide
dp_sketch_round(double x)
{
	const dp_wide most = (dp_wide)1 << 62;

	return fabs(x) < 0x1p62 ? (dp_wide)llrint(x) : x < 0 ? -most : most;
}

double
dp_sketch_laplace(double eps)
{
	const double s = sinh(eps / 2);

	return 1 / (2 * s * s);		/* 2q/(1-q)^2 */
}

void *
dp_memory_alloc(const struct dp_mech_ops *ops, size_t size, const struct dp_mech_rule *rule,
    size_t column)
{
	struct dp_memory *k = dp_mech_alloc(ops, size, rule->horizon, column);

	if (k == NULL)
		return NULL;
	k->s = *(const struct dp_sketch *)rule->task.own;
	k->draws = answer_rate(rule);
	k->each = 1;
	k->m.drawn.numbers = "every answer";
	k->m.inputs = 0;
	return k;
}

int
dp_memory_key(uint8_t key[static 16], struct dp_rng *rng)
{
	const uint8_t *q = dp_rng_take(rng, 16);

	if (q == NULL)
		return DP_EENTROPY;
	memcpy(key, q, 16);
	return 0;
}

/* count() is not inlined: what it leaves on the stack is below. */
int
dp_memory_answer(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct dp_memory *k = (const void *)m;
	int e;

	if (rng != NULL) {
		dp_rng_ahead(rng);
		dp_rng_expect(rng, k->each * k->output.record);
	}
	e = k->count(m, col, rng, t, est);
	if (rng != NULL)
		dp_rng_back(rng);
	sodium_stackzero(4096);		/* the noise, which memory must not keep */
	return e;
}

bool
dp_memory_family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	const struct dp_memory *k = (const void *)m;

	*z = i == 0 ? &k->output : &k->state;
	*what = i == 0 ? m->drawn.numbers : k->begins;
	return i < 2 && *what != NULL && (*z)->kind != DP_NOISE_NONE;
}

double
dp_memory_unit(const struct dp_mech *m, unsigned i)
{
	return i == 0 ? m->drawn.unit : 1;
}

double
dp_memory_draws(const struct dp_mech *m)
{
	return ((const struct dp_memory *)(const void *)m)->draws;
}

double
dp_sketch_loss(const struct dp_noise *z)
{
	return z->kind == DP_NOISE_NONE ? INFINITY : 1 / dp_q_double(z->param);
}

const char *
dp_sketch_refuse_deletes(const struct dp_task *k)
{
	const struct dp_sketch *s = k->own;

	return s->deletes ? "cannot undo what it has seen: it is refused with --deletes" : NULL;
}

int
dp_sketch_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	(void)m;
	(void)col;
	(void)rng;
	(void)t;
	(void)x;
	(void)est;
	return 0;
}

int
dp_sketch_flip(const struct dp_noise *state, struct dp_rng *rng, bool *flip)
{
	int64_t z;
	int e = dp_draw(state, rng, &z);

	*flip = z > 0;
	return e;
}

/*
 * Statement: let memory be eps-DP for one identifier, and X, Y independent and uniform in {0,1}^m:
 * those i with X_i = 1 come first, then those with Y_i = 1.  No estimate of how many came at all
 * has a root-mean-square error below (sqrt(m)/2) sqrt(e^eps)/(1 + e^eps).
 *
 * Proof.  The number is |Y| + sum X_i (1 - Y_i), Y known, X only through the memory.  C, the
 * covariance of X given the memory: the error's variance is at least the mean over Y of
 * v'Cv, v = 1 - Y, which is (tr C + 1'C1)/4 >= tr C / 4.  Every X_i has odds in [e^-eps, e^eps]
 * given memory and the others, so C_ii >= e^eps/(1 + e^eps)^2.
 *
 * In line mode the first half of T lines holds X.
 */
static double
distinct_lower(const struct dp_task *k, uint64_t T, double epsilon, double delta, double beta)
{
	const struct dp_sketch *s = k->own;
	double m = s->universe != 0 ? (double)s->universe : (double)DP_SKETCH_MAX;

	(void)beta;
	if (delta > 0)
		return 0;
	if (s->lines && (s->universe == 0 || m > (double)(T / 2)))
		m = (double)(T / 2);
	return sqrt(m) / (4 * cosh(epsilon / 2));
}

static double
density_lower(const struct dp_task *k, uint64_t T, double epsilon, double delta, double beta)
{
	const struct dp_sketch *s = k->own;

	return distinct_lower(k, T, epsilon, delta, beta) * 1e6 / (double)s->universe;
}

static void
sketch_describe(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_sketch *s = k->own;

	snprintf(text, size, "the %s of identifiers %s", k->statistic == &dp_density ?
	    "fraction, of the declared universe," : "number", s->deletes ?
	    "that were not undone as often as done" : "seen so far, each once");
}

const struct dp_statistic dp_distinct = {
	.name = "distinct", .describe = sketch_describe, .measure = DP_MEASURE_RMSE,
	.lower = DP_LOWER_PAN, .lower_bound = distinct_lower
};

const struct dp_statistic dp_density = {
	.name = "density", .describe = sketch_describe, .measure = DP_MEASURE_RMSE,
	.lower = DP_LOWER_PAN, .lower_bound = density_lower
};

static void
describe_recent(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_sketch *s = k->own;
	size_t n;
	unsigned i;

	if (s->windows == 0) {
		snprintf(text, size, "the number of identifiers seen in the last %llu step%s, each "
		    "once", (unsigned long long)s->window, s->window == 1 ? "" : "s");
		return;
	}
	n = (size_t)snprintf(text, size, "the number of identifiers seen in the last W steps, each "
	    "once for each W = ");
	for (i = 0; i < s->windows && n < size; i++)
		n += (size_t)snprintf(text + n, size - n, "%s%llu", i > 0 ? ", " : "",
		    (unsigned long long)s->each[i].steps);
}

const struct dp_statistic dp_recent = {
	.name = "recent", .describe = describe_recent, .measure = DP_MEASURE_RMSE, .fades = true
};

/*
 * (*), of each grid unit of the reach: what memory begins with at each look, and the answers.  Bits
 * that are drawn again lose less together (internal.h).
 */
int
dp_memory_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_memory *k = (const void *)m;
	const uint64_t most = m->l1 * k->range;
	int e;

	if (dp_memory_exact(k))
		return dp_certificate_unknown(b);
	if (k->redrawn && k->output.kind == DP_NOISE_LAPLACE)
		return dp_certificate_again(b, &k->state, &k->output, k->range, k->answers);
	e = k->coin != NULL ? dp_certificate_coin(b, k->coin, k->odds, 1, 1) :
	    k->flipped ? dp_certificate_looks(b, &k->state, k->s.looks + 1) :
	    dp_certificate_laplace(b, &k->state, k->s.looks + 1);
	if (e != 0)
		return e;
	return k->output.kind == DP_NOISE_LAPLACE ?
	    dp_certificate_values(b, &k->output, most, k->answers) :
	    dp_certificate_gauss(b, &k->output, (dp_uwide)most * most * k->answers,
	    k->answers * k->each);
}

size_t
dp_bits_bytes(uint64_t n)
{
	return (size_t)((n + 63) / 64 * 8);
}

static void
set(uint64_t *word, uint64_t place, bool one)
{
	const uint64_t bit = (uint64_t)1 << place % 64;

	word[place / 64] = (word[place / 64] & ~bit) | (one ? bit : 0);
}

int
dp_bits_start(uint64_t *word, uint64_t n, const struct dp_noise *state, struct dp_rng *rng)
{
	int64_t z[64];
	uint64_t i, j, some;
	int e = 0;

	if (rng != NULL) {
		dp_rng_ahead(rng);
		dp_rng_expect(rng, n * state->record);
	}
	for (i = 0; i < n && e == 0; i += 64) {
		some = n - i < 64 ? n - i : 64;
		e = dp_noise_fill(state, rng, z, some);
		for (j = 0; j < some && e == 0; j++)
			set(word, i + j, z[j] > 0);	/* dp_sketch_flip() */
	}
	sodium_memzero(z, sizeof z);
	if (rng != NULL)
		dp_rng_back(rng);
	return e;
}

int
dp_bits_see(uint64_t *word, uint64_t place, const struct dp_noise *state, struct dp_rng *rng)
{
	bool zero;
	int e = dp_sketch_flip(state, rng, &zero);

	if (e == 0)
		set(word, place, !zero);
	return e;
}

DP_VECTORS static uint64_t
ones(const uint64_t *word, size_t n)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i + 4 <= n; i += 4)
		sum += (uint64_t)(__builtin_popcountll(word[i]) +
		    __builtin_popcountll(word[i + 1]) + __builtin_popcountll(word[i + 2]) +
		    __builtin_popcountll(word[i + 3]));
	for (; i < n; i++)
		sum += (uint64_t)__builtin_popcountll(word[i]);
	return sum;
}

uint64_t
dp_bits_count(const uint64_t *word, uint64_t from, uint64_t n)
{
	uint64_t sum = 0, i;

	for (i = from; i < from + n && i % 64 != 0; i++)
		sum += word[i / 64] >> i % 64 & 1;
	sum += ones(word + i / 64, (from + n - i) / 64);
	for (i += (from + n - i) / 64 * 64; i < from + n; i++)
		sum += word[i / 64] >> i % 64 & 1;
	return sum;
}

#define FAR	600		/* here doubles end, and each look costs eps1 */

double
dp_bits_looks(double eps1, uint64_t looks)
{
	const double h = 2 / (1 + exp(eps1));		/* 1 - g */
	double zero = eps1, one = eps1, was, H;		/* H: 1 - G */
	uint64_t j;

	if (eps1 > FAR)
		return (double)looks * eps1;
	for (j = 1; j < looks; j++) {
		H = -expm1((double)(j + 1) * log1p(-h));
		was = zero;
		zero = fmax(was + log((2 - h) / H), one + log(H / h));
		one = fmax(was + log((2 - H) / h), one + log((2 - h) / (2 - H)));
	}
	return fmax(zero, one);
}

void
dp_bits_odds(struct dp_odds *o, const struct dp_noise *state, struct dp_numbers *numbers)
{
	const double eps = dp_sketch_loss(state);

	o->p = dp_numbers_real(numbers, "flip", 1 / (1 + exp(eps)), 0, 0.5);
	o->gap = dp_numbers_real(numbers, "gap", tanh(eps / 2), 0x1p-64, 1);
}

/* The budget of a private memory: the division of least variance. */

#define WHOLE		((uint64_t)1 << 24)	/* the budget, in parts */
#define OUTPUTS_MAX	((uint64_t)1 << 30)
#define SIGMA_MAX	0x1.ffp27	/* that can be drawn (random/noise.h), and a little less */

/* One division of the budget, and what is asked of it. */
struct division {
	const struct dp_mech_rule *rule;
	double (*variance)(const void *arg, double, double);
	const void *arg;
	uint64_t range, k;		/* of an answer; answers */
	uint64_t looks;			/* at memory, each with the same odds */
	bool redrawn, flipped;
	unsigned each;			/* > 0: Gaussian noise, this many draws an answer */
};

/*
 * The loss that answers may have together, if memory has `memory`, of `whole`.  Bits that are drawn
 * again (internal.h, AGAIN): log((e^(whole - memory) - p)/(1 - p)), a little less.
 */
static double
answers_loss(const struct division *d, double whole, double memory)
{
	const double rest = whole - memory, p = 1 / (1 + exp(memory));

	if (!d->redrawn)
		return rest;
	/* doubles are off by far less: by a part of rest, and of logarithms below 1 */
	return fmin(whole, (rest + log1p(-p * exp(-rest)) - log1p(-p)) * (1 - 0x1p-30) - 0x1p-48);
}

/* eps1 of each look, if all cost `memory': of bits that are flipped after each a little less. */
static double
look_loss(const struct division *d, double memory)
{
	double lo = memory / (double)d->looks, hi = memory, mid;
	int i;

	if (d->looks == 1 || !d->flipped)
		return lo;
	for (i = 0; i < 48; i++) {
		mid = lo + (hi - lo) / 2;
		if (dp_bits_looks(mid, d->looks) <= memory)
			lo = mid;
		else
			hi = mid;
	}
	return lo * (1 - 0x1p-30);
}

/*
 * Noise of answers with a Gaussian law; *shift: the distance by which one identifier moves them
 * all.
 */
static int
gauss_part(struct dp_privacy *own, double *shift, const struct division *d, uint64_t part)
{
	const uint64_t most = d->rule->privacy.l1 * d->range;
	const struct dp_reach reach = { .l1 = most, .l2squared = most * most, .linf = most,
	    .columns = 1 };

	if (d->rule->privacy.l1 >> 31 != 0 || d->range >> 31 != 0 || most >> 31 != 0)
		return DP_ERANGE;
	*shift = (double)most * sqrt((double)d->k);
	return dp_privacy_part(own, &d->rule->privacy, dp_q_make(WHOLE - part, WHOLE), &reach);
}

static uint64_t
part_of(double p)
{
	const uint64_t part = (uint64_t)(p * (double)WHOLE);

	return part < 1 ? 1 : part > WHOLE - 1 ? WHOLE - 1 : part;
}

/* The variance if memory has a share p of epsilon. */
static double
variance_of(const struct division *d, double p, bool exactly)
{
	const double eps = dp_q_double(d->rule->privacy.epsilon) / (double)d->rule->privacy.l1;
	const double look = look_loss(d, p * eps);
	struct dp_privacy own;
	double shift, sigma;

	if (d->each == 0 && !d->redrawn)
		return d->variance(d->arg, look, dp_sketch_laplace((1 - p) * eps /
		    (double)d->k / (double)d->range));
	if (d->each == 0)
		return d->variance(d->arg, look, dp_sketch_laplace(answers_loss(d, eps,
		    look) / (double)d->k / (double)d->range));
	if (gauss_part(&own, &shift, d, part_of(p)) != 0 || own.rho.num == 0)
		return INFINITY;
	/* a search takes what rho asks for; the analytic one is slow, and a little less */
	sigma = exactly ? dp_privacy_gauss_sigma(&own, shift, d->k * d->each) :
	    shift / sqrt(2 * dp_q_double(own.rho));
	if (sigma <= 0 || sigma >= SIGMA_MAX)
		return INFINITY;
	return d->variance(d->arg, look, sigma * sigma);
}

/* Golden section over the logarithm of eps1 : k eps2, from the best of a row of points. */
static double
best_part(const struct division *d, double *least)
{
	const double g = 0.6180339887498949;
	double best = INFINITY, at = 0, v, x, y, lo, hi;
	int i;

	for (i = -16; i <= 16; i++) {
		if ((v = variance_of(d, 1 / (1 + exp(-i)), false)) < best) {
			best = v;
			at = i;
		}
	}
	for (lo = at - 1, hi = at + 1, i = 0; i < (d->each == 0 ? 60 : 20); i++) {
		x = hi - g * (hi - lo);
		y = lo + g * (hi - lo);
		v = variance_of(d, 1 / (1 + exp(-x)), false);
		if (v < variance_of(d, 1 / (1 + exp(-y)), false))
			hi = y;
		else
			lo = x;
	}
	*least = variance_of(d, 1 / (1 + exp(-(lo + hi) / 2)), true);
	return 1 / (1 + exp(-(lo + hi) / 2));
}

/* Of the two noises the better: memory's part of the budget, and WHOLE more for Gaussian noise. */
static uint64_t
divide_sketch_divide(const struct division *d)
{
	const struct dp_privacy *p = &d->rule->privacy;
	struct division pure = *d;
	double least, other, part;
	uint64_t found;

	if (p->exact)
		return WHOLE / 2;
	pure.each = 0;
	found = part_of(best_part(&pure, &least));
	if (d->each == 0 || p->delta.num == 0)
		return found;
	part = best_part(d, &other);
	return other < least ? WHOLE + part_of(part) : found;
}

/* At memory: those that all know of, and one. */
static uint64_t
looks_of(const struct dp_mech_rule *rule)
{
	return ((const struct dp_sketch *)rule->task.own)->looks + 1;
}

int
dp_sketch_shares(struct dp_q *state, struct dp_q *output, const struct dp_mech_rule *rule,
    uint64_t range, double (*variance)(const void *, double, double), const void *arg)
{
	const struct division d = { .rule = rule, .variance = variance, .arg = arg,
	    .range = range, .k = dp_sketch_outputs(rule), .looks = 1 };
	uint64_t part;

	if (d.k == 0 || d.k > OUTPUTS_MAX || looks_of(rule) != 1)
		return DP_EINVAL;
	part = dp_numbers_replays(rule->privacy.numbers) ? 1 : divide_sketch_divide(&d);
	part = dp_numbers_int(rule->privacy.numbers, "part", part, 1, WHOLE - 1);
	/* (*): part + k (WHOLE - part)/k = WHOLE */
	*state = dp_q_make(part, WHOLE);
	*output = dp_q_make(WHOLE - part, WHOLE * d.k);
	return 0;
}

/* Share of epsilon of each answer, where memory has `part` of WHOLE. */
static struct dp_q
answer_share(const struct division *d, uint64_t part)
{
	const double eps = dp_q_double(d->rule->privacy.epsilon) / (double)d->rule->privacy.l1;
	const double memory = (double)part / (double)WHOLE * eps;
	uint64_t all = WHOLE - part;

	if (d->redrawn && !d->rule->privacy.exact)	/* down */
		all = (uint64_t)(answers_loss(d, eps, memory) / eps * (double)WHOLE);
	return dp_q_make(all < WHOLE - part ? WHOLE - part : all, WHOLE * d->k);
}

/* Share of epsilon of each look. */
static struct dp_q
look_share(const struct division *d, uint64_t part)
{
	const double eps = dp_q_double(d->rule->privacy.epsilon) / (double)d->rule->privacy.l1;
	const double whole = (double)(WHOLE * d->looks);
	uint64_t share = part;

	if (d->looks > 1 && d->flipped && !d->rule->privacy.exact)	/* down */
		share = (uint64_t)(look_loss(d, (double)part / (double)WHOLE * eps) / eps * whole);
	return dp_q_make(share < part ? part : share, WHOLE * d->looks);
}

static int
split(struct dp_memory *k, const struct division *d)
{
	struct dp_privacy wide = d->rule->privacy;
	uint64_t part, most = 2 * WHOLE - 1;
	size_t outer;
	double shift;
	bool gauss;
	int e;

	if (d->k == 0 || d->k > OUTPUTS_MAX || (d->looks != 1 && k->m.ops->open.anew == NULL))
		return DP_EINVAL;
	part = dp_numbers_replays(wide.numbers) ? 1 : divide_sketch_divide(d);
	part = dp_numbers_int(wide.numbers, "part", part, 1, d->each != 0 ? most : WHOLE - 1);
	gauss = part > WHOLE;
	part -= gauss ? WHOLE : 0;
	if (part == WHOLE)
		return DP_EINVAL;
	outer = dp_numbers_enter(wide.numbers, "state");
	e = dp_privacy_laplace(&k->state, &d->rule->privacy, look_share(d, part));
	dp_numbers_leave(wide.numbers, outer);
	if (e != 0)
		return e;
	if (gauss)
		return (e = gauss_part(&wide, &shift, d, part)) != 0 ? e :
		    dp_privacy_gauss_shift(&k->output, &wide, shift, d->k * d->each);
	if (wide.l1 > ((uint64_t)1 << 62) / d->range)
		return DP_ERANGE;
	wide.l1 *= d->range;
	return dp_privacy_laplace(&k->output, &wide, answer_share(d, part));
}

int
dp_memory_split(struct dp_memory *k, const struct dp_mech_rule *rule, uint64_t range,
    double (*variance)(const void *, double, double), const void *arg)
{
	const struct division d = { rule, variance, arg, range, dp_sketch_outputs(rule),
	    looks_of(rule), k->redrawn, k->flipped, k->each };
	const int e = split(k, &d);

	k->range = range;
	k->answers = d.k;
	if (e != 0)
		dp_mech_free(&k->m);
	return e;
}

/*
 * How often identifiers came: the statistics, as sentences and with their lower bounds.
 *
 * Statement: what distinct_lower() in sketch.c says of the number of identifiers holds of each of
 * these, times what one that came often enough adds.
 *
 * Proof.  Let the m identifiers with X_i = 1 come `often` times each, then those with Y_i = 1:
 * as often for cropped, mean and heavy, which add the same for one that came often and one that
 * came twice as often, so that they are |X u Y| times what one adds; and once, for incidence with
 * tau > 1, which then counts those with X_i = 1, Y_i = 0.  Either is a sum of X_i (1 - Y_i) and
 * what does not depend on X.  (For tau = 1 it counts X_i != Y_i: the error's variance is at least
 * the mean over signs v of v'Cv, which is tr C.  Modulo K likewise, where tau is 1 or K is 2; tau =
 * 0 counts those that neither, or both, came, with one event each.)
 *
 * Without a universe m is how many buckets there are, which are what is counted then: for a hash
 * that is known, one identifier for each.  In line mode the first half of T lines holds m often
 * events.
 */

static uint64_t
top(const struct dp_sketch *s, uint64_t T)
{
	if (s->modulo != 0)
		return s->tau != 0 ? s->tau : 1;
	return s->share == 0 ? s->tau : T / s->share + (T % s->share != 0);
}

/* For what adds `most` for an identifier that came tau times; cropped: as often as it came. */
static double
lower(const struct dp_sketch *s, uint64_t T, double epsilon, double delta, double most, bool grows)
{
	const double tau = (double)top(s, T), half = (double)(T / 2);
	const double often = grows && s->lines ? fmin(tau, half) : tau;
	double m = s->universe != 0 ? (double)s->universe :
	    s->buckets != 0 ? (double)s->buckets :
	    s->share != 0 ? DP_SKETCH_MAX : DP_SKETCH_BUCKETS;

	if (delta > 0)
		return 0;
	if (s->lines)
		m = fmin(m, often > 0 ? floor(half / often) : 0);
	return most * (often / tau) * sqrt(m) / (4 * cosh(epsilon / 2));
}

/*
 * The most: of n identifiers, none with more than w lines, K with A lines each, K A of all.
 */
static double
reach_f2(const struct dp_sketch *s, double n, double lines)
{
	const double A = fmin(s->updates != 0 ? (double)s->updates : INFINITY, lines);

	return fmin(n, lines / A) * A * A;
}

static void
f2_words(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_sketch *s = k->own;

	snprintf(text, size, "the sum, over identifiers, of the square of how often each came%s",
	    s->deletes ? ", less how often it was undone" : "");
}

const struct dp_statistic dp_f2 = {
	.name = "f2", .describe = f2_words, .measure = DP_MEASURE_RMSE
};

static double
cropped_lower(const struct dp_task *k, uint64_t T, double epsilon, double delta, double beta)
{
	const struct dp_sketch *s = k->own;

	(void)beta;
	return lower(s, T, epsilon, delta, (double)s->tau, true);
}

static double
mean_lower(const struct dp_task *k, uint64_t T, double epsilon, double delta, double beta)
{
	const struct dp_sketch *s = k->own;

	return cropped_lower(k, T, epsilon, delta, beta) * 1e6 / (double)s->universe;
}

static double
once_lower(const struct dp_task *k, uint64_t T, double epsilon, double delta, double beta)
{
	(void)beta;
	return lower(k->own, T, epsilon, delta, 1, false);
}

static void
threshold(const struct dp_sketch *s, char text[static 80])
{
	if (s->share == 0)
		snprintf(text, 80, "%llu", (unsigned long long)s->tau);
	else
		snprintf(text, 80, "1/%llu of the lines so far, rounded up",
		    (unsigned long long)s->share);
}

static void
cropped_words(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_sketch *s = k->own;

	snprintf(text, size, "the sum, over identifiers, of how often each came%s, but at most "
	    "%llu", s->deletes ? ", less how often it was undone (without its sign)" : "",
	    (unsigned long long)s->tau);
}

static void
mean_words(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_sketch *s = k->own;

	snprintf(text, size, "the mean, over the declared universe, of how often an identifier "
	    "came%s, but at most %llu", s->deletes ? ", less how often it was undone (without its "
	    "sign)" : "", (unsigned long long)s->tau);
}

static void
incidence_words(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_sketch *s = k->own;
	const char *undone = s->deletes ? " more than they were undone" : "";

	if (s->modulo != 0)
		snprintf(text, size, "the number of identifiers that came so often%s that it is "
		    "%llu modulo %llu", undone, (unsigned long long)s->tau,
		    (unsigned long long)s->modulo);
	else
		snprintf(text, size, "the number of identifiers that came exactly %llu times%s",
		    (unsigned long long)s->tau, undone);
}

static void
heavy_words(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_sketch *s = k->own;
	char tau[80];

	threshold(s, tau);
	snprintf(text, size, "the number of identifiers that came at least tau times%s, tau = %s, "
	    "where one that came less often counts 0 up to tau/2 times and in proportion above",
	    s->deletes ? " more or less than they were undone" : "", tau);
}

#define TIMES(NAME, LOWER) \
	.name = #NAME, .describe = NAME##_words, .measure = DP_MEASURE_RMSE, \
	.lower = DP_LOWER_PAN, .lower_bound = LOWER

const struct dp_statistic dp_cropped = { TIMES(cropped, cropped_lower) };
const struct dp_statistic dp_mean = { TIMES(mean, mean_lower) };
const struct dp_statistic dp_incidence = { TIMES(incidence, once_lower) };
const struct dp_statistic dp_heavy = { TIMES(heavy, once_lower), .between = true };

/* What a planned sketch answers, and what it leaves out, in words. */

/* A cell of 8 bytes for each, and a key of 16. */
static size_t
buckets_of(const struct dp_sketch_plan *k)
{
	const struct dp_mech *m = k->m->parts > 0 ? k->m->part->inner : k->m;

	return m->column / sizeof(uint64_t) - 2;
}

/* Memory has identifiers themselves, and no buckets. */
static bool
exact(const struct dp_sketch_plan *k)
{
	return (k->m->ops->traits & DP_TRAIT_TABLE) != 0;
}

/*
 * Lines bound the answers: a step is one, and has one identifier at most.  A bucket of time holds
 * any number of them, and so does a window of buckets.
 */
double
dp_sketch_reach(const struct dp_sketch_plan *k)
{
	const struct dp_sketch *s = k->s;
	const double n = s->universe != 0 ? (double)s->universe : INFINITY;
	const double lines = s->lines ? (double)k->report : INFINITY;
	const uint64_t back = s->modulo != 0 && s->deletes ? s->modulo - s->tau : s->tau;
	const double tau = fmax(1, (double)(back < s->tau ? back : s->tau));

	if (k->what == &dp_heavy)
		return INFINITY;
	if (k->what == &dp_f2)
		return reach_f2(s, n, lines);
	if (k->what == &dp_cropped)
		return fmin(n * tau, lines);
	if (k->what == &dp_mean)
		return fmin(tau, lines / n);
	if (k->what == &dp_density)
		return fmin(1, lines / n);
	if (k->what == &dp_recent)
		return fmin(n, s->lines ? fmin((double)s->window, lines) : INFINITY);
	return fmin(n, floor(lines / (k->what == &dp_incidence ? tau : 1)));
}

static bool
note_few(const struct dp_sketch_plan *k, const struct dp_mech_rule *rule, char *text, size_t size)
{
	const struct dp_sketch *s = k->s;
	double error, most = s->universe != 0 ? (double)s->universe : INFINITY;

	(void)rule;
	if (k->what != &dp_heavy)
		return false;
	error = sqrt(dp_mech_variance(k->m, k->report));
	if (s->lines)
		most = fmin(most, s->share != 0 ? fmin((double)s->share, (double)k->report) :
		    (double)(k->report / s->tau));
	if (error > most / 2)
		snprintf(text, size, "at most %.0f identifiers can have come so "
		    "often, and the rms error of their number is %.4g, more than half of that",
		    most, error);
	else if (s->universe == 0 && !isinf(k->m->off.drift) &&
	    k->m->off.drift > most / 2)
		snprintf(text, size, "%llu lines are some %.4g in each of %zu "
		    "buckets, where light identifiers add up: for that alone their number may be "
		    "off by %.0f, of at most %.0f (--universe, more --buckets or a larger --tau "
		    "help)", (unsigned long long)k->report,
		    (double)k->report / (double)buckets_of(k), buckets_of(k), k->m->off.drift,
		    most);
	else
		return false;
	return true;
}

/*
 * Largest count at which levels (hashed.c) say hardly anything: the error reaches the whole range.
 */
static bool
note_levels(const struct dp_sketch_plan *k, const struct dp_mech_rule *rule,
    char *text, size_t size)
{
	(void)rule;
	if (!k->blind)
		return false;
	snprintf(text, size, "with so much noise no count below %.0f can be told from 0; fewer "
	    "answers (--at-end, --every) or a --universe make it less",
	    dp_sketch_seen(k->s, k->report));
	return true;
}

static bool
note_budget(const struct dp_sketch_plan *k, const struct dp_mech_rule *rule,
    char *text, size_t size)
{
	const struct dp_noise *z;
	const char *what;
	double memory;

	if (!(k->m->ops->traits & DP_TRAIT_PAN) || k->m->parts > 0 ||
	    !dp_mech_family(k->m, 1, &z, &what))
		return false;
	memory = 1 / dp_q_double(z->param);
	if (k->s->looks != 0)		/* density.c */
		memory = ((const struct dp_memory *)(const void *)k->m)->flipped ?
		    dp_bits_looks(memory, k->s->looks + 1) : memory * (double)(k->s->looks + 1);
	snprintf(text, size, "of epsilon, %.4g is for memory, whenever it is looked at, and "
	    "%.4g for the answers together", memory,
	    dp_q_double(rule->privacy.epsilon) - memory);
	return true;
}

static bool
note_relation(const struct dp_sketch_plan *k, const struct dp_mech_rule *rule,
    char *text, size_t size)
{
	const unsigned traits = k->m->ops->traits;
	const bool table = (traits & DP_TRAIT_FIRST) != 0, open = (traits & DP_TRAIT_PAN) == 0;

	if (!k->whole)
		return false;
	snprintf(text, size, "where one identifier stands in place of another, everywhere, the "
	    "loss is twice as large: epsilon = %.6g; where one event has another identifier, it "
	    "is %s%s", 2 * dp_q_double(rule->privacy.epsilon),
	    table && !k->s->presence ? "epsilon" : open && !table && k->s->presence ?
	    "four times as large" : "twice as large, too", rule->privacy.delta.num == 0 ? "" :
	    "; delta is then (1 + e^epsilon) delta for twice, that and e^(2 epsilon) + "
	    "e^(3 epsilon) of it more for four times");
	return true;
}

static bool
note_seen(const struct dp_sketch_plan *k, const struct dp_mech_rule *rule, char *text, size_t size)
{
	(void)rule;
	if (exact(k) || k->s->universe != 0 || k->what == &dp_heavy || k->what == &dp_f2)
		return false;
	snprintf(text, size, "errors are those of %.0f identifiers; of fewer they are smaller",
	    dp_sketch_seen(k->s, k->horizon != 0 ? k->horizon : k->report));
	return true;
}

double
dp_sketch_additive(double epsilon, double delta, double gamma)
{
	const double x = log((1 - gamma) / (gamma + delta / expm1(epsilon))) / epsilon;

	return x > 1 ? (ceil(x) - 1) / 2 : 0;
}

static bool
note_additive(const struct dp_sketch_plan *k, const struct dp_mech_rule *rule,
    char *text, size_t size)
{
	const double B = dp_sketch_additive(dp_q_double(rule->privacy.epsilon),
	    dp_q_double(rule->privacy.delta), rule->beta);

	if (k->what != &dp_distinct || exact(k) || k->s->universe != 0 || !(B > 0))
		return false;
	snprintf(text, size, "a factor does not help with few: whoever is within 1 - A to 1 + A "
	    "times the number, but for B, with probability %.6g, has a B of (1 - A) %.6g at "
	    "least (after Mir et al. 2011, Theorem 14)", 1 - rule->beta, B);
	return true;
}

static bool
note_buckets(const struct dp_sketch_plan *k, const struct dp_mech_rule *rule,
    char *text, size_t size)
{
	char off[80];

	(void)rule;
	if (k->what != &dp_heavy || k->s->universe != 0 || exact(k))
		return false;
	if (isinf(k->m->off.drift))
		snprintf(off, sizeof off, "nobody knows by how many, without a number of lines "
		    "(-T)");
	else
		snprintf(off, sizeof off, "by up to %.6g, which the bounds here have in them",
		    k->m->off.drift);
	snprintf(text, size, "identifiers are hashed to %zu buckets: those of one bucket count "
	    "together, so that heavy ones may be lost, and light ones may add up to a heavy one: "
	    "%s", buckets_of(k), off);
	return true;
}

bool
dp_sketch_note(const struct dp_sketch_plan *k, const struct dp_mech_rule *rule, unsigned *i,
    char *text, size_t size)
{
	static bool (*const say[])(const struct dp_sketch_plan *, const struct dp_mech_rule *,
	    char *, size_t) = { note_few, note_levels, note_relation, note_budget, note_seen,
	    note_additive, note_buckets };
	const size_t begin = strlen(k->none);
	bool none;
	size_t j;

	for (j = 0; j < sizeof say / sizeof say[0]; j++) {
		none = say[j] == note_few || say[j] == note_levels;
		if (!say[j](k, rule, text + (none ? begin : 0), size - (none ? begin : 0)) ||
		    (*i)-- > 0)
			continue;
		if (none)
			memcpy(text, k->none, begin);
		return true;
	}
	return false;
}

bool
dp_sketch_unused(enum dp_sketch_fact fact, const char *option, const char *mechanism, char *text,
    size_t size)
{
	static const struct {
		enum dp_sketch_fact option;
		const char *used, *why;		/* by whom; and else */
	} uses[] = {
		{ DP_ASKS_FLIPS, " turnstile turnstile-table ",
		    "%s follows all comings and goings" },
		{ DP_ASKS_UPDATES, " continual ams ",
		    "%s takes any number of lines of an identifier" },
		{ DP_ASKS_BUCKETS, " hashed hashed-bits sample phase phase-levels ams ",
		    "%s has none" },
		{ DP_ASKS_PRESENCE, " ams ", "the noise of %s is the same without, and protects "
		    "which of its events happened, too" }
	};
	char name[64], why[200];
	size_t i;

	snprintf(name, sizeof name, " %s ", mechanism);
	for (i = 0; i < sizeof uses / sizeof uses[0] && uses[i].option != fact; i++)
		;
	if (i == sizeof uses / sizeof uses[0] || strstr(uses[i].used, name) != NULL)
		return false;
	snprintf(why, sizeof why, uses[i].why, mechanism);
	snprintf(text, size, "--%s has no effect: %s", option, why);
	return true;
}

/* The table of what is refused. */

#define F(FACT)		((uint64_t)1 << DP_ASKS_##FACT)
#define NEVER		((uint64_t)1 << DP_ASKS_FACTS)		/* no fact */
#define HOW_OFTEN	(F(CROPPED) | F(MEAN) | F(INCIDENCE) | F(HEAVY))

/* Where all of `given' hold, and one of `of' if there are any, all of `needs' must hold. */
static const struct {
	uint64_t given, of, needs;
	const char *why, *rest;		/* rest not NULL: between them the name of that one */
} rows[] = {
	{ F(TIME), 0, F(VALUE), "--time needs --value, the field that holds the identifier: as a "
	    "whole hardly any line comes twice", NULL },
	/* windows */
	{ F(PROTECT), F(DISTINCT) | F(DENSITY) | HOW_OFTEN, NEVER, "--protect is for --window: "
	    "without it identifiers are protected, with all that they do", NULL },
	{ F(SHARES), 0, F(SEVERAL), "--shares is for several windows, as in --window=1d,7d,30d: "
	    "one has all of the budget", NULL },
	{ F(WINDOW) | F(IDENTIFIER), 0, F(HORIZON), "--protect=identifier needs -T, or --from and "
	    "--to: in how many steps may it come and go?", NULL },
	{ F(WINDOW), F(STATISTIC) | F(TAU) | F(SHARE) | F(DELETES) | F(FLIPS) | F(UPDATES), NEVER,
	    "--window: refused with --", "" },
	{ F(WINDOW) | F(PRESENCE), 0, F(IDENTIFIER), "--window: refused with --presence, but for "
	    "--protect=identifier", NULL },
	/* statistics, and their options */
	{ 0, F(DENSITY) | F(MEAN), F(UNIVERSE), "--statistic=",
	    " needs --universe: of what it is a fraction" },
	{ F(PAN), F(INCIDENCE), F(UNIVERSE), "--statistic=",
	    " needs --universe with --pan-private" },
	{ F(MODULO), HOW_OFTEN, F(INCIDENCE) | F(UNIVERSE), "--tau: R%K is for "
	    "--statistic=incidence and a --universe", NULL },
	{ F(SHARE), 0, F(HEAVY), "--share is for --statistic=heavy", NULL },
	{ F(SHARE) | F(BUCKET), 0, NEVER, "--share is refused with --bucket: how many events there "
	    "are is not public there, so give --tau", NULL },
	{ F(BUCKETS) | F(UNIVERSE), HOW_OFTEN | F(F2), NEVER, "--buckets is for identifiers "
	    "without a --universe", NULL },
	{ F(FLIPS), 0, F(DISTINCT), "--flips is for --statistic=distinct", NULL },
	{ F(UPDATES), F(DENSITY) | HOW_OFTEN, NEVER, "--updates is for --statistic=distinct and f2",
	    NULL },
	{ F(F2) | F(IDENTIFIER), 0, F(UPDATES), "--statistic=f2 needs --updates=W, the promise "
	    "that no identifier has more than W lines; or --protect=event, which protects one "
	    "line", NULL },
	{ F(F2), F(UPDATES), F(IDENTIFIER), "--", ": refused with --protect=event, which protects "
	    "one line" },
	{ F(F2), F(PRESENCE), F(IDENTIFIER), "--", ": refused with --protect=event, which protects "
	    "one line" },
	{ F(F2) | F(BUCKET), 0, F(IDENTIFIER), "--protect=event: refused with --bucket and "
	    "--statistic=f2: give --updates=W", NULL },
	{ 0, F(CROPPED) | F(MEAN) | F(INCIDENCE), F(TAU), "--statistic=",
	    " needs --tau: how often is that?" },
	{ F(HEAVY), 0, F(THRESHOLD), "--statistic=heavy needs --tau or --share, and not both: how "
	    "often is that?", NULL },
	{ F(FLIPS), 0, F(DELETES), "--flips needs --deletes: who cannot go comes once", NULL },
	{ F(UPDATES) | F(DISTINCT), 0, F(UNIVERSE), "--updates needs --universe", NULL },
	{ F(WIDE), 0, F(DISTINCT), "--buckets: B+W is for --statistic=distinct", NULL },
	/* memory */
	{ F(LOOKS), 0, F(DISTINCT) | F(UNIVERSE) | F(REDRAWN), "--looks is for -P, "
	    "--statistic=distinct and a --universe", NULL },
	{ F(SEEN), 0, F(LOOKS), "--seen: the state was begun without --looks", NULL },
	{ F(PAN), 0, F(MAY_PAN), "--pan-private and --no-pan-private do not go together", NULL },
};

static const char *const names[DP_ASKS_FACTS] = {
	[DP_ASKS_STATISTIC] = "statistic", [DP_ASKS_TAU] = "tau", [DP_ASKS_SHARE] = "share",
	[DP_ASKS_DELETES] = "deletes", [DP_ASKS_FLIPS] = "flips", [DP_ASKS_UPDATES] = "updates",
	[DP_ASKS_DENSITY] = "density", [DP_ASKS_CROPPED] = "cropped", [DP_ASKS_MEAN] = "mean",
	[DP_ASKS_INCIDENCE] = "incidence",
	[DP_ASKS_PRESENCE] = "presence"
};

bool
dp_sketch_refuses(uint64_t facts, char *text, size_t size)
{
	unsigned which = 0;
	size_t i;

	for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if ((facts & rows[i].given) == rows[i].given &&
		    (rows[i].of == 0 || (facts & rows[i].of) != 0) &&
		    (facts & rows[i].needs) != rows[i].needs)
			break;
	if (i == sizeof rows / sizeof rows[0])
		return false;
	while (rows[i].rest != NULL && (facts & rows[i].of & (uint64_t)1 << which) == 0)
		which++;
	snprintf(text, size, "%s%s%s", rows[i].why, rows[i].rest != NULL ? names[which] : "",
	    rows[i].rest != NULL ? rows[i].rest : "");
	return true;
}
