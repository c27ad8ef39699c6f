/* SPDX-License-Identifier: ISC */
/*
 * t_statebatch.c - batches, owed output, calls out of turn, and descriptors.
 */
#include <stdio.h>

#include "statetoy.h"

static const struct dp_state_hook none;
static const struct dp_state_rule plain = { .path = "S" };
static const struct dp_state_rule batch = { .path = "S", .keep = true };
static const struct dp_state_rule batch_file = { .path = "S", .out = "O",
    .keep = true };

/* A run in a few words, in a child; what it prints is compared. */
struct run {
	const struct dp_state_rule *rule;
	const char *begin;		/* batch to begin, or NULL */
	const char *out[4];		/* a commit each; "": n = 0 */
	bool again;
	int want;			/* of redo */
};

static int
run_child(void *arg)
{
	const struct run *r = arg;
	char why[DP_STATE_WHY];
	struct dp_buf body = { 0 };
	struct dp_state *s;
	size_t i;
	int e, status = 0;

	if (dp_state_open(&s, r->rule, why) != 0)
		return 2;
	e = dp_state_redo(s, r->again, why);
	if (e != r->want)
		status = 3;
	if (e == 0 && r->begin != NULL && dp_state_begin_batch(s, r->begin) != 0)
		status = 4;
	for (i = 0; e == 0 && i < 4 && r->out[i] != NULL; i++)
		if (dp_state_commit(s, &body, r->out[i], strlen(r->out[i]),
		    why) != 0)
			status = 5;
	dp_state_free(s);
	return status;
}

/* The run is as it should be, and prints this: prints("1\n", .rule = ...). */
#define prints(text, ...)	run_prints(&(struct run){ __VA_ARGS__ }, text)

static bool
run_prints(const struct run *r, const char *text)
{
	struct run copy = *r;
	struct dp_buf b = { 0 };
	int status = grab(run_child, &copy, &b);
	bool ok = status == 0 && b.n == strlen(text) &&
	    (b.n == 0 || memcmp(b.p, text, b.n) == 0);

	if (!ok)
		printf("%d, printed \"%.*s\", not \"%s\"\n", status, (int)b.n,
		    b.p != NULL ? b.p : "", text);
	dp_buf_free(&b);
	return ok;
}

/* Does S hold this record, this much of it settled, in this batch? */
static bool
holds(const char *record, size_t settled, const char *id)
{
	char why[DP_STATE_WHY];
	struct dp_slice r;
	struct dp_state *s;
	bool ok;

	if (dp_state_peek(&s, "S", why) != 0)
		return false;
	r = s->form.record;
	ok = r.n == strlen(record) &&
	    (r.n == 0 || memcmp(r.p, record, r.n) == 0) &&
	    s->form.settled == settled &&
	    strcmp(s->form.batch, id) == 0;
	dp_state_free(s);
	return ok;
}

static void
start(const struct dp_state_rule *rule)
{
	toy_clean();
	check(toy_init(rule, none) == 0);
}

static void
test_owed(void)
{
	start(&plain);
	check(prints("1\n2\n", .rule = &plain, .out = { "1\n", "2\n" }));
	check(holds("2\n", 0, ""));
	/* No last commit: as far as S knows, that may not have come out.  Redo says that it has. */
	check(prints("2\n", .rule = &plain));
	check(holds("2\n", 2, ""));
	check(prints("3\n", .rule = &plain, .out = { "3\n", "" }));
	check(holds("", 0, ""));
	check(prints("", .rule = &plain));
	check(prints("", .rule = &plain, .again = true, .want = DP_ESTATE));
}

static void
test_batches(void)
{
	start(&batch);
	check(prints("1\n2\n", .rule = &batch, .begin = "b1",
	    .out = { "1\n", "2\n" }));
	check(holds("1\n2\n", 2, "b1"));
	check(prints("2\n3\n", .rule = &batch, .out = { "3\n", "" }));
	check(holds("1\n2\n3\n", 6, "b1"));
	/* Asked for again: the same, as often as you like, nothing new. */
	check(prints("1\n2\n3\n", .rule = &batch, .again = true));
	check(prints("1\n2\n3\n", .rule = &batch, .again = true));
	check(prints("", .rule = &batch));
	check(prints("4\n", .rule = &batch, .begin = "b2",
	    .out = { "4\n", "" }));
	check(holds("4\n", 2, "b2"));
	/* A batch with no output at all is one too. */
	check(prints("", .rule = &batch, .begin = "b3", .out = { "" }));
	check(holds("", 0, "b3"));
	check(prints("", .rule = &batch, .again = true));
	/* Its last commit missing: owed to whoever comes next, but to one run only. */
	check(prints("7\n", .rule = &batch, .begin = "b3a", .out = { "7\n" }));
	check(holds("7\n", 0, "b3a"));
	check(prints("7\n", .rule = &batch, .again = true));
	check(holds("7\n", 2, "b3a"));
	check(prints("7\n", .rule = &batch, .again = true));
	check(prints("8\n", .rule = &batch, .begin = "b3b", .out = { "8\n" }));
	check(prints("8\n", .rule = &plain));
	check(prints("8\n", .rule = &batch, .again = true));
	check(prints("", .rule = &batch));
	/* A run outside: the id stays, the output does not. */
	check(prints("5\n", .rule = &batch, .begin = "b4",
	    .out = { "5\n", "" }));
	check(prints("6\n", .rule = &plain, .out = { "6\n", "" }));
	check(holds("", 0, "b4"));
	check(prints("", .rule = &batch, .again = true, .want = DP_ESTATE));
	check(prints("7\n", .rule = &batch, .begin = "b5",
	    .out = { "7\n", "" }));
	check(holds("7\n", 2, "b5"));
}

static void
test_batch_file(void)
{
	struct dp_buf b = { 0 };
	int i;

	start(&batch_file);
	check(prints("", .rule = &batch_file, .begin = "b1",
	    .out = { "1\n", "2\n" }));
	check(truncate("O", 3) == 0);
	for (i = 0; i < 3; i++) {
		check(prints("", .rule = &batch_file, .again = true));
		check(slurp("O", &b) && b.n == 4 &&
		    memcmp(b.p, "1\n2\n", 4) == 0);
	}
	check(prints("", .rule = &batch_file, .begin = "b2",
	    .out = { "3\n", "" }));
	check(holds("3\n", 2, "b2"));
	check(slurp("O", &b) && b.n == 6 && memcmp(b.p, "1\n2\n3\n", 6) == 0);
	/* On standard output for once; the file goes on where it was. */
	check(prints("3\n", .rule = &batch, .again = true));
	check(prints("4\n", .rule = &batch, .begin = "b3",
	    .out = { "4\n", "" }));
	check(prints("", .rule = &batch_file, .again = true));
	check(slurp("O", &b) && b.n == 6 && memcmp(b.p, "1\n2\n3\n", 6) == 0);
	check(prints("", .rule = &batch_file, .begin = "b4",
	    .out = { "5\n", "" }));
	check(slurp("O", &b) && b.n == 8 &&
	    memcmp(b.p, "1\n2\n3\n5\n", 8) == 0);
	dp_buf_free(&b);
}

/* Stopped, and the reader takes nothing any more: commits go on, and their output is owed. */
static volatile sig_atomic_t stop;

static void
fill_pipe(void)
{
	char p[4096] = { 0 };
	int fd[2];

	if (pipe2(fd, O_NONBLOCK) != 0)
		child_exit(9);
	while (write(fd[1], p, sizeof p) > 0)
		;
	fcntl(fd[1], F_SETFL, 0);
	dup2(fd[1], 1);
}

static int
stopped_child(void *arg)
{
	struct dp_state_rule rule = *(const struct dp_state_rule *)arg;
	char why[DP_STATE_WHY];
	struct dp_buf body = { 0 };
	struct dp_state *s;

	rule.stop = &stop;
	if (dp_state_open(&s, &rule, why) != 0 || dp_state_redo(s, false, why) != 0 ||
	    (rule.keep && dp_state_begin_batch(s, "b") != 0) ||
	    dp_state_commit(s, &body, "1\n", 2, why) != 0)
		return 2;
	stop = 1;		/* what can be taken is */
	if (dp_state_commit(s, &body, "2\n", 2, why) != 0)
		return 5;
	fill_pipe();
	if (dp_state_commit(s, &body, "3\n", 2, why) != 0 ||
	    dp_state_commit(s, &body, "4\n", 2, why) != 0 ||
	    dp_state_commit(s, &body, "", 0, why) != 0)
		return 3;
	dp_state_free(s);
	return dp_state_open(&s, &rule, why) == 0 && dp_state_redo(s, false, why) == DP_EIO &&
	    errno == EINTR ? 0 : 4;
}

static void
test_stopped(void)
{
	struct dp_state_rule a = plain, c = batch;
	struct dp_buf b = { 0 };

	start(&plain);
	check(grab(stopped_child, &a, &b) == 0 && b.n == 4);
	check(holds("3\n4\n", 0, ""));
	check(prints("3\n4\n5\n", .rule = &plain, .out = { "5\n", "" }));
	start(&batch);
	check(grab(stopped_child, &c, &b) == 0 && b.n == 4);
	check(holds("1\n2\n3\n4\n", 4, "b"));
	check(prints("1\n2\n3\n4\n", .rule = &batch, .again = true));
	check(holds("1\n2\n3\n4\n", 8, "b"));
	check(prints("5\n", .rule = &batch, .out = { "5\n", "" }));
	check(holds("1\n2\n3\n4\n5\n", 10, "b"));
	dp_buf_free(&b);
}

static void
test_ids(void)
{
	char why[DP_STATE_WHY], longest[DP_STATE_ID + 2];
	struct dp_buf body = { 0 };
	struct dp_state *s;

	start(&batch_file);
	memset(longest, 'x', sizeof longest);
	longest[DP_STATE_ID + 1] = '\0';
	check(dp_state_open(&s, &batch_file, why) == 0);
	check(dp_state_begin_batch(s, "b") == DP_EINVAL);	/* no redo */
	check(dp_state_commit(s, &body, "", 0, why) == DP_EINVAL);
	check(dp_state_redo(s, false, why) == 0);
	check(dp_state_commit(s, &body, "", 0, why) == DP_EINVAL); /* no id */
	check(dp_state_begin_batch(s, "") == DP_EINVAL);
	check(dp_state_begin_batch(s, "-") == DP_EINVAL);
	check(dp_state_begin_batch(s, "a b") == DP_EINVAL);
	check(dp_state_begin_batch(s, "\x7f") == DP_EINVAL);
	check(dp_state_begin_batch(s, "\xc3\xa9") == DP_EINVAL);
	check(dp_state_begin_batch(s, longest) == DP_EINVAL);
	longest[DP_STATE_ID] = '\0';
	check(dp_state_begin_batch(s, longest) == 0);
	check(strcmp(s->form.batch, "") == 0);
	check(dp_state_commit(s, &body, "no newline", 10, why) == DP_EINVAL);
	check(dp_state_commit(s, &body, "1\n", 2, why) == 0);
	check(strcmp(s->form.batch, longest) == 0);
	check(dp_state_redo(s, false, why) == 0);
	check(dp_state_redo(s, true, why) == DP_EINVAL);
	dp_state_free(s);
	start(&plain);
	check(dp_state_open(&s, &plain, why) == 0);
	check(dp_state_commit(s, &body, "1\n", 2, why) == DP_EINVAL);
	check(dp_state_redo(s, false, why) == 0);
	check(dp_state_begin_batch(s, "b") == DP_EINVAL);	/* not kept */
	dp_state_free(s);
}

/* Neither is read: both lengths are a lie, or the failure is there already. */
static void
test_refused_bodies(void)
{
	char why[DP_STATE_WHY];
	struct dp_buf huge = { why, DP_STATE_MAX, DP_STATE_MAX, 0 };
	struct dp_buf lost = { NULL, 0, 0, DP_ENOMEM };
	struct dp_buf before = { 0 }, after = { 0 }, body = { 0 };
	struct dp_stateform f;
	struct dp_state *s;

	start(&batch);
	check(slurp("S", &before));
	check(dp_state_open(&s, &batch, why) == 0);
	check(dp_state_redo(s, false, why) == 0);
	check(dp_state_begin_batch(s, "b") == 0);
	f = s->form;
	f.record.n = DP_STATE_MAX;
	check(dp_state_replace(s, &f, why) == DP_ERANGE);
	f = s->form;
	f.head.n = DP_STATE_MAX;
	check(dp_state_replace(s, &f, why) == DP_ERANGE);
	check(dp_state_commit(s, &huge, "1\n", 2, why) == DP_ERANGE);
	check(dp_state_begin_batch(s, "b") == DP_EINVAL);
	check(dp_state_commit(s, &body, "1\n", 2, why) == DP_EIO);
	dp_state_free(s);
	check(dp_state_open(&s, &plain, why) == 0);
	check(dp_state_redo(s, false, why) == 0);
	check(dp_state_commit(s, &lost, "1\n", 2, why) == DP_ENOMEM);
	dp_state_free(s);
	check(slurp("S", &after) && same(&before, &after));
	dp_buf_free(&before);
	dp_buf_free(&after);
}

/* 2 is closed: no file of ours takes its place and gets the messages. */
static int
closed_two_child(void *arg)
{
	struct run r = { .rule = &batch_file, .begin = "b", .out = { "1\n" } };

	(void)arg;
	close(0);
	close(2);
	if (run_child(&r) != 0)
		return 1;
	return fcntl(0, F_GETFD) < 0 && fcntl(2, F_GETFD) < 0 ? 0 : 2;
}

static int
closed_one_child(void *arg)
{
	char why[DP_STATE_WHY];
	struct dp_state *s;

	(void)arg;
	close(1);
	return dp_state_open(&s, &plain, why) == DP_EIO && errno == EBADF ?
	    0 : 1;
}

/* While a state is open and in its commit, nothing of it is on 0 to 2. */
static int
at_low(void *arg, enum dp_state_point p)
{
	(void)arg;
	(void)p;
	if (fcntl(0, F_GETFD) >= 0 || fcntl(2, F_GETFD) >= 0)
		child_exit(7);
	return 0;
}

static int
low_child(void *arg)
{
	struct toy y = { .rule = { .path = "S", .out = "O" }, .steps = 3,
	    .group = 2, .hook = { at_low, NULL } };

	(void)arg;
	close(0);
	close(2);
	return toy_child(&y);
}

static void
test_descriptors(void)
{
	struct dp_buf b = { 0 };

	start(&batch_file);
	check(grab(closed_two_child, NULL, &b) == 0);
	check(grab(closed_one_child, NULL, &b) == 0);
	start(&(struct dp_state_rule){ .path = "S", .out = "O" });
	check(grab(low_child, NULL, &b) == 0);
	dp_buf_free(&b);
}

#define LINES	5
#define WIDTH	40000		/* of a line: two are more than S holds */

/* The batch again, in which k-th file beside S was harmed or not. */
static int
again_child(void *arg)
{
	const int *want = arg;
	char why[DP_STATE_WHY];
	struct dp_state *s;
	int e;

	if ((e = dp_state_open(&s, &batch, why)) == 0) {
		e = dp_state_redo(s, true, why);
		dp_state_free(s);
	}
	return e == *want ? 0 : 1;
}

static int
long_child(void *arg)
{
	static char line[WIDTH];
	char why[DP_STATE_WHY];
	struct dp_buf body = { 0 };
	struct dp_state *s;
	int i, e;

	(void)arg;
	if (dp_state_open(&s, &batch, why) != 0 || dp_state_redo(s, false, why) != 0 ||
	    dp_state_begin_batch(s, "long") != 0)
		return 1;
	for (e = 0, i = 0; e == 0 && i < LINES; i++) {
		memset(line, 'a' + i, WIDTH - 1);
		line[WIDTH - 1] = '\n';
		e = dp_state_commit(s, &body, line, WIDTH, why);
	}
	e = e != 0 ? e : dp_state_commit(s, &body, NULL, 0, why);
	dp_state_free(s);
	return -e;
}

/* What of a batch does not fit into S is beside it, once, and S stays small. */
static void
test_long(void)
{
	const int fine = 0, refused = DP_ESTATE;
	struct dp_buf first = { 0 }, b = { 0 }, kept = { 0 }, state = { 0 };
	char c;

	start(&batch);
	check(grab(long_child, NULL, &first) == 0 && first.n == LINES * WIDTH);
	check(slurp("S", &state) && state.n < 2 * WIDTH + 1000);
	check(slurp("S.old0", &kept) && kept.n > 2 * WIDTH && access("S.old1", F_OK) != 0);
	check(grab(again_child, (void *)&fine, &b) == 0 && same(&first, &b));
	/* what a dead run appended is nobody's */
	check(spill("S.old0", kept.p, kept.n, 0) && truncate("S.old0", (off_t)kept.n + 9) == 0);
	check(grab(again_child, (void *)&fine, &b) == 0 && same(&first, &b));
	check(slurp("S.old0", &b) && same(&kept, &b));
	/* damaged, cut short, missing: refused, and nothing is printed */
	c = kept.p[kept.n / 2];
	kept.p[kept.n / 2] = '!';
	check(spill("S.old0", kept.p, kept.n, 0));
	check(grab(again_child, (void *)&refused, &b) == 0 && b.n == 0);
	kept.p[kept.n / 2] = c;
	check(spill("S.old0", kept.p, kept.n - 1, 0));
	check(grab(again_child, (void *)&refused, &b) == 0 && b.n == 0);
	check(unlink("S.old0") == 0);
	check(grab(again_child, (void *)&refused, &b) == 0 && b.n == 0);
	/* put back, as a copy, it is as good; the next batch does not need it, and unlinks it */
	check(spill("S.old0", kept.p, kept.n, O_CREAT));
	check(grab(again_child, (void *)&fine, &b) == 0 && same(&first, &b));
	check(prints("x\n", .rule = &batch, .begin = "next", .out = { "x\n", "" }));
	check(access("S.old0", F_OK) != 0 && holds("x\n", 2, "next"));
	dp_buf_free(&first);
	dp_buf_free(&b);
	dp_buf_free(&kept);
	dp_buf_free(&state);
}

int
main(void)
{
	char dir[32];

	if (!toy_enter(dir, false)) {
		perror(dir);
		return 1;
	}
	test_owed();
	test_batches();
	test_batch_file();
	test_long();
	test_stopped();
	test_ids();
	test_refused_bodies();
	test_descriptors();
	toy_leave(dir);
	return done();
}
