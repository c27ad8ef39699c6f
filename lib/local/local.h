/*
 * local.h - local randomisers: every line, one person's symbol of K, is answered at once and by
 * itself, and nothing is kept; and the totals that can be told from many answers.
 *
 * Statement.  Let Y be the answer to a line with symbol v, a function of v and of fresh coins, and
 * for all answers y and symbols v, w
 *	P(Y = y | v) <= e^epsilon P(Y = y | w).					(1)
 * Then each line is (epsilon, 0)-locally private, all answers together are (epsilon, 0)-private for
 * inputs in which one line is replaced, and whoever stands behind j lines loses j epsilon.
 *
 * Proof.  Given the lines, answers are independent, so of the probability of all answers one factor
 * changes, and j factors for j lines.  A line that is none of the K symbols is answered as one that
 * is drawn from a fixed law, uniform or one declared symbol: its P(Y = y) is an average of those of
 * the symbols, and an average of numbers within a factor e^epsilon is within that factor of each.
 *
 * Between lines memory holds the last answer at most, which is printed: pan-private (-P), where the
 * line itself is wiped.
 *
 * Every randomiser here is of one form (Wang et al. 2017, "pure"): an answer supports a set of
 * symbols, the line's own with probability p, any other with probability q < p, the same for all.
 * With N_v answers of n that support v, and c_v lines that hold it, N_v is a sum of c_v coins of p
 * and n - c_v of q, so that
 *	C_v = (N_v - n q) / (p - q),  E C_v = c_v,
 *	Var C_v = (c_v p (1-p) + (n - c_v) q (1-q)) / (p - q)^2.
 * As the c_v sum to n, the mean of Var C_v over all K symbols is the same for all data:
 *	n (p (1-p) / K + (1 - 1/K) q (1-q)) / (p - q)^2,
 * and by that mechanisms are compared.
 */
#ifndef DP_LOCAL_H
#define DP_LOCAL_H

#include "mech/mech.h"

#define DP_LOCAL_SYMBOLS_MAX	1000000
#define DP_LOCAL_BITS_MAX	65536	/* symbols, where an answer is a bit for each */

extern const struct dp_statistic dp_local_statistic;

/* What dp_task.own points to. */
struct dp_local_task {
	size_t symbols;		/* K >= 2 */
	int64_t other;		/* what a line that is none is answered as; -1: one at random */
};

/* What a randomiser has beside step(): dp_mech_ops.answers. */
struct dp_answers {
	/*
	 * The answer that step() left in the column and the estimate, at p, where m->text bytes
	 * fit; returns the end.  NULL: the estimate is the place of a symbol, whose name it is.
	 */
	char *(*put)(const struct dp_mech *, const void *col, dp_wide est, char *p);
	/*
	 * Counts an answer into count[0 .. counts - 1]; false: put() never writes that.  NULL: its
	 * place is counted.
	 */
	bool (*add)(const struct dp_mech *, int64_t *count, struct dp_slice text);
	/* When all n are counted: makes them the N_v of all symbols, in place.  NULL: they are. */
	void (*support)(const struct dp_mech *, int64_t *count, uint64_t n);
	/* What is drawn, in words. */
	void (*describe)(const struct dp_mech *, char *text, size_t size);
};

/* Every randomiser's plan. */
struct dp_local {
	struct dp_mech m;
	size_t K;
	int64_t other;
	size_t counts;			/* what add() counts into: K, unless it says more */
	struct dp_coin coin;
	double p, q, gap;		/* gap = p - q, found without that difference */
	unsigned named;			/* subset: symbols that an answer names, */
	unsigned planes, part;		/* and how many are drawn by bits: local_subset.c */
};

/*
 * A plan with K and other; column: bytes.  The caller makes its coin by dp_local_coin(), which
 * frees the plan on an error, then sets p, q and gap by dp_local_set().  DP_EINVAL: K out of range;
 * DP_ENOMEM.
 */
int	dp_local_new(struct dp_local **, const struct dp_mech_rule *, const struct dp_mech_ops *,
	    size_t column) DP_MUSTUSE;
int	dp_local_coin(struct dp_local *, const struct dp_mech_rule *, struct dp_q share,
	    struct dp_q odds) DP_MUSTUSE;
/* miss = 1 - p and gap = p - q > 0, neither found by that difference. */
void	dp_local_set(struct dp_local *, double p, double miss, double q, double gap);
const struct dp_local *dp_local_of(const struct dp_mech *);

/* For the ops tables. */
void	dp_local_law(const struct dp_mech *, unsigned out, uint64_t t, struct dp_law *);
void	dp_local_error(const struct dp_mech *, uint64_t T, struct dp_error *);

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

size_t	dp_local_words(size_t K);
size_t	dp_local_text(const struct dp_local *);
char	*dp_local_put(const struct dp_mech *, const void *col, dp_wide, char *p);
/*
 * Numbers that dp_local_add() counts into, dp_local_support() ends.  named: how many symbols there
 * must be; 0: any number.
 */
size_t	dp_local_counts(size_t K);
bool	dp_local_add(const struct dp_local *, unsigned named, int64_t *count, struct dp_slice);
void	dp_local_support(const struct dp_mech *, int64_t *count, uint64_t n);
/* The text behind the mechanism's name and the colon; false: it does not begin so. */
bool	dp_local_untag(const struct dp_local *, struct dp_slice *);

/*
 * A lower bound: no estimator of one symbol's total from n answers, each of an epsilon-locally
 * private randomiser, has an error below it with probability 1 - beta, whatever the data.  0: none.
 */
double	dp_local_lower(uint64_t n, double epsilon, double beta);

/* Totals, from answers that are private already: post-processing, which costs nothing. */
struct dp_totals {
	const struct dp_local *l;
	uint64_t n;			/* answers */
	int64_t *count;			/* after dp_totals_end(): N_v */
};

/* m: a randomiser's; it must live as long.  DP_ENOMEM. */
int	dp_totals_new(struct dp_totals **, const struct dp_mech *) DP_MUSTUSE;
void	dp_totals_free(struct dp_totals *);
/* place: of the symbol that the text is, -1: of none.  false: it is no answer, and not counted. */
bool	dp_totals_add(struct dp_totals *, struct dp_slice text, int64_t place);
/* No more answers. */
void	dp_totals_end(struct dp_totals *);
/* C_v. */
double	dp_totals_estimate(const struct dp_totals *, size_t v);
/*
 * True if a symbol has more answers than lines that all hold it would give it, or fewer than lines
 * of which none does, by so much that it is unlikely for answers of this randomiser: with
 * probability gamma at most, whatever the lines, for all symbols together (Chernoff, union bound).
 */
bool	dp_totals_far(const struct dp_totals *, double gamma);
/*
 * An exact interval for c_v (Clopper, Pearson 1934): all c in 0 .. n for which neither N_v or more
 * nor N_v or less has a probability of gamma / 2 or below.  If none is, the end that is nearer.
 */
void	dp_totals_interval(const struct dp_totals *, size_t v, double gamma, int64_t *lo,
	    int64_t *hi);
/*
 * The totals that are nearest to C_v, v = 0 .. K - 1, in least squares, of those that are nowhere
 * negative and sum to n: max(C_v - *level, 0) (Duchi et al. 2008).  DP_ENOMEM.
 */
int	dp_totals_level(const struct dp_totals *, double *level) DP_MUSTUSE;

/* P(Bin(c, p) + Bin(m, q) >= a), never below the truth by more than its rounding. */
double	dp_binomials_above(double c, double p, double m, double q, double a);

#endif
