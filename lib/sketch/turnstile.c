/*
 * turnstile.c - distinct identifiers that come and go, exactly remembered: those of a declared
 * universe, or any.
 *
 * An identifier is there while it was not undone as often as done.  It is followed until it has
 * come and gone w times (--flips), and from then on it is held to be what it was last: with more
 * than w changes of one identifier the answers are wrong for it, and no less private.  n
 * identifiers are there, so taken; counter.h gives the answers.  Nothing here is pan-private.
 *
 * turnstile has an item for each of the universe.  turnstile-table has a word for each identifier
 * that came, by its fingerprint (DP_TRAIT_TABLE): 1 + (a + R)(w + 1) + v, where a, within +-R, is
 * how often it was done less how often undone, and v how often it came and went; R is the largest
 * by which words have 32 bits, some 2^31/(w + 1).
 *
 * Statement: one identifier with all of its events moves n as an item that comes and goes w times
 * (dp_counter_items()), whatever they are: 2w in all; or w with --presence.
 *
 * Proof.  What it is held to be is its own affair, 0 or 1, 0 at first, and changes w times at most,
 * by its being held.  (If it were only promised that it changes no more often, one event less would
 * move n by 2w, too; but under a limit that is kept, one event more may shift all that follow.)
 *
 * Identifiers that share a fingerprint are one item, of the events of them all, in either
 * neighbour: it is limited as any other is, and so moves n by 2w at most, which holds for any two
 * histories.  With --presence, where one of two histories is to be none, such a pair can move it by
 * 2w, not w: that is the probability of dputils(7) that two share one.
 *
 * Jain, Kalemaj, Raskhodnikova, Sivakumar, Smith 2023, with the constants as they are here: theirs
 * are for twice as much.
 */
#include <stddef.h>
#include <stdio.h>

#include "counter.h"

extern const struct dp_mech_ops dp_turnstile_table_ops;

#define PLACES_MAX	((uint64_t)1 << 27)
#define TABLE_FLIPS	((uint64_t)1000)	/* with them R is two million */

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
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	struct turnstile *k;
	int e;

	if (s->flips == 0 || (ops == &dp_turnstile_table_ops ?
	    s->universe != 0 || s->flips > TABLE_FLIPS :
	    s->universe == 0 || s->universe > PLACES_MAX))
		return DP_EINVAL;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon,
	    sizeof(struct column) + (size_t)s->universe * sizeof(struct item));
	if (k == NULL)
		return DP_ENOMEM;
	k->places = s->universe;
	k->flips = s->flips;
	k->counter.number = offsetof(struct column, n);
	if ((e = dp_counter_create(&k->counter, rule, dp_counter_items(s->flips,
	    dp_sketch_outputs(rule), s->presence))) != 0)
		return e;
	dp_numbers_same(rule->privacy.numbers, "places", k->places);
	dp_numbers_same(rule->privacy.numbers, "flips", k->flips);
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

/* R */
static int64_t
most_of(const struct turnstile *k)
{
	return (int64_t)((UINT32_MAX / (k->flips + 1) - 1) / 2);
}

/* v of a word; of any word at all it is no more than w. */
static uint64_t
changes(const struct turnstile *k, uint64_t word)
{
	return word == 0 ? 0 : (word - 1) % (k->flips + 1);
}

static uint32_t
word(const struct dp_mech *m, uint32_t was, int sign)
{
	const struct turnstile *k = (const void *)m;
	const int64_t R = most_of(k), before = was == 0 ? 0 :
	    (int64_t)((was - 1) / (k->flips + 1)) - R;
	uint64_t v = changes(k, was);
	int64_t a = before + sign;

	if (v == k->flips)
		return was;
	a = a > R ? R : a < -R ? -R : a;
	v += (a != 0) != (before != 0);
	return (uint32_t)(1 + (uint64_t)(a + R) * (k->flips + 1) + v);
}

static int
see_word(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct turnstile *k = (const void *)m;

	(void)rng;
	((struct column *)col)->n += (int64_t)(changes(k, id->word[1]) & 1) -
	    (int64_t)(changes(k, id->word[0]) & 1);
	return 0;
}

static const char *
refuses(const struct dp_task *k)
{
	const struct dp_sketch *s = k->own;

	return s->flips == 0 ? "needs --flips: how often an identifier may come and go" :
	    s->universe == 0 ? "needs --universe: without one it is turnstile-table" : NULL;
}

static const char *
refuses_table(const struct dp_task *k)
{
	const struct dp_sketch *s = k->own;

	return s->flips == 0 ? "needs --flips: how often an identifier may come and go" :
	    s->universe != 0 ? "is for identifiers without a --universe: with one it is turnstile" :
	    s->flips > TABLE_FLIPS ? "has --flips up to 1000" : NULL;
}

static bool
note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	if (i != 1)
		return dp_counter_note(m, i, unit, text, size);
	snprintf(text, size, "an identifier that comes and goes more than %llu times is held to "
	    "be what it was then: the error of that is not among those above",
	    (unsigned long long)((const struct turnstile *)(const void *)m)->flips);
	return true;
}

#define TURNSTILE \
	.tasks = DP_TASK_OWN, .statistic = &dp_distinct, .step = dp_sketch_step, \
	.answer = dp_counter_answer, .law.at = dp_counter_law, .error = dp_counter_error, \
	.drawn.number = dp_counter_draws, .drawn.certify = dp_counter_certify, \
	.say.note = note, .valid = dp_counter_valid

const struct dp_mech_ops dp_turnstile_ops = {
	TURNSTILE, .name = "turnstile",
	.say.source = "an exact table of a universe; the first comings and goings (Jain et al. "
	    "2023)",
	.traits = DP_TRAIT_ENDLESS, .say.refuses = refuses, .create = create, .open.see = see
};

const struct dp_mech_ops dp_turnstile_table_ops = {
	TURNSTILE, .name = "turnstile-table",
	.say.source = "an exact table of identifiers; the first comings and goings (Jain et al. "
	    "2023)",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_TABLE, .say.refuses = refuses_table,
	.create = create, .open.see = see_word, .open.word = word
};
