/*
 * list.c - the registry: every mechanism there is.  Of equal errors the first is chosen, so the
 * simplest come first.  Those of one task have different names.
 */
#include "plan.h"

#define MECHANISMS(X) \
	X(identity) \
	X(input) \
	X(response) \
	X(output) \
	X(tree) \
	X(honaker) \
	X(kary) \
	X(bridge) \
	X(segmented) \
	X(hats) \
	X(hybrid) \
	X(pan) \
	X(pan_slots) \
	X(gauss) \
	X(input_filtered) \
	X(bridge_filtered) \
	X(hats_filtered) \
	X(windowsum) \
	X(windowsum_paper) \
	X(allwindow) \
	X(allwindow_paper) \
	X(gradual) \
	X(map) \
	X(map_paper) \
	X(decayed_output) \
	X(expsum) \
	X(expsum_paper) \
	X(polysum) \
	X(polysum_paper) \
	X(blt) \
	X(blt_filtered) \
	X(cells) \
	X(cells_density) \
	X(density_distinct) \
	X(density) \
	X(hashed) \
	X(hashed_bits) \
	X(running) \
	X(turnstile) \
	X(window)

#define DECLARE(name)	extern const struct dp_mech_ops dp_##name##_ops;
#define LIST(name)	&dp_##name##_ops,

MECHANISMS(DECLARE)

static const struct dp_mech_ops *const mechanisms[] = { MECHANISMS(LIST) };

const struct dp_mech_ops *
dp_plan_list(unsigned i)
{
	return i < sizeof mechanisms / sizeof mechanisms[0] ? mechanisms[i] : NULL;
}
