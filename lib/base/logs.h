/* SPDX-License-Identifier: ISC */
/* logs.h - the patterns of common logs. */
#ifndef DP_BASE_LOGS_H
#define DP_BASE_LOGS_H

#include "dp.h"

/* A kind of log: what cuts its lines, and the form of the times in the field "time" (when.h). */
struct dp_log {
	const char *name, *what;
	const char *pattern, *time_format;	/* pattern NULL: JSON or pairs */
	/*
	 * Length of a prefix of the pattern that matches the lines of the whole, and has all
	 * fields; 0: the whole.
	 */
	size_t head;
	/* The pattern's results in a quarter of its time; NULL: there is no such function. */
	bool (*split)(struct dp_slice text, struct dp_slice *field, unsigned fields);
	bool dash;	/* - stands for no value: a user or identifier that is - is none */
	bool yearless;			/* its times may lack the year */
	char between;			/* lines are pairs, with these bytes between; NUL: no */
	/* Of JSON and pairs: the member that is the time, and another that all lines have */
	const char *time, *mark;
	const char *message;		/* the field, or member, that another log's line may be */
};

/* The columns of PostgreSQL's csvlog, as its manual names them, with commas between. */
extern const char dp_log_csvlog[];
const struct dp_log *dp_log_get(unsigned i);		/* the i-th; NULL: past the last */
const struct dp_log *dp_log_find(const char *name);	/* NULL: unknown */
/* The event time's field */
const char *dp_log_time(const struct dp_log *);
/* The fields of a pattern, a blank before each, as far as they fit; false: name is none of them. */
bool	dp_log_fields(const struct dp_log *, const char *name, char *text, size_t size);

#endif
