/*
 * table.c - the tables of a tree, and what they lose.
 */
#include <math.h>
#include <string.h>

#include "spline.h"
#include "work.h"

#define SLACK	DP_NORMTREE_SLACK
#define DRAWN	0x1p-38		/* what draws are off, on a finer grid: a level's loss of a move */
#define STEEP	0x1p-3		/* c(v + 1) / c(v), at least: 7 of them leave 43 of U's bits.
				 * And so is e^-e: then spline.c's numbers are far from 0 */
#define ROUNDED	1e-12		/* what doubles may hide of a weight: set_row() leaves so much */
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

static struct dp_normtree_real
real(double v)
{
	struct dp_normtree_real r;
	int x;

	r.m = (uint64_t)ldexp(frexp(v, &x), 64);
	r.x = x;
	return r;
}

static void
set_row(struct dp_normtree_row *r, unsigned S, double C)
{
	r->width = S;
	r->odd = -S % S;
	r->inverse = real((1 - ROUNDED) / C);	/* T stays below 1, whatever rounding did */
}

/* What the weights fall by from the n-th on, at least: g is log-concave, k falls. */
static double
fall_after(const struct work *w, unsigned P, unsigned n)
{
	const unsigned half = P / 2;

	if (w->open)
		return w->fade;
	if (n > w->last - (P - half))
		return w->q * w->q;
	return w->g[P - half + n] / w->g[P - half + n - 1] *
	    (n > half + 1 ? w->g[n - half] / w->g[n - half - 1] : 1);
}

/*
 * True if an envelope C 2^-floor(j / S), C >= all t[j] 2^floor(j / S), j < n, is above what follows
 * t[n - 1] and falls by `end` each time: at the next place where it halves, and from then on as
 * S of them come to a half or less.
 */
static bool
covered(const double *t, unsigned n, unsigned S, double end, double C)
{
	const unsigned blocks = (n - 1) / S + 1, next = blocks * S;
	double fall = 1, here = ldexp(t[n - 1], (int)blocks);
	unsigned i;

	for (i = n - 1; i < next; i++)
		here *= end;
	for (i = 0; i < S && fall > 0.5; i++)
		fall *= end;
	return fall <= 0.5 && here <= C;
}

/*
 * N' as far as A, and the rows; NULL: they are not kept.  C is raised until trials fail alike for
 * all P (Time).
 */
static int
set_rows(const struct work *w, struct dp_normtree_row *row)
{
	double accept = 1, one, C;
	unsigned P, n, S;

	for (P = 0; P <= w->A; P++) {
		n = dp_normtree_weights(w, P, DP_NORMTREE_NOTHING, &w->N[P]);
		S = dp_normtree_half(w->t, n);
		C = dp_normtree_envelope(w->t, n, S);
		if (!covered(w->t, n, S, fall_after(w, P, n), C))
			return DP_ERANGE;
		if (row == NULL)
			continue;
		row[P].width = S;
		one = w->N[P] / (4 * (double)S * C);
		accept = one < accept ? one : accept;
	}
	for (P = 0; P <= w->A && row != NULL; P++)
		set_row(&row[P], row[P].width, w->N[P] / (4 * (double)row[P].width * accept));
	return 0;
}

/* k of a level, from its share e. */
static void
set_fall(struct work *w, double e, double corner)
{
	double fall = 1, c = corner / e;
	unsigned y;

	/* level 1: a little less steep, as the parents' table is straight beyond A: certify() */
	w->fade = decay(2 * e) * (w->open ? (w->A + 1.) / w->A * (1 + 1e-9) : 1);
	w->wedge = 0;
	for (y = 0; y <= w->A; y++) {
		if (y > c)
			fall *= y - c < 1 ? fmax(decay(2 * e * (y - c)), w->fade) : w->fade;
		w->k[y] = fall;
		w->wedge += y > 0 ? fall : 0;
	}
	w->wedge += fall * w->fade / (1 - w->fade);
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
 * OFF; N' by OFF (work.h), so ratio(), two of them and three roundings, and up to four more of what
 * the tables' ratio beyond A is, by 2 OFF + 8 u; and what is drawn by SAMPLED; u
 * is 2^-53.  As -log(1 - w)
 * <= w + w^2 for these w,
 *	P < A	-d(P) <= e + w0 + w0^2 + OFF + (2 OFF + 8 u) + SAMPLED, and a step of k, which
 *		is at most 2 (e + OFF) + FALL + 4 u, less e - w0 at least: d(P) + log(k / k) <=
 *		e + w0 + FALL + 3 OFF + (2 OFF + 8 u) + 4 u + SAMPLED
 *	P >= A	|d(P)| <= e + within + within^2 + OFF + (2 OFF + 8 u) + SAMPLED
 * and both are at most *loss, as these sums are below SLACK and BEYOND (t_normtree.c).
 */
static int
certify(const struct work *w, double e, double *loss)
{
	const double q = decay(e), A = w->A, least = w->open ? w->fade : q * q;
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
		if (x * (A + 1 + 2 * w->wedge) < q * (1 - within) * (A + 2 + 2 * w->wedge) ||
		    w->fade < q * q || x > w->fade / q)
			return DP_ERANGE;
	}
	/*
	 * from 2A on N' is q^P times a linear function: x goes from that at 2A to g's ratio
	 * over q
	 */
	for (P = w->A; P <= 2 * w->A + 1 && !w->open; P++) {
		x = P <= 2 * w->A ? ratio(w, P) : w->next[P] / w->next[P - 1] / w->q;
		if (x < q * (1 - within) || x > (1 - within) / q)
			return DP_ERANGE;
	}
	*loss = e + worst * (1 + worst);
	return 0;
}

/* Discrete log-concave, also at 0, as draws beyond A and fine.c's largest c need it. */
static bool
concave(const double *g, unsigned A)
{
	unsigned v;

	for (v = 0; v <= A; v++)
		if (g[v] * g[v] < g[v == 0 ? 1 : v - 1] * g[v + 1] * (1 - 1e-13))
			return false;
	return true;
}

static struct dp_normtree_real *
store(struct dp_normtree_real *to, const double *v, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++)
		to[i] = real(v[i]);
	return to + n;
}

/* The parents become the children of the next level; on a finer grid, smoothed. */
static int
go_up(struct work *w)
{
	double *swap = w->g;

	w->q = w->next[w->A + 1] / w->next[w->A];
	w->open = false;
	w->g = w->next;
	w->next = swap;
	if (!concave(w->g, w->A))
		return DP_ERANGE;
	if (w->fine > 0) {
		if (w->q < STEEP)
			return DP_ERANGE;
		memcpy(w->c, w->g, (w->last + 1) * sizeof *w->c);
		dp_spline_smooth(w->g, w->A, w->last, w->q);
	}
	return concave(w->g, w->A) ? 0 : DP_ERANGE;
}

/*
 * What a potential of the nodes of w->g costs that moves by e, for a move of one grid unit; on a
 * finer grid one as steep as no table is costs more than there is.
 */
static double
cost(const struct work *w, double e)
{
	const double fall = decay(e);

	return w->fine == 0 ? e : fall < STEEP ? INFINITY :
	    dp_spline_loss(w->g, w->c, w->A, w->fine, fall) + ldexp(SLACK, -(int)w->fine) +
	    DRAWN;
}

/*
 * What certify() takes for granted, of tables that a state's plan may make: no number is subnormal,
 * nor is an N', which has g(j) g(P - j), j = P/2 <= A + 1, for a term; and they fall beyond A, so
 * that 1 - q^2 and 1 - fade are within 2^-44 of themselves.
 */
static bool
precise(const struct work *w)
{
	return w->next[w->A + 1] <= w->next[w->A] * FLAT && (!w->open || w->fade <= FLAT) &&
	    w->next[w->A + 1] * w->next[w->A + 1] >= LEAST && w->next[w->last] >= LEAST;
}

static void
keep_level(const struct work *w, struct dp_normtree_level *v, struct dp_normtree_place *at)
{
	*v = (struct dp_normtree_level){ .child = at->to, .fall = at->to + w->A + 1,
	    .row = at->row, .beyond = real(w->q), .fade = real(w->fade), .open = w->open };
	at->to = store(store(at->to, w->g, w->A + 1), w->k, w->A + 1);
	at->row += w->A + 1;
}

int
dp_normtree_set_level(struct work *w, struct dp_normtree_level *v, double e, double corner,
    double *loss, struct dp_normtree_place *at)
{
	int rc;

	set_fall(w, e, corner);
	if ((rc = set_rows(w, at->row)) != 0)
		return rc;
	if (!w->open)
		dp_normtree_weigh_beyond(w);
	set_parents(w, e);
	if (!precise(w))
		return DP_ERANGE;
	if ((rc = certify(w, e, loss)) != 0)
		return rc;
	*loss = cost(w, *loss);
	if (at->to != NULL)
		keep_level(w, v, at);
	if ((rc = go_up(w)) == 0 && w->fine > 0 && at->to != NULL) {
		v->own = at->to;
		v->past = real(w->q);
		at->to = store(at->to, w->c, w->A + 1);
	}
	return rc;
}

int
dp_normtree_set_root(struct dp_normtree *p, struct work *w, double e, struct dp_normtree_real *to)
{
	const double q = decay(e);
	double x = 1, sum = 0, C;
	unsigned v, S;

	for (v = 0; v <= w->last; v++, x *= q) {
		w->m[v] = w->g[v] * x;
		sum += v == 0 ? w->m[v] : 2 * w->m[v];
	}
	if (w->m[w->A + 1] < LEAST)
		return DP_ERANGE;
	S = dp_normtree_half(w->m, w->last);
	C = dp_normtree_envelope(w->m, w->last, S);
	if (!covered(w->m, w->last, S, w->m[w->A + 1] / w->m[w->A], C))
		return DP_ERANGE;
	p->loss += cost(w, e + SLACK);
	if (to == NULL)
		return 0;
	p->root = to;
	(void)store(to, w->m, w->A + 1);
	p->beyond = real(w->m[w->A + 1] / w->m[w->A]);
	set_row(&p->start, S, C);
	for (v = 0; v <= w->last; v++)
		w->m[v] *= (v == 0 ? 1 : 2) / sum;
	return 0;
}
