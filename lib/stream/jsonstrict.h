/*
 * jsonstrict.h - lines of JSON without what strict json-c differ about, for json.c only.
 */
#ifndef DP_JSONSTRICT_H
#define DP_JSONSTRICT_H

#include "base/buf.h"

/*
 * Sets the buffer to a text of the same length that is JSON if and only if this one is, and that
 * every json-c, told to be strict, takes if it is.  From 0.17 on a strict one refuses lines with
 * whole numbers beyond 64 bits, and with values that hold bytes below a blank or, where char is
 * signed, above 0x7f; 0.16 takes them.  A NUL, which all take for the end, stays.  DP_ENOMEM.
 */
int	dp_json_strict(struct dp_buf *, struct dp_slice text) DP_MUSTUSE;

#endif
