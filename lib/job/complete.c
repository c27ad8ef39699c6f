/* SPDX-License-Identifier: ISC */
/*
 * complete.c - from the options that were given to those that a run goes by, in one order:
 *
 *	--check			what it does not go with
 *	a state's		options that are kept, and were not given
 *	--tz, --from, --to	the zone is read, and times in it
 *	--next			--from and --to, by the clock and the state
 *	--partial		how rows of partial sums are read
 *	fields			-u A,B and -v A,B, --where, K/B of --per-user, what --log stands for
 *	the tool		--dropped, -r auto, --identifiers, --key of identifiers make it
 *				another one
 *	-k A[]			-c K is of an event, where there are no users
 *	checks			check.c
 *	the horizon		of --from and --to
 *	the task		what the tool asks for (relation.c)
 *
 * --within and the plan have the last words: dp_options_found(), dp_options_planned().
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stat/dropped.h"
#include "stat/magnitude.h"
#include "stat/margins.h"
#include "internal.h"
#include "table.h"

static const struct dp_tool *dp_options_variant(struct dp_options *, const struct dp_tool *);
static const struct dp_tool *with_margins(const struct dp_options *, const struct dp_tool *);

#define ZONES		"/usr/share/zoneinfo"
#define NAME_MAX_BYTES	64
#define FILE_MAX_BYTES	(1 << 20)
#define RANGE_MAX	((int64_t)1 << 50)
#define TERA		((int64_t)1000000000000)
#define DROPPED		10	/* times K: a user's events that count as left out, or fewer */
/* More empty buckets than this by one event's time are a wrong time. */
#define GAP		((uint64_t)100)
#define PAUSE		((uint64_t)31 * 86400)

/* --check releases nothing, and so has no epsilon. */
static void
complete_check(struct dp_options *o)
{
	if (!o->print.check)
		return;
	o->priv.has_epsilon = true;
	o->form.strict = true;	/* the time is read also beside a value of 0 */
	o->priv.pan = false;
}

/* A name below ZONES; right/ has leap seconds, which no log counts. */
static bool
is_name_complete(const char *name)
{
	return *name != '\0' && strlen(name) <= NAME_MAX_BYTES && *name != '/' &&
	    strstr(name, "..") == NULL && strncmp(name, "right/", 6) != 0;
}

/* All of a file: NULL, or why it cannot be had. */
static const char *
read_all(const char *path, char *text, size_t *n)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got;

	if (fd < 0)
		return strerror(errno);
	for (*n = 0; (got = read(fd, text + *n, FILE_MAX_BYTES - *n)) != 0; *n += (size_t)got)
		if (got < 0 && errno == EINTR)
			got = 0;
		else if (got < 0)
			break;
	close(fd);
	return got < 0 ? strerror(errno) : *n == FILE_MAX_BYTES ? "it is too long" : NULL;
}

static void
load(struct dp_zone *zone, const char *option, const char *name)
{
	char path[NAME_MAX_BYTES + sizeof ZONES + 2], *text = malloc(FILE_MAX_BYTES);
	const char *why = "that is no name of one";
	size_t n = 0;
	int e = 0;

	if (text == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (is_name_complete(name)) {
		sprintf(path, "%s/%s", ZONES, name);
		if ((why = read_all(path, text, &n)) == NULL)
			e = dp_zone_read(zone, (struct dp_slice){ text, n }, &why);
	}
	free(text);
	if (e == DP_ENOMEM)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (why != NULL)
		dp_die(DP_EX_USAGE, "%s: '%s' must be a zone of the tz database, such as "
		    "Europe/Berlin (a file below " ZONES "): %s", option, name, why);
}

const struct dp_zone *
dp_options_zone_in(const struct dp_options *o)
{
	return o->time.in.name != NULL ? &o->time.in.zone : o->time.span.zone;
}

/* --start: where days, weeks, months begin. */
static void
set_start(struct dp_options *o)
{
	const int e = dp_span_start(&o->time.span, o->time.start);

	if (e == DP_ESYNTAX)
		dp_die(DP_EX_USAGE, "--start: '%s' must be a time of day such as 06:00, a day of "
		    "the week such as sun, or both: sun,06:00", o->time.start);
	if (e != 0)
		dp_die(DP_EX_USAGE, "--start: '%s' needs --bucket of %s", o->time.start,
		    o->time.start[0] > '9' ? "weeks (1w)" : "whole days, weeks, months or years");
}

static int64_t
moment(const struct dp_options *o, const char *option, const char *s)
{
	int64_t t;

	if (dp_when_parse_arg(&t, s, o->time.span.zone) != 0)
		dp_die(DP_EX_USAGE,
		    "%s: '%s' must be a time such as 2024-05-01T12:00:00Z or seconds since 1970",
		    option, s);
	return t;
}

/* Its file is read here: the C library would silently take UTC for an unreadable one. */
void
dp_options_times(struct dp_options *o)
{
	char span[DP_SPAN_TEXT];

	if (o->time.tz != NULL) {
		load(&o->time.zone, "--tz", o->time.tz);
		o->time.span.zone = &o->time.zone;
	}
	if (o->time.in.name != NULL)
		load(&o->time.in.zone, "--tz-in", o->time.in.name);
	if (o->time.start != NULL && o->time.bucket != 0)
		set_start(o);
	if (o->time.tz != NULL && o->time.bucket != 0 && !dp_span_fits_zone(&o->time.span)) {
		dp_span_put(span, &o->time.span);
		dp_die(DP_EX_USAGE, "--bucket: with --tz a bucket is whole days, weeks, months, or "
		    "divides a day; %ss do not", span);
	}
	if (o->time.has_from)
		o->time.from = moment(o, "--from", o->text[OPT_FROM]);
	if (o->time.has_to)
		o->time.to = moment(o, "--to", o->text[OPT_TO]);
}

/* A shard of lines, which are symbols: one bucket that has no time, as that of --once. */
static void
complete_symbols(struct dp_options *o, const struct dp_tool *tool)
{
	if (tool->shape != DP_SHAPE_SYMBOL || !(o->shard.partial || tool->map))
		return;
	o->shard.symbols = true;
	o->time.span = (struct dp_span){ .unit = DP_SPAN_SECONDS, .n = 1 };
	o->time.from = 0;
	o->time.to = 1;
}

static void
complete_partial(struct dp_options *o)
{
	if (!o->shard.partial)
		return;
	o->form.delimiter = '\t';
	o->form.value.number = DP_PARTIAL_LAST;
	if (o->shard.symbols)
		return;
	o->time.field.number = DP_PARTIAL_TIME;
	o->time.format = "iso";
	o->keys.field.number = o->keys.n != 0 ? DP_PARTIAL_KEY : 0;
}

/*
 * A,B: several fields, or one of that name where there is a header.  A header's names are not known
 * yet: what cannot be a list of names is one name there.
 */
static void
set_several(struct dp_options *o, struct dp_fields *s, const struct dp_field *f,
    const char *option)
{
	char *text, *next;

	if (f->name == NULL || strchr(f->name, ',') == NULL)
		return;
	for (text = dp_options_keep(o, f->name, strlen(f->name)); text != NULL; text = next) {
		if ((next = strchr(text, ',')) != NULL)
			*next++ = '\0';
		if (o->form.header && (s->n == DP_KEY_FIELDS ||
		    text[strspn(text, "0123456789")] == '\0')) {
			s->n = 0;
			return;
		}
		need(s->n < DP_KEY_FIELDS, "%s: '%s' has more than %d fields", option, f->name,
		    DP_KEY_FIELDS);
		dp_options_field(&s->part[s->n++], option, text);
	}
}

static bool
is_log(const struct dp_options *o, const char *name)
{
	return o->given[OPT_LOG] && o->text[OPT_LOG] != NULL &&
	    strcmp(o->text[OPT_LOG], name) == 0;
}

bool
dp_options_w3c(const struct dp_options *o)
{
	return is_log(o, "w3c");
}

bool
dp_options_any_log(const struct dp_options *o)
{
	return is_log(o, "auto");
}

bool
dp_options_csvlog(const struct dp_options *o)
{
	return is_log(o, "csvlog");
}

bool
dp_options_dashed(const struct dp_options *o)
{
	const struct dp_ask_form *f = &o->form;

	return o->given[OPT_LOG_FORMAT] || (f->log != NULL && f->log->dash) ||
	    (f->outer != NULL && f->outer->dash);
}

static void
set_retention(struct dp_options *o)
{
	const char *text = o->users.retention_text;

	if (text == NULL)
		return;
	o->users.retention = dp_options_steps(o, "--retention", text);
	need(o->users.retention <= DP_RETENTION_MAX, "--retention: '%s' is %llu steps: at most %d",
	    text, (unsigned long long)o->users.retention, DP_RETENTION_MAX);
	o->users.retention_text = NULL;
}

static void
complete_fields(struct dp_options *o)
{
	const char *time;

	dp_options_lets(o);
	set_several(o, &o->users.several, &o->users.field, "--user");
	set_several(o, &o->form.several, &o->form.value, "--value");
	dp_options_lets_used(o);
	dp_options_where(o);
	dp_options_spacing(o);
	set_retention(o);
	/* one step in all: K in each is K, and all of a user is protected */
	if (o->time.once && o->keep.state == NULL)
		o->users.per_step = false;
	/* and a user's one number there is all of that */
	if (o->users.each != DP_EACH_NO && o->time.once && o->keep.state == NULL &&
	    o->users.most == 0 && o->keys.field.number == 0)
		o->users.most = 1;
	if (o->form.log == NULL && !dp_options_w3c(o) && !dp_options_csvlog(o) &&
	    !o->given[OPT_LOG_FORMAT])
		return;
	time = o->form.log != NULL ? dp_log_time(o->form.log) : dp_options_csvlog(o) ? "log_time" :
	    o->given[OPT_LOG_FORMAT] ? "time" : "date";
	if (dp_options_timed(o) && o->time.field.number == 0)
		o->time.field = (struct dp_field){ time, 1 };
	if (o->time.format == NULL && o->time.field.name != NULL &&
	    strcmp(o->time.field.name, time) == 0)
		o->time.format = o->form.log != NULL ? o->form.log->time_format :
		    o->given[OPT_LOG_FORMAT] && strstr(o->text[OPT_LOG_FORMAT], "iso") == NULL ?
		    "clf" : "iso";
}

/* -k A[]: -c K is how many keys of an event count, or of a user's events together. */
static void
complete_elements(struct dp_options *o)
{
	o->keys.each = o->form.json && o->keys.field.name != NULL && o->keys.more == 0 &&
	    o->keys.field.number <= DP_FIELDS_MAX &&
	    (o->form.log == NULL || o->form.log->between == '\0') &&
	    dp_path_brackets(o->keys.field.name) != NULL;
	if (!o->keys.each || o->users.field.number != 0)
		return;
	o->keys.most = o->users.most;
	o->users.most = 0;
}

/*
 * A time inside a bucket: events on its other side count nowhere, so that only a part of the bucket
 * is counted.  A state could never have the rest: a step is released once.
 */
static void
check_border(const struct dp_options *o, const char *option, const char *text, int64_t t)
{
	const int64_t begin = dp_span_floor(&o->time.span, t);
	char first[DP_WHEN_TEXT + 1], next[DP_WHEN_TEXT + 1];

	if (t == begin)
		return;
	*dp_when_put(first, begin, o->time.span.zone) = '\0';
	*dp_when_put(next, dp_span_next(&o->time.span, t), o->time.span.zone) = '\0';
	if (o->keep.state != NULL)
		dp_die(DP_EX_USAGE, "%s: '%s' must begin a bucket, or a part of one is lost for "
		    "the state file: %s or %s", option, text, first, next);
	if (!o->print.quiet)
		dp_warn("%s: '%s' is inside a bucket: of the bucket from %s to %s only a part "
		    "counts", option, text, first, next);
}

/* --difference: the place of its key, or the number of keys: it is none of them. */
static void
complete_base(struct dp_options *o)
{
	size_t *i = &o->print.base;

	*i = 0;
	if (o->print.difference && o->print.less != NULL)
		while (*i < o->keys.n && strcmp(o->keys.name[*i], o->print.less) != 0)
			++*i;
}

/* Buckets from --from to --to are the horizon. */
static void
complete_horizon(struct dp_options *o)
{
	uint64_t n;

	if (o->time.steps != DP_BY_RANGE || o->time.bucket == 0)
		return;
	check_border(o, "--from", o->text[OPT_FROM], o->time.from);
	check_border(o, "--to", o->text[OPT_TO], o->time.to);
	o->time.begin = dp_span_floor(&o->time.span, o->time.from);
	o->time.end = dp_span_next(&o->time.span, o->time.to - 1);
	n = dp_span_count(&o->time.span, o->time.begin, o->time.end, UINT64_MAX);
	if (o->horizon == 0 && o->keep.state == NULL)
		o->horizon = n;
	if (o->horizon != 0 && n > o->horizon)
		dp_die(DP_EX_SPENT, "--from and --to span %llu buckets, more than the horizon of "
		    "%llu: %s", (unsigned long long)n, (unsigned long long)o->horizon,
		    o->keep.state == NULL || o->keep.init ? "a larger -T, or fewer buckets" :
		    "fewer buckets, as a state's horizon is that of all its runs together");
}

static int64_t
power_of_ten(unsigned n)
{
	return (int64_t)dp_power10(n);
}

/* 0:1T on the grid of U's decimals: no total is larger, but what is mistyped. */
static void
default_range(struct dp_options *o, unsigned places)
{
	need(TERA < RANGE_MAX / power_of_ten(places), "--unit: '%s' has so many decimals that the "
	    "range 0:1T does not fit: give --range, below 2^50 grid units", o->range.total);
	o->range.places = places;
	o->range.lo = 0;
	o->range.hi = TERA * power_of_ten(places);
}

void
dp_options_totals(struct dp_options *o)
{
	int64_t u, coarse = 1;
	int places;

	if (o->range.total == NULL || o->range.weight.field.number != 0)
		return;			/* of weights it says something else (stat/mean.h) */
	places = dp_decimal_places(o->range.total, strlen(o->range.total));
	if (!o->range.has_range && (o->keep.state == NULL || o->keep.init))
		default_range(o, (unsigned)places);
	need(o->range.lo <= 0 && o->range.hi >= 0,
	    "--unit: the range must hold 0 (where there is no line "
	    "the total is 0)");
	if (dp_decimal_parse(&u, o->range.total, strlen(o->range.total), (unsigned)places) != 0)
		u = 0;
	if ((unsigned)places > o->range.places)
		coarse = power_of_ten((unsigned)places - o->range.places);
	need(u % coarse == 0, "--unit: '%s' must be on the grid of --range, which has %u decimals: "
	    "write it with as many (0:1000 is whole numbers, 0.00:1000.00 hundredths)",
	    o->range.total, o->range.places);
	u /= coarse;
	if ((unsigned)places < o->range.places) {
		coarse = power_of_ten(o->range.places - (unsigned)places);
		need(u < RANGE_MAX / coarse, "--unit: '%s' must be below 2^50 grid units",
		    o->range.total);
		u *= coarse;
	}
	need(u < RANGE_MAX, "--unit: '%s' must be below 2^50 grid units", o->range.total);
	/* account/neighbour.h, TOTALS */
	o->range.unit = (uint64_t)u + (o->range.lo < 0 && o->range.hi > 0);
}

void
dp_options_spacing(struct dp_options *o)
{
	if (o->users.spacing_text != NULL)
		o->users.spacing = dp_options_steps(o, "--per-user", o->users.spacing_text);
	o->users.spacing_text = NULL;
}

size_t
dp_options_rows(const struct dp_options *o)
{
	uint64_t least;

	if (o->time.bucket == 0)
		return 0;
	least = dp_span_least(&o->time.span);
	switch (o->time.steps) {
	case DP_BY_RANGE:
		return (size_t)dp_span_count(&o->time.span, o->time.begin, o->time.end, SIZE_MAX);
	case DP_BY_CLOCK:
		return (o->time.lateness + least - 1) / least + 1;
	case DP_BY_TIMES:
	case DP_BY_LINE:
		break;
	}
	return 1;
}

uint64_t
dp_options_gap(const struct dp_options *o)
{
	return o->time.gap != 0 ? o->time.gap : PAUSE / o->time.bucket > GAP ?
	    PAUSE / o->time.bucket : GAP;
}

const struct dp_tool *
dp_options_complete(struct dp_options *o, const struct dp_tool *tool,
    const struct dp_completion *others)
{
	dp_options_check(o, tool, DP_STAGE_SAMPLE);
	complete_check(o);
	if (others != NULL && others->kept != NULL)
		others->kept(others->arg, o);
	dp_options_times(o);
	if (others != NULL && others->next != NULL)
		others->next(others->arg, o);
	dp_options_check(o, tool, DP_STAGE_PARTIAL);
	complete_symbols(o, tool);
	complete_partial(o);
	complete_fields(o);
	tool = dp_options_variant(o, tool);
	complete_elements(o);
	complete_base(o);
	dp_options_margins(o);
	dp_options_check(o, tool, DP_STAGE_ALL);
	tool = with_margins(o, tool);
	complete_horizon(o);
	dp_options_check(o, tool, DP_STAGE_HORIZON);
	dp_options_check(o, tool, DP_STAGE_UNIT);
	dp_options_task(o, tool);
	return tool;
}

void
dp_options_found(struct dp_options *o, struct dp_q epsilon)
{
	o->priv.epsilon = epsilon;
	o->priv.has_epsilon = true;
}

/* -P is to be had wherever the mechanism can and no option forbids it. */
void
dp_options_planned(struct dp_options *o, const struct dp_mech_ops *ops)
{
	const unsigned needed = DP_TRAIT_PAN | (o->time.bucket != 0 ? DP_TRAIT_PAN_OPEN : 0);

	o->priv.mechanism = ops->name;
	if (o->priv.pan_default && (o->keep.state == NULL || o->keep.init) && !o->priv.exact &&
	    (ops->traits & needed) == needed && dp_options_no_pan(o) == NULL)
		o->priv.pan = true;
}

/*
 * Tools that an option makes other ones of: their table, with some members
 * changed.
 */

/*
 * -r auto[:TOP]: sums of values whose range nobody knows (stat/magnitude.h).  A tool that takes it
 * becomes one whose events add to columns by magnitude; all else of it stays.
 */
static struct dp_magnitude_asked asked;
static const struct dp_tool *tool_of;

static size_t
columns(const struct dp_options *o, unsigned band)
{
	(void)o;
	(void)band;
	return dp_magnitude_columns(&asked);
}

static uint64_t
most(const struct dp_options *o, unsigned band)
{
	(void)o;
	(void)band;
	return (uint64_t)1 << asked.digits;
}

static unsigned
place(const struct dp_options *o, int64_t value, struct dp_term *x)
{
	(void)o;
	if (value != 0)
		x->place = dp_magnitude_place(&asked, value, &x->value);
	return value != 0;
}

static const struct dp_contributions adds = { 1, columns, most, 1, place, NULL };

#define DIGITS_LEAST	12
#define RATE		25	/* digits of values, and of noise, that trees of all kinds serve */

/* Digits on which noise of the rate epsilon / (move of a unit) is just fine enough. */
static unsigned
digits(const struct dp_options *o)
{
	const double moves = o->users.most != 0 ? (double)o->users.most :
	    o->time.bucket != 0 ? 1 : 2;
	double S = DP_MAGNITUDE_DIGITS;

	if (!o->priv.exact)
		S = o->priv.has_epsilon ?
		    floor(RATE + log2(dp_q_double(o->priv.epsilon) / moves)) : DIGITS_LEAST;
	S = fmin(fmax(S, DIGITS_LEAST), DP_MAGNITUDE_DIGITS);
	return S < asked.top ? (unsigned)S : asked.top;
}

static void
auto_task(const struct dp_options *o, struct dp_question *ask)
{
	static const char *const name[] = { "sum", "clamp" };
	char text[64];

	if (tool_of->task != NULL)
		tool_of->task(o, ask);
	need((ask->task.what & (DP_TASK_COUNT | DP_TASK_WINDOW | DP_TASK_EXP)) != 0,
	    "--range=auto: refused with --expire, --ages, --power and --weights");
	asked.top = dp_ceil_log2((uint64_t)ask->range.hi);
	asked.digits = digits(o);
	snprintf(text, sizeof text, "auto of %u digits to 2^%u", asked.digits, asked.top);
	ask->shard.adds = dp_question_keep(ask, text, strlen(text));
	ask->task.statistic = &dp_magnitude_statistic;
	ask->task.own = &asked;
	dp_options_each_window(ask, name, 2, DP_OUTPUT_BIASED);
}

/* Nobody knows by how much answers differ. */
static double
no_reach(const struct dp_options *o, const struct dp_plan *p, unsigned out)
{
	(void)o;
	(void)p;
	(void)out;
	return INFINITY;
}

static const struct dp_tool *
by_magnitude(const struct dp_options *o, const struct dp_tool *tool)
{
	static struct dp_tool own;

	if (!o->range.magnitudes)
		return tool;
	dp_options_check(o, tool, DP_STAGE_AUTO);
	tool_of = tool;
	own = *tool;
	own.shape = DP_SHAPE_CONTRIBUTIONS;
	own.adds = &adds;
	own.task = auto_task;
	own.reach = no_reach;
	return &own;
}

/*
 * --dropped: a count or a sum, and the share of events that -c leaves out (stat/dropped.h).
 */
static struct dp_dropped_asked told;
static const char *noun[2];

static size_t
told_numbers(const struct dp_options *o, unsigned band)
{
	(void)o;
	(void)band;
	return told.numbers;
}

static uint64_t
told_most(const struct dp_options *o, unsigned band)
{
	(void)o;
	(void)band;
	return told.reach;
}

static unsigned
told_split(const struct dp_options *o, int64_t value, struct dp_term *x)
{
	int64_t b[DP_DROPPED_NUMBERS];
	unsigned i;

	(void)o;
	dp_dropped_split(&told, value, b);
	for (i = 0; value != 0 && i + 1 < told.numbers; i++)
		x[i] = (struct dp_term){ i, b[i] };
	return value != 0 ? told.numbers - 1 : 0;
}

static void
told_beyond(const struct dp_options *o, struct dp_term *x)
{
	(void)o;
	*x = (struct dp_term){ told.numbers - 1, (int64_t)told.weight[told.numbers - 1] };
}

static void
dropped_task(const struct dp_options *o, struct dp_question *ask)
{
	const char *name[] = { noun[!dp_options_ones(o)], "dropped" };
	unsigned i;

	if (tool_of->task != NULL)
		tool_of->task(o, ask);
	need((ask->task.what & (DP_TASK_COUNT | DP_TASK_WINDOW)) != 0, "--dropped: refused with "
	    "--expire and --ages: give dpwindow the steps that are protected, or leave one of "
	    "the two out");
	dp_dropped_ask(&told, o->users.most, o->users.dropped, ask->range.lo, ask->range.hi,
	    ask->range.places);
	ask->task.statistic = &dp_dropped_statistic;
	ask->task.own = &told;
	dp_options_each_window(ask, name, 2, DP_OUTPUT_BIASED);
	for (i = 0; i < ask->outputs; i += 2) {
		ask->output[i].kind = DP_OUTPUT_ESTIMATE;
		ask->output[i].fewer = DP_DROPPED_DECIMALS;
		ask->output[i + 1].fewer = ask->range.places;
	}
}

static const struct dp_tool *
with_dropped(struct dp_options *o, const struct dp_tool *tool)
{
	static const struct dp_contributions adds_told = { 1, told_numbers, told_most,
	    DP_DROPPED_NUMBERS - 1, told_split, told_beyond };
	static struct dp_tool own;

	if (!o->given[OPT_DROPPED])
		return tool;
	dp_options_check(o, tool, DP_STAGE_DROPPED);
	if (o->users.dropped == 0)
		o->users.dropped = DROPPED * o->users.most;
	tool_of = tool;
	memcpy(noun, tool->words.noun, sizeof noun);
	own = *tool;
	own.shape = DP_SHAPE_CONTRIBUTIONS;
	own.adds = &adds_told;
	own.task = dropped_task;
	own.reach = no_reach;
	return &own;
}

/*
 * --margins=F: a count or a sum whose totals have noise of their own (stat/margins.h).
 */
static size_t
margins_width(const struct dp_options *o, unsigned band)
{
	const struct dp_margins *m = o->print.table.made;

	return band == 0 ? m->keys : m->width[band - 1];
}

static uint64_t
margins_most(const struct dp_options *o, unsigned band)
{
	(void)band;
	return (uint64_t)o->range.hi;
}

static unsigned
margins_of(const struct dp_options *o, int64_t value, struct dp_term *x)
{
	(void)o;
	x[0] = (struct dp_term){ 0, value };
	return value != 0;
}

static unsigned
margins_at(const struct dp_options *o, size_t key, struct dp_term *x)
{
	const struct dp_margins *m = o->print.table.made;
	unsigned n = 1;
	size_t v;

	x[0].place = key;
	for (v = key; m->form == DP_MARGINS_TREE && v != m->above[v]; n++) {
		v = m->above[v];
		x[n] = (struct dp_term){ m->keys + m->number[v - m->keys], x[0].value };
	}
	if (m->form == DP_MARGINS_TABLE) {
		x[n++] = (struct dp_term){ m->keys + m->n - 1, x[0].value };
		if (key < m->rows * m->columns) {
			x[n++] = (struct dp_term){ m->keys + key / m->columns, x[0].value };
			x[n++] = (struct dp_term){ m->keys + m->rows + key % m->columns,
			    x[0].value };
		}
	}
	return n;
}

static void
margins_task(const struct dp_options *o, struct dp_question *ask)
{
	if (tool_of->task != NULL)
		tool_of->task(o, ask);
	need((ask->task.what & (DP_TASK_COUNT | DP_TASK_WINDOW)) != 0,
	    "--margins=F: refused with --expire and --ages: leave F out");
	ask->task.statistic = &dp_margins_statistic;
	ask->task.own = o->print.table.made;
}

static const struct dp_tool *
with_margins(const struct dp_options *o, const struct dp_tool *tool)
{
	static struct dp_contributions adds_margins = { 0, margins_width, margins_most,
	    1 + DP_MARGINS_LEVELS, margins_of, NULL };
	static struct dp_tool own;
	const struct dp_margins *m = o->print.table.made;

	if (m == NULL || o->print.table.share.num == 0 || m->levels == 0)
		return tool;
	tool_of = tool;
	adds_margins.bands = 1 + m->levels;
	own = *tool;
	own.shape = DP_SHAPE_CONTRIBUTIONS;
	own.adds = &adds_margins;
	own.at = margins_at;
	own.task = margins_task;
	own.reach = no_reach;
	return &own;
}

/*
 * A tool of identifiers with --key: number of different ones of each declared key.  It is a count
 * of users: the identifier is the user, who counts once at most for each key, and for --per-user
 * keys in all (account/neighbour.h, ONCE); or, with windows, in each step.  Of a window of one step
 * these are sums; of others the tool's own, whose mechanism is told when an identifier was seen of
 * that key last.
 */
static const struct dp_own *options;	/* the tool's own */
static void (*windows)(const struct dp_options *, struct dp_question *);

static void
set_key_steps(const struct dp_options *o, struct dp_question *ask, const char *window)
{
	ask->task.what = DP_TASK_COUNT;
	if (window == NULL) {
		need(!o->users.per_step, "--per-user=K/step: with --window, which counts each step "
		    "by itself");
		return;
	}
	need(o->users.per_step, "--window: with --key it needs --per-user=K/step, the keys of one "
	    "identifier that count in a step");
	if (strchr(window, ',') == NULL && dp_options_steps(o, "--window", window) == 1) {
		dp_options_windows(o, ask, window);
		return;
	}
	need(o->time.lateness == 0, "--live=LATENESS: refused with --key and windows of several "
	    "steps (several buckets would be open): --live without it");
	windows(o, ask);
	ask->id.step = false;
	ask->id.keyed = true;
}

/* An own option that goes with --key; or the reason why not. */
static const char *
key_refuses(const char *name, const char *text, const char *window)
{
	if (strcmp(name, "statistic") == 0 && strcmp(text, "distinct") == 0)
		return NULL;
	if (window != NULL && strcmp(name, "shares") == 0)
		return NULL;
	if (window != NULL && strcmp(name, "protect") == 0)
		return strcmp(text, "event") == 0 ? NULL : ": of windows what an identifier does "
		    "in one step is protected; without --window, -c K protects it whole";
	return strcmp(name, "presence") == 0 ? NULL : "";
}

static void
key_task(const struct dp_options *o, struct dp_question *ask)
{
	const char *window = NULL, *why;
	size_t i;

	for (i = 0; options[i].name != NULL; i++)
		if (strcmp(options[i].name, "window") == 0)
			window = o->own[i].text;
	for (i = 0; options[i].name != NULL; i++) {
		if (o->own[i].text == NULL || strcmp(options[i].name, "window") == 0)
			continue;
		why = key_refuses(options[i].name, o->own[i].text, window);
		need(why == NULL, "--%s: refused with --key%s", options[i].name, why);
	}
	set_key_steps(o, ask, window);
}

static bool
key_tells(const struct dp_options *o, const struct dp_mech_rule *s, const struct dp_plan *p,
    unsigned i, char text[static DP_NOTE])
{
	size_t k;

	(void)s;
	(void)p;
	for (k = 0; options[k].name != NULL; k++)
		if (strcmp(options[k].name, "presence") == 0 && o->own[k].text != NULL && i == 0) {
			snprintf(text, DP_NOTE, "--presence has no effect: with --key that an "
			    "identifier is there is what is protected");
			return true;
		}
	return false;
}

static const char *
hashed(const struct dp_options *o)
{
	(void)o;
	return "identifiers, each once for a key, told by a keyed hash of 96 bits";
}

static const struct dp_tool *
each_key(struct dp_options *o, const struct dp_tool *tool)
{
	static struct dp_tool own;

	if (tool->shape != DP_SHAPE_ID || (tool->groups & DP_GROUP_KEY) == 0)
		return tool;
	dp_options_check(o, tool, DP_STAGE_IDS);
	o->shard.identifiers = o->shard.partial;
	if (o->keys.field.number == 0)
		return tool;
	o->users.field = o->form.value;
	o->users.several = o->form.several;
	o->users.once = true;
	o->form.match = ".";		/* an identifier that is empty is none */
	o->priv.pan_default = false;
	options = tool->own;
	windows = tool->task;
	own = *tool;
	own.shape = DP_SHAPE_NUMBER;
	own.words.values = hashed;
	own.task = key_task;
	own.reach = NULL;
	own.note = NULL;
	own.tells = key_tells;
	own.pan = false;
	return &own;
}

/*
 * An own option --identifiers, of a tool that prints exact sums: a tool that prints identifiers and
 * how often each came.
 */
static const char *
texts(const struct dp_options *o)
{
	(void)o;
	return "identifiers, as their texts";
}

static const struct dp_tool *
identifiers(struct dp_options *o, const struct dp_tool *tool)
{
	static struct dp_tool own;
	size_t i;

	for (i = 0; tool->own != NULL && tool->own[i].name != NULL; i++)
		if (strcmp(tool->own[i].name, "identifiers") == 0)
			break;
	if (!tool->map || tool->own[i].name == NULL || o->own[i].text == NULL)
		return tool;
	dp_options_check(o, tool, DP_STAGE_LIST);
	o->shard.identifiers = true;
	own = *tool;
	own.shape = DP_SHAPE_NAME;
	own.words.reads = "identifier";
	own.words.values = texts;
	return &own;
}

/*
 * A tool of symbols with --unit: a line is a number, and its key says what the number counts.
 */
static const struct dp_tool *
of_totals(const struct dp_options *o, const struct dp_tool *tool)
{
	static struct dp_tool own;

	if (tool->shape != DP_SHAPE_SYMBOL || o->range.total == NULL)
		return tool;
	own = *tool;
	own.words.reads = NULL;
	return &own;
}

/* --where, and -r auto, --key and --identifiers, which make another tool of the tool. */
static const struct dp_tool *
dp_options_variant(struct dp_options *o, const struct dp_tool *tool)
{
	return of_totals(o, each_key(o, identifiers(o, by_magnitude(o, with_dropped(o, tool)))));
}

/*
 * The range that values are clamped to.
 */

void
dp_options_refine(const struct dp_options *o, struct dp_ask_range *r, unsigned finer)
{
	if (o->keep.state != NULL && !o->keep.init)
		finer = r->finer;
	finer = dp_range_finer(r->lo, r->hi, r->places, finer);
	r->lo *= power_of_ten(finer);
	r->hi *= power_of_ten(finer);
	r->places += finer;
	r->finer = finer;
}

const char *
dp_options_range_put(const struct dp_options *o, char text[static DP_RANGE_TEXT])
{
	const int64_t coarse = power_of_ten(o->range.finer);
	const unsigned places = dp_range_places(&o->range) - o->range.finer;
	char *p = o->range.magnitudes ? stpcpy(text, "auto") :
	    dp_decimal_put(text, o->range.lo / coarse, places);

	*p++ = ':';
	*dp_decimal_put(p, o->range.hi / coarse, places) = '\0';
	return text;
}

#define NARROW	100

const char *
dp_options_grid_put(const struct dp_options *o, char text[static DP_GRID_TEXT])
{
	struct dp_options finer = *o;
	char range[DP_RANGE_TEXT], *p = text;

	finer.range.places -= finer.range.coarser;
	finer.range.coarser = 0;
	if (finer.range.places == 0)
		p = stpcpy(text, "whole numbers");
	else
		*(p = dp_decimal_put(text, 1, finer.range.places)) = '\0';
	if (!o->given['r'] || dp_options_whole(o) || o->range.magnitudes ||
	    o->range.hi - o->range.lo >= NARROW)
		return text;
	dp_options_refine(o, &finer.range, 2);
	finer.range.finer = 0;
	if (finer.range.places != dp_range_places(&o->range))
		sprintf(p, " (-r %s keeps more)", dp_options_range_put(&finer, range));
	return text;
}

bool
dp_options_clamps(const struct dp_options *o, const struct dp_tool *tool)
{
	return tool->shape != DP_SHAPE_ID && tool->shape != DP_SHAPE_SYMBOL &&
	    tool->shape != DP_SHAPE_NAME &&
	    (o->form.match == NULL || o->users.each > DP_EACH_ANY) &&
	    (o->given['r'] || (o->given['v'] && o->range.total == NULL));
}
