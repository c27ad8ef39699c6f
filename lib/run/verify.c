/* verify.c - a command's plan, or a file's, and whether it holds. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask/options.h"
#include "audit/certificate.h"
#include "plot/spawn.h"
#include "verify.h"

#define SHORT		12		/* characters of a ratio that needs no decimal */
#define PLAN_MAX	((size_t)16 << 20)	/* bytes of a plan, or a receipt: of true ones the
						   longest have 2 MiB */

#define TOO_LONG	"longer than any plan or receipt (16 MiB)"

static void
end_text(struct dp_buf *b)
{
	dp_buf_add(b, "", 1);
	if (b->error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	b->n--;
}

/* Each of these lines under a name. */
static void
tell_lines(const struct dp_buf *b, const char *mark, const char *name)
{
	const char *p = b->p, *end;
	size_t left = b->n;

	for (; left > 0 && (end = memchr(p, '\n', left)) != NULL; p = end + 1) {
		printf("%s%s\t%.*s\n", mark, name, (int)(end - p), p);
		left -= (size_t)(end - p) + 1;
	}
}

static void
check(struct dp_verdict *v, struct dp_buf *b, const char *name)
{
	if (dp_certificate_check(v, b->p, b->n) != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (v->is == DP_VERDICT_MALFORMED)
		dp_die(DP_EX_INPUT, "%s: %s", name, v->why);
	if (v->is == DP_VERDICT_HOLDS && !v->bound) {
		v->is = DP_VERDICT_UNKNOWN;
		snprintf(v->why, sizeof v->why, "a plan of version 1 says neither which lines it "
		    "has nor what its numbers are to be: have it printed again");
	}
}

static int
tell(const struct dp_verdict *v, const char *mark)
{
	static const char *const is[] = { "holds", "NOT PRIVATE", "refuted", "unknown" };

	printf("%stool\t%s\n", mark, v->tool);
	tell_lines(&v->claim, mark, "claim");
	tell_lines(&v->each, mark, "mechanism");
	tell_lines(&v->given, mark, "given");
	printf("%schecked\t%u mechanism%s, %u tree%s, %u kind%s\n", mark, v->mechanisms,
	    v->mechanisms == 1 ? "" : "s", v->trees, v->trees == 1 ? "" : "s", v->kinds,
	    v->kinds == 1 ? "" : "s");
	printf("%sreach\t%s\n", mark, v->derived ? "derived from who the neighbours are" :
	    "taken as given: no line says who the neighbours are");
	if (v->is != DP_VERDICT_UNKNOWN)
		printf("%sepsilon\t<= %.12g\n", mark, v->loss);
	/* seven digits are within 5e-7: what is shown is no smaller */
	if (strlen(v->claimed) <= SHORT)
		printf("%sclaimed\t%s\n", mark, v->claimed);
	else
		printf("%sclaimed\t%s, <= %.7g\n", mark, v->claimed, v->epsilon * (1 + 1e-6));
	if (v->delta[0] != '\0' && v->is != DP_VERDICT_UNKNOWN)
		printf("%sdelta\t<= %.6g\n", mark, v->missed);
	if (v->delta[0] != '\0')
		printf("%sclaimed delta\t%s\n", mark, v->delta);
	printf("%sverdict\t%s%s%s\n", mark, is[v->is], v->why[0] != '\0' ? ": " : "", v->why);
	if (dp_close_stdout() != DP_EX_OK)
		return DP_EX_SYSTEM;
	return v->is == DP_VERDICT_HOLDS ? DP_EX_OK :
	    v->is == DP_VERDICT_REFUTED ? DP_EX_REFUTED : DP_EX_INPUT;
}

int
dp_verify_command(char **argv, bool full)
{
	static char option[] = "--explain=plan";
	struct dp_buf b = { .n = 0 };
	struct dp_verdict v = { .why = "" };
	char **asked;
	size_t n = 0;
	pid_t pid;
	int fd, e, status;

	while (argv[n] != NULL)
		n++;
	if ((asked = calloc(n + 2, sizeof *asked)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	asked[0] = argv[0];
	asked[1] = option;
	memcpy(asked + 2, argv + 1, (n - 1) * sizeof *asked);
	if ((fd = dp_spawn(&pid, asked, -1, 0)) < 0)
		dp_die(DP_EX_USAGE, "%s: %s", argv[0], strerror(errno));
	if ((e = dp_spawn_read(fd, &b, PLAN_MAX)) == DP_ERANGE)
		dp_die(DP_EX_INPUT, "%s: " TOO_LONG, argv[0]);
	if (e != 0)
		dp_die(DP_EX_SYSTEM, "%s: %s", argv[0], dp_strerror(e));
	if ((status = dp_spawn_wait(pid)) != 0)
		dp_die(status > 5 ? DP_EX_SYSTEM : status, "%s: ended with status %d", argv[0],
		    status);
	free(asked);
	end_text(&b);
	check(&v, &b, argv[0]);
	if (full)
		(void)fwrite(b.p, 1, b.n, stdout);
	dp_buf_free(&b);
	return tell(&v, full ? "# " : "");
}

int
dp_verify_open(const char *file, const char **name)
{
	const bool given = strcmp(file, "-") != 0;
	const int fd = given ? open(file, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);

	*name = given ? file : "standard input";
	if (fd < 0)
		dp_die(DP_EX_INPUT, "%s: %s", *name, strerror(errno));
	return fd;
}

const char *
dp_verify_read(struct dp_buf *b, const char *file)
{
	const char *name;
	const int fd = dp_verify_open(file, &name);
	int e;

	if ((e = dp_spawn_read(fd, b, PLAN_MAX)) != 0)
		dp_die(DP_EX_INPUT, "%s: %s", name, e == DP_EIO ? strerror(errno) :
		    e == DP_ERANGE ? TOO_LONG : dp_strerror(e));
	end_text(b);
	return name;
}

static int
verify_plan(struct dp_buf *plan, const char *name)
{
	struct dp_verdict v = { .why = "" };

	check(&v, plan, name);
	return tell(&v, "");
}

int
dp_verify(const struct dp_verify *of)
{
	struct dp_buf plan = { .n = 0 };
	const char *name = of->plan != NULL ? dp_verify_read(&plan, of->plan) : NULL;
	int status = DP_EX_OK;

	if (of->receipt != NULL)
		status = dp_verify_receipt(of, &plan);
	/* the plan of another run says nothing of a receipt that is refuted */
	if (of->plan != NULL && status == DP_EX_OK)
		status = verify_plan(&plan, name);
	else if (dp_close_stdout() != DP_EX_OK)
		status = DP_EX_SYSTEM;
	dp_buf_free(&plan);
	return status;
}
