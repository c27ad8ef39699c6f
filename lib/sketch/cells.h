/*
 * cells.h - integers on a circle that wraps, each begun at a private place.
 *
 * A cell holds c + f a mod 2^n: a is what happened, net; f is a public multiplier; c is drawn once.
 * IN is the half circle [-2^(n-2), 2^(n-2)), OUT the other.  c is in IN with probability E/(1+E), E
 * = e^eps1, and uniform in the half it is in.
 *
 * PAN-PRIVACY.  Statement: let each identifier feed one cell, and let every output be T(sum over
 * cells g(cell) + DLap(R/eps2)), T any function, g of integer values that differ by at most R; or T
 * of several such sums, each with noise of its own, over sets of cells that share none.  Let two
 * streams differ in what happens to one identifier.  Then the memory at any one moment t0, with k
 * outputs, before or after t0, is (eps1 + k eps2)-DP.
 *
 * Proof: tests/proof/sketches.md.
 *
 * Privacy does not ask what f is: f, and the key it is made with, may be known.  Estimates ask that
 * it does not depend on the stream.  Arithmetic is on integers that wrap: with floating point the
 * last bits would tell a cell that was moved from one that was not.
 *
 * UNBIASED.  Statement: for f uniform on the circle and a not 0 mod 2^n, P(c + f a in IN) = 1/2.
 * Proof: tests/proof/sketches.md.
 *
 * All n <= 64 bits are the upper ones of a word, so that unsigned arithmetic wraps as it should.
 */
#ifndef DP_CELLS_H
#define DP_CELLS_H

#include "sketch.h"

#define DP_CELLS_QUARTER	((uint64_t)1 << 62)

static inline bool
dp_cell_out(uint64_t cell)
{
	return (cell + DP_CELLS_QUARTER) >> 63 != 0;
}

/* A cell's start; shift = 64 - n. */
int	dp_cell_start(const struct dp_noise *state, struct dp_rng *, unsigned shift, uint64_t *cell)
	    DP_MUSTUSE;

/* Carrier of the cells' noise, for --explain. */
#define DP_CELL_BEGINS	"the half of the circle in which a cell begins: its sign"

/* Probabilities of OUT, of an untouched cell and of one that holds an identifier. */
struct dp_odds {
	double p;		/* untouched: OUT with probability 1/(1+E) */
	double gap;		/* by how much more often one that holds some is OUT: 1/2 - p */
};

void	dp_cell_odds(struct dp_odds *, const struct dp_noise *state, struct dp_numbers *);

/* The starts of n cells, none of which stays in the generator's buffer. */
int	dp_cells_start(const struct dp_memory *, struct dp_rng *, unsigned shift, uint64_t *cell,
	    uint64_t n) DP_MUSTUSE;

/*
 * For cells of a declared universe, cell[0 .. universe - 1], of which those are counted that are
 * OUT (cells.c): an identifier is seen; the variance, with that of an answer's noise, if `seen` of
 * them were; the law of an answer at step t with so many draws on it; and ops->error().
 */
void	dp_cells_see(const struct dp_memory *, const uint8_t *key, unsigned shift, uint64_t *cell,
	    const struct dp_id *);
double	dp_cells_variance(const struct dp_memory *, double seen, double eps1, double noise);
void	dp_cells_law(const struct dp_memory *, const struct dp_odds *, uint64_t t, double n,
	    struct dp_law *);
void	dp_cells_error(const struct dp_mech *, uint64_t T, struct dp_error *);

#endif
