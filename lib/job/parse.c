/* SPDX-License-Identifier: ISC */
/* parse.c - command lines: what each option makes of its text. */
#include <errno.h>
#include <getopt.h>
#include <sodium.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "stat/magnitude.h"
#include "internal.h"
#include "table.h"

/*
 * Command lines: what each option makes of its text, getopt, refusals.
 *
 * Adding an option: a row in rows.h, and a member of struct dp_options that it sets.  One whose
 * text is of a kind needs no code; any other has a reader here.
 */

#define LABEL_MAX	64
#define STEPS_MAX	((uint64_t)1 << 50)
#define OPTION_TEXT	32	/* bytes of "--NAME" */
#define REASON		120	/* bytes of why an option is refused */
#define COMMAND_MAX	4096
#define METRIC	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
#define METRIC_MAX	100

/* A file that an option names cannot be read. */
_Noreturn void
dp_options_bad_file(const char *option, const char *path)
{
	dp_die(errno == ENOMEM ? DP_EX_SYSTEM : DP_EX_USAGE, "--%s: %s: %s", option, path,
	    strerror(errno));
}

/* The whole file, at most DP_FILE_MAX bytes, with a NUL behind it; the caller's to free. */
static char *
dp_options_read(const char *option, const char *path, size_t *size)
{
	char *text = NULL, *more;
	size_t cap = 0, n;
	FILE *fp;

	if ((fp = fopen(path, "re")) == NULL)
		dp_options_bad_file(option, path);
	for (*size = 0;; *size += n) {
		if (*size + 1 >= cap) {
			if ((more = realloc(text, cap = cap * 2 + 4096)) == NULL)
				dp_die(DP_EX_SYSTEM, "out of memory");
			text = more;
		}
		if ((n = fread(text + *size, 1, cap - *size - 1, fp)) == 0)
			break;
		if (*size + n > DP_FILE_MAX)
			dp_die(DP_EX_USAGE, "--%s: %s: is too large", option, path);
	}
	text[*size] = '\0';
	if (ferror(fp) || fclose(fp) != 0)
		dp_options_bad_file(option, path);
	return text;
}

/* The reason a rational is refused, for messages. */
static const char *
q_reason(int e)
{
	return e == DP_ERANGE ? "has too many digits, or is too large or too small" :
	    "must be a decimal (0.5) or a ratio (1/2)";
}

static void
read_epsilon(struct dp_options *o, const char *s)
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
read_delta(struct dp_options *o, const char *s)
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
read_per_user(struct dp_options *o, const char *s)
{
	const char *slash = strchr(s, '/');
	const size_t n = slash != NULL ? (size_t)(slash - s) : strlen(s);
	struct dp_span span;
	uint64_t steps;
	char text[32];
	bool good;

	if ((o->users.automatic = strcmp(s, "auto") == 0))
		return;
	o->users.per_step = slash != NULL && strcmp(slash, "/step") == 0;
	o->users.spacing = 0;
	o->users.spacing_text = slash != NULL && !o->users.per_step ? slash + 1 : NULL;
	snprintf(text, sizeof text, "%.*s", n < sizeof text ? (int)n : 0, s);
	good = dp_u64_parse(&o->users.most, text, 1, 1000000) == 0;
	if (o->users.spacing_text != NULL)
		good &= dp_u64_parse(&steps, slash + 1, 0, UINT64_MAX) == 0 ||
		    dp_span_parse(&span, slash + 1) == 0;
	if (!good)
		dp_die(DP_EX_USAGE, "--per-user: '%s' must be K, a whole number from 1 to 1000000, "
		    "K/step (with --bucket), K/B: K in all, B steps apart (7, or 7d with "
		    "--bucket), or auto", s);
}

/* Steps, or a duration that becomes steps once the bucket is known. */
static void
read_retention(struct dp_options *o, const char *s)
{
	struct dp_span span;

	o->users.retention = 1;
	o->users.retention_text = NULL;
	if (dp_span_parse(&span, s) == 0)
		o->users.retention_text = s;
	else if (dp_u64_parse(&o->users.retention, s, 1, DP_RETENTION_MAX) != 0)
		dp_die(DP_EX_USAGE, "--retention: '%s' must be a number of steps from 1 to %d, or "
		    "with --bucket a duration such as 7d", s, DP_RETENTION_MAX);
}

/* 0: 10 K, once K is known (complete.c) */
static void
read_dropped(struct dp_options *o, const char *s)
{
	o->users.dropped = s == NULL ? 0 : number("--dropped", s, 1, 1000000000);
}

/* -c auto: events of users who have no more of them than a number that is chosen afterwards. */
static void
set_automatic(struct dp_options *o, const struct dp_tool *tool)
{
	need(o->keep.state == NULL || o->keep.init, "--per-user=auto: the state file has it: leave "
	    "it out");
	need((tool->groups & DP_GROUP_AUTO) != 0, "--per-user=auto: it is for counts (dpcount, "
	    "dpwindow, dpdecay), where it stands for --each-user=count -r auto; here say what a "
	    "user's events come to (--each-user=..), and give -c 1/step or -c N");
	need(o->form.value.number == 0 || o->form.match != NULL, "--per-user=auto: it counts "
	    "events; for sums of --value give --each-user=sum -r auto, and -c 1/step or -c N");
	need(o->users.field.number != 0 || o->shard.partial, "--per-user=auto: needs --user, the "
	    "field that says whose an event is");
	need(o->keys.field.number == 0, "--per-user=auto: refused with --key: a user counts for K "
	    "keys, and K must be given: --each-user=count -r auto -c K/step");
	need(o->print.confidence <= 0 && !o->print.monotone, "--per-user=auto: refused with "
	    "--bound and --monotone: users with more events than the number that is chosen are "
	    "left out, which no interval knows, and the number rises and falls; give "
	    "--each-user=count -r 0:MAX, and -c 1/step or -c N");
	need(o->range.total == NULL, "--per-user=auto: refused with --unit, whose numbers are sums "
	    "of many users' events");
	need(o->users.each == DP_EACH_NO && (!o->given['r'] || o->range.magnitudes),
	    "--per-user=auto: it stands for --each-user=count -r auto -c 1/step: leave those out, "
	    "or give them in its place");
	need(o->time.bucket != 0, "--per-user=auto: it needs --bucket, or --once: the step in "
	    "which a user's events are counted");
	dp_options_set(o, tool, OPT_EACH_USER, "count");
	if (!o->given['r'])
		dp_options_set(o, tool, 'r', "auto");
	dp_options_set(o, tool, 'c', o->time.once && o->keep.state == NULL ? "1" : "1/step");
	o->users.automatic = true;
}

static void
read_delimiter(struct dp_options *o, const char *s)
{
	if (strcmp(s, "\\t") == 0)
		s = "\t";
	if (strlen(s) != 1 || *s == '\n' || *s == '\r' || *s == '"')
		dp_die(DP_EX_USAGE,
		    "--delimiter: '%s' must be one byte, not a quote or newline", s);
	o->form.delimiter = (unsigned char)*s;
}

static void
read_decimal(struct dp_options *o, const char *s)
{
	if (strcmp(s, ",") != 0 && strcmp(s, ".") != 0)
		dp_die(DP_EX_USAGE, "--decimal: '%s' must be a comma or a point", s);
	o->form.digits.decimal = *s == '.' ? '\0' : *s;
}

static void
read_thousands(struct dp_options *o, const char *s)
{
	if (strlen(s) != 1 || strchr(".,' _", *s) == NULL)
		dp_die(DP_EX_USAGE, "--thousands: '%s' must be one of . , ' _ and a blank", s);
	o->form.digits.thousands = *s;
}

/* Place of a word among those of a list, from 1 on; 0: it is none. */
static unsigned
word_of(const char *words, const char *s)
{
	const size_t n = strlen(s);
	unsigned place = 1;
	size_t k;

	for (; *words != '\0'; words += k + (words[k] != '\0'), place++)
		if ((k = strcspn(words, " ")) == n && memcmp(words, s, n) == 0)
			return place;
	return 0;
}

static void
read_numbers(struct dp_options *o, const char *s)
{
	const bool blanks = word_of(DP_BLANKS, s) != 0;
	const bool comma = blanks || word_of(DP_POINTS, s) != 0;

	need(word_of(DP_COUNTRIES, s) != 0, "--numbers: '%s' is none of " DP_COUNTRIES
	    "; --decimal and --thousands say how any other writes them", s);
	o->form.digits = (struct dp_digits){ comma ? ',' : '\0', blanks ? ' ' : comma ? '.' :
	    strcmp(s, "ch") == 0 ? '\'' : ',', strcmp(s, "in") == 0 };
}

static void
read_tsv(struct dp_options *o, const char *s)
{
	(void)s;
	o->form.delimiter = '\t';
}

/* Each as the options that it stands for. */
static _Noreturn void
list_patterns(void)
{
	const struct dp_log *l;
	unsigned i;

	for (i = 0; (l = dp_log_get(i)) != NULL; i++)
		if (l->pattern != NULL)
			printf("%s\t--cut='%s' --time-format='%s'\n", l->name, l->pattern,
			    l->time_format);
		else if (l->between != '\0')
			printf("%s\t--log=%s -t %s --time-format='%s'\n", l->name, l->name,
			    dp_log_time(l), l->time_format);
		else
			printf("%s\t--json -t %s --time-format='%s'\n", l->name, dp_log_time(l),
			    l->time_format);
	printf("w3c\t-H -t date --time-format='iso'\n");
	printf("csvlog\t--csv -t 1 --time-format='iso'\n");
	exit(dp_close_stdout());
}

/* A name, what it is of, and its fields, each in a row. */
static _Noreturn void
list_logs(void)
{
	const struct dp_log *l;
	char fields[400];
	unsigned i;

	for (i = 0; (l = dp_log_get(i)) != NULL; i++) {
		dp_log_fields(l, "", fields, sizeof fields);
		printf("%-12s  %-32s %s", l->name, l->what, fields);
		if (l->pattern == NULL)
			printf(" %s and other names that lines have", dp_log_time(l));
		printf("\n");
	}
	printf("%-12s  %-32s  date time and others of #Fields\n", "w3c", "IIS, CloudFront");
	printf("%-12s  %-32s  log_time user_name database_name error_severity message and others\n",
	    "csvlog", "PostgreSQL, csvlog");
	exit(dp_close_stdout());
}

static _Noreturn void
no_log(const char *s)
{
	const struct dp_log *l;
	char known[400] = "";
	size_t n = 0;
	unsigned i;

	for (i = 0; (l = dp_log_get(i)) != NULL; i++)
		n += (size_t)snprintf(known + n, sizeof known - n, "%s%s",
		    i == 0 ? "" : ", ", l->name);
	snprintf(known + n, sizeof known - n, ", w3c, csvlog");
	if (strcmp(s, "iis") == 0 || strcmp(s, "cloudfront") == 0)
		dp_die(DP_EX_USAGE, "--log: '%s' is none of %s: logs that begin with #Fields are "
		    "w3c", s, known);
	dp_die(DP_EX_USAGE, "--log: '%s' is none of %s (%s--log=list says what each is of)", s,
	    known, strcmp(s, "nginx") == 0 || strcmp(s, "apache") == 0 ?
	    "its access log is combined; " : "");
}

/* OUTER+LOG: the name of LOG */
static const char *
read_outer(struct dp_options *o, const char *s, const char *plus)
{
	const char *name = dp_options_keep(o, s, (size_t)(plus - s));

	if ((o->form.outer = dp_log_find(name)) == NULL)
		no_log(name);
	if (o->form.outer->message == NULL)
		dp_die(DP_EX_USAGE, "--log: a line of %s has no line of another log in it; those "
		    "of syslog, rfc5424, journal, journald, docker and cri have", name);
	return plus + 1;
}

static void
read_log(struct dp_options *o, const char *s)
{
	const char *plus = strchr(s, '+');

	if (strcmp(s, "list") == 0)
		list_logs();
	if (strcmp(s, "patterns") == 0)
		list_patterns();
	if (strcmp(s, "auto") == 0)
		return;
	if (strcmp(s, "w3c") == 0 || strcmp(s, "csvlog") == 0) {
		o->form.header = true;
		o->form.csv = *s == 'c';
		return;
	}
	if (plus != NULL)
		s = read_outer(o, s, plus);
	if ((o->form.log = dp_log_find(s)) == NULL)
		no_log(s);
	if (plus != NULL && o->form.log->pattern == NULL)
		dp_die(DP_EX_USAGE, "--log: %s has no pattern, and no other log has it as its "
		    "message", s);
	o->form.cut = o->form.log->pattern;
	o->form.json = o->form.cut == NULL;
}

static void
read_log_format(struct dp_options *o, const char *s)
{
	const char *why;
	char *pattern = dp_format_pattern(s, &why);

	if (why != NULL)
		dp_die(DP_EX_USAGE, "--log-format: '%s' %s", s, why);
	if (pattern == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	o->form.cut = dp_options_keep(o, pattern, strlen(pattern));
	free(pattern);
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
read_batch(struct dp_options *o, const char *s)
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
read_budget(struct dp_options *o, const char *s)
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

/* auto, or auto:TOP: from -TOP to TOP */
static bool
magnitudes(struct dp_options *o, const char *s)
{
	char top[DP_RANGE_END];
	int places = 0;

	o->range.hi = (int64_t)1 << DP_MAGNITUDE_TOP;
	if (s[0] == ':' && (!dp_range_end(top, s + 1, strlen(s + 1)) ||
	    (places = dp_decimal_places(top, strlen(top))) < 0 || places > 9 ||
	    dp_decimal_parse(&o->range.hi, top, strlen(top), (unsigned)places) != 0))
		return false;
	o->range.places = (unsigned)places;
	o->range.lo = -o->range.hi;
	o->range.magnitudes = true;
	return (s[0] == '\0' || s[0] == ':') && o->range.hi > 0 &&
	    o->range.hi <= (int64_t)1 << DP_MAGNITUDE_MAX;
}

bool
dp_options_range(struct dp_options *o, const char *s)
{
	o->range.magnitudes = false;
	return strncmp(s, "auto", 4) == 0 ? magnitudes(o, s + 4) :
	    dp_range_parse(&o->range.lo, &o->range.hi, &o->range.places, s);
}

static void
read_range(struct dp_options *o, const char *s)
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
read_unit(struct dp_options *o, const char *text)
{
	const int places = dp_decimal_places(text, strlen(text));
	int64_t u;

	need(places >= 0 && places <= 9 &&
	    dp_decimal_parse(&u, text, strlen(text), (unsigned)places) == 0 && u > 0,
	    "--unit: '%s' must be a decimal above 0, with at most 9 decimals", text);
	o->range.total = text;
}

static void
read_bucket(struct dp_options *o, const char *s)
{
	if (dp_span_parse(&o->time.span, s) != 0)
		dp_die(DP_EX_USAGE, "--bucket: '%s' must be a duration such as 30s, 5m, "
		    "1h, 1d, 1w, 1mo, 1y", s);
	o->time.bucket = dp_span_mean(&o->time.span);
}

/* --from, --to, --next: their times are read once the zone is known. */
static void
read_end(struct dp_options *o, const char *s)
{
	(void)s;
	set_steps(o, DP_BY_RANGE);
}

static void
read_once(struct dp_options *o, const char *s)
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
read_live(struct dp_options *o, const char *s)
{
	set_steps(o, DP_BY_CLOCK);
	o->time.lateness = s == NULL || strcmp(s, "0s") == 0 ? 0 : duration("--live", s);
}

static void
read_public(struct dp_options *o, const char *s)
{
	(void)s;
	set_steps(o, DP_BY_TIMES);
}

static void
read_other(struct dp_options *o, const char *s)
{
	o->keys.other = s == NULL ? "other" : s;
}

/* FIELD[:MAX]: what stands behind the last colon is MAX if it begins as a number does. */
static void
read_weight(struct dp_options *o, const char *s)
{
	const char *colon = strrchr(s, ':');
	const bool has = colon != NULL && colon[1] != '\0' && strchr(".+-0123456789", colon[1]);
	const size_t n = has ? (size_t)(colon - s) : strlen(s);
	char max[DP_RANGE_END];

	need(n > 0, "--weight: '%s' must be FIELD, or FIELD:MAX", s);
	dp_options_field(&o->range.weight.field, "--weight", dp_options_keep(o, s, n));
	o->range.weight.max = NULL;
	if (!has)
		return;
	need(dp_range_end(max, colon + 1, strlen(colon + 1)) &&
	    dp_decimal_places(max, strlen(max)) >= 0, "--weight: '%s' must be a decimal, or a "
	    "whole number with k, M, G, T", colon + 1);
	o->range.weight.max = dp_options_keep(o, max, strlen(max));
}

/* In the place of --value, as a total of one row. */
static void
read_answer(struct dp_options *o, const char *s)
{
	dp_options_field(&o->form.value, "--of", s);
	o->range.weight.times = true;
}

static void
read_domain(struct dp_options *o, const char *s)
{
	dp_options_keys(&o->keys, "domain", s);
}

/* A,B: the day is in one field, its time of day in another. */
static void
read_time(struct dp_options *o, const char *s)
{
	const char *comma = strchr(s, ',');

	if (comma == NULL) {
		dp_options_field(&o->time.field, "--time", s);
		return;
	}
	if (strchr(comma + 1, ',') != NULL)
		dp_die(DP_EX_USAGE, "--time: '%s' must be a field, or two, A,B: the day's and that "
		    "of its time of day", s);
	dp_options_field(&o->time.field, "--time", dp_options_keep(o, s, (size_t)(comma - s)));
	dp_options_field(&o->time.clock, "--time", comma + 1);
}

static void
read_key(struct dp_options *o, const char *s)
{
	char *text = dp_options_keep(o, s, strlen(s)), *next;

	o->keys.more = 0;
	for (struct dp_field *f = &o->keys.field;; f = &o->keys.then[o->keys.more++]) {
		if ((next = strchr(text, ',')) != NULL)
			*next++ = '\0';
		dp_options_field(f, "--key", text);
		if (next == NULL)
			return;
		if (o->keys.more == DP_KEY_FIELDS - 1)
			dp_die(DP_EX_USAGE, "--key: '%s' has more than %d fields", s,
			    DP_KEY_FIELDS);
		text = next;
	}
}

/* A file with a shard's name a line, as blocks have it. */
static void
expected_names(struct dp_options *o, const char *path)
{
	struct dp_buf b = { .p = NULL };
	size_t n, at;
	char *text = dp_options_read("expect", path, &n), *line, *end, *from = text;

	if (memchr(text, '\0', n) != NULL)
		dp_die(DP_EX_USAGE, "--expect: %s: a name has a NUL byte", path);
	dp_buf_puts(&b, "\n");
	while ((line = strsep(&from, "\n")) != NULL) {
		for (end = line + strlen(line); end > line && end[-1] == '\r'; )
			*--end = '\0';
		if (*line == '\0')
			continue;
		at = b.n;
		dp_buf_escaped(&b, line);
		dp_buf_puts(&b, "\n");
		if (b.error == 0 && memmem(b.p, at, b.p + at - 1, b.n - at + 1) != NULL)
			dp_die(DP_EX_USAGE, "--expect: %s: a name is given twice", path);
		o->shard.expect++;
	}
	if (b.error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	o->shard.expected = dp_options_keep(o, b.p + 1, b.n - 1);
	dp_buf_free(&b);
	free(text);
	if (o->shard.expect == 0)
		dp_die(DP_EX_USAGE, "--expect: %s: no names", path);
}

static void
read_expect(struct dp_options *o, const char *s)
{
	o->shard.expect = 0;
	o->shard.expected = NULL;
	if (*s == '@')
		expected_names(o, s + 1);
	else if (dp_u64_parse(&o->shard.expect, s, 1, 1000000) != 0)
		dp_die(DP_EX_USAGE, "--expect: '%s' must be a number of shards, or @FILE with one "
		    "name a line", s);
}

static void
read_output(struct dp_options *o, const char *s)
{
	static const char *const name[] = { "plain", "tsv", "csv", "json", "long", "markdown",
	    "prometheus" };
	static const char start[] = METRIC, prefix[] = "prometheus:";
	const size_t n = sizeof prefix - 1;
	int i;

	o->print.metric = NULL;
	for (i = 0; i <= DP_PROMETHEUS; i++)
		if (strcmp(s, name[i]) == 0) {
			o->print.format = (enum dp_format)i;
			return;
		}
	if (strncmp(s, prefix, n) != 0)
		dp_die(DP_EX_USAGE, "--output: '%s' must be plain, tsv, csv, json, long, "
		    "markdown or prometheus[:NAME]", s);
	s += n;
	if (*s == '\0' || strchr(start, *s) == NULL || s[strspn(s, METRIC "0123456789")] != '\0' ||
	    strlen(s) > METRIC_MAX)
		dp_die(DP_EX_USAGE, "--output: 'prometheus:%s': the name of a metric is letters, "
		    "digits and _, no digit first, at most %d", s, METRIC_MAX);
	o->print.format = DP_PROMETHEUS;
	o->print.metric = s;
}

/* K, or K+ */
static void
read_top(struct dp_options *o, const char *s)
{
	const size_t n = strlen(s);
	char text[24];

	o->print.others = n > 1 && n < sizeof text && s[n - 1] == *DP_OTHERS;
	snprintf(text, sizeof text, "%.*s", (int)(n - o->print.others), s);
	o->print.top = number("--top", n < sizeof text ? text : s, 1, DP_KEYS_MAX);
}

static void
read_margins(struct dp_options *o, const char *s)
{
	struct dp_q q = { 0, 1 };

	if (s != NULL && (dp_q_parse(&q, s) != 0 || q.num == 0 || q.num >= q.den))
		dp_die(DP_EX_USAGE, "--margins: '%s' must be a share of the budget above 0 and "
		    "below 1, as 0.5 or 1/4", s);
	o->print.table.margins = true;
	o->print.table.share = q;
}

static void
read_bound(struct dp_options *o, const char *s)
{
	struct dp_q q = { 19, 20 };

	if (s != NULL && *s == '=')
		dp_die(DP_EX_USAGE, "--bound: '%s' begins with '='; write -B%s or --bound=%s",
		    s, s + 1, s + 1);
	if (s != NULL && (dp_q_parse(&q, s) != 0 || q.num == 0 || q.num >= q.den))
		dp_die(DP_EX_USAGE, "--bound: '%s' must be a confidence above 0 and below 1", s);
	o->print.confidence = dp_q_double(q);
}

static void
read_at_end(struct dp_options *o, const char *s)
{
	(void)s;
	o->print.every = 0;
}

#define AT(member, type)	(offsetof(struct dp_options, member) + \
	0 * sizeof(&((struct dp_options *)0)->member == (type *)0))
#define FLAG(member)		.kind = DP_KIND_FLAG, .at = AT(member, bool)
#define TEXT(member)		.kind = DP_KIND_TEXT, .at = AT(member, const char *)
#define NAMED(member)		.kind = DP_KIND_FILE, .at = AT(member, const char *)
#define LIST(member)		.kind = DP_KIND_LIST, .at = AT(member, const char *)
#define FIELD(member)		.kind = DP_KIND_FIELD, .at = AT(member, struct dp_field)
#define WHOLE(member, lo, hi)	.kind = DP_KIND_WHOLE, .at = AT(member, uint64_t), \
	.least = (lo), .most = (hi)
#define NUMBER(member, text)	.kind = DP_KIND_NUMBER, .at = AT(member, struct dp_q), \
	.must = (text)
#define WORD(member, first, list)	.kind = DP_KIND_WORD, .at = AT(member, unsigned), \
	.least = (first), .words = (list)
#define READ(of, reader)	.kind = DP_KIND_##of, .read = (reader)
/* Its section of the job, and whether a state file keeps it. */
#define OF(part, kept)		.section = DP_SECTION_##part, .keep = DP_KEEP_##kept
#define HAS(member)		.has = AT(member, bool)
#define MATCHING		"dpcount dpwindow dpmean dpdecay dpquantile dpmaxsum dpmap"

static const struct dp_row table[] = {
#define HEADING(text)		{ .help = text },
#define ROW(id, letter, ...)	{ OPT_##id, __VA_ARGS__ },
#include "rows.h"
};

#define ROWS	(sizeof table / sizeof table[0])

_Static_assert(offsetof(struct dp_options, horizon) == 0, "at 0: none, or it");
_Static_assert(OPT_OWN + DP_OWN_MAX <= DP_OPTION_CODES, "every option has a place in given[]");
_Static_assert(ROWS + DP_OWN_MAX < DP_TABLE_ROWS, "the callers' arrays hold all rows");

const struct dp_row *
dp_table_row(size_t i)
{
	return i < ROWS ? &table[i] : NULL;
}

/* `least' is nothing's value, and those of the words follow it. */
static void
read_word(const struct dp_row *row, unsigned *value, const char *s)
{
	const unsigned place = s == NULL ? 0 : word_of(row->words, s);
	struct dp_buf b = { .n = 0 };
	const char *p;

	if (s != NULL && place == 0) {
		for (p = row->words; *p != '\0'; p++)
			dp_buf_add(&b, *p == ' ' ? ", " : p, *p == ' ' ? 2 : 1);
		dp_buf_add(&b, "", 1);
		dp_die(DP_EX_USAGE, dp_table_optional(row->arg) ? "--%s: '%s' must be %s, or "
		    "nothing" : "--%s: '%s' must be one of %s", row->name, s, b.error == 0 ? b.p :
		    "a known word");
	}
	*value = (unsigned)row->least + place;
}

static void
read_kind(const struct dp_row *row, void *at, const char *s)
{
	char option[OPTION_TEXT];

	snprintf(option, sizeof option, "--%s", row->name);
	switch (row->kind) {
	case DP_KIND_FLAG:
		*(bool *)at = true;
		break;
	case DP_KIND_TEXT:
	case DP_KIND_FILE:
	case DP_KIND_LIST:
		*(const char **)at = s;
		break;
	case DP_KIND_WHOLE:
		*(uint64_t *)at = number(option, s, row->least, row->most);
		break;
	case DP_KIND_NUMBER:
		if (dp_q_parse(at, s) != 0 || ((struct dp_q *)at)->num == 0)
			dp_die(DP_EX_USAGE, "%s: '%s' must be %s", option, s, row->must);
		break;
	case DP_KIND_FIELD:
		dp_options_field(at, option, s);
		break;
	case DP_KIND_WORD:
		read_word(row, at, s);
		break;
	case DP_KIND_DURATION:
		break;
	}
}

/* --help and --version set nothing. */
static void
read_row(struct dp_options *o, const struct dp_row *row, const char *arg)
{
	char *const p = (char *)o;

	if (row->has != 0)
		*(bool *)(void *)(p + row->has) = true;
	if (row->read != NULL)
		row->read(o, arg);
	else if (row->at != 0 || row->kind == DP_KIND_WHOLE)
		read_kind(row, p + row->at, arg);
}

const struct dp_row *
dp_table_find(int c)
{
	size_t i;

	for (i = 0; i < ROWS; i++)
		if (table[i].name != NULL && table[i].c == c)
			return &table[i];
	return NULL;
}

/* The whole file into v, and its hash. */
static void
read_file(const char *option, struct dp_own_value *v)
{
	unsigned char digest[16];

	v->file = dp_options_read(option, v->text, &v->size);
	crypto_generichash(digest, sizeof digest, (unsigned char *)v->file, v->size, NULL, 0);
	sodium_bin2hex(v->hash, sizeof v->hash, digest, sizeof digest);
}

static void
read_number(const char *option, struct dp_own_value *v)
{
	int e = dp_q_parse(&v->number, v->text);

	if (e == DP_ERANGE)
		dp_die(DP_EX_USAGE, "--%s: '%s' has too many digits, or is too large or too small",
		    option, v->text);
	if (e != 0 || v->number.num == 0)
		dp_die(DP_EX_USAGE, "--%s: '%s' must be a decimal or a ratio above 0",
		    option, v->text);
}

/* An option of the tool alone. */
static void
own_option(struct dp_options *o, const struct dp_own *own, int c, const char *arg)
{
	struct dp_own_value *v;
	int i;

	for (i = 0; own != NULL && own[i].name != NULL; i++) {
		if (c != OPT_OWN + i && (own[i].letter == 0 || c != own[i].letter))
			continue;
		/* cppcheck-suppress negativeIndex */
		v = &o->own[i];
		v->text = arg != NULL ? arg : "";
		if (own[i].kind == DP_KIND_FILE)
			read_file(own[i].name, v);
		else if (own[i].kind == DP_KIND_NUMBER)
			read_number(own[i].name, v);
	}
}

void
dp_options_set(struct dp_options *o, const struct dp_tool *tool, int c, const char *arg)
{
	const struct dp_row *row = dp_table_find(c);

	o->given[c] = true;
	o->text[c] = arg != NULL ? arg : "";
	if (row != NULL)
		read_row(o, row, arg);
	own_option(o, tool->own, c, arg);
}

void
dp_owned_add(struct dp_ask_owned *owned, void *p)
{
	void **more = realloc(owned->p, (owned->n + 1) * sizeof *more);

	if (more == NULL || p == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	owned->p = more;
	owned->p[owned->n++] = p;
}

static char *
keep(struct dp_ask_owned *owned, const char *p, size_t n)
{
	char *text = strndup(p, n);

	dp_owned_add(owned, text);
	return text;
}

char *
dp_options_keep(struct dp_options *o, const char *p, size_t n)
{
	return keep(&o->owned, p, n);
}

char *
dp_question_keep(struct dp_question *ask, const char *p, size_t n)
{
	return keep(ask->owned, p, n);
}

void
dp_options_free(struct dp_options *o)
{
	size_t i;

	while (o->keys.n > 0)
		free(o->keys.name[--o->keys.n]);
	free(o->keys.name);
	while (o->owned.n > 0)
		free(o->owned.p[--o->owned.n]);
	free(o->owned.p);
	free(o->form.condition);
	for (i = 0; i < o->room; i++)
		free(o->output[i].name);
	free(o->output);
	for (i = 0; i < DP_OWN_MAX; i++)
		free(o->own[i].file);
	dp_zone_free(&o->time.zone);
	dp_zone_free(&o->time.in.zone);
	free(o->priv.command);
	dp_margins_free(o->print.table.made);
}

static bool
taken(const struct dp_tool *tool, int c)
{
	const struct dp_row *row = dp_table_find(c);

	return row == NULL || dp_table_takes(tool, row);	/* NULL: its own */
}

/* Reason why an option is refused, or whose it is; "" where its name says enough. */
static const char *
why_not(const struct dp_tool *tool, int c, char text[static REASON])
{
	const char *name = dp_table_name(c, NULL);
	char tools[DP_WHOSE];

	if (c == 'u' && tool->shape == DP_SHAPE_ID)
		return "; the identifier is what -v names";
	if (c == OPT_UNIT && tool->adds != NULL)
		return "; a total does not say how many events it is of, which are counted here";
	if (c == OPT_MARGINS && tool->shape == DP_SHAPE_NAME)
		return "; names of too few events are in no total: dpcount with -k and --keys has "
		    "it, of names that are declared, and dpcount without -k counts all events";
	if (c == OPT_ONCE)
		return tool->prints == DP_PRINT_END ? "; all input is one step of it as it is" :
		    "; a line is a step of it";
	if (c == 'm' && (tool->groups & DP_GROUP_WHERE) != 0)
		return "; --where says which lines count";
	if (c == OPT_SAMPLING || c == OPT_INDEPENDENT)
		return "; its answers are of the events that there are, and -B is about noise: "
		    "shares and means are of what events are a sample of (dpmean)";
	if (dp_table_whose(name, strlen(name), tools) == NULL)
		return "";
	snprintf(text, REASON, "; %s %s it", tools, strchr(tools, ' ') != NULL ? "have" : "has");
	return text;
}

/* An unknown option that another tool has. */
static void
say_whose(const char *word, bool is_long)
{
	const char *name = is_long ? word + 2 : dp_table_letter(optopt);
	const size_t n = name == NULL ? 0 : strcspn(name, "=");
	char tools[DP_WHOSE];

	if (n != 0 && dp_table_whose(name, n, tools) != NULL)
		dp_warn("--%.*s is an option of %s", (int)n, name, tools);
}

/*
 * An option that the tool does not take, as `word' has it: another tool's, or short for one; the
 * whole name of another is short for none.
 */
static _Noreturn void
not_taken(const struct dp_tool *tool, int c, const char *word)
{
	const char *name = dp_table_name(c, NULL);
	const size_t n = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;
	char why[REASON], tools[DP_WHOSE];

	if (n != 0 && n < strlen(name) && dp_table_whose(word + 2, n, tools) != NULL)
		dp_die(DP_EX_USAGE, "--%.*s: %s does not take this option; %s %s it", (int)n,
		    word + 2, tool->name, tools, strchr(tools, ' ') != NULL ? "have" : "has");
	dp_die(DP_EX_USAGE, "--%s: %s does not take this option%s", name, tool->name,
	    why_not(tool, c, why));
}

/* An option that getopt has refused: says why, and exits. */
static _Noreturn void
unknown(const struct dp_tool *tool, struct option *longs, const char *shorts, const char *word)
{
	const bool is_long = dp_table_refused(longs, shorts, word);
	struct option *l, *to = longs;
	bool own = false;

	for (l = longs; l->name != NULL; l++)
		if (taken(tool, l->val)) {
			own |= optopt != 0 && l->val == optopt;
			*to++ = *l;
		}
	*to = *l;
	if (!own)	/* else known, and used wrongly */
		say_whose(word, is_long);
	dp_table_near(longs, word);
	fprintf(stderr, "Try '%s --help'.\n", tool->name);
	exit(DP_EX_USAGE);
}

/*
 * An argument that may be left out stands in the same word: -B0.9.  Given apart it would be taken
 * for a file; that is what somebody meant only if there is one.
 */
static void
check_apart(int c, const char *next)
{
	const struct dp_row *row = dp_table_find(c);
	struct dp_q q;
	uint64_t n;
	bool meant;

	if (row == NULL || row->arg == NULL || next == NULL || access(next, F_OK) == 0)
		return;
	meant = row->kind == DP_KIND_NUMBER ? dp_q_parse(&q, next) == 0 :
	    row->kind == DP_KIND_DURATION ? dp_duration_parse(&n, next) == 0 :
	    row->kind == DP_KIND_WORD && word_of(row->words, next) != 0;
	if (meant)
		dp_die(DP_EX_USAGE, "--%s: '%s' stands apart, and would be the name of a file; "
		    "write --%s=%s", row->name, next, row->name, next);
}

/* All that an option was given so far, a line each: it is one option to a state file. */
static char *
one_more(struct dp_options *o, const char *option, const char *before, char *more)
{
	char *both = NULL;

	if (strchr(more, '\n') != NULL)
		dp_die(DP_EX_USAGE, "--%s: a pattern has no newline in it: write \\n", option);
	if (before == NULL)
		return more;
	dp_owned_add(&o->owned, asprintf(&both, "%s\n%s", before, more) < 0 ? NULL : both);
	return both;
}

/* A line of all that --where was given: --or stands between two conditions. */
static char *
where_line(int c, char *condition)
{
	static char either[] = DP_OR;

	if (c == OPT_OR)
		return either;
	if (strcmp(condition, DP_OR) == 0)
		dp_die(DP_EX_USAGE, "--where: '" DP_OR "' is an option, which stands between two "
		    "--where=COND");
	return condition;
}

/* In quotes if a shell would see more in it than a word. */
static void
put_word(struct dp_buf *b, const char *s)
{
	const bool plain = *s != '\0' && s[strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "abcdefghijklmnopqrstuvwxyz0123456789_./:=,@%+-")] == '\0';

	dp_buf_puts(b, plain ? "" : "'");
	for (; *s != '\0'; s++)
		if (*s == '\'')
			dp_buf_puts(b, "'\\''");
		else
			dp_buf_add(b, (unsigned char)*s < ' ' || *s == 127 ? "?" : s, 1);
	dp_buf_puts(b, plain ? "" : "'");
}

/* A command line as a shell would read it, but for control characters; owned by the caller. */
static char *
dp_options_command(int argc, char **argv)
{
	struct dp_buf b = { .n = 0 };
	int i;

	for (i = 0; i < argc && b.n < COMMAND_MAX; i++) {
		dp_buf_puts(&b, i > 0 ? " " : "");
		put_word(&b, argv[i]);
	}
	if (b.n > COMMAND_MAX)		/* a long list of keys */
		b.n = COMMAND_MAX;
	dp_buf_puts(&b, i < argc ? " ..." : "");
	dp_buf_add(&b, "", 1);
	if (b.error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	return b.p;
}

bool
dp_options_pan(const struct dp_tool *tool, int argc, char **argv)
{
	struct option longs[DP_TABLE_ROWS];
	char shorts[1 + 3 * DP_TABLE_ROWS] = "-";	/* argv keeps its order: it is run again */
	bool pan = tool->pan;
	int c;

	dp_table_progname(tool->name);
	dp_table_getopt(longs, shorts + 1, tool->own);
	while ((c = dp_table_next(argc, argv, shorts, longs)) != -1)
		pan |= c == 'P' || c == OPT_STATE;
	optind = 0;		/* glibc: from the start, all of it */
	return pan;
}

void
dp_options_parse(struct dp_options *o, const struct dp_tool *tool, int argc, char **argv)
{
	static char dash[] = "-", *standard_input[] = { dash, NULL };
	struct option longs[DP_TABLE_ROWS];
	char shorts[3 * DP_TABLE_ROWS];
	char *command;
	int c;

	dp_table_progname(tool->name);
	command = dp_options_command(argc, argv);
	*o = (struct dp_options){ .priv = { .delta = { 0, 1 }, .has_epsilon = tool->map,
	    .exact = tool->map, .mechanism = tool->map ? "input" : "auto",
	    .pan_default = tool->pan }, .form.delimiter = -1, .range.hi = 1,
	    .print.every = tool->prints != DP_PRINT_END, .outputs = 1, .room = DP_WINDOWS_MAX };
	if ((o->output = calloc(o->room, sizeof *o->output)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (tool->range != NULL)
		(void)dp_options_range(o, tool->range);
	o->priv.command = command;
	dp_table_getopt(longs, shorts, tool->own);
	while ((c = dp_table_next(argc, argv, shorts, longs)) != -1) {
		if (c == '?')
			unknown(tool, longs, shorts, argv[optind - 1]);
		if (c == 'h')
			dp_table_help(tool, optarg);
		if (c == 'V') {
			printf("%s (dputils) %s\n", tool->name, DP_VERSION);
			exit(dp_close_stdout());
		}
		/* nothing is accepted and ignored */
		if (!taken(tool, c))
			not_taken(tool, c, argv[optind - 1]);
		if (optarg == NULL)
			check_apart(c, optind < argc ? argv[optind] : NULL);
		if (c == OPT_WHERE || c == OPT_OR) {
			optarg = one_more(o, "where", o->form.where, where_line(c, optarg));
			c = OPT_WHERE;
		} else if (c == OPT_LET)
			optarg = one_more(o, "let", o->form.lets.text, optarg);
		else if (o->given[c] && optarg != NULL)
			dp_die(DP_EX_USAGE, "--%s is given twice", dp_table_name(c, tool->own));
		dp_options_set(o, tool, c, optarg);
	}
	if (o->users.automatic)
		set_automatic(o, tool);
	if (o->users.counter && o->users.each == DP_EACH_NO)	/* several in a step are one */
		dp_options_set(o, tool, OPT_EACH_USER, "sum");
	dp_options_keys_complete(o);
	o->operands.file = optind < argc ? argv + optind : standard_input;
	o->operands.n = optind < argc ? argc - optind : 1;
}

static const struct dp_own everywhere[] = {
	[0] = { 'h', "help", "[all]", "this text", DP_KIND_TEXT, "all" },
	{ 'V', "version", NULL, "version", DP_KIND_FLAG },
	{ .name = NULL }
};

static _Noreturn void
help(const struct dp_aside *tool, const char *what)
{
	const int width = what == NULL ? DP_HELP_SCREEN : 0;
	int i, used = 0;

	if (what != NULL && strcmp(what, DP_HELP_COMPLETION) == 0) {
		dp_help_own(tool->own, DP_HELP_LINES, DP_OWN_MAX);
		dp_help_own(everywhere, DP_HELP_LINES, DP_OWN_MAX);
		exit(dp_close_stdout());
	}
	if (what != NULL && strcmp(what, "all") != 0)
		dp_die(DP_EX_USAGE, "--help: '%s' must be all, or nothing", what);
	dp_wrap_begin();
	for (i = 0; i < DP_ASIDE_LINES && tool->synopsis[i] != NULL; i++) {
		printf("%s %s %s\n", i == 0 ? "usage:" : "      ", tool->name, tool->synopsis[i]);
		used += strchr(tool->synopsis[i], '\n') != NULL ? 2 : 1;
	}
	used += dp_help_words(tool->purpose, 0, 0, width);
	if (what == NULL)
		used += dp_help_examples(tool->examples) + 3;
	putchar('\n');
	dp_help_own(tool->own, width, what == NULL ? DP_HELP_SCREEN_LINES - used : DP_OWN_MAX);
	if (what == NULL) {
		printf("\n--help=all: all options; tasks: dputils-recipes(7); %s(1).\n",
		    tool->name);
		exit(dp_close_stdout());
	}
	dp_help_own(everywhere, width, DP_OWN_MAX);
	dp_help_examples(tool->examples);
	printf("\nExit status: %s  See %s(1), dputils(7).\n", tool->statuses, tool->name);
	exit(dp_close_stdout());
}

/* getopt's lists. */
static void
lists(const struct dp_own *own, struct option longs[DP_OWN_MAX + 3], char *shorts)
{
	size_t i;
	int has;

	for (i = 0; own[i].name != NULL; i++) {
		has = own[i].arg == NULL ? no_argument : dp_table_optional(own[i].arg) ?
		    optional_argument : required_argument;
		longs[i] = (struct option){ own[i].name, has, NULL, OPT_OWN + (int)i };
		if (own[i].letter != 0) {
			*shorts++ = (char)own[i].letter;
			if (has != no_argument)
				*shorts++ = ':';
		}
	}
	longs[i++] = (struct option){ "help", optional_argument, NULL, 'h' };
	longs[i++] = (struct option){ "version", no_argument, NULL, 'V' };
	longs[i] = (struct option){ NULL, 0, NULL, 0 };
	strcpy(shorts, "hV");
}

void
dp_aside_begin(const struct dp_aside *tool)
{
	dp_table_progname(tool->name);
}

int
dp_aside_next(const struct dp_aside *tool, char order, int n, int argc, char **argv)
{
	static struct option longs[DP_OWN_MAX + 3];
	static char shorts[3 * DP_OWN_MAX + 5];
	int c, i;

	if (longs[0].name == NULL) {
		shorts[0] = order;
		lists(tool->own, longs, shorts + (order != '\0'));
	}
	switch (c = dp_table_next(argc, argv, shorts, longs)) {
	case -1:
		return -1;
	case 1:
		return DP_ASIDE_OPERAND;
	case 'h':
		help(tool, optarg);
	case 'V':
		printf("%s (dputils) %s\n", tool->name, DP_VERSION);
		exit(dp_close_stdout());
	case '?':
		(void)dp_table_refused(longs, shorts + (order != '\0'), argv[optind - 1]);
		dp_table_near(longs, argv[optind - 1]);
		if (tool->command != NULL && n > 0)
			dp_warn("--%s: a command, with its options, goes behind it", tool->command);
		fprintf(stderr, "Try '%s --help'.\n", tool->name);
		exit(DP_EX_USAGE);
	default:
		break;
	}
	for (i = 0; c < OPT_OWN && tool->own[i].letter != c; i++)
		;
	return c < OPT_OWN ? i : c - OPT_OWN;
}

int
dp_aside_parse(const struct dp_aside *tool, struct dp_own_value v[static DP_OWN_MAX], int argc,
    char **argv)
{
	bool command = false;
	int i, n = 0;

	dp_aside_begin(tool);
	memset(v, 0, DP_OWN_MAX * sizeof *v);
	while (!(command && n > 0) && (i = dp_aside_next(tool, '-', n, argc, argv)) != -1) {
		if (i == DP_ASIDE_OPERAND) {
			argv[++n] = optarg;
			continue;
		}
		if (v[i].text != NULL && tool->own[i].arg != NULL)
			dp_die(DP_EX_USAGE, "--%s is given twice", tool->own[i].name);
		v[i].text = optarg == NULL ? "" : optarg;
		command |= tool->command != NULL && strcmp(tool->own[i].name, tool->command) == 0;
	}
	while (optind < argc)
		argv[++n] = argv[optind++];
	argv[n + 1] = NULL;
	return n;
}

/*
 * What somebody else wrote, to a log, a list of keys or a ledger, on its way to a
 * terminal: no byte of it is a command.
 */

void
dp_plain(char *text)
{
	const bool utf8 = text != NULL && dp_keys_utf8(text);
	char *const end = text == NULL ? NULL : text + strlen(text), *p;
	uint32_t c = 0;
	size_t n;

	for (p = text; p < end; p += n) {
		n = utf8 ? dp_utf8(&c, p, end) : 1;
		if (utf8 ? dp_utf8_unseen(c) : *p < ' ' || *p > '~')
			memset(p, '?', n);
	}
}

char *
dp_shown(char text[static DP_SHOWN_TEXT], const char *p, size_t n)
{
	size_t k = n < DP_SHOWN ? n : DP_SHOWN, i;

	/* cut between characters, so that the text stays UTF-8 */
	for (i = 0; k < n && i < 3 && (p[k] & 0xc0) == 0x80; i++)
		k--;
	for (i = 0; i < k; i++)
		text[i] = p[i] == '\0' ? '?' : p[i];
	text[k] = '\0';
	dp_plain(text);
	if (k < n)
		strcpy(text + k, "...");
	return text;
}

void
dp_shown_put(struct dp_buf *b, struct dp_slice s)
{
	char text[DP_SHOWN_TEXT];

	dp_buf_puts(b, s.p != NULL ? dp_shown(text, s.p, s.n) : "");
}
