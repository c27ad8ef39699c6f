/*
 * maxsum.c - what the largest of D column sums is, how large a loss is to be expected of D noisy
 * columns, and how small none can be (Jain, Raskhodnikova, Sivakumar, Smith 2021).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "maxsum.h"

#define TRIED	2048		/* steps whose variance is looked at */
#define EDGE	0.98		/* steps with no less of a class's variance are in it */

static void
describe(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_maxsum *s = k->own;
	static const char *const what[] = {
		[DP_MAXSUM_VALUE] = "the largest of %zu column sums since step 1",
		[DP_MAXSUM_CHOICE] = "which of %zu columns has the largest sum since step 1",
		[DP_MAXSUM_BOTH] =
		    "which of %zu columns has the largest sum since step 1, and that sum"
	};

	snprintf(text, size, what[s->show], s->columns);
}

/*
 * The most k for which 2^n inputs at distance k from one, told apart with probability 1 - beta
 * each, contradict the guarantee: group privacy leaves each of the 2^n disjoint events
 *	e^(-k epsilon) (1 - beta - delta (e^(k epsilon) - 1)/(e^epsilon - 1)),
 * so this times 2^n may not pass 1.
 */
static double
packed(double n, double eps, double delta, double beta)
{
	double lo = 0, hi = ceil(n * M_LN2 / eps) + 1, k, left;

	while (hi - lo > 1) {
		k = floor((lo + hi) / 2);
		left = 1 - beta - (delta > 0 ? delta * expm1(k * eps) / expm1(eps) : 0);
		if (left > 0 && n * M_LN2 - k * eps + log(left) > 0)
			lo = k;
		else
			hi = k;
	}
	return lo;
}

/*
 * Theorem 3.1(2) with its constants.  n columns, k records, each of them with a one in column j if
 * u_j = 1: 2^n inputs u, at distance k from each other.  Then column by column a stage that lets
 * u_j be read from the answer, unless its loss is k/2 or more, and leaves the columns as far apart
 * as they were:
 *   a value   k records of a one in column j alone: the largest sum is now (base + 1 + u_j) k.
 *             Then k of ones in all others.  2k steps.
 *   a choice  beside column 0, which is in no u: k records of ones in columns 0 and j, and k/2 in
 *             column 0 alone; now columns 0 and j are k/2 apart, who leads is u_j, and the others
 *             are as far below or more.  Then 3k/2 of ones in all others.  3k steps; k even.
 * k grows with n, what T leaves room for falls: the best n is where they cross.
 */
static double
packing(const struct dp_maxsum *s, double T, double eps, double delta, double beta)
{
	const bool value = s->show & DP_MAXSUM_VALUE;
	const double stage = value ? 2 : 3;
	size_t most = value ? s->columns : s->columns - 1, lo = 0, hi, n;
	double best = 0, k;

	most = most < s->ones ? most : s->ones;
	for (hi = most + 1; hi - lo > 1; ) {
		n = lo + (hi - lo) / 2;
		if (packed((double)n, eps, delta, beta) <= T / (stage * (double)n))
			lo = n;
		else
			hi = n;
	}
	for (n = lo > 0 ? lo : 1; n <= lo + 1 && n <= most; n++) {
		k = fmin(packed((double)n, eps, delta, beta), floor(T / (stage * (double)n)));
		best = fmax(best, k);
	}
	return value ? best / 2 : floor(best / 2);
}

/*
 * Counting is a part of it: one column's sum is the largest where the others stay 0.  For a choice
 * k/2 ones in column 0 come first, so that k in column 1 make it lead by what it lacked: half of
 * the steps are enough for that, and k/2 is rounded down.
 */
static double
lower_bound(const struct dp_task *task, uint64_t T, double eps, double delta, double beta)
{
	const struct dp_task count = { .what = DP_TASK_COUNT };
	const struct dp_maxsum *s = task->own;
	double least;

	if (s->below || (s->show == DP_MAXSUM_CHOICE && s->columns == 1))
		return 0;
	if (s->show & DP_MAXSUM_VALUE)
		least = dp_task_lower_bound(&count, T, eps, delta, beta);
	else
		least = floor(dp_task_lower_bound(&count, T / 2, eps, delta, beta));
	return fmax(least, packing(s, (double)T, eps, delta, beta));
}

const struct dp_statistic dp_maxsum_statistic = {
	.name = "maxsum",
	.describe = describe,
	.measure = DP_MEASURE_QUANTILE,
	.lower = DP_LOWER_ALL, .lower_bound = lower_bound
};

/* Steps whose estimates have no larger variance than that of step `at`. */
struct class {
	double variance, steps;
	uint64_t at;
};

static int
by_variance(const void *a, const void *b)
{
	const struct class *x = a, *y = b;

	return (x->variance < y->variance) - (x->variance > y->variance);
}

/* Bits that look random, the same in every run: the prediction is a function of the options. */
static uint64_t
scatter(uint64_t i)
{
	i = (i + 1) * 0x9e3779b97f4a7c15u;
	i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9u;
	i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
	return i ^ (i >> 31);
}

/*
 * Classes of 1..T, largest variance first; returns how many there are.  Up to TRIED steps: all of
 * them.  Else one out of each of TRIED equal stretches, which stands for it, and the worst step.
 */
static unsigned
classify(const struct dp_mech *m, uint64_t T, struct class c[static TRIED + 1])
{
	const uint64_t n = T < TRIED ? T : TRIED;
	struct dp_error e;
	unsigned i, tried, k = 0;
	uint64_t begin, end;

	for (i = 0; i < n; i++) {
		begin = (uint64_t)((dp_uwide)T * i / n);
		end = (uint64_t)((dp_uwide)T * (i + 1) / n);
		c[i].at = begin + scatter(i) % (end - begin) + 1;
		c[i].variance = dp_mech_variance(m, c[i].at);
		c[i].steps = (double)T / (double)n;
	}
	if (T > TRIED) {
		dp_mech_error(m, T, &e);
		c[i++] = (struct class){ e.max, 1, e.worst };
	}
	qsort(c, i, sizeof *c, by_variance);
	for (tried = i, i = 1; i < tried; i++)
		if (c[i].variance >= EDGE * c[k].variance)
			c[k].steps += c[i].steps;
		else
			c[++k] = c[i];
	return k + 1;
}

struct losses {
	const struct dp_mech *m;
	double values, rivals;		/* tails that the union bound adds up */
	unsigned n;
	struct class class[TRIED + 1];
	struct dp_law law;
};

/*
 * The tails at one step of class c: |z_j| >= x for one of D columns; z_j - z_i >= x for one of D - 1
 * rivals j of the largest column i.  A difference of two columns' noise is a sum of twice as many
 * terms.
 */
static double
step_tail(struct losses *p, const struct class *c, double x)
{
	double tail = 0;
	unsigned i;

	dp_mech_law(p->m, 0, c->at, &p->law);
	if (p->values > 0)
		tail = p->values * dp_law_upper(&p->law, x);
	if (p->rivals > 0) {
		for (i = 0; i < p->law.terms; i++)
			p->law.term[i].n *= 2;
		tail += p->rivals * dp_law_upper(&p->law, x);
	}
	return tail;
}

/*
 * Expected number of such (step, column) pairs, a bound on the probability of one; or, of: 1, mean
 * over the steps of the probability.  Classes come with falling tails: what is left of them once
 * they cannot matter is not looked at.
 */
static double
tails(struct losses *p, double x, bool mean)
{
	double sum = 0, left = 0, tail;
	unsigned i;

	for (i = 0; i < p->n; i++)
		left += p->class[i].steps;
	for (i = 0; i < p->n; i++) {
		tail = step_tail(p, &p->class[i], x);
		if (left * tail < 1e-3 * sum)
			break;
		sum += p->class[i].steps * (mean && tail > 1 ? 1 : tail);
		left -= p->class[i].steps;
	}
	return sum;
}

/* The least whole x with tails(x + 1) <= beta; log tails() is nearly a line. */
static double
quantile(struct losses *p, double beta)
{
	double lo = -1, hi = ceil(sqrt(p->class[0].variance)), x, at, low = 1e3, high;

	while ((high = log(tails(p, hi + 1, false) / beta)) > 0) {
		lo = hi;
		low = high;
		hi = ceil(1.5 * hi + 1);
	}
	while (hi - lo > 1) {
		x = isfinite(high) ? lo + (hi - lo) * low / (low - high) : 0;
		x = fmin(fmax(floor(x), lo + 1), hi - 1);
		at = log(tails(p, x + 1, false) / beta);
		if (at > 0) {
			lo = x;
			low = at;
			high /= 2;
		} else {
			hi = x;
			high = at;
			low /= 2;
		}
	}
	return hi;
}

/* The sum of P(loss >= x) over x = 1, 2, .., by the trapezoid's rule in equal parts up to max. */
#define PARTS	24

static double
mean_loss(struct losses *p, double T, double max)
{
	double sum = 0.5, h = max / PARTS;
	int i;

	if (max == 0)
		return 0;
	for (i = 1; i <= PARTS; i++)
		sum += tails(p, ceil(i * h), true) / T * (i == PARTS ? 0.5 : 1);
	return sum * h;
}

void
dp_maxsum_error(const struct dp_mech *counter, size_t D, enum dp_maxsum_show show, double beta,
    uint64_t T, struct dp_error *e)
{
	struct losses p = { .m = counter, .values = show & DP_MAXSUM_VALUE ? 2 * (double)D : 0,
	    .rivals = show & DP_MAXSUM_CHOICE ? (double)D - 1 : 0 };

	p.n = classify(counter, T, p.class);
	e->worst = p.class[0].at;
	e->max = p.class[0].variance > 0 ? quantile(&p, beta) : 0;
	e->mean = mean_loss(&p, (double)T, e->max);
}
