/*
 * curve.c - the characteristic function of the noise in one estimate, as wave.h has it.
 */
#include <math.h>
#include <stdlib.h>

#include "curve.h"

#define MOST	((size_t)5 << 20)	/* bytes */
#define FADED	1e-5	/* an older tree of less weight adds nothing */
#define FEW	256	/* numbers of a period: all points are taken */
#define RANGE	3	/* one step serves for standard deviations so far apart */
#define SETS	2	/* of points */

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
	unsigned i, l;
	double *at;

	c->row = (size_t)(c->M + 1) * c->points;
	c->low = near_most(p);
	while (c->low > 0 && ldexp(1 - c->alpha, (int)c->low) > .25)
		c->low--;
	for (;; c->low--) {
		waves = 2 + ((size_t)1 << c->low) + p->h - c->low + 1;
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
	for (l = c->low; l <= p->h; l++)
		c->way.level[l] = lay(c, &at);
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
	c->way.known = false;
	if (!make_room(c)) {
		c->points = 0;
		return false;
	}
	set_about(c);
	return true;
}

/*
 * Points for laws of about that standard deviation: neighbouring ranges have points of their own,
 * and what is found depends on sigma alone.  n = 0: too many.  Returns which set that is.
 */
static unsigned
choose(struct dp_law_wave *v)
{
	const double range = ceil(log(v->sigma) / log(RANGE)), top = pow(RANGE, range);
	double period = 1.3 * top * fmax(7.2, 3 + dp_law_widest(v->gamma)) + 4, points;

	points = ceil(1.15 * sqrt(-2 * log(v->gamma * DP_LAW_TRIFLE)) * RANGE / top * period /
	    (2 * M_PI));
	if (points >= period / 4 || period <= FEW) {
		points = ceil(period / 2);
		period = 2 * points;
	}
	v->n = points > DP_LAW_POINTS ? 0 : (unsigned)points;
	v->step = v->n == 0 ? 0 : 2 * M_PI / period;
	return (int)range & 1;
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

	if (way->known && way->older == older && way->base == base)
		l = c->low;
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

bool
dp_normtree_waves(const struct dp_law_part *part, struct dp_law_wave *v)
{
	const struct dp_normtree *p = part->of;
	const uint64_t T = (uint64_t)1 << p->h, last = (part->to - 1) >> p->h;
	const uint64_t hi = (part->to - 1) & (T - 1);
	struct dp_normtree_curve *c = &p->curve[choose(v)];
	const struct wave *before;
	unsigned now;

	if (c->p != p || c->alpha != part->alpha)
		*c = (struct dp_normtree_curve){ .p = p, .alpha = part->alpha,
		    .memory = c->memory };
	if (v->n == 0)
		return false;
	if ((c->step != v->step || c->points != v->n || c->gamma != v->gamma) &&
	    !set(c, v->gamma, v->step, v->n)) {
		v->step = c->step;	/* NAN: no memory */
		return false;
	}
	now = (unsigned)(hi & (((uint64_t)1 << c->low) - 1));
	before = find_way(c, &c->way, hi - now, last);
	dp_normtree_close(c, before, near_steps(c, now + 1), v->phi);
	v->variance += part->variance;
	v->step *= pow(c->alpha, -(double)(now + 1));	/* as at the block's beginning */
	return true;
}

struct dp_normtree_curve *
dp_normtree_curve_create(void)
{
	return calloc(SETS, sizeof(struct dp_normtree_curve));
}

void
dp_normtree_curve_free(struct dp_normtree_curve *c)
{
	unsigned i;

	for (i = 0; c != NULL && i < SETS; i++) {
		free(c[i].memory);
	}
	free(c);
}
