/* bound.c - what a plan's mechanisms must have, and what its numbers are no less than. */
#include <stdio.h>
#include <string.h>

#include "line.h"

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
	{ "columns", { PART } }, { "magnitude", { PART } },
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
	{ "density", { AGAIN, LAPLACE | GAUSS } }, { "hashed", { AGAIN, LAPLACE | GAUSS } },
	{ "hashed-bits", { AGAIN, LAPLACE | GAUSS } }, { "sample", { AGAIN, LAPLACE | GAUSS } },
	{ "moved", { AGAIN, LAPLACE | SPARSE, LAPLACE | GAUSS } },
	{ "modular", { COIN | VALUE, COIN | GAUSS } },
	{ "phase", { LAPLACE | VALUE, LAPLACE | GAUSS } },
	{ "continual", { LAPLACE | VALUE, LAPLACE | GAUSS } },
	{ "anew", { AUDIT_LOOKS | VALUE, AUDIT_LOOKS | GAUSS } },
	{ "anew-cells", { LAPLACE | VALUE, LAPLACE | GAUSS } },
	{ "running", { PART | AUDIT_COUNTER, VALUE, GAUSS } },
	{ "table", { PART | AUDIT_COUNTER, VALUE, GAUSS } },
	{ "turnstile", { PART | AUDIT_COUNTER, VALUE, GAUSS } },
	{ "turnstile-table", { PART | AUDIT_COUNTER, VALUE, GAUSS } },
	{ "window", { PART | AUDIT_COUNTER, VALUE, GAUSS } },
	/* thresholds, answers of lines, projections */
	{ "transform", { SPARSE | VALUE } }, { "rising", { SPARSE | VALUE } },
	{ "rounds", { AUDIT_ROUNDS | PART | GAUSS } }, { "round", { SPARSE } },
	{ "output-gauss", { GAUSS } }, { "rr", { COIN } }, { "subset", { COIN } },
	{ "hr", { COIN } }, { "laplace", { LAPLACE } },
	{ "projected", { LAPLACE } }, { "counts", { VALUE } }, { "projected-counts", { VALUE } },
	{ "gauss", { GAUSS } }, { "projected-gauss", { GAUSS } }, { "book", { AUDIT_COMPOSED } }
};

bool
audit_claim_line(struct reader *r)
{
	struct audit_claim *c = r->claim;
	uint64_t *to = audit_is(r, "horizon") ? &c->horizon : audit_is(r, "apart") ? &c->apart :
	    audit_is(r, "covers") ? &c->covers : audit_is(r, "last") ? c->last : NULL;

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

void
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
	    (T == 0 || b->tree->h != (h > 0 ? h : 1)))
		audit_bound_more(r, b->bound.name, ": LEVELS ", b->tree->h);
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
	} else if ((b->bound.has & AUDIT_PASS) && !b->passed)
		audit_refute(r, b, "a tree has no thresholds");
	else if ((b->bound.has & AUDIT_PASS) &&
	    (r->claim->horizon == 0 || b->bound.passes < r->claim->horizon))
		audit_refute(r, b, "its thresholds are not of all steps");
	else if ((strcmp(b->bound.name, "expire") == 0 ||
	    strcmp(b->bound.name, "map-paper") == 0) && r->claim->covers == 0)
		audit_refute(r, b, "it does not say which steps it covers");
	else if (b->bound.got != b->bound.parts)
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
		mpz_set(least, r->neighbours->l1);
	else if (b->bound.whole->bound.has & AUDIT_COUNTER)
		mpz_set_ui(least, b->bound.whole->bound.counter[0]);
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

void
audit_bound_each(struct reader *r, struct audit_body *b, uint64_t each)
{
	if (asked(r) && each < r->neighbours->each)
		audit_refute(r, b, "its neighbours differ in more events of one name than its "
		    "threshold is for");
	else if (asked(r) && each > r->neighbours->each)
		audit_bound_more(r, b->bound.name, ": EACH ", each);
}

void
audit_bound_moves(struct reader *r, struct audit_body *b, uint64_t moves)
{
	if (asked(r) && b->bound.whole == NULL && mpz_cmp_ui(r->neighbours->linf, moves) > 0)
		audit_refute(r, b, "its neighbours move a number farther");
}

/* A binary tree over T steps has lg T levels. */
void
audit_bound_times(struct reader *r, struct audit_body *b, uint64_t times)
{
	const uint64_t T = r->claim->horizon;

	if (asked(r) && strcmp(b->bound.name, "tree") == 0 && counter(b) == NULL && T > 1 &&
	    (times >= 64 ? 0 : (T - 1) >> times) != 0)
		audit_refute(r, b, "a tree of fewer levels than its steps need");
}

/* Without noise on a threshold each step's comparison is a release. */
void
audit_bound_all(struct reader *r, struct audit_body *b, uint64_t n)
{
	const uint64_t T = r->claim->horizon;

	if (asked(r) && (T == 0 || n < T || strcmp(b->bound.name, "pan") != 0))
		audit_refute(r, b, "a threshold without noise, and comparisons that are free");
}

void
audit_bound_age(struct reader *r, struct audit_body *b, uint64_t age)
{
	const uint64_t T = r->claim->horizon;

	if (asked(r) && age < (T == 0 ? OLDEST : T - 1))
		audit_refute(r, b, "events grow older than it says");
}

void
audit_bound_cells(struct reader *r, struct audit_body *b, uint64_t cells)
{
	if (asked(r) && counter(b) == NULL && b->bound.whole != NULL &&
	    (mpz_sgn(r->neighbours->cells) == 0 || mpz_cmp_ui(r->neighbours->cells, cells) > 0))
		audit_refute(r, b, "its neighbours differ in more values");
}

/* One for all T steps; or those of phases, of one tree after another. */
void
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

void
audit_bound_window(struct reader *r, struct audit_body *b, uint64_t W)
{
	if (asked(r) && (r->claim->lasts != 1 || r->claim->last[0] != W))
		audit_refute(r, b, "its windows are not of the steps that are claimed");
}

void
audit_bound_steps(struct reader *r, struct audit_body *b, uint64_t steps, uint64_t columns)
{
	const struct audit_body *c = counter(b);
	const uint64_t T = c != NULL ? c->bound.counter[2] : r->claim->horizon;

	if (!asked(r))
		return;
	if (steps < (T == 0 ? ENDLESS : T))
		audit_refute(r, b, "its noise is of fewer steps than the run has");
	else if (c == NULL && mpz_cmp_ui(r->neighbours->columns, columns) > 0)
		audit_refute(r, b, "its neighbours differ in more columns");
	if (steps > T)
		audit_bound_more(r, b->bound.name, ": STEPS ", steps);
	if (c != NULL || mpz_cmp_ui(r->neighbours->columns, columns) < 0)
		audit_bound_more(r, b->bound.name, ": COLUMNS ", columns);
}
