#include "base/num.h"
#include "wsum.h"

/*
 * State: the roots of this block and the one before; path[l], the noise of the last left interval
 * of level l; prefix[j], of p(j), of the block before until step j of this one; W words more, which
 * are not used: states of versions that did go on.
 */
struct view {
	int64_t *root, *before, *path, *prefix;
};

static struct view
view(const struct dp_wsum *s, int64_t *state)
{
	struct view v = { state, state + 1, state + 2, state + 2 + s->h };

	return v;
}

void
dp_wsum_set(struct dp_wsum *s, uint64_t w)
{
	s->w = w;
	s->h = dp_ceil_log2(w);
}

size_t
dp_wsum_words(const struct dp_wsum *s)
{
	return s->w == 1 ? 1 : 2 + s->h + 2 * (size_t)s->w;
}

/* Levels of the intervals that begin at u: all below the result. */
static unsigned
begins(const struct dp_wsum *s, uint64_t u)
{
	unsigned most = u == 0 ? s->h : (unsigned)__builtin_ctzll(u) + 1;
	unsigned fits = 64 - (unsigned)__builtin_clzll(s->w - u);

	if (most > s->h)
		most = s->h;
	return most < fits ? most : fits;
}

static int
draw(const struct dp_wsum *s, struct view *v, const struct dp_noise *noise, struct dp_rng *rng,
    uint64_t u)
{
	unsigned n = begins(s, u), l, root = u == 0;
	int64_t z[65];
	int e;

	if ((e = dp_noise_fill(noise, rng, z, n + root)) != 0)
		return e;
	if (root) {
		*v->before = *v->root;
		*v->root = z[0];
	}
	for (l = 0; l < n; l++)
		if ((u >> l & 1) == 0)		/* a left one */
			v->path[l] = z[root + n - 1 - l];
	return 0;
}

int
dp_wsum_step(const struct dp_wsum *s, int64_t *state, const struct dp_noise *noise,
    struct dp_rng *rng, uint64_t n, dp_wide *est)
{
	uint64_t u = (n - 1) % s->w, j = u + 1;
	struct view v = view(s, state);
	dp_wide own, older = 0;		/* they fit a word, unless a forged state says otherwise */
	int e;

	if (s->w == 1) {
		if ((e = dp_noise_fill(noise, rng, state, 1)) == 0)
			*est += *state;
		return e;
	}
	if ((e = draw(s, &v, noise, rng, u)) != 0)
		return e;
	if (j == s->w) {
		*est += *v.root;
		return 0;
	}
	/* j & (j - 1) < j was written in this block; 0 is the empty prefix */
	own = (dp_wide)v.prefix[j & (j - 1)] + v.path[__builtin_ctzll(j)];
	if (n > s->w)
		older = (dp_wide)*v.before - v.prefix[j];
	v.prefix[j] = (int64_t)own;
	*est += own + older;
	return 0;
}
