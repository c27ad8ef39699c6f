/* SPDX-License-Identifier: ISC */
/*
 * t_additive.c - the least error besides a factor, of --explain against what answers with
 * discrete Laplace noise have, and against the most that a probability can grow by.
 */
#include <string.h>

#include "sketch.h"
#include "sketch/internal.h"

/* By hand: ln 19 = 2.944, ln 19/0.1 = 29.4, ln 99 = 4.595; with delta, ln(.95/(.05 + .2/1.718)). */
static void
oracles(void)
{
	check(dp_sketch_additive(1, 0, .05) == 1);
	check(dp_sketch_additive(.1, 0, .05) == 14.5);
	check(dp_sketch_additive(1, 0, .01) == 2);
	check(dp_sketch_additive(3, 0, .05) == 0);
	check(dp_sketch_additive(.1, 0, .5) == 0);
	check(dp_sketch_additive(1, .01, .05) == 1);
	check(dp_sketch_additive(1, .1, .05) == 1 && dp_sketch_additive(1, .2, .05) == .5);
}

/*
 * Discrete Laplace noise is within b with probability 1 - 2 q^(b+1)/(1 + q), q = e^-eps: never
 * below what is said, and less than 2.1 times it, and 2 more.
 */
static void
attained(void)
{
	double eps, gamma, b, said;

	for (eps = .01; eps < 4; eps *= 1.3)
		for (gamma = .3; gamma > 1e-9; gamma /= 3) {
			for (b = 0; 2 * exp(-eps * (b + 1)) / (1 + exp(-eps)) > gamma; b++)
				;
			said = dp_sketch_additive(eps, 0, gamma);
			check(said <= b);
			check(b <= 2.1 * said + 2 + 1 / eps);
		}
}

/*
 * The most that P_n(S) can be where P_0(S) <= gamma: p -> e^eps p + delta with each identifier.
 * The first n with which 1 - gamma is reached is above what is said; without a delta the next one.
 */
static void
steps(void)
{
	static const double deltas[] = { 0, 1e-6, .001, .01 };
	double eps, gamma, p;
	unsigned d;
	int n, said;

	for (d = 0; d < 4; d++)
		for (eps = .02; eps < 3; eps *= 1.7)
			for (gamma = .25; gamma > 1e-6; gamma /= 4) {
				for (p = gamma, n = 0; p < 1 - gamma; n++)
					p = exp(eps) * p + deltas[d];
				said = (int)(2 * dp_sketch_additive(eps, deltas[d], gamma));
				check(said < n || n == 0);
				check(deltas[d] > 0 || said >= n - 1);
			}
}

int
main(void)
{
	oracles();
	attained();
	steps();
	return done();
}
