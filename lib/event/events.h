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
	char *joined;			/* the last key of several fields, joined */
	size_t other;			/* column of undeclared keys; keys.n: there is none */
	bool empty;			/* a missing field is the empty key */
	struct dp_events_place *place;	/* mask + 1 of them, at most half full */
	size_t mask;
};

struct dp_events_condition {
	struct dp_field field;		/* number 0: the line */
	struct dp_match *match;		/* NULL: a comparison */
	enum dp_op op;
	struct dp_slice value;
	bool number;			/* the value is one */
};

/* Fields that -u or -v names. */
struct dp_events_several {
	struct dp_field field;		/* number resolved; of several fields: not 0 */
	struct dp_fields of;		/* n 0: one field; numbers resolved */
	bool named;			/* the header has a field of the whole name */
	struct dp_events_text *text;	/* the last one, joined; NULL: one field */
};

struct dp_events_lines {
	unsigned fields;		/* fields to cut here; 0: the reader, cut or json cuts */
	bool directives;		/* W3C's: # begins no event, and - is no value */
};

struct dp_events {
	const struct dp_options *o;
	struct dp_events_several value, user;
	struct dp_field time, clock;	/* numbers resolved */
	struct dp_events_keys key;
	enum dp_shape shape;
	const struct dp_contributions *adds;
	struct dp_term *term;		/* room for adds->terms numbers of an event */
	const uint8_t *id_key;		/* 16 bytes; a state file may replace them later */
	struct dp_terms *terms;		/* vectors: the reader of a line; else NULL */
	struct dp_match *match;
	struct dp_when when;
	unsigned following;		/* fields after the time's that may belong to the time */
	struct dp_events_lines lines;
	struct dp_cut *cut;
	struct dp_json *json;
	struct dp_events_condition *condition;
	size_t conditions;
	int64_t one;			/* value of one event: 1 on the grid, clamped */
};

/* event.c */
/* Finds a field's name in a header; false: it is not there. */
bool	dp_events_resolve(struct dp_field *, const struct dp_record *);
/* Marks the event malformed: the field, and why. */
void	dp_events_blame(const struct dp_events *, const struct dp_field *, struct dp_event *,
	    const char *why);
/* The field, or NULL after marking the event malformed. */
const struct dp_slice *dp_events_get(const struct dp_events *, const struct dp_record *,
	    const struct dp_field *, struct dp_event *);

/* event_join.c */
/* The field is that of the options; of several it loses its name, unless a header may have that. */
int	dp_events_join_new(const struct dp_events *, struct dp_events_several *,
	    const struct dp_fields *) DP_MUSTUSE;
/* Finds the fields in a header, the whole name before its parts.  NULL, or a name it lacks. */
const char *dp_events_join_header(struct dp_events_several *, const struct dp_record *);
void	dp_events_join_forget(struct dp_events_several *);
void	dp_events_join_free(struct dp_events_several *);
/*
 * dp_events_get(), or the texts of several fields, joined, until the next call; empty where none of
 * them names anybody.
 */
const struct dp_slice *dp_events_text(const struct dp_events *, const struct dp_events_several *,
	    const struct dp_record *, struct dp_event *);
/* Sets the event's user; nobody's events count nowhere. */
void	dp_events_user(const struct dp_events *, const struct dp_record *, struct dp_event *);
/* True: the text of a field names no user, and no identifier. */
bool	dp_events_nobody(const struct dp_events *, struct dp_slice);

/* Fields of a vector's line that are no columns: times and the user. */
void	dp_events_aside(const struct dp_events *, unsigned aside[static DP_TERMS_ASIDE]);

/* event_form.c */
int	dp_events_form_new(struct dp_events *) DP_MUSTUSE;
void	dp_events_form_free(struct dp_events *);
int	dp_events_form_forget(struct dp_events *) DP_MUSTUSE;
/* true: a pattern of the whole line is tried before any field is cut. */
bool	dp_events_seldom(const struct dp_events *);
/* A plain string that every line that counts holds, or NULL. */
struct dp_match *dp_events_literal(const struct dp_events *);
/* Cuts the record if it is uncut; false: it cannot be cut, and the event is marked malformed. */
bool	dp_events_cut(const struct dp_events *, struct dp_record *, struct dp_event *);
/* true: all conditions hold.  Conditions of the whole line are tried first. */
bool	dp_events_holds(const struct dp_events *, struct dp_record *, struct dp_event *);

/* event_value.c */
int	dp_events_value_new(struct dp_events *) DP_MUSTUSE;
void	dp_events_value(const struct dp_events *, const struct dp_record *, struct dp_event *);
/* Contributions: moves the terms to the numbers of the event's key, once the key is known. */
void	dp_events_place(const struct dp_events *, struct dp_event *);
void	dp_events_key(const struct dp_events *, const struct dp_record *, struct dp_event *);

/* event_time.c */
int	dp_events_time_new(struct dp_events *, int64_t before) DP_MUSTUSE;
void	dp_events_time(const struct dp_events *, const struct dp_record *, struct dp_event *);

#endif
