/*
 * head.h - internal to session*.c: the head of a state file, and its body.
 */
#ifndef DP_HEAD_H
#define DP_HEAD_H

#include "session.h"

/* Of what a head and a body say, and how; another one is refused.  The program's version is not. */
#define DP_HEAD_FORMAT	2
#define DP_HEAD_TIMES	2		/* how times are read; the first way has no line */

extern const char *const dp_head_steps[4];	/* by enum dp_steps */

void	dp_head_user(struct dp_buf *, const struct dp_field *);
/* Declared keys as --keys would have them; "" stands for the empty one. */
void	dp_head_keys(struct dp_buf *, const struct dp_options *);
/* "moves L1 L2SQUARED COLUMNS" */
void	dp_head_moves(struct dp_buf *, const struct dp_privacy *);
/* The value of a key in the head, if it is there. */
bool	dp_head_find(const char *head, const char *key, struct dp_slice *value);
/* These exit if it is not, or is none: a value as it stands there, a number, a fraction. */
struct dp_slice dp_head_value(const struct dp_options *, const char *head, const char *key);
uint64_t dp_head_number(const struct dp_options *, const char *head, const char *key);
struct dp_q dp_head_q(const struct dp_options *, const char *head, const char *key);
_Noreturn void dp_head_damaged(const struct dp_options *, const char *key);
/* dp_unescape() in place; exits if that fails. */
void	dp_head_unescape(const struct dp_options *, const char *key, char *text);
/* The same of a value, which belongs to the options then. */
char	*dp_head_text(struct dp_options *, const char *key, struct dp_slice value);
/* Digits alone; false: there are none, or others, or the number is 2^64 or more. */
bool	dp_head_digits(struct dp_slice, uint64_t *n) DP_MUSTUSE;
/* A word of so many hex digits, lower case; false: they are none. */
bool	dp_head_hex(const char *p, size_t digits, uint64_t *w) DP_MUSTUSE;
/* Of input and output: as they are kept, unless --change lets them differ. */
void	dp_head_kept(struct dp_run *, const char *head);
/* Of the head what --state-show needs to say more than it: horizon, bucket, zone. */
void	dp_head_show(struct dp_run *, const char *head);
/* Exits unless the state is this tool's. */
void	dp_head_tool(const struct dp_options *, const struct dp_tool *, const char *head);
/* Every parameter of the head: equal to a given option, or exits; else taken over as the option. */
void	dp_head_adopt(struct dp_run *, const char *head);

/* All that a state holds besides the head, and back; the one that reads exits if it is damaged. */
void	dp_body_put(struct dp_run *, struct dp_buf *);
void	dp_body_get(struct dp_run *);

#endif
