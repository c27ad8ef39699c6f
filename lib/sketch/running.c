/*
 * running.c - distinct identifiers, exactly remembered: first sights, counted.
 *
 * Who runs it keeps a table of identifiers (DP_TRAIT_FIRST), so that see() is called for the first
 * sight of each.  y_j of them came between answers j - 1 and j, and answer j is y_1 + .. + y_j plus
 * the noise of a running count: of the counters named below the one of least error, over as many
 * steps as there are answers.  The table is exact: nothing here is pan-private.
 *
 * Statement: two streams that differ in what happens to one identifier have sequences y that
 * differ by nothing, by 1 in one place, or by +1 in one and -1 in another: by 2 in L1, and by 1 if
 * there is only one answer, or if one of the streams has none of its events (--presence).  Streams
 * that differ in the identifier that one line names: also by 2, and by 1 if there is only one
 * answer.
 *
 * Proof.  y = sum over identifiers i of the unit vector of the interval of i's first sight, or 0.
 * For the first relation one term differs.  For the second, a line of step t: i loses a sight at
 * t, and its first may move from t on to a later s, or to none; j gains one at t, and its first
 * may move from a later s' to t, or there was none.  Then -1 at t and +1 at t cancel if both are
 * there: +1 at s or nothing, and -1 at s' or nothing, are left, and else one of them with its
 * partner at t.
 *
 * A counter for whole streams that differ by d has noise for |d|_1 (neighbour.h), so for 2 here; in
 * one column, |d|_1^2 = 4 for what is concentrated.
 */
#include "sketch.h"

extern const struct dp_mech_ops dp_running_ops;
extern const struct dp_mech_ops dp_identity_ops, dp_input_ops, dp_bridge_ops, dp_segmented_ops,
    dp_hats_ops, dp_blt_ops;

static const struct dp_mech_ops *const counters[] = {
	&dp_identity_ops, &dp_input_ops, &dp_bridge_ops, &dp_segmented_ops, &dp_hats_ops,
	&dp_blt_ops
};

#define COUNTERS	(sizeof counters / sizeof counters[0])
#define SUM_MAX		((uint64_t)1 << 61)

struct running {
	struct dp_mech m;
	struct dp_mech *inner;
	uint64_t every;			/* steps between answers; 0: there is one */
};

struct column {
	uint64_t fresh;			/* first sights since the last answer */
	uint64_t answers;
	uint64_t inner[];		/* the counter's, on a cache line if the column is */
};

#define OFFSET	64

static uint64_t
answers_at(const struct running *k, uint64_t t)
{
	return k->every == 0 || t < k->every ? 1 : t / k->every;
}

/* The rule of the counter: a step is an answer. */
static struct dp_mech_rule
inner_rule(const struct dp_mech_rule *rule)
{
	struct dp_mech_rule own = *rule;
	const uint64_t k = dp_sketch_outputs(rule), far = rule->every == 0 ? 1 :
	    rule->report / rule->every;
	const struct dp_sketch *s = rule->task.own;
	const uint64_t moves = k == 1 || s->presence ? 1 : 2;	/* as the statement has it */

	own.task = (struct dp_task){ .what = DP_TASK_COUNT };
	own.horizon = k;
	own.report = far == 0 ? 1 : far;
	own.most = rule->most != 0 && rule->every == 1 ? 1 : 0;
	own.every = 1;
	own.inputs = 1;
	own.privacy.l1 *= moves;
	own.privacy.l2squared *= moves * moves;
	return own;
}

static int
create_inner(struct dp_mech **m, const struct dp_mech_ops *o, const struct dp_mech_rule *rule)
{
	int e;

	if ((rule->horizon == 0 && !(o->traits & DP_TRAIT_ENDLESS)) ||
	    ((o->traits & DP_TRAIT_DELTA) && rule->privacy.delta.num == 0))
		return DP_EINVAL;
	if ((e = o->create(m, rule)) == 0 && ((*m)->decimals != 0 || (*m)->outputs != 1)) {
		dp_mech_free(*m);
		return DP_EINVAL;
	}
	return e;
}

/* The counter of least largest error; what the last one that failed lacked, if none will do. */
static int
choose(const struct dp_mech_rule *rule, uint64_t *best)
{
	struct dp_mech_rule dry = *rule;
	struct dp_error error;
	struct dp_mech *m;
	double least = 0;
	uint64_t i;
	int e, last = DP_EINVAL;

	dry.privacy.dry = true;
	dry.privacy.params = NULL;
	for (*best = COUNTERS, i = 0; i < COUNTERS; i++) {
		if ((e = create_inner(&m, counters[i], &dry)) == DP_ENOMEM)
			return e;
		if (e != 0) {
			last = e == DP_ERANGE ? e : last;
			continue;
		}
		dp_mech_error(m, rule->report, &error);
		dp_mech_free(m);
		if (*best == COUNTERS || error.max < least * (1 - 1e-9)) {
			*best = i;
			least = error.max;
		}
	}
	return *best == COUNTERS ? last : 0;
}

static int
create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	const struct dp_mech_rule own = inner_rule(rule);
	struct dp_params *params = rule->privacy.params;
	struct dp_mech *inner;
	struct running *k;
	uint64_t i = 0;
	int e;

	if (s->deletes)
		return DP_EINVAL;
	if (!dp_params_replays(params) && (e = choose(&own, &i)) != 0)
		return e;
	i = dp_params_word(params, i, 0, COUNTERS - 1);
	if ((e = create_inner(&inner, counters[i], &own)) != 0)
		return e;
	k = dp_mech_alloc(&dp_running_ops, sizeof *k, rule->horizon,
	    OFFSET + (inner->column + 7) / 8 * 8);
	if (k == NULL) {
		dp_mech_free(inner);
		return DP_ENOMEM;
	}
	k->m.inputs = 0;
	k->inner = inner;
	k->every = rule->every;
	*out = &k->m;
	return 0;
}

static void
destroy(struct dp_mech *m)
{
	dp_mech_free(((struct running *)(void *)m)->inner);
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct running *k = (const void *)m;

	return k->inner->ops->start == NULL ? 0 :
	    k->inner->ops->start(k->inner, (char *)col + OFFSET, rng);
}

static int
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	(void)m;
	(void)rng;
	(void)id;
	((struct column *)col)->fresh++;
	return 0;
}

static int
answer(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct running *k = (const void *)m;
	struct column *c = col;
	const int64_t x = (int64_t)(c->fresh < SUM_MAX ? c->fresh : SUM_MAX);

	(void)t;
	if (k->inner->horizon != 0 && c->answers == k->inner->horizon)
		return DP_EHORIZON;
	c->fresh = 0;
	return k->inner->ops->step(k->inner, (char *)col + OFFSET, rng, ++c->answers, &x, est);
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct running *k = (const void *)m;

	k->inner->ops->law(k->inner, out, answers_at(k, t), l);
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct running *k = (const void *)m;

	dp_mech_error(k->inner, answers_at(k, T), e);
	e->worst = k->every == 0 ? T : e->worst * k->every;
	e->worst = e->worst < T ? e->worst : T;
}

static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct running *k = (const void *)m;
	const struct column *c = col;

	return c->answers <= t && (k->inner->horizon == 0 || c->answers <= k->inner->horizon) &&
	    (k->inner->ops->valid == NULL ||
	    k->inner->ops->valid(k->inner, (const char *)col + OFFSET, c->answers));
}

static bool
family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	return dp_mech_family(((const struct running *)(const void *)m)->inner, i, z, what);
}

static double
unit(const struct dp_mech *m, unsigned i)
{
	return dp_mech_unit(((const struct running *)(const void *)m)->inner, i);
}

static double
draws(const struct dp_mech *m)
{
	const struct running *k = (const void *)m;

	return k->every == 0 ? 0 : dp_mech_draws(k->inner) / (double)k->every;
}

const struct dp_mech_ops dp_running_ops = {
	.name = "running",
	.source = "an exact table of identifiers; first sights in a running count",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_FIRST, .tasks = DP_TASK_OWN,
	.statistic = &dp_distinct, .refuses = dp_sketch_refuse_deletes, .create = create,
	.start = start, .step = dp_sketch_step, .answer = answer, .see = see, .law = law,
	.error = error, .valid = valid, .family = family, .unit = unit, .draws = draws,
	.destroy = destroy
};
