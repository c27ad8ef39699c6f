/*
 * top.h - counts of names that nobody declared: which names may be told of, and when.
 *
 * A name has a column of its own, with its own noise.  RUNNING: c_t is the number of its events so
 * far, N_t the noise of a norm tree (normtree.h) over the whole horizon 1 .. T, of absolute time;
 * all of it, or from the step of the name's first event on, which has the same law (late.h).  At
 * the end of step t, of a name with an event so far, y_t = c_t + N_t; it is named at the first such
 * t with y_t >= tau, and from there on y_t is released at every step.  EACH STEP: c_t are the
 * events of step t alone, N_t is drawn anew, and y_t is released where c_t > 0 and y_t >= tau.
 * WINDOW: c_t are the events of the last W steps, N_t is the noise of these of an endless row of
 * norm trees of W steps at most, and y_t is released where c_t > 0 and y_t >= tau.  GAUSSIAN: as
 * RUNNING, with the noise of blt/norm.h for (epsilon, delta / 2), all T steps of which are drawn.
 * A declared name is released at every step, from the first one on.
 *
 * T UNKNOWN.  RUNNING without T has the noise of normtree's count without end (normtree/count.c):
 * for each name a tree for each segment j = 0, 1, .. of the next 16^(j+2) steps, w, and of the
 * segments before the roots, whose sum S stays.  A name that begins late draws the roots of the
 * segments that have ended, then as above.  tau is a number for each phase i = 0, 1, ..: these are
 * what is new in the first 4^2, 4^3, 4^4 steps of segment 0, in the first 4^5, 4^6 steps of
 * segment 1, and so on.  Of phase i, f_i = P(S + w_1 + .. + w_n >= tau_i - 1 for some n up to its
 * end), which is at least P(N_t >= tau_i - 1 at one of its steps); S is independent of w, so it is
 * the sum over s of P(S = s) P(w_1 + .. + w_n >= tau_i - 1 - s for some n).  f stands below for
 * the sum of all f_i, of each of which 1 / ((i + 1) (i + 2)) of what f may be is allowed.  There
 * are as many segments as thresholds can be found for in some seconds, two to five; the run ends
 * with the last.
 *
 * GUARANTEE.  Let a unit be at most K events (neighbour.h), which are there or not; the noise of a
 * name has the rate a = epsilon / K; and f = P(N_t >= tau - 1 at one of the steps), RUNNING, of one
 * step, EACH STEP; WINDOW, the largest sum of P(N_t >= tau - 1) over W steps in a row.  Statement:
 * all that is released, of all names and at all steps, is (epsilon, delta)-differentially private,
 * also for data that respond, if
 *	f max(K, e^(a (K - 1))) <= delta.
 *
 * Proof.  Let x have the unit's events, x' not; c_k of them are of name k, and these sum to K at
 * most.  RUNNING, the gap of k: the steps at which x has had an event of k and x' has
 * not.  There all events of k in x are the unit's: c_t(x) <= c_k, c_t(x') = 0.
 *   (1) M* names k at steps after x's first event of k, whether or not its input has had one.
 *   That is a set of steps known beforehand (or to whom chooses the data, with every event), so M*
 *   is a function of the y of each k: K units of one event move them by K in all, so M* loses a K
 *   = epsilon (normtree.h; noise.h).  (T UNKNOWN: an event moves the increment of one step, which
 *   is of one tree; y is a function of all increments, and the trees are independent; so each
 *   event loses a, whichever segments a unit's events are in.)  On x M* is M.  On x' it does what
 *   M does unless it names some k in k's gap.
 *   (2) B: some k is named in its gap.  P(B) <= beta = sum over k of P(c_k + N_t >= tau at some t),
 *   under x, and no more under x', where c_t is 0.  (Of data that respond: in the gap of k nothing
 *   of N_k is seen but that there was no B, so the data go on as if there were none, and c_k does
 *   not depend on N_k; P(B) is the mean of that sum at most.)  So
 *	P(M(x) in S) <= beta + P(M*(x) in S, not B) <= beta + e^epsilon P(M*(x') in S, not B)
 *	    <= beta + e^epsilon P(M(x') in S),
 *	P(M(x') in S) <= P(M*(x') in S, not B) + P(B) <= e^epsilon P(M(x) in S) + beta.
 *   (3) With F(j) = P(N_t >= tau - j at some t): F(1) = f, and F(j + 1) <= e^a F(j), as N moves
 *   by one at all steps where its first increment does, which changes its density by e^a at most.
 *   (T UNKNOWN: F(j) is the sum over phases of P(S + w_1 + .. + w_n >= tau_i - j for some n), and
 *   S, or w of segment 0, moves by one where the run's first increment does.)  So beta <= f times
 *   the largest sum of e^(a (c_k - 1)), c_k >= 1, sum c_k <= K.  The exponential is convex: of m
 *   names it is largest where all but one have one event, m - 1 + e^(a (K - m)), which is convex
 *   in m: m = K or m = 1.
 * Where no two of a unit's events have one name (linf = 1), each c_k is 1: beta <= f K, and f K <=
 * delta will do.
 * EACH STEP: a pair of a name and a step is what above is a name.  The noise of data that respond
 * is as private (privacy.h, PURE), and N may be thought to be drawn before the data: B is decided
 * by it and by what the unit adds.  Attained: K = 1, one event at step 1, and none.
 * WINDOW: the gap of k are the steps whose window in x has an event of k, and in x' none; M* names
 * k at steps whose window in x has one.  At step t of the gap x has n_t of the unit's events of k
 * in its window, so P(B) <= sum of P(n_t + N_t >= tau) over all k and their gaps, and P(n + N_t >=
 * tau) <= e^(a (n - 1)) P(N_t >= tau - 1), as in (3).  With m = max(1, e^(a (K - 1)) / K), e^(a (n
 * - 1)) <= n m for n = 1 .. K, by convexity.  An event is in the windows of W steps in a row, so
 *	P(B) <= m sum n_t P(N_t >= tau - 1) = m sum over the unit's events of the sum of P(N_t >=
 *	    tau - 1) over the windows that it is in <= m K f.
 * A name is given up once no step to come has noise of a tree of which a step that was told of has
 * noise: what is drawn for it later is independent of all that was told, as it would have been.
 *
 * GAUSSIAN: a unit moves y by K in L2 at most, by sqrt(K) where no two of its K events have one
 * name (neighbour.h); so M* is (epsilon, delta / 2)-private, and what is above gives
 *	P(M(x) in S) <= beta + e^epsilon P(M*(x') in S, not B) + delta / 2
 * and the like, since "S, not B" can be told from what M* releases.  With F(c) the sum of P(N_t >=
 * tau - c) over all steps, and C events of a unit in one name at most, beta is a sum of F(c_k), 1
 * <= c_k <= C, sum c_k <= K, so at most K times the largest F(c) / c, which may be delta / 2.  F
 * is convex where tau >= C, as a normal tail is above 0; so (F(c) / c)', which has the sign of c
 * F'(c) - F(c), a number that grows with c, goes from below 0 to above, if it changes its sign at
 * all: F(c) / c is largest at c = 1 or c = C.  (Where tau < C, F(C) is a half or more, and too
 * large.)
 *
 * An event with another name instead is two moves: (2 epsilon, (1 + e^epsilon) delta).  Declared
 * names are epsilon-private, without a gap.  A name in the output has had an event, unless it is
 * declared.
 *
 * TAU is the least with that f, by passage.h: of the tables that are drawn from, rounded
 * outwards, draws within exp(+-2^-40) of them; EACH STEP by the geometric tail of discrete Laplace
 * noise, P(N >= x) = q^x / (1 + q), q = e^-a, rounded outwards.  Draws of Laplace noise are within
 * 2^-96 of that (noise.h).
 *
 * MEMORY is an exact table, or but for WINDOW SAMPLE AND HOLD (keep/roll.h): of the events of a
 * name all count but the first G, by their number in the order in which they are read, not by what
 * they are; G of each name is geometric and drawn without a look at the data (EACH STEP: of each
 * name and step).  Let G be what it is.  An event more or less among a name's first G moves the
 * border by one event, so that one event of that name is counted more or less; one after them is
 * counted or not itself.  So the counted events of neighbours are neighbours, of c_k events of a
 * unit in name k c_k at most, and the statement holds for each G, thus for all of them together.
 * (Of data that respond: what they respond to is the same, and G has been drawn.)  E G = N - 1,
 * which is added after the noise. A state keeps what is counted, so no event is counted by two G:
 * cmd/dptop.c refuses what reads events again.  A coin by what an event is, such as a hash of its
 * line, would not do: one event more might hold its name much earlier, and move its count by many.
 * Nor would a new G for a name of windows that was given up: whether it was hangs on each of its
 * events.
 *
 * A table of so many counters that makes room by counting all down
 * (Misra, Gries 1982), or by giving a name up, will not do for RUNNING: one event more moves all
 * counters at once, and the increments of all of them, again and again; t_top.c has two streams.
 */
#ifndef DP_TOP_H
#define DP_TOP_H

#include "mech/mech.h"

/*
 * A statistic for each: of all events so far; of those of a step; of those of the last task.w[0]
 * steps, 2 or more.
 */
extern const struct dp_statistic dp_top_running, dp_top_each, dp_top_window;

#define DP_TOP_PHASES	11

/* Of a plan of one of these. */
struct dp_top_plan {
	int64_t tau;		/* RUNNING, T unknown: of the first phase */
	unsigned phases;	/* RUNNING, T unknown; else 0 */
	struct dp_top_phase {
		uint64_t end;	/* its last step */
		int64_t tau;
	} phase[DP_TOP_PHASES];
	double delta;		/* what is spent of it: f max(K, e^(a (K - 1))), or f K */
	uint64_t most, each;	/* K; of one name */
};
const struct dp_top_plan *dp_top_plan(const struct dp_mech *);
/* max(K, e^(epsilon (K - 1) / K)), rounded up. */
double	dp_top_unit(double epsilon, uint64_t K);

#endif
