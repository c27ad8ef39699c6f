/* SPDX-License-Identifier: ISC */
/*
 * t_stateorder.c - what is made durable before what is let out or forgotten.
 *
 * A missing fsync shows only when the power fails, which no test can do; so
 * this one stands in front of the C library's fsync, fdatasync and renameat
 * and asserts the order of all effects.
 */
#include <stdio.h>
#include <sys/syscall.h>

#include "statetoy.h"

/* o: output, f: S.tmp or S, r: rename, d: directory, w: witness; e: emit,
 * and a full stop at the end of each redo and commit. */
static char order[64];
static ino_t out_inode;

static void
note(char c)
{
	size_t n = strlen(order);

	if (n + 1 < sizeof order) {
		order[n] = c;
		order[n + 1] = '\0';
	}
}

int
fsync(int fd)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		note('?');
	else if (S_ISDIR(st.st_mode))
		note('d');
	else
		note(st.st_ino == out_inode ? 'o' : 'f');
	return (int)syscall(SYS_fsync, fd);
}

int
fdatasync(int fd)
{
	note('w');
	return (int)syscall(SYS_fdatasync, fd);
}

int
renameat(int a, const char *from, int b, const char *to)
{
	note('r');
	return (int)syscall(SYS_renameat, a, from, b, to);
}

struct ordering {
	struct dp_state_rule rule;
	bool regular;			/* standard output is a file */
	bool annexes;			/* files beside it */
	unsigned commits;
	int die;			/* at this point, or -1 */
	const char *want;
};

static int
at_order(void *arg, enum dp_state_point p)
{
	const struct ordering *o = arg;

	if ((int)p == o->die)
		child_exit(strcmp(order, o->want) == 0 ? TOY_DIED : 5);
	if (p == DP_AT_EMIT)
		note('e');
	if (p == DP_AT_END)
		note('.');
	return 0;
}

static int
order_child(void *arg)
{
	struct ordering *o = arg;
	const struct toy y = { .rule = o->rule, .steps = 9, .group = 2,
	    .stage = o->annexes, .table = o->annexes };
	struct dp_state *s;
	char why[DP_STATE_WHY];
	struct stat st;
	unsigned i, t = 0;

	if (o->regular)
		dup2(open("B", O_WRONLY | O_CREAT | O_CLOEXEC, 0600), 1);
	if (dp_state_open(&s, &y.rule, why) != 0 || fstat(1, &st) != 0 ||
	    (y.rule.out != NULL && stat(y.rule.out, &st) != 0))
		return 2;
	out_inode = st.st_ino;
	s->hook = (struct dp_state_hook){ at_order, o };
	order[0] = '\0';
	if (dp_state_redo(s, false, why) != 0)
		return 3;
	for (i = 0; i < o->commits; i++)
		if (toy_group(&y, s, &t, why) != 0)
			return 3;
	dp_state_free(s);
	return strcmp(order, o->want) == 0 ? 0 : 4;
}

static int
run(struct dp_state_rule rule, bool regular, unsigned commits, int die,
    const char *want)
{
	struct ordering o = { rule, regular, false, commits, die, want };
	struct dp_buf b = { 0 };
	int status;

	status = grab(order_child, &o, &b);
	dp_buf_free(&b);
	return status;
}

static bool
begin(struct dp_state_rule rule)
{
	toy_clean();
	return toy_init(&rule, (struct dp_state_hook){ 0 }) == 0;
}

static int
init_child(void *arg)
{
	struct ordering *o = arg;

	order[0] = '\0';
	if (toy_init(&o->rule, (struct dp_state_hook){ at_order, o }) != 0)
		return 3;
	return strcmp(order, o->want) == 0 ? 0 : 4;
}

int
main(void)
{
	const struct dp_state_rule plain = { .path = "S" };
	const struct dp_state_rule file = { .path = "S", .out = "O" };
	const struct dp_state_rule all = { .path = "S", .out = "O",
	    .witness = "W" };
	/* Directories of O and W, which init makes, before S is there. */
	struct ordering made = { all, false, false, 0, -1, "ddfrdw" };
	struct ordering beside = { plain, false, true, 2, -1, "fd.ffdfrde.ffdfrde." };
	struct dp_buf b = { 0 };
	char dir[32];

	if (!toy_enter(dir, false)) {
		perror(dir);
		return 1;
	}
	check(grab(init_child, &made, &b) == 0);
	dp_buf_free(&b);
	/* On a pipe nothing can be settled; in a file it must be. */
	check(begin(plain) && run(plain, false, 2, -1, "fd.frde.frde.") == 0);
	check(begin(plain) && run(plain, true, 2, -1, "fd.frde.ofrde.") == 0);
	check(begin(file) && run(file, false, 2, -1, "fd.frde.ofrde.") == 0);
	check(begin(all) && run(all, false, 2, -1, "fdw.frdwe.ofrdwe.") == 0);
	/* What is appended, and the names of new files, before the state that counts them. */
	check(begin(plain) && grab(order_child, &beside, &b) == 0);
	dp_buf_free(&b);
	/*
	 * Dead between rename and directory fsync, before the witness, before
	 * the output: redo does all of these before it lets anything out, and what it has let out
	 * is settled before S forgets it.
	 */
	check(begin(all) && run(all, false, 1, DP_AT_SYNC_DIR, "fdw.fr") ==
	    TOY_DIED);
	check(run(all, false, 0, -1, "fdweofrdw.") == 0);
	check(begin(all) && run(all, false, 1, DP_AT_EMIT, "fdw.frdw") ==
	    TOY_DIED);
	check(run(all, false, 1, -1, "fdweofrdw.ofrdwe.") == 0);
	toy_leave(dir);
	return done();
}
