/*
 * explain_first.c - what a person wants to know first: how far off the output will be, and whether
 * the guarantee is one worth the name.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "explain.h"

static const struct step_word {
	enum dp_span_unit unit;
	uint64_t n;			/* of a bucket */
	const char *in, *many;
} step_word[] = {
	{ DP_SPAN_SECONDS, 1, "in", "seconds" },
	{ DP_SPAN_SECONDS, 60, "in", "minutes" },
	{ DP_SPAN_SECONDS, 3600, "in", "hours" },
	{ DP_SPAN_SECONDS, 86400, "on", "days" },
	{ DP_SPAN_WEEKS, 1, "in", "weeks" },
	{ DP_SPAN_MONTHS, 1, "in", "months" },
	{ DP_SPAN_MONTHS, 12, "in", "years" }
};
static const struct step_word any_line = { .in = "on", .many = "lines" };
static const struct step_word any_bucket = { .in = "in", .many = "buckets" };
static const struct step_word any_run = { .in = "in", .many = "runs" };

/* Name of a step. */
static const struct step_word *
word_of(const struct dp_options *o)
{
	size_t i;

	if (o->time.once)
		return &any_run;
	for (i = 0; i < sizeof step_word / sizeof *step_word; i++)
		if (step_word[i].unit == o->time.span.unit && step_word[i].n == o->time.span.n)
			return o->time.bucket != 0 ? &step_word[i] : &any_line;
	return o->time.bucket != 0 ? &any_bucket : &any_line;
}

/* " on all days at once", " on all of the first 100 lines at once"; "" if there is one answer. */
static void
when(const struct dp_report *r, char text[static 80])
{
	const struct dp_options *o = r->o;
	const struct step_word *w = word_of(o);

	text[0] = '\0';
	if (r->once || o->print.every == 0)
		return;
	if (o->print.every != 1)
		snprintf(text, 80, " in all %llu estimates printed at once",
		    (unsigned long long)dp_report_printed(r));
	else if (o->horizon != 0)
		snprintf(text, 80, " %s all %s at once", w->in, w->many);
	else
		snprintf(text, 80, " %s all of the first %llu %s at once", w->in,
		    (unsigned long long)r->p->report, w->many);
}

static const char *
probability(const struct dp_report *r, char text[static 32])
{
	snprintf(text, 32, "%.6g", r->bound.conf);
	return text;
}

/* Not 1.22e+03. */
static const char *
about(double x, char text[static 32])
{
	snprintf(text, 32, x >= 1000 && x < 1e15 ? "%.0f" : "%.3g", x);
	return text;
}

/* "the count", "each key's sum" */
static void
subject(const struct dp_report *r, char text[static 80])
{
	const struct dp_options *o = r->o;
	const struct dp_statistic *k = o->task.statistic;
	const char *noun = k != NULL && k->noun != NULL ? k->noun :
	    r->tool->words.noun[!dp_options_ones(o)];

	snprintf(text, 80, "%s %s", dp_options_columns(o, r->tool) > 1 ?
	    "each key's" : r->rmse && r->p->mech->outputs > 1 ? "each" : "the",
	    noun != NULL ? noun : "estimate");
}

/* An answer may be off by more than what is predicted. */
static bool
biased(const struct dp_report *r)
{
	unsigned i;

	for (i = 0; i < r->o->outputs; i++)
		if (r->o->output[i].kind == DP_OUTPUT_BIASED)
			return true;
	return isinf(r->p->mech->off.drift);
}

static void
expect_error(const struct dp_report *r, char text[static DP_TASK_TEXT])
{
	const double rms = dp_report_error(r, r->p->eligible[r->p->chosen].error.max);
	const char *in = r->o->task.statistic != NULL ? r->o->task.statistic->in : NULL;
	const bool still = r->p->eligible[r->p->chosen].error.still;
	char what[80], off[32], at[80], p[32];

	subject(r, what);
	when(r, at);
	if (r->p->ops->answers != NULL)
		snprintf(what, sizeof what, "each symbol's total, told from all answers,");
	snprintf(text, DP_TASK_TEXT, "Expect %s%s %soff by %s %s%s%s, and by no more than "
	    "%.10g%s with probability %s", biased(r) ? "the noise to put " : "", what,
	    biased(r) ? "" : "to be ", still ? "up to about" : "about", about(rms, off),
	    in != NULL ? " " : "", in != NULL ? in : "",
	    r->bound.all, at, probability(r, p));
}

static void
expect_loss(const struct dp_report *r, char text[static DP_TASK_TEXT])
{
	char what[80], at[80], p[32];

	subject(r, what);
	when(r, at);
	probability(r, p);
	if (r->o->output[0].kind != DP_OUTPUT_CHOICE)
		snprintf(text, DP_TASK_TEXT, "Expect %s to be off by no more than %.10g%s with "
		    "probability %s", what, r->bound.all, at, p);
	else
		snprintf(text, DP_TASK_TEXT, "Expect the column chosen to be no more than %.10g "
		    "behind the leader%s%s with probability %s", r->bound.all,
		    r->p->mech->outputs > 1 ? ", and the sum as near to the largest," : "", at, p);
}

void
dp_report_expect(const struct dp_report *r, char text[static DP_TASK_TEXT])
{
	const bool clamps = dp_options_clamps(r->o, r->tool) && r->o->range.apart == NULL;
	char range[DP_RANGE_TEXT], dropped[DP_DROPPED];
	size_t n;

	if (r->o->priv.exact)
		snprintf(text, DP_TASK_TEXT, "Expect no noise: epsilon is inf");
	else if (r->regret)
		snprintf(text, DP_TASK_TEXT, "Expect the choices of %llu steps to cost at most "
		    "%.6g more than the best single column", (unsigned long long)r->p->report,
		    r->bound.all);
	else if (r->rmse)
		expect_error(r, text);
	else
		expect_loss(r, text);
	n = strlen(text);
	if (clamps)
		n += (size_t)snprintf(text + n, DP_TASK_TEXT - n, ", for values clamped to %s",
		    dp_options_range_put(r->o, range));
	if (r->o->users.most != 0)
		dp_options_dropped_end(r->o, r->tool, clamps, dropped);
	else
		snprintf(dropped, sizeof dropped, "%s",
		    clamps ? "; what is cut off is not included" : "");
	snprintf(text + n, DP_TASK_TEXT - n, "%s", dropped);
}

/* num/den, den with no prime factors but 2 and 5. */
const char *
dp_report_within(const struct dp_report *r, char text[static 64])
{
	struct dp_q q = r->o->priv.epsilon;
	unsigned places = 0;

	for (; q.den > 1; places++)
		q = q.den % 10 == 0 ? dp_q_make(q.num, q.den / 10) :
		    q.den % 5 == 0 ? dp_q_make(q.num * 2, q.den / 5) :
		    dp_q_make(q.num * 5, q.den / 2);
	*dp_decimal_put(text, (dp_wide)q.num, places) = '\0';
	return text;
}

const char *
dp_report_warning(const struct dp_report *r, unsigned i)
{
	const struct dp_options *o = r->o;

	if (o->priv.exact)
		return NULL;
	if (dp_q_cmp(o->priv.epsilon, dp_q_make(5, 1)) > 0 && i-- == 0)
		return "epsilon is above 5: somebody who sees the output may be nearly sure "
		    "whether an event was there";
	if (dp_q_cmp(o->priv.delta, dp_q_make(1, 100000)) > 0 && i-- == 0)
		return "delta is above 1e-5: so often the promise may fail altogether, and there "
		    "are many events";
	return NULL;
}
