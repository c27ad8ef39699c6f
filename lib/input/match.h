/* SPDX-License-Identifier: ISC */
/*
 * match.h - patterns: PCRE2 (JIT, bytes, no locale) or a plain string.
 *
 * Bytes are matched, never characters: (*UTF) and (*UCP) in a pattern are errors.
 * '.' is any byte but '\n', which only a CSV field can hold.
 */
#ifndef DP_INPUT_MATCH_H
#define DP_INPUT_MATCH_H

#include "base/dp.h"

struct dp_behind;
struct dp_cut;
struct dp_log;
struct dp_record;

#define DP_MATCH_WHY	120

/*
 * Lines cut into fields by a pattern with named groups; the patterns of common logs.
 *
 * Field N of a line is the text of group N, and a group's name is that field's name.  The pattern
 * may match anywhere in the line, so one that is to see all of it says ^ and $.
 */

int	dp_cut_new_log(struct dp_cut **, const struct dp_log *, bool head,
	    char why[static DP_MATCH_WHY]) DP_MUSTUSE;
/*
 * Sets all fields of a record from its text: 1; a group without part in the match is an absent
 * field. 0: the text does not match.  DP_ENOMEM.  Cost: one match (match.h).  Of a log,
 * DP_RECORD_SLACK bytes behind the text may be looked at.
 */
int	dp_cut_record(struct dp_cut *, struct dp_record *) DP_MUSTUSE;
void	dp_cut_free(struct dp_cut *);			/* NULL is fine */
/* True: the text is a line of pairs, between tabs or blanks. */
bool	dp_log_pairs(char between, struct dp_slice text);
/* True: the text is a line of the outer log, whose message is one of the inner. */
bool	dp_log_behind(const struct dp_log *outer, const struct dp_log *inner, struct dp_slice text);

/*
 * Lines whose message is a line of another log: syslog's words, or a container's, are cut off.
 *
 * Fields are those of the inner log, then those of the outer one, each by its own name; of two of
 * one name the inner counts.
 */

int	dp_behind_new(struct dp_behind **, const struct dp_log *outer,
	    char why[static DP_MATCH_WHY]) DP_MUSTUSE;
/* As dp_cut_record(), of the message alone, with the outer log's fields behind its own. */
int	dp_behind_record(struct dp_behind *, struct dp_cut *, struct dp_record *) DP_MUSTUSE;
void	dp_behind_free(struct dp_behind *);	/* NULL is fine */

#endif
