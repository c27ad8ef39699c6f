/*
 * rising.c - answers that never fall, up to a number declared beforehand, found anew only when
 * they have moved on: lazy.c's question and plan, for an answer in the place of a sum.
 *
 * Answers a_t are counted from the range's low end, and y, the one released last, begins there; K
 * is the declared number, counted so.  As in lazy.c q = a_t - y is asked, in one direction, where a
 * yes costs half of what it does in transform.c if neighbours are one-sided; c answers are
 * released, and what is shown is the middle of what the answer may be.  A line that is no answer
 * has q = 0: it asks nothing of the data.  Where the last answer is held, nothing is asked after c
 * of them.
 *
 * Statement.  Let |a_t - a'_t| <= r at every t (integers; who chooses them may see all that was
 * printed before), and span = r if a' >= a at every t or a' <= a at every t, else 2 r.  A run is
 * epsilon-DP for rho, nu, Z discrete Laplace that spend shares of epsilon that sum to 1, planned
 * for moves of r, (c + 1) span and c r.
 * Proof.  That of lazy.c: given what is seen, d_t = a'_t - a_t lies in -a .. b with a, b >= 0 and
 *   a + b = span, b <= r (0 is among them: a line that is no answer is none for both), and is the
 *   only thing that moves; Z moves by -d_t.
 *
 * Accuracy.  The answers never fall and start at 0 or above, as lazy.c's sums do, so (1) to (4)
 * hold for them word for word: with probability 1 - beta every number printed is within the loss,
 * and it does not end, if no answer falls or passes K.
 */
#include <math.h>
#include <stdio.h>

#include "lazy.h"
#include "transform.h"

#define HELD_MAX	((dp_wide)1 << 64)	/* an answer and noise */

struct rising {
	struct lazy z;			/* its plan */
	struct dp_transform task;
	double epsilon;
	int64_t lo, hi;
};

struct column {
	dp_wide held;			/* y */
	uint64_t fired;
	int64_t rho;
};

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_transform *own = rule->task.own;
	struct dp_mech_rule one = *rule;
	struct dp_maxsum as = { .show = DP_MAXSUM_VALUE, .columns = 1, .ones = 1 };
	struct rising *k;

	if (rule->horizon == 0 || own == NULL || own->rising == 0 || !(rule->beta > 0))
		return DP_EINVAL;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon,
	    sizeof(struct column));
	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->z.m;
	k->task = *own;
	k->epsilon = rule->privacy.exact ? INFINITY : dp_q_double(rule->privacy.epsilon);
	k->lo = rule->lo;
	k->hi = rule->hi;
	k->z.beta = rule->beta;
	k->z.ceiling = (double)own->rising;
	as.ceiling = own->rising;
	one.privacy.linf = rule->privacy.l1;
	one.privacy.spread = own->one_way ? rule->privacy.l1 : 2 * rule->privacy.l1;
	dp_numbers_same(rule->privacy.numbers, "hold", own->hold);
	dp_numbers_same(rule->privacy.numbers, "one-way", own->one_way);
	return dp_lazy_plan(&k->z, &one, &as);
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	return dp_draw(&((const struct rising *)(const void *)m)->z.noise[RHO], rng,
	    &((struct column *)col)->rho);
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct rising *k = (const void *)m;
	struct column *c = col;
	const bool exact = k->z.noise[RHO].kind == DP_NOISE_NONE;
	const dp_wide a = *x == DP_TRANSFORM_NONE ? c->held :
	    (dp_wide)dp_transform_clamp(k->lo, k->hi, *x) - k->lo;
	const bool more = c->fired < k->z.fires;
	int64_t nu, z;
	int e;

	(void)t;
	if (c->fired > k->z.fires)
		return DP_EHALT;
	/* the same draws at every step, whatever comes of it */
	if ((e = dp_draw(&k->z.noise[NU], rng, &nu)) != 0 ||
	    (e = dp_draw(&k->z.noise[RELEASE], rng, &z)) != 0)
		return e;
	if (exact)
		c->held = a;
	else if ((more || !k->task.hold) &&
	    a - c->held + nu >= (dp_wide)(more ? k->z.least : k->z.stop) + c->rho) {
		c->fired++;
		if (!more)
			return DP_EHALT;
		c->held = a + z;
	}
	*est = c->held + k->z.centre + k->lo;
	return 0;
}

static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct rising *k = (const void *)m;
	const struct column *c = col;

	(void)t;
	return (c->fired <= k->z.fires || c->fired - k->z.fires == 1) &&
	    c->held >= -HELD_MAX && c->held <= HELD_MAX;
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	(void)T;
	e->max = dp_lazy_loss(&((const struct rising *)(const void *)m)->z);
	e->mean = NAN;			/* that is the answers' to say */
	e->worst = 1;
}

static bool
family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	static const char *const on[] = { "the threshold", "every comparison",
	    "the answers released" };
	const struct rising *k = (const void *)m;

	*z = &k->z.noise[i < FAMILIES ? i : 0];
	*what = on[i < FAMILIES ? i : 0];
	return i < FAMILIES && (*z)->kind != DP_NOISE_NONE;
}

static double
draws(const struct dp_mech *m)
{
	(void)m;
	return 2;
}

static bool
note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	const struct rising *k = (const void *)m;

	if (i > 1)
		return false;
	if (i == 1)
		dp_transform_inner(&k->task, k->epsilon, text, size);
	else if (k->z.noise[RHO].kind == DP_NOISE_NONE)
		snprintf(text, size, "no noise: nothing is hidden");
	else if (k->task.hold)
		snprintf(text, size, "if an answer passes --rising, what is printed is as far off "
		    "as it goes beyond what was released last");
	else
		snprintf(text, size, "if an answer passes --rising, the run ends (status 4) before "
		    "what is printed is more than %.6g below it; if none does, nor falls, it does "
		    "not end, each with probability %.6g", dp_lazy_farthest(&k->z) * unit,
		    1 - k->z.beta);
	return true;
}

static int
certify(const struct dp_mech *m, struct dp_buf *b)
{
	return dp_lazy_certify(&((const struct rising *)(const void *)m)->z, b);
}

const struct dp_mech_ops dp_transform_rising_ops = {
	.name = "rising",
	.say.source = "an answer that never falls, released when it has moved on (Lyu, Su, Li "
	    "2017)",
	.say.noise = "discrete Laplace", .tasks = DP_TASK_OWN, .statistic = &dp_transform_statistic,
	.create = create, .start = start, .step = step, .valid = valid, .error = error,
	.drawn.family = family, .drawn.number = draws, .say.note = note, .drawn.certify = certify
};
