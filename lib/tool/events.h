/*
 * events.h - the inside of event.h, for event.c, event_value.c and event_time.c only.
 */
#ifndef DP_EVENTS_H
#define DP_EVENTS_H

#include "event.h"

#define DP_TIME_FIELDS	2		/* a time of day, and a zone */

struct dp_events_key {
	struct dp_slice name;
	size_t column;
};

struct dp_events {
	const struct dp_options *o;
	struct dp_field value, time, key, user;	/* numbers resolved */
	enum dp_shape shape;
	const uint8_t *id_key;		/* 16 bytes; a state file may replace them later */
	struct dp_terms *terms;		/* a line is many numbers */
	struct dp_match *match;
	struct dp_when when;
	unsigned following;		/* fields after the time's in which it may go on */
	unsigned fields;		/* to cut here, 0: the reader did */
	int64_t one;			/* what one event counts: 1, on the grid, clamped */
	struct dp_events_key *keys;	/* sorted */
};

/* event.c: the field, or NULL with the event marked malformed. */
const struct dp_slice *dp_events_get(const struct dp_record *, const struct dp_field *,
	    struct dp_event *);

/* event_value.c */
int	dp_events_value_new(struct dp_events *) DP_MUSTUSE;
void	dp_events_value(const struct dp_events *, const struct dp_record *, struct dp_event *);
void	dp_events_key(const struct dp_events *, const struct dp_record *, struct dp_event *);

/* event_time.c */
int	dp_events_time_new(struct dp_events *, int64_t now) DP_MUSTUSE;
void	dp_events_time(const struct dp_events *, const struct dp_record *, struct dp_event *);

#endif
