/*
 * counter.h - answers that are an exact number, changing with time, plus the noise of a counter.
 *
 * The number at answer j is n_j, n_0 = 0.  Of two ways the one with the smaller largest error:
 *   a running count of the differences n_j - n_(j-1), by the best mechanism for a count there is
 *   (plan.h), over as many steps as there are answers;
 *   n_j + DLap(touched l1/epsilon), each answer by itself.
 *
 * Statement: let neighbours have numbers n, n' with sum over j of |(n_j - n'_j) - (n_(j-1) -
 * n'_(j-1))| at most moves l1, and sum |n_j - n'_j| at most touched l1, l1 of the rule.  Then all
 * answers together are private as the rule says.
 *
 * Proof.  The counter protects streams that differ by d, |d|_1 <= moves l1, in one column; for what
 * is concentrated by |d|_1^2 (neighbour.h, privacy.h).  That is all that is asked of it: each
 * mechanism for a count proves it for what is released, also for data that respond.  None of its
 * memory is: where memory is to be private there is no counter.  The other way: a shift of all
 * answers by at most touched l1 in L1.
 */
#ifndef DP_COUNTER_H
#define DP_COUNTER_H

#include "mech/part.h"
#include "sketch.h"

/*
 * What the plan of such a mechanism begins with.  Its column begins with what is its own, where the
 * number stands, too; the counter's follows.
 */
struct dp_counter {
	struct dp_mech m;		/* its part: what counts; none: each answer by itself */
	struct dp_noise own;
	uint64_t answers;		/* 0: endless */
	uint64_t every;			/* steps between answers; 0: there is one */
	size_t number;			/* where in a column the number stands, an int64_t */
	size_t at;			/* where the counter's part begins, a multiple of 64 */
};

/* What the statement asks, in units of the rule's l1. */
struct dp_counter_reach {
	uint64_t moves, touched;
};

/*
 * How far numbers are apart that count items which come and go, where one item may come and go w
 * times in all (w = 1: it comes, and stays), and all else is equal; k answers, 0: endless.
 *
 * Statement: presence (an item's times, or none of them): moves = min(w, k); else (any times, and
 * any others) moves = min(2w, 2k - 1); touched = k in both cases.
 *
 * Proof.  e_j = n_j - n'_j is the item's, within -1..1, or 0..1 up to the sign if one of the two is
 * 0.  Each coming and going of either stream changes it by 1: at most w, or 2w, in all, also where
 * only some moments are looked at.  And e_0 = 0, so that e_1 differs from it by 1 at most and
 * each e_j after it from the one before by 1 or 2.  |e_j| <= 1.
 */
struct dp_counter_reach dp_counter_items(uint64_t w, uint64_t k, bool presence);

/*
 * Of a plan from dp_mech_alloc(), with the bytes that are its own as its column, and `number` set.
 * As ops->create(); on an error the plan is freed.
 */
int	dp_counter_create(struct dp_counter *, const struct dp_mech_rule *,
	    struct dp_counter_reach) DP_MUSTUSE;

/* As dp_mech_ops have them.  The one note is what counts. */
/* The next answer; DP_EHORIZON: there were as many as were paid for. */
int	dp_counter_answer(const struct dp_mech *, void *col, struct dp_rng *, uint64_t t,
	    dp_wide *est) DP_MUSTUSE;
bool	dp_counter_valid(const struct dp_mech *, const void *col, uint64_t t);
void	dp_counter_law(const struct dp_mech *, unsigned out, uint64_t t, struct dp_law *);
void	dp_counter_error(const struct dp_mech *, uint64_t T, struct dp_error *);
double	dp_counter_draws(const struct dp_mech *);
bool	dp_counter_note(const struct dp_mech *, unsigned i, double unit, char *text, size_t size);

/* All of them but valid(), to which a mechanism may have something to add. */
#define DP_COUNTER_OPS \
	.tasks = DP_TASK_OWN, .answer = dp_counter_answer, .law = dp_counter_law, \
	.error = dp_counter_error, .draws = dp_counter_draws, .note = dp_counter_note

#endif
