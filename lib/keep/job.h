/*
 * job.h - a run as a document: all that options and plan say of it (dputils-state(5), A JOB).
 *
 *	[input]	 how lines are read
 *	[unit]	 who is protected, and from what
 *	[noise]	 what is drawn
 *	[output] what is printed
 *
 * It is the head of a state; a receipt has the same without seed and numbers.  Nothing in it is
 * computed from data.  What a later run may leave out or change says the option's row (dp_keep).
 */
#ifndef DP_JOB_H
#define DP_JOB_H

#include "run.h"

#define DP_JOB		"dputils-job"
#define DP_JOB_VERSION	"1"

/* whole: with seed and numbers. */
void	dp_job_put(const struct dp_run *, struct dp_buf *, bool whole);
/*
 * A later run: each member of a state's head becomes the option; exits with the first key that
 * differs if the option was given, or that is damaged.
 */
void	dp_job_adopt(struct dp_run *, struct dp_options *, const char *head);
/* Exits unless the state is this tool's. */
void	dp_job_tool(const struct dp_options *, const struct dp_tool *, const char *head);
/* Options that --state-show computes with: horizon, bucket, zone.  Of any tool. */
void	dp_job_show(struct dp_options *, const char *job);
/* "L1 L2SQUARED COLUMNS" */
void	dp_job_moves(char text[static DP_MOVES_TEXT], const struct dp_privacy *);
/* job_kept.c: options by getopt's number as a state has them; NULL: not given. */
void	dp_job_kept(struct dp_run *, struct dp_options *, char *const set[DP_OPTION_CODES]);
/*
 * job_old.c: a copy of a job, or the job that the head of a state of form 2 is, from before there
 * were jobs.  0; DP_ENOMEM; DP_ESTATE: another head, of which `why' says what is wrong.
 */
#define DP_JOB_WHY	160
int	dp_job_renew(struct dp_buf *, const char *head, char why[static DP_JOB_WHY]) DP_MUSTUSE;

#endif
