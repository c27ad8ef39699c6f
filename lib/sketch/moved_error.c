/*
 * moved_error.c - the mean square of moved.c's error, of the input that is worst for it.
 *
 * A level never falls: an answer has the highest noise of all looks since D was what it is, and the
 * longer D stands still the higher that is.  So let D = d from as early as lines allow, and then be
 * those d identifiers seen again and again, so that their bits are new; the other m - d bits are
 * what they began as.  Then
 *	max v - gap d = max over n looks of (c - theta + Y1) + Y2,
 * with Y1 and Y2 what the ones among d and among m - d bits are off their means, Y1 as new after
 * each 2^a looks, in which d identifiers can be seen.  Its law is computed: F, the distribution
 * function of the maximum of a stretch of 2^i looks, becomes that of 2^(i+1) by a square, and has a
 * convolution with each noise that is the stretch's own.  What is predicted is the largest mean
 * square of 9 values of d from 0 to M, as far as lines let D stand still there for most of the
 * looks, at 17 places of a step each.
 *
 * Downwards no input is farther off: where D has just risen to d one look's noise counts, which is
 * symmetric, and the highest of n has a mean square that is no less.  That is not proved where M
 * cuts what is printed; law/s_moved.c has numbers that rise.
 */
#include <math.h>
#include <string.h>

#include "moved.h"

#define POINTS	512			/* of a distribution function */
#define VALUES	8			/* of d, besides 0 */
#define PLACES	16			/* of d between two steps */
#define NORMAL	5			/* standard deviations of bits' law */
#define TAIL	10			/* and so much beyond, of few */

struct grid {
	double h;			/* between its points, the middle one 0 */
	double full[POINTS], part[POINTS];
};

/* An input: d identifiers, that come again; n looks at them; those of 2^renewed in between. */
struct input {
	double d;
	uint64_t looks;
	unsigned renewed;
};

/* Adds a discrete Laplace variable of that variance: geometric on the grid. */
static void
laplace(const struct grid *g, double F[static POINTS], double variance)
{
	const double q = exp(-2 * asinh(g->h / sqrt(2 * variance)));
	double right[POINTS], left = 0;
	int i;

	right[POINTS - 1] = q / (1 - q);
	for (i = POINTS - 1; i-- > 0; )
		right[i] = q * (F[i + 1] + right[i + 1]);
	for (i = 0; i < POINTS; i++) {
		left = F[i] + q * left;
		F[i] = (left + right[i]) * (1 - q) / (1 + q);
	}
}

/* Adds a variable that is j points, -below <= j <= above, with weight w[j]. */
static void
convolve(double F[static POINTS], const double *w, int below, int above)
{
	double was[POINTS], sum = 0;
	int i, j;

	memcpy(was, F, sizeof was);
	memset(F, 0, POINTS * sizeof *F);
	for (j = -below; j <= above; j++) {
		sum += w[j];
		for (i = 0; i < POINTS; i++)
			F[i] += w[j] * (i < j ? 0 : i - j < POINTS ? was[i - j] : 1);
	}
	for (i = 0; i < POINTS; i++)
		F[i] /= sum;
}

/* Adds the ones among n bits, less their mean rounded; on a grid above 1 as if normal. */
static void
ones(const struct grid *g, double F[static POINTS], double n, double p)
{
	const double sd = sqrt(n * p * (1 - p)), mode = rint(n * p);
	const int reach = (int)fmin(POINTS / 2, ceil(NORMAL * sd / g->h) + (g->h > 1 ? 0 : TAIL));
	double weight[POINTS + 1], *w = weight + POINTS / 2, k;
	int j;

	w[0] = 1;
	for (j = 1; j <= reach; j++) {
		k = mode + j;
		w[j] = g->h > 1 ? exp(-pow(j * g->h / sd, 2) / 2) :
		    k > n ? 0 : w[j - 1] * (n - k + 1) / k * p / (1 - p);
		k = mode - j;
		w[-j] = g->h > 1 ? w[j] : k < 0 ? 0 : w[1 - j] * (k + 1) / (n - k) * (1 - p) / p;
	}
	convolve(F, w, reach, reach);
}

static void
times(double F[static POINTS], const double by[static POINTS])
{
	int i;

	for (i = 0; i < POINTS; i++)
		F[i] *= by[i];
}

/* What is drawn, or new, for a stretch of 2^i looks. */
static void
stretch_noise(const struct dp_moved *k, const struct input *in, unsigned i,
    const struct grid *g, double F[static POINTS])
{
	const double p = k->odds.p;

	if (i == in->renewed)
		ones(g, F, in->d, 1 - p);
	if (i >= k->choice.low && i < k->choice.low + k->levels)
		laplace(g, F, dp_noise_variance(&k->theta));
}

/* The law of v - gap d, in g->part: of the looks of the last stretch of 2^i, which is not over. */
static void
highest(const struct dp_moved *k, const struct input *in, struct grid *g)
{
	const unsigned top = k->choice.low + k->levels;
	const double p = k->odds.p, m = (double)k->mem.s.universe;
	bool any = false;
	unsigned i;

	for (i = 0; i < POINTS; i++)
		g->full[i] = i < POINTS / 2 ? 0 : 1;
	laplace(g, g->full, dp_noise_variance(&k->mem.output));
	for (i = 0; i <= top; i++) {
		stretch_noise(k, in, i, g, g->full);
		if (any)
			stretch_noise(k, in, i, g, g->part);
		if ((in->looks >> i & 1) != 0) {
			if (!any)
				memcpy(g->part, g->full, sizeof g->part);
			else
				times(g->part, g->full);
			any = true;
		}
		times(g->full, g->full);
	}
	if (in->renewed > top)
		ones(g, g->part, in->d, 1 - p);
	ones(g, g->part, m - in->d, p);
}

/* The mean square of what is printed less d, which is near the one that the law is of. */
static double
square(const struct dp_moved *k, const struct input *in, const struct grid *g, double d)
{
	const double p = k->odds.p, off = rint((1 - p) * in->d) +
	    rint(((double)k->mem.s.universe - in->d) * p) - (double)k->middle +
	    k->odds.gap * (d - in->d);
	double lo, hi, z, was = 0, sum = 0;
	int i;

	for (i = 0; i < POINTS; i++) {
		z = rint((i - POINTS / 2) * g->h + off);
		dp_moved_stretch(k, dp_moved_passed(k, (dp_wide)z), &lo, &hi);
		z = rint((lo + hi) / 2) - d;
		sum += ((i < POINTS - 1 ? g->part[i] : 1) - was) * z * z;
		was = g->part[i];
	}
	return sum;
}

static struct input
input_of(const struct dp_moved *k, double d)
{
	const double lines = k->lines * (double)k->choice.every, turns = ceil(d / lines);
	struct input in = { .d = d, .looks = k->looks };

	if (isinf(lines) || turns <= 1)
		return in;
	in.renewed = (unsigned)ilogb(turns);
	in.looks = turns <= (double)k->looks ? k->looks - (uint64_t)turns + 1 : 1;
	return in;
}

/* The largest of all places of d between two steps; *d: where that is. */
static double
worse(const struct dp_moved *k, const struct input *in, const struct grid *g, double *d)
{
	const double step = (double)k->step / k->odds.gap, from = floor(in->d / step) * step;
	double most = -1, x, at;
	unsigned i;

	for (i = 0; i <= PLACES; i++) {
		at = fmin(k->most, ceil(from + step * i / PLACES));
		if (i > 0 && input_of(k, at).looks < in->looks)
			break;
		if ((x = square(k, in, g, at)) > most) {
			most = x;
			*d = at;
		}
	}
	return most;
}

/* Of answers of 1 to N looks, from those of 2^i. */
static double
mean(const struct dp_moved *k, struct input in, struct grid *g)
{
	const uint64_t looks = in.looks;
	double hi = k->square, lo, sum = 0, d;
	uint64_t n;

	for (n = looks; n > 1; n /= 2, hi = lo) {
		in.looks = n / 2;
		highest(k, &in, g);
		lo = fmin(hi, worse(k, &in, g, &d));
		sum += (hi + lo) / 2 * (double)(n - n / 2);
	}
	return (sum + hi) / (double)looks;
}

void
dp_moved_error(struct dp_moved *k, double reach)
{
	struct input in, most = { 0 };
	struct grid g = { .h = fmax(1, ceil(2 * reach * k->odds.gap / POINTS)) };
	double x, d;
	unsigned i;

	k->square = -1;
	for (i = 0; i <= VALUES; i++) {
		in = input_of(k, floor(k->most * i / VALUES));
		if (2 * in.looks <= k->looks)
			break;
		highest(k, &in, &g);
		if ((x = worse(k, &in, &g, &d)) > k->square) {
			k->square = x;
			k->worst = d;
			most = in;
		}
	}
	k->mean = mean(k, most, &g);
}
