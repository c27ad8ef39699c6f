/* SPDX-License-Identifier: ISC */
/* words.c - --explain for people. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "job/table.h"
#include "explain.h"
#include "internal.h"

#define LITTLE	((uint64_t)1 << 20)	/* bytes: fewer are not worth a word */

static const char *report_values(const struct dp_report *);

/* The error, before all else. */
static void
print_first(const struct dp_report *r)
{
	char text[DP_TASK_TEXT], epsilon[64];
	const char *warning;
	unsigned i;

	if (r->o->priv.within.num != 0)
		printf("The smallest epsilon for errors within %.10g is %s.\n",
		    dp_q_double(r->o->priv.within), dp_report_within(r, epsilon));
	dp_report_expect(r, text);
	printf("%s.\n", text);
	for (i = 0; (warning = dp_report_warning(r, i)) != NULL; i++)
		printf("Warning: %s.\n", warning);
	printf("\n");
}

void
dp_report_guarantee(const struct dp_report *r, char text[static DP_GUARANTEE])
{
	const struct dp_options *o = r->o;
	const unsigned long long n = r->p->report;
	int k = 0;

	if (o->priv.exact) {
		snprintf(text, DP_GUARANTEE,
		    "No guarantee: epsilon is inf, every estimate is exact.");
		return;
	}
	if (o->form.totals != DP_TOTALS_NO)
		k = snprintf(text, DP_GUARANTEE, "Nothing is released or charged here: totals are "
		    "told from answers that are private already.\nOf the command that made the "
		    "answers: ");
	text += k;
	switch (r->cover) {
	case DP_COVER_LAST:
		snprintf(text, DP_GUARANTEE - (size_t)k,
		    "At every step, everything printed so far is (%s, %s)-differentially "
		    "private for the last %llu steps,\nand shows older ones exactly: %s.",
		    r->text.epsilon, r->text.delta, (unsigned long long)o->task.w[0],
		    r->text.neighbours);
		break;
	case DP_COVER_FADING:
		snprintf(text, DP_GUARANTEE - (size_t)k,
		    "Everything this command prints in %llu steps%s is (%.6g, %s)-"
		    "differentially private;\nan event pays at most epsilon = %s at the "
		    "step it happens, and more as it grows old: %s.", n,
		    o->horizon != 0 ? "" : " (the horizon is unknown)",
		    r->p->mech->ops->drawn.loss(r->p->mech, n - 1), r->text.delta, r->text.epsilon,
		    r->text.neighbours);
		break;
	case DP_COVER_ALL:
		snprintf(text, DP_GUARANTEE - (size_t)k, "Everything this command prints, all "
		    "steps together, is (%s, %s)-differentially private: %s.", r->text.epsilon,
		    r->text.delta, r->text.neighbours);
		break;
	}
}

static void
print_guarantee(const struct dp_report *r)
{
	char text[DP_GUARANTEE];

	dp_report_guarantee(r, text);
	printf("%s\n", text);
	if (r->o->priv.exact)
		return;
	if (dp_report_local(r) && r->p->mech->answers.each > 1)
		printf("Each answer loses 1/%llu of epsilon = %s: who gives up to %llu answers, in "
		    "one run or in several, loses %s in all (--answers), whoever collects "
		    "them.\nWhat is told from the answers (--estimate) costs nothing more.\n",
		    (unsigned long long)r->p->mech->answers.each, r->text.epsilon,
		    (unsigned long long)r->p->mech->answers.each, r->text.epsilon);
	else if (dp_report_local(r))
		printf("Each line is (%s, %s)-locally differentially private: its answer is so by "
		    "itself, before it meets any other.\nWho answers j lines loses j times that.  "
		    "Totals told from the answers (--estimate) cost nothing more.\n",
		    r->text.epsilon, r->text.delta);
	if (r->o->priv.pan)
		printf("Its memory between steps is private too, against one unannounced "
		    "intrusion.\n");
}

static void
print_noise(const struct dp_report *r)
{
	const char *what, *same;
	char text[DP_TASK_TEXT];
	unsigned i, k;
	double b, c;

	if (dp_report_answer(r, text))
		printf("answer        %s\n", text);
	for (i = 0; dp_report_scale(r, i, &b, &what); i += k) {
		for (k = 1; dp_report_scale(r, i + k, &c, &same) && c == b &&
		    strcmp(same, what) == 0; k++)
			;
		printf("noise         %s, scale %.6g, on %s", dp_report_distribution(r, i), b,
		    what);
		if (k > 1)
			printf(" (%u such)", k);
		printf("\n");
	}
}

/* Rows of four steps, of every law. */
static void
print_steps(const struct dp_report *r)
{
	static const char *const name[] = { "first", "middle", "last", "worst" };
	const uint64_t n = r->p->report;
	uint64_t at[] = { 1, (n + 1) / 2, n, 0 };
	const struct dp_mech *m = r->p->mech;
	unsigned i, k;

	for (k = 0; r->rmse && !r->once && k < m->outputs; k += m->estimate.alike) {
		at[3] = dp_report_worst(r, k);
		if (m->outputs > m->estimate.alike)
			printf("\n%s steps", dp_report_law_name(r, k));
		printf("\n%-8s %14s %14s %22s\n", "step", "number", "rms error", "noise interval");
		for (i = 0; i < 4; i++)
			printf("%-8s %14llu %14.6g %14s +-%.6g\n", name[i],
			    (unsigned long long)at[i], dp_report_rmse(r, k, at[i]), "",
			    dp_report_interval(r, k, at[i]));
	}
}

#define ROWS_MAX	24

/* Of one answer: a row for each of its outputs, those with one error together. */
static void
print_answers(const struct dp_report *r)
{
	const unsigned n = r->p->mech->outputs;
	char text[32];
	unsigned i, k, rows = 0;
	double e;

	printf("\n%-16s %14s %22s\n", "answers", "rms error", "noise interval");
	for (i = 0; i < n && rows++ < ROWS_MAX; i = k) {
		e = dp_report_rmse(r, i, 1);
		for (k = i + 1; k < n && dp_report_rmse(r, k, 1) == e; k++)
			;
		if (k == i + 1 && r->o->output[i].name != NULL)
			snprintf(text, sizeof text, "%.30s", r->o->output[i].name);
		else
			snprintf(text, sizeof text, k > i + 1 ? "%u-%u" : "%u", i + 1, k);
		printf("%-16s %14.6g %14s +-%.6g\n", text, e, "",
		    dp_report_interval(r, i, 1));
	}
	if (i < n)
		printf("and %u more\n", n - i);
	if (r->bound.together > 0 && r->bound.together < r->bound.max)	/* else it says nothing */
		printf("\nWith probability %.6g the root mean square of the errors of all answers "
		    "stays below %.6g.\n", r->bound.conf, r->bound.together);
}

static void
print_regret(const struct dp_report *r)
{
	const double most = (double)r->p->report * dp_report_reach(r->o) * r->unit;

	printf("\nIf the costs do not respond to the choices, the choices of %llu steps are "
	    "expected to cost at most\n%.6g more than the best single column does",
	    (unsigned long long)r->p->report, r->bound.all);
	printf(r->bound.all < most ? "; no choices could cost %.10g more.\n" :
	    ": that says nothing, as no choices could cost %.10g more.\n", most);
}

/* Subject of the bound: an estimate's error, or the distance of a chosen column from the best. */
static void
print_loss(const struct dp_report *r)
{
	const bool choice = r->p->ops->answers == NULL &&
	    r->o->output[0].kind == DP_OUTPUT_CHOICE;

	printf("\nWith probability %.6g ", r->bound.conf);
	if (!choice)
		printf("%s stays within +-%.6g", r->o->task.statistic != NULL &&
		    r->o->task.statistic->error != NULL ? r->o->task.statistic->error :
		    "the error", r->bound.all);
	else if (r->p->mech->outputs == 1)
		printf("the column chosen is at most %.6g behind the leader", r->bound.all);
	else
		printf("the column chosen is at most %.6g behind the leader, and the sum as near "
		    "to\nthe largest", r->bound.all);
}

static void
print_bounds(const struct dp_report *r)
{
	if (r->regret) {
		print_regret(r);
		return;
	}
	if (r->once && r->rmse) {
		print_answers(r);
		return;
	}
	print_loss(r);
	if (!r->once)
		printf(" at every one of the %llu %s%s", (unsigned long long)dp_report_printed(r),
		    r->o->print.every == 1 ? "steps" : "estimates printed",
		    r->p->ops->answers != NULL ? r->o->task.statistic->symbols ?
		    ", for each symbol by itself" : "" :
		    r->rmse && (r->p->mech->outputs > r->p->mech->estimate.alike ||
		    dp_options_columns(r->o, r->tool) > 1) ? ", in each column by itself" : "");
	switch (r->lower > 0 ? dp_task_lower(&r->o->task) : DP_LOWER_NONE) {
	case DP_LOWER_ALL:
		printf(";\nno mechanism with this guarantee can promise less than %.6g (%.3g "
		    "times smaller).\n", r->lower, r->bound.all / r->lower);
		if (r->unbiased > 0)
			printf("No unbiased one has an rms error below %.4g, on average over the "
			    "steps (%.3g times smaller).\n", r->unbiased, dp_report_error(r,
			    r->p->eligible[r->p->chosen].error.mean) / r->unbiased);
		break;
	case DP_LOWER_STEP:
		printf(";\nno mechanism with this guarantee can promise an error below %.6g "
		    "at one step (the worst step's interval here\nis %.3g times that).\n",
		    r->lower, r->bound.max / r->lower);
		break;
	case DP_LOWER_PAN:
		printf(";\nno mechanism with this guarantee, memory included, has an rms error "
		    "below %.6g (here it is %.3g times that).\n", r->lower,
		    dp_report_error(r, r->p->eligible[r->p->chosen].error.max) / r->lower);
		break;
	case DP_LOWER_LOCAL:
		printf(";\nno randomiser of single lines with this guarantee can promise less "
		    "than %.6g (%.3g times smaller)\nfor one symbol, at the last of them.\n",
		    r->lower, r->bound.max / r->lower);
		break;
	case DP_LOWER_NONE:
		printf(".\n");
		break;
	}
}

static void
print_eligible(const struct dp_report *r)
{
	const struct dp_plan *p = r->p;
	const struct dp_error *e;
	unsigned i;

	if (p->ops->answers != NULL && r->o->task.statistic->symbols)
		printf("\n%-16s %14s %14s %14s %14s\n", "eligible", "max rms error",
		    "mean rms error", "in no line", "in every line");
	else if (r->rmse)
		printf("\n%-16s %14s %14s\n", "eligible", "max rms error", "mean rms error");
	else
		printf("\n%-16s %14s %14s\n", "eligible",
		    r->regret ? "regret, at most" : "largest loss",
		    r->regret ? "a step" : "mean loss");
	for (i = 0; i < p->n; i++) {
		e = &p->eligible[i].error;
		printf("%-16s %14.6g", p->eligible[i].ops->name, dp_report_error(r, e->max));
		if (isnan(e->mean))
			printf(" %14s", "-");
		else
			printf(" %14.6g", dp_report_error(r, e->mean));
		if (p->ops->answers != NULL && r->o->task.statistic->symbols)
			printf(" %14.6g %14.6g", dp_report_error(r, e->none),
			    dp_report_error(r, e->all));
		printf("%s\n", i == p->chosen ? "  <- chosen" : "");
	}
	for (i = 0; i < p->n; i++)
		if (p->eligible[i].error.still)
			printf("%s: of the worst input, a number that stands still; less of "
			    "others\n", p->eligible[i].ops->name);
	if (p->left != NULL)
		printf("left out: %s %s\n", p->left->name, p->left_why);
}

/* Sensitivity to an identifier, in the mechanism's own words. */
static void
print_sensitivity(const struct dp_report *r)
{
	const double n = dp_report_sensitivity(r);

	printf("sensitivity   %.10g%s\n", n, r->s->inputs != 0 ? "" :
	    n == 1 ? " identifier" : " identifiers");
}

void
dp_explain_text(const struct dp_report *r)
{
	const struct dp_plan *p = r->p;
	const bool wide = r->s->inputs > 1 && r->s->bands == 0;
	const char *list[DP_REPORT_ASSUMPTIONS];
	char all[60] = " a column";
	char text[DP_NOTE];
	unsigned i, count;
	uint64_t age;
	double b;

	print_first(r);
	print_guarantee(r);
	printf("\nestimates     %s\n", r->text.estimates);
	printf("of            %s\n", report_values(r));
	printf("mechanism     %s: %s\n", p->ops->name, p->ops->say.source);
	if (r->o->horizon != 0)
		printf("horizon       %llu step%s\n", (unsigned long long)r->o->horizon,
		    r->o->horizon == 1 ? "" : "s");
	else if (r->once)
		printf("horizon       unknown\n");
	else
		printf("horizon       unknown; figures are for steps 1 to %llu\n",
		    (unsigned long long)p->report);
	if (p->ops->answers == NULL)
		print_sensitivity(r);
	print_noise(r);
	for (i = 0; dp_report_note(r, i, text); i++)
		printf("note          %s\n", text);
	print_steps(r);
	print_bounds(r);
	for (i = 0; dp_report_loss(r, i, &age, &b); i++)
		printf("%s%-16llu %14.6g\n",
		    i == 0 ? "\nWhat an event that many steps ago has lost by now, at "
		    "most:\nsteps ago        loss (epsilon)\n" : "", (unsigned long long)age, b);
	print_eligible(r);
	if (dp_report_memory(r) >= LITTLE)
		snprintf(all, sizeof all, " a column, %.3g MiB in all",
		    (double)dp_report_memory(r) / 0x1p20);
	printf(r->once ? "\nmemory        %zu bytes%.0s\ndraws         %.4g in all\n" :
	    !wide && r->tool->groups & DP_GROUP_KEY ?
	    "\nmemory        %zu bytes%s\ndraws         %.4g a step and column\n" :
	    "\nmemory        %zu bytes%.0s\ndraws         %.4g a step\n",
	    wide ? dp_report_memory(r) : p->mech->column, all, dp_mech_draws(p->mech));
	count = dp_report_assumptions(r, list);
	for (i = 0; i < count; i++)
		printf("%s %s\n", i == 0 ? "\nassumed:     " : "             ", list[i]);
}

/*
 * What a person wants to know first: how far off the output will be, and whether
 * the guarantee is one worth the name.
 */

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

const char *
dp_report_steps(const struct dp_options *o)
{
	return word_of(o)->many;
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

	snprintf(text, 80, "%s %s%s", dp_options_columns(o, r->tool) > 1 ?
	    "each key's" : r->rmse && r->p->mech->outputs > 1 ? "each" : "the",
	    noun != NULL ? noun : "estimate", dp_report_differs(r) ? " less another's" : "");
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
		snprintf(what, sizeof what, "%s, told from all answers,",
		    r->o->task.statistic->symbols ? "each symbol's total" : "the sum");
	snprintf(text, DP_TASK_TEXT, "Expect %s%s %soff by %s %s%s%s, and by no more than "
	    "%.*g%s with probability %s", biased(r) ? "the noise to put " : "", what,
	    biased(r) ? "" : "to be ", still ? "up to about" : "about", about(rms, off),
	    in != NULL ? " " : "", in != NULL ? in : "", r->o->range.finer != 0 ? 6 : 10,
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
		n += (size_t)snprintf(text + n, DP_TASK_TEXT - n, ", for %s %s%s",
		    r->o->range.weight.field.number != 0 ? "ratios within" : "values clamped to",
		    dp_options_range_put(r->o, range), r->o->range.weight.field.number != 0 &&
		    r->o->range.weight.max != NULL ? ", and weights up to MAX" : "");
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

/*
 * Sentences of --explain, in both of its forms.  Tasks and mechanisms have words of their own
 * (counter/mech.h), so none is named here.
 */

/* Sentence on the part of the run that a ledger by time counts; false: no charge. */
static bool
charged(const struct dp_options *o, const struct dp_tool *tool, char *text, size_t size)
{
	char unit[DP_PROTECTED], from[DP_WHEN_TEXT + 1], to[DP_WHEN_TEXT + 1];
	struct dp_buf reads = { .p = NULL };
	int n;

	if (!dp_charge_due(o))
		return false;
	n = snprintf(text, size, "--budget is debited for one %s",
	    dp_options_protected(o, tool, unit));
	if (dp_charge_times(o, tool, &reads)) {
		*dp_when_put(from, o->time.begin, o->time.span.zone) = '\0';
		*dp_when_put(to, o->time.end, o->time.span.zone) = '\0';
		snprintf(text + n, size - (size_t)n, "; in a ledger made with --by-time for the "
		    "buckets from %s to %s alone", from, to);
	} else
		snprintf(text + n, size - (size_t)n, ", and adds up with all other runs that "
		    "protect one");
	dp_buf_free(&reads);
	return true;
}

/*
 * --each-user: what is less than a user's presence costs more (store/fold.c).  Of 1:3 it costs as
 * much: a value that --where does not keep, or that is none, may have been the only one.
 */
static void
part_words(const struct dp_report *r, char text[static 400])
{
	const struct dp_options *o = r->o;
	const double lo = (double)o->range.lo, hi = (double)o->range.hi;
	const bool sum = r->tool->adds == NULL && !dp_options_by_cell(o, r->tool) &&
	    dp_options_step_unit(o);
	const double times = sum ? fmax(1, (hi - lo) / fmax(fabs(lo), fabs(hi))) : 2;
	const char *delta = o->priv.delta.num != 0 ?
	    ", and up to 1 + e^epsilon times delta" : "";

	if (dp_options_linked(o))
		snprintf(text, 400, "what is protected is that a user is read in a step: that "
		    "moves its number there, and the increase that its next reading shows; "
		    "less than all of a step's readings, or others, move the same two by no more");
	else if (dp_options_step_unit(o))
		snprintf(text, 400, "what is protected is that a user is there%s; one of a user's "
		    "several events, or another value, changes what they come to, at up to %.6g "
		    "times epsilon%s", o->users.per_step ? " in a step" : "", times, delta);
	else
		snprintf(text, 400, "the user whole is protected, there or not; anything less, one "
		    "step of a user or one event, at up to 2 times epsilon%s: without it a later "
		    "one counts in its place%s", delta, o->users.counter ?
		    ", and the next increase is another" :
		    o->users.retention == 0 ? "" :
		    ", and without the first one all others are of another age");
}

/* A table that each bucket has while it is open: of a range all are, until its end. */
static const char *
open_bucket(const struct dp_options *o)
{
	return o->time.steps == DP_BY_RANGE && !o->time.once ? "in each bucket, until the input "
	    "ends" : "in an open bucket";
}

/* -c without --each-user. */
static void
user_memory(const struct dp_options *o, const struct dp_tool *tool, char text[static 300])
{
	const bool by_key = dp_options_by_key(o, tool);

	snprintf(text, 300, "a table takes up to 22 bytes of memory for each %s%s %s",
	    by_key ? "identifier" : "user", !o->users.once ? "" : by_key ?
	    ", and for each key of it," : ", and for each name of it,",
	    o->users.per_step ? open_bucket(o) : o->time.once ? "there" : "so far");
}

static void
fold_memory(const struct dp_options *o, const struct dp_tool *tool, char text[static 300])
{
	const char *cell = !dp_options_by_cell(o, tool) ? "" : o->keys.n != 0 ? " and key" :
	    " and name";

	snprintf(text, 300, "a table of users takes up to 33 bytes of memory for each user%s %s%s",
	    cell, open_bucket(o), dp_options_lone(o, tool) ? "" :
	    o->users.per_step ? ", and 22 for the user there" : ", and 22 for each user so far");
	if (o->users.counter)
		snprintf(text + strlen(text), 300 - strlen(text),
		    ", and up to 33 for each user%s so far, for its last reading",
		    o->keys.n != 0 ? " and key" : "");
}

/* Identifiers of each key, in steps: what less than all of one in a step loses; and memory. */
static void
key_words(const struct dp_options *o, char part[static 400], char memory[static 300])
{
	const double K = (double)o->users.most, n = (double)o->keys.n;
	const bool delta = o->priv.delta.num != 0;

	if (n <= K)
		snprintf(part, 400, "what is protected is all that an identifier does in a step, "
		    "there or not; a part of that, or something else, too, as each of its keys "
		    "counts");
	else
		snprintf(part, 400, "what is protected is all that an identifier does in a step, "
		    "there or not; a part of that, or something else, at up to %.6g times "
		    "epsilon%s, as other keys of it count then", delta ? 2 : fmin(2, n / K),
		    delta ? ", and up to 1 + e^epsilon times delta" : "");
	snprintf(memory, 300, "a table takes up to 22 bytes of memory for each identifier and key "
	    "so far, and another up to 22 for each identifier, and each of its keys, in %s",
	    o->time.steps == DP_BY_RANGE ? "a bucket, and up to 80 until it closes" :
	    "an open bucket");
}

/* --explain's list of what is assumed. */
struct assumed {
	const char **text;		/* room for DP_REPORT_ASSUMPTIONS */
	unsigned n;
};

static void
assume(struct assumed *a, const char *text)
{
	a->text[a->n++] = text;
}

/* How the answers come about, other than as the command seems to say. */
static void
assume_run(const struct dp_report *r, struct assumed *a)
{
	const struct dp_options *o = r->o;

	if (r->spare)
		assume(a, o->task.what == DP_TASK_COUNT ?
		    "--ages is not made use of: this mechanism protects every step for ever, at "
		    "a smaller error" :
		    "--expire is not made use of: this mechanism protects every step for ever, at "
		    "a smaller error");
	if (o->priv.exact)
		assume(a, "epsilon is inf: exact answers, NOT PRIVATE");
	if (o->priv.has_seed)
		assume(a, "--seed makes the noise reproducible: NOT PRIVATE");
	if (o->horizon == 0 && !r->once)
		assume(a, "the horizon is unknown: figures are for the reported steps");
}

/* Who is protected, and what of theirs counts. */
static void
assume_unit(const struct dp_report *r, struct assumed *a)
{
	static char dropped[DP_DROPPED], summed[DP_DROPPED], part[400], memory[300];
	static char elements[DP_DROPPED];
	const struct dp_options *o = r->o;

	if (o->id.whole)
		assume(a, "all events of one identifier are protected together; several "
		    "identifiers of one person add up");
	else if (o->id.step)
		assume(a, "what one identifier does in one step is protected as a whole; losses "
		    "of several steps add up, and so do those of several identifiers of one "
		    "person");
	else if (o->range.changes != 0)
		assume(a, "that one event changes no more lines than --holistic says is the "
		    "caller's promise; several events of one person add up");
	else if (o->users.most == 0 && o->range.apart == NULL)
		assume(a, o->keys.most != 0 ? "each event is protected by itself, with all of its "
		    "keys; several events of one person add up" : "each event is protected by "
		    "itself; several events of one person add up");
	if (o->users.per_step)
		assume(a, "a user's events in one step are protected together; those in several "
		    "steps add up");
	if (o->users.each != DP_EACH_NO) {
		part_words(r, part);
		assume(a, part);
		fold_memory(o, r->tool, memory);
		if (!o->shard.partial)
			assume(a, memory);
	}
	if (o->id.keyed) {
		key_words(o, part, memory);
		assume(a, part);
		assume(a, memory);
	} else if (o->users.most != 0 && o->users.each == DP_EACH_NO && !o->shard.partial) {
		user_memory(o, r->tool, memory);
		assume(a, memory);
	}
	if (o->users.most != 0) {
		dp_options_dropped(o, r->tool, dropped);
		assume(a, dropped);
	}
	if (o->keys.each && o->users.most != 0)
		assume(a, "each of an event's keys uses up one of its user's K (-c)");
	if (dp_options_elements(o, elements))
		assume(a, elements);
	if (dp_options_users_summed(o, r->tool, summed))
		assume(a, summed);
}

/* What the caller says about lines and their values. */
static void
assume_values(const struct dp_report *r, struct assumed *a)
{
	static char numbers[160], where[DP_WHERE_TEXT + 40];
	const struct dp_options *o = r->o;
	const struct dp_digits *d = &o->form.digits;
	size_t n;

	if ((d->decimal | d->thousands) != 0) {
		snprintf(numbers, sizeof numbers, d->thousands == '\0' ? "numbers have %s "
		    "before their decimals; one with a point is none" : "numbers have %s before "
		    "their decimals, and may have '%c' between groups of %s; what is "
		    "written otherwise is none", d->decimal != '\0' ? "a comma" : "a point",
		    d->thousands, d->lakh ? "two digits, the last of three" : "three digits");
		assume(a, numbers);
	}
	if (dp_options_either(o)) {
		n = (size_t)snprintf(where, sizeof where, "an event is a line with ");
		(void)dp_options_where_put(o, where + n);
		assume(a, where);
	}
	if (o->range.total != NULL)
		assume(a, "the caller asserts that an event moves a total by no more than --unit; "
		    "what a whole line counts is not protected");
	if (o->range.total != NULL && o->range.weight.field.number != 0)
		assume(a, "an event that moves a value alone (one death more, of as many cases) "
		    "moves twice as much: it is protected at twice this epsilon");
	else if (o->range.total != NULL && o->range.lo < 0 && o->range.hi > 0)
		assume(a, "totals are rounded to the grid, halves away from 0: over 0 that can "
		    "add a grid unit, which the sensitivity has");
	if (o->range.apart != NULL)
		assume(a, "the caller asserts that whatever is to be protected, an event or all "
		    "of a user, moves no answer by more than the sensitivity, nor makes a line one "
		    "that is no answer, or back");
	if (o->range.one_way)
		assume(a, "the caller asserts that it moves all answers one way: none up where it "
		    "moves another down");
	if (o->shard.partial)
		assume(a, o->shard.by_user ?
		    "the caller asserts that all lines of a user are in one "
		    "shard, whose dpmap counted at most so many; a shard whose lines are in "
		    "another one too is counted twice" : "each line is in one shard: those of "
		    "a log that two shards hold are counted, and protected, as twice as many");
}

/* Which buckets there are, and what one holds. */
static void
assume_buckets(const struct dp_report *r, struct assumed *a)
{
	static char gap[120], sum[120], zone[240], zone_in[120], start[120];
	const struct dp_options *o = r->o;

	if (o->time.steps == DP_BY_TIMES) {
		assume(a, "the caller asserts that event times are public, and with them the "
		    "length of lines and which field holds the time: only the content is "
		    "protected");
		snprintf(gap, sizeof gap, "an event with more than %llu empty buckets before it "
		    "has a wrong time, and counts nowhere (--gap)",
		    (unsigned long long)dp_options_gap(o));
		assume(a, gap);
	}
	if (dp_options_cut(o, r->tool, r->p->ops) < (uint64_t)1 << 40) {
		snprintf(sum, sizeof sum, "no bucket's sum is beyond +-%.6g (2^61 grid units): "
		    "it is cut there", ldexp(r->unit, 61));
		assume(a, sum);
	}
	if (o->time.tz != NULL) {
		snprintf(zone, sizeof zone, "buckets%s are those of "
		    "%.64s: of a time that its clocks show twice the first is meant, and one that "
		    "they skip is as much later as they skip",
		    o->time.in.name != NULL ? "" : ", and times without an offset,", o->time.tz);
		assume(a, zone);
	}
	if (o->time.in.name != NULL) {
		snprintf(zone_in, sizeof zone_in, "times without an offset are those of %.64s",
		    o->time.in.name);
		assume(a, zone_in);
	}
	if (o->time.start != NULL) {
		snprintf(start, sizeof start, "buckets begin as --start=%.16s says: days at that "
		    "time of day, weeks on that day", o->time.start);
		assume(a, start);
	}
	if (o->time.steps == DP_BY_CLOCK)
		assume(a, "which buckets exist depends on the wall clock alone");
}

#define SPARSE	((uint64_t)1 << 20)	/* sums: fewer are an array (run/internal.h) */

/* How many bytes the sums of a range take at most, until it ends. */
static void
wait_words(const struct dp_report *r, char text[static 240])
{
	const struct dp_options *o = r->o;
	const uint64_t rows = dp_options_rows(o), sums = dp_options_numbers(o, r->tool);
	const bool sparse = rows >= SPARSE / sums;
	const double all = 8. * (double)rows * (double)sums * (sparse ? 1.25 : 1);
	char each[60] = "", upto[60] = "";

	if (sums > 1)
		snprintf(each, sizeof each, ", %llu numbers each,", (unsigned long long)sums);
	if (sparse)
		snprintf(upto, sizeof upto, ", or 36 for each number that an event is in");
	snprintf(text, 240, "the sums of %llu buckets%s take up to %.3g MiB of memory%s, until the "
	    "input ends", (unsigned long long)rows, each, all / 0x1p20, upto);
}

/* What memory grows with, besides users (user_memory()) and names (dptop's note). */
static void
assume_memory(const struct dp_report *r, struct assumed *a)
{
	static char wait[240];
	const struct dp_options *o = r->o;
	const struct dp_mech_ops *ops = r->p->ops;
	const bool table = (ops->traits & DP_TRAIT_TABLE) != 0;
	const bool ids = (table || ops->open.see != NULL) && !o->id.keyed;
	const bool firsts = (ops->traits & DP_TRAIT_FIRST) != 0 && o->keep.state == NULL;

	if (ids && table)
		assume(a, "a table takes up to 22 bytes of memory for each identifier so far");
	if (o->time.steps != DP_BY_RANGE)
		return;
	if (ids && !firsts)
		assume(a, "each event of an identifier takes 40 to 80 bytes of memory until the "
		    "input ends");
	else if (ops->names.late != NULL) {
		snprintf(wait, sizeof wait, "each of %llu buckets takes up to 22 bytes of memory "
		    "for each of its names, and 200 if it has any, until the input ends",
		    (unsigned long long)dp_options_rows(o));
		assume(a, wait);
	} else if (!o->time.once && dp_options_rows(o) >= LITTLE / 8 /
	    dp_options_numbers(o, r->tool)) {
		wait_words(r, wait);
		assume(a, wait);
	}
}

/* What is given up of old events. */
static void
assume_cover(const struct dp_report *r, struct assumed *a)
{
	switch (r->cover) {
	case DP_COVER_LAST:
		assume(a, "the caller gives up what is older than the expiry: estimates "
		    "show it exactly");
		break;
	case DP_COVER_FADING:
		assume(a, "the caller gives up old events by and by: their loss grows beyond "
		    "epsilon as the curve above says");
		break;
	case DP_COVER_ALL:
		break;
	}
}

#define CSV_ROWS	"the file is well-formed CSV: the text of one record cannot change where " \
	"others begin; a blank row is none"
#define CSV_LINES	"no line is blank, which would be no row, nor holds a carriage return " \
	"before its end, which would end one"
#define CSV_NOTHING	", so 'nothing happened' is a row of value 0"

/* What a budget is debited for, and the form of the input. */
static void
assume_input(const struct dp_report *r, struct assumed *a)
{
	static char budget[DP_PROTECTED + 160];
	const struct dp_options *o = r->o;

	if (charged(o, r->tool, budget, sizeof budget))
		assume(a, budget);
	if (o->form.csv == DP_CSV_ROWS)
		assume(a, o->range.apart != NULL ? CSV_ROWS : CSV_ROWS CSV_NOTHING);
	if (o->form.csv == DP_CSV_LINES)
		assume(a, o->range.apart != NULL ? CSV_LINES : CSV_LINES CSV_NOTHING);
	if (o->form.strict)
		assume(a, "--strict: the place of the first malformed line is outside "
		    "the guarantee");
}

unsigned
dp_report_assumptions(const struct dp_report *r, const char **out)
{
	struct assumed a = { out, 0 };

	assume_run(r, &a);
	assume_unit(r, &a);
	assume_values(r, &a);
	assume_buckets(r, &a);
	assume_memory(r, &a);
	assume_cover(r, &a);
	assume_input(r, &a);
	return a.n;
}

/* What a user's events of a step come to. */
static void
fold_values(const struct dp_options *o, const char *range, const char *grid, char *text,
    size_t size)
{
	static const char *const how[] = { [DP_EACH_SUM] = "the sum", [DP_EACH_MEAN] = "the mean",
	    [DP_EACH_MAX] = "the largest", [DP_EACH_MIN] = "the least",
	    [DP_EACH_FIRST] = "the first", [DP_EACH_LAST] = "the last" };
	const char *of = o->users.counter ? o->keys.n == 0 ? "increases of the value field since "
	    "the user's last reading (after a fall, the reading itself)" : "increases of the value "
	    "field since the user's last reading of that key (after a fall, the reading itself)" :
	    o->form.match == NULL ? "numbers in the value field" :
	    o->form.invert ? "0 for what matches, else 1" : "1 for what matches, else 0";
	const char *key = o->users.retention != 0 ? " and step, by the number of steps since its "
	    "first," : o->keys.n != 0 ? ", step and key" : " and step";
	const char *match = o->form.match == NULL ? "" : o->form.invert ?
	    " that do not match" : " that match";

	if (o->users.each == DP_EACH_ANY)
		snprintf(text, size, "for each user%s 1, if it has events%s%s", key, match,
		    o->form.match != NULL ? ", or 0" : "");
	else if (o->users.each == DP_EACH_COUNT)
		snprintf(text, size, "for each user%s the number of its events%s, clamped to %s "
		    "(-r)", key, match, range);
	else
		snprintf(text, size, "for each user%s %s of the %s, rounded to %s, clamped to %s "
		    "(-r)", key, how[o->users.each], of, grid, range);
}

/* --weight */
static const char *
weighted_values(const struct dp_options *o, const char *range)
{
	static char text[400];
	const char *what = o->form.match != NULL ? "1 or 0, as the line or field matches, times "
	    "the weight" : o->range.weight.times ? "an answer (--of) times its weight" :
	    "a value (-v) and a weight";
	size_t n = (size_t)snprintf(text, sizeof text, "each row's totals: %s, the value between "
	    "LO and HI of %s (-r) times the weight", what, range);

	if (o->range.weight.cap == 0)
		n += (size_t)snprintf(text + n, sizeof text - n, ", and a weight above %.40s made "
		    "that, its value as much smaller", o->range.weight.max);
	snprintf(text + n, sizeof text - n, "; a row counts nowhere if it lacks one of the two, "
	    "or its weight is below 0%s", o->range.total != NULL ? ", or one is no whole number" :
	    "");
	return text;
}

/* What is coarser has less noise: one event moves a sum of zeros and ones by 1, and no less. */
static const char *
zeros_and_ones(const struct dp_report *r)
{
	const struct dp_options *o = r->o;

	return o->range.finer != 0 && o->range.lo == 0 && o->range.places == o->range.finer &&
	    o->range.hi == (int64_t)llround(pow(10, o->range.places)) &&
	    dp_tool_matches(r->tool) ?
	    "; if all values are 0 or 1, -m '^1$' has less noise" : "";
}

/* Words on how a line becomes a value; valid until the next call. */
static const char *
report_values(const struct dp_report *r)
{
	static char clamped[420];
	const struct dp_options *o = r->o;
	char range[DP_RANGE_TEXT], grid[DP_GRID_TEXT];

	dp_options_range_put(o, range);
	dp_options_grid_put(o, grid);
	if (o->shard.symbols)
		return "lines that dpmap counted, of each column and of none";
	if (o->shard.partial) {
		snprintf(clamped, sizeof clamped,
		    "counts of dpmap, of values that it clamped to %s (-r)", range);
		return clamped;
	}
	if (r->tool->words.reads != NULL)
		return r->tool->words.values != NULL ? r->tool->words.values(o) :
		    r->tool->words.reads;
	if (o->range.weight.field.number != 0)
		return weighted_values(o, range);
	if (dp_options_rowed(o)) {
		snprintf(clamped, sizeof clamped, "the numbers of each line, clamped to %s (-r), "
		    "rounded to %s; a line that is malformed counts 0", range, grid);
		return clamped;
	}
	if (o->users.each != DP_EACH_NO) {
		fold_values(o, range, grid, clamped, sizeof clamped);
		return clamped;
	}
	if (o->form.match != NULL)
		return o->form.invert ? "1 for each line or field that does not match, else 0" :
		    "1 for each line or field that matches, else 0";
	if (o->form.value.number == 0 &&
	    (o->time.field.number != 0 || o->keys.field.number != 0 || o->users.field.number != 0))
		return "1 for each line (no value field, no match)";
	snprintf(clamped, sizeof clamped, "the number %s, clamped to %s (-r), rounded to %s%s%s",
	    o->form.value.number != 0 ? "in the value field" : "that a line is", range, grid,
	    o->range.nothing != 0 ? "; a line that has none is no answer: what was printed last "
	    "stands" : o->form.value.number != 0 ? "" : r->tool->adds != NULL ?
	    "; a line that is none is no event" : "; a line that is none counts 0",
	    zeros_and_ones(r));
	return clamped;
}

/* True: every line is private by itself. */
bool
dp_report_local(const struct dp_report *r)
{
	return r->o->task.what == DP_TASK_OWN && r->o->task.statistic->local;
}

/* Draws of a randomiser for a line; false: another kind of mechanism. */
bool
dp_report_answer(const struct dp_report *r, char text[static DP_TASK_TEXT])
{
	const struct dp_answers *a = r->p->ops->answers;

	if (a != NULL)
		a->describe(r->p->mech, text, DP_TASK_TEXT);
	return a != NULL;
}

/* --top, which is not the mechanism's, nor the tool's. */
static bool
top_note(const struct dp_report *r, char text[static DP_NOTE])
{
	const struct dp_options *o = r->o;

	if (!o->given[OPT_TOP])
		return false;
	if (o->print.confidence > 0)
		snprintf(text, DP_NOTE, "keys said to be certain are all among the %llu largest of "
		    "%zu, at any one step with probability %.6g; choosing what is printed costs "
		    "nothing%s", (unsigned long long)o->print.top, o->keys.n, o->print.confidence,
		    o->print.others ? "; the interval of all others holds whichever they are" : "");
	else
		snprintf(text, DP_NOTE, "the %llu largest of %zu keys are printed, which costs "
		    "nothing; noise may have put another in its place",
		    (unsigned long long)o->print.top, o->keys.n);
	return true;
}

/* --difference */
static bool
difference_note(const struct dp_report *r, char text[static DP_NOTE])
{
	const struct dp_options *o = r->o;
	char key[DP_SHOWN_TEXT];

	if (!o->print.difference)
		return false;
	dp_shown(key, o->keys.name[o->print.base], strlen(o->keys.name[o->print.base]));
	snprintf(text, DP_NOTE, "each other key less '%s' is printed, which costs nothing; the "
	    "noise of two keys is independent%s", key, o->print.confidence == 0 ? "" :
	    o->print.sampling ? ", and the interval of noise and sampling is made of both (MOVER): "
	    "of two groups alike 1.4 times as wide as that of one" :
	    r->p->mech->ops->bound.interval == NULL ?
	    ", and the interval by the law of their difference"
	    : ", and the interval made of both (MOVER: exact where errors are normal)");
	return true;
}

/* --margins, --hierarchy */
static bool
margins_note(const struct dp_report *r, char text[static DP_NOTE])
{
	const struct dp_margins *m = r->o->print.table.made;
	size_t i, most = 0;
	double one;

	if (m == NULL || r->p->mech->nodes != 0)	/* which says it itself */
		return false;
	for (i = 0; i < m->n; i++)
		if (m->first[i + 1] - m->first[i] > most)
			most = m->first[i + 1] - m->first[i];
	one = dp_report_error(r, r->p->eligible[r->p->chosen].error.max);
	if (r->p->mech->ops->bound.total != NULL) {
		snprintf(text, DP_NOTE, "%zu totals are printed behind the keys, which costs "
		    "nothing: they are computed of their keys' private numbers added up; of %zu "
		    "keys the errors above are %.4g times as large, and so is the number of events "
		    "below which a mean is left out; counts and sums add up as they are printed",
		    m->n, most, sqrt((double)most));
		return true;
	}
	snprintf(text, DP_NOTE, "%zu totals are printed behind the keys, which costs nothing; a "
	    "total is the sum of its keys' estimates, noise included: of %zu it is typically off "
	    "by %.4g, where a key is by %.4g%s", m->n, most, one * sqrt((double)most), one,
	    m->form == DP_MARGINS_SUMS ? "" : r->o->print.nonnegative ? "; numbers add up, and "
	    "none is below 0: small keys are nearer to the truth than without, large ones of a "
	    "table with many empty keys farther" : "; numbers add up as they are printed");
	return true;
}

/* Notes: no information, the mechanism's, --top's, --difference's, --margins', the tool's. */
bool
dp_report_note(const struct dp_report *r, unsigned i, char text[static DP_NOTE])
{
	const struct dp_mech *m = r->p->mech;
	unsigned n;

	if (dp_blind(r->tool, r->o, r->s, r->p, text) && i-- == 0)
		return true;
	for (n = 0; m->ops->say.note != NULL && m->ops->say.note(m, n, r->unit, text, DP_NOTE); n++)
		if (n == i)
			return true;
	if (top_note(r, text) && n++ == i)
		return true;
	if (difference_note(r, text) && n++ == i)
		return true;
	if (margins_note(r, text) && n++ == i)
		return true;
	if (dp_blind_own(r->tool, r->o, r->s, r->p, text))
		i++;			/* it has been said */
	return r->tool->note != NULL && r->tool->note(r->o, r->s, r->p, i - n, text);
}
