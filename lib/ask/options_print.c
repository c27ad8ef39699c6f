/*
 * options_print.c - the form of what is printed, and what it forbids.
 */
#include <string.h>

#include "options_table.h"

#define METRIC	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
#define METRIC_MAX	100

void
dp_options_format(struct dp_options *o, const char *s)
{
	static const char *const name[] = { "plain", "tsv", "csv", "json", "long", "prometheus" };
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
		dp_die(DP_EX_USAGE, "--output: '%s' must be plain, tsv, csv, json, long or "
		    "prometheus[:NAME]", s);
	s += n;
	if (*s == '\0' || strchr(start, *s) == NULL || s[strspn(s, METRIC "0123456789")] != '\0' ||
	    strlen(s) > METRIC_MAX)
		dp_die(DP_EX_USAGE, "--output: 'prometheus:%s': the name of a metric is letters, "
		    "digits and _, no digit first, at most %d", s, METRIC_MAX);
	o->print.format = DP_PROMETHEUS;
	o->print.metric = s;
}

void
dp_options_safe(struct dp_options *o, const char *s)
{
	if (s != NULL && strcmp(s, "no") != 0)
		dp_die(DP_EX_USAGE, "--safe: '%s' must be no, or nothing", s);
	o->print.safe = s == NULL ? DP_SAFE_ALL : DP_SAFE_NONE;
}

void
dp_options_confidence(struct dp_options *o, const char *s)
{
	struct dp_q q = { 19, 20 };

	if (s != NULL && *s == '=')
		dp_die(DP_EX_USAGE, "--bound: '%s' begins with '='; write -B%s or --bound=%s",
		    s, s + 1, s + 1);
	if (s != NULL && (dp_q_parse(&q, s) != 0 || q.num == 0 || q.num >= q.den))
		dp_die(DP_EX_USAGE, "--bound: '%s' must be a confidence above 0 and below 1", s);
	o->print.confidence = dp_q_double(q);
}

void
dp_options_check_print(const struct dp_options *o)
{
	const bool last = o->print.format == DP_PROMETHEUS;

	need(o->print.safe == DP_SAFE_UNDECLARED || o->print.format == DP_CSV ||
	    o->print.format == DP_LONG,
	    "--safe is about names in CSV: it goes with -o csv and -o long");
	need(!last || o->keep.out == NULL,
	    "-o prometheus: refused with --out, which appends: a collector's file has one step, "
	    "the last (>FILE.new, then mv)");
	need(!last || o->time.steps != DP_BY_CLOCK,
	    "-o prometheus: refused with --live: the last step is printed when the input ends");
	need(!last || !o->print.line_buffered,
	    "--line-buffered: refused with -o prometheus, which prints the last step alone, when "
	    "the input ends");
}
