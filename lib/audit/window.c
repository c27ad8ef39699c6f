/*
 * window.c - how often the noise of windows over a row of trees may be at a height (passage.h).
 *
 * The noise of a window that ends with the first i steps of a tree is that of these, of whole trees
 * before it, and of the last m steps of one more, independent of each other; where both halves of
 * each node have one kind the last m steps are as the first, reversed.  The law of the first i:
 * from the root down, m(E, P) the measure of noise E before a node and P its own; its left half has
 * m(E, a) = sum over P of m(E, P) p(a | P), its right half m(E + a, P - a).  All terms are
 * positive and rounded down; what is left out, too, counts as reached.
 */
#include <stdlib.h>

#include "passage.h"
#include "split.h"

#define HIGH	24
#define WORK	((uint64_t)1 << 34)

struct windows {
	const struct audit_tree *t;
	struct audit_split s;
	long R, n;			/* n: 2 R + 1 */
	dp_uwide rare;
	dp_uwide *room;			/* a measure for each level */
	dp_uwide *law;			/* [i n + y + R]: of the first i steps */
	dp_uwide *root;
	long done;
};

/* Adds what P of row E gives to one of the halves. */
static void
give(struct windows *q, dp_uwide one, long E, long P, bool right, dp_uwide *to)
{
	const long R = q->R, sign = P < 0 ? -1 : 1;
	long a;

	for (a = -R; a <= R; a++)
		if (!right)
			to[(E + R) * q->n + a + R] += audit_share_times(one, q->s.p[sign * a + R]);
		else if (labs(E + a) <= R && labs(P - a) <= R)
			to[(E + a + R) * q->n + P - a + R] +=
			    audit_share_times(one, q->s.p[sign * a + R]);
}

/* A half's measure from its node's, by P: one law serves for P and -P. */
static void
halve(struct windows *q, const struct audit_kind *k, const dp_uwide *m, bool right,
    dp_uwide *to)
{
	const long R = q->R, n = q->n;
	dp_uwide one;
	long P, E, i;

	for (i = 0; i < n * n; i++)
		to[i] = 0;
	audit_split_of(&q->s, k);
	for (P = 0; P <= R; P++) {
		audit_split_law(&q->s, k, P);
		for (E = -R; E <= R; E++)
			for (i = P == 0 ? 1 : -1; i <= 1; i += 2) {
				one = m[(E + R) * n + i * P + R];
				if (one > 0 && one >= q->rare)
					give(q, one, E, i * P, right, to);
			}
	}
}

static void
descend(struct windows *q, uint32_t kind, dp_uwide *m)
{
	const struct audit_kind *k;
	dp_uwide *law, *to = m + q->n * q->n;
	long E, P;

	if (kind == DP_AUDIT_STEP) {
		q->done++;
		law = q->law + q->done * q->n;
		for (E = -q->R; E <= q->R; E++)
			for (P = -q->R; P <= q->R; P++)
				if (labs(E + P) <= q->R)
					law[E + P + q->R] += m[(E + q->R) * q->n + P + q->R];
		return;
	}
	k = &q->t->kind[kind];
	halve(q, k, m, false, to);
	descend(q, k->child[0], to);
	halve(q, k, m, true, to);
	descend(q, k->child[1], to);
}

/* The noise of n whole trees and of n - 1: P(it < y) at below[n & 1][y + far], far = (n + 1) R. */
struct whole {
	dp_uwide *law, *below[2];	/* law: of n, P(it = y) */
	unsigned n;
};

static void
whole_stop(struct whole *w)
{
	free(w->law);
	free(w->below[0]);
	free(w->below[1]);
}

/* Takes the law of n trees over. */
static bool
whole_take(const struct windows *q, struct whole *w, dp_uwide *law, unsigned n)
{
	const size_t size = (size_t)(2 * (long)(n + 1) * q->R + 2);
	dp_uwide *below = law == NULL ? NULL : calloc(size, sizeof *below);
	size_t i;

	free(w->law);
	w->law = law;
	if (below == NULL)
		return false;
	for (i = 1; i < size; i++)
		below[i] = below[i - 1] + law[i - 1];
	free(w->below[n & 1]);
	w->below[n & 1] = below;
	w->n = n;
	return true;
}

static bool
whole_start(const struct windows *q, struct whole *w)
{
	dp_uwide *law = calloc((size_t)(2 * q->R + 2), sizeof *law);

	if (law != NULL)
		law[q->R] = DP_AUDIT_ALL;
	return whole_take(q, w, law, 0);
}

/* One tree more. */
static bool
whole_rise(const struct windows *q, struct whole *w)
{
	const long far = (long)(w->n + 1) * q->R, reach = (long)w->n * q->R;
	dp_uwide *next = calloc((size_t)(2 * (far + q->R) + 2), sizeof *next);
	long y, P;

	for (y = -reach; y <= reach && next != NULL; y++)
		for (P = -q->R; P <= q->R; P++)
			next[y + P + far + q->R] += audit_share_times(w->law[y + far],
			    q->root[P + q->R]);
	return whole_take(q, w, next, w->n + 1);
}

/* P(first i steps, whole trees, and the last m of another < x) */
static dp_uwide
below(const struct windows *q, const dp_uwide *trees, long far, long i, long m, long x)
{
	const long R = q->R;
	const dp_uwide *a = q->law + i * q->n, *b = q->law + m * q->n;
	dp_uwide sum = 0, one;
	long y, z, need;

	for (y = -R; y <= R; y++)
		for (z = m == 0 ? 0 : -R; z <= (m == 0 ? 0 : R); z++) {
			need = x - y - z;
			if (need < -far)
				continue;
			one = m == 0 ? a[y + R] : audit_share_times(a[y + R], b[z + R]);
			sum += audit_share_times(one, trees[need > far ? 2 * far : need + far]);
		}
	return sum;
}

/* to += p, or -= it, exactly: sums of 2^17 shares */
static void
count(mpfr_t to, dp_uwide p, bool less)
{
	mpfr_t one;

	mpfr_init2(one, DP_AUDIT_SHARE);
	audit_share_real(one, p, MPFR_RNDU);
	(less ? mpfr_sub : mpfr_add)(to, to, one, MPFR_RNDU);
	mpfr_clear(one);
}

/* The largest sum of W of them in a row: from W on they come again every L steps. */
static bool
most(struct windows *q, uint64_t W, long x, mpfr_t to)
{
	const uint64_t L = (uint64_t)1 << q->t->h, end = 2 * W + L;
	dp_uwide *p = calloc(end + 1, sizeof *p);
	struct whole trees = { .law = NULL };
	uint64_t t, i, rest;
	bool is = p != NULL && whole_start(q, &trees);
	mpfr_t sum;
	unsigned n;

	mpfr_init2(sum, DP_AUDIT_SHARE + 18);
	mpfr_set_zero(sum, 1);
	mpfr_set_zero(to, 1);
	for (t = 1; is && t <= end; t++) {
		i = (t - 1) % L + 1;
		rest = (t < W ? t : W) - i;
		n = (unsigned)(rest / L);	/* rises to the most; that and one less in turn */
		while (is && trees.n < n)
			is = whole_rise(q, &trees);
		if (!is)
			break;
		p[t] = t >= W + L ? p[t - L] : DP_AUDIT_ALL - below(q, trees.below[n & 1],
		    (long)(n + 1) * q->R, (long)i, (long)(rest % L), x);
		count(sum, p[t], false);
		if (t > W)
			count(sum, p[t - W], true);
		mpfr_max(to, to, sum, MPFR_RNDU);
	}
	mpfr_clear(sum);
	whole_stop(&trees);
	free(p);
	return is;
}

static bool
start(struct windows *q, uint64_t L, size_t levels)
{
	const size_t square = (size_t)(q->n * q->n), laws = (size_t)(L + 1) * (size_t)q->n;
	dp_uwide outside;

	q->room = calloc(levels * square + laws + (size_t)q->n, sizeof *q->room);
	if (!audit_split_start(&q->s, q->t, q->R, MPFR_RNDD) || q->room == NULL)
		return false;
	q->law = q->room + levels * square;
	q->root = q->law + laws;
	return audit_root_law(q->t, q->R, MPFR_RNDD, q->root, &outside);
}

bool
audit_passage_windows(const struct audit_tree *t, uint64_t W, uint64_t height, dp_uwide rare,
    mpfr_t f)
{
	const struct audit_kind *top = &t->kind[t->kinds - 1];
	const uint64_t L = t->h < 20 ? (uint64_t)1 << t->h : 0;
	struct windows q = { .t = t, .rare = rare };
	mpfr_t draws;
	bool is;
	unsigned i;
	long P;

	for (i = 0; i < t->kinds; i++)
		if (t->kind[i].child[0] != t->kind[i].child[1])
			return false;
	if (t->fine != 0 || t->unit != 1 || L == 0 || W < L || W > 1 << 16 || height > 1 << 12 ||
	    top->level != t->h || !(t->root.beyond < 1))
		return false;
	q.R = (long)(height + height / 2 + HIGH);
	q.R = q.R > (long)top->k.A ? q.R : (long)top->k.A;
	q.n = 2 * q.R + 1;
	if ((W + W / L * (W / L) + L * (uint64_t)q.n) * (uint64_t)(q.n * q.n) > WORK)
		return false;
	if ((is = start(&q, L, t->h + 1))) {
		for (P = -q.R; P <= q.R; P++)
			q.room[q.R * q.n + P + q.R] = q.root[P + q.R];
		q.law[q.R] = DP_AUDIT_ALL;	/* of no step */
		descend(&q, t->kinds - 1, q.room);
		is = most(&q, W, (long)height, f);
	}
	audit_split_stop(&q.s);
	free(q.room);
	/* a window's trees have fewer than 4 W nodes: e^(4 W 2^-40) is less than 1 + W 2^-37 */
	mpfr_init2(draws, 64);
	mpfr_set_ui_2exp(draws, W, -37, MPFR_RNDU);
	mpfr_add_ui(draws, draws, 1, MPFR_RNDU);
	if (is)
		mpfr_mul(f, f, draws, MPFR_RNDU);
	mpfr_clear(draws);
	return is;
}
