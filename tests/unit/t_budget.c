/* SPDX-License-Identifier: ISC */
/*
 * t_budget.c - the ledger: what is debited is on the disk, in this order, before it is said to be;
 * no memory and failing calls, wherever they are; what a charge says is kept.
 */
#include <sys/wait.h>

#include "check.h"
#include "failing.h"
#include "store/internal.h"

#define CALLS_MAX	4000

static const struct dp_q one = { 1, 1 }, none = { 0, 1 }, tenth = { 1, 10 };
static const struct dp_budget_rule plain = { .n = 1, .total = { { NULL, { 1, 1 }, { 0, 1 } } } };
static const struct dp_budget_rule several = { .n = 2, .by_time = true, .total = {
    { "user", { 1, 1 }, { 0, 1 } }, { "event", { 1, 1 }, { 0, 1 } } } };
static const struct dp_budget_rule nothing = { .n = 1, .total = { { NULL, { 0, 1 }, { 0, 1 } } } };

static struct dp_charge
charge(const char *unit)
{
	return (struct dp_charge){ { tenth, none, none }, { [DP_SAID_TIME] = "now",
	    [DP_SAID_LABEL] = "a label", [DP_SAID_UNIT] = unit, [DP_SAID_PROTECTS] = "all",
	    [DP_SAID_USER] = "me", [DP_SAID_HOST] = "here", [DP_SAID_TOOL] = "t",
	    [DP_SAID_MECHANISM] = "m", [DP_SAID_COMMAND] = "t -e .1" }, "", 0, 0 };
}

static void
clean(void)
{
	static const char *const name[] = { "L", "L.witness", "L.tmp", "L-journal",
	    "L.tmp-journal" };
	size_t i;

	for (i = 0; i < sizeof name / sizeof *name; i++)
		(void)unlink(name[i]);
}

static void
create(void)
{
	char why[DP_STATE_WHY];

	clean();
	check(dp_budget_create("L", NULL, &plain, "then", why) == 0);
}

/* Charges made; -1: refused. */
static int
charges(void)
{
	char why[DP_STATE_WHY];
	struct dp_budget b = { .n = 0 };
	int n;

	if (dp_budget_read(&b, "L", DP_READ_ALL, 0, why) != 0)
		return -1;
	n = (int)b.n;
	dp_budget_free(&b);
	return n;
}

static void
test_charges(void)
{
	char why[DP_STATE_WHY];
	struct dp_charge c = charge("event"), u = charge("user");
	struct dp_receipt receipt;
	struct dp_budget b;
	unsigned i;

	create();
	for (i = 1; i <= 10; i++)
		check(dp_budget_charge("L", &c, NULL, 0, &receipt, why) == 0 && receipt.n == i);
	check(dp_budget_charge("L", &c, NULL, 0, &receipt, why) == DP_EHORIZON);
	check(dp_budget_charge("L", &u, NULL, 0, &receipt, why) == DP_ESTATE);
	check(dp_budget_read(&b, "L", DP_READ_ALL, 0, why) == 0 && b.n == 10 && b.generation == 11);
	check(strcmp(b.id, receipt.id) == 0 && strcmp(b.total[0].unit, "event") == 0);
	check(dp_q_cmp(b.total[0].account.sum_epsilon, one) == 0 && b.closed == NULL);
	for (i = 0; i < DP_SAIDS; i++)
		check(strcmp(b.charge[9].said[i], c.said[i]) == 0);
	dp_budget_free(&b);
	check(dp_budget_close("L", "late", 0, why) == 0);
	check(dp_budget_close("L", "late", 0, why) == DP_EHORIZON);
	check(dp_budget_read(&b, "L", DP_READ_ALL, 0, why) == 0 && strcmp(b.closed, "late") == 0);
	dp_budget_free(&b);
	check(dp_budget_create("L", NULL, &plain, "then", why) == DP_ESTATE);
	check(dp_budget_create("M", NULL, &nothing, "then", why) == DP_EINVAL);
}

/* Two units and times: what is charged to the one leaves the other as it was. */
static void
test_totals(void)
{
	static const struct dp_budget_rule rule = { .n = 2, .by_time = true, .total = {
	    { "event", { 1, 10 }, { 0, 1 } }, { "user", { 2, 10 }, { 1, 1000 } } } };
	static const struct dp_budget_rule twice = { .n = 2, .total = {
	    { "event", { 1, 10 }, { 0, 1 } }, { "event", { 2, 10 }, { 0, 1 } } } };
	char why[DP_STATE_WHY];
	struct dp_charge c = charge("event"), u = charge("user"), n = charge("number");
	struct dp_receipt receipt;
	struct dp_budget b;

	clean();
	check(dp_budget_create("L", NULL, &twice, "then", why) == DP_EINVAL);
	check(dp_budget_create("L", NULL, &rule, "then", why) == 0);
	check(dp_budget_charge("L", &u, NULL, 0, &receipt, why) == 0 && receipt.n == 1);
	c.reads = "r";
	c.begin = -5;
	c.end = 5;
	check(dp_budget_charge("L", &c, NULL, 0, &receipt, why) == 0 && receipt.n == 2);
	check(dp_budget_charge("L", &c, NULL, 0, &receipt, why) == DP_EHORIZON);
	c.begin = 5;
	c.end = 9;
	check(dp_budget_charge("L", &c, NULL, 0, &receipt, why) == 0 && receipt.n == 3);
	/* read otherwise, or of no known times: it may be about the same events */
	c.begin = 9;
	c.end = 12;
	c.reads = "q";
	check(dp_budget_charge("L", &c, NULL, 0, &receipt, why) == DP_EHORIZON);
	c.reads = "";
	check(dp_budget_charge("L", &c, NULL, 0, &receipt, why) == DP_EHORIZON);
	check(dp_budget_charge("L", &u, NULL, 0, &receipt, why) == 0);
	check(dp_budget_charge("L", &u, NULL, 0, &receipt, why) == DP_EHORIZON);
	check(dp_budget_charge("L", &n, NULL, 0, &receipt, why) == DP_ESTATE);
	check(strstr(why, "one number, and the ledger is for one event or one user") != NULL);
	check(dp_budget_read(&b, "L", DP_READ_ALL, 0, why) == 0 && b.n == 4 && b.totals == 2 &&
	    b.by_time && b.format == 2 && strcmp(b.total[1].unit, "user") == 0);
	check(dp_q_cmp(b.total[0].account.sum_epsilon, tenth) == 0);
	check(dp_q_cmp(b.total[1].account.sum_epsilon, dp_q_make(2, 10)) == 0);
	check(b.charge[1].begin == -5 && b.charge[1].end == 5 && b.charge[0].begin == 0 &&
	    strcmp(b.charge[2].reads, "r") == 0);
	dp_budget_free(&b);
}

/* Times 0 to 7: the most that any of them has is looked for one by one. */
static void
test_parallel(void)
{
	static const char *const readings[] = { "", "a", "b" };
	struct dp_charge c[12];
	struct dp_budget b = { .totals = 1, .by_time = true, .format = 2, .charge = c };
	struct dp_account a;
	unsigned seed = 7, i, k, t;
	uint64_t sum, most, at;

	for (k = 0; k < 3000; k++) {
		check(dp_account_open(&b.total[0].account, one, tenth) == 0);
		b.n = k % 12;
		for (i = 0; i < 12; i++) {
			c[i] = charge("event");
			seed = seed * 1103515245 + 12345;
			c[i].reads = readings[(seed >> 16) % 3];
			c[i].begin = (seed >> 18) % 8;
			c[i].end = c[i].begin + (seed >> 21) % 4;
			c[i].loss.epsilon = dp_q_make((seed >> 23) % 9, 1000);
			c[i].loss.delta = dp_q_make((seed >> 27) % 9, 1000);
		}
		/* the last is one more; a run over no time at all is one over all of it */
		check(dp_budget_sum(&b, 0, &c[11], &a) == 0);
		for (sum = 0, i = 0; i < 12; i++)
			if ((i < b.n || i == 11) &&
			    (*c[i].reads == '\0' || c[i].begin == c[i].end))
				sum += c[i].loss.epsilon.num * (1000 / c[i].loss.epsilon.den);
		for (unsigned r = 1; r < 3; r++, sum += most)
			for (most = 0, t = 0; t < 12; t++) {
				for (at = 0, i = 0; i < 12; i++)
					if ((i < b.n || i == 11) && c[i].reads == readings[r] &&
					    c[i].begin <= t && t < c[i].end)
						at += c[i].loss.epsilon.num *
						    (1000 / c[i].loss.epsilon.den);
				most = at > most ? at : most;
			}
		check(dp_q_cmp(a.sum_epsilon, dp_q_make(sum, 1000)) == 0);
		b.by_time = false;
		check(dp_budget_sum(&b, 0, &c[11], &a) == 0);
		for (sum = 0, i = 0; i < 12; i++)
			sum += i < b.n || i == 11 ?
			    c[i].loss.delta.num * (1000 / c[i].loss.delta.den) : 0;
		check(dp_q_cmp(a.sum_delta, dp_q_make(sum, 1000)) == 0);
		b.by_time = true;
	}
}

/* A file as it is, in place: its inode stays. */
struct image {
	char bytes[1 << 18];
	size_t n;
};

static struct image file, witness;

static void
copy_file(struct image *m, const char *name, bool back)
{
	FILE *f = fopen(name, back ? "r+" : "r");

	check(f != NULL);
	if (f == NULL)
		exit(1);
	if (back)
		check(ftruncate(fileno(f), 0) == 0 && fwrite(m->bytes, 1, m->n, f) == m->n);
	else
		m->n = fread(m->bytes, 1, sizeof m->bytes, f);
	check(m->n > 0 && m->n < sizeof m->bytes && fclose(f) == 0);
}

static void
copy(bool back)
{
	copy_file(&file, "L", back);
	copy_file(&witness, "L.witness", back);
}

/* A ledger of total 1 with n charges of 1/200. */
static void
create_of(unsigned n)
{
	char why[DP_STATE_WHY];
	struct dp_charge c = charge("event");
	struct dp_receipt receipt;
	unsigned i;

	create();
	c.loss.epsilon = (struct dp_q){ 1, 200 };
	for (i = 1; i <= n; i++)
		check(dp_budget_charge("L", &c, NULL, 0, &receipt, why) == 0 && receipt.n == i);
}

/* Whether one of epsilon thousandths is charged. */
static int
spend(uint64_t thousandths)
{
	char why[DP_STATE_WHY];
	struct dp_charge c = charge("event");
	struct dp_receipt receipt;

	c.loss.epsilon = dp_q_make(thousandths, 1000);
	return dp_budget_charge("L", &c, NULL, 0, &receipt, why);
}

static void
by_hand(const char *sql)
{
	char why[DP_STATE_WHY];
	struct dp_ledger l = { .db = NULL };
	int e;

	check(dp_ledger_place(&l, "L", NULL, why) == 0 && dp_ledger_open(&l, "", why) == 0);
	e = dp_ledger_run(&l, sql, why);
	if (e != 0)
		puts(sql);
	check(e == 0);
	dp_ledger_close(&l);
}

/* One who computes seals: the checkpoint's. */
static void
forge(const char *sql)
{
	char why[DP_STATE_WHY], seal[65];
	struct dp_ledger l = { .db = NULL };

	by_hand(sql);
	check(dp_ledger_place(&l, "L", NULL, why) == 0 && dp_ledger_open(&l, "", why) == 0 &&
	    dp_ledger_run(&l, "BEGIN IMMEDIATE", why) == 0);
	(void)!dp_ledger_read(&l, DP_READ_SUMS, why);
	strcpy(seal, l.b.id);
	check(dp_ledger_seal_row(&l, "SELECT * FROM checkpoint",
	    "UPDATE checkpoint SET seal = ?1", seal, why) == 0 &&
	    dp_ledger_run(&l, "COMMIT", why) == 0);
	dp_ledger_close(&l);
}

/* The sum as the next charge finds it, in 200ths; -1: refused. */
static int
sum(enum dp_reading what)
{
	char why[DP_STATE_WHY];
	struct dp_budget b = { .n = 0 };
	struct dp_q s;

	if (dp_budget_read(&b, "L", what, 0, why) != 0)
		return -1;
	s = b.total[0].account.sum_epsilon;
	dp_budget_free(&b);
	check(200 * s.num % s.den == 0);
	return (int)(200 * s.num / s.den);
}

static void
refused_all(const char *sql)
{
	const bool refused = spend(1) == DP_ESTATE && sum(DP_READ_ALL) == -1;

	if (!refused)
		puts(sql);
	check(refused);
}

/* With it or without, or with another one: never is more spent than the total. */
static void
test_checkpoint(void)
{
	/* any change that leaves its seal */
	static const char *const changed[] = {
	    "UPDATE checkpoint SET epsilon = '0'", "UPDATE checkpoint SET n = n - 1",
	    "UPDATE checkpoint SET n = n + 1", "UPDATE checkpoint SET besides = '0.1'",
	    "UPDATE checkpoint SET last = (SELECT seal FROM charge WHERE n = 3), n = 3",
	    "UPDATE checkpoint SET missed = '0'", "UPDATE checkpoint SET seal = ''",
	    "INSERT INTO checkpoint SELECT n + 1, last, epsilon, delta, rho, besides, most, missed,"
	    " seal FROM checkpoint", "ALTER TABLE checkpoint ADD COLUMN x TEXT",
	    "DROP TABLE checkpoint; CREATE TABLE checkpoint (n INTEGER) STRICT;"
	    "INSERT INTO checkpoint VALUES (64)",
	    /* charges behind it */
	    "DELETE FROM charge WHERE n = 66", "DELETE FROM charge WHERE n >= 65",
	    "DELETE FROM charge", "UPDATE charge SET epsilon = '0' WHERE n = 66" };
	/* which would read charges again, or start behind others than those that were made */
	static const char *const forged[] = { "UPDATE checkpoint SET n = 60",
	    "UPDATE checkpoint SET n = 65", "UPDATE checkpoint SET n = 99",
	    "UPDATE checkpoint SET last = (SELECT seal FROM charge WHERE n = 66)",
	    "UPDATE checkpoint SET last = 'x'", "UPDATE checkpoint SET epsilon = 'x'",
	    "UPDATE checkpoint SET n = 0", "DELETE FROM charge WHERE n > 60" };
	size_t i;

	create_of(64);
	check(sum(DP_READ_SUMS) == 64 && sum(DP_READ_ALL) == 64);
	by_hand("CREATE TABLE checkpoint (x)");		/* there is none yet */
	create_of(66);
	copy(false);
	by_hand("CREATE TEMP TABLE t (x CHECK (x = 64)); INSERT INTO t SELECT n FROM checkpoint");
	for (i = 0; i < sizeof changed / sizeof *changed; i++) {
		by_hand(changed[i]);
		refused_all(changed[i]);
		copy(true);
	}
	for (i = 0; i < sizeof forged / sizeof *forged; i++) {
		forge(forged[i]);
		refused_all(forged[i]);
		copy(true);
	}
	/* of somebody who computes seals the sums are believed, until somebody reads all */
	forge("UPDATE checkpoint SET epsilon = '0.1'");
	check(sum(DP_READ_SUMS) == 22 && sum(DP_READ_ALL) == -1);
	copy(true);
	/* counted by other rules */
	forge("UPDATE checkpoint SET epsilon = '0.1', missed = '0.5'");
	check(sum(DP_READ_SUMS) == 66 && sum(DP_READ_ALL) == 66);
	copy(true);
	/* charges that it stands for: they change no sum, and who reads all is told */
	by_hand("UPDATE charge SET epsilon = '0.0001' WHERE n = 3; DELETE FROM charge WHERE n = 9");
	check(sum(DP_READ_SUMS) == 66 && sum(DP_READ_ALL) == -1);
	check(spend(671) == DP_EHORIZON && spend(670) == 0 && spend(1) == DP_EHORIZON);
	by_hand("DELETE FROM checkpoint");
	check(spend(1) == DP_ESTATE);
}

/* An older one put back, or none: more charges are read. */
static void
test_checkpoint_older(void)
{
	create_of(66);
	by_hand("CREATE TABLE older AS SELECT * FROM checkpoint");
	for (unsigned i = 67; i <= 130; i++)
		check(spend(5) == 0);
	by_hand("CREATE TEMP TABLE t (x CHECK (x = 128)); INSERT INTO t SELECT n FROM checkpoint");
	copy(false);
	by_hand("DELETE FROM checkpoint; INSERT INTO checkpoint SELECT * FROM older");
	check(sum(DP_READ_SUMS) == 130 && sum(DP_READ_ALL) == 130);
	check(spend(351) == DP_EHORIZON && spend(350) == 0 && spend(1) == DP_EHORIZON);
	by_hand("CREATE TEMP TABLE t (x CHECK (x = 130)); INSERT INTO t SELECT n FROM checkpoint");
	check(dp_budget_close("L", "late", 0, (char[DP_STATE_WHY]){ "" }) == 0);
	check(sum(DP_READ_SUMS) == 200 && sum(DP_READ_ALL) == 200);
	copy(true);
	by_hand("DROP TABLE checkpoint");
	check(sum(DP_READ_SUMS) == 130 && spend(351) == DP_EHORIZON && spend(350) == 0 &&
	    spend(1) == DP_EHORIZON && sum(DP_READ_ALL) == 200);
	by_hand("CREATE TEMP TABLE t (x CHECK (x = 130)); INSERT INTO t SELECT n FROM checkpoint");
	copy(true);
	/* rows of an older state with their head, as from a backup: the witness knows */
	create_of(66);
	copy(false);
	check(spend(5) == 0);
	copy_file(&file, "L", true);
	check(spend(5) == DP_ESTATE);
}

static __typeof__(sqlite3_finalize) *really_finalize;

static int
finalize_without_memory(sqlite3_stmt *q)
{
	really_finalize(q);
	return SQLITE_NOMEM;
}

/* What one SQLite does where memory is short, and another never: made to happen. */
static void
test_unseen(void)
{
	char why[DP_STATE_WHY];
	struct dp_ledger l = { .db = NULL };

	create();
	check(dp_ledger_place(&l, "L", NULL, why) == 0 && dp_ledger_open(&l, "", why) == 0);
	/* it has rolled back by itself */
	check(dp_ledger_put(&l, "UPDATE ledger SET closed = 'x'", NULL, 0, why) == DP_ENOMEM);
	/* a text was NULL, as the end of the query tells */
	check(dp_ledger_run(&l, "BEGIN IMMEDIATE", why) == 0);
	really_finalize = l.sql.finalize;
	l.sql.finalize = finalize_without_memory;
	check(dp_ledger_seal(&l, 0, why) == DP_ENOMEM);
	check(dp_ledger_run(&l, "ROLLBACK", why) == 0);
	dp_ledger_close(&l);
	check(charges() == 0);
}

enum act { CREATE, CHARGE, CHECKPOINT, AFTER, CLOSE, READ };

static const struct dp_budget_rule *made = &plain;	/* CREATE: this */

static int
act(enum act what, char why[static DP_STATE_WHY])
{
	struct dp_charge c = charge("event");
	struct dp_receipt receipt;
	struct dp_budget b = { .n = 0 };
	int e = 0;

	switch (what) {
	case CREATE:
		return dp_budget_create("L", NULL, made, "then", why);
	case CHARGE:
	case CHECKPOINT:
	case AFTER:
		return dp_budget_charge("L", &c, NULL, 0, &receipt, why);
	case CLOSE:
		return dp_budget_close("L", "late", 0, why);
	case READ:
		e = dp_budget_read(&b, "L", DP_READ_ALL, 0, why);
		dp_budget_free(&b);
	}
	return e;
}

/*
 * Any call fails: a clear error and the ledger as it was, or one charge more; or nothing was needed
 * of it.  Afterwards it goes on.
 */
static void
fail_all(enum act what, enum failing how, int error)
{
	char why[DP_STATE_WHY];
	unsigned long nth;
	unsigned told = 0, silent = 0;
	/* of the one that writes a checkpoint, and of the next */
	const int before = what == CHECKPOINT ? 64 : what == AFTER ? 65 : 0;
	const bool charging = what == CHARGE || before > 0;
	int e, n;
	bool hit = true;

	if (before > 0) {
		create_of((unsigned)before);
		copy(false);
	}
	for (nth = 1; hit && nth < CALLS_MAX; nth += how == FAIL_MEMORY_ON ? 9 : 1) {
		if (before > 0) {
			(void)unlink("L-journal");
			copy(true);
		} else
			clean();
		if (what != CREATE && before == 0) {
			clean();
			check(dp_budget_create("L", NULL, made, "then", why) == 0);
		}
		why[0] = '\0';
		failing_at(how, nth, error);
		e = act(what, why);
		hit = failing_end();
		if (!hit)
			break;
		told += e != 0;
		silent += e == 0;
		check(e == 0 || (why[0] != '\0' && strchr(why, '\n') == NULL));
		n = charges();
		check(what == CREATE ? n <= 0 && (e != 0 || n == 0) : charging ?
		    n == before + 1 || (e != 0 && n == before) : n == 0);
		if (what == CREATE && n < 0)
			check(act(CREATE, why) == 0);
		if (what != CLOSE)
			check(act(CHARGE, why) == 0);
	}
	printf("act %d, failure %d: %lu calls, %u told, %u did not matter\n", what, how, nth - 1,
	    told, silent);
	check(nth > 10 && nth < CALLS_MAX && told > 4);
}

int
main(void)
{
	char dir[] = "/dev/shm/t_budget.XXXXXX", other[] = "/tmp/t_budget.XXXXXX";
	const char *at = mkdtemp(dir) != NULL ? dir : mkdtemp(other);
	enum act a;

	if (at == NULL || chdir(at) != 0) {
		perror(at);
		return 1;
	}
	alarm(3000);	/* a hang is a failure; where files are slow it takes minutes */
	test_charges();
	test_totals();
	test_parallel();
	test_checkpoint();
	test_checkpoint_older();
	test_unseen();
	for (a = CREATE; a <= READ + 2; a++) {
		if (a == READ + 1)
			made = &several;	/* of several totals again: made, and charged */
#ifndef __SANITIZE_ADDRESS__
		fail_all(a % (READ + 1), FAIL_MEMORY, 0);
		if (a % (READ + 1) <= CHECKPOINT)
			fail_all(a % (READ + 1), FAIL_MEMORY_ON, 0);
#endif
		if (a % (READ + 1) <= CLOSE)
			fail_all(a % (READ + 1), FAIL_CALL, a == CHARGE ? ENOSPC : EIO);
	}
	clean();
	check(chdir("/") == 0 && rmdir(at) == 0);
	return done();
}
