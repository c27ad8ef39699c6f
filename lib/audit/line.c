/* SPDX-License-Identifier: ISC */
/* line.c - what a line of a plan says of draws, and what it adds to the loss. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

static void audit_line_fresh(struct reader *, struct audit_body *);
static void audit_line_ages(struct reader *, struct audit_body *);
static void audit_line_blt(struct reader *, struct audit_body *);
static void audit_line_rise(struct reader *, struct audit_body *);
static void audit_line_banded(struct reader *, struct audit_body *);
static void audit_line_looks(struct reader *, struct audit_body *);
static void audit_line_pass(struct reader *, struct audit_body *);
static void audit_line_window(struct reader *, struct audit_body *);
static int audit_line_tree(struct reader *, struct audit_body *) DP_MUSTUSE;

/* What a plan's mechanisms must have, and what its numbers are no less than. */

#define ENDLESS		((uint64_t)1 << 40)	/* steps that are as good as without end */
#define OLDEST		((uint64_t)1 << 61)
#define WAYS		4

enum { LAPLACE = AUDIT_LAPLACE, VALUE = AUDIT_VALUE, CHOICE = AUDIT_CHOICE, WEIGH = AUDIT_WEIGH,
    GAUSS = AUDIT_GAUSS, SPARSE = AUDIT_SPARSE, COIN = AUDIT_COIN, AGAIN = AUDIT_AGAIN,
    PART = AUDIT_PART, TREE = AUDIT_TREE };

/* Kinds of lines of a mechanism: one of these sets. */
static const struct {
	const char *name;
	uint32_t of[WAYS];
} known[] = {
	/* sums */
	{ "input", { LAPLACE } }, { "output", { LAPLACE, VALUE } }, { "response", { LAPLACE } },
	{ "tree", { LAPLACE, PART } }, { "tree-gauss", { GAUSS } }, { "kary", { LAPLACE, PART } },
	{ "normtree", { TREE, PART } }, { "pan", { LAPLACE, PART, SPARSE | VALUE } },
	{ "pan-slots", { LAPLACE, PART } }, { "blt", { AUDIT_BLT, PART } },
	{ "blt-norm", { AUDIT_BLT } }, { "banded", { AUDIT_BANDED, PART } },
	{ "windowsum-paper", { LAPLACE } }, { "allwindow-paper", { LAPLACE } },
	{ "expsum-paper", { LAPLACE } }, { "map-paper", { LAPLACE } },
	{ "paper", { LAPLACE, SPARSE | VALUE } },
	{ "gradual", { AUDIT_FRESH | AUDIT_AGES } }, { "expire", { PART } },
	/* what is computed of them */
	{ "mean", { PART } }, { "quantile", { PART } }, { "histogram", { PART } },
	{ "columns", { PART } }, { "magnitude", { PART } }, { "dropped", { PART } },
	{ "margins", { PART } },
	/* sums, choices and names that are found anew */
	{ "recompute", { VALUE, CHOICE, CHOICE | VALUE, GAUSS } },
	{ "recompute", { WEIGH, WEIGH | GAUSS } },
	{ "lazy", { SPARSE | VALUE, SPARSE | CHOICE } }, { "trivial", { AUDIT_NOTHING } },
	{ "blocks", { CHOICE, WEIGH } }, { "doubling", { CHOICE, WEIGH } },
	{ "gated-laplace", { LAPLACE | AUDIT_NAMES } },
	{ "gated-normtree", { TREE | AUDIT_PASS } },
	{ "gated-window", { TREE | AUDIT_WINDOW } }, { "gated-blt", { PART | AUDIT_RISE } },
	/* sketches */
	{ "alg1", { LAPLACE | VALUE, LAPLACE | GAUSS } },
	{ "alg2", { COIN | VALUE, COIN | GAUSS } },
	{ "alg3", { PART } }, { "cells", { LAPLACE | VALUE, LAPLACE | GAUSS } },
	{ "hashed", { LAPLACE | VALUE, LAPLACE | GAUSS } },
	{ "hashed-bits", { AGAIN, LAPLACE | GAUSS } },
	{ "density", { AGAIN, LAPLACE | GAUSS } }, { "sample", { AGAIN, LAPLACE | GAUSS } },
	{ "moved", { AGAIN, LAPLACE | SPARSE, LAPLACE | GAUSS } },
	{ "modular", { COIN | VALUE, COIN | GAUSS } },
	{ "phase-levels", { LAPLACE | VALUE, LAPLACE | GAUSS } },
	{ "phase", { LAPLACE | VALUE, LAPLACE | GAUSS } },
	{ "ams", { LAPLACE } },
	{ "continual", { LAPLACE | VALUE, LAPLACE | GAUSS } },
	{ "anew", { AUDIT_LOOKS | VALUE, AUDIT_LOOKS | GAUSS } },
	{ "anew-cells", { LAPLACE | VALUE, LAPLACE | GAUSS } },
	{ "running", { PART | AUDIT_COUNTER, VALUE, GAUSS } },
	{ "table", { PART | AUDIT_COUNTER, VALUE, GAUSS } },
	{ "turnstile", { PART | AUDIT_COUNTER, VALUE, GAUSS } },
	{ "turnstile-table", { PART | AUDIT_COUNTER, VALUE, GAUSS } },
	{ "window", { PART | AUDIT_COUNTER, VALUE, GAUSS } }, { "windows", { PART } },
	/* thresholds, answers of lines, projections */
	{ "transform", { SPARSE | VALUE } }, { "rising", { SPARSE | VALUE } },
	{ "rounds", { AUDIT_ROUNDS | PART | GAUSS } }, { "round", { SPARSE } },
	{ "output-gauss", { GAUSS } }, { "rr", { COIN } }, { "subset", { COIN } },
	{ "hr", { COIN } }, { "duchi", { COIN } }, { "piecewise", { COIN } },
	{ "laplace", { LAPLACE } },
	{ "projected", { LAPLACE } }, { "counts", { VALUE } }, { "projected-counts", { VALUE } },
	{ "gauss", { GAUSS } }, { "projected-gauss", { GAUSS } },
	{ "pan-gauss", { GAUSS } }, { "book", { AUDIT_COMPOSED } }
};

bool
audit_claim_line(struct reader *r)
{
	struct audit_claim *c = r->claim;
	uint64_t *to = audit_is(r, "horizon") ? &c->horizon : audit_is(r, "apart") ? &c->apart :
	    audit_is(r, "covers") ? &c->covers : audit_is(r, "counts") ? &c->counts :
	    audit_is(r, "last") ? c->last : NULL;

	if (to == NULL)
		return false;
	if (*to != 0 || (to == &c->horizon && c->timed))
		audit_refuse(r, DP_VERDICT_MALFORMED, "a claim stands there twice");
	c->timed |= to == &c->horizon;
	if (to != c->last) {
		*to = audit_whole(r, INT64_MAX);
	} else
		while (r->line != r->stop && audit_good(r)) {
			if (c->lasts == AUDIT_LASTS)
				audit_refuse(r, DP_VERDICT_MALFORMED, "too many windows");
			else
				c->last[c->lasts++] = audit_some(r);
		}
	if (r->line != r->stop)
		audit_refuse(r, DP_VERDICT_MALFORMED, "a line is too long");
	return true;
}

void
audit_bound_claim(struct reader *r, const char *line)
{
	dp_buf_add(&r->v->claim, line, (size_t)(r->stop - line));
	dp_buf_puts(&r->v->claim, "\n");
}

void
audit_bound_given(struct reader *r, const char *name, const char *line)
{
	dp_buf_puts(&r->v->given, name);
	dp_buf_puts(&r->v->given, ": ");
	dp_buf_add(&r->v->given, line, (size_t)(r->stop - line));
	dp_buf_puts(&r->v->given, "\n");
}

/* The same of one number, where it is more than what it is compared with. */
static void
audit_bound_more(struct reader *r, const char *name, const char *what, uint64_t n)
{
	dp_buf_puts(&r->v->given, name);
	dp_buf_puts(&r->v->given, what);
	dp_buf_u64(&r->v->given, n);
	dp_buf_puts(&r->v->given, "\n");
}

/* The nearest one that counts changes and that this one is in, or NULL. */
static const struct audit_body *
counter(const struct audit_body *b)
{
	for (b = b->bound.whole; b != NULL && !(b->bound.has & AUDIT_COUNTER); b = b->bound.whole)
		;
	return b;
}

static bool
asked(const struct reader *r)
{
	return r->bound && audit_good(r);
}

/* Whether a mechanism of this name has such lines; 0: there is none. */
static int
has_its_lines(const struct audit_body *b)
{
	unsigned w;
	size_t i;
	int found = 0;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(known[i].name, b->bound.name) == 0)
			for (found = found == 0 ? -1 : found, w = 0; w < WAYS; w++)
				if (known[i].of[w] != 0 && known[i].of[w] == b->bound.has)
					found = 1;
	return found;
}

/* Of a tree that is not of all steps, or not of steps: bins, or one after the other in a row. */
static void
tell_levels(struct reader *r, const struct audit_body *b)
{
	const struct audit_body *c = counter(b);
	const uint64_t T = c != NULL ? c->bound.counter[2] : r->claim->horizon;
	unsigned h = 0;

	while (h < 64 && T > 1 && (T - 1) >> h != 0)
		h++;
	if ((b->bound.has & AUDIT_TREE) && !(b->bound.has & AUDIT_PASS) &&
	    (T == 0 || b->trees > 1 || b->tree->h != (h > 0 ? h : 1)))
		audit_bound_more(r, b->bound.name, ": LEVELS ", b->tree->h);
}

/*
 * A tree ends where the next one begins.  Noise that names are told by has a pass in each of them;
 * without names a row of them loses what its worst does, as a step is of one.
 */
static void
audit_bound_next(struct reader *r, struct audit_body *b)
{
	if (asked(r) && b->trees > 0 && !b->passed)
		audit_bound_more(r, b->bound.name, ": LEVELS ", b->tree->h);
}

/* Names are told by some of a mechanism's trees, and not by all. */
static bool
without_thresholds(const struct audit_body *b)
{
	return ((b->bound.has & AUDIT_PASS) && !b->passed) ||
	    ((b->bound.has & AUDIT_WINDOW) && b->trees > 1);
}

/*
 * Of a table's keys and totals (lib/stat/margins.h) each part is of one line of neighbours, whose
 * numbers are in no other.
 */
static bool
of_bands(const struct audit_body *b)
{
	return b->bound.whole == NULL && strcmp(b->bound.name, "margins") == 0;
}

/* The moves of what noise is on. */
static const struct audit_neighbours *
around(const struct reader *r, const struct audit_body *b)
{
	for (; b->bound.whole != NULL; b = b->bound.whole)
		if (of_bands(b->bound.whole) && b->bound.whole->bound.got < AUDIT_BANDS &&
		    r->neighbours->line[b->bound.whole->bound.got] != NULL)
			return r->neighbours->line[b->bound.whole->bound.got];
	return r->neighbours;
}

void
audit_bound_end(struct reader *r, struct audit_body *b)
{
	char why[160];
	int is;

	if (!asked(r) || b->unknown)
		return;
	if ((is = has_its_lines(b)) == 0) {
		snprintf(why, sizeof why, "%.60s: a mechanism whose lines nothing is known of",
		    b->bound.name);
		audit_refuse(r, DP_VERDICT_UNKNOWN, why);
		b->unknown = true;
	} else if (is < 0) {
		snprintf(why, sizeof why, "%.60s has not the lines that it must have",
		    b->bound.name);
		audit_refute(r, b, why);
	} else if (without_thresholds(b))
		audit_refute(r, b, "a tree has no thresholds");
	else if ((b->bound.has & AUDIT_PASS) &&
	    (r->claim->horizon == 0 || b->bound.passes < r->claim->horizon))
		audit_refute(r, b, "its thresholds are not of all steps");
	else if ((strcmp(b->bound.name, "expire") == 0 ||
	    strcmp(b->bound.name, "map-paper") == 0) && r->claim->covers == 0)
		audit_refute(r, b, "it does not say which steps it covers");
	else if (b->bound.got != b->bound.parts ||
	    (of_bands(b) && b->bound.got != r->neighbours->lines))
		audit_refute(r, b, "it has not as many parts as it says");
	else
		tell_levels(r, b);
}

void
audit_bound_reach(struct reader *r, struct audit_body *b)
{
	mpz_srcptr reach = mpq_numref(b->reach);
	mpz_t least;
	int is;

	if (!asked(r))
		return;
	mpz_init(least);
	if (b->bound.whole == NULL)
		mpz_set(least, around(r, b)->l1);
	else if (b->bound.whole->bound.has & AUDIT_COUNTER)
		mpz_set_ui(least, b->bound.whole->bound.counter[0]);
	else if (of_bands(b->bound.whole))
		mpz_set(least, around(r, b)->l1);
	else
		mpz_set(least, mpq_numref(b->bound.whole->reach));
	if ((is = mpz_cmp(reach, least)) < 0)
		audit_refute(r, b, b->bound.whole == NULL ?
		    "its neighbours move the step values farther than its reach" :
		    "a part's reach is less than what moves it");
	else if (is > 0)
		audit_bound_more(r, b->bound.name, ": reach ", mpz_get_ui(reach));
	mpz_clear(least);
}

/* All do nothing unless the plan is bound. */
static void
audit_bound_each(struct reader *r, struct audit_body *b, uint64_t each)
{
	if (asked(r) && each < around(r, b)->each)
		audit_refute(r, b, "its neighbours differ in more events of one name than its "
		    "threshold is for");
	else if (asked(r) && each > around(r, b)->each)
		audit_bound_more(r, b->bound.name, ": EACH ", each);
}

/*
 * All do nothing unless the plan is bound.
 *
 * A x is released, A public, x the counts of each kind of records.  Noise DLap(b) on every answer,
 * which one unit moves by no more than it does all of them.  Where it is on x instead, of `counts',
 * A (x + z) is computed of x + z, which loses |x - x'|_1 / b (Parts.laplace_moves): what A has no
 * part in, so that it may be less than what answers move by.
 */
static void
audit_bound_moves(struct reader *r, struct audit_body *b, uint64_t moves)
{
	const uint64_t counts = strcmp(b->bound.name, "counts") == 0 ||
	    strcmp(b->bound.name, "projected-counts") == 0 ? r->claim->counts : 0;

	if (asked(r) && b->bound.whole == NULL && (counts != 0 ? counts > moves :
	    mpz_cmp_ui(around(r, b)->linf, moves) > 0))
		audit_refute(r, b, "its neighbours move a number farther");
}

/*
 * All do nothing unless the plan is bound.
 *
 * One release of a number that a unit moves by m moves its draw by m: squares of all are m^2 at
 * least, and a threshold, or what is compared with it, is such a number.  Where noise is on all
 * that a unit moves, on each answer or in each level of a tree, they are all neighbours' squares.
 */
static void
audit_bound_squares(struct reader *r, struct audit_body *b, const mpz_t square)
{
	const char *name = b->bound.name;
	mpz_t least;

	if (!asked(r) || counter(b) != NULL)
		return;
	mpz_init(least);
	mpz_mul(least, around(r, b)->linf, around(r, b)->linf);
	if (strcmp(name, "gauss") == 0 || strcmp(name, "projected-gauss") == 0 ||
	    strcmp(name, "tree-gauss") == 0 || strcmp(name, "pan-gauss") == 0)
		mpz_set(least, around(r, b)->square);
	if (mpz_cmp(square, least) < 0)
		audit_refute(r, b, "its neighbours move its draws by larger squares");
	mpz_clear(least);
}

/* All do nothing unless the plan is bound. */
/* Identifiers of each key (lib/sketch/exact.c): n numbers move by m, and those of all columns. */
static void
bound_window(struct reader *r, struct audit_body *b, uint64_t m, uint64_t n)
{
	mpz_t all;

	mpz_init_set_ui(all, m);
	mpz_mul_ui(all, all, n);
	if (asked(r) && around(r, b)->once && strcmp(b->bound.name, "window") == 0 &&
	    mpz_cmp(all, around(r, b)->l1) < 0)
		audit_refute(r, b, "its neighbours move the numbers of more columns");
	mpz_clear(all);
}

static void
audit_bound_span(struct reader *r, struct audit_body *b, uint64_t span)
{
	if (asked(r) && counter(b) == NULL && mpz_cmp_ui(around(r, b)->linf, span) > 0)
		audit_refute(r, b, "its neighbours move what is compared farther");
}

/* All do nothing unless the plan is bound. */
/* A binary tree over T steps has lg T levels. */
static void
audit_bound_times(struct reader *r, struct audit_body *b, uint64_t times)
{
	const uint64_t T = r->claim->horizon;

	if (asked(r) && strcmp(b->bound.name, "tree") == 0 && counter(b) == NULL && T > 1 &&
	    (times >= 64 ? 0 : (T - 1) >> times) != 0)
		audit_refute(r, b, "a tree of fewer levels than its steps need");
}

/* All do nothing unless the plan is bound. */
/* Without noise on a threshold each step's comparison is a release. */
static void
audit_bound_all(struct reader *r, struct audit_body *b, uint64_t n)
{
	const uint64_t T = r->claim->horizon;

	if (asked(r) && (T == 0 || n < T || strcmp(b->bound.name, "pan") != 0))
		audit_refute(r, b, "a threshold without noise, and comparisons that are free");
}

/* All do nothing unless the plan is bound. */
static void
audit_bound_age(struct reader *r, struct audit_body *b, uint64_t age)
{
	const uint64_t T = r->claim->horizon;

	if (asked(r) && age < (T == 0 ? OLDEST : T - 1))
		audit_refute(r, b, "events grow older than it says");
}

/* All do nothing unless the plan is bound. */
static void
audit_bound_cells(struct reader *r, struct audit_body *b, uint64_t cells)
{
	if (asked(r) && counter(b) == NULL && b->bound.whole != NULL &&
	    (mpz_sgn(around(r, b)->cells) == 0 || mpz_cmp_ui(around(r, b)->cells, cells) > 0))
		audit_refute(r, b, "its neighbours differ in more values");
}

/* All do nothing unless the plan is bound. */
/* One for all T steps; or those of phases, of one tree after another. */
static void
audit_bound_pass(struct reader *r, struct audit_body *b, unsigned n, const uint64_t *steps)
{
	const unsigned j = b->trees - 1, first = j == 0 ? 2 : 2 * j + 3, h = b->tree->h;
	const bool all = j == 0 && n == 1 && steps[0] == r->claim->horizon;
	unsigned i;

	if (!asked(r))
		return;
	for (i = 0; i < n && first + i < 31 && steps[i] == (uint64_t)1 << (2 * (first + i)); i++)
		;
	if (h > 62 || steps[n - 1] > (uint64_t)1 << h || (!all && (i < n || h != 4 * (j + 2))) ||
	    (j > 0 && !b->bound.full))
		audit_refute(r, b, "its thresholds are not of all steps");
	else {
		b->bound.full = steps[n - 1] == (uint64_t)1 << h;
		b->bound.passes += steps[n - 1];
	}
}

/* All do nothing unless the plan is bound. */
static void
audit_bound_window(struct reader *r, struct audit_body *b, uint64_t W)
{
	if (asked(r) && (r->claim->lasts != 1 || r->claim->last[0] != W))
		audit_refute(r, b, "its windows are not of the steps that are claimed");
}

/* All do nothing unless the plan is bound. */
static void
audit_bound_steps(struct reader *r, struct audit_body *b, uint64_t steps, uint64_t columns)
{
	const struct audit_body *c = counter(b);
	const uint64_t T = c != NULL ? c->bound.counter[2] : r->claim->horizon;

	if (!asked(r))
		return;
	if (steps < (T == 0 ? ENDLESS : T))
		audit_refute(r, b, "its noise is of fewer steps than the run has");
	else if (c == NULL && mpz_cmp_ui(around(r, b)->columns, columns) > 0)
		audit_refute(r, b, "its neighbours differ in more columns");
	if (steps > T)
		audit_bound_more(r, b->bound.name, ": STEPS ", steps);
	if (c != NULL || mpz_cmp_ui(around(r, b)->columns, columns) < 0)
		audit_bound_more(r, b->bound.name, ": COLUMNS ", columns);
}

/* What a line of a plan says of draws, and what it adds to the loss. */

void
audit_refute(struct reader *r, struct audit_body *b, const char *why)
{
	b->refuted = true;
	audit_refuse(r, DP_VERDICT_REFUTED, why);
}

bool
audit_line_top(const struct reader *r)
{
	return r->depth == 1 && r->neighbours->lines > 0;
}

#define EXPONENTS	4096		/* bits of a ratio */

/* *q = x >= 0, or more; refuted where x is beyond all bounds. */
static void
audit_rounded(struct reader *r, struct audit_body *b, mpq_t q, mpfr_t x)
{
	mpq_set_ui(q, 0, 1);
	if (!mpfr_number_p(x) || (!mpfr_zero_p(x) && mpfr_get_exp(x) > EXPONENTS)) {
		audit_refute(r, b, "a loss without bound");
		return;
	}
	if (!mpfr_zero_p(x) && mpfr_get_exp(x) < -EXPONENTS)
		mpfr_set_ui_2exp(x, 1, -EXPONENTS, MPFR_RNDU);
	mpfr_get_q(q, x);
}

uint64_t
audit_some(struct reader *r)
{
	const uint64_t n = audit_whole(r, INT64_MAX);

	if (n == 0)
		audit_refuse(r, DP_VERDICT_MALFORMED, "noise for no move, or for no release");
	return n;
}

/* loss += n m / b */
static void
lose_line(struct audit_body *b, const mpq_t scale, uint64_t m, uint64_t n)
{
	mpq_t q;

	mpq_init(q);
	mpz_set_ui(mpq_numref(q), m);
	mpz_mul_ui(mpq_numref(q), mpq_numref(q), n);
	mpq_div(q, q, scale);
	mpq_add(b->account.loss, b->account.loss, q);
	mpq_clear(q);
}

/* laplace b n: what one grid unit moves by n */
static void
laplace(struct reader *r, struct audit_body *b)
{
	char text[64];
	uint64_t times;
	mpq_t scale, n;

	mpq_inits(scale, n, (mpq_ptr)NULL);
	audit_rational(r, scale, text);
	mpq_set(b->laplace, scale);
	times = audit_some(r);
	audit_bound_times(r, b, times);
	mpz_set_ui(mpq_numref(n), times);
	mpq_div(n, n, scale);
	mpq_add(b->rate, b->rate, n);
	mpq_clears(scale, n, (mpq_ptr)NULL);
}

/* value b m n, choice b m n */
static void
value_line(struct reader *r, struct audit_body *b)
{
	char text[64];
	uint64_t m, n;
	mpq_t scale;

	mpq_init(scale);
	audit_rational(r, scale, text);
	m = audit_some(r);
	n = audit_some(r);
	audit_bound_moves(r, b, m);
	bound_window(r, b, m, n);
	lose_line(b, scale, m, n);
	mpq_clear(scale);
}

/* weigh b m n: n (m / b)^2 / 8 of rho (random/selection.h) */
static void
weigh_line(struct reader *r, struct audit_body *b)
{
	char text[64];
	uint64_t moves;
	mpq_t scale, m;

	mpq_inits(scale, m, (mpq_ptr)NULL);
	audit_rational(r, scale, text);
	moves = audit_some(r);
	audit_bound_moves(r, b, moves);
	mpz_set_ui(mpq_numref(m), moves);
	mpq_div(m, m, scale);
	audit_account_choices(&b->account, audit_some(r), m);
	mpq_clears(scale, m, (mpq_ptr)NULL);
}

/* gauss variance square draws */
static void
gauss(struct reader *r, struct audit_body *b)
{
	char text[64];
	mpq_t variance, square;
	mpz_t draws;

	mpq_inits(variance, square, (mpq_ptr)NULL);
	audit_rational(r, variance, text);
	audit_integer(r, mpq_numref(square));
	if (audit_good(r))
		audit_bound_squares(r, b, mpq_numref(square));
	mpz_init_set_ui(draws, audit_some(r));
	audit_account_gauss(&b->account, variance, square, draws);
	mpz_clear(draws);
	mpq_clears(variance, square, (mpq_ptr)NULL);
}

/*
 * sparse a m b s n: a threshold's noise of scale a moves by m, and at n comparisons noise of scale
 * b by s (stat/lazy.c, transform.h)
 */
static void
sparse(struct reader *r, struct audit_body *b)
{
	const bool none = r->stop - r->line >= 7 && memcmp(r->line, " 0/1 0 ", 7) == 0;
	char text[64];
	uint64_t m, n;
	mpq_t scale;

	mpq_init(scale);
	if (none)
		r->line += 6;
	else {
		audit_rational(r, scale, text);
		m = audit_some(r);
		audit_bound_span(r, b, m);
		lose_line(b, scale, m, 1);
	}
	audit_rational(r, scale, text);
	m = audit_some(r);
	audit_bound_span(r, b, m);
	n = audit_some(r);
	lose_line(b, scale, m, n);
	if (none)
		audit_bound_all(r, b, n);
	mpq_clear(scale);
}

#define COIN_BITS	1024		/* a coin has 256 */

/* coin h a b n: n ln (h a / ((1 - h) b)), or of its inverse, a grid unit; h in units of 2^-256 */
static void
coin(struct reader *r, struct audit_body *b)
{
	mpz_t h, tails;
	mpq_t odds, loss;
	mpfr_t x;
	uint64_t n;

	mpz_inits(h, tails, (mpz_ptr)NULL);
	mpq_inits(odds, loss, (mpq_ptr)NULL);
	mpfr_init2(x, COIN_BITS);
	audit_word_256(r, h);
	mpz_ui_pow_ui(tails, 2, 256);
	mpz_sub(tails, tails, h);
	mpz_mul_ui(mpq_numref(odds), h, audit_some(r));
	mpz_mul_ui(mpq_denref(odds), tails, audit_some(r));
	n = audit_some(r);
	if (audit_good(r)) {
		mpq_canonicalize(odds);
		if (mpz_cmp(mpq_numref(odds), mpq_denref(odds)) < 0)
			mpq_inv(odds, odds);
		mpfr_set_q(x, odds, MPFR_RNDU);
		mpfr_log(x, x, MPFR_RNDU);
		audit_rounded(r, b, loss, x);
		mpz_mul_ui(mpq_numref(loss), mpq_numref(loss), n);
		mpq_canonicalize(loss);
		mpq_add(b->rate, b->rate, loss);
	}
	mpfr_clear(x);
	mpz_clears(h, tails, (mpz_ptr)NULL);
	mpq_clears(odds, loss, (mpq_ptr)NULL);
}

/*
 * again a b m n: bits drawn again at each sight, 1 or 0 with odds e^(1/a), and n answers that each
 * moves by m, with noise of scale b: 1/a + ln(p + (1 - p) e^(n m / b)), p = 1 / (1 + e^(1/a)), of
 * each bit, of which a unit has as many as it has grid units (lib/sketch/internal.h, AGAIN)
 */
static void
again(struct reader *r, struct audit_body *b)
{
	char text[64];
	mpq_t state, out, q;
	mpfr_t p, x;

	mpq_inits(state, out, q, (mpq_ptr)NULL);
	mpfr_inits2(DP_AUDIT_BITS, p, x, (mpfr_ptr)NULL);
	audit_rational(r, state, text);
	audit_rational(r, out, text);
	mpz_set_ui(mpq_numref(q), audit_some(r));
	mpz_mul_ui(mpq_numref(q), mpq_numref(q), audit_some(r));
	mpq_inv(state, state);
	mpq_add(b->rate, b->rate, state);
	mpq_div(q, q, out);
	/* p (1 - e^y) + e^y, y = n m / b: it falls as p grows */
	mpfr_set_q(p, state, MPFR_RNDU);
	mpfr_exp(p, p, MPFR_RNDU);
	mpfr_add_ui(p, p, 1, MPFR_RNDU);
	mpfr_ui_div(p, 1, p, MPFR_RNDD);
	mpfr_set_q(x, q, MPFR_RNDU);
	mpfr_expm1(x, x, MPFR_RNDU);
	mpfr_ui_sub(p, 1, p, MPFR_RNDU);
	mpfr_mul(x, x, p, MPFR_RNDU);
	mpfr_log1p(x, x, MPFR_RNDU);
	audit_rounded(r, b, q, x);
	if (audit_good(r))
		mpq_add(b->rate, b->rate, q);
	mpfr_clears(p, x, (mpfr_ptr)NULL);
	mpq_clears(state, out, q, (mpq_ptr)NULL);
}

/* k, or where a name may have all of them max(k, e^(epsilon (k - 1) / k)), rounded up. */
static void
audit_line_factor(const struct audit_body *b, uint64_t k, uint64_t each, mpfr_t unit)
{
	mpq_t q;

	mpfr_set_ui(unit, k, MPFR_RNDU);
	if (each == 1)
		return;
	mpq_init(q);
	mpq_set_ui(q, k - 1, k);
	mpq_canonicalize(q);
	mpq_mul(q, q, b->epsilon);
	mpfr_set_q(unit, q, MPFR_RNDU);
	mpfr_exp(unit, unit, MPFR_RNDU);
	if (mpfr_cmp_ui(unit, k) < 0)
		mpfr_set_ui(unit, k, MPFR_RNDU);
	mpq_clear(q);
}

/* delta += f times what names of units of k events, at most `each' of one, cost; f >= 0 is used. */
static void
audit_line_unit(struct reader *r, struct audit_body *b, mpfr_t f, uint64_t k, uint64_t each)
{
	mpfr_t unit;
	mpq_t q;

	if (mpq_cmp_ui(b->reach, k, 1) > 0)
		audit_refute(r, b, "a unit has more events than its threshold is for");
	mpq_init(q);
	mpfr_init2(unit, DP_AUDIT_BITS);
	audit_line_factor(b, k, each, unit);
	mpfr_mul(f, f, unit, MPFR_RNDU);
	audit_rounded(r, b, q, f);
	mpq_add(b->account.missed, b->account.missed, q);
	mpfr_clear(unit);
	mpq_clear(q);
}

/*
 * names b tau k u: names told of where a step's count and noise of scale b come to tau; k events
 * are a unit's, at most u of one name: k, or, where u is above 1, max(k, e^(epsilon (k-1) / k)),
 * times P(noise >= tau - 1) = e^(-(tau - 1) / b) / (1 + e^(-1/b)) is missed (Naming.naming)
 */
static void
names(struct reader *r, struct audit_body *b)
{
	char text[64];
	uint64_t tau, k, most;
	mpfr_t x, y;
	mpq_t q;

	mpq_init(q);
	mpfr_inits2(DP_AUDIT_BITS, x, y, (mpfr_ptr)NULL);
	audit_rational(r, q, text);
	tau = audit_some(r);
	k = audit_some(r);
	most = audit_some(r);
	audit_bound_each(r, b, most);
	if (audit_good(r) && !mpq_equal(q, b->laplace))
		audit_refute(r, b, "a threshold, and noise of another scale");
	if (audit_good(r)) {
		mpq_inv(q, q);
		mpq_neg(q, q);
		mpfr_set_q(x, q, MPFR_RNDU);
		mpfr_mul_ui(x, x, tau - 1, MPFR_RNDU);
		mpfr_exp(x, x, MPFR_RNDU);
		mpfr_set_q(y, q, MPFR_RNDD);
		mpfr_exp(y, y, MPFR_RNDD);
		mpfr_add_ui(y, y, 1, MPFR_RNDD);
		mpfr_div(x, x, y, MPFR_RNDU);
		audit_line_unit(r, b, x, k, most);
	}
	mpfr_clears(x, y, (mpfr_ptr)NULL);
	mpq_clear(q);
}

/*
 * composed b m n: n numbers that one unit moves by m, each with noise of scale b: with e = m / b
 * sqrt(2 n ln(1 / delta)) e + n e (e^e - 1), for all of delta (Dwork, Roth 2014, Theorem 3.20)
 */
static void
composed(struct reader *r, struct audit_body *b)
{
	char text[64];
	uint64_t n;
	mpfr_t e, x, y;
	mpq_t q, m;

	mpq_inits(q, m, (mpq_ptr)NULL);
	mpfr_inits2(DP_AUDIT_BITS, e, x, y, (mpfr_ptr)NULL);
	audit_rational(r, q, text);
	mpz_set_ui(mpq_numref(m), audit_some(r));
	n = audit_some(r);
	if (mpq_sgn(b->delta) == 0)
		audit_refute(r, b, "composition by a delta that there is none of");
	else if (audit_good(r)) {
		mpq_div(q, m, q);
		mpfr_set_q(e, q, MPFR_RNDU);
		mpfr_set_q(x, b->delta, MPFR_RNDD);
		mpfr_log(x, x, MPFR_RNDD);
		mpfr_neg(x, x, MPFR_RNDU);
		mpfr_mul_ui(x, x, n, MPFR_RNDU);
		mpfr_mul_2ui(x, x, 1, MPFR_RNDU);
		mpfr_sqrt(x, x, MPFR_RNDU);
		mpfr_expm1(y, e, MPFR_RNDU);
		mpfr_mul_ui(y, y, n, MPFR_RNDU);
		mpfr_add(x, x, y, MPFR_RNDU);
		mpfr_mul(x, x, e, MPFR_RNDU);
		audit_rounded(r, b, q, x);
		mpq_add(b->account.loss, b->account.loss, q);
		mpq_add(b->account.missed, b->account.missed, b->delta);
	}
	mpfr_clears(e, x, y, (mpfr_ptr)NULL);
	mpq_clears(q, m, (mpq_ptr)NULL);
}

/* counter moves fading answers: of the part */
static void
counted(struct reader *r, struct audit_body *b)
{
	if (b->bound.has & (AUDIT_COUNTER | AUDIT_PART))
		audit_refuse(r, DP_VERDICT_MALFORMED, "a counter after its part");
	b->bound.counter[0] = audit_some(r);
	b->bound.counter[1] = audit_some(r);
	b->bound.counter[2] = audit_whole(r, INT64_MAX);
	bound_window(r, b, b->bound.counter[0], 1);
	if (audit_good(r) && audit_line_top(r) &&
	    mpz_cmp_ui(around(r, b)->linf, b->bound.counter[0]) > 0)
		audit_refute(r, b, "its neighbours move a number farther");
}

/* parts n: that are to follow, which lose in sum what the whole does */
static void
parts(struct reader *r, struct audit_body *b)
{
	if (!r->bound)
		audit_refuse(r, DP_VERDICT_MALFORMED, "not a word of a plan of version 1");
	if (b->bound.parts > 0 || (b->bound.has & AUDIT_PART))
		audit_refuse(r, DP_VERDICT_MALFORMED, "parts are counted twice, or too late");
	if ((b->bound.parts = audit_whole(r, INT64_MAX)) == 0)
		audit_refuse(r, DP_VERDICT_MALFORMED, "no parts are counted");
	else if (b->bound.parts > 1)
		audit_bound_more(r, b->bound.name, ": parts ", b->bound.parts);
}

int
audit_line(struct reader *r, struct audit_body *b, bool *is)
{
	static const struct {
		const char *word;
		void (*read)(struct reader *, struct audit_body *);
		uint32_t kind;
		bool given;		/* it has counts that are taken as they are */
	} of[] = {
		{ "laplace", laplace, AUDIT_LAPLACE, true }, { "value", value_line, AUDIT_VALUE,
		    true },
		{ "choice", value_line, AUDIT_CHOICE, true }, { "weigh", weigh_line, AUDIT_WEIGH,
		    true },
		{ "gauss", gauss, AUDIT_GAUSS, true }, { "sparse", sparse, AUDIT_SPARSE, true },
		{ "coin", coin, AUDIT_COIN, true }, { "again", again, AUDIT_AGAIN, true },
		{ "names", names, AUDIT_NAMES, false },
		{ "fresh", audit_line_fresh, AUDIT_FRESH, true },
		{ "ages", audit_line_ages, AUDIT_AGES, false },
		{ "pass", audit_line_pass, AUDIT_PASS, false },
		{ "window", audit_line_window, AUDIT_WINDOW, false },
		{ "composed", composed, AUDIT_COMPOSED, true },
		{ "blt", audit_line_blt, AUDIT_BLT, false },
		{ "banded", audit_line_banded, AUDIT_BANDED, false },
		{ "rise", audit_line_rise, AUDIT_RISE, false },
		{ "looks", audit_line_looks, AUDIT_LOOKS, true },
		{ "counter", counted, AUDIT_COUNTER, true }, { "parts", parts, 0, false }
	};
	const char *line = r->line;
	size_t i;

	*is = true;
	if (audit_is(r, "tree")) {
		b->bound.has |= AUDIT_TREE;
		return audit_line_tree(r, b);
	}
	if (audit_is(r, "nothing")) {	/* is drawn: what is printed is a function of options */
		b->bound.has |= AUDIT_NOTHING;
		return 0;
	}
	for (i = 0; i < sizeof of / sizeof *of; i++)
		if (audit_is(r, of[i].word)) {
			of[i].read(r, b);
			b->bound.has |= of[i].kind;
			if (r->line != r->stop)
				audit_refuse(r, DP_VERDICT_MALFORMED, "a line is too long");
			else if (of[i].given)
				audit_bound_given(r, b->bound.name, line);
			return 0;
		}
	*is = false;
	return 0;
}

/*
 * A loss that grows with age: noise of scale b_l on the intervals of 2^l steps
 * (lib/counter/gradual.c has the statements (2) and (3), whose names stand here).
 */

#define LEVELS	64

struct ages {
	mpq_t c[LEVELS];		/* 1 / b_l */
	unsigned n;
};

static unsigned
log_down(uint64_t d)
{
	unsigned l = 0;

	while (l < 63 && d >> (l + 1) != 0)
		l++;
	return l;
}

/* c_l; past the last, the last's */
static mpq_srcptr
level(const struct ages *a, unsigned l)
{
	return a->c[l < a->n ? l : a->n - 1];
}

/* (2): C_0 + .. + C_j, j = floor(lg(d + 1)), C_l the largest of c_l, c_(l+1), .. */
static void
greedy(const struct ages *a, unsigned j, mpq_t sum)
{
	unsigned l = j > a->n ? j : a->n;
	mpq_t most;

	mpq_init(most);
	mpq_set_ui(sum, 0, 1);
	do {
		if (mpq_cmp(level(a, l), most) > 0)
			mpq_set(most, level(a, l));
		if (l <= j)
			mpq_add(sum, sum, most);
	} while (l-- > 0);
	mpq_clear(most);
}

/* (3): h_0 + .. + h_(j-1) + h_0, j = ceil(lg(d + 1)), h_l = min(c_l, 2 h_(l-1)) */
static void
across(const struct ages *a, unsigned j, mpq_t sum)
{
	unsigned l;
	mpq_t h;

	mpq_init(h);
	mpq_set(sum, level(a, 0));
	for (l = 0; l < j; l++) {
		mpq_mul_2exp(h, h, 1);
		if (l == 0 || mpq_cmp(level(a, l), h) < 0)
			mpq_set(h, level(a, l));
		mpq_add(sum, sum, h);
	}
	mpq_clear(h);
}

/* The smaller of both, of events d steps old. */
static void
loss_at(const struct ages *a, uint64_t d, mpq_t loss)
{
	const unsigned j = log_down(d + 1);
	mpq_t other;

	mpq_init(other);
	greedy(a, j, loss);
	across(a, j + ((d & (d + 1)) != 0), other);
	if (mpq_cmp(other, loss) < 0)
		mpq_set(loss, other);
	mpq_clear(other);
}

/* Statements of several lines: a tree and its tables. */
/* fresh e: of the ages that follow, where d is 0 */
static void
audit_line_fresh(struct reader *r, struct audit_body *b)
{
	char text[64];

	audit_rational(r, b->fresh, text);
}

/* At most what an event of such an age may lose: pairs of an age, and of how often fresh. */
static void
promises(struct reader *r, struct audit_body *b, const struct ages *a)
{
	mpq_t loss, most;
	char text[64];
	uint64_t d;

	mpq_inits(loss, most, (mpq_ptr)NULL);
	while (audit_good(r) && r->line != r->stop) {
		d = audit_whole(r, (uint64_t)1 << 62);
		if (!audit_good(r))
			break;
		audit_rational(r, most, text);
		if (!audit_good(r))
			break;
		mpq_mul(most, most, b->fresh);
		loss_at(a, d, loss);
		mpq_mul(loss, loss, b->reach);
		if (mpq_cmp(loss, most) > 0)
			audit_refute(r, b, "an old event loses more than its age may");
	}
	mpq_clears(loss, most, (mpq_ptr)NULL);
}

/* Statements of several lines: a tree and its tables. */
/* ages d n b_0 b_1 ..: of events up to d steps old; [age most]..: promises() */
static void
audit_line_ages(struct reader *r, struct audit_body *b)
{
	const uint64_t d = audit_whole(r, (uint64_t)1 << 62);
	struct ages a = { .n = (unsigned)audit_whole(r, LEVELS) };
	char text[64];
	mpq_t loss;
	unsigned l;

	audit_bound_age(r, b, d);
	if (a.n == 0)
		audit_refuse(r, DP_VERDICT_MALFORMED, "noise of no interval");
	for (l = 0; l < a.n; l++) {
		mpq_init(a.c[l]);
		mpq_set_ui(a.c[l], 1, 1);
		if (audit_good(r)) {
			audit_rational(r, a.c[l], text);
			mpq_inv(a.c[l], a.c[l]);
		}
	}
	mpq_init(loss);
	if (audit_good(r)) {
		loss_at(&a, 0, loss);
		mpq_mul(loss, loss, b->reach);
		if (mpq_sgn(b->fresh) > 0 && mpq_cmp(loss, b->fresh) > 0)
			audit_refute(r, b, "an event loses more at its own step than is said");
		loss_at(&a, d, loss);
		mpq_add(b->rate, b->rate, loss);
		promises(r, b, &a);
	}
	mpq_clear(loss);
	for (l = 0; l < a.n; l++)
		mpq_clear(a.c[l]);
}

/* Lines of correlated noise: its coefficients, and their shift. */

#define DITHERED	(1ul << 52)	/* the variance that counter/internal.h's dither needs */

static uint64_t
below(struct reader *r, uint64_t end)
{
	return audit_whole(r, end - 1);
}

/* STEPS COLUMNS BITS */
static void
sizes(struct reader *r, uint64_t *steps, uint64_t *columns, uint64_t *bits)
{
	*steps = audit_some(r);
	*columns = audit_some(r);
	*bits = below(r, 63);
}

static void
next(struct reader *r, const char *word)
{
	if (audit_good(r) && (!audit_next_line(r) || !audit_is(r, word)))
		audit_refuse(r, DP_VERDICT_MALFORMED, "a coefficient is missing");
}

static void
add_correlated(struct audit_body *b, const mpq_t variance, const mpq_t square, uint64_t steps,
    uint64_t columns)
{
	mpz_t draws;

	mpz_init_set_ui(draws, steps);
	mpz_mul_ui(draws, draws, columns);
	audit_account_gauss(&b->account, variance, square, draws);
	mpz_clear(draws);
}

static void
read_poles(struct reader *r, struct audit_blt *f)
{
	unsigned i;

	for (i = 0; i < f->poles; i++) {
		next(r, "pole");
		f->gap[i] = audit_word_64(r);
		f->om[i] = audit_word_64(r);
	}
	for (i = 0; f->lag != 0 && i < DP_AUDIT_ECHOES; i++) {
		next(r, "echo");
		f->a[i] = below(r, (uint64_t)1 << 32);
		f->b[i] = below(r, (uint64_t)1 << 32);
	}
	for (i = 0; i < f->pieces; i++) {
		next(r, "piece");
		f->left[i] = audit_some(r);
		f->unit[i] = audit_some(r);
	}
}

/* It is the part that counts another one's changes. */
static bool
counts(const struct audit_body *b)
{
	return b->bound.whole != NULL && (b->bound.whole->bound.has & AUDIT_COUNTER) != 0;
}

/* Moves at TIMES steps are TIMES times one step's: their squares, TIMES^2 times. */
static void
check_squares(struct reader *r, struct audit_body *b, const struct audit_moves *m)
{
	mpz_t square, least;

	mpz_init_set_ui(square, m->square);
	mpz_init_set(least, around(r, b)->square);
	if (counts(b)) {
		mpz_set_ui(least, b->bound.whole->bound.counter[0]);
		mpz_mul(least, least, least);
	}
	if (m->spacing != 0) {
		mpz_mul_ui(square, square, m->times);
		mpz_mul_ui(square, square, m->times);
	}
	if (audit_good(r) && (audit_line_top(r) || r->bound) && mpz_cmp(square, least) < 0)
		audit_refute(r, b, "its neighbours move the step values by larger squares");
	else if (audit_good(r) && r->bound && mpz_cmp(square, least) > 0)
		audit_bound_more(r, b->bound.name, ": SQUARE ", m->square);
	/* what fades is a counter's changes */
	if (counts(b))
		mpz_set_ui(least, b->bound.whole->bound.counter[1]);
	if (audit_good(r) && (audit_line_top(r) || r->bound) && m->fading != 0 &&
	    mpz_cmp_ui(least, m->fading) > 0)
		audit_refute(r, b, "its neighbours' moves do not fade so");
	mpz_clears(square, least, (mpz_ptr)NULL);
}

/* Events that are apart are those that are claimed to be, and all of them. */
static void
check_spacing(struct reader *r, struct audit_body *b, const struct audit_moves *m)
{
	if (!audit_good(r) || !r->bound)
		return;
	if (m->spacing == 0) {
		if (m->times != 0)
			audit_refuse(r, DP_VERDICT_MALFORMED, "moves that are apart by nothing");
		return;
	}
	if (m->spacing > r->claim->apart || counts(b))
		audit_refute(r, b, "its neighbours' events are not so far apart");
	else if (m->times < around(r, b)->events)
		audit_refute(r, b, "its neighbours differ in more events");
}

/* SQUARE FADING TIMES SPACING */
static void
read_moves(struct reader *r, struct audit_body *b, struct audit_moves *m)
{
	m->l1 = mpz_get_ui(mpq_numref(b->reach));
	m->square = audit_some(r);
	m->fading = audit_whole(r, INT64_MAX);
	m->times = audit_whole(r, INT64_MAX);
	m->spacing = audit_whole(r, INT64_MAX);
	check_squares(r, b, m);
	check_spacing(r, b, m);
}

/* Statements of several lines: a tree and its tables. */
static void
audit_line_blt(struct reader *r, struct audit_body *b)
{
	struct audit_blt *f = calloc(1, sizeof *f);
	const char *why;
	char text[64];
	mpq_t variance, square;
	mpfr_t up;

	if (f == NULL) {
		audit_refuse(r, DP_VERDICT_MALFORMED, "there is no memory");
		return;
	}
	mpq_inits(variance, square, (mpq_ptr)NULL);
	mpfr_init2(up, DP_AUDIT_BITS);
	audit_rational(r, variance, text);
	sizes(r, &f->steps, &f->columns, &f->bits);
	audit_bound_steps(r, b, f->steps, f->columns);
	read_moves(r, b, &f->moves);
	f->lag = audit_whole(r, INT64_MAX);
	f->poles = (unsigned)audit_whole(r, DP_AUDIT_POLES);
	f->pieces = (unsigned)audit_whole(r, DP_AUDIT_PIECES);
	read_poles(r, f);
	if (audit_good(r) && mpq_sgn(b->delta) == 0)
		audit_refute(r, b, "Gaussian noise has no delta");
	else if (audit_good(r) && f->poles > 0 &&
	    mpq_cmp_ui(variance, DITHERED, 1) < 0)
		audit_refute(r, b, "the noise is too small to be rounded");
	else if (audit_good(r) &&
	    (why = audit_blt_square(f, b->epsilon, b->delta, up)) != NULL)
		audit_refute(r, b, why);
	else if (audit_good(r)) {
		audit_rounded(r, b, square, up);
		add_correlated(b, variance, square, f->steps, f->columns);
	}
	mpq_set(b->drawn, variance);
	mpfr_clear(up);
	mpq_clears(variance, square, (mpq_ptr)NULL);
	free(b->blt);
	b->blt = f;
}

/* Statements of several lines: a tree and its tables. */
/*
 * rise k u tau: names told of where their count so far and the noise of the mechanism's part come
 * to tau; k events are a unit's, at most u of one name: with F(c) the sum of P(noise >= tau - c), k
 * times the larger of F(1) and F(u) / u is missed (lib/stat/top.h, GAUSSIAN, where tau > u)
 */
static void
audit_line_rise(struct reader *r, struct audit_body *b)
{
	if (b->rise[0] != 0)
		audit_refuse(r, DP_VERDICT_MALFORMED, "a second threshold");
	b->rise[0] = audit_some(r);
	b->rise[1] = audit_some(r);
	audit_bound_each(r, b, b->rise[1]);
	b->rise[2] = audit_some(r);
	if (b->rise[2] < 2)
		audit_refuse(r, DP_VERDICT_MALFORMED, "a threshold that nothing is below");
}

void
audit_line_rose(struct reader *r, struct audit_body *b)
{
	const uint64_t k = b->rise[0], u = b->rise[1] < k ? b->rise[1] : k, tau = b->rise[2];
	const uint64_t height[2] = { tau - 1, tau - u };
	const char *why;
	mpfr_t f[2];

	if (b->rise[0] == 0 || !audit_good(r) || b->refuted || b->unknown)
		return;
	if (b->blt == NULL)
		audit_refuse(r, DP_VERDICT_MALFORMED, "a threshold without its noise");
	else if (tau <= u)
		audit_refute(r, b, "a threshold that a unit's own events come to");
	else {
		mpfr_inits2(DP_AUDIT_BITS, f[0], f[1], (mpfr_ptr)NULL);
		if ((why = audit_blt_rise(b->blt, b->drawn, height, f)) != NULL)
			audit_refute(r, b, why);
		else {
			mpfr_div_ui(f[1], f[1], u, MPFR_RNDU);
			mpfr_max(f[0], f[0], f[1], MPFR_RNDU);
			audit_line_unit(r, b, f[0], k, 1);
		}
		mpfr_clears(f[0], f[1], (mpfr_ptr)NULL);
	}
}

/* Statements of several lines: a tree and its tables. */
static void
audit_line_banded(struct reader *r, struct audit_body *b)
{
	struct audit_banded *f = calloc(1, sizeof *f);
	const char *why;
	char text[64];
	mpq_t variance, square;
	unsigned i;

	if (f == NULL) {
		audit_refuse(r, DP_VERDICT_MALFORMED, "there is no memory");
		return;
	}
	mpq_inits(variance, square, (mpq_ptr)NULL);
	audit_rational(r, variance, text);
	sizes(r, &f->steps, &f->columns, &f->bits);
	audit_bound_steps(r, b, f->steps, f->columns);
	read_moves(r, b, &f->moves);
	f->n = (unsigned)audit_whole(r, DP_AUDIT_BAND);
	for (i = 0; i < f->n && audit_good(r); i++)
		f->a[i] = audit_whole(r, INT64_MAX);
	if (audit_good(r) && (why = audit_banded_square(f, square)) != NULL)
		audit_refute(r, b, why);
	else if (audit_good(r))
		add_correlated(b, variance, square, f->steps, f->columns);
	mpq_clears(variance, square, (mpq_ptr)NULL);
	free(f);
}

/*
 * Looks a n: n looks at bits that are 1 or 0 with odds e^(1/a), and are flipped with
 * those odds after each: what they lose together, of a grid unit's one bit (lib/sketch/density.c).
 *
 * With g = tanh(1/(2a)), at look j a bit that was b at look j - 1 is b with probability (1 + g)/2,
 * or, drawn again since, 1 with probability (1 + G)/2, G = g^(j+1).  The first look loses 1/a.  The
 * most that all can lose is found look by look, for either value of the bit at the last one.
 */

#define LOOKS_MAX	64

enum { LESS, MORE, LESS_ALL, MORE_ALL, SIDES };	/* 1 - g, 1 + g, 1 - G, 1 + G */

/* 1 - g^n of h = 1 - g: -expm1(n log1p(-h)), rounded. */
static void
beside(mpfr_t to, mpfr_srcptr h, unsigned n, mpfr_rnd_t away)
{
	const mpfr_rnd_t back = away == MPFR_RNDU ? MPFR_RNDD : MPFR_RNDU;

	mpfr_neg(to, h, MPFR_RNDN);
	mpfr_log1p(to, to, back);
	mpfr_mul_ui(to, to, n, back);
	mpfr_expm1(to, to, back);
	mpfr_neg(to, to, MPFR_RNDN);
}

static void
put_more(struct interval *more, const struct interval *less)
{
	mpfr_ui_sub(more->lo, 2, less->hi, MPFR_RNDD);
	mpfr_ui_sub(more->hi, 2, less->lo, MPFR_RNDU);
}

/* 1 - g = 2/(1 + e^(1/a)), rounded: what it is divided by is rounded the other way. */
static void
put_less(mpfr_t to, const mpq_t loss, mpfr_rnd_t away)
{
	const mpfr_rnd_t back = away == MPFR_RNDU ? MPFR_RNDD : MPFR_RNDU;

	mpfr_set_q(to, loss, back);
	mpfr_exp(to, to, back);
	mpfr_add_ui(to, to, 1, back);
	mpfr_ui_div(to, 2, to, away);
}

/* to = the larger of to and from + ln(over / under), up */
static void
raise_to_looks(mpfr_t to, mpfr_srcptr from, mpfr_srcptr over, mpfr_srcptr under)
{
	mpfr_t x;

	mpfr_init2(x, DP_AUDIT_BITS);
	mpfr_div(x, over, under, MPFR_RNDU);
	mpfr_log(x, x, MPFR_RNDU);
	mpfr_add(x, x, from, MPFR_RNDU);
	mpfr_max(to, to, x, MPFR_RNDU);
	mpfr_clear(x);
}

/* Look j > 0; at: the most so far where the bit is 0, and where it is 1. */
static void
look_looks(mpfr_t at[2], struct interval s[static SIDES], unsigned j)
{
	mpfr_t to[2];

	beside(s[LESS_ALL].lo, s[LESS].lo, j + 1, MPFR_RNDD);
	beside(s[LESS_ALL].hi, s[LESS].hi, j + 1, MPFR_RNDU);
	put_more(&s[MORE_ALL], &s[LESS_ALL]);
	mpfr_inits2(DP_AUDIT_BITS, to[0], to[1], (mpfr_ptr)NULL);
	mpfr_set_ui(to[0], 0, MPFR_RNDU);
	mpfr_set_ui(to[1], 0, MPFR_RNDU);
	raise_to_looks(to[0], at[0], s[MORE].hi, s[LESS_ALL].lo);
	raise_to_looks(to[0], at[1], s[LESS_ALL].hi, s[LESS].lo);
	raise_to_looks(to[1], at[0], s[MORE_ALL].hi, s[LESS].lo);
	raise_to_looks(to[1], at[1], s[MORE].hi, s[MORE_ALL].lo);
	mpfr_swap(at[0], to[0]);
	mpfr_swap(at[1], to[1]);
	mpfr_clears(to[0], to[1], (mpfr_ptr)NULL);
}

/* All n; loss: of the first, and then of all. */
static void
lose_looks(struct reader *r, struct audit_body *b, mpq_t loss, uint64_t n)
{
	struct interval s[SIDES];
	mpfr_t at[2];
	unsigned i;

	for (i = 0; i < SIDES; i++) {
		mpfr_init2(s[i].lo, DP_AUDIT_BITS);
		mpfr_init2(s[i].hi, DP_AUDIT_BITS);
	}
	mpfr_inits2(DP_AUDIT_BITS, at[0], at[1], (mpfr_ptr)NULL);
	put_less(s[LESS].lo, loss, MPFR_RNDD);
	put_less(s[LESS].hi, loss, MPFR_RNDU);
	put_more(&s[MORE], &s[LESS]);
	for (i = 0; i < 2; i++)
		mpfr_set_q(at[i], loss, MPFR_RNDU);
	for (i = 1; i < n; i++)
		look_looks(at, s, i);
	mpfr_max(at[0], at[0], at[1], MPFR_RNDU);
	audit_rounded(r, b, loss, at[0]);
	for (i = 0; i < SIDES; i++)
		interval_clear(&s[i]);
	mpfr_clears(at[0], at[1], (mpfr_ptr)NULL);
}

/* Statements of several lines: a tree and its tables. */
static void
audit_line_looks(struct reader *r, struct audit_body *b)
{
	char text[64];
	uint64_t n;
	mpq_t loss;

	mpq_init(loss);
	audit_rational(r, loss, text);
	if ((n = audit_some(r)) > LOOKS_MAX)
		audit_refuse(r, DP_VERDICT_MALFORMED, "too many looks");
	if (audit_good(r)) {
		mpq_inv(loss, loss);
		lose_looks(r, b, loss, n);
		mpq_add(b->rate, b->rate, loss);
	}
	mpq_clear(loss);
}

/* A norm tree's lines of a plan. */

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
 * (account/privacy.h).
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

/* Statements of several lines: a tree and its tables. */
/*
 * pass k u n steps tau ..: names told of where their count and the noise so far come to tau, within
 * so many steps of the tree before the line, the earlier trees' roots in it; k and u as of names
 */
static void
audit_line_pass(struct reader *r, struct audit_body *b)
{
	const uint64_t k = audit_some(r), each = audit_some(r);
	const unsigned n = (unsigned)audit_whole(r, DP_AUDIT_PASSES);
	uint64_t steps[DP_AUDIT_PASSES], height[DP_AUDIT_PASSES];
	double all;
	mpfr_t f;
	unsigned i;

	if (n == 0 || b->tree == NULL || b->passed || b->before.trees + 1 != b->trees)
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

/* Statements of several lines: a tree and its tables. */
/* window k u W tau: names of windows of W steps over a row of such trees */
static void
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

/* Statements of several lines: a tree and its tables. */
static int
audit_line_tree(struct reader *r, struct audit_body *b)
{
	struct audit_tree t = { .kinds = 0 };
	const char *why;
	mpfr_t one;
	mpq_t loss, n;
	unsigned i;

	audit_bound_next(r, b);
	end_tree(b);
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
	if (t.unit > 1 && audit_line_top(r) && (mpz_sgn(around(r, b)->cells) == 0 ||
	    mpz_cmp_ui(around(r, b)->cells, t.cells) > 0))
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
