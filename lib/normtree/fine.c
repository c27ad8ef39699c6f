/*
 * fine.c - draws on a grid finer than the tables' (normtree.h, SPLINES), and from scripts.
 */
#include "draw.h"
#include "spline.h"
#include "noise/digits.h"

#define N	DP_SPLINE_ORDER
#define SPLIT	(2 * N - 1)		/* uniforms of two residuals: the last is what P leaves */
#define IN_WORD	(64 / SPLIT)		/* a word has them all where D is not above 2^this; */
#define UNIFORM	4			/* else so many bytes have one each */
#define HALF	4			/* bytes of one half of U */

/* A residual is from its least on: its mean is this above that. */
DP_INLINE int64_t
middle(const struct dp_normtree *p)
{
	return N / 2 * (((int64_t)1 << p->fine) - 1);
}

/* A sum of uniforms from 0 .. D - 1, D <= 2^32: of those from number k to n - 1. */
DP_INLINE int64_t
sum(const struct dp_normtree *p, const uint8_t *at, unsigned k, unsigned n, const bool in_word)
{
	const uint64_t D = (uint64_t)1 << p->fine;
	uint64_t x = 0, w;

	if (in_word)
		for (w = dp_load64(at) >> (k * p->fine); k < n; k++, w >>= p->fine)
			x += w & (D - 1);
	else
		for (; k < n; k++)
			x += dp_load32(at + UNIFORM * k) >> (32 - p->fine);
	return (int64_t)x;
}

/* The residuals of two children. */
struct rest {
	int64_t xi, eta;
};

/* Every pair that sums to P - D Q for a whole Q, as the law has it; returns Q. */
DP_INLINE int64_t
propose(const struct dp_normtree *p, int64_t P, const uint8_t *at, struct rest *t,
    const bool in_word)
{
	const int64_t y = P + 2 * middle(p), D = (int64_t)1 << p->fine;
	int64_t xi = sum(p, at, 0, N, in_word), eta = sum(p, at, N, SPLIT, in_word);

	eta += (y - xi - eta) & (D - 1);
	*t = (struct rest){ xi - middle(p), eta - middle(p) };
	return (y - xi - eta) >> p->fine;
}

DP_INLINE real
own(const struct dp_normtree_level *v, int64_t Q)
{
	const uint64_t size = (uint64_t)(Q < 0 ? -Q : Q);

	return DP_UNLIKELY(size > v->A) ? dp_normtree_entry(v->own, v->A, v->past, size) :
	    v->own[size];
}

/* The c of Q, and the largest of the 2N that P can be taken for. */
struct pair {
	real c, most;
};

DP_INLINE struct pair
look_up(const struct dp_normtree *p, const struct dp_normtree_level *v, int64_t P, int64_t Q)
{
	const int64_t last = (P + 2 * middle(p)) >> p->fine, first = last - (2 * N - 1);

	return (struct pair){ own(v, Q), own(v, last < 0 ? last : first > 0 ? first : 0) };
}

/* U < c / most */
static bool
below(const struct pair *f, uint64_t U)
{
	const int64_t s = f->most.x - f->c.x;

	if (s < 0 || s > 63)		/* not lower; and so much lower it is not: table.c */
		return s < 0;
	return (dp_uwide)U * f->most.m < (dp_uwide)f->c.m << (64 - s);
}

/*
 * By the upper half of U: with m that of most.m, U most.m is from half m 2^64 to less than
 * (half + 1)(m + 1) 2^64.  *open, once in 2^31 times: the lower half decides.  No branch: every
 * third trial fails.
 */
DP_INLINE bool
decide(const struct pair *f, uint64_t half, bool *open)
{
	const uint64_t s = (uint64_t)(f->most.x - f->c.x), m = f->most.m >> 32;
	const uint64_t limit = f->c.m >> (s & 63), least = half * m;
	const bool yes = (least <= limit) & (limit - least > half + m);

	*open = (s >= 64) | ((least <= limit) & !yes);
	return yes;
}

static int
decide_open(const struct pair *f, uint64_t half, struct dp_rng *rng, bool *yes)
{
	const uint8_t *at = dp_rng_take(rng, HALF);

	if (at == NULL)
		return rng->error;
	*yes = below(f, half << 32 | dp_load32(at));
	return 0;
}

/* Nodes that are to be taken for a Q still. */
struct left {
	unsigned n;
	uint8_t node[DP_NORMTREE_SPLITS];
};

/* Draw of each node. */
struct drawn {
	int64_t Q[DP_NORMTREE_SPLITS];
	struct rest of[DP_NORMTREE_SPLITS];
};

/*
 * A trial for each node that is left; no trial waits for another.  One that U's upper half leaves
 * open ends the round.
 */
DP_INLINE int
round_of(const struct dp_normtree *p, const struct dp_normtree_level *v, struct dp_rng *rng,
    const int64_t *P, struct drawn *to, struct left *left, const bool in_word)
{
	const size_t uniforms = in_word ? sizeof(uint64_t) : SPLIT * UNIFORM;
	const size_t record = uniforms + HALF;
	struct pair f = { 0 };
	uint64_t half = 0;
	unsigned i, k, some, node;
	uint8_t *at;
	bool yes = false, open = false;
	int e;

	if ((some = (unsigned)dp_rng_span(rng, &at, record, left->n)) == 0)
		return rng->error;
	for (i = k = 0; i < some && !open; i++, at += record) {
		node = left->node[i];
		to->Q[node] = propose(p, P[node], at, &to->of[node], in_word);
		f = look_up(p, v, P[node], to->Q[node]);
		half = dp_load32(at + uniforms);
		yes = decide(&f, half, &open);
		left->node[k] = (uint8_t)node;
		k += open | !yes;
	}
	dp_rng_spend(rng, i * record);
	if (DP_UNLIKELY(open)) {
		if ((e = decide_open(&f, half, rng, &yes)) != 0)
			return e;
		k -= yes;
	}
	memmove(left->node + k, left->node + i, left->n - i);
	left->n -= i - k;
	return 0;
}

static int
fine_split(const struct dp_normtree *p, struct dp_rng *rng, unsigned kind,
    const int64_t *P, int64_t *out, unsigned n)
{
	const struct dp_normtree_level *v = &p->level[kind];
	struct left left = { .n = n };
	struct drawn to;
	unsigned i;
	int e = 0;

	memset(to.Q, 0, n * sizeof *to.Q);
	for (i = 0; i < n; i++)
		left.node[i] = (uint8_t)i;
	while (left.n > 0 && e == 0)
		e = p->fine <= IN_WORD ? round_of(p, v, rng, P, &to, &left, true) :
		    round_of(p, v, rng, P, &to, &left, false);
	dp_rng_wipe(rng);
	if (e == 0)
		e = dp_normtree_coarse_split(p, rng, kind, to.Q, out, n);
	for (i = 0; i < n && e == 0; i++) {
		out[2 * i] = out[2 * i] * ((int64_t)1 << p->fine) + to.of[i].xi;
		out[2 * i + 1] = out[2 * i + 1] * ((int64_t)1 << p->fine) + to.of[i].eta;
	}
	explicit_bzero(&to, sizeof to);
	explicit_bzero(&left, sizeof left);
	return e;
}

/* A script tells (a - b) / 2, up, of each node, and a root's noise. */
static int
known(struct dp_rng *rng, int64_t *z, size_t n)
{
	static const struct dp_noise any = { .kind = DP_NOISE_LAPLACE };

	return dp_noise_fill(&any, rng, z, n);
}

static int
split_known(struct dp_rng *rng, const int64_t *P, int64_t *out, unsigned n)
{
	int64_t z[DP_NORMTREE_SPLITS];
	unsigned i;
	int e;

	if ((e = known(rng, z, n)) != 0)
		return e;
	for (i = 0; i < n; i++) {
		out[2 * i] = P[i] - P[i] / 2 + z[i];
		out[2 * i + 1] = P[i] / 2 - z[i];
	}
	return 0;
}

int
dp_normtree_split(const struct dp_normtree *p, struct dp_rng *rng, unsigned kind,
    const int64_t *P, int64_t *out, unsigned n)
{
	if (DP_UNLIKELY(rng->kind == DP_RNG_KNOWN))
		return split_known(rng, P, out, n);
	return p->fine == 0 ? dp_normtree_coarse_split(p, rng, kind, P, out, n) :
	    fine_split(p, rng, kind, P, out, n);
}

int
dp_normtree_root(const struct dp_normtree *p, struct dp_rng *rng, int64_t *P)
{
	const uint8_t *at;
	int e;

	if (DP_UNLIKELY(rng->kind == DP_RNG_KNOWN))
		return known(rng, P, 1);
	if ((e = dp_normtree_coarse_root(p, rng, P)) != 0 || p->fine == 0)
		return e;
	if ((at = dp_rng_take(rng, N * UNIFORM)) == NULL)
		return rng->error;
	*P = *P * ((int64_t)1 << p->fine) + sum(p, at, 0, N, p->fine <= IN_WORD) - middle(p);
	dp_rng_wipe(rng);
	return 0;
}
