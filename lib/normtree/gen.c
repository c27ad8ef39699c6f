/*
 * gen.c - the increments of a tree, in blocks.
 *
 * A column keeps, for each level, the noise of the node whose turn is next there: the second child
 * of the one that was split.  A block is the steps of one node of level DP_NORMTREE_BLOCK or less.
 */
#include "noise/coarse.h"
#include "alias.h"
#include "normtree.h"

unsigned
dp_normtree_bottom(const struct dp_normtree *p)
{
	return p->h < DP_NORMTREE_BLOCK ? p->h : DP_NORMTREE_BLOCK;
}

/* The kind of a node's left or right child; of what stands for a higher one, itself on the left. */
static unsigned
child_of(const struct dp_normtree_shape *s, unsigned kind, unsigned level, unsigned side)
{
	return s->kind[kind].level < level ? kind : s->kind[kind].child[side];
}

/* n nodes of a level, side by side: those of a kind at a time. */
static int
split(const struct dp_normtree *p, struct dp_rng *rng, unsigned level, const uint16_t *kind,
    const int64_t *P, int64_t *out, unsigned n)
{
	unsigned i, k;
	int e;

	for (i = 0; i < n; i += k) {
		for (k = 1; i + k < n && kind[i + k] == kind[i]; k++)
			;
		if (p->shape.kind[kind[i]].level < level) {	/* what is to the right is unused */
			out[2 * i] = P[i];
			out[2 * i + 1] = 0;
			k = 1;
		} else if ((e = dp_normtree_split(p, rng, kind[i], P + i, out + 2 * i, k)) != 0)
			return e;
	}
	return 0;
}

/*
 * Rows for the steps of a node of the highest level that has them, or of the whole tree, if all
 * below it is a chain.
 */
static void
use_rows(const struct dp_normtree *p, uint64_t i, unsigned kind)
{
	const struct dp_normtree_level *level[DP_NORMTREE_ALIAS_LEVELS];
	const struct dp_normtree_kind *k = p->shape.kind;
	const unsigned n = k[kind].level;
	unsigned l, at = kind;

	for (l = n; l > 0 && k[at].level == l && k[at].child[0] == k[at].child[1]; l--) {
		level[l - 1] = &p->level[at];
		at = k[at].child[0];
	}
	if (dp_normtree_alias_at(p->alias, i, l == 0 ? kind : DP_NORMTREE_STEP))
		dp_normtree_alias_make(p->alias, level, n);
}

/* The noise of the block's node, and its kind. */
static int
enter(const struct dp_normtree *p, int64_t *wait, struct dp_rng *rng, uint64_t i, int64_t *P,
    uint16_t *kind)
{
	const unsigned low = dp_normtree_bottom(p);
	const uint64_t here = (i >> low) & (((uint64_t)1 << (p->h - low)) - 1);
	const unsigned from = here == 0 ? p->h : low + (unsigned)__builtin_ctzll(here);
	unsigned l;
	int64_t child[2];
	int e;

	if (p->alias != NULL && !dp_normtree_alias_has(p->alias, i)) {
		*kind = (uint16_t)(p->shape.kinds - 1);
		for (l = p->h; l > DP_NORMTREE_ALIAS_LEVELS; l--)
			*kind = (uint16_t)child_of(&p->shape, *kind, l, here >> (l - 1 - low) & 1);
		use_rows(p, i, *kind);
	}
	*kind = (uint16_t)(p->shape.kinds - 1);
	l = p->h;
	if (from < DP_NORMTREE_ALIAS_LEVELS && p->h > DP_NORMTREE_ALIAS_LEVELS &&
	    p->alias != NULL && dp_normtree_alias_kind(p->alias) != DP_NORMTREE_STEP) {
		*kind = (uint16_t)dp_normtree_alias_kind(p->alias);
		l = DP_NORMTREE_ALIAS_LEVELS;
	}
	for (; l > from; l--)
		*kind = (uint16_t)child_of(&p->shape, *kind, l, here >> (l - 1 - low) & 1);
	if (here != 0)
		*P = wait[l];
	else if ((e = dp_normtree_root(p, rng, P)) != 0)
		return e;
	for (; l > low; l--) {
		if ((e = split(p, rng, l, kind, P, child, 1)) != 0)
			return e;
		*P = child[0];
		wait[l - 1] = child[1];
		*kind = (uint16_t)child_of(&p->shape, *kind, l, 0);
	}
	return 0;
}

int
dp_normtree_fill(const struct dp_normtree *p, int64_t *wait, struct dp_rng *rng, uint64_t i,
    int64_t *w)
{
	uint16_t kind[DP_FILL];
	int64_t half[DP_FILL];
	const struct dp_normtree_kind *g;
	unsigned l = dp_normtree_bottom(p), n = 1, k;
	int e;

	if (p->exact) {
		memset(w, 0, ((size_t)1 << l) * sizeof *w);
		return 0;
	}
	if ((e = enter(p, wait, rng, i, w, kind)) != 0)
		return e;
	/* a chain */
	for (; l > 0; l--, n *= 2) {
		g = &p->shape.kind[kind[0]];
		if (g->level < l || g->child[0] != g->child[1])
			break;
		memcpy(half, w, n * sizeof *w);
		if ((e = dp_normtree_split(p, rng, kind[0], half, w, n)) != 0)
			return e;
		kind[0] = g->child[0];
	}
	for (k = 1; l > 0 && k < n; k++)
		kind[k] = kind[0];
	for (; l > 0; l--, n *= 2) {
		memcpy(half, w, n * sizeof *w);
		if ((e = split(p, rng, l, kind, half, w, n)) != 0)
			return e;
		for (k = 2 * n; l > 1 && k-- > 0; )
			kind[k] = (uint16_t)child_of(&p->shape, kind[k / 2], l, k & 1);
	}
	return p->unit == 1 ? 0 : dp_coarse_widen(p->unit, rng, w, n);
}

/* No draw is farther out (draw.c, fine.c), and no sum of two steps' worth of them can overflow. */
bool
dp_normtree_valid(const struct dp_normtree *p, const int64_t *wait)
{
	const int64_t D = (int64_t)1 << p->fine, far = 2 * DP_NORMTREE_FAR * D + 2 * (D - 1);
	unsigned l;

	for (l = 0; l < p->h; l++)
		if (wait[l] > far || wait[l] < -far)
			return false;
	return true;
}
