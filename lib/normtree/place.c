/*
 * place.c - the places of a tree (place.h), found from the root down.
 */
#include <stdlib.h>

#include "child.h"
#include "place.h"
#include "spline.h"

#define RARE	1e-16	/* noise that is left out */
#define FAR	DP_NORMTREE_FARTHER

/* A node on the way: n numbers of each are not 0.  One of a chain has no `before`. */
struct node {
	struct node *next, *child[2];	/* child: while its kind is gone through */
	uint64_t base;
	double offset;			/* E[B^2] / D^2 */
	unsigned n;
	uint32_t place;			/* of a chain's */
	struct dp_normtree_pair noise, before;	/* of 1, and of B / D (redraw.h) */
	double number[];
};

struct search {
	const struct dp_normtree *p;
	struct work *w;
	double unit, rest;			/* D^2; the variance of a residual, in D^2 */
	double var[DP_NORMTREE_LEVELS + 1];	/* of a level's nodes, at most */
	struct node *waiting[DP_NORMTREE_KINDS];	/* of each kind, not yet gone through */
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

static struct node *
new_node(unsigned n, bool chain)
{
	const size_t all = n + FAR;
	struct node *v = calloc(1, sizeof *v + (chain ? 2 : 4) * all * sizeof(double));

	if (v != NULL) {
		v->n = n;
		v->noise = (struct dp_normtree_pair){ v->number, v->number + all };
		if (!chain)
			v->before = (struct dp_normtree_pair){ v->number + 2 * all,
			    v->number + 3 * all };
	}
	return v;
}

static void
free_node(struct node *v)
{
	if (v != NULL) {
		free(v->child[0]);
		free(v->child[1]);
	}
	free(v);
}

/* Of i, or Q. */
static double
second_moment(const struct node *v)
{
	double sum = 0;
	unsigned i;

	for (i = 1; i < v->n; i++)
		sum += v->noise.of[i] * ((double)i * i);
	return sum;
}

/* E[P^2] of a node, in D^2. */
static double
square(const struct search *s, const struct node *v)
{
	double sum = s->rest + second_moment(v);
	unsigned i;

	for (i = 1; i < v->n; i++)
		sum += 2 * i * v->noise.rest[i];
	return sum;
}

/* E[B P], in D^2 */
static double
cross(const struct node *v)
{
	double sum = 0;
	unsigned i;

	for (i = 0; i < v->n; i++)
		sum += v->before.of[i] * i + v->before.rest[i];
	return sum;
}

/* A node of a chain is a place, which its splits are to add numbers to. */
static int
put_place(struct search *s, unsigned kind, struct node *v)
{
	const unsigned level = s->p->shape.kind[kind].level;

	if (!more_room(s, level))
		return DP_ENOMEM;
	v->place = (uint32_t)s->n;
	s->place[s->n++] = (struct dp_normtree_place){ .base = v->base,
	    .before = s->unit * v->offset, .both = 2 * s->unit * cross(v),
	    .own = s->unit * square(s, v), .level = level, .split = (uint32_t)s->numbers };
	memset(s->number + s->numbers, 0, level * sizeof *s->number);
	s->numbers += level;
	return 0;
}

/* In no more memory than it takes, without what is rare at its end. */
static struct node *
shrink(struct node *v, unsigned most, bool chain)
{
	unsigned n = v->n < most ? v->n : most;
	struct node *to;

	while (n > 1 && v->noise.of[n - 1] < RARE)
		n--;
	if ((to = new_node(n, chain)) != NULL) {
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
	free_node(v);
	return to;
}

/* A node that was found, of a chain that has its place or not. */
static int
add_node(struct search *s, unsigned kind, struct node *v, bool placed)
{
	const unsigned level = s->p->shape.kind[kind].level;

	if (!placed)
		s->var[level] = fmax(s->var[level], s->unit * square(s, v));
	if (!placed && s->chain[kind] && put_place(s, kind, v) != 0) {
		free_node(v);
		return DP_ENOMEM;
	}
	if ((v = shrink(v, 2 * s->p->A + 1, s->chain[kind])) == NULL)
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
	struct node *v, **at, *to;

	dp_normtree_take_redraw(s->w, s->p, kind, most);
	for (at = &s->waiting[kind]; (v = *at) != NULL; at = &(*at)->next) {
		if ((to = new_node(v->n + FAR, s->chain[kind])) == NULL)
			return DP_ENOMEM;
		to->next = v->next;
		to->base = v->base;
		to->offset = v->offset;
		to->place = v->place;
		dp_normtree_redraw(s->w->redraw, false, v->n, &v->noise, &to->noise);
		if (!s->chain[kind])
			dp_normtree_redraw(s->w->redraw, true, v->n, &v->before, &to->before);
		free_node(v);
		*at = to;
	}
	return 0;
}

/* to += x times n numbers of a row, for two of them. */
DP_INLINE void
add(double *restrict to, double *restrict and, const double *restrict row, double x, double y,
    unsigned n)
{
	unsigned u;

	for (u = 0; u < n; u++) {
		to[u] += x * row[u];
		and[u] += y * row[u];
	}
}

/* What row P, of n numbers, makes of both children: place.h. */
DP_INLINE void
share_out(const struct work *w, struct node *v, unsigned P, unsigned n)
{
	const double m = v->noise.of[P], r = v->noise.rest[P];
	const double o = v->before.of[P], c = v->before.rest[P];
	struct node *left = v->child[0], *right = v->child[1];
	const unsigned other = w->alike ? 0 : 1;

	add(left->noise.of, left->before.rest, w->row.even[0], m, c / 2, n);
	add(left->before.of, left->noise.rest, w->row.odd[0], o, r / 2, n);
	add(right->noise.of, right->before.rest, w->row.even[other], m, (c + P * r) / 2, n);
	add(right->before.of, right->noise.rest, w->row.odd[other], o + P * m + r, r / 2, n);
}

#ifdef __x86_64__
/* The same additions and multiplications, so the same numbers. */
__attribute__((target("avx2"))) static void
share_out_avx2(const struct work *w, struct node *v, unsigned P, unsigned n)
{
	share_out(w, v, P, n);
}
#endif

/* A row, for a node of a kind that is no chain's. */
static void
go_row(const struct work *w, struct node *v, unsigned P, unsigned end)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2")) {
		share_out_avx2(w, v, P, end);
		return;
	}
#endif
	share_out(w, v, P, end);
}

/* All rows, each for all nodes that have its P. */
static void
go_rows(struct search *s, unsigned kind, unsigned rows)
{
	const bool chain = s->chain[kind];
	struct node *v;
	unsigned P, end;

	dp_normtree_take(s->w, s->p, kind, 1);
	for (P = 0; P < rows; P++) {
		end = dp_normtree_row_of(s->w, P, !chain || s->w->fine > 0);
		for (v = s->waiting[kind]; v != NULL; v = v->next) {
			if (P >= v->n)
				continue;
			v->child[0]->n = end > v->child[0]->n ? end : v->child[0]->n;
			if (chain)
				dp_normtree_descend(s->w, P, end, &v->noise, &v->child[0]->noise);
			else
				go_row(s->w, v, P, end);
		}
	}
}

/* The right child's, whose B has the left one's noise in it: P less its own. */
static void
finish(const struct search *s, const struct node *v, unsigned kind)
{
	struct node *left = v->child[0], *right = v->child[1];
	unsigned u;

	right->n = left->n;
	for (u = 0; u < right->n; u++) {
		right->before.of[u] -= u * right->noise.of[u] + right->noise.rest[u];
		right->before.rest[u] -= u * right->noise.rest[u];
	}
	left->base = v->base;
	right->base = v->base + ((uint64_t)1 << (s->p->shape.kind[kind].level - 1));
	left->offset = v->offset;
	right->offset = v->offset + 2 * cross(left) + square(s, left);
}

/* Of a node that was gone through: what lies beyond T is never asked for. */
static int
keep_children(struct search *s, struct node *v, unsigned kind)
{
	const struct dp_normtree_kind *k = &s->p->shape.kind[kind];
	struct node *one;
	unsigned side;
	int e = 0;

	if (!s->chain[kind])
		finish(s, v, kind);
	else {
		v->child[0]->place = v->place;
		s->number[s->place[v->place].split + k->level - 1] =
		    second_moment(v->child[0]) - second_moment(v) / 4;
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

/* Children to be, of as many numbers as there may be. */
static int
make_children(struct search *s, unsigned kind)
{
	struct node *v;

	for (v = s->waiting[kind]; v != NULL; v = v->next) {
		v->child[0] = new_node(s->w->last + 1, s->chain[kind]);
		v->child[1] = s->chain[kind] ? NULL : new_node(s->w->last + 1, false);
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
	struct node *v;
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
		free_node(v);
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
	memcpy(p->var, s->var, sizeof p->var);
	free(p->places);
	p->places = all;
	return 0;
}

int
dp_normtree_find_places(struct dp_normtree *p, struct work *w)
{
	struct search s = { .p = p, .w = w, .unit = ldexp(1, 2 * (int)p->fine) };
	struct node *root = new_node(w->last + 1, false);
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
