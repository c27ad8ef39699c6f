/*
 * reader.h - internal to lib/audit: lines and words of a plan.  The first thing that is wrong stays
 * in the verdict; after it nothing is good().
 */
#ifndef DP_AUDIT_READER_H
#define DP_AUDIT_READER_H

#include <gmp.h>

#include "certificate.h"

struct reader {
	const char *at, *end;	/* what is left; end[0] is 0 */
	const char *line, *stop;	/* of this line: what is left */
	unsigned number;
	uint64_t read;			/* lines, without comments */
	bool bound;			/* of version 2: what bound.h says of it is asked for */
	bool cut;			/* the last line has no end */
	bool exact, seeded;		/* lines before the first mechanism */
	unsigned depth;
	struct audit_claim *claim;
	const struct audit_neighbours *neighbours;	/* of the mechanism at the top */
	struct dp_verdict *v;
};

/* Sets the verdict, and why, if it is worse than the verdict so far. */
void	audit_refuse(struct reader *, enum dp_verdict_is, const char *why);
bool	audit_good(const struct reader *);	/* the text is a plan so far */
/* To the next line that is no comment; false: there is none, or it was cut off. */
bool	audit_next_line(struct reader *);
/* The line begins with this word, which is passed over. */
bool	audit_is(struct reader *, const char *name);
/* The next word of the line; false: none, or one as long as `size'. */
bool	audit_word(struct reader *, char *to, size_t size);
/* The next word as a number; one of another form, or above `most', is refused, and then 0. */
uint64_t audit_whole(struct reader *, uint64_t most);
int64_t	audit_signed(struct reader *);		/* of at most 18 digits */
uint64_t audit_word_64(struct reader *);	/* of all 64 bits */
void	audit_integer(struct reader *, mpz_t);	/* above 0, of any size */
void	audit_word_256(struct reader *, mpz_t);	/* 64 hex digits, above 0 */
void	audit_rational(struct reader *, mpq_t, char text[static 64]);	/* above 0; and its text */
double	audit_real(struct reader *);		/* above 0, as C's %a */

#endif
