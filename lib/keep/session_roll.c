/*
 * session_roll.c - names that nobody declared in a state file: in clear, in the order of their
 * draws, with their columns; and events of open buckets.
 */
#include <string.h>

#include "lines.h"
#include "roll.h"

void
dp_session_roll_put(const struct dp_run *r, struct dp_buf *b)
{
	const struct dp_roll *roll = r->roll;
	const size_t n = dp_names_count(roll->names);
	const int64_t *column;
	char name[DP_KEY_MAX + 1];
	struct dp_slice s;
	size_t i, row, place;
	uint32_t events;

	dp_session_put(b, "names", n);
	for (i = 0; i < n; i++) {
		s = dp_names_text(roll->names, i);
		*(char *)mempcpy(name, s.p, s.n) = '\0';
		column = dp_roll_column(roll, i);
		dp_buf_puts(b, column != NULL ? "begun " : "name ");
		dp_buf_escaped(b, name);
		dp_buf_puts(b, "\n");
		if (column != NULL)
			dp_line_put(b, "column", column, r->plan.mech->column);
	}
	for (row = 0; r->o->time.steps != DP_BY_RANGE && row < roll->rows; row++) {
		dp_session_put(b, "open", roll->row[row].n);
		for (i = 0; dp_cells_each(&roll->row[row], &i, &place, &events); ) {
			dp_session_put(b, "of", place);
			dp_session_put(b, "events", events);
		}
	}
}

/* Result of dp_roll_put() or dp_roll_set() for the row that was read. */
static void
took(const struct dp_lines *l, const char *key, int e)
{
	if (e == DP_EINVAL)
		dp_line_damaged(l, key);
	if (e != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
}

static void
get_name(struct dp_run *r, struct dp_lines *l, size_t place)
{
	const struct dp_mech *m = r->plan.mech;
	const bool begun = l->p < l->end && *l->p == 'b';
	struct dp_slice s = dp_line_next(l, begun ? "begun " : "name ");
	char name[DP_KEY_MAX];
	int64_t *column;
	size_t n;

	if (!dp_unescape(name, sizeof name, s, &n))
		dp_line_damaged(l, "name");
	took(l, "name", dp_roll_put(r->roll, (struct dp_slice){ name, n }, place, begun));
	if (!begun)
		return;
	column = dp_roll_column(r->roll, place);
	dp_line_words(l, "column", column, m->column);
	if (m->ops->valid != NULL && !m->ops->valid(m, column, r->t))
		dp_line_damaged(l, "column");
}

void
dp_session_roll_get(struct dp_run *r, struct dp_lines *l)
{
	const uint64_t n = dp_line_number(l, "names");
	uint64_t i, left, place;
	size_t row;

	if (n < r->roll->declared)
		dp_line_damaged(l, "names");
	for (i = 0; i < n; i++)
		get_name(r, l, (size_t)i);
	for (row = 0; r->o->time.steps != DP_BY_RANGE && row < r->roll->rows; row++)
		for (left = dp_line_number(l, "open"); left > 0; left--) {
			place = dp_line_number(l, "of");
			if (place >= n)
				dp_line_damaged(l, "of");
			took(l, "events", dp_cells_set(&r->roll->row[row], (size_t)place,
			    dp_line_number(l, "events")));
		}
	dp_roll_loaded(r);
}
