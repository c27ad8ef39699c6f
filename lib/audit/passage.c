/* passage.c - the law of the largest noise of a tree, to one side (passage.h). */
#include <stdlib.h>

#include "passage.h"
#include "split.h"

#define HIGH	24		/* heights beyond the highest that is asked for */
#define WORK	((uint64_t)1 << 35)	/* products, at most: a minute */
#define ROOM	((uint64_t)1 << 28)	/* numbers */
#define ALL	((uint64_t)1 << 63)	/* a G of 1 */

struct passage {
	const struct audit_tree *t;
	struct audit_split s;
	long R, n;			/* |P| <= R; heights 1 .. n */
	dp_uwide rare;
	uint64_t *of[DP_AUDIT_KINDS], *step;	/* G, [(P + R) n + x - 1] */
	uint64_t *some[2];		/* of nodes in which the steps end */
	dp_uwide *sum;			/* n of them: some room */
	dp_uwide *root, outside;	/* its law */
};

/* p = m 2^-s, in units of 2^-63, up: m has 63 bits, or p is 1. */
static uint64_t
normal(dp_uwide p, unsigned *s)
{
	for (*s = 0; p >> 125 == 0; p <<= 1)
		++*s;
	return (uint64_t)((p + ALL - 1) >> 63);
}

/* to[x - 1] += p (G' + G" - G' G"), x > low, p > 0; G' is 1 where a >= x. */
static void
add(dp_uwide *restrict to, dp_uwide p, const uint64_t *restrict left,
    const uint64_t *restrict right, long a, long low, long n)
{
	const long from = a > low ? (a < n ? a : n) : low;
	const long end = a >= 0 ? n : n + a > from ? n + a : from;
	const uint64_t last = right[n - 1];
	unsigned s;
	const uint64_t m = normal(p, &s);
	uint64_t g;
	long i;

	for (i = low; i < from; i++)
		to[i] += p;
	for (; i < end; i++) {
		g = left[i] + (right[i - a] - (uint64_t)((dp_uwide)left[i] * right[i - a] >> 63));
		to[i] += ((dp_uwide)m * g >> s) + 1;
	}
	for (; i < n; i++) {
		g = left[i] + (last - (uint64_t)((dp_uwide)left[i] * last >> 63));
		to[i] += ((dp_uwide)m * g >> s) + 1;
	}
}

/* Part of the left half, where the steps end in it. */
static void
add_left(dp_uwide *restrict to, dp_uwide p, const uint64_t *restrict left, long n)
{
	long i;

	for (i = 0; i < n; i++)
		to[i] += audit_share_part(p, left[i]);
}

/* One row: P = sign m. */
static void
row(struct passage *q, const uint64_t *left, const uint64_t *right, long P, long low,
    uint64_t *to)
{
	const long R = q->R, n = q->n, sign = P < 0 ? -1 : 1;
	dp_uwide missed = q->s.outside, one;
	long a, x;

	for (x = 0; x < n; x++)
		q->sum[x] = 0;
	for (a = -R; a <= R && low < n; a++) {
		one = q->s.p[sign * a + R];
		if (one <= q->rare || (right != NULL && labs(P - a) > R))
			missed += one;
		else if (right != NULL)
			add(q->sum, one, left + (a + R) * n, right + (P - a + R) * n, a, low, n);
		else
			add_left(q->sum, one, left + (a + R) * n, n);
	}
	for (x = 0; x < n; x++) {
		one = q->sum[x] + missed + ALL - 1;
		to[x] = x < low || one >> 63 > ALL ? ALL : (uint64_t)(one >> 63);
	}
}

/* G of a node; right NULL: the steps end in its left half; whole: its end is one of them. */
static void
combine(struct passage *q, const struct audit_kind *k, const uint64_t *left,
    const uint64_t *right, bool whole, uint64_t *to)
{
	const long R = q->R, n = q->n;
	long P;

	audit_split_of(&q->s, k);
	for (P = 0; P <= R; P++) {
		audit_split_law(&q->s, k, P);
		row(q, left, right, P, !whole ? 0 : P < n ? P : n, to + (P + R) * n);
		if (P > 0)
			row(q, left, right, -P, 0, to + (R - P) * n);
	}
}

static const uint64_t *
child(const struct passage *q, uint32_t kind)
{
	return kind == DP_AUDIT_STEP ? q->step : q->of[kind];
}

/* Of a node of that kind, whose first T steps count. */
static const uint64_t *
first(struct passage *q, uint32_t kind, uint64_t T)
{
	const struct audit_kind *k;
	const uint64_t *in;
	uint64_t half, *to;

	if (kind == DP_AUDIT_STEP || T == (uint64_t)1 << q->t->kind[kind].level)
		return child(q, kind);
	k = &q->t->kind[kind];
	half = (uint64_t)1 << (k->level - 1);
	in = first(q, k->child[T > half], T > half ? T - half : T);
	to = q->some[in == q->some[0]];
	combine(q, k, T > half ? child(q, k->child[0]) : in, T > half ? in : NULL, false, to);
	return to;
}

/* to += what reaches x within the segment: the sum over s, and over the root's P. */
static void
add_reached(const struct passage *q, const struct audit_before *b, const uint64_t *G, long x,
    mpfr_t to)
{
	dp_uwide sum = b->outside, within;
	mpfr_t one;
	long s, P, y;

	for (s = -b->reach; s <= b->reach; s++) {
		y = x - s < q->n ? x - s : q->n;
		for (within = q->outside, P = -q->R; P <= q->R && y > 0; P++)
			within += audit_share_part(q->root[P + q->R],
			    G[(P + q->R) * q->n + y - 1]);
		if (y <= 0 || within > DP_AUDIT_ALL)
			within = DP_AUDIT_ALL;
		sum += b->p == NULL ? within : audit_share_times_up(b->p[s + b->reach], within);
	}
	mpfr_init2(one, DP_AUDIT_SHARE + 1);
	audit_share_real(one, sum, MPFR_RNDU);
	mpfr_add(to, to, one, MPFR_RNDU);
	mpfr_clear(one);
}

/* All kinds from the steps up, then each of the heights. */
static bool
run(struct passage *q, const struct audit_before *b, unsigned n, const uint64_t *steps,
    const uint64_t *height, mpfr_t sum)
{
	const size_t size = (size_t)(2 * q->R + 1) * (size_t)q->n;
	unsigned i;
	mpfr_t draws;
	long P, x;

	for (P = -q->R; P <= q->R; P++)
		for (x = 0; x < q->n; x++)
			q->step[(P + q->R) * q->n + x] = P > x ? ALL : 0;
	for (i = 0; i < q->t->kinds; i++) {
		if ((q->of[i] = malloc(size * sizeof(uint64_t))) == NULL)
			return false;
		combine(q, &q->t->kind[i], child(q, q->t->kind[i].child[0]),
		    child(q, q->t->kind[i].child[1]), true, q->of[i]);
	}
	if (!audit_root_law(q->t, q->R, MPFR_RNDU, q->root, &q->outside))
		return false;
	mpfr_set_zero(sum, 1);
	for (i = 0; i < n; i++)
		add_reached(q, b, first(q, q->t->kinds - 1, steps[i]), (long)height[i], sum);
	/* n draws: e^(n 2^-40) is less than 1 + n 2^-39 */
	mpfr_init2(draws, DP_AUDIT_SHARE);
	mpfr_set_ui(draws, ((uint64_t)1 << q->t->h) + b->trees, MPFR_RNDU);
	mpfr_div_2ui(draws, draws, 39, MPFR_RNDU);
	mpfr_add_ui(draws, draws, 1, MPFR_RNDU);
	mpfr_mul(sum, sum, draws, MPFR_RNDU);
	mpfr_clear(draws);
	return true;
}

static bool
bounded(const struct audit_tree *t)
{
	return t->fine == 0 && t->unit == 1 && t->h < 39 && t->root.beyond < 1;
}

bool
audit_passage(const struct audit_tree *t, const struct audit_before *b, unsigned n,
    const uint64_t *steps, const uint64_t *height, dp_uwide rare, mpfr_t sum)
{
	struct passage q = { .t = t, .n = 1, .rare = rare };
	const struct audit_kind *top = &t->kind[t->kinds - 1];
	uint64_t *room = NULL;
	bool is = false;
	size_t row, size;
	unsigned i;

	for (i = 0; i < n; i++) {
		if (steps[i] == 0 || t->h >= 40 || steps[i] > (uint64_t)1 << t->h ||
		    height[i] == 0 || height[i] > 1 << 12)
			return false;
		q.n = (long)height[i] > q.n ? (long)height[i] : q.n;
	}
	q.n = (b->p == NULL ? q.n : 2 * q.n) + HIGH;
	q.R = q.n > (long)top->k.A ? q.n : (long)top->k.A;
	row = (size_t)(2 * q.R + 1);
	size = row * (size_t)q.n;
	if (!bounded(t) || top->level != t->h || t->kinds * row * size > WORK ||
	    t->kinds * size > ROOM)
		return false;
	room = malloc(3 * size * sizeof *room);
	q.root = malloc((row + (size_t)q.n) * sizeof *q.root);
	if (audit_split_start(&q.s, t, q.R, MPFR_RNDU) && room != NULL && q.root != NULL) {
		q.step = room;
		q.some[0] = room + size;
		q.some[1] = room + 2 * size;
		q.sum = q.root + row;
		is = run(&q, b, n, steps, height, sum);
	}
	for (i = 0; i < t->kinds; i++)
		free(q.of[i]);
	audit_split_stop(&q.s);
	free(q.root);
	free(room);
	return is;
}

/* To where a root is rarer than 2^-83, or nearly; at most 2^16 further than its table. */
static long
far_enough(const struct audit_tree *t)
{
	mpfr_t r;
	long n = 0;

	mpfr_init2(r, DP_AUDIT_WEIGHT);
	mpfr_set_ui(r, 1, MPFR_RNDN);
	for (; n < 1 << 16 && audit_share(r, MPFR_RNDU) > DP_AUDIT_ALL >> 83; n++)
		mpfr_mul_d(r, r, t->root.beyond, MPFR_RNDU);
	mpfr_clear(r);
	return (long)t->root.A + n;
}

bool
audit_passage_root(const struct audit_tree *t, struct audit_before *b)
{
	const long R = bounded(t) ? far_enough(t) : 0, both = R + b->reach;
	dp_uwide *law = NULL, *sum = NULL, outside = 0;
	long s, P;

	if (R > 0 && both < 1 << 18) {
		law = malloc((size_t)(2 * R + 1) * sizeof *law);
		sum = calloc((size_t)(2 * both + 1), sizeof *sum);
	}
	if (law == NULL || sum == NULL || !audit_root_law(t, R, MPFR_RNDU, law, &outside)) {
		free(law);
		free(sum);
		return false;
	}
	for (s = -b->reach; s <= b->reach; s++)
		for (P = -R; P <= R; P++)
			sum[s + P + both] += b->p == NULL ? law[P + R] :
			    audit_share_times_up(b->p[s + b->reach], law[P + R]);
	free(law);
	free(b->p);
	*b = (struct audit_before){ sum, b->outside + outside, both, b->trees + 1 };
	return true;
}
