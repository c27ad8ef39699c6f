/* SPDX-License-Identifier: ISC */
/* dpproject - private answers to a matrix of linear queries about records, all at the end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/options.h"
#include "run/driver.h"
#include "stat/project.h"

enum { QUERIES, COMPLETE, SYMMETRIC };

static const struct dp_own own[] = {
	[QUERIES] = { 0, "queries", "FILE",
	    "a row a query, a column a kind of record, entries from 0 to 1 (CSV)", DP_KIND_FILE,
	    .adds = true },
	[COMPLETE] = { 0, "complete", NULL,
	    "project as if each line were a record of a column", DP_KIND_FLAG, .adds = true },
	[SYMMETRIC] = { 0, "symmetric", NULL,
	    "project as the book does, as if counts could be negative", DP_KIND_FLAG },
	{ .name = NULL }
};

/* Name of a record: its column's, or its number from 1. */
static void
name_columns(struct dp_question *ask, const struct dp_matrix *m)
{
	char **name = calloc(m->columns, sizeof *name), number[32];
	size_t i;

	for (i = 0; name != NULL && i < m->columns; i++) {
		snprintf(number, sizeof number, "%zu", i + 1);
		name[i] = strdup(m->column != NULL ? m->column[i] : number);
		if (name[i] == NULL)
			break;
	}
	if (name == NULL || i < m->columns)
		dp_die(DP_EX_SYSTEM, "out of memory");
	dp_options_alphabet(ask, name, m->columns);
}

/* Not so with -P, as the nearest answers would be those of memory that is exact. */
static bool
projects(const struct dp_options *o)
{
	static const char *const bare[] = { "laplace", "gauss", "counts", "pan", "pan-gauss" };
	size_t i;

	for (i = 0; i < sizeof bare / sizeof bare[0]; i++)
		if (strcmp(o->priv.mechanism, bare[i]) == 0)
			return false;
	return !o->priv.pan;
}

/* --unit: rows are totals; one event moves one of them by at most so many grid units. */
static uint64_t
moved(const struct dp_options *o, const struct dp_matrix *m, bool bare)
{
	const uint64_t range = (uint64_t)o->range.hi - (uint64_t)o->range.lo;

	if (o->range.total == NULL)
		return 0;
	if (o->own[COMPLETE].text != NULL || o->own[SYMMETRIC].text != NULL)
		dp_die(DP_EX_USAGE, "--%s: refused with --unit: what totals sum to is not public, "
		    "as the number of lines is", own[o->own[COMPLETE].text != NULL ? COMPLETE :
		    SYMMETRIC].name);
	if (o->range.lo < 0 && !bare)
		dp_die(DP_EX_USAGE, "--unit: totals below 0 (--range) are not projected: give "
		    "-M counts, laplace or gauss");
	if (dp_range_places(&o->range) + m->places > DP_PLACES_MAX)
		dp_die(DP_EX_USAGE, "--unit: %u decimals of values and %u of --queries are more "
		    "than %d together", dp_range_places(&o->range), m->places, DP_PLACES_MAX);
	return o->range.unit < range ? o->range.unit : range;
}

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	static struct dp_matrix m;
	static struct dp_queries q;
	const struct dp_own_value *v = &o->own[QUERIES];
	const bool bare = !projects(o);
	struct dp_moves moves = { .l1 = 0 };
	char why[DP_MATRIX_WHY];
	uint64_t unit;
	unsigned i;
	int e;

	if (v->text == NULL)
		dp_die(DP_EX_USAGE, "--queries=FILE is required: a CSV file, a row a query, a "
		    "column a kind of record");
	if (o->own[COMPLETE].text != NULL && o->own[SYMMETRIC].text != NULL)
		dp_die(DP_EX_USAGE, "--complete and --symmetric do not go together");
	/* a line that counts nowhere would be made up for by others: 502 where 1 is true */
	if (o->own[COMPLETE].text != NULL &&
	    (o->users.most != 0 || o->form.conditions != 0))
		dp_die(DP_EX_USAGE, "--complete: refused with %s", o->users.most != 0 ?
		    "--user (lines of a user beyond the first K are records of no column)" :
		    "--where (lines that do not match are records of no column)");
	if (bare && (o->own[COMPLETE].text != NULL || o->own[SYMMETRIC].text != NULL))
		dp_die(DP_EX_USAGE, "--%s: %s%s does not project", own[o->own[COMPLETE].text !=
		    NULL ? COMPLETE : SYMMETRIC].name, o->priv.pan ? "--pan-private" : "-M ",
		    o->priv.pan ? "" : o->priv.mechanism);
	if (o->print.confidence > 0 && !bare && o->print.explain == DP_EXPLAIN_NO)
		dp_die(DP_EX_USAGE, "--bound: projected answers have no interval; -M laplace, "
		    "gauss, counts, and -P, have one");
	if ((e = dp_matrix_read(&m, v->file, v->size, why)) == 0)
		e = dp_moves_find(&moves, &m, o->users.most != 0 || o->range.total != NULL,
		    DP_MOVES_WORK);
	if (e == DP_ENOMEM)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (e != 0)
		dp_die(DP_EX_USAGE, "--queries: %s: %s", v->text, why);
	unit = moved(o, &m, bare);
	q = (struct dp_queries){ .matrix = &m, .totals = unit != 0,
	    .hull = o->own[COMPLETE].text != NULL ? DP_HULL_ALL :
	    o->own[SYMMETRIC].text != NULL ? DP_HULL_SIGNED : DP_HULL_SOME,
	    .most = moves.most * (unit != 0 ? unit : o->users.most != 0 ? o->users.most : 1),
	    .counts = unit != 0 ? unit : o->users.most != 0 ? o->users.most :
	    m.columns > 1 ? 2 : 1 };
	if (o->shard.symbols && unit != 0)
		dp_die(DP_EX_USAGE, "--unit: refused with %s: totals by key are those of dpcount "
		    "--unit, which has parts", o->shard.partial ? "--partial" : "--for=dpproject");
	ask->shard.adds = o->own[COMPLETE].text != NULL ? "dpproject complete" : "dpproject";
	ask->task.what = DP_TASK_OWN;
	ask->task.statistic = &dp_linear;
	ask->task.own = &q;
	ask->range.places = (unit != 0 ? dp_range_places(&o->range) : 0) + m.places;
	ask->range.coarser = unit != 0 ? m.places : 0;
	ask->range.l1 = moves.l1;
	ask->range.l2squared = moves.l2squared;
	ask->range.counts = q.counts;
	name_columns(ask, &m);
	ask->outputs = (unsigned)m.rows;
	for (i = 0; i < ask->outputs; i++)
		dp_options_output(ask, i, m.row != NULL ? m.row[i] : NULL,
		    bare ? DP_OUTPUT_ESTIMATE : DP_OUTPUT_BIASED);
}

/* Of n lines, each a column or nothing: n times the query's largest entry. */
static double
reach(const struct dp_options *o, const struct dp_plan *p, unsigned out)
{
	const struct dp_matrix *m = ((const struct dp_queries *)o->task.own)->matrix;
	int32_t most = 0;
	size_t i;

	(void)p;
	for (i = 0; i < m->columns; i++)
		most = dp_matrix_column(m, i)[out] > most ? dp_matrix_column(m, i)[out] : most;
	return o->horizon == 0 ? INFINITY : (double)o->horizon * (double)most *
	    (o->range.total != NULL ? (double)o->range.hi : 1) *
	    pow(10, -(double)o->range.places);
}

/* Some answers are sums of others, and need not add up. */
static bool
adds_up(const struct dp_options *o, const struct dp_plan *p, char text[static DP_NOTE])
{
	const struct dp_matrix *m = ((const struct dp_queries *)o->task.own)->matrix;
	const bool each = strncmp(p->ops->name, "projected", 9) != 0 &&
	    strcmp(p->ops->name, "book") != 0;
	bool found;

	if (strcmp(p->ops->name, "counts") == 0 || o->priv.exact ||
	    dp_queries_dependent(&found, m, DP_DEPENDENT_WORK) != 0 || !found)
		return false;
	snprintf(text, DP_NOTE, "some queries are sums or differences of others, and their answers "
	    "need not add up: each %s%s", each ? "has noise of its own" : "is rounded by itself",
	    o->priv.pan ? "" : "; those of -M counts add up");
	return true;
}

static bool
tells(const struct dp_options *o, const struct dp_mech_rule *rule, const struct dp_plan *p,
    unsigned i, char text[static DP_NOTE])
{
	(void)rule;
	return i == 0 && o->print.explain == DP_EXPLAIN_NO && adds_up(o, p, text);
}

static bool
note(const struct dp_options *o, const struct dp_mech_rule *rule, const struct dp_plan *p,
    unsigned i, char text[static DP_NOTE])
{
	(void)rule;
	if (o->range.total != NULL && strncmp(p->ops->name, "projected", 9) == 0 && i-- == 0) {
		snprintf(text, DP_NOTE, "answers are moved to the nearest that totals of at least "
		    "0 can have; what these sum to is nowhere used");
		return true;
	}
	return i == 0 && adds_up(o, p, text);
}

static const char *
values(const struct dp_options *o)
{
	(void)o;
	return "a record of the kind that a column of the matrix is named after, or none";
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dpproject",
		.purpose = "Print how many records fall under each of many overlapping queries "
		    "(groups, ranges), at the end, with differential privacy.",
		.synopsis = "--queries=FILE ",
		.examples =
		    "  printf '%s\\n' query,200,404,500 failed,0,1,1 all,1,1,1 >groups.csv\n"
		    "  dpproject -e 1 --queries=groups.csv -v status --log=combined access.log",
		.groups = DP_GROUP_VALUE | DP_GROUP_WHERE | DP_GROUP_USER | DP_GROUP_STATE |
		    DP_GROUP_BOUND | DP_GROUP_NONNEGATIVE | DP_GROUP_PAN |
		    DP_GROUP_RANGE | DP_GROUP_UNIT | DP_GROUP_PARTIAL,
		.words.noun = { "answer", "answer" },
		.own = own, .shape = DP_SHAPE_SYMBOL, .prints = DP_PRINT_END, .rows = "query",
		.task = task, .reach = reach, .note = note, .tells = tells,
		.words.reads = "symbol", .words.values = values,
		.words.unknown = "no column of --queries is named",
		.lists = { { "", DP_TASK_OWN, &dp_linear } }
	};

	return dp_tool_main(&tool, argc, argv);
}
