/*
 * count.c - running counts: count + (w_1 + .. + w_t) / 2^fraction, or count + 2^-64 sum_i
 * floor(w_i 2^64 / parts(i)), rounded half to even to the grid.
 *
 * The estimate is a function of y (filtered.h), so rounding it is post-processing; where the
 * fraction is not 0 it adds at most 1/4 to the variance, in general 1/12, which predictions leave
 * out.
 */
#include <stddef.h>

#include "filtered.h"

/* The sum of w up to the end of this block, and up to each of its steps; then fill()'s own. */
struct wide {
	dp_wide count, noise, ahead[DP_FILL], own[];
};

struct words {
	dp_wide count;
	int64_t noise, ahead[DP_FILL], own[];
};

void
dp_count_set(struct dp_filtered *f, size_t own)
{
	const size_t size = f->words ? sizeof(struct words) : sizeof(struct wide);

	f->own = f->words ? offsetof(struct words, own) : offsetof(struct wide, own);
	f->m.column = (size + own + 15) & ~(size_t)15;
}

/* floor(w 2^64 / n) */
static dp_wide
divide(int64_t w, uint64_t n)
{
	const dp_wide x = (dp_wide)((dp_uwide)(dp_wide)w << 64);

	return x / n - (x % n < 0);
}

/* Fills ahead[] if step t begins a block; unsigned, as a forged state must not overflow. */
static inline int
enter(const struct dp_filtered *f, void *col, struct dp_rng *rng, uint64_t t)
{
	struct words *narrow = col;
	struct wide *c = col;
	int64_t w[DP_FILL];
	uint64_t i, sum;
	int e;

	if (DP_LIKELY(((t - 1) & f->m.block) != 0))
		return 0;
	if ((e = f->m.ops->many.fill(&f->m, dp_filtered_own(f, col), rng, t - 1, w)) != 0)
		return e;
	if (f->words) {
		for (i = 0, sum = (uint64_t)narrow->noise; i <= f->m.block; i++)
			narrow->ahead[i] = (int64_t)(sum += (uint64_t)w[i]);
		narrow->noise = (int64_t)sum;
	} else
		for (i = 0; i <= f->m.block; i++)
			c->ahead[i] = c->noise = dp_wrapped(c->noise, f->parts == NULL ? w[i] :
			    divide(w[i], f->parts(f, t + i)));
	return 0;
}

/*
 * n steps of one block, its i-th and those after it.  A block's values, at most 2^56 each, and
 * noise in words fit a word together.
 */
static inline void
add(const struct dp_filtered *f, void *col, uint64_t i, const int64_t *x, dp_wide *y, size_t n)
{
	const struct words *narrow = col;
	struct wide *c = col;
	const dp_wide before = c->count;
	int64_t sum = 0;
	size_t k;

	if (!f->words) {
		for (k = 0; k < n; k++) {
			c->count += x[k];
			y[k] = dp_add_noise(c->count, c->ahead[i + k], f->fraction);
		}
		return;
	}
	for (k = 0; k < n; k++) {
		sum += x[k];
		y[k] = before + (sum + narrow->ahead[i + k]);
	}
	c->count = before + sum;
}

int
dp_count_steps(const struct dp_filtered *f, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *y, size_t n, size_t *done)
{
	const uint64_t T = f->m.horizon, left = T == 0 ? n : t > T ? 0 : T - (t - 1);
	const size_t most = n < left ? n : (size_t)left;
	uint64_t i;
	size_t k;
	int e;

	for (*done = 0; *done < most; *done += k) {
		if ((e = enter(f, col, rng, t + *done)) != 0)
			return e;
		i = (t + *done - 1) & f->m.block;
		k = (size_t)(f->m.block + 1 - i);
		if (k > most - *done)
			k = most - *done;
		add(f, col, i, x + *done, y + *done, k);
	}
	return most < n ? DP_EHORIZON : 0;
}

/* A count is one of 2^50 steps of 2^61, with room for as much again. */
bool
dp_count_valid(const struct dp_filtered *f, const void *col)
{
	const struct words *narrow = col;
	const dp_wide far = (dp_wide)1 << 112;
	const int64_t most = (int64_t)1 << 62;
	uint64_t i;

	if (narrow->count >= far || narrow->count <= -far)
		return false;
	if (!f->words)
		return true;
	for (i = 0; i <= f->m.block; i++)
		if (narrow->ahead[i] < -most || narrow->ahead[i] > most)
			return false;
	return narrow->noise >= -most && narrow->noise <= most;
}
