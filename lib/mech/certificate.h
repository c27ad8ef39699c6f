/*
 * certificate.h - what a plan draws, in the text that dputils-plan(5) describes: numbers as they
 * are drawn from, for a checker that shares no code with the planner (audit/certificate.h).
 */
#ifndef DP_MECH_CERTIFICATE_H
#define DP_MECH_CERTIFICATE_H

#include "mech.h"

/*
 * Adds a mechanism and its parts: `mechanism' to `end'.  One that does not say what it draws has
 * the line `unknown'.  DP_ENOMEM.
 */
int	dp_certificate_add(const struct dp_mech *, struct dp_buf *) DP_MUSTUSE;

/* The first lines of a mechanism, or of a part that is none: its `end' is the caller's to add. */
void	dp_certificate_begin(struct dp_buf *, const char *name, struct dp_q epsilon,
	    uint64_t reach);

/*
 * For ops->drawn.certify.  laplace: noise on numbers that one grid unit of the step values moves by
 * at most `times` in sum; parts: all noise is that of parts, and the line `unknown' if there are
 * none.
 */
int	dp_certificate_laplace(struct dp_buf *, const struct dp_noise *, uint64_t times) DP_MUSTUSE;
/*
 * n releases one after the other (privacy.h, REPEATED), whose numbers one unit moves by `moves':
 * "value", "choice"; NULL: of a kind that has no word.
 */
void	dp_certificate_repeat(struct dp_buf *, const char *word, struct dp_q scale, uint64_t moves,
	    uint64_t n);
void	dp_certificate_real(struct dp_buf *, double);	/* exactly, after a blank */
void	dp_certificate_word(struct dp_buf *, uint64_t);	/* in decimal, after a blank */
int	dp_certificate_parts(const struct dp_mech *, struct dp_buf *) DP_MUSTUSE;

#endif
