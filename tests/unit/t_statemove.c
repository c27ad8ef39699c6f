/* SPDX-License-Identifier: ISC */
/*
 * t_statemove.c - a state that moves: whenever the move dies or fails, one of the two goes on, and
 * never both; asked for again it comes to its end, and no step has two values.
 */
#include "statetoy.h"

#define EFFECTS_MAX	60

struct countdown {
	int left;		/* effects to live for; < 0: for ever */
	int error;		/* 0: die; else fail this one effect with it */
};

/* With output that is kept, and a table, in files beside them. */
static const struct toy before = { .rule = { .path = "S", .witness = "W", .keep = true },
    .steps = 4, .group = 2, .batch = "b1", .stage = true, .table = true };
static const struct toy after = { .rule = { .path = "d/T", .witness = "W", .keep = true },
    .steps = 8, .group = 2, .batch = "b1", .stage = true, .table = true };

static int
at_countdown(void *arg, enum dp_state_point p)
{
	struct countdown *c = arg;

	if (c->left < 0 || c->left-- > 0 || (c->error != 0 && p == DP_AT_END))
		return 0;
	if (c->error == 0)
		child_exit(TOY_DIED);
	errno = c->error;
	return -1;
}

static int
move_to(const char *to, struct countdown *c, char why[static DP_STATE_WHY])
{
	struct dp_state_rule rule = before.rule;
	struct dp_state *s;
	int e;

	rule.move = true;
	if ((e = dp_state_open(&s, &rule, why)) != 0)
		return e;
	if (c != NULL)
		s->hook = (struct dp_state_hook){ at_countdown, c };
	e = dp_state_move(s, to, why);
	dp_state_free(s);
	return e;
}

static int
move_child(void *arg)
{
	char why[DP_STATE_WHY];

	return -move_to("d/T", arg, why);
}

/* Whether a run on the state at this path would go on. */
static bool
goes_on(const char *path)
{
	struct dp_state_rule rule = { .path = path };
	char why[DP_STATE_WHY];
	struct dp_state *s;

	if (dp_state_open(&s, &rule, why) != 0)
		return false;
	dp_state_free(s);
	return true;
}

static int
run(const struct toy *y, struct ledger *l)
{
	struct dp_buf b = { 0 };
	struct toy copy = *y;
	int status = grab(toy_child, &copy, &b);

	ledger_add(l, &b, false);
	dp_buf_free(&b);
	return status;
}

static void
clean(void)
{
	(void)unlink("d/T");
	(void)unlink("d/T.tmp");
	(void)unlink("d/T.old0");
	(void)unlink("d/T.old1");
	(void)unlink("d/T.tab0");
	(void)unlink("d/T.tab1");
	(void)unlink("d/T.lock");
	(void)unlink("d/U.lock");
	(void)unlink("L.lock");
	toy_clean();
}

/* How the last run before the move left the state, and the witness. */
enum left { WHOLE, LAGS, EMPTY };

static int
at_witness(void *arg, enum dp_state_point p)
{
	int *left = arg;

	if (p == DP_AT_WITNESS && (*left)-- == 0)
		child_exit(TOY_DIED);
	return 0;
}

static int
init_child(void *arg)
{
	return -toy_init(&before.rule, (struct dp_state_hook){ at_witness, arg });
}

/* LAGS: a run died between S and the witness.  EMPTY: --init did. */
static void
start(struct ledger *l, enum left left)
{
	struct toy y = before;
	struct dp_buf b = { 0 };
	int commits = left == LAGS ? 2 : 0;

	clean();
	if (left == EMPTY) {
		check(grab(init_child, &commits, &b) == TOY_DIED);
		dp_buf_free(&b);
		return;
	}
	check(toy_init(&before.rule, (struct dp_state_hook){ 0 }) == 0);
	if (left == LAGS)
		y.hook = (struct dp_state_hook){ at_witness, &commits };
	check(run(&y, l) == (left == LAGS ? TOY_DIED : 0));
}

/* The move has come to its end: S is over, T has the rest. */
static void
ended(struct ledger *l)
{
	char why[DP_STATE_WHY];

	check(!goes_on("S") && goes_on("d/T"));
	check(run(&before, l) == -DP_ESTATE);
	check(toy_init(&before.rule, (struct dp_state_hook){ 0 }) == DP_ESTATE);
	check(run(&after, l) == 0);
	check(ledger_close(l, after.steps));
	check(access("d/T.tmp", F_OK) != 0 && access("S.tmp", F_OK) != 0);
	check(access("S.old0", F_OK) != 0 && access("S.old1", F_OK) != 0);
	check(access("S.tab0", F_OK) != 0 && access("S.tab1", F_OK) != 0);
	check(move_to("d/U", NULL, why) == DP_ESTATE);
}

/* At its k-th effect; the next one at its j-th. */
static int
stop_at(enum left left, int k, int j, int error)
{
	struct countdown c = { k, error }, d = { j, error };
	struct dp_buf b = { 0 };
	struct ledger l = { 0 };
	int first, second;

	start(&l, left);
	first = grab(move_child, &c, &b);
	check(goes_on("S") + goes_on("d/T") <= 1);
	check(goes_on("S") || access("d/T", F_OK) == 0 || access("d/T.tmp", F_OK) == 0);
	second = first != 0 ? grab(move_child, &d, &b) : 0;
	check(goes_on("S") + goes_on("d/T") <= 1);
	if (second != 0) {
		d.left = -1;
		check(grab(move_child, &d, &b) == 0);
	}
	ended(&l);
	dp_buf_free(&b);
	return first != 0 || second != 0;
}

static void
test_stops(void)
{
	enum left left;
	int k, j, all = 0;

	for (k = 0; k < EFFECTS_MAX && stop_at(WHOLE, k, -1, 0); k++)
		for (j = 0; j < EFFECTS_MAX && stop_at(WHOLE, k, j, 0) && j <= k + 1; j++)
			all++;
	for (j = 0; j < EFFECTS_MAX && stop_at(WHOLE, j, -1, ENOSPC); j++)
		all++;
	check(k >= 9 && k < EFFECTS_MAX && j >= 8 && all > 40);
	for (left = LAGS; left <= EMPTY; left++) {
		for (k = 0; k < EFFECTS_MAX && stop_at(left, k, -1, 0); k++)
			all++;
		for (j = 0; j < EFFECTS_MAX && stop_at(left, j, -1, ENOSPC); j++)
			all++;
		check(k >= 9 && k < EFFECTS_MAX && j >= 8);
	}
	printf("moves that died or failed: %d\n", all);
}

/* A copy that stands there already will do, and nothing else. */
static void
test_targets(void)
{
	char why[DP_STATE_WHY];
	struct dp_buf b = { 0 };
	struct ledger l = { 0 };

	start(&l, WHOLE);
	check(move_to("S", NULL, why) == DP_EINVAL && move_to("./S", NULL, why) == DP_EINVAL);
	check(move_to("d/S.tmp", NULL, why) == DP_EINVAL);
	check(move_to("nosuch/T", NULL, why) == DP_EINVAL);
	check(spill("d/T", "x\n", 2, O_CREAT));
	check(move_to("d/T", NULL, why) == DP_ESTATE && goes_on("S"));
	check(slurp("S", &b) && spill("d/T", b.p, b.n, O_CREAT) && !goes_on("d/T"));
	check(move_to("d/T", NULL, why) == 0);
	ended(&l);
	/* a copy of an earlier one will not */
	start(&l, WHOLE);
	check(slurp("S", &b) && spill("d/T", b.p, b.n, O_CREAT));
	check(run(&(struct toy){ .rule = before.rule, .steps = 6, .group = 2, .batch = "b1",
	    .table = true }, &l) == 0);
	check(move_to("d/T", NULL, why) == DP_ESTATE && goes_on("S"));
	check(unlink("d/T") == 0 && move_to("d/T", NULL, why) == 0);
	/* asked for again it is done already; a copy of the stub is no state */
	check(move_to("d/T", NULL, why) == 0);
	ended(&l);
	check(slurp("S", &b) && spill("L", b.p, b.n, O_CREAT) && !goes_on("L"));
	dp_buf_free(&b);
}

int
main(void)
{
	char dir[32];

	if (!toy_enter(dir, true) || mkdir("d", 0700) != 0) {
		perror(dir);
		return 1;
	}
	test_stops();
	test_targets();
	clean();
	check(rmdir("d") == 0);
	toy_leave(dir);
	return done();
}
