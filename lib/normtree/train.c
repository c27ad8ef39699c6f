/*
 * train.c - the matrices of train.h, and their products.
 */
#include <stdlib.h>

#include "train.h"

static void
free_maps(struct dp_normtree_train *t, unsigned l)
{
	unsigned k;

	for (k = 0; k < t->points; k++) {
		free(t->map[l][k]);
		t->map[l][k] = NULL;
	}
}

void
dp_normtree_train_free(struct dp_normtree_train *t)
{
	unsigned l;

	for (l = 0; t != NULL && l <= t->h; l++) {
		free_maps(t, l);
		free(t->way[0].before[l]);
		free(t->way[1].before[l]);
	}
	if (t != NULL)
		free(t->near);
	free(t);
}

/* Functionals of level l - 1 from those of level l; second: the path is to its second child. */
static void
down(const struct dp_normtree_train *t, unsigned l, bool second, const double *from, double *to)
{
	const double *m;
	const struct dp_normtree_rank *a, *b;
	unsigned k, i, j;
	double v;

	for (k = 0; k < t->points; k++, from += a->all, to += b->all) {
		m = t->map[l][k];
		a = &t->rank[l][k];
		b = &t->rank[l - 1][k];
		memset(to, 0, b->all * sizeof *to);
		for (i = 0; i < a->all; i++, m += b->all) {
			v = second && i >= a->even ? -from[i] : from[i];
			for (j = 0; j < b->all; j++)
				to[j] += v * m[j];
		}
		for (j = b->even; second && j < b->all; j++)
			to[j] = -to[j];
	}
}

/* Coefficients of level l from those of level l - 1. */
static void
up(const struct dp_normtree_train *t, unsigned l, bool second, const double *from, double *to)
{
	const double *m;
	const struct dp_normtree_rank *a, *b;
	unsigned k, i, j;

	for (k = 0; k < t->points; k++, to += a->all, from += b->all) {
		m = t->map[l][k];
		a = &t->rank[l][k];
		b = &t->rank[l - 1][k];
		for (i = 0; i < a->all; i++, m += b->all) {
			to[i] = 0;
			for (j = 0; j < b->all; j++)
				to[i] += (second && j >= b->even ? -from[j] : from[j]) * m[j];
			if (second && i >= a->even)
				to[i] = -to[i];
		}
	}
}

/* The functionals of the node of level `low` on the way to step n. */
static const double *
find_way(struct dp_normtree_train *t, unsigned way, uint64_t n)
{
	double **before = t->way[way].before;
	const uint64_t moved = (t->way[way].n ^ n) >> t->low;
	unsigned l = t->h;

	if (t->way[way].known)
		l = moved == 0 ? t->low : t->low + 64 - (unsigned)__builtin_clzll(moved);
	for (; l > t->low; l--)
		down(t, l, n >> (l - 1) & 1, before[l], before[l - 1]);
	t->way[way].n = n;
	t->way[way].known = true;
	return before[l];
}

void
dp_normtree_train_steps(struct dp_normtree_train *t, unsigned way, uint64_t n, double *phi)
{
	const double *a = find_way(t, way, n);
	const double *b = t->near + (n & ((1u << t->low) - 1)) * t->width[t->low];
	double sum[DP_NORMTREE_ABREAST];
	unsigned k, i, j, all;

	for (k = 0; k < t->points; k++, a += all, b += all) {
		all = t->rank[t->low][k].all;
		memset(sum, 0, sizeof sum);
		for (i = 0; i < all; i += DP_NORMTREE_ABREAST)
			for (j = 0; j < DP_NORMTREE_ABREAST; j++)
				sum[j] += a[i + j] * b[i + j];
		phi[k] *= sum[0] + sum[1] + (sum[2] + sum[3]);
	}
}

/* They take the place of the maps. */
bool
dp_normtree_train_near(struct dp_normtree_train *t)
{
	double from[DP_LAW_POINTS * 2 * DP_NORMTREE_EVEN], to[DP_LAW_POINTS * 2 * DP_NORMTREE_EVEN];
	unsigned n, l, k;

	if ((t->near = malloc((t->width[t->low] << t->low) * sizeof *t->near)) == NULL)
		return false;
	for (n = 0; n < 1u << t->low; n++) {
		memset(from, 0, t->width[0] * sizeof *from);
		for (k = 0; k < t->points; k++) {
			from[k * DP_NORMTREE_ABREAST] = 1;
			from[k * DP_NORMTREE_ABREAST + 1] = -1;
		}
		for (l = 1; l <= t->low; l++) {
			up(t, l, n >> (l - 1) & 1, from, to);
			memcpy(from, to, t->width[l] * sizeof *to);
		}
		memcpy(t->near + n * t->width[t->low], from, t->width[t->low] * sizeof *from);
	}
	for (l = 1; l <= t->low; l++)
		free_maps(t, l);
	return true;
}
