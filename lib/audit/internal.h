/* SPDX-License-Identifier: ISC */
/* internal.h - internal to lib/audit: what its files alone share. */
#ifndef DP_AUDIT_INTERNAL_H
#define DP_AUDIT_INTERNAL_H

#include <gmp.h>
#include <mpfr.h>

#include "certificate.h"

struct audit_body;
struct audit_claim;
struct audit_neighbours;

/*
 * text[n] is 0.  Takes some seconds for the largest trees.  DP_ENOMEM; else 0 and a verdict.
 */
void	dp_verdict_free(struct dp_verdict *);

/*
 * Internal to lib/audit: what a mechanism's draws lose together.
 *
 * PURE losses add up, and so do the deltas that are missed (Parts.parts_compose; Dwork, Roth 2014,
 * Theorem 3.16).  What is rho-zero-concentrated adds up to one rho, and is turned into a delta for
 * the epsilon that pure losses leave: of
 *	exp((a - 1)(a rho - epsilon)) / (a - 1) (1 - 1/a)^a,   a = 2, 3, ..		(1)
 * every a gives one (Canonne, Kamath, Steinke 2020, Proposition 12), here a good one; and with one
 * family of Gaussian noise alone, whose shifts have squares that sum to mu^2 variances, m draws,
 *	e^(am) (Phi(mu/2 - t/mu) - e^t Phi(-mu/2 - t/mu) + e^(t-x)),			(2)
 * a = 1 / (24 variance), t = epsilon - a (2.08 m + 103 x), whatever x is (account/privacy.h, (2) of
 * dp_privacy_gauss_shift()); with one row of choices alone, what internal.h finds.  To (1) and (2)
 * m (1 + e^epsilon) 2^-97 is added for what samplers miss (random/noise.h), and to (2) a 2^-20 of
 * the
 * delta, for what counter/internal.h sets aside.  Any smaller epsilon will do, too: it is cut where
 * the first of
 * these would be half of the delta.
 */

#define DP_AUDIT_BITS	256

struct audit_account {
	mpq_t loss, missed, rho;
	mpz_t draws;			/* Gaussian ones */
	mpq_t variance, square;		/* of the one family of them; square: of all its shifts */
	mpq_t range;			/* of the one row of choices */
	uint64_t choices;
	unsigned gaussian, others;	/* families, and what else is concentrated */
};

void	audit_account_init(struct audit_account *);
void	audit_account_clear(struct audit_account *);
/* Gaussian noise: `draws' of them. */
void	audit_account_gauss(struct audit_account *, const mpq_t variance, const mpq_t square,
	    const mpz_t draws);
/* Other concentrated losses: a rho of n e^2 / d. */
void	audit_account_squares(struct audit_account *, uint64_t n, const mpq_t e, unsigned long d);
/* n choices by the exponential mechanism, of range c: n c^2 / 8, and internal.h. */
void	audit_account_choices(struct audit_account *, uint64_t n, const mpq_t c);
/*
 * *delta: at most so much is missed where epsilon is lost, rounded up; infinite: no such bound was
 * found.  claimed: the delta that it is to be compared with.
 */
void	audit_account_delta(const struct audit_account *, const mpq_t epsilon, const mpq_t claimed,
	    mpfr_t delta);

/*
 * Internal to lib/audit: lines and words of a plan.  The first thing that is wrong stays
 * in the verdict; after it nothing is good().
 */

struct reader {
	const char *at, *end;	/* what is left; end[0] is 0 */
	const char *line, *stop;	/* of this line: what is left */
	unsigned number;
	uint64_t read;			/* lines, without comments */
	bool bound;			/* of version 2: what internal.h says of it is asked for */
	bool cut;			/* the last line has no end */
	bool exact, seeded;		/* lines before the first mechanism */
	unsigned depth;
	struct audit_claim *claim;
	const struct audit_neighbours *neighbours;	/* of the mechanism at the top */
	struct dp_verdict *v;
};

/* Sets the verdict, and why, if it is worse than the verdict so far. */
void	audit_refuse(struct reader *, enum dp_verdict_is, const char *why);
bool	audit_good(const struct reader *);	/* the text is a plan so far */
/* To the next line that is no comment; false: there is none, or it was cut off. */
bool	audit_next_line(struct reader *);
/* The line begins with this word, which is passed over. */
bool	audit_is(struct reader *, const char *name);
/* The next word of the line; false: none, or one as long as `size'. */
bool	audit_word(struct reader *, char *to, size_t size);
/* The next word as a number; one of another form, or above `most', is refused, and then 0. */
uint64_t audit_whole(struct reader *, uint64_t most);
uint64_t audit_word_64(struct reader *);	/* of all 64 bits */
void	audit_integer(struct reader *, mpz_t);	/* above 0, of any size */
void	audit_word_256(struct reader *, mpz_t);	/* 64 hex digits, above 0 */
void	audit_rational(struct reader *, mpq_t, char text[static 64]);	/* above 0; and its text */
double	audit_real(struct reader *);		/* above 0, as C's %a */

/*
 * Internal to lib/audit: what a plan of version 2 must have, and what its numbers are no
 * less than, by what it claims: the lines on neighbours (internal.h), and
 *   horizon T		the steps of the run; 0: it has no end
 *   counts M		counts of each kind of records move by M, all together
 *   apart S		a user's events are of different steps, S or more apart
 *   covers W		protected are the last W steps alone
 *   last W ..		estimates are of the last W steps
 * Claims are believed, and told to whoever reads the verdict; all else is computed, or compared:
 *   lines	a mechanism has the kinds of lines that its name calls for, and no others; each
 *		tree of gated-normtree has its pass
 *   parts	are as many as the line says; more than one are given
 *   a part	its reach is no less than the whole's, or `counter's
 *   blt, banded	STEPS are no fewer than T (2^40 without end), or `counter's; COLUMNS than
 *		neighbours move; SQUARE, and FADING, which is `counter's alone, no less than theirs;
 *		SPACING is no more than S, TIMES no fewer than a unit's events
 *   names, pass, ..	EACH is no less than a unit may have of one name
 *   pass	of T steps; or, tree after tree, of the first 4^(2j+3) and 4^(2j+4) of tree j, which
 *		has 4 (j + 2) levels (of 4^2, too, of tree 0), T in all (stat/top.h, T UNKNOWN)
 *   window	W is that of `last'
 *   ages	AGE is no less than T - 1, or 2^61
 *   tree	TIMES of the binary one is no less than lg T; CELLS of a norm tree no fewer than
 *		neighbours differ in; its LEVELS are given, unless they are lg T, or it has a pass;
 *		those of each where one comes after the other
 *   sparse	without noise on its threshold, of pan alone: N is no less than T; MOVES and SPAN
 *		are no less than the most that neighbours move a column by
 *   gauss	SQUARE is no less than the square of that; of answers each with noise, and of
 *		levels, than neighbours' squares
 *   value, choice, weigh	MOVES is no less than the most that neighbours move a column by; of
 *		counts, whose noise is on the counts of all kinds, than that of `counts'
 *   window, windows	of `once' N MOVES of value, and MOVES of counter, are no less than what
 *		neighbours move all columns by
 * Counts that nothing here binds are told with their lines, as given.
 */

/* Kinds of lines in a mechanism. */
enum audit_kind_of {
	AUDIT_LAPLACE = 1, AUDIT_VALUE = 2, AUDIT_CHOICE = 4, AUDIT_WEIGH = 8, AUDIT_GAUSS = 16,
	AUDIT_SPARSE = 32, AUDIT_COIN = 64, AUDIT_AGAIN = 128, AUDIT_NAMES = 256,
	AUDIT_FRESH = 512, AUDIT_AGES = 1024, AUDIT_PASS = 2048, AUDIT_WINDOW = 4096,
	AUDIT_COMPOSED = 8192, AUDIT_BLT = 16384, AUDIT_BANDED = 32768, AUDIT_RISE = 65536,
	AUDIT_LOOKS = 1 << 17, AUDIT_TREE = 1 << 18, AUDIT_NOTHING = 1 << 19,
	AUDIT_PART = 1 << 20, AUDIT_ROUNDS = 1 << 21, AUDIT_COUNTER = 1 << 22
};

#define AUDIT_LASTS	16

/* Claims besides those of internal.h. */
struct audit_claim {
	uint64_t horizon, apart, covers, counts, last[AUDIT_LASTS];
	unsigned lasts;
	bool timed;			/* there was a horizon */
};

/* A line, if it begins with one of these words; its text stays in the verdict, too. */
bool	audit_claim_line(struct reader *);
/* Adds the line that is read to those that are claims, or given. */
void	audit_bound_claim(struct reader *, const char *line);
void	audit_bound_given(struct reader *, const char *name, const char *line);

/* All do nothing unless the plan is bound. */
void	audit_bound_end(struct reader *, struct audit_body *);	/* of a mechanism: its lines */
void	audit_bound_reach(struct reader *, struct audit_body *);

/*
 * Numbers between two of 64 bits, rounded outward by MPFR; positive ones, but where
 * it is said.
 */

#define DP_INTERVAL_BITS	64

struct interval {
	mpfr_t lo, hi;
};

static inline void
interval_init(struct interval *z)
{
	mpfr_init2(z->lo, DP_INTERVAL_BITS);
	mpfr_init2(z->hi, DP_INTERVAL_BITS);
}

static inline void
interval_clear(struct interval *z)
{
	mpfr_clear(z->lo);
	mpfr_clear(z->hi);
}

/* Exactly: a double has 53 bits. */
static inline void
interval_set(struct interval *z, double v)
{
	mpfr_set_d(z->lo, v, MPFR_RNDD);
	mpfr_set_d(z->hi, v, MPFR_RNDU);
}

static inline void
interval_copy(struct interval *z, const struct interval *x)
{
	mpfr_set(z->lo, x->lo, MPFR_RNDD);
	mpfr_set(z->hi, x->hi, MPFR_RNDU);
}

static inline void
interval_add(struct interval *z, const struct interval *x, const struct interval *y)
{
	mpfr_add(z->lo, x->lo, y->lo, MPFR_RNDD);
	mpfr_add(z->hi, x->hi, y->hi, MPFR_RNDU);
}

static inline void
interval_mul(struct interval *z, const struct interval *x, const struct interval *y)
{
	mpfr_mul(z->lo, x->lo, y->lo, MPFR_RNDD);
	mpfr_mul(z->hi, x->hi, y->hi, MPFR_RNDU);
}

/* Any signs; z is neither x nor y. */
static inline void
interval_times(struct interval *z, const struct interval *x, const struct interval *y)
{
	mpfr_srcptr const a[] = { x->lo, x->lo, x->hi, x->hi };
	mpfr_srcptr const b[] = { y->lo, y->hi, y->lo, y->hi };
	mpfr_t one;
	int i;

	mpfr_init2(one, DP_INTERVAL_BITS);
	for (i = 0; i < 4; i++) {
		mpfr_mul(one, a[i], b[i], MPFR_RNDD);
		if (i == 0 || mpfr_less_p(one, z->lo))
			mpfr_set(z->lo, one, MPFR_RNDD);
		mpfr_mul(one, a[i], b[i], MPFR_RNDU);
		if (i == 0 || mpfr_greater_p(one, z->hi))
			mpfr_set(z->hi, one, MPFR_RNDU);
	}
	mpfr_clear(one);
}

/* Any signs; z may be x. */
static inline void
interval_sub(struct interval *z, const struct interval *x, const struct interval *y)
{
	mpfr_sub(z->lo, x->lo, y->hi, MPFR_RNDD);
	mpfr_sub(z->hi, x->hi, y->lo, MPFR_RNDU);
}

/* The largest |x| */
static inline void
interval_size(mpfr_t to, const struct interval *x)
{
	mpfr_abs(to, x->lo, MPFR_RNDU);
	if (mpfr_cmpabs(x->hi, x->lo) > 0)
		mpfr_abs(to, x->hi, MPFR_RNDU);
}

/* z is not y. */
static inline void
interval_div(struct interval *z, const struct interval *x, const struct interval *y)
{
	mpfr_div(z->lo, x->lo, y->hi, MPFR_RNDD);
	mpfr_div(z->hi, x->hi, y->lo, MPFR_RNDU);
}

/* r / (1 - r), the sum of r + r^2 + ..; 0 < r < 1; one: some interval's room. */
static inline void
interval_tail(struct interval *z, const struct interval *r, struct interval *one)
{
	mpfr_ui_sub(one->lo, 1, r->hi, MPFR_RNDD);
	mpfr_ui_sub(one->hi, 1, r->lo, MPFR_RNDU);
	mpfr_div(z->lo, r->lo, one->hi, MPFR_RNDD);
	mpfr_div(z->hi, r->hi, one->lo, MPFR_RNDU);
}

/*
 * Internal to lib/audit: how far one protected unit moves the step values of the
 * mechanism at the top, from a plan's lines on its neighbours.
 *
 * An entry is 0, or a whole number within LO .. HI; M is the most that one is away from 0, R two
 * from each other, neither above UNIT, unless that is 0.  Of D columns a record has entries in S:
 *   event LO HI UNIT D S	there or not, or another: S R, of squares S R^2
 *   line LO HI UNIT D S	another in its place: with e = max(0, 2 S - D) columns that both
 *			are in, e R + 2 (S - e) M, and the larger of e R^2 + 2 (S - e) M^2 and S R^2
 *   records K LO HI UNIT D S	K of them, all there or none: S K M and S (K M)^2
 *   once K LO HI UNIT D	those in different columns, n = min(K, D): n M and n M^2
 *   adds K N SUM D	K records add SUM, in all columns together, N times (2: one for another):
 *			K N SUM and N (K SUM)^2
 *   identifiers K	all that happens to them: K and K^2
 *   present K	the same, where their events are all there or none of them
 *   vectors K L1 L2	sums of vectors: K L1 and K^2 L2
 * Lines of several bands of columns add up.  lib/account/neighbour.h has the proofs, for another
 * program, which unit/t_certificate_moves.c compares with this one.
 */

#define AUDIT_BANDS	4

struct audit_neighbours {
	mpz_t l1, square;
	mpz_t cells;			/* values that differ, at most; 0: unknown */
	mpz_t linf;			/* of one column, at most */
	mpz_t columns;			/* that are moved */
	uint64_t events, each;		/* a unit's, and those of one name, or of one column */
	bool once;			/* no two entries of a unit are in one column */
	unsigned lines;			/* 0: nothing is known */
	struct audit_neighbours *line[AUDIT_BANDS];	/* of each line alone; NULL: no memory */
};

void	audit_neighbours_init(struct audit_neighbours *);
void	audit_neighbours_clear(struct audit_neighbours *);
/* Adds a line, if it begins with one of these words; false: it does not. */
bool	audit_neighbours_line(struct reader *, struct audit_neighbours *);

/*
 * Internal to lib/audit: numbers from 0 to 1 as whole numbers of units of 2^-126, each
 * rounded the way that its function says.
 */

#define DP_AUDIT_SHARE	126
#define DP_AUDIT_ALL		((dp_uwide)1 << DP_AUDIT_SHARE)

/* x y, down: by halves of 63 bits, without the product of the lower two */
DP_INLINE dp_uwide
audit_share_times(dp_uwide x, dp_uwide y)
{
	const uint64_t low = ((uint64_t)1 << 63) - 1;
	const uint64_t x1 = (uint64_t)(x >> 63), x0 = (uint64_t)x & low;
	const uint64_t y1 = (uint64_t)(y >> 63), y0 = (uint64_t)y & low;

	return (dp_uwide)x1 * y1 + (((dp_uwide)x1 * y0 + (dp_uwide)x0 * y1) >> 63);
}

/* x y, up */
DP_INLINE dp_uwide
audit_share_times_up(dp_uwide x, dp_uwide y)
{
	return audit_share_times(x, y) + 2;
}

/* f in units of 2^-63, at most 1: x f, up */
DP_INLINE dp_uwide
audit_share_part(dp_uwide x, uint64_t f)
{
	const uint64_t low = ((uint64_t)1 << 63) - 1;

	return (dp_uwide)(uint64_t)(x >> 63) * f +
	    (((dp_uwide)((uint64_t)x & low) * f + low) >> 63);
}

/* x, which is cut to 0 .. 1, in units of 2^-bits, bits at most 126, that way; x is as before */
static inline dp_uwide
audit_share_units(mpfr_t x, int bits, mpfr_rnd_t way)
{
	const bool up = way == MPFR_RNDU;
	mpfr_exp_t e;
	dp_uwide n;

	if (mpfr_sgn(x) <= 0)
		return 0;
	if (mpfr_cmp_ui(x, 1) >= 0)
		return (dp_uwide)1 << bits;
	e = mpfr_get_exp(x);
	mpfr_set_exp(x, 63);
	n = mpfr_get_ui(x, way);		/* 2^62 to 2^63, of 2^(e - 63) each */
	mpfr_set_exp(x, e);
	e += bits - 63;
	if (e >= 0)
		return n << e;
	return e <= -63 ? up : (n + (up ? ((dp_uwide)1 << -e) - 1 : 0)) >> -e;
}

static inline dp_uwide
audit_share(mpfr_t x, mpfr_rnd_t way)
{
	return audit_share_units(x, DP_AUDIT_SHARE, way);
}

/* Exactly, where `to' has 126 bits. */
static inline void
audit_share_real(mpfr_t to, dp_uwide x, mpfr_rnd_t way)
{
	mpz_t z;

	mpz_init_set_ui(z, (uint64_t)(x >> 64));
	mpz_mul_2exp(z, z, 64);
	mpz_add_ui(z, z, (uint64_t)x);
	mpfr_set_z_2exp(to, z, -DP_AUDIT_SHARE, way);
	mpz_clear(z);
}

/*
 * Internal to lib/audit: the certificate of a norm tree's tables.
 *
 * As NormTree.v has it, with R as the root's g, so that e_R = 0: g, N and k of each kind, N(P) the
 * sum of g'(a) g"(P - a) k(min(y, Y(P))) over all a.  With r(P) = g(P + 1) / g(P) N(P) / N(P + 1)
 * the kind's e is the logarithm of the largest of
 *	1 / r(P), r(P) (low, high)   and   r(P) k(v) / k(v + 1), v < Y(P) (slope),   P >= 0.
 * Tables are geometric beyond A.  From M = max(A, A' + A") on N(P) is a s^P + b f^P, or (a + b P)
 * s^P where the two ratios are one; then N(P + 1) / N(P) goes one way, to the larger ratio, so that
 * M and the limit are enough.  Of a pair of steps N(P) = P + 1 + 2 (k(1) + k(2) + ..).
 */

#define DP_AUDIT_REACH	1024	/* A, at most */
#define DP_AUDIT_KINDS	1024
#define DP_AUDIT_STEP	UINT32_MAX

/* v[0..A], positive, and the ratio beyond. */
struct audit_table {
	double *v;		/* owned */
	unsigned A;
	double beyond;
};

struct audit_kind {
	unsigned level;
	uint32_t child[2];	/* or DP_AUDIT_STEP, both */
	double beyond[2];	/* of the children's tables, as this kind draws by them */
	struct audit_table k, g, c;	/* c: on a finer grid */
};

struct audit_tree {
	unsigned h, kinds, fine;
	uint64_t unit, cells;
	struct audit_kind *kind;	/* children before parents, the root's last; owned */
	struct audit_table root;	/* R: the last kind's g, which nothing else is drawn by */
};

/*
 * At most what a move of one of its units loses, to loss, rounded up.  NULL; or why the tables are
 * none that the theorem is about, a sentence's end.
 */
const char *audit_tree_loss(const struct audit_tree *, mpfr_t loss);
void	audit_tree_free(struct audit_tree *);

/*
 * Internal to lib/audit: how likely the noise of a count ever reaches a height, from
 * the tables of its trees alone.
 *
 * Within a node of noise P let G(P, x) be the probability that its noise, counted from its first
 * step on, is x or more at one of its steps: 1 for P >= x, as its end is one of them, else
 *	sum over a of p(a | P) (G' + G" - G' G"),   G' = G'(a, x), G" = G"(P - a, x - a),
 * as the halves are independent given a and P; p(a | P) is g'(a) g"(P - a) k(min(y, Y)) / N(P)
 * (internal.h).  Of the first T steps: from the root down to where they end, without the node's own
 * end.  Trees before this one count with their roots, whose sum S is independent of it.
 *
 * Cases left out count as reached: parts beyond the reach R, nodes and splits that together are
 * rarer than a share of what is asked for; heights above the highest count as it does.
 * R is where the root's table leaves so little outside, so it grows as rates fall.
 *
 * All terms are positive, and doubles: sums are off by few factors 1 +- 2^-53 (internal.h), which
 * are
 * counted and made good at the end.  G' + G" - G' G" = G' + (1 - G') G" rises with both, and falls
 * by no larger a factor than they do: with G' e and G" e, e < 1, it is e (G' + (1 - e G') G") or
 * more. Laws of roots are whole numbers of 2^-126, rounded up.  Draws are off by e^(2^-40) a node.
 */

#define DP_AUDIT_PASSES	16

/* The law of S, rounded up: p[s + reach], and of all others. */
struct audit_before {
	dp_uwide *p, outside;		/* p is owned; NULL: S = 0 */
	long reach;
	unsigned trees;
};

/*
 * sum: the sum over i < n of P(S + w_1 + .. + w_t >= height[i] at some t <= steps[i]), rounded up;
 * w are the tree's increments.  share: what may be left out of the root, and
 * rare: of one node or split; all of it counts as reached.  false: it cannot be bounded,
 * for want of memory, time, or as the grid is finer.
 */
bool	audit_passage(const struct audit_tree *, const struct audit_before *, unsigned n,
	    const uint64_t *steps, const uint64_t *height, double share, double rare, mpfr_t sum);
/*
 * Of windows over an endless row of such trees, none longer than W: at most the largest sum of
 * P(N_t >= height) over W steps t in a row, N_t the noise of the last W steps, before step W that
 * of all.  share, rare and false: as above; or a tree's halves differ.
 */
bool	audit_passage_windows(const struct audit_tree *, uint64_t W, uint64_t height,
	    double share, double rare, mpfr_t sum);
/* The tree has ended: its root is of what is before.  false: as above. */
bool	audit_passage_root(const struct audit_tree *, struct audit_before *);

/*
 * Internal to lib/audit: how far one protected unit shifts the draws of correlated
 * noise, from the coefficients that it is made with (lib/counter/internal.h, counter/internal.h and
 * counter/internal.h have the
 * statements, whose names stand here).
 */

#define DP_AUDIT_POLES	12
#define DP_AUDIT_ECHOES	2
#define DP_AUDIT_ECHO_PAST	400	/* lags: what an echo has after them is counted apart */
#define DP_AUDIT_PIECES	1024
#define DP_AUDIT_BAND	1024

/* Moves of one unit: of all l1 grid units. */
struct audit_moves {
	uint64_t l1;
	uint64_t square;	/* l2squared; with spacing the squares of one step's moves */
	uint64_t fading;	/* l2fading; 0: unknown */
	uint64_t times, spacing;	/* SPACED; 0: not so */
};

struct audit_blt {
	struct audit_moves moves;
	uint64_t steps, columns, bits;	/* T; that one unit moves; s, D = 2^s */
	uint64_t lag;			/* W; 0: no echo */
	unsigned poles, pieces;
	uint64_t gap[DP_AUDIT_POLES], om[DP_AUDIT_POLES];	/* 1 - th_j; units of 2^-64 */
	uint64_t a[DP_AUDIT_ECHOES], b[DP_AUDIT_ECHOES];	/* units of 2^-32 */
	/* counter/internal.h: N of the steps that at most `left' steps come at or after, the
	 * longest first */
	uint64_t left[DP_AUDIT_PIECES], unit[DP_AUDIT_PIECES];
};

/* S^2, rounded up, for this epsilon and delta.  NULL; or why not, a sentence's end. */
const char *audit_blt_square(const struct audit_blt *, const mpq_t epsilon, const mpq_t delta,
    mpfr_t square);

#define DP_AUDIT_RISE	4096		/* steps */

/*
 * For both heights at most the sum of P(N_t >= height) over all steps t, N_t the noise of a running
 * count, from draws of this variance.  As above.
 */
const char *audit_blt_rise(const struct audit_blt *, const mpq_t variance,
    const uint64_t height[2], mpfr_t sum[2]);

struct audit_banded {
	struct audit_moves moves;
	uint64_t steps, columns, bits;
	unsigned n;
	uint64_t a[DP_AUDIT_BAND];	/* units of 2^-s */
};

/* S^2 exactly. */
const char *audit_banded_square(const struct audit_banded *, mpq_t square);

/* Internal to lib/audit: the lines that say what a mechanism draws (dputils-plan(5)). */

/* A mechanism that is read. */
struct audit_body {
	struct {			/* what internal.h asks for */
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
void	audit_line_rose(struct reader *, struct audit_body *);	/* where the mechanism ends */
/* Lines on neighbours tell of this mechanism, not of a part. */
bool	audit_line_top(const struct reader *);
/* The plan is none that holds: why, a sentence's end. */
void	audit_refute(struct reader *, struct audit_body *, const char *why);
/* A number of moves or releases, at least 1. */
uint64_t audit_some(struct reader *);

/* Internal to lib/audit/toeplitz*.c: the poles of C, and its echo. */

#define ABOVE	MPFR_RNDU
#define BELOW	MPFR_RNDD

/* The poles th_j and their om_j, exactly. */
struct poles {
	const struct audit_blt *f;
	mpfr_t th[DP_AUDIT_POLES], om[DP_AUDIT_POLES];
	mpfr_t q, x, y, z;		/* some room */
};

/* Internal to lib/audit: choices of bounded range. */

#define DP_AUDIT_CHOICES	1000		/* at most, else nothing is said */
#define DP_AUDIT_WORK		((uint64_t)1 << 30)	/* cells */

/* At most what n choices of range c miss where x is lost; infinite: nothing is known. */
void	audit_range_delta(const mpq_t c, uint64_t n, const mpq_t x, mpfr_t delta);

/*
 * Internal to lib/audit: what a table's potential costs on a grid D = 2^fine times as
 * fine as its own (lib/normtree/normtree.h, SPLINES, has the statement and the proof).
 *
 * beta4(y): the number of ways in which four numbers from 0 .. D - 1 sum to y + 2 (D - 1); beta8:
 * eight, y + 4 (D - 1).  With
 *	G(x) = sum_i g(i) e^(e i) beta4(x - D i),   C(x) = sum_Q c(Q) beta8(x - D Q)
 * the cost is the logarithm of the largest G(x + 1) C(x) / (G(x) C(x + 1)) over all whole x.  It is
 * found in exact numbers: e^-e is replaced by one of 44 bits that is no larger, as may be, since
 * what moves by e moves by no more than any larger e.  For x = D m + s, s = 0 .. D - 1, both sides
 * are polynomials of s, which are tried at each s, or for a larger D bounded by the coefficients of
 * Bernstein's form; where they say too little a cell is halved.
 */

/*
 * g and c go on beyond as geometric tables; NULL: a step's, 1 everywhere.  e is at least 0; loss is
 * rounded up.  NULL; or why not.
 */
const char *audit_spline_loss(const struct audit_table *g, const struct audit_table *c,
    unsigned fine, const mpfr_t e, mpfr_t loss);

/*
 * Internal to lib/audit: p(a | P) = g'(a) g"(P - a) k(min(y, Y)) / N(P), what a node's
 * left half has of its noise P (internal.h), and the root's law.
 *
 * p is computed in doubles, and every sum has positive terms: nothing is lost to cancellation, and
 * an operation is off by a factor 1 +- 2^-53 at most.  A number g(v) or k(v) beyond its table is a
 * product of v of them at most.  No v is above P + far, where far = max(P + A, R) + 1 <= 2 R + 1
 * is the a that a sum is geometric from.  So a weight is off by (2R + 1) + (3R + 1) + (2R + 1) + 2
 * factors at most, a sum of them by 4R + 7 more (terms, their additions, and the tail's ratio,
 * which MPFR finds), and p and what is outside, one sum or weight over another, by
 * DP_AUDIT_OFF(R).  Where N is not within 2^+-500, or a table's number above 2^200, all counts as
 * outside; else numbers that are too small for a double make at most 2^-150 of a row, which
 * outside has, too.
 */

#define DP_AUDIT_WEIGHT	64		/* bits of a weight of the root */
#define DP_AUDIT_OFF(R)	(22 * (R) + 25)	/* factors 1 +- 2^-53 */
#define DP_AUDIT_UNDER	0x1p-150

struct audit_split {
	const struct audit_tree *t;
	long R;				/* |P| and |a| at most; at least the tables' A */
	double *g[2], *k;		/* 4 R + 2 of them: beyond the tables, too; owned */
	double tail;			/* r / (1 - r), r the ratio of weights beyond */
	bool wild;			/* numbers above 2^200 */
	double *p, outside;		/* p(a | P), [a + R], 2 R + 1 of them; of all other a */
};

/* false: no memory; stop, too, then. */
bool	audit_split_start(struct audit_split *, const struct audit_tree *, long R);
void	audit_split_stop(struct audit_split *);
/* Of nodes of this kind; then p and outside for P, 0 <= P <= R. */
void	audit_split_of(struct audit_split *, const struct audit_kind *);
void	audit_split_law(struct audit_split *, const struct audit_kind *, long P);
/* law[P + R] of the root's table, and of all others, in shares; false: no memory. */
bool	audit_root_law(const struct audit_tree *, long R, mpfr_rnd_t way, dp_uwide *law,
	    dp_uwide *outside);

#endif
