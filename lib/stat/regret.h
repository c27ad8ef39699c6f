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
 * Proof.  Let F(C) = E min_i (C_i - X_i).  F(0) = -E max X >= -(E max G + M), and E max G <= s H_n,
 *   as G is an exponential variable rounded down.  F(C_T) <= min C_T - E G, E G = 1/(e^(1/s) - 1).
 *   So the differences F(C_t) - F(C_(t-1)) sum to at most min C_T + M + s H_n - E G: what is left
 *   is to compare each with the expected cost of its round.  C = C_(t-1), c = c_t, q(S) is the
 *   chance that the choice is in S, D(S) the least C_i - X_i of S less the least of all others.
 *   (1) c is the sum of the indicators of S_j = {i: c_i >= j}, j = 1 .. U, each within the one
 *   before; the expected cost is sum_j q(S_j), and q(S) <= P(D(S) <= 0).  Add the indicators to C
 *   one by one: F grows by the chance that the minimum is in S_j and not outside.  By then all of
 *   S_j has grown by j-1, and the others by no less than 0: a chance of at least P(D(S_j) <= -j).
 *   So the round costs at most sum_j P(-j < D(S_j) <= 0) more than F grows: w points in all, each
 *   a tie of a set with the others, for some C.  (It is at most U in any case.)
 *   (2) Where a set ties with the others, two indices or more attain the maximum: P(D(S) = 0) <=
 *   B(C)/2, B(C) = sum_i P(X_i - C_i = max_(k != i) X_k - C_k).  By parts, P(Z = z) = sum_(y > z)
 *   P(Z = y) a(y).  So B(C) = E a(Z_I) where the maximum is attained once, at I, and 0 where it is
 *   not.  a does not fall (Z is log-concave), Z_I <= max Z, and a >= e^(-1/b) - 1 >= -1/b:
 *   B(C) <= E a(max Z) + P(tie)/b, and P(tie) <= B(C)/2.  That is A; G is a part of C here.
 *   (3) The same with Z as a part of C and G's a(y) = e^(1/s) - 1 for y > 0, and -1 for 0:
 *   B(C) <= e^(1/s) - 1.
 *
 * First order.  With L the total cost of the best expert, t = 1/s or, if it is less and discrete
 * Laplace noise of scale b is a part of Z, 1/b, and a = U (e^t - 1) / (1 - e^(-tU)), the choices'
 * expected cost is at most a (L + M + s H_n - 1/(e^(1/s) - 1)).
 * Proof.  In (1), adding the indicator of S_j to those of S_1 .. S_(j-1) lets F grow by no less
 *   than the chance that the choice is in S_j then.  S_j has moved by j, the others by 0 to j: X_i
 *   of i in S_j has to be greater by j at most, of which the chance is e^(-jt) times that of
 *   before, as with what else is a part of X fixed P(G >= k + 1) >= e^(-1/s) P(G >= k), and so with
 *   Laplace noise and b.  So F grows by sum_j e^(-jt) q(S_j) at least, and as both fall with j that
 *   is at least (1/U) sum_j e^(-jt) times sum_j q(S_j), the cost of the round.
 *
 * Where the noise grows.  If Z_t is normal of variance v_t, v_1 <= v_2 <= .., rounded to the grid,
 * and A_t, M_t are A and M of that normal (its density in place of probabilities, and no 1/2b), the
 * statement holds with the mean of A_1 .. A_T for A, M_T for M, and w = U(U+5)/2.
 *
 * Proof.  F_t as above, for the normal.  (4) F_t(C) - F_(t+1)(C) is the integral of B_v(C)/2 over
 *   v_t <= v <= v_(t+1) (heat equation), B_v(C) <= B_v(0), and that integral at C = 0 is
 *   M_(t+1) - M_t: so the changes of F sum to M_T - M_1.  (5) Rounding moves what is compared by
 *   1/2 on each side, and F grows through whole intervals: -j <= D <= 1 in (1), of length j+1, in
 *   which at most j+2 values of G fall.
 * A law that rises and falls will not do: the costs could favour one expert where there is little
 * noise and another where there is much, with a regret that grows as T.
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
