/* SPDX-License-Identifier: ISC */
/*
 * explain.h - sentences and numbers on a run, from its options and plan alone, before it reads
 * data: --explain in both forms, --within, and how lines are read.
 */
#ifndef DP_EXPLAIN_EXPLAIN_H
#define DP_EXPLAIN_EXPLAIN_H

#include "job/options.h"

struct dp_audit;
struct dp_audit_rows;
struct dp_budget;
struct dp_run;

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
/* True: lines are read as bare numbers, and a file's name says that they are of another form. */
bool	dp_reading_doubt(const struct dp_options *, const struct dp_tool *);
/*
 * true: answers would be noise alone.  text: a sentence that begins with DP_NOTE_BLIND, made from
 * predicted errors (explain.c) or, if it begins so, the tool's own first note.
 */
bool	dp_blind(const struct dp_tool *, const struct dp_options *, const struct dp_mech_rule *,
	    const struct dp_plan *, char text[static DP_NOTE]);

/*
 * The plan's certificate, as dputils-plan(5) has it: appended, DP_ENOMEM; or printed.
 */
int	dp_plan_text(struct dp_buf *, const struct dp_tool *, const struct dp_options *,
	    const struct dp_plan *) DP_MUSTUSE;

/*
 * Dpbudget --show.
 */

/* Prints a ledger whose charges were all read; control characters become '?'. */
void	dp_ledger_show(struct dp_budget *);

/*
 * Dpaudit's result: the event that tells two inputs apart, the bound, the verdict, and
 * the limits of so many runs.
 */

struct dp_audit_claim {
	struct dp_q epsilon, delta, confidence;
	const char *pair[2];		/* names of the inputs */
};

/* 1 - confidence. */
double	dp_audit_alpha(struct dp_q confidence);
/* true: refuted, the bound is above the claim. */
bool	dp_audit_print(const struct dp_audit_claim *, const struct dp_audit_rows *,
	    const struct dp_audit *);

#endif
