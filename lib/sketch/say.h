/*
 * say.h - sentences about a planned sketch, each without its period: how the budget is divided, and
 * what its answers leave out.
 */
#ifndef DP_SKETCH_SAY_H
#define DP_SKETCH_SAY_H

#include "refuse.h"
#include "sketch.h"

struct dp_sketch_plan {
	const struct dp_sketch *s;
	const struct dp_statistic *what;
	const struct dp_mech *m;
	uint64_t report;	/* steps that predictions are made for */
	uint64_t horizon;	/* 0: unknown */
	bool whole;		/* all that an identifier does is protected */
	bool blind;		/* distinct: the error reaches the whole range (levels) */
	const char *none;	/* begins a sentence that answers say nothing */
};

/* The most by which right answers can differ, in the statistic's units; INFINITY: unknown. */
double	dp_sketch_reach(const struct dp_sketch_plan *);
/*
 * Hashed ones, whose error grows with their number: the least error besides.
 *
 * Statement: let a private answer be within a factor from 1 - A to 1 + A of the number of
 * identifiers, but for B, each with probability 1 - gamma.  Then B >= (1 - A) n/2, n the largest
 * whole number below ln((1 - gamma)/(gamma + delta/(e^epsilon - 1)))/epsilon.  Of cropped sums tau
 * times that.
 * Proof.  If not, the answers to none and to n identifiers are on two sides of (1 - A) n/2, each
 * but for gamma: S, those above it, has P_0(S) <= gamma and P_n(S) >= 1 - gamma.  But, by one
 * identifier after the other, P_n(S) <= e^(n epsilon) P_0(S) + delta (e^(n epsilon) - 1)/(e^epsilon
 * - 1).
 *
 * Theorem 14 of Mir et al. 2011 has log(1/gamma)/log m, with no constant, of memory that is
 * private; this holds whatever memory is.
 */
double	dp_sketch_additive(double epsilon, double delta, double gamma);	/* n/2 */

/*
 * The i-th of the sentences that hold: that answers say nothing, if so; then, where all that an
 * identifier does is protected, relations that cost more; the shares of memory and of answers in
 * epsilon; the number of identifiers that errors are of; the bound above; buckets that heavy ones
 * share.  False: there are fewer, and *i is less by their number.
 *
 * Relations that cost more.  One event with another identifier: in a running count of first sights
 * that is one unit (running.c); else two identifiers are touched, each of which may come and go 2w
 * times where its presence is w of them (counter.h).
 */
bool	dp_sketch_note(const struct dp_sketch_plan *, const struct dp_mech_rule *, unsigned *i,
	    char *text, size_t size);

/*
 * True: the option does nothing under the mechanism, and text says so; but of --presence (which is
 * for the caller to find out) it is what to say then.
 */
bool	dp_sketch_unused(enum dp_sketch_fact, const char *option, const char *mechanism, char *text,
	    size_t size);

#endif
