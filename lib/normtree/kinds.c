/*
 * kinds.c - shares by path, for a count of T steps (rule.h).
 *
 * Budgets are merged to a few at each height: a node takes a little more or less than it wishes,
 * and nothing is lost.  The right half of a node is left out if it lies beyond T.
 */
#include <math.h>

#include "normtree.h"
#include "rule.h"

#define LONGEST	31	/* 2^31 steps at most: beyond, the mean would be larger */
#define LEAST	0.0125	/* a share: of less, tables would be too long (normtree.h) */
#define STRAIGHT	64	/* a corner that no noise comes to */
#define PAIR	.9375	/* of few steps after many: on a finer grid steeper tables lose more */
#define GRID	0x1p-24	/* of shares: a logarithm's last bit tells nothing */
#define WIDE	(3 * DP_NORMTREE_BUDGETS + 1)

static const unsigned below[DP_NORMTREE_TYPES][2] = {
	{ DP_NORMTREE_LL, DP_NORMTREE_RIGHT }, { DP_NORMTREE_LL, DP_NORMTREE_RIGHT },
	{ DP_NORMTREE_LR, DP_NORMTREE_RIGHT }, { DP_NORMTREE_ALIKE, DP_NORMTREE_ALIKE }
};

/* A node's kind before it has its place in the list. */
struct want {
	unsigned type;
	bool edge;			/* T lies within it */
	uint64_t begin;			/* then: steps before it */
	double budget, left, weight;	/* left: of the budget, for its children */
	double corner;
	uint16_t height[2], child[2];	/* the children's, and where they are there */
};

struct list {
	struct want want[WIDE];
	unsigned n;
	uint16_t first;			/* kind of the first one */
};

struct budget {
	double b, weight;
};

/*
 * Of sorted budgets the nearest two become one, at their mean, until `most` are left (Ward 1963);
 * where[] follows them.
 */
static void
merge(struct budget *c, unsigned n, unsigned most, unsigned *where)
{
	const unsigned all = n;
	unsigned i, at;
	double least, d, w;

	for (; n > most; n--) {
		for (least = INFINITY, at = i = 0; i + 1 < n; i++) {
			d = (c[i + 1].b - c[i].b) / (c[i + 1].b + c[i].b);
			d *= d * c[i].weight * c[i + 1].weight / (c[i].weight + c[i + 1].weight);
			if (d < least) {
				least = d;
				at = i;
			}
		}
		w = c[at].weight + c[at + 1].weight;
		c[at].b = (c[at].b * c[at].weight + c[at + 1].b * c[at + 1].weight) / w;
		c[at].weight = w;
		for (i = at + 1; i + 1 < n; i++)
			c[i] = c[i + 1];
		for (i = 0; i < all; i++)
			where[i] -= where[i] > at;
	}
}

/* Budgets that the nodes of a height leave to their children: few of them. */
static void
set_left(const struct dp_normtree_rule *r, struct list *v, unsigned h)
{
	struct budget c[WIDE];
	unsigned order[WIDE] = { 0 }, where[WIDE], i, j;
	double s;

	for (i = 0; i < v->n; i++) {
		dp_normtree_rule_wish(r, h, v->want[i].type, &s, &v->want[i].corner);
		v->want[i].left = fmin(v->want[i].budget * (1 - s), v->want[i].budget - LEAST);
		if (s * v->want[i].budget < LEAST)
			v->want[i].corner = STRAIGHT;
		for (j = i; j > 0 && v->want[order[j - 1]].left > v->want[i].left; j--)
			order[j] = order[j - 1];
		order[j] = i;
	}
	for (i = 0; i < v->n; i++) {
		c[i] = (struct budget){ v->want[order[i]].left, v->want[order[i]].weight };
		where[i] = i;
	}
	merge(c, v->n, r->budgets, where);
	for (i = 0; i < v->n; i++)	/* none has more than its nodes can leave */
		c[0].b = fmin(c[0].b, v->want[i].budget - LEAST);
	for (i = 0; i < v->n; i++) {
		struct want *w = &v->want[order[i]];

		for (j = where[i]; c[j].b > w->budget - LEAST; j--)
			w->corner = STRAIGHT;
		w->left = GRID * floor(c[j].b / GRID);
	}
}

/* The child of a node in the list of its height: one that is there, or one more. */
static void
put_child(struct list *all, struct want *of, unsigned h, unsigned side, unsigned type,
    uint64_t begin, uint64_t T)
{
	struct list *v;
	unsigned i;
	bool edge;

	for (; h > 1 && begin + ((uint64_t)1 << (h - 1)) >= T; h--)	/* its left half instead */
		type = below[type][0];
	edge = begin + ((uint64_t)1 << h) > T;
	v = &all[h];
	for (i = 0; i < v->n; i++)
		if (!edge && !v->want[i].edge && v->want[i].type == type &&
		    v->want[i].budget == of->left)
			break;
	if (i == v->n)
		v->want[v->n++] = (struct want){ .type = type, .edge = edge, .begin = begin,
		    .budget = of->left };
	v->want[i].weight += of->weight;
	of->height[side] = (uint16_t)h;
	of->child[side] = (uint16_t)i;
}

static void
put_kinds(struct dp_normtree_shape *s, struct list *all, const struct dp_normtree_rule *r)
{
	struct dp_normtree_kind *k;
	struct want *w;
	unsigned h, i, side;
	double share;

	for (h = 1; h <= s->h; h++) {
		all[h].first = (uint16_t)s->kinds;
		for (i = 0; i < all[h].n; i++) {
			w = &all[h].want[i];
			if (h == 1) {
				dp_normtree_rule_wish(r, 1, w->type, &share, &w->corner);
				w->left = r->above > 0 ? fmax(0, w->budget - PAIR) : 0;
			}
			k = &s->kind[s->kinds++];
			*k = (struct dp_normtree_kind){ .share = w->budget - w->left,
			    .corner = w->corner, .level = (uint16_t)h,
			    .child = { DP_NORMTREE_STEP, DP_NORMTREE_STEP } };
			for (side = 0; side < 2 && h > 1; side++)
				k->child[side] = (uint16_t)(all[w->height[side]].first +
				    w->child[side]);
		}
	}
}

static void
set_shape(struct dp_normtree_shape *s, uint64_t T, unsigned H)
{
	struct list all[LONGEST + 1] = { 0 };
	struct dp_normtree_rule r;
	struct want *w;
	unsigned h, i, side, type, few;
	uint64_t end;

	dp_normtree_rule_set(&r, H, ldexp((double)T, -(int)H));
	few = r.H > r.unlike ? r.H - r.unlike - 1 : 0;
	end = (((T - 1) >> few) + 1) << few;	/* of a chain all is there */
	*s = (struct dp_normtree_shape){ .h = H, .T = T };
	s->root = GRID * ceil(r.root / GRID);
	all[H].want[0] = (struct want){ .type = DP_NORMTREE_LL, .weight = 1,
	    .edge = end < (uint64_t)1 << H, .budget = 1 - 0x1p-19 - s->root };
	all[H].n = 1;
	for (h = H; h > 1; h--) {
		set_left(&r, &all[h], h);
		for (i = 0; i < all[h].n; i++)
			for (w = &all[h].want[i], side = 0; side < 2; side++) {
				type = h + r.unlike <= r.H ? DP_NORMTREE_ALIKE :
				    below[w->type][side];
				put_child(all, w, h - 1, side, type, w->begin +
				    ((uint64_t)(w->edge && side == 1) << (h - 1)),
				    w->edge ? end : UINT64_MAX);
			}
	}
	put_kinds(s, all, &r);
}

void
dp_normtree_count_shape(struct dp_normtree_shape *s, uint64_t T)
{
	const unsigned H = T < 2 ? 1 : dp_ceil_log2(T);

	if (H > LONGEST)
		dp_normtree_shape(s, H);
	else
		set_shape(s, T, H);
}
