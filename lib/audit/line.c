/* line.c - what a line of a plan says of draws, and what it adds to the loss. */
#include <string.h>

#include "line.h"

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

void
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
lose(struct audit_body *b, const mpq_t scale, uint64_t m, uint64_t n)
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
value(struct reader *r, struct audit_body *b)
{
	char text[64];
	uint64_t m;
	mpq_t scale;

	mpq_init(scale);
	audit_rational(r, scale, text);
	m = audit_some(r);
	audit_bound_moves(r, b, m);
	lose(b, scale, m, audit_some(r));
	mpq_clear(scale);
}

/* weigh b m n: n (m / b)^2 / 8 of rho (selection.h) */
static void
weigh(struct reader *r, struct audit_body *b)
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
	mpz_init_set_ui(draws, audit_some(r));
	audit_account_gauss(&b->account, variance, square, draws);
	mpz_clear(draws);
	mpq_clears(variance, square, (mpq_ptr)NULL);
}

/*
 * sparse a m b s n: a threshold's noise of scale a moves by m, and at n comparisons noise of scale
 * b by s (lazy.c, transform.h)
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
		lose(b, scale, audit_some(r), 1);
	}
	audit_rational(r, scale, text);
	m = audit_some(r);
	n = audit_some(r);
	lose(b, scale, m, n);
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
 * each bit, of which a unit has as many as it has grid units (lib/sketch/bits.h, AGAIN)
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

void
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

void
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
	if (audit_good(r) && audit_line_top(r) &&
	    mpz_cmp_ui(r->neighbours->linf, b->bound.counter[0]) > 0)
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
		{ "laplace", laplace, AUDIT_LAPLACE, true }, { "value", value, AUDIT_VALUE, true },
		{ "choice", value, AUDIT_CHOICE, true }, { "weigh", weigh, AUDIT_WEIGH, true },
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
