/*
 * running.c - distinct identifiers, exactly remembered: first sights, counted.
 *
 * Who runs it keeps a table of identifiers (DP_TRAIT_TABLE).  n identifiers were seen so far, and
 * counter.h gives the answers.  The table is exact: nothing here is pan-private.
 *
 * Statement: an identifier with all of its events moves n as an item that comes once and stays
 * (dp_counter_items(), w = 1): 2 in all, or 1 if there is one answer, or with --presence.  A line
 * that names another identifier moves it by 2 in all, too, or 1 if there is one answer.
 *
 * Proof.  An identifier is there from its first sight on.  A line of step t that names j in place
 * of i: i loses a sight at t, and its first may move from t to a later s, or to none; j gains one
 * at t, and its first may move from a later s' to t, or there was none.  n - n' is what i does, 0
 * or 1 from t up to s, less what j does, 0 or 1 from t up to s': from the smaller of the two up to
 * the larger it is 1 or -1, and else 0; or, if only one of them moves, its own 1 from t on up to
 * there.
 */
#include "counter.h"

extern const struct dp_mech_ops dp_running_ops;

struct running {
	struct dp_mech m;
	struct dp_counter counter;
};

struct column {
	int64_t n;
	uint64_t reserved[7];
	uint64_t counter[];		/* its column, on a cache line if this is */
};

static int
create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	struct running *k;
	int e;

	if (s->deletes || (k = dp_mech_alloc(&dp_running_ops, sizeof *k, rule->horizon, 0)) == NULL)
		return s->deletes ? DP_EINVAL : DP_ENOMEM;
	if ((e = dp_counter_create(&k->counter, rule, dp_counter_items(1, dp_sketch_outputs(rule),
	    s->presence))) != 0) {
		dp_mech_free(&k->m);
		return e;
	}
	k->m.distribution = dp_counter_distribution(&k->counter);
	k->m.inputs = 0;
	k->m.column = sizeof(struct column) + k->counter.column;
	*out = &k->m;
	return 0;
}

static void
destroy(struct dp_mech *m)
{
	dp_counter_free(&((struct running *)(void *)m)->counter);
}

static const struct dp_counter *
counter_of(const struct dp_mech *m)
{
	return &((const struct running *)(const void *)m)->counter;
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	return dp_counter_start(counter_of(m), ((struct column *)col)->counter, rng);
}

static int
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	(void)m;
	(void)rng;
	((struct column *)col)->n += id->word[0] == 0;
	return 0;
}

static int
answer(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	struct column *c = col;

	(void)t;
	return dp_counter_answer(counter_of(m), c->counter, rng, c->n, est);
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	(void)out;
	dp_counter_law(counter_of(m), t, l);
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_counter_error(counter_of(m), T, e);
}

static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	return dp_counter_valid(counter_of(m), ((const struct column *)col)->counter, t);
}

static bool
family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	return dp_counter_family(counter_of(m), i, z, what);
}

static double
unit(const struct dp_mech *m, unsigned i)
{
	return dp_counter_unit(counter_of(m), i);
}

static double
draws(const struct dp_mech *m)
{
	return dp_counter_draws(counter_of(m));
}

static bool
note(const struct dp_mech *m, unsigned i, double one, char *text, size_t size)
{
	(void)one;
	return dp_counter_note(counter_of(m), i, text, size);
}

const struct dp_mech_ops dp_running_ops = {
	.name = "running",
	.source = "an exact table of identifiers; first sights in a running count",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_TABLE, .tasks = DP_TASK_OWN,
	.statistic = &dp_distinct, .refuses = dp_sketch_refuse_deletes, .create = create,
	.start = start, .step = dp_sketch_step, .answer = answer, .see = see, .law = law,
	.error = error, .valid = valid, .family = family, .unit = unit, .draws = draws,
	.note = note, .destroy = destroy
};
