/*
 * curve.c - the characteristic function of the noise in one estimate, as wave.h has it.
 */
#include <math.h>
#include <stdlib.h>

#include "train.h"

#define MOST	((size_t)5 << 20)	/* bytes */
#define FADED	1e-5	/* an older tree of less weight adds nothing */
#define FEW	256	/* numbers of a period: all waves are taken */
#define PATIENCE	2048	/* trees are cut before a train is made, which takes as long */
#define RANGE	3	/* one step serves for standard deviations so far apart, */
#define NARROW	1.2	/* where all points are wanted so far */

/* ---- setting up ---- */

/* What is uneven in a node's weights: its variance given P. */
static void
set_about(struct dp_normtree_curve *c)
{
	const unsigned n = c->M + 1;
	double *to = c->about, sum, uneven, fall;
	struct splits s;
	unsigned l, P;

	memset(to, 0, n * sizeof *to);
	c->mean[0] = 1;
	for (l = 1; l <= c->p->h; l++, to += n) {
		fall = pow(c->alpha, ldexp(1, (int)l - 1));
		uneven = c->mean[l - 1] * (1 - fall);
		c->mean[l] = c->mean[l - 1] * (1 + fall) / 2;
		dp_normtree_curve_level(c, l);
		for (P = 0; P <= c->M; P++) {
			for (sum = 0, s = dp_normtree_splits(c, l, P); dp_normtree_next(c, &s);)
				sum += s.w * (uneven * uneven / 2 * pow((double)s.x - s.y, 2) +
				    (1 + fall * fall) * (to[s.x] + to[abs(s.y)]));
			to[n + P] = sum / s.sum;
		}
	}
}

static struct wave
lay(const struct dp_normtree_curve *c, double **at)
{
	struct wave w = { *at, *at + c->row };

	*at += 2 * c->row;
	return w;
}

static unsigned
near_most(const struct dp_normtree *p)
{
	return p->h < DP_NORMTREE_NEAR ? p->h : DP_NORMTREE_NEAR;
}

/* Room for it all, as many steps to a block as there is room for. */
static bool
make_room(struct dp_normtree_curve *c)
{
	const struct dp_normtree *p = c->p;
	const size_t small = (size_t)(p->h + 2) * (c->M + 1) + p->A + 1;
	size_t waves;
	unsigned i, l, k;
	double *at;

	c->row = (size_t)(c->M + 1) * c->points;
	c->low = near_most(p);
	while (c->low > 0 && ldexp(1 - c->alpha, (int)c->low) > .25)
		c->low--;
	for (;; c->low--) {
		waves = 2 + ((size_t)1 << c->low) + c->ways * (p->h - c->low + 1);
		if ((2 * c->row * waves + small) * sizeof *at <= MOST)
			break;
		if (c->low == 0)
			return false;
	}
	free(c->memory);
	if ((c->memory = at = malloc((2 * c->row * waves + small) * sizeof *at)) == NULL) {
		c->step = NAN;
		return false;
	}
	c->about = at;
	c->g = at + (size_t)(p->h + 1) * (c->M + 1);
	c->k = c->g + c->M + 1;
	at += small;
	c->other = lay(c, &at);
	c->child = lay(c, &at);
	for (i = 0; i < 1u << c->low; i++)
		c->near[i] = lay(c, &at);
	for (k = 0; k < c->ways; k++)
		for (l = c->low; l <= p->h; l++)
			c->way[k].level[l] = lay(c, &at);
	return true;
}

/* For a step and so many points; M is such that a node is hardly ever beyond. */
static bool
set(struct dp_normtree_curve *c, double gamma, double step, unsigned points)
{
	const struct dp_normtree *p = c->p;
	double most = 0, M;
	unsigned l;

	for (l = 0; l <= p->h; l++)
		most = fmax(most, p->var[l]);
	M = ceil(dp_law_spread(ldexp(most, -2 * (int)p->fine)) *
	    dp_law_widest(gamma * DP_LAW_TRIFLE / (4 * p->h + 4)));
	c->M = M < 2 * p->A ? (unsigned)M : 2 * p->A;
	c->gamma = gamma;
	c->least = gamma * DP_LAW_TRIFLE / 4096;	/* all that follow, on all levels */
	c->step = step;
	c->points = points;
	memset(c->known, 0, sizeof c->known);
	c->whole_known = false;
	c->asked = 0;
	dp_normtree_train_free(c->train);
	c->train = NULL;
	c->way[0].known = c->way[1].known = false;
	if (!make_room(c)) {
		c->points = 0;
		return false;
	}
	set_about(c);
	return true;
}

/*
 * Points for laws of at most that standard deviation, and a RANGE-th of it; all as far as pi, an
 * even division of it, where they are to be, or that is half of them, or they are few.
 */
static bool
choose(struct dp_normtree_curve *c, double gamma, double most, bool all)
{
	double period, points;

	if (c->points != 0 && gamma == c->gamma && most == c->sigma)
		return true;
	c->sigma = most;
	period = 1.3 * most * fmax(7.2, 3 + dp_law_widest(gamma)) + 4;	/* law_parts.c: wrapped */
	points = ceil(1.15 * sqrt(-2 * log(gamma * DP_LAW_TRIFLE)) * RANGE / c->sigma * period /
	    (2 * M_PI));
	if (all || points >= period / 4 || period <= FEW) {
		points = ceil(period / 2);
		period = 2 * points;
	}
	if (points > DP_LAW_POINTS) {
		c->points = 0;
		c->step = 0;
		return false;
	}
	return set(c, gamma, 2 * M_PI / period, (unsigned)points);
}

/* ---- steps ---- */

/* The wave of a block whose first n steps count, the weights as at its beginning. */
static const struct wave *
near_steps(struct dp_normtree_curve *c, unsigned n)
{
	struct wave *to = &c->near[n - 1], swap;
	unsigned l = (unsigned)__builtin_ctz(n), half, now;

	if (c->known[n - 1])
		return to;
	dp_normtree_all_steps(c, l, pow(c->alpha, -(double)n), to);
	for (l++; l <= c->low; l++) {
		half = 1u << (l - 1);
		now = ((n - 1) & (2 * half - 1)) + 1;
		if (now > half)
			dp_normtree_all_steps(c, l - 1, pow(c->alpha, (double)now - half - n),
			    &c->other);
		swap = *to;
		*to = c->child;
		c->child = swap;
		dp_normtree_up(c, l, now > half ? &c->other : NULL, &c->child, to);
	}
	c->known[n - 1] = true;
	return to;
}

/* The way to the block after `base` steps of a tree, so many whole ones before. */
static const struct wave *
find_way(struct dp_normtree_curve *c, struct way *way, uint64_t base, uint64_t older)
{
	const double span = ldexp(1, (int)c->p->h);
	double phi[DP_LAW_POINTS], z;
	unsigned l = c->p->h, i;
	uint64_t j;

	if (way->known && way->older == older && (way->base == base || c->alpha == 1))
		l = way->base == base ? c->low : 64 - (unsigned)__builtin_clzll(way->base ^ base);
	else {
		for (i = 0; i < c->points; i++)
			phi[i] = 1;
		for (j = 0; j < older; j++) {
			z = pow(c->alpha, (double)base + (double)j * span);
			if (z < FADED)
				break;
			dp_normtree_whole_tree(c, z, phi);
		}
		dp_normtree_root_law(c, &way->level[l]);
		for (i = 0; i < c->row; i++)
			way->level[l].re[i] *= phi[i % c->points];
	}
	for (; l > c->low; l--) {
		const uint64_t half = (uint64_t)1 << (l - 1);

		if (base & half)
			dp_normtree_all_steps(c, l - 1,
			    pow(c->alpha, (double)(base & (half - 1))), &c->other);
		dp_normtree_down(c, l, &way->level[l], base & half ? &c->other : NULL,
		    &way->level[l - 1]);
	}
	way->base = base;
	way->older = older;
	way->known = true;
	return &way->level[c->low];
}

/* phi *= that of so many trees all of whose steps weigh 1. */
static void
whole_trees(struct dp_normtree_curve *c, uint64_t n, double *phi)
{
	unsigned i;

	if (n != 0 && !c->whole_known) {
		for (i = 0; i < c->points; i++)
			c->whole[i] = 1;
		dp_normtree_whole_tree(c, 1, c->whole);
		c->whole_known = true;
	}
	for (i = 0; n != 0 && i < c->points; i++)
		phi[i] *= n == 1 ? c->whole[i] : pow(c->whole[i], (double)n);
}

/* Fewer trees where blocks are short for want of room: then each of them takes longer. */
static unsigned
patience(const struct dp_normtree_curve *c)
{
	return PATIENCE >> 2 * (near_most(c->p) - c->low);
}

/* A train in the place of waves, if it is good enough.  false: no memory. */
static bool
change(struct dp_normtree_curve *c)
{
	struct dp_normtree_curve *other = &c->p->curve[c == c->p->curve];
	double none[DP_LAW_POINTS] = { 0 };

	whole_trees(c, 1, none);
	free(c->memory);
	c->memory = NULL;
	free(other->memory);	/* it is hardly asked any more; or has a train, and no memory */
	other->memory = NULL;
	other->points = other->train != NULL ? other->points : 0;
	if ((c->train = dp_normtree_train_create(c)) == NULL) {
		c->points = 0;
		return false;
	}
	if (c->train->off <= c->gamma * DP_LAW_TRIFLE)
		return true;
	if (!set(c, c->gamma, c->step, c->points))
		return false;
	c->asked = patience(c);	/* that was all */
	return true;
}

/* phi *= that of the first n steps of a tree after so many whole ones. */
static void
first_steps(struct dp_normtree_curve *c, unsigned which, uint64_t n, uint64_t older, double *phi,
    double *off)
{
	const uint64_t now = (n - 1) & (((uint64_t)1 << c->low) - 1);
	const bool all = n == (uint64_t)1 << c->p->h;
	const struct wave *before;

	if (c->train != NULL) {
		whole_trees(c, older + all, phi);
		if (!all) {
			dp_normtree_train_steps(c->train, which, n, phi);
			*off += c->train->off;
		}
		return;
	}
	before = find_way(c, &c->way[which], n - 1 - now, older);
	dp_normtree_close(c, before, near_steps(c, (unsigned)now + 1), phi);
}

bool
dp_normtree_waves(const struct dp_law_part *part, double gamma, double sigma, double *step,
    unsigned *n, double *phi, double *off)
{
	const struct dp_normtree *p = part->of;
	const bool all = *step == DP_LAW_ALL;
	/* neighbouring ranges have curves of their own, and what is found depends on sigma alone */
	const int range = (int)ceil(log(sigma) / log(all ? NARROW : RANGE));
	struct dp_normtree_curve *c = &p->curve[all ? DP_NORMTREE_ALL : range & 1];
	const uint64_t T = (uint64_t)1 << p->h, lo = part->from & (T - 1);
	const uint64_t first = part->from >> p->h, last = (part->to - 1) >> p->h;
	const uint64_t hi = ((part->to - 1) & (T - 1)) + 1;

	if (first == last && lo != 0 && hi != T)	/* both ends in one tree */
		return false;
	if (c->p != p || c->alpha != part->alpha) {
		dp_normtree_train_free(c->train);
		*c = (struct dp_normtree_curve){ .p = p, .alpha = part->alpha,
		    .ways = p->row && part->alpha == 1 ? 2 : 1, .memory = c->memory };
	}
	if (*step <= 0 ? !choose(c, gamma, pow(all ? NARROW : RANGE, range), all) :
	    (c->step != *step || c->points != *n) && !set(c, gamma, *step, *n)) {
		*step = c->step;	/* NAN: no memory */
		return false;
	}
	if (c->alpha == 1 && lo == 0 && hi == T && first == last)
		whole_trees(c, 1, phi);
	else {
		if (c->alpha == 1 && !all && ++c->asked == patience(c) && !change(c)) {
			*step = NAN;
			return false;
		}
		/* by symmetry the last steps of a tree are as the first */
		if (lo != 0)
			first_steps(c, 1, T - lo, 0, phi, off);
		if (lo == 0 || first < last)
			first_steps(c, 0, hi, last - first - (lo != 0), phi, off);
	}
	*n = c->points;
	*step = c->step;
	if (c->alpha < 1)	/* as at the block's beginning */
		*step *= pow(c->alpha, -(double)(((hi - 1) & (((uint64_t)1 << c->low) - 1)) + 1));
	return true;
}

struct dp_normtree_curve *
dp_normtree_curve_create(void)
{
	return calloc(DP_NORMTREE_CURVES, sizeof(struct dp_normtree_curve));
}

void
dp_normtree_curve_free(struct dp_normtree_curve *c)
{
	unsigned i;

	for (i = 0; c != NULL && i < DP_NORMTREE_CURVES; i++) {
		dp_normtree_train_free(c[i].train);
		free(c[i].memory);
	}
	free(c);
}
