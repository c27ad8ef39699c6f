/*
 * check.h - internal to this room: the parts of a line of --check.
 */
#ifndef DP_CHECK_H
#define DP_CHECK_H

#include "roads.h"

/* check.c: a tab, the name and = */
void	dp_check_name(struct dp_buf *, const char *name);

/* check_log.c */
/* Of a text that is no line of --log: which log's it is, or what else reads it. */
void	dp_check_log(struct dp_buf *, const struct dp_options *, struct dp_slice text);
/* The named format that a field fits which is no time of the given format. */
void	dp_check_time(struct dp_buf *, const struct dp_options *, const struct dp_record *,
	    unsigned field);
/* Who asked, as the log has it; a user only where --user names none. */
void	dp_check_who(struct dp_buf *, const struct dp_run *, const struct dp_record *);
/* A user or identifier, and that it is more than an address, if it is. */
void	dp_check_person(struct dp_buf *, struct dp_slice);

#endif
