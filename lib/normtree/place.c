/*
 * place.c - the places of a tree (place.h), found from the root down.
 */
#include <math.h>
#include <stdlib.h>

#include "child.h"
#include "node.h"
#include "place.h"
#include "spline.h"

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
	    .before = s->unit * v->offset, .both = 2 * s->unit * dp_normtree_node_cross(v),
	    .own = s->unit * dp_normtree_node_square(s->rest, v), .level = level,
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
		s->var[level] = fmax(s->var[level], s->unit * dp_normtree_node_square(s->rest, v));
	if (!placed && s->chain[kind] && put_place(s, kind, v) != 0) {
		dp_normtree_node_free(v);
		return DP_ENOMEM;
	}
	if ((v = dp_normtree_node_shrink(v, farthest(s), s->chain[kind])) == NULL)
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

	dp_normtree_take_redraw(s->w, s->p, kind, most);
	for (at = &s->waiting[kind]; (v = *at) != NULL; at = &(*at)->next) {
		if ((to = dp_normtree_node_new(v->n + FAR, s->chain[kind])) == NULL)
			return DP_ENOMEM;
		to->next = v->next;
		to->base = v->base;
		to->offset = v->offset;
		to->place = v->place;
		dp_normtree_redraw(s->w->redraw, false, v->n, &v->noise, &to->noise);
		if (!s->chain[kind])
			dp_normtree_redraw(s->w->redraw, true, v->n, &v->before, &to->before);
		dp_normtree_node_free(v);
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
				dp_normtree_descend(s->w, P, end, &v->noise, &v->child[0]->noise);
			else
				dp_normtree_node_share(s->w, v, P, end);
		}
	}
}

/* The right child's, whose B has the left one's noise in it: P less its own. */
static void
finish(const struct search *s, const struct dp_normtree_node *v, unsigned kind)
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
	right->offset = v->offset + 2 * dp_normtree_node_cross(left) +
	    dp_normtree_node_square(s->rest, left);
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
		finish(s, v, kind);
	else {
		v->child[0]->place = v->place;
		s->number[s->place[v->place].split + k->level - 1] =
		    dp_normtree_node_second(v->child[0]) - dp_normtree_node_second(v) / 4;
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
		v->child[0] = dp_normtree_node_new(farthest(s), s->chain[kind]);
		v->child[1] = s->chain[kind] ? NULL : dp_normtree_node_new(farthest(s), false);
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
		dp_normtree_node_free(v);
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
	struct dp_normtree_node *root = dp_normtree_node_new(w->last + 1, false);
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
