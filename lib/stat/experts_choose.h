/*
 * experts_choose.h - the plan of a leader that is chosen now and then, and what it costs;
 * experts_choose.c has its choices.
 *
 * Regret.  b is the scale, c = H_D - 1 for permute-and-flip, H_D = 1 + 1/2 + .. + 1/D, and
 * c = ln D for the exponential mechanism; U the width of the range; a block the rounds of one
 * choice; costs are fixed in advance.
 * Statement.  The choices' expected cost is above the best expert's, L, by at most
 *	b c + the sum over blocks, of r rounds, of min(r U, (r U)^2 / (k b)),  k = 4 or 8,
 * and, if no block has more than B rounds, is at most
 *	a (L + b c),  a = y / (1 - e^-y),  y = B U / b.
 * Proof: tests/proof/regret.md.
 *
 * Doubling has blocks so long that this says nothing.  Statement.  If the rounds are independent of
 * each other and of one law, which gives an expert the mean cost mu_i, mu the least, then
 *	sum over rounds of mu_(choice) - mu <= (1 - 1/D) U in the first block, and in each round
 * that follows a choice from t lines (b c + U sqrt(t ln(D) / 2)) / t, or U if that is less.
 * Proof: tests/proof/regret.md.
 * Statement.  With L = T mu all costs are at most, t_0 the first block's lines, x = 1/2,
 *	a L + t_0 U + n (U + a b c + U ln(D) a / x),  a = x / (1 - e^-x).
 * Proof: tests/proof/regret.md.
 *
 * Segments, R rounds each, the last one perhaps fewer; the last choice of one is held over the
 * next's first block.  Each has the statements above, of R rounds and against the best expert of
 * that segment (so much the more against one expert for all of them), but that from the second on
 * the first block counts V, or U a round, in full: its choice is made by other costs.
 */
#ifndef DP_EXPERTS_CHOOSE_H
#define DP_EXPERTS_CHOOSE_H

#include "experts.h"
#include "noise/selection.h"

struct dp_chooser {
	struct dp_mech m;
	bool doubling;
	uint64_t block;			/* B; doubling: n, and n alone */
	uint64_t segments, segment;	/* their number, and R; one: the horizon */
	double range;			/* U, grid units */
	double harmonic;		/* H_D - 1 */
	struct dp_choose choose;
	uint64_t spread;		/* that it is for */
	struct dp_noise shown;		/* its law, for --explain */
	char what[64];
};

/*
 * inputs, horizon, range, doubling and segments are set: the rest.  Errors as of
 * dp_mech_ops.create().
 */
int	dp_chooser_plan(struct dp_chooser *, const struct dp_mech_rule *) DP_MUSTUSE;
/* Choices that look at one line: n. */
uint64_t dp_chooser_paid(const struct dp_chooser *);
/* b c, grid units. */
double	dp_chooser_behind(const struct dp_chooser *);
/* The first statement's bound, all costs at most; and doubling's, for rounds of one law. */
double	dp_chooser_worst(const struct dp_chooser *);
double	dp_chooser_steady(const struct dp_chooser *);

#endif
