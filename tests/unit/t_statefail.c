/* SPDX-License-Identifier: ISC */
/*
 * t_statefail.c - the protocol of state.h when a call of the C library fails, any of them.
 *
 * A run has its k-th allocation or system call fail, for every k; or gets one byte at a time, and
 * signals in between.  It says what is wrong and stops; the next run finishes; and the adversary's
 * ledger must be as if nothing had happened.  t_statekill.c has effects fail that are none, here
 * they are the kernel's own.
 */
#include "statetoy.h"
#include "failing.h"

#define CALLS_MAX	400	/* in a run: a broken one must end too */

enum { FINE = 40, TOLD, SILENT, WRONG };

struct bad {
	struct toy toy;
	enum failing how;
	unsigned long nth;
	int error;
};

static const struct toy modes[] = {
	{ .rule = { .path = "S" }, .steps = 4, .group = 2 },
	{ .rule = { .path = "./S", .out = "O", .witness = "W", .keep = true },
	    .steps = 4, .group = 2, .batch = "b1" },
	{ .rule = { .path = "S" }, .steps = 8, .group = 2, .stage = true, .table = true }
};
#define MODES	(sizeof modes / sizeof *modes)

/* Is this what state.h says of an error? */
static bool
told(int e, const char *why)
{
	return (e == DP_ENOMEM || e == DP_EIO || e == DP_EINVAL || e == DP_ESTATE ||
	    e == DP_EENTROPY) && why[0] != '\0' && strchr(why, '\n') == NULL;
}

static int
verdict(int e, const char *why, bool hit)
{
	if (e == 0)
		return hit ? SILENT : FINE;
	return hit && told(e, why) ? TOLD : WRONG;
}

static int
run_child(void *arg)
{
	const struct bad *b = arg;
	char why[DP_STATE_WHY] = "";
	int e;

	failing_at(b->how, b->nth, b->error);
	e = toy_run(&b->toy, why);
	return verdict(e, why, failing_end());
}

static int
init_child(void *arg)
{
	const struct bad *b = arg;
	char t0[] = "t 0\n", why[DP_STATE_WHY] = "";
	struct dp_buf body = { t0, 4, 4, 0 };
	struct dp_state *s = NULL;
	int e;

	failing_at(b->how, b->nth, b->error);
	if ((e = toy_create(&s, &b->toy.rule, TOY_HEAD, &body, NO_HOOK, why)) == 0)
		dp_state_free(s);
	return verdict(e, why, failing_end());
}

static int
peek_child(void *arg)
{
	const struct bad *b = arg;
	char why[DP_STATE_WHY] = "";
	struct dp_state *s;
	int e;

	failing_at(b->how, b->nth, b->error);
	if ((e = dp_state_peek(&s, "S", why)) == 0) {
		if (strcmp(s->form.head.p, TOY_HEAD) != 0)
			return WRONG;
		dp_state_free(s);
	}
	return verdict(e, why, failing_end());
}

/* One run, in which a call fails or not; what came out. */
static int
run(struct bad *b, struct ledger *l)
{
	struct dp_buf out = { 0 };
	int status = grab(run_child, b, &out);

	ledger_add(l, &out, b->how != FAIL_NONE);
	if (b->toy.rule.out != NULL && slurp(b->toy.rule.out, &out))
		ledger_add(l, &out, status != FINE);
	dp_buf_free(&out);
	return status;
}

static bool
finishes(const struct toy *y, struct ledger *l)
{
	struct bad b = { .toy = *y };

	return run(&b, l) == FINE && ledger_close(l, y->steps) && access("S.tmp", F_OK) != 0;
}

static bool
begin(const struct toy *y)
{
	toy_clean();
	return toy_init(&y->rule, (struct dp_state_hook){ 0 }) == 0;
}

/* A run that had its last output refused: the next one owes some, and the file may have a tail. */
static int
at_emit(void *arg, enum dp_state_point p)
{
	const struct toy *y = arg;

	if (p != DP_AT_EMIT)
		return 0;
	if (y->rule.out == NULL) {
		errno = EINTR;		/* but nobody asked for a stop */
		return -1;
	}
	if (y->rule.out != NULL)	/* half of it is there */
		check(truncate(y->rule.out, 1) == 0);
	errno = EIO;
	return -1;
}

static int
at_second_emit(void *arg, enum dp_state_point p)
{
	bool *first = arg;

	if (p != DP_AT_EMIT || *first) {
		*first = *first && p != DP_AT_EMIT;
		return 0;
	}
	errno = EIO;
	return -1;
}

static void
owe(const struct toy *y, struct ledger *l)
{
	struct bad b = { .toy = *y };
	bool first = true;

	b.toy.hook = (struct dp_state_hook){ at_emit, &b.toy };
	(void)run(&b, l);
	if (y->rule.out == NULL)
		return;
	/* A run without --out lets it out instead, and its own not: what it owes follows a tail. */
	b.toy.hook = (struct dp_state_hook){ at_second_emit, &first };
	b.toy.rule.out = NULL;
	(void)run(&b, l);
}

/*
 * Failures that do not matter: of a first look whether S is there, of the read that finds the end
 * of the witness, a witness of nothing before anything was released, and of unlinking what the
 * next run would unlink.
 */
static unsigned silent;
#define SILENT_MAX	75

static unsigned
failures(const struct toy *y, enum failing how, int error, bool owed)
{
	struct ledger l = { 0 };
	struct bad b = { .toy = *y, .how = how, .error = error, .nth = 1 };
	int status = TOLD;
	unsigned n = 0;

	/* A call that can be done without is one whose failure shows nowhere. */
	for (; status != FINE && b.nth < CALLS_MAX; b.nth++) {
		check(begin(y));
		if (owed)
			owe(y, &l);
		status = run(&b, &l);
		check(status == TOLD || status == FINE || status == SILENT);
		check(finishes(y, &l));
		n += status == TOLD;
		silent += status == SILENT;
	}
	check(status == FINE);
	return n;
}

static void
test_runs(void)
{
	unsigned calls = 0, memory = 0, empty = 0;
	size_t m;
	int owed;

	for (m = 0; m < MODES; m++)
		for (owed = 0; owed < 2; owed++) {
			calls += failures(&modes[m], FAIL_CALL, EIO, owed);
			calls += failures(&modes[m], FAIL_CALL, ENOMEM, owed);
			empty += failures(&modes[m], FAIL_EMPTY, 0, owed);
#ifndef __SANITIZE_ADDRESS__
			memory += failures(&modes[m], FAIL_MEMORY, 0, owed);
#endif
		}
	printf("failures: %u calls, %u transfers of nothing, %u allocations; %u did not matter\n",
	    calls, empty, memory, silent);
	check(calls > 400 && empty > 10 && silent <= SILENT_MAX);
	/* To some "not there" is no failure: they are right, or the others notice. */
	for (m = 0; m < MODES; m++)
		(void)failures(&modes[m], FAIL_CALL, ENOENT, false);
	silent = 0;
}

/* --init that fails: S is there whole or not at all, and either can go on. */
static void
test_inits(void)
{
	static const enum failing how[] = { FAIL_CALL, FAIL_EMPTY, FAIL_MEMORY };
	struct bad b = { .toy = modes[1], .error = EIO };
	struct ledger l = { 0 };
	struct dp_buf out = { 0 };
	int status, made = 0, unmade = 0;
	size_t i;

	for (i = 0; i < sizeof how / sizeof *how; i++) {
		b.how = how[i];
		for (b.nth = 1, status = TOLD; status != FINE && b.nth < CALLS_MAX; b.nth++) {
			toy_clean();
			status = grab(init_child, &b, &out);
			check(status == TOLD || status == FINE || status == SILENT);
			silent += status == SILENT;
			if (access("S", F_OK) == 0)
				made++;
			else {
				unmade++;
				check(toy_init(&b.toy.rule, (struct dp_state_hook){ 0 }) == 0);
			}
			check(finishes(&b.toy, &l));
		}
		check(status == FINE);
	}
	check(silent <= SILENT_MAX);
	printf("failures of init: %d with a state, %d without\n", made - 3, unmade);
	check(made > 5 && unmade > 20);
	dp_buf_free(&out);
}

static void
test_peeks(void)
{
	struct bad b = { .toy = modes[0], .error = EIO };
	struct dp_buf out = { 0 }, before = { 0 }, after = { 0 };
	int status, how;
	unsigned n = 0;

	check(begin(&modes[0]) && slurp("S", &before));
	for (how = FAIL_MEMORY; how <= FAIL_EMPTY; how++) {
		b.how = (enum failing)how;
		for (b.nth = 1, status = TOLD; status == TOLD && b.nth < CALLS_MAX; b.nth++, n++)
			status = grab(peek_child, &b, &out);
		check(status == FINE);
	}
	check(n > 6);
	check(slurp("S", &after) && same(&before, &after));
	dp_buf_free(&out);
	dp_buf_free(&before);
	dp_buf_free(&after);
}

/* What the first open(2), that of the directory, says of the path. */
static void
test_errors(void)
{
	static const struct {
		int error, want;
		const char *word;
	} row[] = {
		{ ENOENT, DP_EINVAL, "No such file" }, { ENOTDIR, DP_EINVAL, "Not a directory" },
		{ EISDIR, DP_EINVAL, "Is a directory" }, { EACCES, DP_EINVAL, "Permission" },
		{ EPERM, DP_EINVAL, "not permitted" }, { ENAMETOOLONG, DP_EINVAL, "too long" },
		{ ELOOP, DP_EINVAL, "is a symbolic link; name the file itself" },
		{ ENXIO, DP_EINVAL, "No such device" }, { EIO, DP_EIO, "Input/output error" },
		{ EMFILE, DP_EIO, "Too many open files" }, { ENOMEM, DP_ENOMEM, "out of memory" }
	};
	char why[DP_STATE_WHY];
	struct dp_state *s;
	size_t i;
	int e;

	check(begin(&modes[0]));
	for (i = 0; i < sizeof row / sizeof *row; i++) {
		failing_at(FAIL_CALL, 1, row[i].error);
		e = dp_state_peek(&s, "S", why);
		check(failing_end() && e == row[i].want && errno == row[i].error);
		if (strstr(why, row[i].word) == NULL)
			printf("%d: %s\n", row[i].error, why);
		check(strstr(why, row[i].word) != NULL);
		check((strstr(why, "its directory: ") != NULL) == (row[i].error != ENOMEM));
	}
}

/* A file of the state itself does not become --out, whatever cannot be found out about it. */
static void
test_same(void)
{
	const struct dp_state_rule rule = { .path = "S", .out = "./S.lock" };
	char why[DP_STATE_WHY];
	struct dp_state *s;
	unsigned long n;
	bool did = true;
	int e;

	check(begin(&modes[0]));
	for (n = 1; did && n < CALLS_MAX; n++) {
		failing_at(FAIL_CALL, n, EIO);
		e = dp_state_open(&s, &rule, why);
		did = failing_end();
		check(e == (did ? DP_EIO : DP_EINVAL));
		if (e == 0)
			dp_state_free(s);
	}
	check(n == 6 && strstr(why, "belongs to the state itself") != NULL);
}

/* A byte at a time, and a signal before each; the lock too. */
static void
test_slow(void)
{
	struct ledger l = { 0 };
	struct bad b = { .how = FAIL_SLOW, .nth = 1 };
	struct dp_buf out = { 0 };
	size_t m;

	for (m = 0; m < MODES; m++) {
		b.toy = modes[m];
		toy_clean();
		check(grab(init_child, &b, &out) == FINE);
		owe(&b.toy, &l);
		check(run(&b, &l) == FINE);
		check(finishes(&b.toy, &l));
	}
	dp_buf_free(&out);
}

/* A new head, or none: the one that was stays. */
static void
test_head(void)
{
#ifndef __SANITIZE_ADDRESS__
	char why[DP_STATE_WHY];
	struct dp_state *s;

	check(begin(&modes[0]) && dp_state_open(&s, &modes[0].rule, why) == 0);
	check(dp_state_set_head(s, "a b\n") == DP_EINVAL);	/* before what is owed is printed */
	check(dp_state_redo(s, false, why) == 0);
	check(dp_state_set_head(s, "no newline") == DP_EINVAL);
	failing_at(FAIL_MEMORY, 1, 0);
	check(dp_state_set_head(s, "a b\n") == DP_ENOMEM && failing_end());
	check(strcmp(s->form.head.p, TOY_HEAD) == 0);
	check(dp_state_set_head(s, "a b\n") == 0 && strcmp(s->form.head.p, "a b\n") == 0);
	dp_state_free(s);
#endif
}

int
main(void)
{
	char dir[32];

	if (!toy_enter(dir, true)) {
		perror(dir);
		return 1;
	}
	test_runs();
	test_inits();
	test_peeks();
	test_errors();
	test_same();
	test_slow();
	test_head();
	toy_leave(dir);
	return done();
}
