/*
 * ledger.h - dpbudget --show.
 */
#ifndef DP_TELL_LEDGER_H
#define DP_TELL_LEDGER_H

#include "state/budget.h"

/* A ledger of which all charges were read, on standard output; control characters become '?'. */
void	dp_ledger_show(struct dp_budget *);

#endif
