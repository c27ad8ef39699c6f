/* SPDX-License-Identifier: ISC */
/*
 * local.h - local randomisers: each line, one person's symbol of K, gets a random answer at once,
 * and no memory of it stays; and totals, estimated from many answers.
 *
 * Statement.  Let Y be the answer to a line with symbol v, a function of v and of fresh coins, and
 * for all answers y and symbols v, w
 *	P(Y = y | v) <= e^epsilon P(Y = y | w).					(1)
 * Then each line is (epsilon, 0)-locally private, all answers together are (epsilon, 0)-private for
 * inputs in which one line is replaced, and a person with j lines loses j epsilon.
 *
 * Proof: tests/proof/local.md.
 *
 * Between lines memory holds at most the last answer, which is printed: pan-private (-P), where the
 * line itself is wiped.
 *
 * Every randomiser here is of one form (Wang et al. 2017, "pure"): an answer supports a set of
 * symbols, the line's own with probability p, any other with one probability q < p.  With N_v
 * answers of n that support v, and c_v lines that hold it, N_v is a sum of c_v coins of p and n -
 * c_v of q, so that
 *	C_v = (N_v - n q) / (p - q),  E C_v = c_v,
 *	Var C_v = (c_v p (1-p) + (n - c_v) q (1-q)) / (p - q)^2.
 * As the c_v sum to n, the mean of Var C_v over all K symbols is the same for all data:
 *	n (p (1-p) / K + (1 - 1/K) q (1-q)) / (p - q)^2,
 * the measure by which mechanisms are compared.
 */
#ifndef DP_SKETCH_LOCAL_H
#define DP_SKETCH_LOCAL_H

#include "counter/mech.h"

extern const struct dp_statistic dp_local_statistic, dp_local_numbers;

/* dp_task.own of a randomiser. */
struct dp_local_task {
	size_t symbols;		/* K >= 2 */
	int64_t other;		/* symbol for a line that is none; -1: one drawn at random */
	/* Of numbers: the symbols are 0 .. width, grid units above the range's low end; else 0 */
	uint64_t width;
	/* One person's answers, which spend epsilon together; 0 is 1. */
	uint64_t answers;
};

/* Functions of a randomiser besides step(): dp_mech_ops.answers. */
struct dp_answers {
	/*
	 * Writes the answer that step() left in the column and the estimate at p, which has room
	 * for m->text bytes; returns the end.  NULL: the answer is the name of the symbol whose
	 * place is the estimate.
	 */
	char *(*put)(const struct dp_mech *, const void *col, dp_wide est, char *p);
	/*
	 * Counts an answer into count[0 .. counts - 1]; false: put() writes no such text.  NULL:
	 * the place of the answer is counted.
	 */
	bool (*add)(const struct dp_mech *, int64_t *count, struct dp_slice text);
	/* Turns the counts of all n answers into N_v, in place.  NULL: the counts are N_v. */
	void (*support)(const struct dp_mech *, int64_t *count, uint64_t n);
	/* The draw, in words. */
	void (*describe)(const struct dp_mech *, char *text, size_t size);
};

/* Every randomiser's plan. */
struct dp_local {
	struct dp_mech m;
	size_t K;
	int64_t other;
	size_t counts;			/* numbers that add() counts into; K by default */
	struct dp_coin coin;
	/* its odds times others / own are e^epsilon; 1, 1 by default */
	uint64_t others, own;
	double p, q, gap;		/* gap = p - q, found without that difference */
	unsigned named;			/* subset: symbols that an answer names */
	unsigned planes, part;		/* subset: symbols drawn by bits (local.c) */
	struct {			/* of numbers (value.c) */
		uint64_t width;		/* N */
		uint64_t cells, band;	/* M, W; 0: noise */
		double base, scale;	/* a number is told as (y - base) scale */
		double worst;		/* the largest variance of that */
		struct dp_noise noise;
	} value;
};

/* Totals from private answers: post-processing, which costs no epsilon. */
struct dp_totals {
	const struct dp_local *l;
	uint64_t n;			/* answers */
	int64_t *count;			/* after dp_totals_end(): N_v */
};

/* m: a randomiser's; it must live as long.  DP_ENOMEM. */
int	dp_totals_new(struct dp_totals **, const struct dp_mech *) DP_MUSTUSE;
void	dp_totals_free(struct dp_totals *);
/*
 * place: of the symbol with this text; -1: an unknown one. false: another thing than an answer,
 * left out.
 */
bool	dp_totals_add(struct dp_totals *, struct dp_slice text, int64_t place);
/* No more answers. */
void	dp_totals_end(struct dp_totals *);
/* C_v. */
double	dp_totals_estimate(const struct dp_totals *, size_t v);
/*
 * true: the answers look as if another randomiser had made them.  Some symbol has far more answers
 * than if all lines held it, or far fewer than if none did.  Answers of this randomiser give true
 * with probability at most gamma, whatever the lines (Chernoff, union bound over symbols).
 */
bool	dp_totals_far(const struct dp_totals *, double gamma);
/*
 * An exact interval for c_v (Clopper, Pearson 1934): all c in 0 .. n for which neither N_v or more
 * nor N_v or less has a probability of gamma / 2 or below; if there is no such c, the nearer end.
 */
void	dp_totals_interval(const struct dp_totals *, size_t v, double gamma, int64_t *lo,
	    int64_t *hi);
/*
 * Of numbers: their sum as told by the answers, less n times the range's low end, in grid units,
 * and how far it is off at most with probability 1 - gamma.
 */
double	dp_totals_sum(const struct dp_totals *, double gamma, double *off);
/*
 * The totals max(C_v - *level, 0), v = 0 .. K - 1: of all non-negative totals with sum n, nearest
 * to the C_v in least squares (Duchi et al. 2008).  DP_ENOMEM.
 */
int	dp_totals_level(const struct dp_totals *, double *level) DP_MUSTUSE;

/*
 * A lower bound for every estimator of one symbol's total from n answers of epsilon-locally private
 * randomisers: on some data its error exceeds the bound with probability at least beta.  0: none.
 *
 * Statement: so it does for a counter of n steps of 0 or 1, at the last one, whose memory may be
 * looked at after every step: memory is then n such answers, each chosen by those before it.
 * (Dwork, Naor, Pitassi, Rothblum 2010, Theorem 4.3, with constants.)
 * Proof: tests/proof/counters.md.
 */
double	dp_local_lower(uint64_t n, double epsilon, double beta);

#endif
