/* line_correlated.c - lines of correlated noise: its coefficients, and their shift. */
#include <stdlib.h>

#include "line.h"
#include "toeplitz.h"

#define DITHERED	(1ul << 52)	/* the variance that blt.h's dither needs */

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
add(struct audit_body *b, const mpq_t variance, const mpq_t square, uint64_t steps,
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
	mpz_init_set(least, r->neighbours->square);
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
	else if (m->times < r->neighbours->events)
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

void
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
		add(b, variance, square, f->steps, f->columns);
	}
	mpq_set(b->drawn, variance);
	mpfr_clear(up);
	mpq_clears(variance, square, (mpq_ptr)NULL);
	free(b->blt);
	b->blt = f;
}

/*
 * rise k u tau: names told of where their count so far and the noise of the mechanism's part come
 * to tau; k events are a unit's, at most u of one name: with F(c) the sum of P(noise >= tau - c), k
 * times the larger of F(1) and F(u) / u is missed (lib/stat/top.h, GAUSSIAN, where tau > u)
 */
void
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

void
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
		add(b, variance, square, f->steps, f->columns);
	mpq_clears(variance, square, (mpq_ptr)NULL);
	free(f);
}
