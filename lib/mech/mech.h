/*
 * mech.h - the operations table every mechanism fills in.
 *
 * A mechanism is an immutable plan (noise tables, budgets: one per run) and a column (the evolving
 * sums and noise: one per declared key).  A column is plain words without pointers, so the driver
 * saves and loads it.  A mechanism knows nothing of files or options; randomness is an argument.
 *
 * Time: step t = 1, 2, ...; x is the step's value: `inputs` numbers in grid units (one, unless the
 * task is about many columns at once).  What the estimates after step t approximate says the task
 * (task.h).  Every mechanism is unbiased unless its source says otherwise.  A sketch has no
 * numbers: it takes identifiers through see(), and its step() closes the step.
 *
 * Adding one: one file that defines a const struct dp_mech_ops, one line in plan/list.c.
 */
#ifndef DP_MECH_H
#define DP_MECH_H

#include "base/buf.h"
#include "noise/law.h"
#include "rule.h"

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

#define DP_CYCLES	32
#define DP_FILL		64	/* steps of a block, at most */

struct dp_answers;		/* local.h */

/* An identifier, as sketches see it. */
struct dp_id {
	/* its place in the universe, and 0; or 128 bits of a keyed hash; or DP_TRAIT_TABLE's */
	uint64_t word[2];
	int sign;		/* 1, or -1: undone */
};

#define DP_PARTS	DP_BANDS
/* An estimate that there is none of: its place is left empty. */
#define DP_NONE		((dp_wide)1 << 126)

/* A mechanism within another, or n alike (part.h). */
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
		double none, all;	/* see struct dp_error */
	} answers;
	unsigned parts;
	struct dp_part part[DP_PARTS];
};

/* In the measure of the task (task.h), over steps 1..T and all outputs. */
struct dp_error {
	/*
	 * DP_MEASURE_RMSE: variances, grid units squared; _QUANTILE: losses, grid units; _REGRET:
	 * of all steps, and a T-th of it
	 */
	double max, mean;	/* mean: NAN if it depends on the data; max: NAN without memory */
	uint64_t worst;		/* a step that attains max */
	bool blind;		/* the law at `worst' is blind (law.h): chosen last */
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
		/*
		 * Steps t, t + 1, .., t + n - 1 with the values at x, their estimates to y: as n
		 * calls of step().  On an error *done estimates are good.
		 */
		int (*steps)(const struct dp_mech *, void *col, struct dp_rng *, uint64_t t,
		    const int64_t *x, dp_wide *y, size_t n, size_t *done);
		/*
		 * The noise w of y = x + w, which every filter of y may use (filtered.h, which has
		 * its unit): of steps i + 1 .. i + block + 1, for i = 0, block + 1, .. in order.
		 * own: the part of the column that it has to itself, which starts zeroed.
		 * DP_EENTROPY, DP_ERANGE, DP_EHORIZON: the column is dead.  NULL: it is no such
		 * noise.
		 */
		int (*fill)(const struct dp_mech *, void *own, struct dp_rng *, uint64_t i,
		    int64_t *w);
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
		 * Reason for create()'s DP_ERANGE, and the nearest parameters that would do, in
		 * words that go after the mechanism's name; false: none is known.  May be NULL.
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

/* count + noise / 2^s, half to even; unsigned, as both of a forged column may be any words. */
static inline dp_wide
dp_add_noise(dp_wide count, dp_wide noise, unsigned s)
{
	const dp_uwide unit = (dp_uwide)1 << s, rest = (dp_uwide)noise & (unit - 1);
	const dp_uwide y = (dp_uwide)count + (dp_uwide)(noise >> s);

	return (dp_wide)(y + (2 * rest > unit || (2 * rest == unit && (y & 1) != 0)));
}

/* One draw. */
static inline int
dp_draw(const struct dp_noise *n, struct dp_rng *r, int64_t *z)
{
	return dp_noise_fill(n, r, z, 1);
}

#endif
