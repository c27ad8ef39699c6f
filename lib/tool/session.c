/*
 * session.c - a run that goes on from a state file.
 *
 * head: the parameters that define the guarantee, public, one "key value" a line (session_head.c writes
 * it, session_adopt.c compares it with the options of a later run).
 * body: steps taken, the mechanism's columns, open buckets, users (session_body.c).  Pan-private: nothing but what
 * the theorem allows (steps, columns, what was printed); no count of lines, no hash of the input.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session.h"

volatile sig_atomic_t dp_session_signal;

/* A signal just before a blocking read(2) would wait for the next line: a second one follows. */
static void
on_signal(int s)
{
	if (s != SIGALRM)
		dp_session_signal = s;
	alarm(1);
}

/* What was ignored when we started (nohup) stays so; a file that may not grow is an error. */
int
dp_session_catch(struct dp_run *r)
{
	static const int stop[] = { SIGTERM, SIGINT, SIGHUP };
	const struct sigaction sa = { .sa_handler = on_signal }, ignore = { .sa_handler = SIG_IGN };
	struct sigaction old;
	size_t i;

	if (sigaction(SIGPIPE, &ignore, &old) != 0 || sigaction(SIGXFSZ, &ignore, NULL) != 0 ||
	    sigaction(SIGALRM, &sa, NULL) != 0)
		return DP_EIO;
	r->no_sigpipe = old.sa_handler == SIG_IGN;
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

	if (e == DP_EIO && code == EPIPE && r != NULL && !r->no_sigpipe)
		dp_session_die_of(SIGPIPE);	/* the reader left: quiet, like any filter */
	if (e == DP_EIO && code == EINTR && dp_session_signal != 0)
		dp_session_die_of(dp_session_signal);	/* the reader does not read: so too */
	dp_die(why == NULL ? DP_EX_SYSTEM : status_of(e), "%s",
	    why != NULL ? why : e == DP_EIO ? strerror(code) : dp_strerror(e));
}

struct dp_state_rule
dp_session_rule(const struct dp_options *o)
{
	return (struct dp_state_rule){ .path = o->state, .out = o->out, .witness = o->witness,
	    .keep = o->batch != NULL, .stop = &dp_session_signal };
}

void
dp_session_open(struct dp_run *r)
{
	struct dp_options *o = r->o;
	char why[DP_STATE_WHY] = "";
	struct dp_state_rule rule;
	int e;

	if (o->state == NULL || o->init)
		return;
	rule = dp_session_rule(o);
	e = o->explain != DP_EXPLAIN_NO ? dp_state_peek(&r->state, o->state, why) :
	    dp_state_open(&r->state, &rule, why);
	if (e != 0)
		dp_session_fail(r, e, why);
	dp_head_adopt(r, dp_state_head(r->state));
}

int
dp_session_show(const struct dp_options *o, const struct dp_tool *tool)
{
	char why[DP_STATE_WHY] = "";
	struct dp_state *s;
	struct dp_slice body;
	const char *batch;
	int e;

	if (o->state == NULL)
		dp_die(DP_EX_USAGE, "--state-show needs --state");
	if (o->init)
		dp_die(DP_EX_USAGE, "--init and --state-show do not go together");
	if ((e = dp_state_peek(&s, o->state, why)) != 0)
		dp_session_fail(NULL, e, why);
	(void)tool;
	body = dp_state_body(s);
	batch = dp_state_batch(s);
	printf("%sgeneration %llu\nbatch %s\n", dp_state_head(s),
	    (unsigned long long)dp_state_generation(s), batch[0] == '\0' ? "-" : batch);
	/* the body's first line is the number of steps taken: public */
	printf("%.*s\n", (int)strcspn(body.p, "\n"), body.p);
	dp_state_free(s);
	return dp_close_stdout();
}
