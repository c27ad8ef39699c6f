/*
 * cut.h - lines cut into fields by a pattern with named groups; the patterns of common logs.
 *
 * Field N of a line is the text of group N, and a group's name is that field's name.  The pattern
 * may match anywhere in the line, so one that is to see all of it says ^ and $.
 */
#ifndef DP_CUT_H
#define DP_CUT_H

#include "match.h"
#include "record.h"

struct dp_cut;

/*
 * DP_ESYNTAX: why says what is wrong with the pattern: PCRE2's words; no group with a name; two
 * groups of one name; more than DP_FIELDS_MAX groups.  DP_ENOMEM.
 */
int	dp_cut_new(struct dp_cut **, const char *pattern, char why[static DP_MATCH_WHY]) DP_MUSTUSE;
/*
 * dp_cut_new() with the pattern of a log (below).  head: only the fields of the log's head, if it
 * has one.
 */
struct dp_log;
int	dp_cut_new_log(struct dp_cut **, const struct dp_log *, bool head,
	    char why[static DP_MATCH_WHY]) DP_MUSTUSE;
unsigned dp_cut_fields(const struct dp_cut *);		/* how many */
unsigned dp_cut_field(const struct dp_cut *, const char *name);	/* its number; 0: none has it */
/* The i-th name, for messages, in alphabetical order; NULL: past the last. */
const char *dp_cut_name(const struct dp_cut *, unsigned i);
/*
 * Sets all fields of a record from its text: 1; a group without part in the match is an absent
 * field. 0: the text does not match.  DP_ENOMEM.  Cost: one match (match.h).  Of a log,
 * DP_RECORD_SLACK bytes behind the text may be looked at.
 */
int	dp_cut_record(struct dp_cut *, struct dp_record *) DP_MUSTUSE;
int	dp_cut_forget(struct dp_cut *) DP_MUSTUSE;	/* as dp_match_forget() */
void	dp_cut_free(struct dp_cut *);			/* NULL is fine */

/* A kind of log: what cuts its lines, and the form of the times in the field "time" (when.h). */
struct dp_log {
	const char *name, *pattern, *time_format;
	/*
	 * Length of a prefix of the pattern that matches the lines of the whole, and has all
	 * fields; 0: the whole.
	 */
	size_t head;
	/* The pattern's results in a quarter of its time; NULL: there is no such function. */
	bool (*split)(struct dp_slice text, struct dp_slice *field, unsigned fields);
	bool dash;	/* - stands for no value: a user or identifier that is - is none */
	bool yearless;			/* its times may lack the year */
};

const struct dp_log *dp_log_get(unsigned i);		/* the i-th; NULL: past the last */
const struct dp_log *dp_log_find(const char *name);	/* NULL: unknown */
/* Fields 1..fields of the logs common (10) or combined (12); false: the text is no such line. */
bool	dp_log_access(struct dp_slice text, struct dp_slice *field, unsigned fields);
/* Of vhost: two more */
bool	dp_log_vhost(struct dp_slice text, struct dp_slice *field, unsigned fields);

#endif
