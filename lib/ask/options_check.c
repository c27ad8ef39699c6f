/*
 * options_check.c - what the options say together: refusals.
 */
#include <string.h>
#include <unistd.h>

#include "options_table.h"
#include "relation.h"
#include "stream/packed.h"

#define KEYS_TOGETHER	"--key and --keys go together: -k FIELD --keys=A,B,C, or --keys=@FILE " \
	"with one a line (keys are public and declared)"

const char *
dp_options_no_pan(const struct dp_options *o)
{
	size_t stem;
	int i;

	if (o->priv.has_seed)
		return "--seed (a generator's state tells its future and its past)";
	if (o->form.csv)
		return "--csv (its parser keeps past input)";
	if (o->form.json)
		return "--json (its parser keeps past input)";
	if (o->users.field.number != 0)
		return "--user (the table of users is exact)";
	if (o->time.once)
		return "--once (exact sums would be held to the end)";
	if (o->time.steps == DP_BY_RANGE)
		return "--from/--to (exact bucket sums would be held to the end); use "
		    "--public-times -T N, or --live";
	if (o->time.steps == DP_BY_CLOCK && o->time.lateness != 0)
		return "--live=LATENESS (several open buckets would be held exactly)";
	if (o->time.steps != DP_BY_LINE && o->keep.batch != NULL)
		return "--bucket and --batch (the place in the input would be a count of events)";
	for (i = 0; i < o->operands.n; i++)
		if (dp_packed_by(o->operands.file[i], &stem) != NULL)
			return "a compressed file (what unpacks it keeps past input): unpack it "
			    "beforehand";
	return NULL;
}

static void
check_privacy(const struct dp_options *o, const struct dp_tool *tool)
{
	const char *why;

	need(o->priv.has_epsilon || !o->keep.init || o->keep.state == NULL ||
	    access(o->keep.state, F_OK) != 0,
	    "--init: %s exists already; without --init the run goes on with it", o->keep.state);
	need(o->priv.has_epsilon || o->priv.within.num != 0,
	    "--epsilon is required: the total privacy loss of everything printed");
	need(o->shard.by_user || (o->users.field.number != 0) == (o->users.most != 0),
	    "--user and --per-user go together: at most K events of a user count, and are "
	    "protected, in each step (-u FIELD -c K/step, with --bucket), or in the whole run "
	    "(-u FIELD -c K)");
	need(o->users.spacing == 0 || tool->shape == DP_SHAPE_NUMBER ||
	    tool->shape == DP_SHAPE_CONTRIBUTIONS ||
	    (tool->shape == DP_SHAPE_VECTOR && o->keys.field.number != 0),
	    "--per-user=K/B: refused here: it is for counts and sums (dpcount, dpwindow, dpdecay, "
	    "dpmean, dpquantile) and the leader of keys (dpmaxsum -k)");
	need(!o->users.per_step || o->time.bucket != 0,
	    "--per-user=K/step needs --bucket: without it a line "
	    "is a step, and a user's only one in it");
	/* runs hold disjoint steps: losses do not add up */
	need(o->priv.budget == NULL || !o->users.per_step || !o->time.once,
	    "--budget: refused with --once, --state and --per-user=K/step: what a user does in "
	    "one run is no unit that other runs protect; give -c K");
	if (o->priv.pan && (why = dp_options_no_pan(o)) != NULL)
		dp_die(DP_EX_USAGE, "--pan-private: refused with %s", why);
	need(!(o->priv.exact && o->keep.state != NULL), "--epsilon=inf: refused with --state");
	need(o->priv.budget == NULL || !o->priv.exact,
	    "--epsilon=inf: refused with --budget (no budget is "
	    "enough)");
	need((o->keep.receipt == NULL) == (o->keep.sign == NULL),
	    "--receipt=FILE and --sign=KEY are given together");
	need(o->keep.receipt == NULL || (!o->priv.exact && !o->priv.has_seed && !o->print.check &&
	    o->print.explain == DP_EXPLAIN_NO),
	    "--receipt: refused with --epsilon=inf, --seed, --check and --explain, which release "
	    "nothing that is private");
	need(o->priv.budget == NULL || !o->priv.has_seed,
	    "--seed: refused with --budget (seeded noise is no "
	    "private release, and nothing to charge)");
}

/* Of a time without a year only one may lie in the range. */
static void
check_year(const struct dp_options *o)
{
	const bool named = o->form.log != NULL && o->time.format == o->form.log->time_format;

	need(o->time.format == NULL || strcmp(o->time.format, "syslog") != 0 ||
	    (named && !o->form.log->yearless) ||
	    o->time.to <= dp_when_year_later(o->time.from, o->time.span.zone),
	    "--time-format=syslog: times like 'May  1 12:00:00' have no year, so --from and --to "
	    "are a year apart at most; for lines whose times have one give "
	    "--time-format=iso, or '%%b %%d %%H:%%M:%%S %%Y'");
}

static void
check_time(const struct dp_options *o)
{
	need(o->time.gap == 0 || o->time.steps == DP_BY_TIMES || o->time.steps == DP_BY_CLOCK ||
	    (o->time.steps == DP_BY_RANGE && o->keep.state != NULL && !o->time.once),
	    "--gap needs --public-times, --live, or --state and --from");
	if (o->time.once) {
		need(!o->given['t'] && !o->given[OPT_FORMAT] && !o->given[OPT_TZ] &&
		    !o->given[OPT_BUCKET] && !o->time.has_from && !o->time.has_to,
		    "--once: all input is one step, whenever it was: leave out --time, "
		    "--time-format, --tz, --bucket, --from and --to");
		return;
	}
	if (o->time.bucket == 0) {
		need(o->time.steps == DP_BY_LINE,
		    "--from/--to, --live and --public-times need --bucket");
		need(o->time.field.number == 0 && o->time.format == NULL,
		    "--time and --time-format need --bucket");
		need(o->time.tz == NULL, "--tz needs --bucket");
		return;
	}
	need(o->time.steps != DP_BY_LINE || o->print.explain,
	    "--bucket needs one of --from/--to, --live or --public-times (which buckets exist "
	    "must not depend on one record)");
	need(o->time.field.number != 0 || o->time.steps == DP_BY_CLOCK || o->print.explain,
	    "--bucket needs --time, the field that holds the event time");
	need(o->time.field.number == 0 || o->time.format != NULL,
	    "--time needs --time-format: epoch (seconds since 1970), iso (2024-05-01T12:00:00), "
	    "clf ([01/May/2024:12:00:00 +0000]), syslog (May  1 12:00:00), or a strptime(3) "
	    "format such as '%%d.%%m.%%Y %%H:%%M'");
	if (o->time.steps == DP_BY_RANGE) {
		need(o->time.has_from && o->time.has_to,
		    "--from and --to go together: the buckets are from "
		    "the one to the other");
		need(o->time.from < o->time.to, "--from must be before --to");
		check_year(o);
	}
}

static void
check_state(const struct dp_options *o)
{
	if (o->keep.state != NULL) {
		need(!o->keep.seen || (!o->keep.init && o->keep.batch == NULL && !o->keep.change &&
		    o->print.explain == DP_EXPLAIN_NO && o->operands.n == 1 &&
		    strcmp(o->operands.file[0], "-") == 0),
		    "--seen reads no data, and goes with --state and nothing else");
		need(!(o->keep.init && o->keep.change), "--init and --change do not go together: "
		    "a new state file keeps what is given");
		need(o->keep.batch == NULL || o->time.steps != DP_BY_CLOCK,
		    "--batch: refused with --live (its input cannot be given again)");
		return;
	}
	need(!o->keep.init, "--init needs --state");
	need(!o->keep.change, "--change needs --state");
	need(o->keep.out == NULL, "--out needs --state");
	need(o->keep.batch == NULL, "--batch needs --state");
	need(o->keep.witness == NULL, "--witness needs --state");
	need(!o->keep.seen, "--seen needs --state");
}

/* Requests that --explain alone can serve. */
static void
check_explain(const struct dp_options *o)
{
	need(o->print.explain || (o->priv.within.num == 0 && o->priv.report == 0),
	    "--within and --report need --explain");
	need(o->priv.report == 0 || (o->horizon == 0 && o->time.steps != DP_BY_RANGE),
	    "--report: the horizon is known, and what is reported for");
	need(o->priv.within.num == 0 || o->keep.state == NULL,
	    "--within: refused with --state, which has its epsilon");
	need(o->priv.within.num == 0 || !o->priv.has_epsilon,
	    "--within finds the epsilon: leave --epsilon out");
}

static void
check_map(const struct dp_options *o, const struct dp_tool *tool)
{
	need(!tool->map || o->users.spacing == 0, "--per-user=K/B: refused here (a dpmap does not "
	    "know a user's last event of another one)");
	need(!tool->map || (o->time.bucket != 0 && o->time.steps == DP_BY_RANGE),
	    "--bucket, --from and --to are required, or --once: counts are of buckets, which must "
	    "exist whatever a shard holds");
}

/* A record whose fields have names is no number as a whole: it would count 0. */
static void
check_value(const struct dp_options *o)
{
	need(!(o->form.json || (o->form.csv && o->form.header)) || o->form.value.number != 0 ||
	    o->form.match != NULL || o->form.conditions != 0 || o->shard.partial ||
	    (o->time.field.number | o->keys.field.number | o->users.field.number) != 0,
	    "--value: which field has the number (-v NAME)? To count %s give -m .",
	    o->form.json ? "lines" : "rows");
}

/* A record whose fields have names is hardly ever an identifier, a symbol or a name as a whole. */
static void
check_name(const struct dp_options *o, const struct dp_tool *tool)
{
	const bool value = (tool->groups & DP_GROUP_VALUE) != 0;
	const struct dp_field *f = value ? &o->form.value : &o->keys.field;

	need(!(dp_options_formed(o) || o->form.header) || f->number != 0 || o->shard.partial ||
	    (o->keep.state != NULL && !o->keep.init),
	    "--%s: which field? A %s is no %s as a whole", value ? "value" : "key",
	    o->form.json ? "JSON object" : o->form.csv ? "row with named fields" :
	    "line with named fields", tool->words.reads);
}

/* A range wider than 0:1 of values that are 0 or 1 is noise for nothing. */
static void
warn_range(const struct dp_options *o)
{
	const bool ones = o->form.match != NULL || (o->form.value.number == 0 &&
	    (o->time.field.number | o->keys.field.number | o->users.field.number) != 0);
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

static void
check_shape(const struct dp_options *o, const struct dp_tool *tool)
{
	const bool keyed = o->keys.field.number != 0;

	switch (tool->shape) {
	case DP_SHAPE_NUMBER:
	case DP_SHAPE_CONTRIBUTIONS:
		need(keyed == (o->keys.n != 0), KEYS_TOGETHER);
		check_value(o);
		/* a statistic of values asks for -v by itself */
		if (tool->adds == NULL || o->form.match != NULL)
			warn_range(o);
		break;
	case DP_SHAPE_VECTOR:
		need(!keyed || o->keys.n != 0, KEYS_TOGETHER);
		need(o->keys.n != 0 || o->keys.columns != 0, "%s", tool->groups & DP_GROUP_KEY ?
		    "-k FIELD --keys=A,B,C is required, a column for each key; or --columns=D, "
		    "for lines of D numbers" :
		    "--columns=D is required, for lines of D numbers; or --keys=A,B,C, their "
		    "names");
		need(o->keys.n == 0 || o->keys.columns == 0,
		    "--columns and --keys: either says how many columns there are");
		need(!keyed || o->keys.ones == 0, "--ones: with --key a line is in one column");
		if (keyed)
			warn_range(o);
		need(keyed || !dp_options_formed(o) || o->form.value.number != 0,
		    "--cut, --log and --json need --value or --key here: without -k the numbers "
		    "of a line stand in a field");
		need(keyed || o->form.match == NULL,
		    "--match needs --key here: without it a line is numbers");
		need(o->keys.ones <= dp_options_width(o),
		    "--ones: there are only %zu columns", dp_options_width(o));
		break;
	case DP_SHAPE_SYMBOL:
		check_name(o, tool);
		need(o->time.bucket == 0, "--bucket: refused here (a symbol is a line)");
		break;
	case DP_SHAPE_NAME:
		check_name(o, tool);
		need(o->time.bucket != 0, "--bucket is required, or --once: a line that is a step "
		    "of its own shows with every row that it was none of the names before");
		break;
	case DP_SHAPE_ID:
		check_name(o, tool);
		need(o->time.steps != DP_BY_CLOCK || o->time.lateness == 0,
		    "--live=LATENESS: refused here (several buckets would be open)");
		break;
	}
}

/* A name needs what has names; with --json a number is none. */
static void
check_field(const struct dp_options *o, const struct dp_field *f)
{
	need(o->form.header || dp_options_formed(o) || f->name == NULL,
	    "'%s' is the name of a field: names need -H, --cut, --log or --json", f->name);
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
check_form(const struct dp_options *o)
{
	static const int form[] = { OPT_CUT, OPT_LOG, OPT_JSON, OPT_CSV, OPT_TSV, 'F', 'H' };
	const struct dp_field *const field[] = { &o->time.field, &o->time.clock, &o->keys.field,
	    &o->keys.then[0], &o->keys.then[1], &o->keys.then[2] };
	const size_t n = sizeof form / sizeof *form;
	size_t i, j;

	for (i = 0; i < n; i++)
		for (j = i + 1; j < n; j++)
			need(!o->given[form[i]] || !o->given[form[j]] ||
			    !dp_options_apart(form[i], form[j]),
			    "--%s and --%s do not go together%s", dp_table_name(form[i], NULL),
			    dp_table_name(form[j], NULL), i != 0 || form[j] != OPT_LOG ? "" :
			    ": either says what the fields are (--log=list prints patterns)");
	for (i = 0; i < sizeof field / sizeof *field; i++)
		check_field(o, field[i]);
	check_fields(o, &o->form.value, &o->form.several);
	check_fields(o, &o->users.field, &o->users.several);
	for (i = 0; i < o->form.conditions; i++)
		check_field(o, &o->form.condition[i].field);
}

/* A key that no field can be. */
static void
check_keys(const struct dp_options *o)
{
	char text[DP_SHOWN_TEXT];
	size_t i;

	if (o->keys.field.number == 0 || o->form.delimiter != -1 || o->form.csv ||
	    dp_options_formed(o) || o->print.quiet)
		return;
	for (i = 0; i < o->keys.n; i++)
		if (o->keys.name[i][strcspn(o->keys.name[i], " \t")] != '\0')
			dp_warn("--keys: '%s' has a blank in it, and counts nothing: fields end at "
			    "blanks (unless -F, --csv or --tsv says otherwise)",
			    dp_shown(text, o->keys.name[i], strlen(o->keys.name[i])));
}

/* --top: of keys; that each has one estimate is known with the task. */
static void
check_top(const struct dp_options *o, const struct dp_tool *tool)
{
	need(!o->given[OPT_TOP] || dp_options_keyed(o, tool),
	    "--top needs declared keys: -k and --keys (dptop finds names that nobody declared)");
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
check_key_file(const struct dp_options *o)
{
	if (!o->print.quiet && o->keys.n == 1 && o->given[OPT_KEYS] && o->keys.list[0] != '@' &&
	    access(o->keys.name[0], F_OK) == 0)
		dp_warn("--keys: one key, '%s', which is also a file: --keys=@%s has its lines as "
		    "keys", o->keys.name[0], o->keys.name[0]);
}

/* Options for a key that stands in fields. */
static void
check_key(const struct dp_options *o)
{
	size_t i;

	if (o->keys.field.number != 0)
		return;
	need(o->keys.other == NULL, "--other needs --key: it is the key of "
	    "events whose own is not declared");
	for (i = 0; i < o->keys.n; i++)
		need(*o->keys.name[i] != '\0', "--keys: \"\" is the empty key, which needs --key");
}

void
dp_options_check(const struct dp_options *o, const struct dp_tool *tool)
{
	const char *why;

	check_privacy(o, tool);
	check_map(o, tool);
	check_key(o);
	check_one_value(o, tool);
	check_form(o);
	check_time(o);
	check_state(o);
	check_explain(o);
	check_shape(o, tool);
	check_keys(o);
	check_top(o, tool);
	dp_options_check_print(o);
	if (o->given[OPT_KEYS] || o->given[OPT_DOMAIN])
		dp_options_keys_warn(o, o->given[OPT_KEYS] ? "keys" : "domain");
	check_key_file(o);
	if (o->time.format != NULL && (why = dp_options_time_format(o)) != NULL)
		dp_die(DP_EX_USAGE, "--time-format: '%s' %s", o->time.format, why);
	need(o->time.clock.number == 0 || strcmp(o->time.format, "epoch") != 0,
	    "--time: seconds since 1970 are one field, not two");
	need(o->form.match != NULL || (!o->form.fixed && !o->form.icase && !o->form.invert),
	    "--fixed, -i and --invert-match need --match");
	need(!(o->form.csv && o->given[OPT_TSV]), "--csv and --tsv do not go together");
	need(tool->prints != DP_PRINT_BEFORE || o->time.bucket == 0,
	    "--bucket: refused here (answers come before a line)");
	need(!o->given[OPT_EVERY] || !o->given[OPT_AT_END],
	    "--every and --at-end do not go together");
}
