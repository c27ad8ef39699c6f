/*
 * keys.h - declared keys that could not be read, or not be told apart in the output.
 *
 * Both say what is wrong, for a message after the option's name.
 */
#ifndef DP_KEYS_H
#define DP_KEYS_H

#include "tool.h"

/*
 * A line of --keys=@FILE to its key: no byte order mark, no end of line, no NUL.  NULL, or what is
 * wrong.
 */
const char *dp_keys_line(const char **p, size_t *n, bool first);
/* Why a text cannot be printed as a value in this output format; NULL: it can. */
const char *dp_keys_objection(const struct dp_options *, const char *text);
bool	dp_keys_utf8(const char *);
/*
 * The keys as names, of columns or as values, in this output format. DP_EINVAL: *why is set;
 * DP_ENOMEM.
 */
int	dp_keys_check(const struct dp_options *, const struct dp_tool *, const char **why)
	    DP_MUSTUSE;

#endif
