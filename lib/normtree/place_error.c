/*
 * place_error.c - a count's variance in one place, whose steps lie in a chain: place.h.
 */
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

double
dp_normtree_place_max(const struct dp_normtree_place *p, const double *split, uint64_t n_steps,
    uint64_t *worst)
{
	struct digits d[4 * KEPT], one;	/* little of it is touched */
	const uint64_t end = (uint64_t)1 << p->level, last = n_steps < end ? n_steps : end - 1;
	double best, slope, s;
	unsigned l, n = 1, m, i, bit, k;

	*worst = n_steps == end ? end : 1;
	best = dp_normtree_place_at(p, split, *worst);
	d[0] = (struct digits){ .within = true };
	for (l = 0; l < p->level; l++, n = m) {
		for (m = 0, i = 0; i < 2 * n; i++) {
			bit = i / n;
			one = d[i % n];
			one.f = (one.f + bit) / 2;
			s = fmin(2 * one.f, 2 - 2 * one.f);
			one.v += split[l] * s * s;
			one.t |= (uint64_t)bit << l;
			one.within = bit != (last >> l & 1) ? bit < (last >> l & 1) : one.within;
			d[2 * n + m++] = one;
		}
		memmove(d, d + 2 * n, m * sizeof *d);
		for (slope = 0, k = p->level; k > l + 1; k--)
			slope = slope / 2 + 2 * split[k - 1];
		slope += ldexp(2 * p->own + fabs(p->both), (int)l + 1 - (int)p->level);
		m = prune(d, m, slope);
		if (m > KEPT)
			m = KEPT;
	}
	for (i = 0; i < n; i++)
		if (d[i].within && d[i].t != 0 &&
		    (s = p->before + d[i].v + d[i].f * (p->both + p->own * d[i].f)) > best) {
			best = s;
			*worst = d[i].t;
		}
	return best;
}
