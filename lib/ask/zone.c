/*
 * zone.c - the zone that --tz names, and the times of the options that are in it.
 *
 * Its file of the tz database is read and understood here: the C library would silently take UTC
 * for an unreadable file.  Nothing looks at TZ.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options_table.h"

#define ZONES		"/usr/share/zoneinfo"
#define NAME_MAX_BYTES	64
#define FILE_MAX_BYTES	(1 << 20)

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

const char *
dp_options_time_format(const struct dp_options *o)
{
	struct dp_when w;

	return dp_when_rule(&w, o->time.format) == 0 ? NULL : dp_when_refused(o->time.format);
}
