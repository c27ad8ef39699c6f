/* SPDX-License-Identifier: ISC */
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
#ifndef DP_LAW_AUDIT_H
#define DP_LAW_AUDIT_H

#include "base/dp.h"

struct dp_audit_rows;

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

/*
 * Runs of any command on two inputs as rows of numbers, of which audit.h makes a
 * bound.
 *
 * A row: the exit status, the bytes on standard error, the number of words of the output, and its
 * words, as many as the first run printed.  A word that is a number counts as it; a text, or a
 * number that is not finite, counts as how much likelier it is on the second input than on the
 * first, told by the runs that choose the event alone (audit.h).
 */

/* Columns of a row; words from DP_AUDIT_WORD on. */
enum { DP_AUDIT_STATUS, DP_AUDIT_SAID, DP_AUDIT_WORDS, DP_AUDIT_WORD };

/* runs: on each input. */
int	dp_audit_rows_new(struct dp_audit_rows **, uint64_t runs) DP_MUSTUSE;
void	dp_audit_rows_free(struct dp_audit_rows *);
/*
 * The run-th run (from 0) on input `side', 0 or 1: its output ends with a NUL and is changed.
 * status: as wait(2) has it.  DP_ENOMEM.
 */
int	dp_audit_rows_add(struct dp_audit_rows *, unsigned side, uint64_t run, int status,
	    size_t said, char *output) DP_MUSTUSE;
/* True: every run printed nothing. */
bool	dp_audit_rows_silent(const struct dp_audit_rows *);
/* Columns; 0 before the first run. */
size_t	dp_audit_rows_width(const struct dp_audit_rows *);
/* True: a column has texts. */
bool	dp_audit_rows_texts(const struct dp_audit_rows *, size_t column);
/* All rows of a side, once all runs are added; the caller's to free.  NULL: no memory. */
double	*dp_audit_rows_numbers(const struct dp_audit_rows *, unsigned side);

#endif
