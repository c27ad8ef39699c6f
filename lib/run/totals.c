/*
 * totals.c - --estimate: every line is the answer of a local randomiser (local/local.h), and when
 * they end the totals are printed, a line for each symbol.
 *
 * Answers are private already, so all of this is post-processing: nothing is drawn or charged, and
 * a message may say that a line was no answer.
 */
#include <math.h>
#include <string.h>

#include "ask/relation.h"
#include "roads.h"

#define FAR	1e-6		/* how seldom totals are farther out, if the options are right */

int
dp_total_begin(struct dp_run *r)
{
	return dp_totals_new(&r->totals, r->plan.mech);
}

int
dp_total_add(struct dp_run *r, struct dp_event *v)
{
	if (r->o->horizon != 0 && r->t == r->o->horizon)
		return DP_EHORIZON;
	if (v->why == NULL &&
	    !dp_totals_add(r->totals, v->text, v->value != 0 ? (int64_t)v->column : -1))
		v->why = "is no answer under these options";
	if (v->why == NULL)
		r->t++;
	else
		r->stray = true;
	return 0;
}

/* The nearest whole number, of what may be far beyond any count if epsilon is tiny. */
static dp_wide
whole(double c)
{
	return (dp_wide)llrint(fmin(fmax(c, -0x1p62), 0x1p62));
}

/* level: what all totals are lowered by. */
static int
print_total(struct dp_run *r, size_t v, double level)
{
	const struct dp_options *o = r->o;
	const double c = dp_totals_estimate(r->totals, v) - level;
	struct dp_interval i = { .est = whole(o->print.nonnegative ? fmax(c, 0) : c) };
	int64_t lo, hi;
	char *p;

	if (o->print.confidence > 0) {
		dp_totals_interval(r->totals, v, 1 - o->print.confidence, &lo, &hi);
		i.lo = lo;
		i.hi = hi;
	}
	if ((p = dp_out_room(r->print.out, 4096 + 4 * strlen(o->keys.name[v]))) == NULL)
		return DP_ENOMEM;
	return dp_out_line(r->print.out,
	    dp_print_row(r, p, r->t, 0, 0, o->keys.name[v], &i, NULL, NULL));
}

/* The answers are private, and so is what is said of their totals. */
static void
warn_far(const struct dp_run *r)
{
	if (!r->o->print.quiet && dp_totals_far(r->totals, FAR))
		dp_warn("--estimate: totals are farther below 0, or above the number of answers, "
		    "than chance makes them once in a million times: were the answers made with "
		    "another --epsilon, --domain or --mechanism?");
}

int
dp_total_end(struct dp_run *r)
{
	double level = 0;
	size_t v;
	int e;

	/* the answers are private, and so is whatever is told from them: also that none is one */
	if (r->stray && r->t == 0)
		dp_die(DP_EX_INPUT, "--estimate: none of the lines is an answer under these "
		    "options: --domain, --epsilon and --mechanism are to be those of the answers, "
		    "plain and one a line");
	if (r->stray && !r->o->print.quiet)
		dp_warn("lines that are no answers under these options are left out; --strict "
		    "says where the first is");
	dp_totals_end(r->totals);
	r->o->output[0].kind = DP_OUTPUT_ESTIMATE;
	warn_far(r);
	if ((r->o->form.totals == DP_TOTALS_SIMPLEX &&
	    (e = dp_totals_level(r->totals, &level)) != 0) ||
	    (e = dp_print_header(r)) != 0)
		return e;
	if (r->o->print.format == DP_PROMETHEUS)
		dp_print_again(r, r->t, 0);
	for (v = 0; v < r->o->keys.n; v++)
		if ((e = print_total(r, v, level)) != 0)
			return e;
	return 0;
}
