/*
 * certificate.c - a tree as it is drawn from, in the text that dputils-plan(5) describes.  A table
 * lies in memory as doubles do, m 2^(x - 64) with m of 53 bits: its text is the number itself.
 */
#include "certificate.h"
#include "mech/certificate.h"
#include "level.h"

static void
table(struct dp_buf *b, const char *word, const struct dp_real *v, unsigned A,
    struct dp_real beyond)
{
	unsigned i;

	dp_buf_puts(b, word);
	for (i = 0; i <= A; i++)
		dp_certificate_real(b, dp_real_double(v[i]));
	dp_certificate_real(b, dp_real_double(beyond));
	dp_buf_puts(b, "\n");
}

/* A kind's table as its parents draw by it: the root's has none, its place is R's. */
static void
own(struct dp_buf *b, const struct dp_normtree *p, unsigned kind)
{
	const struct dp_normtree_level *v;
	unsigned side;

	for (v = p->level; v < p->level + p->shape.kinds; v++)
		for (side = 0; side < 2; side++)
			if (p->shape.kind[v - p->level].child[side] == kind) {
				table(b, "g", v->child[side], v->reach[side], v->beyond[side]);
				return;
			}
}

static void
kind(struct dp_buf *b, const struct dp_normtree *p, unsigned i)
{
	const struct dp_normtree_kind *k = &p->shape.kind[i];
	const struct dp_normtree_level *v = &p->level[i];
	const struct dp_real one = { (uint64_t)1 << 63, 1 };
	unsigned side;

	dp_buf_puts(b, "kind");
	dp_certificate_word(b, k->level);
	dp_certificate_word(b, v->A);
	for (side = 0; side < 2; side++) {
		if (k->child[side] == DP_NORMTREE_STEP)
			dp_buf_puts(b, " step");
		else
			dp_certificate_word(b, k->child[side]);
	}
	for (side = 0; side < 2; side++)
		dp_certificate_real(b, dp_real_double(v->beyond[side]));
	dp_buf_puts(b, "\n");
	/* but for pairs of steps k stays as it is beyond A */
	table(b, "k", v->fall, v->A, v->open ? v->fade : one);
	if (p->fine > 0)
		table(b, "c", v->own, v->A, v->past);
	own(b, p, i);
}

int
dp_normtree_certify(struct dp_normtree *p, struct dp_buf *b)
{
	const bool asleep = !p->awake;
	unsigned i;
	int e;

	if (p->exact) {
		dp_buf_puts(b, "unknown\n");
		return b->error;
	}
	if ((e = dp_normtree_wake(p)) != 0)
		return e;
	dp_buf_puts(b, "tree");
	dp_certificate_word(b, p->h);
	dp_certificate_word(b, p->shape.kinds);
	dp_certificate_word(b, p->fine);
	dp_certificate_word(b, p->unit);
	dp_certificate_word(b, p->cells);
	dp_buf_puts(b, "\n");
	for (i = 0; i < p->shape.kinds; i++)
		kind(b, p, i);
	table(b, "root", p->root, p->A, p->beyond);
	if (asleep)
		dp_normtree_rest(p);
	return b->error;
}
