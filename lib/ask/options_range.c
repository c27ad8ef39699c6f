/*
 * options_range.c - the range that values are clamped to.
 */
#include <stdio.h>
#include <string.h>

#include "stat/magnitude.h"
#include "tool.h"

#define RANGE_END	64	/* bytes of one */

/* An end of a range; a whole number with k, M, G or T as its digits.  False: too long for one. */
static bool
range_end(char text[static RANGE_END], const char *s, size_t n)
{
	const bool minus = n > 0 && *s == '-';
	uint64_t v;

	if (n >= RANGE_END)
		return false;
	memcpy(text, s, n);
	text[n] = '\0';
	if (dp_u64_parse(&v, text + minus, 0, UINT64_MAX) == 0)
		snprintf(text + minus, RANGE_END - 1, "%llu", (unsigned long long)v);
	return true;
}

/* auto, or auto:TOP: from -TOP to TOP */
static bool
magnitudes(struct dp_options *o, const char *s)
{
	char top[RANGE_END];
	int places = 0;

	o->range.hi = (int64_t)1 << DP_MAGNITUDE_TOP;
	if (s[0] == ':' && (!range_end(top, s + 1, strlen(s + 1)) ||
	    (places = dp_decimal_places(top, strlen(top))) < 0 || places > 9 ||
	    dp_decimal_parse(&o->range.hi, top, strlen(top), (unsigned)places) != 0))
		return false;
	o->range.places = (unsigned)places;
	o->range.lo = -o->range.hi;
	o->range.magnitudes = true;
	return (s[0] == '\0' || s[0] == ':') && o->range.hi > 0 &&
	    o->range.hi <= (int64_t)1 << DP_MAGNITUDE_MAX;
}

bool
dp_options_range(struct dp_options *o, const char *s)
{
	const char *colon = strchr(s, ':');
	char lo[RANGE_END], hi[RANGE_END];
	int a, b;

	o->range.magnitudes = false;
	if (strncmp(s, "auto", 4) == 0)
		return magnitudes(o, s + 4);
	if (colon == NULL || !range_end(lo, s, (size_t)(colon - s)) ||
	    !range_end(hi, colon + 1, strlen(colon + 1)) ||
	    (a = dp_decimal_places(lo, strlen(lo))) < 0 ||
	    (b = dp_decimal_places(hi, strlen(hi))) < 0 || a > 9 || b > 9)
		return false;
	o->range.places = (unsigned)(a > b ? a : b);
	return dp_decimal_parse(&o->range.lo, lo, strlen(lo), o->range.places) == 0 &&
	    dp_decimal_parse(&o->range.hi, hi, strlen(hi), o->range.places) == 0 &&
	    o->range.lo <= o->range.hi && (o->range.lo != 0 || o->range.hi != 0) &&
	    o->range.lo > -((int64_t)1 << 50) && o->range.hi < (int64_t)1 << 50;
}

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
