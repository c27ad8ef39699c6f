/* line_tree.c - a norm tree's lines of a plan. */
#include <stdlib.h>
#include <string.h>

#include "line.h"
#include "tree.h"

/* A line of A + 2 numbers under this name. */
static void
table(struct reader *r, const char *name, struct audit_table *t, unsigned A)
{
	unsigned i;

	if (!audit_good(r))
		return;
	if (!audit_next_line(r) || !audit_is(r, name) ||
	    (t->v = calloc(A + 1, sizeof *t->v)) == NULL) {
		audit_refuse(r, DP_VERDICT_MALFORMED, "a table is missing");
		return;
	}
	t->A = A;
	for (i = 0; i <= A && audit_good(r); i++)
		t->v[i] = audit_real(r);
	t->beyond = audit_real(r);
	if (r->line != r->stop)
		audit_refuse(r, DP_VERDICT_MALFORMED, "a table is too long");
}

static uint32_t
child(struct reader *r)
{
	struct reader here = *r;
	char text[8];

	if (!audit_word(r, text, sizeof text) || strcmp(text, "step") != 0) {
		*r = here;
		return (uint32_t)audit_whole(r, DP_AUDIT_KINDS);
	}
	return DP_AUDIT_STEP;
}

/* A kind; the last one's g is the root's table. */
static void
read_kind(struct reader *r, const struct audit_tree *t, struct audit_kind *k)
{
	unsigned side, A;

	if (!audit_next_line(r) || !audit_is(r, "kind")) {
		audit_refuse(r, DP_VERDICT_MALFORMED, "a kind is missing");
		return;
	}
	k->level = (unsigned)audit_whole(r, 64);
	A = (unsigned)audit_whole(r, DP_AUDIT_REACH);
	if (A < 2)
		audit_refuse(r, DP_VERDICT_MALFORMED, "a kind's tables are too short");
	for (side = 0; side < 2; side++)
		k->child[side] = child(r);
	for (side = 0; side < 2; side++)
		k->beyond[side] = audit_real(r);
	table(r, "k", &k->k, A);
	if (t->fine > 0)
		table(r, "c", &k->c, A);
	if (k != &t->kind[t->kinds - 1])
		table(r, "g", &k->g, A);
}

/*
 * Units of a tree that a reach of l1 moves: floor((l1 + c (u - 1)) / u), c the values that differ
 * (noise/coarse.h).
 */
static void
moves(mpq_t to, const mpq_t reach, const struct audit_tree *t)
{
	mpz_t n;

	mpz_init_set_ui(n, t->cells);
	mpz_mul_ui(n, n, t->unit - 1);
	mpz_add(n, n, mpq_numref(reach));
	mpz_fdiv_q_ui(n, n, t->unit);
	mpq_set_z(to, n);
	mpz_clear(n);
}

/* The tree before has ended: of one with passes the root stays. */
static void
end_tree(struct audit_body *b)
{
	if (b->tree == NULL)
		return;
	if (b->passed && !audit_passage_root(b->tree, &b->before))
		b->unknown = true;
	audit_tree_free(b->tree);
	free(b->tree);
	b->tree = NULL;
}

#define RARE	0x1p-18			/* of a share: what one node or split may have */

/*
 * A probability that may be left out: 2^-32 of what one step may have of delta, which units of k
 * events share over all steps.  It decides what is looked at; what is left out counts as reached.
 */
static double
share(const struct audit_body *b, uint64_t k, uint64_t each, uint64_t steps)
{
	double f;
	mpfr_t delta, unit;

	mpfr_init2(delta, DP_AUDIT_BITS);
	mpfr_init2(unit, DP_AUDIT_BITS);
	audit_line_factor(b, k, each, unit);
	mpfr_set_q(delta, b->delta, MPFR_RNDN);
	mpfr_div(delta, delta, unit, MPFR_RNDN);
	mpfr_div_ui(delta, delta, steps, MPFR_RNDN);
	mpfr_div_2ui(delta, delta, 32, MPFR_RNDN);
	f = mpfr_get_d(delta, MPFR_RNDN);
	mpfr_clear(delta);
	mpfr_clear(unit);
	return f;
}

/*
 * pass k u n steps tau ..: names told of where their count and the noise so far come to tau, within
 * so many steps of the tree before the line, the earlier trees' roots in it; k and u as of names
 */
void
audit_line_pass(struct reader *r, struct audit_body *b)
{
	const uint64_t k = audit_some(r), each = audit_some(r);
	const unsigned n = (unsigned)audit_whole(r, DP_AUDIT_PASSES);
	uint64_t steps[DP_AUDIT_PASSES], height[DP_AUDIT_PASSES];
	double all;
	mpfr_t f;
	unsigned i;

	if (n == 0 || b->tree == NULL || b->passed || (b->trees > 1 && b->before.p == NULL))
		audit_refuse(r, DP_VERDICT_MALFORMED, "a pass without its tree, or those before");
	for (i = 0; i < n && audit_good(r); i++) {
		steps[i] = audit_some(r);
		height[i] = audit_some(r) - 1;
		if (height[i] == 0)
			audit_refuse(r, DP_VERDICT_MALFORMED, "a threshold that nothing is below");
	}
	if (audit_good(r)) {
		audit_bound_each(r, b, each);
		audit_bound_pass(r, b, n, steps);
	}
	if (!audit_good(r) || b->refuted)
		return;
	mpfr_init2(f, DP_AUDIT_BITS);
	all = share(b, k, each, 1);
	if (audit_passage(b->tree, &b->before, n, steps, height, all, all * RARE, f))
		audit_line_unit(r, b, f, k, each);
	else
		b->unknown = true;
	mpfr_clear(f);
	b->passed = true;
}


/* window k u W tau: names of windows of W steps over a row of such trees */
void
audit_line_window(struct reader *r, struct audit_body *b)
{
	const uint64_t k = audit_some(r), each = audit_some(r), W = audit_some(r);
	const uint64_t tau = audit_some(r);
	double all;
	mpfr_t f;

	if (b->tree == NULL || b->trees > 1 || b->passed || tau < 2)
		audit_refuse(r, DP_VERDICT_MALFORMED, "a window without its tree");
	audit_bound_each(r, b, each);
	audit_bound_window(r, b, W);
	if (!audit_good(r) || b->refuted)
		return;
	mpfr_init2(f, DP_AUDIT_BITS);
	all = share(b, k, each, W);
	if (audit_passage_windows(b->tree, W, tau - 1, all, all * RARE, f))
		audit_line_unit(r, b, f, k, each);
	else
		b->unknown = true;
	mpfr_clear(f);
	b->passed = true;
}

int
audit_line_tree(struct reader *r, struct audit_body *b)
{
	struct audit_tree t = { .kinds = 0 };
	const char *why;
	mpfr_t one;
	mpq_t loss, n;
	unsigned i;

	end_tree(b);
	if (r->bound && b->trees > 0 && !b->passed)
		audit_refute(r, b, "a tree has no thresholds");
	b->passed = false;
	t.h = (unsigned)audit_whole(r, 64);
	t.kinds = (unsigned)audit_whole(r, DP_AUDIT_KINDS);
	t.fine = (unsigned)audit_whole(r, 32);
	t.unit = audit_whole(r, (uint64_t)1 << 32);
	t.cells = audit_whole(r, (uint64_t)1 << 62);
	if (t.kinds == 0)
		audit_refuse(r, DP_VERDICT_MALFORMED, "a tree without kinds");
	if (t.unit == 0 || (t.unit > 1 && (t.unit % 2 == 0 || t.cells == 0)))
		audit_refuse(r, DP_VERDICT_MALFORMED, "a tree's units are wrong");
	if (!audit_good(r))
		return 0;
	if (t.unit > 1 && audit_line_top(r) && (mpz_sgn(r->neighbours->cells) == 0 ||
	    mpz_cmp_ui(r->neighbours->cells, t.cells) > 0))
		audit_refute(r, b, "its neighbours differ in more values");
	if (t.unit > 1)
		audit_bound_cells(r, b, t.cells);
	if ((t.kind = calloc(t.kinds, sizeof *t.kind)) == NULL)
		return DP_ENOMEM;
	for (i = 0; i < t.kinds && audit_good(r); i++)
		read_kind(r, &t, &t.kind[i]);
	if (audit_good(r))
		table(r, "root", &t.root, t.kind[t.kinds - 1].k.A);
	r->v->trees++;
	r->v->kinds += t.kinds;
	mpfr_init2(one, 64);
	mpq_init(loss);
	mpq_init(n);
	if (audit_good(r) && (why = audit_tree_loss(&t, one)) != NULL)
		audit_refute(r, b, why);
	else if (audit_good(r)) {
		moves(n, b->reach, &t);
		mpfr_get_q(loss, one);
		mpq_mul(loss, loss, n);
		if (mpq_cmp(loss, b->worst) > 0)
			mpq_set(b->worst, loss);
	}
	mpfr_clear(one);
	mpq_clear(loss);
	mpq_clear(n);
	b->trees++;
	if ((b->tree = malloc(sizeof *b->tree)) == NULL) {
		audit_tree_free(&t);
		return DP_ENOMEM;
	}
	*b->tree = t;
	return 0;
}
