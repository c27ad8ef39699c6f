/*
 * place_error.c - a count's variance in one place, whose steps lie in a chain: place.h.
 */
#include <string.h>

#include "place.h"

double
dp_normtree_place_at(const struct dp_normtree_place *p, const double *split, uint64_t u)
{
	double f = 0, s, v = 0;
	unsigned l;

	for (l = 0; l < p->level; l++) {
		f = (f + (double)(u >> l & 1)) / 2;
		s = 2 * fmin(f, 1 - f);
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

#define KEPT	256
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
		x->within = (i >= n) != end ? (i >= n) < end : x->within;
	}
}

/* ---- the same by halves, where too many stay: steps' own noise is nearly the same in all ---- */

#define HALVES	(1u << 16)	/* looked at, at most */

struct halves {
	const struct dp_normtree_place *p;
	const double *split;
	double low[DP_NORMTREE_LEVELS + 1];	/* what splits below level l have, at most */
	uint64_t last, worst;
	double best;
	unsigned looked;
};

/* Part of levels from l on at step u + x of a block of 2^l steps, 0 <= x <= 2^l. */
static double
above(const struct halves *h, unsigned l, uint64_t u, double x)
{
	const struct dp_normtree_place *p = h->p;
	double f, s, v = p->before;
	unsigned k;

	for (k = l; k < p->level; k++) {
		f = ldexp((double)(u & (((uint64_t)2 << k) - 1)) + x, -(int)k - 1);
		s = 2 * fmin(f, 1 - f);
		v += h->split[k] * s * s;
	}
	f = ldexp((double)u + x, -(int)p->level);
	return v + f * (p->both + p->own * f);
}

/* No step of a block has more: what is above is convex. */
static double
ceiling(const struct halves *h, unsigned l, uint64_t u)
{
	const double x = (double)(h->last - u), end = ldexp(1, (int)l);

	return fmax(above(h, l, u, 0), above(h, l, u, fmin(x, l == 0 ? 0 : end))) + h->low[l];
}

static void
climb(struct halves *h, unsigned l, uint64_t u)
{
	const uint64_t next = u + (l == 0 ? 0 : (uint64_t)1 << (l - 1));
	double v[2];
	unsigned i, first;

	if (h->looked == 0)
		return;
	h->looked--;
	if (l == 0) {
		v[0] = above(h, 0, u, 0);
		if (u > 0 && v[0] > h->best) {
			h->best = v[0];
			h->worst = u;
		}
		return;
	}
	v[0] = ceiling(h, l - 1, u);
	v[1] = next <= h->last ? ceiling(h, l - 1, next) : -INFINITY;
	first = v[1] >= v[0];
	for (i = 0; i < 2; i++)
		if (v[first ^ i] > h->best * (1 + SAME))
			climb(h, l - 1, (first ^ i) == 1 ? next : u);
}

double
dp_normtree_place_max(const struct dp_normtree_place *p, const double *split, uint64_t n_steps,
    uint64_t *worst)
{
	const uint64_t end = (uint64_t)1 << p->level, last = n_steps < end ? n_steps : end - 1;
	struct digits d[2 * KEPT];	/* little of it is touched */
	struct halves h = { .p = p, .split = split, .last = last, .looked = HALVES };
	double s;
	unsigned l, n = 1, i;

	h.worst = n_steps == end ? end : 1;
	h.best = dp_normtree_place_at(p, split, h.worst);
	d[0] = (struct digits){ .within = true };
	for (l = 0; l < p->level; l++) {
		h.low[l + 1] = h.low[l] + split[l];
		if (n == 0 || n > KEPT) {
			n = 0;
			continue;
		}
		grow(d, n, l, split[l], last);
		n = prune(d, 2 * n);
		for (i = 0, s = 0; i < n; i++)
			s = fmax(s, d[i].v);
		h.low[l + 1] = s;
	}
	if (n == 0)
		climb(&h, p->level, 0);
	for (i = 0; i < n; i++)
		if (d[i].within && d[i].t != 0 &&
		    (s = p->before + d[i].v + d[i].f * (p->both + p->own * d[i].f)) > h.best) {
			h.best = s;
			h.worst = d[i].t;
		}
	*worst = h.worst;
	return h.looked == 0 ? dp_normtree_place_bound(p, split) : h.best;
}
