/* SPDX-License-Identifier: ISC */
/*
 * sampling.c - intervals for the mean of the law that the events are a sample of.  Proof:
 * tests/proof/mean.md, SAMPLING.
 *
 * With s[i], D(rho) as there, D = S + W at the true rho: W is the noise, S the sum over the N
 * events of r - rho.  The interval has each rho for which neither P(S + W >= D) nor P(S + W <= D)
 * is below half the probability of a miss, gamma.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "mean.h"

#define FINE	32	/* bounds are multiples of a standard deviation / FINE */
#define ATOMS	DP_SAMPLING_ATOMS
#define KNOTS	9	/* on a lattice that is coarse DP_SAMPLING_KNOTS */
#define LEVELS	(ATOMS + 2)	/* of the atoms, of N and of V */
#define RARE	.005	/* P(|W| is above the last atom) / gamma */
#define SMOOTH	256.	/* from this variance on smooth_tail() stands for a binomial's tail */
#define TERMS	640	/* more than a binomial below SMOOTH has above NONE */
#define NARROW	8	/* noise is narrow if NARROW middle atoms are within S's deviation */
#define FEWER	4	/* then FEWER atoms are taken as one; divides ATOMS */
#define NONE	1e-10	/* terms below this part of the largest are left out */

/*
 * Parts of gamma.  FOR_N: N is beyond its bounds.  FOR_NOISE: noise makes V too small by more than
 * its bound, on either side.  That events make V too small has a probability of e^-SHORT at most,
 * and is no part: events that do so make the mean too small as well.
 */
#define FOR_N	.1
#define FOR_NOISE	.02
#define SHORT	2

/* P(|W| > the i-th atom), at most */
static double
beyond(double gamma, unsigned i)
{
	return exp(log(RARE * gamma) * (i + 1) / ATOMS);
}

/*
 * The noise of one number, rounded away from 0 to multiples of `step', and room for sums of it.
 * The rounded law is spread wider, and so are its sums, as laws are symmetric and unimodal
 * (Birnbaum 1948).  A normal law is not rounded, nor is one of which only a bound is known.
 */
#define SIDE	64		/* multiples on each side of 0, at most */
#define BINS	2048		/* bins on each side of 0, at most, of a sum */
struct grain {
	const struct dp_law *law;
	double sd, drift;		/* drift: a number may be off by it besides */
	bool normal;
	double step;
	int side;			/* 0: it is not rounded */
	double p[SIDE + 1];		/* P(|X| = k step) */
	double bin[2][2 * BINS + 1];
	struct dp_law mix;
};

static struct grain *
grain_new(struct dp_mean_noise z)
{
	const struct dp_law *law = z.law;
	struct grain *g = malloc(sizeof *g);
	double before = 1, now[SIDE];
	int k;

	if (g == NULL)
		return NULL;
	g->law = law;
	g->sd = sqrt(dp_law_variance(law));
	g->drift = z.drift + (law->parts > 0 ? 1 : z.whole && dp_strips_lattice(law) == 0 ? .5 : 0);
	g->normal = dp_strips_normal(law);
	g->side = 0;
	if (g->normal || law->parts + law->flips > 0 || isinf(g->sd))
		return g;
	/* a Laplace law has next to nothing beyond 16 standard deviations */
	g->step = fmax(ceil(16 * g->sd / SIDE), 1);
	dp_law_beyond(law, g->step, SIDE, now);
	for (k = 0; k < SIDE; k++) {
		g->p[k] = fmax(before - now[k], 0);
		before = fmax(before - g->p[k], 0);
		g->side = g->p[k] > 0 ? k + 1 : g->side;
	}
	g->p[SIDE] = before;
	return g;
}

/* to: the law of `from' and c times the noise, in bins of that width. */
static void
add_noise(const struct grain *g, double c, double width, const double *from, double *to)
{
	int i, k, by;

	memset(to, 0, (2 * BINS + 1) * sizeof *to);
	for (k = -g->side; k <= g->side; k++) {
		const double p = g->p[abs(k)] / (k == 0 ? 1 : 2);

		by = (int)rint(c * k * g->step / width);
		for (i = by < 0 ? -by : 0; i <= 2 * BINS - (by > 0 ? by : 0); i++)
			to[i + by] += from[i] * p;
	}
}

/* As bounds(), by the law of the sum. */
static double
bounds_summed(struct grain *g, const double *coef, unsigned n, const double *gamma, unsigned some,
    double *w)
{
	double total = 0, width, out, off;
	unsigned i;
	int j;

	for (i = 0; i < n; i++)
		total += fabs(coef[i]);
	width = total * g->side * g->step / (BINS - n);
	off = n * width * .501 + g->drift * total;
	memset(g->bin[0], 0, sizeof g->bin[0]);
	g->bin[0][BINS] = 1;
	for (i = 0; i < n; i++)
		add_noise(g, coef[i], width, g->bin[i % 2], g->bin[(i + 1) % 2]);
	for (i = some, j = BINS, out = 0; i-- > 0; w[i] = j * width + off)
		for (; j > 0 && out + g->bin[n % 2][BINS + j] + g->bin[n % 2][BINS - j] <=
		    gamma[i]; j--)
			out += g->bin[n % 2][BINS + j] + g->bin[n % 2][BINS - j];
	return 2 * off + total * (g->step - 1);
}

/* P(|Z| > y) = gamma, Z normal of variance 1 */
static double
normal_bound(double gamma)
{
	double lo = 0, hi = 40, mid;
	unsigned i;

	for (i = 0; i < 40; i++) {
		mid = (lo + hi) / 2;
		*(erfc(mid * M_SQRT1_2) > gamma ? &lo : &hi) = mid;
	}
	return hi;
}

/* Probabilities, falling, and what |Z| is above with them, Z normal. */
struct levels {
	const double *gamma, *z;
	unsigned n;
};

/*
 * P(|sum coef[i] noise[i]| > w[j]) <= gamma[j], gamma falling.  Returns a slack: the probability
 * for w[j] - slack is gamma[j] or more.
 */
static double
bounds(struct grain *g, const double *coef, unsigned n, struct levels at, double *w)
{
	double finer[DP_MEAN_NUMBERS] = { 0 }, most = 0, off = 0, squares = 0;
	unsigned i;

	if (g->side > 0)
		return bounds_summed(g, coef, n, at.gamma, at.n, w);
	for (i = 0; i < n; i++) {
		most = fmax(most, fabs(coef[i]));
		squares += coef[i] * coef[i];
		off += fabs(coef[i]) * g->drift;
	}
	for (i = 0; i < at.n; i++)
		w[i] = g->sd > 0 && g->normal ? g->sd * sqrt(squares) * at.z[i] + off : off;
	if (g->normal || g->sd == 0 || most == 0)
		return 2 * off;
	for (i = 0; i < n; i++)
		finer[i] = coef[i] / most * FINE / g->sd;
	dp_law_mix(&g->mix, g->law, finer, n);
	for (i = 0; i < at.n; i++)
		w[i] = (dp_law_bound(&g->mix, at.gamma[i]) + 1) * g->sd / FINE * most + off;
	return 2.5 * g->sd / FINE * most + 2 * off;
}

/* c(a, b): the sum of (r - a)(r - b) over the events is sum c[i] B[i] / U, of three numbers. */
static void
blossom(double a, double b, double U, double *c)
{
	c[0] = a * b / U;
	c[1] = (a * b - (a + b) / 2) / U;
	c[2] = (1 - a) * (1 - b) / U;
}

/* Bounds of the noise in V(rho), at knots and between them: control points of Bezier curves. */
static void
bound_squares(struct dp_sampling_law *l, struct grain *g, struct levels at)
{
	const double by = .5 / (KNOTS - 1);
	double c[DP_MEAN_NUMBERS];
	unsigned j;

	for (j = 0; j < 2 * KNOTS - 1; j++) {
		blossom(by * (j / 2), by * ((j + 1) / 2), l->unit, c);
		(void)bounds(g, c, 3, at, &l->square[j]);
	}
}

/* Bounds of D at the knots, of both kinds, on a coarse lattice. */
static void
coarse_knots(struct dp_sampling_law *l, const struct dp_strips *s, const double *gamma,
    double drift)
{
	double w[DP_SAMPLING_KNOTS], low[DP_SAMPLING_KNOTS], off;
	unsigned i, j, c;

	for (i = 0; i < ATOMS; i++) {
		dp_strips_bounds(s, gamma[i], DP_SAMPLING_KNOTS, w, low);
		for (j = 0; j < DP_SAMPLING_KNOTS; j++) {
			for (off = 0, c = 0; c < l->n; c++)
				off += drift * fabs(dp_mean_part(c, l->n) - j * .5 /
				    (DP_SAMPLING_KNOTS - 1));
			l->knot[j][i] = (w[j] + off) / l->unit;
			l->low[j][i] = fmax(low[j] - off, 0) / l->unit;
		}
	}
}

/* The same on others, where they are convex. */
static void
fine_knots(struct dp_sampling_law *l, struct grain *g, struct levels at)
{
	double coef[DP_MEAN_NUMBERS];
	unsigned i, j;

	for (j = 0; j < KNOTS; j++) {
		for (i = 0; i < l->n; i++)
			coef[i] = (dp_mean_part(i, l->n) - j * .5 / (KNOTS - 1)) / l->unit;
		l->rounded[j] = bounds(g, coef, l->n, at, l->knot[j]);
	}
}

/* The bounds of N, and of D. */
static int
bound_noise(struct dp_sampling_law *l, struct grain *g, struct dp_mean_noise z,
    const double *level)
{
	double coef[DP_MEAN_NUMBERS];
	struct dp_strips *s;
	unsigned i;
	int e;

	l->all = INFINITY;
	if (isinf(l->variance))
		return 0;
	if ((e = dp_strips_new(&s, z, l->n, level[ATOMS - 1])) != 0)
		return e;
	l->coarse = s != NULL;
	for (i = 0; i < l->n; i++)
		coef[i] = 1 / l->unit;
	if (s != NULL)
		l->all = dp_strips_bound(s, coef, level[ATOMS]) + l->n * z.drift / l->unit;
	else
		(void)bounds(g, coef, l->n, (struct levels){ level + ATOMS, l->z + ATOMS, 1 },
		    &l->all);
	if (s != NULL)
		coarse_knots(l, s, level, z.drift);
	else if (!isinf(l->all))
		fine_knots(l, g, (struct levels){ level, l->z, ATOMS });
	dp_strips_free(s);
	return 0;
}

int
dp_sampling_law(struct dp_sampling_law *l, const struct dp_mean_asked *k, struct dp_mean_noise z,
    double gamma)
{
	double level[LEVELS];
	const bool again = l->gamma == gamma && l->variance > 0;
	struct grain *g = grain_new(z);
	unsigned i;
	int e;

	if (g == NULL)
		return DP_ENOMEM;
	for (i = 0; i < ATOMS; i++) {
		level[i] = beyond(gamma, i);
		l->mass[i] = ((i == 0 ? 1 : level[i - 1]) - level[i]) / 2;
	}
	level[ATOMS] = FOR_N * gamma;
	level[ATOMS + 1] = FOR_NOISE * gamma;
	for (i = 0; i < LEVELS && !again; i++)
		l->z[i] = normal_bound(level[i]);
	l->gamma = gamma;
	l->variance = dp_law_variance(z.law);
	l->n = dp_mean_numbers(k);
	/* weights up to MAX that sum to W count as W / MAX events */
	l->unit = (double)dp_mean_reach(k);
	l->whole = k->weight.most == 0;
	l->shares = dp_mean_share(k);
	e = bound_noise(l, g, z, level);
	if (!l->shares && !isinf(l->all))
		bound_squares(l, g, (struct levels){ level + ATOMS + 1, l->z + ATOMS + 1, 1 });
	free(g);
	return e != 0 ? e : isnan(l->all + l->knot[0][0] + l->square[0]) ? DP_ENOMEM : 0;
}

/* One side of a test of rho: of D >= d, or of D <= d with the ends of the range exchanged. */
struct side {
	double rho, d;			/* d: D's value, or minus that */
	double n;			/* events */
	/* S as the worst law of its variance: h (K - n pi), K binomial of n and pi */
	double h, pi;
	/* P(|W| > h atom[i]) <= beyond(gamma, i) <= P(|W| > h low[i]) */
	double atom[ATOMS], low[ATOMS];
	const double *mass;		/* half the probability between two atoms */
};

/* On a coarse lattice, by the chords.  It is symmetric about 1/2. */
static void
set_coarse_atoms(struct side *t, const struct dp_sampling_law *l)
{
	unsigned i, j;
	const double x = dp_mean_knot(t->rho, DP_SAMPLING_KNOTS, &j);

	for (i = 0; i < ATOMS; i++) {
		t->atom[i] = ((1 - x) * l->knot[j][i] + x * l->knot[j + 1][i]) / t->h;
		t->low[i] = ((1 - x) * l->low[j][i] + x * l->low[j + 1][i]) / t->h;
	}
}

/*
 * Else a bound is convex in rho: at most the chord between the two knots around it, and at least
 * each neighbour of that chord, extended.
 */
static void
set_atoms(struct side *t, const struct dp_sampling_law *l)
{
	unsigned j;
	const double x = dp_mean_knot(t->rho, KNOTS, &j), *q = l->knot[j], *r = l->knot[j + 1],
	    *before = l->knot[j > 0 ? j - 1 : j],
	    *behind = l->knot[j + 2 < KNOTS ? j + 2 : KNOTS - 2];
	const double rounded = l->rounded[j] + x * (l->rounded[j + 1] - l->rounded[j]);
	double low;
	unsigned i;

	for (i = 0; i < ATOMS; i++) {
		low = r[i] - (1 - x) * (behind[i] - r[i]);
		if (j > 0)
			low = fmax(low, q[i] + x * (q[i] - before[i]));
		t->atom[i] = (q[i] + x * (r[i] - q[i])) / t->h;
		t->low[i] = fmax(low - rounded, 0) / t->h;
	}
}

/*
 * P(K >= x), for a variance that is not small: P(K <= k) is at least Phi(sgn sqrt(2 n H(k/n)))
 * (Zubkov, Serov 2012), H the divergence of coins of k/n and pi.  Above the mean it grows with n.
 */
static double
smooth_tail(double n, double pi, double x)
{
	const double y = (x - 1) / n;
	double H, z;

	if (!(y > 0))
		return 1;
	if (!(y < 1))
		return 0;
	H = y * log(y / pi) + (1 - y) * log((1 - y) / (1 - pi));
	z = sqrt(n * fmax(H, 0));
	return erfc(y > pi ? z : -z) / 2;
}

/* P(K >= from + i), i < some; 1 for less, NONE for more. */
struct binomial {
	double from, n, pi;
	unsigned some;			/* 0: the variance is not small */
	double tail[TERMS];
};

static void
set_binomial(struct binomial *b, double n, double pi)
{
	const double mode = fmin(floor((n + 1) * pi), n), odds = pi / (1 - pi);
	double up[TERMS], down[TERMS], k, p, sum = 0;
	unsigned i, above = 0, below = 0;

	b->n = n;
	b->pi = pi;
	b->from = b->some = 0;
	if (n * pi * (1 - pi) >= SMOOTH)
		return;
	for (k = mode, p = 1; p > NONE && above < TERMS / 2; k++) {
		up[above++] = p;
		p *= k < n ? (n - k) / (k + 1) * odds : 0;
	}
	for (k = mode, p = 1; k > 0 && below < TERMS / 2; k--) {
		p *= k / ((n - k + 1) * odds);
		if (p <= NONE)
			break;
		down[below++] = p;
	}
	b->from = mode - below;
	b->some = below + above;
	for (i = 0; i < above; i++)
		b->tail[b->some - 1 - i] = sum += up[above - 1 - i];
	for (i = 0; i < below; i++)
		b->tail[below - 1 - i] = sum += down[i];
	for (i = 0; i < b->some; i++)
		b->tail[i] /= sum;
}

static double
binomial_tail(const struct binomial *b, double x)
{
	const double i = ceil(x - b->from - 1e-9);

	if (b->some == 0)
		return smooth_tail(b->n, b->pi, x);
	return i <= 0 ? 1 : i < b->some ? b->tail[(unsigned)i] : NONE;
}

/*
 * P(S + W >= d) less what is beyond all atoms, for n events.  W is taken at its largest: between
 * two atoms it is the upper one, and below 0 the one nearer to 0.
 */
static double
tail_of(const struct side *t, double n)
{
	struct binomial b;
	const double at = n * t->pi + t->d / t->h, narrow = NARROW * t->atom[ATOMS / 2];
	double p = 0, mass, near = 0;
	unsigned i, j, step;

	set_binomial(&b, n, t->pi);
	step = b.some == 0 && n * t->pi * (1 - t->pi) > narrow * narrow ? FEWER : 1;
	for (i = 0; i < ATOMS; i += step) {
		for (mass = 0, j = i; j < i + step; j++)
			mass += t->mass[j];
		p += mass * (binomial_tail(&b, at - t->atom[i + step - 1]) +
		    binomial_tail(&b, at + near));
		near = t->low[i + step - 1];
	}
	return p;
}

/* What the private numbers come to, in events. */
struct seen {
	double all, sum;		/* sum B, and sum s[i] B[i] */
	double least, most;		/* of N */
	double b[DP_MEAN_NUMBERS];	/* in units of one event */
};

/*
 * The largest V that may be the expectation of a sum of n squares, each at most m^2, that came to
 * v.  By Bernstein's inequality the sum falls short of V by more than sqrt(2 L V (m^2 - V/n)) +
 * 2/3 L V/n, or than sqrt(2 L V m^2), with probability e^-L at most: V is the largest number that
 * is above v by no more than that.
 */
static double
most_squares(double v, double n, double m, double L)
{
	const double c = m * m * L / 2;
	double most = sqrt(c) + sqrt(fmax(v, 0) + c);
	unsigned i;

	most *= most;
	for (i = 0; i < 4 && most < n * m * m / 2; i++)
		most = fmin(most, fmax(v, 0) + sqrt(2 * L * most * (m * m - most / n)) +
		    L * most / n * 2 / 3);
	return most;
}

/* V(rho) of n events, at its upper end */
static double
squares(const struct dp_sampling_law *l, const struct seen *a, double rho, double n)
{
	const double most = n * rho * (1 - rho);
	unsigned j;
	const double x = dp_mean_knot(rho, KNOTS, &j), *q = l->square + 2 * j;
	double c[DP_MEAN_NUMBERS], v;

	if (l->shares)
		return most;
	blossom(rho, rho, 1, c);
	v = c[0] * a->b[0] + c[1] * a->b[1] + c[2] * a->b[2] + n / (2 * l->unit) +
	    (1 - x) * (1 - x) * q[0] + 2 * x * (1 - x) * q[1] + x * x * q[2];
	return fmin(most_squares(v, n, fmax(rho, 1 - rho), SHORT), most);
}

/*
 * P(S + W >= D(rho) - slack) for n events, as tail_of() has it.  S is taken as the law with the
 * largest third moment among those of its variance and its largest step, 1 - rho.
 */
static double
p_value(const struct dp_sampling_law *l, const struct seen *a, double rho, double n, double slack)
{
	struct side t = { .rho = rho, .d = a->sum - rho * a->all - slack, .h = 1 };
	const double up = 1 - rho, v = squares(l, a, rho, n);

	if (t.d <= 0)
		return 1;
	if (v > 0) {
		t.pi = v / (v + n * up * up);
		t.h = up + v / (n * up);
	}
	t.mass = l->mass;
	(l->coarse ? set_coarse_atoms : set_atoms)(&t, l);
	return tail_of(&t, n);
}

/*
 * The number of events from least .. most that gives rho the largest P, and that P.  Every by-th
 * number is tried, and stands for those next below: m more events move S by -m rho or more, which
 * is the slack.
 */
#define PLACES	16
static double
worst_number(const struct dp_sampling_law *l, const struct seen *a, double rho, double *n)
{
	const double by = ceil((a->most - a->least + 1) / PLACES), slack = (by - 1) * rho;
	double p = 0, now, i;

	*n = a->most;
	if (a->most * rho * (1 - rho) >= SMOOTH)
		return 0;
	for (i = a->most; i >= a->least; i -= by)
		if ((now = p_value(l, a, rho, i, slack)) > p) {
			p = now;
			*n = i;
		}
	return p;
}

#define STEPS	60
#define ROUNDS	8	/* the worst number changes fewer times */
#define NEAR	0x1p-10	/* precision, as a part of the distance from the estimate */

/*
 * The least rho up to hi with P no less than `want', for n events: regula falsi (Illinois) on
 * sqrt(-2 log P), which is nearly straight, with a bisection now and then.
 */
static double
lower_of(const struct dp_sampling_law *l, const struct seen *a, double hi, double want, double n,
    double slack)
{
	const double centre = hi, to = sqrt(-2 * log(want));
	double lo = 0, flo, fhi, mid, f, p;
	unsigned i;
	int last = 0;

	if ((p = p_value(l, a, 0, n, slack)) >= want)
		return 0;
	flo = sqrt(-2 * log(fmax(p, DBL_MIN))) - to;
	p = p_value(l, a, hi, n, slack);
	fhi = sqrt(-2 * log(fmax(p, want))) - to;
	for (i = 0; i < STEPS && hi - lo > NEAR * (centre - lo); i++) {
		mid = i % 4 == 3 ? (lo + hi) / 2 : (lo * fhi - hi * flo) / (fhi - flo);
		mid = mid > lo && mid < hi ? mid : (lo + hi) / 2;
		p = p_value(l, a, mid, n, slack);
		f = sqrt(-2 * log(fmax(p, DBL_MIN))) - to;
		if (p < want) {
			lo = mid;
			flo = f;
			fhi /= last == 1 ? 2 : 1;
			last = 1;
		} else {
			hi = mid;
			fhi = f;
			flo /= last == 2 ? 2 : 1;
			last = 2;
		}
	}
	return lo;
}

/* The lower end: each rho below it is rejected. */
static double
lower(const struct dp_sampling_law *l, const struct seen *a, double half)
{
	const double want = half - beyond(l->gamma, ATOMS - 1) / 2;
	struct seen at = *a;
	double rho, n = a->most;
	unsigned i;

	if (a->sum > a->all && p_value(l, a, 1, n, 0) < want)	/* nothing would be kept */
		at.sum = a->all;
	rho = lower_of(l, &at, fmin(at.sum / at.all, 1), want, n, 0);
	for (i = 0; i < ROUNDS && rho > 0 && worst_number(l, &at, rho, &n) >= want; i++)
		rho = lower_of(l, &at, rho, want, n, 0);
	return rho;
}

/* False: the numbers show no events, or nothing bounds N. */
static bool
see(struct seen *a, const struct dp_sampling_law *l, const double *b)
{
	unsigned i;

	*a = (struct seen){ .all = 0 };
	for (i = 0; i < l->n; i++) {
		a->b[i] = b[i] / l->unit;
		a->all += a->b[i];
		a->sum += dp_mean_part(i, l->n) * a->b[i];
	}
	a->most = l->whole ? floor(a->all + l->all) : ceil(a->all + l->all);
	a->least = fmax(l->whole ? ceil(a->all - l->all) : floor(a->all - l->all), 1);
	return a->all > 0 && a->most >= 1 && !isinf(l->all);
}

double
dp_sampling_tail(const struct dp_sampling_law *l, const double *b, double rho, double n)
{
	struct seen a;

	(void)see(&a, l, b);
	return fmin(p_value(l, &a, rho, n, 0) + beyond(l->gamma, ATOMS - 1) / 2, 1);
}

void
dp_sampling_hull(const struct dp_sampling_law *l, const double *b, double end[2])
{
	const double half = l->gamma * (1 - FOR_N - (l->shares ? 0 : FOR_NOISE / 2)) / 2;
	struct seen a, other;
	unsigned i;

	end[0] = 0;
	end[1] = 1;
	if (!see(&a, l, b))
		return;
	other = a;
	other.sum = a.all - a.sum;
	for (i = 0; i < l->n; i++)
		other.b[i] = a.b[l->n - 1 - i];
	end[0] = lower(l, &a, half);
	end[1] = 1 - lower(l, &other, half);
}
