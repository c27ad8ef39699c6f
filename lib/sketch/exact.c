/*
 * exact.c - identifiers and how often each came, exactly remembered: their number, or how many came
 * so often.
 *
 * Who runs it keeps a table of net counts (DP_TRAIT_TABLE), each as a word: a + NET + 1, a within
 * +-NET.  An identifier of net count a adds to n
 *   distinct   1 if a is not 0 (with --deletes; else running.c does it)
 *   density    the same
 *   incidence  1 if a = tau; modulo K, 1 if a is tau modulo K, but for tau = 0: 1 if it is not
 *   cropped    min(|a|, tau)
 *   mean       the same
 *   heavy      min(|a|, tau) less low, if that is above 0, low = tau/2 rounded down (phase.c)
 * and an answer is n, noise and all, times 1; density and mean: times 10^6/m, of m declared
 * identifiers; heavy: 1/(tau - low); and for tau = 0 modulo K it is m less that, as all begin at 0.
 * counter.h gives the answers.  The table is exact: nothing here is pan-private.
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
#include <stddef.h>
#include <string.h>

#include "counter.h"
#include "phase.h"

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
worth(const struct exact *k)
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
top_of(const struct dp_sketch *s, uint64_t horizon)
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
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	struct exact own = { .s = *s, .what = ops->statistic }, *k;
	struct dp_counter_reach reach;
	int e;

	own.top = s->share != 0 ? top_of(s, rule->horizon) : 0;
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
	reach.worth = worth(k);
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
word(const struct dp_mech *m, uint32_t was, int sign)
{
	int64_t a = net(was) + sign;

	(void)m;
	a = a > NET ? NET : a < -NET ? -NET : a;
	return (uint32_t)(a + NET + 1);
}

static int
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
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
answer(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
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
refuses(const struct dp_task *t)
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
		.traits = DP_TRAIT_ENDLESS | DP_TRAIT_TABLE, .open.word = word, \
		.statistic = &dp_##NAME, .say.refuses = refuses, .create = create, \
		.step = dp_sketch_step, .open.see = see, .answer = answer,	\
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
