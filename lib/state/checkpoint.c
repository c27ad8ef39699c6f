/*
 * checkpoint.c - a ledger's checkpoint: what its first n charges add up to, so that a run need not
 * read them again.  budget.h says why it may be believed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ledger.h"

#define SUMS	4

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS checkpoint (n INTEGER PRIMARY KEY, last TEXT NOT NULL,"
    " epsilon TEXT NOT NULL, delta TEXT NOT NULL, rho TEXT NOT NULL, besides TEXT NOT NULL,"
    " most TEXT NOT NULL, missed TEXT NOT NULL, seal TEXT NOT NULL) STRICT;"
    "DELETE FROM checkpoint";

/* Columns from the third on: sums, then figures by which a run was counted. */
static void
columns(struct dp_account *a, struct dp_q *q[static SUMS + 2])
{
	q[0] = &a->sum_epsilon;
	q[1] = &a->sum_delta;
	q[2] = &a->sum_rho;
	q[3] = &a->besides;
	q[4] = &a->rho;
	q[5] = &a->missed;
}

static int
read_row(struct dp_ledger *l, sqlite3_stmt *q, char *why)
{
	struct dp_checkpoint *c = &l->checkpoint;
	struct dp_q *column[SUMS + 2];
	char seal[65];
	int e, i;

	/* no other ledger's */
	strcpy(seal, l->b.id);
	if ((e = dp_ledger_check_seal(l, q, "its checkpoint", seal, why)) != 0)
		return e;
	c->account = l->b.total[0].account;
	columns(&c->account, column);
	for (i = 0; i < SUMS + 2; i++)
		if (dp_q_parse(column[i], dp_ledger_text(l, q, 2 + i)) != 0)
			return dp_ledger_damaged(l, "its checkpoint", why);
	c->n = (uint64_t)l->sql.column_int64(q, 0);	/* the next charge has a number, too */
	if (c->n < 1 || c->n >= INT64_MAX || strlen(dp_ledger_text(l, q, 1)) != sizeof c->last - 1)
		return dp_ledger_damaged(l, "its checkpoint", why);
	strcpy(c->last, dp_ledger_text(l, q, 1));
	return 0;
}

/* Of a statement with one row at most; found: it has it. */
static int
first_row(struct dp_ledger *l, const char *sql, sqlite3_stmt **q, bool *found, char *why)
{
	int e, rc;

	*found = false;
	if ((e = dp_ledger_prepare(l, q, sql, why)) != 0)
		return e;
	rc = l->sql.step(*q);
	*found = rc == SQLITE_ROW;
	return *found || rc == SQLITE_DONE ? 0 : dp_ledger_failed(l, rc, why);
}

int
dp_checkpoint_read(struct dp_ledger *l, char *why)
{
	sqlite3_stmt *q = NULL;
	bool found;
	int e;

	l->checkpoint = (struct dp_checkpoint){ .n = 0 };
	e = first_row(l, "SELECT 1 FROM sqlite_schema WHERE name = 'checkpoint'", &q, &found, why);
	if ((e = dp_ledger_finish(l, q, e, why)) != 0 || !found)
		return e;
	q = NULL;
	e = first_row(l, "SELECT * FROM checkpoint", &q, &found, why);
	if (e == 0 && found)
		e = read_row(l, q, why);
	if (e == 0 && found && l->sql.step(q) != SQLITE_DONE)
		e = dp_ledger_damaged(l, "two checkpoints", why);
	return dp_ledger_finish(l, q, e, why);
}

static bool
same_rules(const struct dp_account *a, const struct dp_account *b)
{
	return dp_q_cmp(a->rho, b->rho) == 0 && dp_q_cmp(a->missed, b->missed) == 0;
}

void
dp_checkpoint_start(struct dp_ledger *l)
{
	struct dp_checkpoint *c = &l->checkpoint;

	if (c->n == 0 || !same_rules(&c->account, &l->b.total[0].account)) {
		c->n = 0;
		return;
	}
	l->b.n = c->n;
	l->b.total[0].account = c->account;
	strcpy(l->seal, c->last);
}

bool
dp_checkpoint_agrees(const struct dp_ledger *l)
{
	const struct dp_checkpoint *c = &l->checkpoint;
	struct dp_account want = c->account, have = l->b.total[0].account;
	struct dp_q *w[SUMS + 2], *h[SUMS + 2];
	int i;

	if (strcmp(c->last, l->seal) != 0)
		return false;
	columns(&want, w);
	columns(&have, h);
	for (i = 0; i < SUMS && same_rules(&want, &have); i++)
		if (dp_q_cmp(*w[i], *h[i]) != 0)
			return false;
	return true;
}

int
dp_checkpoint_write(struct dp_ledger *l, char *why)
{
	const char *text[2 + SUMS + 2];
	char number[1 + SUMS + 2][48], seal[65];
	struct dp_q *column[SUMS + 2];
	int e, i;

	if (l->b.format > 1 || l->b.n - l->checkpoint.n < DP_CHECKPOINT_EVERY ||
	    l->b.total[0].account.over)
		return 0;
	snprintf(number[0], sizeof number[0], "%" PRIu64, (uint64_t)l->b.n);
	text[0] = number[0];
	text[1] = l->seal;
	columns(&l->b.total[0].account, column);
	for (i = 0; i < SUMS + 2; i++) {
		*dp_q_put(number[1 + i], *column[i]) = '\0';
		text[2 + i] = number[1 + i];
	}
	strcpy(seal, l->b.id);
	if ((e = dp_ledger_run(l, schema, why)) != 0 ||
	    (e = dp_ledger_put(l, "INSERT INTO checkpoint VALUES "
	    "(CAST(?1 AS INTEGER), ?2, ?3, ?4, ?5, ?6, ?7, ?8, '')", text, 2 + SUMS + 2,
	    why)) != 0)
		return e;
	return dp_ledger_seal_row(l, "SELECT * FROM checkpoint",
	    "UPDATE checkpoint SET seal = ?1", seal, why);
}
