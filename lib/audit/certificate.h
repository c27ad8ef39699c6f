/* SPDX-License-Identifier: ISC */
/*
 * certificate.h - a plan that was printed (dputils-plan(5)) against the hypotheses of the theorems
 * in tests/proof, in exact rationals and numbers that are rounded outward: a double is a number of
 * the text, exactly, or told to people.  It shares no code with
 * the planner: all that it knows of a plan is the text.
 *
 * Statement: where dp_certificate_check() says HOLDS, each mechanism of the text is (epsilon,
 * delta)-private, delta 0 where it has none, if a protected unit moves its step values by at most
 * its reach; where the text says who the neighbours are, the one at the top is private for them
 * (internal.h).  By what is drawn:
 *   laplace b n	discrete Laplace noise of scale b, on numbers that one grid unit moves by at
 *			most n in sum: reach n / b (Parts.laplace_moves)
 *   value b m n	n releases, one after the other, of a number that one unit moves by at
 *			most m, each with such noise of its own: n m / b
 *   choice b m n	n choices by permute-and-flip of scale b, of scores that one unit moves by
 *			amounts within m of each other: n m / b (Choice.flip_private)
 *   weigh b m n	the same by the exponential mechanism: n (m / b)^2 / 8 of rho
 *			(random/selection.h)
 *   sparse a m b s n	a threshold, whose noise of scale a moves by m, and n comparisons, whose
 *			noise of scale b moves by s: m / a + n s / b (stat/lazy.c, transform.h)
 *   gauss v s n	n draws of discrete Gaussian noise of variance v, whose moves have squares
 *			that sum to s: s / (2 v) of rho (internal.h)
 *   blt, banded	the same; s is computed from the coefficients (internal.h)
 *   coin h a b n	answers by a coin: n ln (h a / ((1 - h) b)) (Answers.response_private)
 *   again a b m n	bits drawn again at each sight (lib/sketch/internal.h)
 *   names b t k u	names released over a threshold t: a delta (Naming.naming)
 *   pass k u n s t ..	names released by a count with the noise so far, by its tree: a delta
 *   window k u w t	the same by the noise of the last w steps (passage.c)
 *   rise k u t	the same by a part's blt noise
 *   fresh e		of ages: the most that is lost at an event's own step
 *   ages d n b ..	intervals of 2^l steps with noise of scale b_l, events up to d steps old
 *			(counter/gradual.c, (2) and (3))
 *   counter m f a	the part that follows counts changes (internal.h)
 *   composed b m n	n numbers with noise of scale b, by advanced composition
 *   nothing		what is printed is a function of options
 *   tree		reach times the largest sum of e over a path (NormTree.norm_tree_private;
 *			internal.h), and 2^-39 a level for draws (Release.drawn_private); several
 *			trees are disjoint in time, and lose what the worst does
 *   rounds n		n times the part that follows, each chosen in the knowledge of those before:
 *			n e^2 / 2 of rho, e its epsilon
 *   exact		before all: epsilon is infinite
 *   seeded		before all: who knows the seed knows the noise
 *   parts		the sums of their epsilons and deltas (Parts.parts_compose)
 * Concentrated losses sum to one rho, which internal.h turns to a delta.
 * Of version 2 numbers are compared with what the plan claims (internal.h).
 * Taken as given: that the counts m and n are what they are, as the verdict tells; that several
 * trees of a mechanism are of disjoint times; that samplers are as exact as random/noise.h,
 * random/selection.h and random/rng.h say.
 */
#ifndef DP_AUDIT_CERTIFICATE_H
#define DP_AUDIT_CERTIFICATE_H

#include "base/buf.h"

enum dp_verdict_is {
	DP_VERDICT_HOLDS,
	DP_VERDICT_NOT_PRIVATE,	/* no noise; or all holds, of noise that a seed tells */
	DP_VERDICT_REFUTED,	/* a mechanism loses more than its epsilon */
	DP_VERDICT_UNKNOWN,	/* a mechanism does not say what it draws */
	DP_VERDICT_MALFORMED	/* no plan, or one of another version */
};

struct dp_verdict {
	enum dp_verdict_is is;
	char why[160];			/* unless it holds: the reason, where there is one */
	char tool[32];
	char claimed[64], delta[64];	/* epsilon and delta, as they are printed; "": none */
	double epsilon;			/* of claimed, rounded up */
	double loss, missed;		/* rounded up: missed where the loss is epsilon's */
	struct dp_buf each;		/* a line a mechanism: its name, what it loses; owned */
	unsigned mechanisms, trees, kinds;
	bool derived;			/* what neighbours move: by their lines */
	bool bound;			/* what internal.h asks for was asked for: of version 2 */
	/* Lines that are claims, and those with counts that are taken as they are; owned */
	struct dp_buf claim, given;
};

/*
 * text[n] is 0.  Takes some seconds for the largest trees.  DP_ENOMEM; else 0 and a verdict.
 */
int	dp_certificate_check(struct dp_verdict *, const char *text, size_t n) DP_MUSTUSE;

#endif
