/*
 * options_range.c - the range that values are clamped to.
 */
#include <stdio.h>
#include <string.h>

#include "stat/magnitude.h"
#include "tool.h"

const char *
dp_options_range_put(const struct dp_options *o, char text[static DP_RANGE_TEXT])
{
	char *p = o->range.magnitudes ? stpcpy(text, "auto") :
	    dp_decimal_put(text, o->range.lo, o->range.places);

	*p++ = ':';
	*dp_decimal_put(p, o->range.hi, o->range.places) = '\0';
	return text;
}

const char *
dp_options_grid_put(const struct dp_options *o, char text[static DP_RANGE_TEXT])
{
	if (o->range.places == 0)
		return strcpy(text, "whole numbers");
	*dp_decimal_put(text, 1, o->range.places) = '\0';
	return text;
}

bool
dp_options_clamps(const struct dp_options *o, const struct dp_tool *tool)
{
	return tool->shape != DP_SHAPE_ID && tool->shape != DP_SHAPE_SYMBOL &&
	    tool->shape != DP_SHAPE_NAME &&
	    o->form.match == NULL &&
	    (o->given['r'] || (o->given['v'] && o->range.total == NULL));
}
