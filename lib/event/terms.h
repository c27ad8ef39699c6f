/*
 * terms.h - a line that is many numbers: dense, or as index:value pairs.
 *
 * dense   D numbers between delimiters (CSV: fields, quoted or not); with a header and declared
 *         keys, the fields of those names, wherever they stand
 * pairs   INDEX:VALUE between delimiters (without --csv, --tsv and -F: blanks), 1 <= INDEX <= D,
 *         each once; what is not named is 0
 *
 * An empty line is no number at all.  A line that is neither, or has more than `ones` numbers that
 * are not 0, is malformed as a whole.  Memory: 24 bytes a column.  Cost: O(length of the line).
 */
#ifndef DP_TERMS_H
#define DP_TERMS_H

#include "ask/tool.h"

#define DP_TERMS_ASIDE	3	/* a time, a time of day, a user */

struct dp_terms;

/* width: D. */
int	dp_terms_new(struct dp_terms **, const struct dp_options *, size_t width) DP_MUSTUSE;
/*
 * Finds the declared keys in a header's text; NULL, or one that is not there.  Without keys it
 * names the columns, but for the fields aside; exits unless it names all, and as the first
 * header did.
 */
const char *dp_terms_header(struct dp_terms *, struct dp_slice text,
	    const unsigned aside[static DP_TERMS_ASIDE]);
const char *dp_terms_name(const struct dp_terms *, size_t place);	/* NULL: it has none */
/*
 * The terms of a line, within the range and not 0, valid until the next call; NULL: malformed, and
 * *why.  Fields aside
 * (0: none) are no numbers, and passed over; with a header's names it is names that tell.
 */
const struct dp_term *dp_terms_read(struct dp_terms *, struct dp_slice text,
	    const unsigned aside[static DP_TERMS_ASIDE], size_t *n, const char **why);
void	dp_terms_forget(struct dp_terms *);	/* wipes the last line's */
void	dp_terms_free(struct dp_terms *);

#endif
