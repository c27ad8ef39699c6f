/*
 * norm.h - buffered linear Toeplitz noise with columns of one norm: running counts of a known
 * number of steps T, with 4 % less noise than blt.h's.
 *
 * blt.h pays for the longest column of C, ||c||_T, where ||c||_n^2 = c_0^2 + .. + c_(n-1)^2; but an
 * event at step t moves z_t .. z_T alone, ||c||_(T-t+1).  So let the noise of step t be in
 * proportion to that: all columns have one norm, and later steps less noise (Henzinger, Kalinin,
 * Upadhyay 2025, arXiv 2509.14334: the column-normalised square root).
 *
 * What is run.  blt.h's w_t = z_t - r_t, the same integers by the same recursion; but a grid unit
 * is N_t noise units at step t: y_t = x_t + floor(w_t 2^64 / N_t) 2^-64.  N_t = floor(D / ||c||_n),
 * D = 2^s, is constant over pieces, 16 an octave of T - t; n = T - t + 1 of the piece's first step,
 * so its longest column.
 *
 * Statement.  As blt.h's, where D ||c|| in H is H_0 = max_t N_t ||c||_(T-t+1), which is computed
 * from the N_t as they are (at most D).
 *
 * Proof.  y_t is a function of t and the integer N_t x_t + w_t, as floor((w + N x) 2^64 / N) =
 * floor(w 2^64 / N) + x 2^64; so what is to be shown is that the release of N_t x_t + w_t, t = 1 ..
 * T, is private.  One unit changes x by d, hence N_t x_t by d'_t = N_t d_t, integers again, known
 * from what was released before t.  The same release needs w - d' in place of w.  blt.h's proof
 * does not ask where the integers D d_t come from: with d'_t for D d_t it holds to the letter (the
 * dither is w_(t-1)'s own, whatever d'_(t-1) is), and its four sums are
 *  - sum_t (c*d')_t^2, t <= T: c*d' is sum_j N_j d_j (c moved to step j, cut after T); its norm
 *    is at most sum_j |d_j| N_j ||c||_(T-j+1) <= H_0 sum |d_j|; over columns H_0^2 l2;
 *  - |d'_t e_t| <= D |d_t|, as N_t <= D / ||c||_1 = D: 2 sum <= 2 D l1;
 *  - sum |g_t| <= max N_t l1 ||c||_1 + .. <= D l1 ||c||_1 + .., and what M adds up, likewise.
 * So S^2 is blt.h's with H_0 for D ||c||.  Which step, how many steps and which of many counts an
 * event moves is in l1 and l2 (neighbour.h), as there.
 *
 * ERROR.  W_t = w_1 + .. + w_t = sum_a A_a X_a(t), X_a(t) = sum_{j<=t} e^(-r_a (t-j)) z_j, where
 * A_a > 0 are the residues of L = 1 / ((1-z) C) and r_a its rates.  Summed by parts, the estimate's
 * noise at step t of a piece of scale q = 1/N is F + q W_t,
 *	F = sum over earlier pieces of (their q - the next one's q) W_(their last step).
 * Cov(X_a, X_b) is a geometric sum; Cov(F, X_a) falls by e^(-r_a) a step within a piece: so
 * Var = Var F + 2 q sum A_a Cov(F, X_a) + q^2 Var W, in which everything is positive, and its sum
 * over a piece, are closed.
 *
 * Cost: as blt.h's; a plan takes T's octaves times 16 pieces, some ms and 90 KB.
 */
#ifndef DP_BLT_NORM_H
#define DP_BLT_NORM_H

#include "blt.h"

#define DP_BLT_PIECES	768		/* 16 an octave, T <= 2^50 */

/* norm's: DP_EINVAL also if there is no horizon; DP_ERANGE: D is too small */
extern const struct dp_mech_ops dp_blt_ops, dp_blt_norm_ops;

/* b->norm and b->size for its form, s and end; the N_t pass through params. */
int	dp_blt_norm_set(struct dp_blt *, struct dp_params *) DP_MUSTUSE;
/* N_t; t beyond T: that of T; 1 where there is no noise. */
uint64_t dp_blt_norm_unit(const struct dp_blt *, uint64_t t);
/* The i-th piece from the first step on: that step's T - t + 1, and N; false past the last. */
bool	dp_blt_norm_piece(const struct dp_blt *, unsigned i, uint64_t *left, uint64_t *unit);

#endif
