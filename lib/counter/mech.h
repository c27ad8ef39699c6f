/* SPDX-License-Identifier: ISC */
/* mech.h - the contract of a mechanism: its task, its rule, its parts. */
#ifndef DP_COUNTER_MECH_H
#define DP_COUNTER_MECH_H

#include "account/privacy.h"
#include "law/law.h"
#include "random/rng.h"

struct dp_answers;
struct dp_certificate_counter;
struct dp_error;
struct dp_mech;
struct dp_mech_ops;
struct dp_mech_rule;
struct dp_task;

/*
 * What a tool's estimates approximate, as mechanisms see it.
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
	DP_MEASURE_REGRET	/* by a bound on the choices' expected regret (stat/internal.h) */
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

/* All that is said of the statistic, by the tool's file or its mechanisms'. */
struct dp_statistic {
	const char *name;		/* a word, for lists */
	const char *sentence;		/* what is estimated; */
	/* a sentence that depends on the parameters, written to text; else NULL */
	void (*describe)(const struct dp_task *, char *text, size_t size);
	bool local;			/* what a line adds to the output is private by itself */
	bool symbols;			/* local: a line is a symbol; errors are of one's total */
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
	 * (mech.h); the rule's task is theirs.  OWN: NULL.
	 */
	int (*make)(struct dp_mech **, const struct dp_mech_rule *,
	    const struct dp_mech_ops *counter);
};

struct dp_task {
	enum dp_what what;
	const struct dp_statistic *statistic;	/* OWN: set; else NULL, or one with make() */
	/*
	 * The statistic's parameters, the caller's.  A state keeps the options, not these: a
	 * mechanism that plans with them calls dp_numbers_same() (base/numbers.h).
	 */
	const void *own;
	enum dp_what map;		/* MAP: EXP, POLY or TABLE */
	unsigned windows;		/* WINDOW: 1..DP_WINDOWS_MAX lengths, else 0 */
	const char *window[DP_WINDOWS_MAX];	/* WINDOW: their names in sentences, the caller's */
	uint64_t w[DP_WINDOWS_MAX];	/* in steps, as given; EXPIRE, MAP: w[0], windows = 1 */
	double alpha;			/* EXP */
	double power;			/* POLY */
	double beta;			/* factor 1-beta that bucketed mechanisms may lose */
	/* GRADUAL: level l's noise is (1+l)^(1-lambda)/epsilon; 0: g is what an age may lose */
	double lambda;
	const double *g;		/* TABLE: ng weights; GRADUAL: ng factors; the caller's */
	size_t ng;
	unsigned decimals;		/* estimates are in units of 10^-decimals grid units */
	/* COUNT: announced looks at memory (pan.c); there may be one more, unannounced */
	uint64_t looks;
};

#define DP_LOOKS_MAX	1000	/* of a count */

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

enum dp_cover dp_task_cover(const struct dp_task *);
enum dp_measure dp_task_measure(const struct dp_task *);
#define DP_TASK_STEPS	((uint64_t)1 << 32)	/* most of a window: what any mechanism keeps */
#define DP_TASK_DECIMALS	6	/* of decays */
/* The task becomes EXP with this alpha, from 1e-9 to 1 - 2^-40; false: it is none of these. */
bool	dp_task_set_alpha(struct dp_task *, double alpha);
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

/*
 * What a mechanism is made by: the budget, the task, and all that is public of the steps.
 */

#define DP_BANDS	4	/* of numbers that events add to */

struct dp_mech_rule {
	/* Whatever create() finds with doubles or by a search passes through privacy.numbers. */
	struct dp_privacy privacy;
	/*
	 * For a mechanism that runs another, for a rule of its own: *id = 0 finds the one of least
	 * predicted error of all there are (job/plan.h), and that error; *id becomes
	 * dp_numbers_hash()
	 * of its name, for numbers.  Any other *id finds the one of that name, and no error.  It
	 * need not be pan-private.  DP_EINVAL: none; DP_ERANGE, DP_ENOMEM: as ops->create().
	 */
	int (*inner)(const struct dp_mech_ops **, struct dp_error *, const struct dp_mech_rule *,
	    uint64_t *id);
	uint64_t horizon;	/* 0: unknown */
	uint64_t most;		/* no step value is larger, either way; 0: unknown */
	/*
	 * Unknown horizon: tune and choose by the errors of 1..report.  In a create() of ops it is
	 * set; of a known horizon it is that.
	 */
	uint64_t report;
	uint64_t every;		/* estimates are printed at multiples of it; 0: at the end only */
	size_t inputs;		/* numbers a step; 0: identifiers */
	double beta;		/* for errors measured by a quantile: it is the 1 - beta quantile */
	int64_t lo, hi;		/* of one number of one event, grid units; buckets add them up */
	/*
	 * Numbers that events add to (job/options.h): bands of `width` numbers, one after another;
	 * inputs is their sum.  reach: what the protected unit moves of all numbers of the band, in
	 * the columns of all keys together.  0 bands: a step's numbers are no such sums.
	 */
	unsigned bands;
	struct dp_band {
		size_t width;
		struct dp_reach reach;
	} band[DP_BANDS];
	struct dp_task task;
	bool quick;		/* planned in some 10 ms, for a tenth more of error */
	/* For the choice alone (job/plan.h), down to the end: mechanisms look at none of it. */
	bool bits;		/* step values are 0 or 1 */
	bool pan;		/* memory between steps must be private against one intrusion */
	bool open_step;		/* pan: and so must memory while a step (a bucket) is open */
	bool alone;		/* one mechanism, by name: without comparison or predicted error */
	bool rivals;		/* the errors of all that are eligible are wanted */
	uint64_t predict;	/* unknown horizon: say the errors of 1..predict; 0: of 1..report */
};

struct dp_distance;
struct dp_relation;
/*
 * One more band of a rule: `width' numbers of a column; an event adds `most' to one at most.
 * *all, at first 0, becomes the distance of all bands together: at most the sum of each band's.
 * Bands have no column in common, so squares add up as well.  As dp_relation_distance().
 */
int	dp_rule_band(struct dp_mech_rule *, const struct dp_relation *, size_t width, uint64_t most,
	    struct dp_distance *all) DP_MUSTUSE;

/*
 * A sum clamped after each event to the magnitudes that mechanisms take.  Clamping is a
 * contraction: the sums of neighbours stay as close as their events, so privacy holds and only the
 * answer suffers.  --explain says where a sum could reach the clamp.
 */
static inline int64_t
dp_run_sum(dp_wide s)
{
	const dp_wide most = (dp_wide)1 << 61;

	return (int64_t)(s > most ? most : s < -most ? -most : s);
}

/*
 * The operations table every mechanism fills in.
 *
 * A mechanism is an immutable plan (noise tables, budgets: one per run) and a column (the evolving
 * sums and noise: one per declared key).  A column is plain words without pointers, so the driver
 * saves and loads it.  A mechanism knows nothing of files or options; randomness is an argument.
 *
 * Time: step t = 1, 2, ...; x is the step's value: `inputs` numbers in grid units (one, unless the
 * task is about many columns at once).  What the estimates after step t approximate says the task
 * (mech.h).  Every mechanism is unbiased unless its source says otherwise.  A sketch has no
 * numbers: it takes identifiers through see(), and its step() closes the step.
 *
 * Adding one: one file that defines a const struct dp_mech_ops, one line in job/list.c.
 */

enum dp_trait {
	DP_TRAIT_ENDLESS = 1,	/* works without a horizon */
	DP_TRAIT_PAN = 2,	/* memory between steps is private against one intrusion */
	DP_TRAIT_PAN_OPEN = 4,	/* and so is memory inside an open step, through add() */
	DP_TRAIT_BITS = 8,	/* step values must be 0 or 1 */
	DP_TRAIT_DELTA = 16,	/* needs delta > 0 */
	/*
	 * a sketch of identifiers that who runs it keeps a table of, a word of 32 bits for each:
	 * the step at which it was seen last, and id.word[0] is that, or 0; or the sketch's own
	 * (open.word), and id.word[0] and [1] are it before, or 0, and after
	 */
	DP_TRAIT_TABLE = 32,
	DP_TRAIT_NAMED = 64,	/* for comparison: chosen by name alone */
	DP_TRAIT_EXACT = 128,	/* serves only where there is no noise */
	DP_TRAIT_RISING = 512,	/* The law at step t+1 has every term of the law at step t. */
	/* of DP_TRAIT_TABLE: sights after an identifier's first change nothing */
	DP_TRAIT_FIRST = 1024,
	/*
	 * of counts and windows: an estimate is the sum and noise whose law knows nothing of the
	 * values, so a sum may be beyond a word: what is beyond is added to the estimate
	 */
	DP_TRAIT_ADDS = 2048,
	DP_TRAIT_SPACED = 4096	/* gains only where events of a user are apart: else never chosen */
};
#define DP_FILL		64	/* steps of a block, at most */
#define DP_FILL_COLUMNS	16	/* columns whose blocks are drawn together, at most */

/* An identifier, as sketches see it. */
struct dp_id {
	/* its place in the universe, and 0; or 128 bits of a keyed hash; or DP_TRAIT_TABLE's */
	uint64_t word[2];
	int sign;		/* 1, or -1: undone */
	uint32_t column;	/* where there is one for each key, which mechanisms do not see */
};

#define DP_PARTS	DP_WINDOWS_MAX

/* A mechanism within another, or n alike (mech.h). */
struct dp_part {
	struct dp_mech *inner;	/* owned */
	size_t n;
	size_t at, stride;	/* bytes: to the first column in the whole's, and to the next */
	double steps;		/* that each takes in a step of the whole */
};

/* Every mechanism's plan starts with this. */
struct dp_mech {
	const struct dp_mech_ops *ops;
	void *memory;		/* what holds it: dp_mech_free()'s */
	/* The budget of its plan, and its reach, grid units; 0: nobody says */
	struct dp_q epsilon, delta;
	uint64_t l1;
	uint64_t horizon;
	size_t column;		/* bytes of a column, a multiple of 8 */
	/*
	 * The last bytes of a column, a multiple of 8, that no state file keeps: all 0 after a
	 * load, and found again by step().
	 */
	size_t beside;
	size_t inputs;		/* numbers a step, >= 1; a sketch: 0 */
	/*
	 * A power of two less one: steps t with (t - 1) & block != 0 draw nothing, as an earlier
	 * step draws for them.  0: nothing is known.
	 */
	uint64_t block;
	unsigned outputs;	/* estimates a step, >= 1 */
	size_t nodes;		/* nodes of a table, each with `outputs' estimates; 0: one */
	enum dp_measure measure;	/* the task's, of errors; dp_mech_create() sets it */
	bool brief;	/* names.late: what a column of no declared name holds ends with its step */
	struct {		/* An estimate as it is written. */
		unsigned decimals;	/* it is in units of 10^-decimals grid units */
		unsigned alike;		/* so many in a row have one law; dp_mech_alloc(): 1 */
		/*
		 * The first step with one.  Numbers written before it hold a place and are not
		 * printed, though off.drift and law hold for them.  dp_mech_alloc(): 1.
		 */
		uint64_t first;
		bool gaps;	/* it may be DP_NONE */
		bool between;	/* right answers lie between whole units; dp_mech_create()'s */
	} estimate;
	struct {	/* Noise of one family, in place of ops->drawn.family and unit. */
		const char *distribution;	/* say.noise, or an inner mechanism's */
		const struct dp_noise *noise;	/* NULL: none */
		const char *numbers;	/* that have the noise, in words */
		double unit;		/* grid units per unit of noise; dp_mech_alloc(): 1 */
	} drawn;
	/*
	 * The most that a number is off: by `drift` before noise (INFINITY: unknown), and by the
	 * largest of `worst_of` noises of the law ops->law, in any dependence; and by `most`,
	 * noise and all, where right answers and printed ones are no farther apart.
	 * dp_mech_alloc(): 0, 1 and INFINITY.
	 */
	struct {
		double drift, worst_of, most;
		double margin;	/* loss on top of ops->error, grid units, that no choice compares */
	} off;
	struct {		/* A randomiser's (ops->answers). */
		size_t text;	/* most bytes of an answer's text */
		uint64_t each;	/* of one person, that spend epsilon together; 0: no randomiser */
		double none, all;	/* see struct dp_error */
	} answers;
	unsigned parts;
	struct dp_part part[DP_PARTS];
};

/* In the measure of the task (mech.h), over steps 1..T and all outputs. */
struct dp_error {
	/*
	 * DP_MEASURE_RMSE: variances, grid units squared; _QUANTILE: losses, grid units; _REGRET:
	 * of all steps, and a T-th of it
	 */
	double max, mean;	/* mean: NAN if it depends on the data; max: NAN without memory */
	uint64_t worst;		/* a step that attains max */
	bool blind;		/* the law at `worst' is blind (law/law.h): chosen last */
	bool still;		/* max and mean are of the worst input, which stands still */
	/*
	 * A randomiser: variances of the total of what is in no line, and in every line, where max
	 * is that of all symbols on average; else 0.
	 */
	double none, all;
};

struct dp_mech_ops {
	const char *name;
	unsigned traits;
	unsigned tasks;		/* DP_TASK_* it can do */
	const struct dp_statistic *statistic;	/* DP_TASK_OWN: which */

	/*
	 * 0; DP_EINVAL: not for this rule (no horizon, horizon too long); DP_ERANGE: a scale does
	 * not fit; DP_ENOMEM.  The plan, NULL before, is the caller's to free, also on an error.
	 */
	int (*create)(struct dp_mech **, const struct dp_mech_ops *,
	    const struct dp_mech_rule *);
	void (*destroy)(struct dp_mech *);
	/*
	 * Draws what must exist before the first event, but for its parts; the column is zeroed.
	 * May be NULL.
	 */
	int (*start)(const struct dp_mech *, void *col, struct dp_rng *);
	/*
	 * Absorb step t's value x[0 .. inputs - 1] and write the estimate (all `outputs` of them);
	 * t counts up by one.  est is NULL if there is answer().  0; DP_EENTROPY (then the
	 * column is dead and must not be used again); DP_EHALT: the mechanism may release nothing
	 * from here on, this step included.
	 */
	int (*step)(const struct dp_mech *, void *col, struct dp_rng *, uint64_t t,
	    const int64_t *x, dp_wide *est);
	/*
	 * The estimates after t steps, when they are due: after step t, before the line of step
	 * t + 1, or at the end.  A mechanism that has it writes none in step(), and each answer
	 * may cost.  Else NULL.
	 */
	int (*answer)(const struct dp_mech *, void *col, struct dp_rng *, uint64_t t, dp_wide *est);
	/* True: a loaded column can be stepped within its memory; NULL: any words can. */
	bool (*valid)(const struct dp_mech *, const void *col, uint64_t t);
	/*
	 * Over t = 1..T and all outputs; NULL (DP_MEASURE_RMSE only): dp_mech_error() tries every t
	 * by its law.
	 */
	void (*error)(const struct dp_mech *, uint64_t T, struct dp_error *);
	/*
	 * True: what was released last is shown until the run ends, as what was released tells.
	 * NULL: never.
	 */
	bool (*frozen)(const struct dp_mech *, const void *col);
	/* A local randomiser: its answers, which are no estimates; else NULL. */
	const struct dp_answers *answers;

	struct {		/* Memory of a step before it is over, and after a look at it. */
		/*
		 * DP_TRAIT_PAN_OPEN: absorb part of the current step's value, x[place] += v.
		 * Otherwise NULL.
		 */
		void (*add)(const struct dp_mech *, void *col, size_t place, int64_t v);
		/* A sketch: absorb an identifier; 0, DP_EENTROPY.  Otherwise NULL. */
		int (*see)(const struct dp_mech *, void *col, struct dp_rng *,
		    const struct dp_id *);
		/*
		 * DP_TRAIT_TABLE: the word, not 0, of an identifier after one more event, of that
		 * before, or 0, and the event alone.  NULL: the step of the event.
		 */
		uint32_t (*word)(const struct dp_mech *, uint32_t was, int sign);
		/* Begins memory anew after a look at it.  DP_EHALT: none is left.  NULL: of one. */
		int (*anew)(const struct dp_mech *, void *col, struct dp_rng *);
	} open;

	struct {		/* Columns of names that nobody declared. */
		/*
		 * The column, zeroed, begins at step i + 1, and has had nothing before.  Its
		 * estimates are DP_NONE as long as its name is not to be told; a declared one's
		 * never are, and begin at step 1.  DP_EENTROPY, DP_ERANGE: it is dead.  NULL: all
		 * columns begin with the run.
		 */
		int (*late)(const struct dp_mech *, void *col, struct dp_rng *, uint64_t i,
		    bool declared);
		/* After step t: late() could begin the column anew, given all that was told. */
		bool (*gone)(const struct dp_mech *, const void *col, uint64_t t);
	} names;

	/* Work on many at once, faster than one by one; of one input and output.  May be NULL. */
	struct {
		/*
		 * Step t of n <= DP_FILL columns, x[i] and est[i] the i-th's, as n calls of step(),
		 * with draws in an order of their own.
		 */
		int (*abreast)(const struct dp_mech *, void *const *col, struct dp_rng *,
		    uint64_t t, const int64_t *x, dp_wide *est, unsigned n);
		/* The same of n columns that lie `stride' bytes apart, as n calls of step(). */
		int (*columns)(const struct dp_mech *, void *col, size_t stride, size_t n,
		    struct dp_rng *, uint64_t t, const int64_t *x, dp_wide *est);
		/*
		 * Steps t, t + 1, .., t + n - 1 with the values at x, their estimates to y: as n
		 * calls of step().  On an error *done estimates are good.
		 */
		int (*steps)(const struct dp_mech *, void *col, struct dp_rng *, uint64_t t,
		    const int64_t *x, dp_wide *y, size_t n, size_t *done);
		/* n steps of one value; of a mechanism with answer() that draws in no step. */
		void (*same)(const struct dp_mech *, void *col, const int64_t *x, uint64_t n);
		/*
		 * The noise w of y = x + w, which every filter of y may use (filter.h, which has
		 * its unit): of steps i + 1 .. i + block + 1, for i = 0, block + 1, .. in order.
		 * own: the part of the column that it has to itself, which starts zeroed.
		 * DP_EENTROPY, DP_ERANGE, DP_EHORIZON: the column is dead.  NULL: it is no such
		 * noise.
		 */
		int (*fill)(const struct dp_mech *, void *own, struct dp_rng *, uint64_t i,
		    int64_t *w);
		/*
		 * The same of n <= DP_FILL_COLUMNS columns whose own parts lie `stride' bytes
		 * apart, each block + 1 numbers of w, with draws in an order of their own.  NULL:
		 * there is fill() alone.
		 */
		int (*fills)(const struct dp_mech *, void *own, size_t stride, unsigned n,
		    struct dp_rng *, uint64_t i, int64_t *w);
	} many;

	struct {		/* The noise in an estimate. */
		/*
		 * The law of it in output `out` of estimate t, grid units (or of one of those that
		 * enter it: off.worst_of); NULL: there is none, and the measure is no rms error.
		 */
		void (*at)(const struct dp_mech *, unsigned out, uint64_t t, struct dp_law *);
		/*
		 * Period of the law of output `out` in t; 0: there is none.  From *from on the laws
		 * at t, t + cycle, .. converge from below: those from t + DP_CYCLES cycle on are
		 * one, and the law at t is a little narrower at most.  May be NULL.
		 */
		uint64_t (*cycle)(const struct dp_mech *, unsigned out, uint64_t *from);
		/*
		 * The law of now times the noise of estimate t >= 1 plus next times that of
		 * estimate t + 1, for one output; NULL: nobody has asked.
		 */
		void (*blend)(const struct dp_mech *, uint64_t t, double now, double next,
		    struct dp_law *);
	} law;

	struct {		/* Intervals and bounds that do not follow from one law. */
		/*
		 * An output that is not the right answer and noise: its interval after step t, of
		 * probability 1 - gamma at least, in units of the estimates, from what col has
		 * released in that step.  0; DP_ENOMEM.  NULL: estimates have intervals by their
		 * law, or none.
		 */
		int (*interval)(const struct dp_mech *, const void *col, unsigned out, uint64_t t,
		    double gamma, dp_wide *lo, dp_wide *hi);
		/*
		 * The same for a difference of two columns (law/law.h): not cut where values end,
		 * or a box, and no end nearer than pairs need.  est is the estimate before, and may
		 * be set to one that is not cut.  Not NULL where interval is not, for tools with
		 * --difference.
		 */
		int (*apart)(const struct dp_mech *, const void *col, unsigned out, uint64_t t,
		    double gamma, struct dp_law_range *);
		/*
		 * Of what n columns have released in that step, added up: the estimate, and, if lo
		 * is not NULL, its interval, which holds it.  0; DP_ENOMEM.  NULL: the sum of the
		 * estimates.
		 */
		int (*total)(const struct dp_mech *, const void *const col[], size_t n,
		    unsigned out, uint64_t t, double gamma, dp_wide *est, dp_wide *lo, dp_wide *hi);
		/*
		 * The least whole w from least .. most with P(one of estimates 1..T is off by more
		 * than w) <= gamma, or a little more, where it is known that most has that: of one
		 * output in whole grid units.  NAN: no memory.  NULL: nothing is known.
		 */
		double (*all_steps)(const struct dp_mech *, uint64_t T, double gamma, double least,
		    double most);
		/*
		 * Bound of probability 1 - gamma on the root mean square of all outputs' errors,
		 * grid units, at step T (0: unknown), of a mechanism whose laws do not give one; 0:
		 * no bound.  Else NULL.
		 */
		double (*together)(const struct dp_mech *, uint64_t T, double gamma);
	} bound;

	struct {		/* Draws of the plan, and their loss. */
		/*
		 * The i-th family of noise for --explain, and *what: the numbers that have it;
		 * false past the last.  NULL: m->drawn.noise alone.
		 */
		bool (*family)(const struct dp_mech *, unsigned i, const struct dp_noise **,
		    const char **what);
		/* Grid units per unit of the i-th family; NULL: m->drawn.unit (times parts'). */
		double (*unit)(const struct dp_mech *, unsigned i);
		double (*number)(const struct dp_mech *);	/* mean a step; NULL: 1 */
		/* Loss, an epsilon, of an event d steps old; NULL: epsilon at every age. */
		double (*loss)(const struct dp_mech *, uint64_t d);
		/* Adds its noise to a certificate; NULL: plans are unknown.  DP_ENOMEM. */
		int (*certify)(const struct dp_mech *, struct dp_buf *);
	} drawn;

	struct {		/* Words on the mechanism, most of them for --explain. */
		const char *source;	/* what it is and where it is published */
		const char *noise;	/* the distribution; NULL: the first family's */
		/*
		 * The i-th sentence that --explain prints besides, without its period; false past
		 * the last.  unit: a grid unit, in the user's.  NULL: none.
		 */
		bool (*note)(const struct dp_mech *, unsigned i, double unit, char *text,
		    size_t size);
		/*
		 * Reason against this task's own parameters, in words that go after the mechanism's
		 * name; NULL: none is known.  May be NULL.
		 */
		const char *(*refuses)(const struct dp_task *);
		/*
		 * Reason for create()'s DP_ERANGE, or for an error that is blind, and the nearest
		 * parameters that would do, in words that go after the mechanism's name; false:
		 * none is known.  May be NULL.
		 */
		bool (*unfit)(const struct dp_mech_rule *, char *text, size_t size);
	} say;
};

/*
 * dp_mech_does(): the mechanism serves for the task: it knows the task itself; or, under sharp
 * expiry, it is a window mechanism and the task a running count, or it protects every step for ever
 * and the task is a decay.
 * dp_mech_create(): a plan, as by ops->create(), but *m is NULL on an error; DP_EINVAL also if the
 * mechanism does not serve, or if the rule's numbers replay numbers of another plan.  The call ends
 * the numbers, if there are any, also if it fails: the next call replays or records a new list.
 */
bool	dp_mech_does(const struct dp_mech_ops *, const struct dp_task *);
int	dp_mech_create(struct dp_mech **, const struct dp_mech_ops *,
	    const struct dp_mech_rule *) DP_MUSTUSE;
/*
 * True: the mechanism does more than the task asks, as it protects every step for ever; *own is the
 * task that it does.
 */
bool	dp_mech_spares(const struct dp_mech_ops *, const struct dp_task *, struct dp_task *own);

/* As ops->create(), but *m is NULL on an error: a part of another mechanism. */
int	dp_mech_plan(struct dp_mech **, const struct dp_mech_ops *,
	    const struct dp_mech_rule *) DP_MUSTUSE;

/* Predicted error, through ops->error or, for short horizons, every step. */
void	dp_mech_error(const struct dp_mech *, uint64_t T, struct dp_error *);
double	dp_mech_variance(const struct dp_mech *, uint64_t t);
/* The law of output `out` at step t, cleared first. */
void	dp_mech_law(const struct dp_mech *, unsigned out, uint64_t t, struct dp_law *);

/*
 * Of n columns side by side, in their order: dp_mech_start(), and step t with their values, of
 * columns that begin `stride' bytes apart: by ops->many.columns, or each by step().
 */
int	dp_columns_start(const struct dp_mech *, char *col, size_t n, struct dp_rng *) DP_MUSTUSE;
int	dp_columns_step(const struct dp_mech *, void *col, size_t stride, size_t n,
	    struct dp_rng *, uint64_t t, const int64_t *x, dp_wide *est) DP_MUSTUSE;

/* Starts the parts of m, one after the other, then m itself by ops->start. */
int	dp_mech_start(const struct dp_mech *, void *col, struct dp_rng *) DP_MUSTUSE;
/* Noise of the parts, one after the other, then that of ops->drawn, or of m. */
bool	dp_mech_family(const struct dp_mech *, unsigned i, const struct dp_noise **,
	    const char **what);
double	dp_mech_unit(const struct dp_mech *, unsigned i);
double	dp_mech_draws(const struct dp_mech *);
/* For ops->error where the variances of all steps are equal. */
void	dp_mech_error_constant(const struct dp_mech *, uint64_t T, struct dp_error *);

/* ops->many.steps, or step() n times. */
int	dp_mech_steps(const struct dp_mech *, void *col, struct dp_rng *, uint64_t t,
	    const int64_t *x, dp_wide *y, size_t n, size_t *done) DP_MUSTUSE;

/* A zeroed plan of n bytes; NULL: no memory. */
void	*dp_mech_alloc(const struct dp_mech_ops *, size_t n, uint64_t horizon, size_t column);
void	dp_mech_free(struct dp_mech *);
/* a + b; words of a forged column may wrap */
static inline dp_wide
dp_wrapped(dp_wide a, dp_wide b)
{
	return (dp_wide)((dp_uwide)a + (dp_uwide)b);
}

/* One draw. */
static inline int
dp_draw(const struct dp_noise *n, struct dp_rng *r, int64_t *z)
{
	return dp_noise_fill(n, r, z, 1);
}

/*
 * What a mechanism that is made of others has of them: their plans, where their columns
 * lie in its own, and all that is done to every part alike.
 *
 * A part is a private number over time, or n alike: a mechanism that was planned for its share of
 * the budget and for its own reach (dp_privacy_part()), with a column each.  It belongs to the
 * whole from dp_part_give() on: dp_mech_free() frees it, dp_mech_start() starts its columns before
 * what is the whole's own, dp_mech_family(), _unit() and _draws() tell its noise before the whole's
 * own.  The whole steps it, in its own step() or answer(), and asks dp_part_valid() in its valid().
 *
 * A statistic of what events add to several numbers has a part for each band of them, and steps
 * them all with dp_parts_step(): what they release in a step lies behind their columns, in no state
 * file, and all that the statistic prints is computed from it.
 *
 * Privacy.  Parts draw noise of their own, so the shifts that explain a neighbour are made side by
 * side: with shares that sum to 1, each for all that a unit moves of its part, the whole has the
 * budget.  What is computed from what parts release is post-processing.
 */

/* ops->create() with a rule of its own, then dp_part_give(): errors of both. */
int	dp_part_create(struct dp_mech *whole, const struct dp_mech_ops *,
	    const struct dp_mech_rule *, size_t n, double steps) DP_MUSTUSE;
/* Its columns lie from byte `at' on, a multiple of 16.  Returns their end; SIZE_MAX: too large. */
size_t	dp_part_place(struct dp_part *, size_t at);

/* Column j < n; of the whole's column. */
static inline void *
dp_part_column(const struct dp_part *p, const void *col, size_t j)
{
	return (char *)(uintptr_t)col + p->at + j * p->stride;
}

/* Column j's step t. */
static inline int
dp_part_step(const struct dp_part *p, void *col, size_t j, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	return p->inner->ops->step(p->inner, dp_part_column(p, col, j), rng, t, x, est);
}

/*
 * A part for each of the rule's bands, of the rule's weighted sums (of an OWN task, of running
 * counts) by counter[band]: for share[band] of the budget, and for the band's reach.  It sets the
 * whole's inputs, column and first.  As ops->create(); DP_EINVAL also if shares sum to more than 1,
 * or there are parts already.  After an error the whole has some of its parts, which
 * dp_mech_free() frees.
 */
int	dp_parts_create(struct dp_mech *whole, const struct dp_mech_rule *,
	    const struct dp_mech_ops *const counter[], const struct dp_q share[]) DP_MUSTUSE;
/* A step of them all: x as the rule's bands lie.  What they release: dp_parts_numbers(). */
int	dp_parts_step(const struct dp_mech *whole, void *col, struct dp_rng *, uint64_t t,
	    const int64_t *x) DP_MUSTUSE;
/* All outputs of each part, in the order of x; 0 before the first step that this process takes. */
const dp_wide *dp_parts_numbers(const struct dp_mech *whole, const void *col);
/* open.add() and valid() of the whole's ops; law.at() of one that has its first part's law. */
void	dp_parts_add(const struct dp_mech *whole, void *col, size_t place, int64_t v);
bool	dp_parts_valid(const struct dp_mech *whole, const void *col, uint64_t t);
void	dp_parts_law(const struct dp_mech *whole, unsigned out, uint64_t t, struct dp_law *);

/* True: all its columns may be so after t steps of its own. */
bool	dp_part_valid(const struct dp_part *, const void *col, uint64_t t);

/*
 * What a plan draws, in the text that dputils-plan(5) describes: numbers as they
 * are drawn from, for a checker that shares no code with the planner (audit/certificate.h).
 */

/*
 * Adds a mechanism and its parts: `mechanism' to `end'.  One that does not say what it draws has
 * the line `unknown'.  DP_ENOMEM.
 */
int	dp_certificate_add(const struct dp_mech *, struct dp_buf *) DP_MUSTUSE;

/*
 * All of a plan: whose it is, `how' (exact, seeded, or NULL), the lines on what neighbours move,
 * its task's times, its mechanism.  DP_ENOMEM.
 */
int	dp_certificate_plan(struct dp_buf *, const char *tool, const char *how,
	    const struct dp_buf *moves, const struct dp_task *, const struct dp_mech *) DP_MUSTUSE;

/* The first lines of a mechanism, or of a part that is none: its `end' is the caller's to add. */
void	dp_certificate_begin(struct dp_buf *, const char *name, struct dp_q epsilon,
	    struct dp_q delta, uint64_t reach);

/*
 * For ops->certify, lines of dputils-plan(5); noise that is none is unknown.
 *   nothing	is drawn, and what is printed is a function of options
 *   laplace	noise on numbers that one grid unit of the step values moves by `times' in sum
 *   values	n releases one after the other (account/privacy.h, REPEATED) that one unit moves by
 *		`moves'
 *   choices	n choices by scores; what one unit adds to two scores differs by at most `moves'
 *   gauss	Gaussian draws whose moves have squares that sum to `square'
 *   sparse	a threshold that moves by `moves', and n comparisons by `span'
 *   coin	answers whose odds are those of the coin, times others / own, to the power `times'
 *   again	bits that are drawn again, and n answers that one moves by `moves'
 *   looks	looks at bits that are flipped after each
 *   names	names that are released from tau on, of units of k events, at most `each' of a name
 *   pass	names that are released where the noise so far and their count come to tau, within
 *		n times T steps of the tree that was added last
 *   window	the same by the noise of the last W steps of a row of such trees
 *   rise	the same by the noise of the part before
 *   ages	a noise for each level of dyadic intervals (gradual.c), for events that many steps
 *		old, which at their own step have lost `fresh' at most
 *   counter	the part that follows counts changes: how many one unit moves in sum, their
 *		squares as `fading' (account/privacy.h) has them, and the number of answers; 0:
 *		no end
 *   composed	n numbers by advanced composition
 *   rounds	n times the mechanism that is to follow
 */
int	dp_certificate_unknown(struct dp_buf *) DP_MUSTUSE;
int	dp_certificate_nothing(struct dp_buf *) DP_MUSTUSE;
int	dp_certificate_laplace(struct dp_buf *, const struct dp_noise *, uint64_t times) DP_MUSTUSE;
int	dp_certificate_values(struct dp_buf *, const struct dp_noise *, uint64_t moves, uint64_t n)
	    DP_MUSTUSE;
int	dp_certificate_choices(struct dp_buf *, const struct dp_choose *, uint64_t moves,
	    uint64_t n) DP_MUSTUSE;
int	dp_certificate_gauss(struct dp_buf *, const struct dp_noise *, dp_uwide square,
	    uint64_t draws) DP_MUSTUSE;
int	dp_certificate_sparse(struct dp_buf *, const struct dp_noise *threshold, uint64_t moves,
	    const struct dp_noise *compare, uint64_t span, uint64_t n) DP_MUSTUSE;
int	dp_certificate_coin(struct dp_buf *, const struct dp_coin *, uint64_t others, uint64_t own,
	    uint64_t times) DP_MUSTUSE;
int	dp_certificate_again(struct dp_buf *, const struct dp_noise *state,
	    const struct dp_noise *out, uint64_t moves, uint64_t n) DP_MUSTUSE;
int	dp_certificate_looks(struct dp_buf *, const struct dp_noise *state, uint64_t looks)
	    DP_MUSTUSE;
int	dp_certificate_names(struct dp_buf *, const struct dp_noise *, uint64_t tau, uint64_t k,
	    uint64_t each) DP_MUSTUSE;
struct dp_certificate_pass {
	uint64_t steps, tau;
};
int	dp_certificate_passes(struct dp_buf *, uint64_t k, uint64_t each,
	    const struct dp_certificate_pass *, unsigned n) DP_MUSTUSE;
int	dp_certificate_window(struct dp_buf *, uint64_t k, uint64_t each, uint64_t W, uint64_t tau)
	    DP_MUSTUSE;
int	dp_certificate_rise(struct dp_buf *, uint64_t k, uint64_t each, uint64_t tau) DP_MUSTUSE;
int	dp_certificate_counter(struct dp_buf *, const struct dp_certificate_counter *) DP_MUSTUSE;
/* A count of changes, by the part that is to follow. */
struct dp_certificate_counter {
	uint64_t moves, fading, answers;
};
int	dp_certificate_composed(struct dp_buf *, const struct dp_noise *, uint64_t moves,
	    uint64_t n) DP_MUSTUSE;
void	dp_certificate_rounds(struct dp_buf *, uint64_t n);
void	dp_certificate_real(struct dp_buf *, double);	/* exactly, after a blank */
void	dp_certificate_word(struct dp_buf *, uint64_t);	/* in decimal, after a blank */
/* So many parts follow; dp_certificate_add() says it of those that are mechanisms. */
void	dp_certificate_count(struct dp_buf *, uint64_t parts);
/* All noise is that of parts. */
int	dp_certificate_parts(const struct dp_mech *, struct dp_buf *) DP_MUSTUSE;

/* Answers that are released when they have moved (stat/transform.h), as a task. */

/* task.own */
struct dp_transform {
	uint64_t changes;		/* K */
	uint64_t distance;		/* grid units */
	/* No answer falls, or is farther above the range's end than this, grid units; 0: unknown */
	uint64_t rising;
	bool one_way;			/* neighbours' answers are all on one side */
	bool hold;			/* the last answer is repeated, instead of HALT */
	/* From a line to the next no answer moves by more, grid units; drifts false: unknown. */
	uint64_t drift;
	bool drifts;
	uint64_t refresh;		/* lines of a block of recompute; 0: found */
	uint64_t reach;			/* the most that answers are apart, in r */
	uint64_t unit;			/* r, grid units */
	double inner;			/* epsilon that the statistic itself has spent */
	const char *distance_text;	/* as given */
};

extern const struct dp_statistic dp_transform_statistic;

/*
 * Estimates of decayed sums as integers in units of 10^-decimals.
 *
 * All of it is post-processing: what they round is private already (or epsilon is inf).
 */

#define DP_SCALED_DECIMALS	18

/* decimals <= DP_SCALED_DECIMALS.  v 10^decimals to the nearest, half to even; at most +-2^126. */
dp_wide	dp_scaled_real(long double v, unsigned decimals);
/* y 2^-shift 10^decimals to the nearest, half up, exactly; |y| < 2^(66 + shift), shift <= 62. */
dp_wide	dp_scaled_grid(dp_wide y, unsigned shift, unsigned decimals);
/* dp_scaled_grid() with halves rounded away from zero. */
dp_wide	dp_scaled_away(dp_wide y, unsigned shift, unsigned decimals);

#endif
