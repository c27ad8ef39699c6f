/*
 * ledger.h - internal to budget*.c, ledger*.c and checkpoint.c: the database of a budget, open in a
 * transaction.
 */
#ifndef DP_LEDGER_H
#define DP_LEDGER_H

#include "budget.h"
#include "internal.h"
#include "sqlite.h"

#define DP_LEDGER_APPLICATION	0x64707574	/* "dput" */
#define DP_LEDGER_FORMAT	2	/* the last; 1 goes on */
#define DP_CHECKPOINT_EVERY	64		/* charges */

struct dp_checkpoint {
	uint64_t n;			/* charges that it stands for; 0: none */
	char last[65];			/* seal of charge n */
	struct dp_account account;	/* their sums */
};

struct dp_ledger {
	struct dp_state *files;		/* its place and witness; form: lineage, generation */
	char *name;			/* for SQLite, which has special names */
	struct dp_sqlite sql;		/* loaded once the ledger is opened */
	sqlite3 *db;
	unsigned wait;			/* ms */
	char seal[65];			/* of the last charge */
	uint64_t inode, born;		/* as the ledger's row says */
	struct dp_checkpoint checkpoint;
	struct dp_budget b;
};

/* SQLite's result rc as DP_E*; sets why. */
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
int	dp_ledger_prepare(struct dp_ledger *, sqlite3_stmt **, const char *sql, char *why);
/* The field as it stands, NULL as "". */
const char *dp_ledger_text(const struct dp_ledger *, sqlite3_stmt *, int i);
/* Finalizes a query that ended with e: a text that found no memory looks like a damaged one. */
int	dp_ledger_finish(const struct dp_ledger *, sqlite3_stmt *, int e, char *why);
int	dp_ledger_nomem(const struct dp_ledger *, char *why);
int	dp_ledger_damaged(const struct dp_ledger *, const char *what, char *why);
/* The row's seal must be the one that follows from `seal`, which becomes it. */
int	dp_ledger_check_seal(struct dp_ledger *, sqlite3_stmt *, const char *what,
	    char seal[static 65], char *why);
/* Seals the one row that `select` finds; `seal`: the one before, which becomes it. */
int	dp_ledger_seal_row(struct dp_ledger *, const char *select, const char *update,
	    char seal[static 65], char *why);
/* Format 2: writes and seals the totals; l->seal becomes the last one's. */
int	dp_ledger_seal_totals(struct dp_ledger *, const struct dp_budget_rule *, char *why);
/* Seals charge n, and the ledger's row. */
int	dp_ledger_seal(struct dp_ledger *, uint64_t n, char *why);
/* ledger_read.c: fills l->b and l->seal and verifies seals; sums alone leave l->b.charge NULL. */
int	dp_ledger_read(struct dp_ledger *, enum dp_reading, char *why);

/* checkpoint.c: reads l->checkpoint, if there is one, and verifies its seal. */
int	dp_checkpoint_read(struct dp_ledger *, char *why);
/* Sets l->b and l->seal to the checkpoint's; one that other rules counted is dropped. */
void	dp_checkpoint_start(struct dp_ledger *);
/* Once charge n is read: the checkpoint's seal and sums are those of the charges. */
bool	dp_checkpoint_agrees(const struct dp_ledger *);
/* In a transaction: a checkpoint of all charges read, if the last checkpoint is long ago. */
int	dp_checkpoint_write(struct dp_ledger *, char *why);

void	dp_ledger_close(struct dp_ledger *);

/* Of each format; [0] is none. */
extern const char *const dp_ledger_schema[DP_LEDGER_FORMAT + 1];

#endif
