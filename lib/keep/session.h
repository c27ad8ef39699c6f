/*
 * session.h - a run's state file: opened before the plan is made, claimed before the run is
 * charged, committed before lines leave.
 */
#ifndef DP_SESSION_H
#define DP_SESSION_H

#include <signal.h>

#include "run.h"

/* --init: tries everything that may refuse the new state, and holds its lock from here on. */
void	dp_session_claim(struct dp_run *);
void	dp_session_open(struct dp_run *, struct dp_options *);	/* those of the state file */
/* session_next.c: --next; sets --from and --to once the zone is known. */
void	dp_session_next(struct dp_run *, struct dp_options *);
/* Start of the bucket after the state's last step; false: it has no step, or they are lines. */
uint64_t dp_session_step(const struct dp_run *);	/* steps that the state has taken */
bool	dp_session_next_bucket(const struct dp_run *, int64_t *);
/* Exits unless the sensitivity is the state file's. */
void	dp_session_moves(const struct dp_run *);
int	dp_session_begin(struct dp_run *);		/* redo, batch; 1: nothing more to do */
int	dp_session_sink(void *, const char *, size_t) DP_MUSTUSE;
int	dp_session_stage(void *, const char *, size_t) DP_MUSTUSE;	/* of a long commit */
bool	dp_session_wait(void *);	/* output may wait: the last commit is younger than 1 s */
int	dp_session_end(struct dp_run *) DP_MUSTUSE;
int	dp_session_show(struct dp_options *, const struct dp_tool *);
int	dp_session_move(const struct dp_options *, const struct dp_tool *);
/*
 * session_users.c: true: the table of users is beside the state from the next commit on, as it is
 * now; false: the body must hold it.
 */
bool	dp_session_users_beside(struct dp_run *) DP_MUSTUSE;
/* Loads the table beside the state into the empty r->cap.users; false: its size is not count. */
bool	dp_session_users_load(struct dp_run *, uint64_t count) DP_MUSTUSE;
void	dp_session_users_free(struct dp_run *);
/* false: an earlier run of this batch counted the record. */
bool	dp_session_wants(struct dp_run *, const struct dp_record *);
/* The record is in the columns or sums: every commit from here on holds it. */
void	dp_session_count(struct dp_run *, const struct dp_record *);
_Noreturn void dp_session_fail(const struct dp_run *, int e, const char *why);
struct dp_state_rule dp_session_rule(const struct dp_options *);
int	dp_session_catch(struct dp_run *) DP_MUSTUSE;	/* signals */
void	dp_session_die_of(int signal);	/* ends the process as the signal would have */
extern volatile sig_atomic_t dp_session_signal;	/* SIGTERM, SIGINT or SIGHUP came */
void	dp_session_put(struct dp_buf *, const char *key, uint64_t);

#endif
