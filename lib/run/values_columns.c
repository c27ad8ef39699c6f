/*
 * values_columns.c - lines that are steps of many columns: column by column, some steps at a time.
 *
 * No more than a block has (mech.h): then one step at most draws, for column after column, which is
 * the order of single steps.
 */
#include "roads.h"

/*
 * n steps, no more than a block's; *done of them in all columns: once one column ends early, those
 * behind it go no further.  While it lasts r->col.x, else 0, says where a column's values begin.
 */
static int
step_all(struct dp_run *r, const struct dp_values *v, size_t n, size_t *done)
{
	const struct dp_mech *m = r->plan.mech;
	char *col = r->col.p;
	dp_wide *y = r->col.several;
	int64_t value[DP_SEVERAL] = { 0 }, next[DP_SEVERAL] = { 0 }, i;
	size_t c;
	int e = 0, rc;

	for (i = (int64_t)n; i > 0; i--) {
		next[i - 1] = r->col.x[v->column[i - 1]];
		r->col.x[v->column[i - 1]] = i;
	}
	*done = n;
	for (c = 0; c < r->col.n; c++, col += m->column, y += DP_SEVERAL) {
		for (i = r->col.x[c]; i != 0; i = next[i - 1])
			value[i - 1] = v->x[i - 1];
		rc = dp_mech_steps(m, col, r->col.rng, r->t + 1, value, y, *done, done);
		e = e != 0 ? e : rc;
		for (i = r->col.x[c]; i != 0; i = next[i - 1])
			value[i - 1] = 0;
		r->col.x[c] = 0;
	}
	return e;
}

static int
print_all(struct dp_run *r, size_t n)
{
	const dp_wide *y;
	size_t i, c;
	int e = 0;

	for (i = 0; i < n && e == 0; i++) {
		for (c = 0, y = r->col.several + i; c < r->col.n; c++, y += DP_SEVERAL)
			r->print.est[c] = *y;
		e = dp_print_step(r, ++r->t, 0);
	}
	return e;
}

int
dp_values_columns(struct dp_run *r, struct dp_values v, size_t n)
{
	uint64_t some, done;
	int e, fault;

	for (; n > 0; n -= some, v.x += some, v.column += some) {
		if (r->o->horizon != 0 && r->t == r->o->horizon)
			return DP_EHORIZON;
		some = DP_SEVERAL < n ? DP_SEVERAL : n;
		if (r->o->horizon != 0 && some > r->o->horizon - r->t)
			some = r->o->horizon - r->t;
		e = step_all(r, &v, some, &done);
		if ((fault = print_all(r, done)) != 0 || e != 0)
			return fault != 0 ? fault : e;
	}
	return 0;
}
