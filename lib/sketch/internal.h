/* SPDX-License-Identifier: ISC */
/* internal.h - internal to lib/sketch: what its files alone share. */
#ifndef DP_SKETCH_INTERNAL_H
#define DP_SKETCH_INTERNAL_H

#include "sketch.h"

struct dp_local;

#define DP_SKETCH_MODULO	65536

/* Number of answers that the rule asks for; 0: without a horizon, unknown. */
uint64_t dp_sketch_outputs(const struct dp_mech_rule *);
/* Answers are in units of the statistic: identifiers; or millionths of the universe. */
double	dp_sketch_unit(const struct dp_mech_rule *);
/* The nearest integer, of an estimate that doubles compute from what is private already. */
dp_wide	dp_sketch_round(double);

/*
 * Head of the plan of a sketch whose memory is private: the noises of (*), and numbers about them
 * for the operations below. m.drawn.numbers: the numbers that `output` is added to. m.drawn.unit:
 * the worth of one of its units, where a unit of `state` is worth 1.
 */
struct dp_memory {
	struct dp_mech m;
	struct dp_noise state, output;
	struct dp_sketch s;
	const char *begins;		/* what `state` is on; NULL: it is not used */
	double draws;			/* a step */
	unsigned each;			/* draws of an answer; 0: no Gaussian ones */
	uint64_t range, answers;	/* of an answer; of all: dp_memory_split()'s */
	const struct dp_coin *coin;	/* that memory begins by, not by `state'; NULL: it does */
	uint64_t odds;			/* of that coin: its places' own */
	bool redrawn;			/* memory is bits that are drawn again (internal.h) */
	bool flipped;			/* and, after each look, flipped (density.c) */
	/* ops->answer(), but for the noise that it may leave on the stack. */
	int (*count)(const struct dp_mech *, void *col, struct dp_rng *, uint64_t t, dp_wide *est);
};

/* True: no noise. */
static inline bool
dp_memory_exact(const struct dp_memory *k)
{
	return k->output.kind == DP_NOISE_NONE;
}

/*
 * Allocates a plan of `size` bytes, `column` bytes a column: answers draw once, and what is drawn
 * is on every answer.  NULL: there is no memory.
 */
void	*dp_memory_alloc(const struct dp_mech_ops *, size_t size, const struct dp_mech_rule *,
	    size_t column);
/*
 * Its noises: `state` of scale l1 / eps1, `output` of scale range l1 / eps2, so that where one
 * identifier can move an integer by `range`, that integer plus a draw costs eps2; or, where that is
 * less, Gaussian noise for all outputs.  variance(arg, eps1, v) is what is to be least; it is given
 * the loss of one identifier, and the variance of a draw.  As dp_privacy_laplace(); DP_EINVAL also
 * if the number of outputs is 0 or above 2^30.  On an error the plan is freed.
 */
int	dp_memory_split(struct dp_memory *, const struct dp_mech_rule *, uint64_t range,
	    double (*variance)(const void *arg, double, double), const void *arg) DP_MUSTUSE;
/* The public key of a column. */
int	dp_memory_key(uint8_t key[static 16], struct dp_rng *) DP_MUSTUSE;

/* Members of dp_mech_ops. */
int	dp_memory_answer(const struct dp_mech *, void *col, struct dp_rng *, uint64_t t,
	    dp_wide *est) DP_MUSTUSE;
bool	dp_memory_family(const struct dp_mech *, unsigned i, const struct dp_noise **,
	    const char **what);
double	dp_memory_unit(const struct dp_mech *, unsigned i);
double	dp_memory_draws(const struct dp_mech *);
int	dp_memory_certify(const struct dp_mech *, struct dp_buf *) DP_MUSTUSE;

#define DP_MEMORY_OPS \
	.tasks = DP_TASK_OWN, .step = dp_sketch_step, .answer = dp_memory_answer, \
	.drawn.family = dp_memory_family, .drawn.unit = dp_memory_unit, \
	.drawn.number = dp_memory_draws, .drawn.certify = dp_memory_certify

/* The division itself, by (*): the shares of epsilon that are eps1's and eps2's. */
int	dp_sketch_shares(struct dp_q *state, struct dp_q *output, const struct dp_mech_rule *,
	    uint64_t range, double (*variance)(const void *arg, double, double), const void *arg)
	    DP_MUSTUSE;
/* The loss that a noise of dp_memory_split() stands for, of one identifier; of none: infinite. */
double	dp_sketch_loss(const struct dp_noise *);
/* Variance of a discrete Laplace variable of scale 1 / eps. */
double	dp_sketch_laplace(double eps);

/*
 * A draw that is true with probability 1/(1 + e^eps), exactly: state > 0, as the discrete Laplace
 * law has P(z > 0) = q/(1 + q), q = e^-eps.
 */
int	dp_sketch_flip(const struct dp_noise *state, struct dp_rng *, bool *) DP_MUSTUSE;

/* ops->say.refuses() of what is for identifiers that are never undone. */
const char *dp_sketch_refuse_deletes(const struct dp_task *);
/* ops->step() where time does not matter. */
int	dp_sketch_step(const struct dp_mech *, void *col, struct dp_rng *, uint64_t t,
	    const int64_t *x, dp_wide *est) DP_MUSTUSE;

/*
 * Hashed ones, whose error grows with their number: the least error besides.
 *
 * Statement: let a private answer be within a factor from 1 - A to 1 + A of the number of
 * identifiers, but for B, each with probability 1 - gamma.  Then B >= (1 - A) n/2, n the largest
 * whole number below ln((1 - gamma)/(gamma + delta/(e^epsilon - 1)))/epsilon.  Of cropped sums tau
 * times that.
 * Proof.  If not, the answers to none and to n identifiers are on two sides of (1 - A) n/2, each
 * but for gamma: S, those above it, has P_0(S) <= gamma and P_n(S) >= 1 - gamma.  But, by one
 * identifier after the other, P_n(S) <= e^(n epsilon) P_0(S) + delta (e^(n epsilon) - 1)/(e^epsilon
 * - 1).
 *
 * Theorem 14 of Mir et al. 2011 has log(1/gamma)/log m, with no constant, of memory that is
 * private; this holds whatever memory is.
 */
double	dp_sketch_additive(double epsilon, double delta, double gamma);	/* n/2 */

/*
 * Integers on a circle that wraps, each begun at a private place.
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
void	dp_cells_law(const struct dp_memory *, const struct dp_odds *, uint64_t t, double n,
	    struct dp_law *);
void	dp_cells_error(const struct dp_mech *, uint64_t T, struct dp_error *);

/*
 * Random bits that tell whether something was seen, for density.c and hashed.c.
 *
 * A bit begins as 1 with probability p = 1/(1+E), E = e^eps1, and is drawn again at every sight, as
 * 1 with probability q = 1 - p.
 *
 * AGAIN.  Statement: let each identifier draw one bit, also one that others draw, too, and let each
 * of k outputs be a function of sums of bits, a sum for each set of several that share none, plus
 * DLap(1/eps2).  Then memory at one moment t0, with the outputs before and after it, costs
 *	eps1 + log(p + q e^(k eps2)),
 * which is less than eps1 + k eps2, and is attained.
 * Proof: tests/proof/sketches.md.
 *
 * MERGED.  Statement: the bits of two logs, of one identifier, each private, cannot be made one bit
 * that has the law of both logs' lines together, by whatever is drawn; nor can those of more logs.
 * So --partial is refused with -P.
 * Proof: tests/proof/sketches.md.
 */

/* Bytes of n bits, a multiple of 8. */
size_t	dp_bits_bytes(uint64_t n);
int	dp_bits_start(uint64_t *word, uint64_t n, const struct dp_noise *state, struct dp_rng *)
	    DP_MUSTUSE;
int	dp_bits_see(uint64_t *word, uint64_t place, const struct dp_noise *state, struct dp_rng *)
	    DP_MUSTUSE;
/* Number of ones among the n bits from `from` on. */
uint64_t dp_bits_count(const uint64_t *word, uint64_t from, uint64_t n);
/* Carrier of the bits' noise, for --explain. */
#define DP_BIT_BEGINS	"every bit: its sign"
/* Loss of so many looks at bits that are flipped after each (density.c), eps1 at the first. */
double	dp_bits_looks(double eps1, uint64_t looks);
/* p, and gap = 1 - 2p. */
void	dp_bits_odds(struct dp_odds *, const struct dp_noise *state, struct dp_numbers *);

/*
 * Answers that are an exact number, changing with time, plus the noise of a counter.
 *
 * The number at answer j is n_j, n_0 = 0.  Of three ways the one with the smallest largest error:
 *   a running count of the differences n_j - n_(j-1), by the best mechanism for a count there is
 *   (job/plan.h), over as many steps as there are answers;
 *   n_j + DLap(touched worth l1/epsilon), each answer by itself;
 *   n_j and discrete Gaussian noise for a shift of sqrt(touched) worth l1, where there is a delta.
 *
 * Statement: let neighbours have numbers n, n' with e_j = n_j - n'_j, d_j = e_j - e_(j-1), sum
 * |d_j| <= moves worth l1, |C d|^2 <= fading (worth l1)^2 for C as l2fading asks
 * (account/privacy.h),
 * |e_j| <= worth l1, and at most `touched` of the e_j not 0, l1 of the rule.  Then all answers
 * together are private as the rule says.
 *
 * Several columns, each with numbers of its own: as much of all of them together, if at most
 * `columns` of the rule have an e_j that is not 0, each within linf worth; then |C d|^2 of them all
 * is at most fading worth^2 l2squared, `columns' times as many e_j are not 0, and Gaussian noise is
 * for a shift of sqrt(touched columns) worth linf.
 *
 * Proof.  The counter protects streams that differ by d, |d|_1 <= moves worth l1, in one column;
 * for what is concentrated by |d|_1^2 (account/neighbour.h, account/privacy.h), or by `fading`. 
 * That is all that
 * is asked of it: each mechanism for a count proves it for what is released, also for data that
 * respond.  None of its memory is: where memory is to be private there is no counter.  The other
 * ways: a shift of all answers by at most touched worth l1 in L1, sqrt(touched) worth l1 in L2.
 */

/*
 * Head of the plan of such a mechanism.  Its column is the mechanism's own part, with the number in
 * it, then the counter's.
 */
struct dp_counter {
	struct dp_mech m;		/* its part: what counts; none: each answer by itself */
	struct dp_noise own;
	uint64_t answers;		/* 0: endless */
	uint64_t moves, touched;	/* without a part: of an answer; of all, so many */
	struct dp_counter_sum {		/* with a part: of d_j, as the statement has them */
		uint64_t moves, fading;
	} sum;
	uint64_t every;			/* steps between answers; 0: there is one */
	size_t number;			/* where in a column the number stands, an int64_t */
	double unit;			/* what one of it is worth in answers; 0 is 1 */
	size_t at;			/* where the counter's part begins, a multiple of 64 */
};

/* Reach that the statement asks for; fading = 0: moves^2. */
struct dp_counter_reach {
	uint64_t moves, touched, fading;
	uint64_t worth;			/* 1 .. 2^32 */
};

/*
 * Distances of numbers that are sums of items' parts, from 0 to `worth`, where one item's may rise
 * above and fall below every level w times in all (w = 1: it rises, and stays), and all else is
 * equal; k answers, 0: endless. worth = 1: items come and go.
 *
 * Statement: presence (an item's times, or none of them): moves = min(w, k), fading the same; else
 * (any times, and any others) moves = min(2w, 2k - 1), fading = 4 min(w, k), but 2 for w = 1, and 1
 * for k = 1; touched = k in both cases.
 *
 * Proof.  What an item adds is the sum of `worth` layers, layer s being 1 where it adds s or more,
 * else 0; norms of the sum are at most the sums of norms, so worth = 1 is enough.  e_j = n_j -
 * n'_j is the item's, within -1..1, or 0..1 up to the sign if one of the two is 0.  Each coming
 * and going of either stream changes it by 1: at most w, or 2w, in all, also where only some
 * moments are looked at.  And e_0 = 0, so that e_1 differs from it by 1 at most and each e_j after
 * it from the one before by 1 or 2.  |e_j| <= 1.
 *   fading.  An item's own d is +1, -1, +1, .. at v <= min(w, k) moments, so |C d|^2 is sum <c_i,
 *   c_i> less, for every i of them, twice <c_i, c_k> - <c_i, c_k'> + .., i < k < k' < .., whose
 *   terms fall and are not negative: it is not below 0.  So |C d|^2 <= v max |c_i|^2.  Of two
 *   items, 2 sqrt(v) as a norm.  w = 1: e is 1, or -1, from one of two moments up to the other:
 *   +1, -1, v = 2.
 */
struct dp_counter_reach dp_counter_items(uint64_t w, uint64_t k, bool presence);

/*
 * Times that an item comes or goes in T steps, at most, if it is there for W steps at least
 * whenever it comes, and away for one at least whenever it goes: those of coming at 1, going at W +
 * 1, coming at W + 2, and so on.  W, T >= 1.
 */
uint64_t dp_counter_changes(uint64_t W, uint64_t T);

/*
 * Of a plan from dp_mech_alloc(), with the bytes that are its own as its column, and `number` set.
 * As ops->create(); on an error the plan is freed.
 */
int	dp_counter_create(struct dp_counter *, const struct dp_mech_rule *,
	    struct dp_counter_reach) DP_MUSTUSE;

/* Members of dp_mech_ops.  The one note is the number. */
/* The next answer; DP_EHORIZON: there were as many as were paid for. */
int	dp_counter_answer(const struct dp_mech *, void *col, struct dp_rng *, uint64_t t,
	    dp_wide *est) DP_MUSTUSE;
bool	dp_counter_valid(const struct dp_mech *, const void *col, uint64_t t);
void	dp_counter_law(const struct dp_mech *, unsigned out, uint64_t t, struct dp_law *);
void	dp_counter_error(const struct dp_mech *, uint64_t T, struct dp_error *);
double	dp_counter_draws(const struct dp_mech *);
bool	dp_counter_note(const struct dp_mech *, unsigned i, double unit, char *text, size_t size);

int	dp_counter_certify(const struct dp_mech *, struct dp_buf *) DP_MUSTUSE;

/* All of them but valid(), to which a mechanism may have something to add. */
#define DP_COUNTER_OPS \
	.tasks = DP_TASK_OWN, .answer = dp_counter_answer, .law.at = dp_counter_law, \
	.error = dp_counter_error, .drawn.number = dp_counter_draws, .say.note = dp_counter_note, \
	.drawn.certify = dp_counter_certify

/*
 * Number of identifiers behind the counts of levels (hashed.c), and its interval.
 *
 * Level l counts Y_l of its B_l buckets, Y_l + z_l is y_l, z_l noise.  A bucket counts with
 * probability q_l(D) = p + gap (1 - (1 - pi_l/B_l)^D) if there are D identifiers.  All of it works
 * on y, which is private: doubles do no harm.
 *
 * INTERVAL.  Statement: all D that the score of y does not refute,
 *	|U(D)| <= c(D), U(D) = sum over l of a_l(D) (y_l - B_l q_l(D)),
 * a_l the weight that an efficient estimate near D gives to level l, c(D) the 1 - gamma quantile of
 * |U(D)|, hold the true D with probability 1 - gamma; so does the least interval around them.
 * Proof: tests/proof/sketches.md.
 */

#define DP_LEVELS	21
#define DP_LEVELS_WIDE	1		/* the level whose size is one of its own */

struct dp_levels {
	double b, wide;			/* B_l; that of DP_LEVELS_WIDE */
	struct dp_odds odds;
	const struct dp_noise *z;	/* of each level's count; NULL: none */
	double noise;			/* its variance */
	const struct dp_levels_row *row;	/* for the search, else NULL */
};

/* pi_l: 2^-(l+1), and what is left for the last. */
double	dp_levels_share(unsigned level);
/* Variance of an efficient estimate of D, 1 over the information. */
double	dp_levels_variance(const struct dp_levels *, double D);
/* Law of U(D), in identifiers: that of D^ - D to the first order. */
void	dp_levels_law(const struct dp_levels *, double D, struct dp_law *);

/*
 * Distinct identifiers of a declared universe, or their density, answer after answer, each with
 * any number of lines: random bits, whose number is found to have passed one step after another.
 *
 * Bits are those of density.c: m of them, Y being 1.  Every r-th answer is a look at them: N =
 * floor(k/r) of k answers; m p is rounded.  With noise c of its own, and theta, a sum of
 * noises of stretches of looks,
 *	v = Y - m p + c - theta,
 * and the level i, from 0 on, rises to the number of j = 1 .. K with j s < v, if that is more.
 * Printed is the middle of the range of D at that level, E Y = m p + gap D,
 *	from i s/gap, or 0 at level 0, to (i + 1) s/gap + lag, or M at level K,
 * also by the answers that follow, to the next look; lag, how many identifiers may come between two
 * looks besides those of one answer: (r - 1) times the lines of an answer; r = 1 if these are not
 * known.  M: the most identifiers there may be.  s: so that these stretches have one length.
 *
 * Noises are discrete Laplace.  theta is the sum of those whose stretch holds look n (from 0): one
 * for each [a 2^i, (a+1) 2^i), low <= i < top, 2^top >= N, drawn when it begins, wiped when it
 * ends, of scale 1/x; c has 1/y.  Where low = top there is none, v itself may be told, and s = 1.
 *
 * PRIVACY.  Statement: let L = top - low > 0, U = 2^low or N if that is less, and C = K or N - U if
 * that is less.  Memory at any one moment t0 and all k answers together are
 *	(eps1 + L x + (2 C + U) y)-DP,  however large k is.
 * Proof: tests/proof/sketches.md.
 *
 * ACCURACY.  Statement: of streams that do not respond to what is printed, none of the k answers is
 * off by more than drift + w/gap, but with probability N P(|c - theta + Y - E Y| > w), where drift
 * is half the length of a stretch, and 1/2 for rounding.
 * Proof: tests/proof/sketches.md.
 *
 * Dwork, Naor, Pitassi, Rothblum 2010, Figure 2 and Theorem 5.2, of a monotonic function and its
 * own sketch.  It releases the answer with noise, spared here: a step that is passed tells it.
 */

#define DP_MOVED_LEVELS	40

/* A division: memory's part of DP_MOVED_WHOLE, and theta's part of the rest; r; K; low. */
struct dp_moved_choice {
	uint64_t part, theta, every, steps;
	unsigned low;
};

#define DP_MOVED_WHOLE	((uint64_t)1 << 16)
#define DP_MOVED_STEPS	((uint64_t)1 << 21)	/* K, where there is a threshold */
#define DP_MOVED_DEEPEST 8			/* low, where there is: 2^low looks cost one each */

struct dp_moved {
	struct dp_memory mem;		/* output: c */
	struct dp_noise theta;
	struct dp_odds odds;
	uint64_t answers, looks;	/* k, N */
	double most;			/* M */
	double lines;			/* identifiers of an answer, at most; INFINITY: unknown */
	struct dp_moved_choice choice;
	unsigned levels;		/* L */
	uint64_t step;			/* s */
	int64_t middle;			/* round(m p) */
	double unit;			/* answers are in; what an identifier is of it */
	double square, mean;		/* of errors: the last answer's, and of all */
	double worst;			/* D, of the input that these are of (moved.c) */
};

/* Charges of theta's noises and of c: L and 2 C + U. */
uint64_t dp_moved_charge(const struct dp_moved *, bool theta);
/* N, L; choice.every and choice.low are known. */
void	dp_moved_layout(struct dp_moved *);

/*
 * The frequencies of a phase sketch and their weights, in integers.
 *
 * A ramp with foot `low` and top `tau`, 0 <= low < tau, is
 *	r(a) = min(1, max(0, (|a| - low)/(tau - low))).
 * KERNEL.  Statement: for x in [0, 1) let
 *	V(x) = sin(pi (tau + low) x) sin(pi (tau - low) x) / ((tau - low) sin^2(pi x)).
 * If f is drawn from 0 .. M - 1 with probabilities P(f) > 0 and |a| <= M - tau, then
 *	E W(f) cos(2 pi f a / M) = 1 - r(a),  W(f) = V(f/M) / (M P(f)).
 *
 * Proof: tests/proof/sketches.md.
 *
 * BANDS.  M = 2^64, and f is taken as signed.  The ranges of |f| are bands that double in width
 * every four, so that they are as dense as they are narrow: P is the same for all of a band, on
 * either side of 0.  Any P has E = 1 - r for every ramp; what P decides is the variance, by
 *	E W^2 = integral of V^2 / (M P),
 * which is least, of all P that are constant in bands, for masses in proportion to the square
 * root of the band's width times its integral of V^2.  Then its root is within some 2 % of the
 * least of all P, which is the integral of |V|; but the largest weight, which the noise of an
 * answer has to hide, is thrice as large.  So masses are also at least `even` times what would make
 * the largest weights of all bands the same: with even = 1 the root is 7 % above the least, and the
 * largest weight 1.4 times as large as it.
 *
 * A cosine is a polynomial in integers of 64 bits, and so is a weight, with divisions: the same on
 * every machine.
 */

#define DP_RAMP_MAX	((uint64_t)1 << 31)	/* of tau */
#define DP_BANDS_MAX	140
#define DP_BANDS_WHOLE	((uint64_t)1 << 32)	/* all masses together */
#define DP_WEIGHT_BITS	20			/* a weight of K is K 2^20 */

struct dp_ramp {
	uint64_t low, tau;
};

struct dp_bands {
	unsigned n;
	unsigned width[DP_BANDS_MAX];		/* its logarithm */
	uint64_t first[DP_BANDS_MAX];		/* the least |f| */
	/* f is in one of the bands 0 .. j - 1 with probability below[j] / DP_BANDS_WHOLE */
	uint64_t below[DP_BANDS_MAX + 1];
};

/*
 * Bands for any ramp from `least` to `most` (which are of one kind: low = 0, or low = tau/2), 0 <=
 * even <= 1; their masses pass through numbers.
 */
void	dp_bands_make(struct dp_bands *, const struct dp_ramp *least, const struct dp_ramp *most,
	    double even, struct dp_numbers *);
/* A frequency, of 128 random bits. */
uint64_t dp_bands_draw(const struct dp_bands *, const uint64_t bits[2]);
/* Not below |W| for any frequency and any of the ramps that the bands are for. */
double	dp_bands_peak(const struct dp_bands *, const struct dp_ramp *least,
	    const struct dp_ramp *most);
/* E W^2; to some 1e-4. */
double	dp_bands_square(const struct dp_bands *, const struct dp_ramp *);

/* V(x); and K W(f), in units of 2^-DP_WEIGHT_BITS, K < 2^21: within K 2^-24 and one unit. */
double	dp_ramp_kernel(const struct dp_ramp *, double x);
int64_t	dp_ramp_weight(const struct dp_bands *, const struct dp_ramp *, uint64_t K, uint64_t f);
/* cos(2 pi s / 2^64), in units of 2^-30, to within one of them. */
int64_t	dp_ramp_cosine(uint64_t s);

/*
 * The inside of phase.c and phase.c.
 */

#define DP_PHASE_BOUND	((int64_t)1 << 20)

struct dp_phase {
	struct dp_memory mem;
	const struct dp_statistic *what;
	uint64_t n;			/* cells */
	struct dp_bands bands;
	double gain;
	uint64_t every;			/* steps between answers; 0: there is one */
	unsigned levels;		/* of n cells each; 1: these are all */
	unsigned shift;			/* 64 - bits of a cell */
	/* Of the fixed ramp, if there is one; else of that at the end of the run. */
	uint64_t last;
	uint64_t K;
	double square;
};

/* The threshold after t lines. */
uint64_t dp_phase_tau(const struct dp_sketch *, uint64_t t);
/* W = 1 everywhere: a square wave will do. */
bool	dp_phase_square(const struct dp_phase *);

/*
 * The most that R is off where identifiers are hashed to n buckets, in t lines, but for a
 * probability p: light ones add up to heavy ones, and heavy ones meet.  Statement: that is at most
 *	min(t/tau, M + x),  M = t^2 c/(2 n),  x = s sqrt(t ln(2/p)/(2 d)),
 * d = tau - low, c = 1/(low d), or 2 where low is 0; s = 1, or 2 where identifiers may be undone.
 *
 * Proof.  Let identifier i come to a_i, sum |a_i| <= t, R = sum of r(|a_i|), and R' the sum over
 * buckets of r(|their sum|).  r(a)/a is 1/tau at most, so both are from 0 to t/tau.
 *   (1) In one bucket |r(|a_1 + .. + a_k|) - r(|a_1|) - .. - r(|a_k|)| <= c P, P the sum of
 *   |a_i a_j| over its pairs.  For k = 2, a >= b >= 0, low > 0: r(a + b) - r(a) - r(b) is 0 if a +
 *   b <= low; if a >= low it is at most b/d <= a b/(low d); if both are below, (a + b - low)/d, and
 *   low^2 - (a + b) low + a b = (low - a)(low - b) >= 0.  r(a) + r(b) - r(a + b) is at most r(a) +
 *   r(b) - r(a - b), which is 0 if a <= low; if b <= low < a it is at most b/d; else (a + b - 2
 *   low)/d, and a b - (a + b) low + 2 low^2 = (a - low)(b - low) + low^2 >= 0.  Where low = 0 it is
 *   within 2, and a b >= 1 if neither is 0.  For k > 2 one by one: the k-th with the sum of those
 *   before.
 *   (2) Two are in one bucket with probability 1/n, so |E R' - R| <= c (t^2/2)/n = M.
 *   (3) Where one identifier goes moves R' by min(1, |a_i|/d) s at most, all else equal, and the
 *   sum of the squares of that is at most s^2 t/d: McDiarmid's inequality gives x, for both sides.
 * With a share of the lines tau moves with t: then M <= 9/4 share^2/n, and t/d <= 2 share, at any
 * t.  (low d >= 2/9 tau^2 for tau >= 2; for 1, t <= share.)
 */
double	dp_phase_meeting(const struct dp_phase *, uint64_t t, double p);

/* Algorithm 2 of Mir et al. 2011 (paper.c), as a part of Algorithm 3. */

/* phi(a): what an identifier of net count a >= 0 adds, on average, before that. */
double	dp_alg2_adds(const struct dp_mech *, double a);

#define DP_LOCAL_SYMBOLS_MAX	1000000
#define DP_LOCAL_BITS_MAX	65536	/* symbols, where an answer is a bit for each */
/* miss = 1 - p and gap = p - q > 0, neither found by that difference. */
const struct dp_local *dp_local_of(const struct dp_mech *);
/*
 * A plan with K and other; column: bytes.  The caller makes its coin by dp_local_coin(), which
 * frees the plan on an error.  DP_EINVAL: K out of range; DP_ENOMEM.
 */
int	dp_local_new(struct dp_local **, const struct dp_mech_rule *, const struct dp_mech_ops *,
	    size_t column) DP_MUSTUSE;
int	dp_local_coin(struct dp_local *, const struct dp_mech_rule *, struct dp_q odds) DP_MUSTUSE;
/* CELLS of value.c; its task is one of numbers. */
int	dp_value_cells(struct dp_mech **, const struct dp_mech_ops *, const struct dp_mech_rule *,
	    uint64_t M, uint64_t W) DP_MUSTUSE;
int	dp_local_certify(const struct dp_mech *, struct dp_buf *) DP_MUSTUSE;
/* Moves past the mechanism's name and the colon; false: the text does not begin with them. */
bool	dp_local_untag(const struct dp_local *, struct dp_slice *);

/* The symbol that line x is answered as: x itself, unless it is -1. */
int	dp_local_symbol(const struct dp_local *, struct dp_rng *, int64_t x, uint64_t *v)
	    DP_MUSTUSE;

/*
 * Sets of symbols, bit v % 64 of word v / 64, as text: the mechanism's name, a colon, and a hex
 * digit for every four symbols, of which the first is its highest bit.
 */
#define DP_LOCAL_BYTES(x)	((uint64_t)(x) * 0x0101010101010101)	/* eight of them */

/* Number of bits that are 1: the compiler's is a call, and a table, without an instruction. */
static inline unsigned
dp_local_ones(uint64_t w)
{
	w -= w >> 1 & DP_LOCAL_BYTES(0x55);
	w = (w & DP_LOCAL_BYTES(0x33)) + (w >> 2 & DP_LOCAL_BYTES(0x33));
	return (unsigned)(((w + (w >> 4)) & DP_LOCAL_BYTES(0x0f)) * DP_LOCAL_BYTES(1) >> 56);
}
char	*dp_local_put(const struct dp_mech *, const void *col, dp_wide, char *p);
/*
 * Numbers that dp_local_add() counts into, dp_local_support() ends.  named: how many symbols there
 * must be; 0: any number.
 */
void	dp_local_support(const struct dp_mech *, int64_t *count, uint64_t n);

/* P(Bin(c, p) + Bin(m, q) >= a), never below the truth by more than its rounding. */
double	dp_binomials_above(double c, double p, double m, double q, double a);

#endif
