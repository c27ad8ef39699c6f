/*
 * coin.h - exact biased coins, and fair draws from a range.
 *
 * A coin falls heads with probability h = 1 / (1 + odds e^-x), x and odds exact rationals.
 *
 * Statement.  Bytes uniform and independent => both sides have their probability times a factor
 * within exp(+-2^-120), and tosses are independent.  h is irrational for every x > 0 (Lindemann),
 * so no table holds it: its first 256 bits are found in integers with a stated error (fixed.h), and
 * a toss is U < h for a uniform U of 256 bits, of which no more are drawn than it takes to see.
 * Rounding h down moves either side by less than 2^-256; with x <= 64 and odds from 2^-31 to 2^31
 * neither side is below 2^-128.
 *
 * Time.  How many bytes dp_coin_toss() takes is decided by whether U is near h, and says nothing
 * about on which side of it: no branch and no address depends on the outcome.
 *
 * Memory.  The bytes that were taken are wiped from the rng when a call returns.
 *
 * Only privacy.c may call dp_coin_make(): mechanisms ask privacy.h for a coin by privacy share.
 */
#ifndef DP_COIN_H
#define DP_COIN_H

#include "base/num.h"
#include "rng.h"

#define DP_COIN_REACH	64		/* the largest x; a larger one becomes this: more private */

struct dp_coin {
	bool always;		/* heads, for ever: epsilon = inf */
	uint64_t word[4];	/* h, the most significant word first */
	/* For predictions: both probabilities, neither by subtraction, and x; always: 1, 0, inf. */
	double heads, tails, x;
};

/* DP_EINVAL: a denominator or odds of 0, or odds out of range. */
int	dp_coin_make(struct dp_coin *, struct dp_q x, struct dp_q odds) DP_MUSTUSE;
void	dp_coin_always(struct dp_coin *);

/* One toss.  DP_EENTROPY. */
int	dp_coin_toss(const struct dp_coin *, struct dp_rng *, bool *heads) DP_MUSTUSE;

/* One of 0 .. n - 1, n > 0, all equally likely. */
int	dp_fair(struct dp_rng *, uint64_t n, uint64_t *) DP_MUSTUSE;

#endif
