/*
 * trivial.c - the largest column sum without a look at the data (Jain, Raskhodnikova, Sivakumar,
 * Smith 2021, section 1: the paper answers 0, off by T).
 *
 * In lines a step changes the largest sum by -fall .. grow, fall = max(-lo, 0), grow = max(hi, 0):
 * after t steps it is within -t fall .. t grow, of which the middle is shown, rounded down, off by
 * t (grow + fall) / 2 at the most, rounded up.  The choice is column 0, behind by t times `drift`
 * (recompute.c).  Both bounds hold with certainty, and are attained.  Nothing is drawn.
 * Where the caller says that no sum passes K, and values are never negative, both stop at K.  Steps
 * of buckets are unbounded: there K is the only bound.  (With -P it is not offered, though it keeps
 * nothing: who asks for that wants an answer.)
 */
#include <math.h>

#include "mech/certificate.h"
#include "maxsum.h"

struct trivial {
	struct dp_mech m;
	enum dp_maxsum_show show;
	int64_t grow, fall;
	dp_wide ceiling;
	double drift;
};

/* The most that a sum can be after t steps. */
static dp_wide
most(const struct trivial *k, uint64_t t)
{
	dp_wide y = (dp_wide)t * k->grow;

	return y < k->ceiling ? y : k->ceiling;
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_maxsum *own = rule->task.own;
	struct trivial *k;

	if (rule->most == 0 && own->ceiling == 0)
		return DP_EINVAL;
	if ((k = dp_mech_alloc(ops, sizeof *k, rule->horizon, 16)) == NULL)
		return DP_ENOMEM;
	k->show = own->show;
	k->ceiling = own->ceiling != 0 ? (dp_wide)own->ceiling : (dp_wide)1 << 126;
	k->grow = rule->most == 0 ? (int64_t)own->ceiling : rule->hi > 0 ? rule->hi : 0;
	k->fall = rule->lo < 0 ? -rule->lo : 0;
	k->drift = own->ones > 1 ? (double)k->grow + (double)k->fall :
	    fmax((double)k->grow, (double)k->fall);
	if (rule->inputs == 1)
		k->drift = 0;
	k->m.inputs = rule->inputs;
	k->m.outputs = k->show == DP_MAXSUM_BOTH ? 2 : 1;
	dp_numbers_same(rule->privacy.numbers, "show", k->show);
	dp_numbers_same(rule->privacy.numbers, "ceiling", own->ceiling);
	*out = &k->m;
	return 0;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct trivial *k = (const void *)m;

	(void)col;
	(void)rng;
	(void)x;
	if (k->show & DP_MAXSUM_CHOICE)
		*est++ = 0;
	if (k->show & DP_MAXSUM_VALUE)
		*est = (most(k, t) - (dp_wide)t * k->fall) >> 1;
	return 0;
}

/* The mean: of what is linear in t, half; where the ceiling stops that, not more than the most. */
static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct trivial *k = (const void *)m;
	const double up = (double)most(k, T), t = (double)T;
	const double value = ceil((up + t * (double)k->fall) / 2);
	const double behind = fmin(t * k->drift, k->drift > 0 ? (double)k->ceiling : 0);

	e->max = fmax(k->show & DP_MAXSUM_VALUE ? value : 0,
	    k->show & DP_MAXSUM_CHOICE ? behind : 0);
	e->mean = up == t * (double)k->grow ? e->max * (t + 1) / (2 * t) : e->max;
	e->worst = T;
}

static double
draws(const struct dp_mech *m)
{
	(void)m;
	return 0;
}

static int
certify(const struct dp_mech *m, struct dp_buf *b)
{
	(void)m;
	return dp_certificate_nothing(b);
}

const struct dp_mech_ops dp_maxsum_trivial_ops = {
	.name = "trivial",
	.say.source = "the middle of what can be, without a look at the data",
	.say.noise = "none",
	.traits = DP_TRAIT_ENDLESS,
	.tasks = DP_TASK_OWN, .statistic = &dp_maxsum_statistic,
	.create = create, .step = step, .error = error, .drawn.number = draws,
	.drawn.certify = certify
};
