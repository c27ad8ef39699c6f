/*
 * carry.c - sums of buckets beyond a word.
 *
 * Mechanisms take sums x of at most 2^61.  A sum s is x + 2^61 n, |x| <= 2^61, and an estimate of
 * DP_TRAIT_ADDS is f(x) + w, where f is the task's sum of steps and w does not depend on x; so
 * f(x) + w + 2^61 f(n) = f(s) + w has the law of an estimate of s.  Few sums have an n.
 */
#include <stdlib.h>

#include "ask/relation.h"
#include "roads.h"

#define UNIT	((dp_wide)1 << 61)

static struct dp_carry *
carry_of(struct dp_run *r, size_t row, size_t place)
{
	struct dp_carry *c = r->ring.carry, *more;
	size_t i;

	for (i = 0; i < r->ring.carries; i++)
		if (c[i].t == 0 && c[i].row == row && c[i].place == place)
			return &c[i];
	if ((i & (i - 1)) == 0) {		/* room for twice as many */
		if ((more = reallocarray(c, i == 0 ? 1 : 2 * i, sizeof *c)) == NULL)
			return NULL;
		r->ring.carry = c = more;
	}
	r->ring.carries++;
	c[i] = (struct dp_carry){ .row = row, .place = place };
	return &c[i];
}

dp_wide
dp_carry_add(struct dp_run *r, size_t row, size_t place, dp_wide sum)
{
	struct dp_carry *c;

	if (DP_LIKELY(sum <= UNIT && sum >= -UNIT) ||
	    !dp_options_carries(r->o, r->tool, r->plan.mech->ops) ||
	    (c = carry_of(r, row, place)) == NULL)
		return sum;
	c->n += (int64_t)(sum / UNIT);
	return sum % UNIT;
}

void
dp_carry_close(struct dp_run *r, size_t row, bool moved)
{
	struct dp_carry *c;

	for (c = r->ring.carry; c < r->ring.carry + r->ring.carries; c++)
		if (c->t == 0 && c->row == row)
			c->t = r->t + 1;
		else if (c->t == 0 && moved)
			c->row--;
}

void
dp_carry_pay(struct dp_run *r)
{
	const struct dp_task *k = &r->o->task;
	const struct dp_carry *c;
	unsigned i;

	for (c = r->ring.carry; c < r->ring.carry + r->ring.carries; c++)
		for (i = 0; c->t != 0 && i < r->print.outputs; i++)
			if (k->what == DP_TASK_COUNT || r->t - c->t < k->w[i])
				r->print.est[c->place * r->print.outputs + i] += UNIT * c->n;
}
