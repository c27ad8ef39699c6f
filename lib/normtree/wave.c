/*
 * wave.c - the characteristic function of the noise in one estimate (wave.h).
 *
 * A wave is a complex function of a node's noise P, at the points 1, 2, .. times a step: E exp(i t
 * S) given P, S a sum over the node's steps; or that of all that came before it, times the
 * probability of P.  As all is even, what it is at -P is the conjugate: only P >= 0 is kept.
 */
#include <math.h>
#include <stdlib.h>

#include "wave.h"

#define NEAR	6	/* log2 of the steps of a block, at most */
#define MOST	((size_t)5 << 20)	/* bytes */
#define FADED	1e-5	/* an older tree of less weight adds nothing */
#define RANGE	3	/* one step serves for standard deviations so far apart */

struct wave {
	double *re, *im;	/* P's points: [P * points] .. */
};

/* What came before a block: for each level the node on the way to it. */
struct way {
	uint64_t base, older;
	bool known;
	struct wave level[DP_NORMTREE_LEVELS + 1];
};

struct dp_normtree_curve {
	const struct dp_normtree *p;
	double alpha, gamma, sigma, step;
	double least;		/* of a sum: weights that are less are left out */
	unsigned ways;
	unsigned points, M, low;	/* |P| <= M; log2 of the steps of a block */
	size_t row;			/* numbers of half a wave */
	double mean[DP_NORMTREE_LEVELS + 1];	/* weight of a node's steps, the newest's 1 */
	double *about;		/* variance of a node's sum given P: [level * (M + 1) + P] */
	double *g, *k;		/* a level's tables, g as far as M */
	struct way way[2];
	struct wave near[1 << NEAR], other, child;
	bool known[1 << NEAR];
	double *memory;
};

static double
number(struct dp_normtree_real r)
{
	return ldexp((double)r.m, (int)r.x - 64);
}

static void
take_level(const struct dp_normtree_curve *c, unsigned l)
{
	const struct dp_normtree_level *v = &c->p->level[l - 1];
	const double q = v->open ? 1 : number(v->beyond);
	unsigned i;

	for (i = 0; i <= c->M; i++)
		c->g[i] = i <= c->p->A ? number(v->child[i]) : c->g[i - 1] * q;
	for (i = 0; i <= c->p->A; i++)
		c->k[i] = number(v->fall[i]);
}

/* The weight of P's split into P/2 + j, rounded up, and the rest, as table.c has it. */
static double
weight(const struct dp_normtree_curve *c, bool open, unsigned P, unsigned j)
{
	const unsigned A = c->p->A, half = P / 2, b = j > half ? j - half : half - j;
	const unsigned y = j > half ? b : 0, cap = open ? A : P < A ? A - P : 0;

	return c->g[P - half + j] * c->g[b] * (open && y > A ? 0 : c->k[y < cap ? y : cap]);
}

/* The splits of P of level l, one after the other: P = x + y, x > 0 or both 0, in both orders. */
struct splits {
	unsigned P, j, x;
	int y;
	bool open;
	double w, sum;		/* of both orders together 2 w; of all so far */
};

static bool
next_split(const struct dp_normtree_curve *c, struct splits *s)
{
	s->x = s->P - s->P / 2 + s->j;
	s->y = (int)(s->P / 2) - (int)s->j;
	if (s->x > c->M)
		return false;
	s->w = weight(c, s->open, s->P, s->j);
	if (s->w < c->least * s->sum)
		return false;
	if (s->j++ == 0 && s->P % 2 == 0)	/* halves are in one order only */
		s->w /= 2;
	s->sum += 2 * s->w;
	return true;
}

static struct splits
first_split(const struct dp_normtree_curve *c, unsigned l, unsigned P)
{
	return (struct splits){ .P = P, .open = c->p->level[l - 1].open };
}

/* to += w a b; b conjugate if turn is -1, and then all of it if mirror is. */
static inline void
add_product(double *re, double *im, const double *ar, const double *ai, const double *br,
    const double *bi, double w, double turn, double mirror, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++) {
		re[i] += w * (ar[i] * br[i] - turn * ai[i] * bi[i]);
		im[i] += w * mirror * (ai[i] * br[i] + turn * ar[i] * bi[i]);
	}
}

/* The wave of a node of level l from those of its children. */
static void
up(const struct dp_normtree_curve *c, unsigned l, const struct wave *a, const struct wave *b,
    struct wave *to)
{
	const unsigned n = c->points;
	struct splits s;
	size_t x, y;
	double *re, *im, turn;
	unsigned P, i;

	take_level(c, l);
	for (P = 0; P <= c->M; P++) {
		re = memset(to->re + P * n, 0, n * sizeof *re);
		im = memset(to->im + P * n, 0, n * sizeof *im);
		for (s = first_split(c, l, P); next_split(c, &s);) {
			x = s.x * (size_t)n;
			y = (size_t)abs(s.y) * n;
			turn = s.y < 0 ? -1 : 1;
			add_product(re, im, a->re + x, a->im + x, b->re + y, b->im + y, s.w, turn,
			    1, n);
			add_product(re, im, b->re + x, b->im + x, a->re + y, a->im + y, s.w, turn,
			    1, n);
		}
		for (i = 0; i < n; i++) {
			re[i] /= s.sum;
			im[i] /= s.sum;
		}
	}
}

/* All before a node of level l - 1 from all before its parent and the other child's. */
static void
down(const struct dp_normtree_curve *c, unsigned l, const struct wave *from,
    const struct wave *other, struct wave *to)
{
	const unsigned n = c->points;
	const double *tr, *ti, *re, *im;
	struct splits s;
	size_t x, y;
	double sum;
	unsigned P;

	take_level(c, l);
	memset(to->re, 0, c->row * sizeof *to->re);
	memset(to->im, 0, c->row * sizeof *to->im);
	for (P = 0; P <= c->M; P++) {
		for (s = first_split(c, l, P); next_split(c, &s);)
			;
		sum = s.sum;
		tr = from->re + P * n;
		ti = from->im + P * n;
		for (s = first_split(c, l, P); next_split(c, &s);) {
			x = s.x * (size_t)n;
			y = (size_t)abs(s.y) * n;
			s.w /= sum;
			add_product(to->re + x, to->im + x, tr, ti, other->re + y, other->im + y,
			    s.x == 0 ? 2 * s.w : s.w, s.y < 0 ? -1 : 1, 1, n);
			if (P == 0)	/* its own mirror image */
				continue;
			re = other->re + x;
			im = other->im + x;
			if (s.y >= 0)
				add_product(to->re + y, to->im + y, tr, ti, re, im, s.w, 1, 1, n);
			if (s.y <= 0)
				add_product(to->re + y, to->im + y, tr, ti, re, im, s.w, 1, -1, n);
		}
	}
}

/*
 * The wave of a node of level l all of whose steps count, the newest with weight z.  Given P its
 * sum is z mean P and what is uneven in the weights: little, of known variance, taken for
 * Laplacian.
 */
static void
all_steps(const struct dp_normtree_curve *c, unsigned l, double z, struct wave *to)
{
	const double *about = c->about + l * (size_t)(c->M + 1);
	double angle, cosine, sine, re, im, t, damp;
	unsigned P, i;

	for (P = 0; P <= c->M; P++) {
		angle = c->step * z * c->mean[l] * P;
		cosine = cos(angle);
		sine = sin(angle);
		for (re = 1, im = 0, i = 0; i < c->points; i++) {
			t = re * cosine - im * sine;
			im = re * sine + im * cosine;
			re = t;
			t = (i + 1) * c->step * z;
			damp = 1 / (1 + t * t * about[P] / 2);
			to->re[P * c->points + i] = re * damp;
			to->im[P * c->points + i] = im * damp;
		}
	}
}

static void
no_steps(const struct dp_normtree_curve *c, struct wave *to)
{
	size_t i;

	for (i = 0; i < c->row; i++) {
		to->re[i] = 1;
		to->im[i] = 0;
	}
}

/* The root's probabilities. */
static void
root_law(const struct dp_normtree_curve *c, struct wave *to)
{
	const struct dp_normtree *p = c->p;
	double r = 0, sum = 0;
	unsigned P, i;

	for (P = 0; P <= c->M; P++) {
		r = P <= p->A ? number(p->root[P]) : r * number(p->beyond);
		sum += P == 0 ? r : 2 * r;
		for (i = 0; i < c->points; i++)
			to->re[P * c->points + i] = r;
	}
	memset(to->im, 0, c->row * sizeof *to->im);
	for (i = 0; i < c->row; i++)
		to->re[i] /= sum;
}

/* phi *= E of what came before times what follows */
static void
close(const struct dp_normtree_curve *c, const struct wave *before, const struct wave *after,
    double *phi)
{
	double sum[DP_LAW_POINTS] = { 0 };
	const unsigned n = c->points;
	unsigned P, i;

	for (P = 0; P <= c->M; P++)
		for (i = 0; i < n; i++)
			sum[i] += (P == 0 ? 1 : 2) *
			    (before->re[P * n + i] * after->re[P * n + i] -
			    before->im[P * n + i] * after->im[P * n + i]);
	for (i = 0; i < n; i++)
		phi[i] *= sum[i];
}

/* phi *= that of a tree all of whose steps count, the newest with weight z. */
static void
whole_tree(struct dp_normtree_curve *c, double z, double *phi)
{
	all_steps(c, c->p->h, z, &c->child);
	root_law(c, &c->other);
	close(c, &c->other, &c->child, phi);
}

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
		take_level(c, l);
		for (P = 0; P <= c->M; P++) {
			for (sum = 0, s = first_split(c, l, P); next_split(c, &s);)
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
	c->low = p->h < NEAR ? p->h : NEAR;
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
	if ((c->memory = at = malloc((2 * c->row * waves + small) * sizeof *at)) == NULL)
		return false;
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
	M = ceil(sqrt(most) * dp_law_widest(gamma * DP_LAW_TRIFLE / (4 * p->h + 4)));
	c->M = M < 2 * p->A ? (unsigned)M : 2 * p->A;
	c->gamma = gamma;
	c->least = gamma * DP_LAW_TRIFLE / 4096;	/* all that follow, on all levels */
	c->step = step;
	c->points = points;
	memset(c->known, 0, sizeof c->known);
	c->way[0].known = c->way[1].known = false;
	if (!make_room(c)) {
		c->points = 0;
		return false;
	}
	set_about(c);
	return true;
}

/*
 * Points for laws of that standard deviation, and of some to both sides; where that is half of all
 * as far as pi, an even division of it.
 */
static bool
choose(struct dp_normtree_curve *c, double gamma, double sigma)
{
	double period, points;

	if (c->points != 0 && gamma == c->gamma && sigma <= c->sigma && sigma * RANGE >= c->sigma)
		return true;
	c->sigma = sigma * (c->points != 0 && sigma > c->sigma ? 1.25 : RANGE * .6);
	period = c->sigma * fmax(7.2, 3 + dp_law_widest(gamma)) + 4;	/* law_parts.c: wrapped */
	points = ceil(1.15 * sqrt(-2 * log(gamma * DP_LAW_TRIFLE)) * RANGE / c->sigma * period /
	    (2 * M_PI));
	if (points >= period / 4) {
		points = ceil(period / 2);
		period = 2 * points;
	}
	return points <= DP_LAW_POINTS && set(c, gamma, 2 * M_PI / period, (unsigned)points);
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
	all_steps(c, l, pow(c->alpha, -(double)n), to);
	for (l++; l <= c->low; l++) {
		half = 1u << (l - 1);
		now = ((n - 1) & (2 * half - 1)) + 1;
		if (now > half)
			all_steps(c, l - 1, pow(c->alpha, (double)now - half - n), &c->other);
		else
			no_steps(c, &c->other);
		swap = *to;
		*to = c->child;
		c->child = swap;
		up(c, l, &c->other, &c->child, to);
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
			whole_tree(c, z, phi);
		}
		root_law(c, &way->level[l]);
		for (i = 0; i < c->row; i++)
			way->level[l].re[i] *= phi[i % c->points];
	}
	for (; l > c->low; l--) {
		const uint64_t half = (uint64_t)1 << (l - 1);

		if (base & half)
			all_steps(c, l - 1, pow(c->alpha, (double)(base & (half - 1))), &c->other);
		else
			no_steps(c, &c->other);
		down(c, l, &way->level[l], &c->other, &way->level[l - 1]);
	}
	way->base = base;
	way->older = older;
	way->known = true;
	return &way->level[c->low];
}

/* phi *= that of the first n steps of a tree after so many whole ones. */
static void
first_steps(struct dp_normtree_curve *c, unsigned which, uint64_t n, uint64_t older, double *phi)
{
	const uint64_t now = (n - 1) & (((uint64_t)1 << c->low) - 1);
	const struct wave *before = find_way(c, &c->way[which], n - 1 - now, older);

	close(c, before, near_steps(c, (unsigned)now + 1), phi);
}

bool
dp_normtree_waves(const struct dp_law_part *part, double gamma, double sigma, double *step,
    unsigned *n, double *phi)
{
	const struct dp_normtree *p = part->of;
	struct dp_normtree_curve *c = p->curve;
	const uint64_t T = (uint64_t)1 << p->h, lo = part->from & (T - 1);
	const uint64_t first = part->from >> p->h, last = (part->to - 1) >> p->h;
	const uint64_t hi = ((part->to - 1) & (T - 1)) + 1;

	if (first == last && lo != 0 && hi != T)	/* both ends in one tree */
		return false;
	if (c->p != p || c->alpha != part->alpha)
		*c = (struct dp_normtree_curve){ .p = p, .alpha = part->alpha,
		    .ways = p->row && part->alpha == 1 ? 2 : 1, .memory = c->memory };
	if (*step == 0 ? !choose(c, gamma, sigma) :
	    (c->step != *step || c->points != *n) && !set(c, gamma, *step, *n))
		return false;
	if (c->alpha == 1 && lo == 0 && hi == T && first == last)
		whole_tree(c, 1, phi);
	else {
		/* by symmetry the last steps of a tree are as the first */
		if (lo != 0)
			first_steps(c, 1, T - lo, 0, phi);
		if (lo == 0 || first < last)
			first_steps(c, 0, hi, last - first - (lo != 0), phi);
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
	return calloc(1, sizeof(struct dp_normtree_curve));
}

void
dp_normtree_curve_free(struct dp_normtree_curve *c)
{
	if (c != NULL)
		free(c->memory);
	free(c);
}
