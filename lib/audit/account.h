/*
 * account.h - internal to lib/audit: what a mechanism's draws lose together.
 *
 * PURE losses add up, and so do the deltas that are missed (Parts.parts_compose; Dwork, Roth 2014,
 * Theorem 3.16).  What is rho-zero-concentrated adds up to one rho, and is turned into a delta for
 * the epsilon that pure losses leave: of
 *	exp((a - 1)(a rho - epsilon)) / (a - 1) (1 - 1/a)^a,   a = 2, 3, ..		(1)
 * every a gives one (Canonne, Kamath, Steinke 2020, Proposition 12), here a good one; and with one
 * family of Gaussian noise alone, whose shifts have squares that sum to mu^2 variances, m draws,
 *	e^(am) (Phi(mu/2 - t/mu) - e^t Phi(-mu/2 - t/mu) + e^(t-x)),			(2)
 * a = 1 / (24 variance), t = epsilon - a (2.08 m + 103 x), whatever x is (privacy.h, (2) of
 * dp_privacy_gauss_shift()); with one row of choices alone, what range.h finds.  To (1) and (2)
 * m (1 + e^epsilon) 2^-97 is added for what samplers miss (noise.h), and to (2) a 2^-20 of the
 * delta, for what blt.h sets aside.  Any smaller epsilon will do, too: it is cut where the first of
 * these would be half of the delta.
 */
#ifndef DP_AUDIT_ACCOUNT_H
#define DP_AUDIT_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include <gmp.h>
#include <mpfr.h>

#define DP_AUDIT_BITS	256

struct audit_account {
	mpq_t loss, missed, rho;
	mpz_t draws;			/* Gaussian ones */
	mpq_t variance, square;		/* of the one family of them; square: of all its shifts */
	mpq_t range;			/* of the one row of choices */
	uint64_t choices;
	unsigned gaussian, others;	/* families, and what else is concentrated */
};

void	audit_account_init(struct audit_account *);
void	audit_account_clear(struct audit_account *);
/* Gaussian noise: `draws' of them. */
void	audit_account_gauss(struct audit_account *, const mpq_t variance, const mpq_t square,
	    const mpz_t draws);
/* Other concentrated losses: a rho of n e^2 / d. */
void	audit_account_squares(struct audit_account *, uint64_t n, const mpq_t e, unsigned long d);
/* n choices by the exponential mechanism, of range c: n c^2 / 8, and range.h. */
void	audit_account_choices(struct audit_account *, uint64_t n, const mpq_t c);
/*
 * *delta: at most so much is missed where epsilon is lost, rounded up; infinite: no such bound was
 * found.  claimed: the delta that it is to be compared with.
 */
void	audit_account_delta(const struct audit_account *, const mpq_t epsilon, const mpq_t claimed,
	    mpfr_t delta);

#endif
