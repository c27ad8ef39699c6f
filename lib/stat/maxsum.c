/* SPDX-License-Identifier: ISC */
/* maxsum.c - the largest of D column sums. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

static int dp_maxsum_recent_make(struct dp_mech **, const struct dp_mech_rule *,
	    const struct dp_mech_ops *counter) DP_MUSTUSE;

/*
 * The largest of D column sums as a statistic, and how small no loss can be promised
 * to be (Jain, Raskhodnikova, Sivakumar, Smith 2021).
 */

static void
maxsum_describe(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_maxsum *s = k->own;
	static const char *const what[] = {
		[DP_MAXSUM_VALUE] = "the largest of %zu column sums %s",
		[DP_MAXSUM_CHOICE] = "which of %zu columns has the largest sum %s",
		[DP_MAXSUM_BOTH] = "which of %zu columns has the largest sum %s, and that sum"
	};
	char since[100] = "since step 1";
	int n;

	if (k->what == DP_TASK_WINDOW && k->w[0] == 1)
		snprintf(since, sizeof since, "of each step");
	else if (k->what == DP_TASK_WINDOW)
		snprintf(since, sizeof since, "of the last %" PRIu64 " steps", k->w[0]);
	else if (k->what == DP_TASK_EXP)
		snprintf(since, sizeof since, "in which a step d back weighs %.12g^d", k->alpha);
	n = snprintf(text, size, what[s->show], s->columns, since);
	if (s->ceiling != 0 && n > 0 && (size_t)n < size)
		snprintf(text + n, size - (size_t)n,
		    "; the caller says that none passes --ceiling (else errors grow, or "
		    "lazy ends)");
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

	while ((k = dp_whole_between(lo, hi)) > lo) {
		left = 1 - beta - (delta > 0 ? delta * expm1(k * eps) / expm1(eps) : 0);
		if (left > 0 && n * M_LN2 - k * eps + log(left) > 0)
			lo = k;
		else
			hi = k;
	}
	return lo;
}

/*
 * A value, Theorem 3.1(2) with its constants.  n columns, k records, each of them with a one in
 * column j if u_j = 1: 2^n inputs u, at distance k from each other.  Then column by column a stage
 * that lets u_j be read from the answer, unless its loss is k/2 or more, and leaves the columns as
 * far apart as they were: k records of a one in column j alone, so that the largest sum is now
 * (base + 1 + u_j) k; then k of ones in all others.  2k steps.
 * k grows with n, what T leaves room for falls: the best n is where they cross.
 */
static double
packing(const struct dp_maxsum *s, double T, double eps, double delta, double beta)
{
	const size_t most = s->columns < s->ones ? s->columns : s->ones;
	size_t lo = 0, hi, n;
	double best = 0, k;

	for (hi = most + 1; hi - lo > 1; ) {
		n = lo + (hi - lo) / 2;
		if (packed((double)n, eps, delta, beta) <= T / (2 * (double)n))
			lo = n;
		else
			hi = n;
	}
	for (n = lo > 0 ? lo : 1; n <= lo + 1 && n <= most; n++) {
		k = fmin(packed((double)n, eps, delta, beta), floor(T / (2 * (double)n)));
		best = fmax(best, k);
	}
	return best / 2;
}

/* Records that k groups of columns have room and T steps have time for. */
static double
group_records(size_t columns, size_t k, double T, double eps, double delta, double beta)
{
	const double bits = (double)k * log2((double)(columns / k));

	return fmin(packed(bits, eps, delta, beta), floor(k == 1 ? T : T / (2 * (double)k)));
}

/*
 * A choice, after Theorem 4.1, with constants.  k groups of g columns, n records, each with a one
 * in one column of each group, u_j of group j: g^k inputs u, at distance n from n empty records.
 * Then group by group n records of ones in all columns of the group: its column u_j is ahead of all
 * others by n, so it is chosen, unless n is lost.  Then n of ones in all columns that are not of
 * the group.  2n steps a group, as the last needs no more than its first n.  A single group can be
 * read at once, and its records have a single one.
 * The bits k lg g grow up to g = 3, what T leaves room for falls.
 */
static double
group_packing(const struct dp_maxsum *s, double T, double eps, double delta, double beta)
{
	const size_t columns = s->columns < s->ones ? s->columns : s->ones;
	double best = group_records(s->columns, 1, T, eps, delta, beta);
	size_t lo = 1, hi = columns / 3 + 1, k;

	while (hi > lo + 1) {
		k = lo + (hi - lo) / 2;
		if (group_records(columns, k, INFINITY, eps, delta, beta) <= T / (2 * (double)k))
			lo = k;
		else
			hi = k;
	}
	for (k = lo > 1 ? lo : 2; k <= lo + 1 && 3 * k <= columns; k++)
		best = fmax(best, group_records(columns, k, T, eps, delta, beta));
	return best;
}

/*
 * With a delta: Theorems 3.1(1) and 4.1(1) with constants, by fingerprints (Bun, Steinke, Ullman
 * 2017; the paper's Lemmas 3.3 and 4.2 take theirs from others and leave the constants open).
 * d columns (a choice: d pairs of columns), n records, T >= 2 d n: the stages of packing() and
 * group_packing() read d numbers f_j from -1 to 1 of the answers, each near the mean of n signs.
 * Statement.  A mechanism that is private where a record is there or empty, and whose loss is at
 * most a at all steps with probability 1 - beta, has
 *	2 d g <= n (sinh(epsilon) sqrt(d v) + delta (1 + e^-epsilon) w d),
 *   a sum     c = 2 a / n,  g = 1/3 - c/2 - least of 2 beta, beta (5/6 + 2/n) + sqrt(beta / d),
 *             v = least of 2/3, (c sqrt(2/3) + sqrt(4/5)/n + sqrt(8/15 / n))^2 + 27/16 beta,
 *             w = 11/12,
 *   a choice  c = a / n < 1/2,  g = n/(n + 2) (1/2 - c^2 - 2c/n - 1/n^2 - least of 2 beta,
 *             beta (1 + 2/n) + sqrt(beta / d)),  v = w = 2/3.
 * So of the order of sqrt(d) / epsilon, and of (T / epsilon^2)^(1/3) where T has room for no more.
 *
 * Proof: tests/proof/bounds.md.
 */
static bool
fingerprints(bool choice, double d, double n, double c, double eps, double delta, double beta)
{
	const double lost = choice ? fmin(2 * beta, beta * (1 + 2 / n) + sqrt(beta / d)) :
	    fmin(2 * beta, beta * (5 / 6. + 2 / n) + sqrt(beta / d));
	const double off = c * sqrt(2 / 3.) + sqrt(.8) / n + sqrt(8 / 15. / n);
	const double g = choice ? n / (n + 2) * (.5 - c * c - 2 * c / n - 1 / (n * n) - lost) :
	    1 / 3. - c / 2 - lost;
	const double v = choice ? 2 / 3. : fmin(2 / 3., off * off + 27 / 16. * beta);
	const double w = choice ? 2 / 3. : 11 / 12.;

	return 2 * d * g * (1 - 1e-9) > n * (sinh(eps) * sqrt(d * v) +
	    delta * (1 + exp(-eps)) * w * d);
}

/* Of those d, n and c that are tried. */
double
dp_maxsum_traced(bool choice, size_t most, double T, double eps, double delta, double beta)
{
	double best = 0, d, c, lo, hi, n;

	for (d = 1; d <= (double)most && 2 * d <= T; d = fmax(d + 1, floor(d * 1.1)))
		for (c = 1 / 64.; c < (choice ? .5 : .67); c += 1 / 64.) {
			lo = 0;
			hi = floor(T / (2 * d)) + 1;
			while ((n = dp_whole_between(lo, hi)) > lo) {
				if (fingerprints(choice, d, n, c, eps, delta, beta))
					lo = n;
				else
					hi = n;
			}
			if (lo > 0)
				best = fmax(best, choice ? c * lo : c * lo / 2);
		}
	return best;
}

/*
 * Counting is a part of it: one column's sum is the largest where the others stay 0.  For a choice
 * k/2 ones in column 0 come first, so that k in column 1 make it lead by what it lacked: half of
 * the steps are enough for that, and k/2 is rounded down.
 * All these streams have sums that a ceiling may rule out: nothing is known with one.
 */
static double
maxsum_lower_bound(const struct dp_task *task, uint64_t T, double eps, double delta, double beta)
{
	const struct dp_task count = { .what = DP_TASK_COUNT };
	const struct dp_maxsum *s = task->own;
	const size_t ones = s->columns < s->ones ? s->columns : s->ones;
	const size_t pairs = s->columns / 2 < s->ones ? s->columns / 2 : s->ones;
	double least = 0;

	if (s->below || s->ceiling != 0)
		return 0;
	if (s->show & DP_MAXSUM_VALUE)
		least = fmax(dp_task_lower_bound(&count, T, eps, delta, beta),
		    packing(s, (double)T, eps, delta, beta));
	if ((s->show & DP_MAXSUM_VALUE) && delta > 0)
		least = fmax(least, dp_maxsum_traced(false, ones, (double)T, eps, delta, beta));
	if ((s->show & DP_MAXSUM_CHOICE) && s->columns > 1)
		least = fmax(least, fmax(
		    floor(dp_task_lower_bound(&count, T / 2, eps, delta, beta)),
		    group_packing(s, (double)T, eps, delta, beta)));
	if ((s->show & DP_MAXSUM_CHOICE) && delta > 0)
		least = fmax(least, dp_maxsum_traced(true, pairs, (double)T, eps, delta, beta));
	return least;
}

const char *
dp_maxsum_no_margin(const struct dp_task *task)
{
	const struct dp_maxsum *s = task->own;

	return s->margin.num == 0 ? NULL : "holds what it has found: --margin is for the others";
}

const struct dp_statistic dp_maxsum_statistic = {
	.name = "maxsum",
	.describe = maxsum_describe,
	.measure = DP_MEASURE_QUANTILE,
	.lower = DP_LOWER_ALL, .lower_bound = maxsum_lower_bound
};

/*
 * One column's sum is the largest where the others stay 0: the bound on one sum at one step.  For
 * a choice none is known to us.
 */
static double
recent_bound(const struct dp_task *task, uint64_t T, double eps, double delta, double beta)
{
	const struct dp_maxsum *s = task->own;
	struct dp_task one = *task;

	one.statistic = NULL;
	return s->below || (s->show & DP_MAXSUM_VALUE) == 0 ? 0 :
	    dp_task_lower_bound(&one, T, eps, delta, beta);
}

const struct dp_statistic dp_maxsum_recent = {
	.name = "maxsum", .describe = maxsum_describe, .measure = DP_MEASURE_QUANTILE, .fades =
	    true,
	.lower = DP_LOWER_STEP, .lower_bound = recent_bound, .make = dp_maxsum_recent_make
};

/*
 * How large a loss is to be expected of the largest of D noisy column sums.
 *
 * Union bound: the probability that a loss reaches x is at most the sum over steps and columns of
 * the tails of their noise,
 *   a value    of z_j >= x, any column's, as max (s + z) - max s <= max z; and of z_i <= -x, i the
 *              column with the largest sum, as max (s + z) >= s_i + z_i: D + 1 one-sided ones;
 *   a choice   of z_j - z_i >= x, i the column with the largest sum, j its D - 1 rivals: a column
 *              that loses x can be chosen only then.  All of it is lost if all rivals lag by x.
 *              Kept by a margin h (maxsum.c) it can lose x + h only then.
 * A loss that is reached at some step is reached there for the first time; so where a counter can
 * tell the law of two estimates in a row, only those steps are counted before which it was not
 * reached (first()), and as these are few and far between, nearly a Poisson number of them.  Which
 * column has the largest sum may change with every step: its lower tail is either counted at every
 * step, or as one of D columns, each where it is reached first, whichever is less.
 *
 * A law with parts takes long to look at.  Of a counter that has such laws it is the worst step's
 * alone, and those of other steps are taken to have that form, and their own variance; two
 * estimates in a row are taken to be normal together.
 */

#define TRIED	2048		/* steps whose variance is looked at */
#define FEW	8		/* steps; for fewer first() is not near enough */
#define EDGE	0.96		/* steps with no less of a class's largest variance are in it */

struct sample {
	double variance, steps;		/* how many steps it stands for */
	uint64_t at;
};

/* samples[begin .. end) have nearly one variance. */
struct class {
	unsigned begin, end;
	double steps, all;		/* those where x is reached first; all of them */
	uint64_t at;			/* the one in the middle */
};

struct losses {
	const struct dp_mech *m;
	double values, rivals;		/* upper tails that the union bound adds up: D, D - 1 */
	unsigned tried, n;
	struct sample sample[TRIED + 1];
	struct class class[TRIED + 1];
	struct dp_law law;
	bool formed;			/* a law with parts: */
	struct dp_law_tails tails, twice;	/* its form, and that of a difference */
};

static int
by_variance(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

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
 * Up to TRIED steps: all of them.  Else one out of each of TRIED equal stretches, which stands for
 * it, and the worst step.
 */
static void
take_samples(struct losses *p, uint64_t T)
{
	const uint64_t n = T < TRIED ? T : TRIED;
	uint64_t i, begin, end;
	struct dp_error e;
	struct sample *s;

	for (i = 0; i < n; i++) {
		begin = (uint64_t)((dp_uwide)T * i / n);
		end = (uint64_t)((dp_uwide)T * (i + 1) / n);
		s = &p->sample[p->tried++];
		s->at = begin + scatter(i) % (end - begin) + 1;
		s->variance = dp_mech_variance(p->m, s->at);
		s->steps = (double)T / (double)n;
	}
	if (T > TRIED) {
		dp_mech_error(p->m, T, &e);
		p->sample[p->tried++] = (struct sample){ e.max, 1, e.worst };
	}
}

/* Largest variance first. */
static void
classify(struct losses *p)
{
	struct class *c = NULL;
	unsigned i;

	qsort(p->sample, p->tried, sizeof *p->sample, by_variance);
	for (i = 0; i < p->tried; i++) {
		if (c == NULL || p->sample[i].variance < EDGE * p->sample[c->begin].variance) {
			c = &p->class[p->n++];
			*c = (struct class){ .begin = i };
		}
		c->end = i + 1;
		c->at = p->sample[c->begin + (c->end - c->begin) / 2].at;
		c->steps = c->all += p->sample[i].steps;
	}
}

/* The law of a difference of two columns' noise: twice as many terms. */
static void
double_law(struct dp_law *l)
{
	unsigned i;

	for (i = 0; i < l->terms; i++)
		l->term[i].n *= 2;
	for (i = 0; i < l->parts; i++)
		l->part[i].variance *= 2;
}

#define STRIDE	0.25		/* in standard deviations, as these: */
#define REACH	16
#define POINTS	40
#define PIECE	0x1p-6

/* P(X >= x) of a law that is symmetric. */
static double
upper_losses(const struct dp_law_tails *t, double x)
{
	return x > 0 ? dp_law_tails_upper(t, x) : x < 0 ? 1 - dp_law_tails_upper(t, -x) : 0.5;
}

/* Tails of X - X', by a sum over pieces of X'; no larger ones than from its piece's nearer end. */
static void
tails_of_two(struct dp_law_tails *two, const struct dp_law_tails *one)
{
	double x, at, sum;
	unsigned i;

	*two = (struct dp_law_tails){ .left = { log(0.5) } };
	for (i = 1; i < POINTS; i++) {
		x = i * STRIDE;
		for (sum = 0, at = -REACH; at < REACH; at += PIECE)
			sum += (upper_losses(one, at) - upper_losses(one, at + PIECE)) *
			    upper_losses(one, x * M_SQRT2 + at);
		two->n = i;
		two->x[i] = x;
		/* cppcheck-suppress invalidFunctionArg	// the sum of some tails, above 0 */
		two->left[i] = log(fmin(sum, 0.5)) + x * x / 2;
	}
}

/*
 * The form of the worst step's law, if it has parts; a coarse one's is not looked at: law/law.h.
 * false: no memory.
 */
static bool
form(struct losses *p)
{
	dp_mech_law(p->m, 0, p->sample[0].at, &p->law);
	p->formed = p->law.parts != 0 && p->sample[0].variance >= DP_LAW_FINE;
	if (!p->formed)
		return true;
	if (!dp_law_tails(&p->tails, &p->law))
		return false;
	if (p->rivals > 0)
		tails_of_two(&p->twice, &p->tails);
	return true;
}

/* One upper tail of a column's noise at one step of class c, and one of a difference. */
struct tail {
	double value, rival;
};

static struct tail
step_tail(struct losses *p, const struct class *c, double x)
{
	const double y = (x - 0.5) / sqrt(p->sample[c->begin].variance);
	struct tail t = { 0, 0 };

	if (p->formed) {
		if (p->values > 0)
			t.value = dp_law_tails_upper(&p->tails, y);
		if (p->rivals > 0)
			t.rival = dp_law_tails_upper(&p->twice, y * M_SQRT1_2);
		return t;
	}
	dp_mech_law(p->m, 0, c->at, &p->law);
	if (p->values > 0)
		t.value = dp_law_upper(&p->law, x);
	if (p->rivals > 0) {
		double_law(&p->law);
		t.rival = dp_law_upper(&p->law, x);
	}
	return t;
}

/* Tails of class c in the union bound; mean: the sum of its steps' probabilities. */
static double
class_tails(struct losses *p, const struct class *c, double x, bool mean)
{
	const struct tail t = step_tail(p, c, x);
	const double leader = fmin(p->values * c->steps, c->all);
	const double sum = c->steps * (p->values * t.value + p->rivals * t.rival) +
	    leader * t.value;

	return mean && sum > c->steps ? c->steps : sum;
}

/*
 * All tails; mean: the sum over the steps of their probabilities.  Classes come with falling
 * tails: what is left of them once they cannot matter is not looked at.
 */
static double
tails(struct losses *p, double x, bool mean)
{
	double sum = 0, left = 0, more;
	unsigned i;

	for (i = 0; i < p->n; i++)
		left += p->class[i].all;
	for (i = 0; i < p->n; i++) {
		more = class_tails(p, &p->class[i], x, mean);
		if (left * more < 1e-3 * sum * p->class[i].all)
			break;
		sum += more;
		left -= p->class[i].all;
	}
	return sum;
}

/*
 * Part of step t's tail at x that is left if the step before it is to be below x.  Tilted by
 * e^(sX), which makes x the mean of X = X_t, what X has above x is nearly exponential with rate s,
 * and the difference Y = X_t - X_(t-1) nearly normal, with the derivatives of log E exp(sX + hY) at
 * h = 0 for its mean and variance:
 *	E (1 - e^(-s max(Y, 0))) = Phi(m/v) - e^(-m^2/2v^2) e^(u^2/2) Phi(-u),  u = s v - m/v.
 */
static double
first(struct losses *p, uint64_t t, double s)
{
	static const double h = 1e-4;		/* in units of s */
	double k[3], m, v, u;
	int i;

	if (t == 1)
		return 1;
	for (i = -1; i <= 1; i++) {
		dp_law_clear(&p->law);
		p->m->ops->law.blend(p->m, t - 1, -i * h, 1 + i * h, &p->law);
		if (p->rivals > 0)
			double_law(&p->law);
		k[i + 1] = p->formed ? s * s * dp_law_variance(&p->law) / 2 :
		    dp_law_cumulant(&p->law, s);
	}
	m = (k[2] - k[0]) / (2 * h * s);
	v = sqrt(fmax(0, k[2] - 2 * k[1] + k[0])) / (h * s);
	if (!(v > 0) || !isfinite(k[2]))
		return 1;
	u = s * v - m / v;
	m /= v;
	s = u > 20 ? 1 / (u * sqrt(2 * M_PI)) : exp(u * u / 2) * erfc(u * M_SQRT1_2) / 2;
	return fmax(0, erfc(-m * M_SQRT1_2) / 2 - exp(-m * m / 2) * s);
}

/* Parts for whole classes, whose tails' decay is that at x. */
#define LOOKED	8		/* samples of a class that are looked at */

static void
count_first(struct losses *p, double x)
{
	struct class *c;
	double sum, s;
	unsigned i, j, n;

	for (i = 0; i < p->n; i++) {
		c = &p->class[i];
		dp_mech_law(p->m, 0, c->at, &p->law);
		if (p->rivals > 0)
			double_law(&p->law);
		s = p->formed ? x / dp_law_variance(&p->law) : dp_law_saddle(&p->law, x);
		n = c->end - c->begin < LOOKED ? c->end - c->begin : LOOKED;
		for (sum = 0, j = 0; j < n; j++)
			sum += first(p, p->sample[c->begin + (c->end - c->begin) * j / n].at, s);
		c->steps *= sum / n;
	}
}

/* The least whole x with tails(x + 1) <= beta, near hi; log tails() is nearly a line. */
static double
quantile_losses(struct losses *p, double beta, double hi)
{
	double lo = -1, x, at, low = 1e3, high, mid;

	while ((high = log(tails(p, hi + 1, false) / beta)) > 0) {
		lo = hi;
		low = high;
		hi = ceil(1.1 * hi + 1);
	}
	while ((mid = dp_whole_between(lo, hi)) > lo) {
		x = isfinite(high) ? lo + (hi - lo) * low / (low - high) : 0;
		x = fmin(fmax(floor(x), lo + 1), hi - 1);
		x = lo < x && x < hi ? x : mid;	/* beyond 2^53 */
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
#define PARTS	12

static double
mean_loss(struct losses *p, double T, double max)
{
	double sum = 0.5, h = max / PARTS;
	int i;

	for (i = 1; i <= PARTS; i++)
		sum += tails(p, ceil(i * h), true) / T * (i == PARTS ? 0.5 : 1);
	return sum * h;
}

/*
 * The error (counter/mech.h, DP_MEASURE_QUANTILE) over steps 1..T of D columns of independent
 * noise, each
 * of the mechanism `counter`: max is the least loss that the union bound over all steps and
 * columns, with the law at each step, puts at probability 1 - beta; mean bounds the mean loss of a
 * step taken at random.
 */
static void
dp_maxsum_error(const struct dp_mech *counter, size_t D, enum dp_maxsum_show show, double beta,
    uint64_t T, struct dp_error *e)
{
	struct losses p = { .m = counter, .values = show & DP_MAXSUM_VALUE ? (double)D : 0,
	    .rivals = show & DP_MAXSUM_CHOICE ? (double)D - 1 : 0 };

	take_samples(&p, T);
	classify(&p);
	*e = (struct dp_error){ .worst = p.sample[0].at };
	if (!(p.sample[0].variance > 0))
		return;
	if (!form(&p)) {
		e->max = e->mean = NAN;
		return;
	}
	/* as if all were the worst, and normal */
	e->max = quantile_losses(&p, beta, ceil(sqrt(2 * p.sample[0].variance *
	    (p.rivals > 0 ? 2 : 1) * log1p((p.values + p.rivals + 1) * (double)T / beta))));
	e->mean = mean_loss(&p, (double)T, e->max);
	if (counter->ops->law.blend == NULL)
		return;
	if (T >= FEW)
		count_first(&p, e->max);
	e->max = quantile_losses(&p, -log1p(-beta), e->max);
}

/*
 * The largest of D column sums from D counters: each column's running sum is released
 * by a counter of the house, and the answer is computed from what they release.
 *
 * Statement.  With the counter planned for the privacy of all columns together (l1, l2squared and
 * columns as account/neighbour.h has them), all D noisy sums at all steps together have the
 * guarantee, also
 * for records that respond to the answers.
 *
 * Proof.  Each counter's proof gives, for a change d[c] of column c's values, a shift of its noise
 * under which it releases the same.  The columns' noise is independent, so the shifts are made
 * side by side.  PURE: one costs epsilon |d[c]| / l1, and sum |d[c]| <= l1 (normtree/normtree.h
 * proves that
 * for one unit, so for |d[c]|, without independence inside a column).  Gaussian (tree): the
 * squares of one sum to K |d[c]|^2, those of all to K l2squared at most, which is what the noise
 * was planned for; blt's own proof is for all columns at once.
 * Records that respond (F.5): values and changes of step t, in all columns, are known from the
 * releases before it, so the noise of all columns together is shifted by an amount that these tell:
 * ADAPTIVE (1) in account/privacy.h, whose z is then that of all columns; for Gaussian noise the
 * draws are
 * fresh, or as good as fresh (tree.c), as they are for one column.
 * The largest and its place are a function of the noisy sums: post-processing.
 *
 * The answer is found without a branch or an address that depends on the noisy sums; of equal ones
 * the first.  Memory: D of the counter's columns.  Draws: column after column, in each step.
 */

extern const struct dp_mech_ops dp_tree_gauss_ops;

struct columns {
	struct dp_mech m;		/* its part: the counters */
	enum dp_maxsum_show show;
	double beta;
	dp_wide margin;		/* in units of noisy sums; 0: no leader is kept */
};

/* The end of a column, with a margin. */
struct leader {
	uint64_t place, unused;		/* 1 + the kept one's; 0: none yet */
};

static const struct columns *
plan_of_columns(const struct dp_mech *m)
{
	return (const void *)m;
}

static struct leader *
lead_of(const struct dp_mech *m, const void *col)
{
	return (void *)((char *)(uintptr_t)col + m->column - sizeof(struct leader));
}

/* The loss with this counter: INFINITY if it is not for this rule.  DP_ENOMEM. */
static int
try(double *loss, const struct dp_mech_rule *rule, const struct dp_mech_rule *own,
    const struct dp_mech_ops *counter)
{
	const struct dp_maxsum *s = rule->task.own;
	struct dp_mech_rule dry = *own;
	struct dp_mech *m;
	struct dp_error e;
	int rc;

	dry.privacy.dry = true;
	dry.privacy.numbers = NULL;
	*loss = INFINITY;
	if ((rc = dp_mech_plan(&m, counter, &dry)) != 0)
		return rc == DP_ENOMEM ? rc : 0;
	dp_maxsum_error(m, rule->inputs, s->show, rule->beta, rule->report, &e);
	dp_mech_free(m);
	*loss = e.max;
	return 0;
}

static struct dp_mech_rule
inner_rule(const struct dp_mech_rule *rule)
{
	struct dp_mech_rule own = *rule;

	/* one column is a count, unless there are others beside it */
	own.quick = rule->inputs > 1 || rule->privacy.columns > 1;
	own.inputs = 1;
	if (rule->task.what == DP_TASK_OWN)
		own.task = (struct dp_task){ .what = DP_TASK_COUNT };
	own.task.statistic = NULL;
	own.task.own = NULL;
	return own;
}

/* counter, or the other one where that is better; NULL: there is no other. */
static int
create_counters(struct dp_mech *m, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter, const struct dp_mech_ops *other)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	struct dp_mech_rule own;
	double first = 0, second = 0;
	int e;

	own = inner_rule(rule);
	if (other != NULL && !dp_numbers_replays(numbers) && rule->privacy.delta.num != 0 &&
	    ((e = try(&first, rule, &own, counter)) != 0 ||
	    (e = try(&second, rule, &own, other)) != 0))
		return e;
	if (other != NULL && dp_numbers_int(numbers, "other", second < first, 0, 1) != 0)
		counter = other;
	return dp_part_create(m, counter, &own, rule->inputs, 1);
}

/*
 * The margin that is asked for; or the standard deviation of the difference of two columns' noise,
 * in the mean over the steps: s_leader.c has what that does to losses.
 */
static dp_wide
margin_of(const struct columns *p, const struct dp_mech_rule *rule)
{
	const struct dp_maxsum *s = rule->task.own;
	const struct dp_mech *counter = p->m.part->inner;
	const double units = pow(10, counter->estimate.decimals);
	struct dp_error e = { .mean = 0 };
	double margin = 0;

	if (!s->keep || (s->show & DP_MAXSUM_CHOICE) == 0 || rule->inputs < 2 ||
	    rule->horizon == 1)
		return 0;
	if (s->margin.num != 0)
		margin = floor(dp_q_double(s->margin) * units);
	else if (!rule->privacy.exact && !dp_numbers_replays(rule->privacy.numbers)) {
		dp_mech_error(counter, rule->report, &e);
		margin = floor(sqrt(2 * e.mean) * units);
	}
	return (dp_wide)dp_numbers_int(rule->privacy.numbers, "margin",
	    (uint64_t)fmin(margin, 0x1p62), 0, (uint64_t)1 << 62);
}

/* All but the counters, which it has. */
static int
finish(struct columns *p, const struct dp_mech_rule *rule)
{
	const struct dp_maxsum *s = rule->task.own;
	struct dp_mech *m = &p->m;
	const struct dp_mech *counter = m->part->inner;

	m->drawn.distribution = counter->drawn.distribution;
	m->estimate.decimals = counter->estimate.decimals;
	m->estimate.first = counter->estimate.first;
	m->estimate.between = counter->estimate.between;
	m->inputs = rule->inputs;
	p->show = s->show;
	m->outputs = p->show == DP_MAXSUM_BOTH ? 2 : 1;
	/* missed by any column's upper tail, or the leader's lower one (maxsum.c): D + 1 of 2 */
	m->off.worst_of = ((double)rule->inputs + 1) / 2;
	p->beta = rule->beta;
	p->margin = margin_of(p, rule);
	if ((m->column = dp_part_place(m->part, 0)) == SIZE_MAX)
		return DP_ENOMEM;
	m->off.margin = (double)p->margin * pow(10, -(double)m->estimate.decimals);
	if (p->margin != 0)
		m->column += sizeof(struct leader);
	return 0;
}

static int
create_columns(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter, const struct dp_mech_ops *other)
{
	struct columns *p;
	int e;

	if ((p = dp_mech_alloc(ops, sizeof *p, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	*out = &p->m;
	e = create_counters(&p->m, rule, counter, other);
	return e != 0 ? e : finish(p, rule);
}

/* most: the largest noisy sum, at *place; held: the kept leader's, lead->place - 1. */
static void
keep_columns(dp_wide margin, struct leader *lead, dp_wide most, dp_wide held, uint64_t *place)
{
	const dp_wide goes = lead->place == 0 ? -1 : (held + margin - most) >> 127;

	*place = (*place & (uint64_t)goes) | ((lead->place - 1) & ~(uint64_t)goes);
	lead->place = *place + 1;
}

/* A noisy sum, and the first place that has it. */
struct first {
	dp_wide sum;
	uint64_t place;
};

/* The larger of both; also: ones, if the other is to be taken in any case. */
static void
raise_first(struct first *a, dp_wide sum, uint64_t place, uint64_t also)
{
	/* ones, or 0 */
	const uint64_t larger = (uint64_t)((a->sum - sum) >> 127) | also;

	a->sum ^= (a->sum ^ sum) & (dp_wide)(int64_t)larger;
	a->place ^= (a->place ^ place) & larger;
}

#define ABREAST	4	/* comparisons that do not wait for each other */

/* Among n sums of the columns from j on; no branch depends on them. */
static void
look_for_first(struct first *most, const dp_wide *y, size_t j, size_t n)
{
	struct first of[ABREAST];
	uint64_t before;
	size_t i;
	unsigned l;

	for (l = 0; l < ABREAST; l++)
		of[l] = (struct first){ y[l < n ? l : 0], j + (l < n ? l : 0) };
	for (i = ABREAST; i + ABREAST <= n; i += ABREAST)
		for (l = 0; l < ABREAST; l++)
			raise_first(&of[l], y[i + l], j + i + l, 0);
	for (; i < n; i++)
		raise_first(&of[0], y[i], j + i, 0);
	for (l = 0; l < ABREAST; l++) {
		/* of equal ones the first */
		before = -(uint64_t)((of[l].sum == most->sum) & (of[l].place < most->place));
		raise_first(most, of[l].sum, of[l].place, before);
	}
}

static int
columns_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct columns *p = plan_of_columns(m);
	struct leader none = { 0, 0 }, *lead = p->margin == 0 ? &none : lead_of(m, col);
	struct first most = { 0, 0 };
	dp_wide held = 0, y[DP_FILL];
	size_t j, n;
	int e;

	for (j = 0; j < m->inputs; j += n) {
		n = m->inputs - j < DP_FILL ? m->inputs - j : DP_FILL;
		if ((e = dp_columns_step(m->part->inner, dp_part_column(m->part, col, j),
		    m->part->stride, n, rng, t, x + j, y)) != 0)
			return e;
		if (j == 0)
			most.sum = held = y[0];
		if (lead->place > j && lead->place <= j + n)	/* which has been released */
			held = y[lead->place - 1 - j];
		look_for_first(&most, y, j, n);
	}
	keep_columns(p->margin, lead, most.sum, held, &most.place);
	if (p->show & DP_MAXSUM_CHOICE)
		*est++ = (dp_wide)most.place;
	if (p->show & DP_MAXSUM_VALUE)
		*est = most.sum;
	return 0;
}

static bool
columns_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	return (plan_of_columns(m)->margin == 0 || lead_of(m, col)->place <= m->inputs) &&
	    dp_parts_valid(m, col, t);
}

static void
columns_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct columns *p = plan_of_columns(m);

	dp_maxsum_error(m->part->inner, m->inputs, p->show, p->beta, T, e);
}

static bool
columns_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	if (i > 0 || m->off.margin == 0)
		return false;
	snprintf(text, size, "a leader stays until the noisy sum of another is more than %.6g "
	    "larger (--margin), so that noise changes it less often; what it may be behind has "
	    "that in it, the losses of what is eligible have not", m->off.margin * unit);
	return true;
}

static bool
unfit_columns(const struct dp_mech_rule *rule, const struct dp_mech_ops *counter, char *text,
    size_t size)
{
	const struct dp_mech_rule own = inner_rule(rule);

	return counter->say.unfit != NULL && counter->say.unfit(&own, text, size);
}

/* A counter of the house, and another that may be better or NULL, as a mechanism of this task. */
#define COUNTER(id, word, other, can, about) \
	extern const struct dp_mech_ops dp_##id##_ops; \
	\
	static int \
	id##_create(struct dp_mech **m, const struct dp_mech_ops *ops, \
	    const struct dp_mech_rule *rule) \
	{ \
		return create_columns(m, ops, rule, &dp_##id##_ops, other); \
	} \
	\
	static bool \
	id##_unfit(const struct dp_mech_rule *rule, char *text, size_t size) \
	{ \
		return unfit_columns(rule, &dp_##id##_ops, text, size); \
	} \
	\
	const struct dp_mech_ops dp_maxsum_##id##_ops = { \
		.name = word, .say.source = about, .traits = can, \
		.tasks = DP_TASK_OWN, .statistic = &dp_maxsum_statistic, \
		.create = id##_create, .say.unfit = id##_unfit, .step = columns_step, \
		.open.add = dp_parts_add, .valid = columns_valid, .law.at = dp_parts_law, \
		.error = columns_error, .say.note = columns_note, .drawn.certify = \
		    dp_certificate_parts \
	};

COUNTER(tree, "tree", &dp_tree_gauss_ops, 0, "a binary tree for each column (Jain et al. 2021)")
COUNTER(kary, "kary", NULL, 0, "a k-ary tree with balanced digits for each column")
COUNTER(normtree, "normtree", NULL, DP_TRAIT_ENDLESS,
    "a tree whose splits depend on what is split for each column")
COUNTER(pan, "pan", NULL, DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, "a pan-private tree for each column")
COUNTER(pan_slots, "pan-slots", NULL, DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN,
    "a pan-private tree over balanced time slots for each column")
COUNTER(blt, "blt", NULL, DP_TRAIT_ENDLESS | DP_TRAIT_DELTA,
    "buffered linear Toeplitz noise for each column")
COUNTER(banded, "banded", NULL, DP_TRAIT_DELTA | DP_TRAIT_SPACED,
    "banded Toeplitz noise for each column, for events of a user that are apart")

static const struct dp_mech_ops recent_ops = {
	.name = "columns", .say.source = "the largest of private sums", .step = columns_step,
	.open.add = dp_parts_add, .valid = columns_valid, .law.at = dp_parts_law, .error =
	    columns_error,
	.say.note = columns_note, .drawn.certify = dp_certificate_parts
};

/* dp_maxsum_recent.make */
static int
dp_maxsum_recent_make(struct dp_mech **out, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter)
{
	const struct dp_mech_rule own = inner_rule(rule);
	struct columns *p;
	int e;

	if ((p = dp_mech_alloc(&recent_ops, sizeof *p, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	*out = &p->m;
	if ((e = dp_part_create(&p->m, counter, &own, rule->inputs, 1)) != 0)
		return e;
	p->m.part->inner->estimate.between = dp_task_between(&own.task);
	return finish(p, rule);
}

/*
 * The largest column sum without a look at the data (Jain, Raskhodnikova, Sivakumar,
 * Smith 2021, section 1: the paper answers 0, off by T).
 *
 * In lines a step changes the largest sum by -fall .. grow, fall = max(-lo, 0), grow = max(hi, 0):
 * after t steps it is within -t fall .. t grow, of which the middle is shown, rounded down, off by
 * t (grow + fall) / 2 at the most, rounded up.  The choice is column 0, behind by t times `drift`
 * (recompute.c).  Both bounds hold with certainty, and are attained.  Nothing is drawn.
 * Where the caller says that no sum passes K, and values are never negative, both stop at K.  Steps
 * of buckets are unbounded: there K is the only bound.  (With -P it is not offered, though it keeps
 * nothing: who asks for that wants an answer.)
 */

struct trivial {
	struct dp_mech m;
	enum dp_maxsum_show show;
	int64_t grow, fall;
	dp_wide ceiling;
	double drift;
};

/* The most that a sum can be after t steps. */
static dp_wide
most_trivial(const struct trivial *k, uint64_t t)
{
	dp_wide y = (dp_wide)t * k->grow;

	return y < k->ceiling ? y : k->ceiling;
}

static int
trivial_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_maxsum *own = rule->task.own;
	struct trivial *k;

	if (rule->most == 0 && own->ceiling == 0)
		return DP_EINVAL;
	if ((k = dp_mech_alloc(ops, sizeof *k, rule->horizon, 16)) == NULL)
		return DP_ENOMEM;
	k->show = own->show;
	k->ceiling = own->ceiling != 0 ? (dp_wide)own->ceiling : (dp_wide)1 << 126;
	k->grow = rule->most == 0 ? (int64_t)own->ceiling : rule->hi > 0 ? rule->hi : 0;
	k->fall = rule->lo < 0 ? -rule->lo : 0;
	k->drift = own->ones > 1 ? (double)k->grow + (double)k->fall :
	    fmax((double)k->grow, (double)k->fall);
	if (rule->inputs == 1)
		k->drift = 0;
	k->m.inputs = rule->inputs;
	k->m.outputs = k->show == DP_MAXSUM_BOTH ? 2 : 1;
	dp_numbers_same(rule->privacy.numbers, "show", k->show);
	dp_numbers_same(rule->privacy.numbers, "ceiling", own->ceiling);
	*out = &k->m;
	return 0;
}

static int
trivial_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct trivial *k = (const void *)m;

	(void)col;
	(void)rng;
	(void)x;
	if (k->show & DP_MAXSUM_CHOICE)
		*est++ = 0;
	if (k->show & DP_MAXSUM_VALUE)
		*est = (most_trivial(k, t) - (dp_wide)t * k->fall) >> 1;
	return 0;
}

/* The mean: of what is linear in t, half; where the ceiling stops that, not more than the most. */
static void
trivial_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct trivial *k = (const void *)m;
	const double up = (double)most_trivial(k, T), t = (double)T;
	const double value = ceil((up + t * (double)k->fall) / 2);
	const double behind = fmin(t * k->drift, k->drift > 0 ? (double)k->ceiling : 0);

	e->max = fmax(k->show & DP_MAXSUM_VALUE ? value : 0,
	    k->show & DP_MAXSUM_CHOICE ? behind : 0);
	e->mean = up == t * (double)k->grow ? e->max * (t + 1) / (2 * t) : e->max;
	e->worst = T;
}

static double
draws_trivial(const struct dp_mech *m)
{
	(void)m;
	return 0;
}

static int
trivial_certify(const struct dp_mech *m, struct dp_buf *b)
{
	(void)m;
	return dp_certificate_nothing(b);
}

const struct dp_mech_ops dp_maxsum_trivial_ops = {
	.name = "trivial",
	.say.source = "the middle of what can be, without a look at the data",
	.say.noise = "none",
	.traits = DP_TRAIT_ENDLESS,
	.tasks = DP_TASK_OWN, .statistic = &dp_maxsum_statistic,
	.create = trivial_create, .step = trivial_step, .error = trivial_error, .drawn.number =
	    draws_trivial,
	.drawn.certify = trivial_certify
};
