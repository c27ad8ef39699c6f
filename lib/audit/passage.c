/* SPDX-License-Identifier: ISC */
/* passage.c - the law of the largest noise of a tree, to one side (internal.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static void audit_passage_up(mpfr_t sum, double v, double n);
static bool audit_passage_bounded(const struct audit_tree *);
static long audit_passage_reach(const struct audit_tree *, double share);

#define WORK_PASSAGE	0x1p36			/* products, at most: half a minute */
#define ROOM_PASSAGE	0x1p27			/* numbers */
#define FAR_PASSAGE	(1 << 15)		/* reach and heights, at most */

/* G of P = -R .. R, and x = from + 1 .. end, at v[(P + R) (end - from) + x - 1 - from]. */
struct grid {
	double *v;
	long from, end;
};

struct passage {
	const struct audit_tree *t;
	struct audit_split s;
	long R, n;			/* |P| <= R; heights 1 .. n */
	double rare;
	struct grid of[DP_AUDIT_KINDS];	/* owned */
	double *mass[DP_AUDIT_KINDS];	/* some node's noise is P, about: [P + R]; owned */
	struct grid some[2];		/* of nodes in which the steps end; owned */
	double *sum;			/* n of them: some room; owned */
	double *root, outside;		/* its law; owned */
};

static const struct audit_kind *
kind_of(const struct passage *q, uint32_t kind)
{
	return &q->t->kind[kind];
}

static bool
make_grid(const struct passage *q, struct grid *g, long from, long end)
{
	free(g->v);
	*g = (struct grid){ malloc((size_t)(2 * q->R + 1) * (size_t)(end - from) * sizeof(double)),
	    from, end };
	return g->v != NULL;
}

static double *
at(const struct passage *q, const struct grid *g, long P)
{
	return g->v + (P + q->R) * (g->end - g->from);
}

/* to[i - from] += one (G'(a, i + 1) + (1 - G') G"), from <= i < end; G' is 1 where a > i. */
static void
add_passage(double *restrict to, double one, const double *restrict left,
    const double *restrict right,
    long a, long from, long end, long n)
{
	const long ones = a > from ? (a < end ? a : end) : from;
	const long last = n + a < end ? (n + a > ones ? n + a : ones) : end;
	long i;

	for (i = from; i < ones; i++)
		to[i - from] += one;
	for (; i < last; i++)
		to[i - from] += one * (left[i - from] + (1 - left[i - from]) * right[i - a]);
	for (; i < end; i++)
		to[i - from] += one * (left[i - from] + (1 - left[i - from]) * right[n - 1]);
}

/* A node of steps, whose first one counts, and the second, too, if it is whole. */
static void
pair_row(const struct passage *q, long P, struct grid *to)
{
	const long sign = P < 0 ? -1 : 1;
	double above = q->s.outside, *out = at(q, to, P);
	long a, x;

	for (a = q->R; a > to->end; a--)
		above += q->s.p[sign * a + q->R];
	for (x = to->end; x > to->from; x--) {
		above += x <= q->R ? q->s.p[sign * x + q->R] : 0;
		out[x - 1 - to->from] = above;
	}
}

/* Both halves; right NULL: the steps end in the left one.  Heights up to P are reached. */
static void
row_passage(struct passage *q, const struct grid *left, const struct grid *right, long P,
    double mass,
    struct grid *to)
{
	const long R = q->R, sign = P < 0 ? -1 : 1, width = to->end - to->from;
	double missed = q->s.outside, one, *out = at(q, to, P);
	long a, x;

	for (x = 0; x < width; x++)
		q->sum[x] = 0;
	for (a = -R; a <= R; a++) {
		one = q->s.p[sign * a + R];
		if (mass * one <= q->rare || (right != NULL && labs(P - a) > R))
			missed += one;
		else if (right != NULL)
			add_passage(q->sum, one, at(q, left, a) + to->from - left->from,
			    at(q, right, P - a), a, to->from, to->end, q->n);
		else
			for (x = 0; x < width; x++)
				q->sum[x] += one * at(q, left, a)[x + to->from - left->from];
	}
	for (x = 0; x < width; x++)
		out[x] = q->sum[x] + missed;
}

static void
row_of(struct passage *q, const struct audit_kind *k, const struct grid *left,
    const struct grid *right, bool whole, long P, double mass, struct grid *to)
{
	double *out = at(q, to, P);
	long x;

	if (!(mass > q->rare))		/* reached */
		for (x = to->from; x < to->end; x++)
			out[x - to->from] = 1;
	else if (k->child[0] == DP_AUDIT_STEP)
		pair_row(q, P, to);
	else
		row_passage(q, left, right, P, mass, to);
	for (x = to->from; x < to->end; x++)
		if (!(out[x - to->from] < 1) || (whole && x < P))
			out[x - to->from] = 1;
}

/* G of a node; whole: its end is one of the steps. */
static void
combine_passage(struct passage *q, uint32_t kind, const struct grid *left, const struct grid *right,
    bool whole, struct grid *to)
{
	const struct audit_kind *k = kind_of(q, kind);
	const double *mass = q->mass[kind] + q->R;
	long P;

	audit_split_of(&q->s, k);
	for (P = 0; P <= q->R; P++) {
		audit_split_law(&q->s, k, P);
		row_of(q, k, left, right, whole, P, mass[P], to);
		if (P > 0)
			row_of(q, k, left, right, whole, -P, mass[-P], to);
	}
}

/* Of a node of that kind, whose first T steps count; NULL: no memory. */
static const struct grid *
first_passage(struct passage *q, uint32_t kind, uint64_t T, long from, long end)
{
	const struct audit_kind *k = kind_of(q, kind);
	const uint64_t all = (uint64_t)1 << k->level, half = all / 2;
	const bool right = T > half && k->child[0] != DP_AUDIT_STEP;
	const struct grid *in = NULL, *left = NULL;
	struct grid *to;

	if (T == all && q->of[kind].v != NULL)
		return &q->of[kind];
	if (k->child[0] != DP_AUDIT_STEP) {
		in = right ? first_passage(q, k->child[1], T - half, 0, q->n) :
		    first_passage(q, k->child[0], T, from, end);
		left = right ? &q->of[k->child[0]] : in;
		if (in == NULL)
			return NULL;
	}
	to = &q->some[in == &q->some[0]];
	if (!make_grid(q, to, from, end))
		return NULL;
	combine_passage(q, kind, left, right ? in : NULL, T == all, to);
	return to;
}

/* Adds to the masses of its halves. */
static void
give_mass(struct passage *q, uint32_t kind)
{
	const struct audit_kind *k = kind_of(q, kind);
	const long R = q->R;
	double one, *sums[2] = { q->sum, q->sum + 2 * R + 1 };
	unsigned side;
	long P, a, sign;

	for (a = 0; a < 4 * R + 2; a++)
		q->sum[a] = 0;
	audit_split_of(&q->s, k);
	for (P = 0; P <= R; P++) {
		audit_split_law(&q->s, k, P);
		for (sign = P == 0 ? 1 : -1; sign <= 1; sign += 2)
			for (a = -R; a <= R; a++) {
				one = q->mass[kind][sign * P + R] * q->s.p[a + R];
				sums[0][sign * a + R] += one;
				if (labs(P - a) <= R)
					sums[1][sign * (P - a) + R] += one;
			}
	}
	for (side = 0; side < 2; side++)
		for (a = 0; a <= 2 * R; a++)
			q->mass[k->child[side]][a] = fmax(q->mass[k->child[side]][a],
			    sums[side][a]);
}

/* within[y]: the tree alone reaches y = from + 1 .. end. */
static void
alone(const struct passage *q, const struct grid *G, long from, long end, double *within)
{
	long P, y;

	for (y = from; y < end; y++)
		within[y - from] = q->outside;
	for (P = -q->R; P <= q->R; P++)
		for (y = from; y < end; y++)
			within[y - from] += q->root[P + q->R] * at(q, G, P)[y - G->from];
}

/* The probability of x within the segment: sums over s and the root's P; below 0: no memory. */
static double
reached(struct passage *q, const struct audit_before *b, uint64_t steps, long x)
{
	const long from = b->p == NULL ? x - 1 : 0, end = b->p == NULL ? x : q->n;
	const struct grid *G = first_passage(q, q->t->kinds - 1, steps, from, end);
	double sum = ldexp((double)b->outside, -DP_AUDIT_SHARE), one;
	long s, y;

	if (G == NULL)
		return -1;
	alone(q, G, from, end, q->sum);
	if (b->p == NULL)
		return q->sum[0] < 1 ? q->sum[0] : 1;
	for (s = -b->reach; s <= b->reach; s++) {
		y = x - s < q->n ? x - s : q->n;
		one = y <= 0 || !(q->sum[y - 1] < 1) ? 1 : q->sum[y - 1];
		sum += ldexp((double)b->p[s + b->reach], -DP_AUDIT_SHARE) * one;
	}
	return sum;
}

/* All kinds from the steps up but the root's, then each of the heights; below 0: no memory. */
static double
run(struct passage *q, const struct audit_before *b, unsigned n, const uint64_t *steps,
    const uint64_t *height)
{
	const unsigned last = q->t->kinds - 1;
	double sum = 0, one;
	unsigned i;

	for (i = 0; i <= last; i++)
		if ((q->mass[i] = calloc((size_t)(2 * q->R + 1), sizeof(double))) == NULL)
			return -1;
	memcpy(q->mass[last], q->root, (size_t)(2 * q->R + 1) * sizeof(double));
	for (i = last + 1; i-- > 0;)
		if (kind_of(q, i)->child[0] != DP_AUDIT_STEP)
			give_mass(q, i);
	for (i = 0; i < last; i++) {
		if (!make_grid(q, &q->of[i], 0, q->n))
			return -1;
		combine_passage(q, i, &q->of[kind_of(q, i)->child[0] % DP_AUDIT_KINDS],
		    &q->of[kind_of(q, i)->child[1] % DP_AUDIT_KINDS], true, &q->of[i]);
	}
	for (i = 0; i < n; i++) {
		if ((one = reached(q, b, steps[i], (long)height[i])) < 0)
			return -1;
		sum += one;
	}
	return sum;
}

/* Right halves may be shorter than left ones. */
static uint64_t
steps_of(const struct audit_tree *t)
{
	uint32_t i = t->kinds - 1;
	uint64_t steps = 1;

	for (; i != DP_AUDIT_STEP; i = t->kind[i].child[1])
		steps += (uint64_t)1 << (t->kind[i].level - 1);
	return steps;
}

/* Reach, heights, and whether that is not too much. */
static bool
measure_passage(struct passage *q, const struct audit_before *b, unsigned n, const uint64_t *steps,
    const uint64_t *height, double share)
{
	double work, size;
	unsigned i;

	if (!audit_passage_bounded(q->t) || (q->R = audit_passage_reach(q->t, share)) == 0)
		return false;
	for (i = 0; i < n; i++) {
		if (steps[i] == 0 || steps[i] > steps_of(q->t) || height[i] == 0 ||
		    height[i] > FAR_PASSAGE)
			return false;
		q->n = (long)height[i] > q->n ? (long)height[i] : q->n;
	}
	/* half of the way that is left both down and up again; all of it, where roots are before */
	if (q->R > q->n)
		q->n += b->p == NULL ? (q->R - q->n + 1) / 2 : q->R - q->n;
	size = (2. * (double)q->R + 1) * (double)q->n;
	work = 2. * (double)q->R * (double)q->R * (double)q->n;
	/* the kinds below the root's, two nodes in which the steps end, and after roots its own */
	return (q->t->kinds - (b->p == NULL)) * work <= WORK_PASSAGE &&
	    (q->t->kinds + (q->t->h > 1 || b->p != NULL)) * size <= ROOM_PASSAGE;
}

bool
audit_passage(const struct audit_tree *t, const struct audit_before *b, unsigned n,
    const uint64_t *steps, const uint64_t *height, double share, double rare, mpfr_t sum)
{
	struct passage q = { .t = t, .rare = rare };
	dp_uwide *law = NULL, outside;
	double f = -1;
	long i;

	if (!measure_passage(&q, b, n, steps, height, share))
		return false;
	law = malloc((size_t)(2 * q.R + 1) * sizeof *law);
	q.root = malloc((size_t)(2 * q.R + 1) * sizeof *q.root);
	q.sum = malloc((size_t)(4 * q.R + 2 + q.n) * sizeof *q.sum);
	if (audit_split_start(&q.s, t, q.R) && law != NULL && q.root != NULL && q.sum != NULL &&
	    audit_root_law(t, q.R, MPFR_RNDU, law, &outside)) {
		for (i = 0; i <= 2 * q.R; i++)
			q.root[i] = ldexp((double)law[i], -DP_AUDIT_SHARE);
		q.outside = ldexp((double)outside, -DP_AUDIT_SHARE);
		f = run(&q, b, n, steps, height);
	}
	/*
	 * A level: p, 2 (2 R + 1) additions, and 4 for a term; then the sums over P, s and heights.
	 * n draws: e^(n 2^-40) is less than 1 + n 2^-39, so 2^14 n factors.
	 */
	if (f >= 0)
		audit_passage_up(sum, f, (t->h + 1) * (double)(DP_AUDIT_OFF(q.R) + 4 * q.R + 8) +
		    2. * (double)b->reach + n + 8 +
		    0x1p14 * (ldexp(1, (int)t->h) + b->trees));
	for (i = 0; i < (long)t->kinds; i++) {
		free(q.of[i].v);
		free(q.mass[i]);
	}
	free(q.some[0].v);
	free(q.some[1].v);
	audit_split_stop(&q.s);
	free(q.root);
	free(q.sum);
	free(law);
	return f >= 0;
}

/* How far the noise of a whole tree goes, and its law (internal.h). */

#define FAR	(1 << 15)		/* reach, at most */

/* sum = v, where that is off by n factors 1 +- 2^-53, with room for those, rounded up. */
static void
audit_passage_up(mpfr_t sum, double v, double n)
{
	mpfr_t f;

	/* (1 - u)^-n <= 1 + 2 n u, where n u <= 1/2 */
	mpfr_init2(f, DP_AUDIT_SHARE);
	mpfr_set_d(f, n < 0x1p52 ? n : HUGE_VAL, MPFR_RNDU);
	mpfr_div_2ui(f, f, 52, MPFR_RNDU);
	mpfr_add_ui(f, f, 1, MPFR_RNDU);
	mpfr_set_d(sum, v, MPFR_RNDU);
	mpfr_mul(sum, sum, f, MPFR_RNDU);
	mpfr_clear(f);
}

/* Of whole numbers, its left halves one level below each node. */
static bool
audit_passage_bounded(const struct audit_tree *t)
{
	unsigned i;

	for (i = 0; i < t->kinds; i++)
		if (t->kind[i].child[0] != DP_AUDIT_STEP &&
		    t->kind[t->kind[i].child[0]].level + 1 != t->kind[i].level)
			return false;
	return t->fine == 0 && t->unit == 1 && t->h < 39 && t->root.beyond < 1 &&
	    t->kind[t->kinds - 1].level == t->h;
}

/* R: the root is farther than R with a probability of `share' or less; at least its A; 0: none. */
static long
audit_passage_reach(const struct audit_tree *t, double share)
{
	const double r = t->root.beyond;
	double one = t->root.v[t->root.A] * 2 * r / (1 - r), sum = -t->root.v[0];
	unsigned i;
	long n;

	for (i = 0; i <= t->root.A; i++)
		sum += 2 * t->root.v[i];
	if (!(share > 0x1p-200) || !(one <= 0x1p200))
		return 0;
	for (n = (long)t->root.A; n < FAR && one > share * (sum + one); n++)
		one *= r;
	return n < FAR ? n : 0;
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
	const long R = audit_passage_bounded(t) ? far_enough(t) : 0, both = R + b->reach;
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

/*
 * How often the noise of windows over a row of trees may be at a height (internal.h).
 *
 * The noise of a window that ends with the first i steps of a tree is that of these, of whole
 * trees before it, and of the last m steps of one more, independent of each other; where both
 * halves of each node have one kind the last m steps are as the first, reversed.  The law of the
 * first i: from the root down, m(E, P) the measure of noise E before a node and P its own; its
 * left half has m(E, a) = sum over P of m(E, P) p(a | P), its right half, with S = E + P, which
 * stays, m(S - b, b) = sum over P of m(S - P, P) p(P - b | P).  All is even, so rows E >= 0, and S
 * >= 0, do.
 *
 * All terms are positive; a measure that is left out is added to what is lost, and counts as
 * reached.  Doubles are off by few factors 1 +- 2^-53 (internal.h), which are made good at the end.
 */

#define WORK	0x1p37
#define ROOM	0x1p27
#define DEPTHS	24			/* p above_window 2^-4j lie between low[j] and high[j] */

struct windows {
	const struct audit_tree *t;
	struct audit_split s;
	long R, n;			/* n: 2 R + 1 */
	double rare, lost;
	double *room;			/* owned: two measures for each level, and all below */
	double *law;			/* [i n + y + R]: of the first i steps */
	double *root;
	double *before, *after;		/* n + 1: sums of p(a | P) before a, and from a on */
	long low[DEPTHS], high[DEPTHS];
	long done;
};

static double *
row_window(const struct windows *q, double *m, long r)
{
	return m + (r + q->R) * q->n + q->R;
}

/* Between which a p(a | P) is above 2^-4j, and its sums. */
static void
range(struct windows *q)
{
	const long R = q->R;
	double least = 1;
	long a, low, high;
	int j;

	q->before[0] = q->after[2 * R + 1] = 0;
	for (a = -R; a <= R; a++) {
		q->before[a + R + 1] = q->before[a + R] + q->s.p[a + R];
		q->after[R - a] = q->after[R - a + 1] + q->s.p[R - a];
	}
	for (j = 0; j < DEPTHS; j++, least /= 16) {
		for (low = -R; low <= R && q->s.p[low + R] <= least; low++)
			;
		for (high = R; high > low && q->s.p[high + R] <= least; high--)
			;
		q->low[j] = low;
		q->high[j] = low > R ? R : high;
	}
}

/*
 * Adds what one = m(E, P), P >= 0, gives to a = low .. high of the left half, or of the right one;
 * row: of E, or of S.  sign: of P, as all is even.
 */
static void
give(struct windows *q, double one, long P, long sign, bool right, double *to)
{
	const long R = q->R;
	const double *p = q->s.p + R;
	long a, low, high;
	int j = 0;

	if (one <= q->rare) {
		q->lost += one;
		return;
	}
	while (j < DEPTHS - 1 && one * ldexp(1, -4 * j) > q->rare)
		j++;
	low = q->low[j];
	high = q->high[j];
	if (right && low < P - R)
		low = P - R;
	if (low > high) {
		q->lost += one;
		return;
	}
	q->lost += one * (q->s.outside + q->before[low + R] + q->after[high + R + 1]);
	if (right)
		for (a = low; a <= high; a++)
			to[sign * (P - a)] += one * p[a];
	else if (sign > 0)
		for (a = low; a <= high; a++)
			to[a] += one * p[a];
	else
		for (a = low; a <= high; a++)
			to[-a] += one * p[a];
}

/* A half's measure from its node's: rows E, or S for the right one, whose E are in `from', too. */
static void
halve_window(struct windows *q, const struct audit_kind *k, double *from, bool right, double *to)
{
	const long R = q->R;
	long P, r, a, sign;

	for (r = 0; r < q->n * q->n; r++)
		to[r] = 0;
	audit_split_of(&q->s, k);
	for (P = 0; P <= R; P++) {
		audit_split_law(&q->s, k, P);
		range(q);
		for (r = 0; r <= R; r++)
			for (sign = P == 0 ? 1 : -1; sign <= 1; sign += 2)
				if (row_window(q, from, r)[sign * P] > 0)
					give(q, row_window(q, from, r)[sign * P], P, sign, right,
					    row_window(q, to, r));
	}
	for (r = 1; r <= R; r++)
		for (a = -R; a <= R; a++)
			row_window(q, to, -r)[-a] = row_window(q, to, r)[a];
}

/* Rows E become rows E + P, or for sign -1 rows S become S - P; beyond R they are lost. */
static void
shear(struct windows *q, long sign, double *from, double *to)
{
	const long R = q->R;
	long r, P;

	for (r = 0; r < q->n * q->n; r++)
		to[r] = 0;
	for (r = -R; r <= R; r++)
		for (P = -R; P <= R; P++)
			if (labs(r + sign * P) <= R)
				row_window(q, to, r + sign * P)[P] = row_window(q, from, r)[P];
			else
				q->lost += row_window(q, from, r)[P];
}

static void
descend(struct windows *q, uint32_t kind, double *m)
{
	double *room = m + q->n * q->n, *to = room + q->n * q->n, *law;
	const struct audit_kind *k;
	long E, P;

	if (kind == DP_AUDIT_STEP) {
		q->done++;
		law = q->law + q->done * q->n + q->R;
		for (E = -q->R; E <= q->R; E++)
			for (P = -q->R; P <= q->R; P++)
				if (labs(E + P) <= q->R)
					law[E + P] += row_window(q, m, E)[P];
				else
					q->lost += row_window(q, m, E)[P];
		return;
	}
	k = &q->t->kind[kind];
	halve_window(q, k, m, false, to);
	descend(q, k->child[0], to);
	shear(q, 1, m, room);
	halve_window(q, k, room, true, m);
	shear(q, -1, m, to);
	descend(q, k->child[1], to);
}

/*
 * The noise of n whole trees and of n - 1: P(it >= y) at above[n & 1][y + far], far = (n + 1) R, of
 * what is not lost.
 */
struct whole {
	double *law, *above[2];		/* law: of n, P(it = y); owned */
	unsigned n;
};

static void
whole_stop(struct whole *w)
{
	free(w->law);
	free(w->above[0]);
	free(w->above[1]);
}

/* Takes the law of n trees over. */
static bool
whole_take(const struct windows *q, struct whole *w, double *law, unsigned n)
{
	const size_t size = (size_t)(2 * (long)(n + 1) * q->R + 2);
	double *above = law == NULL ? NULL : calloc(size, sizeof *above);
	size_t i;

	free(w->law);
	w->law = law;
	if (above == NULL)
		return false;
	for (i = size - 1; i-- > 0;)
		above[i] = above[i + 1] + law[i];
	free(w->above[n & 1]);
	w->above[n & 1] = above;
	w->n = n;
	return true;
}

static bool
whole_start(const struct windows *q, struct whole *w)
{
	double *law = calloc((size_t)(2 * q->R + 2), sizeof *law);

	if (law != NULL)
		law[q->R] = 1;
	return whole_take(q, w, law, 0);
}

/* One tree more. */
static bool
whole_rise(const struct windows *q, struct whole *w)
{
	const long far = (long)(w->n + 1) * q->R, reach = (long)w->n * q->R;
	double *next = calloc((size_t)(2 * (far + q->R) + 2), sizeof *next);
	long y, P;

	for (y = -reach; y <= reach && next != NULL; y++)
		for (P = -q->R; P <= q->R; P++)
			next[y + P + far + q->R] += w->law[y + far] * q->root[P + q->R];
	return whole_take(q, w, next, w->n + 1);
}

/* P(first i steps, n whole trees, and the last m of another >= x), with what they have lost. */
static double
above_window(const struct windows *q, const double *trees, unsigned n, long i, long m, long x)
{
	const long R = q->R, far = (long)(n + 1) * R;
	const double *a = q->law + i * q->n, *b = q->law + m * q->n;
	double sum = (n + 2) * q->lost, one;
	long y, z, need;

	for (y = -R; y <= R; y++)
		for (one = 0, z = m == 0 ? 0 : -R; z <= (m == 0 ? 0 : R); z++) {
			need = x - y - z;
			if (need <= far)
				one += (m == 0 ? 1 : b[z + R]) *
				    trees[need < -far ? 0 : need + far];
			if (z == (m == 0 ? 0 : R))
				sum += a[y + R] * one;
		}
	return sum < 1 ? sum : 1;
}

/* The largest sum of W of them in a row: from W on they come again every L steps. */
static double
most(const struct windows *q, uint64_t W, long x)
{
	const uint64_t L = (uint64_t)1 << q->t->h, end = 2 * W + L;
	double *p = calloc(end + 1, sizeof *p), sum, largest = 0;
	struct whole trees = { .law = NULL };
	uint64_t t, i, rest;
	bool is = p != NULL && whole_start(q, &trees);
	unsigned n;

	for (t = 1; is && t <= end; t++) {
		i = (t - 1) % L + 1;
		rest = (t < W ? t : W) - i;
		n = (unsigned)(rest / L);	/* rises to the most; that and one less in turn */
		while (is && trees.n < n)
			is = whole_rise(q, &trees);
		if (is)
			p[t] = t >= W + L ? p[t - L] : above_window(q, trees.above[n & 1], n,
			    (long)i,
			    (long)(rest % L), x);
	}
	/* from each t on, anew, and up to L of them: nothing is taken away again */
	for (t = 1; is && t <= W + L; t++) {
		for (sum = 0, i = t; i < t + W && i <= end; i++)
			sum += p[i];
		largest = fmax(largest, sum);
	}
	whole_stop(&trees);
	free(p);
	return is ? largest : -1;
}

static bool
start_window(struct windows *q, uint64_t L, size_t levels)
{
	const size_t square = (size_t)(q->n * q->n), laws = (size_t)(L + 1) * (size_t)q->n;
	dp_uwide *law = malloc((size_t)q->n * sizeof *law), outside;
	bool is;
	long i;

	q->room = calloc(2 * levels * square + laws + 3 * (size_t)q->n + 2, sizeof *q->room);
	is = audit_split_start(&q->s, q->t, q->R) && q->room != NULL && law != NULL &&
	    audit_root_law(q->t, q->R, MPFR_RNDU, law, &outside);
	if (is) {
		q->law = q->room + 2 * levels * square;
		q->root = q->law + laws;
		q->before = q->root + q->n;
		q->after = q->before + q->n + 1;
		for (i = 0; i < q->n; i++)
			q->root[i] = ldexp((double)law[i], -DP_AUDIT_SHARE);
		q->lost = ldexp((double)outside, -DP_AUDIT_SHARE);
	}
	free(law);
	return is;
}

/* Nodes that have something before them, each with a cube of numbers; the others, and windows. */
static bool
afforded(const struct windows *q, uint64_t W, uint64_t L)
{
	const double n = (double)q->n, whole = (double)(W / L);

	return n * n * (n / 8 * (double)(L - q->t->h - 1) + 4 * (double)L +
	    whole * whole) <= WORK &&
	    n * (2 * (q->t->h + 1) * n + (double)L + whole) <= ROOM;
}

bool
audit_passage_windows(const struct audit_tree *t, uint64_t W, uint64_t height, double share,
    double rare, mpfr_t f)
{
	const uint64_t L = t->h < 20 ? (uint64_t)1 << t->h : 0;
	struct windows q = { .t = t, .rare = rare };
	double sum = -1, whole;
	unsigned i;
	long P;

	for (i = 0; i < t->kinds; i++)
		if (t->kind[i].child[0] != t->kind[i].child[1])
			return false;
	if (!audit_passage_bounded(t) || L == 0 || W < L || W > 1 << 16 || height > 1 << 15 ||
	    (q.R = audit_passage_reach(t, share)) == 0)
		return false;
	q.n = 2 * q.R + 1;
	if (!afforded(&q, W, L))
		return false;
	if (start_window(&q, L, t->h + 1)) {
		for (P = -q.R; P <= q.R; P++)
			row_window(&q, q.room, 0)[P] = q.root[P + q.R];
		q.law[q.R] = 1;			/* of no step */
		descend(&q, t->kinds - 1, q.room);
		q.lost *= 2;	/* a sum of fewer than 4 n^2 numbers for each step: 2^49 in all */
		sum = most(&q, W, (long)height);
	}
	audit_split_stop(&q.s);
	free(q.room);
	/*
	 * A level: p, and sums of n.  Whole trees: sums of n each; two sums more, and one of W.  A
	 * window's trees have fewer than 4 W nodes: e^(4 W 2^-40) is less than 1 + W 2^-37, so
	 * 2^16 W factors.
	 */
	whole = (double)(W / L) + 1;
	if (sum >= 0)
		audit_passage_up(f, sum, (t->h + 1) * (double)(DP_AUDIT_OFF(q.R) + 2 * q.n + 8) +
		    whole * whole * (double)q.n + 8 * (double)q.n + 0x1p17 * (double)W);
	return sum >= 0;
}
