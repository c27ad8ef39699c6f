/*
 * counter.h - answers that are an exact number, changing with time, plus the noise of a counter.
 *
 * The number at answer j is n_j, n_0 = 0.  Of three ways the one with the smallest largest error:
 *   a running count of the differences n_j - n_(j-1), by the best mechanism for a count there is
 *   (plan.h), over as many steps as there are answers;
 *   n_j + DLap(touched worth l1/epsilon), each answer by itself;
 *   n_j and discrete Gaussian noise for a shift of sqrt(touched) worth l1, where there is a delta.
 *
 * Statement: let neighbours have numbers n, n' with e_j = n_j - n'_j, d_j = e_j - e_(j-1), sum
 * |d_j| <= moves worth l1, |C d|^2 <= fading (worth l1)^2 for C as l2fading asks (privacy.h),
 * |e_j| <= worth l1, and at most `touched` of the e_j not 0, l1 of the rule.  Then all answers
 * together are private as the rule says.
 *
 * Proof.  The counter protects streams that differ by d, |d|_1 <= moves worth l1, in one column;
 * for what is concentrated by |d|_1^2 (neighbour.h, privacy.h), or by `fading`.  That is all that
 * is asked of it: each mechanism for a count proves it for what is released, also for data that
 * respond.  None of its memory is: where memory is to be private there is no counter.  The other
 * ways: a shift of all answers by at most touched worth l1 in L1, sqrt(touched) worth l1 in L2.
 */
#ifndef DP_COUNTER_H
#define DP_COUNTER_H

#include "mech/certificate.h"
#include "mech/part.h"
#include "sketch.h"

/*
 * Head of the plan of such a mechanism.  Its column is the mechanism's own part, with the number in
 * it, then the counter's.
 */
struct dp_counter {
	struct dp_mech m;		/* its part: what counts; none: each answer by itself */
	struct dp_noise own;
	uint64_t answers;		/* 0: endless */
	uint64_t moves, touched;	/* without a part: of an answer; of all, so many */
	struct dp_counter_sum {		/* with a part: of d_j, as the statement has them */
		uint64_t moves, fading;
	} sum;
	uint64_t every;			/* steps between answers; 0: there is one */
	size_t number;			/* where in a column the number stands, an int64_t */
	double unit;			/* what one of it is worth in answers; 0 is 1 */
	size_t at;			/* where the counter's part begins, a multiple of 64 */
};

/* Reach that the statement asks for; fading = 0: moves^2. */
struct dp_counter_reach {
	uint64_t moves, touched, fading;
	uint64_t worth;			/* 1 .. 2^32 */
};

/*
 * Distances of numbers that are sums of items' parts, from 0 to `worth`, where one item's may rise
 * above and fall below every level w times in all (w = 1: it rises, and stays), and all else is
 * equal; k answers, 0: endless. worth = 1: items come and go.
 *
 * Statement: presence (an item's times, or none of them): moves = min(w, k), fading the same; else
 * (any times, and any others) moves = min(2w, 2k - 1), fading = 4 min(w, k), but 2 for w = 1, and 1
 * for k = 1; touched = k in both cases.
 *
 * Proof.  What an item adds is the sum of `worth` layers, layer s being 1 where it adds s or more,
 * else 0; norms of the sum are at most the sums of norms, so worth = 1 is enough.  e_j = n_j -
 * n'_j is the item's, within -1..1, or 0..1 up to the sign if one of the two is 0.  Each coming
 * and going of either stream changes it by 1: at most w, or 2w, in all, also where only some
 * moments are looked at.  And e_0 = 0, so that e_1 differs from it by 1 at most and each e_j after
 * it from the one before by 1 or 2.  |e_j| <= 1.
 *   fading.  An item's own d is +1, -1, +1, .. at v <= min(w, k) moments, so |C d|^2 is sum <c_i,
 *   c_i> less, for every i of them, twice <c_i, c_k> - <c_i, c_k'> + .., i < k < k' < .., whose
 *   terms fall and are not negative: it is not below 0.  So |C d|^2 <= v max |c_i|^2.  Of two
 *   items, 2 sqrt(v) as a norm.  w = 1: e is 1, or -1, from one of two moments up to the other:
 *   +1, -1, v = 2.
 */
struct dp_counter_reach dp_counter_items(uint64_t w, uint64_t k, bool presence);

/*
 * Times that an item comes or goes in T steps, at most, if it is there for W steps at least
 * whenever it comes, and away for one at least whenever it goes: those of coming at 1, going at W +
 * 1, coming at W + 2, and so on.  W, T >= 1.
 */
uint64_t dp_counter_changes(uint64_t W, uint64_t T);

/*
 * Of a plan from dp_mech_alloc(), with the bytes that are its own as its column, and `number` set.
 * As ops->create(); on an error the plan is freed.
 */
int	dp_counter_create(struct dp_counter *, const struct dp_mech_rule *,
	    struct dp_counter_reach) DP_MUSTUSE;

/* Members of dp_mech_ops.  The one note is the number. */
/* The next answer; DP_EHORIZON: there were as many as were paid for. */
int	dp_counter_answer(const struct dp_mech *, void *col, struct dp_rng *, uint64_t t,
	    dp_wide *est) DP_MUSTUSE;
bool	dp_counter_valid(const struct dp_mech *, const void *col, uint64_t t);
void	dp_counter_law(const struct dp_mech *, unsigned out, uint64_t t, struct dp_law *);
void	dp_counter_error(const struct dp_mech *, uint64_t T, struct dp_error *);
double	dp_counter_draws(const struct dp_mech *);
bool	dp_counter_note(const struct dp_mech *, unsigned i, double unit, char *text, size_t size);

int	dp_counter_certify(const struct dp_mech *, struct dp_buf *) DP_MUSTUSE;

/* All of them but valid(), to which a mechanism may have something to add. */
#define DP_COUNTER_OPS \
	.tasks = DP_TASK_OWN, .answer = dp_counter_answer, .law.at = dp_counter_law, \
	.error = dp_counter_error, .drawn.number = dp_counter_draws, .say.note = dp_counter_note, \
	.drawn.certify = dp_counter_certify

#endif
