/* split.c - the laws that the tables of a tree draw by. */
#include <stdlib.h>

#include "split.h"

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
extend(struct audit_split *q, double *to, const struct audit_table *t, double beyond)
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
		extend(q, q->g[side], pair ? NULL : &q->t->kind[k->child[side]].g,
		    k->beyond[side]);
	extend(q, q->k, &k->k, k->k.beyond);
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
sum_up(const struct audit_split *q, long P, long least, long far, long cap)
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
	const double N = sum_up(q, P, -1, P + A + 1, cap);
	const bool known = !q->wild && N >= FEWEST && N <= MOST;
	long a;

	for (a = -R; a <= R; a++)
		q->p[a + R] = known ? weight(q, P, a, cap) / N : 0;
	q->outside = known ? sum_up(q, P, R, far, cap) / N + DP_AUDIT_UNDER : 1;
}

/* v(0), v(1), .., from below and from above. */
struct weights {
	mpfr_t *lo, *hi;		/* owned */
	size_t n;
};

static bool
start(struct weights *w, const struct audit_table *t, size_t n)
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
stop(struct weights *w)
{
	size_t i;

	for (i = 0; w->lo != NULL && i < 2 * w->n; i++)
		mpfr_clear(w->lo[i]);
	free(w->lo);
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

bool
audit_root_law(const struct audit_tree *t, long R, mpfr_rnd_t way, dp_uwide *law,
    dp_uwide *outside)
{
	const mpfr_rnd_t other = way == UP ? DOWN : UP;
	struct weights v;
	mpfr_t sum, one;
	mpfr_t *of, *less;
	long P;

	if (!start(&v, &t->root, (size_t)R + 1))
		return false;
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
