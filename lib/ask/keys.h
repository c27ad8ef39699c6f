/*
 * keys.h - faults of declared keys: unreadable bytes, or names that look alike in the output.  A
 * fault is a text for a message after the option's name.
 */
#ifndef DP_KEYS_H
#define DP_KEYS_H

#include "tool.h"

/*
 * Cuts a line of --keys=@FILE to its key, without byte order marks and end of line.  Returns
 * a fault; NULL: none.
 */
const char *dp_keys_line(const char **p, size_t *n);
/* A fault of a text as a value in this output format; NULL: none. */
const char *dp_keys_objection(const struct dp_options *, const char *text);
bool	dp_keys_utf8(const char *);
/*
 * Checks keys as names of columns, or as values, in this output format.  DP_EINVAL: *why is the
 * fault; DP_ENOMEM.
 */
int	dp_keys_check(const struct dp_options *, const struct dp_tool *, const char **why)
	    DP_MUSTUSE;

#endif
