/*
 * lazy.c - the largest column sum found anew only when it has moved on, c times in all; for values
 * that are never negative and a caller who can say that no sum passes K (--ceiling).  Sparse
 * vectors: Lyu, Su, Li 2017, Algorithm 1, which draws one threshold for the whole run; the promise
 * itself needs no K.
 *
 * y is what was released last, at first 0 (column 0 for a choice).  A query q is
 *   a value    max_j s_j - y,
 *   a choice   max_j s_j - s_y, what column y has fallen behind.
 * rho is drawn once, nu at each step.  Where q + nu >= A + rho the step fires: y is found anew,
 * max_j s_j + Z, or by permute-and-flip.  After c fires the threshold is H for A, and what fires
 * ends the run: y would be too far off.  Shown is y, for a value y + centre.
 *
 * Statement.  A run is epsilon-DP for rho, nu, Z discrete Laplace that spend shares of epsilon that
 * sum to 1, planned for moves (privacy.h, dp_privacy_laplace_shift) of
 *   a value    rho: linf,    nu: (c + 1) spread,    Z: c linf;
 *   a choice   rho: spread,  nu: 2 (c + 1) spread;  c choices (REPEATED).
 *
 * Proof.  Take as released when it fires, and what then; with the end that is c + 1 times.  Given
 * that, A or H is known at each step, and the neighbour's queries are q + d_t with known d_t.  If
 * all d_t lie in -a .. b, a, b >= 0, then from rho + b, from nu + b - d_t where it fires and from
 * nu elsewhere the neighbour fires at the same steps: q + nu >= A + rho iff
 * q + d_t + nu + b - d_t >= A + rho + b, and q + nu < A + rho implies q + d_t + nu < A + rho + b.
 * Moved is rho by b, and at most c + 1 of the nu by at most a + b.
 *   Value.  d_t lies between the least and the greatest move of a column's sum.  One record: from
 *   its step on these do not change, so with 0 they span an interval of spread at the most (or
 *   linf, which is no more, if all have one sign).  A user: no value is negative, so all moves have
 *   one sign, and are at most linf.  Z moves by -d_t, |d_t| <= linf, c times.
 *   Choice.  d_t is within spread of 0, as two columns' moves differ by that: a = b = spread.
 *
 * Loss, with probability 1 - beta if no sum passes K.  Just after a fire q is -Z, of a choice the
 * gap that the chosen column has.  Each of four events has beta / 4 (of a choice three, beta / 3):
 *   rho - nu > up at one of c + 1 steps;  nu - rho > down at one of T steps;
 *   |Z| > W for one of c Z, or the gap of one of c choices is more than W;
 *   all -Z sum to more than S.  (Of a choice S = c W: no event of its own.)
 * Otherwise
 *   (1) let t be the first step after a fire with q > U = A + up: it fires, if any fire is left.
 *       (So one step for each fire counts, not T.)
 *   (2) a fire needs q >= A - down, and the largest sum grows by that, less what q was just after
 *       the fire before: by c (A - down) - S together.  What is left of K is all that q can become
 *       after the last: U' = K - c (A - down) + S.
 *   (3) at the step of a fire what is printed is off by -Z, or the gap: by W at the most.
 *   A is such that U = U' nearly.  A choice falls behind by max(U, U', W) at the most; of a value q
 *   is in -W .. max(U, U', W), of which centre is the middle: half of that.
 *   (4) H is above U' + down: the run does not end.  If a sum does pass K, the first step after the
 *   last fire with q > H + up ends it, whatever the sums are: max(H + up, W) may q be at a step
 *   printed, by (1) and (3).
 */
#include <math.h>
#include <stdio.h>

#include "lazy.h"

#define HELD_MAX	((dp_wide)1 << 64)	/* a sum and noise */

struct column {
	dp_wide held;
	uint64_t choice, fired;
	int64_t rho, unused;
	int64_t sum[];
};

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_maxsum *own = rule->task.own;
	struct lazy *k;

	if (rule->horizon == 0 || own->ceiling == 0 || rule->lo < 0 ||
	    own->show == DP_MAXSUM_BOTH)
		return DP_EINVAL;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon,
	    sums_column(sizeof(struct column), rule->inputs));
	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	k->m.inputs = rule->inputs;
	k->choice = own->show == DP_MAXSUM_CHOICE;
	k->beta = rule->beta;
	k->ceiling = (double)own->ceiling;
	return dp_lazy_plan(k, rule, own);
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	return dp_draw(&((const struct lazy *)(const void *)m)->noise[RHO], rng,
	    &((struct column *)col)->rho);
}

static int
fire(const struct lazy *k, struct column *c, struct dp_rng *rng, int64_t most)
{
	size_t which;
	int64_t z;
	int e;

	if (c->fired++ == k->fires)
		return DP_EHALT;
	if (k->choice) {
		if ((e = dp_choose(&k->choose, rng, c->sum, k->m.inputs, &which)) == 0)
			c->choice = which;
		return e;
	}
	if ((e = dp_draw(&k->noise[RELEASE], rng, &z)) == 0)
		c->held = (dp_wide)most + z;
	return e;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct lazy *k = (const void *)m;
	struct column *c = col;
	int64_t most, nu;
	dp_wide q;
	int e;

	(void)t;
	sums_add(c->sum, x, m->inputs);
	if (c->fired > k->fires)
		return DP_EHALT;
	if ((e = dp_draw(&k->noise[NU], rng, &nu)) != 0)
		return e;
	most = sums_largest(c->sum, m->inputs);
	q = (dp_wide)most - (k->choice ? c->sum[c->choice] : c->held);
	if (q + nu >= (dp_wide)(c->fired < k->fires ? k->least : k->stop) + c->rho &&
	    (e = fire(k, c, rng, most)) != 0)
		return e;
	*est = k->choice ? (dp_wide)c->choice : c->held + k->centre;
	return 0;
}

static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct lazy *k = (const void *)m;
	const struct column *c = col;

	(void)t;
	return (c->fired <= k->fires || c->fired - k->fires == 1) &&
	    c->choice < m->inputs && sums_valid(c->sum, m->inputs) &&
	    c->held >= -HELD_MAX && c->held <= HELD_MAX;
}

/* The proof takes the firing as released. */
static bool
frozen(const struct dp_mech *m, const void *col)
{
	return ((const struct column *)col)->fired >= ((const struct lazy *)(const void *)m)->fires;
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	e->max = e->mean = dp_lazy_loss((const struct lazy *)(const void *)m);
	e->worst = T;
}

static bool
family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	static const char *const on[] = { "the threshold", "the distance to it, at each step",
	    "what is released when it is passed" };
	const struct lazy *k = (const void *)m;

	*z = &k->noise[i < FAMILIES ? i : 0];
	*what = on[i < FAMILIES ? i : 0];
	return i < FAMILIES && (*z)->kind != DP_NOISE_NONE;
}

/* By (1) to (4), with the probability that the loss has. */
static bool
note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	const struct lazy *k = (const void *)m;

	if (i > 0 || k->noise[RHO].kind == DP_NOISE_NONE)
		return false;
	snprintf(text, size, "if a sum passes the ceiling, the run ends (status 4) before what is "
	    "printed is off by more than %.6g; if none does it does not end, each with probability "
	    "%.6g", dp_lazy_farthest(k) * unit, 1 - k->beta);
	return true;
}

static int
certify(const struct dp_mech *m, struct dp_buf *b)
{
	return dp_lazy_certify((const void *)m, b);
}

const struct dp_mech_ops dp_maxsum_lazy_ops = {
	.name = "lazy",
	.say.source = "found anew when it has moved on, if none passes the ceiling (Lyu, Su, Li "
	    "2017)",
	.tasks = DP_TASK_OWN, .statistic = &dp_maxsum_statistic,
	.say.refuses = dp_maxsum_no_margin,
	.create = create, .start = start, .step = step, .valid = valid, .frozen = frozen,
	.error = error, .drawn.family = family, .say.note = note, .drawn.certify = certify
};
