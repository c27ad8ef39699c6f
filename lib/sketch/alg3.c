/*
 * alg3.c - Algorithm 3 of Mir, Muthukrishnan, Nikolov, Wright 2011, for comparison: heavy hitters
 * as the difference of two cropped sums.
 *
 * Identifiers are those of a universe, or are hashed to h buckets.  Of what came to each place two
 * sums are estimated by Algorithm 2 (alg2.c), with the mended constants and not divided by
 * anything: x1 cropped at tau, x2 at tau/2 (the paper's c is 2; tau is its F1/k, which it takes to
 * be known), and the answer is
 *
 *	(x1 - x2)/(tau - tau/2).
 *
 * The paper takes any estimate of cropped sums to do.  What Algorithm 2 estimates is off by up to a
 * factor, which differences do not keep: a place with N events counts
 *	v(N) = (phi(N, tau) - phi(N, tau/2))/(tau - tau/2),
 * phi as in alg2.c: nothing below tau/2 but for what wraps, from 0 to 2 up to tau, and 2/3 to 2
 * from there on.  And each sum has an error of the order of tau^2 sqrt(h)/eps, tau times what the
 * paper has: after the division tau sqrt(h)/eps remain, where O(sqrt(k)/eps) is said.
 *
 * Privacy: two parts, each with half of the budget for all of an identifier's events (part.h),
 * which feed one cell of each.  The paper's 2 eps leaves out that a sum costs eps for its memory
 * and as much for its output.
 */
#include <math.h>
#include <stdio.h>

#include "alg2.h"
#include "mech/certificate.h"
#include "mech/part.h"

extern const struct dp_mech_ops dp_alg2_ops;

#define TRIED	4096		/* numbers of events */

struct alg3 {
	struct dp_mech m;
	struct dp_sketch s;
	uint64_t places;		/* h */
	double width;			/* tau - tau/2 */
	double least, most;		/* v(N) for N >= tau */
};

static uint64_t
tau_of(const struct alg3 *k, unsigned i)
{
	return i == 0 ? k->s.tau : k->s.tau / 2;
}

/* Of v(N), over numbers of events: the range from tau on; and the most that it is off a ramp. */
static double
try_counts(struct alg3 *k)
{
	const double tau = (double)k->s.tau, low = (double)(k->s.tau / 2);
	const double step = fmax(1, floor(8 * tau / TRIED));
	double N, v, off = 0;

	k->least = INFINITY;
	for (N = step; N <= 8 * tau; N += step) {
		v = (dp_alg2_adds(k->m.part[0].inner, N) - dp_alg2_adds(k->m.part[1].inner, N)) /
		    k->width;
		off = fmax(off, fabs(v - fmin(1, fmax(0, (N - low) / k->width))));
		if (N >= tau) {
			k->least = fmin(k->least, v);
			k->most = fmax(k->most, v);
		}
	}
	return off;
}

static int
create_part(struct alg3 *k, const struct dp_mech_rule *rule, unsigned i)
{
	const uint64_t l1 = rule->privacy.l1;
	const struct dp_reach reach = { .l1 = l1, .l2squared = l1 * l1, .linf = l1,
	    .columns = 1 };
	struct dp_sketch own = k->s;
	struct dp_mech_rule inner = *rule;
	int e;

	own.universe = k->places;
	own.tau = tau_of(k, i);
	inner.task.statistic = &dp_cropped;
	inner.task.own = &own;
	if ((e = dp_privacy_part(&inner.privacy, &rule->privacy, dp_q_make(1, 2), &reach)) != 0)
		return e;
	return dp_part_create(&k->m, &dp_alg2_ops, &inner, 1, 1);
}

static int
plan(struct alg3 *k, const struct dp_mech_rule *rule)
{
	const uint64_t heavy = k->s.lines ? rule->report / (k->s.tau / 2) : k->places;
	size_t end = 0;
	double off;
	unsigned i;
	int e;

	for (i = 0; i < 2; i++) {
		if ((e = create_part(k, rule, i)) != 0)
			return e;
		end = dp_part_place(&k->m.part[i], end);
		if (end == SIZE_MAX)
			return DP_ENOMEM;
	}
	k->m.column = end;
	k->m.drawn.unit = dp_alg2_divided(k->m.part[0].inner) / k->width;
	off = rule->privacy.exact ? 0 : try_counts(k);
	k->m.off.drift = k->s.universe == 0 ? INFINITY :
	    off * (double)(heavy < k->places ? heavy : k->places);
	dp_numbers_same(rule->privacy.numbers, "places", k->places);
	dp_numbers_same(rule->privacy.numbers, "tau", k->s.tau);
	return dp_numbers_error(rule->privacy.numbers);
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	struct alg3 *k;

	if (s->share != 0 || s->tau < 2)
		return DP_EINVAL;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon, 0);
	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	k->s = *s;
	k->places = s->universe != 0 ? s->universe :
	    s->buckets != 0 ? s->buckets : DP_SKETCH_BUCKETS;
	k->width = (double)(s->tau - s->tau / 2);
	k->m.inputs = 0;
	return plan(k, rule);
}

static const char *
refuses(const struct dp_task *k)
{
	const struct dp_sketch *s = k->own;

	return s->share != 0 ? "takes its threshold to be known: --tau, not --share" :
	    s->tau < 2 ? "needs a --tau of 2 at least" : NULL;
}

static int
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct alg3 *k = (const void *)m;
	struct dp_id at = { .word = { id->word[0], 0 }, .sign = id->sign };
	unsigned i;
	int e = 0;

	if (k->s.universe == 0)
		at.word[0] = (uint64_t)((dp_uwide)id->word[0] * k->places >> 64);
	for (i = 0; i < 2 && e == 0; i++)
		e = m->part[i].inner->ops->open.see(m->part[i].inner,
		    dp_part_column(&m->part[i], col, 0), rng, &at);
	return e;
}

static int
answer(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct alg3 *k = (const void *)m;
	dp_wide x[2];
	unsigned i;
	int e = 0;

	for (i = 0; i < 2 && e == 0; i++)
		e = m->part[i].inner->ops->answer(m->part[i].inner,
		    dp_part_column(&m->part[i], col, 0), rng, t, &x[i]);
	/* what parts answer is private */
	if (e == 0)
		*est = dp_sketch_round(((double)x[0] * dp_alg2_divided(m->part[0].inner) -
		    (double)x[1] * dp_alg2_divided(m->part[1].inner)) / k->width);
	return e;
}

/* Without the bias. */
static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct alg3 *k = (const void *)m;
	struct dp_law one;
	const struct dp_noise *z;
	const char *what;
	unsigned i, j;
	double each;

	for (i = 0; i < 2; i++) {
		const struct dp_mech *inner = m->part[i].inner;

		each = dp_alg2_divided(inner) / k->width;
		dp_mech_law(inner, out, t, &one);
		for (j = 0; j < one.flips; j++)
			dp_law_flip(l, one.flip[j].coef * each, one.flip[j].n, one.flip[j].p);
		if (dp_mech_family(inner, 0, &z, &what))
			dp_law_add(l, z, inner->drawn.unit * each, 1);
	}
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const double bias = isinf(m->off.drift) ? 0 : m->off.drift;

	e->max = e->mean = dp_mech_variance(m, T) + bias * bias;
	e->worst = T;
}

static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	return dp_part_valid(&m->part[0], col, t) && dp_part_valid(&m->part[1], col, t);
}

static bool
note(const struct dp_mech *m, unsigned i, double unit_, char *text, size_t size)
{
	const struct alg3 *k = (const void *)m;

	(void)unit_;
	if (i != 0 || !(k->most > 0))
		return false;
	snprintf(text, size, "it is the difference of two cropped sums, at %llu and %llu, each "
	    "with half of epsilon, and BIASED: one that came at least %llu times counts %.4g to "
	    "%.4g", (unsigned long long)tau_of(k, 0), (unsigned long long)tau_of(k, 1),
	    (unsigned long long)k->s.tau, k->least, k->most);
	return true;
}

const struct dp_mech_ops dp_alg3_ops = {
	.name = "alg3", .tasks = DP_TASK_OWN, .statistic = &dp_heavy,
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN | DP_TRAIT_NAMED,
	.create = create, .step = dp_sketch_step, .answer = answer, .valid = valid,
	.error = error, .open.see = see, .law.at = law, .drawn.certify = dp_certificate_parts,
	.say = { .source = "the difference of two sums of alg2 (Mir et al. 2011, Algorithm 3, its "
	    "constants mended)", .note = note, .refuses = refuses }
};
