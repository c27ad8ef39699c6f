/*
 * say.h - sentences about a planned sketch, each without its period: how the budget is divided, and
 * what its answers leave out.  A function returns false where its sentence does not hold; the text
 * may have changed then.
 */
#ifndef DP_SKETCH_SAY_H
#define DP_SKETCH_SAY_H

#include "sketch.h"

struct dp_sketch_plan {
	const struct dp_sketch *s;
	const struct dp_statistic *what;
	const struct dp_mech *m;
	uint64_t report;	/* steps that predictions are made for */
	uint64_t horizon;	/* 0: unknown */
};

/* The most by which right answers can differ, in the statistic's units; INFINITY: unknown. */
double	dp_sketch_reach(const struct dp_sketch_plan *);
/* Heavy ones: no more of them can be there than the error hides. */
bool	dp_sketch_note_few(const struct dp_sketch_plan *, char *text, size_t size);
/* Distinct ones: counts below some number cannot be told from 0. */
bool	dp_sketch_note_levels(const struct dp_sketch_plan *, char *text, size_t size);
/* The shares of memory and of answers in epsilon. */
bool	dp_sketch_note_budget(const struct dp_sketch_plan *, double epsilon, char *text,
	    size_t size);
/*
 * Relations that cost more.  One event with another identifier: in a running count of first sights
 * that is one unit (running.c); else two identifiers are touched, each of which may come and go 2w
 * times where its presence is w of them (counter.h).
 */
bool	dp_sketch_note_relation(const struct dp_sketch_plan *, double epsilon, bool delta,
	    char *text, size_t size);
/* The number of identifiers that predicted errors are of. */
bool	dp_sketch_note_seen(const struct dp_sketch_plan *, char *text, size_t size);
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
bool	dp_sketch_note_additive(const struct dp_sketch_plan *, const struct dp_mech_rule *,
	    char *text, size_t size);
/* Heavy ones: identifiers share buckets. */
bool	dp_sketch_note_buckets(const struct dp_sketch_plan *, char *text, size_t size);
/* Identifiers that come and go more often than is followed. */
bool	dp_sketch_note_flips(const struct dp_sketch_plan *, char *text, size_t size);

#endif
