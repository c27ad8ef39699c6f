/* local.c - what local randomisers share (local.h). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mech/certificate.h"
#include "local.h"

#define STEPS	400			/* rates tried for the lower bound */

static void
describe(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_local_task *a = k->own;

	snprintf(text, size, "a randomised answer to every line, one of %zu symbols; a line that "
	    "is none of them is answered as %s; errors are those of one symbol's total of the "
	    "answers so far, as told by --estimate", a->symbols, a->other >= 0 ?
	    "the one that --other names" : "one drawn at random");
}

static double
lower_bound(const struct dp_task *k, uint64_t n, double eps, double delta, double beta)
{
	(void)k;
	(void)delta;
	return dp_local_lower(n, eps, beta);
}

const struct dp_statistic dp_local_statistic = {
	.name = "answers", .describe = describe, .measure = DP_MEASURE_RMSE, .fades = true,
	.local = true,
	.lower = DP_LOWER_LOCAL, .lower_bound = lower_bound
};

int
dp_local_new(struct dp_local **out, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *ops, size_t column)
{
	const struct dp_local_task *a = rule->task.own;
	struct dp_local *l;

	if (a->symbols < 2 || a->symbols > DP_LOCAL_SYMBOLS_MAX ||
	    (a->other >= 0 && (uint64_t)a->other >= a->symbols))
		return DP_EINVAL;
	if ((l = dp_mech_alloc(ops, sizeof *l, rule->horizon, column)) == NULL)
		return DP_ENOMEM;
	l->K = l->counts = a->symbols;
	l->other = a->other;
	l->others = l->own = 1;
	*out = l;
	return 0;
}

int
dp_local_coin(struct dp_local *l, const struct dp_mech_rule *rule, struct dp_q share,
    struct dp_q odds)
{
	int e = dp_privacy_coin(&l->coin, &rule->privacy, share, odds);

	if (e != 0)
		dp_mech_free(&l->m);
	return e;
}

void
dp_local_set(struct dp_local *l, double p, double miss, double q, double gap)
{
	l->p = p;
	l->q = q;
	l->gap = gap;
	l->m.answers.none = q * (1 - q) / (gap * gap);
	l->m.answers.all = p * miss / (gap * gap);
}

const struct dp_local *
dp_local_of(const struct dp_mech *m)
{
	return (const struct dp_local *)(const void *)m;
}

int
dp_local_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_local *l = dp_local_of(m);

	return dp_certificate_coin(b, &l->coin, l->others, l->own, 1);
}

/* Var C_v of one answer, its mean over the symbols. */
static double
variance(const struct dp_local *l)
{
	return l->m.answers.none + (l->m.answers.all - l->m.answers.none) / (double)l->K;
}

void
dp_local_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *law)
{
	const struct dp_local *l = dp_local_of(m);

	(void)out;
	if (l->coin.always)
		return;
	law->bits = (double)t;
	law->gap = l->gap;
	law->each = variance(l);
}

void
dp_local_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	e->max = (double)T * variance(dp_local_of(m));
	e->worst = T;
	e->mean = variance(dp_local_of(m)) * ((double)T + 1) / 2;
}

int
dp_local_symbol(const struct dp_local *l, struct dp_rng *rng, int64_t x, uint64_t *v)
{
	uint64_t any = (uint64_t)l->other;
	int e;

	/* drawn for every line, so that time hides lines outside the symbols */
	if (l->other < 0 && (e = dp_fair(rng, l->K, &any)) != 0)
		return e;
	*v = x >= 0 ? (uint64_t)x : any;
	return 0;
}

/* The largest N with P(Bin(n, p) <= N - 1) <= most. */
static double
quantile(double n, double p, double most)
{
	double lo = 0, hi = n + 1, mid;		/* at lo it holds, at hi it does not */

	while (hi - lo > 1) {
		mid = floor((lo + hi) / 2);
		if (dp_binomials_above(n, 1 - p, 0, 0.5, n - mid + 1) <= most)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/*
 * Let all lines be 0, or each by itself 1 with probability p = c / sqrt(n).  The law of an answer
 * is M_0, or (1-p) M_0 + p M_1, and the chi-square divergence of the second from the first is p^2
 * that of M_1 from M_0, of which the ratio is within e^(+-epsilon): at most (2 sinh(epsilon/2))^2,
 * attained at the ends.  Kullback and Leibler's divergence is no larger, adds up over the n
 * answers, also if each randomiser was chosen after a look at the answers before, and by Pinsker's
 * inequality the total variation of all answers is at most TV = c sqrt(2) sinh(epsilon/2).
 * An estimate with an error below N/2 is below N/2 in the first case, with probability 1 - beta,
 * and above it in the second if there are N ones.  So 1 - beta <= TV + P(Bin(n, p) < N) + beta, and
 * N/2 is a bound wherever TV + P(Bin(n, p) < N) < 1 - 2 beta.
 */
double
dp_local_lower(uint64_t n, double eps, double beta)
{
	const double one = M_SQRT2 * sinh(eps / 2), root = sqrt((double)n);
	double c, left, N, best = 0;
	int i;

	for (i = 1; i < STEPS; i++) {
		c = (1 - 2 * beta) / one * i / STEPS;
		left = 1 - 2 * beta - c * one - 1e-9;
		if (!(left > 0) || c > root)
			break;
		N = quantile((double)n, c / root, left);
		best = N > best ? N : best;
	}
	return best / 2;
}
