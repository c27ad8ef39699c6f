/*
 * cumulant.c - the law of the noise in one estimate: log E exp(s noise) where no node's noise on
 * the way is beyond 2A, by a recursion over the nodes that the counted steps cut, at most two a
 * level.  Of a tree of kinds the first steps are counted, as a count's are: one a level.
 *
 * Roughly it is that of the multiples of a grain: the tables' numbers there are a law of its own,
 * of nearly the same form where the tables are long, and found in a grain's square of the time.
 */
#include <math.h>
#include <stdlib.h>

#include "cumulant.h"

#define ROUGH	96u	/* grains in A, at least */
#define LEAST	1e-25	/* of a sum: a weight that is less is left out, for a node is that rarely */

static double
number(struct dp_real r)
{
	return ldexp((double)r.m, (int)r.x - 64);
}

/* Numbers for each s. */
struct side {
	double at[DP_LAW_ABREAST];
};

/* A node's function u(P) = E[exp(s (its counted steps)) | P], |P| <= M, at u[M + P]. */
struct moment {
	const struct dp_normtree *p;
	struct side s;
	unsigned grain;		/* of all that follows */
	unsigned M;		/* 2A */
	/* the kind's, g of -M .. M at g[M + v]; the weights of one P, larger part left and right */
	double *g[2], *k, *w[2];
};

static void
take_side(const struct moment *m, const struct dp_normtree_level *v, unsigned side)
{
	const double q = v->open ? 1 : pow(number(v->beyond[side]), m->grain);
	double *g = m->g[side] + m->M;
	unsigned i;

	for (i = 0; i <= m->M; i++)
		g[i] = i * m->grain <= v->reach[side] ? number(v->child[side][i * m->grain]) :
		    g[i - 1] * q;
	for (i = 1; i <= m->M; i++)
		m->g[side][m->M - i] = g[i];
}

static void
take_kind(const struct moment *m, const struct dp_normtree_level *v)
{
	const double q = v->open ? pow(number(v->fade), m->grain) : 0;
	unsigned i;

	take_side(m, v, 0);
	take_side(m, v, 1);
	for (i = 0; i <= m->M; i++)	/* of a pair of steps it goes on */
		m->k[i] = i * m->grain <= v->A ? number(v->fall[i * m->grain]) : m->k[i - 1] * q;
}

#define STRETCH	32

/*
 * n splits of P, one after the other, j = 0, 1, .. off the middle, into P/2 + j, rounded up, and
 * P/2 - j.
 */
struct stretch {
	double *w;			/* weights */
	const double *k;		/* that they have besides g; NULL: none, but `flat` */
	double flat;
	const double *g[2];		/* up, down */
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

/*
 * One child's function, the other's being 1: up[j], down[-j] are those of P's splits, which have
 * the weights w and v, and so many before and behind zero those of -P's.
 */
static inline void
add_one(struct side *restrict sum, const double *restrict w, const double *restrict v,
    const struct side *zero, ptrdiff_t up, ptrdiff_t down, unsigned n)
{
	const struct side *a = zero + up, *b = zero + down, *c = zero - up, *d = zero - down;
	struct side x = { { 0 } }, y = { { 0 } };
	unsigned i;

	for (; n > 0; n--, w++, v++, a++, b--, c--, d++)
		for (i = 0; i < DP_LAW_ABREAST; i++) {
			x.at[i] += *w * a->at[i] + *v * b->at[i];
			y.at[i] += *w * c->at[i] + *v * d->at[i];
		}
	sum[0] = x;
	sum[1] = y;
}

/* Both children's, which are alike. */
static inline void
add_two(struct side *restrict sum, const double *restrict w, const struct side *a,
    const struct side *b, ptrdiff_t up, ptrdiff_t down, unsigned n)
{
	const struct side *x = a + up, *y = a + down, *v = b + up, *z = b + down;
	struct side all = { { 0 } };
	unsigned j, i;

	for (j = 0; j < n; j++)
		for (i = 0; i < DP_LAW_ABREAST; i++)
			all.at[i] += w[j] * (x[j].at[i] * (z - j)->at[i] +
			    (y - j)->at[i] * v[j].at[i]);
	*sum = all;
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void
weigh_avx2(struct stretch *s, unsigned from, unsigned to)
{
	weigh(s, from, to);
}

__attribute__((target("avx2"))) static void
add_one_avx2(struct side *restrict sum, const double *restrict w, const double *restrict v,
    const struct side *zero, ptrdiff_t up, ptrdiff_t down, unsigned n)
{
	add_one(sum, w, v, zero, up, down, n);
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
add_part(struct side *sum, const double *w, const double *v, const struct side *zero,
    ptrdiff_t up, ptrdiff_t down, unsigned n)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2")) {
		add_one_avx2(sum, w, v, zero, up, down, n);
		return;
	}
#endif
	add_one(sum, w, v, zero, up, down, n);
}

static unsigned
within(unsigned from, unsigned x, unsigned n)
{
	return x < from ? 0 : x - from < n ? x - from : n;
}

/*
 * Weights of P's splits into P/2 + j, rounded up, for the child of that side, and the rest for the
 * other, as table.c has them, j = from ..
 */
static void
set_weights(const struct moment *m, struct stretch *s, const struct dp_normtree_level *v,
    unsigned side, unsigned P, unsigned from, unsigned n)
{
	const unsigned half = P / 2, A = v->A / m->grain;
	const unsigned cap = v->open ? m->M : P < A ? A - P : 0;
	const unsigned falls = within(from, half + 1, n), ends = within(from, half + cap + 1, n);

	s->g[0] = m->g[side] + m->M + (P - half) + from;
	s->g[1] = m->g[!side] + m->M - half + from;
	s->k = NULL;
	s->flat = 1;
	weigh_part(s, 0, falls);
	s->flat = m->k[cap];
	weigh_part(s, ends, n);
	s->k = m->k - half + from;
	weigh_part(s, falls, ends);
	if (from == 0 && P % 2 == 0)
		s->w[0] /= 2;
}

/* Weights of one side, to m->w[side]; returns the number that matter.  *all: their sum. */
static unsigned
weights(const struct moment *m, const struct dp_normtree_level *v, unsigned side, unsigned P,
    double *all)
{
	const unsigned end = m->M - (P - P / 2) + 1;
	struct stretch s = { .w = m->w[side] };
	double sum[4] = { 0 };		/* side by side */
	unsigned j, n, i;

	for (*all = 0, j = 0; j < end; j += n, s.w += n) {
		n = end - j < STRETCH ? end - j : STRETCH;
		set_weights(m, &s, v, side, P, j, n);
		for (i = 0; i < n; i++)
			sum[i % 4] += s.w[i];
		*all = sum[0] + sum[1] + (sum[2] + sum[3]);
		/* cppcheck-suppress negativeIndex	; n >= 1 while j goes on */
		if (s.w[n - 1] < LEAST * *all)
			return j + n;
	}
	return end;
}

/* u of P from that of the child a of a side, the other's being b, or 1 if that is NULL. */
static void
combine(const struct moment *m, const struct dp_normtree_level *v, unsigned side,
    const struct side *a, const struct side *b, struct side *u)
{
	const bool alike = v->child[0] == v->child[1];
	const ptrdiff_t M = m->M;
	struct side sum[2];
	ptrdiff_t up, down;
	unsigned P, n, other, i;
	double all[2];

	for (P = 0; P <= m->M; P++) {
		n = weights(m, v, side, P, &all[0]);
		all[1] = all[0];
		if (!alike) {
			other = weights(m, v, !side, P, &all[1]);
			for (i = n; i < other; i++)
				m->w[side][i] = 0;
			for (i = other; i < n; i++)
				m->w[!side][i] = 0;
			n = n > other ? n : other;
		}
		up = P - P / 2;
		down = P / 2;
		if (b != NULL) {
			add_two(&sum[0], m->w[side], a, b, M + up, M + down, n);
			add_two(&sum[1], m->w[side], a, b, M - down, M - up, n);
		} else
			add_part(sum, m->w[side], m->w[alike ? side : !side], a + M, up, down, n);
		for (i = 0; i < DP_LAW_ABREAST; i++) {
			u[M + P].at[i] = sum[0].at[i] / (all[0] + all[1]);
			u[M - P].at[i] = sum[1].at[i] / (all[0] + all[1]);
		}
	}
}

/* u times exp(by s P), by 1 or -1. */
static void
tilt(const struct moment *m, struct side *u, double by)
{
	const ptrdiff_t M = m->M;
	ptrdiff_t P;
	unsigned i;

	for (P = -M; P <= M; P++)
		for (i = 0; i < DP_LAW_ABREAST; i++)
			u[M + P].at[i] *= exp(by * m->s.at[i] * (double)P);
}

static bool
trivial(unsigned l, uint64_t lo, uint64_t hi)
{
	return lo == hi || (lo == 0 && hi == (uint64_t)1 << l);
}

/* A step's is 0. */
static unsigned
level_of(const struct dp_normtree *p, unsigned kind)
{
	return kind == DP_NORMTREE_STEP ? 0 : p->shape.kind[kind].level;
}

/*
 * u of a node of a kind whose counted steps are its lo-th to its hi-th, hi not included.  Of its
 * children one is cut, and the other has none of them, whose u is 1, or all, whose u is exp(s of
 * what it has): exp(s P) then, and the cut one's is tilted by what it has.  At most one node on
 * the way has two that are cut, none of a count.  room: another array, and one more where that may
 * be.
 */
static void
node(const struct moment *m, unsigned kind, uint64_t lo, uint64_t hi, struct side *u,
    struct side *room, struct side *more)
{
	const unsigned l = level_of(m->p, kind);
	const uint64_t half = l == 0 ? 0 : (uint64_t)1 << (l - 1);
	const uint64_t part[2][2] = { { lo < half ? lo : half, hi < half ? hi : half },
	    { lo > half ? lo - half : 0, hi > half ? hi - half : 0 } };
	const size_t n = 2 * (size_t)m->M + 1;
	const uint64_t *cut, *rest;
	const uint16_t *child;
	unsigned side;
	size_t i;

	if (trivial(l, lo, hi)) {
		for (i = 0; i < n * DP_LAW_ABREAST; i++)
			u[i / DP_LAW_ABREAST].at[i % DP_LAW_ABREAST] = 1;
		if (lo != hi)
			tilt(m, u, 1);
		return;
	}
	child = m->p->shape.kind[kind].child;
	side = trivial(level_of(m->p, child[0]), part[0][0], part[0][1]);
	cut = part[side];
	rest = part[!side];
	node(m, child[side], cut[0], cut[1], room, u, more);
	if (!trivial(level_of(m->p, child[!side]), rest[0], rest[1])) {
		node(m, child[!side], rest[0], rest[1], more, u, NULL);
		take_kind(m, &m->p->level[kind]);
		combine(m, &m->p->level[kind], side, room, more, u);
		return;
	}
	if (rest[0] != rest[1])
		tilt(m, room, -1);
	take_kind(m, &m->p->level[kind]);
	combine(m, &m->p->level[kind], side, room, NULL, u);
	if (rest[0] != rest[1])
		tilt(m, u, 1);
}

/* Adds log E exp(s ..) of a tree's counted steps, `times`. */
static void
tree(const struct moment *m, uint64_t lo, uint64_t hi, double times, struct side *u, double *k,
    unsigned n)
{
	const struct dp_normtree *p = m->p;
	const size_t size = 2 * (size_t)m->M + 1;
	const ptrdiff_t M = m->M, A = p->A / m->grain;
	const double q = pow(number(p->beyond), m->grain);
	double r, sum, all;
	ptrdiff_t P;
	unsigned i;

	node(m, p->shape.kinds - 1, lo, hi, u, u + size, u + 2 * size);
	for (i = 0; i < n; i++) {
		for (r = sum = all = 0, P = 0; P <= M; P++) {
			r = P <= A ? number(p->root[P * m->grain]) : r * q;
			sum += P == 0 ? u[M].at[i] * r : (u[M + P].at[i] + u[M - P].at[i]) * r;
			all += P == 0 ? r : 2 * r;
		}
		k[i] += isfinite(sum) ? times * (log(sum / all) + 1e-9) : INFINITY;
	}
}

/* Three arrays of 4 A + 1 for each s, those of take_kind(), and weights. */
size_t
dp_normtree_room(const struct dp_normtree *p)
{
	return (4 * (size_t)p->A + 1) * (3 * sizeof(struct side) + 4 * sizeof *p->laws.room) +
	    (2 * (size_t)p->A + 1) * sizeof *p->laws.room;
}

void
dp_normtree_cumulant(const struct dp_law_part *part, const double *s, unsigned n, double *k)
{
	const struct dp_normtree *p = part->of;
	const uint64_t T = (uint64_t)1 << p->h, first = part->from >> p->h;
	const uint64_t last = (part->to - 1) >> p->h;
	const unsigned grain = part->rough && p->A >= 2 * ROUGH ? p->A / ROUGH : 1;
	struct moment m = { .p = p, .grain = grain, .M = 2 * (p->A / grain) };
	const size_t size = 2 * (size_t)m.M + 1;
	struct side *const u = (struct side *)p->laws.room;
	unsigned i;

	for (i = 0; i < n; i++) {
		m.s.at[i] = s[i] * grain;
		k[i] = 0;
	}
	m.w[0] = (double *)(u + 3 * size);
	m.w[1] = m.w[0] + size;
	m.g[0] = m.w[1] + size;
	m.g[1] = m.g[0] + size;
	m.k = m.g[1] + size;
	tree(&m, part->from & (T - 1), first == last ? part->to - first * T : T, 1, u, k, n);
	if (first < last)
		tree(&m, 0, part->to - last * T, 1, u, k, n);
	if (last > first + 1)
		tree(&m, 0, T, (double)(last - first - 1), u, k, n);
}
