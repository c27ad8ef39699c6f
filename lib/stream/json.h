/*
 * json.h - lines that are JSON objects: members, by path, as the fields of a line.
 *
 * A path is a member's name, or names with dots between them, from the outside in.  Where a name
 * has dots of its own, the longest beginning of the path that is a member's name counts.
 *
 * A line is well formed if it is an object of RFC 8259 that nests less than DP_JSON_DEPTH deep and
 * holds no NUL byte.  Beyond the RFC, NaN, Infinity and -Infinity are numbers, as some programs
 * write them, and strings may have control bytes and bytes that are no UTF-8, which are kept.  Of
 * members of one name the last counts; a name with a NUL in it (\u0000) is no path's; half a
 * surrogate pair is U+FFFD.
 */
#ifndef DP_JSON_H
#define DP_JSON_H

#include "record.h"

#define DP_JSON_DEPTH	128

struct dp_json;

/* path[0..n-1], n <= DP_FIELDS_MAX, become fields 1..n; the texts must stay.  DP_ENOMEM. */
int	dp_json_new(struct dp_json **, const char *const *path, unsigned n) DP_MUSTUSE;
/*
 * Sets all fields of a record from its text, until the next call: 1; 0: the line is malformed;
 * DP_ENOMEM.  A string is its text, escapes resolved; a number is its digits as they stand; a truth
 * value is true or false.  An absent field: a member that is absent, null, an object or an array.
 */
int	dp_json_record(struct dp_json *, struct dp_record *) DP_MUSTUSE;
void	dp_json_free(struct dp_json *);		/* NULL is fine */

#endif
