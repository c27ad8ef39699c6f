/*
 * options.c - the values of the options that tools share.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keys.h"
#include "options_table.h"

#define LABEL_MAX	64
#define RANGE_END	64	/* bytes of one */

/* A file that an option names cannot be read. */
_Noreturn void
dp_options_bad_file(const char *option, const char *path)
{
	dp_die(errno == ENOMEM ? DP_EX_SYSTEM : DP_EX_USAGE, "--%s: %s: %s", option, path,
	    strerror(errno));
}

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

	o->has_epsilon = true;
	if ((o->exact = strcmp(s, "inf") == 0))
		return;
	if ((e = dp_q_parse(&o->epsilon, s)) != 0)
		dp_die(DP_EX_USAGE, "--epsilon: '%s' %s%s", s, q_reason(e),
		    e == DP_ERANGE ? "; noise fits from 1e-12 up" : " above 0, or inf");
	if (o->epsilon.num == 0)
		dp_die(DP_EX_USAGE, "--epsilon: '%s' must be above 0", s);
}

static void
set_delta(struct dp_options *o, const char *s)
{
	int e;

	if ((e = dp_q_parse(&o->delta, s)) != 0)
		dp_die(DP_EX_USAGE, e == DP_ERANGE ?
		    "--delta: '%s' has too many digits, or is too small (1e-18 is not)" :
		    "--delta: '%s' must be a decimal or a ratio, at least 0 and below 1", s);
	if (o->delta.num >= o->delta.den)
		dp_die(DP_EX_USAGE, "--delta: '%s' must be below 1", s);
}

static uint64_t
number(const char *option, const char *s, uint64_t lo, uint64_t hi)
{
	uint64_t n;

	if (dp_u64_parse(&n, s, lo, hi) != 0)
		dp_die(DP_EX_USAGE, "%s: '%s' must be a whole number from %llu to %llu",
		    option, s, (unsigned long long)lo, (unsigned long long)hi);
	return n;
}

/* K, or K/step. */
static void
set_per_user(struct dp_options *o, const char *s)
{
	static const char tail[] = "/step";
	const size_t n = strlen(s), m = strlen(tail);
	char text[32];

	o->per_step = n > m && n - m < sizeof text && strcmp(s + n - m, tail) == 0;
	snprintf(text, sizeof text, "%.*s", (int)(o->per_step ? n - m : sizeof text - 1), s);
	o->per_user = number("--per-user", text, 1, 1000000);
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

/* An end of a range; a whole number with k, M, G or T as its digits.  False: too long for one. */
static bool
range_end(char text[static RANGE_END], const char *s, size_t n)
{
	const bool minus = n > 0 && *s == '-';
	uint64_t v;

	if (n >= RANGE_END)
		return false;
	memcpy(text, s, n);
	text[n] = '\0';
	if (dp_u64_parse(&v, text + minus, 0, UINT64_MAX) == 0)
		snprintf(text + minus, RANGE_END - 1, "%llu", (unsigned long long)v);
	return true;
}

bool
dp_options_range(struct dp_options *o, const char *s)
{
	const char *colon = strchr(s, ':');
	char lo[RANGE_END], hi[RANGE_END];
	int a, b;

	if (colon == NULL || !range_end(lo, s, (size_t)(colon - s)) ||
	    !range_end(hi, colon + 1, strlen(colon + 1)) ||
	    (a = dp_decimal_places(lo, strlen(lo))) < 0 ||
	    (b = dp_decimal_places(hi, strlen(hi))) < 0 || a > 9 || b > 9)
		return false;
	o->places = (unsigned)(a > b ? a : b);
	return dp_decimal_parse(&o->lo, lo, strlen(lo), o->places) == 0 &&
	    dp_decimal_parse(&o->hi, hi, strlen(hi), o->places) == 0 &&
	    o->lo <= o->hi && (o->lo != 0 || o->hi != 0) &&
	    o->lo > -((int64_t)1 << 50) && o->hi < (int64_t)1 << 50;
}

const char *
dp_options_range_put(const struct dp_options *o, char text[static DP_RANGE_TEXT])
{
	char *p = dp_decimal_put(text, o->lo, o->places);

	*p++ = ':';
	*dp_decimal_put(p, o->hi, o->places) = '\0';
	return text;
}

bool
dp_options_clamps(const struct dp_options *o, const struct dp_tool *tool)
{
	return (tool->shape == DP_SHAPE_NUMBER || tool->shape == DP_SHAPE_VECTOR) &&
	    o->match == NULL &&
	    (o->given['r'] || (o->given['v'] && o->total == NULL));
}

static int
compare_keys(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
add_key(struct dp_options *o, const char *option, const char *p, size_t n)
{
	if (n == 0 || n > DP_KEY_MAX)
		dp_die(DP_EX_USAGE, "--%s: a key must have 1 to %d bytes", option, DP_KEY_MAX);
	if (memchr(p, '\0', n) != NULL)
		dp_die(DP_EX_USAGE, "--%s: a key has a NUL byte", option);
	if (o->nkeys == DP_KEYS_MAX)
		dp_die(DP_EX_USAGE, "--%s: more than %d keys", option, DP_KEYS_MAX);
	if ((o->nkeys & (o->nkeys - 1)) == 0 &&		/* room for twice as many */
	    (o->keys = realloc(o->keys,
	    (o->nkeys == 0 ? 1 : 2 * o->nkeys) * sizeof *o->keys)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if ((o->keys[o->nkeys++] = strndup(p, n)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
}

static void
check_twice(const struct dp_options *o, const char *option)
{
	char **sorted = malloc(o->nkeys * sizeof *sorted);
	size_t i;

	if (sorted == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	memcpy(sorted, o->keys, o->nkeys * sizeof *sorted);
	qsort(sorted, o->nkeys, sizeof *sorted, compare_keys);
	for (i = 1; i < o->nkeys; i++)
		if (strcmp(sorted[i - 1], sorted[i]) == 0)
			dp_die(DP_EX_USAGE, "--%s: '%s' is there twice", option, sorted[i]);
	free(sorted);
}

static void
keys_of_file(struct dp_options *o, const char *option, const char *path)
{
	const char *key, *why;
	char *line = NULL;
	size_t cap = 0, length;
	ssize_t n;
	bool first;
	FILE *fp;

	if ((fp = fopen(path, "re")) == NULL)
		dp_options_bad_file(option, path);
	for (first = true; (n = getline(&line, &cap, fp)) > 0; first = false) {
		key = line;
		length = (size_t)n;
		if ((why = dp_keys_line(&key, &length, first)) != NULL)
			dp_die(DP_EX_USAGE, "--%s: %s: %s", option, path, why);
		if (length > 0)
			add_key(o, option, key, length);
	}
	/* without memory for a line getline(3) sets no error */
	if (!feof(fp) || fclose(fp) != 0)
		dp_options_bad_file(option, path);
	free(line);
	if (o->nkeys == 0)
		dp_die(DP_EX_USAGE, "--%s: %s: no keys", option, path);
}

void
dp_options_keys(struct dp_options *o, const char *option, const char *s)
{
	size_t k;

	o->key_list = s;
	if (*s == '@')
		keys_of_file(o, option, s + 1);
	else
		for (;; s++) {
			add_key(o, option, s, k = strcspn(s, ","));
			if (*(s += k) == '\0')
				break;
		}
	check_twice(o, option);
}

static void
set_delimiter(struct dp_options *o, const char *s)
{
	if (strcmp(s, "\\t") == 0)
		s = "\t";
	if (strlen(s) != 1 || *s == '\n' || *s == '\r' || *s == '"')
		dp_die(DP_EX_USAGE,
		    "--delimiter: '%s' must be one byte, not a quote or newline", s);
	o->delimiter = (unsigned char)*s;
}

static void
set_format(struct dp_options *o, const char *s)
{
	static const char *const name[] = { "plain", "tsv", "csv", "json" };
	int i;

	for (i = 0; i < 4; i++)
		if (strcmp(s, name[i]) == 0) {
			o->format = (enum dp_format)i;
			return;
		}
	dp_die(DP_EX_USAGE, "--output: '%s' must be plain, tsv, csv or json", s);
}

static void
set_confidence(struct dp_options *o, const char *s)
{
	struct dp_q q = { 19, 20 };

	if (s != NULL && (dp_q_parse(&q, s) != 0 || q.num == 0 || q.num >= q.den))
		dp_die(DP_EX_USAGE, "--bound: '%s' must be a confidence above 0 and below 1", s);
	o->confidence = dp_q_double(q);
}

static void
set_steps(struct dp_options *o, enum dp_steps s)
{
	if (o->steps != DP_BY_LINE && o->steps != s)
		dp_die(DP_EX_USAGE, "only one of --from/--to, --live and --public-times can "
		    "say which buckets exist");
	o->steps = s;
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
	o->batch = s;
}

/* FILE, or FILE:LABEL; a colon before a slash is the file's. */
static void
set_budget(struct dp_options *o, const char *s)
{
	const char *colon = strrchr(s, ':'), *p;

	if (colon != NULL && strchr(colon, '/') != NULL)
		colon = NULL;
	o->label = colon != NULL ? colon + 1 : "";
	o->budget = colon != NULL ? dp_options_keep(o, s, (size_t)(colon - s)) : s;
	for (p = o->label; *p >= ' ' && *p <= '~'; p++)
		;
	if (*o->budget == '\0')
		dp_die(DP_EX_USAGE, "--budget: '%s' names no file", s);
	if (*p != '\0' || p - o->label > LABEL_MAX || (colon != NULL && *o->label == '\0'))
		dp_die(DP_EX_USAGE, "--budget: a label is 1 to %d printable characters", LABEL_MAX);
}

static void
privacy_option(struct dp_options *o, int c, const char *arg)
{
	switch (c) {
	case 'e':
		set_epsilon(o, arg);
		break;
	case 'd':
		set_delta(o, arg);
		break;
	case 'T':
		o->horizon = number("--horizon", arg, 1, (uint64_t)1 << 50);
		break;
	case 'M':
		o->mechanism = arg;
		break;
	case 'P':
		o->pan = true;
		break;
	case 'u':
		dp_options_field(&o->user, "--user", arg);
		break;
	case 'c':
		set_per_user(o, arg);
		break;
	case OPT_BUDGET:
		set_budget(o, arg);
		break;
	case OPT_SEED:
		o->has_seed = true;
		o->seed = number("--seed", arg, 0, UINT64_MAX);
		break;
	}
}

static void
input_option(struct dp_options *o, int c, const char *arg)
{
	switch (c) {
	case 'r':
		o->has_range = true;
		if (!dp_options_range(o, arg))
			dp_die(DP_EX_USAGE, "--range: '%s' must be LO:HI with LO <= HI, not 0:0, "
			    "at most 9 decimals (or a whole number with k, M, G, T), below "
			    "2^50 grid units", arg);
		break;
	case OPT_UNIT:
		dp_options_total(o, arg);
		break;
	case 'F':
		set_delimiter(o, arg);
		break;
	case OPT_CSV:
		o->csv = true;
		break;
	case OPT_TSV:
		o->delimiter = '\t';
		break;
	case 'H':
		o->header = true;
		break;
	case OPT_CUT:
		o->cut = arg;
		break;
	case OPT_LOG:
		dp_options_log(o, arg);
		break;
	case OPT_JSON:
		o->json = true;
		break;
	case OPT_WHERE:
		o->where = arg;
		break;
	case 'v':
		dp_options_field(&o->value, "--value", arg);
		break;
	case 'm':
		o->match = arg;
		break;
	case OPT_FIXED:
		o->fixed = true;
		break;
	case 'i':
		o->icase = true;
		break;
	case OPT_INVERT:
		o->invert = true;
		break;
	case 't':
		dp_options_field(&o->time, "--time", arg);
		break;
	case OPT_FORMAT:
		o->time_format = arg;
		break;
	case OPT_BUCKET:
		if (dp_span_parse(&o->span, arg) != 0)
			dp_die(DP_EX_USAGE, "--bucket: '%s' must be a duration such as 30s, 5m, "
			    "1h, 1d, 1w, 1mo, 1y", arg);
		o->bucket = dp_span_mean(&o->span);
		break;
	case OPT_TZ:
		o->tz = arg;
		break;
	case OPT_FROM:
		set_steps(o, DP_BY_RANGE);
		o->has_from = true;
		break;
	case OPT_TO:
		set_steps(o, DP_BY_RANGE);
		o->has_to = true;
		break;
	case OPT_LIVE:
		set_steps(o, DP_BY_CLOCK);
		o->lateness = arg == NULL || strcmp(arg, "0s") == 0 ? 0 : duration("--live", arg);
		break;
	case OPT_PUBLIC:
		set_steps(o, DP_BY_TIMES);
		break;
	case OPT_GAP:
		o->gap = number("--gap", arg, 1, (uint64_t)1 << 50);
		break;
	case 'k':
		dp_options_field(&o->key, "--key", arg);
		break;
	case OPT_KEYS:
		if (o->nkeys != 0)
			dp_die(DP_EX_USAGE, "--keys: given twice");
		dp_options_keys(o, "keys", arg);
		break;
	case OPT_DOMAIN:
		dp_options_keys(o, "domain", arg);
		break;
	case OPT_STRICT:
		o->strict = true;
		break;
	case OPT_PARTIAL:
		if (arg != NULL && strcmp(arg, "by-user") != 0)
			dp_die(DP_EX_USAGE, "--partial: '%s' must be by-user, or nothing", arg);
		o->partial = true;
		o->by_user = arg != NULL;
		break;
	case OPT_COLUMNS:
		o->columns = (size_t)number("--columns", arg, 1, DP_COLUMNS_MAX);
		break;
	case OPT_ONES:
		o->ones = (size_t)number("--ones", arg, 1, DP_COLUMNS_MAX);
		break;
	}
}

static void
output_option(struct dp_options *o, int c, const char *arg)
{
	switch (c) {
	case 'o':
		set_format(o, arg);
		break;
	case 'B':
		set_confidence(o, arg);
		break;
	case OPT_NONNEGATIVE:
		o->nonnegative = true;
		break;
	case OPT_MONOTONE:
		o->monotone = true;
		break;
	case 'E':
		if (arg != NULL && strcmp(arg, "json") != 0)
			dp_die(DP_EX_USAGE, "--explain: '%s' must be json, or nothing", arg);
		o->explain = arg == NULL ? DP_EXPLAIN_TEXT : DP_EXPLAIN_JSON;
		break;
	case OPT_CHECK:
		o->check = true;
		break;
	case OPT_WITHIN:
		if (dp_q_parse(&o->within, arg) != 0 || o->within.num == 0)
			dp_die(DP_EX_USAGE, "--within: '%s' must be an error above 0: a decimal "
			    "or a ratio", arg);
		break;
	case OPT_REPORT:
		o->report = number("--report", arg, 1, (uint64_t)1 << 50);
		break;
	case OPT_LINE_BUFFERED:
		o->line_buffered = true;
		break;
	case 'n':
		o->number = true;
		break;
	case 'q':
		o->quiet = true;
		break;
	case OPT_STATE:
		o->state = arg;
		break;
	case OPT_INIT:
		o->init = true;
		break;
	case OPT_OUT:
		o->out = arg;
		break;
	case OPT_BATCH:
		set_batch(o, arg);
		break;
	case OPT_WITNESS:
		o->witness = arg;
		break;
	case OPT_SHOW:
		o->show = true;
		break;
	case OPT_MOVE:
		o->move = arg;
		break;
	case OPT_CHANGE:
		o->change = true;
		o->forget = arg;
		break;
	case OPT_EVERY:
		o->every = number("--every", arg, 1, (uint64_t)1 << 50);
		break;
	case OPT_AT_END:
		o->every = 0;
		break;
	}
}

void
dp_options_shared(struct dp_options *o, int c, const char *arg)
{
	privacy_option(o, c, arg);
	input_option(o, c, arg);
	output_option(o, c, arg);
}
