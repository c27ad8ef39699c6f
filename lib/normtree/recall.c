/*
 * recall.c - trees that a planning has made already: kept, and found again, in its memo.
 */
#include <stdlib.h>
#include <string.h>

#include "place.h"
#include "recall.h"

void
dp_normtree_set_key(struct dp_normtree_key *k, const struct dp_normtree_shape *s,
    double rate)
{
	unsigned i;

	memset(k, 0, sizeof *k);
	memcpy(k->of, "normtree", sizeof k->of);
	k->rate = rate;
	k->shape.h = s->h;
	k->shape.kinds = s->kinds;
	k->shape.chain = s->chain;
	k->shape.T = s->T;
	k->shape.root = s->root;
	for (i = 0; i < s->kinds; i++) {
		k->shape.kind[i].share = s->kind[i].share;
		k->shape.kind[i].corner = s->kind[i].corner;
		k->shape.kind[i].level = s->kind[i].level;
		k->shape.kind[i].child[0] = s->kind[i].child[0];
		k->shape.kind[i].child[1] = s->kind[i].child[1];
	}
}

bool
dp_normtree_recall(struct dp_normtree *p, struct dp_normtree_key *k,
    const struct dp_privacy *privacy, enum dp_normtree_use use)
{
	const struct dp_normtree *q = dp_memo_find(privacy->memo, k, sizeof *k);
	const struct dp_normtree_places *places;
	struct dp_normtree_places *copy = NULL;
	void *tables;

	if (q == NULL || (use == DP_NORMTREE_DRAW ? !q->moments.known : privacy->numbers != NULL))
		return false;
	if (q->moments.places != NULL) {
		k->of[0] = 'p';
		places = dp_memo_find(privacy->memo, k, sizeof *k);
		k->of[0] = 'n';
		if (places == NULL || (copy = malloc(dp_normtree_places_size(places))) == NULL)
			return false;
		memcpy(copy, places, dp_normtree_places_size(places));
	}
	*p = *q;
	p->moments.places = copy;
	k->of[0] = 't';
	tables = (void *)(uintptr_t)dp_memo_find(privacy->memo, k, sizeof *k);
	k->of[0] = 'n';
	if (tables != NULL)
		dp_normtree_adopt(p, tables);
	else
		dp_normtree_rest(p);
	return true;
}

void
dp_normtree_remember(const struct dp_normtree *p, struct dp_normtree_key *k,
    const struct dp_privacy *privacy)
{
	struct dp_normtree q = *p;

	q.held.memory = NULL;
	q.held.work = NULL;
	q.laws.sweeps = NULL;
	q.laws.fades = NULL;
	q.alias = NULL;
	q.awake = false;
	dp_memo_keep(privacy->memo, k, sizeof *k, &q, sizeof q);
	if (p->moments.places != NULL) {
		k->of[0] = 'p';
		dp_memo_keep(privacy->memo, k, sizeof *k, p->moments.places,
		    dp_normtree_places_size(p->moments.places));
	}
}

void
dp_normtree_remember_tables(const struct dp_normtree *p, const struct dp_normtree_shape *shape,
    struct dp_memo *memo)
{
	struct dp_normtree_key k;

	dp_normtree_set_key(&k, shape, p->rate);
	k.of[0] = 't';
	if (dp_memo_find(memo, &k, sizeof k) == NULL)
		dp_memo_give(memo, &k, sizeof k, dp_normtree_share(p->held.memory),
		    dp_normtree_release);
}
