/* SPDX-License-Identifier: ISC */
/* error.c - the exact variance of what a tree's noise adds up to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static struct dp_normtree_node *node_new(unsigned n, bool chain);
static void node_free(struct dp_normtree_node *);
static double node_second(const struct dp_normtree_node *);
static double node_square(double rest, const struct dp_normtree_node *);
static double node_cross(const struct dp_normtree_node *);
static struct dp_normtree_node *node_shrink(struct dp_normtree_node *, unsigned most,
     bool chain);
static void node_share(const struct work *, struct dp_normtree_node *, unsigned P,
	    unsigned end);
static void take_redraw(struct work *, const struct dp_normtree *, unsigned kind,
	    unsigned n);
static void descend_node(const struct work *, unsigned P, unsigned end,
	    const struct dp_normtree_pair *from, const struct dp_normtree_pair *to);

/*
 * The exact variance of what is filtered: of counts by internal.h, of windows and decays,
 * over an endless row of trees, by counter/filter.h.
 */

#define RESIDUAL	1.4	/* with what is split varying by up to a third of one more */

/* The root's and the splits': all of a tree's, or a part. */
struct variances {
	double root;
	const double *split;
};

static struct variances
all_error(const struct dp_normtree *p)
{
	return (struct variances){ p->moments.var[p->h], p->moments.split };
}

/*
 * A variance in grid units squared from one in units squared, and from so many steps' noise within
 * them, or more.
 */
static double
scaled(const struct dp_normtree *p, double v, double steps)
{
	const double unit = (double)p->unit;

	return p->unit == 1 ? v : unit * unit * (v + steps / 12);
}

/* Variances of steps in the estimate of step t. */
static double
entered(const struct dp_task *task, unsigned out, uint64_t t)
{
	const double n = (double)t;

	if (task == NULL)
		return n;
	if (task->what == DP_TASK_WINDOW)
		return fmin(n, (double)task->w[out]);
	return fmin(n, 1 / (1 - task->alpha * task->alpha));
}

/* ---- counts over one tree: by its places, a chain's by itself ---- */

static void
count_error(const struct dp_normtree *p, uint64_t T, struct dp_error *e)
{
	const struct dp_normtree_place chain = { .level = p->h, .own = p->moments.var[p->h] };
	const struct dp_normtree_place *at = p->moments.places == NULL ? &chain :
	    p->moments.places->at;
	const unsigned n = p->moments.places == NULL ? 1 : p->moments.places->n;
	const double *split;
	uint64_t size, worst;
	double most, sum = 0;
	unsigned i;

	for (i = 0; i < n && at[i].base < T; i++) {
		split = p->moments.places == NULL ? p->moments.split :
		    dp_normtree_numbers(p->moments.places) + at[i].split;
		size = T - at[i].base;
		if (at[i].level < 64 && size > (uint64_t)1 << at[i].level)
			size = (uint64_t)1 << at[i].level;
		sum += dp_normtree_place_sum(&at[i], split, size);
		if (i > 0 && dp_normtree_place_bound(&at[i], split) <= e->max)
			continue;
		most = dp_normtree_place_max(&at[i], split, size, &worst);
		if (i == 0 || most > e->max) {
			e->max = most;
			e->worst = at[i].base + worst;
		}
	}
	e->mean = sum / (double)T;
}

void
dp_normtree_error(const struct dp_normtree *p, const struct dp_task *task, unsigned out,
    uint64_t T, struct dp_error *e)
{
	struct dp_tally q;
	double sum = 0;
	unsigned l;

	*e = (struct dp_error){ .worst = 1 };
	if (p->exact)
		return;
	if (!dp_normtree_know(p)) {
		e->max = e->mean = INFINITY;
		return;
	}
	if (task == NULL)
		count_error(p, T, e);
	else {
		dp_tally_set(&q, p->h, p->moments.split, p->moments.var[p->h], task, out);
		for (l = 0; l <= q.h; l++)
			sum += q.v[l] * dp_tally_sum(&q, l, T);
		e->mean = sum / (double)T;
		e->max = dp_tally_max(&q, T, &e->worst);
	}
	e->mean = scaled(p, e->mean, entered(task, out, T));
	e->max = scaled(p, e->max, entered(task, out, T));
}

/* The place of step t, of no chain. */
static const struct dp_normtree_place *
place_of(const struct dp_normtree *p, uint64_t t)
{
	const struct dp_normtree_place *at = p->moments.places->at;
	unsigned lo = 0, hi = p->moments.places->n, mid;

	while (hi - lo > 1) {
		mid = (lo + hi) / 2;
		if (at[mid].base < t)
			lo = mid;
		else
			hi = mid;
	}
	return &at[lo];
}

static double
count_variance(const struct dp_normtree *p, struct variances of, uint64_t t)
{
	const struct dp_normtree_place chain = { .level = p->h, .own = of.root }, *at;

	if (p->moments.places == NULL)
		return dp_normtree_place_at(&chain, of.split, t);
	at = place_of(p, t);
	return dp_normtree_place_at(at, dp_normtree_numbers(p->moments.places) + at->split,
	    t - at->base);
}

double
dp_normtree_step_variance(const struct dp_normtree *p, uint64_t t)
{
	const struct dp_normtree_place *at;
	const double *split;
	double var;
	unsigned l;

	if (!dp_normtree_know(p))
		return INFINITY;
	if (p->moments.places == NULL)
		return scaled(p, p->moments.var[0], 1);
	at = place_of(p, t);
	split = dp_normtree_numbers(p->moments.places) + at->split;
	for (var = at->own, l = at->level; l > 0; l--)
		var = var / 4 + split[l - 1];
	return scaled(p, var, 1);
}

static double
variance(const struct dp_normtree *p, struct variances of, const struct dp_task *task, unsigned out,
    uint64_t t)
{
	struct dp_tally q;
	double v = 0;
	unsigned l;

	if (p->exact)
		return 0;
	if (task == NULL)
		return count_variance(p, of, t);
	dp_tally_set(&q, p->h, of.split, of.root, task, out);
	for (l = 0; l <= q.h; l++)
		v += q.v[l] * dp_tally_at(&q, l, t);
	return v;
}

double
dp_normtree_variance(const struct dp_normtree *p, const struct dp_task *task, unsigned out,
    uint64_t t)
{
	return !dp_normtree_know(p) ? INFINITY :
	    scaled(p, variance(p, all_error(p), task, out, t), entered(task, out, t));
}

double
dp_normtree_residual(const struct dp_normtree *p, const struct dp_task *task, unsigned out,
    uint64_t t)
{
	const double rest = RESIDUAL * dp_spline_residual(p->fine);
	const struct dp_normtree_place chain = { .level = p->h, .own = rest };
	double split[DP_NORMTREE_LEVELS];
	const struct variances of = { rest, split };
	unsigned l;

	for (l = 0; l < p->h; l++)
		split[l] = rest / 2;
	return scaled(p, task == NULL ? dp_normtree_place_at(&chain, split, t) :
	    variance(p, of, task, out, t), entered(task, out, t));
}

/*
 * The variances that a chain's tables lead to, by the law of a node's noise.
 */

#define UNLIKELY	1e-20	/* noise that moments leave out */

static double
second_moment(const double *m, unsigned last)
{
	double v = 0;
	unsigned i;

	for (i = 1; i <= last; i++)
		v += m[i] * (double)i * i;
	return v;
}

static void
swap(struct work *w)
{
	const struct dp_normtree_pair node = w->node;

	w->node = w->child;
	w->child = node;
}

/*
 * One level down: from what is known of a node to that of its child; the variance of its split.  A
 * child is half of its parent and z, which is as likely as -z: the variance of z is that of a child
 * less a quarter of the parent's.
 */
static double
go_down_moment(const struct dp_normtree *p, struct work *w, unsigned kind)
{
	const unsigned most = 2 * w->A + 1;
	const size_t size = (w->last + 1) * sizeof(double);
	double parents = 0;
	unsigned P;

	if (w->fine > 0) {
		take_redraw(w, p, kind, most);
		dp_normtree_redraw(w->redraw, false, most, &w->node, &w->child);
		swap(w);
	}
	dp_normtree_take(w, p, kind, 1);
	memset(w->child.of, 0, size);
	memset(w->child.rest, 0, size);
	for (P = 0; P < most; P++) {
		if (w->node.of[P] < UNLIKELY)
			continue;
		parents += w->node.of[P] * P * P;
		descend_node(w, P, dp_normtree_row_of(w, P, w->node.of[P], w->fine > 0),
		    &w->node, &w->child);
	}
	swap(w);
	return second_moment(w->node.of, w->last) - parents / 4;
}

void
dp_normtree_moments(struct dp_normtree *p, struct work *w)
{
	const double unit = ldexp(1, 2 * (int)p->fine), rest = dp_spline_residual(p->fine);
	const size_t size = (w->last + 1) * sizeof(double);
	unsigned l, kind = p->shape.kinds - 1;

	p->moments.var[p->h] = unit * second_moment(w->m, w->last) + rest;
	memcpy(w->node.of, w->m, size);
	memset(w->node.rest, 0, size);
	for (l = p->h; l > 0; l--, kind = p->shape.kind[kind].child[0]) {
		p->moments.split[l - 1] = unit * go_down_moment(p, w, kind) + rest / 2;
		/* Terms are uncorrelated. */
		p->moments.var[l - 1] = p->moments.var[l] / 4 + p->moments.split[l - 1];
	}
}

/*
 * The places of a tree, found from the root down.
 */

#define FAR	DP_NORMTREE_FARTHER

struct search {
	const struct dp_normtree *p;
	struct work *w;
	double unit, rest;			/* D^2; the variance of a residual, in D^2 */
	double var[DP_NORMTREE_LEVELS + 1];	/* of a level's nodes, at most */
	struct dp_normtree_node *waiting[DP_NORMTREE_KINDS];	/* of kinds, to be gone through */
	bool chain[DP_NORMTREE_KINDS];
	struct dp_normtree_place *place;
	double *number;
	size_t n, numbers, cap, room;
};

size_t
dp_normtree_places_size(const struct dp_normtree_places *s)
{
	return sizeof *s + s->n * sizeof *s->at + s->numbers * sizeof(double);
}

const double *
dp_normtree_numbers(const struct dp_normtree_places *s)
{
	return (const void *)(s->at + s->n);
}

static void
find_chains(struct search *s)
{
	const struct dp_normtree_kind *k;
	unsigned i;

	for (i = 0; i < s->p->shape.kinds; i++) {
		k = &s->p->shape.kind[i];
		s->chain[i] = k->child[0] == k->child[1] && (k->level == 1 ||
		    (s->chain[k->child[0]] && s->p->shape.kind[k->child[0]].level + 1 == k->level));
	}
}

static bool
more_room(struct search *s, unsigned level)
{
	void *p;

	if (s->n == s->cap) {
		s->cap = 2 * s->cap + 16;
		if ((p = realloc(s->place, s->cap * sizeof *s->place)) == NULL)
			return false;
		s->place = p;
	}
	if (s->numbers + level > s->room) {
		s->room = 2 * s->room + 64;
		if ((p = realloc(s->number, s->room * sizeof *s->number)) == NULL)
			return false;
		s->number = p;
	}
	return true;
}

/* A node of a chain is a place, which its splits are to add numbers to. */
static int
put_place(struct search *s, unsigned kind, struct dp_normtree_node *v)
{
	const unsigned level = s->p->shape.kind[kind].level;

	if (!more_room(s, level))
		return DP_ENOMEM;
	v->place = (uint32_t)s->n;
	s->place[s->n++] = (struct dp_normtree_place){ .base = v->base,
	    .before = s->unit * v->offset, .both = 2 * s->unit * node_cross(v),
	    .own = s->unit * node_square(s->rest, v), .level = level,
	    .split = (uint32_t)s->numbers };
	memset(s->number + s->numbers, 0, level * sizeof *s->number);
	s->numbers += level;
	return 0;
}

/* Numbers of a node, at most. */
static unsigned
farthest(const struct search *s)
{
	return 2 * s->p->A + 1;
}

/* A node that was found, of a chain that has its place or not. */
static int
add_node(struct search *s, unsigned kind, struct dp_normtree_node *v, bool placed)
{
	const unsigned level = s->p->shape.kind[kind].level;

	if (!placed)
		s->var[level] = fmax(s->var[level], s->unit * node_square(s->rest, v));
	if (!placed && s->chain[kind] && put_place(s, kind, v) != 0) {
		node_free(v);
		return DP_ENOMEM;
	}
	if ((v = node_shrink(v, farthest(s), s->chain[kind])) == NULL)
		return DP_ENOMEM;
	v->next = s->waiting[kind];
	s->waiting[kind] = v;
	return 0;
}

/* ---- a kind's nodes, all together ---- */

/* On a finer grid: what is split, in place of each node. */
static int
redraw(struct search *s, unsigned kind, unsigned most)
{
	struct dp_normtree_node *v, **at, *to;

	take_redraw(s->w, s->p, kind, most);
	for (at = &s->waiting[kind]; (v = *at) != NULL; at = &(*at)->next) {
		if ((to = node_new(v->n + FAR, s->chain[kind])) == NULL)
			return DP_ENOMEM;
		to->next = v->next;
		to->base = v->base;
		to->offset = v->offset;
		to->place = v->place;
		dp_normtree_redraw(s->w->redraw, false, v->n, &v->noise, &to->noise);
		if (!s->chain[kind])
			dp_normtree_redraw(s->w->redraw, true, v->n, &v->before, &to->before);
		node_free(v);
		*at = to;
	}
	return 0;
}

/* All rows, each for all nodes that have its P. */
static void
go_rows(struct search *s, unsigned kind, unsigned rows)
{
	const bool chain = s->chain[kind];
	struct dp_normtree_node *v;
	double weight;
	unsigned P, end;

	dp_normtree_take(s->w, s->p, kind, 1);
	for (P = 0; P < rows; P++) {
		for (weight = 0, v = s->waiting[kind]; v != NULL; v = v->next)
			weight = P < v->n ? fmax(weight, v->noise.of[P]) : weight;
		end = dp_normtree_row_of(s->w, P, weight, !chain || s->w->fine > 0);
		end = end < farthest(s) ? end : farthest(s);
		for (v = s->waiting[kind]; v != NULL; v = v->next) {
			if (P >= v->n)
				continue;
			v->child[0]->n = end > v->child[0]->n ? end : v->child[0]->n;
			if (chain)
				descend_node(s->w, P, end, &v->noise, &v->child[0]->noise);
			else
				node_share(s->w, v, P, end);
		}
	}
}

/* The right child's, whose B has the left one's noise in it: P less its own. */
static void
finish_place(const struct search *s, const struct dp_normtree_node *v, unsigned kind)
{
	struct dp_normtree_node *left = v->child[0], *right = v->child[1];
	unsigned u;

	right->n = left->n;
	for (u = 0; u < right->n; u++) {
		right->before.of[u] -= u * right->noise.of[u] + right->noise.rest[u];
		right->before.rest[u] -= u * right->noise.rest[u];
	}
	left->base = v->base;
	right->base = v->base + ((uint64_t)1 << (s->p->shape.kind[kind].level - 1));
	left->offset = v->offset;
	right->offset = v->offset + 2 * node_cross(left) +
	    node_square(s->rest, left);
}

/* Of a node that was gone through: what lies beyond T is never asked for. */
static int
keep_children(struct search *s, struct dp_normtree_node *v, unsigned kind)
{
	const struct dp_normtree_kind *k = &s->p->shape.kind[kind];
	struct dp_normtree_node *one;
	unsigned side;
	int e = 0;

	if (!s->chain[kind])
		finish_place(s, v, kind);
	else {
		v->child[0]->place = v->place;
		s->number[s->place[v->place].split + k->level - 1] =
		    node_second(v->child[0]) - node_second(v) / 4;
	}
	for (side = 0; side < 2 && e == 0; side++) {
		one = v->child[side];
		if (one == NULL || k->child[side] == DP_NORMTREE_STEP ||
		    one->base >= s->p->shape.T)
			continue;
		v->child[side] = NULL;
		e = add_node(s, k->child[side], one, s->chain[kind]);
	}
	return e;
}

/* Children to be. */
static int
make_children(struct search *s, unsigned kind)
{
	struct dp_normtree_node *v;

	for (v = s->waiting[kind]; v != NULL; v = v->next) {
		v->child[0] = node_new(farthest(s), s->chain[kind]);
		v->child[1] = s->chain[kind] ? NULL : node_new(farthest(s), false);
		if (v->child[0] == NULL || (!s->chain[kind] && v->child[1] == NULL))
			return DP_ENOMEM;
		v->child[0]->n = 0;
	}
	return 0;
}

/* All nodes of a kind, whose parents are done; after an error they are only given back. */
static int
go_through(struct search *s, unsigned kind, int e)
{
	struct dp_normtree_node *v;
	unsigned rows = 0;

	for (v = s->waiting[kind]; v != NULL; v = v->next)
		rows = v->n > rows ? v->n : rows;
	if (s->p->fine > 0 && rows > 0 && e == 0) {
		e = redraw(s, kind, rows);
		rows += FAR;
	}
	if (rows > 0 && e == 0 && (e = make_children(s, kind)) == 0)
		go_rows(s, kind, rows);
	while ((v = s->waiting[kind]) != NULL) {
		s->waiting[kind] = v->next;
		if (e == 0)
			e = keep_children(s, v, kind);
		node_free(v);
	}
	return e;
}

/* ---- all of it ---- */

/* Splits in grid units, with their residuals, and the variances of what is below a place. */
static void
finish_places(struct search *s)
{
	const struct dp_normtree_place *at;
	double var, *split;
	size_t i;
	unsigned l;

	for (i = 0; i < s->n; i++) {
		at = &s->place[i];
		for (var = at->own, l = at->level; l-- > 0; ) {
			split = &s->number[at->split + l];
			*split = s->unit * (*split + s->rest / 2);
			var = var / 4 + *split;
			s->var[l] = fmax(s->var[l], var);
		}
	}
}

static int
by_base(const void *a, const void *b)
{
	const struct dp_normtree_place *x = a, *y = b;

	return x->base < y->base ? -1 : x->base > y->base;
}

static int
keep_places(struct dp_normtree *p, struct search *s)
{
	struct dp_normtree_places *all = malloc(sizeof *all + s->n * sizeof *s->place +
	    s->numbers * sizeof *s->number);

	if (all == NULL)
		return DP_ENOMEM;
	all->n = (uint32_t)s->n;
	all->numbers = (uint32_t)s->numbers;
	qsort(s->place, s->n, sizeof *s->place, by_base);
	memcpy(all->at, s->place, s->n * sizeof *s->place);
	memcpy(all->at + s->n, s->number, s->numbers * sizeof *s->number);
	memcpy(p->moments.var, s->var, sizeof p->moments.var);
	free(p->moments.places);
	p->moments.places = all;
	return 0;
}

int
dp_normtree_find_places(struct dp_normtree *p, struct work *w)
{
	struct search s = { .p = p, .w = w, .unit = ldexp(1, 2 * (int)p->fine) };
	struct dp_normtree_node *root = node_new(w->last + 1, false);
	unsigned i = p->shape.kinds;
	int e = DP_ENOMEM;

	s.rest = dp_spline_residual(p->fine) / s.unit;
	find_chains(&s);
	if (root != NULL) {
		memcpy(root->noise.of, w->m, (w->last + 1) * sizeof *w->m);
		e = add_node(&s, i - 1, root, false);
	}
	while (i-- > 0)
		e = go_through(&s, i, e);
	if (e == 0) {
		finish_places(&s);
		e = keep_places(p, &s);
	}
	free(s.place);
	free(s.number);
	return e;
}

/*
 * A count's variance in one place, whose steps lie in a chain: internal.h.
 */

double
dp_normtree_place_at(const struct dp_normtree_place *p, const double *split, uint64_t u)
{
	double f = 0, s, v = 0, one = 1;
	unsigned l;

	for (l = 0; l < p->level; l++) {
		one /= 2;
		f = (double)(u & (((uint64_t)2 << l) - 1)) * one;
		s = 1 - fabs(2 * f - 1);
		v += split[l] * s * s;
	}
	f += (double)(u >> p->level);
	return p->before + v + f * (p->both + p->own * f);
}

/* Sum of s^2 over n steps of a level whose nodes have 2m: k / m up to the middle, and down. */
static double
tents(uint64_t n, double m)
{
	const double whole = (2 * m * m + 1) / (3 * m), r = fmod((double)n, 2 * m);
	const double k = r <= m ? r : 2 * m - 1 - r;
	const double part = k * (k + 1) * (2 * k + 1) / (6 * m * m);

	return floor((double)n / (2 * m)) * whole + (r <= m ? part : whole - part);
}

double
dp_normtree_place_sum(const struct dp_normtree_place *p, const double *split, uint64_t n)
{
	const double x = (double)n, L = ldexp(1, (int)p->level);
	double v = x * p->before + p->both * x * (x + 1) / 2 / L +
	    p->own * x * (x + 1) * (2 * x + 1) / 6 / L / L;
	unsigned l;

	for (l = 0; l < p->level; l++)
		v += split[l] * tents(n, ldexp(1, (int)l));
	return v;
}

double
dp_normtree_place_bound(const struct dp_normtree_place *p, const double *split)
{
	double v = p->before + fmax(0, p->both) + p->own;
	unsigned l;

	for (l = 0; l < p->level; l++)
		v += split[l];
	return v;
}

/* ---- the maximum by the digits of the step, from the lowest ---- */

struct digits {
	double f, v;		/* (t mod 2^l) / 2^l, and what the splits up to level l have */
	uint64_t t;
	bool within;		/* t mod 2^l <= T mod 2^l */
};

#define KEPT	1024		/* four times as many as any plan has */
#define SAME	1e-14		/* of v: what is behind by more is below_error a line */

/* True: b, between a and c, is on or below the line through them. */
static bool
below_error(const struct digits *a, const struct digits *b, const struct digits *c)
{
	return (b->v - a->v) * (c->f - a->f) <=
	    ((c->v - a->v) * (b->f - a->f)) + SAME * b->v * (c->f - a->f);
}

/*
 * Marks, of n that rise in f, those on the least concave function above all, or above those within
 * alone.  Whatever digits follow, what they add is convex in f: no other one becomes the maximum.
 */
static void
mark(const struct digits *d, unsigned n, bool within, bool *mark)
{
	unsigned at[2 * KEPT], k = 0, i;

	for (i = 0; i < n; i++) {
		if (within && !d[i].within)
			continue;
		while (k > 1 && below_error(&d[at[k - 2]], &d[at[k - 1]], &d[i]))
			k--;
		at[k++] = i;
	}
	for (i = 0; i < k; i++)
		mark[at[i]] |= d[at[i]].within == within;
}

/* Leaves out what cannot become the maximum.  One that is within has all that others may choose. */
static unsigned
prune(struct digits *d, unsigned n)
{
	bool on[2 * KEPT] = { false };
	unsigned i, kept = 0;

	mark(d, n, true, on);
	mark(d, n, false, on);
	for (i = 0; i < n; i++)
		if (on[i])
			d[kept++] = d[i];
	return kept;
}

/* The next digit: from n to 2 n, in the order of f. */
static void
grow(struct digits *d, unsigned n, unsigned l, double split, uint64_t last)
{
	const unsigned end = last >> l & 1;
	struct digits *x;
	unsigned i;
	double s;

	memcpy(d + n, d, n * sizeof *d);
	for (i = 0; i < 2 * n; i++) {
		x = &d[i];
		x->f = (x->f + (i >= n)) / 2;
		s = fmin(2 * x->f, 2 - 2 * x->f);
		x->v += split * s * s;
		x->t |= (uint64_t)(i >= n) << l;
		if ((i >= n) != end)
			x->within = end;
	}
}

double
dp_normtree_place_max(const struct dp_normtree_place *p, const double *split, uint64_t n_steps,
    uint64_t *worst)
{
	const uint64_t end = (uint64_t)1 << p->level, last = n_steps < end ? n_steps : end - 1;
	struct digits d[2 * KEPT];	/* little of it is touched */
	double best, v;
	unsigned l, n = 1, i;

	*worst = n_steps == end ? end : 1;
	best = dp_normtree_place_at(p, split, *worst);
	d[0] = (struct digits){ .within = true };
	for (l = 0; l < p->level; l++) {
		if (n > KEPT)
			return dp_normtree_place_bound(p, split);
		grow(d, n, l, split[l], last);
		n = prune(d, 2 * n);
	}
	for (i = 0; i < n; i++) {
		v = p->before + d[i].v + d[i].f * (p->both + p->own * d[i].f);
		if (d[i].within && d[i].t != 0 && v > best) {
			best = v;
			*worst = d[i].t;
		}
	}
	return best;
}

/*
 * What is known of a node on the way down.
 */

#define RARE	1e-15	/* noise that is left out */

/* Of n numbers, all 0; NULL: no memory. */
static struct dp_normtree_node *
node_new(unsigned n, bool chain)
{
	const size_t all = n + FAR;
	struct dp_normtree_node *v = calloc(1, sizeof *v + (chain ? 2 : 4) * all * sizeof(double));

	if (v != NULL) {
		v->n = n;
		v->noise = (struct dp_normtree_pair){ v->number, v->number + all };
		if (!chain)
			v->before = (struct dp_normtree_pair){ v->number + 2 * all,
			    v->number + 3 * all };
	}
	return v;
}

/* Of n numbers, all 0; NULL: no memory. */
static void
node_free(struct dp_normtree_node *v)
{
	if (v != NULL) {
		free(v->child[0]);
		free(v->child[1]);
	}
	free(v);
}

/* E[i^2], or of Q; E[P^2], with the variance `rest` of a residual, and E[B P]: in D^2. */
static double
node_second(const struct dp_normtree_node *v)
{
	double sum = 0;
	unsigned i;

	for (i = 1; i < v->n; i++)
		sum += v->noise.of[i] * ((double)i * i);
	return sum;
}

/* E[i^2], or of Q; E[P^2], with the variance `rest` of a residual, and E[B P]: in D^2. */
static double
node_square(double rest, const struct dp_normtree_node *v)
{
	double sum = rest + node_second(v);
	unsigned i;

	for (i = 1; i < v->n; i++)
		sum += 2 * i * v->noise.rest[i];
	return sum;
}

/* E[i^2], or of Q; E[P^2], with the variance `rest` of a residual, and E[B P]: in D^2. */
static double
node_cross(const struct dp_normtree_node *v)
{
	double sum = 0;
	unsigned i;

	for (i = 0; i < v->n; i++)
		sum += v->before.of[i] * i + v->before.rest[i];
	return sum;
}

/* A copy in the memory that it takes, rare entries at its end cut; the other one is freed. */
static struct dp_normtree_node *
node_shrink(struct dp_normtree_node *v, unsigned most, bool chain)
{
	unsigned n = v->n < most ? v->n : most;
	struct dp_normtree_node *to;

	while (n > 1 && v->noise.of[n - 1] < RARE)
		n--;
	if ((to = node_new(n, chain)) != NULL) {
		to->base = v->base;
		to->offset = v->offset;
		to->place = v->place;
		memcpy(to->noise.of, v->noise.of, n * sizeof(double));
		memcpy(to->noise.rest, v->noise.rest, n * sizeof(double));
	}
	if (to != NULL && !chain) {
		memcpy(to->before.of, v->before.of, n * sizeof(double));
		memcpy(to->before.rest, v->before.rest, n * sizeof(double));
	}
	node_free(v);
	return to;
}

/* to += x times n numbers of a row, for two of them. */
DP_INLINE void
add_law(double *restrict to, double *restrict and, const double *restrict row, double x, double y,
    unsigned n)
{
	unsigned u;

	for (u = 0; u < n; u++) {
		to[u] += x * row[u];
		and[u] += y * row[u];
	}
}

/*
 * Adds the part that row P, of `end` numbers, makes of both children: internal.h.  Not of a chain,
 * and
 * but for what the right one's B has of the left one.
 */
static DP_VECTORS void
node_share(const struct work *w, struct dp_normtree_node *v, unsigned P, unsigned n)
{
	const double m = v->noise.of[P], r = v->noise.rest[P];
	const double o = v->before.of[P], c = v->before.rest[P];
	struct dp_normtree_node *left = v->child[0], *right = v->child[1];
	const unsigned other = w->alike ? 0 : 1;

	add_law(left->noise.of, left->before.rest, w->row.even[0], m, c / 2, n);
	add_law(left->before.of, left->noise.rest, w->row.odd[0], o, r / 2, n);
	add_law(right->noise.of, right->before.rest, w->row.even[other], m, (c + P * r) / 2, n);
	add_law(right->before.of, right->noise.rest, w->row.odd[other], o + P * m + r, r / 2, n);
}

/*
 * Rows of the splits' laws.
 */

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

/* On a finer grid: how its nodes are redrawn, from pairs of n <= 2A + 1 numbers. */
static void
take_redraw(struct work *w, const struct dp_normtree *p, unsigned kind, unsigned n)
{
	const struct dp_normtree_level *v = &p->level[kind];

	take_table(w, w->c[0], v->own, v->A, dp_real_double(v->past), 1);
	dp_normtree_redraw_set(w->redraw, w->c[0], w->fine, n);
}

/* to += x times n numbers of a row. */
DP_INLINE void
add_child(double *restrict to, const double *restrict row, double x, size_t n)
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
fill_child(const struct work *w, double *const to[2], unsigned P, const unsigned n[2], unsigned end,
    double x, double sign)
{
	const unsigned half = P / 2, sides = w->alike ? 1 : 2;
	unsigned side;

	for (side = 0; side < sides; side++)
		memset(to[side], 0, end * sizeof(double));
	for (side = 0; side < sides; side++) {
		add_child(to[side] + (P - half), w->t[side], x, n[side]);
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
	fill_child(w, w->row.even, P, n, end, x, 1);
	if (odd)
		fill_child(w, w->row.odd, P, n, end, x, -1);
	return end;
}

/* Of a chain: what row P, of so many numbers, makes of a node's pair in its child's. */
static DP_VECTORS void
descend_node(const struct work *w, unsigned P, unsigned end,
    const struct dp_normtree_pair *from, const struct dp_normtree_pair *to)
{
	add_child(to->of, w->row.even[0], from->of[P], end);
	if (w->fine > 0)
		add_child(to->rest, w->row.odd[0], from->rest[P] / 2, end);
}
