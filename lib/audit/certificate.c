/* certificate.c - reads a plan, a line at a time, and adds up what its mechanisms lose. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmp.h>

#include "certificate.h"
#include "tree.h"

#define DEPTH	8		/* parts of parts */

struct reader {
	const char *at, *end;	/* what is left; end[0] is 0 */
	const char *line, *stop;	/* of this line: what is left */
	unsigned number;
	unsigned depth;
	struct dp_verdict *v;
};

static void
refuse(struct reader *r, enum dp_verdict_is is, const char *why)
{
	if (r->v->is != DP_VERDICT_HOLDS)
		return;
	r->v->is = is;
	if (is == DP_VERDICT_MALFORMED)
		snprintf(r->v->why, sizeof r->v->why, "line %u: %s", r->number, why);
	else
		snprintf(r->v->why, sizeof r->v->why, "%s", why);
}

static bool
good(const struct reader *r)
{
	return r->v->is != DP_VERDICT_MALFORMED;
}

/* To the next line that is no comment; false: there is none. */
static bool
next_line(struct reader *r)
{
	do {
		if (r->at == r->end)
			return false;
		r->line = r->at;
		r->stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
		r->number++;
		if (r->stop == NULL) {
			r->at = r->stop = r->end;
			return false;	/* it was cut off */
		}
		r->at = r->stop + 1;
	} while (*r->line == '#');
	return true;
}

/* The next word of the line, as long as `size' allows; false: none. */
static bool
word(struct reader *r, char *to, size_t size)
{
	size_t n = 0;

	while (r->line < r->stop && *r->line == ' ')
		r->line++;
	while (r->line + n < r->stop && r->line[n] != ' ')
		n++;
	if (n == 0 || n >= size || memchr(r->line, '\0', n) != NULL)
		return false;
	memcpy(to, r->line, n);
	to[n] = '\0';
	r->line += n;
	return true;
}

/* The line is this word, and what follows it. */
static bool
is(struct reader *r, const char *name)
{
	const size_t n = strlen(name);

	if ((size_t)(r->stop - r->line) < n || memcmp(r->line, name, n) != 0 ||
	    (r->line[n] != ' ' && r->line[n] != '\n'))
		return false;
	r->line += n;
	return true;
}

static bool
digits(const char *s)
{
	return *s != '\0' && strspn(s, "0123456789") == strlen(s);
}

static uint64_t
whole(struct reader *r, uint64_t most)
{
	char text[24];
	unsigned long long n = 0;

	if (!word(r, text, sizeof text) || !digits(text) || strlen(text) > 19 ||
	    (n = strtoull(text, NULL, 10)) > most)
		refuse(r, DP_VERDICT_MALFORMED, "a whole number is wrong");
	return n;
}

/* NUM/DEN, positive; its text stays in `text' */
static void
rational(struct reader *r, mpq_t q, char text[static 64])
{
	char *slash;

	if (!word(r, text, 64) || (slash = strchr(text, '/')) == NULL) {
		refuse(r, DP_VERDICT_MALFORMED, "a ratio is wrong");
		return;
	}
	*slash = '\0';
	if (!digits(text) || !digits(slash + 1) || mpz_set_str(mpq_numref(q), text, 10) != 0 ||
	    mpz_set_str(mpq_denref(q), slash + 1, 10) != 0 || mpz_sgn(mpq_numref(q)) == 0 ||
	    mpz_sgn(mpq_denref(q)) == 0) {
		mpq_set_ui(q, 1, 1);
		refuse(r, DP_VERDICT_MALFORMED, "a ratio is wrong");
	} else
		mpq_canonicalize(q);
	*slash = '/';
}

static double
real(struct reader *r)
{
	char text[40], *end = text;
	double v = 0;

	if (word(r, text, sizeof text) && memcmp(text, "0x", 2) == 0)
		v = strtod(text, &end);
	if (*end != '\0' || !(v >= 0x1p-1022 && v <= 0x1p1000)) {
		refuse(r, DP_VERDICT_MALFORMED, "a number of a table is wrong");
		return 1;
	}
	return v;
}

/* A line of A + 2 numbers under this name. */
static void
table(struct reader *r, const char *name, struct audit_table *t, unsigned A)
{
	unsigned i;

	if (!good(r))
		return;
	if (!next_line(r) || !is(r, name) || (t->v = calloc(A + 1, sizeof *t->v)) == NULL) {
		refuse(r, DP_VERDICT_MALFORMED, "a table is missing");
		return;
	}
	t->A = A;
	for (i = 0; i <= A && good(r); i++)
		t->v[i] = real(r);
	t->beyond = real(r);
	if (r->line != r->stop)
		refuse(r, DP_VERDICT_MALFORMED, "a table is too long");
}

static uint32_t
child(struct reader *r)
{
	struct reader here = *r;
	char text[8];

	if (!word(r, text, sizeof text) || strcmp(text, "step") != 0) {
		*r = here;
		return (uint32_t)whole(r, DP_AUDIT_KINDS);
	}
	return DP_AUDIT_STEP;
}

/* A kind; the last one's g is the root's table. */
static void
read_kind(struct reader *r, const struct audit_tree *t, struct audit_kind *k)
{
	unsigned side, A;

	if (!next_line(r) || !is(r, "kind")) {
		refuse(r, DP_VERDICT_MALFORMED, "a kind is missing");
		return;
	}
	k->level = (unsigned)whole(r, 64);
	A = (unsigned)whole(r, DP_AUDIT_REACH);
	if (A < 2)
		refuse(r, DP_VERDICT_MALFORMED, "a kind's tables are too short");
	for (side = 0; side < 2; side++)
		k->child[side] = child(r);
	for (side = 0; side < 2; side++)
		k->beyond[side] = real(r);
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

	t.h = (unsigned)whole(r, 64);
	t.kinds = (unsigned)whole(r, DP_AUDIT_KINDS);
	t.fine = (unsigned)whole(r, 32);
	t.unit = whole(r, (uint64_t)1 << 32);
	t.cells = whole(r, (uint64_t)1 << 62);
	if (t.kinds == 0)
		refuse(r, DP_VERDICT_MALFORMED, "a tree without kinds");
	if (t.unit == 0 || (t.unit > 1 && (t.unit % 2 == 0 || t.cells == 0)))
		refuse(r, DP_VERDICT_MALFORMED, "a tree's units are wrong");
	if (!good(r))
		return 0;
	if ((t.kind = calloc(t.kinds, sizeof *t.kind)) == NULL)
		return DP_ENOMEM;
	for (i = 0; i < t.kinds && good(r); i++)
		read_kind(r, &t, &t.kind[i]);
	if (good(r))
		table(r, "root", &t.root, t.kind[t.kinds - 1].k.A);
	r->v->trees++;
	r->v->kinds += t.kinds;
	mpfr_init2(one, 64);
	mpq_init(loss);
	mpq_init(n);
	if (good(r) && (why = audit_tree_loss(&t, one)) != NULL)
		refuse(r, DP_VERDICT_REFUTED, why);
	else if (good(r)) {
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

/* Noise of scale b on numbers that one grid unit moves by n: n / b is added. */
static void
read_laplace(struct reader *r, mpq_t rate)
{
	char text[64];
	mpq_t b, n;

	mpq_inits(b, n, (mpq_ptr)NULL);
	rational(r, b, text);
	mpz_set_ui(mpq_numref(n), whole(r, INT64_MAX));
	if (good(r)) {
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
	rational(r, b, text);
	mpz_set_ui(mpq_numref(m), whole(r, INT64_MAX));
	mpz_set_ui(mpq_numref(n), whole(r, INT64_MAX));
	if (good(r)) {
		mpq_mul(n, n, m);
		mpq_div(n, n, b);
		mpq_add(loss, loss, n);
	}
	mpq_clears(b, m, n, (mpq_ptr)NULL);
}

static int read_mechanism(struct reader *, mpq_t epsilon);

/* What a mechanism draws, and its parts, up to its `end'; what it loses is added to `loss'. */
static int
read_body(struct reader *r, const mpq_t reach, mpq_t loss)
{
	mpq_t rate, one, worst;
	bool ended = false, something = false;
	int e = 0;

	mpq_init(rate);
	mpq_init(one);
	mpq_init(worst);
	while (e == 0 && good(r) && !ended) {
		if (!next_line(r))
			refuse(r, DP_VERDICT_MALFORMED, "a mechanism does not end");
		else if (is(r, "end"))
			ended = true;
		else if (is(r, "unknown"))
			refuse(r, DP_VERDICT_UNKNOWN, "");
		else if (is(r, "laplace"))
			read_laplace(r, rate);
		else if (is(r, "value") || is(r, "choice"))
			read_repeat(r, loss);
		else if (is(r, "tree"))
			e = read_tree(r, reach, worst);
		else if (is(r, "mechanism")) {
			if ((e = read_mechanism(r, one)) == 0)
				mpq_add(loss, loss, one);
		} else
			refuse(r, DP_VERDICT_MALFORMED, "not a word of a plan");
		something |= !ended;
	}
	if (!something)
		refuse(r, DP_VERDICT_UNKNOWN, "");
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

	if (++r->depth > DEPTH || !word(r, name, sizeof name) || !next_line(r) ||
	    !is(r, "epsilon")) {
		refuse(r, DP_VERDICT_MALFORMED, "a mechanism is wrong");
		return 0;
	}
	mpq_init(reach);
	mpq_init(loss);
	rational(r, epsilon, text);
	if (!next_line(r) || !is(r, "reach"))
		refuse(r, DP_VERDICT_MALFORMED, "a reach is missing");
	mpz_set_ui(mpq_numref(reach), whole(r, INT64_MAX));
	if ((e = read_body(r, reach, loss)) == 0 && r->v->is == DP_VERDICT_UNKNOWN &&
	    r->v->why[0] == '\0')
		snprintf(r->v->why, sizeof r->v->why, "%.60s does not say what it draws", name);
	if (e == 0 && good(r) && mpq_cmp(loss, epsilon) > 0) {
		snprintf(why, sizeof why, "%.40s loses %.9g, more than %.40s", name,
		    mpq_get_d(loss), text);
		refuse(r, DP_VERDICT_REFUTED, why);
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

int
dp_certificate_check(struct dp_verdict *v, const char *text, size_t n)
{
	struct reader r = { .at = text, .end = text + n, .v = v };
	char word_[64] = "";
	mpq_t epsilon;
	int e = 0;

	*v = (struct dp_verdict){ .is = DP_VERDICT_HOLDS };
	mpq_init(epsilon);
	if (!next_line(&r) || !is(&r, "dputils-plan"))
		refuse(&r, DP_VERDICT_MALFORMED, "not a plan of dputils");
	else if (!word(&r, word_, sizeof word_) || strcmp(word_, "1") != 0)
		refuse(&r, DP_VERDICT_MALFORMED, "a plan of another version: 1 is what is read");
	else if (!next_line(&r) || !is(&r, "version") || !next_line(&r) || !is(&r, "tool") ||
	    !word(&r, v->tool, sizeof v->tool) || !next_line(&r) || !is(&r, "mechanism"))
		refuse(&r, DP_VERDICT_MALFORMED, "version, tool or mechanism is missing");
	else
		e = read_mechanism(&r, epsilon);
	if (e == 0 && good(&r) && next_line(&r))
		refuse(&r, DP_VERDICT_MALFORMED, "the plan goes on after its end");
	mpq_clear(epsilon);
	return e;
}
