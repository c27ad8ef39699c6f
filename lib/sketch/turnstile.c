/*
 * turnstile.c - distinct identifiers of a declared universe that come and go, exactly remembered.
 *
 * An identifier is there while it was not undone as often as done.  It is followed until it has
 * come and gone w times (--flips), and from then on it is held to be what it was last: with more
 * than w changes of one identifier the answers are wrong for it, and no less private.  n
 * identifiers are there, so taken; counter.h gives the answers.  Nothing here is pan-private.
 *
 * Statement: one identifier with all of its events moves n as an item that comes and goes w times
 * (dp_counter_items()), whatever they are: 2w in all; or w with --presence.
 *
 * Proof.  What it is held to be is its own affair, 0 or 1, 0 at first, and changes w times at most,
 * by its being held.  (If it were only promised that it changes no more often, one event less would
 * move n by 2w, too; but under a limit that is kept, one event more may shift all that follow.)
 *
 * Jain, Kalemaj, Raskhodnikova, Sivakumar, Smith 2023, with the constants as they are here: theirs
 * are for twice as much.
 */
#include <stddef.h>

#include "counter.h"

extern const struct dp_mech_ops dp_turnstile_ops;

#define PLACES_MAX	((uint64_t)1 << 27)

struct turnstile {
	struct dp_counter counter;
	uint64_t places, flips;
};

struct item {
	int64_t count;			/* done, less undone */
	uint64_t state;			/* changes so far, twice, and whether it is held there */
};

struct column {
	int64_t n;
	uint64_t reserved[7];
	struct item item[];		/* for each of the universe */
};

static int
create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	struct turnstile *k;
	int e;

	if (s->universe == 0 || s->universe > PLACES_MAX || s->flips == 0)
		return DP_EINVAL;
	k = dp_mech_alloc(&dp_turnstile_ops, sizeof *k, rule->horizon,
	    sizeof(struct column) + (size_t)s->universe * sizeof(struct item));
	if (k == NULL)
		return DP_ENOMEM;
	k->places = s->universe;
	k->flips = s->flips;
	k->counter.number = offsetof(struct column, n);
	if ((e = dp_counter_create(&k->counter, rule, dp_counter_items(s->flips,
	    dp_sketch_outputs(rule), s->presence))) != 0)
		return e;
	dp_params_same(rule->privacy.params, k->places);
	dp_params_same(rule->privacy.params, k->flips);
	*out = &k->counter.m;
	return 0;
}

static int
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct turnstile *k = (const void *)m;
	struct column *c = col;
	struct item *i;

	(void)rng;
	if (id->word[0] >= k->places)
		return 0;
	i = &c->item[id->word[0]];
	i->count = (int64_t)((uint64_t)i->count + (uint64_t)(int64_t)id->sign);
	if ((i->count != 0) == (i->state & 1) || i->state / 2 >= k->flips)
		return 0;
	i->state = (i->state + 2) ^ 1;
	c->n += i->state & 1 ? 1 : -1;
	return 0;
}

static const char *
refuses(const struct dp_task *k)
{
	const struct dp_sketch *s = k->own;

	return s->flips == 0 ? "needs --flips: how often an identifier may come and go" :
	    s->universe == 0 ? "needs --universe" : NULL;
}

const struct dp_mech_ops dp_turnstile_ops = {
	DP_COUNTER_OPS, .name = "turnstile",
	.say.source = "an exact table of a universe; the first comings and goings (Jain et al. "
	    "2023)",
	.traits = DP_TRAIT_ENDLESS, .statistic = &dp_distinct, .say.refuses = refuses,
	.create = create, .step = dp_sketch_step, .open.see = see, .valid = dp_counter_valid
};
