/*
 * session.h - what of a run is in its state file: opened before the plan is made, claimed before
 * the run is charged, committed before lines leave.
 */
#ifndef DP_SESSION_H
#define DP_SESSION_H

#include <signal.h>

#include "run.h"

/* --init: all that may refuse the state, whose lock is held from here on. */
void	dp_session_claim(struct dp_run *);
void	dp_session_open(struct dp_run *);		/* completes options from the state file */
/* Exits unless the sensitivity is the state file's. */
void	dp_session_moves(const struct dp_run *);
int	dp_session_begin(struct dp_run *);		/* redo, batch; 1: nothing more to do */
int	dp_session_sink(void *, const char *, size_t) DP_MUSTUSE;
int	dp_session_stage(void *, const char *, size_t) DP_MUSTUSE;	/* of a long commit */
bool	dp_session_wait(void *);	/* output may wait: the last commit is no second old */
int	dp_session_end(struct dp_run *) DP_MUSTUSE;
int	dp_session_show(struct dp_options *, const struct dp_tool *);
int	dp_session_move(const struct dp_options *, const struct dp_tool *);
/*
 * session_users.c: the table is, or is from the next commit on, beside the state and as it is now;
 * false: it is to stand in the body.
 */
bool	dp_session_users_beside(struct dp_run *) DP_MUSTUSE;
/* The table from there, r->cap.users is empty; false: these are not so many. */
bool	dp_session_users_load(struct dp_run *, uint64_t count) DP_MUSTUSE;
void	dp_session_users_free(struct dp_run *);
/* false: the record was counted by an earlier run of this batch */
bool	dp_session_wants(struct dp_run *, const struct dp_record *);
/* The record's effect is in the columns or sums: what is committed from here on holds it. */
void	dp_session_count(struct dp_run *, const struct dp_record *);
_Noreturn void dp_session_fail(const struct dp_run *, int e, const char *why);
struct dp_state_rule dp_session_rule(const struct dp_options *);
int	dp_session_catch(struct dp_run *) DP_MUSTUSE;	/* signals */
void	dp_session_die_of(int signal);	/* as if it had never been caught */
extern volatile sig_atomic_t dp_session_signal;	/* SIGTERM, SIGINT or SIGHUP came */
void	dp_session_head(const struct dp_run *, struct dp_buf *);
void	dp_session_put(struct dp_buf *, const char *key, uint64_t);

#endif
