/* explain_plan.c - the plan as it is drawn from, for dpaudit --plan and for receipts. */
#include <stdio.h>

#include "ask/relation.h"
#include "explain.h"
#include "mech/certificate.h"

int
dp_plan_text(struct dp_buf *b, const struct dp_tool *tool, const struct dp_options *o,
    const struct dp_plan *p)
{
	int e;

	dp_buf_puts(b, "dputils-plan 1\nversion " DP_VERSION "\ntool ");
	dp_buf_puts(b, tool->name);
	dp_buf_puts(b, o->priv.exact ? "\nexact\n" : o->priv.has_seed ? "\nseeded\n" : "\n");
	if ((e = dp_options_neighbour_lines(o, tool, b)) != 0)
		return e;
	return dp_certificate_add(p->mech, b);
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
