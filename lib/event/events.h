/*
 * events.h - the inside of event.h, for event*.c only.
 */
#ifndef DP_EVENTS_H
#define DP_EVENTS_H

#include "event.h"
#include "stream/json.h"

#define DP_TIME_FIELDS	2		/* a time of day, and a zone */

/* A declared key, in a table by open addressing. */
struct dp_events_place {
	const char *name;		/* NULL: an empty place */
	uint32_t len, column;
};

struct dp_events_keys {
	struct dp_field field;
	struct dp_field then[DP_KEY_FIELDS - 1];	/* after the first */
	char *joined;			/* a key of several fields, as it was last */
	size_t other;			/* the column of undeclared keys; keys.n: none is */
	bool empty;			/* a field of the key may be missing, too */
	struct dp_events_place *place;	/* mask + 1 of them, at most half full */
	size_t mask;
};

struct dp_events_condition {
	struct dp_field field;		/* number 0: the line */
	struct dp_match *match;
};

struct dp_events {
	const struct dp_options *o;
	struct dp_field value, time, clock, user;	/* numbers resolved */
	struct dp_events_keys key;
	enum dp_shape shape;
	const struct dp_contributions *adds;
	struct dp_term *term;		/* what the event adds: adds->terms at most */
	const uint8_t *id_key;		/* 16 bytes; a state file may replace them later */
	struct dp_terms *terms;		/* a line is many numbers */
	struct dp_match *match;
	struct dp_when when;
	unsigned following;		/* fields after the time's in which it may go on */
	unsigned fields;		/* to cut here, 0: the reader did, or cut or json does */
	struct dp_cut *cut;
	struct dp_json *json;
	struct dp_events_condition *condition;
	size_t conditions;
	int64_t one;			/* what one event counts: 1, on the grid, clamped */
};

/* event.c */
/* The event is malformed, for what the field is. */
void	dp_events_blame(const struct dp_events *, const struct dp_field *, struct dp_event *,
	    const char *why);
/* The field, or NULL with the event malformed. */
const struct dp_slice *dp_events_get(const struct dp_events *, const struct dp_record *,
	    const struct dp_field *, struct dp_event *);

/* Fields that are no columns of a line of many numbers. */
void	dp_events_aside(const struct dp_events *, unsigned aside[static DP_TERMS_ASIDE]);

/* event_form.c */
int	dp_events_form_new(struct dp_events *) DP_MUSTUSE;
void	dp_events_form_free(struct dp_events *);
int	dp_events_form_forget(struct dp_events *) DP_MUSTUSE;
/* A pattern for the whole line decides whether anything else is looked at. */
bool	dp_events_seldom(const struct dp_events *);
/* A plain string without which no line counts, or NULL. */
struct dp_match *dp_events_literal(const struct dp_events *);
/* Cuts the record unless that is done; false: it cannot be, and the event is marked. */
bool	dp_events_cut(const struct dp_events *, struct dp_record *, struct dp_event *);
/* Whether the record is an event: all conditions hold; those of the line are looked at first. */
bool	dp_events_holds(const struct dp_events *, struct dp_record *, struct dp_event *);

/* event_value.c */
int	dp_events_value_new(struct dp_events *) DP_MUSTUSE;
void	dp_events_value(const struct dp_events *, const struct dp_record *, struct dp_event *);
/* Contributions: to the numbers of its key, once that is known. */
void	dp_events_place(const struct dp_events *, struct dp_event *);
void	dp_events_key(const struct dp_events *, const struct dp_record *, struct dp_event *);

/* event_time.c */
int	dp_events_time_new(struct dp_events *, int64_t now) DP_MUSTUSE;
void	dp_events_time(const struct dp_events *, const struct dp_record *, struct dp_event *);

#endif
