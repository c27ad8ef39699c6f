/* SPDX-License-Identifier: ISC */
/*
 * ledger.c - dpbudget --show: a ledger for people; nothing of it is a command to the terminal.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law/audit.h"
#include "store/budget.h"
#include "explain.h"

static const char *
q(char text[static 48], struct dp_q x)
{
	*dp_q_put(text, x) = '\0';
	return text;
}

/* Parts of a total that are spent, and left. */
static void
show_spent(const struct dp_account *a, bool closed)
{
	struct dp_q epsilon, delta;
	const enum dp_rule rule = dp_account_left(a, &epsilon, &delta);
	char e[48], d[48];

	printf("composition  %s\n", rule == DP_RULE_BASIC ? "basic" : "zCDP");
	printf("spent        epsilon %s, delta %s (basic composition)\n", q(e, a->sum_epsilon),
	    q(d, a->sum_delta));
	if (a->rho.num != 0 && dp_account_fits(a, DP_RULE_ZCDP))
		printf("spent        epsilon %.6g, delta %.6g (zCDP composition)\n",
		    dp_account_spent(a, DP_RULE_ZCDP),
		    dp_q_double(a->half) + dp_q_double(a->besides));
	if (closed)
		epsilon = delta = (struct dp_q){ 0, 1 };
	printf("left         epsilon %s, delta %s\n", q(e, epsilon), q(d, delta));
}

static size_t
charges_of(const struct dp_budget *b, const char *unit)
{
	size_t i, n = 0;

	for (i = 0; i < b->n; i++)
		n += unit == NULL || strcmp(b->charge[i].said[DP_SAID_UNIT], unit) == 0;
	return n;
}

/* Of one total as ever; of several a part for each, which says nothing of the others. */
static void
show_head(const struct dp_budget *b)
{
	const struct dp_total *t;
	char e[48], d[48], unit[DP_UNIT_TEXT];

	if (b->format > 1)
		printf("created      %s\nclosed       %s\n%s", b->created,
		    b->closed != NULL ? b->closed : "-", b->by_time ?
		    "by time      runs over disjoint times, read alike, count the most of them\n" :
		    "");
	for (t = b->total; t < b->total + b->totals; t++) {
		printf("%stotal        epsilon %s, delta %s\n", b->format > 1 ? "\n" : "",
		    q(e, t->account.epsilon), q(d, t->account.delta));
		printf("unit         %s\n", t->unit != NULL ? dp_span_unit(t->unit, unit) : "-");
		if (b->format == 1)
			printf("created      %s\nclosed       %s\n", b->created,
			    b->closed != NULL ? b->closed : "-");
		printf("charges      %zu\n", charges_of(b, t->unit));
		show_spent(&t->account, b->closed != NULL);
	}
	if (b->totals > 1)
		printf("\nEach total is of its own unit alone: what all runs together tell of one "
		    "unit may be more than its total says.\n");
}

static const char *
or_dash(const char *s)
{
	return *s != '\0' ? s : "-";
}

/* Charges that say the same of something: each with the next of them. */
struct chains {
	size_t *next;		/* NONE: it is the last */
	bool *first;
};

#define NONE	SIZE_MAX

struct place {
	const char *text;
	size_t i;
};

static int
by_text(const void *a, const void *b)
{
	const struct place *p = a, *q = b;
	const int c = strcmp(p->text, q->text);

	return c != 0 ? c : (p->i > q->i) - (p->i < q->i);
}

/* A text of charge i; DP_SAIDS: how it reads times. */
static const char *
text_of(const struct dp_budget *b, size_t i, enum dp_said what)
{
	return what == DP_SAIDS ? b->charge[i].reads : b->charge[i].said[what];
}

static void
make_chains(struct chains *c, const struct dp_budget *b, enum dp_said what)
{
	struct place *p = calloc(b->n, sizeof *p);
	size_t i;
	bool same;

	c->next = calloc(b->n, sizeof *c->next);
	c->first = calloc(b->n, sizeof *c->first);
	if (p == NULL || c->next == NULL || c->first == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	for (i = 0; i < b->n; i++)
		p[i] = (struct place){ text_of(b, i, what), i };
	qsort(p, b->n, sizeof *p, by_text);
	for (i = 0; i < b->n; i++) {
		same = i > 0 && strcmp(p[i - 1].text, p[i].text) == 0;
		c->first[p[i].i] = !same;
		c->next[p[i].i] = NONE;
		if (same)
			c->next[p[i - 1].i] = p[i].i;
	}
	free(p);
}

static void
free_chains(struct chains *c)
{
	free(c->next);
	free(c->first);
}

/* Sum that charges of one label, from i on, ask for of one unit (NULL: of any). */
static void
show_label(const struct dp_budget *b, const struct chains *c, size_t i, const char *unit)
{
	struct dp_account a = { .sum_epsilon = { 0, 1 }, .sum_delta = { 0, 1 } };
	char e[48], d[48], one[DP_UNIT_TEXT];
	size_t j, n = 0;

	for (j = i; j != NONE; j = c->next[j])
		if (unit == NULL || strcmp(text_of(b, j, DP_SAID_UNIT), unit) == 0) {
			dp_account_add(&a, &b->charge[j].loss);
			n++;
		}
	if (n == 0)
		return;
	printf("%s\t", or_dash(text_of(b, i, DP_SAID_LABEL)));
	if (unit != NULL)
		printf("%s\t", dp_span_unit(unit, one));
	printf("%zu\t%s\t%s\n", n, q(e, a.sum_epsilon), q(d, a.sum_delta));
}

static void
show_labels(const struct dp_budget *b)
{
	struct chains c;
	size_t i, k;

	make_chains(&c, b, DP_SAID_LABEL);
	printf("\nlabel\t%scharges\tepsilon\tdelta\n", b->format > 1 ? "unit\t" : "");
	for (i = 0; i < b->n; i++)
		for (k = 0; c.first[i] && k < b->totals; k++)
			show_label(b, &c, i, b->format > 1 ? b->total[k].unit : NULL);
	free_chains(&c);
}

/* The unit of a charge, and its times. */
static void
show_where(const struct dp_charge *c)
{
	char from[DP_WHEN_TEXT + 1] = "-", to[DP_WHEN_TEXT + 1] = "-", unit[DP_UNIT_TEXT];

	if (c->begin < c->end) {
		*dp_when_put(from, c->begin, NULL) = '\0';
		*dp_when_put(to, c->end, NULL) = '\0';
	}
	printf("%s\t%s\t%s\t", dp_span_unit(c->said[DP_SAID_UNIT], unit), from, to);
}

static void
show_charges(const struct dp_budget *b)
{
	const struct dp_charge *c;
	char e[48], d[48];
	size_t i;

	printf("\nn\ttime\tlabel\tepsilon\tdelta\t%stool\tmechanism\tuser\thost\tcommand\n",
	    b->format > 1 ? "unit\tfrom\tto\t" : "");
	for (i = 0; i < b->n; i++) {
		c = &b->charge[i];
		printf("%zu\t%s\t%s\t%s\t%s\t", i + 1, c->said[DP_SAID_TIME],
		    or_dash(c->said[DP_SAID_LABEL]), q(e, c->loss.epsilon), q(d, c->loss.delta));
		if (b->format > 1)
			show_where(c);
		printf("%s\t%s\t%s\t%s\t%s\n", c->said[DP_SAID_TOOL],
		    c->said[DP_SAID_MECHANISM], c->said[DP_SAID_USER], c->said[DP_SAID_HOST],
		    c->said[DP_SAID_COMMAND]);
	}
}

/* A text that many charges have, with the numbers of those; "": those have none. */
static void
show_texts(const struct dp_budget *b, enum dp_said what, const char *heading)
{
	struct chains c;
	size_t i, j;

	make_chains(&c, b, what);
	printf("\nn\t%s\n", heading);
	for (i = 0; i < b->n; i++) {
		if (!c.first[i] || *text_of(b, i, what) == '\0')
			continue;
		printf("%zu", i + 1);
		for (j = c.next[i]; j != NONE; j = c.next[j])
			printf(",%zu", j + 1);
		printf("\t%s\n", text_of(b, i, what));
	}
	free_chains(&c);
}

/* Texts that a ledger owns, for a terminal. */
static void
make_plain(struct dp_budget *b)
{
	size_t i;
	int k;

	for (i = 0; i < b->n; i++)
		for (k = 0; k < DP_SAIDS + (b->format > 1); k++)
			dp_plain((char *)(uintptr_t)(k < DP_SAIDS ? b->charge[i].said[k] :
			    b->charge[i].reads));
	for (i = 0; i < b->totals; i++)
		dp_plain(b->total[i].unit);
	dp_plain(b->created);
	dp_plain(b->closed);
}

void
dp_ledger_show(struct dp_budget *b)
{
	make_plain(b);
	show_head(b);
	if (b->n == 0)
		return;
	show_labels(b);
	show_charges(b);
	show_texts(b, DP_SAID_PROTECTS, "protects");
	if (b->by_time)
		show_texts(b, DP_SAIDS, "reads");
}

/* Dpaudit's result, on standard output. */

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
