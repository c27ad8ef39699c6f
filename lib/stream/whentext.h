/*
 * whentext.h - the inside of when.h, for when.c and whentext.c only.
 */
#ifndef DP_WHENTEXT_H
#define DP_WHENTEXT_H

#include "when.h"

#define MINUTE	60
#define HOUR	3600
#define DAY	86400

/* A time as it is written; nothing is checked yet. */
struct dp_civil {
	unsigned year, month, day, hour, minute, second;
	int offset;			/* seconds east of UTC */
};

/* DP_ESYNTAX: there is no such day or time, or it is out of range. */
int	dp_civil_seconds(int64_t *, const struct dp_civil *) DP_MUSTUSE;
/* Year, month and day of a day counted from 1970-01-01, from DP_WHEN_MIN to DP_WHEN_MAX. */
void	dp_civil_day(int64_t day, struct dp_civil *);

/* One for each dp_when_kind; contract in when.h. */
int	dp_when_epoch(int64_t *, struct dp_slice text) DP_MUSTUSE;
int	dp_when_iso(int64_t *, struct dp_slice text, struct dp_slice next) DP_MUSTUSE;
int	dp_when_clf(int64_t *, struct dp_slice text, struct dp_slice next) DP_MUSTUSE;
int	dp_when_syslog(int64_t *, struct dp_slice text, struct dp_slice next, int64_t near) DP_MUSTUSE;
int	dp_when_strptime(int64_t *, struct dp_slice text, struct dp_slice next,
	    const char *format) DP_MUSTUSE;

#endif
