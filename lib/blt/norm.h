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
 * Proof: tests/proof/blt.md.
 *
 * ERROR in closed form: tests/proof/blt.md.
 *
 * Cost: as blt.h's; a plan takes T's octaves times 16 pieces, some ms and 90 KB.
 */
#ifndef DP_BLT_NORM_H
#define DP_BLT_NORM_H

#include "blt.h"

#define DP_BLT_PIECES	768		/* 16 an octave, T <= 2^50 */

/* norm's: DP_EINVAL also if there is no horizon; DP_ERANGE: D is too small */
extern const struct dp_mech_ops dp_blt_ops, dp_blt_norm_ops;

/* b->norm and b->size for its form, s and end; the N_t pass through numbers. */
int	dp_blt_norm_set(struct dp_blt *, struct dp_numbers *) DP_MUSTUSE;
/* N_t; t beyond T: that of T; 1 where there is no noise. */
uint64_t dp_blt_norm_unit(const struct dp_blt *, uint64_t t);
/* The i-th piece from the first step on: that step's T - t + 1, and N; false past the last. */
bool	dp_blt_norm_piece(const struct dp_blt *, unsigned i, uint64_t *left, uint64_t *unit);

#endif
