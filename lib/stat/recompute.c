/*
 * recompute.c - the largest column sum, found anew every r steps and held between (Jain,
 * Raskhodnikova, Sivakumar, Smith 2021, Algorithm 7 and Theorems 5.5, 5.8).
 *
 * At t = r, 2r, .., mr, m = floor(T/r), it releases
 *   a value    max_j s_j(t) + noise,
 *   a choice   a_t: permute-and-flip if pure, the exponential mechanism if concentrated,
 *   both       a_t as above, and s_a(t) + noise for a = a_t,
 * and shows the last release until the next one.  privacy.h (REPEATED) accounts: the largest sum
 * and any one sum move by linf at most, scores by spread (column_sums.h).  r, the kind of
 * accounting and the cut between choice and value are found before the first line, from the options
 * alone (recompute_plan.c); noise is drawn at releases and never again; an answer depends on no
 * later line.
 *
 * Drift.  In lines a step changes a sum by -fall at the least and grow at the most, fall = max(-lo,
 * 0), grow = max(hi, 0), and so the largest.  Hence k < r steps after a release of y the largest is
 * y - noise + d, d from -k fall to k grow.  Shown is y + centre, centre = floor((r - 1) (grow -
 * fall) / 2), and before the first release 0 + centre, no noise, which holds a place and is not
 * printed (mech.h, first): off by |noise| + half at the most,
 * half = (r - 1) (grow + fall) / 2 rounded up.  (The paper releases at 1, r + 1, .., and does not
 * centre: twice the drift.)  A choice falls behind by `drift` a step: grow + fall, or the larger
 * where a record has one entry, so that none goes up as another goes down.  Before the first it is
 * column 0.  In buckets no step has a bound: there r = 1.
 *
 * By the sum that bounds the loss of both (recompute_plan.c) an interval round the value holds the
 * largest sum where both are shown: half and the gap that has probability beta/2 count as its
 * drift, and beta/2 is left for the noise.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "mech/certificate.h"
#include "recompute.h"

struct column {
	dp_wide held;
	uint64_t choice, unused;
	int64_t sum[];
};

/* Error of the value before its noise (mech.h). */
static void
set_interval(struct dp_recompute *k)
{
	k->m.off.drift = k->half;
	if (k->show != DP_MAXSUM_BOTH || k->m.inputs == 1)
		return;
	k->m.off.drift += fmin(dp_choose_gap(&k->choose, k->m.inputs, k->beta / 2), 0x1p62);
	k->m.off.worst_of = 2;
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_maxsum *own = rule->task.own;
	const size_t D = rule->inputs;
	struct dp_recompute *k;
	int e;

	if (rule->horizon == 0 || rule->horizon > INT64_MAX / 4)
		return DP_EINVAL;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon,
	    sums_column(sizeof(struct column), D));
	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	k->show = own->show;
	k->beta = rule->beta;
	k->grow = rule->hi > 0 ? (double)rule->hi : 0;
	k->fall = rule->lo < 0 ? -(double)rule->lo : 0;
	k->drift = own->ones > 1 ? k->grow + k->fall : fmax(k->grow, k->fall);
	k->m.inputs = D;
	k->m.outputs = k->show == DP_MAXSUM_BOTH ? 2 : 1;
	if ((e = dp_recompute_plan(k, rule)) != 0)
		return e;
	set_interval(k);
	k->m.estimate.first = k->r;
	snprintf(k->what[0], sizeof k->what[0], "the sum, once in %" PRIu64 " steps", k->r);
	snprintf(k->what[1], sizeof k->what[1], "the choice, once in %" PRIu64 " steps", k->r);
	return 0;
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	(void)rng;
	((struct column *)col)->held = ((const struct dp_recompute *)(const void *)m)->centre;
	return 0;
}

static int
release(const struct dp_recompute *k, struct column *c, struct dp_rng *rng)
{
	const size_t D = k->m.inputs;
	size_t which = 0;
	int64_t most, z;
	int e;

	if (k->show & DP_MAXSUM_CHOICE) {
		if ((e = dp_choose(&k->choose, rng, c->sum, D, &which)) != 0)
			return e;
		c->choice = which;
		most = c->sum[which];
	} else
		most = sums_largest(c->sum, D);
	if ((k->show & DP_MAXSUM_VALUE) == 0)
		return 0;
	if ((e = dp_draw(&k->noise, rng, &z)) != 0)
		return e;
	c->held = (dp_wide)most + z + k->centre;
	return 0;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct dp_recompute *k = (const void *)m;
	struct column *c = col;
	int e;

	sums_add(c->sum, x, m->inputs);
	if (t % k->r == 0 && (e = release(k, c, rng)) != 0)
		return e;
	if (k->show & DP_MAXSUM_CHOICE)
		*est++ = (dp_wide)c->choice;
	if (k->show & DP_MAXSUM_VALUE)
		*est = c->held;
	return 0;
}

static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct column *c = col;

	(void)t;
	return c->choice < m->inputs && sums_valid(c->sum, m->inputs);
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_recompute *k = (const void *)m;

	if (out + 1 == m->outputs && (k->show & DP_MAXSUM_VALUE) && t >= k->r)
		dp_law_add(l, &k->noise, 1, 1);
}

/* Mean |z|: 1 / sinh(1/b) < b, and sigma sqrt(2/pi). */
static double
mean_of(const struct dp_noise *z)
{
	if (z->kind == DP_NOISE_LAPLACE)
		return dp_q_double(z->param);
	return sqrt(dp_noise_variance(z) * 2 / M_PI);
}

/*
 * Mean: that of a value is half and E |z| at the most; of a choice, half of the drift and the sum
 * of dp_choose_tail(y), y = 1, 2, ..: b ln n, or b (1/2 + .. + 1/n).
 */
static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct dp_recompute *k = (const void *)m;
	const double n = (double)m->inputs, off = k->half + mean_of(&k->noise);
	double gap = 0, behind = n > 1 ? (double)(k->r - 1) * k->drift / 2 : 0;

	if (k->choose.kind != DP_NOISE_NONE && n > 1)
		gap = dp_q_double(k->choose.scale) * (k->choose.kind == DP_NOISE_WEIGH ? log(n) :
		    log(n) + 0.5772156649 - 1 + 0.5 / n);
	e->max = dp_recompute_quantile(k, INFINITY);
	e->mean = k->show == DP_MAXSUM_VALUE ? off : k->show == DP_MAXSUM_CHOICE ? gap + behind :
	    gap + fmax(behind, off);
	e->worst = 2 * k->r - 1 < T ? 2 * k->r - 1 : T;
}

static bool
family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	const struct dp_recompute *k = (const void *)m;
	const bool choice = i == 0 && (k->show & DP_MAXSUM_CHOICE);

	*z = choice ? &k->shown : &k->noise;
	*what = k->what[choice];
	return i < m->outputs && (*z)->kind != DP_NOISE_NONE;
}

static double
draws(const struct dp_mech *m)
{
	const struct dp_recompute *k = (const void *)m;

	return ((k->show & DP_MAXSUM_VALUE ? 1 : 0) +
	    (k->show & DP_MAXSUM_CHOICE ? (double)m->inputs : 0)) / (double)k->r;
}

static bool
note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	(void)unit;
	if (i > 0 || m->estimate.first <= 1)
		return false;
	snprintf(text, size, "nothing is released before step %" PRIu64 ": up to there estimates "
	    "are left empty (json: null)", m->estimate.first);
	return true;
}

static int
certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_recompute *k = (const void *)m;
	int e = 0;

	if ((k->show & DP_MAXSUM_CHOICE) != 0)
		e = dp_certificate_choices(b, &k->choose, k->spread, k->releases);
	return e != 0 || (k->show & DP_MAXSUM_VALUE) == 0 ? e :
	    dp_certificate_values(b, &k->noise, k->linf, k->releases);
}

const struct dp_mech_ops dp_maxsum_recompute_ops = {
	.name = "recompute",
	.say.source = "found anew at regular steps and held between, centred (after Jain et al. "
	    "2021)",
	.tasks = DP_TASK_OWN, .statistic = &dp_maxsum_statistic,
	.say.refuses = dp_maxsum_no_margin,
	.create = create, .start = start, .step = step, .valid = valid,
	.law.at = law, .error = error, .drawn.family = family, .drawn.number = draws,
	.say.note = note, .drawn.certify = certify
};
