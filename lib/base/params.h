/*
 * params.h - the numbers a plan came to, so that a later run has the very same.
 *
 * A plan finds some of its numbers with doubles or by a search: shapes, shares, scales, weights.
 * Another C library or a better search would find others, but noise that was drawn under one plan
 * must go on under that one.  So each of them passes through a list on its way.  A list that
 * records keeps what it is given and hands it back; one that replays hands back what was kept
 * instead.  The calls come in the same order both times.  NULL for a list: what is given is handed
 * back.
 *
 * What is replayed comes from a file: a number that is not there, or out of range, becomes the
 * least one that is in range, and is an error that stays.  So the caller can go on with any of
 * them, and asks for the error at its end.
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
void	dp_params_refuse(struct dp_params *);	/* the caller found what is wrong */
/* All have been replayed: else that is an error too. */
void	dp_params_end(struct dp_params *);

uint64_t dp_params_word(struct dp_params *, uint64_t, uint64_t lo, uint64_t hi);
double	dp_params_real(struct dp_params *, double, double lo, double hi);
/* From 0 to 1, rounded to 64 bits where a long double has more. */
long double dp_params_long(struct dp_params *, long double);
struct dp_q dp_params_q(struct dp_params *, struct dp_q);	/* above 0 */
uint64_t dp_params_hash(const void *, size_t);	/* FNV-1a: against accidents */
/* What must be as it was: a number, or the bytes of a table. */
void	dp_params_same(struct dp_params *, uint64_t);
void	dp_params_same_bytes(struct dp_params *, const void *, size_t);

#endif
