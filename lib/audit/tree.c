/* SPDX-License-Identifier: ISC */
/* tree.c - what a norm tree loses, from its tables alone. */
#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define DRAWN	0x1p-39		/* two draws, each within exp(2^-40); twice on a finer grid */

/* A table that goes on beyond A, 0 .. last. */
struct long_table {
	struct interval *v;	/* owned */
	unsigned n;
};

static bool
extend_tree(struct long_table *to, const struct audit_table *from, double beyond, unsigned last)
{
	struct interval q;
	unsigned i;

	to->n = last + 1;
	if ((to->v = calloc(to->n, sizeof *to->v)) == NULL)
		return false;
	interval_init(&q);
	interval_set(&q, beyond);
	for (i = 0; i <= last; i++) {
		interval_init(&to->v[i]);
		if (from == NULL)		/* a step's */
			interval_set(&to->v[i], 1);
		else if (i <= from->A)
			interval_set(&to->v[i], from->v[i]);
		else
			interval_mul(&to->v[i], &to->v[i - 1], &q);
	}
	interval_clear(&q);
	return true;
}

static void
give_back(struct long_table *t)
{
	unsigned i;

	for (i = 0; t->v != NULL && i < t->n; i++)
		interval_clear(&t->v[i]);
	free(t->v);
	t->v = NULL;
}

/* A kind that is looked at. */
struct look {
	unsigned A, M, least;	/* least: both children are geometric from there on */
	bool pair;
	struct long_table k, g[2], own;
	struct interval r;	/* product of the children's ratios; of a pair, that of k */
	struct interval tail, room, a, b, N, next;
	mpfr_t worst;		/* of the ratios that the certificate is about; at least 1 */
};

static void
worsen(struct look *w, const mpfr_t x)
{
	if (mpfr_greater_p(x, w->worst))
		mpfr_set(w->worst, x, MPFR_RNDU);
}

/* to += x y */
static void
gather_tree(struct look *w, struct interval *to, const struct interval *x, const struct interval *y)
{
	interval_mul(&w->a, x, y);
	interval_add(to, to, &w->a);
}

/* to += k(min(m, cap)) g'(P + m) g"(m) over m = 1, 2, ..; g', g" the sides in this order */
static void
gather_signs(struct look *w, struct interval *to, unsigned P, unsigned first)
{
	const struct interval *g = w->g[first].v, *h = w->g[!first].v;
	const unsigned cap = P < w->A ? w->A - P : 0, end = w->least > cap ? w->least : cap;
	unsigned m;

	for (m = 1; m <= end; m++) {
		interval_mul(&w->b, &h[m], &w->k.v[m < cap ? m : cap]);
		gather_tree(w, to, &g[P + m], &w->b);
	}
	interval_mul(&w->b, &h[end], &w->k.v[cap]);
	interval_mul(&w->b, &w->b, &w->tail);
	gather_tree(w, to, &g[P + end], &w->b);
}

static void
weigh_tree(struct look *w, unsigned P, struct interval *N)
{
	unsigned a;

	if (w->pair) {
		interval_set(&w->a, P + 1.);
		interval_add(N, &w->a, &w->tail);
		return;
	}
	interval_set(N, 0);
	for (a = 0; a <= P; a++)
		gather_tree(w, N, &w->g[0].v[a], &w->g[1].v[P - a]);
	gather_signs(w, N, P, 0);
	gather_signs(w, N, P, 1);
}

/* Of a pair: twice the sum of k(1), k(2), .. */
static void
sum_falls(struct look *w, const struct audit_table *k)
{
	unsigned y;

	interval_set(&w->r, k->beyond);
	interval_tail(&w->tail, &w->r, &w->room);
	interval_mul(&w->tail, &w->tail, &w->k.v[k->A]);
	for (y = 1; y <= k->A; y++)
		interval_add(&w->tail, &w->tail, &w->k.v[y]);
	interval_add(&w->tail, &w->tail, &w->tail);
}

static const char *
look_at(struct look *w, const struct audit_kind *k, const struct audit_table *own)
{
	mpfr_t fall, *steep = malloc((w->A + 1) * sizeof *steep);
	unsigned P, v;

	if (steep == NULL)
		return "there is no memory";
	/* steep[v]: the most that k falls in a step before v */
	mpfr_init2(fall, DP_INTERVAL_BITS);
	for (v = 0; v <= w->A; v++) {
		mpfr_init2(steep[v], DP_INTERVAL_BITS);
		mpfr_set_ui(steep[v], 1, MPFR_RNDU);
		if (v == 0)
			continue;
		mpfr_div(fall, w->k.v[v - 1].hi, w->k.v[v].lo, MPFR_RNDU);
		mpfr_max(steep[v], steep[v - 1], fall, MPFR_RNDU);
	}
	if (w->pair) {		/* Y is infinite */
		mpfr_d_div(fall, 1, w->k.v[w->A + 1].lo, MPFR_RNDU);
		mpfr_mul(fall, fall, w->k.v[w->A].hi, MPFR_RNDU);
		mpfr_max(steep[w->A], steep[w->A], fall, MPFR_RNDU);
	}
	weigh_tree(w, 0, &w->N);
	for (P = 0; P <= w->M; P++) {
		weigh_tree(w, P + 1, &w->next);
		interval_mul(&w->a, &w->own.v[P + 1], &w->N);
		interval_mul(&w->b, &w->own.v[P], &w->next);
		interval_div(&w->room, &w->a, &w->b);		/* r(P) */
		mpfr_ui_div(fall, 1, w->room.lo, MPFR_RNDU);
		worsen(w, fall);
		mpfr_mul(fall, w->room.hi, steep[w->pair ? w->A : P < w->A ? w->A - P : 0],
		    MPFR_RNDU);
		worsen(w, fall);
		interval_copy(&w->N, &w->next);
	}
	/* the limit: the tables' own ratio over the larger of the children's */
	mpfr_set_d(fall, own->beyond, MPFR_RNDU);
	mpfr_div_d(fall, fall, k->beyond[0] > k->beyond[1] ? k->beyond[0] : k->beyond[1],
	    MPFR_RNDU);
	if (w->pair)
		mpfr_mul(fall, fall, steep[w->A], MPFR_RNDU);
	worsen(w, fall);
	mpfr_set_d(fall, k->beyond[0] > k->beyond[1] ? k->beyond[0] : k->beyond[1], MPFR_RNDU);
	mpfr_div_d(fall, fall, own->beyond, MPFR_RNDU);
	worsen(w, fall);
	for (v = 0; v <= w->A; v++)
		mpfr_clear(steep[v]);
	free(steep);
	mpfr_clear(fall);
	return NULL;
}

static bool
start_tree(struct look *w, const struct audit_tree *t, const struct audit_kind *k,
    const struct audit_table *own)
{
	const struct audit_table *g[2] = { NULL, NULL };
	struct interval *all[] = { &w->r, &w->tail, &w->room, &w->a, &w->b, &w->N, &w->next };
	unsigned side, i, both = 0;

	*w = (struct look){ .A = k->k.A, .pair = k->child[0] == DP_AUDIT_STEP };
	for (i = 0; i < sizeof all / sizeof *all; i++)
		interval_init(all[i]);
	mpfr_init2(w->worst, DP_INTERVAL_BITS);
	mpfr_set_ui(w->worst, 1, MPFR_RNDU);
	for (side = 0; side < 2 && !w->pair; side++) {
		g[side] = &t->kind[k->child[side]].g;
		both += g[side]->A;
		w->least = g[side]->A > w->least ? g[side]->A : w->least;
	}
	w->M = both > w->A ? both : w->A;
	if (!extend_tree(&w->k, &k->k, k->k.beyond, w->A + 1) || !extend_tree(&w->own, own,
	    own->beyond,
	    w->M + 2))
		return false;
	for (side = 0; side < 2 && !w->pair; side++)
		if (!extend_tree(&w->g[side], g[side], k->beyond[side], w->M + 2 + w->A))
			return false;
	if (w->pair) {
		sum_falls(w, &k->k);
		return true;
	}
	interval_set(&w->a, k->beyond[0]);
	interval_set(&w->b, k->beyond[1]);
	interval_mul(&w->r, &w->a, &w->b);
	interval_tail(&w->tail, &w->r, &w->room);
	return true;
}

static void
stop_tree(struct look *w)
{
	struct interval *all[] = { &w->r, &w->tail, &w->room, &w->a, &w->b, &w->N, &w->next };
	unsigned i;

	for (i = 0; i < sizeof all / sizeof *all; i++)
		interval_clear(all[i]);
	mpfr_clear(w->worst);
	give_back(&w->k);
	give_back(&w->own);
	give_back(&w->g[0]);
	give_back(&w->g[1]);
}

/* e, rounded up */
static const char *
kind_loss(const struct audit_tree *t, const struct audit_kind *k, mpfr_t e)
{
	const struct audit_table *own = t->fine > 0 ? &k->c :
	    k == &t->kind[t->kinds - 1] ? &t->root : &k->g;
	const char *why;
	struct look w;

	if (!start_tree(&w, t, k, own))
		why = "there is no memory";
	else if ((why = look_at(&w, k, own)) == NULL)
		mpfr_log(e, w.worst, MPFR_RNDU);
	stop_tree(&w);
	return why;
}

/* k(0) = 1, and k never rises. */
static bool
falls_tree(const struct audit_table *k, bool pair)
{
	unsigned v;

	for (v = 0; v < k->A; v++)
		if (k->v[v + 1] > k->v[v])
			return false;
	return k->v[0] == 1 && (pair ? k->beyond < 1 : k->beyond == 1);
}

/* Fault of the sizes and children of a kind, looked at before any loss is computed; NULL: none. */
static const char *
shaped(const struct audit_tree *t, const struct audit_kind *k)
{
	const bool pair = k->child[0] == DP_AUDIT_STEP;
	const struct audit_kind *c;
	unsigned side;

	if (pair != (k->child[1] == DP_AUDIT_STEP) || k->level < 1 || k->level > t->h)
		return "a kind has other children than the theorem's";
	if (!falls_tree(&k->k, pair))
		return "a k rises, or is not 1 at 0";
	for (side = 0; side < 2; side++) {
		if (pair) {
			if (k->beyond[side] != 1 || k->level != 1)
				return "a pair of steps is not of level 1";
			continue;
		}
		if (k->child[side] >= (uint32_t)(k - t->kind))
			return "a kind's child comes after it";
		c = &t->kind[k->child[side]];
		if (c->level >= k->level || c->k.A > k->k.A)
			return "a child is not below its parent";
		if (c->g.beyond != k->beyond[side] || !(k->beyond[side] < 1))
			return "a child's table goes on otherwise than its parent draws by";
	}
	return NULL;
}

/* Cost of a move of one of the tree's units down to this kind, and of its draws' inexactness. */
static const char *
add_level(const struct audit_tree *t, const struct audit_kind *k, mpfr_t e, mpfr_t *path,
    mpfr_t to)
{
	const struct audit_kind *child;
	const char *why = NULL;
	mpfr_t on;
	unsigned side;

	mpfr_init2(on, DP_INTERVAL_BITS);
	mpfr_set_ui(to, 0, MPFR_RNDU);
	for (side = 0; side < 2 && why == NULL; side++) {
		child = k->child[side] == DP_AUDIT_STEP ? NULL : &t->kind[k->child[side]];
		if (side == 1 && k->child[1] == k->child[0])
			break;
		if (t->fine == 0)
			mpfr_set(on, e, MPFR_RNDU);
		else
			why = audit_spline_loss(child == NULL ? NULL : &child->g,
			    child == NULL ? NULL : &child->c, t->fine, e, on);
		mpfr_add_d(on, on, t->fine == 0 ? DRAWN : 2 * DRAWN, MPFR_RNDU);
		if (child != NULL)
			mpfr_add(on, on, path[k->child[side]], MPFR_RNDU);
		mpfr_max(to, to, on, MPFR_RNDU);
	}
	mpfr_clear(on);
	return why;
}

/* The root's: its potential is 0, as R is its g. */
static const char *
add_root(const struct audit_tree *t, mpfr_t loss)
{
	const char *why = NULL;
	mpfr_t zero, on;

	if (!(t->root.beyond < 1))
		return "the root's table does not fall";
	mpfr_init2(zero, DP_INTERVAL_BITS);
	mpfr_init2(on, DP_INTERVAL_BITS);
	mpfr_set_ui(zero, 0, MPFR_RNDU);
	mpfr_set_ui(on, 0, MPFR_RNDU);
	if (t->fine > 0)
		why = audit_spline_loss(&t->root, &t->kind[t->kinds - 1].c, t->fine, zero, on);
	mpfr_add_d(on, on, t->fine == 0 ? DRAWN : 2 * DRAWN, MPFR_RNDU);
	mpfr_add(loss, loss, on, MPFR_RNDU);
	mpfr_clear(zero);
	mpfr_clear(on);
	return why;
}

const char *
audit_tree_loss(const struct audit_tree *t, mpfr_t loss)
{
	mpfr_t e, *path = calloc(t->kinds, sizeof *path);
	const char *why = path == NULL ? "there is no memory" : NULL;
	unsigned i, n = 0;

	mpfr_init2(e, DP_INTERVAL_BITS);
	for (i = 0; i < t->kinds && why == NULL; i++) {
		mpfr_init2(path[n++], DP_INTERVAL_BITS);
		if ((why = shaped(t, &t->kind[i])) == NULL &&
		    (why = kind_loss(t, &t->kind[i], e)) == NULL)
			why = add_level(t, &t->kind[i], e, path, path[i]);
	}
	if (why == NULL) {
		mpfr_set(loss, path[t->kinds - 1], MPFR_RNDU);
		why = add_root(t, loss);
	}
	while (n > 0)
		mpfr_clear(path[--n]);
	free(path);
	mpfr_clear(e);
	return why;
}

void
audit_tree_free(struct audit_tree *t)
{
	unsigned i;

	for (i = 0; t->kind != NULL && i < t->kinds; i++) {
		free(t->kind[i].k.v);
		free(t->kind[i].g.v);
		free(t->kind[i].c.v);
	}
	free(t->kind);
	free(t->root.v);
	*t = (struct audit_tree){ .kinds = 0 };
}

/* The laws that the tables of a tree draw by. */

#define UP	MPFR_RNDU
#define DOWN	MPFR_RNDD

#define FEWEST	0x1p-500
#define MOST	0x1p500
#define LARGE	0x1p200

bool
audit_split_start(struct audit_split *q, const struct audit_tree *t, long R)
{
	const size_t n = 4 * (size_t)R + 2;

	*q = (struct audit_split){ .t = t, .R = R };
	if ((q->g[0] = calloc(3 * n + 2 * (size_t)R + 1, sizeof *q->p)) == NULL)
		return false;
	q->g[1] = q->g[0] + n;
	q->k = q->g[1] + n;
	q->p = q->k + n;
	return true;
}

void
audit_split_stop(struct audit_split *q)
{
	free(q->g[0]);
}

/* Of a table, whose numbers and ratio are exact, or of a step's. */
static void
extend_split(struct audit_split *q, double *to, const struct audit_table *t, double beyond)
{
	long i;

	for (i = 0; i < 4 * q->R + 2; i++) {
		to[i] = t == NULL ? 1 : i <= (long)t->A ? t->v[i] : to[i - 1] * beyond;
		q->wild |= !(to[i] <= LARGE);
	}
}

/* r / (1 - r), r = first second, to the nearest. */
static double
tail_of(double first, double second)
{
	mpfr_t r, rest;
	double tail;

	mpfr_inits2(256, r, rest, (mpfr_ptr)NULL);
	mpfr_set_d(r, first, MPFR_RNDN);
	mpfr_mul_d(r, r, second, MPFR_RNDN);		/* exactly */
	mpfr_ui_sub(rest, 1, r, MPFR_RNDN);
	mpfr_div(r, r, rest, MPFR_RNDN);
	tail = mpfr_get_d(r, MPFR_RNDN);
	mpfr_clears(r, rest, (mpfr_ptr)NULL);
	return tail;
}

void
audit_split_of(struct audit_split *q, const struct audit_kind *k)
{
	const bool pair = k->child[0] == DP_AUDIT_STEP;
	unsigned side;

	q->wild = false;
	for (side = 0; side < 2; side++)
		extend_split(q, q->g[side], pair ? NULL : &q->t->kind[k->child[side]].g,
		    k->beyond[side]);
	extend_split(q, q->k, &k->k, k->k.beyond);
	q->tail = pair ? tail_of(k->k.beyond, 1) : tail_of(k->beyond[0], k->beyond[1]);
}

/* The weight of a; cap: Y(P). */
DP_INLINE double
weight(const struct audit_split *q, long P, long a, long cap)
{
	const long b = P - a, x = labs(a), z = labs(b);
	const long y = (a ^ b) < 0 ? (x < z ? x : z) : 0;

	return q->g[0][x] * q->g[1][z] * q->k[y < cap ? y : cap];
}

/* Weights of |a| > least, term by term to where they are geometric, and what follows. */
static double
sum_up_split(const struct audit_split *q, long P, long least, long far, long cap)
{
	double sum = 0;
	long a;

	for (a = least + 1; a <= far; a++)
		sum += weight(q, P, a, cap) + (a == 0 ? 0 : weight(q, P, -a, cap));
	return sum + weight(q, P, far, cap) * q->tail + weight(q, P, -far, cap) * q->tail;
}

void
audit_split_law(struct audit_split *q, const struct audit_kind *k, long P)
{
	const long R = q->R, A = (long)k->k.A, far = P + A > R ? P + A + 1 : R + 1;
	const long cap = k->child[0] == DP_AUDIT_STEP ? 4 * R : P < A ? A - P : 0;
	const double N = sum_up_split(q, P, -1, P + A + 1, cap);
	const bool known = !q->wild && N >= FEWEST && N <= MOST;
	long a;

	for (a = -R; a <= R; a++)
		q->p[a + R] = known ? weight(q, P, a, cap) / N : 0;
	q->outside = known ? sum_up_split(q, P, R, far, cap) / N + DP_AUDIT_UNDER : 1;
}

/* v(0), v(1), .., from below and from above. */
struct weights {
	mpfr_t *lo, *hi;		/* owned */
	size_t n;
};

static bool
start_split(struct weights *w, const struct audit_table *t, size_t n)
{
	mpfr_t *both = calloc(2 * n, sizeof *both);
	size_t i;

	*w = (struct weights){ both, both + n, n };
	for (i = 0; both != NULL && i < 2 * n; i++)
		mpfr_init2(both[i], DP_AUDIT_WEIGHT);
	for (i = 0; both != NULL && i < n; i++)
		if (i <= t->A) {		/* exact, as is the ratio */
			mpfr_set_d(w->lo[i], t->v[i], DOWN);
			mpfr_set(w->hi[i], w->lo[i], UP);
		} else {
			mpfr_mul_d(w->lo[i], w->lo[i - 1], t->beyond, DOWN);
			mpfr_mul_d(w->hi[i], w->hi[i - 1], t->beyond, UP);
		}
	return both != NULL;
}

static void
stop_split(struct weights *w)
{
	size_t i;

	for (i = 0; w->lo != NULL && i < 2 * w->n; i++)
		mpfr_clear(w->lo[i]);
	free(w->lo);
}

/* to += what is beyond a weight: r / (1 - r) of it, r = first second the ratio of what follows. */
static void
add_tail_split(mpfr_t to, mpfr_t last, double first, double second, mpfr_rnd_t way)
{
	mpfr_t r;

	mpfr_init2(r, DP_AUDIT_WEIGHT);
	mpfr_set_d(r, first, way);
	mpfr_mul_d(r, r, second, way);
	mpfr_mul(last, last, r, way);
	mpfr_ui_sub(r, 1, r, way == UP ? DOWN : UP);
	mpfr_div(last, last, r, way);
	mpfr_add(to, to, last, way);
	mpfr_clear(r);
}

bool
audit_root_law(const struct audit_tree *t, long R, mpfr_rnd_t way, dp_uwide *law,
    dp_uwide *outside)
{
	const mpfr_rnd_t other = way == UP ? DOWN : UP;
	struct weights v;
	mpfr_t sum, one;
	mpfr_t *of, *less;
	long P;

	if (!start_split(&v, &t->root, (size_t)R + 1))
		return false;
	of = way == UP ? v.hi : v.lo;
	less = way == UP ? v.lo : v.hi;
	mpfr_inits2(DP_AUDIT_WEIGHT, sum, one, (mpfr_ptr)NULL);
	mpfr_set(sum, less[0], other);
	for (P = 1; P <= R; P++) {
		mpfr_mul_2ui(one, less[P], 1, other);
		mpfr_add(sum, sum, one, other);
	}
	add_tail_split(sum, one, t->root.beyond, 1, other);
	for (P = 0; P <= R; P++) {
		mpfr_div(one, of[P], sum, way);
		law[R + P] = law[R - P] = audit_share(one, way);
	}
	mpfr_mul_2ui(of[R], of[R], 1, way);
	mpfr_set_zero(one, 1);
	add_tail_split(one, of[R], t->root.beyond, 1, way);
	mpfr_div(one, one, sum, way);
	*outside = audit_share(one, way);
	mpfr_clears(sum, one, (mpfr_ptr)NULL);
	stop_split(&v);
	return true;
}

/* The cost of a potential on a finer grid, in exact numbers. */

#define FOUR		4
#define EIGHT		8
#define TERMS		(FOUR + EIGHT - 1)	/* coefficients of a product */
#define EDGE		5			/* cells beyond A: then all comes again */
#define WITHIN		832			/* bits of a cell's numbers; of one at an edge: */
#define OUTSIDE		1536	/* MPFR tells if more are needed */
#define HALVINGS	10
#define FEW		4			/* log2 D: each x is tried */
#define SMALL		0x1p-32			/* of a cost: what its search leaves */

/* Pieces of beta, of x and of x + 1: [piece * n + power of s / (D - 1)]. */
struct pieces {
	unsigned n;
	mpfr_t *here, *next;
};

struct spline {
	mpfr_prec_t bits;
	struct pieces four, eight;
	mpfr_t tilt[FOUR], product;
	mpfr_t G[FOUR], Gn[FOUR], C[EIGHT], Cn[EIGHT];
	mpfr_t up[TERMS], down[TERMS];		/* powers, then Bernstein's */
	mpfr_t v[FOUR + EIGHT];			/* numbers of the tables */
};

static mpfr_t *
numbers(unsigned n, mpfr_prec_t bits)
{
	mpfr_t *v = calloc(n, sizeof *v);
	unsigned i;

	for (i = 0; v != NULL && i < n; i++) {
		mpfr_init2(v[i], bits);
		mpfr_set_zero(v[i], 1);
	}
	return v;
}

static void
clear(mpfr_t *v, unsigned n)
{
	unsigned i;

	for (i = 0; v != NULL && i < n; i++)
		mpfr_clear(v[i]);
}

/* to += sign choose(n, i) (x + 1) .. (x + n - 1), x = at + L t, a polynomial of t */
static void
add_product(mpfr_t *to, unsigned n, unsigned i, int64_t at, uint64_t L)
{
	mpz_t p[EIGHT], c;
	mpfr_t q;
	unsigned r, k;

	mpz_init(c);
	for (k = 0; k < n; k++)
		mpz_init_set_ui(p[k], k == 0);
	for (r = 1; r < n; r++)
		for (k = r + 1; k-- > 0; ) {
			mpz_set_si(c, at + (int64_t)r);
			mpz_mul(p[k], p[k], c);
			if (k > 0)
				mpz_addmul_ui(p[k], p[k - 1], L);
		}
	mpz_bin_uiui(c, n, i);
	mpfr_init2(q, OUTSIDE);
	for (k = 0; k < n; k++) {
		mpz_mul(p[k], p[k], c);
		mpfr_set_z(q, p[k], MPFR_RNDN);
		(i % 2 == 0 ? mpfr_add : mpfr_sub)(to[k], to[k], q, MPFR_RNDN);
		mpz_clear(p[k]);
	}
	mpfr_clear(q);
	mpz_clear(c);
}

/* (n - 1)! times the number of ways: piece j is of y from D j on, y = D j + s - n / 2. */
static bool
make_pieces(struct pieces *p, unsigned n, unsigned fine, mpfr_prec_t bits)
{
	const int64_t D = (int64_t)1 << fine;
	unsigned i, j;

	p->n = n;
	p->here = numbers(n * n, bits);
	p->next = numbers(n * n, bits);
	for (j = 0; j < n && p->here != NULL && p->next != NULL; j++)
		for (i = 0; i <= j; i++) {
			add_product(p->here + j * n, n, i, (int64_t)(j - i) * D - n / 2,
			    (uint64_t)D - 1);
			add_product(p->next + j * n, n, i, (int64_t)(j - i) * D - n / 2 + 1,
			    (uint64_t)D - 1);
		}
	return p->here != NULL && p->next != NULL;
}

static bool
make(struct spline *s, unsigned fine, const mpfr_t e, mpfr_prec_t bits)
{
	mpfr_t *all[] = { s->tilt, s->G, s->Gn, s->C, s->Cn, s->up, s->down, s->v };
	const unsigned n[] = { FOUR, FOUR, FOUR, EIGHT, EIGHT, TERMS, TERMS, FOUR + EIGHT };
	mpfr_t w;
	unsigned i, j;

	s->bits = bits;
	for (i = 0; i < sizeof n / sizeof *n; i++)
		for (j = 0; j < n[i]; j++)
			mpfr_init2(all[i][j], bits);
	mpfr_init2(s->product, bits);
	mpfr_init2(w, 44);
	mpfr_neg(w, e, MPFR_RNDD);
	mpfr_exp(w, w, MPFR_RNDD);
	mpfr_clear_flags();
	mpfr_set_ui(s->tilt[0], 1, MPFR_RNDN);
	for (i = 1; i < FOUR; i++)
		mpfr_mul(s->tilt[i], s->tilt[i - 1], w, MPFR_RNDN);
	mpfr_clear(w);
	return make_pieces(&s->four, FOUR, fine, bits) && make_pieces(&s->eight, EIGHT, fine, bits);
}

static void
drop(struct spline *s)
{
	mpfr_t *all[] = { s->tilt, s->G, s->Gn, s->C, s->Cn, s->up, s->down, s->v };
	const unsigned n[] = { FOUR, FOUR, FOUR, EIGHT, EIGHT, TERMS, TERMS, FOUR + EIGHT };
	unsigned i;

	for (i = 0; i < sizeof n / sizeof *n; i++)
		clear(all[i], n[i]);
	mpfr_clear(s->product);
	for (i = 0; i < 2; i++) {
		clear(i == 0 ? s->four.here : s->four.next, FOUR * FOUR);
		clear(i == 0 ? s->eight.here : s->eight.next, EIGHT * EIGHT);
	}
	free(s->four.here);
	free(s->four.next);
	free(s->eight.here);
	free(s->eight.next);
}

/* A table's number at v, either way. */
static void
entry(mpfr_t to, const struct audit_table *t, int64_t v)
{
	unsigned n = (unsigned)(v < 0 ? -v : v);

	mpfr_set_d(to, t == NULL ? 1 : t->v[n < t->A ? n : t->A], MPFR_RNDN);
	for (; t != NULL && n > t->A; n--)
		mpfr_mul_d(to, to, t->beyond, MPFR_RNDN);
}

/* to = the sum of v[j] times piece j */
static void
combine_spline(struct spline *s, mpfr_t *to, mpfr_t *v, mpfr_t *piece, unsigned n)
{
	unsigned j, k;

	for (k = 0; k < n; k++) {
		mpfr_mul(to[k], v[0], piece[k], MPFR_RNDN);
		for (j = 1; j < n; j++) {
			mpfr_mul(s->product, v[j], piece[j * n + k], MPFR_RNDN);
			mpfr_add(to[k], to[k], s->product, MPFR_RNDN);
		}
	}
}

/* to +- x y */
static void
multiply(struct spline *s, mpfr_t *to, mpfr_t *x, mpfr_t *y, bool minus)
{
	unsigned i, j;

	for (i = 0; i < FOUR; i++)
		for (j = 0; j < EIGHT; j++) {
			mpfr_mul(s->product, x[i], y[j], MPFR_RNDN);
			(minus ? mpfr_sub : mpfr_add)(to[i + j], to[i + j], s->product, MPFR_RNDN);
		}
}

/* From powers of t to Bernstein's form over 0 .. 1, 2520 times. */
static void
bernstein(struct spline *s, mpfr_t *a)
{
	static const unsigned share[TERMS] = { 2520, 252, 56, 21, 12, 10, 12, 21, 56, 252, 2520 };
	static const unsigned choose[TERMS][TERMS] = { { 1 }, { 1, 1 }, { 1, 2, 1 }, { 1, 3, 3, 1 },
	    { 1, 4, 6, 4, 1 }, { 1, 5, 10, 10, 5, 1 }, { 1, 6, 15, 20, 15, 6, 1 },
	    { 1, 7, 21, 35, 35, 21, 7, 1 }, { 1, 8, 28, 56, 70, 56, 28, 8, 1 },
	    { 1, 9, 36, 84, 126, 126, 84, 36, 9, 1 },
	    { 1, 10, 45, 120, 210, 252, 210, 120, 45, 10, 1 } };
	unsigned i, k;

	for (i = 0; i < TERMS; i++)
		mpfr_mul_ui(a[i], a[i], share[i], MPFR_RNDN);
	for (k = TERMS; k-- > 0; )
		for (i = 0; i < k; i++) {
			mpfr_mul_ui(s->product, a[i], choose[k][i], MPFR_RNDN);
			mpfr_add(a[k], a[k], s->product, MPFR_RNDN);
		}
}

/* Cell m: up = G(x + 1) C(x) - G(x) C(x + 1), down = G(x) C(x + 1). */
static void
set_cell(struct spline *s, const struct audit_table *g, const struct audit_table *c, int64_t m)
{
	unsigned j;

	for (j = 0; j < FOUR; j++) {
		entry(s->v[j], g, m + FOUR / 2 - j);
		mpfr_mul(s->v[j], s->v[j], s->tilt[j], MPFR_RNDN);
	}
	combine_spline(s, s->G, s->v, s->four.here, FOUR);
	combine_spline(s, s->Gn, s->v, s->four.next, FOUR);
	for (j = 0; j < EIGHT; j++)
		entry(s->v[j], c, m + EIGHT / 2 - j);
	combine_spline(s, s->C, s->v, s->eight.here, EIGHT);
	combine_spline(s, s->Cn, s->v, s->eight.next, EIGHT);
	for (j = 0; j < TERMS; j++) {
		mpfr_set_zero(s->up[j], 1);
		mpfr_set_zero(s->down[j], 1);
	}
	multiply(s, s->up, s->Gn, s->C, false);
	multiply(s, s->up, s->G, s->Cn, true);
	multiply(s, s->down, s->G, s->Cn, false);
}

struct found {
	mpfr_t best, worst, most, one;	/* what some x costs, and no x does; of a piece */
	bool inexact, bad;
};

static void
raise_to_spline(mpfr_t to, const mpfr_t x)
{
	if (mpfr_greater_p(x, to))
		mpfr_set(to, x, MPFR_RNDU);
}

/* The first half of a stays, the second goes to b (de Casteljau). */
static void
halve_spline(mpfr_t *a, mpfr_t *b)
{
	unsigned i, j;

	for (i = 0; i < TERMS; i++)
		mpfr_set(b[i], a[i], MPFR_RNDN);
	for (j = 1; j < TERMS; j++) {
		for (i = 0; i + j < TERMS; i++) {
			mpfr_add(b[i], b[i], b[i + 1], MPFR_RNDN);
			mpfr_div_2ui(b[i], b[i], 1, MPFR_RNDN);
		}
		mpfr_set(a[j], b[0], MPFR_RNDN);
	}
}

/* (D - 1)^10 times what the powers a are at t = x / (D - 1). */
static void
value_spline(struct spline *s, mpfr_t to, mpfr_t *a, unsigned x, unsigned L)
{
	unsigned k;

	mpfr_set_zero(to, 1);
	for (k = TERMS; k-- > 0; ) {
		mpfr_mul_ui(to, to, x, MPFR_RNDN);
		mpfr_ui_pow_ui(s->product, L, TERMS - 1 - k, MPFR_RNDN);
		mpfr_mul(s->product, s->product, a[k], MPFR_RNDN);
		mpfr_add(to, to, s->product, MPFR_RNDN);
	}
}

/* All of a cell's x, where they are few. */
static void
try_all(struct found *f, struct spline *s, unsigned fine)
{
	const unsigned L = (1u << fine) - 1;
	unsigned x;

	for (x = 0; x <= L; x++) {
		value_spline(s, s->v[0], s->up, x, L);
		value_spline(s, s->v[1], s->down, x, L);
		f->inexact |= mpfr_inexflag_p() != 0;
		if (mpfr_sgn(s->v[1]) <= 0) {
			f->bad = true;
			return;
		}
		mpfr_div(f->one, s->v[0], s->v[1], MPFR_RNDU);
		raise_to_spline(f->worst, f->one);
		mpfr_clear_flags();
	}
}

static void
look_spline(struct found *f, mpfr_t *up, mpfr_t *down, mpfr_prec_t bits, unsigned halvings)
{
	mpfr_t *more;
	unsigned k;

	f->inexact |= mpfr_inexflag_p() != 0;
	mpfr_set_zero(f->most, 1);
	for (k = 0; k < TERMS; k++) {
		if (mpfr_sgn(down[k]) <= 0) {
			f->bad = true;
			return;
		}
		mpfr_div(f->one, up[k], down[k], MPFR_RNDU);
		raise_to_spline(f->most, f->one);
		if (k == 0 || k == TERMS - 1) {
			mpfr_div(f->one, up[k], down[k], MPFR_RNDD);
			raise_to_spline(f->best, f->one);
		}
	}
	mpfr_mul_d(f->one, f->best, 1 + SMALL, MPFR_RNDD);
	if (mpfr_lessequal_p(f->most, f->one) || halvings == 0) {
		raise_to_spline(f->worst, f->most);
		return;
	}
	if ((more = numbers(2 * TERMS, bits)) == NULL) {
		f->bad = true;
		return;
	}
	mpfr_clear_flags();
	halve_spline(up, more);
	halve_spline(down, more + TERMS);
	look_spline(f, up, down, bits, halvings - 1);
	mpfr_clear_flags();
	look_spline(f, more, more + TERMS, bits, halvings - 1);
	clear(more, 2 * TERMS);
	free(more);
}

const char *
audit_spline_loss(const struct audit_table *g, const struct audit_table *c, unsigned fine,
    const mpfr_t e, mpfr_t loss)
{
	const int64_t A = c == NULL ? 0 : c->A, end = c == NULL ? 1 : A + EDGE;
	struct spline in, out, *s;
	struct found f = { .bad = false };
	int64_t i, m;

	mpfr_inits2(64, f.best, f.worst, f.most, f.one, (mpfr_ptr)NULL);
	mpfr_set_zero(f.best, 1);
	mpfr_set_zero(f.worst, 1);
	f.bad = !make(&in, fine, e, WITHIN);
	f.inexact = mpfr_inexflag_p() != 0;
	f.bad |= !make(&out, fine, e, OUTSIDE);
	f.inexact |= mpfr_inexflag_p() != 0;
	/* from the middle on, where the most is lost */
	for (i = 0; i < 2 * end && !f.bad && !f.inexact; i++) {
		m = i % 2 == 0 ? i / 2 : -(i / 2) - 1;
		s = m + EDGE > A || m - EDGE < -A ? &out : &in;
		mpfr_clear_flags();
		set_cell(s, g, c, m);
		if (fine <= FEW) {
			try_all(&f, s, fine);
			continue;
		}
		bernstein(s, s->up);
		bernstein(s, s->down);
		look_spline(&f, s->up, s->down, s->bits, HALVINGS);
	}
	drop(&in);
	drop(&out);
	mpfr_mul_d(f.best, f.best, 1 + SMALL, MPFR_RNDU);
	mpfr_max(f.worst, f.worst, f.best, MPFR_RNDU);
	mpfr_log1p(loss, f.worst, MPFR_RNDU);
	mpfr_clears(f.best, f.worst, f.most, f.one, (mpfr_ptr)NULL);
	return f.bad ? "what a table costs on its finer grid cannot be bounded" :
	    f.inexact ? "a table's numbers are too far apart to be exact" : NULL;
}
