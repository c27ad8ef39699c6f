/* SPDX-License-Identifier: ISC */
/*
 * within.c - --within=ERR: the smallest epsilon whose predicted error at all steps is at most ERR.
 *
 * Found among the decimals of four digits: from 1 up or down by a third of a decade until the
 * answer is in between, then by halves.  The error of what is found is within ERR, that of the next
 * smaller decimal is not.  One mechanism's error falls as epsilon grows; that of the one chosen,
 * which is chosen by another measure, may also jump up where that changes, mostly at large
 * epsilons: so the search does not begin there.
 */
#include <math.h>
#include <string.h>

#include "explain.h"
#include "internal.h"

#define LEAST_POWER	(-9)	/* 1e-9 .. 999900 */
#define DECADES		15
#define OF_DECADE	9000	/* 1.000 .. 9.999 */
#define LAST		(DECADES * OF_DECADE - 1)
#define ONE		(-LEAST_POWER * OF_DECADE)
#define STRIDE		(OF_DECADE / 3)

/* The n-th decimal. */
static struct dp_q
decimal(unsigned n)
{
	const int power = LEAST_POWER - 3 + (int)(n / OF_DECADE);
	const uint64_t digits = 1000 + n % OF_DECADE;
	uint64_t ten = 1;
	int i;

	for (i = 0; i < power || i < -power; i++)
		ten *= 10;
	return power < 0 ? dp_q_make(digits, ten) : dp_q_make(digits * ten, 1);
}

/* Error that --explain would print for the n-th decimal; infinity: no noise fits. */
static double
error_at_within(struct dp_run *r, unsigned n, char why[static DP_PLAN_WHY])
{
	static struct dp_options tried;
	static struct dp_report report;
	double error;
	int e;

	tried = *r->o;
	dp_options_found(&tried, decimal(n));
	dp_options_setting(&tried, r->tool, &r->setting);
	if ((e = dp_plan_make(&r->plan, &r->setting, r->o->priv.mechanism, why)) != 0) {
		if (e != DP_ERANGE && e != DP_EINVAL)
			dp_run_fail(r, e);
		return INFINITY;
	}
	dp_report_make(&report, r->tool, &tried, &r->setting, &r->plan);
	if (report.regret)
		dp_die(DP_EX_USAGE, "--within: refused here (what is predicted is an expected "
		    "regret, which no error at a step is)");
	error = report.bound.all;
	dp_plan_free(&r->plan);
	return isnan(error) ? INFINITY : error;
}

struct dp_q
dp_within(struct dp_run *r)
{
	const double most = dp_q_double(r->o->priv.within);
	unsigned lo = 0, hi = ONE, n;
	char why[DP_PLAN_WHY] = "";

	while (error_at_within(r, hi, why) > most) {
		if (hi == LAST)
			dp_die(DP_EX_USAGE, why[0] != '\0' ? "%s" :
			    "--within: no epsilon keeps the error so small%s", why);
		lo = hi + 1;
		hi = LAST - hi > STRIDE ? hi + STRIDE : LAST;
	}
	for (n = hi; lo == 0 && n > STRIDE; ) {
		n -= STRIDE;
		if (error_at_within(r, n, why) > most)
			lo = n + 1;
		else
			hi = n;
	}
	/* lo = 0, or what is before it fails; hi does */
	while (lo < hi) {
		n = lo + (hi - lo) / 2;
		if (error_at_within(r, n, why) <= most)
			hi = n;
		else
			lo = n + 1;
	}
	return decimal(hi);
}
