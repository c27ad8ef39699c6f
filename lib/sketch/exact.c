/* SPDX-License-Identifier: ISC */
/* exact.c - distinct identifiers, exactly remembered. */
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

/*
 * Identifiers and how often each came, exactly remembered: their number, or how many came
 * so often.
 *
 * Who runs it keeps a table of net counts (DP_TRAIT_TABLE), each as a word: a + NET + 1, a within
 * +-NET.  An identifier of net count a adds to n
 *   distinct   1 if a is not 0 (with --deletes; else exact.c does it)
 *   density    the same
 *   incidence  1 if a = tau; modulo K, 1 if a is tau modulo K, but for tau = 0: 1 if it is not
 *   cropped    min(|a|, tau)
 *   mean       the same
 *   heavy      min(|a|, tau) less low, if that is above 0, low = tau/2 rounded down (phase.c)
 * and an answer is n, noise and all, times 1; density and mean: times 10^6/m, of m declared
 * identifiers; heavy: 1/(tau - low); and for tau = 0 modulo K it is m less that, as all begin at 0.
 * internal.h gives the answers.  The table is exact: nothing here is pan-private.
 *
 * Statement: an identifier with all of its events moves n as an item of dp_counter_items() does,
 * worth the most that it adds; w = 1, 2 for incidence, and no limit where events are undone, or
 * counted modulo K.
 *
 * Proof.  What it adds is a function of its own net count, which is its own events' affair, from 0
 * to that most.  Where none are undone a only grows, and so does what it adds, but for incidence: 1
 * from the tau-th event to the next one.
 *
 * With a share tau is t/share, rounded up, at an answer after t lines.  The column counts those
 * with |a| = 1, 2, .., `top`, or more, and n is the sum of min(|a|, tau) - low over tau - low,
 * rounded to the nearest integer.  All counts may matter anew at each answer: w has no limit.
 * Statement: one identifier moves n by 1 at most.  Proof: the sum by 1, and floor(x + d) <=
 * floor(x) + 1, d <= 1.
 */

#define NO_LIMIT	((uint64_t)1 << 32)	/* of w: more than there are answers */
#define NET		((int64_t)1 << 30)
#define TOP_MAX		((uint64_t)1 << 24)

struct exact {
	struct dp_counter counter;
	struct dp_sketch s;
	const struct dp_statistic *what;
	uint64_t low;			/* heavy: what does not count */
	uint64_t top;			/* with a share: the largest tau; else 0 */
};

struct column {
	int64_t n;
	uint64_t reserved[7];
	uint64_t at[];			/* of |a| = 1 .. top */
};

static bool
often(const struct dp_statistic *what)
{
	return what != &dp_distinct && what != &dp_density;
}

/* a modulo K, 0 .. K - 1. */
static uint64_t
residue(int64_t a, uint64_t K)
{
	const int64_t r = a % (int64_t)K;

	return (uint64_t)(r < 0 ? r + (int64_t)K : r);
}

/* Amount that an identifier adds. */
static uint64_t
adds(const struct exact *k, int64_t a)
{
	const uint64_t size = (uint64_t)(a < 0 ? -a : a), tau = k->s.tau;

	if (!often(k->what))
		return size != 0;
	if (k->s.modulo != 0)
		return (residue(a, k->s.modulo) == tau) != (tau == 0);
	if (k->what == &dp_incidence)
		return a >= 0 && size == tau;
	return size >= tau ? tau - k->low : size > k->low ? size - k->low : 0;
}

static uint64_t
exact_worth(const struct exact *k)
{
	return !often(k->what) || k->what == &dp_incidence || k->top != 0 ? 1 : k->s.tau - k->low;
}

static double
unit_of(const struct exact *k)
{
	if (k->what == &dp_density || k->what == &dp_mean)
		return 1e6 / (double)k->s.universe;
	return k->what == &dp_heavy && k->top == 0 ? 1 / (double)(k->s.tau - k->low) : 1;
}

/* With a share: of all steps that there can be; 0: nobody knows, or too many. */
static uint64_t
top_of_exact(const struct dp_sketch *s, uint64_t horizon)
{
	const uint64_t tau = horizon == 0 ? 0 : dp_phase_tau(s, horizon);

	return tau <= TOP_MAX ? tau : 0;
}

static bool
able(const struct exact *k)
{
	const struct dp_sketch *s = &k->s;

	if (k->what == &dp_distinct)
		return s->deletes;
	if ((k->what == &dp_density || k->what == &dp_mean) && s->universe == 0)
		return false;
	if (s->modulo != 0)
		return k->what == &dp_incidence && s->universe != 0 && s->tau < s->modulo;
	if (!often(k->what))
		return true;
	return s->share != 0 ? k->what == &dp_heavy && s->lines && k->top != 0 :
	    s->tau != 0 && s->tau <= DP_RAMP_MAX;
}

static uint64_t
comings(const struct exact *k)
{
	return k->s.deletes || k->s.modulo != 0 || k->top != 0 ? NO_LIMIT :
	    k->what == &dp_incidence ? 2 : 1;
}

static int
exact_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	struct exact own = { .s = *s, .what = ops->statistic }, *k;
	struct dp_counter_reach reach;
	int e;

	own.top = s->share != 0 ? top_of_exact(s, rule->horizon) : 0;
	own.low = own.what == &dp_heavy && s->share == 0 ? s->tau / 2 : 0;
	/* without a limit, of answers without an end: an identifier moves n for ever */
	if (!able(&own) || (comings(&own) == NO_LIMIT && dp_sketch_outputs(rule) == 0))
		return DP_EINVAL;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon,
	    sizeof(struct column) + (size_t)own.top * sizeof(uint64_t));
	if (k == NULL)
		return DP_ENOMEM;
	own.counter.m = k->counter.m;
	*k = own;
	k->counter.number = offsetof(struct column, n);
	k->counter.unit = unit_of(k);
	reach = dp_counter_items(comings(k), dp_sketch_outputs(rule), s->presence);
	reach.worth = exact_worth(k);
	if ((e = dp_counter_create(&k->counter, rule, reach)) != 0)
		return e;
	dp_numbers_same(rule->privacy.numbers, "universe", s->universe);
	dp_numbers_same(rule->privacy.numbers, "threshold", s->share != 0 ? s->share : s->tau);
	if (s->modulo != 0)
		dp_numbers_same(rule->privacy.numbers, "modulo", s->modulo);
	*out = &k->counter.m;
	return 0;
}

static int64_t
net(uint64_t word)
{
	return word == 0 ? 0 : (int64_t)word - 1 - NET;
}

static uint32_t
exact_word(const struct dp_mech *m, uint32_t was, int sign)
{
	int64_t a = net(was) + sign;

	(void)m;
	a = a > NET ? NET : a < -NET ? -NET : a;
	return (uint32_t)(a + NET + 1);
}

static int
exact_see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct exact *k = (const void *)m;
	const int64_t a[2] = { net(id->word[0]), net(id->word[1]) };
	struct column *c = col;
	uint64_t size;
	int i;

	(void)rng;
	if (k->top == 0) {
		c->n += (int64_t)adds(k, a[1]) - (int64_t)adds(k, a[0]);
		return 0;
	}
	for (i = 0; i < 2; i++) {
		size = (uint64_t)(a[i] < 0 ? -a[i] : a[i]);
		if (size != 0)
			c->at[(size < k->top ? size : k->top) - 1] += i == 0 ? UINT64_MAX : 1;
	}
	return 0;
}

/* R, rounded, after t lines. */
static int64_t
sum_up(const struct exact *k, const struct column *c, uint64_t t)
{
	const uint64_t tau = dp_phase_tau(&k->s, t), low = tau / 2;
	dp_uwide sum = 0;
	uint64_t i;

	for (i = low + 1; i <= k->top; i++)
		sum += (dp_uwide)c->at[i - 1] * ((i < tau ? i : tau) - low);
	return (int64_t)((2 * sum + (tau - low)) / (2 * (tau - low)));
}

static int
exact_answer(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct exact *k = (const void *)m;
	struct column *c = col;
	int e;

	if (k->top != 0)
		c->n = sum_up(k, c, t);
	e = dp_counter_answer(m, col, rng, t, est);
	if (e == 0 && k->s.modulo != 0 && k->s.tau == 0)
		*est = (dp_wide)k->s.universe - *est;
	return e;
}

static const char *
exact_refuses(const struct dp_task *t)
{
	const struct dp_sketch *s = t->own;

	if (t->statistic == &dp_distinct && !s->deletes)
		return "counts what may be undone (--deletes); where nothing is, that is running";
	return s->buckets != 0 ? "has no --buckets" : NULL;
}

#define EXACT(NAME) \
	const struct dp_mech_ops dp_exact_##NAME##_ops = { \
		.tasks = DP_TASK_OWN, .name = "table", \
		.say.source = "an exact table of identifiers, and " \
		    "of how often each came", \
		.traits = DP_TRAIT_ENDLESS | DP_TRAIT_TABLE, .open.word = exact_word, \
		.statistic = &dp_##NAME, .say.refuses = exact_refuses, .create = exact_create, \
		.step = dp_sketch_step, .open.see = exact_see, .answer = exact_answer,	\
		.law.at = dp_counter_law,	\
		.error = dp_counter_error, .drawn.number = dp_counter_draws,	\
		.say.note = dp_counter_note, .drawn.certify = dp_counter_certify, \
		.valid = dp_counter_valid \
	};

EXACT(distinct)
EXACT(density)
EXACT(cropped)
EXACT(mean)
EXACT(incidence)
EXACT(heavy)

/*
 * Distinct identifiers, exactly remembered: first sights, counted.
 *
 * Who runs it keeps a table of identifiers (DP_TRAIT_TABLE).  n identifiers were seen so far, and
 * internal.h gives the answers.  The table is exact: nothing here is pan-private.
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

struct column_running {
	int64_t n;
	uint64_t reserved[7];
};

static int
running_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	struct dp_counter *k;
	int e;

	if (s->deletes)
		return DP_EINVAL;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon, sizeof(struct column_running));
	if (k == NULL)
		return DP_ENOMEM;
	k->number = offsetof(struct column_running, n);
	if ((e = dp_counter_create(k, rule, dp_counter_items(1, dp_sketch_outputs(rule),
	    s->presence))) == 0)
		*out = &k->m;
	return e;
}

static int
running_see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	(void)m;
	(void)rng;
	((struct column_running *)col)->n += id->word[0] == 0;
	return 0;
}

const struct dp_mech_ops dp_running_ops = {
	DP_COUNTER_OPS, .name = "running",
	.say.source = "an exact table of identifiers; first sights in a running count",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_TABLE | DP_TRAIT_FIRST, .statistic = &dp_distinct,
	.say.refuses = dp_sketch_refuse_deletes, .create = running_create, .step = dp_sketch_step,
	.open.see = running_see, .valid = dp_counter_valid
};

/*
 * Distinct identifiers that come and go, exactly remembered: those of a declared
 * universe, or any.
 *
 * An identifier is there while it was not undone as often as done.  It is followed until it has
 * come and gone w times (--flips), and from then on it is held to be what it was last: with more
 * than w changes of one identifier the answers are wrong for it, and no less private.  n
 * identifiers are there, so taken; internal.h gives the answers.  Nothing here is pan-private.
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

struct column_turnstile {
	int64_t n;
	uint64_t reserved[7];
	struct item item[];		/* for each of the universe */
};

static int
turnstile_create(struct dp_mech **out, const struct dp_mech_ops *ops,
    const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	struct turnstile *k;
	int e;

	if (s->flips == 0 || (ops == &dp_turnstile_table_ops ?
	    s->universe != 0 || s->flips > TABLE_FLIPS :
	    s->universe == 0 || s->universe > PLACES_MAX))
		return DP_EINVAL;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon,
	    sizeof(struct column_turnstile) + (size_t)s->universe * sizeof(struct item));
	if (k == NULL)
		return DP_ENOMEM;
	k->places = s->universe;
	k->flips = s->flips;
	k->counter.number = offsetof(struct column_turnstile, n);
	if ((e = dp_counter_create(&k->counter, rule, dp_counter_items(s->flips,
	    dp_sketch_outputs(rule), s->presence))) != 0)
		return e;
	dp_numbers_same(rule->privacy.numbers, "places", k->places);
	dp_numbers_same(rule->privacy.numbers, "flips", k->flips);
	*out = &k->counter.m;
	return 0;
}

static int
turnstile_see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct turnstile *k = (const void *)m;
	struct column_turnstile *c = col;
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
most_of_turnstile(const struct turnstile *k)
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
turnstile_word(const struct dp_mech *m, uint32_t was, int sign)
{
	const struct turnstile *k = (const void *)m;
	const int64_t R = most_of_turnstile(k), before = was == 0 ? 0 :
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
	((struct column_turnstile *)col)->n += (int64_t)(changes(k, id->word[1]) & 1) -
	    (int64_t)(changes(k, id->word[0]) & 1);
	return 0;
}

static const char *
turnstile_refuses(const struct dp_task *k)
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
turnstile_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
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
	.say.note = turnstile_note, .valid = dp_counter_valid

const struct dp_mech_ops dp_turnstile_ops = {
	TURNSTILE, .name = "turnstile",
	.say.source = "an exact table of a universe; the first comings and goings (Jain et al. "
	    "2023)",
	.traits = DP_TRAIT_ENDLESS, .say.refuses = turnstile_refuses, .create = turnstile_create,
	    .open.see = turnstile_see
};

const struct dp_mech_ops dp_turnstile_table_ops = {
	TURNSTILE, .name = "turnstile-table",
	.say.source = "an exact table of identifiers; the first comings and goings (Jain et al. "
	    "2023)",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_TABLE, .say.refuses = refuses_table,
	.create = turnstile_create, .open.see = see_word, .open.word = turnstile_word
};

/*
 * Distinct identifiers of the last W steps, exactly remembered.
 *
 * Who runs it keeps a table of when identifiers were seen last (DP_TRAIT_TABLE).  The column counts
 * them by that step, for the last W steps: count[s mod W] identifiers were seen at step s and not
 * since.  n is their sum; internal.h gives the answers.  Nothing here is pan-private.
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
 * Statement: all that one identifier does in one step, however many events, against anything else
 * that it does there, moves n as one event that is there or not.  Proof: of a step n asks which
 * identifiers were seen there, a bit for each, and so does the column: a second event of the same
 * step finds the stamp of this step, takes 1 from count[now] and puts it back.  Two inputs that
 * differ in what i does at s have other bits at i and s alone, or the same.  So the unit is an
 * identifier in one step, and an event is part of it.  (Not with signs: there a bit is a net
 * count's.  A line is a step, and may name another identifier: there two are touched.)
 *
 * An identifier that comes all the time has as many such steps as it comes: what is protected is
 * one step of it, not all that it does.  (Open problem of Bolot et al. 2013, section 6.)
 *
 * KEYS.  With `keyed` there is a column for each declared key, and who runs it keeps the step at
 * which an identifier was seen of a key last.  In a step an identifier counts for the first K keys
 * that its events there have, in the order of the input: what it may still count for is charged at
 * its first event with a key, and never given back (store/cap.c).
 * Statement: all that one identifier does in one step, there or not, moves the numbers of at most K
 * columns, each as one event that is there or not does: at each moment K numbers by 1 at most, in
 * all columns together K W of them; changes by 2 K in all, of squares (l2fading) by 2 K; so that
 * the rule's reach is K, of K columns by 1, and the counter's K times that of one column.
 * Anything else that it may do there, in place of what it does: min(2 K, keys) columns.
 * Proof.  What counts in a step of an identifier is a function of its own events of that step: the
 * allowance is of the step.  So neighbours have the same bits, whether i counts for a at s, but
 * those of i at s, of which none is 1 in one of the two and at most K are in the other; or, of
 * anything else, at most K in either.  A column sees its own bits alone, and is the window above;
 * columns are added up: |d|_1, and |C d|_2^2 as C works on each by itself.
 *
 * With `whole` neighbours differ in all events of one identifier, over T steps.  Statement: it
 * moves n as an item of dp_counter_items() that comes and goes dp_counter_changes(W, T) times.
 * Proof: it is there at steps s .. s + W - 1 at least if it is seen at s, so that it stays for W
 * steps or more; and between a going and the next coming there is one step or more.
 */

#define WINDOW_MAX	((uint64_t)1 << 24)

struct window {
	struct dp_counter counter;
	uint64_t w;
};

struct column_window {
	uint64_t steps;			/* closed */
	int64_t n, open;		/* after the last step; with what the open one has seen */
	uint64_t reserved[5];
	uint64_t count[];		/* w of them */
};

/* The statement's claim on the answers: W steps hold at most this many. */
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

static int windows_create(struct dp_mech **, const struct dp_mech_rule *);

static int
window_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	/* the statement is about one event, or line, whichever identifiers it moves */
	const struct dp_privacy *p = &rule->privacy;
	const struct dp_sketch *s = rule->task.own;
	const struct dp_reach one = s->keyed ? (struct dp_reach){ .l1 = p->l1, .l2squared =
	    p->l2squared, .linf = p->linf, .columns = p->columns } : (struct dp_reach){ .l1 = 1,
	    .l2squared = 1, .linf = 1, .columns = 1 };
	struct dp_mech_rule own = *rule;
	struct window *k;
	int e;

	if (s->windows != 0)
		return windows_create(out, rule);
	if (s->deletes || s->window == 0 || s->window > WINDOW_MAX ||
	    (s->whole && rule->horizon == 0))
		return DP_EINVAL;
	if ((e = dp_privacy_part(&own.privacy, &rule->privacy, dp_q_make(1, 1), &one)) != 0)
		return e;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon,
	    sizeof(struct column_window) + (size_t)s->window * sizeof(uint64_t));
	if (k == NULL)
		return DP_ENOMEM;
	k->w = s->window;
	k->counter.number = offsetof(struct column_window, n);
	if ((e = dp_counter_create(&k->counter, &own, reach_of(s, rule))) != 0)
		return e;
	dp_numbers_same(rule->privacy.numbers, "window", k->w);
	*out = &k->counter.m;
	return 0;
}

static int
window_see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct window *k = (const void *)m;
	struct column_window *c = col;
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
window_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct window *k = (const void *)m;
	struct column_window *c = col;
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
window_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	return ((const struct column_window *)col)->steps == t && dp_counter_valid(m, col, t);
}

const struct dp_mech_ops dp_window_ops = {
	DP_COUNTER_OPS, .name = "window",
	.say.source = "an exact table of identifiers; who comes and goes, in a running count",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_TABLE, .statistic = &dp_recent,
	.say.refuses = dp_sketch_refuse_deletes, .create = window_create, .step = window_step,
	    .open.see = window_see,
	.valid = window_valid
};

/*
 * Identifiers of the last W steps for several W, from one table and one budget.
 *
 * Each W is a part: its number, noise and answers are those of the mechanism above, planned for its
 * share of the budget.  Statement: with shares that sum to 1 at most the whole has the budget.
 * Proof: what is protected moves the numbers of all parts, that of each as its statement says;
 * parts draw noise of their own, so that their losses add up, and each has its share of epsilon and
 * of delta (proof/Parts, parts_compose).  All parts are told the same of an identifier: the step at
 * which it was seen last, which is what each of them needs.
 *
 * Where no shares are given they are such that all numbers have about one error: where as many
 * identifiers are in each window as in the others, the relative errors agree.  Scales are in
 * proportion to 1/share, or nearly so: from equal shares on, each is multiplied by the error that
 * it has had, ROUNDS times, and rounded down to a whole multiple of 2^-24.
 */

#define ROUNDS	4
#define WHOLE	((uint64_t)1 << 24)

struct windows {
	struct dp_mech m;
	struct dp_sketch s;
	struct dp_q share[DP_WINDOWS_MAX];
	uint64_t report;
	char numbers[DP_WINDOWS_MAX][64];	/* that a part's own noise is on */
};

/* The rule of window i: its steps, and a share of the budget. */
static int
rule_of(struct dp_mech_rule *own, struct dp_sketch *s, const struct dp_mech_rule *rule, unsigned i,
    struct dp_q share)
{
	const struct dp_privacy *p = &rule->privacy;
	const struct dp_reach reach = { .l1 = p->l1, .l2squared = p->l2squared, .linf = p->linf,
	    .columns = p->columns };

	*own = *rule;
	*s = *(const struct dp_sketch *)rule->task.own;
	s->window = s->each[i].steps;
	s->windows = 0;
	own->task.own = s;
	return dp_privacy_part(&own->privacy, p, share, &reach);
}

/* The rms error of window i for so many of WHOLE parts of the budget; *e: as create(). */
static double
error_for(const struct dp_mech_rule *rule, unsigned i, uint64_t part, int *e)
{
	struct dp_mech_rule own;
	struct dp_mech *m;
	struct dp_sketch s;
	struct dp_error error = { .max = 0 };

	if ((*e = rule_of(&own, &s, rule, i, dp_q_make(part, WHOLE))) != 0)
		return 0;
	own.privacy.dry = true;
	own.privacy.numbers = NULL;
	if ((*e = dp_mech_plan(&m, &dp_window_ops, &own)) != 0)
		return 0;
	dp_mech_error(m, own.report, &error);
	dp_mech_free(m);
	return sqrt(error.max);
}

/* So that errors agree; of n windows, in parts of WHOLE. */
static int
find_shares(uint64_t *part, unsigned n, const struct dp_mech_rule *rule)
{
	double off[DP_WINDOWS_MAX] = { 0 }, sum;
	unsigned round, i;
	int e;

	for (i = 0; i < n; i++)
		part[i] = WHOLE / n;
	for (round = 0; round < ROUNDS && !rule->privacy.exact; round++) {
		for (sum = 0, i = 0; i < n; i++) {
			off[i] = (double)part[i] * error_for(rule, i, part[i], &e);
			if (e != 0)
				return e;
			sum += off[i];
		}
		for (i = 0; i < n; i++)		/* they sum to WHOLE - n at most, and n */
			part[i] = 1 + (uint64_t)(off[i] / sum * (double)(WHOLE - n) *
			    (1 - 0x1p-40));
	}
	return 0;
}

/* Those given, or found. */
static int
set_shares(struct windows *k, const struct dp_mech_rule *rule)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	uint64_t part[DP_WINDOWS_MAX] = { 0 };
	size_t outer;
	unsigned i;
	int e;

	if (k->s.each[0].share.num == 0 && !dp_numbers_replays(numbers) &&
	    (e = find_shares(part, k->s.windows, rule)) != 0)
		return e;
	for (i = 0; i < k->s.windows; i++) {
		outer = dp_numbers_enter_nth(numbers, "window", i);
		if (k->s.each[i].share.num == 0)
			k->share[i] = dp_q_make(dp_numbers_int(numbers, "share", part[i], 1, WHOLE),
			    WHOLE);
		else {
			k->share[i] = k->s.each[i].share;
			dp_numbers_same(numbers, "share", k->share[i].num);
			dp_numbers_same(numbers, "of", k->share[i].den);
		}
		dp_numbers_leave(numbers, outer);
	}
	return dp_numbers_error(numbers);
}

static int
create_parts(struct windows *k, const struct dp_mech_rule *rule)
{
	struct dp_q left = { 1, 1 };
	struct dp_mech_rule own;
	struct dp_sketch s;
	size_t at = 0;
	unsigned i;
	int e;

	for (i = 0; i < k->s.windows; i++) {
		if (dp_q_cmp(k->share[i], left) > 0)	/* more than all of the budget */
			return DP_EINVAL;
		left = dp_q_left(left, k->share[i]);
		if ((e = rule_of(&own, &s, rule, i, k->share[i])) != 0 ||
		    (e = dp_part_create(&k->m, &dp_window_ops, &own, 1, 1)) != 0)
			return e;
		snprintf(k->numbers[i], sizeof k->numbers[i], "every answer of %.40s",
		    s.each[i].name);
		if (k->m.part[i].inner->drawn.numbers != NULL)
			k->m.part[i].inner->drawn.numbers = k->numbers[i];
		at = (dp_part_place(&k->m.part[i], at) + 63) & ~(size_t)63;
	}
	k->m.column = at;
	return 0;
}

static const struct dp_mech_ops windows_ops;

static int
windows_create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	struct windows *k;
	int e;

	if (s->windows > DP_WINDOWS_MAX)
		return DP_EINVAL;
	if ((k = dp_mech_alloc(&windows_ops, sizeof *k, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	k->s = *s;
	k->report = rule->report;
	k->m.inputs = 0;
	k->m.outputs = s->windows;
	if ((e = set_shares(k, rule)) != 0)
		return e;
	return create_parts(k, rule);
}

static const struct dp_mech *
part_of_windows(const struct dp_mech *m, unsigned i)
{
	return m->part[i].inner;
}

static int
windows_see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	unsigned i;
	int e = 0;

	for (i = 0; i < m->parts && e == 0; i++)
		e = window_see(part_of_windows(m, i), dp_part_column(&m->part[i], col, 0), rng, id);
	return e;
}

static int
windows_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	unsigned i;
	int e = 0;

	for (i = 0; i < m->parts && e == 0; i++)
		e = dp_part_step(&m->part[i], col, 0, rng, t, x, est);
	return e;
}

static int
windows_answer(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	unsigned i;
	int e = 0;

	for (i = 0; i < m->parts && e == 0; i++)
		e = dp_counter_answer(part_of_windows(m, i), dp_part_column(&m->part[i], col, 0),
		    rng, t, &est[i]);
	return e;
}

static void
windows_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	dp_counter_law(part_of_windows(m, out), 0, t, l);
}

static void
windows_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	struct dp_error one = { .max = 0 };
	double mean = 0;
	unsigned i;

	for (i = 0; i < m->parts; i++) {
		dp_counter_error(part_of_windows(m, i), T, &one);
		mean += one.mean / m->parts;
		if (i == 0 || one.max > e->max) {
			e->max = one.max;
			e->worst = one.worst;
		}
	}
	e->mean = mean;
}

static bool
windows_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	const struct windows *k = (const void *)m;
	struct dp_error e = { .max = 0 };
	char by[80] = "";

	if (i >= m->parts)
		return false;
	dp_counter_error(part_of_windows(m, i), k->report, &e);
	(void)dp_counter_note(part_of_windows(m, i), 0, unit, by, sizeof by);
	snprintf(text, size, "%s has %.6g of epsilon%s, and a largest rms error of %.6g; %s",
	    k->s.each[i].name, dp_q_double(k->share[i]), m->delta.num != 0 ? " and delta" : "",
	    sqrt(e.max) * unit, by);
	return true;
}

static const struct dp_mech_ops windows_ops = {
	.name = "windows", .tasks = DP_TASK_OWN,
	.say.source = "an exact table of identifiers; a part of the budget for each window",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_TABLE, .statistic = &dp_recent,
	.step = windows_step, .open.see = windows_see, .answer = windows_answer,
	.valid = dp_parts_valid, .law.at = windows_law, .error = windows_error,
	.say.note = windows_note, .drawn.certify = dp_certificate_parts
};
