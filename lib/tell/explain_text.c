/*
 * explain_text.c - --explain for people.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "explain.h"

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
		    "differentially private;\nan event pays epsilon = %s at the step it "
		    "happens, and more as it grows old: %s.", n,
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
	if (dp_report_local(r))
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
	const uint64_t n = r->p->report, at[] = { 1, (n + 1) / 2, n, r->bound.step };
	const struct dp_mech *m = r->p->mech;
	unsigned i, k;

	for (k = 0; r->rmse && !r->once && k < m->outputs; k += m->estimate.alike) {
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
		    r->p->ops->answers != NULL ? ", for each symbol by itself" :
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

	if (p->ops->answers != NULL)
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
		if (p->ops->answers != NULL)
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
	char text[DP_NOTE];
	unsigned i, count;
	uint64_t age;
	double b;

	print_first(r);
	print_guarantee(r);
	printf("\nestimates     %s\n", r->text.estimates);
	printf("of            %s\n", dp_report_values(r));
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
		    i == 0 ? "\nWhat an event that many steps ago, or more, has lost by "
		    "now:\nsteps ago        loss (epsilon)\n" : "", (unsigned long long)age, b);
	print_eligible(r);
	printf(r->once ? "\nmemory        %zu bytes\ndraws         %.4g in all\n" :
	    !wide && r->tool->groups & DP_GROUP_KEY ?
	    "\nmemory        %zu bytes a column\ndraws         %.4g a step and column\n" :
	    "\nmemory        %zu bytes\ndraws         %.4g a step\n",
	    wide ? dp_report_memory(r) : p->mech->column, dp_mech_draws(p->mech));
	count = dp_report_assumptions(r, list);
	for (i = 0; i < count; i++)
		printf("%s %s\n", i == 0 ? "\nassumed:     " : "             ", list[i]);
}
