/*
 * session.c - a run that goes on from a state file.
 *
 * head: the job, public (job.h).
 * body: steps taken, the mechanism's columns, open buckets, users (session_body.c).  Pan-private:
 * nothing but what the theorem allows (steps, columns, what was printed); no count of lines, no
 * hash of the input.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask/options_table.h"
#include "job.h"
#include "lines.h"

volatile sig_atomic_t dp_session_signal;

/* A signal just before a blocking read(2) would wait for the next line: a second one follows. */
static void
on_signal(int s)
{
	if (s != SIGALRM)
		dp_session_signal = s;
	alarm(1);
}

/* Signals ignored at the start (nohup) stay so. */
int
dp_session_catch(struct dp_run *r)
{
	static const int stop[] = { SIGTERM, SIGINT, SIGHUP };
	const struct sigaction sa = { .sa_handler = on_signal }, ignore = { .sa_handler = SIG_IGN };
	struct sigaction old;
	size_t i;

	if (sigaction(SIGPIPE, &ignore, &old) != 0 || sigaction(SIGALRM, &sa, NULL) != 0)
		return DP_EIO;
	r->kept.no_sigpipe = old.sa_handler == SIG_IGN;
	for (i = 0; i < sizeof stop / sizeof *stop; i++)
		if (sigaction(stop[i], NULL, &old) != 0 ||
		    (old.sa_handler != SIG_IGN && sigaction(stop[i], &sa, NULL) != 0))
			return DP_EIO;
	return 0;
}

void
dp_session_die_of(int s)
{
	signal(s, SIG_DFL);
	raise(s);
}

/* Of an error of the state module, which has said why. */
static int
status_of(int e)
{
	switch (e) {
	case DP_ESTATE:
		return DP_EX_STATE;
	case DP_EBUSY:
		return DP_EX_BUSY;
	case DP_EINVAL:		/* a path where no such file can be */
		return DP_EX_USAGE;
	default:
		return DP_EX_SYSTEM;
	}
}

_Noreturn void
dp_session_fail(const struct dp_run *r, int e, const char *why)
{
	int code = errno;

	if (e == DP_EIO && code == EPIPE && r != NULL && !r->kept.no_sigpipe)
		dp_session_die_of(SIGPIPE);	/* the reader left: quiet, like any filter */
	if (e == DP_EIO && code == EINTR && dp_session_signal != 0)
		dp_session_die_of(dp_session_signal);	/* the reader does not read: so too */
	dp_die(why == NULL ? DP_EX_SYSTEM : status_of(e), "%s",
	    why != NULL ? why : e == DP_EIO ? strerror(code) : dp_strerror(e));
}

_Noreturn void
dp_run_fail(const struct dp_run *r, int e)
{
	if (r->kept.state != NULL)
		dp_session_fail(r, e, NULL);
	dp_die(DP_EX_SYSTEM, "%s", e == DP_EIO ? strerror(errno) : dp_strerror(e));
}

struct dp_state_rule
dp_session_rule(const struct dp_options *o)
{
	return (struct dp_state_rule){ .path = o->keep.state, .out = o->keep.out,
	    .witness = o->keep.witness,
	    .keep = o->keep.batch != NULL, .stop = &dp_session_signal };
}

/* Estimates printed elsewhere would be missing in the file for ever: no step is released twice. */
static void
same_out(const struct dp_options *o, const struct dp_stateform *f)
{
	if (o->keep.out == NULL && f->outlen > 0)
		dp_die(DP_EX_STATE, "%s: has written %llu bytes to a file, which would lack what "
		    "this run prints; give it in every run: --out=FILE", o->keep.state,
		    (unsigned long long)f->outlen);
}

void
dp_session_open(struct dp_run *r, struct dp_options *o)
{
	char why[DP_STATE_WHY] = "";
	struct dp_state_rule rule;
	int e;

	if (o->keep.state == NULL || o->keep.init)
		return;
	rule = dp_session_rule(o);
	e = o->print.explain != DP_EXPLAIN_NO ? dp_state_peek(&r->kept.state, o->keep.state, why) :
	    dp_state_open(&r->kept.state, &rule, why);
	if (e != 0)
		dp_session_fail(r, e, why);
	dp_job_adopt(r, o, dp_state_form(r->kept.state)->head.p);
	if (o->print.explain == DP_EXPLAIN_NO)
		same_out(o, dp_state_form(r->kept.state));
}

/* True: kept is L1 L2^2 COLUMNS, each no less than now. */
static bool
charged_more(const char *kept, const struct dp_privacy *now)
{
	unsigned long long l1, l2squared;
	unsigned columns;
	char more;

	return sscanf(kept, "%llu %llu %u%c", &l1, &l2squared, &columns, &more) == 3 &&
	    l1 >= now->l1 && l2squared >= now->l2squared && columns >= now->columns && !now->wide;
}

void
dp_session_moves(const struct dp_run *r)
{
	const struct dp_options *o = r->o;
	char now[DP_MOVES_TEXT];

	if (o->keep.state == NULL || o->keep.init)
		return;
	dp_job_moves(now, &r->setting.privacy);
	if (strcmp(now, r->kept.moves) == 0)
		return;
	if (!o->keep.change && charged_more(r->kept.moves, &r->setting.privacy))
		dp_die(DP_EX_STATE, "%s: an earlier version charged more for these options: "
		    "start another state file", o->keep.state);
	dp_die(DP_EX_STATE, "%s: with these options one event counts for another amount than "
	    "the state file's noise was planned for", o->keep.state);
}

/* The number in a line "KEY N" of the body, or 0. */
static uint64_t
body_number(struct dp_slice body, const char *key, int base)
{
	const size_t n = strlen(key);
	const char *p = body.p, *end = body.p + body.n, *nl;

	for (; p < end && (nl = memchr(p, '\n', (size_t)(end - p))) != NULL; p = nl + 1)
		if ((size_t)(nl - p) > n && memcmp(p, key, n) == 0 && p[n] == ' ')
			return strtoull(p + n + 1, NULL, base);
	return 0;
}

uint64_t
dp_session_step(const struct dp_run *r)
{
	return body_number(dp_state_form(r->kept.state)->body, "step", 10);
}

bool
dp_session_next_bucket(const struct dp_run *r, int64_t *t)
{
	const struct dp_slice body = dp_state_form(r->kept.state)->body;
	const uint64_t next = body_number(body, "next", 16);

	memcpy(t, &next, sizeof *t);
	return dp_session_step(r) > 0 && dp_options_timed(r->o);
}

static void
show_time(const char *what, const struct dp_options *o, bool any, int64_t t)
{
	char time[DP_WHEN_TEXT + 1] = "-";

	if (any)
		*dp_when_put(time, t, o->time.span.zone) = '\0';
	printf("%s %s\n", what, time);
}

/* "step N", what is left, which bucket was the last, and which is next: all of it is public. */
static void
show_steps(const struct dp_run *r)
{
	const struct dp_options *o = r->o;
	const uint64_t step = dp_session_step(r);
	int64_t t;
	const bool any = dp_session_next_bucket(r, &t);

	printf("step %llu\n", (unsigned long long)step);
	if (o->horizon != 0 && step <= o->horizon)
		printf("left %llu\n", (unsigned long long)(o->horizon - step));
	else
		printf("left -\n");
	show_time("last-bucket", o, any, any ? dp_span_floor(&o->time.span, t - 1) : 0);
	show_time("next-bucket", o, any, t);
}

/* Its lines; of the plan's numbers only how many there are. */
static void
show_head(const char *head)
{
	static const char old[] = "params ", numbers[] = DP_NUMBERS_PREFIX;
	const char *end, *c;
	unsigned n = 0;

	for (; *head != '\0'; head = end + 1) {
		end = strchr(head, '\n');
		if (strncmp(head, old, strlen(old)) != 0 &&
		    strncmp(head, numbers, strlen(numbers)) != 0)
			printf("%.*s\n", (int)(end - head), head);
		else
			for (c = head; c < end; c++)
				n += *c == ' ' || *c == '/';
	}
	printf("params of %u numbers\n", n);
}

int
dp_session_show(struct dp_options *o, const struct dp_tool *tool)
{
	static struct dp_run r;
	char why[DP_STATE_WHY] = "";
	const struct dp_stateform *f;
	struct dp_buf job = { .n = 0 };
	const char *head;
	int e;

	if (o->keep.state == NULL)
		dp_die(DP_EX_USAGE, "--state-show needs --state");
	if (o->keep.init || o->keep.move != NULL)
		dp_die(DP_EX_USAGE, "--init, --state-move and --state-show do not go together");
	if ((e = dp_state_peek(&r.kept.state, o->keep.state, why)) != 0)
		dp_session_fail(NULL, e, why);
	f = dp_state_form(r.kept.state);
	head = f->head.p;
	if (dp_job_renew(&job, f->head.p, why) == 0 && (dp_buf_add(&job, "", 1), job.error == 0))
		head = job.p;
	show_head(head);
	printf("generation %llu\nbatch %s\n", (unsigned long long)f->generation,
	    f->batch[0] == '\0' ? "-" : f->batch);
	if (f->moved)
		printf("moved\n");
	else {
		r.o = o;
		r.tool = tool;
		if (head == job.p)
			dp_job_show(o, head);
		show_steps(&r);
	}
	dp_state_free(r.kept.state);
	dp_buf_free(&job);
	return dp_close_stdout();
}

/* All options that go with it. */
static void
check_move(const struct dp_options *o, const struct dp_tool *tool)
{
	int c;

	for (c = 0; c < DP_OPTION_CODES; c++)
		if (o->given[c] && c != OPT_MOVE && c != OPT_STATE && c != OPT_WITNESS && c != 'q')
			dp_die(DP_EX_USAGE, "--state-move: --%s does not go with it",
			    dp_table_name(c, tool->own));
	if (o->keep.state == NULL)
		dp_die(DP_EX_USAGE, "--state-move needs --state");
	if (o->operands.n != 1 || strcmp(o->operands.file[0], "-") != 0)
		dp_die(DP_EX_USAGE, "--state-move reads no data; '%s' is too much",
		    o->operands.file[0]);
}

int
dp_session_move(const struct dp_options *o, const struct dp_tool *tool)
{
	struct dp_state_rule rule = { .path = o->keep.state, .witness = o->keep.witness,
	    .move = true };
	char why[DP_STATE_WHY] = "";
	struct dp_state *s;
	int e;

	check_move(o, tool);
	if ((e = dp_state_open(&s, &rule, why)) != 0)
		dp_session_fail(NULL, e, why);
	dp_job_tool(o, tool, dp_state_form(s)->head.p);
	if ((e = dp_state_move(s, o->keep.move, why)) != 0)
		dp_session_fail(NULL, e, why);
	dp_state_free(s);
	return DP_EX_OK;
}
