/*
 * regret.h - what following the perturbed leader costs: a bound on its expected regret.
 *
 * There are n experts.  Expert i's cost in round t is c_ti, a whole number of grid units from 0 to
 * U (or from L to L + U: what is added to all costs of a round changes neither choices nor regret);
 * the costs are fixed in advance, they do not respond to the choices.  C_ti is the sum of
 * c_1i .. c_ti.  The choice of round t is the least i with the greatest X_ti - C_(t-1)i, where
 * X_t1 .. X_tn are independent of each other (but not of other rounds'), whole, and of one law,
 * which is the same in every round: X = G - Z, Z the noise of a counter, log-concave and
 * symmetric, and G >= 0 geometric, P(G >= k) = e^(-k/s), drawn afresh.
 *
 * Statement.  The expected total cost of the choices is above that of the best single expert by at
 * most
 *	T min(U, w/2 min(A, e^(1/s) - 1)) + M + s H_n - 1/(e^(1/s) - 1),
 * with w = U(U+1)/2, H_n = 1 + 1/2 + .. + 1/n, M = E max Z over n, and, if discrete Laplace noise
 * of scale b > 1/2 is a part of Z,
 *	A = E a(max Z) / (1 - 1/2b),   a(z) = P(Z = z-1) / P(Z = z) - 1.
 * Without G the terms with s are left out, without Z those with A and M.  (Kalai, Vempala 2005 and
 * Dwork, Naor, Pitassi, Rothblum 2010, section 6, have T (e^(U/s) - 1) + s H_n and some M; this is
 * a quarter of that in the first term.)
 *
 * Proof: tests/proof/regret.md.
 *
 * First order.  With L the total cost of the best expert, t = 1/s or, if it is less and discrete
 * Laplace noise of scale b is a part of Z, 1/b, and a = U (e^t - 1) / (1 - e^(-tU)), the choices'
 * expected cost is at most a (L + M + s H_n - 1/(e^(1/s) - 1)).
 * Proof: tests/proof/regret.md.
 *
 * Where the noise grows.  If Z_t is normal of variance v_t, v_1 <= v_2 <= .., rounded to the grid,
 * and A_t, M_t are A and M of that normal (its density in place of probabilities, and no 1/2b), the
 * statement holds with the mean of A_1 .. A_T for A, M_T for M, and w = U(U+5)/2.
 *
 * Proof: tests/proof/regret.md.
 *
 * Doubles: they describe, and find a rate.  A and M are sums over a lattice of 2^13 points, within
 * 10^-3, which is added (A may come out larger by 2 %).
 */
#ifndef DP_REGRET_H
#define DP_REGRET_H

#include "noise/law.h"

struct dp_regret {
	double n, T;			/* experts, rounds */
	double range;			/* U */
	bool grows;
	double pull, spread;		/* A (INFINITY: no noise), M; grid units */
	double laplace;			/* the largest b; 0: no such noise */
};

/* A, M and b of one law of noise, for r->n experts. */
void	dp_regret_noise(struct dp_regret *, const struct dp_law *);
/* The bound, grid units; s = 0: no perturbation. */
double	dp_regret_bound(const struct dp_regret *, double s);
/* First order: the cost is at most a L + *c; returns a, INFINITY where nothing is known. */
double	dp_regret_first(const struct dp_regret *, double s, double *c);
/* The s with the least bound. */
double	dp_regret_best(const struct dp_regret *);

#endif
