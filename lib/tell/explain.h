/*
 * explain.h - sentences and numbers on a run, from its options and plan alone, before it reads
 * data: --explain in both forms, --within, and how lines are read.
 */
#ifndef DP_EXPLAIN_H
#define DP_EXPLAIN_H

#include "ask/relation.h"
#include "keep/run.h"

#define DP_REPORT_ASSUMPTIONS	24

/* --explain: prints to stdout; the exit status. */
int	dp_explain(const struct dp_tool *, const struct dp_options *,
	    const struct dp_mech_rule *, const struct dp_plan *);
/* within.c: the epsilon that --within finds. */
struct dp_q dp_within(struct dp_run *);
/*
 * reading.c: a line on standard error: how lines are read; a warning of the default range in use.
 */
void	dp_reading_say(const struct dp_options *, const struct dp_tool *);
void	dp_reading_warn(const struct dp_options *, const struct dp_tool *);

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
	double lower, unbiased;		/* lower bounds, task.h; 0: none */
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

/* One grid unit in the user's units; one event where errors are in events. */
double	dp_report_unit(const struct dp_options *);
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
double	dp_report_bound(const struct dp_report *, unsigned out, uint64_t t, double gamma);
const char *dp_report_law_name(const struct dp_report *, unsigned out);
double	dp_report_rmse(const struct dp_report *, unsigned out, uint64_t t);
/* Half of the interval at the report's confidence, as lines have it. */
double	dp_report_interval(const struct dp_report *, unsigned out, uint64_t t);
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
/* Sentence on how a line becomes a value; valid until the next call. */
const char *dp_report_values(const struct dp_report *);
/* true: every line is private by itself. */
bool	dp_report_local(const struct dp_report *);
/* Sentence on a randomiser's draw for a line; false: the mechanism is no randomiser. */
bool	dp_report_answer(const struct dp_report *, char text[static DP_TASK_TEXT]);
/*
 * The first sentence of --explain, without its period: how far off the output will be.
 */
void	dp_report_expect(const struct dp_report *, char text[static DP_TASK_TEXT]);
/* The epsilon found by --within, as a decimal. */
const char *dp_report_within(const struct dp_report *, char text[static 64]);
/* The i-th warning, a sentence; NULL past the last. */
const char *dp_report_warning(const struct dp_report *, unsigned i);
/*
 * true: answers would be noise alone.  text: a sentence that begins with DP_NOTE_BLIND, made from
 * predicted errors (blind.c) or, if it begins so, the tool's own first note.
 */
bool	dp_blind(const struct dp_tool *, const struct dp_options *, const struct dp_mech_rule *,
	    const struct dp_plan *, char text[static DP_NOTE]);
bool	dp_blind_own(const struct dp_tool *, const struct dp_options *, const struct dp_mech_rule *,
	    const struct dp_plan *, char text[static DP_NOTE]);
/* The i-th further sentence, of dp_blind(), the mechanism or the tool; false past the last. */
bool	dp_report_note(const struct dp_report *, unsigned i, char text[static DP_NOTE]);

/*
 * The plan's certificate, as dputils-plan(5) has it: appended, DP_ENOMEM; or printed.
 */
int	dp_plan_text(struct dp_buf *, const struct dp_tool *, const struct dp_options *,
	    const struct dp_plan *) DP_MUSTUSE;
void	dp_explain_plan(const struct dp_tool *, const struct dp_options *, const struct dp_plan *);

void	dp_explain_text(const struct dp_report *);
void	dp_explain_json(const struct dp_report *);
/* JSON, one line: a member that describes the columns of a run's output, for programs. */
void	dp_explain_output(const struct dp_report *);

#endif
