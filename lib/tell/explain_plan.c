/* explain_plan.c - the plan as it is drawn from, for dpaudit --plan and for receipts. */
#include <stdio.h>

#include "ask/relation.h"
#include "explain.h"
#include "mech/certificate.h"

static void
put_number(struct dp_buf *b, const char *word, uint64_t n)
{
	dp_buf_puts(b, word);
	dp_certificate_word(b, n);
	dp_buf_puts(b, "\n");
}

/* How long the run is, and which of its steps an answer, or the guarantee, is about. */
static void
put_times(struct dp_buf *b, const struct dp_task *task, uint64_t horizon)
{
	unsigned i;

	put_number(b, "horizon", horizon);
	if (dp_task_cover(task) == DP_COVER_LAST)
		put_number(b, "covers", task->w[0]);
	else if (task->windows > 0) {
		dp_buf_puts(b, "last");
		for (i = 0; i < task->windows; i++)
			dp_certificate_word(b, task->w[i]);
		dp_buf_puts(b, "\n");
	}
}

/* All but the first lines. */
static int
put_rest(struct dp_buf *b, const struct dp_tool *tool, const struct dp_options *o,
    const struct dp_plan *p)
{
	int e;

	dp_buf_puts(b, "version " DP_VERSION "\ntool ");
	dp_buf_puts(b, tool->name);
	dp_buf_puts(b, o->priv.exact ? "\nexact\n" : o->priv.has_seed ? "\nseeded\n" : "\n");
	if ((e = dp_options_neighbour_lines(o, tool, b)) != 0)
		return e;
	put_times(b, &o->task, p->mech->horizon);
	return dp_certificate_add(p->mech, b);
}

int
dp_plan_text(struct dp_buf *b, const struct dp_tool *tool, const struct dp_options *o,
    const struct dp_plan *p)
{
	struct dp_buf rest = { .n = 0 };
	uint64_t lines = 0;
	size_t i;
	int e;

	if ((e = put_rest(&rest, tool, o, p)) == 0 && (e = rest.error) == 0) {
		for (i = 0; i < rest.n; i++)
			lines += rest.p[i] == '\n';
		dp_buf_puts(b, "dputils-plan 2\n");
		put_number(b, "lines", lines);
		dp_buf_add(b, rest.p, rest.n);
	}
	dp_buf_free(&rest);
	return e != 0 ? e : b->error;
}

void
dp_explain_plan(const struct dp_tool *tool, const struct dp_options *o, const struct dp_plan *p)
{
	struct dp_buf b = { .n = 0 };
	int e;

	if ((e = dp_plan_text(&b, tool, o, p)) != 0)
		dp_die(DP_EX_SYSTEM, "%s", dp_strerror(e));
	(void)fwrite(b.p, 1, b.n, stdout);
	dp_buf_free(&b);
}
