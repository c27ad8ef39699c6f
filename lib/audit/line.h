/* line.h - internal to lib/audit: the lines that say what a mechanism draws (dputils-plan(5)). */
#ifndef DP_AUDIT_LINE_H
#define DP_AUDIT_LINE_H

#include "account.h"
#include "bound.h"
#include "moves.h"
#include "passage.h"
#include "reader.h"
#include "toeplitz.h"

/* A mechanism that is read. */
struct audit_body {
	struct {			/* what bound.h asks for */
		const char *name;
		const struct audit_body *whole;	/* that it is a part of; NULL: none */
		uint32_t has;		/* kinds of its lines */
		uint64_t parts, got;	/* that it says it has, besides rounds; and that it has */
		uint64_t counter[3];	/* moves, fading, answers, where it has such a line */
		uint64_t passes;	/* steps that its thresholds were of, */
		bool full;		/* and whether those were all of the last tree */
	} bound;
	mpq_t epsilon, delta, reach;	/* what it claims, for moves of so much */
	mpq_t rate;			/* loss of one grid unit's move, besides */
	mpq_t laplace;			/* scale of the last such line; 0: none */
	mpq_t worst;			/* of its trees */
	mpq_t fresh;			/* at most what an event loses at its own step; 0: unsaid */
	mpq_t drawn;			/* variance of the last correlated noise's draws */
	struct audit_account account;
	uint64_t rise[3];		/* k, u, tau; 0: none */
	struct audit_blt *blt;		/* the last one, its own or a part's; owned */
	struct audit_tree *tree;	/* the last one; owned */
	struct audit_before before;	/* the roots of those before it, if all had passes */
	unsigned trees;			/* that were read, */
	bool passed;			/* and whether the last one had passes */
	bool something;			/* a line that says what it draws, or a part */
	bool unknown, refuted;		/* a line says so, or a part is so */
};

/*
 * The line, if it begins with a word for draws; *is: it does.  A tree, correlated noise: up to its
 * last line.  DP_ENOMEM; else 0.
 */
int	audit_line(struct reader *, struct audit_body *, bool *is) DP_MUSTUSE;

/* Statements of several lines: a tree and its tables. */
int	audit_line_tree(struct reader *, struct audit_body *) DP_MUSTUSE;
void	audit_line_pass(struct reader *, struct audit_body *);
void	audit_line_window(struct reader *, struct audit_body *);
void	audit_line_fresh(struct reader *, struct audit_body *);
void	audit_line_ages(struct reader *, struct audit_body *);
void	audit_line_blt(struct reader *, struct audit_body *);
void	audit_line_looks(struct reader *, struct audit_body *);
void	audit_line_rise(struct reader *, struct audit_body *);
void	audit_line_rose(struct reader *, struct audit_body *);	/* where the mechanism ends */
void	audit_line_banded(struct reader *, struct audit_body *);

/* k, or where a name may have all of them max(k, e^(epsilon (k - 1) / k)), rounded up. */
void	audit_line_factor(const struct audit_body *, uint64_t k, uint64_t each, mpfr_t unit);
/* delta += f times what names of units of k events, at most `each' of one, cost; f >= 0 is used. */
void	audit_line_unit(struct reader *, struct audit_body *, mpfr_t f, uint64_t k, uint64_t each);
/* Lines on neighbours tell of this mechanism, not of a part. */
bool	audit_line_top(const struct reader *);
/* The plan is none that holds: why, a sentence's end. */
void	audit_refute(struct reader *, struct audit_body *, const char *why);
/* *q = x >= 0, or more; refuted where x is beyond all bounds. */
void	audit_rounded(struct reader *, struct audit_body *, mpq_t q, mpfr_t x);
/* A number of moves or releases, at least 1. */
uint64_t audit_some(struct reader *);

#endif
