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
	double *g, *k;		/* the level's, g of -M .. M at g[M + v] */
	double *a, *b;		/* what children have, from M down to -M */
};

static void
take_level(const struct moment *m, unsigned l)
{
	const struct dp_normtree_level *v = &m->p->level[l - 1];
	const double q = v->open ? 1 : number(v->beyond[0]);
	double *g = m->g + m->M;
	unsigned i;

	for (i = 0; i <= m->M; i++)
		g[i] = i <= m->p->A ? number(v->child[0][i]) : g[i - 1] * q;
	for (i = 1; i <= m->M; i++)
		m->g[m->M - i] = g[i];
	for (i = 0; i <= m->p->A; i++)
		m->k[i] = number(v->fall[i]);
}

#define STRETCH	32
#define ABREAST	4	/* sums that a machine adds side by side */

/*
 * n splits of P, one after the other, j = 0, 1, .. off the middle: up[] goes on to P/2 + j, down[]
 * to P/2 - j.
 */
struct stretch {
	double w[STRETCH];		/* weights */
	const double *k;		/* that they have besides g; NULL: none, but `flat` */
	double flat;
	const double *g[2];		/* up, down */
	const double *up[4], *down[4];	/* of a, b, and both mirrored */
};

/* w[from .. to) */
static inline void
weigh(struct stretch *s, unsigned from, unsigned to)
{
	const double *restrict g = s->g[0], *restrict h = s->g[1], *restrict k = s->k;
	double *restrict w = s->w, flat = s->flat;
	unsigned i;

	if (k != NULL)
		for (i = from; i < to; i++)
			w[i] = g[i] * h[i] * k[i];
	else
		for (i = from; i < to; i++)
			w[i] = g[i] * h[i] * flat;
}

/* sum[0] += w, sum[1] += w (a b + a b) of P's splits, sum[2] the same of -P's. */
static inline void
add(double (*restrict sum)[ABREAST], const struct stretch *s, unsigned n)
{
	const double *w = s->w, *a = s->up[0], *b = s->up[1], *ra = s->up[2], *rb = s->up[3];
	const double *da = s->down[0], *db = s->down[1], *dra = s->down[2], *drb = s->down[3];
	unsigned i, k;

	for (i = 0; i + ABREAST <= n; i += ABREAST)
		for (k = 0; k < ABREAST; k++) {
			sum[0][k] += w[i + k];
			sum[1][k] += w[i + k] * (a[i + k] * drb[i + k] + dra[i + k] * b[i + k]);
			sum[2][k] += w[i + k] * (ra[i + k] * db[i + k] + da[i + k] * rb[i + k]);
		}
	for (; i < n; i++) {
		sum[0][0] += w[i];
		sum[1][0] += w[i] * (a[i] * drb[i] + dra[i] * b[i]);
		sum[2][0] += w[i] * (ra[i] * db[i] + da[i] * rb[i]);
	}
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void
weigh_avx2(struct stretch *s, unsigned from, unsigned to)
{
	weigh(s, from, to);
}

__attribute__((target("avx2"))) static void
add_avx2(double (*restrict sum)[ABREAST], const struct stretch *s, unsigned n)
{
	add(sum, s, n);
}
#endif

static void
weigh_part(struct stretch *s, unsigned from, unsigned to)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2")) {
		weigh_avx2(s, from, to);
		return;
	}
#endif
	weigh(s, from, to);
}

static void
add_stretch(double (*sum)[ABREAST], const struct stretch *s, unsigned n)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2")) {
		add_avx2(sum, s, n);
		return;
	}
#endif
	add(sum, s, n);
}

static unsigned
within(unsigned from, unsigned x, unsigned n)
{
	return x < from ? 0 : x - from < n ? x - from : n;
}

/* Weights of P's splits into P/2 + j, rounded up, and the rest, as table.c has them, j = from .. */
static void
set_weights(const struct moment *m, struct stretch *s, bool open, unsigned P, unsigned from,
    unsigned n)
{
	const unsigned A = m->p->A, half = P / 2, cap = open ? A : P < A ? A - P : 0;
	const unsigned falls = within(from, half + 1, n), ends = within(from, half + cap + 1, n);

	s->g[0] = m->g + m->M + (P - half) + from;
	s->g[1] = m->g + m->M - half + from;
	s->k = NULL;
	s->flat = 1;
	weigh_part(s, 0, falls);
	s->flat = open ? 0 : m->k[cap];
	weigh_part(s, ends, n);
	s->k = m->k - half + from;
	weigh_part(s, falls, ends);
	if (from == 0 && P % 2 == 0)
		s->w[0] /= 2;
}

static double
total(const double v[static ABREAST])
{
	return v[0] + v[1] + (v[2] + v[3]);
}

static void
mirror(double *to, const double *from, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		to[i] = from[n - 1 - i];
}

/* u of P from those of both children. */
static void
combine(const struct moment *m, unsigned l, const double *a, const double *b, double *u)
{
	const bool open = m->p->level[l - 1].open;
	const unsigned M = m->M;
	const double *const of[4] = { a, b, m->a, m->b };
	double sum[3][ABREAST];
	struct stretch s;
	unsigned P, j, n, i;

	mirror(m->a, a, 2 * (size_t)M + 1);
	mirror(m->b, b, 2 * (size_t)M + 1);
	for (P = 0; P <= M; P++) {
		memset(sum, 0, sizeof sum);
		for (j = 0; P - P / 2 + j <= M; j += n) {
			n = M - (P - P / 2 + j) + 1;
			n = n < STRETCH ? n : STRETCH;
			for (i = 0; i < 4; i++) {
				s.up[i] = of[i] + M + (P - P / 2) + j;
				s.down[i] = of[i] + M - P / 2 + j;
			}
			set_weights(m, &s, open, P, j, n);
			add_stretch(sum, &s, n);
			/* cppcheck-suppress negativeIndex	; n >= 1 while j goes on */
			if (s.w[n - 1] < LEAST * total(sum[0]))
				break;
		}
		u[M + P] = total(sum[1]) / (2 * total(sum[0]));
		u[M - P] = total(sum[2]) / (2 * total(sum[0]));
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

/* Two arrays of 4 A + 1 a level, one more, two mirrored, and those of take_level(). */
size_t
dp_normtree_room(const struct dp_normtree *p)
{
	return ((4 * (size_t)p->A + 1) * (2 * p->h + 6) + (size_t)p->A + 1) *
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

	m.a = room + n * (2 * p->h + 3);
	m.b = m.a + n;
	m.g = m.b + n;
	m.k = m.g + n;
	k = tree(&m, part->from & (T - 1), first == last ? part->to - first * T : T, room,
	    room + n);
	if (first < last)
		k += tree(&m, 0, part->to - last * T, room, room + n);
	if (last > first + 1)
		k += (double)(last - first - 1) * tree(&m, 0, T, room, room + n);
	return k;
}
