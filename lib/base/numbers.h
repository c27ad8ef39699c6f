/* SPDX-License-Identifier: ISC */
/*
 * numbers.h - a plan's numbers by name, as a state file keeps them.
 *
 * A plan finds shapes, shares, scales and weights with doubles or by a search.  Another C library
 * or a better search would find other numbers, but noise drawn under one plan must go on under that
 * plan.  Therefore each number passes through these: where a plan is recorded, a call takes down
 * its argument under its name and returns it; where a plan is replayed, a call returns the number
 * of that name.  A NULL pointer returns the argument.
 *
 * A name has one line, and a list of numbers: calls of one name take one after another.  A part of
 * a plan has a scope, whose name and a dot stand before the names in it.  Lines and calls of
 * different names may have any order.
 *
 *	name value value ..	integers: decimal, or 0x.. from 2^32 on; reals: as %a has them;
 *				fractions: NUM/DEN.  A value has one spelling.
 *
 * States of dputils 0.2 have a list of words without names: those come in the order of the calls,
 * and have their names once replayed.
 *
 * Replayed numbers come from a file.  A number that is missing or out of range becomes the least
 * number in range and sets an error that stays, with the name; the caller asks for the error at the
 * end.
 */
#ifndef DP_BASE_NUMBERS_H
#define DP_BASE_NUMBERS_H

#include "doc.h"
#include "num.h"

#define DP_NUMBERS_NAME		DP_DOC_KEY	/* bytes of a name with its scopes */
#define DP_NUMBERS_FAULT	160

struct dp_number {
	uint64_t word;			/* an integer; a real's bits; one side of a fraction */
	size_t next;			/* of the same name */
	uint32_t name;
	unsigned char kind;
	bool taken;
};

struct dp_numbers_line {
	char name[DP_NUMBERS_NAME];
	size_t first, last;		/* its numbers */
	size_t at;			/* the next to be taken */
};

struct dp_numbers {
	struct dp_number *number;	/* n of them; owned */
	size_t n, cap, at;		/* at: the next one without a name */
	struct dp_numbers_line *line;	/* one a name; owned */
	size_t lines, lines_cap, last;	/* last: the line looked at last */
	char scope[DP_NUMBERS_NAME];
	size_t depth;			/* bytes of scope */
	bool replay;
	size_t old;			/* words without names, first */
	int error;			/* 0; DP_ENOMEM; DP_EINVAL: not the numbers of this plan */
	char name[DP_NUMBERS_NAME];	/* DP_EINVAL: of which, */
	char fault[DP_NUMBERS_FAULT];	/* and a phrase: "'NAME' is missing" */
};

/* Appends a word without a name, of an old state. */
void	dp_numbers_add(struct dp_numbers *, uint64_t);
/* All lines of a document that begin so, written, read or compared. */
#define DP_NUMBERS_PREFIX	"noise."
void	dp_numbers_doc(struct dp_numbers *, struct dp_doc *);
/* To be replayed, from the start; an error is forgotten. */
void	dp_numbers_replay(struct dp_numbers *);
void	dp_numbers_free(struct dp_numbers *);

bool	dp_numbers_replays(const struct dp_numbers *);
int	dp_numbers_error(const struct dp_numbers *);
/* Sets the error, for a caller that finds the number taken last unfit. */
void	dp_numbers_refuse(struct dp_numbers *);
/* End of the plan: a number that was not replayed is an error. */
void	dp_numbers_end(struct dp_numbers *);

/* Names that follow are in this scope, or in its i-th, down to dp_numbers_leave() of the value. */
size_t	dp_numbers_enter(struct dp_numbers *, const char *scope);
size_t	dp_numbers_enter_nth(struct dp_numbers *, const char *scope, size_t i);
void	dp_numbers_leave(struct dp_numbers *, size_t outer);

uint64_t dp_numbers_int(struct dp_numbers *, const char *name, uint64_t, uint64_t lo, uint64_t hi);
double	dp_numbers_real(struct dp_numbers *, const char *name, double, double lo, double hi);
/* A number from 0 to 1, rounded to 64 bits where a long double has more. */
long double dp_numbers_long(struct dp_numbers *, const char *name, long double);
struct dp_q dp_numbers_q(struct dp_numbers *, const char *name, struct dp_q);	/* above 0 */
uint64_t dp_numbers_hash(const void *, size_t);	/* FNV-1a: against accidents */
/* The same of n bytes as words of this machine: no change of one word is missed. */
uint64_t dp_numbers_hash_words(const void *, size_t n);
/*
 * A number that states of 0.2 lack: true where a plan must find it, which is where it is recorded
 * or where a list of theirs is replayed.
 */
bool	dp_numbers_finds(const struct dp_numbers *);
double	dp_numbers_new_real(struct dp_numbers *, const char *name, double, double lo, double hi);
uint64_t dp_numbers_new_int(struct dp_numbers *, const char *name, uint64_t, uint64_t lo,
	    uint64_t hi);
void	dp_numbers_new_same(struct dp_numbers *, const char *name, uint64_t);
/* A number, or the bytes of a table, that must equal the one recorded. */
void	dp_numbers_same(struct dp_numbers *, const char *name, uint64_t);
void	dp_numbers_same_bytes(struct dp_numbers *, const char *name, const void *bytes, size_t n);

#endif
