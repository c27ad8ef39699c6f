/*
 * kinds.c - shares by path, for a count of T steps: found by searches on the exact error, for the
 * largest error with the mean held below that of equal children.
 *
 * Nodes have one of four types.  What a node takes of the budget that its path has left, and where
 * its k begins to fall, are functions of its height and type, with some numbers of their own near
 * the root and the steps; these numbers were found for some T and are interpolated between.
 * Budgets are merged to a few at each height: a node takes a little more or less than it wishes,
 * and nothing is lost.  The right half of a node is left out if it lies beyond T.
 */
#include <math.h>

#include "normtree.h"

/* The left child of a left one, or the top; the left of a right one; a right one; all alike. */
enum { LL, LR, RIGHT, ALIKE, TYPES };

static const unsigned below[TYPES][2] = {
	{ LL, RIGHT }, { LL, RIGHT }, { LR, RIGHT }, { ALIKE, ALIKE }
};

/* Logarithms: of shares of the budget left, at the top, at the distance 1, 2, 3 from it, .. */
enum {
	ROOT, TOP, TOP_CORNER, SHARE, SLOPE, LR_SHARE, RIGHT_SHARE,
	LL1, RIGHT1, LL2, LR2, RIGHT2, LL3, LR3, RIGHT3,
	CORNER, CORNER1, CORNER2, CORNER3, RIGHT_CORNER,
	LOW_SHARE, LOW_CORNER, STEP_CORNER,	/* of height 2, height 1 */
	RIGHT_SLOPE, FREE
};

#define UNLIKE		7	/* children differ so far from the top: below it gains nothing; */
#define FULL		11	/* and beyond 2^11 steps */
#define UNLIKE_TALL	3	/* so far: more tables take more time than that is worth */
#define LONGEST	31	/* 2^31 steps at most: beyond, the mean would be larger */
#define LEAST	0.0125	/* a share: of less, tables would be too long (normtree.h) */
#define STRAIGHT	64	/* a corner that no noise comes to */
#define GRID	0x1p-24	/* of shares: a logarithm's last bit tells nothing */
#define BUDGETS	16	/* of a height, at most */
#define WIDE	(3 * BUDGETS + 1)

/* T = 2^H. */
static const struct {
	double H, p[FREE];
} whole[] = {
	{ 1, { -3.26, -0.40, -2.62, -2.50, -0.19, 0.12, -0.65, 0.66,
	    -3.40, 0.57, 0.56, -0.80, 0.58, 0.28, 0.05, -1.55,
	    1.36, 0.41, 0.07, -1.32, -3.50, -2.50, 0.08, -1.51 } },
	{ 2, { -5.04, -0.40, -2.62, -2.50, -0.19, 0.12, -0.65, 0.66,
	    -3.40, 0.57, 0.56, -0.80, 0.58, 0.28, 0.05, -1.55,
	    1.36, 0.41, 0.07, -1.32, -3.50, -2.50, -0.07, -1.51 } },
	{ 3, { -2.66, 0.23, -0.52, -2.13, -0.55, 0.12, -0.65, 0.66,
	    -3.40, 0.57, 0.56, -0.80, 0.58, 0.28, 0.05, -1.55,
	    1.36, 0.41, 0.07, -1.32, -3.50, -2.50, -0.34, -1.51 } },
	{ 4, { -2.75, 0.20, -0.97, -2.12, -0.54, 0.12, -0.65, 0.66,
	    -3.40, 0.57, 0.56, -0.80, 0.58, 0.28, 0.05, -1.55,
	    1.36, 0.41, 0.07, -1.32, -3.50, -2.50, -0.34, -1.51 } },
	{ 5, { -2.85, -0.19, -0.79, -2.12, -0.54, 0.12, -0.65, 0.54,
	    -3.40, 0.57, 0.56, -0.80, 0.58, 0.28, 0.05, -0.98,
	    1.40, 0.41, 0.07, -1.32, -3.50, -2.50, -0.47, -1.51 } },
	{ 6, { -2.85, -0.19, -0.84, -2.12, -0.54, -0.13, -0.90, 0.54,
	    -3.40, 0.32, 0.56, -0.79, 0.58, 0.28, 0.05, -0.98,
	    1.35, 0.41, 0.07, -1.07, -3.50, -2.50, -0.72, -1.26 } },
	{ 7, { -3.01, -0.19, -0.89, -2.12, -0.54, -0.15, -0.99, 0.55,
	    -3.40, 0.21, 0.53, -0.85, 0.51, 0.30, 0.27, -0.98,
	    1.10, 0.16, 0.36, -1.16, -3.50, -2.50, -0.58, -1.10 } },
	{ 8, { -3.34, -0.19, -1.08, -2.12, -0.54, -0.15, -0.89, 0.54,
	    -3.40, 0.12, 0.53, -0.53, 0.53, 0.30, 0.31, -0.99,
	    0.95, -0.06, 0.08, -0.87, -3.50, -2.50, -0.74, -1.26 } },
	{ 10, { -3.56, -0.44, -0.88, -2.12, -0.29, -0.15, -0.89, 0.54,
	    -3.40, 0.12, 0.53, -0.28, 0.53, 0.30, 0.56, -1.00,
	    0.94, -0.17, 0.09, -0.95, -3.50, -2.50, -0.49, -1.26 } },
	{ 12, { -4.17, -0.44, -0.87, -2.12, -0.70, -0.10, -0.83, 0.29,
	    -3.40, 0.12, 0.28, -0.28, 0.53, 0.41, 0.81, -1.04,
	    1.28, -0.00, 0.20, -0.41, -3.50, -2.50, -0.58, -1.26 } },
};

/* Differences from T = 128 of T = 65, 72, 84, 100 and 116. */
static const struct part {
	double x, p[FREE];
} parts[] = {
	{ 0.5078, { -3.99, -3.21, -0.33, 0.00, 0.12, 0.11, -0.08, -0.31,
	    0.00, 0.25, -3.93, -2.55, 0.14, 0.28, -0.53, 0.02,
	    -0.99, 0.77, 0.19, -0.22, 0.00, 0.00, 0.11, -0.07 } },
	{ 0.5625, { -3.99, -3.21, -0.33, 0.00, 0.12, 0.36, 0.17, -0.31,
	    0.00, 0.26, -3.93, -2.55, 0.14, 0.28, 0.12, 0.27,
	    -1.07, 0.67, 0.05, -0.01, 0.00, 0.00, 0.06, -0.08 } },
	{ 0.6562, { -1.03, -3.21, -0.33, 0.00, 0.25, -1.21, 0.30, -0.01,
	    0.00, 0.31, -1.18, 0.92, -0.02, 0.63, -0.13, 0.41,
	    -0.24, -0.10, -0.19, -0.12, 1.49, 1.30, 0.23, 0.13 } },
	{ 0.7812, { -0.10, -3.21, -0.33, 0.00, -0.05, -0.14, 0.06, 0.02,
	    0.00, 0.19, -0.17, 1.10, 0.03, 0.11, -0.12, 0.03,
	    0.30, 0.23, -0.13, -0.28, 0.00, 0.00, -0.19, 0.40 } },
	{ 0.9062, { 0.15, -3.21, -0.33, 0.00, -0.05, 0.11, 0.05, 0.02,
	    0.00, 0.19, 0.08, 0.85, 0.04, -0.14, 0.13, 0.28,
	    0.59, 0.23, -0.38, -0.24, 0.00, 0.00, -0.18, 0.41 } },
};

/* Differences from T = 1024 of T = 1025, 1300 and 1600. */
static const struct part longer[] = {
	{ 0.5005, { -3.44, -1.05, -3.51, 0.00, -0.65, -0.47, -0.11, -0.50,
	    0.00, 0.20, -1.16, 0.28, -0.02, 0.72, 0.33, 0.03,
	    -0.82, 0.70, 0.64, 0.11, 0.00, 0.00, -0.49, 0.03 } },
	{ 0.6348, { -3.44, -1.05, -2.38, 0.00, -0.76, -0.47, -0.11, 0.00,
	    0.00, 0.20, -1.16, 0.28, -0.13, 0.22, -0.17, -0.16,
	    0.04, -0.27, 0.79, 0.21, 0.00, 0.00, -0.46, 0.03 } },
	{ 0.7812, { -3.44, -1.05, -1.31, 0.00, -0.76, -0.22, -0.11, 0.25,
	    0.00, -0.05, -1.16, 0.40, -0.13, 0.22, 0.08, -0.13,
	    -0.24, -0.74, 0.54, 0.38, 1.99, 1.91, -0.59, 0.14 } },
};

/* Beyond 2^11 steps, T = 2^H: for H = 12, 20 and 30. */
static const double tall[3][FREE] = {
	{ -3.53, -0.43, -1.24, -2.37, -0.76, 0.00, 0.00, 0.80,
	    -3.40, 0.64, 0.74, -0.23, 0.41, 0.24, -0.31, -1.52,
	    1.41, -0.08, -0.21, 0.00, -3.50, -2.50, -0.51, 0.00 },
	{ -3.94, -0.99, -1.96, -2.31, -1.02, 0.00, 0.00, 0.89,
	    -3.40, 0.78, 1.02, 0.38, 0.34, -0.05, -0.32, -1.39,
	    1.23, 0.34, -0.57, 0.00, -3.50, -2.50, -1.08, 0.00 },
	{ -4.67, -0.69, -2.02, -2.31, -1.02, 0.00, 0.00, 0.89,
	    -3.40, 0.81, 1.02, 0.35, 0.47, 0.12, -0.55, -1.40,
	    1.34, 0.44, -0.62, -0.01, -3.50, -2.50, -1.46, 0.00 }
};

/* Numbers for T just above 2^(H - 1). */
static const double above[3][FREE] = {
	{ -7.00, -3.40, -1.24, -2.36, -0.98, 0.00, 0.00, 0.41,
	    -3.40, 0.75, 0.74, -1.59, 0.66, 0.39, -0.29, -1.50,
	    1.07, -1.38, 0.27, 0.00, -3.50, -2.50, -0.72, 0.00 },
	{ -7.00, -3.40, -1.96, -2.31, -1.23, 0.00, 0.00, -0.11,
	    -3.40, 1.08, 1.02, -0.52, 1.05, 0.97, 0.20, -1.51,
	    -0.12, 0.34, 0.02, 0.00, -3.50, -2.50, -1.26, 0.00 },
	{ -14.16, -3.40, -1.96, -2.31, -0.93, -0.30, -0.06, -0.41,
	    -3.40, 0.78, 1.02, -0.90, 0.75, 1.00, 0.19, -1.54,
	    0.14, 0.24, -0.02, -0.09, -3.50, -2.50, -1.12, 0.00 }
};


struct rule {
	unsigned H;
	double p[FREE];
};

static void
blend(double *to, const double *a, const double *b, double w)
{
	unsigned i;

	for (i = 0; i < FREE; i++)
		to[i] = a[i] + w * (b[i] - a[i]);
}

/* Change of the numbers with x = T / 2^H, from 1 down to 1/2. */
static void
set_change(double *to, const struct part *p, unsigned n, double x)
{
	static const double none[FREE];
	unsigned i = 0;

	while (i + 1 < n && p[i + 1].x <= x)
		i++;
	if (x <= p[0].x)
		blend(to, p[0].p, none, 0);
	else if (i + 1 < n)
		blend(to, p[i].p, p[i + 1].p, (x - p[i].x) / (p[i + 1].x - p[i].x));
	else
		blend(to, p[i].p, none, (x - p[i].x) / (1 - p[i].x));
}

static void
set_rule(struct rule *r, unsigned H, double x)
{
	const unsigned wholes = sizeof whole / sizeof whole[0];
	double low[FREE], high[FREE], change[FREE], w;
	unsigned i;

	r->H = H;
	if (H > FULL) {
		i = H > 20;
		w = i == 0 ? (H - 12) / 8. : (H - 20) / 10.;
		blend(low, tall[i], tall[i + 1], w);
		blend(high, above[i], above[i + 1], w);
		blend(r->p, low, high, pow(2 - 2 * x, 4));
	}
	else {
		for (i = 0; i + 2 < wholes && whole[i + 1].H <= H; i++)
			;
		blend(r->p, whole[i].p, whole[i + 1].p, H > whole[wholes - 1].H ? 1 :
		    (H - whole[i].H) / (whole[i + 1].H - whole[i].H));
		set_change(low, parts, sizeof parts / sizeof parts[0], x);
		set_change(high, longer, sizeof longer / sizeof longer[0], x);
		blend(change, low, high, H <= 8 ? 0 : H == 9 ? 0.5 : 1);
		for (i = 0; i < FREE; i++)
			r->p[i] += change[i];
	}
}

/* Share of its budget that a node takes, and where k bends. */
static void
wish(const struct rule *r, unsigned h, unsigned type, double *share, double *corner)
{
	const double *p = r->p, x = log((h + 1) / 9.), base = p[SHARE] + p[SLOPE] * x;
	const unsigned t = type == ALIKE ? LL : type, far = r->H - h;
	double s = base, c = p[CORNER];

	if (h == 1) {
		*share = 1;
		*corner = exp(p[STEP_CORNER]);
		return;
	}
	if (t == LR)
		s += p[LR_SHARE];
	if (t == RIGHT) {
		s += p[RIGHT_SHARE] + p[RIGHT_SLOPE] * x;
		c += p[RIGHT_CORNER];
	}
	if (h == 2) {
		s += p[LOW_SHARE];
		c += p[LOW_CORNER];
	}
	if (far == 1) {
		s += t == LL ? p[LL1] : t == RIGHT ? p[RIGHT1] : 0;
		c += p[CORNER1];
	}
	if (far == 2 && h > 1) {
		s += p[LL2 + t];
		c += p[CORNER2];
	}
	if (far == 3 && h > 1) {
		s += p[LL3 + t];
		c += p[CORNER3];
	}
	if (far == 0) {
		s = base + p[TOP];
		c = p[TOP_CORNER];
	}
	*share = fmin(exp(s), .75);
	*corner = exp(fmin(c, 1.5));
}

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
merge(struct budget *c, unsigned n, unsigned *where)
{
	const unsigned all = n;
	unsigned i, at;
	double least, d, w;

	for (; n > BUDGETS; n--) {
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
set_left(const struct rule *r, struct list *v, unsigned h)
{
	struct budget c[WIDE];
	unsigned order[WIDE] = { 0 }, where[WIDE], i, j;
	double s;

	for (i = 0; i < v->n; i++) {
		wish(r, h, v->want[i].type, &s, &v->want[i].corner);
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
	merge(c, v->n, where);
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
put_kinds(struct dp_normtree_shape *s, struct list *all, const struct rule *r)
{
	struct dp_normtree_kind *k;
	struct want *w;
	unsigned h, i, side;
	double share;

	for (h = 1; h <= r->H; h++) {
		all[h].first = (uint16_t)s->kinds;
		for (i = 0; i < all[h].n; i++) {
			w = &all[h].want[i];
			if (h == 1) {
				wish(r, 1, w->type, &share, &w->corner);
				w->left = 0;
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
set_shape(struct dp_normtree_shape *s, uint64_t T, unsigned H, unsigned unlike)
{
	const unsigned few = H > unlike ? H - unlike - 1 : 0;
	const uint64_t end = (((T - 1) >> few) + 1) << few;	/* of a chain all is there */
	struct list all[DP_NORMTREE_LEVELS + 1] = { 0 };
	struct rule r;
	struct want *w;
	unsigned h, i, side, type;

	set_rule(&r, H, ldexp((double)T, -(int)H));
	*s = (struct dp_normtree_shape){ .h = H, .T = T };
	s->root = GRID * ceil(exp(r.p[ROOT]) / GRID);
	all[H].want[0] = (struct want){ .type = LL, .edge = end < (uint64_t)1 << H, .weight = 1,
	    .budget = 1 - 0x1p-19 - s->root };
	all[H].n = 1;
	for (h = H; h > 1; h--) {
		set_left(&r, &all[h], h);
		for (i = 0; i < all[h].n; i++)
			for (w = &all[h].want[i], side = 0; side < 2; side++) {
				type = h + unlike <= H ? ALIKE : below[w->type][side];
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
		set_shape(s, T, H, H > FULL ? UNLIKE_TALL : UNLIKE);
}
