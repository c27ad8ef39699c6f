/* split.c - the laws that the tables of a tree draw by, as doubles. */
#include <stdlib.h>

#include "split.h"

/* v(0 .. last) of a table, or of a step's. */
static void
extend(double *v, const struct audit_table *t, double beyond, long last)
{
	long i;

	for (i = 0; i <= last; i++)
		v[i] = t == NULL ? 1 : i <= (long)t->A ? t->v[i] : v[i - 1] * beyond;
}

void
audit_split_of(struct audit_split *q, const struct audit_kind *k)
{
	const bool pair = k->child[0] == DP_AUDIT_STEP;
	unsigned side;

	for (side = 0; side < 2; side++)
		extend(q->g[side], pair ? NULL : &q->t->kind[k->child[side]].g, k->beyond[side],
		    4 * q->R);
	extend(q->k, &k->k, k->k.beyond, 4 * q->R);
}

static double
weight(const struct audit_split *q, const struct audit_kind *k, long P, long a)
{
	const long b = P - a, x = labs(a), z = labs(b);
	long y = (a < 0) != (b < 0) && a != 0 && b != 0 ? (x < z ? x : z) : 0;
	const long cap = P < (long)k->k.A ? (long)k->k.A - P : 0;

	if (k->child[0] != DP_AUDIT_STEP && y > cap)
		y = cap;
	return q->g[0][x] * q->g[1][z] * q->k[y];
}

/* The tail beyond R is summed term by term to where it is geometric, and in one from there. */
void
audit_split_law(struct audit_split *q, const struct audit_kind *k, long P)
{
	const double r = k->child[0] == DP_AUDIT_STEP ? k->k.beyond : k->beyond[0] * k->beyond[1];
	const long far = 2 * q->R + 1;
	double in = 0, out = 0, w;
	long a;

	for (a = -far; a <= far; a++) {
		w = weight(q, k, P, a);
		if (labs(a) <= q->R) {
			q->p[a + q->R] = w;
			in += w;
		} else
			out += w;
	}
	out += (weight(q, k, P, far) + weight(q, k, P, -far)) * r / (1 - r);
	for (a = 0; a <= 2 * q->R; a++)
		q->p[a] /= in + out;
	q->outside = out / (in + out);
}

double
audit_root_law(const struct audit_tree *t, long R, double *law)
{
	const double r = t->root.beyond;
	double sum, v;
	long P;

	for (v = 1, sum = 0, P = 0; P <= R; P++) {
		v = P <= (long)t->root.A ? t->root.v[P] : v * r;
		law[R + P] = law[R - P] = v;
		sum += P == 0 ? v : 2 * v;
	}
	v = 2 * v * r / (1 - r);
	for (P = 0; P <= 2 * R; P++)
		law[P] /= sum + v;
	return v / (sum + v) + DP_AUDIT_NEVER;
}
