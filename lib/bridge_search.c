/*
 * bridge_search.c - which radices and budgets.
 *
 * A level with share e_l and mean coefficient c_l adds (2 l1^2/epsilon^2) c_l / e_l^2 to the mean variance; under
 * sum e_l = 1 the best e_l is proportional to c_l^(1/3) (Gauss: c_l / e_l, so c_l^(1/2)).  Every non-increasing
 * row of radices is tried; the one with the least predicted root-mean-square error, worst step plus
 * mean, wins.  Rounding here can only cost accuracy: privacy needs sum e_l <= 1, which dp_privacy_split() keeps.
 */
#include <math.h>

#include "bridge.h"

#define TOP_MOST	80	/* nodes in the top row */

struct search {
	uint64_t T;
	bool gauss;
	struct dp_bridge_shape cur, best;
	double least;
	double inner[64][DP_BRIDGE_RADIX + 1], top[64];	/* level sums met; 0: not yet */
};

/* sum of (x/B)^2 over x < n */
static double
squares(double n, double B)
{
	return (n - 1) * n * (2 * n - 1) / (6 * B * B);
}

/* sum of r + f^2 over the first n places of a row of nodes of B */
static double
row_sum(double n, double B)
{
	double q = floor(n / B), rest = n - q * B;

	return q * (q - 1) / 2 * B + q * squares(B, B) + q * rest + squares(rest, B);
}

double
dp_bridge_level_sum(const struct dp_bridge_shape *s, unsigned l, uint64_t T)
{
	double B = ldexp(1, (int)s->log2b[l]), n = (double)T + 1, k, period, q, rest;

	if (l == s->h - 1)
		return row_sum(n, B);
	k = ldexp(1, (int)s->log2k[l]);
	period = k * B;
	q = floor(n / period);
	rest = n - q * period;
	return q * (row_sum(period, B) - squares(period, B) / k) +
	    row_sum(rest, B) - squares(rest, B) / k;
}

/* dp_bridge_level_sum() of the shape at hand: it depends on where the level stands and its radix alone. */
static double
level_sum(struct search *q, const struct dp_bridge_shape *s, unsigned l)
{
	double *seen = l == s->h - 1 ? &q->top[s->log2b[l]] : &q->inner[s->log2b[l]][s->log2k[l]];

	if (*seen == 0)
		*seen = dp_bridge_level_sum(s, l, q->T);
	return *seen;
}

/* weight[l] = the share level l should get, unscaled; equal radices share one, and so a noise table */
static void
weigh(struct search *q, const struct dp_bridge_shape *s, double *weight)
{
	double c;
	unsigned l;

	for (l = 0; l < s->h; l++) {
		if (l >= 2 && l < s->h - 1 && s->log2k[l] == s->log2k[l - 1]) {
			weight[l] = weight[l - 1];
			continue;
		}
		c = level_sum(q, s, l) / (double)q->T;
		weight[l] = q->gauss ? sqrt(c) : cbrt(c);
	}
}

/* Predicted error in units of l1/epsilon (Gauss: of sigma), with the worst step bounded level by level. */
static double
score(struct search *q, const struct dp_bridge_shape *s, const double *weight)
{
	double sum = 0, max = 0, mean = 0, v, top;
	unsigned l;

	for (l = 0; l < s->h; l++)
		sum += weight[l];
	for (l = 0; l < s->h; l++) {
		v = q->gauss ? sum / weight[l] : 2 * sum * sum / (weight[l] * weight[l]);
		top = ceil(ldexp((double)q->T, -(int)s->log2b[l]));
		mean += v * level_sum(q, s, l) / (double)q->T;
		max += v * (l < s->h - 1 ? ldexp(1, (int)s->log2k[l]) / 4 : top);
	}
	/* The levels' worst steps do not meet when the top row ends at T. */
	return sqrt(mean) + sqrt(max < 2 * mean ? max : 2 * mean);
}

static void
grow(struct search *q, unsigned widest)
{
	struct dp_bridge_shape *s = &q->cur;
	double weight[DP_BRIDGE_LEVELS], v;
	unsigned l = s->h - 1, k;

	if (q->T >> s->log2b[l] <= TOP_MOST) {
		weigh(q, s, weight);
		if ((v = score(q, s, weight)) < q->least) {
			q->least = v;
			q->best = *s;
			dp_privacy_split(q->best.share, weight, s->h);
		}
	}
	if ((uint64_t)1 << s->log2b[l] >= q->T || s->h == DP_BRIDGE_LEVELS - 1)
		return;
	for (k = widest; k >= 1; k--) {
		s->log2k[l] = k;
		s->log2b[l + 1] = s->log2b[l] + k;
		s->h = l + 2;
		grow(q, k);
	}
	s->h = l + 1;
}

int
dp_bridge_search(struct dp_bridge_shape *out, uint64_t T, bool gauss)
{
	struct search q = { .T = T, .gauss = gauss, .least = INFINITY };

	if (T < 1 || T > (uint64_t)1 << 50)
		return DP_EINVAL;
	q.cur.h = 1;
	grow(&q, DP_BRIDGE_RADIX);
	*out = q.best;
	return 0;
}

void
dp_bridge_segment(struct dp_bridge_shape *s, unsigned j, bool gauss)
{
	double weight[DP_BRIDGE_LEVELS];
	struct search q = { .gauss = gauss };
	unsigned l;

	s->h = j + 3;
	s->log2b[0] = 0;
	for (l = 0; l < s->h - 1; l++) {
		s->log2k[l] = 4;
		s->log2b[l + 1] = 4 * (l + 1);
	}
	q.T = (uint64_t)1 << s->log2b[s->h - 1];
	weigh(&q, s, weight);
	weight[s->h - 1] = 1;	/* the root's noise stays in the total: coefficient 1 */
	dp_privacy_split(s->share, weight, s->h);
}
