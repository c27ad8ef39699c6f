/* SPDX-License-Identifier: ISC */
/* internal.h - internal to lib/explain: what its files alone share. */
#ifndef DP_EXPLAIN_INTERNAL_H
#define DP_EXPLAIN_INTERNAL_H

#include "stat/margins.h"
#include "store/run.h"

#define DP_REPORT_ASSUMPTIONS	40

struct dp_report {
	const struct dp_tool *tool;
	const struct dp_options *o;
	const struct dp_mech_rule *s;
	const struct dp_plan *p;
	double unit;			/* one grid unit, in the user's units */
	struct {			/* on errors, from above */
		double conf;		/* confidence */
		double max, all;	/* grid units: at the worst step, at all steps together */
		double margin;		/* of the mechanism, which is in both; the user's units */
		double together;	/* for all outputs, the user's units; 0: none */
		uint64_t step;		/* with the largest, */
		unsigned out;		/* and its output */
	} bound;
	double lower, unbiased;		/* lower bounds, counter/mech.h; 0: none */
	bool rmse;			/* errors are variances (else quantiles of the loss) */
	bool regret;			/* errors are bounds on the expected regret */
	bool spare;			/* the mechanism makes no use of expiry */
	bool once;			/* there is one answer, at the end */
	enum dp_cover cover;
	struct dp_law *law;
	struct {
		char epsilon[64], delta[64], neighbours[DP_NEIGHBOURS], estimates[DP_TASK_TEXT];
	} text;
};
/* Fills a report.  Its pointers hold until the next call: one report at a time. */
void	dp_report_make(struct dp_report *, const struct dp_tool *, const struct dp_options *,
	    const struct dp_mech_rule *, const struct dp_plan *);

/*
 * A report without predicted errors: the unit that is protected, and the number that is estimated.
 */
void	dp_report_words(struct dp_report *, const struct dp_tool *, const struct dp_options *,
	    const struct dp_mech_rule *, const struct dp_plan *);
/* The guarantee, sentences with a line end among them; of pan-privacy nothing. */
#define DP_GUARANTEE	(DP_NEIGHBOURS + 600)
void	dp_report_guarantee(const struct dp_report *, char text[static DP_GUARANTEE]);
/* Output `out` at step t, in the user's units: half of the interval at 1 - gamma, or the rmse. */
const char *dp_report_law_name(const struct dp_report *, unsigned out);
/* Output `out` at step t, in the user's units: half of the interval at 1 - gamma, or the rmse. */
double	dp_report_rmse(const struct dp_report *, unsigned out, uint64_t t);
/* The step at which an output's rms error is largest; each of several windows has its own. */
uint64_t dp_report_worst(const struct dp_report *, unsigned out);
/* Half of the interval at the report's confidence, as lines have it. */
double	dp_report_interval(const struct dp_report *, unsigned out, uint64_t t);
/* True: predicted are errors of differences of two keys. */
bool	dp_report_differs(const struct dp_report *);
/* A predicted error, in the user's units and the task's measure. */
double	dp_report_error(const struct dp_report *, double e);
/* The i-th family of noise: its name, its scale; dp_report_scale() is false past the last. */
const char *dp_report_distribution(const struct dp_report *, unsigned i);
bool	dp_report_scale(const struct dp_report *, unsigned i, double *b, const char **what);
/* Sensitivity of the values in the user's units; for identifiers their number. */
double	dp_report_sensitivity(const struct dp_report *);
/* The most that two numbers differ by, grid units. */
double	dp_report_reach(const struct dp_options *);
/* Number of estimates printed for the steps reported for. */
uint64_t dp_report_printed(const struct dp_report *);
/* The i-th of the ages 0, 1, 3, 7, .. and the loss at that age; false past the last. */
bool	dp_report_loss(const struct dp_report *, unsigned i, uint64_t *age, double *loss);
/* Bytes of all columns. */
size_t	dp_report_memory(const struct dp_report *);

/* Assumptions of the guarantee, sentences valid until the next call; returns how many. */
unsigned dp_report_assumptions(const struct dp_report *, const char **out);
/* true: every line is private by itself. */
bool	dp_report_local(const struct dp_report *);
/* Sentence on a randomiser's draw for a line; false: the mechanism is no randomiser. */
bool	dp_report_answer(const struct dp_report *, char text[static DP_TASK_TEXT]);
/*
 * The first sentence of --explain, without its period: how far off the output will be.
 */
void	dp_report_expect(const struct dp_report *, char text[static DP_TASK_TEXT]);
/* What steps are: days, lines, .. */
const char *dp_report_steps(const struct dp_options *);
/* The epsilon found by --within, as a decimal. */
const char *dp_report_within(const struct dp_report *, char text[static 64]);
/* The i-th warning, a sentence; NULL past the last. */
const char *dp_report_warning(const struct dp_report *, unsigned i);
/*
 * true: answers would be noise alone.  text: a sentence that begins with DP_NOTE_BLIND, made from
 * predicted errors (explain.c) or, if it begins so, the tool's own first note.
 */
bool	dp_blind_own(const struct dp_tool *, const struct dp_options *, const struct dp_mech_rule *,
	    const struct dp_plan *, char text[static DP_NOTE]);
/* The i-th further sentence, of dp_blind(), the mechanism or the tool; false past the last. */
bool	dp_report_note(const struct dp_report *, unsigned i, char text[static DP_NOTE]);
/*
 * The plan's certificate, as dputils-plan(5) has it: appended, DP_ENOMEM; or printed.
 */
void	dp_explain_plan(const struct dp_tool *, const struct dp_options *, const struct dp_plan *);

void	dp_explain_text(const struct dp_report *);
void	dp_explain_json(const struct dp_report *);
/* JSON, one line: a member that describes the columns of a run's output, for programs. */
void	dp_explain_output(const struct dp_report *);

/*
 * Writes a name at p, quoted where the format needs it; returns its end.  p has room for twice the
 * name's bytes (JSON: six times) and 2.
 */
char	*dp_print_text(char *p, const char *, enum dp_format);

/*
 * The inside of print*.c: the columns of a line, their names, and the rounding of an
 * estimate.
 */

static inline char
dp_print_separator(const struct dp_run *r)
{
	return r->o->print.format == DP_CSV || r->o->print.format == DP_LONG ? ',' : '\t';
}

/* The output of column c; the common case of one output needs no division. */
static inline size_t
dp_print_output(const struct dp_run *r, size_t c)
{
	return DP_LIKELY(r->print.outputs == 1) ? 0 : c % r->print.outputs;
}

/* Columns of estimates that are printed. */
static inline size_t
dp_print_columns(const struct dp_run *r)
{
	const struct dp_margins *m = r->o->print.table.made;

	return r->print.nest - (r->o->print.difference ? r->print.outputs : 0) +
	    (m != NULL && r->plan.mech->nodes == 0 ? m->n * r->print.outputs : 0);
}

static inline bool
dp_print_choice(const struct dp_run *r, size_t c)
{
	return r->o->output[dp_print_output(r, c)].kind == DP_OUTPUT_CHOICE;
}

/* true: column c has an interval. */
static inline bool
dp_print_bounds(const struct dp_run *r, size_t c)
{
	return r->o->print.confidence > 0 && !dp_print_choice(r, c);
}

/* Room for one more value of the current line, of n bytes. */
static inline char *
dp_print_room(struct dp_run *r, char *p, size_t n)
{
	if (DP_LIKELY(r->print.out->cap - (size_t)(p - r->print.out->buf) >= n))
		return p;
	r->print.out->n = (size_t)(p - r->print.out->buf);
	return dp_out_grow(r->print.out, n);
}
/* Name of column c's estimate (suffix ""), or of an end of its interval (_lo, _hi). */
#define DP_COLUMN	1600
const char *dp_print_column(const struct dp_run *, size_t c, const char *suffix,
	    char name[static DP_COLUMN]);
/*
 * JSON: makes, once, the text before each estimate of an object: comma, name, colon.  Column c's
 * text is names.p[member[c] .. member[c + 1] - 1] of r->print; DP_PRINT_SLACK bytes follow the last
 * text.  DP_ENOMEM.
 */
#define DP_PRINT_SLACK	16

/* print.c */
/* A row of -o long; or of -o prometheus a sample of each metric, which takes no room. */
struct dp_tidy {
	uint64_t t;
	int64_t begin;			/* of its bucket */
	const char *key, *statistic;	/* key: "" if there is none */
	const char *number[3];		/* estimate, lo, hi; "" if there is none */
	const char *flag;		/* what ends the row: internal.h, dp_print_flag() */
	bool keyed;			/* an empty key is one */
	bool declared;			/* the key is one of --keys */
	bool chosen;			/* the key is what was chosen: there is no estimate */
};
/* Estimate and interval of column c as printed; c is no choice. */
void	dp_print_round(struct dp_run *, uint64_t t, size_t c, struct dp_interval *);

/* margins.c */
/*
 * to[]: the keys' and totals' numbers as multiples of `step', that add up: of a tree and a table
 * each total is the sum of what is below it; with nonnegative none is below 0.  DP_ENOMEM.
 */
int	dp_margins_fit(const struct dp_margins *, const dp_wide *est, dp_wide step,
	    bool nonnegative, dp_wide *to) DP_MUSTUSE;
int	dp_margins_prepare(struct dp_run *) DP_MUSTUSE;
/* The totals of step t, their half-widths, and what is printed. */
int	dp_margins_step(struct dp_run *, uint64_t t) DP_MUSTUSE;
void	dp_margins_done(struct dp_run *);

#endif
