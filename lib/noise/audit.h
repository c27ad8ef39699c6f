/*
 * audit.h - what runs on two neighbouring inputs say about a claimed privacy loss: a lower bound on
 * it, at a confidence that is exact.
 *
 * If a command is (E, D)-differentially private, P(A in S) <= exp(E) P(B in S) + D for every event
 * S of its outputs, also with A and B exchanged.  Half of the runs choose the event, the other half
 * count it.  With lower and upper ends l and u of Clopper and Pearson's intervals for the two
 * probabilities (Biometrika 26, 1934), each wrong with probability at most alpha / 2,
 *
 *	E >= ln((l - D) / u)	with probability at least 1 - alpha,
 *
 * whatever the event, since it does not depend on the runs that count it.
 *
 * A run is a row of numbers.  Events are thresholds, x >= c or x <= c, of one of them, or of their
 * combination by Fisher's linear discriminant (Annals of Eugenics 7, 1936), which sees what many
 * numbers tell together.  Doubles: they decide nothing that is released.
 */
#ifndef DP_AUDIT_H
#define DP_AUDIT_H

#include "base/dp.h"

/* An event, and how often it came in the half that counts. */
struct dp_audit {
	bool combined;		/* of all numbers, else of number `column` */
	size_t column;
	bool above;		/* x >= threshold, else x <= threshold */
	double threshold;
	bool first;		/* it is likelier on the first input */
	uint64_t runs;		/* on each input */
	uint64_t likely, unlikely;	/* of them the event came in: the input it is likelier on */
	double epsilon;		/* the lower bound, >= 0 */
};

/*
 * a, b: n rows of k numbers each (not NaN), of n runs on either input; n >= 4, k >= 1; even rows
 * choose. 0 <= delta < 1, 0 < alpha < 1.  DP_ENOMEM.  Cost: O(n k (log n + k)) and k^3.
 */
int	dp_audit_bound(const double *a, const double *b, size_t n, size_t k, double delta,
	    double alpha, struct dp_audit *) DP_MUSTUSE;

/*
 * One end of an interval for the probability of what came x times in n trials, wrong with
 * probability at most alpha: the lower, or the upper one.  0 < alpha < 1.
 */
double	dp_audit_lower(uint64_t x, uint64_t n, double alpha);
double	dp_audit_upper(uint64_t x, uint64_t n, double alpha);

#endif
