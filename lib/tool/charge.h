/*
 * charge.h - internal to lib/tool: a run's debit, once it has its memory, before it draws noise or
 * reads a line.
 */
#ifndef DP_CHARGE_H
#define DP_CHARGE_H

#include "run.h"
#include "state/budget.h"

#define DP_CHARGE_WAIT	5000	/* ms, for a ledger that is locked */

/*
 * --budget: charges the run, or exits.  A run that goes on with a state was charged when that was
 * made: then the ledger must have that charge.
 */
void	dp_charge(struct dp_run *);
/* Of an error of the ledger, with why: a message, and the status that it has. */
_Noreturn void dp_charge_fail(int e, const char *why);
/* The current time, as ledgers have it. */
void	dp_charge_time(char text[static 21]);

#endif
