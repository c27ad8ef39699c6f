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
	    struct dp_q delta, uint64_t reach);

/*
 * For ops->certify, lines of dputils-plan(5); noise that is none is unknown.
 *   nothing	is drawn, and what is printed is a function of options
 *   laplace	noise on numbers that one grid unit of the step values moves by `times' in sum
 *   values	n releases one after the other (privacy.h, REPEATED) that one unit moves by `moves'
 *   choices	likewise, of scores
 *   gauss	Gaussian draws whose moves have squares that sum to `square'
 *   sparse	a threshold that moves by `moves', and n comparisons by `span'
 *   coin	answers whose odds are those of the coin, times others / own, to the power `times'
 *   again	bits that are drawn again, and n answers that one moves by `moves'
 *   looks	so many looks at bits that are flipped after each
 *   names	names that are told of from tau on, of units of k events, at most `each' of a name
 *   pass	that names are told of where the noise so far and their count come to tau, within
 *		n times so many steps of the tree that was added last
 *   window	likewise, of the noise of the last W steps of a row of such trees
 *   rise	that names are told of where the noise of the part before and their count come to
 *		tau
 *   ages	a noise for each level of dyadic intervals (gradual.c), events up to so many steps
 *		old, which at their own step have lost `fresh' at most
 *   counter	the part that follows counts changes: how many one unit moves in sum, their
 *		squares as `fading' (privacy.h) has them, and the number of answers; 0: no end
 *   composed	n numbers by advanced composition
 *   rounds	n times the mechanism that is to follow
 */
int	dp_certificate_unknown(struct dp_buf *) DP_MUSTUSE;
int	dp_certificate_nothing(struct dp_buf *) DP_MUSTUSE;
int	dp_certificate_laplace(struct dp_buf *, const struct dp_noise *, uint64_t times) DP_MUSTUSE;
int	dp_certificate_values(struct dp_buf *, const struct dp_noise *, uint64_t moves, uint64_t n)
	    DP_MUSTUSE;
int	dp_certificate_choices(struct dp_buf *, const struct dp_choose *, uint64_t moves,
	    uint64_t n) DP_MUSTUSE;
int	dp_certificate_gauss(struct dp_buf *, const struct dp_noise *, dp_uwide square,
	    uint64_t draws) DP_MUSTUSE;
int	dp_certificate_sparse(struct dp_buf *, const struct dp_noise *threshold, uint64_t moves,
	    const struct dp_noise *compare, uint64_t span, uint64_t n) DP_MUSTUSE;
int	dp_certificate_coin(struct dp_buf *, const struct dp_coin *, uint64_t others, uint64_t own,
	    uint64_t times) DP_MUSTUSE;
int	dp_certificate_again(struct dp_buf *, const struct dp_noise *state,
	    const struct dp_noise *out, uint64_t moves, uint64_t n) DP_MUSTUSE;
int	dp_certificate_looks(struct dp_buf *, const struct dp_noise *state, uint64_t looks)
	    DP_MUSTUSE;
int	dp_certificate_names(struct dp_buf *, const struct dp_noise *, uint64_t tau, uint64_t k,
	    uint64_t each) DP_MUSTUSE;
struct dp_certificate_pass {
	uint64_t steps, tau;
};
int	dp_certificate_passes(struct dp_buf *, uint64_t k, uint64_t each,
	    const struct dp_certificate_pass *, unsigned n) DP_MUSTUSE;
int	dp_certificate_window(struct dp_buf *, uint64_t k, uint64_t each, uint64_t W, uint64_t tau)
	    DP_MUSTUSE;
int	dp_certificate_rise(struct dp_buf *, uint64_t k, uint64_t each, uint64_t tau) DP_MUSTUSE;
int	dp_certificate_ages(struct dp_buf *, struct dp_q fresh, uint64_t age,
	    const struct dp_noise *, unsigned levels) DP_MUSTUSE;
/* Steps that the oldest event has behind it where the run ends; of an endless one 2^61. */
uint64_t dp_certificate_age(const struct dp_mech *);
/* A count of changes, by the part that is to follow. */
struct dp_certificate_counter {
	uint64_t moves, fading, answers;
};
int	dp_certificate_counter(struct dp_buf *, const struct dp_certificate_counter *) DP_MUSTUSE;
int	dp_certificate_composed(struct dp_buf *, const struct dp_noise *, uint64_t moves,
	    uint64_t n) DP_MUSTUSE;
void	dp_certificate_rounds(struct dp_buf *, uint64_t n);
void	dp_certificate_scale(struct dp_buf *, const char *word, struct dp_q);	/* a line begins */
void	dp_certificate_real(struct dp_buf *, double);	/* exactly, after a blank */
void	dp_certificate_word(struct dp_buf *, uint64_t);	/* in decimal, after a blank */
/* So many parts follow; dp_certificate_add() says it of those that are mechanisms. */
void	dp_certificate_count(struct dp_buf *, uint64_t parts);
/* All noise is that of parts. */
int	dp_certificate_parts(const struct dp_mech *, struct dp_buf *) DP_MUSTUSE;

#endif
