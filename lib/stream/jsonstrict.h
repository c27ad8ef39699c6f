/*
 * jsonstrict.h - lines of JSON without what strict json-c differ about, for json.c only.
 */
#ifndef DP_JSONSTRICT_H
#define DP_JSONSTRICT_H

#include "base/buf.h"

/*
 * Sets the buffer to a text of equal length that is JSON if and only if `text' is, and that every
 * strict json-c takes if it is.  From 0.17 on a strict json-c refuses whole numbers beyond 64 bits,
 * and values that hold bytes below a blank or, where char is signed, above 0x7f; 0.16 takes them.
 * A NUL, which every json-c takes for the end, stays.  DP_ENOMEM.
 */
int	dp_json_strict(struct dp_buf *, struct dp_slice text) DP_MUSTUSE;

#endif
