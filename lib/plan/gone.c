/*
 * gone.c - mechanisms that are no longer there.
 */
#include <string.h>

#include "plan.h"

bool
dp_plan_gone(const char *name)
{
	static const char *const gone[] = { "allwindow", "bridge", "expsum", "gauss", "hats",
	    "honaker", "hybrid", "map", "polysum", "segmented", "windowsum" };
	unsigned i;

	for (i = 0; i < sizeof gone / sizeof gone[0]; i++)
		if (strcmp(name, gone[i]) == 0)
			return true;
	return false;
}
