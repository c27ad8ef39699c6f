/* split.c - the laws that the tables of a tree draw by. */
#include <stdlib.h>

#include "split.h"

#define UP	MPFR_RNDU
#define DOWN	MPFR_RNDD

static bool
start(struct audit_weights *w, size_t n)
{
	mpfr_t *both = calloc(2 * n, sizeof *both);
	size_t i;

	*w = (struct audit_weights){ both, both + n, n };
	for (i = 0; both != NULL && i < 2 * n; i++)
		mpfr_init2(both[i], DP_AUDIT_WEIGHT);
	return both != NULL;
}

static void
stop(struct audit_weights *w)
{
	size_t i;

	for (i = 0; w->lo != NULL && i < 2 * w->n; i++)
		mpfr_clear(w->lo[i]);
	free(w->lo);
}

/* Of a table, whose numbers and ratio are exact, or of a step's. */
static void
extend(struct audit_weights *w, const struct audit_table *t, double beyond)
{
	size_t i;

	for (i = 0; i < w->n; i++)
		if (t == NULL || i <= t->A) {
			mpfr_set_d(w->lo[i], t == NULL ? 1 : t->v[i], DOWN);
			mpfr_set(w->hi[i], w->lo[i], UP);
		} else {
			mpfr_mul_d(w->lo[i], w->lo[i - 1], beyond, DOWN);
			mpfr_mul_d(w->hi[i], w->hi[i - 1], beyond, UP);
		}
}

bool
audit_split_start(struct audit_split *q, const struct audit_tree *t, long R, mpfr_rnd_t way)
{
	const size_t n = 4 * (size_t)R + 1;

	*q = (struct audit_split){ .t = t, .R = R, .way = way };
	return start(&q->g[0], n) && start(&q->g[1], n) && start(&q->k, n) &&
	    (q->p = calloc(2 * (size_t)R + 1, sizeof *q->p)) != NULL;
}

void
audit_split_stop(struct audit_split *q)
{
	stop(&q->g[0]);
	stop(&q->g[1]);
	stop(&q->k);
	free(q->p);
}

void
audit_split_of(struct audit_split *q, const struct audit_kind *k)
{
	const bool pair = k->child[0] == DP_AUDIT_STEP;
	unsigned side;

	for (side = 0; side < 2; side++)
		extend(&q->g[side], pair ? NULL : &q->t->kind[k->child[side]].g, k->beyond[side]);
	extend(&q->k, &k->k, k->k.beyond);
}

/* The weight of a, one side of it. */
static void
weight(mpfr_t to, const struct audit_split *q, const struct audit_kind *k, long P, long a,
    mpfr_rnd_t way)
{
	const long b = P - a, x = labs(a), z = labs(b);
	const long cap = P < (long)k->k.A ? (long)k->k.A - P : 0;
	long y = (a < 0) != (b < 0) && a != 0 && b != 0 ? (x < z ? x : z) : 0;

	if (k->child[0] != DP_AUDIT_STEP && y > cap)
		y = cap;
	mpfr_mul(to, (way == UP ? q->g[0].hi : q->g[0].lo)[x],
	    (way == UP ? q->g[1].hi : q->g[1].lo)[z], way);
	if (y > 0)
		mpfr_mul(to, to, (way == UP ? q->k.hi : q->k.lo)[y], way);
}

/* to += what is beyond a weight: r / (1 - r) of it, r = first second the ratio of what follows. */
static void
add_tail(mpfr_t to, mpfr_t last, double first, double second, mpfr_rnd_t way)
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

/* The sum of the weights of |a| > least, term by term to where it is geometric. */
static void
sum_up(mpfr_t to, const struct audit_split *q, const struct audit_kind *k, long P, long least,
    mpfr_rnd_t way)
{
	const bool pair = k->child[0] == DP_AUDIT_STEP;
	const long end = P + (long)k->k.A + 1, far = end > least ? end : least + 1;
	mpfr_t one;
	long a;

	mpfr_init2(one, DP_AUDIT_WEIGHT);
	mpfr_set_zero(to, 1);
	for (a = -far; a <= far; a++) {
		if (labs(a) <= least)
			continue;
		weight(one, q, k, P, a, way);
		mpfr_add(to, to, one, way);
		if (labs(a) == far)
			add_tail(to, one, pair ? k->k.beyond : k->beyond[0],
			    pair ? 1 : k->beyond[1], way);
	}
	mpfr_clear(one);
}

void
audit_split_law(struct audit_split *q, const struct audit_kind *k, long P)
{
	mpfr_t N, one;
	long a;

	mpfr_inits2(DP_AUDIT_WEIGHT, N, one, (mpfr_ptr)NULL);
	sum_up(N, q, k, P, -1, q->way == UP ? DOWN : UP);
	for (a = -q->R; a <= q->R; a++) {
		weight(one, q, k, P, a, q->way);
		mpfr_div(one, one, N, q->way);
		q->p[a + q->R] = audit_share(one, q->way);
	}
	sum_up(one, q, k, P, q->R, q->way);
	mpfr_div(one, one, N, q->way);
	q->outside = audit_share(one, q->way);
	mpfr_clears(N, one, (mpfr_ptr)NULL);
}

bool
audit_root_law(const struct audit_tree *t, long R, mpfr_rnd_t way, dp_uwide *law,
    dp_uwide *outside)
{
	const mpfr_rnd_t other = way == UP ? DOWN : UP;
	struct audit_weights v;
	mpfr_t sum, one;
	mpfr_t *of, *less;
	long P;

	if (!start(&v, (size_t)R + 1))
		return false;
	extend(&v, &t->root, t->root.beyond);
	of = way == UP ? v.hi : v.lo;
	less = way == UP ? v.lo : v.hi;
	mpfr_inits2(DP_AUDIT_WEIGHT, sum, one, (mpfr_ptr)NULL);
	mpfr_set(sum, less[0], other);
	for (P = 1; P <= R; P++) {
		mpfr_mul_2ui(one, less[P], 1, other);
		mpfr_add(sum, sum, one, other);
	}
	add_tail(sum, one, t->root.beyond, 1, other);
	for (P = 0; P <= R; P++) {
		mpfr_div(one, of[P], sum, way);
		law[R + P] = law[R - P] = audit_share(one, way);
	}
	mpfr_mul_2ui(of[R], of[R], 1, way);
	mpfr_set_zero(one, 1);
	add_tail(one, of[R], t->root.beyond, 1, way);
	mpfr_div(one, one, sum, way);
	*outside = audit_share(one, way);
	mpfr_clears(sum, one, (mpfr_ptr)NULL);
	stop(&v);
	return true;
}
