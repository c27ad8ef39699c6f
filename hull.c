/*
 * project_hull.c - the point of a polytope, given by its corners, that is nearest to a given one:
 * Wolfe's algorithm (P. Wolfe 1976, Finding the nearest point in a polytope).
 *
 * The corners are n times the columns of A; and 0, or the same with the sign changed.  Divided by n
 * and moved so that the given point is the origin, they are P_i, and x = sum w_i P_i with w >= 0,
 * sum w = 1 is to be short.  A corral is a set of affinely independent corners whose hull holds the
 * shortest point of its affine hull in its inside; x is that point.
 *   Major cycle: the corner with the smallest <x, P_i> joins, unless none is below |x|^2: then x is
 *   the nearest.  Minor cycle: the shortest point of the new affine hull, if its weights are above
 *   0; else x moves towards it until a weight is 0, and that corner leaves.
 * |x| falls with every corral, so none comes back, and there are finitely many.
 *
 * Statement: gap = |x|^2 - min <x, P_i> is at least |x - x*|^2, x* the nearest point.
 * Proof.  x* is a mean of corners, so gap >= <x, x - x*> = <x*, x - x*> + |x - x*|^2, and
 * <x*, x - x*> >= 0 by the choice of x*.
 *
 * Frank and Wolfe's own method, also with pairwise steps, needs steps in inverse proportion to the
 * square of the hull's width, which is next to nothing for sums over ranges; this one needs little
 * more than one for each corner of the answer.  In doubles, one thread: the same bits every time.
 * (Of Debian's C libraries GSL, LAPACK and GLPK have no least squares with constraints, and what
 * NLopt has inside SLSQP it does not show.)
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "project.h"

struct corner {
	const int32_t *a;	/* k entries; NULL: 0 */
	double sign;
};

struct hull {
	const struct dp_matrix *A;
	enum dp_hull set;
	size_t k;		/* numbers in a point */
	double *origin;		/* the given point, divided by n */
	double *x;		/* the current point, as P_i are */
	double *p, *q, *kept;	/* of k numbers, at work; x, as it was */
	/* The corral: m corners of at most cap, and R, upper triangular, column by column. */
	size_t m, cap;
	struct corner *corner;
	double *w;		/* weights of x */
	double *u, *v;		/* of cap numbers, at work */
	double *R;		/* R'R = P'P + scale^2 ee', e = (1, .., 1) */
	double scale;
};

/* P_i of a corner. */
static void
shifted(const struct hull *h, const struct corner *c, double *p)
{
	size_t j;

	for (j = 0; j < h->k; j++)
		p[j] = (c->a == NULL ? 0 : c->sign * c->a[j]) - h->origin[j];
}

/* sum a_i b_i, in eight parts, which a machine adds side by side. */
#define DOT(name, type) \
	static double \
	name(const type *a, const double *b, size_t n) \
	{ \
		double s[8] = { 0 }; \
		size_t i, l; \
	\
		for (i = 0; i + 8 <= n; i += 8) \
			for (l = 0; l < 8; l++) \
				s[l] += a[i + l] * b[i + l]; \
		for (; i < n; i++) \
			s[0] += a[i] * b[i]; \
		return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])); \
	}

DOT(dot, double)
DOT(dot_entries, int32_t)

/* Column j of R begins here, and has j + 1 numbers. */
static double *
column(const struct hull *h, size_t j)
{
	return h->R + j * (j + 1) / 2;
}

/* u = (R'R)^-1 u */
static void
solve(const struct hull *h, double *u)
{
	const double *r;
	size_t i, j;

	for (j = 0; j < h->m; j++) {
		r = column(h, j);
		u[j] = (u[j] - dot(r, u, j)) / r[j];
	}
	for (j = h->m; j-- > 0; ) {
		r = column(h, j);
		u[j] /= r[j];
		for (i = 0; i < j; i++)
			u[i] -= r[i] * u[j];
	}
}

/* x = sum of weight_i P_i, weights that sum to 1 */
static void
combine(struct hull *h, const double *weight)
{
	const struct corner *c;
	size_t i, j;
	double w;

	for (j = 0; j < h->k; j++)
		h->x[j] = -h->origin[j];
	for (i = 0; i < h->m; i++) {
		c = &h->corner[i];
		w = weight[i] * c->sign;
		for (j = 0; c->a != NULL && j < h->k; j++)
			h->x[j] += w * c->a[j];
	}
}

/* <x, P_i> */
static double
along(const struct hull *h, const struct corner *c, double x_origin)
{
	return (c->a == NULL ? 0 : c->sign * dot_entries(c->a, h->x, h->k)) - x_origin;
}

static double
sum(const double *a, size_t n)
{
	double s = 0;

	while (n > 0)
		s += a[--n];
	return s;
}

/*
 * The weights of the shortest point of the corral's affine hull, into u: (R'R)^-1 e, made to sum to
 * 1; and once more for what doubles left: there all <x, P_i> are equal.
 */
static void
affine(struct hull *h)
{
	double s, xo, mean;
	size_t i;

	for (i = 0; i < h->m; i++)
		h->u[i] = 1;
	solve(h, h->u);
	s = sum(h->u, h->m);
	for (i = 0; i < h->m; i++)
		h->u[i] /= s;
	combine(h, h->u);
	xo = dot(h->x, h->origin, h->k);
	for (i = 0; i < h->m; i++)
		h->v[i] = along(h, &h->corner[i], xo);
	mean = sum(h->v, h->m) / (double)h->m;
	for (i = 0; i < h->m; i++)
		h->v[i] = mean - h->v[i];
	solve(h, h->v);
	s = sum(h->v, h->m);
	for (i = 0; i < h->m; i++)
		h->u[i] += h->v[i] - s * h->u[i];
}

/* The corner joins, with weight 0; false: it is in the affine hull of the others. */
static bool
join(struct hull *h, const struct corner *c)
{
	double *r = column(h, h->m), norm, rest;
	size_t i;

	shifted(h, c, h->p);
	for (i = 0; i < h->m; i++) {
		shifted(h, &h->corner[i], h->q);
		r[i] = dot(h->p, h->q, h->k) + h->scale * h->scale;
	}
	for (i = 0; i < h->m; i++)
		r[i] = (r[i] - dot(column(h, i), r, i)) / column(h, i)[i];
	norm = dot(h->p, h->p, h->k) + h->scale * h->scale;
	rest = norm - dot(r, r, h->m);
	if (!(rest > norm * 1e-13))
		return false;
	r[h->m] = sqrt(rest);
	h->corner[h->m] = *c;
	h->w[h->m++] = 0;
	return true;
}

/* Corner c leaves: Givens rotations make R triangular again. */
static void
leave(struct hull *h, size_t c)
{
	double *from, *to, x, y, d;
	size_t i, j;

	for (j = c; j + 1 < h->m; j++) {
		from = column(h, j + 1);
		to = column(h, j);
		memmove(to, from, c * sizeof *to);
		x = from[c];
		for (i = c; i < j; i++) {	/* the rotations so far: (u, v) is (cos, sin) */
			y = from[i + 1];
			to[i] = h->u[i] * x + h->v[i] * y;
			x = h->u[i] * y - h->v[i] * x;
		}
		y = from[j + 1];
		d = hypot(x, y);
		h->u[j] = x / d;
		h->v[j] = y / d;
		to[j] = d;
		h->corner[j] = h->corner[j + 1];
		h->w[j] = h->w[j + 1];
	}
	h->m--;
}

/*
 * A corner refused by join() is sum l_i P_i, sum l = 1, in doubles.  Its weight rises, those of the
 * corral fall, x stays; the first that is 0 leaves.  false: the corral is of no use any more.
 */
static bool
exchange(struct hull *h, const struct corner *c)
{
	const double *r = column(h, h->m);
	size_t i, j, out = h->m;
	double t = INFINITY;

	memcpy(h->u, r, h->m * sizeof *h->u);
	for (j = h->m; j-- > 0; ) {
		h->u[j] /= column(h, j)[j];
		for (i = 0; i < j; i++)
			h->u[i] -= column(h, j)[i] * h->u[j];
		if (h->u[j] > 0 && h->w[j] < t * h->u[j]) {
			t = h->w[j] / h->u[j];
			out = j;
		}
	}
	for (i = 0; out < h->m && i < h->m; i++)
		h->w[i] -= t * h->u[i];
	if (out == h->m)
		return false;
	leave(h, out);
	if (!join(h, c))
		return false;
	h->w[h->m - 1] = t;
	return true;
}

/* Minor cycles, until the corral's shortest point is inside it. */
static void
settle(struct hull *h)
{
	double theta, t;
	size_t i, out;

	for (;;) {
		affine(h);
		theta = 1;
		out = h->m;
		for (i = 0; i < h->m; i++) {
			if (h->u[i] > 0)
				continue;
			t = h->w[i] > 0 ? h->w[i] / (h->w[i] - h->u[i]) : 0;
			if (t < theta) {
				theta = t;
				out = i;
			}
		}
		for (i = 0; i < h->m; i++)
			h->w[i] += theta * (h->u[i] - h->w[i]);
		if (out == h->m || h->m == 1)
			break;
		h->w[out] = 0;
		leave(h, out);
	}
	combine(h, h->w);
}

/* The corner with the smallest <x, P_i>, and that. */
static double
best_corner(const struct hull *h, struct corner *best)
{
	const double xo = dot(h->x, h->origin, h->k);
	struct corner c = { NULL, 1 };
	double least = h->set == DP_HULL_SOME ? 0 : INFINITY, s;
	size_t i;

	*best = c;
	for (i = 0; i < h->A->columns; i++) {
		c.a = dp_matrix_column(h->A, i);
		s = dot_entries(c.a, h->x, h->k);
		c.sign = 1;
		if (h->set == DP_HULL_SIGNED && s > 0) {
			c.sign = -1;
			s = -s;
		}
		if (s < least) {
			least = s;
			*best = c;
		}
	}
	return least - xo;
}

/*
 * Major cycles; returns the gap.  In doubles they end also where |x| falls no more.
 */
static double
shorten(struct hull *h, double enough)
{
	double length = INFINITY, before, gap = INFINITY;
	struct corner c;
	bool joined;

	combine(h, h->w);	/* of no corners: from the given point to 0 */
	(void)best_corner(h, &c);
	do {
		memcpy(h->kept, h->x, h->k * sizeof *h->x);
		joined = join(h, &c) ;
		if (joined && h->m == 1)
			h->w[0] = 1;
		if (joined)
			settle(h);
		before = length;
		length = joined ? dot(h->x, h->x, h->k) : before;
		if (length < before)
			gap = length - best_corner(h, &c);
	} while (length < before && gap > enough && h->m < h->cap);
	if (!(length < before))
		memcpy(h->x, h->kept, h->k * sizeof *h->x);
	return gap;
}

static void
release(struct hull *h)
{
	free(h->origin);
	free(h->x);
	free(h->p);
	free(h->q);
	free(h->kept);
	free(h->corner);
	free(h->w);
	free(h->u);
	free(h->v);
	free(h->R);
}

static int
make(struct hull *h, const struct dp_matrix *A, enum dp_hull set)
{
	h->A = A;
	h->set = set;
	h->k = A->rows;
	h->cap = (A->columns < A->rows ? A->columns : A->rows) + 2;
	h->origin = calloc(h->k, sizeof *h->origin);
	h->x = calloc(h->k, sizeof *h->x);
	h->p = calloc(h->k, sizeof *h->p);
	h->q = calloc(h->k, sizeof *h->q);
	h->kept = calloc(h->k, sizeof *h->kept);
	h->corner = calloc(h->cap, sizeof *h->corner);
	h->w = calloc(h->cap, sizeof *h->w);
	h->u = calloc(h->cap, sizeof *h->u);
	h->v = calloc(h->cap, sizeof *h->v);
	h->R = calloc(h->cap * (h->cap + 1) / 2, sizeof *h->R);
	return h->origin == NULL || h->x == NULL || h->p == NULL || h->q == NULL ||
	    h->kept == NULL || h->corner == NULL || h->w == NULL || h->u == NULL || h->v == NULL ||
	    h->R == NULL ? DP_ENOMEM : 0;
}

int
dp_hull_nearest(const struct dp_matrix *A, enum dp_hull set, double n, const double *noisy,
    double tol, double *point, double *gap)
{
	struct hull h = { .k = 0 };
	size_t j;
	int e;

	*gap = 0;
	memset(point, 0, A->rows * sizeof *point);
	if (!(n > 0))
		return 0;
	if ((e = make(&h, A, set)) == 0) {
		for (j = 0; j < h.k; j++)
			h.origin[j] = noisy[j] / n;
		h.scale = sqrt(dot(h.origin, h.origin, h.k));
		if (h.scale == 0)
			h.scale = 1;
		*gap = shorten(&h, tol / n * (tol / n)) * n * n;
		for (j = 0; j < h.k; j++)
			point[j] = (h.x[j] + h.origin[j]) * n;
	}
	release(&h);
	return e;
}
