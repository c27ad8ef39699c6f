/*
 * table.c - the tables of a tree, and what they lose.
 */
#include <math.h>
#include <string.h>

#include "spline.h"
#include "level.h"

#define SLACK	DP_NORMTREE_SLACK
#define DRAWN	0x1p-38		/* what draws are off, on a finer grid: a level's loss of a move */
#define STEEP	0x1p-3		/* c(v + 1) / c(v), at least: 7 of them leave 43 of U's bits.
				 * And so is e^-e: then spline.c's numbers are far from 0 */
#define FLAT	(1 - 0x1p-9)	/* no table falls more slowly beyond A */
#define LEAST	0x1p-1000	/* no table is below it: doubles are rounded evenly to 2^-1022 */

/*
 * exp(-x), 0 <= x <= 40, within 1e-12 of itself.  Additions, multiplications and divisions alone,
 * so that every machine finds the same.
 *
 * y <= 1/16, so from its ninth term on the sum stays as it is, which is above 0.93: 8 additions are
 * off by u / 2 each, u = 2^-53, and the terms by .2 u together, in all by 5 u of it.  A square
 * doubles that and adds one: r of them make it 6 u 2^r, and 2^r < 32 x: below 9e-13.
 */
static double
decay(double x)
{
	double y = x, term = 1, sum = 1;
	unsigned n, r = 0;

	for (; y > 0x1p-4; y /= 2)
		r++;
	for (n = 1; n < 16; n++)
		sum += term *= -y / n;
	for (; r > 0; r--)
		sum *= sum;
	return sum;
}

/* k of a level, from its share e. */
static void
set_fall(struct work *w, double e, double corner)
{
	double fall = 1, c = corner / e;
	unsigned y;

	/* level 1: a little less steep, as the parents' table is straight beyond A: certify() */
	w->beyond.fade = decay(2 * e) * (w->open ? (w->A + 1.) / w->A * (1 + 1e-9) : 1);
	w->beyond.wedge = 0;
	for (y = 0; y <= w->A; y++) {
		if (y > c)
			fall *= y - c < 1 ? fmax(decay(2 * e * (y - c)), w->beyond.fade) :
			    w->beyond.fade;
		w->k[y] = fall;
		w->beyond.wedge += y > 0 ? fall : 0;
	}
	w->beyond.wedge += fall * w->beyond.fade / (1 - w->beyond.fade);
}

/* The parents' table: N' e^(-e P) as far as A, straight beyond. */
static void
set_parents(struct work *w, double e)
{
	const double q = decay(e);
	double x = 1 / w->N[0], last;
	unsigned P;

	for (P = 0; P <= w->A; P++, x *= q)
		w->next[P] = w->N[P] * x;
	last = w->next[w->A] / w->next[w->A - 1];
	for (; P <= w->last; P++)
		w->next[P] = w->next[P - 1] * last;
}

static double
ratio(const struct work *w, unsigned P)
{
	return w->next[P + 1] / w->next[P] * (w->N[P] / w->N[P + 1]);
}

/*
 * (3) of normtree.h: *loss is at least what the level loses, or DP_ERANGE.  w0 is the most that
 * ratio() is off q where P < A, so worst is w0 + SLACK.  What is off, in parts of itself: q by
 * OFF; N' by OFF (level.h), so ratio(), two of them and three roundings, and up to four more of
 * what the tables' ratio beyond A is, by 2 OFF + 8 u; and what is drawn by SAMPLED; u is 2^-53.  As
 * -log(1 - w) <= w + w^2 for these w,
 *	P < A	-d(P) <= e + w0 + w0^2 + OFF + (2 OFF + 8 u) + SAMPLED, and a step of k, which
 *		is at most 2 (e + OFF) + FALL + 4 u, less e - w0 at least: d(P) + log(k / k) <=
 *		e + w0 + FALL + 3 OFF + (2 OFF + 8 u) + 4 u + SAMPLED
 *	P >= A	|d(P)| <= e + within + within^2 + OFF + (2 OFF + 8 u) + SAMPLED
 * and both are at most *loss, as these sums are below SLACK and BEYOND (t_normtree.c).
 */
static int
certify(const struct work *w, double e, double *loss)
{
	const double q = decay(e), A = w->A, least = w->open ? w->beyond.fade : q * q;
	const double slow = fmax(w->beyond.q[0], w->beyond.q[1]);
	double worst = SLACK, within, x;
	unsigned P, y;

	for (P = 0; P < w->A; P++)
		worst = fmax(worst, fabs(ratio(w, P) / q - 1) + SLACK);
	within = worst - DP_NORMTREE_BEYOND;
	for (y = 0; y < w->A; y++)
		if (w->k[y + 1] > w->k[y] || w->k[y + 1] < w->k[y] * least * (1 - DP_NORMTREE_FALL))
			return DP_ERANGE;
	if (w->open) {	/* x rises from where it is at A to the ratio of g; Y has no end */
		x = w->next[w->A + 1] / w->next[w->A];
		if (x * (A + 1 + 2 * w->beyond.wedge) <
		    q * (1 - within) * (A + 2 + 2 * w->beyond.wedge) ||
		    w->beyond.fade < q * q || x > w->beyond.fade / q)
			return DP_ERANGE;
	}
	/*
	 * From 2A on N' is q^P times a linear function, or a s^P + b f^P, s > f the two q: positive
	 * for all P, so a > 0 unless it is 0.  N'(P + 1) / N'(P) = s - (s - f) / (1 + (a / b)
	 * (s / f)^P) goes one way then, so x goes from that at 2A to g's ratio over the larger q.
	 */
	for (P = w->A; P <= 2 * w->A + 1 && !w->open; P++) {
		x = P <= 2 * w->A ? ratio(w, P) : w->next[P] / w->next[P - 1] / slow;
		if (x < q * (1 - within) || x > (1 - within) / q)
			return DP_ERANGE;
	}
	*loss = e + worst * (1 + worst);
	return 0;
}

/*
 * Falling, as fine.c's largest c needs it; and within a factor exp(DP_NORMTREE_BENT) of a log-
 * concave table, as draws beyond A do: one whose ratios are the largest of those that follow.
 * Where splits of two signs are no longer punished, near A, log N' bends a little the other way.
 */
static bool
concave(const double *g, unsigned A)
{
	double here, most = g[A + 1] / g[A], off = 0;
	unsigned v;

	for (v = A; v-- > 0; ) {
		here = g[v + 1] / g[v];
		if (here > 1 + 1e-13)
			return false;
		if (here < most)
			off += most / here - 1;
		else
			most = here;
	}
	return most <= 1 + 1e-13 && off <= DP_NORMTREE_BENT;
}

static struct dp_real *
store(struct dp_real *to, const double *v, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++)
		to[i] = dp_real_of(v[i]);
	return to + n;
}

static double
ratio_beyond(const double *v, unsigned A)
{
	return v[A + 1] / v[A];
}

/* A table that is straight from A - 1 on, from where it lies. */
static void
unfold(double *to, const struct dp_real *from, unsigned A, unsigned last)
{
	double by;
	unsigned i;

	for (i = 0; i <= A; i++)
		to[i] = dp_real_double(from[i]);
	by = to[A] / to[A - 1];
	for (; i <= last; i++)
		to[i] = to[i - 1] * by;
}

/* A child's table: what is next after its own k and, on a finer grid, c. */
static const struct dp_real *
children(const struct dp_normtree *p, uint16_t kind)
{
	return kind == DP_NORMTREE_STEP ? p->held.memory :
	    p->level[kind].fall + (p->fine > 0 ? 2 : 1) * (p->shape.kind[kind].reach + (size_t)1);
}

/* A child's tables, which go on beyond A as they did when they were made. */
static void
load_side(struct work *w, const struct dp_normtree *p, const struct dp_real *g,
    unsigned kind, unsigned side)
{
	const unsigned A = p->shape.kind[kind].reach;
	unsigned i;

	if (w->fine == 0) {
		unfold(w->g[side], g, A, w->last);
		w->beyond.q[side] = ratio_beyond(w->g[side], A);
		return;
	}
	unfold(w->c[side], p->level[kind].own, A, w->last);
	w->beyond.q[side] = ratio_beyond(w->c[side], A);
	for (i = 0; i <= w->last; i++)
		w->g[side][i] = i <= A ? dp_real_double(g[i]) :
		    w->g[side][i - 1] * w->beyond.q[side];
}

/* The largest of the ratios from g(v + 1) / g(v) on. */
static void
set_steep(struct work *w, unsigned side)
{
	const double *g = w->g[side];
	unsigned v = w->last;
	double here;

	w->steep[side][v] = w->beyond.q[side];
	while (v-- > 0) {
		here = g[v + 1] / g[v];
		w->steep[side][v] = here > w->steep[side][v + 1] ? here : w->steep[side][v + 1];
	}
}

static void
load(struct work *w, const struct dp_normtree *p, unsigned i)
{
	const uint16_t *child = p->shape.kind[i].child;
	unsigned j;

	w->open = child[0] == DP_NORMTREE_STEP;
	w->alike = child[0] == child[1];
	for (j = 0; j <= w->last && w->open; j++)
		w->g[0][j] = w->c[0][j] = 1;
	w->beyond.q[0] = w->beyond.q[1] = 1;
	if (w->open)
		return;
	load_side(w, p, children(p, child[0]), child[0], 0);
	w->beyond.q[1] = w->beyond.q[0];
	set_steep(w, 0);
	if (!w->alike) {
		load_side(w, p, children(p, child[1]), child[1], 1);
		set_steep(w, 1);
	}
}

/*
 * Cost of a potential of the nodes of w->g that moves by e, for a move of one grid unit; on a finer
 * grid one steeper than all tables costs more than there is.  A: from there on the table falls
 * evenly, and cells are alike; a step's does from 0 on.
 */
static double
cost(const struct work *w, unsigned A, unsigned side, double e)
{
	const double fall = decay(e);

	return w->fine == 0 ? e : fall < STEEP ? INFINITY :
	    dp_spline_loss(w->g[side], w->c[side], A, w->fine, fall) +
	    ldexp(SLACK, -(int)w->fine) + DRAWN;
}

/*
 * Assumptions of certify() on tables that a state's plan may make: no number of a table is
 * subnormal, nor is an N', the last of which is the least; and tables fall beyond A, so that 1 -
 * q^2 and 1 - fade are within 2^-44 of themselves.  Where a child's table goes on far beyond its
 * reach numbers may be lost, each by less than 2^-1060: too little for an N' to show.
 */
static bool
precise(const struct work *w)
{
	return w->next[w->A + 1] <= w->next[w->A] * FLAT &&
	    (w->open ? w->beyond.fade <= FLAT : w->N[2 * w->A + 1] >= LEAST) &&
	    w->next[w->A + 1] * w->next[w->A + 1] >= LEAST && w->next[w->last] >= LEAST;
}

/* The parents' table, and on a finer grid the smoothed one that is the next's children's. */
static int
keep_parents(struct work *w, struct dp_real *own, struct dp_real *g)
{
	const double q = ratio_beyond(w->next, w->A);

	w->bent = !concave(w->next, w->A);
	if (w->bent)
		return DP_ERANGE;
	if (w->fine > 0) {
		if (q < STEEP)
			return DP_ERANGE;
		(void)store(own, w->next, w->A + 1);
		dp_spline_smooth(w->next, w->A, w->last, q, w->fine);
		w->bent = !concave(w->next, w->A);
		if (w->bent)
			return DP_ERANGE;
	}
	(void)store(g, w->next, w->A + 1);
	return 0;
}

/* Numbers for draws and sums, where the tables are. */
static void
keep_level(struct dp_normtree *p, const struct work *w, unsigned i, struct dp_normtree_spot *at)
{
	const struct dp_normtree_kind *k = &p->shape.kind[i];
	struct dp_normtree_level *v = &p->level[i];
	unsigned side;

	for (side = 0; side < 2; side++) {
		v->child[side] = children(p, k->child[side]);
		v->reach[side] = w->open ? w->A : p->shape.kind[k->child[side]].reach;
		v->beyond[side] = dp_real_of(w->beyond.q[side]);
	}
	v->A = w->A;
	v->fall = at->to;
	v->own = at->to + w->A + 1;
	v->row = at->row;
	v->fade = dp_real_of(w->beyond.fade);
	v->open = w->open;
	v->past = dp_real_of(ratio_beyond(w->next, w->A));
}

int
dp_normtree_set_level(struct dp_normtree *p, struct work *w, unsigned i, double rate,
    enum dp_normtree_use use, double *loss, struct dp_normtree_spot *at)
{
	const struct dp_normtree_kind *k = &p->shape.kind[i];
	struct dp_real *own;
	double one, on;
	unsigned side;
	int e;

	w->A = k->reach;
	w->last = 3 * w->A + 2;
	load(w, p, i);
	set_fall(w, k->share * rate, k->corner);
	if ((e = dp_normtree_set_rows(w, use, at->row)) != 0)
		return e;
	if (!w->open)
		dp_normtree_weigh_beyond(w);
	set_parents(w, k->share * rate);
	if (!precise(w))
		return DP_ERANGE;
	if ((e = certify(w, k->share * rate, &one)) != 0)
		return e;
	for (loss[i] = 0, side = 0; side < (w->alike ? 1 : 2) && use != DP_NORMTREE_AGAIN &&
	    use != DP_NORMTREE_MEASURE; side++) {
		on = w->open ? cost(w, 0, 0, one) : loss[k->child[side]] +
		    cost(w, p->shape.kind[k->child[side]].reach, side, one);
		loss[i] = on > loss[i] ? on : loss[i];
	}
	keep_level(p, w, i, at);
	own = store(at->to, w->k, w->A + 1);
	at->to = own + (p->fine > 0 ? 2 : 1) * ((size_t)w->A + 1);
	if (at->row != NULL)		/* rows are not kept where nothing is drawn */
		at->row += w->A + 1;
	return keep_parents(w, own, at->to - (w->A + 1));
}

const struct dp_real *
dp_normtree_root_table(const struct dp_normtree *p)
{
	return children(p, (uint16_t)(p->shape.kinds - 1));
}

int
dp_normtree_set_root(struct dp_normtree *p, struct work *w, double e, double loss)
{
	struct dp_real *to = (void *)(uintptr_t)dp_normtree_root_table(p);
	const double q = decay(e);
	double x = 1, sum = 0, C;
	unsigned v, S;

	w->A = p->A;
	w->last = 3 * w->A + 2;
	load_side(w, p, to, p->shape.kinds - 1, 0);
	for (v = 0; v <= w->last; v++, x *= q) {
		w->m[v] = w->g[0][v] * x;
		sum += v == 0 ? w->m[v] : 2 * w->m[v];
	}
	if (w->m[w->A + 1] < LEAST)
		return DP_ERANGE;
	S = dp_normtree_half(w->m, w->last, 0);
	C = dp_normtree_envelope(w->m, w->last, S);
	if (!dp_normtree_covered(w->m, w->last, S, w->m[w->A + 1] / w->m[w->A], C))
		return DP_ERANGE;
	p->loss = loss + cost(w, w->A, 0, e + SLACK);
	p->root = to;
	(void)store(to, w->m, w->A + 1);
	p->beyond = dp_real_of(w->m[w->A + 1] / w->m[w->A]);
	dp_normtree_set_row(&p->start, S, C);
	for (v = 0; v <= w->last; v++)
		w->m[v] *= (v == 0 ? 1 : 2) / sum;
	return 0;
}
