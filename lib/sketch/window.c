/*
 * window.c - distinct identifiers of the last W steps, exactly remembered.
 *
 * Who runs it keeps a table of when identifiers were seen last (DP_TRAIT_TABLE).  The column counts
 * them by that step, for the last W steps: count[s mod W] identifiers were seen at step s and not
 * since.  n is their sum; counter.h gives the answers.  Nothing here is pan-private.
 *
 * Statement: an event that is there or not, all else equal, changes n by 1 at all moments of one
 * interval of at most W steps, and by nothing elsewhere.  A line that names another identifier, or
 * nothing, changes n by -1, 0 or 1 within W steps, and these changes by 4 in all; by 2 if W = 1.
 *
 * Proof.  Identifier i is in the window of step t if it was seen at one of t - W + 1 .. t.  An
 * event of i at step s matters at those of s .. s + W - 1 that no other event of i covers: an
 * earlier one covers some first of them, a later one some last of them, so what is left is one
 * interval.  For the second: two intervals within the same W steps, one counted 1 and one -1.
 *
 * An identifier that comes all the time has as many such events as it comes: what is protected is
 * one event, not all of an identifier's.  (Open problem of Bolot et al. 2013, section 6.)
 *
 * With `whole` neighbours differ in all events of one identifier, over T steps.  Statement: it
 * moves n as an item of dp_counter_items() that comes and goes dp_counter_changes(W, T) times.
 * Proof: it is there at steps s .. s + W - 1 at least if it is seen at s, so that it stays for W
 * steps or more; and between a going and the next coming there is one step or more.
 */
#include <stddef.h>

#include "counter.h"

#define WINDOW_MAX	((uint64_t)1 << 24)

struct window {
	struct dp_counter counter;
	uint64_t w;
};

struct column {
	uint64_t steps;			/* closed */
	int64_t n, open;		/* after the last step; with what the open one has seen */
	uint64_t reserved[5];
	uint64_t count[];		/* w of them */
};

/* The statement's claim on the answers, of which W steps hold so many at most. */
static struct dp_counter_reach
reach_of(const struct dp_sketch *s, const struct dp_mech_rule *rule)
{
	const uint64_t k = dp_sketch_outputs(rule);
	const uint64_t far = s->lines && s->window > 1 ? 4 : 2;
	const uint64_t held = rule->every == 0 ? 1 : (s->window + rule->every - 1) / rule->every;
	struct dp_counter_reach r = { .moves = far, .touched = held, .worth = 1 };

	if (s->whole)
		return dp_counter_items(dp_counter_changes(s->window, rule->horizon), k,
		    s->presence);
	if (k != 0 && r.touched > k)
		r.touched = k;
	if (k != 0 && r.moves > 2 * k - 1)	/* as the first difference is 1 at the most */
		r.moves = 2 * k - 1;
	/* each interval is one that comes and goes, as a counter's items do: sqrt(2), and twice */
	r.fading = k == 1 ? 1 : far == 2 ? 2 : 8;
	return r;
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	/* the statement is about one event, or line, whichever identifiers it moves */
	static const struct dp_reach one = { .l1 = 1, .l2squared = 1, .linf = 1, .columns = 1 };
	const struct dp_sketch *s = rule->task.own;
	struct dp_mech_rule own = *rule;
	struct window *k;
	int e;

	if (s->deletes || s->window == 0 || s->window > WINDOW_MAX ||
	    (s->whole && rule->horizon == 0))
		return DP_EINVAL;
	if ((e = dp_privacy_part(&own.privacy, &rule->privacy, dp_q_make(1, 1), &one)) != 0)
		return e;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon,
	    sizeof(struct column) + (size_t)s->window * sizeof(uint64_t));
	if (k == NULL)
		return DP_ENOMEM;
	k->w = s->window;
	k->counter.number = offsetof(struct column, n);
	if ((e = dp_counter_create(&k->counter, &own, reach_of(s, rule))) != 0)
		return e;
	dp_numbers_same(rule->privacy.numbers, "window", k->w);
	*out = &k->counter.m;
	return 0;
}

static int
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct window *k = (const void *)m;
	struct column *c = col;
	const uint64_t now = c->steps + 1, before = id->word[0];

	(void)rng;
	if (before != 0 && before + k->w > now)
		c->count[before % k->w]--;
	else
		c->open++;
	c->count[now % k->w]++;
	return 0;
}

/* Closes the step, and lets go what was seen W steps before the next one. */
static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct window *k = (const void *)m;
	struct column *c = col;
	uint64_t *oldest = &c->count[(t + 1) % k->w];

	(void)rng;
	(void)x;
	(void)est;
	c->steps = t;
	c->n = c->open;
	c->open -= (int64_t)*oldest;
	*oldest = 0;
	return 0;
}

/* Places are taken mod W, and sums wrap: only the counter has more to say. */
static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	return ((const struct column *)col)->steps == t && dp_counter_valid(m, col, t);
}

const struct dp_mech_ops dp_window_ops = {
	DP_COUNTER_OPS, .name = "window",
	.say.source = "an exact table of identifiers; who comes and goes, in a running count",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_TABLE, .statistic = &dp_recent,
	.say.refuses = dp_sketch_refuse_deletes, .create = create, .step = step, .open.see = see,
	.valid = valid
};
