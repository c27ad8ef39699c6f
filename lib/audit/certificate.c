/* certificate.c - reads a plan, a line at a time, and adds up what its mechanisms lose. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmp.h>

#include "reader.h"
#include "tree.h"

#define DEPTH	8		/* parts of parts */

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
 * What a reach of l1 moves of a tree's units: floor((l1 + c (u - 1)) / u), c the values that differ
 * (normtree.h, UNITS).
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

/* The tree whose line this is; what it loses for that reach goes to `most', if larger. */
static int
read_tree(struct reader *r, const mpq_t reach, mpq_t most)
{
	struct audit_tree t = { .kinds = 0 };
	const char *why;
	mpfr_t one;
	mpq_t loss, n;
	unsigned i;

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
		audit_refuse(r, DP_VERDICT_REFUTED, why);
	else if (audit_good(r)) {
		moves(n, reach, &t);
		mpfr_get_q(loss, one);
		mpq_mul(loss, loss, n);
		if (mpq_cmp(loss, most) > 0)
			mpq_set(most, loss);
	}
	mpfr_clear(one);
	mpq_clear(loss);
	mpq_clear(n);
	audit_tree_free(&t);
	return 0;
}

/* A number of moves or releases: of none there would be no noise to tell of. */
static uint64_t
some(struct reader *r)
{
	const uint64_t n = audit_whole(r, INT64_MAX);

	if (n == 0)
		audit_refuse(r, DP_VERDICT_MALFORMED, "noise for no move, or for no release");
	return n;
}

/* Noise of scale b on numbers that one grid unit moves by n: n / b is added. */
static void
read_laplace(struct reader *r, mpq_t rate)
{
	char text[64];
	mpq_t b, n;

	mpq_inits(b, n, (mpq_ptr)NULL);
	audit_rational(r, b, text);
	mpz_set_ui(mpq_numref(n), some(r));
	if (audit_good(r)) {
		mpq_div(n, n, b);
		mpq_add(rate, rate, n);
	}
	mpq_clear(b);
	mpq_clear(n);
}

/* n releases with noise of scale b, or choices, of what one unit moves by m: n m / b. */
static void
read_repeat(struct reader *r, mpq_t loss)
{
	char text[64];
	mpq_t b, m, n;

	mpq_inits(b, m, n, (mpq_ptr)NULL);
	audit_rational(r, b, text);
	mpz_set_ui(mpq_numref(m), some(r));
	mpz_set_ui(mpq_numref(n), some(r));
	if (audit_good(r)) {
		mpq_mul(n, n, m);
		mpq_div(n, n, b);
		mpq_add(loss, loss, n);
	}
	mpq_clears(b, m, n, (mpq_ptr)NULL);
}

static int read_mechanism(struct reader *, mpq_t epsilon);

/* Reads a mechanism's draws and parts, up to its `end', and adds their loss to `loss'. */
static int
read_body(struct reader *r, const mpq_t reach, mpq_t loss)
{
	mpq_t rate, one, worst;
	bool ended = false, something = false;
	int e = 0;

	mpq_init(rate);
	mpq_init(one);
	mpq_init(worst);
	while (e == 0 && audit_good(r) && !ended) {
		if (!audit_next_line(r))
			audit_refuse(r, DP_VERDICT_MALFORMED, "a mechanism does not end");
		else if (audit_is(r, "end"))
			ended = true;
		else if (audit_is(r, "unknown"))
			audit_refuse(r, DP_VERDICT_UNKNOWN, "");
		else if (audit_is(r, "laplace"))
			read_laplace(r, rate);
		else if (audit_is(r, "value") || audit_is(r, "choice"))
			read_repeat(r, loss);
		else if (audit_is(r, "tree"))
			e = read_tree(r, reach, worst);
		else if (audit_is(r, "mechanism")) {
			if ((e = read_mechanism(r, one)) == 0)
				mpq_add(loss, loss, one);
		} else
			audit_refuse(r, DP_VERDICT_MALFORMED, "not a word of a plan");
		something |= !ended;
	}
	if (!something)
		audit_refuse(r, DP_VERDICT_UNKNOWN, "");
	mpq_mul(rate, rate, reach);
	mpq_add(loss, loss, rate);
	mpq_add(loss, loss, worst);
	mpq_clear(rate);
	mpq_clear(one);
	mpq_clear(worst);
	return e;
}

/* The mechanism whose line this is: its epsilon, which its loss is compared with. */
static int
read_mechanism(struct reader *r, mpq_t epsilon)
{
	char name[64], text[64], why[160];
	mpq_t reach, loss;
	mpfr_t up;
	int e;

	if (++r->depth > DEPTH || !audit_word(r, name, sizeof name) || !audit_next_line(r) ||
	    !audit_is(r, "epsilon")) {
		audit_refuse(r, DP_VERDICT_MALFORMED, "a mechanism is wrong");
		return 0;
	}
	mpq_init(reach);
	mpq_init(loss);
	audit_rational(r, epsilon, text);
	if (!audit_next_line(r) || !audit_is(r, "reach"))
		audit_refuse(r, DP_VERDICT_MALFORMED, "a reach is missing");
	mpz_set_ui(mpq_numref(reach), audit_whole(r, INT64_MAX));
	if ((e = read_body(r, reach, loss)) == 0 && r->v->is == DP_VERDICT_UNKNOWN &&
	    r->v->why[0] == '\0')
		snprintf(r->v->why, sizeof r->v->why, "%.60s does not say what it draws", name);
	if (e == 0 && audit_good(r) && mpq_cmp(loss, epsilon) > 0) {
		snprintf(why, sizeof why, "%.40s loses %.9g, more than %.40s", name,
		    mpq_get_d(loss), text);
		audit_refuse(r, DP_VERDICT_REFUTED, why);
	}
	mpfr_init2(up, 53);
	mpfr_set_q(up, loss, MPFR_RNDU);
	r->v->loss = mpfr_get_d(up, MPFR_RNDU);
	memcpy(r->v->claimed, text, sizeof text);
	r->v->mechanisms++;
	r->depth--;
	mpfr_clear(up);
	mpq_clear(reach);
	mpq_clear(loss);
	return e;
}

static bool
line_is(struct reader *r, const char *name)
{
	return audit_next_line(r) && audit_is(r, name);
}

int
dp_certificate_check(struct dp_verdict *v, const char *text, size_t n)
{
	struct reader r = { .at = text, .end = text + n, .v = v };
	char word_[64] = "";
	mpq_t epsilon;
	int e = 0;

	*v = (struct dp_verdict){ .is = DP_VERDICT_HOLDS };
	mpq_init(epsilon);
	if (!audit_next_line(&r) || !audit_is(&r, "dputils-plan"))
		audit_refuse(&r, DP_VERDICT_MALFORMED, "not a plan of dputils");
	else if (!audit_word(&r, word_, sizeof word_) || strcmp(word_, "1") != 0)
		audit_refuse(&r, DP_VERDICT_MALFORMED,
		    "a plan of another version: 1 is what is read");
	else if (!line_is(&r, "version") || !line_is(&r, "tool") ||
	    !audit_word(&r, v->tool, sizeof v->tool) || !line_is(&r, "mechanism"))
		audit_refuse(&r, DP_VERDICT_MALFORMED, "version, tool or mechanism is missing");
	else
		e = read_mechanism(&r, epsilon);
	if (e == 0 && audit_good(&r) && (audit_next_line(&r) || r.cut))
		audit_refuse(&r, DP_VERDICT_MALFORMED, "the plan goes on after its end");
	mpq_clear(epsilon);
	return e;
}
