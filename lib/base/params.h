/*
 * params.h - a plan's numbers, recorded in a state file and replayed from it.
 *
 * A plan finds shapes, shares, scales and weights with doubles or by a search.  Another C library
 * or a better search would find other numbers, but noise drawn under one plan must go on under that
 * plan.  Therefore each number passes through a list: a recording list keeps its argument and
 * returns it; a replaying list returns the number kept in its place.  Calls come in one order both
 * times.  A NULL list returns its argument.
 *
 * Replayed numbers come from a file.  A number that is missing or out of range becomes the least
 * number in range and sets an error that stays; the caller asks for the error at the end.
 */
#ifndef DP_PARAMS_H
#define DP_PARAMS_H

#include "num.h"

struct dp_params {
	uint64_t *word;		/* n of them; owned */
	size_t n, cap, at;	/* at: the next one to replay */
	bool replay;
	int error;		/* 0; DP_ENOMEM; DP_EINVAL: not the numbers of this plan */
};

/* Appends a word, as recording does. */
void	dp_params_add(struct dp_params *, uint64_t);
void	dp_params_free(struct dp_params *);

bool	dp_params_replays(const struct dp_params *);
int	dp_params_error(const struct dp_params *);
void	dp_params_refuse(struct dp_params *);	/* sets the error, for a caller */
/* End of the plan: a number that was not replayed is an error. */
void	dp_params_end(struct dp_params *);

uint64_t dp_params_word(struct dp_params *, uint64_t, uint64_t lo, uint64_t hi);
double	dp_params_real(struct dp_params *, double, double lo, double hi);
/* A number from 0 to 1, rounded to 64 bits where a long double has more. */
long double dp_params_long(struct dp_params *, long double);
struct dp_q dp_params_q(struct dp_params *, struct dp_q);	/* above 0 */
uint64_t dp_params_hash(const void *, size_t);	/* FNV-1a: against accidents */
/* A number, or the bytes of a table, that must equal the one recorded. */
void	dp_params_same(struct dp_params *, uint64_t);
void	dp_params_same_bytes(struct dp_params *, const void *, size_t);

#endif
