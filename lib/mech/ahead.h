/*
 * ahead.h - step() and steps() of mechanisms whose noise is made a block of steps at a time.
 *
 * enter(m, col, rng, t) makes the block's if step t begins one, or nothing; add(m, col, i, x, y, n)
 * takes n steps of one block, the i-th and those after it.  Both are known where they are called,
 * so no step calls through a pointer.
 */
#ifndef DP_AHEAD_H
#define DP_AHEAD_H

#include "mech.h"

typedef int dp_ahead_enter(const struct dp_mech *, void *col, struct dp_rng *, uint64_t t);
typedef void dp_ahead_add(const struct dp_mech *, void *col, uint64_t i, const int64_t *x,
    dp_wide *y, size_t n);

/* dp_mech_ops.steps(); block: steps of one, less one: a power of two less one */
DP_INLINE int
dp_ahead_steps(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *y, size_t n, size_t *done, uint64_t block,
    dp_ahead_enter *enter, dp_ahead_add *add)
{
	uint64_t i;
	size_t k;
	int e;

	for (*done = 0; *done < n; *done += k) {
		if ((e = enter(m, col, rng, t + *done)) != 0)
			return e;
		i = (t + *done - 1) & block;
		k = (size_t)(block + 1 - i);
		if (k > n - *done)
			k = n - *done;
		add(m, col, i, x + *done, y + *done, k);
	}
	return 0;
}

/* dp_mech_ops.step() */
DP_INLINE int
dp_ahead_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est, uint64_t block, dp_ahead_enter *enter, dp_ahead_add *add)
{
	int e;

	if ((e = enter(m, col, rng, t)) != 0)
		return e;
	add(m, col, (t - 1) & block, x, est, 1);
	return 0;
}

#endif
