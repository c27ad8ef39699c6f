/*
 * task.h - what a tool's estimates approximate, as mechanisms see it.
 *
 * Step t's estimate is sum over lags d of g(d) x_(t-d), x the step values in grid units:
 *   COUNT    g = 1
 *   WINDOW   g(d) = 1 for d < W, else 0; several W are several estimates from one budget
 *   EXP      g(d) = alpha^d, 0 < alpha < 1
 *   POLY     g(d) = (d + 1)^-power, power > 0
 *   TABLE    g(0) = 1, g(1), .. non-increasing, given; 0 past the end
 * Under expiry only the last W steps are protected; older ones are public:
 *   EXPIRE   COUNT, all of what is older exact (Bolot et al. 2013, Algorithm 5)
 *   GRADUAL  COUNT, the loss grows slowly with age (Andersson et al. 2024)
 *   MAP      EXP, POLY or TABLE under a sharp expiry (Bolot et al. 2013, Theorems 8, 9)
 *
 * What is no weighted sum is a statistic of its own:
 *   OWN      a struct dp_statistic says what it is, and a tool and its mechanisms share it
 *
 * A figure computed of such sums, of several numbers that events add to, is that task with
 * STATISTIC, which has make(): any mechanism of the task serves it.
 *
 * A new weighted sum is a line in the enum and a case in every switch of task*.c, which have no
 * default: the compiler lists them.  A new statistic edits nothing here.  Nothing outside lib/mech
 * knows a task by name.
 */
#ifndef DP_TASK_H
#define DP_TASK_H

#include "base/num.h"

enum dp_what {
	DP_TASK_COUNT = 1, DP_TASK_WINDOW = 2, DP_TASK_EXP = 4, DP_TASK_POLY = 8,
	DP_TASK_TABLE = 16, DP_TASK_EXPIRE = 32, DP_TASK_GRADUAL = 64, DP_TASK_MAP = 128,
	DP_TASK_OWN = 256
};
#define DP_TASK_DECAY	(DP_TASK_EXP | DP_TASK_POLY | DP_TASK_TABLE)

#define DP_WINDOWS_MAX	16
#define DP_TASK_TEXT	480		/* bytes of a sentence below */

/* Steps and names that the guarantee covers. */
enum dp_cover {
	DP_COVER_ALL,			/* everything since step 1 */
	DP_COVER_LAST,			/* the last w[0] steps; older ones are shown */
	DP_COVER_FADING			/* everything, the older the less: dp_mech_ops.drawn.loss */
};

/* Measure by which errors are compared. */
enum dp_measure {
	DP_MEASURE_RMSE,		/* by the variance of every estimate */
	DP_MEASURE_QUANTILE,		/* by a quantile of the largest loss, of all there are */
	DP_MEASURE_REGRET		/* by a bound on the choices' expected regret (regret.h) */
};

/* Kinds of lower bounds. */
enum dp_lower {
	DP_LOWER_NONE,			/* none is known to us */
	DP_LOWER_ALL,			/* of the error at all steps together */
	DP_LOWER_STEP,			/* of the error at one step */
	/* of the root-mean-square error at one step, if memory is to be private, too */
	DP_LOWER_PAN,
	DP_LOWER_LOCAL			/* of one total, of answers that are each private */
};

struct dp_task;

struct dp_mech;
struct dp_mech_ops;
struct dp_mech_rule;

/* All that is said of the statistic, by the tool's file or its mechanisms'. */
struct dp_statistic {
	const char *name;		/* a word, for lists */
	const char *sentence;		/* what is estimated; */
	/* a sentence that depends on the parameters, written to text; else NULL */
	void (*describe)(const struct dp_task *, char *text, size_t size);
	bool local;			/* what a line adds to the output is private by itself */
	enum dp_measure measure;
	const char *error;		/* what errors are of; NULL: estimates */
	const char *noun;		/* an estimate, in a word; NULL: the tool's */
	bool fades;			/* the right answer changes while nothing happens */
	bool between;			/* right answers lie between whole grid units */
	const char *in;			/* what errors are in: "events"; NULL: values, or parts */
	/* A grid unit of the numbers, in what errors are in; NULL: values' own. */
	double (*unit)(const struct dp_task *);
	enum dp_lower lower;		/* DP_LOWER_NONE: lower_bound is NULL */
	double (*lower_bound)(const struct dp_task *, uint64_t T, double epsilon, double delta,
	    double beta);
	/*
	 * Tasks but OWN: ops->create() of the whole, whose private numbers are that counter's
	 * (part.h); the rule's task is theirs.  OWN: NULL.
	 */
	int (*make)(struct dp_mech **, const struct dp_mech_rule *,
	    const struct dp_mech_ops *counter);
};

struct dp_task {
	enum dp_what what;
	const struct dp_statistic *statistic;	/* OWN: set; else NULL, or one with make() */
	/*
	 * The statistic's parameters, the caller's.  A state keeps the options, not these: a
	 * mechanism that plans with them calls dp_numbers_same() (numbers.h).
	 */
	const void *own;
	enum dp_what map;		/* MAP: EXP, POLY or TABLE */
	unsigned windows;		/* WINDOW: 1..DP_WINDOWS_MAX lengths, else 0 */
	const char *window[DP_WINDOWS_MAX];	/* WINDOW: their names in sentences, the caller's */
	uint64_t w[DP_WINDOWS_MAX];	/* in steps, as given; EXPIRE, MAP: w[0], windows = 1 */
	double alpha;			/* EXP */
	double power;			/* POLY */
	double beta;			/* factor 1-beta that bucketed mechanisms may lose */
	double lambda;			/* GRADUAL: level l's noise is (1+l)^(1-lambda)/epsilon */
	const double *g;		/* TABLE: ng weights, the caller's */
	size_t ng;
	unsigned decimals;		/* estimates are in units of 10^-decimals grid units */
};

/* The weighted sum: under a sharp expiry of a decay, the decay. */
static inline enum dp_what
dp_task_weighted(const struct dp_task *k)
{
	return k->what == DP_TASK_MAP ? k->map : k->what;
}

/* g(d) and G(n) = g(0) + .. + g(n-1); POLY's G is a sum of n terms. */
double	dp_task_weight(const struct dp_task *, uint64_t d);
double	dp_task_total(const struct dp_task *, uint64_t n);
/* g(d), .., g(d + n - 1), each to 2^-45 of itself, EXP and POLY far faster than one by one. */
void	dp_task_weights(const struct dp_task *, uint64_t d, unsigned n, double *g);
/*
 * Sums of g(d)^2 and of d g(d)^2 over a <= d < b, to some 1e-13 relative; TABLE: O(b - a),
 * else O(1).
 */
double	dp_task_squares(const struct dp_task *, uint64_t a, uint64_t b);
double	dp_task_moment(const struct dp_task *, uint64_t a, uint64_t b);

enum dp_cover dp_task_cover(const struct dp_task *);
enum dp_measure dp_task_measure(const struct dp_task *);
/* True: the right answer changes while nothing happens. */
bool	dp_task_fades(const struct dp_task *);
/* Right answers lie between whole grid units. */
static inline bool
dp_task_between(const struct dp_task *k)
{
	return (k->what & (DP_TASK_DECAY | DP_TASK_MAP)) != 0 ||
	    (k->statistic != NULL && k->statistic->between);
}
/* True: weights of old events fall to 0, and with them the right answer. */
bool	dp_task_forgets(const struct dp_task *);
/* A sentence on the number that is estimated.  Returns text. */
const char *dp_task_sentence(const struct dp_task *, char text[static DP_TASK_TEXT]);

/*
 * A lower bound on the error of any (epsilon, delta)-DP mechanism, in units of one event; 0: none.
 * DP_LOWER_ALL (COUNT): at all of T steps together (the packing of Dwork et al. 2010, Theorem 4.2,
 * constants explicit, group privacy with delta): the largest k/2 such that no mechanism keeps its
 * error below k/2 at all of T steps with probability 1-beta.
 *   floor(T/k) e^(-k epsilon) (1 - beta - delta (e^(k epsilon) - 1)/(e^epsilon - 1)) > beta
 * DP_LOWER_STEP: at one step: the inputs 0, 0, .. and 1 at the last D steps differ by
 * G(D) = g(0) + .. + g(D-1), so no mechanism keeps its error below G(D)/2 at each step with
 * probability 1-beta
 *   while e^(D epsilon) beta + delta (e^(D epsilon) - 1)/(e^epsilon - 1) < 1 - beta;
 * under expiry the D steps must be protected ones.
 */
double	dp_task_lower_bound(const struct dp_task *, uint64_t T, double epsilon, double delta,
	    double beta);
/*
 * COUNT, T steps: a lower bound on the root-mean-square error, mean over the steps (and so at the
 * worst), of unbiased epsilon-DP estimates, in units of what one event moves; else 0.
 *	[(1/T) sum_(j=1..T) 1 / (2 sin((2j - 1) pi / (4T + 2)))] / (2 sinh(epsilon / 2))
 * Proof: let p be the output's law and p_t that with an event at step t.  Hammersley, Chapman and
 * Robbins: the estimates' covariance is at least A M^-1 A', A the running sum, M_st = E[(p_s/p - 1)
 * (p_t/p - 1)].  M's diagonal is at most (e^(epsilon/2) - e^(-epsilon/2))^2, what p_t/p within
 * e^(+-epsilon) with mean 1 can have.  Of all M of that trace the trace of A M^-1 A' is least for M
 * in proportion to |A|, where it is (sum of A's singular values)^2 over M's trace; those of A are
 * the 1/(2 sin ..).  Rounded down.
 */
double	dp_task_unbiased_bound(const struct dp_task *, uint64_t T, double epsilon);
enum dp_lower dp_task_lower(const struct dp_task *);

#endif
