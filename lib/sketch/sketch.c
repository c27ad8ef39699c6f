#include <math.h>
#include <stdio.h>
#include <string.h>

#include <sodium.h>

#include "mech/certificate.h"
#include "sketch.h"

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
	const int e = ((const struct dp_memory *)(const void *)m)->count(m, col, rng, t, est);

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
describe(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_sketch *s = k->own;

	snprintf(text, size, "the %s of identifiers %s", k->statistic == &dp_density ?
	    "fraction, of the declared universe," : "number", s->deletes ?
	    "that were not undone as often as done" : "seen so far, each once");
}

const struct dp_statistic dp_distinct = {
	.name = "distinct", .describe = describe, .measure = DP_MEASURE_RMSE,
	.lower = DP_LOWER_PAN, .lower_bound = distinct_lower
};

const struct dp_statistic dp_density = {
	.name = "density", .describe = describe, .measure = DP_MEASURE_RMSE,
	.lower = DP_LOWER_PAN, .lower_bound = density_lower
};

static void
describe_recent(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_sketch *s = k->own;

	snprintf(text, size, "the number of identifiers seen in the last %llu step%s, each once",
	    (unsigned long long)s->window, s->window == 1 ? "" : "s");
}

const struct dp_statistic dp_recent = {
	.name = "recent", .describe = describe_recent, .measure = DP_MEASURE_RMSE, .fades = true
};

/*
 * (*), of each grid unit of the reach: what memory begins with at each look, and the answers.  Bits
 * that are drawn again lose less together (bits.h).
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
