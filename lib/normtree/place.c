/*
 * place.c - the places of a tree (place.h), found from the root down.
 */
#include <stdlib.h>

#include "place.h"
#include "spline.h"

#define RARE	1e-16	/* noise that is left out */
#define UNEVEN	1e-17	/* and splits, of what is split */

/* A node on the way: n of m and of o are not 0. */
struct node {
	struct node *next;
	uint64_t base;
	double before, *o;
	unsigned n;
	double m[];
};

/* Both children's K and J, and E[a | P], E[a^2 | P] of the left one, for P = 0 .. 2A. */
struct moves {
	size_t width;
	double *even[2], *odd[2];	/* [child][P * width + u] */
	double *first, *second;		/* [P] */
	unsigned *end;			/* of row P: the u that are there */
};

struct search {
	const struct dp_normtree *p;
	struct work *w;
	struct moves move;
	double *memory;			/* of moves */
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

double
dp_normtree_residue(const struct dp_normtree *p, uint64_t t)
{
	const double rest = dp_spline_residual(p->fine);
	double f = 0, s, v = 0;
	unsigned l;

	for (l = 0; l < p->h; l++) {
		f = (f + (double)(t >> l & 1)) / 2;
		s = 2 * fmin(f, 1 - f);
		v += s * s / 2;
	}
	f += (double)(t >> p->h);
	return rest * (v + f * f);
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

/* A node of a chain is a place. */
static int
put_place(struct search *s, unsigned kind, const struct node *v)
{
	const double unit = ldexp(1, 2 * (int)s->p->fine);
	const double rest = dp_spline_residual(s->p->fine);
	struct dp_normtree_place *to;
	struct work *w = s->w;
	double var;
	unsigned i;

	if (!more_room(s, s->p->shape.kind[kind].level))
		return DP_ENOMEM;
	to = &s->place[s->n++];
	*to = (struct dp_normtree_place){ .base = v->base, .before = unit * v->before +
	    dp_normtree_residue(s->p, v->base), .own = rest,
	    .level = s->p->shape.kind[kind].level, .split = (uint32_t)s->numbers };
	for (i = 0; i < v->n; i++) {
		to->both += 2 * unit * v->o[i] * i;
		to->own += unit * v->m[i] * (double)i * i;
	}
	memset(w->m, 0, (w->last + 1) * sizeof *w->m);
	memcpy(w->m, v->m, v->n * sizeof *w->m);
	dp_normtree_chain(s->p, w, kind, s->number + s->numbers);
	for (var = to->own, i = to->level; i-- > 0; ) {
		s->number[s->numbers + i] = unit * s->number[s->numbers + i] + rest / 2;
		var = var / 4 + s->number[s->numbers + i];
		s->var[i] = fmax(s->var[i], var);
	}
	s->numbers += to->level;
	return 0;
}

static struct node *
new_node(unsigned n)
{
	struct node *v = calloc(1, sizeof *v + 2 * (size_t)n * sizeof(double));

	if (v != NULL) {
		v->n = n;
		v->o = v->m + n;
	}
	return v;
}

/* In no more memory than it takes. */
static struct node *
shrink(struct node *v)
{
	struct node *small;

	memmove(v->m + v->n, v->o, v->n * sizeof *v->o);
	small = realloc(v, sizeof *v + 2 * (size_t)v->n * sizeof(double));
	small = small != NULL ? small : v;
	small->o = small->m + small->n;
	return small;
}

/* A node that was found: one that lies beyond T is never asked for. */
static int
add_node(struct search *s, unsigned kind, struct node *v)
{
	const unsigned level = s->p->shape.kind[kind].level;
	double var = 0;
	unsigned i;
	int e = 0;

	if (v == NULL)
		return DP_ENOMEM;
	v->n = v->n < 2 * s->p->A + 1 ? v->n : 2 * s->p->A + 1;
	while (v->n > 1 && v->m[v->n - 1] < RARE)
		v->n--;
	for (i = 1; i < v->n; i++)
		var += v->m[i] * (double)i * i;
	if (v->base >= s->p->shape.T) {
		free(v);
		return 0;
	}
	s->var[level] = fmax(s->var[level], ldexp(var, 2 * (int)s->p->fine));
	if (!s->chain[kind]) {
		v = shrink(v);
		v->next = s->waiting[kind];
		s->waiting[kind] = v;
		return 0;
	}
	e = put_place(s, kind, v);
	free(v);
	return e;
}

/* Row P of a child, from n weights: those of the larger part, at even[j] and odd[j], */
DP_INLINE void
add_far(double *restrict even, double *restrict odd, const double *restrict t, size_t n,
    double scale)
{
	size_t j;

	for (j = 0; j < n; j++) {
		even[j] += t[j] * scale;
		odd[j] += t[j] * scale;
	}
}

/* and of the smaller one, at `half` - j. */
DP_INLINE void
add_near(double *restrict even, double *restrict odd, const double *restrict t, size_t n,
    size_t half, double scale)
{
	const size_t turn = n < half + 1 ? n : half + 1;
	size_t j;

	for (j = 0; j < turn; j++) {
		even[half - j] += t[j] * scale;
		odd[half - j] += t[j] * scale;
	}
	for (j = 1; half + j < n; j++) {
		even[j] += t[half + j] * scale;
		odd[j] -= t[half + j] * scale;
	}
}

unsigned
dp_normtree_row_of(const struct work *w, unsigned P, const struct dp_normtree_row_of *row)
{
	const unsigned half = P / 2, far = P - half, sides = w->alike ? 1 : 2;
	unsigned side, from, n[2], end = 0;
	double sum[2], N;

	for (side = 0; side < sides; side++) {
		n[side] = dp_normtree_weights(w, side, P, UNEVEN, &sum[side]);
		end = n[side] + far > end ? n[side] + far : end;
	}
	N = dp_normtree_both(w, P, sum);
	for (side = 0; side < 2; side++) {
		if (P % 2 == 0 && side < sides)		/* halves are on either side */
			w->t[side][0] /= 2;
		memset(row->even[side], 0, end * sizeof(double));
		memset(row->odd[side], 0, end * sizeof(double));
	}
	for (side = 0; side < 2; side++) {
		from = sides == 1 ? 0 : side;
		add_far(row->even[side] + far, row->odd[side] + far, w->t[from], n[from], 1 / N);
		add_near(row->even[!side], row->odd[!side], w->t[from], n[from], half, 1 / N);
	}
	return end;
}

/* What a split of P makes of both children. */
static void
set_row(struct moves *m, const struct work *w, unsigned P)
{
	const size_t at = P * m->width;
	const struct dp_normtree_row_of row = { { m->even[0] + at, m->even[1] + at },
	    { m->odd[0] + at, m->odd[1] + at } };
	const unsigned end = dp_normtree_row_of(w, P, &row);
	unsigned u;

	m->end[P] = end;
	for (m->first[P] = m->second[P] = 0, u = 0; u < end; u++) {
		m->first[P] += m->odd[0][at + u] * u;
		m->second[P] += m->even[0][at + u] * (double)u * u;
	}
}

/* Memory is touched as far as it is needed. */
static bool
make_moves(struct search *s)
{
	const size_t width = s->w->last + 1, rows = 2 * (size_t)s->p->A + 1, all = rows * width;
	struct moves *m = &s->move;

	if ((s->memory = malloc((4 * all + 3 * rows) * sizeof(double))) == NULL)
		return false;
	m->width = width;
	m->even[0] = s->memory;
	m->even[1] = m->even[0] + all;
	m->odd[0] = m->even[1] + all;
	m->odd[1] = m->odd[0] + all;
	m->first = m->odd[1] + all;
	m->second = m->first + rows;
	m->end = (void *)(m->second + rows);
	return true;
}

/* to += x times a row, for K and J of one child. */
DP_INLINE void
add(double *restrict m, double *restrict o, const double *restrict even,
    const double *restrict odd, double x, double y, unsigned n)
{
	unsigned u;

	for (u = 0; u < n; u++) {
		m[u] += x * even[u];
		o[u] += y * odd[u];
	}
}

/* m and o of both children: place.h. */
DP_INLINE void
share_out(const struct moves *k, const struct node *v, struct node *left, struct node *right)
{
	unsigned P, u;
	size_t at;

	for (P = 0; P < v->n; P++) {
		at = (size_t)P * k->width;
		add(left->m, left->o, k->even[0] + at, k->odd[0] + at, v->m[P], v->o[P],
		    k->end[P]);
		add(right->m, right->o, k->even[1] + at, k->odd[1] + at, v->m[P],
		    v->o[P] + P * v->m[P], k->end[P]);
	}
	for (u = 0; u < k->width; u++)
		right->o[u] -= u * right->m[u];
}

#ifdef __x86_64__
/* The same additions and multiplications, so the same numbers. */
__attribute__((target("avx2"))) static void
share_out_avx2(const struct moves *k, const struct node *v, struct node *left, struct node *right)
{
	share_out(k, v, left, right);
}
#endif

/* The children of a node, both. */
static int
go_down(struct search *s, const struct node *v, unsigned kind)
{
	const struct dp_normtree_kind *of = &s->p->shape.kind[kind];
	const struct moves *k = &s->move;
	struct node *left = new_node((unsigned)k->width), *right = new_node((unsigned)k->width);
	unsigned P;
	int e;

	if (left == NULL || right == NULL) {
		free(left);
		free(right);
		return DP_ENOMEM;
	}
	left->base = v->base;
	right->base = v->base + ((uint64_t)1 << (of->level - 1));
	left->before = right->before = v->before;
	for (P = 0; P < v->n; P++)
		right->before += 2 * v->o[P] * k->first[P] + v->m[P] * k->second[P];
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2"))
		share_out_avx2(k, v, left, right);
	else
#endif
		share_out(k, v, left, right);
	e = add_node(s, of->child[0], left);
	if (e != 0)
		free(right);
	return e != 0 ? e : add_node(s, of->child[1], right);
}

/* On a finer grid: what is split, in place of a node. */
static int
redraw(struct search *s, unsigned kind, struct node **at)
{
	const size_t all = (s->w->last + 1) * sizeof(double);
	const unsigned most = 2 * s->p->A + 1;
	struct node *v = *at, *to = new_node(v->n + 2 * DP_SPLINE_ORDER < most ?
	    v->n + 2 * DP_SPLINE_ORDER : most);
	struct work *w = s->w;

	if (to == NULL)
		return DP_ENOMEM;
	to->next = v->next;
	to->base = v->base;
	to->before = v->before;
	memset(w->m, 0, all);
	memcpy(w->m, v->m, v->n * sizeof *w->m);
	dp_normtree_redraw(w, &s->p->level[kind], false);
	memcpy(to->m, w->m, to->n * sizeof *w->m);
	memset(w->m, 0, all);
	memcpy(w->m, v->o, v->n * sizeof *w->m);
	dp_normtree_redraw(w, &s->p->level[kind], true);
	memcpy(to->o, w->m, to->n * sizeof *w->m);
	free(v);
	*at = to;
	return 0;
}

/* All nodes of a kind, whose parents are done. */
static int
go_through(struct search *s, unsigned kind, int e)
{
	struct node *v, **at;
	unsigned rows = 0, P;

	for (at = &s->waiting[kind]; *at != NULL; at = &(*at)->next) {
		if (s->p->fine > 0 && e == 0)
			e = redraw(s, kind, at);
		rows = (*at)->n > rows ? (*at)->n : rows;
	}
	if (rows > 0)
		dp_normtree_take(s->w, s->p, kind);
	for (P = 0; P < rows && e == 0; P++)
		set_row(&s->move, s->w, P);
	while ((v = s->waiting[kind]) != NULL) {
		s->waiting[kind] = v->next;
		if (e == 0)
			e = go_down(s, v, kind);
		free(v);
	}
	return e;
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
	struct search s = { .p = p, .w = w };
	struct node *root = new_node(w->last + 1);
	unsigned i = p->shape.kinds;
	int e = DP_ENOMEM;

	find_chains(&s);
	if (root != NULL && make_moves(&s)) {
		memcpy(root->m, w->m, (w->last + 1) * sizeof *w->m);
		e = add_node(&s, i - 1, root);
		root = NULL;
	}
	while (i-- > 0)		/* after an error nodes are only given back */
		e = go_through(&s, i, e);
	if (e == 0)
		e = keep_places(p, &s);
	free(root);
	free(s.memory);
	free(s.place);
	free(s.number);
	return e;
}
