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
#include <stddef.h>

#include "counter.h"

struct column {
	int64_t n;
	uint64_t reserved[7];
};

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	struct dp_counter *k;
	int e;

	if (s->deletes)
		return DP_EINVAL;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon, sizeof(struct column));
	if (k == NULL)
		return DP_ENOMEM;
	k->number = offsetof(struct column, n);
	if ((e = dp_counter_create(k, rule, dp_counter_items(1, dp_sketch_outputs(rule),
	    s->presence))) == 0)
		*out = &k->m;
	return e;
}

static int
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	(void)m;
	(void)rng;
	((struct column *)col)->n += id->word[0] == 0;
	return 0;
}

const struct dp_mech_ops dp_running_ops = {
	DP_COUNTER_OPS, .name = "running",
	.say.source = "an exact table of identifiers; first sights in a running count",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_TABLE | DP_TRAIT_FIRST, .statistic = &dp_distinct,
	.say.refuses = dp_sketch_refuse_deletes, .create = create, .step = dp_sketch_step,
	.open.see = see, .valid = dp_counter_valid
};
