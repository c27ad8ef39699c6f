/*
 * line_looks.c - looks a n: n looks at bits that are 1 or 0 with odds e^(1/a), and are flipped with
 * those odds after each: what they lose together, of a grid unit's one bit (lib/sketch/anew.c).
 *
 * With g = tanh(1/(2a)), at look j a bit that was b at look j - 1 is b with probability (1 + g)/2,
 * or, drawn again since, 1 with probability (1 + G)/2, G = g^(j+1).  The first look loses 1/a.  The
 * most that all can lose is found look by look, for either value of the bit at the last one.
 */
#include "interval.h"
#include "line.h"

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
raise_to(mpfr_t to, mpfr_srcptr from, mpfr_srcptr over, mpfr_srcptr under)
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
look(mpfr_t at[2], struct interval s[static SIDES], unsigned j)
{
	mpfr_t to[2];

	beside(s[LESS_ALL].lo, s[LESS].lo, j + 1, MPFR_RNDD);
	beside(s[LESS_ALL].hi, s[LESS].hi, j + 1, MPFR_RNDU);
	put_more(&s[MORE_ALL], &s[LESS_ALL]);
	mpfr_inits2(DP_AUDIT_BITS, to[0], to[1], (mpfr_ptr)NULL);
	mpfr_set_ui(to[0], 0, MPFR_RNDU);
	mpfr_set_ui(to[1], 0, MPFR_RNDU);
	raise_to(to[0], at[0], s[MORE].hi, s[LESS_ALL].lo);
	raise_to(to[0], at[1], s[LESS_ALL].hi, s[LESS].lo);
	raise_to(to[1], at[0], s[MORE_ALL].hi, s[LESS].lo);
	raise_to(to[1], at[1], s[MORE].hi, s[MORE_ALL].lo);
	mpfr_swap(at[0], to[0]);
	mpfr_swap(at[1], to[1]);
	mpfr_clears(to[0], to[1], (mpfr_ptr)NULL);
}

/* All n; loss: of the first, and then of all. */
static void
lose(struct reader *r, struct audit_body *b, mpq_t loss, uint64_t n)
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
		look(at, s, i);
	mpfr_max(at[0], at[0], at[1], MPFR_RNDU);
	audit_rounded(r, b, loss, at[0]);
	for (i = 0; i < SIDES; i++)
		interval_clear(&s[i]);
	mpfr_clears(at[0], at[1], (mpfr_ptr)NULL);
}

void
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
		lose(r, b, loss, n);
		mpq_add(b->rate, b->rate, loss);
	}
	mpq_clear(loss);
}
