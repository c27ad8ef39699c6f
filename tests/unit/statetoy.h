/* SPDX-License-Identifier: ISC */
/*
 * statetoy.h - for t_state*.c: a toy filter whose every step is a fresh random
 * number, so that a step released twice shows as one step with two values.
 */
#ifndef STATETOY_H
#define STATETOY_H

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "store/internal.h"

#define TOY_HEAD	"tool toy\nepsilon 1/2\n"
#define TOY_MAX	64	/* steps in a life */
#define TOY_DIED	99	/* exit status of a child ended by its hook */

struct toy {
	struct dp_state_rule rule;
	unsigned steps, group, pad;	/* pad: make each line longer */
	const char *batch;		/* or NULL */
	bool stage;			/* a group's output in two parts */
	bool table;			/* keep one: a line a step since it was last emptied */
	struct dp_state_hook hook;
};

/* Reads a whole file, or a pipe to its end. */
static inline void
slurp_fd(int fd, struct dp_buf *b)
{
	char p[65536];
	ssize_t n;

	dp_buf_reset(b);
	while ((n = read(fd, p, sizeof p)) > 0)
		dp_buf_add(b, p, (size_t)n);
}

static inline bool
slurp(const char *path, struct dp_buf *b)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	dp_buf_reset(b);
	if (fd < 0)
		return false;
	slurp_fd(fd, b);
	close(fd);
	return true;
}

/* Over the file as it is (same inode), or as a new file. */
static inline bool
spill(const char *path, const void *p, size_t n, int flags)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | flags, 0600);
	bool ok;

	if (fd < 0)
		return false;
	ok = ftruncate(fd, 0) == 0 && pwrite(fd, p, n, 0) == (ssize_t)n;
	close(fd);
	return ok;
}

static inline bool
same(const struct dp_buf *a, const struct dp_buf *b)
{
	return a->n == b->n && (a->n == 0 || memcmp(a->p, b->p, a->n) == 0);
}

/* fn in a child with fd 1 on a pipe: its exit status, and what it printed. */
static inline int
grab(int (*fn)(void *), void *arg, struct dp_buf *printed)
{
	int fd[2], status;
	pid_t pid;

	fflush(stdout);
	if (pipe(fd) != 0 || (pid = fork()) < 0)
		return -1;
	if (pid == 0) {
		dup2(fd[1], 1);
		close(fd[0]);
		close(fd[1]);
		signal(SIGPIPE, SIG_IGN);
		child_exit(fn(arg));
	}
	close(fd[1]);
	slurp_fd(fd[0], printed);
	close(fd[0]);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define NO_HOOK	(struct dp_state_hook){ 0 }

static inline int
toy_create(struct dp_state **out, const struct dp_state_rule *rule, const char *head,
    const struct dp_buf *body, struct dp_state_hook hook, char why[static DP_STATE_WHY])
{
	int e = dp_state_claim(out, rule, strlen(head) + body->n, why);

	if (e != 0)
		return e;
	(*out)->hook = hook;
	if ((e = dp_state_create(*out, head, body, why)) != 0)
		dp_state_free(*out);
	return e;
}

static inline int
toy_init(const struct dp_state_rule *rule, struct dp_state_hook hook)
{
	char why[DP_STATE_WHY], t0[] = "t 0\n";
	struct dp_buf body = { t0, 4, 4, 0 };
	struct dp_state *s;
	int e;

	e = toy_create(&s, rule, TOY_HEAD, &body, hook, why);
	if (e == 0)
		dp_state_free(s);
	return e;
}

static inline void
toy_step(const struct toy *y, unsigned t, struct dp_buf *out)
{
	uint64_t noise;
	unsigned i;

	/* not the C library's, which t_statefail.c has fail */
	if (getentropy(&noise, sizeof noise) != 0)
		_exit(3);
	dp_buf_u64(out, t);
	dp_buf_puts(out, " ");
	for (i = 0; i < y->pad; i++)
		dp_buf_puts(out, "0");
	dp_buf_u64(out, noise);
	dp_buf_puts(out, "\n");
}

#define TOY_LINE	11	/* bytes of a line of the table */

/* Steps of a group to the table, which every third group empties. */
static inline int
toy_table(const struct toy *y, struct dp_state *s, unsigned from, unsigned to, char *why)
{
	char line[TOY_LINE + 1];
	int e = 0;

	if (from % (3 * y->group) == 0)
		e = dp_state_table_begin(s, why);
	for (; e == 0 && from < to; from++) {
		snprintf(line, sizeof line, "%010u\n", from + 1);
		e = dp_state_table_add(s, line, TOY_LINE, why);
	}
	return e;
}

static inline int
toy_take(void *arg, const char *p, size_t n)
{
	struct dp_buf *b = arg;

	dp_buf_add(b, p, n);
	return b->error;
}

/* Does the table hold the steps that the body tells? */
static inline int
toy_read_table(const struct toy *y, struct dp_state *s, unsigned t, char *why)
{
	const unsigned third = 3 * y->group;
	struct dp_buf b = { 0 };
	unsigned i, first = t % third == 0 && t > 0 ? t - third : t / third * third;
	bool ok;
	int e = dp_state_table_read(s, toy_take, &b, why);

	if (e == 0) {
		ok = b.n == dp_state_table(s) && b.n % TOY_LINE == 0;
		/* the last commit of a run, which takes no step, may have emptied it */
		if (t % third == 0 && b.n == 0)
			first = t;
		ok = ok && b.n == (size_t)(t - first) * TOY_LINE;
		for (i = first; ok && i < t; i++)
			ok = strtoul(b.p + (i - first) * TOY_LINE, NULL, 10) == i + 1;
		if (!ok)
			e = dp_state_say(why, DP_ERANGE, "toy", "another table");
	}
	dp_buf_free(&b);
	return e;
}

/* The state, and what it says. */
static inline int
toy_open(const struct toy *y, struct dp_state **s, unsigned *t, char *why)
{
	int e;

	if ((e = dp_state_open(s, &y->rule, why)) != 0)
		return e;
	*t = (unsigned)strtoul((*s)->form.body.p + 2, NULL, 10);
	if (y->table && (e = toy_read_table(y, *s, *t, why)) != 0)
		dp_state_free(*s);
	return e;
}

static inline int
toy_group(const struct toy *y, struct dp_state *s, unsigned *t, char *why)
{
	struct dp_buf out = { 0 }, body = { 0 };
	const unsigned from = *t;
	unsigned i;
	int e = 0;

	for (i = 0; e == 0 && i < y->group && *t < y->steps; i++) {
		toy_step(y, ++*t, &out);
		if (y->stage && i == y->group / 2) {
			e = out.error != 0 ? dp_state_say(why, out.error, "toy", "out of memory") :
			    dp_state_stage(s, out.p, out.n, why);
			dp_buf_reset(&out);
		}
	}
	if (e == 0 && y->table)
		e = toy_table(y, s, from, *t, why);
	dp_buf_puts(&body, "t ");
	dp_buf_u64(&body, *t);
	dp_buf_puts(&body, "\n");
	e = e != 0 ? e : out.error != 0 ? dp_state_say(why, out.error, "toy", "out of memory") :
	    dp_state_commit(s, &body, out.p, out.n, why);
	dp_buf_free(&out);
	dp_buf_free(&body);
	return e;
}

/* One run: from where the last one stopped to the last step. */
static inline int
toy_run(const struct toy *y, char why[static DP_STATE_WHY])
{
	struct dp_state *s;
	unsigned t;
	int e;

	if ((e = toy_open(y, &s, &t, why)) != 0)
		return e;
	s->hook = y->hook;
	e = dp_state_redo(s, false, why);
	if (e == 0 && y->batch != NULL &&
	    strcmp(y->batch, s->form.batch) != 0)
		e = dp_state_begin_batch(s, y->batch);
	while (e == 0 && t < y->steps)
		e = toy_group(y, s, &t, why);
	/* The end: nothing is owed any more. */
	if (e == 0)
		e = toy_group(y, s, &t, why);
	dp_state_free(s);
	return e;
}

/* For grab(): 0, or the error as a small positive number. */
static inline int
toy_child(void *arg)
{
	char why[DP_STATE_WHY];

	return -toy_run(arg, why);
}

/* The adversary, who keeps all that was ever let out. */
struct ledger {
	char *value[TOY_MAX + 1];
	unsigned two, torn, repeated;
};

static inline void
ledger_line(struct ledger *l, const char *p, size_t n)
{
	char *line = strndup(p, n), *v;
	unsigned long t = strtoul(line, &v, 10);

	if (t < 1 || t > TOY_MAX || *v != ' ') {
		l->torn++;
	} else if (l->value[t] == NULL) {
		l->value[t] = strdup(v);
	} else {
		l->repeated++;
		l->two += strcmp(l->value[t], v) != 0;
	}
	free(line);
}

/* tail: an unfinished last line is allowed (--out before the next redo). */
static inline void
ledger_add(struct ledger *l, const struct dp_buf *b, bool tail)
{
	size_t i, n;
	const char *nl;

	for (i = 0; i < b->n; i += n + 1) {
		if ((nl = memchr(b->p + i, '\n', b->n - i)) == NULL) {
			l->torn += !tail;
			return;
		}
		n = (size_t)(nl - (b->p + i));
		ledger_line(l, b->p + i, n);
	}
}

/* Every step there, none with two values, no torn line; and emptied. */
static inline bool
ledger_close(struct ledger *l, unsigned steps)
{
	bool ok = l->two == 0 && l->torn == 0;
	unsigned t;

	for (t = 1; t <= TOY_MAX; t++) {
		ok = ok && (l->value[t] != NULL) == (t <= steps);
		free(l->value[t]);
	}
	*l = (struct ledger){ 0 };
	return ok;
}

/*
 * A new directory to work in.  quick: in memory if that can be had, for tests
 * that commit thousands of times and to whom an fsync says nothing.
 */
static inline bool
toy_enter(char dir[static 32], bool quick)
{
	alarm(3000);		/* a hang is a failure */
	strcpy(dir, "/dev/shm/t_state.XXXXXX");
	if (!quick || mkdtemp(dir) == NULL) {
		strcpy(dir, "/tmp/t_state.XXXXXX");
		if (mkdtemp(dir) == NULL)
			return false;
	}
	return chdir(dir) == 0;
}

static inline void
toy_clean(void)
{
	static const char *const names[] = {
		"S", "S.tmp", "S.lock", "T", "T.lock", "W", "O", "B", "L",
		"T.tmp", "S.old0", "S.old1", "S.tab0", "S.tab1"
	};
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (unlink(names[i]) != 0)
			(void)rmdir(names[i]);
}

static inline void
toy_leave(const char *dir)
{
	toy_clean();
	check(chdir("/") == 0 && rmdir(dir) == 0);
}

#endif
