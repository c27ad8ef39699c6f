/* SPDX-License-Identifier: ISC */
/*
 * stateopen.h - for t_state.c and t_statefile.c: states that are refused, and why.
 */
#ifndef STATEOPEN_H
#define STATEOPEN_H

#include <stdio.h>

#include "statetoy.h"

static char why[DP_STATE_WHY];

static inline int
try_open(const struct dp_state_rule *rule)
{
	struct dp_state *s;
	int e;

	if ((e = dp_state_open(&s, rule, why)) == 0)
		dp_state_free(s);
	check((e == 0) == (why[0] == '\0'));
	check(strchr(why, '\n') == NULL);
	return e;
}

/* Refused, with these words in the reason. */
static inline bool
refused(const struct dp_state_rule *rule, const char *words)
{
	int e = try_open(rule);

	if (e == DP_ESTATE && strstr(why, words) != NULL)
		return true;
	printf("not \"%s\": %d %s\n", words, e, why);
	return false;
}

#endif
