/*
 * session_allowance.c - how many events of a user count, against the head of a state file.
 */
#include <stdio.h>
#include <string.h>

#include "ask/options_table.h"
#include "head.h"

/* A line that only K/step has: 1; or K/B: B. */
static uint64_t
form(const struct dp_options *o, const char *head, const char *key)
{
	struct dp_slice s;
	uint64_t n;

	if (!dp_head_find(head, key, &s))
		return 0;
	if ((n = dp_head_number(o, head, key)) == 0)
		dp_head_damaged(o, key);
	return n;
}

void
dp_head_allowance(struct dp_options *o, const char *head)
{
	const uint64_t most = dp_head_number(o, head, "per-user");
	const uint64_t step = form(o, head, "per-step"), spacing = form(o, head, "spacing");
	char text[48];

	if (step > 1 || (step != 0 && spacing != 0))
		dp_head_damaged(o, "per-step");
	if (spacing != 0 && most == 0)
		dp_head_damaged(o, "spacing");
	dp_options_spacing(o);
	snprintf(text, sizeof text, step != 0 ? "%llu/step" : spacing != 0 ? "%llu/%llu" : "%llu",
	    (unsigned long long)most, (unsigned long long)spacing);
	if (o->users.most != 0 && (o->users.most != most || o->users.per_step != (step != 0) ||
	    o->users.spacing != spacing))
		dp_head_differs(o, "--per-user", (struct dp_slice){ text, strlen(text) });
	o->users.most = most;
	o->users.per_step = step != 0;
	o->users.spacing = spacing;
}
