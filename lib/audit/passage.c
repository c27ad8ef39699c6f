/* passage.c - the law of the largest noise of a tree, to one side (passage.h). */
#include <math.h>
#include <stdlib.h>

#include "passage.h"
#include "split.h"

#define RARE	1e-25
#define HIGH	24		/* heights beyond the highest that is asked for */
#define WORK	0x1p36		/* products, at most: a minute */
#define ROOM	0x1p28		/* numbers */
#define ROUNDED	1e-9

struct passage {
	const struct audit_tree *t;
	struct audit_split s;
	long R, n;			/* |P| <= R; heights 1 .. n */
	double *of[DP_AUDIT_KINDS], *step;	/* [(P + R) n + x - 1] */
	double *some[2];		/* of nodes in which the steps end */
};

/* to[x - 1] += one (left(x) + (1 - left(x)) right(x - a)), x > low; 1 where a >= x */
static void
add(double *restrict to, double one, const double *restrict left, const double *restrict right,
    long a, long low, long n)
{
	const long from = a > low ? (a < n ? a : n) : low, end = a < 0 ? (n + a > from ? n + a :
	    from) : n;
	const double last = right[n - 1];
	long i;

	for (i = low; i < from; i++)
		to[i] += one;
	for (; i < end; i++)
		to[i] += one * (left[i] + (1 - left[i]) * right[i - a]);
	for (; i < n; i++)
		to[i] += one * (left[i] + (1 - left[i]) * last);
}

/* G of a node; right NULL: the steps end in its left half; whole: its end is one of them. */
static void
combine(struct passage *q, const struct audit_kind *k, const double *left, const double *right,
    bool whole, double *to)
{
	const long R = q->R, n = q->n;
	double *out, one, missed;
	long m, P, a, x, low;
	int sign;

	audit_split_of(&q->s, k);
	for (m = 0; m <= R; m++) {
		audit_split_law(&q->s, k, m);
		for (sign = m == 0 ? 1 : -1; sign <= 1; sign += 2) {
			P = sign * m;
			out = to + (P + R) * n;
			low = !whole || P < 0 ? 0 : P < n ? P : n;
			for (x = 0; x < n; x++)
				out[x] = x < low;
			missed = q->s.outside;
			for (a = -R; a <= R && low < n; a++) {
				one = q->s.p[sign * a + R];
				if (one < RARE || (right != NULL && labs(P - a) > R))
					missed += one;
				else if (right != NULL)
					add(out, one, left + (a + R) * n, right + (P - a + R) * n,
					    a, low, n);
				else
					for (x = low; x < n; x++)
						out[x] += one * left[(a + R) * n + x];
			}
			for (x = low; x < n; x++)
				out[x] = fmin(out[x] + missed, 1);
		}
	}
}

static const double *
child(const struct passage *q, uint32_t kind)
{
	return kind == DP_AUDIT_STEP ? q->step : q->of[kind];
}

/* Of a node of that kind, whose first T steps count. */
static const double *
first(struct passage *q, uint32_t kind, uint64_t T)
{
	const struct audit_kind *k;
	const double *in;
	uint64_t half;
	double *to;

	if (kind == DP_AUDIT_STEP || T == (uint64_t)1 << q->t->kind[kind].level)
		return child(q, kind);
	k = &q->t->kind[kind];
	half = (uint64_t)1 << (k->level - 1);
	in = first(q, k->child[T > half], T > half ? T - half : T);
	to = q->some[in == q->some[0]];
	combine(q, k, T > half ? child(q, k->child[0]) : in, T > half ? in : NULL, false, to);
	return to;
}

/* The sum over s, and over the root's P, of what reaches x within the segment. */
static double
reached(const struct passage *q, const struct audit_before *b, const double *G, const double *root,
    double outside, long x)
{
	double sum = 0, at, within;
	long s, P, y;

	for (s = -b->reach; s <= b->reach; s++) {
		at = b->p == NULL ? 1 : b->p[s + b->reach];
		y = x - s < q->n ? x - s : q->n;
		for (within = outside, P = -q->R; P <= q->R && y > 0; P++)
			within += root[P + q->R] * G[(P + q->R) * q->n + y - 1];
		sum += at * (y <= 0 ? 1 : within);
	}
	return sum + b->outside;
}

/* All kinds from the steps up, then each of the heights. */
static double
run(struct passage *q, const struct audit_before *b, unsigned n, const uint64_t *steps,
    const uint64_t *height)
{
	const size_t row = (size_t)(2 * q->R + 1), size = row * (size_t)q->n;
	double *root = q->s.p + row, outside, sum = 0;
	unsigned i;
	long P, x;

	for (P = -q->R; P <= q->R; P++)
		for (x = 0; x < q->n; x++)
			q->step[(P + q->R) * q->n + x] = P > x;
	for (i = 0; i < q->t->kinds; i++) {
		if ((q->of[i] = malloc(size * sizeof(double))) == NULL)
			return -1;
		combine(q, &q->t->kind[i], child(q, q->t->kind[i].child[0]),
		    child(q, q->t->kind[i].child[1]), true, q->of[i]);
	}
	outside = audit_root_law(q->t, q->R, root);
	for (i = 0; i < n; i++)
		sum += reached(q, b, first(q, q->t->kinds - 1, steps[i]), root, outside,
		    (long)height[i]);
	return (sum + DP_AUDIT_NEVER) * (1 + ROUNDED + ldexp(1, (int)q->t->h + 2 - 39));
}

static bool
bounded(const struct audit_tree *t)
{
	return t->fine == 0 && t->unit == 1 && t->h < 40 && t->root.beyond < 1;
}

double
audit_passage(const struct audit_tree *t, const struct audit_before *b, unsigned n,
    const uint64_t *steps, const uint64_t *height)
{
	struct passage q = { .t = t, .n = 1 };
	const struct audit_kind *top = &t->kind[t->kinds - 1];
	double *room = NULL, sum = -1;
	size_t row, size;
	unsigned i;

	for (i = 0; i < n; i++) {
		if (steps[i] == 0 || t->h >= 40 || steps[i] > (uint64_t)1 << t->h ||
		    height[i] == 0 || height[i] > 1 << 20)
			return -1;
		q.n = (long)height[i] > q.n ? (long)height[i] : q.n;
	}
	q.n = (b->p == NULL ? q.n : 2 * q.n) + HIGH;
	q.R = q.n > (long)top->k.A ? q.n : (long)top->k.A;
	row = (size_t)(2 * q.R + 1);
	size = row * (size_t)q.n;
	if (!bounded(t) || top->level != t->h ||
	    (double)t->kinds * (double)row * (double)size > WORK ||
	    (double)t->kinds * (double)size > ROOM)
		return -1;
	room = malloc((3 * size + 2 * row + 3 * (4 * (size_t)q.R + 1)) * sizeof *room);
	if (room != NULL) {
		q.step = room;
		q.some[0] = room + size;
		q.some[1] = room + 2 * size;
		q.s = (struct audit_split){ .t = t, .R = q.R, .p = room + 3 * size };
		q.s.g[0] = q.s.p + 2 * row;
		q.s.g[1] = q.s.g[0] + 4 * q.R + 1;
		q.s.k = q.s.g[1] + 4 * q.R + 1;
		sum = run(&q, b, n, steps, height);
	}
	for (i = 0; i < t->kinds; i++)
		free(q.of[i]);
	free(room);
	return sum;
}

bool
audit_passage_root(const struct audit_tree *t, struct audit_before *b)
{
	/* to where a root is as rare as what is left out */
	const double r = t->root.beyond;
	const long R = (long)t->root.A + (long)fmin(ceil(log(RARE) / log(r)), 1 << 16);
	const long both = R + b->reach;
	double *law = NULL, *sum = NULL, outside = 0;
	long s, P;

	if (bounded(t) && both < 1 << 18) {
		law = malloc((size_t)(2 * R + 1) * sizeof *law);
		sum = calloc((size_t)(2 * both + 1), sizeof *sum);
	}
	if (law == NULL || sum == NULL) {
		free(law);
		free(sum);
		return false;
	}
	outside = audit_root_law(t, R, law);
	for (s = -b->reach; s <= b->reach; s++)
		for (P = -R; P <= R; P++)
			sum[s + P + both] += (b->p == NULL ? 1 : b->p[s + b->reach]) * law[P + R];
	free(law);
	free(b->p);
	*b = (struct audit_before){ sum, both, b->outside + outside };
	return true;
}
