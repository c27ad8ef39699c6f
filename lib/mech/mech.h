/*
 * mech.h - the operations table every mechanism fills in.
 *
 * A mechanism is an immutable plan (noise tables, budgets: one per run) and a
 * column (the evolving sums and noise: one per declared key).  A column is plain words without
 * pointers, so the driver saves and loads it as it stands.  A mechanism knows nothing of
 * files, text or options, and gets its randomness as an argument.
 *
 * Time: step t = 1, 2, ...; x_t is the step's value in grid units; what the estimates after
 * step t approximate says the task (task.h).  Every mechanism is unbiased unless its source says otherwise.
 *
 * Adding one: one file in lib/ that defines a const struct dp_mech_ops, one line in plan.c.
 */
#ifndef DP_MECH_H
#define DP_MECH_H

#include "noise/law.h"
#include "noise/privacy.h"
#include "task.h"

enum dp_trait {
	DP_TRAIT_ENDLESS = 1,	/* works without a horizon */
	DP_TRAIT_PAN = 2,	/* memory between steps is private against one intrusion */
	DP_TRAIT_PAN_OPEN = 4,	/* ... also inside an open step, through add() */
	DP_TRAIT_BITS = 8,	/* step values must be 0 or 1 */
	DP_TRAIT_DELTA = 16	/* needs delta > 0 */
};

struct dp_mech_rule {
	struct dp_privacy privacy;
	uint64_t horizon;	/* 0: unknown */
	uint64_t most;		/* no step value is larger, either way; 0: unknown */
	uint64_t report;	/* steps to tune for: the horizon, if known */
	struct dp_task task;
};

/* Every mechanism's plan starts with this. */
struct dp_mech {
	const struct dp_mech_ops *ops;
	uint64_t horizon;
	size_t column;		/* bytes of a column, a multiple of 8 */
	unsigned outputs;	/* estimates a step, >= 1 */
	unsigned decimals;	/* estimates are in units of 10^-decimals grid units */
};

struct dp_error {
	double max, mean;	/* variance over steps 1..T, grid units squared */
	uint64_t worst;		/* a step that attains max */
	bool exact;		/* found by the mechanism, not by trying every step */
};

struct dp_mech_ops {
	const char *name;
	const char *source;	/* for --explain: what it is and where it is published */
	unsigned traits;
	unsigned tasks;		/* DP_TASK_* it can do */

	/*
	 * 0; DP_EINVAL: not for this rule (no horizon, horizon too long); DP_ERANGE: a scale does not fit;
	 * DP_ENOMEM.
	 */
	int (*create)(struct dp_mech **, const struct dp_mech_rule *);
	/* Draws what must exist before the first event; the column is zeroed. May be NULL. */
	int (*start)(const struct dp_mech *, void *col, struct dp_rng *);
	/*
	 * Absorb step t's value and write the estimate (all `outputs` of them); t counts up by one.  0 or DP_EENTROPY (then the column is
	 * dead and must not be used again).
	 */
	int (*step)(const struct dp_mech *, void *col, struct dp_rng *, uint64_t t, int64_t x, dp_wide *est);
	/*
	 * Steps t, t + 1, .. with the n values at x, their estimates to y: as n calls of step(), faster.
	 * One output only; may be NULL.  On an error *done estimates are good.
	 */
	int (*steps)(const struct dp_mech *, void *col, struct dp_rng *, uint64_t t, const int64_t *x,
	    dp_wide *y, size_t n, size_t *done);
	/* DP_TRAIT_PAN_OPEN: absorb part of the current step's value. Otherwise NULL. */
	void (*add)(const struct dp_mech *, void *col, int64_t x);
	/* The law of the noise in estimate t, grid units; of the first output, if there are several. */
	void (*law)(const struct dp_mech *, uint64_t t, struct dp_law *);
	/* .. of output `out`; NULL: there is one. */
	void (*law_of)(const struct dp_mech *, unsigned out, uint64_t t, struct dp_law *);
	/* Over t = 1..T and all outputs; NULL: dp_mech_error() tries every t. */
	void (*error)(const struct dp_mech *, uint64_t T, struct dp_error *);
	/* Whether a loaded column can be stepped without leaving memory; NULL: any words can. */
	bool (*valid)(const struct dp_mech *, const void *col, uint64_t t);
	/* Families of noise for --explain: the i-th, its share and reach; false when past the last. */
	bool (*family)(const struct dp_mech *, unsigned i, const struct dp_noise **, const char **what);
	/* What one of the i-th family's units is worth in grid units; NULL: 1. */
	double (*unit)(const struct dp_mech *, unsigned i);
	double (*draws)(const struct dp_mech *);	/* mean draws a step */
	void (*destroy)(struct dp_mech *);
};

/* Predicted error, through ops->error or, for short horizons, every step. */
void	dp_mech_error(const struct dp_mech *, uint64_t T, struct dp_error *);
/* The same by trying every step: the test oracle. */
void	dp_mech_error_brute(const struct dp_mech *, uint64_t T, struct dp_error *);
double	dp_mech_variance(const struct dp_mech *, uint64_t t);
/* The law of output `out` at step t, cleared first. */
void	dp_mech_law(const struct dp_mech *, unsigned out, uint64_t t, struct dp_law *);

/* ops->steps, or step() n times. */
int	dp_mech_steps(const struct dp_mech *, void *col, struct dp_rng *, uint64_t t, const int64_t *x,
	    dp_wide *y, size_t n, size_t *done) DP_MUSTUSE;

/* Allocates a zeroed plan of n bytes; NULL if there is no memory. */
void	*dp_mech_alloc(const struct dp_mech_ops *, size_t n, uint64_t horizon, size_t column);
void	dp_mech_free(struct dp_mech *);

/* One draw. */
static inline int
dp_draw(const struct dp_noise *n, struct dp_rng *r, int64_t *z)
{
	return dp_noise_fill(n, r, z, 1);
}

extern const struct dp_mech_ops dp_identity_ops, dp_input_ops, dp_output_ops, dp_response_ops,
    dp_tree_ops, dp_honaker_ops, dp_pan_ops, dp_pan_slots_ops, dp_hybrid_ops,
    dp_kary_ops, dp_bridge_ops, dp_segmented_ops, dp_hats_ops, dp_gauss_ops, dp_blt_ops;
extern const struct dp_mech_ops dp_input_filtered_ops, dp_bridge_filtered_ops,
    dp_hats_filtered_ops, dp_blt_filtered_ops;
extern const struct dp_mech_ops dp_windowsum_ops, dp_windowsum_paper_ops, dp_allwindow_ops, dp_allwindow_paper_ops,
    dp_gradual_ops, dp_map_ops, dp_map_paper_ops;

/*
 * A running count that protects the last W steps: what is older exactly, plus inner's estimate of the window of
 * W steps (expire.c).  inner: any WINDOW mechanism with one output; it becomes the new mechanism's, also on an error.
 */
int	dp_expire_wrap(struct dp_mech **out, struct dp_mech *inner, uint64_t W) DP_MUSTUSE;
extern const struct dp_mech_ops dp_expsum_ops, dp_expsum_paper_ops, dp_polysum_ops,
    dp_polysum_paper_ops, dp_decayed_output_ops;

#endif
