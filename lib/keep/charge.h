/*
 * charge.h - the debit of a run in a ledger: after every check that may refuse the run, before its
 * first draw of noise.
 */
#ifndef DP_CHARGE_H
#define DP_CHARGE_H

#include "run.h"
#include "state/budget.h"

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
 * --budget: charges the run, or exits.  A state was charged when it was made; for a run that goes
 * on with one, the ledger must hold that charge.
 */
void	dp_charge(struct dp_run *);
/* Says a ledger's error and why; exits with its status. */
_Noreturn void dp_charge_fail(int e, const char *why);
/* Wall clock, seconds since 1970. */
int64_t	dp_charge_now(void);
/* Wall clock, in the ledger's text form. */
void	dp_charge_time(char text[static 21]);

#endif
