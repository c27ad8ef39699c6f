/* ledger_read.c - a ledger's rows, and what their seals say of them: budget.h. */
#include <stdlib.h>
#include <string.h>

#include "ledger.h"

#define SAID_COLUMN	4		/* of a charge's first text */

static bool
number(const struct dp_ledger *l, struct dp_q *q, sqlite3_stmt *s, int i)
{
	return dp_q_parse(q, dp_ledger_text(l, s, i)) == 0;
}

static bool
keep(const struct dp_ledger *l, char **to, sqlite3_stmt *q, int i)
{
	if (l->sql.column_type(q, i) == SQLITE_NULL)
		return true;
	return (*to = strdup(dp_ledger_text(l, q, i))) != NULL;
}

static int
keep_charge(struct dp_ledger *l, sqlite3_stmt *q, const struct dp_loss *loss, char *why)
{
	struct dp_budget *b = &l->b;
	struct dp_charge *c;
	char *text;
	int i;

	if ((b->n & (b->n - 1)) == 0) {		/* room for twice as many */
		c = reallocarray(b->charge, b->n == 0 ? 1 : 2 * b->n, sizeof *c);
		if (c == NULL)
			return dp_ledger_nomem(l, why);
		b->charge = c;
	}
	c = &b->charge[b->n++];
	*c = (struct dp_charge){ .loss = *loss, .reads = b->format == 1 ? "" : NULL };
	for (i = 0; i < DP_SAIDS; i++) {
		if ((text = strdup(dp_ledger_text(l, q, SAID_COLUMN + i))) == NULL)
			return dp_ledger_nomem(l, why);
		c->said[i] = text;
	}
	if (b->format == 1)
		return 0;
	c->begin = l->sql.column_int64(q, SAID_COLUMN + DP_SAIDS + 1);
	c->end = l->sql.column_int64(q, SAID_COLUMN + DP_SAIDS + 2);
	if ((text = strdup(dp_ledger_text(l, q, SAID_COLUMN + DP_SAIDS))) == NULL)
		return dp_ledger_nomem(l, why);
	c->reads = text;
	return 0;
}

static int
read_charge(struct dp_ledger *l, sqlite3_stmt *q, enum dp_reading what, char *why)
{
	struct dp_loss loss;
	int e;

	if ((e = dp_ledger_check_seal(l, q, "a charge", l->seal, why)) != 0)
		return e;
	if ((uint64_t)l->sql.column_int64(q, 0) != l->b.n + 1 || !number(l, &loss.epsilon, q, 1) ||
	    !number(l, &loss.delta, q, 2) || !number(l, &loss.rho, q, 3))
		return dp_ledger_damaged(l, "a charge", why);
	if (l->b.format == 1)
		dp_account_add(&l->b.total[0].account, &loss);
	switch (what) {
	case DP_READ_SUMS:
		l->b.n++;
		return 0;
	case DP_READ_ALL:
		break;
	}
	if ((e = keep_charge(l, q, &loss, why)) != 0)
		return e;
	return l->b.n == l->checkpoint.n && !dp_checkpoint_agrees(l) ?
	    dp_ledger_damaged(l, "its checkpoint", why) : 0;
}

/* The charges after those that a checkpoint stands for; or all, and the checkpoint is checked. */
static int
read_charges(struct dp_ledger *l, enum dp_reading what, char *why)
{
	sqlite3_stmt *q = NULL;
	int e = 0, rc;

	if (l->b.format > 1) {		/* no checkpoint, and sums need every charge */
		what = DP_READ_ALL;
		l->checkpoint = (struct dp_checkpoint){ .n = 0 };
	} else if ((e = dp_checkpoint_read(l, why)) != 0)
		return e;
	if (what == DP_READ_SUMS)
		dp_checkpoint_start(l);
	if ((e = dp_ledger_prepare(l, &q, "SELECT * FROM charge WHERE n >= ?1 ORDER BY n",
	    why)) != 0)
		return e;
	/* from the first: whatever its number is */
	rc = l->sql.bind_int64(q, 1, l->b.n == 0 ? INT64_MIN : (int64_t)l->b.n + 1);
	while (e == 0 && (rc == SQLITE_OK || rc == SQLITE_ROW))
		if ((rc = l->sql.step(q)) == SQLITE_ROW)
			e = read_charge(l, q, what, why);
	if (e == 0 && rc == SQLITE_DONE && l->b.n < l->checkpoint.n)
		e = dp_ledger_damaged(l, "its checkpoint", why);
	return dp_ledger_finish(l, q, e != 0 || rc == SQLITE_DONE ? e :
	    dp_ledger_failed(l, rc, why), why);
}

static int
read_head(struct dp_ledger *l, sqlite3_stmt *q, char *why)
{
	struct dp_budget *b = &l->b;
	struct dp_q epsilon, delta;

	if (strlen(dp_ledger_text(l, q, 0)) != DP_BUDGET_ID || !number(l, &epsilon, q, 1) ||
	    !number(l, &delta, q, 2) ||
	    dp_account_open(&b->total[0].account, epsilon, delta) != 0 ||
	    l->sql.column_int64(q, 9) < 1)
		return dp_ledger_damaged(l, "its head", why);
	strcpy(b->id, dp_ledger_text(l, q, 0));
	b->generation = (uint64_t)l->sql.column_int64(q, 9);
	l->inode = strtoull(dp_ledger_text(l, q, 7), NULL, 10);
	l->born = strtoull(dp_ledger_text(l, q, 8), NULL, 10);
	b->totals = 1;
	return keep(l, &b->total[0].unit, q, 3) && keep(l, &b->created, q, 4) &&
	    keep(l, &b->closed, q, 5) &&
	    keep(l, &b->witness, q, 6) ? 0 : dp_ledger_nomem(l, why);
}

static int
read_total(struct dp_ledger *l, sqlite3_stmt *q, char *why)
{
	struct dp_total *t = &l->b.total[l->b.totals];
	struct dp_q epsilon, delta;
	int e;

	if ((e = dp_ledger_check_seal(l, q, "a total", l->seal, why)) != 0)
		return e;
	if (l->b.totals == DP_TOTALS_MAX || !number(l, &epsilon, q, 2) ||
	    !number(l, &delta, q, 3) || dp_account_open(&t->account, epsilon, delta) != 0)
		return dp_ledger_damaged(l, "a total", why);
	l->b.by_time = l->sql.column_int64(q, 4) != 0;
	l->b.totals++;
	return keep(l, &t->unit, q, 1) ? 0 : dp_ledger_nomem(l, why);
}

/* Format 2; the head has the first of them, too. */
static int
read_totals(struct dp_ledger *l, char *why)
{
	sqlite3_stmt *q = NULL;
	int e, rc = SQLITE_OK;

	strcpy(l->seal, l->b.id);
	free(l->b.total[0].unit);
	l->b.total[0].unit = NULL;
	l->b.totals = 0;
	e = dp_ledger_prepare(l, &q, "SELECT * FROM total ORDER BY n", why);
	while (e == 0 && (rc = l->sql.step(q)) == SQLITE_ROW)
		e = read_total(l, q, why);
	if (e == 0 && rc == SQLITE_DONE && l->b.totals == 0)
		e = dp_ledger_damaged(l, "its totals", why);
	return dp_ledger_finish(l, q, e != 0 || rc == SQLITE_DONE ? e :
	    dp_ledger_failed(l, rc, why), why);
}

/* Amount that each total has spent, once all charges are read. */
static int
sum_up(struct dp_ledger *l, char *why)
{
	struct dp_account sum;
	size_t i;

	for (i = 0; i < l->b.totals && l->b.format > 1; i++) {
		if (dp_budget_sum(&l->b, i, NULL, &sum) != 0)
			return dp_ledger_nomem(l, why);
		l->b.total[i].account = sum;
	}
	return 0;
}

/* True: it is a database of ours, and of a format that is known. */
static int
check_kind(struct dp_ledger *l, char *why)
{
	static const char *const sql[] = { "PRAGMA application_id", "PRAGMA user_version" };
	sqlite3_stmt *q = NULL;
	int e, i, rc, v = 0;

	for (i = 0; i < 2; i++) {
		if ((e = dp_ledger_prepare(l, &q, sql[i], why)) != 0)
			return e;
		rc = l->sql.step(q);
		v = l->sql.column_int(q, 0);
		l->sql.finalize(q);
		if (rc != SQLITE_ROW)
			return dp_ledger_failed(l, rc, why);
		if (i == 0 && v != DP_LEDGER_APPLICATION)
			return dp_ledger_failed(l, SQLITE_NOTADB, why);
		if (i == 1 && (v < 1 || v > DP_LEDGER_FORMAT))
			return dp_state_say(why, DP_ESTATE, l->files->at.path,
			    "a ledger of another format (%d), and this is %d", v, DP_LEDGER_FORMAT);
	}
	l->b.format = v;
	return 0;
}

int
dp_ledger_read(struct dp_ledger *l, enum dp_reading what, char *why)
{
	sqlite3_stmt *q = NULL;
	char seal[65];
	int e, rc;

	dp_budget_free(&l->b);
	l->seal[0] = '\0';
	if ((e = check_kind(l, why)) != 0 ||
	    (e = dp_ledger_prepare(l, &q, "SELECT * FROM ledger", why)) != 0)
		return e;
	if ((rc = l->sql.step(q)) != SQLITE_ROW)
		e = rc == SQLITE_DONE ? dp_ledger_damaged(l, "its head", why) :
		    dp_ledger_failed(l, rc, why);
	if (e == 0 && (e = read_head(l, q, why)) == 0 &&
	    (l->b.format == 1 || (e = read_totals(l, why)) == 0) &&
	    (e = read_charges(l, what, why)) == 0 && (e = sum_up(l, why)) == 0) {
		memcpy(seal, l->seal, sizeof seal);
		e = dp_ledger_check_seal(l, q, "its head", seal, why);
	}
	if (e == 0 && l->sql.step(q) != SQLITE_DONE)
		e = dp_ledger_damaged(l, "two heads", why);
	return dp_ledger_finish(l, q, e, why);
}
