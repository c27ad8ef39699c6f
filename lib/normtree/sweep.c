/*
 * sweep.c - characteristic functions (sweep.h), from the root down to a block of steps, and from a
 * step up to it.
 */
#include <math.h>
#include <stdlib.h>

#include "place.h"
#include "sweep.h"
#include "wave.h"

#define LOW	4	/* log2 of the steps of a block, at most: of kinds that come often, */
#define LOW_KINDS	3	/* and where there are many */
#define WIDE	4	/* points are of so many together */
#define ABREAST	8	/* and rows */
#define OUTSIDE	1e-3	/* in parts of gamma: what M is for, if a law is the widest */

/* Both functions of a node at all points: [v * points + point]. */
struct half {
	double *x, *y;
};

/* What a kind is split by: K and J of its children, [P * (M of the child + 1) + u]. */
struct split {
	double *even[2], *odd[2];
	struct half *first;		/* of its first n steps, [n - 1], once they are asked for */
};

/* The nodes on the way to a block, from the root on. */
struct way {
	unsigned n;
	struct {
		uint64_t base;
		unsigned kind;
		struct half at;
	} node[DP_NORMTREE_LEVELS + 1];
};

/* All that there is for one set of points. */
struct sweep {
	double gamma, sigma, step;
	unsigned points, stride, low;
	unsigned M[DP_NORMTREE_LEVELS + 1];	/* of a level's nodes */
	double *cosine, *sine;			/* of s v: as a wave has them */
	struct half spare;
	struct way way[2];
	struct split split[DP_NORMTREE_KINDS];
	double whole[DP_LAW_POINTS + 1];
	bool whole_known;
};

#define SWEEPS	DP_NORMTREE_SETS

struct dp_normtree_sweeps {
	struct sweep *of[SWEEPS];
};

static void
free_sweep(struct sweep *q)
{
	unsigned i, n;

	if (q == NULL)
		return;
	for (i = 0; i < DP_NORMTREE_KINDS; i++) {
		for (n = 0; q->split[i].first != NULL && n < 1u << LOW; n++)
			free(q->split[i].first[n].x);
		free(q->split[i].first);
		free(q->split[i].even[0]);
	}
	for (i = 0; i <= DP_NORMTREE_LEVELS; i++) {
		free(q->way[0].node[i].at.x);
		free(q->way[1].node[i].at.x);
	}
	free(q->cosine);
	free(q->spare.x);
	free(q);
}

static bool
new_wave(const struct sweep *q, unsigned M, struct half *to)
{
	const size_t n = (size_t)(M + 1) * q->stride;

	if (to->x == NULL && (to->x = calloc(2 * n, sizeof *to->x)) == NULL)
		return false;
	to->y = to->x + n;
	return true;
}

static bool
set_points(struct sweep *q, const struct dp_normtree *p, double gamma, double step, unsigned n)
{
	unsigned l, most = 0, v, i;
	double M, angle;

	q->gamma = gamma;
	q->step = step;
	q->points = n;
	q->stride = (n + WIDE) / WIDE * WIDE;
	q->low = p->shape.chain ? LOW : LOW_KINDS;
	for (l = 0; l <= p->h; l++) {
		M = ceil(dp_law_spread(ldexp(p->var[l], -2 * (int)p->fine)) *
		    dp_law_widest(gamma * OUTSIDE));
		q->M[l] = M < 2 * p->A ? (unsigned)M : 2 * p->A;
		most = q->M[l] > most ? q->M[l] : most;
	}
	if (!new_wave(q, most, &q->spare) || (q->cosine = malloc(2 * (size_t)(most + 1) *
	    q->stride * sizeof *q->cosine)) == NULL)
		return false;
	q->sine = q->cosine + (size_t)(most + 1) * q->stride;
	for (v = 0; v <= most; v++)
		for (i = 0; i < q->stride; i++) {
			angle = i == n ? 0 : (i + 1) * step * v;
			q->cosine[v * q->stride + i] = cos(angle);
			q->sine[v * q->stride + i] = sin(angle);
		}
	return true;
}

/* ---- products ---- */

/* A matrix as it lies: entry (i, j) at [i * row + j * column]. */
struct matrix {
	const double *at;
	size_t row, column;
	unsigned rows, columns;
};

/* to += the sum of ABREAST of a row's numbers times as many rows. */
DP_INLINE void
add_rows(double *restrict to, const double *restrict from, const double *restrict a,
    size_t column, size_t n)
{
	const double a0 = a[0], a1 = a[column], a2 = a[2 * column], a3 = a[3 * column];
	const double a4 = a[4 * column], a5 = a[5 * column], a6 = a[6 * column];
	const double a7 = a[7 * column];
	size_t i;

	for (i = 0; i < n; i++)
		to[i] += ((a0 * from[i] + a1 * from[i + n]) +
		    (a2 * from[i + 2 * n] + a3 * from[i + 3 * n])) +
		    ((a4 * from[i + 4 * n] + a5 * from[i + 5 * n]) +
		    (a6 * from[i + 6 * n] + a7 * from[i + 7 * n]));
}

DP_INLINE void
multiply(const struct matrix *m, const double *restrict from, double *restrict to, size_t n)
{
	const double *row;
	unsigned i, j;
	size_t k;

	memset(to, 0, m->rows * n * sizeof *to);
	for (i = 0; i < m->rows; i++, to += n) {
		row = m->at + i * m->row;
		for (j = 0; j + ABREAST <= m->columns; j += ABREAST)
			add_rows(to, from + j * n, row + j * m->column, m->column, n);
		for (; j < m->columns; j++)
			for (k = 0; k < n; k++)
				to[k] += row[j * m->column] * from[j * n + k];
	}
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void
multiply_avx2(const struct matrix *m, const double *from, double *to, size_t stride)
{
	multiply(m, from, to, stride);
}
#endif

static void
product(const struct matrix *m, const double *from, double *to, size_t stride)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2")) {
		multiply_avx2(m, from, to, stride);
		return;
	}
#endif
	multiply(m, from, to, stride);
}

/* exp(i s v), or with back exp(-i s v), times all up to v = M. */
static void
turn(const struct sweep *q, unsigned M, bool back, const struct half *from, struct half *to)
{
	const size_t n = (size_t)(M + 1) * q->stride;
	const double sign = back ? -1 : 1;
	double x, s;
	size_t i;

	for (i = 0; i < n; i++) {
		s = sign * q->sine[i];
		x = from->x[i];
		to->x[i] = x * q->cosine[i] - from->y[i] * s;
		to->y[i] = x * s + from->y[i] * q->cosine[i];
	}
}

/* ---- kinds ---- */

static unsigned
child_level(const struct dp_normtree *p, unsigned kind, unsigned side)
{
	const unsigned child = p->shape.kind[kind].child[side];

	return child == DP_NORMTREE_STEP ? 0 : p->shape.kind[child].level;
}

/* The kind's K and J, as far as they are looked at. */
static bool
set_split(struct split *to, const struct dp_normtree *p, const struct sweep *q, unsigned kind)
{
	const unsigned M = q->M[p->shape.kind[kind].level];
	const size_t last = 3 * (size_t)p->A + 2;
	struct dp_normtree_row_of row;
	struct work w;
	double *space, *buffer;
	size_t n[2], all;
	unsigned P, side;

	for (side = 0; side < 2; side++)
		n[side] = q->M[child_level(p, kind, side)] + 1;
	all = (M + 1) * (n[0] + n[1]);
	space = malloc(dp_normtree_work(p->A));
	buffer = malloc(4 * (last + 1) * sizeof *buffer);
	if (space == NULL || buffer == NULL || (to->even[0] = malloc(2 * all *
	    sizeof *buffer)) == NULL) {
		free(space);
		free(buffer);
		return false;
	}
	to->even[1] = to->even[0] + (M + 1) * n[0];
	to->odd[0] = to->even[0] + all;
	to->odd[1] = to->odd[0] + (M + 1) * n[0];
	for (side = 0; side < 2; side++) {
		row.even[side] = buffer + 2 * side * (last + 1);
		row.odd[side] = row.even[side] + last + 1;
	}
	dp_normtree_start(&w, p->A, p->fine, space);
	dp_normtree_take(&w, p, kind);
	for (P = 0; P <= M; P++) {
		memset(buffer, 0, 4 * (last + 1) * sizeof *buffer);
		(void)dp_normtree_row_of(&w, P, &row);
		for (side = 0; side < 2; side++) {
			memcpy(to->even[side] + P * n[side], row.even[side],
			    n[side] * sizeof *buffer);
			memcpy(to->odd[side] + P * n[side], row.odd[side],
			    n[side] * sizeof *buffer);
		}
	}
	free(space);
	free(buffer);
	return true;
}

static struct split *
split_of(const struct dp_normtree *p, struct sweep *q, unsigned kind)
{
	struct split *s = &q->split[kind];

	return s->even[0] != NULL || set_split(s, p, q, kind) ? s : NULL;
}

/* K and J of a child, from the parent's to the child's, or back. */
static void
pass(const struct split *s, unsigned side, unsigned parent, unsigned child, bool up,
    const struct half *from, struct half *to, size_t stride)
{
	struct matrix m = { .row = up ? child + 1 : 1, .column = up ? 1 : child + 1,
	    .rows = (up ? parent : child) + 1, .columns = (up ? child : parent) + 1 };

	m.at = s->even[side];
	product(&m, from->x, to->x, stride);
	m.at = s->odd[side];
	product(&m, from->y, to->y, stride);
}

/* ---- a step ---- */

/* What the first n steps of a node of few have; those of a step: all. */
static const struct half *
first_steps(const struct dp_normtree *p, struct sweep *q, unsigned kind, uint64_t n)
{
	const unsigned level = p->shape.kind[kind].level, M = q->M[level];
	const uint64_t half = (uint64_t)1 << (level - 1);
	const unsigned side = n > half, low = child_level(p, kind, side), Mc = q->M[low];
	struct split *s = split_of(p, q, kind);
	const uint64_t of = n - side * half;
	const struct half *child;
	struct half *to, all = { q->cosine, q->sine };

	if (s == NULL || (s->first == NULL && (s->first = calloc(1u << LOW,
	    sizeof *s->first)) == NULL))
		return NULL;
	to = &s->first[n - 1];
	if (to->x != NULL)
		return to;
	child = of == (uint64_t)1 << low ? &all :
	    first_steps(p, q, p->shape.kind[kind].child[side], of);
	if (child == NULL || !new_wave(q, M, to))
		return NULL;
	if (n == 2 * half) {
		memcpy(to->x, q->cosine, (size_t)(M + 1) * q->stride * sizeof *to->x);
		memcpy(to->y, q->sine, (size_t)(M + 1) * q->stride * sizeof *to->y);
		return to;
	}
	if (side == 1) {
		turn(q, Mc, true, child, &q->spare);
		child = &q->spare;
	}
	pass(s, side, M, Mc, true, child, to, q->stride);
	if (side == 1)
		turn(q, M, false, to, to);
	return to;
}

/* The law of the root's size, n = M + 1 numbers of it. */
static void
root_law(const struct dp_normtree *p, double *to, unsigned n)
{
	const double q = dp_normtree_number(p->beyond);
	double r = 0, sum = 0;
	unsigned v;

	for (v = 0; v < n || v <= p->A; v++) {
		r = v <= p->A ? dp_normtree_number(p->root[v]) : r * q;
		r *= v == 1 ? 2 : 1;
		sum += r = v > 1 && v <= p->A ? 2 * r : r;
		if (v < n)
			to[v] = r;
	}
	sum += r * q / (1 - q);
	for (v = 0; v < n; v++)
		to[v] /= sum;
}

static bool
set_root(const struct dp_normtree *p, const struct sweep *q, struct half *to)
{
	double law[2 * DP_NORMTREE_REACH + 1];
	unsigned v, i;

	if (!new_wave(q, q->M[p->h], to))
		return false;
	root_law(p, law, q->M[p->h] + 1);
	for (v = 0; v <= q->M[p->h]; v++)
		for (i = 0; i < q->stride; i++)
			to->x[v * q->stride + i] = law[v];
	return true;
}

/* The last node of the way to step t, which has few steps. */
static bool
find_way(const struct dp_normtree *p, struct sweep *q, struct way *way, uint64_t t)
{
	unsigned n, kind, level, side, child;
	struct split *s;
	uint64_t base;

	if (way->n == 0) {
		if (!set_root(p, q, &way->node[0].at))
			return false;
		way->node[0].kind = p->shape.kinds - 1;
		way->n = 1;
	}
	for (n = 1; n < way->n; n++) {	/* what the ways have in common */
		level = p->shape.kind[way->node[n].kind].level;
		if (t <= way->node[n].base || t - way->node[n].base > (uint64_t)1 << level)
			break;
	}
	for (;; n++) {
		kind = way->node[n - 1].kind;
		base = way->node[n - 1].base;
		level = p->shape.kind[kind].level;
		way->n = n;
		if (level <= q->low)
			return true;
		side = t - base > (uint64_t)1 << (level - 1);
		child = p->shape.kind[kind].child[side];
		if ((s = split_of(p, q, kind)) == NULL)
			return false;
		level = p->shape.kind[child].level;
		free(way->node[n].at.x);	/* nodes of another level */
		way->node[n].at.x = NULL;
		if (!new_wave(q, q->M[level], &way->node[n].at))
			return false;
		if (side == 1)
			turn(q, q->M[p->shape.kind[kind].level], false, &way->node[n - 1].at,
			    &q->spare);
		pass(s, side, q->M[p->shape.kind[kind].level], q->M[level], false,
		    side == 1 ? &q->spare : &way->node[n - 1].at, &way->node[n].at, q->stride);
		if (side == 1)
			turn(q, q->M[level], true, &way->node[n].at, &way->node[n].at);
		way->node[n].kind = child;
		way->node[n].base = base + (side == 1 ?
		    (uint64_t)1 << (p->shape.kind[kind].level - 1) : 0);
	}
}

/*
 * phi *= that of what came before, and what follows.  Where s = 0 it is 1, less what was left out:
 * that is what a tail is off by, at most.
 */
static void
close_wave(const struct sweep *q, unsigned M, const struct half *before, const struct half *after,
    double *phi, double *off)
{
	double sum[DP_LAW_POINTS + WIDE] = { 0 };
	const size_t n = q->stride;
	size_t i, v;

	for (v = 0; v <= M; v++)
		for (i = 0; i < n; i++)
			sum[i] += before->x[v * n + i] * after->x[v * n + i] -
			    before->y[v * n + i] * after->y[v * n + i];
	for (i = 0; i < q->points; i++)
		phi[i] *= sum[i];
	*off += fmax(1 - sum[q->points], 0);
}

/* phi *= that of the first t steps of a tree. */
static bool
add_steps(const struct dp_normtree *p, struct sweep *q, unsigned which, uint64_t t, double *phi,
    double *off)
{
	struct way *way = &q->way[which];
	const struct half *after;
	unsigned kind;

	if (!find_way(p, q, way, t))
		return false;
	kind = way->node[way->n - 1].kind;
	after = first_steps(p, q, kind, t - way->node[way->n - 1].base);
	if (after != NULL)
		close_wave(q, q->M[p->shape.kind[kind].level], &way->node[way->n - 1].at, after,
		    phi, off);
	return after != NULL;
}

/* phi *= that of so many trees. */
static void
add_trees(const struct dp_normtree *p, struct sweep *q, uint64_t n, double *phi, double *off)
{
	const unsigned M = q->M[p->h];
	double law[2 * DP_NORMTREE_REACH + 1];
	unsigned v, i;

	if (n != 0 && !q->whole_known) {
		root_law(p, law, M + 1);
		for (v = 0; v <= M; v++)
			for (i = 0; i <= q->points; i++)
				q->whole[i] += law[v] * q->cosine[v * q->stride + i];
		q->whole_known = true;
	}
	for (i = 0; n != 0 && i < q->points; i++)
		phi[i] *= n == 1 ? q->whole[i] : pow(q->whole[i], (double)n);
	if (n != 0)
		*off += (double)n * fmax(1 - q->whole[q->points], 0);
}

/* One that has these points; NULL: no memory. */
static struct sweep *
sweep_of(const struct dp_normtree *p, struct sweep **at, double gamma, double sigma, double step,
    unsigned points)
{
	struct sweep *q = *at;

	if (q != NULL && q->gamma == gamma && q->step == step && q->points == points) {
		q->sigma = sigma;
		return q;
	}
	free_sweep(q);
	*at = NULL;
	if ((q = calloc(1, sizeof *q)) == NULL || !set_points(q, p, gamma, step, points)) {
		free_sweep(q);
		return NULL;
	}
	q->sigma = sigma;
	return *at = q;
}

bool
dp_normtree_sweep(const struct dp_law_part *part, double gamma, double sigma, double *step,
    unsigned *n, double *phi, double *off)
{
	const struct dp_normtree *p = part->of;
	const bool all = *step == DP_LAW_ALL;
	const uint64_t T = (uint64_t)1 << p->h, lo = part->from & (T - 1);
	const uint64_t first = part->from >> p->h, last = (part->to - 1) >> p->h;
	const uint64_t hi = ((part->to - 1) & (T - 1)) + 1;
	const unsigned some = hi < T;
	unsigned which;
	struct sweep *q;

	if (first == last && lo != 0 && hi != T)	/* both ends in one tree */
		return false;
	which = dp_normtree_choose(gamma, sigma, all, step, n);
	if (*n == 0)
		return false;
	if ((q = sweep_of(p, &p->sweeps->of[which], gamma, sigma, *step, *n)) == NULL) {
		*step = NAN;
		return false;
	}
	/* by symmetry the last steps of a tree are as the first */
	if ((lo != 0 && !add_steps(p, q, 1, T - lo, phi, off)) ||
	    (some && (lo == 0 || first < last) && !add_steps(p, q, 0, hi, phi, off))) {
		*step = NAN;
		return false;
	}
	add_trees(p, q, last - first - (lo != 0) + (!some && (lo == 0 || first < last)), phi,
	    off);
	return true;
}

struct dp_normtree_sweeps *
dp_normtree_sweeps_create(void)
{
	return calloc(1, sizeof(struct dp_normtree_sweeps));
}

void
dp_normtree_sweeps_free(struct dp_normtree_sweeps *s)
{
	unsigned i;

	for (i = 0; s != NULL && i < SWEEPS; i++)
		free_sweep(s->of[i]);
	free(s);
}
