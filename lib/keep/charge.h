/*
 * charge.h - a run's debit: once nothing is left that may refuse it, before
 * it draws noise.
 */
#ifndef DP_CHARGE_H
#define DP_CHARGE_H

#include "run.h"
#include "state/budget.h"

#define DP_CHARGE_WAIT	5000	/* ms, for a ledger that is locked */

/* --budget: is this run to be charged? */
bool	dp_charge_due(const struct dp_options *);
/* Then nothing that its options alone refuse is to cost. */
void	dp_charge_check(const struct dp_options *);
/*
 * --budget: charges the run, or exits.  A run that goes on with a state was charged when that was
 * made: then the ledger must have that charge.
 */
void	dp_charge(struct dp_run *);
/* Of an error of the ledger, with why: a message, and the status that it has. */
_Noreturn void dp_charge_fail(int e, const char *why);
/* The current wall clock, in seconds. */
int64_t	dp_charge_now(void);
/* The current time, in the form that ledgers have it in. */
void	dp_charge_time(char text[static 21]);

#endif
