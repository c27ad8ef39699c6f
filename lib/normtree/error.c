/*
 * error.c - the exact variance of what is filtered.  The splits of nodes are uncorrelated with each
 * other and with the roots (normtree.h, ERROR), so it is that of a bridge tree of radix 2 whose
 * level l has twice the mean variance of a split of level l + 1, and the roots' at the top.
 */
#include <math.h>

#include "normtree.h"
#include "bridge/level.h"

/* The root's and the splits': all of a tree's, or a part. */
struct variances {
	double root;
	const double *split;
};

static struct variances
all(const struct dp_normtree *p)
{
	return (struct variances){ p->var[p->h], p->split };
}

static void
set(struct dp_bridge_tally *q, struct dp_bridge_poly *rows, struct dp_bridge_shape *s,
    const struct dp_normtree *p, struct variances v, const struct dp_task *task, unsigned out)
{
	unsigned l;

	*s = (struct dp_bridge_shape){ .h = p->h + 1, .root = !p->row };
	for (l = 0; l < p->h; l++) {
		s->log2k[l] = 1;
		s->log2b[l + 1] = l + 1;
	}
	dp_bridge_tally_set(q, rows, s, task, out);
	for (l = 0; l < p->h; l++)
		q->v[l] = 2 * v.split[l];
	q->v[p->h] = v.root;
}

/* ---- counts over one tree: the maximum by its digits, from the lowest ---- */

struct digits {
	double f, v;		/* (t mod 2^l) / 2^l, and what the splits up to level l have */
	uint64_t t;
	bool within;		/* t mod 2^l <= T mod 2^l */
};

#define KEPT	512

/*
 * Leaves out what cannot become the maximum: another one has the same choice of digits left, and is
 * ahead by more than the rest can make of the difference of their f.
 */
static unsigned
prune(struct digits *d, unsigned n, double slope)
{
	unsigned i, j, kept = 0;

	for (i = 0; i < n; i++) {
		for (j = 0; j < n; j++)
			if (j != i && d[j].within >= d[i].within && d[j].v > d[i].v &&
			    d[j].v - d[i].v >= slope * fabs(d[j].f - d[i].f))
				break;
		d[n + i] = d[i];
		d[n + i].t |= j < n ? UINT64_MAX : 0;
	}
	for (i = n; i < 2 * n; i++)
		if (d[i].t != UINT64_MAX)
			d[kept++] = d[i];
	return kept;
}

static double
count_max(const struct dp_normtree *p, uint64_t T, uint64_t *worst)
{
	struct digits d[4 * KEPT], one;	/* little of it is touched */
	const uint64_t end = (uint64_t)1 << p->h, last = T < end ? T : end - 1;
	double best = T == end ? p->var[p->h] : 0, slope, s;
	unsigned l, n = 1, m, i, bit, k;

	*worst = T == end ? T : 1;
	d[0] = (struct digits){ .within = true };
	for (l = 0; l < p->h; l++, n = m) {
		for (m = 0, i = 0; i < 2 * n; i++) {
			bit = i / n;
			one = d[i % n];
			one.f = (one.f + bit) / 2;
			s = fmin(2 * one.f, 2 - 2 * one.f);
			one.v += p->split[l] * s * s;
			one.t |= (uint64_t)bit << l;
			one.within = bit != (last >> l & 1) ? bit < (last >> l & 1) : one.within;
			d[2 * n + m++] = one;
		}
		memmove(d, d + 2 * n, m * sizeof *d);
		for (slope = 0, k = p->h; k > l + 1; k--)
			slope = slope / 2 + 2 * p->split[k - 1];
		slope += ldexp(2 * p->var[p->h], (int)l + 1 - (int)p->h);
		m = prune(d, m, slope);
		if (m > KEPT)
			m = KEPT;
	}
	for (i = 0; i < n; i++)
		if (d[i].within && (s = d[i].v + p->var[p->h] * d[i].f * d[i].f) > best) {
			best = s;
			*worst = d[i].t;
		}
	return best;
}

void
dp_normtree_error(const struct dp_normtree *p, const struct dp_task *task, unsigned out,
    uint64_t T, struct dp_error *e)
{
	struct dp_bridge_tally q;
	struct dp_bridge_poly rows[DP_BRIDGE_ROWS];
	struct dp_bridge_shape s;
	double sum = 0;
	unsigned l;

	*e = (struct dp_error){ .worst = 1, .exact = true };
	if (p->exact)
		return;
	set(&q, rows, &s, p, all(p), task, out);
	for (l = 0; l < q.h; l++)
		sum += q.v[l] * dp_bridge_tally_sum(&q, l, T);
	e->mean = sum / (double)T;
	e->max = task == NULL ? count_max(p, T, &e->worst) :
	    dp_bridge_tally_max(&q, T, 1, &e->worst);
}

/* A count's by its digits, as in dputils-formulas(7): what every line with bounds asks for. */
static double
count_variance(const struct dp_normtree *p, struct variances of, uint64_t t)
{
	double f = 0, s, v = 0;
	unsigned l;

	for (l = 0; l < p->h; l++) {
		f = (f + (double)(t >> l & 1)) / 2;
		s = 2 * fmin(f, 1 - f);
		v += of.split[l] * s * s;
	}
	f += (double)(t >> p->h);
	return v + of.root * f * f;
}

static double
variance(const struct dp_normtree *p, struct variances of, const struct dp_task *task, unsigned out,
    uint64_t t)
{
	struct dp_bridge_tally q;
	struct dp_bridge_poly rows[DP_BRIDGE_ROWS];
	struct dp_bridge_shape s;
	double v = 0;
	unsigned l;

	if (p->exact)
		return 0;
	if (task == NULL)
		return count_variance(p, of, t);
	set(&q, rows, &s, p, of, task, out);
	for (l = 0; l < q.h; l++)
		v += q.v[l] * dp_bridge_tally_at(&q, l, t);
	return v;
}

double
dp_normtree_variance(const struct dp_normtree *p, const struct dp_task *task, unsigned out,
    uint64_t t)
{
	return variance(p, all(p), task, out, t);
}

double
dp_normtree_residual(const struct dp_normtree *p, const struct dp_task *task, unsigned out,
    uint64_t t)
{
	return variance(p, (struct variances){ p->fine_root, p->fine_split }, task, out, t);
}
