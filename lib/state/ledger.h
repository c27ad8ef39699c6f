/*
 * ledger.h - internal to budget*.c and ledger.c: the database of a budget, open in a transaction.
 */
#ifndef DP_LEDGER_H
#define DP_LEDGER_H

#include "budget.h"
#include "internal.h"
#include "sqlite.h"

struct dp_ledger {
	struct dp_state *files;		/* where it is, its witness; form: lineage, generation */
	char *name;			/* for SQLite, which has special names */
	struct dp_sqlite sql;		/* of an open one */
	sqlite3 *db;
	unsigned wait;			/* ms */
	char seal[65];			/* of the last charge */
	uint64_t inode, born;		/* as the ledger has them */
	struct dp_budget b;
};

/* What SQLite says, as DP_E*, and why. */
int	dp_ledger_failed(const struct dp_ledger *, int rc, char *why);
/* The files' places; nothing is opened.  witness: NULL: not known yet. */
int	dp_ledger_place(struct dp_ledger *, const char *path, const char *witness, char *why);
/* Opens the database at `suffix` to path; no locks. */
int	dp_ledger_open(struct dp_ledger *, const char *suffix, char *why);
/* budget.c: flock(2) on the witness, waiting as long as the caller does. */
int	dp_ledger_lock(struct dp_ledger *, char *why);
/* Statements without parameters and results. */
int	dp_ledger_run(struct dp_ledger *, const char *sql, char *why);
/* In a transaction: one statement with texts for its parameters, in order; NULL is NULL. */
int	dp_ledger_put(struct dp_ledger *, const char *sql, const char *const *text, int n,
	    char *why);
/* Reads all into l->b and verifies seals. */
int	dp_ledger_read(struct dp_ledger *, char *why);
/* Seals charge n, and the ledger's row. */
int	dp_ledger_seal(struct dp_ledger *, uint64_t n, char *why);
void	dp_ledger_close(struct dp_ledger *);

extern const char dp_ledger_schema[];

#endif
