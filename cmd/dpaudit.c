/* SPDX-License-Identifier: ISC */
/*
 * dpaudit - an empirical lower bound on the privacy loss of any filter command, from two
 * neighbouring inputs.
 *
 * Runs are processes, some at a time, each of which opens its input anew; what a run shows is what
 * it prints, its exit status, and how much it says on standard error.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "explain/explain.h"
#include "law/audit.h"
#include "run/driver.h"

#define RUNS_MAX	((uint64_t)1000000)
#define JOBS_MAX	256
#define OUTPUT_MAX	((off_t)64 << 20)	/* bytes of a run's output */

struct job {
	pid_t pid;		/* 0: none */
	unsigned side;
	uint64_t run;
	int out, err;
};

struct audit {
	struct dp_q claim, delta, confidence;
	char *pair[2];
	uint64_t runs;
	unsigned njobs;
	char **command;
	const char *by_runs;	/* an option of what runs are to refute; NULL: none */
	bool plan, full;	/* to check what the command draws from; and to print it */
	struct dp_verify of;	/* files to check, in place of a command */
	struct dp_audit_rows *rows;
	struct job job[JOBS_MAX];
	char *buf;		/* what a run wrote; size bytes */
	size_t size;
	struct dp_progress progress;
};

/* Those up to JOBS are of runs, which are to refute what is claimed. */
enum { EPSILON, DELTA, PAIR, RUNS, CONFIDENCE, JOBS, PLAN, CHECK_PLAN, RECEIPT, SIGNER, RELEASED,
    NEW_KEY };

static const struct dp_own own[] = {
	[EPSILON] = { 'e', "epsilon", "E", "the loss that is claimed: 0.5, 1/2", DP_KIND_NUMBER },
	[DELTA] = { 'd', "delta", "D", "and the delta; 0 by default", DP_KIND_NUMBER },
	[PAIR] = { 0, "pair", "A,B", "files for its standard input, one unit apart", DP_KIND_TEXT },
	[RUNS] = { 0, "runs", "N", "runs on each of the two; default 2000", DP_KIND_WHOLE },
	[CONFIDENCE] = { 0, "confidence", "CONF", "of the bound; default 0.999999",
	    DP_KIND_NUMBER },
	[JOBS] = { 'j', "jobs", "N", "runs at a time; default: one for each processor",
	    DP_KIND_WHOLE },
	[PLAN] = { 0, "plan", "[full]", "whether the command's plan, without data, loses no more "
	    "than it claims; full: its numbers, too", DP_KIND_WORD, "full" },
	[CHECK_PLAN] = { 0, "check-plan", "FILE", "the same of a plan that was printed; -: from a "
	    "pipe", DP_KIND_FILE },
	[RECEIPT] = { 0, "receipt", "FILE", "a receipt: who signed it, and for which guarantee",
	    DP_KIND_FILE },
	[SIGNER] = { 0, "signer", "KEY.pub", "with --receipt: whose it must be", DP_KIND_FILE },
	[RELEASED] = { 0, "released", "FILE", "with --receipt: what it must be of", DP_KIND_FILE },
	[NEW_KEY] = { 0, "new-key", "KEY", "make a key for --sign, mode 0600, and KEY.pub",
	    DP_KIND_FILE },
	{ .name = NULL }
};

static const struct dp_aside tool = {
	.name = "dpaudit",
	.purpose = "Run a command many times on two neighbouring inputs, and print a lower bound "
	    "on its privacy loss; or take what a command of dputils would draw its noise from, and "
	    "compute an upper bound from that.",
	.synopsis = { "-e EPSILON --pair=A,B [options] [--] COMMAND [ARGUMENT ...]",
	    "--plan[=full] [--] COMMAND [ARGUMENT ...]",
	    "[--receipt=FILE [--signer=KEY.pub] [--released=FILE]]\n"
	    "           [--check-plan=FILE]", "--new-key=KEY" },
	.examples = "  printf '0\\n0\\n' >a; printf '1\\n0\\n' >b\n"
	    "  dpaudit -e 1 --pair=a,b -- dpcount -e 1 -T 2",
	.statuses = "0 not refuted, 1 system, 2 usage, 3 input refused,\n6 claim refuted.",
	.own = own
};

static uint64_t
number(const char *option, const char *s, uint64_t lo, uint64_t hi)
{
	uint64_t n;

	if (dp_u64_parse(&n, s, lo, hi) != 0)
		dp_die(DP_EX_USAGE, "--%s: '%s' must be a whole number from %llu to %llu", option,
		    s, (unsigned long long)lo, (unsigned long long)hi);
	return n;
}

/* A decimal or ratio; from 0, or above it, and below 1 if that is asked. */
static struct dp_q
rational(const char *option, const char *s, bool zero, bool below)
{
	struct dp_q q;

	if (dp_q_parse(&q, s) != 0 || (!zero && q.num == 0) || (below && q.num >= q.den))
		dp_die(DP_EX_USAGE, "--%s: '%s' must be a decimal or a ratio %s 0%s", option, s,
		    zero ? "from" : "above", below ? " and below 1" : "");
	return q;
}

static void
set_pair(struct audit *a, char *s)
{
	char *comma = strchr(s, ',');
	int i;

	if (comma == NULL || comma == s || comma[1] == '\0' || strchr(comma + 1, ',') != NULL)
		dp_die(DP_EX_USAGE, "--pair: '%s' must be two files, A,B", s);
	*comma = '\0';
	a->pair[0] = s;
	a->pair[1] = comma + 1;
	for (i = 0; i < 2; i++)
		if (access(a->pair[i], R_OK) != 0)
			dp_die(DP_EX_INPUT, "%s: %s", a->pair[i], strerror(errno));
}

static void
parse(struct audit *a, int argc, char **argv)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	int c;

	*a = (struct audit){ .delta = { 0, 1 }, .confidence = { 999999, 1000000 }, .runs = 2000,
	    .njobs = n < 1 ? 1 : n > JOBS_MAX ? JOBS_MAX : (unsigned)n };
	while ((c = dp_aside_next(&tool, '+', 0, argc, argv)) != -1) {
		if (c <= JOBS)
			a->by_runs = own[c].name;
		switch (c) {
		case EPSILON:
			a->claim = rational("epsilon", optarg, false, false);
			break;
		case DELTA:
			a->delta = rational("delta", optarg, true, true);
			break;
		case PAIR:
			set_pair(a, optarg);
			break;
		case RUNS:
			a->runs = number("runs", optarg, 4, RUNS_MAX);
			break;
		case CONFIDENCE:
			a->confidence = rational("confidence", optarg, false, true);
			break;
		case PLAN:
			a->plan = true;
			a->full = optarg != NULL;
			if (a->full && strcmp(optarg, "full") != 0)
				dp_die(DP_EX_USAGE, "--plan: '%s' must be full, or nothing",
				    optarg);
			break;
		case CHECK_PLAN:
			a->of.plan = optarg;
			break;
		case RECEIPT:
			a->of.receipt = optarg;
			break;
		case SIGNER:
			a->of.signer = optarg;
			break;
		case RELEASED:
			a->of.released = optarg;
			break;
		case NEW_KEY:
			exit(dp_verify_new_key(optarg));
		case JOBS:
			a->njobs = (unsigned)number("jobs", optarg, 1, JOBS_MAX);
			break;
		}
	}
	a->command = argv + optind;
	if (a->by_runs != NULL && (a->plan || a->of.receipt != NULL || a->of.plan != NULL))
		dp_die(DP_EX_USAGE, "--%s: refused with a plan or a receipt, which says itself "
		    "what it claims; runs refute", a->by_runs);
	if ((a->of.signer != NULL || a->of.released != NULL) && a->of.receipt == NULL)
		dp_die(DP_EX_USAGE, "--signer and --released need --receipt");
	if (a->of.receipt != NULL || a->of.plan != NULL) {
		if (optind != argc || a->plan)
			dp_die(DP_EX_USAGE, "leave the command out: a receipt or a plan is "
			    "checked without one");
		return;
	}
	if (optind == argc)
		dp_die(DP_EX_USAGE, "a command is required, after --");
	if (a->plan)
		return;
	if (a->claim.num == 0)
		dp_die(DP_EX_USAGE, "--epsilon is required: the loss that is claimed");
	if (a->pair[0] == NULL)
		dp_die(DP_EX_USAGE, "--pair=A,B is required: two neighbouring inputs");
}

static _Noreturn void
system_error(const char *what)
{
	dp_die(DP_EX_SYSTEM, "%s: %s", what, strerror(errno));
}

static void
start(struct audit *a, struct job *j, unsigned side, uint64_t run)
{
	extern char **environ;
	posix_spawn_file_actions_t f;

	if (j->out < 0 && ((j->out = dp_os_file()) < 0 ||
	    (j->err = dp_os_file()) < 0))
		system_error("memory for an output");
	j->side = side;
	j->run = run;
	if (posix_spawn_file_actions_init(&f) != 0 ||
	    posix_spawn_file_actions_addopen(&f, 0, a->pair[side], O_RDONLY, 0) != 0 ||
	    posix_spawn_file_actions_adddup2(&f, j->out, 1) != 0 ||
	    posix_spawn_file_actions_adddup2(&f, j->err, 2) != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if ((errno = posix_spawnp(&j->pid, a->command[0], &f, NULL, a->command, environ)) != 0)
		dp_die(errno == ENOMEM || errno == EAGAIN ? DP_EX_SYSTEM : DP_EX_USAGE, "%s: %s",
		    a->command[0], strerror(errno));
	posix_spawn_file_actions_destroy(&f);
}

/* Output of a run, and a NUL behind it; the file is empty again. */
static size_t
take(struct audit *a, int fd)
{
	const off_t size = lseek(fd, 0, SEEK_END);
	size_t n = (size_t)size;
	ssize_t k;

	if (size < 0)
		system_error("an output");
	if (size > OUTPUT_MAX)
		dp_die(DP_EX_INPUT, "%s: a run printed more than 64 MiB, and only its first 128 "
		    "words are looked at", a->command[0]);
	if (n + 1 > a->size && (a->buf = realloc(a->buf, a->size = 2 * n + 4096)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if ((k = pread(fd, a->buf, n, 0)) < 0 || (size_t)k != n || ftruncate(fd, 0) != 0 ||
	    lseek(fd, 0, SEEK_SET) != 0)
		system_error("an output");
	a->buf[n] = '\0';
	return n;
}

/* A run has ended: what is seen of it. */
static void
finished(struct audit *a, struct job *j, int status)
{
	const size_t said = take(a, j->err);

	(void)take(a, j->out);
	if (dp_audit_rows_add(a->rows, j->side, j->run, status, said, a->buf) != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	j->pid = 0;
	dp_progress_step(&a->progress);
}

static void
wait_for_one(struct audit *a)
{
	int status;
	pid_t p;
	unsigned i;

	while ((p = waitpid(-1, &status, 0)) < 0)
		if (errno != EINTR)
			system_error("a run");
	for (i = 0; i < a->njobs; i++)
		if (a->job[i].pid == p)
			finished(a, &a->job[i], status);
}

static void
run_all(struct audit *a)
{
	uint64_t n;
	unsigned i;

	for (i = 0; i < a->njobs; i++)
		a->job[i].out = -1;
	for (n = 0; n < 2 * a->runs; n++) {	/* one on each in turn: the machine is the same */
		for (i = 0; i < a->njobs && a->job[i].pid != 0; i++)
			;
		if (i == a->njobs) {
			wait_for_one(a);
			n--;
			continue;
		}
		start(a, &a->job[i], (unsigned)(n % 2), n / 2);
		if (n == 0)
			wait_for_one(a);	/* it says how wide rows are */
	}
	for (i = 0; i < a->njobs; i++)
		while (a->job[i].pid != 0)
			wait_for_one(a);
	dp_progress_end(&a->progress);
}

/* The bound, from all runs. */
static void
bound(const struct audit *a, struct dp_audit *e)
{
	double *row[] = { dp_audit_rows_numbers(a->rows, 0), dp_audit_rows_numbers(a->rows, 1) };

	if (row[0] == NULL || row[1] == NULL || dp_audit_bound(row[0], row[1], a->runs,
	    dp_audit_rows_width(a->rows), dp_q_double(a->delta),
	    dp_audit_alpha(a->confidence), e) != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	free(row[0]);
	free(row[1]);
}

int
main(int argc, char **argv)
{
	static struct audit a;
	struct dp_audit e;
	bool refuted;

	dp_aside_begin(&tool);
	(void)dp_process_files();
	parse(&a, argc, argv);
	if (a.of.receipt != NULL || a.of.plan != NULL)
		return dp_verify(&a.of);
	if (a.plan)
		return dp_verify_command(a.command, a.full);
	if (dp_audit_rows_new(&a.rows, a.runs) != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	dp_progress_begin(&a.progress, "dpaudit", 2 * a.runs);
	run_all(&a);
	/* nothing to audit, or to refute */
	if (dp_audit_rows_silent(a.rows))
		dp_die(DP_EX_INPUT, "%s: prints nothing on either input", a.command[0]);
	bound(&a, &e);
	refuted = dp_audit_print(&(struct dp_audit_claim){ a.claim, a.delta, a.confidence,
	    { a.pair[0], a.pair[1] } }, a.rows, &e);
	dp_audit_rows_free(a.rows);
	(void)dp_close_stdout();
	return refuted ? DP_EX_REFUTED : DP_EX_OK;
}
