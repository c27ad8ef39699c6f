/* options.c - the values of the options that tools share. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options_table.h"

#define LABEL_MAX	64
#define STEPS_MAX	((uint64_t)1 << 50)
#define OPTION_TEXT	32	/* bytes of "--NAME" */

/* The reason a rational is refused, for messages. */
static const char *
q_reason(int e)
{
	return e == DP_ERANGE ? "has too many digits, or is too large or too small" :
	    "must be a decimal (0.5) or a ratio (1/2)";
}

static void
set_epsilon(struct dp_options *o, const char *s)
{
	int e;

	if ((o->priv.exact = strcmp(s, "inf") == 0))
		return;
	if ((e = dp_q_parse(&o->priv.epsilon, s)) != 0)
		dp_die(DP_EX_USAGE, "--epsilon: '%s' %s%s", s, q_reason(e),
		    e == DP_ERANGE ? "; noise fits from 1e-12 up, and inf is without any" :
		    " above 0, or inf");
	if (o->priv.epsilon.num == 0)
		dp_die(DP_EX_USAGE, "--epsilon: '%s' must be above 0", s);
}

static void
set_delta(struct dp_options *o, const char *s)
{
	int e;

	if ((e = dp_q_parse(&o->priv.delta, s)) != 0)
		dp_die(DP_EX_USAGE, e == DP_ERANGE ?
		    "--delta: '%s' has too many digits, or is too small (1e-18 is not)" :
		    "--delta: '%s' must be a decimal or a ratio, at least 0 and below 1", s);
	if (o->priv.delta.num >= o->priv.delta.den)
		dp_die(DP_EX_USAGE, "--delta: '%s' must be below 1", s);
}

static uint64_t
number(const char *option, const char *s, uint64_t lo, uint64_t hi)
{
	uint64_t n;

	if (dp_u64_parse(&n, s, lo, hi) != 0)
		dp_die(DP_EX_USAGE, "%s: '%s' must be a whole number from %llu to %llu%s",
		    option, s, (unsigned long long)lo, (unsigned long long)hi,
		    hi >= 1000 ? " (12k is 12000; M, G, T)" : "");
	return n;
}

static uint64_t
duration(const char *option, const char *s)
{
	uint64_t n;

	if (dp_duration_parse(&n, s) != 0)
		dp_die(DP_EX_USAGE,
		    "%s: '%s' must be a duration such as 30s, 5m, 1h, 1d", option, s);
	return n;
}

void
dp_options_field(struct dp_field *f, const char *option, const char *s)
{
	f->name = s[0] >= '0' && s[0] <= '9' && strspn(s, "0123456789") == strlen(s) ? NULL : s;
	f->number = 1;
	if (*s == '\0')
		dp_die(DP_EX_USAGE, "%s: a field number or name is needed", option);
	if (f->name == NULL)
		f->number = (unsigned)number(option, s, 1, DP_FIELDS_MAX);
}

static void
set_delimiter(struct dp_options *o, const char *s)
{
	if (strcmp(s, "\\t") == 0)
		s = "\t";
	if (strlen(s) != 1 || *s == '\n' || *s == '\r' || *s == '"')
		dp_die(DP_EX_USAGE,
		    "--delimiter: '%s' must be one byte, not a quote or newline", s);
	o->form.delimiter = (unsigned char)*s;
}

static void
set_steps(struct dp_options *o, enum dp_steps s)
{
	if (o->time.steps != DP_BY_LINE && o->time.steps != s)
		dp_die(DP_EX_USAGE, "only one of --from/--to, --once, --live and --public-times "
		    "can say which steps exist");
	o->time.steps = s;
}

static void
set_batch(struct dp_options *o, const char *s)
{
	size_t i, n = strlen(s);

	for (i = 0; i < n; i++)
		if (s[i] < '!' || s[i] > '~')
			break;
	if (n == 0 || n > 64 || i < n || strcmp(s, "-") == 0)
		dp_die(DP_EX_USAGE,
		    "--batch: an ID is 1 to 64 printable characters without blanks");
	o->keep.batch = s;
}

/* FILE, or FILE:LABEL; a colon before a slash is the file's. */
static void
set_budget(struct dp_options *o, const char *s)
{
	const char *colon = strrchr(s, ':'), *p;

	if (colon != NULL && strchr(colon, '/') != NULL)
		colon = NULL;
	o->priv.label = colon != NULL ? colon + 1 : "";
	o->priv.budget = colon != NULL ? dp_options_keep(o, s, (size_t)(colon - s)) : s;
	for (p = o->priv.label; *p >= ' ' && *p <= '~'; p++)
		;
	if (*o->priv.budget == '\0')
		dp_die(DP_EX_USAGE, "--budget: '%s' names no file", s);
	if (*p != '\0' || p - o->priv.label > LABEL_MAX ||
	    (colon != NULL && *o->priv.label == '\0'))
		dp_die(DP_EX_USAGE, "--budget: a label is 1 to %d printable characters", LABEL_MAX);
}

/* A number with a comma where its point is meant. */
static bool
has_comma(const char *s)
{
	const char *p;

	for (p = strchr(s, ','); p != NULL; p = strchr(p + 1, ','))
		if (p > s && strchr("0123456789", p[-1]) != NULL &&
		    p[1] >= '0' && p[1] <= '9')
			return true;
	return false;
}

static void
set_range(struct dp_options *o, const char *s)
{
	if (dp_options_range(o, s))
		return;
	if (has_comma(s))
		dp_die(DP_EX_USAGE, "--range: '%s' has a comma: numbers are written with a point "
		    "(0.00:1000.00), and without marks of thousands", s);
	dp_die(DP_EX_USAGE, "--range: '%s' must be LO:HI with LO <= HI, not 0:0, "
	    "at most 9 decimals (or a whole number with k, M, G, T), below "
	    "2^50 grid units; or auto[:TOP], TOP up to 2^48", s);
}

static void
set_tabs(struct dp_options *o, const char *s)
{
	(void)s;
	o->form.delimiter = '\t';
}

static void
set_bucket(struct dp_options *o, const char *s)
{
	if (dp_span_parse(&o->time.span, s) != 0)
		dp_die(DP_EX_USAGE, "--bucket: '%s' must be a duration such as 30s, 5m, "
		    "1h, 1d, 1w, 1mo, 1y", s);
	o->time.bucket = dp_span_mean(&o->time.span);
}

/* --from, --to, --next: their times are read once the zone is known. */
static void
set_end(struct dp_options *o, const char *s)
{
	(void)s;
	set_steps(o, DP_BY_RANGE);
}

static void
set_once(struct dp_options *o, const char *s)
{
	(void)s;
	set_steps(o, DP_BY_RANGE);
	o->time.once = true;
	o->time.span = (struct dp_span){ .unit = DP_SPAN_SECONDS, .n = 1 };
	o->time.bucket = 1;
	o->time.from = 0;
	o->time.to = 1;
}

static void
set_live(struct dp_options *o, const char *s)
{
	set_steps(o, DP_BY_CLOCK);
	o->time.lateness = s == NULL || strcmp(s, "0s") == 0 ? 0 : duration("--live", s);
}

static void
set_public(struct dp_options *o, const char *s)
{
	(void)s;
	set_steps(o, DP_BY_TIMES);
}

static void
set_other(struct dp_options *o, const char *s)
{
	o->keys.other = s == NULL ? "other" : s;
}

static void
set_domain(struct dp_options *o, const char *s)
{
	dp_options_keys(o, "domain", s);
}

static void
set_partial(struct dp_options *o, const char *s)
{
	if (s != NULL && strcmp(s, "by-user") != 0)
		dp_die(DP_EX_USAGE, "--partial: '%s' must be by-user, or nothing", s);
	o->shard.by_user = s != NULL;
}

static void
set_columns(struct dp_options *o, const char *s)
{
	o->keys.columns = (size_t)number("--columns", s, 1, DP_COLUMNS_MAX);
}

static void
set_ones(struct dp_options *o, const char *s)
{
	o->keys.ones = (size_t)number("--ones", s, 1, DP_COLUMNS_MAX);
}

static void
set_explain(struct dp_options *o, const char *s)
{
	o->print.explain = s == NULL ? DP_EXPLAIN_TEXT : strcmp(s, "json") == 0 ?
	    DP_EXPLAIN_JSON : DP_EXPLAIN_PLAN;
	if (s != NULL && strcmp(s, "json") != 0 && strcmp(s, "plan") != 0)
		dp_die(DP_EX_USAGE, "--explain: '%s' must be json, plan, or nothing", s);
}

static void
set_within(struct dp_options *o, const char *s)
{
	if (dp_q_parse(&o->priv.within, s) != 0 || o->priv.within.num == 0)
		dp_die(DP_EX_USAGE, "--within: '%s' must be an error above 0: a decimal "
		    "or a ratio", s);
}

static void
set_at_end(struct dp_options *o, const char *s)
{
	(void)s;
	o->print.every = 0;
}

/* Options of which is kept that they were given, or their text as it stands. */
static void
keep_plain(struct dp_options *o, int c, const char *arg)
{
	bool *const flag[DP_OPTION_CODES] = {
		['e'] = &o->priv.has_epsilon, ['r'] = &o->range.has_range,
		[OPT_SEED] = &o->priv.has_seed, [OPT_NEXT] = &o->time.next,
		[OPT_FROM] = &o->time.has_from, [OPT_TO] = &o->time.has_to, ['P'] = &o->priv.pan,
		[OPT_CSV] = &o->form.csv, ['H'] = &o->form.header, [OPT_JSON] = &o->form.json,
		[OPT_FIXED] = &o->form.fixed, ['i'] = &o->form.icase,
		[OPT_INVERT] = &o->form.invert,
		[OPT_STRICT] = &o->form.strict, [OPT_PARTIAL] = &o->shard.partial,
		[OPT_NONNEGATIVE] = &o->print.nonnegative, [OPT_MONOTONE] = &o->print.monotone,
		[OPT_CHECK] = &o->print.check, [OPT_LINE_BUFFERED] = &o->print.line_buffered,
		['n'] = &o->print.number, ['q'] = &o->print.quiet, [OPT_INIT] = &o->keep.init,
		[OPT_SHOW] = &o->keep.show, [OPT_CHANGE] = &o->keep.change,
		[OPT_SEEN] = &o->keep.seen
	};
	const char **const text[DP_OPTION_CODES] = {
		['M'] = &o->priv.mechanism, [OPT_CUT] = &o->form.cut, [OPT_WHERE] = &o->form.where,
		['m'] = &o->form.match, [OPT_FORMAT] = &o->time.format, [OPT_TZ] = &o->time.tz,
		[OPT_STATE] = &o->keep.state, [OPT_OUT] = &o->keep.out,
		[OPT_WITNESS] = &o->keep.witness, [OPT_RECEIPT] = &o->keep.receipt,
		[OPT_SIGN] = &o->keep.sign, [OPT_KEYS] = &o->keys.list,	/* read once -k is known */
		[OPT_MOVE] = &o->keep.move, [OPT_CHANGE] = &o->keep.forget
	};

	if (flag[c] != NULL)
		*flag[c] = true;
	if (text[c] != NULL)
		*text[c] = arg;
}

/* A,B: the day is in one field, its time of day in another. */
static void
set_day_and_clock(struct dp_options *o, const char *s)
{
	const char *comma = strchr(s, ',');

	if (strchr(comma + 1, ',') != NULL)
		dp_die(DP_EX_USAGE, "--time: '%s' must be a field, or two, A,B: the day's and that "
		    "of its time of day", s);
	free(o->time.day);
	if ((o->time.day = strndup(s, (size_t)(comma - s))) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	dp_options_field(&o->time.field, "--time", o->time.day);
	dp_options_field(&o->time.clock, "--time", comma + 1);
}

/* Options whose value is a field, or a whole number. */
static void
keep_read(struct dp_options *o, int c, const char *arg)
{
	struct dp_field *const field[DP_OPTION_CODES] = {
		['u'] = &o->users.field, ['v'] = &o->form.value, ['t'] = &o->time.field,
		['k'] = &o->keys.field
	};
	const struct {
		uint64_t *at, lo, hi;
	} whole[DP_OPTION_CODES] = {
		['T'] = { &o->horizon, 1, STEPS_MAX }, [OPT_GAP] = { &o->time.gap, 1, STEPS_MAX },
		[OPT_REPORT] = { &o->priv.report, 1, STEPS_MAX },
		[OPT_EVERY] = { &o->print.every, 1, STEPS_MAX },
		[OPT_TOP] = { &o->print.top, 1, DP_KEYS_MAX },
		[OPT_SEED] = { &o->priv.seed, 0, UINT64_MAX }
	};
	char option[OPTION_TEXT];

	if (field[c] == NULL && whole[c].at == NULL)
		return;
	snprintf(option, sizeof option, "--%s", dp_table_name(c, NULL));
	if (c == 't' && !o->time.old && strchr(arg, ',') != NULL)
		set_day_and_clock(o, arg);
	else if (c == 'k' && strchr(arg, ',') != NULL)
		dp_options_key_fields(o, arg);
	else if (field[c] != NULL)
		dp_options_field(field[c], option, arg);
	else
		*whole[c].at = number(option, arg, whole[c].lo, whole[c].hi);
}

/* Options with a reader of their own. */
static void (*const set[DP_OPTION_CODES])(struct dp_options *, const char *) = {
	['e'] = set_epsilon, ['d'] = set_delta, ['c'] = dp_options_per_user,
	[OPT_BUDGET] = set_budget,
	['r'] = set_range, [OPT_UNIT] = dp_options_total, ['F'] = set_delimiter,
	[OPT_TSV] = set_tabs, [OPT_LOG] = dp_options_log, [OPT_BUCKET] = set_bucket,
	[OPT_FROM] = set_end, [OPT_TO] = set_end, [OPT_NEXT] = set_end, [OPT_ONCE] = set_once,
	[OPT_LIVE] = set_live, [OPT_PUBLIC] = set_public,
	[OPT_OTHER] = set_other, [OPT_DOMAIN] = set_domain,
	[OPT_PARTIAL] = set_partial,
	[OPT_COLUMNS] = set_columns, [OPT_ONES] = set_ones, ['o'] = dp_options_format,
	['B'] = dp_options_confidence, ['E'] = set_explain, [OPT_WITHIN] = set_within,
	[OPT_SAFE] = dp_options_safe, [OPT_EXPECT] = dp_options_expect,
	[OPT_BATCH] = set_batch, [OPT_AT_END] = set_at_end
};

void
dp_options_shared(struct dp_options *o, int c, const char *arg)
{
	keep_plain(o, c, arg);
	keep_read(o, c, arg);
	if (set[c] != NULL)
		set[c](o, arg);
}
