/* SPDX-License-Identifier: ISC */
/*
 * law.h - the exact law of the noise in one estimate: what every prediction is computed from.
 *
 * The noise is a sum of independent terms coef * z, n copies each, and of flips: coef times what a
 * binomial variable of n and p is off its mean.  Doubles: it only describes.
 */
#ifndef DP_LAW_LAW_H
#define DP_LAW_LAW_H

#include "random/noise.h"

struct dp_law;
struct dp_law_memo;
struct dp_law_part;
struct dp_law_tails;

#define DP_LAW_TERMS	2048
#define DP_LAW_FLIPS	4
#define DP_LAW_PARTS	16

struct dp_law_term {
	double coef, n;
	const struct dp_noise *noise;
};

/* n bits that are 1 with probability p each, coef > 0; n = 0 adds nothing. */
void	dp_law_flip(struct dp_law *, double coef, double n, double p);

struct dp_law_flip {
	double coef, n, p;
};

#define DP_LAW_POINTS	128	/* of a part's characteristic function, at most */

/*
 * Points of a law's characteristic function, E cos(k step X), k = 1..n, which its parts multiply
 * up, the last one first.  That one chooses them, and has phi begin with 1, for a law of standard
 * deviation sigma which is to be bounded with that gamma:
 *	on a lattice	all that a period has: n step = pi / grain.  X is whole; a grain above 1:
 *			they are those of a law of nearly its form, on multiples of that
 *	else		so many that next to nothing is beyond the last
 */
struct dp_law_wave {
	double gamma, sigma;
	double step;		/* 0: to be chosen; NAN: no memory */
	double grain;		/* of a lattice; 0: none */
	unsigned n;
	double phi[DP_LAW_POINTS];
	double off;		/* what a tail that is inverted from them may be off, at most */
	double variance;	/* of the law whose points they are: X's, or nearly */
};

/* variance 0 adds nothing */
void	dp_law_part(struct dp_law *, const struct dp_law_part *);

/*
 * A term beside the sums of independent draws, symmetric and log-concave but for less than a unit
 * (law.c), known by its variance and, if waves is set, by points: waves() multiplies phi by
 * them, and adds to off and variance. false: it cannot.
 */
struct dp_law_part {
	double variance;
	bool whole;		/* its values */
	bool (*waves)(const struct dp_law_part *, struct dp_law_wave *);
	const void *of;		/* the caller's, as the rest is */
	double alpha, residual;
	uint64_t from, to;
};

struct dp_law {
	unsigned parts;
	struct dp_law_part part[DP_LAW_PARTS];
	unsigned flips;
	struct dp_law_flip flip[DP_LAW_FLIPS];
	unsigned terms;
	bool full;		/* more terms came than there is room for: no prediction */
	struct dp_law_term term[DP_LAW_TERMS];
	bool blind;		/* only a public cut of the answers bounds the error */
	bool between;		/* what is estimated lies between whole numbers, as decays do */
	/* Randomised response instead (terms = 0): n flipped bits, debiased. */
	double bits, gap;	/* gap = 1 - 2p */
	double each;		/* variance of one, where it is not that of a flipped bit; else 0 */
	struct dp_law_memo *memo;	/* with parts; NULL: none */
};

/*
 * What bounds of many laws have in common: the last one, near which the next is looked for, and
 * rows of the weights that tails on a lattice of n are sums by (law.c).
 */
#define DP_LAW_ROWS	64
struct dp_law_memo {
	double guess;
	double gamma, widest;		/* dp_law_widest() of the gamma asked last */
	double far, beyond;		/* standard deviations, and at most the widest tail there */
	unsigned n;			/* 0: there are no rows */
	unsigned of[DP_LAW_ROWS];	/* 0: none */
	double weight[DP_LAW_POINTS], row[DP_LAW_ROWS][DP_LAW_POINTS];
};

void	dp_law_clear(struct dp_law *);
/*
 * n or coef 0 adds nothing; equal neighbours merge.  A term too many is a bug in the mechanism; it
 * shows: the law is full from then on, its variance and bound are INFINITY, its tails 1.
 */
void	dp_law_add(struct dp_law *, const struct dp_noise *, double coef, double n);

/*
 * Of sum coef[i] X[i], i < n, each X[i] of the law `of' and independent of the others.  What is
 * estimated lies between whole numbers.  Of parts the variance is kept, and bounds by it are found
 * at once (law.c).  Flips and responses: l is full.
 */
void	dp_law_mix(struct dp_law *l, const struct dp_law *of, const double *coef, unsigned n);
/*
 * The law becomes that of a sum of n variables of it, independent of one another, or of X - Y:
 * noise is symmetric.  Terms come n times, and parts while there is room for them; of more the
 * variance alone is kept (law.c).  false: of flips and responses it is not known, and stays; each
 * of n is within an n-th of the bound of their sum with probability 1 - gamma / n.
 */
bool	dp_law_times(struct dp_law *, unsigned n);

/*
 * What another is above one, from an estimate and an interval of each, of one confidence and
 * independent (MOVER: Zou and Donner 2008, Statistics in Medicine 27:1693): with d = q - p,
 *	lo = d - sqrt((q - l2)^2 + (u1 - p)^2),  hi = d + sqrt((u2 - q)^2 + (p - l1)^2)
 * The distances of ends from estimates stand for quantiles of the errors, so it is exact where
 * these are normal.  Two things would take coverage from it, and are the caller's to see to:
 *   an interval that is cut where values end has no distance there: so it is not to be cut, or
 *   `box', and then lo = l2 - u1, hi = u2 - l1, which holds all the more; so has each end of d that
 *   an end at `least' or `most' is part of;
 *   noise in steps, or with long tails and a low confidence: a distance is to be at least the
 *   quantile of |X - Y|, both of its noise, in sqrt(2), so that two alike make that of it.
 * What is no estimate (DP_NONE) lies anywhere in its interval, a box.
 */
struct dp_law_range {
	dp_wide est, lo, hi;
	dp_wide least, most;	/* of what is estimated; DP_NONE: nothing is known */
	bool box;
};

void	dp_law_difference(const struct dp_law_range *other, const struct dp_law_range *one,
	    struct dp_law_range *out);

/*
 * Sum of n coef^2 Var(z), with n coef^2 p (1 - p) for flips; response: bits times
 * (1-gap^2) / (4 gap^2), or each.
 */
double	dp_law_variance(const struct dp_law *);

/*
 * Least integer w with P(|error| > w) <= gamma, 0 < gamma < 1; error: of what is printed, the whole
 * number nearest to what is estimated and noise X.  By inversion of the characteristic function of
 * X + U, U uniform on a width of one.  Where a whole number is estimated |error| > w means |X| >= w
 * + 1/2: exact for integer laws; for the others the smoothing only widens (Anderson's inequality).
 * Where what is estimated lies between whole numbers the error is X and what rounding does to it,
 * which is U if it is as likely anywhere between them: |X + U| > w.  gamma < 1e-9: the Chernoff
 * bound, rigorous and at most some 15 % wider.  Response: Chernoff's bound; of `each' Hoeffding's.
 * Flips, whose law need not be symmetric: the probability of both sides together, by the real part
 * of the characteristic function; one unit more for the smoothing, where Anderson's inequality does
 * not apply; flips alone: no more than they can come to.  Parts: law.c; NAN: no memory.
 */
double	dp_law_bound(const struct dp_law *, double gamma);
/*
 * P(|error| > k step), k < n, at most, with a step that is whole, of terms alone: as dp_law_bound()
 * has it, by one inversion; of a law too wide for that by Chernoff's bound.
 */
void	dp_law_beyond(const struct dp_law *, double step, unsigned n, double *p);

/* 2 min_s exp(K(s) - s x): rigorous. */
double	dp_law_chernoff(const struct dp_law *, double x);
/*
 * The largest y with P(|x| > y) = gamma of any symmetric log-concave law of variance 1; and the
 * gamma of a y.
 */
double	dp_law_widest(double gamma);
/*
 * Standard deviation by which dp_law_widest() and dp_law_widest_tail() hold for a law of this
 * variance, also on whole numbers.
 */
double	dp_law_spread(double variance);
/*
 * P(error >= x), x a positive integer, however small: by the saddlepoint (Lugannani, Rice 1980,
 * with Daniels' correction for lattices).  Gaussian: exact but for the lattice.  Laplace: at most
 * 1.5 % of itself too small, and 3 % + 1/12n too large for a sum of n, as t_saddle.c measures.
 */
double	dp_law_upper(const struct dp_law *, double x);
/*
 * P(X >= x) for a law that has parts alone, x in standard deviations, from some points: they serve
 * for laws of other variances with nearly the same form.  The law's variance must be at least
 * DP_LAW_FINE, so that its lattice is fine.  false: no memory.
 */
#define DP_LAW_FINE	4
#define DP_LAW_TAILS	(DP_LAW_POINTS + 2)
bool	dp_law_tails(struct dp_law_tails *, const struct dp_law *) DP_MUSTUSE;
struct dp_law_tails {
	unsigned n;		/* the last of the points, of which the first is 0 */
	double x[DP_LAW_TAILS];
	double left[DP_LAW_TAILS];	/* log P + x^2 / 2, which is nearly a line */
};
double	dp_law_tails_upper(const struct dp_law_tails *, double x);

/*
 * The least whole w with P(|z| > w) <= p for one draw z, 0 < p < 1.  A discrete Gaussian of sigma
 * >= 4 counts as a rounded one: a relative (w/sigma^2)^2 / 24 off.
 */
double	dp_noise_width(const struct dp_noise *, double p);
/*
 * The s > 0 with K'(s) = y > 0, K(s) = log E exp(s error); and K(s), which may be INFINITY, and
 * always is for laws with parts: these have no saddle here.
 */
double	dp_law_saddle(const struct dp_law *, double y);
double	dp_law_cumulant(const struct dp_law *, double s);

#endif
