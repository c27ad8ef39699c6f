/* audit.c - dpaudit's result, on standard output. */
#include <math.h>
#include <stdio.h>

#include "audit.h"

double
dp_audit_alpha(struct dp_q confidence)
{
	return (double)(confidence.den - confidence.num) / (double)confidence.den;
}

static void
print_event(const struct dp_audit_rows *rows, const struct dp_audit *e)
{
	const char *sign = e->above ? ">=" : "<=";

	printf("event\t");
	if (e->combined)
		printf("all numbers of the output, weighted, %s %.6g\n", sign, e->threshold);
	else if (e->column == DP_AUDIT_STATUS)
		printf("the exit status (as wait(2) has it) %s %.0f\n", sign, e->threshold);
	else if (e->column == DP_AUDIT_SAID)
		printf("bytes on standard error %s %.0f\n", sign, e->threshold);
	else if (e->column == DP_AUDIT_WORDS)
		printf("words of the output %s %.0f\n", sign, e->threshold);
	else
		printf("word %zu of the output%s %s %.6g\n", e->column - DP_AUDIT_WORD + 1,
		    dp_audit_rows_texts(rows, e->column) ? ", its texts ranked," : "", sign,
		    e->threshold);
}

static void
print_q(const char *what, struct dp_q q)
{
	printf("%s\t%.12g\n", what, dp_q_double(q));
}

/*
 * Largest epsilon that the runs can show: the bound of an event that always comes on one input
 * alone.
 */
static void
print_limits(const struct dp_audit_claim *a, const struct dp_audit *e)
{
	const double alpha = dp_audit_alpha(a->confidence) / 2;
	const double l = dp_audit_lower(e->runs, e->runs, alpha) - dp_q_double(a->delta);
	const double most = l > 0 ? fmax(log(l / dp_audit_upper(0, e->runs, alpha)), 0) : 0;

	printf("limits\tso many runs show a loss of %.4g at most%s; of this pair alone; "
	    "not refuted is no proof\n", most, dp_q_double(a->epsilon) >= most ?
	    ", and cannot refute the claim (--runs)" : "");
}

bool
dp_audit_print(const struct dp_audit_claim *a, const struct dp_audit_rows *rows,
    const struct dp_audit *e)
{
	const bool refuted = e->epsilon > dp_q_double(a->epsilon);

	print_event(rows, e);
	printf("counted\t%llu of %llu on %s, %llu of %llu on %s\n",
	    (unsigned long long)e->likely, (unsigned long long)e->runs,
	    a->pair[e->first ? 0 : 1], (unsigned long long)e->unlikely,
	    (unsigned long long)e->runs, a->pair[e->first ? 1 : 0]);
	print_q("confidence", a->confidence);
	printf("epsilon\t>= %.6g\n", e->epsilon);
	print_q("claimed", a->epsilon);
	printf("verdict\t%s\n", refuted ? "refuted" : "not refuted");
	print_limits(a, e);
	return refuted;
}
