/* moves.c - a plan's lines on neighbours (moves.h). */
#include <string.h>

#include "moves.h"

#define MOST	((uint64_t)1 << 60)

/* A line, and its distances. */
struct told {
	mpz_t K, M, R, D, S;
	mpz_t l1, square, cells, linf, columns, x;
	uint64_t events, each;
};

void
audit_neighbours_init(struct audit_neighbours *n)
{
	mpz_inits(n->l1, n->square, n->cells, n->linf, n->columns, (mpz_ptr)NULL);
	n->events = n->each = 1;
	n->lines = 0;
}

void
audit_neighbours_clear(struct audit_neighbours *n)
{
	mpz_clears(n->l1, n->square, n->cells, n->linf, n->columns, (mpz_ptr)NULL);
}

static void
count(struct reader *r, mpz_t z)
{
	mpz_set_ui(z, audit_whole(r, MOST));
	if (mpz_sgn(z) == 0)
		audit_refuse(r, DP_VERDICT_MALFORMED, "neighbours of nothing");
}

/* LO HI UNIT D */
static void
entries(struct reader *r, struct told *t)
{
	mpz_set_si(t->M, audit_signed(r));
	mpz_set_si(t->x, audit_signed(r));
	if (mpz_cmp(t->M, t->x) > 0)
		audit_refuse(r, DP_VERDICT_MALFORMED, "a range that is none");
	/* of lo and hi what is below 0, and above */
	if (mpz_sgn(t->M) > 0)
		mpz_set_ui(t->M, 0);
	if (mpz_sgn(t->x) < 0)
		mpz_set_ui(t->x, 0);
	mpz_sub(t->R, t->x, t->M);
	if (mpz_cmpabs(t->x, t->M) > 0)
		mpz_set(t->M, t->x);
	mpz_abs(t->M, t->M);
	mpz_set_ui(t->x, audit_whole(r, MOST));
	if (mpz_sgn(t->x) != 0 && mpz_cmp(t->M, t->x) > 0)
		mpz_set(t->M, t->x);
	if (mpz_sgn(t->x) != 0 && mpz_cmp(t->R, t->x) > 0)
		mpz_set(t->R, t->x);
	count(r, t->D);
}

/* l1 = n far, square = n far^2, cells = columns = n, linf = far */
static void
move(struct told *t, const mpz_t n, const mpz_t far)
{
	mpz_mul(t->l1, n, far);
	mpz_mul(t->square, t->l1, far);
	mpz_set(t->cells, n);
	mpz_set(t->columns, n);
	mpz_set(t->linf, far);
}

static uint64_t
events(const struct told *t)
{
	return mpz_get_ui(t->K);		/* count(): below 2^60 */
}

static void
event(struct reader *r, struct told *t)
{
	entries(r, t);
	count(r, t->S);
	move(t, t->S, t->R);
}

static void
line(struct reader *r, struct told *t)
{
	entries(r, t);
	count(r, t->S);
	mpz_mul_ui(t->x, t->S, 2);
	mpz_sub(t->K, t->x, t->D);		/* e */
	if (mpz_sgn(t->K) < 0)
		mpz_set_ui(t->K, 0);
	mpz_submul_ui(t->x, t->K, 2);		/* 2 (S - e) */
	if (mpz_sgn(t->x) < 0)
		audit_refuse(r, DP_VERDICT_MALFORMED, "more entries than columns");
	move(t, t->K, t->R);
	mpz_add(t->cells, t->cells, t->x);
	mpz_set(t->columns, t->cells);
	mpz_mul(t->x, t->x, t->M);
	mpz_add(t->l1, t->l1, t->x);
	mpz_addmul(t->square, t->x, t->M);
	mpz_mul(t->x, t->R, t->R);
	mpz_mul(t->x, t->x, t->S);
	if (mpz_cmp(t->x, t->square) > 0)
		mpz_set(t->square, t->x);
}

static void
records(struct reader *r, struct told *t)
{
	count(r, t->K);
	entries(r, t);
	count(r, t->S);
	mpz_mul(t->M, t->M, t->K);
	move(t, t->S, t->M);
	mpz_mul(t->cells, t->cells, t->K);
	mpz_set(t->columns, mpz_cmp(t->cells, t->D) < 0 ? t->cells : t->D);
	t->events = t->each = events(t);
}

static void
once(struct reader *r, struct told *t)
{
	count(r, t->K);
	entries(r, t);
	move(t, mpz_cmp(t->K, t->D) < 0 ? t->K : t->D, t->M);
	mpz_set(t->cells, t->K);
	t->events = events(t);
}

static void
adds(struct reader *r, struct told *t)
{
	count(r, t->K);
	count(r, t->S);
	count(r, t->M);
	count(r, t->D);
	mpz_mul(t->M, t->M, t->K);
	move(t, t->S, t->M);
	mpz_mul(t->cells, t->K, t->D);
	mpz_set(t->columns, t->D);
	t->events = t->each = events(t);
}

static void
identifiers(struct reader *r, struct told *t)
{
	count(r, t->K);
	mpz_set_ui(t->x, 1);
	move(t, t->x, t->K);
	mpz_set_ui(t->cells, 0);
	t->events = t->each = events(t);
}

static void
vectors(struct reader *r, struct told *t)
{
	count(r, t->K);
	count(r, t->M);
	count(r, t->R);
	move(t, t->K, t->M);
	mpz_mul(t->square, t->K, t->K);
	mpz_mul(t->square, t->square, t->R);
	mpz_set_ui(t->cells, 0);
	mpz_set_ui(t->columns, 1);
	t->events = t->each = events(t);
	mpz_set(t->linf, t->M);
}

bool
audit_neighbours_line(struct reader *r, struct audit_neighbours *n)
{
	static const struct {
		const char *word;
		void (*read)(struct reader *, struct told *);
	} of[] = {
		{ "event", event }, { "line", line }, { "records", records }, { "once", once },
		{ "adds", adds }, { "identifiers", identifiers }, { "present", identifiers },
		{ "vectors", vectors }
	};
	const bool first = n->lines == 0;
	struct told t = { .events = 1, .each = 1 };
	size_t i;

	for (i = 0; i < sizeof of / sizeof *of && !audit_is(r, of[i].word); i++)
		;
	if (i == sizeof of / sizeof *of)
		return false;
	mpz_inits(t.K, t.M, t.R, t.D, t.S, t.l1, t.square, t.cells, t.linf, t.columns, t.x,
	    (mpz_ptr)NULL);
	of[i].read(r, &t);
	if (r->line != r->stop)
		audit_refuse(r, DP_VERDICT_MALFORMED, "a line is too long");
	mpz_add(n->l1, n->l1, t.l1);
	mpz_add(n->square, n->square, t.square);
	if (mpz_sgn(t.cells) == 0 || (!first && mpz_sgn(n->cells) == 0))
		mpz_set_ui(n->cells, 0);
	else
		mpz_add(n->cells, n->cells, t.cells);
	mpz_add(n->columns, n->columns, t.columns);
	if (mpz_cmp(t.linf, n->linf) > 0)
		mpz_set(n->linf, t.linf);
	n->events = t.events > n->events ? t.events : n->events;
	n->each = t.each > n->each ? t.each : n->each;
	n->lines++;
	mpz_clears(t.K, t.M, t.R, t.D, t.S, t.l1, t.square, t.cells, t.linf, t.columns, t.x,
	    (mpz_ptr)NULL);
	return true;
}
