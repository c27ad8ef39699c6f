/*
 * step.c - one step through the mechanism, and whether its estimate is printed.
 *
 * Stepping and printing are two decisions: every step is taken, and its estimate printed after it,
 * or after every N-th, or before the line is read, or once at the end; or never again, when the
 * mechanism halts.
 */
#include "keep/roll.h"
#include "roads.h"

/* Asks every column for its estimate after r->t steps. */
static int
ask(struct dp_run *r)
{
	const struct dp_mech *m = r->plan.mech;
	size_t c;
	int e;

	for (c = 0; c < r->col.n; c++)
		if ((e = m->ops->answer(m, r->col.p + c * m->column, r->col.rng, r->t,
		    &r->print.est[c * r->print.outputs])) != 0)
			return e;
	return 0;
}

static int
print(struct dp_run *r, uint64_t t, int64_t begin)
{
	int e;

	if (r->answer.asks && (e = ask(r)) != 0)
		return e;
	return dp_print_step(r, t, begin);
}

/* True: there is one estimate, when the input ends. */
bool
dp_step_last(const struct dp_run *r)
{
	return r->tool->prints == DP_PRINT_END ||
	    (r->tool->prints == DP_PRINT_EACH && r->o->print.every == 0);
}

static bool
due(const struct dp_run *r)
{
	return r->tool->prints == DP_PRINT_EACH && r->o->print.every != 0 &&
	    r->t % r->o->print.every == 0;
}

/*
 * No step is left: of those planned for, of those that names have thresholds for, or of those that
 * a table's stamps can tell apart.
 */
static bool
spent(const struct dp_run *r)
{
	return (r->o->horizon != 0 && r->t == r->o->horizon) ||
	    (r->roll != NULL && r->plan.mech->horizon != 0 && r->t == r->plan.mech->horizon) ||
	    (r->cap.tabled && r->t == UINT32_MAX);
}

static int
take(struct dp_run *r, int64_t begin)
{
	const struct dp_mech *m = r->plan.mech;
	char *col = r->col.p;
	const int64_t *x = r->col.x;
	dp_wide *est = r->answer.asks ? NULL : r->print.est;
	size_t c;
	int e = 0;

	if (spent(r) || (r->answer.asks && dp_step_last(r) && r->answer.out))
		return DP_EHORIZON;
	r->t++;
	r->print.stepped = true;
	dp_rng_ahead(r->col.rng);
	if (r->roll != NULL)
		e = dp_roll_step(r);
	for (c = r->roll != NULL ? 0 : r->col.n; c > 0 && e == 0; c--) {
		e = m->ops->step(m, col, r->col.rng, r->t, x, est);
		col += m->column;
		x += m->inputs;
		est = est == NULL ? NULL : est + r->print.outputs;
	}
	dp_rng_back(r->col.rng);
	if (e != 0)
		return e;
	if (r->ring.carries != 0)
		dp_carry_pay(r);
	if (due(r) && (e = print(r, r->t, begin)) != 0)
		return e;
	if (r->roll != NULL)
		dp_roll_forget(r);
	return 0;
}

static int
answer_next(struct dp_run *r)
{
	int e;

	if (r->tool->prints != DP_PRINT_BEFORE || r->answer.out ||
	    (r->o->horizon != 0 && r->t == r->o->horizon))
		return 0;
	if ((e = ask(r)) != 0)
		return e;
	r->answer.out = true;
	return dp_print_step(r, r->t + 1, 0);
}

int
dp_step(struct dp_run *r, int64_t begin)
{
	int e;

	if (r->tool->map)
		return dp_partial_step(r, begin);
	if ((e = take(r, begin)) != 0)
		return e;
	if (r->tool->prints != DP_PRINT_BEFORE)
		return 0;
	r->answer.out = false;
	return answer_next(r);
}

/* The identifier's word: the step, or what the mechanism makes of the one before. */
static int
set_word(struct dp_run *r, const struct dp_id *id, struct dp_id *seen)
{
	const struct dp_slice name = { (const char *)id->word, sizeof id->word };
	const struct dp_mech *m = r->plan.mech;
	uint32_t is = (uint32_t)r->t + 1, was = 0;
	int e;

	if (m->ops->open.word != NULL)
		is = m->ops->open.word(m, dp_users_stamp(r->cap.users, name), id->sign);
	e = dp_users_set_stamp(r->cap.users, name, is, false, &was);
	*seen = (struct dp_id){ .word = { was, m->ops->open.word != NULL ? is : 0 },
	    .sign = id->sign };
	return e;
}

int
dp_step_see(struct dp_run *r, const struct dp_id *id)
{
	struct dp_id seen;
	int e;

	if (!r->cap.tabled)
		return r->plan.mech->ops->open.see(r->plan.mech, r->col.p, r->col.rng, id);
	if (spent(r))
		return DP_EHORIZON;
	if ((e = set_word(r, id, &seen)) != 0)
		return e;
	return r->plan.mech->ops->open.see(r->plan.mech, r->col.p, r->col.rng, &seen);
}

/* The value of a step that is one line; back to 0 afterwards, whatever it was. */
static int
put(struct dp_run *r, const struct dp_event *v, bool set)
{
	size_t i;

	switch (r->tool->shape) {
	case DP_SHAPE_NUMBER:
	case DP_SHAPE_VECTOR:
	case DP_SHAPE_CONTRIBUTIONS:
		if (v->nterms == 0)
			r->col.x[v->column] = set ? v->value : 0;
		for (i = 0; i < v->nterms; i++)
			r->col.x[v->term[i].place] = set && v->value != 0 ? v->term[i].value : 0;
		break;
	case DP_SHAPE_ID:
		return set && v->value != 0 ? dp_step_see(r, &v->id) : 0;
	case DP_SHAPE_NAME:		/* in buckets alone */
		break;
	case DP_SHAPE_SYMBOL:
		r->col.x[0] = set && v->value != 0 ? (int64_t)v->column : -1;
		break;
	}
	return 0;
}

int
dp_step_event(struct dp_run *r, const struct dp_event *v)
{
	int e;

	if (spent(r))			/* before an identifier is seen, or nothing is */
		return DP_EHORIZON;
	if ((e = put(r, v, true)) == 0)
		e = dp_step(r, 0);
	(void)put(r, v, false);
	return e;
}

int
dp_step_begin(struct dp_run *r)
{
	return answer_next(r);
}

int
dp_step_end(struct dp_run *r)
{
	if (r->tool->prints == DP_PRINT_BEFORE)	/* not even a header came */
		return answer_next(r);
	if (!dp_step_last(r) || (r->answer.asks ? r->answer.out : !r->print.stepped))
		return 0;
	r->answer.out = true;
	return print(r, r->t, r->o->time.bucket != 0 ?
	    dp_span_floor(&r->o->time.span, r->ring.next - 1) : 0);
}

bool
dp_step_plain(const struct dp_run *r)
{
	return r->tool->shape == DP_SHAPE_NUMBER && r->tool->prints == DP_PRINT_EACH &&
	    r->o->print.every == 1 && !r->answer.asks;
}
