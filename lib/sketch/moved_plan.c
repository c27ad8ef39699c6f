/* moved_plan.c - how often moved.c looks, how many steps it has, and how the budget is divided. */
#include <math.h>

#include "moved.h"

#define GAMMA	.05		/* the bound is the least that all answers keep but with this */
#define FEWEST	3		/* looks: of less an error is the noise of one */
#define FINEST	.05		/* of the search */

/* A point of the search, by logarithms: K; odds of memory's part; odds of theta's. */
enum { STEPS, MEMORY, THETA, AXES };

uint64_t
dp_moved_charge(const struct dp_moved *k, bool theta)
{
	const uint64_t one = (uint64_t)1 << k->choice.low;
	const uint64_t U = one < k->looks ? one : k->looks;
	const uint64_t C = k->choice.steps < k->looks - U ? k->choice.steps : k->looks - U;

	return theta ? k->levels : 2 * C + U;
}

double
dp_moved_lag(const struct dp_moved *k)
{
	return k->choice.every == 1 ? 0 : (double)(k->choice.every - 1) * k->lines;
}

static unsigned
top_of(const struct dp_moved *k)
{
	return dp_ceil_log2(k->looks);
}

void
dp_moved_layout(struct dp_moved *k)
{
	k->looks = k->answers / k->choice.every;
	k->levels = k->choice.low < top_of(k) ? top_of(k) - k->choice.low : 0;
}

struct sum {
	double theta, levels, c;	/* scales */
	double bits;			/* variance */
	double log;			/* ln(2 N/GAMMA) */
};

/* Chernoff's bound for the quantile of c - theta + Y - E Y, by s; bits as if normal. */
static double
chernoff(const struct sum *z, double s)
{
	const double h = z->theta * s, c = z->c * s;

	return (z->log + z->bits * s * s / 2 - z->levels * log1p(-h * h) - log1p(-c * c)) / s;
}

/* Its least, by golden section over ln s. */
static double
quantile(const struct sum *z)
{
	const double g = 0.6180339887498949, end = 1 / fmax(z->theta, z->c);
	double lo = -9, hi = -1e-4, x, y;
	int i;

	for (i = 0; i < 24; i++) {
		x = hi - g * (hi - lo);
		y = lo + g * (hi - lo);
		if (chernoff(z, end * exp(x)) < chernoff(z, end * exp(y)))
			hi = y;
		else
			lo = x;
	}
	return chernoff(z, end * exp((lo + hi) / 2));
}

/* Error of an answer, in identifiers, for such steps and noise. */
static double
off_by(const struct dp_moved *k, double eps1, double steps, struct sum *z)
{
	const double gap = tanh(eps1 / 2), p = 1 / (1 + exp(eps1));
	const double half = (k->most + steps * dp_moved_lag(k)) / (steps + 1) / 2;

	z->bits = (double)k->mem.s.universe * p * (1 - p);
	z->log = log(2 * (double)k->looks / GAMMA);
	return half + quantile(z) / gap;
}

double
dp_moved_off(const void *arg, double eps1, double noise)
{
	const struct dp_moved *k = arg;
	struct sum z = { .c = sqrt(noise / 2) };
	const double off = off_by(k, eps1, tanh(eps1 / 2) * k->most, &z);

	return off * off;
}

static double
odds(double x)
{
	return 1 / (1 + exp(-x));
}

/* At a point of the search; leaves choice as it is there. */
static double
at(struct dp_moved *k, const double x[static AXES], double epsilon)
{
	const double eps1 = odds(x[MEMORY]) * epsilon, rest = epsilon - eps1;
	const double part = odds(x[THETA]), p = 1 / (1 + exp(eps1));
	struct sum z = { .levels = k->levels };

	k->choice.steps = (uint64_t)fmax(1, fmin(round(exp(x[STEPS])), (double)k->looks));
	k->choice.part = (uint64_t)((double)DP_MOVED_WHOLE * odds(x[MEMORY]));
	k->choice.theta = (uint64_t)((double)DP_MOVED_WHOLE * part);
	if (k->levels == 0) {		/* bits.h, AGAIN */
		z.c = (double)k->looks / (rest + log1p(-p * exp(-rest)) - log1p(-p));
		return off_by(k, eps1, tanh(eps1 / 2) * k->most, &z);
	}
	z.theta = (double)dp_moved_charge(k, true) / (rest * part);
	z.c = (double)dp_moved_charge(k, false) / (rest * (1 - part));
	return off_by(k, eps1, (double)k->choice.steps, &z);
}

/* The least about there, by steps along the axes that grow finer; *best: it, and its choice. */
static double
descend(struct dp_moved *k, double epsilon, struct dp_moved_choice *best)
{
	double x[AXES] = { [STEPS] = log(8) }, step, least = at(k, x, epsilon), off, was;
	bool found;
	int i;

	*best = k->choice;
	for (step = 1; step > FINEST; step /= found ? 1 : 2) {
		for (found = false, i = 0; i < 2 * AXES; i++) {
			was = x[i / 2];
			x[i / 2] = fmin(14, fmax(-9, was + (i % 2 ? step : -step)));
			if ((off = at(k, x, epsilon)) < least) {
				least = off;
				*best = k->choice;
				found = true;
			} else
				x[i / 2] = was;
		}
	}
	return least;
}

void
dp_moved_choose(struct dp_moved *k, double epsilon)
{
	struct dp_moved_choice best = { 0 }, found;
	double least = INFINITY, off;
	unsigned low;

	for (k->choice.every = 1; k->choice.every * FEWEST <= k->answers &&
	    dp_moved_lag(k) < k->most; k->choice.every *= 2) {
		k->looks = k->answers / k->choice.every;
		for (low = 0; low <= top_of(k); low++) {
			if (low > DP_MOVED_DEEPEST && low != top_of(k))
				continue;
			k->choice.low = low;
			dp_moved_layout(k);
			if ((off = descend(k, epsilon, &found)) < least) {
				least = off;
				best = found;
			}
		}
	}
	k->choice = best;
	dp_moved_layout(k);
}
