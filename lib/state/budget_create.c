/*
 * budget_create.c - a new ledger: the file under another name first, so that it is there whole or
 * not at all.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ledger.h"

static bool
taken(const struct dp_place *at, const char *suffix)
{
	uint64_t inode, born;

	return dp_place_identity(at, suffix, &inode, &born) == 0 || errno != ENOENT;
}

static int
check_free(const struct dp_ledger *l, char *why)
{
	const struct dp_place *at = &l->files->at;
	const char *const other[] = { "", "-journal", "-wal" };
	int i;

	for (i = 0; i < 3; i++)
		if (taken(at, other[i]))
			return dp_state_say(why, DP_ESTATE, at->path, "%s%s%sexists already; "
			    "another ledger would be another budget", i > 0 ? at->name : "",
			    other[i], i > 0 ? " " : "");
	return 0;
}

/* Under the lock of the witness, which must be new as well. */
static int
make_file(struct dp_ledger *l, char *why)
{
	const struct dp_place *at = &l->files->at;
	int e, fd;

	if ((e = dp_state_find_witness(l->files, true, why)) != 0 ||
	    (e = dp_ledger_lock(l, why)) != 0 || (e = check_free(l, why)) != 0 ||
	    (e = dp_state_match_witness(l->files, true, why)) != 0)
		return e;
	if (dp_place_unlink(at, ".tmp") != 0 || dp_place_unlink(at, ".tmp-journal") != 0 ||
	    (fd = dp_place_open(at, ".tmp", O_RDWR | O_CREAT | O_EXCL, 0600)) < 0)
		return dp_state_errno(why, at->path);
	e = fchmod(fd, 0600) != 0 || dp_state_identity(fd, "", &l->inode, &l->born) != 0 ?
	    dp_state_errno(why, at->path) : 0;
	dp_state_shut(&fd);
	return e;
}

/* True: one total is all: the format that version 0.1 knows. */
static bool
plain(const struct dp_budget_rule *rule)
{
	return rule->n == 1 && !rule->by_time;
}

static int
fill(struct dp_ledger *l, const struct dp_budget_rule *rule, const char *time,
    const char *witness, char *why)
{
	char number[4][48];
	const char *const text[] = { l->files->form.lineage, number[0], number[1],
	    rule->total[0].unit, time, witness, number[2], number[3] };
	int e;

	*dp_q_put(number[0], rule->total[0].epsilon) = '\0';
	*dp_q_put(number[1], rule->total[0].delta) = '\0';
	snprintf(number[2], sizeof number[2], "%" PRIu64, l->inode);
	snprintf(number[3], sizeof number[3], "%" PRIu64, l->born);
	if ((e = dp_ledger_run(l, "BEGIN IMMEDIATE", why)) != 0 ||
	    (e = dp_ledger_run(l, dp_ledger_schema[plain(rule) ? 1 : 2], why)) != 0 ||
	    (e = dp_ledger_put(l, "INSERT INTO ledger VALUES "
	    "(?1, ?2, ?3, ?4, ?5, NULL, ?6, ?7, ?8, 1, '')", text, 8, why)) != 0 ||
	    (!plain(rule) && (e = dp_ledger_seal_totals(l, rule, why)) != 0) ||
	    (e = dp_ledger_seal(l, 0, why)) != 0)
		return e;
	return dp_ledger_run(l, "COMMIT", why);
}

/* The file is durable under its other name; now it gets its own. */
static int
publish(struct dp_ledger *l, char *why)
{
	const struct dp_place *at = &l->files->at;

	if (dp_place_rename(at, ".tmp") != 0 || fsync(at->dir) != 0)
		return dp_state_errno(why, at->path);
	l->files->form.generation = 1;
	return dp_state_put_witness(l->files, why);
}

/* Units are different texts, none missing where there are several. */
static int
check_rule(const char *path, const struct dp_budget_rule *rule, char *why)
{
	struct dp_account account;
	size_t i, k;

	for (i = 0; i < rule->n; i++)
		if (dp_account_open(&account, rule->total[i].epsilon, rule->total[i].delta) != 0)
			return dp_state_say(why, DP_EINVAL, path,
			    "epsilon must be above 0, delta below 1");
	for (i = 0; i < rule->n && !plain(rule); i++)
		for (k = 0; k <= i; k++)
			if (rule->total[i].unit == NULL || (k < i &&
			    strcmp(rule->total[i].unit, rule->total[k].unit) == 0))
				return dp_state_say(why, DP_EINVAL, path,
				    "each total must be of another unit");
	return 0;
}

int
dp_budget_create(const char *path, const char *witness, const struct dp_budget_rule *rule,
    const char *time, char why[static DP_STATE_WHY])
{
	struct dp_ledger l = { .wait = 1000 };
	int e;

	why[0] = '\0';
	if ((e = check_rule(path, rule, why)) != 0)
		return e;
	if ((e = dp_ledger_place(&l, path, witness, why)) == 0 &&
	    (e = dp_state_draw_lineage(l.files, why)) == 0 && (e = check_free(&l, why)) == 0 &&
	    (e = make_file(&l, why)) == 0) {
		if ((e = dp_ledger_open(&l, ".tmp", why)) != 0 ||
		    (e = fill(&l, rule, time, witness, why)) != 0 ||
		    (e = publish(&l, why)) != 0)
			(void)dp_place_unlink(&l.files->at, ".tmp");
	}
	dp_ledger_close(&l);
	return e;
}
