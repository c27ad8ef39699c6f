/*
 * gen.h - generators of noise increments w_1, w_2, .. that never look at the data.
 *
 * y_t = x_t + w_t is private (each generator's header proves it), so every filter of y is
 * post-processing: running sum, window, decay (filtered.c).  The noise is tuned to the filter:
 * create() gets the task.  A generator's column is plain words without pointers.
 */
#ifndef DP_GEN_H
#define DP_GEN_H

#include "mech.h"

struct dp_gen {
	const struct dp_gen_ops *ops;
	struct dp_task task;
	uint64_t horizon;	/* 0: unknown */
	unsigned block;		/* increments in a block: a power of two, 1..DP_GEN_BLOCK */
	size_t column;		/* bytes, a multiple of 16 */
	/* Increments are multiples of 2^-fraction; below 2^60 in these units if it is under 64. */
	unsigned fraction;
	/* As struct dp_mech's: of one with one family of noise.  dp_gen_alloc(): NULL, NULL, 1. */
	const struct dp_noise *noise;
	const char *noisy;
	double unit;
};

#define DP_GEN_BLOCK	64

struct dp_gen_ops {
	/* As dp_mech_ops.create(). */
	int (*create)(struct dp_gen **, const struct dp_mech_rule *);
	/*
	 * Increments of steps i + 1 .. i + block (i = 0, block, 2 block, .., in order) in units of
	 * 2^-64 grid units; the column starts zeroed.  DP_EENTROPY, DP_ERANGE: the column is dead.
	 */
	int (*fill)(const struct dp_gen *, void *col, struct dp_rng *, uint64_t i, dp_wide *w);
	/* The law of the noise in step t's estimate (WINDOW: of window w[out]), in grid units. */
	void (*law)(const struct dp_gen *, unsigned out, uint64_t t, struct dp_law *);
	/* As dp_mech_ops.cycle(). */
	uint64_t (*cycle)(const struct dp_gen *, unsigned out, uint64_t *from);
	/* Over t = 1..T, for output `out`, exact; NULL: every step is tried. */
	void (*error)(const struct dp_gen *, unsigned out, uint64_t T, struct dp_error *);
	/* NULL: any words are. */
	bool (*valid)(const struct dp_gen *, const void *col, uint64_t t);
	void (*destroy)(struct dp_gen *);	/* what it owns besides itself; NULL: nothing */
};

/* Allocates a zeroed generator of n bytes; NULL if there is no memory. */
void	*dp_gen_alloc(const struct dp_gen_ops *, size_t n, const struct dp_mech_rule *);
void	dp_gen_free(struct dp_gen *);
/* Its one family of noise, if it has but one, is that of the mechanism it makes. */
void	dp_gen_lend(const struct dp_gen *, struct dp_mech *);

extern const struct dp_gen_ops dp_blt_gen, dp_normtree_gen;

#endif
