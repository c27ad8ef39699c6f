/* SPDX-License-Identifier: ISC */
/*
 * selection.h - which of n integer scores is the largest, nearly: exact samplers of a choice.
 *
 * Symbols: b > 0 the scale, g_j = max s - s_j the gap of score s_j, w_j = exp(-g_j / b).
 *   FLIP   permute-and-flip (McKenna, Sheldon 2020): in an order taken at random j is accepted with
 *          probability w_j; the first one accepted is the choice.
 *   WEIGH  the exponential mechanism (McSherry, Talwar 2007): P(j) = w_j / sum w.
 * No choice depends on more than the gaps: adding a constant to all scores changes nothing.
 *
 * Statement (privacy).  If the neighbour's scores are s_j + d_j with max d - min d <= spread, then
 * every P(j) changes by a factor of at most e^eps0, eps0 = spread / b.  WEIGH is
 * (eps0^2 / 8)-concentrated besides: its Renyi divergence of every order a is at most a eps0^2 / 8.
 *
 * Proof: tests/proof/selection.md.
 *
 * Statement (loss).  Whatever the scores, P(g of the choice >= y) <= dp_choose_tail(y), which is
 * attained where one score leads and all others are y behind it.
 * Proof: tests/proof/selection.md.
 *
 * As drawn.  (1) Gaps count as at most C = max(1, floor(67 b)): that is max(s_j, max s - C) as a
 *   score, whose moves are within the same 0 .. spread, so that both statements on privacy hold.
 *   All w_j are then at least exp(-67) > 2^-97.
 * (2) Each w_j is a fraction of 256 bits, a product of factors exp(-2^i / b), off by less than 2^7
 *   units: a factor within exp(+-2^-151).  FLIP compares it with 256 random bits (g_j = 0 is always
 *   accepted), and gives each column 256 more; the accepted one with the most is the choice, wrong
 *   in a share of n 2^-256.  WEIGH takes a place below the sum from 512 bits.  So every P(j) is the
 *   law's times a factor within exp(+-2^-140), n <= 2^32: nothing beside noise.h's 2^-99.
 *
 * Time.  As many bytes are taken, and the same loads, stores and multiplications done in the same
 * order, whatever the scores and the bytes are: n, C and the kind alone decide.  (noise.h's
 * exception, a word that ties with a threshold, does not arise.)  Checked with valgrind, scores and
 * bytes marked undefined, on gcc 12 and clang 14; it is a property of compiled code.
 */
#ifndef DP_RANDOM_SELECTION_H
#define DP_RANDOM_SELECTION_H

#include "noise.h"

struct dp_choose;
struct dp_rng;

#define DP_CHOOSE_BITS	47	/* of a gap that counts: 67 2^40 < 2^47 */

/* *which of n scores, 1 <= n <= 2^32.  DP_EENTROPY, DP_EINVAL: *which is undefined. */
int	dp_choose(const struct dp_choose *, struct dp_rng *, const int64_t *score, size_t n,
	    size_t *which) DP_MUSTUSE;

struct dp_choose {
	enum dp_noise_kind kind;	/* FLIP, WEIGH; NONE: the largest, of equals the first */
	struct dp_q scale;		/* b */
	uint64_t most;			/* C */
	unsigned bits;			/* of C; 0: no table */
	uint64_t factor[DP_CHOOSE_BITS][4];	/* exp(-2^i / b), high word first */
};

/* The largest score, always; the first of equals (epsilon = inf). */
void	dp_choose_none(struct dp_choose *);
/*
 * dp_choose_describe(): b is used exactly as given, except that b < 1/64 becomes 1/64; DP_ERANGE if
 * b > 2^40, DP_EINVAL: another kind, or b.den is 0.  Only account/privacy.c may call it.  The
 * result can
 * predict; dp_choose_build() makes the table that a choice needs.
 */
int	dp_choose_describe(struct dp_choose *, enum dp_noise_kind, struct dp_q b) DP_MUSTUSE;
int	dp_choose_build(struct dp_choose *) DP_MUSTUSE;

/* The largest P(g >= y) over all scores; y > C counts as C, as gaps beyond C count as C. */
double	dp_choose_tail(const struct dp_choose *, size_t n, double y);
/* Least whole x with P(g > x) <= p whatever the scores are; INFINITY: C is not enough. */
double	dp_choose_gap(const struct dp_choose *, size_t n, double p);

#endif
