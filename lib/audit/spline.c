/* spline.c - the cost of a potential on a finer grid, in exact numbers. */
#include <stdlib.h>
#include <string.h>

#include <gmp.h>

#include "spline.h"

#define FOUR		4
#define EIGHT		8
#define TERMS		(FOUR + EIGHT - 1)	/* coefficients of a product */
#define EDGE		5			/* cells beyond A: then all comes again */
#define WITHIN		832			/* bits of a cell's numbers; of one at an edge: */
#define OUTSIDE		1536	/* MPFR tells if more are needed */
#define HALVINGS	10
#define FEW		4			/* log2 D: each x is tried */
#define SMALL		0x1p-32			/* of a cost: what its search leaves */

/* Pieces of beta, of x and of x + 1: [piece * n + power of s / (D - 1)]. */
struct pieces {
	unsigned n;
	mpfr_t *here, *next;
};

struct spline {
	mpfr_prec_t bits;
	struct pieces four, eight;
	mpfr_t tilt[FOUR], product;
	mpfr_t G[FOUR], Gn[FOUR], C[EIGHT], Cn[EIGHT];
	mpfr_t up[TERMS], down[TERMS];		/* powers, then Bernstein's */
	mpfr_t v[FOUR + EIGHT];			/* numbers of the tables */
};

static mpfr_t *
numbers(unsigned n, mpfr_prec_t bits)
{
	mpfr_t *v = calloc(n, sizeof *v);
	unsigned i;

	for (i = 0; v != NULL && i < n; i++) {
		mpfr_init2(v[i], bits);
		mpfr_set_zero(v[i], 1);
	}
	return v;
}

static void
clear(mpfr_t *v, unsigned n)
{
	unsigned i;

	for (i = 0; v != NULL && i < n; i++)
		mpfr_clear(v[i]);
}

/* to += sign choose(n, i) (x + 1) .. (x + n - 1), x = at + L t, a polynomial of t */
static void
add_product(mpfr_t *to, unsigned n, unsigned i, int64_t at, uint64_t L)
{
	mpz_t p[EIGHT], c;
	mpfr_t q;
	unsigned r, k;

	mpz_init(c);
	for (k = 0; k < n; k++)
		mpz_init_set_ui(p[k], k == 0);
	for (r = 1; r < n; r++)
		for (k = r + 1; k-- > 0; ) {
			mpz_set_si(c, at + (int64_t)r);
			mpz_mul(p[k], p[k], c);
			if (k > 0)
				mpz_addmul_ui(p[k], p[k - 1], L);
		}
	mpz_bin_uiui(c, n, i);
	mpfr_init2(q, OUTSIDE);
	for (k = 0; k < n; k++) {
		mpz_mul(p[k], p[k], c);
		mpfr_set_z(q, p[k], MPFR_RNDN);
		(i % 2 == 0 ? mpfr_add : mpfr_sub)(to[k], to[k], q, MPFR_RNDN);
		mpz_clear(p[k]);
	}
	mpfr_clear(q);
	mpz_clear(c);
}

/* (n - 1)! times the number of ways: piece j is of y from D j on, y = D j + s - n / 2. */
static bool
make_pieces(struct pieces *p, unsigned n, unsigned fine, mpfr_prec_t bits)
{
	const int64_t D = (int64_t)1 << fine;
	unsigned i, j;

	p->n = n;
	p->here = numbers(n * n, bits);
	p->next = numbers(n * n, bits);
	for (j = 0; j < n && p->here != NULL && p->next != NULL; j++)
		for (i = 0; i <= j; i++) {
			add_product(p->here + j * n, n, i, (int64_t)(j - i) * D - n / 2,
			    (uint64_t)D - 1);
			add_product(p->next + j * n, n, i, (int64_t)(j - i) * D - n / 2 + 1,
			    (uint64_t)D - 1);
		}
	return p->here != NULL && p->next != NULL;
}

static bool
make(struct spline *s, unsigned fine, const mpfr_t e, mpfr_prec_t bits)
{
	mpfr_t *all[] = { s->tilt, s->G, s->Gn, s->C, s->Cn, s->up, s->down, s->v };
	const unsigned n[] = { FOUR, FOUR, FOUR, EIGHT, EIGHT, TERMS, TERMS, FOUR + EIGHT };
	mpfr_t w;
	unsigned i, j;

	s->bits = bits;
	for (i = 0; i < sizeof n / sizeof *n; i++)
		for (j = 0; j < n[i]; j++)
			mpfr_init2(all[i][j], bits);
	mpfr_init2(s->product, bits);
	mpfr_init2(w, 44);
	mpfr_neg(w, e, MPFR_RNDD);
	mpfr_exp(w, w, MPFR_RNDD);
	mpfr_clear_flags();
	mpfr_set_ui(s->tilt[0], 1, MPFR_RNDN);
	for (i = 1; i < FOUR; i++)
		mpfr_mul(s->tilt[i], s->tilt[i - 1], w, MPFR_RNDN);
	mpfr_clear(w);
	return make_pieces(&s->four, FOUR, fine, bits) && make_pieces(&s->eight, EIGHT, fine, bits);
}

static void
drop(struct spline *s)
{
	mpfr_t *all[] = { s->tilt, s->G, s->Gn, s->C, s->Cn, s->up, s->down, s->v };
	const unsigned n[] = { FOUR, FOUR, FOUR, EIGHT, EIGHT, TERMS, TERMS, FOUR + EIGHT };
	unsigned i;

	for (i = 0; i < sizeof n / sizeof *n; i++)
		clear(all[i], n[i]);
	mpfr_clear(s->product);
	for (i = 0; i < 2; i++) {
		clear(i == 0 ? s->four.here : s->four.next, FOUR * FOUR);
		clear(i == 0 ? s->eight.here : s->eight.next, EIGHT * EIGHT);
	}
	free(s->four.here);
	free(s->four.next);
	free(s->eight.here);
	free(s->eight.next);
}

/* A table's number at v, either way. */
static void
entry(mpfr_t to, const struct audit_table *t, int64_t v)
{
	unsigned n = (unsigned)(v < 0 ? -v : v);

	mpfr_set_d(to, t == NULL ? 1 : t->v[n < t->A ? n : t->A], MPFR_RNDN);
	for (; t != NULL && n > t->A; n--)
		mpfr_mul_d(to, to, t->beyond, MPFR_RNDN);
}

/* to = the sum of v[j] times piece j */
static void
combine(struct spline *s, mpfr_t *to, mpfr_t *v, mpfr_t *piece, unsigned n)
{
	unsigned j, k;

	for (k = 0; k < n; k++) {
		mpfr_mul(to[k], v[0], piece[k], MPFR_RNDN);
		for (j = 1; j < n; j++) {
			mpfr_mul(s->product, v[j], piece[j * n + k], MPFR_RNDN);
			mpfr_add(to[k], to[k], s->product, MPFR_RNDN);
		}
	}
}

/* to +- x y */
static void
multiply(struct spline *s, mpfr_t *to, mpfr_t *x, mpfr_t *y, bool minus)
{
	unsigned i, j;

	for (i = 0; i < FOUR; i++)
		for (j = 0; j < EIGHT; j++) {
			mpfr_mul(s->product, x[i], y[j], MPFR_RNDN);
			(minus ? mpfr_sub : mpfr_add)(to[i + j], to[i + j], s->product, MPFR_RNDN);
		}
}

/* From powers of t to Bernstein's form over 0 .. 1, 2520 times. */
static void
bernstein(struct spline *s, mpfr_t *a)
{
	static const unsigned share[TERMS] = { 2520, 252, 56, 21, 12, 10, 12, 21, 56, 252, 2520 };
	static const unsigned choose[TERMS][TERMS] = { { 1 }, { 1, 1 }, { 1, 2, 1 }, { 1, 3, 3, 1 },
	    { 1, 4, 6, 4, 1 }, { 1, 5, 10, 10, 5, 1 }, { 1, 6, 15, 20, 15, 6, 1 },
	    { 1, 7, 21, 35, 35, 21, 7, 1 }, { 1, 8, 28, 56, 70, 56, 28, 8, 1 },
	    { 1, 9, 36, 84, 126, 126, 84, 36, 9, 1 },
	    { 1, 10, 45, 120, 210, 252, 210, 120, 45, 10, 1 } };
	unsigned i, k;

	for (i = 0; i < TERMS; i++)
		mpfr_mul_ui(a[i], a[i], share[i], MPFR_RNDN);
	for (k = TERMS; k-- > 0; )
		for (i = 0; i < k; i++) {
			mpfr_mul_ui(s->product, a[i], choose[k][i], MPFR_RNDN);
			mpfr_add(a[k], a[k], s->product, MPFR_RNDN);
		}
}

/* Cell m: up = G(x + 1) C(x) - G(x) C(x + 1), down = G(x) C(x + 1). */
static void
set_cell(struct spline *s, const struct audit_table *g, const struct audit_table *c, int64_t m)
{
	unsigned j;

	for (j = 0; j < FOUR; j++) {
		entry(s->v[j], g, m + FOUR / 2 - j);
		mpfr_mul(s->v[j], s->v[j], s->tilt[j], MPFR_RNDN);
	}
	combine(s, s->G, s->v, s->four.here, FOUR);
	combine(s, s->Gn, s->v, s->four.next, FOUR);
	for (j = 0; j < EIGHT; j++)
		entry(s->v[j], c, m + EIGHT / 2 - j);
	combine(s, s->C, s->v, s->eight.here, EIGHT);
	combine(s, s->Cn, s->v, s->eight.next, EIGHT);
	for (j = 0; j < TERMS; j++) {
		mpfr_set_zero(s->up[j], 1);
		mpfr_set_zero(s->down[j], 1);
	}
	multiply(s, s->up, s->Gn, s->C, false);
	multiply(s, s->up, s->G, s->Cn, true);
	multiply(s, s->down, s->G, s->Cn, false);
}

struct found {
	mpfr_t best, worst, most, one;	/* what some x costs, and no x does; of a piece */
	bool inexact, bad;
};

static void
raise_to(mpfr_t to, const mpfr_t x)
{
	if (mpfr_greater_p(x, to))
		mpfr_set(to, x, MPFR_RNDU);
}

/* The first half of a stays, the second goes to b (de Casteljau). */
static void
halve(mpfr_t *a, mpfr_t *b)
{
	unsigned i, j;

	for (i = 0; i < TERMS; i++)
		mpfr_set(b[i], a[i], MPFR_RNDN);
	for (j = 1; j < TERMS; j++) {
		for (i = 0; i + j < TERMS; i++) {
			mpfr_add(b[i], b[i], b[i + 1], MPFR_RNDN);
			mpfr_div_2ui(b[i], b[i], 1, MPFR_RNDN);
		}
		mpfr_set(a[j], b[0], MPFR_RNDN);
	}
}

/* (D - 1)^10 times what the powers a are at t = x / (D - 1). */
static void
value(struct spline *s, mpfr_t to, mpfr_t *a, unsigned x, unsigned L)
{
	unsigned k;

	mpfr_set_zero(to, 1);
	for (k = TERMS; k-- > 0; ) {
		mpfr_mul_ui(to, to, x, MPFR_RNDN);
		mpfr_ui_pow_ui(s->product, L, TERMS - 1 - k, MPFR_RNDN);
		mpfr_mul(s->product, s->product, a[k], MPFR_RNDN);
		mpfr_add(to, to, s->product, MPFR_RNDN);
	}
}

/* All of a cell's x, where they are few. */
static void
try_all(struct found *f, struct spline *s, unsigned fine)
{
	const unsigned L = (1u << fine) - 1;
	unsigned x;

	for (x = 0; x <= L; x++) {
		value(s, s->v[0], s->up, x, L);
		value(s, s->v[1], s->down, x, L);
		f->inexact |= mpfr_inexflag_p() != 0;
		if (mpfr_sgn(s->v[1]) <= 0) {
			f->bad = true;
			return;
		}
		mpfr_div(f->one, s->v[0], s->v[1], MPFR_RNDU);
		raise_to(f->worst, f->one);
		mpfr_clear_flags();
	}
}

static void
look(struct found *f, mpfr_t *up, mpfr_t *down, mpfr_prec_t bits, unsigned halvings)
{
	mpfr_t *more;
	unsigned k;

	f->inexact |= mpfr_inexflag_p() != 0;
	mpfr_set_zero(f->most, 1);
	for (k = 0; k < TERMS; k++) {
		if (mpfr_sgn(down[k]) <= 0) {
			f->bad = true;
			return;
		}
		mpfr_div(f->one, up[k], down[k], MPFR_RNDU);
		raise_to(f->most, f->one);
		if (k == 0 || k == TERMS - 1) {
			mpfr_div(f->one, up[k], down[k], MPFR_RNDD);
			raise_to(f->best, f->one);
		}
	}
	mpfr_mul_d(f->one, f->best, 1 + SMALL, MPFR_RNDD);
	if (mpfr_lessequal_p(f->most, f->one) || halvings == 0) {
		raise_to(f->worst, f->most);
		return;
	}
	if ((more = numbers(2 * TERMS, bits)) == NULL) {
		f->bad = true;
		return;
	}
	mpfr_clear_flags();
	halve(up, more);
	halve(down, more + TERMS);
	look(f, up, down, bits, halvings - 1);
	mpfr_clear_flags();
	look(f, more, more + TERMS, bits, halvings - 1);
	clear(more, 2 * TERMS);
	free(more);
}

const char *
audit_spline_loss(const struct audit_table *g, const struct audit_table *c, unsigned fine,
    const mpfr_t e, mpfr_t loss)
{
	const int64_t A = c == NULL ? 0 : c->A, end = c == NULL ? 1 : A + EDGE;
	struct spline in, out, *s;
	struct found f = { .bad = false };
	int64_t i, m;

	mpfr_inits2(64, f.best, f.worst, f.most, f.one, (mpfr_ptr)NULL);
	mpfr_set_zero(f.best, 1);
	mpfr_set_zero(f.worst, 1);
	f.bad = !make(&in, fine, e, WITHIN);
	f.inexact = mpfr_inexflag_p() != 0;
	f.bad |= !make(&out, fine, e, OUTSIDE);
	f.inexact |= mpfr_inexflag_p() != 0;
	/* from the middle on, where the most is lost */
	for (i = 0; i < 2 * end && !f.bad && !f.inexact; i++) {
		m = i % 2 == 0 ? i / 2 : -(i / 2) - 1;
		s = m + EDGE > A || m - EDGE < -A ? &out : &in;
		mpfr_clear_flags();
		set_cell(s, g, c, m);
		if (fine <= FEW) {
			try_all(&f, s, fine);
			continue;
		}
		bernstein(s, s->up);
		bernstein(s, s->down);
		look(&f, s->up, s->down, s->bits, HALVINGS);
	}
	drop(&in);
	drop(&out);
	mpfr_mul_d(f.best, f.best, 1 + SMALL, MPFR_RNDU);
	mpfr_max(f.worst, f.worst, f.best, MPFR_RNDU);
	mpfr_log1p(loss, f.worst, MPFR_RNDU);
	mpfr_clears(f.best, f.worst, f.most, f.one, (mpfr_ptr)NULL);
	return f.bad ? "what a table costs on its finer grid cannot be bounded" :
	    f.inexact ? "a table's numbers are too far apart to be exact" : NULL;
}
