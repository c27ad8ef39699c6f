/*
 * columns.c - the largest of D column sums from D counters: each column's running sum is released
 * by a counter of the house, and the answer is computed from what they release.
 *
 * Statement.  With the counter planned for the privacy of all columns together (l1, l2squared and
 * columns as neighbour.h has them), all D noisy sums at all steps together have the guarantee, also
 * for records that respond to the answers.
 *
 * Proof.  Each counter's proof gives, for a change d[c] of column c's values, a shift of its noise
 * under which it releases the same.  The columns' noise is independent, so the shifts are made
 * side by side.  PURE: one costs epsilon |d[c]| / l1, and sum |d[c]| <= l1 (normtree.h proves that
 * for one unit, so for |d[c]|, without independence inside a column).  Gaussian (tree): the
 * squares of one sum to K |d[c]|^2, those of all to K l2squared at most, which is what the noise
 * was planned for; blt's own proof is for all columns at once.
 * Records that respond (F.5): values and changes of step t, in all columns, are known from the
 * releases before it, so the noise of all columns together is shifted by an amount that these tell:
 * ADAPTIVE (1) in privacy.h, whose z is then that of all columns; for Gaussian noise the draws are
 * fresh, or as good as fresh (tree.c), as they are for one column.
 * The largest and its place are a function of the noisy sums: post-processing.
 *
 * The answer is found without a branch or an address that depends on the noisy sums; of equal ones
 * the first.  Memory: D of the counter's columns.  Draws: column after column, in each step.
 */
#include <math.h>
#include <stdio.h>

#include "maxsum.h"
#include "mech/certificate.h"
#include "mech/part.h"

extern const struct dp_mech_ops dp_tree_gauss_ops;

struct columns {
	struct dp_mech m;		/* its part: the counters */
	enum dp_maxsum_show show;
	double beta;
	dp_wide margin;		/* in units of noisy sums; 0: no leader is kept */
};

/* The end of a column, with a margin. */
struct leader {
	uint64_t place, unused;		/* 1 + the kept one's; 0: none yet */
};

static const struct columns *
plan_of(const struct dp_mech *m)
{
	return (const void *)m;
}

static struct leader *
lead_of(const struct dp_mech *m, const void *col)
{
	return (void *)((char *)(uintptr_t)col + m->column - sizeof(struct leader));
}

/* The loss with this counter: INFINITY if it is not for this rule.  DP_ENOMEM. */
static int
try(double *loss, const struct dp_mech_rule *rule, const struct dp_mech_rule *own,
    const struct dp_mech_ops *counter)
{
	const struct dp_maxsum *s = rule->task.own;
	struct dp_mech_rule dry = *own;
	struct dp_mech *m;
	struct dp_error e;
	int rc;

	dry.privacy.dry = true;
	dry.privacy.numbers = NULL;
	*loss = INFINITY;
	if ((rc = dp_mech_plan(&m, counter, &dry)) != 0)
		return rc == DP_ENOMEM ? rc : 0;
	dp_maxsum_error(m, rule->inputs, s->show, rule->beta, rule->report, &e);
	dp_mech_free(m);
	*loss = e.max;
	return 0;
}

static struct dp_mech_rule
inner_rule(const struct dp_mech_rule *rule)
{
	struct dp_mech_rule own = *rule;

	/* one column is a count, unless there are others beside it */
	own.quick = rule->inputs > 1 || rule->privacy.columns > 1;
	own.inputs = 1;
	if (rule->task.what == DP_TASK_OWN)
		own.task = (struct dp_task){ .what = DP_TASK_COUNT };
	own.task.statistic = NULL;
	own.task.own = NULL;
	return own;
}

/* counter, or the other one where that is better; NULL: there is no other. */
static int
create_counters(struct dp_mech *m, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter, const struct dp_mech_ops *other)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	struct dp_mech_rule own;
	double first = 0, second = 0;
	int e;

	own = inner_rule(rule);
	if (other != NULL && !dp_numbers_replays(numbers) && rule->privacy.delta.num != 0 &&
	    ((e = try(&first, rule, &own, counter)) != 0 ||
	    (e = try(&second, rule, &own, other)) != 0))
		return e;
	if (other != NULL && dp_numbers_int(numbers, "other", second < first, 0, 1) != 0)
		counter = other;
	return dp_part_create(m, counter, &own, rule->inputs, 1);
}

/*
 * The margin that is asked for; or the standard deviation of the difference of two columns' noise,
 * in the mean over the steps: s_leader.c has what that does to losses.
 */
static dp_wide
margin_of(const struct columns *p, const struct dp_mech_rule *rule)
{
	const struct dp_maxsum *s = rule->task.own;
	const struct dp_mech *counter = p->m.part->inner;
	const double units = pow(10, counter->estimate.decimals);
	struct dp_error e = { .mean = 0 };
	double margin = 0;

	if (!s->keep || (s->show & DP_MAXSUM_CHOICE) == 0 || rule->inputs < 2 ||
	    rule->horizon == 1)
		return 0;
	if (s->margin.num != 0)
		margin = floor(dp_q_double(s->margin) * units);
	else if (!rule->privacy.exact && !dp_numbers_replays(rule->privacy.numbers)) {
		dp_mech_error(counter, rule->report, &e);
		margin = floor(sqrt(2 * e.mean) * units);
	}
	return (dp_wide)dp_numbers_int(rule->privacy.numbers, "margin",
	    (uint64_t)fmin(margin, 0x1p62), 0, (uint64_t)1 << 62);
}

/* All but the counters, which it has. */
static int
finish(struct columns *p, const struct dp_mech_rule *rule)
{
	const struct dp_maxsum *s = rule->task.own;
	struct dp_mech *m = &p->m;
	const struct dp_mech *counter = m->part->inner;

	m->drawn.distribution = counter->drawn.distribution;
	m->estimate.decimals = counter->estimate.decimals;
	m->estimate.first = counter->estimate.first;
	m->estimate.between = counter->estimate.between;
	m->inputs = rule->inputs;
	p->show = s->show;
	m->outputs = p->show == DP_MAXSUM_BOTH ? 2 : 1;
	/* missed by any column's upper tail, or the leader's lower one (losses.c): D + 1 of 2 */
	m->off.worst_of = ((double)rule->inputs + 1) / 2;
	p->beta = rule->beta;
	p->margin = margin_of(p, rule);
	if ((m->column = dp_part_place(m->part, 0)) == SIZE_MAX)
		return DP_ENOMEM;
	m->off.margin = (double)p->margin * pow(10, -(double)m->estimate.decimals);
	if (p->margin != 0)
		m->column += sizeof(struct leader);
	return 0;
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter, const struct dp_mech_ops *other)
{
	struct columns *p;
	int e;

	if ((p = dp_mech_alloc(ops, sizeof *p, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	*out = &p->m;
	e = create_counters(&p->m, rule, counter, other);
	return e != 0 ? e : finish(p, rule);
}

/* most: the largest noisy sum, at *place; held: the kept leader's, lead->place - 1. */
static void
keep(dp_wide margin, struct leader *lead, dp_wide most, dp_wide held, uint64_t *place)
{
	const dp_wide goes = lead->place == 0 ? -1 : (held + margin - most) >> 127;

	*place = (*place & (uint64_t)goes) | ((lead->place - 1) & ~(uint64_t)goes);
	lead->place = *place + 1;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct columns *p = plan_of(m);
	struct leader none = { 0, 0 }, *lead = p->margin == 0 ? &none : lead_of(m, col);
	dp_wide most, held, v, larger;
	uint64_t place = 0;
	size_t j;
	int e;

	if ((e = dp_part_step(m->part, col, 0, rng, t, x, &most)) != 0)
		return e;
	held = most;
	for (j = 1; j < m->inputs; j++) {
		if ((e = dp_part_step(m->part, col, j, rng, t, x + j, &v)) != 0)
			return e;
		if (j + 1 == lead->place)	/* which has been released */
			held = v;
		larger = (most - v) >> 127;	/* all ones, or 0 */
		most ^= (most ^ v) & larger;
		place ^= (place ^ j) & (uint64_t)larger;
	}
	keep(p->margin, lead, most, held, &place);
	if (p->show & DP_MAXSUM_CHOICE)
		*est++ = (dp_wide)place;
	if (p->show & DP_MAXSUM_VALUE)
		*est = most;
	return 0;
}

static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	return (plan_of(m)->margin == 0 || lead_of(m, col)->place <= m->inputs) &&
	    dp_parts_valid(m, col, t);
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct columns *p = plan_of(m);

	dp_maxsum_error(m->part->inner, m->inputs, p->show, p->beta, T, e);
}

static bool
note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	if (i > 0 || m->off.margin == 0)
		return false;
	snprintf(text, size, "a leader stays until the noisy sum of another is more than %.6g "
	    "larger (--margin), so that noise changes it less often; what it may be behind has "
	    "that in it, the losses of what is eligible have not", m->off.margin * unit);
	return true;
}

static bool
unfit(const struct dp_mech_rule *rule, const struct dp_mech_ops *counter, char *text, size_t size)
{
	const struct dp_mech_rule own = inner_rule(rule);

	return counter->say.unfit != NULL && counter->say.unfit(&own, text, size);
}

/* A counter of the house, and another that may be better or NULL, as a mechanism of this task. */
#define COUNTER(id, word, other, can, about) \
	extern const struct dp_mech_ops dp_##id##_ops; \
	\
	static int \
	id##_create(struct dp_mech **m, const struct dp_mech_ops *ops, \
	    const struct dp_mech_rule *rule) \
	{ \
		return create(m, ops, rule, &dp_##id##_ops, other); \
	} \
	\
	static bool \
	id##_unfit(const struct dp_mech_rule *rule, char *text, size_t size) \
	{ \
		return unfit(rule, &dp_##id##_ops, text, size); \
	} \
	\
	const struct dp_mech_ops dp_maxsum_##id##_ops = { \
		.name = word, .say.source = about, .traits = can, \
		.tasks = DP_TASK_OWN, .statistic = &dp_maxsum_statistic, \
		.create = id##_create, .say.unfit = id##_unfit, .step = step, \
		.open.add = dp_parts_add, .valid = valid, .law.at = dp_parts_law, \
		.error = error, .say.note = note, .drawn.certify = dp_certificate_parts \
	};

COUNTER(tree, "tree", &dp_tree_gauss_ops, 0, "a binary tree for each column (Jain et al. 2021)")
COUNTER(kary, "kary", NULL, 0, "a k-ary tree with balanced digits for each column")
COUNTER(normtree, "normtree", NULL, DP_TRAIT_ENDLESS,
    "a tree whose splits depend on what is split for each column")
COUNTER(pan, "pan", NULL, DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, "a pan-private tree for each column")
COUNTER(pan_slots, "pan-slots", NULL, DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN,
    "a pan-private tree over balanced time slots for each column")
COUNTER(blt, "blt", NULL, DP_TRAIT_ENDLESS | DP_TRAIT_DELTA,
    "buffered linear Toeplitz noise for each column")
COUNTER(banded, "banded", NULL, DP_TRAIT_DELTA | DP_TRAIT_SPACED,
    "banded Toeplitz noise for each column, for events of a user that are apart")

static const struct dp_mech_ops recent_ops = {
	.name = "columns", .say.source = "the largest of private sums", .step = step,
	.open.add = dp_parts_add, .valid = valid, .law.at = dp_parts_law, .error = error,
	.say.note = note, .drawn.certify = dp_certificate_parts
};

int
dp_maxsum_recent_make(struct dp_mech **out, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter)
{
	const struct dp_mech_rule own = inner_rule(rule);
	struct columns *p;
	int e;

	if ((p = dp_mech_alloc(&recent_ops, sizeof *p, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	*out = &p->m;
	if ((e = dp_part_create(&p->m, counter, &own, rule->inputs, 1)) != 0)
		return e;
	p->m.part->inner->estimate.between = dp_task_between(&own.task);
	return finish(p, rule);
}
