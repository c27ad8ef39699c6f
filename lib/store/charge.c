/* SPDX-License-Identifier: ISC */
/* charge.c - a run's debit: once nothing is left that may refuse it, before it prints. */
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "job/table.h"
#include "internal.h"

#define MARK	" # state "	/* behind the command that made one: its lineage */

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

int64_t
dp_charge_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec;
}

void
dp_charge_time(char text[static 21])
{
	*dp_when_put(text, dp_charge_now(), NULL) = '\0';
}

static struct dp_loss
loss_of(const struct dp_run *r)
{
	return (struct dp_loss){ r->setting.privacy.epsilon, r->setting.privacy.delta, { 0, 1 } };
}

bool
dp_charge_due(const struct dp_options *o)
{
	return o->priv.budget != NULL && (o->keep.state == NULL || o->keep.init);
}

void
dp_charge_check(const struct dp_options *o)
{
	if (!dp_charge_due(o))
		return;
	if (o->form.totals != DP_TOTALS_NO)
		dp_die(DP_EX_USAGE, "--budget: refused with --estimate (nothing private is read "
		    "here)");
	if (dp_task_cover(&o->task) != DP_COVER_ALL)
		dp_die(DP_EX_USAGE, "--budget: refused with --expire and --ages (old events lose "
		    "more than epsilon, so no total holds for them)");
	if (o->keep.init && access(o->keep.state, F_OK) == 0)
		dp_die(DP_EX_STATE, "%s: exists already; to go on, or to repeat a run that failed, "
		    "leave --init out", o->keep.state);
}

/* The state says which charge paid for it. */
static void
was_charged(const struct dp_run *r)
{
	char why[DP_STATE_WHY] = "";
	struct dp_budget b = { .n = 0 };
	int e;

	if ((e = dp_budget_read(&b, r->o->priv.budget, DP_READ_SUMS, DP_CHARGE_WAIT, why)) != 0)
		dp_charge_fail(e, why);
	if (r->kept.receipt.n == 0 || strcmp(r->kept.receipt.id, b.id) != 0 ||
	    r->kept.receipt.n > b.n)
		dp_die(DP_EX_STATE, "%s: the state file was not charged to %s when it was made; "
		    "give the ledger that it was charged to, or start another state file",
		    r->o->keep.state, r->o->priv.budget);
	dp_budget_free(&b);
}

static int
make_state(void *arg, const struct dp_receipt *receipt, char *why)
{
	struct dp_run *r = arg;

	r->kept.receipt = *receipt;
	r->kept.receipt.owed = true;
	return dp_session_create(r, why);
}

/* Made, or found in the ledger: the next commit says that the state owes nothing. */
static void
pay(struct dp_run *r, struct dp_charge *c)
{
	const struct dp_options *o = r->o;
	char mark[sizeof MARK + DP_STATE_LINEAGE], why[DP_STATE_WHY] = "";
	struct dp_receipt receipt = r->kept.receipt;
	struct dp_buf command = { .n = 0 };
	struct dp_paid paid = { mark, receipt.owed, o->keep.init ? make_state : NULL, r };
	int e;

	if (r->kept.state != NULL) {
		snprintf(mark, sizeof mark, MARK "%s", dp_state_form(r->kept.state)->lineage);
		dp_buf_puts(&command, o->priv.command);
		dp_buf_add(&command, mark, sizeof mark);
		if (command.error != 0)
			dp_die(DP_EX_SYSTEM, "out of memory");
		c->said[DP_SAID_COMMAND] = command.p;
	}
	if ((e = dp_budget_charge(o->priv.budget, c, r->kept.state != NULL ? &paid : NULL,
	    DP_CHARGE_WAIT, &receipt, why)) != 0)
		dp_charge_fail(e, why);
	dp_buf_free(&command);
	receipt.owed = false;
	r->kept.receipt = receipt;
	r->kept.changed = r->kept.state != NULL;
}

void
dp_charge(struct dp_run *r)
{
	const struct dp_options *o = r->o;
	char time[21], host[DP_OS_HOST] = "", user[DP_OS_HOST];
	char protects[DP_NEIGHBOURS], unit[DP_PROTECTED];
	struct dp_buf reads = { .p = NULL };
	struct dp_charge c;

	if (o->priv.budget == NULL && r->kept.receipt.owed)
		dp_die(DP_EX_STATE, "%s: the run that made it was ended before it knew that its "
		    "charge was in the ledger: give --budget=LEDGER, that one; what is there is "
		    "not charged again", o->keep.state);
	if (o->priv.budget == NULL)
		return;
	if (!dp_charge_due(o) && !r->kept.receipt.owed) {
		was_charged(r);
		return;
	}
	dp_charge_time(time);
	(void)gethostname(host, sizeof host - 1);
	dp_os_user(user);
	c = (struct dp_charge){ loss_of(r), {
	    [DP_SAID_TIME] = time, [DP_SAID_LABEL] = o->priv.label,
	    [DP_SAID_UNIT] = dp_options_protected(o, r->tool, unit),
	    [DP_SAID_PROTECTS] = dp_options_neighbours(o, r->tool, protects),
	    [DP_SAID_USER] = user, [DP_SAID_HOST] = host,
	    [DP_SAID_TOOL] = r->tool->name, [DP_SAID_MECHANISM] = r->plan.ops->name,
	    [DP_SAID_COMMAND] = o->priv.command }, "", 0, 0 };
	if (dp_charge_times(o, r->tool, &reads)) {
		if (reads.error != 0)
			dp_die(DP_EX_SYSTEM, "out of memory");
		c.reads = reads.p;
		c.begin = o->time.begin;
		c.end = o->time.end;
	}
	pay(r, &c);
	dp_buf_free(&reads);
}

/*
 * The times whose events alone a run looks at, and how it reads them: what a
 * ledger by time must know to take the most of several runs and not their sum.
 *
 * Two runs are about disjoint events only if an event has the same time in both.  So all options
 * stand in the text by which a time is read: how a line is cut, the field, its format, the zone and
 * its rules as they are installed; and, where a time may go on in the next field, what the options
 * take for a number there.  syslog has no year and takes the one that fits --from and --to, so one
 * event may have two times.  Partial counts leave open how dpmap read times, and a state which
 * buckets are to come.
 */

/* The zone's changes, which an update may move. */
static void
put_zone(struct dp_buf *b, const char *option, const char *name, const struct dp_zone *zone)
{
	crypto_generichash_state h;
	unsigned char sum[16];
	char hex[33];
	uint64_t word[2];
	size_t i;

	crypto_generichash_init(&h, NULL, 0, sizeof sum);
	for (i = 0; i < zone->n; i++) {
		word[0] = htole64((uint64_t)zone->change[i].at);
		word[1] = htole64((uint64_t)(int64_t)zone->change[i].east);
		crypto_generichash_update(&h, (const unsigned char *)word, sizeof word);
	}
	crypto_generichash_final(&h, sum, sizeof sum);
	sodium_bin2hex(hex, sizeof hex, sum, sizeof sum);
	dp_buf_puts(b, option);
	dp_buf_puts(b, name);
	dp_buf_puts(b, "#");
	dp_buf_puts(b, hex);
}

static void
put_option(struct dp_buf *b, const struct dp_options *o, int c)
{
	if (!o->given[c])
		return;
	dp_buf_puts(b, b->n == 0 ? "--" : " --");
	dp_buf_puts(b, dp_table_name(c, NULL));
	if (o->text[c] != NULL) {
		dp_buf_puts(b, "=");
		dp_buf_puts(b, o->text[c]);
	}
}

/* True: the unit is at one time, which is protected with it. */
static bool
at_one_time(const struct dp_options *o, const struct dp_tool *tool)
{
	char unit[DP_PROTECTED];

	return o->users.per_step || strcmp(dp_options_protected(o, tool, unit), "event") == 0;
}

bool
dp_charge_times(const struct dp_options *o, const struct dp_tool *tool, struct dp_buf *b)
{
	static const int cut[] = { 'F', OPT_CSV, OPT_TSV, 'H', OPT_CUT, OPT_LOG, OPT_LOG_FORMAT,
	    OPT_JSON, OPT_LET };
	static const int near[] = { 'v', 'm', OPT_UNIT, OPT_WEIGHT, OPT_ANSWER };
	size_t i;

	if (o->time.steps != DP_BY_RANGE || o->time.bucket == 0 || o->time.once ||
	    o->keep.state != NULL || o->shard.partial || o->time.format == NULL ||
	    strcmp(o->time.format, "syslog") == 0 || !at_one_time(o, tool))
		return false;
	for (i = 0; i < sizeof cut / sizeof *cut; i++)
		put_option(b, o, cut[i]);
	dp_buf_puts(b, b->n == 0 ? "--time=" : " --time=");
	dp_buf_puts(b, o->given['t'] ? o->text['t'] : "time");
	dp_buf_puts(b, " --time-format=");
	dp_buf_puts(b, o->time.format);
	if (o->time.tz != NULL)
		put_zone(b, " --tz=", o->time.tz, &o->time.zone);
	if (o->time.in.name != NULL)
		put_zone(b, " --tz-in=", o->time.in.name, &o->time.in.zone);
	/* members of an object, and a log's groups, hold all of a time */
	for (i = 0; i < sizeof near / sizeof *near && o->form.log == NULL && !o->form.json; i++)
		put_option(b, o, near[i]);
	if (i != 0 && o->form.match != NULL && !o->given['m'])	/* --value is an identifier */
		dp_buf_puts(b, " --match");
	dp_buf_add(b, "", 1);
	return true;
}
