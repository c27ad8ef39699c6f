/*
 * node.c - what is known of a node on the way down (node.h).
 */
#include <stdlib.h>

#include "child.h"
#include "node.h"

#define RARE	1e-15	/* noise that is left out */
#define FAR	DP_NORMTREE_FARTHER

struct dp_normtree_node *
dp_normtree_node_new(unsigned n, bool chain)
{
	const size_t all = n + FAR;
	struct dp_normtree_node *v = calloc(1, sizeof *v + (chain ? 2 : 4) * all * sizeof(double));

	if (v != NULL) {
		v->n = n;
		v->noise = (struct dp_normtree_pair){ v->number, v->number + all };
		if (!chain)
			v->before = (struct dp_normtree_pair){ v->number + 2 * all,
			    v->number + 3 * all };
	}
	return v;
}

void
dp_normtree_node_free(struct dp_normtree_node *v)
{
	if (v != NULL) {
		free(v->child[0]);
		free(v->child[1]);
	}
	free(v);
}

double
dp_normtree_node_second(const struct dp_normtree_node *v)
{
	double sum = 0;
	unsigned i;

	for (i = 1; i < v->n; i++)
		sum += v->noise.of[i] * ((double)i * i);
	return sum;
}

double
dp_normtree_node_square(double rest, const struct dp_normtree_node *v)
{
	double sum = rest + dp_normtree_node_second(v);
	unsigned i;

	for (i = 1; i < v->n; i++)
		sum += 2 * i * v->noise.rest[i];
	return sum;
}

double
dp_normtree_node_cross(const struct dp_normtree_node *v)
{
	double sum = 0;
	unsigned i;

	for (i = 0; i < v->n; i++)
		sum += v->before.of[i] * i + v->before.rest[i];
	return sum;
}

struct dp_normtree_node *
dp_normtree_node_shrink(struct dp_normtree_node *v, unsigned most, bool chain)
{
	unsigned n = v->n < most ? v->n : most;
	struct dp_normtree_node *to;

	while (n > 1 && v->noise.of[n - 1] < RARE)
		n--;
	if ((to = dp_normtree_node_new(n, chain)) != NULL) {
		to->base = v->base;
		to->offset = v->offset;
		to->place = v->place;
		memcpy(to->noise.of, v->noise.of, n * sizeof(double));
		memcpy(to->noise.rest, v->noise.rest, n * sizeof(double));
	}
	if (to != NULL && !chain) {
		memcpy(to->before.of, v->before.of, n * sizeof(double));
		memcpy(to->before.rest, v->before.rest, n * sizeof(double));
	}
	dp_normtree_node_free(v);
	return to;
}

/* to += x times n numbers of a row, for two of them. */
DP_INLINE void
add(double *restrict to, double *restrict and, const double *restrict row, double x, double y,
    unsigned n)
{
	unsigned u;

	for (u = 0; u < n; u++) {
		to[u] += x * row[u];
		and[u] += y * row[u];
	}
}

DP_VECTORS void
dp_normtree_node_share(const struct work *w, struct dp_normtree_node *v, unsigned P, unsigned n)
{
	const double m = v->noise.of[P], r = v->noise.rest[P];
	const double o = v->before.of[P], c = v->before.rest[P];
	struct dp_normtree_node *left = v->child[0], *right = v->child[1];
	const unsigned other = w->alike ? 0 : 1;

	add(left->noise.of, left->before.rest, w->row.even[0], m, c / 2, n);
	add(left->before.of, left->noise.rest, w->row.odd[0], o, r / 2, n);
	add(right->noise.of, right->before.rest, w->row.even[other], m, (c + P * r) / 2, n);
	add(right->before.of, right->noise.rest, w->row.odd[other], o + P * m + r, r / 2, n);
}
