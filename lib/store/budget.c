/* SPDX-License-Identifier: ISC */
/* budget.c - charges, and the ledger that has them. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

static int dp_ledger_failed(const struct dp_ledger *, int rc, char *why);
static int dp_ledger_nomem(const struct dp_ledger *, char *why);
static int dp_ledger_prepare(struct dp_ledger *, sqlite3_stmt **, const char *sql, char *why);
static int dp_ledger_finish(const struct dp_ledger *, sqlite3_stmt *, int e, char *why);
static int dp_ledger_seal_totals(struct dp_ledger *, const struct dp_budget_rule *, char *why);
static int dp_checkpoint_read(struct dp_ledger *, char *why);
static void dp_checkpoint_start(struct dp_ledger *);
static int dp_checkpoint_write(struct dp_ledger *, char *why);
static int dp_sqlite_load(struct dp_sqlite *, const char **why);

/* Charges: refused, or durable before anything is drawn. */

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

/* budget.c: flock(2) on the witness, waiting as long as the caller does. */
static int
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
		    "restored backup, and charging it would spend the same budget twice: use the "
		    "file that was charged last; if that is lost, make a new ledger with what may "
		    "be left");
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
begin_budget(struct dp_ledger *l, const char *path, unsigned wait, char *why)
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
refuse_budget(const struct dp_ledger *l, const struct dp_charge *c, char *why)
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
		    "ledger is for one %s; losses of different units do not add up: a ledger made "
		    "with --total='%s:E', among others or alone, takes it",
		    dp_span_unit(unit, one), units(&l->b, text), one);
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
insert_budget(struct dp_ledger *l, const struct dp_charge *c, uint64_t n, char *why)
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

/* What a state owes, if it was paid: the charge's number, else 0. */
static int
find_paid(struct dp_ledger *l, const char *mark, const struct dp_receipt *owed, uint64_t *n,
    char *why)
{
	static const char find[] = "SELECT n FROM charge WHERE substr(command, -length(?1)) = ?1";
	sqlite3_stmt *q = NULL;
	int e, rc;

	*n = 0;
	if (strcmp(owed->id, l->b.id) != 0)
		return dp_state_say(why, DP_ESTATE, l->files->at.path, "the state owes its charge "
		    "to another ledger, which may have it: give that one");
	if ((e = dp_ledger_prepare(l, &q, find, why)) != 0)
		return e;
	if ((rc = l->sql.bind_text(q, 1, mark, -1, SQLITE_STATIC)) != SQLITE_OK ||
	    ((rc = l->sql.step(q)) != SQLITE_ROW && rc != SQLITE_DONE))
		e = dp_ledger_failed(l, rc, why);
	else if (rc == SQLITE_ROW)
		*n = (uint64_t)l->sql.column_int64(q, 0);
	return dp_ledger_finish(l, q, e, why);
}

/* In a transaction: the charge, and the state that it pays for. */
static int
debit(struct dp_ledger *l, const struct dp_charge *c, const struct dp_paid *paid,
    struct dp_receipt *receipt, char *why)
{
	uint64_t was = 0;
	int e = 0;

	if (paid != NULL && paid->again &&
	    ((e = find_paid(l, paid->mark, receipt, &was, why)) != 0 || was != 0)) {
		receipt->n = was;
		abandon(l);
		return e;
	}
	strcpy(receipt->id, l->b.id);
	receipt->n = l->b.n + 1;
	if ((e = refuse_budget(l, c, why)) != 0 || (e = dp_checkpoint_write(l, why)) != 0 ||
	    (e = insert_budget(l, c, receipt->n, why)) != 0 ||
	    (paid != NULL && paid->make != NULL &&
	    (e = paid->make(paid->arg, receipt, why)) != 0)) {
		abandon(l);
		return e;
	}
	return commit(l, receipt->n, why);
}

int
dp_budget_charge(const char *path, const struct dp_charge *c, const struct dp_paid *paid,
    unsigned wait, struct dp_receipt *receipt, char why[static DP_STATE_WHY])
{
	struct dp_ledger l = { .db = NULL };
	int e;

	if ((e = begin_budget(&l, path, wait, why)) == 0)
		e = debit(&l, c, paid, receipt, why);
	dp_ledger_close(&l);
	return e;
}

int
dp_budget_close(const char *path, const char *time, unsigned wait, char why[static DP_STATE_WHY])
{
	struct dp_ledger l = { .db = NULL };
	int e;

	if ((e = begin_budget(&l, path, wait, why)) == 0) {
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

/*
 * A new ledger: the file under another name first, so that it is there whole or
 * not at all.
 */

static bool
taken(const struct dp_place *at, const char *suffix)
{
	uint64_t inode, born;

	return dp_place_identity(at, suffix, &inode, &born) == 0 || errno != ENOENT;
}

static int
check_free(const struct dp_ledger *l, char *why)
{
	const struct dp_place *at = &l->files->at;
	const char *const other[] = { "", "-journal", "-wal" };
	int i;

	for (i = 0; i < 3; i++)
		if (taken(at, other[i]))
			return dp_state_say(why, DP_ESTATE, at->path, "%s%s%sexists already; "
			    "another ledger would be another budget (--show says what it has)",
			    i > 0 ? at->name : "", other[i], i > 0 ? " " : "");
	return 0;
}

/* Under the lock of the witness, which must be new as well. */
static int
make_file(struct dp_ledger *l, char *why)
{
	const struct dp_place *at = &l->files->at;
	int e, fd;

	if ((e = dp_state_find_witness(l->files, true, why)) != 0 ||
	    (e = dp_ledger_lock(l, why)) != 0 || (e = check_free(l, why)) != 0 ||
	    (e = dp_state_match_witness(l->files, true, why)) != 0)
		return e;
	if (dp_place_unlink(at, ".tmp") != 0 || dp_place_unlink(at, ".tmp-journal") != 0 ||
	    (fd = dp_place_open(at, ".tmp", O_RDWR | O_CREAT | O_EXCL, 0600)) < 0)
		return dp_state_errno(why, at->path);
	e = fchmod(fd, 0600) != 0 || dp_os_born(fd, "", &l->inode, &l->born) != 0 ?
	    dp_state_errno(why, at->path) : 0;
	dp_state_shut(&fd);
	return e;
}

/* True: one total is all: the format that version 0.1 knows. */
static bool
plain(const struct dp_budget_rule *rule)
{
	return rule->n == 1 && !rule->by_time;
}

static int
fill_create(struct dp_ledger *l, const struct dp_budget_rule *rule, const char *time,
    const char *witness, char *why)
{
	char number[4][48];
	const char *const text[] = { l->files->form.lineage, number[0], number[1],
	    rule->total[0].unit, time, witness, number[2], number[3] };
	int e;

	*dp_q_put(number[0], rule->total[0].epsilon) = '\0';
	*dp_q_put(number[1], rule->total[0].delta) = '\0';
	snprintf(number[2], sizeof number[2], "%" PRIu64, l->inode);
	snprintf(number[3], sizeof number[3], "%" PRIu64, l->born);
	if ((e = dp_ledger_run(l, "BEGIN IMMEDIATE", why)) != 0 ||
	    (e = dp_ledger_run(l, dp_ledger_schema[plain(rule) ? 1 : 2], why)) != 0 ||
	    (e = dp_ledger_put(l, "INSERT INTO ledger VALUES "
	    "(?1, ?2, ?3, ?4, ?5, NULL, ?6, ?7, ?8, 1, '')", text, 8, why)) != 0 ||
	    (!plain(rule) && (e = dp_ledger_seal_totals(l, rule, why)) != 0) ||
	    (e = dp_ledger_seal(l, 0, why)) != 0)
		return e;
	return dp_ledger_run(l, "COMMIT", why);
}

/* The file is durable under its other name; now it gets its own. */
static int
publish_create(struct dp_ledger *l, char *why)
{
	const struct dp_place *at = &l->files->at;

	if (dp_place_rename(at, ".tmp") != 0 || fsync(at->dir) != 0)
		return dp_state_errno(why, at->path);
	l->files->form.generation = 1;
	return dp_state_put_witness(l->files, why);
}

/* Units are different texts, none missing where there are several. */
static int
check_rule(const char *path, const struct dp_budget_rule *rule, char *why)
{
	struct dp_account account;
	size_t i, k;

	for (i = 0; i < rule->n; i++)
		if (dp_account_open(&account, rule->total[i].epsilon, rule->total[i].delta) != 0)
			return dp_state_say(why, DP_EINVAL, path,
			    "epsilon must be above 0, delta below 1");
	for (i = 0; i < rule->n && !plain(rule); i++)
		for (k = 0; k <= i; k++)
			if (rule->total[i].unit == NULL || (k < i &&
			    strcmp(rule->total[i].unit, rule->total[k].unit) == 0))
				return dp_state_say(why, DP_EINVAL, path,
				    "each total must be of another unit");
	return 0;
}

int
dp_budget_create(const char *path, const char *witness, const struct dp_budget_rule *rule,
    const char *time, char why[static DP_STATE_WHY])
{
	struct dp_ledger l = { .wait = 1000 };
	int e;

	why[0] = '\0';
	if ((e = check_rule(path, rule, why)) != 0)
		return e;
	if ((e = dp_ledger_place(&l, path, witness, why)) == 0 &&
	    (e = dp_state_draw_lineage(l.files, why)) == 0 && (e = check_free(&l, why)) == 0 &&
	    (e = make_file(&l, why)) == 0) {
		if ((e = dp_ledger_open(&l, ".tmp", why)) != 0 ||
		    (e = fill_create(&l, rule, time, witness, why)) != 0 ||
		    (e = publish_create(&l, why)) != 0)
			(void)dp_place_unlink(&l.files->at, ".tmp");
	}
	dp_ledger_close(&l);
	return e;
}

/*
 * What the charges of one unit add up to, where some of them are of disjoint times.
 */

static int
by_reading(const void *a, const void *b)
{
	const struct dp_charge *x = *(const struct dp_charge *const *)a;
	const struct dp_charge *y = *(const struct dp_charge *const *)b;
	const int c = strcmp(x->reads, y->reads);

	return c != 0 ? c : (x->begin > y->begin) - (x->begin < y->begin);
}

/*
 * The most of n charges of one reading, by `begin'.  The set of those at one time grows only where
 * one begins: it is enough to look there.
 */
static void
most_of(struct dp_account *most, const struct dp_charge *const *c, size_t n)
{
	struct dp_account at;
	size_t i, j;

	for (i = 0; i < n; i++) {
		if (i + 1 < n && c[i + 1]->begin == c[i]->begin)
			continue;
		at = *most;
		dp_account_empty(&at);
		for (j = 0; j <= i; j++)
			if (c[i]->begin < c[j]->end)
				dp_account_add(&at, &c[j]->loss);
		dp_account_most(most, &at);
	}
}

/* Charges with times: the most of each reading. */
static void
add_timed(struct dp_account *a, const struct dp_charge **c, size_t n)
{
	struct dp_account most;
	size_t i, j;

	qsort(c, n, sizeof *c, by_reading);
	for (i = 0; i < n; i = j) {
		for (j = i + 1; j < n && strcmp(c[j]->reads, c[i]->reads) == 0; j++)
			;
		most = *a;
		dp_account_empty(&most);
		most_of(&most, c + i, j - i);
		dp_account_join(a, &most);
	}
}

int
dp_budget_sum(const struct dp_budget *b, size_t i, const struct dp_charge *more,
    struct dp_account *a)
{
	const char *unit = b->total[i].unit;
	const struct dp_charge **timed = calloc(b->n + 1, sizeof *timed), *c;
	size_t k, n = 0;

	if (timed == NULL)
		return DP_ENOMEM;
	*a = b->total[i].account;
	dp_account_empty(a);
	for (k = 0; k < b->n + (more != NULL); k++) {
		c = k < b->n ? &b->charge[k] : more;
		if (unit != NULL && strcmp(unit, c->said[DP_SAID_UNIT]) != 0)
			continue;
		if (b->by_time && *c->reads != '\0' && c->begin < c->end)
			timed[n++] = c;
		else
			dp_account_add(a, &c->loss);
	}
	add_timed(a, timed, n);
	free(timed);
	return 0;
}

/* A budget's database: opening it, its rows and their seals. */

#define LEDGER \
    "CREATE TABLE ledger (id TEXT NOT NULL PRIMARY KEY, epsilon TEXT NOT NULL," \
    " delta TEXT NOT NULL, unit TEXT, created TEXT NOT NULL, closed TEXT, witness TEXT," \
    " inode TEXT NOT NULL, born TEXT NOT NULL, generation INTEGER NOT NULL," \
    " seal TEXT NOT NULL) STRICT;"
#define CHARGE(more) \
    "CREATE TABLE charge (n INTEGER PRIMARY KEY, epsilon TEXT NOT NULL, delta TEXT NOT NULL," \
    " rho TEXT NOT NULL, time TEXT NOT NULL, label TEXT NOT NULL, unit TEXT NOT NULL," \
    " protects TEXT NOT NULL, user TEXT NOT NULL, host TEXT NOT NULL, tool TEXT NOT NULL," \
    " mechanism TEXT NOT NULL, command TEXT NOT NULL," more " seal TEXT NOT NULL) STRICT;"

const char *const dp_ledger_schema[DP_LEDGER_FORMAT + 1] = { NULL,
    "PRAGMA application_id = 1685091700; PRAGMA user_version = 1;" LEDGER CHARGE(""),
    "PRAGMA application_id = 1685091700; PRAGMA user_version = 2;" LEDGER
    "CREATE TABLE total (n INTEGER PRIMARY KEY, unit TEXT NOT NULL, epsilon TEXT NOT NULL,"
    " delta TEXT NOT NULL, by_time INTEGER NOT NULL, seal TEXT NOT NULL) STRICT;"
    CHARGE(" reads TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL,") };

_Static_assert(DP_LEDGER_APPLICATION == 1685091700, "one number, twice");

/* SQLite's result rc as DP_E*; sets why. */
static int
dp_ledger_failed(const struct dp_ledger *l, int rc, char *why)
{
	const char *path = l->files->at.path;
	int code = l->db != NULL ? l->sql.system_errno(l->db) : 0;

	switch (rc & 0xff) {
	case SQLITE_NOMEM:
		return dp_state_say(why, DP_ENOMEM, path, "out of memory");
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return dp_state_say(why, DP_EBUSY, path,
		    "locked by another program for %u s; try again later", l->wait / 1000);
	case SQLITE_NOTADB:
		return dp_state_say(why, DP_ESTATE, path,
		    "not a budget ledger; dpbudget --init makes one");
	case SQLITE_READONLY:
		if (rc == SQLITE_READONLY_DBMOVED)
			return dp_state_say(why, DP_ESTATE, path,
			    "was renamed or removed during this run; nothing was released");
		errno = EACCES;
		return dp_state_say(why, DP_EINVAL, path, "cannot be written");
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
	case SQLITE_AUTH:
		errno = code != 0 ? code : EACCES;
		return dp_state_errno(why, path);
	case SQLITE_FULL:
	case SQLITE_IOERR:
		errno = code != 0 ? code : (rc & 0xff) == SQLITE_FULL ? ENOSPC : EIO;
		return dp_state_say(why, DP_EIO, path, "%s; nothing was released", strerror(errno));
	default:
		return dp_state_say(why, DP_ESTATE, path, "damaged (%s); make a new "
		    "ledger with what may be left",
		    l->sql.errstr(rc));
	}
}

/* Finalizes a query that ended with e: a text that found no memory looks like a damaged one. */
static int
dp_ledger_nomem(const struct dp_ledger *l, char *why)
{
	return dp_ledger_failed(l, SQLITE_NOMEM, why);
}

int
dp_ledger_place(struct dp_ledger *l, const char *path, const char *witness, char *why)
{
	struct dp_state_rule rule = { .path = path, .witness = witness };
	char *beside = NULL;
	int e;

	dp_state_free(l->files);
	if ((l->files = dp_state_new()) == NULL)
		return dp_state_say(why, DP_ENOMEM, path, "out of memory");
	if (witness == NULL && asprintf(&beside, "%s.witness", path) < 0)
		return dp_state_say(why, DP_ENOMEM, path, "out of memory");
	if (witness == NULL)
		rule.witness = beside;
	e = dp_state_places(l->files, &rule, why);
	free(beside);
	/* ".tmp-journal" must fit too */
	if (e == 0 && strlen(l->files->at.name) > NAME_MAX - 12)
		return dp_state_say(why, DP_EINVAL, path, "does not end in a usable file name");
	return e;
}

/* A file may contain anything: no trigger of its own, no view, no function is run. */
static int
tame(struct dp_ledger *l, char *why)
{
	l->sql.db_config(l->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	l->sql.db_config(l->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	l->sql.db_config(l->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	l->sql.db_config(l->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	l->sql.extended_result_codes(l->db, 1);
	l->sql.busy_timeout(l->db, (int)l->wait);
	return dp_ledger_run(l, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;"
	    "PRAGMA temp_store = MEMORY; PRAGMA synchronous = EXTRA;", why);
}

int
dp_ledger_open(struct dp_ledger *l, const char *suffix, char *why)
{
	const char *path = l->files->at.path, *unloaded;
	int rc;

	if (dp_sqlite_load(&l->sql, &unloaded) != 0)
		return dp_state_say(why, DP_EIO, path, "needs SQLite: %s", unloaded);
	/* ":memory:" is a file's name like any other here */
	if (asprintf(&l->name, "%s%s%s", *path == '/' ? "" : "./", path, suffix) < 0) {
		l->name = NULL;
		return dp_ledger_nomem(l, why);
	}
	rc = l->sql.open_v2(l->name, &l->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_PRIVATECACHE,
	    NULL);
	return rc != SQLITE_OK ? dp_ledger_failed(l, rc, why) : tame(l, why);
}

int
dp_ledger_run(struct dp_ledger *l, const char *sql, char *why)
{
	int rc = l->sql.exec(l->db, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : dp_ledger_failed(l, rc, why);
}

/* In a transaction: one statement with texts for its parameters, in order; NULL is NULL. */
static int
dp_ledger_prepare(struct dp_ledger *l, sqlite3_stmt **q, const char *sql, char *why)
{
	int rc = l->sql.prepare_v2(l->db, sql, -1, q, NULL);

	return rc == SQLITE_OK ? 0 : dp_ledger_failed(l, rc, why);
}

int
dp_ledger_put(struct dp_ledger *l, const char *sql, const char *const *text, int n, char *why)
{
	sqlite3_stmt *q = NULL;
	int e, i, rc = SQLITE_OK;

	/*
	 * Short of memory SQLite may have rolled back by itself; later statements would be
	 * transactions of their own.
	 */
	if (l->sql.get_autocommit(l->db))
		return dp_ledger_nomem(l, why);
	if ((e = dp_ledger_prepare(l, &q, sql, why)) != 0)
		return e;
	for (i = 0; i < n && rc == SQLITE_OK; i++)
		rc = l->sql.bind_text(q, i + 1, text[i], -1, SQLITE_STATIC);
	if (rc == SQLITE_OK)
		rc = l->sql.step(q);
	l->sql.finalize(q);
	return rc == SQLITE_DONE ? 0 : dp_ledger_failed(l, rc, why);
}

/* Of a row all fields but the last, each with its length, and the seal before. */
static int
seal_of(const struct dp_ledger *l, sqlite3_stmt *q, const char *before, char hex[static 65])
{
	crypto_generichash_state h;
	unsigned char sum[32];
	const unsigned char *p;
	uint64_t n, length;
	int i;

	crypto_generichash_init(&h, NULL, 0, sizeof sum);
	crypto_generichash_update(&h, (const unsigned char *)before, strlen(before));
	for (i = 0; i < l->sql.column_count(q) - 1; i++) {
		p = l->sql.column_text(q, i);
		if (p == NULL && l->sql.column_type(q, i) != SQLITE_NULL)
			return SQLITE_NOMEM;
		n = p == NULL ? 0 : (uint64_t)l->sql.column_bytes(q, i);
		length = htole64(p == NULL ? UINT64_MAX : n);
		crypto_generichash_update(&h, (const unsigned char *)&length, sizeof length);
		if (p != NULL)
			crypto_generichash_update(&h, p, n);
	}
	crypto_generichash_final(&h, sum, sizeof sum);
	sodium_bin2hex(hex, 65, sum, sizeof sum);
	return SQLITE_OK;
}

/* The field as it stands, NULL as "". */
static const char *
dp_ledger_text(const struct dp_ledger *l, sqlite3_stmt *q, int i)
{
	const char *s = (const char *)l->sql.column_text(q, i);

	return s != NULL ? s : "";
}

/* Finalizes a query that ended with e: a text that found no memory looks like a damaged one. */
static int
dp_ledger_damaged(const struct dp_ledger *l, const char *what, char *why)
{
	return dp_state_say(why, DP_ESTATE, l->files->at.path,
	    "damaged, or changed by another program (%s); make a new ledger with what may be "
	    "left", what);
}

int
dp_ledger_check_seal(struct dp_ledger *l, sqlite3_stmt *q, const char *what, char seal[static 65],
    char *why)
{
	char hex[65];

	if (seal_of(l, q, seal, hex) != SQLITE_OK)
		return dp_ledger_nomem(l, why);
	if (strcmp(hex, dp_ledger_text(l, q, l->sql.column_count(q) - 1)) != 0)
		return dp_ledger_damaged(l, what, why);
	memcpy(seal, hex, sizeof hex);
	return 0;
}

/* Finalizes a query that ended with e: a text that found no memory looks like a damaged one. */
static int
dp_ledger_finish(const struct dp_ledger *l, sqlite3_stmt *q, int e, char *why)
{
	const int rc = l->sql.finalize(q);

	return (rc & 0xff) == SQLITE_NOMEM || (e == 0 && rc != SQLITE_OK) ?
	    dp_ledger_failed(l, rc, why) : e;
}

int
dp_ledger_seal_row(struct dp_ledger *l, const char *select, const char *update,
    char seal[static 65], char *why)
{
	const char *text = seal;
	sqlite3_stmt *q = NULL;
	char hex[65];
	int e, rc;

	if ((e = dp_ledger_prepare(l, &q, select, why)) != 0)
		return e;
	if ((rc = l->sql.step(q)) == SQLITE_ROW)
		rc = seal_of(l, q, seal, hex);
	/* a text that found no memory is NULL; only the end of it all tells */
	e = l->sql.finalize(q);
	if (rc != SQLITE_OK || e != SQLITE_OK)
		return dp_ledger_failed(l, rc != SQLITE_OK ? rc : e, why);
	memcpy(seal, hex, sizeof hex);
	return dp_ledger_put(l, update, &text, 1, why);
}

int
dp_ledger_seal(struct dp_ledger *l, uint64_t n, char *why)
{
	char select[80], update[80], seal[65];
	int e = 0;

	if (n != 0) {
		snprintf(select, sizeof select, "SELECT * FROM charge WHERE n = %" PRIu64, n);
		snprintf(update, sizeof update, "UPDATE charge SET seal = ?1 WHERE n = %" PRIu64,
		    n);
		e = dp_ledger_seal_row(l, select, update, l->seal, why);
	}
	memcpy(seal, l->seal, sizeof seal);
	return e != 0 ? e : dp_ledger_seal_row(l, "SELECT * FROM ledger",
	    "UPDATE ledger SET seal = ?1", seal, why);
}

/* Format 2: writes and seals the totals; l->seal becomes the last one's. */
static int
dp_ledger_seal_totals(struct dp_ledger *l, const struct dp_budget_rule *rule, char *why)
{
	char select[80], update[80], number[2][48], n[24];
	const char *text[] = { n, NULL, number[0], number[1], rule->by_time ? "1" : "0" };
	size_t i;
	int e;

	strcpy(l->seal, l->files->form.lineage);
	for (i = 0; i < rule->n; i++) {
		snprintf(n, sizeof n, "%zu", i + 1);
		text[1] = rule->total[i].unit;
		*dp_q_put(number[0], rule->total[i].epsilon) = '\0';
		*dp_q_put(number[1], rule->total[i].delta) = '\0';
		snprintf(select, sizeof select, "SELECT * FROM total WHERE n = %s", n);
		snprintf(update, sizeof update, "UPDATE total SET seal = ?1 WHERE n = %s", n);
		if ((e = dp_ledger_put(l, "INSERT INTO total VALUES "
		    "(CAST(?1 AS INTEGER), ?2, ?3, ?4, CAST(?5 AS INTEGER), '')", text, 5,
		    why)) != 0 || (e = dp_ledger_seal_row(l, select, update, l->seal, why)) != 0)
			return e;
	}
	return 0;
}

void
dp_ledger_close(struct dp_ledger *l)
{
	const int saved = errno;

	if (l->db != NULL)
		l->sql.close(l->db);
	free(l->name);
	dp_state_free(l->files);
	dp_budget_free(&l->b);
	errno = saved;
	*l = (struct dp_ledger){ .db = NULL };
}

/* A ledger's rows, and what their seals say of them: budget.h. */

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

/*
 * A ledger's checkpoint: what its first n charges add up to, so that a run need not
 * read them again.  budget.h says why it may be believed.
 */

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

/* budget.c: reads l->checkpoint, if there is one, and verifies its seal. */
static int
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

/* Sets l->b and l->seal to the checkpoint's; one that other rules counted is dropped. */
static void
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

/* In a transaction: a checkpoint of all charges read, if the last checkpoint is long ago. */
static int
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

/* Loads SQLite. */

#ifdef __APPLE__
#define LIBRARY	"libsqlite3.dylib"
#else
#define LIBRARY	"libsqlite3.so.0"
#endif

/* 0, or DP_EIO and *why: static storage until the next call.  It stays loaded. */
static int
dp_sqlite_load(struct dp_sqlite *s, const char **why)
{
#ifdef DP_STATIC		/* it is in the program */
#define FIND(f)	s->f = sqlite3_##f;
	(void)why;
#else
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE), *at;

	if (library == NULL) {
		*why = dlerror();
		return DP_EIO;
	}
#define FIND(f) \
	if ((at = dlsym(library, "sqlite3_" #f)) == NULL) { \
		*why = dlerror(); \
		return DP_EIO; \
	} \
	memcpy(&s->f, &at, sizeof at);	/* POSIX: what it points at is the function */
#endif
	DP_SQLITE_FUNCTIONS(FIND)
	return 0;
}
