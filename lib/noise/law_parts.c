/*
 * law_parts.c - bounds of laws with parts: by inversion of the characteristic function where all
 * know it, else by the variance alone.
 *
 * The inversion is that of law_invert.c.  On a lattice all points of a period give P(|X| > y)
 * exactly half way between its numbers.  Where these are grains of several units the law is one of
 * nearly X's form: the tail between them is found by interpolation of its logarithm, and drawn out
 * by as much as the variance is off, with a little of gamma for what is off besides: measured, not
 * proved (t_normtree_bounds.c).
 *
 * No lattice: P(|X + U| > w), U uniform on a width of one.
 *
 * Terms left out count against us: measured().  Where that is beyond what doubles tell, or what
 * a lattice's points tell of a law of reals, a tail goes on from rarer to rarer as it did before:
 * beyond_far().
 *
 * By the variance: the worst that a symmetric log-concave law can have, one unit more.  That a norm
 * tree's law is log-concave is measured, not proved (t_normtree_wave.c: so it is wherever a value
 * has a probability above 10^-14); the unit is for what that leaves open.  The inversion needs it
 * for nothing but what it leaves out, some 10^-3 of gamma.
 */
#include <math.h>
#include <string.h>

#include "law.h"

/*
 * Of symmetric log-concave laws of variance 1 the one with the largest P(|x| > y) is uniform, or
 * exp(-|x|) cut off somewhere (Fradelizi, Guedon 2004: what is extreme with two moments given has
 * one piece): at y = 0, 1/4, .. these, found by trying; from 5 on the whole of exp(-|x|) is within
 * 10^-4 of it.  The largest is convex in y up to there, so it is below the chords.
 */
static const double heaviest[] = { 1, .85567, .71133, .56699, .42266, .27832, .16234, .10106,
    .06575, .04403, .03005, .02077, .01446, .01012, .0071, .00498, .0035, .00246, .00173, .00122,
    .00085 };
#define HEAVIEST	(sizeof heaviest / sizeof heaviest[0] - 1)

double
dp_law_widest_tail(double y)
{
	const double i = floor(4 * y), *h = heaviest + (size_t)fmin(i, HEAVIEST - 1);

	if (i >= HEAVIEST)
		return heaviest[HEAVIEST] * exp(-M_SQRT2 * (y - HEAVIEST / 4.));
	return h[0] + (4 * y - i) * (h[1] - h[0]);
}

double
dp_law_widest(double gamma)
{
	const double *h = heaviest;

	if (gamma < heaviest[HEAVIEST])
		return HEAVIEST / 4. + log(heaviest[HEAVIEST] / gamma) * M_SQRT1_2;
	while (h[1] > gamma)
		h++;
	return ((double)(h - heaviest) + (h[0] - gamma) / (h[0] - h[1])) / 4;
}

#define ROUNDED	1e-13	/* what doubles may hide of a probability */
#define NEAR	1e-6		/* a tail that is known, and a rare one, for what is rarer */
#define FAR	1e-11
#define FAR_REAL	1e-8	/* and of a law on a lattice whose numbers are not whole */
#define SMALL	0x1p-28		/* the rarest of the points of a tail, */
#define STRIDE	0.25		/* and how far they are apart without grains, standard deviations */
#define ENOUGH	20	/* what is not known is so small a part of gamma */
#define ROUGH	0x1p-8	/* and so much of gamma is for a law of nearly equal form; */
#define CLOSE	1e-5	/* a step of Newton's so short is the last */
#define WINDOW	6	/* tails that a cubic is made of */
#define ABREAST	4	/* numbers of a dp_four */
#define LEFT	3	/* a tail is asked for at no y below -LEFT */
#define TAILS	6	/* more where -log(gamma) is larger: so much farther out that shows */

/*
 * The standard deviation of a law on the reals that falls no faster: on whole numbers the one that
 * falls by e^-a a unit has the variance 1 / (2 sinh^2(a/2)), on the reals 2 / a^2, which is more.
 */
double
dp_law_spread(double variance)
{
	return M_SQRT1_2 / asinh(1 / sqrt(2 * variance));
}

/* The characteristic function, as it is, at points that the last part chooses; 0 after them. */
static bool
ask(const struct dp_law *l, double gamma, struct dp_law_wave *v)
{
	unsigned i;

	v->gamma = gamma;
	v->sigma = sqrt(dp_law_variance(l));
	v->step = v->grain = v->variance = v->n = 0;
	v->off = ROUNDED;
	for (i = l->parts; i-- > 0;)
		if (l->part[i].waves == NULL || !l->part[i].waves(&l->part[i], v))
			return false;
	for (i = v->n; i % ABREAST != 0; i++)
		v->phi[i] = 0;
	return l->terms + l->flips == 0;
}

/*
 * Largest value to measure of a tail at y that is to be gamma.  What lies beyond the period less y
 * is wrapped around, and missing from the inversion, c: no more than the widest law has there; and
 * with F(y) = P(|X| > y), which is log-concave, F(r y) <= F(y)^r, so F(y) <= c + F(y)^r for r =
 * period / y - 1, and F(y) is less than the widest law has.
 */
static double
measured(double gamma, double period, double y, double deviation)
{
	const double r = period / y - 1, most = dp_law_widest_tail(y / deviation);
	const double c = dp_law_widest_tail((period - y) / deviation);

	return r <= 1 ? 0 : fmax(gamma - c, gamma * (1 - pow(fmin(most, 1), r - 1)));
}

/* ---- on a lattice ---- */

/* A tail as the sum of the points times a row of weights: they depend on n and y alone. */
static void
set_row(struct dp_law_memo *memo, unsigned n, int y, double *row)
{
	const double angle = (y + .5) * M_PI / n, twice = 2 * cos(angle);
	double sin0 = sin(angle), sin1 = 0, next;
	unsigned k;

	for (k = 0; k < n; k++) {
		row[k] = memo->weight[k] * sin0;
		next = twice * sin0 - sin1;
		sin1 = sin0;
		sin0 = next;
	}
	for (; k % ABREAST != 0; k++)
		row[k] = 0;
}

/* The rows of `some' y from the first on; it is at least -LEFT. */
static void
find_rows(struct dp_law_memo *memo, unsigned n, int first, unsigned some, const double **row)
{
	unsigned i, k, at;

	if (memo->n != n) {
		memset(memo->of, 0, sizeof memo->of);
		for (k = 1; k <= n; k++)
			memo->weight[k - 1] = 1 / (2 * sin(k * M_PI / 2 / n) * (k == n ? 2 : 1));
		memo->n = n;
	}
	for (i = 0; i < some; i++) {
		k = (unsigned)(first + LEFT) + i;
		at = k % DP_LAW_ROWS;
		if (memo->of[at] != k + 1)
			set_row(memo, n, (int)k - LEFT, memo->row[at]);
		memo->of[at] = k + 1;
		row[i] = memo->row[at];
	}
}

/* The sum of each row's products with the points. */
DP_VECTORS static void
add_up(const double *const *row, unsigned rows, const double *phi, unsigned n, double *to)
{
	unsigned i, k;
	dp_four sum;

	for (i = 0; i < rows; i++) {
		sum = (dp_four){ 0 };
		for (k = 0; k < n; k += ABREAST)
			sum += *(const dp_four *)(row[i] + k) * *(const dp_four *)(phi + k);
		to[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
	}
}

/*
 * P(|X| > y + 1/2), y whole, in grains, of `some' y from the first on; below 0 what |X| does not
 * reach counts again.
 */
static void
tails(struct dp_law_memo *memo, const struct dp_law_wave *v, double first, unsigned some,
    double *to)
{
	const double *row[WINDOW], by = 2. / v->n;
	unsigned i;
	double p;

	find_rows(memo, v->n, (int)first, some, row);
	add_up(row, some, v->phi, v->n, to);
	for (i = 0; i < some; i++) {
		p = 1 - by * ((first + i + .5) / 2 + to[i]);
		to[i] = p < 0 ? 0 : p;
	}
}

static double
tail(struct dp_law_memo *memo, const struct dp_law_wave *v, double y)
{
	double p;

	tails(memo, v, y, 1, &p);
	return p;
}

/*
 * The least y >= 0, whole, with at most gamma, near a guess; and the tails at y - 3, .., y + 2.
 */
static double
least(struct dp_law_memo *memo, const struct dp_law_wave *v, double guess, double gamma,
    double *at)
{
	const double end = v->n;
	double y = guess > 0 ? fmin(floor(guess), end) : 0;

	tails(memo, v, y - LEFT, WINDOW, at);
	while (y < end && at[3] > gamma) {
		memmove(at, at + 1, (WINDOW - 1) * sizeof *at);
		at[WINDOW - 1] = tail(memo, v, ++y + 2);
	}
	while (y > 0 && at[2] <= gamma) {
		memmove(at + 1, at, (WINDOW - 1) * sizeof *at);
		at[0] = tail(memo, v, --y - LEFT);
	}
	return y;
}

/* The logarithm of a tail of reals, a cubic between its values at from - 1/2, .., from + 5/2. */
struct cubic {
	double from, c[4];	/* of x - from - 1/2 */
};

/*
 * The tail near y of a law of reals that has the lattice's points: where it falls by e^-a a grain
 * that of the lattice is a / (2 sinh(a/2)) of it, half way between two grains.
 */
static void
set_cubic(struct cubic *c, double y, const double *at)
{
	double raw[WINDOW], f[4], a;
	int i;

	for (i = 0; i < WINDOW; i++)
		raw[i] = log(at[i] > ROUNDED ? at[i] : ROUNDED);
	for (i = 0; i < 4; i++) {
		a = (raw[i] - raw[i + 2]) / 2;
		f[i] = raw[i + 1] + a * a / 24;
	}
	c->from = y - 1;
	c->c[0] = f[1];
	c->c[2] = (f[0] - 2 * f[1] + f[2]) / 2;
	c->c[3] = (f[3] - 3 * f[2] + 3 * f[1] - f[0]) / 6;
	c->c[1] = f[2] - f[1] - c->c[2] - c->c[3];
}

/* Place where it is log(gamma): Newton's steps from `near' on. */
static double
solve(const struct cubic *q, double gamma, double near)
{
	const double *c = q->c, to = c[0] - log(gamma);
	double x = near - q->from - .5, by = 1;
	unsigned i;

	for (i = 0; i < 5 && fabs(by) > CLOSE; i++) {
		by = (to + x * (c[1] + x * (c[2] + x * c[3]))) / (c[1] + x * (2 * c[2] +
		    3 * x * c[3]));
		x -= by;
	}
	return q->from + .5 + x;
}

/* Of a law that is known in grains; spread: its dp_law_spread(). */
static double
rough_bound(const struct dp_law *l, struct dp_law_memo *memo, const struct dp_law_wave *v,
    double spread, double gamma)
{
	const double variance = dp_law_variance(l) + (l->between ? 1. / 12 : 0);
	const double scale = v->grain * sqrt(variance / v->variance), rare = -log(gamma);
	double at[WINDOW], y;
	struct cubic c;

	gamma *= 1 - ROUGH * fmax(fmin(rare, 1), rare / TAILS);
	y = least(memo, v, memo->guess / scale, gamma, at);
	if (y + 3 > v->n)
		return NAN;
	set_cubic(&c, y, at);
	y = solve(&c, gamma, y);
	gamma = measured(gamma, 2. * v->n, y, (l->between ? dp_law_spread(variance) : spread) /
	    scale);
	if (!(gamma > 0))
		return NAN;
	y = solve(&c, gamma, y) * scale;
	return ceil(l->between ? y : y - .5);
}

/* Of a law whose numbers are the lattice's.  No bound is 0. */
static double
exact_bound(const struct dp_law *l, struct dp_law_memo *memo, const struct dp_law_wave *v,
    double gamma)
{
	double at[WINDOW], w = fmax(least(memo, v, memo->guess, gamma, at), 1);

	gamma = measured(gamma, 2. * v->n, w + .5, dp_law_spread(v->variance));
	w = fmax(least(memo, v, w, gamma, at), 1);
	if (w >= v->n)	/* gamma is 0, or next to nothing */
		return NAN;
	return l->between && (tail(memo, v, w) + tail(memo, v, w - 1)) / 2 > gamma ? w + 1 : w;
}

static double
lattice_bound(const struct dp_law *l, struct dp_law_memo *memo, double spread, double gamma,
    const struct dp_law_wave *v)
{
	const bool whole = dp_law_whole(l);

	if (v->off > gamma / ENOUGH || (!whole && gamma < FAR_REAL))
		return NAN;
	gamma -= v->off;
	return v->grain > 1 || !whole ? rough_bound(l, memo, v, spread, gamma) :
	    exact_bound(l, memo, v, gamma);
}

/* ---- no lattice ---- */

static void
weigh(struct dp_law_wave *v)
{
	unsigned i;

	for (i = 1; i <= v->n; i++)
		v->phi[i - 1] *= dp_law_wave_weight(v->step, i);
}

/* Points beyond the last weigh less than it does, times their number before it. */
static double
beyond(const struct dp_law_wave *v)
{
	return 2 / M_PI * v->step * v->n * fabs(v->phi[v->n - 1]);
}

/*
 * Points that are enough for gamma: else those of X + Z, Z Gaussian and so wide that next to
 * nothing is beyond the last one: as X + U is symmetric and unimodal, |X + U + Z| > y is no less
 * probable than |X + U| > y (Anderson 1955).
 */
static bool
smooth(struct dp_law_wave *v, double gamma)
{
	const double end = v->n * v->step;
	unsigned i;
	double z;

	weigh(v);
	z = 2 * log(fmax(2 * ENOUGH * (beyond(v) + v->off) / gamma, 1)) / (end * end);
	for (i = 1; i <= v->n && z > 0; i++)
		v->phi[i - 1] *= exp(-z * (i * v->step) * (i * v->step) / 2);
	v->off += beyond(v);
	v->variance += z;
	return v->off < gamma / ENOUGH;
}

/* True: P(|X + U| > w) <= gamma. */
static bool
holds(const struct dp_law_wave *v, double w, double gamma)
{
	return w > 0 && dp_law_wave_tail(v->phi, v->n, v->step, w) + v->off <= measured(gamma,
	    2 * M_PI / v->step, w, dp_law_spread(v->variance));
}

static double
other_bound(const struct dp_law *l, double guess, double gamma, struct dp_law_wave *v)
{
	const double variance = dp_law_variance(l);
	double lo = -1, hi, mid = guess, by = 1;

	v->step *= sqrt(v->variance / variance);
	v->variance = variance;
	hi = floor(2 * M_PI / v->step / 2.2);
	if (!smooth(v, gamma) || !holds(v, hi, gamma))
		return NAN;
	for (; hi - lo > fmax(1, ldexp(hi, -50)); by *= 2) {	/* whole numbers, or doubles */
		if (!(mid > lo && mid < hi))
			mid = floor((lo + hi) / 2);
		if (holds(v, mid, gamma)) {
			hi = mid;
			mid -= by;
		} else {
			lo = mid;
			mid += by;
		}
	}
	return hi;
}

/* ---- */

double
dp_law_parts_tail(const struct dp_law *l, double x)
{
	return x <= 1 ? 1 : dp_law_widest_tail((x - 1) / dp_law_spread(dp_law_variance(l)));
}

static double
wide_bound(double spread, double gamma)
{
	return ceil(spread * dp_law_widest(gamma) + 1) - 1;
}

double
dp_law_parts_wide(const struct dp_law *l, double gamma)
{
	return wide_bound(dp_law_spread(dp_law_variance(l)), gamma);
}

static double
inverted(const struct dp_law *l, struct dp_law_memo *memo, double spread, double gamma,
    bool *memory)
{
	struct dp_law_wave v;
	const bool known = ask(l, gamma, &v);

	*memory = *memory && !isnan(v.step);
	return !known ? NAN : v.grain > 0 ? lattice_bound(l, memo, spread, gamma, &v) :
	    other_bound(l, memo->guess, gamma, &v);
}

/*
 * From where a tail is `rare' on by the line through where it is NEAR, as its logarithm is concave:
 * a NEAR that is taken for nearer than it is, as bounds are a little too wide, makes that farther;
 * and so does a look for NEAR from below and for the other from above, where what hides a tail may
 * be as large as it is.
 */
static double
beyond_far(const struct dp_law *l, struct dp_law_memo *memo, double spread, double gamma,
    double rare, bool *memory)
{
	double near, far;

	memo->guess = 0;
	near = .98 * inverted(l, memo, spread, NEAR, memory) - 1;
	memo->guess = wide_bound(spread, rare);
	far = inverted(l, memo, spread, rare, memory);
	return ceil(far + (far - near) * log(rare / gamma) / log(NEAR / rare));
}

double
dp_law_parts_bound(const struct dp_law *l, double gamma)
{
	const double spread = dp_law_spread(dp_law_variance(l)), wide = wide_bound(spread, gamma);
	struct dp_law_memo own, *memo = l->memo;
	bool memory = true;
	double w;

	if (memo == NULL) {
		dp_law_memo_clear(&own);
		memo = &own;
	}
	w = inverted(l, memo, spread, gamma, &memory);
	if (isnan(w) && memory && gamma < FAR)
		w = beyond_far(l, memo, spread, gamma, FAR, &memory);
	if (isnan(w) && memory && gamma < FAR_REAL)
		w = beyond_far(l, memo, spread, gamma, FAR_REAL, &memory);
	if (!memory)
		return NAN;
	return memo->guess = isnan(w) ? wide : fmin(w, wide);
}

/*
 * In grains, or in pieces of a standard deviation.  Of a law of reals that is known in grains the
 * tail is that of set_cubic().
 */
bool
dp_law_tails(struct dp_law_tails *t, const struct dp_law *l)
{
	const double variance = dp_law_variance(l), sd = sqrt(variance);
	double unit = STRIDE * sd, one = unit, p, x, y, a;
	struct dp_law_memo memo;
	struct dp_law_wave v;

	*t = (struct dp_law_tails){ .left = { log(0.5) } };
	if (!ask(l, SMALL, &v))
		return !isnan(v.step);
	dp_law_memo_clear(&memo);
	if (v.grain > 0) {
		v.step = M_PI / v.n;
		one = 1;
		unit = v.grain * sqrt(variance / v.variance);
	} else {
		v.step *= sqrt(v.variance / variance);
		(void)smooth(&v, SMALL);
	}
	for (y = .5; t->n + 1 < DP_LAW_TAILS && y * one * v.step < M_PI; y++) {
		p = v.off + (v.grain > 0 ? tail(&memo, &v, y - .5) :
		    dp_law_wave_tail(v.phi, v.n, v.step, y * one));
		if (!(p > SMALL && p > 4 * v.off))
			break;
		x = y * unit / sd;
		t->x[++t->n] = x;
		t->left[t->n] = log(p / 2) + x * x / 2;
		if (v.grain > 1 || (v.grain > 0 && !dp_law_whole(l))) {
			a = log(tail(&memo, &v, y - 1.5) / p);
			t->left[t->n] += a * a / 24;
		}
	}
	return true;
}
