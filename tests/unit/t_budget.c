/*
 * t_budget.c - the ledger: what is debited is on the disk, in this order, before it is said to be;
 * no memory and failing calls, wherever they are; what a charge says is kept.
 */
#include <sys/wait.h>

#include "check.h"
#include "failing.h"
#include "state/budget.h"
#include "state/ledger.h"

#define CALLS_MAX	4000

static const struct dp_q one = { 1, 1 }, none = { 0, 1 }, tenth = { 1, 10 };

static struct dp_charge
charge(const char *unit)
{
	return (struct dp_charge){ { tenth, none, none }, { [DP_SAID_TIME] = "now",
	    [DP_SAID_LABEL] = "a label", [DP_SAID_UNIT] = unit, [DP_SAID_PROTECTS] = "all",
	    [DP_SAID_USER] = "me", [DP_SAID_HOST] = "here", [DP_SAID_TOOL] = "t",
	    [DP_SAID_MECHANISM] = "m", [DP_SAID_COMMAND] = "t -e .1" } };
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
	check(dp_budget_create("L", NULL, one, none, NULL, "then", why) == 0);
}

/* Charges made; -1: refused. */
static int
charges(void)
{
	char why[DP_STATE_WHY];
	struct dp_budget b = { .n = 0 };
	int n;

	if (dp_budget_read(&b, "L", 0, why) != 0)
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
		check(dp_budget_charge("L", &c, 0, &receipt, why) == 0 && receipt.n == i);
	check(dp_budget_charge("L", &c, 0, &receipt, why) == DP_EHORIZON);
	check(dp_budget_charge("L", &u, 0, &receipt, why) == DP_ESTATE);
	check(dp_budget_read(&b, "L", 0, why) == 0 && b.n == 10 && b.generation == 11);
	check(strcmp(b.id, receipt.id) == 0 && strcmp(b.unit, "event") == 0);
	check(dp_q_cmp(b.account.sum_epsilon, one) == 0 && b.closed == NULL);
	for (i = 0; i < DP_SAIDS; i++)
		check(strcmp(b.charge[9].said[i], c.said[i]) == 0);
	dp_budget_free(&b);
	check(dp_budget_close("L", "late", 0, why) == 0);
	check(dp_budget_close("L", "late", 0, why) == DP_EHORIZON);
	check(dp_budget_read(&b, "L", 0, why) == 0 && strcmp(b.closed, "late") == 0);
	dp_budget_free(&b);
	check(dp_budget_create("L", NULL, one, none, NULL, "then", why) == DP_ESTATE);
	check(dp_budget_create("M", NULL, none, none, NULL, "then", why) == DP_EINVAL);
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

enum act { CREATE, CHARGE, CLOSE, READ };

static int
act(enum act what, char why[static DP_STATE_WHY])
{
	struct dp_charge c = charge("event");
	struct dp_receipt receipt;
	struct dp_budget b = { .n = 0 };
	int e = 0;

	switch (what) {
	case CREATE:
		return dp_budget_create("L", NULL, one, none, NULL, "then", why);
	case CHARGE:
		return dp_budget_charge("L", &c, 0, &receipt, why);
	case CLOSE:
		return dp_budget_close("L", "late", 0, why);
	case READ:
		e = dp_budget_read(&b, "L", 0, why);
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
	int e, n;
	bool hit = true;

	for (nth = 1; hit && nth < CALLS_MAX; nth += how == FAIL_MEMORY_ON ? 9 : 1) {
		clean();
		if (what != CREATE)
			create();
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
		check(what == CREATE ? n <= 0 && (e != 0 || n == 0) : what == CHARGE ?
		    n == 1 || (e != 0 && n == 0) : n == 0);
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
	alarm(300);
	test_charges();
	test_unseen();
	for (a = CREATE; a <= READ; a++) {
#ifndef __SANITIZE_ADDRESS__
		fail_all(a, FAIL_MEMORY, 0);
		if (a <= CHARGE)
			fail_all(a, FAIL_MEMORY_ON, 0);
#endif
		if (a <= CLOSE)
			fail_all(a, FAIL_CALL, a == CHARGE ? ENOSPC : EIO);
	}
	clean();
	check(chdir("/") == 0 && rmdir(at) == 0);
	return done();
}
