/*
 * child.c - rows of the splits' laws (child.h).
 */
#include <string.h>

#include "child.h"

#define UNEVEN	1e-16	/* probability of splits that are left out, of a row, */
#define MOST	1e-8	/* and of what is split, at most */

/* A table at multiples of a grain, from A on geometric. */
static void
take_table(const struct work *w, double *to, const struct dp_real *from, unsigned A,
    double beyond, unsigned grain)
{
	const double q = grain == 1 ? beyond : pow(beyond, grain);
	unsigned i;

	for (i = 0; i <= w->last; i++)
		to[i] = i * grain <= A ? dp_real_double(from[i * grain]) : to[i - 1] * q;
}

void
dp_normtree_take(struct work *w, const struct dp_normtree *p, unsigned kind, unsigned grain)
{
	const struct dp_normtree_level *v = &p->level[kind];
	unsigned i, side;

	w->A = v->A / grain;
	w->open = v->open;
	w->alike = v->child[0] == v->child[1];
	for (side = 0; side < (w->alike ? 1 : 2); side++) {
		w->beyond.q[side] = w->open ? 1 : pow(dp_real_double(v->beyond[side]), grain);
		take_table(w, w->g[side], v->child[side], v->reach[side],
		    w->open ? 1 : dp_real_double(v->beyond[side]), grain);
	}
	w->beyond.q[1] = w->alike ? w->beyond.q[0] : w->beyond.q[1];
	w->beyond.wedge = 0;
	for (i = 0; i <= w->A; i++) {
		w->k[i] = dp_real_double(v->fall[i * grain]);
		w->beyond.wedge += i > 0 ? w->k[i] : 0;
	}
}

void
dp_normtree_take_redraw(struct work *w, const struct dp_normtree *p, unsigned kind, unsigned n)
{
	const struct dp_normtree_level *v = &p->level[kind];

	take_table(w, w->c[0], v->own, v->A, dp_real_double(v->past), 1);
	dp_normtree_redraw_set(w->redraw, w->c[0], w->fine, n);
}

/* to += x times n numbers of a row. */
DP_INLINE void
add(double *restrict to, const double *restrict row, double x, size_t n)
{
	size_t u;

	for (u = 0; u < n; u++)
		to[u] += x * row[u];
}

/* A child's smaller part, half - j; J has what is below 0 with the other sign. */
DP_INLINE void
add_near(double *restrict to, const double *restrict t, size_t n, size_t half, double scale,
    double below)
{
	const size_t turn = n < half + 1 ? n : half + 1;
	size_t j;

	for (j = 0; j < turn; j++)
		to[half - j] += t[j] * scale;
	for (j = 1; half + j < n; j++)
		to[j] += t[half + j] * below;
}

/* The row from n[side] weights of each side, times x. */
DP_VECTORS static void
fill(const struct work *w, double *const to[2], unsigned P, const unsigned n[2], unsigned end,
    double x, double sign)
{
	const unsigned half = P / 2, sides = w->alike ? 1 : 2;
	unsigned side;

	for (side = 0; side < sides; side++)
		memset(to[side], 0, end * sizeof(double));
	for (side = 0; side < sides; side++) {
		add(to[side] + (P - half), w->t[side], x, n[side]);
		add_near(to[sides - 1 - side], w->t[side], n[side], half, x, sign * x);
	}
}

unsigned
dp_normtree_row_of(const struct work *w, unsigned P, double weight, bool odd)
{
	const double nothing = weight * MOST > UNEVEN ? UNEVEN / weight : MOST;
	unsigned side, n[2] = { 0 }, end = 0;
	double sum[2], x;

	for (side = 0; side < (w->alike ? 1 : 2); side++) {
		n[side] = dp_normtree_weights(w, side, P, nothing, &sum[side]);
		end = n[side] > end ? n[side] : end;
	}
	x = 1 / dp_normtree_both(w, P, sum);
	for (side = 0; side < (w->alike ? 1 : 2) && P % 2 == 0; side++)
		w->t[side][0] /= 2;		/* halves are on either side */
	end += P - P / 2;
	fill(w, w->row.even, P, n, end, x, 1);
	if (odd)
		fill(w, w->row.odd, P, n, end, x, -1);
	return end;
}

DP_VECTORS void
dp_normtree_descend(const struct work *w, unsigned P, unsigned end,
    const struct dp_normtree_pair *from, const struct dp_normtree_pair *to)
{
	add(to->of, w->row.even[0], from->of[P], end);
	if (w->fine > 0)
		add(to->rest, w->row.odd[0], from->rest[P] / 2, end);
}
