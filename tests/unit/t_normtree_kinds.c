/* SPDX-License-Identifier: ISC */
/*
 * t_normtree_kinds.c - norm trees whose nodes differ, by what normtree.h says, from the tables
 * alone.
 *
 * loss     the largest change of log p over all neighbours in a box that reaches beyond the tables,
 *          of trees of 2, 4, 8 and 64 steps: at most what is claimed, and above 0.99 of it
 * by hand  the same of 4 steps, point by point
 * again    what every kind loses, for all P, in long doubles from the tables as they are stored;
 *          the worst path is at most what is claimed (argument N: so many plans)
 * counts   the same of the plans that running counts have
 * slack    N' in doubles, of a node whose reach is far beyond its children's, against the same
 * forged   plans that are no trees of kinds are refused
 * fine     variances of every step on a finer grid, against sums over all splits
 * errors   the largest and mean variances against every step's; of a part against sums
 * horizon  no step beyond T is taken, one at a time or many: there is no noise for it
 * replay   a plan of kinds has its tables again, and one of a chain is a chain
 */
#include <stdio.h>
#include <string.h>

#include "mech.h"
#include "normtree_kinds.h"

#define LEAST	1e-11		/* what doubles may hide of a loss */

/* ---- all neighbours ---- */

/* log p of a split of P into a and P - a, [P][a], |P|, |a|, |P - a| <= box; else NAN */
struct split {
	int64_t box;
	double *at;
};

static double *
log_p(const struct split *s, int64_t P, int64_t a)
{
	return &s->at[(P + s->box) * (2 * s->box + 1) + a + s->box];
}

static void
new_split(struct split *s, int64_t box)
{
	const size_t n = (size_t)((2 * box + 1) * (2 * box + 1));
	size_t i;

	s->box = box;
	if ((s->at = malloc(n * sizeof *s->at)) == NULL)
		abort();
	for (i = 0; i < n; i++)
		s->at[i] = NAN;
}

static void
coarse_split(struct split *s, const struct dp_normtree *p, unsigned kind)
{
	const struct dp_normtree_level *v = &p->level[kind];
	double *far[2], *fall, *N;
	int64_t P, a, b, y, cap;
	unsigned side;

	fall = calloc((size_t)s->box + 1, sizeof *fall);
	N = calloc((size_t)s->box + 1, sizeof *N);
	for (side = 0; side < 2; side++)
		far[side] = calloc((size_t)s->box + 1, sizeof *far[side]);
	for (a = 0; a <= s->box; a++) {
		fall[a] = (double)logl(entry(v->fall, v->A, v->fade, a));
		N[a] = (double)logl(total(p, kind, a));
		for (side = 0; side < 2 && !v->open; side++)
			far[side][a] = (double)logl(entry(v->child[side], v->reach[side],
			    v->beyond[side], a));
	}
	for (P = -s->box; P <= s->box; P++) {
		cap = llabs(P) < v->A ? v->A - llabs(P) : 0;
		for (a = P < 0 ? -s->box : P - s->box; a <= (P < 0 ? P + s->box : s->box); a++) {
			b = P - a;
			y = (a < 0 && b > 0) || (a > 0 && b < 0) ? llabs(a) < llabs(b) ? llabs(a) :
			    llabs(b) : 0;
			*log_p(s, P, a) = fall[v->open || y < cap ? y : cap] +
			    far[0][llabs(a)] + far[1][llabs(b)] - N[llabs(P)];
		}
	}
	free(far[0]);
	free(far[1]);
	free(fall);
	free(N);
}

/* The same on a finer grid: fine_split() of normtree_law.h with what it sums found once. */
static void
fine_splits(struct split *s, const struct dp_normtree *p, unsigned kind)
{
	const int64_t D = (int64_t)1 << p->fine, most = s->box / D + 9, n = 2 * most + 1;
	long double *tau = calloc((size_t)(n * n), sizeof *tau), *N, sum, C;
	long double beta[8 * FINEST + 1];
	int64_t P, a, i, j, x, y;

	N = calloc((size_t)(2 * n), sizeof *N);
	if (tau == NULL || N == NULL)
		abort();
	for (x = -4 * FINEST; x <= 4 * FINEST; x++)
		beta[x + 4 * FINEST] = uniforms((unsigned)D, 4, x);
	for (i = 0; i < 2 * n; i++)
		N[i] = own(p, kind, i) / total(p, kind, i);
	for (i = -most; i <= most; i++)
		for (j = -most; j <= most; j++)
			tau[(i + most) * n + j + most] = weight(p, kind, i, j) * N[llabs(i + j)];
	for (P = -s->box; P <= s->box; P++) {
		C = spread(p, kind, P);
		for (a = P < 0 ? -s->box : P - s->box; a <= (P < 0 ? P + s->box : s->box); a++) {
			x = floor_to(a, D);
			y = floor_to(P - a, D);
			for (sum = 0, i = x - 3; i <= x + 3; i++)
				for (j = y - 3; j <= y + 3; j++)
					sum += beta[a - D * i + 4 * FINEST] *
					    beta[P - a - D * j + 4 * FINEST] *
					    tau[(i + most) * n + j + most];
			*log_p(s, P, a) = (double)logl(sum / C);
		}
	}
	free(tau);
	free(N);
}

/* The least and the largest change of log p within a node whose noise goes from P to P + 1. */
struct change {
	double least, most;
};

static void
find_changes(struct change *to, const struct split *s, const struct change *child[2])
{
	const int64_t box = s->box;
	const struct change none = { 0, 0 }, *in;
	double up;
	int64_t P, a;
	int side;

	for (P = -box; P < box; P++) {
		to[P + box] = (struct change){ INFINITY, -INFINITY };
		for (a = -box; a < box; a++)
			for (side = 0; side < 2; side++) {	/* whose noise is a, and a + 1 */
				if (llabs(P - a) > box)
					continue;
				up = side == 0 ? *log_p(s, P + 1, a + 1) - *log_p(s, P, a) :
				    *log_p(s, P + 1, P - a) - *log_p(s, P, P - a);
				in = child[side] == NULL ? &none : &child[side][a + box];
				to[P + box].least = fmin(to[P + box].least, up + in->least);
				to[P + box].most = fmax(to[P + box].most, up + in->most);
			}
	}
}

static double
log_root(const struct dp_normtree *p, int64_t P)
{
	return (double)logl(p->fine == 0 ? entry(p->root, p->A, p->beyond, P) : fine_root(p, P));
}

/*
 * The largest change of log p if one step moves by one.  Given its noise, what is within a node
 * may be anything, so what can change there is found once for all that is above.
 */
static double
worst_change(const struct dp_normtree *p, int64_t box)
{
	struct change *in[DP_NORMTREE_KINDS] = { NULL };
	const struct change *child[2];
	struct split s;
	double worst = 0, up;
	const uint16_t *c;
	unsigned i, side;
	int64_t P;

	for (i = 0; i < p->shape.kinds; i++) {
		new_split(&s, box);
		if (p->fine == 0)
			coarse_split(&s, p, i);
		else
			fine_splits(&s, p, i);
		in[i] = calloc((size_t)(2 * box + 1), sizeof *in[i]);
		for (c = p->shape.kind[i].child, side = 0; side < 2; side++)
			child[side] = c[side] == DP_NORMTREE_STEP ? NULL : in[c[side]];
		find_changes(in[i], &s, child);
		free(s.at);
	}
	for (P = -box; P < box; P++) {
		up = log_root(p, P + 1) - log_root(p, P);
		worst = fmax(worst, fabs(up + in[p->shape.kinds - 1][P + box].least));
		worst = fmax(worst, fabs(up + in[p->shape.kinds - 1][P + box].most));
	}
	for (i = 0; i < p->shape.kinds; i++)
		free(in[i]);
	return worst;
}

static void
one_loss(unsigned h, unsigned wide, unsigned fine, double rate)
{
	struct dp_normtree_shape s;
	struct dp_normtree p;
	double worst, least = fine == 0 ? .99 : .92;
	unsigned i;

	random_kinds(&s, h, wide);
	for (i = 0; i < s.kinds && fine > 0; i++)
		s.kind[i].share *= .9;
	s.root *= fine > 0 ? .9 : 1;
	if (!random_tree(&p, &s, fine, rate)) {
		drop_tree(&p);
		return;
	}
	worst = worst_change(&p, ((int64_t)p.A + 20) << fine);
	check(worst <= p.loss + LEAST && worst > least * p.loss && p.loss <= rate);
	if (worst > p.loss + LEAST || worst <= least * p.loss)
		printf("h %u, D %d, rate %g: %.12g of %.12g\n", h, 1 << fine, rate, worst, p.loss);
	drop_tree(&p);
}

static void
losses(void)
{
	unsigned i, h, before = (unsigned)check_run;

	for (i = 0; i < 12; i++)
		for (h = 1; h <= 3; h++)
			one_loss(h, 3, 0, between(.12, 20));
	for (i = 0; i < 3; i++)
		one_loss(6, 3, 0, between(.5, 10));
	check((unsigned)check_run >= before + 30);
	before = (unsigned)check_run;
	for (i = 0; i < 12; i++)
		one_loss(1 + i % 2, 2, 1 + i / 2 % 2, ldexp(between(.3, 3), -1 - (int)(i / 2 % 2)));
	check((unsigned)check_run >= before + 6);
}

/* ---- variances on a finer grid ---- */

/* E[S | P] and E[S^2 | P], S of the first n steps of a node of a kind. */
static void
moments(const struct dp_normtree *p, const struct split *all, unsigned kind, uint64_t n,
    double *first, double *second)
{
	const struct dp_normtree_kind *k = &p->shape.kind[kind];
	const uint64_t half = kind == DP_NORMTREE_STEP ? 0 : (uint64_t)1 << (k->level - 1);
	const int64_t box = all[0].box;
	double *f, *g, q, in;
	int64_t P, a, b;

	for (P = -box; P <= box && n == 2 * half + (half == 0); P++) {
		first[P + box] = (double)P;
		second[P + box] = (double)(P * P);
	}
	if (n == 2 * half + (half == 0))
		return;
	f = calloc((size_t)(2 * box + 1), sizeof *f);
	g = calloc((size_t)(2 * box + 1), sizeof *g);
	moments(p, all, k->child[n > half], n - (n > half ? half : 0), f, g);
	for (P = -box; P <= box; P++)
		for (first[P + box] = second[P + box] = 0, a = -box; a <= box; a++) {
			if (isnan(*log_p(&all[kind], P, a)))
				continue;
			q = exp(*log_p(&all[kind], P, a));
			b = n > half ? P - a : a;
			in = n > half ? (double)a : 0;
			first[P + box] += q * (in + f[b + box]);
			second[P + box] += q * (in * (in + 2 * f[b + box]) + g[b + box]);
		}
	free(f);
	free(g);
}

static void
variances(unsigned h, unsigned fine, double rate)
{
	struct split all[DP_NORMTREE_KINDS];
	struct dp_normtree_shape s;
	struct dp_normtree p = { .A = 0 };
	double *first, *second, sum, v, worst = 0, total;
	int64_t box, P;
	uint64_t t;
	unsigned i;
	bool rare;

	do {	/* what is beyond the tables is to be rare, as in a plan's */
		random_kinds(&s, h, 2);
		for (i = 0; i < s.kinds; i++)
			s.kind[i].share *= .9;
		s.root *= .9;
		rare = s.kinds > h && dp_normtree_find_reach(&s, fine, rate, &total) == 0;
		for (i = 0; i < s.kinds && rare; i++)
			rare = ldexp(s.kind[i].share * rate, (int)fine) * s.kind[i].reach > 12;
		drop_tree(&p);
		p.fine = fine;
	} while (!rare || dp_normtree_set(&p, &s, rate, DP_NORMTREE_DRAW) != 0);
	box = ((int64_t)p.A + 20) << fine;
	first = calloc((size_t)(2 * box + 1), sizeof *first);
	second = calloc((size_t)(2 * box + 1), sizeof *second);
	for (i = 0; i < s.kinds; i++) {
		new_split(&all[i], box);
		fine_splits(&all[i], &p, i);
	}
	for (t = 1; t <= s.T; t++) {
		moments(&p, all, s.kinds - 1, t, first, second);
		for (v = sum = 0, P = -box; P <= box; P++) {
			v += exp(log_root(&p, P)) * second[P + box];
			sum += exp(log_root(&p, P));
		}
		worst = fmax(worst, fabs(dp_normtree_variance(&p, NULL, 0, t) / (v / sum) - 1));
	}
	check(worst < 1e-3);
	if (!(worst < 1e-3))
		printf("h %u, D %d, rate %g: variances off by %g\n", h, 1 << fine, rate, worst);
	for (i = 0; i < s.kinds; i++)
		free(all[i].at);
	free(first);
	free(second);
	drop_tree(&p);
}

static void
all_variances(void)
{
	unsigned i;

	for (i = 0; i < 4; i++)
		variances(2 + i % 2, 1 + i / 2 % 2,
		    ldexp(between(.35, .85), -1 - (int)(i / 2 % 2)));
}

/* ---- */

/* 4 steps: all w in a box, and each of their neighbours. */
static void
by_hand(double rate)
{
	const int64_t box = 9;
	struct dp_normtree_shape s;
	struct dp_normtree p;
	struct split split[3];
	double *root, here, there, worst = 0;
	int64_t w[4], a, b;
	unsigned i;

	do
		random_kinds(&s, 2, 2);
	while (s.kinds < 3);
	if (!random_tree(&p, &s, 0, rate)) {
		fail("no tables");
		return;
	}
	for (i = 0; i < 3; i++) {
		new_split(&split[i], 4 * box + 4);
		coarse_split(&split[i], &p, i);
	}
	root = calloc((size_t)(8 * box + 9), sizeof *root);
	for (a = -4 * box - 4; a <= 4 * box + 4; a++)
		root[a + 4 * box + 4] = log_root(&p, a);
#define LOG_P() (a = w[0] + w[1], b = w[2] + w[3], root[a + b + 4 * box + 4] + \
	    *log_p(&split[2], a + b, a) + *log_p(&split[s.kind[2].child[0]], a, w[0]) + \
	    *log_p(&split[s.kind[2].child[1]], b, w[2]))
	for (w[0] = -box; w[0] <= box; w[0]++)
		for (w[1] = -box; w[1] <= box; w[1]++)
			for (w[2] = -box; w[2] <= box; w[2]++)
				for (w[3] = -box; w[3] <= box; w[3]++) {
					here = LOG_P();
					for (i = 0; i < 4; i++) {
						w[i]++;
						there = LOG_P();
						w[i]--;
						worst = fmax(worst, fabs(here - there));
					}
				}
	check(worst <= p.loss + LEAST && worst > .99 * p.loss);
	if (worst > p.loss + LEAST || worst <= .99 * p.loss)
		printf("by hand, rate %g: %.12g of %.12g\n", rate, worst, p.loss);
	for (i = 0; i < 3; i++)
		free(split[i].at);
	free(root);
	drop_tree(&p);
}

/* ---- the certificate again ---- */

#define OFF	1e-14L		/* of sums of some thousand terms, each within 4000 2^-64 */
#define FAR	(6 * DP_NORMTREE_REACH + 8)

struct table {
	long double at[FAR + 1];
};

static void
unfold(struct table *to, const struct dp_real *from, unsigned A,
    struct dp_real beyond, unsigned last)
{
	unsigned i;

	for (i = 0; i <= last; i++)
		to->at[i] = i <= A ? value(from[i]) : to->at[i - 1] * value(beyond);
}

/* N(P) by the sum over all a, those beyond both tables in closed form. */
static long double
direct(const struct dp_normtree_level *v, const struct table *g, const struct table *h,
    const struct table *k, unsigned P)
{
	const int64_t A = v->A, cap = P < v->A ? A - P : 0;
	const long double both = v->open ? value(v->fade) :
	    value(v->beyond[0]) * value(v->beyond[1]);
	long double s = 0, t = 0;
	int64_t a, y, side;

	for (a = 0; a <= P; a++)
		s += g->at[a] * h->at[P - a];
	for (side = 0; side < 2; side++) {
		for (y = 1; y <= A + 1; y++) {
			t = k->at[v->open || y < cap ? y : cap] * (side == 0 ?
			    g->at[y] * h->at[P + y] : g->at[P + y] * h->at[y]);
			s += t;
		}
		s += t * both / (1 - both);
	}
	return s;
}

static long double
most(long double a, long double b)
{
	return a > b ? a : b;
}

/*
 * The least e for which a kind has (3) of normtree.h; the root's with the root's law in its own
 * table's place, so with e_R.
 */
static long double
kind_loss(const struct dp_normtree *p, unsigned kind)
{
	static struct table g, h, k, own;
	const bool root = kind + 1 == p->shape.kinds && p->fine == 0;
	const struct dp_normtree_level *v = &p->level[kind];
	const unsigned A = v->A, last = 3 * A + 4;
	const long double slow = most(value(v->beyond[0]), value(v->beyond[1]));
	long double N, next, d, e = 0, step = 0, steps[DP_NORMTREE_REACH + 1];
	unsigned P, y;

	unfold(&g, v->child[0], v->reach[0], v->beyond[0], 2 * last);
	unfold(&h, v->child[1], v->reach[1], v->beyond[1], 2 * last);
	unfold(&k, v->fall, A, v->fade, last);
	unfold(&own, root ? p->root : v->own, A, root ? p->beyond : v->past, last + 1);
	for (y = 0; y <= A; y++) {	/* the steepest step of k below y */
		steps[y] = step;
		step = most(step, logl(k.at[y] / k.at[y + 1]));
		check(k.at[y + 1] <= k.at[y]);
	}
	for (P = 0, N = direct(v, &g, &h, &k, 0); P <= last; P++, N = next) {
		next = direct(v, &g, &h, &k, P + 1);
		d = logl(own.at[P + 1] / own.at[P]) - logl(next / N);
		e = most(e, most(-d, d + (v->open ? step : P < A ? steps[A - P] : 0)));
	}
	/* from 2A on d goes one way, to this */
	d = logl(value(root ? p->beyond : v->past)) - (v->open ? 0 : logl(slow));
	e = most(e, most(-d, d + (v->open ? step : 0)));
	return e + OFF + DP_NORMTREE_SAMPLED;
}

/* g(i) of SPLINES, from c. */
static long double
mean_of(const struct dp_normtree *p, const long double *c, unsigned i)
{
	const long double s = p->fine == 1 ? .172 : p->fine == 2 ? .1835 : .1918;
	const long double t = p->fine == 1 ? -.0156 : p->fine == 2 ? -.0093 : -.009;
	const long double one = c[i == 0 ? 1 : i - 1] + c[i + 1];
	const long double two = c[i < 2 ? 2 - i : i - 2] + c[i + 2];

	return c[i] + s * (one - 2 * c[i]) + t * (two - 2 * c[i]);
}

/* lambda of SPLINES: a potential of slope e, of a kind's nodes; of steps if v is NULL */
static long double
smooth_loss(const struct dp_normtree *p, const struct dp_normtree_level *v, long double e)
{
	const int64_t D = (int64_t)1 << p->fine, end = v == NULL ? 2 : v->A + 16;
	static struct table c, g;
	long double G, C, u, before = 0, worst = 0;
	int64_t x, i, Q;

	for (i = 0; i <= end + 9; i++)
		c.at[i] = v == NULL ? 1 : entry(v->own, v->A, v->past, i);
	for (i = 0; i <= end + 8; i++)
		g.at[i] = i <= (v == NULL ? 0 : v->A) ? mean_of(p, c.at, (unsigned)i) :
		    g.at[i - 1] * (v == NULL ? 1 : value(v->past));
	for (x = -end * D; x <= end * D; x++, before = u) {
		Q = floor_to(x, D);
		for (G = 0, i = Q - 3; i <= Q + 3; i++)
			G += g.at[llabs(i)] * expl(e * (long double)(i - Q)) *
			    uniforms((unsigned)D, 4, x - D * i);
		for (C = 0, i = Q - 5; i <= Q + 5; i++)
			C += c.at[llabs(i)] * uniforms((unsigned)D, 8, x - D * i);
		u = logl(G) + e * (long double)Q - (v == NULL ? 0 : logl(C));
		if (x > -end * D)
			worst = most(worst, u - before);
	}
	return worst + 1e-14L;
}

/* Of a potential that moves by e in the noise of the nodes of a kind. */
static long double
cost(const struct dp_normtree *p, uint16_t kind, long double e)
{
	return p->fine == 0 ? e : 0x1p-38L +
	    smooth_loss(p, kind == DP_NORMTREE_STEP ? NULL : &p->level[kind], e);
}

/* On a finer grid: how log R / g moves, g smoothed. */
static long double
root_loss(const struct dp_normtree *p)
{
	const struct dp_normtree_level *v = &p->level[p->shape.kinds - 1];
	long double e = fabsl(logl(value(p->beyond) / value(v->past))), was = 0, now;
	static struct table c;
	unsigned i;

	for (i = 0; i <= v->A + 2; i++)
		c.at[i] = entry(v->own, v->A, v->past, i);
	for (i = 0; i <= v->A; i++, was = now) {
		now = logl(value(p->root[i]) / mean_of(p, c.at, i));
		e = i == 0 ? e : most(e, fabsl(now - was));
	}
	return e + OFF + DP_NORMTREE_SAMPLED;
}

/* The worst path, from the tables as they are stored. */
static long double
certified(const struct dp_normtree *p)
{
	const unsigned kinds = p->shape.kinds;
	long double loss[DP_NORMTREE_KINDS], e;
	const uint16_t *c;
	unsigned i, side;

	for (i = 0; i < kinds; i++) {
		e = kind_loss(p, i);
		for (c = p->shape.kind[i].child, loss[i] = 0, side = 0; side < 2; side++)
			loss[i] = most(loss[i], (c[side] == DP_NORMTREE_STEP ? 0 : loss[c[side]]) +
			    cost(p, c[side], e));
	}
	return loss[kinds - 1] + (p->fine == 0 ? 0 :
	    cost(p, (uint16_t)(kinds - 1), root_loss(p)));
}

/* A random plan, certified again; *ratio: by how much at most it loses less than was said. */
static bool
again_one(unsigned h, unsigned fine, long double *ratio)
{
	const double rate = ldexp(fine == 0 ? between(.08 + .018 * h, 20) : between(.5, 3),
	    -(int)fine);
	struct dp_normtree_shape s;
	struct dp_normtree p;
	long double e;
	unsigned k;
	bool made;

	random_kinds(&s, h, 3);
	for (k = 0; k < s.kinds && fine > 0; k++)
		s.kind[k].share *= .9;
	s.root *= fine > 0 ? .9 : 1;
	if ((made = random_tree(&p, &s, fine, rate))) {
		e = certified(&p);
		check(e <= p.loss && p.loss <= rate);
		if (e > p.loss)
			printf("h %u, D %d: %.15Lg of %.15g\n", s.h, 1 << fine, e, p.loss);
		*ratio = most(*ratio, 1 - e / p.loss);
	}
	drop_tree(&p);
	return made;
}

static void
again(unsigned plans)
{
	long double ratio[2] = { 0 };
	unsigned i, fine, done_ones = 0;

	for (i = 0; i < plans; i++) {
		fine = i % 8 == 0 ? 1 + i / 8 % 2 : 0;
		done_ones += again_one(1 + one_of(8), fine, &ratio[fine > 0]);
	}
	check(done_ones >= plans / 4 * 3);
	check(ratio[0] < 1e-4L && ratio[1] < .1L);
	if (ratio[0] >= 1e-4L || ratio[1] >= .1L || done_ones < plans / 4 * 3)
		printf("%u of %u plans, %Lg %Lg\n", done_ones, plans, ratio[0], ratio[1]);
	for (i = 0; i < 80; i++)	/* two steps: some lose most where tables end */
		(void)again_one(1, 1 + i % 2, &ratio[1]);
}

/* The plans of counts, which are of kinds: the same. */
static void
counts(void)
{
	static const struct { uint64_t T; double rate; } of[] = {
		{ 65, 1 }, { 257, 1 }, { 1025, 1 }, { 2049, 1 }, { 4096, 1 }, { 4096, 10 },
		{ 4096, .1 }, { 1 << 20, 1 }, { (1 << 23) + 1, 1 }, { 1 << 30, 1 }
	};
	struct dp_normtree_shape s;
	struct dp_mech_rule r;
	struct dp_normtree *p;
	long double e;
	unsigned i;

	for (i = 0; i < sizeof of / sizeof of[0]; i++) {
		r = setting(of[i].T, (uint64_t)(of[i].rate * 10 + .5), 10, 1);
		dp_normtree_count_shape(&s, of[i].T);
		check(!s.chain && dp_normtree_shares(&s) < 1);
		if (dp_normtree_create(&p, &s, &r.privacy) != 0) {
			fail("a count has no plan");
			continue;
		}
		e = certified(p);
		check(!p->shape.chain && e <= p->loss && p->loss <= of[i].rate);
		check(dp_normtree_shares(&p->shape) > (p->fine > 0 ? 1 / 1.015 : .999));
		if (e > p->loss || p->loss > of[i].rate)
			printf("T %llu: %.15Lg of %.15g\n", (unsigned long long)of[i].T, e,
			    p->loss);

		dp_normtree_free(p);
	}
}

/*
 * Counts at rates so large that noise is rare: certified twice, at most 2 % more error than nodes
 * of kinds have at the worst step, and a tenth of it where that is most; each horizon has a plan.
 */
static void
rare(void)
{
	struct dp_normtree_shape s;
	struct dp_mech_rule r;
	struct dp_normtree *p, *kinds;
	struct dp_error e, other;
	uint64_t T, t;
	double most, least = 1;
	unsigned i, h;

	for (h = 3; h <= 28; h++)
		for (i = 20; i <= 84; i += 1 + h / 4) {
			T = ((uint64_t)1 << h) * (4 + i % 5) / 8 + (i % 5 == 0);
			r = setting(T, i, 4, 1);
			if (!dp_normtree_rare_shape(&s, T, i / 4.))
				continue;
			check(dp_normtree_shares(&s) < 1 && s.kinds == dp_ceil_log2(T));
			if (dp_normtree_create(&p, &s, &r.privacy) != 0) {
				fail("no plan");
				printf("T %g, rate %g\n", (double)T, i / 4.);
				continue;
			}
			check(certified(p) <= p->loss && p->loss <= fmin(i / 4., 20));
			dp_normtree_error(p, NULL, 0, T, &e);
			for (most = 0, t = 1; t <= T && T <= 4096; t++)
				most = fmax(most, dp_normtree_variance(p, NULL, 0, t));
			check(T > 4096 || fabs(e.max / most - 1) < 1e-10);
			dp_normtree_free(p);
			dp_normtree_count_shape(&s, T);
			check(dp_normtree_create(&kinds, &s, &r.privacy) == 0);
			dp_normtree_error(kinds, NULL, 0, T, &other);
			dp_normtree_free(kinds);
			check(e.max <= 1.04 * other.max && e.mean <= 1.005 * other.mean);
			if (e.max > 1.04 * other.max || e.mean > 1.005 * other.mean)
				printf("T %g, rate %g: %g %g\n", (double)T, i / 4.,
				    e.max / other.max, e.mean / other.mean);
			least = fmin(least, e.max / other.max);
		}
	check(least < .01);	/* of the variance */
	check(!dp_normtree_rare_shape(&s, 64, 4.9) && !dp_normtree_rare_shape(&s, 1000, 7));
}

/* N' is off by no more than is said: children's tables that end early, and unlike each other. */
static void
slack(double rate)
{
	struct dp_normtree_shape s = { .h = 2, .T = 4, .root = .05, .kinds = 3, .kind = {
	    { .share = .5, .corner = .5, .level = 1, .child = { DP_NORMTREE_STEP,
	    DP_NORMTREE_STEP } }, { .share = .8, .corner = .3, .level = 1, .child = {
	    DP_NORMTREE_STEP, DP_NORMTREE_STEP } }, { .share = .14, .corner = 1, .level = 2,
	    .child = { 1, 0 } } } };
	static struct table g, h, k;
	const struct dp_normtree_level *v;
	struct dp_normtree p = { .fine = 0 };
	struct work w;
	double total, sum[2], worst = 0, *space = malloc(dp_normtree_work(400));
	unsigned P;

	check(space != NULL && dp_normtree_find_reach(&s, 0, rate, &total) == 0);
	s.kind[2].reach = 400;
	check(dp_normtree_set(&p, &s, rate, DP_NORMTREE_DRAW) == 0);
	v = &p.level[2];
	dp_normtree_start(&w, p.A, 0, space);
	dp_normtree_take(&w, &p, 2, 1);
	unfold(&g, v->child[0], v->reach[0], v->beyond[0], 4 * p.A);
	unfold(&h, v->child[1], v->reach[1], v->beyond[1], 4 * p.A);
	unfold(&k, v->fall, v->A, v->fade, v->A + 1);
	for (P = 0; P <= p.A; P++) {
		(void)dp_normtree_weights(&w, 0, P, DP_NORMTREE_NOTHING, &sum[0]);
		(void)dp_normtree_weights(&w, 1, P, DP_NORMTREE_NOTHING, &sum[1]);
		w.N[P] = dp_normtree_both(&w, P, sum);
	}
	dp_normtree_weigh_beyond(&w);
	for (P = 0; P <= 2 * p.A + 1; P++)
		worst = fmax(worst, (double)fabsl(w.N[P] / direct(v, &g, &h, &k, P) - 1));
	check(v->reach[0] < 250 && worst < DP_NORMTREE_OFF);
	if (worst >= DP_NORMTREE_OFF)
		printf("N' is off by %g\n", worst);
	free(space);
	drop_tree(&p);
}

/* ---- plans ---- */

/* Whether a list of kinds is one of that shape's h and T. */
static bool
replays(const struct dp_normtree_shape *shape, struct dp_numbers *list)
{
	struct dp_normtree_shape s = *shape;

	dp_numbers_replay(list);
	dp_normtree_keep_kinds(&s, list);
	return dp_numbers_error(list) == 0;
}

static bool
replays_with(const struct dp_normtree_shape *s, struct dp_numbers *list, unsigned kind,
    unsigned at, uint64_t v)
{
	const uint64_t was = list->number[kind + 1].word;
	bool yes;

	list->number[kind + 1].word = (was & ~((uint64_t)0xffff << at)) | v << at;
	yes = replays(s, list);
	list->number[kind + 1].word = was;
	return yes;
}

enum { LEVEL = 0, LEFT = 16, RIGHT = 32, HOW_FAR = 48 };	/* in a kind's word */

/* Plans of which one thing alone is wrong. */
static void
almost(void)
{
#define S DP_NORMTREE_STEP
	static const struct { uint64_t T; uint16_t kind[4][3]; bool sound; } plan[] = {
		{ 8, { { 1, S, S }, { 1, S, S }, { 2, 0, 1 }, { 3, 2, 2 } }, true },
		/* a child after its parent */
		{ 8, { { 1, S, S }, { 2, 2, 0 }, { 1, S, S }, { 3, 1, 1 } }, false },
		/* a pair of steps that is of four */
		{ 5, { { 1, S, S }, { 2, 0, 0 }, { 2, S, S }, { 3, 1, 2 } }, false },
		/* a child as high as its parent */
		{ 8, { { 1, S, S }, { 2, 0, 0 }, { 2, 1, 0 }, { 3, 2, 2 } }, false }
	};
	struct dp_normtree_shape s = { .h = 3, .kinds = 4 };
	struct dp_numbers list;
	size_t i;
	unsigned k;

	for (i = 0; i < sizeof plan / sizeof *plan; i++) {
		list = (struct dp_numbers){ .n = 0 };
		s.T = plan[i].T;
		dp_numbers_add(&list, s.h | (uint64_t)s.kinds << 16);
		for (k = 0; k < s.kinds; k++)
			dp_numbers_add(&list, plan[i].kind[k][0] | (uint64_t)plan[i].kind[k][1] <<
			    LEFT | (uint64_t)plan[i].kind[k][2] << RIGHT | (uint64_t)30 << HOW_FAR);
		check(replays(&s, &list) == plan[i].sound);
		dp_numbers_free(&list);
	}
}

static void
forged(void)
{
	struct dp_normtree_shape s, other;
	struct dp_numbers list = { .n = 0 };
	struct dp_normtree p = { .A = 0 };
	double total;
	unsigned i, top;
	uint64_t was;

	do
		random_kinds(&s, 4, 2);
	while (s.kinds < 6 || s.kind[s.kinds - 1].child[0] == s.kind[s.kinds - 1].child[1] ||
	    dp_normtree_find_reach(&s, 0, 1, &total) != 0);
	top = s.kinds - 1;
	s.kind[top].reach++;
	dp_normtree_keep_kinds(&s, &list);
	check(list.n == s.kinds + 1u && replays(&s, &list));
	for (i = 0; i <= top; i++) {
		check(!replays_with(&s, &list, i, LEFT, i));
		check(!replays_with(&s, &list, i, RIGHT, i));
		check(!replays_with(&s, &list, i, RIGHT, i + 1u));
		check(!replays_with(&s, &list, i, LEVEL, 0));
		check(!replays_with(&s, &list, i, LEVEL, s.kind[i].level + 1u));
		check(!replays_with(&s, &list, i, HOW_FAR, 1));
		check(!replays_with(&s, &list, i, HOW_FAR, DP_NORMTREE_KINDS_REACH + 1));
		if (s.kind[i].level == 1)
			continue;
		check(!replays_with(&s, &list, i, LEFT, DP_NORMTREE_STEP));
		check(!replays_with(&s, &list, i, LEVEL, s.kind[i].level - 1u));
		was = list.number[i + 1].word;
		list.number[i + 1].word |= (uint64_t)DP_NORMTREE_STEP << LEFT;
		check(!replays_with(&s, &list, i, RIGHT, DP_NORMTREE_STEP));
		list.number[i + 1].word = was;
		check(!replays_with(&s, &list, i, HOW_FAR,
		    s.kind[s.kind[i].child[0]].reach - 1u));
		check(!replays_with(&s, &list, i, HOW_FAR,
		    s.kind[s.kind[i].child[1]].reach - 1u));
	}
	/* a kind that no node has */
	check(!replays_with(&s, &list, top, RIGHT, s.kind[top].child[0]));
	other = s;
	other.h--;
	check(!replays(&other, &list));
	list.number[0].word = s.h | (uint64_t)(DP_NORMTREE_KINDS + 1) << 16;
	check(!replays(&s, &list));
	dp_numbers_free(&list);
	list = (struct dp_numbers){ .n = 0 };
	/* a half that is not drawn, and whose steps are asked for */
	kinds_up_to(&other, 6, 39);
	for (i = 0; i < other.kinds; i++)
		other.kind[i].reach = 30;
	dp_normtree_keep_kinds(&other, &list);
	other.T = 40;
	check(replays(&other, &list));
	other.T = 41;
	check(!replays(&other, &list));
	dp_numbers_free(&list);
	/* shares of which only one path is above the budget */
	s.kind[0].share *= 1 + 1e-5;
	s.kind[1].share *= 1 + 1e-5;
	check(dp_normtree_set(&p, &s, 1, DP_NORMTREE_CERTIFY) == DP_ERANGE);
	drop_tree(&p);
}

static void
replay(void)
{
	struct dp_mech_rule set = setting(0, 1, 1, 1);
	struct dp_numbers list = { .n = 0 };
	struct dp_normtree_shape s, chain;
	struct dp_normtree *p, *q;
	int e;

	set.privacy.numbers = &list;
	do {
		dp_numbers_free(&list);
		list = (struct dp_numbers){ .n = 0 };
		random_kinds(&s, 4, 2);
	} while (s.kinds < 6 || dp_normtree_create(&p, &s, &set.privacy) != 0);
	dp_numbers_replay(&list);
	s.kind[0].share *= .9;		/* a rule that is another by now */
	check(dp_normtree_create(&q, &s, &set.privacy) == 0 && dp_normtree_wake(q) == 0);
	check(q->held.bytes == p->held.bytes && memcmp(q->held.memory, p->held.memory,
	    p->held.bytes) == 0);
	check(!q->shape.chain && q->loss <= p->loss && q->loss >= p->loss);
	dp_normtree_free(q);
	dp_normtree_shape(&chain, 4);
	dp_numbers_replay(&list);
	e = dp_normtree_create(&q, &chain, &set.privacy);
	check(e == DP_EINVAL);
	dp_normtree_free(p);
	dp_numbers_free(&list);

	list = (struct dp_numbers){ .n = 0 };
	check(dp_normtree_create(&p, &chain, &set.privacy) == 0);
	dp_numbers_replay(&list);
	check(dp_normtree_create(&q, &s, &set.privacy) == 0 && dp_normtree_wake(q) == 0);
	check(q->shape.chain && q->held.bytes == p->held.bytes);
	check(memcmp(q->held.memory, p->held.memory, p->held.bytes) == 0);
	check(!q->moments.known && dp_normtree_know(q) && dp_normtree_know(p));
	check(memcmp(q->moments.split, p->moments.split, sizeof p->moments.split) == 0);
	dp_normtree_free(p);
	dp_normtree_free(q);
	dp_numbers_free(&list);
}

/* ---- errors ---- */

static bool
near(double a, double b, double rel)
{
	return fabs(a - b) <= rel * fabs(b);
}

static void
errors(unsigned h, uint64_t T)
{
	struct dp_normtree_shape s;
	struct dp_normtree p;
	const struct dp_normtree_place *at;
	struct dp_error e;
	double v, most_v = 0, sum = 0, part;
	const double *split;
	uint64_t t, u;
	unsigned i;

	if (T == (uint64_t)1 << h)
		random_kinds(&s, h, 3);
	else
		kinds_up_to(&s, h, T);
	if (!random_tree(&p, &s, 0, between(.5, 5))) {
		drop_tree(&p);
		errors(h, T);
		return;
	}
	for (t = 1; t <= T; t++) {
		v = dp_normtree_variance(&p, NULL, 0, t);
		sum += v;
		most_v = fmax(most_v, v);
	}
	dp_normtree_error(&p, NULL, 0, T, &e);
	check(near(e.max, most_v, 1e-9) && near(e.mean, sum / (double)T, 1e-9) &&
	    near(dp_normtree_variance(&p, NULL, 0, e.worst), most_v, 1e-9));
	for (i = 0; p.moments.places != NULL && i < p.moments.places->n; i++) {
		at = &p.moments.places->at[i];
		split = dp_normtree_numbers(p.moments.places) + at->split;
		for (part = 0, u = 1; u <= (uint64_t)1 << at->level; u++) {
			part += dp_normtree_place_at(at, split, u);
			check(near(dp_normtree_place_sum(at, split, u), part, 1e-9));
		}
	}
	drop_tree(&p);
}

static void
horizon(uint64_t T)
{
	struct dp_mech_rule s = setting(T, 1, 1, 1);
	struct dp_mech *m = make("normtree", &s);
	struct dp_rng *rng;
	struct column c;
	int64_t x[256] = { 0 };
	dp_wide y[256];
	size_t done = 0;

	check(m != NULL && dp_rng_open_seed(&rng, 1) == 0);
	if (m == NULL)
		return;
	check(column_new(&c, m, rng) == 0);
	check(dp_mech_steps(m, c.state, rng, 1, x, y, 256, &done) == DP_EHORIZON && done == T);
	column_free(&c);
	check(column_new(&c, m, rng) == 0);
	check(dp_mech_steps(m, c.state, rng, 1, x, y, T - 1, &done) == 0 && done == T - 1);
	check(m->ops->step(m, c.state, rng, T, x, y) == 0);
	check(m->ops->step(m, c.state, rng, T + 1, x, y) == DP_EHORIZON);
	check(dp_mech_steps(m, c.state, rng, T + 1, x, y, 1, &done) == DP_EHORIZON && done == 0);
	column_free(&c);
	dp_rng_free(rng);
	dp_mech_free(m);
}

int
main(int argc, char **argv)
{
	unsigned i;

	PART(by_hand(20));
	PART(by_hand(5));
	PART(slack(.25));
	PART(slack(.4));
	PART(almost());
	PART(forged());
	PART(replay());
	PART(horizon(65));
	PART(horizon(3));
	for (i = 0; i < 3; i++) {
		PART(errors(5, 32));
		PART(errors(5, 21));
		PART(errors(6, 39));
		PART(errors(6, 34));
	}
	PART(counts());
	PART(rare());
	PART(losses());
	PART(all_variances());
	again(argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 2000);
	return done();
}
