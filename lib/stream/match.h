/*
 * match.h - patterns: PCRE2 (JIT, bytes, no locale) or a plain string.
 *
 * Bytes are matched, never characters: (*UTF) and (*UCP) in a pattern are errors.
 * '.' is any byte but '\n', which only a CSV field can hold.
 */
#ifndef DP_MATCH_H
#define DP_MATCH_H

#include "base/dp.h"

#define DP_MATCH_WHY	120
#define DP_GROUPS_MAX	64

struct dp_match;

/*
 * fixed: the pattern is a plain string.  The empty pattern matches every text. DP_ESYNTAX: why says
 * "at offset N: ..." in the words of PCRE2, N a byte of the pattern; DP_ENOMEM.
 */
int	dp_match_new(struct dp_match **, const char *pattern, bool fixed, bool icase,
	    char why[static DP_MATCH_WHY]) DP_MUSTUSE;
/*
 * dp_match_new() for the text of the pattern's groups (parentheses); sets *groups to their number.
 * DP_ERANGE: more than DP_GROUPS_MAX.
 */
int	dp_match_new_groups(struct dp_match **, const char *pattern, unsigned *groups,
	    char why[static DP_MATCH_WHY]) DP_MUSTUSE;
/* The i-th of the named groups, in the order of their names: its number; 0: past the last. */
unsigned dp_match_named(const struct dp_match *, unsigned i, const char **name);
/*
 * 1: the text holds a match; 0: it does not.  A text that exceeds the match limit does not match (a
 * fixed outcome: an abort would depend on the data).  All memory that the limits allow is taken
 * beforehand, so that it does not depend on the text; DP_ENOMEM if PCRE2 wants more.  The object
 * holds that memory and is changed, so one object serves one thread.
 */
int	dp_match_test(struct dp_match *, struct dp_slice) DP_MUSTUSE;
/*
 * dp_match_test(), and the text of groups 1..n; p == NULL: a group without part in the match.  For
 * objects of dp_match_new_groups().
 */
int	dp_match_groups(struct dp_match *, struct dp_slice, struct dp_slice *group, unsigned n)
	    DP_MUSTUSE;
/*
 * True: the pattern is a plain string of one line.  Then every matching line holds the string, and
 * whole blocks can be searched for it.
 */
bool	dp_match_literal(const struct dp_match *);
/*
 * dp_match_test(), and the place where the first match begins.  Literal patterns only (others could
 * match across lines).
 */
int	dp_match_find(struct dp_match *, struct dp_slice, size_t *at) DP_MUSTUSE;
/*
 * Wipes what the last match left in memory (pan-private mode). DP_ENOMEM: only dp_match_free() is
 * left to do.
 */
int	dp_match_forget(struct dp_match *) DP_MUSTUSE;
void	dp_match_free(struct dp_match *);	/* NULL is fine */

#endif
