/* charge.c - a run's debit: once nothing is left that may refuse it, before it draws noise. */
#include <inttypes.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "charge.h"

#define COMMAND_MAX	4096

_Noreturn void
dp_charge_fail(int e, const char *text)
{
	char why[DP_STATE_WHY];

	snprintf(why, sizeof why, "%s", text);
	dp_plain(why);
	switch (e) {
	case DP_EHORIZON:
		dp_die(DP_EX_SPENT, "%s", why);
	case DP_ESTATE:
		dp_die(DP_EX_STATE, "%s", why);
	case DP_EBUSY:
		dp_die(DP_EX_BUSY, "%s", why);
	case DP_EINVAL:
		dp_die(DP_EX_USAGE, "%s", why);
	default:
		dp_die(DP_EX_SYSTEM, "%s", why);
	}
}

void
dp_charge_time(char text[static 21])
{
	*dp_when_put(text, dp_run_now(), NULL) = '\0';
}

/* In quotes if a shell would see more in it than a word. */
static void
put_word(struct dp_buf *b, const char *s)
{
	const bool plain = *s != '\0' && s[strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "abcdefghijklmnopqrstuvwxyz0123456789_./:=,@%+-")] == '\0';

	dp_buf_puts(b, plain ? "" : "'");
	for (; *s != '\0'; s++)
		if (*s == '\'')
			dp_buf_puts(b, "'\\''");
		else
			dp_buf_add(b, (unsigned char)*s < ' ' || *s == 127 ? "?" : s, 1);
	dp_buf_puts(b, plain ? "" : "'");
}

char *
dp_options_command(int argc, char **argv)
{
	struct dp_buf b = { .n = 0 };
	int i;

	for (i = 0; i < argc && b.n < COMMAND_MAX; i++) {
		dp_buf_puts(&b, i > 0 ? " " : "");
		put_word(&b, argv[i]);
	}
	if (b.n > COMMAND_MAX)		/* a long list of keys */
		b.n = COMMAND_MAX;
	dp_buf_puts(&b, i < argc ? " ..." : "");
	dp_buf_add(&b, "", 1);
	if (b.error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	return b.p;
}

/* What the run loses; the rho of noise that has one is less than epsilon and delta say. */
static struct dp_loss
loss_of(const struct dp_run *r)
{
	const struct dp_privacy *p = &r->setting.privacy;
	struct dp_loss loss = { p->epsilon, p->delta, { 0, 1 } };

	if ((r->plan.ops->traits & DP_TRAIT_RHO) != 0 && p->rho.num < 1000000000000000000)
		loss.rho = p->rho;
	return loss;
}

bool
dp_charge_due(const struct dp_options *o)
{
	return o->budget != NULL && (o->state == NULL || o->init);
}

void
dp_charge_check(const struct dp_options *o)
{
	if (!dp_charge_due(o))
		return;
	if (o->totals != DP_TOTALS_NO)
		dp_die(DP_EX_USAGE, "--budget: refused with --estimate: nothing is released here");
	if (dp_task_cover(&o->task) != DP_COVER_ALL)
		dp_die(DP_EX_USAGE, "--budget: refused with --expire (what is older is shown, and "
		    "its loss is no part of any total)");
	if (o->init && access(o->state, F_OK) == 0)
		dp_die(DP_EX_STATE, "%s: exists already; to go on, or to repeat a run that failed, "
		    "leave --init out", o->state);
}

/* The state says which charge paid for it. */
static void
was_charged(const struct dp_run *r)
{
	char why[DP_STATE_WHY] = "";
	struct dp_budget b = { .n = 0 };
	int e;

	if ((e = dp_budget_read(&b, r->o->budget, DP_READ_SUMS, DP_CHARGE_WAIT, why)) != 0)
		dp_charge_fail(e, why);
	if (r->receipt.n == 0 || strcmp(r->receipt.id, b.id) != 0 || r->receipt.n > b.n)
		dp_die(DP_EX_STATE, "%s: was not charged to %s when it was made", r->o->state,
		    r->o->budget);
	dp_budget_free(&b);
}

void
dp_charge(struct dp_run *r)
{
	const struct dp_options *o = r->o;
	const struct passwd *pw;
	char why[DP_STATE_WHY] = "", time[21], host[256] = "", user[32], protects[DP_NEIGHBOURS];
	char unit[DP_PROTECTED];
	struct dp_charge c;
	int e;

	if (o->budget == NULL)
		return;
	if (!dp_charge_due(o)) {
		was_charged(r);
		return;
	}
	signal(SIGXFSZ, SIG_IGN);	/* an error like any other */
	dp_charge_time(time);
	(void)gethostname(host, sizeof host - 1);
	snprintf(user, sizeof user, "%lu", (unsigned long)geteuid());
	pw = getpwuid(geteuid());
	c = (struct dp_charge){ loss_of(r), {
	    [DP_SAID_TIME] = time, [DP_SAID_LABEL] = o->label,
	    [DP_SAID_UNIT] = dp_options_protected(o, r->tool, unit),
	    [DP_SAID_PROTECTS] = dp_options_neighbours(o, r->tool, protects),
	    [DP_SAID_USER] = pw != NULL ? pw->pw_name : user, [DP_SAID_HOST] = host,
	    [DP_SAID_TOOL] = r->tool->name, [DP_SAID_MECHANISM] = r->plan.ops->name,
	    [DP_SAID_COMMAND] = o->command } };
	if ((e = dp_budget_charge(o->budget, &c, DP_CHARGE_WAIT, &r->receipt, why)) != 0)
		dp_charge_fail(e, why);
}
