/*
 * moved.h - distinct identifiers of a declared universe, answer after answer, each identifier with
 * any number of lines: random bits, whose number is found to have passed one step after another.
 *
 * Bits are those of density.c: m of them, Y being 1.  Every r-th answer is a look at them: N =
 * floor(k/r) of k answers; m p is rounded.  With noise c of its own, and theta, a sum of
 * noises of stretches of looks,
 *	v = Y - m p + c - theta,
 * and the level i, from 0 on, rises to the number of j = 1 .. K with j s < v, if that is more.
 * Printed is the middle of the range of D at that level, E Y = m p + gap D,
 *	from i s/gap, or 0 at level 0, to (i + 1) s/gap + lag, or M at level K,
 * also by the answers that follow, to the next look; lag, how many identifiers may come between two
 * looks besides those of one answer: (r - 1) times the lines of an answer; r = 1 if these are not
 * known.  M: the most identifiers there may be.  s: so that these stretches have one length.
 *
 * Noises are discrete Laplace.  theta is the sum of those whose stretch holds look n (from 0): one
 * for each [a 2^i, (a+1) 2^i), low <= i < top, 2^top >= N, drawn when it begins, wiped when it
 * ends, of scale 1/x; c has 1/y.  Where low = top there is none, v itself may be told, and s = 1.
 *
 * PRIVACY.  Statement: let L = top - low > 0, U = 2^low or N if that is less, and C = K or N - U if
 * that is less.  Memory at any one moment t0 and all k answers together are
 *	(eps1 + L x + (2 C + U) y)-DP,  however large k is.
 * Proof: tests/proof/sketches.md.
 *
 * ACCURACY.  Statement: of streams that do not respond to what is printed, none of the k answers is
 * off by more than drift + w/gap, but with probability N P(|c - theta + Y - E Y| > w), where drift
 * is half the length of a stretch, and 1/2 for rounding.
 * Proof: tests/proof/sketches.md.
 *
 * Dwork, Naor, Pitassi, Rothblum 2010, Figure 2 and Theorem 5.2, of a monotonic function and its
 * own sketch.  It releases the answer with noise, spared here: a step that is passed tells it.
 */
#ifndef DP_SKETCH_MOVED_H
#define DP_SKETCH_MOVED_H

#include "bits.h"

#define DP_MOVED_LEVELS	40

/* A division: memory's part of DP_MOVED_WHOLE, and theta's part of the rest; r; K; low. */
struct dp_moved_choice {
	uint64_t part, theta, every, steps;
	unsigned low;
};

#define DP_MOVED_WHOLE	((uint64_t)1 << 16)
#define DP_MOVED_STEPS	((uint64_t)1 << 21)	/* K, where there is a threshold */
#define DP_MOVED_DEEPEST 8			/* low, where there is: 2^low looks cost one each */

struct dp_moved {
	struct dp_memory mem;		/* output: c */
	struct dp_noise theta;
	struct dp_odds odds;
	uint64_t answers, looks;	/* k, N */
	double most;			/* M */
	double lines;			/* identifiers of an answer, at most; INFINITY: unknown */
	struct dp_moved_choice choice;
	unsigned levels;		/* L */
	uint64_t step;			/* s */
	int64_t middle;			/* round(m p) */
	double square, mean;		/* of errors: the last answer's, and of all */
	double worst;			/* D, of the input that these are of (moved_error.c) */
};

/* Charges of theta's noises and of c: L and 2 C + U. */
uint64_t dp_moved_charge(const struct dp_moved *, bool theta);
/* lag, in identifiers */
double	dp_moved_lag(const struct dp_moved *);
/* The division with the least bound; epsilon: of one identifier. */
void	dp_moved_choose(struct dp_moved *, double epsilon);
/* The number of j = 1 .. K with j s < v. */
uint64_t dp_moved_passed(const struct dp_moved *, dp_wide v);
/* Range of D at the level, without noise. */
void	dp_moved_stretch(const struct dp_moved *, uint64_t level, double *lo, double *hi);
/* square, mean, worst; reach: that hardly any noise of all looks is beyond, in identifiers */
void	dp_moved_error(struct dp_moved *, double reach);
/* N, L; choice.every and choice.low are known. */
void	dp_moved_layout(struct dp_moved *);
/* For dp_memory_split(), L = 0: the square of the bound, memory having eps1, v that noise. */
double	dp_moved_off(const void *, double eps1, double noise);

#endif
