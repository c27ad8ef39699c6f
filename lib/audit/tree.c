/* tree.c - what a norm tree loses, from its tables alone. */
#include <stdlib.h>

#include "interval.h"
#include "spline.h"

#define DRAWN	0x1p-39		/* two draws, each within exp(2^-40); twice on a finer grid */

/* A table that goes on beyond A, 0 .. last. */
struct long_table {
	struct interval *v;	/* owned */
	unsigned n;
};

static bool
extend(struct long_table *to, const struct audit_table *from, double beyond, unsigned last)
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
gather(struct look *w, struct interval *to, const struct interval *x, const struct interval *y)
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
		gather(w, to, &g[P + m], &w->b);
	}
	interval_mul(&w->b, &h[end], &w->k.v[cap]);
	interval_mul(&w->b, &w->b, &w->tail);
	gather(w, to, &g[P + end], &w->b);
}

static void
weigh(struct look *w, unsigned P, struct interval *N)
{
	unsigned a;

	if (w->pair) {
		interval_set(&w->a, P + 1.);
		interval_add(N, &w->a, &w->tail);
		return;
	}
	interval_set(N, 0);
	for (a = 0; a <= P; a++)
		gather(w, N, &w->g[0].v[a], &w->g[1].v[P - a]);
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
	weigh(w, 0, &w->N);
	for (P = 0; P <= w->M; P++) {
		weigh(w, P + 1, &w->next);
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
start(struct look *w, const struct audit_tree *t, const struct audit_kind *k,
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
	if (!extend(&w->k, &k->k, k->k.beyond, w->A + 1) || !extend(&w->own, own, own->beyond,
	    w->M + 2))
		return false;
	for (side = 0; side < 2 && !w->pair; side++)
		if (!extend(&w->g[side], g[side], k->beyond[side], w->M + 2 + w->A))
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
stop(struct look *w)
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

	if (!start(&w, t, k, own))
		why = "there is no memory";
	else if ((why = look_at(&w, k, own)) == NULL)
		mpfr_log(e, w.worst, MPFR_RNDU);
	stop(&w);
	return why;
}

/* k(0) = 1, and k never rises. */
static bool
falls(const struct audit_table *k, bool pair)
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
	if (!falls(&k->k, pair))
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
