/* SPDX-License-Identifier: ISC */
/*
 * strips.c - quantiles of sums of noise on a lattice, where it is so coarse that this shows: by
 * adding up all that can happen.  Proof: tests/proof/mean.md, LATTICES.
 */
#include <math.h>
#include <stdlib.h>

#include "internal.h"

#define NARROW	{ 0, 0, 256, 64 }	/* multiples of the lattice's unit, of 2 and of 3 numbers */
#define LOST	0x1p-12		/* a part of gamma: the probability that one number is beyond all */
#define CLOSE	0x1p-11		/* bounds are found to that part of themselves, */
#define ABOVE	(1 + 0x1p-30)	/* and grow by what doubles may hide */

/*
 * Two whole numbers have all that is asked for: r and v, of which W is first r + second v.  Of two
 * noises they are these; of three r is the sum and v that of the second and twice the third, as
 * coefficients are evenly spaced.  The law of (r, v) is that of (-r, -v): rows are r = 0 .. rows.
 */
struct dp_strips {
	unsigned n;
	double unit;			/* of the lattice */
	int most;			/* of one number */
	int rows, half;			/* r = 0 .. rows, v = -half .. half */
	double *row;			/* probability of r = 0, and of r and -r */
	/* P(v <= i - half - 1), i = 0 .. 2 half + 1; of three numbers times P(r), for each r */
	double *sum;
	double *tail;			/* P(|X| > k), k = 0 .. most */
};

void
dp_strips_free(struct dp_strips *s)
{
	if (s == NULL)
		return;
	free(s->row);
	free(s->sum);
	free(s->tail);
	free(s);
}

double
dp_strips_lattice(const struct dp_law *law)
{
	unsigned i;

	if (law->full || law->parts + law->flips > 0 || law->bits > 0 || law->terms == 0)
		return 0;
	for (i = 0; i < law->terms; i++)
		if (law->term[i].coef != (law->term[i].noise->kind == DP_NOISE_GAUSS ? 1 :
		    law->term[0].coef))
			return 0;
	return law->term[0].coef;
}

bool
dp_strips_normal(const struct dp_law *law)
{
	unsigned i;

	for (i = 0; i < law->terms; i++)
		if (law->term[i].noise->kind != DP_NOISE_GAUSS)
			return false;
	return !law->full && law->parts + law->flips == 0 && law->bits == 0;
}

static double
probability(const struct dp_strips *s, int k)
{
	return k == 0 ? 1 - s->tail[0] : (s->tail[abs(k) - 1] - s->tail[abs(k)]) / 2;
}

/* The law of r and v, of three numbers. */
static void
set_table(struct dp_strips *s, size_t width)
{
	const int K = s->most;
	int x, y, z;
	double p;

	for (y = -K; y <= K; y++)
		for (z = -K; z <= K; z++) {
			p = probability(s, y) * probability(s, z);
			for (x = -K > -y - z ? -K : -y - z; x <= K; x++)
				s->sum[(size_t)(x + y + z) * width + (size_t)(y + 2 * z + s->half +
				    1)] += p * probability(s, x);
		}
}

static bool
set_rows(struct dp_strips *s)
{
	size_t width, i, some;
	int r;

	s->rows = s->n == 2 ? s->most : 3 * s->most;
	s->half = s->rows;
	width = 2 * (size_t)s->half + 2;
	some = s->n == 2 ? width : width * ((size_t)s->rows + 1);
	s->row = malloc(((size_t)s->rows + 1) * sizeof *s->row);
	s->sum = calloc(some, sizeof *s->sum);
	if (s->row == NULL || s->sum == NULL)
		return false;
	for (r = 0; r <= s->rows; r++)
		s->row[r] = (r == 0 ? 1 : 2) * (s->n == 2 ? probability(s, r) : 1);
	if (s->n == 3)
		set_table(s, width);
	else
		for (r = -s->most; r <= s->most; r++)
			s->sum[r + s->half + 1] = probability(s, r);
	for (i = 1; i < some; i++)
		if (i % width != 0)
			s->sum[i] += s->sum[i - 1];
	return true;
}

/* P(|X| > k), k < some. */
static int
set_tails(struct dp_strips *s, struct dp_mean_noise noise, unsigned some)
{
	const double v = dp_law_variance(noise.law);
	struct dp_law *law;
	unsigned k;

	if ((s->tail = malloc(some * sizeof *s->tail)) == NULL)
		return DP_ENOMEM;
	s->unit = dp_strips_lattice(noise.law);
	for (k = 0; k < some && s->unit == 0; k++)
		s->tail[k] = erfc((k + .5) / sqrt(2 * v));
	if (s->unit == 0) {
		s->unit = 1;
		return 0;
	}
	if ((law = malloc(sizeof *law)) == NULL)
		return DP_ENOMEM;
	*law = *noise.law;
	law->between = false;
	for (k = 0; k < law->terms; k++)
		law->term[k].coef = 1;
	dp_law_beyond(law, 1, some, s->tail);
	free(law);
	return 0;
}

int
dp_strips_new(struct dp_strips **out, struct dp_mean_noise noise, unsigned n, double gamma)
{
	static const unsigned narrow[] = NARROW;
	const double unit = dp_strips_lattice(noise.law), sd = sqrt(dp_law_variance(noise.law));
	const bool rounded = unit == 0 && noise.whole && dp_strips_normal(noise.law);
	struct dp_strips *s;
	int e;

	*out = NULL;
	if (gamma < 1e-9 || !(4 * sd <= narrow[n] * (rounded ? 1 : unit)))
		return 0;
	if ((s = calloc(1, sizeof *s)) == NULL)
		return DP_ENOMEM;
	s->n = n;
	if ((e = set_tails(s, noise, narrow[n])) == 0) {
		while (s->most < (int)narrow[n] && s->tail[s->most] > LOST * gamma)
			s->most++;
		if (s->most < (int)narrow[n] && set_rows(s)) {
			*out = s;
			return 0;
		}
		e = s->most < (int)narrow[n] ? DP_ENOMEM : 0;
	}
	dp_strips_free(s);
	return e;
}

/* |first r + second v| <= by scale: v is within `by' of slope r; flat, second 0: |r| is. */
struct strip {
	double slope, by, scale;
	bool flat;
};

static struct strip
strip_of(const struct dp_strips *s, const double *coef)
{
	const double first = coef[0], second = s->n == 2 ? coef[1] : coef[1] - coef[0];
	const bool flat = second == 0;

	return (struct strip){ flat ? 0 : -first / second, 0, fabs(flat ? first : second) * s->unit,
	    flat };
}

/* The values within a row: lo <= v <= hi; none if hi < lo. */
static void
within(const struct strip *t, int r, int half, double *lo, double *hi)
{
	*lo = t->flat ? (r <= t->by ? -half : half + 1) : ceil(t->slope * r - t->by);
	*hi = t->flat ? half : floor(t->slope * r + t->by);
}

/* P(|W| > w of a or of b), or of both on one side: at most the one, at least the other. */
static double
outside(const struct dp_strips *s, const struct strip *a, const struct strip *b, bool both)
{
	const int half = s->half;
	const size_t width = s->n == 2 ? 0 : 2 * (size_t)half + 2;
	const double *sum = s->sum;
	double p = 0, lo, hi, low, high, here;
	int r;

	for (r = 0; r <= s->rows; r++, sum += width) {
		within(a, r, half, &lo, &hi);
		within(b, r, half, &low, &high);
		lo = fmin(fmax(both ? fmin(lo, low) : fmax(lo, low), -half), half + 1);
		hi = fmin(fmax(both ? fmax(hi, high) : fmin(hi, high), -half - 1), half);
		here = sum[(int)hi + half + 1] - sum[(int)lo + half];
		if (both)
			here = sum[2 * half + 1] - here;
		p += s->row[r] * (here > 0 ? here : 0);
	}
	return both ? p : 1 - p;
}

/* P(|W| > w of a or of b), both strips wider by `more'. */
static double
missed(const struct dp_strips *s, struct strip a, struct strip b, double more)
{
	a.by += more;
	b.by += more;
	return outside(s, &a, &b, false);
}

/* What both strips have to be wider by to miss gamma at most, or a little more. */
static double
growth(const struct dp_strips *s, const struct strip *a, const struct strip *b, double gamma,
    double guess)
{
	double lo = 0, hi = guess, mid;

	if (missed(s, *a, *b, 0) <= gamma)
		return 0;
	for (; missed(s, *a, *b, hi) > gamma; hi *= 2)
		lo = hi;
	while (hi - lo > CLOSE * (hi + a->by)) {
		mid = (lo + hi) / 2;
		*(missed(s, *a, *b, mid) > gamma ? &lo : &hi) = mid;
	}
	return hi;
}

double
dp_strips_bound(const struct dp_strips *s, const double *coef, double gamma)
{
	const struct strip t = strip_of(s, coef);

	return growth(s, &t, &t, gamma, 1) * t.scale * ABOVE;
}

double
dp_strips_one(const struct dp_strips *s, double gamma)
{
	int k = 0;

	while (s->tail[k] > gamma)
		k++;
	return k * s->unit;
}

/* P(W > w of a and of b, or both < -w), the strips narrower by `less'. */
static double
beyond(const struct dp_strips *s, struct strip a, struct strip b, double less)
{
	a.by = fmax(a.by - less, 0);
	b.by = fmax(b.by - less, 0);
	return outside(s, &a, &b, true);
}

/* What both strips have to be narrower by to have gamma at least beyond them, or a little more. */
static double
shrinkage(const struct dp_strips *s, const struct strip *a, const struct strip *b, double gamma)
{
	const double most = fmax(a->by, b->by);
	double lo = 0, hi = CLOSE * most, mid;

	for (; hi < most && beyond(s, *a, *b, hi) < gamma; hi *= 4)
		lo = hi;
	if (hi >= most && beyond(s, *a, *b, most) < gamma)
		return most;
	for (hi = fmin(hi, most); hi - lo > CLOSE * most;) {
		mid = (lo + hi) / 2;
		*(beyond(s, *a, *b, mid) < gamma ? &lo : &hi) = mid;
	}
	return hi;
}

void
dp_strips_bounds(const struct dp_strips *s, double gamma, unsigned knots, double *w, double *low)
{
	struct strip t[DP_MEAN_KNOTS];
	double more[DP_MEAN_KNOTS] = { 0 }, less[DP_MEAN_KNOTS] = { 0 }, coef[2], rho, both;
	unsigned j;

	for (j = 0; j < knots; j++) {
		rho = j * .5 / (knots - 1);
		coef[0] = -rho;
		coef[1] = dp_mean_part(1, s->n) - rho;
		t[j] = strip_of(s, coef);
		t[j].by = growth(s, &t[j], &t[j], gamma, j == 0 ? 1 : t[j - 1].by + .1);
	}
	for (j = 0; j + 1 < knots; j++) {
		both = growth(s, &t[j], &t[j + 1], gamma, .02 * t[j].by + .01);
		more[j] = fmax(more[j], both);
		more[j + 1] = both;
		if (low == NULL)
			continue;
		both = shrinkage(s, &t[j], &t[j + 1], gamma);
		less[j] = fmax(less[j], both);
		less[j + 1] = both;
	}
	for (j = 0; j < knots; j++) {
		w[j] = (t[j].by + more[j]) * t[j].scale * ABOVE;
		if (low != NULL)
			low[j] = fmax(t[j].by - less[j], 0) * t[j].scale / ABOVE;
	}
}
