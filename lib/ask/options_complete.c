/*
 * options_complete.c - from the options that were given to those that a run goes by, in one order:
 *
 *	--check			what it does not go with
 *	a state's		options that are kept, and were not given
 *	--tz, --from, --to	the zone is read, and times in it
 *	--next			--from and --to, by the clock and the state
 *	--partial		how rows of partial sums are read
 *	fields			-u A,B and -v A,B, --where, K/B of --per-user, what --log stands for
 *	the tool		-r auto, --identifiers, --key of identifiers make it another one
 *	checks			options_check.c
 *	the horizon		of --from and --to
 *	the task		what the tool asks for (options_task.c)
 *
 * --within and the plan have the last words: dp_options_found(), dp_options_planned().
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options_table.h"
#include "relation.h"

#define ZONES		"/usr/share/zoneinfo"
#define NAME_MAX_BYTES	64
#define FILE_MAX_BYTES	(1 << 20)
#define RANGE_MAX	((int64_t)1 << 50)
#define TERA		((int64_t)1000000000000)
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
is_name(const char *name)
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
load(struct dp_options *o)
{
	char path[NAME_MAX_BYTES + sizeof ZONES + 2], *text = malloc(FILE_MAX_BYTES);
	const char *why = "that is no name of one";
	size_t n = 0;
	int e = 0;

	if (text == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (is_name(o->time.tz)) {
		sprintf(path, "%s/%s", ZONES, o->time.tz);
		if ((why = read_all(path, text, &n)) == NULL)
			e = dp_zone_read(&o->time.zone, (struct dp_slice){ text, n }, &why);
	}
	free(text);
	if (e == DP_ENOMEM)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (why != NULL)
		dp_die(DP_EX_USAGE, "--tz: '%s' must be a zone of the tz database, such as "
		    "Europe/Berlin (a file below " ZONES "): %s", o->time.tz, why);
	o->time.span.zone = &o->time.zone;
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

	if (o->time.tz != NULL)
		load(o);
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

static void
complete_partial(struct dp_options *o)
{
	if (!o->shard.partial)
		return;
	o->form.delimiter = '\t';
	o->time.field.number = DP_PARTIAL_TIME;
	o->time.format = "iso";
	o->keys.field.number = o->keys.n != 0 ? DP_PARTIAL_KEY : 0;
	o->form.value.number = DP_PARTIAL_SUM;
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

static void
complete_fields(struct dp_options *o)
{
	set_several(o, &o->users.several, &o->users.field, "--user");
	set_several(o, &o->form.several, &o->form.value, "--value");
	dp_options_where(o);
	dp_options_spacing(o);
	/* one step in all: K in each is K, and all of a user is protected */
	if (o->time.once && o->keep.state == NULL)
		o->users.per_step = false;
	if (o->form.log == NULL)
		return;
	if (dp_options_timed(o) && o->time.field.number == 0)
		o->time.field = (struct dp_field){ "time", 1 };
	if (o->time.format == NULL && o->time.field.name != NULL &&
	    strcmp(o->time.field.name, "time") == 0)
		o->time.format = o->form.log->time_format;
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
		dp_die(DP_EX_SPENT, "--from and --to span %llu buckets, more than the horizon",
		    (unsigned long long)n);
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

	if (o->range.total == NULL)
		return;
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
	/* neighbour.h, TOTALS */
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
	complete_partial(o);
	complete_fields(o);
	tool = dp_options_variant(o, tool);
	dp_options_check(o, tool, DP_STAGE_ALL);
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
