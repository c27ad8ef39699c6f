/*
 * json.h - lines that are JSON objects, by json-c: members, by path, as the fields of a line.
 *
 * A path is a member's name, or names with dots between them, from the outside in.  Where a name
 * has dots of its own, the longest beginning of the path that is a member's name counts.
 *
 * A line is well formed if json-c, told to be strict, takes it, as an object that nests at most
 * DP_JSON_DEPTH deep and holds no NUL byte.  Of members of one name the last counts; a name with a
 * NUL in it (\u0000) is no path's.  Bytes that are no UTF-8 are kept; half a surrogate pair is
 * U+FFFD.
 */
#ifndef DP_JSON_H
#define DP_JSON_H

#include "record.h"

#define DP_JSON_DEPTH	128

struct dp_json;

/*
 * path[0..n-1], n <= DP_FIELDS_MAX, become fields 1..n.  no_plain: every line through json-c, also
 * those that are plain and cut where they stand; the results are the same (tests, bench).
 * DP_ENOMEM.
 */
int	dp_json_new(struct dp_json **, const char *const *path, unsigned n,
	    bool no_plain) DP_MUSTUSE;
/*
 * Sets all fields of a record from its text, until the next call: 1; 0: the line is malformed;
 * DP_ENOMEM.  A string is its text, escapes resolved; a number is its digits as they stand; a truth
 * value is true or false.  An absent field: a member that is absent, null, an object, an array, or
 * a whole number of more than 64 bits.
 */
int	dp_json_record(struct dp_json *, struct dp_record *) DP_MUSTUSE;
void	dp_json_free(struct dp_json *);		/* NULL is fine */

#endif
