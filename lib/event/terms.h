/*
 * terms.h - a line of many numbers: dense, or as index:value pairs.
 *
 * dense   D numbers between delimiters (CSV: fields, quoted or not); with a header and declared
 *         keys, the fields with the keys' names, wherever they stand
 * pairs   INDEX:VALUE between delimiters (without --csv, --tsv and -F: blanks), 1 <= INDEX <= D,
 *         each at most once; a number without a pair is 0
 *
 * An empty line has no numbers.  A line of another form, or with more than `ones` numbers other
 * than 0, is malformed as a whole.  Memory: 24 bytes a column.  Cost: O(length of the line).
 */
#ifndef DP_TERMS_H
#define DP_TERMS_H

#include "ask/tool.h"

#define DP_TERMS_ASIDE	(2 + DP_KEY_FIELDS)	/* a time, a time of day, a user's fields */

struct dp_terms;

/* width: D. */
int	dp_terms_new(struct dp_terms **, const struct dp_options *, size_t width) DP_MUSTUSE;
/*
 * Finds the declared keys in a header's text.  Returns NULL, or a key the header lacks.  Without
 * declared keys the header names the columns, fields aside excepted; exits unless it names all D,
 * and as the first header did.
 */
const char *dp_terms_header(struct dp_terms *, struct dp_slice text,
	    const unsigned aside[static DP_TERMS_ASIDE]);
const char *dp_terms_name(const struct dp_terms *, size_t place);	/* NULL: it has none */
/*
 * The numbers of a line other than 0, clamped to the range, valid until the next call; NULL: the
 * line is malformed, and *why is set.  Fields aside (0: none) are skipped; with a header the names
 * say which fields are numbers.
 */
const struct dp_term *dp_terms_read(struct dp_terms *, struct dp_slice text,
	    const unsigned aside[static DP_TERMS_ASIDE], size_t *n, const char **why);
void	dp_terms_forget(struct dp_terms *);	/* wipes the last line's numbers */
void	dp_terms_free(struct dp_terms *);

#endif
