/* SPDX-License-Identifier: ISC */
/*
 * session.h - a run's state file: opened before the plan is made, claimed before the run is
 * charged, committed before lines leave.
 */
#ifndef DP_STORE_SESSION_H
#define DP_STORE_SESSION_H

#include <signal.h>

#include "base/dp.h"

struct dp_buf;
struct dp_options;
struct dp_record;
struct dp_run;
struct dp_tool;

/* --init: tries everything that may refuse the new state, and holds its lock from here on. */
void	dp_session_claim(struct dp_run *);
void	dp_session_open(struct dp_run *, struct dp_options *);	/* those of the state file */
/* session.c: --next; sets --from and --to once the zone is known. */
void	dp_session_next(struct dp_run *, struct dp_options *);
/* Exits unless the sensitivity is the state file's. */
void	dp_session_moves(const struct dp_run *);
int	dp_session_begin(struct dp_run *);		/* redo, batch; 1: nothing more to do */
int	dp_session_sink(void *, const char *, size_t) DP_MUSTUSE;
int	dp_session_stage(void *, const char *, size_t) DP_MUSTUSE;	/* of a long commit */
bool	dp_session_wait(void *);	/* output may wait: the last commit is younger than 1 s */
int	dp_session_end(struct dp_run *) DP_MUSTUSE;
int	dp_session_show(struct dp_options *, const struct dp_tool *);
int	dp_session_move(const struct dp_options *, const struct dp_tool *);
/* false: an earlier run of this batch counted the record. */
bool	dp_session_wants(struct dp_run *, const struct dp_record *);
/* The record is in the columns or sums: every commit from here on holds it. */
void	dp_session_count(struct dp_run *, const struct dp_record *);
extern volatile sig_atomic_t dp_session_signal;	/* SIGTERM, SIGINT or SIGHUP came */
void	dp_session_put(struct dp_buf *, const char *key, uint64_t);

/*
 * The debit of a run in a ledger: after every check that may refuse the run and the noise that is
 * drawn at its start, before anything is printed.
 */

#define DP_CHARGE_WAIT	5000	/* ms to wait for a locked ledger */

/* true: the options ask for a charge (--budget). */
bool	dp_charge_due(const struct dp_options *);
/* Exits where the options alone refuse the run, so that a refused run costs nothing. */
void	dp_charge_check(const struct dp_options *);
/*
 * true: the run looks at events of o->time.begin to o->time.end alone, and b holds how it reads
 * their times, a text that runs which read them alike have, too.  false: nothing is known.
 */
bool	dp_charge_times(const struct dp_options *, const struct dp_tool *, struct dp_buf *b);
/*
 * --budget: charges the run, or exits; a state is made with its charge.  For a run that goes on
 * with one, the ledger must hold that charge; where that is not known, it is looked for, and made
 * if it is missing.
 */
void	dp_charge(struct dp_run *);
/* Says a ledger's error and why; exits with its status. */
_Noreturn void dp_charge_fail(int e, const char *why);
/* Wall clock, seconds since 1970. */
int64_t	dp_charge_now(void);
/* Wall clock, in the ledger's text form. */
void	dp_charge_time(char text[static 21]);

/*
 * A run as a document: all that options and plan say of it (dputils-state(5), A JOB).
 *
 *	[input]	 how lines are read
 *	[unit]	 who is protected, and from what
 *	[noise]	 what is drawn
 *	[output] what is printed
 *
 * It is the head of a state; a receipt has the same without seed and numbers.  Nothing in it is
 * computed from data.  What a later run may leave out or change says the option's row (dp_keep).
 */

/* whole: with seed and numbers. */
void	dp_job_put(const struct dp_run *, struct dp_buf *, bool whole);

#endif
