/* SPDX-License-Identifier: ISC */
/* check.c - what the options say together: refusals. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "stat/margins.h"
#include "internal.h"
#include "table.h"

static const char *dp_keys_line(const char **p, size_t *n);

/*
 * What the options say together: refusals, a row each.
 *
 * A rule is about facts: an option that is given, what the tool is, what other options come to.
 * What no facts say, as it goes by values or names them, is a function in its row's place: a run
 * says the first that it breaks.
 */

/* A fact and when it holds, of the options o and the tool. */
#define FACTS(X) \
	X(ALWAYS, true) \
	/* what is protected, and drawn */ \
	X(EPSILON, o->priv.has_epsilon) X(EPSILON_GIVEN, o->given['e']) \
	X(EXACT, o->priv.exact) X(SEED, o->priv.has_seed) X(HORIZON, o->horizon != 0) \
	X(PAN, o->priv.pan) X(PAN_GIVEN, o->given['P']) X(BUDGET, o->priv.budget != NULL) \
	X(RECEIPT, o->keep.receipt != NULL) X(SIGN, o->keep.sign != NULL) \
	X(WITHIN, o->priv.within.num != 0) X(REPORT, o->priv.report != 0) \
	X(USER, o->users.field.number != 0) \
	X(PEOPLE, o->users.field.number != 0 || o->shard.by_user != 0) \
	X(PER_USER, o->users.most != 0) \
	X(PER_STEP, o->users.per_step) X(SPACING, o->users.spacing != 0) \
	X(SPACING_GIVEN, o->users.spacing_text != NULL) \
	X(EACH_USER, o->users.each != DP_EACH_NO) X(ANY, o->users.each == DP_EACH_ANY) \
	X(COUNTED, o->users.each == DP_EACH_COUNT) X(RETENTION, o->users.retention != 0) \
	X(COUNTER, o->users.counter) X(ADDED, o->users.each == DP_EACH_SUM) \
	X(SINGLE, o->users.each == DP_EACH_NO) X(DROPPED, o->given[OPT_DROPPED]) \
	X(HOLISTIC, o->range.changes != 0) \
	X(RANGE_GIVEN, o->given['r']) X(AUTO, o->range.magnitudes) X(UNIT, o->range.total != NULL) \
	/* how a line is read */ \
	X(CSV, o->form.csv) X(JSON, o->form.json) \
	X(JSON_OUTER, o->form.outer != NULL && o->form.outer->pattern == NULL) \
	X(CUT, o->form.cut != NULL) \
	X(ANY_LOG, dp_options_any_log(o)) X(FORMED, dp_options_formed(o)) \
	X(WHERE, o->form.where != NULL) \
	X(LET, o->form.lets.text != NULL) \
	X(WEIGHT, o->range.weight.field.number != 0) X(TIMES, o->range.weight.times) \
	X(MAX, o->range.weight.max != NULL) X(VALUE_GIVEN, o->given['v']) \
	X(VALUE, o->form.value.number != 0) X(VALUE_ELSEWHERE, value_elsewhere(o)) \
	X(MATCH, o->form.match != NULL) \
	X(MATCH_HOW, o->form.fixed || o->form.icase || o->form.invert) \
	X(KEY, o->keys.field.number != 0) X(KEYS, o->keys.n != 0) \
	X(ONE_FIELD, o->keys.more == 0) \
	X(KEYED, dp_options_keyed(o, tool)) X(ELEMENTS, o->keys.each) \
	X(ELEMENTS_ALONE, o->keys.each && o->users.field.number == 0) \
	X(ELEMENTS_CAP, o->keys.most != 0) \
	X(KEYS_GIVEN, o->given[OPT_KEYS]) X(OTHER, o->keys.other != NULL) \
	X(OTHER_GIVEN, o->given[OPT_OTHER]) X(COLUMNS, o->keys.columns != 0) \
	X(ONES, o->keys.ones != 0) X(MANY, (o->keys.columns | o->keys.n) != 0) \
	X(PARTIAL, o->shard.partial) X(BY_USER, o->shard.by_user != 0) \
	X(EXPECT, o->shard.expect != 0) X(SEVERAL_FILES, several_files(o)) \
	X(PACKED, packed(o)) \
	/* times and steps */ \
	X(TIME, o->time.field.number != 0) X(TIME_GIVEN, o->given['t']) \
	X(CLOCK, o->time.clock.number != 0) X(FORMAT, o->time.format != NULL) \
	X(FORMAT_GIVEN, o->given[OPT_FORMAT]) \
	X(EPOCH, o->time.format != NULL && (strcmp(o->time.format, "epoch") == 0 || \
	    strcmp(o->time.format, "excel") == 0)) \
	X(TZ, o->time.tz != NULL) X(TZ_IN, o->time.in.name != NULL) \
	X(START, o->time.start != NULL) \
	X(TZ_GIVEN, o->given[OPT_TZ]) X(BUCKET, o->time.bucket != 0) \
	X(BUCKET_GIVEN, o->given[OPT_BUCKET]) X(ONCE, o->time.once) X(FROM, o->time.has_from) \
	X(TO, o->time.has_to) X(IN_ORDER, o->time.from < o->time.to) X(GAP, o->time.gap != 0) \
	X(LATENESS, o->time.lateness != 0) X(STEPS, o->time.steps != DP_BY_LINE) \
	X(BY_RANGE, o->time.steps == DP_BY_RANGE) X(BY_CLOCK, o->time.steps == DP_BY_CLOCK) \
	X(BY_TIMES, o->time.steps == DP_BY_TIMES) \
	X(RANGES, o->time.steps == DP_BY_RANGE && o->keep.state != NULL && !o->time.once) \
	X(BUCKETS, o->time.bucket != 0 && o->time.steps == DP_BY_RANGE) \
	/* what is printed, and kept */ \
	X(PROMETHEUS, o->print.format == DP_PROMETHEUS) \
	X(IN_CSV, o->print.format == DP_CSV || o->print.format == DP_LONG) \
	X(SAFE, o->print.safe != DP_SAFE_UNDECLARED) X(LINE_BUFFERED, o->print.line_buffered) \
	X(SAMPLING, o->print.sampling) X(INDEPENDENT, o->print.independent) \
	X(BOUND, o->print.confidence > 0) X(MONOTONE, o->print.monotone) \
	X(DIFFERENCE, o->print.difference) \
	X(TOTALLED, o->print.table.margins || o->print.table.hierarchy != NULL) \
	X(HIERARCHY, o->print.table.hierarchy != NULL) \
	X(ROUNDED, o->print.table.integers || o->print.table.round != 0) \
	X(TOP, o->given[OPT_TOP]) X(EVERY, o->given[OPT_EVERY]) X(AT_END, o->given[OPT_AT_END]) \
	X(EXPLAIN, o->print.explain != DP_EXPLAIN_NO) X(CHECK, o->print.check) \
	X(NONNEGATIVE, o->print.nonnegative) X(LATER, o->keep.state != NULL && !o->keep.init) \
	X(STATE, o->keep.state != NULL) X(INIT, o->keep.init) X(CHANGE, o->keep.change) \
	X(OUT, o->keep.out != NULL) X(BATCH, o->keep.batch != NULL) \
	X(WITNESS, o->keep.witness != NULL) X(SEEN, o->keep.seen) \
	/* the tool, and what it asks */ \
	X(MAP, tool->map) X(BEFORE, tool->prints == DP_PRINT_BEFORE) \
	X(TAKES_AUTO, (tool->groups & DP_GROUP_AUTO) != 0) \
	X(TAKES_KEY, (tool->groups & DP_GROUP_KEY) != 0) \
	X(MARKED, o->given[OPT_DECIMAL] || o->given[OPT_THOUSANDS] || o->given[OPT_NUMBERS]) \
	X(TAKES_TOTALS, (tool->groups & DP_GROUP_UNIT) != 0) \
	X(ADDS, tool->adds != NULL) X(COUNTS, tool->adds == NULL) \
	X(ONE, tool->shape == DP_SHAPE_NUMBER || tool->shape == DP_SHAPE_CONTRIBUTIONS) \
	X(CONTRIBUTES, tool->shape == DP_SHAPE_CONTRIBUTIONS) \
	X(QUANTILES, (tool->groups & DP_GROUP_MATCH) != 0 && !dp_tool_matches(tool)) \
	X(VECTOR, tool->shape == DP_SHAPE_VECTOR) \
	X(KEYED_VECTOR, tool->shape == DP_SHAPE_VECTOR && o->keys.field.number != 0) \
	X(SYMBOL, tool->shape == DP_SHAPE_SYMBOL) \
	X(NAME, tool->shape == DP_SHAPE_NAME) X(ID, tool->shape == DP_SHAPE_ID) \
	X(CHOICES, choices_alone(o)) \
	X(FORGETS, dp_task_cover(&o->task) != DP_COVER_ALL) X(OUTPUTS, o->outputs > 1)

enum fact {
	FACT_NONE,		/* ends a list */
#define NUMBER_OF(fact, holds)	FACT_##fact,
	FACTS(NUMBER_OF)
	FACT_ALL
};

/* A list of facts, of a rule, is F(ONE) F(OTHER); 0 is an empty one. */
enum { LIST = 12 };
#define F(fact)		FACT_##fact,

_Static_assert(FACT_ALL <= UINT8_MAX, "a fact is a byte of a list");

/* Not 1 and the name of the first: input/event.c knows that, once it has read a header. */
static bool
same(const struct dp_field *a, const struct dp_field *b)
{
	return a->name != NULL && b->name != NULL ? strcmp(a->name, b->name) == 0 :
	    a->name == b->name && a->number != 0 && a->number == b->number;
}

/* A total of a line stands in a field that says which line it is, too. */
static bool
value_elsewhere(const struct dp_options *o)
{
	const struct dp_field *const others[] = { &o->time.field, &o->time.clock, &o->keys.field,
	    &o->keys.then[0], &o->keys.then[1], &o->keys.then[2] };
	size_t i;

	for (i = 0; i < sizeof others / sizeof *others; i++)
		if (same(&o->form.value, others[i]) || same(&o->range.weight.field, others[i]))
			return true;
	return false;
}

static bool
several_files(const struct dp_options *o)
{
	return o->operands.n != 1 || strcmp(o->operands.file[0], "-") != 0;
}

static bool
packed(const struct dp_options *o)
{
	size_t stem;
	int i;

	for (i = 0; i < o->operands.n; i++)
		if (dp_packed_by(o->operands.file[i], &stem) != NULL)
			return true;
	return false;
}

/* Outputs are names of columns, and no estimates. */
static bool
choices_alone(const struct dp_options *o)
{
	unsigned i;

	for (i = 0; o->output != NULL && i < o->outputs; i++)
		if (o->output[i].kind != DP_OUTPUT_CHOICE)
			return false;
	return o->output != NULL && o->form.totals == DP_TOTALS_NO;
}

static void
facts_of(const struct dp_options *o, const struct dp_tool *tool, bool f[FACT_ALL])
{
#define HOLDS(fact, holds)	f[FACT_##fact] = (holds);
	FACTS(HOLDS)
}

static bool
all_hold(const bool *f, const uint8_t *list)
{
	int i = 0;

	while (i < LIST && list[i] != FACT_NONE && f[list[i]])
		i++;
	return i == LIST || list[i] == FACT_NONE;
}

static bool
one_holds(const bool *f, const uint8_t *list)
{
	int i = 0;

	while (i < LIST && list[i] != FACT_NONE && !f[list[i]])
		i++;
	return i < LIST && list[i] != FACT_NONE;
}

bool
dp_options_formed(const struct dp_options *o)
{
	return o->form.cut != NULL || o->form.json;
}

bool
dp_options_cuts(int c)
{
	const struct dp_row *row = dp_table_find(c);

	return row != NULL && row->cuts != DP_CUTS_NOT;
}

bool
dp_options_apart(int c, int d)
{
	const struct dp_row *a = dp_table_find(c), *b = dp_table_find(d);

	if (c == d || a == NULL || b == NULL)
		return false;
	if (a->cuts == DP_CUTS_LINE || b->cuts == DP_CUTS_LINE)
		return a->cuts != DP_CUTS_NOT && b->cuts != DP_CUTS_NOT;
	return (c == OPT_TSV && (d == OPT_CSV || d == OPT_DELIMITER)) ||
	    (d == OPT_TSV && (c == OPT_CSV || c == OPT_DELIMITER));
}

static void
check_state_there(const struct dp_options *o, const struct dp_tool *tool)
{
	(void)tool;
	need(o->priv.has_epsilon || !o->keep.init || o->keep.state == NULL ||
	    access(o->keep.state, F_OK) != 0,
	    "--init: %s exists already; without --init the run goes on with it", o->keep.state);
}

static void
check_pan(const struct dp_options *o, const struct dp_tool *tool)
{
	const char *why = o->priv.pan ? dp_options_no_pan(o) : NULL;

	(void)tool;
	need(why == NULL, "--pan-private: refused with %s", why);
}

/* Of a time without a year only one may lie in the range. */
static void
check_year(const struct dp_options *o, const struct dp_tool *tool)
{
	const bool named = o->form.log != NULL && o->time.format == o->form.log->time_format;

	(void)tool;
	need(o->time.format == NULL || strcmp(o->time.format, "syslog") != 0 ||
	    (named && !o->form.log->yearless) ||
	    o->time.to <= dp_when_year_later(o->time.from, dp_options_zone_in(o)),
	    "--time-format=syslog: times like 'May  1 12:00:00' have no year, so --from and --to "
	    "are a year apart at most; for lines whose times have one give "
	    "--time-format=iso, or '%%b %%d %%H:%%M:%%S %%Y'");
}

/* A record whose fields have names is no number as a whole: it would count 0. */
static void
check_value(const struct dp_options *o, const struct dp_tool *tool)
{
	need(!(o->form.json || (o->form.csv && o->form.header)) || o->form.value.number != 0 ||
	    o->form.match != NULL || o->form.conditions != 0 || o->shard.partial ||
	    (o->time.field.number | o->keys.field.number | o->users.field.number) != 0,
	    dp_tool_matches(tool) ?
	    "--value: which field has the number (-v NAME)? To count %s give -m ." :
	    "--value: which field of %s has the number (-v NAME)?",
	    o->form.json ? "lines" : "rows");
}

/* A record whose fields have names is hardly ever an identifier, a symbol or a name as a whole. */
static void
check_name(const struct dp_options *o, const struct dp_tool *tool)
{
	const bool value = (tool->groups & DP_GROUP_VALUE) != 0;
	const struct dp_field *f = value ? &o->form.value : &o->keys.field;

	if ((tool->shape != DP_SHAPE_SYMBOL || o->range.total != NULL) &&
	    tool->shape != DP_SHAPE_NAME && tool->shape != DP_SHAPE_ID)
		return;
	need(!(dp_options_formed(o) || o->form.header) || f->number != 0 || o->shard.partial ||
	    (o->keep.state != NULL && !o->keep.init),
	    "--%s: which field has the %s (-%c NAME)? A %s has several",
	    value ? "value" : "key", tool->words.reads, value ? 'v' : 'k',
	    o->form.json ? "JSON object" : o->form.csv ? "row" : "line");
}

/* A range wider than 0:1 of values that are 0 or 1 is noise for nothing. */
static void
warn_range(const struct dp_options *o)
{
	const bool ones = o->users.each == DP_EACH_NO && (o->form.match != NULL ||
	    (o->form.value.number == 0 && (o->time.field.number | o->keys.field.number |
	    o->users.field.number) != 0));
	char range[DP_RANGE_TEXT];
	int64_t one = 1;
	unsigned i;

	for (i = 0; i < o->range.places; i++)
		one *= 10;
	if (!ones || !o->given['r'] || o->shard.partial || o->range.total != NULL ||
	    (o->keep.state != NULL && !o->keep.init) || o->range.lo > 0 || o->range.hi < one ||
	    (o->range.lo == 0 && o->range.hi == one) || o->print.quiet)
		return;
	dp_warn("--range: %s counts 1, and the noise of %s is for nothing: leave -r out; for a "
	    "sum, -v names the field, and --where chooses lines",
	    o->form.match != NULL ? "what matches (-m)" : "a line without -v",
	    dp_options_range_put(o, range));
}

/* A statistic of values asks for -v by itself. */
static void
check_one(const struct dp_options *o, const struct dp_tool *tool)
{
	if (tool->shape == DP_SHAPE_NUMBER || tool->shape == DP_SHAPE_CONTRIBUTIONS)
		check_value(o, tool);
	if (tool->shape == DP_SHAPE_NUMBER ||
	    (tool->shape == DP_SHAPE_CONTRIBUTIONS && (o->form.match != NULL ||
	    tool->adds->beyond != NULL)) ||
	    (tool->shape == DP_SHAPE_VECTOR && o->keys.field.number != 0))
		warn_range(o);
}

static void
check_ones(const struct dp_options *o, const struct dp_tool *tool)
{
	need(tool->shape != DP_SHAPE_VECTOR || o->keys.ones <= dp_options_width(o),
	    "--ones: there are only %zu columns", dp_options_width(o));
}

#define ELEMENTS_CURE	"jq makes a line of each, which is an event then: " \
	"jq -c '.ARRAY[] as $x | . + {x: $x}', and x is the field"

/* A name needs what has names; with --json a number is none. */
static void
check_field(const struct dp_options *o, const struct dp_field *f)
{
	need(o->form.header || dp_options_formed(o) || f->name == NULL || o->shard.partial ||
	    f->number > DP_FIELDS_MAX,
	    "'%s' is the name of a field: names need -H, --cut, --log or --json", f->name);
	need(!o->form.json || f->name == NULL || strstr(f->name, "[]") == NULL ||
	    (f == &o->keys.field && o->keys.each),
	    "--json: '%s': all elements of an array are several texts, and this is one, but for a "
	    "single --key; " ELEMENTS_CURE " (one of them is ARRAY[0])", f->name);
	need(!o->form.json || f->number == 0 || f->name != NULL,
	    "--json: fields have names, and %u is a number", f->number);
}

/* The fields of -v and -u, each by itself. */
static void
check_fields(const struct dp_options *o, const struct dp_field *f, const struct dp_fields *several)
{
	unsigned i;

	if (several->n == 0)
		check_field(o, f);
	for (i = 0; i < several->n; i++)
		check_field(o, &several->part[i]);
}

/* The options that say how a line is cut, and what names its fields. */
static void
check_form(const struct dp_options *o, const struct dp_tool *tool)
{
	static const int form[] = { OPT_CUT, OPT_LOG, OPT_LOG_FORMAT, OPT_JSON, OPT_CSV, OPT_TSV,
		'F', 'H' };
	const struct dp_field *const field[] = { &o->time.field, &o->time.clock, &o->keys.field,
	    &o->keys.then[0], &o->keys.then[1], &o->keys.then[2] };
	const size_t n = sizeof form / sizeof *form;
	size_t i, j;

	(void)tool;
	for (i = 0; i < n; i++)
		for (j = i + 1; j < n; j++)
			need(!o->given[form[i]] || !o->given[form[j]] ||
			    !dp_options_apart(form[i], form[j]),
			    "--%s and --%s do not go together%s", dp_table_name(form[i], NULL),
			    dp_table_name(form[j], NULL), i != 0 || form[j] != OPT_LOG ? "" :
			    ": either says what the fields are (--log=list says which)");
	for (i = 0; i < sizeof field / sizeof *field; i++)
		check_field(o, field[i]);
	check_fields(o, &o->form.value, &o->form.several);
	check_fields(o, &o->users.field, &o->users.several);
	check_field(o, &o->range.weight.field);
	for (i = 0; i < o->form.conditions; i++)
		check_field(o, &o->form.condition[i].field);
	for (i = 0; i < o->form.lets.n; i++)
		check_field(o, &o->form.lets.made[i].from);
}

/* A key that no field can be. */
static void
check_keys(const struct dp_options *o, const struct dp_tool *tool)
{
	char text[DP_SHOWN_TEXT];
	size_t i;

	(void)tool;
	if (o->keys.field.number == 0 || o->form.delimiter != -1 || o->form.csv ||
	    dp_options_formed(o) || o->print.quiet)
		return;
	for (i = 0; i < o->keys.n; i++)
		if (o->keys.name[i][strcspn(o->keys.name[i], " \t")] != '\0')
			dp_warn("--keys: '%s' has a blank in it, and counts nothing: fields end at "
			    "blanks (unless -F, --csv or --tsv says otherwise)",
			    dp_shown(text, o->keys.name[i], strlen(o->keys.name[i])));
}

/* -v A,B: a value is in one field; but a header may have one of that name. */
static void
check_one_value(const struct dp_options *o, const struct dp_tool *tool)
{
	need(o->form.several.n == 0 || tool->words.reads != NULL || o->form.header,
	    "--value: '%s' names several fields, and a value is in one", o->form.value.name);
}

/* A file of keys that was given as a key. */
static void
check_key_file(const struct dp_options *o, const struct dp_tool *tool)
{
	(void)tool;
	if (!o->print.quiet && o->keys.n == 1 && o->given[OPT_KEYS] && o->keys.list[0] != '@' &&
	    access(o->keys.name[0], F_OK) == 0)
		dp_warn("--keys: one key, '%s', which is also a file: --keys=@%s has its lines as "
		    "keys", o->keys.name[0], o->keys.name[0]);
}

/* Fault of --time-format, for a message after its text; NULL: none. */
static const char *
format_fault(const struct dp_options *o)
{
	struct dp_when w;

	return dp_when_rule(&w, o->time.format) == 0 ? NULL : dp_when_refused(o->time.format);
}

static void
check_format(const struct dp_options *o, const struct dp_tool *tool)
{
	const char *why = o->time.format != NULL ? format_fault(o) : NULL;

	(void)tool;
	need(why == NULL, "--time-format: '%s' %s", o->time.format, why);
}

/* Bytes of numbers, which must be told apart, and from what ends a field. */
static void
check_numbers(const struct dp_options *o, const struct dp_tool *tool)
{
	const struct dp_ask_form *f = &o->form;
	const char point = f->digits.decimal != '\0' ? f->digits.decimal : '.';
	const int ends = f->csv && f->delimiter < 0 ? ',' : f->delimiter;

	(void)tool;
	need(!o->given[OPT_NUMBERS] || !(o->given[OPT_DECIMAL] || o->given[OPT_THOUSANDS]),
	    "--numbers: refused with --decimal and --thousands, which it stands for");
	need(f->digits.thousands != point, "--thousands=%c: %c is what stands before the decimals, "
	    "unless --decimal=%c says otherwise", point, point, point == '.' ? ',' : '.');
	need(f->digits.decimal == '\0' || ends != f->digits.decimal, "%s: fields end at "
	    "commas, and so would numbers; if they are separated by another byte, -F says by which "
	    "(--csv -F ';')", o->given[OPT_NUMBERS] ? "--numbers" : "--decimal=,");
	need(f->digits.thousands == '\0' || f->csv || dp_options_formed(o) ||
	    (ends != f->digits.thousands && !(ends < 0 && f->digits.thousands == ' ')),
	    "--%s: fields end there, and so would numbers; --csv reads those that are in quotes",
	    o->given[OPT_NUMBERS] ? "numbers" : "thousands");
}

static void
check_empty_key(const struct dp_options *o, const struct dp_tool *tool)
{
	size_t i;

	(void)tool;
	for (i = 0; o->keys.field.number == 0 && i < o->keys.n; i++)
		need(*o->keys.name[i] != '\0', "--keys: \"\" is the empty key, which needs --key");
}

static void
warn_keys(const struct dp_options *o, const struct dp_tool *tool)
{
	(void)tool;
	if (o->given[OPT_KEYS] || o->given[OPT_DOMAIN])
		dp_options_keys_warn(o, &o->keys, o->given[OPT_KEYS] ? "keys" : "domain");
}

/* The key that is taken from the others. */
static void
check_base(const struct dp_options *o, const struct dp_tool *tool)
{
	char text[DP_SHOWN_TEXT];

	(void)tool;
	if (!o->print.difference)
		return;
	need(o->keys.n > 1, "--difference needs two keys, or more");
	need(o->print.base < o->keys.n, "--difference: '%s' is none of the keys",
	    dp_shown(text, o->print.less, strlen(o->print.less)));
}

/* The row of all others. */
static void
check_others(const struct dp_options *o, const struct dp_tool *tool)
{
	size_t i;

	(void)tool;
	for (i = 0; o->print.others && i < o->keys.n; i++)
		need(strcmp(o->keys.name[i], DP_OTHERS) != 0, "--top=K+: the key '" DP_OTHERS
		    "' has the name of all others");
}

/* Totals with noise of their own: of counts, and of sums of values that are none below 0. */
static void
check_own_margins(const struct dp_options *o, const struct dp_tool *tool)
{
	const struct dp_margins *m = o->print.table.made;

	if (m == NULL || m->share.num == 0)
		return;
	need((tool->groups & DP_GROUP_ROUND) != 0, "--margins=F: of means there are totals "
	    "without F: leave F out; a mean is a ratio, and no interval is known of one whose "
	    "parts are fitted to noise of two kinds (dpcount has F, of sums with -v)");
	need(o->keys.more < 2, "--margins=F: refused with more than two fields: of three there are "
	    "seven kinds of totals, and %d can have noise of their own; leave F out, or give -k "
	    "two fields", DP_MARGINS_LEVELS);
	need(m->levels != 0, "--margins=F: refused with two fields whose keys are not a whole "
	    "table (--keys=A,B/C,D), and with more than %d levels of totals; leave F out",
	    DP_MARGINS_LEVELS);
	need(o->time.bucket != 0, "--margins=F: a line is a step here, and has one key: give "
	    "--bucket or --once, or leave F out");
	need(o->range.lo >= 0, "--margins=F: values below 0 are refused (--range): leave F out");
	need(!o->priv.pan && !o->keys.each && o->range.total == NULL &&
	    !o->given[OPT_COUNTER] && !o->given[OPT_DROPPED], "--margins=F: refused with -P, keys "
	    "of an array, --unit, --counter and --dropped; leave F out");
}

/* Totals that the form of the keys does not allow. */
static void
check_margins(const struct dp_options *o, const struct dp_tool *tool)
{
	const struct dp_margins *m = o->print.table.made;

	check_own_margins(o, tool);
	need(o->print.table.hierarchy == NULL || o->keys.more == 0, "--hierarchy is of one field: "
	    "of the several of -k there are totals without it (--margins)");
	need(m == NULL || !o->print.nonnegative || m->form != DP_MARGINS_SUMS, "--nonnegative: "
	    "refused with --margins of more than two fields, or of two whose keys are not a whole "
	    "table (--keys=A,B/C,D): no cell below 0, and all totals right, is for those alone");
}

static void
check_spaced(const struct dp_options *o, const struct dp_tool *tool)
{
	(void)tool;
	need((o->users.spacing == 0 && o->users.retention == 0) ||
	    o->users.most <= UINT32_MAX / dp_options_spaced_steps(o),
	    "--per-user=%s: K times the %llu steps of the horizon must be below 2^32",
	    o->users.spacing != 0 ? "K/B" : "K with --retention", (unsigned long long)o->horizon);
}

/* A user has one number in a step, or one for each key: allowed more, noise is for nothing. */
static void
check_each_user(const struct dp_options *o, const struct dp_tool *tool)
{
	const bool keyed = o->keys.field.number != 0 || dp_options_by_cell(o, tool);

	need(o->users.each == DP_EACH_NO || o->users.most == 1 || keyed ||
	    !dp_options_step_unit(o), "--each-user: a user counts once in a step, and more than "
	    "%s would be noise for nothing", o->users.per_step ? "-c 1/step" : "-c 1 with --once");
}

/* --dropped: of each step, or of all of a run that is one; and a share is no number of events. */
static void
check_dropped(const struct dp_options *o, const struct dp_tool *tool)
{
	(void)tool;
	need(!o->given[OPT_DROPPED] || dp_options_step_unit(o), "--dropped: refused with -c K of "
	    "the whole run: give -c K/step, whose share of each step is told, or --once without "
	    "--state, where all is one step");
	need(!o->given[OPT_DROPPED] || !(o->given[OPT_INTEGERS] || o->given[OPT_ROUND] ||
	    o->given[OPT_SUPPRESS]), "--dropped: refused with --integers, --round and --suppress, "
	    "which are of numbers of events, and a share is none; leave them out, or --dropped");
}

/*
 * -c 1/step: what is protected moves one later step alone if no user's steps are mixed in the input
 * (store/fold.c).
 */
static void
check_counter(const struct dp_options *o, const struct dp_tool *tool)
{
	const bool mixed = !o->time.once && (o->time.steps == DP_BY_RANGE ||
	    (o->time.steps == DP_BY_CLOCK && o->time.lateness != 0));

	(void)tool;
	need(!dp_options_linked(o) || !mixed, "--counter: -c 1/step needs steps that follow one "
	    "another in the input: refused with --from and --to, and with a lateness of --live; "
	    "leave those out, or give -c N (the user whole, who counts in N steps)");
	need(!o->users.counter || !o->given['r'] || o->range.magnitudes || o->range.lo == 0,
	    "--counter: the range of an increase begins at 0: -r 0:MAX, the largest that a user's "
	    "may come to in a step");
}

#define KEYS_TOGETHER	"--key and --keys go together: -k FIELD --keys=A,B,C, or --keys=@FILE " \
	"with one a line (keys are public and declared)"
#define USERS_TOGETHER	"--user and --per-user go together: at most K events of a user count, " \
	"and are protected, in each step (-u FIELD -c K/step, with --bucket), or in the whole " \
	"run (-u FIELD -c K)"
#define SIGNED_TOGETHER	"--receipt=FILE and --sign=KEY are given together"
#define RANGE_TOGETHER	"--from and --to go together: the buckets are from the one to the other"
#define TIMES_IN_BUCKETS "--time and --time-format need --bucket"
#define TO_EXPLAIN	"--within and --report need --explain"
#define TOTAL_IN_FIELD	"--unit needs --value, the field that holds the total (else a line " \
	"counts 1)"

/*
 * Where all of `given' hold, one of `needs' must, if there are any, and none of `never' may; or, in
 * their place, a function that exits if something else is wrong.
 */
static const struct rule {
	uint8_t given[LIST], needs[LIST], never[LIST];
	const char *why;
	/* Options, with blanks between, that are refused as well; what stands behind their name. */
	const char *each, *rest;
	void (*check)(const struct dp_options *, const struct dp_tool *);
	int stage;		/* 1 + that of the rows behind this one; 0: it is a rule */
} rules[] = {
#define STAGE(name)			{ .stage = DP_STAGE_##name + 1 },
#define RULE(given, needs, never, why)	{ { given }, { needs }, { never }, why, 0, 0, 0, 0 },
#define EACH(given, each, why, rest)	{ { given }, { 0 }, { 0 }, why, each, rest, 0, 0 },
#define CHECK(function)			{ .check = function },
	STAGE(SAMPLE)
	/* --check */
	RULE(F(CHECK) F(EPSILON), 0, F(EPSILON_GIVEN), "--check takes no --epsilon: give it in "
	    "the place of -e, and lines that are public (nothing private is released)")
	RULE(F(CHECK), 0, F(STATE), "--check: refused with --state (it needs none)")
	RULE(F(ANY_LOG), F(CHECK), 0, "--log=auto: a private run does not guess from the data; "
	    "--check --log=auto names the form of a few lines that are no secret")
	EACH(F(ANY_LOG), "value key keys user per-user time match where let bucket from to",
	    "--log=auto says which log lines are of, and reads no field: leave out --", "")
	RULE(F(CHECK), 0, F(EXPLAIN), "--check and --explain do not go together")
	RULE(F(CHECK), 0, F(PARTIAL), "--check: refused with --partial (events were read by dpmap)")
	STAGE(PARTIAL)
	/* --partial */
	RULE(F(PARTIAL) F(EACH_USER), F(BY_USER), 0, "--each-user: needs --partial=by-user, "
	    "which says that all lines of a user are in one shard, whose dpmap has folded them")
	RULE(F(EXPECT), F(PARTIAL), 0, "--expect says how many shards --partial adds up, and "
	    "needs it")
	EACH(F(PARTIAL), "user value time time-format tz-in delimiter csv tsv header "
	    "decimal thousands cut log log-format json let where strict columns ones", "--",
	    ": refused with --partial (events were read by dpmap)")
	/* of contributions -m says that values are 1 or 0 */
	EACH(F(PARTIAL) F(COUNTS), "match", "--", ": refused with --partial (events were read by "
	    "dpmap)")
	/* several fields say which keys have a total in common */
	EACH(F(PARTIAL) F(ONE_FIELD), "key", "--", ": refused with --partial (events were read by "
	    "dpmap); give --keys without --key, the same as dpmap's")
	RULE(F(PARTIAL), F(BUCKETS) F(SYMBOL), 0,
	    "--partial needs --bucket, --from and --to, or --once")
	RULE(F(PARTIAL) F(BY_USER), F(PER_USER), 0, "--partial=by-user needs --per-user, dpmap's")
	RULE(F(PARTIAL) F(PER_USER), F(BY_USER), 0, "--per-user: needs --partial=by-user, which "
	    "says that all lines of a user are in one shard (else each shard may count as many of "
	    "them)")
	RULE(F(PARTIAL), 0, F(PAN_GIVEN), "--pan-private: refused with --partial: a checksum of "
	    "all rows is in memory, and private memories of several shards cannot be made one "
	    "without more noise; one memory goes from log to log, with --state and without "
	    "--partial")
	RULE(F(PARTIAL) F(BY_USER) F(STATE), F(PER_STEP), 0,
	    "--partial=by-user: refused with --state (no dpmap knows what an earlier one has "
	    "counted of a user), but for --per-user=K/step")
	RULE(F(PARTIAL), 0, F(SPACING_GIVEN), "--per-user=K/B: refused with --partial (a dpmap "
	    "does not know a user's last event of another one)")
	STAGE(DROPPED)
	/* --dropped */
	RULE(F(DROPPED), 0, F(PARTIAL), "--dropped: refused with --partial: a dpmap has left those "
	    "events out already, and does not say how many")
	RULE(F(DROPPED), 0, F(AUTO), "--dropped: refused with -c auto and --range=auto, which "
	    "leave out whole users, not single events; give -c K/step, and -r LO:HI for a sum")
	RULE(F(DROPPED), 0, F(UNIT), "--dropped: refused with --unit: a line is a total over "
	    "many users there, and -c leaves out events of one")
	RULE(F(DROPPED), 0, F(COUNTER), "--dropped: refused with --counter: all of a user's "
	    "readings of a step are in its increase there")
	RULE(F(DROPPED), 0, F(EACH_USER), "--dropped: refused with --each-user, where all of a "
	    "user's events in a step count and none is left out; give one of the two")
	RULE(F(DROPPED), F(PER_USER), 0, "--dropped is the share of events that --per-user leaves "
	    "out, and needs it: -u FIELD -c K/step, with --bucket; or -u FIELD -c K, with --once")
	RULE(F(DROPPED), 0, F(SPACING), "--dropped: refused with -c K/B: what it leaves out of "
	    "the whole run has no end; give -c K/step")
	CHECK(check_dropped)
	RULE(F(DROPPED), 0, F(KEY) F(KEYS), "--dropped: refused with --key and --keys: -c is of "
	    "a user's events of all keys together; run it without them, or with --where for one of "
	    "them")
	RULE(F(DROPPED), 0, F(MONOTONE), "--dropped: refused with --monotone: a share rises and "
	    "falls; leave --monotone out")
	STAGE(AUTO)
	/* -r auto */
	RULE(F(AUTO) F(MAP), F(TAKES_AUTO), 0, "--range=auto: which numbers a value adds to is "
	    "said by --for=dpcount, dpwindow or dpdecay")
	RULE(F(AUTO), F(TAKES_AUTO), 0, "--range=auto: only dpcount, dpwindow and dpdecay have it")
	RULE(F(AUTO) F(SINGLE), 0, F(MATCH), "--range=auto: with --match every event is 1")
	RULE(F(AUTO), 0, F(UNIT), "--range=auto: refused with --unit, whose numbers are sums of "
	    "values")
	RULE(F(AUTO), 0, F(BOUND) F(MONOTONE), "--range=auto: refused with --bound and "
	    "--monotone: the range changes from step to step, and no interval covers what it "
	    "cuts off; give -r LO:HI")
	STAGE(LIST)
	/* dpmap --identifiers */
	EACH(F(ALWAYS), "key keys other range unit match user per-user", "--identifiers: refused "
	    "with --", ": a line is an identifier, the field that -v names")
	STAGE(IDS)
	/* identifiers: dpdistinct with --key, and without it */
	RULE(F(PARTIAL), 0, F(KEY), "--partial: refused with --keys: dpmap --identifiers does not "
	    "say of which key")
	EACH(F(PARTIAL), "statistic tau share deletes flips updates", "--partial: refused with "
	    "--", "")
	RULE(F(KEYS_GIVEN), F(KEY), 0, "--keys needs --key, the field that holds the key")
	RULE(F(OTHER_GIVEN), F(KEY), 0, "--other needs --key")
	RULE(F(PER_USER), F(KEY), 0, "--per-user: with --key, in how many keys one identifier "
	    "counts; without it an identifier counts once")
	RULE(F(KEY), F(VALUE), 0, "--key needs --value, the field that holds the identifier")
	RULE(F(KEY), F(PER_USER), 0, "--key needs --per-user=K: one identifier counts in at most "
	    "K of the keys, and the noise grows with K")
	RULE(F(KEY), 0, F(SPACING) F(SPACING_GIVEN), "--per-user=K/B: refused with --key: an "
	    "identifier counts once for a key")
	RULE(F(KEY), 0, F(PAN_GIVEN), "--pan-private: refused with --key (who was seen of which "
	    "key is remembered exactly)")
	RULE(F(KEY), 0, F(EVERY) F(AT_END), "--every and --at-end: refused with --key; --once "
	    "answers once")
	STAGE(ALL)
	/* all options: what is protected, and drawn */
	CHECK(check_state_there)
	RULE(0, F(EPSILON) F(WITHIN), 0, "--epsilon is required: the total privacy loss of "
	    "everything printed")
	/* --retention, and --each-user */
	RULE(F(LET) F(VECTOR), F(KEY), 0, "--let: refused here: all of a line are numbers; with "
	    "--key it has fields")
	RULE(F(RETENTION), F(USER), 0, "--retention needs --user, the field that says whose an "
	    "event is")
	RULE(F(RETENTION), 0, F(KEY) F(KEYS_GIVEN) F(OTHER_GIVEN), "--retention: refused with "
	    "--key, --keys and --other: the columns are steps since a user's first")
	RULE(F(RETENTION), 0, F(ONCE), "--retention: refused with --once: in one step nobody comes "
	    "back; it needs --bucket")
	RULE(F(RETENTION), 0, F(PARTIAL), "--retention: refused with --partial: which step is a "
	    "user's first is not in the sums of a shard")
	RULE(F(RETENTION), F(ANY), 0, "--retention needs --each-user=any: a user counts once in a "
	    "step")
	RULE(F(RETENTION), 0, F(PER_STEP), "--retention: refused with -c K/step: in which "
	    "columns a user counts depends on its first step, so all of its steps are protected "
	    "together; give -c K, the steps in which a user counts")
	RULE(F(RETENTION), 0, F(SPACING) F(SPACING_GIVEN), "--retention: refused with -c K/B: "
	    "give -c K, the steps in which a user counts")
	RULE(F(RETENTION), F(PER_USER), 0, "--retention needs -c K, the steps in which a user "
	    "counts: the user whole is protected, at K times the noise of one")
	RULE(F(COUNTER), F(USER) F(PARTIAL), 0, "--counter needs --user, the field "
	    "that says whose reading it is")
	RULE(F(COUNTER), F(VALUE) F(PARTIAL), 0, "--counter needs --value, the field "
	    "that has the reading")
	RULE(F(COUNTER), 0, F(MATCH), "--counter: refused with --match: a reading is a number")
	RULE(F(COUNTER), 0, F(RETENTION), "--counter: refused with --retention, which looks at who "
	    "is there")
	RULE(F(COUNTER), 0, F(UNIT), "--counter: refused with --unit: what counts is how much a "
	    "reading rose")
	RULE(F(COUNTER), 0, F(OTHER) F(OTHER_GIVEN), "--counter: refused with --other, in which "
	    "a user's readings of many keys would be compared with one another")
	RULE(F(COUNTER), F(ADDED), 0, "--counter: a user's increases in a step are added up: "
	    "--each-user=sum, or leave it out")
	RULE(F(COUNTER), 0, F(PARTIAL), "--counter: refused with --partial: what a user's reading "
	    "was in the step before is not in the sums of a shard")
	RULE(F(COUNTER) F(PER_STEP), 0, F(KEY) F(AUTO), "--counter: with --key and "
	    "--range=auto, -c 1/step is refused: an increase depends on earlier steps, too, so "
	    "one step cannot be protected alone; give -c N (all that a user does is protected, "
	    "and N steps of it count)")
	CHECK(check_counter)
	RULE(F(MATCH) F(QUANTILES), F(EACH_USER), 0, "--match: needs --each-user=count (or any) "
	    "here: a match is 1 or 0, and the quantiles are those of users; --where says which "
	    "values count")
	RULE(F(EACH_USER) F(NAME), F(ANY), 0, "--each-user: here it must be any: with count or "
	    "sum one user could lift a name over the threshold alone, and the name would give "
	    "the user away")
	RULE(F(EACH_USER) F(NAME), F(PER_USER), 0, "--each-user: give -c K/step (what is "
	    "protected is all that a user does in one step, and a user counts for its first K "
	    "names there; D steps with that user cost D times epsilon), or -c N (the user whole, "
	    "for its first N names of all steps together)")
	RULE(F(EACH_USER) F(VECTOR), F(KEY), 0, "--each-user needs --key here: a line of many "
	    "numbers has no fold")
	RULE(F(EACH_USER) F(MAP), F(PER_STEP) F(ONCE), 0, "--each-user: dpmap takes -c K/step: "
	    "no dpmap knows in which steps another one has counted a user")
	RULE(F(EACH_USER) F(PARTIAL), F(PER_STEP) F(ONCE), 0, "--each-user: with --partial it "
	    "takes -c K/step: no dpmap knows in which steps another one has counted a user")
	RULE(F(EACH_USER), F(USER) F(PARTIAL), 0, "--each-user needs --user, the field that "
	    "says whose an event is")
	RULE(F(EACH_USER), F(BUCKET), 0, "--each-user needs --bucket, or --once: a line that is a "
	    "step of its own has one event of a user")
	RULE(F(EACH_USER) F(KEY), F(PER_USER), 0, "--each-user: with --key give -c K/step (what "
	    "is protected is all that a user does in one step, and a user counts for its first K "
	    "keys there; D steps with that user cost D times epsilon), or -c N (the user whole, "
	    "for its first N keys of all steps together)")
	RULE(F(EACH_USER), F(PER_USER), 0, "--each-user needs --per-user, which says what is "
	    "protected: -c 1/step (all that a user does in one step: D steps with that user cost "
	    "D times epsilon), or -c N (the user whole, who counts in N steps)")
	RULE(F(COUNTER) F(PER_STEP), 0, F(CONTRIBUTES), "--counter: refused here with -c "
	    "1/step: an increase depends on earlier steps, too, so one step cannot be protected "
	    "alone; give -c N (all that a user does is protected, and N steps of it count)")
	CHECK(check_each_user)
	RULE(F(ANY), 0, F(RANGE_GIVEN), "--each-user=any: refused with --range: what a user's "
	    "events come to is 1 or 0, and so is the range")
	RULE(F(ANY) F(CONTRIBUTES), F(MATCH), 0, "--each-user=any needs --match here: the share "
	    "of users with an event that matches what?")
	RULE(F(ANY) F(VALUE), F(MATCH) F(PARTIAL), 0, "--each-user=any: with --value it "
	    "needs --match: which of a user's events are meant")
	RULE(F(COUNTED) F(VALUE), F(MATCH) F(PARTIAL), 0, "--each-user=count: --value without "
	    "--match has no part in a number of events (for a sum of values: --each-user=sum)")
	RULE(F(EACH_USER), F(ANY) F(COUNTED) F(VALUE) F(MATCH), 0, "--each-user: which "
	    "number of an event? Give --value, or --match for 1 and 0")
	RULE(F(USER), F(PER_USER) F(BY_USER), 0, USERS_TOGETHER)
	RULE(F(PER_USER), F(USER) F(BY_USER), 0, USERS_TOGETHER)
	RULE(F(SPACING), F(ONE) F(KEYED_VECTOR), 0, "--per-user=K/B: refused here: it is for "
	    "counts and sums (dpcount, dpwindow, dpdecay, dpmean, dpquantile) and the leader of "
	    "keys (dpmaxsum -k)")
	RULE(F(PER_STEP), F(BUCKET), 0, "--per-user=K/step needs --bucket: without it a line is a "
	    "step, and a user's only one in it")
	/* runs hold disjoint steps: losses do not add up */
	RULE(F(BUDGET) F(PER_STEP), 0, F(ONCE), "--budget: refused with --once, --state and "
	    "--per-user=K/step together: each run protects a user in that run alone, which a "
	    "ledger cannot add up; give -c K")
	CHECK(check_pan)
	RULE(F(EXACT), 0, F(STATE), "--epsilon=inf: refused with --state (a state file is for "
	    "private runs; exact answers need none)")
	RULE(F(EXACT), 0, F(BUDGET), "--epsilon=inf: refused with --budget (no budget is enough)")
	RULE(F(RECEIPT), F(SIGN), 0, SIGNED_TOGETHER)
	RULE(F(SIGN), F(RECEIPT), 0, SIGNED_TOGETHER)
	RULE(F(RECEIPT), 0, F(EXACT) F(SEED) F(CHECK) F(EXPLAIN),
	    "--receipt: refused with --epsilon=inf, --seed, --check and --explain, which release "
	    "nothing that is private")
	RULE(F(SEED), 0, F(BUDGET), "--seed: refused with --budget (seeded noise is no private "
	    "release, and nothing to charge)")
	RULE(F(MAP) F(TAKES_AUTO) F(EPSILON_GIVEN), F(AUTO), 0, "--epsilon: with --range=auto "
	    "dpmap takes it, as the digits of values depend on it; of other counts and sums "
	    "nothing does")
	RULE(F(MAP), 0, F(SPACING), "--per-user=K/B: refused here (a dpmap does not know a user's "
	    "last event of another one)")
	RULE(F(MAP), F(BUCKETS) F(SYMBOL), 0, "--bucket, --from and --to are required, or --once: "
	    "counts are of buckets, which must exist whatever a shard holds")
	/* fields */
	RULE(F(ELEMENTS), 0, F(NAME) F(ADDS), "--key: all elements of an array (ARRAY[]) are "
	    "keys of dpcount, dpwindow, dpdecay, dpmaxsum, dpdistinct and dpmap; for this, "
	    ELEMENTS_CURE)
	RULE(F(ELEMENTS), 0, F(EACH_USER), "--each-user: refused with the elements of an array "
	    "(-k ARRAY[]); " ELEMENTS_CURE)
	RULE(F(ELEMENTS), 0, F(UNIT), "--unit: refused with the elements of an array "
	    "(-k ARRAY[]), to each of which a total would add; " ELEMENTS_CURE)
	RULE(F(ELEMENTS), 0, F(SPACING) F(SPACING_GIVEN), "--per-user=K/B: refused with the "
	    "elements of an array (-k ARRAY[]), several of which are in one step; give -c K")
	RULE(F(ELEMENTS_ALONE) F(MAP), F(USER), 0, "--key: the elements of an array "
	    "(-k ARRAY[]) need --user here, whose allowance they are charged to; "
	    ELEMENTS_CURE)
	RULE(F(ELEMENTS_ALONE), 0, F(PER_STEP), "--per-user=K/step needs --user; the elements of "
	    "an array (-k ARRAY[]) take -c K: how many of an event count")
	RULE(F(ELEMENTS_ALONE), F(ELEMENTS_CAP), 0, "--key: the elements of an array "
	    "(-k ARRAY[]) need -c K: how many of an event count, which is protected with all of "
	    "them, so the noise grows with K")
	RULE(F(OTHER), F(KEY), 0, "--other needs --key: it is the key of events whose own is not "
	    "declared")
	CHECK(check_empty_key)
	CHECK(check_one_value)
	CHECK(check_form)
	CHECK(check_numbers)
	/* weights */
	RULE(F(TIMES), F(WEIGHT), 0, "--of needs --weight: it is the answer that a weight "
	    "multiplies; a value without one is --value")
	RULE(F(TIMES), 0, F(VALUE_GIVEN), "--of and --value do not go together: -v is a total of "
	    "the row already, --of an answer that the weight multiplies")
	RULE(F(TIMES), 0, F(MATCH), "--of: refused with --match, whose 1 or 0 is the answer that "
	    "the weight multiplies (-v names the field that is looked at)")
	RULE(F(TIMES), 0, F(UNIT), "--of: refused with --unit: of rows that are totals -v is one, "
	    "too")
	RULE(F(WEIGHT), 0, F(EACH_USER), "--weight: refused with --each-user, which makes one "
	    "number of a user's events, and a row with a weight has two")
	RULE(F(WEIGHT), F(VALUE) F(MATCH), 0, "--weight needs --value, the total that is "
	    "divided (deaths per case: -v deaths --weight=cases); --of, an answer that the weight "
	    "multiplies; or --match, for the weighted share of what matches")
	RULE(F(WEIGHT), F(MAX) F(UNIT), 0, "--weight: how large is a row's at most? Give "
	    "--weight=FIELD:MAX (a row is protected, there or not; what is above counts as MAX); "
	    "or --unit=U, if rows are totals of people of whom one counts 0 to U (the person is "
	    "protected)")
	RULE(F(MAX), 0, F(UNIT), "--weight=FIELD:MAX and --unit do not go together: with MAX a row "
	    "is protected, there or not, with --unit one event of those that a row counts; leave "
	    "one of them out")
	RULE(F(ADDS) F(UNIT), F(WEIGHT), 0, "--unit: a total does not say how many events it "
	    "is of, which are counted here: give --weight=FIELD, which does")
	/* times and steps */
	RULE(F(GAP), F(BY_TIMES) F(BY_CLOCK) F(RANGES), 0,
	    "--gap needs --public-times, --live, or --state and --from")
	RULE(F(ONCE), 0, F(TIME_GIVEN) F(FORMAT_GIVEN) F(TZ_GIVEN) F(BUCKET_GIVEN)
	    F(FROM) F(TO),
	    "--once: all input is one step, whenever it was: leave out --time, --time-format, "
	    "--tz, --bucket, --from and --to")
	RULE(F(STEPS), F(BUCKET), 0, "--from/--to, --live and --public-times need --bucket")
	RULE(F(TIME), F(BUCKET), 0, TIMES_IN_BUCKETS)
	RULE(F(FORMAT), F(BUCKET), 0, TIMES_IN_BUCKETS)
	RULE(F(TZ), F(BUCKET), 0, "--tz needs --bucket")
	RULE(F(START), F(BUCKET), 0, "--start says where buckets begin, and needs --bucket")
	RULE(F(TZ_IN), F(TIME), 0, "--tz-in is the zone of --time, and needs it")
	RULE(F(TZ_IN), 0, F(EPOCH), "--tz-in: seconds since 1970 have no zone")
	RULE(F(BUCKET), F(STEPS) F(EXPLAIN), 0, "--bucket needs one of --from/--to, --live or "
	    "--public-times (which buckets exist must not depend on one record)")
	RULE(F(BUCKET), F(TIME) F(BY_CLOCK) F(EXPLAIN) F(ONCE), 0,
	    "--bucket needs --time, the field that holds the event time")
	RULE(F(BUCKET) F(TIME), F(FORMAT) F(ONCE), 0, "--time needs --time-format: epoch "
	    "(seconds since 1970), iso (2024-05-01T12:00:00), clf ([01/May/2024:12:00:00 +0000]), "
	    "syslog (May  1 12:00:00), or a strptime(3) format such as '%d.%m.%Y %H:%M'")
	RULE(F(BUCKETS), F(FROM) F(ONCE), 0, RANGE_TOGETHER)
	RULE(F(BUCKETS), F(TO) F(ONCE), 0, RANGE_TOGETHER)
	RULE(F(BUCKETS), F(IN_ORDER) F(ONCE), 0, "--from must be before --to")
	CHECK(check_year)
	/* states */
	RULE(F(STATE) F(SEEN), 0, F(INIT) F(BATCH) F(CHANGE) F(EXPLAIN) F(SEVERAL_FILES),
	    "--seen reads no data, and goes with --state and nothing else")
	RULE(F(STATE) F(INIT), 0, F(CHANGE), "--init and --change do not go together: a new "
	    "state file keeps what is given")
	RULE(F(STATE) F(BATCH), 0, F(BY_CLOCK), "--batch: refused with --live (its input cannot "
	    "be given again)")
	RULE(F(INIT), F(STATE), 0, "--init needs --state")
	RULE(F(CHANGE), F(STATE), 0, "--change needs --state")
	RULE(F(OUT), F(STATE), 0, "--out needs --state")
	RULE(F(BATCH), F(STATE), 0, "--batch needs --state")
	RULE(F(WITNESS), F(STATE), 0, "--witness needs --state")
	RULE(F(SEEN), F(STATE), 0, "--seen needs --state")
	/* --explain */
	RULE(F(WITHIN), F(EXPLAIN), 0, TO_EXPLAIN)
	RULE(F(REPORT), F(EXPLAIN), 0, TO_EXPLAIN)
	RULE(F(REPORT), 0, F(HORIZON) F(BY_RANGE), "--report: the horizon is known, and what is "
	    "reported for")
	RULE(F(WITHIN), 0, F(STATE), "--within: refused with --state, which has its epsilon")
	RULE(F(WITHIN), 0, F(EPSILON), "--within finds the epsilon: leave --epsilon out")
	/* numbers, lines of numbers, symbols, names, identifiers */
	RULE(F(ONE) F(KEY), F(KEYS), 0, KEYS_TOGETHER)
	RULE(F(ONE) F(KEYS), F(KEY), 0, KEYS_TOGETHER)
	RULE(F(VECTOR) F(KEY), F(KEYS), 0, KEYS_TOGETHER)
	RULE(F(VECTOR) F(TAKES_KEY), F(KEYS) F(COLUMNS), 0,
	    "-k FIELD --keys=A,B,C is required, a column for each key; or --columns=D, for lines "
	    "of D numbers")
	RULE(F(VECTOR), F(KEYS) F(COLUMNS), 0, "--columns=D is required, for lines of D "
	    "numbers; or --keys=A,B,C, their names")
	RULE(F(VECTOR) F(KEYS), 0, F(COLUMNS), "--columns and --keys: either says how many "
	    "columns there are")
	RULE(F(VECTOR) F(KEY), 0, F(ONES), "--ones: with --key a line is in one column")
	CHECK(check_one)
	RULE(F(VECTOR) F(FORMED), F(KEY) F(VALUE), 0, "--cut, --log and --json need --value "
	    "or --key here: without -k the numbers of a line stand in a field")
	RULE(F(VECTOR) F(MATCH), F(KEY), 0, "--match needs --key here: without it a line is "
	    "numbers")
	CHECK(check_ones)
	RULE(F(SYMBOL) F(KEY), F(UNIT), 0, "--key is for rows that are totals (--unit=U), whose "
	    "number --value names; without it --value says which column a line is a record of")
	RULE(F(SYMBOL) F(TAKES_TOTALS) F(RANGE_GIVEN), F(UNIT), 0, "--range: refused without "
	    "--unit: a line is a record of a column, and no number; rows that are totals have "
	    "--unit=U")
	RULE(F(SYMBOL) F(TAKES_TOTALS) F(MARKED), F(UNIT), 0, "--decimal, --thousands and "
	    "--numbers: refused without --unit: a line is a record of a column, and no number")
	RULE(F(SYMBOL) F(UNIT), F(KEY), 0, "--unit needs --key, the field that says which column "
	    "a row's total is of, or the fields: -k A,B for a column A/B")
	CHECK(check_name)
	RULE(F(SYMBOL), 0, F(BUCKET), "--bucket: refused here (a symbol is a line)")
	RULE(F(NAME), F(BUCKET), 0, "--bucket is required, or --once: printed after each line, "
	    "a name would tell which line it came with")
	RULE(F(ID) F(BY_CLOCK), 0, F(LATENESS), "--live=LATENESS: refused here (several buckets "
	    "would be open)")
	CHECK(check_keys)
	/* what is printed */
	RULE(F(TOP), F(KEYED), 0, "--top needs declared keys: -k and --keys (dptop finds names "
	    "that nobody declared)")
	RULE(F(DIFFERENCE), F(KEYED), 0, "--difference needs declared keys: -k and --keys")
	RULE(F(DIFFERENCE), 0, F(NONNEGATIVE), "--difference: refused with --nonnegative: a "
	    "difference may well be below 0")
	RULE(F(DIFFERENCE), 0, F(MONOTONE), "--difference: refused with --monotone: a difference "
	    "rises and falls")
	RULE(F(DIFFERENCE), 0, F(TOP), "--difference: refused with --top, which is of the keys' "
	    "own estimates")
	RULE(F(DIFFERENCE), 0, F(AUTO), "--difference: refused with --range=auto: each key has a "
	    "clamp of its own, and what lies above it is in no sum")
	CHECK(check_base)
	CHECK(check_others)
	RULE(F(TOTALLED), F(KEYED), 0, "--margins: totals are of declared keys: -k and --keys")
	RULE(F(TOTALLED), 0, F(DIFFERENCE), "--margins: refused with --difference, of which there "
	    "are no totals")
	RULE(F(TOTALLED), 0, F(MONOTONE), "--margins: refused with --monotone, which would change "
	    "keys and totals apart: they would not add up")
	RULE(F(TOTALLED), 0, F(TOP), "--margins: refused with --top, which prints some of the "
	    "keys; totals are of all, and --top=K+ prints the sum of those that are left out")
	RULE(F(TOTALLED), 0, F(AUTO), "--margins: refused with --range=auto: each key has a clamp "
	    "of its own, and what lies above it is in no sum")
	RULE(F(TOTALLED), 0, F(SAMPLING), "--margins: refused with --sampling: the interval of "
	    "a total does not follow from those of its keys; give -B alone")
	RULE(F(ROUNDED), 0, F(AUTO), "--integers, --round: refused with --range=auto")
	CHECK(check_margins)
	RULE(F(SAFE), F(IN_CSV), 0, "--safe is about names in CSV: it goes with -o csv and -o long")
	RULE(F(PROMETHEUS), 0, F(OUT), "-o prometheus: refused with --out, which appends: a "
	    "collector's file has one step, the last (>FILE.new, then mv)")
	RULE(F(PROMETHEUS), 0, F(BY_CLOCK), "-o prometheus: refused with --live: the last step is "
	    "printed when the input ends")
	RULE(F(PROMETHEUS), 0, F(LINE_BUFFERED), "--line-buffered: refused with -o prometheus, "
	    "which prints the last step alone, when the input ends")
	RULE(F(SAMPLING), F(BOUND) F(MAP), 0, "--sampling says which interval --bound prints, and "
	    "needs it: -B --sampling")
	RULE(F(INDEPENDENT), F(SAMPLING), 0, "--independent is about --sampling, and needs it")
	RULE(F(SAMPLING) F(PEOPLE), F(EACH_USER), 0, "--sampling with --user needs --each-user: "
	    "events of one user are not independent, and the interval would be far too narrow")
	RULE(F(SAMPLING) F(WEIGHT), 0, F(UNIT), "--sampling: refused with --weight and --unit: "
	    "a total does not say how much the single events in it differ; give "
	    "--weight=FIELD:MAX, if the rows themselves are the sample")
	RULE(F(SAMPLING) F(PEOPLE), 0, F(INDEPENDENT), "--independent: leave it out: with --user "
	    "and --each-user it is users that are drawn, each once")
	RULE(F(SAMPLING), F(PEOPLE) F(INDEPENDENT) F(MAP), 0, "--sampling takes events "
	    "to be independent, and those of one person are not: give -u FIELD --each-user=HOW, or "
	    "--independent, which says that no person has two events")
	CHECK(warn_keys)
	CHECK(check_key_file)
	CHECK(check_format)
	RULE(F(CLOCK), 0, F(EPOCH), "--time: epoch and excel are one field, not two")
	RULE(F(MATCH_HOW), F(MATCH), 0, "--fixed, -i and --invert-match need --match")
	RULE(F(BEFORE), 0, F(BUCKET), "--bucket: refused here (answers come before a line)")
	RULE(F(EVERY), 0, F(AT_END), "--every and --at-end do not go together")
	STAGE(HORIZON)
	/* -c K/B, once the horizon is known */
	RULE(F(SPACING), F(HORIZON) F(CHECK), 0, "--per-user=K/B needs a horizon (-T), which "
	    "says how often events so far apart can come")
	CHECK(check_spaced)
	STAGE(UNIT)
	/* --unit: the count of a line must be its whole total */
	RULE(F(UNIT), 0, F(USER), "--unit: refused with --user (a line that is a total is of one "
	    "event of many users; without --unit, --user protects a user's lines with all that "
	    "they count)")
	RULE(F(UNIT), 0, F(MATCH), "--unit: refused with --match (then a line counts 1, and is no "
	    "total)")
	RULE(F(UNIT), 0, F(WHERE), "--unit: refused with --where (one event more in a total "
	    "could make --where drop the whole line); use -k and --keys")
	RULE(F(UNIT), 0, F(LET), "--unit: refused with --let (one event more in a total could "
	    "move the whole line to another key)")
	RULE(F(UNIT), 0, F(CUT), "--unit: refused with --cut and --log (one event more in a "
	    "total could make the whole line fit no longer)")
	RULE(F(UNIT), 0, F(VALUE_ELSEWHERE), "--unit: --value, the total, must be another field "
	    "than --time and --key")
	RULE(F(UNIT) F(TIME) F(MANY), F(KEY), 0, "--unit: refused with --time where a line is "
	    "many numbers (an event more may be a number more, and the time then stand in another "
	    "field)")
	RULE(F(UNIT) F(TIME), F(VALUE), 0, TOTAL_IN_FIELD)
	RULE(F(UNIT) F(KEY), F(VALUE), 0, TOTAL_IN_FIELD)
	RULE(F(UNIT), 0, F(ONES), "--unit: refused with --ones (one event could make a line have "
	    "more ones than it may, and so be none)")
	/* --holistic: what an event changes is told in lines of one number */
	EACH(F(HOLISTIC), "bucket once", "--holistic: refused with --", ": K is a number of lines, "
	    "each a step of its own")
	EACH(F(HOLISTIC), "user key unit counter weight", "--holistic: refused with --", ": K is "
	    "all that an event changes, and lines have one number")
	RULE(F(HOLISTIC), 0, F(AUTO), "--holistic: refused with --range=auto, whose columns an "
	    "event may leave and enter")
	STAGE(TASK)
	RULE(F(HOLISTIC), 0, F(FORGETS), "--holistic: refused with --expire and --ages: the lines "
	    "that an event changes are of several ages")
	/* what the tool asks */
	RULE(F(PAN), 0, F(FORGETS), "--pan-private: refused with --expire and --ages (values "
	    "are held exactly)")
	RULE(F(VECTOR) F(CHOICES) F(NONNEGATIVE), F(LATER), 0, "--nonnegative: refused with "
	    "--select: a column is no estimate")
	RULE(F(VECTOR) F(CHOICES) F(MONOTONE), F(LATER), 0, "--monotone: refused with "
	    "--select: a column is no estimate")
	RULE(F(TOP), 0, F(OUTPUTS), "--top: refused where a key has several estimates (windows, "
	    "-r auto): nothing says by which of them keys are sorted")
	STAGE(PAN)
	/* -P, given or by default: only the reason, for a message or for none */
	RULE(F(SEED), 0, F(ALWAYS), "--seed (a generator's state tells its future and its past)")
	RULE(F(CSV), 0, F(ALWAYS), "--csv (its parser keeps past input): rows without "
	    "quotes can be read by -F ,")
	RULE(F(JSON), 0, F(ALWAYS), "--json (its parser keeps past input): a pattern can cut "
	    "fields out of it, --cut='\"size\":(?<size>[0-9]+)'")
	RULE(F(JSON_OUTER), 0, F(ALWAYS), "--log=docker+... and journald+... (JSON's parser keeps "
	    "past input)")
	RULE(F(LET), 0, F(ALWAYS), "--let (what it makes is held beside the input)")
	RULE(F(USER), 0, F(ALWAYS), "--user (the table of users is exact)")
	RULE(F(ONCE), 0, F(ALWAYS), "--once (exact sums would be held to the end); lines "
	    "can be steps, -T N (dpdistinct: --at-end)")
	RULE(F(BY_RANGE), 0, F(ALWAYS), "--from/--to (exact bucket sums would be held to the "
	    "end); use --public-times -T N, or --live")
	RULE(F(BY_CLOCK), 0, F(LATENESS), "--live=LATENESS (several open buckets would be held "
	    "exactly)")
	RULE(F(STEPS), 0, F(BATCH), "--bucket and --batch (the place in the input would be a "
	    "count of events)")
	RULE(F(PACKED), 0, F(ALWAYS), "a compressed file (what unpacks it keeps past input): "
	    "unpack it beforehand")
};

static bool
is_given(const struct dp_options *o, const struct dp_tool *tool, const char *name, size_t n)
{
	const struct dp_row *row;
	size_t i;

	for (i = 0; tool->own != NULL && tool->own[i].name != NULL; i++)
		if (strlen(tool->own[i].name) == n && memcmp(tool->own[i].name, name, n) == 0)
			return o->own[i].text != NULL;
	for (i = 0; (row = dp_table_row(i)) != NULL; i++)
		if (row->name != NULL && strlen(row->name) == n && memcmp(row->name, name, n) == 0)
			return o->given[row->c];
	return false;
}

static void
check_each(const struct dp_options *o, const struct dp_tool *tool, const struct rule *r)
{
	const char *p;
	size_t n;

	for (p = r->each; *p != '\0'; p += n + (p[n] != '\0')) {
		n = strcspn(p, " ");
		need(!is_given(o, tool, p, n), "%s%.*s%s", r->why, (int)n, p, r->rest);
	}
}

/* The first rule of a stage that the options break; NULL: none. */
static const char *
broken(const struct dp_options *o, const struct dp_tool *tool, enum dp_stage stage)
{
	const struct rule *r = rules, *const end = rules + sizeof rules / sizeof *rules;

	bool f[FACT_ALL] = { false };

	facts_of(o, tool, f);
	while (r->stage != (int)stage + 1)
		r++;
	for (r++; r < end && r->stage == 0; r++)
		if (r->check != NULL)
			r->check(o, tool);
		else if (all_hold(f, r->given) && r->each != NULL)
			check_each(o, tool, r);
		else if (all_hold(f, r->given) && ((r->needs[0] != FACT_NONE &&
		    !one_holds(f, r->needs)) || one_holds(f, r->never)))
			return r->why;
	return NULL;
}

void
dp_options_check(const struct dp_options *o, const struct dp_tool *tool, enum dp_stage stage)
{
	const char *why = broken(o, tool, stage);

	need(why == NULL, "%s", why);
}

const char *
dp_options_no_pan(const struct dp_options *o)
{
	static const struct dp_tool any;

	return broken(o, &any, DP_STAGE_PAN);
}

/*
 * Lists of names: declared keys, an alphabet, a universe.
 */

static void
add_text(struct dp_ask_keys *keys, const char *option, const char *p, size_t n)
{
	if (memchr(p, '\0', n) != NULL)
		dp_die(DP_EX_USAGE, "--%s: a key has a NUL byte", option);
	if (keys->n == DP_KEYS_MAX)
		dp_die(DP_EX_USAGE, "--%s: more than %d keys", option, DP_KEYS_MAX);
	if ((keys->n & (keys->n - 1)) == 0 &&		/* room for twice as many */
	    (keys->name = realloc(keys->name,
	    (keys->n == 0 ? 1 : 2 * keys->n) * sizeof *keys->name)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if ((keys->name[keys->n++] = strndup(p, n)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
}

static _Noreturn void
bad_length(const char *option)
{
	dp_die(DP_EX_USAGE, "--%s: a key must have 1 to %d bytes", option, DP_KEY_MAX);
}

/* Two quotes are the empty key. */
static void
add_key(struct dp_ask_keys *keys, const char *option, const char *p, size_t n)
{
	if (n == 2 && memcmp(p, "\"\"", 2) == 0 && strcmp(option, "keys") == 0)
		n = 0;
	else if (n == 0 || n > DP_KEY_MAX)
		bad_length(option);
	add_text(keys, option, p, n);
}

/* The end of a key in quotes, as in CSV; NULL: none begins at p, or its quotes are of its text. */
static const char *
quoted_end_keys(const char *p, const char *ends)
{
	if (*p != '"')
		return NULL;
	while ((p = strchr(p + 1, '"')) != NULL && p[1] == '"')
		p++;
	return p != NULL && strchr(ends, p[1]) != NULL ? p + 1 : NULL;	/* or at the end */
}

/* Takes the key at p without its quotes, DP_KEY_MAX bytes of it and one more; returns its end. */
static const char *
take_key(char to[static DP_KEY_MAX + 1], size_t *n, const char *p, const char *ends)
{
	const char *end = quoted_end_keys(p, ends), *last;
	const bool quoted = end != NULL;

	end = quoted ? end : p + strcspn(p, ends);
	last = end - quoted;
	for (*n = 0, p += quoted; p < last && *n <= DP_KEY_MAX; p++) {
		p += quoted && *p == '"';		/* the first of two */
		to[(*n)++] = *p;
	}
	return end;
}

static void
check_twice(const struct dp_ask_keys *keys, const char *option)
{
	char text[DP_SHOWN_TEXT];
	int e = 0;
	const char *twice = dp_names_twice(keys->name, keys->n, &e);

	if (e != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (twice != NULL)
		dp_die(DP_EX_USAGE, "--%s: '%s' is given twice", option,
		    dp_shown(text, twice, strlen(twice)));
}

#define LINE	(DP_KEY_MAX + 8)	/* with a byte order mark, and the end of a line */

/* The next line, its newline included, at most LINE bytes of it; 0: the file's end. */
static size_t
next_line(FILE *fp, char line[static LINE])
{
	size_t n = 0;
	int c;

	while (n < LINE && (c = getc_unlocked(fp)) != EOF)
		if ((line[n++] = (char)c) == '\n')
			break;
	return n;
}

static void
keys_of_file(struct dp_ask_keys *keys, const char *option, const char *path)
{
	const char *key, *why;
	char line[LINE + 1] = "";
	size_t n, length, all = 0;
	FILE *fp;

	if ((fp = fopen(path, "re")) == NULL)
		dp_options_bad_file(option, path);
	for (; (n = next_line(fp, line)) > 0; all += n) {
		key = line;
		length = n;
		if ((why = dp_keys_line(&key, &length)) != NULL)
			dp_die(DP_EX_USAGE, "--%s: %s: %s", option, path, why);
		if (length > 0)
			add_key(keys, option, key, length);
		if (all > (size_t)DP_KEYS_MAX * LINE)
			dp_die(DP_EX_USAGE, "--%s: %s: is too large", option, path);
	}
	if (!feof(fp) || fclose(fp) != 0)
		dp_options_bad_file(option, path);
	if (keys->n == 0)
		dp_die(DP_EX_USAGE, "--%s: %s: no keys", option, path);
}

void
dp_options_keys(struct dp_ask_keys *keys, const char *option, const char *s)
{
	char key[DP_KEY_MAX + 1];
	const char *end;
	size_t n;

	keys->list = s;
	if (*s == '@') {
		keys_of_file(keys, option, s + 1);
	} else {
		for (;; s = end + 1) {
			end = take_key(key, &n, s, ",");
			if (n > DP_KEY_MAX || end == s || (n == 0 && strcmp(option, "keys") != 0))
				bad_length(option);
			add_text(keys, option, key, n);
			if (*end == '\0')
				break;
		}
	}
	check_twice(keys, option);
}

int
dp_options_keys_list(struct dp_ask_keys *keys, char *const *name, size_t n)
{
	size_t i;
	int e = 0;

	if (dp_names_twice(name, n, &e) != NULL)
		return DP_EINVAL;
	for (i = 0; i < n && e == 0; i++)
		if (strlen(name[i]) > DP_KEY_MAX)
			e = DP_EINVAL;
	for (i = 0; i < n && e == 0; i++)
		add_text(keys, "keys", name[i], strlen(name[i]));
	return e;
}

/* Start of the next list; NULL: p is in the last one. */
static const char *
next_list(const char *p)
{
	char key[DP_KEY_MAX + 1];
	size_t n;

	while (*(p = take_key(key, &n, p, ",/")) == ',')
		p++;
	return *p == '/' ? p + 1 : NULL;
}

/*
 * Each of the first field's texts with each of the second's, and so on: what is after p, a list of
 * which begins there, with the n bytes at key before it.
 */
static void
cross(struct dp_ask_keys *keys, char *key, size_t n, const char *p, unsigned lists)
{
	const char *next = next_list(p), *end;
	char text[DP_KEY_MAX + 1];
	size_t m;

	if ((next == NULL) != (lists == 1))
		dp_die(DP_EX_USAGE, "--keys: -k names %u fields, so '%s' must be as many lists, "
		    "with a / between (200,404/DE,FR is 200/DE, 200/FR, 404/DE, 404/FR); or "
		    "--keys=@FILE with one a line", keys->more + 1, keys->list);
	for (;; p = end + 1) {
		end = take_key(text, &m, p, ",/");
		if (end == p || n + m + (lists > 1) > DP_KEY_MAX)
			bad_length("keys");
		memcpy(key + n, text, m);
		key[n + m] = '/';
		if (lists == 1)
			add_text(keys, "keys", key, n + m);
		else
			cross(keys, key, n + m + 1, next, lists - 1);
		if (*end != ',')
			return;
	}
}

void
dp_options_keys_complete(struct dp_options *o)
{
	struct dp_ask_keys *keys = &o->keys;
	char key[DP_KEY_MAX + 2];

	if (!o->given[OPT_KEYS])
		return;
	if (keys->more == 0 || keys->list[0] == '@')
		dp_options_keys(keys, "keys", keys->list);
	else
		cross(keys, key, 0, keys->list, keys->more + 1);
	if (keys->other != NULL)
		add_key(keys, "other", keys->other, strlen(keys->other));
	check_twice(keys, keys->other != NULL ? "keys, --other" : "keys");
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void
say_edge(const struct dp_ask_keys *keys, const char *option, const char *key)
{
	char text[DP_SHOWN_TEXT];

	dp_warn("--%s: '%s' %s with a blank, and counts only what does so, too%s", option,
	    dp_shown(text, key, strlen(key)), is_blank(key[0]) ? "begins" : "ends",
	    keys->list[0] == '@' ? "" : ": in A,B,C no blank stands beside a comma");
}

/* Fields that end at blanks have none, which check.c says. */
void
dp_options_keys_warn(const struct dp_options *o, const struct dp_ask_keys *keys,
    const char *option)
{
	char text[DP_SHOWN_TEXT];
	const bool fields = keys->field.number != 0 && o->form.delimiter == -1 && !o->form.csv &&
	    !dp_options_formed(o);
	const char *key, *between;
	size_t i;

	if (o->print.quiet || fields || (o->keep.state != NULL && !o->keep.init))
		return;
	for (i = 0; i < keys->n; i++) {
		key = keys->name[i];
		if (*key == '\0')
			continue;
		if (is_blank(key[0]) || is_blank(key[strlen(key) - 1]))
			say_edge(keys, option, key);
		else if (keys->n == 1 && keys->list[0] != '@' &&
		    (between = strpbrk(key, " \t;|")) != NULL)
			dp_warn("--%s: one key, '%s', with %s in it, and counts only what has "
			    "it, too: in A,B,C a comma stands between keys", option,
			    dp_shown(text, key, strlen(key)), is_blank(*between) ? "a blank" :
			    *between == ';' ? "a semicolon" : "a bar");
	}
}

/*
 * Faults of declared keys: unreadable ones, and those that look alike in the output.
 */

/*
 * Cuts a line of --keys=@FILE to its key, without byte order marks and end of line.  Returns
 * a fault; NULL: none.
 */
static const char *
dp_keys_line(const char **p, size_t *n)
{
	const size_t marks = dp_record_marks(*p, *p + *n);

	*p += marks;
	*n -= marks;
	while (*n > 0 && ((*p)[*n - 1] == '\n' || (*p)[*n - 1] == '\r'))
		--*n;
	return memchr(*p, '\0', *n) != NULL ? "a key holds a NUL byte (is the file UTF-16?)" : NULL;
}

bool
dp_keys_utf8(const char *text)
{
	const char *const end = text + strlen(text);
	uint32_t c;
	size_t n;

	for (; text < end; text += n)
		if ((n = dp_utf8(&c, text, end)) == 0)
			return false;
	return true;
}

static const char *
check_key(const struct dp_options *o, const char *key, bool column)
{
	if (o->print.format == DP_JSON)
		return dp_keys_utf8(key) ? NULL : "a key is not UTF-8, which -o json needs";
	if (o->print.format == DP_PROMETHEUS)
		return dp_keys_utf8(key) ? NULL : "a key is not UTF-8, which -o prometheus needs";
	if (o->print.format == DP_LONG)
		return NULL;
	if (o->print.format != DP_CSV && key[strcspn(key, "\t\n\r")] != '\0')
		return "a key holds a tab or the end of a line: use -o csv or json";
	if (column && o->print.format != DP_PLAIN &&
	    (strcmp(key, "time") == 0 || strcmp(key, "step") == 0))
		return "'time' and 'step' are names of other columns: use -o plain or json";
	return NULL;
}

const char *
dp_keys_objection(const struct dp_options *o, const char *text)
{
	return check_key(o, text, false);
}

/* The i-th name of columns: of a key, or of a total of keys. */
static const char *
column_name(const struct dp_options *o, size_t i)
{
	return i < o->keys.n ? o->keys.name[i] : o->print.table.made->name[i - o->keys.n];
}

int
dp_keys_check(const struct dp_options *o, const struct dp_tool *tool, const char **why)
{
	static const char *const suffix[] = { "", "_lo", "_hi" };
	const size_t outputs = o->outputs > 1 ? o->outputs : 1;
	const bool column = dp_options_keyed(o, tool) && o->print.top == 0;
	const bool table = o->print.format == DP_TSV || o->print.format == DP_CSV;
	const size_t bounds = table && o->print.confidence > 0 ? 3 : 1;
	const size_t names = o->keys.n + (o->print.table.made ? o->print.table.made->n : 0);
	size_t n = 0, i, j, k;
	char **name;
	int e = 0;

	*why = NULL;
	if (tool->shape == DP_SHAPE_ID || tool->rows != NULL)
		return 0;		/* never printed */
	for (i = 0; i < names; i++)
		if ((*why = check_key(o, column_name(o, i), column)) != NULL)
			return DP_EINVAL;
	if (!column || o->print.format == DP_PLAIN || dp_options_tidy(o) ||
	    outputs * bounds == 1)
		return 0;		/* keys differ */
	if ((name = calloc(names * outputs * bounds, sizeof *name)) == NULL)
		return DP_ENOMEM;
	for (i = 0; i < names && e == 0; i++)
		for (j = 0; j < outputs && e == 0; j++)
			for (k = 0; k < bounds && e == 0; k++)
				if (asprintf(&name[n], "%s%s%s%s", column_name(o, i),
				    outputs > 1 ? "_" : "",
				    outputs > 1 ? o->output[j].name : "", suffix[k]) < 0)
					e = DP_ENOMEM;
				else
					n++;
	if (e == 0 && dp_names_twice(name, n, &e) != NULL) {
		*why = "two columns would have one name";
		e = DP_EINVAL;
	}
	while (n > 0)
		free(name[--n]);
	free(name);
	return e;
}
