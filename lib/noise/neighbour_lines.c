/* neighbour_lines.c - the relation as lines of dputils-plan(5), for a checker of its own. */
#include <inttypes.h>
#include <stdio.h>

#include "neighbour.h"

static int
line(struct dp_buf *b, const char *word, const int64_t *n, unsigned count)
{
	char text[32];

	dp_buf_puts(b, word);
	for (; count > 0; count--, n++) {
		snprintf(text, sizeof text, " %" PRId64, *n);
		dp_buf_puts(b, text);
	}
	dp_buf_puts(b, "\n");
	return b->error;
}

/* Without an entry of more than one column. */
static int
entry_lines(const struct dp_relation *r, struct dp_buf *b, int64_t ones)
{
	const int64_t n[] = { (int64_t)r->per_user, r->lo, r->hi, (int64_t)r->unit,
	    (int64_t)(r->columns != 0 ? r->columns : 1), ones };
	const bool one = r->entry || r->total != NULL;

	if (r->once)
		return line(b, "once", n, 5);
	if (r->per_user != 0)
		return line(b, "records", n, 6);
	return line(b, r->lines && !one ? "line" : "event", n + 1, 5);
}

int
dp_relation_lines(const struct dp_relation *r, struct dp_buf *b)
{
	const int64_t K = r->per_user != 0 ? (int64_t)r->per_user : 1;
	const int64_t D = r->columns != 0 ? (int64_t)r->columns : 1;
	const bool line_ = r->lines && r->per_user == 0;

	if (r->sum != 0)
		return line(b, "adds", (int64_t[]){ K, line_ && D > 1 ? 2 : 1, (int64_t)r->sum, D },
		    4);
	if (r->whole)
		return line(b, r->presence ? "present" : "identifiers", &K, 1);
	if (r->of == DP_RECORD_SYMBOL && r->vector.l1 != 0)
		return line(b, "vectors", (int64_t[]){ K, (int64_t)r->vector.l1,
		    (int64_t)r->vector.l2squared }, 3);
	return entry_lines(r, b, r->ones != 0 && !r->entry && r->total == NULL ?
	    (int64_t)r->ones : 1);
}
