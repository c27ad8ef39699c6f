/* SPDX-License-Identifier: ISC */
/*
 * certificate.c - reads a plan, a line at a time, and compares what its mechanisms lose with what
 * they claim.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define DEPTH	8		/* parts of parts */

static int read_mechanism(struct reader *, struct audit_body *whole, uint64_t rounds);

/* The loss of a part, or of n rounds of one (n > 0), which must be pure. */
static void
add_part(struct reader *r, struct audit_body *whole, struct audit_body *part, uint64_t n)
{
	free(whole->blt);
	whole->blt = part->blt;
	part->blt = NULL;
	mpq_set(whole->drawn, part->drawn);
	whole->unknown |= part->unknown;
	whole->refuted |= part->refuted;
	if (n == 0) {
		whole->bound.got++;
		mpq_add(whole->account.loss, whole->account.loss, part->epsilon);
		mpq_add(whole->account.missed, whole->account.missed, part->delta);
		return;
	}
	if (mpq_sgn(part->delta) != 0)
		audit_refuse(r, DP_VERDICT_MALFORMED, "a round with a delta");
	audit_account_squares(&whole->account, n, part->epsilon, 2);
}

/* Reads a mechanism's draws and parts, up to its `end'. */
static int
read_body(struct reader *r, struct audit_body *b)
{
	bool ended = false, is;
	const char *line;
	uint64_t n;
	int e = 0;

	while (e == 0 && audit_good(r) && !ended) {
		is = true;
		if (!audit_next_line(r))
			audit_refuse(r, DP_VERDICT_MALFORMED, "a mechanism does not end");
		else if (audit_is(r, "end"))
			ended = true;
		else if (audit_is(r, "unknown"))
			b->unknown = true;
		else if (audit_is(r, "mechanism")) {
			e = read_mechanism(r, b, 0);
			b->bound.has |= AUDIT_PART;
		} else if (audit_is(r, "rounds")) {
			line = r->line;
			n = audit_some(r);
			b->bound.has |= AUDIT_ROUNDS | AUDIT_PART;
			audit_bound_given(r, "rounds", line + 1);
			if (!audit_next_line(r) || !audit_is(r, "mechanism"))
				audit_refuse(r, DP_VERDICT_MALFORMED, "rounds of nothing");
			else if (audit_good(r))
				e = read_mechanism(r, b, n);
		} else if ((e = audit_line(r, b, &is)) == 0 && !is)
			audit_refuse(r, DP_VERDICT_MALFORMED, "not a word of a plan");
		b->something |= !ended;
	}
	b->unknown |= !b->something;
	audit_line_rose(r, b);
	return e;
}

static double
up(const mpq_t q)
{
	mpfr_t x;
	double d;

	mpfr_init2(x, 53);
	mpfr_set_q(x, q, MPFR_RNDU);
	d = mpfr_get_d(x, MPFR_RNDU);
	mpfr_clear(x);
	return d;
}

/* A line for people; its loss stays in the verdict. */
static void
tell(struct reader *r, const struct audit_body *b, const char *name)
{
	struct dp_verdict *v = r->v;
	char text[320];
	size_t n;

	n = (size_t)snprintf(text, sizeof text, "%*s%s\t", 2 * ((int)r->depth - 1), "", name);
	if (b->unknown || b->refuted)
		snprintf(text + n, sizeof text - n, "%s", b->refuted ? "refuted" :
		    r->exact ? "no noise" : "unknown");
	else {
		n += (size_t)snprintf(text + n, sizeof text - n, "epsilon <= %.12g of %s", v->loss,
		    v->claimed);
		if (v->delta[0] != '\0')
			snprintf(text + n, sizeof text - n, ", delta <= %.6g of %s", v->missed,
			    v->delta);
	}
	dp_buf_puts(&v->each, text);
	dp_buf_puts(&v->each, "\n");
}

/* Adds all up; the first mechanism that loses more than it claims is the reason. */
static void
compare(struct reader *r, struct audit_body *b, const char *name)
{
	struct audit_account *a = &b->account;
	char why[160] = "";
	mpq_t left, rest;
	mpfr_t delta, sum;

	mpq_inits(left, rest, (mpq_ptr)NULL);
	mpfr_init2(delta, DP_AUDIT_BITS);
	mpq_mul(b->rate, b->rate, b->reach);
	mpq_add(a->loss, a->loss, b->rate);
	mpq_add(a->loss, a->loss, b->worst);
	mpq_sub(left, b->epsilon, a->loss);
	mpq_sub(rest, b->delta, a->missed);
	audit_account_delta(a, left, rest, delta);
	/* what is concentrated may lose all of epsilon */
	r->v->loss = up(a->gaussian + a->others > 0 && mpq_sgn(left) > 0 ? b->epsilon : a->loss);
	mpfr_init2(sum, DP_AUDIT_BITS);
	mpfr_add_q(sum, delta, a->missed, MPFR_RNDU);
	r->v->missed = mpfr_get_d(sum, MPFR_RNDU);
	mpfr_clear(sum);
	if (mpq_sgn(left) < 0)
		snprintf(why, sizeof why, "%.40s loses %.9g, more than %.40s", name, r->v->loss,
		    r->v->claimed);
	else if (mpq_sgn(rest) < 0 || mpfr_cmp_q(delta, rest) > 0)
		snprintf(why, sizeof why, "%.40s misses a delta of %.9g, more than %.40s", name,
		    r->v->missed, r->v->delta[0] != '\0' ? r->v->delta : "none");
	if (why[0] != '\0')
		audit_refute(r, b, why);
	mpfr_clear(delta);
	mpq_clears(left, rest, (mpq_ptr)NULL);
}

/* epsilon, delta if there is one, and reach */
static void
read_head(struct reader *r, struct audit_body *b, char claimed[static 64], char missed[static 64])
{
	bool more;

	missed[0] = '\0';
	audit_rational(r, b->epsilon, claimed);
	more = audit_next_line(r);
	if (more && audit_is(r, "delta")) {
		audit_rational(r, b->delta, missed);
		if (mpq_cmp_ui(b->delta, 1, 1) >= 0)
			audit_refuse(r, DP_VERDICT_MALFORMED, "a delta of 1, or more");
		more = audit_next_line(r);
	}
	if (!more || !audit_is(r, "reach"))
		audit_refuse(r, DP_VERDICT_MALFORMED, "a reach is missing");
	else
		mpz_set_ui(mpq_numref(b->reach), audit_whole(r, INT64_MAX));
}

/* The mechanism whose line this is, compared with what it claims; whole: NULL at the top. */
static int
read_mechanism(struct reader *r, struct audit_body *whole, uint64_t rounds)
{
	char name[64], claimed[64], missed[64], why[160];
	struct audit_body b = { .bound = { .name = name, .whole = whole } };
	int e;

	if (++r->depth > DEPTH || !audit_word(r, name, sizeof name) || !audit_next_line(r) ||
	    !audit_is(r, "epsilon")) {
		audit_refuse(r, DP_VERDICT_MALFORMED, "a mechanism is wrong");
		return 0;
	}
	mpq_inits(b.epsilon, b.delta, b.reach, b.rate, b.laplace, b.worst, b.fresh, b.drawn,
	    (mpq_ptr)NULL);
	audit_account_init(&b.account);
	read_head(r, &b, claimed, missed);
	if (audit_good(r) && audit_line_top(r) &&
	    mpz_cmp(mpq_numref(b.reach), r->neighbours->l1) < 0)
		audit_refute(r, &b, "its neighbours move the step values farther than its reach");
	audit_bound_reach(r, &b);
	e = read_body(r, &b);
	audit_bound_end(r, &b);
	memcpy(r->v->claimed, claimed, sizeof claimed);
	memcpy(r->v->delta, missed, sizeof missed);
	r->v->epsilon = up(b.epsilon);
	if (e == 0 && audit_good(r)) {
		if (b.unknown) {
			snprintf(why, sizeof why, "%.60s does not say what it draws", name);
			audit_refuse(r, DP_VERDICT_UNKNOWN, why);
		} else
			compare(r, &b, name);
		tell(r, &b, name);
		if (whole != NULL)
			add_part(r, whole, &b, rounds);
	}
	r->v->mechanisms++;
	r->depth--;
	mpq_clears(b.epsilon, b.delta, b.reach, b.rate, b.laplace, b.worst, b.fresh, b.drawn,
	    (mpq_ptr)NULL);
	free(b.blt);
	audit_account_clear(&b.account);
	if (b.tree != NULL)
		audit_tree_free(b.tree);
	free(b.tree);
	free(b.before.p);
	return e;
}

static bool
line_is(struct reader *r, const char *name)
{
	return audit_next_line(r) && audit_is(r, name);
}

/* Whatever it is. */
static bool
version_line(struct reader *r)
{
	const bool is = line_is(r, "version");

	if (is)
		r->line = r->stop;
	return is;
}

/* A line on noise that is private to nobody, whatever the mechanisms are. */
static bool
noise_line(struct reader *r)
{
	const bool exact = audit_is(r, "exact"), seeded = !exact && audit_is(r, "seeded");

	r->exact |= exact;
	r->seeded |= seeded;
	if (exact)
		audit_refuse(r, DP_VERDICT_NOT_PRIVATE, "epsilon is inf, the answers are exact");
	return exact || seeded;
}

/* After the lines on noise and neighbours, if there are any. */
static bool
first_mechanism(struct reader *r, struct audit_neighbours *n)
{
	const char *line;

	while (audit_next_line(r)) {
		line = r->line;
		if (!noise_line(r)) {
			if (!audit_neighbours_line(r, n) && !(r->bound && audit_claim_line(r)))
				return audit_is(r, "mechanism");
			audit_bound_claim(r, line);
		}
		if (!audit_good(r))
			return false;
	}
	return false;
}

/* The first line, and of version 2 the second: how many are to follow; *lines is set. */
static bool
read_first(struct reader *r, uint64_t *lines)
{
	char version[8] = "";

	if (!audit_next_line(r) || !audit_is(r, "dputils-plan")) {
		audit_refuse(r, DP_VERDICT_MALFORMED, "not a plan of dputils");
		return false;
	}
	if (!audit_word(r, version, sizeof version) || r->line != r->stop ||
	    (strcmp(version, "1") != 0 && strcmp(version, "2") != 0)) {
		audit_refuse(r, DP_VERDICT_MALFORMED,
		    "a plan of another version: 1 and 2 are what is read");
		return false;
	}
	r->v->bound = r->bound = strcmp(version, "2") == 0;
	if (r->bound && (!audit_next_line(r) || !audit_is(r, "lines")))
		audit_refuse(r, DP_VERDICT_MALFORMED, "it does not say how many lines it has");
	else if (r->bound)
		*lines = audit_whole(r, INT64_MAX);
	r->read = 0;
	return audit_good(r);
}

/* Checks that a plan of version 2 has its head, and as many lines as it says. */
static void
check_whole(struct reader *r, uint64_t lines)
{
	if (!audit_good(r) || !r->bound)
		return;
	if (r->read != lines)
		audit_refuse(r, DP_VERDICT_MALFORMED, "it has not as many lines as it says");
	else if (r->neighbours->lines == 0 || !r->claim->timed)
		audit_refuse(r, DP_VERDICT_MALFORMED,
		    "it does not say who the neighbours are, or how many steps there are");
}

int
dp_certificate_check(struct dp_verdict *v, const char *text, size_t n)
{
	struct audit_neighbours neighbours;
	struct audit_claim claim = { .timed = false };
	struct reader r = { .at = text, .end = text + n, .v = v, .claim = &claim,
	    .neighbours = &neighbours };
	uint64_t lines = 0;
	int e = 0;

	*v = (struct dp_verdict){ .is = DP_VERDICT_HOLDS };
	audit_neighbours_init(&neighbours);
	if (read_first(&r, &lines)) {
		if (!version_line(&r) || !line_is(&r, "tool") ||
		    !audit_word(&r, v->tool, sizeof v->tool) || !first_mechanism(&r, &neighbours))
			audit_refuse(&r, DP_VERDICT_MALFORMED,
			    "version, tool or mechanism is missing");
		else
			e = read_mechanism(&r, NULL, 0);
	}
	v->derived = neighbours.lines > 0;
	if (e == 0 && audit_good(&r) && (audit_next_line(&r) || r.cut))
		audit_refuse(&r, DP_VERDICT_MALFORMED, "the plan goes on after its end");
	check_whole(&r, lines);
	audit_neighbours_clear(&neighbours);
	if (r.seeded)
		audit_refuse(&r, DP_VERDICT_NOT_PRIVATE,
		    "the noise follows from --seed; without it the plan holds");
	if (r.exact) {
		snprintf(v->claimed, sizeof v->claimed, "inf");
		v->delta[0] = '\0';
		v->loss = INFINITY;
	}
	return e != 0 ? e : v->each.error != 0 ? v->each.error : v->claim.error != 0 ?
	    v->claim.error : v->given.error;
}

void
dp_verdict_free(struct dp_verdict *v)
{
	dp_buf_free(&v->each);
	dp_buf_free(&v->claim);
	dp_buf_free(&v->given);
}
