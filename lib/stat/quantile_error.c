/*
 * quantile_error.c - what the noise of a quantile's counters does (quantile.h): its law, its
 * predicted error, its interval, and how many events it takes to hide it.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "quantile.h"

/* Variances of the counters of both parts, in events. */
static void
variances(const struct dp_quantile *k, unsigned window, uint64_t t, double v[2])
{
	unsigned i;

	if (k->layout->know != NULL)
		k->layout->know(k);
	v[0] = v[1] = k->m.parts == 0;
	for (i = 0; i < k->m.parts; i++) {
		dp_mech_law(k->m.part[i].inner, window, t, k->law);
		v[i] = dp_law_variance(k->law);
	}
}

/* The largest variance of D(j), of all bins; *mean: what it is on average. */
static double
worst(const struct dp_quantile *k, const double *v, double q, double *mean)
{
	double most = 0, sum = 0, d;
	unsigned j;

	for (j = 1; j <= k->G; j++) {
		d = fmax(dp_quantile_variance(&k->noise, v, q, j), 0);
		most = fmax(most, d);
		sum += d;
	}
	*mean = sum / k->G;
	return most;
}

void
dp_quantile_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_quantile *k = (const void *)m;
	double v[2], mean;

	variances(k, out / k->asked->n, t, v);
	dp_law_part(l, &(struct dp_law_part){
	    .variance = worst(k, v, k->asked->q[out % k->asked->n], &mean) });
}

/* Of a law that is nowhere near its largest step the laws of all parts are those of one step. */
void
dp_quantile_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct dp_quantile *k = (const void *)m;
	struct dp_error part = { .max = 1, .mean = 1, .worst = 1 };
	double max[2] = { 1, 1 }, mean[2] = { 1, 1 }, over;
	unsigned i;

	if (k->layout->know != NULL)
		k->layout->know(k);
	for (i = 0; i < m->parts; i++) {
		dp_mech_error(m->part[i].inner, T, &part);
		max[i] = part.max;
		mean[i] = part.mean;
	}
	*e = part;
	for (e->max = e->mean = 0, i = 0; i < k->asked->n; i++) {
		e->max = fmax(e->max, worst(k, max, k->asked->q[i], &over));
		(void)worst(k, mean, k->asked->q[i], &over);
		e->mean += over / k->asked->n;
	}
}

/* Half-widths of D(j), which its noise passes with probability gamma / 2 at most. */
struct width {
	const struct dp_quantile *k;
	double v[2], q, widest, drift;
};

static double
width(const struct width *c, unsigned j)
{
	const double v = dp_quantile_variance(&c->k->noise, c->v, c->q, j);

	return v > 0 ? c->widest * dp_law_spread(v) + 1 + c->drift : c->drift;
}

/* The first and the last bin that are kept, and what the estimate is in. */
static void
keep(const struct width *c, const double *f, unsigned in, unsigned end[2])
{
	const unsigned G = c->k->G;
	const double rank = c->q * f[G];
	unsigned j;

	end[0] = end[1] = in;
	for (j = 1; j <= G; j++)
		if ((j == G || f[j] - rank >= -width(c, j)) &&
		    (j == 1 || f[j - 1] - rank <= width(c, j - 1))) {
			end[0] = j - 1 < end[0] ? j - 1 : end[0];
			end[1] = j - 1 > end[1] ? j - 1 : end[1];
		}
}

int
dp_quantile_interval(const struct dp_mech *m, const void *col, unsigned out, uint64_t t,
    double gamma, dp_wide *lo, dp_wide *hi)
{
	const struct dp_quantile *k = (const void *)m;
	const struct dp_bins *b = &k->asked->bins;
	struct width c = { .k = k, .q = k->asked->q[out % k->asked->n],
	    .widest = dp_law_widest(gamma) };
	double f[DP_BINS_MAX + 1];
	const double *y = dp_quantile_sums(k, col, out / k->asked->n);
	unsigned end[2];

	*lo = dp_quantile_rounded(b->edge[0], k->asked->coarse, -1);
	*hi = dp_quantile_rounded(b->edge[b->n] - 1, k->asked->coarse, 1);
	memcpy(f, y, (k->G + 1) * sizeof *f);
	dp_quantile_fit(f + 1, k->G);
	if (!(f[k->G] > 0))
		return 0;
	variances(k, out / k->asked->n, t, c.v);
	if (m->parts != 0)
		c.drift = (k->G + 1) *
		    (m->part[0].inner->off.drift + (k->scale > 1 ? 1 / k->scale : 0));
	keep(&c, y, dp_bins_place(b, dp_quantile_find(b, f, c.q)), end);
	*lo = dp_quantile_rounded(b->edge[end[0]], k->asked->coarse, -1);
	*hi = dp_quantile_rounded(b->edge[end[1] + 1] - 1, k->asked->coarse, 1);
	return 0;
}

/*
 * Numbers of events from which on there are quantiles, by what laws at some steps say: twice the
 * standard deviation of N, and so many that more of them lie beyond the quantile than its place is
 * off by.
 */
static void
find_least(struct dp_quantile *k, const struct dp_mech_rule *rule)
{
	const uint64_t T = rule->report != 0 ? rule->report : 1, at[] = { 1, (T + 1) / 2, T };
	const double *q = k->asked->q;
	double v[2], all, off;
	unsigned w, i, j;

	for (w = 0; w < k->windows; w++)
		for (i = 0; i < 3; i++) {
			variances(k, w, at[i], v);
			all = 2 * sqrt(dp_quantile_variance(&k->noise, v, 0, k->G));
			for (j = 0; j < k->asked->n; j++) {
				(void)worst(k, v, q[j], &off);
				off = sqrt(off) / fmin(q[j], 1 - q[j]);
				k->least[w][j] = fmax(k->least[w][j], fmax(all, off));
			}
		}
}

int
dp_quantile_set_least(struct dp_quantile *k, const struct dp_mech_rule *rule)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	unsigned w, j;

	if (dp_numbers_finds(numbers))
		find_least(k, rule);
	for (w = 0; w < k->windows; w++)
		for (j = 0; j < k->asked->n; j++)
			k->least[w][j] = dp_numbers_new_real(numbers, "printed-from",
			    k->least[w][j], 0, DBL_MAX);
	return dp_numbers_error(numbers);
}
