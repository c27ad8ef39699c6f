/*
 * zone.c - the zone that --tz names, and the times of the options that are in it.
 *
 * The tz database is read by the C library, once: what becomes of it is data (stream/zone.h), and
 * nothing else looks at TZ.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "options_table.h"

#define ZONES		"/usr/share/zoneinfo"
#define NAME_MAX_BYTES	64

static int32_t
east(int64_t t)
{
	const time_t s = t;
	struct tm tm;

	return localtime_r(&s, &tm) == NULL ? 0 : (int32_t)tm.tm_gmtoff;
}

/* A file below ZONES that is of the tz database, and without leap seconds, which no log counts. */
static bool
is_zone(const char *name, char path[static NAME_MAX_BYTES + sizeof ZONES + 2])
{
	char magic[4] = "";
	bool is;
	int fd;

	if (strlen(name) > NAME_MAX_BYTES || *name == '/' || strstr(name, "..") != NULL ||
	    strncmp(name, "right/", 6) == 0)
		return false;
	sprintf(path, ":%s/%s", ZONES, name);
	if ((fd = open(path + 1, O_RDONLY | O_CLOEXEC)) < 0)
		return false;
	is = read(fd, magic, sizeof magic) == sizeof magic && memcmp(magic, "TZif", 4) == 0;
	close(fd);
	return is;
}

static void
load(struct dp_options *o)
{
	char path[NAME_MAX_BYTES + sizeof ZONES + 2], *before = getenv("TZ");
	int e;

	if (!is_zone(o->tz, path))
		dp_die(DP_EX_USAGE, "--tz: '%s' must be a zone of the tz database, such as "
		    "Europe/Berlin (a file below " ZONES ")", o->tz);
	if (before != NULL && (before = strdup(before)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	e = setenv("TZ", path, 1) != 0 ? DP_ENOMEM : 0;
	if (e == 0) {
		tzset();
		e = dp_zone_make(&o->zone, east);
	}
	if (e == 0 && (before == NULL ? unsetenv("TZ") : setenv("TZ", before, 1)) != 0)
		e = DP_ENOMEM;
	tzset();
	free(before);
	if (e != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	o->span.zone = &o->zone;
}

static int64_t
moment(const struct dp_options *o, const char *option, const char *s)
{
	int64_t t;

	if (dp_when_parse_arg(&t, s, o->span.zone) != 0)
		dp_die(DP_EX_USAGE,
		    "%s: '%s' must be a time such as 2024-05-01T12:00:00Z or seconds since 1970",
		    option, s);
	return t;
}

void
dp_options_times(struct dp_options *o)
{
	char span[DP_SPAN_TEXT];

	if (o->tz != NULL)
		load(o);
	if (o->tz != NULL && o->bucket != 0 && !dp_span_fits_zone(&o->span)) {
		dp_span_put(span, &o->span);
		dp_die(DP_EX_USAGE, "--bucket: with --tz a bucket is whole days, weeks, months, or "
		    "divides a day; %ss do not", span);
	}
	if (o->has_from)
		o->from = moment(o, "--from", o->text[OPT_FROM]);
	if (o->has_to)
		o->to = moment(o, "--to", o->text[OPT_TO]);
}
