/*
 * place_error.c - a count's variance in one place, whose steps lie in a chain: place.h.
 */
#include <string.h>

#include "place.h"

double
dp_normtree_place_at(const struct dp_normtree_place *p, const double *split, uint64_t u)
{
	double f = 0, s, v = 0, one = 1;
	unsigned l;

	for (l = 0; l < p->level; l++) {
		one /= 2;
		f = (double)(u & (((uint64_t)2 << l) - 1)) * one;
		s = 1 - fabs(2 * f - 1);
		v += split[l] * s * s;
	}
	f += (double)(u >> p->level);
	return p->before + v + f * (p->both + p->own * f);
}

/* Sum of s^2 over n steps of a level whose nodes have 2m: k / m up to the middle, and down. */
static double
tents(uint64_t n, double m)
{
	const double whole = (2 * m * m + 1) / (3 * m), r = fmod((double)n, 2 * m);
	const double k = r <= m ? r : 2 * m - 1 - r;
	const double part = k * (k + 1) * (2 * k + 1) / (6 * m * m);

	return floor((double)n / (2 * m)) * whole + (r <= m ? part : whole - part);
}

double
dp_normtree_place_sum(const struct dp_normtree_place *p, const double *split, uint64_t n)
{
	const double x = (double)n, L = ldexp(1, (int)p->level);
	double v = x * p->before + p->both * x * (x + 1) / 2 / L +
	    p->own * x * (x + 1) * (2 * x + 1) / 6 / L / L;
	unsigned l;

	for (l = 0; l < p->level; l++)
		v += split[l] * tents(n, ldexp(1, (int)l));
	return v;
}

double
dp_normtree_place_bound(const struct dp_normtree_place *p, const double *split)
{
	double v = p->before + fmax(0, p->both) + p->own;
	unsigned l;

	for (l = 0; l < p->level; l++)
		v += split[l];
	return v;
}

/* ---- the maximum by the digits of the step, from the lowest ---- */

struct digits {
	double f, v;		/* (t mod 2^l) / 2^l, and what the splits up to level l have */
	uint64_t t;
	bool within;		/* t mod 2^l <= T mod 2^l */
};

#define KEPT	1024		/* four times as many as any plan has */
#define SAME	1e-14		/* of v: what is behind by more is below a line */

/* True: b, between a and c, is on or below the line through them. */
static bool
below(const struct digits *a, const struct digits *b, const struct digits *c)
{
	return (b->v - a->v) * (c->f - a->f) <=
	    ((c->v - a->v) * (b->f - a->f)) + SAME * b->v * (c->f - a->f);
}

/*
 * Marks, of n that rise in f, those on the least concave function above all, or above those within
 * alone.  Whatever digits follow, what they add is convex in f: no other one becomes the maximum.
 */
static void
mark(const struct digits *d, unsigned n, bool within, bool *mark)
{
	unsigned at[2 * KEPT], k = 0, i;

	for (i = 0; i < n; i++) {
		if (within && !d[i].within)
			continue;
		while (k > 1 && below(&d[at[k - 2]], &d[at[k - 1]], &d[i]))
			k--;
		at[k++] = i;
	}
	for (i = 0; i < k; i++)
		mark[at[i]] |= d[at[i]].within == within;
}

/* Leaves out what cannot become the maximum.  One that is within has all that others may choose. */
static unsigned
prune(struct digits *d, unsigned n)
{
	bool on[2 * KEPT] = { false };
	unsigned i, kept = 0;

	mark(d, n, true, on);
	mark(d, n, false, on);
	for (i = 0; i < n; i++)
		if (on[i])
			d[kept++] = d[i];
	return kept;
}

/* The next digit: from n to 2 n, in the order of f. */
static void
grow(struct digits *d, unsigned n, unsigned l, double split, uint64_t last)
{
	const unsigned end = last >> l & 1;
	struct digits *x;
	unsigned i;
	double s;

	memcpy(d + n, d, n * sizeof *d);
	for (i = 0; i < 2 * n; i++) {
		x = &d[i];
		x->f = (x->f + (i >= n)) / 2;
		s = fmin(2 * x->f, 2 - 2 * x->f);
		x->v += split * s * s;
		x->t |= (uint64_t)(i >= n) << l;
		if ((i >= n) != end)
			x->within = end;
	}
}

double
dp_normtree_place_max(const struct dp_normtree_place *p, const double *split, uint64_t n_steps,
    uint64_t *worst)
{
	const uint64_t end = (uint64_t)1 << p->level, last = n_steps < end ? n_steps : end - 1;
	struct digits d[2 * KEPT];	/* little of it is touched */
	double best, v;
	unsigned l, n = 1, i;

	*worst = n_steps == end ? end : 1;
	best = dp_normtree_place_at(p, split, *worst);
	d[0] = (struct digits){ .within = true };
	for (l = 0; l < p->level; l++) {
		if (n > KEPT)
			return dp_normtree_place_bound(p, split);
		grow(d, n, l, split[l], last);
		n = prune(d, 2 * n);
	}
	for (i = 0; i < n; i++) {
		v = p->before + d[i].v + d[i].f * (p->both + p->own * d[i].f);
		if (d[i].within && d[i].t != 0 && v > best) {
			best = v;
			*worst = d[i].t;
		}
	}
	return best;
}
