/*
 * explain.h - what is told of a run before it reads data, on options and the plan alone: what
 * --explain says, found once, for both of its forms; --within; how lines are read.
 */
#ifndef DP_EXPLAIN_H
#define DP_EXPLAIN_H

#include "ask/relation.h"
#include "keep/run.h"

#define DP_REPORT_ASSUMPTIONS	24

/* --explain: prints to stdout; the exit status. */
int	dp_explain(const struct dp_tool *, const struct dp_options *,
	    const struct dp_mech_rule *, const struct dp_plan *);
/* within.c: --within; sets the epsilon */
void	dp_within(struct dp_run *);
/*
 * reading.c: one line on standard error each: how lines are read; that a range is used which nobody
 * gave.
 */
void	dp_reading_say(const struct dp_options *, const struct dp_tool *);
void	dp_reading_warn(const struct dp_options *, const struct dp_tool *);

struct dp_report {
	const struct dp_tool *tool;
	const struct dp_options *o;
	const struct dp_mech_rule *s;
	const struct dp_plan *p;
	double unit;			/* one grid unit, in the user's units */
	double conf;
	double bound_max, bound_all;	/* grid units */
	double lower, unbiased;	/* lower bounds, task.h; 0: none */
	double together;		/* of all outputs, the user's units; 0: none */
	uint64_t worst;
	unsigned out;			/* the output it belongs to */
	bool rmse;			/* errors are variances, not quantiles of the loss, */
	bool regret;			/* or bounds on the expected regret */
	bool spare;			/* what may expire is not made use of */
	bool once;			/* there is one answer, at the end */
	enum dp_cover cover;
	struct dp_law *law;
	struct {
		char epsilon[64], delta[64], neighbours[DP_NEIGHBOURS], estimates[DP_TASK_TEXT];
	} text;
};

/* One grid unit, in the user's units; where errors are in events, an event. */
double	dp_report_unit(const struct dp_options *);
/* Of one report at a time: what it points to is the next one's. */
void	dp_report_make(struct dp_report *, const struct dp_tool *, const struct dp_options *,
	    const struct dp_mech_rule *, const struct dp_plan *);

/* Of output `out` at step t, in the user's units: half the interval at 1 - gamma; the rms. */
double	dp_report_bound(const struct dp_report *, unsigned out, uint64_t t, double gamma);
const char *dp_report_law_name(const struct dp_report *, unsigned out);
double	dp_report_rmse(const struct dp_report *, unsigned out, uint64_t t);
/* A predicted error, in the user's units and the task's measure. */
double	dp_report_error(const struct dp_report *, double e);
/* Of the i-th family of noise; scale() is false past the last. */
const char *dp_report_distribution(const struct dp_report *, unsigned i);
bool	dp_report_scale(const struct dp_report *, unsigned i, double *b, const char **what);
/* How far one unit moves the values, in the user's units; of identifiers: how many. */
double	dp_report_sensitivity(const struct dp_report *);
/* The most that two numbers differ by, grid units. */
double	dp_report_reach(const struct dp_options *);
/* How many estimates are printed of the steps reported for. */
uint64_t dp_report_printed(const struct dp_report *);
/* Ages 0, 1, 3, 7, .. and the loss by then, where it grows with age; false past the last. */
bool	dp_report_loss(const struct dp_report *, unsigned i, uint64_t *age, double *loss);
/* Bytes of all columns. */
size_t	dp_report_memory(const struct dp_report *);

/* What is assumed, a sentence each; returns how many.  They live until the next call. */
unsigned dp_report_assumptions(const struct dp_report *, const char **out);
/* What a line is worth; it lives until the next call. */
const char *dp_report_values(const struct dp_report *);
/* Whether every line is private by itself. */
bool	dp_report_local(const struct dp_report *);
/* What a randomiser draws for a line; false: the mechanism is none. */
bool	dp_report_answer(const struct dp_report *, char text[static DP_TASK_TEXT]);
/*
 * What a person wants to know first: how far off the output will be.  One sentence without its
 * period; of DP_TASK_TEXT bytes.
 */
void	dp_report_expect(const struct dp_report *, char text[static DP_TASK_TEXT]);
/* An epsilon found by --within, as a decimal. */
const char *dp_report_within(const struct dp_report *, char text[static 64]);
/* The i-th thing to be wary of, a sentence; NULL past the last. */
const char *dp_report_warning(const struct dp_report *, unsigned i);
/*
 * Whether answers would be noise alone, and that in a sentence that begins with DP_NOTE_BLIND: the
 * tool's own first note, if it begins so, or what predicted errors come to (blind.c).
 */
bool	dp_blind(const struct dp_tool *, const struct dp_options *, const struct dp_mech_rule *,
	    const struct dp_plan *, char text[static DP_NOTE]);
bool	dp_blind_own(const struct dp_tool *, const struct dp_options *, const struct dp_mech_rule *,
	    const struct dp_plan *, char text[static DP_NOTE]);
/* The i-th sentence that dp_blind(), the mechanism or the tool adds; false past the last. */
bool	dp_report_note(const struct dp_report *, unsigned i, char text[static DP_NOTE]);

void	dp_explain_text(const struct dp_report *);
void	dp_explain_json(const struct dp_report *);
/* A member of an object, on one line: what a run's lines look like, for those who read them. */
void	dp_explain_output(const struct dp_report *);

#endif
