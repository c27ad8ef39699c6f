/* part.c - mechanisms within a mechanism: where they lie, and a step of them all. */
#include <math.h>
#include <stdlib.h>

#include "part.h"

static int
give(struct dp_mech *whole, struct dp_mech *inner, size_t n, double steps, bool several)
{
	struct dp_part *p = &whole->part[whole->parts];

	if (whole->parts == DP_PARTS || (inner->outputs != 1 && !several)) {
		dp_mech_free(inner);
		return DP_EINVAL;
	}
	*p = (struct dp_part){ .inner = inner, .n = n, .steps = steps,
	    .stride = (inner->column + 15) & ~(size_t)15 };
	whole->parts++;
	return 0;
}

int
dp_part_give(struct dp_mech *whole, struct dp_mech *inner, size_t n, double steps)
{
	return give(whole, inner, n, steps, false);
}

int
dp_part_create(struct dp_mech *whole, const struct dp_mech_ops *ops,
    const struct dp_mech_rule *rule, size_t n, double steps)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	const size_t outer = dp_numbers_enter_nth(numbers, "part", whole->parts);
	struct dp_mech *inner;
	int e = dp_mech_plan(&inner, ops, rule);

	dp_numbers_leave(numbers, outer);
	return e != 0 ? e : dp_part_give(whole, inner, n, steps);
}

size_t
dp_part_place(struct dp_part *p, size_t at)
{
	p->at = at;
	return p->stride > (SIZE_MAX / 4 - at) / p->n ? SIZE_MAX : at + p->n * p->stride;
}

bool
dp_part_valid(const struct dp_part *p, const void *col, uint64_t t)
{
	const struct dp_mech *m = p->inner;
	size_t j;

	for (j = 0; m->ops->valid != NULL && j < p->n; j++)
		if (!m->ops->valid(m, dp_part_column(p, col, j), t))
			return false;
	return true;
}

int
dp_parts_create(struct dp_mech *whole, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *const counter[], const struct dp_q share[])
{
	struct dp_q left = { 1, 1 };
	struct dp_mech_rule own = *rule;
	struct dp_numbers *numbers = rule->privacy.numbers;
	struct dp_mech *inner;
	size_t at = 0, outer;
	unsigned g;
	int e;

	if (rule->task.what == DP_TASK_OWN)
		own.task = (struct dp_task){ .what = DP_TASK_COUNT };
	own.task.statistic = NULL;
	own.inputs = 1;
	own.bands = 0;
	own.lo = 0;
	if (rule->bands == 0 || rule->bands > DP_BANDS || whole->parts != 0)
		return DP_EINVAL;
	for (g = 0; g < rule->bands; g++) {
		outer = dp_numbers_enter_nth(numbers, "band", g);
		/* what numbers of a state's columns are of */
		dp_numbers_same(numbers, "width", rule->band[g].width);
		dp_numbers_same(numbers, "moved", rule->band[g].reach.linf);
		if (dp_q_cmp(share[g], left) > 0)	/* more than all of the budget */
			return DP_EINVAL;
		left = dp_q_left(left, share[g]);
		e = dp_privacy_part(&own.privacy, &rule->privacy, share[g], &rule->band[g].reach);
		own.hi = (int64_t)rule->band[g].reach.linf;
		if (e != 0 || (e = dp_mech_plan(&inner, counter[g], &own)) != 0 ||
		    (e = give(whole, inner, rule->band[g].width, 1, true)) != 0)
			return e;
		dp_numbers_leave(numbers, outer);
		if ((at = dp_part_place(&whole->part[g], at)) == SIZE_MAX)
			return DP_ENOMEM;
		inner->estimate.between = dp_task_between(&own.task);
		whole->beside += rule->band[g].width * inner->outputs * sizeof(dp_wide);
		if (whole->estimate.first < inner->estimate.first)
			whole->estimate.first = inner->estimate.first;
	}
	whole->inputs = rule->inputs;
	whole->column = at + whole->beside;
	return 0;
}

static dp_wide *
released(const struct dp_mech *m, const void *col)
{
	return (void *)((char *)(uintptr_t)col + m->column - m->beside);
}

int
dp_parts_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x)
{
	dp_wide *y = released(m, col);
	const struct dp_part *p;
	size_t j;
	int e;

	for (p = m->part; p < m->part + m->parts; p++)
		for (j = 0; j < p->n; j++, y += p->inner->outputs)
			if ((e = dp_part_step(p, col, j, rng, t, x++, y)) != 0)
				return e;
	return 0;
}

const dp_wide *
dp_parts_numbers(const struct dp_mech *m, const void *col)
{
	return released(m, col);
}

void
dp_parts_add(const struct dp_mech *m, void *col, size_t place, int64_t v)
{
	const struct dp_part *p = m->part;

	for (; place >= p->n; p++)
		place -= p->n;
	p->inner->ops->open.add(p->inner, dp_part_column(p, col, place), 0, v);
}

bool
dp_parts_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	unsigned g;

	for (g = 0; g < m->parts; g++)
		if (!dp_part_valid(&m->part[g], col, t))
			return false;
	return true;
}

void
dp_parts_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	(void)out;		/* a column's, whatever is made of them */
	m->part->inner->ops->law.at(m->part->inner, 0, t, l);
}

double
dp_parts_bound(const struct dp_mech *m, unsigned g, uint64_t t, double gamma)
{
	struct dp_law *law = malloc(sizeof *law);
	double w = NAN;

	if (law != NULL) {
		dp_mech_law(m->part[g].inner, 0, t, law);
		w = dp_law_bound(law, gamma);
	}
	free(law);
	return w;
}
