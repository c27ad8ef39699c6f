/* account.c - from what is concentrated to a delta, rounded up. */
#include "account.h"
#include "range.h"

#define SAMPLER	97		/* a draw of noise misses its law by 2^-97 at most */
#define ASIDE	20
#define ORDERS	60		/* of (1): powers of two that are looked at */

void
audit_account_init(struct audit_account *a)
{
	mpq_inits(a->loss, a->missed, a->rho, a->variance, a->square, a->range, (mpq_ptr)NULL);
	mpz_init(a->draws);
	a->choices = a->gaussian = a->others = 0;
}

void
audit_account_clear(struct audit_account *a)
{
	mpq_clears(a->loss, a->missed, a->rho, a->variance, a->square, a->range, (mpq_ptr)NULL);
	mpz_clear(a->draws);
}

void
audit_account_gauss(struct audit_account *a, const mpq_t variance, const mpq_t square,
    const mpz_t draws)
{
	mpq_t rho;

	mpq_init(rho);
	mpq_div(rho, square, variance);
	mpq_div_2exp(rho, rho, 1);
	mpq_add(a->rho, a->rho, rho);
	mpq_clear(rho);
	mpq_set(a->variance, variance);
	mpq_set(a->square, square);
	mpz_add(a->draws, a->draws, draws);
	a->gaussian++;
}

void
audit_account_squares(struct audit_account *a, uint64_t n, const mpq_t e, unsigned long d)
{
	mpq_t rho, times;

	mpq_inits(rho, times, (mpq_ptr)NULL);
	mpz_set_ui(mpq_numref(times), n);
	mpz_set_ui(mpq_denref(times), d);
	mpq_canonicalize(times);
	mpq_mul(rho, e, e);
	mpq_mul(rho, rho, times);
	mpq_add(a->rho, a->rho, rho);
	mpq_clears(rho, times, (mpq_ptr)NULL);
	a->others++;
}

void
audit_account_choices(struct audit_account *a, uint64_t n, const mpq_t c)
{
	audit_account_squares(a, n, c, 8);
	mpq_set(a->range, c);
	a->choices = n;
}

/* log of (1) at order a, rounded up */
static void
at_order(mpfr_t to, const mpfr_t rho, const mpfr_t eps, const mpfr_t a)
{
	mpfr_t less, x;

	mpfr_inits2(DP_AUDIT_BITS, less, x, (mpfr_ptr)NULL);
	mpfr_sub_ui(less, a, 1, MPFR_RNDN);		/* exactly: a is a whole number */
	mpfr_mul(to, a, rho, MPFR_RNDU);
	mpfr_sub(to, to, eps, MPFR_RNDU);
	mpfr_mul(to, to, less, MPFR_RNDU);
	mpfr_log(x, less, MPFR_RNDD);
	mpfr_sub(to, to, x, MPFR_RNDU);
	mpfr_div(x, less, a, MPFR_RNDU);
	mpfr_log(x, x, MPFR_RNDU);
	mpfr_mul(x, x, a, MPFR_RNDU);
	mpfr_add(to, to, x, MPFR_RNDU);
	mpfr_clears(less, x, (mpfr_ptr)NULL);
}

/* Takes order a where it is better than the best so far. */
static void
try_order(mpfr_t best, mpfr_t at, const mpfr_t rho, const mpfr_t eps, const mpfr_t a)
{
	mpfr_t one;

	if (mpfr_cmp_ui(a, 2) < 0)
		return;
	mpfr_init2(one, DP_AUDIT_BITS);
	at_order(one, rho, eps, a);
	if (mpfr_less_p(one, best)) {
		mpfr_set(best, one, MPFR_RNDU);
		mpfr_set(at, a, MPFR_RNDN);
	}
	mpfr_clear(one);
}

/* (1): the best power of two, then what is ever nearer to the best. */
static void
concentrated(mpfr_t to, const mpfr_t rho, const mpfr_t eps)
{
	mpfr_t a, at, step;
	unsigned i;

	mpfr_inits2(DP_AUDIT_BITS, a, at, step, (mpfr_ptr)NULL);
	mpfr_set_inf(to, 1);
	for (i = 1; i < ORDERS; i++) {
		mpfr_set_ui_2exp(a, 1, i, MPFR_RNDN);
		try_order(to, at, rho, eps, a);
	}
	for (mpfr_div_2ui(step, at, 1, MPFR_RNDN); mpfr_cmp_ui(step, 1) >= 0;
	    mpfr_div_2ui(step, step, 1, MPFR_RNDN)) {
		mpfr_set(a, at, MPFR_RNDN);
		mpfr_add(a, a, step, MPFR_RNDN);
		try_order(to, at, rho, eps, a);
		mpfr_sub(a, at, step, MPFR_RNDN);
		try_order(to, at, rho, eps, a);
	}
	mpfr_exp(to, to, MPFR_RNDU);
	mpfr_clears(a, at, step, (mpfr_ptr)NULL);
}

/* Phi(-x), rounded that way; erfc falls, so its argument is rounded the other way. */
static void
above(mpfr_t to, const mpfr_t x, mpfr_rnd_t way)
{
	const mpfr_rnd_t other = way == MPFR_RNDU ? MPFR_RNDD : MPFR_RNDU;
	mpfr_t root;

	mpfr_init2(root, DP_AUDIT_BITS);
	mpfr_sqrt_ui(root, 2, mpfr_sgn(x) < 0 ? other : way);
	mpfr_div(root, x, root, other);
	mpfr_erfc(to, root, way);
	mpfr_div_2ui(to, to, 1, way);
	mpfr_clear(root);
}

/* Phi(mu/2 - t/mu) - e^t Phi(-mu/2 - t/mu), up; mu is rounded up, t down. */
static void
gaussian(mpfr_t to, const mpfr_t mu, const mpfr_t t)
{
	mpfr_t x, half, less;

	mpfr_inits2(DP_AUDIT_BITS, x, half, less, (mpfr_ptr)NULL);
	mpfr_div_2ui(half, mu, 1, MPFR_RNDN);		/* exactly */
	mpfr_div(x, t, mu, MPFR_RNDU);
	mpfr_add(x, x, half, MPFR_RNDU);
	above(less, x, MPFR_RNDD);
	mpfr_exp(x, t, MPFR_RNDD);
	mpfr_mul(less, less, x, MPFR_RNDD);
	mpfr_div(x, t, mu, MPFR_RNDD);
	mpfr_sub(x, x, half, MPFR_RNDD);
	above(to, x, MPFR_RNDU);
	mpfr_sub(to, to, less, MPFR_RNDU);
	mpfr_clears(x, half, less, (mpfr_ptr)NULL);
}

/* (2), without what samplers miss; infinite: it says nothing. */
static void
analytic(const struct audit_account *a, const mpfr_t eps, const mpfr_t delta, mpfr_t to)
{
	mpfr_t each, x, t, mu, one;
	mpq_t q;

	mpfr_set_inf(to, 1);
	if (mpq_cmp_ui(a->variance, 1024, 1) < 0)	/* sigma >= 32 */
		return;
	mpfr_inits2(DP_AUDIT_BITS, each, x, t, mu, one, (mpfr_ptr)NULL);
	mpq_init(q);
	mpq_inv(q, a->variance);
	mpfr_set_q(each, q, MPFR_RNDU);
	mpfr_div_ui(each, each, 24, MPFR_RNDU);
	/* x = eps - log delta + 20; t = eps - a (2.08 m + 103 x) */
	mpfr_log(x, delta, MPFR_RNDD);
	mpfr_sub(x, eps, x, MPFR_RNDU);
	mpfr_add_ui(x, x, 20, MPFR_RNDU);
	mpfr_mul_ui(t, x, 103, MPFR_RNDU);
	mpfr_set_z(one, a->draws, MPFR_RNDU);
	mpfr_mul_ui(one, one, 208, MPFR_RNDU);
	mpfr_div_ui(one, one, 100, MPFR_RNDU);
	mpfr_add(t, t, one, MPFR_RNDU);
	mpfr_mul(t, t, each, MPFR_RNDU);
	mpfr_sub(t, eps, t, MPFR_RNDD);
	if (mpfr_sgn(t) > 0) {
		mpq_mul(q, a->square, q);
		mpfr_set_q(mu, q, MPFR_RNDU);
		mpfr_sqrt(mu, mu, MPFR_RNDU);
		gaussian(to, mu, t);
		mpfr_sub(x, t, x, MPFR_RNDU);
		mpfr_exp(x, x, MPFR_RNDU);
		mpfr_add(to, to, x, MPFR_RNDU);
		mpfr_mul_z(each, each, a->draws, MPFR_RNDU);
		mpfr_exp(each, each, MPFR_RNDU);
		mpfr_mul(to, to, each, MPFR_RNDU);
		mpfr_div_2ui(x, delta, ASIDE, MPFR_RNDU);
		mpfr_add(to, to, x, MPFR_RNDU);
	}
	mpq_clear(q);
	mpfr_clears(each, x, t, mu, one, (mpfr_ptr)NULL);
}

/* Cuts epsilon to log(delta 2^96 / m), and sets what samplers miss; false: nothing is left. */
static bool
sampled(const struct audit_account *a, mpfr_t eps, const mpfr_t delta, mpfr_t missed)
{
	mpfr_t most;
	bool left;

	mpfr_set_zero(missed, 1);
	if (mpz_sgn(a->draws) == 0)
		return mpfr_sgn(eps) > 0;
	mpfr_init2(most, DP_AUDIT_BITS);
	mpfr_mul_2ui(most, delta, SAMPLER - 1, MPFR_RNDD);
	mpfr_set_z(missed, a->draws, MPFR_RNDU);
	mpfr_div(most, most, missed, MPFR_RNDD);
	mpfr_log(most, most, MPFR_RNDD);
	mpfr_min(eps, eps, most, MPFR_RNDD);
	left = mpfr_sgn(eps) > 0;
	mpfr_exp(most, eps, MPFR_RNDU);
	mpfr_add_ui(most, most, 1, MPFR_RNDU);
	mpfr_mul(missed, missed, most, MPFR_RNDU);
	mpfr_div_2ui(missed, missed, SAMPLER, MPFR_RNDU);
	mpfr_clear(most);
	return left;
}

void
audit_account_delta(const struct audit_account *a, const mpq_t epsilon, const mpq_t claimed,
    mpfr_t to)
{
	mpfr_t eps, delta, missed, other, rho;

	mpfr_set_zero(to, 1);
	if (a->gaussian + a->others == 0)
		return;
	mpfr_set_inf(to, 1);
	if (mpq_sgn(epsilon) <= 0 || mpq_sgn(claimed) <= 0)
		return;
	mpfr_inits2(DP_AUDIT_BITS, eps, delta, missed, other, rho, (mpfr_ptr)NULL);
	mpfr_set_q(eps, epsilon, MPFR_RNDD);
	mpfr_set_q(delta, claimed, MPFR_RNDD);
	mpfr_div_2ui(missed, delta, ASIDE, MPFR_RNDU);
	mpfr_sub(delta, delta, missed, MPFR_RNDD);
	mpfr_set_q(rho, a->rho, MPFR_RNDU);
	if (sampled(a, eps, delta, missed)) {
		concentrated(to, rho, eps);
		if (a->gaussian == 1 && a->others == 0) {
			analytic(a, eps, delta, other);
			mpfr_min(to, to, other, MPFR_RNDU);
		}
		mpfr_add(to, to, missed, MPFR_RNDU);
	}
	if (a->choices > 0 && a->gaussian == 0 && a->others == 1 && mpfr_cmp_q(to, claimed) > 0) {
		audit_range_delta(a->range, a->choices, epsilon, other);
		mpfr_min(to, to, other, MPFR_RNDU);
	}
	mpfr_clears(eps, delta, missed, other, rho, (mpfr_ptr)NULL);
}
