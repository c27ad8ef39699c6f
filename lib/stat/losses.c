/*
 * losses.c - how large a loss is to be expected of the largest of D noisy column sums.
 *
 * Union bound: the probability that a loss reaches x is at most the sum over steps and columns of
 * the tails of their noise,
 *   a value    of z_j >= x, any column's, as max (s + z) - max s <= max z; and of z_i <= -x, i the
 *              column with the largest sum, as max (s + z) >= s_i + z_i: D + 1 one-sided ones;
 *   a choice   of z_j - z_i >= x, i the column with the largest sum, j its D - 1 rivals: a column
 *              that loses x can be chosen only then.  All of it is lost if all rivals lag by x.
 *              Kept by a margin h (columns.c) it can lose x + h only then.
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
#include <math.h>
#include <stdlib.h>

#include "maxsum.h"

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
upper(const struct dp_law_tails *t, double x)
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
			sum += (upper(one, at) - upper(one, at + PIECE)) *
			    upper(one, x * M_SQRT2 + at);
		two->n = i;
		two->x[i] = x;
		/* cppcheck-suppress invalidFunctionArg	// the sum of some tails, above 0 */
		two->left[i] = log(fmin(sum, 0.5)) + x * x / 2;
	}
}

/*
 * The form of the worst step's law, if it has parts; a coarse one's is not looked at: law.h.
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
quantile(struct losses *p, double beta, double hi)
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

void
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
	e->max = quantile(&p, beta, ceil(sqrt(2 * p.sample[0].variance *
	    (p.rivals > 0 ? 2 : 1) * log1p((p.values + p.rivals + 1) * (double)T / beta))));
	e->mean = mean_loss(&p, (double)T, e->max);
	if (counter->ops->law.blend == NULL)
		return;
	if (T >= FEW)
		count_first(&p, e->max);
	e->max = quantile(&p, -log1p(-beta), e->max);
}
