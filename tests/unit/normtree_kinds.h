/* SPDX-License-Identifier: ISC */
/*
 * normtree_kinds.h - random trees of kinds of nodes (normtree.h), for tests.
 */
#ifndef TEST_NORMTREE_KINDS_H
#define TEST_NORMTREE_KINDS_H

#include "normtree/internal.h"
#include "normtree_law.h"

static uint64_t chance_state = 1;

/* From 0 to 1 (splitmix64). */
static inline double
chance(void)
{
	uint64_t z = chance_state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return ldexp((double)((z ^ z >> 31) >> 11), -53);
}

static inline unsigned
one_of(unsigned n)
{
	return (unsigned)(chance() * n);
}

static inline double
between(double least, double most)
{
	return least * pow(most / least, chance());
}

/*
 * Corners, and shares so that the worst path has all but 2^-20 of the budget.  With corners much
 * shorter than what children's tables fall by no table is concave.
 */
static inline void
spread_out(struct dp_normtree_shape *s)
{
	const double sum = dp_normtree_shares(s) * (1 + 0x1p-20);
	double below[DP_NORMTREE_KINDS], least;
	struct dp_normtree_kind *k;
	unsigned i;

	for (i = 0; i < s->kinds; i++) {
		k = &s->kind[i];
		least = k->level == 1 ? 1 : fmin(below[k->child[0]], below[k->child[1]]);
		k->corner = chance() < .1 ? 50 : k->level == 1 ? chance() :
		    between(1.5, 8) * k->share / least;
		below[i] = k->share + (k->level == 1 ? 0 : least);
	}
	for (i = 0; i < s->kinds; i++)
		s->kind[i].share /= sum;
	s->root /= sum;
}

/*
 * 2^h steps, up to `wide` kinds a level, each of them used.  A kind of level l has children of
 * level l - 1.
 */
static inline void
random_kinds(struct dp_normtree_shape *s, unsigned h, unsigned wide)
{
	unsigned of[DP_NORMTREE_LEVELS + 1] = { 0 }, first[DP_NORMTREE_LEVELS + 1] = { 0 }, l, i, j;
	struct dp_normtree_kind *k;

	*s = (struct dp_normtree_shape){ .h = h, .T = (uint64_t)1 << h };
	for (of[h] = 1, l = h; l-- > 1; )
		of[l] = 1 + one_of(wide < 2 * of[l + 1] ? wide : 2 * of[l + 1]);
	for (l = 1; l <= h; l++) {
		first[l] = s->kinds;
		for (i = 0; i < of[l]; i++) {
			k = &s->kind[s->kinds++];
			*k = (struct dp_normtree_kind){ .share = between(0.1, 1), .level =
			    (uint16_t)l, .child = { DP_NORMTREE_STEP, DP_NORMTREE_STEP } };
			for (j = 0; j < 2 && l > 1; j++)
				k->child[j] = (uint16_t)(first[l - 1] + (2 * i + j < of[l - 1] ?
				    2 * i + j : one_of(of[l - 1])));
		}
	}
	s->root = between(0.02, 0.3);
	spread_out(s);
}

/*
 * T steps of 2^h, T > 2^(h-1): full nodes of a level are alike, and down the right side are those
 * that are not full; what lies beyond T is left out.
 */
static inline void
kinds_up_to(struct dp_normtree_shape *s, unsigned h, uint64_t T)
{
	uint64_t part[DP_NORMTREE_LEVELS + 1];
	uint16_t above;
	struct dp_normtree_kind *k;
	unsigned i, l, n = 0;

	random_kinds(s, h - 1, 1);
	s->h = h;
	s->T = T;
	for (part[0] = T; part[n] != (uint64_t)1 << dp_ceil_log2(part[n]); n++)
		part[n + 1] = part[n] - ((uint64_t)1 << (dp_ceil_log2(part[n]) - 1));
	l = part[n] < 2 ? 1 : dp_ceil_log2(part[n]);
	above = (uint16_t)(l - 1);
	for (i = n; i-- > 0; ) {
		k = &s->kind[s->kinds];
		l = dp_ceil_log2(part[i]);
		*k = (struct dp_normtree_kind){ .share = between(0.1, 1),
		    .level = (uint16_t)l, .child = { l == 1 ? DP_NORMTREE_STEP :
		    (uint16_t)(l - 2), above } };
		above = (uint16_t)s->kinds++;
	}
	spread_out(s);
}

static inline void
drop_tree(struct dp_normtree *p)
{
	dp_normtree_release(p->held.memory);
	free(p->moments.places);
	*p = (struct dp_normtree){ .A = 0 };
}

/* Reaches of all kinds, each times some of least .. most. */
static inline void
stretch_out(struct dp_normtree_shape *s, double least, double most)
{
	const uint16_t *c;
	unsigned i, j, reach;

	for (i = 0; i < s->kinds; i++) {
		reach = (unsigned)(s->kind[i].reach * between(least, most));
		reach = reach < 2 ? 2 : reach > DP_NORMTREE_KINDS_REACH ?
		    DP_NORMTREE_KINDS_REACH : reach;
		for (c = s->kind[i].child, j = 0; j < 2; j++)
			if (c[j] != DP_NORMTREE_STEP && s->kind[c[j]].reach > reach)
				reach = s->kind[c[j]].reach;
		s->kind[i].reach = (uint16_t)reach;
	}
}

/* With tables, shorter or longer than a plan has; false: they would be too long. */
static inline bool
random_tree(struct dp_normtree *p, struct dp_normtree_shape *s, unsigned fine, double rate)
{
	struct dp_normtree_shape found;
	double total;
	unsigned i;
	int e;

	*p = (struct dp_normtree){ .fine = fine };
	if (dp_normtree_find_reach(s, fine, rate, &total) != 0)
		return false;
	found = *s;
	for (i = 0; i < 4; i++) {
		*s = found;
		stretch_out(s, (i + .4) / 4, (i + 2.) / 4);
		drop_tree(p);
		p->fine = fine;
		if ((e = dp_normtree_set(p, s, rate, DP_NORMTREE_DRAW)) != DP_ERANGE)
			break;
	}
	if (e != 0 && e != DP_ERANGE)
		abort();
	return e == 0;
}

#endif
