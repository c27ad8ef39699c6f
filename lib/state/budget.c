/* budget.c - charges: refused, or durable before anything is drawn. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "ledger.h"
#include "stream/span.h"

#define NAP	20		/* ms */
#define LEFT_TEXT	400		/* six numbers of at most 42 bytes, and words */

/*
 * The database's file, before SQLite opens it: its locks would go with our descriptor.  charge: it
 * must be ours alone.
 */
static int
check_file(struct dp_ledger *l, bool charge, char *why)
{
	const struct dp_place *at = &l->files->at;
	struct stat st;
	int e, fd;

	if ((fd = dp_place_open(at, "", O_RDONLY, 0)) < 0 && errno == ENOENT)
		return dp_state_say(why, DP_ESTATE, at->path,
		    "no such ledger; dpbudget --init makes one");
	if (fd < 0)
		return dp_state_errno(why, at->path);
	if (fstat(fd, &st) != 0)
		e = dp_state_errno(why, at->path);
	else if (charge)
		e = dp_state_check_kind(fd, DP_LEDGER_MAGIC, at->path, &st, why);
	else
		e = S_ISREG(st.st_mode) ? 0 :
		    dp_state_say(why, DP_ESTATE, at->path, "not a regular file");
	dp_state_shut(&fd);
	return e;
}

/* A rollback journal, whatever some other program has made of it. */
static int
keep_journal(struct dp_ledger *l, char *why)
{
	sqlite3_stmt *q = NULL;
	const char *mode = NULL;
	int e, rc;

	rc = l->sql.prepare_v2(l->db, "PRAGMA journal_mode = DELETE", -1, &q, NULL);
	if (rc == SQLITE_OK && (rc = l->sql.step(q)) == SQLITE_ROW)
		mode = (const char *)l->sql.column_text(q, 0);
	e = mode == NULL ? dp_ledger_failed(l, rc == SQLITE_ROW ? SQLITE_NOMEM : rc, why) :
	    strcmp(mode, "delete") != 0 ? dp_state_say(why, DP_EBUSY, l->files->at.path,
	    "another program has it open in another journal mode") : 0;
	l->sql.finalize(q);
	return e;
}

int
dp_ledger_lock(struct dp_ledger *l, char *why)
{
	const struct timespec nap = { 0, NAP * 1000000L };
	unsigned waited;

	for (waited = 0; flock(l->files->fd.witness, LOCK_EX | LOCK_NB) != 0; waited += NAP) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return dp_state_errno(why, l->files->witness_at.path);
		if (waited >= l->wait)
			return dp_state_say(why, DP_EBUSY, l->files->at.path,
			    "in use by another run for %u s; try again later", l->wait / 1000);
		nanosleep(&nap, NULL);
	}
	return 0;
}

/* Is this the file that the ledger was made in? */
static int
check_identity(const struct dp_ledger *l, char *why)
{
	uint64_t inode, born;

	if (dp_place_identity(&l->files->at, "", &inode, &born) != 0)
		return dp_state_errno(why, l->files->at.path);
	if (inode != l->inode || (l->born != 0 && born != l->born))
		return dp_state_say(why, DP_ESTATE, l->files->at.path, "this is a copy or a "
		    "restored backup; to charge it would spend the same budget twice");
	return 0;
}

static void
abandon(struct dp_ledger *l)
{
	if (l->db != NULL)
		l->sql.exec(l->db, "ROLLBACK", NULL, NULL, NULL);
}

/* Of an original.  The witness's path, or that it is beside the ledger, only the ledger says. */
static int
open_witness(struct dp_ledger *l, const char *path, char *why)
{
	char *own = NULL;
	int e;

	if ((e = dp_ledger_read(l, DP_READ_SUMS, why)) != 0 || (e = check_identity(l, why)) != 0)
		return e;
	if (l->b.witness != NULL && (own = strdup(l->b.witness)) == NULL)
		return dp_state_say(why, DP_ENOMEM, path, "out of memory");
	e = dp_ledger_place(l, path, own, why);
	free(own);
	if (e != 0 || (e = dp_state_find_witness(l->files, false, why)) != 0)
		return e;
	return dp_ledger_lock(l, why);
}

static int
match_witness(struct dp_ledger *l, char *why)
{
	int e;

	strcpy(l->files->form.lineage, l->b.id);
	l->files->form.generation = l->b.generation;
	if ((e = dp_state_match_witness(l->files, false, why)) != 0)
		return e;
	/* A run that died may have left it one behind; two would be too many. */
	return dp_state_put_witness(l->files, why);
}

/* Everything locked, read and found good, in a transaction that may write. */
static int
begin(struct dp_ledger *l, const char *path, unsigned wait, char *why)
{
	int e;

	why[0] = '\0';
	l->wait = wait;
	if ((e = dp_ledger_place(l, path, NULL, why)) != 0 || (e = check_file(l, true, why)) != 0 ||
	    (e = dp_ledger_open(l, "", why)) != 0 || (e = open_witness(l, path, why)) != 0 ||
	    (e = keep_journal(l, why)) != 0 ||
	    (e = dp_ledger_run(l, "BEGIN IMMEDIATE", why)) != 0)
		return e;
	if ((e = dp_ledger_read(l, DP_READ_SUMS, why)) != 0 || (e = match_witness(l, why)) != 0) {
		abandon(l);
		return e;
	}
	return 0;
}

/* Durable: the file, then the witness; n: the charge that is new, or 0. */
static int
commit(struct dp_ledger *l, uint64_t n, char *why)
{
	int e;

	if ((e = dp_ledger_put(l, "UPDATE ledger SET generation = generation + 1", NULL, 0,
	    why)) != 0 ||
	    (e = dp_ledger_seal(l, n, why)) != 0 || (e = dp_ledger_run(l, "COMMIT", why)) != 0) {
		abandon(l);
		return e;
	}
	l->files->form.generation++;
	return dp_state_put_witness(l->files, why);
}

static char *
put(char *p, const char *before, struct dp_q q)
{
	return dp_q_put(p + sprintf(p, "%s", before), q);
}

/* "0.5 of epsilon 2; this run asks for 1", and of delta where there is any; returns text. */
static const char *
left(const struct dp_account *a, const struct dp_loss *run, char text[static LEFT_TEXT])
{
	struct dp_q epsilon, delta;
	enum dp_rule rule = dp_account_left(a, &epsilon, &delta);
	const bool both = a->delta.num != 0 || run->delta.num != 0;
	char *p = put(text, "", epsilon);

	p = put(p, " of epsilon ", a->epsilon);
	if (both) {
		p = put(p, ", ", delta);
		p = put(p, " of delta ", a->delta);
	}
	p += sprintf(p, " (%s composition)", rule == DP_RULE_BASIC ? "basic" : "zCDP");
	p = put(p, "; this run asks for ", run->epsilon);
	if (both)
		p = put(p, ", ", run->delta);
	*p = '\0';
	return text;
}

/* "event (left: ..)", for a message: the units of all totals. */
static const char *
units(const struct dp_budget *b, char text[static LEFT_TEXT])
{
	char one[DP_UNIT_TEXT];
	size_t i, n = 0;

	for (i = 0; i < b->totals && n < LEFT_TEXT; i++)
		n += (size_t)snprintf(text + n, LEFT_TEXT - n, "%s%s", i == 0 ? "" :
		    i + 1 == b->totals ? " or one " : ", one ",
		    dp_span_unit(b->total[i].unit, one));
	return text;
}

/* The total of a charge's unit; NULL: there is none. */
static const struct dp_total *
total_of(const struct dp_budget *b, const char *unit)
{
	size_t i;

	for (i = 0; i < b->totals; i++)
		if (b->total[i].unit == NULL || strcmp(b->total[i].unit, unit) == 0)
			return &b->total[i];
	return NULL;
}

static int
refuse(const struct dp_ledger *l, const struct dp_charge *c, char *why)
{
	const char *path = l->files->at.path, *unit = c->said[DP_SAID_UNIT];
	const struct dp_total *t = total_of(&l->b, unit);
	struct dp_account a;
	char text[LEFT_TEXT], one[DP_UNIT_TEXT];

	if (l->b.closed != NULL)
		return dp_state_say(why, DP_EHORIZON, path, "closed on %s: nothing more may be "
		    "charged", l->b.closed);
	if (t == NULL)
		return dp_state_say(why, DP_ESTATE, path, "this run protects one %s, and the "
		    "ledger is for one %s; losses of different units do not add up",
		    dp_span_unit(unit, one), units(&l->b, text));
	a = t->account;
	if (l->b.format == 1)
		dp_account_add(&a, &c->loss);
	else if (dp_budget_sum(&l->b, (size_t)(t - l->b.total), c, &a) != 0)
		return dp_ledger_nomem(l, why);
	if (dp_account_fits(&a, DP_RULE_BASIC) || dp_account_fits(&a, DP_RULE_ZCDP))
		return 0;
	return dp_state_say(why, DP_EHORIZON, path, "the budget%s%s does not allow this run; "
	    "left: %s; dpbudget --show lists who spent", l->b.totals > 1 ? " of one " : "",
	    l->b.totals > 1 ? dp_span_unit(unit, one) : "", left(&t->account, &c->loss, text));
}

static int
insert(struct dp_ledger *l, const struct dp_charge *c, uint64_t n, char *why)
{
	static const char *const sql[] = { "INSERT INTO charge VALUES "
	    "(CAST(?1 AS INTEGER), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, '')",
	    "INSERT INTO charge VALUES "
	    "(CAST(?1 AS INTEGER), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, "
	    "CAST(?15 AS INTEGER), CAST(?16 AS INTEGER), '')" };
	const struct dp_q *const q[] = { &c->loss.epsilon, &c->loss.delta, &c->loss.rho };
	const bool plain = l->b.format == 1;
	const char *text[4 + DP_SAIDS + 3];
	char number[6][48];
	int e, i;

	snprintf(number[0], sizeof number[0], "%" PRIu64, n);
	for (i = 0; i < 3; i++)
		*dp_q_put(number[i + 1], *q[i]) = '\0';
	for (i = 0; i < 4; i++)
		text[i] = number[i];
	for (i = 0; i < DP_SAIDS; i++)
		text[4 + i] = c->said[i];
	snprintf(number[4], sizeof number[4], "%" PRId64, c->begin);
	snprintf(number[5], sizeof number[5], "%" PRId64, c->end);
	text[4 + DP_SAIDS] = c->reads;
	text[4 + DP_SAIDS + 1] = number[4];
	text[4 + DP_SAIDS + 2] = number[5];
	if ((e = dp_ledger_put(l, sql[!plain], text, 4 + DP_SAIDS + (plain ? 0 : 3), why)) != 0)
		return e;
	return l->b.total[0].unit != NULL ? 0 : dp_ledger_put(l, "UPDATE ledger SET unit = ?1",
	    &c->said[DP_SAID_UNIT], 1, why);
}

int
dp_budget_charge(const char *path, const struct dp_charge *c, unsigned wait,
    struct dp_receipt *receipt, char why[static DP_STATE_WHY])
{
	struct dp_ledger l = { .db = NULL };
	uint64_t n;
	int e;

	if ((e = begin(&l, path, wait, why)) == 0) {
		n = l.b.n + 1;
		if ((e = refuse(&l, c, why)) != 0 || (e = dp_checkpoint_write(&l, why)) != 0 ||
		    (e = insert(&l, c, n, why)) != 0)
			abandon(&l);
		else if ((e = commit(&l, n, why)) == 0) {
			strcpy(receipt->id, l.b.id);
			receipt->n = n;
		}
	}
	dp_ledger_close(&l);
	return e;
}

int
dp_budget_close(const char *path, const char *time, unsigned wait, char why[static DP_STATE_WHY])
{
	struct dp_ledger l = { .db = NULL };
	int e;

	if ((e = begin(&l, path, wait, why)) == 0) {
		if (l.b.closed != NULL)
			e = dp_state_say(why, DP_EHORIZON, path, "closed on %s already",
			    l.b.closed);
		if (e != 0 || (e = dp_ledger_put(&l, "UPDATE ledger SET closed = ?1", &time, 1,
		    why)) != 0)
			abandon(&l);
		else
			e = commit(&l, 0, why);
	}
	dp_ledger_close(&l);
	return e;
}

int
dp_budget_read(struct dp_budget *b, const char *path, enum dp_reading what, unsigned wait,
    char why[static DP_STATE_WHY])
{
	struct dp_ledger l = { .wait = wait };
	int e;

	why[0] = '\0';
	if ((e = dp_ledger_place(&l, path, NULL, why)) == 0 &&
	    (e = check_file(&l, false, why)) == 0 && (e = dp_ledger_open(&l, "", why)) == 0)
		e = dp_ledger_read(&l, what, why);
	if (e == 0) {
		*b = l.b;
		l.b = (struct dp_budget){ .n = 0 };
	}
	dp_ledger_close(&l);
	return e;
}

void
dp_budget_free(struct dp_budget *b)
{
	size_t i;
	int k;

	for (i = 0; b->charge != NULL && i < b->n; i++)
		for (k = 0; k < DP_SAIDS + (b->format > 1); k++)
			free((char *)(uintptr_t)(k < DP_SAIDS ? b->charge[i].said[k] :
			    b->charge[i].reads));
	free(b->charge);
	for (i = 0; i < DP_TOTALS_MAX; i++)
		free(b->total[i].unit);
	free(b->created);
	free(b->closed);
	free(b->witness);
	*b = (struct dp_budget){ .n = 0 };
}
