/* SPDX-License-Identifier: ISC */
/* charge.c - the ledger of dpbudget(1), as a run with --budget debits it (store/charge.c). */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/when.h"
#include "internal.h"
#include "store/budget.h"

#define LABEL_MAX	64

/* The options, as a command line would have them. */
static void
put_command(struct dp_buf *b, const dputils *h)
{
	unsigned i;

	dp_buf_puts(b, "libdputils ");
	dp_buf_puts(b, dp_api_kind(h->kind));
	for (i = 0; dp_api_option(i) != NULL; i++) {
		if (h->option[i] == NULL)
			continue;
		dp_buf_puts(b, " ");
		dp_buf_puts(b, dp_api_option(i));
		dp_buf_puts(b, "=");
		dp_buf_escaped(b, h->option[i]);
	}
	dp_buf_add(b, "", 1);
}

static int
refusal(dputils *h, const char *label)
{
	size_t n = 0;

	while (label != NULL && label[n] >= ' ' && label[n] <= '~')
		n++;
	if (label != NULL && (label[n] != '\0' || n == 0 || n > LABEL_MAX))
		return dp_api_refuse(h, DPUTILS_EINVAL,
		    "a label is 1 to 64 printable characters");
	if (!h->planned || h->begun > 0 || h->dead != 0)
		return dp_api_refuse(h, DPUTILS_EUSE, "a handle is charged once it is planned, "
		    "and before its first event");
	if (h->say.exact || h->option[API_SEED] != NULL)
		return dp_api_refuse(h, DPUTILS_EINVAL, "not-private: refused with a ledger");
	if (h->relation.per_step)
		return dp_api_refuse(h, DPUTILS_EINVAL, "per-user K/step: refused with a ledger, "
		    "which has to know how long a step is");
	return 0;
}

int
dputils_charge(dputils *h, const char *ledger, const char *label)
{
	char time[24], host[DP_OS_HOST] = "", user[DP_OS_HOST], protects[DP_TASK_TEXT];
	char why[DP_STATE_WHY] = "";
	struct dp_buf command = { .n = 0 };
	struct dp_receipt receipt;
	struct dp_charge c;
	struct timespec now;
	int e, code;

	if ((e = refusal(h, label)) != 0)
		return e;
	h->begun = -1;
	put_command(&command, h);
	if ((e = command.error) != 0)
		return e;
	clock_gettime(CLOCK_REALTIME, &now);
	*dp_when_put(time, now.tv_sec, NULL) = '\0';
	(void)gethostname(host, sizeof host - 1);
	dp_os_user(user);
	(void)dp_relation_sentence(&h->relation, protects, sizeof protects);
	c = (struct dp_charge){ { h->rule.privacy.epsilon, h->rule.privacy.delta, { 0, 1 } }, {
	    [DP_SAID_TIME] = time, [DP_SAID_LABEL] = label != NULL ? label : "",
	    [DP_SAID_UNIT] = dp_relation_unit(&h->relation), [DP_SAID_PROTECTS] = protects,
	    [DP_SAID_USER] = user, [DP_SAID_HOST] = host, [DP_SAID_TOOL] = "libdputils",
	    [DP_SAID_MECHANISM] = h->plan.ops->name, [DP_SAID_COMMAND] = command.p }, "", 0, 0 };
	errno = 0;
	e = dp_budget_charge(ledger, &c, NULL, DP_CHARGE_WAIT, &receipt, why);
	code = errno;
	if (e == DP_EINVAL)		/* of the file: the options are planned */
		e = DPUTILS_EIO;
	if (e != 0)
		(void)dp_api_refuse(h, e, "%s", why);
	h->begun = e == 0 ? 0 : -1;
	dp_buf_free(&command);
	errno = e == DPUTILS_EIO && code == 0 ? EINVAL : code;
	return e;
}
