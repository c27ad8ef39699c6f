/*
 * wave.c - waves (curve.h) of nodes, from those of their children and parents.
 */
#include <math.h>
#include <stdlib.h>

#include "curve.h"

static double
number(struct dp_normtree_real r)
{
	return ldexp((double)r.m, (int)r.x - 64);
}

void
dp_normtree_curve_level(const struct dp_normtree_curve *c, unsigned l)
{
	const struct dp_normtree_level *v = &c->p->level[l - 1];
	const double q = v->open ? 1 : number(v->beyond[0]);
	unsigned i;

	for (i = 0; i <= c->M; i++)
		c->g[i] = i <= c->p->A ? number(v->child[0][i]) : c->g[i - 1] * q;
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

bool
dp_normtree_next(const struct dp_normtree_curve *c, struct splits *s)
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

struct splits
dp_normtree_splits(const struct dp_normtree_curve *c, unsigned l, unsigned P)
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

/* to += w a; conjugate if turn is -1. */
static inline void
add(double *re, double *im, const double *ar, const double *ai, double w, double turn, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++) {
		re[i] += w * ar[i];
		im[i] += w * turn * ai[i];
	}
}

void
dp_normtree_up(const struct dp_normtree_curve *c, unsigned l, const struct wave *a,
    const struct wave *b, struct wave *to)
{
	const unsigned n = c->points;
	struct splits s;
	size_t x, y;
	double *re, *im, turn;
	unsigned P, i;

	dp_normtree_curve_level(c, l);
	for (P = 0; P <= c->M; P++) {
		re = memset(to->re + P * n, 0, n * sizeof *re);
		im = memset(to->im + P * n, 0, n * sizeof *im);
		s = dp_normtree_splits(c, l, P);
		while (dp_normtree_next(c, &s)) {
			x = s.x * (size_t)n;
			y = (size_t)abs(s.y) * n;
			turn = s.y < 0 ? -1 : 1;
			if (a == NULL) {
				add(re, im, b->re + x, b->im + x, s.w, 1, n);
				add(re, im, b->re + y, b->im + y, s.w, turn, n);
				continue;
			}
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

void
dp_normtree_down(const struct dp_normtree_curve *c, unsigned l, const struct wave *from,
    const struct wave *other, struct wave *to)
{
	const unsigned n = c->points;
	const double *tr, *ti, *re, *im;
	struct splits s;
	size_t x, y;
	double sum;
	unsigned P;

	dp_normtree_curve_level(c, l);
	memset(to->re, 0, c->row * sizeof *to->re);
	memset(to->im, 0, c->row * sizeof *to->im);
	for (P = 0; P <= c->M; P++) {
		for (s = dp_normtree_splits(c, l, P); dp_normtree_next(c, &s);)
			;
		sum = s.sum;
		tr = from->re + P * n;
		ti = from->im + P * n;
		s = dp_normtree_splits(c, l, P);
		while (dp_normtree_next(c, &s)) {
			x = s.x * (size_t)n;
			y = (size_t)abs(s.y) * n;
			s.w /= sum;
			if (other == NULL) {
				add(to->re + x, to->im + x, tr, ti, s.x == 0 ? 2 * s.w : s.w, 1, n);
				if (P != 0 && s.y >= 0)
					add(to->re + y, to->im + y, tr, ti, s.w, 1, n);
				if (P != 0 && s.y <= 0)
					add(to->re + y, to->im + y, tr, ti, s.w, -1, n);
				continue;
			}
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
void
dp_normtree_all_steps(const struct dp_normtree_curve *c, unsigned l, double z, struct wave *to)
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

void
dp_normtree_root_law(const struct dp_normtree_curve *c, struct wave *to)
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

void
dp_normtree_close(const struct dp_normtree_curve *c, const struct wave *before,
    const struct wave *after, double *phi)
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

void
dp_normtree_whole_tree(struct dp_normtree_curve *c, double z, double *phi)
{
	dp_normtree_all_steps(c, c->p->h, z, &c->child);
	dp_normtree_root_law(c, &c->other);
	dp_normtree_close(c, &c->other, &c->child, phi);
}
