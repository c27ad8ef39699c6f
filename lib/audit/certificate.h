/*
 * certificate.h - a plan that was printed (dputils-plan(5)) against the hypotheses of the theorems
 * in tests/proof, in exact rationals and numbers that are rounded outward.  It shares no code with
 * the planner: all that it knows of a plan is the text.
 *
 * Statement: where dp_certificate_check() says HOLDS, each mechanism of the text loses at most its
 * epsilon if a protected unit moves its step values by at most its reach.  By what is drawn:
 *   laplace b n	discrete Laplace noise of scale b, on numbers that one grid unit moves by at
 *			most n in sum: reach n / b (Parts.laplace_moves)
 *   value b m n	n releases, one after the other, of a number that one unit moves by at
 *			most m, each with such noise of its own: n m / b
 *   choice b m n	n choices by permute-and-flip of scale b, of scores that one unit moves by
 *			amounts within m of each other: n m / b (Choice.flip_private)
 *   tree		reach times the largest sum of e over a path (NormTree.norm_tree_private;
 *			tree.h), and 2^-39 a level for draws (Release.drawn_private); several
 *			trees are disjoint in time, and lose what the worst does
 *   parts		the sum of their epsilons (Parts.parts_compose)
 * Taken as given: that the reach, the counts m and n, and a tree's cells are what a unit moves;
 * that several trees of a mechanism are of disjoint times; that the sampler of discrete Laplace
 * noise is exact to 2^-99 (noise.h).
 */
#ifndef DP_AUDIT_CERTIFICATE_H
#define DP_AUDIT_CERTIFICATE_H

#include "base/dp.h"

enum dp_verdict_is {
	DP_VERDICT_HOLDS,
	DP_VERDICT_REFUTED,	/* a mechanism loses more than its epsilon */
	DP_VERDICT_UNKNOWN,	/* a mechanism does not say what it draws */
	DP_VERDICT_MALFORMED	/* no plan, or one of another version */
};

struct dp_verdict {
	enum dp_verdict_is is;
	char why[160];			/* unless it holds: the reason, where there is one */
	char tool[32];
	char claimed[64];		/* epsilon, as it is printed */
	double loss;			/* rounded up */
	unsigned mechanisms, trees, kinds;
};

/*
 * text[n] is 0.  Takes some seconds for the largest trees.  DP_ENOMEM; else 0 and a verdict.
 */
int	dp_certificate_check(struct dp_verdict *, const char *text, size_t n) DP_MUSTUSE;

#endif
