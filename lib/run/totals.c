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

static char
separator(const struct dp_run *r)
{
	return r->o->print.format == DP_CSV ? ',' : '\t';
}

static int
print_header(struct dp_run *r)
{
	static const char *const name[] = { "step", "symbol", "estimate", "lo", "hi" };
	const bool on[] = { r->o->print.number, true, true, r->o->print.confidence > 0,
	    r->o->print.confidence > 0 };
	char *p;
	int i;

	if (r->o->print.format == DP_LONG)
		return dp_print_header(r);
	if (r->o->print.format != DP_TSV && r->o->print.format != DP_CSV)
		return 0;
	if ((p = dp_out_room(r->print.out, 64)) == NULL)
		return DP_ENOMEM;
	for (i = 0; i < 5; i++)
		if (on[i]) {
			p = stpcpy(p, name[i]);
			*p++ = separator(r);
		}
	p[-1] = '\n';
	return dp_out_line(r->print.out, p);
}

/* The nearest whole number, of what may be far beyond any count if epsilon is tiny. */
static dp_wide
whole(double c)
{
	return (dp_wide)llrint(fmin(fmax(c, -0x1p62), 0x1p62));
}

static char *
put_json(const struct dp_run *r, char *p, const char *symbol, const struct dp_interval *v)
{
	p = stpcpy(p, "{\"step\":");
	p = dp_out_put(r->print.out, p, (dp_wide)r->t);
	p = stpcpy(p, ",\"symbol\":");
	p = dp_print_text(p, symbol, DP_JSON);
	p = stpcpy(p, ",\"estimate\":");
	p = dp_out_put(r->print.out, p, v->est);
	if (r->o->print.confidence > 0) {
		p = stpcpy(p, ",\"lo\":");
		p = dp_out_put(r->print.out, p, v->lo);
		p = stpcpy(p, ",\"hi\":");
		p = dp_out_put(r->print.out, p, v->hi);
	}
	*p++ = '}';
	return p;
}

static char *
put_row(const struct dp_run *r, char *p, const char *symbol, const struct dp_interval *v)
{
	if (r->o->print.number) {
		p = dp_out_put(r->print.out, p, (dp_wide)r->t);
		*p++ = separator(r);
	}
	p = dp_print_text(p, symbol, r->o->print.format);
	*p++ = separator(r);
	p = dp_out_put(r->print.out, p, v->est);
	if (r->o->print.confidence > 0) {
		*p++ = separator(r);
		p = dp_out_put(r->print.out, p, v->lo);
		*p++ = separator(r);
		p = dp_out_put(r->print.out, p, v->hi);
	}
	return p;
}

static char *
put_tidy(struct dp_run *r, char *p, const char *symbol, const struct dp_interval *v)
{
	char number[3][64] = { "", "", "" };
	const struct dp_tidy row = { .t = r->t, .key = symbol, .keyed = true, .statistic = "count",
	    .number = { number[0], number[1], number[2] } };

	*dp_decimal_put(number[0], v->est, 0) = '\0';
	if (r->o->print.confidence > 0) {
		*dp_decimal_put(number[1], v->lo, 0) = '\0';
		*dp_decimal_put(number[2], v->hi, 0) = '\0';
	}
	return dp_print_tidy(r, p, &row);
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
	if ((p = dp_out_room(r->print.out, 6 * strlen(o->keys.name[v]) + 256)) == NULL)
		return DP_ENOMEM;
	if (dp_options_tidy(o))
		return dp_out_line(r->print.out, put_tidy(r, p, o->keys.name[v], &i));
	p = o->print.format == DP_JSON ? put_json(r, p, o->keys.name[v], &i) :
	    put_row(r, p, o->keys.name[v], &i);
	*p++ = '\n';
	return dp_out_line(r->print.out, p);
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
	warn_far(r);
	if ((r->o->form.totals == DP_TOTALS_SIMPLEX &&
	    (e = dp_totals_level(r->totals, &level)) != 0) ||
	    (e = print_header(r)) != 0)
		return e;
	if (r->o->print.format == DP_PROMETHEUS)
		dp_print_again(r, r->t, 0);
	for (v = 0; v < r->o->keys.n; v++)
		if ((e = print_total(r, v, level)) != 0)
			return e;
	return 0;
}
