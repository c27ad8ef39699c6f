/* SPDX-License-Identifier: ISC */
/*
 * t_statekill.c - the protocol of state.h against death and failing calls.
 *
 * A child runs the toy filter and dies, or has a call fail, at its k-th
 * effect, for every k; the next run dies at its j-th, for every j; a last
 * run finishes.  All that ever came out goes into one ledger: no step may
 * have two values, none may be missing, no line may be torn.
 *
 * The death of a process loses nothing that it wrote, so no test here can
 * miss an fsync: that is for t_stateorder.c, and this one runs in memory.
 */
#include <sys/resource.h>

#include "statetoy.h"

struct countdown {
	int left;		/* effects to live for */
	int error;		/* 0: die; else fail this one effect with it */
	enum dp_state_point where;
};

static int
at_countdown(void *arg, enum dp_state_point p)
{
	struct countdown *c = arg;

	if (c->left != 0 || (c->error != 0 && p == DP_AT_END)) {
		c->left -= c->left > 0;		/* an end cannot fail */
		return 0;
	}
	c->left = -1;
	if (c->error == 0)
		child_exit(TOY_DIED);
	c->where = p;
	errno = c->error;
	return -1;
}

static const struct toy modes[] = {
	{ .rule = { .path = "S" }, .steps = 5, .group = 2 },
	{ .rule = { .path = "S", .keep = true }, .steps = 5, .group = 2,
	    .batch = "b1" },
	{ .rule = { .path = "S", .out = "O" }, .steps = 5, .group = 2 },
	{ .rule = { .path = "S", .out = "O", .witness = "W", .keep = true },
	    .steps = 5, .group = 2, .batch = "b1" },
	{ .rule = { .path = "S", .witness = "W" }, .steps = 14, .group = 7,
	    .pad = 1500 },		/* several pieces a commit */
	{ .rule = { .path = "S", .out = "O" }, .steps = 14, .group = 7,
	    .pad = 1500 },
	/* what is kept, what is staged, and a table, in files beside it */
	{ .rule = { .path = "S", .keep = true }, .steps = 42, .group = 14, .pad = 3500,
	    .batch = "b1" },
	{ .rule = { .path = "S" }, .steps = 5, .group = 2, .stage = true },
	{ .rule = { .path = "S", .out = "O", .witness = "W", .keep = true }, .steps = 8,
	    .group = 2, .batch = "b1", .stage = true, .table = true },
	{ .rule = { .path = "S" }, .steps = 8, .group = 1, .table = true }
};
#define MODES	(sizeof modes / sizeof *modes)
#define EFFECTS_MAX	200	/* effects in a run: a broken one must end too */

/*
 * A run that dies at its k-th effect (k < 0: never), or has it fail with an
 * error, as the adversary sees it.
 */
static int
run_until(const struct toy *mode, int k, int error, struct ledger *l)
{
	struct countdown c = { k, error, DP_AT_END };
	struct toy y = *mode;
	struct dp_buf b = { 0 };
	int status;

	y.hook = (struct dp_state_hook){ at_countdown, &c };
	status = grab(toy_child, &y, &b);
	ledger_add(l, &b, false);
	if (y.rule.out != NULL && slurp(y.rule.out, &b))
		ledger_add(l, &b, status != 0);
	dp_buf_free(&b);
	return status;
}

static bool
begin(const struct toy *mode)
{
	toy_clean();
	return toy_init(&mode->rule, (struct dp_state_hook){ 0 }) == 0;
}

static void
end(const struct toy *mode, struct ledger *l)
{
	struct dp_buf b = { 0 };
	struct ledger file = { 0 };

	check(run_until(mode, -1, 0, l) == 0);
	check(ledger_close(l, mode->steps));
	if (mode->rule.out != NULL) {	/* and there exactly once */
		check(slurp(mode->rule.out, &b));
		ledger_add(&file, &b, false);
		check(file.repeated == 0);
		check(ledger_close(&file, mode->steps));
	}
	check(access("S.tmp", F_OK) != 0);
	check(access("S.old0", F_OK) != 0 || access("S.old1", F_OK) != 0);
	check(access("S.tab0", F_OK) != 0 || access("S.tab1", F_OK) != 0);
	dp_buf_free(&b);
}

static void
test_deaths(void)
{
	struct ledger l = { 0 };
	int k, status, all = 0;
	size_t m;

	for (m = 0; m < MODES; m++)
		for (k = 0, status = TOY_DIED; status == TOY_DIED && k < EFFECTS_MAX;
		    k++) {
			check(begin(&modes[m]));
			status = run_until(&modes[m], k, 0, &l);
			check(status == TOY_DIED || status == 0);
			end(&modes[m], &l);
			all++;
		}
	printf("deaths: %d\n", all);
	check(all > 150);
}

/* The first run dies at k; the next dies at j, or fails there if j is odd. */
static void
test_two_deaths(void)
{
	static const size_t chosen[] = { 0, 1, 3, 8, 9 };
	struct ledger l = { 0 };
	struct toy y;
	int k, j, first, second, all = 0;
	size_t m;

	for (m = 0; m < sizeof chosen / sizeof *chosen; m++) {
		y = modes[chosen[m]];
		y.steps = y.group = 3;
		for (k = 0, first = TOY_DIED; first == TOY_DIED && k < EFFECTS_MAX;
		    k++)
			for (j = 0, second = TOY_DIED; second != 0 &&
			    j < EFFECTS_MAX; j++) {
				check(begin(&y));
				first = run_until(&y, k, 0, &l);
				second = run_until(&y, j, j & 1 ? EIO : 0,
				    &l);
				check(second == 0 || second == TOY_DIED ||
				    second == -DP_EIO);
				end(&y, &l);
				all++;
			}
	}
	printf("pairs of deaths: %d\n", all);
	check(all > 500);
}

/*
 * --out, then none, then --out again, and the first two die: every step comes out one way or the
 * other, and those in the file are there once.
 */
static void
test_sinks(void)
{
	const struct toy file = { .rule = { .path = "S", .out = "O" }, .steps = 6, .group = 2 };
	struct toy plain = file;
	struct ledger l = { 0 }, f = { 0 };
	struct dp_buf b = { 0 };
	int k, j, first, second, all = 0;
	unsigned t;

	plain.rule.out = NULL;
	for (k = 0, first = TOY_DIED; first == TOY_DIED && k < EFFECTS_MAX; k++)
		for (j = 0, second = TOY_DIED; second == TOY_DIED && j < EFFECTS_MAX; j++) {
			check(begin(&file));
			first = run_until(&file, k, 0, &l);
			second = run_until(&plain, j, 0, &l);
			check(run_until(&file, j % 3 < 2 ? j : -1, EIO, &l) >= 0);
			check(run_until(&file, -1, 0, &l) == 0);
			check(ledger_close(&l, file.steps));
			check(slurp("O", &b));
			ledger_add(&f, &b, false);
			check(f.repeated == 0 && f.torn == 0);
			for (t = 0; t <= TOY_MAX; t++)
				free(f.value[t]);
			f = (struct ledger){ 0 };
			all++;
		}
	printf("changes of sink: %d\n", all);
	check(all > 200);
	dp_buf_free(&b);
}

struct maker {
	struct dp_state_rule rule;
	int left;
};

static int
init_child(void *arg)
{
	struct maker *m = arg;
	struct countdown c = { m->left, 0, DP_AT_END };

	return -toy_init(&m->rule, (struct dp_state_hook){ at_countdown, &c });
}

/* --init that dies: S is there whole or not at all, and either can go on. */
static void
test_init_deaths(void)
{
	struct ledger l = { 0 };
	struct dp_buf b = { 0 };
	struct maker m = { modes[3].rule, 0 };
	int status = TOY_DIED, made = 0, unmade = 0;

	for (; status == TOY_DIED && m.left < EFFECTS_MAX; m.left++) {
		toy_clean();
		status = grab(init_child, &m, &b);
		check(status == TOY_DIED || status == 0);
		if (access("S", F_OK) == 0) {
			made++;
			check(toy_init(&m.rule, (struct dp_state_hook){ 0 }) ==
			    DP_ESTATE);
		} else {
			unmade++;
			check(toy_init(&m.rule,
			    (struct dp_state_hook){ 0 }) == 0);
		}
		end(&modes[3], &l);
	}
	check(made >= 3 && unmade >= 4);
	dp_buf_free(&b);
}

/* One commit in which effect k fails; in a child, told by exit status. */
struct failing {
	struct toy toy;
	struct countdown *c;
};

enum { SURVIVED = 40, BEFORE, AFTER, WRONG };

static int
failing_child(void *arg)
{
	struct failing *f = arg;
	struct toy *y = &f->toy;
	struct dp_state *s;
	char why[DP_STATE_WHY];
	unsigned t = 0;
	uint64_t g;
	int e;

	if (toy_open(y, &s, &t, why) != 0 ||
	    dp_state_redo(s, false, why) != 0 ||
	    (y->batch != NULL && dp_state_begin_batch(s, y->batch) != 0) ||
	    toy_group(y, s, &t, why) != 0)
		return WRONG;
	g = s->form.generation;
	s->hook = (struct dp_state_hook){ at_countdown, f->c };
	if ((e = toy_group(y, s, &t, why)) == 0)
		return SURVIVED;
	if (e != DP_EIO || errno != ENOSPC || why[0] == '\0')
		return WRONG;
	/* The run is over, whatever failed. */
	if (toy_group(y, s, &t, why) != DP_EIO ||
	    dp_state_redo(s, false, why) != DP_EINVAL)
		return WRONG;
	e = f->c->where <= DP_AT_RENAME ? BEFORE : AFTER;
	if (s->form.generation != (e == BEFORE ? g : g + 1))
		return WRONG;
	dp_state_free(s);
	return e;
}

static void
fail_at(const struct toy *mode, int k, int *status)
{
	struct countdown c = { k, ENOSPC, DP_AT_END };
	struct failing f = { *mode, &c };
	struct dp_buf b = { 0 };
	struct ledger l = { 0 };
	unsigned t, out = 0;

	check(begin(mode));
	*status = grab(failing_child, &f, &b);
	ledger_add(&l, &b, false);
	if (mode->rule.out != NULL && slurp(mode->rule.out, &b))
		ledger_add(&l, &b, true);
	for (t = 1; t <= mode->steps; t++)
		out += l.value[t] != NULL;
	check(*status == SURVIVED || *status == BEFORE || *status == AFTER);
	/* Before the rename: only the first group was ever let out. */
	if (*status == BEFORE)
		check(out == mode->group);
	if (*status == SURVIVED)
		check(out == 2 * mode->group);
	end(mode, &l);
	dp_buf_free(&b);
}

static void
test_failures(void)
{
	size_t m;
	int k, status, seen[3] = { 0 };

	for (m = 0; m < MODES; m++)
		for (k = 0, status = BEFORE; status != SURVIVED; k++) {
			fail_at(&modes[m], k, &status);
			if (status < SURVIVED || status > AFTER)
				break;
			seen[status - SURVIVED]++;
		}
	printf("failures before the rename: %d, after: %d\n", seen[1], seen[2]);
	check(seen[0] == MODES && seen[1] >= 5 * (int)MODES && seen[2] > 10);
}

/* What the world really does: full disk, size limit, reader gone. */
static int
full_child(void *arg)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	dup2(fd, 1);
	return toy_child(arg) == -DP_EIO && errno == ENOSPC ? 0 : 1;
}

static int
limit_child(void *arg)
{
	struct rlimit old, r;
	bool ok;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	r = old;
	r.rlim_cur = 100;
	setrlimit(RLIMIT_FSIZE, &r);
	ok = toy_child(arg) == -DP_EIO && errno == EFBIG;
	/* "make cover" writes files too */
	return setrlimit(RLIMIT_FSIZE, &old) == 0 && ok ? 0 : 1;
}

static int
gone_child(void *arg)
{
	int fd[2];

	if (pipe(fd) != 0)
		return 2;
	close(fd[0]);
	dup2(fd[1], 1);
	return toy_child(arg) == -DP_EIO && errno == EPIPE ? 0 : 1;
}

static void
test_real_failures(void)
{
	struct toy y = modes[0];
	struct dp_buf before = { 0 }, after = { 0 }, b = { 0 };
	struct ledger l = { 0 };

	check(begin(&y));
	check(slurp("S", &before));
	check(grab(limit_child, &y, &b) == 0);
	check(b.n == 0);
	check(slurp("S", &after) && same(&before, &after));
	check(access("S.tmp", F_OK) != 0);
	/* Output fails: the commit stands, the next run prints it. */
	check(grab(full_child, &y, &b) == 0);
	check(slurp("S", &after) && !same(&before, &after));
	check(grab(gone_child, &y, &b) == 0);
	end(&y, &l);
	dp_buf_free(&before);
	dp_buf_free(&after);
	dp_buf_free(&b);
}

/* A reader that is slow, on a nonblocking pipe: waited for, nothing torn. */
static int
slow_child(void *arg)
{
	int flags = fcntl(1, F_GETFL);

	if (fcntl(1, F_SETFL, flags | O_NONBLOCK) != 0)
		return 2;
	return toy_child(arg);
}

static void
test_nonblocking(void)
{
	struct toy y = { .rule = { .path = "S" }, .steps = TOY_MAX,
	    .group = TOY_MAX };	/* 3 pipes full */
	struct dp_buf b = { 0 };
	struct ledger l = { 0 };
	int i;

	for (i = 0; i < 2; i++) {
		y.pad = i == 0 ? 3000 : 6000;	/* then a line is more than one piece */
		check(begin(&y));
		check(grab(slow_child, &y, &b) == 0);
		ledger_add(&l, &b, false);
		check(ledger_close(&l, y.steps));
	}
	dp_buf_free(&b);
}

int
main(void)
{
	char dir[32];

	if (!toy_enter(dir, true)) {
		perror(dir);
		return 1;
	}
	test_deaths();
	test_two_deaths();
	test_sinks();
	test_init_deaths();
	test_failures();
	test_real_failures();
	test_nonblocking();
	toy_leave(dir);
	return done();
}
