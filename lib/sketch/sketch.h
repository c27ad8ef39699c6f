/*
 * sketch.h - statistics of identifiers, by memories that are themselves private.
 *
 * A sketch sees identifiers, with a sign, and answers when asked.  The unit that is protected is
 * all that happens to one identifier (neighbour.h, `whole`): any number of its events, there, not
 * there, or undone.  Where another relation is meant, the loss is that many times epsilon as it
 * moves identifiers: twice for "another identifier in its place".
 *
 * The budget.  What memory shows at one moment costs eps1, each of k outputs eps2:
 *	epsilon = eps1 + k eps2                                                             (*)
 * and where memory is looked at j times besides, as all know (anew.c), (j + 1) eps1 + k eps2, or
 * less of bits.  Each mechanism proves its own part.  Of all such divisions dp_memory_split() takes
 * the one of least variance, in whole multiples of 2^-24 of epsilon.  Bits that are drawn again at
 * every sight have more for the outputs (bits.h).
 *
 * With a delta outputs may have Gaussian noise instead.  Statement: let memory at t0 be eps1-DP by
 * a bijection c -> c' of what one identifier's part of it began with, or by its bit at t0, under
 * which memory is the same, and let it move the sum of each output by R at most, given that.  Then
 * noise that is (eps', delta)-DP for k releases moved by R each (privacy.h, dp_privacy_gauss_shift)
 * makes memory and outputs together (eps1 + eps', delta)-DP.
 * Proof.  S a set of memories and outputs, S_c its outputs where c is the start: P(S) = sum p(c)
 * P(S_c | c) <= sum p(c) (e^eps' P'(S_c | c') + delta) <= e^(eps1 + eps') P'(S) + delta, as p(c) <=
 * e^eps1 p(c').  Where bits are drawn again, P(S_c | c) is a mean over their later and earlier
 * values, and so is P': the inner inequality holds for each pair of these, and for the means.
 */
#ifndef DP_SKETCH_H
#define DP_SKETCH_H

#include "mech/mech.h"

#define DP_SKETCH_MAX	((uint64_t)1 << 20)	/* identifiers, where nobody says how many */
#define DP_SKETCH_MODULO	65536
#define DP_SKETCH_BUCKETS	4096		/* that they share, where nobody says how many */

/* Identifiers, as the tool describes them: dp_task.own. */
struct dp_sketch {
	uint64_t universe;	/* they are places 0 .. universe - 1; 0: any 128 bits */
	bool deletes;		/* they may be undone, and undone ones done */
	bool presence;		/* all events of one are there or none, in neighbours */
	bool lines;		/* a step is a line: there are no more of them than steps */
	uint64_t window;	/* steps that an event counts for; 0: all */
	bool whole;		/* window: neighbours differ in all events of one identifier */
	uint64_t flips;		/* comings and goings of one that are followed; 0: none are */
	uint64_t buckets;	/* of a level, a power of 2; 0: the mechanism's own choice */
	uint64_t wide;		/* of one level of hashed*, a power of 2; 0: as many */
	uint64_t tau;		/* cropped, mean: counts above it are it; heavy: from it on */
	uint64_t modulo;	/* incidence: counts that are tau modulo this; 0: that are tau */
	uint64_t updates;	/* no identifier has more lines: a promise; 0: there is none */
	uint64_t looks;		/* at memory that all know of (anew.c), besides one of which none */
	uint64_t share;		/* heavy: tau is 1/share of the lines so far, rounded up; 0: tau */
	unsigned bits;		/* of a cell, 2 .. 64; 0 is 64 (fewer, in tests, to enumerate) */
};

extern const struct dp_statistic dp_distinct, dp_density, dp_recent;
extern const struct dp_statistic dp_cropped, dp_mean, dp_incidence, dp_heavy;

/* Number of answers that the rule asks for; 0: without a horizon, unknown. */
uint64_t dp_sketch_outputs(const struct dp_mech_rule *);
/* Number of identifiers that predictions assume after t steps. */
double	dp_sketch_seen(const struct dp_sketch *, uint64_t t);
/* --buckets: B or B+W, powers of 2 from 16 to 2^26, B <= W; DP_EINVAL. */
int	dp_sketch_buckets(struct dp_sketch *, const char *text) DP_MUSTUSE;
/* --tau: N, from 1 to 2^31; or R%K, 0 <= R < K, K from 2 to DP_SKETCH_MODULO; DP_EINVAL. */
int	dp_sketch_often(struct dp_sketch *, const char *text) DP_MUSTUSE;
/* W for so many identifiers, a quarter of which it gets: a power of 2 from 4096 to 2^22. */
uint64_t dp_sketch_wide(double seen);
/* Answers are in units of the statistic: identifiers; or millionths of the universe. */
double	dp_sketch_unit(const struct dp_mech_rule *);
/* The nearest integer, of an estimate that doubles compute from what is private already. */
dp_wide	dp_sketch_round(double);

/*
 * Head of the plan of a sketch whose memory is private: the noises of (*), and numbers about them
 * for the operations below. m.drawn.numbers: the numbers that `output` is added to. m.drawn.unit:
 * the worth of one of its units, where a unit of `state` is worth 1.
 */
struct dp_memory {
	struct dp_mech m;
	struct dp_noise state, output;
	struct dp_sketch s;
	const char *begins;		/* what `state` is on; NULL: it is not used */
	double draws;			/* a step */
	unsigned each;			/* draws of an answer; 0: no Gaussian ones */
	uint64_t range, answers;	/* of an answer; of all: dp_memory_split()'s */
	const struct dp_coin *coin;	/* that memory begins by, not by `state'; NULL: it does */
	uint64_t odds;			/* of that coin: its places' own */
	bool redrawn;			/* memory is bits that are drawn again (bits.h) */
	bool flipped;			/* and, after each look, flipped (anew.c) */
	/* ops->answer(), but for the noise that it may leave on the stack. */
	int (*count)(const struct dp_mech *, void *col, struct dp_rng *, uint64_t t, dp_wide *est);
};

/* True: no noise. */
static inline bool
dp_memory_exact(const struct dp_memory *k)
{
	return k->output.kind == DP_NOISE_NONE;
}

/*
 * Allocates a plan of `size` bytes, `column` bytes a column: answers draw once, and what is drawn
 * is on every answer.  NULL: there is no memory.
 */
void	*dp_memory_alloc(const struct dp_mech_ops *, size_t size, const struct dp_mech_rule *,
	    size_t column);
/*
 * Its noises: `state` of scale l1 / eps1, `output` of scale range l1 / eps2, so that where one
 * identifier can move an integer by `range`, that integer plus a draw costs eps2; or, where that is
 * less, Gaussian noise for all outputs.  variance(arg, eps1, v) is what is to be least; it is given
 * the loss of one identifier, and the variance of a draw.  As dp_privacy_laplace(); DP_EINVAL also
 * if the number of outputs is 0 or above 2^30.  On an error the plan is freed.
 */
int	dp_memory_split(struct dp_memory *, const struct dp_mech_rule *, uint64_t range,
	    double (*variance)(const void *arg, double, double), const void *arg) DP_MUSTUSE;
/* The public key of a column. */
int	dp_memory_key(uint8_t key[static 16], struct dp_rng *) DP_MUSTUSE;

/* Members of dp_mech_ops. */
int	dp_memory_answer(const struct dp_mech *, void *col, struct dp_rng *, uint64_t t,
	    dp_wide *est) DP_MUSTUSE;
bool	dp_memory_family(const struct dp_mech *, unsigned i, const struct dp_noise **,
	    const char **what);
double	dp_memory_unit(const struct dp_mech *, unsigned i);
double	dp_memory_draws(const struct dp_mech *);
int	dp_memory_certify(const struct dp_mech *, struct dp_buf *) DP_MUSTUSE;

#define DP_MEMORY_OPS \
	.tasks = DP_TASK_OWN, .step = dp_sketch_step, .answer = dp_memory_answer, \
	.drawn.family = dp_memory_family, .drawn.unit = dp_memory_unit, \
	.drawn.number = dp_memory_draws, .drawn.certify = dp_memory_certify

/* The division itself, by (*): the shares of epsilon that are eps1's and eps2's. */
int	dp_sketch_shares(struct dp_q *state, struct dp_q *output, const struct dp_mech_rule *,
	    uint64_t range, double (*variance)(const void *arg, double, double), const void *arg)
	    DP_MUSTUSE;
/* The loss that a noise of dp_memory_split() stands for, of one identifier; of none: infinite. */
double	dp_sketch_loss(const struct dp_noise *);
/* Variance of a discrete Laplace variable of scale 1 / eps. */
double	dp_sketch_laplace(double eps);

/*
 * A draw that is true with probability 1/(1 + e^eps), exactly: state > 0, as the discrete Laplace
 * law has P(z > 0) = q/(1 + q), q = e^-eps.
 */
int	dp_sketch_flip(const struct dp_noise *state, struct dp_rng *, bool *) DP_MUSTUSE;

/* ops->say.refuses() of what is for identifiers that are never undone. */
const char *dp_sketch_refuse_deletes(const struct dp_task *);
/* ops->step() where time does not matter. */
int	dp_sketch_step(const struct dp_mech *, void *col, struct dp_rng *, uint64_t t,
	    const int64_t *x, dp_wide *est) DP_MUSTUSE;

#endif
