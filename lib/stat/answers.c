/*
 * answers.c - a statistic's current answers: what is estimated, what nobody can do better, and the
 * mechanisms that release every one of them.
 *
 *   output        one moves T answers by r: fresh noise of scale T r / epsilon on each
 *   output-gauss  the same, T shifts whose squares sum to T r^2: discrete Gaussian (privacy.h)
 * A line that is no answer has what was printed last, as it was: that is public, and for neighbours
 * the same lines are none (transform.h).
 */
#include <math.h>
#include <stdio.h>

#include "mech/certificate.h"
#include "transform.h"

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
lower_bound(const struct dp_task *t, uint64_t T, double eps, double delta, double beta)
{
	const struct dp_transform *k = t->own;
	uint64_t m = 0, bit;
	double x, n, left;

	if (k->rising != 0)		/* those streams fall */
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
	.lower_bound = lower_bound
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
	double bound;
	int64_t lo, hi;
	struct dp_noise noise;
};

/* Each of the T answers moves by r. */
static int
certify(const struct dp_mech *m, struct dp_buf *b)
{
	return dp_certificate_values(b, m->drawn.noise, m->l1, m->horizon);
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const uint64_t T = rule->horizon;
	struct output *k;
	struct dp_law law;
	int e;

	if (T == 0 || rule->task.own == NULL || !(rule->beta > 0))
		return DP_EINVAL;
	if ((k = dp_mech_alloc(ops, sizeof *k, T, 16)) == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	if (ops == &dp_transform_output_ops)
		e = dp_privacy_laplace(&k->noise, &rule->privacy, dp_q_make(1, T));
	else
		e = dp_privacy_gauss_shift(&k->noise, &rule->privacy,
		    sqrt((double)T) * (double)rule->privacy.l1, T);
	if (e != 0)
		return e;
	k->task = *(const struct dp_transform *)rule->task.own;
	k->epsilon = rule->privacy.exact ? INFINITY : dp_q_double(rule->privacy.epsilon);
	dp_law_clear(&law);
	dp_law_add(&law, &k->noise, 1, 1);
	k->bound = dp_law_bound(&law, rule->beta / (double)T);
	k->lo = rule->lo;
	k->hi = rule->hi;
	k->m.drawn.noise = &k->noise;
	k->m.drawn.numbers = "every answer";
	return 0;
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct output *k = (const void *)m;

	(void)rng;
	*(int64_t *)col = dp_transform_clamp(k->lo, k->hi, 0);
	return 0;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct output *k = (const void *)m;
	int64_t z, *out = col;
	int e;

	(void)t;
	if ((e = dp_draw(m->drawn.noise, rng, &z)) != 0)
		return e;
	if (*x != DP_TRANSFORM_NONE)
		*out = dp_transform_clamp(k->lo, k->hi, *x) + z;
	*est = *out;
	return 0;
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct output *k = (const void *)m;
	const double b = k->noise.kind == DP_NOISE_NONE ? 0 : dp_q_double(k->noise.param);

	(void)T;
	e->max = k->bound;
	/* E |z|; of Gaussian noise, whose b is sigma^2, as if it were not discrete */
	e->mean = b == 0 ? 0 : k->noise.kind == DP_NOISE_LAPLACE ? 1 / sinh(1 / b) :
	    sqrt(b * 2 / M_PI);
	e->worst = 1;
}

static bool
note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
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

static const char *
refuses(const struct dp_task *t)
{
	const struct dp_transform *k = t->own;

	return k == NULL || k->changes != 0 ? NULL :
	    "releases every answer: --changes=0 wants none";
}

const struct dp_mech_ops dp_transform_output_ops = {
	.name = "output",
	.say.source = "fresh noise on every answer",
	.traits = DP_TRAIT_PAN, .tasks = DP_TASK_OWN, .statistic = &dp_transform_statistic,
	.say.refuses = refuses, .create = create, .start = start, .step = step,
	.error = error, .say.note = note, .drawn.certify = certify
};

const struct dp_mech_ops dp_transform_output_gauss_ops = {
	.name = "output-gauss",
	.say.source = "fresh Gaussian noise on every answer",
	.traits = DP_TRAIT_PAN | DP_TRAIT_DELTA, .tasks = DP_TASK_OWN,
	.statistic = &dp_transform_statistic,
	.say.refuses = refuses, .create = create, .start = start, .step = step,
	.error = error, .say.note = note, .drawn.certify = certify
};
