/* SPDX-License-Identifier: ISC */
/*
 * value.c - local randomisers of numbers: each line, a number of a public range, gets a random
 * answer at once; and their sum, told from many answers.
 *
 * A number is x = 0 .. N, grid units above the low end; (1) of local.h holds for all pairs.
 *
 * CELLS.  An answer is a cell y = 0 .. M - 1.  s is x (M - W) / N rounded to one of the two whole
 * numbers beside it, the upper one with the probability that makes E s = x (M - W) / N.  Heads, P =
 * W e^epsilon / (W e^epsilon + M - W): one of the W cells of the band s .. s + W - 1; tails: one of
 * the others; all equally likely.
 *   duchi      M = 2, W = 1: a coin (Duchi, Jordan, Wainwright 2018)
 *   piecewise  M = 1024, W the nearest to M / (e^(epsilon/2) + 1), 1 at least (Wang et al. 2019)
 * Statement.  (1) holds, with equality for some y.  E y = A + B s, B = P (1 - e^-epsilon), A = P
 * (W - 1)/2 + (1 - P) (M (M-1) - W (W-1)) / (2 (M - W)): so (y - A) N / ((M - W) B) tells x without
 * bias.  Its variance is largest in the first of the M - W stretches between two s.
 *
 * LAPLACE.  y = x + z, z discrete Laplace noise of scale N / epsilon: (1) holds, and y tells x.
 *
 * The sum of n numbers is told as the sum of what its answers tell.  BOUND.  With probability 1 -
 * gamma it is off by no more than b sqrt(n L / 2) (Hoeffding), nor b L/3 + sqrt((b L/3)^2 + 2 n v
 * L) (Bernstein), L = ln(2/gamma), b = (M - 1) N / ((M - W) B), v the largest variance; and of
 * noise by the quantile of the sum of n of them (law.h).
 *
 * Proof: tests/proof/local.md.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"
#include "local.h"

#define CELLS	1024
#define DECIMALS	4		/* of a mean, beyond those of the range */

static void
numbers_describe(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_local_task *a = k->own;

	snprintf(text, size, "a randomised answer to every line, a number; a line that is none is "
	    "answered as %s; errors are those of the sum of the numbers so far, as told by "
	    "--estimate, and those of their mean so many times smaller", a->other >= 0 ?
	    "the one that --other names" : "one drawn at random");
}

const struct dp_statistic dp_local_numbers = {
	.name = "numbers", .describe = numbers_describe, .measure = DP_MEASURE_RMSE, .fades = true,
	.local = true
};

/* Var(y | s) of s = 0 or 1. */
static double
variance_cells(const struct dp_local *l, double s)
{
	const double M = (double)l->value.cells, W = (double)l->value.band;
	const double all = (M - 1) * M * (2 * M - 1) / 6;
	/* the squares of s .. s + W - 1: 0 adds none */
	const double in = (W - 1 + s) * (W + s) * (2 * (W + s) - 1) / 6;
	const double mean = l->value.base + s * l->gap;

	return l->coin.heads * in / W + l->coin.tails * (all - in) / (M - W) - mean * mean;
}

int
dp_value_cells(struct dp_mech **m, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule,
    uint64_t M, uint64_t W)
{
	const struct dp_local_task *a = rule->task.own;
	const double N = (double)a->width, c = (double)M, w = (double)W;
	struct dp_local *l;
	double zero, one, f;
	int e;

	if (rule->privacy.exact)	/* x is rounded even so */
		return DP_EINVAL;
	if ((e = dp_local_new(&l, rule, ops, sizeof(uint64_t))) != 0 ||
	    (e = dp_local_coin(l, rule, dp_q_make(M - W, W))) != 0)
		return e;
	l->others = M - W;
	l->own = W;
	l->counts = 2;
	l->m.answers.text = strlen("piecewise:") + 48;
	l->value.width = a->width;
	l->value.cells = M;
	l->value.band = W;
	l->gap = l->coin.heads * -expm1(-l->coin.x);
	l->value.base = l->coin.heads * (w - 1) / 2 +
	    l->coin.tails * (c * (c - 1) - w * (w - 1)) / (2 * (c - w));
	l->value.scale = N / ((c - w) * l->gap);
	zero = variance_cells(l, 0);
	one = variance_cells(l, 1);
	f = (M - W) % a->width == 0 ? 0 :	/* nothing is rounded */
	    fmin(1, fmax(0, .5 + (one - zero) / (2 * l->gap * l->gap)));
	l->value.worst = l->value.scale * l->value.scale * ((1 - f) * zero + f * one +
	    l->gap * l->gap * f * (1 - f));
	l->m.estimate.decimals = DECIMALS;
	*m = &l->m;
	return 0;
}

static int
duchi_create(struct dp_mech **m, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	return dp_value_cells(m, ops, rule, 2, 1);
}

static int
piecewise_create(struct dp_mech **m, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_local_task *a = rule->task.own;
	const double x = dp_q_double(rule->privacy.epsilon) /
	    (a->answers > 1 ? (double)a->answers : 1);

	return dp_value_cells(m, ops, rule, CELLS,
	    (uint64_t)fmax(1, rint(CELLS / (exp(fmin(x, 64) / 2) + 1))));
}

/* The same draws for every line. */
static int
cells_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct dp_local *l = dp_local_of(m);
	const uint64_t N = l->value.width, M = l->value.cells, W = l->value.band;
	uint64_t v, u, in, out, s;
	dp_uwide at;
	bool own;
	int e;

	(void)col;
	(void)t;
	if ((e = dp_local_symbol(l, rng, *x, &v)) != 0 ||
	    (e = dp_fair(rng, N, &u)) != 0 ||
	    (e = dp_coin_toss(&l->coin, rng, &own)) != 0 ||
	    (e = dp_fair(rng, W, &in)) != 0 ||
	    (e = dp_fair(rng, M - W, &out)) != 0)
		return e;
	at = (dp_uwide)v * (M - W);
	s = (uint64_t)(at / N) + (u < (uint64_t)(at % N));
	*est = (dp_wide)(own ? s + in : out + (out >= s ? W : 0));
	return 0;
}

static int
noise_create(struct dp_mech **m, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_local_task *a = rule->task.own;
	struct dp_local *l;
	int e;

	if ((e = dp_local_new(&l, rule, ops, sizeof(uint64_t))) != 0)
		return e;
	if ((e = dp_privacy_laplace_shift(&l->value.noise, &rule->privacy, a->width,
	    dp_q_make(1, l->m.answers.each))) != 0) {
		dp_mech_free(&l->m);
		return e;
	}
	l->counts = 2;
	l->m.answers.text = strlen("laplace:") + 24;
	l->value.width = a->width;
	l->value.scale = 1;
	l->value.worst = l->value.noise.kind == DP_NOISE_NONE ? 0 :
	    dp_noise_variance(&l->value.noise);
	l->m.estimate.decimals = DECIMALS;
	l->m.drawn.noise = &l->value.noise;
	l->m.drawn.numbers = "every number";
	*m = &l->m;
	return 0;
}

static int
noise_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct dp_local *l = dp_local_of(m);
	uint64_t v;
	int64_t z;
	int e;

	(void)col;
	(void)t;
	if ((e = dp_local_symbol(l, rng, *x, &v)) != 0 ||
	    (e = dp_draw(&l->value.noise, rng, &z)) != 0)
		return e;
	*est = (dp_wide)v + z;
	return 0;
}

static int
noise_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_local *l = dp_local_of(m);

	return dp_certificate_laplace(b, &l->value.noise, l->value.width * l->m.answers.each);
}

static void
value_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *law)
{
	const struct dp_local *l = dp_local_of(m);

	(void)out;
	if (l->value.cells == 0) {
		dp_law_add(law, &l->value.noise, 1, (double)t);
		return;
	}
	law->bits = (double)t;
	law->gap = 1 / (l->value.scale * (double)(l->value.cells - 1));
	law->each = l->value.worst;
}

static void
value_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	e->max = (double)T * dp_local_of(m)->value.worst;
	e->worst = T;
	e->mean = dp_local_of(m)->value.worst * ((double)T + 1) / 2;
}

/* NAME:Y; of piecewise NAME:W:Y, as W is found with doubles. */
static char *
value_put(const struct dp_mech *m, const void *col, dp_wide est, char *p)
{
	const struct dp_local *l = dp_local_of(m);

	(void)col;
	p = stpcpy(p, m->ops->name);
	*p++ = ':';
	if (l->value.cells > 2) {
		p = dp_decimal_put(p, (dp_wide)l->value.band, 0);
		*p++ = ':';
	}
	return dp_decimal_put(p, est, 0);
}

/* The text as value_put() writes it: no other spelling of a number. */
static bool
value_add(const struct dp_mech *m, int64_t *count, struct dp_slice s)
{
	const struct dp_local *l = dp_local_of(m);
	char text[160];
	const char *digits;
	dp_wide sum;
	int64_t y;
	size_t n;

	if ((digits = memrchr(s.p, ':', s.n)) == NULL)
		return false;
	digits++;
	n = (size_t)(s.p + s.n - digits);
	if (dp_decimal_parse(&y, digits, n, 0) != 0 || (l->value.cells != 0 &&
	    (y < 0 || (uint64_t)y >= l->value.cells)))
		return false;
	n = (size_t)(value_put(m, NULL, y, text) - text);
	if (n != s.n || memcmp(text, s.p, n) != 0)
		return false;
	memcpy(&sum, count, sizeof sum);
	sum += y;
	memcpy(count, &sum, sizeof sum);
	return true;
}

double
dp_totals_sum(const struct dp_totals *t, double gamma, double *off)
{
	const struct dp_local *l = t->l;
	const double n = (double)t->n, L = log(2 / gamma);
	const double b = l->value.scale * ((double)l->value.cells - 1), third = b * L / 3;
	struct dp_law law;
	dp_wide sum;

	memcpy(&sum, t->count, sizeof sum);
	if (l->value.cells == 0) {
		dp_law_clear(&law);
		dp_law_add(&law, &l->value.noise, 1, n);
		*off = n == 0 || law.terms == 0 ? 0 : dp_law_bound(&law, gamma);
	} else
		*off = fmin(b * sqrt(n * L / 2), third + sqrt(third * third +
		    2 * n * l->value.worst * L));
	return ((double)sum - n * l->value.base) * l->value.scale;
}

static void
cells_describe(const struct dp_mech *m, char *text, size_t size)
{
	const struct dp_local *l = dp_local_of(m);

	snprintf(text, size, "one of %llu cells: with probability %.6g one of the %llu of the "
	    "number's band", (unsigned long long)l->value.cells, l->coin.heads,
	    (unsigned long long)l->value.band);
}

static void
noise_describe(const struct dp_mech *m, char *text, size_t size)
{
	(void)m;
	snprintf(text, size, "the number with noise");
}

static const struct dp_answers cells_answers = { .put = value_put, .add = value_add,
    .describe = cells_describe };
static const struct dp_answers noise_answers = { .put = value_put, .add = value_add,
    .describe = noise_describe };

const struct dp_mech_ops dp_value_duchi_ops = {
	.name = "duchi",
	.say.noise = "randomised response",
	.say.source = "the number rounded to an end of the range at random, and that end or the "
	    "other (Duchi, Jordan, Wainwright 2018)",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN, .tasks = DP_TASK_OWN,
	.statistic = &dp_local_numbers,
	.create = duchi_create, .step = cells_step, .law.at = value_law, .error = value_error,
	.drawn.certify = dp_local_certify, .answers = &cells_answers
};

const struct dp_mech_ops dp_value_piecewise_ops = {
	.name = "piecewise",
	.say.noise = "randomised place",
	.say.source = "a place near the number, or any other (piecewise mechanism: Wang et al. "
	    "2019, in cells)",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN, .tasks = DP_TASK_OWN,
	.statistic = &dp_local_numbers,
	.create = piecewise_create, .step = cells_step, .law.at = value_law,
	.error = value_error,
	.drawn.certify = dp_local_certify, .answers = &cells_answers
};

const struct dp_mech_ops dp_value_laplace_ops = {
	.name = "laplace",
	.say.source = "noise on the number (Dwork et al. 2006)",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN, .tasks = DP_TASK_OWN,
	.statistic = &dp_local_numbers,
	.create = noise_create, .step = noise_step, .law.at = value_law, .error = value_error,
	.drawn.certify = noise_certify, .answers = &noise_answers
};
