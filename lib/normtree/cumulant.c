/*
 * cumulant.c - the law of the noise in one estimate: log E exp(s noise) where no node's noise on
 * the way is beyond 2A, by a recursion over the nodes that the counted steps cut, at most two a
 * level.
 */
#include <math.h>
#include <stdlib.h>

#include "wave.h"

#define LEAST	1e-25	/* of a sum: a weight that is less is left out, for a node is that rarely */

static double
number(struct dp_normtree_real r)
{
	return ldexp((double)r.m, (int)r.x - 64);
}

/* A node's function u(P) = E[exp(s (its counted steps)) | P], |P| <= M, at u[M + P]. */
struct moment {
	const struct dp_normtree *p;
	double s;
	unsigned M;		/* 2A */
	double *g, *k;		/* the level's, g as far as M */
};

static void
take_level(const struct moment *m, unsigned l)
{
	const struct dp_normtree_level *v = &m->p->level[l - 1];
	const double q = v->open ? 1 : number(v->beyond);
	unsigned i;

	for (i = 0; i <= m->M; i++)
		m->g[i] = i <= m->p->A ? number(v->child[i]) : m->g[i - 1] * q;
	for (i = 0; i <= m->p->A; i++)
		m->k[i] = number(v->fall[i]);
}

/* Weights of P's splits into P/2 + j, rounded up, and the rest, as table.c has them. */
static double
weight(const struct moment *m, bool open, unsigned P, unsigned j)
{
	const unsigned A = m->p->A, half = P / 2, b = j > half ? j - half : half - j;
	unsigned y = j > half ? b : 0, cap = open ? A : P < A ? A - P : 0;

	return m->g[P - half + j] * m->g[b] * (open && y > A ? 0 : m->k[y < cap ? y : cap]);
}

/* u of P from those of both children. */
static void
combine(const struct moment *m, unsigned l, const double *a, const double *b, double *u)
{
	const bool open = m->p->level[l - 1].open;
	const ptrdiff_t M = m->M;
	double sum, plus, minus, w;
	ptrdiff_t P, x, y;
	unsigned j;

	for (P = 0; P <= M; P++) {
		sum = plus = minus = 0;
		for (j = 0; P - P / 2 + j <= M; j++) {
			w = weight(m, open, (unsigned)P, j);
			if (w < LEAST * sum)
				break;
			w = j == 0 && P % 2 == 0 ? w / 2 : w;
			x = P - P / 2 + j;
			y = P / 2 - j;
			sum += 2 * w;
			plus += w * (a[M + x] * b[M + y] + a[M + y] * b[M + x]);
			minus += w * (a[M - x] * b[M - y] + a[M - y] * b[M - x]);
		}
		u[M + P] = plus / sum;
		u[M - P] = minus / sum;
	}
}

/*
 * u of a node of level l whose counted steps are its lo-th to its hi-th, hi not included.  room:
 * two arrays a level.
 */
static void
node(const struct moment *m, unsigned l, uint64_t lo, uint64_t hi, double *u, double *room)
{
	const uint64_t half = l == 0 ? 0 : (uint64_t)1 << (l - 1);
	const size_t n = 2 * (size_t)m->M + 1;
	size_t i;

	if (lo == hi || (lo == 0 && hi == 2 * half) || l == 0) {
		for (i = 0; i < n; i++)
			u[i] = lo == hi ? 1 : exp(m->s * ((double)i - m->M));
		return;
	}
	node(m, l - 1, lo < half ? lo : half, hi < half ? hi : half, room, room + 2 * n);
	node(m, l - 1, lo > half ? lo - half : 0, hi > half ? hi - half : 0, room + n,
	    room + 2 * n);
	take_level(m, l);
	combine(m, l, room, room + n, u);
}

/* log E exp(s ..) of a tree's counted steps. */
static double
tree(const struct moment *m, uint64_t lo, uint64_t hi, double *u, double *room)
{
	const struct dp_normtree *p = m->p;
	double r, sum = 0, all = 0;
	const ptrdiff_t M = m->M;
	ptrdiff_t P;

	node(m, p->h, lo, hi, u, room);
	for (r = 0, P = 0; P <= M; P++) {
		r = P <= (ptrdiff_t)p->A ? number(p->root[P]) : r * number(p->beyond);
		sum += P == 0 ? u[M] * r : (u[M + P] + u[M - P]) * r;
		all += P == 0 ? r : 2 * r;
	}
	return isfinite(sum) ? log(sum / all) + 1e-9 : INFINITY;
}

/* Two arrays of 4 A + 1 a level, one more, and those of take_level(). */
size_t
dp_normtree_room(const struct dp_normtree *p)
{
	return ((4 * (size_t)p->A + 1) * (2 * p->h + 3) + 3 * (size_t)p->A + 2) *
	    sizeof *p->room;
}

double
dp_normtree_cumulant(const struct dp_law_part *part, double s)
{
	const struct dp_normtree *p = part->of;
	const uint64_t T = (uint64_t)1 << p->h, first = part->from >> p->h;
	const uint64_t last = (part->to - 1) >> p->h;
	struct moment m = { .p = p, .s = s, .M = 2 * p->A };
	const size_t n = 2 * (size_t)m.M + 1;
	double *const room = p->room, k;

	m.g = room + n * (2 * p->h + 3);
	m.k = m.g + m.M + 1;
	k = tree(&m, part->from & (T - 1), first == last ? part->to - first * T : T, room,
	    room + n);
	if (first < last)
		k += tree(&m, 0, part->to - last * T, room, room + n);
	if (last > first + 1)
		k += (double)(last - first - 1) * tree(&m, 0, T, room, room + n);
	return k;
}
