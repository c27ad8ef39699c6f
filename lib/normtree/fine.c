/*
 * fine.c - draws on a grid finer than the tables' (normtree.h, SPLINES), and from scripts.
 */
#include "draw.h"
#include "spline.h"
#include "noise/digits.h"

#define N	DP_SPLINE_ORDER
#define UNIFORM	4			/* bytes */
#define KEPT	((2 * N - 1) * UNIFORM)	/* of two residuals, the last uniform left out */
#define RECORD	(KEPT + 8)		/* and U */

/* A residual is from its least on: its mean is this above that. */
static int64_t
middle(const struct dp_normtree *p)
{
	return N / 2 * (((int64_t)1 << p->fine) - 1);
}

/* A uniform from 0 .. D - 1, D <= 2^32. */
static int64_t
uniform(const struct dp_normtree *p, const uint8_t *at)
{
	return dp_load32(at) >> (32 - p->fine);
}

/* What the parent is taken for, and the residuals of its children. */
struct taken {
	int64_t Q, xi, eta;
};

/* Residuals that sum to P less a multiple of D, every such pair as the law has it. */
static struct taken
propose(const struct dp_normtree *p, int64_t P, const uint8_t *at)
{
	const int64_t y = P + 2 * middle(p), D = (int64_t)1 << p->fine;
	struct taken t = { .xi = 0, .eta = 0 };
	unsigned k;

	for (k = 0; k < N; k++)
		t.xi += uniform(p, at + UNIFORM * k);
	for (k = N; k < 2 * N - 1; k++)
		t.eta += uniform(p, at + UNIFORM * k);
	t.eta += (y - t.xi - t.eta) & (D - 1);
	t.Q = (y - t.xi - t.eta) >> p->fine;
	t.xi -= middle(p);
	t.eta -= middle(p);
	return t;
}

static real
own(const struct dp_normtree_level *v, int64_t Q)
{
	return dp_normtree_entry(v->own, v->A, v->past, (uint64_t)(Q < 0 ? -Q : Q));
}

/* Whether U < c(Q) / c(that of the 2N places which P can be taken for where c is largest) */
static bool
accept(const struct dp_normtree *p, const struct dp_normtree_level *v, int64_t P, int64_t Q,
    uint64_t u)
{
	const int64_t last = (P + 2 * middle(p)) >> p->fine, first = last - (2 * N - 1);
	const real c = own(v, Q), most = own(v, last < 0 ? last : first > 0 ? first : 0);
	const int64_t s = most.x - c.x;

	if (s < 0 || s > 63)		/* not lower; and so much lower it is not: table.c */
		return s < 0;
	return (dp_uwide)u * most.m < ((dp_uwide)c.m << (64 - s));
}

static int
take(const struct dp_normtree *p, const struct dp_normtree_level *v, struct dp_rng *rng, int64_t P,
    struct taken *t)
{
	const uint8_t *at;
	bool yes;

	do {
		if ((at = dp_rng_take(rng, RECORD)) == NULL)
			return rng->error;
		*t = propose(p, P, at);
		yes = accept(p, v, P, t->Q, dp_load64(at + KEPT));
	} while (!yes);
	return 0;
}

static int
fine_split(const struct dp_normtree *p, struct dp_rng *rng, unsigned kind,
    const int64_t *P, int64_t *out, unsigned n)
{
	struct taken t[DP_NORMTREE_SPLITS];
	int64_t Q[DP_NORMTREE_SPLITS] = { 0 };
	unsigned i;
	int e = 0;

	for (i = 0; i < n && e == 0; i++) {
		e = take(p, &p->level[kind], rng, P[i], &t[i]);
		Q[i] = t[i].Q;
	}
	dp_rng_wipe(rng);
	if (e == 0)
		e = dp_normtree_coarse_split(p, rng, kind, Q, out, n);
	for (i = 0; i < n && e == 0; i++) {
		out[2 * i] = out[2 * i] * ((int64_t)1 << p->fine) + t[i].xi;
		out[2 * i + 1] = out[2 * i + 1] * ((int64_t)1 << p->fine) + t[i].eta;
	}
	explicit_bzero(t, sizeof t);
	explicit_bzero(Q, sizeof Q);
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
	unsigned k;
	int e;

	if (DP_UNLIKELY(rng->kind == DP_RNG_KNOWN))
		return known(rng, P, 1);
	if ((e = dp_normtree_coarse_root(p, rng, P)) != 0 || p->fine == 0)
		return e;
	if ((at = dp_rng_take(rng, N * UNIFORM)) == NULL)
		return rng->error;
	*P = *P * ((int64_t)1 << p->fine) - middle(p);
	for (k = 0; k < N; k++)
		*P += uniform(p, at + UNIFORM * k);
	dp_rng_wipe(rng);
	return 0;
}
